"""The lines of a CoNLL file, and their words, which are read on access."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from sameas.arithmetic.arrays import Bools, Ints
from sameas.formats.brackets import Bytes, byte_set, cut_words, decode, join_parts

__all__ = ["BLANK", "ConllLines", "ConllText", "move_back", "same_words"]

BLOCK = 1 << 12  # tokens compared at once, so that their bytes fit in the cache
BLANK = byte_set(b" \t\r\v\f")
_TAB = ord("\t")
_NO_TAGS = frozenset({"-", "_", "*", "X", "XX"})


class ConllLines:
    """The lines of a file as byte offsets, without trailing whitespace."""

    def __init__(self, data: bytes | memoryview, path: str, line: int = 0) -> None:
        self.data, self.path = data, path
        self.line = line  # number of lines in the file before these
        self.buffer: Bytes = np.frombuffer(data, dtype=np.uint8)
        newlines = np.flatnonzero(self.buffer == ord("\n"))
        self.starts = np.concatenate([np.zeros(1, dtype=np.int64), newlines + 1])
        self.stops = np.append(newlines, len(data))  # a line stops before trailing whitespace
        if self.starts[-1] == len(data):
            self.starts, self.stops = self.starts[:-1], self.stops[:-1]
        move_back(self.stops, self.starts, self.buffer, BLANK)
        self.filled: Bools = self.stops > self.starts
        self.cells = self.stops - 1  # where each line's last column starts; set by the reader

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle, with bytes instead of a view, for worker processes."""
        data = bytes(self.data)
        state = {**self.__dict__, "data": data, "buffer": np.frombuffer(data, dtype=np.uint8)}
        return {name: value for name, value in state.items() if name not in ("words", "long_cells")}

    def __getitem__(self, line: int) -> bytes:
        return bytes(self.data[self.starts[line] : self.stops[line]])

    def raw(self, line: int) -> bytes:
        """Return the line without its newline, but with trailing whitespace."""
        start, *after = self.starts[line : line + 2].tolist()
        return bytes(self.data[start : after[0] if after else None]).removesuffix(b"\n")

    def ends(self) -> Ints:
        """Return where the lines end, after any trailing whitespace."""
        last = len(self.data) - (self.buffer[-1:] == ord("\n")).sum()
        return np.append(self.starts[1:] - 1, last)

    def hash_lines(self) -> list[int]:
        """Return the lines that start with `#`: headers, end lines, comments, or tokens."""
        filled = np.flatnonzero(self.filled)
        found = filled[self.buffer[self.starts[filled]] == ord("#")]
        return found.tolist()  # type: ignore[no-any-return]

    def cell_column(self, line: int) -> int:
        """Return the column at which the coreference cell of a line starts, counted from 1."""
        text = self[line]
        return len(decode(text[: len(text) - len(text.split()[-1])])) + 1

    @cached_property
    def words(self) -> _Words:
        """The word of each line: column 4 if there are at least five, else the second-to-last."""
        tabs = np.flatnonzero(self.buffer == _TAB)
        first = np.searchsorted(tabs, self.starts)
        count = np.searchsorted(tabs, self.cells) - first
        last = first + np.minimum(count, 4) - 1  # the tab after the word
        tabs = np.append(tabs, len(self.buffer))
        start = np.where(count > 1, tabs[np.maximum(last - 1, 0)] + 1, self.starts)
        regular = (count > 0) & (self.buffer[np.maximum(self.cells - 1, 0)] == _TAB)
        return _Words(start, tabs[last], regular)

    @cached_property
    def long_cells(self) -> tuple[list[int], list[int]]:
        """The starts and stops of cells of more than one byte, which contain brackets."""
        found = np.flatnonzero(self.stops - self.cells > 1)
        return self.cells[found].tolist(), self.stops[found].tolist()


class _Words(NamedTuple):
    """Where the word of each line starts and stops, valid if tabs separate columns (`regular`)."""

    start: Ints
    stop: Ints
    regular: Bools


def move_back(places: Ints, least: Ints, buffer: Bytes, passed: Bools) -> None:
    """Move offsets back, in place, past the bytes in `passed`, but no further than `least`."""
    active = np.flatnonzero(places > least)
    while active.size:
        active = active[passed[buffer[places[active] - 1]]]
        places[active] -= 1
        active = active[places[active] > least[active]]


@dataclass(frozen=True, eq=False, repr=False)
class ConllText:
    """The words of a document in a CoNLL file, read on access."""

    source: ConllLines
    lines: Ints  # the line of each token

    @property
    def token_count(self) -> int:
        """The number of tokens."""
        return len(self.lines)

    def sentences(self) -> tuple[tuple[str, ...], ...]:
        """Return the words by sentence."""
        return cut_words(self.forms, self._bounds())

    def without_brackets(self, low: int, high: int) -> bytes:
        """Return the bytes of a range of tokens, with every long cell replaced by an empty one."""
        first, last = self.lines[[low, high - 1]].tolist()
        start, stop = int(self.source.starts[first]), int(self.source.stops[last])
        cells, ends = self.source.long_cells
        inside = slice(bisect_left(cells, start), bisect_left(cells, stop))
        edges = zip([start, *ends[inside]], [*cells[inside], stop], strict=True)
        return b"-".join([self.source.data[low:high] for low, high in edges])

    @property
    def forms(self) -> bytes:
        """The words, each followed by a tab."""
        found, lines = self.source.words, self.lines
        if not found.regular[lines].all():
            words = (_word(line) for line in self._texts())
            return b"".join(word.replace(b"\t", b" ") + b"\t" for word in words)
        return join_parts(self.source.buffer, found.start[lines], found.stop[lines] + 1)

    def rows(self) -> list[list[list[str]]]:
        """Return the columns before the coreference column, by sentence and token."""
        rows = [[decode(column) for column in _columns(line)] for line in self._texts()]
        return [rows[start:stop] for start, stop in pairwise(self._bounds())]

    def _texts(self) -> Iterator[bytes]:
        source = self.source
        data, starts, stops = source.data, source.starts[self.lines], source.stops[self.lines]
        for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
            yield bytes(data[start:stop])

    def _bounds(self) -> list[int]:
        """Return the first token of each sentence, followed by the token count.

        Empty lines end sentences.
        """
        if not len(self.lines):
            return []
        first, last = int(self.lines[0]), int(self.lines[-1])
        lines = slice(first, last + 1)
        # `filled` is false for comments as well.
        blank = self.source.starts[lines] == self.source.stops[lines]
        sentence = np.cumsum(blank)[self.lines - first]
        return [0, *(np.flatnonzero(np.diff(sentence)) + 1).tolist(), len(self.lines)]

    def tags(self) -> list[str] | None:
        """Return the parts of speech, column 5 of CoNLL-2012; None if it has only placeholders."""
        found = self._column(4)
        return None if found is None or _NO_TAGS.issuperset(found) else found

    def named_entities(self) -> list[str] | None:
        """Return the column of named entities, such as `(PERSON*`, or None."""
        found = self._column(10)
        used = found is not None and any("(" in cell or cell == "*" for cell in found)
        return found if used else None

    def _column(self, number: int) -> list[str] | None:
        if not len(self.lines) or len(self.source[int(self.lines[0])].split()) < 12:
            return None
        found = [line.split()[number : number + 1] for line in self._texts()]
        return [decode(cell[0]) if cell else "-" for cell in found]

    def place(self, token: int) -> tuple[int, int]:
        """Return the line and column of a token's coreference cell."""
        line = int(self.lines[token])
        return self.source.line + line + 1, self.source.cell_column(line)


def _columns(line: bytes) -> list[bytes]:
    """Return all columns but the last."""
    left = line[: len(line) - len(line.split()[-1])]
    if b"\t" in left:
        return left.rstrip(b" ").removesuffix(b"\t").split(b"\t")
    return left.split()


def _word(line: bytes) -> bytes:
    """Return the word of a line: column 4 if there are at least five, else the second-to-last."""
    row = _columns(line)
    return row[3] if len(row) >= 4 else row[-1] if row else b""


def same_words(one: ConllText, other: ConllText) -> bool:
    """Return whether two texts have the same bytes except for brackets, and so the same words.

    If not, the words may still be equal; compare the columns.
    """
    count = one.token_count
    blocks = ((low, min(low + BLOCK, count)) for low in range(0, count, BLOCK))
    return count == other.token_count > 0 and all(
        one.without_brackets(*block) == other.without_brackets(*block) for block in blocks
    )
