"""Bytes that do not belong into a text file: where they are, and how many lines have them."""

from __future__ import annotations

import codecs
import io
from collections.abc import Callable
from typing import NamedTuple

from sameas.errors import Problem

__all__ = ["Fault", "find_faults"]

_BLOCK = 1 << 20  # bytes that are decoded at once, so that no second copy of a file is made


class Fault(NamedTuple):
    """Lines of a file with NUL bytes, or with others that are not UTF-8.

    >>> print(Fault(b"\\xe9", 3, 7, 12).problem("a.conll", "warning"))
    a.conll:3:7: warning: byte 0xe9 is not UTF-8, here and in 11 more lines: read as \\xe9
      hint: convert the file, from Latin-1 for example: iconv -f ISO-8859-1 -t UTF-8
    """

    byte: bytes  # the first of them
    line: int
    column: int
    lines: int  # that have some

    def problem(self, path: str, severity: str = "error") -> Problem:
        """Say what is wrong, and where."""
        more = self.lines - 1
        where = f", here and in {more:,} more line{'s' * (more != 1)}" if more else ""
        read = f": read as \\x{self.byte.hex()}" if severity == "warning" else ""
        message = f"byte 0x{self.byte.hex()} is not UTF-8{where}{read}"
        hint = "convert the file, from Latin-1 for example: iconv -f ISO-8859-1 -t UTF-8"
        if self.byte == b"\0":
            message = f"NUL byte{where}"
            hint = "the file may be damaged: copy it again"
        return Problem(message, path, self.line, self.column, hint, severity)

    def moved(self, lines: int) -> Fault:
        """Return the same fault, `lines` lines further down."""
        return self._replace(line=self.line + lines)

    def __add__(self, later: Fault) -> Fault:  # type: ignore[override]
        """The fault of two parts of a file."""
        return self._replace(lines=self.lines + later.lines)


def find_faults(data: bytes) -> list[Fault]:
    """Find bytes that are not UTF-8, and NUL bytes.

    >>> find_faults("Zürich\\n".encode("latin-1") * 3)
    [Fault(byte=b'\\xfc', line=1, column=2, lines=3)]
    >>> find_faults("Zürich\\n".encode())
    []
    """
    faults = []
    if not _is_utf8(data):
        faults.append(_fault(data, _first_wrong))
    if b"\0" in data:
        faults.append(_fault(data, _first_nul))
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


def _first_nul(line: bytes) -> int:
    return line.find(b"\0")


def _fault(data: bytes, find: Callable[[bytes], int]) -> Fault:
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")  # lines that end in CR alone
    lines = 0
    fault = Fault(b"", 0, 0, 0)
    for number, line in enumerate(io.BytesIO(data), start=1):
        at = find(line)
        if at < 0:
            continue
        lines += 1
        if lines == 1:
            column = len(line[:at].decode("utf-8", "replace")) + 1
            fault = Fault(line[at : at + 1], number, column, 0)
    return fault._replace(lines=lines)
