"""Statistics: a few numbers per document and metric, computed from the contingency table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from sameas.arithmetic.arrays import Ints, Numbers
from sameas.errors import UsageError, require, unknown
from sameas.metrics.standard import DEFAULT, STANDARD, Metric
from sameas.metrics.variants import VARIANTS
from sameas.settings import preset_of

if TYPE_CHECKING:
    from sameas.matching.matching import Matching
    from sameas.metrics.contingency import Table

__all__ = [
    "METRICS",
    "Statistics",
    "choose_metrics",
    "join_statistics",
    "measure",
    "measured",
    "parts_of",
]

#: Every metric, keyed by name: those of the papers, then the variants that change the mentions.
METRICS: dict[str, Metric] = {**STANDARD, **VARIANTS}


#: Other common names of metrics; a hyphen is the same as an underscore.
ALIASES = {
    **dict.fromkeys(("bcub", "bcubed", "b_cubed", "b_cube", "b³", "b^3"), "b3"),
    "ceaf_m": "ceafm",
    "ceaf_e": "ceafe",
    "conll_f1": "conll",
    "mentions": "mention",
    "non_referring": "nonreferring",
}
_PARTS = ("f1", "f", "f_score", "precision", "recall")
_AMBIGUOUS = {"ceaf": "ceafm or ceafe"}


def choose_metrics(names: str | Sequence[str] | None, preset: str | None = None) -> tuple[str, ...]:
    """Return the metrics to score: the default ones, those of a preset, all, or those named.

    >>> choose_metrics("muc,b3"), choose_metrics(["bcubed"])
    (('muc', 'b3'), ('b3',))
    """
    if names is None and preset is not None:
        names = preset_of(preset).get("metrics")
    if names is None:
        return DEFAULT
    chosen: dict[str, None] = {}
    for name in _given(names):
        if name in _PARTS:
            raise UsageError("metric-part", name=name, known=[*METRICS])
        if name in _AMBIGUOUS:
            raise UsageError(
                "unknown", how="near unlisted", what="metric", value=name, near=_AMBIGUOUS[name]
            )
        if name not in (*METRICS, "all"):
            raise unknown("metric", name, [*METRICS, "all"])
        chosen |= dict.fromkeys(METRICS if name == "all" else [name])
    if not chosen:
        raise UsageError("no-metric")
    return tuple(chosen)


def _given(names: Any) -> list[str]:
    """Return the names of the requested metrics, in lower case and with aliases replaced."""
    if isinstance(names, str):
        names = names.replace(",", " ").split()
    given = list(names) if isinstance(names, Iterable) else [names]
    if not all(isinstance(name, str) for name in given):
        raise UsageError("metrics-not-names", value=names)
    if isinstance(names, AbstractSet):  # the order of a set differs between processes
        known = list(METRICS)
        given.sort(key=lambda name: (known.index(name) if name in METRICS else -1, name))
    names = [name.strip().lower().replace("-", "_") for name in given if name.strip()]
    return [ALIASES.get(name, name) for name in names]


@dataclass(frozen=True, eq=False, repr=False)
class Statistics:
    """One row per document, a few columns per metric; `+` joins the rows of disjoint corpora.

    >>> from sameas.metrics.contingency import contingency_of
    >>> rows = measure(contingency_of([["abc", "defg"]], [["ab", "cd", "fghi"]]), ("muc",))
    >>> rows.total("muc")
    (2, 5, 2, 5)
    """

    documents: Sequence[str]
    columns: dict[str, tuple[Numbers, ...]]

    def total(self, metric: str) -> tuple[float, ...]:
        """Return the sum over documents of each of the metric's numbers, rounded once."""
        self.require(metric)
        return tuple(
            math.fsum(column) if column.dtype.kind == "f" else column.sum().item()
            for column in self.columns[metric]
        )

    def row(self, metric: str, document: int) -> tuple[float, ...]:
        """Return the metric's numbers for one document."""
        self.require(metric)
        return tuple(column[document].item() for column in self.columns[metric])

    def require(self, metric: str) -> None:
        """Raise `UsageError` if there is no such metric, or if it was not counted."""
        require(metric, str, "a metric", "the name of one")
        if metric not in self.columns:
            if metric in METRICS:
                raise UsageError("not-scored", metric=metric)
            raise unknown("metric", metric, self.columns)

    def exact(self, metric: str) -> tuple[Any, ...]:
        """Return the metric's columns, as Python integers if products may exceed 64 bits."""
        self.require(metric)
        columns = self.columns[metric]
        if all(column.dtype.kind == "f" or column.max(initial=0) < 1 << 26 for column in columns):
            return columns
        return tuple(
            column if column.dtype.kind == "f" else column.astype(object) for column in columns
        )

    def select(self, documents: Ints) -> Statistics:
        """Return the rows of the documents at these indices, which may repeat."""
        return Statistics(
            [self.documents[number] for number in documents.tolist()],
            {
                name: tuple(column[documents] for column in columns)
                for name, columns in self.columns.items()
            },
        )

    def equal(self, other: Statistics) -> bool:
        """Return whether documents and numbers are equal."""
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
        """Return the rows of both."""
        return join_statistics([self, other])


def join_statistics(parts: Sequence[Statistics]) -> Statistics:
    """Return the rows of all parts, one after another; there must be at least one part.

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


def measured(metrics: Iterable[str]) -> list[str]:
    """Return the metrics and those that they are averages of, without repeats.

    >>> measured(["conll", "b3"])
    ['conll', 'b3', 'muc', 'ceafe']
    """
    names = list(metrics)
    return list(dict.fromkeys([*names, *parts_of(names)]))


def parts_of(metrics: Iterable[str]) -> list[str]:
    """Return the metrics with averages replaced by their parts, without repeats.

    >>> parts_of(["conll", "b3"])
    ['muc', 'b3', 'ceafe']
    """
    parts = [part for name in metrics for part in (METRICS[name].average_of or (name,))]
    return list(dict.fromkeys(parts))


def measure(table: Table, metrics: Sequence[str], matching: Matching | None = None) -> Statistics:
    """Measure the metrics as their papers do; those that need spans require the matching."""
    columns: dict[str, tuple[Numbers, ...]] = {}
    of_table = cache(lambda function: function(table))  # metrics may share a measure
    for name in measured(metrics):
        places = METRICS[name].places
        if places is None:
            columns[name] = of_table(METRICS[name].measure)
        else:
            assert matching is not None
            columns[name] = places(matching.key, matching.response, len(table.documents))
    return Statistics(table.documents, columns)
