"""CSV and TSV: rows of text, read in chunks of a few thousand."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from itertools import islice
from typing import Any

import numpy as np

from sameas.arithmetic.arrays import Ints
from sameas.documents.mentions import join_columns
from sameas.errors import InputError, Problem, refuse_problems
from sameas.files.encoding import find_faults
from sameas.formats.table.cells import Column, TableRows, fill, text_numbers
from sameas.formats.table.columns import choose_columns

__all__ = ["read_rows"]

_BREAK = re.compile(r"\r\n|\r|\n")
_CHUNK = 1 << 12  # rows read at once, so that they fit in the cache


def read_rows(data: bytes, path: str, format: str) -> TableRows:
    """Read the rows of a text file with a header row.

    >>> read_rows(b"mention;entity\\nx;1\\n", "a.csv", "csv").texts
    {'mention': ['x']}
    """
    first = data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n").split(b"\n", 1)[0]
    usual = "\t,;" if format == "tsv" else ",;\t"
    delimiter = max(usual, key=lambda sign: first.count(sign.encode()))
    reader = _reader(data, delimiter)
    try:
        header: list[str] = next((row for row in reader if row), [])
        if not header:
            raise InputError([Problem("empty-table", path, 1, 1)])
        names = [name.strip() for name in header]
        chosen, problems = choose_columns(names, path, reader.line_num - len(_breaks(header)))
        body = _Body(chosen, len(header), path, reader.line_num)
        while part := list(islice(reader, _CHUNK)):
            body.add(part, reader.line_num)
    except csv.Error as error:
        line = _start_of_broken_row(data, delimiter)
        raise InputError([Problem("broken-csv", path, line, 1, reason=str(error))]) from None
    except UnicodeDecodeError:
        raise InputError(find_faults(data.removeprefix(b"\xef\xbb\xbf"), path)) from None
    rows = TableRows(path, format, {field: names[at] for field, at in chosen.items()}, problems)
    body.fill(rows, data, delimiter)
    return rows


def _reader(data: bytes, delimiter: str) -> Any:
    # Unlike StringIO, the wrapper does not hold the whole text at four bytes per character.
    text = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig", newline="")
    return csv.reader(text, delimiter=delimiter, strict=True)


def _start_of_broken_row(data: bytes, delimiter: str) -> int:
    reader = _reader(data, delimiter)
    line = 0
    try:
        for _ in reader:
            line = reader.line_num
    except csv.Error:
        pass
    return line + 1


def _breaks(cells: Iterable[str]) -> list[str]:
    return [found for cell in cells for found in _BREAK.findall(cell)]


class _Body:
    """The rows below a header, stored by column and added in chunks."""

    def __init__(self, chosen: dict[str, int], width: int, path: str, line: int) -> None:
        self.chosen, self.width, self.path = chosen, width, path
        self.line = line  # the number of lines up to the last row
        self.lines: list[Ints] = []
        self.uneven: list[Problem] = []
        self.mentions: list[str] = []  # not encoded, since most are unique
        self.numbers = {field: text_numbers() for field in chosen if field != "mention"}
        self.codes: dict[str, list[Ints]] = {field: [] for field in self.numbers}

    def add(self, rows: list[list[str]], line: int) -> None:
        """Add rows, the last of which ends in line number `line`."""
        at = np.arange(self.line + 1, self.line + 1 + len(rows))
        if line - self.line != len(rows):  # some cells contain line breaks
            heights = np.array([1 + len(_breaks(row)) for row in rows], dtype=np.int64)
            at = self.line + 1 + np.cumsum(heights) - heights
        self.line = line
        if set(map(len, rows)) != {self.width}:
            filled = [number for number, row in enumerate(rows) if row]
            rows, at = [rows[number] for number in filled], at[filled]
            self.uneven += [
                Problem("uneven-row", self.path, line, 1, count=len(row), width=self.width)
                for row, line in zip(rows, at.tolist(), strict=True)
                if len(row) != self.width
            ]
            if self.uneven or not rows:
                return
        columns = list(zip(*rows, strict=True))
        for field, column in self.chosen.items():
            if field == "mention":
                self.mentions += columns[column]
            else:
                numbered = map(self.numbers[field].__getitem__, columns[column])
                self.codes[field].append(np.fromiter(numbered, np.int64, len(rows)))
        self.lines.append(at)

    def fill(self, rows: TableRows, data: bytes, delimiter: str) -> None:
        """Add the columns to `rows`; raise an error if any row has too few or too many cells."""
        refuse_problems(self.uneven)
        lines = join_columns(self.lines)
        written: list[str] = []

        def column(row: int, field: str) -> int:
            if not written:
                written.extend(_BREAK.split(data.decode("utf-8-sig")))
            text, before = written[int(lines[row]) - 1], self.chosen[field]
            if '"' in text:  # a cell may contain the delimiter
                return 1
            return len(delimiter.join(text.split(delimiter)[:before])) + 1 + (before > 0)

        rows.count, rows.lines, rows.column = len(lines), lines, column
        if "mention" in self.chosen:
            fill(rows, "mention", Column(self.mentions))
        for field, parts in self.codes.items():
            fill(rows, field, Column(list(self.numbers[field]), join_columns(parts)))
