"""Large files and folders to a result, piece by piece, in one process or in several.

Documents are scored one by one, so a corpus can be cut between any two of them: each piece is read,
scored and forgotten, and only its rows of numbers stay. A folder is cut between its files, a file
between its documents, the pieces of the key and of the response having the same documents
(`pieces.py`). Several processes may share them (`processes.py`).

The answer is that of reading everything at once, to the last note and warning. Whatever a piece
cannot know of the others (an error and its line, a document that comes again or in another piece)
is not guessed at: then everything is read at once after all.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from sameas.coref.document import Corpus, Document, Origin
from sameas.coref.pairing import Pairing, pair_documents
from sameas.coref.pieces import (
    BLOCK,
    SCHEMAS,
    CannotCutError,
    Part,
    Source,
    Task,
    cut,
    find_source,
    read_later,
)
from sameas.coref.read import CHECKED, read, read_bytes
from sameas.coref.read.conll import read_conll
from sameas.coref.scoring import score_pairing
from sameas.coref.statistics import Statistics, join_statistics
from sameas.coref.wording import Difference
from sameas.encoding import Fault, find_faults
from sameas.errors import Problem, SameasError
from sameas.files import file_bytes
from sameas.notes import APART, add_notes, code_of, note_order
from sameas.processes import count_jobs, run
from sameas.result import Result
from sameas.signature import Settings

__all__ = ["score_at_once", "score_pieces", "score_streaming"]

SMALL = 8 << 20  # bytes in all that are read at once: cutting them would not pay
PIECE = 8 << 20  # bytes of the key in a piece, at most, as far as documents allow
LEAST = 2 << 20  # bytes of the key in a piece, at least, if that makes work for every process

Told = Callable[[int, int], None]  # bytes done, bytes in all


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
    result = score_at_once(key, response, settings, metrics, format)
    return replace(result, matchings=())


def score_at_once(
    key: str, response: str, settings: Settings, metrics: Sequence[str], format: str | None = None
) -> Result:
    """Read a file or folder whole, and score it.

    >>> from sameas.examples import example_path
    >>> path = str(example_path("key.conll"))
    >>> score_at_once(path, path, Settings(), ["muc"])["muc"].f1
    1.0
    """
    reference = settings.compat == "conll-8.01"
    ours = read(key, format=format, role="key", reference=reference)
    theirs = read(response, format=format, role="response", reference=reference)
    pairing = pair_documents(ours, theirs, missing=settings.missing_documents, reference=reference)
    problems = [*ours.problems, *theirs.problems]
    return score_pairing(pairing, settings, metrics, name=theirs.path, problems=problems)


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
        with read_later():
            sources = [
                find_source(path, format, reference=work.reference) for path in (key, *responses)
            ]
        size = sum(source.size for source in sources)
        if size <= (SMALL if small is None else small):
            return None
        # Some pieces for each process, so that none has much left to do while the others wait.
        most = piece or min(max(sources[0].size // (jobs * 8), LEAST), PIECE)
        names: set[str] = set()
        ours, theirs = _Read(sources[0]), [_Total(_Read(source)) for source in sources[1:]]
        done = 0
        # Closed at once: a traceback that is kept would keep the processes.
        with closing(run(work.do, cut(sources, most), jobs)) as outcomes:
            for outcome in outcomes:
                if outcome is None or not names.isdisjoint(outcome.names):
                    raise CannotCutError
                names.update(outcome.names)
                ours.add(outcome.key)
                for total, scored in zip(theirs, outcome.scored, strict=True):
                    total.add(scored, names, outcome.names)
                done += outcome.size
                if progress:
                    progress(done, size)
        return [total.result(work, ours) for total in theirs]
    except CannotCutError:
        return None


# --- a piece scored -----------------------------------------------------------------------------


class _Glimpse(NamedTuple):
    """What pairing looks at in a document, whose mentions were scored and forgotten."""

    name: str
    mention_count: int
    token_count: int
    unit: str
    difference: Difference | None = None  # where its words begin to differ from the key's

    @property
    def text(self) -> _Glimpse:
        """Its words, which are only counted."""
        return self

    @property
    def origin(self) -> Origin:
        """Its place, which nothing is said of."""
        return Origin()

    @classmethod
    def of(cls, document: Document, difference: Difference | None = None) -> _Glimpse:
        """That of a document."""
        tokens = document.text.token_count
        return cls(document.name, document.mention_count, tokens, document.unit, difference)


class _Side(NamedTuple):
    """What reading a piece of one side told."""

    problems: Sequence[Problem]
    faults: Sequence[Fault]  # of a piece of a file; those of whole files are among the problems
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

    def do(self, task: Task) -> _Outcome | None:
        """Score the piece; None if everything has to be read at once."""
        try:
            ours, key = self._read(task.key, "key")
            names = frozenset(document.name for document in ours.documents)
            if len(names) < len(ours.documents):
                return None
            scored = [self._score(ours, key, names, parts) for parts in task.responses]
        except (SameasError, CannotCutError, OSError):
            return None
        size = sum(
            part.stop - part.start for parts in (task.key, *task.responses) for part in parts
        )
        return _Outcome(names, key, scored, size)

    def _read(self, parts: Sequence[Part], role: str) -> tuple[Corpus, _Side]:
        documents: list[Document] = []
        problems: list[Problem] = []
        faults: list[Fault] = []
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
                corpus, found, faults, marks = _read_part(part, role, self.reference)
            # The reference scorer refuses only what it scores: the corpus decides.
            if any(problem.severity == "error" for problem in found):
                raise CannotCutError
            documents += corpus.documents
            problems += found
        return Corpus(documents, problems=problems), _Side(
            problems, faults, parts[0].start if parts else 0, marks
        )

    def _score(
        self, ours: Corpus, key: _Side, names: frozenset[str], parts: Sequence[Part]
    ) -> _Scored:
        theirs, side = self._read(parts, "response")
        # As in `cut`, but files of a folder tell their format only when they are read.
        if any(part.whole for part in parts) and key.marks not in (None, side.marks):
            raise CannotCutError
        found = {document.name: document for document in theirs.documents}
        if len(found) < len(theirs.documents):
            raise CannotCutError
        common = [document for document in ours.documents if document.name in found]
        # Says whether words and units agree; who is missing shows when all pieces are done.
        paired = pair_documents(
            Corpus(common),
            Corpus([found[document.name] for document in common]),
            reference=self.reference,
        )
        differ = {
            document.name: difference
            for document, difference in zip(common, paired.differences, strict=True)
            if difference
        }
        scored = ours.documents if self.settings.missing_documents != "skip" else common
        pairs = [(one, found.get(one.name) or Document(one.name)) for one in scored]
        told = [
            one
            for one in ours.documents
            if one.name in differ or _is_unusual(one, found.get(one.name))
        ]
        usual = (
            one
            for one in common
            if one.name not in differ and not _is_unusual(one, found[one.name])
        )
        extra = [other for other in theirs.documents if other.name not in names]
        glimpses = (
            [_Glimpse.of(one) for one in told],
            [
                _Glimpse.of(found[one.name], differ.get(one.name))
                for one in told
                if one.name in found
            ]
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
            raise CannotCutError  # the CorefUD scorer sees ids of the whole file
        notes = [note for note in result.notes if note != APART]
        has_key, has_response = len(matching.key.mention) > 0, len(matching.response.mention) > 0
        both = has_key and has_response and len(notes) == len(result.notes)
        counted = (has_key, has_response, both)
        return _Scored(side, result.statistics, dict(result.genres), notes, counted, *glimpses)


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
    part: Part, role: str, reference: bool
) -> tuple[Corpus, Sequence[Problem], list[Fault], frozenset[str]]:
    """The documents of a piece, and what is wrong, with lines that count from where it starts."""
    with open(part.path, "rb") as file:
        file.seek(part.start)
        data = file.read(part.stop - part.start)
    faults = find_faults(data) if part.format in CHECKED else []
    added = 0
    word = SCHEMAS.get(part.format or "")
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
                raise CannotCutError  # which clusters are meant, all lines together tell
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
            raise CannotCutError
        corpus = read_conll(data, part.path, reference=reference)
    if any(document.origin.unnamed for document in corpus.documents):
        raise CannotCutError  # their number in the file is their name
    problems = []
    for problem in corpus.problems:
        if _SUMMED.match(problem.message):
            raise CannotCutError
        if problem.message in _ONCE:
            marks.add(problem.message)
            if part.start:
                continue
        problems.append(replace(problem, line=problem.line - added))
    return corpus, problems, faults, frozenset(marks)


# --- pieces together ----------------------------------------------------------------------------


@dataclass
class _Read:
    """What the pieces of one side told, so far."""

    source: Source
    problems: list[Problem] = field(default_factory=list)
    faults: dict[bool, Fault] = field(default_factory=dict)  # by whether they are NUL bytes
    marks: frozenset[str] | None = None
    lines: tuple[int, int] = (0, 0)  # a place in the file, and how many lines come before it

    def __post_init__(self) -> None:
        self.problems += self.source.passed

    def add(self, side: _Side) -> None:
        """One piece more."""
        new = [fault for fault in side.faults if (fault.byte == b"\0") not in self.faults]
        before = self._lines_before(side.start) if side.start and (side.problems or new) else 0
        self.problems += [replace(found, line=found.line + before) for found in side.problems]
        for fault in side.faults:
            kind = fault.byte == b"\0"
            earlier = self.faults.get(kind)
            self.faults[kind] = earlier + fault if earlier else fault.moved(before)
        if side.marks is not None:
            if self.marks not in (None, side.marks):
                raise CannotCutError
            self.marks = side.marks

    def told(self) -> list[Problem]:
        """Everything, as `read` tells it."""
        path = self.source.path
        faults = [fault.problem(path, "warning") for _, fault in sorted(self.faults.items())]
        return [*faults, *self.problems]

    def _lines_before(self, start: int) -> int:
        # Most files have no problems, and nobody has to count their lines.
        place, lines = self.lines
        with read_later(), open(self.source.path, "rb") as file:
            file.seek(place)
            while place < start:
                block = file.read(min(BLOCK, start - place))
                if not block:
                    raise CannotCutError  # somebody cut the file
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
    sample: list[str] = field(default_factory=list)  # holds of a table that is the only document

    def add(self, scored: _Scored, names: set[str], new: frozenset[str]) -> None:
        """One piece more; `names` are those of the key's documents, `new` those of this piece."""
        self.read.add(scored.side)
        # A document that key and response have in different pieces.
        if not (self.extra.isdisjoint(new) and names.isdisjoint(scored.extra)):
            raise CannotCutError
        if not self.extra.isdisjoint(scored.extra):
            raise CannotCutError
        self.extra |= scored.extra
        if scored.statistics is not None:
            self.rows.append(scored.statistics)
        self.genres |= scored.genres
        self.sample += [note for note in scored.notes if code_of(note) == "sample"]
        others = [note for note in scored.notes if code_of(note) != "sample"]
        self.notes = _join_notes([*self.notes, *others])
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
            raise CannotCutError from None  # it is said with paths and lines
        if not self.rows:
            raise CannotCutError
        has_key, has_response, both = self.counted
        apart = [APART] * (has_key and has_response and not both)
        statistics = join_statistics(self.rows)
        sample = self.sample if len(statistics.documents) == 1 else []
        return Result(
            statistics,
            settings,
            work.metrics,
            self.read.source.path,
            [*pairing.notes, *sample, *self.notes, *apart],
            [*key.told(), *self.read.told()],
            (),
            self.genres,
        )


def _join_notes(notes: Iterable[str]) -> list[str]:
    """What matching notes, with the counts of all pieces, in its order."""
    found = add_notes(notes)
    if any(note_order(note) == (0, 0) for note in found):  # nobody knows how those add
        raise CannotCutError
    return sorted(found, key=note_order)
