"""DuckDB counts what is counted in memory."""

from __future__ import annotations

import glob
import json
import os
import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import sameas
from engines.tables import METRICS, Rows, assert_same, share_documents, sides, table
from sameas.errors import InputError, SameasError, UsageError
from sameas.notes import Note
from sameas.run.engines import duckdb as engine
from sameas.run.engines import sql
from saying import has, raises, raises_problems

duckdb = pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
quick = settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))


@quick
@given(
    sides(),
    st.booleans(),
    st.sampled_from(["keep", "drop"]),
    st.sampled_from(["document", "corpus"]),
    st.sampled_from(["empty", "skip"]),
    st.sampled_from(["micro", "macro"]),
)
def test_every_metric_is_that_of_memory(
    rows: tuple[Rows, Rows], text: bool, singletons: str, scope: str, missing: str, average: str
) -> None:
    assume(share_documents(*rows))
    key, response = (table(side, text) for side in rows)
    how: dict[str, Any] = {
        "metrics": METRICS,
        "singletons": singletons,
        "scope": scope,
        "missing_documents": missing,
        "average": average,
    }
    assert_same(engine.score(key, response, **how), sameas.score(key, response, **how))


@pytest.mark.parametrize("metrics", [["ceafm_rn"], ["ceafe_rn", "muc"], ["ceafm_rn", "conll"]])
@pytest.mark.parametrize("scope", ["document", "corpus"])
def test_an_assignment_is_solved_for_a_variant_alone(metrics: list[str], scope: str) -> None:
    """The metric whose assignment it is need not be wanted itself."""
    key = [("a", "1", "x"), ("a", "2", "x"), ("a", "3", "y"), ("b", "4", "x"), ("b", "5", "x")]
    response = [("a", "1", "p"), ("a", "3", "p"), ("a", "8", "q"), ("b", "4", "p"), ("b", "9", "q")]
    found = assert_both(columns(key), columns(response), metrics=metrics, scope=scope)
    assert list(found) == metrics


@quick
@given(sides(documents=1, mentions=30))
def test_without_documents_all_is_one(rows: tuple[Rows, Rows]) -> None:
    key, response = (table(side) for side in rows)
    del key["document"], response["document"]
    assert_same(
        engine.score(key, response, metrics=METRICS), sameas.score(key, response, metrics=METRICS)
    )


def test_small_batches_and_ranges_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = random.Random(1)
    rows = [
        [(d, m, generator.randrange(12)) for d in range(40) for m in range(40)] for _ in range(2)
    ]
    key, response = map(table, rows)
    wanted = sameas.score(key, response, metrics=METRICS)
    monkeypatch.setattr(sql, "BATCH", 7)
    monkeypatch.setattr(sql, "FETCHED", 5)
    assert_same(engine.score(key, response, metrics=METRICS), wanted)
    default = [name for name in METRICS if name != "ceaf_sys"]
    wanted = sameas.score(key, response, metrics=default)
    assert_same(engine.score(key, response, metrics=default), wanted)


KEY: Rows = [("a", "1", "x"), ("a", "2", "x"), ("a", "3", "y"), ("b", "1", "x"), ("b", "2", "x")]
RESPONSE: Rows = [
    ("a", "1", "p"),
    ("a", "2", "q"),
    ("a", "3", "q"),
    ("b", "1", "p"),
    ("b", "9", "p"),
]


def columns(rows: Rows, *names: str) -> dict[str, list[Any]]:
    names = names or ("document", "mention", "entity")
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def assert_both(key: Any, response: Any, **how: Any) -> sameas.Result:
    """DuckDB and memory give the same, which is given back."""
    how = {"metrics": METRICS, **how}
    found = engine.score(key, response, threads=1, **how)
    assert_same(found, sameas.score(key, response, **how))
    return found


@pytest.fixture(autouse=True)
def no_leftovers(tmp_path_factory: pytest.TempPathFactory, monkeypatch: Any) -> Iterator[None]:
    """Whatever happens, no folder of ours stays in the temporary directory."""
    folder = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield
    assert list(folder.iterdir()) == []


# --- the same as in memory -------------------------------------------------------------------


@pytest.mark.parametrize("singletons", ["keep", "drop"])
@pytest.mark.parametrize("scope", ["document", "corpus"])
def test_documents_without_mentions(singletons: str, scope: str) -> None:
    key = [*KEY, ("c", None, None), ("d", "1", "x"), ("e", "1", "x"), ("e", "2", "x")]
    response = [
        *[("a", None, None), ("b", "1", "p"), ("b", "2", "q"), ("c", "7", "p")],
        *[("d", None, None), ("e", "1", "x"), ("e", "2", "x")],
    ]
    assert_both(columns(key), columns(response), singletons=singletons, scope=scope)
    assert_both(columns(response), columns(key), singletons=singletons, scope=scope)


def test_a_response_without_any_mention() -> None:
    silent = [("a", None, None), ("b", None, None)]
    assert_both(columns(KEY), columns(silent))
    assert_both(columns(silent), columns(KEY))


@pytest.mark.parametrize("missing", ["empty", "skip"])
@pytest.mark.parametrize("average", ["micro", "macro"])
def test_missing_documents(missing: str, average: str) -> None:
    key = [*KEY, *((name, "1", "x") for name in "uvwxyz")]
    response = [*RESPONSE, *((name, "1", "x") for name in "ghijk")]
    assert_both(columns(key), columns(response), missing_documents=missing, average=average)
    assert_both(columns(response), columns(key), missing_documents=missing, average=average)


def test_missing_documents_as_errors() -> None:
    for key, response in (([*KEY, ("z", "1", "x")], RESPONSE), (KEY, [("q", "1", "x")])):
        for how in ({"missing_documents": "error"}, {}):
            messages = []
            for score in (engine.score, sameas.score):
                try:
                    score(columns(key), columns(response), **how)
                    messages.append("")
                except InputError as error:
                    messages.append(str(error))
            assert messages[0] == messages[1]


@pytest.mark.parametrize("singletons", ["keep", "drop"])
@pytest.mark.parametrize("scope", ["document", "corpus"])
def test_truth_for_a_sample_is_noted(singletons: str, scope: str) -> None:
    rows = [("a", n, n // 3) for n in range(100)]
    for key, noted in ((rows[:89], True), (rows[:90], False), (rows, False)):
        for without in ([], ["document"]):
            sides = [columns(key), columns(rows)]
            for side in sides:
                for name in without:
                    del side[name]
            found = assert_both(*sides, singletons=singletons, scope=scope)
            assert (Note("sample", count=11, total=100) in found.notes) is noted


@pytest.mark.parametrize("duplicates", ["first", "last", "merge"])
@pytest.mark.parametrize("scope", ["document", "corpus"])
def test_repeated_rows_of_one_entity_are_noted(duplicates: str, scope: str) -> None:
    key = [*KEY, ("a", "1", "x")]
    response = [*RESPONSE, *[("b", "1", "p")] * 3, ("zz", "1", "p"), ("zz", "1", "q")]
    for singletons in ("keep", "drop"):
        how = {"duplicates": duplicates, "scope": scope, "singletons": singletons}
        found = assert_both(columns(key), columns(response), **how)
        assert Note("repeated", "response", 3, how=duplicates) in found.notes


@pytest.mark.parametrize("duplicates", ["first", "last", "merge", "error"])
def test_repeated_rows_of_other_entities_are_refused(duplicates: str) -> None:
    key = [*KEY, ("a", "1", "y")]
    for one, other, role in ((key, RESPONSE, "key"), (RESPONSE, key, "response")):
        with raises_problems("row-twice", path=role, mention="1", one="x", other="y"):
            engine.score(columns(one), columns(other), duplicates=duplicates)
    places = columns([("a", 4, 5, "x"), ("a", 4, 5, "y")], "document", "start", "end", "entity")
    with raises_problems("row-twice", document="a", mention="4–5", one="x", other="y"):
        engine.score(places, places)


def test_repeated_rows_may_be_errors() -> None:
    key = columns([*KEY, ("a", "1", "x")])
    with raises_problems("row-twice", mention="1", one="x", other="x"):
        engine.score(key, columns(RESPONSE), duplicates="error")


def test_numbers_and_texts() -> None:
    numbers = columns([(1, -1, 1), (1, 2, 1), (-2, 0, 7)])
    texts = columns([("1", "-1", "x"), ("1", "2", "y"), ("-2", "00", "x")])
    for key, response in ((numbers, texts), (texts, numbers), (numbers, numbers)):
        assert_both(key, response)
    small = pa.table({name: pa.array(numbers[name], pa.int8()) for name in numbers})
    assert_both(small, texts)
    assert_both(small, numbers)


def test_extremes() -> None:
    ends = [-(2**63), 2**63 - 1, 0, -1]
    key = columns([(d, m, d) for d in ends for m in ends])
    response = columns([(d, m, m) for d in ends for m in ends])
    assert_both(key, response)
    wide = {name: pa.array([0, 1, 2**64 - 1], pa.uint64()) for name in key}
    assert_both(pa.table(wide), pa.table(wide))
    mixed = columns([(0, 0, 0), (1, 1, -1), (1, 2, -1)])
    assert_both(pa.table(wide), mixed)
    assert_both(mixed, pa.table(wide))


def test_odd_texts() -> None:
    odd = [
        "é",
        "e\u0301",
        " ",
        "a ",
        "a",
        "'",
        '"',
        "a\x00b",
        "\n",
        "😀",
        "m" * 50_000,
        "NULL",
        "nan",
    ]
    key = columns([(d, m, d) for d in odd[:4] for m in odd])
    response = columns([(d, m, m) for d in odd[:4] for m in reversed(odd)])
    assert_both(key, response)


def test_places_in_documents() -> None:
    names = ("document", "start", "end", "entity")
    key = [("a", 0, 1, 1), ("a", 0, 2, 1), ("a", 3, 3, 2), ("b", 0, 1, 1), ("c", None, None, None)]
    response = [("a", 0, 1, 5), ("a", 0, 3, 5), ("a", 3, 3, 5), ("b", 1, 1, 1), ("c", 0, 0, 1)]
    assert_both(columns(key, *names), columns(response, *names))
    words = {**columns(key, *names), "mention": ["he", "her dog", "it", "he", None]}
    assert_both(words, columns(response, *names))
    del words["document"], words["mention"]
    alone = {name: column[:3] for name, column in words.items()}
    assert_both(alone, alone)


def test_other_names_of_columns(tmp_path: Path) -> None:
    named = pa.table(
        {
            "Doc ID": ["a", "a"],
            "RECORD": ["1", "2"],
            "cluster-id": ["x", "y"],
            'select "x"': [1, 2],
            "order": [3, 4],
        }
    )
    pq.write_table(named, tmp_path / "odd.parquet")
    found = assert_both(str(tmp_path / "odd.parquet"), str(tmp_path / "odd.parquet"))
    wanted = sameas.score(str(tmp_path / "odd.parquet"), str(tmp_path / "odd.parquet"))
    assert [str(one) for one in found.problems] == [str(one) for one in wanted.problems]
    assert 'select "x", order' in str(found.problems[0])
    reserved = {"end": [1, 4], "first": [0, 3], "label": [5, 5], "doc": ["a", "a"]}
    assert_both(reserved, reserved)


# --- where tables come from ------------------------------------------------------------------


def write(path: Path, rows: Rows, **options: Any) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns(rows)), path, **options)
    return str(path)


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


def test_names_that_look_like_patterns(tmp_path: Path) -> None:
    response = write(tmp_path / "response.parquet", RESPONSE)
    wanted = sameas.score(columns(KEY), columns(RESPONSE))
    for other in ("k1.parquet", "kx.parquet", "f1/k.parquet"):
        write(tmp_path / other, KEY[:1])
    for name in ("k[1].parquet", "k*.parquet", "k?.parquet", "f[1]/k.parquet", "{k}.parquet"):
        assert_same(engine.score(write(tmp_path / name, KEY), response), wanted)
    assert_same(engine.score(tmp_path / "f[1]", response), wanted)


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


# --- a connection of the user ----------------------------------------------------------------


def everything(connection: Any) -> list[Any]:
    """All that a connection has, and how it is set."""
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


def test_what_the_connection_has_is_left_alone(connection: Any) -> None:
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


def test_tables_that_are_called_as_ours(connection: Any) -> None:
    connection.execute("CREATE TABLE sameas_key AS FROM gold")
    connection.execute('CREATE TABLE sameas_response AS FROM "order"')
    wanted = sameas.score(columns(KEY), columns(RESPONSE))
    try:
        found = engine.score("sameas_key", "sameas_response", connection=connection)
    except UsageError as error:
        assert "sameas_key" in str(error)  # refused in words
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
def test_names_that_are_no_tables(connection: Any, name: str) -> None:
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


# --- what cannot be scored -------------------------------------------------------------------


def test_types_that_are_no_identifiers(tmp_path: Path) -> None:
    good = write(tmp_path / "good.parquet", KEY)
    numbers = pa.array([1, 2, 3, 4, 5])
    for name, values in {
        "DOUBLE": numbers.cast(pa.float64()),
        "DATE": numbers.cast(pa.int32()).cast(pa.date32()),
        "TIMESTAMP": numbers.cast(pa.timestamp("us")),
        "BIGINT[]": pa.array([[1]] * 5),
        "BOOLEAN": pa.array([True] * 5),
        "BLOB": pa.array([b"a"] * 5),
        "DECIMAL(30,2)": numbers.cast(pa.decimal128(30, 2)),
        "STRUCT(a BIGINT)": pa.array([{"a": 1}] * 5),
    }.items():
        for column in ("document", "mention", "entity"):
            bad = pa.table({**columns(KEY), column: values})
            with raises_problems("engine-column", field=column, kind=name):
                engine.score(bad, columns(KEY))
        pq.write_table(bad, tmp_path / "bad.parquet")
        for pair in ((tmp_path / "bad.parquet", good), (good, tmp_path / "bad.parquet")):
            with raises_problems("engine-column", path=f"{tmp_path}/bad.parquet"):
                engine.score(*pair)


def test_rows_that_say_too_little() -> None:
    for rows, code in {
        (("a", "1", None), ("a", "2", None)): "rows-entity",
        (("a", None, "x"),): "rows-mention",
        ((None, "1", "x"),): "rows-document",
        (("a", "", "x"),): "rows-mention",
        (("", "1", "x"),): "rows-document",
        (("a", "1", ""),): "rows-entity",
        (("a", None, None),): "rows-empty",  # of a document that has some
        (("z", None, None), ("z", None, None)): "rows-empty",
        ((None, None, None),): "rows-document",
    }.items():
        with raises_problems(code, path="response", count=len(rows)):
            engine.score(columns(KEY), columns([*RESPONSE, *rows]))
        with pytest.raises(InputError):
            sameas.score(columns(KEY), columns([*RESPONSE, *rows]))
    alone = {"mention": ["1", None], "entity": ["x", None]}
    with raises_problems("rows-mention", count=1, path="key"):
        engine.score(alone, {"mention": ["1"], "entity": ["x"]})


@pytest.mark.parametrize(
    "places",
    [(1, 0), (-1, 3), (-3, -2), (None, 3), (3, None), (0, 2**41), ("0", "1.5"), ("x", "y")],
)
def test_places_that_are_none(places: tuple[Any, Any]) -> None:
    names = ("document", "start", "end", "entity")
    kind = type(next(place for place in places if place is not None))
    key = columns([("a", kind(4), kind(5), 1), ("a", *places, 1)], *names)
    good = columns([("a", 4, 5, 1), ("a", 7, 7, 1)], *names)
    for pair in ((key, good), (good, key)):
        with pytest.raises(InputError):
            sameas.score(*pair)
        with pytest.raises(InputError):
            engine.score(*pair)


def test_rows_that_lack_everything_but_a_wrong_place() -> None:
    names = ("document", "start", "end", "entity")
    key = columns([("a", "0", "1", "x"), ("b", "one", "two", None)], *names)
    with raises_problems("engine-column"):
        engine.score(key, key)


def test_columns_that_cannot_be_told() -> None:
    good = columns(KEY)
    for bad, code in (
        ({**good, "doc_id": good["document"]}, "several-columns"),
        ({**good, "Document": good["document"]}, "several-columns"),
        ({"document": ["a"], "mention": ["1"]}, "no-column"),
        ({"entity": ["1"]}, "no-column"),
        ({"x": ["1"]}, "no-known-column"),
        ({}, "no-known-column"),
        ({"span": ["0-1"], "entity": ["x"]}, "engine-spans"),
        ({"mention": ["1"], "entity": ["x"]}, "no-document-column"),
        (columns([("a", 0, 1, 1)], "document", "start", "end", "entity"), "mention-columns"),
    ):
        for pair in ((bad, good), (good, bad)):
            with raises_problems(code):
                engine.score(*pair)
    twice = pa.table([["a"], ["1"], ["2"], ["x"]], ["document", "mention", "mention", "entity"])
    with raises_problems("same-columns", name="mention"):
        engine.score(twice, good)


def test_columns_that_differ_in_case_in_a_file(tmp_path: Path) -> None:
    table_ = pa.table([["a"], ["b"], ["1"], ["x"]], ["document", "Document", "mention", "entity"])
    pq.write_table(table_, tmp_path / "k.parquet")
    with raises_problems("several-columns", field="document"):
        engine.score(tmp_path / "k.parquet", tmp_path / "k.parquet")


@pytest.mark.parametrize(
    "bad",
    [
        {"document": "a", "mention": ["1"], "entity": ["x"]},
        {"document": ["a"], "mention": ["1", "2"], "entity": ["x"]},
        {"mention": [[1], "x"], "entity": [1, 1]},
        {"mention": [1, "x"], "entity": [1, object()]},
        {1: ["a"]},
        [["a", "b"]],
        [],
        5,
        None,
        b"x.parquet",
        dict,
    ],
    ids=repr,
)
def test_no_tables(bad: Any) -> None:
    for pair in ((bad, columns(KEY)), (columns(KEY), bad)):
        with pytest.raises(SameasError):
            engine.score(*pair)


def test_tables_without_rows(tmp_path: Path) -> None:
    empty = write(tmp_path / "empty.parquet", [])
    for bad in (empty, columns([]), pa.table(columns(KEY)).slice(0, 0)):
        for pair in ((bad, columns(KEY)), (columns(KEY), bad)):
            with raises_problems("no-rows"):
                engine.score(*pair)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    good = write(tmp_path / "good.parquet", KEY)
    rows = [(f"d{d}", str(m), str(m % 7)) for d in range(30) for m in range(100)]
    content = Path(write(tmp_path / "large.parquet", rows, row_group_size=500)).read_bytes()
    damaged = bytearray(content)
    damaged[1000:2000] = bytes(byte ^ 255 for byte in damaged[1000:2000])
    for name, data in {
        "text.parquet": b"document,mention,entity\na,1,x\n",
        "nothing.parquet": b"",
        "half.parquet": content[: len(content) // 2],
        "damaged.parquet": bytes(damaged),
        "table.csv": b"document,mention,entity\na,1,x\n",
        "key.conll": b"#begin document (a); part 000\n#end document\n",
    }.items():
        path = tmp_path / name
        path.write_bytes(data)
        for pair in ((path, good), (good, path)):
            with pytest.raises(InputError) as caught:
                engine.score(*pair)
            message = str(caught.value)
            assert name in message
            assert "LINE 1" not in message
            assert "SELECT" not in message
    (tmp_path / "empty").mkdir()
    for path, code in (
        (tmp_path / "empty", "no-parquet"),
        (tmp_path / "absent.parquet", "cannot-read"),
        (tmp_path / "absent*.parquet", "cannot-read"),
        ("", "cannot-read"),
    ):
        with raises_problems(code, path=str(path)):
            engine.score(path, good)


def test_files_of_one_folder_that_do_not_fit_together(tmp_path: Path) -> None:
    good = write(tmp_path / "good.parquet", KEY)
    write(tmp_path / "key" / "1.parquet", KEY)
    pq.write_table(
        pa.table(columns(KEY)).select(["document", "mention"]), tmp_path / "key/2.parquet"
    )
    with raises_problems("no-column", field="entity"):
        engine.score(tmp_path / "key", good)
    numbers = pa.table({"document": ["a"], "mention": [1], "entity": ["x"]})
    (tmp_path / "mixed").mkdir()
    pq.write_table(numbers, tmp_path / "mixed" / "1.parquet")
    write(tmp_path / "mixed" / "2.parquet", [("a", "no number", "x")])
    wanted = sameas.score(columns([("a", "1", "x"), ("a", "no number", "x")]), columns(KEY))
    assert_same(engine.score(tmp_path / "mixed", good), wanted)


ODD = {
    "text and numbers": ([1, 2], ["01", "2"], [["m1"], ["m2", "m4"], ["m3"]]),
    "small and large numbers": (
        pa.array([1, 2], pa.int8()), [300, 2], [["m1"], ["m2", "m4"], ["m3"]]
    ),
    "with and without sign": (
        [-1, 2], pa.array([2**63 + 5, 2], pa.uint64()), [["m1"], ["m2", "m4"], ["m3"]]
    ),
    "category and text": (
        pa.array(["1", "2"]).dictionary_encode(), ["01", "2"], [["m1"], ["m2", "m4"], ["m3"]]
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_files_of_different_types(tmp_path: Path, name: str) -> None:
    """No file is cast to the type of another, whichever comes first."""
    first, second, clusters = ODD[name]
    tables = [
        pa.table({"mention": ["m1", "m2"], "entity": first}),
        pa.table({"mention": ["m3", "m4"], "entity": second}),
    ]
    wanted = sameas.score(clusters, clusters)
    pq.write_table(
        pa.table({"mention": ["m1", "m2", "m3", "m4"], "entity": ["a", "b", "c", "b"]}),
        tmp_path / "key.parquet",
    )
    for names in ("12", "21"):
        (tmp_path / names).mkdir()
        for one, number in zip(tables, names, strict=True):
            pq.write_table(one, tmp_path / names / f"{number}.parquet")
        found = engine.score(tmp_path / "key.parquet", tmp_path / names)
        assert [found[metric] for metric in found] == [wanted[metric] for metric in wanted]


@pytest.mark.parametrize("other", [[1, 2], ["1", "2"]], ids=str)
def test_decimals_in_one_of_the_files_are_refused(tmp_path: Path, other: list[Any]) -> None:
    for name, entity in (("a", other), ("b", [1.5, 2.5])):
        pq.write_table(
            pa.table({"mention": [f"{name}1", f"{name}2"], "entity": entity}),
            tmp_path / f"{name}.parquet",
        )
    with raises_problems("engine-column", field="entity", kind="DOUBLE"):
        engine.score(tmp_path, tmp_path)


def test_every_parquet_file_of_a_folder_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "key"
    write(folder / "a.parquet", KEY[:1])
    for name, row in zip(("b.PARQUET", "c.pq", "part-0", "more/d"), KEY[1:], strict=False):
        write(folder / name, [row])
    assert len(KEY) <= 5
    for name in ("_SUCCESS", ".a.parquet.crc", "_temporary/x"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("hidden")
    response = write(tmp_path / "response.parquet", RESPONSE)
    wanted = sameas.score(columns(KEY), columns(RESPONSE))
    for path in (folder, f"{tmp_path}/k*", f"{tmp_path}/key/**"):
        found = engine.score(path, response)
        assert_same(found, wanted)
        assert not found.problems
    (folder / "notes.txt").write_text("notes")
    (folder / "z.csv").write_text("document,mention,entity\n")
    found = engine.score(folder, response)
    assert_same(found, wanted)
    (problem,) = found.problems
    assert has(problem, "other-files", severity="warning", count=2, names=["notes.txt", "z.csv"])


def test_columns_of_folder_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for home in ("parts", "x=1/parts", "entity=5/parts"):
        for name in ("01", "1"):
            rows = [(mention, entity) for _, mention, entity in KEY]
            path = Path(home, f"document={name}", "x.parquet")
            path.parent.mkdir(parents=True)
            pq.write_table(pa.table(columns(rows, "mention", "entity")), path)
    wanted = engine.score("parts", "parts")
    assert list(wanted.statistics.documents) == ["01", "1"]
    files = [f"parts/document={name}/x.parquet" for name in ("01", "1")]
    for source in ("parts/*/*.parquet", "parts/*", "p*", "parts/**", files, f"{tmp_path}/parts"):
        assert_same(engine.score(source, "parts"), wanted)
    assert_same(engine.score("x=1/parts", "parts"), wanted)
    with raises_problems("folder-column"):
        engine.score("entity=5/parts", "parts")


@pytest.mark.parametrize("memory", [400_000_000, 4_000_000_000, "4000000000"])
def test_memory_in_bytes(memory: Any) -> None:
    assert engine.score(columns(KEY), columns(RESPONSE), memory=memory)


def test_settings_an_engine_does_not_know() -> None:
    for how, code in (
        ({"scope": "topic"}, "engine-topics"),
        ({"metrics": "mor"}, "engine-places"),
        ({"metrics": "bogus"}, "unknown"),
        ({"singletons": "droop"}, "unknown"),
        ({"signature": "sameas:coref|match:head"}, "engine-setting"),
        ({"signature": "sameas:coref", "average": "macro"}, "signature-decides"),
    ):
        with raises(code):
            engine.score(columns(KEY), columns(RESPONSE), **how)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "memory",
    ["lots", "", "-1GB", "0", "0MB", "1e9", "nanGB", "4 GBs", "٤GB", "9" * 400, "99999999TB", True],
)
def test_memory_that_is_none(memory: Any) -> None:
    with raises("memory-size"):
        engine.score(columns(KEY), columns(RESPONSE), memory=memory)


def test_threads_and_folders_that_are_none(tmp_path: Path) -> None:
    for threads in (0, -1, "x", 1.5, True):
        with raises("threads"):
            engine.score(columns(KEY), columns(RESPONSE), threads=threads)  # type: ignore[arg-type]
    (tmp_path / "file").touch()
    for work in (tmp_path / "no", tmp_path / "file"):
        with raises("work-folder", folder=str(work)):
            engine.score(columns(KEY), columns(RESPONSE), work=work)


def test_too_little_memory(tmp_path: Path) -> None:
    work = tmp_path / "it's work"
    work.mkdir()
    generator = np.random.default_rng(1)
    key, response = (
        pa.table({"mention": np.arange(300_000), "entity": generator.integers(0, 90_000, 300_000)})
        for _ in range(2)
    )
    with raises("duckdb-memory"):
        engine.score(key, response, memory="10MB", threads=1, work=work)
    # There is enough to count, and not to assign: said before that begins.
    told: list[str] = []
    with raises("ceaf-memory", there="100"):
        engine.score(key, response, memory="100MB", threads=1, work=work, tell=told.append)
    assert "assigning entities for CEAF" not in told
    found = engine.score(key, response, memory="100MB", threads=1, work=work, metrics="b3,lea")
    assert found["b3"] == sameas.score(key, response, metrics="b3")["b3"]
    assert list(work.iterdir()) == []


def test_a_full_disk_of_a_connection(tmp_path: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"SET temp_directory = '{tmp_path}'")
        connection.execute("SET max_temp_directory_size = '1MB'; SET threads = 1")
        connection.execute("SET memory_limit = '30MB'; SET preserve_insertion_order = false")
        for name in ("gold", "system"):
            connection.execute(
                f"CREATE VIEW {name} AS SELECT i AS mention, i // 3 AS entity FROM range(900000) r(i)"
            )
        with raises("work-full"):
            engine.score("gold", "system", connection=connection, metrics="b3")


# --- shapes ----------------------------------------------------------------------------------


def shape(key: Any, response: Any) -> tuple[Any, Any]:
    return tuple(
        pa.table(
            {
                "document": np.zeros(len(side), np.int64),
                "mention": np.arange(len(side)),
                "entity": side,
            }
        )
        for side in (key, response)
    )  # type: ignore[return-value]


def shuffled_chain(length: int) -> tuple[Any, Any]:
    names = np.random.default_rng(2).permutation(length)
    mentions = np.arange(length)
    return shape(names[mentions // 2], names[(mentions + 1) // 2])


@pytest.mark.parametrize(
    "make",
    [
        lambda: shape(np.zeros(100_000, np.int64), np.arange(100_000)),
        lambda: shape(np.arange(100_000), np.zeros(100_000, np.int64)),
        lambda: shape(np.arange(20_000) // 2, (np.arange(20_000) + 1) // 2),
        lambda: shuffled_chain(20_000),
        lambda: shape(*np.random.default_rng(3).integers(0, 400, (2, 4000))),
    ],
    ids=["star", "star of the response", "chain", "shuffled chain", "tangle"],
)
def test_large_components(make: Callable[[], tuple[Any, Any]]) -> None:
    key, response = make()
    how: dict[str, Any] = {
        "metrics": ["mention", "muc", "b3", "ceafm", "ceafe", "ceaf2", "blanc", "lea"]
    }
    found = engine.score(key, response, threads=1, **how)
    assert_same(found, sameas.score(key, response, **how))


def test_many_documents_of_one_mention() -> None:
    documents = np.random.default_rng(4).permutation(200_000)
    key = pa.table({"document": documents, "mention": documents % 3, "entity": documents % 5})
    response = pa.table(
        {"document": documents[::-1], "mention": documents[::-1] % 2, "entity": documents}
    )
    found = engine.score(key, response, threads=1)
    # Documents 6k and 6k+1 have the same mention on both sides.
    shared = sum(1 for number in range(200_000) if number % 3 == number % 2)
    assert found["mention"].counts == (shared, 200_000, shared, 200_000)
    assert found["ceafe"].counts == (shared, 200_000, shared, 200_000)
    assert found["muc"].counts == (0, 0, 0, 0)
    assert found.statistics.documents[:3] == ["0", "1", "2"]


def joins(plan: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """The conditions of each join of a plan; none for a product."""
    if "JOIN" in plan["name"] or "PRODUCT" in plan["name"]:
        found = plan["extra_info"].get("Conditions", [])
        yield (found,) if isinstance(found, str) else tuple(sorted(found))
    for child in plan["children"]:
        yield from joins(child)


@pytest.mark.parametrize("size", [4, 20])
@pytest.mark.parametrize("metrics", ["b3", "ceafe"])
@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_cells_are_joined_to_one_side_after_the_other(
    monkeypatch: pytest.MonkeyPatch, size: int, metrics: str, singletons: str
) -> None:
    """On noisy responses DuckDB's estimates would have it join all entities of a document first."""
    generator = np.random.default_rng(1)
    document, mention = np.divmod(np.arange(20_000), 100)
    entities = (mention // size, generator.integers(0, 100 // size, 20_000))
    key, response = (
        pa.table({"document": document, "mention": mention, "entity": entity})
        for entity in entities
    )
    real, seen = engine.DuckDB.create, {}

    def explained(self: Any, name: str, query: str) -> None:
        rows = self.connection.execute(f"EXPLAIN (FORMAT json) {query}").fetchall()
        seen[name] = [join for plan in json.loads(rows[0][1]) for join in joins(plan)]
        real(self, name, query)

    monkeypatch.setattr(engine.DuckDB, "create", explained)
    found = engine.score(key, response, metrics=metrics, singletons=singletons, threads=1)
    # Documents are joined to their rows on the document; nothing else is.
    assert set(seen.pop("sameas_cells")) <= {("document = document",)}
    expected = {("document = document", f"{side} = {side}") for side in "ij"}
    name = "sameas_cell_tally" if metrics == "b3" else "sameas_graph"
    assert set(seen[name]) == expected
    assert set(seen.get("sameas_shapes", expected)) == expected
    assert all(("document = document",) not in joined for joined in seen.values())
    assert all(() not in joined for joined in seen.values())
    monkeypatch.undo()
    assert_same(found, sameas.score(key, response, metrics=metrics, singletons=singletons))


def test_steps_are_told_and_folders_vanish(tmp_path: Path) -> None:
    seen: list[list[str]] = []
    told: list[str] = []

    def tell(text: str) -> None:
        told.append(text)
        seen.append(os.listdir(tmp_path))

    engine.score(columns(KEY), columns(RESPONSE), work=tmp_path, tell=tell)
    assert told[0] == "counting rows"
    assert all(len(folders) == 1 for folders in seen)
    assert os.listdir(tmp_path) == []

    def stop(text: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engine.score(columns(KEY), columns(RESPONSE), work=tmp_path, tell=stop)
    assert glob.glob(str(tmp_path / "*")) == []


def test_without_duckdb(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "duckdb", None)
    with raises("needs"):
        engine.score(columns(KEY), columns(RESPONSE))


def test_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with raises("needs", package="pyarrow"):
        engine.score(columns(KEY), columns(RESPONSE))


def test_intervals_and_tests_do_not_depend_on_the_order_of_documents() -> None:
    generator = random.Random(3)
    names = [f"d{number}" for number in generator.sample(range(20), 20)]
    rows = [[(d, m, generator.randrange(3)) for d in names for m in range(8)] for _ in range(3)]
    key, base, new = map(table, rows)
    one, other = (
        [count(key, side) for side in (base, new)] for count in (sameas.score, engine.score)
    )
    assert one[0].statistics.documents != other[0].statistics.documents
    for mine, theirs in zip(one, other, strict=True):
        assert mine.intervals() == theirs.intervals()
        assert mine.interval("b3", interval="bca") == theirs.interval("b3", interval="bca")
    pairs = [
        sameas.compare_results({"base": found[0], "new": found[1]})["new", "base"]
        for found in (one, other)
    ]
    assert pairs[0] == pairs[1]


def test_an_error_leaves_nothing_in_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE k AS SELECT i AS mention, i // 3 AS entity FROM range(60) r(i)"
    )
    connection.execute(
        "CREATE TABLE r AS SELECT i AS mention, i // 4 AS entity FROM range(60) r(i)"
    )
    real = engine.DuckDB.create

    def fails(self: Any, name: str, query: str) -> None:
        real(self, name, query)
        if name == "sameas_components":
            raise UsageError("merge-itself")

    monkeypatch.setattr(engine.DuckDB, "create", fails)
    with raises("merge-itself"):
        engine.score("k", "r", connection=connection)
    monkeypatch.undo()
    names = connection.execute("SELECT table_name FROM duckdb_tables() ORDER BY 1").fetchall()
    assert names == [("k",), ("r",)]
    assert engine.score("k", "r", connection=connection)["mention"].f1 == 1
