"""Detect texts that look like English, for which names, kinds and heads of mentions are guessed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

__all__ = ["look_english"]

LEAST, ENOUGH = 100, 2_000  # minimum number of words to decide the language; maximum examined
TOGETHER = 1_000  # minimum number of words to decide the language of all short texts together
ENGLISH = 0.03  # minimum share of the commonest words in English
#: Words that are common in English, and rare or absent in other languages.
_COMMON = frozenset(("the", "of", "and", "to", "that", "for", "it", "you"))

_MASKS = frozenset("_*-#xX")


class _Counts(NamedTuple):
    words: int
    common: int
    letters: bool  # whether there are any letters
    latin: bool  # whether most letters are ASCII
    masked: bool  # whether the words are replaced by symbols

    @property
    def is_short(self) -> bool:
        return self.words < LEAST


def look_english(texts: Iterable[Sequence[str]]) -> list[bool]:
    """Return, for each text, whether it looks like English.

    A short text counts as English, unless its script is not Latin, or all short texts together
    have enough words to show that they are not English. A masked text (for example, underscores
    instead of words) is not English.

    >>> german = ["der", "Hund", "und", "die", "Katze"]
    >>> look_english([german * 20, german, ["the", "dog"] * 50, ["狗", "和", "猫"]])
    [False, True, True, False]
    """
    counts = [_count(words) for words in texts]
    short = [one for one in counts if one.is_short and one.letters]
    words, common = sum(one.words for one in short), sum(one.common for one in short)
    together = words < TOGETHER or common >= ENGLISH * words
    return [
        one.latin
        and not one.masked
        and (together or not one.letters if one.is_short else one.common >= ENGLISH * one.words)
        for one in counts
    ]


def _count(words: Sequence[str]) -> _Counts:
    some = list(islice(words, ENOUGH))
    common = sum(word.lower() in _COMMON for word in some)
    written = "".join(some)
    latin = written.isascii()
    if not latin:
        plain = written.encode("ascii", "ignore").decode("ascii")
        latin = 2 * sum(map(str.isalpha, plain)) >= sum(map(str.isalpha, written))
    letters = any(map(str.isalpha, written))
    signs = set(written)
    masked = not signs.isdisjoint(_MASKS) and not any(map(str.isalnum, signs - _MASKS))
    return _Counts(len(some), common, letters, latin, masked)
