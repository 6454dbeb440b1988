"""Universal Anaphora files: CoNLL-U-Plus with columns for identity, bridging and more ("exploded").

One node a line; `# global.columns` names the columns, which tabs or blanks separate. A cell of
IDENTITY opens mentions as `(EntityID=1|MarkableID=markable_3|Min=4,5|SemType=dn` and closes them,
the latest first, by `)`; where mentions cross, a closing bracket has the name of its markable:
`markable_3)`. A markable that is opened again is discontinuous. Entities that end in `-Pseudo` do
not refer. `ElementOf=4` marks the antecedents of a split antecedent, entity 4.

The definition is that of the UA initiative, version 1.1 of 2024; where it is open, the UA scorer
decides: `Min` counts the words of the document from 1, and a mention has the words between its
brackets, not the zeros (`5.1`) there. Its examples write `EntityId`, `Markable_ID`, `_Pseudo`, and
`@` between brackets; all are read and written back in the usual spelling. A document keeps its
lines, so that writing it back keeps every column and comment.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

import numpy as np

from sameas.coref.document import (
    INITIAL,
    Bridge,
    Corpus,
    Document,
    Ints,
    Mention,
    Origin,
    Span,
    Zero,
    node,
)
from sameas.errors import InputError, Problem

__all__ = ["COLUMNS", "UaAnnotation", "UaText", "find_cells", "read_ua"]

COLUMNS = (
    "ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC",
    "IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS", "REFERENCE", "NOM_SEM",
)  # fmt: skip

_CELL = re.compile(r"[^ \t]+")
_CHUNK = re.compile(r"\(([^()]*)(\))?|([^()]*)\)|[^()]+")
_ID = re.compile(r"([0-9]{1,9})(?:([-.])([0-9]{1,9}))?")
_MINIMUM = re.compile(r"([0-9]{1,9})(?:,([0-9]{1,9}))?")
NEWDOC = re.compile(r"#\s*newdoc\b(?:\s+id\b)?\s*=?\s*(.*)")
GLOBAL = re.compile(r"#\s*global\.columns\s*=?\s*(.*)")
_PSEUDO = re.compile(r"[-_]pseudo", re.IGNORECASE)
_NAMES = {
    "entityid": "EntityID",
    "markableid": "MarkableID",
    "mentionid": "MarkableID",
    "min": "Min",
    "elementof": "ElementOf",
    "semtype": "SemType",
    "mentionanchor": "MentionAnchor",
    "entityanchor": "EntityAnchor",
    "rel": "Rel",
}
_HINT = "a mention is opened as (EntityID=1|MarkableID=markable_1 and closed as )"


def read_ua(data: bytes, path: str = "", *, refuse: bool = True) -> Corpus:
    r"""Read the documents of a UA file; unless `refuse`, wrong ones too, as far as it goes.

    >>> text = b"# newdoc id = a\n"
    >>> text += b"1 Ann _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=m1) _ _ _ _\n"
    >>> text += b"2 ran _ _ _ _ _ _ _ _ _ _ _ _ _\n"
    >>> read_ua(text).documents
    [<Document 'a': 2 tokens, 1 mentions, 1 entities>]
    """
    problems: list[Problem] = []
    text = data.decode("utf-8", "backslashreplace")
    if "\n" not in text:
        text = text.replace("\r", "\n")
    if "\r\n" in text:
        problems.append(Problem("lines end in CR LF", path, 1, 1, "read all the same", "warning"))
        text = text.replace("\r\n", "\n")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    documents: list[Document] = []
    columns: Sequence[str] = COLUMNS
    for start, stop in _regions(lines):
        reader = _Reader(path, start, columns, problems)
        documents.append(reader.read(lines[start:stop], len(documents)))
        columns = reader.next_columns
    problems.sort(key=lambda problem: (problem.line, problem.column))
    if not documents:
        hint = "each word has a line that starts with its number"
        problems.append(Problem("no documents: there are no words", path, 1, 1, hint))
    if (refuse or not documents) and any(problem.severity == "error" for problem in problems):
        raise InputError(problems)
    return Corpus(documents, path, "ua", problems)


def _regions(lines: Sequence[str]) -> Iterator[Span]:
    """First line and end of each document: from the comments around `newdoc` to the next."""
    starts: list[int] = []
    newdoc = -1
    for number, line in enumerate(lines):
        if line.startswith("#") and NEWDOC.match(line):
            start = number
            while start - 1 > newdoc and lines[start - 1].startswith("#"):
                start -= 1
            starts.append(start)
            newdoc = number
    first = next(
        (n for n, line in enumerate(lines) if line.strip(" \t") and not line.startswith("#")), None
    )
    if not starts and first is None:
        return
    if not starts or (first is not None and first < starts[0]):
        starts.insert(0, 0)
    starts[0] = 0
    yield from itertools.pairwise([*starts, len(lines)])


def find_cells(line: str, count: int) -> list[Span]:
    r"""Where the cells of a line are; tabs alone part them if that gives `count` cells.

    >>> find_cells("1  Ann  _", 3), find_cells("1\tNew York\t_", 3)
    ([(0, 1), (3, 6), (8, 9)], [(0, 1), (2, 10), (11, 12)])
    """
    parts = line.split("\t")
    if len(parts) != count:
        return [found.span() for found in _CELL.finditer(line)]
    stops = itertools.accumulate(len(part) + 1 for part in parts)
    return [(stop - len(part) - 1, stop - 1) for part, stop in zip(parts, stops, strict=True)]


def _split(line: str, count: int) -> list[str]:
    """The cells themselves."""
    parts = line.split("\t")
    if len(parts) == count:
        return parts
    # Without arguments `split` takes other signs for blanks, too; it is seven times as fast.
    return line.split() if line.isascii() and line.isprintable() else _CELL.findall(line)


def _attributes(text: str) -> dict[str, str] | None:
    """`EntityID=1|Min=2` as a dictionary, names in the usual spelling; None if it is not that."""
    found = {}
    for part in text.strip("@").split("|"):
        name, sign, value = part.partition("=")
        if not sign or not name:
            return None
        found[_NAMES.get(name.lower().replace("_", ""), name)] = value
    return found


@dataclass(slots=True)
class _Markable:
    """What is known of a mention while its document is read."""

    id: str  # empty if it has none
    entity: str
    line: int
    offset: int  # in its cell
    attributes: dict[str, str]
    texts: list[str] = field(default_factory=list)  # of each piece
    spans: list[Span] = field(default_factory=list)
    zeros: list[Zero] = field(default_factory=list)

    def mention(self) -> Mention:
        """It, of pieces that do not touch."""
        spans: list[Span] = []
        for first, last in sorted(self.spans):
            if spans and first <= spans[-1][1] + 1:
                spans[-1] = (spans[-1][0], max(last, spans[-1][1]))
            else:
                spans.append((first, last))
        return Mention(tuple(spans), tuple(sorted(self.zeros)))


class _Reader:
    """Reads the lines of one document."""

    def __init__(
        self, path: str, before: int, columns: Sequence[str], problems: list[Problem]
    ) -> None:
        self.path, self.before, self.columns, self.problems = path, before, columns, problems
        self.next_columns = columns
        self.line = 0
        self._lines: Sequence[str] = ()
        self.words: list[int] = []  # their lines
        self.forms: list[str] = []
        self.breaks: list[int] = []  # words that begin a sentence
        self.zeros: dict[int, int] = {}  # lines by node
        self.markables: dict[str | int, _Markable] = {}
        self.named = False  # closing brackets have names
        self._open: list[tuple[_Markable, int, int, int]] = []  # word, line, offset
        self._bridges: list[tuple[int, int, str]] = []  # line, column and cell
        self.discourse_deixis = 0  # mentions that are opened in that column
        self._last = 0  # number of the last word
        self._zero_counts: dict[tuple[int, int], int] = {}  # by place
        self._said: set[str] = set()  # what is worth one warning a document

    def report(self, column: int, message: str, hint: str = "", severity: str = "error") -> None:
        self._report(self.line, column, message, hint, severity)

    def _report_at(
        self, line: int, offset: int, message: str, hint: str = "", severity: str = "error"
    ) -> None:
        """Report something `offset` characters into the IDENTITY cell of a line."""
        cell = find_cells(self._lines[line], len(self.columns))[self._identity]
        self._report(line, cell[0] + offset + 1, message, hint, severity)

    def _report(
        self, line: int, column: int, message: str, hint: str = "", severity: str = "error"
    ) -> None:
        place = (self.path, self.before + line + 1, column)
        self.problems.append(Problem(message, *place, hint, severity))

    def _warn_once(self, kind: str, column: int, message: str, hint: str) -> None:
        if kind not in self._said:
            self._said.add(kind)
            self.report(column, message, hint, "warning")

    def read(self, lines: list[str], number: int) -> Document:
        self._lines = lines
        name = ""
        started = False  # the sentence has its first word
        for self.line, line in enumerate(lines):
            if line.startswith("#"):
                name = self._comment(line) or name
                continue
            cells = _split(line, len(self.columns))
            if not any(cells):
                started = False
                continue
            found = _ID.fullmatch(cells[self._id].strip(" ") if self._id < len(cells) else "")
            if not found:
                hint = "a word is 7, a zero 7.1, a range of words 7-8"
                self.report(1, f"{cells[0]!r:.40} is not the number of a node", hint)
            elif found[2] == "-":
                if len(cells) > self._identity and cells[self._identity].strip(" _"):
                    self.report(1, "a mention at a range of words", "open it at a word")
            elif found[2]:
                place = self._zero(found, started)
                self.zeros[node(place)] = self.line
                self._read_cells(line, cells, place)
            else:
                self._word(found, started)
                started = True
                self.forms.append(cells[self._form] if len(cells) > self._form else "_")
                self._read_cells(line, cells, None)
        self._check_open()
        return self._document(lines, name, number)

    def _word(self, found: re.Match[str], started: bool) -> None:
        """The next word; only the order of words matters, not their numbers."""
        number, wanted = int(found[1]), self._last + 1
        if number != wanted and (started or number > 1):
            hint = "words count from 1, through the document; read in their order all the same"
            self._warn_once("words", 1, f"word {wanted} is wanted here, not {number}", hint)
        if not started:
            self.breaks.append(len(self.words))
        self.words.append(self.line)
        self._last = number

    def _zero(self, found: re.Match[str], started: bool) -> Zero:
        """The next zero at this place, by its order there."""
        before, initial = len(self.words), 0 if started else INITIAL
        count = self._zero_counts[before, initial] = self._zero_counts.get((before, initial), 0) + 1
        majors = (self._last,) if started else (self._last, 0)
        if int(found[1]) not in majors or int(found[3]) != count:
            hint = "zeros after word 3 are 3.1, 3.2; read in their order all the same"
            message = f"zero {self._last}.{count} is wanted here, not {found[0]}"
            self._warn_once("zeros", 1, message, hint)
        if count >= INITIAL:
            self.report(1, f"more than {INITIAL - 1} zeros at one place", "split the document")
        return before, min(count, INITIAL - 1) + initial

    @property
    def columns(self) -> Sequence[str]:
        """The names of the columns."""
        return self._columns

    @columns.setter
    def columns(self, columns: Sequence[str]) -> None:
        self._columns = columns
        self._id, self._form, self._identity = map(columns.index, ("ID", "FORM", "IDENTITY"))
        self._bridging, self._deixis = (
            columns.index(name) if name in columns else -1
            for name in ("BRIDGING", "DISCOURSE_DEIXIS")
        )

    def _comment(self, line: str) -> str:
        """The name of the document, if this comment gives it."""
        found = NEWDOC.match(line)
        if found:
            return found[1].strip()
        found = GLOBAL.match(line)
        if found:
            columns = found[1].split()
            lacks = [name for name in ("ID", "FORM", "IDENTITY") if name not in columns]
            if columns == list(self.columns):
                return ""
            if lacks:
                hint = f"the usual ones are {' '.join(COLUMNS)}"
                self.report(1, f"no column {' or '.join(lacks)} among the columns", hint)
            elif self.words or self.zeros:
                hint = "columns are named before the first word; these serve the next document"
                self.report(1, "other columns within a document", hint, "warning")
                self.next_columns = columns
            else:
                self.columns = self.next_columns = columns
        return ""

    def _read_cells(self, line: str, cells: list[str], zero: Zero | None) -> None:
        count = len(self.columns)
        if len(cells) <= self._identity:
            few = "1 column" if len(cells) == 1 else f"{len(cells)} columns"
            hint = "columns are separated by tabs or blanks; `_` stands for nothing"
            self.report(1, f"{few}, and IDENTITY is number {self._identity + 1}", hint)
            return
        if len(cells) > count:
            hint = "`# global.columns` names them; the others are kept and not read"
            message = f"{len(cells)} columns where {count} have names"
            self._warn_once("columns", find_cells(line, count)[count][0] + 1, message, hint)
        cell = cells[self._identity].strip(" ")
        if cell not in ("_", ""):
            self._read_identity(cells[self._identity].find(cell), cell, zero)
        if 0 < self._bridging < len(cells):
            cell = cells[self._bridging].strip(" ")
            if cell not in ("_", ""):
                column = find_cells(line, count)[self._bridging][0] + 1
                self._bridges.append((self.line, column, cell))
        if 0 < self._deixis < len(cells):
            self.discourse_deixis += cells[self._deixis].count("(")

    def _read_identity(self, offset: int, cell: str, zero: Zero | None) -> None:
        for chunk in _CHUNK.finditer(cell):
            at = offset + chunk.start()
            opening, closed, closing = chunk.groups()
            if opening is not None:
                self._open_mention(at, opening, closed is not None, zero)
            elif closing is not None:
                self._close_mention(at, closing.strip("@"), zero)
            elif chunk[0].strip("@"):
                self._report_at(self.line, at, f"no bracket belongs to it: {chunk[0]:.60}", _HINT)

    def _open_mention(self, offset: int, text: str, closed: bool, zero: Zero | None) -> None:
        attributes = _attributes(text)
        if attributes is None:
            self._report_at(
                self.line,
                offset,
                f"not attributes: ({text:.60}",
                "they are name=value, parted by |",
            )
            return
        entity = attributes.get("EntityID", "")
        if not entity:
            self._report_at(self.line, offset, f"no EntityID in ({text:.60}", _HINT)
            return
        id = attributes.get("MarkableID", "")
        known = self.markables.get(id) if id else None
        if known and known.entity != entity:
            message = f"{id} is in entity {known.entity} and in entity {entity}"
            self._report_at(self.line, offset, message, "each mention has a MarkableID of its own")
            return
        markable = known or _Markable(id, entity, self.line, offset, attributes)
        markable.texts.append("|".join(f"{name}={value}" for name, value in attributes.items()))
        self.markables.setdefault(id or len(self.markables), markable)
        if zero is not None:
            if not closed:
                hint = "a zero is a mention of its own: close the bracket"
                self._report_at(
                    self.line, offset, "a mention begins at a zero and does not end there", hint
                )
            markable.zeros.append(zero)
            return
        word = len(self.words) - 1
        if closed:
            self._add_piece(markable, (word, word), self.line, offset)
        else:
            self._open.append((markable, word, self.line, offset))

    def _close_mention(self, offset: int, name: str, zero: Zero | None) -> None:
        place = len(self._open) - 1
        if zero is not None:
            hint = "mentions begin and end at words, or are one zero"
            self._report_at(self.line, offset, "a mention ends at a zero", hint)
        if name:
            self.named = True
            while place >= 0 and self._open[place][0].id != name:
                place -= 1
        if place < 0:
            what = name or "a mention"
            self._report_at(self.line, offset, f"{what} is closed and was not opened", _HINT)
            return
        markable, word, line, at = self._open.pop(place)
        self._add_piece(markable, (word, max(len(self.words) - 1, word)), line, at)

    def _add_piece(self, markable: _Markable, span: Span, line: int, offset: int) -> None:
        if any(first <= span[1] and span[0] <= last for first, last in markable.spans):
            message = f"a piece of {markable.id} within another piece of it"
            hint = "each mention has a MarkableID of its own; only discontinuous ones repeat it"
            self._report_at(line, offset, message, hint)
        markable.spans.append(span)

    def _check_open(self) -> None:
        for markable, _, line, offset in self._open:
            what = markable.id or f"a mention of entity {markable.entity}"
            self._report_at(line, offset, f"{what} is never closed", "close it at its last word: )")

    def _document(self, lines: list[str], name: str, number: int) -> Document:
        unnamed = not name
        if unnamed:
            stem = PurePath(self.path).name.split(".")[0] or "document"
            name = stem if not number else f"{stem} ({number + 1})"
        found = [
            markable for markable in self.markables.values() if markable.spans or markable.zeros
        ]
        referring = [m for m in found if not _is_pseudo(m.entity)]
        numbers: dict[str, int] = {}
        for markable in referring:
            numbers.setdefault(markable.entity, len(numbers))
        mentions = [markable.mention() for markable in referring]
        hulls = np.array([m.hull for m in mentions], dtype=np.int64).reshape(-1, 2)
        text = UaText(self, lines)
        minima = [
            self._minimum(markable, mention)
            for markable, mention in zip(referring, mentions, strict=True)
        ]
        silent = [m for m in found if _is_pseudo(m.entity)]
        annotation = UaAnnotation(
            text,
            [tuple(markable.texts) for markable in referring],
            [tuple(markable.texts) for markable in silent],
            [markable.id for markable in referring],
            minima if any(minima) else None,
        )
        document = Document.from_columns(
            name,
            hulls[:, 0].copy(),
            hulls[:, 1].copy(),
            np.array([numbers[m.entity] for m in referring], dtype=np.int64),
            list(numbers),
            text=text,
            origin=Origin(self.path, self.before + 1, unnamed=unnamed),
            special={
                n: mention
                for n, mention in enumerate(mentions)
                if len(mention.spans) != 1 or mention.zeros
            },
            annotation=annotation,
        )
        document.non_referring = [markable.mention().identity for markable in silent]
        document.split_antecedents = self._split(found, numbers)
        document.bridging = list(self._bridging_links(numbers))
        return document

    def _minimum(self, markable: _Markable, mention: Mention) -> list[int]:
        """The nodes from the first to the last that Min names, within the mention."""
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
        # Zeros have no number in the document to be named by, and are their own minimum.
        if not nodes and mention.spans:
            message = f"Min={text} of {markable.id or 'a mention'} is not in it"
            hint = "Min=4,5: first and last word, counted from 1 through the document; passed over"
            self._report_at(markable.line, markable.offset, message, hint, "warning")
        return nodes

    def _split(self, found: list[_Markable], numbers: dict[str, int]) -> dict[str, tuple[str, ...]]:
        """The entities of which each split antecedent is made."""
        split: dict[str, dict[str, _Markable]] = {}
        for markable in found:
            for whole in filter(None, markable.attributes.get("ElementOf", "").split(",")):
                lacks = next((id for id in (whole, markable.entity) if id not in numbers), None)
                if lacks is not None:
                    why = "does not refer" if _is_pseudo(lacks) else "has no mention"
                    message = f"{markable.entity} is an element of {whole}, and {lacks} {why}"
                    place = (markable.line, markable.offset)
                    self._report_at(*place, message, "passed over", "warning")
                else:
                    split.setdefault(whole, {}).setdefault(markable.entity, markable)
        for whole in list(split):
            reached, todo = set[str](), list(split.get(whole, ()))
            while todo:
                part = todo.pop()
                if part not in reached:
                    reached.add(part)
                    todo.extend(split.get(part, ()))
            if whole in reached:
                markable = next(iter(split[whole].values()))
                message = f"entity {whole} is an element of itself"
                hint = "ElementOf=4 says that an entity is a part of entity 4"
                self._report_at(markable.line, markable.offset, message, hint)
                del split[whole]
        return {whole: tuple(parts) for whole, parts in split.items()}

    def _bridging_links(self, numbers: dict[str, int]) -> Iterator[Bridge]:
        for line, column, cell in self._bridges:
            self.line = line
            for text in filter(None, re.split(r"[()@]+", cell)):
                at = column + cell.find(text)
                link = _attributes(text)
                if link is None or "MarkableID" not in link:
                    hint = "bridging is (MarkableID=…|Rel=…|MentionAnchor=…|EntityAnchor=…)"
                    self.report(at, f"not a bridging link: {text:.60}", hint)
                    continue
                anaphor = self.markables.get(link["MarkableID"])
                anchor = self.markables.get(link.get("MentionAnchor", ""))
                # The mention decides where it disagrees with the entity, as in the UA scorer.
                entity = anchor.entity if anchor else link.get("EntityAnchor", "")
                ids = (anaphor.entity if anaphor else "", entity)
                if all(id in numbers for id in ids):
                    yield Bridge(*ids, link.get("Rel", ""))
                else:
                    lacks = "its antecedent" if ids[0] in numbers else "its anaphor"
                    message = f"{lacks} is in no entity: {text:.80}"
                    self.report(at, message, "the link is passed over", "warning")


def _is_pseudo(entity: str) -> bool:
    return _PSEUDO.fullmatch(entity[-7:]) is not None


class UaText:
    r"""The lines of one document.

    >>> text = read_ua(b"1 Ann _ _ _ _ _ _ _ _ _\n2 ran _ _ _ _ _ _ _ _ _\n").documents[0].text
    >>> text.token_count, text.sentences(), text.place(1)
    (2, (('Ann', 'ran'),), (2, 23))
    """

    written_as = "ua"

    def __init__(self, reader: _Reader, lines: Sequence[str]) -> None:
        self.lines = lines
        self.columns = tuple(reader.columns)
        self.named = reader.named  # closing brackets have the names of their markables
        self._words, self._zeros, self._forms = reader.words, reader.zeros, reader.forms
        self._breaks, self._before = reader.breaks, reader.before
        self.discourse_deixis = reader.discourse_deixis  # how many mentions that column has

    @property
    def token_count(self) -> int:
        """How many words the document has, zeros aside."""
        return len(self._words)

    @property
    def nodes(self) -> dict[int, int]:
        """The line of each node, words and zeros, counted from the first of the document."""
        return {node(word): line for word, line in enumerate(self._words)} | self._zeros

    def sentences(self) -> tuple[tuple[str, ...], ...]:
        """The words, sentence by sentence."""
        bounds = [*self._breaks, len(self._forms)]
        return tuple(tuple(self._forms[low:high]) for low, high in itertools.pairwise(bounds))

    def zero_forms(self) -> dict[int, str]:
        """The empty nodes and what is written for them."""
        return {place: self.lines[line].split()[1] for place, line in self._zeros.items()}

    def rows(self) -> None:
        """No columns of CoNLL-2012."""

    def place(self, token: int) -> tuple[int, int]:
        """Line and column of the annotation of a word."""
        if not 0 <= token < len(self._words):
            return self._before + 1, 1
        line = self._words[token]
        cells = find_cells(self.lines[line], len(self.columns))
        place = self.columns.index("IDENTITY")
        return self._before + line + 1, cells[place][0] + 1 if place < len(cells) else 1


class UaAnnotation:
    r"""What the brackets of one document say beyond their places.

    `attributes` has, for each mention, what each of its pieces is opened with; `non_referring` the
    same for the mentions that do not refer.

    >>> line = b"1 Ann _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=m1|Min=1|SemType=dn)\n"
    >>> annotation = read_ua(line).documents[0].annotation
    >>> annotation.attributes, annotation.minima() == [[node(0)]]
    ([('EntityID=1|MarkableID=m1|Min=1|SemType=dn',)], True)
    """

    def __init__(
        self,
        text: UaText,
        attributes: Sequence[tuple[str, ...]],
        non_referring: Sequence[tuple[str, ...]],
        markables: Sequence[str],
        minima: Sequence[Sequence[int]] | None,
    ) -> None:
        self.attributes, self.non_referring = attributes, non_referring
        self._text, self._markables, self._minima = text, markables, minima

    def heads(self) -> Ints | None:
        """Not in the format."""
        return None

    def minima(self) -> Sequence[Sequence[int]] | None:
        """The nodes that Min names; None if it is nowhere."""
        return self._minima

    def types(self) -> Sequence[str] | None:
        """Entity_Type in the column NOM_SEM, where it names the markable."""
        if "NOM_SEM" not in self._text.columns:
            return None
        place, count = self._text.columns.index("NOM_SEM"), len(self._text.columns)
        types: dict[str, str] = {}
        for line in self._text.nodes.values():
            written = self._text.lines[line]
            if "Entity_Type=" not in written:
                continue
            cells = find_cells(written, count)
            low, high = cells[place] if place < len(cells) else (0, 0)
            for text in re.split(r"[()@]+", written[low:high]):
                found = _attributes(text) or {}
                types.setdefault(found.get("MarkableID", ""), found.get("Entity_Type", ""))
        types.pop("", None)
        return [types.get(id, "") for id in self._markables] if types else None

    def kinds(self) -> Sequence[str] | None:
        """Not in the format."""
        return None

    def dependencies(self, mention: int) -> tuple[int, frozenset[tuple[str, str]]]:
        """None are known."""
        return 0, frozenset()
