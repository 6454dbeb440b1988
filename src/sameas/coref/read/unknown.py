"""What a file is that is in none of the formats that are read, said so that its owner knows it."""

from __future__ import annotations

import csv
import re

from sameas.errors import InputError, Problem

__all__ = ["describe", "recognise"]

_UNPACK = "unpack it first"
_EXPORT = "export its mentions as a table (CSV or Parquet) or as jsonlines"
_SHEET = "save the sheet as CSV"

#: How kinds of files begin, what they are, and what to do about it.
_BEGINNINGS: tuple[tuple[bytes, str, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "a PNG image", ""),
    (b"\xff\xd8\xff", "a JPEG image", ""),
    (b"GIF8", "a GIF image", ""),
    (b"%PDF-", "a PDF document", ""),
    (b"\xd0\xcf\x11\xe0", "a document of an old Microsoft Office", "save it as CSV or text"),
    (b"SQLite format 3\0", "an SQLite database", _EXPORT),
    (b"\x93NUMPY", "a numpy array", _EXPORT),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file", _EXPORT),
    (b"ORC", "an ORC table", "write it as Parquet"),
    (b"Obj\x01", "an Avro file", "write it as Parquet"),
    (b"\xfd7zXZ\0", "packed by xz", f"{_UNPACK}: xz -d FILE"),
    (b"BZh", "packed by bzip2", f"{_UNPACK}: bzip2 -d FILE"),
    (b"(\xb5/\xfd", "packed by zstd", f"{_UNPACK}: zstd -d FILE"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", _UNPACK),
    (b"Rar!", "a RAR archive", _UNPACK),
    (b"\x7fELF", "a program", ""),
    (b"MZ\x90", "a program", ""),
    (b"\x78\x9c", "zlib data, such as a DocBin of spaCy", _EXPORT),
    (b"\x78\x01", "zlib data, such as a DocBin of spaCy", _EXPORT),
    (b"\x78\xda", "zlib data, such as a DocBin of spaCy", _EXPORT),
    (b"sameas name model ", "a model of names", "it is for sameas transliterate and verify"),
)
#: Names in ZIP archives that are a kind of their own.
_ARCHIVES = (
    (r"xl/.*", "an Excel workbook", _SHEET),
    (r"word/.*", "a Word document", "save it as plain text"),
    (r"ppt/.*", "a PowerPoint presentation", ""),
    (r"content\.xml", "an OpenDocument file", "save it as CSV or plain text"),
    (r".*\.npy", "arrays of numpy", _EXPORT),
    (r".*/data\.pkl", "tensors of torch", _EXPORT),
)
_CONTROL = re.compile(rb"[\0-\x08\x0e-\x1a\x1c-\x1f]")
_CELL = re.compile(rb"[-_*]|\(\S+|\S+\)")
_ROOT = re.compile(rb"<([A-Za-z_][\w.:-]*)")


def recognise(data: bytes, path: str, formats: tuple[str, ...]) -> str:
    """Return the format of a file that its first lines do not tell, or raise `InputError`.

    `conll` is for files that are empty, or look like CoNLL without the lines that begin documents:
    its reader says what is missing.

    >>> recognise(b"<?xml version='1.0'?><TEI/>", "a.xml", ("conll", "csv"))
    Traceback (most recent call last):
    ...
    sameas.errors.InputError: a.xml:1:1: no documents: this is XML with the root TEI
      hint: formats that are read: conll, csv; --format names one
    """
    if _may_be_conll(data):
        return "conll"
    known = f"formats that are read: {', '.join(formats)}; --format names one"
    what, advice = describe(data)
    if what:
        hint = f"{advice}; {known}" if advice else known
        raise InputError([Problem(f"no documents: this is {what}", path, 1, 1, hint)])
    delimiter = _delimiter(data, path)
    if delimiter:
        return _recognise_table(data, path, delimiter)
    message = "no documents: this is text in no format that is known"
    raise InputError([Problem(message, path, 1, 1, known)])


def describe(data: bytes) -> tuple[str, str]:
    """Say what a file is by its first bytes, and what to do about it; empty if nobody knows.

    >>> describe(b"%PDF-1.7"), describe(b"Ann ran.")
    (('a PDF document', ''), ('', ''))
    """
    if data[:4] == b"PK\x03\x04":
        return _describe_archive(data)
    for beginning, what, advice in _BEGINNINGS:
        if data.startswith(beginning):
            return what, advice
    if data[257:262] == b"ustar":
        return "a tar archive", f"{_UNPACK}: tar -xf FILE"
    if data[:1] == b"\x80" and data[1:2] in (b"\2", b"\3", b"\4", b"\5"):
        return "a pickle of Python", _EXPORT
    head = data[:4096].lstrip()
    if _CONTROL.search(head):
        return "a binary file of an unknown kind", ""
    return _describe_text(head)


def _describe_archive(data: bytes) -> tuple[str, str]:
    import io
    import zipfile

    try:
        names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        return "a broken ZIP archive", "copy the file again"
    for pattern, what, advice in _ARCHIVES:
        if any(re.fullmatch(pattern, name) for name in names):
            return what, advice
    return "a ZIP archive", _UNPACK


def _describe_text(head: bytes) -> tuple[str, str]:
    if head[:1] == b"[":
        return "a JSON list", "write one document a line: jq -c '.[]' FILE"
    if head[:1] != b"<":
        return "", ""
    if re.match(rb"<(!doctype\s+)?html\b", head, re.IGNORECASE):
        return "HTML", ""
    root = _ROOT.search(head)
    return (f"XML with the root {root[1].decode()}" if root else "XML"), ""


def _may_be_conll(data: bytes) -> bool:
    """Whether it is empty, or rows that end in brackets, or has a broken header."""
    if not data.strip() or b"begin document" in data or b"end document" in data:
        return True
    rows = [line.split() for line in data[: 1 << 16].splitlines()[:200]]
    rows = [row for row in rows if row and not row[0].startswith(b"#")]
    cells = sum(len(row) > 1 and bool(_CELL.fullmatch(row[-1])) for row in rows)
    return 2 * cells > len(rows)


def _delimiter(data: bytes, path: str) -> str:
    """What separates the columns of a table: it is as often in every line, and none is empty."""
    lines = data[: 1 << 16].strip().splitlines()
    lines = lines[:20] if len(lines) > 20 else lines
    for sign in (b"\t", b",", b";"):
        counts = [line.count(sign) for line in lines]
        if counts[0] and len(counts) > 1 and min(counts) == max(counts):
            return sign.decode()
    name = path.lower().removesuffix(".gz")
    return "\t" if name.endswith(".tsv") else "," if name.endswith(".csv") else ""


def _recognise_table(data: bytes, path: str, delimiter: str) -> str:
    """The format of a table whose columns can be used; else an error names them."""
    from sameas.coref.read.table import choose_columns

    first = data.lstrip().splitlines()[0].decode("utf-8", "backslashreplace")
    names = next(csv.reader([first], delimiter=delimiter))
    choose_columns([name.strip() for name in names], path, 1)
    return "tsv" if delimiter == "\t" else "csv"
