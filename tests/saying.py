"""Expectations of errors and notes in tests: codes and values, whatever the English.

Only the tests in `tests/wording` contain sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import pytest

from sameas.analysis.findings import DROPPED, MESSAGES
from sameas.errors import InputError, Problem, UsageError, WorkError
from sameas.notes import Note
from sameas.sentences import hint, sentence

__all__ = [
    "codes",
    "did_you_mean",
    "finding",
    "has",
    "is_at",
    "problems_of",
    "raises",
    "raises_problems",
    "says",
    "says_hint",
    "told",
    "unreadable",
]


def says(code: str, /, **values: object) -> str:
    """Return the sentence of the catalogue for a code, to search for in the output of a command."""
    return sentence(code, values)


def says_hint(code: str, /, **values: object) -> str:
    """Return the hint of the catalogue for a code."""
    return hint(code, values)


def did_you_mean(what: str, value: str, near: str) -> str:
    """Return the start of the sentence for an unknown name that is similar to a known one."""
    return says("unknown", how="near unlisted", what=what, value=value, near=near)


def unreadable(path: str, reason: str = "No such file or directory") -> str:
    """Return the message of a command that cannot read a file."""
    return f"{Problem('cannot-read', path, reason=reason)}\n"


def codes(found: Iterable[Note | Problem]) -> list[str]:
    """Return the codes of notes or problems."""
    return [one.code for one in found]


def told(found: Iterable[Problem]) -> list[tuple[object, ...]]:
    """Return the place, the code and the values of each problem, in whichever words it is told."""
    return [
        (one.place, one.code, *(value for name, value in one.values.items() if name != "words"))
        for one in found
    ]


def problems_of(
    function: Callable[..., object], *arguments: object, **named: object
) -> list[Problem]:
    """Return the problems for which a call is refused."""
    with pytest.raises(InputError) as caught:
        function(*arguments, **named)
    assert str(caught.value)
    return list(caught.value.problems)


def has(found: UsageError | WorkError | Problem | Note, code: str, /, **values: object) -> bool:
    """Return whether it has this code, and at least these values."""
    known = {**getattr(found, "__dict__", {}), **found.values}
    return found.code == code and all(
        name in known and known[name] == value for name, value in values.items()
    )


def is_at(problem: Problem, line: int, column: int, code: str, *values: object) -> bool:
    """Return whether a problem has this place and code, and at least these values."""
    place = (problem.line, problem.column, problem.code)
    return place == (line, column, code) and set(values) <= set(problem.values.values())


@contextmanager
def raises(code: str, /, **values: object) -> Iterator[pytest.ExceptionInfo[UsageError]]:
    """Expect a UsageError of this code, with at least these values."""
    with pytest.raises(UsageError) as caught:
        yield caught
    assert has(caught.value, code, **values), (caught.value.code, caught.value.values)
    assert str(caught.value)


@contextmanager
def raises_problems(code: str, /, **values: object) -> Iterator[None]:
    """Expect an InputError whose first problem has this code, with at least these values.

    `path`, `line` and `column` may be among the values.
    """
    with pytest.raises(InputError) as caught:
        yield
    first = caught.value.problems[0]
    assert has(first, code, **values), first
    assert str(caught.value)


def finding(kind: str, what: str, other: str = "", *, gone: str = "", dropped: bool = False) -> str:
    """The message of an error: of `what`, which belongs with `other`."""
    messages = DROPPED if dropped else MESSAGES
    return messages[kind].format(what=what, other=other, dropped=gone)
