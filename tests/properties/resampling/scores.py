"""Random documents and their scores, for resampling."""

from collections.abc import Iterator, Sequence

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

import sameas
from effort import examples
from sameas.results.result import DocumentResult
from simulation import clusters

Clusters = list[list[int]]
Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
EVERY_METRIC = list(sameas.METRICS)
AVERAGES = ["micro", "macro"]
few = settings(deadline=None, max_examples=examples(25))


# Documents


def sides(mentions: int, number: int) -> st.SearchStrategy[tuple[Clusters, ...]]:
    """Generate key and responses of a document; sometimes singletons, one entity, or nothing."""
    anything = st.lists(st.integers(-1, 4), min_size=mentions, max_size=mentions)
    extremes = st.sampled_from([list(range(mentions)), [0] * mentions, [-1] * mentions])
    side = st.one_of(anything, anything, extremes).map(clusters)
    return st.tuples(*[side] * number)


def corpora(number: int, least: int, most: int) -> st.SearchStrategy[list[tuple[Clusters, ...]]]:
    document = st.integers(0, 7).flatmap(lambda mentions: sides(mentions, number))
    return st.lists(document, min_size=least, max_size=most)


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


def alone(document: DocumentResult, metric: str) -> float:
    """Return the score of a document; 1 if there is nothing to count."""
    parts = sameas.METRICS[metric].average_of
    if parts:
        return sum(alone(document, part) for part in parts) / len(parts)
    result = document.result
    counted = any(result.statistics.row(metric, document.number))
    if result.settings.average == "macro":
        counted = bool(result.rates_by_document(metric)[1][document.number])
    return document[metric].value if counted else 1.0


# Random matrices


def whole(parts: Iterator[Floats]) -> Floats:
    return np.vstack(list(parts))


# Comparisons


def compare(
    one: sameas.Result, other: sameas.Result, **options: object
) -> dict[str, sameas.analysis.Difference]:
    """Compare the second system with the first, metric by metric."""
    comparing = sameas.settings.Comparing(**{"samples": 100, **options})
    return dict(
        sameas.analysis.compare_results({"one": one, "other": other}, comparing)["other", "one"]
    )
