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
import dataclasses
import io
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from itertools import islice
from operator import itemgetter
from pathlib import PurePath
from typing import Any, NamedTuple

import numpy as np

from sameas.arithmetic.arrays import Bools, Ints
from sameas.documents.document import (
    INITIAL,
    KIND_NAMES,
    KINDS,
    Annotation,
    Corpus,
    Document,
    Mention,
    Origin,
    WrittenText,
    Zero,
    is_listing,
    join_columns,
    node,
    places_of,
)
from sameas.errors import (
    InputError,
    Problem,
    UsageError,
    how_to_install,
    refuse_problems,
    repeated,
    shortened,
    unknown,
)
from sameas.files.encoding import find_faults
from sameas.formats.common import numbered
from sameas.formats.declarations import FORMATS, TABLES

__all__ = [
    "TableDocument",
    "choose_columns",
    "is_table",
    "membership",
    "read_table",
    "table_corpus",
]

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
_NOTHING = ("nan", "na", "n/a", "<na>", "none", "null")
_WHOLE = re.compile(r"\s*(-?\d+)(?:\.0*)?\s*", re.ASCII)
_PIECE = re.compile(r"(\d{1,13})(?:-(\d{1,13})|\.(0\.)?([1-9]\d{0,4}))?", re.ASCII)
_PANDAS_INDEX = re.compile(r"__index_level_\d+__")
_BREAK = re.compile(r"\r\n|\r|\n")
_CHUNK = 1 << 12  # rows of CSV read at once: few enough that they stay in the cache
_SHOWN = 20  # rows of one kind of mistake that are named
LIMIT = 1 << 40  # of token numbers


@dataclasses.dataclass(frozen=True, slots=True)
class RowText(WrittenText):
    """The text of a table's document: no words, but the lines of its rows."""

    lines: Ints | None = None  # of a text file, the line of each mention


class TableDocument(Document):
    """A document of a table: its mentions are identifiers, or as in any other document.

    >>> table_corpus({"mention": ["x", "y"], "entity": [1, 1]}).documents[0].entities
    (Entity(id='1', mentions=('x', 'y'), type=None),)
    """

    @property
    def holds_records(self) -> bool:
        """Whether its mentions are identifiers, as of records."""
        return self.first is None

    def place(self, mention: int) -> tuple[int, int]:
        """Line and column of the row of mention number `mention`; (0, 0) if there are no lines."""
        lines = self.text.lines if isinstance(self.text, RowText) else None
        return (0, 0) if lines is None else (int(lines[mention]), 1)


class Codes(NamedTuple):
    """A column of text: the number of each row's label, -1 where it is missing."""

    codes: Ints
    labels: Sequence[str]

    def texts(self) -> list[str]:
        """The label of each row, empty where it is missing."""
        return list(map([*self.labels, ""].__getitem__, self.codes.tolist()))


class Wrong(NamedTuple):
    """Why a cell is not the number of a token: it is no number (text), negative, or too large."""

    how: str
    value: str


class Whole(NamedTuple):
    """A column of whole numbers, -1 where one is missing or not to be used; `wrong` says why."""

    values: Ints
    wrong: Mapping[int, Wrong]


@dataclasses.dataclass
class Rows:
    """The columns that are used, by field, and where they come from."""

    path: str
    format: str
    names: dict[str, str]  # of the columns, as they are written
    problems: list[Problem]
    count: int = 0
    codes: dict[str, Codes] = dataclasses.field(default_factory=dict)
    whole: dict[str, Whole] = dataclasses.field(default_factory=dict)
    #: Of the mentions, empty where one is missing.
    texts: dict[str, list[str]] = dataclasses.field(default_factory=dict)
    lines: Ints | None = None  # of each row in a text file
    column: Callable[[int, str], int] | None = None  # where a field begins in the line of a row

    def problem(self, code: str, row: int, field: str, **values: object) -> Problem:
        """What is wrong with one row, with its line and column, or else its number from 1."""
        values = {"name": self.names[field], **values}
        if self.lines is None or self.column is None:
            return Problem(code, self.path, values={**values, "row": row + 1})
        return Problem(
            code, self.path, int(self.lines[row]), self.column(row, field), values=values
        )

    def warn(self, code: str, field: str, **values: object) -> None:
        """Name what is read as it stands and may not be meant so."""
        line = int(self.lines is not None)
        values = {"name": self.names[field], **values}
        problem = Problem(code, self.path, line, line, severity="warning", values=values)
        self.problems.append(problem)

    def label(self, field: str) -> Callable[[int], dict[str, object]]:
        """What gives the text of a row in a column."""
        codes, labels = self.codes[field]
        return lambda row: {"value": labels[codes[row]]}

    def problems_at(
        self,
        code: str,
        field: str,
        wrong: Sequence[int],
        values: Callable[[int], Mapping[str, object]] = lambda row: {},
    ) -> list[Problem]:
        """A problem for each of the first rows that are wrong; the last says how many follow."""
        problems = [self.problem(code, row, field, **values(row)) for row in wrong[:_SHOWN]]
        more = len(wrong) - len(problems)
        return [*problems[:-1], repeated(problems[-1], more)] if more else problems


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
    if format not in TABLES:
        raise unknown("format", format, TABLES)
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
        if not source or any(map(is_listing, source.values())):
            if not _names_columns(source):
                raise UsageError("mapping-not-columns", role=role)
            return None
        if _names_columns(source, "entity"):  # of a single row
            return None
        return {"mention": list(source), "entity": list(source.values())}
    if isinstance(source, type) or not _is_series(source):
        return None
    if source.index.nlevels > 1:
        raise UsageError("series-levels", role=role, levels=source.index.nlevels)
    return {"mention": source.index.tolist(), "entity": source.tolist()}


def _names_columns(mapping: Mapping[Any, Any], *fields: str) -> bool:
    """Whether one of the keys is the name of a column, of these fields or of any."""
    found = {_field(name) for name in mapping if isinstance(name, str)} - {None}
    return bool(found.intersection(fields) if fields else found)


def _package(value: object) -> str:
    """The package that a value comes from."""
    return type(value).__module__.partition(".")[0]


def _is_series(source: object) -> bool:
    """Whether it is a pandas Series."""
    return (
        _package(source) == "pandas"
        and all(hasattr(source, name) for name in ("index", "tolist", "to_frame", "dtype"))
        and not hasattr(source, "levels")
    )


def _is_pandas(source: object) -> bool:
    """Whether it is a pandas frame; those need no pyarrow."""
    return _package(source) == "pandas" and hasattr(source, "columns")


def table_corpus(frame: Any, role: str = "key") -> Corpus:
    """The documents of a data frame: of pandas, polars, pyarrow, or a mapping of names to columns.

    The columns are those of `read_table`; `role` (key or response) names the frame in errors.

    >>> frame = {"document": ["a", "a", "b"], "mention": [1, 2, 1], "entity": ["x", "x", "y"]}
    >>> table_corpus(frame).documents
    [<Document 'a': 0 tokens, 2 mentions, 1 entities>, <Document 'b': 0 tokens, 1 mentions, 1 entities>]
    """  # noqa: E501
    if not is_table(frame):
        raise UsageError("not-table", role=role, kind=type(frame).__name__)
    return _corpus(_read_frame(frame, role))


def arrow_for(how: str, what: str, path: str = "") -> Any:
    """The module pyarrow, or an error that says what needs it (`reading`, `frame`, `writing`)."""
    try:
        return import_module("pyarrow")
    except ImportError:
        command = how_to_install("pyarrow")
        problem = Problem("needs-pyarrow", path, how=how, what=what, command=command)
        raise InputError([problem]) from None


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
    place = (path, line, min(line, 1))
    found: dict[str, list[int]] = {}
    unused = []
    for number, name in enumerate(names):
        field = _field(name)
        if field:
            found.setdefault(field, []).append(number)
        elif not _PANDAS_INDEX.fullmatch(name):
            unused.append(name)
    wrong = _find_doubles(names, found)
    if {"start", "end"} <= found.keys():
        # Places say which mention it is; another column has its words, or a number.
        for field in ("mention", "span"):
            unused += [names[column] for column in found.pop(field, [])]
    wrong += _find_gaps(names, found)
    if wrong:
        raise InputError([Problem(code, *place, values=values) for code, values in wrong])
    chosen = {field: columns[0] for field, columns in found.items()}
    if "mention" in chosen and "head" in chosen:
        unused.append(names[chosen.pop("head")])  # the head of what is no place in a text
    if not unused:
        return chosen, []
    values = {"count": len(unused), "columns": _listed(unused)}
    return chosen, [Problem("unused-columns", *place, severity="warning", values=values)]


_Found = list[tuple[str, dict[str, object]]]  # codes and values of problems


def _listed(names: Iterable[str]) -> str:
    return shortened(", ".join(name or '""' for name in names))


def _find_doubles(names: Sequence[str], found: Mapping[str, Sequence[int]]) -> _Found:
    """Columns of one name, or else of one meaning."""
    again = next((name for name in names if name and list(names).count(name) > 1), None)
    if again is not None:
        return [("same-columns", {"name": again, "columns": _listed(names)})]
    return [
        ("several-columns", {"field": field, "columns": [names[column] for column in columns]})
        for field, columns in found.items()
        if len(columns) > 1
    ]


def _find_gaps(names: Sequence[str], found: Mapping[str, Sequence[int]]) -> _Found:
    """Columns that are missing, or that say in several ways which mention it is."""
    if not found:
        return [("no-known-column", {"columns": _listed(names), "how": "" if names else "none"})]
    ways = [way for way in PLACES if any(field in found for field in way)]
    if len(ways) > 1:
        columns = [names[found[field][0]] for way in ways for field in way if field in found]
        return [("several-ways", {"columns": columns})]
    missing = [field for field in (*(ways or PLACES)[0], "entity") if field not in found]
    return [
        (
            "no-column",
            {
                "field": field,
                "columns": _listed(names),
                "known": NAMES[field],
                "how": "" if ways else field,
            },
        )
        for field in missing
    ]


# --- CSV and TSV --------------------------------------------------------------------------------


def _read_text(data: bytes, path: str, format: str) -> Rows:
    first = data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n").split(b"\n", 1)[0]
    usual = "\t,;" if format == "tsv" else ",;\t"
    delimiter = max(usual, key=lambda sign: first.count(sign.encode()))
    reader = _reader(data, delimiter)
    try:
        header: list[str] = next((row for row in reader if row), [])
        if not header:
            raise InputError([Problem("empty-table", path, 1, 1)])
        start = reader.line_num - len(_breaks(header))
        rows, chosen = _under([name.strip() for name in header], path, format, start)
        body = _Body(chosen, len(header), path, reader.line_num)
        while part := list(islice(reader, _CHUNK)):
            body.add(part, reader.line_num)
    except csv.Error as error:
        line = _start_of_broken_row(data, delimiter)
        raise InputError([Problem("broken-csv", path, line, 1, reason=str(error))]) from None
    except UnicodeDecodeError:
        raise InputError(find_faults(data.removeprefix(b"\xef\xbb\xbf"), path)) from None
    body.fill(rows, data, delimiter)
    return rows


def _under(
    names: Sequence[str], path: str, format: str, line: int = 0
) -> tuple[Rows, dict[str, int]]:
    """Return the rows under a header, none so far, and which of its columns are used."""
    chosen, problems = choose_columns(names, path, line)
    return Rows(path, format, {f: names[n] for f, n in chosen.items()}, problems), chosen


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
        self.values: dict[str, list[Ints]] = {f: [] for f in chosen if f in ("start", "end")}
        self.wrong: dict[str, dict[int, Wrong]] = {field: {} for field in self.values}
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
            uneven = (n for n in keep if len(rows[n]) != self.width)
            self.uneven += (
                Problem(
                    "uneven-row", self.path, int(at[n]), 1, count=len(rows[n]), width=self.width
                )
                for n in uneven
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

    def fill(self, rows: Rows, data: bytes, delimiter: str) -> None:
        """Give the rows what was read, or raise an error."""
        refuse_problems(self.uneven)
        lines = join_columns(self.lines)
        written: list[str] = []

        def column(row: int, field: str) -> int:
            if not written:
                written.extend(_BREAK.split(data.decode("utf-8-sig")))
            text, before = written[int(lines[row]) - 1], self.chosen[field]
            if '"' in text:  # where a cell may hold the delimiter
                return 1
            return len(delimiter.join(text.split(delimiter)[:before])) + 1 + (before > 0)

        rows.count, rows.lines, rows.column = self.count, lines, column
        rows.texts = self.texts
        for field, parts in self.codes.items():
            rows.codes[field] = _without_empty(join_columns(parts), list(self.numbers[field]))
        for field, parts in self.values.items():
            rows.whole[field] = Whole(join_columns(parts), self.wrong[field])


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
    if text.isascii() and text.isdigit() and 0 not in lengths and max(lengths) < 13:
        return Whole(np.fromiter(map(int, cells), np.int64, len(cells)), {})
    return _whole_of_objects(cells)


def _whole_of_objects(cells: Iterable[Any]) -> Whole:
    found = list(map(_token, cells))
    wrong = {row: token for row, token in enumerate(found) if isinstance(token, Wrong)}
    for row in wrong:
        found[row] = -1
    return Whole(np.array(found, dtype=np.int64), wrong)


def _token(value: Any) -> int | Wrong:
    """The number of a token in a cell, -1 if the cell is empty; or why it is not one.

    >>> _token("3.0"), _token(None), _token(-2.0)
    (3, -1, Wrong(how='negative', value='-2'))
    """
    if type(value) is int and 0 <= value < LIMIT:
        return value
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


# --- Parquet, Arrow and frames ------------------------------------------------------------------


def _read_arrow(data: bytes, path: str, format: str) -> Rows:
    what = FORMATS[format].title
    arrow = arrow_for("reading", what, path)
    if not data:
        raise InputError([Problem("empty-file", path)])
    # Everything that pyarrow raises about a file it cannot read; its own are among these.
    broken = (
        arrow.ArrowException,
        OSError,
        ValueError,
        MemoryError,
        OverflowError,
        KeyError,
        IndexError,
        TypeError,
        NotImplementedError,
        RuntimeError,
    )
    select: Callable[[list[str]], Any]
    try:
        if format == "parquet":
            file = import_module("pyarrow.parquet").ParquetFile(arrow.BufferReader(data))
            header = file.schema_arrow.names
            select = lambda columns: file.read(columns=columns)  # noqa: E731
        else:
            table = _open_arrow(arrow, data, path)
            header, select = table.column_names, table.select
        rows, _ = _under([str(name) for name in header], path, format)
        table = select(list(rows.names.values()))
        table.validate(full=True)  # damaged offsets and texts are found here, not by a crash
        columns = {field: table.column(name) for field, name in rows.names.items()}
    except broken as error:
        problem = Problem("broken-table", path, format=what, reason=_reason(error))
        raise InputError([problem]) from None
    return _filled(rows, columns)


def _open_arrow(arrow: Any, data: bytes, path: str) -> Any:
    source = arrow.BufferReader(data)
    if data[:4] == b"FEA1":
        raise InputError([Problem("feather-1", path)])
    if data[:6] == b"ARROW1":
        return arrow.ipc.open_file(source).read_all()
    return arrow.ipc.open_stream(source).read_all()


def _reason(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


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
    rows, chosen = _under(names, role, "table")
    columns = {
        field: _column(column(number), names[number], role) for field, number in chosen.items()
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
    except Exception as error:  # whatever the frame's own code raises
        values = {"role": role, "package": package, "kind": type(frame).__name__}
        raise UsageError("frame-not-table", reason=_reason(error), **values) from None
    return table


def _column(values: Any, name: str, role: str) -> Any:
    """A column of a frame: of Arrow, if it is one type and pyarrow is there, or a list."""
    if _is_arrow(values):
        return values
    if _package(values) == "pandas":
        try:
            return import_module("pyarrow").array(values, from_pandas=True)
        except Exception:  # no pyarrow, or values of several types, which are taken one by one
            return list(values)
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise UsageError("column-not-list", name=name, role=role, value=values)
    return values.tolist() if isinstance(values, np.ndarray) else list(values)


def _is_arrow(values: Any) -> bool:
    return _package(values) == "pyarrow"


def _filled(rows: Rows, columns: Mapping[str, Any]) -> Rows:
    """The rows with these columns, of Arrow or of Python's objects."""
    rows.count = len(next(iter(columns.values())))
    for field, values in columns.items():
        in_arrow = _is_arrow(values)
        if field in ("start", "end"):
            rows.whole[field] = (
                _whole_of_arrow(values, rows, field) if in_arrow else _whole_of_objects(values)
            )
        elif field == "mention":
            texts = _texts_of_arrow if in_arrow else _texts_of_objects
            rows.texts[field] = list(texts(values, rows, field))
        else:
            codes = _codes_of_arrow if in_arrow else _codes_of_objects
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
    is_text = types.is_string(kind) or str(kind) == "string_view"
    if is_text or (types.is_decimal(kind) and kind.scale == 0):
        # Of one array: 32-bit offsets would not do for more than two gigabytes of text.
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


def _identifiers(values: Any, rows: Rows, field: str) -> Any:
    """An Arrow column as one array of text or of integers."""
    arrow = import_module("pyarrow")
    values = _plain(values, rows, field)
    if arrow.types.is_null(values.type):
        return values.cast(arrow.large_string())
    if arrow.types.is_floating(values.type):
        return _whole_floats(values, rows, field)
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


def _whole_floats(values: Any, rows: Rows, field: str) -> Any:
    """Identifiers that became floats, as pandas makes them: the whole numbers they were."""
    found = values.to_numpy(zero_copy_only=False).astype(np.float64)
    numbers = np.where(np.asarray(values.is_valid()), found, np.nan)
    given = ~np.isnan(numbers)
    # From here on floats leave out whole numbers.
    exact = 1 << {16: 11, 32: 24}.get(values.type.bit_width, 53)
    with np.errstate(invalid="ignore"):
        bad = given & ~((numbers == np.floor(numbers)) & (np.abs(numbers) < exact))
    wrong = {row: repr(float(numbers[row])) for row in np.flatnonzero(bad).tolist()}
    _check_identifiers(rows, field, wrong, numbers[given][:1].tolist())
    whole = np.where(given, numbers, 0).astype(np.int64)
    return import_module("pyarrow").array(whole, mask=~given)


def _check_identifiers(
    rows: Rows, field: str, bad: Mapping[int, str], decimals: Sequence[float]
) -> None:
    """Refuse what is no identifier, and warn of whole numbers that are floats."""
    refuse_problems(
        rows.problems_at("not-identifier", field, list(bad), lambda row: {"value": bad[row]})
    )
    if decimals and field != "head":
        rows.warn("decimals", field, value=decimals[0], whole=str(int(decimals[0])))


def _whole_of_arrow(values: Any, rows: Rows, field: str) -> Whole:
    types = import_module("pyarrow").types
    values = _plain(values, rows, field)
    if types.is_null(values.type):
        return Whole(np.full(len(values), -1, dtype=np.int64), {})
    if not types.is_integer(values.type) and not types.is_floating(values.type):
        return _whole_of_text(values.fill_null("").to_numpy(zero_copy_only=False).tolist())
    numbers = values.fill_null(0).to_numpy(zero_copy_only=False)
    given = np.asarray(values.is_valid())
    with np.errstate(invalid="ignore"):
        good = given & (numbers >= 0) & (numbers < LIMIT)
        if numbers.dtype.kind == "f":
            given = given & ~np.isnan(numbers)
            good &= numbers == np.floor(numbers)
    found = np.full(len(numbers), -1, dtype=np.int64)
    found[good] = numbers[good].astype(np.int64)
    bad = np.flatnonzero(given & ~good)
    wrong = _whole_of_objects(numbers[bad].tolist()).wrong
    return Whole(found, {int(bad[place]): why for place, why in wrong.items()})


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
    _check_identifiers(rows, field, bad, decimals)
    return texts


def _codes_of_objects(values: Sequence[Any], rows: Rows, field: str) -> Codes:
    texts = _texts_of_objects(values, rows, field)
    numbers = _numbering()
    codes = np.fromiter(map(numbers.__getitem__, texts), np.int64, len(texts))
    return _without_empty(codes, list(numbers))


# ---------------------------------------------------------------------------------------------
# Rows to documents
# ---------------------------------------------------------------------------------------------


def _corpus(rows: Rows) -> Corpus:
    """The documents of the rows, or an error that says which rows are wrong."""
    if not rows.count:
        line = int(rows.lines is not None)
        raise InputError([Problem("no-rows", rows.path, line, line)])
    empty = _empty_documents(rows)
    problems = _missing(rows, empty)
    places = _Places(rows, problems)
    _check_heads(rows, places, problems)
    refuse_problems(sorted(problems, key=lambda problem: (problem.line, problem.column)))
    _warn_of_labels(rows)
    return Corpus(_documents(rows, places, empty), rows.path, rows.format, rows.problems)


def _needed(rows: Rows) -> list[str]:
    """The columns in which no cell may be empty."""
    fields = ("document", "mention", "span", "start", "end", "entity")
    return [field for field in fields if field in rows.names]


def _empty_documents(rows: Rows) -> Bools:
    """The rows that have a document and nothing else that is needed: it has no mentions."""
    if "document" not in rows.codes:
        return np.zeros(rows.count, dtype=np.bool_)
    document = rows.codes["document"].codes
    empty: Bools = document >= 0
    for field in _needed(rows)[1:]:
        empty = empty & _gaps(rows, field)
    # A document with mentions is not empty, so in such a row something is missing.
    sizes = np.bincount(document[document >= 0], minlength=1)
    empty[empty] = sizes[document[empty]] == 1
    return empty


def _gaps(rows: Rows, field: str) -> Bools:
    """Where a column has nothing."""
    if field in rows.codes:
        return rows.codes[field].codes < 0
    if field in rows.whole:
        values, wrong = rows.whole[field]
        gap: Bools = values < 0
        gap[list(wrong)] = False
        return gap
    if "" not in rows.texts[field]:
        return np.zeros(rows.count, dtype=np.bool_)
    return np.array([not text for text in rows.texts[field]], dtype=np.bool_)


def _missing(rows: Rows, empty: Bools) -> list[Problem]:
    problems: list[Problem] = []
    for field in _needed(rows):
        problems += _not_tokens(rows, field)
        absent = np.flatnonzero(_gaps(rows, field) & ~empty).tolist()
        code = "no-entity" if field == "entity" else "no-cell"
        problems += rows.problems_at(code, field, absent)
    return problems


def _not_tokens(rows: Rows, field: str) -> list[Problem]:
    """The cells of a column of tokens that are no numbers of tokens."""
    if field not in rows.whole:
        return []
    wrong = rows.whole[field].wrong
    return rows.problems_at("not-token", field, list(wrong), lambda row: wrong[row]._asdict())


class _Places:
    """First and last token of each row, and the mentions that are more than that."""

    def __init__(self, rows: Rows, problems: list[Problem]) -> None:
        self.first: Ints | None = None
        self.last: Ints | None = None
        self.special: dict[int, Mention] = {}
        if "start" in rows.whole:
            self.first, self.last = rows.whole["start"].values, rows.whole["end"].values
            wrong = np.flatnonzero((self.first > self.last) & (self.last >= 0)).tolist()
            first, last, end = self.first.tolist(), self.last.tolist(), rows.names["end"]
            problems += rows.problems_at(
                "start-after-end",
                "start",
                wrong,
                lambda row: {"start": first[row], "end": last[row], "other": end},
            )
        elif "span" in rows.codes:
            self._read_spans(rows, problems)

    def _read_spans(self, rows: Rows, problems: list[Problem]) -> None:
        codes, labels = rows.codes["span"]
        mentions = list(map(_mention, labels))
        bad = np.array([mention is None for mention in mentions] + [False], dtype=np.bool_)
        wrong = np.flatnonzero(bad[codes]).tolist()
        problems += rows.problems_at("not-span", "span", wrong, rows.label("span"))
        places = places_of([mention or Mention.at(0, 0) for mention in [*mentions, None]])
        self.first, self.last = places["first"][codes], places["last"][codes]
        odd = places["special"]
        for row in np.flatnonzero(np.isin(codes, list(odd))).tolist():
            self.special[row] = odd[int(codes[row])]


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
    wrong = np.flatnonzero(bad).tolist()
    problems += rows.problems_at("not-head", "head", wrong, rows.label("head"))
    assert places.first is not None and places.last is not None
    inside = ((places.first + 1) << 16 <= heads) & (heads <= (places.last + 1) << 16)
    inside &= (heads & 0xFFFF) == 0
    for row, mention in places.special.items():
        inside[row] = int(heads[row]) in mention.nodes
    outside = given & ~bad & ~inside & (places.first >= 0)
    wrong = np.flatnonzero(outside).tolist()
    problems += rows.problems_at("head-outside", "head", wrong, rows.label("head"))
    rows.whole["head"] = Whole(heads, {})


def _head(text: str) -> int:
    mention = _mention(text)
    return mention.nodes[0] if mention is not None and mention.size == 1 else -1


def _warn_of_labels(rows: Rows) -> None:
    """Name labels that may not be meant as they stand."""
    for field in ("document", "mention", "entity"):
        labels = rows.codes[field].labels if field in rows.codes else rows.texts.get(field, ())
        if field == "mention" and "" in labels:
            labels = list(filter(None, labels))
        if any(any(map(str.isspace, map(itemgetter(end), labels))) for end in (0, -1)):
            blank = next(label for label in labels if label[0].isspace() or label[-1].isspace())
            rows.warn("label-blank", field, value=blank)
    for label in rows.codes["entity"].labels:
        if len(label) < 5 and label.casefold() in _NOTHING:
            rows.warn("label-nothing", "entity", value=label)
    if "kind" in rows.codes:
        odd = [x for x in rows.codes["kind"].labels if x.strip().casefold() not in KIND_NAMES]
        if odd:
            shown = [f"{label!r:.40}" for label in odd]
            rows.warn("odd-kinds", "kind", kinds=shown, known=KINDS)


def _documents(rows: Rows, places: _Places, empty: Bools) -> list[Document]:
    """Cut the columns into documents: in order of their first rows, each with its rows in order."""
    unnamed = "document" not in rows.codes
    home, names = rows.codes.get("document") or Codes(
        np.zeros(rows.count, dtype=np.int64), [_unnamed(rows)]
    )
    order: Ints = np.flatnonzero(~empty)
    if (home[order][1:] < home[order][:-1]).any():
        order = order[np.argsort(home[order], kind="stable")]
    home_there = home[order]
    bounds = np.searchsorted(home_there, np.arange(len(names) + 1)).tolist()
    entity, entity_bounds, ids = _entities(rows.codes["entity"], order, home_there, len(names))
    first_rows = np.full(len(names), rows.count, dtype=np.int64)
    np.minimum.at(first_rows, home, np.arange(rows.count))
    metas = _metas(rows, home, names)
    lines = None if rows.lines is None else rows.lines[order]
    start = [0] * len(names) if rows.lines is None else rows.lines[first_rows].tolist()
    columns: dict[str, Any]  # what says which mentions they are
    if places.first is not None and places.last is not None:
        columns = {"first": places.first[order], "last": places.last[order]}
    else:
        texts = rows.texts["mention"]
        in_order = np.array_equal(order, np.arange(rows.count))
        mentions = texts if in_order else list(map(texts.__getitem__, order.tolist()))
        columns = {"identifiers": mentions}
    annotate = _annotator(rows, order)
    specials = _specials(places.special, order, home_there, bounds)
    documents: list[Document] = []
    for number, name in enumerate(names):
        part = slice(bounds[number], bounds[number + 1])
        documents.append(
            TableDocument(
                name,
                **{column: values[part] for column, values in columns.items()},
                entity=entity[part],
                entity_ids=ids[entity_bounds[number] : entity_bounds[number + 1]],
                text=RowText(line=start[number], lines=None if lines is None else lines[part]),
                meta=metas.get(number),
                origin=Origin(rows.path, start[number], unnamed=unnamed),
                special=specials.get(number),
                annotation=annotate(part),
            )
        )
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
    first, number = numbered(home * (len(column.labels) + 1) + codes)
    bounds = np.searchsorted(home[first], np.arange(documents + 1))  # rows are in their order
    ids = list(map(column.labels.__getitem__, codes[first].tolist()))
    return number - bounds[home], bounds.tolist(), ids


def _metas(rows: Rows, home: Ints, names: Sequence[str]) -> dict[int, dict[str, str]]:
    """Topic, genre and split of the documents that have them; a document has one of each."""
    found: dict[int, dict[str, str]] = {}
    problems: list[Problem] = []
    for field in META:
        if field in rows.codes:
            codes, labels = rows.codes[field]
            given = np.flatnonzero(codes >= 0)
            theirs = np.full(len(names), -1, dtype=np.int64)
            theirs[home[given][::-1]] = codes[given][::-1]  # the first of several stays
            for number, code in enumerate(theirs.tolist()):
                if code >= 0:
                    found.setdefault(number, {})[field] = labels[code]
            problems += _other_values(rows, field, home, names, theirs)
    refuse_problems(problems)
    return found


def _other_values(
    rows: Rows, field: str, home: Ints, names: Sequence[str], theirs: Ints
) -> list[Problem]:
    """The rows that say another thing of their document than its first row does."""
    codes, labels = rows.codes[field]
    other = np.flatnonzero((codes >= 0) & (codes != theirs[home])).tolist()
    return rows.problems_at(
        "other-value",
        field,
        other,
        lambda row: {
            "value": labels[codes[row]],
            "before": labels[theirs[home[row]]],
            "document": names[home[row]],
        },
    )


def _specials(
    special: Mapping[int, Mention], order: Ints, home: Ints, bounds: Sequence[int]
) -> dict[int, dict[int, Mention]]:
    """The mentions that are more than two numbers, by document and number in it."""
    found: dict[int, dict[int, Mention]] = {}
    if special:
        for place in np.flatnonzero(np.isin(order, list(special))).tolist():
            number = int(home[place])
            found.setdefault(number, {})[place - bounds[number]] = special[int(order[place])]
    return found


_IN_TEXT = ("type", "kind")


def _annotator(rows: Rows, order: Ints) -> Callable[[slice], Annotation | None]:
    """What makes the annotation of some of the rows of `order`."""
    heads: Ints | None = rows.whole["head"].values[order] if "head" in rows.whole else None
    texts: dict[str, list[str]] = {}
    for field in _IN_TEXT:
        if field in rows.codes:
            codes, labels = rows.codes[field]
            if field == "kind":
                labels = [KIND_NAMES.get(label.strip().casefold(), "") for label in labels]
            texts[field] = Codes(codes[order], labels).texts()

    def annotate(part: slice) -> Annotation | None:
        types, kinds = (texts[field][part] if field in texts else None for field in _IN_TEXT)
        return Annotation.of(None if heads is None else heads[part], None, types, kinds)

    return annotate
