"""CONE: sources of names: annotation, a column, rules, or names given by the caller."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import sameas
from sameas import Document, Entity, Mention
from sameas.errors import UsageError
from sameas.run.inputs import load
from sameas.without_gold.named import source_of
from saying import raises, raises_problems
from unit.cone.texts import QUICK, TEXT, Write, line, scored, spans, text_document, words

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
    """Zeros are not names; a discontinuous mention keeps all its pieces."""
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


def test_zeros_are_never_names(write: Write) -> None:
    """Neither by the rules nor by a function that treats every word as a name."""
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


def test_a_key_without_any_kind_is_refused(write: Write) -> None:
    key = write("k.jsonl", line(TEXT, [[[0, 1]]]))
    with raises("names-not-marked", where=key):
        sameas.cone(key, key, names="annotated")


def test_unknown_kinds_of_the_key_are_guessed(write: Write) -> None:
    """Bob is capitalised, `greeted` is not."""
    clusters = [[[0, 1], [10, 10]], [[9, 9]]]
    key = write("k.jsonl", line(TEXT, clusters, kinds=[["name", ""], [""]]))
    assert scored(sameas.cone(key, key))[0] == [(0, 1), (10, 10)]


def test_a_response_without_kinds(write: Write) -> None:
    """Names by place, by head or by capital; a pronoun with the key's head is still not a name."""
    kinds = [["name", "pronoun"], ["nominal"], ["nominal"]]
    key = write("k.jsonl", line(TEXT, [[[0, 1], [8, 8]], [[3, 6]], [[12, 12]]], kinds=kinds))
    response = [[[0, 1]], [[1, 1]], [[8, 8]], [[3, 6]], [[3, 4]], [[12, 12]], [[10, 10]], [[2, 2]]]
    found = sameas.cone(key, write("r.jsonl", line(TEXT, response)))
    # 0–1 is in the key; 1 is the head of 0–1; 4 is the head of 3–6, not a name; 12 is not a name
    # there; Bob is capitalised, met is not.
    assert scored(found)[1] == [(0, 1), (1, 1), (10, 10)]


def test_response_mentions_without_a_kind_among_others_with_one(write: Write) -> None:
    """A response mention without a kind is a name if the key's mention is one."""
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


def test_of_mentions_at_one_place_one_name_is_enough() -> None:
    """As for continuous mentions."""
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
    assert found["mention"].counts == (1, 1, 1, 1)  # "Bob and Ann", whose head is unknown


# --- the column of CoNLL-2012 -------------------------------------------------------------------


def conll12(rows: Sequence[tuple[str, str, str]], name: str = "a", tag: str = "-") -> str:
    """Return rows of word, named-entity cell and coreference cell; columns 5 to 10 are empty."""
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
    """Dates and numbers are not names, nor is a name that is never closed."""
    key = write("k.conll", conll12(COLUMN))
    found = sameas.cone(key, key)
    assert found.settings.names == "column"
    assert scored(found) == ([(0, 1), (5, 5), (8, 10)],) * 2


@pytest.mark.parametrize(
    "label", ["DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL", "date"]
)
def test_labels_of_values(write: Write, label: str) -> None:
    key = write("k.conll", conll12([("Ann", "(PERSON)", "(0)"), ("x", f"({label})", "(0)")]))
    assert scored(sameas.cone(key, key))[0] == [(0, 0)]


def test_the_column_of_the_key_applies_to_the_response(write: Write) -> None:
    key = write("k.conll", conll12(COLUMN))
    response = write(
        "r.jsonl", line(" ".join(w for w, _, _ in COLUMN), [[[1, 1], [3, 3], [6, 6]]], "a_0")
    )
    assert scored(sameas.cone(key, response))[1] == [(1, 1)]


def test_missing_column(write: Write) -> None:
    key = write("k.conll", "#begin document (a); part 000\na 0 0 Ann (0)\n\n#end document\n")
    with raises("names-no-column"):
        sameas.cone(key, key, names="column")
    empty = write("e.conll", conll12([("Ann", "-", "(0)"), ("ran", "-", "-")]))
    assert source_of(load(empty).documents) == "rules"


def test_odd_cells_are_harmless(write: Write) -> None:
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


def test_the_default_is_the_column_even_if_the_first_document_is_empty(write: Write) -> None:
    key = write("k.conll", conll12([], "a") + conll12(COLUMN, "b"))
    assert source_of(load(key).documents) == "column"


def test_order_of_the_default(write: Write) -> None:
    """Annotation before the column, the column before the rules."""
    column = load(write("k.conll", conll12(COLUMN))).documents
    kinds = load(write("k.jsonl", line(TEXT, [[[0, 1]]], kinds=[["nominal"]]))).documents
    plain = load(write("p.jsonl", line(TEXT, [[[0, 1]]]))).documents
    assert source_of([*column, *kinds]) == "annotated"
    assert source_of(column) == "column"
    assert source_of(plain) == "rules"
    unspecified = load(write("u.jsonl", line(TEXT, [[[0, 1]]], kinds=[[""]]))).documents
    assert source_of(unspecified) == "rules"


# --- rules, functions, sets ---------------------------------------------------------------------


def test_rules(write: Write) -> None:
    key = write("k.jsonl", line(TEXT, [[[0, 1], [8, 8], [12, 12]], [[10, 10]]]))
    found = sameas.cone(key, key)
    assert found.settings.names == "rules"
    assert scored(found)[0] == [(0, 1), (10, 10), (12, 12)]


def test_function(write: Write) -> None:
    """A function takes the sentences and returns first and last words, with or without a type."""
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


def test_given_names_that_match_by_head(write: Write) -> None:
    key = write("k.jsonl", line(TEXT, [[[0, 1]], [[8, 8]]], heads=[[1], [8]]))
    response = write("r.jsonl", line(TEXT, [[[1, 1]], [[8, 8]]], heads=[[1], [8]]))
    found = sameas.cone(key, response, names={(0, 1), (1, 1)}, match="head")
    assert found["mention"].counts == (1, 1, 1, 1)


def test_names_that_cannot_be_mentions() -> None:
    key = text_document(TEXT, [[(0, 1), (8, 8)]])
    with raises("names-in-list"):
        sameas.cone(key, key, names=[[0, 1]])  # type: ignore[list-item]


@pytest.mark.parametrize("names", [7, "ruels", "spacy:no_such_model"])
def test_empty_names(names: Any) -> None:
    key = text_document(TEXT, [[(0, 1)]])
    with pytest.raises(UsageError):
        sameas.cone(key, key, names=names)


def test_mentions_without_a_text_need_a_set() -> None:
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
        sameas.without_gold.estimate_key(table)


def test_words_of_the_response_are_enough(write: Write) -> None:
    table = write("k.csv", "document,start,end,entity\na,0,1,x\na,8,8,x\n")
    response = write("r.jsonl", line(TEXT, [[[0, 1], [8, 8]]]))
    assert scored(sameas.cone(table, response)) == ([(0, 1)], [(0, 1)])


def test_systems_do_not_depend_on_those_scored_before(write: Write) -> None:
    """Neither the key nor the first system has words; the second system has."""
    rows = "".join(f"{d},0,1,x,name\n{d},8,8,x,pronoun\n" for d in "abc")
    key = write("k.csv", "document,start,end,entity,kind\n" + rows)
    bare = write(
        "bare.csv",
        "document,start,end,entity\n" + rows.replace(",name", "").replace(",pronoun", ""),
    )
    written = write("r.jsonl", "".join(line(TEXT, [[[0, 1]], [[10, 10]]], d) for d in "abc"))
    alone = sameas.cone(key, written, metrics=["b3"])["b3"].counts
    study = sameas.without_gold.cone_study(
        key, {"bare": bare, "r": written}, metrics=["b3"], least=1, resampling=QUICK
    )
    assert study.cone["r"]["b3"].counts == alone
