"""The words of a CoNLL-U document, read when somebody asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from sameas.arithmetic.arrays import Ints
from sameas.documents.mentions import node
from sameas.formats.brackets import cut_words, decode
from sameas.formats.conllu.lines import EMPTY, WORD, ConlluLines

__all__ = ["ConlluText", "node_lines"]


class ConlluText:
    """The lines of one document, read when somebody asks for the words."""

    written_as = "conllu"

    def __init__(
        self, lines: ConlluLines, start: int, stop: int, before: int, sentence: Ints
    ) -> None:
        self._lines, self._start, self._stop, self._before = lines, start, stop, before
        self.token_count: int = int(lines.words[stop] - lines.words[start])
        self._sentence = sentence

    @property
    def lines(self) -> list[bytes]:
        """The lines as they are written."""
        data = self._lines.data
        low, high = self._lines.starts[self._start], self._lines.stops[self._stop - 1]
        return data[low:high].split(b"\n")

    @cached_property
    def word_lines(self) -> Ints:
        """The line of each word, counted from the first of the part."""
        return self._start + np.flatnonzero(self._lines.kind[self._start : self._stop] == WORD)

    @cached_property
    def forms(self) -> bytes:
        """The words, each with a tab behind it."""
        lines, line = self._lines, self.word_lines
        starts, stops = lines.tabs[lines.first_tab[line]] + 1, lines.tabs[lines.first_tab[line] + 1]
        lengths = stops - starts + 1
        offsets = np.repeat(starts - (np.cumsum(lengths) - lengths), lengths)
        return lines.bytes[offsets + np.arange(len(offsets))].tobytes()

    @cached_property
    def sentence_of(self) -> Ints:
        """The number of each word's sentence."""
        return np.unique(self._sentence[self.word_lines], return_inverse=True)[1]

    def cells(self, column: int) -> list[bytes]:
        """One column of every word."""
        return [self._lines.cell(line, column) for line in self.word_lines.tolist()]

    def sentence_at(self, line: int) -> int:
        """The number, in the document, of the sentence of a line of the part."""
        first = int(self._sentence[self._start])
        return int(self._sentence[line]) - first

    def line_of(self, place: int) -> int:
        """The line of a node."""
        before, number = place >> 16, place & 0xFFFF
        if not number:
            return int(self.word_lines[before - 1])
        low = int(self.word_lines[before - 1]) if before else self._start
        high = int(self.word_lines[before]) if before < self.token_count else self._stop
        kinds = self._lines.kind[low:high]
        for line in (low + np.flatnonzero(kinds == EMPTY)).tolist():
            if self._lines.zero(line, before)[1] == number:
                return line
        return low

    def sentences(self) -> tuple[tuple[str, ...], ...]:
        """The words, sentence by sentence."""
        breaks = np.flatnonzero(np.diff(self.sentence_of)) + 1
        bounds = sorted({0, *breaks.tolist(), self.token_count})
        return cut_words(self.forms, bounds)

    def zero_forms(self) -> dict[int, str]:
        """The empty nodes and what is written for them."""
        return {
            place: decode(self._lines.cell(self._start + line, 1))
            for line, place in node_lines(self)
            if place is not None and place & 0xFFFF
        }

    def rows(self) -> None:
        """No columns of CoNLL-2012."""

    def place(self, token: int) -> tuple[int, int]:
        """Line and column of the annotation of a word."""
        if not 0 <= token < self.token_count:
            return self._before + self._start + 1, 1
        return self.place_of_line(int(self.word_lines[token]))

    def place_of_line(self, line: int) -> tuple[int, int]:
        """Line and column, in the file, of the annotation in a line of the part."""
        text = self._lines[line]
        return self._before + line + 1, max(text.find(b"Entity="), text.rfind(b"\t") + 1) + 1


def node_lines(text: ConlluText) -> Iterator[tuple[int, int | None]]:
    """Each line of a document, by number, and the node it holds, if it holds one."""
    lines = text._lines
    words = 0
    for line in range(text._start, text._stop):
        kind = lines.kind[line]
        if kind == WORD:
            yield line - text._start, node(words)
            words += 1
        elif kind == EMPTY:
            yield line - text._start, node(lines.zero(line, words))
        else:
            yield line - text._start, None
