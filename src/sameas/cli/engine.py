"""`sameas score --engine` and `--explain`: tables larger than memory, and what there is to do."""

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
TOLD = 100_000_000  # bytes that CEAF needs before it is worth a line
LOGGED = 10_000_000  # bytes of tables that take long enough for a line per step


def run_engine(
    options: Arguments, key: str, responses: Sequence[str], plan: Plan
) -> list[Result] | None:
    """The results of an engine; None if only its work was asked for, which is printed."""
    _check(options)
    spark = options.engine == "spark"
    log = spark or (options.engine == "duckdb" and _are_large(key, *responses))
    with Progress(STEPS * len(responses) + spark, log) as progress, _interruptible(spark) as heard:

        def planned(work: Workload) -> None:
            progress.step(work.sentence)
            if work.memory > TOLD and not progress.log:
                print(f"note: {work.sentence}", file=sys.stderr)

        plan = replace(plan, jobs=options.jobs, resources={**plan.resources, "planned": planned})
        if spark:
            progress.step("starting Spark")
        if not options.explain:
            progress.heard = heard
            return score_files(plan, key, responses, progress)
        found = _explained(plan, key, responses, progress)
    print(render_plans(list(zip(responses, found, strict=True)), options.style or "text"))
    return None


def _explained(
    plan: Plan, key: str, responses: Sequence[str], progress: Progress
) -> list[Workload]:
    """What an engine has to do for each response."""
    if plan.engine == "memory":
        from sameas.run.engines.explaining import explain_files

        progress.step(f"reading {key}")
        return explain_files(key, responses, plan.settings, plan.format)
    from sameas.run.engines.sql import explain_on

    with import_module(ENGINES[plan.engine]).opened_for(plan) as engine:
        return explain_on(engine, replace(plan, key=key, responses=responses, tell=progress.tell))


def _are_large(*paths: str) -> bool:
    """Whether tables are large enough for a line per step in a log."""
    from sameas.run.engines.files import find_files

    try:
        files = [file for path in paths for file in find_files(path).files]
        return sum(map(os.path.getsize, files)) > LOGGED
    except (SameasError, OSError, ValueError):  # said when they are read
        return False


@contextmanager
def _interruptible(spark: bool) -> Iterator[list[int]]:
    """Remember a signal to stop: an engine that is loading a library of its own may swallow it.

    A call to Java cannot be interrupted; Java itself can, and the calls on the way out then fail.
    Ctrl-C is for the command line to answer; after another signal the exit code is 128 + its
    number, as a shell has it. What is yielded are the signals that were heard.
    """
    heard: list[int] = []
    before: dict[int, Any] = {}

    def hear(number: int, _: object) -> None:
        heard.append(number)
        if spark:
            import logging

            from sameas.run.engines.spark_start import end_java

            logging.disable()  # that Java does not answer is no news
            end_java()
        raise KeyboardInterrupt

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is None or signal.getsignal(number) == signal.SIG_IGN:
            continue  # as for a job in the background, or under nohup
        with suppress(ValueError):  # only the main thread has signals
            before[number] = signal.signal(number, hear)
    try:
        yield heard
    except BaseException:
        if not heard:
            raise
        if heard[-1] == signal.SIGINT:
            raise KeyboardInterrupt from None
        raise SystemExit(128 + heard[-1]) from None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _check(options: Arguments) -> None:
    """Refuse options that mean nothing here."""
    if options.explain:
        for name in ("interval", "by", "by_document", "plot"):
            refuse(getattr(options, name), "explain-only", option=name.replace("_", "-"))
        refuse(options.style not in (None, "text", "json"), "explain-style")
        refuse(options.jobs is not None, "explain-only", option="jobs")
        refuse(options.digits != 2, "explain-only", option="digits")
    if options.engine != "memory":  # which only explains
        refuse(options.by in CLASSES or options.plot is not None, "engine-classes")
        refuse(options.by == "genre", "engine-genres")
        refuse(options.example, "not-for", option="example", what="an engine")
