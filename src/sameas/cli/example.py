"""`sameas example`: example files for trying the commands."""

from __future__ import annotations

from pathlib import Path

from sameas.cli.options import Arguments, CommandParser, Declared, folder_to_write
from sameas.errors import InputError, Problem
from sameas.examples import EXAMPLES, RECORDS, SPANISH
from sameas.files import package_data, raw_bytes, write_files

USAGE = "[FOLDER]"
_FOLDER: Declared = {
    "folder": {
        "nargs": "?",
        "type": folder_to_write,
        "default": ".",
        "metavar": "FOLDER",
        "help": "folder to write to (default: the current one)",
    },
}


def declare(parser: CommandParser) -> None:
    """Write example files for trying the commands: a key and two responses in CoNLL, a
    Spanish key and response in CoNLL-U, and true and predicted clusters of records
    in CSV."""
    parser.add_options(_FOLDER)


def run(options: Arguments) -> int:
    names = (*EXAMPLES, *SPANISH, *RECORDS)
    texts = {Path(options.folder, name): package_data(f"examples/{name}") for name in names}
    for path, text in texts.items():
        if path.exists() and raw_bytes(path) != text:
            raise InputError([Problem("other-file", str(path))])
    write_files(texts.items(), folder=options.folder)
    for path in texts:
        print(path)
    return 0
