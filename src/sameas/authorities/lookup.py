"""How the CorefUD scorer 1.2 finds a mention of one side in the other, for `compat corefud-1.2`."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sameas.arithmetic.arrays import Ints
from sameas.matching.approximate import align
from sameas.matching.matching import Kept, count_repeated
from sameas.matching.sides import Mentions, Side

__all__ = ["Lookup", "look_up"]


@dataclass(frozen=True)
class Lookup(Kept):
    """Key and response with repeated mentions, and how a mention of one is found in the other.

    `aligned[m]` is the mention that the dictionary gives for mention m, or m; `in_key[m]` and
    `in_response[m]` are the last entities that have it, or -1.
    """

    aligned: Ints
    in_key: Ints
    in_response: Ints


def look_up(
    key: Side, response: Side, method: str, zeros: str, count: int
) -> tuple[Side, Side, Lookup | None]:
    """Key and response matched one to one, and how that scorer sees them if it sees them otherwise.

    Each side may have a mention in several entities.
    """
    repeated = any(map(count_repeated, (key, response)))
    if repeated:
        key, response = _sorted(key), _sorted(response)
    our, their = (side.first_of_each(side.mention) for side in (key, response))
    matched = align(our, their, method, zeros, count)
    found = matched.mention < count
    ours, theirs = matched.mention[found], their.mention[found]
    differ = ours != theirs
    ours, theirs = ours[differ], theirs[differ]
    aligned = np.arange(count)
    aligned[ours] = theirs
    aligned[theirs] = ours  # over what was there: this mixes the sides
    in_key, in_response = np.full(count, -1), np.full(count, -1)
    in_key[key.mention] = key.entity
    in_response[response.mention] = response.entity
    if not repeated and (in_response[ours] < 0).all() and (in_key[theirs] < 0).all():
        return our, matched, None
    return our, matched, Lookup(key, response, aligned, in_key, in_response)


def _sorted(side: Side) -> Side:
    """Entities numbered as that scorer sorts them, mentions by entity."""
    rank = _entity_ranks(side.read)[side.read.entity[side.place]]
    entity = np.unique(rank, return_inverse=True)[1]
    order = np.lexsort((side.place, entity))
    return replace(side.keep(order), entity=entity[order])


def _entity_ranks(read: Mentions) -> Ints:
    """The rank of each entity as read: by document, then by the first mention of its id.

    Of mentions that start at one node the longer comes first, then the one that ends first, then
    the one whose entity has the smaller id, as text. An id is one entity in the whole file, even if
    its mentions are scored document by document; the ids of GUM's schema are those of a document.
    """
    ids: list[tuple[int, str]] = []
    home: list[int] = []
    for number, document in enumerate(read.documents):
        local = "GRP" in getattr(document.annotation, "fields", ())
        ids += [(number if local else -1, id) for id in document.entity_ids]
        home += [number] * len(document.entity_ids)
    texts = {id: rank for rank, id in enumerate(sorted({id for _, id in ids}))}
    by_text = np.array([texts[id] for _, id in ids], dtype=np.int64)
    order = np.lexsort((by_text[read.entity], read.stop, -read.size, read.start, read.document))
    first: dict[tuple[int, str], int] = {}
    for entity in read.entity[order].tolist():
        first.setdefault(ids[entity], len(first))
    by_first = np.array([first.get(id, 0) for id in ids], dtype=np.int64)
    ranks = np.empty(len(ids), dtype=np.int64)
    ranks[np.lexsort((by_first, np.array(home, dtype=np.int64)))] = np.arange(len(ids))
    return ranks
