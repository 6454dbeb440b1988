"""Documents to files: CoNLL and jsonlines."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable

from sameas.coref.document import Corpus, Document
from sameas.coref.read.conll import canonical_header, document_name, split_name
from sameas.errors import InputError, Problem, UsageError, suggest

__all__ = ["WRITERS", "write", "write_conll", "write_jsonlines"]


def write(documents: Corpus | Document | Iterable[Document], format: str) -> str:
    r"""Write documents in a format, `conll` or `jsonlines`.

    >>> from sameas.coref.read.jsonlines import read_jsonlines
    >>> line = b'{"doc_key": "a_0", "sentences": [["Ann", "ran"]], "clusters": [[[0, 0], [0, 1]]]}'
    >>> print(write(read_jsonlines(line), "conll").replace("\t", " "), end="")
    #begin document (a); part 000
    a 0 0 Ann (0|(0)
    a 0 1 ran 0)
    <BLANKLINE>
    #end document
    """
    if format not in WRITERS:
        raise UsageError(f"cannot write {format}: {suggest(str(format), WRITERS)}")
    if isinstance(documents, Corpus):
        documents = documents.documents
    if isinstance(documents, Document):
        documents = [documents]
    return "".join(WRITERS[format](document) for document in documents)


def write_jsonlines(document: Document) -> str:
    """One line of JSON: `doc_key`, `sentences`, `clusters`, and what else it came with."""
    clusters: list[list[tuple[int, int]]] = [[] for _ in document.entity_ids]
    first, last = _spans(document)
    for entity, *span in zip(document.entity.tolist(), first, last, strict=True):
        clusters[entity].append((span[0], span[1]))
    record = {"doc_key": document.name, "sentences": document.sentences, "clusters": clusters}
    meta = dict(document.meta)
    if document.origin.header not in ("", canonical_header(document.name)):
        meta["header"] = document.origin.header
    speakers = _speakers(document)
    if speakers and "speakers" not in meta:
        meta["speakers"] = speakers
    return json.dumps({**meta, **record}, ensure_ascii=False) + "\n"


def write_conll(document: Document) -> str:
    """The lines of one document; columns that it came with are kept."""
    header = document.origin.header or canonical_header(document.name)
    if document_name(header) != document.name or "\n" in header or header != header.strip():
        raise _cannot(document, f"its name {document.name!r} cannot stand in a CoNLL header")
    cells = _cells(document)
    lines = [f"#begin document {header}"]
    token = 0
    for sentence in document.text.rows() or _rows(document):
        for row in sentence:
            lines.append("\t".join([*row, cells.get(token, "-")]))
            token += 1
        lines.append("")
    return "\n".join([*lines, "#end document"]) + "\n"


WRITERS: dict[str, Callable[[Document], str]] = {
    "conll": write_conll,
    "jsonlines": write_jsonlines,
}


def _cannot(document: Document, why: str) -> InputError:
    return InputError([Problem(f"document {document.name}: {why}")])


def _spans(document: Document) -> tuple[list[int], list[int]]:
    if (
        document.first is None
        or document.last is None
        or document.last.max(initial=-1) >= document.text.token_count
    ):
        raise _cannot(document, "its mentions are not spans of tokens, so it cannot be written")
    return document.first.tolist(), document.last.tolist()


def _cells(document: Document) -> dict[int, str]:
    """The bracket cells: openings (longest first), one-token mentions, closings."""
    first, last = _spans(document)
    ids = _written_ids(document)
    opens: dict[int, list[tuple[int, str]]] = defaultdict(list)
    closes: dict[int, list[tuple[int, str]]] = defaultdict(list)
    whole: dict[int, list[str]] = defaultdict(list)
    spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for start, end, entity in zip(first, last, document.entity.tolist(), strict=True):
        spans[entity].append((start, end))
        if start == end:
            whole[start].append(f"({ids[entity]})")
        else:
            opens[start].append((-end, f"({ids[entity]}"))
            closes[end].append((-start, f"{ids[entity]})"))
    for entity, members in spans.items():
        _refuse_crossing(document, ids[entity], members)
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


def _written_ids(document: Document) -> list[str]:
    """The ids of the entities if brackets can hold them all, else their numbers."""
    ids = list(document.entity_ids)
    if len(set(ids)) == len(ids) and all(id.isascii() and id.isalnum() for id in ids):
        return ids
    return [str(number) for number in range(len(ids))]


def _refuse_crossing(document: Document, id: str, spans: list[tuple[int, int]]) -> None:
    """Brackets of one entity are read as nested; crossing mentions cannot be written."""
    stack: list[int] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        while stack and stack[-1] < start:
            stack.pop()
        if stack and stack[-1] < end:
            raise _cannot(
                document,
                f"entity {id} has mentions that cross, such as {start}–{end}, "
                "which brackets cannot hold",
            )
        stack.append(end)


def _rows(document: Document) -> list[list[list[str]]]:
    name, part = split_name(document.name)
    speakers = _checked_speakers(document)
    column = "_".join(name.split())
    if not column or column.startswith("#"):
        column = "-"  # the name is in the header; a line that starts with # is a comment
    rows: list[list[list[str]]] = []
    for number, sentence in enumerate(document.sentences):
        if not sentence:
            raise _cannot(document, f"sentence {number} is empty, which CoNLL cannot hold")
        rows.append([])
        for index, word in enumerate(sentence):
            if not word or word.encode("utf-8", "backslashreplace").split() != [
                word.encode("utf-8", "backslashreplace")
            ]:
                raise _cannot(document, f"the word {word!r} cannot stand in a CoNLL column")
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
        raise _cannot(document, "its speakers are not a name for each word")
    return speakers


def _speakers(document: Document) -> list[list[str]] | None:
    """Column 10 of a file with the twelve columns of CoNLL-2012."""
    rows = document.text.rows()
    if not rows or not all(len(row) >= 11 for sentence in rows for row in sentence):
        return None
    return [[row[9] for row in sentence] for sentence in rows]
