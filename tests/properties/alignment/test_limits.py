"""The common interface of all aligners, and their limits."""

from __future__ import annotations

import math
import random
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
    numbers_of_units,
    segment_numbers,
    sides,
    some,
    tokens_of,
    weights_of,
    written,
)
from sameas.names import units
from sameas.names.aligned import spelt
from sameas.names.aligner import Aligner
from sameas.names.segment import iterate_segments, lattice_of, segment
from sameas.names.tokens import RunNumbers
from sameas.names.units import NameSide

# One interface


@some
@given(corpora(6, 4, 8))
def test_affinity_aligns_a_pair_of_the_corpus_as_in_the_corpus(corpus: Corpus) -> None:
    pairs = written(corpus)
    fitted = Aligner("affinity").fit(pairs)
    assert [fitted.align(*pair) for pair in pairs] == list(fitted.aligned)
    assert fitted.align_all(pairs).pairs == fitted.aligned.pairs


@numbers_of_units
@some
@example(corpus=UNCUT, letters=1, start="even")
@given(corpus=corpora(6, 4, 8), letters=st.integers(1, 4), start=st.sampled_from(STARTS))
def test_segment_aligns_a_pair_of_the_corpus_as_in_the_corpus(
    corpus: Corpus, letters: int, most_units: int, start: str
) -> None:
    pairs = written(corpus)
    fitted = Aligner("segment", start, letters=letters, units=most_units).fit(pairs)
    assert [fitted.align(*pair) for pair in pairs] == list(fitted.aligned)
    assert fitted.align_all(pairs).pairs == fitted.aligned.pairs


@some
@given(corpora(6, 4, 8), st.randoms())
def test_order_of_pairs_does_not_matter_to_affinities(
    corpus: Corpus, generator: random.Random
) -> None:
    pairs = written(corpus)
    shuffled = generator.sample(pairs, len(pairs))
    one, other = (Aligner("affinity").fit(some) for some in (pairs, shuffled))
    costs = [step.cost or 0 for step in one.steps]
    assert [step.cost or 0 for step in other.steps] == pytest.approx(costs, rel=1e-9)
    by_text = {(pair.source, pair.target): pair for pair in one.aligned}
    assert [by_text[pair] for pair in shuffled] == list(other.aligned)


@pytest.mark.long
@numbers_of_units
@some
@example(corpus=UNCUT, letters=1, start="even", generator=random.Random(1))
@given(
    corpus=corpora(6, 4, 8),
    letters=st.integers(1, 4),
    start=st.sampled_from(["affinity", "even"]),
    generator=st.randoms(),
)
def test_order_of_pairs_does_not_matter_to_segments(
    corpus: Corpus, letters: int, most_units: int, start: str, generator: random.Random
) -> None:
    """The probabilities are equal, and each pair gets an equally likely segmentation."""
    found = []
    shuffled = generator.sample(corpus, len(corpus))
    for ordered in (corpus, shuffled):
        segments, lattices = lattice_of(*sides(ordered), letters, most_units)
        numbers = segment_numbers(ordered, segments, letters, most_units)
        weights = weights_of(segments, ordered, start, 0)
        *_, (chances, _) = iterate_segments(lattices, weights, most=20)
        cuts = segment(lattices, chances)
        found.append(
            (
                {one: chances[number].item() for one, number in numbers.items()},
                dict(zip(ordered, tokens_of(ordered, cuts), strict=True)),
            )
        )
    (chances, cut), (others, cut_otherwise) = found
    assert chances == pytest.approx(others, rel=1e-6, abs=1e-12)
    for pair in corpus:
        likely = brute.probability(cut[pair], chances)
        assert brute.probability(cut_otherwise[pair], chances) == pytest.approx(likely, rel=1e-6)


@pytest.mark.long
def test_order_of_pairs_does_not_matter_to_equally_likely_cuts() -> None:
    for seed in range(20):
        generator = random.Random(seed)
        pairs = sorted(set(random_pairs(generator, 200, 5, 3)))
        shuffled = generator.sample(pairs, len(pairs))
        one, other = (Aligner("segment", "even").fit(some).aligned for some in (pairs, shuffled))
        assert set(one) == set(other)


@pytest.mark.long
@pytest.mark.parametrize(
    ("method", "start"),
    [
        ("affinity", "even"),
        ("affinity", "random"),
        ("segment", "affinity"),
        ("segment", "even"),
        ("segment", "random"),
    ],
)
def test_batches_do_not_matter(method: str, start: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = random_pairs(random.Random(3), 200, 5, 3)
    aligner = Aligner(method, start)
    whole = aligner.fit(pairs)
    source, target = sides([(tuple(e), tuple(c)) for e, c in pairs])
    largest = max(len(batch.pairs) for batch in units.batches(source, target))
    for most in (1, 3):
        monkeypatch.setattr(units.batches, "__defaults__", (most,))
        assert max(len(batch.pairs) for batch in units.batches(source, target)) <= most < largest
        small = aligner.fit(pairs)
        assert [step.cost for step in small.steps] == [
            step.cost if step.cost is None else pytest.approx(step.cost) for step in whole.steps
        ]
        # the same tokens; another test checks the choice between two equally likely cuts
        assert [sorted(pair.tokens) for pair in small.aligned] == [
            sorted(pair.tokens) for pair in whole.aligned
        ]


# Limits


def random_pairs(
    generator: random.Random, pairs: int, letters: int, units: int, alphabet: str = "abcdefgh"
) -> list[tuple[str, str]]:
    return [
        (
            "".join(generator.choices(alphabet, k=generator.randint(1, letters))),
            "".join(generator.choices("爱丽丝安娜波特马", k=generator.randint(1, units))),
        )
        for _ in range(pairs)
    ]


def long_name(length: int, alphabet: str) -> str:
    return "".join(random.Random(length).choices(alphabet, k=length))


HAN = "爱丽丝安娜波特马"
LIMITS = {
    "255 and 255": [(long_name(255, "abcdefgh"), long_name(255, HAN))],
    "255 and 1": [(long_name(255, "abcdefgh"), "爱")],
    "1 and 255": [("a", long_name(255, HAN))],
    "255 and 2": [(long_name(255, "abcdefgh"), "爱丽")],
    "one letter 255 times": [("a" * 255, "爱" * 255)],
    "one letter": [("a" * n, "爱" * m) for n in range(1, 8) for m in range(1, 6)],
    "one pair": [("alice", "爱丽丝")],
    "one letter each": [("a", "爱")],
    "the same pair": [("alice", "爱丽丝")] * 500,
    "all lengths": [
        (long_name(255, "abc"), "爱"),
        ("a", long_name(255, HAN)),
        (long_name(255, "abc"), long_name(255, HAN)),
        ("a", "爱"),
    ],
    "random pairs": random_pairs(random.Random(1), 2000, 12, 6),
}
UNKNOWN = [
    ("zzzz", "克克"),
    ("z", "克克克"),
    ("z" * 255, "克"),
    ("z", "克" * 255),
    ("z" * 255, "克" * 255),
    ("alicez", "爱丽丝克"),
]


@pytest.mark.long
@pytest.mark.parametrize(
    ("method", "most_units"), [("affinity", 1), ("segment", 1), ("segment", 2)]
)
@pytest.mark.parametrize("name", sorted(LIMITS))
def test_limits(name: str, method: str, most_units: int) -> None:
    pairs = LIMITS[name]
    fitted = Aligner(method, units=most_units, iterations=8).fit(pairs)
    assert [spelt(pair.tokens) for pair in fitted.aligned] == pairs
    costs = [step.cost for step in fitted.steps if step.cost is not None]
    assert all(map(math.isfinite, costs))
    for before, after in pairwise(costs):
        assert after <= before + 1e-9 * abs(before) + 1e-12
    assert all(0 <= step.entropy <= math.log2(len(pairs) * 255) + 1 for step in fitted.steps)
    assert fitted.align_all(pairs[:50]).pairs == fitted.aligned.pairs[:50]
    for pair in UNKNOWN:
        assert spelt(fitted.align(*pair).tokens) == pair


@pytest.mark.long
@pytest.mark.parametrize("limit", [(6, 1), (20, 1), (3, 2)])
@pytest.mark.parametrize("lengths", [(255, 255), (255, 40), (40, 255)])
def test_likelihood_of_long_names(limit: tuple[int, int], lengths: tuple[int, int]) -> None:
    source = tuple(long_name(lengths[0], "ab"))
    target = tuple(long_name(lengths[1], "xy"))
    segments, lattices = lattice_of(NameSide.of([source]), NameSide.of([target]), *limit)
    letters, sounds = (
        runs_of(name, runs) for name, runs in ((source, segments.source), (target, segments.target))
    )
    width = segments.target.count + 1
    named = [(letters[code // width], sounds[code % width]) for code in segments.codes.tolist()]
    (chances, _), (_, likelihood) = iterate_segments(lattices, np.ones(len(segments)), most=2)
    plain = {one: chance for one, chance in zip(named, chances.tolist(), strict=True) if chance}
    found = brute.log_likelihood(source, target, *limit, plain)
    assert likelihood == pytest.approx(found, rel=1e-9)


def runs_of(name: tuple[str, ...], runs: RunNumbers) -> dict[int, tuple[str, ...]]:
    """Return what each run of a name contains, by its number."""
    side = NameSide.of([name])
    found: dict[int, tuple[str, ...]] = {0: ()}
    for length in range(1, min(len(runs.known), len(name)) + 1):
        for place, number in enumerate(runs.all_of(side, length)[-1].tolist()):
            if number >= 0:
                found[number] = name[place : place + length]
    return found
