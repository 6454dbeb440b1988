"""The sounds of Chinese characters: the pinyin of a character, cut into phonemes.

There are three cuts, from coarse to fine; all their sounds are in `sameas.names.phonology`:

======  ==============================  =========  ============  ============
cut     parts                           丝 si      连 lian       威 wei
======  ==============================  =========  ============  ============
final   initial, final                  s iz       l ian         w ei
coda    initial, vowels, nasal          s iz       l ie n        w ei
phone   initial, glide, nucleus, coda   s iz       l y eh n      w eh y
======  ==============================  =========  ============  ============

`final` is the cut of Pervouchine, Li & Lin (2009, Figure 2). English has the same diphthongs,
but no nasal vowels; so `coda` gives about as many parts as the English name has phonemes, and
aligns best.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import get_args

from sameas.errors import UsageError, how_to_install, unknown
from sameas.names.aligning import Cut
from sameas.names.letter_tables import read_tables

__all__ = ["CUTS", "READINGS", "sounds", "syllable"]

#: The available cuts of syllables.
CUTS: tuple[Cut, ...] = get_args(Cut)

_INITIALS = ("zh", "ch", "sh", *"bpmfdtnlgkhjqxrzcs")  # those of two letters first
_TONES = frozenset("\u0300\u0301\u0304\u030c")  # the accents of pinyin, except those of ü and ê

_TABLES = read_tables("pinyin")
# Finals that pinyin spells differently: shortened after a consonant, or with u for ü.
_SPELT = dict(_TABLES["spelt"])
_AFTER_PALATAL = dict(_TABLES["after-palatal"])
_AFTER_SIBILANT = dict(_TABLES["after-sibilant"])  # by initial: the final that i stands for
# Syllables without an initial consonant, which pinyin spells with a y or w that may be silent.
_BARE = dict(_TABLES["bare"])
_NEVER_AFTER_A_CONSONANT = ("iai", "ueng")
_WITHOUT_VOWEL = {spelt: tuple(parts) for spelt, *parts in _TABLES["without-vowel"]}
# The finals as glide, nucleus and coda.
_PARTS = {final: tuple(parts) for final, *parts in _TABLES["finals"]}
_FINALS = {parts: final for final, parts in _PARTS.items()} | {("eh", "n"): "an"}  # as in yan
# Finals without their nasal, if the written vowel differs from the spoken one: ian is [iɛn].
_OPEN = dict(_TABLES["open"])
#: Readings of characters in transliterated names that differ from pypinyin's first reading.
READINGS = dict(_TABLES["readings"])


def syllable(pinyin: str, cut: Cut = "final") -> tuple[str, ...]:
    """Return the sounds of one pinyin syllable, with or without tone; () if it is not pinyin.

    >>> [syllable(pinyin) for pinyin in ("ài", "lì", "sī")]
    [('ai',), ('l', 'i'), ('s', 'iz')]
    >>> syllable("jun"), syllable("lv"), syllable("wei"), syllable("shi")
    (('j', 'ün'), ('l', 'ü'), ('w', 'ei'), ('sh', 'ir'))
    >>> [syllable("lian", cut) for cut in CUTS]
    [('l', 'ie', 'n'), ('l', 'ian'), ('l', 'y', 'eh', 'n')]
    """
    if cut not in CUTS:
        raise unknown("cut", cut, CUTS)
    spelt = _plain(pinyin)
    if spelt in _WITHOUT_VOWEL:
        return _WITHOUT_VOWEL[spelt]
    initial, final = _split(spelt)
    if final not in _PARTS or (initial and final in _NEVER_AFTER_A_CONSONANT):
        return ()
    parts = _PARTS[final]
    if cut == "phone":
        return (*initial, *parts)
    if not initial and parts[0] in ("y", "w"):  # as in pinyin, y or w is the initial
        initial, parts = parts[:1], parts[1:]
        final = _FINALS[parts]
    if cut == "coda" and len(parts) > 1 and parts[-1] in ("n", "ng"):
        open_final = _OPEN.get(final, final.removesuffix(parts[-1]))
        return (*initial, open_final, parts[-1])
    return (*initial, final)


def _plain(pinyin: str) -> str:
    """Return pinyin in lower case, without tone, and with ü instead of v or `u:`."""
    letters = unicodedata.normalize("NFD", pinyin.strip().lower())
    text = unicodedata.normalize("NFC", "".join(one for one in letters if one not in _TONES))
    return text.rstrip("012345").replace("u:", "ü").replace("v", "ü")


def _split(spelt: str) -> tuple[tuple[str, ...], str]:
    """Return the initial, if any, and the final as named in the table."""
    if spelt in _BARE:
        return (), _BARE[spelt]
    initial = next((one for one in _INITIALS if spelt.startswith(one)), "")
    final = spelt[len(initial) :]
    if initial in ("j", "q", "x"):
        final = _AFTER_PALATAL.get(final, final)
    elif final == "i":
        final = _AFTER_SIBILANT.get(initial, final)
    final = _SPELT.get(final, final)
    return ((initial,) if initial else ()), final


@lru_cache(maxsize=1 << 16)
def sounds(character: str, cut: Cut = "final") -> tuple[str, ...]:
    """Return the sounds of a Chinese character as read in names; () if it has no reading.

    The reading is pypinyin's first, except for the characters in `READINGS`.

    >>> [sounds(character) for character in "爱丽丝"]
    [('ai',), ('l', 'i'), ('s', 'iz')]
    >>> sounds("A")
    ()
    """
    if character in READINGS:
        return syllable(READINGS[character], cut)
    try:
        from pypinyin import Style, pinyin  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise UsageError("needs-pypinyin", install=how_to_install("pypinyin")) from None
    found = pinyin(character, style=Style.NORMAL, errors="ignore")
    return syllable(found[0][0], cut) if len(found) == 1 else ()
