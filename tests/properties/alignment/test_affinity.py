"""Affinities of random corpora, compared with brute force equation by equation."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import brute_alignment as brute
from properties.alignment.corpora import (
    Corpus,
    by_name,
    cells,
    corpora,
    few,
    many,
    matrices,
    matrix,
    sides,
    small,
    some,
    table,
)
from sameas.names import affinity
from sameas.names.affinity import NOTHING, UNSEEN, Aligned

# Equations 1 and 2


@many
@given(corpora(), cells)
def test_no_alignment_is_nearer(corpus: Corpus, numbers: list[float]) -> None:
    source, target = sides(corpus)
    distance = table(near := matrix(numbers, source, target), source, target)
    found = affinity.align(source, target, near)
    least = [brute.nearest(e, c, distance) for e, c in corpus]
    assert found.distance == pytest.approx(math.fsum(least), rel=1e-12)
    links = by_name(source, found.links)
    for (e, c), own, best in zip(corpus, links, least, strict=True):
        linked = [j for j in own if j is not None]
        assert linked == sorted(set(linked))  # in order, without repeats
        assert all(0 <= j < len(c) for j in linked)
        path = brute.path_of(own, len(c))
        assert brute.length(path, e, c, distance) == pytest.approx(best, rel=1e-12)


@many
@given(corpora(pairs=1), matrices(small))
def test_of_equally_near_alignments_the_one_that_links_earlier_letters(
    corpus: Corpus, numbers: list[float]
) -> None:
    """No other alignment with the same number of links has earlier letters."""
    source, target = sides(corpus)
    distance = table(near := matrix(numbers, source, target), source, target)
    found = affinity.align(source, target, near)
    ((e, c),) = corpus
    own = [i for i, j in enumerate(found.links) if j != NOTHING]
    for path in brute.alignments(len(e), len(c)):
        if brute.length(path, e, c, distance) == found.distance:
            other = [i for i, j in path if i is not None and j is not None]
            if len(other) == len(own):
                assert own <= other


@few
@given(corpora(pairs=8), st.sampled_from(["even", "random"]), st.integers(0, 9))
def test_the_start_is_an_alignment(corpus: Corpus, kind: str, seed: int) -> None:
    """All letters of the shorter name are linked."""
    source, target = sides(corpus)
    found = affinity.start(source, target, kind, seed)
    for (e, c), own in zip(corpus, by_name(source, found.links), strict=True):
        linked = [j for j in own if j is not None]
        assert linked == sorted(set(linked))
        assert len(linked) == min(len(e), len(c))
        assert all(0 <= j < len(c) for j in linked)
    again = affinity.start(source, target, kind, seed)
    assert again.links.tolist() == found.links.tolist()


# Equations 3 to 5


@many
@given(corpora(), st.integers(0, 99))
def test_affinities_are_counts_and_distances_their_logarithms(corpus: Corpus, seed: int) -> None:
    source, target = sides(corpus)
    links = affinity.start(source, target, "random", seed).links
    counts = affinity.affinity(source, target, links)
    plain = brute.counted(
        (e, c, own) for (e, c), own in zip(corpus, by_name(source, links), strict=True)
    )
    assert {cell: count for cell, count in table(counts, source, target).items() if count} == plain
    probabilities = brute.conditional(plain)
    near = affinity.distances(counts)
    for cell, distance in table(near, source, target).items():
        if cell in probabilities:
            assert distance == pytest.approx(-math.log(probabilities[cell]), rel=1e-12, abs=1e-12)
        else:
            assert distance == UNSEEN
    for row, of_row in zip(counts, near, strict=True):
        if row.any():
            assert math.fsum(np.exp(-of_row)) == pytest.approx(1, rel=1e-12)


# Hard expectation-maximisation


def hard(corpus: Corpus, kind: str, seed: int, most: int = 50) -> list[tuple[Aligned, Any]]:
    source, target = sides(corpus)
    first = affinity.start(source, target, kind, seed)
    return list(affinity.iterate(source, target, first, most))


@some
@given(corpora(6, 5, 8), st.sampled_from(["even", "random"]), st.integers(0, 9))
def test_the_distance_of_the_corpus_never_grows(corpus: Corpus, kind: str, seed: int) -> None:
    source, target = sides(corpus)
    steps = hard(corpus, kind, seed)
    totals = [found.distance for found, _ in steps]
    assert totals[0] == math.inf
    for before, after in pairwise(totals):
        assert after <= before * (1 + 1e-9)
    for (_, near), (found, _) in pairwise(steps):
        assert found.distance == affinity.align(source, target, near).distance
    # D of equation 5 is −log of equation 4, by direct counting
    for found, near in steps:
        plain = brute.counted(
            (e, c, own) for (e, c), own in zip(corpus, by_name(source, found.links), strict=True)
        )
        chances = brute.conditional(plain)
        total = -math.fsum(n * math.log(chances[cell]) for cell, n in plain.items())
        assert affinity.align(source, target, near).distance <= total + 1e-9


@some
@given(corpora(6, 5, 8), st.sampled_from(["even", "random"]), st.integers(0, 9))
def test_hard_iterations_end_where_nothing_changes(corpus: Corpus, kind: str, seed: int) -> None:
    source, target = sides(corpus)
    steps = hard(corpus, kind, seed, most=30)
    assert 1 <= len(steps) <= 31
    if len(steps) < 31:
        found, near = steps[-1]
        assert affinity.align(source, target, near).links.tolist() == found.links.tolist()
        again = list(affinity.iterate(source, target, found))
        assert len(again) == 1
        assert again[0][0].links.tolist() == found.links.tolist()
        # starting from distances gives the same
        first = next(affinity.iterate(source, target, near))[0]
        assert first.links.tolist() == found.links.tolist()
    for most in range(3):
        assert len(hard(corpus, kind, seed, most)) <= most + 1


@some
@given(corpora(5, 5, 6), cells)
def test_iterations_may_begin_with_distances(corpus: Corpus, numbers: list[float]) -> None:
    source, target = sides(corpus)
    first = matrix(numbers, source, target)
    steps = list(affinity.iterate(source, target, first))
    nearest = affinity.align(source, target, first)
    assert steps[0][0].links.tolist() == nearest.links.tolist()
    totals = [found.distance for found, _ in steps[1:]]
    assert all(after <= before * (1 + 1e-9) for before, after in pairwise(totals))
