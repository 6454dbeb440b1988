"""Errors and problems as values: a code, the values of its message, and a position.

`sentences.txt` contains the sentence and the hint for each code.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, Self

from sameas import sentences
from sameas.sentences import counted

__all__ = [
    "InputError",
    "Problem",
    "SameasError",
    "UsageError",
    "WorkError",
    "collapse",
    "counted",
    "how_to_install",
    "json_reason",
    "refuse_problems",
    "repeated",
    "require",
    "shortened",
    "sort_problems",
    "unknown",
    "visible",
    "written",
]


LONGEST = 1000  # maximum length of a message in characters
MORE = "more like this"  # name of the value that counts further problems of the same kind
Severity = Literal["error", "warning"]  # errors prevent scoring; warnings state a policy


@dataclass(frozen=True, init=False)
class Problem:
    """One thing that is wrong or odd in an input: its code, its position, and values.

    Parameters
    ----------
    code
        Which problem it is, such as `"no-documents"`.
    path, line, column
        Where it is; lines and columns are counted from 1, and 0 means unknown.
    severity
        `"error"` if the input cannot be scored, `"warning"` if it can.
    values
        The values of the message, by name.
    **named
        Further values.

    Examples
    --------
    >>> problem = Problem("unknown", "gold.conll", 1042, 31, what="tag", value="X", known=("A",))
    >>> print(problem)
    gold.conll:1042:31: unknown tag X: expected one of A
    >>> problem.code, problem.values["value"]
    ('unknown', 'X')
    """

    code: str
    path: str
    line: int
    column: int
    severity: Severity
    values: Mapping[str, Any] = field(hash=False)

    def __init__(
        self,
        code: str,
        path: str = "",
        line: int = 0,
        column: int = 0,
        severity: Severity = "error",
        values: Mapping[str, Any] | None = None,
        **named: Any,
    ) -> None:
        fields = (code, path, line, column, severity, {**(values or {}), **named})
        self.__dict__.update(zip(self.__dataclass_fields__, fields, strict=True))

    @property
    def message(self) -> str:
        """What is wrong and, if there are any, the number of further problems of this kind."""
        message = sentences.sentence(self.code, self.values)
        if MORE not in self.values:
            return message
        values = {"message": message, "more": self.values[MORE]}
        return sentences.sentence("more-like-this", values)

    @property
    def hint(self) -> str:
        """What to do about it; empty if that is obvious."""
        return sentences.hint(self.code, self.values)

    @property
    def place(self) -> str:
        """The known parts of `file:line:column`, or of `file: row N` for tables without lines."""
        if self.line:
            return f"{self.path}:{self.line}:{max(self.column, 1)}"
        row = f"row {self.values['row']}" if "row" in self.values else ""
        return ": ".join(filter(None, (self.path, row)))

    def __str__(self) -> str:
        """Return `file:line:column: what is wrong`, then the hint."""
        return self.text(self.hint)

    def text(self, hint: str) -> str:
        """Return the problem as `str` does, but with another hint.

        Parameters
        ----------
        hint
            The hint; an empty one is omitted.

        Returns
        -------
        str
            The position, what is wrong, and the hint.

        Examples
        --------
        >>> Problem("no-documents", "empty.conll", 1, 1).text("")
        'empty.conll:1:1: no documents'
        """
        mark = "" if self.severity == "error" else f"{self.severity}: "
        message, hint = shortened(self.message, LONGEST), shortened(hint, LONGEST)
        place = shortened(self.place, LONGEST)
        text = f"{place}: {mark}{message}" if place else f"{mark}{message}"
        return visible(f"{text}\n  hint: {hint}" if hint else text)


def visible(text: str) -> str:
    """Escape the control and format characters in a text, because a terminal might obey them.

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
    """Yield the problems as text; a hint equal to the previous one is not repeated.

    >>> print("\\n".join(written([Problem("crlf", "a"), Problem("crlf", "b")])))
    a: lines end in CR LF
      hint: accepted: read as if lines ended in LF
    b: lines end in CR LF
    """
    hint = ""
    for problem in problems:
        yield problem.text("" if problem.hint == hint else problem.hint)
        hint = problem.hint or hint


def sort_problems(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems sorted by file name, line, column and code.

    >>> found = sort_problems([Problem("unknown", "a", 3), Problem("unknown", "a", 1)])
    >>> [problem.line for problem in found]
    [1, 3]
    """
    return sorted(problems, key=lambda one: (one.path, one.line, one.column, one.code))


def collapse(problems: Iterable[Problem], shown: int = 1) -> list[Problem]:
    """Return the first `shown` warnings of each code in each file, and count the rest.

    All errors are kept, because each has to be fixed.

    >>> odd = [Problem("no-documents", "a", n, 1, severity="warning") for n in (3, 7, 9)]
    >>> [str(problem) for problem in collapse(odd)]
    ['a:3:1: warning: no documents (and 2 more like this)']
    """
    problems = list(problems)
    warned = Counter((one.path, one.code) for one in problems if one.severity != "error")
    seen: Counter[tuple[str, str]] = Counter()
    found = []
    for problem in problems:
        kind = (problem.path, problem.code)
        if problem.severity != "error":
            seen[kind] += 1
            if seen[kind] == shown < warned[kind]:
                problem = repeated(problem, warned[kind] - shown)
        if seen[kind] <= shown or problem.severity == "error":
            found.append(problem)
    return found


def repeated(problem: Problem, more: int) -> Problem:
    """Return the problem with the number of further problems of its kind.

    >>> print(repeated(Problem("no-documents", "a"), 3))
    a: no documents (and 3 more like this)
    """
    return Problem(**{**problem.__dict__, "values": {**problem.values, MORE: more}})


class SameasError(Exception):
    """The base class of every error that sameas raises on purpose.

    Examples
    --------
    >>> import sameas
    >>> try:
    ...     sameas.score([["a"]], [["a"]], metrics="mucc")
    ... except SameasError as error:
    ...     print(error.code)
    unknown
    """


class _CodedError(SameasError):
    """An error with one code and the values of its message."""

    def __init__(self, code: str, *, where: str = "", **values: Any) -> None:
        super().__init__(code)
        self.code, self.where, self.values = code, where, values

    def at(self, where: str) -> Self:
        """Return the same error with the position or the argument that it concerns.

        Parameters
        ----------
        where
            What the message starts with.

        Returns
        -------
        UsageError or WorkError
            A new error, of the same class.

        Examples
        --------
        >>> error = UsageError("wrong-type", what="title", expected="a string", value=3)
        >>> str(error.at("the response"))
        'the response: title must be a string, not 3'
        """
        where = f"{where}: {self.where}" if self.where else where
        return type(self)(self.code, where=where, **self.values)

    def __str__(self) -> str:
        text = sentences.sentence(self.code, self.values)
        return shortened(f"{self.where}: {text}" if self.where else text, LONGEST)

    def __repr__(self) -> str:
        """Return the code and the sentence."""
        return f"<{type(self).__name__} {self.code}: {self}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Support pickling, which by default keeps only the positional arguments of exceptions."""
        return partial(type(self), self.code, where=self.where, **self.values), ()


class UsageError(_CodedError):
    """An invalid argument: an unknown metric, option value or kind of input.

    Parameters
    ----------
    code
        Which error it is, such as `"unknown"`.
    where
        The position or the argument that it concerns, or an empty text.
    **values
        The values of the message.

    Examples
    --------
    >>> error = UsageError("wrong-type", what="title", expected="a string", value=3)
    >>> error.code, error.values["value"], str(error)
    ('wrong-type', 3, 'title must be a string, not 3')
    """


class WorkError(_CodedError):
    """Work that failed for a reason outside its input: a process that ended, too little memory.

    Parameters
    ----------
    code
        Which error it is, such as `"no-process"`.
    where
        The position or the argument that it concerns, or an empty text.
    **values
        The values of the message.

    Examples
    --------
    >>> str(WorkError("no-process", reason="Resource temporarily unavailable"))
    'cannot start a worker process: Resource temporarily unavailable; try fewer jobs'
    """


_FEW = 10  # up to this number, known names are listed in addition to the nearest one
_MANY = 40  # above this number, only the first known names are listed
_SHORT = 3  # up to this length, half of the letters of a name may be wrong


def unknown(
    what: str, value: object, known: Iterable[str], *, listed: bool | None = None
) -> UsageError:
    """Return the error for an unknown name, with the nearest known one.

    With `listed`, the message also lists the known names; by default, it does so if there are few
    known names, or if none is near. If none is near and there are very many known names, it lists
    only the first ones.

    >>> str(unknown("metric", "mucc", ["muc", "b3"]))
    'unknown metric mucc: did you mean muc? Known: muc, b3'
    """
    from difflib import get_close_matches

    known = tuple(known)
    value = repr(value) if isinstance(value, (list, tuple, dict)) else value
    name = str(value).lower().lstrip("-")
    bare = {one.lstrip("-"): one for one in reversed(known)}
    near = [one for one in known if len(name) > _SHORT and one.lstrip("-").startswith(name)][:1]
    cutoff = 0.6 if len(name) > _SHORT else 0.5
    near = near or [bare[one] for one in get_close_matches(name, bare, 1, cutoff)]
    how = "near" if near else ""
    if listed is None:
        listed = not near or len(known) <= _FEW
    more: dict[str, Any] = {"near": near[0]} if near else {}
    if not listed:
        how = f"{how} unlisted".strip()
    elif not near and len(known) > _MANY:
        how, known, more = "many", known[:_FEW], {"more": len(known) - _FEW}
    more |= {"how": how} if how else {}
    return UsageError("unknown", what=what, value=value, known=known, **more)


class InputError(SameasError):
    """An input that cannot be scored; `problems` lists what is wrong and where.

    `code` and `values` are those of the first problem.

    Parameters
    ----------
    problems
        What is wrong, in the order of the message.
    advice
        The code of a sentence that says how to fix all of them.

    Examples
    --------
    >>> raise InputError([Problem("no-documents", "empty.conll", 1, 1)])
    Traceback (most recent call last):
    ...
    sameas.errors.InputError: empty.conll:1:1: no documents
    """

    shown = 20

    def __init__(self, problems: Sequence[Problem], advice: str = "") -> None:
        self.problems = tuple(problems)
        self.advice = advice  # code of a sentence that says how to fix all of them
        self.code = self.problems[0].code if self.problems else ""
        self.values = self.problems[0].values if self.problems else {}
        super().__init__(self.problems)

    def __str__(self) -> str:
        """Return the first twenty problems, the number of further ones, and the advice, if any."""
        problems = collapse(self.problems)
        lines = list(written(problems[: self.shown]))
        more = len(problems) - self.shown
        lines += [sentences.sentence("more-problems", {"count": more})] if more > 0 else []
        return "\n".join([*lines, sentences.sentence(self.advice, {})] if self.advice else lines)


def refuse_problems(problems: Sequence[Problem]) -> None:
    """Raise `InputError` if there are problems.

    >>> refuse_problems([])
    """
    if problems:
        raise InputError(problems)


def shortened(text: str, most: int = 200) -> str:
    """Return the text, or only its beginning and end if it is longer than `most` characters.

    >>> shortened("one two three four five", 13)
    'one two … ive'
    """
    if len(text) <= most:
        return text
    end = (most - 3) // 3
    return f"{text[: most - 3 - end]} … {text[len(text) - end :]}"


def require(value: object, kinds: type | tuple[type, ...], what: str, expected: str) -> None:
    """Raise `UsageError` if an argument is not of an expected type.

    >>> require(3, str, "title", "a string")
    Traceback (most recent call last):
    ...
    sameas.errors.UsageError: title must be a string, not 3
    """
    if not isinstance(value, kinds):
        raise UsageError("wrong-type", what=what, expected=expected, value=value)


def how_to_install(*packages: str) -> str:
    """Return the command that installs packages for this Python, whichever environment is active.

    >>> how_to_install("pyspark>=4", "pandas").endswith(" -m pip install 'pyspark>=4' pandas")
    True
    """
    import shlex
    import sys

    return shlex.join([sys.executable or "python3", "-m", "pip", "install", *packages])


def json_reason(reason: str) -> str:
    """Return Python's message about broken JSON, without the position at its end.

    >>> json_reason("Unterminated string starting at")
    'Unterminated string'
    """
    return reason.removesuffix(" at").removesuffix(" starting").rstrip(": ")
