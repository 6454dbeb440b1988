"""Read tab-separated lists line by line: each line becomes a row or a problem with its position."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence, Sized
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from sameas.errors import InputError, Problem, counted, require
from sameas.files import raw_bytes
from sameas.names.letters import without_formatting
from sameas.names.units import graphemes
from sameas.notes import Note

__all__ = [
    "SKIP",
    "BadLine",
    "Lines",
    "ListRows",
    "Listing",
    "check_name",
    "lines_of",
    "name_column",
]

T = TypeVar("T")

#: The code of the hint about bad lines.
SKIP = "skip-bad"
# Which of the first four bytes of Latin text are zero, in either byte order.
_UTF_16 = ([False, True, False, True], [True, False, True, False])


class Listing(Generic[T]):
    """A named list of pairs."""

    __slots__ = ()
    pairs: Sequence[T]
    name: str = ""

    def __iter__(self) -> Iterator[T]:
        """Yield the pairs."""
        return iter(self.pairs)

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.pairs)

    def __repr__(self) -> str:
        """Show the name and the number of pairs."""
        named = f"{type(self).__name__} {self.name}".strip()
        return f"<{named}: {counted(len(self), 'pair')}>"


class BadLine(Exception):
    """An error in a line, with its 1-based column in characters."""

    def __init__(self, code: str, column: int = 1, **values: Any) -> None:
        super().__init__(code)
        self.code, self.column, self.values = code, column, values

    def problem(self, path: str, line: int = 0, **values: Any) -> Problem:
        """Return the problem with its position; `values` are common to all problems in a file."""
        column = self.column if line else 0
        return Problem(self.code, path, line, column, values={**values, **self.values})


@dataclass(frozen=True)
class ListRows(Generic[T]):
    """The rows of a file with their line numbers, and the lines that were skipped."""

    rows: list[T]
    lines: list[int]
    path: str
    skipped: tuple[Problem, ...]
    notes: tuple[Note, ...]


@dataclass
class Lines:
    """The lines of a file that are valid text, and the problems with the others."""

    path: str
    lines: list[tuple[int, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def problem(self, code: str, line: int, column: int = 1, **values: Any) -> None:
        """Record a problem in a line."""
        self.problems.append(Problem(code, self.path, line, column, **values))

    def rows(
        self,
        row: Callable[[int, list[str]], T],
        code_if_empty: str,
        *,
        skip_bad: bool = False,
        **values: Any,
    ) -> ListRows[T]:
        """Return the rows of the file.

        `row` makes a row from the number and the columns of a line, or raises `BadLine`. Bad lines
        raise `InputError`, unless `skip_bad` skips them. `code_if_empty` is the code of the
        error for a file without rows; `values` are common to all problems.
        """
        rows, lines = [], []
        for number, line in self.lines:
            try:
                rows.append(row(number, line.split("\t")))
                lines.append(number)
            except BadLine as bad:
                self.problems.append(bad.problem(self.path, number, **values))
        notes = self.settle(rows, code_if_empty, skip_bad=skip_bad, **values)
        return ListRows(rows, lines, self.path, tuple(self.problems), tuple(notes))

    def settle(
        self, found: Sized, code_if_empty: str, *, skip_bad: bool = False, **values: Any
    ) -> list[Note]:
        """Raise InputError for bad lines or, if they are skipped, return a note with their number.

        `code_if_empty` is the code of the error if nothing was found.
        """
        self.problems.sort(key=lambda problem: problem.line)
        if self.problems and not skip_bad:
            raise InputError(self.problems, SKIP if found else "")
        if not found:
            problem = Problem(code_if_empty, self.path, values=values)
            raise InputError([problem, *self.problems])
        return [Note("bad-lines", count=len(self.problems))] if self.problems else []


def lines_of(path: str | Path) -> Lines:
    """Return the numbered lines of a UTF-8 file, without empty lines and comments.

    A comment begins with # and contains no tab.
    """
    require(path, (str, os.PathLike), "the path", "a string or a path")
    found = Lines("<stdin>" if str(path) == "-" else str(path))
    raw = raw_bytes(path).removeprefix(b"\xef\xbb\xbf")
    if raw.startswith(b"\x1f\x8b"):
        raise InputError([Problem("names-compressed", found.path, file=found.path)])
    zeros = [byte == 0 for byte in raw[:4]]
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")) or zeros in _UTF_16:
        raise InputError([Problem("names-utf-16", found.path, 1, 1)])
    if b"\r" in raw and b"\n" not in raw:
        raise InputError([Problem("names-old-lines", found.path, 1, 1)])
    for number, line in enumerate(raw.split(b"\n"), start=1):
        try:
            text = line.removesuffix(b"\r").decode()
        except UnicodeDecodeError as error:
            column = len(line[: error.start].decode()) + 1
            found.problem("names-not-utf-8", number, column, byte=line[error.start])
        else:
            if "\t" in text or (text.strip() and not text.startswith("#")):
                found.lines.append((number, text))
    return found


def name_column(columns: Sequence[str], index: int) -> int:
    """Return the 1-based position, in characters, at which a column of a line begins.

    >>> name_column(["bo", "波", "1"], 2)
    6
    """
    return sum(len(column) + 1 for column in columns[:index]) + 1


def check_name(name: str, side: str, column: int, most: int) -> None:
    """Raise BadLine if a name is empty or has more than `most` letters.

    >>> check_name(" ", "source", 1, 255)
    Traceback (most recent call last):
    ...
    sameas.names.rows.BadLine: empty-name
    """
    if not without_formatting(name).strip():
        raise BadLine("empty-name", column, side=side)
    letters = len(graphemes(name.strip())) if len(name) > most else 0
    if letters > most:
        raise BadLine("long-name", column, side=side, letters=letters, most=most)
