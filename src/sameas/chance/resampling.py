"""Resampling: how much of a score, or of a difference between two scores, is due to chance.

This module works only on arrays. A corpus is D rows of S numbers, one row per document, and a score
is a function of the sum of the rows. Resampling multiplies the rows by a matrix that contains how
often each document was drawn (bootstrap), or whether the two systems' rows for it are swapped
(randomisation).

The same seed gives the same digits on every machine. The random bits come from PCG64, which numpy
promises not to change, and sums are exact, so the order of addition does not matter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from sameas.arithmetic.scores import Rates, ratio
from sameas.settings import Resampling

__all__ = [
    "Additive",
    "Bootstrap",
    "Interval",
    "Intervals",
    "all_swaps",
    "at_least",
    "bootstrap",
    "draws",
    "effect_size",
    "exactly_additive",
    "holm",
    "interval",
    "random_swaps",
]

Floats = np.ndarray[Any, np.dtype[np.float64]]
Ints = np.ndarray[Any, np.dtype[np.int64]]

FEW = 20  # with fewer documents, intervals and tests mean little
CHUNK = 1 << 21  # numbers of a random matrix that are generated at a time
CLOSE = 1e-12  # smaller differences are treated as rounding errors
STEP = 1e-6  # relative step of the numerical derivative
_BOOTSTRAP, _SWAPS = 1, 2  # two random streams of one seed


class Interval(NamedTuple):
    """A confidence interval of a score.

    Parameters
    ----------
    low, high
        Its ends.

    Examples
    --------
    >>> Interval(0.5, 0.75).high
    0.75
    """

    low: float
    high: float


def exactly_additive(rows: Floats) -> Floats:
    """Return the rows, rounded to few enough bits that no sum of D rows is ever rounded.

    Rounding changes a number by at most 2⁻⁵¹ of the largest possible sum. Integers are unchanged if
    no sum exceeds 2⁵¹. The last two axes are documents and columns.

    >>> rows = exactly_additive(np.array([[1 / 3], [0.1], [2.0]]))
    >>> bool((rows[0] + rows[1]) + rows[2] == rows[0] + (rows[1] + rows[2])), float(rows[2, 0])
    (True, 2.0)
    """
    largest = np.abs(rows).max(axis=tuple(range(rows.ndim - 1)), initial=0) * rows.shape[-2]
    _, exponent = np.frexp(largest)
    cut: Floats = np.ldexp(np.rint(np.ldexp(rows, 51 - exponent)), exponent - 51)
    return cut


def draws(documents: int, samples: int, seed: int) -> Iterator[Floats]:
    """Yield bootstrap samples, a few rows at a time: how often each document was drawn.

    >>> counts = np.vstack(list(draws(3, 5, seed=0)))
    >>> counts.shape, counts.sum(axis=1).tolist()
    ((5, 3), [3.0, 3.0, 3.0, 3.0, 3.0])
    """
    bits = np.random.PCG64([_BOOTSTRAP, seed])
    for size in _chunks(documents, samples):
        uniform = (bits.random_raw(size * documents) >> np.uint64(11)) * 2.0**-53
        drawn = (uniform * documents).astype(np.int64).reshape(size, documents)
        drawn += np.arange(size)[:, None] * documents
        counts = np.bincount(drawn.ravel(), minlength=size * documents)
        yield counts.reshape(size, documents).astype(np.float64)


def random_swaps(documents: int, samples: int, seed: int) -> Iterator[Floats]:
    """Yield random swaps, a few rows at a time: 1 where a document's two rows are swapped.

    >>> swaps = np.vstack(list(random_swaps(3, 1000, seed=0)))
    >>> swaps.shape, bool(np.all(abs(swaps.mean(axis=0) - 0.5) < 0.05))
    ((1000, 3), True)
    """
    bits = np.random.PCG64([_SWAPS, seed])
    words = -(-documents // 64)
    for size in _chunks(documents, samples):
        raw = bits.random_raw(size * words).astype("<u8").view(np.uint8).reshape(size, -1)
        yield np.unpackbits(raw, axis=1, count=documents, bitorder="little").astype(np.float64)


def all_swaps(documents: int, among: Ints | None = None) -> Iterator[Floats]:
    """Yield all swaps of all documents, or only of the documents `among`, a few rows at a time.

    >>> np.vstack(list(all_swaps(2))).tolist()
    [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
    >>> np.vstack(list(all_swaps(3, np.array([2])))).tolist()
    [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    among = np.arange(documents) if among is None else among
    start = 0
    for size in _chunks(documents, 2 ** len(among)):
        numbers = np.arange(start, start + size)[:, None]
        swaps = np.zeros((size, documents))
        swaps[:, among] = (numbers >> np.arange(len(among))) & 1
        yield swaps
        start += size


def _chunks(documents: int, samples: int) -> Iterator[int]:
    size = max(1, CHUNK // max(documents, 1))
    for start in range(0, samples, size):
        yield min(size, samples - start)


def at_least(differences: Floats, observed: float) -> int:
    """Return how many differences are at least as large as the observed one, in absolute value.

    >>> at_least(np.array([0.1, -0.2, 0.3]), -0.2)
    2
    """
    return int(np.count_nonzero(np.abs(differences) >= abs(observed) - CLOSE))


def interval(
    distribution: Floats,
    estimate: float,
    jackknife: Floats | None = None,
    *,
    confidence: float = 95,
) -> Interval:
    """Return the bootstrap interval: percentile, or BCa if a jackknife is given (Efron 1987).

    BCa corrects the percentiles for the median bias z₀ of the distribution and the acceleration
    a = Σd³ / 6(Σd²)^1.5, where d are the jackknife values' differences from their mean. If all
    replicates are equal, the interval is that value. If the estimate lies beyond all replicates,
    z₀ does not exist, and the percentile interval is returned.

    >>> low, high = interval(np.arange(1001) / 1000, 0.5)
    >>> round(low, 3), round(high, 3)
    (0.025, 0.975)
    """
    tail = (1 - confidence / 100) / 2
    ends = [tail, 1 - tail]
    if jackknife is not None:
        ends = _accelerated(distribution, estimate, jackknife, ends)
    low, high = np.quantile(distribution, ends).tolist()
    return Interval(low, high)


def _accelerated(
    distribution: Floats, estimate: float, jackknife: Floats, ends: Sequence[float]
) -> list[float]:
    from statistics import NormalDist

    below = np.count_nonzero(distribution < estimate - CLOSE)
    up_to = np.count_nonzero(distribution <= estimate + CLOSE)
    share = (below + up_to) / 2 / len(distribution)
    if not 0 < share < 1 or not len(jackknife):
        return list(ends)
    normal = NormalDist()
    bias = normal.inv_cdf(share)
    mean = math.fsum(jackknife) / len(jackknife)
    away = [mean - value for value in jackknife.tolist()]
    spread = math.fsum(d * d for d in away)
    acceleration = math.fsum(d**3 for d in away) / (6 * spread**1.5) if spread > CLOSE**2 else 0.0
    shifted = []
    for end in ends:
        z = bias + normal.inv_cdf(end)
        if acceleration * z >= 1:  # so skewed that the correction has no meaning
            return list(ends)
        shifted.append(normal.cdf(bias + z / (1 - acceleration * z)))
    return shifted


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted by Holm's (1979) correction for multiple comparisons.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    for rank, number in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[number]))
        adjusted[number] = largest
    return adjusted


def effect_size(differences: Floats) -> float | None:
    """Return Cohen's d for pairs: the mean of the differences divided by their standard deviation.

    Return None if the differences are all equal and not zero.

    >>> effect_size(np.array([1.0, 2.0, 3.0])), effect_size(np.array([0.0, 0.0]))
    (2.0, 0.0)
    """
    values = differences.tolist()
    mean = math.fsum(values) / len(values)
    if len(values) < 2 or all(abs(value - mean) <= CLOSE for value in values):
        return 0.0 if abs(mean) <= CLOSE else None
    variance = math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return mean / math.sqrt(variance)


@dataclass(frozen=True, eq=False, repr=False)
class Additive:
    """Rows that can be added, one per document, and how to score their sums, for resampling."""

    rows: Floats
    rates: Callable[[Floats], dict[str, Rates]]  # from sums of rows
    columns: Mapping[str, Sequence[int]]  # the columns that a score depends on
    value: Mapping[str, Callable[..., Floats]]  # a score's headline number, from these columns
    by_document: Mapping[str, Floats]  # the headline number of each document by itself

    @cached_property
    def total(self) -> dict[str, Rates]:
        """The scores of all documents together, as arrays of one number."""
        return self.rates(self.rows.sum(axis=0, keepdims=True))

    @cached_property
    def jackknife(self) -> dict[str, Rates]:
        """The jackknife: for each document, the scores of all other documents together."""
        return self.rates(self.rows.sum(axis=0) - self.rows)

    def gradient(self, metric: str, sums: Floats) -> Floats:
        """Return the gradient of the headline number with respect to its columns.

        It is computed from central differences. A column that sums to 0 is 0 in every document, and
        its derivative is set to 0.
        """
        numbers = [sums[:, column] for column in self.columns[metric]]
        value = self.value[metric]
        changes = []
        for place, number in enumerate(numbers):
            step = STEP * number
            up, down = (
                value(*numbers[:place], number + way * step, *numbers[place + 1 :])
                for way in (1, -1)
            )
            changes.append(ratio(up - down, 2 * step))
        return np.array(changes).T


class Intervals(NamedTuple):
    """The intervals of recall, precision and the headline number; None if undefined."""

    recall: Interval | None
    precision: Interval | None
    value: Interval | None

    def as_dict(self) -> dict[str, Interval]:
        """Return the intervals that are not None, as plain data for JSON."""
        named = {"recall": self.recall, "precision": self.precision, "f1": self.value}
        return {name: found for name, found in named.items() if found is not None}


@dataclass(frozen=True, eq=False, repr=False)
class Bootstrap:
    """The scores of every bootstrap replicate of one system, and their source."""

    source: Additive
    rates: dict[str, Rates]

    def intervals(self, resampling: Resampling) -> dict[str, Intervals]:
        """Return the intervals of every metric."""
        total = self.source.total
        jackknife = self.source.jackknife if resampling.interval == "bca" else None

        def ends(metric: str, part: int, values: Any) -> Interval | None:
            if values is None:
                return None
            estimate = total[metric][:3][part].item()
            without = jackknife[metric][:3][part] if jackknife else None
            return interval(values, estimate, without, confidence=resampling.confidence)

        return {
            metric: Intervals(
                *(ends(metric, part, values) for part, values in enumerate(rates[:3]))
            )
            for metric, rates in self.rates.items()
        }


def bootstrap(systems: Mapping[str, Additive], resampling: Resampling) -> dict[str, Bootstrap]:
    """Score every bootstrap sample of the documents; all systems use the same samples."""
    rows = np.hstack([system.rows for system in systems.values()])
    ends = np.cumsum([system.rows.shape[1] for system in systems.values()])[:-1]
    parts: dict[str, list[dict[str, Rates]]] = {name: [] for name in systems}
    for counts in draws(len(rows), resampling.samples, resampling.seed):
        sums = np.split(counts @ rows, ends, axis=1)
        for (name, system), part in zip(systems.items(), sums, strict=True):
            parts[name].append(system.rates(part))
    return {
        name: Bootstrap(system, {metric: _joined(parts[name], metric) for metric in parts[name][0]})
        for name, system in systems.items()
    }


def _joined(parts: Sequence[dict[str, Rates]], metric: str) -> Rates:
    columns = zip(*(part[metric][:3] for part in parts), strict=True)
    joined: list[Any] = [None if one[0] is None else np.concatenate(one) for one in columns]
    return Rates(*joined)
