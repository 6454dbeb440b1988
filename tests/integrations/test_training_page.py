"""Run all examples of docs/training.md, including those that need a library.

`python tests/integrations/test_training_page.py --update` writes their current output.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib
import io
import re
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "training.md"
BLOCK = re.compile(r"^```pycon ?(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LIBRARIES = ("", "torch", "evaluate", "spacy", "sklearn")


def run(page: str, wanted: tuple[str, ...]) -> str:
    """Return the page with the current output of the examples that need the given libraries."""
    names: dict[str, object] = {}

    def again(match: re.Match[str]) -> str:
        if match[1] not in wanted:
            return match[0]
        shown = ""
        for example in doctest.DocTestParser().get_examples(match[2]):
            source = example.source.rstrip("\n").split("\n")
            shown += "".join(f"{'...' if n else '>>>'} {line}\n" for n, line in enumerate(source))
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(example.source, str(PAGE), "single"), names)
            lines = out.getvalue().splitlines()
            shown += "".join(f"{line or '<BLANKLINE>'}\n" for line in lines)
        return f"```pycon {match[1]}".rstrip() + f"\n{shown}\n```"

    return BLOCK.sub(again, page)


def test_every_example_is_run():
    assert {match[1] for match in BLOCK.finditer(PAGE.read_text(encoding="utf-8"))} == {*LIBRARIES}


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore:sameas. 1 key document is missing:UserWarning")
def test_examples_print_what_the_page_shows(library, monkeypatch, tmp_path):
    from integrations.material import library as imported

    if library:
        imported(library)
    if library == "torch":
        imported("torchmetrics")
    if library == "evaluate":
        config = importlib.import_module("evaluate").config
        monkeypatch.setattr(config, "HF_EVALUATE_OFFLINE", True)
        monkeypatch.setattr(config, "HF_METRICS_CACHE", str(tmp_path))
        monkeypatch.setattr(config, "HF_MODULES_CACHE", str(tmp_path / "modules"))
        monkeypatch.syspath_prepend(str(tmp_path / "modules"))
    written = PAGE.read_text(encoding="utf-8")
    assert run(written, ("", library)) == written


if __name__ == "__main__":
    text = run(PAGE.read_text(encoding="utf-8"), LIBRARIES)
    if "--update" in sys.argv:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text)
