"""Code shared by the adapters: classes of optional libraries, and scores under flat names."""

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
    """The keywords of functions that score clusters without text: a subset of `Settings`."""

    singletons: Singletons | None
    duplicates: Duplicates | None
    blanc: BlancVersion | None
    average: Average | None


def cluster_settings(options: Mapping[str, Any]) -> Settings:
    """Return the settings; raise an error for options that do not apply to clusters without text.

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
    """Return a class of a library, or a class that raises an installation hint on instantiation.

    This way, modules with subclasses can be imported and documented without the library.

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
    """Return values of numpy and torch as Python objects, other values unchanged.

    >>> import numpy as np
    >>> plain(np.array([1, 2])), plain("a")
    ([1, 2], 'a')
    """
    return value.tolist() if hasattr(value, "tolist") else value


def flat_scores(
    scores: Mapping[str, Score] | Result, parts: tuple[str, str, str] = PARTS
) -> dict[str, float]:
    """Return recall, precision and F1 as `muc_recall` and so on, and an index under its own name.

    `parts` are the suffixes for recall, precision and F1.

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
        if "value" in shown:  # an index without recall and precision
            found[metric] = shown["value"]
    return found


def warn_of_repeats(result: Result) -> None:
    """Warn of repeated mentions in a result that is returned as bare numbers.

    The text contains no number, so a loop warns only once.

    >>> import sameas
    >>> warn_of_repeats(sameas.score([["a", "b"]], [["a", "b"]]))
    """
    if any(note.code == "repeated" for note in result.notes):
        note = Note("repeats-warned", policy=result.settings.duplicates)
        warnings.warn(str(note), stacklevel=3)
