"""Prediction-powered inference: the score of all documents, where only some are annotated.

A proxy (a score that needs no key) is known of all N documents, the score itself of the n that were
annotated. If these were drawn by chance, the proxy's score on them differs from that on all
documents by chance alone, and where score and proxy go together, that difference tells by how much
the score is off as well (Angelopoulos et al. 2023, 10.1126/science.adi6000)::

    estimate = score(annotated) − λ · (proxy(annotated) − proxy(all))

A biased proxy does no harm, as its bias is in both terms. λ, the weight of the proxy, is estimated
from the annotated documents (the power tuning of PPI++, Angelopoulos et al. 2023, arXiv
2311.01453), so that a useless proxy weighs next to nothing. For one given corpus this is the
regression estimator of survey sampling (Cochran 1977, chapter 7).

Sees only arrays, as `resampling` does. What a document does to a score is learnt from leaving it
out (the jackknife), so that every score works that is a function of sums over documents.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from sameas.arithmetic.scores import Rates, ratio
from sameas.chance.resampling import CLOSE, Additive, Floats, Interval, Ints, exactly_additive
from sameas.errors import UsageError, unknown
from sameas.settings import Resampling

__all__ = ["LEAST", "TARGETS", "Estimate", "Prediction", "means", "predict", "student", "unlike"]

LEAST = 10  # documents, below which estimating λ costs more than a proxy commonly gives
TARGETS = ("corpus", "population")
_PARTS = {"f1": "value", "recall": "recall", "precision": "precision"}


@dataclass(frozen=True)
class Estimate:
    """An estimated score, the interval it lies in, and its standard error.

    >>> Estimate(0.5, Interval(0.4, 0.6), 0.05).interval.high
    0.6
    """

    value: float
    interval: Interval
    error: float


@dataclass(frozen=True)
class Prediction:
    """A score of all documents, estimated from the annotated ones without and with the proxy.

    `predicted.value` is `sample.value - weight * (proxy_sample - proxy)`, if that is from 0 to 1.

    >>> sample = Estimate(0.5, Interval(0.4, 0.6), 0.05)
    >>> predicted = Estimate(0.52, Interval(0.45, 0.59), 0.035)
    >>> found = Prediction("b3", "f1", 30, 200, sample, predicted, 0.72, 0.7, 1.0)
    >>> round(found.gain, 2)
    0.7
    """

    metric: str
    part: str  # f1, recall or precision
    annotated: int  # documents
    documents: int  # documents in all
    sample: Estimate  # from the annotated documents alone
    predicted: Estimate  # from these and the proxy
    proxy: float  # the proxy's score on all documents
    proxy_sample: float  # the proxy's score on the annotated ones
    weight: float  # λ: by how much the score is off where the proxy is off by 1; 0: it is of no use

    @property
    def gain(self) -> float:
        """The width of the interval with the proxy, as a share of that without it."""
        widths = [one.interval.high - one.interval.low for one in (self.predicted, self.sample)]
        return widths[0] / widths[1] if widths[1] > 0 else 1.0


def means(values: Sequence[float]) -> Additive:
    """One number a document, and their mean as the metric `mean`: a proxy, or a score, of your own.

    >>> means([0.25, 0.75]).total["mean"].value.item()
    0.5
    """
    numbers: Floats = np.array(values, dtype=np.float64)
    rows = exactly_additive(np.column_stack([numbers, np.ones_like(numbers)]))

    def rates(sums: Floats) -> dict[str, Rates]:
        return {"mean": Rates(None, None, ratio(*sums.T))}

    return Additive(rows, rates, {"mean": (0, 1)}, {"mean": ratio}, {"mean": numbers})


def predict(
    full: Additive,
    proxy: Additive,
    annotated: Sequence[int],
    metrics: Sequence[str] | None = None,
    *,
    confidence: float = 95,
    target: str = "corpus",
) -> dict[str, dict[str, Prediction]]:
    """Estimate the scores of all documents, by metric and part (`f1`, `recall`, `precision`).

    `proxy` has a row for every document, `full` one for each that is annotated, in the order of
    `annotated`, which are their numbers among the rows of `proxy`. They must have been drawn by
    chance, see `unlike`. `metrics` are all that both have, unless they are named. Scores are from 0
    to 1; the proxy may be on any scale.

    The target is the score of this very `corpus`, where annotating all documents would leave no
    doubt, or that of the `population` these documents are drawn from.

    >>> proxy = [number / 100 for number in range(100)]
    >>> score = [one / 2 + (0.3 if number % 2 else 0.2) for number, one in enumerate(proxy)]
    >>> drawn = [1, 8, 20, 22, 35, 41, 47, 60, 66, 70, 71, 83]
    >>> found = predict(means([score[number] for number in drawn]), means(proxy), drawn)
    >>> found = found["mean"]["f1"]
    >>> round(found.sample.value, 3), round(found.predicted.value, 3), round(found.gain, 2)
    (0.468, 0.499, 0.38)
    >>> round(sum(score) / 100, 4)
    0.4975
    """
    numbers = _chosen(proxy, annotated)
    if len(numbers) != len(full.rows):
        raise UsageError("annotated-numbers", count=len(full.rows), numbers=len(numbers))
    Resampling(confidence=confidence)  # says what is wrong with it
    if target not in TARGETS:
        raise unknown("target", target, TARGETS)
    whole = 0 < len(numbers) == len(proxy.rows) and target == "corpus"
    if len(numbers) < LEAST and not whole:
        total = len(proxy.rows)
        raise UsageError("too-few-annotated", count=len(numbers), total=total, least=LEAST)
    both = [metric for metric in full.columns if metric in proxy.columns]
    for metric in () if metrics is None else metrics:
        if metric not in both:
            raise unknown("metric of both score and proxy", metric, both)
    drawn = _select(proxy, numbers)
    return {
        metric: {
            part: _predict(full, drawn, proxy, metric, part, confidence, target)
            for part in _PARTS
            if _has_part(full, metric, part) and _has_part(proxy, metric, part)
        }
        for metric in (both if metrics is None else metrics)
    }


def _predict(
    full: Additive,
    drawn: Additive,
    proxy: Additive,
    metric: str,
    part: str,
    confidence: float,
    target: str,
) -> Prediction:
    """Estimate one part of one metric without the proxy, and with it."""
    score, stand_in = _influences(full, metric, part), _influences(drawn, metric, part)
    whole = getattr(proxy.total[metric], _PARTS[part]).item()
    n, documents = len(full.rows), len(proxy.rows)
    # n of N documents: the variance of their mean about the mean of all N is (1/n − 1/N) of that of
    # a document; that of the mean of all N about the mean of the population is 1/N of the same.
    share = 1 / n - 1 / documents
    alone = _variance(score.values)
    beyond = alone / documents if target == "population" else 0.0

    def estimate(value: float, variance: float, freedom: int) -> Estimate:
        error = math.sqrt(share * variance + beyond)
        reach = error * student(freedom, confidence) if error else 0.0
        low, middle, high = (
            min(1.0, max(0.0, end)) for end in (value - reach, value, value + reach)
        )
        return Estimate(middle, Interval(low, high), error)

    sample = predicted = estimate(score.value, alone, n - 1)
    off = stand_in.value - whole
    weight, variance = (0.0, alone) if n == documents else _regression(score, stand_in, off)
    if weight:
        predicted = estimate(score.value - weight * off, variance, n - 2)
    estimates = sample, predicted, whole, stand_in.value
    return Prediction(metric, part, n, documents, *estimates, weight)


def unlike(proxy: Additive, annotated: Sequence[int], metric: str, part: str = "f1") -> float:
    """How many standard errors the proxy's score of the annotated documents is from that of all.

    Beyond 2 either way is rare, and beyond 3 hardly ever seen, if they were drawn by chance.

    >>> proxy = means([number / 10 for number in range(11)])
    >>> [round(unlike(proxy, drawn, "mean"), 2) for drawn in ([1, 4, 6, 8], [7, 8, 9, 10])]
    [-0.19, 2.65]
    """
    numbers = _chosen(proxy, annotated)
    if metric not in proxy.columns:
        raise unknown("metric", metric, proxy.columns)
    if part not in _PARTS:
        raise unknown("part", part, _PARTS)
    if not len(numbers):
        raise UsageError("nothing-annotated")
    if not _has_part(proxy, metric, part):
        raise UsageError("no-part", metric=metric, part=part)
    every, drawn = (_influences(one, metric, part) for one in (proxy, _select(proxy, numbers)))
    error = math.sqrt(_variance(every.values) * (1 / len(numbers) - 1 / len(proxy.rows)))
    return 0.0 if every.flat or not error else (drawn.value - every.value) / error


def _chosen(proxy: Additive, annotated: Sequence[int]) -> Ints:
    """The numbers of the annotated documents, if each is one of a document and none comes twice."""
    numbers: Any = np.asarray(annotated)
    if numbers.ndim != 1 or (len(numbers) and numbers.dtype.kind not in "iu"):
        raise UsageError("annotated-not-numbers")
    chosen: Ints = numbers.astype(np.int64)
    outside = chosen[(chosen < 0) | (chosen >= len(proxy.rows))]
    if len(outside):
        raise UsageError("annotated-outside", number=int(outside[0]), count=len(proxy.rows))
    if len(np.unique(chosen)) < len(chosen):
        raise UsageError("annotated-twice")
    return chosen


def _select(source: Additive, numbers: Ints) -> Additive:
    by_document = {metric: values[numbers] for metric, values in source.by_document.items()}
    return replace(source, rows=source.rows[numbers], by_document=by_document)


class _Influences(NamedTuple):
    """A score, and what each document does to it: n − 1 times what leaving it out takes away.

    Their mean, which is nearly 0, is taken off. For a mean of documents they are the documents'
    differences from it. `flat` if they differ by no more than rounding does.
    """

    value: float
    values: Floats
    flat: bool


def _has_part(source: Additive, metric: str, part: str) -> bool:
    return getattr(source.total[metric], _PARTS[part]) is not None


def _influences(source: Additive, metric: str, part: str) -> _Influences:
    whole, without = (
        getattr(rates[metric], _PARTS[part]) for rates in (source.total, source.jackknife)
    )
    # Sums are rounded once, here and below, so that the order of documents changes no digit.
    mean = math.fsum(without) / len(without)
    flat = bool(np.abs(without - mean).max() <= CLOSE * np.abs(without).max())
    return _Influences(whole.item(), (len(without) - 1) * (mean - without), flat)


def _variance(values: Floats) -> float:
    """The variance of values with mean 0."""
    return math.fsum(values * values) / (len(values) - 1) if len(values) > 1 else 0.0


def _regression(score: _Influences, stand_in: _Influences, off: float) -> tuple[float, float]:
    """The weight of the proxy, and the variance that it leaves to a document.

    λ = Σxy / Σx², where y and x are what documents do to score and proxy. Less than 0 would
    say that the score is high where its proxy is low: then, and where the proxy does not vary, or
    in one document only, it is of no use.

    To correct by λ is to weigh documents by u = 1 − n·off·x/Σx², so that the proxy's score on the
    annotated ones becomes that on all. The variance is the mean of u²e²/(1 − h): residuals e = y −
    λx weighted as their documents are (Särndal, Swensson & Wretman 1989), and made larger where the
    line had to follow them, h = 1/n + x²/Σx² (HC2, MacKinnon & White 1985). Without either,
    intervals are too narrow for few documents; leaving out documents and fitting λ anew makes them
    too wide.
    """
    x, y, n = stand_in.values, score.values, len(score.values)
    if stand_in.flat:
        return 0.0, _variance(y)
    spread, together = math.fsum(x * x), math.fsum(x * y)
    leverage = 1 / n + x * x / spread
    correlated = together > CLOSE * math.sqrt(spread * math.fsum(y * y))
    if not correlated or leverage.max() >= 1 - CLOSE:
        return 0.0, _variance(y)
    weight = together / spread
    residual = y - weight * x
    weights = 1 - n * off * x / spread
    return weight, math.fsum((weights * residual) ** 2 / (1 - leverage)) / n


@cache
def student(freedom: int, confidence: float) -> float:
    """How many standard errors an interval reaches to either side, by Student's t.

    For a whole number ν of degrees of freedom, the probability of |t| < √ν·tan θ is a finite sum of
    powers of cos θ (Abramowitz & Stegun 1964, 26.7.3 and 26.7.4).

    >>> [round(student(freedom, 95), 3) for freedom in (1, 2, 10, 1000)]
    [12.706, 4.303, 2.228, 1.962]
    """
    odd = freedom % 2
    place = np.arange(freedom // 2)
    step = (2 * place - 1 + odd) / (2 * place + odd + (place == 0))
    factor = np.cumprod(np.where(place == 0, 1.0, step))
    power = 2 * place + odd

    def within(angle: float) -> float:
        total: float = math.sin(angle) * (factor * math.cos(angle) ** power).sum().item()
        return 2 / math.pi * (angle + total) if odd else total

    low, high = 0.0, math.pi / 2
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if within(middle) < confidence / 100 else (low, middle)
    return math.sqrt(freedom) * math.tan(low)
