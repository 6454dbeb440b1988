"""Errors in other kinds of texts, and refusals."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest

import sameas
from sameas import Document, Entity, Mention
from sameas.documents.document import WrittenText
from sameas.examples import SPANISH, example_path
from sameas.notes import Note
from saying import finding, raises
from unit.analysis.small_files import analyse, conll, shown

# Other kinds of texts


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
    # The empty nodes of both sides are words of one text: 1.1 in the key, 2.1 in the response.
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
        finding("missing mention", "“∅”", "“El puente viejo de Tarila”")
    ]
    dropped = sameas.analyse(*map(example_path, SPANISH), zeros="drop")
    assert not len(dropped.errors.where(mention="zero"))
    for found in (dependent, dropped):
        assert found.repaired().conll.f1 == 1
        assert found.repaired([]) == found.result


def test_span_errors_use_the_heads_of_the_file() -> None:
    matched = sameas.analyse(*map(example_path, SPANISH), match="head")
    assert not len(matched.errors.where(kind="span"))
    assert matched.counts["conflated"] == 1


BRAT = "Ann Lee met Bob.\nShe saw the old man of Rome, and Bob left.\n"


def brat(folder: Path, *entities: str) -> Path:
    """Return an annotation of the text; an entity is the texts of its mentions, separated by |."""
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
    # Without a text there are no distances, heads and kinds.
    assert {(e.distance, e.head, e.mention) for e in found.errors} == {(None, None, "unknown")}
    assert found.linked()["key"] == {("unknown", "unknown"): (2, 2)}
    assert list(found.errors.by("document")) == ["d1", "d2"]
    assert found.guesses == [Note("kinds-textless", count=10, total=10)]


def test_discontinuous_mentions() -> None:
    text = WrittenText((("He", "picked", "it", "all", "up", "."), ("It", "fell", ".")))
    wide, narrow = Mention(((1, 1), (4, 4))), Mention(((1, 1),))
    key = Document("a", [Entity("1", (wide, (6, 6)))], text=text)
    found = sameas.analyse(key, Document("a", [Entity("2", (narrow, (6, 6)))], text=text))
    assert [e.message for e in found.errors] == [finding("span", "“picked”", "“picked … up”")]
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
    assert [e.message for e in found.errors] == [finding("extra mention", "“Bob”", "“Ann”")]


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
        ("b_0", 1, finding("missing entity", "“Bob”, “he”"))
    ] * errors


def test_entities_that_reach_beyond_documents() -> None:
    ann, words = Entity("e", ((0, 0),)), WrittenText((("Ann",),))
    key = [Document("t_1", [ann], text=words), Document("t_2", [ann], text=words)]
    response = [Document("t_1", [ann]), Document("t_2", [Entity("f", ((0, 0),))])]
    for scope, name in (("topic", "t"), ("corpus", "corpus")):
        found = sameas.analyse(key, response, scope=scope)
        (error,) = found.errors
        assert error.message == finding("divided", "“Ann”", "“Ann”")
        assert (error.document, error.place) == (name, 1)
    assert not len(sameas.analyse(key, response).errors)


def test_mentions_in_different_documents_have_no_distance() -> None:
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


# Refusals


def test_the_reference_scorer_is_refused_for_repeated_mentions(tmp_path: Path) -> None:
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


def test_the_corefud_scorer_is_refused_if_it_matches_mentions_several_times() -> None:
    with raises("errors-compat", compat="corefud-1.2"):
        sameas.analyse([["a", "b"], ["b", "c"]], [["a", "b"]], compat="corefud-1.2")
    # Otherwise it scores one-to-one matches.
    found = sameas.analyse(*map(example_path, SPANISH), compat="corefud-1.2")
    assert found.counts == sameas.analyse(*map(example_path, SPANISH)).counts
    assert found.repaired([]) == found.result
    assert found.repaired().conll.f1 == 1


def test_results_without_their_documents_are_refused() -> None:
    one = sameas.score(example_path("key.conll"), example_path("eager.conll"))
    other = sameas.score([["a", "b"]], [["a"]])
    for result in (one + other, one.select([0]), pickle.loads(pickle.dumps(one)), copy.copy(one)):
        with raises("not-one-scoring", what="errors"):
            sameas.analysis.analyse_result(result)
    assert sameas.analysis.analyse_result(one.average("macro")).result.settings.average == "macro"


def test_a_sum_is_refused_if_only_one_result_has_its_documents() -> None:
    one = sameas.score(example_path("key.conll"), example_path("eager.conll"))
    other = sameas.score([["a", "b"]], [["a"]]).select([0])
    with raises("not-one-scoring"):
        sameas.analysis.analyse_result(one + other)


def test_only_metrics_of_offsets_are_refused() -> None:
    with raises("not-repairable"):
        sameas.analyse([["a", "b"]], [["a"]], metrics=["mor", "zero"])


def test_refused_repairs() -> None:
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
