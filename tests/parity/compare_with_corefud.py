"""Compare sameas with the CorefUD scorer (the oracle) on damaged CorefUD files.

The script needs a checkout of ufal/corefud-scorer, an interpreter with udapi, numpy and scipy,
and a folder of CorefUD files to damage (as in ``tests/corruption.py``)::

    python tests/parity/compare_with_corefud.py --scorer ../corefud-scorer \\
        --python ../corefud-env/bin/python --conllu ../gum --cache answers.jsonl

Every pair is scored with two or three settings (matching, zeros, singletons), so that every kind
of damage occurs with every setting; the oracle's own test files are scored with all twelve. A pair
differs if a number is printed differently, or differs by more than 1e-9. The oracle runs in one
process, and for some pairs a check compares this with the output of its command line.

Three things make the oracle's numbers questionable. The script checks for them at every difference:

``repeated``   a mention is in two entities of one side; how to handle this is a matter of policy,
               and the oracle's answer depends on the order of the entities
``mixed``      a zero is aligned with one at a different position, where the other side has a
               mention of its own; the oracle's dictionary of alignments confuses the two. The
               difference counts as explained only if sameas gives the numbers that the oracle's
               own metrics give for the oracle's own alignment with the two sides kept apart
``order``      ties between alignments: the oracle gives the numbers of sameas, too, if it gets the
               mentions in another order

The exit status is 1 if there are differences that none of these explains. If the oracle crashes,
there is nothing to compare; the crashes are counted.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import hashlib
import importlib
import io
import itertools
import json
import logging
import math
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import corruption

# The oracle's names of metrics, and ours.
METRICS = {
    "muc": "muc",
    "bcub": "b3",
    "ceafe": "ceafe",
    "ceafm": "ceafm",
    "blanc": "blanc",
    "lea": "lea",
    "mor": "mor",
    "zero": "zero",
}
PARTS = ("recall", "precision", "f1")
TEST_FOLDERS = ["exact-match", "head-match", "partial-corefud-match", "zeros"]
ANSWERS = 2  # version of answers; increase it when they contain more, to invalidate cached ones
ORDERS = 6  # further orders of mentions to try in the oracle; the first is the reverse order


@dataclass(frozen=True)
class Setting:
    """How to score."""

    match: str
    zeros: str
    singletons: str

    def __str__(self) -> str:
        return f"{self.match}+{self.zeros}+{self.singletons}"


SETTINGS = [
    Setting(match, zeros, singletons)
    for singletons in ("keep", "drop")
    for match in ("head", "exact", "partial")
    for zeros in ("dependent", "linear")
]


@dataclass
class Answer:
    """The answer of a scorer: numbers by metric and part, or the reason why there are none."""

    figures: dict[str, float] = field(default_factory=dict)
    error: str = ""
    flags: list[str] = field(default_factory=list)
    apart: dict[str, float] = field(default_factory=dict)  # if mixed: with the sides kept apart

    def printed(self) -> dict[str, str]:
        """Return the numbers as the oracle prints them."""
        return {name: f"{100 * value:.2f}" for name, value in self.figures.items()}


@dataclass(frozen=True)
class Case:
    """A key and a response to score with some settings."""

    name: str
    kind: str
    key: bytes
    response: bytes
    settings: tuple[Setting, ...]


# ---------------------------------------------------------------------------------------------
# The oracle
# ---------------------------------------------------------------------------------------------


def answer_requests(checkout: str) -> None:
    """Answer requests from stdin on stdout, one line of JSON each, in the oracle's interpreter."""
    sys.path.insert(0, checkout)
    logging.disable(logging.CRITICAL)
    command = importlib.import_module("corefud-scorer")
    reading = importlib.import_module("scorer.base.reader")
    for line in sys.stdin:
        request = json.loads(line)
        vars(reading)["sorted"] = _sorting(request["order"])
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                reply = _oracle_answer(command, request)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # the oracle's own errors are not subclasses of Exception
            reply = {"error": f"{type(error).__name__}: {error}"[:300]}
        print(json.dumps(reply), flush=True)


def _sorting(order: int) -> Callable[[Any], list[Any]]:
    """Return a ``sorted`` with which the oracle sorts mentions before it aligns them."""

    def arrange(mentions: Any) -> list[Any]:
        rows = sorted(mentions)
        if order == 1:
            rows.reverse()
        elif order > 1:
            random.Random(order).shuffle(rows)
        return rows

    return arrange


def _oracle_answer(command: Any, request: dict[str, Any]) -> dict[str, Any]:
    """Score like the oracle's command line, and keep all digits."""
    arguments = command.corefud_to_ua_args(
        {
            "key_file": request["key"],
            "sys_file": request["response"],
            "metrics": ["all"],
            "keep_singletons": request["singletons"] == "keep",
            "match": request["match"],
            "exact_match": False,
            "zero_match_method": request["zeros"],
        }
    )
    scorer = command.uascorer
    scorer.process_arguments(arguments)
    reader = scorer.CorefUDReader(**arguments)
    sides = []
    process = reader.process_clusters

    def watch(entities: list[list[Any]]) -> Any:
        sides.append(entities)
        return process(entities)

    reader.process_clusters = watch
    reader.get_coref_infos(request["key"], request["response"])

    def figures(information: dict[str, Any], metrics: list[tuple[str, Any]]) -> dict[str, float]:
        values = {}
        for name, metric in metrics:
            scores = scorer.evaluator.evaluate_documents(information, metric)
            for part, value in zip(PARTS, scores, strict=True):
                values[f"{METRICS[name]} {part}"] = float(value)
        values["conll f1"] = (values["muc f1"] + values["b3 f1"] + values["ceafe f1"]) / 3
        return values

    flags = _flags(reader, sides)
    apart = {}
    if flags == ["mixed"]:
        aligned = [item for item in arguments["metrics"] if item[0] != "mor"]
        apart = figures(_keep_apart(reader), aligned)
    told = figures(reader.doc_coref_infos, arguments["metrics"])
    return {"figures": told, "flags": flags, "apart": {**told, **apart} if apart else {}}


def _flags(reader: Any, sides: list[list[list[Any]]]) -> list[str]:
    """Return what makes the numbers questionable, as far as one order of the mentions shows.

    Repeated mentions are searched before singletons are dropped, because it matters whether their
    entity counts as a singleton.
    """
    flags = set()
    for entities in sides:
        mentions = [mention for entity in entities for mention in entity]
        if len(set(mentions)) < len(mentions):
            flags.add("repeated")
    for document, information in reader.doc_coref_infos.items():
        key, response = ({m for entity in side for m in entity} for side in information[:2])
        for ours, theirs in reader.doc_mention_aligns[document]:
            if ours != theirs and (ours in response or theirs in key):
                flags.add("mixed")
    return sorted(flags)


@functools.total_ordering
class Stand:
    """A stand-in for a mention; two are equal if they are aligned, wherever they are."""

    is_split_antecedent = False

    def __init__(self, number: int, mention: Any) -> None:
        self.number = number
        self.mention = mention
        self.is_zero = mention.is_zero

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stand) and self.number == other.number

    def __hash__(self) -> int:
        return self.number

    def __lt__(self, other: Stand) -> bool:
        return bool(self.mention < other.mention)


def _keep_apart(reader: Any) -> dict[str, Any]:
    """Return the oracle's data on the documents, without its dictionary of alignments."""
    information = {}
    for document, (key, response, *_) in reader.doc_coref_infos.items():
        partners = {theirs: ours for ours, theirs in reader.doc_mention_aligns[document]}
        numbers = {mention: place for place, mention in enumerate(m for e in key for m in e)}
        ours = [[Stand(numbers[mention], mention) for mention in entity] for entity in key]
        fresh = itertools.count(len(numbers))
        theirs = [
            [Stand(numbers[partners[m]] if m in partners else next(fresh), m) for m in entity]
            for entity in response
        ]
        places = [
            {mention: place for place, entity in enumerate(side) for mention in entity}
            for side in (theirs, ours)
        ]
        information[document] = (ours, theirs, *places, {})
    return information


class Oracle:
    """The CorefUD scorer in one process of its interpreter, started on first use."""

    def __init__(self, python: str, checkout: Path, cache: Path | None) -> None:
        self._python = python
        self._checkout = checkout
        self._cache = cache
        self._process: subprocess.Popen[str] | None = None
        self._known: dict[str, dict[str, Any]] = {}
        self.asked = 0
        code = sorted(checkout.glob("**/*.py"))
        digest = hashlib.sha256(b"".join(path.read_bytes() for path in code))
        self._version = f"{ANSWERS} {digest.hexdigest()}"
        if cache and cache.is_file():
            for line in cache.read_text().splitlines():
                with contextlib.suppress(ValueError):  # a line cut off when a run was stopped
                    row = json.loads(line)
                    self._known[row["id"]] = row["answer"]

    def answer(self, key: Path, response: Path, setting: Setting, order: int = 0) -> Answer:
        """Score one pair; order 1 reverses the mentions before alignment, 2… shuffle them."""
        parts = [self._version, str(setting), str(order)]
        digest = hashlib.sha256("\n".join(parts).encode())
        for path in (key, response):
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        name = digest.hexdigest()
        if name not in self._known:
            self._known[name] = self._ask(key, response, setting, order)
            if self._cache:
                with self._cache.open("a") as stream:
                    stream.write(json.dumps({"id": name, "answer": self._known[name]}) + "\n")
        return Answer(**self._known[name])

    def _ask(self, key: Path, response: Path, setting: Setting, order: int) -> dict[str, Any]:
        if self._process is None:
            self._process = subprocess.Popen(
                [self._python, __file__, "--answer", str(self._checkout)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        assert self._process.stdin and self._process.stdout
        request = {"key": str(key), "response": str(response), "order": order, **vars(setting)}
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"the oracle's process ended at {key}, {response}, {setting}")
        self.asked += 1
        reply: dict[str, Any] = json.loads(line)
        return reply

    def printed(self, key: Path, response: Path, setting: Setting) -> dict[str, str]:
        """Return the output of the oracle's command line, from a separate process."""
        command = [self._python, "corefud-scorer.py", str(key), str(response)]
        command += ["-a", setting.match, "-z", setting.zeros]
        command += ["-s"] if setting.singletons == "keep" else []
        run = subprocess.run(command, cwd=self._checkout, capture_output=True, text=True)
        figures = {}
        pattern = r"^(\w+)\nRecall: (\S+)  Precision: (\S+)  F1: (\S+)$"
        for name, *numbers in re.findall(pattern, run.stdout, re.MULTILINE):
            for part, number in zip(PARTS, numbers, strict=True):
                figures[f"{METRICS[name]} {part}"] = number
        for number in re.findall(r"^CoNLL score: (\S+)$", run.stdout, re.MULTILINE):
            figures["conll f1"] = number
        return figures

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.communicate()
            self._process = None


# ---------------------------------------------------------------------------------------------
# sameas, and the differences
# ---------------------------------------------------------------------------------------------


COMPAT = False  # set by --compat


def sameas_answer(key: Path, response: Path, setting: Setting) -> Answer:
    """Return the same numbers from sameas."""
    import sameas

    score: Any = sameas.score
    try:
        result = score(
            str(key),
            str(response),
            match=setting.match,
            zeros=setting.zeros,
            singletons=setting.singletons,
            **({"compat": "corefud-1.2"} if COMPAT else {"blanc": "corefud-1.2"}),
            metrics=[*METRICS.values(), "conll"],
        )
        figures = {
            f"{metric} {part}": float(getattr(result[metric], part))
            for metric in METRICS.values()
            for part in PARTS
        }
        figures["conll f1"] = float(result["conll"].f1)
    except Exception as error:  # any error is a difference to report
        return Answer(error=f"{type(error).__name__}: {error}"[:300])
    return Answer(figures)


def differences(expected: Answer, found: Answer) -> list[tuple[str, str, str]]:
    """Return differing numbers: name, the oracle's, ours; with more digits if printed equally."""
    if found.error:
        return [("", "figures", found.error)]
    rows = []
    ours, theirs = found.printed(), expected.printed()
    for name, value in expected.figures.items():
        if not math.isclose(value, found.figures[name], rel_tol=1e-9, abs_tol=1e-9):
            if theirs[name] != ours[name]:
                rows.append((name, theirs[name], ours[name]))
            else:
                rows.append((name, f"{100 * value:.10f}", f"{100 * found.figures[name]:.10f}"))
    return rows


def explain(oracle: Oracle, key: Path, response: Path, setting: Setting, found: Answer) -> str:
    """Return why the oracle's numbers are not the only correct ones; empty if they are."""
    if found.error:
        return ""
    for order in range(ORDERS + 1):
        expected = oracle.answer(key, response, setting, order)
        if "repeated" in expected.flags:
            return ", ".join(expected.flags)
        if order and not differences(expected, found):
            return "order"
        if expected.apart and not differences(Answer(expected.apart), found):
            return "order, mixed" if order else "mixed"
    return ""


# ---------------------------------------------------------------------------------------------
# Pairs
# ---------------------------------------------------------------------------------------------


def damaged_cases(folder: Path, first: int, count: int, kinds: list[str]) -> Iterator[Case]:
    """Yield pairs of ``corruption``, each with the next three settings."""
    sources = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.conllu"))]
    if not sources:
        raise SystemExit(f"there are no files *.conllu in {folder}")
    for number in range(first, first + count):
        if kinds and list(corruption.KINDS)[number % len(corruption.KINDS)] not in kinds:
            continue
        pair = corruption.random_pair(sources, number)
        turn = 3 * (number // len(corruption.KINDS))
        settings = tuple(SETTINGS[(turn + step) % len(SETTINGS)] for step in range(3))
        texts = pair.key.encode(), pair.response.encode()
        yield Case(pair.name, pair.kind, *texts, settings)


def test_cases(checkout: Path) -> Iterator[Case]:
    """Return the oracle's own test files, with every setting."""
    for folder in TEST_FOLDERS:
        for response in sorted((checkout / "tests" / "tests-corefud" / folder).rglob("*.response")):
            key = response.with_name(re.sub(r"-\d+\.response$", ".key", response.name))
            texts = key.read_bytes(), response.read_bytes()
            yield Case(f"{folder}/{response.stem}", f"tests: {folder}", *texts, tuple(SETTINGS))


def write_case(case: Case, folder: Path, stem: str = "pair") -> tuple[Path, Path]:
    """Write the two texts to files."""
    paths = folder / f"{stem}.key.conllu", folder / f"{stem}.response.conllu"
    paths[0].write_bytes(case.key)
    paths[1].write_bytes(case.response)
    return paths


def shrink(key: str, response: str, differs: Callable[[str, str], bool]) -> tuple[str, str]:
    """Remove sentences, then mentions, as long as the pair still differs."""
    texts = corruption.read(key), corruption.read(response)
    if not differs(*map(corruption.write, texts)):
        return key, response
    place = 0
    while place < len(texts[0].sentences) > 1:
        fewer = (
            corruption.read(corruption.write(texts[0])),
            corruption.read(corruption.write(texts[1])),
        )
        for text in fewer:
            gone = text.sentences.pop(place)
            text.mentions = [m for m in text.mentions if m.sentence is not gone]
        if differs(*map(corruption.write, fewer)):
            texts = fewer
        else:
            place += 1
    smaller = True
    while smaller:
        smaller = False
        for side in (0, 1):
            for mention in list(texts[side].mentions):
                place = texts[side].mentions.index(mention)
                texts[side].mentions.remove(mention)
                if differs(*map(corruption.write, texts)):
                    smaller = True
                else:
                    texts[side].mentions.insert(place, mention)
    return corruption.write(texts[0]), corruption.write(texts[1])


def essence(text: str) -> str:
    """Return the relevant lines of a small file: sentences, mentions and empty nodes."""
    lines = []
    for line in text.splitlines():
        columns = line.split("\t")
        entity = re.search(r"Entity=[^|]*", columns[-1])
        if line.startswith(("# newdoc", "# sent_id")) or not line:
            lines.append(line)
        elif len(columns) == 10 and (entity or "." in columns[0]):
            lines.append(f"{columns[0]:6} {columns[8]:20} {entity[0] if entity else ''}")
    return "\n".join("    " + line for line in lines)


# ---------------------------------------------------------------------------------------------
# The comparison
# ---------------------------------------------------------------------------------------------


@dataclass
class Tally:
    """Counts of outcomes, and a row for every difference and every crash of the oracle."""

    counts: Counter[str] = field(default_factory=Counter)
    kinds: dict[str, Counter[str]] = field(default_factory=dict)
    rows: list[tuple[str, ...]] = field(default_factory=list)
    crashes: list[tuple[str, ...]] = field(default_factory=list)

    def add(self, case: Case, outcome: str) -> None:
        """Count one pair with one setting."""
        self.counts[outcome] += 1
        self.kinds.setdefault(case.kind, Counter())[outcome] += 1


def verify(oracle: Oracle, case: Case, paths: tuple[Path, Path], setting: Setting) -> None:
    """Check that the oracle in our process gives the output of its command line."""
    expected = oracle.answer(*paths, setting)
    printed = oracle.printed(*paths, setting)
    if expected.error:
        if "conll f1" in printed:
            raise SystemExit(f"the oracle crashes only in our process: {case.name}, {setting}")
    elif printed != expected.printed():
        raise SystemExit(
            f"the oracle gives different numbers in our process: {case.name}, {setting}\n"
            f"{printed}\n{expected.printed()}"
        )


def show_shrunk(oracle: Oracle, case: Case, setting: Setting, folder: Path) -> None:
    """Print a smaller pair that differs in the same way."""

    def problem(key: str, response: str) -> tuple[str, list[tuple[str, str, str]]] | None:
        texts = key.encode(), response.encode()
        paths = write_case(Case(case.name, case.kind, *texts, ()), folder, "smaller")
        expected = oracle.answer(*paths, setting)
        found = sameas_answer(*paths, setting)
        if expected.error or not (rows := differences(expected, found)):
            return None
        return explain(oracle, *paths, setting, found), rows

    first = problem(case.key.decode(), case.response.decode())

    def differs(key: str, response: str) -> bool:
        now = problem(key, response)
        return first is not None and now is not None and now[0] == first[0]

    key, response = shrink(case.key.decode(), case.response.decode(), differs)
    print(f"  shrunk key:\n{essence(key)}\n  shrunk response:\n{essence(response)}")
    for row in (problem(key, response) or ("", []))[1]:
        print(f"    {row[0]}: oracle {row[1]}, sameas {row[2]}")


def compare(oracle: Oracle, case: Case, folder: Path, tally: Tally, only_oracle: bool) -> bool:
    """Score a case with its settings; return whether there is an unexplained difference."""
    paths = write_case(case, folder)
    unexplained = False
    for setting in case.settings:
        expected = oracle.answer(*paths, setting)
        tally.counts[f"flag {', '.join(expected.flags) or 'none'}"] += 1
        if expected.error:
            found = Answer() if only_oracle else sameas_answer(*paths, setting)
            ours = found.error or found.printed().get("conll f1", "")
            tally.crashes.append((case.name, str(setting), "crash", "", expected.error, ours))
            tally.add(case, "crash")
            continue
        if only_oracle:
            tally.add(case, "scored")
            continue
        found = sameas_answer(*paths, setting)
        rows = differences(expected, found)
        if not rows:
            tally.add(case, "equal")
            continue
        reason = explain(oracle, *paths, setting, found)
        tally.add(case, reason or "DIFFER")
        unexplained = unexplained or not reason
        for name, theirs, mine in rows:
            tally.rows.append((case.name, str(setting), reason or "DIFFER", name, theirs, mine))
    return unexplained


def summary(tally: Tally) -> Iterator[str]:
    """Return lines that count outcomes by kind."""
    outcomes = sorted({outcome for counts in tally.kinds.values() for outcome in counts})
    width = max(len(kind) for kind in [*tally.kinds, "kind"])
    widths = [max(8, len(outcome)) for outcome in outcomes]
    cells = [f"{outcome:>{size}}" for outcome, size in zip(outcomes, widths, strict=True)]
    yield f"{'kind':{width}}  " + "  ".join(cells)
    total: Counter[str] = Counter()
    for counts in tally.kinds.values():
        total.update(counts)
    for kind, counts in [*tally.kinds.items(), ("all", total)]:
        cells = [
            f"{counts[outcome]:{size}}" for outcome, size in zip(outcomes, widths, strict=True)
        ]
        yield f"{kind:{width}}  " + "  ".join(cells)


def main() -> int:
    """Run the comparison; return the exit status."""
    if sys.argv[1:2] == ["--answer"]:
        answer_requests(sys.argv[2])
        return 0
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--scorer", type=Path, required=True, help="checkout of corefud-scorer")
    parser.add_argument("--conllu", type=Path, required=True, help="folder of CorefUD files")
    parser.add_argument("--python", default=sys.executable, help="interpreter that has udapi")
    parser.add_argument("--pairs", type=int, default=2400, help="pairs to compare (2400)")
    parser.add_argument("--first", type=int, default=0, help="number of the first pair (0)")
    parser.add_argument("--kind", action="append", default=[], help="only this kind of damage")
    parser.add_argument("--no-tests", action="store_true", help="leave out the oracle's tests")
    parser.add_argument(
        "--compat", action="store_true", help="score under compat corefud-1.2, defects included"
    )
    parser.add_argument("--cache", type=Path, help="file that keeps the oracle's answers")
    parser.add_argument("--verify", type=int, default=12, help="checks of the command line (12)")
    parser.add_argument("--report", type=Path, help="write every difference and crash here (TSV)")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep differing pairs here")
    parser.add_argument(
        "--show", type=int, default=40, help="unexplained differences to print (40)"
    )
    parser.add_argument("--shrink", type=int, default=0, help="differing pairs to shrink (0)")
    parser.add_argument("--oracle-only", action="store_true", help="only run the oracle")
    arguments = parser.parse_args()
    global COMPAT
    COMPAT = arguments.compat
    unknown = sorted(set(arguments.kind) - set(corruption.KINDS))
    if unknown:
        parser.error(f"no such kind: {', '.join(unknown)}; known: {', '.join(corruption.KINDS)}")
    checkout = arguments.scorer.resolve()
    if not (checkout / "corefud-scorer.py").is_file():
        parser.error(f"{checkout} is no checkout of corefud-scorer")

    tally = Tally()
    oracle = Oracle(arguments.python, checkout, arguments.cache)
    cases = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)

        def all_cases() -> Iterator[Case]:
            if not arguments.no_tests:
                yield from test_cases(checkout)
            bounds = arguments.first, arguments.pairs
            yield from damaged_cases(arguments.conllu, *bounds, arguments.kind)

        shown = shrunk = 0
        interval = max(1, arguments.pairs // max(1, arguments.verify))
        for cases, case in enumerate(all_cases(), 1):
            known = len(tally.rows)
            unexplained = compare(oracle, case, folder, tally, arguments.oracle_only)
            if arguments.verify and cases % interval == 0:
                setting = case.settings[cases // interval % len(case.settings)]
                verify(oracle, case, write_case(case, folder), setting)
                tally.counts["verified"] += 1
            for row in tally.rows[known:]:
                if row[2] == "DIFFER" and shown < arguments.show:
                    shown += 1
                    print("{0}, {1}: {3}: oracle {4}, sameas {5}".format(*row), flush=True)
            if unexplained and arguments.keep:
                arguments.keep.mkdir(parents=True, exist_ok=True)
                write_case(case, arguments.keep, re.sub(r"\W+", "_", case.name))
            if unexplained and shrunk < arguments.shrink:
                shrunk += 1
                setting = next(
                    setting
                    for setting in case.settings
                    if (case.name, str(setting), "DIFFER") in {row[:3] for row in tally.rows}
                )
                show_shrunk(oracle, case, setting, folder)
    oracle.close()
    if arguments.report:
        header = ("pair", "setting", "outcome", "figure", "oracle", "sameas")
        lines = ["\t".join(row) for row in [header, *tally.rows, *tally.crashes]]
        arguments.report.write_text("\n".join(lines) + "\n")
    print()
    for line in summary(tally):
        print(line)
    flags = [f"{count:,} {name}" for name, count in tally.counts.items() if name[:5] == "flag "]
    print(
        f"\noracle's answers: {', '.join(flags).replace('flag ', '')}; {oracle.asked:,} not cached"
    )
    for error, count in Counter(row[4] for row in tally.crashes).items():
        print(f"{count:,} crashes of the oracle: {error}")
    print(f"{tally.counts['verified']} checked against the oracle's command line")
    print(f"{cases:,} pairs, {tally.counts['DIFFER']:,} differences without explanation")
    return 1 if tally.counts["DIFFER"] else 0


if __name__ == "__main__":
    sys.exit(main())
