"""Time the alignment of names at five sizes, and compare with other aligners, on one core.

::

    python benchmarks/alignment.py                          # on names generated from a seed
    python benchmarks/alignment.py PAIRS --plot docs/alignment-cost.svg
    python benchmarks/alignment.py PAIRS --gold GOLD \\
        --phonetisaurus phonetisaurus-align --m2m-aligner m2m-aligner --eflomal eflomal-align

PAIRS is repeated or truncated to 35,000, 70,000, … 560,000 pairs.

The first table shows, for every method and size, the CPU seconds up to the first alignment, of each
further iteration, and of the whole run, from reading the input to writing the output, and the peak
memory of the process. Below it, an exponent shows how the time of an iteration grows with the
number of pairs.

The second table compares sameas with the aligners whose programs are given, as whole commands on
the unchanged PAIRS: CPU seconds, memory, alignment entropy, and, with GOLD, recall, precision and
F1 of the names that were aligned.

Each measurement runs in a separate process. The methods that use sounds need pypinyin, and the plot
needs matplotlib. phonetisaurus-align is inside the package that `pip install phonetisaurus`
installs, in `bin/`, with its libraries in `lib/`.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

METHODS = ("affinity", "phoneme", "phonological", "segment")
SIZES = (35_000, 70_000, 140_000, 280_000, 560_000)
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
Pairs = Sequence[tuple[str, str]]
Command = list[str | Path]


class Run(NamedTuple):
    """The CPU seconds, megabytes and output of a command; no output if it was stopped."""

    seconds: float
    megabytes: float
    printed: str | None


class Cost(NamedTuple):
    """The cost of aligning a list of pairs: seconds, iterations, memory."""

    first: float  # seconds up to the first alignment
    iteration: float
    iterations: int  # after the first alignment
    everything: float
    megabytes: float


def invent(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield invented names of 350 syllables; each is a character with up to three spellings."""
    bits = random.Random(seed)
    onsets = [*"bcdfghjklmnprstvwz", "ch", "ph", "sch", "sh", "st", "th", "tr"]
    vowels = [*"aeiouy", "ai", "ea", "ee", "ie", "oo"]
    codas = ["", "", "", "l", "n", "ng", "r", "s"]
    code = [
        (chr(0x4E00 + 41 * number), [[*map(bits.choice, (onsets, vowels, codas))]])
        for number in range(350)
    ]
    for _, spellings in code:
        onset, vowel, coda = spellings[0]
        spellings += [[onset, bits.choice(vowels), coda], [onset, vowel, coda + "e"]]
    frequent = [1 / (rank + 10) for rank in range(len(code))]
    for _ in range(count):
        chosen = bits.choices(code, frequent, k=bits.choice((1, 2, 2, 3, 3, 3, 4, 4, 5, 6)))
        letters = (
            part for _, spellings in chosen for part in bits.choices(spellings, (6, 2, 1))[0]
        )
        yield "".join(letters), "".join(character for character, _ in chosen)


def given(path: str) -> Iterator[tuple[str, str]]:
    """Yield the pairs of a file."""
    with Path(path).open(encoding="utf-8") as file:
        for line in file:
            source, _, rest = line.rstrip("\n").partition("\t")
            if rest:
                yield source, rest.partition("\t")[0]


def write(path: Path, pairs: Iterable[tuple[str, str]], between: str = "") -> None:
    """Write pairs, one per line, with a separator between the letters of a name if given."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{between.join(one)}\t{between.join(two)}\n" for one, two in pairs)


def measure(
    command: Command,
    variables: Mapping[str, str] | None = None,
    timeout: int | None = None,
) -> Run:
    """Run a command on one core; stop it after `timeout` CPU seconds."""
    threads = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL")}

    def alone() -> None:
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
        if timeout:
            resource.setrlimit(resource.RLIMIT_CPU, (timeout, timeout))

    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(
            list(map(str, command)),
            stdout=output,
            stderr=errors,
            env={**os.environ, **threads, **(variables or {})},
            preexec_fn=alone,
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = usage.ru_utime + usage.ru_stime
        output.seek(0)
        errors.seek(0)
        stopped = timeout is not None and process.returncode < 0 and seconds > 0.95 * timeout
        if process.returncode and not stopped:
            what = " ".join(map(str, command))
            raise SystemExit(f"{what} failed ({process.returncode}):\n{errors.read()[-2000:]}")
        printed = None if stopped else output.read()
    unit = 1 if sys.platform == "darwin" else 1024
    return Run(seconds, usage.ru_maxrss * unit / 1e6, printed)


def run_case(method: str, pairs: str, aligned: str, iterations: int) -> None:
    """Align in this process; print the seconds to the first alignment and per iteration."""
    from sameas.names.aligner import Aligner
    from sameas.names.pairs import read_pairs

    times: list[float] = []
    aligner = Aligner(method, iterations=iterations)
    fitted = aligner.fit(
        read_pairs(pairs, skip_bad=True), on_step=lambda _: times.append(time.process_time())
    )
    fitted.aligned.save(aligned)
    rest = len(times) - 1
    print(json.dumps([times[0], (times[-1] - times[0]) / max(rest, 1), rest]))


def cost(method: str, pairs: Path, options: argparse.Namespace) -> Cost:
    """Return the cost of one method, the best of `options.repeat` runs."""
    command: Command = [sys.executable, __file__, "--iterations", str(options.iterations)]
    command += ["--case", method, pairs, pairs.with_suffix(".aligned")]
    found = []
    for _ in range(options.repeat):
        run = measure(command)
        first, iteration, iterations = json.loads(run.printed or "")
        found.append(Cost(first, iteration, iterations, run.seconds, run.megabytes))
    return min(found, key=lambda one: one.everything)


def measure_costs(pairs: Pairs, options: argparse.Namespace, folder: Path) -> None:
    """Print the table of costs, and plot it."""
    print("| method | pairs | first | per iteration | iterations | total | MB |")
    print("|---|---:|---:|---:|---:|---:|---:|", flush=True)
    costs: dict[str, list[Cost]] = {}
    for method in options.methods:
        for size in options.sizes:
            path = folder / "pairs.tsv"
            write(path, islice(cycle(pairs), size))
            one = cost(method, path, options)
            costs.setdefault(method, []).append(one)
            parts = f"{one.first:.2f} | {one.iteration:.2f} | {one.iterations}"
            cells = f"{parts} | {one.everything:.1f} | {one.megabytes:,.0f}"
            print(f"| {method} | {size:,} | {cells} |", flush=True)
    print()
    for method, found in costs.items():
        if len(found) > 1:
            print(f"{method}: an iteration grows with pairs^{power(options.sizes, found):.2f}")
    if options.plot:
        draw(costs, options.sizes, options.plot)


def power(sizes: Sequence[int], costs: Sequence[Cost]) -> float:
    """Return the exponent with which the time of an iteration grows: 1 if linear in the pairs."""
    across = [math.log(size) for size in sizes]
    up = [math.log(max(one.iteration, 1e-9)) for one in costs]
    middle = sum(across) / len(across)
    rise = sum((x - middle) * y for x, y in zip(across, up, strict=True))
    return rise / sum((x - middle) ** 2 for x in across)


def draw(costs: Mapping[str, Sequence[Cost]], sizes: Sequence[int], path: str) -> None:
    """Plot seconds against pairs, per iteration and in total, one line per method."""
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    style: dict[Any, Any] = {
        "svg.hashsalt": "sameas",  # makes the file reproducible
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
    }
    titles = {"iteration": "an iteration", "everything": "everything, from file to file"}
    with matplotlib.rc_context(style):
        figure = Figure(figsize=(7.2, 3.4), layout="constrained")
        for panel, (part, title) in zip(figure.subplots(1, 2), titles.items(), strict=True):
            lowest = min(getattr(found[0], part) for found in costs.values())
            linear = [0.7 * lowest * size / sizes[0] for size in sizes]
            panel.plot(sizes, linear, color="#888888", linewidth=0.8, linestyle=":", label="linear")
            for (method, found), colour, shape in zip(costs.items(), COLOURS, "os^D", strict=False):
                seconds = [getattr(one, part) for one in found]
                panel.plot(
                    sizes, seconds, color=colour, marker=shape, markersize=4, linewidth=1.2,
                    label=method,
                )  # fmt: skip
            panel.set(xscale="log", yscale="log", title=title, xlabel="pairs of names")
            panel.set_xticks(sizes, [f"{size:,}" for size in sizes], rotation=30)
            panel.xaxis.set_minor_locator(NullLocator())
            panel.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
            panel.yaxis.set_minor_locator(NullLocator())
            panel.grid(visible=True, linewidth=0.4, alpha=0.5)
        figure.axes[0].set_ylabel("seconds, one core")
        handles = figure.axes[0].get_legend_handles_labels()
        figure.legend(*handles, loc="outside lower center", ncols=5, frameon=False)
        figure.savefig(path, dpi=200, metadata={"Date": None} if path.endswith(".svg") else None)
    print(f"\nwritten: {path}")


def peers(pairs: Pairs, options: argparse.Namespace, folder: Path) -> None:
    """Print the results of sameas and of other aligners on the same pairs."""
    plain, apart = folder / "pairs.tsv", folder / "apart.tsv"
    write(plain, pairs)
    write(apart, pairs, " ")
    runs: dict[str, tuple[Run, Path]] = {}
    for method in options.methods:
        aligned = folder / f"{method}.tsv"
        command: Command = [sys.executable, "-m", "sameas", "align", plain, "--skip-bad"]
        command += ["--method", method, "-o", aligned]
        runs[f"sameas, {method}"] = measure(command), aligned
    if options.phonetisaurus:
        program = Path(options.phonetisaurus)
        libraries = program.parent.parent.parent / "lib" / program.parent.name
        library = {"LD_LIBRARY_PATH": str(libraries)} if libraries.is_dir() else {}
        for name, more in {
            "2:2": [],
            "6:1": ["--seq1_max=6", "--seq2_max=1", "--seq1_del=false"],
        }.items():
            aligned = folder / f"phonetisaurus{name[0]}.txt"
            command = [program, f"--input={apart}", f"--ofile={aligned}", "--s1_char_delim= "]
            found = measure([*command, *more], library, options.timeout)
            runs[f"Phonetisaurus, {name}"] = found, aligned
    if options.m2m_aligner:
        for name, more in {
            "2:2": [],
            "6:1": ["--maxX", "6", "--maxY", "1", "--maxFn", "joint"],
        }.items():
            aligned = folder / f"m2m{name[0]}.txt"
            command = [options.m2m_aligner, "-i", apart, "-o", aligned]
            found = measure([*command, *more], timeout=options.timeout)
            runs[f"m2m-aligner, {name}"] = found, aligned
    if options.eflomal:
        # Letters are the target side, so that each gets one unit.
        sides, links = folder / "sides.txt", folder / "links.txt"
        lines = (f"{' '.join(two)} ||| {' '.join(one)}\n" for one, two in pairs)
        sides.write_text("".join(lines), encoding="utf-8")
        command = [options.eflomal, "-i", sides, "-f", links, "--overwrite"]
        aligned = folder / "eflomal.tsv"
        run = measure(command, timeout=options.timeout)
        if run.printed is not None:
            write_links(pairs, links, aligned)
        runs["eflomal"] = run, aligned
    base, _ = runs.get("sameas, segment", next(iter(runs.values())))
    print("| aligner | pairs aligned | seconds | × | MB | entropy | recall | precision | F1 |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name, (run, aligned) in runs.items():
        over = ">\u00a0" if run.printed is None else ""
        count, *good = ["–"] * 5 if run.printed is None else quality(aligned, options.gold)
        cells = [name, count, f"{over}{run.seconds:.1f}", f"{over}{run.seconds / base.seconds:.1f}"]
        print(f"| {' | '.join([*cells, f'{run.megabytes:,.0f}', *good])} |")
    missing = {
        "Phonetisaurus": options.phonetisaurus,
        "m2m-aligner": options.m2m_aligner,
        "eflomal": options.eflomal,
    }
    for name in (name for name, program in missing.items() if not program):
        print(f"\n{name} is skipped: set its program with --{name.lower()}")


def write_links(pairs: Pairs, links: Path, aligned: Path) -> None:
    """Write the links of a word aligner as tokens.

    A letter is joined to the letter before if it has no link, or if its link goes back to an
    earlier unit than that letter's.
    """
    with aligned.open("w", encoding="utf-8") as file, links.open(encoding="utf-8") as lines:
        for (source, target), line in zip(pairs, lines, strict=True):
            found = {
                int(letter): int(unit) for unit, letter in (x.split("-") for x in line.split())
            }
            unit, letters = 0, [""] * len(target)
            for place, letter in enumerate(source):
                unit = max(unit, found.get(place, 0))
                letters[unit] += letter
            tokens = " ".join(
                f"{one or '*'}/{two}" for one, two in zip(letters, target, strict=True)
            )
            file.write(f"{source}\t{target}\t{tokens}\n")


def quality(aligned: Path, gold: str | None) -> list[str]:
    """Return cells: pairs aligned, entropy, and, with gold, recall, precision and F1."""
    against = ["--gold", gold] if gold else []
    command: Command = [sys.executable, "-m", "sameas", "entropy", aligned, "--json", *against]
    found = json.loads(measure(command).printed or "")
    cells = [f"{found['pairs']:,}", f"{found['entropy']:.3f}"]
    if not gold:
        return [*cells, *["–"] * 3]
    scores = found["gold"]["mappings"]
    return [*cells, *(f"{100 * scores[part]:.2f}" for part in ("recall", "precision", "f1"))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pairs", nargs="?", help="a name, a tab, its transliteration")
    parser.add_argument(
        "--sizes",
        type=int,
        nargs="*",
        default=list(SIZES),
        help="numbers of pairs (default: 35000 … 560000)",
    )
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument(
        "--iterations", type=int, default=50, help="stop after N iterations (default: 50)"
    )
    parser.add_argument(
        "--repeat", type=int, default=1, help="take the best of N runs (default: 1)"
    )
    parser.add_argument("--plot", help="plot seconds against pairs to this .svg, .png or .pdf")
    parser.add_argument("--gold", help="gold alignments of some of the names")
    parser.add_argument("--phonetisaurus", help="path of phonetisaurus-align")
    parser.add_argument("--m2m-aligner", help="path of m2m-aligner")
    parser.add_argument("--eflomal", help="path of eflomal-align")
    parser.add_argument(
        "--timeout", type=int, default=600, help="seconds for other aligners (default: 600)"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of generated names (default: 0)")
    parser.add_argument("--case", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.case:
        method, pairs, aligned = options.case
        run_case(method, pairs, aligned, options.iterations)
        return
    if not find_spec("pypinyin"):
        options.methods = [one for one in options.methods if not one.startswith("phon")]
        print("pypinyin is not installed: methods that use sounds are skipped\n")
    largest = max(options.sizes, default=SIZES[0])
    pairs = list(given(options.pairs) if options.pairs else invent(largest, options.seed))
    with tempfile.TemporaryDirectory() as name:
        if options.sizes:
            measure_costs(pairs, options, Path(name))
        if options.phonetisaurus or options.m2m_aligner or options.eflomal:
            print()
            peers(pairs, options, Path(name))
        else:
            print(
                "\nno other aligner is measured; --help lists the options that set their programs"
            )


if __name__ == "__main__":
    main()
