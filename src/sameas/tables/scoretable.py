"""Tables of scores: a row for each system or document, a column for each metric.

They come from CSV or JSON files of any origin, from results, and from the published record.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from sameas.chance.resampling import Floats
from sameas.errors import (
    InputError,
    Problem,
    UsageError,
    json_reason,
    refuse_problems,
    require,
    unknown,
)
from sameas.files import file_bytes
from sameas.notes import Note
from sameas.results.result import Result

__all__ = ["ScoreTable", "read_scores", "scores_of"]

#: Where a cell is, by row and column: path, line, column.
Place = Callable[[int, str], tuple[str, int, int]]
#: Labels of a row, and for each metric recall, precision and F1, as `sameas score` writes them.
Record = tuple[dict[str, str], Mapping[str, Mapping[str, Any]]]

_MISSING = ("", "nan", "na", "n/a", "none", "null", "-", "–", "—")
_LONG = ("response", "scope", "name", "metric")  # how `sameas score --csv` begins
_PARTS = {"f1": ("f1", "value"), "recall": ("recall",), "precision": ("precision",)}
# What is meant as a number, with the signs that tables put behind one.
_LIKE_A_NUMBER = re.compile(r"[-+−]?\d+([.,]\d+)*\s*[%*†‡]*")
_NUMBER = re.compile(r"[-+]?\d*\.?(\d*)(?:[eE]([-+]?\d+))?")


class _Wanted(NamedTuple):
    """What a reader is asked for."""

    columns: Sequence[str] | None
    labels: Sequence[str]
    part: Sequence[str]
    by_document: bool


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """Rows with labels (words) and scores (numbers); nan where a score is missing.

    >>> table = ScoreTable({"system": ["a", "b"]}, {"muc": np.array([50.0, 60.0])})
    >>> len(table), table.select([1]).labels
    (2, {'system': ['b']})
    """

    labels: Mapping[str, Sequence[str]]
    columns: Mapping[str, Floats]
    decimals: Mapping[str, Sequence[int]] | None = None  # of each cell, as printed
    notes: Sequence[Note] = ()

    def __len__(self) -> int:
        """The number of rows."""
        return len(next(iter(self.columns.values()), ()))

    def select(self, rows: Sequence[int]) -> ScoreTable:
        """Some of the rows, by number."""
        numbers = np.array(rows, dtype=np.int64)
        return replace(
            self,
            labels={name: [cells[n] for n in rows] for name, cells in self.labels.items()},
            columns={name: column[numbers] for name, column in self.columns.items()},
            decimals=self.decimals
            and {name: [cells[n] for n in rows] for name, cells in self.decimals.items()},
        )

    def only(self, names: Sequence[str]) -> ScoreTable:
        """Some of the columns, by name."""
        for name in names:
            if name in self.labels and name not in self.columns:
                raise UsageError("column-of-words", name=name, known=list(self.columns))
            if name not in self.columns:
                raise unknown("column", name, self.columns)
        return replace(self, columns={name: self.columns[name] for name in names})

    def by(self, group: str) -> dict[str, ScoreTable]:
        """The rows in groups, by a column or by their names; those without one are `(blank)`.

        >>> table = ScoreTable({"system": ["a.1", "a.2", "b.1"]}, {"muc": np.arange(3.0)})
        >>> {name: len(rows) for name, rows in table.by(r"(.+)\\.[0-9]").items()}
        {'a': 2, 'b': 1}
        """
        groups: dict[str, list[int]] = {}
        for number, name in enumerate(self.groups(group)):
            groups.setdefault(name or "(blank)", []).append(number)
        return {name: self.select(rows) for name, rows in groups.items()}

    def groups(self, group: str) -> list[str]:
        """The group of each row, "" for a row without one.

        `group` is a column of words, or a regular expression with a group in parentheses, which is
        looked for in the names of the rows.

        >>> table = ScoreTable({"system": ["a.1", "a.2", "other"]}, {"muc": np.arange(3.0)})
        >>> table.groups(r"(.+)\\.[0-9]")
        ['a', 'a', '']
        """
        require(group, str, "a group", "a column of words or a regular expression")
        if group in self.labels:
            return list(self.labels[group])
        if group and not set(group) & set(".+*?[]{}|^$\\("):
            raise unknown("column of words", group, self.labels)
        try:
            pattern = re.compile(group)
        except re.error as error:
            raise UsageError("not-a-pattern", pattern=group, reason=str(error)) from None
        if not pattern.groups:
            raise UsageError("group-no-parentheses", group=group, known=list(self.labels))
        found = [pattern.search(self.name(row)) for row in range(len(self))]
        if found and not any(found):
            raise UsageError("group-matches-none", group=group, name=self.name(0))
        return [match[1] or "" if match else "" for match in found]

    def name(self, row: int) -> str:
        """What a row is called: its labels, joined."""
        return " ".join(cells[row] for cells in self.labels.values() if cells[row])

    def decimals_of(self, name: str) -> Sequence[int]:
        """How many decimals the cells of a column have: as printed, or as the numbers need.

        >>> ScoreTable({}, {"muc": np.array([50.25, 60.0])}).decimals_of("muc")
        [2, 1]
        """
        if self.decimals is not None and name in self.decimals:
            return self.decimals[name]
        return [_decimals(repr(value)) for value in self.columns[name].tolist()]

    def complete(self) -> ScoreTable:
        """The rows that have every score, and a note of how many were left out.

        >>> table = ScoreTable({}, {"muc": np.array([50.0, np.nan])}).complete()
        >>> len(table), str(table.notes[0])
        (1, '1 of 2 rows left out, in which a score is missing')
        """
        whole = np.isfinite(list(self.columns.values())).all(axis=0)
        if whole.all():
            return self
        note = Note("rows-left-out", count=len(self) - int(whole.sum()), total=len(self))
        kept = self.select(np.flatnonzero(whole).tolist())
        return replace(kept, notes=[*self.notes, note])

    def records(self) -> list[dict[str, Any]]:
        """The rows as dictionaries; a missing score is None."""
        return [
            {
                **{name: cells[row] for name, cells in self.labels.items()},
                **{
                    name: None if math.isnan(column[row]) else float(column[row])
                    for name, column in self.columns.items()
                },
            }
            for row in range(len(self))
        ]

    def __add__(self, other: object) -> ScoreTable:
        """The rows of both; what only one has is missing in the other."""
        if not isinstance(other, ScoreTable):
            return NotImplemented
        parts = (self, other)
        columns = dict.fromkeys([*self.columns, *other.columns])

        def joined(
            names: Iterable[str], cells: Callable[[ScoreTable, str], Iterable[Any]]
        ) -> dict[str, list[Any]]:
            return {name: [one for part in parts for one in cells(part, name)] for name in names}

        labels = dict.fromkeys([*self.labels, *other.labels])
        numbers = joined(columns, lambda part, name: part.columns.get(name, [math.nan] * len(part)))
        return ScoreTable(
            joined(labels, lambda part, name: part.labels.get(name, [""] * len(part))),
            {name: np.array(column) for name, column in numbers.items()},
            joined(
                columns,
                lambda part, name: (
                    part.decimals_of(name) if name in part.columns else [0] * len(part)
                ),
            ),
            [*self.notes, *other.notes],
        )


def scores_of(
    results: Iterable[Result], *, part: str = "f1", by_document: bool = False
) -> ScoreTable:
    """The scores of results in percent, a row for each result or each of its documents.

    >>> import sameas
    >>> table = scores_of([sameas.score([["a", "b"]], [["a", "b"]], metrics=["muc", "b3"])])
    >>> table.columns["b3"]
    array([100.])
    """
    require(results, Iterable, "results", "a list of sameas.Result")
    records: list[Record] = []
    for result in results:
        require(result, Result, "each of the results", "a sameas.Result")
        parts = [("", result)]
        if by_document:
            parts = [(one.name, result.select([one.number])) for one in result.documents]
        for name, one in parts:
            metrics = {metric: one[metric].as_dict() for metric in one.metrics}
            records.append(({"response": result.name, "document": name}, metrics))
    return _pivot(records, _part(part), "")


def _part(part: str) -> tuple[str, ...]:
    if not isinstance(part, str) or part not in _PARTS:
        raise unknown("part", part, _PARTS)
    return _PARTS[part]


def _pivot(records: Sequence[Record], part: Sequence[str], path: str) -> ScoreTable:
    """Records of `sameas score` to a table, in percent; metrics that lack the part are left out."""
    names = dict.fromkeys(name for _, metrics in records for name in metrics)

    def value(metrics: Mapping[str, Mapping[str, Any]], name: str) -> float:
        for key in part:
            found = metrics.get(name, {}).get(key)
            if isinstance(found, (int, float)) and abs(found) <= 1:
                return 100 * found
        return math.nan

    columns = {name: np.array([value(metrics, name) for _, metrics in records]) for name in names}
    labels = {name: [labels[name] for labels, _ in records] for name in ("response", "document")}
    lacking = [name for name, column in columns.items() if np.isnan(column).all()]
    if len(lacking) == len(columns):
        raise InputError([Problem("no-part-of-any", path, part=part[0])])
    return ScoreTable(
        {name: cells for name, cells in labels.items() if any(cells)},
        {name: column for name, column in columns.items() if name not in lacking},
        notes=[Note("part-left-out", part=part[0], metrics=lacking)] if lacking else [],
    )


def read_scores(
    source: str | os.PathLike[str],
    *,
    columns: Sequence[str] | None = None,
    labels: Sequence[str] = (),
    part: str = "f1",
    by_document: bool = False,
    missing: str = "error",
) -> ScoreTable:
    """Read a table of scores: CSV or TSV with a header, or JSON.

    Columns of numbers are scores; columns of words, and those that `labels` names, are labels. The
    files that `sameas score` and
    `sameas published` write are known: of the former, `part` is f1, recall or precision, and the
    rows are systems or with `by_document` documents. `-` is standard input.

    Of the columns, or those that `columns` names, every cell must hold a number; with `missing`
    `skip`, rows in which one is missing are left out, and a note says how many; with `keep` they
    stay, as nan.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("system,muc,b3\\nfirst,50.2,40\\nsecond,60.1,45\\n")
    ...     file.flush()
    ...     read_scores(file.name).columns["b3"]
    array([40., 45.])
    """
    wanted = _Wanted(columns, labels, _part(part), by_document)
    if missing not in (policies := ("error", "skip", "keep")):
        raise unknown("missing", missing, policies)
    require(source, (str, os.PathLike), "the table of scores", "a path")
    path = os.fspath(source)
    text = _read_text(path)
    if path == "-":
        path = "<stdin>"
    read = _read_json if text.lstrip()[:1] in ("{", "[") else _read_csv
    table, place = read(text, path, wanted)
    if columns is not None:
        table = replace(table.only(columns), notes=())
    if missing == "keep":
        return table
    return table.complete() if missing == "skip" else _refuse_gaps(table, place)


def _refuse_gaps(table: ScoreTable, place: Place) -> ScoreTable:
    gaps = np.array([np.isnan(column) for column in table.columns.values()])
    problems = []
    for row, column in np.argwhere(gaps.T).tolist():
        name, of = list(table.columns)[column], table.name(row)
        values = {"metric": name, **({"how": "row", "row": of} if of else {})}
        problems.append(Problem("missing-score", *place(row, name), values=values))
    refuse_problems(problems)
    return table


def _read_text(path: str) -> str:
    data = file_bytes(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        from sameas.files.encoding import find_faults

        raise InputError(find_faults(data, path)[:1]) from None
    if not text.strip():
        raise InputError([Problem("empty-scores", path, 1, 1)])
    return text


def _read_csv(text: str, path: str, wanted: _Wanted) -> tuple[ScoreTable, Place]:
    import csv
    import io

    first = text.lstrip("\r\n").split("\n", 1)[0]
    delimiter = max(",\t;", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    rows: list[tuple[int, list[str]]] = []
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((line, [cell.strip() for cell in cells]))
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError([Problem("not-csv", path, line, 1, reason=str(error))]) from None
    (where, header), *body = rows or [(1, [])]
    _refuse_header(header, body, path, where)
    uneven = [
        Problem("uneven-cells", path, line, 1, count=len(cells), expected=len(header))
        for line, cells in body
        if len(cells) != len(header)
    ]
    refuse_problems(uneven)
    if tuple(header[: len(_LONG)]) == _LONG:
        table = _read_long(header, body, path, wanted)
        return table, lambda row, name: (path, 0, 0)
    _refuse_options(wanted, path)
    cells_of = {name: [cells[n] for _, cells in body] for n, name in enumerate(header)}
    lines = re.split(r"\r\n|\r|\n", text)

    def place(row: int, name: str) -> tuple[str, int, int]:
        line, before = body[row][0], header.index(name)
        raw = lines[line - 1] if line <= len(lines) else ""
        if '"' in raw:  # where a cell may hold the delimiter
            return path, line, 1
        return path, line, len(delimiter.join(raw.split(delimiter)[:before])) + 1 + (before > 0)

    return _columns(cells_of, place, wanted), place


def _refuse_header(header: Sequence[str], body: Sequence[object], path: str, line: int) -> None:
    again = [name for name in header if header.count(name) > 1]
    if len(header) < 2 or not body or header[0].startswith("#"):
        raise InputError([Problem("not-scores", path, line, 1)])
    if all(_number(cell) is not None for cell in header):
        raise InputError([Problem("no-header", path, line, 1)])
    if again:
        values = {"name": again[0]} if again[0] else {"how": "nameless"}
        raise InputError([Problem("columns-alike", path, line, 1, values=values)])


def _refuse_options(wanted: _Wanted, path: str) -> None:
    """Documents, recall and precision are known of what `sameas score` writes, no other table."""
    if wanted.by_document:
        raise InputError([Problem("other-table", path, how="by-document")])
    if wanted.part != _PARTS["f1"]:
        raise InputError([Problem("other-table", path, how="part", part=wanted.part[0])])


def _read_long(
    header: Sequence[str],
    body: Sequence[tuple[int, list[str]]],
    path: str,
    wanted: _Wanted,
) -> ScoreTable:
    """What `sameas score --csv` writes: one line a response, document and metric."""
    scope, part = "document" if wanted.by_document else "total", wanted.part
    found: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
    columns = [header.index(name) for name in part if name in header]
    problems = []
    for line, cells in body:
        response, its_scope, name, metric = cells[:4]
        if its_scope != scope or "." in metric:
            continue
        values = [(cells[column], _number(cells[column])) for column in columns]
        about = {"metric": metric, "name": name or response}
        if any(text and number is None for text, number in values):
            problems.append(Problem("score-not-number", path, line, 1, values=about))
        known = found.setdefault((response, name), {})
        if metric in known:
            problems.append(Problem("score-again", path, line, 1, values=about))
        known[metric] = dict(zip(part, (number for _, number in values), strict=False))
    refuse_problems(problems)
    if not found:
        raise InputError([Problem("no-scope", path, how=scope)])
    records = [
        ({"response": response, "document": name}, metrics)
        for (response, name), metrics in found.items()
    ]
    return _pivot(records, part, path)


def _read_json(text: str, path: str, wanted: _Wanted) -> tuple[ScoreTable, Place]:
    import json

    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        place_of = path, error.lineno, error.colno
        raise InputError([Problem("not-json", *place_of, reason=json_reason(error.msg))]) from None
    except (RecursionError, ValueError):  # nested too deep, or a number of thousands of digits
        raise InputError([Problem("not-scores", path, how="json")]) from None
    records = _records(data)
    if not records or not any(records):
        raise InputError([Problem("not-scores", path, 1, 1, how="json")])
    if all(isinstance(record.get("metrics"), dict) for record in records):
        table = _read_results(records, path, wanted)
        return table, lambda row, name: (path, 0, 0)
    _refuse_options(wanted, path)
    names = list(dict.fromkeys(name for record in records for name in record))
    cells_of = {name: [_cell(record.get(name)) for record in records] for name in names}

    def place(row: int, name: str) -> tuple[str, int, int]:
        return f"{path}: record {row + 1}", 0, 0

    return _columns(cells_of, place, wanted), place


def _cell(value: object) -> str:
    if value is None or value != value:
        return ""
    return value if isinstance(value, str) else repr(value).removesuffix(".0")


def _records(data: Any) -> list[dict[str, Any]] | None:
    """A list of records, from the shapes in which JSON tables come."""
    if isinstance(data, list) and all(isinstance(record, dict) for record in data):
        return data
    if not isinstance(data, dict):
        return None
    values = list(data.values())
    if "metrics" in data or any(isinstance(value, (int, float)) for value in values):
        return [data]  # one row
    if values and all(isinstance(value, dict) for value in values):  # rows by name
        return [{"name": name, **row} for name, row in data.items()]
    if values and all(isinstance(value, list) for value in values):  # columns by name
        if len({len(value) for value in values}) > 1:
            return None
        return [dict(zip(data, row, strict=True)) for row in zip(*values, strict=True)]
    return None


def _read_results(records: Sequence[dict[str, Any]], path: str, wanted: _Wanted) -> ScoreTable:
    """What `sameas score --json` writes."""
    found: list[Record] = []
    for record in records:
        response = str(record.get("response", ""))
        if not wanted.by_document:
            found.append(({"response": response, "document": ""}, record["metrics"]))
            continue
        documents = record.get("by_document")
        if not isinstance(documents, list):
            raise InputError([Problem("no-documents-of", path, response=response)])
        for document in documents:
            metrics = document.get("metrics") if isinstance(document, dict) else None
            name = str(document.get("document", "")) if isinstance(document, dict) else ""
            found.append(({"response": response, "document": name}, metrics))  # type: ignore[arg-type]
    for _, metrics in found:
        if not isinstance(metrics, dict) or not all(
            isinstance(score, dict) for score in metrics.values()
        ):
            raise InputError([Problem("not-score-json", path)])
    return _pivot(found, wanted.part, path)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and "_" not in text else None


def _decimals(text: str) -> int:
    """How many decimals a number has as it is written.

    >>> _decimals("50.20"), _decimals("50"), _decimals("1e-3")
    (2, 0, 3)
    """
    found = _NUMBER.fullmatch(text)
    return max(0, len(found[1]) - int(found[2] or 0)) if found else 0


def _columns(
    cells_of: Mapping[str, Sequence[str]],
    place: Place,
    wanted: _Wanted,
) -> ScoreTable:
    """Words and numbers apart: a column most of whose cells look like numbers is one of scores."""
    labels: dict[str, list[str]] = {}
    columns: dict[str, Floats] = {}
    decimals: dict[str, list[int]] = {}
    wrong: list[tuple[int, str]] = []
    for name, cells in cells_of.items():
        numbers = [_number(cell) for cell in cells]
        missing = [cell.lower() in _MISSING for cell in cells]
        alike = sum(
            number is not None or _LIKE_A_NUMBER.fullmatch(cell) is not None
            for cell, number in zip(cells, numbers, strict=True)
        )
        if not name or name in wanted.labels or alike * 2 <= len(cells) - sum(missing):
            labels[name or "name"] = list(cells)
            continue
        if wanted.columns is None or name in wanted.columns:
            wrong += (
                (row, name)
                for row, (number, lacks) in enumerate(zip(numbers, missing, strict=True))
                if number is None and not lacks
            )
        columns[name] = np.array([math.nan if number is None else number for number in numbers])
        decimals[name] = [_decimals(cell) for cell in cells]
    if wrong:
        problems = []
        for row, name in sorted(wrong, key=lambda one: one[0]):
            cell = cells_of[name][row]
            signs = {"how": "signs"} if _LIKE_A_NUMBER.fullmatch(cell) else {}
            values = {"metric": name, "cell": cell, **signs}
            problems.append(Problem("cell-not-number", *place(row, name), values=values))
        raise InputError(problems)
    if not columns:
        path, *_ = place(0, next(iter(cells_of)))
        raise InputError([Problem("no-numbers", path)])
    return ScoreTable(labels, columns, decimals)
