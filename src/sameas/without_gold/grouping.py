"""Groups of names that are joined step by step, with the reasons."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sameas.arithmetic.forest import Forest
from sameas.without_gold.forms import Form

__all__ = ["SAME", "Grouping", "Groups", "Join"]

SAME = "same words"  # the reason for most joins


@dataclass(frozen=True, slots=True)
class Join:
    """The indices of two joined names, and the reason.

    >>> Join(1, 0, "same words")
    Join(name=1, other=0, reason='same words')
    """

    name: int
    other: int  # smaller than `name`
    reason: str


@dataclass(frozen=True, slots=True)
class Grouping:
    """The entity of each name, and the joins that formed the entities.

    >>> Grouping([0, 1, 0], [Join(2, 0, "same words")]).entity
    [0, 1, 0]
    """

    entity: list[int]  # of each name; numbered in order of appearance
    joins: list[Join]  # those that merged two groups: a spanning forest


class Groups:
    """Groups of names, which are given as indices."""

    def __init__(self, size: int) -> None:
        self._forest = Forest(size)
        self.root = self._forest.root  # maps a name to the first in its group
        self.joins: list[Join] = []

    def join(self, name: int, other: int, reason: str) -> None:
        """Join the groups of two names."""
        if self._forest.join(name, other):
            self.joins.append(Join(max(name, other), min(name, other), reason))

    def join_alike(self, keys: Iterable[tuple[int, object]], reason: str) -> None:
        """Join each name with the first name that has the same key."""
        seen: dict[object, int] = {}
        for number, key in keys:
            self.join(number, seen.setdefault(key, number), reason)

    def join_forms(self, form: Form, other: Form, reason: str) -> None:
        """Join the names of two forms; those of each form are already joined."""
        self.join(form.first, other.first, reason)

    def join_same(self, form: Form) -> None:
        """Join the names of one form."""
        for number in form.names[1:]:
            self.join(number, form.first, SAME)

    def are_one(self, forms: Iterable[Form]) -> bool:
        """Return whether all these forms are in one group."""
        return len({self.root(form.first) for form in forms}) == 1

    def grouping(self) -> Grouping:
        """Return the current groups, and the joins that formed them."""
        return Grouping(self._forest.groups(), self.joins)
