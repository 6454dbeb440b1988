"""`sameas convert`: convert documents to another format."""

from __future__ import annotations

import sys

from sameas.cli.common import not_overwritten, print_notes
from sameas.cli.options import Arguments, CommandParser, Declared, file_or_folder_to_write, refuse
from sameas.errors import UsageError, collapse, written
from sameas.files import check_writable
from sameas.formats.declarations import FORMATS, WRITTEN

USAGE = "INPUT [OUTPUT]"
_KNOWN = ", ".join(f"{name} ({FORMATS[name].endings[0]})" for name in WRITTEN)
_OPTIONS: Declared = {
    "input": {"metavar": "INPUT", "help": "file or folder; - is standard input"},
    "output": {
        "nargs": "?",
        "type": file_or_folder_to_write,
        "metavar": "OUTPUT",
        "help": "file or folder to write",
    },
    "-o --output": {
        "dest": "output_option",
        "type": file_or_folder_to_write,
        "metavar": "OUTPUT",
        "help": "another way to give OUTPUT",
    },
    "--to": ("NAME", f"format to write: {_KNOWN}", WRITTEN),
    "--role": ("key|response", "convert the gold or the predicted clusters if a file has both"),
}


def declare(parser: CommandParser) -> None:
    """Convert documents to another format, and report what that format cannot
    represent.

    --to sets the format; without it, the extension of OUTPUT does (.gz may follow).
    Without OUTPUT, the result goes to standard output. In brat's format, several
    documents are written to a folder."""
    parser.add_options(_OPTIONS)
    parser.add_format()


def run(options: Arguments) -> int:
    from sameas.formats.reading import read
    from sameas.formats.writing import format_of, in_folder, losses, save, write

    refuse(options.to == "", "option-empty", option="--to")
    both = options.output is not None and options.output_option is not None
    refuse(both, "option-not-for", option="-o", other="OUTPUT")
    output = options.output if options.output_option is None else options.output_option
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
    print_notes(notes)
    return 0
