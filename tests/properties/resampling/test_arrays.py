"""Scores of arrays, exact sums, and random matrices."""

import math
import random
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import binom, chisquare

import sameas
from properties.resampling.scores import (
    AVERAGES,
    EVERY_METRIC,
    Clusters,
    Floats,
    alone,
    corpora,
    few,
    score,
    whole,
)
from sameas.arithmetic.scores import Rates
from sameas.authorities import authority_of
from sameas.chance import resampling
from sameas.chance.resampling import all_swaps, bootstrap, draws, exactly_additive, random_swaps
from sameas.settings import Settings, choices
from simulation import clusters, random_systems

CHOICES = choices(Settings)

BLANC = CHOICES["blanc"]

unhurried = settings(deadline=None)


EMPTY: tuple[Clusters, Clusters] = ([], [])
NO_KEY: tuple[Clusters, Clusters] = ([], [[0, 1]])
NO_RESPONSE: tuple[Clusters, Clusters] = ([[0, 1]], [])
SINGLETONS: tuple[Clusters, Clusters] = ([[0], [1], [2]], [[0], [1], [3]])
ONE_ENTITY: tuple[Clusters, Clusters] = ([[0, 1, 2]], [[0, 1, 2]])


def triple(score: sameas.Score) -> tuple[float | None, float | None, float]:
    return score.recall, score.precision, score.value


def at(rates: Rates, place: int) -> tuple[float | None, ...]:
    """Return the numbers of one score among many."""
    return tuple(None if part is None else part[place].item() for part in rates[:3])


def close(found: Sequence[float | None], expected: Sequence[float | None]) -> bool:
    return len(found) == len(expected) and all(
        (a is None) == (b is None) and (a is None or math.isclose(a, b, abs_tol=1e-12))
        for a, b in zip(found, expected, strict=True)
    )


# Arrays of scores


def check_rates(corpus: Sequence[Sequence[Clusters]], times: Floats) -> None:
    """Score weighted sums of the documents, as arrays and one by one."""
    result = score(corpus)
    functions = {name: metric.rates for name, metric in sameas.METRICS.items()}
    versions = {name: authority_of(Settings(blanc=name)) for name in BLANC}
    functions |= {f"blanc {name}": one.scoring("blanc").rates for name, one in versions.items()}
    for name, function in functions.items():
        columns = [times.astype(column.dtype) @ column
                   for column in result.statistics.columns[name.split()[0]]]  # fmt: skip
        if not columns:
            continue  # an average of other metrics
        rates = function(*(column.astype(np.float64) for column in columns))
        for place, numbers in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
            assert at(rates, place) == triple(function(*numbers).score), (name, numbers)


@unhurried
@given(corpora(2, 1, 3), st.integers(0, 2**32))
@example([EMPTY], 0)
@example([EMPTY, SINGLETONS], 0)
@example([NO_KEY, NO_RESPONSE], 0)
@example([ONE_ENTITY], 0)
@example([SINGLETONS, ONE_ENTITY], 0)
def test_arrays_are_scored_as_numbers_are(corpus: list[tuple[Clusters, ...]], number: int) -> None:
    times = np.random.PCG64(number).random_raw(4 * len(corpus)) % np.uint64(4)
    check_rates(corpus, times.reshape(4, len(corpus)))


def test_arrays_are_scored_as_numbers_are_in_a_larger_corpus() -> None:
    generator = random.Random(19980528)
    corpus = []
    for _ in range(40):
        mentions = generator.randint(0, 60)
        labels = [
            [generator.randrange(-1, 12) for _ in range(mentions)] for _ in ("key", "response")
        ]
        corpus.append(tuple(map(clusters, labels)))
    check_rates(corpus, whole(draws(40, 500, seed=0)))


def test_means_of_arrays_are_those_of_numbers() -> None:
    generator = random.Random(2011)
    parts = [[generator.random() for _ in range(2000)] for _ in range(3)]
    means = [name for name, metric in sameas.METRICS.items() if metric.average_of]
    assert means == ["conll"]
    rates = sameas.METRICS["conll"].rates(*map(np.array, parts))
    for place, values in enumerate(zip(*parts, strict=True)):
        assert at(rates, place) == triple(sameas.METRICS["conll"].rates(*values).score)


@pytest.mark.long
@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("blanc", BLANC)
@few
@given(corpus=corpora(2, 1, 5))
@example(corpus=[EMPTY])
@example(corpus=[EMPTY, NO_KEY, SINGLETONS])
@example(corpus=[NO_RESPONSE, ONE_ENTITY])
def test_additive_rows_give_the_scores(
    average: str, blanc: str, corpus: list[tuple[Clusters, ...]]
) -> None:
    result = score(corpus, average=average, blanc=blanc)
    rows = result.additive()
    everything = list(range(len(corpus)))
    assert set(rows.total) == set(rows.columns) == set(sameas.METRICS)
    for metric in EVERY_METRIC:
        assert close(at(rows.total[metric], 0), triple(result[metric])), metric
    for number, document in enumerate(result.documents):
        rest = result.select(everything[:number] + everything[number + 1 :])
        for metric in EVERY_METRIC:
            assert math.isclose(
                rows.by_document[metric][number], alone(document, metric), abs_tol=1e-12
            ), metric
            assert close(at(rows.jackknife[metric], number), triple(rest[metric])), metric


@pytest.mark.parametrize("average", AVERAGES)
def test_a_score_depends_only_on_its_columns(average: str) -> None:
    corpus = [([[0, 1, 2], [3]], [[0, 1], [2, 3, 4]]), SINGLETONS, ONE_ENTITY]
    rows = score(corpus, average=average).additive()
    for metric, needed in rows.columns.items():
        others = np.full_like(rows.rows, 1000)
        others[:, needed] = rows.rows[:, needed]
        for place in range(len(corpus)):
            assert at(rows.rates(others)[metric], place) == at(rows.rates(rows.rows)[metric], place)
        numbers = [rows.rows[:, column] for column in needed]
        assert np.array_equal(rows.value[metric](*numbers), rows.rates(rows.rows)[metric].value)


@pytest.mark.parametrize("average", AVERAGES)
def test_a_bootstrap_sample_is_scored_as_the_documents_drawn(average: str) -> None:
    generator = random.Random(1979)
    corpus = [
        tuple(clusters([generator.randrange(-1, 5) for _ in range(12)]) for _ in range(2))
        for _ in range(9)
    ] + [EMPTY, NO_KEY]
    result = score(corpus, average=average)
    options = sameas.settings.Resampling(samples=100, seed=5)
    samples = bootstrap({"system": result.additive()}, options)["system"]
    assert set(samples.rates) == set(sameas.METRICS)
    for place, times in enumerate(whole(draws(len(corpus), 100, seed=5))):
        drawn = np.repeat(np.arange(len(corpus)), times.astype(np.int64)).tolist()
        assert len(drawn) == len(corpus)
        scored = result.select(drawn)
        for metric in EVERY_METRIC:
            assert close(at(samples.rates[metric], place), triple(scored[metric])), (metric, drawn)


# Exact sums


def columns(values: st.SearchStrategy[float]) -> st.SearchStrategy[list[float]]:
    return st.lists(values, min_size=1, max_size=30)


REAL = st.floats(-1e9, 1e9).filter(lambda value: value == 0 or abs(value) > 1e-9)


@unhurried
@given(columns(REAL), st.randoms(use_true_random=False))
def test_exact_sums_do_not_depend_on_the_order(
    values: list[float], generator: random.Random
) -> None:
    cut = exactly_additive(np.array([values]).T)[:, 0].tolist()
    drawn = generator.choices(cut, k=len(cut))  # with repeats, as a bootstrap sample
    for some in (cut, drawn):
        expected = math.fsum(some)
        assert sum_in_order(some) == sum_in_order(some[::-1]) == expected
        assert sum_in_order(sorted(some)) == np.array(some).sum() == expected


def sum_in_order(values: Sequence[float]) -> float:
    total = 0.0
    for value in values:  # `sum` would correct its rounding
        total += value
    return total


@unhurried
@given(columns(REAL))
@example([2.0**-50, 1.0])  # exactly half of the last bit that is kept
def test_the_rounding_error_is_within_the_bound(values: list[float]) -> None:
    cut = exactly_additive(np.array([values]).T)[:, 0]
    largest = max(map(abs, values)) * len(values)
    assert np.all(np.abs(cut - values) <= 2.0**-51 * largest)


@unhurried
@given(columns(st.integers(-(2**51) + 1, 2**51 - 1)))
def test_integers_are_not_rounded(values: list[int]) -> None:
    values = [int(value / len(values)) for value in values]
    cut = exactly_additive(np.array([values], dtype=np.float64).T)
    assert cut[:, 0].tolist() == values


def test_columns_are_rounded_separately_and_systems_together() -> None:
    rows = np.array([[1 / 3, 1e6 / 3], [0.1, 0.1]])
    alone = np.hstack([exactly_additive(rows[:, :1]), exactly_additive(rows[:, 1:])])
    assert np.array_equal(exactly_additive(rows), alone)
    stacked = exactly_additive(np.stack([rows, 1000 * rows]))
    moved = stacked[0].sum(axis=0) + (stacked[1] - stacked[0]).sum(axis=0)
    assert np.array_equal(moved, stacked[1].sum(axis=0))


@pytest.mark.parametrize("documents", [1, 2, 7, 64, 100])
def test_every_bootstrap_sample_has_as_many_documents(documents: int) -> None:
    counts = whole(draws(documents, 200, seed=0))
    assert counts.shape == (200, documents)
    assert np.all(counts >= 0) and np.all(counts.sum(axis=1) == documents)


def test_documents_are_drawn_uniformly_and_independently() -> None:
    documents, samples = 20, 5000
    counts = whole(draws(documents, samples, seed=0))
    assert chisquare(counts.sum(axis=0)).pvalue > 0.001
    # The number of draws of a document is binomial; five and more are one class.
    observed = np.bincount(np.minimum(counts[:, 0].astype(np.int64), 5), minlength=6)
    shares = binom.pmf(range(5), documents, 1 / documents)
    expected = samples * np.array([*shares, 1 - shares.sum()])
    assert chisquare(observed, expected).pvalue > 0.001


def test_swaps_are_fair_and_independent() -> None:
    swaps = whole(random_swaps(70, 8000, seed=0))
    assert set(np.unique(swaps)) == {0.0, 1.0}
    shares = swaps.mean(axis=0)
    assert np.all(abs(shares - 0.5) < 4.5 * math.sqrt(0.25 / 8000))
    for places in (
        [0, 1, 2],
        [7, 8, 9],
        [62, 63, 64],
        [0, 64, 69],
    ):  # across the edges of bytes and words
        patterns = swaps[:, places] @ [1, 2, 4]
        assert chisquare(np.bincount(patterns.astype(np.int64))).pvalue > 0.001


@pytest.mark.parametrize("documents", range(7))
def test_every_swap_occurs_once(documents: int) -> None:
    found = [tuple(row) for row in whole(all_swaps(documents)).tolist()]
    assert sorted(found) == sorted(product((0.0, 1.0), repeat=documents))


@pytest.mark.long
@pytest.mark.parametrize("chunk", [1, 7, 64, 1000])
def test_the_size_of_chunks_changes_no_digit(monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    def matrices() -> list[Floats]:
        return [
            whole(draws(9, 50, seed=3)),
            whole(random_swaps(70, 50, seed=3)),
            whole(all_swaps(6)),
        ]

    one, other = random_systems(9, seed=2)
    options = sameas.settings.Comparing("bca", samples=100, seed=3)

    def compare() -> sameas.Comparison:
        return sameas.analysis.compare_results({"one": one, "other": other}, options)

    expected, difference = matrices(), compare().differences
    monkeypatch.setattr(resampling, "CHUNK", chunk)
    assert all(map(np.array_equal, matrices(), expected))
    assert compare().differences == difference


DRAWS = {
    0: [[1, 1, 1, 0, 2], [1, 0, 3, 0, 1], [0, 2, 1, 2, 0]],
    1: [[1, 1, 1, 1, 1], [2, 0, 1, 0, 2], [1, 3, 1, 0, 0]],
}
SWAPS = {
    0: [
        "1000001100011010110101100110101100010010110000001001111101000010001001",
        "0111100010001101111101111001011011111000100110001000111000001011101111",
    ],
    1: [
        "1110101000010111111000010011001010011101011011110110000010100111111110",
        "1001111000101100111000110100010011100000111001010011100100101100001101",
    ],
}


@pytest.mark.parametrize("seed", [0, 1])
def test_the_random_numbers_of_a_seed_never_change(seed: int) -> None:
    assert whole(draws(5, 3, seed)).tolist() == DRAWS[seed]
    swaps = whole(random_swaps(70, 2, seed)).astype(int).tolist()
    assert ["".join(map(str, row)) for row in swaps] == SWAPS[seed]
