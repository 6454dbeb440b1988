"""Matched mentions to parts of them: by entity type, kind of mention, or entity size.

Every metric is then scored on the part alone. A key mention belongs to the class that the key gives
it; a response mention to that of the key mention it matches, or else to the one that the response
gives it, or else to none.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sameas.coref.document import KINDS, Ints
from sameas.coref.matching import Matching
from sameas.coref.sides import Side
from sameas.errors import UsageError

__all__ = ["CLASSES", "restrict"]

CLASSES = ("type", "kind", "size")
NONE = "(none)"
_SIZES = ((1, "1"), (2, "2"), (4, "3–4"), (9, "5–9"))
_LARGE = "10+"
_COLUMNS = {"type": "types", "kind": "kinds"}


def restrict(matching: Matching, by: str) -> dict[str, Matching]:
    """The matching of each class of mentions; `by` is one of `CLASSES`.

    >>> from sameas.coref.contingency import contingency_of
    >>> import sameas
    >>> result = sameas.score([["a", "b"], ["c"]], [["a", "b", "c"]])
    >>> {size: part["mention"].counts for size, part in result.by("size").items()}
    {'1': (1, 1, 1, 1), '2': (2, 2, 2, 2)}
    """
    if matching.repeated is not None:
        raise UsageError("compat conll-8.01 counts repeated mentions, which belong to no one class")
    ours = _labels(matching.key, by)
    if ours is None:
        what = "what type its entities are" if by == "type" else "what kind its mentions are"
        raise UsageError(f"the key does not say {what}")
    theirs = _labels(matching.response, by) or [""] * len(matching.response.mention)
    of = dict(zip(matching.key.mention.tolist(), ours, strict=True))
    theirs = [
        of.get(mention, own)
        for mention, own in zip(matching.response.mention.tolist(), theirs, strict=True)
    ]
    parts = {}
    ours_array, theirs_array = np.array(ours, dtype=object), np.array(theirs, dtype=object)
    for label in sorted({*ours, *theirs}, key=lambda label: _rank(label, by)):
        parts[label or NONE] = replace(
            matching,
            key=matching.key.keep(ours_array == label),
            response=matching.response.keep(theirs_array == label),
            notes=(),
            lookup=None,  # classes are counted one to one
        )
    return parts


def _labels(side: Side, by: str) -> list[str] | None:
    if by == "size":
        sizes: Ints = np.bincount(side.entity)[side.entity] if side.entity.size else side.entity
        return [
            next((name for most, name in _SIZES if size <= most), _LARGE) for size in sizes.tolist()
        ]
    labels = side.read.labels(_COLUMNS[by])
    return None if labels is None else [labels[place] for place in side.place.tolist()]


def _rank(label: str, by: str) -> tuple[int, str]:
    order = [name for _, name in _SIZES] if by == "size" else list(KINDS) if by == "kind" else []
    if not label:
        return len(order) + 2, ""
    return (order.index(label) if label in order else len(order)), label
