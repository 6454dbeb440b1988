"""From a plan to results: the one function that every way to score goes through.

A driver knows how to get rows: it reads, matches and measures some documents at a time, in this
process (`memory`), in pieces of large files shared by several processes (`pieces`), one after
another as a caller brings them (`online`), or in a database (`engines`). All else is here, once.
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
Tell = Callable[[str, float | None], None]  # what is done now; how much of all is done
#: The modules whose `rows` make the rows of a plan.
ENGINES = {
    "memory": "sameas.run.memory",
    "duckdb": "sameas.run.engines.duckdb",
    "spark": "sameas.run.engines.spark",
}
LARGE = 1 << 22  # bytes of a file


def silent(text: str, done: float | None = None) -> None:
    """Tell nobody.

    >>> silent("reading")
    """


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Plan:
    """What to score, how, and who does it.

    The responses share one key, which is read once. With a number of `jobs` large files are scored
    in pieces, by that many processes, and results have no documents, only their rows of numbers; an
    engine uses that many threads.
    """

    key: Any
    responses: Sequence[Any]
    settings: Settings
    metrics: Sequence[str]
    format: str | None = None
    engine: str = "memory"
    jobs: int | str | None = None
    tell: Tell = silent
    resources: Mapping[str, Any] = field(default_factory=dict)  # what an engine may use
    rows: Callable[[Plan], Iterator[Sequence[Result]]] | None = None  # instead of an engine's

    def __post_init__(self) -> None:
        """Refuse what an engine does not have, whatever the size of its input."""
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
        """Return the plan of a caller's metrics and options; `more` are other fields."""
        return cls(
            key=key,
            responses=responses,
            settings=Settings.of(**options),
            metrics=choose_metrics(metrics, options.get("preset")),
            **more,
        )


def _driver(plan: Plan) -> str:
    """The module whose `rows` make the rows of a plan."""
    large = plan.jobs is not None and _may_be_large(plan.key, *plan.responses)
    return "sameas.run.pieces" if large and plan.engine == "memory" else ENGINES[plan.engine]


def _may_be_large(*paths: object) -> bool:
    """Whether some files may be worth cutting: to find out exactly takes an import."""
    if not all(isinstance(path, (str, os.PathLike)) for path in paths):
        return False
    try:
        return any(os.path.isdir(path) or os.path.getsize(path) > LARGE for path in paths)  # type: ignore[arg-type]
    except (OSError, ValueError):  # standard input, or what will be told when it is read
        return False


def run(plan: Plan) -> list[Result]:
    """Return the result of each response of a plan.

    A driver yields the results of some documents at a time, one for each response; they add.

    >>> plan = Plan(key=[["a", "b"]], responses=[[["a"]]], settings=Settings(), metrics=["muc"])
    >>> run(plan)
    [<Result response: 1 documents, muc 0.00>]
    """
    rows = plan.rows or import_module(_driver(plan)).rows
    return [join_results(parts) for parts in zip(*rows(plan), strict=True)]
