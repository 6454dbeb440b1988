"""CoNLL-U files with coreference in the MISC column, as in CorefUD 1.x and GUM.

Each line has ten columns. It is a word `7`, an empty node `7.1`, or a range `7-8`, which is not a
node. Brackets in `Entity=` open and close mentions: `(e5-person-1-` … `e5)`; `# global.Entity`
names the fields between the dashes. Pieces of a discontinuous mention are numbered,
`(e5[1/2]-person-1-)`.

Lines and brackets are found and checked by array operations over a few megabytes at once; only
irregular documents are read bracket by bracket. Heads, types and other annotation are read on
access. A document keeps its lines, so that writing it preserves everything that was read.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sameas.arithmetic.arrays import Ints
from sameas.documents.document import Corpus, Document
from sameas.documents.mentions import INITIAL, Bridge, Mention, Origin
from sameas.formats.brackets import Items, byte_set, cut_cells, decode, name_codes, pair_items
from sameas.formats.common import Reporter
from sameas.formats.conllu.annotation import ID_FIELDS, ConlluAnnotation, ConlluMentions
from sameas.formats.conllu.items import BracketReader, find_cells
from sameas.formats.conllu.text import ConlluLines, ConlluText, find_endings

__all__ = ["read_conllu"]

PART = 1 << 22  # minimum number of bytes read at once

_NEARLY = re.compile(rb"(?i:entity)\s*[=:(]")
_LINKS = re.compile(rb"(?<=[\t|])(SplitAnte|Split|Bridge)=([^|\t\n]*)")
_COMMENT = re.compile(rb"#\s*(newdoc|global\.Entity|meta::[^=\s]+|genre|topic)\b\s*(.*)")
_NEWDOC = re.compile(rb"\n#\s*newdoc\b")

_MARK = byte_set(b"()")


def read_conllu(data: bytes, path: str = "", *, refuse: bool = True) -> Corpus:
    r"""Read the documents of a CoNLL-U file.

    Unless `refuse`, return whatever can be read from invalid ones.

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
    """Yield parts of a few megabytes, split between documents."""
    start = 0
    while start < len(data):
        found = _NEWDOC.search(data, start + PART)
        stop = data.rfind(b"\n\n", start, found.start() + 1) + 2 if found else len(data)
        if stop < start + 2:  # no blank line before it
            stop = len(data)
        yield data[start:stop]
        start = stop


class _Reader(Reporter):
    """A reader of the parts of a file, in order; the fields of `Entity` carry over."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.documents: list[Document] = []
        self.fields: list[str] | None = None

    def read(self, data: bytes) -> None:
        lines = ConlluLines(data)
        self._check_lines(lines)
        self._check_misc(lines)
        sentence = self._check_sentences(lines)
        regions = self._regions(lines)
        brackets = [
            found or BracketReader(self, lines, region.fields).read(region.start, region.stop)
            for region, found in zip(regions, _find_brackets(lines, regions), strict=True)
        ]
        self._read_links(lines, regions, brackets)
        for region, mentions in zip(regions, brackets, strict=True):
            self._add_document(lines, region, sentence, mentions)
        self.before += len(lines.starts)

    def _check_lines(self, lines: ConlluLines) -> None:
        for line in np.flatnonzero(lines.kind == lines.WRONG).tolist():
            if not lines[line].strip():
                self.error(line, 1, "blank-line")
            elif lines.tab_count[line] == 9:
                self.error(line, 1, "node-number", value=decode(lines.cell(line, 0)))
            else:
                self.error(line, 1, "conllu-columns", count=int(lines.tab_count[line]) + 1)

    def _check_misc(self, lines: ConlluLines) -> None:
        """Report brackets in places where they are not read."""
        text = lines.bytes
        opening = np.flatnonzero(text == ord("("))
        for line, column in _nodes_misc(lines, opening[text[opening - 1] == ord("|")]):
            self.error(line, column, "stray-bracket")
        last = find_endings(text, np.flatnonzero((text | 0x20) == ord("y")), b"entity", 0x20)
        start = last - 5
        read = (text[start] == ord("E")) & (text[last] == ord("y"))
        read &= (text[start - 1] == 9) | (text[start - 1] == ord("|"))
        read &= text[np.minimum(last + 1, len(text) - 1)] == ord("=")
        for line, column in _nodes_misc(lines, start[~read]):
            found = _NEARLY.match(lines[line], column - 1)
            if found:
                self.warn(line, column, "unread-item", item=decode(found[0]))

    def _check_sentences(self, lines: ConlluLines) -> Ints:
        """Return the index of each line's sentence; report wrong numbers and misplaced lines."""
        blank = lines.kind == lines.BLANK
        block = np.cumsum(blank) - blank
        words = np.flatnonzero(lines.kind == lines.WORD)
        # Blocks without words are not sentences.
        sentence: Ints = np.searchsorted(np.unique(block[words]), block)
        starts = np.searchsorted(sentence[words], sentence[words], "left")
        expected = np.arange(len(words)) - starts + 1
        off = lines.number[words] != expected
        # Report only the first wrong number of a sentence.
        wrong, first = np.unique(sentence[words[off]], return_index=True)
        for line, number in zip(
            words[off][first].tolist(), expected[off][first].tolist(), strict=True
        ):
            found = int(lines.number[line])
            how = "break" if found == 1 else "conllu"
            self.error(line, 1, "word-number", how=how, expected=number, found=found)
        self._check_odd_numbers(lines, sentence, set(wrong.tolist()))
        empty = np.flatnonzero(lines.kind == lines.EMPTY)
        for line in empty[~np.isin(block[empty], block[words])].tolist():
            self.error(line, 1, "wordless-zero")
        late = np.flatnonzero(lines.kind == lines.COMMENT)
        late = late[late > 0]
        before = lines.kind[late - 1]
        for line in late[lines.is_node(late - 1) | (before == lines.RANGE)].tolist():
            self.warn(line, 1, "late-comment")
        return sentence

    def _check_odd_numbers(self, lines: ConlluLines, sentence: Ints, wrong: set[int]) -> None:
        """Check that empty nodes are numbered in order, and that ranges start at the next word."""
        before: tuple[int, int, int] = (-1, 0, 0)
        reached: dict[int, int] = defaultdict(int)
        for line in np.flatnonzero(np.isin(lines.kind, (lines.EMPTY, lines.RANGE))).tolist():
            number = int(sentence[line])
            if number in wrong:
                continue
            start = np.searchsorted(sentence, number)
            done = int(lines.words[line] - lines.words[start])
            major, minor = int(lines.number[line]), int(lines.minor[line])
            if lines.kind[line] == lines.RANGE:
                stop = np.searchsorted(sentence, number, "right")
                size = int(lines.words[stop] - lines.words[start])
                if major != done + 1 or not major < minor <= size or done < reached[number]:
                    written = f"{major}-{minor}"
                    self.warn(line, 1, "range-place", range=written, word=done, count=size)
                reached[number] = minor
                continue
            expected = before[2] + 1 if before[:2] == (number, done) else 1
            if (major, minor) != (done, expected):
                due, found = f"{done}.{expected}", f"{major}.{minor}"
                self.error(line, 1, "zero-number", how="conllu", expected=due, found=found)
            if minor >= INITIAL:
                self.error(line, 1, "zero-too-large", number=minor, most=INITIAL - 1)
            before = (number, done, minor)

    def _regions(self, lines: ConlluLines) -> list[_Region]:
        """Return the documents of a part; each begins with the comments around its `newdoc`.

        The comments before a document's first sentence describe it, in any order. The fields of
        `Entity` also apply to the documents that follow.
        """
        comments = _comments(lines)
        names = self._starts(lines, comments)
        nodes = np.append(np.flatnonzero(lines.is_node(slice(None))), len(lines.starts))
        places = [line for line, _, _ in comments]
        regions = []
        for number, (start, stop) in enumerate(itertools.pairwise([*names, len(lines.starts)])):
            first = int(nodes[np.searchsorted(nodes, start)])
            own = comments[bisect_left(places, start) : bisect_left(places, stop)]
            meta = self._read_comments(lines, own, first)
            name = names[start]
            if first >= stop:
                named = {"document": name} if name else {"how": "unnamed"}
                self.warn(start, 1, "wordless-document", **named)
            if not name and number and start:
                self.warn(start, 1, "newdoc-unnamed")
            regions.append(_Region(start, stop, name, meta, self.fields))
        return regions

    def _read_comments(
        self, lines: ConlluLines, comments: Sequence[_Comment], first: int
    ) -> dict[str, Any]:
        """Store the fields of `Entity`, and return the metadata.

        `first` is the line of the first node.
        """
        meta: dict[str, Any] = {}
        fields: list[str] | None = None
        for line, key, value in comments:
            if key == "newdoc":
                continue
            if key != "global.Entity":
                meta[key.removeprefix("meta::")] = value
                continue
            before = fields or (self.fields if line > first else None)
            if before and before != value.split("-"):
                self.error(line, 1, "other-fields")
            elif fields is None:
                fields = self._schema(line, value)
                low, high = lines.starts[min(first, line)], lines.starts[line]
                if lines.data.find(b"Entity=", int(low), int(high)) >= 0:
                    self.error(line, 1, "late-fields")
        self.fields = fields or self.fields
        return meta

    def _starts(self, lines: ConlluLines, comments: Sequence[_Comment]) -> dict[int, str]:
        """Return the names of documents, keyed by the lines at which they begin."""
        blank = np.flatnonzero(lines.kind == lines.BLANK)
        names: dict[int, str] = {}
        for line, key, value in comments:
            if key != "newdoc":
                continue
            before = int(np.searchsorted(blank, line))
            start = int(blank[before - 1]) + 1 if before else 0
            if (lines.kind[start:line] != lines.COMMENT).any():
                self.error(line, 1, "newdoc-inside")
            elif start in names:
                self.error(line, 1, "newdoc-twice")
            else:
                names[start] = value.removeprefix("id").strip().removeprefix("=").strip()
        nodes = np.flatnonzero(lines.is_node(slice(None)))
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
        if not any(name in fields for name in ID_FIELDS):
            self.error(line, 1, "no-eid", fields=text)
            return ["eid", *fields]
        return fields

    def _read_links(
        self, lines: ConlluLines, regions: Sequence[_Region], brackets: Sequence[ConlluMentions]
    ) -> None:
        """Add the split antecedents and bridging links, which few files have, to the documents."""
        if b"Split" not in lines.data and b"Bridge=" not in lines.data:
            return
        starts = [region.start for region in regions]
        known = [] if self.refused else [set(found.ids) for found in brackets]
        for line, column, cell in find_cells(self, lines, _LINKS, 0, len(lines.data)):
            number = bisect_right(starts, line) - 1
            split, bridging = regions[number].split, regions[number].bridging
            for item in decode(cell[2]).split(","):
                link = self._read_link(line, column, item, known[number] if known else None)
                if link and cell[1] == b"Bridge":
                    bridging.append(link)
                elif link:
                    split[link.anaphor] = (*split.get(link.anaphor, ()), link.antecedent)

    def _read_link(
        self, line: int, column: int, item: str, known: set[str] | None
    ) -> Bridge | None:
        """Read a link such as `e1<e2:relation`; None if it is malformed.

        `known` are the entities of the document; None if the file has errors.
        """
        antecedent, sign, rest = item.partition("<")
        anaphor, _, relation = rest.partition(":")
        if not sign or not antecedent or not anaphor or "<" in anaphor:
            self.error(line, column, "not-a-link", item=item)
            return None
        if antecedent == anaphor:
            self.error(line, column, "link-to-itself", item=item)
        elif known is not None and not {antecedent, anaphor} <= known:
            self.warn(line, column, "link-unknown", item=item)
        return Bridge(anaphor, antecedent, relation)

    def _add_document(
        self, lines: ConlluLines, region: _Region, sentence: Ints, found: ConlluMentions
    ) -> None:
        start = region.start
        text = ConlluText(lines, start, region.stop, self.before, sentence)
        first = lines.words[found.opened] - lines.words[start]
        last = lines.words[found.closed + 1] - lines.words[start] - 1
        special = _specials(text, lines.zeros, found)
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
            split_antecedents=region.split,
            bridging=region.bridging,
        )
        self.documents.append(document)


_Comment = tuple[int, str, str]  # line, key and value


def _comments(lines: ConlluLines) -> list[_Comment]:
    """Return the comments that describe documents."""
    comments = np.flatnonzero(lines.kind == lines.COMMENT)
    # Skip `sent_id` and `text`, which most comments are.
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


def _nodes_misc(lines: ConlluLines, places: Ints) -> Iterator[tuple[int, int]]:
    """Return the line and column of those offsets that are in the last column of a node."""
    line = lines.line_at(places)
    misc = lines.in_misc(places, line) & lines.is_node(line)
    columns = places[misc] - lines.starts[line[misc]] + 1
    return zip(line[misc].tolist(), columns.tolist(), strict=True)


@dataclass(slots=True)
class _Region:
    start: int
    stop: int
    name: str
    meta: dict[str, Any]
    fields: list[str] | None
    split: dict[str, tuple[str, ...]] = field(default_factory=dict)
    bridging: list[Bridge] = field(default_factory=list)


def _find_brackets(
    lines: ConlluLines, regions: Sequence[_Region]
) -> Iterator[ConlluMentions | None]:
    """Yield the mentions of each document; None if it is irregular.

    All `Entity` cells of the part are split into brackets at once.
    """
    text = lines.bytes
    equals = find_endings(text, np.flatnonzero(text == ord("=")), b"Entity=")
    equals = equals[(text[equals - 7] == 9) | (text[equals - 7] == ord("|"))]
    if not regions:
        equals = equals[:0]
    line = lines.line_at(equals)
    home = np.searchsorted([region.start for region in regions], line, "right") - 1
    irregular = np.array(
        [not region.fields or region.fields[0] not in ID_FIELDS for region in regions],
        dtype=np.bool_,
    )
    misc = lines.in_misc(equals, line) & lines.is_node(line)
    irregular[home[~misc & (lines.kind[line] != lines.COMMENT)]] = True
    line, home, equals = line[misc], home[misc], equals[misc]
    irregular[home[1:][line[1:] == line[:-1]]] = True
    ends = np.flatnonzero((text == 10) | (text == ord("|")) | (text == 9))
    runs = cut_cells(text, equals + 1, ends[np.searchsorted(ends, equals)], _MARK)
    dashes = np.append(np.flatnonzero(runs.text == ord("-")), len(runs.text))
    id_stop = np.minimum(dashes[np.searchsorted(dashes, runs.start)], runs.stop)
    piece = runs.text[np.maximum(id_stop - 1, 0)] == ord("]")
    named = (runs.kind == 2) & (id_stop < runs.stop)  # a closing bracket has only the id
    odd = runs.cell[named | (id_stop == runs.start) | piece]
    irregular[home[np.concatenate([*runs.bad, odd])]] = True
    kept = np.flatnonzero(~irregular[home[runs.cell]])
    cell = runs.cell[kept]
    id, names = name_codes(runs.text, runs.start[kept], id_stop[kept])
    items = Items(home[cell], line[cell], runs.kind[kept], id, names)
    pairs = pair_items(items, irregular, "opened")
    opened, closed = items.token[pairs.opened], items.token[pairs.closed]
    run = kept[pairs.opened]
    shift = runs.shift[runs.cell[run]]
    text_start, text_stop = runs.start[run] + shift, runs.stop[run] + shift
    for number, is_odd in enumerate(irregular.tolist()):
        here, entity, ids = pairs.of(number)
        texts = (text_start[here], text_stop[here])
        yield (
            None if is_odd else ConlluMentions(opened[here], closed[here], entity, ids, *texts, {})
        )


def _specials(text: ConlluText, zeros: Ints, found: ConlluMentions) -> dict[int, Mention]:
    """Return the mentions with several pieces or with empty nodes, keyed by index."""
    odd = set(np.flatnonzero(zeros[found.closed + 1] > zeros[found.opened]).tolist())
    special: dict[int, Mention] = {}
    for number in sorted(odd | set(found.pieces)):
        whole = (int(found.opened[number]), int(found.closed[number]))
        lines = (range(low, high + 1) for low, high in found.pieces.get(number, [whole]))
        nodes = [text.nodes[line] for line in itertools.chain(*lines) if line in text.nodes]
        mention = Mention.of_nodes(nodes)
        if len(mention.spans) != 1 or mention.zeros:
            special[number] = mention
    return special
