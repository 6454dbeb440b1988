"""Count the links, tokens and n-grams in aligned genuine pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sameas.names import affinity
from sameas.names.affinity import Matrix
from sameas.names.ngrams import NgramModel, fit_ngrams, stream_of
from sameas.names.segment import Floats, fit_segments, segment
from sameas.names.tokens import Cuts, RunNumbers, cuts_of_links, token_runs
from sameas.names.units import Integers, NameSide, spread
from sameas.names.verification.alphabet import EncodedPairs

__all__ = [
    "LETTER_GRAMS",
    "LONGEST",
    "UNIT_GRAMS",
    "AlignedCorpus",
    "PairCounts",
    "align_genuine",
    "count_beginnings",
    "count_pairs",
    "learn_grams",
]

LONGEST = 6  # maximum letters per unit, except in names that need more
LETTER_GRAMS, UNIT_GRAMS = 3, 2


@dataclass(frozen=True, slots=True)
class PairCounts:
    """The counts of aligned genuine pairs."""

    links: Matrix  # by letter and sound
    runs: RunNumbers
    tokens: Integers  # sorted: run id · number of units + unit
    times: Floats  # by token
    lengths: Floats  # counts of units with 0, 1, 2 … letters
    letter_times: Floats
    unit_times: Floats
    letters: NgramModel
    units: NgramModel

    def unseen(self, letters: NameSide) -> NDArray[np.bool_]:
        """Return whether each letter of the names was unseen in training."""
        return np.append(self.letter_times == 0, [True, True])[letters.codes]


@dataclass(frozen=True, slots=True)
class AlignedCorpus:
    """Aligned genuine pairs: links of letters with sounds, and tokens of runs and units."""

    letters: NameSide  # by pair, as are the units and sounds
    units: NameSide
    sounds: NameSide
    links: Integers
    cuts: Cuts
    runs: RunNumbers
    numbers: Integers  # the run id of each token


def align_genuine(names: EncodedPairs) -> AlignedCorpus:
    """Align letters with sounds, and use this to initialise the alignment of runs with units."""
    letters, units = names.letters.pick(names.first), names.units.pick(names.second)
    sounds, owners = replace(names, units=units).sounds()
    links = affinity.settled(letters, sounds)
    cuts = cuts_of_links(letters, units, links, owners)
    _, lattices, steps = fit_segments(letters, units, cuts, LONGEST, 1)
    *_, (weights, _) = steps
    cuts = segment(lattices, weights)
    runs, numbers = token_runs(letters, cuts.source_ends, LONGEST)
    return AlignedCorpus(letters, units, sounds, links, cuts, runs, numbers)


def count_pairs(corpus: AlignedCorpus, chosen: NDArray[np.bool_]) -> PairCounts:
    """Return the counts of the chosen pairs."""
    pairs = np.flatnonzero(chosen)
    letters, units = corpus.letters.pick(pairs), corpus.units.pick(pairs)
    places, _ = spread(corpus.letters.starts[pairs], corpus.letters.lengths[pairs])
    links = affinity.affinity(letters, corpus.sounds.pick(pairs), corpus.links[places])
    tokens = np.repeat(chosen, corpus.units.lengths)  # each unit is a token
    numbers = corpus.numbers[tokens]
    lengths = np.diff(corpus.cuts.source_ends, prepend=0)[tokens]
    short = numbers >= 0
    codes = numbers[short] * len(units.symbols) + units.codes[short]
    distinct, times = np.unique(codes, return_counts=True)
    return PairCounts(
        links,
        corpus.runs,
        distinct,
        times.astype(np.float64),
        np.bincount(lengths[short], minlength=LONGEST + 1).astype(np.float64),
        count_symbols(letters),
        count_symbols(units),
        learn_grams(letters, LETTER_GRAMS),
        learn_grams(units, UNIT_GRAMS),
    )


def learn_grams(side: NameSide, order: int) -> NgramModel:
    """Return an n-gram model of names, with one extra symbol for all unseen ones."""
    return fit_ngrams(stream_of(side), len(side.symbols) + 2, order, "witten-bell")


def count_symbols(side: NameSide) -> Floats:
    """Return the count of each symbol."""
    return np.bincount(side.codes, minlength=len(side.symbols)).astype(np.float64)


def count_beginnings(counts: PairCounts) -> Matrix:
    """Return, by unit and letter, how often a run aligned with the unit begins with the letter."""
    letters = len(counts.letter_times)
    width = letters + 2
    begin = np.zeros(counts.runs.count, dtype=np.int64)
    for length, (first, codes) in enumerate(zip(counts.runs.first, counts.runs.known, strict=True)):
        begin[first : first + len(codes)] = codes % width if not length else begin[codes // width]
    runs, units = np.divmod(counts.tokens, len(counts.unit_times))
    found = np.zeros((len(counts.unit_times), width))
    some = runs > 0
    np.add.at(found, (units[some], begin[runs[some]]), counts.times[some])
    return found[:, :letters]
