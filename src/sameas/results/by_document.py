"""The scores of single documents, and their mean."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from sameas.arithmetic.arrays import Bools
from sameas.arithmetic.scores import Rates, Score, ratio
from sameas.errors import UsageError
from sameas.metrics.statistics import METRICS

if TYPE_CHECKING:
    from sameas.chance.resampling import Floats
    from sameas.results.result import Result

__all__ = ["DocumentResult", "mean_score", "rates_of_documents"]


@dataclass(frozen=True, eq=False, repr=False)
class DocumentResult:
    """The scores of one document.

    >>> import sameas
    >>> sameas.score([["a", "b"]], [["a", "b"]]).documents[0]["muc"].f1
    1.0
    """

    name: str
    result: Result
    number: int

    def __getitem__(self, metric: str) -> Score:
        """Return the score of one metric in this document."""
        return self._alone[metric]

    @cached_property
    def _alone(self) -> Result:
        return self.result.select([self.number])

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the metrics."""
        return iter(self.result.metrics)

    def __repr__(self) -> str:
        """Return one line: the document and its headline numbers."""
        scores = ", ".join(f"{name} {100 * self[name].value:.2f}" for name in self)
        return f"<DocumentResult {self.name}: {scores}>"


def rates_of_documents(result: Result, metric: str) -> tuple[Rates, Bools]:
    """Return the rates of each document, and which documents have anything to count.

    >>> import sameas
    >>> rates, counted = rates_of_documents(sameas.score([["a"]], [["a"]]), "muc")
    >>> rates.value.tolist(), counted.tolist()
    ([0.0], [False])
    """
    scoring = result.scoring(metric)
    if parts := METRICS[metric].average_of:
        raise UsageError("average-of-others", metric=metric, metrics=parts)
    columns = result.statistics.exact(metric)
    rates = scoring(*columns)
    # BLANC is defined for a document without links, as long as it has mentions.
    numbers = rates.counts if rates.coref is None else columns
    return rates, _mask_any(numbers)


def _mask_any(columns: Iterable[Any] | None) -> Bools:
    """Return a mask of the rows in which some column is not 0."""
    found: Bools = np.any([column != 0 for column in columns or ()], axis=0)
    return found


def mean_score(rates: Rates, counted: Bools) -> Score:
    """Return the mean of the documents' scores, without counts: it is not a ratio of sums."""

    def mean(column: Floats) -> float:
        return float(ratio(math.fsum(column[counted]), int(counted.sum())))

    def part(rates: Rates | None) -> Score | None:
        has = counted if rates is None else counted & _mask_any(rates.counts)
        return mean_score(rates, has) if rates is not None and has.any() else None

    if rates.recall is None:
        return Score(mean(rates.value), counts=())
    numbers = (mean(rates.value), mean(rates.recall), mean(rates.precision))
    return Score(*numbers, None, part(rates.coref), part(rates.noncoref))
