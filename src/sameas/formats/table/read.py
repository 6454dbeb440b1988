"""Tables with one mention per row: CSV, TSV, Parquet, Arrow, and data frames in memory.

The columns are `document, mention, entity`, where a mention is an identifier, or
`document, start, end, entity`, where `start` and `end` are the first and the last token of a
mention, counted from 0, the end included. Without a column `document`, all rows belong to one
document. A column `span` instead of `start` and `end` allows mentions that are not one range of
tokens: `0-1,3` has two pieces, `7.1` is the first empty node after seven words, and `7.0.1` the
first empty node before the sentence that begins there (0.1 in CoNLL-U).

Identifiers are compared as text: 12 in Parquet equals `12` in CSV. In all formats, each column is
encoded as integers and the distinct texts they stand for (`Codes`), except the identifiers of
mentions, most of which are unique. Documents are slices of these columns; no row is processed
separately.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from operator import itemgetter
from pathlib import PurePath
from typing import Any

import numpy as np

from sameas.arithmetic.arrays import Bools, Ints
from sameas.documents.document import Corpus, Document, WrittenText
from sameas.documents.mentions import (
    INITIAL,
    KIND_NAMES,
    KINDS,
    Annotation,
    Mention,
    Origin,
    Places,
    Zero,
    node,
    places_of,
)
from sameas.errors import InputError, Problem, UsageError, refuse_problems, unknown
from sameas.formats.common import numbered
from sameas.formats.declarations import TABLES
from sameas.formats.table.cells import LIMIT, Codes, TableRows, TokenNumbers
from sameas.formats.table.columns import META, choose_columns, names_records
from sameas.formats.table.frames import is_table, membership, read_arrow, read_frame
from sameas.formats.table.text import read_rows

__all__ = [
    "LIMIT",
    "TableDocument",
    "choose_columns",
    "is_table",
    "membership",
    "read_table",
    "table_corpus",
]


_NOTHING = ("nan", "na", "n/a", "<na>", "none", "null")
_PIECE = re.compile(r"(\d{1,13})(?:-(\d{1,13})|\.(0\.)?([1-9]\d{0,4}))?", re.ASCII)


@dataclasses.dataclass(frozen=True, slots=True)
class RowText(WrittenText):
    """The text of a table's document: it has no words, only the line numbers of its rows."""

    lines: Ints | None = None  # the line of each mention in a text file
    of_records: bool = False


class TableDocument(Document):
    """A document of a table: its mentions are identifiers, or spans as in other documents.

    >>> table_corpus({"mention": ["x", "y"], "entity": [1, 1]}).documents[0].entities
    (Entity(id='1', mentions=('x', 'y'), type=None),)
    """

    @property
    def holds_records(self) -> bool:
        """Whether the mentions are records, judging by the names of the table's columns."""
        return isinstance(self.text, RowText) and self.text.of_records

    def place(self, mention: int) -> tuple[int, int]:
        """Return the line and column of a mention's row; (0, 0) if the table has no lines."""
        lines = self.text.lines if isinstance(self.text, RowText) else None
        return (0, 0) if lines is None else (int(lines[mention]), 1)


def read_table(data: bytes, path: str = "", *, format: str) -> Corpus:
    r"""Read the documents of a table of mentions: `csv`, `tsv`, `parquet` or `arrow`.

    `start` and `end` are the first and the last token of a mention, the end included. A row with
    only a document stands for a document without mentions. Arrow may be a file (or Feather) or a
    stream; Parquet and Arrow need pyarrow.

    >>> read_table(b"document,start,end,entity\na,0,1,x\na,4,4,x\n", format="csv").documents
    [<Document 'a': 0 tokens, 2 mentions, 1 entities>]
    """
    if format not in TABLES:
        raise unknown("format", format, TABLES)
    read = read_rows if format in ("csv", "tsv") else read_arrow
    return _corpus(read(data, path, format))


def table_corpus(frame: Any, role: str = "key") -> Corpus:
    """Return the documents in a frame of pandas, polars or pyarrow, or a mapping of columns.

    The columns are those of `read_table`; `role` (key or response) names the frame in errors.

    >>> frame = {"document": ["a", "a", "b"], "mention": [1, 2, 1], "entity": ["x", "x", "y"]}
    >>> table_corpus(frame).documents
    [<Document 'a': 0 tokens, 2 mentions, 1 entities>, <Document 'b': 0 tokens, 1 mentions, 1 entities>]
    """  # noqa: E501
    if not is_table(frame):
        raise UsageError("not-table", role=role, kind=type(frame).__name__)
    return _corpus(read_frame(frame, role))


def _corpus(rows: TableRows) -> Corpus:
    """Return the documents in the rows, or raise an error that lists invalid rows."""
    if not rows.count:
        line = int(rows.lines is not None)
        raise InputError([Problem("no-rows", rows.path, line, line)])
    empty = _empty_documents(rows)
    problems = _missing(rows, empty)
    places = _places(rows, problems)
    if places is not None and "head" in rows.codes:
        _check_heads(rows, places, problems)
    refuse_problems(sorted(problems, key=lambda problem: (problem.line, problem.column)))
    _warn_of_labels(rows)
    return Corpus(_documents(rows, places, empty), rows.path, rows.format, rows.problems)


def _needed(rows: TableRows) -> list[str]:
    """Return the columns in which no cell may be empty."""
    fields = ("document", "mention", "span", "start", "end", "entity")
    return [field for field in fields if field in rows.names]


def _empty_documents(rows: TableRows) -> Bools:
    """Return, for each row, whether it only names a document without mentions."""
    if "document" not in rows.codes:
        return np.zeros(rows.count, dtype=np.bool_)
    document = rows.codes["document"].codes
    empty: Bools = document >= 0
    for field in _needed(rows)[1:]:
        empty = empty & _gaps(rows, field)
    # If the document has other rows, it has mentions, so this row is incomplete.
    sizes = np.bincount(document[document >= 0], minlength=1)
    empty[empty] = sizes[document[empty]] == 1
    return empty


def _gaps(rows: TableRows, field: str) -> Bools:
    """Return, for each cell of a column, whether it is empty."""
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


def _missing(rows: TableRows, empty: Bools) -> list[Problem]:
    problems: list[Problem] = []
    for field in _needed(rows):
        problems += _not_tokens(rows, field)
        absent = np.flatnonzero(_gaps(rows, field) & ~empty).tolist()
        code = "no-entity" if field == "entity" else "no-cell"
        problems += rows.problems_at(code, field, absent)
    return problems


def _not_tokens(rows: TableRows, field: str) -> list[Problem]:
    """Return the problems of a column's cells that are not token numbers."""
    if field not in rows.whole:
        return []
    wrong = rows.whole[field].wrong
    return rows.problems_at("not-token", field, list(wrong), lambda row: wrong[row]._asdict())


def _places(rows: TableRows, problems: list[Problem]) -> Places | None:
    """Return the columns of mentions that are spans; None if they are identifiers."""
    if "start" in rows.whole:
        first, last = rows.whole["start"].values, rows.whole["end"].values
        wrong, other = np.flatnonzero((first > last) & (last >= 0)).tolist(), rows.names["end"]
        problems += rows.problems_at(
            "start-after-end",
            "start",
            wrong,
            lambda row: {"start": int(first[row]), "end": int(last[row]), "other": other},
        )
        return {"first": first, "last": last, "special": {}}
    if "span" not in rows.codes:
        return None
    codes, labels = rows.codes["span"]
    mentions = list(map(_mention, labels))
    bad = np.array([mention is None for mention in mentions] + [False], dtype=np.bool_)
    wrong = np.flatnonzero(bad[codes]).tolist()
    problems += rows.problems_at("not-span", "span", wrong, rows.label("span"))
    places = places_of([mention or Mention.at(0, 0) for mention in [*mentions, None]])
    odd = places["special"]
    special = np.flatnonzero(np.isin(codes, list(odd))).tolist()
    return {
        "first": places["first"][codes],
        "last": places["last"][codes],
        "special": {row: odd[int(codes[row])] for row in special},
    }


def _mention(text: str) -> Mention | None:
    """Parse a mention in the column `span`; None if it is invalid.

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


def _check_heads(rows: TableRows, places: Places, problems: list[Problem]) -> None:
    """Convert heads to nodes; report those that are invalid or outside their mentions."""
    codes, labels = rows.codes["head"]
    heads = np.array([*map(_head, labels), -1], dtype=np.int64)[codes]
    bad = (codes >= 0) & (heads < 0)
    inside = ((places["first"] + 1) << 16 <= heads) & (heads <= (places["last"] + 1) << 16)
    inside &= (heads & 0xFFFF) == 0
    for row, mention in places["special"].items():
        inside[row] = int(heads[row]) in mention.nodes
    outside = (codes >= 0) & ~bad & ~inside & (places["first"] >= 0)
    for code, found in (("not-head", bad), ("head-outside", outside)):
        wrong = np.flatnonzero(found).tolist()
        problems += rows.problems_at(code, "head", wrong, rows.label("head"))
    rows.whole["head"] = TokenNumbers(heads, {})


def _head(text: str) -> int:
    mention = _mention(text)
    return mention.nodes[0] if mention is not None and mention.size == 1 else -1


def _warn_of_labels(rows: TableRows) -> None:
    """Warn about labels that may be mistakes."""
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


def _documents(rows: TableRows, places: Places | None, empty: Bools) -> list[Document]:
    """Split the columns into documents in order of their first rows; rows keep their order."""
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
    columns: dict[str, Any]  # spans or identifiers of the mentions
    special: dict[int, Mention] = {}
    if places is not None:
        columns = {"first": places["first"][order], "last": places["last"][order]}
        special = places["special"]
    elif np.array_equal(order, np.arange(rows.count)):
        columns = {"identifiers": rows.texts["mention"]}
    else:
        columns = {"identifiers": list(map(rows.texts["mention"].__getitem__, order.tolist()))}
    specials = _specials(special, order, home_there, bounds)
    found = _annotation(rows, order)
    of_records = names_records(rows.names)
    documents: list[Document] = []
    for number, name in enumerate(names):
        part = slice(bounds[number], bounds[number + 1])
        documents.append(
            TableDocument(
                name,
                **{column: values[part] for column, values in columns.items()},
                entity=entity[part],
                entity_ids=ids[entity_bounds[number] : entity_bounds[number + 1]],
                text=RowText(
                    line=start[number],
                    lines=None if lines is None else lines[part],
                    of_records=of_records,
                ),
                meta=metas.get(number),
                origin=Origin(rows.path, start[number], unnamed=unnamed),
                special=specials.get(number),
                annotation=Annotation.of(**{name: column[part] for name, column in found.items()}),
            )
        )
    return documents


def _unnamed(rows: TableRows) -> str:
    """Return the name of the document in a table without document names: that of the file."""
    if rows.format == "table" or rows.path in ("", "<stdin>"):
        return "document"
    return PurePath(rows.path).name.split(".")[0] or "document"


def _entities(
    column: Codes, order: Ints, home: Ints, documents: int
) -> tuple[Ints, list[int], list[str]]:
    """Return the entity of each row, the bounds of the documents in the ids, and the entity ids.

    In each document, entities are numbered in order of appearance; the ids of document d are
    ids[bounds[d]:bounds[d + 1]].
    """
    codes = column.codes[order]
    if documents == 1 and len(codes) == len(column.codes):
        return codes, [0, len(column.labels)], list(column.labels)  # already in this order
    first, number = numbered(home * (len(column.labels) + 1) + codes)
    bounds = np.searchsorted(home[first], np.arange(documents + 1))  # rows are sorted by document
    ids = list(map(column.labels.__getitem__, codes[first].tolist()))
    return number - bounds[home], bounds.tolist(), ids


def _metas(rows: TableRows, home: Ints, names: Sequence[str]) -> dict[int, dict[str, str]]:
    """Return the topic, genre and split of each document; reject differing values in a document."""
    found: dict[int, dict[str, str]] = {}
    problems: list[Problem] = []
    for field in META:
        if field in rows.codes:
            codes, labels = rows.codes[field]
            given = np.flatnonzero(codes >= 0)
            theirs = np.full(len(names), -1, dtype=np.int64)
            theirs[home[given][::-1]] = codes[given][::-1]  # of several values, the first wins
            for number, code in enumerate(theirs.tolist()):
                if code >= 0:
                    found.setdefault(number, {})[field] = labels[code]
            problems += _other_values(rows, field, home, names, theirs)
    refuse_problems(problems)
    return found


def _other_values(
    rows: TableRows, field: str, home: Ints, names: Sequence[str], theirs: Ints
) -> list[Problem]:
    """Return the problems of rows whose value differs from the first in their document."""
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
    """Return the mentions that are not a single span, keyed by document and by index in it."""
    found: dict[int, dict[int, Mention]] = {}
    if special:
        for place in np.flatnonzero(np.isin(order, list(special))).tolist():
            number = int(home[place])
            found.setdefault(number, {})[place - bounds[number]] = special[int(order[place])]
    return found


def _annotation(rows: TableRows, order: Ints) -> dict[str, Any]:
    """Return the heads, types and kinds of the mentions, if the table has such columns."""
    found: dict[str, Any] = {}
    if "head" in rows.whole:
        found["heads"] = rows.whole["head"].values[order]
    for field, name in (("type", "types"), ("kind", "kinds")):
        if field in rows.codes:
            codes, labels = rows.codes[field]
            if field == "kind":
                labels = [KIND_NAMES.get(label.strip().casefold(), "") for label in labels]
            found[name] = Codes(codes[order], labels).texts()
    return found
