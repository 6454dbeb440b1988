"""Names in a text: where they are and what kind of thing they name."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PERSON", "UNNAMED", "Name", "broad_type"]

PERSON, PLACE, ORGANISATION, OTHER = "person", "place", "organisation", "other"
#: Labels of named-entity annotation that name no thing.
UNNAMED = frozenset(("DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL", "NUM"))
_BROAD = {
    PERSON: "per person persons people pers",
    PLACE: "gpe loc fac place location facility country city state",
    ORGANISATION: "org organisation organization company nongpe corporation group",
}
_BROAD_OF = {label: broad for broad, labels in _BROAD.items() for label in labels.split()}


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a text: its first and last word, both included, and the type of what it names.

    >>> Name(3, 4, "PER")
    Name(first=3, last=4, type='PER')
    """

    first: int
    last: int
    type: str = ""  # as the file or the recogniser calls it; empty where it is not known


def broad_type(label: str) -> str:
    """Person, place, organisation or other; empty where nothing is known.

    >>> [broad_type(label) for label in ("PER", "GPE", "organization", "event", "")]
    ['person', 'place', 'organisation', 'other', '']
    """
    label = label.lower()
    return _BROAD_OF.get(label, OTHER) if label else ""
