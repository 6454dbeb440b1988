"""Write documents as tables with one mention per row, which `table/read.py` reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from importlib import import_module

from sameas.documents.document import Document
from sameas.documents.mentions import INITIAL, Mention, Zero, place_of
from sameas.documents.records import hold_records
from sameas.errors import InputError, Problem, unknown
from sameas.formats.declarations import FORMATS, TABLES
from sameas.formats.nodes import cannot
from sameas.formats.table.columns import META
from sameas.formats.table.frames import arrow_for

__all__ = ["spelled", "write_table"]

Cell = str | int | None


def write_table(documents: Sequence[Document], format: str) -> str | bytes:
    r"""Write a table of mentions: `csv` or `tsv` as text, `parquet` or `arrow` (a file) as bytes.

    The columns are `document, start, end, entity`, the end included. If a mention has several
    pieces or empty nodes, the columns are `document, span, entity` with spans such as `0-1,3` and
    `7.1` (see `spelled`). If mentions are not spans of a text, the columns are
    `document, mention, entity` with identifiers; spans among the mentions become identifiers such
    as `3-5` for tokens 3 to 5. For tables of records, the columns are `record, cluster`, preceded
    by `document` if the table that was read has that column. `type`, `kind`, `head`, `topic`,
    `genre` and `split` follow if a document has them. A document without mentions is a row with
    only its name.

    A table cannot represent words, minimum spans, bridging links or split antecedents.

    >>> print(write_table([Document.from_clusters("a", [[(0, 1), (4, 4)], [(2, 2)]])], "csv"))
    document,start,end,entity
    a,0,1,0
    a,4,4,0
    a,2,2,1
    <BLANKLINE>
    """
    if format not in TABLES:
        raise unknown("output format", format, TABLES)
    _refuse(documents)
    columns = _columns(documents)
    if format in ("csv", "tsv"):
        return _text(columns, "," if format == "csv" else "\t")
    return _bytes(columns, format)


def spelled(mention: Mention) -> str:
    """Format a mention for the column `span`.

    Tokens 3 to 5 are `3-5`, a single token is `3`, and pieces are separated by commas. `7.1` is the
    first empty node after seven words, `7.0.1` the first before the sentence that begins there.

    >>> spelled(Mention(((0, 1), (3, 3)))), spelled(Mention(zeros=((7, 1), (7, INITIAL + 1))))
    ('0-1,3', '7.1,7.0.1')
    """
    spans = [f"{first}-{last}" if last > first else str(first) for first, last in mention.spans]
    return ",".join([*spans, *map(_spelled_zero, mention.zeros)])


def _spelled_zero(zero: Zero) -> str:
    before, number = zero
    return f"{before}.{number}" if number < INITIAL else f"{before}.0.{number - INITIAL}"


def _refuse(documents: Sequence[Document]) -> None:
    """Reject documents that would not survive a round trip."""
    if not documents:
        raise InputError([Problem("write-no-documents")])
    names = Counter(document.name for document in documents)
    for document in documents:
        if not document.name:
            raise cannot(document, "write-row", how="unnamed")
        if names[document.name] > 1:
            raise cannot(document, "write-row", how="same-name")
        ids = Counter(document.entity_ids)
        if "" in ids:
            raise cannot(document, "write-row", how="entity-unnamed")
        again = next((id for id in ids if ids[id] > 1), None)
        if again is not None:
            raise cannot(document, "write-row", how="entity-twice", name=again)


def _columns(documents: Sequence[Document]) -> dict[str, list[Cell]]:
    columns: dict[str, list[list[Cell]]] = {
        "document": [[document.name] * max(document.mention_count, 1) for document in documents],
        **_places(documents),
        "entity": [[d.entity_ids[n] for n in d.entity.tolist()] for d in documents],
        **_annotation(documents),
    }
    names = {"mention": "record", "entity": "cluster"} if hold_records(documents) else {}
    if names and len(documents) == 1 and documents[0].origin.unnamed:
        del columns["document"]
    return {
        names.get(name, name): [cell for part in parts for cell in (part or [None])]
        for name, parts in columns.items()
    }


def _places(documents: Sequence[Document]) -> dict[str, list[list[Cell]]]:
    """Return the columns that identify mentions: identifiers, spans, or first and last token."""
    if any(document.first is None and document.mention_count for document in documents):
        return {"mention": [_identifiers(document) for document in documents]}
    if any(document.special for document in documents):
        return {"span": [_spans(document) for document in documents]}
    columns: dict[str, list[list[Cell]]] = {"start": [], "end": []}
    for document in documents:
        for name, values in (("start", document.first), ("end", document.last)):
            columns[name].append([] if values is None else values.tolist())
    return columns


def _spans(document: Document) -> list[Cell]:
    return [spelled(document.mention(number)) for number in range(document.mention_count)]


def _identifiers(document: Document) -> list[Cell]:
    texts: dict[Hashable, str] = {}
    for mention in document.mentions:
        if mention not in texts:
            texts[mention] = _identifier(mention)
    if "" in texts.values():
        raise cannot(document, "write-row", how="mention-unnamed")
    times = Counter(texts.values())
    again = next((text for text in times if times[text] > 1), None)
    if again is not None:
        raise cannot(document, "write-row", how="mention-twice", name=again)
    return [texts[mention] for mention in document.mentions]


def _identifier(mention: Hashable) -> str:
    if isinstance(mention, Mention):
        # Unlike in `span`, a single token is `3-3`: identifiers of spans all have both ends.
        spans = [f"{first}-{last}" for first, last in mention.spans]
        return ",".join([*spans, *map(_spelled_zero, mention.zeros)])
    if isinstance(mention, tuple) and len(mention) == 2 and all(type(n) is int for n in mention):
        return f"{mention[0]}-{mention[1]}"
    return str(mention)


def _annotation(documents: Sequence[Document]) -> dict[str, list[list[Cell]]]:
    """Return the non-empty columns among type, kind, head and the fields of documents."""
    found: dict[str, list[list[Cell]]] = {name: [] for name in ("type", "kind", "head", *META)}
    for document in documents:
        details = document.details
        heads = details.stated_heads() if document.first is not None else None
        nodes = None if heads is None else map(_head, heads.tolist())
        for name, cells in (("type", details.types()), ("kind", details.kinds()), ("head", nodes)):
            given: Iterable[Cell] = [None] * document.mention_count if cells is None else cells
            found[name].append([None if cell == "" else cell for cell in given])
        for name in META:
            value = document.meta.get(name)
            cell = str(value) if isinstance(value, (str, int)) and value != "" else None
            found[name].append([cell] * max(document.mention_count, 1))
    return {
        name: parts
        for name, parts in found.items()
        if any(cell is not None for part in parts for cell in part)
    }


def _head(node: int) -> Cell:
    if node < 0:
        return None
    place = place_of(node)
    return place if isinstance(place, int) else _spelled_zero(place)


def _text(columns: dict[str, list[Cell]], delimiter: str) -> str:
    signs = {delimiter, '"', "\n", "\r"}

    def cell(value: Cell) -> str:
        text = "" if value is None else str(value)
        return text if signs.isdisjoint(text) else '"' + text.replace('"', '""') + '"'

    lines = [delimiter.join(columns)]
    # The csv module is not used, because some versions do not quote a lone carriage return.
    lines += map(delimiter.join, zip(*(map(cell, c) for c in columns.values()), strict=True))
    text = "\n".join(lines) + "\n"
    try:
        text.encode()
    except UnicodeEncodeError:
        raise _no_unicode() from None
    return text


def _no_unicode() -> InputError:
    return InputError([Problem("write-half", how="name")])


def _bytes(columns: dict[str, list[Cell]], format: str) -> bytes:
    arrow = arrow_for("writing", FORMATS[format].title)
    arrays = {}
    try:
        for name, cells in columns.items():
            if name in ("start", "end", "head") and not any(isinstance(c, str) for c in cells):
                arrays[name] = arrow.array(cells, arrow.int64())
            else:
                texts = [None if cell is None else str(cell) for cell in cells]
                arrays[name] = arrow.array(texts, arrow.string())
        table = arrow.table(arrays)
    except UnicodeEncodeError:
        raise _no_unicode() from None
    sink = arrow.BufferOutputStream()
    if format == "parquet":
        import_module("pyarrow.parquet").write_table(table, sink)
    else:
        with arrow.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
    written: bytes = sink.getvalue().to_pybytes()
    return written
