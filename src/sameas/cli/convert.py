"""`sameas convert`: documents in another format."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sameas.cli.score import exists
from sameas.coref.read import read
from sameas.coref.write import WRITTEN, format_of, losses, save, write
from sameas.errors import UsageError, collapse, written


def run(options: argparse.Namespace) -> int:
    output = options.output
    if options.to is None and (output is None or output == "-"):
        raise UsageError(f"name the format to write: --to {', '.join(WRITTEN)}")
    try:
        target = options.to or format_of(output)
    except UsageError as error:
        raise UsageError(f"{error}; or name the format to write: --to") from None
    corpus = read(options.input, format=options.format, role=options.role)
    for line in written(collapse(corpus.problems)):
        print(line, file=sys.stderr)
    if output is None or output == "-":
        notes = losses(corpus.documents, target)
        text = write(corpus, target)
        if sys.stdout is not None:
            sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
    else:
        if options.input != "-" and exists(output) and Path(output).samefile(options.input):
            raise UsageError("OUTPUT is INPUT; name another file")
        notes = save(corpus, output, target)
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    return 0
