"""Grapheme affinity alignment (Pervouchine, Li & Lin 2009, section 3.1).

Symbols of a name are aligned one to one with those of its transliteration, or with nothing, by
dynamic programming over distances (equations 1 and 2). The affinity matrix counts how often each
pair of symbols is aligned in the whole corpus. The counts give conditional probabilities, whose
negative logarithms are the distances of the next iteration (equations 3 to 5). The last row and
column of a matrix are those of the null symbol, the paper's `*`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sameas.names.units import Batch, Integers, NameSide, batches

__all__ = [
    "NOTHING",
    "UNSEEN",
    "Aligned",
    "affinity",
    "align",
    "distances",
    "iterate",
    "settled",
    "start",
]

Matrix: TypeAlias = NDArray[np.float64]
NOTHING = -1  # the link of a symbol without a partner
# The distance of symbols that were never aligned. Names have at most a few hundred symbols, and the
# distance of aligned symbols is at most 50, so such a link is only used if it cannot be avoided.
UNSEEN = 1e5
CLOSE = 1e-9  # tolerance for sums of the same distances in a different order

_MATCH, _INSERT, _DELETE = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Aligned:
    """An alignment of a corpus: for every source symbol, the target symbol it is linked with."""

    links: Integers  # the offset within the target name, or `NOTHING`
    distance: float  # D of equation 5, over the corpus; infinite for an initial alignment
    by_pair: Matrix  # D of equation 2 for each pair


def start(source: NameSide, target: NameSide, kind: str = "random", seed: int = 1) -> Aligned:
    """Return an initial alignment, which skips symbols of the longer name at random or evenly.

    >>> side, other = NameSide.of([tuple("anna")]), NameSide.of([tuple("ab")])
    >>> start(side, other, "even").links.tolist()
    [0, -1, 1, -1]
    """
    # Random numbers are drawn name by name, so that they do not depend on the batches.
    longest = np.maximum(source.lengths, target.lengths)
    at = np.cumsum(longest) - longest
    random = np.random.Generator(np.random.PCG64(seed)).random(int(longest.sum()))
    links = np.full(len(source.codes), NOTHING, dtype=np.int64)
    for batch in batches(source, target):
        many, few = len(batch.source), len(batch.target)
        longer, shorter = max(many, few), min(many, few)
        if kind == "random":
            keys = random[at[batch.pairs] + np.arange(longer)[:, None]]
            kept = np.sort(np.argsort(keys, axis=0)[:shorter], axis=0)
        else:
            even = np.arange(shorter) * longer // max(shorter, 1)
            kept = np.repeat(even[:, None], len(batch.pairs), axis=1)
        others = np.broadcast_to(np.arange(shorter)[:, None], kept.shape)
        here, there = (kept, others) if many >= few else (others, kept)
        links[batch.source_at + here] = there
    return Aligned(links, np.inf, np.full(len(source), np.inf))


def affinity(source: NameSide, target: NameSide, links: Integers) -> Matrix:
    """Return the affinity matrix: how often each pair of symbols was aligned.

    The last row and column count the symbols that were aligned with nothing.

    >>> side, other = NameSide.of([tuple("anna")]), NameSide.of([tuple("an")])
    >>> affinity(side, other, np.array([0, 1, -1, -1])).tolist()
    [[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 0.0]]
    """
    rows, columns = len(source.symbols) + 1, len(target.symbols) + 1
    linked = links != NOTHING
    places = (np.repeat(target.starts[:-1], source.lengths) + links)[linked]
    partners = np.full(len(source.codes), columns - 1, dtype=np.int64)
    partners[linked] = target.codes[places]
    alone = np.ones(len(target.codes), dtype=bool)
    alone[places] = False
    inserted = (rows - 1) * columns + target.codes[alone].astype(np.int64)
    cells = np.concatenate([source.codes * np.int64(columns) + partners, inserted])
    return np.bincount(cells, minlength=rows * columns).reshape(rows, columns).astype(np.float64)


def distances(counts: Matrix) -> Matrix:
    """Return −log P(c|e), with P(c|e) = count(e, c) / Σ_c count(e, c) (equations 3 and 4).

    >>> np.round(distances(np.array([[3.0, 1.0], [0.0, 0.0]])), 2).tolist()
    [[0.29, 1.39], [100000.0, 100000.0]]
    """
    totals = counts.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Matrix = np.log(totals) - np.log(counts)
    return np.where(counts > 0, found, UNSEEN)


def align(
    source: NameSide,
    target: NameSide,
    distance: Matrix,
    unseen: float = UNSEEN,
    *,
    link: bool = True,
) -> Aligned:
    """Return, for every pair, the alignment with the smallest distance (equation 1).

    Ties are broken from the end of the name: skipping a letter is preferred to linking it, and
    linking it to skipping a target symbol. So if "bb" has one sound, the second b is skipped.
    `unseen` is the distance of symbols without a row or column. With `link=False` only distances
    are computed, which is faster.

    >>> side, other = NameSide.of([tuple("ann")]), NameSide.of([tuple("an")])
    >>> near = np.array([[0.0, 3.0, 1.0], [3.0, 0.5, 1.0], [1.0, 1.0, 9.0]])
    >>> found = align(side, other, near)
    >>> found.links.tolist(), found.distance
    ([0, 1, -1], 1.5)
    """
    # Add a row and a column for unseen symbols.
    width = distance.shape[1] + 1
    padded = np.pad(distance, ((0, 1), (0, 1)), constant_values=unseen).ravel()
    nothing = np.int64(distance.shape[0] - 1)
    links = np.full(len(source.codes), NOTHING, dtype=np.int64)
    total, by_pair = 0.0, np.zeros(len(source))
    for batch in batches(source, target):
        left, right = batch.source.astype(np.int64) * width, batch.target.astype(np.int64)
        skip_source = padded[left + (width - 2)]
        skip_target = padded[nothing * width + right]
        names = len(batch.pairs)
        rows, columns = len(left) + 1, len(right) + 1
        steps = np.empty((rows if link else 1, columns, names), dtype=np.uint8)
        above = np.zeros((columns, names))
        np.cumsum(skip_target, axis=0, out=above[1:])
        steps[0] = _INSERT
        for i in range(1, rows):
            match = padded[left[i - 1] + right]
            match += above[:-1]
            delete = above + skip_source[i - 1]
            here = np.empty_like(above)
            here[0] = delete[0]
            best = np.minimum(match, delete[1:])
            for j in range(1, columns):
                np.minimum(best[j - 1], here[j - 1] + skip_target[j - 1], out=here[j])
            if link:
                inserts = here[:-1] + skip_target
                steps[i, 0] = _DELETE
                steps[i, 1:] = np.where(match < delete[1:] - CLOSE, _MATCH, _DELETE)
                steps[i, 1:][inserts < best - CLOSE] = _INSERT
            above = here
        total += float(above[-1].sum())
        by_pair[batch.pairs] = above[-1]
        if link:
            _follow(batch, steps, links)
    return Aligned(links, total, by_pair)


def _follow(batch: Batch, steps: NDArray[np.uint8], links: Integers) -> None:
    """Trace the best path of every name in a batch back from its end, and fill in `links`."""
    rows, columns, names = steps.shape
    i = np.full(names, rows - 1)
    j = np.full(names, columns - 1)
    flat = steps.ravel()
    number = np.arange(names)
    for _ in range(rows + columns - 2):
        step = flat[(i * columns + j) * names + number]
        matched = np.flatnonzero((step == _MATCH) & (i > 0))
        links[batch.source_at[matched] + i[matched] - 1] = j[matched] - 1
        i -= (step != _INSERT) & (i > 0)
        j -= (step != _DELETE) & (j > 0)


def iterate(
    source: NameSide, target: NameSide, first: Aligned | Matrix, most: int = 50
) -> Iterator[tuple[Aligned, Matrix]]:
    """Run hard EM until no link changes; yield each alignment and the distances it implies.

    `first` is the first alignment, or a matrix of distances to compute it with; at most `most`
    alignments follow.

    >>> side, other = NameSide.of([tuple("anna"), tuple("ana")]), NameSide.of([tuple("あな")] * 2)
    >>> [found.distance for found, _ in iterate(side, other, start(side, other, "even"))]
    [inf, 4.68213122712422]
    """
    found = first if isinstance(first, Aligned) else align(source, target, first)
    for _ in range(most + 1):
        near = distances(affinity(source, target, found.links))
        yield found, near
        following = align(source, target, near)
        if np.array_equal(following.links, found.links) and found.distance < np.inf:
            break
        found = following


def settled(
    source: NameSide, target: NameSide, first: Aligned | Matrix | None = None, most: int = 50
) -> Integers:
    """Return the links after the last iteration, starting from `first` or from an even alignment.

    >>> side, other = NameSide.of([tuple("anna"), tuple("ana")]), NameSide.of([tuple("あな")] * 2)
    >>> settled(side, other).tolist()
    [0, 1, -1, -1, 0, 1, -1]
    """
    begun = start(source, target, "even") if first is None else first
    for found, _ in iterate(source, target, begun, most):
        links = found.links
    return links
