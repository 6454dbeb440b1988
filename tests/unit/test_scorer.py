"""The scorer for training loops: what it accepts and refuses, and that results do not change."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import sameas
from engines.tables import METRICS, assert_same
from sameas.errors import UsageError
from sameas.notes import Note
from sameas.run import online as module
from sameas.run.online import Scorer
from saying import has, raises, raises_problems

KEY = [["a", "b", "c"], ["d", "e"]]
RESPONSE = [["a", "b"], ["c", "d", "e"]]


class Tensor:
    """Hashable by identity and of an unknown type, like tensors."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def tolist(self) -> Any:
        return self.value


def scored(key: Any, response: Any, **settings: Any) -> sameas.Result:
    scorer = Scorer(**settings)
    scorer.update(key, response)
    return scorer.compute()


# --- accepted input --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "response"),
    [
        (KEY, RESPONSE),
        ([[(0, 1), (3, 3)]], [[[0, 1]], [[3, 3]]]),
        ([{"a", "b"}], (frozenset("ab"),)),
        ({frozenset("ab"), frozenset("c")}, [["a", "b", "c"]]),
        (np.array([[0, 1], [2, 3]]), [[0, 1, 2, 3]]),
        (np.array([[[0, 1], [2, 3]]]), [[(0, 1), (2, 3)]]),
        ([[np.array([0, 1]), np.array([2, 2])]], [[(0, 1), (2, 2)]]),
        ([[np.int8(1), np.uint64(2), 3]], [[1, 2, np.int64(3)]]),
        ([[np.str_("a"), "b"]], [["a", "b"]]),
        ([[Tensor([0, 1]), Tensor([2, 2])]], [[(0, 1), (2, 2)]]),
        ([[(Tensor(0), Tensor(1)), (2, 2)]], [[(0, 1), (2, 2)]]),
        ([[True, False]], [[1, 0]]),
        ([[1.0, 2.0]], [[1, 2]]),
        ([[None, "a", (0, 1), 5]], [[None, "a"], [(0, 1), 5]]),
        ([[((0, 1), (3, 4)), ()]], [[((0, 1), (3, 4))]]),
        ([[(0, 2**70), (0, 1)]], [[(0, 2**70)]]),
        ([[("b", "a"), ("a", "b")]], [[("b", "a")]]),
        ([[("x", 1), ("x", 0)]], [[("x", 1)]]),
        ([[-3, -1]], [[-3]]),
        ([[(3, 1, 0), (-1, -1, -1)]], [[(3, 1, 0)]]),
        ([["é", "e\u0301", "", " "]], [["é", ""], ["e\u0301", " "]]),
        ([[], ["a", "b"], []], [[], ["a"], ["b"]]),
        ([["a", "a", "b"], ["b", "c"]], [["a", "b"], ["c", "c"]]),
        ([["a", "b"]], []),
        ([], [["a", "b"]]),
        ([], []),
        ([["a", "b"]], [["c", "d"]]),
        ([["a"], ["b"]], [["a", "b"]]),
    ],
)
@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_clusters_of_all_kinds(key: Any, response: Any, singletons: str) -> None:
    how = {"metrics": METRICS, "singletons": singletons}
    assert_same(scored(key, response, **how), sameas.score(key, response, **how))


def test_generators_are_read_once() -> None:
    def clusters() -> Iterator[Iterator[str]]:
        return (iter(cluster) for cluster in KEY)

    wanted = sameas.score(KEY, RESPONSE)
    assert_same(scored(clusters(), RESPONSE), wanted)
    assert_same(scored(list(clusters()), RESPONSE), wanted)
    swapped = sameas.score(RESPONSE, KEY)
    assert_same(scored(RESPONSE, clusters()), swapped)
    assert_same(scored(RESPONSE, list(clusters()), singletons="drop"),
                sameas.score(RESPONSE, KEY, singletons="drop"))  # fmt: skip


@pytest.mark.parametrize("singletons", ["keep", "drop"])
@pytest.mark.parametrize("duplicates", ["first", "last", "merge"])
@pytest.mark.parametrize(
    "key",
    [
        [["a"], ["a", "b"], ["c", "d"]],
        [["a", "b"], ["a"], ["c", "d"]],
        [["a"], ["a"], ["c", "d"]],
        [["a", "a"], ["c", "d"]],
    ],
    ids=repr,
)
def test_repeated_mentions_count_before_singletons(
    key: Any, duplicates: str, singletons: str
) -> None:
    response = [["a", "b", "c"], ["d"]]
    how = {"duplicates": duplicates, "singletons": singletons, "metrics": METRICS}
    assert_same(scored(key, response, **how), sameas.score(key, response, **how))
    assert_same(scored(response, key, **how), sameas.score(response, key, **how))


def test_documents_have_their_own_names() -> None:
    key, response = (sameas.Document.from_clusters("nw/1", side) for side in (KEY, RESPONSE))
    wanted = sameas.score(key, response)
    for sides in ((key, response), (key, RESPONSE), (KEY, response)):
        scorer = Scorer()
        scorer.update(*sides)
        assert_same(scorer.compute(), wanted)
        with raises("scorer-again", document="nw/1"):
            scorer.update(*sides)
    scorer = Scorer()
    scorer.update(key, response, document="other")
    assert list(scorer.compute().statistics.documents) == ["other"]


def test_documents_of_one_name_can_be_renamed() -> None:
    scorer = Scorer()
    for name in ("a", "b"):
        scorer.update(sameas.Document.from_clusters("x", [["p", "p"]]), [["p"]], document=name)
    result = scorer.compute()
    assert list(result.statistics.documents) == ["a", "b"]
    assert result.problems == []
    assert result.notes == [Note("repeated", "key", 2, how="first")]


def test_files_of_the_example_corpus() -> None:
    from sameas.examples import example_path

    paths = [str(example_path(name)) for name in ("key.conll", "eager.conll")]
    key, response = map(sameas.read, paths)
    for how in ({}, {"preset": "conll12"}, {"singletons": "drop"}, {"average": "macro"}):
        scorer = Scorer(**how)
        for one, other in zip(key.documents, response.documents, strict=True):
            scorer.update(one, other)
        wanted = sameas.score(key.documents, response.documents, **how)
        found = scorer.compute()
        for name in wanted.metrics:
            assert found[name] == wanted[name]
        assert found.signature == wanted.signature


# --- refused input ---------------------------------------------------------------------------


BAD: dict[str, tuple[Any, Any, str]] = {
    "a text for a cluster": (["abc"], KEY, "cluster-not-list"),
    "a text for a cluster of the response": (KEY, ["abc", "de"], "cluster-not-list"),
    "a single letter": (["a"], KEY, "cluster-not-list"),
    "bytes for a cluster": ([b"abc"], KEY, "cluster-not-list"),
    "mentions for clusters": ([1, 2], KEY, "cluster-not-list"),
    "a text for clusters": (
        "abc",
        KEY,
        "scorer-clusters",
    ),
    "nothing": (None, KEY, "clusters-not-lists"),
    "no cluster": ([None], KEY, "cluster-not-list"),
    "one good cluster, one bad": ([["a"], 5], KEY, "cluster-not-list"),
    "a set as a mention": ([[{"a"}]], KEY, "unhashable-mention"),
    "a dictionary as a mention": (KEY, [[{}]], "unhashable-mention"),
    "entities by mention": ({(0, 1): 1, (2, 3): 1}, [[(0, 1)]], "scorer-clusters"),
    "entities by name": (KEY, {"a": 1, "b": 1}, "scorer-clusters"),
    "a number": (5, KEY, "clusters-not-lists"),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_mistakes_leave_the_scorer_unchanged(name: str, singletons: str) -> None:
    key, response, code = BAD[name]
    scorer = Scorer(singletons=singletons)
    scorer.update(KEY, [*RESPONSE, ["x"]], document="good")
    before = copy.deepcopy(scorer).compute()
    with raises(code):
        scorer.update(key, response, document="bad")
    assert len(scorer) == 1
    assert_same(scorer.compute(), before)
    scorer.update(KEY, RESPONSE, document="bad")  # the name is still free
    assert len(scorer.compute().documents) == 2


@pytest.mark.parametrize("span", [(-1, -1), (5, 1), (-3, 2), (3, -1), np.array([5, 1])], ids=str)
@pytest.mark.parametrize("others", [[(0, 1)], ["a"], [None], []], ids=str)
def test_spans_that_no_text_has_are_refused(span: Any, others: list[Any]) -> None:
    wrong, right = [[*others, span]], [[(0, 1), (4, 4)]]
    for sides, role in (((wrong, right), "key"), ((right, wrong), "response")):
        with raises("impossible-span", cluster="0", where=f"the {role}"):
            sameas.score(*sides)
        for how in ({}, {"singletons": "drop"}, {"average": "macro"}):
            with raises("impossible-span", cluster="0", where=f"document x: the {role}"):
                Scorer(**how).update(*sides, document="x")
    with raises("impossible-span"):
        sameas.Document("a", [sameas.Entity("0", (sameas.Mention((tuple(map(int, span)),)),))])


def test_named_padding_is_skipped() -> None:
    key = np.array([[[0, 1], [4, 4], [-1, -1]], [[-1, -1]] * 3])
    response = [[(0, 1), [4, 4]], [np.array([-1, -1])], []]
    scorer = Scorer(ignore_index=-1)
    scorer.update(key, response)
    wanted = sameas.score([[(0, 1), (4, 4)]], [[(0, 1), (4, 4)], []])
    assert_same(scorer.compute(), wanted)
    scorer.update(np.array([[0, 1, -1], [2, -1, -1]]), [[0, 1], [2]])
    assert scorer.compute()["b3"].f1 == 1
    with raises("impossible-span", first=-2, last=-2):
        scorer.update([[(-2, -2)]], [])
    with raises("cluster-not-list", value=5):
        scorer.update([5], [])
    with raises("ignore-index"):
        Scorer(ignore_index=0)


def test_repeated_mentions_are_refused_immediately() -> None:
    scorer = Scorer(duplicates="error")
    scorer.update(KEY, RESPONSE, document="x")
    with raises_problems(
        "repeated-mention", document="y", mention="'a'", first="0", second="0", path="the key"
    ):
        scorer.update([["a", "a"]], [["a"]], document="y")
    wanted = sameas.score(KEY, RESPONSE, duplicates="error")
    for _ in range(2):
        found = scorer.compute()
        assert list(found.statistics.documents) == ["x"]
        assert found["conll"] == wanted["conll"]


def test_other_units_are_refused_immediately() -> None:
    entity = sameas.Entity("0", ((0, 1), (4, 5)))
    characters = sameas.Document("y", [entity], unit="character")
    scorer = Scorer()
    scorer.update(KEY, RESPONSE, document="x")
    with raises_problems("other-units", document="y", theirs="character", path="the response"):
        scorer.update([[(0, 1), (4, 5)]], characters, document="y")
    assert len(scorer) == 1
    assert list(scorer.compute().statistics.documents) == ["x"]


@pytest.mark.parametrize("how", [{"match": "head"}, {"preset": "crac24"}])
def test_what_needs_heads_is_refused(how: dict[str, str]) -> None:
    scorer = Scorer(**how)
    with raises("match-needs", how="head"):
        scorer.update([[(0, 1), (3, 3)]], [[(0, 1)]])
        scorer.compute()


def test_settings_are_checked() -> None:
    with raises("unknown", what="metric", value="mucc", near="muc"):
        Scorer(metrics=["mucc"])
    with raises("unknown", what="singletons", value="droop"):
        Scorer(singletons="droop")


# --- state -----------------------------------------------------------------------------------


def test_lists_may_change_afterwards() -> None:
    for key in (copy.deepcopy(KEY), [*copy.deepcopy(KEY), ["a"]], [["x", (0, 1)], ["y"]]):
        response = copy.deepcopy(key)
        wanted = sameas.score(copy.deepcopy(key), copy.deepcopy(key))
        scorer = Scorer()
        scorer.update(key, response)
        key[0].clear()
        response[0].append("z")
        response.append(["q"])
        assert_same(scorer.compute(), wanted)


def test_a_result_does_not_change_afterwards() -> None:
    scorer = Scorer()
    scorer.update(KEY, RESPONSE)
    first = scorer.compute()
    numbers, notes = first["conll"], list(first.notes)
    scorer.update([["a", "b"]], [])
    second = scorer.compute()
    assert (first["conll"], list(first.notes), len(first.documents)) == (numbers, notes, 1)
    assert (len(second.documents), second.notes != first.notes) == (2, True)
    assert_same(scorer.compute(), second)


def test_nothing_scored() -> None:
    scorer = Scorer()
    result = scorer.compute()
    assert (len(result.documents), list(result.notes)) == (0, [Note("no-document")])
    scorer.update(KEY, RESPONSE)
    assert_same(scorer.compute(), sameas.score(KEY, RESPONSE))
    scorer.reset()
    assert len(scorer) == 0
    assert_same(scorer.compute(), result)
    scorer.update(KEY, RESPONSE)
    assert_same(scorer.compute(), sameas.score(KEY, RESPONSE))


def test_reset_forgets_notes() -> None:
    scorer = Scorer(singletons="drop")
    scorer.update([["a"], ["b", "b"]], [["c"]])
    assert scorer.compute().notes
    scorer.reset()
    scorer.update(KEY, RESPONSE)
    assert list(scorer.compute().notes) == []


def test_generated_names_are_unused() -> None:
    scorer = Scorer()
    scorer.update(KEY, KEY)
    scorer.update(KEY, KEY, document="document (3)")
    scorer.update(KEY, KEY)
    scorer.update(KEY, KEY, document="x")
    scorer.update(KEY, KEY)
    names = list(scorer.compute().statistics.documents)
    assert len(set(names)) == len(names) == len(scorer) == 5
    assert names[:2] == ["document", "document (3)"]
    for name in names:
        with raises("scorer-again"):
            scorer.update(KEY, KEY, document=name)
    assert len(scorer) == 5


def test_names_that_are_numbers() -> None:
    scorer = Scorer()
    scorer.update(KEY, KEY, document=7)  # type: ignore[arg-type]
    with raises("scorer-again", document="7"):
        scorer.update(KEY, KEY, document="7")


def test_merging() -> None:
    one, two, three = Scorer(), Scorer(), Scorer()
    one.update(KEY, RESPONSE)
    one.update(KEY, KEY, document="x")
    two.update(RESPONSE, KEY)
    two.update([["p", "p"]], [])
    before = copy.deepcopy(two).compute()
    assert one.merge(two) is one
    assert one.merge(three) is one
    assert len(one) == 4
    assert len(set(one.compute().statistics.documents)) == 4
    assert_same(two.compute(), before)  # the other is unchanged
    two.update(KEY, RESPONSE)
    assert len(one) == 4
    one.update(KEY, RESPONSE)
    assert len(one.compute().documents) == 5
    assert len(three.merge(one)) == 5


def test_incompatible_scorers_are_not_merged() -> None:
    one, two = Scorer(), Scorer()
    for scorer in (one, two):
        scorer.update(KEY, RESPONSE)
        scorer.update(KEY, RESPONSE, document="x")
    with raises("merge-document", document="x"):
        one.merge(two)
    assert len(one) == 2
    with raises("merge-itself"):
        one.merge(one)
    with raises("merge-settings"):
        one.merge(Scorer(singletons="drop"))
    with raises("merge-settings"):
        one.merge(Scorer(metrics=["muc"]))
    with raises("merge-kind", kind="int"):
        one.merge(5)  # type: ignore[arg-type]
    assert_same(one.compute(), two.compute())


def test_notes_equal_those_of_the_whole() -> None:
    sides: dict[str, tuple[Any, Any]] = {
        "a": ([["a", "b"]], []),
        "b": ([["c", "c", "d"]], []),
        "c": ([["c", "c", "d"]], [["x"]]),
        "d": ([[None, "d"]], [["y"]]),
        "e": (KEY, RESPONSE),
    }
    for names in ("abcde", "abcd", "cd", "d", "ae", "be"):
        scorer = Scorer()
        for name in names:
            scorer.update(*sides[name], document=name)
        wanted = sameas.score(
            *[
                [sameas.Document.from_clusters(name, sides[name][side]) for name in names]
                for side in (0, 1)
            ]
        )
        assert_same(scorer.compute(), wanted)


# --- memory ----------------------------------------------------------------------------------


def shuffled(mentions: int, entities: int, seed: int) -> list[list[int]]:
    generator = random.Random(seed)
    clusters: list[list[int]] = [[] for _ in range(entities)]
    for mention in range(mentions):
        clusters[generator.randrange(entities)].append(mention)
    return [cluster for cluster in clusters if cluster]


@pytest.mark.long
@pytest.mark.parametrize(
    "odd", [lambda key: key, lambda key: [*key, [0]]], ids=["plain", "repeated"]
)
def test_counted_mentions_are_not_stored(
    odd: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_ENOUGH", 1000)
    key, response = odd(shuffled(2000, 300, 1)), shuffled(2000, 300, 2)
    scorer = Scorer()
    sizes = []
    for _ in range(2):
        for _ in range(20):
            scorer.update(key, response)
        scorer.compute()
        sizes.append(len(pickle.dumps(scorer)))
    assert sizes[1] - sizes[0] < 20 * 1000  # bytes; the mentions alone would be 20 × 4000 × 2


def test_too_deeply_nested_lists_are_refused() -> None:
    clusters = [[(0, 1), (4, 4)], [(6, 6)]]
    for update in (
        lambda: Scorer().update([clusters], [clusters]),
        lambda: sameas.score([clusters], [clusters]),
    ):
        with raises("lists-in-cluster"):
            update()
    parts = [[((0, 1), (4, 4))], [((6, 6),)]]  # mentions of several parts are tuples
    assert sameas.score(parts, parts)["b3"].f1 == 1


# --- messages --------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [None, 3, [None], [[{1}]], [[float("nan")]]], ids=str)
@pytest.mark.parametrize(("document", "shown"), [("nw/2", "document nw/2"), (None, "document (2)")])
def test_errors_name_document_and_side(wrong: Any, document: str | None, shown: str) -> None:
    scorer = Scorer()
    scorer.update(KEY, RESPONSE)
    for sides, role in (((wrong, KEY), "key"), ((KEY, wrong), "response")):
        with pytest.raises(UsageError) as caught:
            scorer.update(*sides, document=document)
        assert caught.value.where == f"{shown}: the {role}"
    assert len(scorer) == 1


def test_warnings_name_document_and_side() -> None:
    scorer = Scorer()
    scorer.update(KEY, [*RESPONSE, []], document="nw/2")
    (problem,) = scorer.compute().problems
    assert has(problem, "empty-clusters", path="the response", document="nw/2", count=1)
    (problem,) = sameas.score([*KEY, []], RESPONSE).problems
    assert has(problem, "empty-clusters", path="the key", severity="warning")


def test_nan_is_not_a_mention() -> None:
    mentions = np.array([float("nan"), 1.0])
    with raises("nan-in-cluster", number=0, where="the key"):
        sameas.score([mentions], [mentions])


def test_metrics_in_any_collection() -> None:
    assert Scorer(metrics=(name for name in ("muc", "b3"))).metrics == ("muc", "b3")
    assert Scorer(metrics={"lea", "b3", "muc"}).metrics == ("muc", "b3", "lea")
    with raises("unknown", what="metric", value="mucc", near="muc"):
        Scorer(metrics={"mucc", "b3"})


def test_merging_refuses_a_name_given_twice() -> None:
    one, other = Scorer(), Scorer()
    for scorer in (one, other):
        scorer.update(KEY, RESPONSE, document="document")
    with raises("merge-document", document="document"):
        one.merge(other)


def test_notes_of_a_sum_describe_the_sum() -> None:
    apart, alike = sameas.score([["a", "b"]], [["c"]]), sameas.score(KEY, KEY)
    assert apart.notes == [Note("apart")]
    for result in (apart + alike, alike + apart, alike + Scorer().compute()):
        assert result.notes == []
    assert (apart + apart).notes == apart.notes
    dropped = sameas.score([["a", "b"], ["c"]], [["a", "b"]], singletons="drop")
    assert (dropped + dropped).notes == [Note("singletons", "key", 2)]


# --- names of documents that read like notes -------------------------------------------------

NAMES = [
    "repeated_news_01",
    str(Note("singletons", "key", 2)),
    str(Note("repeated", "response", 1, how="first")),
    str(Note("extra", count=1, names=["x"])).partition("(")[2],
    str(Note("missing", count=1, names=["y (z"], how="empty")).partition("(")[2],
    str(Note("silent", count=1)).partition("are")[2],
    str(Note("apart")),
    "line\nbreak: (response)",
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("how", [{}, {"compat": "corefud-1.2"}, {"singletons": "drop"}], ids=str)
def test_names_of_documents_are_not_read_as_notes(name: str, how: dict[str, str]) -> None:
    clusters: list[list[tuple[int, int]]] = [[(0, 0), (2, 3)], [(5, 5), (7, 7)]]
    scorer = Scorer(**how)
    scorer.update(clusters, [], name)
    scorer.update(clusters, clusters, "x")
    documents = [sameas.Document.from_clusters(one, clusters) for one in (name, "x")]
    silent = [sameas.Document.from_clusters(name, []), documents[1]]
    wanted = sameas.score(documents, silent, **how)
    assert wanted.notes == [Note("silent", count=1, names=[name])]
    assert scorer.compute().notes == wanted.notes
    assert (sameas.score(documents[:1], silent[:1], **how) + sameas.score(
        documents[1:], silent[1:], **how)).notes == wanted.notes  # fmt: skip


def scored_documents(names: str, there: str, **how: str) -> sameas.Result:
    """Score documents named by letters; the response has those in `there`."""
    key = [sameas.Document.from_clusters(name, [["a", "b"]]) for name in names]
    return sameas.score(key, [document for document in key if document.name in there], **how)


def test_notes_of_one_kind_are_added() -> None:
    one, two, none = (
        scored_documents("abc", "a"),
        scored_documents("defgh", "fh"),
        scored_documents("ij", "ij"),
    )
    assert (one + none).notes == one.notes
    assert (none + one).notes == one.notes
    assert one.notes == [Note("missing", count=2, names="bc", how="empty")]
    assert (one + two).notes == [Note("missing", count=5, names="bcd", how="empty")]
    three = scored_documents("xy", "y")
    assert (one + three).notes == [Note("missing", count=3, names="bcx", how="empty")]
    assert sum([one, two, three]).notes[0].count == 6
    assert pickle.loads(pickle.dumps(one + two)).notes == (one + two).notes
    assert (pickle.loads(pickle.dumps(one)) + copy.deepcopy(two)).notes == (one + two).notes


def test_notes_of_labels_are_added() -> None:
    from sameas.integrations.sklearn import score_labels

    results = [score_labels([0, 0, 1], labels, absent=-1) for labels in ([0, 0, -1], [0, -1, -1])]
    assert (results[0] + results[1]).notes == [Note("unlabelled", "response", 3, label=-1)]
