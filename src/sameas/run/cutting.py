"""Cut files and folders into pieces that contain the same documents of the key and the responses.

Folders are cut between files, and files between documents. Documents are not parsed for this:
only header lines are searched, to find the names of documents and where they begin. If that is not
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

BLOCK = 1 << 17  # bytes that are searched for headers at once, few enough to stay in the cache
LONGEST = 128 << 20  # maximum number of bytes in which no document begins


class CannotCutError(Exception):
    """The input cannot be cut; everything has to be read at once."""


@contextmanager
def read_later() -> Iterator[None]:
    """Turn errors into `CannotCutError`; reading the whole input then reports the errors."""
    try:
        yield
    except (OSError, ValueError, SameasError):
        raise CannotCutError from None


@dataclass(frozen=True)
class FilePart:
    """A file in a folder, or the bytes of one or more whole documents in a file."""

    path: str
    start: int
    stop: int
    whole: bool = True
    format: str | None = None
    schema: bytes = b""  # the last comment before this part that names its fields


#: A piece of the key, and the matching piece of every response.
PieceTask = Sequence[Sequence[FilePart]]


@dataclass(frozen=True)
class FileSource:
    """A key or a response: a file, or a folder with its files, keyed by relative path."""

    path: str
    size: int
    format: str | None = None  # of a file
    files: dict[str, FilePart] | None = None
    problems: Sequence[Problem] = ()


def find_source(path: str, format: str | None, *, reference: bool) -> FileSource:
    """Return a file or folder to cut; with `reference`, as the reference scorer reads it."""
    if os.path.isdir(path):
        return _folder(path, format)
    if not is_regular(path):
        raise CannotCutError
    size = os.path.getsize(path)
    head = read_part(path, 0, 1 << 16)
    format = format or _sniffed(head, path)
    # Compressed files, wide encodings and other line endings are rare in large files.
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
        raise CannotCutError  # the format of such JSON is known only when all of it has been read
    return sniff(head, path)


def _folder(folder: str, format: str | None) -> FileSource:
    """Return the files in a folder that `read` would read, and the problems with other files."""
    paths, problems = folder_files(folder)
    files = {
        os.path.relpath(path, folder): FilePart(path, 0, os.path.getsize(path), format=format)
        for path in paths
    }
    size = sum(part.stop for part in files.values())
    return FileSource(folder, size, files=files, problems=problems)


def cut(sources: Sequence[FileSource], piece: int) -> Iterator[PieceTask]:
    """Yield pieces of about `piece` bytes of the key (the first source) and of the responses."""
    folders = [source.files for source in sources if source.files is not None]
    if len(folders) == len(sources):
        return _folder_tasks(folders, piece)
    conllu = {source.format == "conllu" for source in sources}
    # The words of CoNLL-U and another format are compared over the whole corpus.
    if folders or len(conllu) > 1:
        raise CannotCutError
    return _file_tasks(sources, piece)


def _folder_tasks(folders: Sequence[dict[str, FilePart]], piece: int) -> Iterator[PieceTask]:
    """Yield files of the same name together; small ones share a task, which saves time."""
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


#: The bytes that precede the first line of every document, keyed by format.
_MARKS = {name: format.separator for name, format in FORMATS.items() if format.separator}
SCHEMAS = {"conllu": b"global.Entity", "ua": b"global.columns"}
_NEWDOC = re.compile(rb"#\s*newdoc\b(?:\s+id\b)?\s*=?\s*(.*)")
_DOC_KEY = re.compile(rb'"doc_key"\s*:\s*("(?:[^"\\]|\\.)*")')


def _file_tasks(sources: Sequence[FileSource], piece: int) -> Iterator[PieceTask]:
    """Yield pieces of the key, each with the corresponding part of every response.

    That part ends before the first document of the key's next piece.
    """
    pieces = _pieces(sources[0], piece)
    rests = [_Rest(source) for source in sources[1:]]
    part, _ = next(pieces)
    for following, names in itertools.chain(pieces, [(None, set())]):
        # If a response has a different order, the next piece may begin anywhere, even earlier.
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
    """Return a file from an offset to its end."""
    return FilePart(source.path, start, source.size, False, source.format, schema)


class _Rest:
    """The rest of a response, after the parts returned so far."""

    def __init__(self, source: FileSource) -> None:
        self.rest = _rest(source)
        self.rests = _rests(source)

    def until(self, names: set[str], limit: int) -> FilePart:
        """Return the part before the first document that has one of the names.

        Return the whole rest if there are no names.
        """
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
    """Yield the name of each document, as found in its header, and the file from there on.

    A file is searched in blocks of whole lines.
    """
    assert source.format is not None
    find, mark = _FIND[source.format], _MARKS[source.format]
    schema_word = SCHEMAS.get(source.format)
    schema = b""
    # Put a separator before the first line, so that every document follows one.
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
                raise CannotCutError  # no document ends in these bytes


def _conll_heads(buffer: bytes, stop: int) -> Iterator[tuple[int, str]]:
    word = b"\n#begin document"
    at = buffer.find(word, 0, stop)
    while at >= 0:
        end = buffer.find(b"\n", at + 1)
        header = buffer[at + len(word) : end if end >= 0 else None]
        yield at + 1, document_name(header.decode("utf-8", "backslashreplace"))
        at = buffer.find(word, at + 1, stop)


def _jsonlines_heads(buffer: bytes, stop: int) -> Iterator[tuple[int, str]]:
    start = 1  # after the line end that every block begins with
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
    """Return the last comment between these offsets that names fields."""
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
