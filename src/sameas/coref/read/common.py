"""What readers share: their problems, the ends of lines, the names of documents."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from sameas.coref.document import Corpus, Document, Ints
from sameas.errors import InputError, Problem, Severity

__all__ = ["Forest", "Reporter", "connected", "numbered"]


class Reporter:
    """The problems of one file, and what follows from them.

    Lines are counted from 0, and from the first of the part that is being read.
    """

    def __init__(self, path: str, before: int = 0) -> None:
        self.path, self.before = path, before  # lines of the parts before
        self.problems: list[Problem] = []

    def error(self, line: int, column: int, code: str, **values: Any) -> None:
        """Report what cannot be scored."""
        self._report(line, column, code, "error", values)

    def warn(self, line: int, column: int, code: str, **values: Any) -> None:
        """Report what is passed over, or only looks wrong."""
        self._report(line, column, code, "warning", values)

    def _report(
        self, line: int, column: int, code: str, severity: Severity, values: dict[str, Any]
    ) -> None:
        place = (self.path, self.before + line + 1, column)
        self.problems.append(Problem(code, *place, severity=severity, values=values))

    @property
    def refused(self) -> bool:
        """Whether there is anything that cannot be scored."""
        return any(problem.severity == "error" for problem in self.problems)

    def unix(self, data: bytes) -> bytes:
        """The file with lines that end in LF, and nothing else."""
        if b"\n" not in data:
            data = data.replace(b"\r", b"\n")
        if b"\r\n" in data:
            self.warn(0, 1, "crlf")
            data = data.replace(b"\r\n", b"\n")
        return data

    def name(self, number: int) -> str:
        """The name of document `number` of the file, which gives it none."""
        stem = os.path.basename(self.path).split(".")[0] or "document"
        return f"{stem} ({number + 1})" if number else stem

    def corpus(
        self, documents: Sequence[Document], format: str, refuse: bool, wordless: bool = False
    ) -> Corpus:
        """The documents, if there are any; unless `refuse`, also wrong ones."""
        self.problems.sort(key=lambda problem: (problem.line, problem.column))
        if wordless and not self.refused:
            self.problems.append(Problem("no-words", self.path, 1, 1, how=format))
        if (refuse or not documents) and self.refused:
            raise InputError(self.problems)
        return Corpus(documents, self.path, format, self.problems)


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


def numbered(values: Ints) -> tuple[Ints, Ints]:
    """Number values as they first come: return where each of them does, and the number of all.

    >>> [column.tolist() for column in numbered(np.array([7, 7, 3, 7]))]
    [[0, 2], [0, 0, 1, 0]]
    """
    _, first, kind = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return first[order], rank[kind]
