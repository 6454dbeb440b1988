"""The workload, counted in memory as by a database."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import sameas
from effort import examples
from engines.tables import Rows, share_documents, sides, table
from sameas.arithmetic.assignment import label_components
from sameas.metrics.contingency import Contingency, contingency_of
from sameas.run.engines.explaining import explain_files, explain_table
from sameas.run.engines.workload import Workload
from sameas.settings import Settings
from sameas.show.plan import render_plans
from saying import raises_problems

quick = settings(deadline=None, max_examples=examples(25), suppress_health_check=list(HealthCheck))
COUNTED = (
    *("documents", "largest_document", "entities", "cells", "alone", "stars", "star_cells"),
    *("components", "component_cells", "largest_component", "memory"),
)


def slow_components(edges: list[tuple[int, int]]) -> list[set[int]]:
    """Return the cells of each component, by joining groups until none can be joined."""
    groups = [({("i", i), ("j", j)}, {number}) for number, (i, j) in enumerate(edges)]
    joined = True
    while joined:
        joined = False
        for one in range(len(groups)):
            for other in range(one + 1, len(groups)):
                if groups[one][0] & groups[other][0]:
                    groups[one][0].update(groups[other][0])
                    groups[one][1].update(groups[other][1])
                    del groups[other]
                    joined = True
                    break
            if joined:
                break
    return [cells for _, cells in groups]


EDGES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=25, unique=True)


@given(EDGES)
def test_components_are_those_of_a_slow_search(edges: list[tuple[int, int]]) -> None:
    i, j = (np.array([edge[side] for edge in edges], dtype=np.int64) for side in (0, 1))
    label = label_components(i, j)
    for cells in slow_components(edges):
        assert {int(label[cell]) for cell in cells} == {min(edges[cell][0] for cell in cells)}


@given(EDGES)
def test_every_cell_is_in_one_place(edges: list[tuple[int, int]]) -> None:
    assume(edges)
    rows, columns = (sorted({edge[side] for edge in edges}) for side in (0, 1))
    i = np.array([rows.index(edge[0]) for edge in edges])
    j = np.array([columns.index(edge[1]) for edge in edges])
    n = np.ones(len(edges), dtype=np.int64)
    key = np.bincount(i), np.zeros(len(rows), dtype=np.int64)
    response = np.bincount(j), np.zeros(len(columns), dtype=np.int64)
    plan = explain_table(Contingency.of(["a"], (i, j, n), key, response))
    alone, stars, rest = [], [], []
    for cells in slow_components(edges):
        places = [{edges[cell][side] for cell in cells} for side in (0, 1)]
        kind = alone if len(cells) == 1 else stars if min(map(len, places)) == 1 else rest
        kind.append(len(cells))
    assert (plan.cells, plan.alone) == (len(edges), len(alone))
    assert (plan.stars, plan.star_cells) == (len(stars), sum(stars))
    assert (plan.components, plan.component_cells) == (len(rest), sum(rest))
    assert plan.largest_component == max(rest, default=0)
    assert plan.alone + plan.star_cells + plan.component_cells == plan.cells


def test_known_shapes() -> None:
    plan = explain_table(contingency_of([["abcd"], ["a", "bc"]], [["a", "b", "cd"], ["ab", "c"]]))
    assert (plan.cells, plan.alone, plan.stars, plan.star_cells) == (6, 0, 1, 3)
    assert (plan.components, plan.largest_component, plan.documents) == (1, 3, 2)
    assert (plan.rows, plan.largest_document, plan.entities) == ((7, 7), 4, (3, 5))


def test_nothing_in_common() -> None:
    for key, response in (([["ab"]], [["cd"]]), ([[]], [["ab"]]), ([["ab"]], [[]]), ([[]], [[]])):
        plan = explain_table(contingency_of(key, response))
        assert (plan.cells, plan.components, plan.memory) == (0, 0, 0)


def test_a_long_chain() -> None:
    mentions = np.arange(20_000)
    names = np.random.default_rng(1).permutation(20_000)
    i, j = names[mentions // 2], names[(mentions + 1) // 2]
    assert set(label_components(i, j).tolist()) == {int(i.min())}


# --- files -----------------------------------------------------------------------------------


def write(folder: Path, key: Rows, response: Rows) -> list[str]:
    paths = []
    for name, rows in (("key", key), ("response", response)):
        lines = ["document,mention,entity", *(",".join(map(str, row)) for row in rows)]
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
        paths.append(str(folder / f"{name}.csv"))
    return paths


@quick
@given(
    sides(), st.sampled_from(["keep", "drop"]), st.sampled_from(["document", "corpus"]),
    st.sampled_from(["empty", "skip"]),
)  # fmt: skip
def test_duckdb_counts_the_same(
    tmp_path_factory: pytest.TempPathFactory,
    rows: tuple[Rows, Rows],
    singletons: str,
    scope: str,
    missing: str,
) -> None:
    pytest.importorskip("duckdb")
    from sameas.run.engines import duckdb

    assume(share_documents(*rows))
    how: dict[str, Any] = {
        "singletons": singletons,
        "scope": scope,
        "missing_documents": missing,
    }
    paths = write(tmp_path_factory.mktemp("tables"), *rows)
    (ours,) = explain_files(paths[0], [paths[1]], Settings(**how))
    theirs = duckdb.explain(*map(table, rows), threads=1, **how)
    for name in COUNTED:
        assert getattr(ours, name) == getattr(theirs, name), name
    documents = [{row[0] for row in side} for side in rows]
    if singletons == "keep" and documents[0] == documents[1]:
        assert ours.rows == theirs.rows


def test_metrics_do_not_change_the_workload() -> None:
    pytest.importorskip("duckdb")
    from sameas.run.engines import duckdb

    generator = random.Random(1)
    key, response = (
        table([(d, m, generator.randrange(6)) for d in range(5) for m in range(9)])
        for _ in range(2)
    )
    plans = [
        duckdb.explain(key, response, metrics=metrics, threads=1)
        for metrics in ("muc", "ceafe", None, ["ceafe", "b3_0"])
    ]
    assert len(set(plans)) == 1
    assert plans[0].alone + plans[0].star_cells + plans[0].component_cells == plans[0].cells


def test_the_workload_is_that_of_scoring(tmp_path: Path) -> None:
    key = [("a", m, m // 3) for m in range(9)] + [("b", 0, 0), ("b", 1, 0)]
    response = [("a", m, m // 2) for m in range(9)]
    paths = write(tmp_path, key, response)
    (plan,) = explain_files(paths[0], [paths[1]], Settings(missing_documents="skip"))
    assert (plan.documents, plan.largest_document, plan.entities) == (1, 9, (3, 5))
    (plan,) = explain_files(paths[0], [paths[1]], Settings())
    assert (plan.documents, plan.entities) == (2, (4, 5))
    result = sameas.score(*paths)
    assert plan.rows == (result["mention"].counts[1], result["mention"].counts[3])  # type: ignore[index]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with raises_problems("cannot-read"):
        explain_files(str(tmp_path / "no"), [str(tmp_path / "no")], Settings())


# --- presentation ----------------------------------------------------------------------------


def plan_of(*numbers: int) -> Workload:
    return Workload("duckdb", "x " * 60, (10**9, 10**9), 1, 10**9, (10**8, 10**8), *numbers)


def test_plans_fit_eighty_columns() -> None:
    plans = [("a.parquet", plan_of(10**9, 1, 1, 2, 1, 5, 5)), ("b", plan_of(0, 0, 0, 0, 0, 0, 0))]
    text = render_plans(plans)
    assert max(map(len, text.splitlines())) <= 80
    assert "1,000,000,000 in the key" in text
    assert "in 1 component, the largest of 5" in text
    assert "the rest  nothing" in text
    assert text.startswith("a.parquet\n")


def test_plans_of_records_leave_addresses_as_they_are() -> None:
    numbers = (9, 9), 1, 9, (5, 5), 8, 1, 0, 0, 2, 7, 4
    plan = Workload("spark", "on spark://key:7077", *numbers, of_records=True)
    text = render_plans([("a", plan)])
    assert "spark://key:7077" in text
    assert "in the truth" in text


def test_one_response_given_twice_is_shown_twice() -> None:
    plan = plan_of(0, 0, 0, 0, 0, 0, 0)
    assert render_plans([("a", plan), ("a", plan)]).count("rows") == 2
