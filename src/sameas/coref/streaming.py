"""Large files and folders to a result, piece by piece, in one process or in several.

Documents are scored one by one, so a corpus can be cut between any two of them: each piece is read,
scored and forgotten, and only its rows of numbers stay. A folder is cut between its files, a file
between its documents, the pieces of the key and of the response having the same documents.

The answer is that of reading everything at once, to the last note and warning. Whatever a piece
cannot know of the others (an error and its line, a document that comes again or in another piece)
is not guessed at: then everything is read at once after all.
"""

from __future__ import annotations

import itertools
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any, NamedTuple

from sameas.coref.document import Corpus, Document, Origin
from sameas.coref.matching import add_notes, note_order
from sameas.coref.pairing import Pairing, pair_documents
from sameas.coref.read import file_bytes, folder_files, read, read_bytes, sniff
from sameas.coref.read.conll import document_name, read_conll
from sameas.coref.scoring import score_pairing
from sameas.coref.statistics import Statistics, join_statistics
from sameas.errors import Problem, SameasError, UsageError
from sameas.result import Result
from sameas.signature import Settings

__all__ = ["count_jobs", "score_pieces", "score_streaming"]

SMALL = 8 << 20  # bytes in all that are read at once: cutting them would not pay
PIECE = 8 << 20  # bytes of the key in a piece, at most, as far as documents allow
LEAST = 2 << 20  # bytes of the key in a piece, at least, if that makes work for every process
BLOCK = 1 << 17  # bytes that are searched for headers at once: they stay in the cache

Told = Callable[[int, int], None]  # bytes done, bytes in all


class _CannotCutError(Exception):
    """Everything has to be read at once."""


def score_streaming(
    key: str | os.PathLike[str],
    response: str | os.PathLike[str],
    settings: Settings,
    metrics: Sequence[str],
    *,
    format: str | None = None,
    jobs: int | str = 1,
    progress: Told | None = None,
) -> Result:
    """Score a file or folder as `sameas.score` does, in memory that does not grow with it.

    The result has the rows of the documents, and not the documents: classes of mentions cannot be
    asked for. `jobs` processes share the work; 0 or "all" are as many as there are cores.
    `progress` is called with the number of bytes done and of all.

    >>> from sameas.coref.metrics import DEFAULT
    >>> from sameas.examples import example_path
    >>> paths = example_path("key.conll"), example_path("eager.conll")
    >>> round(score_streaming(*paths, Settings(), DEFAULT).conll.f1, 4)
    0.8244
    """
    key, response = os.fspath(key), os.fspath(response)
    found = score_pieces(
        key, [response], settings, metrics, format=format, jobs=jobs, progress=progress
    )
    if found is not None:
        return found[0]
    reference = settings.compat == "conll-8.01"
    ours = read(key, format=format, role="key", reference=reference)
    theirs = read(response, format=format, role="response", reference=reference)
    pairing = pair_documents(ours, theirs, missing=settings.missing_documents, reference=reference)
    problems = [*ours.problems, *theirs.problems]
    result = score_pairing(pairing, settings, metrics, name=theirs.path, problems=problems)
    return replace(result, matchings=())


def count_jobs(jobs: int | str) -> int:
    """The number of processes that `jobs` asks for.

    >>> count_jobs(3), count_jobs("all") == count_jobs(0) > 0
    (3, True)
    """
    if jobs == "all":
        jobs = 0
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 0:
        raise UsageError(f"jobs are a number of processes, 0 or all for every core, not {jobs!r}")
    if jobs:
        return jobs
    # Fewer than the machine has, where a process is kept to some of them.
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def score_pieces(
    key: str,
    responses: Sequence[str],
    settings: Settings,
    metrics: Sequence[str],
    *,
    format: str | None = None,
    jobs: int | str = 1,
    progress: Told | None = None,
    piece: int | None = None,
    small: int | None = None,
) -> list[Result] | None:
    """The results of the responses, or None if the files are small or cannot be scored in pieces.

    None says nothing of what is wrong: to read the files at once does. `piece` is the size of a
    piece of the key in bytes, `small` that of files which are not cut.

    >>> from sameas.examples import example_path
    >>> key = str(example_path("key.conll"))
    >>> (result,) = score_pieces(key, [key], Settings(), ["muc"], piece=1000, small=0)
    >>> len(result), result["muc"].f1
    (4, 1.0)
    """
    jobs = count_jobs(jobs)
    # Entities of a topic or a corpus reach over every cut.
    if settings.scope != "document" or "-" in (key, *responses):
        return None
    work = _Work(settings, tuple(metrics), format)
    try:
        with _read_later():
            sources = [_source(path, work) for path in (key, *responses)]
        size = sum(source.size for source in sources)
        if size <= (SMALL if small is None else small):
            return None
        # Some pieces for each process, so that none has much left to do while the others wait.
        most = piece or min(max(sources[0].size // (jobs * 8), LEAST), PIECE)
        names: set[str] = set()
        ours, theirs = _Read(sources[0]), [_Total(_Read(source)) for source in sources[1:]]
        done = 0
        for outcome in _run(_tasks(sources, most), work, jobs):
            if not names.isdisjoint(outcome.names):
                raise _CannotCutError
            names.update(outcome.names)
            ours.add(outcome.key)
            for total, scored in zip(theirs, outcome.scored, strict=True):
                total.add(scored, names, outcome.names)
            done += outcome.size
            if progress:
                progress(done, size)
        return [total.result(work, ours) for total in theirs]
    except _CannotCutError:
        return None


@contextmanager
def _read_later() -> Iterator[None]:
    """What cannot be read is told by reading all at once, in the words of `read`."""
    try:
        yield
    except (OSError, ValueError):
        raise _CannotCutError from None


# --- pieces -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Part:
    """A file of a folder, or some bytes of a file, from one document to another."""

    path: str
    start: int
    stop: int
    whole: bool = True
    format: str | None = None
    schema: bytes = b""  # the comment before it that names the fields of what follows


class _Task(NamedTuple):
    """A piece of the key, and of every response."""

    key: Sequence[_Part]
    responses: Sequence[Sequence[_Part]]


@dataclass(frozen=True)
class _Source:
    """A key or a response: a file, or a folder of them by their names in it."""

    path: str
    size: int
    format: str | None = None  # of a file
    files: dict[str, _Part] | None = None
    passed: Sequence[Problem] = ()


def _source(path: str, work: _Work) -> _Source:
    if os.path.isdir(path):
        return _folder(path, work)
    size = os.path.getsize(path)
    with open(path, "rb") as file:
        head = file.read(1 << 16)
    format = work.format or _sniffed(head, path)
    # What is packed, in wide signs or without the line ends we look for, is rare in large files.
    if (
        format not in _MARKS
        or (work.reference and format != "conll")
        or head.startswith((b"\x1f\x8b", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"))
        or b"\0" in head
        or (b"\r" in head and (format in ("conllu", "ua") or b"\n" not in head))
    ):
        raise _CannotCutError
    return _Source(path, size, format)


def _sniffed(head: bytes, path: str) -> str:
    start = head.lstrip()
    if start[:1] == b"{" and not re.match(rb'[^\n]*"(doc_key|sentences)"', start):
        raise _CannotCutError  # to know what this is one has to read all of it
    return sniff(head, path)


def _folder(folder: str, work: _Work) -> _Source:
    """The files that `read` reads of a folder, and what it says of the others."""
    paths, passed = folder_files(folder)
    files = {
        os.path.relpath(path, folder): _Part(path, 0, os.path.getsize(path), format=work.format)
        for path in paths
    }
    size = sum(part.stop for part in files.values())
    return _Source(folder, size, files=files, passed=passed)


def _tasks(sources: Sequence[_Source], piece: int) -> Iterator[_Task]:
    folders = [source.files for source in sources if source.files is not None]
    if len(folders) == len(sources):
        return _folder_tasks(folders, piece)
    conllu = {source.format == "conllu" for source in sources}
    # The words of CoNLL-U and another format are compared over the whole corpus.
    if folders or len(conllu) > 1:
        raise _CannotCutError
    return _file_tasks(sources, piece)


def _folder_tasks(folders: Sequence[dict[str, _Part]], piece: int) -> Iterator[_Task]:
    """Files of one name together; small ones in one task, which saves time."""
    if any(folders[0].keys().isdisjoint(folder) for folder in folders[1:]):
        raise _CannotCutError
    group: list[str] = []
    size = 0
    for name in sorted({name for folder in folders for name in folder}):
        group.append(name)
        size += max(folder[name].stop for folder in folders if name in folder)
        if size >= piece:
            yield _together(folders, group)
            group, size = [], 0
    if group:
        yield _together(folders, group)


def _together(folders: Sequence[dict[str, _Part]], names: Sequence[str]) -> _Task:
    parts = [[folder[name] for name in names if name in folder] for folder in folders]
    return _Task(parts[0], parts[1:])


class _Head(NamedTuple):
    """Where a document begins in a file, and its name as far as a glance tells."""

    name: str
    start: int
    schema: bytes


#: What stands before the first line of a document at least, by format.
_MARKS = {"conll": b"\n", "jsonlines": b"\n", "conllu": b"\n\n", "ua": b"\n\n"}
_SCHEMAS = {"conllu": b"global.Entity", "ua": b"global.columns"}
_NEWDOC = re.compile(rb"#\s*newdoc\b(?:\s+id\b)?\s*=?\s*(.*)")
_DOC_KEY = re.compile(rb'"doc_key"\s*:\s*("(?:[^"\\]|\\.)*")')


def _file_tasks(sources: Sequence[_Source], piece: int) -> Iterator[_Task]:
    """Pieces of the key, and from every response what comes before the next piece begins."""
    pieces = _pieces(sources[0], piece)
    rests = [_Rest(source) for source in sources[1:]]
    part, _ = next(pieces)
    for following, names in itertools.chain(pieces, [(None, None)]):
        # A response of another order has the next piece anywhere, or behind it already.
        limit = 8 * max(piece, part.stop - part.start) + BLOCK
        yield _Task([part], [[rest.until(names, limit)] for rest in rests])
        part = following or part


def _pieces(source: _Source, piece: int) -> Iterator[tuple[_Part, set[str]]]:
    begin = _Head("", 0, b"")
    names: set[str] = set()
    for head in _heads(source):
        if names and head.start - begin.start >= piece:
            yield _between(source, begin, head.start), names
            begin, names = head, set()
        names.add(head.name)
    yield _between(source, begin, source.size), names


def _between(source: _Source, begin: _Head, stop: int) -> _Part:
    return _Part(source.path, begin.start, stop, False, source.format, begin.schema)


class _Rest:
    """What of a response has not been given out."""

    def __init__(self, source: _Source) -> None:
        self.source = source
        self.begin = _Head("", 0, b"")
        self.heads = _heads(source)

    def until(self, names: set[str] | None, limit: int) -> _Part:
        """The part before the first document with one of the names, or all."""
        begin, stop = self.begin, None
        if names is not None:
            for head in self.heads:
                if head.name in names:
                    self.begin, stop = head, head.start
                    break
                if head.start - begin.start > limit:
                    raise _CannotCutError
        if stop is None:
            stop = self.source.size
            self.begin = _Head("", stop, b"")
        if stop - begin.start > limit:
            raise _CannotCutError
        return _between(self.source, begin, stop)


def _heads(source: _Source) -> Iterator[_Head]:
    """Where documents begin, in whole blocks of lines."""
    assert source.format is not None
    find, mark = _FIND[source.format], _MARKS[source.format]
    schema_word = _SCHEMAS.get(source.format)
    schema = b""
    # As if the file had an empty line before its first, so that each document has one.
    held, base = mark, -len(mark)
    with _read_later(), open(source.path, "rb") as file:
        more = True
        while more:
            block = file.read(max(BLOCK, len(held)))
            more = bool(block)
            buffer = held + block
            stop = buffer.rfind(mark) if more else len(buffer)
            searched = 0
            for start, name in find(buffer, stop):
                if schema_word:
                    schema = _last_schema(buffer, schema_word, searched, start) or schema
                    searched = start
                yield _Head(name, base + start, schema)
            if schema_word:
                schema = _last_schema(buffer, schema_word, searched, stop) or schema
            held, base = buffer[stop:], base + stop
            if len(held) > 16 * PIECE:
                raise _CannotCutError  # no document ends here


def _conll_heads(buffer: bytes, stop: int) -> Iterator[tuple[int, str]]:
    word = b"\n#begin document"
    at = buffer.find(word, 0, stop)
    while at >= 0:
        end = buffer.find(b"\n", at + 1)
        header = buffer[at + len(word) : end if end >= 0 else None]
        yield at + 1, document_name(header.decode("utf-8", "backslashreplace"))
        at = buffer.find(word, at + 1, stop)


def _jsonlines_heads(buffer: bytes, stop: int) -> Iterator[tuple[int, str]]:
    start = 1  # behind the line end that every block begins with
    while start <= stop:
        end = buffer.find(b"\n", start, stop)
        end = end if end >= 0 else stop
        found = _DOC_KEY.search(buffer, max(buffer.find(b'"doc_key"', start, end), start), end)
        if found:
            yield start, _text(found[1])
        start = end + 1


def _text(quoted: bytes) -> str:
    import json

    try:
        return str(json.loads(quoted))
    except ValueError:
        return ""


def _newdoc_heads(buffer: bytes, stop: int) -> Iterator[tuple[int, str]]:
    at = buffer.find(b"newdoc", 0, stop)
    while at >= 0:
        begin = buffer.rfind(b"\n", 0, at) + 1
        end = buffer.find(b"\n", at)
        found = _NEWDOC.match(buffer[begin : end if end >= 0 else None])
        start = buffer.rfind(b"\n\n", 0, begin) + 2
        # A document begins with the comments around its name, after an empty line.
        if found and start >= 2 and b"\n" not in re.sub(rb"(?m)^#.*\n", b"", buffer[start:begin]):
            yield start, found[1].strip().decode("utf-8", "backslashreplace")
        at = buffer.find(b"newdoc", at + 1, stop)


def _last_schema(buffer: bytes, word: bytes, start: int, stop: int) -> bytes:
    """The last comment between these places that names fields."""
    at = buffer.rfind(word, start, stop)
    while at >= 0:
        begin, end = buffer.rfind(b"\n", 0, at) + 1, buffer.find(b"\n", at)
        if re.fullmatch(rb"#\s*", buffer[begin:at]) and end >= 0:
            return buffer[begin : end + 1]
        at = buffer.rfind(word, start, at)
    return b""


_FIND = {
    "conll": _conll_heads,
    "jsonlines": _jsonlines_heads,
    "conllu": _newdoc_heads,
    "ua": _newdoc_heads,
}


# --- a piece scored -----------------------------------------------------------------------------


class _Glimpse(NamedTuple):
    """What pairing looks at in a document, whose mentions were scored and forgotten."""

    name: str
    mention_count: int
    token_count: int
    unit: str

    @property
    def text(self) -> _Glimpse:
        """Its words, which are only counted."""
        return self

    @property
    def origin(self) -> Origin:
        """Its place, which nothing is said of."""
        return Origin()

    @classmethod
    def of(cls, document: Document) -> _Glimpse:
        """That of a document."""
        tokens = document.text.token_count
        return cls(document.name, document.mention_count, tokens, document.unit)


class _Side(NamedTuple):
    """What reading a piece of one side told."""

    problems: Sequence[Problem]
    start: int  # the byte from which their lines count
    marks: frozenset[str] | None  # what must be so in all pieces or in none; None without documents


class _Scored(NamedTuple):
    """A piece of a response, scored."""

    side: _Side
    statistics: Statistics | None  # None without documents
    genres: dict[str, str]
    notes: Sequence[str]
    counted: tuple[bool, bool, bool]  # whether the key, the response and both have mentions
    key: Sequence[_Glimpse]  # documents that pairing may have to speak of
    response: Sequence[_Glimpse]
    usual: _Glimpse | None  # one of those that it need not
    extra: frozenset[str]  # names that the key does not have here


class _Outcome(NamedTuple):
    """A task done."""

    names: frozenset[str]  # of the key's documents
    key: _Side
    scored: Sequence[_Scored]
    size: int


@dataclass(frozen=True)
class _Work:
    """How to score a task; goes to other processes."""

    settings: Settings
    metrics: Sequence[str]
    format: str | None

    @property
    def reference(self) -> bool:
        """Whether to read as the reference scorer does."""
        return self.settings.compat == "conll-8.01"

    def do(self, task: _Task) -> _Outcome | None:
        """Score the piece; None if everything has to be read at once."""
        try:
            ours, key = self._read(task.key, "key")
            names = frozenset(document.name for document in ours.documents)
            if len(names) < len(ours.documents):
                return None
            scored = [self._score(ours, key, names, parts) for parts in task.responses]
        except (SameasError, _CannotCutError, OSError):
            return None
        size = sum(
            part.stop - part.start for parts in (task.key, *task.responses) for part in parts
        )
        return _Outcome(names, key, scored, size)

    def _read(self, parts: Sequence[_Part], role: str) -> tuple[Corpus, _Side]:
        documents: list[Document] = []
        problems: list[Problem] = []
        marks: frozenset[str] | None = None
        for part in parts:
            if not part.whole and part.start == part.stop:
                continue
            if part.whole:
                data = file_bytes(part.path)
                named = (role, self.reference, True, True)
                corpus = read_bytes(data, part.path, part.format, *named)
                marks = (marks or frozenset()) | {
                    "conllu" if corpus.format == "conllu" else "other"
                }
                found = corpus.problems
            else:
                corpus, found, marks = _read_part(part, role, self.reference)
            # The reference scorer refuses only what it scores: the corpus decides.
            if any(problem.severity == "error" for problem in found):
                raise _CannotCutError
            documents += corpus.documents
            problems += found
        return Corpus(documents, problems=problems), _Side(
            problems, parts[0].start if parts else 0, marks
        )

    def _score(
        self, ours: Corpus, key: _Side, names: frozenset[str], parts: Sequence[_Part]
    ) -> _Scored:
        theirs, side = self._read(parts, "response")
        # As in `_tasks`, but files of a folder tell their format only when they are read.
        if any(part.whole for part in parts) and key.marks not in (None, side.marks):
            raise _CannotCutError
        found = {document.name: document for document in theirs.documents}
        if len(found) < len(theirs.documents):
            raise _CannotCutError
        common = [document for document in ours.documents if document.name in found]
        # Says whether words and units agree; who is missing shows when all pieces are done.
        pair_documents(
            Corpus(common),
            Corpus([found[document.name] for document in common]),
            reference=self.reference,
        )
        scored = ours.documents if self.settings.missing_documents != "skip" else common
        pairs = [(one, found.get(one.name) or Document(one.name)) for one in scored]
        told = [one for one in ours.documents if _is_unusual(one, found.get(one.name))]
        usual = (one for one in common if not _is_unusual(one, found[one.name]))
        extra = [other for other in theirs.documents if other.name not in names]
        glimpses = (
            [_Glimpse.of(one) for one in told],
            [_Glimpse.of(found[one.name]) for one in told if one.name in found]
            + [_Glimpse.of(other) for other in extra],
            next(map(_Glimpse.of, usual), None),
            frozenset(other.name for other in extra),
        )
        if not pairs:
            return _Scored(side, None, {}, (), (False, False, False), *glimpses)
        pairing = Pairing(
            [one for one, _ in pairs], [other for _, other in pairs], [one.name for one, _ in pairs]
        )
        result = score_pairing(pairing, self.settings, self.metrics)
        (matching,) = result.matchings
        if matching.lookup is not None:
            raise _CannotCutError  # the CorefUD scorer sees ids of the whole file
        notes = [note for note in result.notes if note != _APART]
        has_key, has_response = len(matching.key.mention) > 0, len(matching.response.mention) > 0
        both = has_key and has_response and len(notes) == len(result.notes)
        counted = (has_key, has_response, both)
        return _Scored(side, result.statistics, dict(result.genres), notes, counted, *glimpses)


_APART = "key and response share no mention"


def _is_unusual(one: Document, other: Document | None) -> bool:
    """Whether pairing may have something to say of a document."""
    return (
        other is None
        or (one.mention_count > 0 and not other.mention_count)
        or one.text.token_count != other.text.token_count
    )


#: Warnings that come once a file, wherever their reason is.
_ONCE = frozenset({"lines end in CR LF", "`predicted_clusters` are scored, not `clusters`"})
_SUMMED = re.compile(r"\d+ (comment )?line\(s\) ")
_COMMENTS = re.compile(rb"(?:#[^\n]*\n|\n)*")


def _read_part(
    part: _Part, role: str, reference: bool
) -> tuple[Corpus, Sequence[Problem], frozenset[str]]:
    """The documents of a piece, and its problems, whose lines count from where it starts."""
    with open(part.path, "rb") as file:
        file.seek(part.start)
        data = file.read(part.stop - part.start)
    added = 0
    word = _SCHEMAS.get(part.format or "")
    if word and part.schema:
        comments = _COMMENTS.match(data)
        if comments and word not in comments[0]:
            data, added = part.schema + data, 1
    marks: set[str] = set()
    if part.format == "jsonlines":
        import json

        from sameas.coref.read.jsonlines import read_jsonlines

        corpus = read_jsonlines(data, part.path, role=role)
        if role == "response" and b'"predicted_clusters"' in data:
            if "predicted_clusters" not in json.loads(data.lstrip().split(b"\n", 1)[0]):
                raise _CannotCutError  # which clusters are meant, all lines together tell
            marks.add("predicted")
    elif part.format == "conllu":
        from sameas.coref.read.conllu import read_conllu

        corpus = read_conllu(data, part.path)
    elif part.format == "ua":
        from sameas.coref.read.ua import read_ua

        corpus = read_ua(data, part.path)
    else:
        # Where no line ends a document, the reference scorer reads on.
        if reference and data.rfind(b"#end document") < data.rfind(b"#begin document"):
            raise _CannotCutError
        corpus = read_conll(data, part.path, reference=reference)
    if any(document.origin.unnamed for document in corpus.documents):
        raise _CannotCutError  # their number in the file is their name
    problems = []
    for problem in corpus.problems:
        if _SUMMED.match(problem.message):
            raise _CannotCutError
        if problem.message in _ONCE:
            marks.add(problem.message)
            if part.start:
                continue
        problems.append(replace(problem, line=problem.line - added))
    return corpus, problems, frozenset(marks)


# --- pieces together ----------------------------------------------------------------------------


@dataclass
class _Read:
    """What the pieces of one side told, so far."""

    source: _Source
    problems: list[Problem] = field(default_factory=list)
    marks: frozenset[str] | None = None
    lines: tuple[int, int] = (0, 0)  # a place in the file, and how many lines come before it

    def __post_init__(self) -> None:
        self.problems += self.source.passed

    def add(self, side: _Side) -> None:
        """One piece more."""
        if side.problems and side.start:
            before = self._lines_before(side.start)
            self.problems += [replace(found, line=found.line + before) for found in side.problems]
        else:
            self.problems += side.problems
        if side.marks is not None:
            if self.marks not in (None, side.marks):
                raise _CannotCutError
            self.marks = side.marks

    def _lines_before(self, start: int) -> int:
        # Most files have no problems, and nobody has to count their lines.
        place, lines = self.lines
        with _read_later(), open(self.source.path, "rb") as file:
            file.seek(place)
            while place < start:
                block = file.read(min(BLOCK, start - place))
                if not block:
                    raise _CannotCutError  # somebody cut the file
                place, lines = place + len(block), lines + block.count(b"\n")
        self.lines = (place, lines)
        return lines


@dataclass
class _Total:
    """The pieces of a response, so far."""

    read: _Read
    rows: list[Statistics] = field(default_factory=list)
    genres: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    counted: tuple[bool, bool, bool] = (False, False, False)
    key: list[_Glimpse] = field(default_factory=list)
    response: list[_Glimpse] = field(default_factory=list)
    usual: _Glimpse | None = None
    extra: set[str] = field(default_factory=set)

    def add(self, scored: _Scored, names: set[str], new: frozenset[str]) -> None:
        """One piece more; `names` are those of the key's documents, `new` those of this piece."""
        self.read.add(scored.side)
        # A document that key and response have in different pieces.
        if not (self.extra.isdisjoint(new) and names.isdisjoint(scored.extra)):
            raise _CannotCutError
        if not self.extra.isdisjoint(scored.extra):
            raise _CannotCutError
        self.extra |= scored.extra
        if scored.statistics is not None:
            self.rows.append(scored.statistics)
        self.genres |= scored.genres
        self.notes = _join_notes([*self.notes, *scored.notes])
        one, two, both = (a or b for a, b in zip(self.counted, scored.counted, strict=True))
        self.counted = (one, two, both)
        self.key += scored.key
        self.response += scored.response
        self.usual = self.usual or scored.usual

    def result(self, work: _Work, key: _Read) -> Result:
        """All pieces as one."""
        settings = work.settings
        usual = [] if self.usual is None else [self.usual]
        sides: list[Any] = [[*usual, *self.key], [*usual, *self.response]]
        missing = settings.missing_documents
        try:
            pairing = pair_documents(
                Corpus(sides[0]), Corpus(sides[1]), missing=missing, reference=work.reference
            )
        except SameasError:
            raise _CannotCutError from None  # it is said with paths and lines
        if not self.rows:
            raise _CannotCutError
        has_key, has_response, both = self.counted
        apart = [_APART] * (has_key and has_response and not both)
        return Result(
            join_statistics(self.rows),
            settings,
            work.metrics,
            self.read.source.path,
            [*pairing.notes, *self.notes, *apart],
            [*key.problems, *self.read.problems],
            (),
            self.genres,
        )


def _join_notes(notes: Iterable[str]) -> list[str]:
    """What matching notes, with the counts of all pieces, in its order."""
    found = add_notes(notes)
    if any(note_order(note) == (0, 0) for note in found):  # nobody knows how those add
        raise _CannotCutError
    return sorted(found, key=note_order)


# --- processes ----------------------------------------------------------------------------------


def _run(tasks: Iterator[_Task], work: _Work, jobs: int) -> Iterator[_Outcome]:
    """What comes out of the tasks, in their order."""
    if jobs > 1:
        from multiprocessing import current_process

        # A process of somebody's pool may not have processes of its own.
        jobs = 1 if current_process().daemon else jobs
    for outcome in map(work.do, tasks) if jobs == 1 else _run_in_processes(tasks, work, jobs):
        if outcome is None:
            raise _CannotCutError
        yield outcome


def _run_in_processes(tasks: Iterator[_Task], work: _Work, jobs: int) -> Iterator[_Outcome | None]:
    from multiprocessing.connection import wait

    workers: dict[Any, Any] = {}  # processes by the connection to them
    idle: list[Any] = []
    busy: dict[Any, int] = {}  # the number of the task that each has
    done: dict[int, _Outcome | None] = {}
    numbered = enumerate(tasks)
    taken = 0
    try:
        while True:
            while idle or len(workers) < jobs:
                number, task = next(numbered, (-1, None))
                if task is None:
                    break
                if not idle:
                    connection, process = _start(work)
                    workers[connection] = process
                    idle.append(connection)
                connection = idle.pop()
                busy[connection] = number
                try:
                    connection.send(task)
                except OSError:
                    raise _died(workers[connection]) from None
            if not busy:
                return
            ready: list[Any] = wait(list(busy))
            for connection in ready:
                try:
                    found = connection.recv()
                except (EOFError, OSError):
                    raise _died(workers[connection]) from None
                if isinstance(found, BaseException):
                    raise found
                done[busy.pop(connection)] = found
                idle.append(connection)
            while taken in done:
                yield done.pop(taken)
                taken += 1
    finally:
        # They keep nothing that is worth a farewell.
        for process in workers.values():
            process.kill()
        for connection, process in workers.items():
            process.join()
            connection.close()


def _start(work: _Work) -> tuple[Any, Any]:
    """A new process that does tasks, and the connection to it."""
    from multiprocessing import get_context

    # Not `fork`: it copies locks that other threads hold, and not every system has it.
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, work), daemon=True)
    try:
        with _undisturbed():
            process.start()
    except OSError as error:
        message = f"no process can be started: {error.strerror}; try with fewer jobs"
        raise SameasError(message) from None
    theirs.close()
    return ours, process


@contextmanager
def _undisturbed() -> Iterator[None]:
    """While a process starts: it must not run the user's script again, nor hear Ctrl-C.

    A new process imports `__main__`, which it does not need here: scripts without a guard would
    begin anew in it, and what was typed into an interpreter cannot be imported. Ctrl-C goes to
    every process of the terminal; only ours answers it, and ends the others.
    """
    import signal

    block = getattr(signal, "pthread_sigmask", None)  # not on Windows
    before = block(signal.SIG_BLOCK, {signal.SIGINT}) if block else None
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
        if block:
            block(signal.SIG_SETMASK, before)


def _serve(connection: Any, work: _Work) -> None:
    """Do one task after another, until nobody asks any more."""
    import gc
    import signal

    gc.disable()  # as on the command line: a piece leaves no cycles behind
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        while True:
            task = connection.recv()
            try:
                found: Any = work.do(task)
            except Exception as error:
                found = error
            connection.send(found)
    except (EOFError, OSError, KeyboardInterrupt):
        pass


def _died(process: Any) -> SameasError:
    process.join(1)
    code = process.exitcode
    how = f"was ended by signal {-code}" if code and code < 0 else f"ended with code {code}"
    return SameasError(
        f"a process that was scoring {how}; if memory was short, try with fewer jobs"
    )
