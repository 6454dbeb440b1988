"""Find the line of another program's message that names the cause of an error."""

from __future__ import annotations

import re

from sameas.errors import shortened

__all__ = ["cause"]

LONGEST = 400


def cause(message: str) -> str:
    """Return the line of a message that names the cause, shortened in the middle if it is long.

    This is the last `Caused by:` of a Java stack trace, the exception below a Python traceback, or
    otherwise the message up to the beginning of a Java stack trace.

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
        # The indented lines are followed by the exception; if it has several lines, take the first.
        after = [line for line in lines[traces[-1] + 1 :] if not line.startswith((" ", "\t"))]
        found = after[0] if after else lines[traces[-1]]
    else:
        end = next((at for at, line in enumerate(lines) if stack.match(line)), len(lines))
        found = " ".join(lines[:end])
    return shortened(" ".join(found.split()), LONGEST)
