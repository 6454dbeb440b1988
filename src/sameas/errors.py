"""What can go wrong, said so that a person can mend it: what, where, and the next step."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

__all__ = [
    "InputError",
    "Problem",
    "SameasError",
    "UsageError",
    "collapse",
    "counted",
    "how_to_install",
    "not_json",
    "require",
    "shortened",
    "suggest",
    "visible",
    "written",
]


LONGEST = 1000  # characters of a message


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong or odd in an input, with its place and a hint.

    >>> print(Problem("entity 17 is never closed", "gold.conll", 1042, 31, "add `17)`"))
    gold.conll:1042:31: entity 17 is never closed
      hint: add `17)`
    """

    message: str
    path: str = ""
    line: int = 0
    column: int = 0
    hint: str = ""
    severity: str = "error"  # error: cannot be scored; warning: scored by a stated policy

    @property
    def place(self) -> str:
        """`file:line:column`, as far as it is known."""
        if not self.line:
            return self.path
        return f"{self.path}:{self.line}:{max(self.column, 1)}"

    def __str__(self) -> str:
        """`file:line:column: what is wrong`, then the hint."""
        mark = "" if self.severity == "error" else f"{self.severity}: "
        message, hint = shortened(self.message, LONGEST), shortened(self.hint, LONGEST)
        place = shortened(self.place, LONGEST)
        text = f"{place}: {mark}{message}" if place else f"{mark}{message}"
        return visible(f"{text}\n  hint: {hint}" if hint else text)


def visible(text: str) -> str:
    """The text with what a terminal would take for orders written out.

    >>> visible("a\\x1b[31mb")
    'a\\\\x1b[31mb'
    """
    if text.isprintable():
        return text
    return "".join(
        sign.encode("unicode_escape").decode()
        if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp") and sign != "\n"
        else sign
        for sign in text
    )


def written(problems: Iterable[Problem]) -> Iterator[str]:
    """The problems as text; a hint that was just given is not repeated.

    >>> problems = [Problem("x is wrong", hint="mend it"), Problem("y is", hint="mend it")]
    >>> print("\\n".join(written(problems)))
    x is wrong
      hint: mend it
    y is
    """
    hint = ""
    for problem in problems:
        yield str(replace(problem, hint="") if problem.hint == hint else problem)
        hint = problem.hint or hint


def collapse(problems: Iterable[Problem], shown: int = 1) -> list[Problem]:
    """The first `shown` warnings of each kind in each file, and how many more there are.

    Warnings are of one kind if they differ in numbers, names and quoted words only. Errors all
    stay: each has to be mended.

    >>> odd = [Problem(f"word {n} is odd", "a", n, 1, severity="warning") for n in (3, 7, 9)]
    >>> [str(problem) for problem in collapse(odd)]
    ['a:3:1: warning: word 3 is odd (and 2 more like this)']
    """
    problems = list(problems)
    groups: dict[tuple[str, ...], list[int]] = {}
    for place, problem in enumerate(problems):
        if problem.severity != "error":
            kind = (problem.path, problem.severity, problem.hint, _shape(problem.message))
            groups.setdefault(kind, []).append(place)
    hidden: set[int] = set()
    for places in groups.values():
        more = len(places) - shown
        if more > 0:
            hidden.update(places[shown:])
            last = problems[places[shown - 1]]
            message = f"{last.message} (and {more:,} more like this)"
            problems[places[shown - 1]] = replace(last, message=message)
    return [problem for place, problem in enumerate(problems) if place not in hidden]


_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|“[^”]*”")
_NAMED = re.compile(r"\b(document|entity|mention|column|field) \S+")
_ODD = re.compile(r"\S*[\d=|/_<…]\S*(?: \S*[\d=|/_<…]\S*)*")


def _shape(message: str) -> str:
    """A message without what differs from place to place."""
    return _ODD.sub("0", _NAMED.sub(r"\1 0", _QUOTED.sub("0", message)))


class SameasError(Exception):
    """The root of every error that sameas raises on purpose."""


class UsageError(SameasError):
    """A wrong argument: an unknown metric, option value or kind of input."""

    def __init__(self, message: str) -> None:
        super().__init__(shortened(message, LONGEST))


class InputError(SameasError):
    """An input that cannot be scored; `problems` says what and where.

    >>> raise InputError([Problem("no documents", "empty.conll", 1, 1)])
    Traceback (most recent call last):
    ...
    sameas.errors.InputError: empty.conll:1:1: no documents
    """

    shown = 20

    def __init__(self, problems: Sequence[Problem], advice: str = "") -> None:
        self.problems = tuple(problems)
        self.advice = advice  # what helps against all of them
        super().__init__(self.problems)

    def __str__(self) -> str:
        """The problems, one after another; past the first twenty only their number."""
        problems = collapse(self.problems)
        lines = list(written(problems[: self.shown]))
        more = len(problems) - self.shown
        lines += [f"… and {more:,} more problems"] if more > 0 else []
        return "\n".join([*lines, self.advice] if self.advice else lines)


def shortened(text: str, most: int = 200) -> str:
    """The text, or its beginning and end if it is long: what a user gave may be.

    >>> shortened("one two three four five", 13)
    'one two … ive'
    """
    if len(text) <= most:
        return text
    end = (most - 3) // 3
    return f"{text[: most - 3 - end]} … {text[len(text) - end :]}"


def require(value: object, kinds: type | tuple[type, ...], what: str, expected: str) -> None:
    """Refuse an argument of another type.

    >>> require(3, str, "title", "a string")
    Traceback (most recent call last):
    ...
    sameas.errors.UsageError: title must be a string, not 3
    """
    if not isinstance(value, kinds):
        raise UsageError(f"{what} must be {expected}, not {value!r:.60}")


def counted(number: int, noun: str) -> str:
    """How many there are, in words that fit.

    >>> counted(1, "entity"), counted(2000, "entity"), counted(0, "name")
    ('1 entity', '2,000 entities', '0 names')
    """
    many = noun if number == 1 else noun[:-1] + "ies" if noun[-1] == "y" else noun + "s"
    return f"{number:,} {many}"


def not_json(reason: str) -> str:
    """What is wrong with broken JSON; the place, with which Python ends it, is told apart.

    >>> not_json("Unterminated string starting at"), not_json("Invalid control character at")
    ('not JSON: Unterminated string', 'not JSON: Invalid control character')
    """
    return f"not JSON: {reason.removesuffix(' at').removesuffix(' starting').rstrip(': ')}"


def how_to_install(*packages: str) -> str:
    """Return the command that installs packages for this Python, whatever environment is active.

    >>> how_to_install("pyspark>=4", "pandas").endswith(" -m pip install 'pyspark>=4' pandas")
    True
    """
    import shlex
    import sys

    return shlex.join([sys.executable or "python3", "-m", "pip", "install", *packages])


def suggest(name: str, known: Iterable[str]) -> str:
    """Name the nearest known word and list them all.

    >>> suggest("mucc", ["muc", "b3"])
    'did you mean muc? Known: muc, b3'
    """
    from difflib import get_close_matches

    known = list(known)
    near = get_close_matches(name.lower(), known, n=1, cutoff=0.5)
    guess = f"did you mean {near[0]}? " if near else ""
    return f"{guess}Known: {', '.join(known)}"
