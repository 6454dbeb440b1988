"""Matched mentions to parts of them: by entity type, kind of mention, or entity size.

Every metric is then scored on the part alone. A key mention belongs to the class that the key gives
it; a response mention to that of the key mention it matches, or else to the one that the response
gives it, or else to none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from sameas.arithmetic.arrays import Ints
from sameas.documents.document import KINDS
from sameas.errors import UsageError
from sameas.matching.matching import Matching
from sameas.matching.sides import Side

__all__ = ["CLASSES", "RANGES", "in_order", "range_of", "require_labels", "restrict"]

CLASSES = ("type", "kind", "size")
NONE = "(none)"
_RANGES = {0: "0", 1: "1", 2: "2", 4: "3–4", 9: "5–9"}
RANGES = (*_RANGES.values(), "10+")
_COLUMNS = {"type": "types", "kind": "kinds"}


def restrict(matching: Matching, by: str) -> dict[str, Matching]:
    """The matching of each class of mentions; `by` is one of `CLASSES`.

    >>> import sameas
    >>> result = sameas.score([["a", "b"], ["c"]], [["a", "b", "c"]])
    >>> {size: part["mention"].counts for size, part in result.by("size").items()}
    {'1': (1, 1, 1, 1), '2': (2, 2, 2, 2)}
    """
    ours, theirs = _labels(matching.key, by), _labels(matching.response, by)
    of = dict(zip(matching.key.mention.tolist(), ours, strict=True))
    theirs = [
        of.get(mention, own)
        for mention, own in zip(matching.response.mention.tolist(), theirs, strict=True)
    ]
    parts = {}
    ours_array, theirs_array = np.array(ours, dtype=object), np.array(theirs, dtype=object)
    for label in sorted({label or NONE for label in (*ours, *theirs)}, key=in_order(by)):
        written = "" if label == NONE else label
        parts[label] = replace(
            matching,
            key=matching.key.keep(ours_array == written),
            response=matching.response.keep(theirs_array == written),
            notes=(),
            kept=None,  # classes are counted one to one
        )
    return parts


def _labels(side: Side, by: str) -> list[str]:
    if by == "size":
        sizes: Ints = np.bincount(side.entity)[side.entity] if side.entity.size else side.entity
        return list(map(range_of, sizes.tolist()))
    labels = side.read.labels(_COLUMNS[by])
    return ["" if labels is None else labels[place] for place in side.place.tolist()]


def range_of(number: int) -> str:
    """Return the range that a size or a distance is shown in.

    >>> range_of(2), range_of(7), range_of(12)
    ('2', '5–9', '10+')
    """
    return next((name for most, name in _RANGES.items() if number <= most), RANGES[-1])


def require_labels(matchings: Sequence[Matching], by: str) -> None:
    """Refuse a breakdown for which no key says anything."""
    if by != "size" and all(
        matching.key.read.labels(_COLUMNS[by]) is None for matching in matchings
    ):
        raise UsageError("no-labels", how=by)


def in_order(by: str) -> Callable[[str], tuple[int, str]]:
    """How classes are sorted: sizes and kinds in their order, what has none last."""
    order = RANGES if by == "size" else KINDS

    def rank(label: str) -> tuple[int, str]:
        if label == NONE:
            return len(order) + 1, ""
        known = by in ("size", "kind") and label in order
        return (order.index(label) if known else len(order)), label

    return rank
