"""Phonemes, entropy and tokens of random corpora against brute force."""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import brute_alignment as brute
from properties.alignment.corpora import (
    Corpus,
    Tokens,
    aligned_of,
    by_name,
    cells,
    corpora,
    few,
    many,
    matrix,
    sides,
    table,
    tokens_of,
    written,
)
from sameas.names import affinity
from sameas.names.affinity import UNSEEN
from sameas.names.aligner import Aligner
from sameas.names.pivot import compose
from sameas.names.quality import entropy
from sameas.names.segment import first_weights, iterate_segments, lattice_of, penalties_of
from sameas.names.tokens import cuts_of_links, entropy_of, number_tokens
from sameas.names.units import NameSide

# Equation 6

counts = st.lists(st.integers(0, 4), min_size=16, max_size=16)


@many
@given(st.integers(1, 3), st.integers(1, 3), st.integers(1, 3), counts, counts)
def test_composition_is_a_sum_over_phonemes(
    letters: int, phonemes: int, sounds: int, first: list[int], second: list[int]
) -> None:
    one = np.array(first[: (letters + 1) * (phonemes + 1)], float).reshape(letters + 1, -1)
    two = np.array(second[: (phonemes + 1) * (sounds + 1)], float).reshape(phonemes + 1, -1)
    one[-1, -1] = two[-1, -1] = 0  # nothing is not aligned with nothing
    # phonemes that are in the one corpus are in the other
    assume(all((one[:, p].any() == two[p].any()) for p in range(phonemes)))
    e, p, c = (
        NameSide.of([[f"{kind}{number}" for number in range(count)]])
        for kind, count in (("e", letters), ("p", phonemes), ("c", sounds))
    )
    plain = brute.composed(table(one, e, p), table(two, p, c), e.symbols, p.symbols, c.symbols)
    near = compose(one, two)
    assert near.shape == (letters + 1, sounds + 1)
    for cell, distance in table(near, e, c).items():
        if plain.get(cell, 0):
            assert distance == pytest.approx(-math.log(plain[cell]), rel=1e-9, abs=1e-12)
        else:
            assert distance == UNSEEN
    for of_row in near:
        total = math.fsum(np.exp(-of_row))
        assert total == pytest.approx(1, rel=1e-12) or (of_row == UNSEEN).all()


# Equation 7

pairs_of_tokens = st.lists(
    st.tuples(st.sampled_from(["", "a", "b", "ab", "ba"]), st.sampled_from(["x", "y", "xy"])),
    min_size=1,
    max_size=30,
)


def numbered(tokens: Sequence[tuple[str, str]]) -> tuple[np.ndarray[Any, Any], ...]:
    known: dict[str, int] = {}
    return tuple(
        np.array([known.setdefault(token[side], len(known)) for token in tokens]) for side in (0, 1)
    )


@many
@given(pairs_of_tokens)
def test_entropy_is_that_of_the_definition(tokens: list[tuple[str, str]]) -> None:
    plain = brute.entropy(tokens)
    assert entropy_of(*numbered(tokens)) == pytest.approx(plain, rel=1e-9, abs=1e-12)
    # over and again does not change it, nor does the order
    assert entropy_of(*numbered(tokens * 3)) == pytest.approx(plain, rel=1e-9, abs=1e-12)
    assert entropy_of(*numbered(tokens[::-1])) == pytest.approx(plain, rel=1e-9, abs=1e-12)
    assert entropy_of(*numbered(tokens)) >= 0


@pytest.mark.parametrize("n", [1, 2, 3, 7, 64, 1000])
def test_entropy_of_n_equal_tokens_is_the_logarithm_of_n(n: int) -> None:
    source, target = np.arange(n), np.zeros(n, int)
    assert entropy_of(source, target) == pytest.approx(math.log2(n), rel=1e-12, abs=1e-15)
    assert entropy_of(target, source) == 0  # each target token has one source token
    assert entropy_of(np.tile(source, 5), np.repeat(np.arange(5), n)) == pytest.approx(
        math.log2(n), rel=1e-12, abs=1e-15
    )


@many
@given(st.lists(pairs_of_tokens, min_size=1, max_size=5), st.randoms())
def test_entropy_by_token_adds_up(lists: list[Tokens], generator: random.Random) -> None:
    corpus = aligned_of(lists)
    tokens = [token for pair in corpus for token in pair.tokens]
    found = entropy(corpus)
    assert found.entropy == pytest.approx(brute.entropy(tokens), rel=1e-9, abs=1e-12)
    assert (found.pairs, found.tokens) == (len(corpus), len(tokens))
    mapped: dict[str, Counter[str]] = defaultdict(Counter)
    for source, target in tokens:
        mapped[target][source] += 1
    assert {one.token: one.count for one in found.by_token} == {
        token: counts.total() for token, counts in mapped.items()
    }
    assert len(found.by_token) == len(mapped)
    for one in found.by_token:
        assert dict(one.mappings) == mapped[one.token]
        frequencies = [number for _, number in one.mappings]
        assert frequencies == sorted(frequencies, reverse=True)
        assert one.bits == pytest.approx(brute.entropy_of_one(frequencies), rel=1e-9, abs=1e-12)
        part = one.count / len(tokens) * one.bits
        assert one.share * found.entropy == pytest.approx(part, rel=1e-9, abs=1e-12)
        assert 1 <= len(one.examples) <= len(one.mappings)
        for (source, _), pair in zip(one.mappings, one.examples, strict=False):
            assert pair == next(pair for pair in corpus if (source, one.token) in pair.tokens)
    bits = math.fsum(one.count / len(tokens) * one.bits for one in found.by_token)
    assert bits == pytest.approx(found.entropy, rel=1e-9, abs=1e-12)
    shares = math.fsum(one.share for one in found.by_token)
    assert shares == pytest.approx(1 if found.entropy else 0, rel=1e-9, abs=1e-12)
    # order and number of copies do not matter
    shuffled = generator.sample(corpus.pairs, len(corpus))
    assert entropy(shuffled).entropy == pytest.approx(found.entropy, rel=1e-9, abs=1e-12)
    assert entropy([*corpus, *corpus]).entropy == pytest.approx(found.entropy, rel=1e-9, abs=1e-12)


def test_capitals_are_small_letters_unless_told() -> None:
    corpus = aligned_of([[("A", "x")], [("a", "x")]])
    assert entropy(corpus).entropy == 0
    assert entropy(corpus, case="keep").entropy == 1


@few
@given(corpora(6, 4, 8), st.sampled_from(["affinity", "segment"]))
def test_entropy_of_every_iteration(corpus: Corpus, method: str) -> None:
    fitted = Aligner(method, iterations=6).fit(written(corpus), keep=True)
    for step in fitted.steps:
        aligned = fitted.at(step.iteration)
        plain = brute.entropy(token for pair in aligned for token in pair.tokens)
        assert step.entropy == pytest.approx(plain, rel=1e-9, abs=1e-12)
        assert step.entropy == pytest.approx(entropy(aligned).entropy, rel=1e-9, abs=1e-12)
    assert fitted.entropy == fitted.steps[-1].entropy
    assert fitted.at(fitted.steps[-1].iteration).pairs == fitted.aligned.pairs


@few
@given(corpora(6, 4, 8), st.sampled_from(["even", "random"]), st.integers(1, 9))
def test_cost_is_bits_a_pair(corpus: Corpus, kind: str, seed: int) -> None:
    pairs = written(corpus)
    bits = len(corpus) * math.log(2)
    # x, y and z are sorted otherwise than the letters they are written with
    source, target = sides([(tuple(e), tuple(c)) for e, c in pairs])
    first = affinity.start(source, target, kind, seed)
    fitted = Aligner("affinity", start=kind, seed=seed).fit(pairs)
    costs = [found.distance / bits for found, _ in affinity.iterate(source, target, first)]
    assert [step.cost for step in fitted.steps] == [None, *map(pytest.approx, costs[1:])]
    assert [step.iteration for step in fitted.steps] == list(range(len(costs)))

    fitted = Aligner("segment", start=kind, seed=seed).fit(pairs)
    segments, lattices = lattice_of(source, target)
    weights = first_weights(segments, source, target, seed if kind == "random" else None)
    penalties = penalties_of(segments)
    likelihoods = [found for _, found in iterate_segments(lattices, weights, penalties=penalties)]
    assert [step.cost for step in fitted.steps if step.cost is not None] == [
        pytest.approx(-found / bits, abs=1e-9) for found in likelihoods
    ]


# Links to tokens


@many
@given(corpora(5, 4), cells, st.lists(st.integers(1, 3), min_size=20, max_size=20))
def test_letters_go_with_the_letter_before(
    corpus: Corpus, numbers: list[float], widths: list[int]
) -> None:
    """Units have one to three sounds, and letters are linked with sounds."""
    source, unit_side = sides(corpus)
    wide = iter(widths)
    sounds: list[tuple[str, ...]] = []
    owners: list[int] = []
    for name, starts in zip([c for _, c in corpus], unit_side.starts.tolist(), strict=False):
        said: list[str] = []
        for place, unit in enumerate(name):
            width = next(wide)
            said += [unit] * width
            owners += [starts + place] * width
        sounds.append(tuple(said))
    target = NameSide.of(sounds)
    found = affinity.align(source, target, matrix(numbers, source, target))
    links = by_name(source, found.links)
    assume(all(any(j is not None for j in own) for own in links))
    cuts = cuts_of_links(source, unit_side, found.links, np.array(owners))
    tokens = list(tokens_of(corpus, cuts))
    for number, ((e, c), own) in enumerate(zip(corpus, links, strict=True)):
        begin = int(target.starts[number])
        first = int(unit_side.starts[number])
        belongs = [None if j is None else owners[begin + j] - first for j in own]
        assert tokens[number] == brute.tokens_of_links(e, c, belongs)
    whole = [token for name in tokens for token in name]
    numbers_of = [
        number_tokens(side, ends).tolist()
        for side, ends in ((source, cuts.source_ends), (unit_side, cuts.target_ends))
    ]
    for side in (0, 1):
        alike = {
            (number, token[side]) for number, token in zip(numbers_of[side], whole, strict=True)
        }
        assert len(alike) == len({token[side] for token in whole}) == len(set(numbers_of[side]))
        assert all((number == 0) == (not token) for number, token in alike)
