"""Run `sameas cone` with random files and options: each command prints scores or a message.

::

    python tests/fuzz_cone.py --count 5000 --seed 0

Every case is a key, one to three responses and sometimes a gold subset, in any format, with random
damage, and often with incompatible options. The command must exit with 0, or with 1 or 2 and a
message. Text must fit 80 columns; JSON and CSV must be valid. A traceback, a Python warning or more
than ten seconds of processor time is a failure; the command and its files are printed.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import random
import shlex
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest import mock

from command_line import Stream
from fuzz_readers import _damage, _limit, brackets
from sameas.cli import main as command
from sameas.errors import SameasError
from sameas.formats.reading import read
from sameas.formats.writing import save

NAMES = ["Ann", "Bob", "Harlow", "Mr.", "Mrs.", "Dr.", "Aldous", "Clara", "NASA", "Northwick"]
NAMES += ["Northwick", "Council", "Ltd.", "U.S.", "J.", "McBride", "O'Hara", "van", "de", "Zürich"]
WORDS = ["the", "of", "and", "a", "in", "she", "he", "her", "saw", "house", "it", ".", ",", "'s"]
STRANGE = [
    "東京",
    "😀",
    "e\u0301",
    "\u202eevil",
    "İ",
    "ǅ",
    "ß",
    "\u200b",
    "(7)",
    "\\",
    '"',
    "#",
    "-",
]
STRANGE += [
    "x" * 1000,
    "A" * 1000,
    "A.B.C.",
    "'",
    "''",
    "’s",
    "12",
    "\x85",
    "\u2028",
    "|",
    "&",
    "_",
]
LETTERS = ["a", "b", "c"]
FORMATS = ["jsonl"] * 5 + ["conll"] * 3 + ["2012", "conllu", "csv", "tsv", "brat", "conllua"]
#: The values of each option; the last one is wrong.
OPTIONS: dict[str, list[str]] = {
    "--names": ["annotated", "column", "rules", "rules", "spacy", "spacy:no_such_model", "rule"],
    "--matcher": ["rules", "rules", "paper", "exact", "none", "fuzzy"],
    "--mentions": ["named", "entities", "unnamed", "all"],
    "--metrics": ["b3", "muc,ceafm", "conll", "all", "blanc,lea", "rand,ari,mor", "b4"],
    "--correlate": ["document", "entity", "documents"],
    "--target": ["corpus", "population", "world"],
    "--match": ["exact", "head", "partial", "min", "loose"],
    "--zeros": ["linear", "dependent", "drop", "keep"],
    "--scope": ["document", "topic", "corpus", "world"],
    "--singletons": ["keep", "drop", "some"],
    "--duplicates": ["first", "last", "merge", "error", "no"],
    "--missing-documents": ["empty", "skip", "error", "no"],
    "--blanc": ["luo2014", "gold", "conll-8.01", "no"],
    "--average": ["micro", "macro", "mean"],
    "--method": ["percentile", "bca", "normal"],
    "--confidence": ["90", "99.5", "50", "100"],
    "--samples": ["100", "101", "x"],
    "--seed": ["0", "7", "-1"],
    "--digits": ["0", "1", "5", "x"],
    "--format": ["jsonlines", "conll", "no"],
}
#: Options that not every command has.
PARTICULAR = [
    "--correlate",
    "--target",
    "--method",
    "--confidence",
    "--samples",
    "--seed",
    "--format",
]
FLAGS = ["--by-document", "--interval", "--joins", "--json", "--csv", "--markdown", "--latex"]


class Failure(Exception):
    """Forbidden behaviour of a command."""


def _documents(generator: random.Random) -> list[dict[str, Any]]:
    """Return small documents in the form of jsonlines, mostly of names."""
    documents = []
    strange = generator.choice([0.0, 0.0, 0.02, 0.3])
    name = generator.choice(["d{}", "bc/cnn_{}_0", "t{}/x", "d" * 90 + "{}", "d 東{}", "d'{}\""])
    for number in range(generator.choice([1, 1, 2, 3, 5, 12, 25])):
        sentences = []
        for _ in range(generator.randint(1, 4)):
            length = generator.randint(1, 12)
            sentences.append([_word(generator, strange) for _ in range(length)])
        tokens = sum(map(len, sentences))
        clusters = []
        for _ in range(generator.choice([0, 1, 3, 5])):
            starts = [generator.randrange(tokens) for _ in range(generator.randint(1, 4))]
            ends = [min(tokens - 1, start + generator.choice([0, 0, 1, 3])) for start in starts]
            clusters.append([list(span) for span in zip(starts, ends, strict=True)])
        one = {"doc_key": name.format(number), "sentences": sentences, "clusters": clusters}
        if generator.random() < 0.1:
            one["kinds"] = [
                [generator.choice(["name", "nominal", "pronoun", ""]) for _ in cluster]
                for cluster in clusters
            ]
        documents.append(one)
    return documents


def _word(generator: random.Random, strange: float) -> str:
    if generator.random() < strange:
        return generator.choice(STRANGE)
    return generator.choice(NAMES if generator.random() < 0.4 else WORDS)


def _changed(generator: random.Random, documents: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the documents as a system might resolve them."""
    way = generator.choice(
        ["mentions"] * 6 + ["none", "same", "words", "missing", "twice", "extra"]
    )
    found = []
    for document in documents:
        one = {key: value for key, value in document.items() if key != "kinds"}
        if way not in ("same", "none"):
            kept = [
                [span for span in cluster if generator.random() < 0.8]
                for cluster in one["clusters"]
            ]
            one["clusters"] = [cluster for cluster in kept if cluster]
        if way == "none":
            one["clusters"] = []
        if way == "words" and generator.random() < 0.5:
            one["sentences"] = [[*one["sentences"][0], "more"], *one["sentences"][1:]]
        if way != "missing" or generator.random() < 0.7:
            found.append(one)
    if way == "twice" and found:
        found.append(found[0])
    if way == "extra":
        found.append({"doc_key": "elsewhere", "sentences": [["Ann"]], "clusters": [[[0, 0]]]})
    if generator.random() < 0.1:
        generator.shuffle(found)
    return found


def _write(
    generator: random.Random,
    documents: list[dict[str, Any]],
    path: Path,
    kind: str,
    bare: float = 0.01,
) -> str:
    """Write documents in a format, mostly the given one, sometimes damaged; return the file name.

    `bare` is the probability of documents with only words.
    """
    if generator.random() < 0.1:
        kind = generator.choice(FORMATS)
    without = {"clusters", "kinds"} if generator.random() < bare else set()
    shown = [{k: v for k, v in one.items() if k not in without} for one in documents]
    plain = path.with_suffix(".jsonl")
    plain.write_text("".join(json.dumps(document) + "\n" for document in shown))
    written = plain
    if kind == "2012":
        written = path.with_suffix(".v4_gold_conll")
        text = "".join(_columns(generator, document) for document in documents)
        written.write_bytes(text.encode())
    elif kind != "jsonl":
        written = path if kind == "brat" else path.with_suffix(f".{kind}")
        try:
            save(read(plain), written, "brat" if kind == "brat" else None)
        except SameasError:
            written = plain
    if generator.random() < 0.07 and written.is_file():
        written.write_bytes(_damage(generator, written.read_bytes()))
    return str(written)


def _columns(generator: random.Random, document: dict[str, Any]) -> str:
    """Return a CoNLL-2012 document whose named-entity column is sometimes invalid."""
    lines = [f"#begin document ({document['doc_key']}); part 000"]
    token = 0
    for sentence in document["sentences"]:
        for index, word in enumerate(sentence):
            name = generator.choice(["*", "*", "*", "(PERSON)", "(ORG*", "*)", "(DATE)", "-", "()"])
            row = [document["doc_key"], "0", str(index), word or "-", "NN", "*", "-", "-", "-", "-"]
            lines.append("\t".join([*row, name, brackets(document, token)]))
            token += 1
        lines.append("")
    return "\n".join([*lines, "#end document", ""])


def arguments_of(seed: int, number: int, folder: Path) -> list[str]:
    """Write the files of one command and return it; the seed and the number determine it."""
    generator = random.Random(f"{seed}/{number}")
    documents = _documents(generator)
    wild = generator.random() < 0.2  # incompatible and wrong options
    way = generator.choice(
        ["key", "text"] * 3 + ["correlate", "gold", "explain", "write", "example"]
    )
    text = way in ("text", "gold") or (way in ("explain", "write") and generator.random() < 0.7)
    kind = generator.choice(FORMATS)
    key = _write(generator, documents, folder / "key", kind, 0.4 if text else 0.01)
    if wild and generator.random() < 0.1:
        key = generator.choice(["", "-", str(folder), str(folder / "nothing"), "\x00"])
    found = ["cone", "--example"] if way == "example" else ["cone"]
    if way != "example":
        found += ["--text", key] if text else [key]
    if way in ("key", "text", "correlate", "gold"):
        for letter in LETTERS[: generator.choice([1, 1, 1, 2, 3])]:
            path = _write(generator, _changed(generator, documents), folder / letter, kind)
            name = generator.choice(
                ["", "", "", f"sys {letter}=", letter * 100 + "=", f"東京{letter}="]
            )
            found.append(f"={path}" if wild and generator.random() < 0.05 else name + path)
    if way == "gold":
        some = [document for document in documents if generator.random() < 0.7]
        found += ["--gold-subset", _write(generator, some or documents, folder / "gold", kind)]
        if generator.random() < 0.3:
            found += ["--target", generator.choice(["corpus", "population"])]
    if way == "write" or (way in ("key", "text") and generator.random() < 0.1):
        ending = generator.choice(["conll", "jsonl", "csv", "conllu", "ann", "txt", "conllua", ""])
        found += ["--write-key", str(folder / f"written.{ending}")]
    if way == "correlate":
        found += ["--correlate", generator.choice(["document", "entity"]), "--samples", "100"]
    if way == "explain":
        found.append("--joins")
    if way in ("key", "text") and generator.random() < 0.15:
        found += [
            "--interval",
            "--samples",
            "100",
            "--method",
            generator.choice(["bca", "percentile"]),
        ]
    for option, values in OPTIONS.items():
        if generator.random() < (0.08 if wild else 0.05) and (wild or option not in PARTICULAR):
            wrong = wild and generator.random() < 0.1
            found += [option, values[-1] if wrong else generator.choice(values[:-1])]
    if wild:
        found += [flag for flag in FLAGS if generator.random() < 0.06]
    elif way != "explain" and generator.random() < 0.5:
        found.append(generator.choice(FLAGS[-4:]))
        if way in ("key", "text", "example") and generator.random() < 0.3:
            found.append("--by-document")
    return found


def outcome(arguments: list[str], stdin: bytes = b"") -> tuple[int, str, str]:
    """Run the command in this process; return exit code, output and messages."""
    out, err = Stream(), Stream()
    with (
        redirect_stdout(out),
        redirect_stderr(err),
        mock.patch.object(sys, "stdin", Stream(stdin)),
    ):
        try:
            command(arguments)
        except SystemExit as leaving:
            code = leaving.code
    if code not in (0, 1, 2):
        raise Failure(f"exit code {code}")
    assert isinstance(code, int)
    return code, out.text(), err.text()


def check(arguments: list[str], seconds: float = 10) -> str:
    """Run a command and check its output; return its outcome in two or three words."""
    with warnings.catch_warnings(), _limit(seconds):
        warnings.simplefilter("error")
        code, out, err = outcome(arguments)
    if "Traceback" in out + err:
        raise Failure("a traceback is shown")
    if code:
        if not err.strip():
            raise Failure(f"exit code {code} without a message")
        if err.strip().endswith((":", ",")):
            raise Failure("the message is not finished")
        return f"refused with {code}"
    if "--joins" in arguments:
        return "explained"
    if not out:
        if "--write-key" not in arguments:
            raise Failure("nothing is said")
        return "written"
    _check_output(arguments, out)
    return "scored"


def _check_output(arguments: list[str], out: str) -> None:
    if "--json" in arguments:
        json.loads(out, parse_constant=_no_number)
    elif "--csv" in arguments:
        rows = list(csv.reader(io.StringIO(out)))
        if len({len(row) for row in rows}) != 1:
            raise Failure("rows of the CSV differ in length")
    elif "--markdown" not in arguments and "--latex" not in arguments:
        widest = max(out.splitlines(), key=len)
        if len(widest) > 80:
            raise Failure(f"a line of {len(widest)} columns: {widest!r:.200}")
        if "|version:" not in out.replace("\n  ", ""):
            raise Failure("no signature")
    if "nan" in out.split():
        raise Failure("a number that is none")


def _no_number(written: str) -> None:
    raise Failure(f"JSON has no {written}")


def describe(number: int, arguments: list[str], error: BaseException, folder: Path) -> str:
    """Return a failure with everything needed to reproduce it."""
    trace = "".join(traceback.format_exception(error)[-4:])
    shown = [f"case {number}: sameas {shlex.join(arguments)}", trace.rstrip()]
    for path in sorted(folder.rglob("*")):
        if str(path) in " ".join(arguments) and path.is_file():
            data = repr(path.read_bytes())
            shown.append(f"  {path.name}: {data if len(data) < 1500 else data[:1500] + '…'}")
    return "\n".join(shown)


def main(
    description: str,
    arguments_of: Callable[[int, int, Path], list[str]],
    check: Callable[[list[str]], str],
) -> int:
    """Run the cases; return the exit status."""
    parser = argparse.ArgumentParser(description=description.partition("\n")[0])
    parser.add_argument("--count", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, help="run this case alone")
    parser.add_argument("--show", type=int, default=10, help="failures to print in full (10)")
    options = parser.parse_args()
    numbers = range(options.count) if options.only is None else [options.only]
    tally: Counter[str] = Counter()
    failures: Counter[str] = Counter()
    for number in numbers:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            arguments = arguments_of(options.seed, number, folder)
            try:
                tally[check(arguments)] += 1
            except Exception as error:
                frame = traceback.extract_tb(error.__traceback__)[-1]
                where = f"{type(error).__name__} in {Path(frame.filename).name}:{frame.lineno}"
                if isinstance(error, Failure):
                    where = str(error)[:60]
                failures[where] += 1
                if failures[where] == 1 and len(failures) <= options.show:
                    print(describe(number, arguments, error, folder), flush=True)
    for ended, count in sorted(tally.items()):
        print(f"{count:9,} {ended}")
    for where, count in failures.most_common():
        print(f"{count:9,} FAILED: {where}")
    print(f"{sum(tally.values()):,} commands ended well, {sum(failures.values()):,} did not")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(__doc__, arguments_of, check))
