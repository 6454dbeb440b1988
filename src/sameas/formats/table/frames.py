"""Parquet and Arrow files, and frames in memory: pandas, polars, pyarrow, or mappings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from sameas.documents.clusters import is_listing
from sameas.errors import InputError, Problem, UsageError, how_to_install
from sameas.formats.declarations import FORMATS
from sameas.formats.table.cells import Column, TableRows, fill
from sameas.formats.table.columns import choose_columns, find_field

__all__ = ["arrow_for", "is_table", "membership", "read_arrow", "read_frame"]


#: What pyarrow raises, besides its own errors, for a file that it cannot read.
_BROKEN = (OSError, ValueError, MemoryError, OverflowError, LookupError, TypeError, RuntimeError)


def is_table(source: object) -> bool:
    """Return whether a value is a data frame, or a mapping from names to columns.

    >>> is_table({"mention": ["x"], "entity": ["1"]}), is_table([["x", "y"]]), is_table("a.csv")
    (True, False, False)
    """
    if isinstance(source, Mapping):
        return all(isinstance(name, str) for name in source)
    if isinstance(source, type):  # classes have these attributes as well
        return False
    return _is_pandas(source) or any(
        hasattr(source, name) for name in ("__arrow_c_stream__", "__arrow_c_array__")
    )


def membership(source: Any, role: str = "key") -> dict[str, list[Any]] | None:
    """Return the two columns of a mapping (or pandas Series) from records to clusters, or None.

    A mapping of names to columns does not count, since its values are lists.

    >>> membership({"r1": "x", "r2": "x"})
    {'record': ['r1', 'r2'], 'cluster': ['x', 'x']}
    >>> membership({"mention": ["r1", "r2"], "entity": ["x", "x"]}) is None
    True
    """
    if isinstance(source, Mapping):
        if not source or any(map(is_listing, source.values())):
            if not _names_columns(source):
                raise UsageError("mapping-not-columns", role=role)
            return None
        if _names_columns(source, "entity"):  # a table with a single row
            return None
        return {"record": list(source), "cluster": list(source.values())}
    if isinstance(source, type) or not _is_series(source):
        return None
    if source.index.nlevels > 1:
        raise UsageError("series-levels", role=role, levels=source.index.nlevels)
    return {"record": source.index.tolist(), "cluster": source.tolist()}


def _names_columns(mapping: Mapping[Any, Any], *fields: str) -> bool:
    """Return whether any key is the name of a column for one of `fields` (default: all fields)."""
    found = {find_field(name) for name in mapping if isinstance(name, str)} - {None}
    return bool(found.intersection(fields) if fields else found)


def _package(value: object) -> str:
    """Return the package of a value's type."""
    return type(value).__module__.partition(".")[0]


def _is_series(source: object) -> bool:
    """Return whether a value is a pandas Series."""
    return (
        _package(source) == "pandas"
        and all(hasattr(source, name) for name in ("index", "tolist", "to_frame", "dtype"))
        and not hasattr(source, "levels")
    )


def _is_pandas(source: object) -> bool:
    """Return whether a value is a pandas frame; reading one does not need pyarrow."""
    return _package(source) == "pandas" and hasattr(source, "columns")


def arrow_for(how: str, what: str, path: str = "") -> Any:
    """Import pyarrow, or raise an error that names what needs it.

    `how` is `reading`, `frame` or `writing`.
    """
    try:
        return import_module("pyarrow")
    except ImportError:
        command = how_to_install("pyarrow")
        problem = Problem("needs-pyarrow", path, how=how, what=what, command=command)
        raise InputError([problem]) from None


def read_arrow(data: bytes, path: str, format: str) -> TableRows:
    """Read the rows of a Parquet or Arrow file."""
    what = FORMATS[format].title
    arrow = arrow_for("reading", what, path)
    if not data:
        raise InputError([Problem("empty-file", path)])
    try:
        header, select = _open(arrow, data, path, format)
        rows = _empty_rows([str(name) for name in header], path, format)[0]
        table = select(list(rows.names.values()))
        table.validate(full=True)  # damaged offsets and texts raise an error instead of crashing
        columns = {field: table.column(name) for field, name in rows.names.items()}
    except (arrow.ArrowException, *_BROKEN) as error:
        problem = Problem("broken-table", path, format=what, reason=_reason(error))
        raise InputError([problem]) from None
    return _filled(rows, columns)


def _open(
    arrow: Any, data: bytes, path: str, format: str
) -> tuple[list[Any], Callable[[list[str]], Any]]:
    """Return the column names of a file, and a function that reads some of the columns."""
    source = arrow.BufferReader(data)
    if format == "parquet":
        file = import_module("pyarrow.parquet").ParquetFile(source)
        return file.schema_arrow.names, file.read
    if data[:4] == b"FEA1":
        raise InputError([Problem("feather-1", path)])
    stream = arrow.ipc.open_file if data[:6] == b"ARROW1" else arrow.ipc.open_stream
    table = stream(source).read_all()
    return table.column_names, table.select


def _empty_rows(names: Sequence[str], path: str, format: str) -> tuple[TableRows, dict[str, int]]:
    """Return empty rows for a header, and the index of each field's column."""
    chosen, problems = choose_columns(names, path)
    return TableRows(path, format, {f: names[n] for f, n in chosen.items()}, problems), chosen


def _reason(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def read_frame(frame: Any, role: str) -> TableRows:
    """Read the rows of a data frame; `role` names it in errors."""
    if isinstance(frame, Mapping):
        names, given = list(frame), list(frame.values())
    elif _is_pandas(frame):
        if any(name is not None for name in frame.index.names):
            frame = frame.reset_index()
        names = [str(name) for name in frame.columns]
        given = [frame.iloc[:, number] for number in range(len(names))]
    else:
        table = _table_of(frame, role)
        names, given = [str(name) for name in table.column_names], table.columns
    rows, chosen = _empty_rows(names, role, "table")
    columns = {
        field: _column(given[number], names[number], role) for field, number in chosen.items()
    }
    if len({len(values) for values in columns.values()}) > 1:
        lengths = [f"{rows.names[field]} {len(values)}" for field, values in columns.items()]
        raise InputError([Problem("other-lengths", role, lengths=lengths)])
    return _filled(rows, columns)


def _table_of(frame: Any, role: str) -> Any:
    package = _package(frame)
    arrow = arrow_for("frame", package, role)
    try:
        table = arrow.table(frame)
        table.validate(full=True)
    except Exception as error:  # the frame's own code may raise anything
        values = {"role": role, "package": package, "kind": type(frame).__name__}
        raise UsageError("frame-not-table", reason=_reason(error), **values) from None
    return table


def _column(values: Any, name: str, role: str) -> Any:
    """Return a column of a frame as an Arrow array or a list.

    Columns of pyarrow stay Arrow arrays; those of pandas become Arrow arrays if possible.
    """
    if _package(values) == "pyarrow":
        return values
    if _package(values) == "pandas":
        try:
            return import_module("pyarrow").array(values, from_pandas=True)
        except Exception:  # no pyarrow, or values of several types
            return list(values)
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise UsageError("column-not-list", name=name, role=role, value=values)
    return values.tolist() if isinstance(values, np.ndarray) else list(values)


def _filled(rows: TableRows, columns: Mapping[str, Any]) -> TableRows:
    """Add columns (Arrow arrays or lists) to the rows, and return the rows."""
    rows.count = len(next(iter(columns.values())))
    for field, values in columns.items():
        in_arrow = _package(values) == "pyarrow"
        fill(rows, field, _arrow_column(values, rows, field) if in_arrow else Column(values))
    return rows


def _arrow_column(values: Any, rows: TableRows, field: str) -> Column:
    """Convert an Arrow column to distinct values with indices, or to one value per row."""
    types = import_module("pyarrow").types
    values = _plain(values, rows, field)
    if types.is_null(values.type):
        return Column([], np.full(len(values), -1, dtype=np.int64))
    exact = 1 << 53
    if types.is_floating(values.type):
        exact = 1 << {16: 11, 32: 24, 64: 53}[values.type.bit_width]
    if not values.null_count and field in ("mention", "start", "end"):  # most values are unique
        return Column(values.to_numpy(zero_copy_only=False).tolist(), None, exact)
    encoded = values.dictionary_encode()
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    return Column(encoded.dictionary.to_numpy(zero_copy_only=False).tolist(), codes, exact)


def _plain(values: Any, rows: TableRows, field: str) -> Any:
    """Convert an Arrow column to a single array of text, integers, floats or nulls."""
    arrow = import_module("pyarrow")
    types, kind = arrow.types, values.type
    if types.is_dictionary(kind):
        kind = kind.value_type
        if str(kind) == "string_view":  # the string type of polars, which Arrow cannot cast
            kind = arrow.large_string()
            parts = values.chunks if isinstance(values, arrow.ChunkedArray) else [values]
            texts = [part.dictionary.cast(kind).take(part.indices) for part in parts]
            values = arrow.chunked_array(texts, type=kind)
        else:
            values = values.cast(kind)
    is_text = types.is_string(kind) or str(kind) == "string_view"
    if is_text or (types.is_decimal(kind) and kind.scale == 0):
        # 32-bit offsets of a single array would overflow beyond two gigabytes of text.
        values = values.cast(arrow.large_string())
    elif not (
        types.is_large_string(kind)
        or types.is_integer(kind)
        or types.is_floating(kind)
        or types.is_null(kind)
    ):
        how = "place" if field in ("start", "end") else "identifier"
        name = rows.names[field]
        raise InputError([Problem("column-type", rows.path, name=name, kind=str(kind), how=how)])
    if isinstance(values, arrow.ChunkedArray):
        values = values.combine_chunks()
    return values
