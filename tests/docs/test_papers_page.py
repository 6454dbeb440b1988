"""docs/papers.md: every item of the papers is listed, and its numbers are reproduced.

A row of a table is `item | paper | here | how`. The content of `how` determines how `here` is
checked:

- a command (`sameas …`) is run, and must print the numbers of `here`;
- Python code is evaluated with the functions of the page's first example, and must give `here`;
- a link to a study must lead to a section with the numbers of `here`;
- a test (`test_….py::test_…`) must exist; pytest runs it separately.

The numbers between two semicolons must be in one line of the output, in the same order. The numbers
of the papers are transcribed, and cannot be checked here.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from docs.test_readme import PYTHON, ROOT, run

PAGE = ROOT / "docs" / "papers.md"
#: The numbered items of each paper, each of which must have a row on the page.
NUMBERED = {
    "Luo et al. 2014": {"Equation": 19, "Example": 4, "Boundary case": 3, "Table": 3, "Figure": 1},
    "Pradhan et al. 2014": {"Equation": 2, "Table": 1, "Figure": 1},
    "Lin et al. 2010 (CONE)": {"Table": 5, "Figure": 5},
    "Pervouchine et al. 2009": {"Equation": 7, "Table": 1, "Figure": 9},
}
NUMBER = re.compile(r"(?:(?<!\w)−)?(?:\d+(?:,\d{3})*(?:\.\d+)?|\.\d+)")
#: The number of rows of each other kind, none of which must get lost.
SECTIONS = {
    "Luo et al. 2014": {"Proposition": 1, "Section 3": 1, "Section 4": 1, "Section 5.2": 3},
    "Pradhan et al. 2014": {
        "Section 2": 11, "Section 3": 3, "Section 4.1": 1, "Section 4.2": 1, "Section 4.3": 2,
        "Section 4.4": 1, "The Perl scorer, version 8.01": 1,
    },
    "Lin et al. 2010 (CONE)": {"Section 3": 1, "Section 4": 2, "Section 4.1": 10, "Section 6": 1},
    "Pervouchine et al. 2009": {
        "Section 2": 1, "Section 3.2.2": 1, "Section 5.1": 1, "Section 5.2": 1, "Section 5.3": 2,
        "Section 6": 1,
    },
}  # fmt: skip
NOT_DONE = ["Table 3: its columns R and P", "Section 2: the bug in scorer v4",
            "Section 4.1: without small classes, r remains 0.73"]  # fmt: skip
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
    """Return the rows of all tables, with the second-level heading above them."""
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


def missing(here: str, text: str) -> list[str]:
    """Return the parts of `here` whose numbers no line of a text contains in this order."""
    lines = [NUMBER.findall(line.replace("-", "−")) for line in text.splitlines()]
    return [
        part
        for part in here.split(";")
        if not any(_in_order(NUMBER.findall(part.replace("-", "−")), line) for line in lines)
    ]


def _in_order(wanted: list[str], line: list[str]) -> bool:
    rest = iter(line)
    return all(number in rest for number in wanted)


def numbered(item: str) -> Iterator[tuple[str, int]]:
    """Yield the numbered items of a row: equations 2, 3 and 4 for `Equations 2–4: recall`."""
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


@pytest.mark.parametrize("paper", SECTIONS)
def test_no_other_row_is_lost(paper: str) -> None:
    there = Counter(row.item.partition(":")[0] for row in rows() if row.paper == paper)
    assert {name: there[name] for name in SECTIONS[paper]} == SECTIONS[paper]


def test_what_is_not_done_is_known() -> None:
    assert [row.item for row in rows() if row.how.startswith("not done: ")] == NOT_DONE


def test_every_row_has_a_how() -> None:
    for row in rows():
        checked = CODE.search(row.how) or LINK.search(row.how) or TEST.search(row.how)
        assert checked or row.how.startswith("not done: "), row


@pytest.mark.parametrize("row", [r for r in rows() if CODE.search(r.how)], ids=lambda r: r.item)
def test_commands_and_code_reproduce_the_page(row: Row, tmp_path: Path) -> None:
    code = [one for one in CODE.findall(row.how) if not TEST.search(one) and " DATA" not in one]
    commands = [one for one in code if one.startswith("sameas ")]
    if commands:
        run("sameas example .", "", tmp_path)
        printed = "\n".join(run(command, "", tmp_path) for command in commands)
        assert not missing(row.here, printed), printed
    for expression in code:
        if expression not in commands:
            assert str(eval(expression, dict(functions()))) == row.here


@cache
def functions() -> dict[str, object]:
    """Return the names that the first example of the page defines."""
    names: dict[str, object] = {}
    first = PYTHON.search(PAGE.read_text(encoding="utf-8"))
    assert first
    for example in doctest.DocTestParser().get_examples(first[1]):
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(example.source, "papers.md", "single"), names)
    return names


@pytest.mark.parametrize("row", [r for r in rows() if LINK.search(r.how)], ids=lambda r: r.item)
def test_studies_contain_the_numbers_of_the_page(row: Row) -> None:
    text = "\n".join(section(page, anchor) for page, anchor in LINK.findall(row.how))
    if not CODE.search(row.how):
        assert not missing(row.here, text), text


def section(page: str, anchor: str) -> str:
    """Return the section of a page that begins at an anchor; the whole page without an anchor."""
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
    """Return the anchor of a heading on GitHub."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_tests_exist() -> None:
    for row in rows():
        for file, name in TEST.findall(row.how):
            texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob(file)]
            assert any(f"def {name}(" in text for text in texts), (file, name)
