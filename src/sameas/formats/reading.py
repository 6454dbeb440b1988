"""Read files as documents. The format is detected from the content unless it is given."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any

from sameas.documents.document import Corpus
from sameas.errors import InputError, Problem, UsageError, unknown
from sameas.files import file_bytes, walk
from sameas.files.encoding import find_faults
from sameas.formats.declarations import CHECKED, FORMATS, TABLES

__all__ = ["CHECKED", "FORMATS", "read", "sniff"]

ROLES = ("key", "response", "text", "any")


def read(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    role: str | None = None,
    reference: bool = False,
    refuse: bool = True,
) -> Corpus:
    """Read the documents of a file, of every file in a folder, or of standard input (`-`).

    Files may be gzipped. In a folder, hidden files and files such as a README are skipped.

    Parameters
    ----------
    path
        A file, a folder, or `-` for standard input.
    format
        The name of the format, such as `"conll"`; by default it is detected from the content.
    role
        `"key"`, `"response"`, `"text"` (words only) or `"any"` (a key, or else a response). It
        selects the clusters of a jsonlines file that has both gold and predicted ones.
    reference
        Read CoNLL as the reference scorer v8.01 does.
    refuse
        Whether to raise errors instead of returning what can be read, with its problems.

    Returns
    -------
    Corpus
        The documents, and the problems found in them.

    Raises
    ------
    InputError
        When a file cannot be read, or contains errors and `refuse` is true.

    Examples
    --------
    >>> from sameas.examples import example_path
    >>> corpus = read(example_path("key.conll"))
    >>> corpus.format, len(corpus.documents)
    ('conll', 4)
    >>> read("no-such-file.conll")
    Traceback (most recent call last):
    ...
    sameas.errors.InputError: no-such-file.conll: cannot be read: No such file or directory
    """
    if format is not None and format not in tuple(FORMATS):  # a tuple: it may be unhashable
        raise unknown("format", format, FORMATS)
    if role is not None and role not in ROLES:
        raise unknown("role", role, ROLES)
    if not isinstance(path, (str, os.PathLike)):
        raise UsageError("not-path", kind=type(path).__name__)
    path = os.fspath(path)
    if "\n" in path:
        raise UsageError("text-not-path")
    reader = partial(read_bytes, format=format, role=role, reference=reference, refuse=refuse)
    if path != "-" and os.path.isdir(path):
        return _read_folder(path, reader)
    return reader(file_bytes(path), path)


def _read_folder(folder: str, reader: Callable[..., Corpus]) -> Corpus:
    files, skipped = folder_files(folder)
    if not files:
        raise InputError([Problem("empty-folder", folder)])
    parts = [reader(file_bytes(file), file, named_by_file=True) for file in files]
    homes: dict[str, str] = {}
    for part in parts:
        for document in part.documents:
            name = document.name
            if (home := homes.setdefault(name, part.path)) != part.path:
                place = (part.path, document.origin.line, 1)
                raise InputError([Problem("in-two-files", *place, document=name, other=home)])
    return Corpus(
        [document for part in parts for document in part.documents],
        folder,
        parts[0].format,
        [*skipped, *(problem for part in parts for problem in part.problems)],
        parts[0].reference,
    )


def folder_files(folder: str) -> tuple[list[str], list[Problem]]:
    """Return the files to read in a folder, and a warning for each file that is skipped.

    >>> from sameas.examples import example_path
    >>> len(folder_files(str(example_path("key.conll").parent))[0]) > 3
    True
    """
    files = walk(folder)
    other = {file for file in files if re.fullmatch(_OTHER_FILE, os.path.basename(file))}
    skipped = [Problem("passed-over", file, severity="warning") for file in files if file in other]
    files = [file for file in files if file not in other]
    annotated = {file.removesuffix(".ann") for file in files if file.endswith(".ann")}
    files = [
        file
        for file in files
        if file.removesuffix(".txt") not in annotated or file.endswith(".ann")
    ]
    return files, skipped


def read_bytes(
    data: bytes,
    path: str,
    format: str | None = None,
    role: str | None = None,
    reference: bool = False,
    refuse: bool = True,
    named_by_file: bool = False,
) -> Corpus:
    """Return the documents in the bytes of a file; `path` appears in messages.

    >>> read_bytes(b"document,start,end,entity\\na,0,1,x\\n", "a.csv").documents
    [<Document 'a': 0 tokens, 1 mentions, 1 entities>]
    """
    if path == "-":
        path = "<stdin>"
    encoding = _wide_encoding(data)
    if encoding:
        raise InputError([Problem("wide-encoding", path, 1, 1, encoding=encoding)])
    if not reference:
        data = data.removeprefix(b"\xef\xbb\xbf")
    format = format or _recognised(data, path, reference)
    if reference and format != "conll":
        how = "table" if format in TABLES else "text"
        raise InputError([Problem("only-conll", path, 1, 1, format=format, how=how)])
    known: dict[str, Any] = {  # the reader of a format gets those that it declares
        "format": format,
        "role": role,
        "reference": reference,
        "refuse": refuse,
        "named_by_file": named_by_file,
    }
    if format == "brat":
        known["text"] = _brat_text(path)
        known["name"] = os.path.basename(path).removesuffix(".ann") if named_by_file else ""
    module, asks = FORMATS[format].module, FORMATS[format].asks
    reader = getattr(import_module(f"sameas.formats.{module}.read"), f"read_{module}")
    corpus: Corpus = reader(data, path=path, **{name: known[name] for name in asks})
    faults = find_faults(data, path, "warning") if format in CHECKED else []
    return replace(corpus, problems=[*faults, *corpus.problems]) if faults else corpus


def _recognised(data: bytes, path: str, reference: bool) -> str:
    """Return the format of a file, or raise an error that says what kind of file it is."""
    format = sniff(data, path)
    lines = data if b"\n" in data else data.replace(b"\r", b"\n")
    if format != "conll" or reference or re.search(_PATTERNS["conll"], lines):
        return format
    from sameas.formats.kinds import recognise

    return recognise(data, path)


#: Files next to corpora, which are not read: brat's settings, documentation, Spark's metadata.
_OTHER_FILE = (
    r"(?i)(annotation|visual|tools|kb_shortcuts)\.conf|(README|LICEN[CS]E|CHANGELOG)(\..*)?|.*\.md"
    r"|_SUCCESS|_(common_)?metadata"
)


def _wide_encoding(data: bytes) -> str:
    """Return the name of a file's encoding if that is UTF-16 or UTF-32, else an empty string."""
    if data[:4] in (b"\xff\xfe\0\0", b"\0\0\xfe\xff"):
        return "UTF-32"
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "UTF-16"
    if any(data.startswith(format.begins) for format in FORMATS.values()):
        return ""
    head = data[:200]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if max(even, odd) > len(head) // 3 and min(even, odd) == 0:
        return "UTF-16LE" if odd else "UTF-16BE"
    return ""


def _brat_text(path: str) -> bytes | None:
    """Return the text that a brat file annotates, from the .txt file next to it, if any."""
    path = path.removesuffix(".gz")
    text = path.removesuffix(".ann") + ".txt"
    return file_bytes(text) if path.endswith(".ann") and os.path.exists(text) else None


#: CoNLL-U comes last, since files of Universal Anaphora are CoNLL-U as well.
_PATTERNS = {
    name: FORMATS[name].pattern
    for name in sorted(FORMATS, key=lambda name: name == "conllu")
    if FORMATS[name].pattern
}
_BRAT = rb"([TREAMN]\d\S*|#\S*|\*)\t"
_BRAT_MENTION = rb"(?m)^T\d+\t\S+ \d+ \d+(;\d+ \d+)*\t"
_TABLE = rb"(?i)(^|[,;\t])\"?(entity|cluster|label)(_?id)?\"?\s*($|[,;\t])"


def sniff(data: bytes, path: str = "") -> str:
    """Detect the format of a file from its content.

    The name matters only for brat: if no pattern matches the content, `.ann` files are brat.

    >>> sniff(b"#begin document (a);"), sniff(b'{"doc_key": "a"}'), sniff(b'{"type": "graph"}')
    ('conll', 'jsonlines', 'scorch')
    >>> sniff(b"# newdoc id = a"), sniff(b"document,mention,entity")
    ('conllu', 'csv')
    """
    for format in TABLES:
        if data.startswith(FORMATS[format].begins):
            return format
    head = data[: 1 << 16].lstrip()
    if head[:1] != b"{":
        return _sniff_text(head, path)
    # A SCORCH file is one object with a type; JSON Lines start with a whole document on a line.
    line = head.split(b"\n", 1)[0]
    if b'"doc_key"' in line or b'"sentences"' in line:
        return "jsonlines"
    return "scorch" if re.search(rb'"(type|links)"\s*:', data) else "jsonlines"


def _sniff_text(head: bytes, path: str) -> str:
    for format, pattern in _PATTERNS.items():
        if re.search(pattern, head):
            return format
    lines = [line for line in head.split(b"\n")[:100] if line.strip()]
    if path.endswith((".ann", ".ann.gz")) or (
        re.search(_BRAT_MENTION, head) and all(re.match(_BRAT, line) for line in lines[:-1])
    ):
        return "brat"
    if lines and re.search(_TABLE, lines[0].rstrip(b"\r")):
        return "tsv" if b"\t" in lines[0] else "csv"
    return "conll"
