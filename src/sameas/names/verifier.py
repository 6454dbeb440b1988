"""Is a pair of names a genuine transliteration? The paper's distances, and a learned probability.

Pervouchine, Li & Lin (2009, section 5.3) validate a pair by the distance D of its alignment, under
the d(e, cp) between letters and sounds that was learned from genuine names, divided by the letters
of the source (score1), by the phonetic length of the target (score2) or by both (score3): low is
genuine. The phonetic length of Chinese names is counted in pinyin's initials and finals.

`Verifier` learns more from the same genuine pairs. Segment alignment tells which runs of letters
stand for a unit, and for the unknown units that sound like it; letters and units have n-grams of
their own. False pairs are made of the genuine ones, of several kinds (`KINDS`), since a pair can be
false because it sounds wrong or because nobody would write a name with such characters, and one
does not make up for the other. So each kind has a logistic regression of its own against genuine
pairs, and Bayes' rule joins them: the odds against a pair are the mean of those of the kinds. What
a pair looks like is learned from other names than its own, in folds: to those who have learned it
by heart a pair looks better than it will in use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import compress, pairwise
from operator import attrgetter
from types import NoneType
from typing import Any, NamedTuple, TypeVar, Unpack, get_args

import numpy as np
from numpy.typing import NDArray

from sameas.errors import InputError, UsageError, counted, require, visible
from sameas.names import affinity, mandarin
from sameas.names.affinity import Matrix
from sameas.names.letters import Removed, read_letters, told_as
from sameas.names.modelfile import check_model, notes_of
from sameas.names.ngrams import NgramModel, fit_ngrams, stream_of
from sameas.names.options import Case, Verifying, VerifyingOptions
from sameas.names.pairs import MOST, PAIRS, NamePairs, two_names
from sameas.names.rows import BadLine, Listing, check_name
from sameas.names.segment import (
    CLOSE,
    Arcs,
    Floats,
    arcs_of,
    best_path,
    fit_segments,
    likelihoods,
    segment,
)
from sameas.names.tokens import Cuts, Runs, cuts_of_links, token_runs
from sameas.names.units import (
    Integers,
    Side,
    batches,
    composed,
    graphemes,
    script_of,
    scripts,
    spelt,
    spread,
    starts_of,
)
from sameas.names.words import Compared, Matching, Question, Words, has_signs, match, questions
from sameas.notes import Note
from sameas.settings import chosen

__all__ = [
    "KINDS",
    "JudgedWord",
    "Part",
    "Reason",
    "Verified",
    "VerifiedPair",
    "Verifier",
]

#: The ways to be false, as the made-up pairs are, and the share of each among them.
KINDS = {
    "another name": 0.4,
    "another tradition": 0.5,
    "partly another name": 0.05,
    "a similar name": 0.05,
}
_NAMES = tuple(KINDS)
T = TypeVar("T")
CUT = "coda"  # how syllables of Chinese are cut into sounds
_BIT = float(np.log(2))
_CODAS = (("n",), ("ng",))  # which are part of a final in pinyin
LONGEST = 6  # letters of one unit, but for names that have more a unit
LETTER_GRAMS, UNIT_GRAMS = 3, 2
FOLDS = 5
ENOUGH = 20_000  # genuine pairs for the regressions; more would not move them
FEW = 1000  # pairs, below which little is learned
# A note warns if at least UNLIKE pairs, and this share of the list, have letters or units never
# seen in training. The share is 0.002 in names of the same dictionary, 0.07 to 0.12 in others.
UNLIKE, UNLIKE_SHARE = 5, 0.03
# The share of genuine pairs in which one unit was never seen: a list from elsewhere has some.
VARIANTS = 0.03
RIDGE = 1.0
BLOCK = 1 << 16  # pairs that are looked at together
CELLS = 40_000_000  # of the table of runs and units, and of the ways to cut that are kept
LEAST = 1e-200  # of a probability
FORMAT = 2
# Sets of characters of those who write Han: what is in none that holds the training names is from
# elsewhere.
CHARSETS = ("gb2312", "big5", "shift_jis", "euc_kr")
HELD = 0.99  # of the units of training that a set must hold
_CJK = range(0x4E00, 0xA000)
_FEATURES = (
    *("near letters", "near sounds", "near both"),
    *("fit", "fit a letter", "fit a unit", "best a unit", "worst unit"),
    *("chain", "rarest", "frequency", "least frequency", "foreign"),
    *("letters never seen", "ratio", "ratio squared", "units"),
)


@dataclass(frozen=True, slots=True)
class _Alphabet:
    """The symbols of training, how its units sound, and where its characters are at home."""

    letters: tuple[str, ...]
    units: tuple[str, ...]
    heard: tuple[tuple[str, ...], ...]  # by unit; nothing if it is not known
    speaks: bool  # whether units can be asked how they sound
    charsets: tuple[str, ...]
    case: Case
    swapped: bool  # the letters are those of the target, which has more of them

    @property
    def sounds(self) -> tuple[str, ...]:
        """What letters are linked with: a unit that does not sound is its own sound."""
        pairs = zip(self.units, self.heard, strict=True)
        return tuple(sorted({sound for unit, heard in pairs for sound in heard or (unit,)}))

    @property
    def syllables(self) -> tuple[str, ...]:
        return tuple(sorted({" ".join(heard) for heard in self.heard if heard}))

    def syllables_of(self, heard: Iterable[Sequence[str]]) -> Integers:
        """The numbers of syllables; -1 for what does not sound, or like none of the units."""
        numbers = {syllable: number for number, syllable in enumerate(self.syllables)}
        return np.array([numbers.get(" ".join(one), -1) for one in heard], dtype=np.int64)

    def turned(self, one: T, two: T) -> tuple[T, T]:
        """Of a source and a target: what is taken for letters, and for units; or the reverse."""
        return (two, one) if self.swapped else (one, two)


@dataclass(frozen=True, slots=True)
class _Names:
    """Pairs as numbers: distinct names of letters and of units, and which of them are a pair.

    Units past those of the alphabet were never seen. By unit: `heard`, a "name" of its sounds;
    `syllable`, the number of all of them together, or -1; its `size` in the transcription, which
    for Chinese is pinyin's initials and finals (an is one, lan two); and whether it is `foreign`.
    """

    letters: Side
    units: Side
    heard: Side
    syllable: Integers
    size: Integers
    foreign: Floats
    first: Integers
    second: Integers

    def __len__(self) -> int:
        return len(self.first)

    def spoken(self) -> Integers:
        """The length of the transcription of each distinct name of units."""
        sums = starts_of(self.size[self.units.codes])
        lengths: Integers = sums[self.units.starts[1:]] - sums[self.units.starts[:-1]]
        return lengths

    def sounds(self) -> tuple[Side, Integers]:
        """The sounds of the distinct names of units, and the unit that each sound is of."""
        return self.units.parts(self.heard)


def _sound(unit: str) -> tuple[str, ...]:
    """How a character sounds; nothing if it is not Han, or if the package for it is missing."""
    if script_of(unit[:1]) != "Han":
        return ()
    try:
        return mandarin.sounds(unit, CUT)
    except UsageError:
        return ()


def _can_hear() -> bool:
    """Whether the package is there that says how Chinese characters sound."""
    return bool(_sound("爱"))


def _encodes(charset: str, text: str) -> bool:
    try:
        text.encode(charset)
    except UnicodeEncodeError:
        return False
    return True


class _New(NamedTuple):
    """What was never seen: letters, units, and those read as others that were."""

    letters: tuple[str, ...]
    units: tuple[str, ...]
    read: dict[str, str]
    dropped: tuple[str, ...] = ()  # words without letters


def _learn_alphabet(pairs: list[tuple[str, str]], case: Case) -> _Alphabet:
    sides = [[spelt(name, case) for name in names] for names in zip(*pairs, strict=True)]
    many, few = (sum(map(len, side)) for side in sides)
    swapped = few > many
    letters, units = reversed(sides) if swapped else sides
    times = Counter(unit for name in units for unit in name)
    symbols = tuple(sorted(times))
    han = {unit: count for unit, count in times.items() if script_of(unit[:1]) == "Han"}
    all_han = sum(han.values())
    mostly = 2 * all_han > times.total()
    speaks = mostly and _can_hear()
    held = {
        charset: sum(count for unit, count in han.items() if _encodes(charset, unit))
        for charset in CHARSETS
    }
    charsets = [one for one in CHARSETS if mostly and held[one] >= HELD * all_han]
    return _Alphabet(
        tuple(sorted({letter for name in letters for letter in name})),
        symbols,
        tuple(_sound(unit) if speaks else () for unit in symbols),
        speaks,
        tuple(charsets),
        case,
        swapped,
    )


def _encode(
    pairs: Iterable[tuple[str, str]],
    alphabet: _Alphabet,
    more: Sequence[str] = (),
    *,
    convert: bool = False,
) -> tuple[_Names, _New]:
    """Pairs as numbers, and what was never seen: of units first `more`, then others in order."""
    names: tuple[dict[str, int], dict[str, int]] = {}, {}
    numbers: tuple[list[int], list[int]] = [], []
    for pair in pairs:
        for side in (0, 1):
            numbers[side].append(names[side].setdefault(pair[side], len(names[side])))
    of_letters, of_units = (
        [spelt(name, alphabet.case) for name in side] for side in alphabet.turned(*names)
    )
    letters, new_letters = _known(of_letters, alphabet.letters, convert)
    units, new_units = _known(of_units, alphabet.units, convert)
    first, second = alphabet.turned(*numbers)
    seen = {*alphabet.units, *more}
    others = sorted({unit for name in units for unit in name if unit not in seen})
    everything = (*alphabet.units, *more, *others)
    heard = [*alphabet.heard]
    heard += [_sound(unit) if alphabet.speaks else () for unit in everything[len(heard) :]]
    foreign = [
        bool(alphabet.charsets)
        and not any(_encodes(charset, unit) for charset in alphabet.charsets)
        for unit in everything
    ]
    symbols = Side.of(units, everything)
    sounding = [sounds or (unit,) for unit, sounds in zip(everything, heard, strict=True)]
    found = _Names(
        Side.of(letters, alphabet.letters),
        Side(alphabet.units, symbols.codes, symbols.starts),
        Side.of(sounding, alphabet.sounds),
        alphabet.syllables_of(heard),
        np.array([max(len(one) - (one[-1:] in _CODAS), 1) for one in heard], dtype=np.int64),
        np.array(foreign, dtype=np.float64),
        np.array(first, dtype=np.int64),
        np.array(second, dtype=np.int64),
    )
    known = frozenset(alphabet.letters)
    strange = {letter for name in letters for letter in name if letter not in known}
    read = {**new_letters, **new_units}
    return found, _New(tuple(sorted(strange)), everything[len(alphabet.units) :], read)


def _known(
    names: list[tuple[str, ...]], symbols: Sequence[str], convert: bool
) -> tuple[list[tuple[str, ...]], dict[str, str]]:
    """Names in which letters never seen are the nearest that were, and which letters these are."""
    seen = frozenset(symbols)
    made: list[tuple[str, ...]] = []
    others: dict[str, str] = {}
    for name in names:
        if seen.issuperset(name):
            made.append(name)
            continue
        read = list(zip(name, read_letters(name, seen, convert=convert), strict=True))
        others |= {unit: "".join(letters) for unit, letters in read if letters not in ((), (unit,))}
        made.append(tuple(letter for unit, letters in read for letter in letters or (unit,)))
    return made, others


def _written(name: str, seen: frozenset[str], case: Case, convert: bool) -> list[str]:
    """The letters of a name as they are written, one for each by which it is judged: of ß, which
    is read as ss, the second is empty."""
    read = read_letters(spelt(name, case), seen, convert=convert)
    return [
        letter if not place else ""
        for letter, letters in zip(graphemes(name), read, strict=True)
        for place in range(max(len(letters), 1))
    ]


def _grams(side: Side, order: int) -> NgramModel:
    """Return the n-grams of names; one symbol more stands for all never seen."""
    return fit_ngrams(stream_of(side), len(side.symbols) + 2, order, "witten-bell")


def _times(side: Side) -> Floats:
    """Return how often each symbol occurs."""
    return np.bincount(side.codes, minlength=len(side.symbols)).astype(np.float64)


@dataclass(frozen=True, slots=True)
class _Counts:
    """All that is counted in aligned genuine pairs."""

    links: Matrix  # letters and sounds
    runs: Runs
    tokens: Integers  # sorted: number of the run · number of units + unit
    times: Floats
    lengths: Floats  # how often a unit has so many letters
    letter_times: Floats
    unit_times: Floats
    letters: NgramModel
    units: NgramModel

    def unseen(self, letters: Side) -> NDArray[np.bool_]:
        """Return, of each letter of names, whether it never occurs."""
        return np.append(self.letter_times == 0, [True, True])[letters.codes]


def _beginnings(counts: _Counts) -> Matrix:
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


@dataclass(frozen=True, slots=True)
class _Corpus:
    """Genuine pairs, aligned: links of letters with sounds, and tokens of runs and units."""

    letters: Side  # by pair, as all that follow
    units: Side
    sounds: Side
    links: Integers
    cuts: Cuts
    runs: Runs
    numbers: Integers  # of the run of each token


def _align(names: _Names) -> _Corpus:
    letters, units = names.letters.pick(names.first), names.units.pick(names.second)
    sounds, owners = replace(names, units=units).sounds()
    links = affinity.settled(letters, sounds)
    cuts = cuts_of_links(letters, units, links, owners)
    *_, (_, lattices, weights, _) = fit_segments(letters, units, cuts, LONGEST, 1)
    cuts = segment(lattices, weights)
    runs, numbers = token_runs(letters, cuts.source_ends, LONGEST)
    return _Corpus(letters, units, sounds, links, cuts, runs, numbers)


def _count(corpus: _Corpus, chosen: NDArray[np.bool_]) -> _Counts:
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
    return _Counts(
        links,
        corpus.runs,
        distinct,
        times.astype(np.float64),
        np.bincount(lengths[short], minlength=LONGEST + 1).astype(np.float64),
        _times(letters),
        _times(units),
        _grams(letters, LETTER_GRAMS),
        _grams(units, UNIT_GRAMS),
    )


@dataclass(frozen=True, slots=True)
class _Table:
    """P(run of letters | unit) in columns: one for every unit seen, one for every syllable, one for
    units of which nothing is known; and what a column has left for any other letters."""

    shares: NDArray[np.float32]  # by row and column; the last row is for other runs
    row: Integers  # by run, with one more for runs never seen
    spare: Floats  # by column
    column: Integers  # by unit of the alphabet
    first: int  # the column of the first syllable
    lengths: Floats  # P(so many letters)

    def columns(self, syllable: Integers) -> Integers:
        """The column of every unit, of the alphabet and past it."""
        others = syllable[len(self.column) :]
        last = len(self.spare) - 1
        return np.concatenate([self.column, np.where(others >= 0, self.first + others, last)])

    def weigh(
        self, arcs: Sequence[Arcs], columns: Integers, rows: Sequence[Integers], logs: Floats
    ) -> Floats:
        """Return how much likelier the letters of each arc of a batch are for its unit than
        anywhere, from the columns of its units, and from the rows of the runs that begin at each
        letter, by length, and the logarithm of each letter's probability."""
        many = len(logs)
        before = np.concatenate([np.zeros((1, logs.shape[1])), np.cumsum(logs, axis=0)])
        longer = np.maximum(np.arange(many + 1) - LONGEST, 0)
        shares = self.lengths[np.minimum(np.arange(many + 1), LONGEST)] * 0.1**longer
        shares = np.maximum(shares, LEAST)
        weights = []
        for one in arcs:
            column = columns[one.unit - 1]
            weight = self.spare[column] * shares[one.letters]
            if one.letters <= LONGEST:
                # A run of no letters may begin past the last one.
                begins = np.minimum(np.arange(one.begins.start, one.begins.stop), many - 1)
                known = self.shares[rows[one.letters][begins], column]
                weight = weight + known * np.exp(before[one.begins] - before[one.ends])
            weights.append(np.broadcast_to(weight, (one.count, logs.shape[1])).ravel())
        return np.concatenate(weights)


def _tabulate(counts: _Counts, syllable: Integers, syllables: int) -> _Table:
    """Interpolated as Witten & Bell do: the runs of a unit, of its syllable, any letters."""
    many = len(counts.unit_times)
    runs, units = np.divmod(counts.tokens, many)
    syllable = syllable[:many]
    total = np.bincount(units, weights=counts.times, minlength=many)
    seen = np.flatnonzero(total > 0)
    column = np.full(many, -1)
    column[seen] = np.arange(len(seen))
    columns = len(seen) + syllables + 1
    lower = np.where(syllable >= 0, len(seen) + syllable, columns - 1)
    # Of a very large corpus the rarest runs are left out, as if they were never seen.
    often = np.bincount(runs, weights=counts.times, minlength=counts.runs.count)
    kept = np.sort(np.argsort(-often, kind="stable")[: max(CELLS // columns, 1)])
    row = np.full(counts.runs.count + 1, len(kept))
    row[kept] = np.arange(len(kept))
    shares = np.zeros((len(kept) + 1, columns))
    spare = np.ones(columns)
    for place, parts in (
        (lower, syllable[units] >= 0),
        (column, np.ones(len(units), dtype=bool)),
    ):
        codes = runs[parts] * columns + place[units[parts]]
        cells, which = np.unique(codes, return_inverse=True)
        times = np.bincount(which.reshape(-1), weights=counts.times[parts], minlength=len(cells))
        at, where = row[cells // columns], cells % columns
        sums = np.bincount(where, weights=times, minlength=columns)
        kinds = np.bincount(where, minlength=columns)
        left = kinds / np.maximum(sums + kinds, 1.0)
        if place is column:
            shares[:, column[seen]] = shares[:, lower[seen]] * left[column[seen]]
            spare[column[seen]] = spare[lower[seen]] * left[column[seen]]
        else:
            spare[sums > 0] = left[sums > 0]
        shares[at, where] += times / (sums + kinds)[where]
    shares[-1] = 0.0
    lengths = counts.lengths + 0.5
    found = np.where(column >= 0, column, lower)
    return _Table(shares.astype(np.float32), row, spare, found, len(seen), lengths / lengths.sum())


@dataclass(frozen=True, slots=True)
class _Paths:
    """How well letters fit units, as log P(letters | units) / P(letters): over all ways to cut a
    pair, on the best one, and for each unit on it, with how many letters the unit has."""

    total: Floats
    best: Floats
    sizes: Integers
    values: Floats


def _fit_letters(names: _Names, counts: _Counts, table: _Table) -> _Paths:
    lengths = names.letters.lengths
    within, _ = spread(np.arange(len(lengths)) + names.letters.starts[:-1], lengths)
    logs = counts.letters.logs(stream_of(names.letters))[within]
    # Of each run: where its row begins in the table; -1 is the last.
    runs = [table.row[found] for found in counts.runs.all_of(names.letters, LONGEST)]
    columns = table.columns(names.syllable)
    letters, units = names.letters.pick(names.first), names.units.pick(names.second)
    total, best = np.zeros(len(names)), np.zeros(len(names))
    sizes = np.zeros(len(units.codes), dtype=np.int64)
    values = np.zeros(len(units.codes))
    for batch in batches(letters, units, 4096, cells=CELLS // 64):
        place = (
            names.letters.starts[names.first[batch.pairs]] + np.arange(len(batch.source))[:, None]
        )
        arcs = arcs_of(batch, LONGEST, 1)
        weights = table.weigh(
            arcs, columns[batch.target], [found[place] for found in runs], logs[place]
        )
        total[batch.pairs] = likelihoods(batch, arcs, weights)
        path = best_path(batch, arcs, np.log(weights))
        best[batch.pairs] = path.logs
        sizes[path.target_ends - 1], values[path.target_ends - 1] = path.letters, path.token_logs
    return _Paths(total, best, sizes, values)


def _distances(letters: Side, sounds: Side, counts: Matrix) -> Floats:
    """D of every pair (equation 2). What was never linked is as rare as one link in the corpus."""
    unseen = float(np.log(max(counts.sum(), 2.0)))
    near = np.minimum(affinity.distances(counts), unseen)
    return affinity.align(letters, sounds, near, unseen, link=False).by_pair


def _mean(values: Floats, side: Side) -> Floats:
    owner = np.repeat(np.arange(len(side)), side.lengths)
    return np.bincount(owner, weights=values, minlength=len(side)) / side.lengths


def _least(values: Floats, side: Side) -> Floats:
    found: Floats = np.minimum.reduceat(values, side.starts[:-1])
    return found


def _look(names: _Names, counts: _Counts, table: _Table) -> tuple[list[Floats], Floats, _Paths]:
    """The features of every pair, the distance of its alignment, and its best path."""
    letters, units, (sounds, _) = names.letters, names.units, names.sounds()
    many, few = letters.lengths[names.first], units.lengths[names.second]
    heard = names.spoken()[names.second]
    distance = _distances(letters.pick(names.first), sounds.pick(names.second), counts.links)
    paths = _fit_letters(names, counts, table)
    logs = counts.units.logs(stream_of(units))
    bounds = starts_of(units.lengths + 1)
    chain = np.add.reduceat(logs, bounds[:-1])
    inner = np.delete(logs, bounds[1:] - 1)
    seen = np.zeros(len(names.syllable))
    seen[: len(counts.unit_times)] = counts.unit_times
    kinds = np.count_nonzero(seen)
    # A unit never seen counts as half a time, so that rare ones teach what it weighs.
    frequency = np.log((seen + 0.5) / (seen.sum() + 0.5 * (kinds + 1)))[units.codes]
    strange = counts.unseen(letters).astype(np.float64)
    ratio = np.log(many / few)
    second = names.second
    found = [
        distance / many,
        distance / heard,
        distance / (many + heard),
        paths.total,
        paths.total / many,
        paths.total / few,
        paths.best / few,
        _least(paths.values, units.pick(second)),
        (chain / units.lengths)[second],
        _least(inner, units)[second],
        _mean(frequency, units)[second],
        _least(frequency, units)[second],
        _mean(names.foreign[units.codes], units)[second],
        _mean(strange, letters)[names.first],
        ratio,
        ratio**2,
        np.log(few),
    ]
    return found, distance, paths


Target = list[int]


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes false pairs, and genuine ones with a unit never seen, of the genuine ones of a fold."""

    random: np.random.Generator
    units: int  # that were seen
    outside: Integers  # units that were not
    alike: Mapping[int, list[int]]  # by syllable, units outside, of the kinds of characters in use
    others: Mapping[int, list[int]]  # the same of all kinds
    syllable: list[int]

    def _below(self, limit: int) -> int:
        return int(self.random.integers(limit))

    def _outside(self) -> int:
        return int(self.outside[self._below(len(self.outside))])

    def _like(self, unit: int, among: Mapping[int, list[int]]) -> int:
        """A unit never seen that sounds the same, if there is one."""
        found = among.get(self.syllable[unit], []) if self.syllable[unit] >= 0 else []
        return found[self._below(len(found))] if found else self._outside()

    def variant(self, target: Target) -> Target:
        made = list(target)
        at = self._below(len(made))
        made[at] = self._like(made[at], self.alike)
        return made

    def replaced(self, target: Target) -> Target:
        made = list(target)
        for at in self.random.permutation(len(made))[: 1 + self._below(len(made))].tolist():
            made[at] = self._below(self.units)
        return made

    def resounded(self, target: Target) -> Target:
        """Most units are others that sound the same."""
        share = 0.3 + 0.7 * self.random.random()
        made = list(target)
        for at, unit in enumerate(target):
            if self.random.random() < share:
                same = self.random.random() < 0.8
                made[at] = self._like(unit, self.others) if same else self._outside()
        return made

    def invented(self, longest: int) -> Target:
        share = self.random.random()
        return [
            self._outside() if self.random.random() < share else self._below(self.units)
            for _ in range(1 + self._below(longest))
        ]

    def resized(self, target: Target, other: Target) -> Target:
        way = self._below(4)
        piece = other[: 1 + self._below(len(other))]
        cut = 1 + self._below(len(target) - 1) if len(target) > 1 else 0
        if way == 0 and cut:
            return target[:cut]
        if way == 1 and cut:
            return target[cut:]
        return target + piece if way == 2 else piece + target

    def false(
        self, sources: list[Target], targets: list[Target]
    ) -> Iterator[tuple[int, int, Target]]:
        """Numbers of genuine pairs, and of kinds, with targets that are not theirs."""
        count = len(targets)
        by_length: dict[int, list[int]] = {}
        for number, target in enumerate(targets):
            by_length.setdefault(len(target), []).append(number)
        longest = max(1, 2 * round(sum(map(len, targets)) / max(count, 1)) - 2)
        shuffled = self.random.permutation(count).tolist()
        for number, target in enumerate(targets):
            same = by_length[len(target)]
            yield number, 0, targets[shuffled[number]]
            yield number, 0, targets[same[self._below(len(same))]]
            yield number, 1, self.resounded(target)
            yield number, 1, self.invented(longest)
            yield number, 2, self.replaced(target)
            yield number, 2, self.resized(target, targets[self._below(count)])
        # Neighbours in the order of names share their beginning, or their end.
        for back in (1, -1):
            order = sorted(range(count), key=lambda number: (sources[number][::back], number))
            for one, two in pairwise(order):
                if sources[one] != sources[two]:
                    yield one, 3, targets[two]


def _outsiders(alphabet: _Alphabet) -> tuple[str, ...]:
    """Units that names are not written with: others in use, or one that stands for them."""
    if not alphabet.speaks and not alphabet.charsets:
        return ("\ufffd",)
    seen = set(alphabet.units)
    others = (chr(code) for code in _CJK)
    return tuple(
        one
        for one in others
        if one not in seen and (_encodes("gb2312", one) or _encodes("shift_jis", one))
    )


def _regress(features: Matrix, genuine: NDArray[np.bool_], weights: Floats) -> Floats:
    """Logistic regression by Newton's method, with a small ridge; the first weight is alone."""
    held = np.full(features.shape[1], RIDGE)
    held[0] = 1e-3

    def loss(at: Floats) -> float:
        scores = features @ at
        fit = np.logaddexp(0.0, np.where(genuine, -scores, scores))
        return float(weights @ fit + 0.5 * (held @ (at * at)))

    found = np.zeros(features.shape[1])
    before = loss(found)
    for _ in range(50):
        likely = 1 / (1 + np.exp(-np.clip(features @ found, -500, 500)))
        slope = features.T @ (weights * (genuine - likely)) - held * found
        spread_out = features * (weights * likely * (1 - likely))[:, None]
        step = np.linalg.solve(features.T @ spread_out + np.diag(held), slope)
        size = 1.0
        while loss(found + size * step) > before and size > 1e-6:
            size /= 2
        found = found + size * step
        after = loss(found)
        if before - after <= 1e-9 * abs(before):
            break
        before = after
    return found


@dataclass(frozen=True, slots=True)
class VerifiedPair:
    """A pair of names, how likely it is genuine, its distances, and as what it would be false."""

    source: str
    target: str
    probability: float
    score1: float
    score2: float
    score3: float
    kind: str

    def __str__(self) -> str:
        """The pair and its probability."""
        return f"{self.source}\t{self.target}\t{self.probability:.4f}"


@dataclass(frozen=True, eq=False, repr=False)
class Verified(Listing):
    """Pairs in the order they were given, with an array for each thing that was found.

    >>> from sameas.names.datasets import dataset
    >>> verifier = Verifier.fit(dataset("sample:ru").pairs)
    >>> found = verifier.verify([("anna", "анна"), ("anna", "петр")])
    >>> bool(found.probability[0] > found.probability[1]), bool(found.score2[0] < found.score2[1])
    (True, True)
    """

    pairs: list[tuple[str, str]]
    probability: Floats
    score1: Floats  # distance by the letters of the source, score2 by those of its transcription
    score2: Floats
    score3: Floats
    kind: Integers  # as which of `KINDS` a pair would most likely be false
    prior: float
    notes: tuple[Note, ...] = ()
    converted: bool = False  # traditional characters were read as simplified ones, or vice versa

    def __getitem__(self, number: int) -> VerifiedPair:
        """One of them."""
        columns = (self.probability, self.score1, self.score2, self.score3)
        chance, one, two, three = (float(column[number]) for column in columns)
        kind = _NAMES[int(self.kind[number])]
        return VerifiedPair(*self.pairs[number], chance, one, two, three, kind)

    def __iter__(self) -> Iterator[VerifiedPair]:
        """One after another."""
        return (self[number] for number in range(len(self)))


@dataclass(frozen=True, slots=True)
class Part:
    """Letters and a unit that belong together by the best alignment, as they are written.

    `bits` says how much the letters are likelier for the unit than anywhere, log₂ P(e|c) / P(e):
    what is below 0 speaks against the pair. `one_in` is 1 / P(e|c).
    """

    source: str
    target: str
    bits: float
    one_in: float
    seen: bool  # whether the unit was seen in training

    def __str__(self) -> str:
        """As `sch/舍 +2.1`."""
        return f"{self.source}/{self.target} {self.bits:+.1f}"

    def note(self) -> Note:
        """What speaks against it, if it has less than no bits."""
        if not self.source or not self.target:
            return Note("no-counterpart", word=self.source or self.target)
        letters, unit = _short(self.source), _short(self.target)
        often = {"how": "million"} if self.one_in >= 1e6 else {"one_in": _rounded(self.one_in)}
        return Note("rare-part", letters=letters, unit=unit, **often)


@dataclass(frozen=True, slots=True)
class JudgedWord:
    """Words of both names that belong together, or one that has no counterpart, and what speaks
    against it.

    >>> print(JudgedWord("Smith", "", 0.2))
    Smith has no counterpart
    """

    source: str
    target: str
    probability: float
    against: tuple[Note, ...] = ()  # empty if nothing is, or if it was not judged by its letters

    def note(self, wrong: bool = False) -> Note:
        """The words, whether they are `wrong`, and what speaks against them."""
        if not self.source or not self.target:
            return Note("no-counterpart", word=self.source or self.target)
        how = ("wrong" if wrong else "right") + ("-why" if self.against else "")
        return Note("words", how=how, source=self.source, target=self.target, why=self.against)

    def __str__(self) -> str:
        """As `Smith/史密斯`."""
        return str(self.note())


@dataclass(frozen=True, slots=True)
class Reason:
    """What speaks for and against a pair; as text, what speaks against it.

    >>> from sameas.names.datasets import dataset
    >>> reason = Verifier.fit(dataset("sample:ru").pairs).reason("anna", "аннэ")
    >>> [str(part).split()[0] for part in reason.parts]
    ['a/а', 'n/н', 'n/н', 'a/э']
    """

    source: str
    target: str
    probability: float
    parts: tuple[Part, ...]
    never: tuple[str, ...]  # units never seen
    strange: tuple[str, ...]  # letters never seen
    lengths: tuple[int, int] | None  # of both names, if they are unusual for each other
    kind: str
    words: tuple[JudgedWord, ...] = ()  # of names of several words
    turned: bool = False  # the words come in another order

    @property
    def wrong(self) -> tuple[JudgedWord, ...]:
        """The words that make the pair more likely false than genuine, the worst first.

        >>> from sameas.names.datasets import dataset
        >>> reason = Verifier.fit(dataset("sample:ru").pairs).reason("Anna Boris", "Анна Катя")
        >>> [(word.source, word.target) for word in reason.wrong]
        [('Boris', 'Катя')]
        """
        if not self.words or self.probability >= 0.5:
            return ()
        listed = sorted(self.words, key=attrgetter("probability"))
        return tuple(word for word in listed if word.probability < 0.5) or tuple(listed[:1])

    @property
    def against(self) -> tuple[Note, ...]:
        """What speaks against it, the worst first: at most three parts of the alignment of a word.

        >>> from sameas.names.datasets import dataset
        >>> Verifier.fit(dataset("sample:ru").pairs).reason("anna", "анна").against
        ()
        """
        if self.words:
            return tuple(self._against_words())
        bad = sorted(
            (one for one in self.parts if one.bits < 0 and one.seen), key=attrgetter("bits")
        )
        found = list(dict.fromkeys(part.note() for part in bad))[:3]
        for units in (self.never, self.strange):
            if units:
                found.append(Note("units-never-seen", count=len(units), units=" ".join(units)))
        if self.lengths:
            source, target = self.lengths
            found.append(Note("odd-lengths", source=source, target=target))
        if not found and self.probability < 0.5:
            found.append(Note("more-like", kind=self.kind))
        return tuple(found)

    def _against_words(self) -> Iterator[Note]:
        wrong = self.wrong
        yield from (word.note(wrong=True) for word in wrong)
        for word in sorted(self.words, key=attrgetter("probability")):
            if word not in wrong and not (word.source and word.target and not word.against):
                yield word.note()
        if self.turned:
            yield Note("words-turned")

    def __str__(self) -> str:
        """What speaks against it."""
        return visible("; ".join(map(str, self.against or (Note("nothing-against"),))))


def _short(text: str) -> str:
    return text if len(text) <= 20 else text[:19] + "…"


def _rounded(number: float) -> int:
    """A number to one figure.

    >>> _rounded(5321.0), _rounded(7.4)
    (5000, 7)
    """
    size: int = 10 ** max(len(str(round(number))) - 1, 0)
    return round(number / size) * size


_COUNTED = ("links", "tokens", "times", "lengths", "letter_times", "unit_times")
_JUDGED = dict.fromkeys(("odds", "distance", "letters", "spoken"), np.float64) | {"kind": np.int64}


@dataclass(frozen=True, slots=True)
class _Judged:
    """By pair: the odds against it, the distance of its alignment, letters, the length of the
    transcription, as which kind it would be false; and what was never seen."""

    odds: Floats
    distance: Floats
    letters: Floats
    spoken: Floats
    kind: Integers
    new: _New

    @classmethod
    def joined(cls, blocks: Sequence[_Judged]) -> _Judged:
        columns: dict[str, Any] = {
            name: np.concatenate([np.zeros(0, kind), *(getattr(block, name) for block in blocks)])
            for name, kind in _JUDGED.items()
        }
        new = _New(
            tuple(sorted({letter for block in blocks for letter in block.new.letters})),
            tuple(sorted({unit for block in blocks for unit in block.new.units})),
            {unit: read for block in blocks for unit, read in block.new.read.items()},
            tuple(word for block in blocks for word in block.new.dropped),
        )
        return cls(**columns, new=new)

    def of_pairs(
        self,
        place: Integers,
        matchings: Mapping[int, Matching],
        asked: Mapping[tuple[str, str], int],
    ) -> _Judged:
        """The same of pairs whose names are single words, found at their `place`, or are matched:
        their distances and lengths are sums over words."""
        made = replace(self, **{name: getattr(self, name)[place] for name in _JUDGED})
        for number, matching in matchings.items():
            words = [asked[pair] for pair in matching.asked]
            made.odds[number] = matching.odds
            if words:
                for name in ("distance", "letters", "spoken"):
                    getattr(made, name)[number] = getattr(self, name)[words].sum()
                made.kind[number] = self.kind[words[int(np.argmax(self.odds[words]))]]
        return made


@dataclass(frozen=True, eq=False, repr=False)
class Verifier:
    """Tells genuine transliterations from false ones, after some thousand genuine ones.

    >>> from sameas.names.datasets import dataset
    >>> verifier = Verifier.fit(dataset("sample:ru").pairs)
    >>> [pair.probability > 0.5 for pair in verifier.verify([("anna", "анна"), ("anna", "петр")])]
    [True, False]
    """

    pairs: int  # it was fitted to
    seed: int
    prior: float
    notes: tuple[Note, ...]
    _alphabet: _Alphabet
    _counts: _Counts
    _table: _Table
    _usual: tuple[float, float]  # between which nearly all letters a unit are
    _mean: Floats  # by feature, as the next
    _scale: Floats
    _weights: Matrix  # by kind; the first is the one that stands alone

    def __repr__(self) -> str:
        """How much it has seen."""
        return f"<Verifier of {counted(self.pairs, 'genuine pair')}>"

    @property
    def sounds(self) -> str:
        """What letters were linked with: the sounds of pinyin, or units themselves (`none`).

        >>> Verifier.fit([("anna", "анна"), ("ivan", "иван")]).sounds
        'none'
        """
        return "pinyin" if self._alphabet.speaks else "none"

    @classmethod
    def fit(
        cls,
        pairs: NamePairs | Iterable[tuple[str, str]],
        **options: Unpack[VerifyingOptions],
    ) -> Verifier:
        """Learn from genuine pairs. The `seed` is for the folds and the false pairs, which are made
        here; `prior` is the share of genuine pairs to expect where `verify` is not told another.

        >>> print(*Verifier.fit([("anna", "анна"), ("ivan", "иван")]).notes)
        little can be learned from 2 pairs: some thousand are needed for probabilities to trust
        """
        settings = Verifying(**chosen(options, Verifying))
        given = NamePairs.of(pairs)
        # In order, so that the order they are given in does not matter.
        genuine = sorted({(composed(one), composed(two)) for one, two in given.pairs})
        if len({one for one, _ in genuine}) < 2 or len({two for _, two in genuine}) < 2:
            raise UsageError("nothing-to-tell", count=len(genuine))
        alphabet = _learn_alphabet(genuine, settings.case)
        outsiders = _outsiders(alphabet)
        names, _ = _encode(genuine, alphabet, outsiders)
        corpus = _align(names)
        counts = _count(corpus, np.ones(len(genuine), dtype=bool))
        found = _train(names, corpus, len(alphabet.syllables), settings.seed)
        ratio = np.log(names.letters.lengths[names.first] / names.units.lengths[names.second])
        low, high = np.quantile(ratio, [0.001, 0.999])
        repeated = len(given.pairs) - len(genuine)
        again = [Note("pairs-again", count=repeated)] if repeated else []
        table = _tabulate(counts, names.syllable, len(alphabet.syllables))
        made = cls(
            len(genuine),
            settings.seed,
            float(settings.prior),
            (*given.notes, *again),
            alphabet,
            counts,
            table,
            (float(low), float(high)),
            *found,
        )
        return replace(made, notes=(*made.notes, *made.limits))

    @property
    def limits(self) -> tuple[Note, ...]:
        """The notes that concern whatever is verified; the other `notes` are of the pairs learned.

        >>> [note.code for note in Verifier.fit([("anna", "анна"), ("ivan", "иван")] * 2).limits]
        ['little-learned']
        """
        little = [Note("little-learned", count=self.pairs)] if self.pairs < FEW else []
        deaf = self._alphabet.charsets and not self._alphabet.speaks
        return (*little, *([Note("no-sounds", how="learned")] if deaf else []))

    def verify(
        self,
        pairs: NamePairs | Iterable[tuple[str, str]],
        *,
        prior: float | None = None,
        convert: bool | None = False,
    ) -> Verified:
        """The probability that each pair is genuine, if a share `prior` of such pairs is, and the
        paper's distances. Any two names will do, in any script: what was never seen speaks against
        a pair. A pair is judged by itself: others in the list do not move a digit.

        With `convert`, traditional Chinese characters are read as the simplified ones that were
        learned, or simplified ones as traditional; None is to do so if the list is written in the
        other way: if that gives at least half of the names with characters never seen. (Japanese
        has many of the same characters, and others too.)

        >>> from sameas.names.datasets import dataset
        >>> verifier = Verifier.fit(dataset("sample:ru").pairs)
        >>> sure, wary = (verifier.verify([("ivan", "иван")], prior=p) for p in (0.9, 0.1))
        >>> bool(sure.probability[0] > wary.probability[0])
        True
        """
        share = self.prior if prior is None else Verifying(prior=prior).prior
        require(convert, (bool, NoneType), "convert", "True, False or None")
        ready = isinstance(pairs, NamePairs) and pairs.checked
        given, notes = (list(pairs), []) if ready else _two_names(pairs)
        new, other_way = self._other_way(given)
        converts = 0 < new <= 2 * other_way if convert is None else convert
        if other_way:
            notes.append(Note("other-chinese", count=other_way, how=_CHINESE[converts]))
        judged = _Judged.joined([self._judge(block, converts)[0] for block in _blocks(given)])
        one, two = self._alphabet.turned(judged.letters, judged.spoken)
        return Verified(
            given,
            _probability(judged.odds, share),
            judged.distance / one,
            judged.distance / two,
            judged.distance / (one + two),
            judged.kind,
            share,
            (*notes, *self._notes(judged.new), *self._unlike(given, converts)),
            converts,
        )

    def _unlike(self, pairs: Sequence[tuple[str, str]], convert: bool) -> Iterator[Note]:
        """A note if many pairs have letters that were never seen, or most are in another script."""
        strange, foreign = [], []
        for side, seen in enumerate(self._known()):
            names = {pair[side] for pair in pairs}
            strange.append({name for name in names if self._is_new(name, seen, convert)})
            known = frozenset(scripts("".join(seen)))
            foreign.append({name for name in strange[-1] if known.isdisjoint(scripts(name))})
        new, other = (
            sum(one in sources or two in targets for one, two in pairs)
            for sources, targets in (strange, foreign)
        )
        if 2 * other > len(pairs):
            yield Note("script-never-seen", count=other, total=len(pairs))
        elif new >= max(UNLIKE, UNLIKE_SHARE * len(pairs)):
            share = 100 * new / len(pairs)
            yield Note("unlike-learned", count=new, total=len(pairs), share=share)

    def _is_new(self, name: str, seen: frozenset[str], convert: bool) -> bool:
        """Whether a name has a letter that was never seen, and is read as no other."""
        units = spelt(name, self._alphabet.case)
        if seen.issuperset(units):
            return False
        read = zip(units, read_letters(units, seen, convert=convert), strict=True)
        return any(unit[0].isalpha() and not letters for unit, letters in read)

    def _other_way(self, pairs: Iterable[tuple[str, str]]) -> tuple[int, int]:
        """How many names have Chinese characters never seen, and how many of these are written in
        the other way: with traditional characters, or simplified ones."""
        if not self._alphabet.charsets:
            return 0, 0
        new = other_way = 0
        for side, known in enumerate(self._known()):
            for name in {pair[side] for pair in pairs}:
                han = [unit for unit in name if unit not in known and script_of(unit) == "Han"]
                new += bool(han)
                other_way += bool(han) and all(read_letters(han, known))
        return new, other_way

    def _notes(self, new: _New) -> Iterator[Note]:
        """What was never seen, and what would help."""
        if new.dropped:
            yield Note("no-letters-in", count=len(new.dropped), names=_some(new.dropped))
        if new.read:
            yield told_as(sorted(new.read.items()))
        for what, units in (("letters", new.letters), ("units", new.units)):
            if units:
                yield Note("not-learned", count=len(units), names=_some(units), how=what)
        if new.units and self._alphabet.speaks and not _can_hear():
            yield Note("no-sounds", how="verified")

    def _judge(
        self, pairs: Sequence[tuple[str, str]], convert: bool
    ) -> tuple[_Judged, dict[int, Matching]]:
        """What is known of each pair; and, of names that have more than the letters of one word,
        which words belong together."""
        known = self._known()
        shared = set(scripts("".join(known[0]))) & set(scripts("".join(known[1])))
        asked: dict[tuple[str, str], int] = {}
        initials: set[Question] = set()
        cut: dict[int, tuple[Words, Words]] = {}
        place = np.zeros(len(pairs), dtype=np.int64)
        for number, pair in enumerate(pairs):
            if has_signs(pair[0]) or has_signs(pair[1]):
                words = Words.of(pair[0], known[0]), Words.of(pair[1], known[1])
                cut[number] = words
                for question in questions(*words, shared):
                    if question.initial:
                        initials.add(question)
                    else:
                        asked.setdefault(question[:2], len(asked))
                # Where all words are the same in both, distances are those of the whole names.
                pair = "".join(words[0].judged), "".join(words[1].judged)
            place[number] = asked.setdefault(pair, len(asked))
        told = list(asked)
        judged = _Judged.joined([self._ask(block, convert) for block in _blocks(told)])
        odds = {
            Question(*pair): chance for pair, chance in zip(told, judged.odds.tolist(), strict=True)
        }
        odds |= self._initial_odds(initials, convert)
        matchings = {number: match(*words, odds, shared) for number, words in cut.items()}
        dropped = [word for words in cut.values() for one in words for word in one.dropped]
        judged = replace(judged, new=judged.new._replace(dropped=tuple(dropped)))
        return judged.of_pairs(place, matchings, asked), matchings

    def _known(self) -> tuple[frozenset[str], frozenset[str]]:
        """The letters that were seen in sources and in targets."""
        alphabet = self._alphabet
        return alphabet.turned(frozenset(alphabet.letters), frozenset(alphabet.units))

    def _initial_odds(self, asked: Collection[Question], convert: bool) -> dict[Question, float]:
        """The odds against letters as the beginnings of words that begin with these units: how much
        rarer the letter is for the unit than for any."""
        if not asked:
            return {}
        begins = _beginnings(self._counts)
        alphabet = self._alphabet
        letters = {letter: number for number, letter in enumerate(alphabet.letters)}
        units = {unit: number for number, unit in enumerate(alphabet.units)}
        anywhere = (begins.sum(axis=0) + 0.5) / (begins.sum() + 0.5 * len(letters))
        found = {}
        for question in asked:
            one, two = alphabet.turned(question.source, question.target)
            (begun,), _ = _known([spelt(one, alphabet.case)], alphabet.letters, convert)
            (shown,), _ = _known([spelt(two, alphabet.case)], alphabet.units, convert)
            letter, unit = letters.get(begun[0]), units.get(shown[0])
            found[question] = 1.0
            if letter is not None and unit is not None:
                here = begins[unit, letter] + anywhere[letter]
                found[question] = float(anywhere[letter] * (begins[unit].sum() + 1.0) / here)
        return found

    def _ask(self, pairs: Sequence[tuple[str, str]], convert: bool) -> _Judged:
        """What is known of pairs of a word each."""
        names, new = _encode(pairs, self._alphabet, convert=convert)
        features, distance, _ = _look(names, self._counts, self._table)
        odds, kind = self._odds(features)
        letters = names.letters.lengths[names.first].astype(np.float64)
        spoken = names.spoken()[names.second].astype(np.float64)
        return _Judged(odds, distance, letters, spoken, kind, new)

    def _odds(self, features: list[Floats]) -> tuple[Floats, Integers]:
        """The odds against each pair, and as which kind it would be false."""
        against = []
        for share, weights in zip(KINDS.values(), self._weights, strict=True):
            # A sum in order: a product of matrices depends on how many pairs there are.
            score = np.full(len(features[0]), weights[0])
            for column, mean, scale, weight in zip(
                features, self._mean, self._scale, weights[1:], strict=True
            ):
                score += (column - mean) / scale * weight
            against.append(share * np.exp(-np.clip(score, -300.0, 300.0)))
        total = np.zeros(len(features[0]))
        for one in against:
            total += one
        return total, np.argmax(np.stack(against), axis=0)

    def reason(self, source: str, target: str, *, convert: bool = False) -> Reason:
        """What speaks for a pair and against it, letters by letters.

        >>> from sameas.names.datasets import dataset
        >>> print(Verifier.fit(dataset("sample:ru").pairs).reason("anna", "анна"))
        nothing speaks against it
        """
        return next(self.reasons([(source, target)], convert=convert))

    def reasons(
        self, pairs: Iterable[tuple[str, str]], *, convert: bool = False
    ) -> Iterator[Reason]:
        """What speaks for pairs and against them, much faster than one by one; `convert` is that
        of `verify`.

        >>> from sameas.names.datasets import dataset
        >>> verifier = Verifier.fit(dataset("sample:ru").pairs)
        >>> [reason.never for reason in verifier.reasons([("anna", "анна"), ("anna", "安娜")])]
        [(), ('安', '娜')]
        """
        require(convert, bool, "convert", "True or False")
        given, _ = _two_names(pairs)
        for block in _blocks(given):
            yield from self._reasons(block, convert)

    def _reasons(self, pairs: list[tuple[str, str]], convert: bool) -> Iterator[Reason]:
        judged, matchings = self._judge(pairs, convert)
        by_pair = [
            matchings[number].asked if number in matchings else [pair]
            for number, pair in enumerate(pairs)
        ]
        distinct = list(dict.fromkeys(word for words in by_pair for word in words))
        known = dict(zip(distinct, self._word_reasons(distinct, convert), strict=True))
        probability = _probability(judged.odds, self.prior)
        for number, (pair, words) in enumerate(zip(pairs, by_pair, strict=True)):
            matching = matchings.get(number)
            if matching is None or (len(matching.words) == 1 and words):
                yield replace(known[words[0]], source=pair[0], target=pair[1])
                continue
            reasons = [known[asked] for asked in words]
            yield Reason(
                *pair,
                float(probability[number]),
                tuple(part for reason in reasons for part in reason.parts),
                tuple(dict.fromkeys(unit for reason in reasons for unit in reason.never)),
                tuple(dict.fromkeys(letter for reason in reasons for letter in reason.strange)),
                None,
                _NAMES[int(judged.kind[number])],
                tuple(self._judged_word(word, known) for word in matching.words),
                matching.turned,
            )

    def _judged_word(self, word: Compared, known: Mapping[tuple[str, str], Reason]) -> JudgedWord:
        """A word of a name of several, with what speaks against it."""
        probability = float(_probability(np.array(word.odds), self.prior))
        against = known[word.asked[:2]].against if word.asked else ()
        return JudgedWord(word.source, word.target, probability, against)

    def _word_reasons(self, pairs: Sequence[tuple[str, str]], convert: bool) -> Iterator[Reason]:
        if not pairs:
            return
        alphabet = self._alphabet
        names, _ = _encode(pairs, alphabet, convert=convert)
        features, _, paths = _look(names, self._counts, self._table)
        odds, kinds = self._odds(features)
        probability = _probability(odds, self.prior).tolist()
        units = names.units.pick(names.second)
        sizes, values = paths.sizes.tolist(), paths.values.tolist()
        unseen = (units.codes >= len(alphabet.units)).tolist()
        strange = self._counts.unseen(names.letters).tolist()
        # Ln of the probability of the letters before each place; names have an end besides.
        sums = np.concatenate(
            [[0.0], np.cumsum(self._counts.letters.logs(stream_of(names.letters)))]
        )
        first = names.first.tolist()
        starts, unit_at = names.letters.starts.tolist(), units.starts.tolist()
        both = self._known()
        for number, pair in enumerate(pairs):
            source, target = (
                _written(name, symbols, alphabet.case, convert)
                for name, symbols in zip(pair, both, strict=True)
            )
            letters, characters = alphabet.turned(source, target)
            begin = starts[first[number]]
            before = sums[begin + first[number] : begin + first[number] + len(letters) + 1]
            here = slice(unit_at[number], unit_at[number + 1])
            parts, at = [], 0
            for unit, size, value, new in zip(
                characters, sizes[here], values[here], unseen[here], strict=True
            ):
                run = "".join(letters[at : at + size])
                chance = -value - float(before[at + size] - before[at])
                sides = alphabet.turned(run, unit)
                parts.append(Part(*sides, value / _BIT, float(np.exp(min(chance, 300.0))), not new))
                at += size
            ratio = float(np.log(len(letters) / len(characters)))
            usual = self._usual[0] - CLOSE <= ratio <= self._usual[1] + CLOSE
            odd = None if usual else (len(source), len(target))
            never, letters_never = (
                tuple(dict.fromkeys(compress(units, new)))
                for units, new in ((characters, unseen[here]), (letters, strange[begin:]))
            )
            kind = _NAMES[int(kinds[number])]
            yield Reason(*pair, probability[number], tuple(parts), never, letters_never, odd, kind)

    def parts(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """All there is to keep: a header that JSON can hold, and arrays of numbers.

        >>> header, arrays = Verifier.fit([("anna", "анна"), ("ivan", "иван")]).parts()
        >>> header["pairs"], len(Verifier.from_parts(header, arrays).verify([("ann", "анн")]))
        (2, 1)
        """
        counts = self._counts
        header = {
            "format": FORMAT,
            "pairs": self.pairs,
            "seed": self.seed,
            "prior": self.prior,
            "notes": list(map(str, self.notes)),
            **asdict(self._alphabet),
            "usual": self._usual,
            "kinds": _NAMES,
            "features": _FEATURES,
        }
        arrays: dict[str, NDArray[Any]] = {
            **{name: getattr(counts, name) for name in _COUNTED},
            "mean": self._mean,
            "scale": self._scale,
            "weights": self._weights,
        }
        for length, known in enumerate(counts.runs.known, 1):
            arrays[f"runs{length}"] = known
        for name, grams in (("letters", counts.letters), ("units", counts.units)):
            arrays[f"{name}_ngrams"] = np.stack([grams.token, grams.children, grams.codes])
        return header, arrays

    @classmethod
    def from_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Verifier:
        """The verifier of which these are the `parts`, if they fit together.

        >>> Verifier.from_parts({}, {})
        Traceback (most recent call last):
        ...
        sameas.errors.UsageError: the model is broken: its verifier is of format None, not 2
        """
        known = header.get("format")
        check_model(known == FORMAT, "verifier-format", known=known, ours=FORMAT)
        for name, ours in (("kinds", _NAMES), ("features", _FEATURES)):
            _want(tuple(_texts(header, name)) == ours, name)
        heard = header.get("heard")
        _want(isinstance(heard, list | tuple), "heard")
        alphabet = _Alphabet(
            _texts(header, "letters"),
            _texts(header, "units"),
            tuple(_texts({"heard": one}, "heard") for one in heard or ()),
            _typed(header, "speaks", bool),
            _texts(header, "charsets"),
            _typed(header, "case", str),
            _typed(header, "swapped", bool),
        )
        _want(len(alphabet.heard) == len(alphabet.units) > 0, "heard")
        _want(alphabet.case in get_args(Case), "case")
        _want(set(alphabet.charsets) <= set(CHARSETS), "charsets")
        many, kinds = len(alphabet.letters), len(alphabet.units)
        shape = (many + 1, len(alphabet.sounds) + 1)
        links = _numbers(arrays, "links", shape)
        runs = Runs()
        for length in range(1, LONGEST + 1):
            runs.grow(_codes(arrays, f"runs{length}", runs.count * (many + 2)))
        runs.frozen = True
        tokens = _codes(arrays, "tokens", runs.count * kinds)
        counts = _Counts(
            links,
            runs,
            tokens,
            _numbers(arrays, "times", (len(tokens),)),
            _numbers(arrays, "lengths", (LONGEST + 1,)),
            _numbers(arrays, "letter_times", (many,)),
            _numbers(arrays, "unit_times", (kinds,)),
            _read_grams(arrays, "letters_ngrams", many + 2, LETTER_GRAMS),
            _read_grams(arrays, "units_ngrams", kinds + 2, UNIT_GRAMS),
        )
        usual = header.get("usual")
        listed = usual if isinstance(usual, list | tuple) else ()
        _want([type(one) for one in listed] == [float, float], "usual")
        prior = _typed(header, "prior", float)
        _want(0 < prior < 1, "prior")
        syllable = alphabet.syllables_of(alphabet.heard)
        scale = _numbers(arrays, "scale", (len(_FEATURES),))
        _want(bool((scale > 0).all()), "scale")
        return cls(
            _typed(header, "pairs", int),
            _typed(header, "seed", int),
            prior,
            notes_of(_texts(header, "notes")),
            alphabet,
            counts,
            _tabulate(counts, syllable, len(alphabet.syllables)),
            (listed[0], listed[1]),
            _numbers(arrays, "mean", (len(_FEATURES),), least=-np.inf),
            scale,
            _numbers(arrays, "weights", (len(KINDS), len(_FEATURES) + 1), least=-np.inf),
        )


def _want(fits: bool, name: str) -> None:
    check_model(fits, "verifier", name=name)


def _typed(header: Mapping[str, Any], name: str, kind: Callable[..., Any]) -> Any:
    value = header.get(name)
    _want(type(value) is kind, name)
    return value


def _texts(header: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = header.get(name)
    listed = isinstance(value, list | tuple)
    _want(listed and all(isinstance(one, str) for one in value or ()), name)
    return tuple(value or ())


def _numbers(
    arrays: Mapping[str, NDArray[Any]], name: str, shape: tuple[int, ...], least: float = 0.0
) -> Floats:
    value = arrays.get(name)
    _want(isinstance(value, np.ndarray) and value.shape == shape and value.dtype.kind == "f", name)
    found: Floats = np.asarray(value, dtype=np.float64)
    _want(bool(np.isfinite(found).all() and (found >= least).all()), name)
    return found


def _codes(arrays: Mapping[str, NDArray[Any]], name: str, most: int) -> Integers:
    value = arrays.get(name)
    _want(isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in "iu", name)
    found: Integers = np.asarray(value, dtype=np.int64)
    rising = bool((np.diff(found) > 0).all())
    _want(rising and (not len(found) or bool(found[0] >= 0 and found[-1] < most)), name)
    return found


def _read_grams(arrays: Mapping[str, NDArray[Any]], name: str, size: int, order: int) -> NgramModel:
    value = arrays.get(name)
    _want(isinstance(value, np.ndarray) and value.ndim == 2 and value.dtype.kind in "iu", name)
    try:
        token, children, codes = np.asarray(value, dtype=np.int64)
        return NgramModel(size, order, token, children, codes).checked()
    except (ValueError, IndexError):
        raise UsageError("broken-model", how="verifier", name=name) from None


_CHINESE = ("kept", "converted")


def _blocks(pairs: list[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    """Yield the pairs in lists that are looked at together."""
    return (pairs[begin : begin + BLOCK] for begin in range(0, len(pairs), BLOCK))


def _probability(odds: Floats, prior: float) -> Floats:
    chance: Floats = 1 / (1 + odds * ((1 - prior) / prior))
    return chance


def _some(units: Iterable[str]) -> list[str]:
    return ["␣" if unit.isspace() else visible(unit) for unit in sorted(set(units))]


def _two_names(pairs: Iterable[Sequence[str]]) -> tuple[list[tuple[str, str]], list[Note]]:
    """The pairs, of two names each that are not empty and not too long; and a note if signs that
    do not show were removed."""
    require(pairs, Iterable, "pairs", PAIRS)
    found: list[tuple[str, str]] = []
    problems = []
    removed = Removed()
    for number, pair in enumerate(pairs, 1):
        one, two = (removed.from_name(name).strip() for name in two_names(number, pair))
        for side, name in (("source", one), ("target", two)):
            try:
                check_name(name, side, 1, MOST)
            except BadLine as bad:
                problems.append(bad.problem(f"pair {number}"))
        found.append((one, two))
    if problems:
        raise InputError(problems)
    return found, removed.notes()


def _train(
    names: _Names, corpus: _Corpus, syllables: int, seed: int
) -> tuple[Floats, Floats, Matrix]:
    """What features are like, and what they weigh against each kind of false pairs."""
    random = np.random.Generator(np.random.PCG64(seed))
    distinct = len(names.letters)
    folds = min(FOLDS, distinct)
    fold_of = (random.permutation(distinct) % folds)[names.first]
    chosen = np.zeros(len(names), dtype=bool)
    chosen[random.permutation(len(names))[:ENOUGH]] = True
    seen = len(names.units.symbols)
    outside = np.arange(seen, len(names.syllable))
    alike: dict[int, list[int]] = {}
    others: dict[int, list[int]] = {}
    for unit in outside.tolist():
        syllable = int(names.syllable[unit])
        others.setdefault(syllable, []).append(unit)
        if not names.foreign[unit]:
            alike.setdefault(syllable, []).append(unit)
    maker = _Maker(random, seen, outside, alike, others, names.syllable.tolist())
    sources = _lists(names.letters)
    targets = _lists(names.units)
    known: dict[int, set[tuple[int, ...]]] = {}
    for one, two in zip(names.first.tolist(), names.second.tolist(), strict=True):
        known.setdefault(one, set()).add(tuple(targets[two]))
    blocks: list[Matrix] = []
    labels: list[Integers] = []
    for number in range(folds):
        here = np.flatnonzero((fold_of == number) & chosen)
        firsts = names.first[here].tolist()
        genuine = [targets[second] for second in names.second[here].tolist()]
        rows = [(first, _GENUINE, target) for first, target in zip(firsts, genuine, strict=True)]
        rows += [
            (first, _VARIANT, maker.variant(target))
            for first, target in zip(firsts, genuine, strict=True)
            if len(target) > 1
        ]
        rows += [
            (firsts[pair], kind, target)
            for pair, kind, target in maker.false([sources[first] for first in firsts], genuine)
            if tuple(target) not in known[firsts[pair]]
        ]
        if not rows:
            continue
        counts = _count(corpus, fold_of != number)
        table = _tabulate(counts, names.syllable, syllables)
        lengths = [len(target) for *_, target in rows]
        starts = starts_of(lengths)
        codes = np.array([unit for *_, target in rows for unit in target], dtype=np.int32)
        made = replace(
            names,
            units=Side(names.units.symbols, codes, starts),
            first=np.array([first for first, *_ in rows], dtype=np.int64),
            second=np.arange(len(rows)),
        )
        blocks.append(np.stack(_look(made, counts, table)[0], axis=1))
        labels.append(np.array([kind for _, kind, _ in rows]))
    features = np.concatenate(blocks)
    label = np.concatenate(labels)
    mean = features.mean(axis=0)
    scale = features.std(axis=0)
    scale = np.where(scale > 1e-9, scale, 1.0)
    standard = np.concatenate([np.ones((len(features), 1)), (features - mean) / scale], axis=1)
    plain, variant = label == _GENUINE, label == _VARIANT
    varied = VARIANTS if variant.any() else 0.0
    weights = np.zeros((len(KINDS), standard.shape[1]))
    for kind in range(len(KINDS)):
        false = label == kind
        if not false.any():
            continue  # nothing is known of this kind
        used = plain | variant | false
        weight = plain * ((1 - varied) / plain.sum()) + variant * (varied / max(variant.sum(), 1))
        weight = (weight + false / false.sum()) * plain.sum()
        weights[kind] = _regress(standard[used], (plain | variant)[used], weight[used])
    return mean, scale, weights


_GENUINE, _VARIANT = -1, -2  # labels beside those of kinds


def _lists(side: Side) -> list[Target]:
    codes, starts = side.codes.tolist(), side.starts.tolist()
    return [codes[begin:end] for begin, end in pairwise(starts)]
