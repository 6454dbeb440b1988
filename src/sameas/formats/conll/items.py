"""Read irregular documents of CoNLL files line by line, and locate their problems."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from sameas.arithmetic.arrays import Ints
from sameas.documents.mentions import columns_of
from sameas.errors import Problem
from sameas.formats.brackets import decode
from sameas.formats.common import Reporter
from sameas.formats.conll.text import ConllLines

__all__ = ["SlowDocument", "cell_items", "read_slowly"]

# Patterns are compiled on first use, since most are rarely needed.
_ITEM = rb"\(([^()|]+)\)|\(([^()|]+)|([^()|]+)\)|(\|)"
_DOUBLE = rb"\((\d+\+\d)\)"
_SPLIT_ANTECEDENT = rb"\d+(\+\d+)+"
_WHOLE = rb"\((\d+)\)"
_OPEN = rb"\((\d+)"
_CLOSE = rb"(\d+)\)"

#: Items as pairs of kind (0: one-token mention, 1: opens, 2: closes) and id; split antecedents.
_CellItems = tuple[list[tuple[int, bytes]], list[bytes]]


class SlowDocument(NamedTuple):
    """The mentions and the problems of a document."""

    columns: dict[str, Any]  # arguments of Document
    problems: tuple[Problem, ...]
    discarded: tuple[str, ...]  # split antecedents


def read_slowly(
    lines: ConllLines, token_lines: Ints, *, reference: bool, ended: bool
) -> SlowDocument:
    """Read one document line by line.

    With the `reference` grammar, brackets left open in a document without an end line (not
    `ended`) only cause a warning.
    """
    reporter = Reporter(lines.path, lines.line)
    split: list[bytes] = []
    numbers: dict[bytes, int] = {}
    stacks: dict[bytes, list[int]] = {}
    mentions: list[tuple[int, int, int]] = []
    for token, line in enumerate(token_lines.tolist()):
        items, discarded = _items_of(lines, line, reference, reporter)
        split += discarded
        for id in discarded:
            reporter.warn(line, lines.cell_column(line), "split-passed", entity=decode(id))
        for kind, id in items:
            entity = numbers.setdefault(id, len(numbers))
            if kind == 0:
                mentions.append((token, token, entity))
            elif kind == 1:
                stacks.setdefault(id, []).append(token)
            elif stacks.get(id):
                mentions.append((stacks[id].pop(), token, entity))
            else:
                reporter.error(line, lines.cell_column(line), "conll-unopened", entity=decode(id))
    lost = reference and not ended
    report, how = (reporter.warn, "lost") if lost else (reporter.error, "wrong")
    for id, stack in stacks.items():
        for line in token_lines[stack].tolist():
            column = lines.cell_column(line)
            report(line, column, "conll-unclosed", entity=decode(id), how=how)
    first, last = columns_of([(first, last) for first, last, _ in mentions])
    used, entities = np.unique([entity for _, _, entity in mentions], return_inverse=True)
    written = list(map(decode, numbers))
    ids = [written[number] for number in used.astype(np.int64).tolist()]
    columns = {"first": first, "last": last, "entity": entities, "entity_ids": ids}
    return SlowDocument(columns, tuple(reporter.problems), tuple(map(decode, split)))


def _items_of(lines: ConllLines, line: int, reference: bool, reporter: Reporter) -> _CellItems:
    """Return the items and split antecedents in the cell of a line; report an invalid cell."""
    if reference:
        return _reference_items(lines.raw(line))
    cell = lines[line].split()[-1]
    found = cell_items(cell)
    if found is None:
        reporter.error(line, lines.cell_column(line), "conll-cell", cell=decode(cell))
    return found or ([], [])


def cell_items(cell: bytes) -> _CellItems | None:
    """Return the items of a cell, and its split antecedents; None if the cell is invalid.

    The items are in the order in which they take effect.

    >>> cell_items(b"1)|(2)|(3+4)"), cell_items(b"x")
    (([(0, b'2'), (2, b'1')], [b'3+4']), None)
    """
    if cell in (b"-", b"_", b"*"):
        return [], []
    matches = list(re.finditer(_ITEM, cell))
    if sum(len(match[0]) for match in matches) < len(cell):
        return None
    items: list[tuple[int, bytes]] = []
    discarded: list[bytes] = []
    split = False
    for match in matches:
        kind = (match.lastindex or 0) - 1
        id = match[kind + 1]
        if re.fullmatch(_SPLIT_ANTECEDENT, id):
            discarded += [id] if kind < 2 else []
            split = True
        elif kind < 3:
            items.append((kind, id))
    # Like the reference scorer: one-token mentions, then openings, then closings.
    return (sorted(items, key=lambda item: item[0]), discarded) if items or split else None


def _reference_items(line: bytes) -> _CellItems:
    """Return the items, and the split antecedents, that the reference scorer finds.

    It removes each of them before it searches for the next.
    """
    cell = line.rstrip(b"\t").rpartition(b"\t")[2]
    items: list[tuple[int, bytes]] = []
    discarded: list[bytes] = []
    for kind, pattern in ((-1, _DOUBLE), (0, _WHOLE), (1, _OPEN), (2, _CLOSE)):
        while match := re.search(pattern, cell):
            cell = cell[: match.start()] + cell[match.end() :]
            if kind < 0:
                discarded.append(match[1])
            else:
                items.append((kind, match[1]))
    return items, discarded
