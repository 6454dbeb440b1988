"""The cells of tables: convert columns of any source to texts, codes, and token numbers."""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from sameas.arithmetic.arrays import Ints
from sameas.errors import Problem, refuse_problems, repeated
from sameas.formats.table.columns import names_records
from sameas.sentences import wording

__all__ = ["LIMIT", "Codes", "Column", "TableRows", "TokenNumbers", "fill", "text_numbers"]

_WHOLE = re.compile(r"\s*(-?\d+)(?:\.0*)?\s*", re.ASCII)
_SHOWN = 20  # rows reported per kind of problem
LIMIT = 1 << 40  # token numbers are below this


class Column(NamedTuple):
    """An input column: values, and the index of each row's value (-1 if it has none).

    Without indices, there is one value per row.
    """

    values: Sequence[Any]
    codes: Ints | None = None
    exact: int = 1 << 53  # below this, the column's floats represent all integers exactly

    def rows(self, chosen: Iterable[int]) -> list[int]:
        """Return the rows whose value has one of the chosen indices."""
        if self.codes is None:
            return list(chosen)
        found: list[int] = np.flatnonzero(np.isin(self.codes, list(chosen))).tolist()
        return found

    def value(self, row: int) -> int:
        """Return the index of a row's value."""
        return row if self.codes is None else int(self.codes[row])

    def spread(self, numbers: Ints) -> Ints:
        """Convert integers per value to integers per row; -1 if a row has no value."""
        return numbers if self.codes is None else np.append(numbers, -1)[self.codes]


class Codes(NamedTuple):
    """A column of text: the index of each row's label (-1 if it is missing)."""

    codes: Ints
    labels: Sequence[str]

    def texts(self) -> list[str]:
        """Return the label of each row, empty if it is missing."""
        return list(map([*self.labels, ""].__getitem__, self.codes.tolist()))


class Wrong(NamedTuple):
    """Why a cell is not a token number: it is not an integer, is negative, or is too large."""

    how: str
    value: str


class TokenNumbers(NamedTuple):
    """A column of integers, -1 if missing or invalid; `wrong` contains the invalid rows."""

    values: Ints
    wrong: Mapping[int, Wrong]


@dataclasses.dataclass
class TableRows:
    """The columns that are used, by field, and their source."""

    path: str
    format: str
    names: dict[str, str]  # of the columns in the header
    problems: list[Problem]
    count: int = 0
    codes: dict[str, Codes] = dataclasses.field(default_factory=dict)
    whole: dict[str, TokenNumbers] = dataclasses.field(default_factory=dict)
    #: The identifiers of mentions, empty if missing.
    texts: dict[str, Sequence[str]] = dataclasses.field(default_factory=dict)
    lines: Ints | None = None  # the line of each row in a text file
    column: Callable[[int, str], int] | None = None  # where a row's field begins in its line

    def problem(self, code: str, row: int, field: str, **values: object) -> Problem:
        """Return a problem in one row, with its line and column, or else its 1-based number."""
        values = {"name": self.names[field], **wording(names_records(self.names)), **values}
        if self.lines is None or self.column is None:
            return Problem(code, self.path, values={**values, "row": row + 1})
        place = (int(self.lines[row]), self.column(row, field))
        return Problem(code, self.path, *place, values=values)

    def warn(self, code: str, field: str, **values: object) -> None:
        """Warn about a value that is read unchanged but may be a mistake."""
        line = int(self.lines is not None)
        values = {"name": self.names[field], **wording(names_records(self.names)), **values}
        problem = Problem(code, self.path, line, line, severity="warning", values=values)
        self.problems.append(problem)

    def label(self, field: str) -> Callable[[int], dict[str, object]]:
        """Return a function that returns a row's text in a column."""
        codes, labels = self.codes[field]
        return lambda row: {"value": labels[codes[row]]}

    def problems_at(
        self,
        code: str,
        field: str,
        wrong: Sequence[int],
        values: Callable[[int], Mapping[str, object]] = lambda row: {},
    ) -> list[Problem]:
        """Return a problem for each of the first wrong rows; the last one also counts the rest."""
        problems = [self.problem(code, row, field, **values(row)) for row in wrong[:_SHOWN]]
        more = len(wrong) - len(problems)
        return [*problems[:-1], repeated(problems[-1], more)] if more else problems


def text_numbers() -> defaultdict[str, int]:
    """Return a dictionary that numbers texts in order of first lookup: `numbers[text]`.

    >>> numbers = text_numbers()
    >>> [numbers[text] for text in ("x", "y", "x")]
    [0, 1, 0]
    """
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    return numbers


def fill(rows: TableRows, field: str, column: Column) -> None:
    """Add a column to the rows: token numbers for start and end, else texts."""
    if field in ("start", "end"):
        rows.whole[field] = _tokens(column)
        return
    texts = _texts(column, rows, field)
    if field != "mention":
        rows.codes[field] = _coded(column, texts)
    elif column.codes is None:
        rows.texts[field] = texts
    else:
        rows.texts[field] = Codes(column.codes, texts).texts()


def _coded(column: Column, texts: Sequence[str]) -> Codes:
    """Return the texts of a column's values as codes, which are -1 for empty cells."""
    numbers = text_numbers()
    codes = column.spread(np.fromiter(map(numbers.__getitem__, texts), np.int64, len(texts)))
    labels = list(numbers)
    if "" in numbers:
        empty = numbers[""]
        codes = np.where(codes == empty, -1, codes - (codes > empty))
        del labels[empty]
    return Codes(codes, labels)


def _texts(column: Column, rows: TableRows, field: str) -> Sequence[str]:
    """Return the values of a column as identifiers; reject values that cannot be identifiers."""
    values = column.values
    kinds = set(map(type, values))
    if kinds == {str}:
        return values
    if kinds == {int}:
        return list(map(str, values))
    texts = []
    bad: dict[int, str] = {}
    decimals: list[float] = []
    for number, value in enumerate(values):
        value = value.item() if isinstance(value, np.generic) else value
        text = _identifier(value, column.exact)
        if text is None:
            bad[number] = f"{value!r:.40}"
        elif isinstance(value, float) and text:
            decimals.append(value)
        texts.append(text or "")
    wrong = rows.problems_at(
        "not-identifier",
        field,
        column.rows(bad),
        lambda row: {"value": bad[column.value(row)]},
    )
    refuse_problems(wrong)
    if decimals and field != "head":
        rows.warn("decimals", field, value=decimals[0], whole=str(int(decimals[0])))
    return texts


def _identifier(value: Any, exact: int) -> str | None:
    """Return a cell as text, empty if it is missing; None if it is not an identifier."""
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < exact:
        return str(int(value))
    return "" if _is_missing(value) else None


def _is_missing(value: Any) -> bool:
    if isinstance(value, float):
        return value != value
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def _tokens(column: Column) -> TokenNumbers:
    """Return the token numbers in the cells."""
    numbers = _plain_numbers(column.values)
    if numbers is not None:
        return TokenNumbers(column.spread(numbers), {})
    found = list(map(_token, column.values))
    wrong = {number: token for number, token in enumerate(found) if isinstance(token, Wrong)}
    numbers = np.array([-1 if isinstance(token, Wrong) else token for token in found], np.int64)
    rows = {row: wrong[column.value(row)] for row in column.rows(wrong)}
    return TokenNumbers(column.spread(numbers), rows)


def _plain_numbers(values: Sequence[Any]) -> Ints | None:
    """Return the values as integers if all are digit strings, or all are integers; else None."""
    kinds = set(map(type, values))
    if kinds == {str}:
        text = "".join(values)
        lengths = set(map(len, values))
        plain = text.isascii() and text.isdigit() and 0 not in lengths and max(lengths) < 13
        return np.fromiter(map(int, values), np.int64, len(values)) if plain else None
    if kinds == {int} and min(values) >= 0 and max(values) < LIMIT:
        return np.array(values, dtype=np.int64)
    return None


def _token(value: Any) -> int | Wrong:
    """Return the token number in a cell, -1 if the cell is empty, or why it is invalid.

    >>> _token("3.0"), _token(None), _token(-2.0)
    (3, -1, Wrong(how='negative', value='-2'))
    """
    value = value.item() if isinstance(value, np.generic) else value
    if (isinstance(value, str) and not value) or _is_missing(value):
        return -1
    written = value
    if not isinstance(value, str):
        whole = type(value) is int or (isinstance(value, float) and value.is_integer())
        written = str(int(value)) if whole else ""
    found = _WHOLE.fullmatch(written)
    if not found:
        return Wrong("text", f"{value!r:.40}")
    number = int(found[1]) if len(found[1]) < 20 else LIMIT
    if 0 <= number < LIMIT:
        return number
    return Wrong("negative" if found[1].startswith("-") else "large", written.strip()[:40])
