"""`sameas example`: the example corpus, to try the commands on."""

from __future__ import annotations

import argparse
from pathlib import Path

from sameas.errors import InputError, Problem
from sameas.examples import EXAMPLES, example_path


def run(options: argparse.Namespace) -> int:
    folder = Path(options.folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in EXAMPLES:
            (folder / name).write_bytes(example_path(name).read_bytes())
            print(folder / name)
    except OSError as error:
        raise InputError([Problem(f"cannot be written: {error.strerror}", str(folder))]) from None
    return 0
