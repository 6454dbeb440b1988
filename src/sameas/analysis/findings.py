"""Errors as objects that can be filtered, grouped and exported as a table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

from sameas.documents.document import KINDS as MENTION_KINDS
from sameas.documents.document import Span
from sameas.errors import unknown
from sameas.matching.breakdown import RANGES, range_of
from sameas.sentences import of_mentions

__all__ = [
    "CODES",
    "COLUMNS",
    "DROPPED",
    "GROUPS",
    "KINDS",
    "LABELS",
    "LINKS",
    "MESSAGES",
    "PLURALS",
    "Error",
    "Errors",
    "Quoted",
    "in_order",
    "kind_named",
]

#: The kinds of errors, in the order in which they are repaired.
KINDS = (
    "span",
    "conflated",
    "extra mention",
    "extra entity",
    "divided",
    "missing mention",
    "missing entity",
)
LINKS = ("missing link", "wrong link")
#: The abbreviation of each kind of error.
CODES = dict(zip((*KINDS, *LINKS), ("S", "C", "X", "XE", "D", "M", "ME", "ML", "WL"), strict=True))
#: What errors can be grouped by.
GROUPS = ("kind", "document", "mention", "other", "distance", "size", "type", "head")
NONE = "–"


def kind_named(name: object) -> str:
    """Return the kind of error for a name or code; in names, `-` and `_` may replace spaces.

    Names may also use the words of entity resolution.

    >>> kind_named("extra-mention"), kind_named("XE"), kind_named("missing-cluster")
    ('extra mention', 'extra entity', 'missing entity')
    """
    written = str(name).strip()
    plain = of_mentions(written.lower().replace("-", " ").replace("_", " "))
    for kind, code in CODES.items():
        if written == code or plain == kind:
            return kind
    raise unknown("kind of errors", name, CODES)


@dataclass(frozen=True, slots=True)
class Quoted:
    """A mention in the form that an error shows.

    `places` are the first and last word of each of its pieces, counted from 0; `number` is its
    index among the mentions of the document on its side.

    >>> Quoted("key", "7", "the ship", "nominal", 3, ((12, 13),), 4).text
    'the ship'
    """

    side: str  # key or response
    entity: str
    text: str
    kind: str  # name, nominal, pronoun, zero or unknown
    sentence: int  # from 1; 0 if the document has no text
    places: tuple[Span, ...]
    number: int


@dataclass(frozen=True, slots=True)
class Error:
    """One error: the wrong mentions, and one that wrongly shares or should share their entity.

    `mentions` are the mentions that would have to change. `other` is the nearest mention that
    wrongly shares their entity (conflated, extra mention, wrong link) or that should share it
    (divided, missing mention, missing link); for a span error, it is the key mention. `size` and
    `type` describe the key entity, or the response entity if no key entity is involved. `distance`
    counts sentences; `head` is true if the heads match.

    >>> ship = Quoted("key", "7", "the ship", "nominal", 3, ((12, 13),), 4)
    >>> Error(0, "missing entity", "a", 0, (ship,), None, "7", "", 1, "").message
    '“the ship”: an entity that was not found'
    """

    number: int
    kind: str
    document: str
    place: int  # the index of its document
    mentions: tuple[Quoted, ...]
    other: Quoted | None
    key_entity: str
    response_entity: str
    size: int
    type: str
    distance: int | None = None
    head: bool | None = None
    dropped: int = 0  # how many of its mentions were dropped as singletons on the other side

    @property
    def mention(self) -> str:
        """The kind of the wrong mentions: name if any is a name, else nominal, …"""
        kinds = {mention.kind for mention in self.mentions}
        return next((kind for kind in MENTION_KINDS if kind in kinds), min(kinds))

    @property
    def message(self) -> str:
        """The error in one sentence."""
        return self.message_in(str)

    def message_in(self, words: Callable[[str], str]) -> str:
        """Return the error in one sentence; `words` converts its template first."""
        message = words(DROPPED[self.kind] if self.dropped else MESSAGES[self.kind])
        shown = ", ".join(f"“{mention.text}”" for mention in self.mentions[:3])
        more = len(self.mentions) - 3
        return message.format(
            what=f"{shown} and {more} more" if more > 0 else shown,
            other=f"“{self.other.text}”" if self.other else "nothing",
            dropped=self.dropped,
        )

    def group(self, by: str) -> str:
        """Return the label of the error in one of the `GROUPS`."""
        if by == "other":
            return self.other.kind if self.other else NONE
        if by in ("distance", "size"):
            number = getattr(self, by)
            return NONE if number is None else range_of(number)
        if by == "head":
            return NONE if self.head is None else "match" if self.head else "differ"
        return str(getattr(self, by)) or NONE

    def as_dict(self) -> dict[str, Any]:
        """Return the error as a row of a table."""
        cells = {
            **_cells(self.mentions[0]),
            **{f"other_{name}": cell for name, cell in _cells(self.other).items()},
            "mentions": len(self.mentions),
            "other": self.other.kind if self.other else "",
            "head_match": self.head,
        }
        return {name: cells[name] if name in cells else getattr(self, name) for name in COLUMNS}


def _cells(mention: Quoted | None) -> dict[str, Any]:
    """Return the text of a mention, and its position if the document has a text."""
    there = mention if mention and mention.sentence else None
    return {
        "sentence": there and there.sentence,
        "first": there and there.places[0][0],
        "last": there and there.places[-1][1],
        "text": mention.text if mention else "",
    }


MESSAGES = {
    "span": "{what}: should be {other}",
    "conflated": "{what}: wrongly in the same entity as {other}",
    "extra mention": "{what}: not a mention in the key; in the same entity as {other}",
    "extra entity": "{what}: an entity that the key does not have",
    "divided": "{what}: should be in the same entity as {other}",
    "missing mention": "{what}: not found; should be in the same entity as {other}",
    "missing entity": "{what}: an entity that was not found",
    "missing link": "{what}: should be linked to {other}",
    "wrong link": "{what}: should not be linked to {other}",
}
#: The messages of errors with mentions that were dropped as singletons on the other side.
DROPPED = {
    **MESSAGES,
    "extra mention": "{what}: a singleton of the key, which was dropped; in the same entity as "
    "{other}",
    "extra entity": "{what}: an entity that the key does not have; singletons of the key, "
    "dropped: {dropped}",
    "missing mention": "{what}: a singleton of the response, which was dropped; should be in the "
    "same entity as {other}",
    "missing entity": "{what}: an entity that was not found; singletons of the response, "
    "dropped: {dropped}",
}
PLURALS = {
    "span": "span errors",
    "conflated": "conflated entities",
    "extra mention": "extra mentions",
    "extra entity": "extra entities",
    "divided": "divided entities",
    "missing mention": "missing mentions",
    "missing entity": "missing entities",
}
COLUMNS = (
    "number",
    "kind",
    "document",
    "sentence",
    "first",
    "last",
    "text",
    "mention",
    "mentions",
    "other_text",
    "other",
    "other_sentence",
    "other_first",
    "other_last",
    "key_entity",
    "response_entity",
    "size",
    "type",
    "distance",
    "head_match",
    "dropped",
)


class Errors(Sequence[Error]):
    """A sequence of errors.

    >>> import sameas
    >>> from sameas.examples import example_path
    >>> found = sameas.analyse(example_path("key.conll"), example_path("eager.conll"))
    >>> {kind: len(some) for kind, some in found.errors.by("mention").items()}
    {'name': 3, 'nominal': 6, 'pronoun': 2}
    """

    def __init__(self, errors: Sequence[Error]) -> None:
        self._errors = list(errors)

    @overload
    def __getitem__(self, place: int) -> Error: ...

    @overload
    def __getitem__(self, place: slice) -> Errors: ...

    def __getitem__(self, place: int | slice) -> Error | Errors:
        """Return one error, or a slice of the errors."""
        return Errors(self._errors[place]) if isinstance(place, slice) else self._errors[place]

    def __len__(self) -> int:
        """Return the number of errors."""
        return len(self._errors)

    def __repr__(self) -> str:
        """Return one line with the number of errors of each kind."""
        counts = Counter(error.kind for error in self)
        shown = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        return f"<Errors: {shown or 'none'}>"

    def where(self, condition: Callable[[Error], bool] | None = None, /, **named: object) -> Errors:
        """Return the errors that meet a condition and have the given group labels (see `GROUPS`).

        >>> import sameas
        >>> errors = sameas.analyse([["a", "b"], ["c", "d"]], [["a", "b", "c"]]).errors
        >>> len(errors.where(kind="conflated")), len(errors.where(lambda error: error.size > 2))
        (1, 0)
        """
        wanted = {}
        for group, value in named.items():
            _check_group(group)
            values = value if isinstance(value, (list, tuple, set, frozenset)) else [value]
            wanted[group] = {_label(group, one) for one in values}

        def belongs(error: Error, group: str) -> bool:
            if error.group(group) in wanted[group]:
                return True
            return group in ("distance", "size") and str(getattr(error, group)) in wanted[group]

        return Errors(
            [
                error
                for error in self
                if (condition is None or condition(error))
                and all(belongs(error, group) for group in wanted)
            ]
        )

    def by(self, group: str) -> dict[str, Errors]:
        """Map each label of a group to its errors.

        Groups are `kind`, `document`, `mention` (kind of the mention), `other` (kind of the other
        mention), `distance`, `size`, `type` and `head` (match or differ).

        >>> import sameas
        >>> errors = sameas.analyse([["a", "b"], ["c", "d"]], [["a", "b", "c"]]).errors
        >>> list(errors.by("kind"))
        ['conflated', 'missing mention']
        """
        _check_group(group)
        found: dict[str, list[Error]] = {}
        for error in self:
            found.setdefault(error.group(group), []).append(error)
        names = in_order(group, {name: len(some) for name, some in found.items()})
        return {name: Errors(found[name]) for name in names}

    def rows(self) -> list[dict[str, Any]]:
        """Return one dictionary per error, for instance for `pandas.DataFrame`.

        >>> import sameas
        >>> errors = sameas.analyse([["a", "b"]], [["a"]]).errors
        >>> errors.rows()[0]["kind"], errors.rows()[0]["text"]
        ('missing mention', 'b')
        """
        return [error.as_dict() for error in self]


#: Labels by group, in the order of display; those of groups not listed depend on the data.
LABELS: dict[str, Sequence[str]] = {
    "kind": (*KINDS, *LINKS),
    "mention": (*MENTION_KINDS, "unknown"),
    "other": (*MENTION_KINDS, "unknown", NONE),
    "distance": (*RANGES, NONE),
    "size": RANGES,
    "head": ("match", "differ", NONE),
}


def in_order(group: str, counts: Mapping[str, int]) -> list[str]:
    """Return the labels of a group in the order of display; types are sorted by descending count.

    >>> in_order("mention", {"pronoun": 2, "name": 1})
    ['name', 'pronoun']
    """
    if group == "document":
        return list(counts)
    if group == "type":
        return sorted(counts, key=lambda label: (label == NONE, -counts[label], label))
    rank = {label: number for number, label in enumerate(LABELS[group])}
    return sorted(counts, key=lambda label: (rank.get(label, len(rank)), label))


def _label(group: str, value: object) -> str:
    """Return the label of a group's value; reject a value that the group cannot have."""
    if group == "kind":
        return kind_named(value)
    if value is None:
        return NONE
    if isinstance(value, bool):
        value = "match" if value else "differ"
    if group in ("distance", "size") and re.fullmatch(r"\d+", str(value)):
        return str(int(str(value)))  # this number, not a range
    label = str(value).replace("-", "–") if group in ("distance", "size") else str(value)
    if group in LABELS and label not in LABELS[group]:
        raise unknown(group, value, LABELS[group])
    return label


def _check_group(group: str) -> None:
    if group not in GROUPS:
        raise unknown("group", group, GROUPS)
