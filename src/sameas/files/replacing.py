"""Write files completely or not at all: the new content replaces the earlier one atomically."""

from __future__ import annotations

import errno
import io
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Self, TextIO

from sameas.files.unpacking import CHUNK, Path, file_error, system_reason

__all__ = ["check_writable", "discard", "write_file", "write_files"]


def check_writable(path: Path, folder: bool = False) -> None:
    """Raise an error if a path cannot be written, before the result is computed.

    A file needs a folder that accepts new files, since it is replaced, not overwritten in place.
    With `folder`, the path is that of a folder, which need not exist. `-` is standard output.

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
            with _deferred_signals() as check, _Stage(False, check) as stage:
                stage.add(path, target, b"")
        # An open file can be written even if it belongs to another user.
        elif _open_file(path) is None and not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def write_file(path: Path, data: bytes | str) -> None:
    """Write a file completely or not at all; an earlier file is unchanged until the end.

    The bytes are written to a new file in the same folder, which then replaces the earlier file.
    An existing file keeps its permissions. For a link, the target is replaced; other hard links
    keep the earlier content. Pipes, devices, open files (/dev/stdout, /dev/fd/3) and files that
    are mount points are not replaced but written directly.

    >>> import tempfile
    >>> from sameas.files import list_folder, raw_bytes
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_file(f"{folder}/a.txt", "one")
    ...     write_file(f"{folder}/a.txt", "two")
    ...     list_folder(folder), raw_bytes(f"{folder}/a.txt")
    (['a.txt'], b'two')
    """
    write_files([(path, data)])


def write_files(contents: Iterable[tuple[Path, bytes | str]], folder: Path | None = None) -> None:
    """Write several files; no earlier file is replaced before all new ones are on disk.

    Each file is complete at all times. Some files are new and others old only if the machine stops,
    or the process is killed by a signal that cannot be caught, while they are being renamed. A
    `folder` for them is created, and removed if they cannot be written.
    """
    # Lone surrogates, which UTF-8 cannot encode, are written as the escapes of JSON.
    encoded = [
        (path, data.encode("utf-8", "backslashreplace") if isinstance(data, str) else data)
        for path, data in contents
    ]
    through: list[tuple[Path, bytes]] = []
    with _deferred_signals() as check, _folder(folder), _Stage(len(encoded) > 1, check) as stage:
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
    """Create a folder if it is missing, and remove it again if the block fails."""
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


@contextmanager
def _named(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        raise file_error("cannot-write", path, reason=system_reason(error)) from None


#: The paths by which systems expose the open files of a process.
_OPEN_FILE = r"/dev/std(?:out|err)|(?:/dev/fd|/proc/(?:self|\d+)(?:/task/\d+)?/fd)/\d+"


def _target(path: Path) -> str | None:
    """Return the file to replace, with all links resolved; None if it is written directly."""
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
    if not os.access(target, os.W_OK):  # could still be replaced, but must not be
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    around = os.stat(os.path.dirname(target) or os.curdir)
    if around.st_mode & stat.S_ISVTX and os.geteuid() not in (0, status.st_uid, around.st_uid):
        raise file_error("not-owner", path)  # a folder like /tmp
    return target


def _open_file(path: Path) -> str | None:
    """Return the name of the open file that a path is or links to, such as /dev/fd/3, or None."""
    step = os.path.abspath(path)
    for _ in range(40):  # as many links as Linux follows
        if re.fullmatch(_OPEN_FILE, step):
            return step
        if not os.path.islink(step):
            return None
        step = os.path.normpath(os.path.join(os.path.dirname(step), os.readlink(step)))
    return None


class _Stage:
    """New files next to the files that they replace, in a temporary folder if there are several.

    A process that is killed leaves one hidden file or folder, which is skipped when the enclosing
    folder is read.
    """

    def __init__(self, several: bool, check: Callable[[], None]) -> None:
        self.several, self.check = several, check
        self.files: list[tuple[Path, str, str, bytes]] = []  # path, target, new file, content
        self.folders: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Remove temporary files and folders."""
        for _, _, temporary, _ in self.files:
            with suppress(OSError):
                os.unlink(temporary)
        for temporary in self.folders.values():
            with suppress(OSError):
                os.rmdir(temporary)

    def add(self, path: Path, target: str, data: bytes) -> None:
        """Write the data to a new temporary file."""
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
            values = {"folder": place or os.curdir, "reason": system_reason(error)}
            raise file_error("folder-closed", path, **values) from None
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
        """Replace the earlier files with the new ones."""
        for path, target, temporary, data in self.files:
            with _named(path):
                try:
                    os.replace(temporary, target)
                except OSError as error:
                    if error.errno != errno.EBUSY:  # a mount point
                        raise
                    _write_through(target, data)


def _hidden(folder: str) -> str:
    """Return a new hidden name in a folder."""
    return os.path.join(folder, f".sameas-{os.urandom(6).hex()}")


_NO_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)  # some network file systems


def _write_all(file: io.FileIO, data: bytes, check: Callable[[], None]) -> None:
    rest = memoryview(data)
    while rest:
        check()
        rest = rest[file.write(rest[:CHUNK]) or 0 :]


def _copy_rights(target: str, descriptor: int) -> None:
    """Copy the owner and permissions of the file that a new file replaces."""
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
    # Write to the open file itself; opening it by name would truncate it.
    number = {"/dev/stdout": 1, "/dev/stderr": 2}.get(name) or int(name.rpartition("/")[2])
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    with open(os.dup(number), "wb") as file:
        file.write(data)


def discard(stream: TextIO) -> None:
    """Discard the rest of the output to a stream that can no longer be written.

    >>> discard(sys.stdout)  # doctest: +SKIP
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextmanager
def _deferred_signals() -> Iterator[Callable[[], None]]:
    """Defer signals that would end the process until the block has cleaned up.

    Yield a function that raises `_SignalError` if a signal has arrived. The signal is raised
    again at the end.
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
            # The caller's handlers are kept, since they need not end the process.
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
    """A signal arrived while files were being written."""
