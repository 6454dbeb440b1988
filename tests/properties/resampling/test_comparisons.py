"""Intervals, corrections, effects and comparisons of systems."""

import math
import random
from collections.abc import Callable, Sequence
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import sameas
from properties.resampling.scores import (
    AVERAGES,
    EVERY_METRIC,
    Clusters,
    Floats,
    alone,
    compare,
    corpora,
    few,
    score,
    whole,
)
from sameas.chance.resampling import at_least, draws, effect_size, holm, interval
from sameas.notes import Note
from saying import raises, raises_problems
from simulation import clusters, random_systems

COMPARED = ["muc", "b3", "ceafe", "blanc", "conll"]


# Intervals, corrections, effects


@pytest.mark.parametrize("confidence", [50, 90, 95, 99.9])
def test_percentiles_are_those_of_numpy(confidence: float) -> None:
    values = np.random.default_rng(0).normal(size=777)
    tail = (100 - confidence) / 2
    expected = np.percentile(values, [tail, 100 - tail])
    assert interval(values, 0.0, confidence=confidence) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("jackknife", [None, np.zeros(5), np.arange(5.0)])
def test_equal_resamples_are_the_interval(jackknife: Floats | None) -> None:
    assert interval(np.full(100, 0.25), 0.25, jackknife) == (0.25, 0.25)


def test_an_estimate_beyond_all_resamples_has_the_percentile_interval() -> None:
    values = np.linspace(0, 1, 1001)
    jackknife = np.array([0.0, 0.0, 1.0])
    for estimate in (-1.0, 2.0):
        assert interval(values, estimate, jackknife) == interval(values, estimate)


@given(st.lists(st.floats(0, 1), max_size=7))
def test_holm_is_bonferroni_on_every_set_of_comparisons(p_values: list[float]) -> None:
    """By closed testing, a hypothesis is rejected if every set of hypotheses containing it is."""
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


@pytest.mark.parametrize("average", AVERAGES)
@few
@given(corpus=corpora(3, 2, 6))
def test_exact_p_is_the_share_of_swaps_with_such_a_difference(
    average: str, corpus: list[tuple[Clusters, ...]]
) -> None:
    one, other = (score(corpus, COMPARED, side, average=average) for side in (1, 2))
    # Put both responses of every document in one corpus; a swap selects documents from it.
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
    """Return a difference in standard errors, found by changing documents' weights slightly."""

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


@pytest.mark.parametrize("metric", ["b3", "ceafe"])
def test_swapping_the_others_gives_as_large_a_difference(metric: str) -> None:
    """So swaps come in pairs, which rounding may not separate."""
    for seed in range(40):
        chance = random.Random(seed)
        corpus = [
            tuple(some_clusters(chance) for _ in range(3)) for _ in range(chance.randint(2, 5))
        ]
        one, other = (score(corpus, [metric], side) for side in (1, 2))
        found = compare(one, other, test="studentised")[metric]
        columns = (result.statistics.columns[metric] for result in (one, other))
        differ = np.any([ours != theirs for ours, theirs in zip(*columns, strict=True)], axis=0)
        hits = found.p * 2 ** int(differ.sum())
        assert hits % 2 == 0 < hits or not differ.any(), seed


def some_clusters(chance: random.Random) -> Clusters:
    found: dict[int, list[int]] = {}
    for mention in range(4):
        if chance.random() < 0.85:
            found.setdefault(chance.randrange(3), []).append(mention)
    return list(found.values()) or [[0]]


def test_a_studentised_difference_is_as_large_as_itself() -> None:
    """Swapping nothing and swapping everything give the observed difference, up to rounding."""
    key, right, wrong = [[0], [1, 2]], [[0], [1], [2]], [[0], [1]]
    corpus = [(key, right, wrong)] * 2 + [([[0]], right, [[0, 2]])] * 3
    one, other = (score(corpus, ["ceafe"], side) for side in (1, 2))
    assert compare(one, other, test="studentised")["ceafe"].p == 2 / 2**5


@few
@given(corpora(3, 2, 6))
def test_p_of_few_documents_is_exact(corpus: list[tuple[Clusters, ...]]) -> None:
    counted = ["mention", "muc", "ceafm", "blanc"]  # integers, which are equal or clearly different
    one, other = (score(corpus, counted, side) for side in (1, 2))
    for metric, found in compare(one, other).items():
        assert found.exact, metric
        columns = (result.statistics.columns[metric] for result in (one, other))
        assert found.p == 1 or not np.array_equal(*columns), metric


def test_only_documents_that_differ_are_swapped() -> None:
    # Five of 40 documents differ in coreference links, and two of these in mentions.
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


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.long
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
    every = sameas.analysis.compare_results(
        systems, sameas.settings.Comparing(pairs="all", **options)
    )
    first = sameas.analysis.compare_results(
        systems, sameas.settings.Comparing(pairs="first", **options)
    )
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
    options = sameas.settings.Comparing(samples=500, pairs="all", correction="none")
    systems = {"one": one, "other": other, "perfect": perfect}
    among = sameas.analysis.compare_results(systems, options)["other", "one"]
    assert among == compare(one, other, samples=500, correction="none")


def test_p_values_are_corrected_metric_by_metric() -> None:
    found = sameas.analysis.compare_results(
        three_systems(), sameas.settings.Comparing(samples=500, pairs="all")
    )
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
    """Generate a complete system, one that lacks documents, and the numbers of its documents."""
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
    found = sameas.analysis.compare_results(
        {"one": one, "other": other}, sameas.settings.Comparing(samples=100)
    )
    assert found["other", "one"] == compare(one.select(shared), other)
    for result in found.results.values():
        assert result.statistics.documents == [f"document {number}" for number in shared]
    assert found.notes[0] == Note("not-shared", count=5, total=10, system="one")
    reverse = sameas.analysis.compare_results(
        {"other": other, "one": one}, sameas.settings.Comparing(samples=100)
    )
    assert reverse["one", "other"] == compare(other, one.select(shared))


def test_every_metric_is_compared_on_the_documents_that_systems_share() -> None:
    one, other, shared = lacking_documents(EVERY_METRIC)
    assert compare(one, other) == compare(one.select(shared), other.select(range(5)))


def test_systems_without_a_document_in_common_are_refused() -> None:
    one, other = random_systems(4, seed=0)
    with raises_problems("none-shared"):
        compare(one.select([0, 1]), other.select([2, 3]))


def test_one_document_gives_no_intervals_and_no_p_values() -> None:
    one, other = (result.select([0]) for result in random_systems(4, seed=0, errors=(1, 0.5)))
    for metric, found in compare(one, other).items():
        assert found.value == other[metric].value - one[metric].value
        assert (found.interval, found.p, found.adjusted, found.effect) == (None,) * 4
        assert found.mark == "" and not found.exact
        assert found.wins + found.ties + found.losses == 1


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_the_digits_depend_only_on_the_seed(test: str, method: str) -> None:
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
def test_differences_count_in_both_directions_despite_rounding(
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
        sameas.analysis.compare_results({"one": one.select([0, 0, 1]), "other": other})
