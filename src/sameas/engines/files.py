"""The Parquet files that a path, a folder or a pattern stands for."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Sequence
from typing import NamedTuple

from sameas.coref.pairing import some_names
from sameas.errors import InputError, Problem, counted
from sameas.files import list_folder, unreadable, walk

__all__ = ["Files", "common_folder", "find_files", "keys_of", "refuse_database"]


class Files(NamedTuple):
    """The Parquet files of a path, a folder or a pattern.

    >>> Files(["a.parquet"], "").problems
    ()
    """

    files: list[str]
    base: str  # the folder from which on folders may be named `column=value`
    problems: Sequence[Problem] = ()


def find_files(path: str) -> Files:
    """What a path, a folder or a pattern stands for; what is not Parquet in a folder is told.

    >>> find_files("nowhere/*.parquet")
    Traceback (most recent call last):
    ...
    sameas.errors.InputError: nowhere/*.parquet: cannot be read: No such file or directory
    """
    _refuse_address(path)
    base = path if os.path.isdir(path) else os.path.dirname(path)
    matched = [path]
    if not os.path.exists(path):  # it is a pattern
        base = os.path.dirname(re.split(r"[*?\[]", path)[0])
        _check_folders(path)
        matched = [one for one in glob.glob(path, recursive=True) if not _is_hidden(one, base)]
    if not matched:
        raise InputError([Problem("cannot be read: No such file or directory", path)])
    found: set[str] = set()  # `**` matches a folder and what is in it
    others: set[str] = set()
    for one in matched:
        if os.path.isdir(one):
            inside = _folder(one)
            found.update(inside[0])
            others.update(inside[1])
        elif re.search(r"\.(csv|tsv|conllu?|jsonl|json)(\.gz)?$", one, re.IGNORECASE):
            hint = "sameas convert writes Parquet; or score it without an engine"
            raise InputError([Problem("an engine reads Parquet", one, hint=hint)])
        else:
            refuse_database(one)
            found.add(one)
    if not found:
        raise InputError([Problem("no Parquet files in this folder", path)])
    others -= found
    shown = some_names(sorted(os.path.relpath(file, base or os.curdir) for file in others))
    message = f"{counted(len(others), 'file')} not Parquet: left out ({shown})"
    problems = [Problem(message, path, severity="warning")] if others else []
    return Files(sorted(found), base, problems)


def _refuse_address(path: str) -> None:
    """Refuse what lies elsewhere."""
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]+)://?(?=.)", path)
    if scheme is None or os.path.exists(path):
        return
    name = scheme[1].lower()
    spark = "--engine spark reads it where it is, or copy it here"
    if name == "file":
        hint = f"give the path alone: {path[scheme.end() :]}"
    elif name in ("s3", "s3n", "gcs"):
        address = {"gcs": "gs"}.get(name, "s3a")
        hint = f"{spark}; Spark calls it {address}://{path[scheme.end() :]}"
    elif name in ("http", "https", "ftp"):
        hint = "download it"
    else:
        hint = spark
    message = f"the DuckDB engine reads Parquet files on this machine, not {name}:// addresses"
    raise InputError([Problem(message, path, hint=hint)])


def refuse_database(path: str) -> None:
    """Refuse a database file: it may have many tables, and none is named.

    >>> refuse_database("key.parquet")
    """
    try:
        with open(path, "rb") as file:
            start = file.read(16)
    except OSError:  # said when it is read
        return
    kinds = {"a DuckDB": start[8:12] == b"DUCK", "an SQLite": start.startswith(b"SQLite format 3")}
    for kind, found in kinds.items():
        if found:
            hint = (
                "write its tables as Parquet: COPY name TO 'name.parquet'; or in Python give "
                "their names and connection= to sameas.engines.duckdb.score"
            )
            message = f"an engine reads Parquet, and this is {kind} database"
            raise InputError([Problem(message, path, hint=hint)])


def _folder(path: str) -> tuple[list[str], list[str]]:
    """The Parquet files below a folder, and others."""
    found: list[str] = []
    others: list[str] = []
    for file in walk(path, _HIDDEN):
        (found if _is_parquet(file) else others).append(file)
    return found, others


_HIDDEN = (".", "_")  # how names begin that Spark and Hive keep for themselves


def _is_hidden(path: str, base: str) -> bool:
    """Whether a part of the way from the base to a file is hidden; `..` is none."""
    parts = os.path.relpath(path, base or os.curdir).split(os.sep)
    return any(part.startswith(_HIDDEN) and part not in (os.curdir, os.pardir) for part in parts)


def _check_folders(pattern: str) -> None:
    """Refuse a folder that a pattern reaches and nobody may read: `glob` would leave it out."""
    head = os.path.dirname(pattern)
    folders = [head or os.curdir]
    if glob.has_magic(head):
        _check_folders(head)
        folders = glob.glob(head, recursive=True)
    for folder in filter(os.path.isdir, folders):
        list_folder(folder)


def _is_parquet(path: str) -> bool:
    """By its name, or else by its first bytes."""
    if re.search(r"\.(parquet|parq|pq)$", path, re.IGNORECASE):
        return True
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"PAR1"
    except OSError as error:
        raise unreadable(error, path) from None


def common_folder(files: Sequence[str]) -> str:
    """The deepest folder that all files are in.

    >>> common_folder(["/a/b/c.parquet", "/a/d.parquet"])
    '/a'
    """
    return os.path.commonpath([os.path.dirname(os.path.abspath(file)) for file in files])


def keys_of(file: str, base: str | None = None) -> list[str]:
    """The columns that folders named `column=value` on the way from `base` to the file give.

    >>> keys_of("parts/document=7/x.parquet", "parts")
    ['document']
    """
    way = os.path.abspath(file) if base is None else os.path.relpath(file, base or os.curdir)
    return [part.partition("=")[0] for part in way.split(os.sep)[:-1] if "=" in part]
