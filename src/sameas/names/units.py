"""Split names in any script into graphemes, and encode names as arrays of numbers.

Dynamic programming over a corpus runs on many names at once: names with the same number of letters
and the same number of units share a `Batch`, so that one array operation performs a step for all.
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
MOST = 8192  # names per batch, so that the working set stays in the cache

#: Invisible characters within names that join letters or keep them apart.
JOINERS = "\u200c\u200d"
# Characters that extend a cluster according to Annex 29, although not in category M: the vowel am
# of Thai and Lao, and the two dots and the circle of half-width katakana.
_SPACING = "\u0e33\u0eb3\uff9e\uff9f"
# Signs that join two consonants into one cluster (Indic_Conjunct_Break, Unicode 15.1), and the
# first code point of their script's block: to a reader क् + ष is one letter.
_LINKERS = {chr(start + 0x4D): start for start in (0x900, 0x980, 0xA80, 0xB00, 0xC00, 0xD00)}


@lru_cache(maxsize=65536)
def _is_mark(character: str) -> bool:
    return unicodedata.category(character).startswith("M") or character in JOINERS + _SPACING


def _is_jamo(character: str) -> bool:
    return "\u1100" <= character <= "\u11ff"


def graphemes(text: str) -> tuple[str, ...]:
    """Return the grapheme clusters of `text` (Unicode Annex 29), in NFC: user-perceived characters.

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
    if _is_mark(character) or "\U0001f3fb" <= character <= "\U0001f3ff":  # skin tones of emoji
        return not cluster.isspace()
    if cluster[-1] == "\u200d" and unicodedata.category(character) == "So":
        return True
    last = cluster.rstrip(JOINERS)[-1:]
    if last in _LINKERS:
        start = _LINKERS[last]
        return start + 0x15 <= ord(character) < start + 0x3A and cluster[0].isalpha()
    if _is_jamo(character) and _is_jamo(cluster[-1]):  # old Korean, which has no composed form
        # 0: leading consonant, 1: vowel, 2: trailing consonant.
        before, after = (bisect("\u1160\u11a8", one) for one in (cluster[-1], character))
        return after - before in (0, 1)
    return False


def composed(text: str) -> str:
    """Return the text in NFC, which composes letters with their marks.

    >>> len(composed("é"))
    1
    """
    return unicodedata.normalize("NFC", text)


@lru_cache(maxsize=65536)
def fold(text: str) -> str:
    """Return the text in lower case and NFC.

    Case is folded letter by letter, so that a final Σ is the same letter as one within a name.

    >>> fold("Å"), fold("ΣΑΣ")
    ('å', 'σασ')
    """
    return composed("".join(map(str.lower, text)))


def spelling(case: Case) -> Callable[[str], str]:
    """Return the function that normalises texts before comparison: NFC, in lower case for `fold`.

    >>> spelling("fold")("Å"), spelling("keep")("Å")
    ('å', 'Å')
    """
    if case not in get_args(Case):
        raise unknown("case", case, get_args(Case))
    return fold if case == "fold" else composed


def spelt(name: str, case: Case) -> tuple[str, ...]:
    """Return the letters of a name, in lower case if `case` is `fold`.

    >>> spelt("Zoë", "fold")
    ('z', 'o', 'ë')
    """
    if name.isascii():
        return tuple(name.lower() if case == "fold" else name)
    letters = graphemes(name)
    return tuple(map(fold, letters)) if case == "fold" else letters


# The script of a character is the first word of its Unicode name, with these exceptions.
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
    """Return the script of a letter, or an empty string for characters without one.

    >>> script_of("é"), script_of("я"), script_of("爱"), script_of("ー"), script_of("-")
    ('Latin', 'Cyrillic', 'Han', 'Katakana', '')
    """
    if not character.isalpha() and character != "〇":
        return ""
    words = unicodedata.name(character, "").replace("FULLWIDTH ", "").replace("HALFWIDTH ", "")
    first = words.split(" ")[0] if words else ""
    return _NAMED.get(first, first.capitalize())


def scripts(text: str) -> tuple[str, ...]:
    """Return the scripts of the letters of `text`, in order of appearance.

    >>> scripts("O'Hara"), scripts("サン・パウロ"), scripts("alicе")
    (('Latin',), ('Katakana',), ('Latin', 'Cyrillic'))
    """
    if text.isascii():
        return ("Latin",) if any(map(str.isalpha, text)) else ()
    return tuple(dict.fromkeys(script for script in map(script_of, text) if script))


def together(found: Iterable[str]) -> bool:
    """Return whether a name can be in these scripts: at most one, or those of Japanese or Korean.

    >>> together(["Han", "Katakana"]), together(["Latin", "Cyrillic"])
    (True, False)
    """
    kinds = set(found)
    return len(kinds) < 2 or any(kinds <= group for group in _TOGETHER)


@dataclass(frozen=True, slots=True)
class NameSide:
    """One side of a corpus: the symbol numbers of all names, concatenated.

    >>> side = NameSide.of([("a", "n", "n"), ("n", "o")])
    >>> side.symbols, side.codes.tolist(), side.starts.tolist()
    (('a', 'n', 'o'), [0, 1, 1, 1, 2], [0, 3, 5])
    """

    symbols: tuple[str, ...]
    codes: NDArray[np.int32]
    starts: Integers  # the offset of each name, followed by the end of the last one

    @classmethod
    def of(cls, names: Sequence[Sequence[str]], symbols: Sequence[str] | None = None) -> NameSide:
        """Assign numbers to the symbols of names.

        If `symbols` is given, other symbols get the number `len(symbols) + 1`; `len(symbols)` is
        reserved for the null symbol.

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
        """Return the number of names."""
        return len(self.starts) - 1

    @property
    def lengths(self) -> Integers:
        """The number of symbols in each name."""
        return np.diff(self.starts)

    def parts(self, of_symbol: NameSide) -> tuple[NameSide, Integers]:
        """Replace each symbol by its parts; also return the symbol index of each part.

        Indices are counted over all names.

        >>> names, owners = NameSide.of([("b", "a")]).parts(NameSide.of([("x",), ("y", "z")]))
        >>> names.codes.tolist(), owners.tolist()
        ([1, 2, 0], [0, 0, 1])
        """
        lengths = of_symbol.lengths[self.codes]
        places, starts = spread(of_symbol.starts[self.codes], lengths)
        owners = np.repeat(np.arange(len(lengths)), lengths)
        return NameSide(of_symbol.symbols, of_symbol.codes[places], starts[self.starts]), owners

    def pick(self, names: Integers) -> NameSide:
        """Return the names at these indices.

        >>> NameSide.of([("a",), ("b", "c")]).pick(np.array([1])).codes.tolist()
        [1, 2]
        """
        places, starts = spread(self.starts[names], self.lengths[names])
        return NameSide(self.symbols, self.codes[places], starts)


def numbered(codes: Integers) -> tuple[Integers, Integers]:
    """Return the distinct codes, sorted, and the index of each code among them.

    >>> [part.tolist() for part in numbered(np.array([7, 2, 7]))]
    [[2, 7], [1, 0, 1]]
    """
    most = int(codes.max(initial=0)) + 1
    if most > 8 * len(codes) or codes.min(initial=0) < 0:
        distinct, places = np.unique(codes, return_inverse=True)
        return distinct, places.reshape(-1)
    # A table is ten times as fast as sorting.
    table = np.zeros(most, dtype=np.int64)
    table[codes] = 1
    distinct = np.flatnonzero(table)
    table[distinct] = np.arange(len(distinct))
    return distinct, table[codes]


def lookup(known: Integers, codes: Integers) -> tuple[Integers, NDArray[np.bool_]]:
    """Return the indices of codes in the sorted array `known`, and whether they are in it.

    >>> [part.tolist() for part in lookup(np.array([2, 7]), np.array([7, 3]))]
    [[1, 1], [True, False]]
    """
    if not len(known):
        return np.zeros(len(codes), dtype=np.int64), np.zeros(len(codes), dtype=np.bool_)
    at = np.minimum(np.searchsorted(known, codes), len(known) - 1)
    return at, known[at] == codes


def ranks(*columns: Integers) -> Integers:
    """Return the 0-based rank of each row in its run of adjacent, identical rows.

    >>> ranks(np.array([5, 5, 3])).tolist()
    [0, 1, 0]
    """
    changed = reduce(np.logical_or, (column[1:] != column[:-1] for column in columns))
    begins: Integers = np.append(0, np.flatnonzero(changed) + 1)
    everywhere = np.arange(len(columns[0]))
    return everywhere - np.repeat(begins, np.diff(np.append(begins, len(everywhere))))


def starts_of(lengths: Integers | Sequence[int]) -> Integers:
    """Return the offsets of concatenated runs of these lengths, followed by the end of the last.

    >>> starts_of([2, 1]).tolist()
    [0, 2, 3]
    """
    starts = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts


def spread(begins: Integers, lengths: Integers) -> tuple[Integers, Integers]:
    """Return the concatenated indices of the elements of runs, and the offset of each run.

    The offsets are followed by the end of the last run.

    >>> [part.tolist() for part in spread(np.array([4, 0]), np.array([2, 1]))]
    [[4, 5, 0], [0, 2, 3]]
    """
    starts = starts_of(lengths)
    return np.arange(starts[-1]) + np.repeat(begins - starts[:-1], lengths), starts


@dataclass(frozen=True, slots=True)
class Batch:
    """Pairs with sources of equal length and targets of equal length.

    `source[i]` holds the i-th symbol of every source, and `target[i]` that of every target.
    """

    pairs: Integers
    source_at: Integers  # the offset of each name on its side
    target_at: Integers
    source: NDArray[np.int32]
    target: NDArray[np.int32]


def batches(
    source: NameSide, target: NameSide, most: int = MOST, *, cells: int | None = None
) -> Iterator[Batch]:
    """Yield the pairs of a corpus in batches; all pairs of a batch have the same lengths.

    A batch has at most `most` pairs, and few enough that their tables of letters by units have at
    most `cells` cells in total.

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
