"""The scores of a document do not depend on its format."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import sameas
from effort import examples
from sameas.formats.declarations import WRITTEN
from sameas.formats.writing import format_of

Clusters = list[list[tuple[int, int]]]

FILES = ("d.conll", "d.conllu", "d.conllua", "d.ann", "d.csv", "d.tsv", "d.parquet", "d.arrow")
WORDS = 6

spans = st.tuples(st.integers(0, WORDS - 1), st.integers(0, WORDS - 1)).map(
    lambda ends: (min(ends), max(ends))
)


def uncrossed(cluster: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Drop mentions that cross an earlier one, which brackets cannot represent."""
    kept: list[tuple[int, int]] = []
    for first, last in cluster:
        if not any(a < first <= b < last or first < a <= last < b for a, b in kept):
            kept.append((first, last))
    return kept


clusters = st.lists(st.lists(spans, min_size=1, max_size=4).map(uncrossed), min_size=1, max_size=4)


def written(name: str, found: Clusters, folder: Path) -> Path:
    """Write a document in which the last word of each mention is its head and minimum."""
    path = folder / f"{name}.jsonl"
    record = {
        "doc_key": "d",
        "sentences": [[f"w{number}" for number in range(WORDS)]],
        "clusters": found,
        "heads": [[last for _, last in cluster] for cluster in found],
        "minima": [[[last] for _, last in cluster] for cluster in found],
    }
    path.write_text(json.dumps(record) + "\n")
    return path


def scores(key: Path, response: Path, policy: str, match: str) -> dict[str, float]:
    result = sameas.score(key, response, duplicates=policy, match=match)
    return {name: result[name].f1 for name in result.metrics}


#: What a format must hold for each kind of matching.
NEEDS = {"exact": set(), "head": {"heads"}, "partial": {"heads"}, "min": {"minima"}}


@pytest.mark.parametrize("match", NEEDS)
@pytest.mark.parametrize("policy", ["first", "last", "merge"])
@example([[(0, 0), (2, 2)], [(0, 2), (0, 0), (2, 2)]], [[(0, 0), (2, 2)]])
@example([[(0, 0)], [(0, 0), (1, 1)], [(0, 0), (1, 1), (2, 2)]], [[(0, 0), (1, 1)]])
@given(clusters, clusters)
@settings(max_examples=examples(25), deadline=None)
def test_repeated_mentions_score_the_same_in_every_format(
    policy: str, match: str, ours: Clusters, theirs: Clusters
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        key, response = written("key", ours, folder), written("response", theirs, folder)
        expected = scores(key, response, policy, match)
        assert scores(written("reversed", ours[::-1], folder), response, policy, match) == expected
        for file in FILES:
            if not WRITTEN[format_of(file)] >= NEEDS[match]:
                continue
            converted = folder / "converted" / file
            converted.parent.mkdir(exist_ok=True)
            sameas.save(sameas.read(key, role="key"), converted)
            other = response
            if file == "d.ann":  # characters are not compared with words
                other = folder / "response" / "d.ann"
                other.parent.mkdir(exist_ok=True)
                sameas.save(sameas.read(response, role="key"), other)
            assert scores(converted, other, policy, match) == expected, file
