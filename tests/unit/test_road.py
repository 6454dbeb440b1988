"""Every way of scoring goes through one function, and options are declared in one place."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import typing
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import sameas
from command_line import good
from sameas import run as road
from sameas.examples import example_path
from sameas.run import memory, pieces
from sameas.run.engines import sql
from sameas.settings import (
    PRESETS,
    Comparing,
    ComparingOptions,
    ConeOptions,
    ConeSettings,
    Options,
    Preset,
    Resampling,
    ResamplingOptions,
    Settings,
)

KEY, RESPONSE = (str(example_path(name)) for name in ("key.conll", "eager.conll"))
ROWS = {
    "document": ["a", "a", "a", "b"],
    "mention": ["x", "y", "z", "x"],
    "entity": ["1", "1", "2", "1"],
}


def update_and_compute() -> sameas.Result:
    scorer = sameas.Scorer()
    scorer.update([["a", "b"]], [["a", "b"]])
    return scorer.compute()


def on_spark(tables: Path) -> sameas.Result:
    if shutil.which("java") is None and "SAMEAS_SPARK" not in os.environ:
        pytest.skip("there is no Java")
    pytest.importorskip("pyspark")
    return sameas.score(tables, tables, engine="spark", master="local[2]", metrics="muc")


WAYS: dict[str, Callable[[Path], Any]] = {
    "sameas score": lambda tables: good("score", KEY, RESPONSE),
    "sameas.score": lambda tables: sameas.score(KEY, RESPONSE),
    "Scorer": lambda tables: update_and_compute(),
    "--jobs 2": lambda tables: good("score", KEY, RESPONSE, "--jobs", "2"),
    "jobs=2": lambda tables: sameas.score(KEY, RESPONSE, jobs=2),
    "--engine duckdb": lambda tables: good("score", tables, tables, "--engine", "duckdb"),
    "engine=duckdb": lambda tables: sameas.score(tables, tables, engine="duckdb"),
    "engine=spark": on_spark,
    "sameas compare": lambda tables: good("compare", KEY, RESPONSE, KEY),
    "sameas.compare": lambda tables: sameas.compare(KEY, {"a": RESPONSE, "b": KEY}),
    "sameas errors": lambda tables: good("errors", KEY, RESPONSE),
    "sameas.report": lambda tables: sameas.report(KEY, RESPONSE),
}


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    pyarrow.parquet.write_table(arrow.table(ROWS), tmp_path / "rows.parquet")
    return tmp_path / "rows.parquet"


#: Spark needs half a minute to start.
MARKED = [pytest.param(way, marks=[pytest.mark.long] if "spark" in way else []) for way in WAYS]


@pytest.mark.parametrize("way", MARKED)
def test_every_way_of_scoring_uses_one_function(
    way: str, tables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sameas.run.LARGE", 0)
    monkeypatch.setattr(pieces, "SMALL", 0)
    monkeypatch.setattr(pieces, "LEAST", 1000)
    inside = 0
    calls: list[tuple[str, bool]] = []
    steps = (memory.score_pairing, pieces.score_pieces, sql.score_relations)
    named = {step.__code__: step.__name__ for step in steps}

    def trace(frame: Any, event: str, argument: object) -> None:
        nonlocal inside
        if frame.f_code is road.run.__code__:
            inside += (event == "call") - (event == "return")
            calls.extend([("run", True)] * (event == "call"))
        elif event == "call" and frame.f_code in named:
            calls.append((named[frame.f_code], inside > 0))

    before = sys.getprofile()
    sys.setprofile(trace)
    try:
        WAYS[way](tables)
    finally:
        sys.setprofile(before)
    assert calls[0] == ("run", True)
    assert all(through for _, through in calls)
    known = {name for name, _ in calls}
    assert ("score_relations" in known) == ("engine" in way)
    assert "score_pieces" in known or "jobs" not in way


@pytest.mark.parametrize(
    ("settings", "options", "shorthands"),
    [
        (Settings, Options, {"preset", "signature"}),
        (ConeSettings, ConeOptions, {"preset", "signature"}),
        (Resampling, ResamplingOptions, set()),
        (Comparing, ComparingOptions, set()),
    ],
)
def test_keywords_are_the_options(settings: Any, options: Any, shorthands: set[str]) -> None:
    declared = {one.name for one in fields(settings)}
    keywords = typing.get_type_hints(options)
    assert set(keywords) - shorthands == declared
    hints = typing.get_type_hints(settings)
    for name in declared:
        assert keywords[name] == hints[name] | None


def test_presets_match_their_type() -> None:
    assert typing.get_args(Preset) == tuple(PRESETS)


TYPES = """
import sameas
sameas.score("k", "r", match="head", singletons="drop", engine="duckdb", jobs=2)
sameas.Scorer(match="head")
sameas.compare("k", {"a": "r"}, test="bootstrap", match="head")
"""
WRONG = {
    'sameas.score("k", "r", match="heads")': "heads",
    'sameas.score("k", "r", matching="head")': "matching",
    'sameas.score("k", "r", engine="duckbd")': "duckbd",
    'sameas.Scorer(singletons="droop")': "droop",
    'sameas.compare("k", {"a": "r"}, test="bootsrap")': "bootsrap",
}


@pytest.mark.long
def test_mypy_refuses_invalid_options(tmp_path: Path) -> None:
    if not os.environ.get("SAMEAS_TYPES"):
        pytest.importorskip("mypy")
    (tmp_path / "good.py").write_text(TYPES)
    (tmp_path / "wrong.py").write_text("import sameas\n" + "\n".join(WRONG))
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "good.py", "wrong.py"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    errors = [line for line in ran.stdout.splitlines() if ": error: " in line]
    assert [line.partition(":")[0] for line in errors] == ["wrong.py"] * len(WRONG), ran.stdout
    for line, (number, word) in zip(errors, enumerate(WRONG.values(), start=2), strict=True):
        assert line.startswith(f"wrong.py:{number}: ") and word in line
