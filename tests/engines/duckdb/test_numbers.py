"""DuckDB gives the same counts as memory, whatever the shape."""

from __future__ import annotations

import glob
import json
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import sameas
from effort import examples
from engines.duckdb.small_tables import KEY, RESPONSE, assert_both, columns
from engines.tables import METRICS, Rows, assert_same, share_documents, sides, table
from sameas.errors import InputError
from sameas.notes import Note
from sameas.run.engines import duckdb as engine
from sameas.run.engines import sql
from saying import raises_problems

pytestmark = pytest.mark.long

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

quick = settings(deadline=None, max_examples=examples(60), suppress_health_check=list(HealthCheck))


@quick
@given(
    sides(),
    st.booleans(),
    st.sampled_from(["keep", "drop"]),
    st.sampled_from(["document", "corpus"]),
    st.sampled_from(["empty", "skip"]),
    st.sampled_from(["micro", "macro"]),
)
def test_every_metric_equals_memory(
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
def test_an_assignment_is_solved_for_only_a_variant(metrics: list[str], scope: str) -> None:
    """The metric that defines the assignment need not be requested itself."""
    key = [("a", "1", "x"), ("a", "2", "x"), ("a", "3", "y"), ("b", "4", "x"), ("b", "5", "x")]
    response = [("a", "1", "p"), ("a", "3", "p"), ("a", "8", "q"), ("b", "4", "p"), ("b", "9", "q")]
    found = assert_both(columns(key), columns(response), metrics=metrics, scope=scope)
    assert list(found) == metrics


@quick
@given(sides(documents=1, mentions=30))
def test_without_documents_all_rows_are_one_document(rows: tuple[Rows, Rows]) -> None:
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


# --- equal to memory --------------------------------------------------------------------------


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
    names = ("document", "record", "cluster")
    one = [("a", n, n // 3) for n in range(100)]
    several = [("ab"[n % 2], n, n // 3) for n in range(100)]
    for rows, without in ((one, ["document"]), (one, []), (several, [])):
        for key, noted in ((rows[:89], True), (rows[:90], False), (rows, False)):
            sides = [columns(key, *names), columns(rows, *names)]
            for side in sides:
                for name in without:
                    del side[name]
            found = assert_both(*sides, singletons=singletons, scope=scope)
            assert (Note("sample", count=11, total=100) in found.notes) is noted
            # Mentions of texts are not records.
            if not without:
                sides = [columns(key), columns(rows)]
                assert not assert_both(*sides, scope=scope).of_records


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


def test_numbers_and_strings() -> None:
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


def test_odd_strings() -> None:
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


@pytest.mark.long
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
    """Return the conditions of each join of a plan; a cross product has no conditions."""
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
    """Without this order, DuckDB would first join all entities of a document of noisy responses."""
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
    # Only the join of documents to their rows is on the document alone.
    assert set(seen.pop("sameas_cells")) <= {("document = document",)}
    expected = {("document = document", f"{side} = {side}") for side in "ij"}
    name = "sameas_cell_tally" if metrics == "b3" else "sameas_graph"
    assert set(seen[name]) == expected
    assert set(seen.get("sameas_shapes", expected)) == expected
    assert all(("document = document",) not in joined for joined in seen.values())
    assert all(() not in joined for joined in seen.values())
    monkeypatch.undo()
    assert_same(found, sameas.score(key, response, metrics=metrics, singletons=singletons))


def test_steps_are_reported_and_folders_removed(tmp_path: Path) -> None:
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
        sameas.analysis.compare_results({"base": found[0], "new": found[1]})["new", "base"]
        for found in (one, other)
    ]
    assert pairs[0] == pairs[1]
