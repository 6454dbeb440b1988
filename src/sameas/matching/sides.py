"""The mentions of key and response as columns over the whole corpus."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from sameas.arithmetic.arrays import Bools, Ints
from sameas.documents.document import Document, Mention, Span, join_columns, stated_heads

if TYPE_CHECKING:
    from sameas.matching.pairing import Pairing

__all__ = [
    "Mentions",
    "Side",
    "marked",
    "overlaps",
    "rank_shapes",
    "raw_sides",
    "shared_words",
]


class Mentions:
    """The mentions of one side as read: their positions, and their annotation on demand.

    `spans` are the first and last tokens of each document's mentions. `in_text` is true for
    documents whose mentions are parts of a text; all other mentions count as one token each.
    `scored` gives, for each document, the index of what it is scored in: the document itself, its
    topic, or the corpus.
    """

    def __init__(
        self,
        documents: Sequence[Document],
        spans: Sequence[tuple[Ints, Ints]],
        in_text: Bools,
        scored: Ints,
    ) -> None:
        self.documents = documents
        self.in_text = in_text
        self.first: Ints = join_columns([first for first, _ in spans])
        self.last: Ints = join_columns([last for _, last in spans])
        counts = np.array([document.mention_count for document in documents], dtype=np.int64)
        self.starts: Ints = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)])
        self.document: Ints = np.repeat(np.arange(len(counts)), counts)
        self.scored = scored
        entities = np.array([len(document.entity_ids) for document in documents], dtype=np.int64)
        before = np.cumsum(entities) - entities
        self.entity: Ints = join_columns([d.entity for d in documents]) + before[self.document]

    def __len__(self) -> int:
        """Return the number of mentions."""
        return int(self.starts[-1])

    @cached_property
    def special(self) -> dict[int, Mention]:
        """The mentions that are not simply all tokens from first to last, keyed by index."""
        return {
            start + number: mention
            for start, document, text in zip(
                self.starts.tolist(), self.documents, self.in_text.tolist(), strict=False
            )
            if text
            for number, mention in document.special.items()
        }

    @cached_property
    def is_special(self) -> Bools:
        """A mask of the special mentions."""
        return marked(len(self), list(self.special))

    @cached_property
    def start(self) -> Ints:
        """The first node of each mention."""
        return self._special((self.first + 1) << 16, lambda mention: mention.nodes[0])

    @cached_property
    def stop(self) -> Ints:
        """The last node of each mention."""
        return self._special((self.last + 1) << 16, lambda mention: mention.nodes[-1])

    @cached_property
    def size(self) -> Ints:
        """The number of nodes of each mention."""
        return self._special(self.last - self.first + 1, lambda mention: mention.size)

    def _special(self, numbers: Ints, of: Callable[[Mention], int]) -> Ints:
        """Replace the value of each special mention with `of(mention)`, and return all values."""
        for number, mention in self.special.items():
            numbers[number] = of(mention)
        return numbers

    @cached_property
    def heads(self) -> Ints:
        """The head of each mention, as a node.

        A mention without a head gets its first node if others in its text have heads, else -1.
        """
        heads, unknown = self._known_heads, self._known_heads < 0
        if unknown.any():
            some = np.array([d.details.heads() is not None for d in self.documents], dtype=np.bool_)
            unknown &= (some & self.in_text)[self.document]
            heads = np.where(unknown, self.start, heads)
        return heads

    @cached_property
    def _known_heads(self) -> Ints:
        return join_columns([_filled(one, one.details.heads(), -1) for one in self.documents])

    @property
    def headless(self) -> int:
        """The number of mentions with several nodes but no head, in texts that have heads."""
        known = [_filled(document, stated_heads(document), 0) for document in self.documents]
        return int(np.count_nonzero((join_columns(known) < 0) & (self.size > 1)))

    @property
    def without_minimum(self) -> int:
        """The number of mentions with several nodes but no minimum span."""
        has = np.array([len(self.minimum(number)) > 0 for number in range(len(self))], dtype=bool)
        return int(np.count_nonzero(~has & (self.size > 1)))

    @cached_property
    def is_zero(self) -> Bools:
        """A mask of the zeros: mentions whose head is an empty node.

        A mention of unknown head is a zero if it has no words.
        """
        mask = np.zeros(len(self), dtype=np.bool_)
        for number, mention in self.special.items():  # only these have empty nodes
            head = int(self._known_heads[number])
            mask[number] = bool(head & 0xFFFF) if head >= 0 else not mention.spans
        return mask

    @cached_property
    def shape(self) -> Ints:
        """The 1-based rank of each special mention when sorted by nodes; 0 for all others."""
        return rank_shapes(self.special, len(self))

    def object(self, number: int) -> Mention:
        """Return one mention as an object."""
        document, place = self._home(number)
        return document.mention(place)

    def minimum(self, number: int) -> Sequence[int]:
        """Return the nodes of a mention's minimum span; empty if the file does not give one."""
        document, place = self._home(number)
        minima = document.details.minima()
        return minima[place] if minima is not None else ()

    def dependencies(self, number: int) -> tuple[int, frozenset[tuple[str, str]]]:
        """Return the sentence of a mention's head, and the head's parents and relations in it."""
        document, place = self._home(number)
        return document.details.dependencies(place)

    def labels(self, what: str) -> list[str] | None:
        """Return the `types` or `kinds` of all mentions, "" if unknown; None if all are unknown."""
        given = [getattr(document.details, what)() for document in self.documents]
        if all(labels is None for labels in given):
            return None
        pairs = zip(self.documents, given, strict=True)
        return [label for one, labels in pairs for label in labels or [""] * one.mention_count]

    def _home(self, number: int) -> tuple[Document, int]:
        document = int(self.document[number])
        return self.documents[document], number - int(self.starts[document])


def rank_shapes(special: Mapping[int, Mention], count: int) -> Ints:
    """Return the 1-based rank of each special mention when sorted by nodes; 0 for all others."""
    nodes = {number: tuple(mention.nodes) for number, mention in special.items()}
    ranks = {found: rank for rank, found in enumerate(sorted({*nodes.values()}), start=1)}
    shape = np.zeros(count, dtype=np.int64)
    for number, found in nodes.items():
        shape[number] = ranks[found]
    return shape


def _filled(document: Document, heads: Ints | None, missing: int) -> Ints:
    """Return the heads of a document's mentions; `missing` for all if `heads` is None."""
    return np.full(document.mention_count, missing, dtype=np.int64) if heads is None else heads


@dataclass(frozen=True, eq=False, repr=False)
class Side:
    """The mentions of one side over the whole corpus, as columns.

    `entity` numbers the entities of all documents consecutively. `mention` is the same number on
    both sides for mentions that match. `place` is the number of the mention in `read`. `document`
    is the unit scored, which is a topic or the corpus if entities span several documents.
    """

    document: Ints
    entity: Ints
    mention: Ints
    place: Ints
    read: Mentions

    def keep(self, which: Bools | Ints) -> Side:
        """Return the mentions that a mask or indices select; remove entities without mentions."""
        entity = np.unique(self.entity[which], return_inverse=True)[1]
        columns = (self.document[which], entity, self.mention[which], self.place[which])
        return Side(*columns, self.read)

    def without_singletons(self) -> Side:
        """Return the side without singletons."""
        alone = np.bincount(self.entity)[self.entity] == 1
        return self.keep(~alone) if alone.any() else self

    def drop(self, places: Ints) -> Side:
        """Return the side without the mentions at these indices of the columns."""
        return self.keep(~marked(len(self.mention), places))

    def first_of_each(self, values: Ints) -> Side:
        """Return the first mention with each distinct value; `values` has one per mention."""
        return self.keep(np.sort(np.unique(values, return_index=True)[1]))

    def repeats(self, rank: Ints) -> tuple[Ints, Ints]:
        """Return the indices of consecutive occurrences of repeated mentions, sorted by rank.

        The first array has the index of each occurrence before a repeat, the second that of the
        repeat.
        """
        order = np.lexsort((rank, self.mention))
        again = self.mention[order][1:] == self.mention[order][:-1]
        return order[:-1][again], order[1:][again]


def raw_sides(pairing: Pairing, scored: Ints | None = None) -> list[Side]:
    """Return both sides, with mentions numbered so that equal spans have equal numbers."""
    if scored is None:
        scored = np.arange(len(pairing.key))
    spans: list[list[tuple[Ints, Ints]]] = [[], []]
    in_text = np.ones(len(pairing.key), dtype=np.bool_)
    for number, pair in enumerate(zip(pairing.key, pairing.response, strict=True)):
        numbers: dict[object, int] = {}
        for side, document in enumerate(pair):
            if all(one.first is not None and one.last is not None for one in pair):
                assert document.first is not None and document.last is not None
                spans[side].append((document.first, document.last))
                continue
            # Other hashables are numbered, and the numbers serve as spans of one token.
            in_text[number] = False
            codes = [numbers.setdefault(mention, len(numbers)) for mention in document.mentions]
            spans[side].append((np.array(codes, dtype=np.int64),) * 2)
    reads = [
        Mentions(documents, places, in_text, scored)
        for documents, places in zip((pairing.key, pairing.response), spans, strict=True)
    ]
    home = np.concatenate([read.document for read in reads])
    first = np.concatenate([read.first for read in reads])
    last = np.concatenate([read.last for read in reads])
    # Number the tokens of the whole corpus, then pack first token and length into one integer.
    extent = np.zeros(len(pairing.key), dtype=np.int64)
    np.maximum.at(extent, home, last + 1)
    start = first + (np.cumsum(extent) - extent)[home]
    length = np.maximum(last - first, 0)
    width = int(length.max(initial=0)) + 1
    if int(start.max(initial=0)) < (1 << 62) // width:
        mention = np.unique(start * width + length, return_inverse=True)[1]
    else:
        mention = np.unique(np.stack([start, length], 1), axis=0, return_inverse=True)[1].ravel()
    fresh = int(mention.max(initial=-1)) + 1
    # Mentions of several pieces or with zeros are equal only if all their nodes are.
    known: dict[tuple[int, Mention], int] = {}
    sides = []
    for read, part in zip(reads, np.split(mention, [len(reads[0])]), strict=True):
        for place, special in read.special.items():
            place_there = (int(read.document[place]), special)
            part[place] = known.setdefault(place_there, fresh + len(known))
        sides.append(Side(read.document, read.entity, part, np.arange(len(read)), read))
    return sides


def marked(size: int, places: Any) -> Bools:
    """Return a mask of length `size` that is true at these indices.

    >>> marked(3, [2]).tolist()
    [False, False, True]
    """
    mask = np.zeros(size, dtype=np.bool_)
    mask[places] = True
    return mask


def overlaps(key: Mentions, response: Mentions, k: Ints, r: Ints) -> Ints:
    """Return how many nodes key mention `k[c]` and response mention `r[c]` share, for every c."""
    shared: Ints = np.minimum(key.last[k], response.last[r])
    shared = shared - np.maximum(key.first[k], response.first[r])
    shared = np.maximum(shared + 1, 0).astype(np.int64)
    if key.special or response.special:
        odd = key.is_special[k] | response.is_special[r]
        for pair in np.flatnonzero(odd).tolist():
            one, other = key.object(int(k[pair])), response.object(int(r[pair]))
            words = shared_words(one.spans, other.spans)
            shared[pair] = words + len(set(one.zeros) & set(other.zeros))
    return shared


def shared_words(one: Sequence[Span], other: Sequence[Span]) -> int:
    """Return how many words the pieces of two mentions share."""
    return sum(
        max(0, min(last, last_there) - max(first, first_there) + 1)
        for first, last in one
        for first_there, last_there in other
    )


def contains(mentions: Mentions, places: Ints, nodes: Ints) -> Bools:
    """Return whether mention `places[c]` contains node `nodes[c]`, for every c."""
    words = (nodes >> 16) - 1
    inside: Bools = (nodes & 0xFFFF) == 0
    inside &= (mentions.first[places] <= words) & (words <= mentions.last[places])
    for pair in np.flatnonzero(mentions.is_special[places]).tolist():
        inside[pair] = int(nodes[pair]) in mentions.special[int(places[pair])].nodes
    return inside
