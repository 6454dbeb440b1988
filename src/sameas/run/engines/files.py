"""Find the Parquet files that a path or a pattern stands for."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Sequence
from typing import NamedTuple

from sameas.errors import InputError, Problem
from sameas.files import matching, peek, read_part, walk

__all__ = ["Files", "common_folder", "find_files", "keys_of", "refuse_database"]


class Files(NamedTuple):
    """The Parquet files that a path or a pattern stands for.

    >>> Files(["a.parquet"], "").problems
    ()
    """

    files: list[str]
    base: str  # the folder below which folders may be named `column=value`
    problems: Sequence[Problem] = ()


def find_files(path: str) -> Files:
    """Return the Parquet files that a path or pattern stands for, and a warning about other files.

    >>> find_files("nowhere/*.parquet")
    Traceback (most recent call last):
    ...
    sameas.errors.InputError: nowhere/*.parquet: cannot be read: No such file or directory
    """
    _refuse_address(path)
    base = path if os.path.isdir(path) else os.path.dirname(path)
    matched = [path]
    if not os.path.exists(path):  # a pattern
        base = os.path.dirname(re.split(r"[*?\[]", path)[0])
        matched = [one for one in matching(path) if not _is_hidden(one, base)]
    if not matched:
        raise InputError([Problem("cannot-read", path, reason=os.strerror(errno.ENOENT))])
    found: set[str] = set()  # `**` matches a folder and what is in it
    others: set[str] = set()
    for one in matched:
        if os.path.isdir(one):
            for file in walk(one, _HIDDEN):
                (found if _is_parquet(file) else others).add(file)
        elif re.search(r"\.(csv|tsv|conllu?|jsonl|json)(\.gz)?$", one, re.IGNORECASE):
            raise InputError([Problem("not-parquet", one)])
        else:
            refuse_database(one)
            found.add(one)
    if not found:
        raise InputError([Problem("no-parquet", path)])
    names = sorted(os.path.relpath(file, base or os.curdir) for file in others - found)
    warning = Problem("other-files", path, severity="warning", count=len(names), names=names)
    return Files(sorted(found), base, [warning] if names else [])


#: Values of the message about some kinds of addresses, keyed by scheme.
_ADDRESSES = {
    "file": {"how": "file"},
    "http": {"how": "web"},
    "https": {"how": "web"},
    "ftp": {"how": "web"},
    "s3": {"how": "spark", "spark": "s3a"},
    "s3n": {"how": "spark", "spark": "s3a"},
    "gcs": {"how": "spark", "spark": "gs"},
}


def _refuse_address(path: str) -> None:
    """Raise `InputError` for an address instead of a path."""
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]+)://?(?=.)", path)
    if scheme is None or os.path.exists(path):
        return
    name = scheme[1].lower()
    values = {"scheme": name, "rest": path[scheme.end() :], **_ADDRESSES.get(name, {})}
    raise InputError([Problem("address", path, values=values)])


def refuse_database(path: str) -> None:
    """Raise `InputError` for a database file, because it may contain many tables.

    >>> refuse_database("key.parquet")
    """
    start = peek(path, 16) or b""
    kinds = {"duckdb": start[8:12] == b"DUCK", "sqlite": start.startswith(b"SQLite format 3")}
    for kind, found in kinds.items():
        if found:
            raise InputError([Problem("not-parquet", path, how=kind)])


_HIDDEN = (".", "_")  # first characters of names that Spark and Hive reserve


def _is_hidden(path: str, base: str) -> bool:
    """Return whether a file, or a folder between it and the base, is hidden; `..` is not."""
    parts = os.path.relpath(path, base or os.curdir).split(os.sep)
    return any(part.startswith(_HIDDEN) and part not in (os.curdir, os.pardir) for part in parts)


def _is_parquet(path: str) -> bool:
    """Return whether a file is Parquet, judging by its name, or else by its first bytes."""
    named = re.search(r"\.(parquet|parq|pq)$", path, re.IGNORECASE)
    return named is not None or read_part(path, 0, 4) == b"PAR1"


def common_folder(files: Sequence[str]) -> str:
    """Return the deepest folder that contains all files.

    >>> common_folder(["/a/b/c.parquet", "/a/d.parquet"])
    '/a'
    """
    return os.path.commonpath([os.path.dirname(os.path.abspath(file)) for file in files])


def keys_of(file: str, base: str | None = None) -> list[str]:
    """Return the columns given by folders named `column=value` between `base` and the file.

    >>> keys_of("parts/document=7/x.parquet", "parts")
    ['document']
    """
    way = os.path.abspath(file) if base is None else os.path.relpath(file, base or os.curdir)
    return [part.partition("=")[0] for part in way.split(os.sep)[:-1] if "=" in part]
