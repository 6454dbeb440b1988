"""DET curves and calibration of random scores, compared with brute force; and their invariants.

Brute force tries every threshold, counts pairs one by one, and computes with fractions.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from effort import examples
from sameas.names.validation import (
    DetCurve,
    calibration,
    det,
    expected_calibration_error,
    normal_deviates,
)

many = settings(deadline=None, max_examples=examples(300))
few = settings(deadline=None, max_examples=examples(60))

Pairs = list[tuple[float, bool]]
Points = list[tuple[Fraction, Fraction]]

labels = st.booleans()
# Few values give ties; the others, including extreme floats, give hardly any.
few_values = st.integers(-3, 3).map(float)
any_values = st.floats(allow_nan=False)


def pairs_of(values: st.SearchStrategy[float]) -> st.SearchStrategy[Pairs]:
    pairs = st.lists(st.tuples(values, labels), min_size=2, max_size=14)
    return pairs.filter(lambda found: len({label for _, label in found}) == 2)


scored = st.one_of(pairs_of(few_values), pairs_of(any_values))


def curve_of(pairs: Pairs, higher: str = "genuine") -> DetCurve:
    return det([score for score, _ in pairs], [label for _, label in pairs], higher=higher)


# Brute force


def points(pairs: Pairs) -> Points:
    """Return the rates of all thresholds, from rejecting all to accepting all."""
    genuine = [score for score, label in pairs if label]
    false = [score for score, label in pairs if not label]
    found = [(Fraction(1), Fraction(0))]
    for threshold in sorted({score for score, _ in pairs}, reverse=True):
        missed = sum(not score >= threshold for score in genuine)
        alarmed = sum(score >= threshold for score in false)
        found.append((Fraction(missed, len(genuine)), Fraction(alarmed, len(false))))
    return found


def crossing(one: tuple[Fraction, Fraction], other: tuple[Fraction, Fraction]) -> Fraction:
    """Return the rate at which the line between two points has equal rates."""
    share = (one[0] - one[1]) / ((one[0] - one[1]) - (other[0] - other[1]))
    return one[0] + share * (other[0] - one[0])


def brute_eer(pairs: Pairs) -> Fraction:
    (found,) = {
        crossing(one, other)
        for one, other in pairwise(points(pairs))
        if one[0] - one[1] > 0 >= other[0] - other[1]
    }
    return found


def brute_hull_eer(pairs: Pairs) -> Fraction:
    """Return the least rate on any line between two points, which mixed thresholds can reach."""
    return min(
        crossing(one, other)
        for one, other in combinations(points(pairs), 2)
        if one[0] - one[1] > 0 >= other[0] - other[1]
    )


def brute_area(pairs: Pairs) -> Fraction:
    """Return how often a genuine pair scores better than a false one; ties count one half."""
    genuine = [score for score, label in pairs if label]
    false = [score for score, label in pairs if not label]
    wins = [Fraction((g > f) + (g >= f), 2) for g, f in product(genuine, false)]
    return sum(wins, Fraction(0)) / len(wins)


# Curves


@many
@given(scored)
@example([(math.inf, True), (math.inf, False), (-math.inf, True)])
@example([(0.0, True), (-0.0, False)])
def test_curves_are_those_of_brute_force(pairs: Pairs) -> None:
    curve = curve_of(pairs)
    expected = points(pairs)
    assert curve.misses.tolist() == [float(miss) for miss, _ in expected]
    assert curve.false_alarms.tolist() == [float(alarm) for _, alarm in expected]
    assert curve.eer == float(brute_eer(pairs))
    assert curve.hull_eer == float(brute_hull_eer(pairs))
    assert curve.area == float(brute_area(pairs))


@many
@given(scored, st.sampled_from(["genuine", "false"]))
def test_curves_begin_with_no_pair_and_end_with_all(pairs: Pairs, higher: str) -> None:
    curve = curve_of(pairs, higher)
    assert (curve.misses[0], curve.false_alarms[0]) == (1, 0)
    assert (curve.misses[-1], curve.false_alarms[-1]) == (0, 1)
    assert (np.diff(curve.missed) <= 0).all()
    assert (np.diff(curve.alarmed) >= 0).all()
    assert (np.diff(curve.alarmed) - np.diff(curve.missed) > 0).all()
    steps = np.sign(curve.thresholds[2:] - curve.thresholds[1:-1])
    assert (steps == (-1 if higher == "genuine" else 1)).all()
    assert 0 <= curve.hull_eer <= curve.eer <= 1
    assert curve.hull_eer <= 0.5


@many
@given(scored, st.sampled_from(["genuine", "false"]))
def test_thresholds_do_what_the_curve_says(pairs: Pairs, higher: str) -> None:
    curve = curve_of(pairs, higher)
    scores = np.array([score for score, _ in pairs])
    genuine = np.array([label for _, label in pairs])
    thresholds = curve.thresholds.tolist()
    between = [(a + b) / 2 for a, b in pairwise(thresholds) if math.isfinite(a + b)]
    for threshold in [*thresholds, *between]:
        accepted = scores >= threshold if higher == "genuine" else scores <= threshold
        found = curve.at(threshold)
        assert found.miss == (~accepted[genuine]).sum() / genuine.sum()
        assert found.false_alarm == accepted[~genuine].sum() / (~genuine).sum()
    assert curve.at(curve.eer_threshold).miss in curve.misses


@many
@given(scored, st.floats(0, 1))
@example([(1.0, False), (2.0, False), (3.0, False), (3.0, True)], 1 / 3)
def test_thresholds_for_a_requested_rate_are_the_best_ones(pairs: Pairs, wanted: float) -> None:
    curve = curve_of(pairs)
    # Rounded like the requested rate: a third is at most 1 / 3.
    every = [(float(miss), float(alarm)) for miss, alarm in points(pairs)]
    found = curve.threshold(false_alarm=wanted)
    assert found.false_alarm <= wanted
    assert found.miss == min(miss for miss, alarm in every if alarm <= wanted)
    found = curve.threshold(miss=wanted)
    assert found.miss <= wanted
    assert found.false_alarm == min(alarm for miss, alarm in every if miss <= wanted)


@many
@given(scored)
def test_the_nearest_rates_are_at_the_threshold_of_the_eer(pairs: Pairs) -> None:
    curve = curve_of(pairs)
    at = next(
        at
        for at, threshold in enumerate(curve.thresholds)
        if threshold == curve.eer_threshold
        or (math.isnan(threshold) and math.isnan(curve.eer_threshold))
    )
    distances = [abs(miss - alarm) for miss, alarm in points(pairs)]
    assert distances[at] == min(distances)
    assert min(distances) not in distances[:at]


# Invariants and symmetries


@many
@given(pairs_of(st.integers(-50, 50).map(float)))
def test_only_the_order_of_scores_matters(pairs: Pairs) -> None:
    curve = curve_of(pairs)
    for transform in (lambda x: 3 * x + 7, lambda x: x**3, lambda x: math.exp(x / 10), math.atan):
        other = curve_of([(transform(score), label) for score, label in pairs])
        assert other.missed.tolist() == curve.missed.tolist()
        assert other.alarmed.tolist() == curve.alarmed.tolist()
        assert (other.eer, other.hull_eer) == (curve.eer, curve.hull_eer)
        assert other.interval(samples=100) == curve.interval(samples=100)


@many
@given(scored, st.randoms(use_true_random=False))
def test_the_order_of_pairs_does_not_matter(pairs: Pairs, random: object) -> None:
    shuffled = list(pairs)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = curve_of(pairs), curve_of(shuffled)
    assert one.missed.tolist() == other.missed.tolist()
    assert one.alarmed.tolist() == other.alarmed.tolist()
    assert one.interval(samples=100) == other.interval(samples=100)


@many
@given(scored)
def test_kinds_and_signs_swapped_swap_the_errors(pairs: Pairs) -> None:
    curve = curve_of(pairs)
    negative = curve_of([(-score, label) for score, label in pairs], "false")
    assert negative.missed.tolist() == curve.missed.tolist()
    assert negative.eer == curve.eer
    swapped = curve_of([(-score, not label) for score, label in pairs])
    assert swapped.missed.tolist() == curve.alarmed[::-1].tolist()
    assert swapped.alarmed.tolist() == curve.missed[::-1].tolist()
    assert (swapped.eer, swapped.hull_eer, swapped.area) == (curve.eer, curve.hull_eer, curve.area)
    worse = curve_of([(score, not label) for score, label in pairs])
    assert worse.eer == pytest.approx(1 - curve.eer, abs=1e-15)
    assert worse.area == pytest.approx(1 - curve.area, abs=1e-15)


@many
@given(scored, st.integers(1, 5), st.integers(1, 5))
def test_the_share_of_genuine_pairs_does_not_matter(pairs: Pairs, more: int, others: int) -> None:
    repeated = [pair for pair in pairs for _ in range(more if pair[1] else others)]
    one, other = curve_of(pairs), curve_of(repeated)
    assert (one.misses.tolist(), one.eer) == (other.misses.tolist(), other.eer)


# Intervals


@many
@given(scored, st.integers(0, 1000), st.floats(0.5, 0.999))
def test_intervals_contain_the_estimate(pairs: Pairs, seed: int, level: float) -> None:
    curve = curve_of(pairs)
    low, high = curve.interval(samples=100, seed=seed, confidence=100 * level)
    assert 0 <= low <= curve.eer <= high <= 1
    wider = curve.interval(samples=100, seed=seed, confidence=50 * (1 + level))
    assert wider.low <= low
    assert wider.high >= high


@few
@given(pairs_of(few_values).filter(lambda pairs: len(pairs) <= 5))
def test_resamples_are_as_likely_as_all_of_them_are(pairs: Pairs) -> None:
    genuine = [score for score, label in pairs if label]
    false = [score for score, label in pairs if not label]
    every = [
        float(
            brute_eer([*((score, True) for score in some), *((score, False) for score in others)])
        )
        for some in product(genuine, repeat=len(genuine))
        for others in product(false, repeat=len(false))
    ]
    found = curve_of(pairs)._resampled(20_000, 1)
    for value in {*every, *found.tolist()}:
        share = sum(abs(one - value) < 1e-12 for one in every) / len(every)
        assert share > 0
        error = math.sqrt(share * (1 - share) / len(found))
        assert np.mean(abs(found - value) < 1e-12) == pytest.approx(share, abs=6 * error + 3e-4)


# Deviates


@many
@given(st.floats(1e-9, 0.5))
def test_deviates_are_symmetric(rate: float) -> None:
    below, above = normal_deviates([rate, 1 - rate])
    assert below == pytest.approx(-above, rel=1e-6, abs=1e-9)
    assert below <= 0


# Calibration

probable = st.lists(
    st.tuples(st.one_of(st.floats(0, 1), st.integers(0, 10).map(lambda n: n / 10)), labels),
    min_size=1,
    max_size=20,
)


@many
@given(probable, st.integers(1, 12))
def test_bins_are_those_of_brute_force(pairs: Pairs, bins: int) -> None:
    probabilities, genuine = [p for p, _ in pairs], [label for _, label in pairs]
    expected = []
    for number in range(bins):
        low, high = number / bins, (number + 1) / bins
        inside = [(p, label) for p, label in pairs if low <= p < high or p == high == 1]
        if inside:
            mean = math.fsum(p for p, _ in inside) / len(inside)
            expected.append(
                (low, high, mean, sum(label for _, label in inside) / len(inside), len(inside))
            )
    found = calibration(probabilities, genuine, bins)
    for one, (low, high, mean, share, count) in zip(found, expected, strict=True):
        assert (one.low, one.high, one.genuine, one.count) == (low, high, share, count)
        assert one.probability == pytest.approx(mean, abs=1e-15)
    error = sum(count * abs(mean - share) for _, _, mean, share, count in expected) / len(pairs)
    found_error = expected_calibration_error(probabilities, genuine, bins)
    assert found_error == pytest.approx(error, abs=1e-14)
    assert 0 <= found_error <= 1


@few
@given(st.lists(labels, min_size=2, max_size=30))
def test_the_share_of_genuine_pairs_is_calibrated(genuine: list[bool]) -> None:
    share = sum(genuine) / len(genuine)
    assert expected_calibration_error([share] * len(genuine), genuine) < 1e-12
