"""Input that DuckDB cannot score is refused with a message."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sameas
from engines.duckdb.small_tables import KEY, RESPONSE, columns, write
from engines.tables import assert_same
from sameas.errors import InputError, SameasError, UsageError
from sameas.run.engines import duckdb as engine
from saying import has, raises, raises_problems

pytestmark = pytest.mark.long

duckdb = pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def test_types_that_are_not_identifiers(tmp_path: Path) -> None:
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


def test_incomplete_rows() -> None:
    for rows, code in {
        (("a", "1", None), ("a", "2", None)): "rows-entity",
        (("a", None, "x"),): "rows-mention",
        ((None, "1", "x"),): "rows-document",
        (("a", "", "x"),): "rows-mention",
        (("", "1", "x"),): "rows-document",
        (("a", "1", ""),): "rows-entity",
        (("a", None, None),): "rows-empty",  # for a document that has mentions
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
def test_invalid_spans(places: tuple[Any, Any]) -> None:
    names = ("document", "start", "end", "entity")
    kind = type(next(place for place in places if place is not None))
    key = columns([("a", kind(4), kind(5), 1), ("a", *places, 1)], *names)
    good = columns([("a", 4, 5, 1), ("a", 7, 7, 1)], *names)
    for pair in ((key, good), (good, key)):
        with pytest.raises(InputError):
            sameas.score(*pair)
        with pytest.raises(InputError):
            engine.score(*pair)


def test_rows_with_only_an_invalid_span() -> None:
    names = ("document", "start", "end", "entity")
    key = columns([("a", "0", "1", "x"), ("b", "one", "two", None)], *names)
    with raises_problems("engine-column"):
        engine.score(key, key)


def test_ambiguous_columns() -> None:
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


def test_incompatible_files_of_one_folder(tmp_path: Path) -> None:
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
    """No file is cast to another's type, whichever comes first."""
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


def test_unsupported_settings() -> None:
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
def test_invalid_memory(memory: Any) -> None:
    with raises("memory-size"):
        engine.score(columns(KEY), columns(RESPONSE), memory=memory)


def test_invalid_threads_and_folders(tmp_path: Path) -> None:
    for threads in (0, -1, "x", 1.5, True):
        with raises("threads"):
            engine.score(columns(KEY), columns(RESPONSE), threads=threads)  # type: ignore[arg-type]
    (tmp_path / "file").touch()
    for work in (tmp_path / "no", tmp_path / "file"):
        with raises("work-folder", folder=str(work)):
            engine.score(columns(KEY), columns(RESPONSE), work=work)


@pytest.mark.long
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
    # There is enough memory to count, but not to assign, which is reported before assigning.
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
