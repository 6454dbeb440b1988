"""Single errors in small hand-written files, and filters of errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sameas
from sameas.analysis.findings import COLUMNS, GROUPS, KINDS
from saying import finding, has, raises
from unit.analysis.small_files import analyse, conll, shown


def summary(error: Any) -> dict[str, object]:
    """Return the main values of an error and its message."""
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


# One error of each kind, and no other


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
            "message": finding("span", "“The president”", "“The president of Chile”"),
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
            "message": finding("conflated", "“Bob”, “him”", "“Ann”"),
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
            "message": finding("extra mention", "“the home”", "“Ann”"),
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
            "message": finding("extra entity", "“rain”, “it”"),
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
            "message": finding("divided", "“Ann”", "“Ann”"),
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
            "message": finding("missing mention", "“Lee”", "“Ann Lee”"),
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
            "message": finding("missing entity", "“a dog”, “it”, “It” and 1 more"),
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
    assert {**summary(error), "mention": error.mention, "sides": sides} == expected
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
    assert [summary(error) for error in found.errors] == [
        {
            "kind": "span",
            "mentions": [("The old president", 0, 2)],
            "other": ("The old president of Chile", 0, 4),
            "entities": ("0", "5"),
            "size": 4,
            "distance": 0,
            "head": True,
            "message": finding("span", "“The old president”", "“The old president of Chile”"),
        },
        {
            "kind": "conflated",
            "mentions": [("She", 11, 11)],
            "other": ("The old president", 0, 2),
            "entities": ("1", "5"),
            "size": 3,
            "distance": 1,
            "head": False,
            "message": finding("conflated", "“She”", "“The old president”"),
        },
        {
            "kind": "extra mention",
            "mentions": [("It", 32, 32)],
            "other": ("it", 23, 23),
            "entities": ("", "7"),
            "size": 3,
            "distance": 1,
            "head": True,
            "message": finding("extra mention", "“It”", "“it”"),
        },
        {
            "kind": "extra entity",
            "mentions": [("Lima", 9, 9)],
            "other": None,
            "entities": ("", "8"),
            "size": 1,
            "distance": None,
            "head": None,
            "message": finding("extra entity", "“Lima”"),
        },
        {
            "kind": "divided",
            "mentions": [("She", 11, 11)],
            "other": ("Mary Stone", 6, 7),
            "entities": ("1", "5"),
            "size": 3,
            "distance": 1,
            "head": False,
            "message": finding("divided", "“She”", "“Mary Stone”"),
        },
        {
            "kind": "missing mention",
            "mentions": [("his", 25, 25)],
            "other": ("The president", 20, 21),
            "entities": ("0", ""),
            "size": 4,
            "distance": 0,
            "head": False,
            "message": finding("missing mention", "“his”", "“The president”"),
        },
        {
            "kind": "missing entity",
            "mentions": [("his son", 25, 26)],
            "other": None,
            "entities": ("4", ""),
            "size": 1,
            "distance": None,
            "head": None,
            "message": finding("missing entity", "“his son”"),
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
    assert summary(found.links[1]) == {
        "kind": "missing link",
        "mentions": [("him", 13, 13)],
        "other": ("The old president of Chile", 0, 4),
        "entities": ("0", ""),
        "size": 4,
        "distance": 1,
        "head": False,
        "message": finding("missing link", "“him”", "“The old president of Chile”"),
    }
    assert found.links[5].message == finding("wrong link", "“It”", "“it”")
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


def test_of_two_parts_of_equal_size_the_first_stays(tmp_path: Path) -> None:
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
def test_queries_for_errors(tmp_path: Path, case: str) -> None:
    key, response, expected = WHICH_ERRORS[case]
    assert shown(analyse(tmp_path, conll(*key), conll(*response)).errors) == expected


def test_a_span_error_is_neither_extra_nor_missing_and_belongs_to_an_entity(
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


def test_numbers_match_exactly_and_ranges_as_ranges(tmp_path: Path) -> None:
    errors = analyse(tmp_path, *EVERY_KIND).errors
    assert len(errors.where(size="3–4")) == 5
    assert len(errors.where(size=3)) + len(errors.where(size=4)) == 5
    assert all(error.size == 3 for error in errors.where(size=3))
    assert len(errors.where(head=True)) == 2


# Singletons that were dropped


def test_singletons_dropped_from_the_other_side_are_marked(tmp_path: Path) -> None:
    key = conll("[0 Ann ] met [1 Bob ] and [0 she ] left .", "[2 Cy ] saw [3 Di ] and [3 her ] .")
    response = conll(
        "[0 Ann ] met [0 Bob ] and [1 she ] left .", "[2 Cy ] saw [2 Di ] and [4 her ] ."
    )
    found = analyse(tmp_path, key, response, singletons="drop")
    assert [(error.kind, error.dropped, error.message) for error in found.errors] == [
        (
            "extra mention",
            1,
            finding("extra mention", "“Bob”", "“Ann”", dropped=True),
        ),
        (
            "extra mention",
            1,
            finding("extra mention", "“Cy”", "“Di”", dropped=True),
        ),
        (
            "missing mention",
            1,
            finding("missing mention", "“she”", "“Ann”", dropped=True),
        ),
        (
            "missing mention",
            1,
            finding("missing mention", "“her”", "“Di”", dropped=True),
        ),
    ]
    kept = analyse(tmp_path, key, response)
    assert not any(error.dropped for error in kept.errors)


def test_the_other_mention_is_correct(tmp_path: Path) -> None:
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


def test_a_repaired_result_is_labelled() -> None:
    found = sameas.analyse([["a", "b"], ["c"]], [["a"], ["c", "d"]])
    one = found.repaired(found.errors[:1])
    assert one.name == "response, repaired"
    assert "not the original response" in str(one) and "1 extra mentions" not in str(found.result)
    assert found.repaired([]).name == found.result.name
    assert str(found).startswith("if repaired") and repr(found).startswith("<Analysis of response:")


def test_why_a_split_lowers_a_score() -> None:
    key, response = [["e", "b"], ["f", "c"], ["d"]], [["e"], ["c", "b", "a"], ["f"]]
    remark = sameas.analyse(key, response, metrics=["ceafe"]).remarks[-1]
    assert has(remark, "repair-lowers", how="conflated", metrics=("CEAFe by 6.35",))
