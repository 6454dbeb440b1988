"""Describe the mentions of the key or of a response: their positions, heads, kinds and entities.

`DescribedMentions` covers all mentions that were read, and `Scored` only those that were scored.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sameas.analysis.findings import Quoted
from sameas.arithmetic.arrays import Bools, Ints
from sameas.documents.document import Span
from sameas.documents.heads import UNKNOWN, count_unsaid, describe, head_word
from sameas.documents.layout import Layout
from sameas.matching.sides import Mentions, Side, marked

__all__ = ["DescribedMentions", "Scored", "describe_mentions"]


@dataclass(frozen=True)
class DescribedMentions:
    """The properties of one side's mentions, in the order in which they were read."""

    kinds: list[str]
    heads: list[int]  # words of the layout
    head_words: list[str]
    places: list[list[Span]]  # words of the layout
    types: list[str]
    order: Ints  # rank of each mention in the text
    missing_kinds: Counter[str]  # mentions whose kind is not in the file, keyed by code of the note


def describe_mentions(
    read: Mentions,
    layouts: Sequence[Layout],
    tags: Sequence[Sequence[str] | None],
    english: Sequence[bool],
) -> DescribedMentions:
    """Describe all mentions; `tags` are the parts of speech of each document, if known.

    Kinds are guessed only in `english` documents.
    """
    kinds: list[str] = []
    heads: list[int] = []
    head_words: list[str] = []
    places: list[list[Span]] = []
    missing_kinds: Counter[str] = Counter()
    for layout, document, tagged, guesses in zip(
        layouts, read.documents, tags, english, strict=True
    ):
        more, where = describe(layout, document, tagged, guesses)
        code = "kinds-guessed" if guesses else "kinds-foreign"
        missing_kinds[code] += count_unsaid(layout, document)
        missing_kinds["kinds-textless"] += 0 if layout.in_text else more.count(UNKNOWN)
        kinds += more
        heads += where
        head_words += (
            head_word(layout, document, number, head) for number, head in enumerate(where)
        )
        places += (layout.places(document, number) for number in range(document.mention_count))
    types = read.labels("types") or [""] * len(kinds)
    firsts = np.array([spans[0][0] for spans in places], dtype=np.int64)
    lasts = np.array([spans[-1][1] for spans in places], dtype=np.int64)
    order = np.empty(len(kinds), dtype=np.int64)
    order[np.lexsort((-lasts, firsts, read.document))] = np.arange(len(kinds))
    return DescribedMentions(kinds, heads, head_words, places, types, order, missing_kinds)


class Scored:
    """The scored mentions (rows) of one side, and their properties."""

    def __init__(
        self, name: str, side: Side, described: DescribedMentions, layouts: Sequence[Layout]
    ) -> None:
        self.name, self.side, self.described, self.layouts = name, side, described, layouts
        self.place: list[int] = side.place.tolist()  # of each row among the mentions read
        self.document: list[int] = side.read.document[side.place].tolist()  # of each row
        self.order: Ints = described.order[side.place]
        self.kinds = [described.kinds[place] for place in self.place]
        self.head_words = [described.head_words[place] for place in self.place]
        self.types = [described.types[place] for place in self.place]
        self.entity: list[int] = side.entity.tolist()
        self.sizes: list[int] = np.bincount(side.entity).tolist()  # of the entities
        self._rank: list[int] = self.order.tolist()
        self._quoted: dict[int, Quoted] = {}
        self._heads_of: dict[int, tuple[list[int], set[str]]] = {}

    def __len__(self) -> int:
        """Return the number of scored mentions."""
        return len(self.place)

    @cached_property
    def ids(self) -> list[str]:
        """The ids of the entities; if several were joined, one of their ids in the file."""
        read = self.side.read
        all_ids = [name for document in read.documents for name in document.entity_ids]
        ids = [""] * len(self.sizes)
        for entity, there in zip(self.entity, read.entity[self.side.place].tolist(), strict=True):
            ids[entity] = ids[entity] or all_ids[there]
        return ids

    def number(self, row: int) -> int:
        """Return the index of a mention within its document."""
        return self.place[row] - int(self.side.read.starts[self.document[row]])

    def quote(self, row: int) -> Quoted:
        """Return a mention in the form that an error shows."""
        if row not in self._quoted:
            home = self.document[row]
            document, layout = self.side.read.documents[home], self.layouts[home]
            places = self.described.places[self.place[row]]
            number = self.number(row)
            self._quoted[row] = Quoted(
                self.name,
                document.entity_ids[int(document.entity[number])],
                layout.text(places),
                self.kinds[row],
                layout.sentence(places[0][0]) + 1 if layout.in_text else 0,
                tuple(places),
                number,
            )
        return self._quoted[row]

    def identity(self, place: int) -> tuple[int, Hashable]:
        """Return the document of a mention that was read, and what exact matching compares."""
        read = self.side.read
        home = int(read.document[place])
        return home, read.documents[home].mentions[place - int(read.starts[home])]

    def head(self, place: int) -> tuple[int, int]:
        """Return the document and the head of a mention that was read."""
        return int(self.side.read.document[place]), self.described.heads[place]

    @cached_property
    def unscored(self) -> set[tuple[int, Hashable]]:
        """The identities of mentions that were read but not scored."""
        return set(map(self.identity, self._unscored_places))

    @cached_property
    def unscored_heads(self) -> set[tuple[int, int]]:
        """The heads of mentions that were read but not scored."""
        return set(map(self.head, self._unscored_places))

    @property
    def _unscored_places(self) -> list[int]:
        scored = marked(len(self.side.read), self.side.place)
        return np.flatnonzero(~scored).tolist()

    def grouped(self, labels: Ints, only: Bools | None = None) -> dict[int, list[int]]:
        """Return the rows of each label in text order; `only` is a mask of the rows to return."""
        groups: dict[int, list[int]] = {}
        label_of = labels.tolist()
        wanted = None if only is None else only.tolist()
        for row in np.argsort(self.order, kind="stable").tolist():
            if wanted is None or wanted[row]:
                groups.setdefault(label_of[row], []).append(row)
        return groups

    def nearest(self, row: int, rest: list[int]) -> int | None:
        """Return the closest row of `rest` before this one, else the first after it, or None."""
        at = bisect_left(rest, self._rank[row], key=self._rank.__getitem__)
        return rest[at - 1] if at else rest[0] if rest else None

    def shares_head(self, heads: list[str], rest: list[int]) -> bool:
        """Return whether any row of `rest` has one of the heads."""
        if len(rest) == 1:
            return self.head_words[rest[0]] in heads and bool(self.head_words[rest[0]])
        if id(rest) not in self._heads_of:  # kept, so that no other list gets its id
            self._heads_of[id(rest)] = rest, {self.head_words[one] for one in rest} - {""}
        return not self._heads_of[id(rest)][1].isdisjoint(heads)
