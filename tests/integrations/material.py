"""Libraries that may be missing, and random documents, for the tests of the adapters."""

from __future__ import annotations

import importlib
import os
import random
from typing import Any

import pytest

import sameas

Clusters = list[list[tuple[int, int]]]


def library(name: str) -> Any:
    """Return the library; if missing, skip the tests unless SAMEAS_INTEGRATIONS=required."""
    if os.environ.get("SAMEAS_INTEGRATIONS") == "required":
        return importlib.import_module(name)
    return pytest.importorskip(name)


def random_pairs(number: int, seed: int, length: int = 30) -> list[tuple[Clusters, Clusters]]:
    """Return random keys and responses: missing and spurious mentions, singletons, empty ones."""
    source = random.Random(seed)

    def clusters(mentions: list[tuple[int, int]]) -> Clusters:
        found: dict[int, list[tuple[int, int]]] = {}
        for mention in mentions:
            found.setdefault(source.randrange(1 + length // 3), []).append(mention)
        return list(found.values())

    pairs = []
    for _ in range(number):
        mentions = [(first, first + source.randrange(3)) for first in range(length)]
        kept = [
            [mention for mention in mentions if source.random() < share]
            for share in (source.choice((0, 0.5, 0.9)), source.choice((0, 0.6, 0.9)))
        ]
        pairs.append((clusters(kept[0]), clusters(kept[1])))
    return pairs


def scored(pairs: list[tuple[Clusters, Clusters]], **options: Any) -> sameas.Result:
    """Return the result of `sameas.score` for the documents."""
    sides = [
        [
            sameas.Document.from_clusters(f"d{number}", pair[side])
            for number, pair in enumerate(pairs)
        ]
        for side in (0, 1)
    ]
    return sameas.score(*sides, **options)


def flat(result: sameas.Result) -> dict[str, float]:
    """Return its numbers under flat names, by a second implementation."""
    found = {}
    for name in result:
        score = result[name]
        if score.recall is not None:
            found[f"{name}_recall"], found[f"{name}_precision"] = score.recall, score.precision
            found[f"{name}_f1"] = score.f1
        elif name == "conll":
            found["conll_f1"] = score.f1
        else:
            found[name] = score.value
    return found
