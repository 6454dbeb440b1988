"""CONE: notes on scores, and signatures."""

from __future__ import annotations

from typing import Any

import pytest

import sameas
from sameas import Mention
from sameas.errors import InputError
from sameas.notes import Note
from sameas.settings import Signature
from saying import codes, raises
from unit.cone.texts import TEXT, codes_of, made_corpus, names_of, scored, text_document

# --- what is codes_of -------------------------------------------------------------------------------


def story(names: int, more: str = "she") -> str:
    people = ["Ann", "Bob", "Eve", "Max", "Joan"]
    return " / ".join(f"{people[n % 5]} saw the house and {more} left ." for n in range(names))


def circular(*files: Any, **options: Any) -> list[str]:
    return [code for code in codes_of(*files, **options) if code.startswith("circular")]


def test_circular() -> None:
    text = text_document(story(60))
    estimate = sameas.without_gold.estimate_key(text)
    assert circular(text, estimate, matcher="rules") == ["circular-names", "circular-links"]


def test_not_circular() -> None:
    """A system with different names and groups, and a system scored against a key."""
    text = text_document(story(60))
    (estimate,) = sameas.without_gold.estimate_key(text).documents
    every = estimate.mentions
    other = text_document(story(60), [every[0:20], every[20:40]])  # type: ignore[arg-type]
    assert not circular(text, other, matcher="rules")
    regrouped = text_document(story(60), [every[0::2], every[1::2]])  # type: ignore[arg-type]
    assert circular(text, regrouped, matcher="rules") == ["circular-names"]
    assert not circular(estimate, estimate, names="rules")
    few = text_document(story(20))  # fewer than 30 names are too few
    assert "circular-names" not in codes_of(
        few, sameas.without_gold.estimate_key(few), matcher="rules"
    )


def test_only_names_against_a_key() -> None:
    names = {("n", n) for n in range(40)}
    entities = [[("n", n), ("p", n)] for n in range(40)]
    alone = [[("n", n)] for n in range(40)]
    code = "groups-names-only"
    assert code in codes_of(entities, alone, names=names)
    assert code not in codes_of(entities, entities, names=names)
    assert code not in codes_of(entities, alone, names=names, mentions="entities")
    assert code not in codes_of(entities[:20], alone[:20], names=names)


def test_only_names_against_a_text() -> None:
    """The text has 40 pronouns, the response none or all of them."""
    text = text_document(story(40))
    pronouns = [(n, n) for n, word in enumerate(text.tokens) if word == "she"]
    names = [(n, n) for n, word in enumerate(text.tokens) if word == "Ann"]
    code = "groups-names-only"
    alone, both = text_document(story(40), [names]), text_document(story(40), [[*names, *pronouns]])
    assert code in codes_of(text, alone, matcher="rules")
    assert code not in codes_of(text, both, matcher="rules")
    without = text_document(story(40, "it"))
    alone = text_document(story(40, "it"), [names])
    assert code not in codes_of(without, alone, matcher="rules")


def test_small_share() -> None:
    key = [["A", *range(9)]]
    assert Note("few-names", "key", 1, total=10) in sameas.cone(key, key, names={"A"}).notes
    assert "few-names" not in codes_of(key, key, names={"A", 1, 2, 3})
    assert "few-names" not in codes_of(key, key, names={"A"}, mentions="entities")


GERMAN = " / ".join(
    f"Die Frau sah das Haus von Anna und ging mit Peter nach Köln {n} ." for n in range(40)
)


def test_other_language() -> None:
    german, english = (text_document(text, [[(0, 0)]]) for text in (GERMAN, story(60)))
    assert "not-english" in codes_of(german, german, names="rules")
    assert "not-english" in codes_of(german, german, matcher="rules")
    assert "not-english" not in codes_of(english, english, names="rules")
    assert "not-english" not in codes_of(german, german, names=lambda sentences: [(0, 0)])
    short = text_document(GERMAN[:200], [[(0, 0)]])
    assert "not-english" not in codes_of(short, short, names="rules")


# --- signatures ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {"names": "rules"},
        {"names": "rules", "mentions": "entities", "singletons": "drop"},
        {"names": "rules", "matcher": "paper"},
        {"matcher": "rules", "match": "exact", "average": "macro"},
        {"names": "rules", "match": "head", "zeros": "drop", "scope": "corpus", "blanc": "gold"},
    ],
)
def test_signatures_round_trip(options: dict[str, str]) -> None:
    key, systems = made_corpus(12, 3)
    found = sameas.cone(key, systems["one"], **options)
    assert found.signature.startswith(
        f"sameas:cone|names:rules|mentions:{options.get('mentions', 'named')}|"
    )
    parsed = Signature.parse(found.signature)
    assert str(parsed) == found.signature and parsed.settings == found.settings
    again = sameas.cone(key, systems["one"], signature=found.signature)
    assert again.signature == found.signature
    assert [again[m].counts for m in again.metrics] == [found[m].counts for m in found.metrics]
    assert again.notes == found.notes
    spaced = found.signature.replace("|", "\n  |")
    assert sameas.cone(key, systems["one"], signature=spaced).signature == found.signature


def test_signatures_of_the_other_command() -> None:
    key, systems = made_corpus(13, 3)
    score = sameas.score(key, systems["one"])
    cone = sameas.cone(key, systems["one"], names=names_of)
    with raises("other-signature", theirs="cone", ours="coref"):
        sameas.score(key, systems["one"], signature=cone.signature)
    with raises("other-signature", theirs="coref", ours="cone"):
        sameas.cone(key, systems["one"], signature=score.signature)
    with raises("signature-decides"):
        sameas.cone(key, systems["one"], signature=cone.signature, mentions="named")


def test_signatures_with_names_that_must_be_repeated() -> None:
    key = [["A", "B", 1]]
    found = sameas.cone(key, key, names={"A"})
    assert "|names:given|" in found.signature
    with raises("signature-names"):
        sameas.cone(key, key, signature=found.signature)
    assert (
        sameas.cone(key, key, names={"A"}, signature=found.signature)["b3"].counts
        == found["b3"].counts
    )
    text = text_document(TEXT, [[(0, 1)]])
    found = sameas.cone(text, text, names=lambda sentences: [(0, 1)])
    assert "|names:function|" in found.signature
    with raises("signature-names"):
        sameas.cone(text, text, signature=found.signature)
    named = sameas.cone(text, text, names=names_of)
    assert "|names:function:names_of|" in named.signature
    with raises("signature-names"):  # a function that only the caller has
        sameas.cone(text, text, signature=named.signature)
    assert (
        sameas.cone(text, text, names=names_of, signature=named.signature).signature
        == named.signature
    )


def test_compat_is_not_a_setting_of_cone() -> None:
    with raises("cone-compat", compat="conll-8.01"):
        sameas.settings.ConeSettings(
            compat="conll-8.01", duplicates="conll-8.01", blanc="conll-8.01"
        )


def test_refused_duplicates() -> None:
    """A repeated name is an error if requested; other mentions are ignored."""
    key = [["A", "A", 1]]
    with pytest.raises(InputError):
        sameas.cone(key, key, names={"A"}, duplicates="error")
    other = [["A", 1, 1]]
    assert sameas.cone(other, other, names={"A"}, duplicates="error")["mention"].counts == (
        1,
        1,
        1,
        1,
    )


def test_sources_of_names_in_a_response_without_kinds() -> None:
    key = text_document(
        TEXT, [[Mention(((0, 1),), kind="name")], [Mention(((8, 8),), kind="pronoun")]]
    )
    response = text_document(TEXT, [[(0, 1), (1, 1), (10, 10), (8, 8)]])
    assert Note("name-sources", same=1, head=1, guessed=1) in sameas.cone(key, response).notes


def test_a_response_with_some_kinds_has_no_note_on_sources_of_names() -> None:
    key = text_document(
        TEXT, [[Mention(((0, 1),), kind="name"), Mention(((10, 10),), kind="name")]]
    )
    response = text_document(TEXT, [[Mention(((0, 1),), kind="pronoun"), Mention(((10, 10),))]])
    result = sameas.cone(key, response)
    assert scored(result)[1] == [(10, 10)]
    assert "name-sources" not in codes(result.notes)


def test_discontinuous_mentions_are_names_by_their_words() -> None:
    pieces = ((0, 0), (10, 10))
    key = text_document(TEXT, [[Mention(pieces, kind="name"), Mention(((8, 8),), kind="pronoun")]])
    response = text_document(TEXT, [[Mention(pieces), Mention(((12, 12),))]])
    assert Note("name-sources", same=1, head=0, guessed=1) in sameas.cone(key, response).notes


def test_heads_that_are_always_first_words_are_noted() -> None:
    """As in files converted from a format without heads."""
    text = "the old Ann saw the big Bob . / " * 12
    spans = [(8 * n, 8 * n + 2) for n in range(12)]
    plain = text_document(text, [spans])
    written = text_document(text, [[Mention((span,), head=span[0]) for span in spans]])
    assert "first-word-heads" in codes_of(plain, written, names="rules")
    assert "first-word-heads" not in codes_of(plain, plain, names="rules")
