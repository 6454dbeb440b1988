"""CONE: the estimated key, and texts with character offsets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import sameas
from sameas.documents.heads import clues, describe, guess_names
from sameas.documents.layout import Layout
from saying import raises, raises_problems
from unit.cone.texts import TEXT, Write, line, scored, spans, text_document

# --- brat ---------------------------------------------------------------------------------------


def brat(write: Write, name: str, annotations: Sequence[tuple[int, int]], text: str | None) -> str:
    written = text or ""
    lines = [
        f"T{n}\tThing {first} {last}\t{written[first:last]}"
        for n, (first, last) in enumerate(annotations, start=1)
    ]
    if text is not None:
        write(f"{name}.txt", text)
    return write(f"{name}.ann", "\n".join([*lines, ""]))


PROSE = "Ann Lee met the Queen of Sheba. She greeted Bob."
#        0   4   8   12  16    22 25     32  36      44


def test_brat_by_characters(write: Write) -> None:
    key = brat(write, "k", [(0, 7), (32, 35), (44, 47)], PROSE)
    found = sameas.cone(key, key)
    assert found.settings.names == "rules"
    assert scored(found)[0] == [(0, 6), (44, 46)]
    assert scored(sameas.cone(key, key, names=lambda s: [(9, 9)]))[0] == []
    # Words 0 to 11: Ann Lee met the Queen of Sheba . She greeted Bob .
    assert scored(sameas.cone(key, key, names=lambda s: [(10, 10)]))[0] == [(44, 46)]


def test_estimate_of_brat_by_characters(write: Write) -> None:
    text = brat(write, "k", [], PROSE.replace("Bob", "Lee"))
    (found,) = sameas.without_gold.estimate_key(text, matcher="paper").documents
    assert found.unit == "character"
    together = [entity for entity in spans(found) if (0, 6) in entity]
    assert together == [[(0, 6), (44, 46)]]
    assert len(found.meta["joins"]) == 1


def test_titles_in_a_text_by_characters(write: Write) -> None:
    """As in a tokenised text, the title belongs to the name."""
    text = brat(write, "k", [], PROSE.replace("Bob", "Mr. Lee"))
    assert (44, 50) in sameas.without_gold.estimate_key(text).documents[0].mentions


def test_brat_against_an_estimate(write: Write) -> None:
    """The last name has the same head as the full name."""
    text = brat(write, "k", [], PROSE)
    response = brat(write, "r", [(4, 7), (44, 47), (32, 35)], PROSE)
    found = sameas.cone(text, response, matcher="rules", names=lambda s: [(0, 1), (10, 10)])
    assert found["mention"].counts == (2, 2, 2, 2)
    with raises_problems("other-units", theirs="token", ours="character"):
        sameas.cone(text, text_document(TEXT, [[(0, 1)]], name="k"), matcher="rules")


def test_brat_without_its_text(write: Write) -> None:
    key = brat(write, "k", [(0, 7)], None)
    with raises_problems("names-no-words"):
        sameas.cone(key, key, names="rules")


# --- heads --------------------------------------------------------------------------------------


def test_pronouns_that_are_heads_of_longer_mentions() -> None:
    document = text_document("I saw Both of them", [[(2, 4)]])
    (kind,), (head,) = describe(Layout([document]), document, None)
    sentence = [word for one in document.sentences for word in one]
    assert guess_names(sentence, clues(sentence), np.array([0]))[head] == (kind == "name")


# --- the estimated key --------------------------------------------------------------------------


def test_the_estimate_has_names_groups_and_joins() -> None:
    text = text_document("Henry Dashwood met Mary Brandon . / Mr. Dashwood left Mary .")
    (found,) = sameas.without_gold.estimate_key(text).documents
    assert sorted(spans(found)) == [[(0, 1), (6, 7)], [(3, 4), (9, 9)]]
    assert [(join.name, join.other) for join in found.meta["joins"]] == [
        ("Mr. Dashwood", "Henry Dashwood"),
        ("Mary", "Mary Brandon"),
    ]
    assert list(found.annotation.kinds()) == ["name"] * 4


def test_the_estimate_ignores_mentions(write: Write) -> None:
    """Only words matter, unless annotated names are requested."""
    bare = write("t.jsonl", line(TEXT, None))
    marked = write("k.jsonl", line(TEXT, [[[2, 2], [9, 9]]], kinds=[["name", "name"]]))
    ours, theirs = (sameas.without_gold.estimate_key(path).documents[0] for path in (bare, marked))
    assert spans(ours) == spans(theirs)
    assert ours.meta["joins"] == theirs.meta["joins"]


def test_estimate_on_annotated_names(write: Write) -> None:
    """The matcher groups only the names that the file marks, regardless of their entities."""
    clusters = [[[0, 1], [10, 10]], [[12, 12]], [[8, 8]]]
    kinds = [["name", "name"], ["name"], ["pronoun"]]
    key = write("k.jsonl", line(TEXT, clusters, kinds=kinds, entity_types=["person"] * 3))
    (found,) = sameas.without_gold.estimate_key(key, names="annotated", matcher="exact").documents
    assert sorted(spans(found)) == [[(0, 1)], [(10, 10)], [(12, 12)]]
    (found,) = sameas.without_gold.estimate_key(key, names="annotated", matcher="paper").documents
    assert sorted(spans(found)) == [[(0, 1), (12, 12)], [(10, 10)]]
    assert len(found.meta["joins"]) == 1


def test_joins_of_a_document_without_names(write: Write) -> None:
    key = write("k.jsonl", line("she ran", [[[0, 0]]], kinds=[["pronoun"]]))
    assert (
        sameas.without_gold.estimate_key(write("t.jsonl", line("she ran", None)))
        .documents[0]
        .meta["joins"]
        == []
    )
    assert sameas.without_gold.estimate_key(key, names="annotated").documents[0].meta["joins"] == []


def test_estimate_of_annotated_identifiers(write: Write) -> None:
    table = write("k.csv", "document,mention,entity,kind\na,m1,1,name\n")
    with raises_problems("names-no-words"):
        sameas.without_gold.estimate_key(table, names="annotated")


def test_estimate_of_given_names() -> None:
    with raises("names-given"):
        sameas.without_gold.estimate_key(text_document(TEXT), names={(0, 1)})


def test_unknown_matcher() -> None:
    with raises("unknown", what="matcher", near="rules"):
        sameas.without_gold.estimate_key(text_document(TEXT), matcher="ruels")
    with raises("unknown", what="matcher", near="rules"):
        sameas.cone(text_document(TEXT), text_document(TEXT, [[(0, 1)]]), matcher="ruels")


def test_cone_with_a_matcher_is_cone_with_the_estimate(write: Write) -> None:
    response = write("r.jsonl", line(TEXT, [[[1, 1], [12, 12]], [[10, 10]], [[8, 8]], [[5, 6]]]))
    text = write("t.jsonl", line(TEXT, []))
    found = sameas.cone(text, response, matcher="rules", metrics="all")
    assert found.settings.match == "head" and found.settings.names == "rules"
    estimate = sameas.without_gold.estimate_key(text)
    expected = sameas.cone(estimate, response, names="rules", match="head", metrics="all")
    assert [found[m].counts for m in found.metrics] == [expected[m].counts for m in found.metrics]
    exact = sameas.cone(text, response, matcher="rules", match="exact")
    assert exact["mention"].counts[0] < found["mention"].counts[0]


def test_cone_with_a_matcher_needs_only_words(write: Write) -> None:
    """A matcher ignores the entities of the key; `predict_score` accepts the file too."""
    text = write("t.jsonl", line(TEXT, None))
    response = write("r.jsonl", line(TEXT, [[[0, 1]]]))
    assert sameas.cone(text, response, matcher="rules")["mention"].counts[0] == 1


def test_the_response_must_have_the_same_words(write: Write) -> None:
    response = write("r.jsonl", line(TEXT.replace("Bob", "Bill"), [[[0, 1]]]))
    with raises_problems("text-word", here="Bill", there="Bob", number=11):
        sameas.cone(text_document(TEXT), response, matcher="rules")


def test_an_estimated_key_has_only_names() -> None:
    for mentions in ("entities", "unnamed"):
        with raises("estimated-names-only"):
            sameas.cone(
                text_document(TEXT),
                text_document(TEXT, [[(0, 1)]]),
                matcher="rules",
                mentions=mentions,
            )
