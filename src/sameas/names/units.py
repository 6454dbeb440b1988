"""Names to units: graphemes of any script, and names as arrays of numbers.

Dynamic programming over a corpus is done for many names at once: those with as many letters and as
many units share a `Batch`, and one array operation does a step for all of them.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import chain, pairwise
from typing import TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from sameas.errors import unknown
from sameas.names.aligning import Case

__all__ = [
    "JOINERS",
    "Batch",
    "NameSide",
    "batches",
    "composed",
    "fold",
    "graphemes",
    "lookup",
    "numbered",
    "ranks",
    "script_of",
    "scripts",
    "spelling",
    "spelt",
    "spread",
    "starts_of",
    "together",
]

Integers: TypeAlias = NDArray[np.int64]
MOST = 8192  # names of one batch, so that what is worked on stays in the cache

#: Signs within names that join letters or keep them apart, and do not show.
JOINERS = "\u200c\u200d"
# Signs that Unicode counts among the marks: the vowel am of Thai and Lao, and the two dots and the
# circle of katakana of half width.
_SPACING = "\u0e33\u0eb3\uff9e\uff9f"
# Signs that bind two consonants into one cluster (Indic_Conjunct_Break, Unicode 15.1), and where
# the consonants of their scripts begin: क् + ष is one letter to the reader.
_LINKERS = {chr(start + 0x4D): start for start in (0x900, 0x980, 0xA80, 0xB00, 0xC00, 0xD00)}


@lru_cache(maxsize=65536)
def _is_mark(character: str) -> bool:
    return unicodedata.category(character).startswith("M") or character in JOINERS + _SPACING


def _is_jamo(character: str) -> bool:
    return "\u1100" <= character <= "\u11ff"


def graphemes(text: str) -> tuple[str, ...]:
    """What a reader calls the letters of `text`: its grapheme clusters (Unicode Annex 29), in NFC.

    >>> graphemes("Zoe\u0308")
    ('Z', 'o', 'ë')
    >>> graphemes("हिन्दी"), graphemes("김")
    (('हि', 'न्दी'), ('김',))
    """
    text = composed(text)
    if text.isascii():
        return tuple(text)
    clusters: list[str] = []
    for character in text:
        if clusters and _joins(clusters[-1], character):
            clusters[-1] += character
        else:
            clusters.append(character)
    return tuple(clusters)


def _joins(cluster: str, character: str) -> bool:
    if _is_mark(character) or "\U0001f3fb" <= character <= "\U0001f3ff":  # skins of emoji
        return not cluster.isspace()
    if cluster[-1] == "\u200d" and unicodedata.category(character) == "So":
        return True
    last = cluster.rstrip(JOINERS)[-1:]
    if last in _LINKERS:
        start = _LINKERS[last]
        return start + 0x15 <= ord(character) < start + 0x3A and cluster[0].isalpha()
    if _is_jamo(character) and _is_jamo(cluster[-1]):  # old Korean, which has no composed form
        # Consonants that lead, vowels, and consonants that follow.
        before, after = (bisect("\u1160\u11a8", one) for one in (cluster[-1], character))
        return after - before in (0, 1)
    return False


def composed(text: str) -> str:
    """The text in NFC, with letters and their marks in one.

    >>> len(composed("é"))
    1
    """
    return unicodedata.normalize("NFC", text)


@lru_cache(maxsize=65536)
def fold(text: str) -> str:
    """The text by which letters are counted: capitals and small letters are one.

    Letter by letter, so that a Σ at the end of a name is the same letter as within it.

    >>> fold("Å"), fold("ΣΑΣ")
    ('å', 'σασ')
    """
    return composed("".join(map(str.lower, text)))


def spelling(case: Case) -> Callable[[str], str]:
    """Return how texts are spelt before they are compared: with or without capitals, in NFC.

    >>> spelling("fold")("Å"), spelling("keep")("Å")
    ('å', 'Å')
    """
    if case not in get_args(Case):
        raise unknown("case", case, get_args(Case))
    return fold if case == "fold" else composed


def spelt(name: str, case: Case) -> tuple[str, ...]:
    """Return the letters of a name, in small letters where capitals do not count.

    >>> spelt("Zoë", "fold")
    ('z', 'o', 'ë')
    """
    if name.isascii():
        return tuple(name.lower() if case == "fold" else name)
    letters = graphemes(name)
    return tuple(map(fold, letters)) if case == "fold" else letters


# The first word of a character's name in Unicode tells its script, but for these.
_NAMED = {
    "CJK": "Han",
    "IDEOGRAPHIC": "Han",
    "KATAKANA-HIRAGANA": "Katakana",
    "MODIFIER": "",
    "MASCULINE": "Latin",
    "FEMININE": "Latin",
    "MICRO": "Greek",
    "KELVIN": "Latin",
    "ANGSTROM": "Latin",
}
_TOGETHER = frozenset({"Han", "Hiragana", "Katakana"}), frozenset({"Han", "Hangul"})


@lru_cache(maxsize=65536)
def script_of(character: str) -> str:
    """The script of a letter, and nothing for signs that belong to no script.

    >>> script_of("é"), script_of("я"), script_of("爱"), script_of("ー"), script_of("-")
    ('Latin', 'Cyrillic', 'Han', 'Katakana', '')
    """
    if not character.isalpha() and character != "〇":
        return ""
    words = unicodedata.name(character, "").replace("FULLWIDTH ", "").replace("HALFWIDTH ", "")
    first = words.split(" ")[0] if words else ""
    return _NAMED.get(first, first.capitalize())


def scripts(text: str) -> tuple[str, ...]:
    """The scripts of the letters of `text`, in the order they come.

    >>> scripts("O'Hara"), scripts("サン・パウロ"), scripts("alicе")
    (('Latin',), ('Katakana',), ('Latin', 'Cyrillic'))
    """
    if text.isascii():
        return ("Latin",) if any(map(str.isalpha, text)) else ()
    return tuple(dict.fromkeys(script for script in map(script_of, text) if script))


def together(found: Iterable[str]) -> bool:
    """Whether one name is written in these scripts: one of them, or those of Japanese or Korean.

    >>> together(["Han", "Katakana"]), together(["Latin", "Cyrillic"])
    (True, False)
    """
    kinds = set(found)
    return len(kinds) < 2 or any(kinds <= group for group in _TOGETHER)


@dataclass(frozen=True, slots=True)
class NameSide:
    """One side of a corpus of names: every name as numbers of symbols, one after another.

    >>> side = NameSide.of([("a", "n", "n"), ("n", "o")])
    >>> side.symbols, side.codes.tolist(), side.starts.tolist()
    (('a', 'n', 'o'), [0, 1, 1, 1, 2], [0, 3, 5])
    """

    symbols: tuple[str, ...]
    codes: NDArray[np.int32]
    starts: Integers  # where names begin, and where the last one ends

    @classmethod
    def of(cls, names: Sequence[Sequence[str]], symbols: Sequence[str] | None = None) -> NameSide:
        """Names of symbols to numbers; with `symbols` given, what is not among them gets the
        number that follows theirs and that of nothing.

        >>> NameSide.of([("a", "x")], ("a", "b")).codes.tolist()
        [0, 3]
        """
        starts = starts_of([len(name) for name in names])
        known = sorted(set(chain.from_iterable(names))) if symbols is None else symbols
        numbers = {symbol: number for number, symbol in enumerate(known)}
        unknown = len(known) + 1
        found = (numbers.get(symbol, unknown) for symbol in chain.from_iterable(names))
        codes = np.fromiter(found, dtype=np.int32, count=int(starts[-1]))
        return cls(tuple(known), codes, starts)

    def __len__(self) -> int:
        """How many names."""
        return len(self.starts) - 1

    @property
    def lengths(self) -> Integers:
        """How many symbols each name has."""
        return np.diff(self.starts)

    def parts(self, of_symbol: NameSide) -> tuple[NameSide, Integers]:
        """Return the names with the parts of each symbol in its place, and which of the symbols,
        counted over all names, each part is of.

        >>> names, owners = NameSide.of([("b", "a")]).parts(NameSide.of([("x",), ("y", "z")]))
        >>> names.codes.tolist(), owners.tolist()
        ([1, 2, 0], [0, 0, 1])
        """
        lengths = of_symbol.lengths[self.codes]
        places, starts = spread(of_symbol.starts[self.codes], lengths)
        owners = np.repeat(np.arange(len(lengths)), lengths)
        return NameSide(of_symbol.symbols, of_symbol.codes[places], starts[self.starts]), owners

    def pick(self, names: Integers) -> NameSide:
        """Some of the names.

        >>> NameSide.of([("a",), ("b", "c")]).pick(np.array([1])).codes.tolist()
        [1, 2]
        """
        places, starts = spread(self.starts[names], self.lengths[names])
        return NameSide(self.symbols, self.codes[places], starts)


def numbered(codes: Integers) -> tuple[Integers, Integers]:
    """The distinct codes in order, and the place of each code among them.

    >>> [part.tolist() for part in numbered(np.array([7, 2, 7]))]
    [[2, 7], [1, 0, 1]]
    """
    most = int(codes.max(initial=0)) + 1
    if most > 8 * len(codes) or codes.min(initial=0) < 0:
        distinct, places = np.unique(codes, return_inverse=True)
        return distinct, places.reshape(-1)
    # A table instead of sorting is ten times as fast.
    table = np.zeros(most, dtype=np.int64)
    table[codes] = 1
    distinct = np.flatnonzero(table)
    table[distinct] = np.arange(len(distinct))
    return distinct, table[codes]


def lookup(known: Integers, codes: Integers) -> tuple[Integers, NDArray[np.bool_]]:
    """Return where codes are among known ones, which are sorted, and whether they are.

    >>> [part.tolist() for part in lookup(np.array([2, 7]), np.array([7, 3]))]
    [[1, 1], [True, False]]
    """
    if not len(known):
        return np.zeros(len(codes), dtype=np.int64), np.zeros(len(codes), dtype=np.bool_)
    at = np.minimum(np.searchsorted(known, codes), len(known) - 1)
    return at, known[at] == codes


def ranks(*columns: Integers) -> Integers:
    """Return the place of each row among those alike in all columns, which lie together.

    >>> ranks(np.array([5, 5, 3])).tolist()
    [0, 1, 0]
    """
    changed = reduce(np.logical_or, (column[1:] != column[:-1] for column in columns))
    begins: Integers = np.append(0, np.flatnonzero(changed) + 1)
    everywhere = np.arange(len(columns[0]))
    return everywhere - np.repeat(begins, np.diff(np.append(begins, len(everywhere))))


def starts_of(lengths: Integers | Sequence[int]) -> Integers:
    """Return where runs of these lengths begin, one after another, and where the last one ends.

    >>> starts_of([2, 1]).tolist()
    [0, 2, 3]
    """
    starts = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts


def spread(begins: Integers, lengths: Integers) -> tuple[Integers, Integers]:
    """The places of runs that begin at `begins`, one after another, and where each run begins.

    >>> [part.tolist() for part in spread(np.array([4, 0]), np.array([2, 1]))]
    [[4, 5, 0], [0, 2, 3]]
    """
    starts = starts_of(lengths)
    return np.arange(starts[-1]) + np.repeat(begins - starts[:-1], lengths), starts


@dataclass(frozen=True, slots=True)
class Batch:
    """Names with as many symbols on each side: `source[i]` holds the i-th symbol of every one."""

    pairs: Integers
    source_at: Integers  # where each name begins on its side
    target_at: Integers
    source: NDArray[np.int32]
    target: NDArray[np.int32]


def batches(
    source: NameSide, target: NameSide, most: int = MOST, *, cells: int | None = None
) -> Iterator[Batch]:
    """Go through a corpus by lengths, at most `most` names at once; or fewer, so that their tables
    of letters and units have no more than `cells` together.

    >>> left, right = NameSide.of([("a",), ("b",), ("a", "b")]), NameSide.of([("x",)] * 3)
    >>> [batch.pairs.tolist() for batch in batches(left, right)]
    [[0, 1], [2]]
    """
    many, few = source.lengths, target.lengths
    order = np.lexsort((few, many))
    changes = np.flatnonzero((np.diff(many[order]) != 0) | (np.diff(few[order]) != 0)) + 1
    bounds = [0, *changes.tolist(), len(order)]
    for start, end in pairwise(bounds):
        size = most
        if cells is not None:
            area = (many[order[start]] + 1) * few[order[start]]
            size = min(most, max(1, cells // area))
        for begin in range(start, end, size):
            pairs = order[begin : min(begin + size, end)]
            left, right = source.starts[pairs], target.starts[pairs]
            letters = source.codes[left + np.arange(many[pairs[0]])[:, None]]
            units = target.codes[right + np.arange(few[pairs[0]])[:, None]]
            yield Batch(pairs, left, right, letters, units)
