"""Prepare an analysis for display: mentions in text order, and numbered entities.

Key entities are numbered in text order. A response entity has the number of the key entity to which
most of its matched mentions belong. If several response entities share key entity 5, the one with
most of its mentions is 5, the next is 5b. Response entities without a key entity are x1, x2, …
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, pairwise

import numpy as np

from sameas.analysis.analysis import Analysis
from sameas.analysis.described import Scored
from sameas.documents.document import Span

__all__ = ["Placed", "Placement", "key_placements", "response_placements"]


@dataclass(frozen=True, slots=True)
class Placed:
    """One mention: its number within the document, its words, its entity and its kind."""

    number: int
    places: list[Span]
    entity: int
    kind: str


@dataclass(frozen=True)
class Placement:
    """The mentions of one side of a document in text order, and its entities."""

    mentions: list[Placed]
    entities: list[int]  # numbers in the analysis
    ids: list[str]  # ids in the file
    labels: list[str]  # numbers for display
    main: list[int]  # index of each entity's main key entity in this document, or -1


def key_placements(analysis: Analysis) -> list[Placement]:
    """Return the placement of each document's key.

    >>> import sameas
    >>> found = sameas.analyse([["a", "b"], ["c"]], [["a"]])
    >>> key_placements(found)[0].labels
    ['1', '2']
    """
    found = []
    for mentions, entities, ids in _by_document(analysis.key):
        numbers = list(range(len(entities)))
        labels = [str(number + 1) for number in numbers]
        found.append(Placement(mentions, entities, ids, labels, numbers))
    return found


def response_placements(analysis: Analysis, keys: list[Placement]) -> list[Placement]:
    """Return the placement of each document's response, numbered to match the key.

    >>> import sameas
    >>> found = sameas.analyse([["a", "b"], ["c"]], [["c", "d"], ["a"], ["b"], ["e"]])
    >>> response_placements(found, key_placements(found))[0].labels
    ['1', '1b', '2', 'x1']
    """
    targets, sizes = analysis.steps.main_parts()
    found = []
    for key, (mentions, entities, ids) in zip(keys, _by_document(analysis.response), strict=True):
        place = {entity: number for number, entity in enumerate(key.entities)}
        main = [place[targets[entity]] if targets[entity] >= 0 else -1 for entity in entities]
        labels = [""] * len(entities)
        used = Counter[int]()
        for number in sorted(range(len(entities)), key=lambda n: (-sizes[entities[n]], n)):
            if main[number] >= 0:
                used[main[number]] += 1
                labels[number] = f"{main[number] + 1}{_letters(used[main[number]])}"
        unmatched = count(1)
        labels = [label or f"x{next(unmatched)}" for label in labels]
        found.append(Placement(mentions, entities, ids, labels, main))
    return found


def _by_document(scored: Scored) -> Iterator[tuple[list[Placed], list[int], list[str]]]:
    """Yield the mentions, entities and ids of one side, document by document."""
    order = np.argsort(scored.order, kind="stable")
    home = np.array(scored.document, dtype=np.int64)[order]
    bounds = np.searchsorted(home, np.arange(len(scored.layouts) + 1)).tolist()
    for low, high in pairwise(bounds):
        entities: dict[int, int] = {}
        mentions = [
            Placed(
                scored.number(row),
                scored.described.places[scored.place[row]],
                entities.setdefault(scored.entity[row], len(entities)),
                scored.kinds[row],
            )
            for row in order[low:high].tolist()
        ]
        yield mentions, list(entities), [scored.ids[entity] for entity in entities]


def _letters(number: int) -> str:
    """Return the suffix of a number: nothing for 1, then b, c, …, z, aa, ab, …."""
    letters = ""
    while number > 1 or (letters and number):
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters
