"""Read the bytes of files and streams, decompressed if they are gzip, within the free memory."""

from __future__ import annotations

import io
import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO

from sameas.errors import InputError, Problem

__all__ = [
    "CHUNK",
    "Path",
    "file_bytes",
    "file_error",
    "is_regular",
    "opened",
    "package_data",
    "peek",
    "raw_bytes",
    "read_part",
    "reading_problem",
    "system_reason",
    "unreadable",
]

Path = str | os.PathLike[str]

CHUNK = 1 << 20  # bytes read or written at once if the size is unknown
SMALL = 1 << 26  # bytes read without checking the free memory; the limit for a device
LARGE = 1 << 30  # bytes to which any gzip file may expand, if memory allows
GROWTH = 250  # factor by which a gzip file may expand beyond that; text expands fivefold


def file_bytes(path: Path) -> bytes:
    """Return the bytes of a file or of standard input (`-`), decompressed if it is gzip.

    >>> file_bytes("no-such-file")
    Traceback (most recent call last):
    ...
    sameas.errors.InputError: no-such-file: cannot be read: No such file or directory
    """
    data = raw_bytes(path)
    if data[:2] != b"\x1f\x8b":
        return data
    shown = _shown(path)
    try:
        return _unzip(data, shown)
    except MemoryError:
        raise file_error("too-large", shown, how="to-unpack") from None


def raw_bytes(path: Path) -> bytes:
    """Return the bytes of a file or of standard input (`-`) unchanged.

    >>> from sameas.examples import example_path
    >>> raw_bytes(example_path("key.conll"))[:15]
    b'#begin document'
    """
    shown = _shown(path)
    try:
        if shown != "<stdin>":
            with opened(path) as file:
                return _read(file, shown)
        if sys.stdin is None:
            raise file_error("stdin-closed", shown)
        return _read(sys.stdin.buffer, shown)
    except (OSError, ValueError) as error:
        raise unreadable(error, shown) from None
    except MemoryError:
        raise file_error("too-large", shown, how="to-read") from None


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file to read it in parts.

    >>> from sameas.examples import example_path
    >>> with opened(example_path("key.conll")) as file:
    ...     file.read(6)
    b'#begin'
    """
    try:
        file = open(path, "rb")  # noqa: SIM115
    except (OSError, ValueError) as error:
        raise unreadable(error, path) from None
    with file:
        try:
            yield file
        except OSError as error:
            raise unreadable(error, path) from None


def read_part(path: Path, start: int, stop: int) -> bytes:
    """Return the bytes of a file from one offset to another; fewer if the file ends earlier.

    >>> from sameas.examples import example_path
    >>> read_part(example_path("key.conll"), 1, 6)
    b'begin'
    """
    with opened(path) as file:
        file.seek(start)
        return file.read(stop - start)


def peek(path: Path, most: int = CHUNK) -> bytes | None:
    """Return the first bytes of a file, or None if it cannot be read (reading it all reports why).

    >>> peek("no-such-file") is None
    True
    """
    try:
        with open(path, "rb") as file:
            return file.read(most)
    except (OSError, ValueError):
        return None


def package_data(name: str) -> bytes:
    """Return the bytes of a file in this package, which may be in a zip file.

    >>> package_data("examples/key.conll")[:6]
    b'#begin'
    """
    home = os.path.dirname(os.path.dirname(__file__))
    path = os.path.join(home, *name.split("/"))
    try:
        data: bytes = __spec__.loader.get_data(path)  # type: ignore[union-attr]
    except OSError as error:
        raise file_error("package-file", path, reason=system_reason(error)) from None
    return data


def is_regular(path: Path) -> bool:
    """Return whether a path can be read more than once, unlike a pipe.

    >>> from sameas.examples import example_path
    >>> is_regular(example_path("key.conll")), is_regular("no-such-file")
    (True, False)
    """
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def unreadable(error: OSError | ValueError, path: Path) -> InputError:
    """Return the error that explains why a path cannot be read.

    >>> print(unreadable(OSError(5, "Input/output error"), "a.conll"))
    a.conll: cannot be read: Input/output error
    """
    return InputError([reading_problem(error, path)])


def reading_problem(error: OSError | ValueError, path: Path) -> Problem:
    """Return the problem that explains why a path cannot be read."""
    name = os.fspath(path)
    with suppress(OSError, ValueError):
        if isinstance(error, FileNotFoundError) and os.path.islink(path):
            return Problem("cannot-read", name, how="link", target=os.readlink(name))
    return Problem("cannot-read", name, reason=system_reason(error))


def file_error(code: str, path: Path, **values: Any) -> InputError:
    """Return the error for a single problem with a path."""
    return InputError([Problem(code, os.fspath(path), values=values)])


def system_reason(error: OSError | ValueError) -> str:
    """Return the reason that the system gives for an error."""
    return (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__


def _shown(path: Path) -> str:
    return "<stdin>" if os.fspath(path) == "-" else os.fspath(path)


def _read(file: BinaryIO, path: str) -> bytes:
    """Return all bytes of an open file; reject endless devices and files larger than memory."""
    size, device = 0, False
    with suppress(OSError):  # standard input need not be a file
        status = os.fstat(file.fileno())
        size = status.st_size if stat.S_ISREG(status.st_mode) else 0
        device = stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode)
    if size > SMALL and size > (free := _free_memory()):
        raise file_error("too-large", path, how="file", size=_gib(size), free=_gib(free))
    if size:
        return file.read()
    found = _Growing(path, "endless")
    while block := file.read(CHUNK):
        if device and found.tell() + len(block) > SMALL:
            raise file_error("device", path, size=SMALL >> 20)
        found.add(block)
    return found.getvalue()


class _Growing(io.BytesIO):
    """A buffer for data of unknown size, limited to half of the free memory."""

    def __init__(self, path: str, how: str) -> None:
        super().__init__()
        self._path, self._how, self._most = path, how, SMALL

    def add(self, block: bytes) -> None:
        """Add bytes, or raise an error; check the free memory only beyond the first limit."""
        self.write(block)
        if self.tell() > self._most == SMALL:
            self._most += _free_memory() // 2
        if self.tell() > self._most:
            raise file_error("too-large", self._path, how=self._how, size=_gib(self.tell()))


def _gib(size: int) -> float:
    return size / (1 << 30)


def _unzip(data: bytes, path: str) -> bytes:
    import zlib

    found = _Growing(path, "unpacked")
    at = 0
    try:
        while at < len(data):
            member = zlib.decompressobj(wbits=31)
            while at < len(data) and not member.eof:
                block = data[at : at + (1 << 16)]  # expands at most about a thousandfold
                at += len(block)
                unpacked = member.decompress(block)
                if found.tell() + len(unpacked) > max(LARGE, GROWTH * len(data)):
                    raise file_error("gzip-growth", path, times=GROWTH, file=path)
                found.add(unpacked)
            if not member.eof:
                raise InputError([Problem("gzip-broken", path, 1, 1, how="cut")])
            at -= len(member.unused_data)
            if data[at : at + 1] == b"\0":  # padding of blocks on tapes and disks
                at = len(data) - len(data[at:].lstrip(b"\0"))
    except zlib.error as error:
        raise InputError([Problem("gzip-broken", path, 1, 1, reason=str(error))]) from None
    return found.getvalue()


def _free_memory() -> int:
    """Return the number of bytes that this process may still allocate, as far as is known."""
    bounds = [sys.maxsize]
    available = re.search(rb"MemAvailable:\s*(\d+) kB", peek("/proc/meminfo") or b"")
    bounds += [int(available[1]) << 10] if available else []
    group = "/sys/fs/cgroup/memory"  # of a container; it contains `max` if there is no limit
    with suppress(ValueError):
        bounds.append(int(peek(f"{group}.max") or b"") - int(peek(f"{group}.current") or b""))
    with suppress(OSError, ValueError, ImportError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_AS)[0]
        if most != resource.RLIM_INFINITY:
            pages = (peek("/proc/self/statm") or b"").partition(b" ")[0]
            bounds.append(most - int(pages) * resource.getpagesize())
    return max(min(bounds), 0)
