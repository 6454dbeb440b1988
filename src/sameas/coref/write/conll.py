"""Documents to CoNLL-2012: one token a line, brackets in the last column."""

from __future__ import annotations

from collections import defaultdict

from sameas.coref.document import Document
from sameas.coref.read.conll import canonical_header, document_name, split_name
from sameas.coref.write.nodes import cannot, first_crossing, mention_objects

__all__ = ["write_conll"]


def write_conll(document: Document) -> str:
    """The lines of one document; columns that it came with are kept."""
    header = document.origin.header or canonical_header(document.name)
    if document_name(header) != document.name or "\n" in header or header != header.strip():
        raise cannot(document, f"its name {document.name!r} cannot stand in a CoNLL header")
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
    """The bracket cells: openings (longest first), one-token mentions, closings.

    A discontinuous mention is written from its first to its last word; a zero is left out, and a
    mention that this makes equal to another of its entity, too.
    """
    ids = written_ids(document)
    opens: dict[int, list[tuple[int, str]]] = defaultdict(list)
    closes: dict[int, list[tuple[int, str]]] = defaultdict(list)
    whole: dict[int, list[str]] = defaultdict(list)
    spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
    seen: set[tuple[int, int, int]] = set()
    for number, mention in enumerate(mention_objects(document)):
        entity, (start, end) = int(document.entity[number]), mention.hull
        if start > end or (document.special and (entity, start, end) in seen):
            continue
        seen.add((entity, start, end))
        spans[entity].append((start, end))
        if start == end:
            whole[start].append(f"({ids[entity]})")
        else:
            opens[start].append((-end, f"({ids[entity]}"))
            closes[end].append((-start, f"{ids[entity]})"))
    for entity, members in spans.items():
        crossed = first_crossing(members)
        if crossed:
            raise cannot(
                document,
                f"entity {ids[entity]} has mentions that cross, such as {crossed[0]}–{crossed[1]}, "
                "which brackets cannot hold",
            )
    return {
        token: "|".join(
            [
                *(text for _, text in sorted(opens[token], key=_by_length)),
                *whole[token],
                *(text for _, text in sorted(closes[token], key=_by_length)),
            ]
        )
        for token in sorted({*opens, *closes, *whole})
    }


def _by_length(item: tuple[int, str]) -> int:
    return item[0]  # brackets of one span stay in the order of their entities


def written_ids(document: Document) -> list[str]:
    """The ids of the entities if brackets can hold them all, else their numbers."""
    ids = list(document.entity_ids)
    if len(set(ids)) == len(ids) and all(id.isascii() and id.isalnum() for id in ids):
        return ids
    return [str(number) for number in range(len(ids))]


def _rows(document: Document) -> list[list[list[str]]]:
    name, part = split_name(document.name)
    speakers = _checked_speakers(document)
    column = "_".join(name.split())
    if not column or column.startswith("#"):
        column = "-"  # the name is in the header; a line that starts with # is a comment
    rows: list[list[list[str]]] = []
    for number, sentence in enumerate(document.sentences):
        if not sentence:
            raise cannot(document, f"sentence {number} is empty, which CoNLL cannot hold")
        rows.append([])
        for index, word in enumerate(sentence):
            if not word or word.encode("utf-8", "backslashreplace").split() != [
                word.encode("utf-8", "backslashreplace")
            ]:
                raise cannot(document, f"the word {word!r} cannot stand in a CoNLL column")
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
        raise cannot(document, "its speakers are not a name for each word")
    return speakers
