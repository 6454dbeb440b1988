"""The jsonlines of neural systems: what is read, and what is said of a wrong line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import sameas
from sameas.coref.read import sniff
from sameas.coref.read.jsonlines import read_jsonlines
from sameas.errors import InputError

HINT = (
    '\n  hint: a line looks like {"doc_key": "a_0", "sentences": [["Ann", "ran"]], '
    '"clusters": [[[0, 0]]]}'
)


def line(**changes: object) -> bytes:
    """One document of three words; None takes a key away."""
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


def refusal(data: bytes, role: str | None = None) -> str:
    with pytest.raises(InputError) as caught:
        read_jsonlines(data, "f", role=role)
    return str(caught.value)


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
    assert [str(problem) for problem in corpus.problems] == [
        "f:1:1: warning: document a: 2 empty cluster(s) passed over"
    ]


# --- predicted clusters -------------------------------------------------------------------------

BOTH = line(predicted_clusters=[[[1, 1]]])
SCORED = "f:1:1: warning: `predicted_clusters` are scored, not `clusters`"


def test_a_response_gives_its_predicted_clusters() -> None:
    corpus = read_jsonlines(BOTH, "f", role="response")
    assert clusters(corpus.documents[0]) == [[(1, 1)]]
    assert [str(problem) for problem in corpus.problems] == [SCORED]


def test_a_key_gives_its_clusters() -> None:
    corpus = read_jsonlines(BOTH, "f", role="key")
    assert clusters(corpus.documents[0]) == [[(0, 0), (0, 1)], [(2, 2)]]
    assert corpus.problems == []
    assert refusal(BOTH) == (
        "f:1:1: the file has both `clusters` and `predicted_clusters`\n"
        "  hint: say which are meant: --role key or --role response"
    )


def test_a_key_that_comes_twice_is_refused() -> None:
    data = b'{"doc_key": "a", "sentences": [["x"]], "clusters": [[[0, 0]]], "clusters": []}'
    assert refusal(data) == "f:1:1: not JSON: the key 'clusters' comes twice" + HINT


def test_predicted_clusters_alone_need_no_warning() -> None:
    data = line(clusters="-", predicted_clusters=[[[1, 1]]])
    corpus = read_jsonlines(data, "f", role="response")
    assert clusters(corpus.documents[0]) == [[(1, 1)]]
    assert corpus.problems == []
    assert clusters(read_jsonlines(data, "f").documents[0]) == [[(1, 1)]]
    with pytest.raises(InputError, match="document a: `clusters` is not a list of clusters"):
        read_jsonlines(data, "f", role="key")


def test_the_warning_comes_once_and_is_not_lost_behind_another() -> None:
    twice = read_jsonlines(
        BOTH + b"\n" + line(doc_key="b", predicted_clusters=[]), "f", role="response"
    )
    assert [str(problem) for problem in twice.problems] == [SCORED]
    behind = read_jsonlines(
        line(doc_key="b", clusters="-", predicted_clusters=[[]]) + b"\n" + BOTH,
        "f",
        role="response",
    )
    assert [problem.message for problem in behind.problems] == [
        "`predicted_clusters` are scored, not `clusters`",
        "document b: 1 empty cluster(s) passed over",
    ]


def test_a_document_without_predictions_among_others_is_not_scored_by_its_gold_in_silence() -> None:
    data = BOTH + b"\n" + line(doc_key="b")
    with pytest.raises(InputError) as caught:
        read_jsonlines(data, "f", role="response")
    said = "f:2:1: document b: no `predicted_clusters`, and other documents have them"
    assert said in str(caught.value)


# --- errors -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "f:1:1: no documents: the file is empty"),
        (b" \n\n", "f:1:1: no documents: the file is empty"),
        (line() + b"\n{\n", "f:2:2: not JSON: Expecting property name enclosed in double quotes"),
        (
            b'{"doc_key": "a",, }',
            "f:1:17: not JSON: Expecting property name enclosed in double quotes",
        ),
        (line() + line(), f"f:1:{len(line()) + 1}: not JSON: Extra data"),
        (b'{"doc_key": "a', "f:1:13: not JSON: Unterminated string"),
        (b'{"doc_key": "a\tb"}', "f:1:15: not JSON: Invalid control character"),
        (b"[1]", "f:1:1: a JSON object is wanted here, not a list"),
        (b'"x"', "f:1:1: a JSON object is wanted here, not a string"),
        (b"7", "f:1:1: a JSON object is wanted here, not a number"),
        (b"7.5", "f:1:1: a JSON object is wanted here, not a number"),
        (b"true", "f:1:1: a JSON object is wanted here, not true or false"),
        (b"null", "f:1:1: a JSON object is wanted here, not null"),
        (line(doc_key="-"), "f:1:1: `doc_key` is missing"),
        (line(doc_key=7), "f:1:1: `doc_key` is not a string"),
        (line(sentences="-"), "f:1:1: document a: `sentences` is not a list of lists of words"),
        (line(sentences=["x"]), "f:1:1: document a: `sentences` is not a list of lists of words"),
        (line(sentences=[[1]]), "f:1:1: document a: `sentences` is not a list of lists of words"),
        (line(clusters="-"), "f:1:1: document a: `clusters` is not a list of clusters"),
        (line(clusters={}), "f:1:1: document a: `clusters` is not a list of clusters"),
        (line(clusters=[1]), "f:1:1: document a: `clusters` is not a list of clusters"),
    ],
)
def test_errors_say_where(data: bytes, expected: str) -> None:
    assert refusal(data) == expected + HINT


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
    assert refusal(line(clusters=[[[0, 0]], [mention]])) == (
        f"f:1:1: document a, cluster 1: {json.dumps(mention)} is not [first, last] within the "
        f"document's 3 tokens{HINT}"
    )


def test_bytes_that_are_not_utf8_are_named() -> None:
    hint = "\n  hint: convert the file, from Latin-1 for example: iconv -f ISO-8859-1 -t UTF-8"
    assert refusal(b'{"doc_key": "\xff"}') == f"f:1:14: byte 0xff is not UTF-8{hint}"
    assert refusal(line() + '\n{"ü": "'.encode() + b'\xfc"}') == (
        f"f:2:8: byte 0xfc is not UTF-8{hint}"
    )


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
def test_the_key_that_does_not_fit_is_named(key: str, value: object) -> None:
    good = {"zeros": [], "heads": [[0, 0], [2]], "minima": [[[0], [0]], [[2]]]}
    clusters = [[[0, 0], [0, 1]], [[2, 2]]]
    read_jsonlines(line(clusters=clusters, **good))
    assert refusal(line(clusters=clusters, **{**good, key: value})) == (
        f"f:1:1: document a: `{key}` does not fit its clusters{HINT}"
    )


def test_every_wrong_line_is_reported() -> None:
    data = b"\n".join([line(doc_key=1), line(), b"[]", line(clusters=[[[9, 9]]])])
    with pytest.raises(InputError) as caught:
        read_jsonlines(data, "f")
    assert [problem.place for problem in caught.value.problems] == ["f:1:1", "f:3:1", "f:4:1"]


@pytest.mark.parametrize("depth", [100_000])
def test_deep_nesting_is_refused(depth: int) -> None:
    assert refusal(b"[" * depth).startswith("f:1:")


def test_numbers_that_are_too_long_are_refused() -> None:
    assert refusal(b'{"doc_key": ' + b"1" * 5000 + b"}").startswith("f:1:1: not JSON: ")


# --- keys that only look like ours --------------------------------------------------------------


@pytest.mark.parametrize("value", [True, 5, [1], "x", {}])
def test_further_keys_mean_nothing_to_the_scorer(value: object) -> None:
    odd = dict.fromkeys(("header", "problems", "unnamed", "discarded", "line", "origin"), value)
    key, response = read_jsonlines(line(**odd)), read_jsonlines(line(**odd, doc_key="b"))
    with pytest.raises(InputError, match="none of its documents is in the key"):
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


def test_gzip_that_breaks_off(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(line() * 20)[:-9])
    with pytest.raises(InputError) as caught:
        sameas.read(path)
    assert str(caught.value) == (
        f"{path}:1:1: the gzip data break off\n  hint: copy the file again"
    )
    path.write_bytes(gzip.compress(line()) + gzip.compress(b"\n" + line(doc_key="b")) + b"\0\0")
    assert [document.name for document in sameas.read(path).documents] == ["a", "b"]
    path.write_bytes(gzip.compress(line()) + b"garbage")
    with pytest.raises(InputError, match="broken gzip data"):
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
def test_the_format_is_told_from_the_content(data: bytes, format: str) -> None:
    assert sniff(data) == format


def test_key_and_response_may_differ_in_format(tmp_path: Path) -> None:
    key, response = tmp_path / "k", tmp_path / "r"
    key.write_bytes(b"#begin document (a);\nAnn (1|(1)\nran 1)\n\nYes (2)\n#end document\n")
    response.write_bytes(line())
    result = sameas.score(key, response)
    assert (result["blanc"].f1, result.notes) == (1, [])
