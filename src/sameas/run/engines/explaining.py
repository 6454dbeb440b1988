"""The plan of what is scored in memory, by arrays; the scoring itself is `sameas.score`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sameas.arithmetic.assignment import label_components
from sameas.metrics.contingency import Contingency, contingency
from sameas.run import Plan, run
from sameas.run.engines.workload import Workload
from sameas.settings import Settings

__all__ = ["explain_files", "explain_table"]


def explain_files(
    key: str, responses: Sequence[str], settings: Settings, format: str | None = None
) -> list[Workload]:
    """Say what there is to do to score files against a key.

    >>> from sameas.examples import example_path
    >>> key, response = (str(example_path(name)) for name in ("key.conll", "eager.conll"))
    >>> explain_files(key, [response], Settings())[0].cells
    18
    """
    plan = Plan(key=key, responses=responses, settings=settings, metrics=["mention"], format=format)
    found = []
    for result in run(plan):
        (matching,) = result.matchings
        rows = len(matching.key.read), len(matching.response.read)
        found.append(explain_table(contingency(matching), rows))
    return found


def explain_table(table: Contingency, rows: tuple[int, int] | None = None) -> Workload:
    """What there is to do once the table is there; `rows` are the mentions that were read.

    >>> from sameas.metrics.contingency import contingency_of
    >>> plan = explain_table(contingency_of([["abc", "defg"]], [["ab", "cd", "fghi"]]))
    >>> plan.cells, plan.components, plan.largest_component
    (4, 1, 4)
    """
    k_cells, r_cells = np.bincount(table.i), np.bincount(table.j)
    of_row, of_column = np.zeros(len(k_cells), np.int64), np.zeros(len(r_cells), np.int64)
    np.maximum.at(of_row, table.i, r_cells[table.j])
    np.maximum.at(of_column, table.j, k_cells[table.i])
    alone = (k_cells[table.i] == 1) & (r_cells[table.j] == 1)
    by_row = (of_row[table.i] == 1) & ~alone
    by_column = (of_column[table.j] == 1) & ~alone & ~by_row
    rest = ~(alone | by_row | by_column)
    sizes = np.bincount(label_components(table.i[rest], table.j[rest]))
    sizes = sizes[sizes > 0]
    mentions = table.by_key(table.k)
    return Workload(
        "memory",
        "in this process, in memory, by arrays",
        rows or (int(table.k.sum()), int(table.r.sum())),
        len(table.documents),
        int(mentions.max(initial=0)),
        (len(table.k), len(table.r)),
        len(table.n),
        int(alone.sum()),
        len(np.unique(table.i[by_row])) + len(np.unique(table.j[by_column])),
        int((by_row | by_column).sum()),
        len(sizes),
        int(rest.sum()),
        int(sizes.max(initial=0)),
    )
