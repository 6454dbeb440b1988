"""`sameas score --engine` and `--explain`: tables larger than memory, and what there is to do."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any

from sameas.cli.progress import Progress
from sameas.cli.score import refuse_engine_options
from sameas.coref.breakdown import CLASSES
from sameas.engines.sql import Plan
from sameas.errors import SameasError, UsageError, suggest
from sameas.output.plan import render_plans
from sameas.result import Result
from sameas.signature import Settings

__all__ = ["run_engine"]

ENGINES = ("memory", "duckdb", "spark")
STEPS = 10
TOLD = 100_000_000  # bytes that CEAF needs before it is worth a line
LOGGED = 10_000_000  # bytes of tables that take long enough for a line per step


def run_engine(
    options: argparse.Namespace,
    key: str,
    responses: Sequence[str],
    settings: Settings,
    metrics: Sequence[str],
) -> list[Result] | None:
    """The results of an engine; None if only the plan was wanted, which is printed."""
    if options.engine not in ENGINES:
        raise UsageError(f"unknown engine {options.engine}: {suggest(options.engine, ENGINES)}")
    _check(options)
    found: list[Any] = []
    spark = options.engine == "spark"
    interrupt = _Interrupt(spark)
    log = spark or (options.engine == "duckdb" and _are_large(key, *responses))
    with Progress(STEPS * len(responses) + spark, log) as progress, interrupt:

        def tell(text: str) -> None:
            interrupt.check()
            progress.step(text)

        def planned(plan: Plan) -> None:
            tell(plan.sentence)
            if plan.memory > TOLD and not progress.log:
                print(f"note: {plan.sentence}", file=sys.stderr)

        if options.engine == "memory":
            from sameas.engines.memory import explain_files

            progress.step(f"reading {key}")
            found += explain_files(key, responses, settings, options.format)
        else:
            if spark:
                tell("starting Spark")
            with _opened(options) as engine:
                found += [
                    engine.score(
                        key,
                        response,
                        settings,
                        metrics,
                        tell=tell,
                        planned=planned,
                        explain=options.explain,
                    )
                    for response in responses
                ]
    if options.explain:
        print(render_plans(list(zip(responses, found, strict=True)), options.style or "text"))
        return None
    return found


def _are_large(*paths: str) -> bool:
    """Whether tables are large enough for a line per step in a log."""
    from sameas.engines.files import find_files

    try:
        files = [file for path in paths for file in find_files(path).files]
        return sum(map(os.path.getsize, files)) > LOGGED
    except (SameasError, OSError, ValueError):  # said when they are read
        return False


class _Interrupt:
    """Remembers a signal to stop: an engine that is loading a library of its own may swallow it.

    A call to Java cannot be interrupted; Java itself can, and the calls on the way out then fail.
    Ctrl-C is for the command line to answer; after another signal the exit code is 128 + its
    number, as a shell has it.
    """

    def __init__(self, spark: bool) -> None:
        self.spark = spark
        self.heard: int | None = None
        self.before: dict[int, Any] = {}

    def __enter__(self) -> _Interrupt:
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)  # Windows has no SIGHUP
            if number is None or signal.getsignal(number) == signal.SIG_IGN:
                continue  # as for a job in the background, or under nohup
            with contextlib.suppress(ValueError):  # only the main thread has signals
                self.before[number] = signal.signal(number, self._hear)
        return self

    def _hear(self, number: int, _: object) -> None:
        self.heard = number
        if self.spark:
            import logging

            from sameas.engines.spark import end_java

            logging.disable()  # that Java does not answer is no news
            end_java()
        raise KeyboardInterrupt

    def check(self) -> None:
        if self.heard is not None:
            raise KeyboardInterrupt

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        for number, before in self.before.items():
            signal.signal(number, before)
        if self.heard is None or kind is None:
            return
        if self.heard == signal.SIGINT:
            raise KeyboardInterrupt from None
        raise SystemExit(128 + self.heard) from None


def _opened(options: argparse.Namespace) -> Any:
    if options.engine == "duckdb":
        from sameas.engines import duckdb

        return duckdb.opened(memory=options.memory, work=options.work)
    from sameas.engines import spark

    return spark.opened(options.master, options.memory, options.work)


def _check(options: argparse.Namespace) -> None:
    """Refuse options that mean nothing here."""
    if options.explain:
        for name in ("interval", "by", "by_document", "plot"):
            if getattr(options, name):
                raise UsageError(f"--explain stops before scores; leave out --{_dashed(name)}")
        if options.style not in (None, "text", "json"):
            raise UsageError("a plan is shown as text or --json")
        for name, usual in (("jobs", 1), ("digits", 2)):
            if getattr(options, name) != usual:
                raise UsageError(f"--explain stops before scores; leave out --{name}")
    if options.engine == "memory":
        refuse_engine_options(options)
        return  # only to explain
    if options.engine == "duckdb" and options.master is not None:
        raise UsageError("--master is for --engine spark")
    if options.by in CLASSES or options.plot is not None:
        raise UsageError("classes of mentions need documents; leave out --by and --plot")
    if options.by == "genre":
        raise UsageError("an engine reads no genres; group by names: --by '^[^/_]*'")
    given = {"jobs": options.jobs != 1, "format": options.format, "example": options.example}
    for name, there in given.items():
        if there:
            raise UsageError(f"--{name} is not for an engine")


def _dashed(name: str) -> str:
    return name.replace("_", "-")
