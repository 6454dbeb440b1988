"""What readers share: problems, line endings, names of documents."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from sameas.arithmetic.arrays import Ints
from sameas.documents.document import Corpus, Document
from sameas.errors import InputError, Problem, Severity

__all__ = ["Reporter", "numbered"]


class Reporter:
    """The problems of one file, and whether it can be scored.

    Lines are counted from 0, starting at the first line of the part that is being read.
    """

    def __init__(self, path: str, before: int = 0) -> None:
        self.path, self.before = path, before  # number of lines before this part
        self.problems: list[Problem] = []

    def error(
        self, line: int, column: int, code: str, severity: Severity = "error", **values: Any
    ) -> None:
        """Report a problem that makes the file impossible to score."""
        place = (self.path, self.before + line + 1, column)
        self.problems.append(Problem(code, *place, severity=severity, values=values))

    def warn(self, line: int, column: int, code: str, **values: Any) -> None:
        """Report input that is skipped or only looks wrong."""
        self.error(line, column, code, "warning", **values)

    @property
    def refused(self) -> bool:
        """Whether there is an error, so that the file cannot be scored."""
        return any(problem.severity == "error" for problem in self.problems)

    def unix(self, data: bytes) -> bytes:
        """Normalise line endings to LF."""
        if b"\n" not in data:
            data = data.replace(b"\r", b"\n")
        if b"\r\n" in data:
            self.warn(0, 1, "crlf")
            data = data.replace(b"\r\n", b"\n")
        return data

    def name(self, number: int) -> str:
        """Return a name for an unnamed document; `number` is its index in the file."""
        stem = os.path.basename(self.path).split(".")[0] or "document"
        return f"{stem} ({number + 1})" if number else stem

    def corpus(
        self, documents: Sequence[Document], format: str, refuse: bool, wordless: bool = False
    ) -> Corpus:
        """Return the documents as a corpus, or raise the errors.

        Errors are raised if `refuse` is true, or if no document could be read.
        """
        self.problems.sort(key=lambda problem: (problem.line, problem.column))
        if wordless and not self.refused:
            self.problems.append(Problem("no-words", self.path, 1, 1, how=format))
        if (refuse or not documents) and self.refused:
            raise InputError(self.problems)
        return Corpus(documents, self.path, format, self.problems)


def numbered(values: Ints) -> tuple[Ints, Ints]:
    """Assign numbers to distinct values in order of first occurrence.

    Return the position of each number's first occurrence, and the number assigned to each element.

    >>> [column.tolist() for column in numbered(np.array([7, 7, 3, 7]))]
    [[0, 2], [0, 0, 1, 0]]
    """
    _, first, kind = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return first[order], rank[kind]
