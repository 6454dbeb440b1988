"""Run commands of sameas, in this process or in one of its own."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from sameas.cli import main
from sameas.show.cells import text_width


class Stream(io.TextIOWrapper):
    """A stream that keeps what is written to it, as text or as bytes."""

    def __init__(self, content: bytes = b"") -> None:
        super().__init__(io.BytesIO(content), encoding="utf-8", newline="")

    def text(self) -> str:
        self.flush()
        return self.buffer.getvalue().decode()  # type: ignore[attr-defined, no-any-return]


def write(name: str, content: str | bytes) -> None:
    """Write a file into the folder in which commands run."""
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())


def columns(text: str) -> int:
    """The width of a text on a terminal."""
    return max(map(text_width, text.splitlines()), default=0)


def unwrapped(text: str) -> str:
    """A text with its wrapped lines, of notes and signatures, joined."""
    return text.replace("\n  ", " ").replace(" |", "|")


def run(*arguments: object) -> tuple[int, str, str]:
    """Exit code, output and messages of a command."""
    out, err = Stream(), Stream()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as caught:
        main([str(argument) for argument in arguments])
    assert isinstance(caught.value.code, int)
    return caught.value.code, out.text(), err.text()


def good(*arguments: object) -> str:
    """The output of a command that ends well and has nothing to say about it."""
    code, out, err = run(*arguments)
    assert (code, err) == (0, "")
    return out


def refused(*arguments: object) -> tuple[int, str]:
    """Exit code and message of a command that prints nothing."""
    code, out, err = run(*arguments)
    assert out == ""
    assert "Traceback" not in err
    return code, err


def shell(
    *arguments: object, stdin: bytes = b"", **named: object
) -> subprocess.CompletedProcess[bytes]:
    """The same in a process of its own."""
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        [sys.executable, "-m", "sameas", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        check=False,
        **named,
    )


def hear_control_c() -> None:
    """For `preexec_fn`: tests in the background start deaf to Ctrl-C, and under nohup to SIGHUP."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
