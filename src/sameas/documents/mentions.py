"""Mentions and entities: where they are in a text, as objects and as columns of numbers.

A node is a word or an empty node (a zero: a word that is not there). As one integer, `node`, words
and zeros of a document sort in the order of the text, whatever zeros the other side has.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict

import numpy as np

from sameas.arithmetic.arrays import Ints
from sameas.errors import Problem

__all__ = [
    "INITIAL",
    "KINDS",
    "KIND_NAMES",
    "Annotation",
    "Bridge",
    "Entity",
    "Mention",
    "Origin",
    "Places",
    "Span",
    "Zero",
    "columns_of",
    "join_columns",
    "joined_spans",
    "node",
    "place_of",
    "places_of",
    "word_beside",
]

Span = tuple[int, int]
#: An empty node: how many words of the document stand before it, and its number there. Numbers
#: from INITIAL on stand before the first word of a sentence (CoNLL-U's 0.1), not after the last
#: word of the sentence before.
Zero = tuple[int, int]
INITIAL = 1 << 15
KINDS = ("name", "nominal", "pronoun", "zero")
#: What corpora call them.
KIND_NAMES = {
    **{kind: kind for kind in KINDS},
    **dict.fromkeys(("nam", "prop", "propn", "proper"), "name"),
    **dict.fromkeys(("nom", "noun", "common"), "nominal"),
    **dict.fromkeys(("pro", "pron", "prn"), "pronoun"),
}


def node(place: int | Zero) -> int:
    """One integer for a word (by its number) or a zero; they sort in the order of the text.

    >>> node(3) < node((4, 1)) < node((4, 2)) < node((4, INITIAL)) < node(4)
    True
    """
    return (place + 1) << 16 if isinstance(place, int) else (place[0] << 16) + place[1]


def place_of(node: int) -> int | Zero:
    """The word or zero of which `node` is the number.

    >>> place_of(node(3)), place_of(node((4, 1)))
    (3, (4, 1))
    """
    before, number = node >> 16, node & 0xFFFF
    return (before, number) if number else before - 1


def word_beside(place: int) -> int:
    """The word in whose sentence a node is: itself, or, of an empty node, the word before it.

    Initial ones are in the sentence of the word after them.

    >>> word_beside(node((4, 1))), word_beside(node((4, INITIAL + 1))), word_beside(node((0, 1)))
    (3, 4, 0)
    """
    before, number = place >> 16, place & 0xFFFF
    return before if number >= INITIAL else max(before - 1, 0)


@dataclass(frozen=True, slots=True)
class Mention:
    """One expression that refers to an entity: first and last token of each of its pieces.

    A mention of several pieces is discontinuous; `zeros` are the empty nodes in it. Head, kind
    (name, nominal, pronoun, zero) and minimum (the nodes a system has to find) describe a mention;
    only its place says which one it is.

    >>> Mention.at(3, 5) == Mention(((3, 5),), head=4, kind="name")
    True
    >>> Mention(zeros=((4, 1),)).zero
    True
    """

    spans: tuple[Span, ...] = ()
    zeros: tuple[Zero, ...] = ()
    head: int | Zero | None = field(default=None, compare=False)
    kind: str | None = field(default=None, compare=False)
    minimum: tuple[int | Zero, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if len(self.spans) > 1:
            object.__setattr__(self, "spans", joined_spans(self.spans))
        if len(self.zeros) > 1:
            object.__setattr__(self, "zeros", tuple(sorted(set(self.zeros))))

    @classmethod
    def at(cls, first: int, last: int) -> Mention:
        """The ordinary mention from token `first` to token `last`, both included."""
        return cls(((first, last),))

    @classmethod
    def of_nodes(cls, nodes: Iterable[int]) -> Mention:
        """Return the mention of some words and empty nodes.

        >>> Mention.of_nodes([node(3), node((4, 1)), node(4)])
        Mention(spans=((3, 4),), zeros=((4, 1),), head=None, kind=None, minimum=())
        """
        places = list(map(place_of, nodes))
        words = tuple((place, place) for place in places if isinstance(place, int))
        return cls(words, tuple(place for place in places if not isinstance(place, int)))

    @property
    def identity(self) -> Hashable:
        """What exact matching compares: `(first, last)` for an ordinary mention."""
        if len(self.spans) == 1 and not self.zeros:
            return self.spans[0]
        return Mention(self.spans, self.zeros)

    @property
    def zero(self) -> bool:
        """Whether it stands for a word that is not there: its head is an empty node."""
        return not self.spans if self.head is None else not isinstance(self.head, int)

    @property
    def size(self) -> int:
        """How many nodes it has."""
        return sum(last - first + 1 for first, last in self.spans) + len(self.zeros)

    @property
    def nodes(self) -> list[int]:
        """Its nodes in the order of the text.

        >>> Mention(((3, 4),), ((4, 1),)).nodes == [node(3), node((4, 1)), node(4)]
        True
        """
        words = (word for first, last in self.spans for word in range(first, last + 1))
        return sorted([*map(node, words), *map(node, self.zeros)])

    @property
    def hull(self) -> Span:
        """First and last word; for a zero alone, the empty span at its place."""
        if self.spans:
            return self.spans[0][0], self.spans[-1][1]
        before = self.zeros[0][0] if self.zeros else 0
        return before, before - 1


def joined_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Spans in order, those that touch as one: a mention is a set of words.

    >>> joined_spans([(4, 4), (0, 1), (2, 2)])
    ((0, 2), (4, 4))
    """
    found: list[Span] = []
    for first, last in sorted(spans):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Entity:
    """The mentions that are the same, with the name the file gives them.

    >>> Entity("7", (Mention.at(0, 1), Mention.at(4, 4))).id
    '7'
    """

    id: str
    mentions: tuple[Hashable, ...]
    type: str | None = None


@dataclass(frozen=True, slots=True)
class Bridge:
    """A bridging link: an entity that is understood by way of another, as a wheel by its car.

    >>> Bridge("e5", "e2", "part").relation
    'part'
    """

    anaphor: str
    antecedent: str
    relation: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Annotation:
    """What a file says about its mentions beyond their place, in their order.

    A reader may keep other things than these columns, and make them when asked.

    >>> Annotation(all_types=("person",)).types()
    ('person',)
    """

    all_heads: Ints | None = None
    all_minima: Sequence[Sequence[int]] | None = None
    all_types: Sequence[str] | None = None
    all_kinds: Sequence[str] | None = None

    @classmethod
    def of(
        cls,
        heads: Ints | None = None,
        minima: Sequence[Sequence[int]] | None = None,
        types: Sequence[str] | None = None,
        kinds: Sequence[str] | None = None,
    ) -> Annotation | None:
        """Return those of the columns that say anything; None if none of them does."""
        heads = heads if heads is not None and (heads >= 0).any() else None
        lists: tuple[Any, ...] = (minima, types, kinds)
        said = [column if column and any(column) else None for column in lists]
        return None if heads is None and said == [None] * 3 else cls(heads, *said)

    def heads(self) -> Ints | None:
        """Return the node that is each mention's head; None if the file does not say."""
        return self.all_heads

    def stated_heads(self) -> Ints | None:
        """Return the heads without those that are assumed, which are -1."""
        return self.heads()

    def minima(self) -> Sequence[Sequence[int]] | None:
        """Return the nodes of each mention that a system has to find; None if nobody says."""
        return self.all_minima

    def types(self) -> Sequence[str] | None:
        """Return the type of each mention's entity, empty where there is none."""
        return self.all_types

    def kinds(self) -> Sequence[str] | None:
        """Return whether each mention is a name, nominal, pronoun or zero; empty where unknown."""
        return self.all_kinds

    def dependencies(self, mention: int) -> tuple[int, frozenset[tuple[str, str]]]:
        """Return the sentence of a zero, and parents and relations of its head (enhanced)."""
        return 0, frozenset()


@dataclass(frozen=True)
class Origin:
    """How a document came to be read.

    >>> Origin(line=3).unnamed
    False
    """

    path: str = ""  # the file
    line: int = 0  # where it begins there
    header: str = ""  # of a CoNLL file, as it is written there
    unnamed: bool = False  # the file or the caller gives it no name
    problems: tuple[Problem, ...] = ()
    discarded: tuple[str, ...] = ()  # split antecedents

    def place(self, path: str = "") -> tuple[str, int, int]:
        """File, line and column where the document begins; `path` is taken if no file is known."""
        return self.path or path, self.line, 1


def columns_of(spans: Sequence[Span]) -> tuple[Ints, Ints]:
    """The first and the last token of each span.

    >>> columns_of([(3, 5)])[1].tolist()
    [5]
    """
    both = np.array(spans, dtype=np.int64).reshape(-1, 2)
    return both[:, 0].copy(), both[:, 1].copy()


def join_columns(parts: Sequence[Ints]) -> Ints:
    """The arrays as one, also if there are none.

    >>> join_columns([]).tolist()
    []
    """
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


class Places(TypedDict):
    """The columns of a document that say where its mentions are."""

    first: Ints
    last: Ints
    special: dict[int, Mention]


def places_of(mentions: Sequence[Mention]) -> Places:
    """The columns of mentions that are pieces of a text, as a document takes them.

    >>> places_of([Mention.at(3, 5)])["last"].tolist()
    [5]
    """
    first, last = columns_of([mention.hull for mention in mentions])
    odd = (n for n, mention in enumerate(mentions) if len(mention.spans) != 1 or mention.zeros)
    return {"first": first, "last": last, "special": {n: mentions[n] for n in odd}}
