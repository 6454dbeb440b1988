"""Read irregular documents of CoNLL-U files bracket by bracket, and locate their problems."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sameas.documents.mentions import Span, columns_of
from sameas.formats.brackets import decode
from sameas.formats.common import Reporter
from sameas.formats.conllu.annotation import ConlluMentions, find_id_field
from sameas.formats.conllu.text import ConlluLines

__all__ = ["BracketReader", "find_cells"]

_CELL = re.compile(rb"(?<=[\t|])(Entity)=([^|\t\n]*)")
_CHUNK = re.compile(rb"\(([^()]+)(\))?|([^()]+)\)|(.)")
_PIECE = re.compile(rb"(.+)\[(\d{1,4})/(\d{1,4})\]")


@dataclass(slots=True, eq=False)
class _Mention:
    """A mention that is being read."""

    id: bytes
    text: Span  # byte offsets of the text in its opening bracket
    total: int  # the stated number of pieces; 0 if they are not numbered
    pieces: list[Span]  # first and last line of each; -1 while open
    column: int = 0  # of the opening bracket of the piece that is still open


def find_cells(
    reporter: Reporter, lines: ConlluLines, pattern: re.Pattern[bytes], low: int, high: int
) -> Iterator[tuple[int, int, re.Match[bytes]]]:
    """Yield the line, the column and the match for each match in the last column of a node.

    Matches in other columns, or in the line of a range of words, cause a warning.
    """
    cells = list(pattern.finditer(lines.data, low, high))
    places = np.array([cell.start() for cell in cells], dtype=np.int64)
    where = lines.line_at(places)
    columns = places - lines.starts[where] + 1
    kinds, misc = lines.kind[where], lines.in_misc(places, where)
    for cell, line, column, kind, inside in zip(
        cells, where.tolist(), columns.tolist(), kinds.tolist(), misc.tolist(), strict=True
    ):
        if kind in (lines.WORD, lines.EMPTY) and inside:
            yield line, column, cell
        elif kind not in (lines.COMMENT, lines.WRONG):
            how = "range" if inside else "column"
            reporter.warn(line, column, "misplaced", how=how, item=decode(cell[1]))


class BracketReader:
    """A reader of one document's mentions, bracket by bracket, which reports problems."""

    def __init__(
        self, reporter: Reporter, lines: ConlluLines, fields: Sequence[str] | None
    ) -> None:
        self.reporter, self.lines, self.fields = reporter, lines, fields
        self.id_field = find_id_field(fields or ())
        self._mentions: list[_Mention] = []
        self._stacks: dict[bytes, list[_Mention]] = defaultdict(list)
        self._split: dict[bytes, list[_Mention]] = defaultdict(list)  # discontinuous ones

    def read(self, start: int, stop: int) -> ConlluMentions:
        """Read the cells in a range of lines, and return the mentions."""
        low, high = int(self.lines.starts[start]), int(self.lines.stops[stop - 1])
        before = -1
        for line, column, cell in find_cells(self.reporter, self.lines, _CELL, low, high):
            if self.fields is None:
                self.reporter.error(line, column, "no-fields")
                break
            if line == before:
                self.reporter.error(line, column, "entity-twice")
            self._read_cell(line, column + 7, cell[2])
            before = line
        self._check_open()
        return self._columns()

    def _columns(self) -> ConlluMentions:
        opened, closed = columns_of([(m.pieces[0][0], m.pieces[-1][1]) for m in self._mentions])
        numbers: dict[bytes, int] = {}
        entity = [numbers.setdefault(m.id, len(numbers)) for m in self._mentions]
        texts = columns_of([mention.text for mention in self._mentions])
        pieces = {n: mention.pieces for n, mention in enumerate(self._mentions) if mention.total}
        ids = list(map(decode, numbers))
        return ConlluMentions(opened, closed, np.array(entity, dtype=np.int64), ids, *texts, pieces)

    def _read_cell(self, line: int, column: int, text: bytes) -> None:
        if not text:
            self.reporter.error(line, column, "empty-entity")
        for chunk in _CHUNK.finditer(text):
            opening, closed, closing, _ = chunk.groups()
            at = column + chunk.start()
            if opening:
                self._open(line, at, opening, bool(closed))
            elif closing:
                self._close(line, at, closing)
            else:
                self.reporter.error(line, at, "outside-brackets", how="conllu", text=decode(text))
                return

    def _id(self, text: bytes, opening: bool) -> bytes:
        fields = text.split(b"-") if opening or self.id_field else [text]
        if len(fields) > self.id_field:
            return fields[self.id_field]
        return b"" if opening else text

    def _open(self, line: int, column: int, text: bytes, closed: bool) -> None:
        named = self._named_piece(line, column, text)
        if named is None:
            return
        id, piece, total = named
        lines = (line, line if closed else -1)
        if piece > 1:
            mention = self._continued(line, column, id, piece, total)
            if mention is None:
                return
            mention.pieces.append(lines)
        else:
            at = int(self.lines.starts[line]) + column
            mention = _Mention(id, (at, at + len(text)), total, [lines])
            self._mentions.append(mention)
            if total > 1:
                self._split[id].append(mention)
        if not closed:
            mention.column = column
            self._stacks[id].append(mention)

    def _named_piece(self, line: int, column: int, text: bytes) -> tuple[bytes, int, int] | None:
        """Return the id, piece and piece count in an opening bracket; None if it is invalid.

        A continuous mention has piece 0 of 0.
        """
        id, piece, total = self._id(text, True), 0, 0
        if b"[" in id or b"]" in id:
            found = _PIECE.fullmatch(id)
            if found:
                id, piece, total = found[1], int(found[2]), int(found[3])
            if not found or not 1 <= piece <= total or set(id) & set(b"[]"):
                self.reporter.error(line, column, "not-a-piece", text=decode(text))
                return None
        if not id:
            self.reporter.error(line, column, "no-id", text=decode(text))
            return None
        return id, piece, total

    def _continued(
        self, line: int, column: int, id: bytes, piece: int, total: int
    ) -> _Mention | None:
        """Return the mention that this piece continues; None unless there is exactly one."""
        waiting = [
            mention
            for mention in self._split[id]
            if len(mention.pieces) == piece - 1
            and mention.total == total
            and mention.pieces[-1][1] >= 0
        ]
        if len(waiting) == 1:
            return waiting[0]
        values: dict[str, Any] = {"piece": piece, "total": total, "before": piece - 1}
        values |= {"how": "several" if waiting else "missing", "count": len(waiting)}
        self.reporter.error(line, column, "piece-order", entity=decode(id), **values)
        return None

    def _close(self, line: int, column: int, text: bytes) -> None:
        id = self._id(text, False)
        found = _PIECE.fullmatch(id) if id.endswith(b"]") else None
        id = found[1] if found else id
        stack = self._stacks.get(id)
        if not stack:
            self.reporter.error(line, column, "not-opened", how="conllu", entity=decode(id))
            return
        mention = stack.pop()
        open_piece = (len(mention.pieces) if mention.total else 0, mention.total)
        if found and open_piece != (int(found[2]), int(found[3])):
            self.reporter.error(line, column, "other-piece", text=decode(text))
        mention.pieces[-1] = (mention.pieces[-1][0], line)

    def _check_open(self) -> None:
        for id, stack in self._stacks.items():
            for mention in stack:
                line = mention.pieces[-1][0]
                self.reporter.error(
                    line, mention.column, "never-closed", how="conllu", entity=decode(id)
                )
                mention.pieces[-1] = (line, line)
        for mention in self._mentions:
            count, total, line = len(mention.pieces), mention.total, mention.pieces[-1][0]
            if count < total:
                column = self.lines[line].find(b"Entity=") + 1
                values: dict[str, Any] = {"entity": decode(mention.id), "count": count}
                self.reporter.error(line, column, "lacks-pieces", **values, total=total)
