"""Names in a text: their positions and types."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sameas.without_gold.lexicon import pairs

__all__ = ["PERSON", "UNNAMED", "Name", "agree_types", "broad_type"]

PERSON, PLACE, ORGANISATION, OTHER = "person", "place", "organisation", "other"
#: Labels of named-entity annotation that mark values (dates, amounts, …) instead of names.
UNNAMED = frozenset(("DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL", "NUM"))
#: The broad type of each label of named-entity annotation.
_BROAD_OF = dict(pairs("types"))


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a text: its first and last word, both included, and the type of what it names.

    >>> Name(3, 4, "PER")
    Name(first=3, last=4, type='PER')
    """

    first: int
    last: int
    type: str = ""  # label from the file or the recogniser; empty if unknown


def broad_type(label: str) -> str:
    """Return person, place, organisation or other; empty if the label is empty.

    >>> [broad_type(label) for label in ("PER", "GPE", "organization", "event", "")]
    ['person', 'place', 'organisation', 'other', '']
    """
    label = label.lower()
    return _BROAD_OF.get(label, OTHER) if label else ""


def agree_types(words: Sequence[str], names: Sequence[Name]) -> list[Name]:
    """Return the names, giving all names with the same words their most frequent type.

    Recognisers decide by context and are not always consistent. Without this, a name labelled once
    as a person and once as a place would become two entities.

    >>> names = [Name(0, 0, "place"), Name(1, 1, "person"), Name(2, 2, "person")]
    >>> [name.type for name in agree_types(["Lee", "Lee", "Lee"], names)]
    ['person', 'person', 'person']
    """
    written = [" ".join(words[name.first : name.last + 1]).casefold() for name in names]
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for text, name in zip(written, names, strict=True):
        if name.type:
            votes[text][name.type] += 1
    chosen = {text: counts.most_common(1)[0][0] for text, counts in votes.items()}
    return [
        replace(name, type=chosen.get(text, "")) for text, name in zip(written, names, strict=True)
    ]
