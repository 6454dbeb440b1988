"""Names of several words: splitting them, and matching their words."""

from __future__ import annotations

from itertools import pairwise

import pytest

from sameas.names.words import MOST, SAME, TURNED, ComparedWords, NameWords, match, questions, split

#: Genuine pairs of words.
GENUINE = {
    ("john", "约翰"), ("smith", "史密斯"), ("paul", "保罗"), ("al", "ال"), ("alrahman", "الرحمن"),
    ("newyork", "纽约"), ("kimminho", "김민호"), ("j", "约"),
}  # fmt: skip
SURE, WRONG = 0.01, 99.0


def matched(source: str, target: str) -> tuple[float, list[tuple[str, str]], bool]:
    names = NameWords.of(source), NameWords.of(target)
    odds = {
        asked: SURE if (asked.source.casefold(), asked.target) in GENUINE else WRONG
        for asked in questions(*names)
    }
    found = match(*names, odds)
    return found.odds, [word[:2] for word in found.words], found.turned


@pytest.mark.parametrize(
    "name",
    [
        "John Smith", "John  Smith", "John-Smith", "John‐Smith", "John – Smith", "John·Smith", "John・Smith",
        "John‧Smith", "John•Smith", "John=Smith", "John＝Smith", "John, Smith", "John_Smith", "John\u3000Smith",
        " John\u00a0Smith ",
    ],
)  # fmt: skip
def test_names_are_split_at_separators(name: str) -> None:
    assert split(name)[::2] == ["John", "Smith"]


@pytest.mark.parametrize("name", ["John", "-John", "John ·", "John - - Smith", "O'Hara", "Dr."])
def test_names_that_are_one_word(name: str) -> None:
    assert split(name) == [name]


def test_learned_signs_are_not_separators() -> None:
    assert split("new york", learned=frozenset("newyork ")) == ["new york"]
    assert NameWords.of("o'hara", learned=frozenset("ohar'")).judged == ("o'hara",)
    assert NameWords.of("o’hara").judged == ("ohara",)


def test_names_of_very_many_words_are_not_split() -> None:
    assert len(NameWords.of(" ".join(["a"] * MOST))) == MOST
    assert len(NameWords.of(" ".join(["a"] * (MOST + 1)))) == 1


def test_the_odds_of_one_word_are_its_own() -> None:
    assert matched("john", "约翰") == (pytest.approx(SURE), [("john", "约翰")], False)


def test_words_in_order() -> None:
    odds, words, turned = matched("John Smith", "约翰·史密斯")
    assert words == [("John", "约翰"), ("Smith", "史密斯")]
    assert odds == pytest.approx((2 * SURE + SURE**2) / 3)
    assert not turned


def test_one_wrong_word_makes_the_pair_wrong() -> None:
    odds, words, _ = matched("John Smith", "约翰·库泽斯")
    assert words == [("John", "约翰"), ("Smith", "库泽斯")]
    assert odds == pytest.approx((SURE + WRONG + SURE * WRONG) / 3)


def test_rotated_words() -> None:
    same, words, _ = matched("Smith, John", "约翰·史密斯")
    assert words == [("John", "约翰"), ("Smith", "史密斯")]
    turned = matched("Smith John", "约翰·史密斯")
    assert (turned[0], turned[2]) == (pytest.approx(TURNED * same), True)
    assert sorted(turned[1]) == words
    # A comma only announces that the order may differ.
    assert matched("Smith, John", "史密斯·约翰")[::2] == (pytest.approx(same), False)


def test_several_words_are_one_in_the_other_name() -> None:
    assert matched("al-Rahman", "الرحمن")[1] == [("al Rahman", "الرحمن")]
    assert matched("New York", "纽约")[0] == pytest.approx(SURE)
    odds, words, turned = matched("Min-ho Kim", "김민호")
    assert (words, turned) == ([("Kim Min ho", "김민호")], True)
    assert odds == pytest.approx(TURNED * SURE)


def test_words_may_be_missing() -> None:
    whole = matched("John Smith", "约翰·史密斯")[0]
    middle, words, _ = matched("John Xavier Smith", "约翰·史密斯")
    assert words == [("John", "约翰"), ("Xavier", ""), ("Smith", "史密斯")]
    initial, *_ = matched("John X. Smith", "约翰·史密斯")
    family, words, _ = matched("John Smith", "约翰")
    assert words == [("John", "约翰"), ("Smith", "")]
    assert whole < initial < middle < 1 < family
    assert matched("John", "约翰·史密斯")[1] == [("John", "约翰"), ("", "史密斯")]


def test_a_missing_word_does_not_excuse_a_wrong_one() -> None:
    assert matched("John Xavier Smith", "约翰·库泽斯")[0] > 10


def test_an_abbreviation_is_not_a_part_of_another_word() -> None:
    names = NameWords.of("John F. Smith"), NameWords.of("约翰·史密斯")
    assert not [
        asked for asked in questions(*names) if "F" in asked.source and len(asked.source) > 1
    ]
    assert matched("John F. Smith", "约翰·史密斯")[1][1] == ("F.", "")


def test_initials() -> None:
    same, words, _ = matched("J. Smith", "J·史密斯")
    assert words == [("J.", "J"), ("Smith", "史密斯")]
    assert same == pytest.approx((1 + SAME) * (1 + SURE) / 3 - 1 / 3)
    assert matched("J. Smith", "约翰·史密斯")[0] < 0.5
    assert matched("X. Smith", "约翰·史密斯")[0] > 1
    assert not NameWords.of("李·四").is_initial(0)
    # An initial never outweighs words.
    assert matched("X. Smith", "约翰·史密斯")[0] < matched("Xavier Smith", "约翰·史密斯")[0]


@pytest.mark.parametrize("word", ["John", "john", "JOHN", "Wm", "Mix", "LIV"])
def test_copied_words_are_judged(word: str) -> None:
    names = NameWords.of("John Smith".replace("John", word)), NameWords.of(f"{word}·史密斯")
    assert (word, word) in [asked[:2] for asked in questions(*names)]
    assert matched(f"{word} Smith", f"{word}·史密斯")[0] > 1
    # If both sides are written in that script, the word may be the same.
    assert (word, word) not in [asked[:2] for asked in questions(*names, shared={"Latin"})]


@pytest.mark.parametrize("word", ["J", "J.", "Wm.", "II", "XIV", "747", "3.", "Ⅱ"])
def test_initials_and_numbers_may_be_copied(word: str) -> None:
    found, words, _ = matched(f"Smith {word}", f"史密斯·{word}")
    assert words == [("Smith", "史密斯"), (word, word)]
    assert found == pytest.approx((1 + SAME) * (1 + SURE) / 3 - 1 / 3)


@pytest.mark.parametrize("sign", [".", "?", "…", "('')", "☃"])
def test_words_without_letters_are_dropped(sign: str) -> None:
    words = NameWords.of(f"{sign} Smith")
    assert (words.written, words.judged, words.dropped) == (("Smith",), ("Smith",), (sign,))
    assert NameWords.of(f"Smith, {sign}").written == ("Smith",)
    assert NameWords.of(sign).written == (sign,)
    assert NameWords.of(f"{sign} {sign}").dropped == ()
    assert NameWords.of(f"{sign} Smith", learned=sign).written == (sign, "Smith")


def test_a_number_is_not_an_initial() -> None:
    words = NameWords.of("1. Smith")
    assert words.judged == ("1", "Smith")
    assert not words.is_initial(0)
    assert matched("1. Smith", "约翰·史密斯")[0] > 10


def test_one_very_wrong_word_does_not_rotate_the_others() -> None:
    names = NameWords.of("Bly Smith"), NameWords.of("约翰·史密斯")
    told = {
        ("Bly", "约翰"): 1e30,
        ("Smith", "史密斯"): SURE,
        ("Bly", "史密斯"): 1e9,
        ("Smith", "约翰"): 1e9,
    }
    odds = {asked: told.get(asked[:2], WRONG) for asked in questions(*names)}
    found = match(*names, odds)
    assert [word[:2] for word in found.words] == [("Bly", "约翰"), ("Smith", "史密斯")]
    assert not found.turned
    assert found.odds == pytest.approx(1e30 * (1 + SURE) / 3)


def test_more_wrong_words_have_higher_odds() -> None:
    names = ["John Paul Smith", "John Paul Xaver", "John Yves Xaver", "Zoe Yves Xaver"]
    odds = [matched(name, "约翰·保罗·史密斯")[0] for name in names]
    assert all(one < two for one, two in pairwise(odds))


def test_extreme_odds() -> None:
    names = NameWords.of("a1 b1 c1"), NameWords.of("x1 y1 z1")
    found = match(*names, dict.fromkeys(questions(*names), 1e300))
    assert 1e200 < found.odds < float("inf")
    assert isinstance(found.words[0], ComparedWords)
