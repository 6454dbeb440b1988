"""Universal Anaphora files: CoNLL-U-Plus with columns for identity, bridging and more ("exploded").

There is one node per line. `# global.columns` names the columns, which are separated by tabs or
spaces. A cell of IDENTITY opens mentions as `(EntityID=1|MarkableID=markable_3|Min=4,5|SemType=dn`
and closes them with `)`, the last opened first. If mentions cross, a closing bracket names its
markable: `markable_3)`. A markable that is opened again is discontinuous. Entities whose ids end in
`-Pseudo` do not refer. `ElementOf=4` marks the elements of entity 4, a split antecedent.

The definition is that of the UA initiative, version 1.1 (2024). Where it is unclear, we follow the
UA scorer: `Min` counts the words of the document from 1, and a mention contains the words between
its brackets but not the zeros (`5.1`) there. The examples in the definition use `EntityId`,
`Markable_ID`, `_Pseudo`, and `@` between brackets; all of these are read, and written in the usual
spelling. A document keeps its lines, so that writing it preserves every column and comment.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sameas.documents.document import Corpus, Document
from sameas.documents.mentions import INITIAL, Bridge, Mention, Origin, Span, Zero, node, places_of
from sameas.formats.brackets import decode
from sameas.formats.common import Reporter
from sameas.formats.ua.text import CELL, COLUMNS, UaAnnotation, UaText, find_cells, read_attributes

__all__ = ["GLOBAL", "NEWDOC", "read_ua"]

_CHUNK = re.compile(r"\(([^()]*)(\))?|([^()]*)\)|[^()]+")
_ID = re.compile(r"([0-9]{1,9})(?:([-.])([0-9]{1,9}))?")
_MINIMUM = re.compile(r"([0-9]{1,9})(?:,([0-9]{1,9}))?")
NEWDOC = re.compile(r"#\s*newdoc\b(?:\s+id\b)?\s*=?\s*(.*)")
GLOBAL = re.compile(r"#\s*global\.columns\s*=?\s*(.*)")
_PSEUDO = re.compile(r"[-_]pseudo", re.IGNORECASE)


def read_ua(data: bytes, path: str = "", *, refuse: bool = True) -> Corpus:
    r"""Read the documents of a UA file; unless `refuse`, also the valid parts of invalid ones.

    >>> text = b"# newdoc id = a\n"
    >>> text += b"1 Ann _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=m1) _ _ _ _\n"
    >>> text += b"2 ran _ _ _ _ _ _ _ _ _ _ _ _ _\n"
    >>> read_ua(text).documents
    [<Document 'a': 2 tokens, 1 mentions, 1 entities>]
    """
    reporter = Reporter(path)
    lines = decode(reporter.unix(data)).split("\n")
    if not lines[-1]:
        lines.pop()
    documents: list[Document] = []
    columns: Sequence[str] = COLUMNS
    for start, stop in _regions(lines):
        reporter.before = start
        reader = _Reader(reporter, columns, lines[start:stop])
        documents.append(reader.read(len(documents)))
        columns = reader.next_columns
    return reporter.corpus(documents, "ua", refuse, wordless=not documents)


def _regions(lines: Sequence[str]) -> Iterator[Span]:
    """Yield the first line and the end of each document; comments before `newdoc` belong to it."""
    starts: list[int] = []
    newdoc = -1
    for number, line in enumerate(lines):
        if line.startswith("#") and NEWDOC.match(line):
            start = number
            while start - 1 > newdoc and lines[start - 1].startswith("#"):
                start -= 1
            starts.append(start)
            newdoc = number
    filled = (n for n, line in enumerate(lines) if line.strip(" \t") and not line.startswith("#"))
    if next(filled, len(lines)) < min(starts, default=len(lines)):
        starts.insert(0, 0)
    if starts:
        starts[0] = 0
    yield from itertools.pairwise([*starts, len(lines)])


def _split(line: str, count: int) -> list[str]:
    """Return the cells of a line, split as in `find_cells`."""
    parts = line.split("\t")
    if len(parts) == count:
        return parts
    # `split` without arguments is seven times as fast, but splits at other characters as well.
    return line.split() if line.isascii() and line.isprintable() else CELL.findall(line)


@dataclass(slots=True)
class _Markable:
    """A mention that is being read."""

    id: str  # empty if it has no id
    entity: str
    at: Span  # line, and offset in its cell
    attributes: dict[str, str]
    texts: list[str] = field(default_factory=list)  # the opening text of each piece
    spans: list[Span] = field(default_factory=list)
    zeros: list[Zero] = field(default_factory=list)

    def mention(self) -> Mention:
        """Return the mention with adjacent pieces merged."""
        return Mention(tuple(self.spans), tuple(self.zeros))


class _Reader:
    """A reader of the lines of one document."""

    def __init__(self, reporter: Reporter, columns: Sequence[str], lines: Sequence[str]) -> None:
        self.reporter, self.next_columns = reporter, columns
        self.line = 0
        self.lines = lines
        self.text = UaText(lines, columns, reporter.before)
        self._use_columns(columns)
        self.markables: dict[str | int, _Markable] = {}
        self._open: list[tuple[_Markable, int, Span]] = []  # word; line and offset in its cell
        self._bridges: list[tuple[int, int, str]] = []  # line, column and cell
        self._last = 0  # number of the last word
        self._zero_counts: dict[tuple[int, int], int] = {}  # by position
        self._warned: set[str] = set()  # codes that are reported once per document

    def _column(self, line: int, number: int) -> int:
        """Return the column at which a cell of a line begins."""
        return find_cells(self.lines[line], len(self.columns))[number][0] + 1

    def _error(self, at: Span, code: str, **values: Any) -> None:
        """Report an error at an offset in the IDENTITY cell of a line."""
        line, offset = at
        self.reporter.error(line, self._column(line, self._identity) + offset, code, **values)

    def _warn(self, at: Span, code: str, **values: Any) -> None:
        """Report a warning at an offset in the IDENTITY cell of a line."""
        self._error(at, code, severity="warning", **values)

    def _warn_once(self, column: int, code: str, **values: Any) -> None:
        if code not in self._warned:
            self._warned.add(code)
            self.reporter.warn(self.line, column, code, **values)

    def read(self, number: int) -> Document:
        name = ""
        started = False  # whether the sentence has its first word
        for at, line in enumerate(self.lines):
            self.line = at
            if line.startswith("#"):
                name = self._comment(line) or name
                continue
            cells = _split(line, len(self.columns))
            if not any(cells):
                started = False
                continue
            found = _ID.fullmatch(cells[self._id].strip(" ") if self._id < len(cells) else "")
            if not found:
                self.reporter.error(self.line, 1, "node-number", value=cells[0])
            elif found[2] == "-":
                if len(cells) > self._identity and cells[self._identity].strip(" _"):
                    self.reporter.error(self.line, 1, "range-mention")
            elif found[2]:
                place = self._zero(found, started)
                self.text.zeros[node(place)] = self.line
                self._read_cells(cells, place)
            else:
                self._word(found, started)
                started = True
                self.text.word_forms.append(cells[self._form] if len(cells) > self._form else "_")
                self._read_cells(cells, None)
        self._check_open()
        return self._document(name, number)

    def _word(self, found: re.Match[str], started: bool) -> None:
        """Add the next word; only the order of words matters, not their numbers."""
        number, expected = int(found[1]), self._last + 1
        if number != expected and (started or number > 1):
            self._warn_once(1, "word-number", how="ua", expected=expected, found=number)
        if not started:
            self.text.breaks.append(len(self.text.words))
        self.text.words.append(self.line)
        self._last = number

    def _zero(self, found: re.Match[str], started: bool) -> Zero:
        """Return the next zero at this position, numbered by its order there."""
        before, initial = len(self.text.words), 0 if started else INITIAL
        count = self._zero_counts[before, initial] = self._zero_counts.get((before, initial), 0) + 1
        majors = (self._last,) if started else (self._last, 0)
        if int(found[1]) not in majors or int(found[3]) != count:
            expected = f"{self._last}.{count}"
            self._warn_once(1, "zero-number", how="ua", expected=expected, found=found[0])
        if count >= INITIAL:
            self.reporter.error(self.line, 1, "too-many-zeros", most=INITIAL - 1)
        return before, min(count, INITIAL - 1) + initial

    def _use_columns(self, columns: Sequence[str]) -> None:
        """Use these columns for the lines that follow."""
        self.columns = self.text.columns = tuple(columns)
        self._id, self._form, self._identity = map(columns.index, ("ID", "FORM", "IDENTITY"))
        self._bridging, self._deixis = (
            columns.index(name) if name in columns else -1
            for name in ("BRIDGING", "DISCOURSE_DEIXIS")
        )

    def _comment(self, line: str) -> str:
        """Return the name of the document if this comment states it; also read `global.columns`."""
        found = NEWDOC.match(line)
        if found:
            return found[1].strip()
        found = GLOBAL.match(line)
        columns = tuple(found[1].split()) if found else self.columns
        missing = [name for name in ("ID", "FORM", "IDENTITY") if name not in columns]
        if missing:
            usual = " ".join(COLUMNS)
            self.reporter.error(self.line, 1, "lacking-columns", lacking=missing, usual=usual)
        elif columns != self.columns:
            self.next_columns = columns
            if self.text.words or self.text.zeros:
                self.reporter.warn(self.line, 1, "changed-columns")
            else:
                self._use_columns(columns)
        return ""

    def _read_cells(self, cells: list[str], zero: Zero | None) -> None:
        count = len(self.columns)
        if len(cells) <= self._identity:
            place = self._identity + 1
            self.reporter.error(self.line, 1, "ua-columns", count=len(cells), place=place)
            return
        if len(cells) > count:
            column = self._column(self.line, count)
            self._warn_once(column, "more-columns", count=len(cells), named=count)
        cell = cells[self._identity].strip(" ")
        if cell not in ("_", ""):
            self._read_identity(cells[self._identity].find(cell), cell, zero)
        if 0 < self._bridging < len(cells):
            cell = cells[self._bridging].strip(" ")
            if cell not in ("_", ""):
                self._bridges.append((self.line, self._column(self.line, self._bridging), cell))
        if 0 < self._deixis < len(cells):
            self.text.discourse_deixis += cells[self._deixis].count("(")

    def _read_identity(self, offset: int, cell: str, zero: Zero | None) -> None:
        for chunk in _CHUNK.finditer(cell):
            at = (self.line, offset + chunk.start())
            opening, closed, closing = chunk.groups()
            if opening is not None:
                self._open_mention(at, opening, closed is not None, zero)
            elif closing is not None:
                self._close_mention(at, closing.strip("@"), zero)
            elif chunk[0].strip("@"):
                self._error(at, "outside-brackets", how="ua", text=chunk[0])

    def _open_mention(self, at: Span, text: str, closed: bool, zero: Zero | None) -> None:
        attributes = read_attributes(text)
        if attributes is None:
            self._error(at, "not-attributes", text=text)
            return
        entity = attributes.get("EntityID", "")
        if not entity:
            self._error(at, "no-entity-id", text=text)
            return
        id = attributes.get("MarkableID", "")
        known = self.markables.get(id) if id else None
        if known and known.entity != entity:
            self._error(at, "two-entities", markable=id, entity=known.entity, other=entity)
            return
        markable = known or _Markable(id, entity, at, attributes)
        markable.texts.append("|".join(f"{name}={value}" for name, value in attributes.items()))
        self.markables.setdefault(id or len(self.markables), markable)
        if zero is not None:
            if not closed:
                self._error(at, "open-at-zero")
            markable.zeros.append(zero)
            return
        word = len(self.text.words) - 1
        if closed:
            self._add_piece(markable, (word, word), at)
        else:
            self._open.append((markable, word, at))

    def _close_mention(self, at: Span, name: str, zero: Zero | None) -> None:
        place = len(self._open) - 1
        if zero is not None:
            self._error(at, "close-at-zero")
        if name:
            self.text.named = True
            while place >= 0 and self._open[place][0].id != name:
                place -= 1
        if place < 0:
            self._error(at, "not-opened", how="ua" if name else "unnamed", markable=name)
            return
        markable, word, opened = self._open.pop(place)
        self._add_piece(markable, (word, max(len(self.text.words) - 1, word)), opened)

    def _add_piece(self, markable: _Markable, span: Span, at: Span) -> None:
        if any(first <= span[1] and span[0] <= last for first, last in markable.spans):
            self._error(at, "overlapping-pieces", markable=markable.id)
        markable.spans.append(span)

    def _check_open(self) -> None:
        for markable, _, at in self._open:
            how, id = "ua" if markable.id else "unnamed", markable.id
            self._error(at, "never-closed", how=how, markable=id, entity=markable.entity)

    def _document(self, name: str, number: int) -> Document:
        found = [m for m in self.markables.values() if m.spans or m.zeros]
        referring = [m for m in found if not _is_pseudo(m.entity)]
        silent = [m for m in found if _is_pseudo(m.entity)]
        numbers: dict[str, int] = {}
        for markable in referring:
            numbers.setdefault(markable.entity, len(numbers))
        mentions = [markable.mention() for markable in referring]
        minima = list(map(self._minimum, referring, mentions))
        return Document(
            name or self.reporter.name(number),
            **places_of(mentions),
            entity=np.array([numbers[m.entity] for m in referring], dtype=np.int64),
            entity_ids=list(numbers),
            annotation=UaAnnotation(
                all_minima=minima if any(minima) else None,
                text=self.text,
                attributes=[tuple(markable.texts) for markable in referring],
                non_referring=[tuple(markable.texts) for markable in silent],
                markables=[markable.id for markable in referring],
            ),
            text=self.text,
            origin=Origin(self.reporter.path, self.reporter.before + 1, unnamed=not name),
            split_antecedents=self._split(found, numbers),
            bridging=list(self._bridging_links(numbers)),
            non_referring=[markable.mention().identity for markable in silent],
        )

    def _minimum(self, markable: _Markable, mention: Mention) -> list[int]:
        """Return the nodes of those words of the mention that are in the range of `Min`."""
        text = markable.attributes.get("Min", "")
        if not text:
            return []
        found = _MINIMUM.fullmatch(text)
        low = int(found[1]) - 1 if found else 0
        high = int(found[2] or found[1]) - 1 if found else -1
        nodes = [
            node(word)
            for first, last in mention.spans
            for word in range(max(first, low), min(last, high) + 1)
        ]
        # Min cannot name zeros, which have no number in the document: they need no minimum.
        if not nodes and mention.spans:
            named: dict[str, Any] = {"markable": markable.id} if markable.id else {"how": "unnamed"}
            self._warn(markable.at, "min-outside", value=text, **named)
        return nodes

    def _split(self, found: list[_Markable], numbers: dict[str, int]) -> dict[str, tuple[str, ...]]:
        """Return the elements of each split antecedent."""
        split: dict[str, dict[str, _Markable]] = {}
        for markable in found:
            for whole in filter(None, markable.attributes.get("ElementOf", "").split(",")):
                missing = next((id for id in (whole, markable.entity) if id not in numbers), None)
                if missing is None:
                    split.setdefault(whole, {}).setdefault(markable.entity, markable)
                    continue
                how, entity = "referent" if _is_pseudo(missing) else "mention", markable.entity
                values = {"entity": entity, "whole": whole, "lacking": missing}
                self._warn(markable.at, "element-lacks", how=how, **values)
        for whole in list(split):
            reached, todo = set[str](), list(split.get(whole, ()))
            while todo:
                part = todo.pop()
                if part not in reached:
                    reached.add(part)
                    todo.extend(split.get(part, ()))
            if whole in reached:
                markable = next(iter(split[whole].values()))
                self._error(markable.at, "own-element", entity=whole)
                del split[whole]
        return {whole: tuple(parts) for whole, parts in split.items()}

    def _bridging_links(self, numbers: dict[str, int]) -> Iterator[Bridge]:
        for line, column, cell in self._bridges:
            for text in filter(None, re.split(r"[()@]+", cell)):
                at = column + cell.find(text)
                link = read_attributes(text)
                if link is None or "MarkableID" not in link:
                    self.reporter.error(line, at, "not-bridging", text=text)
                    continue
                anaphor = self.markables.get(link["MarkableID"])
                anchor = self.markables.get(link.get("MentionAnchor", ""))
                # If mention and entity disagree, the mention decides, as in the UA scorer.
                entity = anchor.entity if anchor else link.get("EntityAnchor", "")
                ids = (anaphor.entity if anaphor else "", entity)
                if all(id in numbers for id in ids):
                    yield Bridge(*ids, link.get("Rel", ""))
                else:
                    how = "antecedent" if ids[0] in numbers else "anaphor"
                    self.reporter.warn(line, at, "bridging-lacks", how=how, text=text)


def _is_pseudo(entity: str) -> bool:
    return _PSEUDO.fullmatch(entity[-7:]) is not None
