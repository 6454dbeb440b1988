"""Folders: all files below a folder, the names in a folder, and the paths that match a pattern."""

from __future__ import annotations

import os

from sameas.errors import InputError, Problem
from sameas.files.unpacking import reading_problem, unreadable

__all__ = ["list_folder", "matching", "walk"]


def walk(folder: str, hidden: tuple[str, ...] = (".",)) -> list[str]:
    """Return all files below a folder, sorted; skip names that begin with one of `hidden`.

    Links are followed. A folder that cannot be read, a link back to an enclosing folder, and an
    entry that is not a file, such as a named pipe, raise `InputError`, since skipping them would
    change a score.

    >>> from sameas.examples import example_path
    >>> len(walk(str(example_path("key.conll").parent))) > 3
    True
    """
    found: list[str] = []
    problems: list[Problem] = []
    # Folders, the identities of those that enclose each, and the last link on the path to it.
    waiting: list[tuple[str, frozenset[tuple[int, int]], str]] = [(folder, frozenset(), folder)]
    while waiting:
        path, around, link = waiting.pop()
        try:
            status = os.stat(path)
            entries = list(os.scandir(path))
        except OSError as error:
            problems.append(reading_problem(error, path))
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
                elif entry.is_file() or not os.path.exists(inside):  # opening it gives the error
                    found.append(inside)
                else:
                    problems.append(Problem("cannot-read", inside, how="kind"))
            except OSError as error:
                problems.append(reading_problem(error, inside))
    if problems:
        raise InputError(sorted(problems, key=lambda problem: problem.path))
    return sorted(found)


def list_folder(folder: str) -> list[str]:
    """Return the names in a folder, sorted, or raise an error that explains why it cannot be read.

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
    """Return the paths that match a shell pattern; `**` matches folders at any depth.

    A folder on the path that cannot be read is an error, since skipping it would change a score.

    >>> matching("no-such-folder/*.parquet")
    []
    """
    import glob

    head = os.path.dirname(pattern)
    folders = matching(head) if glob.has_magic(head) else [head or os.curdir]
    for folder in filter(os.path.isdir, folders):
        list_folder(folder)
    return glob.glob(pattern, recursive=True)
