"""Run commands of sameas, in this process or in a separate one."""

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
    """A stream that stores what is written to it, as text or as bytes."""

    def __init__(self, content: bytes = b"") -> None:
        super().__init__(io.BytesIO(content), encoding="utf-8", newline="")

    def text(self) -> str:
        self.flush()
        return self.buffer.getvalue().decode()  # type: ignore[attr-defined, no-any-return]


def write(name: str, content: str | bytes) -> None:
    """Write a file to the folder in which commands run."""
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())


def columns(text: str) -> int:
    """Return the width of a text on a terminal."""
    return max(map(text_width, text.splitlines()), default=0)


def unwrapped(text: str) -> str:
    """Return a text with the wrapped lines of notes and signatures joined."""
    return text.replace("\n  ", " ").replace(" |", "|")


def run(*arguments: object) -> tuple[int, str, str]:
    """Run a command and return its exit code, output and messages."""
    out, err = Stream(), Stream()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as caught:
        main([str(argument) for argument in arguments])
    assert isinstance(caught.value.code, int)
    return caught.value.code, out.text(), err.text()


def good(*arguments: object) -> str:
    """Return the output of a command that succeeds without messages."""
    code, out, err = run(*arguments)
    assert (code, err) == (0, "")
    return out


def refused(*arguments: object) -> tuple[int, str]:
    """Return the exit code and the message of a command without output."""
    code, out, err = run(*arguments)
    assert out == ""
    assert "Traceback" not in err
    return code, err


def shell(
    *arguments: object, stdin: bytes = b"", **named: object
) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a separate process."""
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        [sys.executable, "-m", "sameas", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        check=False,
        **named,
    )


def restore_signals() -> None:
    """Restore the default signal handlers, for `preexec_fn`.

    Background processes start with SIGINT ignored, and processes under nohup with SIGHUP ignored.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
