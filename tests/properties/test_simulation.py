"""Intervals cover the truth and p-values are uniform: `tests/simulation.py`, with fewer runs."""

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
)


@cache
def population() -> list[sameas.Result]:
    return random_systems(POPULATION, seed=0)


@cache
def covered() -> Rows:
    return coverage(population()[0], runs=1500, samples=1000, documents=100, seed=0)


@cache
def uniform() -> Rows:
    p_values = null_p_values(population(), runs=1000, samples=1000, documents=100, seed=0)
    return uniformity(p_values)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("method", INTERVALS)
def test_intervals_cover_the_truth(method: str, metric: str) -> None:
    assert 0.93 <= covered()[method, metric] <= 0.97


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("test", TESTS)
def test_p_values_are_uniform_where_nothing_differs(test: str, metric: str) -> None:
    assert uniform()[test, metric] > 0.01
