"""Brackets in columns of text: their items, their ids, and which bracket closes which.

The readers of CoNLL and CoNLL-U share these array operations over many documents at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from sameas.arithmetic.arrays import Bools, Ints
from sameas.formats.common import numbered

__all__ = [
    "Bytes",
    "Ids",
    "Items",
    "Pairs",
    "Runs",
    "byte_set",
    "cut_cells",
    "cut_words",
    "decode",
    "join_parts",
    "name_codes",
    "pair_items",
]

Bytes = npt.NDArray[np.uint8]


def byte_set(characters: bytes) -> Bools:
    """Return, for each of the 256 bytes, whether it is among the characters."""
    table = np.zeros(256, dtype=np.bool_)
    table[list(characters)] = True
    return table


def decode(text: bytes) -> str:
    """Decode UTF-8, with escapes for invalid bytes."""
    return text.decode("utf-8", "backslashreplace")


def cut_words(forms: bytes, bounds: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    """Split tab-terminated words into the sentences between consecutive bounds."""
    words = decode(forms).split("\t")[:-1]
    return tuple(tuple(words[low:high]) for low, high in pairwise(bounds))


def join_parts(buffer: Bytes, starts: Ints, stops: Ints) -> bytes:
    """Join the bytes from each start up to, but not including, its stop; no part may be empty."""
    ends = np.cumsum(stops - starts)
    steps = np.ones(int(ends[-1]) if len(ends) else 0, dtype=np.int64)
    steps[:1] = starts[:1]
    steps[ends[:-1]] = starts[1:] - stops[:-1] + 1
    return buffer[np.cumsum(steps)].tobytes()


class Items(NamedTuple):
    """The bracket items of all cells, in the order in which they take effect."""

    document: Ints
    token: Ints
    kind: Ints  # 0: one-token mention, 1: opens, 2: closes
    id: Ints
    names: dict[int, str]


class Runs(NamedTuple):
    """The runs of text between the brackets of cells."""

    text: Bytes  # all cells, concatenated
    cell_of: Ints  # the cell of each byte
    shift: Ints  # for each cell: file offset minus offset in `text`
    start: Ints  # of each run, as an offset in `text`
    stop: Ints
    cell: Ints
    kind: Ints  # as in Items
    bad: list[Ints]  # irregular cells: empty or unpaired brackets, text outside brackets


def cut_cells(buffer: Bytes, starts: Ints, stops: Ints, marks: Bools) -> Runs:
    """Split cells, given as byte offsets in a file, at brackets and other marks."""
    lengths = stops - starts
    shift = starts - (np.cumsum(lengths) - lengths)
    cell_of = np.repeat(np.arange(len(lengths)), lengths)
    text = buffer[np.repeat(shift, lengths) + np.arange(len(cell_of))]
    mark = marks[text]
    edge = np.ones(len(text) + 1, dtype=np.bool_)
    edge[1:-1] = cell_of[1:] != cell_of[:-1]
    before = np.concatenate([np.zeros(1, np.uint8), text[:-1]])
    before[edge[:-1]] = 0
    after = np.append(text[1:], np.uint8(0))
    after[edge[1:]] = 0
    start = np.flatnonzero(~mark & (edge[:-1] | marks[before]))
    stop = np.flatnonzero(~mark & (edge[1:] | marks[after])) + 1
    cell = cell_of[start]
    opens = before[start] == ord("(")
    closes = after[stop - 1] == ord(")")

    def count(cells: Ints) -> Ints:
        return np.bincount(cells, minlength=len(lengths))

    bad = [cell[~(opens | closes)], np.flatnonzero(count(cell) == 0), cell_of[text == 0]]
    for byte, used in ((ord("("), opens), (ord(")"), closes)):
        bad.append(np.flatnonzero(count(cell_of[text == byte]) != count(cell[used])))
    kind = np.where(opens & closes, 0, np.where(opens, 1, 2)).astype(np.int64)
    return Runs(text, cell_of, shift, start, stop, cell, kind, bad)


def name_codes(text: Bytes, starts: Ints, stops: Ints) -> tuple[Ints, dict[int, str]]:
    """Return an integer code for each entity id, and the long ids, keyed by code.

    The code of an id of up to seven bytes consists of these bytes; longer ids are numbered.
    """
    lengths = stops - starts
    code = np.zeros(len(starts), dtype=np.int64)
    for at in range(min(int(lengths.max(initial=0)), 7)):
        reach = np.flatnonzero(lengths > at)
        code[reach] |= text[starts[reach] + at].astype(np.int64) << (8 * at)
    names: dict[int, str] = {}
    seen: dict[bytes, int] = {}
    for item in np.flatnonzero(lengths > 7).tolist():
        name = text[starts[item] : stops[item]].tobytes()
        code[item] = seen.setdefault(name, (1 << 56) + len(seen))
        names[int(code[item])] = decode(name)
    return code, names


class Ids(Sequence[str]):
    """The ids of entities, decoded on access."""

    def __init__(self, codes: Ints, names: dict[int, str]) -> None:
        self.codes, self.names = codes, names

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, place: Any) -> Any:
        codes = self.codes[place]
        if codes.ndim:
            return [self[number] for number in range(len(self))[place]]
        code = int(codes)
        if code >> 56:
            return self.names[code]
        return decode(code.to_bytes(7, "little").rstrip(b"\0"))


class Pairs(NamedTuple):
    """The mentions of all regular documents, and where each document begins among them."""

    opened: Ints  # items
    closed: Ints
    entity: Ints  # numbered in order of appearance
    ids: Ids
    mention_bounds: Ints
    entity_bounds: Ints

    def of(self, document: int) -> tuple[slice, Ints, Ids]:
        """Return the slice of a document's mentions, the entity of each (from 0), and the ids."""
        here = slice(*self.mention_bounds[document : document + 2].tolist())
        lowest, highest = self.entity_bounds[document : document + 2].tolist()
        return here, self.entity[here] - lowest, Ids(self.ids.codes[lowest:highest], self.ids.names)


def pair_items(items: Items, irregular: Bools, order: Literal["opened", "closed"]) -> Pairs:
    """Match each closing bracket with the most recently opened one of its entity.

    Brackets are sorted by entity; opening ones count +1, closing ones −1. Their running sum is
    the depth, and an opening bracket matches the next closing bracket of the same entity and
    depth. `order` is the order of the mentions: as they open or as they close.
    """
    codes, id = np.unique(items.id, return_inverse=True)
    group = items.document * max(len(codes), 1) + id
    appears, entity = numbered(group)

    half = np.flatnonzero(items.kind > 0)
    half = half[_stable_order(entity[half])]
    step = np.where(items.kind[half] == 1, 1, -1)
    depth = np.cumsum(step)
    bounds = np.searchsorted(entity[half], np.arange(len(appears) + 1))
    base = np.concatenate([np.zeros(1, np.int64), depth])[bounds]
    # Documents with a missing bracket are read again by the parser that reports it.
    wrong = np.flatnonzero(np.diff(base) != 0)
    level = depth - base[entity[half]] + (step < 0)
    wrong = np.concatenate([wrong, entity[half[level < 1]]])
    if wrong.size:
        irregular[items.document[appears[wrong]]] = True
        half_kept = ~irregular[items.document[half]]
        half, level = half[half_kept], level[half_kept]
    pairs = half[_stable_order(entity[half] * (level.max(initial=0) + 1) + level)]

    whole = np.flatnonzero((items.kind == 0) & ~irregular[items.document])
    opened, closed = np.concatenate([whole, pairs[::2]]), np.concatenate([whole, pairs[1::2]])
    sorted_by = opened if order == "opened" else closed
    places = np.argsort(sorted_by, kind="stable")
    numbers = np.arange(len(irregular) + 1)
    return Pairs(
        opened[places],
        closed[places],
        entity[opened[places]],
        Ids(items.id[appears], items.names),
        np.searchsorted(items.document[sorted_by[places]], numbers),
        np.searchsorted(items.document[appears], numbers),
    )


def _stable_order(numbers: Ints) -> Ints:
    """Return the indices that sort integers stably; numpy sorts small ones in linear time."""
    small = numbers.max(initial=0) < 1 << 16
    return np.argsort(numbers.astype(np.uint16) if small else numbers, kind="stable")
