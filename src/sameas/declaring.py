"""Declare options as fields of a dataclass: default, help, and the values they can have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields
from typing import Any, get_args

from sameas.errors import UsageError, unknown

__all__ = ["check", "choices", "chosen", "option", "require_known"]


def option(default: Any, help: str, values: Any = None, **more: Any) -> Any:
    """Declare an option: its default, what it does, and the values it can have.

    `values` is a Literal type, or the least and the greatest number. Of `more`, `flag` is its name
    on the command line if that is another one; `hidden` are values that cannot be chosen there;
    `key` is its name in a signature, which leaves it out where it has the value `unless`.
    """
    told = {"bounds": values} if isinstance(values, tuple) else {"choices": get_args(values)}
    return field(default=default, metadata={"help": help, **told, **more})


def choices(settings: Any) -> dict[str, tuple[str, ...]]:
    """Return the values that each option of settings can have, where they can be listed.

    >>> from sameas.settings import Resampling
    >>> choices(Resampling)
    {'interval': ('percentile', 'bca')}
    """
    listed = [one for one in fields(settings) if one.metadata.get("choices")]
    return {one.name: one.metadata["choices"] for one in listed}


def chosen(options: Any, known: Any, *others: str) -> dict[str, Any]:
    """Return the options that have a value, and refuse those of other names.

    `others` are names that callers know, too.

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
    """Refuse options that are neither keywords of a TypedDict nor of the function they went to.

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
    """Refuse values that an option cannot have."""
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
