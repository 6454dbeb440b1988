"""The words of a CoNLL-U document, read when somebody asks for them."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from sameas.arithmetic.arrays import Ints
from sameas.documents.mentions import INITIAL
from sameas.formats.brackets import cut_words, decode, join_parts
from sameas.formats.conllu.lines import WORD, ConlluLines

__all__ = ["ConlluText"]


class ConlluText:
    """The lines of one document, read when somebody asks for the words."""

    written_as = "conllu"

    def __init__(
        self, lines: ConlluLines, start: int, stop: int, before: int, sentence: Ints
    ) -> None:
        self._lines, self.start, self._stop, self._before = lines, start, stop, before
        self.token_count: int = int(lines.words[stop] - lines.words[start])
        self._sentence = sentence

    @property
    def lines(self) -> list[bytes]:
        """The lines as they are written."""
        data = self._lines.data
        low, high = self._lines.starts[self.start], self._lines.stops[self._stop - 1]
        return data[low:high].split(b"\n")

    @cached_property
    def word_lines(self) -> Ints:
        """The line of each word, counted from the first of the part."""
        return self.start + np.flatnonzero(self._lines.kind[self.start : self._stop] == WORD)

    @cached_property
    def forms(self) -> bytes:
        """The words, each with a tab behind it."""
        lines, line = self._lines, self.word_lines
        tabs = lines.first_tab[line]
        return join_parts(lines.bytes, lines.tabs[tabs] + 1, lines.tabs[tabs + 1] + 1)

    @cached_property
    def sentence_of(self) -> Ints:
        """The number of each word's sentence."""
        return np.unique(self._sentence[self.word_lines], return_inverse=True)[1]

    def cells(self, column: int) -> list[bytes]:
        """One column of every word."""
        return [self._lines.cell(line, column) for line in self.word_lines.tolist()]

    def sentence_at(self, line: int) -> int:
        """The number, in the document, of the sentence of a line of the part."""
        first = int(self._sentence[self.start])
        return int(self._sentence[line]) - first

    @cached_property
    def nodes(self) -> dict[int, int]:
        """The word or empty node in each line that has one, counted from the first of the part."""
        lines = self._lines
        line = self.start + np.flatnonzero(lines.is_node(slice(self.start, self._stop)))
        words = lines.words[line] - lines.words[self.start]
        zeros = (words << 16) + lines.minor[line] + INITIAL * (lines.number[line] == 0)
        places = np.where(lines.kind[line] == WORD, (words + 1) << 16, zeros)
        return dict(zip(line.tolist(), places.tolist(), strict=True))

    @cached_property
    def line_of(self) -> dict[int, int]:
        """The line of each node; the first, if several are numbered alike."""
        return {place: line for line, place in reversed(self.nodes.items())}

    def sentences(self) -> tuple[tuple[str, ...], ...]:
        """The words, sentence by sentence."""
        breaks = np.flatnonzero(np.diff(self.sentence_of)) + 1
        bounds = sorted({0, *breaks.tolist(), self.token_count})
        return cut_words(self.forms, bounds)

    def zero_forms(self) -> dict[int, str]:
        """The empty nodes and what is written for them."""
        return {
            place: decode(self._lines.cell(line, 1))
            for line, place in self.nodes.items()
            if place & 0xFFFF
        }

    def rows(self) -> None:
        """No columns of CoNLL-2012."""

    def place(self, token: int) -> tuple[int, int]:
        """Line and column of the annotation of a word."""
        if not 0 <= token < self.token_count:
            return self._before + self.start + 1, 1
        return self.place_of_line(int(self.word_lines[token]))

    def place_of_line(self, line: int) -> tuple[int, int]:
        """Line and column, in the file, of the annotation in a line of the part."""
        text = self._lines[line]
        return self._before + line + 1, max(text.find(b"Entity="), text.rfind(b"\t") + 1) + 1
