"""Prediction-powered inference: estimate the score of all documents when only some are annotated.

A proxy (a score that needs no key) is known for all N documents, the score itself only for the n
annotated ones. If these were drawn at random, the proxy's score on them differs from that on all
documents only by chance. If score and proxy are correlated, this difference shows by how much the
score is off, too (Angelopoulos et al. 2023, 10.1126/science.adi6000)::

    estimate = score(annotated) − λ · (proxy(annotated) − proxy(all))

A biased proxy does no harm, because its bias cancels out. λ, the weight of the proxy, is estimated
from the annotated documents (the power tuning of PPI++, Angelopoulos et al. 2023, arXiv
2311.01453), so the weight of a useless proxy is close to 0. For one given corpus this is the
regression estimator of survey sampling (Cochran 1977, chapter 7).

Like `resampling`, this module works only on arrays. The influence of a document on a score is found
by omitting it (the jackknife), so the method works for every score that is a function of sums over
documents.
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

LEAST = 10  # with fewer documents, estimating λ usually costs more than a proxy gains
TARGETS = ("corpus", "population")
_PARTS = {"f1": "value", "recall": "recall", "precision": "precision"}


@dataclass(frozen=True)
class Estimate:
    """An estimated score, its confidence interval, and its standard error.

    >>> Estimate(0.5, Interval(0.4, 0.6), 0.05).interval.high
    0.6
    """

    value: float
    interval: Interval
    error: float


@dataclass(frozen=True)
class Prediction:
    """A score of all documents, estimated from the annotated ones without and with the proxy.

    `predicted.value` is `sample.value - weight * (proxy_sample - proxy)`, clipped to 0 … 1.

    >>> sample = Estimate(0.5, Interval(0.4, 0.6), 0.05)
    >>> predicted = Estimate(0.52, Interval(0.45, 0.59), 0.035)
    >>> found = Prediction("b3", "f1", 30, 200, sample, predicted, 0.72, 0.7, 1.0)
    >>> round(found.gain, 2)
    0.7
    """

    metric: str
    part: str  # f1, recall or precision
    annotated: int  # documents
    documents: int  # total number of documents
    sample: Estimate  # from the annotated documents only
    predicted: Estimate  # from these and the proxy
    proxy: float  # the proxy's score on all documents
    proxy_sample: float  # the proxy's score on the annotated ones
    weight: float  # λ: by how much the score is off if the proxy is off by 1; 0 if it is useless

    @property
    def gain(self) -> float:
        """The width of the interval with the proxy, divided by that without it."""
        widths = [one.interval.high - one.interval.low for one in (self.predicted, self.sample)]
        return widths[0] / widths[1] if widths[1] > 0 else 1.0


def means(values: Sequence[float]) -> Additive:
    """Return a proxy or score of your own: one number per document, and their mean as `mean`.

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
    """Estimate the scores of all documents, keyed by metric and part (`f1`, `recall`, `precision`).

    `proxy` has a row for every document. `full` has one for each annotated document, in the order
    of `annotated`, which contains their row numbers in `proxy`. The documents must be drawn at
    random; `unlike` checks this. `metrics` defaults to all metrics that both have. Scores must be
    from 0 to 1; the proxy may have any scale.

    The target is the score of this `corpus`, which annotating all documents would determine
    exactly, or the score of the `population` from which the documents are drawn.

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
    Resampling(confidence=confidence)  # raises an error if the level is wrong
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
    """Estimate one part of one metric, without and with the proxy."""
    score, stand_in = _influences(full, metric, part), _influences(drawn, metric, part)
    whole = getattr(proxy.total[metric], _PARTS[part]).item()
    n, documents = len(full.rows), len(proxy.rows)
    # If V is the variance of one document, the mean of n of N documents varies about the mean of
    # all N with variance (1/n − 1/N)·V, and the mean of all N about that of the population with
    # V/N.
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
    """Return by how many standard errors the proxy's score on the annotated documents is off.

    It is compared with the proxy's score on all documents. If the documents were drawn at random,
    an absolute value above 2 is rare and one above 3 almost impossible.

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
    """Return the indices of the annotated documents; raise `UsageError` if invalid or repeated."""
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
    """A score, and the influence of each document: n − 1 times the loss from omitting it.

    Influences are centred: their mean, which is close to 0, is subtracted. If the score is a mean
    over documents, they are the documents' differences from it. `flat` is true if the influences
    differ only by rounding errors.
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
    # Here and below, sums are rounded once, so that the order of documents changes no digit.
    mean = math.fsum(without) / len(without)
    flat = bool(np.abs(without - mean).max() <= CLOSE * np.abs(without).max())
    return _Influences(whole.item(), (len(without) - 1) * (mean - without), flat)


def _variance(values: Floats) -> float:
    """Return the variance of values with mean 0."""
    return math.fsum(values * values) / (len(values) - 1) if len(values) > 1 else 0.0


def _regression(score: _Influences, stand_in: _Influences, off: float) -> tuple[float, float]:
    """Return the weight of the proxy, and the variance per document that remains.

    λ = Σxy / Σx², where y and x are the influences of documents on score and proxy. A negative λ
    would mean that the score is high where its proxy is low. In that case the proxy is of no use;
    neither is a proxy that does not vary, or varies in one document only.

    Correcting with λ is equivalent to weighting documents by u = 1 − n·off·x/Σx², which makes the
    proxy's score on the annotated documents equal to that on all. The variance is the mean of
    u²e²/(1 − h). The residuals e = y − λx are weighted like their documents (Särndal, Swensson &
    Wretman 1989) and enlarged for their leverage h = 1/n + x²/Σx² (HC2, MacKinnon & White 1985).
    Without both, intervals are too narrow for few documents; omitting documents and refitting λ
    makes them too wide.
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
    """Return the half-width of an interval in standard errors, from Student's t distribution.

    For an integer ν of degrees of freedom, the probability of |t| < √ν·tan θ is a finite sum of
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
