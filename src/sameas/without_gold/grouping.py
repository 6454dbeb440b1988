"""Names that are joined step by step, and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sameas.arithmetic.forest import Forest
from sameas.without_gold.forms import _Form

__all__ = ["Grouping", "Join"]

SAME = "same words"  # the reason of most joins


@dataclass(frozen=True, slots=True)
class Join:
    """Two names that were joined, by their numbers, and why.

    >>> Join(1, 0, "same words")
    Join(name=1, other=0, reason='same words')
    """

    name: int
    other: int  # smaller than `name`
    reason: str


@dataclass(frozen=True, slots=True)
class Grouping:
    """The entity of each name, and the joins that made the entities.

    >>> Grouping([0, 1, 0], [Join(2, 0, "same words")]).entity
    [0, 1, 0]
    """

    entity: list[int]  # of each name; entities are numbered in the order of their first names
    joins: list[Join]  # those that merged two groups: a spanning forest


class _Groups:
    """Names that are joined step by step."""

    def __init__(self, size: int) -> None:
        self._forest = Forest(size)
        self.root = self._forest.root  # the first name of the group of a name
        self.joins: list[Join] = []

    def join(self, name: int, other: int, reason: str) -> None:
        if self._forest.join(name, other):
            self.joins.append(Join(max(name, other), min(name, other), reason))

    def grouping(self) -> Grouping:
        return Grouping(self._forest.groups(), self.joins)


def _join_alike(groups: _Groups, keys: Iterable[tuple[int, object]], reason: str) -> None:
    """Join names, given by their numbers, with the first of the same key."""
    seen: dict[object, int] = {}
    for number, key in keys:
        first = seen.setdefault(key, number)
        if first != number:
            groups.join(number, first, reason)


def _join_same(form: _Form, groups: _Groups) -> None:
    for number in form.names[1:]:
        groups.join(number, form.names[0], SAME)


def _join_forms(groups: _Groups, form: _Form, other: _Form, reason: str) -> None:
    groups.join(form.names[0], other.names[0], reason)
