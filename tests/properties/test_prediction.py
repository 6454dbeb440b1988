"""Properties of predictions: they are scores, and do not depend on the order of documents,
the scale of the proxy, or which side is called recall.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from sameas.arithmetic.scores import Rates
from sameas.chance.prediction import LEAST, TARGETS, Prediction, means, predict, unlike
from sameas.chance.resampling import Additive

Floats = np.ndarray[Any, np.dtype[np.float64]]
Row = tuple[float, float, float, float]

few = settings(deadline=None, max_examples=examples(60))


def micro(rows: Sequence[Row]) -> Additive:
    """Return recall, precision and F1 of sums of counts."""
    counts: Floats = np.array(rows, dtype=np.float64)

    def value(*columns: Floats) -> Floats:
        return Rates.of(*columns).value

    def rates(sums: Floats) -> dict[str, Rates]:
        return {"f": Rates.of(*sums.T)}

    return Additive(counts, rates, {"f": range(4)}, {"f": value}, {"f": value(*counts.T)})


# Found mentions, mentions of the key, found mentions, mentions of the response; sometimes few.
rows = st.tuples(*[st.integers(0, 30)] * 3).map(
    lambda three: (three[0], three[0] + three[1], three[0], three[0] + three[2])
)
documents = st.one_of(
    st.tuples(rows, rows),
    rows.map(lambda row: (row, row)),
    st.tuples(rows, st.sampled_from([(0, 0, 0, 0), (1, 1, 1, 1), (1, 2, 1, 2)])),
)
Corpus = tuple[list[tuple[Row, Row]], list[int]]


@st.composite
def corpora(draw: st.DrawFn, most: int = 30) -> Corpus:
    """Generate rows of score and proxy for all documents, and the numbers of the annotated ones."""
    corpus = draw(st.lists(documents, min_size=LEAST, max_size=most))
    order = draw(st.permutations(range(len(corpus))))
    return corpus, list(order[: draw(st.integers(LEAST, len(corpus)))])


def predicted(corpus: Corpus, **options: Any) -> dict[str, Prediction]:
    pairs, annotated = corpus
    full = micro([pairs[number][0] for number in annotated])
    return predict(full, micro([proxy for _, proxy in pairs]), annotated, **options)["f"]


@few
@given(corpora(), st.sampled_from(TARGETS), st.sampled_from([50, 95, 99.9]))
def test_a_prediction_is_a_score_in_its_interval(
    corpus: Corpus, target: str, confidence: float
) -> None:
    found = predicted(corpus, target=target, confidence=confidence)
    assert list(found) == ["f1", "recall", "precision"]
    for one in found.values():
        assert one.annotated == len(corpus[1])
        assert one.documents == len(corpus[0])
        assert math.isfinite(one.weight)
        assert one.weight >= 0
        for estimate in (one.sample, one.predicted):
            low, high = estimate.interval
            assert 0 <= low <= estimate.value <= high <= 1
            assert math.isfinite(estimate.error)
            assert estimate.error >= 0
        corrected = one.sample.value - one.weight * (one.proxy_sample - one.proxy)
        assert one.predicted.value == pytest.approx(min(1, max(0, corrected)), abs=1e-12)
        assert math.isfinite(one.gain)
        if not one.weight:
            assert one.predicted == one.sample


@few
@given(corpora(), st.randoms(use_true_random=False))
def test_the_order_of_documents_changes_no_digit(corpus: Corpus, random: Any) -> None:
    pairs, annotated = corpus
    shuffled = random.sample(annotated, len(annotated))
    assert predicted((pairs, shuffled)) == predicted(corpus)
    order = random.sample(range(len(pairs)), len(pairs))
    place = {number: new for new, number in enumerate(order)}
    moved = [pairs[number] for number in order], [place[number] for number in annotated]
    assert predicted(moved) == predicted(corpus)


@few
@given(corpora())
def test_recall_and_precision_swap_with_the_sides(corpus: Corpus) -> None:
    pairs, annotated = corpus
    swapped = [(full[2:] + full[:2], proxy[2:] + proxy[:2]) for full, proxy in pairs]
    found, other = predicted(corpus), predicted((swapped, annotated))
    for part, opposite in (("recall", "precision"), ("precision", "recall")):
        assert found[part].predicted == other[opposite].predicted
    assert found["f1"].predicted.value == pytest.approx(other["f1"].predicted.value)


@few
@given(corpora())
def test_counting_everything_twice_changes_nothing(corpus: Corpus) -> None:
    pairs, annotated = corpus
    doubled = [(full, tuple(2 * count for count in proxy)) for full, proxy in pairs]
    assert predicted((doubled, annotated)) == predicted(corpus)  # type: ignore[arg-type]


@few
@given(corpora())
def test_the_score_as_its_own_proxy(corpus: Corpus) -> None:
    pairs, annotated = [(full, full) for full, _ in corpus[0]], corpus[1]
    for part, one in predicted((pairs, annotated)).items():
        if one.weight:
            assert one.weight == pytest.approx(1), part
            assert one.predicted.value == pytest.approx(one.proxy, abs=1e-12)
            assert one.predicted.error < 1e-12


@few
@given(corpora())
def test_annotating_all_documents_leaves_no_uncertainty(corpus: Corpus) -> None:
    pairs = corpus[0]
    everything = list(range(len(pairs)))
    for one in predicted((pairs, everything)).values():
        assert one.predicted.interval == (one.sample.value, one.sample.value)
        assert one.predicted.error == 0
    proxy = micro([proxy for _, proxy in pairs])
    assert unlike(proxy, everything, "f") == 0


units = st.integers(0, 64).map(lambda number: number / 64)
whole_numbers = st.integers(-5, 5).map(float)


@few
@given(
    st.lists(st.tuples(units, units), min_size=LEAST, max_size=40),
    st.integers(LEAST, 40),
    st.sampled_from([1 / 4, 1 / 2, 2.0, 8.0]),
    whole_numbers,
)
def test_the_scale_of_the_proxy_of_a_mean_does_not_matter(
    pairs: list[tuple[float, float]], annotated: int, scale: float, shift: float
) -> None:
    annotated = min(annotated, len(pairs))
    drawn = list(range(annotated))
    scores = means([score for score, _ in pairs[:annotated]])
    plain, scaled = (
        predict(scores, means([times * proxy + more for _, proxy in pairs]), drawn)["mean"]["f1"]
        for times, more in ((1, 0), (scale, shift))
    )
    assert scaled.weight * scale == pytest.approx(plain.weight, abs=1e-9)
    assert scaled.predicted.value == pytest.approx(plain.predicted.value, abs=1e-9)
    assert scaled.predicted.error == pytest.approx(plain.predicted.error, abs=1e-7)
    away = [
        unlike(means([times * proxy + more for _, proxy in pairs]), drawn[:LEAST], "mean")
        for times, more in ((1, 0), (scale, shift))
    ]
    assert away[0] == pytest.approx(away[1], abs=1e-6)


@few
@given(corpora(), st.sampled_from(TARGETS))
def test_more_confidence_is_wider(corpus: Corpus, target: str) -> None:
    narrow, wide = (
        predicted(corpus, target=target, confidence=confidence) for confidence in (80, 95)
    )
    for part, one in narrow.items():
        other = wide[part]
        assert one.predicted.value == other.predicted.value
        for estimate, wider in ((one.sample, other.sample), (one.predicted, other.predicted)):
            assert wider.interval.low <= estimate.interval.low
            assert estimate.interval.high <= wider.interval.high


@few
@given(corpora(), st.data())
def test_a_proxy_that_differs_only_by_rounding_is_of_no_use(corpus: Corpus, data: Any) -> None:
    pairs, annotated = corpus
    size = len(pairs)
    times = data.draw(st.lists(st.integers(1, 50), min_size=size, max_size=size))
    flat = [
        (full, (0.1 * n, 0.3 * n, 0.1 * n, 0.7 * n))
        for n, (full, _) in zip(times, pairs, strict=True)
    ]
    for one in predicted((flat, annotated)).values():
        assert one.weight == 0
        assert one.predicted == one.sample
    proxy = micro([proxy for _, proxy in flat])
    assert [unlike(proxy, annotated, "f", part) for part in ("f1", "recall", "precision")] == [
        0
    ] * 3
