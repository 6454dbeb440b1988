"""`Transliterator`: candidates and their probabilities, in any script; saving and loading."""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Iterator
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import pytest

from fuzz_names import limit
from sameas.errors import InputError, SameasError, UsageError
from sameas.names import learning, network
from sameas.names.aligned import AlignedNames, AlignedPair
from sameas.names.aligner import Aligner
from sameas.names.candidates import Candidates
from sameas.names.datasets import dataset
from sameas.names.options import (
    Learning,
    LearningOptions,
    Model,
    Ranking,
    RankingOptions,
    Verifying,
    VerifyingOptions,
)
from sameas.names.pairs import NamePairs
from sameas.names.transliterator import LONGEST, Transliterator
from sameas.names.units import graphemes
from sameas.notes import Note
from saying import codes, raises

MODELS = get_args(Model)
RUSSIAN = dataset("sample:ru").pairs
ODD = ["Anna", "ANNA", "anna", "Ünna", "a", "Æ", "½", "an½na", "Mary Ann", "Щука", "a" * 60]


@pytest.fixture(scope="module", autouse=True)
def quick() -> Iterator[None]:
    """Make the training of networks short."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(network, "SEEN", 1000)
        patch.setattr(network, "EPOCHS", (1, 2))
        patch.setattr(network, "HIDDEN", (40, 30))
        yield


@pytest.fixture(scope="module")
def made(quick: None) -> dict[str, Transliterator]:
    """One transliterator of each model."""
    return {model: Transliterator.fit(RUSSIAN, model, verifier=False) for model in MODELS}


@pytest.fixture(scope="module")
def bigram() -> Transliterator:
    return Transliterator.fit(RUSSIAN, "bigram", verifier=False)


def good(found: Candidates, most: int = 20) -> None:
    """Check that probabilities fall and sum to one over 20, and that candidates are distinct."""
    assert 0 < len(found) <= most
    chances = [one.probability for one in found]
    assert math.fsum(chances) <= 1 + 1e-9
    if most >= 20 or len(found) < most:
        assert math.fsum(chances) == pytest.approx(1, abs=1e-9)
    assert found.confidence == chances[0]
    assert all(0 <= two <= one + 1e-12 for one, two in pairwise(chances))
    targets = [one.target for one in found]
    assert len(set(targets)) == len(targets)
    assert found.best == targets[0]
    assert list(found) == list(found.candidates)


def shown(found: Candidates) -> Any:
    return (
        found.source,
        [one.target for one in found],
        pytest.approx([one.probability for one in found], rel=1e-4, abs=1e-7),
        found.left_out,
        found.abstained,
    )


# Candidates


@pytest.mark.long
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("n", [1, 2, 20, 100])
def test_probabilities_of_a_list(made: dict[str, Transliterator], model: str, n: int) -> None:
    for name in ("Anna", "margaret", "zzyzx", "o", "a" * 40):
        found = made[model].transliterate(name, n)
        good(found, n)
        assert found.source == name
        assert not found.abstained


@pytest.mark.parametrize("model", MODELS)
def test_batches_equal_single_names(made: dict[str, Transliterator], model: str) -> None:
    one_by_one = [made[model].transliterate(name, 5) for name in ODD]
    together = made[model].transliterate_all(ODD, 5)
    for one, two in zip(one_by_one, together, strict=True):
        assert [candidate.probability for candidate in one] == pytest.approx(
            [candidate.probability for candidate in two], abs=1e-4
        )
        assert (one.source, one.left_out) == (two.source, two.left_out)
    again = made[model].transliterate_all([*ODD, *ODD], 5)
    assert list(map(repr, again[: len(ODD)])) == list(map(repr, again[len(ODD) :]))
    assert made[model].transliterate_all([]) == []


@pytest.mark.parametrize("model", MODELS)
def test_most_training_names_are_reproduced(made: dict[str, Transliterator], model: str) -> None:
    if model == "network":
        pytest.skip("a briefly trained network is not accurate enough")
    found = made[model].transliterate_all([source for source, _ in RUSSIAN])
    right = [
        any(target == one.target.lower() for one in lists)
        for lists, (_, target) in zip(found, RUSSIAN, strict=True)
    ]
    assert sum(right) > 0.8 * len(RUSSIAN)


@pytest.mark.parametrize("model", MODELS)
def test_a_name_of_unseen_letters(made: dict[str, Transliterator], model: str) -> None:
    found = made[model].transliterate("½Щ")
    assert (len(found), found.best, found.left_out, found.abstained) == (0, None, "½Щ", False)
    mixed = made[model].transliterate("½anЩna")
    good(mixed)
    assert mixed.left_out == "½Щ"
    assert [one.target for one in mixed] == [
        one.target for one in made[model].transliterate("anna")
    ]


def test_letters_known_only_with_others_are_noted() -> None:
    pairs = [("sha", "ша"), ("as", "ас"), ("asha", "аша")]
    tokens = [
        (("sh", "ш"), ("a", "а")),
        (("a", "а"), ("s", "с")),
        (("a", "а"), ("sh", "ш"), ("a", "а")),
    ]
    aligned = AlignedNames(
        tuple(AlignedPair(*pair, one) for pair, one in zip(pairs, tokens, strict=True))
    )
    model = Transliterator.fit(pairs, "bigram", aligned=aligned, verifier=False)
    found = model.transliterate("aha")
    good(found)
    assert found.left_out == "h"


def test_unseen_marks_are_dropped(bigram: Transliterator) -> None:
    plain = bigram.transliterate("anne")
    for name in ("anné", "ânne", "a\u0301nne", "annẹ\u0301"):
        found = bigram.transliterate(name)
        assert (list(found), found.left_out) == (list(plain), "")
        assert found.source == name


@pytest.mark.parametrize("name", ["an\u200ene", "anne\ufeff", "an\u00adne", "an\u200cne"])
def test_formatting_characters_are_not_letters(bigram: Transliterator, name: str) -> None:
    found = bigram.transliterate(name)
    assert list(found) == list(bigram.transliterate("anne"))
    assert (found.source, found.left_out, found.read_as) == (name, "", ())


@pytest.mark.parametrize(
    ("name", "plain"),
    [("Løv", "Lov"), ("Łukas", "Lukas"), ("Đina", "Dina"), ("Straße", "Strasse"), ("ŒUVRE", "OEUVRE"),
     ("Æsop", "Aesop"), ("Þor", "Thor"), ("Ðana", "Dana"), ("Bıra", "Bira"), ("ﬁna", "fina")],
)  # fmt: skip
def test_letters_that_do_not_decompose_are_read_as_their_common_replacements(
    bigram: Transliterator, name: str, plain: str
) -> None:
    found, other = bigram.transliterate(name), bigram.transliterate(plain)
    assert (list(found), found.left_out) == (list(other), "")
    assert found.source == name
    assert len(found.read_as) == 1
    assert other.read_as == ()


def test_a_letter_that_was_learned_is_read_as_itself() -> None:
    pairs = [("ødö", "ыды"), ("dod", "дод"), ("øt", "ыт"), ("tod", "тод")]
    found = Transliterator.fit(pairs, "bigram").transliterate("dØt")
    assert (found.best, found.read_as) == ("дыт", ())


def test_capitals_that_are_letters_of_their_own_are_read_as_capitals() -> None:
    pairs = [("Oda", "Ода"), ("oda", "ода"), ("Dao", "Дао"), ("dAo", "дАо")]
    made = Transliterator.fit(pairs, "bigram", case="keep")
    assert made.transliterate("Øda").read_as == (("Ø", "O"),)
    assert (
        made.transliterate("dæo").read_as == (("æ", "ae"),)
        or "æ" in made.transliterate("dæo").left_out
    )


def test_traditional_characters_are_read_as_simplified_ones() -> None:
    pairs = [("mary", "玛丽"), ("john", "约翰"), ("maria", "玛丽亚"), ("yoham", "约翰玛")]
    made = Transliterator.fit(pairs, "bigram", reverse=True, verifier=False)
    found = made.transliterate("瑪麗")
    assert (found.best, found.left_out) == (made.transliterate("玛丽").best, "")
    assert found.read_as == (("瑪", "玛"), ("麗", "丽"))
    old = [(latin, "".join({"玛": "瑪", "丽": "麗", "约": "約", "亚": "亞"}.get(sign, sign) for sign in name))
           for latin, name in pairs]  # fmt: skip
    other = Transliterator.fit(old, "bigram", reverse=True, verifier=False)
    assert other.transliterate("玛丽").read_as == (("玛", "瑪"), ("丽", "麗"))


@pytest.mark.long
@pytest.mark.parametrize("model", MODELS)
def test_normal_forms_are_equivalent(made: dict[str, Transliterator], model: str) -> None:
    lists = [
        made[model].transliterate(unicodedata.normalize(form, "Zoë Müller"))
        for form in ("NFC", "NFD")
    ]
    assert list(lists[0]) == list(lists[1])


def test_capitals(bigram: Transliterator) -> None:
    small = bigram.transliterate("anna maria")
    large = bigram.transliterate("Anna Maria")
    assert [one.target for one in large] != [one.target for one in small]
    assert [one.target.lower() for one in large] == [one.target for one in small]
    assert all(one.target[0].isupper() for one in large)
    shouted = bigram.transliterate("ANNA MARIA")
    assert [one.target.lower() for one in shouted] == [one.target for one in small]


def test_capitals_of_every_word() -> None:
    pairs = [("anna maria", "анна мария"), ("maria anna", "мария анна"), ("ann-a", "анн-а")]
    model = Transliterator.fit(pairs, "bigram", verifier=False)
    assert model.transliterate("Anna Maria").best == "Анна Мария"
    assert model.transliterate("anna maria").best == "анна мария"


def test_capitals_may_be_letters_of_their_own() -> None:
    pairs = [("Anna", "Анна"), ("anna", "анна"), ("Nana", "Нана"), ("nana", "нана")]
    model = Transliterator.fit(pairs, "bigram", case="keep", verifier=False)
    assert {"A", "a"} <= model.letters
    assert model.transliterate("Anna").best == "Анна"
    assert model.transliterate("anna").best == "анна"


def test_scripts_without_capitals() -> None:
    model = Transliterator.fit([("anna", "안나"), ("nana", "나나")], "bigram", verifier=False)
    assert model.transliterate("Anna").best == "안나"
    turned = Transliterator.fit([("anna", "안나"), ("nana", "나나")], "bigram", reverse=True)
    assert turned.transliterate("안나").best == "anna"


def test_spaces_around_a_name_are_no_part_of_it(bigram: Transliterator) -> None:
    found = bigram.transliterate("  anna\n")
    assert (list(found), found.left_out) == (list(bigram.transliterate("anna")), "")


@pytest.mark.long
@pytest.mark.parametrize(
    ("model", "letters"),
    [*((model, 300) for model in MODELS), ("bigram", 1000), ("best", 1000)],
)
def test_long_names(made: dict[str, Transliterator], model: str, letters: int) -> None:
    name = ("margaretjohnsonelizabethchristopherkatewilliam" * letters)[:letters]
    with limit(60):
        found = made[model].transliterate(name)
    good(found)
    assert found.left_out == ""
    if model == "bigram":
        assert len(found.best or "") > letters / 2


def test_longer_names_are_rejected(bigram: Transliterator) -> None:
    assert LONGEST >= 1000
    with raises("long-name", letters=LONGEST + 1, most=LONGEST):
        bigram.transliterate("a" * (LONGEST + 1))


# Abstention


@pytest.mark.parametrize("model", MODELS)
def test_abstention(made: dict[str, Transliterator], model: str) -> None:
    whole = made[model].transliterate("anna", 5)
    first = whole.confidence
    assert first <= whole.candidates[0].probability
    at = made[model].transliterate("anna", 5, threshold=first)
    assert (list(at), at.abstained) == (list(whole), False)
    above = made[model].transliterate("anna", 5, threshold=min(1.0, first + 1e-6))
    assert (len(above), above.best, above.abstained) == (0, None, True)


def test_a_name_without_known_letters_is_not_an_abstention(bigram: Transliterator) -> None:
    found = bigram.transliterate("½", threshold=1)
    assert (len(found), found.abstained) == (0, False)


@pytest.mark.parametrize("threshold", [0, 0.0, 1, 1.0, 0.5])
def test_thresholds(bigram: Transliterator, threshold: float) -> None:
    for name, found in zip(ODD, bigram.transliterate_all(ODD, 3, threshold=threshold), strict=True):
        assert found.source == name
        assert found.abstained or not len(found) or found.candidates[0].probability >= threshold


# Directions, scripts and alignments


def test_both_directions() -> None:
    there = Transliterator.fit(RUSSIAN, "bigram", verifier=False)
    back = Transliterator.fit(RUSSIAN, "bigram", reverse=True, verifier=False)
    assert (there.scripts, back.scripts) == (("Latin", "Cyrillic"), ("Cyrillic", "Latin"))
    assert "direction:reverse" in back.signature
    assert "direction" not in there.signature
    assert "анна" in [one.target for one in there.transliterate("anna")]
    good(back.transliterate("анна"))
    assert "anna" in [one.target for one in back.transliterate("анна")]
    assert back.transliterate("anna").left_out == "anna"
    turned = [(target, source) for source, target in RUSSIAN]
    other = Transliterator.fit(turned, "bigram", verifier=False)
    assert list(other.transliterate("анна")) == list(back.transliterate("анна"))


@pytest.mark.long
@pytest.mark.parametrize("code", ["ar", "el", "he", "hi", "ja", "ko", "zh"])
@pytest.mark.parametrize("reverse", [False, True])
def test_every_script(code: str, reverse: bool) -> None:
    pairs = dataset(f"sample:{code}").pairs
    model = Transliterator.fit(pairs, "bigram", reverse=reverse, verifier=False)
    asked = [pair[reverse] for pair in pairs]
    found = model.transliterate_all(asked, 10)
    for one, name in zip(found, asked, strict=True):
        good(one, 10)
        assert (one.source, one.left_out) == (name, "")
    right = sum(
        pair[not reverse].lower() in [one.target.lower() for one in lists]
        for lists, pair in zip(found, pairs, strict=True)
    )
    assert right > 0.5 * len(pairs)


@pytest.mark.parametrize("model", ["bigram", "best"])
@pytest.mark.parametrize(
    "pairs",
    [
        [("krishna", "कृष्ण"), ("kriti", "कृति"), ("nidhi", "निधि"), ("lakshmi", "लक्ष्मी")],
        [("thani", "ธานี"), ("suni", "สุนี"), ("nari", "นารี"), ("kam", "กำ")],
        [("dawid", "דָּוִד"), ("dan", "דָּן"), ("wid", "וִד")],
        [("muhammad", "مُحَمَّد"), ("hamid", "حَمِد")],
        [("zoë", "зоэ"), ("noë", "ноэ")],
    ],
)
def test_letters_of_several_characters(pairs: list[tuple[str, str]], model: str) -> None:
    for reverse in (False, True):
        made = Transliterator.fit(pairs, model, reverse=reverse, verifier=False)
        for pair in pairs:
            found = made.transliterate(pair[reverse])
            good(found)
            assert found.left_out == ""
            # No letter is split: all of them were seen.
            units = {unit for one in pairs for unit in graphemes(one[not reverse])}
            assert all(set(graphemes(one.target)) <= units for one in found)


def test_the_order_of_pairs_does_not_matter() -> None:
    one = Transliterator.fit(RUSSIAN, "ngram", verifier=False)
    two = Transliterator.fit(RUSSIAN[::-1], "ngram", verifier=False)
    for left, right in zip(
        one.transliterate_all(["anna", "johnson"]),
        two.transliterate_all(["anna", "johnson"]),
        strict=True,
    ):
        assert [candidate.probability for candidate in left] == pytest.approx(
            [candidate.probability for candidate in right], abs=1e-6
        )


@pytest.mark.long
def test_pairs_of_any_kind() -> None:
    wanted = Transliterator.fit(RUSSIAN, "bigram", verifier=False).transliterate("anna")
    for given in (iter(RUSSIAN), tuple(RUSSIAN), map(list, RUSSIAN), NamePairs(RUSSIAN)):
        assert Transliterator.fit(given, "bigram", verifier=False).transliterate("anna") == wanted  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["affinity", "segment"])
def test_other_alignments(method: str) -> None:
    model = Transliterator.fit(RUSSIAN, "bigram", aligner=Aligner(method), verifier=False)
    assert f"|align:{method}|" in model.signature
    good(model.transliterate("anna"))


def test_training_on_aligned_names() -> None:
    aligned = Aligner().fit(RUSSIAN).aligned
    model = Transliterator.fit(RUSSIAN, "bigram", aligned=aligned, verifier=False)
    assert model.transliterate("anna") == Transliterator.fit(
        RUSSIAN, "bigram", verifier=False
    ).transliterate("anna")
    back = Transliterator.fit(RUSSIAN, "bigram", aligned=aligned, reverse=True, verifier=False)
    good(back.transliterate("анна"))


@pytest.mark.long
@pytest.mark.parametrize("model", ["network", "best"])
def test_the_same_seed_gives_the_same_model(model: str) -> None:
    lists = [
        Transliterator.fit(RUSSIAN[:20], model, seed=seed, verifier=False).transliterate("anna")
        for seed in (5, 5, 6)
    ]
    assert lists[0] == lists[1]
    assert lists[0] != lists[2]


@pytest.mark.long
def test_english_pronunciations(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(learning, "HELD_OUT", 5)
    helps = iter([0.0, 1.0])
    monkeypatch.setattr(learning, "_reciprocal_ranks", lambda *_: next(helps))
    model = Transliterator.fit(RUSSIAN, "best", verifier=False)
    assert "|phonemes:english|" in model.signature
    good(model.transliterate("Margaret"))
    assert model.transliterate("½").left_out == "½"
    model.save(tmp_path / "names.model")
    again = Transliterator.load(tmp_path / "names.model")
    assert again.signature == model.signature
    assert again.transliterate_all(ODD) == model.transliterate_all(ODD)


def test_phonemes_that_do_not_help_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "HELD_OUT", 5)
    monkeypatch.setattr(learning, "_reciprocal_ranks", lambda *_: 1.0)
    assert "phonemes" not in Transliterator.fit(RUSSIAN, "best", verifier=False).signature


def test_steps_are_reported() -> None:
    told: list[Note] = []
    Transliterator.fit(RUSSIAN[:20], "best", on_step=told.append)
    assert told[0] == Note("step-align", count=20)
    assert Note("step-train", count=100) in told
    assert told[-1] == Note("step-verify")


# Signatures and notes


@pytest.mark.parametrize("model", MODELS)
def test_signatures(made: dict[str, Transliterator], model: str) -> None:
    signature = made[model].signature
    assert signature.startswith(f"sameas:transliterate|model:{model}|")
    assert "|scripts:Latin-Cyrillic|pairs:75|version:" in signature
    assert ("|order:" in signature) == ("|smoothing:" in signature) == (model != "network")
    assert ("|seed:1|" in signature) == (model in ("network", "best"))
    assert repr(made[model]) == f"<Transliterator {signature}>"


def test_notes_of_the_pairs_are_kept() -> None:
    given = NamePairs(RUSSIAN, notes=(Note("further-columns", count=1),))
    model = Transliterator.fit(given, "bigram", verifier=False)
    assert model.notes.count(given.notes[0]) == 1
    strange = [*RUSSIAN[:6], *[(target, source) for source, target in RUSSIAN[6:12]]]
    notes = Transliterator.fit(strange, "bigram", verifier=False).notes
    assert "several-scripts" in codes(notes)
    assert len(set(notes)) == len(notes)


def test_a_verifier_is_trained_by_default() -> None:
    assert Transliterator.fit(RUSSIAN, "bigram").verifier is not None
    assert Transliterator.fit(RUSSIAN, "bigram", verifier=False).verifier is None
    assert Transliterator.fit([("anna", "анна")], "bigram").verifier is None


def test_one_pair_is_enough() -> None:
    for model in MODELS:
        good(Transliterator.fit([("a", "я")], model).transliterate("a"))


# Files


@pytest.mark.long
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("verifier", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
def test_a_model_survives_the_round_trip(
    model: str, verifier: bool, reverse: bool, tmp_path: Path
) -> None:
    given = NamePairs(RUSSIAN[:40], notes=(Note("as-written", text="a note"),))
    made = Transliterator.fit(given, model, seed=2, reverse=reverse, verifier=verifier)
    made.save(tmp_path / "names.model")
    again = Transliterator.load(str(tmp_path / "names.model"))
    told = [
        {**vars(one), "notes": [*map(str, one.notes)], "verifier": None, "_parts": ()}
        for one in (again, made)
    ]
    assert told[0] == told[1]
    assert again.signature == made.signature
    names = [*ODD, "анна", "Щука"]
    assert again.transliterate_all(names) == made.transliterate_all(names)
    assert (again.verifier is None) == (made.verifier is None)
    if made.verifier is not None and again.verifier is not None:
        pairs = [("anna", "анна"), ("anna", "пётр")]
        pairs = [pair[::-1] for pair in pairs] if reverse else pairs
        one, two = made.verifier.verify(pairs), again.verifier.verify(pairs)
        assert one.probability.tolist() == two.probability.tolist()
    again.save(tmp_path / "again.model")
    assert (tmp_path / "again.model").read_bytes() == (tmp_path / "names.model").read_bytes()


@pytest.mark.long
@pytest.mark.parametrize(
    "named",
    [
        {"model": "ngram", "order": 1},
        {"model": "ngram", "order": 8},
        {"model": "bigram", "smoothing": "witten-bell"},
        {"model": "bigram", "case": "keep"},
    ],
)
def test_settings_are_saved(named: dict[str, Any], tmp_path: Path) -> None:
    made = Transliterator.fit(RUSSIAN, **named, verifier=False)
    made.save(tmp_path / "names.model")
    again = Transliterator.load(tmp_path / "names.model")
    assert again.settings == made.settings == Learning(**named)
    assert again.transliterate_all(ODD) == made.transliterate_all(ODD)


# Wrong arguments


@pytest.mark.parametrize(
    ("named", "code"),
    [
        ({"model": "trigram"}, "unknown"),
        ({"model": ["bigram"]}, "unknown"),
        ({"smoothing": "good-turing"}, "unknown"),
        ({"case": "lower"}, "unknown"),
        ({"model": "network", "order": 2}, "network-order"),
        ({"model": "bigram", "order": 3}, "bigram-order"),
        *(({"model": "ngram", "order": order}, "not-a-number") for order in (9, -1, 2.5, "3")),
        *(({"seed": seed}, "not-a-number") for seed in (-1, 10**19, True)),
        ({"reverse": "no"}, "wrong-type"),
        ({"ordre": 2}, "unknown"),
    ],
)
def test_wrong_settings(named: dict[str, Any], code: str) -> None:
    with raises(code):
        Transliterator.fit(RUSSIAN, **named)


def test_keywords_are_the_fields() -> None:
    for options, settings, positional in (
        (LearningOptions, Learning, {"model"}),
        (RankingOptions, Ranking, set()),
        (VerifyingOptions, Verifying, set()),
    ):
        names = {field.name for field in fields(settings)}  # type: ignore[arg-type]
        assert set(options.__annotations__) == names - positional


@pytest.mark.parametrize(
    "pairs", [[], "anna", [("anna",)], [(1, 2)], [("anna", None)], NamePairs([]), None, 5, [1]]
)
def test_invalid_lists_of_pairs(pairs: Any) -> None:
    with pytest.raises(UsageError):
        Transliterator.fit(pairs, "bigram")


@pytest.mark.parametrize(
    "pair",
    [
        ("anna", ""),
        ("", "анна"),
        (" ", "анна"),
        ("anna", "аnнa"),
        ("an\x00na", "анна"),
        ("a" * 300, "а"),
    ],
)
def test_pairs_that_cannot_be_learned(pair: tuple[str, str]) -> None:
    with pytest.raises(InputError) as caught:
        Transliterator.fit([*RUSSIAN, pair], "bigram")
    assert caught.value.problems[0].path == "pair 76"


@pytest.mark.parametrize("n", [0, -1, 1001, 2.0, "5", None, True])
def test_wrong_numbers_of_candidates(bigram: Transliterator, n: Any) -> None:
    with raises("not-a-number", name="n", value=n):
        bigram.transliterate("anna", n)


@pytest.mark.parametrize("threshold", [-0.1, 1.1, math.nan, math.inf, "0.5", None])
def test_wrong_thresholds(bigram: Transliterator, threshold: Any) -> None:
    with raises("not-a-number", name="threshold"):
        bigram.transliterate("anna", threshold=threshold)


@pytest.mark.parametrize("name", ["", " ", "\t\n", None, 5, b"anna", ["anna"]])
def test_invalid_names(bigram: Transliterator, name: Any) -> None:
    for call in (lambda: bigram.transliterate(name), lambda: bigram.transliterate_all([name])):
        with raises("empty-name" if isinstance(name, str) else "wrong-type"):
            call()


@pytest.mark.parametrize("names", ["anna", None, 5])
def test_invalid_lists_of_names(bigram: Transliterator, names: Any) -> None:
    with raises("one-string" if names == "anna" else "wrong-type"):
        bigram.transliterate_all(names)


def test_aligned_names_that_differ_from_the_pairs() -> None:
    aligned = Aligner().fit(RUSSIAN[:10]).aligned
    for model in ("bigram", "best"):
        with pytest.raises(SameasError):
            Transliterator.fit(RUSSIAN, model, aligned=aligned, verifier=False)


def test_a_list_of_candidates_is_plain_data(bigram: Transliterator) -> None:
    found = bigram.transliterate("anna", 2)
    assert json.loads(json.dumps([list(one) for one in found])) == [list(one) for one in found]


# Names of several words


def test_words_are_transliterated_separately(bigram: Transliterator) -> None:
    anna, vera = bigram.transliterate("Anna"), bigram.transliterate("Vera")
    both = bigram.transliterate("Anna Vera")
    assert both.best == f"{anna.best} {vera.best}"
    assert both.left_out == ""
    assert both.confidence == pytest.approx(anna.confidence * vera.confidence, rel=0.1)
    assert sum(one.probability for one in both) == pytest.approx(1)
    assert len({one.target for one in both}) == len(both) == 20
    assert bigram.transliterate("Anna-Vera").best == f"{anna.best}-{vera.best}"


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Anna‧Vera", "{0} {1}"),
        ("Anna_Vera", "{0} {1}"),
        ("Anna＝Vera", "{0}-{1}"),
        ("Anna, Vera", "{0}, {1}"),
        ("Anna,Vera", "{0}, {1}"),
    ],
)
def test_separators_of_words(bigram: Transliterator, name: str, written: str) -> None:
    anna, vera = bigram.transliterate("Anna").best, bigram.transliterate("Vera").best
    found = bigram.transliterate(name)
    assert (found.best, found.left_out) == (written.format(anna, vera), "")


def test_a_word_that_cannot_be_transliterated_is_omitted(bigram: Transliterator) -> None:
    found = bigram.transliterate("☃ Anna ☃")
    assert (found.best, found.left_out) == (bigram.transliterate("Anna").best, "☃☃")
    assert bigram.transliterate("☃ ☃").best is None


def test_words_of_names_in_chinese() -> None:
    pairs = [("anna", "安娜"), ("vera", "维拉"), ("nara", "纳拉"), ("ana", "安纳")]
    made = Transliterator.fit(pairs, "bigram")
    assert made.transliterate("Anna Vera").best == "安娜·维拉"
    back = Transliterator.fit(pairs, "bigram", reverse=True)
    assert back.transliterate("安娜·维拉").best == "anna vera"


def test_spaces_that_were_learned_are_letters() -> None:
    pairs = [("new york", "нью йорк"), ("new ulm", "нью ульм"), ("york", "йорк"), ("ulm", "ульм")]
    made = Transliterator.fit(pairs, "bigram")
    assert " " in made.letters
    assert made.transliterate("new york").best == "нью йорк"


def test_confidence_does_not_depend_on_the_number_of_candidates(bigram: Transliterator) -> None:
    lists = [bigram.transliterate("Sabina", n) for n in (1, 2, 5, 20)]
    assert len({found.confidence for found in lists}) == len({found.best for found in lists}) == 1
    assert lists[-1].confidence == pytest.approx(lists[-1].candidates[0].probability)
    for found in lists:
        assert found.candidates == lists[-1].candidates[: len(found)]
    assert 0 < lists[0].candidates[0].probability < 1


def test_names_that_differ_in_normal_form_only_are_one() -> None:
    made = Transliterator.fit([("zo\u00e9", "Зоэ"), ("zoe\u0301", "Зое")], "bigram")
    assert made.verifier is None
    assert Note("no-verifier") in made.notes
