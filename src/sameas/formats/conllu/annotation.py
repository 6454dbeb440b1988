"""The annotation in the brackets of a CoNLL-U document, read on access."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from sameas.arithmetic.arrays import Bools, Ints
from sameas.documents.mentions import Annotation, Mention, node
from sameas.errors import Problem, refuse_problems
from sameas.formats.brackets import decode
from sameas.formats.conllu.text import ConlluLines, ConlluText

__all__ = ["ID_FIELDS", "ConlluAnnotation", "ConlluMentions", "find_id_field"]

ID_FIELDS = ("eid", "GRP")
_TYPE_FIELDS = ("etype", "entity")
_ZERO = b"\t"  # replaces the part of speech of an empty node; no cell contains a tab
_KIND_OF_TAG = {b"_": "", b"PROPN": "name", b"PRON": "pronoun", _ZERO: "zero"}


class ConlluMentions(NamedTuple):
    """The mentions of one document in the order in which they open, as columns."""

    opened: Ints  # lines
    closed: Ints
    entity: Ints
    ids: Sequence[str]
    text_start: Ints  # byte offsets of the text in the opening bracket
    text_stop: Ints
    pieces: dict[int, list[tuple[int, int]]]  # of discontinuous mentions, as lines


def find_id_field(fields: Sequence[str]) -> int:
    """Return the index of the `Entity` field with the ids: `eid`, `GRP`, or else the first."""
    return next((fields.index(name) for name in ID_FIELDS if name in fields), 0)


@dataclass(frozen=True, kw_only=True, eq=False)
class ConlluAnnotation(Annotation):
    """The annotation in the brackets of one document."""

    text: ConlluText
    fields: Sequence[str]
    _mentions: ConlluMentions
    _first: Ints
    _last: Ints
    _special: Mapping[int, Mention]
    _path: str

    @property
    def _lines(self) -> ConlluLines:
        return self.text._lines

    @property
    def texts(self) -> list[bytes]:
        """The text in the opening bracket of each mention."""
        return self._cut(self._mentions.text_start, self._mentions.text_stop)

    def column(self, name: str) -> list[str]:
        """Return one field of every mention; an empty string if it is omitted."""
        return list(map(decode, self._cut(*self._field(name))))

    def _cut(self, starts: Ints, stops: Ints) -> list[bytes]:
        data = self._lines.data
        pairs = zip(starts.tolist(), stops.tolist(), strict=True)
        return [data[start:stop] for start, stop in pairs]

    def _field(self, name: str) -> tuple[Ints, Ints]:
        """Return where a field of each mention starts and stops; the last may contain dashes."""
        number, dashes = self.fields.index(name), self._lines.dashes
        start, end = self._mentions.text_start, self._mentions.text_stop
        before, most = np.searchsorted(dashes, start), len(dashes) - 1
        inside = np.searchsorted(dashes, end) - before
        if number:
            there = dashes[np.minimum(before + number - 1, most)] + 1
            start = np.where(number <= inside, there, end)
        if name == self.fields[-1]:
            return start, end
        return start, np.where(number < inside, dashes[np.minimum(before + number, most)], end)

    @cached_property
    def _stated(self) -> Bools:
        """Whether each mention has a head in its bracket."""
        if "head" not in self.fields:
            return np.zeros(len(self._first), dtype=np.bool_)
        starts, stops = self._field("head")
        return stops > starts

    @property
    def assumed(self) -> bool:
        """Whether heads are not annotated, so that the first node of each mention is used."""
        return "head" not in self.fields or bool(self._unstated.any() and not self._stated.any())

    @cached_property
    def _unstated(self) -> Bools:
        """Whether each mention has several nodes but no head; a single node is its own head."""
        return ~self._stated & (self._sizes > 1)

    @cached_property
    def _sizes(self) -> Ints:
        """The number of nodes of each mention."""
        sizes = self._last - self._first + 1
        for number, mention in self._special.items():
            sizes[number] = mention.size
        return sizes

    def stated_heads(self) -> Ints | None:
        """Return the annotated heads: -1 if a mention has none; None if no mention has one."""
        return np.where(self._unstated, -1, self._heads) if self._stated.any() else None

    def _node(self, number: int, index: int) -> int:
        """Return the node of a mention at 1-based position `index`."""
        if number in self._special:
            return self._special[number].nodes[index - 1]
        return node(int(self._first[number]) + index - 1)

    @cached_property
    def _heads(self) -> Ints:
        index = self._head_positions()
        wrong = np.flatnonzero((index < 1) | (index > self._sizes)).tolist()
        refuse_problems([self._not_in(number, "head") for number in wrong])
        heads = (self._first + index) << 16
        for number in self._special:
            heads[number] = self._node(number, int(index[number]))
        return heads

    def _head_positions(self) -> Ints:
        """Return the 1-based position of each mention's head in its nodes; 0 if not a number."""
        index = np.ones(len(self._first), dtype=np.int64)
        if self.assumed:
            return index
        starts, stops = self._field("head")
        one = np.flatnonzero(stops - starts == 1)  # nearly all are one digit
        index[one] = self._lines.bytes[starts[one]].astype(np.int64) - ord("0")
        odd = np.flatnonzero((stops - starts > 1) | (index < 1) | (index > 9))
        for number, value in zip(odd.tolist(), self._cut(starts[odd], stops[odd]), strict=True):
            index[number] = int(value) if value.isdigit() and len(value) < 10 else 0
        return index

    def _not_in(self, number: int, field: str) -> Problem:
        """Return the problem with a field that gives a position outside its mention."""
        place = self.text.place_of_line(int(self._mentions.opened[number]))
        value, size = self.column(field)[number], int(self._sizes[number])
        return Problem("not-in-mention", self._path, *place, how=field, value=value, count=size)

    def heads(self) -> Ints:
        """Return the node of each mention's head; its first node by default."""
        return self._heads

    def minima(self) -> Sequence[Sequence[int]] | None:
        """Return the nodes of GUM's `minspan`; None if there is no such field."""
        return self._minima

    @cached_property
    def _minima(self) -> list[list[int]] | None:
        if "minspan" not in self.fields:
            return None
        found: list[list[int]] = []
        wrong: list[Problem] = []
        for number, value in enumerate(self.column("minspan")):
            parts = value.split(",") if value else []
            indexes = [int(part) if part.isascii() and part.isdigit() else 0 for part in parts]
            if all(1 <= index <= self._sizes[number] for index in indexes):
                found.append([self._node(number, index) for index in indexes])
            else:
                wrong.append(self._not_in(number, "minspan"))
        refuse_problems(wrong)
        return found

    def types(self) -> Sequence[str] | None:
        """Return the entity type in each bracket, empty if omitted; None if all are omitted."""
        name = next((name for name in _TYPE_FIELDS if name in self.fields), None)
        types = self.column(name) if name else []
        return types if any(types) else None

    def kinds(self) -> Sequence[str] | None:
        """Return each mention's kind, from the part of speech of its head; None if untagged."""
        return self._kinds

    @cached_property
    def _kinds(self) -> list[str] | None:
        if not self.text.token_count:
            return None
        tags = self.text.cells(3)
        if all(tag == b"_" for tag in tags):
            return None  # not tagged
        heads = self._heads
        if self._unstated.any():
            heads = np.where(self._unstated, self._tree_heads(), heads)
        kinds = []
        for size, head in zip(self._sizes.tolist(), heads.tolist(), strict=True):
            tag = _ZERO if head & 0xFFFF else tags[(head >> 16) - 1]
            alone = tag == b"DET" and size == 1
            kinds.append("pronoun" if alone else _KIND_OF_TAG.get(tag, "nominal"))
        return kinds

    def _tree_heads(self) -> Ints:
        """Return the heads; if unstated, the first word whose parent is outside the mention."""
        sentence = self.text.sentence_of
        starts = np.searchsorted(sentence, sentence, "left").tolist()
        parents = [
            start + int(parent) - 1 if parent.isdigit() and parent != b"0" else -1
            for start, parent in zip(starts, self.text.cells(6), strict=True)
        ]
        heads = self._heads.copy()
        for number in np.flatnonzero(self._unstated).tolist():
            first, last = int(self._first[number]), int(self._last[number])
            if number not in self._special:
                words = range(first, last + 1)
                tops = (word for word in words if not first <= parents[word] <= last)
                heads[number] = node(next(tops, first))
        return heads

    def dependencies(self, mention: int) -> tuple[int, frozenset[tuple[str, str]]]:
        """Return the sentence of a mention's head, and the parents and relations in its DEPS."""
        line = self.text.line_of[int(self._heads[mention])]
        written = decode(self._lines.cell(line, 8))
        links = [] if written == "_" else [link.partition(":") for link in written.split("|")]
        return self.text.sentence_at(line), frozenset((parent, name) for parent, _, name in links)
