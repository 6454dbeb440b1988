"""Texts that look like English, including short texts and other registers, and texts that do not."""

from __future__ import annotations

import pytest

from sameas.documents.language import look_english


def words(text: str) -> list[str]:
    return text.split()


ENGLISH = words("the old man told her that it was time to go , and she ran")


@pytest.mark.parametrize(
    "text",
    [
        [],
        ["Ann", "ran", "."],
        ["0", "1", "2", "3"],
        ["Käse", "fondue"],
        ["–", "…", "“", "”"],
        words("Ann saw Bob . He waved . She smiled .") * 9,
        ENGLISH * 20,
        [word.upper() for word in ENGLISH] * 20,
        [*ENGLISH, *words("Über Ängste öffentlich")] * 20,
    ],
)
def test_english(text: list[str]) -> None:
    assert look_english([text]) == [True]


@pytest.mark.parametrize(
    "text",
    [
        words("犬 が 猫 を 見た"),
        words("הוא ראה את הכלב"),
        words("Он увидел собаку , и она убежала"),
        words("A ház mögött egy nagy kert van , a kertben a gyerekek is játszanak") * 10,
        words("El viejo le dijo que era hora de irse , y ella se fue a casa") * 10,
        words("Hij zag de hond in de tuin , maar het is de kat van de buren die is ontsnapt") * 10,
        ["_"] * 200,
        ["_"] * 20,
        ["___", "*", "xxx", "."],
    ],
)
def test_other_languages(text: list[str]) -> None:
    assert look_english([text]) == [False]


def test_short_texts_together_determine_their_language() -> None:
    spanish = words("Ana vio al perro y lo llamó")
    assert look_english([spanish] * 20) == [True] * 20  # too few words to decide
    assert look_english([spanish] * 200) == [False] * 200
    assert look_english([ENGLISH] * 200) == [True] * 200
    assert look_english([*[spanish] * 200, ENGLISH * 10])[-1]
    assert look_english([["0", "1", "2"]] * 900) == [True] * 900  # stand-ins for words


def test_a_text_of_numbers_among_english_ones_counts_as_english() -> None:
    assert look_english([ENGLISH, ["12", ":", "30"], ENGLISH]) == [True] * 3
    assert look_english([ENGLISH, ["_"] * 30]) == [True, False]
