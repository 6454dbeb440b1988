"""Convert alignments to tokens (each a run of letters and a run of units), and compute entropy."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from sameas.names.affinity import NOTHING
from sameas.names.units import Integers, NameSide, lookup, numbered

__all__ = ["Cuts", "RunNumbers", "cuts_of_links", "entropy_of", "number_tokens", "token_runs"]


@dataclass(frozen=True, slots=True)
class Cuts:
    """The ends of the tokens of a corpus on both sides, as positions counted over all names.

    A token begins where the previous one ends; the end of a name is always the end of a token.
    """

    source_ends: Integers
    target_ends: Integers

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self.source_ends)


def cuts_of_links(source: NameSide, units: NameSide, links: Integers, owners: Integers) -> Cuts:
    """Convert links of letters with units (or sounds of units) to tokens of one unit each.

    `owners` gives the unit of each symbol that can be linked, as an index over all names. A letter
    without a link belongs to the unit of the letter before it. Before the first link, it belongs
    to the unit of the first linked letter; in a name without links, it belongs to the first unit.

    >>> source, units = NameSide.of([tuple("alice")]), NameSide.of([tuple("爱丽丝")])
    >>> cuts_of_links(source, units, np.array([0, 1, -1, 2, -1]), np.arange(3)).source_ends
    array([1, 3, 5])
    """
    begins = np.repeat(units.starts[:-1], source.lengths)  # the first unit of each letter's name
    sounds = np.searchsorted(owners, units.starts[:-1])  # the first sound of each name
    linked = links != NOTHING
    unit = np.full(len(links), -1, dtype=np.int64)
    unit[linked] = owners[(np.repeat(sounds, source.lengths) + links)[linked]]
    # Unit indices increase along the corpus, so the maximum so far is the unit of the last linked
    # letter, in this name or, before its first link, in an earlier one.
    unit = np.maximum.accumulate(unit)
    early = unit < begins
    following = np.minimum.accumulate(np.where(linked, unit, len(units.codes))[::-1])[::-1]
    ends = np.repeat(units.starts[1:], source.lengths)
    unit = np.where(early, np.where(following < ends, following, begins), unit)
    lengths = np.bincount(unit, minlength=len(units.codes))
    return Cuts(np.cumsum(lengths), np.arange(1, len(units.codes) + 1))


@dataclass(slots=True)
class RunNumbers:
    """Integer ids for runs of symbols: a run is one symbol, or a shorter run and the next symbol.

    >>> side = NameSide.of([("a", "b"), ("a", "b", "a")])
    >>> runs = RunNumbers()
    >>> [numbers.tolist() for numbers in runs.all_of(side, 2)]
    [[0, 0, 0, 0, 0], [1, 2, 1, 2, 1], [3, -1, 3, 4, -1]]
    """

    count: int = 1  # id 0 is the empty run
    known: list[Integers] = field(default_factory=list)  # by length - 1: sorted codes
    first: list[int] = field(default_factory=list)  # by length - 1: the id of the first code
    frozen: bool = False

    def all_of(self, side: NameSide, longest: int) -> list[Integers]:
        """Return the ids of the runs that begin at each position, for every length from 0.

        An id is -1 if the run extends past the end of its name, or is unknown and `frozen` is set.
        """
        left = np.repeat(side.starts[1:], side.lengths) - np.arange(len(side.codes))
        found = [np.zeros(len(side.codes), dtype=np.int64)]
        for length in range(1, longest + 1):
            inside = np.flatnonzero((length <= left) & (found[-1] >= 0))
            numbers = np.full(len(side.codes), -1, dtype=np.int64)
            numbers[inside] = self.longer(side, found[-1][inside], inside, length)
            found.append(numbers)
        return found

    def longer(self, side: NameSide, shorter: Integers, begins: Integers, length: int) -> Integers:
        """Return the ids of runs of `length` symbols, given their first positions and the ids of
        the same runs without the last symbol; -1 if one is unknown and `frozen` is set."""
        codes = shorter * (len(side.symbols) + 2) + side.codes[begins + length - 1]
        if length > len(self.known):
            return np.full(len(codes), -1) if self.frozen else self.grow(codes)
        at, there = lookup(self.known[length - 1], codes)
        return np.where(there, self.first[length - 1] + at, -1)

    def grow(self, codes: Integers) -> Integers:
        """Assign ids to runs one symbol longer than all known ones, and return the ids."""
        distinct, places = numbered(codes)
        self.known.append(distinct)
        self.first.append(self.count)
        self.count += len(distinct)
        return self.first[-1] + places


def number_tokens(side: NameSide, ends: Integers) -> Integers:
    """Return an id for each token: the same for equal tokens, and 0 for the empty token.

    >>> number_tokens(NameSide.of([tuple("anan")]), np.array([2, 2, 4])).tolist()
    [2, 0, 2]
    """
    return token_runs(side, ends)[1]


def token_runs(
    side: NameSide, ends: Integers, longest: int | None = None, known: RunNumbers | None = None
) -> tuple[RunNumbers, Integers]:
    """Return the runs that are tokens or prefixes of tokens, and the run id of each token.

    The id is -1 if the token has more than `longest` symbols, or is not among the `known` runs.
    """
    lengths = np.diff(ends, prepend=0)
    begins = ends - lengths
    most = int(lengths.max(initial=0)) if longest is None else longest
    numbers: Integers = np.where(lengths > most, -1, 0)
    left = np.flatnonzero((lengths > 0) & (lengths <= most))
    runs = RunNumbers() if known is None else known
    for length in range(1, most + 1):
        numbers[left] = runs.longer(side, numbers[left], begins[left], length)
        left = left[(lengths[left] > length) & (numbers[left] >= 0)]
    runs.frozen = True
    return runs, numbers


def entropy_of(source: Integers, target: Integers) -> float:
    """Return the alignment entropy in bits (equation 7), given the ids of tokens on both sides.

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
    # If every token always maps to the same one, the entropy is 0, not −0.
    return abs(float((counts * np.log2(totals / counts)).sum()) / len(source))
