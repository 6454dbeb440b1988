"""Fuzz readers and writers with damaged CoNLL-U, Universal Anaphora, brat, jsonlines and tables.

::

    python tests/fuzz_formats.py --count 20000 --seed 0

Every case is the Spanish example (for brat, an English one) in one of the formats, with random
damage. It must be read, checked, scored with random settings, written in three random formats and
read back with the same entities, or be refused with a ``SameasError``. Anything else is a failure,
and the bytes of the file are printed.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
import tempfile
import traceback
from collections import Counter
from pathlib import Path

import sameas
from sameas.analysis.check import check, check_pair
from sameas.errors import InputError, SameasError
from sameas.examples import example_path
from sameas.formats.declarations import WRITTEN
from sameas.formats.reading import read

FORMATS = {
    "conllu": ".conllu",
    "ua": ".conllua",
    "jsonlines": ".jsonl",
    "csv": ".csv",
    "tsv": ".tsv",
    "brat": ".ann",
}
SNIPPETS = (
    b"(e1-person-1-", b"e1)", b"(e2[1/2]-x-1-)", b"[2/2]", b"\t", b"|", b"\n\n", b"# newdoc id = x\n",
    b"# global.Entity = eid-etype-head\n", b"1.1", b"0.1", b"3-4", b"Entity=", b"SplitAnte=e1<e2",
    b"Bridge=e1<e2:part", b"-", b"--", b"999999999999", b"\0", b"\xff", b"\r", b"(", b")", b",", b'"',
    b"(EntityID=1|MarkableID=m1|Min=1,2|ElementOf=2", b"@", b"-Pseudo", b"T1\tX 0 3;5 9\tabc", b";",
    b"*\tCoref T1 T2\n", b'"zeros": [0]', b'"heads": [[1]]', b"[[0, 1]]", b"null", b"7.0.1", b"0-1,3",
)  # fmt: skip
SETTINGS = {
    "match": ("exact", "head", "partial", "min"),
    "zeros": ("linear", "dependent", "drop"),
    "scope": ("document", "topic", "corpus"),
    "singletons": ("keep", "drop"),
    "duplicates": ("first", "last", "merge", "error"),
}


def sound_files(folder: Path) -> dict[str, tuple[bytes, bytes]]:
    """Return the example in each format, with its text for brat."""
    files: dict[str, tuple[bytes, bytes]] = {}
    corpus = sameas.read(example_path("spanish-system.conllu"))
    for format, ending in FORMATS.items():
        path = folder / f"sound{ending}"
        documents = list(corpus.documents)
        if format == "brat":  # one document without zeros
            words = sameas.read(example_path("key.conll")).documents[:1]
            sameas.save(words, path)
            files[format] = path.read_bytes(), path.with_suffix(".txt").read_bytes()
            continue
        sameas.save(documents, path)
        files[format] = path.read_bytes(), b""
    files["conllu"] = example_path("spanish.conllu").read_bytes(), b""
    return files


def damage(generator: random.Random, data: bytes) -> bytes:
    """Return the bytes with a few random changes."""
    text = bytearray(data)
    for _ in range(generator.choice([0, 1, 1, 1, 2, 3, 5])):
        at = generator.randrange(len(text) + 1)
        kind = generator.randrange(6)
        if kind == 0:
            text[at : at + generator.choice([1, 2, 10, 100])] = b""
        elif kind == 1 and at < len(text):
            text[at] = generator.randrange(256)
        elif kind == 2:
            text[at:at] = generator.choice(SNIPPETS)
        elif kind == 3:
            stop = generator.randrange(at, min(at + 200, len(text)) + 1)
            text[at:at] = text[at:stop]
        elif kind == 4:
            lines = bytes(text).split(b"\n")
            one, other = (generator.randrange(len(lines)) for _ in range(2))
            lines[one], lines[other] = lines[other], lines[one]
            text = bytearray(b"\n".join(lines))
        else:
            found = generator.choice([b"\t", b"|", b"-", b"(", b")", b"\n", b"1", b"e1", b","])
            text = bytearray(bytes(text).replace(found, generator.choice(SNIPPETS), 1))
    return bytes(text)


def entities(corpus: sameas.Corpus) -> list[list[tuple[object, ...]]]:
    """Return what a round trip must preserve: the mentions by entity in each document."""
    return [
        sorted(
            tuple(
                sorted(
                    repr((m.spans, m.zeros)) if isinstance(m, sameas.Mention) else repr(m)
                    for m in entity.mentions
                )
            )
            for entity in document.entities
        )
        for document in corpus.documents
    ]


def try_case(
    generator: random.Random, format: str, content: bytes, text: bytes, folder: Path
) -> str:
    """Read, check, score, write and read back a case; return the outcome."""
    path = folder / f"case{FORMATS[format]}"
    path.write_bytes(content)
    if format == "brat":
        path.with_suffix(".txt").write_bytes(text)
    with contextlib.suppress(InputError):
        check(read(path, format=format, refuse=False))
    corpus = sameas.read(path, format=format)
    check_pair(corpus, corpus)
    settings = {name: generator.choice(values) for name, values in SETTINGS.items()}
    outcome = "scored"
    try:
        sameas.score(corpus, corpus, metrics="all", **settings)  # type: ignore[arg-type]
    except SameasError:
        outcome = "read"
    for target in generator.sample(sorted(WRITTEN), 3):
        there = folder / f"out.{target}"
        try:
            sameas.save(corpus, folder / "brat" if target == "brat" else there, target)
        except SameasError:
            continue
        if target not in ("conll", "brat") and format != "brat":
            again = sameas.read(there, format=target)
            if entities(again) != entities(corpus):
                raise AssertionError(f"{format} to {target} and back changes the entities")
    return outcome


def main() -> int:
    """Run the cases; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    failures = run(arguments.seed, arguments.count)
    return 1 if failures else 0


def run(seed: int, count: int) -> int:
    """Run `count` cases, print their outcomes, and return the number of failures."""
    outcomes: Counter[str] = Counter()
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = sound_files(folder)
        for number in range(count):
            generator = random.Random(f"{seed}/{number}")
            format = generator.choice(sorted(FORMATS))
            content = damage(generator, files[format][0])
            try:
                outcomes[try_case(generator, format, content, files[format][1], folder)] += 1
            except SameasError:
                outcomes["refused"] += 1
            except Exception:
                failures += 1
                outcomes["FAILED"] += 1
                if failures <= 5:
                    print(f"case {seed}/{number}: {format}\n{content!r:.3000}", file=sys.stderr)
                    traceback.print_exc()
    print(dict(outcomes))
    return failures


if __name__ == "__main__":
    sys.exit(main())
