"""Tables of mentions from data frames."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import sameas
from sameas.documents.document import Document
from sameas.errors import InputError
from sameas.formats.table.read import is_table, read_table, table_corpus
from saying import raises, raises_problems
from unit.table.tables import (
    IDS,
    SPANS,
    pandas_frame,
    polars_frame,
    read,
    refusal,
    shapes,
    warnings,
)


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


def test_whole_decimals_are_read_as_numbers_and_reported() -> None:
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


def test_values_that_are_not_tables() -> None:
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
