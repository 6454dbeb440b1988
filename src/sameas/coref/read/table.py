"""Tables of mentions, one a row: CSV, TSV, Parquet, Arrow, and data frames in memory.

Columns are `document, mention, entity`, where a mention is an identifier, or
`document, start, end, entity`, where `start` and `end` are its first and its last token: the end is
included, and tokens count from 0. Without a column `document` all rows are one document. A column
`span` instead of `start` and `end` has places that two numbers cannot say: `0-1,3` is a mention of
two pieces, `7.1` the first empty node after seven words, and `7.0.1` the first one in front of the
sentence that begins there (0.1 in CoNLL-U).

Identifiers are compared as text: 12 in Parquet is `12` in CSV. Whatever the format, each column
becomes numbers and the few different texts behind them (`Codes`), but for the identifiers of
mentions, most of which come once; documents are cut from these without a look at single rows.
"""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import islice
from operator import itemgetter
from pathlib import PurePath
from typing import Any, NamedTuple

import numpy as np

from sameas.coref.document import (
    INITIAL,
    KIND_NAMES,
    KINDS,
    Bools,
    Corpus,
    Document,
    Ints,
    Mention,
    Origin,
    WrittenAnnotation,
    WrittenText,
    Zero,
    node,
)
from sameas.encoding import find_faults
from sameas.errors import InputError, Problem, UsageError, how_to_install, shortened, suggest

__all__ = [
    "TABLE_FORMATS",
    "TableDocument",
    "choose_columns",
    "is_table",
    "membership",
    "read_table",
    "table_corpus",
]

TABLE_FORMATS = ("csv", "tsv", "parquet", "arrow")

#: What columns are called, our own name first; case, blanks, `_` and `-` do not matter.
NAMES: dict[str, tuple[str, ...]] = {
    "document": ("document", "doc", "doc_id", "document_id", "doc_key"),
    "mention": ("mention", "mention_id", "record", "record_id", "id"),
    "start": ("start", "first", "begin"),
    "end": ("end", "last"),
    "span": ("span",),
    "entity": ("entity", "entity_id", "cluster", "cluster_id", "label"),
    "type": ("type", "entity_type"),
    "kind": ("kind",),
    "head": ("head",),
    "topic": ("topic",),
    "genre": ("genre",),
    "split": ("split",),
}
META = ("topic", "genre", "split")  # of a document
PLACES = (("mention",), ("start", "end"), ("span",))  # the ways to say which mention it is

_FIELDS = {name.replace("_", ""): field for field, names in NAMES.items() for name in names}
_LAYOUT = "columns are document, mention, entity or document, start, end, entity"
_NOTHING = ("nan", "na", "n/a", "<na>", "none", "null")
_WHOLE = re.compile(r"\s*(-?\d+)(?:\.0*)?\s*", re.ASCII)
_PIECE = re.compile(r"(\d{1,13})(?:-(\d{1,13})|\.(0\.)?([1-9]\d{0,4}))?", re.ASCII)
_PANDAS_INDEX = re.compile(r"__index_level_\d+__")
_BREAK = re.compile(r"\r\n|\r|\n")
_CHUNK = 1 << 12  # rows of CSV read at once: few enough that they stay in the cache
_SHOWN = 20  # rows of one kind of mistake that are named
LIMIT = 1 << 40  # of token numbers


class TableDocument(Document):
    """A document of a table: its mentions are identifiers, or as in any other document.

    >>> table_corpus({"mention": ["x", "y"], "entity": [1, 1]}).documents[0].entities
    (Entity(id='1', mentions=('x', 'y'), type=None),)
    """

    __slots__ = ("lines",)
    lines: Ints | None  # of a text file, the line of each mention

    @property
    def holds_records(self) -> bool:
        """Whether its mentions are identifiers, as of records."""
        return self.first is None

    def place(self, mention: int) -> tuple[int, int]:
        """Line and column of the row of mention number `mention`; (0, 0) if there are no lines."""
        return (0, 0) if self.lines is None else (int(self.lines[mention]), 1)


class Codes(NamedTuple):
    """A column of text: the number of each row's label, -1 where it is missing."""

    codes: Ints
    labels: Sequence[str]

    def texts(self) -> list[str]:
        """The label of each row, empty where it is missing."""
        return list(map([*self.labels, ""].__getitem__, self.codes.tolist()))


class Whole(NamedTuple):
    """A column of whole numbers, -1 where one is missing or not to be used; `wrong` says why."""

    values: Ints
    wrong: Mapping[int, str]


@dataclass
class Rows:
    """The columns that are used, by field, and where they come from."""

    path: str
    format: str
    count: int
    codes: dict[str, Codes]
    whole: dict[str, Whole]
    texts: dict[str, list[str]]  # of the mentions, empty where one is missing
    names: dict[str, str]  # of the columns, as they are written
    problems: list[Problem]
    lines: Ints | None = None  # of each row in a text file
    column: Callable[[int, str], int] | None = None  # where a field begins in the line of a row

    def problem(self, row: int, field: str, what: str, hint: str = "") -> Problem:
        """What is wrong with one row, with its line and column, or else its number from 1."""
        if self.lines is None or self.column is None:
            return Problem(f"row {row + 1}: {what}", self.path, hint=hint)
        return Problem(what, self.path, int(self.lines[row]), self.column(row, field), hint)


# ---------------------------------------------------------------------------------------------
# Files and frames
# ---------------------------------------------------------------------------------------------


def read_table(data: bytes, path: str = "", *, format: str) -> Corpus:
    r"""Read the documents of a table of mentions: `csv`, `tsv`, `parquet` or `arrow`.

    `start` and `end` are the first and the last token of a mention, the end included. A row that
    has a document and nothing else says that the document has no mentions. Arrow may be a file
    (Feather, too) or a stream; Parquet and Arrow need pyarrow.

    >>> read_table(b"document,start,end,entity\na,0,1,x\na,4,4,x\n", format="csv").documents
    [<Document 'a': 0 tokens, 2 mentions, 1 entities>]
    """
    if format not in TABLE_FORMATS:
        raise UsageError(f"unknown format {format}: {suggest(str(format), TABLE_FORMATS)}")
    if format in ("csv", "tsv"):
        return _corpus(_read_text(data, path, format))
    return _corpus(_read_arrow(data, path, format))


def is_table(source: object) -> bool:
    """Whether it is a data frame, or a mapping of names to columns.

    >>> is_table({"mention": ["x"], "entity": ["1"]}), is_table([["x", "y"]]), is_table("a.csv")
    (True, False, False)
    """
    if isinstance(source, Mapping):
        return all(isinstance(name, str) for name in source)
    if isinstance(source, type):  # classes have these attributes, too
        return False
    return _is_pandas(source) or any(
        hasattr(source, name) for name in ("__arrow_c_stream__", "__arrow_c_array__")
    )


def membership(source: Any, role: str = "key") -> dict[str, list[Any]] | None:
    """The columns of a mapping, or pandas Series, of records to clusters; None of anything else.

    A mapping of names to columns is another thing: its values are lists.

    >>> membership({"r1": "x", "r2": "x"})
    {'mention': ['r1', 'r2'], 'entity': ['x', 'x']}
    >>> membership({"mention": ["r1", "r2"], "entity": ["x", "x"]}) is None
    True
    """
    if isinstance(source, Mapping):
        if not source or any(map(_is_column, source.values())):
            if not _names_columns(source):
                raise UsageError(
                    f"the {role} is a mapping, and its keys are not names of columns ({_LAYOUT}); "
                    "of clusters by name pass list(clusters.values())"
                )
            return None
        if _names_columns(source, "entity"):  # of a single row
            return None
        return {"mention": list(source), "entity": list(source.values())}
    if isinstance(source, type) or not _is_series(source):
        return None
    if source.index.nlevels > 1:
        raise UsageError(
            f"the {role} is a Series with an index of {source.index.nlevels} levels; expected the "
            "clusters of records, indexed by record"
        )
    return {"mention": source.index.tolist(), "entity": source.tolist()}


def _names_columns(mapping: Mapping[Any, Any], *fields: str) -> bool:
    """Whether one of the keys is the name of a column, of these fields or of any."""
    found = {_field(name) for name in mapping if isinstance(name, str)} - {None}
    return bool(found.intersection(fields) if fields else found)


def _is_column(value: object) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes))


def _is_series(source: object) -> bool:
    """Whether it is a pandas Series."""
    return (
        type(source).__module__.partition(".")[0] == "pandas"
        and all(hasattr(source, name) for name in ("index", "tolist", "to_frame", "dtype"))
        and not hasattr(source, "levels")
    )


def _is_pandas(source: object) -> bool:
    """Whether it is a pandas frame; those need no pyarrow."""
    return type(source).__module__.partition(".")[0] == "pandas" and hasattr(source, "columns")


def table_corpus(frame: Any, role: str = "key") -> Corpus:
    """The documents of a data frame: of pandas, polars, pyarrow, or a mapping of names to columns.

    The columns are those of `read_table`; `role` (key or response) names the frame in errors.

    >>> frame = {"document": ["a", "a", "b"], "mention": [1, 2, 1], "entity": ["x", "x", "y"]}
    >>> table_corpus(frame).documents
    [<Document 'a': 0 tokens, 2 mentions, 1 entities>, <Document 'b': 0 tokens, 1 mentions, 1 entities>]
    """  # noqa: E501
    if not is_table(frame):
        raise UsageError(
            f"the {role} must be a table of mentions, a data frame or a mapping of names to "
            f"columns, not {type(frame).__name__}"
        )
    return _corpus(_read_frame(frame, role))


def _pyarrow(what: str, path: str = "") -> Any:
    try:
        return import_module("pyarrow")
    except ImportError:
        hint = how_to_install("pyarrow")
        raise InputError([Problem(f"reading {what} needs pyarrow", path, hint=hint)]) from None


def _field(name: str) -> str | None:
    """What a column of this name holds."""
    return _FIELDS.get(re.sub(r"[\s_-]+", "", name).casefold())


def choose_columns(
    names: Sequence[str], path: str, line: int = 0
) -> tuple[dict[str, int], list[Problem]]:
    """Which column is which, by field; a warning names those that are not used.

    >>> choose_columns(["doc_id", "record", "cluster"], "a.csv")
    ({'document': 0, 'mention': 1, 'entity': 2}, [])
    """
    shown = shortened(", ".join(name or '""' for name in names)) if len(names) else "none"
    found: dict[str, list[int]] = {}
    unused = []
    for number, name in enumerate(names):
        field = _field(name)
        if field:
            found.setdefault(field, []).append(number)
        elif not _PANDAS_INDEX.fullmatch(name):
            unused.append(name)
    problems: list[Problem] = []

    def wrong(message: str, hint: str) -> None:
        problems.append(Problem(message, path, line, 1 if line else 0, hint))

    again = next((name for name in names if name and list(names).count(name) > 1), None)
    if again is not None:
        wrong(f"two columns are called {again}", f"the columns are {shown}")
    else:
        for field, columns in found.items():
            if len(columns) > 1:
                which = ", ".join(names[column] for column in columns)
                wrong(f"several columns may be the {field}: {which}", "keep one of them")
    ways = [way for way in PLACES if any(field in found for field in way)]
    if len(ways) > 1 and ("start", "end") in ways and {"start", "end"} <= found.keys():
        # Places say which mention it is; another column has its words, or a number.
        for field in ("mention", "span"):
            unused += [names[column] for column in found.pop(field, [])]
        ways = [("start", "end")]
    if not found:
        wrong(f"none of the columns is known: {shown}", f"{_LAYOUT}; a first line names them")
    elif len(ways) > 1:
        which = " and ".join(", ".join(names[found[f][0]] for f in w if f in found) for w in ways)
        hint = "keep the column of identifiers or those of places"
        wrong(f"several columns say which mention it is: {which}", hint)
    else:
        needed = [*(ways[0] if ways else ("mention",)), "entity"]
        for field in [field for field in needed if field not in found]:
            called = ", ".join(NAMES[field][:-1])
            called = f"{called} or {NAMES[field][-1]}" if called else field
            hint = f"it is called {called}"
            if not ways and field == "mention":
                hint += "; or start and end are the first and the last token"
            wrong(f"no column of the {field} among {shown}", hint)
    if problems:
        raise InputError(problems)
    chosen = {field: columns[0] for field, columns in found.items()}
    if "mention" in chosen and "head" in chosen:
        unused.append(names[chosen.pop("head")])  # the head of what is no place in a text
    if unused:
        listed = shortened(", ".join(name or '""' for name in unused))
        which = "column is" if len(unused) == 1 else "columns are"
        place = (path, line, 1 if line else 0)
        problems.append(Problem(f"{which} passed over: {listed}", *place, severity="warning"))
    return chosen, problems


# --- CSV and TSV --------------------------------------------------------------------------------


def _read_text(data: bytes, path: str, format: str) -> Rows:
    try:
        return _read_cells(data, path, format)
    except UnicodeDecodeError:
        pass
    data = data.removeprefix(b"\xef\xbb\xbf")
    raise InputError([fault.problem(path) for fault in find_faults(data)])


def _read_cells(data: bytes, path: str, format: str) -> Rows:
    first = data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n").split(b"\n", 1)[0]
    usual = "\t,;" if format == "tsv" else ",;\t"
    delimiter = max(usual, key=lambda sign: first.count(sign.encode()))
    reader = _reader(data, delimiter)
    try:
        header: list[str] = next((row for row in reader if row), [])
        if not header:
            raise InputError([Problem("the table is empty", path, 1, 1, _LAYOUT)])
        names = [name.strip() for name in header]
        start = reader.line_num - len(_breaks(header))
        chosen, problems = choose_columns(names, path, start)
        body = _Body(chosen, len(header), path, reader.line_num)
        while rows := list(islice(reader, _CHUNK)):
            body.add(rows, reader.line_num)
    except csv.Error as error:
        hint = "a cell with quotes in it is written between quotes, each of its own twice"
        line = _start_of_broken_row(data, delimiter)
        raise InputError([Problem(f"not a table: {error}", path, line, 1, hint)]) from None
    return body.rows(format, names, problems, data, delimiter)


def _reader(data: bytes, delimiter: str) -> Any:
    # Unlike StringIO, the wrapper does not hold the whole text at four bytes a character.
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


def _numbering() -> defaultdict[str, int]:
    """Numbers texts in the order in which they come: `numbers[text]`.

    >>> numbers = _numbering()
    >>> [numbers[text] for text in ("x", "y", "x")]
    [0, 1, 0]
    """
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    return numbers


class _Body:
    """The rows under a header, column by column, some thousands at a time."""

    def __init__(self, chosen: dict[str, int], width: int, path: str, line: int) -> None:
        self.chosen, self.width, self.path = chosen, width, path
        self.count, self.line = 0, line  # rows, and lines up to the last one
        self.lines: list[Ints] = []
        self.uneven: list[Problem] = []
        self.numbers = {f: _numbering() for f in chosen if f not in ("mention", "start", "end")}
        self.codes: dict[str, list[Ints]] = {field: [] for field in self.numbers}
        self.values: dict[str, list[Ints]] = {field: [] for field in ("start", "end")}
        self.wrong: dict[str, dict[int, str]] = {"start": {}, "end": {}}
        self.texts: dict[str, list[str]] = {"mention": []} if "mention" in chosen else {}

    def add(self, rows: list[list[str]], line: int) -> None:
        """Add rows; the last of them ends in line number `line`."""
        at = np.arange(self.line + 1, self.line + 1 + len(rows))
        if line - self.line != len(rows):  # cells with line breaks in them
            heights = np.array([1 + len(_breaks(row)) for row in rows], dtype=np.int64)
            at = self.line + 1 + np.cumsum(heights) - heights
        self.line = line
        if set(map(len, rows)) != {self.width}:
            keep = [number for number, row in enumerate(rows) if row]
            hint = "a cell with the separator in it is written between quotes"
            self.uneven += (
                Problem(
                    f"{_count(len(rows[n]), 'cell')}, where the header has {self.width}",
                    self.path,
                    int(at[n]),
                    1,
                    hint,
                )
                for n in keep
                if len(rows[n]) != self.width
            )
            if self.uneven:
                return
            rows, at = [rows[number] for number in keep], at[keep]
            if not rows:
                return
        columns = list(zip(*rows, strict=True))
        for field, column in self.chosen.items():
            if field in self.numbers:
                numbered = map(self.numbers[field].__getitem__, columns[column])
                self.codes[field].append(np.fromiter(numbered, np.int64, len(rows)))
            elif field in self.texts:
                self.texts[field] += columns[column]
            else:
                values, wrong = _whole_of_text(columns[column])
                self.values[field].append(values)
                self.wrong[field] |= {self.count + row: text for row, text in wrong.items()}
        self.lines.append(at)
        self.count += len(rows)

    def rows(
        self, format: str, names: list[str], problems: list[Problem], data: bytes, delimiter: str
    ) -> Rows:
        """What was read, or an error."""
        if self.uneven:
            raise InputError(self.uneven)
        lines = _joined(self.lines)
        written: list[str] = []

        def column(row: int, field: str) -> int:
            if not written:
                written.extend(_BREAK.split(data.decode("utf-8-sig")))
            text, before = written[int(lines[row]) - 1], self.chosen[field]
            if '"' in text:  # where a cell may hold the delimiter
                return 1
            return len(delimiter.join(text.split(delimiter)[:before])) + 1 + (before > 0)

        return Rows(
            self.path,
            format,
            self.count,
            {
                field: _without_empty(_joined(parts), list(self.numbers[field]))
                for field, parts in self.codes.items()
            },
            {
                field: Whole(_joined(parts), self.wrong[field])
                for field, parts in self.values.items()
                if field in self.chosen
            },
            self.texts,
            {field: names[number] for field, number in self.chosen.items()},
            problems,
            lines,
            column,
        )


def _joined(parts: Sequence[Ints]) -> Ints:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _without_empty(codes: Ints, labels: list[str]) -> Codes:
    """The codes with -1 for empty cells."""
    if "" in labels:
        empty = labels.index("")
        codes = np.where(codes == empty, -1, codes - (codes > empty))
        del labels[empty]
    return Codes(codes, labels)


def _whole_of_text(cells: Sequence[str]) -> Whole:
    """The numbers that are written in the cells."""
    lengths = set(map(len, cells))
    text = "".join(cells)
    if 0 not in lengths and max(lengths) < 13 and text.isascii() and text.isdigit():
        return Whole(np.fromiter(map(int, cells), np.int64, len(cells)), {})
    values, wrong = np.full(len(cells), -1, dtype=np.int64), {}
    for row, cell in enumerate(cells):
        found = _WHOLE.fullmatch(cell)
        number = int(found[1]) if found and len(found[1]) < 20 else -1
        if 0 <= number < LIMIT:
            values[row] = number
        elif cell:
            wrong[row] = _why_wrong(repr(cell), found is not None, bool(found and number < 0))
    return Whole(values, wrong)


def _why_wrong(shown: str, whole: bool, negative: bool) -> str:
    if not whole:
        return f"{shown[:40]}, not a whole number"
    shown = shown.strip("'").strip()
    if shown.startswith("-") and negative:
        return f"{shown[:40]}, and tokens count from 0"
    return f"{shown[:40]}, more than any text has"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


# --- Parquet, Arrow and frames ------------------------------------------------------------------


def _read_arrow(data: bytes, path: str, format: str) -> Rows:
    what = "Parquet" if format == "parquet" else "Arrow"
    arrow = _pyarrow(what, path)
    if not data:
        raise InputError([Problem("the file is empty", path)])
    # Everything that pyarrow raises about a file it cannot read; its own are among these.
    broken = (arrow.ArrowException, OSError, ValueError, MemoryError, OverflowError,
              KeyError, IndexError, TypeError, NotImplementedError, RuntimeError)  # fmt: skip
    try:
        if format == "parquet":
            file = import_module("pyarrow.parquet").ParquetFile(arrow.BufferReader(data))
            names = [str(name) for name in file.schema_arrow.names]
        else:
            file = None
            table = _open_arrow(arrow, data, path)
            names = [str(name) for name in table.column_names]
    except broken as error:
        raise _cannot_read(what, error, path) from None
    chosen, problems = choose_columns(names, path)
    try:
        if file is not None:
            table = file.read(columns=[names[number] for number in chosen.values()])
        else:
            table = table.select(list(chosen.values()))
        table.validate(full=True)  # damaged offsets and texts are found here, not by a crash
        columns = {field: table.column(names[number]) for field, number in chosen.items()}
    except broken as error:
        raise _cannot_read(what, error, path) from None
    return _rows_of(columns, names, chosen, problems, path, format)


def _open_arrow(arrow: Any, data: bytes, path: str) -> Any:
    source = arrow.BufferReader(data)
    if data[:4] == b"FEA1":
        hint = "write it again: Feather version 2 is the usual one"
        raise InputError([Problem("Feather version 1 is not read", path, hint=hint)])
    if data[:6] == b"ARROW1":
        return arrow.ipc.open_file(source).read_all()
    return arrow.ipc.open_stream(source).read_all()


def _cannot_read(what: str, error: BaseException, path: str) -> InputError:
    reason = " ".join(str(error).split()) or type(error).__name__
    return InputError([Problem(f"not {what} that can be read: {reason:.200}", path)])


def _read_frame(frame: Any, role: str) -> Rows:
    column: Callable[[int], Any]
    if isinstance(frame, Mapping):
        names, column = list(frame), list(frame.values()).__getitem__
    elif _is_pandas(frame):
        if any(name is not None for name in frame.index.names):
            frame = frame.reset_index()
        names = [str(name) for name in frame.columns]
        column = lambda number: frame.iloc[:, number]  # noqa: E731
    else:
        table = _table_of(frame, role)
        names, column = [str(name) for name in table.column_names], table.column
    chosen, problems = choose_columns(names, role)
    columns = {field: _column(column(number), names[number], role)
               for field, number in chosen.items()}  # fmt: skip
    if len({len(values) for values in columns.values()}) > 1:
        lengths = ", ".join(f"{names[chosen[f]]} {len(v)}" for f, v in columns.items())
        raise InputError([Problem(f"the columns have different lengths: {lengths}", role)])
    return _rows_of(columns, names, chosen, problems, role, "table")


def _table_of(frame: Any, role: str) -> Any:
    arrow = _pyarrow(f"a {type(frame).__module__.partition('.')[0]} table", role)
    try:
        table = arrow.table(frame)
        table.validate(full=True)
    except Exception as error:  # whatever the frame's own code raises
        reason = " ".join(str(error).split()) or type(error).__name__
        kind = f"{type(frame).__module__.partition('.')[0]} {type(frame).__name__}"
        message = f"the {role}, a {kind}, is not a table: expected a data frame with columns such "
        raise UsageError(f"{message}as record and cluster ({reason:.200})") from None
    return table


def _column(values: Any, name: str, role: str) -> Any:
    """A column of a frame: of Arrow, if it is one type and pyarrow is there, or a list."""
    if _is_arrow(values):
        return values
    if type(values).__module__.partition(".")[0] == "pandas":
        try:
            return import_module("pyarrow").array(values, from_pandas=True)
        except Exception:  # no pyarrow, or values of several types, which are taken one by one
            return list(values)
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise UsageError(f"column {name} of the {role} is not a list of values: {values!r:.60}")
    return values.tolist() if isinstance(values, np.ndarray) else list(values)


def _is_arrow(values: Any) -> bool:
    return type(values).__module__.partition(".")[0] == "pyarrow"


def _rows_of(
    columns: Mapping[str, Any],
    names: Sequence[str],
    chosen: Mapping[str, int],
    problems: list[Problem],
    path: str,
    format: str,
) -> Rows:
    rows = Rows(
        path,
        format,
        len(next(iter(columns.values()))),
        {},
        {},
        {},
        {field: names[number] for field, number in chosen.items()},
        problems,
    )
    for field, values in columns.items():
        if field in ("start", "end"):
            whole = _whole_of_arrow if _is_arrow(values) else _whole_of_objects
            rows.whole[field] = whole(values, rows, field)
        elif field == "mention":
            texts = _texts_of_arrow if _is_arrow(values) else _texts_of_objects
            rows.texts[field] = list(texts(values, rows, field))
        else:
            codes = _codes_of_arrow if _is_arrow(values) else _codes_of_objects
            rows.codes[field] = codes(values, rows, field)
    return rows


def _plain(values: Any, rows: Rows, field: str) -> Any:
    """An Arrow column as one array of text, of integers, of floats or of nothing."""
    arrow = import_module("pyarrow")
    types, kind = arrow.types, values.type
    if types.is_dictionary(kind):
        kind = kind.value_type
        if str(kind) == "string_view":  # as polars has it; Arrow cannot cast it
            kind = arrow.large_string()
            parts = values.chunks if isinstance(values, arrow.ChunkedArray) else [values]
            texts = [part.dictionary.cast(kind).take(part.indices) for part in parts]
            values = arrow.chunked_array(texts, type=kind)
        else:
            values = values.cast(kind)
    if types.is_string(kind) or str(kind) == "string_view":
        # Of one array: 32-bit offsets would not do for more than two gigabytes of text.
        values = values.cast(arrow.large_string())
    elif types.is_decimal(kind) and kind.scale == 0:
        values = values.cast(arrow.large_string())
    elif not (
        types.is_large_string(kind)
        or types.is_integer(kind)
        or types.is_floating(kind)
        or types.is_null(kind)
    ):
        wanted = "whole numbers" if field in ("start", "end") else "text or whole numbers"
        raise InputError(
            [Problem(f"column {rows.names[field]} is of type {kind}, not {wanted}", rows.path)]
        )
    if isinstance(values, arrow.ChunkedArray):
        values = values.combine_chunks()
    return values


def _identifiers(values: Any, rows: Rows, field: str) -> Any:
    """An Arrow column as one array of text or of integers."""
    arrow = import_module("pyarrow")
    values = _plain(values, rows, field)
    if arrow.types.is_null(values.type):
        return values.cast(arrow.large_string())
    if arrow.types.is_floating(values.type):
        return _whole_floats(_floats(values), values.type.bit_width, rows, field)
    return values


def _texts_of_arrow(values: Any, rows: Rows, field: str) -> list[str]:
    values = _identifiers(values, rows, field).cast(import_module("pyarrow").large_string())
    texts: list[str] = values.fill_null("").to_numpy(zero_copy_only=False).tolist()
    return texts


def _codes_of_arrow(values: Any, rows: Rows, field: str) -> Codes:
    arrow = import_module("pyarrow")
    values = _identifiers(values, rows, field)
    encoded = values.dictionary_encode()
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    labels = encoded.dictionary.cast(arrow.large_string())
    return _without_empty(codes, labels.to_numpy(zero_copy_only=False).tolist())


def _floats(values: Any) -> Any:
    """The numbers of an Arrow column as float64, nan where one is missing."""
    found = values.to_numpy(zero_copy_only=False)
    return np.where(np.asarray(values.is_valid()), found.astype(np.float64), np.nan)


def _whole_floats(numbers: Any, width: int, rows: Rows, field: str) -> Any:
    """Identifiers that became floats, as pandas makes them: the whole numbers they were."""
    arrow = import_module("pyarrow")
    given = ~np.isnan(numbers)
    exact = 1 << {16: 11, 32: 24}.get(width, 53)  # from here on floats leave out whole numbers
    with np.errstate(invalid="ignore"):
        bad = given & ~((numbers == np.floor(numbers)) & (np.abs(numbers) < exact))
    _refuse(_not_whole(rows, field, {int(n): repr(float(numbers[n])) for n in np.flatnonzero(bad)}))
    if given.any() and field != "head":
        rows.problems.append(_decimals(rows, field, float(numbers[given][0])))
    whole = np.where(given, numbers, 0).astype(np.int64)
    return arrow.array(whole, mask=~given)


def _not_whole(rows: Rows, field: str, bad: Mapping[int, str]) -> list[Problem]:
    hint = "identifiers are text or whole numbers; make the column one of them"
    return _named(rows, field, {row: f"{rows.names[field]} is {bad[row]}" for row in bad}, hint)


def _decimals(rows: Rows, field: str, example: float) -> Problem:
    message = f"column {rows.names[field]} has decimals: {example!r} is read as {int(example)}"
    hint = "identifiers are compared as text, and 12.0 in a CSV file is not 12"
    return Problem(message, rows.path, hint=hint, severity="warning")


def _whole_of_arrow(values: Any, rows: Rows, field: str) -> Whole:
    types = import_module("pyarrow").types
    values = _plain(values, rows, field)
    if types.is_null(values.type):
        return Whole(np.full(len(values), -1, dtype=np.int64), {})
    if types.is_floating(values.type):
        numbers = _floats(values)
        with np.errstate(invalid="ignore"):
            good = (numbers == np.floor(numbers)) & (numbers >= 0) & (numbers < LIMIT)
        found = np.where(good, numbers, -1).astype(np.int64)
        bad = np.flatnonzero(~good & ~np.isnan(numbers)).tolist()
        return Whole(found, {row: _why_float(float(numbers[row])) for row in bad})
    if not types.is_integer(values.type):
        cells = values.fill_null("").to_numpy(zero_copy_only=False).tolist()
        return _whole_of_text(cells) if cells else Whole(np.zeros(0, dtype=np.int64), {})
    given = np.asarray(values.is_valid())
    numbers = values.fill_null(0).to_numpy(zero_copy_only=False)
    good = given & (numbers >= 0) & (numbers < LIMIT)
    found = np.full(len(numbers), -1, dtype=np.int64)
    found[good] = numbers[good].astype(np.int64)
    bad = np.flatnonzero(given & ~good).tolist()
    return Whole(found, {row: _why_wrong(str(numbers[row]), True, numbers[row] < 0) for row in bad})


def _why_float(number: float) -> str:
    whole = number.is_integer()
    return _why_wrong(str(int(number)) if whole else repr(number), whole, number < 0)


def _is_missing(value: Any) -> bool:
    if isinstance(value, float):
        return value != value
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def _texts_of_objects(values: Sequence[Any], rows: Rows, field: str) -> Sequence[str]:
    kinds = set(map(type, values))
    if kinds == {str}:
        return values
    if kinds == {int}:
        return list(map(str, values))
    texts = []
    bad: dict[int, str] = {}
    decimals: list[float] = []
    for row, value in enumerate(values):
        value = value.item() if isinstance(value, np.generic) else value
        text = ""
        if isinstance(value, str):
            text = value
        elif isinstance(value, int) and not isinstance(value, bool):
            text = str(value)
        elif isinstance(value, float) and value.is_integer() and abs(value) < 1 << 53:
            text = str(int(value))
            decimals.append(value)
        elif not _is_missing(value):
            bad[row] = f"{value!r:.40}"
        texts.append(text)
    _refuse(_not_whole(rows, field, bad))
    if decimals and field != "head":
        rows.problems.append(_decimals(rows, field, decimals[0]))
    return texts


def _codes_of_objects(values: Sequence[Any], rows: Rows, field: str) -> Codes:
    texts = _texts_of_objects(values, rows, field)
    numbers = _numbering()
    codes = np.fromiter(map(numbers.__getitem__, texts), np.int64, len(texts))
    return _without_empty(codes, list(numbers))


def _whole_of_objects(values: Sequence[Any], rows: Rows, field: str) -> Whole:
    found, wrong = np.full(len(values), -1, dtype=np.int64), {}
    for row, value in enumerate(values):
        value = value.item() if isinstance(value, np.generic) else value
        if type(value) is int and 0 <= value < LIMIT:
            found[row] = value
        elif type(value) is int:
            wrong[row] = _why_wrong(str(value), True, value < 0)
        elif isinstance(value, str):
            cell = _whole_of_text([value])
            found[row] = cell.values[0]
            if cell.wrong:
                wrong[row] = cell.wrong[0]
        elif isinstance(value, float) and value.is_integer() and 0 <= value < LIMIT:
            found[row] = int(value)
        elif isinstance(value, float) and value == value:
            wrong[row] = _why_float(value)
        elif not _is_missing(value):
            wrong[row] = f"{value!r:.40}, not a whole number"
    return Whole(found, wrong)


# ---------------------------------------------------------------------------------------------
# Rows to documents
# ---------------------------------------------------------------------------------------------


def _refuse(problems: Sequence[Problem]) -> None:
    if problems:
        raise InputError(problems)


def _named(rows: Rows, field: str, wrong: Mapping[int, str], hint: str = "") -> list[Problem]:
    """A problem for each of the first rows that are wrong; the last says how many more follow."""
    problems = [rows.problem(row, field, wrong[row], hint) for row in islice(wrong, _SHOWN)]
    more = len(wrong) - len(problems)
    if more > 0:
        message = f"{problems[-1].message}, and so on in {_count(more, 'more row')}"
        problems[-1] = replace(problems[-1], message=message)
    return problems


def _corpus(rows: Rows) -> Corpus:
    """The documents of the rows, or an error that says which rows are wrong."""
    if not rows.count:
        line = int(rows.lines is not None)
        place = (rows.path, line, line)
        raise InputError([Problem("no documents: the table has no rows", *place, _LAYOUT)])
    empty = _empty_documents(rows)
    problems = _missing(rows, empty)
    places = _Places(rows, problems)
    _check_heads(rows, places, problems)
    if problems:
        raise InputError(sorted(problems, key=lambda problem: (problem.line, problem.column)))
    _warn_of_labels(rows)
    return Corpus(_documents(rows, places, empty), rows.path, rows.format, rows.problems)


def _empty_documents(rows: Rows) -> Bools:
    """The rows that have a document and nothing else that is needed: it has no mentions."""
    if "document" not in rows.codes:
        return np.zeros(rows.count, dtype=np.bool_)
    document = rows.codes["document"].codes
    empty: Bools = document >= 0
    for field in ("mention", "span", "entity"):
        gap = _gaps(rows, field)
        if gap is not None:
            empty = empty & gap
    for whole in rows.whole.values():
        empty = empty & (whole.values < 0)
        empty[list(whole.wrong)] = False
    # A document with mentions is not empty, so in such a row something is missing.
    sizes = np.bincount(document[document >= 0], minlength=1)
    empty[empty] = sizes[document[empty]] == 1
    return empty


def _gaps(rows: Rows, field: str) -> Bools | None:
    """Where a column of text has nothing; None if there is no such column."""
    if field in rows.codes:
        return rows.codes[field].codes < 0
    if field not in rows.texts:
        return None
    if "" not in rows.texts[field]:
        return np.zeros(rows.count, dtype=np.bool_)
    return np.array([not text for text in rows.texts[field]], dtype=np.bool_)


def _missing(rows: Rows, empty: Bools) -> list[Problem]:
    problems: list[Problem] = []
    for field in ("document", "mention", "span", "start", "end", "entity"):
        gap = _gaps(rows, field)
        if field in rows.whole:
            values, wrong = rows.whole[field]
            gap = values < 0
            gap[list(wrong)] = False
            said = {row: f"{rows.names[field]} is {why}" for row, why in wrong.items()}
            problems += _named(rows, field, said)
        if gap is None:
            continue
        hint = ""
        if field == "entity":
            hint = "if such rows are mentions of no entity, drop them"
        absent = np.flatnonzero(gap & ~empty).tolist()
        message = f"{rows.names[field]} is missing"
        problems += _named(rows, field, dict.fromkeys(absent, message), hint)
    return problems


class _Places:
    """First and last token of each row, and the mentions that are more than that."""

    def __init__(self, rows: Rows, problems: list[Problem]) -> None:
        self.first: Ints | None = None
        self.last: Ints | None = None
        self.special: dict[int, Mention] = {}
        if "start" in rows.whole:
            self.first, self.last = rows.whole["start"].values, rows.whole["end"].values
            wrong = np.flatnonzero((self.first > self.last) & (self.last >= 0)).tolist()
            start, end = rows.names["start"], rows.names["end"]
            said = {
                row: f"{start} is {self.first[row]} and {end} {self.last[row]}" for row in wrong
            }
            problems += _named(rows, "start", said, "the end is the last token, included")
        elif "span" in rows.codes:
            self._read_spans(rows, problems)

    def _read_spans(self, rows: Rows, problems: list[Problem]) -> None:
        codes, labels = rows.codes["span"]
        mentions = [_mention(label) for label in labels]
        hulls = [(0, 0) if mention is None else mention.hull for mention in mentions]
        table = np.array([*hulls, (0, 0)], dtype=np.int64)[codes]
        self.first, self.last = table[:, 0].copy(), table[:, 1].copy()
        bad = np.array([mention is None for mention in mentions] + [False], dtype=np.bool_)
        odd = np.array(
            [m is not None and (len(m.spans) != 1 or bool(m.zeros)) for m in mentions] + [False],
            dtype=np.bool_,
        )
        said = {
            row: f"{rows.names['span']} is {labels[codes[row]]!r:.40}, not a place"
            for row in np.flatnonzero(bad[codes]).tolist()
        }
        hint = "3-5 are tokens 3 to 5; 0-1,3 two pieces; 7.1 an empty node after 7 words"
        problems += _named(rows, "span", said, hint)
        for row in np.flatnonzero(odd[codes]).tolist():
            mention = mentions[int(codes[row])]
            assert mention is not None
            self.special[row] = mention


def _mention(text: str) -> Mention | None:
    """The mention at a place as it is written in a column `span`; None if it is no place.

    >>> _mention("0-1,3,4.1") == Mention(((0, 1), (3, 3)), ((4, 1),))
    True
    >>> _mention("3-1"), _mention("3,1"), _mention("x")
    (None, None, None)
    """
    spans: list[tuple[int, int]] = []
    zeros: list[Zero] = []
    for piece in text.split(","):
        found = _PIECE.fullmatch(piece.strip())
        if not found or int(found[1]) >= LIMIT:
            return None
        if found[4]:
            number = int(found[4]) + INITIAL * bool(found[3])
            if int(found[4]) >= INITIAL:
                return None
            zeros.append((int(found[1]), number))
        else:
            spans.append((int(found[1]), int(found[2] or found[1])))
    ends = [token for span in spans for token in (span[0], span[1] + 1)]
    if ends != sorted(ends) or any(first > last for first, last in spans):
        return None
    if sorted(map(node, zeros)) != list(map(node, zeros)) or len(set(zeros)) < len(zeros):
        return None
    return Mention(tuple(spans), tuple(zeros))


def _check_heads(rows: Rows, places: _Places, problems: list[Problem]) -> None:
    """Replace the heads by their nodes; each must be in its mention."""
    if "head" not in rows.codes:
        return
    codes, labels = rows.codes["head"]
    heads = np.array([*map(_head, labels), -1], dtype=np.int64)[codes]
    given = codes >= 0
    bad = given & (heads < 0)
    said = {
        row: f"{rows.names['head']} is {labels[codes[row]]!r:.40}, not the number of a token"
        for row in np.flatnonzero(bad).tolist()
    }
    problems += _named(rows, "head", said)
    assert places.first is not None and places.last is not None
    inside = ((places.first + 1) << 16 <= heads) & (heads <= (places.last + 1) << 16)
    inside &= (heads & 0xFFFF) == 0
    for row, mention in places.special.items():
        inside[row] = int(heads[row]) in mention.nodes
    outside = given & ~bad & ~inside & (places.first >= 0)
    hint = "it is the number of a token in the document, as start and end are"
    said = {
        row: f"{rows.names['head']} {labels[codes[row]]} is outside of its mention"
        for row in np.flatnonzero(outside).tolist()
    }
    problems += _named(rows, "head", said, hint)
    rows.whole["head"] = Whole(heads, {})


def _head(text: str) -> int:
    mention = _mention(text)
    return mention.nodes[0] if mention is not None and mention.size == 1 else -1


def _warn_of_labels(rows: Rows) -> None:
    """Name what is read as it stands and may not be meant so."""

    def warn(message: str, hint: str) -> None:
        line = 1 if rows.lines is not None else 0
        rows.problems.append(Problem(message, rows.path, line, line, hint, "warning"))

    for field in ("document", "mention", "entity"):
        labels = rows.codes[field].labels if field in rows.codes else rows.texts.get(field, ())
        if field == "mention" and "" in labels:
            labels = list(filter(None, labels))
        if any(any(map(str.isspace, map(itemgetter(end), labels))) for end in (0, -1)):
            blank = next(label for label in labels if label[0].isspace() or label[-1].isspace())
            message = f"column {rows.names[field]}: {blank!r:.40} begins or ends with a blank"
            warn(message, "the blank is part of the identifier")
    for label in rows.codes["entity"].labels:
        if len(label) < 5 and label.casefold() in _NOTHING:
            message = f"column {rows.names['entity']}: {label} is taken as the name of an entity"
            warn(message, "if such rows are mentions of no entity, drop them")
    if "kind" in rows.codes:
        odd = [x for x in rows.codes["kind"].labels if x.strip().casefold() not in KIND_NAMES]
        if odd:
            shown = ", ".join(f"{label!r:.40}" for label in odd[:3]) + ", …" * (len(odd) > 3)
            message = f"column {rows.names['kind']}: {shown} taken as unknown"
            warn(message, f"kinds are {', '.join(KINDS)}")


def _documents(rows: Rows, places: _Places, empty: Bools) -> list[Document]:
    """Cut the columns into documents: in order of their first rows, each with its rows in order."""
    unnamed = "document" not in rows.codes
    home, names = rows.codes.get("document") or Codes(
        np.zeros(rows.count, dtype=np.int64), [_unnamed(rows)]
    )
    order: Ints = np.flatnonzero(~empty)
    if (home[order][1:] < home[order][:-1]).any():
        order = order[np.argsort(home[order], kind="stable")]
    in_order = np.array_equal(order, np.arange(rows.count))
    home_there = home[order]
    bounds = np.searchsorted(home_there, np.arange(len(names) + 1)).tolist()
    entity, entity_bounds, ids = _entities(rows.codes["entity"], order, home_there, len(names))
    first_rows = np.full(len(names), rows.count, dtype=np.int64)
    np.minimum.at(first_rows, home, np.arange(rows.count))
    metas = _metas(rows, home, names, first_rows)
    lines = None if rows.lines is None else rows.lines[order]
    start = [0] * len(names) if rows.lines is None else rows.lines[first_rows].tolist()
    first, last, mentions = None, None, list[str]()
    if places.first is not None and places.last is not None:
        first, last = places.first[order], places.last[order]
    else:
        mentions = rows.texts["mention"]
        if not in_order:
            mentions = list(map(mentions.__getitem__, order.tolist()))
    annotate = _annotator(rows, order)
    specials = _specials(places.special, order, home_there, bounds)
    documents: list[Document] = []
    for number, name in enumerate(names):
        low, high = bounds[number], bounds[number + 1]
        # from_columns wants columns; those of a document of identifiers are set below.
        part = slice(low, high)
        document = TableDocument.from_columns(
            name,
            entity[part] if first is None else first[part],
            entity[part] if last is None else last[part],
            entity[part],
            ids[entity_bounds[number] : entity_bounds[number + 1]],
            text=WrittenText(line=start[number]),
            meta=metas.get(number),
            origin=Origin(rows.path, start[number], unnamed=unnamed),
            special=specials.get(number),
            annotation=annotate(low, high),
        )
        assert isinstance(document, TableDocument)
        document.lines = None if lines is None else lines[part]
        if first is None:
            document.first = document.last = None
            document._mentions = mentions[part]  # type: ignore[assignment]
        documents.append(document)
    return documents


def _unnamed(rows: Rows) -> str:
    """What the one document of a table without names of documents is called: as its file is."""
    if rows.format == "table" or rows.path in ("", "<stdin>"):
        return "document"
    return PurePath(rows.path).name.split(".")[0] or "document"


def _entities(
    column: Codes, order: Ints, home: Ints, documents: int
) -> tuple[Ints, list[int], list[str]]:
    """The number of each row's entity in its document, and the ids of all documents' entities.

    Entities are numbered as they appear; those of document d are ids[bounds[d]:bounds[d + 1]].
    """
    codes = column.codes[order]
    if documents == 1 and len(codes) == len(column.codes):
        return codes, [0, len(column.labels)], list(column.labels)  # they count as they appear
    width = len(column.labels) + 1
    kinds, first, kind = np.unique(home * width + codes, return_index=True, return_inverse=True)
    appear = np.argsort(first)  # the rows are in order of documents, so this is, too
    rank = np.empty(len(kinds), dtype=np.int64)
    rank[appear] = np.arange(len(kinds))
    bounds = np.searchsorted(kinds, np.arange(documents + 1) * width)
    ids = list(map(column.labels.__getitem__, (kinds[appear] % width).tolist()))
    return rank[kind] - bounds[home], bounds.tolist(), ids


def _metas(
    rows: Rows, home: Ints, names: Sequence[str], first_rows: Ints
) -> dict[int, dict[str, str]]:
    """Topic, genre and split of the documents that have them; a document has one of each."""
    found: dict[int, dict[str, str]] = {}
    problems: list[Problem] = []
    for field in META:
        if field not in rows.codes:
            continue
        codes, labels = rows.codes[field]
        given = np.flatnonzero(codes >= 0)
        theirs = np.full(len(names), -1, dtype=np.int64)
        theirs[home[given][::-1]] = codes[given][::-1]  # the first of several stays
        for number, code in enumerate(theirs.tolist()):
            if code >= 0:
                found.setdefault(number, {})[field] = labels[code]
        other = given[codes[given] != theirs[home[given]]].tolist()
        said = {
            row: f"{rows.names[field]} is {labels[codes[row]]} here and "
            f"{labels[theirs[home[row]]]} before, in document {names[home[row]]}"
            for row in other[:_SHOWN]
        }
        problems += _named(rows, field, said | dict.fromkeys(other[_SHOWN:], ""))
    _refuse(problems)
    return found


def _specials(
    special: Mapping[int, Mention], order: Ints, home: Ints, bounds: Sequence[int]
) -> dict[int, dict[int, Mention]]:
    """The mentions that are more than two numbers, by document and number in it."""
    found: dict[int, dict[int, Mention]] = {}
    if special:
        at = np.empty(int(order.max()) + 1, dtype=np.int64)
        at[order] = np.arange(len(order))
        for row, mention in special.items():
            place = int(at[row])
            number = int(home[place])
            found.setdefault(number, {})[place - bounds[number]] = mention
    return found


def _annotator(rows: Rows, order: Ints) -> Callable[[int, int], WrittenAnnotation | None]:
    """What makes the annotation of the rows from one place to another of `order`."""
    heads: Ints | None = rows.whole["head"].values[order] if "head" in rows.whole else None
    texts: dict[str, list[str]] = {}
    for field in ("type", "kind"):
        if field in rows.codes:
            codes, labels = rows.codes[field]
            if field == "kind":
                labels = [KIND_NAMES.get(label.strip().casefold(), "") for label in labels]
            texts[field] = Codes(codes[order], labels).texts()

    def said(field: str, low: int, high: int) -> list[str] | None:
        part = texts[field][low:high] if field in texts else []
        return part if any(part) else None

    def annotate(low: int, high: int) -> WrittenAnnotation | None:
        part = None if heads is None or not (heads[low:high] >= 0).any() else heads[low:high]
        types, kinds = said("type", low, high), said("kind", low, high)
        if part is None and types is None and kinds is None:
            return None
        return WrittenAnnotation(part, None, types, kinds)

    return annotate
