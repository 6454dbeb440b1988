"""Errors one by one: small files written by hand, and what is said of each error in them."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import pytest

import sameas
from sameas import Analysis, Document, Entity, Mention
from sameas.analysis.findings import COLUMNS, GROUPS, KINDS
from sameas.documents.document import WrittenText
from sameas.documents.heads import describe
from sameas.documents.layout import Layout
from sameas.examples import SPANISH, example_path
from sameas.formats.conllu.read import read_conllu
from sameas.notes import Note
from saying import has, raises


def conll(*sentences: str, name: str = "a", tags: str = "") -> str:
    """A CoNLL document; `[7 the ship ]` in a sentence is a mention of entity 7.

    With parts of speech, it has the twelve columns of CoNLL-2012.
    """
    lines, parts = [f"#begin document ({name}); part 000"], iter(tags.split())
    for sentence in sentences:
        words: list[str] = []
        cells: list[list[str]] = []
        opened: list[tuple[str, int]] = []
        for piece in sentence.split():
            if piece.startswith("["):
                opened.append((piece[1:], len(words)))
            elif piece == "]":
                id, first = opened.pop()
                last = len(words) - 1
                if first == last:
                    cells[first].append(f"({id})")
                else:
                    cells[first].insert(0, f"({id}")
                    cells[last].append(f"{id})")
            else:
                words.append(piece)
                cells.append([])
        for number, (word, cell) in enumerate(zip(words, cells, strict=True)):
            columns = [name, "0", str(number), word]
            if tags:
                columns += [next(parts), *["-"] * 6]
            lines.append("\t".join([*columns, "|".join(cell) or "-"]))
        lines.append("")
    return "\n".join([*lines, "#end document", ""])


def analyse(folder: Path, key: str, response: str, **options: Any) -> Analysis:
    """Write both texts into files, and analyse these."""
    (folder / "key.conll").write_text(key)
    (folder / "response.conll").write_text(response)
    return sameas.analyse(folder / "key.conll", folder / "response.conll", **options)


def said(error: Any) -> dict[str, object]:
    """Everything that an error says, in short."""
    return {
        "kind": error.kind,
        "mentions": [(m.text, *m.places[0]) for m in error.mentions],
        "other": error.other and (error.other.text, *error.other.places[0]),
        "entities": (error.key_entity, error.response_entity),
        "size": error.size,
        "distance": error.distance,
        "head": error.head,
        "message": error.message,
    }


def shown(errors: Any) -> list[tuple[str, str, str]]:
    """Kind, first mention and other mention of errors."""
    return [(e.kind, e.mentions[0].text, e.other.text if e.other else "") for e in errors]


# One of each kind, and nothing else


ONE_OF_EACH: list[Any] = [
    (
        ("[0 The president of Chile ] slept .", "[0 He ] woke ."),
        ("[5 The president ] of Chile slept .", "[5 He ] woke ."),
        {
            "mention": "nominal",
            "sides": ("response", "key"),
            "kind": "span",
            "mentions": [("The president", 0, 1)],
            "other": ("The president of Chile", 0, 3),
            "entities": ("0", "5"),
            "size": 2,
            "distance": 0,
            "head": True,
            "message": "“The president”: should be “The president of Chile”",
        },
    ),
    (
        ("[0 Ann ] met [1 Bob ] .", "[0 She ] saw [1 him ] .", "[0 Ann ] left ."),
        ("[4 Ann ] met [4 Bob ] .", "[4 She ] saw [4 him ] .", "[4 Ann ] left ."),
        {
            "mention": "name",
            "sides": ("response", "response"),
            "kind": "conflated",
            "mentions": [("Bob", 2, 2), ("him", 6, 6)],
            "other": ("Ann", 0, 0),
            "entities": ("1", "4"),
            "size": 2,
            "distance": 0,
            "head": False,
            "message": "“Bob”, “him”: wrongly in one entity with “Ann”",
        },
    ),
    (
        ("[3 Ann ] left .", "It was the home of [3 Ann ] ."),
        ("[3 Ann ] left .", "It was [3 the home ] of [3 Ann ] ."),
        {
            "mention": "nominal",
            "sides": ("response", "response"),
            "kind": "extra mention",
            "mentions": [("the home", 5, 6)],
            "other": ("Ann", 0, 0),
            "entities": ("", "3"),
            "size": 3,
            "distance": 1,
            "head": False,
            "message": "“the home”: no mention in the key; in one entity with “Ann”",
        },
    ),
    (
        ("[0 Ann ] likes rain .", "[0 She ] likes it ."),
        ("[0 Ann ] likes [9 rain ] .", "[0 She ] likes [9 it ] ."),
        {
            "mention": "nominal",
            "sides": ("response", None),
            "kind": "extra entity",
            "mentions": [("rain", 2, 2), ("it", 6, 6)],
            "other": None,
            "entities": ("", "9"),
            "size": 2,
            "distance": None,
            "head": None,
            "message": "“rain”, “it”: an entity that the key does not have",
        },
    ),
    (
        ("[0 Ann ] left .", "[0 Ann ] slept .", "[0 She ] woke ."),
        ("[0 Ann ] left .", "[1 Ann ] slept .", "[1 She ] woke ."),
        {
            "mention": "name",
            "sides": ("response", "response"),
            "kind": "divided",
            "mentions": [("Ann", 0, 0)],
            "other": ("Ann", 3, 3),
            "entities": ("0", "0"),
            "size": 3,
            "distance": 1,
            "head": True,
            "message": "“Ann”: should be in one entity with “Ann”",
        },
    ),
    (
        ("[0 Ann Lee ] left .", "It rained .", "[0 Lee ] slept .", "[0 She ] woke ."),
        ("[8 Ann Lee ] left .", "It rained .", "Lee slept .", "[8 She ] woke ."),
        {
            "mention": "name",
            "sides": ("key", "key"),
            "kind": "missing mention",
            "mentions": [("Lee", 7, 7)],
            "other": ("Ann Lee", 0, 1),
            "entities": ("0", ""),
            "size": 3,
            "distance": 2,
            "head": True,
            "message": "“Lee”: not found; should be in one entity with “Ann Lee”",
        },
    ),
    (
        ("[0 Ann ] saw [1 a dog ] .", "[0 She ] fed [1 it ] .", "[1 It ] ran from [1 it ] ."),
        ("[0 Ann ] saw a dog .", "[0 She ] fed it .", "It ran from it ."),
        {
            "mention": "nominal",
            "sides": ("key", None),
            "kind": "missing entity",
            "mentions": [("a dog", 2, 3), ("it", 7, 7), ("It", 9, 9), ("it", 12, 12)],
            "other": None,
            "entities": ("1", ""),
            "size": 4,
            "distance": None,
            "head": None,
            "message": "“a dog”, “it”, “It” and 1 more: an entity that was not found",
        },
    ),
]


@pytest.mark.parametrize(
    ("key", "response", "expected"), ONE_OF_EACH, ids=[case[2]["kind"] for case in ONE_OF_EACH]
)
def test_one_of_each_kind(
    tmp_path: Path, key: list[str], response: list[str], expected: dict[str, object]
) -> None:
    found = analyse(tmp_path, conll(*key), conll(*response))
    (error,) = found.errors
    sides = (error.mentions[0].side, error.other and error.other.side)
    assert {**said(error), "mention": error.mention, "sides": sides} == expected
    assert (error.document, error.place) == ("a_0", 0)
    assert found.repaired(error.kind).conll.f1 == 1


# All kinds

EVERY_KIND = (
    conll(
        "[0 The old president of Chile ] met [1 Mary Stone ] in Lima .",
        "[1 She ] gave [0 him ] [2 a book about the sea ] .",
        "[0 The president ] read [2 it ] to [4 [0 his ] son ] , and [1 Stone ] smiled .",
        "It was cold .",
    ),
    conll(
        "[5 The old president ] of Chile met [6 Mary Stone ] in [8 Lima ] .",
        "[5 She ] gave [5 him ] [7 a book about the sea ] .",
        "[5 The president ] read [7 it ] to his son , and [6 Stone ] smiled .",
        "[7 It ] was cold .",
    ),
)


def test_all_kinds_together(tmp_path: Path) -> None:
    found = analyse(tmp_path, *EVERY_KIND)
    assert found.counts == dict.fromkeys(KINDS, 1)
    assert [said(error) for error in found.errors] == [
        {
            "kind": "span",
            "mentions": [("The old president", 0, 2)],
            "other": ("The old president of Chile", 0, 4),
            "entities": ("0", "5"),
            "size": 4,
            "distance": 0,
            "head": True,
            "message": "“The old president”: should be “The old president of Chile”",
        },
        {
            "kind": "conflated",
            "mentions": [("She", 11, 11)],
            "other": ("The old president", 0, 2),
            "entities": ("1", "5"),
            "size": 3,
            "distance": 1,
            "head": False,
            "message": "“She”: wrongly in one entity with “The old president”",
        },
        {
            "kind": "extra mention",
            "mentions": [("It", 32, 32)],
            "other": ("it", 23, 23),
            "entities": ("", "7"),
            "size": 3,
            "distance": 1,
            "head": True,
            "message": "“It”: no mention in the key; in one entity with “it”",
        },
        {
            "kind": "extra entity",
            "mentions": [("Lima", 9, 9)],
            "other": None,
            "entities": ("", "8"),
            "size": 1,
            "distance": None,
            "head": None,
            "message": "“Lima”: an entity that the key does not have",
        },
        {
            "kind": "divided",
            "mentions": [("She", 11, 11)],
            "other": ("Mary Stone", 6, 7),
            "entities": ("1", "5"),
            "size": 3,
            "distance": 1,
            "head": False,
            "message": "“She”: should be in one entity with “Mary Stone”",
        },
        {
            "kind": "missing mention",
            "mentions": [("his", 25, 25)],
            "other": ("The president", 20, 21),
            "entities": ("0", ""),
            "size": 4,
            "distance": 0,
            "head": False,
            "message": "“his”: not found; should be in one entity with “The president”",
        },
        {
            "kind": "missing entity",
            "mentions": [("his son", 25, 26)],
            "other": None,
            "entities": ("4", ""),
            "size": 1,
            "distance": None,
            "head": None,
            "message": "“his son”: an entity that was not found",
        },
    ]


def test_links_of_all_kinds_together(tmp_path: Path) -> None:
    found = analyse(tmp_path, *EVERY_KIND)
    assert shown(found.links) == [
        ("missing link", "She", "Mary Stone"),
        ("missing link", "him", "The old president of Chile"),
        ("missing link", "his", "The president"),
        ("wrong link", "She", "The old president"),
        ("wrong link", "him", "She"),
        ("wrong link", "It", "it"),
    ]
    assert found.result["muc"].counts == (3, 6, 3, 6)
    assert found.linked() == {
        "key": {
            ("pronoun", "name"): (1, 1),
            ("pronoun", "nominal"): (3, 2),
            ("nominal", "pronoun"): (1, 0),
            ("name", "name"): (1, 0),
        },
        "response": {
            ("pronoun", "nominal"): (2, 1),
            ("pronoun", "pronoun"): (2, 2),
            ("nominal", "pronoun"): (1, 0),
            ("name", "name"): (1, 0),
        },
    }
    assert said(found.links[1]) == {
        "kind": "missing link",
        "mentions": [("him", 13, 13)],
        "other": ("The old president of Chile", 0, 4),
        "entities": ("0", ""),
        "size": 4,
        "distance": 1,
        "head": False,
        "message": "“him”: should be linked to “The old president of Chile”",
    }
    assert found.links[5].message == "“It”: should not be linked to “it”"
    assert (found.links[5].key_entity, found.links[5].response_entity) == ("", "7")


def test_names_and_nominals_are_linked_to_names(tmp_path: Path) -> None:
    found = analyse(
        tmp_path,
        conll("[0 Ann ] and [0 the teacher ] and [0 she ] .", "[0 The woman ] left [0 her ] ."),
        conll("Ann and the teacher and she .", "The woman left her ."),
    )
    assert shown(found.links) == [
        ("missing link", "the teacher", "Ann"),
        ("missing link", "she", "the teacher"),
        ("missing link", "The woman", "Ann"),
        ("missing link", "her", "The woman"),
    ]


def test_single_errors_can_be_repaired(tmp_path: Path) -> None:
    found = analyse(tmp_path, *EVERY_KIND)
    for error in found.errors:
        assert found.repaired([error]) == found.repaired(error.kind)
    assert found.repaired(found.errors) == found.repaired() == found.repaired(None)
    assert found.repaired().conll.f1 == 1
    assert found.repaired(found.errors.where(mention="pronoun")) == found.repaired(
        ["conflated", "extra mention", "divided", "missing mention"]
    )
    assert found.repaired("extra-mention") == found.repaired("Extra_Mention")


# Parts


def test_the_largest_part_stays_and_extra_mentions_with_it(tmp_path: Path) -> None:
    found = analyse(
        tmp_path,
        conll("[0 A ] b [1 C ] d .", "[1 C ] [0 A ] [1 C ] ."),
        conll("[9 A ] [9 b ] [9 C ] d .", "[9 C ] [9 A ] [9 C ] ."),
    )
    assert [(e.kind, [m.text for m in e.mentions]) for e in found.errors] == [
        ("conflated", ["A", "A"]),
        ("extra mention", ["b"]),
    ]
    # A, A | b, C, C, C
    assert found.repaired("conflated")["b3"].counts == (2 + 3, 5, 2 + 3 * 3 / 4, 6)


def test_of_two_parts_of_one_size_the_first_stays(tmp_path: Path) -> None:
    found = analyse(
        tmp_path,
        conll("[1 Bob ] met [0 Ann ] .", "[1 He ] saw [0 her ] ."),
        conll("[0 Bob ] met [0 Ann ] .", "[0 He ] saw [0 her ] ."),
    )
    assert [(e.kind, [m.text for m in e.mentions]) for e in found.errors] == [
        ("conflated", ["Ann", "her"])
    ]


def test_divided_parts_move_out_of_entities_that_are_still_conflated(tmp_path: Path) -> None:
    found = analyse(
        tmp_path,
        conll("[0 A ] [0 B ] [1 C ] [1 D ] [0 E ] ."),
        conll("[5 A ] [5 B ] [6 C ] [6 D ] [6 E ] ."),
    )
    assert shown(found.errors) == [("conflated", "E", "D"), ("divided", "E", "B")]
    assert found.repaired("divided").conll.f1 == 1
    assert found.repaired("conflated").conll.f1 < 1


# Which errors, and span errors

WHICH_ERRORS: dict[str, Any] = {
    "errors of a kind come in the order of the text": (
        ("[0 Ann ] [1 Bob ] [2 Cy ] .", "[0 Ann ] [1 Bob ] .", "[3 Di ] ."),
        ("[0 Ann ] [1 Bob ] [1 Cy ] .", "[0 Ann ] [1 Bob ] .", "[0 Di ] ."),
        [("conflated", "Cy", "Bob"), ("conflated", "Di", "Ann")],
    ),
    "nested mentions with different heads are not paired": (
        ("[0 the president of the United States ] and [0 his ] son .",),
        ("the president of [0 the United States ] and [0 his ] son .",),
        [
            ("extra mention", "the United States", "his"),
            ("missing mention", "the president of the United States", "his"),
        ],
    ),
    "of several mentions of one head the one with most words in common is meant": (
        ("[0 the old man of the sea ] slept .",),
        ("[1 the old [2 man ] ] of the sea slept .",),
        [("span", "the old man", "the old man of the sea"), ("extra entity", "man", "")],
    ),
    "span errors are one to one": (
        ("[0 [1 the man ] of Rome ] slept .",),
        ("the [0 man ] of Rome slept .",),
        [("span", "man", "the man"), ("missing entity", "the man of Rome", "")],
    ),
    "mentions that match something else are no span errors": (
        ("[0 [1 the man ] of Rome ] slept .",),
        ("[0 the man ] of Rome slept .",),
        [("missing entity", "the man of Rome", "")],
    ),
}


@pytest.mark.parametrize("case", WHICH_ERRORS)
def test_which_errors_there_are(tmp_path: Path, case: str) -> None:
    key, response, expected = WHICH_ERRORS[case]
    assert shown(analyse(tmp_path, conll(*key), conll(*response)).errors) == expected


def test_a_span_error_is_no_extra_and_no_missing_mention_and_belongs_to_an_entity(
    tmp_path: Path,
) -> None:
    found = analyse(
        tmp_path,
        conll("[0 the old man ] and [1 the sea ] .", "[0 He ] saw [1 it ] ."),
        conll("the [0 old man ] and [0 the sea ] .", "[1 He ] saw [0 it ] ."),
    )
    assert shown(found.errors) == [
        ("span", "old man", "the old man"),
        ("conflated", "old man", "the sea"),
        ("divided", "He", "old man"),
    ]
    everything_else = found.repaired(["conflated", "divided"])
    assert everything_else["mention"].counts == (3, 4, 3, 4)
    assert everything_else["muc"].counts == (1, 2, 1, 2)


# Texts of other kinds


def test_zeros() -> None:
    found = sameas.analyse(*map(example_path, SPANISH))
    assert shown(found.errors) == [
        ("span", "libro", "un libro"),
        ("span", "Su hermano", "Su hermano , que es maestro"),
        ("span", "El puente viejo", "El puente viejo de Tarila"),
        ("span", "El alcalde", "El alcalde , Luis Pardo"),
        ("conflated", "se", "Ana"),
        ("extra mention", "∅", "Ana"),
        ("divided", "se", "Su hermano"),
        ("divided", "Luis Pardo", "El alcalde"),
        ("missing mention", "∅", "Ana"),
        ("missing mention", "∅", "El puente viejo de Tarila"),
        ("missing entity", "la estación", ""),
        ("missing entity", "el tren", ""),
        ("missing entity", "mayo", ""),
    ]
    zeros = found.errors.where(mention="zero")
    assert [(e.kind, e.document, e.type, e.mentions[0].sentence) for e in zeros] == [
        ("extra mention", "story/libro", "person", 2),
        ("missing mention", "story/libro", "person", 2),
        ("missing mention", "news/puente", "object", 2),
    ]
    # The empty nodes of both sides are words of one text: 1.1 of the key, 2.1 of the response.
    assert [e.mentions[0].places for e in zeros] == [((11, 11),), ((9, 9),), ((18, 18),)]
    assert {name: len(some) for name, some in found.errors.by("type").items()} == {
        "person": 7,
        "object": 4,
        "place": 1,
        "time": 1,
    }


def test_zeros_matched_by_dependencies_or_dropped() -> None:
    dependent = sameas.analyse(*map(example_path, SPANISH), zeros="dependent")
    assert [e.message for e in dependent.errors.where(mention="zero")] == [
        "“∅”: not found; should be in one entity with “El puente viejo de Tarila”"
    ]
    dropped = sameas.analyse(*map(example_path, SPANISH), zeros="drop")
    assert not len(dropped.errors.where(mention="zero"))
    for found in (dependent, dropped):
        assert found.repaired().conll.f1 == 1
        assert found.repaired([]) == found.result


def test_heads_of_the_file_are_those_of_span_errors() -> None:
    matched = sameas.analyse(*map(example_path, SPANISH), match="head")
    assert not len(matched.errors.where(kind="span"))
    assert matched.counts["conflated"] == 1


BRAT = "Ann Lee met Bob.\nShe saw the old man of Rome, and Bob left.\n"


def brat(folder: Path, *entities: str) -> Path:
    """An annotation of the text; each entity is the texts of its mentions, cut by |."""
    folder.mkdir()
    (folder / "a.txt").write_text(BRAT)
    lines, number = [], 0
    for entity in entities:
        names = []
        for mention in entity.split("|"):
            number += 1
            start = BRAT.rindex(mention[1:]) if mention[0] == ">" else BRAT.index(mention)
            text = mention.removeprefix(">")
            names.append(f"T{number}")
            lines.append(f"T{number}\tPerson {start} {start + len(text)}\t{text}\n")
        if len(names) > 1:
            lines.append(f"*\tCoref {' '.join(names)}\n")
    (folder / "a.ann").write_text("".join(lines))
    return folder / "a.ann"


def test_brat(tmp_path: Path) -> None:
    found = sameas.analyse(
        brat(tmp_path / "key", "Ann Lee|She", "Bob|the old man of Rome|>Bob"),
        brat(tmp_path / "response", "Lee|She", "Bob|the old man"),
    )
    assert shown(found.errors) == [
        ("span", "Lee", "Ann Lee"),
        ("span", "the old man", "the old man of Rome"),
        ("missing mention", "Bob", "the old man of Rome"),
    ]
    assert [(e.distance, e.head, e.size, e.type) for e in found.errors] == [
        (0, True, 2, "Person"),
        (0, True, 3, "Person"),
        (0, True, 3, "Person"),
    ]
    assert [e.mentions[0].sentence for e in found.errors] == [1, 2, 2]
    assert [e.mention for e in found.errors] == ["name", "nominal", "name"]
    assert found.repaired(["span", "missing mention"]).conll.f1 == 1


def test_words_of_a_text_by_characters(tmp_path: Path) -> None:
    found = sameas.analyse(
        brat(tmp_path / "key", "Ann Lee|She"), brat(tmp_path / "response", "Ann|She")
    )
    assert found.layouts[0].words[:4] == ["Ann", "Lee", "met", "Bob."]
    missing = found.errors.where(kind="missing mention")[0]
    assert (missing.mentions[0].text, missing.mentions[0].places) == ("Ann Lee", ((0, 1),))


def test_tables_with_identifiers(tmp_path: Path) -> None:
    (tmp_path / "key.csv").write_text(
        "document,mention,entity\nd1,x,1\nd1,y,1\nd1,z,2\nd2,x,9\nd2,q,9\n"
    )
    (tmp_path / "response.csv").write_text(
        "document,mention,entity\nd1,x,1\nd1,z,1\nd1,w,3\nd2,q,4\nd2,v,4\n"
    )
    found = sameas.analyse(tmp_path / "key.csv", tmp_path / "response.csv")
    assert [
        (e.document, *kind) for e, kind in zip(found.errors, shown(found.errors), strict=True)
    ] == [
        ("d1", "conflated", "z", "x"),
        ("d2", "extra mention", "v", "q"),
        ("d1", "extra entity", "w", ""),
        ("d1", "missing mention", "y", "x"),
        ("d2", "missing mention", "x", "q"),
    ]
    # There is no text, so nothing is said of distances, heads and kinds.
    assert {(e.distance, e.head, e.mention) for e in found.errors} == {(None, None, "unknown")}
    assert found.linked()["key"] == {("unknown", "unknown"): (2, 2)}
    assert list(found.errors.by("document")) == ["d1", "d2"]
    assert found.guesses == [Note("kinds-textless", count=10, total=10)]


def test_mentions_of_several_pieces() -> None:
    text = WrittenText((("He", "picked", "it", "all", "up", "."), ("It", "fell", ".")))
    wide, narrow = Mention(((1, 1), (4, 4))), Mention(((1, 1),))
    key = Document("a", [Entity("1", (wide, (6, 6)))], text=text)
    found = sameas.analyse(key, Document("a", [Entity("2", (narrow, (6, 6)))], text=text))
    assert [e.message for e in found.errors] == ["“picked”: should be “picked … up”"]
    assert found.errors[0].other.places == ((1, 1), (4, 4))
    same = sameas.analyse(key, Document("a", [Entity("2", (wide, (7, 7)))], text=text))
    assert shown(same.errors) == [
        ("extra mention", "fell", "picked … up"),
        ("missing mention", "It", "picked … up"),
    ]


def test_documents_without_words() -> None:
    found = sameas.analyse([[(0, 3), (5, 5)], [(7, 9)]], [[(2, 3), (5, 5), (7, 7)]])
    assert shown(found.errors) == [
        ("span", "2 3", "0 1 2 3"),
        ("extra mention", "7", "5"),
        ("missing entity", "7 8 9", ""),
    ]


def test_words_of_the_response_alone(tmp_path: Path) -> None:
    (tmp_path / "response.conll").write_text(conll("[0 Ann ] met [0 Bob ] ."))
    found = sameas.analyse(Document.from_clusters("a_0", [[(0, 0)]]), tmp_path / "response.conll")
    assert [e.message for e in found.errors] == [
        "“Bob”: no mention in the key; in one entity with “Ann”"
    ]


def test_empty_documents(tmp_path: Path) -> None:
    full, empty = conll("[0 Ann ] and [0 she ] ."), conll("Ann and she .")
    whole = analyse(
        tmp_path, full + conll("Yes .", name="b"), empty + conll("[0 Yes ] .", name="b")
    )
    assert [
        (e.document, *kind) for e, kind in zip(whole.errors, shown(whole.errors), strict=True)
    ] == [
        ("b_0", "extra entity", "Yes", ""),
        ("a_0", "missing entity", "Ann", ""),
    ]
    assert not len(analyse(tmp_path, empty, empty).errors)


def test_an_empty_key(tmp_path: Path) -> None:
    found = analyse(tmp_path, conll("Ann and she ."), conll("[0 Ann ] and [0 she ] ."))
    assert shown(found.errors) == [("extra entity", "Ann", "")]


@pytest.mark.parametrize(("policy", "errors"), [("empty", 1), ("skip", 0)])
def test_missing_documents(tmp_path: Path, policy: str, errors: int) -> None:
    one, other = conll("[0 Ann ] left ."), conll("[0 Bob ] and [0 he ] left .", name="b")
    found = analyse(tmp_path, one + other, one, missing_documents=policy)
    assert [(e.document, e.place, e.message) for e in found.errors] == [
        ("b_0", 1, "“Bob”, “he”: an entity that was not found")
    ] * errors


def test_entities_that_reach_beyond_documents() -> None:
    ann, words = Entity("e", ((0, 0),)), WrittenText((("Ann",),))
    key = [Document("t_1", [ann], text=words), Document("t_2", [ann], text=words)]
    response = [Document("t_1", [ann]), Document("t_2", [Entity("f", ((0, 0),))])]
    for scope, name in (("topic", "t"), ("corpus", "corpus")):
        found = sameas.analyse(key, response, scope=scope)
        (error,) = found.errors
        assert error.message == "“Ann”: should be in one entity with “Ann”"
        assert (error.document, error.place) == (name, 1)
    assert not len(sameas.analyse(key, response).errors)


def test_there_is_no_distance_between_documents() -> None:
    near, far = WrittenText((("Ann",),)), WrittenText((("So",), ("it",), ("was",), ("Ann",)))
    key = [
        Document("t_1", [Entity("e", ((0, 0),))], text=near),
        Document("t_2", [Entity("e", ((3, 3),))], text=far),
    ]
    response = [
        Document("t_1", [Entity("e", ((0, 0),))]),
        Document("t_2", [Entity("f", ((3, 3),))]),
    ]
    assert sameas.analyse(key, response, scope="corpus").errors[0].distance is None


# What is refused


def test_the_reference_scorer_is_refused_where_mentions_come_twice(tmp_path: Path) -> None:
    with raises("errors-compat", compat="conll-8.01"):
        sameas.analyse([["a", "b"], ["b", "c"]], [["a", "b"], ["c", "b"]], compat="conll-8.01")
    key, response = example_path("key.conll"), example_path("eager.conll")
    found = sameas.analyse(key, response, preset="conll12")
    assert found.counts == sameas.analyse(key, response).counts
    assert found.repaired([]) == found.result
    score = sameas.score(key, response, preset="conll12")
    for metric in score.metrics:
        assert found.result[metric].value == pytest.approx(score[metric].value, abs=1e-12)
    assert found.repaired().conll.f1 == 1


def test_the_corefud_scorer_is_refused_where_it_matches_mentions_several_times() -> None:
    with raises("errors-compat", compat="corefud-1.2"):
        sameas.analyse([["a", "b"], ["b", "c"]], [["a", "b"]], compat="corefud-1.2")
    # Where it does not, it scores what is matched one to one.
    found = sameas.analyse(*map(example_path, SPANISH), compat="corefud-1.2")
    assert found.counts == sameas.analyse(*map(example_path, SPANISH)).counts
    assert found.repaired([]) == found.result
    assert found.repaired().conll.f1 == 1


def test_results_without_their_documents_are_refused() -> None:
    one = sameas.score(example_path("key.conll"), example_path("eager.conll"))
    other = sameas.score([["a", "b"]], [["a"]])
    for result in (one + other, one.select([0]), pickle.loads(pickle.dumps(one)), copy.copy(one)):
        with raises("not-one-scoring", what="errors"):
            sameas.analyse_result(result)
    assert sameas.analyse_result(one.average("macro")).result.settings.average == "macro"


def test_a_sum_of_which_only_one_has_its_documents_is_refused() -> None:
    one = sameas.score(example_path("key.conll"), example_path("eager.conll"))
    other = sameas.score([["a", "b"]], [["a"]]).select([0])
    with raises("not-one-scoring"):
        sameas.analyse_result(one + other)


def test_metrics_of_places_alone_are_refused() -> None:
    with raises("not-repairable"):
        sameas.analyse([["a", "b"]], [["a"]], metrics=["mor", "zero"])


def test_what_cannot_be_repaired() -> None:
    found = sameas.analyse([["a", "b"], ["c", "d"]], [["a", "b", "c"]])
    again = sameas.analyse([["a", "b"], ["c", "d"]], [["a", "b", "c"]])
    with raises("unknown", near="conflated"):
        found.repaired("conflatd")
    with raises("unknown", value="divide", near="divided"):
        found.repaired(["conflated", "divide"])
    with raises("other-errors"):
        found.repaired(found.links)
    with raises("other-errors"):
        found.repaired(again.errors)


@pytest.mark.parametrize("kind", ["missing link", "wrong link"])
def test_links_cannot_be_repaired_by_name(kind: str) -> None:
    with raises("not-by-itself"):
        sameas.analyse([["a", "b"]], [["a"]]).repaired(kind)


def test_errors_of_another_analysis_with_more_errors_cannot_be_repaired() -> None:
    many = sameas.analyse([["a", "b"], ["c"]], [["a"]])
    with raises("other-errors"):
        sameas.analyse([["a", "b"]], [["a"]]).repaired([many.errors[1]])


def test_one_error_can_be_repaired_without_a_list() -> None:
    found = sameas.analyse([["a", "b"]], [["a"]])
    assert found.repaired(found.errors[0]).conll.f1 == 1


# Errors to filter, to group, to export


def test_errors_can_be_filtered_and_grouped(tmp_path: Path) -> None:
    errors = analyse(tmp_path, *EVERY_KIND).errors
    assert [e.number for e in errors.where(mention="pronoun")] == [1, 2, 4, 5]
    assert [e.number for e in errors.where(kind=["span", "missing_entity"])] == [0, 6]
    assert [e.number for e in errors.where(kind="Extra-Mention")] == [2]
    assert [e.number for e in errors.where(mention="pronoun", other="name")] == [4]
    assert [e.number for e in errors.where(lambda e: e.size == 4, head="match")] == [0]
    assert [e.number for e in errors.where(distance=1)] == [1, 2, 4]
    assert [e.number for e in errors.where(document="a_0")] == [*range(7)]
    assert not len(errors.where(type="person"))
    groups = {group: {n: len(s) for n, s in errors.by(group).items()} for group in GROUPS}
    assert groups == {
        "kind": dict.fromkeys(KINDS, 1),
        "document": {"a_0": 7},
        "mention": {"name": 1, "nominal": 2, "pronoun": 4},
        "other": {"name": 1, "nominal": 3, "pronoun": 1, "–": 2},
        "distance": {"0": 2, "1": 3, "–": 2},
        "size": {"1": 2, "3–4": 5},
        "type": {"–": 7},
        "head": {"match": 2, "differ": 3, "–": 2},
    }
    for group, names in groups.items():
        assert list(errors.by(group)) == list(names)
        for name, some in errors.by(group).items():
            assert list(some) == list(errors.where(**{group: name}))
    assert repr(errors[1:3]) == "<Errors: 1 conflated, 1 extra mention>"
    assert len(errors[1:3]) == 2 and errors[-1].kind == "missing entity"


def test_errors_as_a_table(tmp_path: Path) -> None:
    found = analyse(tmp_path, *EVERY_KIND)
    rows = found.errors.rows()
    assert all(tuple(row) == COLUMNS for row in [*rows, *found.links.rows()])
    assert rows[4] == {
        "number": 4,
        "kind": "divided",
        "document": "a_0",
        "sentence": 2,
        "first": rows[4]["first"],
        "last": rows[4]["first"],
        "text": "She",
        "mention": "pronoun",
        "mentions": 1,
        "other_text": "Mary Stone",
        "other": "name",
        "other_sentence": 1,
        "other_first": rows[4]["other_last"] - 1,
        "other_last": rows[4]["other_last"],
        "key_entity": "1",
        "response_entity": "5",
        "size": 3,
        "type": "",
        "distance": 1,
        "head_match": False,
        "dropped": 0,
    }
    assert found.layouts[0].words[rows[4]["first"]] == "She"
    assert found.layouts[0].words[rows[4]["other_first"] : rows[4]["other_last"] + 1] == [
        "Mary",
        "Stone",
    ]
    assert [rows[3][name] for name in ("other_text", "other", "other_sentence", "distance")] == [
        "",
        "",
        None,
        None,
    ]


@pytest.mark.parametrize("wrong", ["kinds", "mentoin", "dist", "siz", "xyz"])
def test_wrong_groups_are_refused(wrong: str) -> None:
    errors = sameas.analyse([["a", "b"]], [["a"]]).errors
    nearest = {"kinds": "kind", "mentoin": "mention", "dist": "distance", "siz": "size"}
    near = {"near": nearest[wrong]} if wrong in nearest else {}
    with raises("unknown", what="group", value=wrong, **near):
        errors.by(wrong)
    with raises("unknown", what="group", value=wrong, **near):
        errors.where(**{wrong: "name"})


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [
        ("extra mentions", "extra mention"),
        ("conflate", "conflated"),
        ("missing-lnk", "missing link"),
    ],
)
def test_wrong_kinds_are_refused(wrong: str, nearest: str) -> None:
    errors = sameas.analyse([["a", "b"]], [["a"]]).errors
    with raises("unknown", what="kind of errors", near=nearest):
        errors.where(kind=wrong)
    with raises("unknown", near=nearest):
        errors.where(kind=["span", wrong])


@pytest.mark.parametrize(
    "named", [{"mention": "pronuon"}, {"head": "diferent"}, {"size": "3-5"}], ids=str
)
def test_wrong_values_of_groups_are_refused(named: dict[str, object]) -> None:
    errors = sameas.analyse([["a", "b"]], [["a"]]).errors
    with raises("unknown"):
        errors.where(**named)


def test_numbers_are_looked_for_exactly_and_ranges_as_ranges(tmp_path: Path) -> None:
    errors = analyse(tmp_path, *EVERY_KIND).errors
    assert len(errors.where(size="3–4")) == 5
    assert len(errors.where(size=3)) + len(errors.where(size=4)) == 5
    assert all(error.size == 3 for error in errors.where(size=3))
    assert len(errors.where(head=True)) == 2


# Heads and kinds


def guessed(text: str, tags: str = "", before: str = "Then") -> tuple[str, str]:
    """The kind and head of a mention that is guessed in `So it was . Then …`."""
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
        ("yer", "PRP$", "pronoun", "yer"),  # no word of the list
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
def test_abbreviations_are_no_pronouns(text: str, tags: str) -> None:
    assert guessed(text, tags) == ("name", text)


@pytest.mark.parametrize(
    ("sentences", "kind"),
    [
        (["Regulators met ."], "name"),  # the text never writes it small
        (["Regulators met .", "The regulators left ."], "nominal"),
        (["“ Regulators met .", "The regulators left ."], "nominal"),
        (["So Regulators met .", "The regulators left ."], "name"),
    ],
)
def test_a_word_that_begins_a_sentence(sentences: list[str], kind: str) -> None:
    text = WrittenText(tuple(tuple(sentence.split()) for sentence in sentences))
    place = sentences[0].split().index("Regulators")
    document = Document("a", [Entity("0", (Mention.at(place, place),))], text=text)
    assert describe(Layout([document]), document, None)[0] == [kind]


def test_what_the_file_says_is_not_guessed() -> None:
    text = WrittenText((("the", "old", "man", "of", "Rome"),))
    mentions = (Mention(((0, 4),), head=4, kind="name"), Mention(((0, 2),)), Mention(((4, 4),)))
    document = Document("a", [Entity("0", mentions)], text=text)
    assert describe(Layout([document]), document, None) == (["name", "nominal", "name"], [4, 2, 4])


TAGGED = "DT NN NN VBD NNP VBD . PRP VBD"


@pytest.mark.parametrize(("tags", "kind"), [(TAGGED, "nominal"), ("", "name")])
def test_the_part_of_speech_column(tmp_path: Path, tags: str, kind: str) -> None:
    """Of CoNLL-2012: twelve columns, the fifth are parts of speech; those of the key are taken."""
    sentences = "[0 The Ship 's ] sank Ann sailed .", "[0 It ] sank"
    response = "The Ship 's sank Ann sailed .", "[0 It ] sank"
    found = analyse(tmp_path, conll(*sentences, tags=tags), conll(*response))
    (error,) = found.errors
    assert (error.kind, error.mention, error.mentions[0].text) == (
        "missing mention",
        kind,
        "The Ship 's",
    )


def test_a_part_of_speech_column_of_dashes_says_nothing(tmp_path: Path) -> None:
    sentences = "[0 The Ship ] sank", "[0 It ] sank"
    found = analyse(
        tmp_path, conll(*sentences, tags="- - - - -"), conll("The Ship sank", "[0 It ] sank")
    )
    assert found.errors[0].mention == "name"


# Singletons that were dropped


def test_mentions_that_the_other_side_has_as_singletons_are_told_apart(tmp_path: Path) -> None:
    key = conll("[0 Ann ] met [1 Bob ] and [0 she ] left .", "[2 Cy ] saw [3 Di ] and [3 her ] .")
    response = conll(
        "[0 Ann ] met [0 Bob ] and [1 she ] left .", "[2 Cy ] saw [2 Di ] and [4 her ] ."
    )
    found = analyse(tmp_path, key, response, singletons="drop")
    assert [(error.kind, error.dropped, error.message) for error in found.errors] == [
        (
            "extra mention",
            1,
            "“Bob”: a singleton of the key, which was dropped; in one entity with “Ann”",
        ),
        (
            "extra mention",
            1,
            "“Cy”: a singleton of the key, which was dropped; in one entity with “Di”",
        ),
        (
            "missing mention",
            1,
            "“she”: a singleton of the response, which was dropped; should be in one entity with "
            "“Ann”",
        ),
        (
            "missing mention",
            1,
            "“her”: a singleton of the response, which was dropped; should be in one entity with "
            "“Di”",
        ),
    ]
    kept = analyse(tmp_path, key, response)
    assert not any(error.dropped for error in kept.errors)


def test_the_other_mention_is_a_right_one(tmp_path: Path) -> None:
    found = analyse(
        tmp_path,
        conll("[0 Ann ] saw [0 her ] and [0 she ] and it and it ."),
        conll("[0 Ann ] saw her and she and [0 it ] and [0 it ] ."),
    )
    assert {
        (error.mentions[0].text, error.other and error.other.text) for error in found.errors
    } == {
        ("it", "Ann"),
        ("her", "Ann"),
        ("she", "Ann"),
    }


def test_a_repaired_result_says_so() -> None:
    found = sameas.analyse([["a", "b"], ["c"]], [["a"], ["c", "d"]])
    one = found.repaired(found.errors[:1])
    assert one.name == "response, repaired"
    assert "not the response" in str(one) and "1 extra mentions" not in str(found.result)
    assert found.repaired([]).name == found.result.name
    assert str(found).startswith("if repaired") and repr(found).startswith("<Analysis of response:")


def test_heads_without_a_part_of_speech_say_nothing() -> None:
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


def test_why_a_split_lowers_a_score() -> None:
    key, response = [["e", "b"], ["f", "c"], ["d"]], [["e"], ["c", "b", "a"], ["f"]]
    remark = sameas.analyse(key, response, metrics=["ceafe"]).remarks[-1]
    assert has(remark, "repair-lowers", how="conflated", metrics=("CEAFe by 6.35",))
