"""Names in a text: where they are and what kind of thing they name."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sameas.without_gold.lexicon import pairs

__all__ = ["PERSON", "UNNAMED", "Name", "agree_types", "broad_type"]

PERSON, PLACE, ORGANISATION, OTHER = "person", "place", "organisation", "other"
#: Labels of named-entity annotation that name no thing.
UNNAMED = frozenset(("DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL", "NUM"))
#: Of each label of named-entity annotation, the broad type.
_BROAD_OF = dict(pairs("types"))


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


def agree_types(words: Sequence[str], names: Sequence[Name]) -> list[Name]:
    """The names, with one type for all that are the same words: what a recogniser says most often.

    Recognisers decide from the words around a name, and not always the same; without this, a name
    that is once taken for a person and once for a place would be two entities.

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
