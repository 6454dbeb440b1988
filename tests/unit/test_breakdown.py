"""Scores by type, kind and size equal the scores of clusters filtered by hand."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sameas
from command_line import good, run
from effort import examples
from sameas import Document, Entity, Mention
from saying import raises, says

METRICS = ["mention", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "mor", "zero", "conll"]
CLASSES = ["type", "kind", "size"]
SIZES = ["1", "2", "3–4", "5–9", "10+"]
KINDS = ["name", "nominal", "pronoun", "zero"]

few = settings(deadline=None, max_examples=examples(25))


def size_of(mentions: int) -> str:
    return next(s for s, most in zip(SIZES, (1, 2, 4, 9, 99), strict=True) if mentions <= most)


def numbers(result: sameas.Result) -> dict[str, object]:
    return {
        name: (result[name].counts, result[name].recall, result[name].precision, result[name].f1)
        for name in METRICS
    }


@st.composite
def sides(draw: st.DrawFn, labelled: bool = True) -> list[Entity]:
    members = draw(st.lists(st.integers(-2, 4), min_size=1, max_size=14))
    kinds = st.sampled_from(["", *KINDS]) if labelled else st.just("")
    types = st.sampled_from([None, "person", "place"]) if labelled else st.none()
    return [
        Entity(
            str(entity),
            tuple(
                Mention(((token, token),), head=token, kind=draw(kinds) or None)
                for token, member in enumerate(members)
                if member == entity
            ),
            draw(types),
        )
        for entity in sorted(set(members))
        if entity >= 0
    ]


Sides = list[list[Entity]]
CORPORA = st.lists(sides(), min_size=1, max_size=3).flatmap(
    lambda key: st.tuples(st.just(key), st.lists(sides(), min_size=len(key), max_size=len(key)))
)


def documents(entities: Sequence[Sequence[Entity]]) -> list[Document]:
    return [Document(f"d{number}", found) for number, found in enumerate(entities)]


def labels(side: Sequence[Entity], by: str) -> dict[Mention, str]:
    return {
        mention: {
            "type": entity.type or "",
            "kind": mention.kind or "",
            "size": size_of(len(entity.mentions)),
        }[by]
        for entity in side
        for mention in entity.mentions
    }


def filtered(side: Sequence[Entity], keep: Callable[[Mention], bool]) -> list[Entity]:
    return [
        replace(entity, mentions=tuple(m for m in entity.mentions if keep(m))) for entity in side
    ]


def by_hand(key: Sides, response: Sides, by: str, match: str = "exact") -> dict[str, sameas.Result]:
    ours = [labels(side, by) for side in key]
    theirs = [
        {**labels(side, by), **{m: label for m, label in known.items() if m in labels(side, by)}}
        for side, known in zip(response, ours, strict=True)
    ]
    every = {label for side in (*ours, *theirs) for label in side.values()}
    parts = {}
    for label in every:
        sides = [
            [
                filtered(side, lambda m, known=known, label=label: known[m] == label)  # type: ignore[misc]
                for side, known in zip(corpus, said, strict=True)
            ]
            for corpus, said in ((key, ours), (response, theirs))
        ]
        parts[label or "(none)"] = sameas.score(
            *map(documents_without_empty, sides), metrics=METRICS, match=match
        )
    return parts


def documents_without_empty(entities: Sides) -> list[Document]:
    return documents([[entity for entity in side if entity.mentions] for side in entities])


def has_labels(key: Sides, by: str) -> bool:
    """Return whether any document of the key has a class."""
    return by == "size" or any(label for side in key for label in labels(side, by).values())


@pytest.mark.parametrize("by", CLASSES)
@few
@given(corpus=CORPORA)
def test_classes_are_scored_separately(by: str, corpus: tuple[Sides, Sides]) -> None:
    key, response = corpus
    result = sameas.score(*map(documents, corpus), metrics=METRICS)
    if not has_labels(key, by):
        with raises("no-labels", how=by):
            result.by(by)
        return
    found, wanted = result.by(by), by_hand(key, response, by)
    assert found.keys() == wanted.keys()
    for label, part in found.items():
        assert numbers(part) == numbers(wanted[label]), label
        assert [d.name for d in part.documents] == [d.name for d in result.documents]
        for one, other in zip(part.documents, wanted[label].documents, strict=True):
            assert one["b3"].counts == other["b3"].counts
    sums = [
        sum(column) for column in zip(*(p["mention"].counts for p in found.values()), strict=True)
    ]
    assert tuple(sums) == (result["mention"].counts if found else ())


@pytest.mark.parametrize("by", CLASSES)
@few
@given(corpus=CORPORA)
def test_heads_and_classes(by: str, corpus: tuple[Sides, Sides]) -> None:
    """One-token mentions with the same head match exactly."""
    key, response = corpus
    if has_labels(key, by):
        found = sameas.score(*map(documents, corpus), metrics=METRICS, match="head").by(by)
        wanted = by_hand(key, response, by, "head")
        assert {label: numbers(part) for label, part in found.items()} == {
            label: numbers(part) for label, part in wanted.items()
        }


@pytest.mark.parametrize("by", CLASSES)
@few
@given(corpus=CORPORA)
def test_added_results_have_the_classes_of_both(by: str, corpus: tuple[Sides, Sides]) -> None:
    key, response = map(documents, corpus)
    if not all(has_labels([side], by) for side in corpus[0]):
        return
    whole = sameas.score(key, response, metrics=METRICS)
    parts = [
        sameas.score([one], [other], metrics=METRICS)
        for one, other in zip(key, response, strict=True)
    ]
    one, other = whole.by(by), sum(parts).by(by)  # type: ignore[union-attr]
    assert {label: numbers(part) for label, part in one.items()} == {
        label: numbers(part) for label, part in other.items()
    }
    for label in one:
        assert one[label] == other[label]


def document(name: str, *entities: Entity) -> Document:
    return Document(name, entities)


def typed(type: str | None, *tokens: int, kind: str | None = None) -> Entity:
    return Entity(f"{type}{tokens}", tuple(Mention(((t, t),), kind=kind) for t in tokens), type)


# --- classes ------------------------------------------------------------------------------------


def test_sizes_in_order() -> None:
    sizes = [12, 1, 10, 9, 5, 4, 3, 2]
    clusters = [
        [(number, m) for m in range(number, number + size)] for number, size in enumerate(sizes)
    ]
    result = sameas.score(clusters, clusters, metrics=METRICS)
    found = result.by("size")
    assert list(found) == SIZES
    counts = Counter({"10+": 22, "1": 1, "5–9": 14, "3–4": 7, "2": 2})
    assert {label: part["mention"].counts[1] for label, part in found.items()} == counts


def test_the_size_is_the_scored_one() -> None:
    """Sizes are those after dropping and joining."""
    key = [
        document("a_1", Entity("x", ((0, 0), (1, 1))), Entity("y", ((3, 3),))),
        document("a_2", Entity("x", ((0, 0),))),
    ]
    assert {s: p["mention"].counts[1] for s, p in sameas.score(key, key).by("size").items()} == {
        "1": 2,
        "2": 2,
    }
    wide = sameas.score(key, key, scope="topic")
    assert {s: p["mention"].counts[1] for s, p in wide.by("size").items()} == {"1": 1, "3–4": 3}
    wide = sameas.score(key, key, scope="topic", singletons="drop")
    assert {s: p["mention"].counts[1] for s, p in wide.by("size").items()} == {"3–4": 3}


def test_kinds_in_order_and_unknown_ones_last() -> None:
    kinds = [None, "zero", "pronoun", "other", "name", "nominal"]
    key = document("d", *(typed(None, n, kind=kind) for n, kind in enumerate(kinds)))
    assert list(sameas.score(key, key).by("kind")) == [*KINDS, "other", "(none)"]


def test_entities_of_any_kind_of_mentions_have_types() -> None:
    key = document("d", Entity("0", ("a", "b"), "person"))
    assert list(sameas.score(key, key).by("type")) == ["person"]


def test_a_response_without_classes() -> None:
    key = document("d", typed("person", 0, 1), typed("place", 2, 3))
    response = document("d", typed(None, 0, 1, 2), typed(None, 7, 8))
    found = sameas.score(key, response, metrics=["mention", "muc"]).by("type")
    assert {label: part["mention"].counts for label, part in found.items()} == {
        "person": (2, 2, 2, 2),
        "place": (1, 2, 1, 1),
        "(none)": (0, 0, 0, 2),
    }
    assert found["(none)"]["muc"].counts == (0, 0, 0, 1)


def test_the_class_of_the_key_takes_precedence() -> None:
    key = document("d", typed("person", 0, 1))
    response = document("d", typed("place", 0, 1), typed("place", 5), typed("event", 6))
    found = sameas.score(key, response, metrics=["mention"]).by("type")
    assert {label: part["mention"].counts for label, part in found.items()} == {
        "event": (0, 0, 0, 1),
        "person": (2, 2, 2, 2),
        "place": (0, 0, 0, 1),
    }


def test_a_mention_matched_by_its_head_has_the_class_of_the_key() -> None:
    key = document("d", Entity("0", (Mention(((0, 3),), head=1),), "person"))
    response = document("d", Entity("0", (Mention(((0, 1),), head=1),), "place"))
    found = sameas.score(key, response, metrics=["mention"], match="head").by("type")
    assert {label: part["mention"].counts for label, part in found.items()} == {
        "person": (1, 1, 1, 1)
    }
    found = sameas.score(key, response, metrics=["mention"]).by("type")
    assert {label: part["mention"].counts for label, part in found.items()} == {
        "person": (0, 1, 0, 0),
        "place": (0, 0, 0, 1),
    }


def test_classes_of_classes() -> None:
    key = document("d", typed("person", 0, 1), typed("person", 2), typed("place", 3, 4))
    found = sameas.score(key, key, metrics=["mention"]).by("type")["person"].by("size")
    assert {label: part["mention"].counts[1] for label, part in found.items()} == {"1": 1, "2": 2}


def test_a_macro_average_of_classes() -> None:
    key = [document("a", typed("person", 0, 1)), document("b", typed("person", *range(9)))]
    response = [document("a", typed(None, 0, 1)), document("b")]
    found = sameas.score(key, response, metrics=["b3"], average="macro").by("type")["person"]
    assert found["b3"].recall == 0.5
    assert found.average("micro")["b3"].recall == 2 / 11


# --- refusals -----------------------------------------------------------------------------------


def test_after_selecting_documents_there_are_no_classes() -> None:
    key = document("d", typed("person", 0, 1))
    result = sameas.score(key, key)
    for part in (result.select([0]), result.by("genre")["d"]):
        with raises("not-one-scoring", what="type classes"):
            part.by("type")


def test_the_reference_scorer_has_no_classes() -> None:
    key = document("d", typed("person", 0, 1))
    result = sameas.score(key, key, compat="conll-8.01")
    for by in CLASSES:
        with raises("no-classes", compat="conll-8.01"):
            result.by(by)


@pytest.mark.parametrize("by", CLASSES)
@few
@given(corpus=CORPORA)
def test_under_compat_corefud_classes_are_counted_one_to_one(
    by: str, corpus: tuple[Sides, Sides]
) -> None:
    if has_labels(corpus[0], by):
        one, other = (
            sameas.score(
                *map(documents, corpus), metrics=METRICS, blanc="corefud-1.2", compat=compat
            )
            for compat in (None, "corefud-1.2")
        )
        found, wanted = one.by(by), other.by(by)
        assert found.keys() == wanted.keys()
        for label in found:
            for name in METRICS:
                assert found[label][name].value == pytest.approx(wanted[label][name].value)


def test_a_key_without_classes() -> None:
    plain = sameas.score([["a", "b"]], [["a", "b"]])
    for by in ("type", "kind"):
        with raises("no-labels", how=by):
            plain.by(by)


# --- the command line ---------------------------------------------------------------------------

CONLLU = """# newdoc id = a
# global.Entity = eid-etype-head-other
1\tAnn\t_\tPROPN\t_\t_\t0\t_\t_\tEntity=(e1-person-1-)
2\tthe\t_\tDET\t_\t_\t3\t_\t_\tEntity=(e2-thing-2-
3\tsea\t_\tNOUN\t_\t_\t0\t_\t_\tEntity=e2)
4\tshe\t_\tPRON\t_\t_\t0\t_\t_\tEntity=(e1-person-1-)
4.1\t_\t_\tPRON\t_\t_\t_\t_\t_\tEntity=(e1-person-1-)

"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "key.conllu"
    found.write_text(CONLLU, encoding="utf-8")
    return found


@pytest.mark.parametrize(
    ("by", "wanted"),
    [
        ("type", {"person": 3, "thing": 1}),
        ("kind", {"name": 1, "nominal": 1, "pronoun": 1, "zero": 1}),
        ("size", {"1": 1, "3–4": 3}),
    ],
)
def test_classes_on_the_command_line(path: Path, by: str, wanted: dict[str, int]) -> None:
    out = good("score", path, path, "--by", by, "--metrics", "mention,b3")
    assert f"{by} (mentions)" in out
    for label, count in wanted.items():
        assert f"{label} ({count})" in out
    out = good("score", path, path, "--by", by, "--metrics", "mention", "--json")
    shown = json.loads(out)
    groups = shown["groups"] if "groups" in shown else shown["by"]
    assert {
        name: part["metrics"]["mention"]["counts"][1] for name, part in groups.items()
    } == wanted
    code, out, _ = run("score", path, path, "--by", by, "--metrics", "mention", "--csv")
    assert code == 0
    rows = list(csv.reader(io.StringIO(out)))
    assert {row[2] for row in rows if by in row[:2]} == set(wanted)


def test_refusals_on_the_command_line() -> None:
    code, out, err = run("score", "--example", "--by", "size", "--compat", "conll-8.01")
    assert (code, out) == (2, "")
    assert says("no-classes", compat="conll-8.01") in err
    code, out, err = run("score", "--example", "--by", "type")
    assert (code, out) == (2, "")
    assert says("no-labels", how="type") in err


# --- failures ----------------------------------------------------------------------------


def test_classes_of_added_results_in_order() -> None:
    one, other = (sameas.score([c], [c]) for c in (list("abcde"), list("ab")))
    assert list((one + other).by("size")) == ["2", "5–9"]


def test_added_results_need_not_all_have_classes() -> None:
    key = [document("a", typed("person", 0, 1)), document("b", typed(None, 0, 1)), document("c")]
    whole = sameas.score(key, key, metrics=["mention"])
    added = sum(sameas.score([d], [d], metrics=["mention"]) for d in key)
    assert list(whole.by("type")) == ["person", "(none)"]
    assert list(added.by("type")) == list(whole.by("type"))  # type: ignore[union-attr]
