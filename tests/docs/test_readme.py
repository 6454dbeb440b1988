"""Every example of the README and of docs/ is run, and its whole output is compared.

`python tests/docs/test_readme.py --update` writes the current output of the examples to the files.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    "README.md",
    "docs/scoring.md",
    "docs/python.md",
    "docs/records.md",
    "docs/metrics.md",
    "docs/comparing.md",
    "docs/errors.md",
    "docs/cone.md",
    "docs/names.md",
    "docs/transliteration.md",
    "docs/training.md",
    "docs/large.md",
    "docs/published.md",
    "docs/files.md",
    "docs/matching.md",
    "docs/errata.md",
    "docs/papers.md",
]
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^```pycon\n(.*?)^```", re.MULTILINE | re.DOTALL)


def commands(block: str) -> Iterator[tuple[str, str]]:
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, printed = part.partition("\n")
        yield command, printed


def run(command: str, printed: str, folder: Path) -> str:
    if command.startswith("cat ") and not (folder / command[4:]).exists():
        (folder / command[4:]).write_text(printed)  # the example shows a file, so create it
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONUTF8": "1",
    }
    done = subprocess.run(
        command, shell=True, cwd=folder, env=environment, text=True, encoding="utf-8",
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    assert "Traceback (most recent call last)" not in done.stdout, done.stdout
    return done.stdout


def run_console(page: str, folder: Path) -> str:
    """Return the page with the current output of every console example."""

    def again(match: re.Match[str]) -> str:
        shown = "".join(
            f"$ {command}\n{run(command, printed, folder)}"
            for command, printed in commands(match[1])
        )
        return f"```console\n{shown}```"

    return CONSOLE.sub(again, page)


def run_python(page: str, folder: Path) -> str:
    """Return the page with the current output of every Python example."""
    names: dict[str, object] = {}

    def again(match: re.Match[str]) -> str:
        shown = ""
        for example in doctest.DocTestParser().get_examples(match[1]):
            source = example.source.rstrip("\n").split("\n")
            shown += "".join(f"{'...' if n else '>>>'} {line}\n" for n, line in enumerate(source))
            out = io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.chdir(folder):
                exec(compile(example.source, "README", "single"), names)
            lines = out.getvalue().splitlines()
            shown += "".join(f"{line or '<BLANKLINE>'}\n" for line in lines)
        return f"```pycon\n{shown}\n```"

    return PYTHON.sub(again, page)


def run_page(name: str, folder: Path) -> tuple[str, str]:
    written = (ROOT / name).read_text(encoding="utf-8")
    if name != "README.md":
        run("sameas example .", "", folder)
    return written, run_python(run_console(written, folder), folder)


#: The README is in the fast suite, the other pages are in the long one.
MARKED = [PAGES[0], *(pytest.param(page, marks=pytest.mark.long) for page in PAGES[1:])]


@pytest.mark.parametrize("name", MARKED)
def test_examples_print_what_the_page_shows(name: str, tmp_path: Path) -> None:
    written, printed = run_page(name, tmp_path)
    assert printed == written


if __name__ == "__main__":
    import tempfile

    for page in PAGES:
        with tempfile.TemporaryDirectory() as scratch:
            _, text = run_page(page, Path(scratch))
        if "--update" in sys.argv:
            (ROOT / page).write_text(text, encoding="utf-8")
        else:
            print(text)
