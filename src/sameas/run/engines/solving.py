"""Solve the assignments that CEAF needs for the components of a table.

Input and output are columns of integers, so components can be solved anywhere: in this process, or
by the workers of a cluster.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sameas.arithmetic.arrays import Ints
from sameas.arithmetic.assignment import assign
from sameas.arithmetic.quotients import sum_groups
from sameas.metrics.contingency import Contingency
from sameas.metrics.variants import best_sys

__all__ = ["ASSIGNED", "PARTS", "SOLVED", "joined_parts", "part_of", "solve"]

#: The metrics that need the best assignment of entities, each with the metric that defines it.
ASSIGNED = {
    **{name: name for name in ("ceafm", "ceafe", "ceaf2", "ceaf_sys")},
    "ceafm_rn": "ceafm",
    "ceafe_rn": "ceafe",
}
#: The names of the sums over best assignments. A part of a sum is a numerator and a denominator.
SOLVED = ("ceafm", "ceafe", "ceaf2", "ceaf_sys_recall", "ceaf_sys_precision")


#: The columns that `solve` returns.
PARTS = ("document", "solved", "numerator", "denominator")


def solve(cells: Mapping[str, Any], metrics: Sequence[str]) -> dict[str, Ints]:
    """Return the parts of the sums over the best assignments, per document and denominator.

    `cells` are those of whole components, with columns document, component, i and j (indices of
    entities in the component), n, k and r.

    >>> one = np.array([1])
    >>> names = ("document", "component", "i", "j", "n", "k", "r")
    >>> found = solve({name: one for name in names}, ["ceafe"])
    >>> {name: column.tolist() for name, column in found.items()}
    {'document': [1], 'solved': [1], 'numerator': [2], 'denominator': [2]}
    """
    names = ("document", "component", "i", "j", "n", "k", "r")
    column = {name: np.asarray(cells[name], dtype=np.int64) for name in names}
    place = np.unique(column["component"], return_inverse=True)[1]
    i, j = (
        np.unique(place * (int(side.max(initial=0)) + 1) + side, return_inverse=True)[1]
        for side in (column["i"], column["j"])
    )
    document, n = column["document"], column["n"]
    both, ones = column["k"] + column["r"], np.ones_like(n)
    # The weight of each cell in the assignment, and the numerator and denominator that it adds.
    weights = {
        "ceafm": (n, n, ones),
        "ceaf2": (ones, ones, ones),
        "ceafe": (2 * n / both, 2 * n, both),
    }
    parts = []
    for name, (weight, numerator, denominator) in weights.items():
        if name in metrics:
            best = assign(i, j, weight)
            parts.append(part_of(name, document[best], numerator[best], denominator[best]))
    if "ceaf_sys" in metrics:
        documents, *sums = _solve_sys(column, i, j)
        for name, total in zip(SOLVED[-2:], sums, strict=True):
            parts.append(part_of(name, documents, total, np.ones_like(documents)))
    # One row per document, sum and denominator.
    document, solved, numerator, denominator = joined_parts(parts)
    numerator, document, solved, denominator = sum_groups(numerator, document, solved, denominator)
    return dict(zip(PARTS, (document, solved, numerator, denominator), strict=True))


def part_of(name: str, document: Any, numerator: Any, denominator: Any) -> Ints:
    """Return the parts of one sum as an array, with one row for each of `PARTS`."""
    solved = np.full(len(document), SOLVED.index(name))
    columns = (document, solved, numerator, denominator)
    return np.stack([np.asarray(column, dtype=np.int64) for column in columns])


def joined_parts(parts: Sequence[Ints]) -> Ints:
    """Return the columns of all parts; they are empty if there are no parts."""
    return np.concatenate([np.zeros((len(PARTS), 0), dtype=np.int64), *parts], axis=1)


def _solve_sys(column: Mapping[str, Ints], i: Ints, j: Ints) -> tuple[Ints, Ints, Ints]:
    documents, document = np.unique(column["document"], return_inverse=True)
    first_i, first_j = (np.unique(side, return_index=True)[1] for side in (i, j))
    key = column["k"][first_i], document[first_i]
    response = column["r"][first_j], document[first_j]
    table = Contingency.of([""] * len(documents), (i, j, column["n"]), key, response)
    return documents, *best_sys(table)
