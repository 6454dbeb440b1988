"""Characters to pinyin to sounds."""

from __future__ import annotations

import sys
from unittest import mock

import pytest

from sameas.errors import how_to_install
from sameas.names.mandarin import CUTS, READINGS, sounds, syllable
from sameas.names.phonology import MANDARIN
from saying import raises


def cuts(pinyin: str) -> list[str]:
    return [" ".join(syllable(pinyin, cut)) for cut in ("final", "coda", "phone")]


@pytest.mark.parametrize(
    ("pinyin", "expected"),
    [
        ("ai", ["ai", "ai", "a y"]),
        ("li", ["l i", "l i", "l i"]),
        ("si", ["s iz", "s iz", "s iz"]),
        ("shi", ["sh ir", "sh ir", "sh ir"]),
        ("ri", ["r ir", "r ir", "r ir"]),
        ("bo", ["b o", "b o", "b o"]),
        ("luo", ["l uo", "l uo", "l w o"]),
        ("ge", ["g e", "g e", "g e"]),
        ("lei", ["l ei", "l ei", "l eh y"]),
        ("er", ["er", "er", "er"]),
        # Shortened finals.
        ("liu", ["l iou", "l iou", "l y o w"]),
        ("rui", ["r uei", "r uei", "r w eh y"]),
        ("dun", ["d uen", "d u n", "d w e n"]),
        # u after j, q, x is ü; after other initials ü is written.
        ("ju", ["j ü", "j ü", "j ü"]),
        ("que", ["q üe", "q üe", "q yw eh"]),
        ("xuan", ["x üan", "x üe n", "x yw eh n"]),
        ("jun", ["j ün", "j ü n", "j ü n"]),
        ("lu", ["l u", "l u", "l u"]),
        ("lü", ["l ü", "l ü", "l ü"]),
        ("lv", ["l ü", "l ü", "l ü"]),
        ("lüe", ["l üe", "l üe", "l yw eh"]),
        ("lue", ["l üe", "l üe", "l yw eh"]),
        # No initial: y and w count as one if they are pronounced.
        ("yi", ["i", "i", "i"]),
        ("ya", ["y a", "y a", "y a"]),
        ("ye", ["y eh", "y eh", "y eh"]),
        ("you", ["y ou", "y ou", "y o w"]),
        ("yan", ["y an", "y a n", "y eh n"]),
        ("yin", ["in", "i n", "i n"]),
        ("ying", ["ing", "i ng", "i ng"]),
        ("yong", ["y ong", "y u ng", "y u ng"]),
        ("yu", ["ü", "ü", "ü"]),
        ("yue", ["üe", "üe", "yw eh"]),
        ("yuan", ["üan", "üe n", "yw eh n"]),
        ("yun", ["ün", "ü n", "ü n"]),
        ("wu", ["u", "u", "u"]),
        ("wo", ["w o", "w o", "w o"]),
        ("wei", ["w ei", "w ei", "w eh y"]),
        ("wen", ["w en", "w e n", "w e n"]),
        ("weng", ["w eng", "w e ng", "w e ng"]),
        # Nasals.
        ("lan", ["l an", "l a n", "l a n"]),
        ("lang", ["l ang", "l a ng", "l a ng"]),
        ("lian", ["l ian", "l ie n", "l y eh n"]),
        ("liang", ["l iang", "l ia ng", "l y a ng"]),
        ("guan", ["g uan", "g ua n", "g w a n"]),
        ("dong", ["d ong", "d u ng", "d u ng"]),
        ("xiong", ["x iong", "x io ng", "x y u ng"]),
        ("en", ["en", "e n", "e n"]),
        # Exclamations.
        ("ê", ["eh", "eh", "eh"]),
        ("ng", ["ng", "ng", "ng"]),
        ("hm", ["h m", "h m", "h m"]),
        # Not pinyin.
        ("", ["", "", ""]),
        ("smith", ["", "", ""]),
        ("b", ["", "", ""]),
        ("lueng", ["", "", ""]),
    ],
)
def test_syllables(pinyin: str, expected: list[str]) -> None:
    assert cuts(pinyin) == expected


@pytest.mark.parametrize("spelt", ["lǜ", "lü4", "lv4", "Lü", " lu: ", "lu:4", "lu\u0308\u0300"])
def test_tones_and_ways_to_write_ü(spelt: str) -> None:
    assert syllable(spelt) == ("l", "ü")


def test_unknown_cuts_are_errors() -> None:
    with raises("unknown", what="cut", near="phone"):
        syllable("ai", "phones")


def test_readings_are_pinyin() -> None:
    assert all(len(character) == 1 for character in READINGS)
    assert all(syllable(reading) for reading in READINGS.values())


def test_without_pypinyin_the_error_has_the_install_command() -> None:
    sounds.cache_clear()
    with (
        mock.patch.dict(sys.modules, {"pypinyin": None}),
        raises("needs-pypinyin", install=how_to_install("pypinyin")),
    ):
        sounds("爱")


def test_every_reading_of_pypinyin_is_cut_into_known_sounds() -> None:
    known = set(MANDARIN)
    readings = pytest.importorskip("pypinyin.pinyin_dict").pinyin_dict.values()
    syllables = {one for several in readings for one in several.split(",")}
    assert len(syllables) > 1300  # with tones
    for one in syllables:
        for cut in CUTS:
            parts = syllable(one, cut)
            assert parts and known.issuperset(parts), one


def test_different_syllables_have_different_sounds() -> None:
    readings = pytest.importorskip("pypinyin.pinyin_dict").pinyin_dict.values()
    accents = str.maketrans("āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜńňǹḿ", "aaaaeeeeiiiioooouuuuüüüünnnm")
    spelt = {one.translate(accents) for several in readings for one in several.split(",")}
    spelt = {one for one in spelt if one.isascii() or "ü" in one}
    same: dict[tuple[str, ...], set[str]] = {}
    for one in spelt:
        same.setdefault(syllable(one), set()).add(one)
    assert [group for group in same.values() if len(group) > 1] == []


def test_names() -> None:
    pytest.importorskip("pypinyin")
    assert [sounds(character) for character in "爱丽丝"] == [("ai",), ("l", "i"), ("s", "iz")]
    assert [sounds(character, "coda") for character in "约翰"] == [("üe",), ("h", "a", "n")]
    assert [sounds(character, "phone") for character in "连"] == [("l", "y", "eh", "n")]


@pytest.mark.parametrize(
    ("simplified", "traditional"),
    [
        ("爱丽丝", "愛麗絲"),
        ("亚历山大", "亞歷山大"),
        ("贾尔斯", "賈爾斯"),
        ("约翰逊", "約翰遜"),
        ("罗伯特", "羅伯特"),
        ("维吉尼娅", "維吉尼婭"),
        ("卢梭", "盧梭"),
        ("缪勒", "繆勒"),
        ("乔纳森", "喬納森"),
        ("叶芝", "葉芝"),
        ("马泽兰", "馬澤蘭"),
    ],
)
def test_traditional_characters(simplified: str, traditional: str) -> None:
    pytest.importorskip("pypinyin")
    assert [sounds(one) for one in simplified] == [sounds(one) for one in traditional]


# Characters that occur in many names and have several readings, with the one used in names.
USUAL = {
    "亚": "ya", "尔": "er", "阿": "a", "茜": "xi", "莎": "sha", "娜": "na", "俄": "e", "佛": "fo",
    "曾": "zeng", "贾": "jia", "什": "shi", "勒": "le", "塞": "sai", "伯": "bo", "柏": "bo",
    "卜": "bu", "都": "du", "缪": "miu", "奇": "qi", "扎": "zha", "埃": "ai", "堡": "bao",
    "卡": "ka", "奥": "ao", "约": "yue", "切": "qie", "查": "cha", "宁": "ning", "哈": "ha",
    "德": "de", "得": "de", "盖": "gai", "兹": "zi", "艾": "ai", "耶": "ye", "内": "nei",
    "那": "na", "夏": "xia", "若": "ruo", "大": "da", "长": "chang", "泊": "bo", "薄": "bo",
    "石": "shi", "万": "wan", "露": "lu", "汤": "tang", "休": "xiu", "彭": "peng", "费": "fei",
}  # fmt: skip


def test_characters_are_read_as_in_names() -> None:
    pytest.importorskip("pypinyin")
    assert {one: sounds(one) for one in USUAL} == {
        one: syllable(reading) for one, reading in USUAL.items()
    }


def test_our_readings_are_needed() -> None:
    """Each is a reading that pypinyin has, but not its first one."""
    pypinyin = pytest.importorskip("pypinyin")
    for character, reading in READINGS.items():
        known = pypinyin.pinyin(character, style=pypinyin.Style.NORMAL, heteronym=True)[0]
        assert reading in known[1:], character


@pytest.mark.parametrize("text", ["A", "1", "·", " ", "", "の", "爱丽"])
def test_other_text_has_no_sounds(text: str) -> None:
    pytest.importorskip("pypinyin")
    assert sounds(text) == ()
