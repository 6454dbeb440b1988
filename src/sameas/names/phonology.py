"""The sounds of English and Mandarin in one table of articulatory features, and their distances.

Pervouchine, Li & Lin (2009, section 3.2.2) describe every phoneme by binary features. The distance
between two phonemes is the number of features in which they differ (the Hamming distance). The
paper does not contain the authors' table; this one is ours. English sounds are the 39 phonemes of
the CMU dictionary without stress, in capitals. Mandarin sounds are in lower case, mostly spelt as
in pinyin; they are the parts into which `sameas.names.mandarin` cuts syllables.

The table is designed for alignment. The null phoneme costs more than the largest distance between
two phonemes. So two nulls beat two wrong partners only if the distance between a vowel and a
consonant is close to the maximum. Hence:

- four features separate vowels from consonants, and no other feature is shared by both, except in
  the r-coloured vowels (ER, er, ir);
- features that all sounds of a class share are omitted: vowels, nasals, liquids and glides are
  voiced;
- obstruents are weak or strong instead of voiced or voiceless, because this fits Mandarin: its weak
  b is unvoiced and its strong p is aspirated;
- descriptions are short: no vowel has more than six features, no consonant more than seven.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sameas.errors import unknown
from sameas.names.letter_tables import read_tables

__all__ = [
    "ENGLISH",
    "FEATURES",
    "MANDARIN",
    "NULL_DISTANCE",
    "distance",
    "distances",
    "features",
]

Bools = np.ndarray[Any, np.dtype[np.bool_]]
Ints = np.ndarray[Any, np.dtype[np.int64]]

_TABLES = read_tables("phonology")
#: The names of the features, in the order of the columns of `features`.
FEATURES = tuple(name for name, *_ in _TABLES["features"])
_ROWS = {sound: row for sound, *row in (*_TABLES["english"], *_TABLES["mandarin"])}
#: The phonemes of English, as the CMU dictionary writes them without stress.
ENGLISH = tuple(sound for sound, *_ in _TABLES["english"])
#: The sounds of Mandarin: consonants and glides, simple vowels, then the other finals.
MANDARIN = tuple(sound for sound, *_ in _TABLES["mandarin"])
_VECTORS = np.array([[name in row for name in FEATURES] for row in _ROWS.values()], dtype=bool)
_INDEX = {phoneme: place for place, phoneme in enumerate(_ROWS)}
_DISTANCES: Ints = (_VECTORS[:, None] != _VECTORS[None]).sum(axis=2, dtype=np.int64)
#: The cost of a phoneme without a partner: more than the distance between any two.
NULL_DISTANCE = int(_DISTANCES.max()) + 1


def _place(phoneme: str) -> int:
    try:
        return _INDEX[phoneme]
    except KeyError:
        raise unknown("phoneme", phoneme, _INDEX) from None


def features(phoneme: str) -> Bools:
    """Return the features of a phoneme, one truth value for each of `FEATURES`.

    >>> [name for name, present in zip(FEATURES, features("S")) if present]
    ['consonant', 'marginal', 'fricative', 'coronal']
    """
    row: Bools = _VECTORS[_place(phoneme)].copy()
    return row


def distance(one: str, other: str) -> int:
    """Return the number of features in which two phonemes differ.

    >>> distance("S", "s"), distance("TH", "s"), distance("S", "AA")
    (0, 1, 8)
    """
    return int(_DISTANCES[_place(one), _place(other)])


def distances(rows: Sequence[str], columns: Sequence[str]) -> Ints:
    """Return the distance from every phoneme in `rows` to every phoneme in `columns`.

    >>> distances(["B", "P"], ["b", "p"]).tolist()
    [[0, 2], [2, 0]]
    """
    return _DISTANCES[np.ix_([_place(row) for row in rows], [_place(one) for one in columns])]
