"""`sameas convert`: documents in another format."""

from __future__ import annotations

import sys

from sameas.cli.common import not_overwritten, tell_notes
from sameas.cli.options import Arguments, CommandParser, file_or_folder_to_write
from sameas.errors import UsageError, collapse, written
from sameas.files import check_writable
from sameas.formats.declarations import FORMATS, WRITTEN


def declare(parser: CommandParser) -> None:
    """Write the documents of a file in another format, and say what it cannot hold.

    The format comes from the name of OUTPUT (.gz may follow the ending) or from
    --to; without OUTPUT it goes to standard output. brat files of several
    documents go into a folder."""
    parser.add_argument("input", metavar="INPUT", help="file or folder; - is standard input")
    parser.add_argument(
        "output", nargs="?", type=file_or_folder_to_write, metavar="OUTPUT", help="file to write"
    )
    known = ", ".join(f"{name} ({FORMATS[name].endings[0]})" for name in WRITTEN)
    role = "of a file that has gold and predicted clusters: which to write"
    parser.add_options(
        {"--to": ("NAME", f"format to write: {known}"), "--role": ("key|response", role)}
    )
    parser.add_format()


def run(options: Arguments) -> int:
    from sameas.formats.reading import read
    from sameas.formats.writing import format_of, in_folder, losses, save, write

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
