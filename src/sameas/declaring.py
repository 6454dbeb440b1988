"""Declare options as fields of a dataclass: default, help text, and allowed values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields
from typing import Any, get_args

from sameas.errors import UsageError, unknown

__all__ = ["check", "choices", "chosen", "option", "require_known"]


def option(default: Any, help: str, values: Any = None, **more: Any) -> Any:
    """Declare an option: its default, what it does, and its allowed values.

    `values` is a Literal type, or the least and the greatest value. `more` may contain `flag`, the
    option's name on the command line if it differs; `hidden`, values that cannot be chosen there;
    `offered`, values that a shell suggests, although others are allowed; `key`, the option's name
    in a signature; `unless`, the value at which a signature omits it; `metavar`, the name of its
    value in the help; and `rare`, true if only --help-all shows it.
    """
    allowed = {"bounds": values} if isinstance(values, tuple) else {"choices": get_args(values)}
    return field(default=default, metadata={"help": help, **allowed, **more})


def choices(settings: Any) -> dict[str, tuple[str, ...]]:
    """Return the allowed values of each option whose values can be listed.

    >>> from sameas.settings import Resampling
    >>> choices(Resampling)
    {'interval': ('percentile', 'bca')}
    """
    listed = [one for one in fields(settings) if one.metadata.get("choices")]
    return {one.name: one.metadata["choices"] for one in listed}


def chosen(options: Any, known: Any, *others: str) -> dict[str, Any]:
    """Return the options that are not None; raise `UsageError` if a name is unknown.

    `others` are further names that the message lists as known.

    >>> from sameas import Settings
    >>> chosen({"match": "head", "zeros": None}, Settings)
    {'match': 'head'}
    """
    names = [one.name for one in fields(known)]
    for name in options:
        if name not in names:
            raise unknown("option", name, [*names, *others])
    return {name: value for name, value in options.items() if value is not None}


def require_known(options: Mapping[str, Any], keywords: Any, function: Any) -> None:
    """Raise `UsageError` if an option is neither among `keywords` nor a keyword of `function`.

    >>> from sameas import score
    >>> from sameas.settings import ResamplingOptions
    >>> require_known({"formatt": "conll"}, ResamplingOptions, score)
    Traceback (most recent call last):
    ...
    sameas.errors.UsageError: unknown option formatt: did you mean format?
    """
    known = [*keywords.__annotations__, *function.__kwdefaults__]
    for name in options:
        if name not in known:
            raise unknown("option", name, known)


def check(settings: Any) -> None:
    """Raise `UsageError` if an option has a value that is not allowed."""
    for one in fields(settings):
        value, name = getattr(settings, one.name), one.name.replace("_", "-")
        choices, bounds = one.metadata.get("choices"), one.metadata.get("bounds")
        if choices and value not in choices:
            raise unknown(name, value, choices)
        if not bounds:
            continue
        least, most = bounds
        kinds = (int, float) if isinstance(least, float) else (int,)
        number = isinstance(value, kinds) and not isinstance(value, bool)
        below = number and (value < most if isinstance(most, float) else value <= most)
        if not (number and least <= value and below):
            how = "share" if most == 1 else "percentage" if isinstance(least, float) else "whole"
            raise UsageError(
                "not-a-number", how=how, name=name, least=least, most=most, value=value
            )
