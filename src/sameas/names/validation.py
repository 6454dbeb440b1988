"""How well does a score tell genuine transliterations from false ones?

Pervouchine, Li & Lin 2009, section 5.3: a threshold on the score accepts some pairs and rejects the
others. Genuine pairs that are rejected are misses, false ones that are accepted are false alarms.
The thresholds together make the detection error tradeoff curve (Martin et al. 1997), and where both
rates are the same is the equal error rate. Only scores and labels are seen here, not names.

Rates are counts over counts: counts stay whole numbers, and are divided once.
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

_STREAM = 3  # of a seed; sameas.chance.resampling has the first two


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """A threshold, with the share of genuine pairs that it misses and of false ones it accepts.

    >>> OperatingPoint(0.5, miss=0.25, false_alarm=0.0).miss
    0.25
    """

    threshold: float
    miss: float
    false_alarm: float


@dataclass(frozen=True, eq=False, repr=False)
class DetCurve:
    """The errors at every threshold, from one that rejects all pairs to one that accepts all.

    A pair is accepted if its score is the threshold or on the genuine side of it: not lower where
    `higher` is genuine, not higher where it is false. So each distinct score is a threshold, and
    scores that tie go together. Before them comes an infinite one that rejects all; if a score is
    itself infinite on that side, it is NaN, with which no comparison holds.

    `missed` counts the genuine pairs that each threshold rejects, and `alarmed` the false ones that
    it accepts.

    >>> curve = det([0.9, 0.8, 0.8, 0.4, 0.1], [True, True, False, True, False])
    >>> curve.thresholds.tolist(), curve.missed.tolist(), curve.alarmed.tolist()
    ([inf, 0.9, 0.8, 0.4, 0.1], [3, 2, 1, 0, 0], [0, 0, 1, 1, 2])
    >>> curve
    <DetCurve EER 40.00 %, 3 genuine and 2 false pairs>
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
        """The EER, and of how many pairs."""
        begun = f"{self.name}: " if self.name else ""
        pairs = f"{self.genuine:,} genuine and {counted(self.false, 'false pair')}"
        return f"<DetCurve {begun}EER {100 * self.eer:.2f} %, {pairs}>"

    @property
    def genuine(self) -> int:
        """How many pairs are genuine."""
        return int(self.missed[0])

    @property
    def false(self) -> int:
        """How many pairs are false."""
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
        """The equal error rate, at which as large a share is missed as falsely accepted.

        There need not be a threshold with equal rates. The two neighbours between which the larger
        rate becomes the smaller one are joined by a straight line, as in the ROC curve, and the EER
        is where this line has equal rates.

        >>> det([3, 2, 1, 0], [True, False, True, False]).eer
        0.5
        >>> det([3, 2, 1, 0], [True, True, False, False]).eer
        0.0
        """
        after = self._after
        return self._crossing(after - 1, after)

    @property
    def hull_eer(self) -> float:
        """The equal error rate of the ROC curve's convex hull, never above the other one.

        Between two thresholds one can toss a coin, so all points of the hull can be had: it is what
        the score can do once it is best calibrated (Brümmer & de Villiers 2013 call it ROCCH-EER).

        >>> det([3, 2, 1, 0], [True, False, True, False]).hull_eer
        0.25
        """
        # The corner farthest from the line that joins two corners is a corner as well, and is kept
        # in place of the one on its side of equal rates, until the two are neighbours.
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
        """The threshold whose two rates are nearest to each other; of two, the stricter.

        >>> det([9, 8, 7, 6], [True, True, False, False]).eer_threshold
        8.0
        """
        after = self._after
        before, behind = (abs(self._gap(at)) for at in (after - 1, after))
        return float(self.thresholds[after - 1 if before <= behind else after])

    @property
    def area(self) -> float:
        """The area under the ROC curve: how often a genuine pair scores better than a false one.

        Ties count a half.

        >>> det([0.9, 0.8, 0.8, 0.4, 0.1], [True, True, False, True, False]).area
        0.75
        """
        hits = self.genuine - self.missed
        doubled = int((np.diff(self.alarmed) * (hits[1:] + hits[:-1])).sum())
        return doubled / (2 * self.genuine * self.false)

    def at(self, threshold: float) -> OperatingPoint:
        """The rates at any threshold, for instance at one that was chosen on other pairs.

        >>> det([0.9, 0.8, 0.4, 0.1], [True, True, False, False]).at(0.85)
        OperatingPoint(threshold=0.85, miss=0.5, false_alarm=0.0)
        """
        sign = -1 if self.higher == "genuine" else 1
        found = 0
        if not math.isnan(threshold):
            found = int(np.searchsorted(sign * self.thresholds[1:], sign * threshold, "right"))
        return OperatingPoint(threshold, float(self.misses[found]), float(self.false_alarms[found]))

    def threshold(
        self, *, false_alarm: float | None = None, miss: float | None = None
    ) -> OperatingPoint:
        """The threshold for a wanted rate of false alarms, or of misses.

        With at most this share of false alarms, the one with the fewest misses; or with at most
        this share of misses, the one with the fewest false alarms. Of several such thresholds it is
        the strictest. If even the best score is a false pair's, no false alarms means that no pair
        is accepted.

        >>> curve = det([0.9, 0.8, 0.8, 0.4, 0.1], [True, True, False, True, False])
        >>> curve.threshold(false_alarm=0.5)
        OperatingPoint(threshold=0.4, miss=0.0, false_alarm=0.5)
        >>> curve.threshold(miss=0.5)
        OperatingPoint(threshold=0.8, miss=0.3333333333333333, false_alarm=0.5)
        """
        if (false_alarm is None) == (miss is None):
            raise UsageError("threshold-rates")
        if false_alarm is not None:
            wanted = check_share("false_alarm", false_alarm)
            most = float(self.misses[np.searchsorted(self.false_alarms, wanted, "right") - 1])
        else:
            most = check_share("miss", miss)
        found = int(np.searchsorted(-self.misses, -most, "left"))
        return self.at(float(self.thresholds[found]))

    def interval(self, **options: Unpack[ResamplingOptions]) -> Interval:
        """Where the EER lies with the stated confidence, by the bootstrap over pairs, 1,000 times
        unless `samples` says otherwise; the options are those of `Resampling`.

        As many genuine and as many false pairs are drawn as there are, each from their own: the EER
        depends on how either kind scores, and not on how many there are of it, which whoever
        collected the pairs decided. The interval is between percentiles, widened to the EER in the
        rare case that it does not contain it. Without any error every sample is without error as
        well, and the interval is 0 to 0, which is too good to be true.

        >>> curve = det([5, 4, 3, 2, 2, 1], [True, True, False, True, False, False])
        >>> low, high = curve.interval(seed=0)
        >>> low <= curve.eer <= high
        True
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
        """The first threshold with no smaller rate of false alarms than of misses.

        Every threshold accepts a pair more than the one before, so there is one such place.
        """
        return int(np.argmax(self.missed * self.false <= self.alarmed * self.genuine))

    def _gap(self, at: int) -> int:
        """Misses without false alarms, in units of 1 / (genuine × false)."""
        return int(self.missed[at]) * self.false - int(self.alarmed[at]) * self.genuine

    def _crossing(self, before: int, after: int) -> float:
        """The EER on the line between two thresholds.

        Of the rates (m₀, a₀) and (m₁, a₁) it is (m₀a₁ − m₁a₀) / ((m₀ − a₀) − (m₁ − a₁)), in which
        the denominators cancel.
        """
        one = int(self.missed[before]) * int(self.alarmed[after])
        other = int(self.missed[after]) * int(self.alarmed[before])
        return (one - other) / (self._gap(before) - self._gap(after))

    def _resampled(self, samples: int, seed: int) -> Floats:
        """The EER of each of some bootstrap samples.

        A sample is not drawn pair by pair. How many of its genuine pairs score better than the
        threshold in the middle is a binomial number, and so for the false ones; they tell in which
        half the rates cross, of which again the middle is drawn, given what is known of its ends.
        That is the same distribution, for some 20 numbers of either kind instead of a million.
        """
        # Of numpy's samplers, only those of RandomState promise the same numbers in every version.
        random = np.random.RandomState(np.random.PCG64([_STREAM, seed]))
        genuine, false = self.genuine, self.false
        # Of each sample, in rows: a threshold, the misses and the false alarms there.
        low, high = (
            np.repeat(np.array([end], np.int64).T, samples, axis=1)
            for end in ((0, genuine, 0), (len(self.missed) - 1, 0, false))
        )
        while (high[0] - low[0] > 1).any():
            middle = [(low[0] + high[0]) // 2]  # where it is `low`, nothing changes any more
            for row, counts, sign in ((1, self.missed, -1), (2, self.alarmed, 1)):
                part, whole = (sign * (counts[at] - counts[low[0]]) for at in (middle[0], high[0]))
                # Of an empty whole none is drawn.
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
    """The errors that a score makes at every threshold.

    `genuine` tells for each score whether its pair is; `higher` which kind of pairs has the higher
    scores: the genuine ones if it is a probability, the false ones if it is a distance.

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
    """Scores or probabilities and their labels as arrays, or what is wrong with them."""
    values, labels = _array(numbers, noun), _array(genuine, "label")
    if len(values) != len(labels):
        counts = {"count": len(values), "labels": len(labels), "how": noun}
        raise InputError([Problem("labels-differ", name, values=counts)])
    if not len(values):
        raise InputError([Problem("nothing-verified", name)])
    _refuse("pair-not-number", np.isnan(values), values, name, noun=noun)
    _refuse("label-not-true", (labels != 0) & (labels != 1), labels, name)
    return values, labels == 1


def _refuse(code: str, bad: Bools, values: Floats, name: str = "", **told: str) -> None:
    """Refuse values of which some are bad."""
    if bad.any():
        first, more = int(bad.argmax()), int(bad.sum()) - 1
        named: dict[str, Any] = {"number": first + 1, "value": values[first], "more": more, **told}
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
    """How many standard deviations from the mean each rate is reached by a normal distribution.

    The scale of the axes of a DET curve, on which the curve of two normal distributions is a
    straight line. Rates of 0 and 1 are infinitely far.

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
    """Pairs of about the same probability: its mean, and the share that is indeed genuine.

    >>> CalibrationBin(0.9, 1.0, probability=0.95, genuine=0.5, count=2).count
    2
    """

    low: float
    high: float
    probability: float
    genuine: float
    count: int


def calibration(probabilities: Numbers, genuine: Labels, bins: int = 10) -> list[CalibrationBin]:
    """Probabilities beside the shares of genuine pairs, in bins of the same width.

    A bin begins at its `low` and ends before its `high`; the last one contains 1. Bins without
    pairs are not listed.

    >>> for one in calibration([0.1, 0.2, 0.9, 1], [False, False, True, False], bins=2):
    ...     print(one)
    CalibrationBin(low=0.0, high=0.5, probability=0.15000000000000002, genuine=0.0, count=2)
    CalibrationBin(low=0.5, high=1.0, probability=0.95, genuine=0.5, count=2)
    """
    if not isinstance(bins, int) or isinstance(bins, bool) or not 1 <= bins <= 10**6:
        raise UsageError("not-a-number", how="whole", name="bins", value=bins, least=1, most=10**6)
    values, labels = _checked(probabilities, genuine, "probability")
    _refuse("not-probability", (values < 0) | (values > 1), values)
    # Compared with the edges, not multiplied: 0.29 × 100 is less than 29.
    edges = np.arange(bins + 1) / bins
    number = np.searchsorted(edges[:-1], values, "right") - 1
    counts = np.bincount(number, minlength=bins)
    sums = np.bincount(number, values, minlength=bins)
    found = np.bincount(number[labels], minlength=bins)
    at = np.flatnonzero(counts)
    columns = edges[at], edges[at + 1], sums[at] / counts[at], found[at] / counts[at], counts[at]
    return [CalibrationBin(*row) for row in zip(*(one.tolist() for one in columns), strict=True)]


def expected_calibration_error(probabilities: Numbers, genuine: Labels, bins: int = 10) -> float:
    """How far probabilities are from shares: the mean distance in the bins, weighed by their pairs.

    >>> round(expected_calibration_error([0.1, 0.2, 0.9, 1], [False, False, True, False], 2), 3)
    0.3
    """
    found = calibration(probabilities, genuine, bins)
    total = sum(one.count for one in found)
    return math.fsum(one.count * abs(one.probability - one.genuine) for one in found) / total
