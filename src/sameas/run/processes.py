"""Run tasks one after another in one process, or share them among several."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from types import ModuleType
from typing import Any, TypeVar

from sameas.errors import UsageError, WorkError

__all__ = ["count_jobs", "run_tasks"]

Given = TypeVar("Given")
Done = TypeVar("Done")


def count_jobs(jobs: int | str) -> int:
    """Return the number of processes that `jobs` stands for.

    >>> count_jobs(3), count_jobs("all") == count_jobs(0) > 0
    (3, True)
    """
    if jobs == "all":
        jobs = 0
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 0:
        raise UsageError("jobs", value=jobs)
    if jobs:
        return jobs
    # The process may be restricted to some of the machine's cores.
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def run_tasks(do: Callable[[Given], Done], tasks: Iterable[Given], jobs: int) -> Generator[Done]:
    """Yield results in task order, using `jobs` processes.

    An exception in a task is raised when its result is due, so that it does not matter which task
    finishes first. With more than one process, `do`, the tasks and the results are pickled, and
    `do` must not depend on anything that `__main__` has changed. The processes end with the
    generator, so close it.

    >>> list(run_tasks(abs, [1, -2, 3], jobs=1))
    [1, 2, 3]
    """
    if jobs > 1:
        from multiprocessing import current_process

        # Processes of a pool are daemonic, and may not start processes.
        jobs = 1 if current_process().daemon else jobs
    yield from map(do, tasks) if jobs == 1 else _run_in_processes(do, tasks, jobs)


def _run_in_processes(
    do: Callable[[Given], Done], tasks: Iterable[Given], jobs: int
) -> Iterator[Done]:
    done: dict[int, Any] = {}
    numbered = enumerate(tasks)
    taken = 0
    with closing(_Workers(do)) as workers:
        while True:
            for number, task in islice(numbered, jobs - len(workers.busy)):
                workers.give(number, task)
            if not workers.busy:
                return
            done.update(workers.finished())
            while taken in done:
                found = done.pop(taken)
                if isinstance(found, Exception):
                    raise found
                yield found
                taken += 1


class _Workers:
    """Worker processes; a new one is started if all existing ones are busy."""

    def __init__(self, do: Callable[[Any], Any]) -> None:
        self.do = do
        self.processes: dict[Any, Any] = {}  # keyed by connection
        self.busy: dict[Any, int] = {}  # task numbers, keyed by connection

    def give(self, number: int, task: object) -> None:
        """Send a task to a process."""
        connection = next((one for one in self.processes if one not in self.busy), None)
        if connection is None:
            connection, process = _start(self.do)
            self.processes[connection] = process
        self.busy[connection] = number
        try:
            connection.send(task)
        except OSError:
            raise _died(self.processes[connection]) from None

    def finished(self) -> Iterator[tuple[int, Any]]:
        """Wait for tasks to finish, and yield their numbers and results."""
        from multiprocessing.connection import wait

        ready: list[Any] = wait(list(self.busy))
        for connection in ready:
            try:
                found = connection.recv()
            except (EOFError, OSError):
                raise _died(self.processes[connection]) from None
            yield self.busy.pop(connection), found

    def close(self) -> None:
        """Kill the processes, which have nothing to clean up."""
        for process in self.processes.values():
            process.kill()
        for connection, process in self.processes.items():
            process.join()
            connection.close()


def _start(do: Callable[[Any], Any]) -> tuple[Any, Any]:
    """Start a worker process; return the connection to it, and the process."""
    from multiprocessing import get_context

    # Not `fork`, which copies locks held by other threads and does not exist on every system.
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, do), daemon=True)
    try:
        with _isolated():
            process.start()
    except OSError as error:
        raise WorkError("no-process", reason=error.strerror) from None
    theirs.close()
    return ours, process


@contextmanager
def _isolated() -> Iterator[None]:
    """Keep a process, while it starts, from running the user's script and receiving Ctrl-C.

    A new process imports `__main__`, which is not needed here: scripts without a guard would run
    again in it, and interactive input cannot be imported. Ctrl-C goes to every process of the
    terminal; only the main process handles it, and ends the others.
    """
    import signal

    block = getattr(signal, "pthread_sigmask", None)  # not on Windows
    before = block(signal.SIG_BLOCK, {signal.SIGINT}) if block else None
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
        if block:
            block(signal.SIG_SETMASK, before)


def _serve(connection: Any, do: Callable[[Any], Any]) -> None:
    """Run tasks as they arrive, until the connection is closed."""
    import gc
    import signal

    gc.disable()  # as on the command line, because a piece creates no cycles
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        while True:
            task = connection.recv()
            try:
                found: Any = do(task)
            except Exception as error:
                found = error
            connection.send(found)
    except (EOFError, OSError, KeyboardInterrupt):
        pass


def _died(process: Any) -> WorkError:
    process.join(1)
    code = process.exitcode
    if code and code < 0:
        return WorkError("process-died", how="signal", number=-code)
    return WorkError("process-died", number=code)
