"""Sums as integers: they add exactly, and give the scores of the whole."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sameas
from effort import examples
from engines.tables import METRICS
from sameas.results.totals import decode, encode, width
from sameas.settings import Settings
from saying import raises

CLUSTERS = st.lists(
    st.lists(st.integers(0, 12), min_size=1, max_size=6, unique=True), max_size=5
)  # fmt: skip
DOCUMENTS = st.lists(st.tuples(CLUSTERS, CLUSTERS), min_size=1, max_size=8)


def score(documents: list[Any], **how: str) -> sameas.Result:
    scorer = sameas.Scorer(metrics=METRICS, **how)
    for key, response in documents:
        scorer.update(key, response)
    return scorer.compute()


@settings(max_examples=examples(60), deadline=None)
@given(DOCUMENTS, st.sampled_from(["luo2014", "gold"]), st.sampled_from(["keep", "drop"]))
def test_the_sums_give_the_scores(documents: list[Any], blanc: str, singletons: str) -> None:
    result = score(documents, blanc=blanc, singletons=singletons)
    found = decode(encode(result.statistics, METRICS), METRICS, result.settings)
    assert list(found) == METRICS
    for name in METRICS:
        assert found[name] == result[name], name


@settings(max_examples=examples(40), deadline=None)
@given(DOCUMENTS, st.randoms(use_true_random=False))
def test_parts_add_up_to_the_whole(documents: list[Any], random: Any) -> None:
    whole = encode(score(documents).statistics, METRICS)
    order = random.sample(documents, len(documents))
    assert np.array_equal(encode(score(order).statistics, METRICS), whole)
    cut = random.randint(0, len(order))
    parts = [encode(score(part).statistics, METRICS) for part in (order[:cut], order[cut:])]
    assert np.array_equal(parts[0] + parts[1], whole)
    assert np.array_equal(parts[1] + parts[0], whole)
    one_by_one = sum(encode(score([one]).statistics, METRICS) for one in order)
    assert np.array_equal(one_by_one, whole)


def test_many_documents_whose_sum_floats_would_round() -> None:
    # The sum of thirds, tenths and sevenths as floats depends on the order.
    documents = [
        ([list(range(3))], [[0, 1]]),
        ([list(range(10))], [[0, 1, 2]]),
        ([list(range(7))], [list(range(5))]),
    ]
    rows = [encode(score([one]).statistics, METRICS) for one in documents]
    total = sum(row * 100_000 for row in rows)
    forth = sum((row * 50_000 for row in [*rows, *rows[::-1]]), np.zeros_like(rows[0]))
    assert np.array_equal(total, forth)
    recall = Fraction(4, 3) + Fraction(9, 10) + Fraction(25, 7)
    wanted = (float(100_000 * recall), 2_000_000, 1_000_000, 1_000_000)
    assert decode(total, METRICS, Settings())["b3"].counts == pytest.approx(wanted, rel=1e-15)


def test_an_empty_total_has_the_right_width() -> None:
    nothing = encode(score([]).statistics, METRICS)
    assert nothing.tolist() == [0] * width(METRICS)
    assert nothing.dtype == np.int64
    found = decode(nothing, METRICS, Settings())
    assert found["muc"].counts == (0, 0, 0, 0)


def test_averages_include_their_parts() -> None:
    assert width(["conll"]) == width(["muc", "b3", "ceafe"]) == width(["conll", "b3"])
    result = score([([["a", "b", "c"]], [["a", "b"], ["c"]])])
    found = decode(encode(result.statistics, ["conll"]), ["conll"], result.settings)
    assert found == {"conll": result["conll"]}


def test_incompatible_totals_are_refused() -> None:
    with raises("places-do-not-add", metric="mor"):
        width(["mor"])
    numbers = np.zeros(width(["muc"]), dtype=np.int64)
    with raises("macro-of-sums"):
        decode(numbers, ["muc"], Settings(average="macro"))
    for wrong in (numbers[1:], np.append(numbers, 0)):
        with raises("wrong-width", expected=16, count=len(wrong)):
            decode(wrong, ["muc"], Settings())
