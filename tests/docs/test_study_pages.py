"""The text of study pages is that of their scripts, and they quote only notes that we still print.

The studies need data that is not part of the project, so the tests cannot run them.
"""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from functools import cache

import pytest

from docs.test_readme import ROOT
from sameas.sentences import catalogue

#: The scripts that write each page.
SCRIPTS = {
    "agreement-study.md": ("agreement.py",),
    "alignment-study.md": ("alignment.py",),
    "cone-study.md": ("cone.py", "cone_worth.py"),
    "transliteration-study.md": ("transliteration.py",),
}
NOTE = re.compile(
    r"^\*(?:[\w-]+: )?(.+)\.\*$|^- (?:xrenner|capitals|estimate): (.+)$", re.MULTILINE
)


def notes(page: str) -> list[str]:
    """Return the notes quoted on a page, without the name of the system."""
    return [one or other for one, other in NOTE.findall(page)]


def pattern(template: str) -> re.Pattern[str]:
    """Return a pattern for the sentences of a template (its syntax is in `sameas.sentences`)."""
    parts = []
    for literal, name, spec, _ in string.Formatter().parse(template):
        parts.append(re.escape(literal))
        if name is None or spec is None:
            continue
        if "|" in spec:
            parts.append(f"({'|'.join(map(re.escape, spec.split('|')))})")
        elif re.fullmatch("[a-z][a-z -]+", spec) and spec != "all":
            parts.append(rf"[\d,]+ {re.escape(spec[:-1])}\w+")
        else:
            parts.append(r"[\d.,]+" if spec in (",", ".1f", ".0f") else ".+")
    return re.compile("".join(parts))


@cache
def patterns() -> list[re.Pattern[str]]:
    """Return the patterns of all templates, except those that are little more than a value."""
    templates = [template for template, _ in catalogue().values()]
    return [pattern(one) for one in templates if len(re.sub(r"\{[^|}]*\}", "", one)) > 20]


def is_printed(note: str) -> bool:
    """Return whether the program can print a note."""
    return any(one.fullmatch(note) for one in patterns())


def test_the_program_still_prints_the_quoted_notes() -> None:
    quoted = notes((ROOT / "docs" / "cone-study.md").read_text(encoding="utf-8"))
    assert len(quoted) > 50
    assert [note for note in dict.fromkeys(quoted) if not is_printed(note)] == []


def test_a_retired_note_is_found() -> None:
    assert is_printed("3 response documents have no mentions (a, b, c)")
    assert not is_printed("3 response documents are without any mention (a, b, c)")


def texts(node: ast.AST) -> Iterator[str]:
    """Yield a pattern for each text that a script yields, except short ones; values match anything."""
    for child in ast.walk(node):
        head = isinstance(child, ast.Assign) and ast.unparse(child.targets[0]) == "HEAD"
        if (isinstance(child, ast.Yield) or head) and child.value is not None:
            found = re.sub(r"^(\\\n)+|(\\\n)+$", "", _pattern_of(child.value))
            if len(found) > 80:
                yield found


def _pattern_of(value: ast.expr) -> str:
    if isinstance(value, ast.Constant):
        return re.escape(str(value.value))
    if isinstance(value, ast.JoinedStr):
        return "".join(map(_pattern_of, value.values))
    if isinstance(value, ast.BinOp):
        return _pattern_of(value.left) + _pattern_of(value.right)
    return ".*?"


@pytest.mark.parametrize("page", SCRIPTS)
def test_the_text_of_a_page_is_that_of_its_script(page: str) -> None:
    written = (ROOT / "docs" / page).read_text(encoding="utf-8")
    trees = [ast.parse((ROOT / "studies" / name).read_text("utf-8")) for name in SCRIPTS[page]]
    wanted = [text for tree in trees for text in texts(tree)]
    assert len(wanted) > 5
    assert [text for text in wanted if not re.search(text, written)] == []
