"""Components to assignments: what CEAF needs of the part of a table that is not simple.

The cells of some components come as columns of whole numbers, and whole numbers go back, so that
this can be done anywhere: here, or by the workers of a cluster.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sameas.coref.assignment import assign
from sameas.coref.contingency import Contingency
from sameas.coref.document import Ints
from sameas.coref.variants import best_sys

__all__ = ["ASSIGNED", "PARTS", "SOLVED", "solve"]

#: Metrics that need the best assignment of entities, and the metric whose assignment it is.
ASSIGNED = {
    **{name: name for name in ("ceafm", "ceafe", "ceaf2", "ceaf_sys")},
    "ceafm_rn": "ceafm",
    "ceafe_rn": "ceafe",
}
#: What is solved for them. A part of a sum is a numerator and a denominator.
SOLVED = ("ceafm", "ceafe", "ceaf2", "ceaf_sys_recall", "ceaf_sys_precision")


#: The columns of what `solve` gives.
PARTS = ("document", "solved", "numerator", "denominator")


def solve(cells: Mapping[str, Any], metrics: Sequence[str]) -> dict[str, Ints]:
    """The parts of the best assignments of whole components, by document and denominator.

    `cells` has columns document, component, i and j (numbers of entities in the component), n, k
    and r.

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
    both = column["k"] + column["r"]
    ones = np.ones_like(n)
    parts: list[tuple[str, Ints, Ints, Ints]] = []
    if "ceafm" in metrics:
        best = assign(i, j, n)
        parts.append(("ceafm", document[best], n[best], ones[best]))
    if "ceaf2" in metrics:
        best = assign(i, j, ones)
        parts.append(("ceaf2", document[best], ones[best], ones[best]))
    if "ceafe" in metrics:
        best = assign(i, j, 2 * n / both)
        parts.append(("ceafe", document[best], 2 * n[best], both[best]))
    if "ceaf_sys" in metrics:
        documents, recall, precision = _solve_sys(column, i, j)
        whole = np.ones_like(documents)
        parts += [("ceaf_sys_recall", documents, recall, whole),
                  ("ceaf_sys_precision", documents, precision, whole)]  # fmt: skip
    none = np.zeros(0, dtype=np.int64)
    found = [np.full(len(part[1]), SOLVED.index(part[0])) for part in parts]
    return _grouped(
        np.concatenate([none, *(part[1] for part in parts)]),
        np.concatenate([none, *found]),
        np.concatenate([none, *(part[2] for part in parts)]),
        np.concatenate([none, *(part[3] for part in parts)]),
    )


def _solve_sys(column: Mapping[str, Ints], i: Ints, j: Ints) -> tuple[Ints, Ints, Ints]:
    documents, document = np.unique(column["document"], return_inverse=True)
    first_i, first_j = (np.unique(side, return_index=True)[1] for side in (i, j))
    table = Contingency(
        [""] * len(documents),
        i,
        j,
        column["n"],
        column["k"][first_i],
        column["r"][first_j],
        document[first_i],
        document[first_j],
    )
    return documents, *best_sys(table)


def _grouped(document: Ints, solved: Ints, numerator: Ints, denominator: Ints) -> dict[str, Ints]:
    """One row for each document, what is solved, and denominator."""
    order = np.lexsort((denominator, solved, document))
    sorted_columns = [column[order] for column in (document, solved, denominator)]
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = np.any([column[1:] != column[:-1] for column in sorted_columns], axis=0)
    starts = np.flatnonzero(first)
    sums = np.add.reduceat(numerator[order], starts) if starts.size else numerator
    document, solved, denominator = (column[starts] for column in sorted_columns)
    return {"document": document, "solved": solved, "numerator": sums, "denominator": denominator}
