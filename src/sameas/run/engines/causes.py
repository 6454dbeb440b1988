"""Find the line of another program's message that names the cause."""

from __future__ import annotations

import re

from sameas.errors import shortened

__all__ = ["cause"]

LONGEST = 400


def cause(message: str) -> str:
    """Return the line of a message that names the cause, shortened in its middle if it is long.

    That is the last line of a Python traceback, the last `Caused by:` of a Java one, and otherwise
    the message up to where Java's stack begins.

    >>> cause('Traceback (most recent call last):\\n  File "x"\\nNameError: y\\n\\tat z')
    'NameError: y'
    >>> cause("java.lang.RuntimeException: a\\n\\tat b\\nCaused by: java.net.BindException: in use")
    'java.net.BindException: in use'
    """
    lines = [line.rstrip() for line in message.splitlines() if line.strip()]
    stack = re.compile(r"\s+at |\s*\.\.\. \d+ more$|JVM stacktrace:")
    if caused := [line for line in lines if line.lstrip().startswith("Caused by:")]:
        found = caused[-1].lstrip().removeprefix("Caused by:")
    elif traces := [at for at, line in enumerate(lines) if "Traceback (most recent" in line]:
        # What follows the indented lines: one line as a rule, and the first of several.
        after = [line for line in lines[traces[-1] + 1 :] if not line.startswith((" ", "\t"))]
        found = after[0] if after else lines[traces[-1]]
    else:
        end = next((at for at, line in enumerate(lines) if stack.match(line)), len(lines))
        found = " ".join(lines[:end])
    return shortened(" ".join(found.split()), LONGEST)
