"""CONE by hand: where names come from, the estimated key, studies, predictions, and what is said."""

from __future__ import annotations

import json
import pickle
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sameas
from brute import brute, scores
from brute_cone import kendall, named_only, with_a_name
from sameas import Document, Entity, Mention, Resampling, Signature
from sameas.arithmetic.scores import Rates
from sameas.chance.prediction import predict
from sameas.chance.resampling import Additive, draws, exactly_additive, interval
from sameas.documents.document import WrittenText
from sameas.documents.heads import clues, describe, guess_names
from sameas.documents.layout import Layout
from sameas.errors import InputError, UsageError
from sameas.examples import SPANISH, example_path
from sameas.notes import Note
from sameas.run.inputs import load
from sameas.show.cone import study_notes
from sameas.tables.correlation import Coefficient
from sameas.without_gold.honesty import disagreement
from sameas.without_gold.named import source_of
from saying import codes, has, raises, raises_problems, says

Write = Callable[..., str]
QUICK = Resampling(samples=100)
TEXT = "Ann Lee met the Queen of Sheba . / She greeted Bob and Ann ."
#       0   1   2   3   4     5  6     7   8   9       10  11  12  13


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file and give its path."""

    def to(name: str, text: str) -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return to


def words(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(sentence.split()) for sentence in text.split("/"))


def line(text: str, clusters: Any, name: str = "a", **more: Any) -> str:
    record = {"doc_key": name, "sentences": words(text), "clusters": clusters, **more}
    return json.dumps({key: value for key, value in record.items() if value is not None}) + "\n"


def spans(document: Document) -> list[list[Any]]:
    """The mentions of each entity, in order."""
    found: list[list[Any]] = [[] for _ in document.entity_ids]
    for mention, entity in zip(document.mentions, document.entity.tolist(), strict=True):
        found[entity].append(mention)
    return found


def scored(result: sameas.Result) -> tuple[list[Any], list[Any]]:
    """The mentions that were scored, of key and response."""
    (matching,) = result.matchings
    return tuple(
        sorted(m for document in side.read.documents for m in document.mentions)
        for side in (matching.key, matching.response)
    )  # type: ignore[return-value]


def text_document(text: str, clusters: Sequence[Sequence[Any]] = (), name: str = "a") -> Document:
    made = [
        Entity(str(n), tuple(m if isinstance(m, Mention) else Mention.at(*m) for m in cluster))
        for n, cluster in enumerate(clusters)
    ]
    return Document(name, made, text=WrittenText(words(text)))


# --- names that are annotated -------------------------------------------------------------------


def test_kinds_of_jsonlines(write: Write) -> None:
    clusters = [[[0, 1], [8, 8]], [[3, 6]]]
    key = write("k.jsonl", line(TEXT, clusters, kinds=[["name", "pronoun"], ["nominal"]]))
    found = sameas.cone(key, key)
    assert found.settings.names == "annotated"
    assert scored(found) == ([(0, 1)], [(0, 1)])
    assert scored(sameas.cone(key, key, mentions="entities"))[0] == [(0, 1), (8, 8)]
    assert scored(sameas.cone(key, key, mentions="unnamed"))[0] == [(8, 8)]


CONLLU = """# newdoc id = a
# global.Entity = eid-etype-head-other
# sent_id = 1
1\tthe\tthe\tDET\t_\t_\t2\tdet\t_\tEntity=(e1-place-2-
2\tParis\tParis\tPROPN\t_\t_\t3\tnsubj\t_\tEntity=e1)
3\tfell\tfall\tVERB\t_\t_\t0\troot\t_\t_
3.1\t_\t_\tPRON\t_\t_\t_\t_\t_\tEntity=(e1-place-1-)
4\tthere\tthere\tADV\t_\t_\t3\tadvmod\t_\tEntity=(e1-place-1-)
5\tit\tit\tPRON\t_\t_\t3\tobj\t_\tEntity=(e1-place-1-)
6\tLondon\tLondon\tPROPN\t_\t_\t3\tobj\t_\tEntity=(e2[1/2]-place-1-)
7\tor\tor\tCCONJ\t_\t_\t6\tcc\t_\t_
8\tso\tso\tADV\t_\t_\t6\tadvmod\t_\tEntity=(e2[2/2]-place-1-)

"""


def test_names_of_conllu_are_those_with_a_proper_noun_as_head(write: Write) -> None:
    """Zeros are no names; of a discontinuous mention all pieces stay."""
    key = write("k.conllu", CONLLU)
    found = sameas.cone(key, key)
    assert found.settings.names == "annotated"
    (ours,) = found.matchings[0].key.read.documents
    assert spans(ours) == [[(0, 1)], [Mention(((5, 5), (7, 7)))]]
    unnamed = sameas.cone(key, key, mentions="unnamed", metrics="all")
    assert unnamed["mention"].counts == (3, 3, 3, 3)
    # Without Paris the zero comes first in its entity, and has no antecedent.
    zeros = [
        sameas.cone(key, key, mentions=mentions, metrics="all")["zero"].counts[1]
        for mentions in ("entities", "unnamed", "named")
    ]
    assert zeros == [1, 0, 0]


def test_zeros_are_never_found_to_be_names(write: Write) -> None:
    """By the rules and by a function that takes every word for a name."""
    key = write("k.conllu", CONLLU)
    everything = sameas.cone(key, key, names=lambda sentences: [(0, 7)], metrics="all")
    assert everything["zero"].counts == (0, 0, 0, 0)
    assert everything["mention"].counts == (4, 4, 4, 4)


@pytest.mark.parametrize("match", ["exact", "head", "partial"])
@pytest.mark.parametrize("zeros", ["linear", "dependent", "drop"])
def test_unnamed_zeros_score_as_in_a_file_without_names(
    write: Write, match: str, zeros: str
) -> None:
    key = write("k.conllu", CONLLU)
    bare = CONLLU.replace("Entity=(e1-place-2-", "_").replace("Entity=e1)", "_")
    bare = bare.replace("Entity=(e2[1/2]-place-1-)", "_").replace("Entity=(e2[2/2]-place-1-)", "_")
    more = {"metrics": "all", "match": match, "zeros": zeros}
    response = write("r.conllu", CONLLU.replace("Entity=(e1-place-1-)", "_", 2))
    found = sameas.cone(key, response, mentions="unnamed", **more)
    part = write("p.conllu", bare)
    expected = sameas.score(
        part, write("q.conllu", bare.replace("Entity=(e1-place-1-)", "_", 2)), **more
    )
    for metric in found.metrics:
        assert found[metric].counts == expected[metric].counts, metric


def test_a_key_that_says_it_of_no_mention_is_refused(write: Write) -> None:
    key = write("k.jsonl", line(TEXT, [[[0, 1]]]))
    with raises("names-not-said", where=key):
        sameas.cone(key, key, names="annotated")


def test_unknown_kinds_of_the_key_are_guessed(write: Write) -> None:
    """Bob is written large, and `greeted` is not."""
    clusters = [[[0, 1], [10, 10]], [[9, 9]]]
    key = write("k.jsonl", line(TEXT, clusters, kinds=[["name", ""], [""]]))
    assert scored(sameas.cone(key, key))[0] == [(0, 1), (10, 10)]


def test_a_response_of_which_nothing_is_said(write: Write) -> None:
    """By place; by head; by capital; and a pronoun of the key's head stays no name."""
    kinds = [["name", "pronoun"], ["nominal"], ["nominal"]]
    key = write("k.jsonl", line(TEXT, [[[0, 1], [8, 8]], [[3, 6]], [[12, 12]]], kinds=kinds))
    response = [[[0, 1]], [[1, 1]], [[8, 8]], [[3, 6]], [[3, 4]], [[12, 12]], [[10, 10]], [[2, 2]]]
    found = sameas.cone(key, write("r.jsonl", line(TEXT, response)))
    # 0–1 is there; 1 is the head of 0–1; 4 is that of 3–6, no name; 12 is no name there; Bob is
    # written large, met is not.
    assert scored(found)[1] == [(0, 1), (1, 1), (10, 10)]


def test_response_mentions_without_a_kind_among_others_with_one(write: Write) -> None:
    """`A mention of a response of which nothing is said is then what the key's mention is`."""
    clusters = [[[0, 1]], [[10, 10]]]
    key = write("k.jsonl", line(TEXT, clusters, kinds=[["name"], ["name"]]))
    response = write("r.jsonl", line(TEXT, clusters, kinds=[["name"], [""]]))
    assert scored(sameas.cone(key, response))[1] == [(0, 1), (10, 10)]


def test_response_whose_kinds_are_all_empty(write: Write) -> None:
    key = write("k.jsonl", line(TEXT, [[[0, 1]]], kinds=[["name"]]))
    response = write("r.jsonl", line(TEXT, [[[0, 1]]], kinds=[[""]]))
    assert scored(sameas.cone(key, response))[1] == [(0, 1)]


def test_heads_of_files_without_words() -> None:
    key = Document("a", [Entity("0", (Mention(((0, 0),), head=0, kind="name"),))])
    response = Document("a", [Entity("0", (Mention(((0, 1),), head=0),))])
    assert scored(sameas.cone(key, response))[1] == [(0, 1)]


def test_of_mentions_at_one_place_a_name_counts() -> None:
    """As it does for mentions of one piece."""
    for pieces in (((0, 0),), ((0, 0), (2, 2))):
        key = text_document(
            TEXT, [[Mention(pieces, kind="name")], [Mention(pieces, kind="nominal")]]
        )
        response = text_document(TEXT, [[Mention(pieces)]])
        assert sameas.cone(key, response, names="annotated")["mention"].counts[3] == 1


def test_discontinuous_mentions(write: Write) -> None:
    key = text_document(
        TEXT, [[Mention(((10, 10), (12, 12)), kind="name")], [Mention(((0, 1),), kind="nominal")]]
    )
    response = text_document(TEXT, [[Mention(((10, 10), (12, 12)))], [Mention(((10, 12),))]])
    found = sameas.cone(key, response)
    assert found["mention"].counts == (1, 1, 1, 1)  # "Bob and Ann", of which no head is known


# --- the column of CoNLL-2012 -------------------------------------------------------------------


def conll12(rows: Sequence[tuple[str, str, str]], name: str = "a", tag: str = "-") -> str:
    """Word, named-entity cell and coreference cell; columns 5 to 10 are empty."""
    lines = [f"#begin document ({name}); part 000"]
    for number, (word, cell, brackets) in enumerate(rows):
        lines.append(
            "\t".join(
                [name, "0", str(number), word, tag, "*", "-", "-", "-", "-", cell, "*", brackets]
            )
        )
    return "\n".join([*lines, "", "#end document", ""])


COLUMN = [
    ("Ann", "(PERSON*", "(0"),
    ("Lee", "*)", "0)"),
    ("came", "*", "-"),
    ("today", "(DATE)", "(1)"),
    ("to", "*", "-"),
    ("Paris", "(GPE)", "(2)"),
    ("She", "*", "(0)"),
    ("saw", "*", "-"),
    ("the", "(ORG*", "(3"),
    ("old", "*", "-"),
    ("Bank", "*)", "3)"),
    ("two", "(CARDINAL)", "(4)"),
    ("Bob", "(PERSON*", "(5)"),  # is never closed
    (".", "*", "-"),
]


def test_column(write: Write) -> None:
    """Dates and numbers name nothing; a name that is never closed is none."""
    key = write("k.conll", conll12(COLUMN))
    found = sameas.cone(key, key)
    assert found.settings.names == "column"
    assert scored(found) == ([(0, 1), (5, 5), (8, 10)],) * 2


@pytest.mark.parametrize(
    "label", ["DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL", "date"]
)
def test_labels_that_name_nothing(write: Write, label: str) -> None:
    key = write("k.conll", conll12([("Ann", "(PERSON)", "(0)"), ("x", f"({label})", "(0)")]))
    assert scored(sameas.cone(key, key))[0] == [(0, 0)]


def test_column_of_the_key_says_it_for_the_response(write: Write) -> None:
    key = write("k.conll", conll12(COLUMN))
    response = write(
        "r.jsonl", line(" ".join(w for w, _, _ in COLUMN), [[[1, 1], [3, 3], [6, 6]]], "a_0")
    )
    assert scored(sameas.cone(key, response))[1] == [(1, 1)]


def test_column_that_is_not_there(write: Write) -> None:
    key = write("k.conll", "#begin document (a); part 000\na 0 0 Ann (0)\n\n#end document\n")
    with raises("names-no-column"):
        sameas.cone(key, key, names="column")
    empty = write("e.conll", conll12([("Ann", "-", "(0)"), ("ran", "-", "-")]))
    assert source_of(load(empty).documents) == "rules"


def test_odd_cells_do_no_harm(write: Write) -> None:
    rows = [
        ("Bank", "(ORG(GPE*", "(0"),
        ("of", "*", "-"),
        ("England", "*))", "0)"),
        ("x", "*)", "(1)"),  # closes nothing
        ("y", "(GPE*", "(2)"),  # is not closed before the next
        ("z", "(GPE*)", "(3)"),
    ]
    key = write("k.conll", conll12(rows))
    assert scored(sameas.cone(key, key))[0] == [(0, 2), (5, 5)]


def test_the_default_takes_the_column_though_the_first_document_is_empty(write: Write) -> None:
    key = write("k.conll", conll12([], "a") + conll12(COLUMN, "b"))
    assert source_of(load(key).documents) == "column"


def test_order_of_the_default(write: Write) -> None:
    """Annotated before the column, the column before the rules."""
    column = load(write("k.conll", conll12(COLUMN))).documents
    kinds = load(write("k.jsonl", line(TEXT, [[[0, 1]]], kinds=[["nominal"]]))).documents
    plain = load(write("p.jsonl", line(TEXT, [[[0, 1]]]))).documents
    assert source_of([*column, *kinds]) == "annotated"
    assert source_of(column) == "column"
    assert source_of(plain) == "rules"
    unsaid = load(write("u.jsonl", line(TEXT, [[[0, 1]]], kinds=[[""]]))).documents
    assert source_of(unsaid) == "rules"


# --- rules, functions, sets ---------------------------------------------------------------------


def test_rules(write: Write) -> None:
    key = write("k.jsonl", line(TEXT, [[[0, 1], [8, 8], [12, 12]], [[10, 10]]]))
    found = sameas.cone(key, key)
    assert found.settings.names == "rules"
    assert scored(found)[0] == [(0, 1), (10, 10), (12, 12)]


def test_function(write: Write) -> None:
    """It gets the sentences, and returns first and last words, with a type or without."""
    asked = []

    def recognise(sentences: Any) -> list[Any]:
        asked.append([list(sentence) for sentence in sentences])
        return [(0, 1, "PER"), (10, 10)]

    key = write("k.jsonl", line(TEXT, [[[0, 1], [8, 8], [12, 12]], [[10, 10]]]))
    found = sameas.cone(key, key, names=recognise)
    assert asked == [[list(sentence) for sentence in words(TEXT)]]  # once for both sides
    assert scored(found) == ([(0, 1), (10, 10)],) * 2
    assert "|names:function:recognise|" in found.signature


@pytest.mark.parametrize("answer", [[(0, 99)], [(3, 2)], [(-1, 0)], ["Ann"], [(0,)], 7])
def test_function_with_a_wrong_answer(answer: Any) -> None:
    key = text_document(TEXT, [[(0, 1)]])
    with pytest.raises(UsageError):
        sameas.cone(key, key, names=lambda sentences: answer)


@pytest.mark.parametrize("name", ["annotated", "column"])
def test_function_with_the_name_of_a_source(name: str) -> None:
    def recognise(sentences: Any) -> list[Any]:
        return [(10, 10)]

    recognise.__name__ = name
    key = text_document(
        TEXT, [[Mention(((0, 1),), kind="name"), Mention(((10, 10),), kind="nominal")]]
    )
    assert scored(sameas.cone(key, key, names=recognise))[0] == [(10, 10)]


def test_function_called_rules_is_not_ours() -> None:
    def rules(sentences: Any) -> list[Any]:
        return [(10, 10)]

    key = text_document(TEXT, [[(0, 1), (10, 10)]])
    found = sameas.cone(key, key, names=rules)
    assert found.signature != sameas.cone(key, key, names="rules").signature


def test_set_of_mentions() -> None:
    found = sameas.cone([["x", "y", "z"]], [["x", "z"], ["w"]], names={"x", "w"})
    assert scored(found) == (["x"], ["w", "x"])
    assert found.settings.names == "given"
    key = text_document(TEXT, [[(0, 1), (8, 8)]])
    assert scored(sameas.cone(key, key, names=[(0, 1)]))[0] == [(0, 1)]
    assert sameas.cone(key, key, names=())["mention"].counts == (0, 0, 0, 0)


def test_set_of_mention_objects() -> None:
    key = text_document(TEXT, [[(0, 1), (8, 8)]])
    assert scored(sameas.cone(key, key, names={Mention.at(0, 1)}))[0] == [(0, 1)]


def test_names_that_are_given_and_match_by_head(write: Write) -> None:
    key = write("k.jsonl", line(TEXT, [[[0, 1]], [[8, 8]]], heads=[[1], [8]]))
    response = write("r.jsonl", line(TEXT, [[[1, 1]], [[8, 8]]], heads=[[1], [8]]))
    found = sameas.cone(key, response, names={(0, 1), (1, 1)}, match="head")
    assert found["mention"].counts == (1, 1, 1, 1)


def test_names_that_cannot_be_mentions() -> None:
    key = text_document(TEXT, [[(0, 1), (8, 8)]])
    with raises("names-in-list"):
        sameas.cone(key, key, names=[[0, 1]])  # type: ignore[list-item]


@pytest.mark.parametrize("names", [7, "ruels", "spacy:no_such_model"])
def test_names_that_are_nothing(names: Any) -> None:
    key = text_document(TEXT, [[(0, 1)]])
    with pytest.raises(UsageError):
        sameas.cone(key, key, names=names)


def test_mentions_that_are_no_text_need_a_set() -> None:
    with raises("names-not-in-text"):
        sameas.cone([["x", "y"]], [["x"]], names="rules")


def test_identifiers_keep_their_topic(write: Write) -> None:
    table = write(
        "k.csv",
        "document,mention,entity,kind,topic,genre\na,m1,1,name,x,g\nb,m2,1,name,x,g\nb,m3,2,name,x,g\n",
    )
    expected, found = (
        sameas.score(table, table, scope="topic"),
        sameas.cone(table, table, scope="topic"),
    )
    assert len(found) == len(expected) == 1
    assert sameas.cone(table, table).genres == sameas.score(table, table).genres


@pytest.mark.parametrize("options", [{"names": "rules"}, {"matcher": "rules"}])
def test_an_empty_document_among_others(write: Write, options: dict[str, Any]) -> None:
    key = write("k.jsonl", line(TEXT, [[[0, 1]]]) + line("", [], "b", sentences=[]))
    assert sameas.score(key, key)["mention"].counts == (1, 1, 1, 1)
    assert sameas.cone(key, key, **options)["mention"].counts[0] == 1


def test_a_document_without_words(write: Write) -> None:
    table = write("k.csv", "document,start,end,entity\na,0,1,x\n")
    with raises_problems("names-no-words", document="a", path=table):
        sameas.cone(table, table)
    with raises_problems("names-no-words"):
        sameas.estimate_key(table)


def test_words_of_the_response_will_do(write: Write) -> None:
    table = write("k.csv", "document,start,end,entity\na,0,1,x\na,8,8,x\n")
    response = write("r.jsonl", line(TEXT, [[[0, 1], [8, 8]]]))
    assert scored(sameas.cone(table, response)) == ([(0, 1)], [(0, 1)])


def test_systems_do_not_depend_on_those_scored_before(write: Write) -> None:
    """A key without words; the first system has none either, the second has."""
    rows = "".join(f"{d},0,1,x,name\n{d},8,8,x,pronoun\n" for d in "abc")
    key = write("k.csv", "document,start,end,entity,kind\n" + rows)
    bare = write(
        "bare.csv",
        "document,start,end,entity\n" + rows.replace(",name", "").replace(",pronoun", ""),
    )
    written = write("r.jsonl", "".join(line(TEXT, [[[0, 1]], [[10, 10]]], d) for d in "abc"))
    alone = sameas.cone(key, written, metrics=["b3"])["b3"].counts
    study = sameas.cone_study(
        key, {"bare": bare, "r": written}, metrics=["b3"], least=1, resampling=QUICK
    )
    assert study.cone["r"]["b3"].counts == alone


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
    (found,) = sameas.estimate_key(text, matcher="paper").documents
    assert found.unit == "character"
    together = [entity for entity in spans(found) if (0, 6) in entity]
    assert together == [[(0, 6), (44, 46)]]
    assert len(found.meta["joins"]) == 1


def test_titles_in_a_text_by_characters(write: Write) -> None:
    """As in a text of words, where the title belongs to the name."""
    text = brat(write, "k", [], PROSE.replace("Bob", "Mr. Lee"))
    assert (44, 50) in sameas.estimate_key(text).documents[0].mentions


def test_brat_against_an_estimate(write: Write) -> None:
    """The surname of a longer name has the same head."""
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


def test_estimate_names_groups_and_joins() -> None:
    text = text_document("Henry Dashwood met Mary Brandon . / Mr. Dashwood left Mary .")
    (found,) = sameas.estimate_key(text).documents
    assert sorted(spans(found)) == [[(0, 1), (6, 7)], [(3, 4), (9, 9)]]
    assert [(join.name, join.other) for join in found.meta["joins"]] == [
        ("Mr. Dashwood", "Henry Dashwood"),
        ("Mary", "Mary Brandon"),
    ]
    assert list(found.annotation.kinds()) == ["name"] * 4


def test_estimate_looks_at_no_mention(write: Write) -> None:
    """Words alone matter, unless the annotated names are wanted."""
    bare = write("t.jsonl", line(TEXT, None))
    marked = write("k.jsonl", line(TEXT, [[[2, 2], [9, 9]]], kinds=[["name", "name"]]))
    ours, theirs = (sameas.estimate_key(path).documents[0] for path in (bare, marked))
    assert spans(ours) == spans(theirs)
    assert ours.meta["joins"] == theirs.meta["joins"]


def test_estimate_on_annotated_names(write: Write) -> None:
    """The matcher groups what the file marks, and nothing else; the entities do not matter."""
    clusters = [[[0, 1], [10, 10]], [[12, 12]], [[8, 8]]]
    kinds = [["name", "name"], ["name"], ["pronoun"]]
    key = write("k.jsonl", line(TEXT, clusters, kinds=kinds, entity_types=["person"] * 3))
    (found,) = sameas.estimate_key(key, names="annotated", matcher="exact").documents
    assert sorted(spans(found)) == [[(0, 1)], [(10, 10)], [(12, 12)]]
    (found,) = sameas.estimate_key(key, names="annotated", matcher="paper").documents
    assert sorted(spans(found)) == [[(0, 1), (12, 12)], [(10, 10)]]
    assert len(found.meta["joins"]) == 1


def test_joins_of_a_document_without_names(write: Write) -> None:
    key = write("k.jsonl", line("she ran", [[[0, 0]]], kinds=[["pronoun"]]))
    assert (
        sameas.estimate_key(write("t.jsonl", line("she ran", None))).documents[0].meta["joins"]
        == []
    )
    assert sameas.estimate_key(key, names="annotated").documents[0].meta["joins"] == []


def test_estimate_of_annotated_identifiers(write: Write) -> None:
    table = write("k.csv", "document,mention,entity,kind\na,m1,1,name\n")
    with raises_problems("names-no-words"):
        sameas.estimate_key(table, names="annotated")


def test_estimate_of_given_names() -> None:
    with raises("names-given"):
        sameas.estimate_key(text_document(TEXT), names={(0, 1)})


def test_unknown_matcher() -> None:
    with raises("unknown", what="matcher", near="rules"):
        sameas.estimate_key(text_document(TEXT), matcher="ruels")
    with raises("unknown", what="matcher", near="rules"):
        sameas.cone(text_document(TEXT), text_document(TEXT, [[(0, 1)]]), matcher="ruels")


def test_cone_with_a_matcher_is_cone_with_the_estimate(write: Write) -> None:
    response = write("r.jsonl", line(TEXT, [[[1, 1], [12, 12]], [[10, 10]], [[8, 8]], [[5, 6]]]))
    text = write("t.jsonl", line(TEXT, []))
    found = sameas.cone(text, response, matcher="rules", metrics="all")
    assert found.settings.match == "head" and found.settings.names == "rules"
    estimate = sameas.estimate_key(text)
    expected = sameas.cone(estimate, response, names="rules", match="head", metrics="all")
    assert [found[m].counts for m in found.metrics] == [expected[m].counts for m in found.metrics]
    exact = sameas.cone(text, response, matcher="rules", match="exact")
    assert exact["mention"].counts[0] < found["mention"].counts[0]


def test_cone_with_a_matcher_needs_words_only(write: Write) -> None:
    """`With a matcher the entities of the key are not looked at`; predict_score takes the file."""
    text = write("t.jsonl", line(TEXT, None))
    response = write("r.jsonl", line(TEXT, [[[0, 1]]]))
    assert sameas.cone(text, response, matcher="rules")["mention"].counts[0] == 1


def test_the_response_must_be_of_the_same_words(write: Write) -> None:
    response = write("r.jsonl", line(TEXT.replace("Bob", "Bill"), [[[0, 1]]]))
    with raises_problems("text-word", here="Bill", there="Bob", number=11):
        sameas.cone(text_document(TEXT), response, matcher="rules")


def test_an_estimated_key_has_names_only() -> None:
    for mentions in ("entities", "unnamed"):
        with raises("estimated-names-only"):
            sameas.cone(
                text_document(TEXT),
                text_document(TEXT, [[(0, 1)]]),
                matcher="rules",
                mentions=mentions,
            )


# --- studies ------------------------------------------------------------------------------------

NAME_WORDS = ("Ann", "Bob", "Eve", "Max")


def names_of(sentences: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    every = [word for sentence in sentences for word in sentence]
    return [(place, place) for place, word in enumerate(every) if word in NAME_WORDS]


def made_corpus(seed: int, documents: int = 14) -> tuple[list[Document], dict[str, list[Document]]]:
    """Texts of names and pronouns, each word a mention; two systems with some errors."""
    generator = random.Random(seed)
    key: list[Document] = []
    systems: dict[str, list[Document]] = {"one": [], "two": []}
    for number in range(documents):
        every = [generator.choice([*NAME_WORDS, "she", "he"]) for _ in range(12)]
        labels = [
            NAME_WORDS.index(word) if word in NAME_WORDS else generator.randrange(4)
            for word in every
        ]
        text = " ".join(every)
        key.append(text_document(text, grouped(labels), f"d{number:02}"))
        for rate, side in zip((0.2, 0.5), systems.values(), strict=True):
            theirs = [
                generator.randrange(-1, 5) if generator.random() < rate else x for x in labels
            ]
            side.append(text_document(text, grouped(theirs), f"d{number:02}"))
    return key, systems


def grouped(labels: Sequence[int]) -> list[list[tuple[int, int]]]:
    found: dict[int, list[tuple[int, int]]] = {}
    for place, label in enumerate(labels):
        if label >= 0:
            found.setdefault(label, []).append((place, place))
    return list(found.values())


def is_name(document: Document) -> Callable[[Any], bool]:
    every = document.tokens
    return lambda span: every[span[0]] in NAME_WORDS


def test_study_with_an_estimated_key() -> None:
    """Names against the estimate, whole entities against the key."""
    key, systems = made_corpus(1)
    found = sameas.cone_study(
        key, systems, names=names_of, matcher="exact", metrics=["b3", "lea"], resampling=QUICK
    )
    for system, response in systems.items():
        part = sameas.cone(key, response, names=names_of, matcher="exact", metrics=["b3", "lea"])
        whole = sameas.cone(key, response, mentions="entities", match="head", metrics=["b3", "lea"])
        for result, prefix in ((whole, ""), (part, "cone_")):
            rows = found.table.by("system")[system].columns
            for metric in ("b3", "lea"):
                expected = [100 * one[metric].f1 for one in result.documents]
                assert np.allclose(rows[f"{prefix}{metric}"], expected, atol=1e-9)
        assert found.cone[system]["b3"].counts == part["b3"].counts
    assert found.settings.matcher == "exact" and "matcher:exact" in found.signature


def test_study_pools_and_ranks() -> None:
    key, systems = made_corpus(2)
    systems["three"] = key
    found = sameas.cone_study(key, systems, names=names_of, resampling=QUICK)
    assert list(found.correlations) == ["one", "two", "three", ""]
    assert found.correlations[""][0].rows == sum(found.correlations[s][0].rows for s in systems)
    for metric in ("b3", "ceafm"):
        sides = [[r[metric].f1 for r in results.values()] for results in (found.whole, found.cone)]
        assert found.agreement(metric) == kendall(*sides)
    one = sameas.cone_study(key, {"one": systems["one"]}, names=names_of, resampling=QUICK)
    assert one.agreement("b3") is None
    shown = str(found)
    assert found.signature.split("|")[0] in shown and "Kendall's τ" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_study_that_disagrees() -> None:
    """One system finds pronouns and the other names: each is better at its own."""
    names = {("n", number) for number in range(4)}
    key, pronouns, namer = ([], [], [])  # type: ignore[var-annotated]
    for number in range(4):
        whole = [("n", 0), ("n", 1), *(("p", p) for p in range(4 + number))]
        key.append(Document.from_clusters(f"d{number}", [whole]))
        pronouns.append(Document.from_clusters(f"d{number}", [whole[1:]]))
        namer.append(Document.from_clusters(f"d{number}", [whole[:2]]))
    found = sameas.cone_study(
        key, {"pronouns": pronouns, "names": namer}, names=names, least=1, resampling=QUICK
    )
    assert found.agreement("b3") == -1.0
    order = {"metric": "B³", "pairs": 1, "better": "pronouns", "worse": "names", "how": "entities"}
    told = says("study-order", count=2, total=1, tau="−1.00 [−1.00, −1.00]", **order)
    assert told in " ".join(str(found).split())


def test_study_against_all_mentions() -> None:
    """The same systems, names and documents; the other score is that of `score`."""
    key, systems = made_corpus(5)
    options: dict[str, Any] = {"names": names_of, "metrics": "b3,conll", "resampling": QUICK}
    entities = sameas.cone_study(key, systems, **options)
    found = sameas.cone_study(key, systems, against="all", **options)
    assert found.table.labels == entities.table.labels
    assert "|against:all|" in found.signature and "|against:entities|" in entities.signature
    for system, response in systems.items():
        full = sameas.score(key, response, metrics="b3,conll")
        assert found.whole[system] == full and found.cone[system] == entities.cone[system]
        rows = found.table.by("system")[system]
        scores = {one.name: one for one in full.documents}
        for metric in ("b3", "conll"):
            expected = [100 * scores[name][metric].f1 for name in rows.labels["document"]]
            assert np.allclose(rows.columns[metric], expected, atol=1e-9)


def test_study_within_systems_does_not_see_the_differences_between_them() -> None:
    """One system is better by far, and nothing else goes together."""
    table = sameas.ScoreTable(
        {"system": list("aabb"), "document": list("xyxy")},
        {"whole": np.array([10.0, 20, 80, 90]), "cone": np.array([20.0, 10, 90, 80])},
    )
    (pooled,) = sameas.correlate(table, resampling=QUICK)
    (within,) = sameas.correlate(table, within="system", resampling=QUICK)
    assert pooled.pearson.value is not None and pooled.pearson.value > 0.9
    assert within.pearson.value == -1.0
    flat = replace(table, columns={**table.columns, "cone": np.array([0.1, 0.1, 0.7, 0.7])})
    (none,) = sameas.correlate(flat, within="system", resampling=QUICK)
    assert none.pearson == Coefficient(None, None)
    with pytest.raises(UsageError, match="genre"):
        sameas.correlate(table, within="genre")


@pytest.mark.parametrize("how", ["percentile", "bca"])
def test_the_interval_within_systems_takes_means_anew(how: str) -> None:
    """As if every sample of documents were written out and centred by itself."""
    generator = np.random.default_rng(1)
    systems, documents = 3, 12
    whole = generator.normal(size=(systems, documents)) + np.arange(systems)[:, None]
    cone = whole / 2 + generator.normal(size=(systems, documents))
    table = sameas.ScoreTable(
        {
            "system": [str(s) for s in range(systems) for _ in range(documents)],
            "document": [str(d) for _ in range(systems) for d in range(documents)],
        },
        {"whole": whole.ravel(), "cone": cone.ravel()},
    )
    resampling = sameas.Resampling(interval=how, samples=300)
    (found,) = sameas.correlate(table, within="system", resampling=resampling)

    def r(drawn: Sequence[int]) -> float:
        x, y = (side[:, drawn] - side[:, drawn].mean(axis=1)[:, None] for side in (whole, cone))
        return float((x * y).sum() / np.sqrt((x * x).sum() * (y * y).sum()))

    counts = np.vstack(list(draws(documents, 300, resampling.seed))).astype(int)
    samples = np.array([r(np.repeat(np.arange(documents), row).tolist()) for row in counts])
    left = [r([d for d in range(documents) if d != out]) for out in range(documents)]
    jackknife = np.array(left) if how == "bca" else None
    value = r(list(range(documents)))
    assert found.pearson.interval is not None and found.drawn == documents
    assert np.isclose(found.pearson.value, value)  # type: ignore[arg-type]
    assert np.allclose(found.pearson.interval, interval(samples, value, jackknife), atol=1e-9)


def test_the_interval_of_the_order_of_systems() -> None:
    """Every sample of documents, written out and scored by itself."""
    key, systems = made_corpus(6, 8)
    systems["three"] = key
    resampling = sameas.Resampling(samples=100)
    found = sameas.cone_study(key, systems, names=names_of, resampling=resampling)
    counts = np.vstack(list(draws(len(key), 100, resampling.seed))).astype(int)
    names = found.whole["one"].in_order().statistics.documents
    taus = []
    for row in counts:
        drawn = np.repeat(np.arange(len(names)), row).tolist()
        sides = [
            [result.in_order().select(drawn)["b3"].f1 for result in results.values()]
            for results in (found.whole, found.cone)
        ]
        taus.append(kendall(*sides) or 0.0)
    expected = interval(np.array(taus), found.agreement("b3") or 0.0)
    assert np.allclose(found.agreement_interval("b3") or (), expected)
    one = sameas.cone_study(key, {"one": key}, names=names_of, resampling=QUICK)
    assert one.agreement_interval("b3") is None and not one.within


def test_systems_that_are_level_have_no_order() -> None:
    key, systems = made_corpus(6)
    level = {"one": systems["one"], "again": systems["one"]}
    found = sameas.cone_study(key, level, names=names_of, resampling=QUICK)
    assert found.agreement("b3") is None and found.agreement_interval("b3") is None
    assert "τ" not in str(found)


def test_a_study_is_pickled_after_it_was_shown() -> None:
    key, systems = made_corpus(6)
    found = sameas.cone_study(key, systems, names=names_of, resampling=QUICK)
    shown = str(found)
    assert str(pickle.loads(pickle.dumps(found))) == shown


def test_the_key_itself_under_an_estimated_key() -> None:
    key, systems = made_corpus(7)
    found = sameas.cone_study(key, systems, names=names_of, matcher="exact", resampling=QUICK)
    assert found.ceiling is not None
    own = sameas.cone(key, key, names=names_of, matcher="exact", metrics=["b3", "ceafm"])
    assert found.ceiling == own
    assert sameas.cone_study(key, systems, names=names_of, resampling=QUICK).ceiling is None


def test_a_system_above_the_key_itself() -> None:
    """The estimate joins two people of one name, and so does the system, but not the key."""
    text = "Ann met Ann . Ann met Ann ."
    spans = [(0, 0), (2, 2), (4, 4), (6, 6)]
    key = [text_document(text, [spans[::2], spans[1::2]], f"d{n}") for n in range(4)]
    joined = [text_document(text, [spans], f"d{n}") for n in range(4)]
    options: dict[str, Any] = {"names": names_of, "matcher": "exact", "resampling": QUICK}
    found = sameas.cone_study(key, {"joins": joined, "right": key}, **options)
    assert found.cone["joins"]["b3"].f1 == 1.0 and found.ceiling is not None
    assert found.ceiling["b3"].f1 == found.cone["right"]["b3"].f1 < 1
    notes = study_notes(found)
    assert says("gold-ceiling", scores={"B³": 200 / 3, "CEAFm": 50.0}, how="text") in notes
    assert says("above-gold", systems=("joins (B³, CEAFm)",), count=1) in notes
    alone = study_notes(sameas.cone_study(key, {"joins": joined}, **options))
    assert says("response-above-gold", metrics="B³, CEAFm") in alone


def test_a_system_has_a_name_of_its_own() -> None:
    for name in ("", "all systems"):
        with raises("study-system-name", name=name):
            sameas.cone_study([["A", "B"]], {name: [["A"]]}, names={"A", "B"})


def test_notes_on_an_estimated_key() -> None:
    """A document without mentions is told once, also where the key has mentions; names are ours."""
    names = [Mention(((place, place),), kind="name") for place in (0, 2)]
    key = [text_document("Ann met Bob .", [[one] for one in names], name) for name in "ab"]
    empty = [key[0], text_document("Ann met Bob .", name="b")]
    for source in ("annotated", names_of):
        notes = sameas.cone(key, empty, names=source, matcher="exact").notes
        assert [n for n in notes if n.code == "silent"] == [Note("silent", count=1, names=["b"])]
        assert any(has(n, "name-errors", count=4, missing=2, how="estimated") for n in notes)


def test_large_numbers_are_readable() -> None:
    text = "Ann saw " * 1200
    mentions = [(place, place) for place in range(0, 2400, 2)]
    key = [text_document(text, [[Mention((one,), kind="name") for one in mentions]])]
    notes = sameas.cone(key, [text_document(text, [[(1, 2), *mentions]])]).notes
    (note,) = (note for note in notes if note.code == "told-names")
    assert note.values["same"] == 1200 and " 1,200 " in str(note)


def test_guessed_heads_are_counted() -> None:
    """Where mentions match by their heads, and the file has none."""
    key = [text_document("Ann met Bob .", [[(0, 0)], [(2, 2)]])]
    names: dict[str, Any] = {"names": names_of}
    ours, theirs = (Note("guessed-heads", side, 2) for side in ("key", "response"))
    notes = sameas.cone(key, key, match="head", **names).notes
    assert ours in notes and theirs in notes
    assert "guessed-heads" not in said(key, key, **names)
    # The heads of an estimated key are a part of the estimate.
    notes = sameas.cone(key, key, matcher="exact", **names).notes
    assert ours not in notes and theirs in notes
    gold, response = map(example_path, SPANISH)
    assert "guessed-heads" not in said(gold, response, match="head")


def test_name_errors() -> None:
    """One name missing, one apart, and one in the entity of another."""
    names = set("ABCDEF")
    key, response = [list("ABCD1"), list("EF2")], [list("AB12"), ["C"], list("EFxy")]
    result = sameas.cone(key, response, names=names)
    assert sameas.name_errors(result) == (6, 1, 1)
    merged = sameas.cone(key, [list("ABCDEF")], names=names)
    assert sameas.name_errors(merged) == (6, 0, 2)
    assert Note("name-errors", count=6, missing=1, misgrouped=1, how="key") in result.notes
    assert "name-errors" not in said(key, key, names=names, mentions="unnamed")
    with raises("name-errors-part"):
        sameas.name_errors(result.select([0]))
    with raises("wrong-type", what="result"):
        sameas.name_errors(3)  # type: ignore[arg-type]
    with raises("name-errors-of", what="coref"):
        sameas.name_errors(sameas.score(key, response))
    with raises("name-errors-of", what="cone", mentions="unnamed"):
        sameas.name_errors(sameas.cone(key, response, names=names, mentions="unnamed"))


def test_disagreement() -> None:
    assert disagreement({"a": 0.5, "b": 0.6}, {"a": 0.4, "b": 0.5}) == (0, "", "")
    assert disagreement({"a": 0.5, "b": 0.5}, {"a": 0.4, "b": 0.5}) == (0, "", "")
    scores = {"a": 0.5, "b": 0.6, "c": 0.9}, {"a": 0.8, "b": 0.7, "c": 0.1}
    assert disagreement(*scores) == (3, "c", "a")


@pytest.mark.parametrize(
    ("options", "code", "values"),
    [
        ({"level": "mention"}, "unknown", {"what": "level"}),
        ({"level": "entity", "matcher": "rules"}, "study-entities-estimated", {}),
        ({"level": "entity", "metrics": ["lea"]}, "study-metrics", {"metrics": ["lea"]}),
        ({"against": "every"}, "unknown", {"what": "against"}),
        ({"share_of": "corpus"}, "study-share", {}),
        ({"level": "entity", "share_of": "document"}, "unknown", {"what": "share_of"}),
    ],
)
def test_studies_that_cannot_be(options: dict[str, Any], code: str, values: dict[str, Any]) -> None:
    key, systems = made_corpus(3, 4)
    with raises(code, **values):
        sameas.cone_study(key, systems, names=names_of, resampling=QUICK, **options)
    with raises("study-systems"):
        sameas.cone_study(key, {}, names=names_of)


@pytest.mark.parametrize("scope", ["topic", "corpus"])
def test_study_by_topic(scope: str) -> None:
    """Rows are documents, of which a score by topic has none."""
    key, systems = made_corpus(4, 4)
    with raises("cone-scope"):
        sameas.cone_study(key, systems, names=names_of, scope=scope, resampling=QUICK)


# --- predictions --------------------------------------------------------------------------------


def hand_made(rows: Sequence[Sequence[float]]) -> Additive:
    """Counts of B³, a row a document."""
    counts = np.array(rows, dtype=np.float64)

    def value(*columns: Any) -> Any:
        return Rates.of(*columns).value

    def rates(sums: Any) -> dict[str, Rates]:
        return {"b3": Rates.of(*sums.T)}

    return Additive(
        exactly_additive(counts), rates, {"b3": range(4)}, {"b3": value}, {"b3": value(*counts.T)}
    )


def b3_row(key: Sequence[Any], response: Sequence[Any]) -> list[float]:
    return [float(count) for count in brute([(key, response)])["b3"]]


@pytest.mark.parametrize("target", ["corpus", "population"])
def test_prediction_is_that_of_rows_made_by_hand(target: str) -> None:
    """The score by brute force, and CONE against names of equal words, by brute force."""
    key, systems = made_corpus(5, 20)
    response = systems["two"]
    annotated = [0, 2, 3, 5, 6, 8, 11, 13, 14, 17, 19]
    full = hand_made([b3_row(spans(key[n]), spans(response[n])) for n in annotated])
    proxy = []
    for text, theirs in zip(key, response, strict=True):
        named = is_name(text)
        equal: dict[str, list[Any]] = {}
        for place, word in enumerate(text.tokens):
            if word in NAME_WORDS:
                equal.setdefault(word, []).append((place, place))
        proxy.append(b3_row(list(equal.values()), named_only(spans(theirs), named)))
    expected = predict(full, hand_made(proxy), annotated, ["b3"], target=target, confidence=90)
    gold = [key[n] for n in annotated]
    found = sameas.predict_score(
        gold,
        key,
        response,
        names=names_of,
        matcher="exact",
        metrics=["b3"],
        target=target,
        confidence=90,
    )
    for part, one in expected["b3"].items():
        other = found.predictions["b3"][part]
        for ours, theirs in ((one.sample, other.sample), (one.predicted, other.predicted)):
            assert other.weight == pytest.approx(one.weight, abs=1e-9)
            assert theirs.value == pytest.approx(ours.value, abs=1e-9)
            assert tuple(theirs.interval) == pytest.approx(tuple(ours.interval), abs=1e-9)
        assert (other.proxy, other.proxy_sample) == pytest.approx((one.proxy, one.proxy_sample))
    assert found["b3"] == found.predictions["b3"]["f1"]
    assert Note("predicted-from", count=11, total=20) in found.notes
    assert f"target:{target}" in found.signature and "annotated:11" in found.signature
    assert "b3" in found.as_dict()["metrics"] and str(found)


def test_gold_in_another_order() -> None:
    key, systems = made_corpus(6)
    gold = key[:12]
    options = {"names": names_of, "matcher": "exact", "metrics": ["b3"]}
    one = sameas.predict_score(gold, key, systems["one"], **options)
    other = sameas.predict_score(gold[::-1], key, systems["one"][::-1], **options)
    assert other["b3"].predicted.value == pytest.approx(one["b3"].predicted.value, abs=1e-12)


def test_all_documents_annotated_give_the_score() -> None:
    key, systems = made_corpus(7, 4)
    found = sameas.predict_score(key, key, systems["one"], names=names_of, matcher="exact")
    score = sameas.score(key, systems["one"])
    for metric in score.metrics:
        one = found[metric].predicted
        assert one.error == 0 and one.interval.low == one.value == one.interval.high
        assert one.value == pytest.approx(score[metric].value, rel=1e-14)
    assert not {"predicted-from", "predicted-not-drawn"} & {*codes(found.notes)}


def test_gold_that_is_not_in_the_text() -> None:
    key, systems = made_corpus(8)
    stray = [*key[:11], text_document("Ann", [[(0, 0)]], "stray")]
    with raises_problems("gold-not-in-text", document="stray"):
        sameas.predict_score(stray, key, systems["one"], names=names_of)


def test_too_few_documents() -> None:
    key, systems = made_corpus(9)
    with raises("too-few-annotated", count=9):
        sameas.predict_score(key[:9], key, systems["one"], names=names_of)


def test_documents_that_were_not_drawn_by_chance() -> None:
    """Those in which the response is right about all names are annotated, and no others."""
    key, systems = made_corpus(10, 60)
    response = [*key[:12], *systems["two"][12:]]
    found = sameas.predict_score(
        key[:12], key, response, names=names_of, matcher="exact", metrics=["b3"]
    )
    assert "predicted-not-drawn" in codes(found.notes)


def test_cone_that_tells_nothing() -> None:
    """CONE is 1 in all documents: it has no weight."""
    key, systems = made_corpus(11)
    response = [
        Document(t.name, [Entity(e.id, e.mentions) for e in d.entities], text=t.text)
        for t, d in zip(key, systems["one"], strict=True)
    ]
    found = sameas.predict_score(
        key[:12], key, response, names=lambda s: [], matcher="exact", metrics=["b3"]
    )
    assert found["b3"].weight == 0
    assert Note("predicted-useless", metrics=("B³",)) in found.notes


# --- what is said -------------------------------------------------------------------------------


def story(names: int, more: str = "she") -> str:
    people = ["Ann", "Bob", "Eve", "Max", "Joan"]
    return " / ".join(f"{people[n % 5]} saw the house and {more} left ." for n in range(names))


def said(*files: Any, **options: Any) -> list[str]:
    """The codes of the notes of CONE."""
    return codes(sameas.cone(*files, **options).notes)


def circular(*files: Any, **options: Any) -> list[str]:
    return [code for code in said(*files, **options) if code.startswith("circular")]


def test_circular() -> None:
    text = text_document(story(60))
    estimate = sameas.estimate_key(text)
    assert circular(text, estimate, matcher="rules") == ["circular-names", "circular-links"]


def test_not_circular() -> None:
    """A system that finds other names, and groups them otherwise; and one judged by a key."""
    text = text_document(story(60))
    (estimate,) = sameas.estimate_key(text).documents
    every = estimate.mentions
    other = text_document(story(60), [every[0:20], every[20:40]])  # type: ignore[arg-type]
    assert not circular(text, other, matcher="rules")
    regrouped = text_document(story(60), [every[0::2], every[1::2]])  # type: ignore[arg-type]
    assert circular(text, regrouped, matcher="rules") == ["circular-names"]
    assert not circular(estimate, estimate, names="rules")
    few = text_document(story(20))  # fewer than 30 names say little
    assert "circular-names" not in said(few, sameas.estimate_key(few), matcher="rules")


def test_only_names_by_a_key() -> None:
    names = {("n", n) for n in range(40)}
    entities = [[("n", n), ("p", n)] for n in range(40)]
    alone = [[("n", n)] for n in range(40)]
    code = "groups-names-only"
    assert code in said(entities, alone, names=names)
    assert code not in said(entities, entities, names=names)
    assert code not in said(entities, alone, names=names, mentions="entities")
    assert code not in said(entities[:20], alone[:20], names=names)


def test_only_names_by_a_text() -> None:
    """40 pronouns in the text, none or all of them in the response."""
    text = text_document(story(40))
    pronouns = [(n, n) for n, word in enumerate(text.tokens) if word == "she"]
    names = [(n, n) for n, word in enumerate(text.tokens) if word == "Ann"]
    code = "groups-names-only"
    alone, both = text_document(story(40), [names]), text_document(story(40), [[*names, *pronouns]])
    assert code in said(text, alone, matcher="rules")
    assert code not in said(text, both, matcher="rules")
    without = text_document(story(40, "it"))
    alone = text_document(story(40, "it"), [names])
    assert code not in said(without, alone, matcher="rules")


def test_small_share() -> None:
    key = [["A", *range(9)]]
    assert Note("few-names", "key", 1, total=10) in sameas.cone(key, key, names={"A"}).notes
    assert "few-names" not in said(key, key, names={"A", 1, 2, 3})
    assert "few-names" not in said(key, key, names={"A"}, mentions="entities")


GERMAN = " / ".join(
    f"Die Frau sah das Haus von Anna und ging mit Peter nach Köln {n} ." for n in range(40)
)


def test_other_language() -> None:
    german, english = (text_document(text, [[(0, 0)]]) for text in (GERMAN, story(60)))
    assert "not-english" in said(german, german, names="rules")
    assert "not-english" in said(german, german, matcher="rules")
    assert "not-english" not in said(english, english, names="rules")
    assert "not-english" not in said(german, german, names=lambda sentences: [(0, 0)])
    short = text_document(GERMAN[:200], [[(0, 0)]])
    assert "not-english" not in said(short, short, names="rules")


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


def test_signatures_of_names_that_must_be_given_again() -> None:
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
    with raises("signature-names"):  # a function that only its owner knows
        sameas.cone(text, text, signature=named.signature)
    assert (
        sameas.cone(text, text, names=names_of, signature=named.signature).signature
        == named.signature
    )


def test_compat_is_no_setting_of_cone() -> None:
    with raises("cone-compat", compat="conll-8.01"):
        sameas.ConeSettings(compat="conll-8.01", duplicates="conll-8.01", blanc="conll-8.01")


def test_duplicates_that_are_refused() -> None:
    """A name that comes twice is an error if that is wanted; another mention is not looked at."""
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


def test_whole_score_of_entities_with_a_name() -> None:
    """`mentions="entities"` by brute force."""
    key, systems = made_corpus(14, 5)
    found = sameas.cone(key, systems["two"], names=names_of, mentions="entities")
    pairs = [
        (with_a_name(spans(k), is_name(k)), with_a_name(spans(r), is_name(k)))
        for k, r in zip(key, systems["two"], strict=True)
    ]
    expected = brute(pairs)
    for metric in ("muc", "b3", "ceafm", "ceafe", "lea"):
        assert found[metric].f1 == pytest.approx(float(scores(expected[metric])[2]), abs=1e-12)


def test_how_names_of_a_silent_response_were_told() -> None:
    key = text_document(
        TEXT, [[Mention(((0, 1),), kind="name")], [Mention(((8, 8),), kind="pronoun")]]
    )
    response = text_document(TEXT, [[(0, 1), (1, 1), (10, 10), (8, 8)]])
    assert Note("told-names", same=1, head=1, guessed=1) in sameas.cone(key, response).notes


def test_a_response_that_says_some_kinds_is_not_counted_as_silent() -> None:
    key = text_document(
        TEXT, [[Mention(((0, 1),), kind="name"), Mention(((10, 10),), kind="name")]]
    )
    response = text_document(TEXT, [[Mention(((0, 1),), kind="pronoun"), Mention(((10, 10),))]])
    result = sameas.cone(key, response)
    assert scored(result)[1] == [(10, 10)]
    assert "told-names" not in codes(result.notes)


def test_discontinuous_mentions_are_told_by_their_words() -> None:
    pieces = ((0, 0), (10, 10))
    key = text_document(TEXT, [[Mention(pieces, kind="name"), Mention(((8, 8),), kind="pronoun")]])
    response = text_document(TEXT, [[Mention(pieces), Mention(((12, 12),))]])
    assert Note("told-names", same=1, head=0, guessed=1) in sameas.cone(key, response).notes


def test_heads_that_are_first_words_throughout_are_told() -> None:
    """As files have them that were converted from one without heads."""
    text = "the old Ann saw the big Bob . / " * 12
    spans = [(8 * n, 8 * n + 2) for n in range(12)]
    plain = text_document(text, [spans])
    written = text_document(text, [[Mention((span,), head=span[0]) for span in spans]])
    assert "first-word-heads" in said(plain, written, names="rules")
    assert "first-word-heads" not in said(plain, plain, names="rules")
