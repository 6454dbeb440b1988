"""Random keys and responses, and checks of their errors and repairs."""

import random
from collections.abc import Hashable, Iterable, Sequence
from itertools import chain, combinations
from typing import Any

import numpy as np

import brute_analysis
import sameas
from brute_analysis import KINDS, place, span_errors
from sameas import Analysis, Document, Result
from simulation import clusters

Clusters = Sequence[Sequence[Hashable]]
Pair = tuple[Clusters, Clusters]  # key and response of one document

#: Metrics of offsets cannot score a repaired response, which no file contains.
METRICS = [name for name, metric in sameas.METRICS.items() if metric.places is None]
SUBSETS = [kinds for size in range(len(KINDS) + 1) for kinds in combinations(KINDS, size)]


SPANS = [(first, last) for last in (3, 5, 8) for first in range(max(last - 4, 0), last + 1)]


def as_items(clusters: Iterable[Iterable[int]]) -> list[list[str]]:
    """Return mentions without a text."""
    return [[f"m{mention}" for mention in entity] for entity in clusters]


def random_pairs(size: int, seed: int, kind: str, largest: int = 8) -> list[Pair]:
    """Return documents with missing and extra mentions and singletons; of items, words or spans.

    Many spans share their last word, which is their head if there is no text.
    """
    generator = random.Random(seed)
    presences = [0.3, 0.4, 0.6, 0.8] if kind == "spans" else [0.0, 0.5, 0.8, 1.0]
    pairs: list[Pair] = []
    for _ in range(size):
        mentions = generator.randint(0, largest)
        spans = generator.sample(SPANS, mentions) if kind == "spans" else []

        def random_side(mentions: int = mentions, spans: list[Any] = spans) -> Clusters:
            entities, presence = generator.randint(1, 5), generator.choice(presences)
            found = clusters(
                [
                    generator.randrange(entities) if generator.random() < presence else -1
                    for _ in range(mentions)
                ]
            )
            if kind == "items":
                return as_items(found)
            return [[spans[m] if spans else (m, m) for m in entity] for entity in found]

        pairs.append((random_side(), random_side()))
    return pairs


def documents(sides: Iterable[Iterable[Iterable[Hashable]]]) -> list[Document]:
    return [
        Document.from_clusters(f"document {number:05}", [list(entity) for entity in entities])
        for number, entities in enumerate(sides)
    ]


def analyse(pairs: Sequence[Pair], **options: Any) -> Analysis:
    key, response = zip(*pairs, strict=True)
    return sameas.analyse(documents(key), documents(response), metrics=METRICS, **options)


def in_text(pairs: Sequence[Pair]) -> bool:
    return all(isinstance(m, tuple) for pair in pairs for side in pair for e in side for m in e)


def brute(pair: Pair, drop: bool = False) -> brute_analysis.Document:
    """Return a document for brute force, optionally without singletons, as in scoring."""
    key, response = ([e for e in side if len(e) > drop] for side in pair)
    if in_text([pair]):
        meant = span_errors(chain(*key), chain(*response), lambda span: span[1])
        return brute_analysis.Document(key, response, place, meant)
    # Mentions without a text are in listed order, those of the key first.
    rank = {mention: number for number, mention in enumerate(dict.fromkeys(chain(*key, *response)))}
    return brute_analysis.Document(key, response, lambda mention: (rank[mention],))


def close(one: Any, other: Any) -> bool:
    return bool(np.allclose(one, other, rtol=1e-12, atol=1e-12))


def same_scores(one: Result, other: Result) -> bool:
    """Return whether scores are equal except for the order of summation."""
    return all(
        close(ours, theirs)
        for metric in METRICS
        for ours, theirs in zip(
            one.statistics.columns[metric], other.statistics.columns[metric], strict=True
        )
    )


# Boundaries


def check_perfect(result: Result, keys: Iterable[Clusters], blanc: str = "luo2014") -> None:
    """Check that all scores are 1, if there is anything to score.

    MUC and the pairwise score count links, and the Rand indices pairs of mentions in one document.
    Without any, they are 0, and the CoNLL average, which includes MUC, is less than 1. All others
    need a mention, except BLANC of 2014, which needs nothing, while the scorers' BLANC needs a link.
    """
    keys = list(keys)
    mentions = any(keys)
    coreference = any(len(entity) > 1 for key in keys for entity in key)
    pairs = any(len(list(chain(*key))) > 1 for key in keys)
    for metric in METRICS:
        score = result[metric]
        if metric == "blanc":
            right = blanc in ("luo2014", "gold") or pairs
        elif metric in ("muc", "pairwise", "conll"):
            right = coreference
        else:
            right = pairs if metric in ("rand", "ari") else mentions
        if right:
            assert score.value == 1.0, metric
            assert score.recall in (1.0, None) and score.precision in (1.0, None), metric
        elif metric != "conll":
            assert score.value == 0.0, metric
        else:
            assert score.value == (2 / 3 if mentions else 0), metric


def noted(analysis: Analysis) -> set[tuple[str, bool, str]]:
    """Return the same falls from the remarks."""
    titles = {sameas.METRICS[name].title: name for name in METRICS}
    found = set()
    for remark in analysis.remarks:
        if remark.code == "repair-lowers":
            for title, amount in (part.rsplit(" by ", 1) for part in remark.values["metrics"]):
                assert float(amount) >= 0
                for when in remark.values["when"].split(", "):
                    kind = remark.values["how"].replace("-", " ")
                    found.add((kind, when == "alone", titles[title]))
    return found


def words(text: str) -> Clusters:
    """Return clusters written as `abc de`; a mention is one word, named by its letter."""
    return [[(ord(m) - ord("a"),) * 2 for m in entity] for entity in text.split()]
