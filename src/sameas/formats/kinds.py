"""Recognise CoNLL and tables among files in unknown formats, and name the type of other files."""

from __future__ import annotations

import csv
import re

from sameas.errors import InputError, Problem
from sameas.formats.declarations import FORMATS

__all__ = ["recognise", "refuse_other_kinds"]

#: The first bytes of various types of files.
_BEGINNINGS = {
    b"\x89PNG\r\n\x1a\n": "png",
    b"\xff\xd8\xff": "jpeg",
    b"GIF8": "gif",
    b"%PDF-": "pdf",
    b"\xd0\xcf\x11\xe0": "office",
    b"SQLite format 3\0": "sqlite",
    b"\x93NUMPY": "numpy",
    b"\x89HDF\r\n\x1a\n": "hdf5",
    b"ORC": "orc",
    b"Obj\x01": "avro",
    b"\xfd7zXZ\0": "xz",
    b"BZh": "bzip2",
    b"(\xb5/\xfd": "zstd",
    b"7z\xbc\xaf\x27\x1c": "7zip",
    b"Rar!": "rar",
    b"\x7fELF": "program",
    b"MZ\x90": "program",
    b"\x78\x9c": "zlib",
    b"\x78\x01": "zlib",
    b"\x78\xda": "zlib",
    b"sameas name model ": "model",
    b"\x80\2": "pickle",
    b"\x80\3": "pickle",
    b"\x80\4": "pickle",
    b"\x80\5": "pickle",
}
#: File names that identify special kinds of ZIP archives.
_ARCHIVES = {
    r"xl/.*": "excel",
    r"word/.*": "word",
    r"ppt/.*": "powerpoint",
    r"content\.xml": "opendocument",
    r".*\.npy": "arrays",
    r".*/data\.pkl": "tensors",
}
_CONTROL = re.compile(rb"[\0-\x08\x0e-\x1a\x1c-\x1f]")
_CELL = re.compile(rb"[-_*]|\(\S+|\S+\)")
_ROOT = re.compile(rb"<([A-Za-z_][\w.:-]*)")


def recognise(data: bytes, path: str) -> str:
    """Return the format of a file whose first lines do not identify it, or raise `InputError`.

    Files that are empty, or look like CoNLL without the lines that begin documents, are `conll`:
    its reader reports what is missing.

    >>> recognise(b"<?xml version='1.0'?><TEI/>", "a.xml")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    sameas.errors.InputError: a.xml:1:1: no documents: this is XML with root element TEI
      hint: supported formats: conll, conllu, jsonlines, ...; choose one with --format
    """
    if _may_be_conll(data):
        return "conll"
    refuse_other_kinds(data, path)
    delimiter = _delimiter(data, path)
    if delimiter:
        return _recognise_table(data, path, delimiter)
    raise InputError([Problem("other-kind", path, 1, 1, known=tuple(FORMATS), how="text")])


def refuse_other_kinds(data: bytes, path: str) -> None:
    """Reject a file of a known type that cannot contain documents; the error names the type.

    >>> refuse_other_kinds(b"Ann ran.", "a.txt")
    """
    kind, root = _kind(data)
    if kind:
        problem = Problem("other-kind", path, 1, 1, known=tuple(FORMATS), how=kind, root=root)
        raise InputError([problem])


def _kind(data: bytes) -> tuple[str, str]:
    """Return the type of a file, from its first bytes, and the root of XML; empty if unknown."""
    if data[:4] == b"PK\x03\x04":
        return _archive(data), ""
    for beginning, kind in _BEGINNINGS.items():
        if data.startswith(beginning):
            return kind, ""
    if data[257:262] == b"ustar":
        return "tar", ""
    head = data[:4096].lstrip()
    if _CONTROL.search(head):
        return "binary", ""
    if head[:1] == b"[":
        return "json-list", ""
    if head[:1] != b"<":
        return "", ""
    if re.match(rb"<(!doctype\s+)?html\b", head, re.IGNORECASE):
        return "html", ""
    root = _ROOT.search(head)
    return ("xml-root", root[1].decode()) if root else ("xml", "")


def _archive(data: bytes) -> str:
    import io
    import zipfile

    try:
        names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        return "broken-zip"
    kinds = (
        kind
        for pattern, kind in _ARCHIVES.items()
        if any(re.fullmatch(pattern, name) for name in names)
    )
    return next(kinds, "zip")


def _may_be_conll(data: bytes) -> bool:
    """Return whether a file is empty, has a broken header, or ends most rows as CoNLL does."""
    if not data.strip() or b"begin document" in data or b"end document" in data:
        return True
    rows = [line.split() for line in data[: 1 << 16].splitlines()[:200]]
    rows = [row for row in rows if row and not row[0].startswith(b"#")]
    cells = sum(len(row) > 1 and bool(_CELL.fullmatch(row[-1])) for row in rows)
    return 2 * cells > len(rows)


def _delimiter(data: bytes, path: str) -> str:
    """Return the delimiter of a table, which occurs equally often in every line.

    If no delimiter does, the file extension decides; if that is unknown, the result is empty.
    """
    lines = data[: 1 << 16].strip().splitlines()[:20]
    for sign in (b"\t", b",", b";"):
        counts = [line.count(sign) for line in lines]
        if counts[0] and len(counts) > 1 and min(counts) == max(counts):
            return sign.decode()
    name = path.lower().removesuffix(".gz")
    return "\t" if name.endswith(".tsv") else "," if name.endswith(".csv") else ""


def _recognise_table(data: bytes, path: str, delimiter: str) -> str:
    """Return the format of a table; raise an error that names its columns if they are unusable."""
    from sameas.formats.table.columns import choose_columns

    first = data.lstrip().splitlines()[0].decode("utf-8", "backslashreplace")
    names = next(csv.reader([first], delimiter=delimiter))
    choose_columns([name.strip() for name in names], path, 1)
    return "tsv" if delimiter == "\t" else "csv"
