"""The catalogue of sentences matches the code that uses it."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import sameas
from sameas.analysis.findings import DROPPED, MESSAGES
from sameas.errors import Problem, UsageError
from sameas.notes import Note
from sameas.sentences import catalogue

HOME = Path(sameas.__file__).parent
TESTS = Path(__file__).parents[1]
TREES = {str(path.relative_to(HOME)): ast.parse(path.read_text()) for path in HOME.rglob("*.py")}
GIVEN = {
    "UsageError": set(),
    "Problem": set(),
    "Note": {"side", "count", "total", "names", "first", "percent"},
}


def calls() -> Iterator[tuple[str, str, str, ast.Call]]:
    """Yield every use of a code: file and line, class, code, call."""
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in GIVEN and isinstance(node.args[0], ast.Constant):
                yield f"{path}:{node.lineno}", name, str(node.args[0].value), node


def variants(code: str) -> list[str]:
    return [one for one in catalogue() if one == code or one.startswith(f"{code} ")]


def fields(template: str) -> set[str]:
    return {name.split(".")[0] for _, name, _, _ in string.Formatter().parse(template) if name}


def test_a_code_has_one_sentence() -> None:
    lines = (HOME / "sentences.txt").read_text(encoding="utf-8").splitlines()
    codes = [line.partition(": ")[0] for line in lines if line[:1] not in ("", "#", " ")]
    assert sorted(codes) == sorted(catalogue())


def test_every_code_has_a_sentence() -> None:
    assert [f"{place}: {code}" for place, _, code, _ in calls() if not variants(code)] == []


def test_every_sentence_has_a_code() -> None:
    written = {
        node.value
        for tree in TREES.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert [code for code in catalogue() if code.split(" ")[0] not in written] == []


def test_sentences_get_their_values() -> None:
    wrong = []
    for place, name, code, call in calls():
        given = {keyword.arg for keyword in call.keywords}
        if None in given or "values" in given:  # passed as a dictionary: known only at run time
            continue
        how = next((keyword.value for keyword in call.keywords if keyword.arg == "how"), None)
        meant = variants(code)
        if how is None:
            meant = [code]
        elif isinstance(how, ast.Constant) and f"{code} {how.value}" in meant:
            meant = [f"{code} {how.value}"]
        for variant in meant:
            for text in catalogue()[variant]:
                missing = fields(text) - given - GIVEN[name]
                wrong += [f"{place}: {variant}: {{{field}}}" for field in missing]
    assert wrong == []


def test_errors_take_codes_not_sentences_or_hints() -> None:
    wrong = [
        f"{place}: {code}"
        for place, _, code, call in calls()
        if not re.fullmatch(r"[a-z0-9-]+", code) or any(one.arg == "hint" for one in call.keywords)
    ]
    assert wrong == []


def test_an_unknown_code_is_a_bug() -> None:
    for made in (UsageError("no-such-code"), Problem("no-such-code"), Note("no-such-code")):
        with pytest.raises(KeyError):
            str(made)


def test_only_this_folder_pins_sentences() -> None:
    texts = [text for pair in catalogue().values() for text in pair]
    texts += [*MESSAGES.values(), *DROPPED.values()]
    pieces = {piece.strip() for text in texts for piece in re.split(r"\{[^}]*\}", text)}
    long = [piece for piece in pieces if len(piece.split()) >= 5]
    found = []
    for path in TESTS.rglob("*.py"):
        if path.relative_to(TESTS).parts[0] in ("wording", "docs"):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found += [f"{path}:{node.lineno}: {one}" for one in long if one in node.value]
    assert found == []
