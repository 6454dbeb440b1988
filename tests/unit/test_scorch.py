"""The JSON of scorch: clusters or graphs of identifiers, one document per file."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import sameas
from sameas.errors import InputError, Problem
from sameas.formats.scorch.read import read_scorch
from sameas.notes import Note
from saying import has, is_at


def graph(mentions: object, links: object, **more: object) -> bytes:
    return json.dumps({"type": "graph", "mentions": mentions, "links": links, **more}).encode()


def named(clusters: object, **more: object) -> bytes:
    return json.dumps({"type": "clusters", "clusters": clusters, **more}).encode()


def entities(data: bytes) -> list[tuple[str, tuple[object, ...]]]:
    (document,) = read_scorch(data).documents
    return [(entity.id, entity.mentions) for entity in document.entities]


def refusal(data: bytes) -> Problem:
    with pytest.raises(InputError) as caught:
        read_scorch(data, "f")
    (problem,) = caught.value.problems
    return problem


def test_clusters() -> None:
    assert entities(named({"e1": ["m1", "m2"], "e2": ["m3"]})) == [
        ("e1", ("m1", "m2")),
        ("e2", ("m3",)),
    ]


def test_mentions_may_be_numbers_and_lists() -> None:
    assert entities(named({"e": [1, 2.5, [3, 4], ["a", [1, "b"]]]})) == [
        ("e", (1, 2.5, (3, 4), ("a", (1, "b"))))
    ]


def test_empty_clusters_are_counted() -> None:
    corpus = read_scorch(named({"e1": [], "e2": ["m"], "e3": []}), "f")
    assert [entity.id for entity in corpus.documents[0].entities] == ["e2"]
    (problem,) = corpus.problems
    assert has(problem, "empty-clusters", count=2, document="document", severity="warning")


@pytest.mark.parametrize(
    ("mentions", "links", "expected"),
    [
        ("abc", [], [["a"], ["b"], ["c"]]),
        ("abc", ["ac"], [["a", "c"], ["b"]]),
        ("abcdef", ["fe", "ab", "ed", "bc"], [["a", "b", "c"], ["d", "e", "f"]]),
        ("abcd", ["ab", "ba", "aa", "ab", "cd", "ad"], [["a", "b", "c", "d"]]),
        ("", [], []),
    ],
)
def test_entities_of_a_graph_are_its_components(
    mentions: str, links: list[str], expected: list[list[str]]
) -> None:
    found = entities(graph(list(mentions), [list(link) for link in links]))
    assert sorted(sorted(group) for _, group in found) == expected  # type: ignore[type-var]


def test_a_long_chain_of_links_is_one_entity() -> None:
    links = [[number, number + 1] for number in range(20_000)]
    for order in (links, links[::-1]):
        (found,) = entities(graph(list(range(20_001)), order))
        assert len(found[1]) == 20_001


def test_a_mention_listed_twice_in_a_graph_is_reported() -> None:
    (problem,) = read_scorch(graph(["a", "a", "b"], []), "f").problems
    assert has(problem, "scorch-again", count=1, severity="warning")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"{}", ("scorch-type",)),
        (b'{"type": "tree"}', ("scorch-type",)),
        (b'{"type": ["clusters"]}', ("scorch-type",)),
        (b'{"type": "clusters"}', ("scorch-clusters",)),
        (named([["a"]]), ("scorch-clusters",)),
        (named({"e": "ab"}), ("scorch-clusters",)),
        (named({"e": [None]}), ("scorch-mention", "null")),
        (named({"e": [{"a": 1}]}), ("scorch-mention", '{"a": 1}')),
        (named({"e": [[1, None]]}), ("scorch-mention", "null")),
        (graph("ab", []), ("scorch-lists",)),
        (graph(["a"], None), ("scorch-lists",)),
        (graph(["a"], ["aa"]), ("scorch-link", '"aa"')),
        (graph(["a"], [["a"]]), ("scorch-link", '["a"]')),
        (graph(["a"], [["a", "b"]]), ("scorch-unlisted", '"b"')),
        (graph(["a"], [["a", None]]), ("scorch-mention", "null")),
    ],
)
def test_errors(data: bytes, expected: tuple[str, ...]) -> None:
    assert is_at(refusal(data), 1, 1, *expected)


def test_errors_in_json_have_a_line() -> None:
    problem = refusal(b'{"type": "clusters",\n "clusters": {"a": ["x"\n}}')
    assert (problem.line, problem.column) == (3, 1)


@pytest.mark.parametrize("mention", [True, float("nan")])
def test_values_that_python_equates_are_not_confused(mention: object) -> None:
    # true is not 1, and NaN is not a mention that could ever match
    data = json.dumps({"type": "clusters", "clusters": {"e": [mention], "f": [1]}}).encode()
    try:
        corpus = read_scorch(data, "f")
    except InputError:
        return
    assert sameas.score(corpus, corpus)["mention"].counts == (2, 2, 2, 2)


# --- names and folders --------------------------------------------------------------------------


def test_the_name_in_the_file_is_used() -> None:
    document = read_scorch(named({}, name="n")).documents[0]
    assert (document.name, document.origin.unnamed) == ("n", False)
    document = read_scorch(named({}, name=7)).documents[0]
    assert (document.name, document.origin.unnamed) == ("document", True)


def test_single_files_are_paired_whatever_their_names(tmp_path: Path) -> None:
    (tmp_path / "k.json").write_bytes(named({"e": ["a", "b"]}))
    (tmp_path / "r.json.gz").write_bytes(gzip.compress(graph(["a", "b"], [["a", "b"]])))
    result = sameas.score(tmp_path / "k.json", tmp_path / "r.json.gz")
    assert (result["muc"].counts, result.notes) == ((1, 1, 1, 1), [])


def test_documents_of_folders_are_named_by_their_files(tmp_path: Path) -> None:
    for side, ending in (("key", "v1.json"), ("response", "v1.json")):
        folder = tmp_path / side
        folder.mkdir()
        (folder / f"b.{ending}").write_bytes(named({"e": ["b1", "b2"]}))
        (folder / f"a.{ending}").write_bytes(graph(["a1", "a2"], [["a1", "a2"]]))
    (tmp_path / "response" / "c.json").write_bytes(named({"e": ["c"]}))
    result = sameas.score(tmp_path / "key", tmp_path / "response")
    assert [document.name for document in result.documents] == ["a.v1", "b.v1"]
    assert result["muc"].counts == (2, 2, 2, 2)
    assert list(result.notes) == [Note("extra", count=1, names=["c"])]


def test_problems_of_a_folder_name_the_file(tmp_path: Path) -> None:
    folder = tmp_path / "key"
    folder.mkdir()
    (folder / "a.json").write_bytes(named({"e": ["x", "y"]}))
    (folder / "b.json").write_bytes(named({"e": ["x", "y", "x"]}))
    with pytest.raises(InputError) as caught:
        sameas.score(folder, folder, duplicates="error")
    assert str(folder / "b.json") in str(caught.value)
