"""What is counted in genuine pairs that are aligned: links, tokens and n-grams."""

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

LONGEST = 6  # letters of one unit, but for names that have more a unit
LETTER_GRAMS, UNIT_GRAMS = 3, 2


@dataclass(frozen=True, slots=True)
class PairCounts:
    """All that is counted in aligned genuine pairs."""

    links: Matrix  # letters and sounds
    runs: RunNumbers
    tokens: Integers  # sorted: number of the run · number of units + unit
    times: Floats
    lengths: Floats  # how often a unit has 0, 1, 2 … letters
    letter_times: Floats
    unit_times: Floats
    letters: NgramModel
    units: NgramModel

    def unseen(self, letters: NameSide) -> NDArray[np.bool_]:
        """Return, of each letter of names, whether it never occurs."""
        return np.append(self.letter_times == 0, [True, True])[letters.codes]


@dataclass(frozen=True, slots=True)
class AlignedCorpus:
    """Genuine pairs, aligned: links of letters with sounds, and tokens of runs and units."""

    letters: NameSide  # by pair, as all that follow
    units: NameSide
    sounds: NameSide
    links: Integers
    cuts: Cuts
    runs: RunNumbers
    numbers: Integers  # of the run of each token


def align_genuine(names: EncodedPairs) -> AlignedCorpus:
    """Align letters with sounds, and from there runs of letters with units."""
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
    """Count in some of the pairs."""
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
    """Return the n-grams of names; one symbol more stands for all never seen."""
    return fit_ngrams(stream_of(side), len(side.symbols) + 2, order, "witten-bell")


def count_symbols(side: NameSide) -> Floats:
    """Return how often each symbol occurs."""
    return np.bincount(side.codes, minlength=len(side.symbols)).astype(np.float64)


def count_beginnings(counts: PairCounts) -> Matrix:
    """How often the letters of a unit begin with a letter, by unit and letter."""
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
