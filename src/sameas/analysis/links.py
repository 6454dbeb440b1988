"""Link matched mentions by spanning trees (Martschat & Strube 2014)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sameas.analysis.described import Scored

__all__ = ["Link", "links"]


class Link(NamedTuple):
    """A link of a spanning tree, as rows of its side; `found` if the other side has it too."""

    anaphor: int
    antecedent: int
    found: bool


def links(side: Scored, other: Scored) -> list[Link]:
    """Return the links that join the mentions of each entity of `side`, in text order.

    Each mention is linked to the closest preceding mention that `other` also puts into its entity.
    Without such a mention, a name or nominal is linked to the closest preceding name, or
    else nominal, or else mention; any other mention is linked to the closest preceding mention.
    """
    entity_there = dict(zip(other.side.mention.tolist(), other.entity, strict=True))
    closest: dict[tuple[int, int | str], int] = {}  # keyed by entity, and other entity, kind or ""
    found: list[Link] = []
    mentions = side.side.mention.tolist()
    for row in np.argsort(side.order, kind="stable").tolist():
        entity, kind = side.entity[row], side.kinds[row]
        part = entity_there.get(mentions[row], -1)
        last = closest.get((entity, ""))
        if last is not None:
            together = closest.get((entity, part)) if part >= 0 else None
            if together is not None:
                found.append(Link(row, together, True))
            else:
                if kind in ("name", "nominal"):
                    last = closest.get((entity, "name"), closest.get((entity, "nominal"), last))
                found.append(Link(row, last, False))
        closest[entity, ""] = closest[entity, kind] = row
        if part >= 0:
            closest[entity, part] = row
    return found
