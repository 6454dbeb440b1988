"""Measure how well a score separates genuine transliterations from false ones.

Pervouchine, Li & Lin 2009, section 5.3: a threshold on the score accepts some pairs and rejects the
others. Rejected genuine pairs are misses; accepted false pairs are false alarms. The rates at all
thresholds form the detection error tradeoff curve (Martin et al. 1997); the equal error rate is the
point where both rates are equal. This module uses scores and labels only, not names.

Rates are ratios of counts: counts stay integers and are divided once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Any, Unpack, get_args

import numpy as np

from sameas.chance.resampling import Floats, Interval, Ints, interval
from sameas.errors import InputError, Problem, UsageError, counted, unknown
from sameas.names.options import Higher, check_share
from sameas.settings import Resampling, ResamplingOptions, chosen

__all__ = [
    "CalibrationBin",
    "DetCurve",
    "OperatingPoint",
    "calibration",
    "det",
    "expected_calibration_error",
    "normal_deviates",
]

Bools = np.ndarray[Any, np.dtype[np.bool_]]
Numbers = Sequence[float] | Floats
Labels = Sequence[bool] | Sequence[int] | Bools | Ints

_STREAM = 3  # random stream of a seed; sameas.chance.resampling uses 1 and 2


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """A threshold, with the shares of genuine pairs it misses and of false pairs it accepts.

    >>> OperatingPoint(0.5, miss=0.25, false_alarm=0.0).miss
    0.25
    """

    threshold: float
    miss: float
    false_alarm: float


@dataclass(frozen=True, eq=False, repr=False)
class DetCurve:
    """The errors at every threshold, from one that rejects all pairs to one that accepts all.

    A threshold accepts scores equal to it and those on its genuine side: higher scores if `higher`
    is `genuine`, lower ones if it is `false`. So every distinct score is a threshold, and tied
    scores are accepted together. These thresholds follow an infinite one, which rejects
    all pairs; it is NaN instead if a score is itself infinite on the genuine side.

    Attributes
    ----------
    thresholds
        The thresholds, the strictest first.
    missed
        Number of genuine pairs that each threshold rejects.
    alarmed
        Number of false pairs that each threshold accepts.
    higher
        The kind of pairs that has the higher scores: `genuine` or `false`.
    name
        Name of the score.

    Examples
    --------
    >>> curve = det([0.9, 0.8, 0.8, 0.4, 0.1], [True, True, False, True, False])
    >>> curve.thresholds.tolist(), curve.missed.tolist(), curve.alarmed.tolist()
    ([inf, 0.9, 0.8, 0.4, 0.1], [3, 2, 1, 0, 0], [0, 0, 1, 1, 2])
    >>> curve
    <DetCurve EER 40.00%, 3 genuine and 2 false pairs>
    >>> curve.at(0.85).miss == 2 / 3
    True
    >>> curve.threshold(false_alarm=0.5)
    OperatingPoint(threshold=0.4, miss=0.0, false_alarm=0.5)
    >>> curve.threshold(miss=0.5)
    OperatingPoint(threshold=0.8, miss=0.3333333333333333, false_alarm=0.5)
    >>> low, high = curve.interval(seed=0)
    >>> low <= curve.eer <= high
    True
    """

    thresholds: Floats
    missed: Ints
    alarmed: Ints
    higher: Higher = "genuine"
    name: str = ""

    def __post_init__(self) -> None:
        for array in (self.thresholds, self.missed, self.alarmed):
            array.setflags(write=False)

    def __repr__(self) -> str:
        """Show the EER and the numbers of pairs."""
        begun = f"{self.name}: " if self.name else ""
        pairs = f"{self.genuine:,} genuine and {counted(self.false, 'false pair')}"
        return f"<DetCurve {begun}EER {100 * self.eer:.2f}%, {pairs}>"

    @property
    def genuine(self) -> int:
        """The number of genuine pairs."""
        return int(self.missed[0])

    @property
    def false(self) -> int:
        """The number of false pairs."""
        return int(self.alarmed[-1])

    @cached_property
    def misses(self) -> Floats:
        """The share of genuine pairs that each threshold rejects, from 1 down to 0."""
        return self.missed / self.genuine

    @cached_property
    def false_alarms(self) -> Floats:
        """The share of false pairs that each threshold accepts, from 0 up to 1."""
        return self.alarmed / self.false

    @property
    def eer(self) -> float:
        """The equal error rate, where the miss rate equals the false alarm rate.

        If no threshold has equal rates, the EER is interpolated, as on the ROC curve: a straight
        line joins the two neighbouring thresholds between which the rates cross.

        >>> det([3, 2, 1, 0], [True, False, True, False]).eer
        0.5
        >>> det([3, 2, 1, 0], [True, True, False, False]).eer
        0.0
        """
        after = self._after
        return self._crossing(after - 1, after)

    @property
    def hull_eer(self) -> float:
        """The equal error rate of the convex hull of the ROC curve; never above `eer`.

        Choosing at random between two thresholds reaches every point of the hull, so this is the
        EER of the score after optimal calibration (ROCCH-EER, Brümmer & de Villiers 2013).

        >>> det([3, 2, 1, 0], [True, False, True, False]).hull_eer
        0.25
        """
        # The point farthest from the line between two corners of the hull is also a corner. It
        # replaces the corner on its side of equal rates, until the two corners are neighbours.
        before, after = 0, len(self.missed) - 1
        while True:
            missed = self.missed[before : after + 1] - self.missed[before]
            alarmed = self.alarmed[before : after + 1] - self.alarmed[before]
            away = alarmed[-1] * missed - missed[-1] * alarmed
            farthest = before + int(away.argmin())
            if away[farthest - before] >= 0:
                return self._crossing(before, after)
            if farthest < self._after:
                before = farthest
            else:
                after = farthest

    @property
    def eer_threshold(self) -> float:
        """The threshold whose two rates are closest to each other; the stricter one if tied.

        >>> det([9, 8, 7, 6], [True, True, False, False]).eer_threshold
        8.0
        """
        after = self._after
        before, behind = (abs(self._gap(at)) for at in (after - 1, after))
        return float(self.thresholds[after - 1 if before <= behind else after])

    @property
    def area(self) -> float:
        """The area under the ROC curve: P(a genuine pair scores better than a false one).

        Ties count one half.

        >>> det([0.9, 0.8, 0.8, 0.4, 0.1], [True, True, False, True, False]).area
        0.75
        """
        hits = self.genuine - self.missed
        doubled = int((np.diff(self.alarmed) * (hits[1:] + hits[:-1])).sum())
        return doubled / (2 * self.genuine * self.false)

    def at(self, threshold: float) -> OperatingPoint:
        """Return the rates at any threshold, such as one chosen on held-out pairs.

        Parameters
        ----------
        threshold
            The threshold.

        Returns
        -------
        OperatingPoint
            The threshold and its rates.
        """
        sign = -1 if self.higher == "genuine" else 1
        found = 0
        if not math.isnan(threshold):
            found = int(np.searchsorted(sign * self.thresholds[1:], sign * threshold, "right"))
        return OperatingPoint(threshold, float(self.misses[found]), float(self.false_alarms[found]))

    def threshold(
        self, *, false_alarm: float | None = None, miss: float | None = None
    ) -> OperatingPoint:
        """Return the best threshold for a maximum rate of false alarms or of misses.

        If several thresholds are equally good, it is the strictest. If the best score belongs to a
        false pair, a threshold without false alarms accepts no pair.

        Parameters
        ----------
        false_alarm
            Maximum share of false pairs accepted; the threshold has the fewest misses.
        miss
            Maximum share of genuine pairs missed; the threshold has the fewest false alarms.

        Returns
        -------
        OperatingPoint
            The threshold and its rates.
        """
        if (false_alarm is None) == (miss is None):
            raise UsageError("threshold-rates")
        if false_alarm is not None:
            allowed = check_share("false_alarm", false_alarm)
            most = float(self.misses[np.searchsorted(self.false_alarms, allowed, "right") - 1])
        else:
            most = check_share("miss", miss)
        found = int(np.searchsorted(-self.misses, -most, "left"))
        return self.at(float(self.thresholds[found]))

    def interval(self, **options: Unpack[ResamplingOptions]) -> Interval:
        """Return the confidence interval of the EER, from the bootstrap over pairs.

        Genuine and false pairs are resampled separately, since the EER depends on how each kind
        scores but not on their numbers, which are an artefact of collection. The interval is a
        percentile interval, extended to include the EER in the rare case that it does not. If
        the score makes no error, neither does any replicate: the interval is 0 to 0, which is too
        narrow.

        Parameters
        ----------
        **options
            The fields of `Resampling`: `samples` (default 1,000), `confidence` and `seed`.

        Returns
        -------
        Interval
            The interval of the EER.
        """
        how = Resampling(**{"samples": 1000, **chosen(options, Resampling)})
        if how.interval != "percentile":
            raise UsageError("det-interval", kind=how.interval)
        estimate = self.eer
        drawn = self._resampled(how.samples, how.seed)
        low, high = interval(drawn, estimate, confidence=how.confidence)
        return Interval(min(low, estimate), max(high, estimate))

    @cached_property
    def _after(self) -> int:
        """The index of the first threshold whose false alarm rate is at least its miss rate.

        Every threshold accepts more pairs than the one before, so the rates cross exactly once.
        """
        return int(np.argmax(self.missed * self.false <= self.alarmed * self.genuine))

    def _gap(self, at: int) -> int:
        """Return the miss rate minus the false alarm rate, in units of 1 / (genuine × false)."""
        return int(self.missed[at]) * self.false - int(self.alarmed[at]) * self.genuine

    def _crossing(self, before: int, after: int) -> float:
        """Return the EER on the line between two thresholds.

        For the rates (m₀, a₀) and (m₁, a₁) it is (m₀a₁ − m₁a₀) / ((m₀ − a₀) − (m₁ − a₁)); the
        denominators of the rates cancel.
        """
        one = int(self.missed[before]) * int(self.alarmed[after])
        other = int(self.missed[after]) * int(self.alarmed[before])
        return (one - other) / (self._gap(before) - self._gap(after))

    def _resampled(self, samples: int, seed: int) -> Floats:
        """Return the EER of each bootstrap replicate.

        Replicates are not drawn pair by pair. The number of genuine pairs that score better than
        the middle threshold is binomial, and so is that of false pairs; these counts show in which
        half the rates cross. The counts at the middle of that half are drawn next, given those at
        its ends, and so on. The distribution is the same, but it needs only about 20 random numbers
        per kind of pair instead of a million.
        """
        # In numpy, only the samplers of RandomState promise the same numbers in every version.
        random = np.random.RandomState(np.random.PCG64([_STREAM, seed]))
        genuine, false = self.genuine, self.false
        # Rows: a threshold, and its misses and false alarms. Columns: replicates.
        low, high = (
            np.repeat(np.array([end], np.int64).T, samples, axis=1)
            for end in ((0, genuine, 0), (len(self.missed) - 1, 0, false))
        )
        while (high[0] - low[0] > 1).any():
            middle = [(low[0] + high[0]) // 2]  # a replicate is finished when this equals `low`
            for row, counts, sign in ((1, self.missed, -1), (2, self.alarmed, 1)):
                part, whole = (sign * (counts[at] - counts[low[0]]) for at in (middle[0], high[0]))
                # Where `whole` is 0, so is the draw, whatever the probability.
                among = sign * (high[row] - low[row])
                drawn = random.binomial(among, part / np.maximum(whole, 1)).astype(np.int64)
                middle.append(low[row] + sign * drawn)
            later = middle[1] * false > middle[2] * genuine
            low, high = np.where(later, middle, low), np.where(later, high, middle)
        gap = (low[1] - high[1]) * false - (low[2] - high[2]) * genuine
        crossing = low[1] * high[2] - high[1] * low[2]
        found: Floats = crossing / gap
        return found


def det(
    scores: Numbers, genuine: Labels, *, higher: Higher = "genuine", name: str = ""
) -> DetCurve:
    """Count the errors of a score at every threshold (detection error tradeoff).

    Parameters
    ----------
    scores
        A score for each pair.
    genuine
        Whether each pair is genuine.
    higher
        The kind of pairs with higher scores: `genuine` (default; for probabilities) or `false` (for
        distances).
    name
        Name of the score, for messages and tables.

    Returns
    -------
    DetCurve
        The thresholds, with misses and false alarms.

    Examples
    --------
    >>> distances = [0.2, 0.3, 0.7, 0.6, 0.9, 1.4]
    >>> curve = det(distances, [1, 1, 1, 0, 0, 0], higher="false", name="score2")
    >>> round(curve.eer, 3), curve.threshold(false_alarm=0.01).threshold
    (0.333, 0.3)
    """
    if higher not in get_args(Higher):
        raise unknown("higher", higher, get_args(Higher))
    values, labels = _checked(scores, genuine, "score", name)
    for kind, number in (("genuine", labels.sum()), ("false", len(labels) - labels.sum())):
        if not number:
            raise InputError([Problem("one-kind", name, count=len(labels), kind=kind)])
    order = np.argsort(values)
    if higher == "genuine":
        order = order[::-1]
    values, labels = values[order], labels[order]
    ends = np.flatnonzero(np.append(values[1:] != values[:-1], True))  # the last of each tie
    accepted = np.cumsum(labels, dtype=np.int64)[ends]
    strictest = math.inf if higher == "genuine" else -math.inf
    if values[0] == strictest:
        strictest = math.nan
    thresholds = np.concatenate([[strictest], values[ends]])
    missed = accepted[-1] - np.concatenate([[0], accepted])
    alarmed = np.concatenate([[0], ends + 1 - accepted])
    return DetCurve(thresholds, missed, alarmed, higher, name)


def _checked(numbers: Numbers, genuine: Labels, noun: str, name: str = "") -> tuple[Floats, Bools]:
    """Return scores or probabilities and their labels as arrays; raise an error if invalid."""
    values, labels = _array(numbers, noun), _array(genuine, "label")
    if len(values) != len(labels):
        counts = {"count": len(values), "labels": len(labels), "how": noun}
        raise InputError([Problem("labels-differ", name, values=counts)])
    if not len(values):
        raise InputError([Problem("nothing-verified", name)])
    _reject("pair-not-number", np.isnan(values), values, name, noun=noun)
    _reject("label-not-true", (labels != 0) & (labels != 1), labels, name)
    return values, labels == 1


def _reject(code: str, bad: Bools, values: Floats, name: str = "", **more_values: str) -> None:
    """Raise InputError if any values are bad."""
    if bad.any():
        first, more = int(bad.argmax()), int(bad.sum()) - 1
        named: dict[str, Any] = {"number": first + 1, "value": values[first], "more": more}
        named |= more_values
        raise InputError([Problem(code, name, values=named, how="more" if more else "one")])


def _array(numbers: Any, noun: str) -> Floats:
    try:
        array = np.asarray(numbers)
        if array.ndim != 1 or array.dtype.kind not in "biufO":
            raise TypeError
        return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise UsageError("scores-not-list", how=noun) from None


def normal_deviates(rates: Numbers) -> Floats:
    """Return the quantile of the standard normal distribution at each rate.

    This is the scale of the axes of a DET curve, on which two normal distributions give a straight
    line. The quantiles of 0 and 1 are infinite.

    >>> normal_deviates([0, 0.025, 0.5, 1]).round(2).tolist()
    [-inf, -1.96, 0.0, inf]
    """
    inverse = NormalDist().inv_cdf
    ends = {0.0: -math.inf, 1.0: math.inf}
    values = np.asarray(rates, dtype=np.float64).tolist()
    if not all(0 <= value <= 1 for value in values):
        raise UsageError("not-shares", what="rates")
    return np.array([ends[value] if value in ends else inverse(value) for value in values])


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """Pairs of similar probability: the mean probability, and the share that is genuine.

    >>> CalibrationBin(0.9, 1.0, probability=0.95, genuine=0.5, count=2).count
    2
    """

    low: float
    high: float
    probability: float
    genuine: float
    count: int


def calibration(probabilities: Numbers, genuine: Labels, bins: int = 10) -> list[CalibrationBin]:
    """Compare probabilities with the shares of genuine pairs, in bins of equal width.

    A bin includes its `low` and excludes its `high`; the last one includes 1. Empty bins are
    omitted.

    >>> for one in calibration([0.1, 0.2, 0.9, 1], [False, False, True, False], bins=2):
    ...     print(one)
    CalibrationBin(low=0.0, high=0.5, probability=0.15000000000000002, genuine=0.0, count=2)
    CalibrationBin(low=0.5, high=1.0, probability=0.95, genuine=0.5, count=2)
    """
    if not isinstance(bins, int) or isinstance(bins, bool) or not 1 <= bins <= 10**6:
        raise UsageError("not-a-number", how="whole", name="bins", value=bins, least=1, most=10**6)
    values, labels = _checked(probabilities, genuine, "probability")
    _reject("not-probability", (values < 0) | (values > 1), values)
    # Search the edges instead of multiplying: as floats, 0.29 × 100 is less than 29.
    edges = np.arange(bins + 1) / bins
    number = np.searchsorted(edges[:-1], values, "right") - 1
    counts = np.bincount(number, minlength=bins)
    sums = np.bincount(number, values, minlength=bins)
    found = np.bincount(number[labels], minlength=bins)
    at = np.flatnonzero(counts)
    columns = edges[at], edges[at + 1], sums[at] / counts[at], found[at] / counts[at], counts[at]
    return [CalibrationBin(*row) for row in zip(*(one.tolist() for one in columns), strict=True)]


def expected_calibration_error(probabilities: Numbers, genuine: Labels, bins: int = 10) -> float:
    """Return the expected calibration error.

    This is the mean over bins, weighted by number of pairs, of the absolute difference between the
    mean probability and the share of genuine pairs.

    >>> round(expected_calibration_error([0.1, 0.2, 0.9, 1], [False, False, True, False], 2), 3)
    0.3
    """
    found = calibration(probabilities, genuine, bins)
    total = sum(one.count for one in found)
    return math.fsum(one.count * abs(one.probability - one.genuine) for one in found) / total
