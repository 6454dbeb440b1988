"""Split matched mentions into classes: by entity type, kind of mention, or entity size.

Every metric is then scored on each class separately. A key mention belongs to the class given in
the key. A response mention belongs to the class of the key mention that it matches, or else to the
class given in the response, or else to no class.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from sameas.arithmetic.arrays import Ints
from sameas.documents.document import KINDS
from sameas.documents.records import hold_records
from sameas.errors import UsageError
from sameas.matching.matching import Matching
from sameas.matching.sides import Side

__all__ = [
    "CLASSES",
    "RANGES",
    "classes_of",
    "in_order",
    "range_of",
    "require_labels",
    "restrict",
]

CLASSES = ("type", "kind", "size")
NONE = "(none)"
_RANGES = {0: "0", 1: "1", 2: "2", 4: "3–4", 9: "5–9"}
RANGES = (*_RANGES.values(), "10+")
_COLUMNS = {"type": "types", "kind": "kinds"}
Labels = npt.NDArray[np.object_]


def classes_of(matching: Matching, by: str) -> list[Labels]:
    """Return the class of each mention of key and response; `by` is one of `CLASSES`."""
    ours, theirs = _labels(matching.key, by), _labels(matching.response, by)
    of = dict(zip(matching.key.mention.tolist(), ours, strict=True))
    mentions = matching.response.mention.tolist()
    theirs = [of.get(mention, own) for mention, own in zip(mentions, theirs, strict=True)]
    return [np.array(labels, dtype=np.object_) for labels in (ours, theirs)]


def restrict(matching: Matching, classes: Sequence[Labels], label: str) -> Matching:
    """Return the matching of one class, given the classes of the mentions of key and response.

    >>> import sameas
    >>> result = sameas.score([["a", "b"], ["c"]], [["a", "b", "c"]])
    >>> {size: part["mention"].counts for size, part in result.by("size").items()}
    {'1': (1, 1, 1, 1), '2': (2, 2, 2, 2)}
    """
    key, response = (
        side.keep(labels == label)
        for side, labels in zip((matching.key, matching.response), classes, strict=True)
    )
    # Without `kept`, so that a class is counted one to one.
    return replace(matching, key=key, response=response, notes=(), kept=None)


def _labels(side: Side, by: str) -> list[str]:
    if by == "size":
        sizes: Ints = np.bincount(side.entity)[side.entity] if side.entity.size else side.entity
        return list(map(range_of, sizes.tolist()))
    labels = side.read.labels(_COLUMNS[by])
    return [labels[place] or NONE if labels else NONE for place in side.place.tolist()]


def range_of(number: int) -> str:
    """Return the range that contains a size or a distance.

    >>> range_of(2), range_of(7), range_of(12)
    ('2', '5–9', '10+')
    """
    return next((name for most, name in _RANGES.items() if number <= most), RANGES[-1])


def require_labels(matchings: Sequence[Matching], by: str) -> None:
    """Raise `UsageError` if no key has the labels for a breakdown."""
    if by != "size" and all(
        matching.key.read.labels(_COLUMNS[by]) is None for matching in matchings
    ):
        of_records = all(hold_records(matching.key.read.documents) for matching in matchings)
        raise UsageError("no-labels", how="records" if of_records else by, by=by)


def in_order(by: str) -> Callable[[str], tuple[int, str]]:
    """Return a sort key for classes: sizes and kinds in their own order, "no class" last."""
    order: Sequence[str] = {"size": RANGES, "kind": KINDS}.get(by, ())

    def rank(label: str) -> tuple[int, str]:
        if label == NONE:
            return len(order) + 1, ""
        return (order.index(label) if label in order else len(order)), label

    return rank
