"""The contingency table to statistics: a few numbers for each document, which add."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np

from sameas.coref.contingency import Contingency, Table
from sameas.coref.corefud import COREFUD, corefud_columns
from sameas.coref.document import Ints, Numbers
from sameas.coref.matching import Matching
from sameas.coref.metrics import DEFAULT, STANDARD, Metric
from sameas.coref.variants import VARIANTS
from sameas.errors import UsageError, suggest
from sameas.signature import preset_of

__all__ = ["METRICS", "Statistics", "choose_metrics", "join_statistics", "measure"]

#: Every metric by name, those of the papers and then the variants that change the mentions.
METRICS: dict[str, Metric] = {**STANDARD, **VARIANTS}


def choose_metrics(names: str | Sequence[str] | None, preset: str | None = None) -> tuple[str, ...]:
    """The metrics to score: the default ones, those of a preset, `all`, or those named.

    >>> choose_metrics("muc,b3"), choose_metrics(["conll"])
    (('muc', 'b3'), ('conll',))
    """
    if names is None and preset is not None:
        names = preset_of(preset).get("metrics")
    if names is None:
        return DEFAULT
    if isinstance(names, str):
        names = names.split(",")
    given = list(names) if isinstance(names, Iterable) else [names]
    if not all(isinstance(name, str) for name in given):
        raise UsageError(f"metrics are named by strings, not by {names!r:.60}")
    if isinstance(names, AbstractSet):  # its order is another one in every process
        known = list(METRICS)
        given.sort(key=lambda name: (known.index(name) if name in METRICS else -1, name))
    chosen: list[str] = []
    for name in (name.strip().lower() for name in given if name.strip()):
        if name == "all":
            chosen += [metric for metric in METRICS if metric not in chosen]
        elif name not in METRICS:
            raise UsageError(f"unknown metric {name}: {suggest(name, [*METRICS, 'all'])}")
        elif name not in chosen:
            chosen.append(name)
    if not chosen:
        raise UsageError("no metric named")
    return tuple(chosen)


@dataclass(frozen=True, eq=False)
class Statistics:
    """One row a document, a few columns a metric. Rows of disjoint corpora add by joining them.

    >>> from sameas.coref.contingency import contingency_of
    >>> rows = measure(contingency_of([["abc", "defg"]], [["ab", "cd", "fghi"]]), ("muc",))
    >>> rows.total("muc")
    (2, 5, 2, 5)
    """

    documents: Sequence[str]
    columns: dict[str, tuple[Numbers, ...]]

    def total(self, metric: str) -> tuple[float, ...]:
        """The sum over documents of each of the metric's numbers, rounded once."""
        return tuple(
            math.fsum(column) if column.dtype.kind == "f" else column.sum().item()
            for column in self.columns[metric]
        )

    def row(self, metric: str, document: int) -> tuple[float, ...]:
        """The metric's numbers in one document."""
        return tuple(column[document].item() for column in self.columns[metric])

    def select(self, documents: Ints) -> Statistics:
        """The rows of some documents, by number; a document may be asked for again."""
        return Statistics(
            [self.documents[number] for number in documents.tolist()],
            {
                name: tuple(column[documents] for column in columns)
                for name, columns in self.columns.items()
            },
        )

    def equal(self, other: Statistics) -> bool:
        """Whether documents and numbers are the same."""
        return (
            list(self.documents) == list(other.documents)
            and self.columns.keys() == other.columns.keys()
            and all(
                np.array_equal(one, two)
                for name, columns in self.columns.items()
                for one, two in zip(columns, other.columns[name], strict=True)
            )
        )

    def __add__(self, other: Statistics) -> Statistics:
        """The rows of both."""
        return join_statistics([self, other])


def join_statistics(parts: Sequence[Statistics]) -> Statistics:
    """The rows of all parts, one after another; there is one part at least.

    >>> one = Statistics(["a"], {"muc": (np.array([1]),)})
    >>> join_statistics([one, one, one]).total("muc")
    (3,)
    """
    return Statistics(
        [name for part in parts for name in part.documents],
        {
            metric: tuple(
                np.concatenate(columns)
                for columns in zip(*(part.columns[metric] for part in parts), strict=True)
            )
            for metric in parts[0].columns
        },
    )


def measure(table: Table, names: Sequence[str], matching: Matching | None = None) -> Statistics:
    """Measure the named metrics; if `matching` keeps repeated mentions, as the reference scorer."""
    wanted = [part for name in names for part in (METRICS[name].average_of or (name,))]
    columns: dict[str, tuple[Numbers, ...]] = {}
    lookup = matching.lookup if matching is not None else None
    known: dict[object, tuple[Numbers, ...]] = {}  # metrics that measure the same do so once
    for name in dict.fromkeys([*names, *wanted]):
        function, places = METRICS[name].measure, METRICS[name].places
        if lookup is not None and name in COREFUD:
            assert isinstance(table, Contingency)
            columns[name] = corefud_columns(table, lookup, name)
            continue
        if places is not None:
            assert matching is not None
            columns[name] = places(matching.key, matching.response, len(table.documents))
            continue
        if function not in known:
            known[function] = function(table)
        columns[name] = known[function]
    if matching is not None and matching.repeated is not None:
        _follow_reference(columns, matching)
    return Statistics(table.documents, columns)


def _follow_reference(columns: dict[str, tuple[Numbers, ...]], matching: Matching) -> None:
    from sameas.coref.reference import as_columns, reference_rows

    assert matching.repeated is not None
    rows = list(reference_rows(*matching.repeated, len(matching.names)))
    for name in {"mention", "muc", "b3", "ceafm", "ceafe", "blanc", "pairwise"} & columns.keys():
        copies = tuple(column.copy() for column in columns[name])
        for document, row in enumerate(rows):
            before = [column[document] for column in copies]
            for column, value in zip(copies, as_columns(row, name, before), strict=True):
                column[document] = value
        columns[name] = copies
