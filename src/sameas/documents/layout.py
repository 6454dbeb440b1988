"""Lay out documents for display: their words in order, and the position of each mention.

The key and the responses of a document share a layout, so that each mention is a range of the same
words. Empty nodes are words too, with the form in their file. A text with character offsets is
split at spaces and where mentions begin or end. Mentions that are not spans of a text are laid out
as words, one sentence per key entity.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Sequence
from functools import cached_property
from itertools import accumulate

from sameas.documents.document import Document
from sameas.documents.mentions import Mention, Span, adjacent_word, joined_spans, node

__all__ = ["Layout"]

UNWRITTEN = "∅"  # for an empty node without a form


class Layout:
    """The words of a document, shared by all of its annotations.

    >>> key = Document.from_clusters("a", [[(0, 1), (3, 3)]])
    >>> layout = Layout([key])
    >>> layout.words, layout.places(key, 0)
    (['0', '1', '2', '3'], [(0, 1)])
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self.words: list[str] = []
        self.starts: list[int] = []  # of sentences
        self.glued: list[int] = []  # words with no space before them
        self._nodes: dict[int, int] | None = None  # positions of nodes, if any are zeros
        self._cuts: list[int] | None = None  # with character offsets: where words begin
        self._items: dict[Hashable, int] | None = None  # mentions that are not spans of a text
        if any(document.first is None for document in documents):
            self._list_items(documents)
        elif any(d.unit == "character" and d.mention_count for d in documents) or all(
            document.unit == "character" for document in documents
        ):
            self._cut_text(documents)
        else:
            self._lay_words(documents)

    @property
    def in_text(self) -> bool:
        """Whether mentions are spans of a text."""
        return self._items is None

    def places(self, document: Document, mention: int) -> list[Span]:
        """Return the first and last word of each piece of mention number `mention`."""
        if self._items is not None:
            place = self._items[document.mentions[mention]]
            return [(place, place)]
        found = document.mention(mention)
        if self._nodes is not None:
            return list(joined_spans((self._nodes[place],) * 2 for place in found.nodes))
        if self._cuts is None:
            return list(found.spans)
        cuts = self._cuts
        starts = (max(bisect_right(cuts, first) - 1, 0) for first, _ in found.spans)
        stops = (bisect_left(cuts, last + 1) - 1 for _, last in found.spans)
        return [(start, max(stop, start)) for start, stop in zip(starts, stops, strict=True)]

    def text(self, places: Sequence[Span]) -> str:
        """Return the text of a mention, with `…` between its pieces.

        >>> key = Document.from_clusters("a", [["left", "right"]])
        >>> Layout([key]).text([(1, 1)])
        'right'
        """
        return " … ".join(self.join(first, last + 1) for first, last in places)

    def join(self, start: int, stop: int) -> str:
        """Return the text of the words from `start` up to, but not including, `stop`."""
        if not self.glued:
            return " ".join(self.words[start:stop])
        glued = set(self.glued[bisect_left(self.glued, start) : bisect_left(self.glued, stop)])
        return "".join(
            word if place == start or place in glued else f" {word}"
            for place, word in enumerate(self.words[start:stop], start=start)
        )

    def word(self, place: int) -> int:
        """Return the index of the word at node `place`; -1 if it is not in the layout."""
        if self._nodes is not None:
            return self._nodes.get(place, -1)
        word = (place >> 16) - 1
        if self._cuts is not None:
            return bisect_right(self._cuts, word) - 1
        return word if not place & 0xFFFF and word < len(self.words) else -1

    @cached_property
    def begins(self) -> frozenset[int]:
        """The first word of each sentence and, if that is a mark such as “, also the second."""
        found = set(self.starts)
        for start in self.starts:
            if start + 1 < len(self.words) and not self.words[start][:1].isalnum():
                found.add(start + 1)
        return frozenset(found)

    def sentence(self, word: int) -> int:
        """Return the index of the sentence that contains a word."""
        return bisect_right(self.starts, word) - 1

    def _lay_words(self, documents: Sequence[Document]) -> None:
        source = max(documents, key=lambda document: document.text.token_count)
        sentences = source.sentences
        self.words = [word for sentence in sentences for word in sentence]
        self.starts = [0, *accumulate(len(sentence) for sentence in sentences)][:-1]
        extent = _extent(documents)
        if extent > len(self.words):  # stand-ins for words that no document has
            self.starts = self.starts or [0]
            self.words += [str(number) for number in range(len(self.words), extent)]
        zeros: dict[int, str] = {}
        for document in documents:
            if document.special or document.text.token_count:
                for place, form in document.zero_forms().items():
                    zeros.setdefault(place, form if form not in ("", "_") else UNWRITTEN)
        if zeros:
            self._insert(zeros)

    def _insert(self, zeros: dict[int, str]) -> None:
        """Insert the empty nodes between the words."""
        sentences = list(self.starts)
        forms = {node(number): word for number, word in enumerate(self.words)} | zeros
        order = sorted(forms)
        self._nodes = {place: position for position, place in enumerate(order)}
        self.words = [forms[place] for place in order]
        self.starts, before = [], -1
        for position, place in enumerate(order):
            sentence = bisect_right(sentences, adjacent_word(place)) - 1
            if sentence != before:
                self.starts.append(position)
                before = sentence

    def _cut_text(self, documents: Sequence[Document]) -> None:
        raws = (getattr(document.text, "raw", None) for document in documents)
        raw = next((raw for raw in raws if raw), "")
        extent = _extent(documents)
        raw += "·" * (extent - len(raw))
        cuts = {0, *(space.end() for space in re.finditer(r"\s+", raw))}
        for document in documents:
            for number in range(document.mention_count):
                for first, last in document.mention(number).spans:
                    cuts |= {first, last + 1}
        edges = sorted(cut for cut in cuts if cut < max(len(raw), 1))
        pieces = list(zip(edges, [*edges[1:], len(raw)], strict=True))
        pieces = [(start, stop) for start, stop in pieces if raw[start:stop].strip()]
        self._cuts = [start for start, _ in pieces]
        for start, stop in pieces:
            if start and not raw[start - 1].isspace():
                self.glued.append(len(self.words))
            self.words.append(raw[start:stop].strip())
        lines = [0, *(line.end() for line in re.finditer(r"\n\s*", raw))]
        self.starts = sorted({bisect_left(self._cuts, line) for line in lines})
        self.starts = [start for start in self.starts if start < len(self.words)]

    def _list_items(self, documents: Sequence[Document]) -> None:
        groups: list[Sequence[Hashable]] = [
            [m.identity if isinstance(m, Mention) else m for m in entity.mentions]
            for entity in documents[0].entities
        ]
        groups += [document.mentions for document in documents[1:]]
        self._items = {}
        for group in groups:
            fresh = [item for item in dict.fromkeys(group) if item not in self._items]
            if fresh:
                self.starts.append(len(self.words))
            for item in fresh:
                self._items[item] = len(self.words)
                self.words.append(str(item))


def _extent(documents: Sequence[Document]) -> int:
    """Return the length of the shortest text that contains all mentions."""
    return max(int(d.last.max(initial=-1)) + 1 for d in documents if d.last is not None)
