"""Disjoint sets (union-find)."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["Forest", "connected"]


class Forest:
    """Disjoint sets of the numbers 0 to `count` − 1, which `join` merges.

    >>> forest = Forest(4)
    >>> forest.join(3, 1), forest.join(1, 3), forest.root(3), forest.groups()
    (True, False, 1, [0, 1, 2, 1])
    """

    def __init__(self, count: int) -> None:
        self.parent = list(range(count))

    def root(self, one: int) -> int:
        """Return the least member of the group that contains `one`."""
        parent = self.parent
        while parent[one] != one:
            parent[one] = parent[parent[one]]
            one = parent[one]
        return one

    def join(self, one: int, other: int) -> bool:
        """Join the groups of two members; return whether the groups were different."""
        low, high = sorted((self.root(one), self.root(other)))
        self.parent[high] = low
        return low < high

    def groups(self) -> list[int]:
        """Return the group of each member; groups are numbered in order of first occurrence."""
        numbers: dict[int, int] = {}
        roots = map(self.root, range(len(self.parent)))
        return [numbers.setdefault(root, len(numbers)) for root in roots]


def connected(count: int, links: Iterable[tuple[int, int]]) -> list[int]:
    """Return the connected component of each of `count` members, numbered by first occurrence.

    >>> connected(4, [(3, 1)])
    [0, 1, 2, 1]
    """
    forest = Forest(count)
    for one, other in links:
        forest.join(one, other)
    return forest.groups()
