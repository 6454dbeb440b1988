"""Tables of mentions: what is read from files and frames, what is said of wrong rows, and back."""

from __future__ import annotations

import io
import random
import re
import string
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sameas
from sameas.documents.document import (
    INITIAL,
    KINDS,
    Annotation,
    Corpus,
    Document,
    Entity,
    Mention,
    WrittenText,
    node,
)
from sameas.errors import InputError, SameasError, how_to_install
from sameas.formats.declarations import TABLES
from sameas.formats.table.read import TableDocument, is_table, read_table, table_corpus
from sameas.formats.table.write import spelled, write_table
from sameas.notes import Note
from saying import problems_of, raises, raises_problems, says, told

IDS = {
    "document": ["a", "b", "a", "a"],
    "mention": ["m1", "m1", "m2", "m3"],
    "entity": ["x", "x", "y", "x"],
}
SPANS = {
    "document": ["a", "a", "b"],
    "start": [0, 4, 2],
    "end": [1, 4, 2],
    "entity": [7, 7, 8],
}
MANY = [*TABLES, "stream"]


def cells(columns: dict[str, list[Any]], delimiter: str = ",") -> str:
    rows = [list(columns), *zip(*columns.values(), strict=True)]
    return "".join(
        delimiter.join("" if cell is None else str(cell) for cell in row) + "\n" for row in rows
    )


def as_bytes(columns: dict[str, list[Any]], format: str) -> bytes:
    if format in ("csv", "tsv"):
        return cells(columns, "," if format == "csv" else "\t").encode()
    arrow = pytest.importorskip("pyarrow")
    table = arrow.table(columns)
    sink = arrow.BufferOutputStream()
    if format == "parquet":
        pytest.importorskip("pyarrow.parquet").write_table(table, sink)
    else:
        make = arrow.ipc.new_stream if format == "stream" else arrow.ipc.new_file
        with make(sink, table.schema) as writer:
            writer.write_table(table)
    return bytes(sink.getvalue().to_pybytes())


def read(columns: dict[str, list[Any]], format: str = "csv") -> Corpus:
    data = as_bytes(columns, format)
    return read_table(data, "f", format="arrow" if format == "stream" else format)


def csv(text: str, format: str = "csv") -> Corpus:
    return read_table(text.encode(), "f", format=format)


def refusal(source: Any) -> list[tuple[object, ...]]:
    """What is said of a frame, or of the text of a CSV file."""
    return told(problems_of(csv if isinstance(source, str) else table_corpus, source))


def warnings(corpus: Corpus) -> list[tuple[object, ...]]:
    assert all(problem.severity == "warning" for problem in corpus.problems)
    return told(corpus.problems)


def shape(document: Document) -> list[tuple[str, str | None, list[object]]]:
    return [(entity.id, entity.type, list(entity.mentions)) for entity in document.entities]


def shapes(corpus: Corpus) -> dict[str, Any]:
    return {document.name: shape(document) for document in corpus.documents}


# --- what is read -------------------------------------------------------------------------------


@pytest.mark.parametrize("format", MANY)
def test_identifiers(format: str) -> None:
    corpus = read(IDS, format)
    assert shapes(corpus) == {
        "a": [("x", None, ["m1", "m3"]), ("y", None, ["m2"])],
        "b": [("x", None, ["m1"])],
    }
    assert list(shapes(corpus)) == ["a", "b"]
    first = corpus.documents[0]
    assert first.first is None and first.mentions == ["m1", "m2", "m3"]
    assert (corpus.path, corpus.format) == ("f", "arrow" if format == "stream" else format)
    assert corpus.problems == [] and not first.origin.unnamed


@pytest.mark.parametrize("format", MANY)
def test_spans_include_the_end(format: str) -> None:
    corpus = read(SPANS, format)
    assert shapes(corpus) == {
        "a": [("7", None, [Mention.at(0, 1), Mention.at(4, 4)])],
        "b": [("8", None, [Mention.at(2, 2)])],
    }
    assert corpus.documents[0].first is not None and corpus.documents[0].first.dtype == np.int64


@pytest.mark.parametrize("format", MANY)
def test_everything_that_may_be_said(format: str) -> None:
    columns: dict[str, list[Any]] = {
        **SPANS,
        "type": ["person", None, "place"],
        "kind": ["Name", "PRON", None],
        "head": [1, 4, None],
        "topic": ["t1", None, None],
        "genre": ["news", "news", "story"],
        "split": ["dev", "dev", "dev"],
    }
    one, other = read(columns, format).documents
    assert dict(one.meta) == {"topic": "t1", "genre": "news", "split": "dev"}
    assert dict(other.meta) == {"genre": "story", "split": "dev"}
    assert one.annotation is not None and other.annotation is not None
    heads = one.annotation.heads()
    assert heads is not None and heads.tolist() == [node(1), node(4)]
    assert one.annotation.types() == ["person", ""]
    assert one.annotation.kinds() == ["name", "pronoun"]
    assert other.annotation.heads() is None and other.annotation.kinds() is None
    assert one.entities[0].type == "person"
    assert [m.head for m in one.entities[0].mentions] == [1, 4]  # type: ignore[attr-defined]


def test_types_of_identifiers() -> None:
    corpus = table_corpus({**IDS, "type": ["person", None, "", "thing"]})
    assert [entity.type for entity in corpus.documents[0].entities] == ["person", None]


@pytest.mark.parametrize("format", TABLES)
def test_numbers_are_the_same_as_text(format: str) -> None:
    columns = {"document": [1, 1, 2], "mention": [12, 7, 12], "entity": [3, 3, -4]}
    expected = {"1": [("3", None, ["12", "7"])], "2": [("-4", None, ["12"])]}
    assert shapes(read(columns, format)) == expected
    assert shapes(table_corpus(columns)) == expected
    as_text = {name: [str(cell) for cell in column] for name, column in columns.items()}
    assert shapes(read(as_text, format)) == expected


@pytest.mark.parametrize(
    "header",
    [
        "doc,mention_id,cluster",
        "Doc_ID,RECORD,Cluster_ID",
        "document_id,record id,Entity-ID",
        "DocKey,id,label",
        '" document ",mention , entity',
    ],
)
def test_names_of_columns(header: str) -> None:
    assert shapes(csv(f"{header}\na,m,e\n")) == {"a": [("e", None, ["m"])]}


def test_names_of_places() -> None:
    for header in ("begin,last", "First,LAST", "start,end"):
        (document,) = csv(f"doc,{header},entity\na,3,5,e\n").documents
        assert document.mentions == [(3, 5)]


def test_one_document_without_a_name() -> None:
    data = b"mention,entity\nm,e\n"
    for path, name in (("x/key.csv", "key"), ("<stdin>", "document"), ("", "document")):
        (document,) = read_table(data, path, format="csv").documents
        assert (document.name, document.origin.unnamed) == (name, True)
    (document,) = table_corpus({"mention": ["m"], "entity": ["e"]}, "response").documents
    assert (document.name, document.origin.unnamed) == ("document", True)
    key = read_table(data, "key.csv", format="csv")
    assert sameas.score(key, read_table(data, "r.csv", format="csv"))["b3"].f1 == 1


def test_rows_of_a_document_need_not_be_together() -> None:
    text = "document,mention,entity\nb,1,x\na,1,x\nb,2,y\na,2,y\nb,3,x\na,3,y\n"
    corpus = csv(text)
    assert shapes(corpus) == {
        "b": [("x", None, ["1", "3"]), ("y", None, ["2"])],
        "a": [("x", None, ["1"]), ("y", None, ["2", "3"])],
    }
    assert [document.name for document in corpus.documents] == ["b", "a"]
    assert [document.origin.line for document in corpus.documents] == [2, 3]
    assert [corpus.documents[1].place(m) for m in range(3)] == [(3, 1), (5, 1), (7, 1)]


def test_entities_come_in_order_of_first_appearance_in_each_document() -> None:
    text = "document,mention,entity\na,1,z\na,2,y\nb,1,y\nb,2,z\nb,3,x\n"
    assert [list(document.entity_ids) for document in csv(text).documents] == [
        ["z", "y"],
        ["y", "z", "x"],
    ]


def test_a_mention_that_comes_twice_is_left_to_the_scorer() -> None:
    corpus = csv("mention,entity\nm,x\nn,x\nm,y\n")
    assert corpus.documents[0].mentions == ["m", "n", "m"]
    result = sameas.score(corpus, corpus)
    assert [(note.code, note.side, note.count) for note in result.notes] == [
        ("repeated", "key", 1),
        ("repeated", "response", 1),
    ]
    values = {"document": "f", "mention": "'m'", "first": "x", "second": "y"}
    with raises_problems("repeated-mention", path="f", line=4, column=1, how="in-two", **values):
        sameas.score(corpus, corpus, duplicates="error")


@pytest.mark.parametrize("format", TABLES)
def test_a_document_without_mentions(format: str) -> None:
    columns = {
        "document": ["a", "b", "c"],
        "start": [None, 0, None],
        "end": [None, 1, None],
        "entity": [None, "x", None],
    }
    corpus = read(columns, format)
    assert [(d.name, d.mention_count) for d in corpus.documents] == [("a", 0), ("b", 1), ("c", 0)]
    ids = {"document": ["a", "b"], "mention": ["m", None], "entity": ["e", None]}
    assert [document.mention_count for document in read(ids, format).documents] == [1, 0]
    assert read(ids, format).documents[1].entities == ()


def test_places_that_two_numbers_cannot_say() -> None:
    text = 'document,span,entity,head\na,"0-1,3",x,3\na,4,x,4\na,7.1,y,7.1\nb,"3-5,4.0.2",z,\n'
    one, other = csv(text).documents
    assert one.mentions == [
        Mention(((0, 1), (3, 3))),
        (4, 4),
        Mention(zeros=((7, 1),)),
    ]
    assert other.mentions == [Mention(((3, 5),), ((4, INITIAL + 2),))]
    assert one.annotation is not None
    assert list(one.annotation.heads()) == [node(3), node(4), node((7, 1))]  # type: ignore[arg-type]
    assert sameas.score([one, other], [one, other])["muc"].f1 == 1


# --- text files ---------------------------------------------------------------------------------


def test_quotes_line_breaks_and_ends_of_lines() -> None:
    text = 'document,mention,entity\r\n"a,1","m ""x""\r\ny",e\r\n\r\n"a,1",n,e\r\n'
    for variant in (text, "\ufeff" + text, text.removesuffix("\r\n")):
        (document,) = csv(variant).documents
        assert document.name == "a,1"
        assert document.mentions == ['m "x"\r\ny', "n"]
        assert [document.place(m) for m in (0, 1)] == [(2, 1), (5, 1)]
    old = csv("mention,entity\rm,e\rn,e\r")
    assert old.documents[0].mentions == ["m", "n"]


@pytest.mark.parametrize(("delimiter", "format"), [(";", "csv"), ("\t", "csv"), ("\t", "tsv")])
def test_separators(delimiter: str, format: str) -> None:
    text = cells(IDS, delimiter)
    assert shapes(csv(text, format)) == shapes(read(IDS))
    assert shapes(csv(cells(SPANS, delimiter), format)) == shapes(read(SPANS))


def test_long_tables_are_read_in_parts() -> None:
    numbers = range(10_000)
    lines = "".join(f"{n % 7},{n},{n + n % 3},{n % 100}\n" for n in numbers)
    corpus = csv("doc,start,end,entity\n" + lines)
    assert len(corpus.documents) == 7
    assert [d.place(0)[0] for d in corpus.documents] == [2, 3, 4, 5, 6, 7, 8]
    assert corpus.documents[0].place(1000) == (7002, 1)
    lines = lines.replace("\n5,9987,", "\n\n5,9987,").replace("\n0,7,", '\n"0",7,')
    with raises_problems("uneven-row", line=10003, count=3, width=4):
        csv("doc,start,end,entity\n" + lines + "1,2,3\n")


def test_blanks_and_words_for_nothing_are_named() -> None:
    assert warnings(csv("document, mention, entity\na, m, NaN\na, n,None\n")) == [
        ("f:1:1", "label-blank", "mention", " m"),
        ("f:1:1", "label-blank", "entity", " NaN"),
        ("f:1:1", "label-nothing", "entity", "None"),
    ]


def test_columns_that_are_not_used_are_named_once() -> None:
    text = "text,document,mention,entity,Score,head\nx,a,m,e,1,3\ny,a,n,e,2,4\n"
    assert warnings(csv(text)) == [("f:1:1", "unused-columns", 3, "text, Score, head")]
    frame = {"mention": ["m"], "entity": ["e"], "text": ["x"]}
    assert warnings(table_corpus(frame, "response")) == [("response", "unused-columns", 1, "text")]
    assert warnings(csv(",mention,entity\n0,m,e\n")) == [("f:1:1", "unused-columns", 1, '""')]


def test_unknown_kinds_are_named() -> None:
    corpus = csv("mention,entity,kind\nm,e,verb\nn,e,name\n")
    assert warnings(corpus) == [("f:1:1", "odd-kinds", "kind", ["'verb'"], KINDS)]
    assert corpus.documents[0].annotation is not None
    assert corpus.documents[0].annotation.kinds() == ["", "name"]


# --- wrong tables -------------------------------------------------------------------------------

WRONG: list[tuple[str, list[tuple[object, ...]]]] = [
    ("", [("f:1:1", "empty-table")]),
    ("\n\n", [("f:1:1", "empty-table")]),
    ("mention,entity\n", [("f:1:1", "no-rows")]),
    ("a,b,c\n1,2,3\n", [("f:1:1", "no-known-column", "a, b, c", "")]),
    (
        "document,mention,name\na,m,e\n",
        [
            (
                "f:1:1",
                "no-column",
                "entity",
                "document, mention, name",
                ("entity", "entity_id", "cluster", "cluster_id", "label"),
                "",
            )
        ],
    ),
    (
        "document,cluster\na,e\n",
        [
            (
                "f:1:1",
                "no-column",
                "mention",
                "document, cluster",
                ("mention", "mention_id", "record", "record_id", "id"),
                "mention",
            )
        ],
    ),
    (
        "\nstart,cluster\n1,e\n",
        [("f:2:1", "no-column", "end", "start, cluster", ("end", "last"), "")],
    ),
    (
        "doc,doc_id,mention,entity\na,a,m,e\n",
        [("f:1:1", "several-columns", "document", ["doc", "doc_id"])],
    ),
    (
        "mention,entity,mention\nm,e,m\n",
        [("f:1:1", "same-columns", "mention", "mention, entity, mention")],
    ),
    ("mention,span,entity\nm,1,e\n", [("f:1:1", "several-ways", ["mention", "span"])]),
    (
        "mention,entity\nm,e\nn\no,e,1\n",
        [("f:3:1", "uneven-row", 1, 2), ("f:4:1", "uneven-row", 3, 2)],
    ),
    ('mention,entity\nm,e\n"n,e\no,e\n', [("f:3:1", "broken-csv", "unexpected end of data")]),
    ("doc,mention,entity\na,m,e\n,n,e\n", [("f:3:1", "no-cell", "doc")]),
    ("doc,mention,entity\na,m,e\na,,e\n", [("f:3:3", "no-cell", "mention")]),
    ("doc,mention,cluster\na,m,e\na,n,\n", [("f:3:5", "no-entity", "cluster")]),
    ('doc,mention,entity\n"a",m,\nb,m,e\n', [("f:2:1", "no-entity", "entity")]),
    (
        "doc,mention,entity\na,m,e\na,,\n",
        [("f:3:3", "no-cell", "mention"), ("f:3:4", "no-entity", "entity")],
    ),
    ("mention,entity\n,\n", [("f:2:1", "no-cell", "mention"), ("f:2:2", "no-entity", "entity")]),
    (
        "start,end,entity\n1,,e\n,1,e\n",
        [("f:2:3", "no-cell", "end"), ("f:3:1", "no-cell", "start")],
    ),
    (
        "start,end,entity\n1,x,e\n-1,1,e\n1.5,2,e\n1,1_0,e\n",
        [
            ("f:2:3", "not-token", "end", "text", "'x'"),
            ("f:3:1", "not-token", "start", "negative", "-1"),
            ("f:4:1", "not-token", "start", "text", "'1.5'"),
            ("f:5:3", "not-token", "end", "text", "'1_0'"),
        ],
    ),
    (
        "start,end,entity\n1,99999999999999,e\n1,1e3,e\n",
        [
            ("f:2:3", "not-token", "end", "large", "99999999999999"),
            ("f:3:3", "not-token", "end", "text", "'1e3'"),
        ],
    ),
    ("start,end,entity\n3,2,e\n", [("f:2:1", "start-after-end", "start", 3, 2, "end")]),
    (
        "start,end,entity,head\n3,4,e,5\n3,4,e,x\n3,4,e,4.1\n",
        [
            ("f:2:7", "head-outside", "head", "5"),
            ("f:3:7", "not-head", "head", "x"),
            ("f:4:7", "head-outside", "head", "4.1"),
        ],
    ),
    ("span,entity\n3-5,e\n5-3,e\n", [("f:3:1", "not-span", "span", "5-3")]),
    (
        "doc,mention,entity,topic\na,m,e,t\na,n,e,u\n",
        [("f:3:7", "other-value", "topic", "u", "t", "a")],
    ),
]


@pytest.mark.parametrize(("text", "said"), WRONG)
def test_wrong_text(text: str, said: list[tuple[object, ...]]) -> None:
    assert refusal(text) == said


@pytest.mark.parametrize("format", ["parquet", "arrow"])
def test_wrong_rows_have_their_number(format: str) -> None:
    def said(columns: dict[str, list[Any]]) -> list[tuple[object, ...]]:
        return told(problems_of(read, columns, format))

    spans = {"start": [0, -1, None, 5], "end": [1, 1, 1, 4], "entity": ["x", "x", "x", None]}
    assert said(spans) == [
        ("f: row 2", "not-token", "start", "negative", "-1", 2),
        ("f: row 3", "no-cell", "start", 3),
        ("f: row 4", "no-entity", "entity", 4),
        ("f: row 4", "start-after-end", "start", 5, 4, "end", 4),
    ]
    assert said({"mention": ["m", ""], "entity": [1, 1]}) == [("f: row 2", "no-cell", "mention", 2)]
    assert said({"mention": [1.5, 2.0], "entity": [1, 1]}) == [
        ("f: row 1", "not-identifier", "mention", "1.5", 1)
    ]
    assert said({"mention": [True], "entity": [1]}) == [
        ("f", "column-type", "mention", "bool", "identifier")
    ]
    with raises_problems("column-type", path="f", name="start", how="place"):
        read({"start": [[1]], "end": [1], "entity": [1]}, format)
    assert said({"foo": [1]}) == [("f", "no-known-column", "foo", "")]
    assert said({"mention": [], "entity": []}) == [("f", "no-rows")]


def test_many_wrong_rows_are_counted() -> None:
    problems = problems_of(csv, "mention,entity\n" + "m,\n" * 1000)
    assert len(problems) == 20
    assert told(problems)[-1] == ("f:21:3", "no-entity", "entity", 980)


def test_not_utf8() -> None:
    data = b"mention,entity\nm,e\n" * 9000 + b"n,\xff\n"
    (problem,) = problems_of(read_table, data, "f", format="csv")
    assert problem.place == "f:18001:3"


def test_unknown_format() -> None:
    with raises("unknown", what="format", value="xls", known=("csv", "tsv", "parquet", "arrow")):
        read_table(b"", "f", format="xls")
    with raises("unknown", what="output format", value="xls"):
        write_table([Document("a")], "xls")


@pytest.mark.parametrize("format", ["parquet", "arrow"])
def test_not_parquet_or_arrow(format: str) -> None:
    pytest.importorskip("pyarrow")
    what = "Parquet" if format == "parquet" else "Arrow"
    for data in (b"mention,entity\nm,e\n", b"PAR1", b"ARROW1", b"\0" * 100):
        with raises_problems("broken-table", path="f", format=what):
            read_table(data, "f", format=format)
    with raises_problems("empty-file", path="f"):
        read_table(b"", "f", format=format)
    with raises_problems("feather-1", path="f"):
        read_table(b"FEA1xxxx", "f", format="arrow")


def test_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    command = how_to_install("pyarrow")
    for format, what in (("parquet", "Parquet"), ("arrow", "Arrow")):
        with raises_problems("needs-pyarrow", path="f", how="reading", what=what, command=command):
            read_table(b"PAR1", "f", format=format)
        with raises_problems("needs-pyarrow", how="writing", what=what):
            write_table([Document.from_clusters("a", [["x"]])], format)
    assert shapes(table_corpus(IDS)) == shapes(read(IDS))


# --- frames -------------------------------------------------------------------------------------


def pandas_frame(columns: dict[str, list[Any]]) -> Any:
    return pytest.importorskip("pandas").DataFrame(columns)


def polars_frame(columns: dict[str, list[Any]]) -> Any:
    return pytest.importorskip("polars").DataFrame(columns)


def arrow_table(columns: dict[str, list[Any]]) -> Any:
    return pytest.importorskip("pyarrow").table(columns)


def record_batch(columns: dict[str, list[Any]]) -> Any:
    return pytest.importorskip("pyarrow").record_batch(columns)


def reader(columns: dict[str, list[Any]]) -> Any:
    return arrow_table(columns).to_reader(2)


def arrays(columns: dict[str, list[Any]]) -> Any:
    return {name: np.array(column) for name, column in columns.items()}


def tuples(columns: dict[str, list[Any]]) -> Any:
    return {name: tuple(column) for name, column in columns.items()}


FRAMES = [pandas_frame, polars_frame, arrow_table, record_batch, reader, arrays, tuples]


@pytest.mark.parametrize("make", FRAMES)
@pytest.mark.parametrize("columns", [IDS, SPANS], ids=["identifiers", "spans"])
def test_frames(make: Callable[[dict[str, list[Any]]], Any], columns: dict[str, list[Any]]) -> None:
    assert is_table(make(columns))
    corpus = table_corpus(make(columns))
    assert shapes(corpus) == shapes(read(columns))
    assert (corpus.format, corpus.problems) == ("table", [])


def test_categories_of_polars() -> None:
    polars = pytest.importorskip("polars")
    columns = {"document": ["x", "y", "x"], "mention": ["a", "b", "c"], "entity": ["e", "f", "e"]}
    wanted = sameas.score(columns, columns)
    for kind in (polars.Categorical, polars.Enum(["x", "y", "a", "b", "c", "e", "f"])):
        frame = polars.DataFrame(columns).with_columns(polars.all().cast(kind))
        for table in (frame, polars.concat([frame[:1], frame[1:]], rechunk=False)):
            found = sameas.score(table, columns)
            assert found["conll"] == wanted["conll"]
            assert list(found.statistics.documents) == ["x", "y"]


@pytest.mark.parametrize("make", [pandas_frame, polars_frame, arrow_table])
def test_missing_values_in_frames(make: Callable[[dict[str, list[Any]]], Any]) -> None:
    spans = {"start": [0, 1, None], "end": [0, None, 2], "entity": ["x", None, "x"]}
    assert refusal(make(spans)) == [
        ("key: row 3", "no-cell", "start", 3),
        ("key: row 2", "no-cell", "end", 2),
        ("key: row 2", "no-entity", "entity", 2),
    ]


def test_whole_decimals_are_read_as_numbers_and_named() -> None:
    columns = {"mention": [12.0, -0.0], "entity": ["x", "x"]}
    for make in FRAMES:
        corpus = table_corpus(make(columns))
        assert corpus.documents[0].mentions == ["12", "0"]
        assert warnings(corpus) == [("key", "decimals", "mention", 12.0, "12")], make
    spans = table_corpus({"start": [3.0], "end": [4.0], "entity": ["x"], "head": [3.0]})
    assert spans.documents[0].mentions == [(3, 4)]
    assert spans.problems == []
    for value in (0.5, float("inf"), 2.0**53):
        for make in (dict, arrow_table):
            with raises_problems("not-identifier", row=1, name="mention", value=str(value)):
                table_corpus(make({"mention": [value], "entity": ["x"]}))
            with pytest.raises(InputError):
                table_corpus(make({"start": [value], "end": [0], "entity": ["x"]}))


def test_narrow_floats_are_exact_or_refused() -> None:
    arrow = pytest.importorskip("pyarrow")
    fine = arrow.table({"mention": arrow.array([1000.0], arrow.float32()), "entity": ["x"]})
    assert table_corpus(fine).documents[0].mentions == ["1000"]
    large = arrow.table({"mention": arrow.array([2.0**24], arrow.float32()), "entity": ["x"]})
    assert refusal(large) == [("key: row 1", "not-identifier", "mention", "16777216.0", 1)]


def test_pandas_index_categories_and_odd_columns() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(IDS)
    expected = shapes(read(IDS))
    assert shapes(table_corpus(frame.set_index("document"))) == expected
    assert shapes(table_corpus(frame.set_index(["document", "mention"]))) == expected
    assert shapes(table_corpus(frame.astype("category"))) == expected
    assert shapes(table_corpus(frame.astype("string"))) == expected
    assert shapes(table_corpus(frame.astype(object))) == expected
    assert table_corpus(frame[frame.document == "a"]).problems == []
    several = pandas.DataFrame({"mention": ["m", 12, 7.0], "entity": [1, "x", pandas.NA]})
    assert refusal(several) == [("key: row 3", "no-entity", "entity", 3)]
    several = several.assign(entity=[1, "x", 1.0], other=[object(), {}, []])
    corpus = table_corpus(several)
    assert shapes(corpus) == {"document": [("1", None, ["m", "7"]), ("x", None, ["12"])]}
    assert len(corpus.problems) == 3
    nullable = pandas.DataFrame(
        {"start": [1, 2], "end": [1, None], "entity": [1, 2]}
    ).convert_dtypes()
    assert refusal(nullable) == [("key: row 2", "no-cell", "end", 2)]
    twice = pandas.DataFrame([[1, 2, 3]], columns=["mention", "entity", "mention"])
    with raises_problems("same-columns", path="key", name="mention"):
        table_corpus(twice)


def test_pandas_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pandas_frame({**IDS, "type": ["a", None, None, None]})
    with_it = shapes(table_corpus(frame))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert shapes(table_corpus(frame)) == with_it


def test_a_parquet_file_of_pandas_has_an_index() -> None:
    frame = pandas_frame(IDS)
    pytest.importorskip("pyarrow")
    for part in (frame, frame[frame.entity == "x"], frame.set_index("document")):
        sink = io.BytesIO()
        part.to_parquet(sink)
        corpus = read_table(sink.getvalue(), "f", format="parquet")
        assert shapes(corpus) == shapes(table_corpus(part)) and corpus.problems == []


@pytest.mark.parametrize("width", ["int8", "uint8", "int32", "uint64"])
def test_widths_of_numbers(width: str) -> None:
    arrow = pytest.importorskip("pyarrow")
    numbers = arrow.array([3, 4], getattr(arrow, width)())
    table = arrow.table({"start": numbers, "end": numbers, "entity": numbers})
    assert table_corpus(table).documents[0].mentions == [(3, 3), (4, 4)]
    assert list(table_corpus(table).documents[0].entity_ids) == ["3", "4"]
    mentions = arrow.table({"mention": numbers, "entity": numbers})
    assert table_corpus(mentions).documents[0].mentions == ["3", "4"]


def test_kinds_of_text() -> None:
    arrow = pytest.importorskip("pyarrow")
    expected = shapes(read(IDS))
    for kind in (
        arrow.large_string(),
        arrow.string_view(),
        arrow.dictionary(arrow.int8(), arrow.string()),
    ):
        table = arrow.table({name: arrow.array(column).cast(kind) for name, column in IDS.items()})
        assert shapes(table_corpus(table)) == expected, kind
    chunks = arrow.concat_tables([arrow.table(IDS).slice(0, 1), arrow.table(IDS).slice(1)])
    assert shapes(table_corpus(chunks)) == expected
    huge = arrow.table(
        {"mention": arrow.array([2**63, 2**63 + 1], arrow.uint64()), "entity": ["x", "x"]}
    )
    assert table_corpus(huge).documents[0].mentions == [str(2**63), str(2**63 + 1)]
    whole = arrow.table({"mention": arrow.array([12], arrow.decimal128(38, 0)), "entity": ["x"]})
    assert table_corpus(whole).documents[0].mentions == ["12"]


def test_what_is_no_table() -> None:
    for thing in ("a.csv", b"", 3, None, [["a", "b"]], Document("a"), {1: [2]}, dict):
        assert not is_table(thing)
        with raises("not-table", role="response"):
            table_corpus(thing, "response")
    with raises("column-not-list", name="entity", role="key", value="x"):
        table_corpus({"mention": ["m"], "entity": "x"})
    assert refusal({"mention": ["m"], "entity": []}) == [
        ("key", "other-lengths", ["mention 1", "entity 0"])
    ]
    assert refusal({}) == [("key", "no-known-column", "", "none")]
    arrow = pytest.importorskip("pyarrow")
    with raises("frame-not-table", role="key", package="pyarrow", kind="ChunkedArray"):
        table_corpus(arrow.chunked_array([[1, 2]]))


# --- writing ------------------------------------------------------------------------------------


def again(documents: list[Document], format: str) -> Corpus:
    written = write_table(documents, format)
    assert isinstance(written, str if format in ("csv", "tsv") else bytes)
    data = written.encode() if isinstance(written, str) else written
    return read_table(data, "f", format=format)


def test_written_spans() -> None:
    entities = [
        Entity("x", (Mention(((0, 1),), head=1, kind="name"), Mention(((4, 4),))), "person"),
        Entity("a,b", (Mention(((2, 2),)),)),
    ]
    documents = [Document("d", entities, meta={"topic": "t", "other": [1]}), Document("empty")]
    assert write_table(documents, "csv") == (
        "document,start,end,entity,type,kind,head,topic\n"
        "d,0,1,x,person,name,1,t\n"
        "d,4,4,x,person,,,t\n"
        'd,2,2,"a,b",,,,t\n'
        "empty,,,,,,,\n"
    )
    assert write_table([Document.from_clusters("d", [["x", 3], ["y"]])], "tsv") == (
        "document\tmention\tentity\nd\tx\t0\nd\t3\t0\nd\ty\t1\n"
    )


def test_written_places() -> None:
    pieces = Mention(((0, 1), (3, 3)), head=0)
    zero = Mention(zeros=((7, 1),), head=(7, 1))
    initial = Mention(((5, 6),), ((7, INITIAL + 1),))
    document = Document("d", [Entity("x", (pieces, zero, initial, Mention.at(2, 4)))])
    assert write_table([document], "csv") == (
        'document,span,entity,head\nd,"0-1,3",x,0\nd,7.1,x,7.1\nd,"5-6,7.0.1",x,\nd,2-4,x,\n'
    )
    assert [spelled(mention) for mention in (pieces, zero, initial)] == [
        "0-1,3",
        "7.1",
        "5-6,7.0.1",
    ]
    mixed = Document("d", [Entity("x", (Mention.at(3, 5), Mention.at(4, 4), pieces, zero, "id"))])
    assert write_table([mixed], "csv") == (
        'document,mention,entity\nd,3-5,x\nd,4-4,x\nd,"0-1,3-3",x\nd,7.1,x\nd,id,x\n'
    )


@pytest.mark.parametrize(
    ("documents", "how"),
    [
        ([Document("")], "unnamed"),
        ([Document("a"), Document("a")], "same-name"),
        ([Document("a", [Entity("", ("m",))])], "entity-unnamed"),
        ([Document("a", [Entity("e", ("m",)), Entity("e", ("n",))])], "entity-twice"),
        ([Document("a", [Entity("e", ("",))])], "mention-unnamed"),
        ([Document.from_clusters("a", [["1", 1]])], "mention-twice"),
    ],
)
def test_what_cannot_be_written(documents: list[Document], how: str) -> None:
    with raises_problems("write-row", document=documents[0].name, how=how):
        write_table(documents, "csv")


def test_no_documents_cannot_be_written() -> None:
    with raises_problems("write-no-documents"):
        write_table([], "csv")


@pytest.mark.parametrize("format", ["csv", "parquet", "arrow"])
def test_half_a_character_cannot_be_written(format: str) -> None:
    pytest.importorskip("pyarrow")
    with raises_problems("write-half", how="name"):
        write_table([Document("a", [Entity("e", ("\ud800",))])], format)


def test_a_conllu_file_there_and_back() -> None:
    from sameas.formats.conllu.read import read_conllu

    text = (
        "# newdoc id = a\n# global.Entity = eid-etype-head-other\n"
        "1\tAnn\t_\tPROPN\t_\t_\t0\t_\t_\tEntity=(e1-person-1-)\n"
        "1.1\t_\t_\tPRON\t_\t_\t_\t_\t_\tEntity=(e1-person-1-)\n"
        "2\told\t_\tADJ\t_\t_\t0\t_\t_\tEntity=(e2[1/2]-place-1-)\n"
        "3\tis\t_\tVERB\t_\t_\t0\t_\t_\t_\n"
        "4\ttown\t_\tNOUN\t_\t_\t0\t_\t_\tEntity=(e2[2/2]-place-1-)\n\n"
    )
    corpus = read_conllu(text.encode(), "a.conllu")
    for format in ("csv", "tsv"):
        back = again(list(corpus.documents), format)
        assert shapes(back) == shapes(corpus)
        one, other = back.documents[0].annotation, corpus.documents[0].annotation
        assert one is not None and other is not None
        assert list(one.heads()) == list(other.heads())  # type: ignore[arg-type]
        assert one.kinds() == other.kinds()


NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=4)
SPAN = st.tuples(st.integers(0, 30), st.integers(0, 4)).map(lambda p: Mention.at(p[0], p[0] + p[1]))
PIECES = st.sets(st.integers(0, 30), min_size=1, max_size=4).map(
    lambda tokens: Mention(tuple((3 * t, 3 * t + 1) for t in sorted(tokens)))
)
ZEROS = st.builds(
    lambda before, number, initial: Mention(zeros=((before, number + INITIAL * initial),)),
    st.integers(0, 9),
    st.integers(1, 3),
    st.booleans(),
)


@st.composite
def corpora(draw: st.DrawFn) -> list[Document]:
    mentions: Any = draw(st.sampled_from([SPAN, NAMES, SPAN | PIECES | ZEROS]))
    documents = []
    for name in draw(st.lists(NAMES, min_size=1, max_size=3, unique=True)):
        entities = []
        for id in draw(st.lists(NAMES, max_size=3, unique=True)):
            members = tuple(draw(st.lists(mentions, min_size=1, max_size=4)))
            if mentions is SPAN and draw(st.booleans()):
                members = tuple(Mention(m.spans, head=m.spans[0][0], kind="name") for m in members)
            entities.append(Entity(id, members, draw(st.none() | NAMES)))
        documents.append(Document(name, entities))
    return documents


@pytest.mark.parametrize("format", TABLES)
@given(documents=corpora())
@settings(max_examples=60, deadline=None)
def test_there_and_back(format: str, documents: list[Document]) -> None:
    if format in ("parquet", "arrow"):
        pytest.importorskip("pyarrow")
    back = again(documents, format)
    assert [d.name for d in back.documents] == [d.name for d in documents]
    for one, other in zip(documents, back.documents, strict=True):
        assert other.entity_ids == one.entity_ids
        assert other.entity.tolist() == one.entity.tolist()
        assert [e.type for e in other.entities] == [e.type for e in one.entities]
        assert other.mentions == one.mentions
        for what in ("kinds", "heads"):
            said = getattr(one.annotation, what)() if one.annotation else None
            read_back = getattr(other.annotation, what)() if other.annotation else None
            assert (said is None) == (read_back is None)
            assert said is None or list(said) == list(read_back)
    assert write_table(back.documents, format) == write_table(documents, format)


# --- scores -------------------------------------------------------------------------------------


def corpus_columns(seed: int, spans: bool) -> dict[str, list[Any]]:
    rng = random.Random(seed)
    rows = []
    for document in range(4):
        for mention in rng.sample(range(40), 25):
            rows.append((f"d{document}", mention, rng.randrange(6)))
    rng.shuffle(rows)
    documents, mentions, entities = map(list, zip(*rows, strict=True))
    if not spans:
        return {"document": documents, "mention": mentions, "entity": entities}
    ends = [mention + mention % 3 for mention in mentions]  # type: ignore[operator]
    return {"document": documents, "start": mentions, "end": ends, "entity": entities}


@pytest.mark.parametrize("spans", [False, True])
def test_all_formats_give_the_same_scores(spans: bool) -> None:
    pytest.importorskip("pyarrow")
    key, response = corpus_columns(0, spans), corpus_columns(1, spans)
    clusters: list[list[Document]] = []
    for columns in (key, response):
        found: dict[str, dict[Any, list[Any]]] = {}
        for document, *mention, entity in zip(*columns.values(), strict=True):
            place = tuple(mention) if spans else mention[0]
            found.setdefault(document, {}).setdefault(entity, []).append(place)
        clusters.append([Document.from_clusters(n, c.values()) for n, c in found.items()])
    expected = sameas.score(*clusters, metrics="all")
    for one in MANY:
        for other in ("csv", "parquet"):
            result = sameas.score(read(key, one), read(response, other), metrics="all")
            for metric in expected.metrics:
                assert result[metric] == expected[metric], (one, other, metric)
    frames = [
        table_corpus(make(columns))
        for make, columns in ((pandas_frame, key), (polars_frame, response))
    ]
    assert sameas.score(*frames)["conll"].f1 == expected["conll"].f1


# --- damage -------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", MANY)
def test_damaged_files_are_read_or_refused(format: str) -> None:
    rng = random.Random(format)
    columns = {
        "document": ["a", "a", "b", "c"] * 3,
        "mention": list(string.ascii_lowercase[:12]),
        "entity": ["x", "é", '"q"', "x"] * 3,
        "type": ["person", None, None, "place"] * 3,
    }
    if format in ("csv", "tsv"):
        sound = [
            as_bytes({**columns, "type": ['"p\nq"'] * 12, "entity": ["x"] * 12}, format),
            as_bytes(SPANS, format),
        ]
    else:
        sound = [as_bytes(columns, format), as_bytes(SPANS, format)]
    for number in range(400):
        data = bytearray(sound[number % 2])
        for _ in range(rng.choice([1, 1, 2, 5])):
            place = rng.randrange(len(data))
            way = rng.randrange(4)
            if way == 0:
                data[place] ^= 1 << rng.randrange(8)
            elif way == 1:
                data[place] = rng.choice([0, 10, 13, 34, 44, 127, 128, 255])
            elif way == 2:
                del data[place : place + rng.choice([1, 4, 50])]
            else:
                data[place:place] = rng.randbytes(rng.choice([1, 4]))
            if not data:
                break
        try:
            corpus = read_table(bytes(data), "f", format="arrow" if format == "stream" else format)
            str(sameas.score(corpus, corpus))
            for document in corpus.documents:
                assert document.entities is not None
        except SameasError as error:
            assert str(error).startswith("f"), error


def test_documents_of_a_table_are_documents(tmp_path: Path) -> None:
    corpus = csv("document,start,end,entity\na,0,1,x\n")
    (document,) = corpus.documents
    assert isinstance(document, TableDocument)
    assert isinstance(document.text, WrittenText) and document.text.token_count == 0
    assert repr(document) == "<Document 'a': 0 tokens, 1 mentions, 1 entities>"
    annotated = csv("document,start,end,entity,type\na,0,1,x,t\n").documents[0].annotation
    assert isinstance(annotated, Annotation)


def test_places_go_before_a_column_of_words() -> None:
    corpus = read_table(b"mention,start,end,entity\nAnn Lee,0,1,e\n", "f", format="csv")
    assert [m.spans for m in corpus.documents[0].entities[0].mentions] == [((0, 1),)]
    assert warnings(corpus) == [("f:1:1", "unused-columns", 1, "mention")]


# --- records to clusters -----------------------------------------------------------------------


TRUTH = {"r1": "x", "r2": "x", "r3": "y", "4": "y"}
FOUND = {"r1": 1, "r2": 2, "r3": 2, 4: 2}


def test_the_cluster_of_each_record() -> None:
    frames = [{"record": list(side), "cluster": list(side.values())} for side in (TRUTH, FOUND)]
    wanted = sameas.score(*frames)
    assert wanted["muc"].counts == (1, 2, 1, 2)
    for key, response in ((TRUTH, FOUND), (TRUTH, frames[1]), (frames[0], FOUND)):
        assert sameas.score(key, response) == wanted
    assert sameas.compare(TRUTH, {"a": FOUND, "b": TRUTH}).results["a"] == wanted
    assert sameas.compare(frames[0], {"a": FOUND, "b": TRUTH}).results["a"] == wanted
    with raises_problems("no-entity", name="entity", row=2):
        sameas.score({"r1": 1, "r2": None}, FOUND)


def test_a_series_of_clusters_by_record() -> None:
    pandas = pytest.importorskip("pandas")
    wanted = sameas.score(TRUTH, FOUND)
    series = [pandas.Series(side) for side in (TRUTH, FOUND)]
    assert sameas.score(*series) == wanted
    assert sameas.score(TRUTH, series[1].astype("category")) == wanted
    assert sameas.compare(series[0], {"a": series[1], "b": TRUTH}).results["a"] == wanted
    levels = pandas.Series([1], index=pandas.MultiIndex.from_tuples([(1, 2)]))
    with raises("series-levels", role="key", levels=2):
        sameas.score(levels, FOUND)


def test_mappings_that_are_no_tables() -> None:
    clusters = {f"c{n}": [f"r{n}"] for n in range(20_000)}
    for wrong in (clusters, dict(enumerate(clusters.values())), {}):
        with raises("mapping-not-columns", role="response"):
            sameas.score(TRUTH, wrong)
    assert sameas.score(list(clusters.values()), list(clusters.values()))["b3"].f1 == 1
    with raises("column-not-list", name="mention", role="key"):
        sameas.score({"mention": "m", "entity": "x"}, TRUTH)


def test_messages_stay_short() -> None:
    columns: dict[str, Any] = {f"column {n}": [n] for n in range(20_000)}
    with pytest.raises(InputError) as caught:
        sameas.score({"mention": [1], **columns}, TRUTH)
    assert len(str(caught.value)) < 1000
    result = sameas.score({"mention": [1], "entity": [1], **columns}, {"1": 1})
    assert max(len(str(note)) for note in result.remarks) < 1000


# --- truth for a sample ----------------------------------------------------------------------


def sampled(records: int = 1000, known: int = 100) -> tuple[dict[str, Any], dict[str, Any]]:
    """Truth for some of the records, and a clustering of all; entities of two."""
    truth = {"record": list(range(known)), "cluster": [n // 2 for n in range(known)]}
    return truth, {"record": list(range(records)), "cluster": [n // 2 for n in range(records)]}


def clusters_of(frame: dict[str, Any]) -> list[list[str]]:
    found: dict[Any, list[str]] = {}
    for record, cluster in zip(frame["record"], frame["cluster"], strict=True):
        found.setdefault(cluster, []).append(f"r{record}")
    return list(found.values())


def sample_notes(result: sameas.Result) -> list[Note]:
    return [note for note in result.notes if note.code == "sample"]


def sample_warning(count: int, total: int) -> str:
    return re.escape(says("sample", count=count, total=total))


@pytest.mark.parametrize("how", [{}, {"singletons": "drop"}, {"metrics": "pairwise"}], ids=str)
def test_truth_for_a_sample_is_noted(how: dict[str, Any], tmp_path: Path) -> None:
    from sameas.integrations.sklearn import score_labels

    truth, found = sampled()
    paths = []
    for name, frame in (("truth", truth), ("found", found)):
        rows = zip(*frame.values(), strict=True)
        text = "record,cluster\n" + "".join(f"{one},{other}\n" for one, other in rows)
        paths.append(tmp_path / f"{name}.csv")
        paths[-1].write_text(text)
    labels = [n if n < 50 else -1 for n in (n // 2 for n in range(1000))]
    with pytest.warns(UserWarning, match=sample_warning(900, 1000)):
        results = [sameas.score(truth, found, **how), sameas.score(*paths, **how)]
    with pytest.warns(UserWarning, match=sample_warning(900, 1000)):
        results.append(score_labels(labels, found["cluster"], absent=-1, **how))
    for result in results:
        assert sample_notes(result) == [Note("sample", count=900, total=1000)]
        assert says("sample", count=900, total=1000) in result.as_dict()["notes"]
    assert "900 of 1,000 records" in str(results[0])
    with pytest.warns(UserWarning, match=sample_warning(900, 1000)):
        assert "900 of 1,000 records" in sameas.report(truth, {"found": found}).html


def test_records_of_a_sum_are_added() -> None:
    truth, found = sampled()
    with pytest.warns(UserWarning, match=sample_warning(900, 1000)):
        one, other = sameas.score(truth, found), sameas.score(*sampled(400, 40))
    assert sample_notes(one + other) == [Note("sample", count=1260, total=1400)]


def test_a_truth_that_lacks_little_is_not_noted() -> None:
    truth, found = sampled(1000, 900)
    assert sameas.score(truth, found).notes == []
    truth, found = sampled(1000, 898)
    with pytest.warns(UserWarning, match=sample_warning(102, 1000)):
        sameas.score(truth, found)
    alone = {"record": ["x", "y"], "cluster": [1, 1]}
    assert sameas.score(alone, found).notes == [Note("apart")]
    assert sameas.score(found, truth).notes == []  # the response lacks records: recall says so
    dropped = {"record": list(range(1000)), "cluster": [*range(998), 0, 1]}
    assert not sample_notes(sameas.score(dropped, found, singletons="drop"))


def test_mentions_of_texts_are_no_records() -> None:
    spans = [[(n, n), (n + 1, n + 1)] for n in range(0, 1000, 2)]
    documents = [sameas.Document.from_clusters("a", clusters_of(side)) for side in sampled()]
    frame = {"start": list(range(1000)), "end": list(range(1000)), "entity": [1] * 1000}
    known = {name: column[:100] for name, column in frame.items()}
    truth, found = sampled()
    several = [{"document": [n % 2 for n in side["record"]], **side} for side in (truth, found)]
    for key, response in (
        (spans[:50], spans),
        (known, frame),
        documents,
        several,  # tables of several documents are of texts
        ([["a", "b"]], [["a", "b", "c"]]),
        (clusters_of(truth), clusters_of(found)),  # "3-5" may be a mention of a text
    ):
        assert sample_notes(sameas.score(key, response)) == []
    scorer = sameas.Scorer()
    scorer.update(clusters_of(truth), clusters_of(found))
    assert sample_notes(scorer.compute()) == []
