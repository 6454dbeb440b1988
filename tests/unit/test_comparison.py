"""Notes of comparisons, and results that cannot be compared."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import sameas
from sameas.chance.differences import Difference, difference
from sameas.chance.prediction import means
from sameas.chance.resampling import effect_size, holm, interval
from sameas.chance.swapping import _studentised, swap_tests
from sameas.notes import Note
from sameas.tables.correlation import kendall
from saying import raises, raises_problems, says
from simulation import random_systems

Clusters = list[list[str]]


def documents(*clusters: Clusters) -> list[sameas.Document]:
    return [
        sameas.Document.from_clusters(f"document {number}", one)
        for number, one in enumerate(clusters)
    ]


def test_results_of_different_keys_are_refused() -> None:
    one = documents([["a", "b"]], [["c"]])
    other = documents([["a", "b", "c"]], [["c"]])
    results = {"one": sameas.score(one, one), "other": sameas.score(other, one)}
    with raises_problems("other-key", new="other", base="one", document="document 0"):
        sameas.analysis.compare_results(results)


def test_results_must_be_named() -> None:
    one = documents([["a", "b"]], [["c"]])
    with raises("wrong-type", what="results"):
        sameas.analysis.compare_results([sameas.score(one, one)] * 2)  # type: ignore[arg-type]


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_inventing_entities_in_empty_documents_loses(average: str) -> None:
    key = documents([], [["a", "b"], ["c"]])
    right, wrong = key, documents([["x", "y"]], [["a", "b"], ["c"]])
    results = {
        name: sameas.score(key, response, average=average)
        for name, response in (("wrong", wrong), ("right", right))
    }
    for metric, found in sameas.analysis.compare_results(results)["right", "wrong"].items():
        if metric in ("mention", "muc", "b3", "ceafm", "ceafe", "lea", "conll"):
            assert (found.wins, found.ties, found.losses) == (1, 1, 0), metric


def test_few_differing_documents_are_noted() -> None:
    one = random_systems(30, seed=0)[0]
    other = one.select(list(range(27))) + random_systems(30, seed=0)[1].select([27, 28, 29])
    found = sameas.analysis.compare_results(
        {"one": one, "other": other}, sameas.settings.Comparing(samples=100)
    )
    note = Note("few-differ", count=3, new="other", base="one", how="bound", least=0.25)
    assert note in found.notes
    found = sameas.analysis.compare_results(
        {"one": one, "same": one}, sameas.settings.Comparing(samples=100)
    )
    assert found.notes == [Note("alike", new="same", base="one")]


def test_corrected_p_values_of_few_samples_are_noted() -> None:
    one, other = random_systems(30, seed=0)
    results = {"one": one, "other": other, "third": random_systems(30, seed=0)[1]}
    options = sameas.settings.Comparing(samples=100, pairs="all")
    notes = sameas.analysis.compare_results(results, options).notes
    assert Note("least-corrected", count=3, samples=100, least=3 / 101) in notes


def test_small_groups_are_noted() -> None:
    from sameas.show.scores import render

    result = random_systems(30, seed=0)[0]
    text = render([result], by=r"(\d)\d$", resampling=sameas.settings.Resampling(samples=100))
    told = says("interval-groups", few=20, names="0, 1, 2")
    assert told in text.replace("\n  ", " ")


def test_no_interval_if_a_column_is_often_constant() -> None:
    columns = {"a": np.array([1.0, 1, 1, 1, 1, 2]), "b": np.array([1.0, 3, 2, 5, 4, 9])}
    (found,) = sameas.correlate(sameas.tables.ScoreTable({}, columns))
    assert found.pearson.value is not None and found.pearson.interval is None
    with raises("wrong-type", what="table"):
        sameas.correlate(columns)  # type: ignore[arg-type]


def test_kendall_of_many_rows() -> None:
    generator = np.random.default_rng(0)
    x = generator.integers(0, 50, 100_000).astype(np.float64)
    y = x + generator.integers(0, 50, 100_000)
    from scipy.stats import kendalltau

    assert math.isclose(kendall(x, y) or 0, kendalltau(x, y).statistic, abs_tol=1e-12)


@pytest.mark.long
def test_few_differing_documents_among_many_take_little_memory() -> None:
    """Swaps of 13 documents are tried without a matrix of 2¹³ swaps by all documents."""
    import tracemalloc

    key = documents([["a", "b"], ["c"]])[0]
    wrong = documents([["a"], ["b", "c"]])[0]
    size, differ = 20_000, 13
    right, other = (sameas.score(key, one, metrics="b3") for one in (key, wrong))
    numbers = np.zeros(size, dtype=np.int64)
    whole = right.select(numbers)
    names = [f"document {number}" for number in range(size)]
    columns = {
        "b3": tuple(
            np.where(np.arange(size) < differ, theirs[0], ours[0])
            for ours, theirs in zip(
                right.statistics.columns["b3"], other.statistics.columns["b3"], strict=True
            )
        )
    }
    one = replace(whole, statistics=replace(whole.statistics, documents=names))
    two = replace(one, statistics=replace(one.statistics, columns=columns))
    tracemalloc.start()
    comparing = sameas.settings.Comparing(samples=8192, test="studentised", interval="percentile")
    test = swap_tests(
        {"one": one.additive(), "two": two.additive()}, [("two", "one")], ["b3"], comparing
    )["two", "one"]["b3"]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert test == (2 / 2**differ, True)
    assert peak < 500e6  # all swaps at once would be 1.3 GB


def alike(count: int) -> tuple[sameas.Result, sameas.Result]:
    """Return two systems with the same difference in all of several equal documents."""
    key, right, wrong = [["a", "b"], ["c"]], [["a", "b"], ["c"]], [["a"], ["b", "c"]]
    one, other = (
        sameas.score(documents(*[key] * count), documents(*[response] * count), metrics="b3")
        for response in (wrong, right)
    )
    return one, other


def test_a_difference_without_variance_is_significant() -> None:
    """The standard error is 0 only without any swap and with all swaps: in 2 of 2⁶ cases."""
    one, other = alike(6)
    comparing = sameas.settings.Comparing(samples=100, test="studentised", interval="percentile")
    found = sameas.analysis.compare_results({"one": one, "other": other}, comparing)[
        "other", "one"
    ]["b3"]
    assert (found.p, found.exact) == (2 / 64, True)


@pytest.mark.parametrize(("samples", "exact"), [(127, False), (128, True)])
def test_every_swap_is_tried_if_there_are_at_most_as_many_as_samples(
    samples: int, exact: bool
) -> None:
    one, other = alike(7)
    comparing = sameas.settings.Comparing(samples=samples, interval="percentile")
    found = sameas.analysis.compare_results({"one": one, "other": other}, comparing)[
        "other", "one"
    ]["b3"]
    assert found.exact is exact


@pytest.mark.parametrize("test", ["studentised", "randomisation", "bootstrap"])
def test_the_observed_difference_is_one_of_the_samples(test: str) -> None:
    """No sample of 40 documents has a difference as large: p is 1 in 101, not 0."""
    one, other = alike(40)
    comparing = sameas.settings.Comparing(samples=100, test=test, interval="percentile")
    found = sameas.analysis.compare_results({"one": one, "other": other}, comparing)[
        "other", "one"
    ]["b3"]
    assert (found.p, found.exact) == (1 / 101, False)


def test_values_that_differ_only_by_rounding_are_equal() -> None:
    systems = means([0.5, 0.5 + 1e-13, 0.75]), means([0.5, 0.5, 0.5])
    found = difference("mean", systems, None, None, sameas.settings.Comparing(), value=1e-13)
    assert (found.wins, found.ties, found.losses, found.value) == (1, 2, 0, 0.0)
    found = difference("mean", systems[::-1], None, None, sameas.settings.Comparing(), value=-1e-11)
    assert (found.wins, found.ties, found.losses, found.value) == (0, 2, 1, -1e-11)


@pytest.mark.parametrize(
    ("p", "mark"), [(0.0099, "**"), (0.01, "*"), (0.0499, "*"), (0.05, ""), (None, "")]
)
def test_marks_are_for_p_values_below_a_level(p: float | None, mark: str) -> None:
    assert Difference("b3", 0.1, None, p, p, None, 1, 0, 0).mark == mark


def test_effect_size_of_two_documents() -> None:
    assert effect_size(np.array([1.0, 3.0])) == 2 / math.sqrt(2)
    assert effect_size(np.array([2.0])) is None
    assert effect_size(np.array([2.0, 2.0 + 1e-13])) is None


def test_corrected_p_values_are_no_larger_than_one() -> None:
    assert holm([0.6, 0.7, 0.01]) == [1, 1, 0.03]


def test_an_interval_too_skewed_to_correct_uses_percentiles() -> None:
    distribution = np.arange(10_001) / 10_000
    jackknife = np.append(np.zeros(1000), -1.0)
    found = interval(distribution, 0.9999, jackknife, confidence=99.9)
    assert found == interval(distribution, 0.9999, confidence=99.9)
    assert found != interval(distribution, 0.9999, np.array([0.0, 1.0]), confidence=99.9)


def test_kendall_has_an_interval_up_to_a_number_of_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sameas.tables.correlation.MOST", 12)
    options = sameas.settings.Resampling(samples=100, interval="percentile")
    for rows in (12, 13):
        numbers = np.arange(rows, dtype=np.float64)
        columns = {"a": numbers, "b": numbers * 7 % 5 + numbers}
        (found,) = sameas.correlate(sameas.tables.ScoreTable({}, columns), resampling=options)
        assert (found.kendall.interval is not None) is (rows == 12)
        assert found.spearman.interval is not None


def test_no_difference_is_zero_standard_errors_even_without_variance() -> None:
    found = _studentised(np.array([1e-13, -1e-13, 0.5, 0.5]), np.array([0.0, 1e-14, 0.25, 0.0]))
    assert found.tolist() == [0, 0, 2, math.inf]


def test_the_gradient_of_a_mean() -> None:
    total, documents = 1.5, 3.0
    (found,) = means([0.25, 0.5, 0.75]).gradient("mean", np.array([[total, documents]]))
    assert found == pytest.approx([1 / documents, -total / documents**2], rel=1e-8)
