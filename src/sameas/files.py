"""Bytes in and out: list folders, read and unpack within bounds, replace files atomically.

Every file that sameas reads whole and every file that it writes passes through here.
"""

from __future__ import annotations

import errno
import io
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, NamedTuple

from sameas.errors import InputError, Problem

__all__ = [
    "file_bytes",
    "is_regular",
    "list_folder",
    "raw_bytes",
    "unreadable",
    "walk",
    "write_file",
    "write_files",
]

Path = str | os.PathLike[str]

CHUNK = 1 << 20  # bytes that are read or written at once where the size is not known
SMALL = 1 << 26  # bytes that are read without asking how much memory is free; all of a device
LARGE = 1 << 30  # bytes that every gzip file may unpack to, as far as memory allows
GROWTH = 250  # times its size that a gzip file may unpack to beyond that; text shrinks to a fifth


# --- folders ------------------------------------------------------------------------------------


def walk(folder: str, hidden: tuple[str, ...] = (".",)) -> list[str]:
    """Return every file below a folder, sorted, but for names that begin with one of `hidden`.

    Links are followed. A folder that cannot be read, a link back to a folder around it and what is
    no file, such as a named pipe, raise `InputError`: what is left out would change a score.

    >>> from sameas.examples import example_path
    >>> len(walk(str(example_path("key.conll").parent))) > 3
    True
    """
    found: list[str] = []
    problems: list[Problem] = []
    # Folders, the identities of those around each, and the last link on the way to it.
    waiting: list[tuple[str, frozenset[tuple[int, int]], str]] = [(folder, frozenset(), folder)]
    while waiting:
        path, around, link = waiting.pop()
        try:
            status = os.stat(path)
            entries = list(os.scandir(path))
        except OSError as error:
            problems.append(_unreadable(error, path))
            continue
        identity = (status.st_dev, status.st_ino)
        if identity in around:
            hint = "remove the link; links to other folders are followed"
            problems.append(Problem("this link leads back to a folder around it", link, hint=hint))
            continue
        for entry in entries:
            if entry.name.startswith(hidden):
                continue
            inside = os.path.join(path, entry.name)
            try:
                if entry.is_dir():
                    last = inside if entry.is_symlink() else link
                    waiting.append((inside, around | {identity}, last))
                elif entry.is_file() or not os.path.exists(inside):  # who opens it says why not
                    found.append(inside)
                else:
                    problems.append(Problem("cannot be read: it is not a file", inside))
            except OSError as error:
                problems.append(_unreadable(error, inside))
    if problems:
        raise InputError(sorted(problems, key=lambda problem: problem.path))
    return sorted(found)


def list_folder(folder: str) -> list[str]:
    """Return the names in a folder, sorted, or raise an error that says why not.

    >>> list_folder("no-such-folder")
    Traceback (most recent call last):
    ...
    sameas.errors.InputError: no-such-folder: cannot be read: No such file or directory
    """
    try:
        return sorted(os.listdir(folder))
    except OSError as error:
        raise unreadable(error, folder) from None


# --- reading ------------------------------------------------------------------------------------


def file_bytes(path: Path) -> bytes:
    """Return the bytes of a file or of standard input (`-`), unpacked if it is gzip.

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
        raise InputError([_too_large("not enough memory to unpack it", shown)]) from None


def raw_bytes(path: Path) -> bytes:
    """Return the bytes of a file or of standard input (`-`) as they are.

    >>> from sameas.examples import example_path
    >>> raw_bytes(example_path("key.conll"))[:15]
    b'#begin document'
    """
    shown = _shown(path)
    try:
        if shown != "<stdin>":
            with open(path, "rb") as file:
                return _read(file, shown)
        if sys.stdin is None:
            raise InputError([Problem("standard input is closed", shown)])
        return _read(sys.stdin.buffer, shown)
    except (OSError, ValueError) as error:
        raise unreadable(error, shown) from None
    except MemoryError:
        raise InputError([_too_large("not enough memory to read it", shown)]) from None


def is_regular(path: Path) -> bool:
    """Whether a path can be read more than once: what comes through a pipe is gone afterwards.

    >>> from sameas.examples import example_path
    >>> is_regular(example_path("key.conll")), is_regular("no-such-file")
    (True, False)
    """
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def unreadable(error: OSError | ValueError, path: Path) -> InputError:
    """Return the error that says why a path cannot be read.

    >>> unreadable(OSError(5, "Input/output error"), "a.conll")
    InputError((Problem(message='cannot be read: Input/output error', path='a.conll', line=0, \
column=0, hint='', severity='error'),))
    """
    return InputError([_unreadable(error, path)])


def _unreadable(error: OSError | ValueError, path: Path) -> Problem:
    reason = _reason(error)
    with suppress(OSError, ValueError):
        if isinstance(error, FileNotFoundError) and os.path.islink(path):
            reason = f"it is a link to {os.readlink(path)}, which does not exist"
    return Problem(f"cannot be read: {reason}", os.fspath(path))


def _reason(error: OSError | ValueError) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error) or "unknown reason"


def _shown(path: Path) -> str:
    return "<stdin>" if os.fspath(path) == "-" else os.fspath(path)


def _read(file: BinaryIO, path: str) -> bytes:
    """All bytes of an open file, unless it has no end or memory cannot hold it."""
    size, device = 0, False
    with suppress(OSError):  # standard input need not be a file
        status = os.fstat(file.fileno())
        size = status.st_size if stat.S_ISREG(status.st_mode) else 0
        device = stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode)
    if size > SMALL and size > (free := _free_memory()):
        message = f"too large to be read at once: {_gib(size)}, and {_gib(free)} of memory are free"
        raise InputError([_too_large(message, path)])
    if size:
        return file.read()
    found = io.BytesIO()
    bound = _Bound()
    while block := file.read(CHUNK):
        found.write(block)
        if device and found.tell() > SMALL:
            message = f"no end after {SMALL >> 20} MiB: this is a device, not a file"
            raise InputError([Problem(message, path)])
        if found.tell() > bound.at(found.tell()):
            raise InputError([_too_large(f"no end after {_gib(found.tell())}", path)])
    return found.getvalue()


class _Bound:
    """How much may be taken into memory whose size is not known before: half of what is free."""

    def __init__(self) -> None:
        self._bytes = SMALL

    def at(self, size: int) -> int:
        """The bound, when `size` bytes are there; the system is asked only if they are many."""
        if size > self._bytes == SMALL:
            self._bytes += _free_memory() // 2
        return self._bytes


def _too_large(message: str, path: str) -> Problem:
    hint = (
        "sameas score reads files piece by piece that are on disk, not packed, and have the same "
        "order of documents"
    )
    return Problem(message, path, hint=hint)


def _gib(size: int) -> str:
    return f"{size / (1 << 30):.1f} GiB"


def _unzip(data: bytes, path: str) -> bytes:
    import zlib

    found = io.BytesIO()
    bound = _Bound()
    at = 0
    try:
        while at < len(data):
            member = zlib.decompressobj(wbits=31)
            while at < len(data) and not member.eof:
                block = data[at : at + (1 << 16)]  # a thousand times as much at most
                at += len(block)
                found.write(member.decompress(block))
                if found.tell() > max(LARGE, GROWTH * len(data)):
                    message = f"unpacks to more than {GROWTH} times its size"
                    hint = f"if the file is as it should be, unpack it first: gunzip {path}"
                    raise InputError([Problem(message, path, hint=hint)])
                if found.tell() > bound.at(found.tell()):
                    message = f"unpacks to more than {_gib(found.tell())}"
                    raise InputError([_too_large(message, path)])
            if not member.eof:
                raise InputError(
                    [Problem("the gzip data break off", path, 1, 1, "copy the file again")]
                )
            at -= len(member.unused_data)
            if data[at : at + 1] == b"\0":  # what tapes and disks fill their blocks with
                at = len(data) - len(data[at:].lstrip(b"\0"))
    except zlib.error as error:
        raise InputError(
            [Problem(f"broken gzip data: {error}", path, 1, 1, "copy the file again")]
        ) from None
    return found.getvalue()


def _free_memory() -> int:
    """Bytes that this process may still take, as far as the system tells."""
    bounds = [sys.maxsize]
    with suppress(OSError, ValueError):
        told = re.search(r"MemAvailable:\s*(\d+) kB", _text("/proc/meminfo"))
        bounds += [int(told[1]) << 10] if told else []
    with suppress(OSError, ValueError):  # of a container; without a bound it says `max`
        group = "/sys/fs/cgroup/memory"
        bounds.append(int(_text(f"{group}.max")) - int(_text(f"{group}.current")))
    with suppress(OSError, ValueError, ImportError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_AS)[0]
        if most != resource.RLIM_INFINITY:
            taken = int(_text("/proc/self/statm").split()[0]) * resource.getpagesize()
            bounds.append(most - taken)
    return max(min(bounds), 0)


def _text(path: str) -> str:
    with open(path, encoding="ascii", errors="replace") as file:
        return file.read()


# --- writing ------------------------------------------------------------------------------------


def write_file(path: Path, data: bytes | str) -> None:
    """Write a file whole or not at all: an earlier file stays as it is until the new one is there.

    The bytes go to a new file in the same folder, which then takes the place of the earlier one.
    An existing file keeps its permissions; of a link, its target is replaced; other hard links keep
    the earlier content. Pipes, devices and open files (/dev/stdout, /dev/fd/3) are written through,
    and so are existing files in folders where no new file may be made.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_file(f"{folder}/a.txt", "one")
    ...     write_file(f"{folder}/a.txt", "two")
    ...     os.listdir(folder), raw_bytes(f"{folder}/a.txt")
    (['a.txt'], b'two')
    """
    write_files([(path, data)])


def write_files(contents: Iterable[tuple[Path, bytes | str]]) -> None:
    """Write several files: none is replaced before all of them are on disk.

    Each file is whole at any time. Only if the machine stops, or the process is killed by a signal
    that cannot be caught, while the names are being changed, some are new and some are not.
    """
    staged: list[_Staged] = []
    through: list[tuple[Path, bytes]] = []
    with _signals_held() as check:
        try:
            for path, content in contents:
                data = content if isinstance(content, bytes) else _encoded(content)
                with _named(path):
                    one = _stage(path, data, check)
                if one is None:
                    through.append((path, data))
                else:
                    staged.append(one)
            check()
            for one in staged:
                with _named(one.path):
                    one.commit()
        except BaseException:
            for one in staged:
                one.remove()
            raise
    for path, data in through:
        with _named(path):
            _write_through(path, data)


def _encoded(text: str) -> bytes:
    """Text as bytes; lone surrogates, which no file can hold, as JSON spells them."""
    return text.encode("utf-8", "backslashreplace")


@contextmanager
def _named(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        problem = Problem(f"cannot be written: {_reason(error)}", os.fspath(path))
        raise InputError([problem]) from None


#: The names under which systems give the open files of a process.
_OPEN_FILE = re.compile(r"/dev/std(?:out|err)|(?:/dev/fd|/proc/(?:self|\d+)(?:/task/\d+)?/fd)/\d+")


def _target(path: Path) -> str | None:
    """The file to replace, behind all links; None if it is to be written through."""
    if _open_file(path) is not None:
        return None
    try:
        kind = os.stat(path).st_mode
    except FileNotFoundError:
        return os.path.realpath(path)
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(kind):
        return None
    if not os.access(path, os.W_OK):  # to replace it takes no such right, but is not what was meant
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return os.path.realpath(path)


def _open_file(path: Path) -> str | None:
    """The name of an open file that a path is or links to, such as /dev/fd/3."""
    step = os.path.abspath(path)
    for _ in range(40):  # as many links as Linux follows
        if _OPEN_FILE.fullmatch(step):
            return step
        if not os.path.islink(step):
            return None
        step = os.path.normpath(os.path.join(os.path.dirname(step), os.readlink(step)))
    return None


class _Staged(NamedTuple):
    """A new file beside the one that it is to replace."""

    path: Path  # as it was given
    target: str
    temporary: str
    data: bytes

    def commit(self) -> None:
        """Take the place of the target."""
        try:
            os.replace(self.temporary, self.target)
        except OSError as error:
            # In a folder like /tmp somebody's file may be written, not replaced; and a file may be
            # mounted by itself.
            if error.errno not in _NOT_HERE or not os.path.exists(self.target):
                raise
            self.remove()
            _write_through(self.target, self.data)

    def remove(self) -> None:
        """Leave nothing behind."""
        with suppress(OSError):
            os.unlink(self.temporary)


_NOT_HERE = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY)
_NO_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)  # some network file systems


def _stage(path: Path, data: bytes, check: Callable[[], None]) -> _Staged | None:
    """Write a new file beside that of the path; None if it has to be written through."""
    target = _target(path)
    if target is None:
        return None
    # Hidden, so that what a power cut leaves behind is not read as a part of the folder.
    temporary = os.path.join(os.path.dirname(target), f".sameas-{os.urandom(6).hex()}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(temporary, flags, 0o666)
    except OSError as error:
        if error.errno in _NOT_HERE and os.path.exists(target):
            return None
        raise
    staged = _Staged(path, target, temporary, data)
    try:
        with open(descriptor, "wb", buffering=0) as file:
            _write_all(file, data, check)
            _copy_rights(target, descriptor)
            try:
                os.fsync(descriptor)
            except OSError as error:
                if error.errno not in _NO_SYNC:
                    raise
    except BaseException:
        staged.remove()
        raise
    return staged


def _write_all(file: io.FileIO, data: bytes, check: Callable[[], None]) -> None:
    rest = memoryview(data)
    while rest:
        check()
        rest = rest[file.write(rest[:CHUNK]) or 0 :]


def _copy_rights(target: str, descriptor: int) -> None:
    """Give a new file the owner and the permissions of the one that it replaces."""
    if not os.path.exists(target) or not hasattr(os, "fchmod"):
        return
    status = os.stat(target)
    with suppress(OSError):
        os.fchown(descriptor, -1, status.st_gid)
        os.fchown(descriptor, status.st_uid, -1)
    with suppress(OSError):
        os.fchmod(descriptor, stat.S_IMODE(status.st_mode))


def _write_through(path: Path, data: bytes) -> None:
    name = _open_file(path)
    ours = ("/dev/", "/proc/self/fd/")
    if name is None or not name.startswith(ours):
        with open(path, "wb") as file:
            file.write(data)
        return
    # The open file itself: opened anew by name, it would be cut and written from its beginning.
    number = {"/dev/stdout": 1, "/dev/stderr": 2}.get(name) or int(name.rpartition("/")[2])
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    with open(os.dup(number), "wb") as file:
        file.write(data)


@contextmanager
def _signals_held() -> Iterator[Callable[[], None]]:
    """Let signals that would end the process wait until nothing unfinished is left behind.

    What is yielded raises `_SignalError` if one has come; it is sent again at the end.
    """
    import signal
    import threading

    came: list[int] = []

    def check() -> None:
        if came:
            raise _SignalError

    held: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)  # Windows lacks some
            # What a caller does about signals is left alone: it need not end anything.
            usual = (signal.SIG_DFL, signal.default_int_handler)
            if number is not None and signal.getsignal(number) in usual:
                held[number] = signal.signal(number, lambda number, _: came.append(number))
    try:
        yield check
    except _SignalError:
        pass
    finally:
        for number, handler in held.items():
            signal.signal(number, handler)
        if came:
            signal.raise_signal(came[0])


class _SignalError(Exception):
    """A signal came while files were being written."""
