"""The command line, with one module for each command."""

from __future__ import annotations

import codecs
import gc
import os
import sys
from io import StringIO

TYPE_CHECKING = False  # typing is slow to import, and Ctrl-C is not silent before `main`
if TYPE_CHECKING:
    from typing import NoReturn

__all__ = ["main"]

INTERRUPTED = 130  # the exit code after Ctrl-C, as in shells

_PLAIN = {
    "─": "-",
    "³": "3",
    "₀": "0",
    "φ": "phi",
    "τ": "tau",
    "λ": "lambda",
    "…": ".",
    "–": "-",
    "−": "-",
    "“": '"',
    "”": '"',
    "‹": "<",
    "›": ">",
    "→": "->",
    "∅": "0",
    "█": "#",
    "░": ".",
}


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Replace a character that the terminal cannot show with similar ASCII characters."""
    assert isinstance(error, UnicodeEncodeError)
    if error.object[error.start] in _PLAIN:
        return _PLAIN[error.object[error.start]], error.start + 1
    return codecs.backslashreplace_errors(error)  # type: ignore[return-value]


def _answer_completion() -> None:
    """Print completions and exit if a shell asks for them."""
    if "_ARGCOMPLETE" in os.environ:
        from sameas.cli.completion import complete

        complete()


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line; exit with status 0, 1 for invalid input, or 2 for a usage error."""
    gc.disable()  # a command is short, and creates no cycles worth collecting
    # numpy would start one thread per core to multiply matrices. Scoring multiplies none, and the
    # narrow matrices of resampling gain little from threads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    code: int | str | None
    try:
        code = _run(arguments)
    except (Exception, KeyboardInterrupt) as error:
        if not _is_interrupted(error):
            raise
        code = INTERRUPTED
    raise SystemExit(code)


def _is_interrupted(error: BaseException | None) -> bool:
    """Return whether Ctrl-C caused an error; Python 3.11 wraps it if it interrupts a class body."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _run(arguments: list[str] | None) -> int | str | None:
    """Run the command line and return the exit code. Imports are here so that Ctrl-C is silent."""
    from sameas.cli.common import run_command
    from sameas.cli.parser import parse
    from sameas.errors import SameasError, UsageError, WorkError, visible

    _answer_completion()

    if sys.stderr is None:  # closed; `print` would write messages among the results
        sys.stderr = StringIO()
    codecs.register_error("sameas", _plain)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="sameas")
    code: int | str | None
    try:
        try:
            options = parse(sys.argv[1:] if arguments is None else arguments)
            code = run_command(options)
        except SystemExit as end:  # argparse has printed help or an error
            code = end.code
        if sys.stdout is not None:
            sys.stdout.flush()
    except SameasError as error:
        text = f"sameas: {visible(str(error))}" if isinstance(error, UsageError) else error
        print(text, file=sys.stderr)
        code = 2 if isinstance(error, UsageError) else 1
    except OSError as error:  # such as a full disk behind standard output
        from sameas.files import discard

        code = 0
        if not isinstance(error, BrokenPipeError):  # the reader stopped early, as `head` does
            code = 1
            print(f"sameas: {WorkError('stdout', reason=error.strerror)}", file=sys.stderr)
        discard(sys.stdout)
    except MemoryError:
        print(f"sameas: {WorkError('memory')}", file=sys.stderr)
        code = 1
    return code
