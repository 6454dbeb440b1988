"""Train transliterators on one list of names, test them on another, and compare Phonetisaurus.

::

    python benchmarks/transliteration.py TRAIN TEST                  # sameas alone
    python benchmarks/transliteration.py TRAIN TEST --phonetisaurus FOLDER
    SAMEAS_PHONETISAURUS=FOLDER python benchmarks/transliteration.py TRAIN TEST

TRAIN and TEST have a name, a tab and its transliteration on each line; a name on several lines of
TEST has several right answers.

The table shows, for every system, the CPU seconds of training, the names transliterated per second,
the peak memory, and the quality of the lists of twenty: accuracy of the first candidate, mean
reciprocal rank, mean F-score of the first candidate, and how often the list contains a right
answer. × is relative to the first row. Every system runs on one core, in separate processes; names
per second exclude the time to read the model.

FOLDER contains the programs of Phonetisaurus (phonetisaurus-align, estimate-ngram, …); `pip install
phonetisaurus` installs them in `bin/` inside the package, with their libraries in `lib/`. Without
FOLDER the script looks for the package in this Python. Phonetisaurus is measured with the settings
of its own `train` command (segments of up to two letters and two units, some without a unit;
8-grams), and with up to three letters and one unit (6-grams). Duplicate and empty targets are
removed from its lists.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from alignment import Command, given, measure, write

MODELS = ("bigram", "ngram", "network", "best")
MOST = 20
SETTINGS = {
    "Phonetisaurus, 2:2, 8-gram": (2, 2, 8),
    "Phonetisaurus, 3:1, 6-gram": (3, 1, 6),
}
Lists = dict[str, list[str]]


class Row(NamedTuple):
    """The cost of a system, and its lists of candidates."""

    training: float  # CPU seconds
    decoding: float  # CPU seconds for all test names
    megabytes: float  # peak of training and decoding
    lists: Lists
    note: str


def run_case(model: str, train: str, names: str, output: str) -> None:
    """Train and transliterate in this process, and print the seconds of each step."""
    from sameas.names.pairs import read_pairs
    from sameas.names.transliterator import Transliterator

    start = time.process_time()
    fitted = Transliterator.fit(read_pairs(train, skip_bad=True), model=model)
    trained = time.process_time()
    wanted = Path(names).read_text(encoding="utf-8").splitlines()
    found = fitted.transliterate_all(wanted, n=MOST)
    done = time.process_time()
    lists = {
        name: [target for target, _ in one.candidates]
        for name, one in zip(wanted, found, strict=True)
    }
    Path(output).write_text(json.dumps(lists), encoding="utf-8")
    print(json.dumps([trained - start, done - trained]))


def own(model: str, train: Path, names: Path, folder: Path) -> Row:
    """Measure one of our models."""
    output = folder / f"{model}.json"
    run = measure([sys.executable, __file__, "--case", model, train, names, output])
    training, decoding = json.loads((run.printed or "").splitlines()[-1])
    lists = json.loads(output.read_text(encoding="utf-8"))
    return Row(training, decoding, run.megabytes, lists, "")


def programs(folder: str | None) -> Path | None:
    """Return the folder of Phonetisaurus's programs: the given one, or that of the package."""
    if folder or (folder := os.environ.get("SAMEAS_PHONETISAURUS")):
        if not (Path(folder) / "phonetisaurus-align").is_file():
            raise SystemExit(f"{folder} has no phonetisaurus-align")
        return Path(folder)
    package = find_spec("phonetisaurus")
    if package is None or package.origin is None:
        return None
    inside = Path(package.origin).parent / "bin" / platform.machine()
    return inside if inside.is_dir() else None


def phonetisaurus(
    bin_folder: Path, setting: tuple[int, int, int], pairs: Path, names: Path, folder: Path
) -> Row:
    """Align, count and decode as Phonetisaurus's own commands do."""
    letters, units, order = setting
    libraries = bin_folder.parent.parent / "lib" / bin_folder.name
    variables = {"LD_LIBRARY_PATH": str(libraries)} if libraries.is_dir() else {}
    corpus, arpa, model = (folder / f"model.{kind}" for kind in ("corpus", "arpa", "fst"))
    steps: list[Command] = [
        [
            bin_folder / "phonetisaurus-align",
            f"--input={pairs}",
            f"--ofile={corpus}",
            f"--seq1_max={letters}",
            f"--seq2_max={units}",
            "--seq1_del=false",
            "--seq2_del=true",
            "--grow=false",
        ],
        [bin_folder / "estimate-ngram", "-o", str(order), "-t", corpus, "-wl", arpa],
        [bin_folder / "phonetisaurus-arpa2wfst", f"--lm={arpa}", f"--ofile={model}"],
    ]
    runs = [measure(step, variables) for step in steps]
    one = folder / "one.txt"
    one.write_text(names.read_text(encoding="utf-8").partition("\n")[0] + "\n", encoding="utf-8")
    decode: Command = [bin_folder / "phonetisaurus-g2pfst", f"--model={model}"]
    decode += [f"--nbest={MOST}"]
    reading, run = (measure([*decode, f"--wordlist={path}"], variables) for path in (one, names))
    lists: Lists = {}
    for line in (run.printed or "").splitlines():
        name, _, rest = line.partition("\t")
        target = "".join(rest.partition("\t")[2].split())
        if target and target not in lists.setdefault(name, []):
            lists[name].append(target)
    aligned, asked = (
        sum(1 for line in path.open(encoding="utf-8") if line.strip()) for path in (corpus, pairs)
    )
    note = f"{asked - aligned:,} of {asked:,} pairs could not be aligned" if aligned < asked else ""
    most = max(one.megabytes for one in [*runs, run])
    training = sum(one.seconds for one in runs)
    return Row(training, run.seconds - reading.seconds, most, lists, note)


def references(pairs: Iterable[tuple[str, str]]) -> Lists:
    """Return the right answers for each name."""
    found: Lists = {}
    for source, target in pairs:
        found.setdefault(source, []).append(target)
    return found


def report(rows: Mapping[str, Row], right: Mapping[str, Sequence[str]]) -> None:
    """Print the table, with notes on its rows."""
    from sameas.names.ranking import rank_scores

    base = next(iter(rows.values()))
    print("| system | training s | × | names per second | × | MB | ACC | MRR | F | ACC@20 |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name, row in rows.items():
        scores = rank_scores(right, row.lists, most=MOST)
        speed = len(right) / row.decoding
        cells = [
            name,
            f"{row.training:.1f}",
            f"{row.training / base.training:.1f}",
            f"{speed:,.0f}",
            f"{speed * base.decoding / len(right):.2f}",
            f"{row.megabytes:,.0f}",
            *(f"{one:.4f}" for one in (scores.accuracy, scores.mrr, scores.f)),
            f"{scores.accuracy_at(MOST):.4f}",
        ]
        print(f"| {' | '.join(cells)} |")
    for name, row in rows.items():
        short = sum(len(row.lists.get(source, ())) < MOST for source in right)
        notes = [row.note] if row.note else []
        if short:
            notes.append(f"{short:,} of {len(right):,} lists have fewer than {MOST}")
        if notes:
            print(f"\n{name}: {'; '.join(notes)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("train", nargs="?", help="a name, a tab, its transliteration")
    parser.add_argument("test", nargs="?", help="test names, in the same format")
    parser.add_argument("--models", nargs="*", choices=MODELS, default=list(MODELS))
    parser.add_argument("--phonetisaurus", help="folder of the Phonetisaurus programs")
    parser.add_argument("--keep", help="folder to save the lists in, as JSON")
    parser.add_argument("--case", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.case:
        run_case(*options.case)
        return
    if not options.test:
        parser.error("expected two lists of names: one for training, one for testing")
    bin_folder = programs(options.phonetisaurus)
    right = references(given(options.test))
    rows: dict[str, Row] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        train, apart, names = (folder / one for one in ("train.tsv", "apart.tsv", "names.txt"))
        pairs = list(given(options.train))
        write(train, pairs)
        # Phonetisaurus expects plain letters, and units separated by spaces.
        write(apart, ((source, " ".join(target)) for source, target in pairs))
        names.write_text("".join(f"{source}\n" for source in right), encoding="utf-8")
        for model in options.models:
            rows[f"sameas, {model}"] = own(model, train, names, folder)
        if bin_folder:
            for setting, numbers in SETTINGS.items():
                rows[setting] = phonetisaurus(bin_folder, numbers, apart, names, folder)
    if options.keep:
        Path(options.keep).mkdir(parents=True, exist_ok=True)
        for name, row in rows.items():
            path = Path(options.keep) / f"{name.replace(', ', '-').replace(':', '-')}.json"
            path.write_text(json.dumps(row.lists, ensure_ascii=False), encoding="utf-8")
    if rows:
        report(rows, right)
    if bin_folder is None:
        print("\nPhonetisaurus is skipped: not installed; set its folder with --phonetisaurus")


if __name__ == "__main__":
    main()
