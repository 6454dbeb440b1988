"""Run a plan and return its results; every way of scoring calls `run`.

A driver provides rows: it reads, matches and measures a few documents at a time. There are drivers
for this process (`memory`), for pieces of large files shared by several processes (`pieces`), for
documents that a caller adds one by one (`online`), and for databases (`engines`). Everything that
drivers share is here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal

from sameas.errors import UsageError, unknown
from sameas.metrics.statistics import choose_metrics
from sameas.results.joining import join_results
from sameas.results.result import Result
from sameas.run.processes import count_jobs
from sameas.settings import Options, Settings

__all__ = ["ENGINES", "Engine", "Plan", "Tell", "run", "silent"]

Engine = Literal["memory", "duckdb", "spark"]
Tell = Callable[[str, float | None], None]  # the current step; the share of all work done
#: The modules whose `rows` function computes the rows of a plan.
ENGINES = {
    "memory": "sameas.run.memory",
    "duckdb": "sameas.run.engines.duckdb",
    "spark": "sameas.run.engines.spark",
}
LARGE = 1 << 22  # bytes; a larger file may be worth cutting


def silent(text: str, done: float | None = None) -> None:
    """Ignore progress messages.

    >>> silent("reading")
    """


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Plan:
    """What to score, how, and with which engine.

    The responses share one key, which is read once. With `jobs`, large files are scored in pieces
    by that many processes, and results contain rows of numbers but no documents; an engine uses
    that many threads.
    """

    key: Any
    responses: Sequence[Any]
    settings: Settings
    metrics: Sequence[str]
    format: str | None = None
    engine: str = "memory"
    jobs: int | str | None = None
    tell: Tell = silent
    resources: Mapping[str, Any] = field(default_factory=dict)  # options of an engine
    rows: Callable[[Plan], Iterator[Sequence[Result]]] | None = None  # replaces the engine's driver

    def __post_init__(self) -> None:
        """Raise `UsageError` for options that the engine lacks, whatever the size of the input."""
        if self.engine not in ENGINES:
            raise unknown("engine", self.engine, ENGINES)
        if self.jobs is not None:
            count_jobs(self.jobs)
        given = [name for name, value in self.resources.items() if value is not None]
        if "master" in given and self.engine != "spark":
            raise UsageError("only-for-engine", how="spark", option="master")
        for name in ("memory", "work"):
            if name in given and self.engine == "memory":
                raise UsageError("only-for-engine", how="both", option=name)
        if self.format is not None and self.engine != "memory":
            raise UsageError("engine-format", engine=self.engine)
        if "master" in given and self.jobs is not None:
            raise UsageError("master-jobs")

    @classmethod
    def of(
        cls,
        key: Any,
        responses: Sequence[Any],
        metrics: str | Sequence[str] | None,
        options: Options,
        **more: Any,
    ) -> Plan:
        """Return a plan with a caller's metrics and options; `more` contains further fields."""
        return cls(
            key=key,
            responses=responses,
            settings=Settings.of(**options),
            metrics=choose_metrics(metrics, options.get("preset")),
            **more,
        )


def _driver(plan: Plan) -> str:
    """Return the name of the module whose `rows` function computes the rows of a plan."""
    large = plan.jobs is not None and _may_be_large(plan.key, *plan.responses)
    return "sameas.run.pieces" if large and plan.engine == "memory" else ENGINES[plan.engine]


def _may_be_large(*paths: object) -> bool:
    """Return whether some files may be worth cutting; an exact answer would need an import."""
    if not all(isinstance(path, (str, os.PathLike)) for path in paths):
        return False
    try:
        return any(os.path.isdir(path) or os.path.getsize(path) > LARGE for path in paths)  # type: ignore[arg-type]
    except (OSError, ValueError):  # standard input, or an error that reading will report
        return False


def run(plan: Plan) -> list[Result]:
    """Return the result of each response of a plan.

    A driver yields the results of a few documents at a time, one per response; these are joined.

    >>> plan = Plan(key=[["a", "b"]], responses=[[["a"]]], settings=Settings(), metrics=["muc"])
    >>> run(plan)
    [<Result response: 1 documents, muc 0.00>]
    """
    rows = plan.rows or import_module(_driver(plan)).rows
    return [join_results(parts) for parts in zip(*rows(plan), strict=True)]
