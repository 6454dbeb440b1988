"""What resampling promises: arrays are scored as numbers are, sums do not depend on their order,
the same seed gives the same digits, and a p-value is what trying the swaps one by one gives.
"""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy.stats import binom, chisquare

import sameas
from sameas.arithmetic.scores import Rates
from sameas.authorities import authority_of
from sameas.chance import resampling
from sameas.chance.resampling import (
    all_swaps,
    at_least,
    bootstrap,
    draws,
    effect_size,
    exactly_additive,
    holm,
    interval,
    random_swaps,
)
from sameas.notes import Note
from sameas.results.result import DocumentResult
from sameas.settings import Settings, choices
from saying import raises, raises_problems
from simulation import clusters, random_systems

CHOICES = choices(Settings)

Clusters = list[list[int]]
Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

BLANC = CHOICES["blanc"]
EVERY_METRIC = list(sameas.METRICS)
COMPARED = ["muc", "b3", "ceafe", "blanc", "conll"]
AVERAGES = ["micro", "macro"]

unhurried = settings(deadline=None)
few = settings(deadline=None, max_examples=25)


# Documents


def sides(mentions: int, number: int) -> st.SearchStrategy[tuple[Clusters, ...]]:
    """Key and responses of a document; now and then singletons, one entity, or nothing."""
    anything = st.lists(st.integers(-1, 4), min_size=mentions, max_size=mentions)
    extremes = st.sampled_from([list(range(mentions)), [0] * mentions, [-1] * mentions])
    side = st.one_of(anything, anything, extremes).map(clusters)
    return st.tuples(*[side] * number)


def corpora(number: int, least: int, most: int) -> st.SearchStrategy[list[tuple[Clusters, ...]]]:
    document = st.integers(0, 7).flatmap(lambda mentions: sides(mentions, number))
    return st.lists(document, min_size=least, max_size=most)


EMPTY: tuple[Clusters, Clusters] = ([], [])
NO_KEY: tuple[Clusters, Clusters] = ([], [[0, 1]])
NO_RESPONSE: tuple[Clusters, Clusters] = ([[0, 1]], [])
SINGLETONS: tuple[Clusters, Clusters] = ([[0], [1], [2]], [[0], [1], [3]])
ONE_ENTITY: tuple[Clusters, Clusters] = ([[0, 1, 2]], [[0, 1, 2]])


def score(
    corpus: Sequence[Sequence[Clusters]],
    metrics: Sequence[str] = EVERY_METRIC,
    side: int = 1,
    **options: str,
) -> sameas.Result:
    """Score one response of every document."""
    key, response = (
        [
            sameas.Document.from_clusters(f"document {number}", document[place])
            for number, document in enumerate(corpus)
        ]
        for place in (0, side)
    )
    return sameas.score(key, response, metrics=metrics, **options)


def triple(score: sameas.Score) -> tuple[float | None, float | None, float]:
    return score.recall, score.precision, score.value


def at(rates: Rates, place: int) -> tuple[float | None, ...]:
    """The numbers of one score among many."""
    return tuple(None if part is None else part[place].item() for part in rates[:3])


def close(found: Sequence[float | None], expected: Sequence[float | None]) -> bool:
    return len(found) == len(expected) and all(
        (a is None) == (b is None) and (a is None or math.isclose(a, b, abs_tol=1e-12))
        for a, b in zip(found, expected, strict=True)
    )


# Arrays of scores


def check_rates(corpus: Sequence[Sequence[Clusters]], times: Floats) -> None:
    """Score the sums of the documents, each taken so many times, as arrays and one by one."""
    result = score(corpus)
    functions = {name: metric.rates for name, metric in sameas.METRICS.items()}
    versions = {name: authority_of(Settings(blanc=name)) for name in BLANC}
    functions |= {f"blanc {name}": one.scoring("blanc").rates for name, one in versions.items()}
    for name, function in functions.items():
        columns = [times.astype(column.dtype) @ column
                   for column in result.statistics.columns[name.split()[0]]]  # fmt: skip
        if not columns:
            continue  # a mean of other metrics
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


def alone(document: DocumentResult, metric: str) -> float:
    """The score of a document; where there is nothing to count, nothing is wrong."""
    parts = sameas.METRICS[metric].average_of
    if parts:
        return sum(alone(document, part) for part in parts) / len(parts)
    result = document.result
    counted = any(result.statistics.row(metric, document.number))
    if result.settings.average == "macro":
        counted = bool(result.rates_by_document(metric)[1][document.number])
    return document[metric].value if counted else 1.0


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
def test_a_score_depends_on_its_columns_alone(average: str) -> None:
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
    options = sameas.Resampling(samples=100, seed=5)
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
def test_what_is_cut_off_is_within_the_bound(values: list[float]) -> None:
    cut = exactly_additive(np.array([values]).T)[:, 0]
    largest = max(map(abs, values)) * len(values)
    assert np.all(np.abs(cut - values) <= 2.0**-51 * largest)


@unhurried
@given(columns(st.integers(-(2**51) + 1, 2**51 - 1)))
def test_integers_are_not_cut(values: list[int]) -> None:
    values = [int(value / len(values)) for value in values]
    cut = exactly_additive(np.array([values], dtype=np.float64).T)
    assert cut[:, 0].tolist() == values


def test_columns_are_cut_one_by_one_and_systems_together() -> None:
    rows = np.array([[1 / 3, 1e6 / 3], [0.1, 0.1]])
    alone = np.hstack([exactly_additive(rows[:, :1]), exactly_additive(rows[:, 1:])])
    assert np.array_equal(exactly_additive(rows), alone)
    stacked = exactly_additive(np.stack([rows, 1000 * rows]))
    moved = stacked[0].sum(axis=0) + (stacked[1] - stacked[0]).sum(axis=0)
    assert np.array_equal(moved, stacked[1].sum(axis=0))


# Random matrices


def whole(parts: Iterator[Floats]) -> Floats:
    return np.vstack(list(parts))


@pytest.mark.parametrize("documents", [1, 2, 7, 64, 100])
def test_every_bootstrap_sample_has_as_many_documents(documents: int) -> None:
    counts = whole(draws(documents, 200, seed=0))
    assert counts.shape == (200, documents)
    assert np.all(counts >= 0) and np.all(counts.sum(axis=1) == documents)


def test_documents_are_drawn_alike_and_independently() -> None:
    documents, samples = 20, 5000
    counts = whole(draws(documents, samples, seed=0))
    assert chisquare(counts.sum(axis=0)).pvalue > 0.001
    # How often a document is drawn has a binomial distribution; five times and more are one class.
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
    ):  # over edges of bytes and words
        patterns = swaps[:, places] @ [1, 2, 4]
        assert chisquare(np.bincount(patterns.astype(np.int64))).pvalue > 0.001


@pytest.mark.parametrize("documents", range(7))
def test_every_swap_comes_once(documents: int) -> None:
    found = [tuple(row) for row in whole(all_swaps(documents)).tolist()]
    assert sorted(found) == sorted(product((0.0, 1.0), repeat=documents))


@pytest.mark.parametrize("chunk", [1, 7, 64, 1000])
def test_the_size_of_chunks_changes_no_digit(monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    def matrices() -> list[Floats]:
        return [
            whole(draws(9, 50, seed=3)),
            whole(random_swaps(70, 50, seed=3)),
            whole(all_swaps(6)),
        ]

    one, other = random_systems(9, seed=2)
    options = sameas.Comparing("bca", samples=100, seed=3)

    def compare() -> sameas.Comparison:
        return sameas.compare_results({"one": one, "other": other}, options)

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


# Intervals, corrections, effects


@pytest.mark.parametrize("confidence", [50, 90, 95, 99.9])
def test_percentiles_are_those_of_numpy(confidence: float) -> None:
    values = np.random.default_rng(0).normal(size=777)
    tail = (100 - confidence) / 2
    expected = np.percentile(values, [tail, 100 - tail])
    assert interval(values, 0.0, confidence=confidence) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("jackknife", [None, np.zeros(5), np.arange(5.0)])
def test_resamples_that_agree_are_the_interval(jackknife: Floats | None) -> None:
    assert interval(np.full(100, 0.25), 0.25, jackknife) == (0.25, 0.25)


def test_an_estimate_beyond_all_resamples_has_the_percentile_interval() -> None:
    values = np.linspace(0, 1, 1001)
    jackknife = np.array([0.0, 0.0, 1.0])
    for estimate in (-1.0, 2.0):
        assert interval(values, estimate, jackknife) == interval(values, estimate)


@given(st.lists(st.floats(0, 1), max_size=7))
def test_holm_is_bonferroni_on_every_set_of_comparisons(p_values: list[float]) -> None:
    """By closed testing a hypothesis falls when every set of hypotheses that has it falls."""
    numbers = range(len(p_values))
    subsets = [some for size in numbers for some in combinations(numbers, size + 1)]
    expected = [
        max(
            min(1.0, len(some) * min(p_values[member] for member in some))
            for some in subsets
            if number in some
        )
        for number in numbers
    ]
    assert holm(p_values) == expected


@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=30))
def test_the_effect_is_the_mean_in_standard_deviations(values: list[int]) -> None:
    differences = np.array(values) / 1000
    if len(set(values)) == 1:
        assert effect_size(differences) == (None if values[0] else 0.0)
    else:
        expected = differences.mean() / differences.std(ddof=1)
        assert effect_size(differences) == pytest.approx(expected, rel=1e-9, abs=1e-12)


# Comparisons


def compare(
    one: sameas.Result, other: sameas.Result, **options: object
) -> dict[str, sameas.Difference]:
    """The other system against the one, metric by metric."""
    comparing = sameas.Comparing(**{"samples": 100, **options})
    return dict(sameas.compare_results({"one": one, "other": other}, comparing)["other", "one"])


@pytest.mark.parametrize("average", AVERAGES)
@few
@given(corpus=corpora(3, 2, 6))
def test_exact_p_is_the_share_of_swaps_with_such_a_difference(
    average: str, corpus: list[tuple[Clusters, ...]]
) -> None:
    one, other = (score(corpus, COMPARED, side, average=average) for side in (1, 2))
    # Both responses of every document in one corpus: a swap is a choice of documents from it.
    both = [(key, first) for key, first, _ in corpus] + [(key, last) for key, _, last in corpus]
    joined = score(both, COMPARED, average=average)
    hits = dict.fromkeys(COMPARED, 0)
    for swap in product((0, 1), repeat=len(corpus)):
        theirs = joined.select([n + len(corpus) * swapped for n, swapped in enumerate(swap)])
        ours = joined.select([n + len(corpus) * (1 - swapped) for n, swapped in enumerate(swap)])
        for metric in COMPARED:
            observed = abs(other[metric].value - one[metric].value)
            hits[metric] += abs(ours[metric].value - theirs[metric].value) >= observed - 1e-12
    for metric, found in compare(one, other, test="randomisation").items():
        assert found.p == hits[metric] / 2 ** len(corpus), metric


def studentised(columns: Sequence[tuple[Floats, ...]], score: Callable[..., float]) -> float:
    """A difference in standard errors; documents are weighed a little more and a little less."""

    def difference(weights: Floats) -> float:
        ours, theirs = (score(*(float(weights @ part) for part in side)) for side in columns)
        return theirs - ours

    size = len(columns[0][0])
    moves = [
        (difference(1 + 0.001 * one) - difference(1 - 0.001 * one)) / 0.002 for one in np.eye(size)
    ]
    error = math.sqrt(sum(move**2 for move in moves))
    value = difference(np.ones(size))
    if abs(value) < 1e-12:
        return 0.0
    return abs(value) / error if error > 1e-7 else math.inf


@pytest.mark.parametrize("metric", ["muc", "b3", "ceafe", "blanc"])
@pytest.mark.parametrize("seed", range(6))
def test_exact_studentised_p_is_the_share_of_swaps_with_such_a_difference(
    seed: int, metric: str
) -> None:
    one, other = random_systems(3 + seed % 4, seed=seed, errors=(1.5, 1), metrics=[metric])
    sides = [result.statistics.columns[metric] for result in (one, other)]
    size = len(one)
    values = []
    for swap in product((False, True), repeat=size):
        swapped = np.array(swap)
        columns = [
            tuple(np.where(swapped, b, a) for a, b in zip(*pair, strict=True))
            for pair in (sides, sides[::-1])
        ]
        values.append(studentised(columns, lambda *sums: sameas.METRICS[metric].rates(*sums).value))
    hits = sum(value >= values[0] * (1 - 1e-4) for value in values)
    assert compare(one, other)[metric].p == hits / 2**size


@few
@given(corpora(3, 2, 6))
def test_p_of_few_documents_is_exact(corpus: list[tuple[Clusters, ...]]) -> None:
    counted = ["mention", "muc", "ceafm", "blanc"]  # in whole numbers, which differ or do not
    one, other = (score(corpus, counted, side) for side in (1, 2))
    for metric, found in compare(one, other).items():
        assert found.exact, metric
        columns = (result.statistics.columns[metric] for result in (one, other))
        assert found.p == 1 or not np.array_equal(*columns), metric


def test_only_documents_that_differ_count_as_swaps() -> None:
    # Of 40 documents five differ in coreference links, and two of these in mentions.
    key, split, short = [[0, 1], [2, 3, 4]], [[0, 1], [2, 3], [4]], [[0, 1], [2, 3]]
    corpus = [(key, key, key)] * 35 + [(key, key, split)] * 3 + [(key, key, short)] * 2
    one, other = (score(corpus, ["mention", "muc"], side) for side in (1, 2))
    found = compare(one, other)
    assert found["mention"].exact and found["mention"].p == 2 / 2**2
    assert found["muc"].exact and found["muc"].p == 2 / 2**5
    sampled = compare(*(score(corpus[30:] * 2, ["muc"], side) for side in (1, 2)))["muc"]
    assert not sampled.exact  # 2¹⁰ swaps are more than the 100 samples


def test_bootstrap_p_is_the_share_of_samples_that_far_from_the_difference() -> None:
    one, other = random_systems(12, seed=3, errors=(1, 0.8))
    samples = [
        np.repeat(np.arange(12), times.astype(np.int64)).tolist()
        for times in whole(draws(12, 100, seed=6))
    ]
    drawn = [(one.select(numbers), other.select(numbers)) for numbers in samples]
    for metric, found in compare(one, other, test="bootstrap", seed=6).items():
        differences = [b[metric].value - a[metric].value for a, b in drawn]
        hits = sum(abs(value - found.value) >= abs(found.value) - 1e-12 for value in differences)
        assert found.p == (hits + 1) / 101 and 0 < hits < 100
        low, high = np.percentile(differences, [2.5, 97.5])
        assert found.interval == pytest.approx((low, high), abs=1e-12)


def test_sampled_p_counts_the_difference_itself() -> None:
    one, other = random_systems(30, seed=0, errors=(1, 0.1))
    for found in compare(one, other).values():
        assert found.p == 1 / 101 and not found.exact


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("documents", [5, 30])
def test_swapping_the_systems_flips_the_signs(test: str, method: str, documents: int) -> None:
    one, other = random_systems(documents, seed=1, errors=(1, 0.8), metrics=COMPARED)
    forth = compare(one, other, test=test, interval=method, samples=1000)
    back = compare(other, one, test=test, interval=method, samples=1000)
    for metric in COMPARED:
        there, here = forth[metric], back[metric]
        assert there.value == -here.value
        assert there.interval == pytest.approx([-end for end in here.interval[::-1]], abs=1e-12)
        assert (there.p, there.adjusted, there.exact) == (here.p, here.adjusted, here.exact)
        assert there.effect == pytest.approx(-here.effect)
        assert (there.wins, there.ties, there.losses) == (here.losses, here.ties, here.wins)


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
@pytest.mark.parametrize("method", ["percentile", "bca"])
@few
@given(corpus=corpora(2, 2, 12))
def test_a_system_does_not_differ_from_itself(
    test: str, method: str, corpus: list[tuple[Clusters, ...]]
) -> None:
    result = score(corpus)
    for found in compare(result, result, test=test, interval=method).values():
        assert (found.value, found.interval, found.p, found.effect) == (0, (0, 0), 1, 0)
        assert (found.wins, found.ties, found.losses) == (0, len(corpus), 0)


@few
@given(corpora(3, 2, 6), st.randoms(use_true_random=False))
def test_the_order_of_documents_does_not_change_exact_p(
    corpus: list[tuple[Clusters, ...]], generator: random.Random
) -> None:
    one, other = (score(corpus, side=side) for side in (1, 2))
    order = generator.sample(range(len(corpus)), len(corpus))
    plain, shuffled = compare(one, other), compare(one.select(order), other.select(order))
    for metric in EVERY_METRIC:
        a, b = plain[metric], shuffled[metric]
        assert (a.p, a.exact, a.wins, a.losses) == (b.p, b.exact, b.wins, b.losses), metric


@pytest.mark.parametrize("average", AVERAGES)
@few
@given(corpus=corpora(3, 2, 12))
def test_a_metric_does_not_depend_on_the_other_metrics(
    average: str, corpus: list[tuple[Clusters, ...]]
) -> None:
    together = compare(*(score(corpus, side=side, average=average) for side in (1, 2)))
    for metric in COMPARED:
        alone = compare(*(score(corpus, [metric], side, average=average) for side in (1, 2)))
        assert alone == {metric: together[metric]}


def three_systems() -> dict[str, sameas.Result]:
    results = random_systems(30, seed=4, errors=(1, 0.9, 0.7), metrics=COMPARED)
    return dict(zip(("one", "other", "better"), results, strict=True))


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_a_pair_does_not_depend_on_the_other_pairs(test: str, method: str) -> None:
    systems = three_systems()
    options = {"samples": 500, "test": test, "interval": method, "correction": "none"}
    every = sameas.compare_results(systems, sameas.Comparing(pairs="all", **options))
    first = sameas.compare_results(systems, sameas.Comparing(pairs="first", **options))
    assert every.pairs == [("other", "one"), ("better", "one"), ("better", "other")]
    assert first.pairs == [("other", "one"), ("better", "one")]
    for pair in first.pairs:
        assert first[pair] == every[pair]
    for new, base in every.pairs:
        alone = compare(systems[base], systems[new], **options)
        for metric, found in every[new, base].items():
            one = alone[metric]
            assert (found.value, found.p, found.exact) == (one.value, one.p, one.exact)
            assert (found.wins, found.losses) == (one.wins, one.losses)
            assert found.interval == pytest.approx(one.interval, abs=1e-12)
            assert found.effect == pytest.approx(one.effect, abs=1e-9)


def test_no_digit_of_a_pair_depends_on_the_other_systems() -> None:
    one, other, perfect = random_systems(30, seed=4, errors=(3, 2.5, 0), metrics=COMPARED)
    options = sameas.Comparing(samples=500, pairs="all", correction="none")
    systems = {"one": one, "other": other, "perfect": perfect}
    among = sameas.compare_results(systems, options)["other", "one"]
    assert among == compare(one, other, samples=500, correction="none")


def test_p_values_are_corrected_metric_by_metric() -> None:
    found = sameas.compare_results(three_systems(), sameas.Comparing(samples=500, pairs="all"))
    for metric in COMPARED:
        values = [found[pair][metric] for pair in found.pairs]
        assert [value.adjusted for value in values] == holm([value.p for value in values])


@few
@given(corpora(3, 1, 12))
def test_wins_ties_and_losses_are_all_the_documents(corpus: list[tuple[Clusters, ...]]) -> None:
    one, other = (score(corpus, side=side) for side in (1, 2))
    for metric, found in compare(one, other).items():
        pairs = zip(one.documents, other.documents, strict=True)
        differences = [alone(b, metric) - alone(a, metric) for a, b in pairs]
        assert found.wins == sum(value > 1e-12 for value in differences)
        assert found.losses == sum(value < -1e-12 for value in differences)
        assert found.wins + found.ties + found.losses == len(corpus)


def as_documents(corpus: Sequence[Clusters], numbers: Sequence[int]) -> list[sameas.Document]:
    return [sameas.Document.from_clusters(f"document {n}", corpus[n]) for n in numbers]


def lacking_documents(metrics: Sequence[str]) -> tuple[sameas.Result, sameas.Result, list[int]]:
    """A system that has all documents, one that lacks some, and the numbers of the others."""
    generator = random.Random(7)
    keys, whole, partial = (
        [clusters([generator.randrange(-1, 4) for _ in range(9)]) for _ in range(10)]
        for _ in range(3)
    )
    shared = [0, 2, 3, 6, 8]
    key = as_documents(keys, range(10))
    options = {"metrics": metrics, "missing_documents": "skip"}
    one = sameas.score(key, as_documents(whole, range(10)), **options)
    return one, sameas.score(key, as_documents(partial, shared[::-1]), **options), shared


def test_systems_are_compared_on_the_documents_they_share() -> None:
    one, other, shared = lacking_documents(COMPARED)
    assert (len(one), len(other)) == (10, 5)
    found = sameas.compare_results({"one": one, "other": other}, sameas.Comparing(samples=100))
    assert found["other", "one"] == compare(one.select(shared), other)
    for result in found.results.values():
        assert result.statistics.documents == [f"document {number}" for number in shared]
    assert found.notes[0] == Note("not-shared", count=5, total=10, system="one")
    reverse = sameas.compare_results({"other": other, "one": one}, sameas.Comparing(samples=100))
    assert reverse["one", "other"] == compare(other, one.select(shared))


def test_every_metric_is_compared_on_the_documents_that_systems_share() -> None:
    one, other, shared = lacking_documents(EVERY_METRIC)
    assert compare(one, other) == compare(one.select(shared), other.select(range(5)))


def test_systems_without_a_document_in_common_are_refused() -> None:
    one, other = random_systems(4, seed=0)
    with raises_problems("none-shared"):
        compare(one.select([0, 1]), other.select([2, 3]))


def test_one_document_says_nothing_of_chance() -> None:
    one, other = (result.select([0]) for result in random_systems(4, seed=0, errors=(1, 0.5)))
    for metric, found in compare(one, other).items():
        assert found.value == other[metric].value - one[metric].value
        assert (found.interval, found.p, found.adjusted, found.effect) == (None,) * 4
        assert found.mark == "" and not found.exact
        assert found.wins + found.ties + found.losses == 1


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_the_digits_depend_on_the_seed_alone(test: str, method: str) -> None:
    one, other = random_systems(30, seed=8, errors=(1, 0.9))
    first, again, another = (
        compare(one, other, seed=seed, test=test, interval=method, samples=999)
        for seed in (0, 0, 1)
    )
    assert first == again
    for metric, found in another.items():
        assert found.interval != first[metric].interval and found.p != first[metric].p
        assert found.value == first[metric].value and found.effect == first[metric].effect


@given(st.lists(st.integers(-9, 9), max_size=9), st.integers(-9, 9))
def test_differences_count_either_way_and_in_spite_of_rounding(
    values: list[int], observed: int
) -> None:
    assume(values)
    found = at_least(np.array(values) / 10 * (1 - 1e-15), observed / 10)
    assert found == sum(abs(value) >= abs(observed) for value in values)


def test_bca_of_extreme_skewness_keeps_its_ends_in_order() -> None:
    distribution = np.random.default_rng(0).normal(size=10_000)
    jackknife = np.array([1.0] + [0.0] * 29)
    estimate = np.quantile(distribution, 0.0005).item()
    low, high = interval(distribution, estimate, jackknife, confidence=99.9)
    assert low < high


def test_a_document_twice_is_refused() -> None:
    one, other = random_systems(4, seed=0)
    with raises("compared-twice", system="one"):
        sameas.compare_results({"one": one.select([0, 0, 1]), "other": other})
