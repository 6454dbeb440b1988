"""Write documents as CoNLL-2012: one token per line, brackets in the last column."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from sameas.documents.document import Document
from sameas.documents.mentions import Span
from sameas.formats.conll.read import canonical_header, document_name, split_name
from sameas.formats.nodes import Brackets, cannot, first_crossing, ids_or_numbers, mention_objects

__all__ = ["write_conll"]


def write_conll(documents: Iterable[Document]) -> str:
    """Write documents as CoNLL-2012; the columns of CoNLL input are kept."""
    return "".join(map(_written, documents))


def _written(document: Document) -> str:
    header = document.origin.header or canonical_header(document.name)
    if document_name(header) != document.name or "\n" in header or header != header.strip():
        raise cannot(document, "write-name", format="conll")
    cells = _cells(document)
    lines = [f"#begin document {header}"]
    token = 0
    for sentence in document.text.rows() or _rows(document):
        for row in sentence:
            lines.append("\t".join([*row, cells.get(token, "-")]))
            token += 1
        lines.append("")
    return "\n".join([*lines, "#end document"]) + "\n"


def _cells(document: Document) -> dict[int, str]:
    """Return the bracket cells: openings (longest first), one-token mentions, closings.

    A discontinuous mention is written from its first to its last word. Zeros are dropped, as are
    mentions that thereby duplicate another mention of their entity.
    """
    ids = written_ids(document)
    brackets = Brackets()
    spans: dict[int, list[Span]] = defaultdict(list)
    seen: set[tuple[int, int, int]] = set()
    for number, mention in enumerate(mention_objects(document)):
        entity, (start, end) = int(document.entity[number]), mention.hull
        if start > end or (document.special and (entity, start, end) in seen):
            continue
        seen.add((entity, start, end))
        spans[entity].append((start, end))
        brackets.add(start, end, ids[entity], ids[entity])
    for entity, members in spans.items():
        crossed = first_crossing(members)
        if crossed:
            first, last = crossed
            values = {"entity": ids[entity], "first": first, "last": last, "how": "such-as"}
            raise cannot(document, "write-crossing", **values)
    return brackets.cells(lambda opening, whole, closing: "|".join([*opening, *whole, *closing]))


def written_ids(document: Document) -> list[str]:
    """Return the ids of the entities if brackets can represent all of them, else numbers."""
    return ids_or_numbers(document, lambda id: id.isascii() and id.isalnum(), str)


def _rows(document: Document) -> list[list[list[str]]]:
    name, part = split_name(document.name)
    speakers = _checked_speakers(document)
    column = "_".join(name.split())
    if not column or column.startswith("#"):
        column = "-"  # the name is in the header; a line that starts with # is a comment
    rows: list[list[list[str]]] = []
    for number, sentence in enumerate(document.sentences):
        if not sentence:
            raise cannot(document, "write-empty-sentence", number=number + 1, format="conll")
        rows.append([])
        for index, word in enumerate(sentence):
            written = word.encode("utf-8", "backslashreplace")
            if written.split() != [written]:
                raise cannot(document, "write-word", word=word, format="conll")
            row = [column, str(part or 0), str(index), word]
            if speakers is not None:
                row += ["-"] * 5 + [speakers[number][index], "*"]
            rows[-1].append(row)
    return rows


def _checked_speakers(document: Document) -> list[list[str]] | None:
    speakers: list[list[str]] | None = document.meta.get("speakers")
    if speakers is None:
        return None
    fits = (
        isinstance(speakers, list)
        and all(isinstance(turn, list) for turn in speakers)
        and [len(turn) for turn in speakers] == [len(words) for words in document.sentences]
        and all(
            isinstance(name, str) and not set(name) & set("\t\n\r\v\f")
            for turn in speakers
            for name in turn
        )
    )
    if not fits:
        raise cannot(document, "write-speakers")
    return speakers
