"""Progress: a bar on a terminal after one second, or one log line per step."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack

__all__ = ["Progress"]

PATIENCE = 1.0
WIDTH = 20


class Progress:
    """Show the progress on standard error.

    On a terminal, this is a bar. Elsewhere, nothing is written, unless `log` requests one line per
    step, with the seconds since the start.

    >>> with Progress(2) as progress:
    ...     progress.step("reading")
    """

    def __init__(self, steps: int, log: bool = False) -> None:
        self.steps, self.done, self.what = steps, -1, ""
        self.log = log and sys.stderr is not None and not sys.stderr.isatty()
        self.began = time.monotonic()
        self.ending = ExitStack()
        self.signals: Sequence[int] = ()  # signals to stop that a library may have swallowed

    def __enter__(self) -> Progress:
        if sys.stderr is not None and sys.stderr.isatty():
            import threading

            stop = threading.Event()
            thread = threading.Thread(target=self._show, args=(stop.wait,), daemon=True)
            thread.start()
            self.ending.callback(thread.join)
            self.ending.callback(stop.set)
        return self

    def step(self, what: str) -> None:
        """Begin the next step, unless a signal to stop has arrived."""
        if self.signals:
            raise KeyboardInterrupt
        self.done += 1
        self.what = what
        if self.log:
            seconds = time.monotonic() - self.began
            print(f"sameas: {seconds:.0f} s: {what}", file=sys.stderr, flush=True)

    def tell(self, what: str, done: float | None) -> None:
        """Begin the next step; `done` is the share of the work done so far, if known."""
        self.step(what)
        if done is not None:
            self.done = int(done * self.steps)

    def _show(self, ends_within: Callable[[float], bool]) -> None:
        if ends_within(PATIENCE):
            return
        while not ends_within(0.2):
            full = WIDTH * max(self.done, 0) // self.steps
            bar = "█" * full + "░" * (WIDTH - full)
            seconds = time.monotonic() - self.began
            line = f"\r\x1b[K{bar} {seconds:3.0f} s  {self.what[-46:]}"
            print(line, end="", file=sys.stderr, flush=True)
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def __exit__(self, *_: object) -> None:
        self.ending.close()
