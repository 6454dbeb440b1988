"""Scores of all documents from some of them and a proxy: hand-computed and edge cases."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction

import pytest
from scipy.stats import t as student_t

from sameas.chance.prediction import LEAST, Prediction, means, predict, student, unlike
from sameas.chance.resampling import Interval
from saying import raises
from simulation import random_systems

# Two kinds of documents, which the proxy separates: ten of twenty are annotated, five of each kind,
# but there are twelve of the second.
KINDS = [0.0] * 5 + [1.0] * 5 + [0.0] * 3 + [1.0] * 7
SCORES = [0.2, 0.2, 0.4, 0.4, 0.3, 0.6, 0.6, 0.8, 0.8, 0.7]
FIRST_TEN = list(range(10))


def of_mean(
    scores: Sequence[float],
    proxies: Sequence[float],
    annotated: Sequence[int],
    confidence: float = 95,
    target: str = "corpus",
) -> Prediction:
    """Return the prediction of a mean; `scores` are those of the annotated documents."""
    found = predict(means(scores), means(proxies), annotated, confidence=confidence, target=target)
    assert list(found) == ["mean"]
    assert list(found["mean"]) == ["f1"]
    return found["mean"]["f1"]


def reach(interval: Interval) -> float:
    return (interval.high - interval.low) / 2


# By hand


def test_kinds_of_documents_are_weighted_by_frequency() -> None:
    found = of_mean(SCORES, KINDS, FIRST_TEN)
    assert (found.metric, found.part, found.annotated, found.documents) == ("mean", "f1", 10, 20)
    assert found.weight == pytest.approx(0.7 - 0.3)
    assert (found.proxy, found.proxy_sample) == (0.6, 0.5)
    # The sample has equally many of each kind; 0.6 of all documents are of the second kind.
    assert found.sample.value == pytest.approx(0.5)
    assert found.predicted.value == pytest.approx(0.4 * 0.3 + 0.6 * 0.7)
    # Within a kind, the variance is 0.04 / (5 - 1); half of the documents are not annotated.
    within = 0.01
    variance = (0.4**2 * within / 5 + 0.6**2 * within / 5) * (1 - 10 / 20)
    assert found.predicted.error == pytest.approx(math.sqrt(variance))
    assert reach(found.predicted.interval) == pytest.approx(2.306004 * math.sqrt(variance))
    # Without the proxy the variance is 0.48 / (10 - 1).
    variance = 0.48 / 9 / 10 * (1 - 10 / 20)
    assert found.sample.error == pytest.approx(math.sqrt(variance))
    assert reach(found.sample.interval) == pytest.approx(2.262157 * math.sqrt(variance))
    assert found.gain == pytest.approx(
        reach(found.predicted.interval) / reach(found.sample.interval)
    )


def test_the_population_is_less_certain_than_the_corpus() -> None:
    found = of_mean(SCORES, KINDS, FIRST_TEN, target="population")
    corpus = of_mean(SCORES, KINDS, FIRST_TEN)
    assert found.predicted.value == corpus.predicted.value
    assert found.sample.error**2 == pytest.approx(0.48 / 9 / 10)
    assert found.predicted.error**2 == pytest.approx(corpus.predicted.error**2 + 0.48 / 9 / 20)


@pytest.mark.parametrize("confidence", [80, 95, 99.5])
def test_a_mean_is_regressed_on_its_proxy(confidence: float) -> None:
    generator = random.Random(4)
    proxies = [Fraction(generator.randrange(1000), 1000) for _ in range(60)]
    annotated = generator.sample(range(60), 15)
    scores = [proxies[i] / 3 + Fraction(generator.randrange(600), 1000) for i in annotated]
    n = len(annotated)
    # Straight from the definitions, in fractions.
    chosen = [proxies[number] for number in annotated]
    mean_x, mean_y = sum(chosen) / n, sum(scores) / n
    spread = sum((x - mean_x) ** 2 for x in chosen)
    weight = sum((x - mean_x) * (y - mean_y) for x, y in zip(chosen, scores, strict=True)) / spread
    off = mean_x - sum(proxies) / 60
    variance = Fraction(0)
    for x, y in zip(chosen, scores, strict=True):
        weighing = Fraction(1, n) - off * (x - mean_x) / spread
        residual = y - mean_y - weight * (x - mean_x)
        variance += weighing**2 * residual**2 / (1 - Fraction(1, n) - (x - mean_x) ** 2 / spread)
    variance *= 1 - Fraction(n, 60)
    found = of_mean([*map(float, scores)], [*map(float, proxies)], annotated, confidence)
    assert weight > 0
    assert found.weight == pytest.approx(float(weight))
    assert found.predicted.value == pytest.approx(float(mean_y - weight * off))
    assert found.predicted.error == pytest.approx(math.sqrt(variance))
    quantile = student_t.ppf(0.5 + confidence / 200, n - 2)
    assert reach(found.predicted.interval) == pytest.approx(quantile * math.sqrt(variance))


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 8, 13, 38, 261, 5000])
@pytest.mark.parametrize("confidence", [50, 90, 95, 99.9])
def test_students_quantiles(freedom: int, confidence: float) -> None:
    expected = student_t.ppf(0.5 + confidence / 200, freedom)
    assert student(freedom, confidence) == pytest.approx(expected, rel=1e-9)


# Perfect and useless proxies


def test_a_perfect_proxy_has_no_error() -> None:
    generator = random.Random(0)
    scores = [generator.random() for _ in range(50)]
    annotated = generator.sample(range(50), 12)
    # It may be biased and on a different scale.
    for proxies in (scores, [3 * score - 7 for score in scores]):
        found = of_mean([scores[number] for number in annotated], proxies, annotated)
        assert found.predicted.value == pytest.approx(sum(scores) / 50)
        assert reach(found.predicted.interval) < 1e-12
        assert found.sample.error > 0.01


@pytest.mark.parametrize(
    "proxies",
    [
        [0.3] * 20,
        [0.0] * 20,
        [0.1] * 10 + [0.9] * 10,  # varies, but not among the annotated ones
        [0.0] * 9 + [1.0] * 11,  # varies in only one annotated document
        [1 - kind for kind in KINDS],
    ],
    ids=["constant", "nothing", "constant where annotated", "one document", "the wrong way round"],
)
def test_a_useless_proxy_does_not_change_the_sample(proxies: list[float]) -> None:
    found = of_mean(SCORES, proxies, FIRST_TEN)
    assert found.weight == 0
    assert found.predicted == found.sample
    assert found.gain == 1


def test_all_documents_annotated() -> None:
    scores, proxies = [0.25, 0.5, 0.75], [0.1, 0.3, 0.2]
    found = of_mean(scores, proxies, [0, 1, 2])
    assert found.predicted == found.sample
    assert found.sample.value == 0.5
    assert found.sample.interval == (0.5, 0.5)
    assert found.sample.error == 0
    assert (found.weight, found.gain) == (0, 1)
    found = of_mean(SCORES, KINDS[:10], FIRST_TEN, target="population")
    assert found.predicted == found.sample
    assert found.sample.error**2 == pytest.approx(0.48 / 9 / 10)


def test_a_single_document_in_total() -> None:
    assert of_mean([0.25], [0.5], [0]).predicted.interval == (0.25, 0.25)


def test_scores_stay_between_0_and_1() -> None:
    scores = [1.0] * 9 + [0.9]
    proxies = [1.0, 0.99] * 4 + [0.98, 0.5] + [1.0] * 90
    found = of_mean(scores, proxies, FIRST_TEN)
    unbounded = found.sample.value - found.weight * (found.proxy_sample - found.proxy)
    assert unbounded > 1
    assert found.predicted.value == found.predicted.interval.high == 1
    assert found.sample.interval.high == 1


# Real scores


def test_every_metric_and_part() -> None:
    metrics = ["muc", "b3", "ceafe", "blanc", "lea", "conll"]
    full, proxy = random_systems(60, 5, metrics=metrics)
    annotated = random.Random(1).sample(range(60), 25)
    for average in ("micro", "macro"):
        score, stand_in = full.average(average), proxy.average(average)
        sample, drawn = score.select(annotated), stand_in.select(annotated)
        found = predict(sample.additive(), stand_in.additive(), annotated)
        assert list(found) == metrics
        for metric, parts in found.items():
            rated = metric != "conll"
            assert list(parts) == (["f1", "recall", "precision"] if rated else ["f1"])
            for part, one in parts.items():
                assert (one.metric, one.part) == (metric, part)
                assert one.sample.value == pytest.approx(getattr(sample[metric], part))
                assert one.proxy_sample == pytest.approx(getattr(drawn[metric], part))
                assert one.proxy == pytest.approx(getattr(stand_in[metric], part))
                corrected = one.sample.value - one.weight * (one.proxy_sample - one.proxy)
                assert one.predicted.value == pytest.approx(corrected)


def test_only_shared_metrics() -> None:
    full, other = random_systems(20, 5, metrics=["b3", "lea"])
    proxy, _ = random_systems(20, 5, metrics=["lea", "muc"])
    found = predict(full.select(range(12)).additive(), proxy.additive(), range(12))
    assert list(found) == ["lea"]
    everything = full.select(range(12)).additive(), other.additive(), range(12)
    assert list(predict(*everything, ["lea"])) == ["lea"]
    with raises("unknown", value="lee", near="lea", known=("b3", "lea")):
        predict(*everything, ["b3", "lee"])


def test_the_standard_error_is_that_of_the_jackknife() -> None:
    full, proxy = random_systems(100, 6)
    annotated = random.Random(2).sample(range(100), 30)
    sample = full.select(annotated)
    found = predict(sample.additive(), proxy.additive(), annotated)["b3"]["f1"]
    left_out = [sample.select([*range(i), *range(i + 1, 30)])["b3"].f1 for i in range(30)]
    mean = sum(left_out) / 30
    variance = 29 / 30 * sum((value - mean) ** 2 for value in left_out) * (1 - 30 / 100)
    assert found.sample.error == pytest.approx(math.sqrt(variance))


# Coverage of the intervals


@pytest.mark.long
@pytest.mark.parametrize("kind", ["good", "independent", "biased"])
def test_intervals_of_a_mean_cover_the_truth(kind: str) -> None:
    generator = random.Random(f"mean {kind}")
    hits = [0, 0]
    widths = [0.0, 0.0]
    away = []
    runs = 600
    for _ in range(runs):
        scores = [generator.betavariate(4, 3) for _ in range(100)]
        blur = [generator.betavariate(4, 3) for _ in scores]
        share = {"good": 0.2, "independent": 1.0, "biased": 0.3}[kind]
        proxies = [
            (1 - share) * score + share * other for score, other in zip(scores, blur, strict=True)
        ]
        if kind == "biased":
            proxies = [proxy**3 / 5 for proxy in proxies]
        annotated = generator.sample(range(100), 20)
        found = of_mean([scores[number] for number in annotated], proxies, annotated)
        truth = sum(scores) / 100
        for place, estimate in enumerate((found.sample, found.predicted)):
            low, high = estimate.interval
            hits[place] += low <= truth <= high
            widths[place] += high - low
        away.append((found.predicted.value - truth) / found.predicted.error)
    # Three standard errors of 600 runs are 2.7 points, and of a mean in standard errors 0.12.
    assert 0.92 <= hits[1] / runs <= 0.98
    assert abs(sum(away) / runs) < 0.2
    if kind == "independent":
        assert 0.95 < widths[1] / widths[0] < 1.05
    else:
        assert widths[1] / widths[0] < 0.6


def test_intervals_of_metrics_cover_the_truth() -> None:
    generator = random.Random(11)
    result, other = random_systems(250, 8)
    proxy = other.additive()
    runs = 400
    hits = dict.fromkeys(("b3", "ceafe", "conll"), 0)
    gains = dict.fromkeys(hits, 0.0)
    for _ in range(runs):
        annotated = generator.sample(range(250), 25)
        found = predict(result.select(annotated).additive(), proxy, annotated, list(hits))
        for metric in hits:
            low, high = found[metric]["f1"].predicted.interval
            hits[metric] += bool(low <= result[metric].f1 <= high)
            gains[metric] += found[metric]["f1"].gain / runs
    for metric in hits:
        assert 0.91 <= hits[metric] / runs <= 0.985
        assert gains[metric] < 0.95


# Comparing the annotated documents with all


def test_unlike() -> None:
    proxies = [number / 19 for number in range(20)]
    proxy = means(proxies)
    lowest = list(range(10))
    variance = sum((value - 0.5) ** 2 for value in proxies) / 19 * (1 / 10 - 1 / 20)
    expected = (sum(proxies[:10]) / 10 - 0.5) / math.sqrt(variance)
    assert unlike(proxy, lowest, "mean") == pytest.approx(expected)
    assert unlike(proxy, list(range(10, 20)), "mean") == pytest.approx(-expected)
    assert abs(unlike(proxy, list(range(0, 20, 2)), "mean")) < 1
    assert unlike(proxy, list(range(20)), "mean") == 0
    assert unlike(means([0.1] * 7), [1, 2], "mean") == 0
    assert unlike(means([0.1]), [0], "mean") == 0


def test_unlike_has_the_variance_of_chance() -> None:
    proxy = random_systems(80, 3)[0].additive()
    generator = random.Random(5)
    values = [unlike(proxy, generator.sample(range(80), 20), "b3", "recall") for _ in range(500)]
    assert abs(sum(values) / 500) < 0.2
    assert sum(value**2 for value in values) / 500 == pytest.approx(1, abs=0.25)


# Wrong arguments


def test_too_few_documents() -> None:
    assert LEAST == 10
    with raises("too-few-annotated", count=9, total=20, least=10):
        of_mean(SCORES[:9], KINDS, list(range(9)))
    with raises("too-few-annotated", count=3):
        of_mean([0.1, 0.2, 0.3], [0.1, 0.2, 0.3], [0, 1, 2], target="population")
    with raises("too-few-annotated", count=0):
        of_mean([], KINDS, [])
    with raises("too-few-annotated", count=0):
        of_mean([], [], [])


@pytest.mark.parametrize(
    ("annotated", "code", "values"),
    [
        (range(9), "annotated-numbers", {"count": 10, "numbers": 9}),
        (range(11, 21), "annotated-outside", {"number": 20, "count": 20}),
        (range(-1, 9), "annotated-outside", {"number": -1}),
        ([0, *range(9)], "annotated-twice", {}),
        ([number / 2 for number in range(10)], "annotated-not-numbers", {}),
        ([True] * 10, "annotated-not-numbers", {}),
        ([["0"]] * 10, "annotated-not-numbers", {}),
    ],
)
def test_wrong_numbers(annotated: Sequence[int], code: str, values: dict[str, int]) -> None:
    with raises(code, **values):
        of_mean(SCORES, KINDS, annotated)


def test_wrong_options() -> None:
    with raises("unknown", what="target", near="corpus"):
        of_mean(SCORES, KINDS, FIRST_TEN, target="corpora")
    with raises("not-a-number", name="confidence"):
        of_mean(SCORES, KINDS, FIRST_TEN, confidence=0.95)
    with raises("unknown", value="b3", known=("mean",)):
        unlike(means(KINDS), FIRST_TEN, "b3")
    with raises("unknown", what="part", near="f1"):
        unlike(means(KINDS), FIRST_TEN, "mean", "f2")
    with raises("no-part", metric="mean", part="recall"):
        unlike(means(KINDS), FIRST_TEN, "mean", "recall")
    with raises("nothing-annotated"):
        unlike(means(KINDS), [], "mean")
