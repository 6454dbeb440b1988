"""Segments of random corpora against brute force."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import brute_alignment as brute
from properties.alignment.corpora import (
    STARTS,
    UNCUT,
    Corpus,
    corpora,
    cuts_of_affinities,
    few,
    numbers_of_units,
    segment_numbers,
    sides,
    some,
    tokens_of,
    weights_of,
    written,
)
from sameas.names.aligner import Aligner
from sameas.names.segment import (
    EMPTY,
    SPARE,
    expect,
    iterate_segments,
    lattice_of,
    penalties_of,
    segment,
)
from sameas.names.units import NameSide

# Segments

limits = st.tuples(st.integers(1, 4), st.integers(1, 3))  # letters and units


@some
@given(corpora(6, 4, 3), limits, st.integers(0, 99))
def test_segments_are_counted_over_all_ways_to_cut(
    corpus: Corpus, limit: tuple[int, int], seed: int
) -> None:
    segments, lattices = lattice_of(*sides(corpus), *limit)
    numbers = segment_numbers(corpus, segments, *limit)
    assert sorted(numbers.values()) == list(range(len(segments)))  # these, and no others
    chances = np.random.default_rng(seed).uniform(0.01, 1, len(segments))
    chances /= chances.sum()
    plain = {one: chances[number].item() for one, number in numbers.items()}
    counts, likelihood = brute.expected(corpus, plain, *limit)
    found, logarithm = expect(lattices, chances)
    assert logarithm == pytest.approx(likelihood, rel=1e-12, abs=1e-12)
    for one, number in numbers.items():
        assert found[number] == pytest.approx(counts[one], rel=1e-9, abs=1e-12)
    # names too long for this have the sum over cells as their witness, which agrees
    assert math.fsum(brute.log_likelihood(e, c, *limit, plain) for e, c in corpus) == pytest.approx(
        likelihood, rel=1e-12, abs=1e-12
    )


@some
@given(corpora(6, 4, 3), limits, st.integers(0, 99))
def test_no_way_to_cut_is_more_likely(corpus: Corpus, limit: tuple[int, int], seed: int) -> None:
    segments, lattices = lattice_of(*sides(corpus), *limit)
    numbers = segment_numbers(corpus, segments, *limit)
    chances = np.random.default_rng(seed).uniform(0.01, 1, len(segments))
    plain = {one: chances[number].item() for one, number in numbers.items()}
    cuts = segment(lattices, chances)
    for (e, c), own in zip(corpus, tokens_of(corpus, cuts), strict=True):
        ways = list(brute.segmentations(e, c, *limit))
        assert tuple(own) in ways
        assert brute.probability(own, plain) == pytest.approx(
            max(brute.probability(way, plain) for way in ways), rel=1e-9
        )


@numbers_of_units
@some
@example(corpus=UNCUT, letters=1, kind="even", seed=0)
@given(
    corpus=corpora(6, 5, 6),
    letters=st.integers(1, 4),
    kind=st.sampled_from(STARTS),
    seed=st.integers(0, 9),
)
def test_a_corpus_never_gets_less_likely(
    corpus: Corpus, letters: int, most_units: int, kind: str, seed: int
) -> None:
    segments, lattices = lattice_of(*sides(corpus), letters, most_units)
    weights = weights_of(segments, corpus, kind, seed)
    penalties = penalties_of(segments)
    steps = list(iterate_segments(lattices, weights, 20, penalties))
    assert 1 <= len(steps) <= 20
    likelihoods = [found for _, found in steps]
    for before, after in pairwise(likelihoods):
        assert after >= before - 1e-9 * abs(before) - 1e-12
    for chances, _ in steps:
        assert math.fsum(chances / penalties) == pytest.approx(1, rel=1e-9)
        assert (chances >= 0).all()
    # what is given is the likelihood by the probabilities before, and these are shares of counts
    behind = [(weights / weights.sum() * penalties, 0.0), *steps]
    for (chances, _), (after, likelihood) in zip(behind, steps, strict=False):
        found, logarithm = expect(lattices, chances)
        assert logarithm == pytest.approx(likelihood, rel=1e-12, abs=1e-12)
        assert after == pytest.approx(found / found.sum() * penalties, rel=1e-9, abs=1e-300)


def test_what_cannot_get_more_likely_is_not_tried_again() -> None:
    """One segment, and its probability is 1 from the start."""
    segments, lattices = lattice_of(NameSide.of([("a",)]), NameSide.of([("x",)]))
    assert len(list(iterate_segments(lattices, np.ones(len(segments))))) <= 3


@some
@given(corpora(5, 4, 3), limits)
def test_weights_to_begin_with(corpus: Corpus, limit: tuple[int, int]) -> None:
    """An even start is the same for all segments; others count those of a cut. Prices are not."""
    segments, _ = lattice_of(*sides(corpus), *limit)
    numbers = segment_numbers(corpus, segments, *limit)
    penalties = penalties_of(segments)
    assert all(penalties[number] == (1 if one[0] else EMPTY) for one, number in numbers.items())
    assert weights_of(segments, corpus, "even", 0).tolist() == [1.0] * len(segments)
    found = weights_of(segments, corpus, "affinity", 0)
    cut = Counter(
        (tuple(one), tuple(two))
        for name in tokens_of(corpus, cuts_of_affinities(corpus))
        for one, two in name
    )
    for one, number in numbers.items():
        assert found[number] == pytest.approx(cut[one] + SPARE, rel=1e-12)
    drawn = weights_of(segments, corpus, "random", 7)
    assert (drawn > 0).all()
    assert drawn.tolist() == weights_of(segments, corpus, "random", 7).tolist()


@few
@given(corpora(6, 5, 4), limits, corpora(6, 5, 3))
def test_unknown_segments_are_rare_and_as_long_as_others(
    corpus: Corpus, limit: tuple[int, int], others: Corpus
) -> None:
    """A pair the corpus has not: segments hardly counted are as likely as the documents say."""
    settings = {"letters": limit[0], "units": limit[1], "iterations": 3, "start": "even"}
    fitted = Aligner("segment", **settings).fit(written(corpus))
    model = fitted._model
    corpus, others = ([(tuple(e), tuple(c)) for e, c in written(some)] for some in (corpus, others))
    numbers = segment_numbers(corpus, model.segments, *limit)
    known = {segment: model.probabilities[number] for segment, number in numbers.items()}
    tokens = sum(len(pair.tokens) for pair in fitted.aligned)
    letters = len({letter for e, _ in corpus for letter in e})
    shares: dict[int, float] = defaultdict(float)
    for (e, _), probability in known.items():
        shares[len(e)] += probability

    def likely(e: tuple[str, ...], c: tuple[str, ...], strange: bool) -> float:
        probability = known.get((e, c), 0.0)
        if not strange or probability * tokens > 0.1:
            return math.log(probability) if probability else -math.inf
        rare = 0.1 * 0.1 / tokens * max(shares[len(e)], 1e-6)
        return math.log(rare) - len(e) * math.log(letters)

    for e, c in others:
        own = fitted.align("".join(e), "".join(c)).tokens
        ways = list(brute.segmentations(e, c, *limit))
        strange = any(one not in known for way in ways for one in way)
        scores = [sum(likely(*one, strange) for one in way) for way in ways]
        i = j = 0
        found = []
        for source, target in own:
            found.append((e[i : i + len(source)], c[j : j + len(target)]))
            i, j = i + len(source), j + len(target)
        assert tuple(found) in [tuple(way) for way in ways]
        score = sum(likely(*one, strange) for one in found)
        assert score == pytest.approx(max(scores), abs=1e-6)
