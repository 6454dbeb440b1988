"""CoNLL-2011/2012 files: one token per line, coreference brackets in the last column.

Two grammars read these files. In the default grammar, columns are separated by tabs or spaces,
every bracket must match, and anything odd is reported with its line and column. The `reference`
grammar reads what the reference scorer v8.01 reads (columns separated by tabs only, every line a
token, brackets anywhere in the cell), so that its counts can be reproduced.

Nearly all documents in all corpora are regular, and are read by array operations over the whole
file at once. An irregular document is read again line by line by `read_slowly`, which implements
both grammars and reports the problems.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from sameas.arithmetic.arrays import Bools, Ints
from sameas.documents.document import Corpus, Document
from sameas.documents.mentions import Origin, join_columns
from sameas.errors import InputError, Problem
from sameas.formats.brackets import Items, byte_set, cut_cells, decode, name_codes, pair_items
from sameas.formats.common import Reporter
from sameas.formats.conll.text import BLANK, ConllLines, ConllText, move_back, same_words

__all__ = [
    "ConllText",
    "canonical_header",
    "document_name",
    "read_conll",
    "same_words",
    "split_name",
]

# Patterns are compiled on first use, since most are rarely needed.
_BEGIN = rb"(?s)#\s*begin\s+document\b[ \t]*(.*?)\s*$"
_END = rb"#\s*end\s+document"
_REFERENCE_BEGIN = rb"(?s)#\s*begin document (.*)$"
_REFERENCE_END = rb"#[^\S\n]*end document"
_HEADER = r"\((.*)\)\s*;?(?:\s*part\s+([0-9]{1,9}))?"
_PART = r"(.+)_([0-9]{1,9})"

PART = 1 << 21  # minimum number of bytes read at once

#: Indexed by the last two bytes of a line, as one number: whether its last cell is empty.
_EMPTY = np.outer(byte_set(b"-_*"), BLANK | byte_set(b"\n")).ravel()
_MARK = byte_set(b"()|")
_PLAIN = byte_set(b"0123456789()|")  # what the reference scorer expects


def read_conll(
    data: bytes, path: str = "", *, reference: bool = False, refuse: bool = True
) -> Corpus:
    """Read the documents of a CoNLL file; unless `refuse`, also the valid parts of invalid ones.

    >>> text = b"#begin document (a); part 000\\na 0 0 Ann (1)\\na 0 1 ran -\\n#end document\\n"
    >>> read_conll(text).documents
    [<Document 'a_0': 2 tokens, 1 mentions, 1 entities>]
    """
    documents: list[Document] = []
    if reference:
        lines = ConllLines(data, path)
        documents = _read_regions(lines, _reference_regions(lines), reference)
        problems = [problem for document in documents for problem in document.origin.problems]
        return Corpus(documents, path, "conll", problems, reference=True)
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")  # lines that end in CR alone
    reporter = _Reporter(path)
    if b"\r\n" in data[: 1 << 16]:
        reporter.warn(0, 1, "crlf")
    for part in _parts(data):
        lines = ConllLines(part, path, reporter.before)
        documents += _read_regions(lines, _regions(lines, reporter), reference)
        reporter.before += len(lines.starts)
    if not documents:
        raise InputError([Problem("no-header", path, 1, 1, how=_why_no_header(data, path))])
    reporter.report_skipped()
    reporter.problems += [problem for d in documents for problem in d.origin.problems]
    return reporter.corpus(documents, "conll", refuse)


def _parts(data: bytes) -> Iterator[memoryview]:
    """Yield parts of a few megabytes, split at headers, so that their arrays fit in the cache."""
    start, view = 0, memoryview(data)  # to avoid copies
    while start < len(data):
        stop = data.find(b"\n#begin document", start + PART) + 1
        yield view[start : stop or None]
        start = stop or len(data)


def document_name(header: str) -> str:
    """Return the document name in a header, spelled as in the JSON Lines of neural systems.

    >>> document_name("(bc/cctv/00/cctv_0000); part 003"), document_name("(a);"), document_name("b")
    ('bc/cctv/00/cctv_0000_3', 'a', 'b')
    """
    match = re.fullmatch(_HEADER, header.strip())
    if not match:
        return header.strip()
    name, part = match.groups()
    return f"{name}_{int(part)}" if part else name


def canonical_header(name: str) -> str:
    """Return the header for which `document_name` returns `name`.

    >>> canonical_header("bc/cctv/00/cctv_0000_3"), canonical_header("a")
    ('(bc/cctv/00/cctv_0000); part 003', '(a);')
    """
    stem, part = split_name(name)
    return f"({stem});" if part is None else f"({stem}); part {part:03d}"


def split_name(name: str) -> tuple[str, int | None]:
    """Split the name of a document into its stem and its part number.

    >>> split_name("bc/cctv/00/cctv_0000_3"), split_name("a")
    (('bc/cctv/00/cctv_0000', 3), ('a', None))
    """
    match = re.fullmatch(_PART, name)
    if match and str(int(match[2])) == match[2]:
        return match[1], int(match[2])
    return name, None


class _Region(NamedTuple):
    """The lines of one document, from `first` up to `stop`, without header and end line."""

    name: str
    header: str
    first: int
    stop: int
    ended: bool


class _Reporter(Reporter):
    """The problems of a CoNLL file, and the lines that are skipped."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.skipped: dict[str, list[int]] = {"comment-lines": [], "outside-lines": []}

    def skip(self, code: str, lines: Sequence[int]) -> None:
        """Record skipped lines."""
        self.skipped[code] += [self.before + line for line in lines]

    def report_skipped(self) -> None:
        """Report the number of skipped lines of each kind, at the first of them."""
        self.before = 0
        for code, lines in self.skipped.items():
            if lines:
                self.warn(lines[0], 1, code, count=len(lines))


def _regions(lines: ConllLines, reporter: _Reporter) -> list[_Region]:
    """Find the documents; a `#` line that is neither header nor end nor token is a comment."""
    comments: list[int] = []
    controls: list[tuple[int, str | None]] = [(-1, None)]  # begin lines (with headers), end lines
    filled = np.flatnonzero(lines.filled)
    tokens = filled[lines.buffer[lines.starts[filled]] != ord("#")]
    for line in lines.hash_lines():
        text = lines[line]
        opened, header = controls[-1]
        begin = re.match(_BEGIN, text)
        if begin:
            controls.append((line, decode(begin[1])))
            _check_header(lines, line, reporter)
        elif re.match(_END, text):
            controls.append((line, None))
            if header is None:
                reporter.warn(line, 1, "end-without-begin")
        elif not _is_token(text, _width(lines, tokens, line, -1 if header is None else opened)):
            comments.append(line)
    lines.filled[comments + [line for line, _ in controls[1:]]] = False
    regions: list[_Region] = []
    for (line, header), (stop, after) in pairwise([*controls, (len(lines.starts), "")]):
        if header is not None:
            name = document_name(header)
            regions.append(_Region(name, header, line + 1, stop, ended=after is None))
            if after is not None:
                reporter.warn(line, 1, "no-end", document=name)
    reporter.skip("comment-lines", comments)
    reporter.skip("outside-lines", _outside(lines, regions))
    return regions


def _width(lines: ConllLines, tokens: Ints, line: int, header: int) -> int:
    """Return the column count of a nearby token line, to distinguish a token `#` from a comment."""
    after = int(np.searchsorted(tokens, line))
    if after > 0 and tokens[after - 1] > header:
        return len(lines[int(tokens[after - 1])].split())
    return len(lines[int(tokens[after])].split()) if after < len(tokens) else 0


def _is_token(text: bytes, width: int) -> bool:
    from sameas.formats.conll.items import cell_items

    columns = text.split()
    return len(columns) == width > 1 and cell_items(columns[-1]) is not None


def _check_header(lines: ConllLines, line: int, reporter: Reporter) -> None:
    raw = lines.raw(line).rstrip(b"\r")
    if raw != raw.rstrip():
        reporter.warn(line, len(raw.rstrip()) + 1, "header-blanks")
    if not raw.startswith(b"#begin document "):
        reporter.warn(line, 1, "unusual-header")


def _outside(lines: ConllLines, regions: list[_Region]) -> list[int]:
    """Return the lines outside documents, except blank lines, comments and end lines."""
    inside = np.zeros(len(lines.filled) + 1, dtype=np.int64)
    np.add.at(inside, [region.first for region in regions], 1)
    np.add.at(inside, [region.stop for region in regions], -1)
    outside: list[int] = np.flatnonzero(lines.filled & (np.cumsum(inside)[:-1] == 0)).tolist()
    return outside


def _why_no_header(data: bytes, path: str) -> str:
    """Return the likely reason why a text has no documents; reject files of other types."""
    head = data[:4096].lstrip()
    if not head:
        return "empty"
    if re.search(rb"^#\s*begin\s+document", head, re.MULTILINE | re.IGNORECASE):
        return "case"
    if re.search(rb"^# (newdoc|global\.Entity|sent_id|text =)", head, re.MULTILINE):
        return "conllu"
    from sameas.formats.kinds import refuse_other_kinds

    refuse_other_kinds(data, path)
    return "text"


def _reference_regions(lines: ConllLines) -> list[_Region]:
    """Find documents as the reference scorer does: each extends to the next end line, if any."""
    ends = np.array(
        [match.start() for match in re.finditer(_REFERENCE_END, lines.data)], dtype=np.int64
    )
    end_lines = np.unique(np.searchsorted(lines.starts, ends, side="right") - 1)
    regions = []
    for line in lines.hash_lines():
        begin = re.match(_REFERENCE_BEGIN, lines.raw(line).removesuffix(b"\r"))
        if begin:
            name = decode(begin[1])
            after = int(np.searchsorted(end_lines, line + 1))
            ended = after < len(end_lines)
            stop = int(end_lines[after]) if ended else len(lines.starts)
            regions.append(_Region(name, name, line + 1, stop, ended))
    return regions


def _read_regions(lines: ConllLines, regions: list[_Region], reference: bool) -> list[Document]:
    """Read all regular documents at once, and irregular ones one by one."""
    filled = np.flatnonzero(lines.filled)
    bounds = np.searchsorted(filled, [(region.first, region.stop) for region in regions])
    tokens = [filled[first:stop] for first, stop in bounds.reshape(-1, 2).tolist()]
    counts = np.array([len(part) for part in tokens], dtype=np.int64)
    token_line = join_columns(tokens)
    token_document = np.repeat(np.arange(len(regions)), counts)

    cells = _find_cells(lines, token_line)
    lines.cells[token_line[cells.token]] = cells.start
    irregular = np.zeros(len(regions), dtype=np.bool_)
    if reference:
        irregular[token_document[~_same_cell(lines, token_line, cells)]] = True
    items = _find_items(lines, cells, token_document, reference, irregular)
    pairs = pair_items(items, irregular, "closed")
    before = (np.cumsum(counts) - counts)[items.document[pairs.opened]]
    firsts, lasts = items.token[pairs.opened] - before, items.token[pairs.closed] - before

    columns: dict[str, Any]
    documents = []
    for number, (region, part) in enumerate(zip(regions, tokens, strict=True)):
        origin = Origin(lines.path, lines.line + region.first, region.header)
        if irregular[number]:
            from sameas.formats.conll.items import read_slowly

            slow = read_slowly(lines, part, reference=reference, ended=region.ended)
            columns = slow.columns
            origin = replace(origin, problems=slow.problems, discarded=slow.discarded)
        else:
            here, entity, ids = pairs.of(number)
            columns = {"first": firsts[here], "last": lasts[here]}
            columns |= {"entity": entity, "entity_ids": ids}
        text = ConllText(lines, part)
        documents.append(Document(region.name, **columns, text=text, origin=origin))
    return documents


class _Cells(NamedTuple):
    """The non-empty coreference cells: their tokens and byte offsets."""

    token: Ints
    start: Ints
    stop: Ints


def _find_cells(lines: ConllLines, token_line: Ints) -> _Cells:
    buffer, starts, stops = lines.buffer, lines.starts[token_line], lines.stops[token_line]
    pairs = np.ndarray((max(len(buffer) - 1, 0),), "<u2", buffer, strides=(1,))
    token = np.flatnonzero(~_EMPTY[pairs[stops - 2]])
    start, line_start = stops[token] - 1, starts[token]
    move_back(start, line_start, buffer, ~BLANK)
    return _Cells(token, start, stops[token])


def _same_cell(lines: ConllLines, token_line: Ints, cells: _Cells) -> Bools:
    """Return, for each token, whether both grammars find the same brackets.

    The reference scorer splits lines at tabs only.
    """
    buffer, starts, stops = lines.buffer, lines.starts[token_line], lines.stops[token_line]
    column = stops - 1  # start of the last column, which is one character if empty
    column[cells.token] = cells.start
    brackets = np.flatnonzero((buffer == ord("(")) | (buffer == ord(")")))
    elsewhere = np.searchsorted(brackets, column) > np.searchsorted(brackets, starts)
    after_tab = (column > starts) & (buffer[np.maximum(column - 1, 0)] == ord("\t"))
    # For the reference scorer, trailing whitespace may form another column.
    tail = lines.ends()[token_line] - stops
    clean = (tail == 0) | ((tail == 1) & (buffer[np.minimum(stops, len(buffer) - 1)] == 13))
    same: Bools = (after_tab | ~elsewhere) & clean
    return same


def _find_items(
    lines: ConllLines, cells: _Cells, token_document: Ints, reference: bool, irregular: Bools
) -> Items:
    """Split cells into items such as `(3` and `3)`; mark documents with other cells irregular."""
    document_of = token_document[cells.token]
    text, cell_of, _, starts, stops, cell, kind, bad = cut_cells(
        lines.buffer, cells.start, cells.stop, _MARK
    )
    bad.append(cell_of[~_PLAIN[text] if reference else text == ord("+")])
    if reference and len(cell) > 1:
        # Two adjacent items without `|`: the reference scorer may join their digits.
        between = (starts[1:] - (kind[1:] < 2)) - (stops[:-1] + (kind[:-1] != 1))
        bad.append(cell[1:][(cell[1:] == cell[:-1]) & (between < 1)])
    irregular[document_of[np.concatenate(bad)]] = True

    order = np.argsort(cell * 3 + kind, kind="stable")
    order = order[~irregular[document_of[cell[order]]]]
    id, names = name_codes(text, starts[order], stops[order])
    token = cells.token[cell[order]]
    return Items(token_document[token], token, kind[order], id, names)
