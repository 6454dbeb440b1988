"""Tables of scores: one row per system or document, one column per metric.

They come from files (`score_files.py`), from results, or from the published scores.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sameas.chance.resampling import Floats
from sameas.errors import InputError, Problem, UsageError, require, unknown
from sameas.notes import Note

if TYPE_CHECKING:
    from sameas.results.result import Result

__all__ = ["PARTS", "Record", "ScoreTable", "count_decimals", "scores_of", "table_of"]

#: The labels of a row, and recall, precision and F1 of each metric as `sameas score` writes them.
Record = tuple[dict[str, str], Mapping[str, Mapping[str, Any]]]

#: The parts of a score, and their names in the output of `sameas score`.
PARTS = {"f1": ("f1", "value"), "recall": ("recall",), "precision": ("precision",)}
_NUMBER = re.compile(r"[-+]?\d*\.?(\d*)(?:[eE]([-+]?\d+))?")


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """A table whose rows have labels (words) and scores (numbers).

    Attributes
    ----------
    labels
        The columns of words, by name.
    columns
        The columns of scores, by name; nan is a missing score.
    decimals
        The number of decimals of each score as printed, by column.
    notes
        Notes on skipped rows and omitted metrics.

    Examples
    --------
    >>> table = ScoreTable({"system": ["a", "b"]}, {"muc": np.array([50.0, 60.0])})
    >>> len(table), table.name(0), table.select([1]).labels
    (2, 'a', {'system': ['b']})
    >>> table.only(["muc"]).records()
    [{'system': 'a', 'muc': 50.0}, {'system': 'b', 'muc': 60.0}]
    """

    labels: Mapping[str, Sequence[str]]
    columns: Mapping[str, Floats]
    decimals: Mapping[str, Sequence[int]] | None = None
    notes: Sequence[Note] = ()

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(next(iter(self.columns.values()), ()))

    def select(self, rows: Sequence[int]) -> ScoreTable:
        """Return some of the rows.

        Parameters
        ----------
        rows
            The indices of the rows.

        Returns
        -------
        ScoreTable
            The rows in the given order.
        """
        numbers = np.array(rows, dtype=np.int64)
        return replace(
            self,
            labels={name: [cells[n] for n in rows] for name, cells in self.labels.items()},
            columns={name: column[numbers] for name, column in self.columns.items()},
            decimals=self.decimals
            and {name: [cells[n] for n in rows] for name, cells in self.decimals.items()},
        )

    def only(self, names: Sequence[str]) -> ScoreTable:
        """Return the table with some of its columns of scores.

        Parameters
        ----------
        names
            The names of the columns.

        Returns
        -------
        ScoreTable
            All rows and labels, with these columns in this order.
        """
        for name in names:
            if name in self.labels and name not in self.columns:
                raise UsageError("column-of-words", name=name, known=list(self.columns))
            if name not in self.columns:
                raise unknown("column", name, self.columns)
        return replace(self, columns={name: self.columns[name] for name in names})

    def by(self, group: str) -> dict[str, ScoreTable]:
        """Return the rows of each group as a table.

        Parameters
        ----------
        group
            As for `groups`.

        Returns
        -------
        dict
            The rows, keyed by group; those without a group are under `(blank)`.

        Examples
        --------
        >>> table = ScoreTable({"system": ["a.1", "a.2", "b.1"]}, {"muc": np.arange(3.0)})
        >>> {name: len(rows) for name, rows in table.by(r"(.+)\\.[0-9]").items()}
        {'a': 2, 'b': 1}
        """
        groups: dict[str, list[int]] = {}
        for number, name in enumerate(self.groups(group)):
            groups.setdefault(name or "(blank)", []).append(number)
        return {name: self.select(rows) for name, rows in groups.items()}

    def groups(self, group: str) -> list[str]:
        """Return the group of each row.

        Parameters
        ----------
        group
            A column of words, or a regular expression with a group in parentheses, which is
            searched for in the names of the rows.

        Returns
        -------
        list of str
            The groups; "" for a row without one.

        Examples
        --------
        >>> table = ScoreTable({"system": ["a.1", "a.2", "other"]}, {"muc": np.arange(3.0)})
        >>> table.groups(r"(.+)\\.[0-9]")
        ['a', 'a', '']
        """
        require(group, str, "a group", "a column of words or a regular expression")
        if group in self.labels:
            return list(self.labels[group])
        if group and not set(group) & set(".+*?[]{}|^$\\("):
            raise unknown("column of words", group, self.labels)
        try:
            pattern = re.compile(group)
        except re.error as error:
            raise UsageError("not-a-pattern", pattern=group, reason=str(error)) from None
        if not pattern.groups:
            raise UsageError("group-no-parentheses", group=group, known=list(self.labels))
        found = [pattern.search(self.name(row)) for row in range(len(self))]
        if found and not any(found):
            raise UsageError("group-matches-none", group=group, name=self.name(0))
        return [match[1] or "" if match else "" for match in found]

    def name(self, row: int) -> str:
        """Return the name of a row: its labels, joined by spaces.

        Parameters
        ----------
        row
            The index of the row.

        Returns
        -------
        str
            The name; "" without labels.
        """
        return " ".join(cells[row] for cells in self.labels.values() if cells[row])

    def decimals_of(self, name: str) -> Sequence[int]:
        """Return the number of decimals of each cell in a column.

        Parameters
        ----------
        name
            The name of the column.

        Returns
        -------
        list of int
            The decimals as printed, else as many as the number needs.

        Examples
        --------
        >>> ScoreTable({}, {"muc": np.array([50.25, 60.0])}).decimals_of("muc")
        [2, 1]
        """
        if self.decimals is not None and name in self.decimals:
            return self.decimals[name]
        return [count_decimals(repr(value)) for value in self.columns[name].tolist()]

    def complete(self) -> ScoreTable:
        """Return the rows in which no score is missing.

        Returns
        -------
        ScoreTable
            The complete rows, and a note on how many others were skipped.

        Examples
        --------
        >>> table = ScoreTable({}, {"muc": np.array([50.0, np.nan])}).complete()
        >>> len(table), str(table.notes[0])
        (1, '1 of 2 rows skipped, because a score is missing')
        """
        whole = np.isfinite(list(self.columns.values())).all(axis=0)
        if whole.all():
            return self
        note = Note("rows-left-out", count=len(self) - int(whole.sum()), total=len(self))
        kept = self.select(np.flatnonzero(whole).tolist())
        return replace(kept, notes=[*self.notes, note])

    def records(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries.

        Returns
        -------
        list of dict
            Labels and scores of each row; a missing score is None.
        """
        return [
            {
                **{name: cells[row] for name, cells in self.labels.items()},
                **{
                    name: None if math.isnan(column[row]) else float(column[row])
                    for name, column in self.columns.items()
                },
            }
            for row in range(len(self))
        ]

    def __add__(self, other: object) -> ScoreTable:
        """Return the rows of both tables; columns that one of them lacks are blank there."""
        if not isinstance(other, ScoreTable):
            return NotImplemented
        labels = dict.fromkeys([*self.labels, *other.labels])
        columns = dict.fromkeys([*self.columns, *other.columns])
        ours, theirs = self._filled(labels, columns), other._filled(labels, columns)
        return ScoreTable(
            {name: [*ours.labels[name], *theirs.labels[name]] for name in labels},
            {name: np.append(ours.columns[name], theirs.columns[name]) for name in columns},
            {name: [*ours.decimals_of(name), *theirs.decimals_of(name)] for name in columns},
            [*self.notes, *other.notes],
        )

    def _filled(self, labels: Iterable[str], columns: Iterable[str]) -> ScoreTable:
        """Return the same rows with these labels and columns; those that are missing are blank."""
        zeros, nothing = [0] * len(self), np.full(len(self), math.nan)
        return ScoreTable(
            {name: self.labels.get(name, [""] * len(self)) for name in labels},
            {name: self.columns.get(name, nothing) for name in columns},
            {name: self.decimals_of(name) if name in self.columns else zeros for name in columns},
        )


def scores_of(
    results: Iterable[Result], *, part: str = "f1", by_document: bool = False
) -> ScoreTable:
    """Return the scores of results, in percent, as a table.

    Parameters
    ----------
    results
        The results of `sameas.score`.
    part
        The part of each score: `f1`, `recall` or `precision`.
    by_document
        Whether each row is a document of a result, rather than a whole result.

    Returns
    -------
    ScoreTable
        One row per result or document, one column per metric.

    Examples
    --------
    >>> import sameas
    >>> table = scores_of([sameas.score([["a", "b"]], [["a", "b"]], metrics=["muc", "b3"])])
    >>> table.columns["b3"]
    array([100.])
    """
    from sameas.results.result import Result

    require(results, Iterable, "results", "a list of sameas.Result")
    records: list[Record] = []
    for result in results:
        require(result, Result, "each of the results", "a sameas.Result")
        parts = [("", result)]
        if by_document:
            parts = [(one.name, result.select([one.number])) for one in result.documents]
        for name, one in parts:
            metrics = {metric: one[metric].as_dict() for metric in one.metrics}
            records.append(({"response": result.name, "document": name}, metrics))
    return table_of(records, part)


def table_of(records: Sequence[Record], part: str = "f1", path: str = "") -> ScoreTable:
    """Return records as a table of scores in percent; metrics without the part are omitted.

    >>> record = ({"response": "a", "document": ""}, {"muc": {"f1": 0.5}})
    >>> table_of([record]).columns
    {'muc': array([50.])}
    """
    if not isinstance(part, str) or part not in PARTS:
        raise unknown("part", part, PARTS)
    names = dict.fromkeys(name for _, metrics in records for name in metrics)

    def value(metrics: Mapping[str, Mapping[str, Any]], name: str) -> float:
        for key in PARTS[part]:
            found = metrics.get(name, {}).get(key)
            if isinstance(found, (int, float)) and abs(found) <= 1:
                return 100 * found
        return math.nan

    columns = {name: np.array([value(metrics, name) for _, metrics in records]) for name in names}
    labels = {name: [labels[name] for labels, _ in records] for name in ("response", "document")}
    omitted = [name for name, column in columns.items() if np.isnan(column).all()]
    if len(omitted) == len(columns):
        raise InputError([Problem("no-part-of-any", path, part=part)])
    return ScoreTable(
        {name: cells for name, cells in labels.items() if any(cells)},
        {name: column for name, column in columns.items() if name not in omitted},
        notes=[Note("part-left-out", part=part, metrics=omitted)] if omitted else [],
    )


def count_decimals(text: str) -> int:
    """Return the number of decimals in the text of a number.

    >>> count_decimals("50.20"), count_decimals("50"), count_decimals("1e-3")
    (2, 0, 3)
    """
    found = _NUMBER.fullmatch(text)
    return max(0, len(found[1]) - int(found[2] or 0)) if found else 0
