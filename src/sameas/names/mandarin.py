"""The sounds of Chinese characters: a character's pinyin, and pinyin cut into phonemes.

Three cuts, from coarse to fine; the sounds of all are rows of `sameas.names.phonology`:

======  ==============================  =========  ============  ============
cut     parts                           丝 si      连 lian       威 wei
======  ==============================  =========  ============  ============
final   initial, final                  s iz       l ian         w ei
coda    initial, vowels, nasal          s iz       l ie n        w ei
phone   initial, glide, nucleus, coda   s iz       l y eh n      w eh y
======  ==============================  =========  ============  ============

`final` is that of Pervouchine, Li & Lin (2009, Figure 2). English has no nasal vowels but the same
diphthongs, so `coda` has about as many parts as the English name has phonemes, and aligns best.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import get_args

from sameas.errors import UsageError, how_to_install, unknown
from sameas.names.aligning import Cut

__all__ = ["CUTS", "READINGS", "sounds", "syllable"]

#: The ways to cut a syllable.
CUTS: tuple[Cut, ...] = get_args(Cut)

_INITIALS = ("zh", "ch", "sh", *"bpmfdtnlgkhjqxrzcs")  # two letters before one
_TONES = frozenset("\u0300\u0301\u0304\u030c")  # the accents of pinyin, without that of ü and ê

# Finals that pinyin spells otherwise: shortened after a consonant, or ü where u cannot be.
_SPELT = {"iu": "iou", "ui": "uei", "un": "uen", "ue": "üe", "ê": "eh"}
_AFTER_PALATAL = {"u": "ü", "uan": "üan", "un": "ün", "ue": "üe"}
# Syllables without a consonant begin with y or w in pinyin, which may or may not stand for a sound.
_BARE = {
    "yi": "i", "yin": "in", "ying": "ing", "yu": "ü", "yue": "üe", "yuan": "üan", "yun": "ün",
    "yo": "io", "ya": "ia", "ye": "ie", "yao": "iao", "you": "iou", "yan": "ian", "yang": "iang",
    "yong": "iong", "yai": "iai",
    "wu": "u", "wa": "ua", "wo": "uo", "wai": "uai", "wei": "uei", "wan": "uan", "wen": "uen",
    "wang": "uang", "weng": "ueng", "wong": "ong",
}  # fmt: skip
_NEVER_AFTER_A_CONSONANT = ("iai", "ueng")
_WITHOUT_VOWEL = {"m": ("m",), "n": ("n",), "ng": ("ng",), "hm": ("h", "m"), "hng": ("h", "ng")}

# The finals as glide, nucleus and coda.
_PHONES = """
a a | o o | e e | eh eh | i i | u u | ü ü | iz iz | ir ir | er er
ai a y | ei eh y | ao a w | ou o w
an a n | ang a ng | en e n | eng e ng | in i n | ing i ng | ong u ng
ia y a | ie y eh | io y o | iai y a y | iao y a w | iou y o w
ian y eh n | iang y a ng | iong y u ng
ua w a | uo w o | uai w a y | uei w eh y | uan w a n | uen w e n | uang w a ng | ueng w e ng
üe yw eh | üan yw eh n | ün ü n
"""
_PARTS = {
    final: tuple(parts)
    for line in _PHONES.strip().splitlines()
    for final, *parts in map(str.split, line.split("|"))
}
_FINALS = {parts: final for final, parts in _PARTS.items()} | {("eh", "n"): "an"}  # that of yan

# Finals without their nasal, where another vowel is written than spoken: ian is [iɛn].
_OPEN = {"ian": "ie", "üan": "üe", "uen": "u", "ong": "u", "iong": "io"}

#: How characters are read in transliterated names, where pypinyin gives another reading first.
READINGS = {
    "勒": "le",  # lei: to tighten
    "什": "shi",  # shen: what
    "茜": "xi",  # qian: madder; xi in the names of women
    "曾": "zeng",  # ceng: once
    "佛": "fo",  # fu: as in 仿佛
    "卜": "bu",  # bo: as in 萝卜
    "柏": "bo",  # bai: cypress; bo in 柏林, Berlin
    "泊": "bo",  # po: lake
    "薄": "bo",  # bao: thin
    "缪": "miu",  # mou: as in 绸缪
    "繆": "miu",
    "都": "du",  # dou: all; du in 都柏林, Dublin
    "秘": "bi",  # mi: secret; bi in 秘鲁, Peru
    "厦": "xia",  # sha: tall building; xia in 厦门, Xiamen
    "廈": "xia",
    "长": "chang",  # zhang: to grow
    "長": "chang",
    "藏": "zang",  # cang: to hide; zang in 西藏, Tibet
    "嘞": "le",
    "紮": "zha",  # za; written for 扎
    "媞": "ti",  # shi
    "孛": "bo",  # bei: comet
}


def syllable(pinyin: str, cut: Cut = "final") -> tuple[str, ...]:
    """The sounds of one syllable of pinyin, with or without its tone; none if it is no pinyin.

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
    if not initial and parts[0] in ("y", "w"):  # as pinyin has it: y or w is the initial
        initial, parts = parts[:1], parts[1:]
        final = _FINALS[parts]
    if cut == "coda" and len(parts) > 1 and parts[-1] in ("n", "ng"):
        open_final = _OPEN.get(final, final.removesuffix(parts[-1]))
        return (*initial, open_final, parts[-1])
    return (*initial, final)


def _plain(pinyin: str) -> str:
    """In small letters, without tone; ü may be written v or u:."""
    letters = unicodedata.normalize("NFD", pinyin.strip().lower())
    text = unicodedata.normalize("NFC", "".join(one for one in letters if one not in _TONES))
    return text.rstrip("012345").replace("u:", "ü").replace("v", "ü")


def _split(spelt: str) -> tuple[tuple[str, ...], str]:
    """Initial, if there is one, and final as it is called in the table."""
    if spelt in _BARE:
        return (), _BARE[spelt]
    initial = next((one for one in _INITIALS if spelt.startswith(one)), "")
    final = spelt[len(initial) :]
    if initial in ("j", "q", "x"):
        final = _AFTER_PALATAL.get(final, final)
    elif final == "i" and initial in ("z", "c", "s"):
        final = "iz"
    elif final == "i" and initial in ("zh", "ch", "sh", "r"):
        final = "ir"
    final = _SPELT.get(final, final)
    return ((initial,) if initial else ()), final


@lru_cache(maxsize=1 << 16)
def sounds(character: str, cut: Cut = "final") -> tuple[str, ...]:
    """The sounds of a Chinese character as it is read in names; none if it has no reading.

    The reading is the first that pypinyin gives, but for the characters in `READINGS`.

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
