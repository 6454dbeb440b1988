"""DET curves compared with scipy: deviates, areas, hulls, intervals, and normal distributions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import interp1d
from scipy.optimize import brentq, linprog
from scipy.special import ndtr, ndtri
from scipy.stats import bootstrap, mannwhitneyu, norm

from sameas.names.validation import DetCurve, det, normal_deviates

Floats = np.ndarray[Any, np.dtype[np.float64]]

SIZES = [(40, 60), (2000, 300), (5000, 5000)]


def samples(genuine: int, false: int, seed: int, step: float = 0) -> tuple[Floats, Floats]:
    random = np.random.RandomState(seed)
    scores = random.normal(1.5, 1.2, genuine), random.normal(0, 1, false)
    return tuple(np.round(one / step) * step if step else one for one in scores)  # type: ignore[return-value]


def curve_of(genuine: Floats, false: Floats) -> DetCurve:
    scores = np.concatenate([genuine, false])
    return det(scores, np.arange(len(scores)) < len(genuine))


def test_deviates() -> None:
    rates = np.concatenate([10.0 ** np.arange(-300, 0, 7), np.linspace(0.001, 0.999, 999), [0, 1]])
    assert np.allclose(normal_deviates(rates), ndtri(rates), rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("step", [0, 0.1, 1])
@pytest.mark.parametrize("sizes", SIZES)
def test_the_area_is_that_of_mann_and_whitney(sizes: tuple[int, int], step: float) -> None:
    genuine, false = samples(*sizes, seed=1, step=step)
    expected = mannwhitneyu(genuine, false).statistic / (len(genuine) * len(false))
    assert curve_of(genuine, false).area == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("step", [0, 0.1, 1])
@pytest.mark.parametrize("sizes", SIZES)
def test_the_eer_is_the_root_of_the_difference(sizes: tuple[int, int], step: float) -> None:
    """The EER is where the linearly interpolated empirical distribution functions meet."""
    genuine, false = samples(*sizes, seed=2, step=step)
    thresholds = np.append(np.unique(np.concatenate([genuine, false])), math.inf)
    misses = np.searchsorted(np.sort(genuine), thresholds, "left") / len(genuine)
    alarms = 1 - np.searchsorted(np.sort(false), thresholds, "left") / len(false)
    places = np.arange(len(thresholds))
    miss, alarm = interp1d(places, misses), interp1d(places, alarms)
    root = brentq(lambda at: float(miss(at) - alarm(at)), 0, len(thresholds) - 1, xtol=1e-13)
    assert curve_of(genuine, false).eer == pytest.approx(float(miss(root)), abs=1e-9)


@pytest.mark.parametrize("step", [0, 0.1, 1])
@pytest.mark.parametrize("sizes", SIZES[:2])
def test_the_eer_of_the_hull_is_the_best_mixture(sizes: tuple[int, int], step: float) -> None:
    """A mixture of thresholds with the least upper bound of both error rates."""
    curve = curve_of(*samples(*sizes, seed=3, step=step))
    number = len(curve.misses)
    found = linprog(
        np.append(np.zeros(number), 1),
        A_ub=[np.append(curve.misses, -1), np.append(curve.false_alarms, -1)],
        b_ub=[0, 0],
        A_eq=[np.append(np.ones(number), 0)],
        b_eq=[1],
    )
    assert found.status == 0
    assert curve.hull_eer == pytest.approx(found.fun, abs=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("step", [0, 0.5])
def test_intervals_are_those_of_resampled_scores(step: float) -> None:
    genuine, false = samples(120, 80, seed=4, step=step)

    def statistic(one: Floats, other: Floats) -> float:
        return curve_of(one, other).eer

    expected = bootstrap(
        (genuine, false),
        statistic,
        n_resamples=5000,
        vectorized=False,
        method="percentile",
        random_state=5,
    )
    curve = curve_of(genuine, false)
    found = curve._resampled(50_000, 1)
    # Means and deviations of 5,000 resamples are accurate to 1.4 % and 1 % of a deviation.
    deviation = expected.bootstrap_distribution.std()
    assert found.mean() == pytest.approx(
        expected.bootstrap_distribution.mean(), abs=0.06 * deviation
    )
    assert found.std() == pytest.approx(deviation, rel=0.05)
    low, high = curve.interval(samples=50_000)
    assert low == pytest.approx(expected.confidence_interval.low, abs=0.15 * deviation)
    assert high == pytest.approx(expected.confidence_interval.high, abs=0.15 * deviation)


@pytest.mark.parametrize("distance", [0.5, 1, 2, 3, 4])
def test_normal_distributions_by_their_quantiles(distance: float) -> None:
    """Scores at the quantiles of two normal distributions, which have hardly any randomness."""
    shares = (np.arange(50_000) + 0.5) / 50_000
    curve = curve_of(norm.ppf(shares) + distance, norm.ppf(shares))
    assert curve.eer == pytest.approx(norm.cdf(-distance / 2), abs=2e-5)
    assert curve.eer_threshold == pytest.approx(distance / 2, abs=1e-3)
    assert curve.area == pytest.approx(norm.cdf(distance / math.sqrt(2)), abs=1e-4)
    # The line of misses and false alarms is straight: Φ⁻¹(miss) + Φ⁻¹(false alarm) = −distance.
    inside = (np.minimum(curve.missed, curve.alarmed) > 50) & (
        np.maximum(curve.missed, curve.alarmed) < 49_950
    )
    misses = normal_deviates(curve.misses[inside])
    alarms = normal_deviates(curve.false_alarms[inside])
    slope, start = np.polyfit(misses, alarms, 1)
    assert slope == pytest.approx(-1, abs=2e-3)
    assert start == pytest.approx(-distance, abs=5e-3)
    assert abs(misses + alarms + distance).max() < 0.01


@pytest.mark.parametrize(("deviation", "distance"), [(0.5, 2), (2, 3)])
def test_other_deviations_give_other_slopes(deviation: float, distance: float) -> None:
    shares = (np.arange(50_000) + 0.5) / 50_000
    curve = curve_of(ndtri(shares) * deviation + distance, ndtri(shares))
    # Both rates are Φ(−distance / (1 + deviation)) where they are the same.
    assert curve.eer == pytest.approx(ndtr(-distance / (1 + deviation)), abs=2e-5)
    inside = (np.minimum(curve.missed, curve.alarmed) > 50) & (
        np.maximum(curve.missed, curve.alarmed) < 49_950
    )
    slope, _ = np.polyfit(
        normal_deviates(curve.misses[inside]), normal_deviates(curve.false_alarms[inside]), 1
    )
    assert slope == pytest.approx(-deviation, rel=5e-3)
