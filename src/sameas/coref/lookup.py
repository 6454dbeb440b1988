"""How the CorefUD scorer 1.2 finds a mention of one side in the other, for `compat corefud-1.2`."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sameas.coref.approximate import align
from sameas.coref.document import Bools, Ints
from sameas.coref.sides import Side

__all__ = ["Lookup", "look_up"]


@dataclass(frozen=True)
class Lookup:
    """Key and response with repeated mentions, and how a mention of one is found in the other.

    `aligned[m]` is the mention that the dictionary gives for mention m, or m; `in_key[m]` and
    `in_response[m]` are the last entities that have it, or -1.
    """

    key: Side
    response: Side
    aligned: Ints
    in_key: Ints
    in_response: Ints


def look_up(key: Side, response: Side, method: str, zeros: str, count: int) -> Lookup:
    """Align as that scorer does; each side may have a mention in several entities."""
    key, response = (_sorted(side) for side in (key, response))
    once = [side.keep(_first_of_each(side)) for side in (key, response)]
    matched = align(once[0], once[1], method, zeros, count).mention
    found = matched < count
    ours, theirs = matched[found], once[1].mention[found]
    differ = ours != theirs
    aligned = np.arange(count)
    aligned[ours[differ]] = theirs[differ]
    aligned[theirs[differ]] = ours[differ]  # over what was there: this mixes the sides
    in_key, in_response = np.full(count, -1), np.full(count, -1)
    in_key[key.mention] = key.entity
    in_response[response.mention] = response.entity
    return Lookup(key, response, aligned, in_key, in_response)


def _sorted(side: Side) -> Side:
    """Entities numbered in the order of their first mentions: longer ones first at one place."""
    read, place = side.read, side.place
    order = np.lexsort(
        (side.entity, read.stop[place], -read.size[place], read.start[place], read.document[place])
    )
    _, first = np.unique(side.entity[order], return_index=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    ranked = rank[side.entity]
    again = np.lexsort((place, ranked))
    return replace(
        side,
        document=side.document[again],
        entity=ranked[again],
        mention=side.mention[again],
        place=place[again],
    )


def _first_of_each(side: Side) -> Bools:
    mask = np.zeros(len(side.mention), dtype=np.bool_)
    mask[np.unique(side.mention, return_index=True)[1]] = True
    return mask
