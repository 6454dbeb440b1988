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
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import PurePath
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sameas.coref.document import (
    INITIAL,
    Bools,
    Bridge,
    Corpus,
    Document,
    Ints,
    Mention,
    Origin,
    node,
)
from sameas.coref.read.brackets import Ids, Items, Pairs, decode, name_codes, pair_items
from sameas.errors import InputError, Problem

__all__ = ["ConlluAnnotation", "ConlluText", "node_lines", "read_conllu"]

PART = 1 << 22  # bytes read at once, at least

_CELL = re.compile(rb"(?<=[\t|])(Entity)=([^|\t\n]*)")
_NEARLY = re.compile(rb"(?i:entity)\s*[=:(]")
_LINKS = re.compile(rb"(?<=[\t|])(SplitAnte|Split|Bridge)=([^|\t\n]*)")
_CHUNK = re.compile(rb"\(([^()]+)(\))?|([^()]+)\)|(.)")
_PIECE = re.compile(rb"(.+)\[(\d{1,4})/(\d{1,4})\]")
_ID = re.compile(rb"(\d{1,9})([-.])(\d{1,9})")
_COMMENT = re.compile(rb"#\s*(newdoc|global\.Entity|meta::[^=\s]+|genre|topic)\b\s*(.*)")
_NEWDOC = re.compile(rb"\n#\s*newdoc\b")

BLANK, COMMENT, WORD, EMPTY, RANGE, WRONG = range(6)
_ID_FIELDS = ("eid", "GRP")
_TYPE_FIELDS = ("etype", "entity")


def read_conllu(data: bytes, path: str = "", *, refuse: bool = True) -> Corpus:
    r"""Read the documents of a CoNLL-U file; unless `refuse`, wrong ones too, as far as it goes.

    >>> text = b"# newdoc id = a\n# global.Entity = eid-etype-head-other\n"
    >>> text += b"1\tAnn\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1-person-1-)\n\n"
    >>> read_conllu(text).documents
    [<Document 'a': 1 tokens, 1 mentions, 1 entities>]
    """
    problems: list[Problem] = []
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    if b"\r\n" in data:
        problems.append(Problem("lines end in CR LF", path, 1, 1, "read all the same", "warning"))
        data = data.replace(b"\r\n", b"\n")
    if data and not data.endswith(b"\n"):
        data += b"\n"
    reader = _Reader(path, problems)
    for part in _parts(data):
        reader.read(part)
    documents = reader.documents
    problems.sort(key=lambda problem: (problem.line, problem.column))
    if not any(document.text.token_count for document in documents) and not any(
        problem.severity == "error" for problem in problems
    ):
        hint = "each word has a line of ten columns that starts with its number"
        problems.append(Problem("no documents: there are no words", path, 1, 1, hint))
    if (refuse or not documents) and any(problem.severity == "error" for problem in problems):
        raise InputError(problems)
    return Corpus(documents, path, "conllu", problems)


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
        # How many empty nodes stand before each line.
        self.zeros = np.concatenate([np.zeros(1, np.int64), np.cumsum(self.kind == EMPTY)])

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


class _Reader:
    """Reads part after part; the fields of `Entity` and the open document go on."""

    def __init__(self, path: str, problems: list[Problem]) -> None:
        self.path, self.problems = path, problems
        self.documents: list[Document] = []
        self.fields: list[str] | None = None
        self.line = 0  # lines of the parts before

    def report(
        self, line: int, column: int, message: str, hint: str = "", severity: str = "error"
    ) -> None:
        place = (self.path, self.line + line + 1, column)
        self.problems.append(Problem(message, *place, hint, severity))

    def read(self, data: bytes) -> None:
        lines = _Lines(data)
        self._check_lines(lines)
        self._check_misc(lines)
        sentence = self._check_sentences(lines)
        is_word = lines.kind == WORD
        words = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(is_word)])
        regions = list(self._regions(lines))
        found = _find_brackets(lines, regions)
        for number, region in enumerate(regions):
            brackets = found.of(number) or _Brackets(self, lines, region)
            self._read_document(lines, region, words, sentence, brackets)
        self._read_links(lines, regions)
        self.line += len(lines.starts)

    def _check_lines(self, lines: _Lines) -> None:
        for line in np.flatnonzero(lines.kind == WRONG).tolist():
            text = lines[line]
            if not text.strip():
                self.report(line, 1, "a line of blanks", "an empty line ends a sentence")
            elif lines.tab_count[line] == 9:
                written = lines.cell(line, 0).decode("utf-8", "backslashreplace")
                hint = "a node is 7, an empty node 7.1, a range 7-8"
                self.report(line, 1, f"{written!r:.40} is not the number of a node", hint)
            else:
                count = int(lines.tab_count[line]) + 1
                few = "1 column" if count == 1 else f"{count} columns"
                hint = "columns are separated by one tab"
                self.report(line, 1, f"{few} where CoNLL-U has ten", hint)

    def _check_misc(self, lines: _Lines) -> None:
        """Brackets that stand where nobody reads them."""
        text = lines.bytes
        opening = np.flatnonzero(text == ord("("))
        bars = opening[text[opening - 1] == ord("|")]
        for line, column in self._in_misc(lines, bars):
            hint = "brackets of one node follow each other without a bar"
            self.report(line, column, "a bracket outside of Entity=", hint)
        last = np.flatnonzero((text | 0x20) == ord("y"))
        last = last[last >= 6]
        for back, byte in enumerate(b"titne", start=1):
            last = last[(text[last - back] | 0x20) == byte]
        start = last - 5
        read = (text[start] == ord("E")) & (text[last] == ord("y"))
        read &= (text[start - 1] == 9) | (text[start - 1] == ord("|"))
        read &= text[np.minimum(last + 1, len(text) - 1)] == ord("=")
        for line, column in self._in_misc(lines, start[~read]):
            found = _NEARLY.match(lines[line], column - 1)
            if found:
                hint = "an item of MISC is Entity=…, with a bar before it"
                message = f"{decode(found[0])} is not read"
                self.report(line, column, message, hint, "warning")

    @staticmethod
    def _in_misc(lines: _Lines, places: Ints) -> Iterator[tuple[int, int]]:
        """Line and column of the places that are in the last column of a node's line."""
        line = np.searchsorted(lines.starts, places, "right") - 1
        node_line = np.isin(lines.kind[line], (WORD, EMPTY))
        places, line = places[node_line], line[node_line]
        misc = places > lines.tabs[lines.first_tab[line] + 8]
        columns = places[misc] - lines.starts[line[misc]] + 1
        return zip(line[misc].tolist(), columns.tolist(), strict=True)

    def _check_sentences(self, lines: _Lines) -> Ints:
        """The number of each line's sentence; words must count 1, 2, 3 in it."""
        blank = lines.kind == BLANK
        block = np.cumsum(blank) - blank
        words = np.flatnonzero(lines.kind == WORD)
        sentence: Ints = np.searchsorted(
            np.unique(block[words]), block
        )  # blocks without words aside
        starts = np.searchsorted(sentence[words], sentence[words], "left")
        wanted = np.arange(len(words)) - starts + 1
        off = lines.number[words] != wanted
        # After the first wrong number the rest of the sentence is not worth a word.
        wrong, first = np.unique(sentence[words[off]], return_index=True)
        for line, number in zip(
            words[off][first].tolist(), wanted[off][first].tolist(), strict=True
        ):
            found = int(lines.number[line])
            hint = "an empty line is missing here" if found == 1 else "words count from 1"
            self.report(line, 1, f"word {number} is wanted here, not {found}", hint)
        self._check_odd_numbers(lines, sentence, set(wrong.tolist()))
        empty = np.flatnonzero(lines.kind == EMPTY)
        for line in empty[~np.isin(block[empty], block[words])].tolist():
            hint = "a sentence has words"
            self.report(line, 1, "an empty node in a sentence without words", hint)
        inside = np.flatnonzero((lines.kind == COMMENT) & ~blank)
        late = inside[inside > 0]
        for line in late[np.isin(lines.kind[late - 1], (WORD, EMPTY, RANGE))].tolist():
            hint = "an empty line ends a sentence; comments stand before it"
            self.report(line, 1, "a comment inside a sentence", hint, "warning")
        return sentence

    def _check_odd_numbers(self, lines: _Lines, sentence: Ints, wrong: set[int]) -> None:
        """Empty nodes count 3.1, 3.2 after word 3; ranges start with the next word."""
        words = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lines.kind == WORD)])
        before: tuple[int, int, int] = (-1, 0, 0)
        reached: dict[int, int] = defaultdict(int)
        for line in np.flatnonzero(np.isin(lines.kind, (EMPTY, RANGE))).tolist():
            number = int(sentence[line])
            if number in wrong:
                continue
            start = np.searchsorted(sentence, number)
            done = int(words[line] - words[start])
            major, minor = int(lines.number[line]), int(lines.minor[line])
            if lines.kind[line] == RANGE:
                stop = np.searchsorted(sentence, number, "right")
                size = int(words[stop] - words[start])
                if major != done + 1 or not major < minor <= size or done < reached[number]:
                    hint = "a range stands before its first word, and ranges do not overlap"
                    found = f"range {major}-{minor} after word {done} of {size}"
                    self.report(line, 1, found, hint, "warning")
                reached[number] = minor
                continue
            wanted = before[2] + 1 if before[:2] == (number, done) else 1
            if (major, minor) != (done, wanted):
                hint = "empty nodes after word 3 are 3.1, 3.2; before the first word 0.1"
                message = f"empty node {done}.{wanted} is wanted here, not {major}.{minor}"
                self.report(line, 1, message, hint)
            if minor >= INITIAL:
                hint = f"they are numbered from 1 to {INITIAL - 1}"
                self.report(line, 1, f"an empty node with number {minor}", hint)
            before = (number, done, minor)

    def _regions(self, lines: _Lines) -> Iterator[_Region]:
        """The documents of a part: from the comments that say `newdoc` to the next.

        What the comments in front of a document's first sentence say is said of it, in any order;
        the fields of `Entity` go on for the documents that follow.
        """
        blank = np.flatnonzero(lines.kind == BLANK)
        comments = np.flatnonzero(lines.kind == COMMENT)
        # Most say `sent_id` or `text`: nothing to look at.
        padded = np.append(lines.bytes, np.zeros(4, dtype=np.uint8))
        second, third, fourth = (padded[lines.starts[comments] + at] for at in (1, 2, 3))
        usual = (third == ord("s")) | ((third == ord("t")) & (fourth == ord("e")))
        comments = comments[(second != ord(" ")) | ~usual]
        found = [(line, _COMMENT.match(lines[line])) for line in comments.tolist()]
        said = [
            (line, decode(match[1]), decode(match[2]).strip()) for line, match in found if match
        ]
        starts: list[int] = []
        names: list[str] = []
        for line, key, value in said:
            if key == "newdoc":
                before = int(np.searchsorted(blank, line))
                start = int(blank[before - 1]) + 1 if before else 0
                if (lines.kind[start:line] != COMMENT).any():
                    hint = "an empty line is missing in front of it"
                    self.report(line, 1, "`newdoc` inside a sentence", hint)
                elif starts and starts[-1] == start:
                    hint = "a document begins once"
                    self.report(line, 1, "a second `newdoc` in front of one sentence", hint)
                else:
                    starts.append(start)
                    name = value.removeprefix("=").strip()
                    name = name.removeprefix("id").strip().removeprefix("=").strip()
                    names.append(name)
        nodes = np.flatnonzero(np.isin(lines.kind, (WORD, EMPTY)))
        if nodes.size and (not starts or nodes[0] < starts[0]):
            if starts:
                hint = "each document begins with `# newdoc id = name`"
                message = "words in front of the first `newdoc`: a document without a name"
                self.report(int(nodes[0]), 1, message, hint, "warning")
            starts.insert(0, 0)
            names.insert(0, "")
        elif starts:
            starts[0] = 0
        bounds = [*starts, len(lines.starts)]
        first = [
            int(nodes[at]) if at < len(nodes) else len(lines.starts)
            for at in np.searchsorted(nodes, starts).tolist()
        ]
        metas: list[dict[str, Any]] = [{} for _ in starts]
        fields: list[list[str] | None] = [None] * len(starts)
        known_before: list[list[str] | None] = [self.fields] * len(starts)
        for line, key, value in said:
            number = int(np.searchsorted(starts, line, "right")) - 1
            value = value.removeprefix("=").strip()
            if number < 0 or key == "newdoc":
                continue
            if key != "global.Entity":
                metas[number][key.removeprefix("meta::")] = value
                continue
            before_it = fields[number] or (known_before[number] if line > first[number] else None)
            if before_it and before_it != value.split("-"):
                hint = "brackets before it have other fields; a new document may have others"
                self.report(line, 1, "another `# global.Entity` inside a document", hint)
            elif fields[number] is None:
                fields[number] = self._schema(line, value)
                early = (
                    lines.data.find(
                        b"Entity=", int(lines.starts[first[number]]), int(lines.starts[line])
                    )
                    if line > first[number]
                    else -1
                )
                if early >= 0:
                    hint = "it stands in front of the first sentence"
                    self.report(line, 1, "`# global.Entity` after the first Entity=", hint)
                known_before[number + 1 :] = [fields[number]] * (len(starts) - number - 1)
        known = self.fields
        for number in range(len(starts)):
            known = fields[number] or known
            if first[number] >= bounds[number + 1]:
                message = f"document {names[number] or '(unnamed)'} has no words"
                hint = "the lines of its words are missing"
                self.report(starts[number], 1, message, hint, "warning")
            if not names[number] and number and starts[number]:
                hint = "documents are paired by name: # newdoc id = name"
                self.report(starts[number], 1, "`newdoc` without an id", hint, "warning")
            yield _Region(starts[number], bounds[number + 1], names[number], metas[number], known)
        self.fields = known

    def _schema(self, line: int, text: str) -> list[str]:
        fields = text.split("-")
        if len(set(fields)) < len(fields):
            self.report(line, 1, f"a field comes twice in {text!r:.60}", "name each once")
        if not any(name in fields for name in _ID_FIELDS):
            hint = "`# global.Entity = eid-etype-head-other` is the one of CorefUD 1.0"
            self.report(line, 1, f"no eid among the fields {text!r:.60}", hint)
            return ["eid", *fields]
        return fields

    def _read_links(self, lines: _Lines, regions: Sequence[_Region]) -> None:
        """Split antecedents and bridging, which few lines have."""
        if b"Split" not in lines.data and b"Bridge=" not in lines.data:
            return
        documents = self.documents[len(self.documents) - len(regions) :]
        starts = [region.start for region in regions]
        known = [set(document.entity_ids) for document in documents]
        broken = any(problem.severity == "error" for problem in self.problems)
        split: list[dict[str, tuple[str, ...]]] = [{} for _ in regions]
        bridging: list[list[Bridge]] = [[] for _ in regions]
        for found in _LINKS.finditer(lines.data):
            line = int(np.searchsorted(lines.starts, found.start(), "right")) - 1
            column = found.start() - int(lines.starts[line]) + 1
            if lines.kind[line] in (COMMENT, WRONG):
                continue
            if lines.kind[line] == RANGE or found.start() <= lines.tabs[lines.first_tab[line] + 8]:
                message = f"{decode(found[1])}= where it is no node's, outside MISC or at a range"
                self.report(line, column, message, "passed over", "warning")
                continue
            number = int(np.searchsorted(starts, line, "right")) - 1
            for item in decode(found[2]).split(","):
                antecedent, sign, anaphor = item.partition("<")
                anaphor, _, relation = anaphor.partition(":")
                if not sign or not antecedent or not anaphor or "<" in anaphor:
                    hint = "split antecedents and bridging are written antecedent<anaphor"
                    self.report(line, column, f"{item!r:.60} is not a link", hint)
                elif antecedent == anaphor:
                    hint = "another entity is its antecedent"
                    self.report(line, column, f"{item!r:.60} links an entity to itself", hint)
                elif not broken and not {antecedent, anaphor} <= known[number]:
                    hint = "an entity is what brackets of the document name; kept as it is"
                    message = f"{item!r:.60} links an entity that is not there"
                    self.report(line, column, message, hint, "warning")
                if not sign or not antecedent or not anaphor or "<" in anaphor:
                    continue
                if found[1] == b"Bridge":
                    bridging[number].append(Bridge(anaphor, antecedent, relation))
                else:
                    before = split[number].get(anaphor, ())
                    split[number][anaphor] = (*before, antecedent)
        for document, members, links in zip(documents, split, bridging, strict=True):
            document.split_antecedents, document.bridging = members, links

    def _read_document(
        self,
        lines: _Lines,
        region: _Region,
        words: Ints,
        sentence: Ints,
        brackets: _Brackets | _Columns,
    ) -> None:
        start, stop = region.start, region.stop
        name = region.name
        unnamed = not name
        if unnamed:
            stem = PurePath(self.path).name.split(".")[0] or "document"
            name = stem if not self.documents else f"{stem} ({len(self.documents) + 1})"
        line_offset = self.line
        text = ConlluText(lines, start, stop, line_offset, words, sentence)
        first = words[brackets.opened] - words[start]
        last = words[brackets.closed + 1] - words[start] - 1
        special = _specials(lines, brackets, words, start)
        for number in np.flatnonzero(
            sentence[brackets.opened] != sentence[brackets.closed]
        ).tolist():
            line = int(brackets.opened[number])
            hint = "read all the same; CorefUD has no such mentions"
            column = text.place_of_line(line)[1]
            self.report(line, column, "a mention reaches over a sentence", hint, "warning")
        for number, mention in special.items():
            first[number], last[number] = mention.hull
        annotation = ConlluAnnotation(
            text,
            _Openings(lines, brackets.text_start, brackets.text_stop),
            region.fields or [],
            (first, last),
            special,
            brackets.opened,
            self.path,
        )
        document = Document.from_columns(
            name,
            first,
            last,
            brackets.entity,
            brackets.ids,
            text=text,
            meta=region.meta,
            origin=Origin(self.path, line_offset + start + 1, unnamed=unnamed),
            special=special,
            annotation=annotation,
        )
        self.documents.append(document)


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


class _Found(NamedTuple):
    """The mentions of all regular documents of a part."""

    items: Items
    pairs: Pairs
    text_start: Ints
    text_stop: Ints
    irregular: Bools
    mention_bounds: Ints  # where the mentions and entities of each document begin
    entity_bounds: Ints

    def of(self, document: int) -> _Columns | None:
        """Those of one document; None if it has to be looked at one by one."""
        if self.irregular[document]:
            return None
        low, high = self.mention_bounds[document : document + 2].tolist()
        opened, closed = self.pairs.opened[low:high], self.pairs.closed[low:high]
        first, stop = self.entity_bounds[document : document + 2].tolist()
        ids = Ids(self.items.id[self.pairs.appears[first:stop]], self.items.names)
        return _Columns(
            self.items.token[opened],
            self.items.token[closed],
            self.pairs.entity[opened] - first,
            ids,
            self.text_start[opened],
            self.text_stop[opened],
            {},
        )


def _find_brackets(lines: _Lines, regions: Sequence[_Region]) -> _Found:
    """Cut all `Entity` cells into brackets; mark documents with anything out of the ordinary."""
    text = lines.bytes
    equals = np.flatnonzero(text == ord("="))
    equals = equals[equals >= 7]
    for back, byte in enumerate(b"ytitnE", start=1):
        equals = equals[text[equals - back] == byte]
    equals = equals[(text[equals - 7] == 9) | (text[equals - 7] == ord("|"))]
    line = np.searchsorted(lines.starts, equals, "right") - 1
    home = np.searchsorted([region.start for region in regions], line, "right") - 1
    irregular = np.array(
        [not region.fields or region.fields[0] not in _ID_FIELDS for region in regions],
        dtype=np.bool_,
    )
    if not regions:
        home, line, equals = home[:0], line[:0], equals[:0]
    node_line = np.isin(lines.kind[line], (WORD, EMPTY))
    misc = np.zeros(len(line), dtype=np.bool_)
    misc[node_line] = equals[node_line] > lines.tabs[lines.first_tab[line[node_line]] + 8]
    comment = lines.kind[line] == COMMENT
    irregular[home[~misc & ~comment]] = True
    line, home, equals = line[misc], home[misc], equals[misc]
    irregular[home[1:][line[1:] == line[:-1]]] = True
    ends = np.flatnonzero((text == 10) | (text == ord("|")) | (text == 9))
    start, stop = equals + 1, ends[np.searchsorted(ends, equals)]

    lengths = stop - start
    irregular[home[lengths == 0]] = True
    offsets = np.cumsum(lengths) - lengths
    cell_of = np.repeat(np.arange(len(lengths)), lengths)
    cells = text[np.repeat(start - offsets, lengths) + np.arange(len(cell_of))]
    mark = (cells == ord("(")) | (cells == ord(")"))
    edge = np.ones(len(cells) + 1, dtype=np.bool_)
    edge[1:-1] = cell_of[1:] != cell_of[:-1]
    before = np.concatenate([np.zeros(1, np.uint8), cells[:-1]])
    before[edge[:-1]] = 0
    after = np.append(cells[1:], np.uint8(0))
    after[edge[1:]] = 0
    is_mark = np.zeros(256, dtype=np.bool_)
    is_mark[[ord("("), ord(")")]] = True
    run = np.flatnonzero(~mark & (edge[:-1] | is_mark[before]))
    run_stop = np.flatnonzero(~mark & (edge[1:] | is_mark[after])) + 1
    cell = cell_of[run]
    opens = before[run] == ord("(")
    closes = after[run_stop - 1] == ord(")")
    bad = [cell[~(opens | closes)]]
    for byte, used in ((ord("("), opens), (ord(")"), closes)):
        marks = np.bincount(cell_of[cells == byte], minlength=len(lengths))
        bad.append(np.flatnonzero(marks != np.bincount(cell[used], minlength=len(lengths))))

    dashes = np.append(np.flatnonzero(cells == ord("-")), len(cells))
    id_stop = np.minimum(dashes[np.searchsorted(dashes, run)], run_stop)
    bad.append(cell[~opens & (id_stop < run_stop)])  # a closing bracket has the id alone
    bad.append(cell[(id_stop == run) | (cells[np.maximum(id_stop - 1, 0)] == ord("]"))])
    bad.append(cell_of[cells == 0])
    irregular[home[np.concatenate(bad)]] = True
    kind = np.where(opens & closes, 0, np.where(opens, 1, 2)).astype(np.int64)
    regular = ~irregular[home[cell]]
    run, run_stop, id_stop = run[regular], run_stop[regular], id_stop[regular]
    cell, kind = cell[regular], kind[regular]
    id, names = name_codes(cells, run, id_stop)
    items = Items(home[cell], line[cell], kind, id, names)
    pairs = pair_items(items, irregular)
    order = np.argsort(pairs.opened, kind="stable")
    pairs = pairs._replace(opened=pairs.opened[order], closed=pairs.closed[order])
    shift = start[cell] - offsets[cell]
    numbers = np.arange(len(regions) + 1)
    return _Found(
        items,
        pairs,
        run + shift,
        run_stop + shift,
        irregular,
        np.searchsorted(items.document[pairs.opened], numbers),
        np.searchsorted(items.document[pairs.appears], numbers),
    )


class _Openings:
    """What is written in the opening brackets of a document, field by field."""

    def __init__(self, lines: _Lines, starts: Ints, stops: Ints) -> None:
        self.lines, self.starts, self.stops = lines, starts, stops

    def texts(self) -> list[bytes]:
        """The whole of each."""
        data = self.lines.data
        return [
            data[start:stop]
            for start, stop in zip(self.starts.tolist(), self.stops.tolist(), strict=True)
        ]

    def field(self, number: int, last: bool) -> tuple[Ints, Ints]:
        """Where one field of each starts and stops; the last one may have dashes in it."""
        dashes = self.lines.dashes
        before = np.searchsorted(dashes, self.starts)
        inside = np.searchsorted(dashes, self.stops) - before
        ends, most = dashes, len(dashes) - 1
        start = self.starts
        if number:
            there = ends[np.minimum(before + number - 1, most)] + 1
            start = np.where(number <= inside, there, self.stops)
        stop = np.where(number < inside, ends[np.minimum(before + number, most)], self.stops)
        return start, self.stops if last else stop


class _Brackets:
    """The mentions of one document, bracket by bracket, with what is wrong with them."""

    def __init__(self, reader: _Reader, lines: _Lines, region: _Region) -> None:
        self.reader, self.lines = reader, lines
        self.id_field = 0
        fields = region.fields
        if fields:
            self.id_field = next(fields.index(name) for name in _ID_FIELDS if name in fields)
        self.numbers: dict[bytes, int] = {}  # entities
        self._entity: list[int] = []
        self._text: list[tuple[int, int]] = []
        self.pieces: dict[int, list[tuple[int, int]]] = {}  # of discontinuous mentions
        self._opened: list[int] = []
        self._closed: list[int] = []
        self._totals: dict[int, int] = {}
        self._stacks: dict[bytes, list[int]] = {}
        self._unfinished: dict[bytes, list[int]] = {}  # discontinuous mentions
        self._columns: dict[int, int] = {}
        data = lines.data
        low, high = int(lines.starts[region.start]), int(lines.stops[region.stop - 1])
        cells = list(_CELL.finditer(data, low, high))
        places = np.array([cell.start() for cell in cells], dtype=np.int64)
        where = np.searchsorted(lines.starts, places, "right") - 1
        columns = places - lines.starts[where] + 1
        kinds = lines.kind[where]
        # Of lines with ten columns, the cell must be in the last.
        counted = (kinds != COMMENT) & (kinds != WRONG)
        misc = np.zeros(len(cells), dtype=np.bool_)
        misc[counted] = places[counted] > lines.tabs[lines.first_tab[where[counted]] + 8]
        before = -1
        for cell, line, column, kind, inside in zip(
            cells, where.tolist(), columns.tolist(), kinds.tolist(), misc.tolist(), strict=True
        ):
            if inside and kind != RANGE and fields is not None:
                if line == before:
                    hint = "join the brackets in one"
                    reader.report(line, column, "a second Entity= at one node", hint)
                self._read_cell(line, column + 7, cell[2])
                before = line
            elif kind in (COMMENT, WRONG):
                continue
            elif not inside:
                self._odd(line, column, f"{cell[1].decode()}= outside the MISC column")
            elif kind == RANGE:
                self._odd(line, column, f"{cell[1].decode()}= at a range of words, not at a node")
            else:
                hint = "`# global.Entity = eid-etype-head-other` tells the fields apart"
                reader.report(line, column, "Entity= before any `# global.Entity` line", hint)
                break
        self._check_open()
        self.entity = np.array(self._entity, dtype=np.int64)
        self.ids = [decode(id) for id in self.numbers]
        text = np.array(self._text, dtype=np.int64).reshape(-1, 2)
        self.text_start, self.text_stop = text[:, 0], text[:, 1]
        self.opened = np.array(self._opened, dtype=np.int64)
        self.closed = np.array(self._closed, dtype=np.int64)
        for number in self.pieces:
            self.opened[number] = self.pieces[number][0][0]
            self.closed[number] = self.pieces[number][-1][1]

    def _odd(self, line: int, column: int, message: str) -> None:
        self.reader.report(line, column, message, "passed over", "warning")

    def _read_cell(self, line: int, column: int, text: bytes) -> None:
        if not text:
            self.reader.report(line, column, "nothing after Entity=", "leave it out")
        base = int(self.lines.starts[line]) + column - 1
        for chunk in _CHUNK.finditer(text):
            opening, closed, closing, _ = chunk.groups()
            at = column + chunk.start()
            if opening:
                self._open(line, at, base + chunk.start(1), opening, bool(closed))
            elif closing:
                self._close(line, at, closing)
            else:
                hint = "a mention is opened as (e5-person-1- and closed as e5)"
                self.reader.report(line, at, f"no bracket belongs to it: {decode(text):.60}", hint)
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
                hint = "pieces are numbered [1/2], [2/2]"
                self.reader.report(line, column, f"{decode(text):.40} is no piece", hint)
                return
        if not id:
            hint = "the id is one of the fields"
            self.reader.report(line, column, f"no entity in ({decode(text):.40}", hint)
            return
        if piece > 1:
            waiting = [
                number
                for number in self._unfinished.get(id, [])
                if len(self.pieces[number]) == piece - 1
                and self._totals[number] == total
                and self.pieces[number][-1][1] >= 0
            ]
            if len(waiting) != 1:
                message = f"piece {piece} of {total} of {decode(id)}"
                message += (
                    f", and no piece {piece - 1} before it"
                    if not waiting
                    else (f", and {len(waiting)} mentions wait for it")
                )
                self.reader.report(line, column, message, "pieces are numbered [1/2], [2/2]")
                return
            number = waiting[0]
            self.pieces[number].append((line, line if closed else -1))
            if piece == total:
                self._unfinished[id].remove(number)
        else:
            number = len(self._entity)
            self._entity.append(self.numbers.setdefault(id, len(self.numbers)))
            self._text.append((at, at + len(text)))
            self._opened.append(line)
            self._closed.append(line)
            if piece:
                self.pieces[number] = [(line, line if closed else -1)]
                self._totals[number] = total
                if total > 1:
                    self._unfinished.setdefault(id, []).append(number)
        if not closed:
            self._columns[number] = column
            self._stacks.setdefault(id, []).append(number)

    def _close(self, line: int, column: int, text: bytes) -> None:
        id = self._id(text, False)
        found = _PIECE.fullmatch(id) if id.endswith(b"]") else None
        id = found[1] if found else id
        stack = self._stacks.get(id)
        if not stack:
            hint = f"open it at its first word: ({decode(id)}-…"
            self.reader.report(line, column, f"{decode(id)} is closed and was not opened", hint)
            return
        number = stack.pop()
        open_piece = (len(self.pieces.get(number, ())), self._totals.get(number, 0))
        if found and open_piece != (int(found[2]), int(found[3])):
            hint = "of one entity, the bracket that was opened last is closed first"
            message = f"{decode(text):.40} is closed, and what is open is another piece"
            self.reader.report(line, column, message, hint)
        if number in self.pieces:
            self.pieces[number][-1] = (self.pieces[number][-1][0], line)
        else:
            self._closed[number] = line

    def _check_open(self) -> None:
        for id, stack in self._stacks.items():
            for number in stack:
                line = self.pieces[number][-1][0] if number in self.pieces else self._opened[number]
                shown = decode(id)
                hint = f"close it at its last word: {shown})"
                self.reader.report(line, self._columns[number], f"{shown} is never closed", hint)
                if number in self.pieces:
                    self.pieces[number][-1] = (line, line)
        for number, pieces in self.pieces.items():
            if len(pieces) < self._totals[number]:
                shown = list(self.numbers)[self._entity[number]].decode("utf-8", "backslashreplace")
                message = f"{shown} has {self._totals[number]} pieces, and only {len(pieces)} found"
                line = pieces[-1][0]
                column = self.lines[line].find(b"Entity=") + 1
                self.reader.report(line, column, message, "pieces are numbered [1/2], [2/2]")


def _specials(
    lines: _Lines, brackets: _Brackets | _Columns, words: Ints, start: int
) -> dict[int, Mention]:
    """The mentions of several pieces, and those with empty nodes in them."""
    zeros = lines.zeros
    odd = set(np.flatnonzero(zeros[brackets.closed + 1] > zeros[brackets.opened]).tolist())
    special: dict[int, Mention] = {}
    for number in sorted(odd | set(brackets.pieces)):
        pieces = brackets.pieces.get(number) or [
            (int(brackets.opened[number]), int(brackets.closed[number]))
        ]
        spans: list[tuple[int, int]] = []
        inside: list[tuple[int, int]] = []
        for low, high in pieces:
            first, last = int(words[low] - words[start]), int(words[high + 1] - words[start]) - 1
            if spans and spans[-1][1] == first - 1:
                spans[-1] = (spans[-1][0], max(last, spans[-1][1]))
            elif last >= first:
                spans.append((first, last))
            for line in (low + np.flatnonzero(lines.kind[low : high + 1] == EMPTY)).tolist():
                before = int(words[line] - words[start])
                initial = INITIAL if lines.number[line] == 0 else 0
                inside.append((before, int(lines.minor[line]) + initial))
        mention = Mention(tuple(spans), tuple(inside))
        if len(spans) != 1 or inside:
            special[number] = mention
    return special


class ConlluText:
    """The lines of one document, read when somebody asks for the words."""

    written_as = "conllu"

    def __init__(
        self, lines: _Lines, start: int, stop: int, before: int, words: Ints, sentence: Ints
    ) -> None:
        self._lines, self._start, self._stop, self._before = lines, start, stop, before
        self.token_count: int = int(words[stop] - words[start])
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

    def cell(self, line: int, column: int) -> bytes:
        """One column of a line of the part."""
        return self._lines.cell(line, column)

    def sentence_at(self, line: int) -> int:
        """The number, in the document, of the sentence of a line of the part."""
        first = int(self._sentence[self._start])
        return int(self._sentence[line]) - first

    def line_of(self, place: int) -> int:
        """The line of a node."""
        before, number = place >> 16, place & 0xFFFF
        if not number:
            return int(self.word_lines[before - 1])
        initial = number >= INITIAL
        low = int(self.word_lines[before - 1]) if before else self._start
        high = int(self.word_lines[before]) if before < self.token_count else self._stop
        kinds = self._lines.kind[low:high]
        for line in (low + np.flatnonzero(kinds == EMPTY)).tolist():
            found = (int(self._lines.number[line]) == 0, int(self._lines.minor[line]))
            if found == (initial, number - INITIAL * initial):
                return line
        return low

    def sentences(self) -> tuple[tuple[str, ...], ...]:
        """The words, sentence by sentence."""
        forms = decode(self.forms).split("\t")[:-1]
        breaks = np.flatnonzero(np.diff(self.sentence_of)) + 1
        bounds = [0, *breaks.tolist(), len(forms)]
        return tuple(
            tuple(forms[low:high]) for low, high in itertools.pairwise(bounds) if high > low
        )

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
        line = int(self.word_lines[token])
        return self.place_of_line(line)

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
            initial = INITIAL if lines.number[line] == 0 else 0
            yield line - text._start, node((words, int(lines.minor[line]) + initial))
        else:
            yield line - text._start, None


class ConlluAnnotation:
    """What the brackets of one document say beyond their places."""

    def __init__(
        self,
        text: ConlluText,
        openings: _Openings,
        fields: Sequence[str],
        spans: tuple[Ints, Ints],
        special: dict[int, Mention],
        opened: Ints,
        path: str,
    ) -> None:
        self.text, self.fields = text, fields
        self._openings = openings
        self._first, self._last = spans
        self._special, self._opened, self._path = special, opened, path

    @property
    def texts(self) -> list[bytes]:
        """What is written in the opening bracket of each mention."""
        return self._openings.texts()

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
        sizes = self._last - self._first + 1
        for number, mention in self._special.items():
            sizes[number] = mention.size
        return ~self._stated & (sizes > 1)

    def stated_heads(self) -> Ints | None:
        """The annotated heads, -1 where a mention has none; None if no mention has one."""
        return np.where(self._unstated, -1, self._heads) if self._stated.any() else None

    def column(self, name: str) -> list[str]:
        """One field of every mention; empty where it is left out."""
        data = self._openings.lines.data
        starts, stops = self._field(name)
        return [
            decode(data[start:stop])
            for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)
        ]

    def _field(self, name: str) -> tuple[Ints, Ints]:
        return self._openings.field(self.fields.index(name), name == self.fields[-1])

    def _node(self, number: int, index: int) -> int:
        """The node that is number `index` of a mention, from 1; -1 if it has not so many."""
        if number in self._special:
            nodes = self._special[number].nodes
            return nodes[index - 1] if 1 <= index <= len(nodes) else -1
        return node(int(self._first[number]) + index - 1)

    @cached_property
    def _heads(self) -> Ints:
        heads = (self._first + 1) << 16
        for number in self._special:
            heads[number] = self._special[number].nodes[0]
        if self.assumed:
            return heads
        starts, stops = self._field("head")
        index = np.ones(len(heads), dtype=np.int64)
        text = self._openings.lines.bytes
        one = np.flatnonzero(stops - starts == 1)  # nearly all are one digit
        index[one] = text[starts[one]].astype(np.int64) - ord("0")
        odd = np.flatnonzero((stops - starts > 1) | (index < 1) | (index > 9))
        data = self._openings.lines.data
        for number in odd.tolist():
            value = data[starts[number] : stops[number]]
            index[number] = int(value) if value.isdigit() and len(value) < 10 else 0
        sizes = self._last - self._first + 1
        heads += (index - 1) << 16
        for number, mention in self._special.items():
            sizes[number] = mention.size
            if 1 <= index[number] <= mention.size:
                heads[number] = mention.nodes[int(index[number]) - 1]
        problems = []
        for number in np.flatnonzero((index < 1) | (index > sizes)).tolist():
            written = decode(data[starts[number] : stops[number]])
            hint = "the head is the number of a word of the mention, from 1"
            problems.append(self._not_in(number, f"head {written:.20}", hint))
        if problems:
            raise InputError(problems)
        return heads

    def _not_in(self, number: int, what: str, hint: str) -> Problem:
        """What is wrong with a field that has numbers of words of its mention."""
        line, column = self.text.place_of_line(int(self._opened[number]))
        message = f"{what} of a mention of {self._size(number)} words"
        return Problem(message, self._path, line, column, hint)

    def _size(self, number: int) -> int:
        if number in self._special:
            return self._special[number].size
        return int(self._last[number] - self._first[number]) + 1

    def heads(self) -> Ints:
        """The node that is each mention's head; the first where none is annotated."""
        return self._heads

    def minima(self) -> Sequence[Sequence[int]] | None:
        """The nodes of GUM's `minspan`; None if there is no such field."""
        if "minspan" not in self.fields:
            return None
        return self._minima

    @cached_property
    def _minima(self) -> list[list[int]]:
        found: list[list[int]] = []
        problems = []
        for number, value in enumerate(self.column("minspan")):
            parts = value.split(",") if value else []
            indexes = [int(part) if part.isascii() and part.isdigit() else 0 for part in parts]
            if all(1 <= index <= self._size(number) for index in indexes):
                found.append([self._node(number, index) for index in indexes])
                continue
            hint = "the minimum span is numbers of words of the mention, from 1"
            problems.append(self._not_in(number, f"minspan {value:.20}", hint))
        if problems:
            raise InputError(problems)
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
        for number, head in enumerate(heads.tolist()):
            if head & 0xFFFF:
                kinds.append("zero")
                continue
            tag = tags[(head >> 16) - 1]
            alone = self._size(number) == 1
            kinds.append(
                "" if tag == b"_"
                else "name" if tag == b"PROPN"
                else "pronoun" if tag == b"PRON" or (tag == b"DET" and alone)
                else "nominal"
            )  # fmt: skip
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
        written = self.text.cell(line, 8).decode("utf-8", "backslashreplace")
        links = [] if written == "_" else [link.partition(":") for link in written.split("|")]
        return self.text.sentence_at(line), frozenset((parent, name) for parent, _, name in links)
