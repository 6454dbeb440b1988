"""Fuzz the readers: each damaged file must be scored, or refused with an error that names it.

::

    python tests/fuzz_readers.py --count 100000 --seed 0

Every case is a small CoNLL, jsonlines or scorch file with random damage. Reading it must give
documents and scoring it a result, or raise a ``SameasError`` that names the file. Any other
exception, a warning, or more than five seconds of CPU time is a failure; the bytes of the file are
printed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import signal
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import sameas
from sameas.formats.reading import read

WORDS = ["the", "cat", "東京", "Zürich", "(7)", "\\", '"', "12", "#", "a|b", "😀", "e\u0301"]
BRACKETS = ["(", ")", "|", "(1", "1)", "(1)", "(1|(2", "(01)", "(1(2)3)", "(e1)", "()", "(-1)"]
BRACKETS += ["(3+5)", "1)(1", "((1))", "(1|", "|1)", "-", "_", "*", "(①)", "(٣)", "( 1)"]
HUGE = ["99999999999999999999", "9223372036854775807", "9223372036854775808", "4294967296"]
HUGE += ["1" + "0" * 400, "-1", "1e400", "0x10", "1.5", "-0", "1099511627776", "2147483648"]
SNIPPETS = ["#begin document (b);", "# begin document", "#end document", "\r", "\r\n", "\n\n"]
SNIPPETS += ["\x00", "\ufeff", "\u2028", "\x85", "\x0c", "\x1a", "\u202e", "\ud7ff", "\U0010ffff"]
SNIPPETS += ["{", "}", "[", "]", ",", ":", "null", '"', "\\ud800", "\\u0000", "\t", " ", "\t\t"]
KEYS = ["doc_key", "sentences", "clusters", "type", "mentions", "links", "graph", "predicted", ""]
VALUES: list[Any] = [None, True, False, 0, -1, 1.5, 10**30, -(10**30), "", "x", "\ud800", "\x00"]
VALUES += [[], {}, [[]], [[[]]], [None], {"": None}, [[0]], [[0, 0]], [[[0, 0]]], [[[1, 0]]]]
VALUES += [
    float("nan"),
    float("inf"),
    [[[0, 10**30]]],
    [[[0.0, 1.0]]],
    [[["0", "1"]]],
    [[[0, 1, 2]]],
]
VALUES += [[[[0, 0]]], [[[-1, 0]]], [[[True, True]]], "clusters", "graph", 2**40, 2**63, [[{}]]]


@dataclass(frozen=True)
class Case:
    """A damaged file, a valid file to score it with, and the options."""

    number: int
    kind: str
    content: bytes
    partner: bytes
    damaged_side: str
    format: str | None
    options: dict[str, str] = field(default_factory=dict)


def case(seed: int, number: int) -> Case:
    """Make a case, which depends only on seed and number."""
    generator = random.Random(f"{seed}/{number}")
    kind = generator.choice(["conll", "jsonlines", "scorch"])
    documents = _documents(generator)
    sound = _serialise(generator, kind, documents).encode()
    if kind != "conll" and generator.random() < 0.6:
        content = _damage_json(generator, kind, documents)
    else:
        content = sound
    for _ in range(generator.choice([0, 0, 0, 1, 2] if content is not sound else [0, 1, 1, 2, 3])):
        content = _damage(generator, content)
    if generator.random() < 0.03:
        content = gzip.compress(content, mtime=0)
        if generator.random() < 0.7:
            content = _damage(generator, content)
    options: dict[str, str] = {}
    if kind == "conll" and generator.random() < 0.3:
        options["compat"] = "conll-8.01"
    elif generator.random() < 0.3:
        options["duplicates"] = generator.choice(["last", "merge", "error"])
    return Case(
        number,
        kind,
        content,
        sound,
        generator.choice(["key", "response"]),
        kind if generator.random() < 0.3 and "compat" not in options else None,
        options,
    )


def cases(count: int, seed: int = 0) -> Iterator[Case]:
    """Return the first cases of a seed."""
    return (case(seed, number) for number in range(count))


# ---------------------------------------------------------------------------------------------
# Valid files
# ---------------------------------------------------------------------------------------------


def _documents(generator: random.Random) -> list[dict[str, Any]]:
    """Make one or two small documents with the keys of jsonlines."""
    documents = []
    for number in range(generator.choice([1, 1, 2])):
        sentences = [
            [generator.choice(WORDS) for _ in range(generator.randint(1, 5))]
            for _ in range(generator.randint(1, 3))
        ]
        tokens = sum(map(len, sentences))
        clusters: list[list[list[int]]] = []
        for _ in range(generator.randint(0, 4)):
            cluster = []
            for _ in range(generator.randint(1, 4)):
                start = generator.randrange(tokens)
                cluster.append([start, min(tokens - 1, start + generator.choice([0, 0, 1, 2]))])
            clusters.append(cluster)
        name = f"a/b_{number}_0"
        documents.append({"doc_key": name, "sentences": sentences, "clusters": clusters})
    return documents


def _serialise(generator: random.Random, kind: str, documents: list[dict[str, Any]]) -> str:
    """Return the documents as a valid file in a format."""
    if kind == "jsonlines":
        return "".join(json.dumps(document) + "\n" for document in documents)
    if kind == "scorch":
        return json.dumps(_scorch(generator, documents[0]), indent=generator.choice([None, 2]))
    assert kind == "conll", kind
    return "".join(_conll(generator, document) for document in documents)


def _scorch(generator: random.Random, document: dict[str, Any]) -> dict[str, Any]:
    clusters = [[f"{start}-{end}" for start, end in cluster] for cluster in document["clusters"]]
    if generator.random() < 0.5:
        numbered = {str(number): cluster for number, cluster in enumerate(clusters)}
        return {"type": "clusters", "clusters": numbered}
    links = [link for cluster in clusters for link in pairwise(cluster)]
    mentions = [mention for cluster in clusters for mention in cluster]
    return {"type": "graph", "mentions": mentions, "links": links}


def brackets(document: dict[str, Any], token: int) -> str:
    """Return the coreference cell of a token."""
    cell = []
    for label, cluster in enumerate(document["clusters"]):
        for start, end in cluster:
            if start == end == token:
                cell.append(f"({label})")
            elif start == token:
                cell.append(f"({label}")
            elif end == token:
                cell.append(f"{label})")
    return "|".join(cell) or "-"


def _conll(generator: random.Random, document: dict[str, Any]) -> str:
    separator = generator.choice(["\t", "\t", "   "])
    lines = [f"#begin document ({document['doc_key']}); part 000"]
    token = 0
    for sentence in document["sentences"]:
        for index, word in enumerate(sentence):
            columns = [document["doc_key"], "0", str(index), word, brackets(document, token)]
            lines.append(separator.join(columns))
            token += 1
        lines.append("")
    return "\n".join([*lines, "#end document", ""])


# ---------------------------------------------------------------------------------------------
# Damage
# ---------------------------------------------------------------------------------------------


def _damage(generator: random.Random, content: bytes) -> bytes:
    """Damage the bytes of a file in one way."""
    place = generator.randrange(len(content) + 1)
    stop = min(len(content), place + generator.choice([1, 1, 2, 5, 20]))
    lines = content.splitlines(keepends=True)
    way = generator.randrange(17)
    if way == 0 and content:
        place = min(place, len(content) - 1)
        flipped = content[place] ^ (1 << generator.randrange(8))
        return content[:place] + bytes([flipped]) + content[place + 1 :]
    if way == 1:
        return content[:place]
    if way == 2:
        return content[:place] + content[stop:]
    if way == 3:
        return content[:place] + generator.randbytes(stop - place) + content[stop:]
    if way == 4 and len(lines) > 1:
        first, second = generator.sample(range(len(lines)), 2)
        lines[first], lines[second] = lines[second], lines[first]
        return b"".join(lines)
    if way == 5 and lines:
        del lines[generator.randrange(len(lines))]
        return b"".join(lines)
    if way == 6 and lines:
        place = generator.randrange(len(lines))
        return b"".join(lines[: place + 1] * generator.choice([1, 2]) + lines[place:])
    if way == 7:
        return content.replace(b"\n", generator.choice([b"\r\n", b"\r", b"\n\n", b" \n", b""]))
    if way == 8:
        return content.replace(b"\t", generator.choice([b" ", b"\t\t", b"", b"|"]))
    if way == 9:
        digits = [number for number, byte in enumerate(content) if 48 <= byte < 58]
        if digits:
            place = generator.choice(digits)
            number = generator.choice(HUGE).encode()
            return content[:place] + number + content[place + 1 :]
    if way == 10:
        return generator.choice([b"\xef\xbb\xbf", b"\xff\xfe", b"\x1f\x8b", b"\n", b"#"]) + content
    if way == 11:
        text = content.decode(errors="replace")
        return text.encode(generator.choice(["utf-16", "utf-16-le", "latin-1"]), "replace")
    if way in (12, 13, 14):
        text = generator.choice(BRACKETS)
        return content[:place] + text.encode() + content[place:]
    if way == 15:
        return content[:place] + content[generator.randrange(len(content) + 1) :]
    text = generator.choice(SNIPPETS)
    return content[:place] + text.encode() + content[place:]


def _damage_json(generator: random.Random, kind: str, documents: list[dict[str, Any]]) -> bytes:
    """Put wrong values into the objects of a JSON file."""
    roots: list[Any] = (
        list(documents) if kind == "jsonlines" else [_scorch(generator, documents[0])]
    )
    roots = json.loads(json.dumps(roots))
    for _ in range(generator.choice([1, 1, 2, 3])):
        holder: Any = roots
        while True:
            places = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
            place = generator.choice(places)
            inner = holder[place]
            if isinstance(inner, (dict, list)) and inner and generator.random() < 0.75:
                holder = inner
                continue
            break
        way = generator.randrange(5)
        if way == 0 and isinstance(holder, dict):
            del holder[place]
        elif way == 1 and isinstance(holder, dict):
            holder[generator.choice(KEYS)] = holder.pop(place)
        elif way == 2 and isinstance(holder, list):
            holder.append(deepcopy(generator.choice([inner, *VALUES])))
        else:
            holder[place] = deepcopy(generator.choice(VALUES))
        if not roots or not all(isinstance(root, (dict, list)) and root for root in roots):
            break
    ascii_only = generator.random() < 0.5
    text = "\n".join(json.dumps(root, ensure_ascii=ascii_only) for root in roots)
    if generator.random() < 0.02:
        depth = generator.choice([100, 2_000, 100_000])
        opening, closing = generator.choice([("[", "]"), ('{"clusters":', "}")])
        text = text.replace("[", opening * depth + "[", 1) + closing * depth
    return text.encode("utf-8", "surrogatepass")


# ---------------------------------------------------------------------------------------------
# The check
# ---------------------------------------------------------------------------------------------


@contextmanager
def _limit(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in the block after `seconds` of CPU time; 0 means no limit.

    With wall-clock time, cases would fail on a busy machine.
    """
    if not seconds:
        yield
        return

    def stop(*_: object) -> None:
        raise TimeoutError(f"no answer within {seconds:g} seconds")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def check(case: Case, folder: Path, seconds: float = 0) -> tuple[str, str]:
    """Read and score the file of a case; return "read" or "refused", and "scored" or "refused"."""
    damaged, sound = folder / "damaged.txt", folder / "sound.txt"
    damaged.write_bytes(case.content)
    sound.write_bytes(case.partner)
    with warnings.catch_warnings(), _limit(seconds):
        warnings.simplefilter("error")
        try:
            corpus = read(
                damaged,
                format=case.format,
                role=case.damaged_side,
                reference="compat" in case.options,
            )
            for document in corpus.documents:
                assert len(document.mentions) == document.mention_count
                assert sum(len(entity.mentions) for entity in document.entities) <= len(
                    document.mentions
                )
                assert all(isinstance(token, str) for token in document.tokens)
            for problem in corpus.problems:
                assert str(damaged) in str(problem), f"does not name the file: {problem}"
            reading = "read"
        except sameas.errors.SameasError as error:
            assert str(error).startswith(f"{damaged}:"), f"does not name the file: {error}"
            reading = "refused"
        key, response = (damaged, sound) if case.damaged_side == "key" else (sound, damaged)
        try:
            result = sameas.score(str(key), str(response), format=case.format, **case.options)
            str(result).encode()
            scoring = "scored"
        except sameas.errors.SameasError as error:
            names = str(damaged), str(sound)
            assert any(name in str(error) for name in names), f"does not name the file: {error}"
            scoring = "refused"
    return reading, scoring


def describe(case: Case, error: BaseException) -> str:
    """Describe a failure with everything needed to reproduce it."""
    trace = "".join(traceback.format_exception(error)[-4:])
    how = f"damaged {case.damaged_side}, format={case.format!r}, options={case.options}"
    content = repr(case.content)
    shown = content if len(content) < 3000 else f"{content[:3000]}… ({len(case.content)} bytes)"
    head = f"case {case.number} ({case.kind}; {how})"
    return f"{head}\n{trace}  damaged: {shown}\n  sound: {case.partner!r}"


def main() -> int:
    """Run the cases; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, help="run only this case")
    parser.add_argument(
        "--show", type=int, default=10, help="failures to print in full (default: 10)"
    )
    arguments = parser.parse_args()
    chosen = cases(arguments.count, arguments.seed)
    if arguments.only is not None:
        chosen = iter([case(arguments.seed, arguments.only)])
    tally: Counter[str] = Counter()
    failures: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for one in chosen:
            try:
                reading, scoring = check(one, Path(folder), seconds=5)
                tally[f"{one.kind}: {reading}, {scoring}"] += 1
            except Exception as error:
                frame = traceback.extract_tb(error.__traceback__)[-1]
                where = f"{type(error).__name__} in {Path(frame.filename).name}:{frame.lineno}"
                failures[where] += 1
                if sum(failures.values()) <= arguments.show:
                    print(describe(one, error), flush=True)
    for outcome, count in sorted(tally.items()):
        print(f"{count:9,} {outcome}")
    for where, count in failures.most_common():
        print(f"{count:9,} FAILED: {where}")
    print(f"{sum(tally.values()):,} cases passed, {sum(failures.values()):,} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
