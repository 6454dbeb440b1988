"""What a reader of a comparison must be told, and results that do not belong together."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import sameas
from sameas.correlation import kendall
from sameas.errors import InputError, UsageError
from sameas.swapping import swap_tests
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
    with pytest.raises(InputError, match="different keys: document document 0"):
        sameas.compare_results(results)


def test_results_must_be_named() -> None:
    one = documents([["a", "b"]], [["c"]])
    with pytest.raises(UsageError, match="the results are wanted as"):
        sameas.compare_results([sameas.score(one, one)] * 2)  # type: ignore[arg-type]


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_inventing_entities_where_there_are_none_loses(average: str) -> None:
    key = documents([], [["a", "b"], ["c"]])
    right, wrong = key, documents([["x", "y"]], [["a", "b"], ["c"]])
    results = {
        name: sameas.score(key, response, average=average)
        for name, response in (("wrong", wrong), ("right", right))
    }
    for metric, found in sameas.compare_results(results)["right", "wrong"].items():
        if metric in ("mention", "muc", "b3", "ceafm", "ceafe", "lea", "conll"):
            assert (found.wins, found.ties, found.losses) == (1, 1, 0), metric


def test_few_documents_that_differ_are_told() -> None:
    one = random_systems(30, seed=0)[0]
    other = one.select(list(range(27))) + random_systems(30, seed=0)[1].select([27, 28, 29])
    found = sameas.compare_results({"one": one, "other": other}, sameas.Comparing(samples=100))
    assert "other and one differ in only 3 documents: no p-value can be below 0.25" in found.notes
    found = sameas.compare_results({"one": one, "same": one}, sameas.Comparing(samples=100))
    assert found.notes == ["same and one score alike in every document"]


def test_corrected_p_values_of_few_samples_are_told() -> None:
    one, other = random_systems(30, seed=0)
    results = {"one": one, "other": other, "third": random_systems(30, seed=0)[1]}
    options = sameas.Comparing(samples=100, pairs="all")
    notes = sameas.compare_results(results, options).notes
    assert any("no corrected p-value can be below 0.03" in note for note in notes)


def test_small_groups_are_told() -> None:
    from sameas.output import render

    result = random_systems(30, seed=0)[0]
    text = render([result], by=r"(\d)\d$", resampling=sameas.Resampling(samples=100))
    assert "groups of fewer than 20 documents (0, 1, 2)" in text.replace("\n  ", " ")


def test_no_interval_where_a_column_often_does_not_vary() -> None:
    columns = {"a": np.array([1.0, 1, 1, 1, 1, 2]), "b": np.array([1.0, 3, 2, 5, 4, 9])}
    (found,) = sameas.correlate(sameas.ScoreTable({}, columns))
    assert found.pearson.value is not None and found.pearson.interval is None
    with pytest.raises(UsageError, match="a ScoreTable is correlated"):
        sameas.correlate(columns)  # type: ignore[arg-type]


def test_kendall_of_many_rows() -> None:
    generator = np.random.default_rng(0)
    x = generator.integers(0, 50, 100_000).astype(np.float64)
    y = x + generator.integers(0, 50, 100_000)
    from scipy.stats import kendalltau

    assert math.isclose(kendall(x, y) or 0, kendalltau(x, y).statistic, abs_tol=1e-12)


def test_few_differing_documents_among_many_take_little_memory() -> None:
    """All 2¹³ swaps of 13 documents, in a corpus whose every document would not fit beside them."""
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
    comparing = sameas.Comparing(samples=8192, test="studentised", interval="percentile")
    test = swap_tests(
        {"one": one.additive(), "two": two.additive()}, [("two", "one")], ["b3"], comparing
    )["two", "one"]["b3"]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert test == (2 / 2**differ, True)
    assert peak < 500e6  # all swaps at once would be 1.3 GB


def alike(count: int) -> tuple[sameas.Result, sameas.Result]:
    """Two systems, of which one is better by the same in documents that are all alike."""
    key, right, wrong = [["a", "b"], ["c"]], [["a", "b"], ["c"]], [["a"], ["b", "c"]]
    one, other = (
        sameas.score(documents(*[key] * count), documents(*[response] * count), metrics="b3")
        for response in (wrong, right)
    )
    return one, other


def test_a_difference_without_spread_is_beyond_chance() -> None:
    """The standard error is 0 only without swaps and with all of them: 2 of 2⁶."""
    one, other = alike(6)
    comparing = sameas.Comparing(samples=100, test="studentised", interval="percentile")
    found = sameas.compare_results({"one": one, "other": other}, comparing)["other", "one"]["b3"]
    assert (found.p, found.exact) == (2 / 64, True)
