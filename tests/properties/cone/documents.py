"""Random documents with names, and their scores."""

from __future__ import annotations

from typing import Any

from hypothesis import settings

import sameas
from effort import examples

fewer = settings(deadline=None, max_examples=examples(25))


def numbers(result: sameas.Result) -> list[Any]:
    """Return all numbers of a result, in total and by document."""
    found: list[Any] = [len(result)]
    for one in (result, *result.documents):
        for metric in result.metrics:
            score = one[metric]
            parts = [score, *(p for p in (score.coref, score.noncoref) if p is not None)]
            found += [
                (metric, part.recall, part.precision, part.f1, part.value, part.counts)
                for part in parts
            ]
    return found
