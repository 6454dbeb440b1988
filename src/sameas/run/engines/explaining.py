"""The workload of scoring in memory with arrays; `sameas.score` does the scoring itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

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
    """Return the workload of scoring files against a key.

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
        workload = explain_table(contingency(matching), rows)
        found.append(replace(workload, of_records=result.of_records))
    return found


def explain_table(table: Contingency, rows: tuple[int, int] | None = None) -> Workload:
    """Return the workload of a table; `rows` are the numbers of mentions that were read.

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
    by_row, by_column = of_row[table.i] == 1, of_column[table.j] == 1
    # As in `queries.SHAPES`: single cell, star around a key or a response entity, or anything else.
    shape = np.select([alone, by_row, by_column], [0, 1, 2], 3)
    rest = shape == 3
    _, sizes = np.unique(label_components(table.i[rest], table.j[rest]), return_counts=True)
    return Workload(
        "memory",
        "in this process, in memory, by arrays",
        rows or (int(table.k.sum()), int(table.r.sum())),
        len(table.documents),
        int(table.by_key(table.k).max(initial=0)),
        (len(table.k), len(table.r)),
        len(table.n),
        int(alone.sum()),
        len(np.unique(table.i[shape == 1])) + len(np.unique(table.j[shape == 2])),
        int(np.isin(shape, (1, 2)).sum()),
        len(sizes),
        int(rest.sum()),
        int(sizes.max(initial=0)),
    )
