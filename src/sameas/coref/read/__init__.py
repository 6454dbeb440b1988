"""Files to documents. The format is sniffed from the content, or named."""

from __future__ import annotations

import os
import re
from dataclasses import replace

from sameas.coref.document import Corpus
from sameas.coref.read.conll import read_conll
from sameas.encoding import find_faults
from sameas.errors import InputError, Problem, UsageError, suggest
from sameas.files import file_bytes, walk

__all__ = ["FORMATS", "read", "sniff"]

TABLES = ("csv", "tsv", "parquet", "arrow")
FORMATS = ("conll", "conllu", "jsonlines", "ua", "brat", "scorch", *TABLES)
ROLES = ("key", "response", "text", "any")
#: The formats that are scored all the same if some bytes are not text: no place depends on them.
CHECKED = ("conll", "conllu", "ua", "csv", "tsv")


def read(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    role: str | None = None,
    reference: bool = False,
    refuse: bool = True,
) -> Corpus:
    """Read the documents of a file, of every file in a folder, or of standard input (`-`).

    `role` is `key`, `response`, `text` (words alone) or `any` (a key, or else a response), and says
    which clusters of a file of predictions are meant; `reference` reads CoNLL as the reference
    scorer v8.01 does; unless `refuse`, errors that leave something to read are among the problems
    of the corpus.

    >>> read("no-such-file.conll")
    Traceback (most recent call last):
    ...
    sameas.errors.InputError: no-such-file.conll: cannot be read: No such file or directory
    """
    if format is not None and format not in FORMATS:
        raise UsageError(f"unknown format {format}: {suggest(str(format), FORMATS)}")
    if role is not None and role not in ROLES:
        raise UsageError(f"unknown role {role}: {suggest(str(role), ROLES)}")
    if not isinstance(path, (str, os.PathLike)):
        raise UsageError(f"a path is wanted, not {type(path).__name__}")
    path = os.fspath(path)
    if "\n" in path:
        raise UsageError("this is the text of a file; its path is wanted")
    if path != "-" and os.path.isdir(path):
        return _read_folder(path, format, role, reference, refuse)
    return read_bytes(file_bytes(path), path, format, role, reference, refuse, False)


def _read_folder(
    folder: str, format: str | None, role: str | None, reference: bool, refuse: bool
) -> Corpus:
    files, passed = folder_files(folder)
    if not files:
        raise InputError([Problem("no files in this folder", folder)])
    parts = [
        read_bytes(file_bytes(file), file, format, role, reference, refuse, True) for file in files
    ]
    homes: dict[str, str] = {}
    for part in parts:
        for document in part.documents:
            if homes.setdefault(document.name, part.path) != part.path:
                message = f"document {document.name} is in {homes[document.name]}, too"
                hint = "the files of a folder are one response; give several responses one by one"
                raise InputError([Problem(message, part.path, document.origin.line, 1, hint)])
    return Corpus(
        [document for part in parts for document in part.documents],
        folder,
        parts[0].format,
        [*passed, *(problem for part in parts for problem in part.problems)],
        reference,
    )


def folder_files(folder: str) -> tuple[list[str], list[Problem]]:
    """The files that are read of a folder, and a warning for each that is passed over.

    >>> from sameas.examples import example_path
    >>> len(folder_files(str(example_path("key.conll").parent))[0]) > 3
    True
    """
    files = walk(folder)
    other = {file for file in files if _OTHER_FILE.fullmatch(os.path.basename(file))}
    passed = [Problem("passed over: not a file of documents", file, severity="warning")
              for file in files if file in other]  # fmt: skip
    files = [file for file in files if file not in other]
    annotated = {file.removesuffix(".ann") for file in files if file.endswith(".ann")}
    files = [
        file
        for file in files
        if file.removesuffix(".txt") not in annotated or file.endswith(".ann")
    ]
    return files, passed


def read_bytes(
    data: bytes,
    path: str,
    format: str | None = None,
    role: str | None = None,
    reference: bool = False,
    refuse: bool = True,
    named_by_file: bool = False,
) -> Corpus:
    """The documents of a file that was read already; `path` is for messages.

    >>> read_bytes(b"document,start,end,entity\\na,0,1,x\\n", "a.csv").documents
    [<Document 'a': 0 tokens, 1 mentions, 1 entities>]
    """
    if path == "-":
        path = "<stdin>"
    encoding = _wide_encoding(data)
    if encoding:
        hint = f"convert it: iconv -f {encoding} -t UTF-8"
        raise InputError([Problem(f"the file is in {encoding}", path, 1, 1, hint)])
    if not reference:
        data = data.removeprefix(b"\xef\xbb\xbf")
    format = format or _recognised(data, path, reference)
    if reference and format != "conll":
        message = f"the reference scorer reads CoNLL files only, and this is {format}"
        hint = "convert it first: sameas convert FILE --to conll (--role response for predictions)"
        if format in TABLES:
            hint = "a table has no words, so that it cannot become CoNLL: score it without --compat"
        raise InputError([Problem(message, path, 1, 1, hint)])
    corpus = _parsed(data, path, format, role, reference, refuse, named_by_file)
    faults = find_faults(data) if format in CHECKED else []
    if not faults:
        return corpus
    told = [fault.problem(path, "warning") for fault in faults]
    return replace(corpus, problems=[*told, *corpus.problems])


def _recognised(data: bytes, path: str, reference: bool) -> str:
    """The format of a file, or an error that says what it is instead."""
    format = sniff(data, path)
    if format != "conll" or reference or _CONLL.search(data[: 1 << 16]):
        return format
    if _CONLL.search(data) or (b"\n" not in data and _CONLL.search(data.replace(b"\r", b"\n"))):
        return format
    from sameas.coref.read.unknown import recognise

    return recognise(data, path, FORMATS)


def _parsed(
    data: bytes,
    path: str,
    format: str,
    role: str | None,
    reference: bool,
    refuse: bool,
    named_by_file: bool,
) -> Corpus:
    if format == "jsonlines":
        from sameas.coref.read.jsonlines import read_jsonlines

        return read_jsonlines(data, path, role=role)
    if format == "scorch":
        from sameas.coref.read.scorch import read_scorch

        return read_scorch(data, path, named_by_file=named_by_file)
    if format == "conllu":
        from sameas.coref.read.conllu import read_conllu

        return read_conllu(data, path, refuse=refuse)
    if format == "ua":
        from sameas.coref.read.ua import read_ua

        return read_ua(data, path, refuse=refuse)
    if format == "brat":
        from sameas.coref.read.brat import read_brat

        name = os.path.basename(path).removesuffix(".ann") if named_by_file else ""
        return read_brat(data, _brat_text(path), path, name=name, refuse=refuse)
    if format in TABLES:
        from sameas.coref.read.table import read_table

        return read_table(data, path, format=format)
    return read_conll(data, path, reference=reference, refuse=refuse)


#: What lies beside corpora: brat's settings, what people read, what Spark writes.
_OTHER_FILE = re.compile(
    r"(annotation|visual|tools|kb_shortcuts)\.conf|(README|LICEN[CS]E|CHANGELOG)(\..*)?|.*\.md"
    r"|_SUCCESS|_(common_)?metadata",
    re.IGNORECASE,
)


def _wide_encoding(data: bytes) -> str:
    """The name of an encoding of two or four bytes a character, if the file is in one."""
    if data[:4] in (b"\xff\xfe\0\0", b"\0\0\xfe\xff"):
        return "UTF-32"
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "UTF-16"
    if data[:4] == b"PAR1" or data[:6] == b"ARROW1" or data[:4] == b"\xff\xff\xff\xff":
        return ""
    head = data[:200]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if max(even, odd) > len(head) // 3 and min(even, odd) == 0:
        return "UTF-16LE" if odd else "UTF-16BE"
    return ""


def _brat_text(path: str) -> bytes | None:
    """The text that a brat annotation file is about: the file beside it."""
    text = path.removesuffix(".gz").removesuffix(".ann") + ".txt"
    return (
        file_bytes(text)
        if path.removesuffix(".gz").endswith(".ann") and os.path.exists(text)
        else None
    )


_CONLLU = re.compile(
    rb"^(#\s*(newdoc|newpar|sent_id|text|global\.Entity|global\.columns)\b"
    rb"|(1|1-\d+|0\.1)(\t[^\t\n]*){9}$)",
    re.MULTILINE,
)
_CONLL = re.compile(rb"^#\s*begin\s+document", re.MULTILINE | re.IGNORECASE)
_UA = re.compile(
    rb"^#\s*global\.columns\s*=.*\bIDENTITY\b"
    rb"|(?<=[ \t)@])\((?i:Entity_?ID|Markable_?ID|MentionID)=",
    re.MULTILINE,
)
_BRAT = re.compile(rb"([TREAMN]\d\S*|#\S*|\*)\t")
_BRAT_MENTION = re.compile(rb"^T\d+\t\S+ \d+ \d+(;\d+ \d+)*\t", re.MULTILINE)
_TABLE = re.compile(rb"(^|[,;\t])\"?(entity|cluster|label)(_?id)?\"?\s*($|[,;\t])", re.IGNORECASE)


def sniff(data: bytes, path: str = "") -> str:
    """Tell the format of a file from its content; only of an empty one from its name.

    >>> sniff(b"#begin document (a);"), sniff(b'{"doc_key": "a"}'), sniff(b'{"type": "graph"}')
    ('conll', 'jsonlines', 'scorch')
    >>> sniff(b"# newdoc id = a"), sniff(b"document,mention,entity")
    ('conllu', 'csv')
    """
    if data[:4] == b"PAR1":
        return "parquet"
    if data[:6] == b"ARROW1" or data[:4] == b"\xff\xff\xff\xff":
        return "arrow"
    head = data[: 1 << 16].lstrip()
    if head[:1] != b"{":
        return _sniff_text(head, path)
    # A scorch file is one object with a type; jsonlines start with a whole document on a line.
    line = head.split(b"\n", 1)[0]
    if b'"doc_key"' in line or b'"sentences"' in line:
        return "jsonlines"
    return "scorch" if re.search(rb'"(type|links)"\s*:', data) else "jsonlines"


def _sniff_text(head: bytes, path: str) -> str:
    if _CONLL.search(head):
        return "conll"
    if _UA.search(head):
        return "ua"
    if _CONLLU.search(head):
        return "conllu"
    lines = [line for line in head.split(b"\n")[:100] if line.strip()]
    if path.endswith((".ann", ".ann.gz")) or (
        _BRAT_MENTION.search(head) and all(_BRAT.match(line) for line in lines[:-1])
    ):
        return "brat"
    if lines and _TABLE.search(lines[0].rstrip(b"\r")):
        return "tsv" if b"\t" in lines[0] else "csv"
    return "conll"
