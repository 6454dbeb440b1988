"""Write documents as brat standoff: a text and its annotation."""

from __future__ import annotations

import re
from itertools import count

from sameas.documents.document import Document
from sameas.documents.mentions import Span
from sameas.formats.brat.read import BratAnnotation, note
from sameas.formats.brat.text import CharacterText
from sameas.formats.nodes import cannot

__all__ = ["write_brat"]

DEFAULT_TYPE = "Mention"


def write_brat(document: Document) -> tuple[str, str]:
    r"""Write a document as brat standoff: return its text and its annotation.

    Each sentence is one line, with its words separated by spaces; a note records this for the
    round trip. A document that was read from brat keeps its text and, if its entities have not
    changed, its annotation.

    >>> from sameas.documents.document import Entity, Mention, WrittenText
    >>> entity = Entity("0", (Mention.at(0, 1), Mention.at(4, 4)), "person")
    >>> words = (("Ann", "Lee", "says", "that"), ("she", "ran"))
    >>> text, annotation = write_brat(Document("a", [entity], text=WrittenText(words)))
    >>> print(text + annotation.expandtabs(4), end="")
    Ann Lee says that
    she ran
    T1  person 0 7  Ann Lee
    T2  person 18 21    she
    *   Coref T1 T2
    #1  sameas text tokens between blanks; untyped Mention
    """
    spans = _spans(document)
    joining: frozenset[int] | None
    if isinstance(document.text, CharacterText):
        if document.text.raw is None:
            raise cannot(document, "write-no-text")
        text = document.text.raw
        if isinstance(document.annotation, BratAnnotation) and document.annotation.fits(document):
            return text, document.annotation.written
        joining = document.text.joining
    else:
        text, starts = _joined(document)
        joining = _blanks_inside(document, starts)
        words = document.tokens
        spans = [
            [(starts[first], starts[last] + len(words[last]) - 1) for first, last in pieces]
            for pieces in spans
        ]
    return text, "".join(line + "\n" for line in _lines(document, spans, text, joining))


def _spans(document: Document) -> list[list[Span]]:
    """Return the first and last token (or character) of each piece of each mention."""
    if document.first is None and document.mention_count:
        raise cannot(document, "write-no-places")
    count = document.text.token_count
    found: list[list[Span]] = []
    for mention in map(document.mention, range(document.mention_count)):
        if mention.zeros:
            raise cannot(document, "write-brat-zeros")
        if not all(0 <= first <= last < count for first, last in mention.spans):
            raise cannot(document, "write-outside", count=count, unit=document.unit)
        found.append(list(mention.spans))
    return found


def _joined(document: Document) -> tuple[str, list[int]]:
    """Return the text, and the offset of each word."""
    starts: list[int] = []
    offset = 0
    for sentence in document.sentences:
        for word in sentence:
            if not word or re.search(r"[\r\n]", word):
                raise cannot(document, "write-word", word=word, format="brat")
            starts.append(offset)
            offset += len(word) + 1
        offset += not sentence
    return "".join(" ".join(sentence) + "\n" for sentence in document.sentences), starts


def _blanks_inside(document: Document, starts: list[int]) -> frozenset[int]:
    """Return the offsets of spaces inside words."""
    return frozenset(
        start + place
        for word, start in zip(document.tokens, starts, strict=True)
        for place, sign in enumerate(word)
        if sign == " "
    )


def _lines(
    document: Document, spans: list[list[Span]], text: str, joining: frozenset[int] | None
) -> list[str]:
    annotated = document.details.types() or [""] * len(spans)
    types = [re.sub(r"\s", "_", type) for type in annotated]
    labels = (f"{DEFAULT_TYPE}{'_' * more}" for more in count())  # candidates for "no type"
    untyped = next(label for label in labels if label not in types)
    members: list[list[str]] = [[] for _ in document.entity_ids]
    lines = []
    for number, (entity, pieces) in enumerate(zip(document.entity.tolist(), spans, strict=True)):
        offsets = ";".join(f"{first} {last + 1}" for first, last in pieces)
        reference = " ".join(text[first : last + 1] for first, last in pieces)
        reference = re.sub(r"[\t\n\r\v\f]", " ", reference)
        lines.append(f"T{number + 1}\t{types[number] or untyped} {offsets}\t{reference}")
        members[entity].append(f"T{number + 1}")
    lines.extend(f"*\tCoref {' '.join(ids)}" for ids in members if len(ids) > 1)
    return [*lines, note(joining, untyped)]
