"""Entities across documents: topics and corpora compared with documents joined by hand."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sameas
from command_line import run
from effort import examples
from sameas import Document, Entity, Mention
from sameas.notes import Note
from saying import raises, raises_problems

METRICS = ["mention", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll"]
NAMES = ["36_1", "37_1", "36_2", "x/1_2", "37_2", "36/1"]
TOPICS = ["36", "37", "36", "x", "37", "36"]

Clusters = dict[str, list[int]]  # an entity's id, and the tokens that are its mentions
few = settings(deadline=None, max_examples=examples(15))


def document(
    name: str, clusters: Clusters, meta: dict[str, object] | None = None, head: bool = True
) -> Document:
    entities = [
        Entity(id, tuple(Mention(((m, m),), head=m if head else None) for m in mentions))
        for id, mentions in clusters.items()
    ]
    return Document(name, entities, meta=meta)


def joined(
    groups: Sequence[str], sides: Sequence[Clusters], singletons: str = "keep"
) -> list[Document]:
    """Return one document per group; mentions carry the number of their original document."""
    found: dict[str, dict[str, list[Hashable]]] = {group: {} for group in groups}
    for number, (group, clusters) in enumerate(zip(groups, sides, strict=True)):
        for id, mentions in clusters.items():
            found[group].setdefault(id, []).extend((number, "token", m) for m in mentions)
    return [
        Document(
            group,
            [
                Entity(id, tuple(mentions))
                for id, mentions in entities.items()
                if len(mentions) > (singletons == "drop")
            ],
        )
        for group, entities in found.items()
    ]


def numbers(result: sameas.Result) -> list[object]:
    return [
        (part.name, *((name, part[name].counts, round(part[name].value, 12)) for name in METRICS))
        for part in (*result.documents,)
    ]


@st.composite
def corpora(draw: st.DrawFn) -> list[tuple[Clusters, Clusters]]:
    def side() -> Clusters:
        members = draw(st.lists(st.sampled_from(["", "a", "b", "c"]), min_size=0, max_size=5))
        clusters: Clusters = {}
        for token, id in enumerate(members):
            if id:
                clusters.setdefault(id, []).append(token)
        return clusters

    return [(side(), side()) for _ in NAMES]


@pytest.mark.parametrize("scope", ["topic", "corpus"])
@pytest.mark.parametrize("singletons", ["keep", "drop"])
@pytest.mark.parametrize("match", ["exact", "head"])
@few
@given(corpus=corpora())
def test_a_wider_scope_joins_documents(
    scope: str, singletons: str, match: str, corpus: list[tuple[Clusters, Clusters]]
) -> None:
    groups = TOPICS if scope == "topic" else ["corpus"] * len(NAMES)
    sides = list(zip(*corpus, strict=True))
    by_hand = sameas.score(*(joined(groups, side, singletons) for side in sides), metrics=METRICS)
    found = sameas.score(
        *([document(n, c) for n, c in zip(NAMES, side, strict=True)] for side in sides),
        metrics=METRICS,
        scope=scope,
        singletons=singletons,
        match=match,
    )
    assert numbers(found) == numbers(by_hand)
    for name in METRICS:
        assert found[name].value == pytest.approx(by_hand[name].value, abs=1e-12)
    assert len(found) == len(set(groups))
    assert f"|scope:{scope}|" in found.signature
    assert f"|docs:{len(set(groups))}|" in found.signature


def test_entities_of_one_id_are_separate_in_each_document() -> None:
    key = [document(name, {"a": [0]}) for name in NAMES]
    assert sameas.score(key, key)["muc"].counts == (0, 0, 0, 0)
    assert sameas.score(key, key, scope="topic")["muc"].counts == (3, 3, 3, 3)
    assert sameas.score(key, key, scope="corpus")["muc"].counts == (5, 5, 5, 5)


def test_singletons_are_dropped_when_documents_are_joined() -> None:
    key = [document("a_1", {"x": [0], "y": [1]}), document("a_2", {"x": [0]})]
    result = sameas.score(key, key, scope="topic", singletons="drop")
    assert result["mention"].counts == (2, 2, 2, 2)
    assert result.notes == [Note("singletons", "key", 1), Note("singletons", "response", 1)]


def test_mentions_never_match_across_documents() -> None:
    key = [document("a_1", {"x": [0, 1]}), document("a_2", {"x": [5]})]
    response = [document("a_1", {"x": [5]}), document("a_2", {"x": [0, 1]})]
    for match in ("exact", "head"):
        result = sameas.score(
            key, response, scope="corpus", match=match, metrics=["mention", "mor"]
        )
        assert result["mention"].counts == result["mor"].counts == (0, 3, 0, 3)


def test_the_topic_of_the_key_takes_precedence() -> None:
    metas: list[dict[str, object]] = [{"topic": "t"}, {"topic": 7}, {"topic": "t"}, {}]
    names = ["a_1", "a_2", "b_1", "a_3"]
    key = [document(n, {"x": [0]}, meta) for n, meta in zip(names, metas, strict=True)]
    response = [document(n, {"x": [0]}, {"topic": "other"}) for n in names]
    result = sameas.score(key, response, scope="topic")
    assert [part.name for part in result.documents] == ["t", "7", "a"]
    assert result["muc"].counts == (1, 1, 1, 1)


def test_a_file_names_its_topic(tmp_path: Path) -> None:
    lines = [
        f"# newdoc id = {name}\n# global.Entity = eid-etype-head-other\n# meta::topic = {topic}\n"
        "1\tAnn\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1-person-1-)\n\n"
        for name, topic in (("a", "one"), ("b", "two"), ("c", "one"))
    ]
    path = tmp_path / "key.conllu"
    path.write_text("".join(lines), encoding="utf-8")
    result = sameas.score(path, path, scope="topic", metrics=["muc", "mention"])
    assert [part.name for part in result.documents] == ["one", "two"]
    assert result["muc"].counts == (1, 1, 1, 1)
    code, out, err = run(
        "score", path, path, "--scope", "topic", "--metrics", "muc", "--by-document"
    )
    assert (code, err) == (0, "")
    assert "one       100.00" in out and "|scope:topic|" in out


def test_missing_documents_of_a_topic() -> None:
    key = [document("a_1", {"x": [0, 1]}), document("a_2", {"x": [0]})]
    response = [document("a_1", {"x": [0, 1]})]
    result = sameas.score(key, response, scope="topic")
    assert result["muc"].counts == (1, 2, 1, 1)
    skipped = sameas.score(key, response, scope="topic", missing_documents="skip")
    assert skipped["muc"].counts == (1, 1, 1, 1)


# --- repeated mentions --------------------------------------------------------------------------

# In a_1 the mention 2 is in x and y, of which y begins first; z is only in a_2.
REPEATED = [
    document("a_1", {"x": [2, 3], "y": [0, 2]}),
    document("a_2", {"y": [1], "z": [0], "x": [4]}),
]


@pytest.mark.parametrize(
    ("duplicates", "by_hand"),
    [
        ("first", [{"x": [3], "y": [0, 2]}, {"y": [1], "z": [0], "x": [4]}]),
        ("last", [{"x": [2, 3], "y": [0]}, {"y": [1], "z": [0], "x": [4]}]),
        ("merge", [{"x": [2, 3, 0]}, {"x": [1, 4], "z": [0]}]),
    ],
)
@pytest.mark.parametrize("scope", ["topic", "corpus"])
@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_repeated_mentions_in_a_wider_scope(
    duplicates: str, by_hand: list[Clusters], scope: str, singletons: str
) -> None:
    single = [document("a_1", {"u": [0, 2, 3]}), document("a_2", {"u": [0, 1], "v": [4]})]
    group = ["a" if scope == "topic" else "corpus"] * 2
    plain = [{"u": [0, 2, 3]}, {"u": [0, 1], "v": [4]}]
    found = sameas.score(
        REPEATED, single, metrics=METRICS, scope=scope, duplicates=duplicates, singletons=singletons
    )
    wanted = sameas.score(
        joined(group, by_hand, singletons), joined(group, plain, singletons), metrics=METRICS
    )
    assert numbers(found) == numbers(wanted)
    assert found.notes[0] == Note("repeated", "key", 1, how=duplicates)


@few
@given(corpus=corpora(), more=corpora())
def test_merging_in_a_wider_scope(
    corpus: list[tuple[Clusters, Clusters]], more: list[tuple[Clusters, Clusters]]
) -> None:
    """Entities with the same id are merged, as are those that share a mention, transitively."""
    keys = [
        {**one, **{id + "+": mentions for id, mentions in two.items()}}
        for (one, _), (two, _) in zip(corpus, more, strict=True)
    ]
    responses = [response for _, response in corpus]
    parts: list[set[tuple[str, Hashable]]] = []
    for number, (topic, clusters) in enumerate(zip(TOPICS, keys, strict=True)):
        for id, mentions in clusters.items():
            part: set[tuple[str, Hashable]] = {("id", (topic, id))}
            part |= {("mention", (number, "token", m)) for m in mentions}
            for other in [other for other in parts if other & part]:
                parts.remove(other)
                part |= other
            parts.append(part)
    merged = {topic: [] for topic in dict.fromkeys(TOPICS)}  # type: dict[str, list[Entity]]
    for part in parts:
        topic = next(place[0] for kind, place in part if kind == "id")  # type: ignore[index]
        members = sorted(place for kind, place in part if kind == "mention")  # type: ignore[type-var]
        merged[topic].append(Entity(str(len(merged[topic])), tuple(members)))
    wanted = sameas.score(
        [Document(topic, entities) for topic, entities in merged.items()],
        joined(TOPICS, responses),
        metrics=METRICS,
    )
    found = sameas.score(
        *([document(n, c) for n, c in zip(NAMES, side, strict=True)] for side in (keys, responses)),
        metrics=METRICS,
        scope="topic",
        duplicates="merge",
    )
    for name in METRICS:
        assert found[name].value == pytest.approx(wanted[name].value, abs=1e-12), name


def test_refused_repeated_mentions_in_a_wider_scope() -> None:
    again = {"document": "a_1", "mention": "2–2", "first": "x", "second": "y"}
    with raises_problems("repeated-mention", **again):
        sameas.score(REPEATED, REPEATED, scope="corpus", duplicates="error")
    apart = [document("a_1", {"x": [0]}), document("a_2", {"y": [0]})]  # not the same mention
    result = sameas.score(apart, apart, scope="corpus", duplicates="error")
    assert result["mention"].counts == (2, 2, 2, 2)


# --- zeros ----------------------------------------------------------------------------------------


def test_zeros_have_antecedents_in_other_documents() -> None:
    def zero(name: str) -> Document:
        return Document(name, [Entity("x", (Mention(zeros=((0, 1),)),))])

    key = [document("a_1", {"x": [0]}, head=False), zero("a_2"), zero("b_1")]
    assert sameas.score(key, key, metrics=["zero"])["zero"].counts == (0, 0, 0, 0)
    topics = sameas.score(key, key, metrics=["zero"], scope="topic")
    assert [part["zero"].counts for part in topics.documents] == [(1, 1, 1, 1), (0, 0, 0, 0)]
    corpus = sameas.score(key, key, metrics=["zero"], scope="corpus")
    assert corpus["zero"].counts == (2, 2, 2, 2)


# --- errors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("compat", ["conll-8.01", "corefud-1.2"])
def test_other_scorers_support_only_documents(compat: str) -> None:
    key = [document("a_1", {"x": [0, 1]})]
    with raises("scorer-matches", how=compat):
        sameas.score(key, key, scope="corpus", compat=compat)


def test_unknown_scopes_get_a_suggestion() -> None:
    with raises("unknown", what="scope", value="topics", near="topic"):
        sameas.score([["a"]], [["a"]], scope="topics")
