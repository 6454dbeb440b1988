"""Small tables, counted by DuckDB and in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sameas
from engines.tables import METRICS, Rows, assert_same
from sameas.run.engines import duckdb as engine

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


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
    """Assert that DuckDB and memory give the same result, and return it."""
    how = {"metrics": METRICS, **how}
    found = engine.score(key, response, threads=1, **how)
    assert_same(found, sameas.score(key, response, **how))
    return found


def write(path: Path, rows: Rows, **options: Any) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns(rows)), path, **options)
    return str(path)
