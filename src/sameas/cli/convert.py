"""`sameas convert`: documents in another format."""

from __future__ import annotations

import argparse
import gzip
import sys
from pathlib import Path

from sameas.coref.read import read
from sameas.coref.write import write
from sameas.errors import InputError, Problem, UsageError, written

_ENDINGS = {
    ".conll": "conll",
    ".v4_gold_conll": "conll",
    ".v4_auto_conll": "conll",
    ".jsonl": "jsonlines",
    ".jsonlines": "jsonlines",
}


def run(options: argparse.Namespace) -> int:
    target = options.to or _format(options.output)
    corpus = read(options.input, format=options.format, role=options.role)
    for line in written(corpus.problems):
        print(line, file=sys.stderr)
    text = write(corpus.documents, target)
    if target == "jsonlines" and any(document.text.rows() for document in corpus.documents):
        print(
            "note: jsonlines hold words, speakers and clusters; other columns and the ids of "
            "entities stay behind",
            file=sys.stderr,
        )
    if options.output is None or options.output == "-":
        if sys.stdout is not None:
            sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        return 0
    data = text.encode("utf-8", "backslashreplace")
    try:
        output = Path(options.output)
        if options.input != "-" and output.exists() and output.samefile(options.input):
            raise UsageError("OUTPUT is INPUT; name another file")
        output.write_bytes(gzip.compress(data, mtime=0) if options.output.endswith(".gz") else data)
    except OSError as error:
        raise InputError(
            [Problem(f"cannot be written: {error.strerror}", options.output)]
        ) from None
    return 0


def _format(output: str | None) -> str:
    suffixes = Path(output.removesuffix(".gz")).suffix if output else ""
    if suffixes not in _ENDINGS:
        raise UsageError("name the format to write: --to conll or --to jsonlines")
    return _ENDINGS[suffixes]
