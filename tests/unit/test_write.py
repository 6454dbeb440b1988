"""Round trips between CoNLL and jsonlines; what a format cannot hold is refused."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import sameas
from effort import examples
from sameas.documents.document import WrittenText
from sameas.errors import InputError
from sameas.formats.conll.read import read_conll
from sameas.formats.declarations import WRITTEN
from sameas.formats.jsonlines.read import read_jsonlines
from sameas.formats.writing import write
from saying import codes, problems_of, raises, told

Cluster = list[tuple[int, int]]


def view(document: sameas.Document) -> tuple[object, ...]:
    """Return name, sentences and the clusters as sets."""
    assert document.first is not None and document.last is not None
    members: dict[int, list[tuple[int, int]]] = {}
    for entity, first, last in zip(
        document.entity.tolist(), document.first.tolist(), document.last.tolist(), strict=True
    ):
        members.setdefault(entity, []).append((first, last))
    clusters = Counter(frozenset(Counter(spans).items()) for spans in members.values())
    return document.name, document.sentences, clusters


def views(documents: list[sameas.Document]) -> list[tuple[object, ...]]:
    return [view(document) for document in documents]


def from_jsonlines(*records: dict[str, object]) -> list[sameas.Document]:
    return list(read_jsonlines("\n".join(map(json.dumps, records)).encode()).documents)


def from_conll(text: str) -> list[sameas.Document]:
    return list(read_conll(text.encode()).documents)


def without_crossing(clusters: list[Cluster]) -> list[Cluster]:
    kept: list[Cluster] = []
    for cluster in clusters:
        chosen: Cluster = []
        for first, last in cluster:
            if all(
                last < start or end < first or (start <= first and last <= end)
                or (first <= start and end <= last)
                for start, end in chosen
            ):  # fmt: skip
                chosen.append((first, last))
        if chosen:
            kept.append(chosen)
    return kept


LETTERS = st.characters(exclude_categories=["Cs", "Cc", "Z"])
WORDS = st.text(LETTERS, min_size=1, max_size=5) | st.sampled_from(
    ["#", "-", "(1)", "#begin", "\\", '"', "|", "0)", "*", "_"]
)
NAMES = st.text(LETTERS, max_size=6) | st.sampled_from(
    ["a_0", "a_01", "bc/cctv/00/cctv_0000_3", "(a); part 001", "a); part 001", "", "two words", "_"]
)


@st.composite
def records(draw: st.DrawFn) -> dict[str, object]:
    """Draw a document of a jsonlines file that CoNLL can hold."""
    sentences = draw(st.lists(st.lists(WORDS, min_size=1, max_size=4), max_size=3))
    length = sum(map(len, sentences))
    record: dict[str, object] = {"doc_key": draw(NAMES), "sentences": sentences}
    clusters: list[Cluster] = []
    if length:
        spans = st.tuples(st.integers(0, length - 1), st.integers(0, 3)).map(
            lambda pair: (pair[0], min(sum(pair), length - 1))
        )
        clusters = draw(st.lists(st.lists(spans, max_size=4), max_size=4))
        if draw(st.booleans()):
            record["speakers"] = [[draw(WORDS) for _ in words] for words in sentences]
    record["clusters"] = without_crossing(clusters)
    return record


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(records(), min_size=1, max_size=3))
def test_round_trip_of_jsonlines_through_conll(given: list[dict[str, object]]) -> None:
    # Names that start with # have a separate test.
    assume(not any(str(record["doc_key"]).startswith("#") for record in given))
    before = from_jsonlines(*given)
    between = from_conll(write(before, "conll"))
    after = [json.loads(line) for line in write(between, "jsonlines").splitlines()]
    assert views(between) == views(before)
    assert views(from_jsonlines(*after)) == views(before)
    assert [record.get("speakers") for record in after] == [r.get("speakers") for r in given]


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(records(), min_size=1, max_size=3), st.sampled_from(["(a); part 0", "(a);", "b"]))
def test_round_trip_of_conll_through_jsonlines(given: list[dict[str, object]], header: str) -> None:
    assume(not any(str(record["doc_key"]).startswith("#") for record in given))
    text = write(from_jsonlines(*given), "conll") + f"#begin document {header}\n#end document\n"
    before = from_conll(text)
    between = list(read_jsonlines(write(before, "jsonlines").encode()).documents)
    after = from_conll(write(between, "conll"))
    assert views(between) == views(before)
    assert views(after) == views(before)
    assert write(after[:-1], "conll") == write(between[:-1], "conll")
    for one, other in zip(before, after, strict=True):
        assert [[row[9:] for row in s] for s in one.text.rows() or ()] == [
            [row[9:] for row in s] for s in other.text.rows() or ()
        ]


def test_conll_to_conll_keeps_columns_headers_and_ids() -> None:
    lines = [
        "#begin document (nw/x); part 00",
        "nw/x\t0\t0\tAnn\tNNP\t(e2|(7)",
        "nw/x\t0\t1\tran\t\te2)",
        "",
        "nw/x\t0\t0\tNew York\tx\t-",
        "",
        "#end document",
        "",
    ]
    text = "\n".join(lines)
    assert write(from_conll(text), "conll") == text


def test_conll_text() -> None:
    documents = from_jsonlines(
        {
            "doc_key": "bn/x_2",
            "sentences": [["Ann", "saw", "Bob"], ["Yes"]],
            "clusters": [[[0, 0], [0, 3]], [[0, 2], [2, 2]], [[2, 2]]],
            "speakers": [["A", "A", "A"], ["B"]],
        },
        {"doc_key": "", "sentences": [], "clusters": []},
    )
    assert write(documents, "conll").replace("\t", " ") == (
        "#begin document (bn/x); part 002\n"
        "bn/x 2 0 Ann - - - - - A * (0|(1|(0)\n"
        "bn/x 2 1 saw - - - - - A * -\n"
        "bn/x 2 2 Bob - - - - - A * (1)|(2)|1)\n"
        "\n"
        "bn/x 2 0 Yes - - - - - B * 0)\n"
        "\n"
        "#end document\n"
        "#begin document ();\n"
        "#end document\n"
    )


def test_jsonlines_text() -> None:
    text = "#begin document (a); part 0\nx é (1|(2)\nx . 1)\n\nx y (2)\n#end document\n"
    assert write(from_conll(text), "jsonlines") == (
        '{"header": "(a); part 0", "doc_key": "a_0", "sentences": [["é", "."], ["y"]], '
        '"clusters": [[[0, 0], [2, 2]], [[0, 1]]], "entity_ids": ["2", "1"]}\n'
    )


def test_other_keys_survive_jsonlines() -> None:
    record = {"doc_key": "a", "sentences": [["x"]], "clusters": [[[0, 0]]], "genre": "bn", "n": 1}
    assert json.loads(write(from_jsonlines(record), "jsonlines")) == record


# --- nothing is altered -------------------------------------------------------------------------


def test_ids_that_brackets_cannot_hold_do_not_join_entities() -> None:
    text = "#begin document (a);\nx (1)\ny (x-1)\nz (é)\n#end document\n"
    documents = from_conll(text)
    assert views(from_conll(write(documents, "conll"))) == views(documents)


def test_entities_with_the_same_id_are_not_joined() -> None:
    document = sameas.Document(
        "a",
        [sameas.Entity("e", ((0, 0),)), sameas.Entity("e", ((1, 1),))],
        text=WrittenText((("x", "y"),)),
    )
    assert views(from_conll(write([document], "conll"))) == [view(document)]


@pytest.mark.parametrize("name", ["#a", "#", "# a b", "#end document", "#begin document (b);"])
def test_a_name_that_starts_with_a_hash_is_refused_or_read_back(name: str) -> None:
    documents = from_jsonlines(
        {"doc_key": name, "sentences": [["x", "y"], ["z"]], "clusters": [[[0, 0], [1, 2]]]}
    )
    try:
        text = write(documents, "conll")
    except InputError as error:
        assert name in str(error)
        return
    assert views(from_conll(text)) == views(documents)


@pytest.mark.parametrize("sentences", [[["x"], [], ["y"]], [["x"], []], [[]]])
def test_empty_sentences_are_refused_or_read_back(sentences: list[list[str]]) -> None:
    documents = from_jsonlines({"doc_key": "a", "sentences": sentences, "clusters": []})
    try:
        text = write(documents, "conll")
    except InputError as error:
        assert codes(error.problems) == ["write-empty-sentence"]
        return
    assert views(from_conll(text)) == views(documents)


@pytest.mark.parametrize(
    "speakers",
    [
        [["Ann Lee", "Ann Lee"], ["B"]],
        [["A", ""], ["B"]],
        [["A", "A"]],
        "abc",
    ],
)
def test_speakers_are_refused_or_read_back(speakers: object) -> None:
    documents = from_jsonlines(
        {"doc_key": "a", "sentences": [["x", "y"], ["z"]], "clusters": [], "speakers": speakers}
    )
    try:
        text = write(documents, "conll")
    except InputError as error:
        assert codes(error.problems) == ["write-speakers"]
        return
    after = json.loads(write(from_conll(text), "jsonlines"))
    assert after.get("speakers") == speakers


def test_a_mention_past_the_last_word_is_refused() -> None:
    document = sameas.Document(
        "a", [sameas.Entity("e", ((0, 5),))], text=WrittenText((("x", "y"),))
    )
    for format in ("conll", "jsonlines"):
        with pytest.raises(InputError):
            write([document], format)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"clusters": [[[0, 1], [1, 2]]]}, ("write-crossing", "a", "0", 1, 2, "such-as")),
        (
            {"clusters": [[[0, 0]], [[0, 2], [1, 1], [2, 3]]]},
            ("write-crossing", "a", "1", 2, 3, "such-as"),
        ),
        ({"sentences": [["x y", "x", "x", "x"]]}, ("write-word", "a", "x y", "conll")),
        ({"sentences": [["x", "", "x", "x"]]}, ("write-word", "a", "", "conll")),
        ({"doc_key": "a\nb"}, ("write-name", "a\nb", "conll")),
    ],
)
def test_what_brackets_cannot_hold_is_refused(
    changes: dict[str, object], expected: tuple[object, ...]
) -> None:
    record = {"doc_key": "a", "sentences": [["x", "x", "x", "x"]], "clusters": []} | changes
    assert told(problems_of(write, from_jsonlines(record), "conll")) == [("", *expected)]


@pytest.mark.parametrize("format", ["conll", "jsonlines"])
@pytest.mark.parametrize(
    "clusters", [[["a", "b"]], [[(0, 1), "x"]], [[(0, 1)]], [[(1, 0, 2)]], [[((0, 1), (3, 4))]]]
)
def test_mentions_that_are_not_spans_of_tokens_are_refused(
    format: str, clusters: list[list[object]]
) -> None:
    document = sameas.Document.from_clusters("a", clusters)  # type: ignore[arg-type]
    (problem,) = problems_of(write, [document], format)
    assert problem.code in ("write-no-places", "write-no-text")


@pytest.mark.parametrize("format", ["scorch", "cnoll", ""])
def test_unknown_formats(format: str) -> None:
    with raises("unknown", what="output format", value=format, known=tuple(WRITTEN)):
        write([], format)


@example("\x85")
@example("a\rb")
@example("a\x1cb")
@example("\u3000")
@example("\0")
@settings(max_examples=examples(100), deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=4))
def test_any_word_and_any_name_is_refused_or_read_back(text: str) -> None:
    assume(not text.startswith("#"))
    for name, word in ((text, "x"), ("a", text)):
        documents = from_jsonlines(
            {"doc_key": name, "sentences": [[word, "y"]], "clusters": [[[0, 0], [1, 1]]]}
        )
        try:
            written = write(documents, "conll")
        except InputError:
            continue
        assert views(from_conll(written)) == views(documents)
