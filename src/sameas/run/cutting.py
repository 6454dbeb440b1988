"""Files and folders to pieces: from one document to another, the same of the key and the responses.

A folder is cut between its files, a file between its documents. Documents are not read for that:
a glance at their first lines tells where they begin and what they are called. Where a glance is not
enough, nothing is cut.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from sameas.errors import Problem, SameasError
from sameas.files import is_regular, opened, read_part
from sameas.formats.conll.read import document_name
from sameas.formats.declarations import FORMATS
from sameas.formats.reading import folder_files, sniff

__all__ = [
    "BLOCK",
    "SCHEMAS",
    "CannotCutError",
    "FilePart",
    "FileSource",
    "PieceTask",
    "cut",
    "find_source",
    "read_later",
]

BLOCK = 1 << 17  # bytes that are searched for headers at once: they stay in the cache
LONGEST = 128 << 20  # bytes without the beginning of a document, at most


class CannotCutError(Exception):
    """Everything has to be read at once."""


@contextmanager
def read_later() -> Iterator[None]:
    """What cannot be read is told by reading all at once, in the words of `read`."""
    try:
        yield
    except (OSError, ValueError, SameasError):
        raise CannotCutError from None


@dataclass(frozen=True)
class FilePart:
    """A file of a folder, or some bytes of a file, from one document to another."""

    path: str
    start: int
    stop: int
    whole: bool = True
    format: str | None = None
    schema: bytes = b""  # the comment before it that names the fields of what follows


#: A piece of the key, and of every response.
PieceTask = Sequence[Sequence[FilePart]]


@dataclass(frozen=True)
class FileSource:
    """A key or a response: a file, or a folder of them by their names in it."""

    path: str
    size: int
    format: str | None = None  # of a file
    files: dict[str, FilePart] | None = None
    passed: Sequence[Problem] = ()


def find_source(path: str, format: str | None, *, reference: bool) -> FileSource:
    """What there is to cut; `reference` reads as the reference scorer does."""
    if os.path.isdir(path):
        return _folder(path, format)
    if not is_regular(path):
        raise CannotCutError
    size = os.path.getsize(path)
    head = read_part(path, 0, 1 << 16)
    format = format or _sniffed(head, path)
    # What is packed, in wide signs or without the line ends we look for, is rare in large files.
    if (
        format not in _MARKS
        or (reference and format != "conll")
        or head.startswith((b"\x1f\x8b", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"))
        or b"\0" in head
        or (b"\r" in head and (format in ("conllu", "ua") or b"\n" not in head))
    ):
        raise CannotCutError
    return FileSource(path, size, format)


def _sniffed(head: bytes, path: str) -> str:
    start = head.lstrip()
    if start[:1] == b"{" and not re.match(rb'[^\n]*"(doc_key|sentences)"', start):
        raise CannotCutError  # to know what this is one has to read all of it
    return sniff(head, path)


def _folder(folder: str, format: str | None) -> FileSource:
    """The files that `read` reads of a folder, and what it says of the others."""
    paths, passed = folder_files(folder)
    files = {
        os.path.relpath(path, folder): FilePart(path, 0, os.path.getsize(path), format=format)
        for path in paths
    }
    size = sum(part.stop for part in files.values())
    return FileSource(folder, size, files=files, passed=passed)


def cut(sources: Sequence[FileSource], piece: int) -> Iterator[PieceTask]:
    """Pieces of the key, the first source, of some `piece` bytes, with those of the responses."""
    folders = [source.files for source in sources if source.files is not None]
    if len(folders) == len(sources):
        return _folder_tasks(folders, piece)
    conllu = {source.format == "conllu" for source in sources}
    # The words of CoNLL-U and another format are compared over the whole corpus.
    if folders or len(conllu) > 1:
        raise CannotCutError
    return _file_tasks(sources, piece)


def _folder_tasks(folders: Sequence[dict[str, FilePart]], piece: int) -> Iterator[PieceTask]:
    """Files of one name together; small ones in one task, which saves time."""
    if any(folders[0].keys().isdisjoint(folder) for folder in folders[1:]):
        raise CannotCutError
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


def _together(folders: Sequence[dict[str, FilePart]], names: Sequence[str]) -> PieceTask:
    return [[folder[name] for name in names if name in folder] for folder in folders]


#: What stands before the first line of a document at least, by format.
_MARKS = {name: format.separator for name, format in FORMATS.items() if format.separator}
SCHEMAS = {"conllu": b"global.Entity", "ua": b"global.columns"}
_NEWDOC = re.compile(rb"#\s*newdoc\b(?:\s+id\b)?\s*=?\s*(.*)")
_DOC_KEY = re.compile(rb'"doc_key"\s*:\s*("(?:[^"\\]|\\.)*")')


def _file_tasks(sources: Sequence[FileSource], piece: int) -> Iterator[PieceTask]:
    """Pieces of the key, and from every response what comes before the next piece begins."""
    pieces = _pieces(sources[0], piece)
    rests = [_Rest(source) for source in sources[1:]]
    part, _ = next(pieces)
    for following, names in itertools.chain(pieces, [(None, set())]):
        # A response of another order has the next piece anywhere, or behind it already.
        limit = 8 * max(piece, part.stop - part.start) + BLOCK
        yield [[part], *([rest.until(names, limit)] for rest in rests)]
        part = following or part


def _pieces(source: FileSource, piece: int) -> Iterator[tuple[FilePart, set[str]]]:
    part = _rest(source)
    names: set[str] = set()
    for name, rest in _rests(source):
        if names and rest.start - part.start >= piece:
            yield replace(part, stop=rest.start), names
            part, names = rest, set()
        names.add(name)
    yield part, names


def _rest(source: FileSource, start: int = 0, schema: bytes = b"") -> FilePart:
    """A file from a place on."""
    return FilePart(source.path, start, source.size, False, source.format, schema)


class _Rest:
    """What of a response has not been given out."""

    def __init__(self, source: FileSource) -> None:
        self.rest = _rest(source)
        self.rests = _rests(source)

    def until(self, names: set[str], limit: int) -> FilePart:
        """The part before the first document with one of the names; all if there are no names."""
        part = self.rest
        for name, rest in self.rests if names else ():
            if name in names:
                part, self.rest = replace(part, stop=rest.start), rest
                break
            if rest.start - part.start > limit:
                raise CannotCutError
        else:
            self.rest = replace(part, start=part.stop)
        if part.stop - part.start > limit:
            raise CannotCutError
        return part


def _rests(source: FileSource) -> Iterator[tuple[str, FilePart]]:
    """The name of each document as far as a glance tells, and the file from there on.

    A file is searched in whole blocks of lines.
    """
    assert source.format is not None
    find, mark = _FIND[source.format], _MARKS[source.format]
    schema_word = SCHEMAS.get(source.format)
    schema = b""
    # As if the file had an empty line before its first, so that each document has one.
    held, base = mark, -len(mark)
    with read_later(), opened(source.path) as file:
        more = True
        while more:
            block = file.read(max(BLOCK, len(held)))
            more = bool(block)
            buffer = held + block
            stop = buffer.rfind(mark) if more else len(buffer)
            searched = 0
            for start, name in itertools.chain(find(buffer, stop), [(stop, None)]):
                if schema_word:
                    schema = _last_schema(buffer, schema_word, searched, start) or schema
                    searched = start
                if name is not None:
                    yield name, _rest(source, base + start, schema)
            held, base = buffer[stop:], base + stop
            if len(held) > LONGEST:
                raise CannotCutError  # no document ends here


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
