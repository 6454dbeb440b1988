"""The expected content of a page, from the analyses and from the corpora."""

from __future__ import annotations

import itertools
from functools import cache

import sameas
from sameas.analysis.findings import KINDS, Error
from sameas.analysis.placement import Placement, key_placements, response_placements
from sameas.documents.document import Document, Mention

CODES = dict(zip(KINDS, ["S", "C", "X", "XE", "D", "M", "ME"], strict=True))


def errors_of(analysis: sameas.Analysis, place: int) -> list[Error]:
    """Return the errors of a document in the order of the text."""
    return sorted(
        (error for error in analysis.errors if error.place == place),
        key=lambda e: (e.mentions[0].places[0][0], KINDS.index(e.kind), e.number),
    )


@cache
def placements(analysis: sameas.Analysis) -> tuple[list[Placement], list[Placement]]:
    keys = key_placements(analysis)
    return keys, response_placements(analysis, keys)


def written(analysis: sameas.Analysis, place: int, sides: str) -> list[str]:
    """Return the sentences of a document with brackets, entity numbers and error codes."""
    layout = analysis.layouts[place]
    keys, responses = placements(analysis)
    placed = {"key": keys[place], "response": responses[place]}
    codes: dict[tuple[str, int], str] = {}
    for error in errors_of(analysis, place):
        for mention in error.mentions:
            codes.setdefault((mention.side, mention.number), "")
            codes[mention.side, mention.number] += CODES[error.kind]
    opens: dict[int, list[tuple[int, int, int, str]]] = {}
    closes: dict[int, list[tuple[int, int, int, str]]] = {}
    for rank, (side, signs) in enumerate([("key", "[]"), ("response", "‹›")]):
        if sides not in (side, "both"):
            continue
        for count, mention in enumerate(placed[side].mentions):
            opening = signs[0] + placed[side].labels[mention.entity]
            opening += codes.get((side, mention.number), "")
            for first, last in mention.places:
                opens.setdefault(first, []).append((first - last, rank, count, opening))
                closes.setdefault(last, []).append((last - first, -rank, count, signs[1]))
    lines = []
    bounds = [*layout.starts, len(layout.words)] if layout.starts else []
    for start, stop in itertools.pairwise(bounds):
        line = ""
        for word in range(start, stop):
            line += " " * (word > start and word not in layout.glued)
            line += "".join(one[-1] for one in sorted(opens.get(word, [])))
            line += layout.words[word]
            line += "".join(one[-1] for one in sorted(closes.get(word, [])))
        lines.append(line)
    return lines


def members(document: Document) -> list[list[list[tuple[int, int]]]]:
    """Return the pieces of each mention of each entity, from the corpus."""
    found = []
    for entity in document.entities:
        mentions = [m if isinstance(m, Mention) else Mention((m,)) for m in entity.mentions]  # type: ignore[arg-type]
        found.append([list(mention.spans) for mention in mentions])
    return found


def covered(pieces: list[list[tuple[int, int]]]) -> set[int]:
    return {word for spans in pieces for first, last in spans for word in range(first, last + 1)}


def around(document: Document, word: int) -> set[int]:
    """Return the words of the entity with the innermost mention at a word."""
    best: tuple[int, int] | None = None
    found: set[int] = set()
    for entity in members(document):
        for spans in entity:
            if any(first <= word <= last for first, last in spans):
                length = spans[-1][1] - spans[0][0]
                rank = (length, -spans[0][0])
                if best is None or rank < best:
                    best, found = rank, covered(entity)
    return found
