"""Intervals cover the true value, and p-values are uniform: `tests/simulation.py` with few runs."""

from functools import cache

import pytest

import sameas
from simulation import (
    INTERVALS,
    METRICS,
    POPULATION,
    TESTS,
    Rows,
    coverage,
    null_p_values,
    random_systems,
    uniformity,
    unlike_p_values,
    unlike_systems,
)

pytestmark = pytest.mark.long


@cache
def population() -> list[sameas.Result]:
    return random_systems(POPULATION, seed=0)


@cache
def covered() -> Rows:
    return coverage(population()[0], runs=1500, samples=1000, documents=100, seed=0)


@cache
def uniform() -> Rows:
    p_values = null_p_values(population(), runs=600, samples=500, documents=100, seed=0)
    return uniformity(p_values)


@cache
def unlike() -> Rows:
    systems = unlike_systems(POPULATION, seed=0)
    return unlike_p_values(systems, runs=300, samples=300, documents=100, seed=0)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("method", INTERVALS)
def test_intervals_cover_the_truth(method: str, metric: str) -> None:
    assert 0.93 <= covered()[method, metric] <= 0.97


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("test", TESTS)
def test_p_values_are_uniform_where_nothing_differs(test: str, metric: str) -> None:
    assert uniform()[test, metric] > 0.01


@pytest.mark.parametrize("metric", METRICS)
def test_unlike_systems_that_score_the_same_seldom_differ(metric: str) -> None:
    # 5% of 300 runs are 15; two standard errors are 8.
    assert 0.025 <= unlike()["studentised", metric] <= 0.08
