"""Intervals and p-values compared with scipy's, which resamples the numbers of the documents."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr, ndtri
from scipy.stats import bootstrap, permutation_test

import sameas
from sameas.chance import resampling
from sameas.chance.resampling import Additive, interval
from simulation import random_systems

Floats = np.ndarray[Any, np.dtype[np.float64]]
Statistic = Callable[..., Floats]

METRICS = ["muc", "b3", "ceafe", "blanc", "conll"]
TESTS = ["studentised", "randomisation"]
METHODS = {"percentile": "percentile", "bca": "BCa"}
SAMPLES = 10_000

# The ends of two intervals from 10,000 resamples each may differ by chance. An end is a quantile q
# with standard error √(q(1−q)/10,000)/φ(z), which is 0.027 standard deviations of the score for a
# normal distribution and q = 0.025. BCa moves the end by twice the median's shift, whose standard
# error is 0.0125: together at most 0.037. The difference of two is √2 of that, and an interval is
# 3.92 wide: 4 standard errors are 3.9% and 5.3% of the width.
TOLERANCE = {"percentile": 0.04, "bca": 0.055}


@cache
def systems(documents: int, better: float = 0.05) -> tuple[sameas.Result, sameas.Result]:
    one, other = random_systems(documents, seed=1995, errors=(1, 1 - better), metrics=METRICS)
    return one, other


def value_of(rows: Additive, metric: str) -> Statistic:
    """Return a function from document numbers to the score, as scipy requires."""

    def statistic(numbers: Floats, axis: int = -1) -> Floats:
        sums = rows.rows[np.moveaxis(numbers, axis, -1).astype(np.int64)].sum(axis=-2)
        found = rows.rates(sums.reshape(-1, sums.shape[-1]))[metric].value
        return found.reshape(sums.shape[:-1])

    return statistic


def difference_of(one: Additive, other: Additive, metric: str) -> Statistic:
    first, second = value_of(one, metric), value_of(other, metric)
    return lambda numbers, axis=-1: second(numbers, axis) - first(numbers, axis)


def scipy_bootstrap(statistic: Statistic, method: str) -> Any:
    return bootstrap(
        (np.arange(40),),
        statistic,
        method=METHODS[method],
        n_resamples=SAMPLES,
        batch=1000,
        vectorized=True,
        axis=-1,
        random_state=np.random.default_rng(1987),
    )


def check_interval(ours: sameas.Interval, statistic: Statistic, method: str) -> None:
    theirs = scipy_bootstrap(statistic, method)
    low, high = theirs.confidence_interval
    assert ours == pytest.approx((low, high), rel=0, abs=TOLERANCE[method] * (high - low))
    # From the same resamples, the same interval.
    everything = np.arange(40)
    left_out = np.array([np.delete(everything, number) for number in everything])
    jackknife = statistic(left_out) if method == "bca" else None
    estimate = statistic(everything).item()
    same = interval(theirs.bootstrap_distribution, estimate, jackknife)
    assert same == pytest.approx((low, high), abs=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("metric", METRICS)
def test_intervals_of_scores(metric: str, method: str) -> None:
    result = systems(40)[0]
    ours = result.interval(metric, interval=method, samples=SAMPLES)
    check_interval(ours, value_of(result.additive(), metric), method)


@cache
def compared(method: str, test: str = "studentised") -> sameas.Comparison:
    one, other = systems(40)
    options = sameas.settings.Comparing(method, samples=SAMPLES, test=test)
    return sameas.analysis.compare_results({"one": one, "other": other}, options)


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("metric", METRICS)
def test_intervals_of_differences(metric: str, method: str) -> None:
    ours = compared(method)["other", "one"][metric].interval
    rows = [result.additive() for result in systems(40)]
    check_interval(ours, difference_of(*rows, metric), method)


@pytest.mark.parametrize("confidence", [80, 95, 99])
@pytest.mark.parametrize("metric", METRICS)
def test_bca_by_its_formula(metric: str, confidence: float) -> None:
    rows = systems(40)[0].additive()
    options = sameas.settings.Resampling("bca", confidence, samples=1000)
    samples = resampling.bootstrap({"one": rows}, options)["one"]
    values, left_out = samples.rates[metric].value, rows.jackknife[metric].value
    estimate = rows.total[metric].value.item()
    bias = ndtri((np.mean(values < estimate) + np.mean(values <= estimate)) / 2)
    away = left_out.mean() - left_out
    acceleration = np.sum(away**3) / (6 * np.sum(away**2) ** 1.5)
    assert abs(acceleration) > 1e-4  # otherwise the test would show nothing
    z = bias + ndtri([0.5 - confidence / 200, 0.5 + confidence / 200])
    expected = np.quantile(values, ndtr(bias + z / (1 - acceleration * z)))
    assert samples.intervals(options)[metric].value == pytest.approx(expected, abs=1e-9)
    assert interval(values, estimate, left_out, confidence=confidence) == pytest.approx(
        expected, abs=1e-9
    )


def moves_of(rows: Additive, metric: str, numbers: Floats) -> Floats:
    """Return each document's influence on a score: the slope in its weight, by steps of 1/1000."""
    size = numbers.shape[-1]
    ends = []
    for change in (0.001, -0.001):
        weights = 1 + change * np.eye(size)
        sums = weights @ rows.rows[numbers.astype(np.int64)]
        ends.append(rows.rates(sums.reshape(-1, sums.shape[-1]))[metric].value)
    return ((ends[0] - ends[1]) / 0.002).reshape(numbers.shape)


def scipy_p(
    one: sameas.Result, other: sameas.Result, metric: str, samples: float, test: str
) -> float:
    """Return the p-value of swapping, where numbers from D on are the other system's documents."""
    rows = one.additive()
    both = replace(rows, rows=np.vstack([rows.rows, other.additive().rows]))
    score = value_of(both, metric)

    def statistic(ours: Floats, theirs: Floats, axis: int) -> Floats:
        difference = score(ours, axis) - score(theirs, axis)
        if test == "randomisation":
            return difference
        ours, theirs = (np.moveaxis(side, axis, -1) for side in (ours, theirs))
        moves = moves_of(both, metric, ours) - moves_of(both, metric, theirs)
        return difference / np.sqrt((moves**2).sum(axis=-1))

    found = permutation_test(
        (np.arange(len(one)), len(one) + np.arange(len(other))),
        statistic,
        permutation_type="samples",
        alternative="two-sided",
        n_resamples=samples,
        batch=1000,
        vectorized=True,
        axis=-1,
        random_state=np.random.default_rng(1935),
    )
    return float(found.pvalue)


@pytest.mark.long
@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("metric", METRICS)
def test_p_values_of_every_swap(metric: str, test: str) -> None:
    one, other = systems(8)
    comparing = sameas.settings.Comparing(test=test)
    found = sameas.analysis.compare_results({"one": one, "other": other}, comparing)[
        "other", "one"
    ][metric]
    assert found.exact and found.p < 1
    # Swapping all documents flips the sign, so twice one tail, as scipy counts, equals both tails.
    assert found.p == pytest.approx(scipy_p(one, other, metric, np.inf, test), abs=1e-12)


@pytest.mark.long
@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("metric", METRICS)
def test_p_values_of_random_swaps(metric: str, test: str) -> None:
    one, other = systems(40)
    found = compared("percentile", test)["other", "one"][metric]
    assert not found.exact
    # Both are counts of 10,000 swaps; scipy's is of one tail, doubled.
    p = found.p
    error = np.sqrt(p * (1 - p) / SAMPLES + 4 * (p / 2) * (1 - p / 2) / SAMPLES)
    assert found.p == pytest.approx(scipy_p(one, other, metric, SAMPLES, test), abs=4 * error)
