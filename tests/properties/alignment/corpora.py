"""Random corpora of names, and their alignments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st

import brute_alignment as brute
from effort import examples
from sameas.names import affinity
from sameas.names.affinity import NOTHING, UNSEEN
from sameas.names.aligned import AlignedNames, AlignedPair, spelt
from sameas.names.segment import Segments, first_weights
from sameas.names.tokens import Cuts, cuts_of_links
from sameas.names.units import NameSide

many = settings(deadline=None, max_examples=examples(100))
some = settings(deadline=None, max_examples=examples(60))
few = settings(deadline=None, max_examples=examples(30))

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
    """Return the corpus as text; x, y and z stand for letters of another script."""
    script = str.maketrans("xyz", "яюэ")
    return [("".join(source), "".join(target).translate(script)) for source, target in corpus]


def sides(corpus: Corpus) -> tuple[NameSide, NameSide]:
    return NameSide.of([source for source, _ in corpus]), NameSide.of(
        [target for _, target in corpus]
    )


def symbols(side: NameSide) -> list[str | None]:
    """Return the symbols of the rows or columns of a matrix; the last one is the null symbol."""
    return [*side.symbols, None]


def table(matrix: np.ndarray[Any, Any], rows: NameSide, columns: NameSide) -> dict[Any, float]:
    return {
        (e, c): matrix[i, j].item()
        for i, e in enumerate(symbols(rows))
        for j, c in enumerate(symbols(columns))
    }


def by_name(side: NameSide, values: Sequence[int]) -> list[list[int | None]]:
    """Return the values of all letters, name by name; NOTHING becomes None."""
    whole = [None if value == NOTHING else int(value) for value in values]
    ends = side.starts.tolist()
    return [whole[ends[n] : ends[n + 1]] for n in range(len(side))]


def matrices(cells: st.SearchStrategy[float]) -> st.SearchStrategy[list[float]]:
    return st.lists(cells, min_size=16, max_size=16)


def matrix(cells: Sequence[float], source: NameSide, target: NameSide) -> np.ndarray[Any, Any]:
    size = len(source.symbols) + 1, len(target.symbols) + 1
    return np.array(cells[: size[0] * size[1]], dtype=float).reshape(size)


small = st.integers(0, 3).map(float)  # exact sums, and many ties
unseen = st.sampled_from([0.25, 1.0, UNSEEN])
anything = st.floats(0, 50, allow_subnormal=False)
cells = st.one_of(matrices(small), matrices(unseen), matrices(anything))


def aligned_of(lists: Sequence[Sequence[tuple[str, str]]]) -> AlignedNames:
    return AlignedNames(
        tuple(AlignedPair(*spelt(tokens), tuple(tokens)) for tokens in lists if tokens)
    )


def tokens_of(corpus: Corpus, cuts: Any) -> Iterator[list[tuple[Any, Any]]]:
    """Return the tokens of each name, given by their ends on both sides."""
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


def segment_numbers(
    corpus: Corpus, segments: Segments, letters: int, units: int
) -> dict[brute.Segment, int]:
    """Return the number of every segment that occurs in some segmentation of a pair."""
    source, target = sides(corpus)
    found: dict[brute.Segment, int] = {}
    for name, (e, c) in enumerate(corpus):
        for way in brute.segmentations(e, c, letters, units):
            i, j = int(source.starts[name]), int(target.starts[name])
            for one, two in way:
                runs = [
                    int(runs.all_of(side, len(run))[-1][place]) if run else 0
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
