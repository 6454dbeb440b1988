"""The table of features: complete, consistent, in line with the ear and with panphon."""

from __future__ import annotations

import warnings
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from sameas.names.mandarin import CUTS, syllable
from sameas.names.phonology import (
    ENGLISH,
    FEATURES,
    MANDARIN,
    NULL_DISTANCE,
    distance,
    distances,
    features,
)
from sameas.tables.correlation import spearman
from saying import raises

SOUNDS = ENGLISH + MANDARIN


def has(sound: str, *names: str) -> bool:
    return any(features(sound)[FEATURES.index(name)] for name in names)


VOWELS = [sound for sound in SOUNDS if has(sound, "vowel")]
CONSONANTS = [sound for sound in SOUNDS if not has(sound, "vowel")]
INITIALS = "b p m f d t n l g k h j q x zh ch sh r z c s"
FINALS = """
a o e ai ei ao ou an en ang eng er i ia ie iao iu ian in iang ing iong io
u ua uo uai ui uan un uang ong ü üe
"""
BARE = """
a o e ê ai ei ao ou an en ang eng er yi ya ye yao you yan yin yang ying yong yo
wu wa wo wai wei wan wen wang weng yu yue yuan yun ng
"""


def inventory(cut: str) -> set[str]:
    spelt = [initial + final for initial in INITIALS.split() for final in FINALS.split()]
    return {sound for one in spelt + BARE.split() for sound in syllable(one, cut)}


def test_the_phonemes_of_the_cmu_dictionary() -> None:
    assert len(ENGLISH) == len(set(ENGLISH)) == 39
    assert all(phoneme.isupper() for phoneme in ENGLISH)
    assert all(sound.islower() for sound in MANDARIN)


def test_every_feature_is_used_and_described_once() -> None:
    assert len(FEATURES) == len(set(FEATURES)) == 33
    rows = np.array([features(sound) for sound in SOUNDS])
    assert rows.shape == (len(SOUNDS), len(FEATURES)) and rows.dtype == bool
    assert rows.any(axis=0).all() and rows.any(axis=1).all()


def test_the_rows_have_known_features_only() -> None:
    from sameas.names.phonology import _ROWS

    for sound, names in _ROWS.items():
        assert set(names) <= set(FEATURES), sound
        assert list(names) == [name for name in FEATURES if name in names], sound  # no duplicates


@pytest.mark.parametrize("cut", CUTS)
def test_the_sounds_of_a_cut_have_distinct_rows(cut: str) -> None:
    sounds = inventory(cut)
    assert sounds <= set(MANDARIN)
    assert len({tuple(features(sound)) for sound in sounds}) == len(sounds)


def test_every_row_is_a_sound_of_some_cut() -> None:
    assert set().union(*map(inventory, CUTS)) == set(MANDARIN)


def test_no_two_english_phonemes_share_a_row() -> None:
    assert len({tuple(features(phoneme)) for phoneme in ENGLISH}) == 39


def test_a_row_is_a_copy() -> None:
    features("S")[:] = True
    assert distance("S", "s") == 0


def test_the_distance_is_a_metric() -> None:
    table = distances(SOUNDS, SOUNDS)
    assert table.dtype == np.int64
    assert (table == table.T).all()
    assert (table.diagonal() == 0).all()
    assert (table[:, :, None] + table[None] >= table[:, None]).all()
    assert all(table[i, j] == distance(SOUNDS[i], SOUNDS[j]) for i, j in [(0, 1), (5, 90), (98, 3)])


def test_the_null_phoneme_is_farther_than_any_phoneme() -> None:
    assert distances(SOUNDS, SOUNDS).max() == NULL_DISTANCE - 1 == 13


def test_vowels_are_far_from_consonants() -> None:
    """Their distance exceeds nearly all those within a class, and is near the maximum."""
    across = distances(VOWELS, CONSONANTS)
    assert distances(CONSONANTS, CONSONANTS).max() < np.median(across) == 10
    assert distances(VOWELS, VOWELS).max() < np.median(across)
    near = [(VOWELS[i], CONSONANTS[j]) for i, j in zip(*np.nonzero(across < 7), strict=True)]
    assert near == [("er", "R")]


def test_distances_of_empty_lists() -> None:
    assert distances([], ["a"]).shape == (0, 1)


def test_unknown_phonemes_are_errors() -> None:
    with raises("unknown", what="phoneme", value="AX"):
        distance("AX", "a")


# The Mandarin sounds closest to each English phoneme by ear, among all initials and the finals
# without a nasal or a preceding glide.
NEAREST = {
    "AA": "a", "AE": "a eh", "AH": "e", "AO": "o", "AW": "ao", "AY": "ai", "EH": "eh", "ER": "er",
    "EY": "ei", "IH": "i", "IY": "i", "OW": "ou", "OY": "o", "UH": "u", "UW": "u", "B": "b",
    "CH": "ch", "D": "d", "DH": "s z", "F": "f", "G": "g", "HH": "h", "JH": "zh", "K": "k",
    "L": "l", "M": "m", "N": "n", "NG": "ng", "P": "p", "R": "r", "S": "s", "SH": "sh", "T": "t",
    "TH": "s", "V": "f", "W": "w", "Y": "y", "Z": "s z", "ZH": "sh zh",
}  # fmt: skip


def test_the_nearest_sounds() -> None:
    sounds = [
        sound
        for sound in sorted(inventory("final"))
        if not has(sound, "nasalised", "onglide") and not sound.startswith(("ua", "ue", "uo", "ü"))
    ]
    assert set(NEAREST) == set(ENGLISH)
    for phoneme, expected in NEAREST.items():
        row = distances([phoneme], sounds)[0]
        nearest = {sounds[place] for place in np.flatnonzero(row == row.min())}
        assert nearest == set(expected.split()), (phoneme, nearest)


@pytest.mark.parametrize(
    ("phoneme", "near", "far"),
    [
        ("AA", "ang", "an en"),
        ("AE", "an", "ang en"),
        ("AH", "en", "in ing an"),
        ("AY", "a", "e o i"),
        ("EH", "ei", "e a i"),
        ("ER", "e", "a o i"),
        ("IH", "in", "en an"),
        ("UW", "iou", "i a ou"),
        ("CH", "q", "c sh zh t k"),
        ("SH", "x", "s f h"),
        ("JH", "j", "z d g"),
        ("HH", "g", "b d"),
        ("L", "r", "y w m"),
        ("R", "l", "n y w"),
        ("NG", "n", "g"),
        ("TH", "s", "f t"),
        ("V", "w", "m d g l y"),
        ("L", "er", "a i u e en"),  # 尔 is written for the L and the R that end a syllable
        ("R", "er", "a i u e en"),
    ],
)
def test_similar_sounds_are_near(phoneme: str, near: str, far: str) -> None:
    assert all(distance(phoneme, near) < distance(phoneme, other) for other in far.split())


def test_strength_goes_together() -> None:
    for weak, strong, lenis, aspirated in ("BPbp", "DTdt", "GKgk"):
        assert distance(weak, lenis) == distance(strong, aspirated) == 0
        assert distance(weak, aspirated) == distance(strong, lenis) == 2


# --- panphon -----------------------------------------------------------------------------------

# The sounds in IPA, for diphthongs the nucleus. English stops are as pronounced before a vowel.
IPA = {
    "AA": "ɑ", "AE": "æ", "AH": "ə", "AO": "ɔ", "AW": "a", "AY": "a", "EH": "ɛ", "ER": "ɹ̩",
    "EY": "e", "IH": "ɪ", "IY": "i", "OW": "o", "OY": "ɔ", "UH": "ʊ", "UW": "u",
    "B": "b", "CH": "t͡ʃʰ", "D": "d", "DH": "ð", "F": "f", "G": "ɡ", "HH": "h", "JH": "d͡ʒ",
    "K": "kʰ", "L": "l", "M": "m", "N": "n", "NG": "ŋ", "P": "pʰ", "R": "ɹ", "S": "s", "SH": "ʃ",
    "T": "tʰ", "TH": "θ", "V": "v", "W": "w", "Y": "j", "Z": "z", "ZH": "ʒ",
    "b": "p", "p": "pʰ", "m": "m", "f": "f", "d": "t", "t": "tʰ", "n": "n", "l": "l", "g": "k",
    "k": "kʰ", "h": "x", "j": "t͡ɕ", "q": "t͡ɕʰ", "x": "ɕ", "zh": "ʈ͡ʂ", "ch": "ʈ͡ʂʰ", "sh": "ʂ",
    "r": "ɻ", "z": "t͡s", "c": "t͡sʰ", "s": "s", "y": "j", "w": "w", "yw": "ɥ", "ng": "ŋ",
    "a": "a", "o": "o", "e": "ɤ", "eh": "ɛ", "i": "i", "u": "u", "ü": "y", "iz": "ɨ", "ir": "ɨ",
    "er": "ɹ̩", "ai": "a", "ei": "e", "ao": "ɑ", "ou": "o", "an": "a", "ang": "ɑ", "en": "ə",
    "eng": "ə", "in": "i", "ing": "i", "ong": "ʊ", "ia": "a", "ie": "ɛ", "io": "ɔ", "iao": "ɑ",
    "iou": "u", "ian": "ɛ", "iang": "ɑ", "iong": "ʊ", "ua": "a", "uo": "o", "uai": "a",
    "uei": "e", "uan": "a", "uen": "ə", "uang": "ɑ", "üe": "œ", "üan": "œ", "ün": "y",
}  # fmt: skip

# The differences from panphon, and the reasons.
EXCEPT = {
    "voi": set(),
    "cons": {"R", "r"},  # a glide in panphon; in Mandarin it corresponds to l in other languages
    "son": {"HH"},  # panphon: h is not an obstruent
    "cor": set(),
    "lab": set(),
    "sg": set(),
    "cont": set(),
    "hi": {"ER", "er"},  # panphon describes the syllabic R by its consonant
    "lo": {"AO"},  # low as in British "hot" and American "thought"; panphon's ɔ is mid
    "back": {"ER", "er", "an", "uan"},  # panphon has no central vowels and treats [a] as back
    # panphon's ɹ is rounded; the rest have a rounded onglide, which IPA writes before the nucleus
    "round": {"ER", "er", "ua", "uai", "uei", "uan", "uen", "uang"},
}


def ours(sound: str) -> dict[str, bool]:
    """Return our features in panphon's terms, as far as panphon distinguishes these sounds."""
    vowel = has(sound, "vowel")
    common = {
        "syl": has(sound, "syllabic"),
        "cons": has(sound, "consonant"),
        "son": has(sound, "vowel", "resonant"),
        "lat": has(sound, "lateral"),
        "nas": has(sound, "nasal"),
    }
    if vowel:
        return common | {
            "hi": has(sound, "high"),
            "lo": has(sound, "low"),
            "back": has(sound, "back", "central"),
            "round": has(sound, "rounded"),
        }
    voiced = has(sound, "resonant") or (has(sound, "lenis") and sound in ENGLISH)
    return common | {
        "voi": voiced,
        "cor": has(sound, "coronal", "hushing"),
        "lab": has(sound, "labial"),
        "sg": has(sound, "aspirated"),
        "cont": not has(sound, "stop", "nasal"),
    }


@pytest.fixture(scope="module")
def segments() -> dict[str, Any]:
    panphon = pytest.importorskip("panphon")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = panphon.FeatureTable()
        found = {sound: table.word_fts(ipa) for sound, ipa in IPA.items()}
    assert all(len(parts) == 1 for parts in found.values())
    return {sound: parts[0] for sound, parts in found.items()}


@pytest.mark.long
def test_features_match_panphon(segments: dict[str, Any]) -> None:
    assert set(segments) == set(SOUNDS)
    differing: dict[str, set[str]] = {name: set() for name in EXCEPT}
    for sound, segment in segments.items():
        for name, present in ours(sound).items():
            if segment[name] and (segment[name] > 0) != present:
                differing.setdefault(name, set()).add(sound)
    assert differing == EXCEPT


def correlation(segments: dict[str, Any], sounds: list[str]) -> float:
    pairs = list(combinations(sounds, 2))
    near = np.array([float(distance(*pair)) for pair in pairs])
    there = [
        np.abs(np.array(segments[one].numeric()) - segments[other].numeric()).sum()
        for one, other in pairs
    ]
    found = spearman(near, np.array(there, dtype=float))
    assert found is not None
    return found


@pytest.mark.long
def test_distances_correlate_with_panphon(segments: dict[str, Any]) -> None:
    """Rank correlation over pairs of single sounds, without diphthongs and nasal finals."""
    parts = ("upglide", "backglide", "onglide", "nasalised")
    single = [sound for sound in SOUNDS if not has(sound, *parts)]
    assert correlation(segments, single) > 0.68
    assert correlation(segments, [one for one in single if one in VOWELS]) > 0.55
    assert correlation(segments, [one for one in single if one in CONSONANTS]) > 0.72
