"""The plan of what is scored in memory, by arrays; the scoring itself is `sameas.score`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sameas.coref.contingency import Contingency, contingency
from sameas.coref.document import Corpus, Ints
from sameas.coref.matching import match
from sameas.coref.pairing import pair_documents
from sameas.coref.read import read
from sameas.engines.sql import Plan
from sameas.signature import Settings

__all__ = ["explain_files", "explain_table", "label_components"]


def explain_files(
    key: str, responses: Sequence[str], settings: Settings, format: str | None = None
) -> list[Plan]:
    """What there is to do to score files against a key.

    >>> from sameas.examples import example_path
    >>> key, response = (str(example_path(name)) for name in ("key.conll", "eager.conll"))
    >>> explain_files(key, [response], Settings())[0].cells
    18
    """
    reference = settings.compat == "conll-8.01"
    ours = read(key, format=format, role="key", reference=reference)
    plans = []
    for path in responses:
        theirs = read(path, format=format, role="response", reference=reference)
        plans.append(_explain(ours, theirs, settings))
    return plans


def _explain(ours: Corpus, theirs: Corpus, settings: Settings) -> Plan:
    reference = settings.compat == "conll-8.01"
    pairing = pair_documents(ours, theirs, missing=settings.missing_documents, reference=reference)
    matching = match(
        pairing,
        method=settings.match,
        zeros=settings.zeros,
        duplicates=settings.duplicates,
        singletons=settings.singletons,
        scope=settings.scope,
    )
    rows = [sum(document.mention_count for document in side.documents) for side in (ours, theirs)]
    return explain_table(contingency(matching), (rows[0], rows[1]))


def explain_table(table: Contingency, rows: tuple[int, int] | None = None) -> Plan:
    """What there is to do once the table is there; `rows` are the mentions that were read.

    >>> from sameas.coref.contingency import contingency_of
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
    return Plan(
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


def label_components(row: Ints, column: Ints) -> Ints:
    """A number for the connected component of each cell: that of its least row.

    >>> label_components(np.array([0, 0, 1, 2]), np.array([0, 1, 1, 2])).tolist()
    [0, 0, 0, 2]
    """
    label = np.arange(int(row.max(initial=-1)) + 1)
    width = int(column.max(initial=-1)) + 1
    while True:
        least = np.full(width, len(label))
        np.minimum.at(least, column, label[row])
        before = label.copy()
        # A row takes the least label of its columns, and so does the row that gave it its own.
        np.minimum.at(label, before[row], least[column])
        np.minimum.at(label, row, least[column])
        while np.any(label[label] != label):
            label = label[label]
        if np.array_equal(label, before):
            return label[row]
