"""The sums behind a corpus's scores as integers, which can be added exactly and in any order.

The workers of a training run exchange only one row of these numbers. Each sum is stored as its
integer part and three groups of 31 binary digits, in four 64-bit numbers. This is enough for a
billion documents, and no digit depends on how the documents were divided among the workers.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import numpy as np

from sameas.arithmetic.arrays import Ints
from sameas.arithmetic.scores import Score
from sameas.authorities import authority_of
from sameas.errors import UsageError
from sameas.metrics.contingency import Contingency
from sameas.metrics.statistics import METRICS, Statistics, parts_of
from sameas.settings import Settings

__all__ = ["decode", "encode", "width"]

_BITS = 31
_PARTS = 4


def width(metrics: Sequence[str]) -> int:
    """Return how many numbers `encode` returns for these metrics.

    >>> width(["muc"]), width(["muc", "b3", "ceafe", "conll"])
    (16, 48)
    """
    return sum(_columns(tuple(metrics)).values()) * _PARTS


@cache
def _columns(metrics: tuple[str, ...]) -> dict[str, int]:
    """Map each metric that is measured to its number of sums."""
    names = parts_of(metrics)
    if odd := [name for name in names if METRICS[name].places]:
        raise UsageError("places-do-not-add", metric=odd[0])
    none = np.zeros(0, dtype=np.int64)
    nothing = Contingency.of((), (none, none, none), (none, none), (none, none))
    return {name: len(METRICS[name].measure(nothing)) for name in names}


def encode(statistics: Statistics, metrics: Sequence[str]) -> Ints:
    """Return the sums over documents as integers; arrays of different documents can be added.

    >>> import sameas
    >>> rows = sameas.score([["a", "b", "c"]], [["a", "b"]], metrics="b3").statistics
    >>> encode(rows, ["b3"])[:4].tolist()
    [1, 715827882, 1431655424, 0]
    """
    numbers: list[int] = []
    for name in _columns(tuple(metrics)):
        for column in statistics.columns[name]:
            parts = np.zeros((_PARTS, len(column)), dtype=np.int64)
            if column.dtype.kind == "f":
                for part in parts:
                    part[:] = np.floor(column)
                    column = (column - part) * 2.0**_BITS
            else:
                parts[0] = column
            numbers += parts.sum(axis=1).tolist()
    return np.array(numbers, dtype=np.int64)


def decode(numbers: Ints, metrics: Sequence[str], settings: Settings) -> dict[str, Score]:
    """Compute the scores of a corpus from its sums.

    >>> import sameas
    >>> result = sameas.score([["a", "b", "c"]], [["a", "b"]], metrics="b3")
    >>> decode(encode(result.statistics, ["b3"]), ["b3"], result.settings)["b3"] == result["b3"]
    True
    """
    if settings.average != "micro":
        raise UsageError("macro-of-sums")
    if len(numbers) != width(metrics):
        raise UsageError("wrong-width", expected=width(metrics), count=len(numbers))
    rest = iter(numbers.tolist())
    scores: dict[str, Score] = {}
    for name, count in _columns(tuple(metrics)).items():
        sums = [_joined([next(rest) for _ in range(_PARTS)]) for _ in range(count)]
        scores[name] = authority_of(settings).scoring(name).rates(*sums).score
    for name in metrics:
        if METRICS[name].average_of:
            parts = (scores[part].value for part in METRICS[name].average_of)
            scores[name] = METRICS[name].rates(*parts).score
    return {name: scores[name] for name in metrics}


def _joined(parts: Sequence[int]) -> float:
    whole = sum(part << (_BITS * (_PARTS - 1 - place)) for place, part in enumerate(parts))
    exact = Fraction(whole, 1 << (_BITS * (_PARTS - 1)))
    return exact.numerator if exact.denominator == 1 else exact.numerator / exact.denominator
