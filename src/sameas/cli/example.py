"""`sameas example`: the example corpus, to try the commands on."""

from __future__ import annotations

import argparse
from pathlib import Path

from sameas.errors import InputError, Problem
from sameas.examples import EXAMPLES, SPANISH
from sameas.files import package_data, raw_bytes, write_files


def run(options: argparse.Namespace) -> int:
    names = (*EXAMPLES, *SPANISH)
    texts = {Path(options.folder, name): package_data(f"examples/{name}") for name in names}
    for path, text in texts.items():
        if path.exists() and raw_bytes(path) != text:
            raise InputError([Problem("other-file", str(path))])
    write_files(texts.items(), folder=options.folder)
    for path in texts:
        print(path)
    return 0
