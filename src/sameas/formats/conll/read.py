"""CoNLL-2011/2012 files: one token a line, coreference brackets in the last column.

Two grammars read the same files. The default one is ours: columns separated by tabs or blanks,
every bracket accounted for, anything odd reported with its place. The `reference` grammar reads
what the reference scorer v8.01 reads (tabs only, every line a token, brackets searched for anywhere
in the cell), so that its counts can be reproduced.

Nearly every document of every corpus is regular, and is read by array operations over the whole
file at once. A document with anything unusual in it is read again, line by line, by
`_parse_slowly`, which knows both grammars and says what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sameas.arithmetic.arrays import Bools, Ints
from sameas.documents.document import Corpus, Document, Origin, columns_of, join_columns
from sameas.errors import InputError, Problem, Severity
from sameas.formats.brackets import (
    Bytes,
    Items,
    byte_set,
    cut_cells,
    cut_words,
    decode,
    name_codes,
    pair_items,
)
from sameas.formats.common import Reporter

__all__ = [
    "ConllText",
    "canonical_header",
    "document_name",
    "read_conll",
    "same_words",
    "split_name",
]

_DocumentColumns = tuple[Ints, Ints, Ints, Sequence[str]]  # first, last, entity; entity ids

# Patterns are compiled when they are first needed, which most of them are not.
_BEGIN = rb"(?s)#\s*begin\s+document\b[ \t]*(.*?)\s*$"
_END = rb"#\s*end\s+document"
_REFERENCE_BEGIN = rb"(?s)#\s*begin document (.*)$"
_REFERENCE_END = rb"#[^\S\n]*end document"
_HEADER = r"\((.*)\)\s*;?(?:\s*part\s+([0-9]{1,9}))?"
_PART = r"(.+)_([0-9]{1,9})"

_ITEM = rb"\(([^()|]+)\)|\(([^()|]+)|([^()|]+)\)|(\|)"
_DOUBLE = rb"\((\d+\+\d)\)"
_SPLIT_ANTECEDENT = rb"\d+(\+\d+)+"
_WHOLE = rb"\((\d+)\)"
_OPEN = rb"\((\d+)"
_CLOSE = rb"(\d+)\)"


PART = 1 << 21  # bytes read at once, at least
BLOCK = 1 << 14  # lines compared at once

_BLANK = byte_set(b" \t\r\v\f")
_NOTHING = byte_set(b"-_*")
_MARK = byte_set(b"()|")
_PLAIN = byte_set(b"0123456789()|")  # what the reference scorer expects


def read_conll(
    data: bytes, path: str = "", *, reference: bool = False, refuse: bool = True
) -> Corpus:
    """Read the documents of a CoNLL file; unless `refuse`, wrong ones too, as far as it goes.

    >>> text = b"#begin document (a); part 000\\na 0 0 Ann (1)\\na 0 1 ran -\\n#end document\\n"
    >>> read_conll(text).documents
    [<Document 'a_0': 2 tokens, 1 mentions, 1 entities>]
    """
    documents: list[Document] = []
    if reference:
        lines = _Lines(data, path)
        documents = _read_regions(lines, _reference_regions(lines), reference)
        problems = [problem for document in documents for problem in document.origin.problems]
        return Corpus(documents, path, "conll", problems, reference=True)
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")  # lines that end in CR alone
    reporter = _Reporter(path)
    if b"\r\n" in data[: 1 << 16]:
        reporter.warn(0, 1, "crlf")
    for part in _parts(data):
        lines = _Lines(part, path, reporter.before)
        documents += _read_regions(lines, _regions(lines, reporter), reference)
        reporter.before += len(lines.starts)
    if not documents:
        raise InputError([Problem("no-header", path, 1, 1, how=_why_no_header(data, path))])
    reporter.tell_passed()
    reporter.problems += [problem for d in documents for problem in d.origin.problems]
    return reporter.corpus(documents, "conll", refuse)


def _parts(data: bytes) -> Iterator[memoryview]:
    """The file in parts of some megabytes, cut before headers: small arrays stay in the cache."""
    start, view = 0, memoryview(data)  # parts are views, not copies
    while start < len(data):
        stop = data.find(b"\n#begin document", start + PART) + 1
        yield view[start : stop or None]
        start = stop or len(data)


def document_name(header: str) -> str:
    """The name behind `#begin document`, as the jsonlines of neural systems spell it.

    >>> document_name("(bc/cctv/00/cctv_0000); part 003"), document_name("(a);"), document_name("b")
    ('bc/cctv/00/cctv_0000_3', 'a', 'b')
    """
    match = re.fullmatch(_HEADER, header.strip())
    if not match:
        return header.strip()
    name, part = match.groups()
    return f"{name}_{int(part)}" if part else name


def canonical_header(name: str) -> str:
    """The header that `document_name` turns into `name`.

    >>> canonical_header("bc/cctv/00/cctv_0000_3"), canonical_header("a")
    ('(bc/cctv/00/cctv_0000); part 003', '(a);')
    """
    stem, part = split_name(name)
    return f"({stem});" if part is None else f"({stem}); part {part:03d}"


def split_name(name: str) -> tuple[str, int | None]:
    """Name and part number of a document.

    >>> split_name("bc/cctv/00/cctv_0000_3"), split_name("a")
    (('bc/cctv/00/cctv_0000', 3), ('a', None))
    """
    match = re.fullmatch(_PART, name)
    if match and str(int(match[2])) == match[2]:
        return match[1], int(match[2])
    return name, None


class _Region(NamedTuple):
    """The lines of one document: `first` to `stop`, without the header and the end line."""

    name: str
    header: str
    line: int  # of the header
    first: int
    stop: int
    ended: bool


class _Lines:
    """The lines of a file as positions in its bytes, trailing blanks cut off."""

    def __init__(self, data: bytes | memoryview, path: str, line: int = 0) -> None:
        self.data, self.path = data, path
        self.line = line  # how many lines of the file come before these
        self.cell_columns: dict[int, int] = {}
        self.buffer: Bytes = np.frombuffer(data, dtype=np.uint8)
        newlines = np.flatnonzero(self.buffer == ord("\n"))
        self.starts = np.concatenate([np.zeros(1, dtype=np.int64), newlines + 1])
        self.stops = np.append(newlines, len(data))  # a line stops before its trailing blanks
        if self.starts[-1] == len(data):
            self.starts, self.stops = self.starts[:-1], self.stops[:-1]
        _move_back(self.stops, self.starts, self.buffer, _BLANK)
        self.filled: Bools = self.stops > self.starts
        self.cells = self.stops - 1  # where the last column of each line starts; made by reading
        self._words: _Words | None = None

    def __getstate__(self) -> dict[str, Any]:
        """For pickles: bytes instead of a view, so that documents can go to other processes."""
        data = bytes(self.data)
        buffer = np.frombuffer(data, dtype=np.uint8)
        return {**self.__dict__, "data": data, "buffer": buffer, "_words": None}

    def words(self) -> _Words:
        """Where the words of all lines are."""
        if self._words is None:
            self._words = _find_words(self)
        return self._words

    def __getitem__(self, line: int) -> bytes:
        return bytes(self.data[self.starts[line] : self.stops[line]])

    def raw(self, line: int) -> bytes:
        """The line without its newline, trailing blanks kept."""
        start, *after = self.starts[line : line + 2].tolist()
        return bytes(self.data[start : after[0] if after else None]).removesuffix(b"\n")

    def ends(self) -> Ints:
        """Where the lines end, trailing blanks included."""
        last = len(self.data) - (self.buffer[-1:] == ord("\n")).sum()
        return np.append(self.starts[1:] - 1, last)

    def hash_lines(self) -> list[int]:
        """The lines that start with `#`: headers, ends and comments."""
        filled = np.flatnonzero(self.filled)
        found = filled[self.buffer[self.starts[filled]] == ord("#")]
        return found.tolist()  # type: ignore[no-any-return]

    def cell_column(self, line: int) -> int:
        """The column at which the coreference cell of a line starts, counted from 1."""
        if line not in self.cell_columns:
            text = self[line]
            self.cell_columns[line] = len(decode(text[: len(text) - len(text.split()[-1])])) + 1
        return self.cell_columns[line]


def _move_back(places: Ints, least: Ints, buffer: Bytes, passed: Bools) -> None:
    """Move places back over the bytes that are to be passed, each as far as its least one."""
    active = np.flatnonzero(places > least)
    while active.size:
        active = active[passed[buffer[places[active] - 1]]]
        places[active] -= 1
        active = active[places[active] > least[active]]


class _Reporter(Reporter):
    """The problems of a CoNLL file, and the lines that are passed over."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.passed: dict[str, list[int]] = {"comment-lines": [], "outside-lines": []}

    def pass_over(self, code: str, lines: Sequence[int]) -> None:
        """Count lines that are passed over."""
        self.passed[code] += [self.before + line for line in lines]

    def tell_passed(self) -> None:
        """Report the lines that were passed over, at the first of each kind."""
        self.before = 0
        for code, lines in self.passed.items():
            if lines:
                self.warn(lines[0], 1, code, count=len(lines))


def _regions(lines: _Lines, reporter: _Reporter) -> list[_Region]:
    """Find the documents; a `#` line that is neither header nor end nor token is a comment."""
    regions: list[_Region] = []
    opened: tuple[str, str, int] | None = None
    comments: list[int] = []
    controls: list[int] = []

    def close(stop: int, ended: bool) -> None:
        nonlocal opened
        if opened:
            name, header, line = opened
            regions.append(_Region(name, header, line, line + 1, stop, ended))
            if not ended:
                reporter.warn(line, 1, "no-end", document=name)
        opened = None

    filled = np.flatnonzero(lines.filled)
    tokens = filled[lines.buffer[lines.starts[filled]] != ord("#")]
    for line in lines.hash_lines():
        text = lines[line]
        begin = re.match(_BEGIN, text)
        if begin:
            close(line, ended=False)
            header = decode(begin[1])
            opened = (document_name(header), header, line)
            _check_header(lines, line, reporter)
        elif re.match(_END, text):
            if not opened:
                reporter.warn(line, 1, "end-without-begin")
            close(line, ended=True)
        elif _is_token(text, _width(lines, tokens, line, opened[2] if opened else -1)):
            continue
        else:
            comments.append(line)
            continue
        controls.append(line)
    close(len(lines.starts), ended=False)
    lines.filled[comments + controls] = False
    reporter.pass_over("comment-lines", comments)
    reporter.pass_over("outside-lines", _outside(lines, regions))
    return regions


def _width(lines: _Lines, tokens: Ints, line: int, header: int) -> int:
    """The number of columns of a token line nearby, to tell a word `#` from a comment."""
    after = int(np.searchsorted(tokens, line))
    if after > 0 and tokens[after - 1] > header:
        return len(lines[int(tokens[after - 1])].split())
    return len(lines[int(tokens[after])].split()) if after < len(tokens) else 0


def _is_token(text: bytes, width: int) -> bool:
    columns = text.split()
    return len(columns) == width > 1 and _our_items(columns[-1]) is not None


def _check_header(lines: _Lines, line: int, reporter: Reporter) -> None:
    raw = lines.raw(line).rstrip(b"\r")
    if raw != raw.rstrip():
        reporter.warn(line, len(raw.rstrip()) + 1, "header-blanks")
    if not raw.startswith(b"#begin document "):
        reporter.warn(line, 1, "unusual-header")


def _outside(lines: _Lines, regions: list[_Region]) -> list[int]:
    """The lines that are neither blank nor in a document."""
    inside = np.zeros(len(lines.filled) + 1, dtype=np.int64)
    np.add.at(inside, [region.first for region in regions], 1)
    np.add.at(inside, [region.stop for region in regions], -1)
    outside: list[int] = np.flatnonzero(lines.filled & (np.cumsum(inside)[:-1] == 0)).tolist()
    return outside


def _why_no_header(data: bytes, path: str) -> str:
    """What a text without documents may be; another kind of file is refused as such."""
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


def _reference_regions(lines: _Lines) -> list[_Region]:
    """Find the documents as the reference scorer does: up to the next end line, if any."""
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
            regions.append(_Region(name, name, line, line + 1, stop, ended))
    return regions


@dataclass(frozen=True, eq=False, repr=False)
class ConllText:
    """The words of a document in a CoNLL file, read when somebody asks for them."""

    source: _Lines
    lines: Ints  # the line of each token

    @property
    def token_count(self) -> int:
        """How many tokens the document has."""
        return len(self.lines)

    def sentences(self) -> tuple[tuple[str, ...], ...]:
        """The words, sentence by sentence: column 4 of five or more, else the one before last."""
        return cut_words(self.forms, self._bounds())

    def beginning(self) -> bytes:
        """The first line without the columns that `same_words` passes over."""
        line = int(self.lines[0])
        start, stop = int(self.source.starts[line]), int(self.source.cells[line])
        return bytes(self.source.data[start + self.named() : stop])

    def named(self) -> int:
        """How many bytes of its first line name document and part: two of five or more columns."""
        line = self.source[int(self.lines[0])]
        columns = line.split(b"\t") if b"\t" in line else line.split(b" ")
        if b"\t" not in line and not all(columns):
            return 0
        return len(columns[0]) + len(columns[1]) + 2 if len(columns) >= 5 else 0

    @property
    def forms(self) -> bytes:
        """The words, each with a tab behind it."""
        found, lines = self.source.words(), self.lines
        if not found.regular[lines].all():
            words = (_word(line) for line in self._texts())
            return b"".join(word.replace(b"\t", b" ") + b"\t" for word in words)
        start, stop = found.start[lines], found.stop[lines]
        ends = np.cumsum(stop - start + 1)
        places = np.ones(int(ends[-1]) if len(ends) else 0, dtype=np.int64)
        places[:1] = start[:1]
        places[ends[:-1]] = start[1:] - stop[:-1]
        forms = self.source.buffer[np.cumsum(places)]
        forms[ends - 1] = ord("\t")
        return forms.tobytes()

    def rows(self) -> list[list[list[str]]]:
        """The columns left of the coreference column, by sentence and token."""
        rows = [[decode(column) for column in _columns(line)] for line in self._texts()]
        return [rows[start:stop] for start, stop in pairwise(self._bounds())]

    def _texts(self) -> Iterator[bytes]:
        source = self.source
        data, starts, stops = source.data, source.starts[self.lines], source.stops[self.lines]
        for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
            yield bytes(data[start:stop])

    def _bounds(self) -> list[int]:
        """Where sentences begin, and the number of tokens: an empty line ends a sentence."""
        if not len(self.lines):
            return []
        first, last = int(self.lines[0]), int(self.lines[-1])
        lines = slice(first, last + 1)
        # Not `filled`, which comments are not either.
        blank = self.source.starts[lines] == self.source.stops[lines]
        sentence = np.cumsum(blank)[self.lines - first]
        return [0, *(np.flatnonzero(np.diff(sentence)) + 1).tolist(), len(self.lines)]

    def tags(self) -> list[str] | None:
        """The parts of speech of the tokens: column 5 of the CoNLL-2012 format, if there is one."""
        found = self._column(4)
        return None if found is None or all(tag == "-" for tag in found) else found

    def named_entities(self) -> list[str] | None:
        """The named-entity column of the CoNLL-2012 format, such as (PERSON*, if there is one."""
        found = self._column(10)
        used = found is not None and any("(" in cell or cell == "*" for cell in found)
        return found if used else None

    def _column(self, number: int) -> list[str] | None:
        if not len(self.lines) or len(self.source[int(self.lines[0])].split()) < 12:
            return None
        found = [line.split()[number : number + 1] for line in self._texts()]
        return [decode(cell[0]) if cell else "-" for cell in found]

    def place(self, token: int) -> tuple[int, int]:
        """Line and column of the coreference cell of token number `token`."""
        line = int(self.lines[token])
        return self.source.line + line + 1, self.source.cell_column(line)


def _columns(line: bytes) -> list[bytes]:
    """The columns left of the last one."""
    left = line[: len(line) - len(line.split()[-1])]
    if b"\t" in left:
        return left.rstrip(b" ").removesuffix(b"\t").split(b"\t")
    return left.split()


def _word(line: bytes) -> bytes:
    """The word of a line: column 4 of five or more, else the one before last."""
    row = _columns(line)
    return row[3] if len(row) >= 4 else row[-1] if row else b""


class _Words(NamedTuple):
    """Where the word of each line starts and stops; only `regular` lines tell without a look."""

    start: Ints
    stop: Ints
    regular: Bools


def _find_words(lines: _Lines) -> _Words:
    """Find the words of lines whose columns are separated by tabs alone or by single blanks."""
    blocks = [
        _words_of(lines, low, min(low + BLOCK, len(lines.starts)))
        for low in range(0, len(lines.starts), BLOCK)
    ]
    return _Words(*(np.concatenate(column) for column in zip(*blocks, strict=True)))


def _words_of(lines: _Lines, low: int, high: int) -> _Words:
    """The words of some lines."""
    starts, stops = lines.starts[low:high], lines.stops[low:high]
    begin = int(starts[0])
    buffer = lines.buffer[begin : int(lines.starts[high]) if high < len(lines.starts) else None]
    separators = np.flatnonzero(buffer <= ord(" "))  # control characters, too
    sign = buffer[separators]
    newlines = np.flatnonzero(sign == ord("\n"))
    size = high - low
    last = np.append(newlines, len(separators))[:size]  # of each line
    first = np.append(0, newlines + 1)[:size]
    count = last - first
    odd = np.flatnonzero((sign != ord("\t")) & (sign != ord("\n")))
    home = np.searchsorted(newlines, odd)
    blank = sign[odd] == ord(" ")
    # The first separator of a line is beside that of the line before if the line begins with it.
    blank &= np.append(-1, separators)[odd] + 1 != separators[odd]
    single = np.bincount(home[blank], minlength=size)[:size] == count
    tabs = np.bincount(home, minlength=size)[:size] == 0
    separators = np.append(separators, len(buffer)) + begin
    regular = (count > 0) & (tabs | single) & (separators[last] == stops)
    column = np.minimum(count, 4)  # the word is before this separator
    stop = separators[first + np.maximum(column - 1, 0)]
    start = np.where(column > 1, separators[first + np.maximum(column - 2, 0)] + 1, starts)
    return _Words(start, stop, regular)


class _Left:
    """What the lines of some texts have before their last columns, or their words alone."""

    def __init__(self, texts: Sequence[ConllText], words: bool) -> None:
        self.source = texts[0].source
        self.lines = np.concatenate([text.lines for text in texts])
        self.words = self.source.words() if words else None
        if not words:
            counts = [text.token_count for text in texts]
            self.skipped = np.repeat([text.named() for text in texts], counts)
        # The eight bytes at every place, as numbers.
        data = self.source.data
        self.windows = np.ndarray((len(data) - 7,), "<u8", data, strides=(1,))

    def places(self, block: slice) -> tuple[Ints, Ints, Bools]:
        """Where they start and stop in the bytes, and whether that is known."""
        lines = self.lines[block]
        if self.words is not None:
            start, stop = self.words.start[lines], self.words.stop[lines]
            return start, stop, self.words.regular[lines] & (stop > start)
        skipped, stop = self.skipped[block], self.source.cells[lines]
        start = np.minimum(self.source.starts[lines] + skipped, stop)
        ends = (skipped == 0) | _BLANK[self.source.buffer[start - 1]]
        return start, stop, ends & (stop > start)


def same_words(pairs: Sequence[tuple[ConllText, ConllText]]) -> list[bool]:
    """Whether two texts are known to have the same words, without a look at single ones.

    They do if their columns before the last one are the same, which is found out without looking
    for the words. (Of five or more columns, the first two, name and part, may differ.) Then the
    words of the others are looked for.
    """
    found = [one.token_count == other.token_count > 0 for one, other in pairs]
    alike = [
        same and one.beginning() == other.beginning()
        for same, (one, other) in zip(found, pairs, strict=True)
    ]
    left = [number for number, same in enumerate(alike) if same]
    unlike = _differ(pairs, left, words=False)
    rest = [number for number, same in enumerate(found) if same and not alike[number]]
    for number in _differ(pairs, sorted([*rest, *unlike]), words=True):
        found[number] = False
    return found


def _differ(
    pairs: Sequence[tuple[ConllText, ConllText]], chosen: Sequence[int], *, words: bool
) -> list[int]:
    """Which of the chosen pairs differ; documents of the same parts of files go together."""
    found: list[int] = []
    groups: dict[tuple[int, int], list[int]] = {}
    for number in chosen:
        one, other = pairs[number]
        groups.setdefault((id(one.source), id(other.source)), []).append(number)
    for numbers in groups.values():
        ours, theirs = (
            _Left([pairs[number][side] for number in numbers], words) for side in (0, 1)
        )
        # Arrays that fit into the cache are made faster.
        blocks = (slice(low, low + BLOCK) for low in range(0, len(ours.lines), BLOCK))
        unlike = np.concatenate([block.start + _unlike(ours, theirs, block) for block in blocks])
        ends = np.cumsum([0, *(pairs[number][0].token_count for number in numbers)])
        many = np.diff(np.searchsorted(unlike, ends))  # in each document
        found += [number for number, count in zip(numbers, many.tolist(), strict=True) if count]
    return found


_TABS = np.uint64(0x0909090909090909)
_LOW_BITS = np.uint64(0x7F7F7F7F7F7F7F7F)


def _same_beginnings(ours: _Left, theirs: _Left, one: Ints, other: Ints) -> Bools:
    """Whether lines have the same sixteen bytes from these places on, and two tabs among them.

    Most lines do: their words end there, and the columns behind them need not be compared.
    """
    most, their_most = len(ours.windows) - 9, len(theirs.windows) - 9
    fit: Bools = (one <= most) & (other <= their_most)
    if most < 0 or their_most < 0:
        return np.zeros_like(fit)
    one, other = np.minimum(one, most), np.minimum(other, their_most)
    first, second = ours.windows[one], ours.windows[one + 8]
    same: Bools = (first == theirs.windows[other]) & (second == theirs.windows[other + 8])
    tabs, more = _tabs(first), _tabs(second)
    # A bit is set for each tab; without its lowest bit a number with one of them is 0.
    two = ((tabs != 0) & (more != 0)) | ((tabs & (tabs - 1)) != 0) | ((more & (more - 1)) != 0)
    found: Bools = same & fit & two
    return found


def _tabs(eight: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The highest bit of each of eight bytes that is a tab (0 for the others)."""
    unlike = eight ^ _TABS
    found: npt.NDArray[np.uint64] = ~(((unlike & _LOW_BITS) + _LOW_BITS) | unlike | _LOW_BITS)
    return found


def _unlike(ours: _Left, theirs: _Left, block: slice) -> Ints:
    """The lines that differ, or may: eight bytes are compared at a time, from the last ones."""
    start, one, regular = ours.places(block)
    their_start, other, their_regular = theirs.places(block)
    length = one - start
    regular &= their_regular
    same: Bools = (length == other - their_start) & regular
    rest = np.flatnonzero(same)
    if ours.words is None:
        known = regular & _same_beginnings(ours, theirs, start, their_start)
        rest = np.flatnonzero(same & ~known)
        same |= known
    if len(rest) < len(one):
        one, other, length = one[rest], other[rest], length[rest]
    while rest.size:
        # A document's header is before its lines, so that there are bytes before the first, too.
        one -= 8
        other -= 8
        length -= 8
        unlike = ours.windows[one] ^ theirs.windows[other]
        if int(length.min()) < 0:
            unlike >>= (np.maximum(-length, 0) << 3).view(np.uint64)  # bits before the line
        same[rest[unlike != 0]] = False
        more = np.flatnonzero(length > 0)
        if len(more) < len(rest):
            rest, one, other, length = rest[more], one[more], other[more], length[more]
    return np.flatnonzero(~same)


def _read_regions(lines: _Lines, regions: list[_Region], reference: bool) -> list[Document]:
    """Read every document: all at once where they are regular, one by one where they are not."""
    filled = np.flatnonzero(lines.filled)
    bounds = np.searchsorted(filled, [(region.first, region.stop) for region in regions])
    tokens = [filled[first:stop] for first, stop in bounds.reshape(-1, 2).tolist()]
    counts = np.array([len(part) for part in tokens], dtype=np.int64)
    token_line = join_columns(tokens)
    token_document = np.repeat(np.arange(len(regions)), counts)
    token_number = np.arange(len(token_line)) - np.repeat(np.cumsum(counts) - counts, counts)

    cells = _find_cells(lines, token_line)
    lines.cells[token_line[cells.token]] = cells.start
    irregular = np.zeros(len(regions), dtype=np.bool_)
    if reference:
        irregular[token_document[~_same_cell(lines, token_line, cells)]] = True
    items = _find_items(lines, cells, token_document, token_number, reference, irregular)
    pairs = pair_items(items, irregular, "closed")
    firsts, lasts = items.token[pairs.opened], items.token[pairs.closed]

    documents = []
    for number, (region, part) in enumerate(zip(regions, tokens, strict=True)):
        text = ConllText(lines, part)
        origin = Origin(lines.path, lines.line + region.line + 1, region.header)
        if irregular[number]:
            columns, problems, split = _parse_slowly(lines, part, region, reference)
            first, last, entity, ids = columns
            origin = replace(origin, problems=tuple(problems), discarded=tuple(split))
        else:
            here, entity, ids = pairs.of(number)
            first, last = firsts[here], lasts[here]
        documents.append(
            Document(
                region.name,
                first=first,
                last=last,
                entity=entity,
                entity_ids=ids,
                text=text,
                origin=origin,
            )
        )
    return documents


class _Cells(NamedTuple):
    """The last columns that hold something: which token, and where in the bytes."""

    token: Ints
    start: Ints
    stop: Ints


def _find_cells(lines: _Lines, token_line: Ints) -> _Cells:
    buffer, starts, stops = lines.buffer, lines.starts[token_line], lines.stops[token_line]
    alone = (stops - starts == 1) | _BLANK[buffer[np.maximum(stops - 2, 0)]]
    token = np.flatnonzero(~(_NOTHING[buffer[stops - 1]] & alone))
    start, line_start = stops[token] - 1, starts[token]
    _move_back(start, line_start, buffer, ~_BLANK)
    return _Cells(token, start, stops[token])


def _same_cell(lines: _Lines, token_line: Ints, cells: _Cells) -> Bools:
    """Whether the reference scorer, which splits at tabs only, sees the brackets we see."""
    buffer, starts, stops = lines.buffer, lines.starts[token_line], lines.stops[token_line]
    column = stops - 1  # where the last column starts: at its only character, or as found
    column[cells.token] = cells.start
    brackets = np.flatnonzero((buffer == ord("(")) | (buffer == ord(")")))
    elsewhere = np.searchsorted(brackets, column) > np.searchsorted(brackets, starts)
    after_tab = (column > starts) & (buffer[np.maximum(column - 1, 0)] == ord("\t"))
    # Blanks behind the last column can make a last column of their own.
    tail = lines.ends()[token_line] - stops
    clean = (tail == 0) | ((tail == 1) & (buffer[np.minimum(stops, len(buffer) - 1)] == 13))
    same: Bools = (after_tab | ~elsewhere) & clean
    return same


def _find_items(
    lines: _Lines,
    cells: _Cells,
    token_document: Ints,
    token_number: Ints,
    reference: bool,
    irregular: Bools,
) -> Items:
    """Cut the cells into items such as `(3`, `3)`, `(3)`; mark documents with anything else."""
    document_of = token_document[cells.token]
    text, cell_of, _, starts, stops, cell, kind, bad = cut_cells(
        lines.buffer, cells.start, cells.stop, _MARK
    )
    bad.append(cell_of[~_PLAIN[text] if reference else text == ord("+")])
    if reference and len(cell) > 1:
        # Two items side by side without `|`: the reference scorer may read their digits together.
        between = (starts[1:] - (kind[1:] < 2)) - (stops[:-1] + (kind[:-1] != 1))
        bad.append(cell[1:][(cell[1:] == cell[:-1]) & (between < 1)])
    irregular[document_of[np.concatenate(bad)]] = True

    order = np.argsort(cell * 3 + kind, kind="stable")
    order = order[~irregular[document_of[cell[order]]]]
    id, names = name_codes(text, starts[order], stops[order])
    token = cells.token[cell[order]]
    return Items(token_document[token], token_number[token], kind[order], id, names)


def _parse_slowly(
    lines: _Lines, token_lines: Ints, region: _Region, reference: bool
) -> tuple[_DocumentColumns, list[Problem], list[str]]:
    """Read one document line by line, and say what is wrong with it and where."""
    problems: list[Problem] = []
    split: list[str] = []
    numbers: dict[bytes, int] = {}
    stacks: dict[bytes, list[int]] = {}
    mentions: list[tuple[int, int, int]] = []

    def report(line: int, code: str, severity: Severity = "error", **values: object) -> None:
        place = (lines.path, lines.line + line + 1, lines.cell_column(line))
        problems.append(Problem(code, *place, severity=severity, values=values))

    for token, line in enumerate(token_lines.tolist()):
        if reference:
            items, discarded = _reference_items(lines.raw(line))
        else:
            cell = lines[line].split()[-1]
            found = _our_items(cell)
            if found is None:
                report(line, "conll-cell", cell=decode(cell))
                continue
            items, discarded = found
        split.extend(map(decode, discarded))
        for id in discarded:
            report(line, "split-passed", "warning", entity=decode(id))
        for kind, id in items:
            entity = numbers.setdefault(id, len(numbers))
            if kind == 0:
                mentions.append((token, token, entity))
            elif kind == 1:
                stacks.setdefault(id, []).append(token)
            elif stacks.get(id):
                mentions.append((stacks[id].pop(), token, entity))
            else:
                report(line, "conll-unopened", entity=decode(id))
    lost = reference and not region.ended
    severity: Severity = "warning" if lost else "error"
    for id, stack in stacks.items():
        for token in stack:
            line = int(token_lines[token])
            report(
                line, "conll-unclosed", severity, entity=decode(id), how="lost" if lost else "wrong"
            )
    first, last = columns_of([(first, last) for first, last, _ in mentions])
    used, entities = np.unique([entity for _, _, entity in mentions], return_inverse=True)
    ids = [decode(id) for id in numbers]
    return (first, last, entities, [ids[int(entity)] for entity in used]), problems, split


def _our_items(cell: bytes) -> tuple[list[tuple[int, bytes]], list[bytes]] | None:
    """The items of a cell in the order in which they take effect; None if it is not a cell."""
    if cell in (b"-", b"_", b"*"):
        return [], []
    items: list[tuple[int, bytes]] = []
    discarded: list[bytes] = []
    split = False
    at, item = 0, re.compile(_ITEM)
    while at < len(cell):
        match = item.match(cell, at)
        if not match:
            return None
        at = match.end()
        whole, opens, closes, _ = match.groups()
        if re.fullmatch(_SPLIT_ANTECEDENT, whole or opens or closes or b""):
            discarded += [id for id in (whole, opens) if id]
            split = True
        elif whole or opens or closes:
            items.append((0, whole) if whole else (1, opens) if opens else (2, closes))
    # Like the reference scorer: one-token mentions, then openings, then closings.
    return (sorted(items, key=lambda item: item[0]), discarded) if items or split else None


def _reference_items(line: bytes) -> tuple[list[tuple[int, bytes]], list[bytes]]:
    """The items that the reference scorer finds, cutting each out of the cell before the next."""
    columns = line.split(b"\t")
    while columns and not columns[-1]:
        columns.pop()
    cell = columns[-1] if columns else b""
    items: list[tuple[int, bytes]] = []
    discarded: list[bytes] = []
    if cell == b"_":
        return items, discarded
    for kind, pattern in ((-1, _DOUBLE), (0, _WHOLE), (1, _OPEN), (2, _CLOSE)):
        while match := re.search(pattern, cell):
            cell = cell[: match.start()] + cell[match.end() :]
            if kind < 0:
                discarded.append(match[1])
            else:
                items.append((kind, match[1]))
    return items, discarded
