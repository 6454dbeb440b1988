"""The lines of a CoNLL-U file, sorted into kinds by array operations."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from sameas.arithmetic.arrays import Bools, Ints
from sameas.formats.brackets import Bytes

__all__ = ["BLANK", "COMMENT", "EMPTY", "RANGE", "WORD", "WRONG", "ConlluLines", "find_endings"]

_ID = re.compile(rb"(\d{1,9})([-.])(\d{1,9})")
BLANK, COMMENT, WORD, EMPTY, RANGE, WRONG = range(6)


class ConlluLines:
    """The lines of a part, sorted into kinds, with the places of their tabs."""

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
        self.kind: npt.NDArray[np.uint8] = np.full(len(ends), WRONG, dtype=np.uint8)
        self.kind[self.starts == self.stops] = BLANK
        self.kind[first == ord("#")] = COMMENT
        self.number = np.zeros(len(ends), dtype=np.int64)  # of a word or, of an empty node, before
        self.minor = np.zeros(len(ends), dtype=np.int64)  # of an empty node
        lines = np.flatnonzero((self.tab_count == 9) & (self.kind == WRONG))
        self._read_ids(lines)
        # The dashes, and the end of the bytes.
        self.dashes = np.append(np.flatnonzero(self.bytes == ord("-")), len(data))
        # How many words and empty nodes stand before each line.
        self.words, self.zeros = (
            np.concatenate([np.zeros(1, np.int64), np.cumsum(self.kind == kind)])
            for kind in (WORD, EMPTY)
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
        self.kind[lines[plain]] = WORD
        self.number[lines[plain]] = value[plain]
        for line in lines[~plain].tolist():
            found = _ID.fullmatch(self.cell(line, 0))
            if found:
                self.kind[line] = RANGE if found[2] == b"-" else EMPTY
                self.number[line], self.minor[line] = int(found[1]), int(found[3])

    def __getitem__(self, line: int) -> bytes:
        return self.data[self.starts[line] : self.stops[line]]

    def cell(self, line: int, column: int) -> bytes:
        """One column of a line with ten."""
        tabs = int(self.first_tab[line])
        start = self.starts[line] if column == 0 else self.tabs[tabs + column - 1] + 1
        stop = self.stops[line] if column == 9 else self.tabs[tabs + column]
        return self.data[start:stop]

    def line_at(self, places: Ints) -> Ints:
        """The line of each place in the bytes."""
        return np.searchsorted(self.starts, places, "right") - 1

    def in_misc(self, places: Ints, line: Ints) -> Bools:
        """Whether the places, in these lines, are in the last of ten columns."""
        inside: Bools = np.isin(self.kind[line], (WORD, EMPTY, RANGE))
        inside[inside] = places[inside] > self.tabs[self.first_tab[line[inside]] + 8]
        return inside

    def is_node(self, line: Ints | slice) -> Bools:
        """Whether the lines have a word or an empty node."""
        return np.isin(self.kind[line], (WORD, EMPTY))


def find_endings(text: Bytes, places: Ints, word: bytes, fold: int = 0) -> Ints:
    """The places at which a word ends, of some of its last byte; `fold` is a bit of each letter."""
    places = places[places >= len(word)]
    for back, byte in enumerate(reversed(word)):
        places = places[(text[places - back] | fold) == byte]
    return places
