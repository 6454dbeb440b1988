"""docs/papers.md: every item of the papers is listed, and what stands there is what comes out.

A row of a table is `item | paper | here | how`. What `how` has decides how `here` is checked:

- a command (`sameas …`) is run, and prints every number of `here`;
- Python code is evaluated with the functions of the page's first example, and gives `here`;
- a link to a study leads to a section that has every number of `here`;
- a test (`test_….py::test_…`) exists; pytest runs it by itself.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from docs.test_readme import PYTHON, ROOT, run

PAGE = ROOT / "docs" / "papers.md"
#: What each paper numbers, and what the page must have a row for.
NUMBERED = {
    "Luo et al. 2014": {"Equation": 19, "Example": 4, "Boundary case": 3, "Table": 3, "Figure": 1},
    "Pradhan et al. 2014": {"Equation": 2, "Table": 1, "Figure": 1},
    "Lin et al. 2010 (CONE)": {"Table": 5, "Figure": 5},
    "Pervouchine et al. 2009": {"Equation": 7, "Table": 1, "Figure": 9},
}
NUMBER = re.compile(r"[−-]?\d[\d,]*(?:\.\d+)?|[−-]?\.\d+")
CODE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\]\(([\w-]+\.md)(?:#([^)\s]*))?\)")
TEST = re.compile(r"(test_\w+\.py)::(test_\w+)")


class Row(NamedTuple):
    paper: str
    item: str
    printed: str
    here: str
    how: str


@cache
def rows() -> tuple[Row, ...]:
    """The rows of all tables, with the heading of second order above them."""
    found: list[Row] = []
    paper = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            paper = line[3:]
        elif line.startswith("| ") and not line.startswith("| item "):
            cells = [cell.strip() for cell in line.strip("|").split(" | ")]
            assert len(cells) == 4, line
            found.append(Row(paper, *cells))
    return tuple(found)


def numbers(text: str) -> list[str]:
    return NUMBER.findall(text.replace("-", "−"))


def numbered(item: str) -> Iterator[tuple[str, int]]:
    """`Equations 2–4: recall` are equations 2, 3 and 4."""
    match = re.match(r"([A-Z][a-z]+?(?: case)?)s? (\d+)[a-z]?(?:[–,] ?(\d+)[a-z]?)?", item)
    if match:
        kind, first, last = match.groups()
        for number in range(int(first), int(last or first) + 1):
            yield kind, number


@pytest.mark.parametrize("paper", NUMBERED)
def test_every_numbered_item_has_a_row(paper: str) -> None:
    there = {found for row in rows() if row.paper == paper for found in numbered(row.item)}
    wanted = {(k, n + 1) for k, count in NUMBERED[paper].items() for n in range(count)}
    assert wanted <= there, sorted(wanted - there)
    assert not {pair for pair in there - wanted if pair[0] in NUMBERED[paper]}


def test_every_row_says_how() -> None:
    for row in rows():
        checked = CODE.search(row.how) or LINK.search(row.how) or TEST.search(row.how)
        assert checked or row.how.startswith("not done: "), row


@pytest.mark.parametrize("row", [r for r in rows() if CODE.search(r.how)], ids=lambda r: r.item)
def test_commands_and_code_give_what_stands_there(row: Row, tmp_path: Path) -> None:
    code = [one for one in CODE.findall(row.how) if not TEST.search(one) and " DATA" not in one]
    commands = [one for one in code if one.startswith("sameas ")]
    if commands:
        run("sameas example .", "", tmp_path)
        printed = "\n".join(run(command, "", tmp_path) for command in commands)
        missing = [n for n in numbers(row.here) if n not in printed.replace("-", "−")]
        assert not missing, printed
    for expression in code:
        if expression not in commands:
            assert str(eval(expression, dict(functions()))) == row.here


@cache
def functions() -> dict[str, object]:
    """What the first example of the page defines."""
    names: dict[str, object] = {}
    first = PYTHON.search(PAGE.read_text(encoding="utf-8"))
    assert first
    for example in doctest.DocTestParser().get_examples(first[1]):
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(example.source, "papers.md", "single"), names)
    return names


@pytest.mark.parametrize("row", [r for r in rows() if LINK.search(r.how)], ids=lambda r: r.item)
def test_studies_have_what_stands_there(row: Row) -> None:
    text = "".join(section(page, anchor) for page, anchor in LINK.findall(row.how))
    if not CODE.search(row.how):
        missing = [n for n in numbers(row.here) if n not in text.replace("-", "−")]
        assert not missing, f"{missing} not in\n{text}"


def section(page: str, anchor: str) -> str:
    """The part of a page from the heading that an anchor names to the next of its order."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    if not anchor:
        return text
    lines, found, depth = text.splitlines(), [], 0
    for line in lines:
        heading = re.match(r"(#+) (.*)", line)
        if heading and depth and len(heading[1]) <= depth:
            break
        if heading and _anchor(heading[2]) == anchor:
            depth = len(heading[1])
        if depth:
            found.append(line)
    assert found, f"{page} has no heading {anchor}"
    return "\n".join(found)


def _anchor(heading: str) -> str:
    """The anchor that GitHub gives to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_tests_exist() -> None:
    for row in rows():
        for file, name in TEST.findall(row.how):
            (path,) = (ROOT / "tests").rglob(file)
            assert f"def {name}(" in path.read_text(encoding="utf-8"), (file, name)
