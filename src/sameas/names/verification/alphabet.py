"""Encode pairs of names as numbers: the vocabulary, the sounds of units, and unseen symbols."""

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
    "can_read_han",
    "encode_pairs",
    "learn_alphabet",
    "list_outsiders",
    "read_as_known",
    "written_letters",
]

T = TypeVar("T")
CUT = "coda"  # the cut of Chinese syllables into sounds
_CODAS = (("n",), ("ng",))  # parts of finals in pinyin
# Character sets of the writing systems that use Han. A character is foreign if it is in none of the
# sets that cover the training names.
CHARSETS = ("gb2312", "big5", "shift_jis", "euc_kr")
HELD = 0.99  # share of the Han units of training that a set must contain to cover them
_CJK = range(0x4E00, 0xA000)


@dataclass(frozen=True, slots=True)
class Alphabet:
    """The vocabulary of training names, the sounds of its units, and its character sets."""

    letters: tuple[str, ...]
    units: tuple[str, ...]
    unit_sounds: tuple[tuple[str, ...], ...]  # the sounds of each unit; () if unknown
    has_sounds: bool  # whether the sounds of units can be looked up
    charsets: tuple[str, ...]
    case: Case
    swapped: bool  # the letters are those of the target, which has more symbols

    @property
    def sounds(self) -> tuple[str, ...]:
        """The sounds with which letters are linked; a unit of unknown sound is its own sound."""
        pairs = zip(self.units, self.unit_sounds, strict=True)
        return tuple(sorted({sound for unit, known in pairs for sound in known or (unit,)}))

    @property
    def syllables(self) -> tuple[str, ...]:
        """The distinct syllables of the units, sorted."""
        return tuple(sorted({" ".join(sounds) for sounds in self.unit_sounds if sounds}))

    def syllables_of(self, syllables: Iterable[Sequence[str]]) -> Integers:
        """Return the index of each syllable; -1 if its sounds are unknown or no unit has them."""
        numbers = {syllable: number for number, syllable in enumerate(self.syllables)}
        return np.array([numbers.get(" ".join(one), -1) for one in syllables], dtype=np.int64)

    def turned(self, one: T, two: T) -> tuple[T, T]:
        """Convert (source, target) to (letters, units), or the reverse: swap them if `swapped`."""
        return (two, one) if self.swapped else (one, two)

    def known(self) -> tuple[frozenset[str], frozenset[str]]:
        """Return the symbols seen in sources, and those seen in targets."""
        return self.turned(frozenset(self.letters), frozenset(self.units))


@dataclass(frozen=True, slots=True)
class EncodedPairs:
    """Pairs as numbers: the distinct names of each side, and two indices per pair.

    `letters` has the names of the side in letters, `units` those of the side in units. Units
    numbered past the alphabet are unseen. For each unit, `sounded` has its sounds; `syllable` is
    the index of its syllable, or -1; `size` is its length in the transcription, which for Chinese
    is the number of pinyin initials and finals (an has one, lan two); and `foreign` is 1 if it is
    foreign (see `CHARSETS`), else 0.
    """

    letters: NameSide
    units: NameSide
    sounded: NameSide
    syllable: Integers
    size: Integers
    foreign: Floats
    first: Integers
    second: Integers

    def __len__(self) -> int:
        return len(self.first)

    def spoken(self) -> Integers:
        """Return, for each distinct name written in units, the length of its transcription."""
        sums = starts_of(self.size[self.units.codes])
        lengths: Integers = sums[self.units.starts[1:]] - sums[self.units.starts[:-1]]
        return lengths

    def sounds(self) -> tuple[NameSide, Integers]:
        """Return the sounds of each distinct name in `units`, and the unit index of each sound."""
        return self.units.parts(self.sounded)


def _sound(unit: str) -> tuple[str, ...]:
    """Return the sounds of a character; () if it is not Han, or if the package is missing."""
    if script_of(unit[:1]) != "Han":
        return ()
    try:
        return mandarin.sounds(unit, CUT)
    except UsageError:
        return ()


def can_read_han() -> bool:
    """Return whether the package with the readings of Chinese characters is installed."""
    return bool(_sound("爱"))


def can_encode(charset: str, text: str) -> bool:
    """Return whether a character set contains all characters of a text."""
    try:
        text.encode(charset)
    except UnicodeEncodeError:
        return False
    return True


class NeverSeen(NamedTuple):
    """Unseen letters and units, those read as known ones, and words dropped before judging."""

    letters: set[str]
    units: set[str]
    read: dict[str, str]  # from unseen symbols to the known ones they were read as
    dropped: tuple[str, ...] = ()  # words without letters


def learn_alphabet(pairs: list[tuple[str, str]], case: Case) -> Alphabet:
    """Return the alphabet of genuine pairs; the units are the side with fewer symbols in total."""
    sides = [[spelt(name, case) for name in names] for names in zip(*pairs, strict=True)]
    many, few = (sum(map(len, side)) for side in sides)
    swapped = few > many
    letters, units = reversed(sides) if swapped else sides
    times = Counter(unit for name in units for unit in name)
    symbols = tuple(sorted(times))
    han = {unit: count for unit, count in times.items() if script_of(unit[:1]) == "Han"}
    all_han = sum(han.values())
    mostly = 2 * all_han > times.total()
    has_sounds = mostly and can_read_han()
    held = {
        charset: sum(count for unit, count in han.items() if can_encode(charset, unit))
        for charset in CHARSETS
    }
    charsets = [one for one in CHARSETS if mostly and held[one] >= HELD * all_han]
    return Alphabet(
        tuple(sorted({letter for name in letters for letter in name})),
        symbols,
        tuple(_sound(unit) if has_sounds else () for unit in symbols),
        has_sounds,
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
    """Return the encoded pairs and the unseen symbols.

    Unseen units are numbered after the known ones: first `more`, then the others in sorted order.
    With `convert`, traditional Chinese characters are read as simplified ones, or the reverse.
    """
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
    known = [*alphabet.unit_sounds]
    further = everything[len(known) :]
    known += [_sound(unit) if alphabet.has_sounds else () for unit in further]
    foreign = [
        bool(alphabet.charsets)
        and not any(can_encode(charset, unit) for charset in alphabet.charsets)
        for unit in everything
    ]
    symbols = NameSide.of(units, everything)
    sounding = [sounds or (unit,) for unit, sounds in zip(everything, known, strict=True)]
    found = EncodedPairs(
        NameSide.of(letters, alphabet.letters),
        NameSide(alphabet.units, symbols.codes, symbols.starts),
        NameSide.of(sounding, alphabet.sounds),
        alphabet.syllables_of(known),
        np.array([max(len(one) - (one[-1:] in _CODAS), 1) for one in known], dtype=np.int64),
        np.array(foreign, dtype=np.float64),
        np.array(first, dtype=np.int64),
        np.array(second, dtype=np.int64),
    )
    unseen = set(chain.from_iterable(letters)).difference(alphabet.letters)
    return found, NeverSeen(unseen, {*more, *others}, {**new_letters, **new_units})


def read_as_known(
    names: Iterable[str], symbols: Sequence[str], case: Case, convert: bool
) -> tuple[list[tuple[str, ...]], dict[str, str]]:
    """Return names as letters, with unseen letters replaced by the nearest known ones, and the
    replacements."""
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
    """Return the letters of a name as written, one for each letter that it is read as.

    For ß, which is read as ss, the second is empty.
    """
    read = read_letters(spelt(name, case), seen, convert=convert)
    return [
        letter if not place else ""
        for letter, letters in zip(graphemes(name), read, strict=True)
        for place in range(max(len(letters), 1))
    ]


def list_outsiders(alphabet: Alphabet) -> tuple[str, ...]:
    """Return units that do not occur in training: other Han characters in use, or a placeholder."""
    if not alphabet.has_sounds and not alphabet.charsets:
        return ("\ufffd",)
    others = sorted(set(map(chr, _CJK)).difference(alphabet.units))
    return tuple(one for one in others if can_encode("gb2312", one) or can_encode("shift_jis", one))
