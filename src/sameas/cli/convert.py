"""`sameas convert`: documents in another format."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sameas.cli.score import exists
from sameas.coref.formats import WRITTEN
from sameas.coref.read import read
from sameas.coref.write import format_of, in_folder, losses, save, write
from sameas.errors import UsageError, collapse, written
from sameas.files import check_writable


def run(options: argparse.Namespace) -> int:
    output = options.output
    if options.to is None and (output is None or output == "-"):
        raise UsageError("no-output-format", known=tuple(WRITTEN))
    target = options.to or format_of(output, how="convert")
    if output is not None:
        check_writable(output, folder=in_folder(output, target))
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
            raise UsageError("output-is-input")
        notes = save(corpus, output, target)
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    return 0
