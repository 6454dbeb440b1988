"""Plain English: phrases that make readers stop occur nowhere; `phrases.txt` lists them.

`python tests/wording/test_plain_english.py` prints all places.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
PHRASES = Path(__file__).with_name("phrases.txt")
PYTHON = ("src/sameas", "benchmarks", "studies", "docs")
PAGES = ("*.md", "docs/*.md", "changes/*.md", "benchmarks/*.md")


class Text(NamedTuple):
    """A piece of English, and where it stands."""

    place: str
    line: int
    text: str


def of_page(path: Path) -> Iterator[Text]:
    """Yield the lines of a Markdown page without its examples and code."""
    code = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("```"):
            code = not code
        elif not code:
            yield Text(str(path.relative_to(ROOT)), number, re.sub(r"`[^`]*`", "`…`", line))


def of_module(path: Path) -> Iterator[Text]:
    """Yield the docstrings, strings and comments of a Python file."""
    source, place = path.read_text(encoding="utf-8"), str(path.relative_to(ROOT))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            lines = node.value.splitlines() or [""]
            yield from (Text(place, node.lineno + n, line) for n, line in enumerate(lines))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield Text(place, token.start[0], token.string)


def of_lines(path: Path) -> Iterator[Text]:
    """Yield the lines of a file."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        yield Text(str(path.relative_to(ROOT)), number, line)


def english() -> Iterator[Text]:
    """Yield everything that users and maintainers read."""
    for pattern in PAGES:
        for path in ROOT.glob(pattern):
            yield from of_page(path)
    for folder in PYTHON:
        for path in (ROOT / folder).rglob("*.py"):
            yield from of_module(path)
    for path in (ROOT / "page" / "src").rglob("*.ts"):
        yield from of_lines(path)
    yield from of_lines(ROOT / "src" / "sameas" / "sentences.txt")


def phrases() -> dict[re.Pattern[str], str]:
    """Return the phrases with their advice."""
    lines = PHRASES.read_text(encoding="utf-8").splitlines()
    pairs = (line.split(" → ") for line in lines if line and not line.startswith("#"))
    return {re.compile(phrase, re.IGNORECASE): advice for phrase, advice in pairs}


def found() -> Iterator[str]:
    """Yield every place of a listed phrase, with the advice."""
    listed = phrases()
    # One pattern first: it is quick, and mostly there is nothing to find.
    every = re.compile("|".join(phrase.pattern for phrase in listed), re.IGNORECASE)
    for place, line, text in english():
        if every.search(text):
            for phrase, advice in listed.items():
                for match in phrase.finditer(text):
                    yield f"{place}:{line}: “{match[0]}”: {advice}"


def test_listed_phrases_occur_nowhere() -> None:
    assert list(found()) == []


@pytest.mark.parametrize(
    "text",
    [
        "a key and at least one response are wanted",
        "a link that is none",
        "the CorefUD scorer's figures are others",
        "to those who have learned it by heart a pair looks better",
        "several networks speak together",
        "the tasks are done by so many processes",
        "documents 100 a second",
    ],
)
def test_such_phrases_are_found(text: str) -> None:
    assert any(phrase.search(text) for phrase in phrases())


if __name__ == "__main__":
    print("\n".join(found()))
