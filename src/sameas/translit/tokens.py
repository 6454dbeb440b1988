"""Alignments to tokens: which run of letters belongs to which run of units, and their entropy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sameas.translit.affinity import NOTHING
from sameas.translit.units import Integers, Side, numbered

__all__ = ["Cuts", "cuts_of_links", "entropy_of", "number_tokens"]


@dataclass(frozen=True, slots=True)
class Cuts:
    """Where the tokens of a corpus end on its two sides, counted over all names; a token begins
    where the one before ends, and the names' ends are among them."""

    source_ends: Integers
    target_ends: Integers

    def __len__(self) -> int:
        """How many tokens."""
        return len(self.source_ends)


def cuts_of_links(source: Side, units: Side, links: Integers, owners: Integers) -> Cuts:
    """The letters of every unit, from letters linked with units or with sounds of units.

    `owners` says which unit, counted over all names, each linked symbol belongs to. A letter
    without a link belongs to the unit of the letter before, and before the first link to that of
    the first letter that has one; in a name without links, to the first unit.

    >>> source, units = Side.of([tuple("alice")]), Side.of([tuple("爱丽丝")])
    >>> cuts_of_links(source, units, np.array([0, 1, -1, 2, -1]), np.arange(3)).source_ends
    array([1, 3, 5])
    """
    begins = np.repeat(units.starts[:-1], source.lengths)  # the first unit of each letter's name
    sounds = np.searchsorted(owners, units.starts[:-1])  # the first sound of each name
    linked = links != NOTHING
    unit = np.full(len(links), -1, dtype=np.int64)
    unit[linked] = owners[(np.repeat(sounds, source.lengths) + links)[linked]]
    # Units rise along the corpus, so that the largest so far is the one of the letter before, in
    # this name or, before its first link, in an earlier one.
    unit = np.maximum.accumulate(unit)
    early = unit < begins
    following = np.minimum.accumulate(np.where(linked, unit, len(units.codes))[::-1])[::-1]
    ends = np.repeat(units.starts[1:], source.lengths)
    unit = np.where(early, np.where(following < ends, following, begins), unit)
    lengths = np.bincount(unit, minlength=len(units.codes))
    return Cuts(np.cumsum(lengths), np.arange(1, len(units.codes) + 1))


def number_tokens(side: Side, ends: Integers) -> Integers:
    """A number for each token, the same for tokens of the same symbols; no symbol at all is 0.

    >>> number_tokens(Side.of([tuple("anan")]), np.array([2, 2, 4])).tolist()
    [2, 0, 2]
    """
    begins = np.concatenate([np.zeros(1, dtype=np.int64), ends[:-1]])
    numbers = np.zeros(len(ends), dtype=np.int64)
    lengths = ends - begins
    width = len(side.symbols) + 2
    left = np.flatnonzero(lengths > 0)
    used = 0  # numbers of shorter tokens and beginnings of tokens
    for depth in range(int(lengths.max(initial=0))):
        codes = numbers[left] * width + side.codes[begins[left] + depth]
        distinct, places = numbered(codes)
        numbers[left] = places + used + 1
        used += len(distinct)
        left = left[lengths[left] > depth + 1]
    return numbers


def entropy_of(source: Integers, target: Integers) -> float:
    """Alignment entropy in bits (equation 7) of tokens that are numbered on both sides.

    H = −Σ P(e, c) log₂ P(e|c), over the pairs of a source token e and a target token c.

    >>> entropy_of(np.array([1, 2, 3, 3]), np.array([1, 1, 2, 2]))
    0.5
    """
    if not len(source):
        return 0.0
    pairs, which = numbered(target * (source.max() + 1) + source)
    counts = np.bincount(which)
    _, which = numbered(pairs // (source.max() + 1))
    totals = np.bincount(which, weights=counts)[which]
    # A token that is always mapped to the same one adds nothing, not even −0.
    return abs(float((counts * np.log2(totals / counts)).sum()) / len(source))
