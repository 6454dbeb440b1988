"""One task after another in one process, or in several that share them."""

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
    """The number of processes that `jobs` asks for.

    >>> count_jobs(3), count_jobs("all") == count_jobs(0) > 0
    (3, True)
    """
    if jobs == "all":
        jobs = 0
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 0:
        raise UsageError("jobs", value=jobs)
    if jobs:
        return jobs
    # Fewer than the machine has, where a process is kept to some of them.
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def run_tasks(do: Callable[[Given], Done], tasks: Iterable[Given], jobs: int) -> Generator[Done]:
    """Yield results in task order, using `jobs` processes.

    A task that fails raises when it is its turn, so that it does not matter which is done first.
    With more than one process, `do`, tasks and what comes out of them are pickled, and `do` may not
    depend on what `__main__` has changed. The processes end with the generator: close it.

    >>> list(run_tasks(abs, [1, -2, 3], jobs=1))
    [1, 2, 3]
    """
    if jobs > 1:
        from multiprocessing import current_process

        # A process of somebody's pool may not have processes of its own.
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
    """Processes that do tasks; one is started when all others are busy."""

    def __init__(self, do: Callable[[Any], Any]) -> None:
        self.do = do
        self.processes: dict[Any, Any] = {}  # by the connection to each
        self.busy: dict[Any, int] = {}  # the number of the task that each has

    def give(self, number: int, task: object) -> None:
        """Have a process do a task."""
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
        """Wait for tasks, and yield their numbers and what came out of them."""
        from multiprocessing.connection import wait

        ready: list[Any] = wait(list(self.busy))
        for connection in ready:
            try:
                found = connection.recv()
            except (EOFError, OSError):
                raise _died(self.processes[connection]) from None
            yield self.busy.pop(connection), found

    def close(self) -> None:
        """End the processes: they keep nothing that is worth a farewell."""
        for process in self.processes.values():
            process.kill()
        for connection, process in self.processes.items():
            process.join()
            connection.close()


def _start(do: Callable[[Any], Any]) -> tuple[Any, Any]:
    """A new process that does tasks, and the connection to it."""
    from multiprocessing import get_context

    # Not `fork`: it copies locks that other threads hold, and not every system has it.
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, do), daemon=True)
    try:
        with _undisturbed():
            process.start()
    except OSError as error:
        raise WorkError("no-process", reason=error.strerror) from None
    theirs.close()
    return ours, process


@contextmanager
def _undisturbed() -> Iterator[None]:
    """While a process starts: it must not run the user's script again, nor hear Ctrl-C.

    A new process imports `__main__`, which it does not need here: scripts without a guard would
    begin anew in it, and what was typed into an interpreter cannot be imported. Ctrl-C goes to
    every process of the terminal; only ours answers it, and ends the others.
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
    """Do one task after another, until nobody asks any more."""
    import gc
    import signal

    gc.disable()  # as on the command line: a piece leaves no cycles behind
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
