"""Pairs of names as numbers: the symbols of training, how units sound, and what was never seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple, TypeVar

import numpy as np

from sameas.errors import UsageError
from sameas.names import mandarin
from sameas.names.letters import read_letters
from sameas.names.options import Case
from sameas.names.segment import Floats
from sameas.names.units import Integers, NameSide, graphemes, script_of, spelt, starts_of

__all__ = [
    "CHARSETS",
    "Alphabet",
    "EncodedPairs",
    "NeverSeen",
    "can_encode",
    "can_hear",
    "encode_pairs",
    "learn_alphabet",
    "list_outsiders",
    "read_as_known",
    "written_letters",
]

T = TypeVar("T")
CUT = "coda"  # how syllables of Chinese are cut into sounds
_CODAS = (("n",), ("ng",))  # which are part of a final in pinyin
# Sets of characters of those who write Han: what is in none that holds the training names is from
# elsewhere.
CHARSETS = ("gb2312", "big5", "shift_jis", "euc_kr")
HELD = 0.99  # of the units of training that a set must hold
_CJK = range(0x4E00, 0xA000)


@dataclass(frozen=True, slots=True)
class Alphabet:
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
        """How units sound, each way once and in order."""
        return tuple(sorted({" ".join(heard) for heard in self.heard if heard}))

    def syllables_of(self, heard: Iterable[Sequence[str]]) -> Integers:
        """The numbers of syllables; -1 for what does not sound, or like none of the units."""
        numbers = {syllable: number for number, syllable in enumerate(self.syllables)}
        return np.array([numbers.get(" ".join(one), -1) for one in heard], dtype=np.int64)

    def turned(self, one: T, two: T) -> tuple[T, T]:
        """Of a source and a target: what is taken for letters, and for units; or the reverse."""
        return (two, one) if self.swapped else (one, two)

    def known(self) -> tuple[frozenset[str], frozenset[str]]:
        """Return the letters that were seen in sources and in targets."""
        return self.turned(frozenset(self.letters), frozenset(self.units))


@dataclass(frozen=True, slots=True)
class EncodedPairs:
    """Pairs as numbers: distinct names of letters and of units, and which of them are a pair.

    Units past those of the alphabet were never seen. By unit: `heard`, a "name" of its sounds;
    `syllable`, the number of all of them together, or -1; its `size` in the transcription, which
    for Chinese is pinyin's initials and finals (an is one, lan two); and whether it is `foreign`.
    """

    letters: NameSide
    units: NameSide
    heard: NameSide
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

    def sounds(self) -> tuple[NameSide, Integers]:
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


def can_hear() -> bool:
    """Whether the package is there that says how Chinese characters sound."""
    return bool(_sound("爱"))


def can_encode(charset: str, text: str) -> bool:
    """Return whether a set of characters has those of a text."""
    try:
        text.encode(charset)
    except UnicodeEncodeError:
        return False
    return True


class NeverSeen(NamedTuple):
    """What was never seen: letters, units, and those read as others that were."""

    letters: set[str]
    units: set[str]
    read: dict[str, str]
    dropped: tuple[str, ...] = ()  # words without letters


def learn_alphabet(pairs: list[tuple[str, str]], case: Case) -> Alphabet:
    """Return the symbols of genuine pairs; the side with fewer of them are the units."""
    sides = [[spelt(name, case) for name in names] for names in zip(*pairs, strict=True)]
    many, few = (sum(map(len, side)) for side in sides)
    swapped = few > many
    letters, units = reversed(sides) if swapped else sides
    times = Counter(unit for name in units for unit in name)
    symbols = tuple(sorted(times))
    han = {unit: count for unit, count in times.items() if script_of(unit[:1]) == "Han"}
    all_han = sum(han.values())
    mostly = 2 * all_han > times.total()
    speaks = mostly and can_hear()
    held = {
        charset: sum(count for unit, count in han.items() if can_encode(charset, unit))
        for charset in CHARSETS
    }
    charsets = [one for one in CHARSETS if mostly and held[one] >= HELD * all_han]
    return Alphabet(
        tuple(sorted({letter for name in letters for letter in name})),
        symbols,
        tuple(_sound(unit) if speaks else () for unit in symbols),
        speaks,
        tuple(charsets),
        case,
        swapped,
    )


def encode_pairs(
    pairs: Iterable[tuple[str, str]],
    alphabet: Alphabet,
    more: Sequence[str] = (),
    *,
    convert: bool = False,
) -> tuple[EncodedPairs, NeverSeen]:
    """Pairs as numbers, and what was never seen: of units first `more`, then others in order."""
    names: tuple[dict[str, int], dict[str, int]] = {}, {}
    numbers: tuple[list[int], list[int]] = [], []
    for pair in pairs:
        for side in (0, 1):
            numbers[side].append(names[side].setdefault(pair[side], len(names[side])))
    of_letters, of_units = alphabet.turned(*names)
    letters, new_letters = read_as_known(of_letters, alphabet.letters, alphabet.case, convert)
    units, new_units = read_as_known(of_units, alphabet.units, alphabet.case, convert)
    first, second = alphabet.turned(*numbers)
    seen = {*alphabet.units, *more}
    others = sorted(set(chain.from_iterable(units)) - seen)
    everything = (*alphabet.units, *more, *others)
    heard = [*alphabet.heard]
    heard += [_sound(unit) if alphabet.speaks else () for unit in everything[len(heard) :]]
    foreign = [
        bool(alphabet.charsets)
        and not any(can_encode(charset, unit) for charset in alphabet.charsets)
        for unit in everything
    ]
    symbols = NameSide.of(units, everything)
    sounding = [sounds or (unit,) for unit, sounds in zip(everything, heard, strict=True)]
    found = EncodedPairs(
        NameSide.of(letters, alphabet.letters),
        NameSide(alphabet.units, symbols.codes, symbols.starts),
        NameSide.of(sounding, alphabet.sounds),
        alphabet.syllables_of(heard),
        np.array([max(len(one) - (one[-1:] in _CODAS), 1) for one in heard], dtype=np.int64),
        np.array(foreign, dtype=np.float64),
        np.array(first, dtype=np.int64),
        np.array(second, dtype=np.int64),
    )
    strange = set(chain.from_iterable(letters)).difference(alphabet.letters)
    return found, NeverSeen(strange, {*more, *others}, {**new_letters, **new_units})


def read_as_known(
    names: Iterable[str], symbols: Sequence[str], case: Case, convert: bool
) -> tuple[list[tuple[str, ...]], dict[str, str]]:
    """Names in letters, those never seen as the nearest that were, and which these are."""
    seen = frozenset(symbols)
    made: list[tuple[str, ...]] = []
    others: dict[str, str] = {}
    for name in (spelt(name, case) for name in names):
        if seen.issuperset(name):
            made.append(name)
            continue
        read = list(zip(name, read_letters(name, seen, convert=convert), strict=True))
        others |= {unit: "".join(letters) for unit, letters in read if letters not in ((), (unit,))}
        made.append(tuple(letter for unit, letters in read for letter in letters or (unit,)))
    return made, others


def written_letters(name: str, seen: frozenset[str], case: Case, convert: bool) -> list[str]:
    """The letters of a name as they are written, one for each by which it is judged: of ß, which
    is read as ss, the second is empty."""
    read = read_letters(spelt(name, case), seen, convert=convert)
    return [
        letter if not place else ""
        for letter, letters in zip(graphemes(name), read, strict=True)
        for place in range(max(len(letters), 1))
    ]


def list_outsiders(alphabet: Alphabet) -> tuple[str, ...]:
    """Units that names are not written with: others in use, or one that stands for them."""
    if not alphabet.speaks and not alphabet.charsets:
        return ("\ufffd",)
    others = sorted(set(map(chr, _CJK)).difference(alphabet.units))
    return tuple(one for one in others if can_encode("gb2312", one) or can_encode("shift_jis", one))
