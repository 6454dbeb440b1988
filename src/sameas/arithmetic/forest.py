"""Groups of things that are joined step by step."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["Forest", "connected"]


class Forest:
    """Things, given by number, that are joined step by step.

    >>> forest = Forest(4)
    >>> forest.join(3, 1), forest.join(1, 3), forest.root(3), forest.groups()
    (True, False, 1, [0, 1, 2, 1])
    """

    def __init__(self, count: int) -> None:
        self.parent = list(range(count))

    def root(self, one: int) -> int:
        """The first thing of the group that one is in."""
        parent = self.parent
        while parent[one] != one:
            parent[one] = parent[parent[one]]
            one = parent[one]
        return one

    def join(self, one: int, other: int) -> bool:
        """Join the groups of two things; return whether they were two groups."""
        low, high = sorted((self.root(one), self.root(other)))
        self.parent[high] = low
        return low < high

    def groups(self) -> list[int]:
        """The group of each, numbered as they first come."""
        numbers: dict[int, int] = {}
        roots = map(self.root, range(len(self.parent)))
        return [numbers.setdefault(root, len(numbers)) for root in roots]


def connected(count: int, links: Iterable[tuple[int, int]]) -> list[int]:
    """The group of each of `count` things that links connect, numbered as they first come.

    >>> connected(4, [(3, 1)])
    [0, 1, 2, 1]
    """
    forest = Forest(count)
    for one, other in links:
        forest.join(one, other)
    return forest.groups()
