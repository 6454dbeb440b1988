"""Out-of-vocabulary letters: what they are read as, and which are removed."""

from __future__ import annotations

import unicodedata

import pytest

from sameas.names.letters import (
    FOLDED,
    FORMATTING,
    SIMPLIFIED,
    Removed,
    read_as_note,
    read_letters,
    without_formatting,
)
from sameas.names.units import graphemes, script_of
from sameas.notes import Note

LATIN = frozenset("abcdefghijklmnopqrstuvwxyz")


def test_the_table_has_letters_that_unicode_does_not_decompose() -> None:
    for letter, written in FOLDED.items():
        assert len(letter) == 1
        assert letter == letter.lower()
        assert written
        assert letter != written
        assert script_of(letter) == script_of(written[0])
        if script_of(letter) == "Latin" and letter != "ŉ":
            assert unicodedata.normalize("NFKD", letter) == letter
            assert set(written) <= LATIN


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("ø", "o"), ("ł", "l"), ("đ", "d"), ("ß", "ss"), ("æ", "ae"), ("œ", "oe"), ("þ", "th"), ("ı", "i"),
        ("ð", "d"), ("ħ", "h"), ("ŋ", "ng"), ("ǿ", "o"), ("ǽ", "ae"), ("é", "e"), ("ạ̈", "a"), ("ĳ", "ij"),
        ("☃", ""), ("я", ""), ("½", ""),
    ],
)  # fmt: skip
def test_unseen_letters(name: str, read: str) -> None:
    assert "".join(read_letters((name,), LATIN)[0]) == read


def test_known_letters_are_unchanged() -> None:
    assert read_letters("øo", frozenset("øo")) == [("ø",), ("o",)]
    assert read_letters("øo", frozenset("x")) == [(), ()]


def test_capitals_that_are_letters_of_their_own() -> None:
    known = LATIN | frozenset("OTH")
    assert read_letters("ØÞŁ", known) == [("O",), ("T", "h"), ("l",)]


def test_half_width_katakana() -> None:
    units = graphemes("ｼﾞｮﾝﾊﾟｰ")
    assert units == ("ｼﾞ", "ｮ", "ﾝ", "ﾊﾟ", "ｰ")
    read = read_letters(units, frozenset("ジションパハー"))
    assert read == [("ジ",), ("ョ",), ("ン",), ("パ",), ("ー",)]
    # The nearest letter is the one without its mark, as in full width.
    assert read_letters(("ｼﾞ",), frozenset("シ")) == read_letters(("ジ",), frozenset("シ"))


def test_traditional_and_simplified_chinese() -> None:
    simplified = frozenset("约翰玛丽")
    assert read_letters("約翰", simplified) == [("约",), ("翰",)]
    assert read_letters("约", frozenset("約翰")) == [("約",)]
    # 亜 is Japanese, and so is the name.
    assert read_letters("瑪麗亜", simplified) == [(), (), ()]
    assert len(SIMPLIFIED) > 400


@pytest.mark.parametrize("sign", sorted(FORMATTING))
def test_formatting_characters_are_removed(sign: str) -> None:
    assert unicodedata.category(sign) == "Cf"
    assert without_formatting(f"{sign}An{sign}na{sign}") == "Anna"


@pytest.mark.parametrize("name", ["نام\u200cها", "क्\u200dष", "👩\u200d👧", "ක්\u200dෂ"])
def test_joiners_with_an_effect_are_kept(name: str) -> None:
    assert without_formatting(name) == name


@pytest.mark.parametrize("name", ["An\u200dna", "Ан\u200cна", "安\u200d娜", "אב\u200dג"])
def test_joiners_without_effect_are_removed(name: str) -> None:
    assert len(without_formatting(name)) == len(name) - 1


def test_removed_characters_are_counted() -> None:
    removed = Removed()
    assert removed.notes() == []
    assert [removed.from_name(name) for name in ("a\u200eb\u200e", "ab", "\ufeffa")] == [
        "ab",
        "ab",
        "a",
    ]
    assert removed.notes() == [Note("layout-removed", count=3, within=2, signs="U+200E U+FEFF")]


def test_long_lists_of_letters_are_truncated() -> None:
    read = dict.fromkeys("øłđßæ", "x")
    told = read_as_note([*read.items(), ("œ", "x")])
    assert told == Note("letters-read-as", count=6, read=read, how="more")
