"""Brackets in columns of text: their items, the ids in them, and which closes which.

What the readers of CoNLL and CoNLL-U share, as array operations over many documents at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sameas.coref.document import Bools, Ints

__all__ = ["Bytes", "Ids", "Items", "Pairs", "decode", "name_codes", "pair_items"]

Bytes = npt.NDArray[np.uint8]


def decode(text: bytes) -> str:
    """The text; bytes that are not UTF-8 are written out."""
    return text.decode("utf-8", "backslashreplace")


class Items(NamedTuple):
    """The bracket items of all cells, in the order in which they take effect."""

    document: Ints
    token: Ints
    kind: Ints  # 0: one-token mention, 1: opens, 2: closes
    id: Ints
    names: dict[int, str]


def name_codes(text: Bytes, starts: Ints, stops: Ints) -> tuple[Ints, dict[int, str]]:
    """One number for each entity id: its bytes, or past seven of them a number of its own."""
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


class Pairs(NamedTuple):
    """Which items open and close each mention, and the entities."""

    opened: Ints
    closed: Ints
    entity: Ints  # of each item; entities are numbered as they appear
    appears: Ints  # the item at which each entity does


def pair_items(items: Items, irregular: Bools) -> Pairs:
    """Join each closing bracket with the latest open one of its entity.

    Sorted by entity, opening and closing brackets are +1 and −1; their running sum is the depth,
    and an opening bracket belongs to the next closing one of the same entity and depth.
    """
    codes, id = np.unique(items.id, return_inverse=True)
    group = items.document * max(len(codes), 1) + id
    _, appears, group = np.unique(group, return_index=True, return_inverse=True)
    rank = np.empty(len(appears), dtype=np.int64)
    rank[np.argsort(appears)] = np.arange(len(appears))
    entity = rank[group]  # entities are numbered as they appear
    appears = np.sort(appears)

    half = np.flatnonzero(items.kind > 0)
    half = half[np.argsort(entity[half], kind="stable")]
    step = np.where(items.kind[half] == 1, 1, -1)
    depth = np.cumsum(step)
    bounds = np.searchsorted(entity[half], np.arange(len(appears) + 1))
    base = np.concatenate([np.zeros(1, np.int64), depth])[bounds]
    # A bracket missing anywhere: its document is read again by the parser that says so.
    wrong = np.flatnonzero(np.diff(base) != 0)
    level = depth - base[entity[half]] + (step < 0)
    wrong = np.concatenate([wrong, entity[half[level < 1]]])
    if wrong.size:
        irregular[items.document[appears[wrong]]] = True
        half_kept = ~irregular[items.document[half]]
        half, level = half[half_kept], level[half_kept]
    pairs = half[np.argsort(entity[half] * (level.max(initial=0) + 1) + level, kind="stable")]
    opening, closing = pairs[::2], pairs[1::2]

    whole = np.flatnonzero((items.kind == 0) & ~irregular[items.document])
    return Pairs(
        np.concatenate([whole, opening]), np.concatenate([whole, closing]), entity, appears
    )


class Ids(Sequence[str]):
    """The ids of entities, spelled out when somebody asks for them."""

    def __init__(self, codes: Ints, names: dict[int, str]) -> None:
        self.codes, self.names = codes, names

    def __len__(self) -> int:
        return len(self.codes)

    def part(self, start: int, stop: int) -> Ids:
        """The ids of some entities."""
        return Ids(self.codes[start:stop], self.names)

    def __getitem__(self, place: Any) -> Any:
        codes = self.codes[place]
        if codes.ndim:
            return [self[number] for number in range(len(self))[place]]
        code = int(codes)
        if code >> 56:
            return self.names[code]
        return decode(code.to_bytes(7, "little").rstrip(b"\0"))
