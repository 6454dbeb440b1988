"""`sameas score --engine` and `--plan`: tables larger than memory, and the amount of work."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib import import_module
from typing import Any

from sameas.cli.options import Arguments, refuse
from sameas.cli.plans import score_files
from sameas.cli.progress import Progress
from sameas.errors import SameasError
from sameas.matching.breakdown import CLASSES
from sameas.results.result import Result
from sameas.run import ENGINES, Plan
from sameas.run.engines.workload import Workload
from sameas.show.plan import render_plans

__all__ = ["run_engine"]

STEPS = 10
REPORTED = 100_000_000  # bytes of memory for CEAF; a note reports larger amounts
LOGGED = 10_000_000  # bytes; larger tables take long enough for one log line per step


def run_engine(
    options: Arguments, key: str, responses: Sequence[str], plan: Plan
) -> list[Result] | None:
    """Return the results of an engine; with --plan, print the amount of work and return None."""
    _check(options)
    spark = options.engine == "spark"
    log = spark or (options.engine == "duckdb" and _are_large(key, *responses))
    with (
        Progress(STEPS * len(responses) + spark, log) as progress,
        _interruptible(spark) as signals,
    ):

        def planned(work: Workload) -> None:
            progress.step(work.sentence)
            if work.memory > REPORTED and not progress.log:
                print(f"note: {work.sentence}", file=sys.stderr)

        plan = replace(plan, jobs=options.jobs, resources={**plan.resources, "planned": planned})
        if spark:
            progress.step("starting Spark")
        if not options.plan:
            progress.signals = signals
            return score_files(plan, key, responses, progress)
        found = _planned_work(plan, key, responses, progress)
    print(render_plans(list(zip(responses, found, strict=True)), options.style or "text"))
    return None


def _planned_work(
    plan: Plan, key: str, responses: Sequence[str], progress: Progress
) -> list[Workload]:
    """Return the amount of work for each response."""
    if plan.engine == "memory":
        from sameas.run.engines.explaining import explain_files

        progress.step(f"reading {key}")
        return explain_files(key, responses, plan.settings, plan.format)
    from sameas.run.engines.sql import explain_on

    with import_module(ENGINES[plan.engine]).opened_for(plan) as engine:
        return explain_on(engine, replace(plan, key=key, responses=responses, tell=progress.tell))


def _are_large(*paths: str) -> bool:
    """Return whether tables are large enough for one log line per step."""
    from sameas.run.engines.files import find_files

    try:
        files = [file for path in paths for file in find_files(path).files]
        return sum(map(os.path.getsize, files)) > LOGGED
    except (SameasError, OSError, ValueError):  # reported when they are read
        return False


@contextmanager
def _interruptible(spark: bool) -> Iterator[list[int]]:
    """Record signals to stop, and yield the list of them.

    An engine may swallow signals while it loads a library. A call to Java cannot be interrupted,
    but the Java process can be ended; pending calls then fail. Ctrl-C is left to the command line;
    after another signal the exit code is 128 + its number, as in shells.
    """
    signals: list[int] = []
    before: dict[int, Any] = {}

    def record(number: int, _: object) -> None:
        signals.append(number)
        if spark:
            import logging

            from sameas.run.engines.spark_start import end_java

            logging.disable()  # errors from Java are expected now
            end_java()
        raise KeyboardInterrupt

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is None or signal.getsignal(number) == signal.SIG_IGN:
            continue  # ignored by a background job, or under nohup
        with suppress(ValueError):  # only the main thread can handle signals
            before[number] = signal.signal(number, record)
    try:
        yield signals
    except BaseException:
        if not signals:
            raise
        if signals[-1] == signal.SIGINT:
            raise KeyboardInterrupt from None
        raise SystemExit(128 + signals[-1]) from None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _check(options: Arguments) -> None:
    """Reject options that do not apply."""
    if options.plan:
        for name in ("interval", "by", "by_document", "plot"):
            refuse(getattr(options, name), "explain-only", option=name.replace("_", "-"))
        refuse(options.style not in (None, "text", "json"), "explain-style")
        refuse(options.jobs is not None, "explain-only", option="jobs")
        refuse(options.digits != 2, "explain-only", option="digits")
    if options.engine != "memory":
        refuse(options.by in CLASSES or options.plot is not None, "engine-classes")
        refuse(options.by == "genre", "engine-genres")
        refuse(options.example, "not-for", option="example", what="an engine")
