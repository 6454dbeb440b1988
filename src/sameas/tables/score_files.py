"""Read tables of scores: CSV, TSV and JSON from any source, and the output of sameas itself."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from sameas.chance.resampling import Floats
from sameas.errors import InputError, Problem, json_reason, refuse_problems, require, unknown
from sameas.files import file_bytes
from sameas.tables.scoretable import PARTS, Record, ScoreTable, count_decimals, table_of

__all__ = ["read_scores"]

#: The position of a cell, by row and column name: path, line, column.
CellPlace = Callable[[int, str], tuple[str, int, int]]
#: The content of a file: records of `sameas score`, or the cells of each column.
_Found = list[Record] | dict[str, list[str]]

_MISSING = ("", "nan", "na", "n/a", "none", "null", "-", "–", "—")
_LONG = ("response", "scope", "name", "metric")  # first columns of `sameas score --csv`
# A cell that is meant as a number, including the marks that tables append.
_LIKE_A_NUMBER = re.compile(r"[-+−]?\d+([.,]\d+)*\s*[%*†‡]*")


class _Options(NamedTuple):
    """The options of a reader."""

    columns: Sequence[str] | None
    labels: Sequence[str]
    part: str
    by_document: bool


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

    Columns of numbers are scores, columns of words are labels. The output of `sameas score` and
    `sameas published` is recognised.

    Parameters
    ----------
    source
        The path of the file; `-` is standard input.
    columns, labels
        The columns of scores to read (default: all), and columns of numbers to read as labels.
    part, by_document
        For the output of `sameas score`: `f1`, `recall` or `precision`; and whether rows are
        documents instead of systems.
    missing
        What to do with missing scores: `error`; `skip` the row, and note how many; or `keep`
        them as nan.

    Returns
    -------
    ScoreTable
        The scores and labels.

    Raises
    ------
    InputError
        When the file is not a table of scores.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("system,muc,b3\\nfirst,50.2,40\\nsecond,60.1,45\\n")
    ...     file.flush()
    ...     read_scores(file.name).columns["b3"]
    array([40., 45.])
    """
    if not isinstance(part, str) or part not in PARTS:
        raise unknown("part", part, PARTS)
    options = _Options(columns, labels, part, by_document)
    if missing not in (policies := ("error", "skip", "keep")):
        raise unknown("missing", missing, policies)
    require(source, (str, os.PathLike), "the table of scores", "a path")
    table, place = _read_table(os.fspath(source), options)
    if columns is not None:
        table = replace(table.only(columns), notes=())
    if missing == "keep":
        return table
    return table.complete() if missing == "skip" else _refuse_gaps(table, place)


def _read_table(path: str, options: _Options) -> tuple[ScoreTable, CellPlace]:
    text = _read_text(path)
    if path == "-":
        path = "<stdin>"
    read = _read_json if text.lstrip()[:1] in ("{", "[") else _read_csv
    found, place = read(text, path, options)
    if isinstance(found, list):
        return table_of(found, options.part, path), place
    _refuse_options(options, path)
    return _columns(found, place, options), place


def _refuse_gaps(table: ScoreTable, place: CellPlace) -> ScoreTable:
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


def _read_csv(text: str, path: str, options: _Options) -> tuple[_Found, CellPlace]:
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
        return _read_long(header, body, path, options), lambda row, name: (path, 0, 0)
    cells_of = {name: [cells[n] for _, cells in body] for n, name in enumerate(header)}
    lines = re.split(r"\r\n|\r|\n", text)

    def place(row: int, name: str) -> tuple[str, int, int]:
        line, before = body[row][0], header.index(name)
        raw = lines[line - 1] if line <= len(lines) else ""
        if '"' in raw:  # a quoted cell may contain the delimiter
            return path, line, 1
        return path, line, len(delimiter.join(raw.split(delimiter)[:before])) + 1 + (before > 0)

    return cells_of, place


def _refuse_header(header: Sequence[str], body: Sequence[object], path: str, line: int) -> None:
    repeated = [name for name in header if header.count(name) > 1]
    if len(header) < 2 or not body or header[0].startswith("#"):
        raise InputError([Problem("not-scores", path, line, 1)])
    if not any(math.isnan(_number(cell)) for cell in header):
        raise InputError([Problem("no-header", path, line, 1)])
    if repeated:
        values = {"name": repeated[0]} if repeated[0] else {"how": "nameless"}
        raise InputError([Problem("columns-alike", path, line, 1, values=values)])


def _refuse_options(options: _Options, path: str) -> None:
    """Reject `by_document` and `part` for tables that `sameas score` did not write."""
    if options.by_document or options.part != "f1":
        how = "by-document" if options.by_document else "part"
        raise InputError([Problem("other-table", path, how=how, part=options.part)])


def _read_long(
    header: Sequence[str], body: Sequence[tuple[int, list[str]]], path: str, options: _Options
) -> list[Record]:
    """Read the output of `sameas score --csv`: one line per response, document and metric."""
    scope = "document" if options.by_document else "total"
    found: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
    columns = {name: header.index(name) for name in PARTS[options.part] if name in header}
    problems = []
    for line, cells in body:
        response, its_scope, name, metric = cells[:4]
        if its_scope != scope or "." in metric:
            continue
        values = {part: _number(cells[column]) for part, column in columns.items()}
        about = {"metric": metric, "name": name or response}
        if any(cells[columns[part]] and math.isnan(number) for part, number in values.items()):
            problems.append(Problem("score-not-number", path, line, 1, values=about))
        known = found.setdefault((response, name), {})
        if metric in known:
            problems.append(Problem("score-again", path, line, 1, values=about))
        known[metric] = values
    refuse_problems(problems)
    if not found:
        raise InputError([Problem("no-scope", path, how=scope)])
    return [
        ({"response": response, "document": name}, metrics)
        for (response, name), metrics in found.items()
    ]


def _read_json(text: str, path: str, options: _Options) -> tuple[_Found, CellPlace]:
    import json

    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        place_of = path, error.lineno, error.colno
        raise InputError([Problem("not-json", *place_of, reason=json_reason(error.msg))]) from None
    except (RecursionError, ValueError):  # nesting too deep, or thousands of digits
        raise InputError([Problem("not-scores", path, how="json")]) from None
    records = _records(data)
    if not records or not any(records):
        raise InputError([Problem("not-scores", path, 1, 1, how="json")])
    if all(isinstance(record.get("metrics"), dict) for record in records):
        return _read_results(records, path, options), lambda row, name: (path, 0, 0)
    names = list(dict.fromkeys(name for record in records for name in record))
    cells_of = {name: [_cell(record.get(name)) for record in records] for name in names}
    return cells_of, lambda row, name: (f"{path}: record {row + 1}", 0, 0)


def _cell(value: object) -> str:
    if value is None or value != value:
        return ""
    return value if isinstance(value, str) else repr(value).removesuffix(".0")


def _records(data: Any) -> list[dict[str, Any]] | None:
    """Return the records in any of the common layouts of JSON tables; None for other data."""
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


def _read_results(records: Sequence[dict[str, Any]], path: str, options: _Options) -> list[Record]:
    """Read the output of `sameas score --json`."""
    found: list[Record] = []
    for record in records:
        response = str(record.get("response", ""))
        documents = record.get("by_document") if options.by_document else [record]
        if not isinstance(documents, list):
            raise InputError([Problem("no-documents-of", path, response=response)])
        for document in documents:
            metrics = document.get("metrics") if isinstance(document, dict) else None
            if not isinstance(metrics, dict) or not all(
                isinstance(score, dict) for score in metrics.values()
            ):
                raise InputError([Problem("not-score-json", path)])
            name = str(document.get("document", "")) if options.by_document else ""
            found.append(({"response": response, "document": name}, metrics))
    return found


def _number(text: str) -> float:
    """Return the number in a text; nan if the text is not a finite number."""
    try:
        number = float(text)
    except ValueError:
        return math.nan
    return number if math.isfinite(number) and "_" not in text else math.nan


def _columns(
    cells_of: Mapping[str, Sequence[str]], place: CellPlace, options: _Options
) -> ScoreTable:
    """Divide the columns into labels (words) and scores (numbers)."""
    labels: dict[str, list[str]] = {}
    columns: dict[str, Floats] = {}
    decimals: dict[str, list[int]] = {}
    wrong: list[tuple[int, str]] = []
    for name, cells in cells_of.items():
        if not name or name in options.labels or not _are_scores(cells):
            labels[name or "name"] = list(cells)
            continue
        columns[name] = np.array([_number(cell) for cell in cells])
        decimals[name] = [count_decimals(cell) for cell in cells]
        if options.columns is None or name in options.columns:
            missing = np.flatnonzero(np.isnan(columns[name])).tolist()
            wrong += [(row, name) for row in missing if cells[row].lower() not in _MISSING]
    problems = []
    for row, name in sorted(wrong, key=lambda one: one[0]):
        cell = cells_of[name][row]
        signs = {"how": "signs"} if _LIKE_A_NUMBER.fullmatch(cell) else {}
        values = {"metric": name, "cell": cell, **signs}
        problems.append(Problem("cell-not-number", *place(row, name), values=values))
    refuse_problems(problems)
    if not columns:
        path, *_ = place(0, next(iter(cells_of)))
        raise InputError([Problem("no-numbers", path)])
    return ScoreTable(labels, columns, decimals)


def _are_scores(cells: Sequence[str]) -> bool:
    """Return whether more than half of the non-empty cells look like numbers."""
    given = sum(cell.lower() not in _MISSING for cell in cells)
    numbers = sum(
        bool(not math.isnan(_number(one)) or _LIKE_A_NUMBER.fullmatch(one)) for one in cells
    )
    return numbers * 2 > given
