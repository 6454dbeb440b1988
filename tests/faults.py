"""Run a command several times, each time with a different fault while it writes.

The task is read from standard input, and the outcome is written to standard output, both as JSON.
"""

from __future__ import annotations

import json
import os
import pkgutil
import resource
import shutil
import signal
import sys
from contextlib import redirect_stderr, redirect_stdout, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import sameas
from command_line import Stream
from sameas import files
from sameas.cli import main
from sameas.sentences import catalogue

NOBODY = 65534


def contents(folder: Path) -> dict[str, bytes]:
    """Return the contents of all files below a folder, except temporary ones."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".sameas-" not in str(path)
    }


def run(arguments: list[str]) -> tuple[int, str, str]:
    """Return the exit code of a command, its output and its messages."""
    out, err = Stream(), Stream()
    code: Any = 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main(arguments)
        except SystemExit as end:
            code = end.code
    return code, out.text(), err.text()


def run_with(fault: str, arguments: list[str]) -> tuple[int, str]:
    """Return exit code and messages of a command in a new process with a fault.

    The fault is `disk` (full), `output` (cannot be written) or the name of a signal.
    """
    begun, go, messages = os.pipe(), os.pipe(), os.pipe()
    child = os.fork()
    if not child:
        os.close(go[1])
        os.dup2(messages[1], 2)
        os.dup2(os.open("/dev/full" if fault == "output" else os.devnull, os.O_WRONLY), 1)
        sys.stdout, sys.stderr = open(1, "w"), open(2, "w")  # noqa: SIM115
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup sets it to be ignored
        if fault == "disk":
            resource.setrlimit(resource.RLIMIT_FSIZE, (30, 30))
        elif fault != "output":
            whole = files.replacing._write_all

            def by_halves(file: Any, data: bytes, check: Any) -> None:
                whole(file, data[: len(data) // 2], check)
                os.write(begun[1], b"!")
                os.read(go[0], 1)  # wait for the signal
                whole(file, data[len(data) // 2 :], check)

            files.replacing._write_all = by_halves
        try:
            main(arguments)
        except SystemExit as end:
            sys.stderr.flush()
            os._exit(int(end.code or 0))
        finally:
            os._exit(99)
    for pipe in (begun[1], go[0], messages[1]):
        os.close(pipe)
    if os.read(begun[0], 1):
        os.kill(child, signal.Signals[fault])
    os.close(go[1])
    with open(messages[0], encoding="utf-8") as file:
        text = file.read()
    os.close(begun[0])
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), text


def run_with_each(arguments: list[str], faults: list[str], keep: bool) -> dict[str, Any]:
    """Run a command once, change the files it has written, and test whether they survive faults."""
    here = Path()
    before = contents(here)
    fresh = [*run_with("SIGTERM", arguments), contents(here) == before]
    found: dict[str, Any] = {"fresh": fresh, "first": run(arguments)}
    new = contents(here)
    written = [name for name in new if name not in before]
    earlier = new if keep else {**new, **dict.fromkeys(written, b"earlier")}
    for fault in faults:
        for name in written:
            Path(name).write_bytes(earlier[name])
        code, text = run_with(fault, arguments)
        now = contents(here)
        state = "earlier" if now == earlier else "new" if now == new else "broken"
        left = [path for path in here.rglob(".sameas-*") if ".sameas-" not in str(path.parent)]
        found[fault] = [code, text, state, len(left)]
        for path in left:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    return {**found, "written": written}


def load_all() -> None:
    """Load all modules and sentences, because they may be in a folder that only root can read."""
    for module in pkgutil.walk_packages(sameas.__path__, "sameas."):
        if not module.name.endswith("__main__"):
            with suppress(ImportError):
                import_module(module.name)
    catalogue()


if __name__ == "__main__":
    task = json.load(sys.stdin)
    if "faults" in task:
        found: Any = run_with_each(**task)
    else:
        load_all()
        for arguments in task["before"]:
            run(arguments)
        if os.getuid() == 0:  # root may read and write everything
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        found = [run(arguments) for arguments in task["commands"]]
    print(json.dumps(found))
