"""Heads and kinds of mentions, guessed and from files."""

from __future__ import annotations

from pathlib import Path

import pytest

import sameas
from sameas import Document, Entity, Mention
from sameas.documents.document import WrittenText
from sameas.documents.heads import describe
from sameas.documents.layout import Layout
from sameas.formats.conllu.read import read_conllu
from sameas.notes import Note
from unit.analysis.small_files import analyse, conll

# Heads and kinds


def guessed(text: str, tags: str = "", before: str = "Then") -> tuple[str, str]:
    """Return the guessed kind and head of a mention in `So it was . Then …`."""
    words = (["So", "it", "was", "."], [*before.split(), *text.split(), "slept"])
    start, size = 4 + len(before.split()), len(text.split())
    mention = Mention.at(start, start + size - 1)
    document = Document("a", [Entity("0", (mention,))], text=WrittenText(tuple(map(tuple, words))))
    layout = Layout([document])
    around = ["RB", "PRP", "VBD", "."] + ["RB"] * len(before.split())
    kinds, heads = describe(layout, document, [*around, *tags.split(), "VBD"] if tags else None)
    return kinds[0], layout.words[heads[0]]


@pytest.mark.parametrize(
    ("text", "kind", "head"),
    [
        ("Ann", "name", "Ann"),
        ("Ann Lee", "name", "Lee"),
        ("Ann 's", "name", "Ann"),
        ("Ann 's old house", "nominal", "house"),
        ("the old man", "nominal", "man"),
        ("the old man 's", "nominal", "man"),
        ("the dogs '", "nominal", "dogs"),
        ("the president of the United States", "nominal", "president"),
        ("the United States", "name", "States"),
        ("the Queen of England", "name", "Queen"),
        ("the man in black", "nominal", "man"),
        ("a man who came", "nominal", "man"),
        ("the city that never sleeps", "nominal", "city"),
        ("Ann , the butcher", "name", "Ann"),
        ("the butcher ( Ann )", "nominal", "butcher"),
        ("the butcher -LRB- Ann -RRB-", "nominal", "butcher"),
        ("the war — a long one", "nominal", "war"),
        ("Ann and Bob", "name", "and"),
        ("John , and Georgiana", "name", "and"),
        ("the Queen of Spades and Hearts", "name", "Queen"),
        ("his brother Tom", "name", "Tom"),
        ("“ Hamlet ”", "name", "Hamlet"),
        ("U.S.", "name", "U.S."),
        ("the US", "name", "US"),
        ("1990", "nominal", "1990"),
        ("$ 5", "nominal", "5"),
        ("she", "pronoun", "she"),
        ("She", "pronoun", "She"),
        ("I", "pronoun", "I"),
        ("its", "pronoun", "its"),
        ("himself", "pronoun", "himself"),
        ("this", "pronoun", "this"),
        ("everybody", "pronoun", "everybody"),
        ("someone 's", "pronoun", "someone"),
        ("both of them", "nominal", "both"),
    ],
)
def test_heads_and_kinds_are_guessed(text: str, kind: str, head: str) -> None:
    assert guessed(text) == (kind, head)


@pytest.mark.parametrize(
    ("text", "tags", "kind", "head"),
    [
        ("Ann", "NNP", "name", "Ann"),
        ("Ann 's", "NNP POS", "name", "Ann"),
        ("America 's largest bank", "NNP POS JJS NN", "nominal", "bank"),
        ("the president of the United States", "DT NN IN DT NNP NNPS", "nominal", "president"),
        ("the United States", "DT NNP NNPS", "name", "States"),
        ("the House , which met", "DT NNP , WDT VBD", "name", "House"),
        ("people living here", "NNS VBG RB", "nominal", "people"),
        ("the man who came", "DT NN WP VBD", "nominal", "man"),
        ("the 10 - year deal", "DT CD HYPH NN NN", "nominal", "deal"),
        ("the rich", "DT JJ", "nominal", "rich"),
        ("three", "CD", "nominal", "three"),
        ("it", "PRP", "pronoun", "it"),
        ("his", "PRP$", "pronoun", "his"),
        ("this", "DT", "pronoun", "this"),
        ("which", "WDT", "pronoun", "which"),
        ("yer", "PRP$", "pronoun", "yer"),  # not a word of the list
        ("Washington", "NN", "nominal", "Washington"),
    ],
)
def test_heads_and_kinds_with_parts_of_speech(text: str, tags: str, kind: str, head: str) -> None:
    assert guessed(text, tags) == (kind, head)


@pytest.mark.parametrize(
    ("text", "tags", "head"),
    [
        ("the rising tide", "DT VBG NN", "tide"),
        ("the proposed merger of banks", "DT VBN NN IN NNS", "merger"),
        ("the very old man", "DT RB JJ NN", "man"),
        ("its recently announced plan", "PRP$ RB VBN NN", "plan"),
    ],
)
def test_heads_behind_participles_and_adverbs(text: str, tags: str, head: str) -> None:
    assert guessed(text, tags)[1] == head


@pytest.mark.parametrize("tags", ["", "NNP"])
@pytest.mark.parametrize("text", ["US", "WHO", "IT"])
def test_abbreviations_are_not_pronouns(text: str, tags: str) -> None:
    assert guessed(text, tags) == ("name", text)


@pytest.mark.parametrize(
    ("sentences", "kind"),
    [
        (["Regulators met ."], "name"),  # never in lower case in the text
        (["Regulators met .", "The regulators left ."], "nominal"),
        (["“ Regulators met .", "The regulators left ."], "nominal"),
        (["So Regulators met .", "The regulators left ."], "name"),
    ],
)
def test_a_word_at_the_start_of_a_sentence(sentences: list[str], kind: str) -> None:
    text = WrittenText(tuple(tuple(sentence.split()) for sentence in sentences))
    place = sentences[0].split().index("Regulators")
    document = Document("a", [Entity("0", (Mention.at(place, place),))], text=text)
    assert describe(Layout([document]), document, None)[0] == [kind]


def test_heads_in_the_file_are_not_guessed() -> None:
    text = WrittenText((("the", "old", "man", "of", "Rome"),))
    mentions = (Mention(((0, 4),), head=4, kind="name"), Mention(((0, 2),)), Mention(((4, 4),)))
    document = Document("a", [Entity("0", mentions)], text=text)
    assert describe(Layout([document]), document, None) == (["name", "nominal", "name"], [4, 2, 4])


TAGGED = "DT NN NN VBD NNP VBD . PRP VBD"


@pytest.mark.parametrize(("tags", "kind"), [(TAGGED, "nominal"), ("", "name")])
def test_the_part_of_speech_column(tmp_path: Path, tags: str, kind: str) -> None:
    """CoNLL-2012 has twelve columns, the fifth with parts of speech; those of the key are used."""
    sentences = "[0 The Ship 's ] sank Ann sailed .", "[0 It ] sank"
    response = "The Ship 's sank Ann sailed .", "[0 It ] sank"
    found = analyse(tmp_path, conll(*sentences, tags=tags), conll(*response))
    (error,) = found.errors
    assert (error.kind, error.mention, error.mentions[0].text) == (
        "missing mention",
        kind,
        "The Ship 's",
    )


def test_a_part_of_speech_column_of_dashes_is_ignored(tmp_path: Path) -> None:
    sentences = "[0 The Ship ] sank", "[0 It ] sank"
    found = analyse(
        tmp_path, conll(*sentences, tags="- - - - -"), conll("The Ship sank", "[0 It ] sank")
    )
    assert found.errors[0].mention == "name"


def test_heads_without_a_part_of_speech_are_ignored() -> None:
    text = """# newdoc id = a
# global.Entity = eid-etype-head-other
1\tAnn\t_\t{}\t_\t_\t0\t_\t_\tEntity=(e1-person-1-)
2\tsaw\t_\tVERB\t_\t_\t0\t_\t_\t_
3\tthe\t_\t_\t_\t_\t4\t_\t_\tEntity=(e2-thing-2-
4\tsea\t_\tNOUN\t_\t_\t0\t_\t_\tEntity=e2)
5\tshe\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1-person-1-)

"""
    key = read_conllu(text.format("_").encode())
    found = sameas.analyse(key, key)
    assert found.key.kinds == ["name", "nominal", "pronoun"]
    assert found.guesses == [Note("kinds-guessed", count=4, total=6)]
    said = read_conllu(text.format("NOUN").encode()).documents[0].annotation
    assert said is not None and said.kinds() == ["nominal", "nominal", ""]
