"""`sameas convert`: documents in another format."""

from __future__ import annotations

import argparse
import sys

from sameas.cli.common import not_overwritten, tell_notes
from sameas.errors import UsageError, collapse, written
from sameas.files import check_writable
from sameas.formats.declarations import WRITTEN
from sameas.formats.reading import read
from sameas.formats.writing import format_of, in_folder, losses, save, write


def run(options: argparse.Namespace) -> int:
    output = options.output
    if options.to is None and (output is None or output == "-"):
        raise UsageError("no-output-format", known=tuple(WRITTEN))
    target = options.to or format_of(output, how="convert")
    if output is not None:
        check_writable(output, folder=in_folder(output, target))
        not_overwritten(output, options.input)
    corpus = read(options.input, format=options.format, role=options.role)
    for line in written(collapse(corpus.problems)):
        print(line, file=sys.stderr)
    if output is None or output == "-":
        notes = losses(corpus.documents, target)
        text = write(corpus, target)
        if sys.stdout is not None:
            sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
    else:
        notes = save(corpus, output, target)
    tell_notes(notes)
    return 0
