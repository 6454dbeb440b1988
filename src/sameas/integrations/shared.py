"""What the adapters share: classes of libraries that need not be there, scores by flat names."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from importlib import import_module
from typing import Any, TypedDict

from sameas.arithmetic.scores import Score
from sameas.errors import UsageError, how_to_install, unknown
from sameas.notes import Note
from sameas.results.result import Result
from sameas.settings import Average, BlancVersion, Duplicates, Options, Settings, Singletons

__all__ = [
    "ClusterOptions",
    "cluster_settings",
    "flat_scores",
    "optional_class",
    "plain",
    "warn_of_repeats",
]

PARTS = ("recall", "precision", "f1")


class ClusterOptions(TypedDict, total=False):
    """The keywords of functions that score clusters without their text: some of `Settings`."""

    singletons: Singletons | None
    duplicates: Duplicates | None
    blanc: BlancVersion | None
    average: Average | None


def cluster_settings(options: Mapping[str, Any]) -> Settings:
    """Return the settings that are named, if they concern clusters alone.

    >>> cluster_settings({"singletons": "drop"}).singletons
    'drop'
    """
    for name in options:
        if name not in ClusterOptions.__annotations__:
            if name in Options.__annotations__:
                raise UsageError("not-set-here", name=name)
            raise unknown("option", name, ClusterOptions.__annotations__)
    return Settings.of(**options)


def optional_class(module: str, name: str, *packages: str) -> Any:
    """A class to derive from; without its library, one that says what to install when it is made.

    So a file that derives from it can be imported and read about without the library.

    >>> optional_class("no_such_library", "Metric", "a", "b")()  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    sameas.errors.UsageError: no_such_library is not installed: ... -m pip install a b
    """
    try:
        return getattr(import_module(module), name)
    except ImportError as error:
        values = {"module": module, "command": how_to_install(*packages)}
        if getattr(error, "name", None) != module:
            values |= {"how": "reason", "reason": str(error)}

    class Missing:
        def __init__(self, *arguments: Any, **options: Any) -> None:
            raise UsageError("not-installed", **values)

    return Missing


def plain(value: Any) -> Any:
    """Return what numpy and torch hold as Python's own; anything else is itself.

    >>> import numpy as np
    >>> plain(np.array([1, 2])), plain("a")
    ([1, 2], 'a')
    """
    return value.tolist() if hasattr(value, "tolist") else value


def flat_scores(
    scores: Mapping[str, Score] | Result, parts: tuple[str, str, str] = PARTS
) -> dict[str, float]:
    """Recall, precision and F1 by names such as `muc_recall`; an index by its own name.

    `parts` are what the three are called.

    >>> flat_scores({"muc": Score.of(1, 2, 1, 2), "conll": Score(0.5)})
    {'muc_recall': 0.5, 'muc_precision': 0.5, 'muc_f1': 0.5, 'conll_f1': 0.5}
    >>> flat_scores({"rand": Score(0.75, counts=(3, 4))})
    {'rand': 0.75}
    """
    found: dict[str, float] = {}
    for metric in scores:
        shown: dict[str, Any] = scores[metric].as_dict()
        found |= {
            f"{metric}_{name}": shown[part]
            for part, name in zip(PARTS, parts, strict=True)
            if part in shown
        }
        if "value" in shown:  # an index that has no recall and precision
            found[metric] = shown["value"]
    return found


def warn_of_repeats(result: Result) -> None:
    """Warn where a result has notes of repeated mentions and goes on as bare numbers.

    The text has no number in it, so that a loop warns once.

    >>> import sameas
    >>> warn_of_repeats(sameas.score([["a", "b"]], [["a", "b"]]))
    """
    if any(note.code == "repeated" for note in result.notes):
        note = Note("repeats-warned", policy=result.settings.duplicates)
        warnings.warn(str(note), stacklevel=3)
