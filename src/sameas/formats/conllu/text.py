"""The lines of a CoNLL-U file, classified by array operations, and their words."""

from __future__ import annotations

import re
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sameas.arithmetic.arrays import Bools, Ints
from sameas.documents.mentions import INITIAL
from sameas.formats.brackets import Bytes, cut_words, decode, join_parts

__all__ = ["ConlluLines", "ConlluText", "find_endings"]

_ID = re.compile(rb"(\d{1,9})([-.])(\d{1,9})")


class ConlluLines:
    """The lines of a part of a file, their kinds, and the offsets of their tabs."""

    BLANK, COMMENT, WORD, EMPTY, RANGE, WRONG = range(6)

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.bytes = np.frombuffer(data, dtype=np.uint8)
        ends = np.flatnonzero(self.bytes == 10)
        self.starts = np.concatenate([np.zeros(1, dtype=np.int64), ends[:-1] + 1])
        self.stops = ends
        self.tabs = np.flatnonzero(self.bytes == 9)
        self.first_tab = np.searchsorted(self.tabs, self.starts)
        self.tab_count = np.searchsorted(self.tabs, self.stops) - self.first_tab
        first = self.bytes[self.starts]
        self.kind: npt.NDArray[np.uint8] = np.full(len(ends), self.WRONG, dtype=np.uint8)
        self.kind[self.starts == self.stops] = self.BLANK
        self.kind[first == ord("#")] = self.COMMENT
        self.number = np.zeros(len(ends), dtype=np.int64)  # of a word; the 7 in 7.1 and 7-8
        self.minor = np.zeros(len(ends), dtype=np.int64)  # the 1 in 7.1, the 8 in 7-8
        lines = np.flatnonzero((self.tab_count == 9) & (self.kind == self.WRONG))
        self._read_ids(lines)
        # The offsets of dashes, and the end of the bytes.
        self.dashes = np.append(np.flatnonzero(self.bytes == ord("-")), len(data))
        # How many words and empty nodes precede each line.
        self.words, self.zeros = (
            np.concatenate([np.zeros(1, np.int64), np.cumsum(self.kind == kind)])
            for kind in (self.WORD, self.EMPTY)
        )

    def _read_ids(self, lines: Ints) -> None:
        start, stop = self.starts[lines], self.tabs[self.first_tab[lines]]
        length = stop - start
        plain = (length > 0) & (length < 10)
        value = np.zeros(len(lines), dtype=np.int64)
        for place in range(min(int(length.max(initial=0)), 9)):
            here = plain & (place < length)
            digit = self.bytes[start[here] + place].astype(np.int64) - ord("0")
            value[here] = value[here] * 10 + digit
            plain[np.flatnonzero(here)[(digit < 0) | (digit > 9)]] = False
        self.kind[lines[plain]] = self.WORD
        self.number[lines[plain]] = value[plain]
        for line in lines[~plain].tolist():
            found = _ID.fullmatch(self.cell(line, 0))
            if found:
                self.kind[line] = self.RANGE if found[2] == b"-" else self.EMPTY
                self.number[line], self.minor[line] = int(found[1]), int(found[3])

    def __getitem__(self, line: int) -> bytes:
        return self.data[self.starts[line] : self.stops[line]]

    def cell(self, line: int, column: int) -> bytes:
        """Return one cell of a line with ten columns."""
        tabs = int(self.first_tab[line])
        start = self.starts[line] if column == 0 else self.tabs[tabs + column - 1] + 1
        stop = self.stops[line] if column == 9 else self.tabs[tabs + column]
        return self.data[start:stop]

    def line_at(self, places: Ints) -> Ints:
        """Return the line of each byte offset."""
        return np.searchsorted(self.starts, places, "right") - 1

    def in_misc(self, places: Ints, line: Ints) -> Bools:
        """Return whether each offset is in the last of ten columns; `line` is the line of each."""
        inside: Bools = np.isin(self.kind[line], (self.WORD, self.EMPTY, self.RANGE))
        inside[inside] = places[inside] > self.tabs[self.first_tab[line[inside]] + 8]
        return inside

    def is_node(self, line: Ints | slice) -> Bools:
        """Return whether the lines contain a word or an empty node."""
        return np.isin(self.kind[line], (self.WORD, self.EMPTY))


def find_endings(text: Bytes, places: Ints, word: bytes, fold: int = 0) -> Ints:
    """Return the offsets in `places` at which `word` ends.

    `places` are candidate offsets of its last byte. `fold` is OR-ed into each byte of the text
    before comparison (0x20 folds ASCII case).
    """
    places = places[places >= len(word)]
    for back, byte in enumerate(reversed(word)):
        places = places[(text[places - back] | fold) == byte]
    return places


class ConlluText:
    """The lines of one document; its words are read on access."""

    written_as = "conllu"

    def __init__(
        self, lines: ConlluLines, start: int, stop: int, before: int, sentence: Ints
    ) -> None:
        self._lines, self.start, self._stop, self._before = lines, start, stop, before
        self.token_count: int = int(lines.words[stop] - lines.words[start])
        self._sentence = sentence

    @property
    def lines(self) -> list[bytes]:
        """The original lines."""
        data = self._lines.data
        low, high = self._lines.starts[self.start], self._lines.stops[self._stop - 1]
        return data[low:high].split(b"\n")

    @cached_property
    def word_lines(self) -> Ints:
        """The line of each word, relative to the part."""
        return self.start + np.flatnonzero(
            self._lines.kind[self.start : self._stop] == ConlluLines.WORD
        )

    @cached_property
    def forms(self) -> bytes:
        """The words, each followed by a tab."""
        lines, line = self._lines, self.word_lines
        tabs = lines.first_tab[line]
        return join_parts(lines.bytes, lines.tabs[tabs] + 1, lines.tabs[tabs + 1] + 1)

    @cached_property
    def sentence_of(self) -> Ints:
        """The index of each word's sentence."""
        return np.unique(self._sentence[self.word_lines], return_inverse=True)[1]

    def cells(self, column: int) -> list[bytes]:
        """Return the given column of every word."""
        return [self._lines.cell(line, column) for line in self.word_lines.tolist()]

    def sentence_at(self, line: int) -> int:
        """Return the index, within the document, of the sentence that contains a line."""
        first = int(self._sentence[self.start])
        return int(self._sentence[line]) - first

    @cached_property
    def nodes(self) -> dict[int, int]:
        """The word or empty node in each line that contains one, keyed by line in the part."""
        lines = self._lines
        line = self.start + np.flatnonzero(lines.is_node(slice(self.start, self._stop)))
        words = lines.words[line] - lines.words[self.start]
        zeros = (words << 16) + lines.minor[line] + INITIAL * (lines.number[line] == 0)
        places = np.where(lines.kind[line] == ConlluLines.WORD, (words + 1) << 16, zeros)
        return dict(zip(line.tolist(), places.tolist(), strict=True))

    @cached_property
    def line_of(self) -> dict[int, int]:
        """The line of each node; the first line if several have the same number."""
        return {place: line for line, place in reversed(self.nodes.items())}

    def sentences(self) -> tuple[tuple[str, ...], ...]:
        """Return the words by sentence."""
        breaks = np.flatnonzero(np.diff(self.sentence_of)) + 1
        bounds = sorted({0, *breaks.tolist(), self.token_count})
        return cut_words(self.forms, bounds)

    def zero_forms(self) -> dict[int, str]:
        """Return the form of each empty node."""
        return {
            place: decode(self._lines.cell(line, 1))
            for line, place in self.nodes.items()
            if place & 0xFFFF
        }

    def rows(self) -> None:
        """Return None: there are no columns of CoNLL-2012."""

    def place(self, token: int) -> tuple[int, int]:
        """Return the line and column of a word's annotation."""
        if not 0 <= token < self.token_count:
            return self._before + self.start + 1, 1
        return self.place_of_line(int(self.word_lines[token]))

    def place_of_line(self, line: int) -> tuple[int, int]:
        """Return the line and column, in the file, of the annotation in a line of the part."""
        text = self._lines[line]
        return self._before + line + 1, max(text.find(b"Entity="), text.rfind(b"\t") + 1) + 1
