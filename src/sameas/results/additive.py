"""For each document, the numbers behind the scores of a corpus, to be added by resampling."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from sameas.arithmetic.scores import Rates, ratio
from sameas.chance.resampling import Additive, Floats, exactly_additive
from sameas.metrics.statistics import METRICS

if TYPE_CHECKING:
    from sameas.results.result import Result

__all__ = ["additive_of"]


def additive_of(result: Result) -> Additive:
    """Return the numbers behind the scores, one row per document, and how to score their sum.

    >>> import sameas
    >>> additive_of(sameas.score([["a", "b"]], [["a"]], metrics=["muc"])).rows.tolist()
    [[0.0, 1.0, 0.0, 0.0]]
    """
    names = list(result.statistics.columns)
    averages = {name: METRICS[name].average_of for name in names if METRICS[name].average_of}
    functions: dict[str, Callable[..., Rates]] = {}
    columns: list[Any] = []
    used: dict[str, list[int]] = {}
    by_document: dict[str, Floats] = {}
    for metric in (name for name in names if name not in averages):
        numbers, counted, functions[metric] = _columns(result, metric)
        used[metric] = list(range(len(columns), len(columns) + len(numbers)))
        columns.extend(numbers)
        # A document with nothing to count contains no errors, so it scores 1.
        by_document[metric] = np.where(counted, functions[metric](*numbers).value, 1.0)

    def rates(sums: Floats) -> dict[str, Rates]:
        found = {name: function(*sums.T[used[name]]) for name, function in functions.items()}
        for name, parts in averages.items():
            found[name] = METRICS[name].rates(*(found[part].value for part in parts))
        return found

    def value(metric: str, *numbers: Floats) -> Any:
        if metric not in averages:
            return functions[metric](*numbers).value
        rest = iter(numbers)
        parts = (value(part, *islice(rest, len(used[part]))) for part in averages[metric])
        return METRICS[metric].rates(*parts).value

    for name, parts in averages.items():
        used[name] = [column for part in parts for column in used[part]]
        by_document[name] = METRICS[name].rates(*(by_document[part] for part in parts)).value
    rows = np.array(columns, dtype=np.float64).reshape(len(columns), len(result)).T
    values = {name: partial(value, name) for name in names}
    return Additive(exactly_additive(rows), rates, used, values, by_document)


def _columns(result: Result, metric: str) -> tuple[Any, Any, Callable[..., Rates]]:
    """Return a metric's columns, which documents have anything to count, and how to score sums."""
    if result.settings.average == "micro":
        columns = result.statistics.columns[metric]
        counted = np.any([column != 0 for column in columns], axis=0)
        return columns, counted, result.scoring(metric)
    rates, counted = result.rates_by_document(metric)
    parts = [np.zeros(len(result)) if part is None else part for part in rates[:3]]
    # recall, precision, value; then 1 for a document with anything to count
    means = np.array([*np.where(counted, parts, 0.0), counted])
    rated = result[metric].recall is not None

    def score_means(recall: Floats, precision: Floats, value: Floats, counted: Floats) -> Rates:
        parts = [ratio(part, counted) for part in (recall, precision, value)]
        return Rates(*parts) if rated else Rates(None, None, parts[2])

    return means, counted, score_means
