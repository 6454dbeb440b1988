"""Score large files and folders piece by piece, in one process or in several.

Documents are scored one by one, so a corpus can be cut between any two of them. Each piece is read,
scored and discarded, and only its rows of numbers are kept. Folders are cut between files, and
files between documents, so that the pieces of key and responses contain the same documents
(`cutting.py`). Several processes may share the pieces (`processes.py`).

The result equals that of reading everything at once, including every note and warning. If a piece
alone cannot ensure this (because of an error, or a document that is repeated or also in another
piece), everything is read at once instead.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

from sameas.authorities import authority_of
from sameas.documents.document import Corpus, Document
from sameas.errors import Problem, sort_problems
from sameas.files import file_bytes, opened, read_part
from sameas.formats.reading import read_bytes
from sameas.results.result import Result
from sameas.run import Plan, memory
from sameas.run.cutting import (
    BLOCK,
    SCHEMAS,
    CannotCutError,
    FilePart,
    FileSource,
    PieceTask,
    cut,
    find_source,
    read_later,
)
from sameas.run.processes import count_jobs, run_tasks
from sameas.settings import Settings

__all__ = ["rows", "score_pieces"]

SMALL = 8 << 20  # total bytes up to which cutting does not pay off
PIECE = 8 << 20  # maximum bytes of the key in a piece, as far as documents allow
LEAST = 2 << 20  # minimum bytes of the key in a piece


def rows(plan: Plan) -> Iterator[Sequence[Result]]:
    """Return the results piece by piece, or for everything at once if nothing can be cut."""
    try:
        return iter(score_pieces(plan))
    except CannotCutError:
        return memory.rows(plan)


def score_pieces(
    plan: Plan, *, piece: int | None = None, small: int | None = None
) -> list[list[Result]]:
    """Return the results of each piece, one per response.

    Raise `CannotCutError` if the files are small or cannot be scored in pieces; reading them
    whole then reports what is wrong. `piece` is the size of a piece of the key in bytes, `small`
    the total size up to which files are not cut.

    >>> from sameas.metrics.statistics import DEFAULT
    >>> from sameas.examples import example_path
    >>> key = str(example_path("key.conll"))
    >>> plan = Plan(key=key, responses=[key], settings=Settings(), metrics=DEFAULT)
    >>> pieces = score_pieces(plan, piece=1000, small=0)
    >>> sum(result for (result,) in pieces)["muc"].f1
    1.0
    """
    jobs = count_jobs(1 if plan.jobs is None else plan.jobs)
    paths = [os.fspath(path) for path in (plan.key, *plan.responses)]
    # Entities of a topic or a corpus extend across pieces.
    if plan.settings.scope != "document" or "-" in paths:
        raise CannotCutError
    reference = authority_of(plan.settings).reads_as_reference
    with read_later():
        sources = [find_source(path, plan.format, reference=reference) for path in paths]
    size = sum(source.size for source in sources)
    if size <= (SMALL if small is None else small):
        raise CannotCutError
    # Several pieces per process, so that all processes finish at about the same time.
    most = piece or min(max(sources[0].size // (jobs * 8), LEAST), PIECE)
    sides = [_SideSoFar(source) for source in sources]
    pieces: list[list[Result]] = []
    done = 0
    do = partial(_score_piece, plan.settings, tuple(plan.metrics))
    # Close it explicitly, because a traceback that is kept would keep the processes alive.
    with closing(run_tasks(do, cut(sources, most), jobs)) as outcomes:
        for read, results, scored in outcomes:
            _add_piece(sides, read)
            pieces.append(results)
            done += scored
            plan.tell(f"scoring, {done >> 20:,} of {size >> 20:,} MB", done / size)
    key, *responses = sides
    if not pieces or not all(side.shared for side in responses):
        raise CannotCutError  # reading everything reports this with paths
        # The first result gets the problems of all pieces.
    for number, (side, result) in enumerate(zip(responses, pieces[0], strict=True)):
        problems = sort_problems([*key.all_problems(), *side.all_problems(), *result.problems])
        pieces[0][number] = replace(result, name=side.source.path, problems=problems)
    return pieces


# --- scoring a piece ----------------------------------------------------------------------------


class _SidePiece(NamedTuple):
    """The information from reading a piece of one side."""

    problems: Sequence[Problem]
    start: int  # offset in bytes from which the lines of problems are counted
    marks: frozenset[str] | None  # properties that all pieces must share; None without documents
    names: frozenset[str]  # of documents


def _score_piece(
    settings: Settings, metrics: Sequence[str], task: PieceTask
) -> tuple[list[_SidePiece], list[Result], int]:
    """Return a `_SidePiece` for the key and each response, the results, and the size in bytes."""
    authority = authority_of(settings)
    sides: list[_SidePiece] = []
    results: list[Result] = []
    with read_later():
        ours, key = _read_side(task[0], "key", authority.reads_as_reference)
        for parts in task[1:]:
            theirs, side = _read_side(parts, "response", authority.reads_as_reference)
            # As in `cut`, but the format of a folder's files is known only after reading them.
            if any(part.whole for part in parts) and key.marks not in (None, side.marks):
                raise CannotCutError
            result = memory.score_corpora(ours, theirs, settings, metrics, part=True)
            if authority.sees_whole_corpus(result.matchings[0]):
                raise CannotCutError
            sides.append(side)
            results.append(replace(result, matchings=()))
    size = sum(part.stop - part.start for parts in task for part in parts)
    return [key, *sides], results, size


def _read_side(parts: Sequence[FilePart], role: str, reference: bool) -> tuple[Corpus, _SidePiece]:
    documents: list[Document] = []
    problems: list[Problem] = []
    marks: frozenset[str] | None = None
    for part in parts:
        if not part.whole and part.start == part.stop:
            continue
        if part.whole:
            corpus = read_bytes(
                file_bytes(part.path), part.path, part.format, role, reference, True, True
            )
            kind = "conllu" if corpus.format == "conllu" else "other"
            found, marks = corpus.problems, (marks or frozenset()) | {kind}
        else:
            corpus, found, marks = _read_part(part, role, reference)
        # The reference scorer rejects only errors in what it scores, which depends on the corpus.
        if any(problem.severity == "error" for problem in found):
            raise CannotCutError
        documents += corpus.documents
        problems += found
    names = frozenset(document.name for document in documents)
    if len(names) < len(documents):
        raise CannotCutError
    start = parts[0].start if parts else 0
    return Corpus(documents, reference=reference), _SidePiece(problems, start, marks, names)


_COMMENTS = re.compile(rb"(?:#[^\n]*\n|\n)*")
#: Warnings with a count of lines in the whole file.
_SUMMED = frozenset({"comment-lines", "outside-lines", "not-utf8", "nul-byte"})
#: Warnings given once per file, wherever their cause is.
_ONCE = frozenset({"crlf", "predicted-scored"})


def _read_part(
    part: FilePart, role: str, reference: bool
) -> tuple[Corpus, Sequence[Problem], frozenset[str]]:
    """Return a piece's documents, its problems with lines counted from its start, and its marks."""
    data = read_part(part.path, part.start, part.stop)
    added = 0
    word = SCHEMAS.get(part.format or "")
    if word and part.schema:
        comments = _COMMENTS.match(data)
        if comments and word not in comments[0]:
            data, added = part.schema + data, 1
    marks: set[str] = set()
    if part.format == "jsonlines" and role == "response" and b'"predicted_clusters"' in data:
        import json

        if "predicted_clusters" not in json.loads(data.lstrip().split(b"\n", 1)[0]):
            raise CannotCutError  # all lines together determine which clusters are meant
        marks.add("predicted")
    # If no line ends a document, the reference scorer reads on.
    if reference and data.rfind(b"#end document") < data.rfind(b"#begin document"):
        raise CannotCutError
    corpus = read_bytes(data, part.path, part.format, role, reference)
    if any(document.origin.unnamed for document in corpus.documents):
        raise CannotCutError  # they are named by their number in the file
    marks |= _ONCE & {problem.code for problem in corpus.problems}
    problems = [
        replace(problem, line=problem.line - added)
        for problem in corpus.problems
        if not part.start or problem.code not in _ONCE
    ]
    return corpus, problems, frozenset(marks)


# --- joining pieces -----------------------------------------------------------------------------


@dataclass
class _SideSoFar:
    """The information read so far from the pieces of one side."""

    source: FileSource
    problems: list[Problem] = field(default_factory=list)
    marks: frozenset[str] | None = None
    lines: tuple[int, int] = (0, 0)  # an offset in the file, and the number of lines before it
    names: set[str] = field(default_factory=set)
    shared: bool = False  # whether this response has a document of the key

    def add(self, piece: _SidePiece) -> None:
        """Add one more piece."""
        if not self.names.isdisjoint(piece.names):
            raise CannotCutError
        self.names |= piece.names
        before = self._lines_before(piece.start) if piece.start and piece.problems else 0
        self.problems += [replace(found, line=found.line + before) for found in piece.problems]
        if piece.marks is not None:
            if self.marks not in (None, piece.marks):
                raise CannotCutError
            self.marks = piece.marks

    def all_problems(self) -> list[Problem]:
        """Return all problems as `read` reports them, with counts added up per file."""
        found: dict[object, Problem] = {}
        for problem in (*self.source.problems, *self.problems):
            summed = problem.code in _SUMMED
            kind = (problem.path, problem.code) if summed else len(found)
            if kind in found:
                count = found[kind].values["count"] + problem.values["count"]
                values = {**found[kind].values, "count": count}
                problem = replace(found[kind], values=values)
            found[kind] = problem
        return list(found.values())

    def _lines_before(self, start: int) -> int:
        # Counted only on demand, because most files have no problems.
        place, lines = self.lines
        with read_later(), opened(self.source.path) as file:
            file.seek(place)
            while place < start:
                block = file.read(min(BLOCK, start - place))
                if not block:
                    raise CannotCutError  # the file was truncated in the meantime
                place, lines = place + len(block), lines + block.count(b"\n")
        self.lines = (place, lines)
        return lines


def _add_piece(sides: Sequence[_SideSoFar], pieces: Sequence[_SidePiece]) -> None:
    """Add one more piece to each side."""
    (key, ours), *responses = zip(sides, pieces, strict=True)
    for side, theirs in responses:
        # A document may be in different pieces of key and response.
        apart = (ours.names - theirs.names) & side.names
        if apart or (theirs.names - ours.names) & key.names:
            raise CannotCutError
        side.shared |= not ours.names.isdisjoint(theirs.names)
    for side, piece in zip(sides, pieces, strict=True):
        side.add(piece)
