"""Entities and clusters from a caller: check them and convert them to columns."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from sameas.documents.mentions import Annotation, Entity, Mention, Origin, columns_of, node
from sameas.errors import Problem, UsageError, require

__all__ = [
    "as_hashable",
    "check_ignore_index",
    "entity_columns",
    "hashable_mentions",
    "impossible_span",
    "is_listing",
    "is_pair",
    "is_span",
    "without_padding",
]


def is_listing(value: object) -> bool:
    """Return whether a value is iterable and not a string.

    >>> is_listing([3, 5]), is_listing("3-5")
    (True, False)
    """
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes))


def is_span(mention: Any) -> bool:
    """Return whether a mention is a pair of first and last token, not an identifier.

    >>> is_span((3, 5)), is_span((5, 3)), is_span("3-5")
    (True, False, False)
    """
    return is_pair(mention) and 0 <= mention[0] <= mention[1] < 1 << 40


def is_pair(value: Any, kind: type[Sequence[Any]] = tuple) -> bool:
    """Return whether a value is a tuple (or a sequence of another `kind`) of two integers.

    >>> is_pair((5, 3)), is_pair([5, 3])
    (True, False)
    """
    return type(value) is kind and len(value) == 2 and type(value[0]) is type(value[1]) is int


def entity_columns(name: str, entities: Any, origin: Origin) -> dict[str, Any]:
    """Return the columns of `Entity` objects; those without mentions are dropped with a warning."""
    require(entities, Iterable, "entities", "a list of sameas.Entity objects")
    given = [_checked(entity) for entity in entities]
    filled = [entity for entity in given if entity.mentions]
    empty = len(given) - len(filled)
    if empty:
        place = origin.place()
        problem = Problem("empty-clusters", *place, "warning", document=name, count=empty)
        origin = replace(origin, problems=(*origin.problems, problem))
    sizes = [len(entity.mentions) for entity in filled]
    return {
        "entity": np.repeat(np.arange(len(sizes), dtype=np.int64), sizes),
        "entity_ids": [entity.id for entity in filled],
        "annotation": _annotation(filled),
        "origin": origin,
        **_places(filled),
    }


def _places(entities: Sequence[Entity]) -> dict[str, Any]:
    """Return the columns that identify the mentions: spans in a text, or identifiers."""
    objects = [mention for entity in entities for mention in entity.mentions]
    mentions: list[Any] = [m.identity if isinstance(m, Mention) else m for m in objects]
    special = {n: m for n, m in enumerate(mentions) if isinstance(m, Mention)}
    in_text = all(is_span(m) or isinstance(m, Mention) for m in mentions)
    if special or not in_text:
        _refuse_spans(entities)
    if not in_text:
        return {"first": None, "last": None, "special": {}, "identifiers": mentions}
    for number, mention in special.items():
        mentions[number] = mention.hull
    first, last = columns_of(mentions)
    return {"first": first, "last": last, "special": special, "identifiers": None}


def _refuse_spans(entities: Iterable[Entity]) -> None:
    """Reject impossible spans: padding, a token before 0, or a last token before the first.

    A pair of integers is a span; other mentions are identifiers.
    """
    for entity in entities:
        for mention in entity.mentions:
            spans: Any = mention.spans if isinstance(mention, Mention) else (mention,)
            for span in spans:
                if is_pair(span) and not 0 <= span[0] <= span[1]:
                    raise impossible_span(entity.id, *span)


def impossible_span(cluster: str, first: int, last: int) -> UsageError:
    """Return the error for an impossible span."""
    how = "backward" if first >= 0 else "padding" if first == last else "negative"
    return UsageError("impossible-span", how=how, cluster=cluster, first=first, last=last)


def without_padding(clusters: Any, ignore_index: int) -> Any:
    """Drop the padding of arrays: mentions `ignore_index` and `(ignore_index, ignore_index)`.

    Clusters that contain only padding are dropped. A value that is not a list is returned
    unchanged, and so is a cluster that is not a list.

    >>> without_padding([[[0, 1], [-1, -1]], [[-1, -1]]], -1)
    [[[0, 1]]]
    """
    padding = (ignore_index, (ignore_index, ignore_index))
    if isinstance(clusters, Mapping) or not is_listing(clusters):
        return clusters
    found = []
    for cluster in clusters:
        if not is_listing(cluster):
            found.append(cluster)
            continue
        mentions = list(cluster)
        kept = [mention for mention in mentions if as_hashable(mention) not in padding]
        if kept or not mentions:
            found.append(kept)
    return found


def check_ignore_index(ignore_index: int | None) -> None:
    """Reject an `ignore_index` that could be a mention.

    >>> check_ignore_index(0)
    Traceback (most recent call last):
    ...
    sameas.errors.UsageError: ignore_index must be a negative whole number such as -1, not 0, because (0, 0) is a mention
    """  # noqa: E501
    if ignore_index is not None and (type(ignore_index) is not int or ignore_index >= 0):
        raise UsageError("ignore-index", value=ignore_index)


def _annotation(entities: Sequence[Entity]) -> Annotation | None:
    """Return the annotation of the mentions, apart from their spans; None if they have none."""
    pairs = [(entity, mention) for entity in entities for mention in entity.mentions]
    if not any(entity.type or isinstance(mention, Mention) for entity, mention in pairs):
        return None
    objects = [m if isinstance(m, Mention) else Mention() for _, m in pairs]
    return Annotation.of(
        np.array([-1 if m.head is None else node(m.head) for m in objects], dtype=np.int64),
        [[node(place) for place in mention.minimum] for mention in objects],
        [entity.type or "" for entity, _ in pairs],
        [mention.kind or "" for mention in objects],
    )


def _checked(entity: Any) -> Entity:
    if not isinstance(entity, Entity):
        raise UsageError("not-an-entity", type=type(entity).__name__)
    mentions = tuple(entity.mentions)
    if not all(isinstance(mention, (str, Mention)) for mention in mentions):
        mentions = hashable_mentions(mentions, entity.id)
    return replace(entity, mentions=mentions)


def hashable_mentions(cluster: Any, number: object) -> tuple[Hashable, ...]:
    """Check and return the mentions of a cluster; `number`, its index or id, appears in errors."""
    if not is_listing(cluster):
        raise UsageError("cluster-not-list", number=number, value=cluster)
    cluster = list(cluster)
    for mention in cluster:
        if isinstance(mention, list) and any(isinstance(part, (list, tuple)) for part in mention):
            raise UsageError("lists-in-cluster", number=number, value=mention)
    mentions = tuple(as_hashable(mention) for mention in cluster)
    for mention in mentions:
        if isinstance(mention, float) and mention != mention:
            raise UsageError("nan-in-cluster", number=number)
        try:
            hash(mention)
        except TypeError:
            raise UsageError("unhashable-mention", number=number, value=mention) from None
    return mentions


def as_hashable(mention: Any) -> Any:
    """Convert the lists in a mention to tuples, and numpy and torch values to Python's own.

    Thus (0, 1) is the same mention whatever its source.

    >>> as_hashable([np.int64(0), 1])
    (0, 1)
    """
    if hasattr(mention, "tolist"):
        mention = mention.tolist()
    if isinstance(mention, (list, tuple)):
        return tuple(as_hashable(part) for part in mention)
    return mention
