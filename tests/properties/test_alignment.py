"""Aligners, entropy and gold scores of random corpora against brute force, and to their limits."""

from __future__ import annotations

import math
import random
import tempfile
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import brute_alignment as brute
from sameas.names import affinity, units
from sameas.names.affinity import NOTHING, UNSEEN, Aligned
from sameas.names.aligned import AlignedNames, AlignedPair, read_alignments, spelt
from sameas.names.aligner import Aligner, align
from sameas.names.pivot import compose
from sameas.names.quality import entropy
from sameas.names.segment import (
    EMPTY,
    SPARE,
    Segments,
    expect,
    first_weights,
    iterate_segments,
    lattice_of,
    prices_of,
    segment,
)
from sameas.names.tokens import Cuts, RunNumbers, cuts_of_links, entropy_of, number_tokens
from sameas.names.units import NameSide, graphemes
from sameas.settings import Resampling

many = settings(deadline=None, max_examples=100)
some = settings(deadline=None, max_examples=60)
few = settings(deadline=None, max_examples=30)

Corpus = list[tuple[tuple[str, ...], tuple[str, ...]]]
Tokens = tuple[tuple[str, str], ...]


# Random corpora


def names(alphabet: str, longest: int) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(alphabet), min_size=1, max_size=longest).map(tuple)


def corpora(letters: int = 4, units: int = 3, pairs: int = 5) -> st.SearchStrategy[Corpus]:
    return st.lists(
        st.tuples(names("abc", letters), names("xyz", units)), min_size=1, max_size=pairs
    )


def written(corpus: Corpus) -> list[tuple[str, str]]:
    """The corpus as text; x, y and z are letters of another script."""
    script = str.maketrans("xyz", "яюэ")
    return [("".join(source), "".join(target).translate(script)) for source, target in corpus]


def sides(corpus: Corpus) -> tuple[NameSide, NameSide]:
    return NameSide.of([source for source, _ in corpus]), NameSide.of(
        [target for _, target in corpus]
    )


def symbols(side: NameSide) -> list[str | None]:
    """What the rows or columns of a matrix are for; the last one is for nothing."""
    return [*side.symbols, None]


def table(matrix: np.ndarray[Any, Any], rows: NameSide, columns: NameSide) -> dict[Any, float]:
    return {
        (e, c): matrix[i, j].item()
        for i, e in enumerate(symbols(rows))
        for j, c in enumerate(symbols(columns))
    }


def by_name(side: NameSide, values: Sequence[int]) -> list[list[int | None]]:
    """Values of all letters, name by name; NOTHING is None."""
    whole = [None if value == NOTHING else int(value) for value in values]
    ends = side.starts.tolist()
    return [whole[ends[n] : ends[n + 1]] for n in range(len(side))]


def matrices(cells: st.SearchStrategy[float]) -> st.SearchStrategy[list[float]]:
    return st.lists(cells, min_size=16, max_size=16)


def matrix(cells: Sequence[float], source: NameSide, target: NameSide) -> np.ndarray[Any, Any]:
    size = len(source.symbols) + 1, len(target.symbols) + 1
    return np.array(cells[: size[0] * size[1]], dtype=float).reshape(size)


small = st.integers(0, 3).map(float)  # sums are exact, and ties abound
unseen = st.sampled_from([0.25, 1.0, UNSEEN])
anything = st.floats(0, 50, allow_subnormal=False)
cells = st.one_of(matrices(small), matrices(unseen), matrices(anything))


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
        assert linked == sorted(set(linked))  # in order, and none twice
        assert all(0 <= j < len(c) for j in linked)
        path = brute.path_of(own, len(c))
        assert brute.length(path, e, c, distance) == pytest.approx(best, rel=1e-12)


@many
@given(corpora(pairs=1), matrices(small))
def test_of_equally_near_alignments_the_one_that_links_earlier_letters(
    corpus: Corpus, numbers: list[float]
) -> None:
    """No other with as many links has its letters earlier."""
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
    """All of the shorter name is linked."""
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


# Expectation and maximisation, hard


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
    # D of equation 5 is −log of equation 4, by plain counting
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
        # a start by distances leads there too
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


def aligned_of(lists: Sequence[Sequence[tuple[str, str]]]) -> AlignedNames:
    return AlignedNames(
        tuple(AlignedPair(*spelt(tokens), tuple(tokens)) for tokens in lists if tokens)
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
    prices = prices_of(segments)
    likelihoods = [found for _, found in iterate_segments(lattices, weights, prices=prices)]
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


def tokens_of(corpus: Corpus, cuts: Any) -> Iterator[list[tuple[Any, Any]]]:
    """The tokens of each name, by where they end on the two sides."""
    ends = list(zip(cuts.source_ends.tolist(), cuts.target_ends.tolist(), strict=True))
    at = i = j = 0
    for source, target in corpus:
        found = []
        first, start = i, j
        while (i, j) != (first + len(source), start + len(target)):
            (p, q) = ends[at]
            found.append((source[i - first : p - first], target[j - start : q - start]))
            i, j, at = p, q, at + 1
        yield found
    assert at == len(ends)


# Segments

limits = st.tuples(st.integers(1, 4), st.integers(1, 3))  # letters and units


def segment_numbers(
    corpus: Corpus, segments: Segments, letters: int, units: int
) -> dict[brute.Segment, int]:
    """The number of every segment that is on a way to cut one of the pairs."""
    source, target = sides(corpus)
    found: dict[brute.Segment, int] = {}
    for name, (e, c) in enumerate(corpus):
        for way in brute.segmentations(e, c, letters, units):
            i, j = int(source.starts[name]), int(target.starts[name])
            for one, two in way:
                runs = [
                    int(runs.of(side, len(run))[place]) if run else 0
                    for runs, side, run, place in (
                        (segments.source, source, one, i),
                        (segments.target, target, two, j),
                    )
                ]
                code = runs[0] * (segments.target.count + 1) + runs[1]
                number = int(np.searchsorted(segments.codes, code))
                assert segments.codes[number] == code
                assert found.setdefault((one, two), number) == number
                i, j = i + len(one), j + len(two)
    return found


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


STARTS = ("affinity", "even", "random")
numbers_of_units = pytest.mark.parametrize("most_units", [1, 2, 3])
UNCUT: Corpus = [(("a",), ("x", "y"))]


def cuts_of_affinities(corpus: Corpus) -> Cuts:
    source, target = sides(corpus)
    *_, (found, _) = affinity.iterate(source, target, affinity.start(source, target, "even"))
    return cuts_of_links(source, target, found.links, np.arange(len(target.codes)))


def weights_of(segments: Segments, corpus: Corpus, kind: str, seed: int) -> Any:
    starts = {"affinity": cuts_of_affinities(corpus), "even": None, "random": seed}
    return first_weights(segments, *sides(corpus), starts[kind])


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
    prices = prices_of(segments)
    steps = list(iterate_segments(lattices, weights, 20, prices))
    assert 1 <= len(steps) <= 20
    likelihoods = [found for _, found in steps]
    for before, after in pairwise(likelihoods):
        assert after >= before - 1e-9 * abs(before) - 1e-12
    for chances, _ in steps:
        assert math.fsum(chances / prices) == pytest.approx(1, rel=1e-9)
        assert (chances >= 0).all()
    # what is given is the likelihood by the probabilities before, and these are shares of counts
    behind = [(weights / weights.sum() * prices, 0.0), *steps]
    for (chances, _), (after, likelihood) in zip(behind, steps, strict=False):
        found, logarithm = expect(lattices, chances)
        assert logarithm == pytest.approx(likelihood, rel=1e-12, abs=1e-12)
        assert after == pytest.approx(found / found.sum() * prices, rel=1e-9, abs=1e-300)


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
    prices = prices_of(segments)
    assert all(prices[number] == (1 if one[0] else EMPTY) for one, number in numbers.items())
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


# Text of all scripts, and files

SCRIPTS = {
    "Latin": "aAzéßİıñ",
    "Latin with marks": "e\u0301o\u0308a\u0323\u0302",
    "Greek": "αΣςά",
    "Cyrillic": "яйЁ",
    "Hebrew": "שםא\u05b8\u05bc",
    "Arabic": "بتا\u064b\u0651ﻻ",
    "Devanagari": "कि\u094dषा",
    "Thai": "กำเ\u0e49",
    "Han": "爱丽𠀀",
    "Hangul": "김안\u1100\u1161\u11a8",
    "Katakana": "アーガ\u3099",
}
SIGNS = "/*_\\-'|:}# "


@st.composite
def texts(draw: st.DrawFn) -> list[tuple[str, str]]:
    """Pairs of names, each side in one script, with signs that files use."""
    one, two = (SCRIPTS[draw(st.sampled_from(sorted(SCRIPTS)))] for _ in range(2))
    sides = (
        st.text(st.sampled_from(one + SIGNS), min_size=1, max_size=7),
        st.text(st.sampled_from(two + SIGNS), min_size=1, max_size=5),
    )
    name = [side.map(str.strip).filter(bool) for side in sides]
    return draw(st.lists(st.tuples(*name), min_size=1, max_size=6))


def composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


@many
@given(texts(), st.sampled_from(["affinity", "segment"]), st.integers(1, 3))
def test_tokens_spell_the_names(pairs: list[tuple[str, str]], method: str, most_units: int) -> None:
    aligned = align(pairs, method, units=most_units, iterations=4)
    assert len(aligned) == len(pairs)
    for (source, target), pair in zip(pairs, aligned, strict=True):
        assert (composed(pair.source), composed(pair.target)) == (
            composed(source),
            composed(target),
        )
        assert tuple(map(composed, spelt(pair.tokens))) == (composed(source), composed(target))
        for side in (0, 1):
            letters = [letter for token in pair.tokens for letter in graphemes(token[side])]
            assert tuple(letters) == graphemes((source, target)[side])
        assert all(target for _, target in pair.tokens)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "aligned.tsv")
        aligned.save(path)
        again = read_alignments(path)
        assert again.pairs == aligned.pairs
        assert again.pairs == read_alignments(path, format="sameas").pairs
        again.save(path)
        assert read_alignments(path).pairs == aligned.pairs


@pytest.mark.parametrize("pair", [(" a", "爱"), ("a", "爱 "), ("\u2028a", "爱")])
def test_names_that_begin_or_end_with_a_space_come_back(
    pair: tuple[str, str], tmp_path: Path
) -> None:
    aligned = align([pair])
    aligned.save(tmp_path / "aligned.tsv")
    assert read_alignments(tmp_path / "aligned.tsv").pairs == aligned.pairs


plain_tokens = st.lists(
    st.tuples(
        st.lists(st.sampled_from(["a", "é", "שׁ", "q"]), max_size=3).map("".join),
        st.lists(st.sampled_from(["爱", "김", "ガ", "कि"]), max_size=2).map("".join),
    ).filter(any),
    min_size=1,
    max_size=5,
).filter(lambda tokens: all(any(token[side] for token in tokens) for side in (0, 1)))


def m2m_line(tokens: Tokens) -> str:
    """`a|l:i|c:e|` and its like on the other side: `|` ends a token, `:` joins letters."""
    return "\t".join(
        "".join((":".join(graphemes(token[side])) or "_") + "|" for token in tokens)
        for side in (0, 1)
    )


def phonetisaurus_line(tokens: Tokens) -> str:
    """`a}爱 l|i}丽`: `}` is between the sides, `|` joins letters, `_` is nothing."""
    return " ".join(
        "}".join("|".join(graphemes(part)) or "_" for part in token) for token in tokens
    )


@some
@given(st.lists(plain_tokens.map(tuple), min_size=1, max_size=5))
def test_all_formats_are_read_alike(lists: list[Tokens]) -> None:
    aligned = aligned_of([[tuple(map(composed, token)) for token in one] for one in lists])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "aligned.txt")
        for format, line in (
            ("sameas", lambda tokens: str(aligned_of([tokens]))),
            ("m2m", m2m_line),
            ("phonetisaurus", phonetisaurus_line),
        ):
            text = "\n".join(line(pair.tokens) for pair in aligned)
            path.write_text(text + "\n", encoding="utf-8")
            assert read_alignments(path).pairs == aligned.pairs
            assert read_alignments(path, format=format).pairs == aligned.pairs


# Against gold


@st.composite
def two_alignments(draw: st.DrawFn) -> tuple[AlignedNames, AlignedNames]:
    """The same names, cut in two ways."""
    texts = draw(st.lists(st.tuples(names("aé", 5), names("爱丽", 4)), min_size=1, max_size=5))
    found = tuple(
        aligned_of([draw(cut_somehow(source, target)) for source, target in texts])
        for _ in range(2)
    )
    return found[0], found[1]


@st.composite
def cut_somehow(draw: st.DrawFn, source: Sequence[str], target: Sequence[str]) -> Tokens:
    cuts = draw(
        st.lists(st.tuples(st.integers(0, len(source)), st.integers(0, len(target))), max_size=4)
    )
    ends = [*zip(sorted(i for i, _ in cuts), sorted(j for _, j in cuts), strict=True)]
    begins = [(0, 0), *ends]
    ends = [*ends, (len(source), len(target))]
    return tuple(
        token
        for (i, j), (p, q) in zip(begins, ends, strict=True)
        if any(token := ("".join(source[i:p]), "".join(target[j:q])))
    )


def letter_tokens(pair: AlignedPair) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    return [(graphemes(source), graphemes(target)) for source, target in pair.tokens]


@many
@given(two_alignments())
def test_gold_is_compared_by_sets(both: tuple[AlignedNames, AlignedNames]) -> None:
    own, gold = both
    found = entropy(own, gold=gold).gold
    assert found is not None
    assert found.pairs == len(gold)
    tokens = [
        (letter_tokens(one), letter_tokens(other)) for one, other in zip(own, gold, strict=True)
    ]
    for score, sets in ((found.mappings, brute.mappings), (found.letters, brute.linked_letters)):
        plain = brute.rates([(sets(one), sets(other)) for one, other in tokens])
        assert (score.recall, score.precision, score.f1) == pytest.approx(plain, rel=1e-12)
    assert found.exact == sum(
        one.tokens == other.tokens for one, other in zip(own, gold, strict=True)
    )
    swapped = entropy(gold, gold=own).gold
    assert swapped is not None
    assert swapped.mappings.recall == found.mappings.precision
    assert swapped.letters.f1 == found.letters.f1


@some
@given(two_alignments())
def test_gold_against_itself_is_perfect(both: tuple[AlignedNames, AlignedNames]) -> None:
    corpus, _ = both
    found = entropy(corpus, gold=corpus).gold
    assert found is not None
    assert found.exact == found.pairs == len(corpus)
    mapped = any(all(token) for pair in corpus for token in pair.tokens)
    for score in (found.mappings, found.letters):
        assert (score.recall, score.precision, score.f1) == ((1, 1, 1) if mapped else (0, 0, 0))


@few
@given(two_alignments(), st.sampled_from(["percentile", "bca"]))
def test_intervals_are_around_the_scores(
    both: tuple[AlignedNames, AlignedNames], kind: str
) -> None:
    own, gold = both
    found = entropy(own, gold=gold).gold
    assert found is not None
    intervals = found.intervals(Resampling(kind, samples=200))
    assert set(intervals) == {"mappings", "letters"}
    for name, score in (("mappings", found.mappings), ("letters", found.letters)):
        for interval, estimate in zip(
            intervals[name], (score.recall, score.precision, score.f1), strict=True
        ):
            assert interval is not None
            assert estimate is not None
            assert 0 <= interval.low <= interval.high <= 1
            if kind == "percentile":
                assert interval.low - 1e-12 <= estimate <= interval.high + 1e-12


@some
@given(two_alignments(), two_alignments(), st.randoms())
def test_gold_may_be_in_another_order_and_a_part(
    first: tuple[AlignedNames, AlignedNames],
    second: tuple[AlignedNames, AlignedNames],
    generator: random.Random,
) -> None:
    """Names that are once in gold are found wherever they are; what gold lacks is not counted."""
    own, gold = first
    known = {(pair.source, pair.target) for pair in gold}
    assume(len(known) == len(gold))
    others = [pair for pair in second[0] if (pair.source, pair.target) not in known]
    mixed = [*own, *others]
    generator.shuffle(mixed)
    found, plain = entropy(mixed, gold=gold).gold, entropy(own, gold=gold).gold
    assert found is not None
    assert plain is not None
    assert (found.pairs, found.exact) == (plain.pairs, plain.exact)
    assert (found.mappings, found.letters) == (plain.mappings, plain.letters)


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
    """The same probabilities, and each pair is cut in a way that is as likely."""
    found = []
    shuffled = generator.sample(corpus, len(corpus))
    for some in (corpus, shuffled):
        segments, lattices = lattice_of(*sides(some), letters, most_units)
        numbers = segment_numbers(some, segments, letters, most_units)
        weights = weights_of(segments, some, start, 0)
        *_, (chances, _) = iterate_segments(lattices, weights, most=20)
        cuts = segment(lattices, chances)
        found.append(
            (
                {one: chances[number].item() for one, number in numbers.items()},
                dict(zip(some, tokens_of(some, cuts), strict=True)),
            )
        )
    (chances, cut), (others, cut_otherwise) = found
    assert chances == pytest.approx(others, rel=1e-6, abs=1e-12)
    for pair in corpus:
        likely = brute.probability(cut[pair], chances)
        assert brute.probability(cut_otherwise[pair], chances) == pytest.approx(likely, rel=1e-6)


def test_order_of_pairs_does_not_matter_to_equally_likely_cuts() -> None:
    for seed in range(20):
        generator = random.Random(seed)
        pairs = sorted(set(random_pairs(generator, 200, 5, 3)))
        shuffled = generator.sample(pairs, len(pairs))
        one, other = (Aligner("segment", "even").fit(some).aligned for some in (pairs, shuffled))
        assert set(one) == set(other)


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
        # the same tokens; which of two equally likely cuts is taken is another test
        assert [sorted(pair.tokens) for pair in small.aligned] == [
            sorted(pair.tokens) for pair in whole.aligned
        ]


# To the limits


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
    """What each run of a name is, by its number."""
    side = NameSide.of([name])
    found: dict[int, tuple[str, ...]] = {0: ()}
    for length in range(1, min(len(runs.known), len(name)) + 1):
        for place, number in enumerate(runs.of(side, length).tolist()):
            if number >= 0:
                found[number] = name[place : place + length]
    return found
