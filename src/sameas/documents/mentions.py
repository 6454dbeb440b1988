"""Mentions and entities, and their positions in a text, as objects and as columns of numbers.

A node is a word or an empty node (a zero, which stands for an omitted word). `node` encodes it as
one integer; the integers of words and zeros sort in text order, whatever zeros the other side has.
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
    "adjacent_word",
    "columns_of",
    "join_columns",
    "joined_spans",
    "node",
    "place_of",
    "places_of",
]

Span = tuple[int, int]
#: An empty node: the number of words before it in the document, and its number at that position. If
#: the latter is INITIAL or more, the node precedes the first word of a sentence (CoNLL-U's 0.1);
#: otherwise it follows the last word before it.
Zero = tuple[int, int]
INITIAL = 1 << 15
KINDS = ("name", "nominal", "pronoun", "zero")
#: The kind for each label that corpora use.
KIND_NAMES = {
    **{kind: kind for kind in KINDS},
    **dict.fromkeys(("nam", "prop", "propn", "proper"), "name"),
    **dict.fromkeys(("nom", "noun", "common"), "nominal"),
    **dict.fromkeys(("pro", "pron", "prn"), "pronoun"),
}


def node(place: int | Zero) -> int:
    """Encode a word (its index) or a zero as an integer; the integers sort in text order.

    >>> node(3) < node((4, 1)) < node((4, 2)) < node((4, INITIAL)) < node(4)
    True
    """
    return (place + 1) << 16 if isinstance(place, int) else (place[0] << 16) + place[1]


def place_of(node: int) -> int | Zero:
    """Decode the integer of a word or zero.

    >>> place_of(node(3)), place_of(node((4, 1)))
    (3, (4, 1))
    """
    before, number = node >> 16, node & 0xFFFF
    return (before, number) if number else before - 1


def adjacent_word(place: int) -> int:
    """Return a word of the sentence that contains a node: the node itself if it is a word.

    For an empty node it is the word before; for an initial empty node, the word after.

    >>> [adjacent_word(node(zero)) for zero in ((4, 1), (4, INITIAL + 1), (0, 1))]
    [3, 4, 0]
    """
    before, number = place >> 16, place & 0xFFFF
    return before if number >= INITIAL else max(before - 1, 0)


@dataclass(frozen=True, slots=True)
class Mention:
    """An expression that refers to an entity, as the first and last token of each of its pieces.

    A mention with several pieces is discontinuous. Mentions with the same spans and zeros are
    equal, whatever their head, kind and minimum.

    Parameters
    ----------
    spans
        The first and last token of each piece, counted from 0, both included.
    zeros
        The empty nodes in the mention, each as the number of words before it and its number at
        that position.
    head
        The token or empty node that is the head.
    kind
        `"name"`, `"nominal"`, `"pronoun"` or `"zero"`.
    minimum
        The tokens and empty nodes that a system has to find.

    Examples
    --------
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
        """Return the continuous mention from one token to another.

        Parameters
        ----------
        first
            The first token, counted from 0.
        last
            The last token, included.

        Returns
        -------
        Mention
            The mention, without zeros or annotation.
        """
        return cls(((first, last),))

    @classmethod
    def of_nodes(cls, nodes: Iterable[int]) -> Mention:
        """Return the mention that consists of these words and empty nodes.

        Parameters
        ----------
        nodes
            Words and empty nodes, each encoded as an integer by `node`.

        Returns
        -------
        Mention
            The mention; adjacent words form one span.

        Examples
        --------
        >>> Mention.of_nodes([node(3), node((4, 1)), node(4)])
        Mention(spans=((3, 4),), zeros=((4, 1),), head=None, kind=None, minimum=())
        """
        places = list(map(place_of, nodes))
        words = tuple((place, place) for place in places if isinstance(place, int))
        return cls(words, tuple(place for place in places if not isinstance(place, int)))

    @property
    def identity(self) -> Hashable:
        """What exact matching compares: `(first, last)` for a single span without zeros."""
        if len(self.spans) == 1 and not self.zeros:
            return self.spans[0]
        return Mention(self.spans, self.zeros)

    @property
    def zero(self) -> bool:
        """Whether the mention is a zero: its head (or, if unknown, each node) is an empty node."""
        return not self.spans if self.head is None else not isinstance(self.head, int)

    @property
    def size(self) -> int:
        """The number of nodes."""
        return sum(last - first + 1 for first, last in self.spans) + len(self.zeros)

    @property
    def nodes(self) -> list[int]:
        """The nodes in text order.

        >>> Mention(((3, 4),), ((4, 1),)).nodes == [node(3), node((4, 1)), node(4)]
        True
        """
        words = (word for first, last in self.spans for word in range(first, last + 1))
        return sorted([*map(node, words), *map(node, self.zeros)])

    @property
    def hull(self) -> Span:
        """The first and last word; without words, the empty span at the first zero."""
        if self.spans:
            return self.spans[0][0], self.spans[-1][1]
        before = self.zeros[0][0] if self.zeros else 0
        return before, before - 1


def joined_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Sort spans, and merge those that touch or overlap.

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
    """The mentions that refer to the same thing.

    Parameters
    ----------
    id
        The id, as in the file.
    mentions
        `Mention` objects, `(first, last)` pairs of tokens, or any hashable identifiers.
    type
        The entity type, such as `"person"`.

    Examples
    --------
    >>> Entity("7", (Mention.at(0, 1), Mention.at(4, 4))).id
    '7'
    """

    id: str
    mentions: tuple[Hashable, ...]
    type: str | None = None


@dataclass(frozen=True, slots=True)
class Bridge:
    """A bridging link: an entity that is understood through another, as a wheel through its car.

    >>> Bridge("e5", "e2", "part").relation
    'part'
    """

    anaphor: str
    antecedent: str
    relation: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Annotation:
    """The annotation of mentions, apart from their spans, in the order of the mentions.

    A reader's subclass may store other data and compute these columns on access.

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
        """Return the columns that have any value, as an annotation; None if all are empty."""
        heads = heads if heads is not None and (heads >= 0).any() else None
        lists: tuple[Any, ...] = (minima, types, kinds)
        filled = [column if column and any(column) else None for column in lists]
        return None if heads is None and filled == [None] * 3 else cls(heads, *filled)

    def heads(self) -> Ints | None:
        """Return the node of each mention's head; None if heads are not annotated."""
        return self.all_heads

    def stated_heads(self) -> Ints | None:
        """Return the annotated heads: -1 for heads that are assumed; None if all are assumed."""
        return self.heads()

    def minima(self) -> Sequence[Sequence[int]] | None:
        """Return, for each mention, the nodes that a system has to find; None if not annotated."""
        return self.all_minima

    def types(self) -> Sequence[str] | None:
        """Return the type of each mention's entity, empty if it has none; None if not annotated."""
        return self.all_types

    def kinds(self) -> Sequence[str] | None:
        """Return the kind of each mention (one of `KINDS`, or empty); None if not annotated."""
        return self.all_kinds

    def dependencies(self, mention: int) -> tuple[int, frozenset[tuple[str, str]]]:
        """Return the sentence of a zero, and the enhanced parents and relations of its head."""
        return 0, frozenset()


@dataclass(frozen=True)
class Origin:
    """Where and how a document was read.

    >>> Origin(line=3).unnamed
    False
    """

    path: str = ""  # the file
    line: int = 0  # where the document begins
    header: str = ""  # as written in a CoNLL file
    unnamed: bool = False  # whether the file or the caller gives no name
    problems: tuple[Problem, ...] = ()
    discarded: tuple[str, ...] = ()  # split antecedents

    def place(self, path: str = "") -> tuple[str, int, int]:
        """Return the file (`path` if unknown), line and column where the document begins."""
        return self.path or path, self.line, 1


def columns_of(spans: Sequence[Span]) -> tuple[Ints, Ints]:
    """Return the first tokens and the last tokens of spans.

    >>> columns_of([(3, 5)])[1].tolist()
    [5]
    """
    both = np.array(spans, dtype=np.int64).reshape(-1, 2)
    return both[:, 0].copy(), both[:, 1].copy()


def join_columns(parts: Sequence[Ints]) -> Ints:
    """Concatenate arrays; the result is empty if there are no arrays.

    >>> join_columns([]).tolist()
    []
    """
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


class Places(TypedDict):
    """The columns of a document that hold the spans of its mentions."""

    first: Ints
    last: Ints
    special: dict[int, Mention]


def places_of(mentions: Sequence[Mention]) -> Places:
    """Return the columns of a document for mentions in a text.

    >>> places_of([Mention.at(3, 5)])["last"].tolist()
    [5]
    """
    first, last = columns_of([mention.hull for mention in mentions])
    odd = (n for n, mention in enumerate(mentions) if len(mention.spans) != 1 or mention.zeros)
    return {"first": first, "last": last, "special": {n: mentions[n] for n in odd}}
