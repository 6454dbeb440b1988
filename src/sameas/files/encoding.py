"""Find bytes that do not belong in a text file, and count the lines that contain them."""

from __future__ import annotations

import codecs
import io
from collections.abc import Callable

from sameas.errors import Problem, Severity

__all__ = ["find_faults"]

_BLOCK = 1 << 20  # bytes decoded at once, to avoid a second copy of a file


def find_faults(data: bytes, path: str, severity: Severity = "error") -> list[Problem]:
    """Find lines with bytes that are not UTF-8, and lines with NUL bytes.

    >>> print(find_faults("Zürich\\n".encode("latin-1") * 3, "a.conll")[0])
    a.conll:1:2: byte 0xfc is not UTF-8 (in 3 lines; this is the first)
      hint: convert the file to UTF-8, for example from Latin-1: iconv -f ISO-8859-1 -t UTF-8 FILE
    >>> find_faults("Zürich\\n".encode(), "a.conll")
    []
    """
    faults = []
    if not _is_utf8(data):
        faults.append(_fault(data, path, severity, "not-utf8", _first_wrong))
    if b"\0" in data:
        faults.append(_fault(data, path, severity, "nul-byte", lambda line: line.find(b"\0")))
    return faults


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return True
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), _BLOCK):
            decoder.decode(data[start : start + _BLOCK])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _first_wrong(line: bytes) -> int:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    return -1


def _fault(
    data: bytes, path: str, severity: Severity, code: str, find: Callable[[bytes], int]
) -> Problem:
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")  # lines that end in CR alone
    lines = enumerate(io.BytesIO(data), start=1)
    places = ((number, line, find(line)) for number, line in lines)
    wrong = (place for place in places if place[2] >= 0)
    number, line, at = next(wrong)
    column = len(line[:at].decode("utf-8", "replace")) + 1
    values = {"byte": line[at : at + 1].hex(), "count": 1 + sum(1 for _ in wrong), "how": severity}
    return Problem(code, path, number, column, severity=severity, values=values)
