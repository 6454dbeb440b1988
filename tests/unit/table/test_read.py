"""Tables of mentions: reading files, and errors in rows."""

from __future__ import annotations

import random
import string
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sameas
from sameas.documents.document import (
    INITIAL,
    KINDS,
    Annotation,
    Document,
    Mention,
    WrittenText,
    node,
)
from sameas.errors import SameasError, how_to_install
from sameas.formats.declarations import TABLES
from sameas.formats.table.read import TableDocument, read_table, table_corpus
from sameas.formats.table.write import write_table
from saying import problems_of, raises, raises_problems, told
from unit.table.tables import (
    IDS,
    MANY,
    SPANS,
    as_bytes,
    cells,
    csv,
    read,
    refusal,
    shapes,
    warnings,
)

# --- reading ------------------------------------------------------------------------------------


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
def test_all_annotation_columns(format: str) -> None:
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


def test_names_of_span_columns() -> None:
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


def test_duplicate_mentions_are_left_to_the_scorer() -> None:
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


def test_mentions_that_are_not_a_single_span() -> None:
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


def test_blanks_and_words_for_missing_values_are_reported() -> None:
    assert warnings(csv("document, mention, entity\na, m, NaN\na, n,None\n")) == [
        ("f:1:1", "label-blank", "mention", " m"),
        ("f:1:1", "label-blank", "entity", " NaN"),
        ("f:1:1", "label-nothing", "entity", "None"),
    ]


def test_unused_columns_are_reported_once() -> None:
    text = "text,document,mention,entity,Score,head\nx,a,m,e,1,3\ny,a,n,e,2,4\n"
    assert warnings(csv(text)) == [("f:1:1", "unused-columns", 3, "text, Score, head")]
    frame = {"mention": ["m"], "entity": ["e"], "text": ["x"]}
    assert warnings(table_corpus(frame, "response")) == [("response", "unused-columns", 1, "text")]
    assert warnings(csv(",mention,entity\n0,m,e\n")) == [("f:1:1", "unused-columns", 1, '""')]


def test_unknown_kinds_are_reported() -> None:
    corpus = csv("mention,entity,kind\nm,e,verb\nn,e,name\n")
    assert warnings(corpus) == [("f:1:1", "odd-kinds", "kind", ["'verb'"], KINDS)]
    assert corpus.documents[0].annotation is not None
    assert corpus.documents[0].annotation.kinds() == ["", "name"]


# --- invalid tables -----------------------------------------------------------------------------

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
                ("mention", "mention_id", "record", "record_id", "rec_id", "unique_id", "id"),
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


@pytest.mark.parametrize(("text", "expected"), WRONG)
def test_errors_in_text(text: str, expected: list[tuple[object, ...]]) -> None:
    assert refusal(text) == expected


@pytest.mark.parametrize("format", ["parquet", "arrow"])
def test_invalid_rows_have_their_number(format: str) -> None:
    def problems(columns: dict[str, list[Any]]) -> list[tuple[object, ...]]:
        return told(problems_of(read, columns, format))

    spans = {"start": [0, -1, None, 5], "end": [1, 1, 1, 4], "entity": ["x", "x", "x", None]}
    assert problems(spans) == [
        ("f: row 2", "not-token", "start", "negative", "-1", 2),
        ("f: row 3", "no-cell", "start", 3),
        ("f: row 4", "no-entity", "entity", 4),
        ("f: row 4", "start-after-end", "start", 5, 4, "end", 4),
    ]
    assert problems({"mention": ["m", ""], "entity": [1, 1]}) == [
        ("f: row 2", "no-cell", "mention", 2)
    ]
    assert problems({"mention": [1.5, 2.0], "entity": [1, 1]}) == [
        ("f: row 1", "not-identifier", "mention", "1.5", 1)
    ]
    assert problems({"mention": [True], "entity": [1]}) == [
        ("f", "column-type", "mention", "bool", "identifier")
    ]
    with raises_problems("column-type", path="f", name="start", how="place"):
        read({"start": [[1]], "end": [1], "entity": [1]}, format)
    assert problems({"foo": [1]}) == [("f", "no-known-column", "foo", "")]
    assert problems({"mention": [], "entity": []}) == [("f", "no-rows")]


def test_many_invalid_rows_are_counted() -> None:
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


# --- damage -------------------------------------------------------------------------------------


@pytest.mark.long
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


def test_token_numbers_take_precedence_over_a_column_of_words() -> None:
    corpus = read_table(b"mention,start,end,entity\nAnn Lee,0,1,e\n", "f", format="csv")
    assert [m.spans for m in corpus.documents[0].entities[0].mentions] == [((0, 1),)]
    assert warnings(corpus) == [("f:1:1", "unused-columns", 1, "mention")]
