"""The terms of a result: those of coreference, or those of entity resolution."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sameas.sentences import of_records

if TYPE_CHECKING:
    from sameas.results.result import Result

__all__ = ["words_of"]


def words_of(result: Result) -> Callable[[str], str]:
    """Return a function that puts a message into the terms of what was scored.

    >>> import sameas
    >>> words_of(sameas.score({"a": 1, "b": 1}, {"a": 1, "b": 2}))("mentions of the key")
    'records of the truth'
    """
    return of_records if result.of_records else str
