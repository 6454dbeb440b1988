"""DuckDB counts what is counted in memory."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import sameas
from engines.tables import METRICS, Rows, assert_same, share_documents, sides, table
from sameas.engines import duckdb as engine
from sameas.engines import sql

duckdb = pytest.importorskip("duckdb")
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
