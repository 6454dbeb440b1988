"""Small tables of mentions, as text and as bytes."""

from __future__ import annotations

from typing import Any

import pytest

from sameas.documents.document import Corpus, Document
from sameas.formats.declarations import TABLES
from sameas.formats.table.read import read_table, table_corpus
from saying import problems_of, told

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
    """Return the problems of a frame, or of the text of a CSV file."""
    return told(problems_of(csv if isinstance(source, str) else table_corpus, source))


def warnings(corpus: Corpus) -> list[tuple[object, ...]]:
    assert all(problem.severity == "warning" for problem in corpus.problems)
    return told(corpus.problems)


def shape(document: Document) -> list[tuple[str, str | None, list[object]]]:
    return [(entity.id, entity.type, list(entity.mentions)) for entity in document.entities]


def shapes(corpus: Corpus) -> dict[str, Any]:
    return {document.name: shape(document) for document in corpus.documents}


def pandas_frame(columns: dict[str, list[Any]]) -> Any:
    return pytest.importorskip("pandas").DataFrame(columns)


def polars_frame(columns: dict[str, list[Any]]) -> Any:
    return pytest.importorskip("polars").DataFrame(columns)
