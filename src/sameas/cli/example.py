"""`sameas example`: the example corpus, to try the commands on."""

from __future__ import annotations

import argparse
from pathlib import Path

from sameas.errors import InputError, Problem
from sameas.examples import EXAMPLES, SPANISH, example_path
from sameas.files import write_files


def run(options: argparse.Namespace) -> int:
    folder = Path(options.folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        texts = {folder / name: example_path(name).read_bytes() for name in (*EXAMPLES, *SPANISH)}
        for path, text in texts.items():
            if path.exists() and path.read_bytes() != text:
                hint = "name another folder: sameas example FOLDER"
                raise InputError(
                    [Problem("another file of this name is there", str(path), hint=hint)]
                )
    except OSError as error:
        raise InputError([Problem(f"cannot be written: {error.strerror}", str(folder))]) from None
    write_files(texts.items())
    for path in texts:
        print(path)
    return 0
