"""Select documents of a result, or split it into groups of documents or classes of mentions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sameas.authorities import authority_of
from sameas.errors import UsageError
from sameas.matching.breakdown import CLASSES, classes_of, in_order, require_labels, restrict
from sameas.metrics.contingency import contingency
from sameas.metrics.statistics import join_statistics
from sameas.notes import RECORD_NOTES

if TYPE_CHECKING:
    from sameas.results.result import Result

__all__ = ["select_documents", "split_result"]


def select_documents(result: Result, numbers: Sequence[int]) -> Result:
    """Return the result of some documents only; see `Result.select`.

    >>> import sameas
    >>> len(select_documents(sameas.score([["a", "b"]], [["a", "b"]]), [0, 0]))
    2
    """
    listed = isinstance(numbers, Iterable) and not isinstance(numbers, (str, bytes, Mapping))
    whole = listed and all(
        isinstance(number, (int, np.integer)) and -len(result) <= number < len(result)
        for number in numbers
    )
    if not whole:
        raise UsageError("select", most=len(result), value=numbers)
    statistics = result.statistics.select(np.array(numbers, dtype=np.int64))
    selected = replace(result, statistics=statistics, matchings=())
    documents, every = statistics.documents, result.statistics.documents
    if len(documents) == len(every) and sorted(documents) == sorted(every):
        return selected
    notes = result.notes
    if result.of_records:  # the other notes count the records of the whole table
        notes = [note for note in notes if note.code not in RECORD_NOTES]
    return replace(selected, notes=notes, seen=None)


def split_result(result: Result, group: str | Callable[[str], str]) -> dict[str, Result]:
    """Return the results of groups of documents, or of classes of mentions; see `Result.by`.

    >>> import sameas
    >>> list(split_result(sameas.score([["a", "b"]], [["a", "b"]]), "size"))
    ['2']
    """
    if isinstance(group, str) and group in CLASSES:
        return _split_by_class(result, group)
    name_group = _grouping(group, result) if isinstance(group, str) else group
    if not callable(name_group):
        raise UsageError("group-kind")
    members: dict[str, list[int]] = {}
    for number, name in enumerate(result.statistics.documents):
        members.setdefault(str(name_group(name)), []).append(number)
    return {name: result.select(numbers) for name, numbers in sorted(members.items())}


def _grouping(group: str, result: Result) -> Callable[[str], str]:
    """Return a function from a document's name to the name of its group."""
    if group == "genre":
        return lambda name: result.genres.get(name) or name.split("/" if "/" in name else "_", 1)[0]
    try:
        pattern = re.compile(group)
    except re.error as error:
        raise UsageError("not-a-pattern", pattern=group, reason=str(error)) from None
    names = result.statistics.documents
    if names and not any(map(pattern.search, names)):
        raise UsageError("group-of-none", group=group, first=names[0])

    def name_group(name: str) -> str:
        match = pattern.search(name)
        named = match and pattern.groups and match[1] is not None
        return (match[1 if named else 0] if match else "") or "(other)"

    return name_group


def _split_by_class(result: Result, by: str) -> dict[str, Result]:
    if not result.matchings:
        raise UsageError("not-one-scoring", what=f"{by} classes")
    authority = authority_of(result.settings)
    if not authority.has_classes:
        raise UsageError("no-classes", compat=result.settings.compat)
    require_labels(result.matchings, by)
    classes = [classes_of(matching, by) for matching in result.matchings]
    found = {label for sides in classes for labels in sides for label in labels}
    results: dict[str, Result] = {}
    for label in sorted(found, key=in_order(by)):
        parts = [
            restrict(matching, sides, label)
            for matching, sides in zip(result.matchings, classes, strict=True)
        ]
        rows = [authority.measure(contingency(part), result.metrics, part) for part in parts]
        statistics = replace(join_statistics(rows), documents=result.statistics.documents)
        results[label] = replace(
            result, statistics=statistics, name=label, notes=(), matchings=parts
        )
    return results
