"""DuckDB reads files, frames and the tables of a user's connection."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sameas
from engines.duckdb.small_tables import KEY, RESPONSE, assert_both, columns, write
from engines.tables import assert_same
from sameas.errors import SameasError, UsageError
from sameas.run.engines import duckdb as engine
from saying import raises, raises_problems

pytestmark = pytest.mark.long

duckdb = pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def test_parquet_in_every_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = sameas.score(columns(KEY), columns(RESPONSE))
    response = write(tmp_path / "response.parquet", RESPONSE)
    whole = write(tmp_path / "it's a key.parquet", KEY, row_group_size=1)
    folder = tmp_path / "a 'folder'"
    parts = [
        write(folder / "1.parquet", KEY[:2]),
        write(folder / "more" / "2 'x'.parquet", KEY[2:]),
    ]
    (folder / "_SUCCESS").touch()
    monkeypatch.chdir(tmp_path)
    for key in (
        whole,
        Path(whole),
        "it's a key.parquet",
        folder,
        f"{folder}/",
        "a 'folder'",
        parts,
        tuple(map(Path, parts)),
        "a 'folder'/**/*.parquet",
        f"{folder}/*/../../it?s*.parquet",
    ):
        assert_same(engine.score(key, response, threads=1), wanted)
    assert_both(whole, response)
    assert engine.score(whole, response).name == sameas.score(whole, response).name


@pytest.mark.long
def test_names_that_look_like_patterns(tmp_path: Path) -> None:
    response = write(tmp_path / "response.parquet", RESPONSE)
    wanted = sameas.score(columns(KEY), columns(RESPONSE))
    for other in ("k1.parquet", "kx.parquet", "f1/k.parquet"):
        write(tmp_path / other, KEY[:1])
    for name in ("k[1].parquet", "k*.parquet", "k?.parquet", "f[1]/k.parquet", "{k}.parquet"):
        assert_same(engine.score(write(tmp_path / name, KEY), response), wanted)
    assert_same(engine.score(tmp_path / "f[1]", response), wanted)


@pytest.mark.long
def test_folders_named_like_columns(tmp_path: Path) -> None:
    response = write(tmp_path / "response.parquet", RESPONSE)
    wanted = sameas.score(columns(KEY), columns(RESPONSE))
    for folder in ("entity=5", "doc_id=5", "Mention=x"):
        key = write(tmp_path / folder / "k.parquet", KEY)
        assert_same(engine.score(key, response), wanted)
        assert_same(engine.score(tmp_path / folder, response), wanted)
    for name in ("a", "b"):
        rows = columns([row[1:] for row in KEY if row[0] == name], "mention", "entity")
        path = tmp_path / "parts" / f"document={name}" / "x.parquet"
        path.parent.mkdir(parents=True)
        pq.write_table(pa.table(rows), path)
    assert_same(engine.score(tmp_path / "parts", response), wanted)


def test_files_with_columns_in_another_order(tmp_path: Path) -> None:
    write(tmp_path / "key" / "1.parquet", KEY[:2])
    other = pa.table(columns(KEY[2:])).select(["entity", "mention", "document"])
    pq.write_table(other, tmp_path / "key" / "2.parquet")
    response = write(tmp_path / "response.parquet", RESPONSE)
    wanted = sameas.score(columns(KEY), columns(RESPONSE))
    assert_same(engine.score(tmp_path / "key", response), wanted)


def test_a_file_without_documents(tmp_path: Path) -> None:
    path = tmp_path / "whole corpus.parquet"
    pq.write_table(pa.table({"mention": [1, 2, 3], "entity": [1, 1, 2]}), path)
    found = assert_both(str(path), str(path))
    assert list(found.statistics.documents) == ["whole corpus"]


def test_data_frames() -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    key, response = pa.table(columns(KEY)), pa.table(columns(RESPONSE))
    wanted = sameas.score(columns(KEY), columns(RESPONSE))
    frame = key.to_pandas()
    frames: list[Any] = [
        key,
        key.to_batches()[0],
        key.to_reader(),
        pa.table([column.dictionary_encode() for column in key.columns], key.column_names),
        key.cast(pa.schema([(name, pa.large_string()) for name in key.column_names])),
        frame,
        frame.set_index("document"),
        frame.set_index(["document", "mention"]),
        frame.astype("category"),
        frame.astype("string"),
        polars.DataFrame(columns(KEY)),
        {name: np.array(column) for name, column in columns(KEY).items()},
    ]
    for one in frames:
        assert_same(engine.score(one, response, threads=1), wanted)
    empty = pandas.DataFrame(columns([("a", 1, 1), ("b", None, None)]))
    whole = empty.astype({"mention": "Int64", "entity": "Int64"})
    assert_both(whole, whole)


def everything(connection: Any) -> list[Any]:
    """Return everything that a connection contains, and its settings."""
    return [
        connection.execute(query).fetchall()
        for query in (
            "SELECT database_name, schema_name, table_name, sql FROM duckdb_tables() ORDER BY ALL",
            "SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal ORDER BY ALL",
            "SELECT function_name FROM duckdb_functions() WHERE NOT internal ORDER BY ALL",
            "SELECT name, value FROM duckdb_settings() ORDER BY ALL",
        )
    ]


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Any]:
    with duckdb.connect(str(tmp_path / "user.db")) as found:
        found.register("frame", pa.table(columns(KEY)))
        found.execute("CREATE TABLE gold AS FROM frame")
        found.unregister("frame")
        found.register("frame", pa.table(columns(RESPONSE)))
        found.execute(
            'CREATE SCHEMA "My Schema"; CREATE TABLE "My Schema"."the ""order""" AS FROM frame'
        )
        found.unregister("frame")
        found.execute('CREATE VIEW "order" AS FROM "My Schema"."the ""order"""')
        found.execute('CREATE TEMPORARY TABLE system AS FROM "order"')
        yield found


@pytest.mark.parametrize(
    "response", ["order", '"order"', '"My Schema"."the ""order"""', "system", "main.order"]
)
def test_tables_of_a_connection(connection: Any, response: str) -> None:
    wanted = sameas.score(columns(KEY), columns(RESPONSE))
    before = everything(connection)
    found = engine.score("gold", response, connection=connection)
    assert_same(found, wanted)
    assert engine.explain("gold", response, connection=connection).rows == (5, 5)
    assert everything(connection) == before


def test_contents_of_the_connection_are_unchanged(connection: Any) -> None:
    ours = ("cells", "graph", "documents", "named", "components", "edges", "shapes", "rest")
    for name in ours:
        connection.execute(f"CREATE TABLE sameas_{name} AS SELECT 42 AS mine")
    connection.execute("CREATE MACRO xxhash64(a, b, c) AS 7")
    connection.execute("SET memory_limit = '1GB'; SET threads = 1")
    before = everything(connection)
    engine.score("gold", "order", connection=connection)
    with raises_problems("no-table"):
        engine.score("gold", "nowhere", connection=connection)
    with raises("engine-topics"):
        engine.score("gold", "order", connection=connection, scope="topic")
    assert everything(connection) == before
    for name in ours:
        assert connection.execute(f"SELECT mine FROM sameas_{name}").fetchall() == [(42,)]
    assert connection.execute("SELECT xxhash64(1, 2, 3)").fetchall() == [(7,)]


def test_tables_with_our_names(connection: Any) -> None:
    connection.execute("CREATE TABLE sameas_key AS FROM gold")
    connection.execute('CREATE TABLE sameas_response AS FROM "order"')
    wanted = sameas.score(columns(KEY), columns(RESPONSE))
    try:
        found = engine.score("sameas_key", "sameas_response", connection=connection)
    except UsageError as error:
        assert "sameas_key" in str(error)  # the message names the relation
        assert "recursi" not in str(error)
    else:
        assert_same(found, wanted)
    assert connection.execute("SELECT count(*) FROM sameas_key").fetchall() == [(5,)]
    connection.execute("CREATE TEMPORARY TABLE sameas_rest AS SELECT 1 AS mine")
    with raises("table-taken", table="sameas_rest"):
        engine.score("gold", "order", connection=connection)
    assert connection.execute("SELECT mine FROM temp.sameas_rest").fetchall() == [(1,)]


@pytest.mark.parametrize(
    "name",
    ["nowhere", "gold; DROP TABLE gold", "(SELECT 1)", "", "found", "source", "a.b.c.d", 'a"'],
)
def test_names_that_are_not_tables(connection: Any, name: str) -> None:
    before = everything(connection)
    with pytest.raises(SameasError) as caught:
        engine.score(name, "order", connection=connection)
    assert "LINE 1" not in str(caught.value)
    assert everything(connection) == before


def test_connections_that_cannot_be_used(connection: Any) -> None:
    with raises("connection-settings"):
        engine.score("gold", "order", connection=connection, memory="1GB")
    with raises("table-name"):
        engine.score(columns(KEY), "order", connection=connection)
    with raises("connection-kind", kind="int"):
        engine.score("gold", "order", connection=5)
    connection.close()
    with raises("duckdb") as caught:
        engine.score("gold", "order", connection=connection)
    assert "closed" in caught.value.values["reason"]
