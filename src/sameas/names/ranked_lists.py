"""Lists of references and of candidates, one for each name, and how to read them from files."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from sameas.errors import Problem, counted
from sameas.names.letters import Removed
from sameas.names.pairs import read_pairs
from sameas.names.rows import BadLine, lines_of, name_column
from sameas.notes import Note

__all__ = ["NameLists", "RankedCandidate", "by_name", "read_candidates", "read_references"]

T = TypeVar("T")
RankedCandidate = str | tuple[str, float]


@dataclass(frozen=True, eq=False, repr=False)
class NameLists(Mapping[str, tuple[T, ...]], Generic[T]):
    """A list of references or of candidates for each name.

    >>> NameLists({"alice": ("爱丽丝", "艾丽斯")})["alice"]
    ('爱丽丝', '艾丽斯')
    """

    lists: dict[str, tuple[T, ...]]
    name: str = ""
    skipped: tuple[Problem, ...] = ()
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        """Show the file and the number of names."""
        return f"<NameLists {self.name}: {counted(len(self), 'name')}>".replace(" :", ":")

    def __getitem__(self, source: str) -> tuple[T, ...]:
        """Return the list of a name."""
        return self.lists[source]

    def __iter__(self) -> Iterator[str]:
        """Yield the names."""
        return iter(self.lists)

    def __len__(self) -> int:
        """Return the number of names."""
        return len(self.lists)


def read_references(path: str | Path, *, skip_bad: bool = False) -> NameLists[str]:
    """Read references: a name, a tab, a transliteration; one line for each reference.

    Parameters
    ----------
    path
        The file; `-` is standard input.
    skip_bad
        Skip bad lines and list them in `skipped`.

    Returns
    -------
    NameLists
        The references of each name.

    Raises
    ------
    InputError
        When lines are bad and `skip_bad` is not set, or when there are no references.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".tsv", encoding="utf-8") as file:
    ...     _ = file.write("alice\\t爱丽丝\\nbob\\t鲍勃\\nalice\\t艾丽斯\\n")
    ...     file.flush()
    ...     dict(read_references(file.name))
    {'alice': ('爱丽丝', '艾丽斯'), 'bob': ('鲍勃',)}
    """
    pairs = read_pairs(path, skip_bad=skip_bad)
    return NameLists(by_name(pairs), pairs.name, pairs.skipped, pairs.notes)


def by_name(pairs: Iterable[tuple[str, T]]) -> dict[str, tuple[T, ...]]:
    """Return the list of each name, in the order of its pairs.

    >>> by_name([("al", "a"), ("bo", "b"), ("al", "c")])
    {'al': ('a', 'c'), 'bo': ('b',)}
    """
    lists: dict[str, list[T]] = defaultdict(list)
    for source, target in pairs:
        lists[source].append(target)
    return {source: tuple(targets) for source, targets in lists.items()}


def read_candidates(path: str | Path, *, skip_bad: bool = False) -> NameLists[RankedCandidate]:
    """Read candidates: a name, a tab, a candidate, and optionally a tab and its score.

    The candidates of a name are ranked in the order of their lines. Either all lines have a score
    or none does. Invisible formatting characters are removed, as from references.

    Parameters
    ----------
    path
        The file; `-` is standard input.
    skip_bad
        Skip bad lines and list them in `skipped`, instead of raising `InputError`.

    Returns
    -------
    NameLists
        The candidates of each name; pairs of a candidate and a score, if there are scores.

    Raises
    ------
    InputError
        When there are no candidates, or lines are bad and `skip_bad` is false.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".tsv", encoding="utf-8") as file:
    ...     _ = file.write("bob\\t鲍勃\\t0.9\\nbob\\t博布\\t0.1\\n")
    ...     file.flush()
    ...     dict(read_candidates(file.name))
    {'bob': (('鲍勃', 0.9), ('博布', 0.1))}
    """
    removed = Removed()
    further = 0
    scored: tuple[int, bool] | None = None  # the first line, and whether it has a score

    def row(number: int, columns: list[str]) -> tuple[str, RankedCandidate]:
        nonlocal further, scored
        source, *others = (removed.from_name(column.strip()).strip() for column in columns)
        if not others:
            raise BadLine("no-tab")
        if not source:
            raise BadLine("empty-name", side="source")
        target, text = others[0], (others[1] if len(others) > 1 else "")
        if not target:
            raise BadLine("empty-candidate", name_column(columns, 1))
        score = _number(text) if text else None
        if text and score is None:
            raise BadLine("candidate-score", name_column(columns, 2), score=text)
        scored = scored or (number, bool(text))
        if bool(text) != scored[1]:
            column = name_column(columns, 2) if text else 1
            raise BadLine("scores-mixed", column, how="one" if text else "none", first=scored[0])
        further += any(others[2:])
        return source, target if score is None else (target, score)

    read = lines_of(path).rows(row, "no-candidates", skip_bad=skip_bad, how="candidates")
    notes = [Note("further-columns", count=further, how="three")] if further else []
    all_notes = (*notes, *removed.notes(), *read.notes)
    return NameLists(by_name(read.rows), read.path, read.skipped, all_notes)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return None if math.isnan(number) else number
