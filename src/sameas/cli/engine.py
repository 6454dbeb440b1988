"""`sameas score --engine` and `--explain`: tables larger than memory, and what there is to do."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
from collections.abc import Sequence
from typing import Any

from sameas.cli.progress import Progress
from sameas.cli.score import refuse_engine_options
from sameas.coref.breakdown import CLASSES
from sameas.engines.sql import Plan
from sameas.errors import UsageError, suggest
from sameas.output.plan import render_plans
from sameas.result import Result
from sameas.signature import Settings

__all__ = ["run_engine"]

ENGINES = ("memory", "duckdb", "spark")
STEPS = 10
TOLD = 100_000_000  # bytes that CEAF needs before it is worth a line


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
    interrupt = _Interrupt(spark=options.engine == "spark")
    with Progress(STEPS * len(responses)) as progress, interrupt:

        def tell(text: str) -> None:
            interrupt.check()
            progress.step(text)

        def planned(plan: Plan) -> None:
            tell(plan.sentence)
            if plan.memory > TOLD:
                print(f"note: {plan.sentence}", file=sys.stderr)

        if options.engine == "memory":
            from sameas.engines.memory import explain_files

            progress.step(f"reading {key}")
            found += explain_files(key, responses, settings, options.format)
        else:
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


class _Interrupt:
    """Remembers Ctrl-C: an engine that is loading a library of its own may swallow it.

    A call to Java cannot be interrupted; Java itself can, and the calls on the way out then fail.
    """

    def __init__(self, spark: bool) -> None:
        self.spark = spark
        self.pressed = False
        self.before: Any = None

    def __enter__(self) -> _Interrupt:
        if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:  # as for a job in the background
            with contextlib.suppress(ValueError):  # only the main thread has signals
                self.before = signal.signal(signal.SIGINT, self._press)
        return self

    def _press(self, *_: object) -> None:
        self.pressed = True
        if self.spark:
            import logging

            from sameas.engines.spark import end_java

            logging.disable()  # that Java does not answer is no news
            end_java()
        raise KeyboardInterrupt

    def check(self) -> None:
        if self.pressed:
            raise KeyboardInterrupt

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self.before is not None:
            signal.signal(signal.SIGINT, self.before)
        if self.pressed and kind is not None:
            raise KeyboardInterrupt from None


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
