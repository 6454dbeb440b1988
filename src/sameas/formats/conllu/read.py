"""CoNLL-U files with coreference in the MISC column, as CorefUD 1.x and GUM have it.

One node a line, ten columns: words `7`, empty nodes `7.1`, and ranges `7-8`, which are no nodes.
Brackets in `Entity=` open and close mentions: `(e5-person-1-` … `e5)`; `# global.Entity` names the
fields between the dashes. Pieces of a discontinuous mention are numbered, `(e5[1/2]-person-1-)`.

Lines are found and checked by array operations over some megabytes at once; only cells with
brackets are looked at one by one. Heads, types and the like are read when somebody asks for them.
A document keeps its lines, so that writing it back keeps everything that was read.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sameas.arithmetic.arrays import Bools, Ints
from sameas.documents.document import Corpus, Document
from sameas.documents.mentions import (
    INITIAL,
    Annotation,
    Bridge,
    Mention,
    Origin,
    Span,
    Zero,
    columns_of,
    node,
)
from sameas.errors import Problem, refuse_problems
from sameas.formats.brackets import (
    Bytes,
    Items,
    Runs,
    byte_set,
    cut_cells,
    cut_words,
    decode,
    name_codes,
    pair_items,
)
from sameas.formats.common import Reporter

__all__ = ["ConlluAnnotation", "ConlluText", "find_id_field", "node_lines", "read_conllu"]

PART = 1 << 22  # bytes read at once, at least

_CELL = re.compile(rb"(?<=[\t|])(Entity)=([^|\t\n]*)")
_NEARLY = re.compile(rb"(?i:entity)\s*[=:(]")
_LINKS = re.compile(rb"(?<=[\t|])(SplitAnte|Split|Bridge)=([^|\t\n]*)")
_CHUNK = re.compile(rb"\(([^()]+)(\))?|([^()]+)\)|(.)")
_PIECE = re.compile(rb"(.+)\[(\d{1,4})/(\d{1,4})\]")
_ID = re.compile(rb"(\d{1,9})([-.])(\d{1,9})")
_COMMENT = re.compile(rb"#\s*(newdoc|global\.Entity|meta::[^=\s]+|genre|topic)\b\s*(.*)")
_NEWDOC = re.compile(rb"\n#\s*newdoc\b")

_MARK = byte_set(b"()")
BLANK, COMMENT, WORD, EMPTY, RANGE, WRONG = range(6)
_ID_FIELDS = ("eid", "GRP")
_TYPE_FIELDS = ("etype", "entity")
_ZERO = b"\t"  # in place of a part of speech; no cell has a tab
_KIND_OF_TAG = {b"_": "", b"PROPN": "name", b"PRON": "pronoun", _ZERO: "zero"}


def read_conllu(data: bytes, path: str = "", *, refuse: bool = True) -> Corpus:
    r"""Read the documents of a CoNLL-U file; unless `refuse`, wrong ones too, as far as it goes.

    >>> text = b"# newdoc id = a\n# global.Entity = eid-etype-head-other\n"
    >>> text += b"1\tAnn\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1-person-1-)\n\n"
    >>> read_conllu(text).documents
    [<Document 'a': 1 tokens, 1 mentions, 1 entities>]
    """
    reader = _Reader(path)
    data = reader.unix(data)
    if data and not data.endswith(b"\n"):
        data += b"\n"
    for part in _parts(data):
        reader.read(part)
    wordless = not any(document.text.token_count for document in reader.documents)
    return reader.corpus(reader.documents, "conllu", refuse, wordless)


def _parts(data: bytes) -> Iterator[bytes]:
    """The file in parts of some megabytes, cut between documents."""
    start = 0
    while start < len(data):
        found = _NEWDOC.search(data, start + PART)
        stop = data.rfind(b"\n\n", start, found.start() + 1) + 2 if found else len(data)
        if stop < start + 2:  # no blank line before it
            stop = len(data)
        yield data[start:stop]
        start = stop


class _Lines:
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

    def is_node(self, line: Ints) -> Bools:
        """Whether the lines have a word or an empty node."""
        return np.isin(self.kind[line], (WORD, EMPTY))

    def zero(self, line: int, words: int) -> Zero:
        """The empty node of a line, given the number of words before it in the document."""
        initial = INITIAL if self.number[line] == 0 else 0
        return words, int(self.minor[line]) + initial


def _ending(text: Bytes, places: Ints, word: bytes, fold: int = 0) -> Ints:
    """The places at which a word ends, of some of its last byte; `fold` is a bit of each letter."""
    places = places[places >= len(word)]
    for back, byte in enumerate(reversed(word)):
        places = places[(text[places - back] | fold) == byte]
    return places


class _Reader(Reporter):
    """Reads part after part; the fields of `Entity` and the open document go on."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.documents: list[Document] = []
        self.fields: list[str] | None = None

    def read(self, data: bytes) -> None:
        lines = _Lines(data)
        self._check_lines(lines)
        self._check_misc(lines)
        sentence = self._check_sentences(lines)
        regions = self._regions(lines)
        brackets = [
            found or _Brackets(self, lines, region).columns()
            for region, found in zip(regions, _find_brackets(lines, regions), strict=True)
        ]
        links = self._read_links(lines, regions, brackets)
        for region, mentions, (split, bridging) in zip(regions, brackets, links, strict=True):
            self._add_document(lines, region, sentence, mentions, split, bridging)
        self.before += len(lines.starts)

    def _check_lines(self, lines: _Lines) -> None:
        for line in np.flatnonzero(lines.kind == WRONG).tolist():
            if not lines[line].strip():
                self.error(line, 1, "blank-line")
            elif lines.tab_count[line] == 9:
                self.error(line, 1, "node-number", value=decode(lines.cell(line, 0)))
            else:
                self.error(line, 1, "conllu-columns", count=int(lines.tab_count[line]) + 1)

    def _check_misc(self, lines: _Lines) -> None:
        """Brackets that stand where nobody reads them."""
        text = lines.bytes
        opening = np.flatnonzero(text == ord("("))
        for line, column in _nodes_misc(lines, opening[text[opening - 1] == ord("|")]):
            self.error(line, column, "stray-bracket")
        last = _ending(text, np.flatnonzero((text | 0x20) == ord("y")), b"entity", 0x20)
        start = last - 5
        read = (text[start] == ord("E")) & (text[last] == ord("y"))
        read &= (text[start - 1] == 9) | (text[start - 1] == ord("|"))
        read &= text[np.minimum(last + 1, len(text) - 1)] == ord("=")
        for line, column in _nodes_misc(lines, start[~read]):
            found = _NEARLY.match(lines[line], column - 1)
            if found:
                self.warn(line, column, "unread-item", item=decode(found[0]))

    def _check_sentences(self, lines: _Lines) -> Ints:
        """The number of each line's sentence; words must count 1, 2, 3 in it."""
        blank = lines.kind == BLANK
        block = np.cumsum(blank) - blank
        words = np.flatnonzero(lines.kind == WORD)
        # Blocks without words aside.
        sentence: Ints = np.searchsorted(np.unique(block[words]), block)
        starts = np.searchsorted(sentence[words], sentence[words], "left")
        expected = np.arange(len(words)) - starts + 1
        off = lines.number[words] != expected
        # After the first wrong number the rest of the sentence is not worth a word.
        wrong, first = np.unique(sentence[words[off]], return_index=True)
        for line, number in zip(
            words[off][first].tolist(), expected[off][first].tolist(), strict=True
        ):
            found = int(lines.number[line])
            how = "break" if found == 1 else "conllu"
            self.error(line, 1, "word-number", how=how, expected=number, found=found)
        self._check_odd_numbers(lines, sentence, set(wrong.tolist()))
        empty = np.flatnonzero(lines.kind == EMPTY)
        for line in empty[~np.isin(block[empty], block[words])].tolist():
            self.error(line, 1, "wordless-zero")
        late = np.flatnonzero(lines.kind == COMMENT)
        late = late[late > 0]
        for line in late[np.isin(lines.kind[late - 1], (WORD, EMPTY, RANGE))].tolist():
            self.warn(line, 1, "late-comment")
        return sentence

    def _check_odd_numbers(self, lines: _Lines, sentence: Ints, wrong: set[int]) -> None:
        """Empty nodes count 3.1, 3.2 after word 3; ranges start with the next word."""
        before: tuple[int, int, int] = (-1, 0, 0)
        reached: dict[int, int] = defaultdict(int)
        for line in np.flatnonzero(np.isin(lines.kind, (EMPTY, RANGE))).tolist():
            number = int(sentence[line])
            if number in wrong:
                continue
            start = np.searchsorted(sentence, number)
            done = int(lines.words[line] - lines.words[start])
            major, minor = int(lines.number[line]), int(lines.minor[line])
            if lines.kind[line] == RANGE:
                stop = np.searchsorted(sentence, number, "right")
                size = int(lines.words[stop] - lines.words[start])
                if major != done + 1 or not major < minor <= size or done < reached[number]:
                    written = f"{major}-{minor}"
                    self.warn(line, 1, "range-place", range=written, word=done, count=size)
                reached[number] = minor
                continue
            expected = before[2] + 1 if before[:2] == (number, done) else 1
            if (major, minor) != (done, expected):
                found = {"expected": f"{done}.{expected}", "found": f"{major}.{minor}"}
                self.error(line, 1, "zero-number", how="conllu", **found)
            if minor >= INITIAL:
                self.error(line, 1, "zero-too-large", number=minor, most=INITIAL - 1)
            before = (number, done, minor)

    def _regions(self, lines: _Lines) -> list[_Region]:
        """The documents of a part: from the comments that say `newdoc` to the next.

        What the comments in front of a document's first sentence say is said of it, in any order;
        the fields of `Entity` go on for the documents that follow.
        """
        said = _comments(lines)
        names = self._starts(lines, said)
        starts = list(names)
        nodes = np.flatnonzero(np.isin(lines.kind, (WORD, EMPTY)))
        first = [*nodes.tolist(), len(lines.starts)]
        words = [first[at] for at in np.searchsorted(nodes, starts).tolist()]
        metas: list[dict[str, Any]] = [{} for _ in starts]
        fields: list[list[str] | None] = [None] * len(starts)
        known, at = self.fields, -1  # the fields of the documents before document `at`
        for line, key, value in said:
            number = int(np.searchsorted(starts, line, "right")) - 1
            if number < 0 or key == "newdoc":
                continue
            if key != "global.Entity":
                metas[number][key.removeprefix("meta::")] = value
                continue
            if number > at:
                known, at = (fields[at] if at >= 0 else None) or known, number
            before = fields[number] or (known if line > words[number] else None)
            if before and before != value.split("-"):
                self.error(line, 1, "other-fields")
            elif fields[number] is None:
                fields[number] = self._schema(line, value)
                low, high = lines.starts[min(words[number], line)], lines.starts[line]
                if lines.data.find(b"Entity=", int(low), int(high)) >= 0:
                    self.error(line, 1, "late-fields")
        regions = []
        for number, (start, stop) in enumerate(itertools.pairwise([*starts, len(lines.starts)])):
            self.fields = fields[number] or self.fields
            name = names[start]
            if words[number] >= stop:
                named = {"document": name} if name else {"how": "unnamed"}
                self.warn(start, 1, "wordless-document", **named)
            if not name and number and start:
                self.warn(start, 1, "newdoc-unnamed")
            regions.append(_Region(start, stop, name, metas[number], self.fields))
        return regions

    def _starts(self, lines: _Lines, said: Sequence[tuple[int, str, str]]) -> dict[int, str]:
        """The lines at which documents begin, and their names."""
        blank = np.flatnonzero(lines.kind == BLANK)
        names: dict[int, str] = {}
        for line, key, value in said:
            if key != "newdoc":
                continue
            before = int(np.searchsorted(blank, line))
            start = int(blank[before - 1]) + 1 if before else 0
            if (lines.kind[start:line] != COMMENT).any():
                self.error(line, 1, "newdoc-inside")
            elif start in names:
                self.error(line, 1, "newdoc-twice")
            else:
                names[start] = value.removeprefix("id").strip().removeprefix("=").strip()
        nodes = np.flatnonzero(np.isin(lines.kind, (WORD, EMPTY)))
        starts = list(names)
        if nodes.size and (not starts or nodes[0] < starts[0]):
            if starts:
                self.warn(int(nodes[0]), 1, "newdoc-late")
            return {0: "", **names}
        return {start if n else 0: name for n, (start, name) in enumerate(names.items())}

    def _schema(self, line: int, text: str) -> list[str]:
        fields = text.split("-")
        if len(set(fields)) < len(fields):
            self.error(line, 1, "field-twice", fields=text)
        if not any(name in fields for name in _ID_FIELDS):
            self.error(line, 1, "no-eid", fields=text)
            return ["eid", *fields]
        return fields

    def _read_links(
        self, lines: _Lines, regions: Sequence[_Region], brackets: Sequence[_Columns]
    ) -> Sequence[tuple[dict[str, tuple[str, ...]], list[Bridge]]]:
        """Split antecedents and bridging of each document, which few lines have."""
        links: list[tuple[dict[str, tuple[str, ...]], list[Bridge]]] = [({}, []) for _ in regions]
        if b"Split" not in lines.data and b"Bridge=" not in lines.data:
            return links
        starts = [region.start for region in regions]
        known = [] if self.refused else [set(found.ids) for found in brackets]
        for line, column, cell in self.find_cells(lines, _LINKS, 0, len(lines.data)):
            number = bisect_right(starts, line) - 1
            for item in decode(cell[2]).split(","):
                antecedent, sign, anaphor = item.partition("<")
                anaphor, _, relation = anaphor.partition(":")
                if not sign or not antecedent or not anaphor or "<" in anaphor:
                    self.error(line, column, "not-a-link", item=item)
                    continue
                if antecedent == anaphor:
                    self.error(line, column, "link-to-itself", item=item)
                elif known and not {antecedent, anaphor} <= known[number]:
                    self.warn(line, column, "link-unknown", item=item)
                split, bridging = links[number]
                if cell[1] == b"Bridge":
                    bridging.append(Bridge(anaphor, antecedent, relation))
                else:
                    split[anaphor] = (*split.get(anaphor, ()), antecedent)
        return links

    def find_cells(
        self, lines: _Lines, pattern: re.Pattern[bytes], low: int, high: int
    ) -> Iterator[tuple[int, int, re.Match[bytes]]]:
        """Line, column and match of what a pattern finds at nodes, in the last column.

        There is a warning of what it finds in another column, or at a range of words.
        """
        cells = list(pattern.finditer(lines.data, low, high))
        places = np.array([cell.start() for cell in cells], dtype=np.int64)
        where = lines.line_at(places)
        columns = places - lines.starts[where] + 1
        kinds, misc = lines.kind[where], lines.in_misc(places, where)
        for cell, line, column, kind, inside in zip(
            cells, where.tolist(), columns.tolist(), kinds.tolist(), misc.tolist(), strict=True
        ):
            if kind in (WORD, EMPTY) and inside:
                yield line, column, cell
            elif kind not in (COMMENT, WRONG):
                how = "range" if inside else "column"
                self.warn(line, column, "misplaced", how=how, item=decode(cell[1]))

    def _add_document(
        self,
        lines: _Lines,
        region: _Region,
        sentence: Ints,
        found: _Columns,
        split: Mapping[str, tuple[str, ...]],
        bridging: Sequence[Bridge],
    ) -> None:
        start = region.start
        text = ConlluText(lines, start, region.stop, self.before, sentence)
        first = lines.words[found.opened] - lines.words[start]
        last = lines.words[found.closed + 1] - lines.words[start] - 1
        special = _specials(lines, found, start)
        for number in np.flatnonzero(sentence[found.opened] != sentence[found.closed]).tolist():
            line = int(found.opened[number])
            self.warn(line, text.place_of_line(line)[1], "over-sentences")
        for number, mention in special.items():
            first[number], last[number] = mention.hull
        document = Document(
            region.name or self.name(len(self.documents)),
            first=first,
            last=last,
            entity=found.entity,
            entity_ids=found.ids,
            special=special,
            annotation=ConlluAnnotation(
                text=text,
                fields=region.fields or [],
                _mentions=found,
                _first=first,
                _last=last,
                _special=special,
                _path=self.path,
            ),
            text=text,
            meta=region.meta,
            origin=Origin(self.path, self.before + start + 1, unnamed=not region.name),
            split_antecedents=split,
            bridging=bridging,
        )
        self.documents.append(document)


def _comments(lines: _Lines) -> list[tuple[int, str, str]]:
    """Line, key and value of the comments that say something of a document."""
    comments = np.flatnonzero(lines.kind == COMMENT)
    # Most say `sent_id` or `text`: nothing to look at.
    padded = np.append(lines.bytes, np.zeros(4, dtype=np.uint8))
    second, third, fourth = (padded[lines.starts[comments] + at] for at in (1, 2, 3))
    usual = (third == ord("s")) | ((third == ord("t")) & (fourth == ord("e")))
    comments = comments[(second != ord(" ")) | ~usual]
    found = ((line, _COMMENT.match(lines[line])) for line in comments.tolist())
    return [
        (line, decode(match[1]), decode(match[2]).strip().removeprefix("=").strip())
        for line, match in found
        if match
    ]


def _nodes_misc(lines: _Lines, places: Ints) -> Iterator[tuple[int, int]]:
    """Line and column of the places that are in the last column of a node's line."""
    line = lines.line_at(places)
    misc = lines.in_misc(places, line) & lines.is_node(line)
    columns = places[misc] - lines.starts[line[misc]] + 1
    return zip(line[misc].tolist(), columns.tolist(), strict=True)


class _Region(NamedTuple):
    start: int
    stop: int
    name: str
    meta: dict[str, Any]
    fields: list[str] | None


class _Columns(NamedTuple):
    """The mentions of one document in the order in which they open, as columns."""

    opened: Ints  # lines
    closed: Ints
    entity: Ints
    ids: Sequence[str]
    text_start: Ints  # where what is written in the opening bracket is, in the bytes
    text_stop: Ints
    pieces: dict[int, list[tuple[int, int]]]  # of discontinuous mentions


def _find_brackets(lines: _Lines, regions: Sequence[_Region]) -> Iterator[_Columns | None]:
    """The mentions of each document; None if it is out of the ordinary.

    All `Entity` cells of the part are cut into brackets at once.
    """
    text = lines.bytes
    equals = _ending(text, np.flatnonzero(text == ord("=")), b"Entity=")
    equals = equals[(text[equals - 7] == 9) | (text[equals - 7] == ord("|"))]
    if not regions:
        equals = equals[:0]
    line = lines.line_at(equals)
    home = np.searchsorted([region.start for region in regions], line, "right") - 1
    irregular = np.array(
        [not region.fields or region.fields[0] not in _ID_FIELDS for region in regions],
        dtype=np.bool_,
    )
    misc = lines.in_misc(equals, line) & lines.is_node(line)
    irregular[home[~misc & (lines.kind[line] != COMMENT)]] = True
    line, home, equals = line[misc], home[misc], equals[misc]
    irregular[home[1:][line[1:] == line[:-1]]] = True
    ends = np.flatnonzero((text == 10) | (text == ord("|")) | (text == 9))
    runs, id_stop = _find_runs(text, equals + 1, ends[np.searchsorted(ends, equals)])
    irregular[home[np.concatenate(runs.bad)]] = True
    kept = np.flatnonzero(~irregular[home[runs.cell]])
    cell = runs.cell[kept]
    id, names = name_codes(runs.text, runs.start[kept], id_stop[kept])
    items = Items(home[cell], line[cell], runs.kind[kept], id, names)
    pairs = pair_items(items, irregular, "opened")
    opened, closed = items.token[pairs.opened], items.token[pairs.closed]
    run = kept[pairs.opened]
    shift = runs.shift[runs.cell[run]]
    text_start, text_stop = runs.start[run] + shift, runs.stop[run] + shift
    for number, odd in enumerate(irregular.tolist()):
        here, entity, ids = pairs.of(number)
        texts = (text_start[here], text_stop[here])
        yield None if odd else _Columns(opened[here], closed[here], entity, ids, *texts, {})


def _find_runs(text: Bytes, start: Ints, stop: Ints) -> tuple[Runs, Ints]:
    """Cut cells, from `start` to before `stop`, at their brackets; return also where ids stop."""
    runs = cut_cells(text, start, stop, _MARK)
    dashes = np.append(np.flatnonzero(runs.text == ord("-")), len(runs.text))
    id_stop = np.minimum(dashes[np.searchsorted(dashes, runs.start)], runs.stop)
    # A closing bracket has the id alone.
    runs.bad.append(runs.cell[(runs.kind == 2) & (id_stop < runs.stop)])
    piece = runs.text[np.maximum(id_stop - 1, 0)] == ord("]")
    runs.bad.append(runs.cell[(id_stop == runs.start) | piece])
    return runs, id_stop


def find_id_field(fields: Sequence[str]) -> int:
    """Which of the fields of `Entity` has the ids; the first, if none of them is called so."""
    return next((fields.index(name) for name in _ID_FIELDS if name in fields), 0)


@dataclass(slots=True, eq=False)
class _Mention:
    """A mention while its document is read bracket by bracket."""

    id: bytes
    text: Span  # where what is written in its opening bracket is, in the bytes
    total: int  # how many pieces it says it has; 0 if they are not numbered
    pieces: list[Span]  # first and last line of each, -1 while it is open
    column: int = 0  # of its last bracket that is not closed where it opens


class _Brackets:
    """The mentions of one document, bracket by bracket, with what is wrong with them."""

    def __init__(self, reader: _Reader, lines: _Lines, region: _Region) -> None:
        self.reader, self.lines = reader, lines
        fields = region.fields
        self.id_field = find_id_field(fields or ())
        self._mentions: list[_Mention] = []
        self._stacks: dict[bytes, list[_Mention]] = {}
        self._unfinished: dict[bytes, list[_Mention]] = {}  # discontinuous ones
        low, high = int(lines.starts[region.start]), int(lines.stops[region.stop - 1])
        before = -1
        for line, column, cell in reader.find_cells(lines, _CELL, low, high):
            if fields is None:
                reader.error(line, column, "no-fields")
                break
            if line == before:
                reader.error(line, column, "entity-twice")
            self._read_cell(line, column + 7, cell[2])
            before = line
        self._check_open()

    def columns(self) -> _Columns:
        """The mentions, as far as they are sound."""
        opened, closed = columns_of([(m.pieces[0][0], m.pieces[-1][1]) for m in self._mentions])
        numbers: dict[bytes, int] = {}
        entity = [numbers.setdefault(m.id, len(numbers)) for m in self._mentions]
        texts = columns_of([mention.text for mention in self._mentions])
        pieces = {n: mention.pieces for n, mention in enumerate(self._mentions) if mention.total}
        ids = list(map(decode, numbers))
        return _Columns(opened, closed, np.array(entity, dtype=np.int64), ids, *texts, pieces)

    def _read_cell(self, line: int, column: int, text: bytes) -> None:
        if not text:
            self.reader.error(line, column, "empty-entity")
        base = int(self.lines.starts[line]) + column - 1
        for chunk in _CHUNK.finditer(text):
            opening, closed, closing, _ = chunk.groups()
            at = column + chunk.start()
            if opening:
                self._open(line, at, base + chunk.start(1), opening, bool(closed))
            elif closing:
                self._close(line, at, closing)
            else:
                self.reader.error(line, at, "outside-brackets", how="conllu", text=decode(text))
                return

    def _id(self, text: bytes, opening: bool) -> bytes:
        if self.id_field == 0:
            return text.partition(b"-")[0] if opening else text
        fields = text.split(b"-")
        return (
            fields[self.id_field] if len(fields) > self.id_field else text if not opening else b""
        )

    def _open(self, line: int, column: int, at: int, text: bytes, closed: bool) -> None:
        id = self._id(text, True)
        piece, total = 0, 0
        if b"[" in id or b"]" in id:
            found = _PIECE.fullmatch(id)
            if found:
                id, piece, total = found[1], int(found[2]), int(found[3])
            if not found or not 1 <= piece <= total or set(id) & set(b"[]"):
                self.reader.error(line, column, "not-a-piece", text=decode(text))
                return
        if not id:
            self.reader.error(line, column, "no-id", text=decode(text))
            return
        lines = (line, line if closed else -1)
        if piece > 1:
            mention = self._continued(line, column, id, piece, total)
            if mention is None:
                return
            mention.pieces.append(lines)
            if piece == total:
                self._unfinished[id].remove(mention)
        else:
            mention = _Mention(id, (at, at + len(text)), total, [lines])
            self._mentions.append(mention)
            if total > 1:
                self._unfinished.setdefault(id, []).append(mention)
        if not closed:
            mention.column = column
            self._stacks.setdefault(id, []).append(mention)

    def _continued(
        self, line: int, column: int, id: bytes, piece: int, total: int
    ) -> _Mention | None:
        """The mention of which this is the next piece; None if it is not one."""
        waiting = [
            mention
            for mention in self._unfinished.get(id, [])
            if len(mention.pieces) == piece - 1
            and mention.total == total
            and mention.pieces[-1][1] >= 0
        ]
        if len(waiting) == 1:
            return waiting[0]
        self.reader.error(
            line,
            column,
            "piece-order",
            how="several" if waiting else "missing",
            entity=decode(id),
            piece=piece,
            total=total,
            before=piece - 1,
            count=len(waiting),
        )
        return None

    def _close(self, line: int, column: int, text: bytes) -> None:
        id = self._id(text, False)
        found = _PIECE.fullmatch(id) if id.endswith(b"]") else None
        id = found[1] if found else id
        stack = self._stacks.get(id)
        if not stack:
            self.reader.error(line, column, "not-opened", how="conllu", entity=decode(id))
            return
        mention = stack.pop()
        open_piece = (len(mention.pieces) if mention.total else 0, mention.total)
        if found and open_piece != (int(found[2]), int(found[3])):
            self.reader.error(line, column, "other-piece", text=decode(text))
        mention.pieces[-1] = (mention.pieces[-1][0], line)

    def _check_open(self) -> None:
        for id, stack in self._stacks.items():
            for mention in stack:
                line = mention.pieces[-1][0]
                self.reader.error(
                    line, mention.column, "never-closed", how="conllu", entity=decode(id)
                )
                mention.pieces[-1] = (line, line)
        for mention in self._mentions:
            count, total, line = len(mention.pieces), mention.total, mention.pieces[-1][0]
            if count < total:
                column = self.lines[line].find(b"Entity=") + 1
                lacking: dict[str, Any] = {"entity": decode(mention.id), "count": count}
                self.reader.error(line, column, "lacks-pieces", **lacking, total=total)


def _specials(lines: _Lines, brackets: _Columns, start: int) -> dict[int, Mention]:
    """The mentions of several pieces, and those with empty nodes in them."""
    zeros, words = lines.zeros, lines.words
    odd = set(np.flatnonzero(zeros[brackets.closed + 1] > zeros[brackets.opened]).tolist())
    special: dict[int, Mention] = {}
    for number in sorted(odd | set(brackets.pieces)):
        whole = (int(brackets.opened[number]), int(brackets.closed[number]))
        spans: list[Span] = []
        inside: list[Zero] = []
        for low, high in brackets.pieces.get(number, [whole]):
            first, last = int(words[low] - words[start]), int(words[high + 1] - words[start]) - 1
            if last >= first:
                spans.append((first, last))
            for line in (low + np.flatnonzero(lines.kind[low : high + 1] == EMPTY)).tolist():
                inside.append(lines.zero(line, int(words[line] - words[start])))
        mention = Mention(tuple(spans), tuple(inside))
        if len(mention.spans) != 1 or inside:
            special[number] = mention
    return special


class ConlluText:
    """The lines of one document, read when somebody asks for the words."""

    written_as = "conllu"

    def __init__(self, lines: _Lines, start: int, stop: int, before: int, sentence: Ints) -> None:
        self._lines, self._start, self._stop, self._before = lines, start, stop, before
        self.token_count: int = int(lines.words[stop] - lines.words[start])
        self._sentence = sentence

    @property
    def lines(self) -> list[bytes]:
        """The lines as they are written."""
        data = self._lines.data
        low, high = self._lines.starts[self._start], self._lines.stops[self._stop - 1]
        return data[low:high].split(b"\n")

    @cached_property
    def word_lines(self) -> Ints:
        """The line of each word, counted from the first of the part."""
        return self._start + np.flatnonzero(self._lines.kind[self._start : self._stop] == WORD)

    @cached_property
    def forms(self) -> bytes:
        """The words, each with a tab behind it."""
        lines, line = self._lines, self.word_lines
        starts, stops = lines.tabs[lines.first_tab[line]] + 1, lines.tabs[lines.first_tab[line] + 1]
        lengths = stops - starts + 1
        offsets = np.repeat(starts - (np.cumsum(lengths) - lengths), lengths)
        return lines.bytes[offsets + np.arange(len(offsets))].tobytes()

    @cached_property
    def sentence_of(self) -> Ints:
        """The number of each word's sentence."""
        return np.unique(self._sentence[self.word_lines], return_inverse=True)[1]

    def cells(self, column: int) -> list[bytes]:
        """One column of every word."""
        return [self._lines.cell(line, column) for line in self.word_lines.tolist()]

    def sentence_at(self, line: int) -> int:
        """The number, in the document, of the sentence of a line of the part."""
        first = int(self._sentence[self._start])
        return int(self._sentence[line]) - first

    def line_of(self, place: int) -> int:
        """The line of a node."""
        before, number = place >> 16, place & 0xFFFF
        if not number:
            return int(self.word_lines[before - 1])
        low = int(self.word_lines[before - 1]) if before else self._start
        high = int(self.word_lines[before]) if before < self.token_count else self._stop
        kinds = self._lines.kind[low:high]
        for line in (low + np.flatnonzero(kinds == EMPTY)).tolist():
            if self._lines.zero(line, before)[1] == number:
                return line
        return low

    def sentences(self) -> tuple[tuple[str, ...], ...]:
        """The words, sentence by sentence."""
        breaks = np.flatnonzero(np.diff(self.sentence_of)) + 1
        bounds = sorted({0, *breaks.tolist(), self.token_count})
        return cut_words(self.forms, bounds)

    def zero_forms(self) -> dict[int, str]:
        """The empty nodes and what is written for them."""
        return {
            place: decode(self._lines.cell(self._start + line, 1))
            for line, place in node_lines(self)
            if place is not None and place & 0xFFFF
        }

    def rows(self) -> None:
        """No columns of CoNLL-2012."""

    def place(self, token: int) -> tuple[int, int]:
        """Line and column of the annotation of a word."""
        if not 0 <= token < self.token_count:
            return self._before + self._start + 1, 1
        return self.place_of_line(int(self.word_lines[token]))

    def place_of_line(self, line: int) -> tuple[int, int]:
        """Line and column, in the file, of the annotation in a line of the part."""
        text = self._lines[line]
        return self._before + line + 1, max(text.find(b"Entity="), text.rfind(b"\t") + 1) + 1


def node_lines(text: ConlluText) -> Iterator[tuple[int, int | None]]:
    """Each line of a document, by number, and the node it holds, if it holds one."""
    lines = text._lines
    words = 0
    for line in range(text._start, text._stop):
        kind = lines.kind[line]
        if kind == WORD:
            yield line - text._start, node(words)
            words += 1
        elif kind == EMPTY:
            yield line - text._start, node(lines.zero(line, words))
        else:
            yield line - text._start, None


@dataclass(frozen=True, kw_only=True, eq=False)
class ConlluAnnotation(Annotation):
    """What the brackets of one document say beyond their places."""

    text: ConlluText
    fields: Sequence[str]
    _mentions: _Columns
    _first: Ints
    _last: Ints
    _special: Mapping[int, Mention]
    _path: str

    @property
    def _lines(self) -> _Lines:
        return self.text._lines

    @property
    def texts(self) -> list[bytes]:
        """What is written in the opening bracket of each mention."""
        return self._cut(self._mentions.text_start, self._mentions.text_stop)

    def column(self, name: str) -> list[str]:
        """One field of every mention; empty where it is left out."""
        return list(map(decode, self._cut(*self._field(name))))

    def _cut(self, starts: Ints, stops: Ints) -> list[bytes]:
        data = self._lines.data
        pairs = zip(starts.tolist(), stops.tolist(), strict=True)
        return [data[start:stop] for start, stop in pairs]

    def _field(self, name: str) -> tuple[Ints, Ints]:
        """Where one field of each starts and stops; the last one may have dashes in it."""
        number, dashes = self.fields.index(name), self._lines.dashes
        start, end = self._mentions.text_start, self._mentions.text_stop
        before, most = np.searchsorted(dashes, start), len(dashes) - 1
        inside = np.searchsorted(dashes, end) - before
        if number:
            there = dashes[np.minimum(before + number - 1, most)] + 1
            start = np.where(number <= inside, there, end)
        if name == self.fields[-1]:
            return start, end
        return start, np.where(number < inside, dashes[np.minimum(before + number, most)], end)

    @cached_property
    def _stated(self) -> Bools:
        """Which mentions have a head in their brackets."""
        if "head" not in self.fields:
            return np.zeros(len(self._first), dtype=np.bool_)
        starts, stops = self._field("head")
        return stops > starts

    @property
    def assumed(self) -> bool:
        """Whether heads are not annotated, so that the first node of each mention is taken."""
        return "head" not in self.fields or bool(self._unstated.any() and not self._stated.any())

    @cached_property
    def _unstated(self) -> Bools:
        """Which mentions of several nodes have no head; that of one node is the node."""
        return ~self._stated & (self._sizes > 1)

    @cached_property
    def _sizes(self) -> Ints:
        """How many nodes each mention has."""
        sizes = self._last - self._first + 1
        for number, mention in self._special.items():
            sizes[number] = mention.size
        return sizes

    def stated_heads(self) -> Ints | None:
        """The annotated heads, -1 where a mention has none; None if no mention has one."""
        return np.where(self._unstated, -1, self._heads) if self._stated.any() else None

    def _node(self, number: int, index: int) -> int:
        """The node that is number `index` of a mention, from 1."""
        if number in self._special:
            return self._special[number].nodes[index - 1]
        return node(int(self._first[number]) + index - 1)

    @cached_property
    def _heads(self) -> Ints:
        index = self._head_numbers()
        wrong = np.flatnonzero((index < 1) | (index > self._sizes)).tolist()
        refuse_problems([self._not_in(number, "head") for number in wrong])
        heads = (self._first + index) << 16
        for number in self._special:
            heads[number] = self._node(number, int(index[number]))
        return heads

    def _head_numbers(self) -> Ints:
        """The number, from 1, of each mention's head among its nodes; 0 if it says no number."""
        index = np.ones(len(self._first), dtype=np.int64)
        if self.assumed:
            return index
        starts, stops = self._field("head")
        one = np.flatnonzero(stops - starts == 1)  # nearly all are one digit
        index[one] = self._lines.bytes[starts[one]].astype(np.int64) - ord("0")
        odd = np.flatnonzero((stops - starts > 1) | (index < 1) | (index > 9))
        data = self._lines.data
        for number in odd.tolist():
            value = data[starts[number] : stops[number]]
            index[number] = int(value) if value.isdigit() and len(value) < 10 else 0
        return index

    def _not_in(self, number: int, field: str) -> Problem:
        """What is wrong with a field that has numbers of words of its mention."""
        place = self.text.place_of_line(int(self._mentions.opened[number]))
        starts, stops = self._field(field)
        value = decode(self._lines.data[starts[number] : stops[number]])
        size = int(self._sizes[number])
        return Problem("not-in-mention", self._path, *place, how=field, value=value, count=size)

    def heads(self) -> Ints:
        """The node that is each mention's head; the first where none is annotated."""
        return self._heads

    def minima(self) -> Sequence[Sequence[int]] | None:
        """The nodes of GUM's `minspan`; None if there is no such field."""
        return self._minima

    @cached_property
    def _minima(self) -> list[list[int]] | None:
        if "minspan" not in self.fields:
            return None
        found: list[list[int]] = []
        wrong: list[Problem] = []
        for number, value in enumerate(self.column("minspan")):
            parts = value.split(",") if value else []
            indexes = [int(part) if part.isascii() and part.isdigit() else 0 for part in parts]
            if all(1 <= index <= self._sizes[number] for index in indexes):
                found.append([self._node(number, index) for index in indexes])
            else:
                wrong.append(self._not_in(number, "minspan"))
        refuse_problems(wrong)
        return found

    def types(self) -> Sequence[str] | None:
        """The entity type in each bracket."""
        name = next((name for name in _TYPE_FIELDS if name in self.fields), None)
        types = self.column(name) if name else []
        return types if any(types) else None

    def kinds(self) -> Sequence[str] | None:
        """Name, nominal, pronoun or zero, by the part of speech of the head; empty without one."""
        return self._kinds

    @cached_property
    def _kinds(self) -> list[str] | None:
        if not self.text.token_count:
            return None
        tags = self.text.cells(3)
        if all(tag == b"_" for tag in tags):
            return None  # not tagged
        heads = self._heads
        if self._unstated.any():
            heads = np.where(self._unstated, self._tree_heads(), heads)
        kinds = []
        for size, head in zip(self._sizes.tolist(), heads.tolist(), strict=True):
            tag = _ZERO if head & 0xFFFF else tags[(head >> 16) - 1]
            alone = tag == b"DET" and size == 1
            kinds.append("pronoun" if alone else _KIND_OF_TAG.get(tag, "nominal"))
        return kinds

    def _tree_heads(self) -> Ints:
        """The first word of each mention whose parent is outside of it."""
        parents = self.text.cells(6)
        sentence = self.text.sentence_of
        starts = np.searchsorted(sentence, sentence, "left").tolist()
        heads = self._heads.copy()
        for number, first in enumerate(self._first.tolist()):
            if number in self._special:
                continue
            last = int(self._last[number])
            for word in range(first, last + 1):
                parent = parents[word]
                up = starts[word] + int(parent) - 1 if parent.isdigit() and parent != b"0" else -1
                if not first <= up <= last:
                    heads[number] = node(word)
                    break
        return heads

    def dependencies(self, mention: int) -> tuple[int, frozenset[tuple[str, str]]]:
        """The sentence of a mention's head, and parents and relations from its DEPS."""
        line = self.text.line_of(int(self._heads[mention]))
        written = decode(self._lines.cell(line, 8))
        links = [] if written == "_" else [link.partition(":") for link in written.split("|")]
        return self.text.sentence_at(line), frozenset((parent, name) for parent, _, name in links)
