"""The one door for bytes: list folders, read and unpack within bounds, replace files atomically.

Whatever sameas reads or writes passes through here, and what the system refuses becomes an
`InputError` that names the path.
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
from typing import Any, BinaryIO, Self, TextIO

from sameas.errors import InputError, Problem

__all__ = [
    "check_writable",
    "discard",
    "file_bytes",
    "is_regular",
    "list_folder",
    "matching",
    "opened",
    "package_data",
    "peek",
    "raw_bytes",
    "read_part",
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
            problems.append(Problem("link-back", link))
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
                    problems.append(Problem("cannot-read", inside, how="kind"))
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


def matching(pattern: str) -> list[str]:
    """Return the paths that a pattern stands for, as a shell has them, and `**` at any depth.

    A folder on the way that cannot be read is an error: to leave it out would change a score.

    >>> matching("no-such-folder/*.parquet")
    []
    """
    import glob

    head = os.path.dirname(pattern)
    folders = matching(head) if glob.has_magic(head) else [head or os.curdir]
    for folder in filter(os.path.isdir, folders):
        list_folder(folder)
    return glob.glob(pattern, recursive=True)


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
        raise _error("too-large", shown, how="to-unpack") from None


def raw_bytes(path: Path) -> bytes:
    """Return the bytes of a file or of standard input (`-`) as they are.

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
            raise _error("stdin-closed", shown)
        return _read(sys.stdin.buffer, shown)
    except (OSError, ValueError) as error:
        raise unreadable(error, shown) from None
    except MemoryError:
        raise _error("too-large", shown, how="to-read") from None


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file that is read piece by piece.

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
    """Return the bytes of a file from one place to another; fewer if it ends before.

    >>> from sameas.examples import example_path
    >>> read_part(example_path("key.conll"), 1, 6)
    b'begin'
    """
    with opened(path) as file:
        file.seek(start)
        return file.read(stop - start)


def peek(path: Path, most: int = CHUNK) -> bytes | None:
    """Return the first bytes of a file, or None: whoever reads all of it reports why it cannot be.

    >>> peek("no-such-file") is None
    True
    """
    try:
        with open(path, "rb") as file:
            return file.read(most)
    except (OSError, ValueError):
        return None


def package_data(name: str) -> bytes:
    """Return the bytes of a file of this package, which may be in a zip file.

    >>> package_data("examples/key.conll")[:6]
    b'#begin'
    """
    home = os.path.dirname(os.path.dirname(__file__))
    path = os.path.join(home, *name.split("/"))
    try:
        data: bytes = __spec__.loader.get_data(path)  # type: ignore[union-attr]
    except OSError as error:
        raise _error("package-file", path, reason=_reason(error)) from None
    return data


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

    >>> print(unreadable(OSError(5, "Input/output error"), "a.conll"))
    a.conll: cannot be read: Input/output error
    """
    return InputError([_unreadable(error, path)])


def _unreadable(error: OSError | ValueError, path: Path) -> Problem:
    name = os.fspath(path)
    with suppress(OSError, ValueError):
        if isinstance(error, FileNotFoundError) and os.path.islink(path):
            return Problem("cannot-read", name, how="link", target=os.readlink(name))
    return Problem("cannot-read", name, reason=_reason(error))


def _error(code: str, path: Path, **values: Any) -> InputError:
    return InputError([Problem(code, os.fspath(path), values=values)])


def _reason(error: OSError | ValueError) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__


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
        raise _error("too-large", path, how="file", size=_gib(size), free=_gib(free))
    if size:
        return file.read()
    found = io.BytesIO()
    bound = _Bound()
    while block := file.read(CHUNK):
        found.write(block)
        if device and found.tell() > SMALL:
            raise _error("device", path, size=SMALL >> 20)
        if found.tell() > bound.at(found.tell()):
            raise _error("too-large", path, how="endless", size=_gib(found.tell()))
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


def _gib(size: int) -> float:
    return size / (1 << 30)


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
                    raise _error("gzip-growth", path, times=GROWTH, file=path)
                if found.tell() > bound.at(found.tell()):
                    raise _error("too-large", path, how="unpacked", size=_gib(found.tell()))
            if not member.eof:
                raise InputError([Problem("gzip-broken", path, 1, 1, how="cut")])
            at -= len(member.unused_data)
            if data[at : at + 1] == b"\0":  # what tapes and disks fill their blocks with
                at = len(data) - len(data[at:].lstrip(b"\0"))
    except zlib.error as error:
        raise InputError([Problem("gzip-broken", path, 1, 1, reason=str(error))]) from None
    return found.getvalue()


def _free_memory() -> int:
    """Bytes that this process may still take, as far as the system tells."""
    bounds = [sys.maxsize]
    told = re.search(rb"MemAvailable:\s*(\d+) kB", peek("/proc/meminfo") or b"")
    bounds += [int(told[1]) << 10] if told else []
    group = "/sys/fs/cgroup/memory"  # of a container; without a bound it says `max`
    with suppress(ValueError):
        bounds.append(int(peek(f"{group}.max") or b"") - int(peek(f"{group}.current") or b""))
    with suppress(OSError, ValueError, ImportError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_AS)[0]
        if most != resource.RLIM_INFINITY:
            pages = (peek("/proc/self/statm") or b"").partition(b" ")[0]
            bounds.append(most - int(pages) * resource.getpagesize())
    return max(min(bounds), 0)


# --- writing ------------------------------------------------------------------------------------


def check_writable(path: Path, folder: bool = False) -> None:
    """Refuse a path that cannot be written, before the work whose result it is to hold.

    A file needs a folder that takes new ones, since it is replaced, not written over. With
    `folder`, the path is that of a folder, which need not exist. `-` is standard output.

    >>> check_writable("no-such-folder/a.txt")
    Traceback (most recent call last):
    ...
    sameas.errors.InputError: no-such-folder/a.txt: cannot be written: No such file or directory
    """
    if os.fspath(path) == "-":
        return
    with _named(path):
        if folder:
            place = os.fspath(path)
            while place and not os.path.exists(place):
                place = os.path.dirname(place)
            target: str | None = os.path.join(place, "new")
        else:
            target = _target(path)
        if target is not None:
            with _signals_held() as check, _Stage(False, check) as stage:
                stage.add(path, target, b"")
        # An open file may belong to somebody else, and may be written to all the same.
        elif _open_file(path) is None and not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def write_file(path: Path, data: bytes | str) -> None:
    """Write a file whole or not at all: an earlier file stays as it is until the new one is there.

    The bytes go to a new file in the same folder, which then takes the place of the earlier one.
    An existing file keeps its permissions; of a link, its target is replaced; other hard links keep
    the earlier content. Pipes, devices, open files (/dev/stdout, /dev/fd/3) and files that are
    mounted by themselves are written through.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_file(f"{folder}/a.txt", "one")
    ...     write_file(f"{folder}/a.txt", "two")
    ...     list_folder(folder), raw_bytes(f"{folder}/a.txt")
    (['a.txt'], b'two')
    """
    write_files([(path, data)])


def write_files(contents: Iterable[tuple[Path, bytes | str]], folder: Path | None = None) -> None:
    """Write several files: none is replaced before all of them are on disk.

    Each file is whole at any time. Only if the machine stops, or the process is killed by a signal
    that cannot be caught, while the names are being changed, some are new and some are not. A
    `folder` for them is made, and removed if they cannot be written.
    """
    encoded = [
        (path, data if isinstance(data, bytes) else _encoded(data)) for path, data in contents
    ]
    through: list[tuple[Path, bytes]] = []
    with _signals_held() as check, _folder(folder), _Stage(len(encoded) > 1, check) as stage:
        for path, data in encoded:
            with _named(path):
                target = _target(path)
                if target is None:
                    through.append((path, data))
                else:
                    stage.add(path, target, data)
        check()
        stage.commit()
    for path, data in through:
        with _named(path):
            _write_through(path, data)


@contextmanager
def _folder(path: Path | None) -> Iterator[None]:
    """Make a folder if it is missing, and remove it again if the block fails."""
    if path is None or os.path.isdir(path):
        yield
        return
    with _named(path):
        os.makedirs(path)
    try:
        yield
    except BaseException:
        with suppress(OSError):
            os.rmdir(path)
        raise


def _encoded(text: str) -> bytes:
    """Text as bytes; lone surrogates, which no file can hold, as JSON spells them."""
    return text.encode("utf-8", "backslashreplace")


@contextmanager
def _named(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        raise _error("cannot-write", path, reason=_reason(error)) from None


#: The names under which systems give the open files of a process.
_OPEN_FILE = r"/dev/std(?:out|err)|(?:/dev/fd|/proc/(?:self|\d+)(?:/task/\d+)?/fd)/\d+"


def _target(path: Path) -> str | None:
    """The file to replace, behind all links; None if it is to be written through."""
    if (name := _open_file(path)) is not None:
        os.stat(name)
        return None
    target = os.path.realpath(path) if os.path.islink(path) else os.fspath(path)
    try:
        status = os.stat(target)
    except FileNotFoundError:
        if not os.path.basename(target):
            raise
        return target
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(status.st_mode):
        return None
    if not os.access(target, os.W_OK):  # replacing it needs no such right, but would be wrong
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    around = os.stat(os.path.dirname(target) or os.curdir)
    if around.st_mode & stat.S_ISVTX and os.geteuid() not in (0, status.st_uid, around.st_uid):
        raise _error("not-owner", path)  # a folder like /tmp
    return target


def _open_file(path: Path) -> str | None:
    """The name of an open file that a path is or links to, such as /dev/fd/3."""
    step = os.path.abspath(path)
    for _ in range(40):  # as many links as Linux follows
        if re.fullmatch(_OPEN_FILE, step):
            return step
        if not os.path.islink(step):
            return None
        step = os.path.normpath(os.path.join(os.path.dirname(step), os.readlink(step)))
    return None


class _Stage:
    """New files beside those that they are to replace; several are in a folder of their own.

    A process that is killed leaves one hidden file or folder, which is not read as a part of the
    folder around it.
    """

    def __init__(self, several: bool, check: Callable[[], None]) -> None:
        self.several, self.check = several, check
        self.files: list[tuple[Path, str, str, bytes]] = []  # as given, to replace, new, content
        self.folders: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Leave nothing behind."""
        for _, _, temporary, _ in self.files:
            with suppress(OSError):
                os.unlink(temporary)
        for temporary in self.folders.values():
            with suppress(OSError):
                os.rmdir(temporary)

    def add(self, path: Path, target: str, data: bytes) -> None:
        """Write a new file."""
        place = os.path.dirname(target)
        temporary = _hidden(place)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        try:
            if self.several:
                if place not in self.folders:
                    os.mkdir(temporary, 0o700)
                    self.folders[place] = temporary
                temporary = _hidden(self.folders[place])
            descriptor = os.open(temporary, flags, 0o666)
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
                raise
            values = {"folder": place or os.curdir, "reason": _reason(error)}
            raise _error("folder-closed", path, **values) from None
        self.files.append((path, target, temporary, data))
        with open(descriptor, "wb", buffering=0) as file:
            _write_all(file, data, self.check)
            _copy_rights(target, descriptor)
            try:
                if data:
                    os.fsync(descriptor)
            except OSError as error:
                if error.errno not in _NO_SYNC:
                    raise

    def commit(self) -> None:
        """Let the new files take the places of the earlier ones."""
        for path, target, temporary, data in self.files:
            with _named(path):
                try:
                    os.replace(temporary, target)
                except OSError as error:
                    if error.errno != errno.EBUSY:  # mounted by itself
                        raise
                    _write_through(target, data)


def _hidden(folder: str) -> str:
    """A new name in a folder."""
    return os.path.join(folder, f".sameas-{os.urandom(6).hex()}")


_NO_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)  # some network file systems


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


def discard(stream: TextIO) -> None:
    """Let what is still to be written to a stream go nowhere: it cannot be written.

    >>> discard(sys.stdout)  # doctest: +SKIP
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


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
