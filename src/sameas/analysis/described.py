"""What is known of the mentions of key or response: where they are, what they look like, whose.

`DescribedMentions` has it for all mentions that were read, `Scored` for those that were scored, by
row.
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
    """What is known of the mentions of one side, in the order in which they were read."""

    kinds: list[str]
    heads: list[int]  # words of the layout
    head_words: list[str]
    places: list[list[Span]]  # words of the layout
    types: list[str]
    order: Ints  # rank of each mention in the text
    unsaid: Counter[str]  # mentions whose kind the file does not say, by the code of the note


def describe_mentions(
    read: Mentions,
    layouts: Sequence[Layout],
    tags: Sequence[Sequence[str] | None],
    english: Sequence[bool],
) -> DescribedMentions:
    """Describe all mentions; `tags` are the parts of speech of each document, where known.

    Kinds are guessed in the documents that are `english`.
    """
    kinds: list[str] = []
    heads: list[int] = []
    head_words: list[str] = []
    places: list[list[Span]] = []
    unsaid: Counter[str] = Counter()
    for layout, document, tagged, guesses in zip(
        layouts, read.documents, tags, english, strict=True
    ):
        more, where = describe(layout, document, tagged, guesses)
        unsaid["kinds-guessed" if guesses else "kinds-foreign"] += count_unsaid(layout, document)
        unsaid["kinds-textless"] += 0 if layout.in_text else more.count(UNKNOWN)
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
    return DescribedMentions(kinds, heads, head_words, places, types, order, unsaid)


class Scored:
    """The mentions of one side that were scored, by row, and what is known of them."""

    def __init__(
        self, name: str, side: Side, described: DescribedMentions, layouts: Sequence[Layout]
    ) -> None:
        self.name, self.side, self.described, self.layouts = name, side, described, layouts
        self.place: list[int] = side.place.tolist()  # of each row among the mentions as read
        self.document: list[int] = side.read.document[side.place].tolist()  # its document
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
        """How many there are."""
        return len(self.place)

    @cached_property
    def ids(self) -> list[str]:
        """The names of the entities; one of a file, where several were joined."""
        read = self.side.read
        all_ids = [name for document in read.documents for name in document.entity_ids]
        ids = [""] * len(self.sizes)
        for entity, there in zip(self.entity, read.entity[self.side.place].tolist(), strict=True):
            ids[entity] = ids[entity] or all_ids[there]
        return ids

    def number(self, row: int) -> int:
        """The number of a mention among those of its document."""
        return self.place[row] - int(self.side.read.starts[self.document[row]])

    def quote(self, row: int) -> Quoted:
        """A mention as an error shows it."""
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
        """Document of a mention that was read, and what exact matching compares."""
        read = self.side.read
        home = int(read.document[place])
        return home, read.documents[home].mentions[place - int(read.starts[home])]

    def head(self, place: int) -> tuple[int, int]:
        """Document and head of a mention that was read."""
        return int(self.side.read.document[place]), self.described.heads[place]

    @cached_property
    def left_out(self) -> set[tuple[int, Hashable]]:
        """The identities of mentions that were read and not scored."""
        return set(map(self.identity, self._places_left_out))

    @cached_property
    def heads_left_out(self) -> set[tuple[int, int]]:
        """The heads of mentions that were read and not scored."""
        return set(map(self.head, self._places_left_out))

    @property
    def _places_left_out(self) -> list[int]:
        scored = marked(len(self.side.read), self.side.place)
        return np.flatnonzero(~scored).tolist()

    def grouped(self, labels: Ints, only: Bools | None = None) -> dict[int, list[int]]:
        """The rows of each label, or some of them, in the order of the text."""
        groups: dict[int, list[int]] = {}
        label_of = labels.tolist()
        wanted = None if only is None else only.tolist()
        for row in np.argsort(self.order, kind="stable").tolist():
            if wanted is None or wanted[row]:
                groups.setdefault(label_of[row], []).append(row)
        return groups

    def nearest(self, row: int, rest: list[int]) -> int | None:
        """The closest of other rows before this one, or else after it."""
        at = bisect_left(rest, self._rank[row], key=self._rank.__getitem__)
        return rest[at - 1] if at else rest[0] if rest else None

    def shares_head(self, heads: list[str], rest: list[int]) -> bool:
        """Whether one of the heads is that of one of the rows."""
        if len(rest) == 1:
            return self.head_words[rest[0]] in heads and bool(self.head_words[rest[0]])
        if id(rest) not in self._heads_of:  # which keeps the list, so that no other has its id
            self._heads_of[id(rest)] = rest, {self.head_words[one] for one in rest} - {""}
        return not self._heads_of[id(rest)][1].isdisjoint(heads)
