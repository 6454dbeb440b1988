"""The jsonlines of neural systems: reading, and errors."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import sameas
from sameas.formats.jsonlines.read import read_jsonlines
from sameas.formats.reading import sniff
from saying import codes, problems_of, raises_problems, told


def line(**changes: object) -> bytes:
    """Return a document of three words with changed keys; the value "-" removes a key."""
    record: dict[str, object] = {
        "doc_key": "a",
        "sentences": [["Ann", "ran"], ["Yes"]],
        "clusters": [[[0, 0], [0, 1]], [[2, 2]]],
    }
    record |= changes
    return json.dumps({key: value for key, value in record.items() if value != "-"}).encode()


def clusters(document: sameas.Document) -> list[list[object]]:
    return [
        [mention.spans[0] for mention in entity.mentions]  # type: ignore[attr-defined]
        for entity in document.entities
    ]


def refusal(data: bytes) -> list[tuple[object, ...]]:
    return told(problems_of(read_jsonlines, data, "f"))


def test_a_document() -> None:
    corpus = read_jsonlines(line(speakers=[["A", "A"], ["B"]], genre="bn"))
    (document,) = corpus.documents
    assert (document.name, document.sentences) == ("a", (("Ann", "ran"), ("Yes",)))
    assert clusters(document) == [[(0, 0), (0, 1)], [(2, 2)]]
    assert list(document.entity_ids) == ["0", "1"]
    assert document.meta == {"speakers": [["A", "A"], ["B"]], "genre": "bn"}
    assert document.text.rows() is None
    assert (corpus.format, corpus.problems) == ("jsonlines", [])


def test_several_documents_blank_lines_and_no_final_newline() -> None:
    data = line() + b"\r\n\n  \n" + line(doc_key="b", clusters=[]) + b"\n" + line(doc_key="")
    corpus = read_jsonlines(data, "f")
    assert [document.name for document in corpus.documents] == ["a", "b", ""]
    assert [document.text.place(0) for document in corpus.documents] == [(1, 1), (4, 1), (5, 1)]
    assert [document.origin.line for document in corpus.documents] == [1, 4, 5]


def test_repeated_mentions_and_crossing_ones_are_kept() -> None:
    given = [[[0, 1], [0, 1], [1, 2]], [[0, 1]]]
    document = read_jsonlines(line(clusters=given)).documents[0]
    assert clusters(document) == [[tuple(span) for span in cluster] for cluster in given]


def test_empty_clusters_are_counted() -> None:
    corpus = read_jsonlines(line(clusters=[[], [[0, 0]], [], [[1, 1]]]), "f")
    assert clusters(corpus.documents[0]) == [[(0, 0)], [(1, 1)]]
    assert told(corpus.problems) == [("f:1:1", "json-empty-clusters", "a", 2)]


# --- predicted clusters -------------------------------------------------------------------------

BOTH = line(predicted_clusters=[[[1, 1]]])
SCORED = ("f:1:1", "predicted-scored")


def test_a_response_is_read_from_its_predicted_clusters() -> None:
    corpus = read_jsonlines(BOTH, "f", role="response")
    assert clusters(corpus.documents[0]) == [[(1, 1)]]
    assert told(corpus.problems) == [SCORED]


def test_a_key_is_read_from_its_clusters() -> None:
    corpus = read_jsonlines(BOTH, "f", role="key")
    assert clusters(corpus.documents[0]) == [[(0, 0), (0, 1)], [(2, 2)]]
    assert corpus.problems == []
    assert refusal(BOTH) == [("f:1:1", "both-clusters")]


def test_a_duplicate_key_is_refused() -> None:
    data = b'{"doc_key": "a", "sentences": [["x"]], "clusters": [[[0, 0]]], "clusters": []}'
    assert refusal(data) == [("f:1:1", "json-twice", "clusters")]


def test_predicted_clusters_alone_need_no_warning() -> None:
    data = line(clusters="-", predicted_clusters=[[[1, 1]]])
    corpus = read_jsonlines(data, "f", role="response")
    assert clusters(corpus.documents[0]) == [[(1, 1)]]
    assert corpus.problems == []
    assert clusters(read_jsonlines(data, "f").documents[0]) == [[(1, 1)]]
    with raises_problems("clusters-type", document="a", field="clusters"):
        read_jsonlines(data, "f", role="key")


def test_the_warning_is_given_once_and_together_with_others() -> None:
    twice = read_jsonlines(
        BOTH + b"\n" + line(doc_key="b", predicted_clusters=[]), "f", role="response"
    )
    assert told(twice.problems) == [SCORED]
    behind = read_jsonlines(
        line(doc_key="b", clusters="-", predicted_clusters=[[]]) + b"\n" + BOTH,
        "f",
        role="response",
    )
    assert codes(behind.problems) == ["predicted-scored", "json-empty-clusters"]


def test_a_document_without_predictions_is_not_silently_scored_by_its_gold() -> None:
    data = BOTH + b"\n" + line(doc_key="b")
    with raises_problems("no-predicted", line=2, document="b", field="predicted_clusters"):
        read_jsonlines(data, "f", role="response")


# --- errors -------------------------------------------------------------------------------------

PROPERTY = "Expecting property name enclosed in double quotes"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", ("f:1:1", "json-empty")),
        (b" \n\n", ("f:1:1", "json-empty")),
        (line() + b"\n{\n", ("f:2:2", "json-broken", PROPERTY)),
        (b'{"doc_key": "a",, }', ("f:1:17", "json-broken", PROPERTY)),
        (line() + line(), (f"f:1:{len(line()) + 1}", "json-broken", "Extra data")),
        (b'{"doc_key": "a', ("f:1:13", "json-broken", "Unterminated string")),
        (b'{"doc_key": "a\tb"}', ("f:1:15", "json-broken", "Invalid control character")),
        (b"[1]", ("f:1:1", "json-kind", "list")),
        (b'"x"', ("f:1:1", "json-kind", "str")),
        (b"7", ("f:1:1", "json-kind", "int")),
        (b"7.5", ("f:1:1", "json-kind", "float")),
        (b"true", ("f:1:1", "json-kind", "bool")),
        (b"null", ("f:1:1", "json-kind", "NoneType")),
        (line(doc_key="-"), ("f:1:1", "doc-key", "missing")),
        (line(doc_key=7), ("f:1:1", "doc-key", "type")),
        (line(sentences="-"), ("f:1:1", "sentences-type", "a")),
        (line(sentences=["x"]), ("f:1:1", "sentences-type", "a")),
        (line(sentences=[[1]]), ("f:1:1", "sentences-type", "a")),
        (line(clusters="-"), ("f:1:1", "clusters-type", "a", "clusters")),
        (line(clusters={}), ("f:1:1", "clusters-type", "a", "clusters")),
        (line(clusters=[1]), ("f:1:1", "clusters-type", "a", "clusters")),
        (line(zeros=[3]), ("f:1:1", "zeros-range", "a", 3)),
        (line(zeros=[2]), ("f:1:1", "zeros-alone", "a")),
        (line(sentences=[], clusters=[], heads="x"), ("f:1:1", "json-misfit", "a", "heads")),
    ],
)
def test_errors_have_positions(data: bytes, expected: tuple[object, ...]) -> None:
    assert refusal(data) == [expected]


@pytest.mark.parametrize(
    "mention",
    [
        [1, 0],
        [-1, 0],
        [0, 3],
        [3, 3],
        [0],
        [0, 0, 0],
        0,
        "0 0",
        [0.0, 0],
        [True, 1],
        ["0", "0"],
        None,
        {},
        [2**70, 2**70],
    ],
)
def test_a_mention_is_two_positions_in_the_document(mention: object) -> None:
    assert refusal(line(clusters=[[[0, 0]], [mention]])) == [
        ("f:1:1", "cluster-span", "a", 1, json.dumps(mention), 3)
    ]


def test_bytes_that_are_not_utf8_are_reported() -> None:
    for data, place in (
        (b'{"doc_key": "\xff"}', "f:1:14"),
        (line() + '\n{"ü": "'.encode() + b'\xfc"}', "f:2:8"),
    ):
        (problem,) = problems_of(read_jsonlines, data, "f")
        assert problem.place == place


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("pieces", [[0, 0, [[0, 9]]]]),
        ("entity_ids", ["a"]),
        ("entity_types", "x"),
        ("heads", [[0, 2], [2]]),
        ("heads", [[0]]),
        ("kinds", [["name", 1], [""]]),
        ("minima", [[[0], [2]], [[2]]]),
        ("split_antecedents", []),
        ("bridging", [["a"]]),
    ],
)
def test_a_key_with_an_invalid_value_is_named(key: str, value: object) -> None:
    good = {"zeros": [], "heads": [[0, 0], [2]], "minima": [[[0], [0]], [[2]]]}
    clusters = [[[0, 0], [0, 1]], [[2, 2]]]
    read_jsonlines(line(clusters=clusters, **good))
    assert refusal(line(clusters=clusters, **{**good, key: value})) == [
        ("f:1:1", "json-misfit", "a", key)
    ]


def test_every_invalid_line_is_reported() -> None:
    data = b"\n".join([line(doc_key=1), line(), b"[]", line(clusters=[[[9, 9]]])])
    assert [place for place, *_ in refusal(data)] == ["f:1:1", "f:3:1", "f:4:1"]


@pytest.mark.parametrize("depth", [100_000])
def test_deep_nesting_is_refused(depth: int) -> None:
    assert [code for _, code, *_ in refusal(b"[" * depth)] == ["json-broken"]


def test_numbers_that_are_too_long_are_refused() -> None:
    with raises_problems("json-broken", path="f", line=1, column=1):
        read_jsonlines(b'{"doc_key": ' + b"1" * 5000 + b"}", "f")


# --- keys that only look like ours --------------------------------------------------------------


@pytest.mark.parametrize("value", [True, 5, [1], "x", {}])
def test_other_keys_do_not_affect_the_scorer(value: object) -> None:
    odd = dict.fromkeys(("header", "problems", "unnamed", "discarded", "line", "origin"), value)
    key, response = read_jsonlines(line(**odd)), read_jsonlines(line(**odd, doc_key="b"))
    with raises_problems("nothing-shared", key="the key"):
        sameas.score(key, response)
    assert sameas.score(key, key)["muc"].counts == (1, 1, 1, 1)
    written = sameas.write(key.documents, "conll")
    assert written.startswith("#begin document (a);\n")
    assert json.loads(sameas.write(key.documents, "jsonlines"))["problems"] == value


# --- files --------------------------------------------------------------------------------------


def test_files_folders_and_gzip(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "b.jsonl").write_bytes(line(doc_key="b"))
    (tmp_path / "one" / "a.jsonl.gz").write_bytes(gzip.compress(line(doc_key="a")))
    (tmp_path / "one" / ".hidden").write_bytes(b"not read")
    corpus = sameas.read(tmp_path / "one")
    assert [document.name for document in corpus.documents] == ["a", "b"]
    assert (corpus.path, corpus.format) == (str(tmp_path / "one"), "jsonlines")


def test_truncated_gzip(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(line() * 20)[:-9])
    with raises_problems("gzip-broken", path=str(path), line=1, column=1, how="cut"):
        sameas.read(path)
    path.write_bytes(gzip.compress(line()) + gzip.compress(b"\n" + line(doc_key="b")) + b"\0\0")
    assert [document.name for document in sameas.read(path).documents] == ["a", "b"]
    path.write_bytes(gzip.compress(line()) + b"garbage")
    with raises_problems("gzip-broken"):
        sameas.read(path)


@pytest.mark.parametrize(
    ("data", "format"),
    [
        (line(), "jsonlines"),
        (b"\n  " + line(), "jsonlines"),
        (b'{"sentences": [["type"]], "type": "x"}', "jsonlines"),
        (b'{"clusters": [], "doc_key": "a"}\n{"type": 1}', "jsonlines"),
        (b'{"type": "clusters"}', "scorch"),
        (b'{\n "mentions": [],\n "links" : []}', "scorch"),
        (b"{}", "jsonlines"),
        (b"", "conll"),
        (b"[{}]", "conll"),
        (b"#begin document {", "conll"),
        (b"#Begin document (a);\n# text = x\nx\t(0)\n", "conll"),
    ],
)
def test_the_format_is_detected_from_the_content(data: bytes, format: str) -> None:
    assert sniff(data) == format


def test_key_and_response_may_differ_in_format(tmp_path: Path) -> None:
    key, response = tmp_path / "k", tmp_path / "r"
    key.write_bytes(b"#begin document (a);\nAnn (1|(1)\nran 1)\n\nYes (2)\n#end document\n")
    response.write_bytes(line())
    result = sameas.score(key, response)
    assert (result["blanc"].f1, result.notes) == (1, [])
