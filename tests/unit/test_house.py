"""Rules of the house that ruff cannot check."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import sameas
from sameas.sentences import catalogue
from sameas.settings import AUTHORITIES

HOME = Path(sameas.__file__).parent
TESTS = Path(__file__).parent.parent

#: The package in which bytes may be read or written.
DOOR = "files/"

#: Methods of paths that access the disk; ruff forbids `os.walk` and similar functions.
METHODS = {
    *("open", "read_text", "read_bytes", "write_text", "write_bytes"),
    *("iterdir", "glob", "rglob", "walk", "mkdir", "touch", "rename", "unlink", "rmdir"),
}


def calls(tree: ast.Module) -> list[tuple[int, str]]:
    """Return the calls that read or write, with their lines."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            match node.func:
                case ast.Name("open"):
                    found.append((node.lineno, "open"))
                case ast.Attribute(_, name) if name in METHODS:
                    found.append((node.lineno, name))
    return found


def test_only_one_package_accesses_the_disk() -> None:
    assert [
        f"{path}:{line}: {name}"
        for path in sorted(str(file.relative_to(HOME)) for file in HOME.rglob("*.py"))
        if not path.startswith(DOOR)
        for line, name in calls(ast.parse((HOME / path).read_text()))
    ] == []


def test_authorities_are_named_in_one_place() -> None:
    named = [
        str(path.relative_to(HOME))
        for path in sorted(HOME.rglob("*.py"))
        if any(name in path.read_text() for name in AUTHORITIES)
    ]
    assert [path for path in named if not path.startswith(("authorities/", "settings.py"))] == []


#: Methods that search a text.
LOOKS = {
    *("search", "match", "fullmatch", "split", "rsplit", "partition", "rpartition", "find"),
    *("index", "startswith", "endswith", "removeprefix", "removesuffix", "replace", "count"),
}
#: Names of notes and errors; errors of engines come from other programs and have only texts.
SPOKEN = {"note", "problem", "error", "exception", "warning"}


def is_sentence(node: ast.expr) -> bool:
    """Return whether an expression is the text of a note or an error."""
    match node:
        case ast.Call(ast.Name("str"), [ast.Name(name)]):
            return name in SPOKEN
        case ast.Call(ast.Attribute(text, "lower" | "strip")):
            return is_sentence(text)
        case ast.Attribute(_, "message"):
            return True
    return False


def readings(tree: ast.Module) -> list[int]:
    """Return the lines on which the text of a note or an error is compared or searched."""
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left, _, others):
                texts = [left, *others]
            case ast.Call(ast.Attribute(text, name), [_, *_] as texts) if name in LOOKS:
                texts = [text, *texts]
            case _:
                continue
        found += [node.lineno] * any(map(is_sentence, texts))
    return found


def test_nothing_reads_a_sentence() -> None:
    assert [
        f"{path}:{line}"
        for path in sorted(str(file.relative_to(HOME)) for file in HOME.rglob("*.py"))
        if not path.startswith("run/engines/")
        for line in readings(ast.parse((HOME / path).read_text()))
    ] == []


def test_reading_a_sentence_is_detected() -> None:
    for text in ('"x" in str(note)', 're.match("x", error.message)', 'str(error).startswith("x")'):
        assert readings(ast.parse(text)), text


#: Words of the catalogue that also occur in other texts.
COMMON = {
    "is not a number": "argparse is given types that say so",
    "not a whole number": "argparse is given types that say so",
    "the largest of": "a plan says so of documents and components",
}


def pieces_of_sentences() -> set[str]:
    """Return the long pieces of text between the values in the templates of the catalogue."""
    templates = [text for texts in catalogue().values() for text in texts]
    pieces = {
        piece.strip(" :;,.()“”") for text in templates for piece in re.split(r"{[^}]*}", text)
    }
    return {piece for piece in pieces if len(piece) >= 14 and " " in piece} - set(COMMON)


def pinned(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Return pieces of sentences in the strings of a program, except docstrings, with lines."""
    sentence = re.compile("|".join(map(re.escape, sorted(pieces_of_sentences()))))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(str(text)) if id(node) not in docstrings:
                if found := sentence.search(text):
                    yield node.lineno, found[0]


def test_english_is_pinned_in_one_folder() -> None:
    """Other tests assert on codes and values, with the helpers in `saying.py`."""
    assert [
        f"{path}:{line}: {piece}"
        for path in sorted(str(file.relative_to(TESTS)) for file in TESTS.rglob("*.py"))
        if not path.startswith("wording/")
        for line, piece in pinned(ast.parse((TESTS / path).read_text()))
    ] == []


def test_pinned_english_is_detected() -> None:
    sentence = sorted(pieces_of_sentences())[0]
    for text in (repr(f"a: {sentence}"), f"f{sentence + ' {x}'!r}", f"(\n{sentence + '.'!r}\n)[0]"):
        assert list(pinned(ast.parse(f"x = {text}"))), text
    assert not list(pinned(ast.parse(f"def f():\n    {sentence!r}  # {sentence}")))


#: The maximum length of code.
LINES_OF_A_FUNCTION = 60
LINES_OF_A_MODULE = 500


def data_lines(tree: ast.Module) -> int:
    """Count the lines of multi-line literals, which are data."""
    return sum(
        node.end_lineno - node.lineno + 1
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and isinstance(node.value, ast.Dict | ast.List | ast.Set | ast.Tuple | ast.Constant)
        and node.end_lineno is not None
        and node.end_lineno > node.lineno
    )


def long_functions(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the functions that are too long, including docstrings, with their lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
            lines = node.end_lineno - node.lineno + 1
            if lines > LINES_OF_A_FUNCTION:
                yield node.name, lines


def test_functions_fit_a_screen() -> None:
    assert [
        f"{path.relative_to(HOME)}: {name}: {lines} lines"
        for path in sorted(HOME.rglob("*.py"))
        for name, lines in long_functions(ast.parse(path.read_text()))
    ] == []


def test_modules_have_one_subject() -> None:
    sizes = {}
    for path in sorted(HOME.rglob("*.py")):
        text = path.read_text()
        sizes[str(path.relative_to(HOME))] = text.count("\n") - data_lines(ast.parse(text))
    assert {path: lines for path, lines in sizes.items() if lines > LINES_OF_A_MODULE} == {}


def test_long_functions_are_detected() -> None:
    long = "def f():\n" + "    x = 1\n" * LINES_OF_A_FUNCTION
    assert list(long_functions(ast.parse(long))) == [("f", LINES_OF_A_FUNCTION + 1)]
    assert not list(long_functions(ast.parse(long.replace("    x = 1\n", "", 1))))
