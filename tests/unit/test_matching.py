"""Pairing documents and matching mentions: every policy, and the counts in notes."""

from __future__ import annotations

import datetime
import fractions
import json
from collections.abc import Callable, Hashable, Sequence
from enum import Enum
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import sameas
from effort import examples
from sameas import Corpus, Document, Entity, Mention
from sameas.authorities import authority_of
from sameas.errors import InputError, UsageError
from sameas.matching.pairing import Pairing, pair_documents
from sameas.matching.sides import Side, raw_sides
from sameas.notes import Note
from sameas.settings import Settings, choices
from saying import has, problems_of, raises, raises_problems, told

Clusters = Sequence[Sequence[Hashable]]


def document(name: str, *clusters: Sequence[Hashable]) -> Document:
    return Document.from_clusters(name, clusters)


def paired(key: Clusters, response: Clusters) -> Pairing:
    return pair_documents(Corpus([document("a", *key)]), Corpus([document("a", *response)]))


def clusters_of(side: Side, raw: Side, read: Document) -> list[list[Hashable]]:
    """Return the clusters of a side, in order, with the original mentions."""
    names = dict(zip(raw.mention.tolist(), read.mentions, strict=True))
    found: dict[int, list[Hashable]] = {}
    for entity, mention in zip(side.entity.tolist(), side.mention.tolist(), strict=True):
        found.setdefault(entity, []).append(names[mention])
    assert sorted(found) == list(range(len(found)))
    return [found[entity] for entity in sorted(found)]


def matched(
    key: Clusters, response: Clusters, **policies: str
) -> tuple[list[list[Hashable]], list[list[Hashable]], list[Note]]:
    pairing, settings = paired(key, response), Settings.of(**policies)
    raw = raw_sides(pairing)
    found = authority_of(settings).match(pairing, settings)
    return (
        clusters_of(found.key, raw[0], pairing.key[0]),
        clusters_of(found.response, raw[1], pairing.response[0]),
        list(found.notes),
    )


# --- duplicates ---------------------------------------------------------------------------------

REPEATS = [["a", "b", "a"], ["b", "c"], ["d"], ["d"]]


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("first", [["a", "b"], ["c"], ["d"]]),
        ("last", [["a"], ["b", "c"], ["d"]]),
        ("merge", [["a", "b", "c"], ["d"]]),
    ],
)
def test_policies_for_duplicates(policy: str, expected: list[list[str]]) -> None:
    key, response, notes = matched(REPEATS, [["a"]], duplicates=policy)
    assert key == expected
    assert response == [["a"]]
    assert notes == [Note("repeated", "key", 3, how=policy)]
    assert matched([["a"]], REPEATS, duplicates=policy)[1:] == (
        expected,
        [Note("repeated", "response", 3, how=policy)],
    )


def test_one_repeated_mention() -> None:
    assert matched([["a", "a"]], [["b"], ["b"]])[2] == [
        Note("repeated", "key", 1, how="first"),
        Note("repeated", "response", 1, how="first"),
    ]


def test_duplicates_can_be_refused_with_their_places() -> None:
    data = b"#begin document (d);\nx (1\nx 1)|(2)\nx (2)|(3)|(2)\n#end document\n"
    response = b"#begin document (d);\nx (1)\n#end document\n"
    from sameas.formats.conll.read import read_conll

    with pytest.raises(InputError) as caught:
        sameas.score(read_conll(data, "k"), read_conll(response, "r"), duplicates="error")
    again = {"document": "d", "mention": "2–2 “x”", "first": "2"}
    one, other = caught.value.problems
    assert has(one, "repeated-mention", path="k", line=4, column=3, how="in-one", **again)
    assert has(other, "repeated-mention", line=4, column=3, how="in-two", second="3", **again)
    with raises_problems("repeated-mention", path="the response", mention="'b'", second="1"):
        sameas.score([["a"]], [["b"], ["a", "b"]], duplicates="error")


def python_policy(clusters: Clusters, policy: str) -> list[set[Hashable]]:
    """Apply the policies in plain Python."""
    groups = [set(cluster) for cluster in clusters]
    if policy == "merge":
        done: list[set[Hashable]] = []
        for group in groups:
            joined = [other for other in done if other & group]
            done = [other for other in done if not other & group]
            done.append(group.union(*joined))
        return done
    seen: set[Hashable] = set()
    kept = []
    for group in groups if policy == "first" else groups[::-1]:
        kept.append(group - seen)
        seen |= group
    return [group for group in (kept if policy == "first" else kept[::-1]) if group]


CLUSTERS = st.lists(st.lists(st.integers(0, 8), min_size=1, max_size=5), max_size=5)


@settings(max_examples=examples(120), deadline=None)
@given(CLUSTERS, CLUSTERS, st.sampled_from(["first", "last", "merge"]), st.booleans())
@example([[0, 1], [2, 3], [1, 2], [4]], [], "merge", True)
def test_policies_match_plain_python(
    key: Clusters, response: Clusters, policy: str, drop: bool
) -> None:
    *sides, notes = matched(key, response, duplicates=policy, singletons="drop" if drop else "keep")
    noted = []
    for given_clusters, found, name in zip(
        (key, response), sides, ("key", "response"), strict=True
    ):
        expected = python_policy(given_clusters, policy)
        alone = [group for group in expected if len(group) == 1]
        repeated = sum(map(len, given_clusters)) - len({m for c in given_clusters for m in c})
        if repeated:
            noted.append(Note("repeated", name, repeated, how=policy))
        if drop and alone:
            noted.append(Note("singletons", name, len(alone)))
            expected = [group for group in expected if len(group) > 1]
        assert sorted(map(sorted, found)) == sorted(map(sorted, expected))  # type: ignore[type-var]
    assert notes == noted


# --- singletons ---------------------------------------------------------------------------------


def test_singletons_are_dropped_on_both_sides() -> None:
    key, response, notes = matched(
        [["a", "b"], ["c"], ["d"]], [["a"], ["c", "d"], ["b"], ["e"]], singletons="drop"
    )
    assert (key, response) == ([["a", "b"]], [["c", "d"]])
    assert notes == [Note("singletons", "key", 2), Note("singletons", "response", 3)]


def test_a_mention_alone_after_removing_duplicates_is_a_singleton() -> None:
    key, _, notes = matched([["a", "b"], ["b", "c"]], [], singletons="drop")
    assert key == [["a", "b"]]
    assert notes == [Note("repeated", "key", 1, how="first"), Note("singletons", "key", 1)]


@pytest.mark.parametrize(
    ("key", "response"),
    [
        ([["x", "y"], ["z"]], [["x", "y"], ["x"], ["z"]]),
        ([["x", "y"], ["x"], ["z"]], [["x", "y"], ["z"]]),
        ([["x", "y"], ["z"]], [["q"], ["x", "y"], ["q"]]),
    ],
)
def test_singletons_are_dropped_with_repeated_mentions_in_compat_too(
    key: Clusters, response: Clusters
) -> None:
    result = sameas.score(key, response, compat="conll-8.01", singletons="drop")
    for metric in ("mention", "b3", "ceafm", "lea"):
        assert result[metric].counts == (2, 2, 2, 2), metric
    assert result["ceafe"].counts == (1, 1, 1, 1)


def test_compat_does_not_claim_a_policy_that_it_does_not_follow() -> None:
    key = [document("a", ["x", "y"], ["x", "z"])]
    result = sameas.score(key, [document("a", ["x", "y"], ["z"])], compat="conll-8.01")
    assert result["b3"].counts is not None
    assert result["b3"].counts[1] == 4  # both occurrences stay in the key
    assert result.notes == [Note("repeated", "key", 1, how="conll-8.01")]


@pytest.mark.parametrize("blanc", choices(Settings)["blanc"])
def test_every_authority_goes_with_every_version_of_blanc(blanc: str) -> None:
    found = [authority_of(Settings.of(compat=c, blanc=blanc)) for c in choices(Settings)["compat"]]
    assert len(set(map(type, found))) == len(found)
    assert len({authority.scoring("blanc") for authority in found}) == 1


# --- documents ----------------------------------------------------------------------------------

A, B, C = (document(name, ["x", "y"]) for name in "abc")


def test_missing_documents_are_scored_against_nothing() -> None:
    result = sameas.score([A, B, C], [B])
    assert result["mention"].counts == (2, 6, 2, 2)
    assert [d["mention"].counts for d in result.documents] == [
        (0, 2, 0, 0),
        (2, 2, 2, 2),
        (0, 2, 0, 0),
    ]
    assert result.notes == [Note("missing", count=2, names=["a", "c"], how="empty")]


def test_missing_documents_are_skipped() -> None:
    result = sameas.score([A, B], [B, C], missing_documents="skip")
    assert [d.name for d in result.documents] == ["b"]
    assert result["mention"].counts == (2, 2, 2, 2)
    assert result.notes == [
        Note("extra", count=1, names=["c"]),
        Note("missing", count=1, names=["a"], how="skip"),
    ]


def test_missing_documents_are_refused() -> None:
    key, response = Corpus([A, B], "k"), Corpus([B, C], "r")
    found = problems_of(sameas.score, key, response, missing_documents="error")
    assert told(found) == [
        ("k", "document-absent", "a", "r", "error"),
        ("r", "document-absent", "c", "k", "error"),
    ]
    assert sameas.score(key, Corpus([B, A], "r"), missing_documents="error").notes == []


def test_many_names_are_truncated() -> None:
    result = sameas.score([document(str(n), ["x"]) for n in range(5)], [document("0", ["x"])])
    assert result.notes == [Note("missing", count=4, names=["1", "2", "3"], how="empty")]


@pytest.mark.parametrize("policy", ["empty", "skip"])
def test_a_response_with_none_of_the_documents_is_refused(policy: str) -> None:
    with raises_problems("nothing-shared", path="r", key="k", ours=["a", "b"], theirs=["c"]):
        sameas.score(Corpus([A, B], "k"), Corpus([C], "r"), missing_documents=policy)


def test_documents_of_different_lengths_are_noted() -> None:
    from sameas.formats.jsonlines.read import read_jsonlines

    def corpus(words: int) -> Corpus:
        sentence = ", ".join(['"x"'] * words)
        return read_jsonlines(
            f'{{"doc_key": "a", "sentences": [[{sentence}]], "clusters": [[[0, 0]]]}}'.encode()
        )

    assert sameas.score(corpus(2), corpus(3)).notes == [
        Note("length", count=1, names=["a: 2 and 3 tokens"])
    ]
    assert sameas.score(corpus(2), corpus(2)).notes == []
    assert sameas.score(corpus(2), document("a", [(0, 0)])).notes == []


def test_documents_of_one_name_are_paired_in_order() -> None:
    key = [document("a", ["1", "2"]), document("b", ["x"]), document("a", ["3", "4"])]
    response = [document("a", ["1", "2"]), document("a", ["3", "4"]), document("b", ["x"])]
    result = sameas.score(key, response)
    assert result["muc"].counts == (2, 2, 2, 2)
    assert [d.name for d in result.documents] == ["a", "b", "a (2)"]
    assert result.notes == [
        Note("again", "key", 1, how="in-order"),
        Note("again", "response", 1, how="in-order"),
    ]
    for problem in result.problems:
        assert has(problem, "document-again", severity="warning", how="in-order", document="a")
    assert [problem.place for problem in result.problems] == ["", ""]


def test_compat_uses_the_last_document_of_each_name() -> None:
    key = [document("a", ["1", "2"]), document("a", ["3", "4", "5"])]
    response = [document("a", ["3", "4", "5"]), document("a", ["1", "3"])]
    result = sameas.score(key, response, compat="conll-8.01")
    assert result["mention"].counts == (1, 3, 1, 2)
    assert result.notes == [
        Note("again", "key", 1, how="last"),
        Note("again", "response", 1, how="last"),
    ]


def test_a_name_that_looks_like_a_second_one_keeps_its_own_document() -> None:
    first, named, second = (
        document("a", ["1", "2"]),
        document("a (2)", ["3", "4"]),
        document("a", ["5", "6"]),
    )
    for key in ([first, named, second], [first, second, named], [named, first, second]):
        for response in ([first, named, second], [first, second, named], [named, first, second]):
            result = sameas.score(key, response)
            assert len(result) == 3
            assert result["muc"].counts == (3, 3, 3, 3)


def test_a_name_that_is_more_frequent_on_one_side() -> None:
    result = sameas.score([A, A, B], [A, B])
    assert result["mention"].counts == (4, 6, 4, 4)
    assert result.notes == [
        Note("again", "key", 1, how="in-order"),
        Note("missing", count=1, names=["a (2)"], how="empty"),
    ]


def test_thousands_of_documents_of_one_name() -> None:
    documents = [document("", [number, number + 1]) for number in range(3000)]
    assert sameas.score(documents, documents, metrics=["muc"])["muc"].counts == (3000,) * 4


def test_one_document_without_a_name_belongs_to_the_only_other_one() -> None:
    assert sameas.score([["x", "y"]], [["x", "y"]])["muc"].counts == (1, 1, 1, 1)
    assert sameas.score(A, [["x", "y"]])["muc"].counts == (1, 1, 1, 1)
    assert sameas.score([["x", "y"]], [A])["muc"].counts == (1, 1, 1, 1)
    with pytest.raises(InputError):
        sameas.score([A, B], [["x", "y"]])
    with pytest.raises(InputError):
        sameas.score(A, B)


def test_no_documents_and_no_mentions() -> None:
    result = sameas.score([], [])
    assert result["blanc"].f1 == 1
    assert result["mention"].counts == (0, 0, 0, 0)
    assert sameas.score([document("a")], [document("a", ["x"])])["mention"].counts == (0, 0, 0, 1)


# --- mentions -----------------------------------------------------------------------------------


class Colour(Enum):
    RED = 1


@pytest.mark.parametrize(
    "mention",
    [
        "x",
        "",
        0,
        -1,
        2**80,
        1.5,
        None,
        True,
        b"x",
        (),
        (1,),
        (0, 0),
        (3, 1, 0),
        (-1, "b"),
        (1, 2, 3),
        (2**41, 2**41),
        ("a", 1),
        ((0, 1), (3, 4)),
        frozenset({1, 2}),
        fractions.Fraction(1, 3),
        datetime.date(2014, 6, 22),
        Colour.RED,
        Mention.at(3, 5),
        Mention(((0, 1), (3, 4))),
        Mention(zeros=((2, 1),)),
        Mention(((2, 2),), ((3, 1),)),
        range(3),
    ],
    ids=repr,
)
def test_mentions_may_be_anything_hashable(mention: Hashable) -> None:
    result = sameas.score([[mention, "other"], ["else"]], [["else", mention]], metrics=["mention"])
    assert result["mention"].counts == (2, 3, 2, 2)
    alone = sameas.score([[mention]], [[mention, (7, 9)]], metrics=["mention"])
    assert alone["mention"].counts == (1, 1, 1, 2)


def test_equal_mentions_of_different_types() -> None:
    key = [[(3, 5), (0, 1)]]
    for mention in ([3, 5], Mention.at(3, 5), Mention.at(3, 5), np.array([3, 5]).tolist()):
        assert sameas.score(key, [[mention]])["mention"].counts == (1, 2, 1, 1)
    spans = [(np.int64(3), np.int32(5)), (np.uint8(0), np.int16(1))]
    assert sameas.score(key, [spans])["mention"].counts == (2, 2, 2, 2)
    entities = [Entity("e", (Mention.at(3, 5), (0, 1)))]
    assert sameas.score(key, Document("a", entities))["mention"].counts == (2, 2, 2, 2)
    assert sameas.score([["x", (3, 5)]], key)["mention"].counts == (1, 2, 1, 2)


def test_a_zero_is_not_the_word_at_its_place_and_pieces_are_not_their_hull() -> None:
    key = [[Mention.at(0, 4), Mention(((0, 1), (3, 4))), Mention(zeros=((2, 1),))]]
    for mention in (Mention.at(2, 2), Mention.at(0, 1), Mention(((0, 4),), ((2, 1),))):
        assert sameas.score(key, [[mention]])["mention"].counts == (0, 3, 0, 1)
    assert sameas.score(key, key)["mention"].counts == (3, 3, 3, 3)


@pytest.mark.parametrize(
    ("clusters", "code", "values"),
    [
        ([[{}]], "unhashable-mention", {"where": "the key", "number": 0, "value": {}}),
        ([["a"], [[{1}]]], "unhashable-mention", {"number": 1, "value": ({1},)}),
        (["ab"], "cluster-not-list", {"where": "the key", "number": 0, "value": "ab"}),
        ([3], "cluster-not-list", {"where": "the key", "number": 0, "value": 3}),
        (3, "not-an-input", {"side": "key", "kind": "int"}),
        ({1: ["b"]}, "mapping-not-columns", {"role": "key"}),
        (None, "not-an-input", {"side": "key", "kind": "NoneType"}),
        (b"x", "not-an-input", {"side": "key", "kind": "bytes"}),
    ],
)
def test_invalid_clusters_are_refused(
    clusters: object, code: str, values: dict[str, object]
) -> None:
    with raises(code, **values):
        sameas.score(clusters, [["a"]])  # type: ignore[arg-type]


def test_spans_of_different_documents_do_not_match() -> None:
    key = [document("a", [(0, 5), (1, 1)]), document("b", [(0, 5)])]
    response = [document("a", [(0, 5)]), document("b", [(1, 1), (6, 6)])]
    assert sameas.score(key, response)["mention"].counts == (1, 3, 1, 3)


SPANS = st.tuples(st.integers(0, 4), st.integers(0, 3)).map(lambda pair: (pair[0], sum(pair)))
ANY = SPANS | st.sampled_from(["x", 1, (0, 1), (2, 1, 0), None])


@settings(max_examples=examples(150), deadline=None)
@given(
    st.lists(
        st.tuples(
            st.lists(st.lists(ANY, min_size=1, max_size=3), max_size=3),
            st.lists(st.lists(SPANS, min_size=1, max_size=3), max_size=3),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_mentions_match_within_their_document_only(pairs: list[tuple[Clusters, Clusters]]) -> None:
    key = [document(str(n), *clusters) for n, (clusters, _) in enumerate(pairs)]
    response = [document(str(n), *clusters) for n, (_, clusters) in enumerate(pairs)]
    result = sameas.score(key, response, metrics=["mention"])
    for found, (ours, theirs) in zip(result.documents, pairs, strict=True):
        one, other = ({m for cluster in side for m in cluster} for side in (ours, theirs))
        shared = len(one & other)
        assert found["mention"].counts == (shared, len(one), shared, len(other))


def test_very_long_spans_are_distinguished() -> None:
    long = 2**40 - 1
    documents = [document(str(n), [(0, long), (long, long), (0, 0)]) for n in range(5)]
    other = [document(str(n), [(1, long), (long, long)]) for n in range(5)]
    assert sameas.score(documents, other)["mention"].counts == (5, 15, 5, 10)


def test_empty_clusters_are_skipped_and_counted() -> None:
    result = sameas.score([[], ["a", "b"]], [["a", "b"], [], ["c"]], metrics="all")
    plain = sameas.score([["a", "b"]], [["a", "b"], ["c"]], metrics="all")
    assert result == plain
    assert all(has(p, "empty-clusters", document="document", count=1) for p in result.problems)
    assert [problem.path for problem in result.problems] == ["the key", "the response"]
    assert plain.remarks == []
    assert len(result.remarks) == 1


DUPLICATES = {
    "doc_key": "a_0",
    "sentences": [["p", "q", "r", "s", "t"]],
    "clusters": [[[2, 2], [3, 3]], [[0, 0], [3, 3], [4, 4]]],
}


@pytest.mark.parametrize("policy", ["first", "last", "merge"])
def test_formats_agree_on_repeated_mentions(policy: str) -> None:
    from sameas.formats.conll.read import read_conll
    from sameas.formats.jsonlines.read import read_jsonlines

    lines = read_jsonlines(json.dumps(DUPLICATES).encode())
    conll = read_conll(sameas.write(lines, "conll").encode())
    key = sameas.Document.from_clusters("a_0", [[(2, 2), (3, 3)], [(0, 0), (4, 4)]])
    scored = [sameas.score(key, response, duplicates=policy) for response in (lines, conll)]
    assert scored[0]["b3"] == scored[1]["b3"]
    # “s” stays with p and t, whose entity begins first, or with r, or joins all four.
    assert (
        scored[0]["muc"].counts
        == {
            "first": (1, 2, 1, 2),
            "last": (2, 2, 2, 2),
            "merge": (2, 2, 2, 3),
        }[policy]
    )


@given(st.lists(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2)), min_size=1, max_size=4),
                max_size=4))  # fmt: skip
def test_formats_agree_on_any_clusters(clusters: list[list[tuple[int, int]]]) -> None:
    from sameas.formats.conll.read import read_conll
    from sameas.formats.jsonlines.read import read_jsonlines

    spans = [[(start, start + length) for start, length in cluster] for cluster in clusters]
    record = {"doc_key": "a_0", "sentences": [["w"] * 8], "clusters": spans}
    lines = read_jsonlines(json.dumps(record).encode())
    try:
        text = sameas.write(lines, "conll")
    except InputError:
        return  # mentions of one entity that cross
    key = sameas.Document.from_clusters("a_0", [[(n, n), (n, n + 1)] for n in range(6)])
    for policy in ("first", "last", "merge"):
        one, other = (
            sameas.score(key, response, duplicates=policy, metrics="all")
            for response in (lines, read_conll(text.encode()))
        )
        for metric in one:
            assert one[metric].value == pytest.approx(other[metric].value, abs=1e-12)


def test_documents_read_before_are_not_read_again_as_the_reference_scorer_does(
    tmp_path: Path,
) -> None:
    path = tmp_path / "f.conll"
    path.write_text("#begin document (a);\na 0 0 (7) -\na 0 1 y (1)\n#end document\n")
    by_path = sameas.score(path, path, compat="conll-8.01")
    before = sameas.score(sameas.read(path), sameas.read(path), compat="conll-8.01")
    assert by_path["mention"].counts == (2, 2, 2, 2)
    assert (by_path.notes, len(before.notes)) == ([], 1)
    assert before["mention"].counts == (1, 1, 1, 1)
    again = sameas.score(path, path, signature=by_path.signature)
    assert again == by_path
    with raises("signature-decides"):
        sameas.score(path, path, signature=by_path.signature, blanc="gold")


def test_no_documents_on_one_side() -> None:
    documents = [sameas.Document.from_clusters("a", [["x", "y"]])]
    with raises_problems("no-documents", path="response"):
        sameas.score(documents, [])
    assert sameas.score([], documents).notes == [
        Note("no-key"),
        Note("extra", count=1, names=["a"]),
    ]


@pytest.mark.parametrize(
    "call",
    [
        lambda: sameas.score([["a"]], [["a"]], metrics=5),  # type: ignore[arg-type]
        lambda: sameas.score([["a"]], [["a"]], metrics=[5]),  # type: ignore[list-item]
        lambda: sameas.score([["a"]], [["a"]], format="bogus"),
        lambda: sameas.score([["a"]], [["a"]])[3],  # type: ignore[index]
        lambda: sameas.read(None),  # type: ignore[arg-type]
        lambda: sameas.read(b"k.conll"),  # type: ignore[arg-type]
        lambda: sameas.read("k.conll", role="system"),
        lambda: sameas.read("#begin document (a);\n"),
        lambda: sameas.write([], None),  # type: ignore[arg-type]
        lambda: sameas.Document("a", [["x"]]),  # type: ignore[list-item]
        lambda: sameas.Document("a", [sameas.Entity("0", ({"x": 1},))]),  # type: ignore[arg-type]
        lambda: sameas.settings.Signature.parse(None),  # type: ignore[arg-type]
    ],
)
def test_mistakes_raise_our_own_errors(call: Callable[[], object]) -> None:
    with pytest.raises(UsageError):
        call()


def test_entities_take_lists_and_generators() -> None:
    document = sameas.Document("a", [sameas.Entity("0", (n for n in ([0, 1], [2, 2])))])  # type: ignore[arg-type]
    assert document.mentions == [(0, 1), (2, 2)]


def test_hidden_files_of_a_folder_are_not_its_documents(tmp_path: Path) -> None:
    text = "#begin document (a);\nx (1)\n#end document\n"
    for name in ("a.conll", ".b.conll", ".hidden/c.conll", "sub/d.conll"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text.replace("(a)", f"({path.stem})"))
    assert [document.name for document in sameas.read(tmp_path).documents] == ["a", "d"]
    (tmp_path / "e.conll").write_text(text)
    with raises_problems("in-two-files", document="a", other=str(tmp_path / "a.conll")):
        sameas.read(tmp_path)
