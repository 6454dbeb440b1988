"""Model files: a line that names the format, then a compressed JSON header and plain arrays.

Nothing in such a file is executed. It contains only names, texts and numbers, which are checked
against the header before use.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sameas.errors import InputError, Problem, UsageError, require
from sameas.files import raw_bytes, write_file
from sameas.notes import Note

__all__ = ["VERSION", "read_model", "write_model"]

#: The version of the format that is written, and the only one that can be read.
VERSION = 1
_KIND = b"sameas name model "
_TYPES = ("<f2", "<f4", "<f8", "<u2", "<u4", "<i4", "<i8", "|b1", "|u1")
#: The exceptions that an invalid header can cause.
WRONG = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, UsageError)
_GROWTH = 100  # maximum ratio of unpacked to packed size


def write_model(
    path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Write a file with a header of plain values, and named arrays of numbers.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_model(Path(folder, "m"), {"order": 2}, {"counts": np.array([1, 2])})
    ...     header, arrays = read_model(Path(folder, "m"))
    >>> header, arrays["counts"].tolist()
    ({'order': 2}, [1, 2])
    """
    columns = {}
    for name, array in arrays.items():
        kind = array.dtype.newbyteorder("<").str
        if kind not in _TYPES:
            raise UsageError("array-not-written", kind=array.dtype)
        columns[name] = np.ascontiguousarray(array, dtype=kind)
    contents = {
        "header": dict(header),
        "arrays": [[name, one.dtype.str, list(one.shape)] for name, one in columns.items()],
    }
    body = json.dumps(contents, ensure_ascii=True, sort_keys=True).encode() + b"\n"
    packed = zlib.compress(b"".join([body, *(one.tobytes() for one in columns.values())]), 6)
    write_file(path, _KIND + b"%d\n" % VERSION + packed)


def read_model(path: str | Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read a file that `write_model` wrote; raise InputError for any other.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "notes.txt").write_text("not a model")
    ...     try:
    ...         read_model(Path(folder, "notes.txt"))
    ...     except InputError as error:
    ...         print(error.problems[0].code)
    not-a-model
    """
    require(path, (str, Path), "the model", "a path")
    name = str(path)
    try:
        written = raw_bytes(path)
    except InputError as error:
        why = error.problems[0].message
        raise InputError([Problem("model-unreadable", name, why=why)]) from None
    return model_of(written, name)


def model_of(written: bytes, name: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the header and the arrays of a model, given its bytes; messages mention `name`."""
    first, _, packed = written.partition(b"\n")
    if not written.startswith(_KIND) or len(first) > 40:
        raise InputError([Problem("not-a-model", name)])
    version = first[len(_KIND) :].decode("ascii", "replace")
    if version != str(VERSION):
        raise InputError([Problem("model-version", name, version=version, ours=VERSION)])
    try:
        return _unpacked(packed)
    except (zlib.error, RecursionError, *WRONG) as error:
        raise broken(name, error) from None


def broken(path: str, error: Exception) -> InputError:
    """Return the error for a file that begins like a model but is broken."""
    if isinstance(error, UsageError) and error.code == "broken-model":
        values = error.values
    elif isinstance(error, KeyError):
        values = {"how": "missing", "name": error.args[0]}
    else:
        values = {"why": str(error) or type(error).__name__}
    return InputError([Problem("broken-model", path, values=values)])


def check_model(fits: bool, how: str, **values: Any) -> None:
    """Raise UsageError unless a model `fits`; `how` is the variant of the message."""
    if not fits:
        raise UsageError("broken-model", how=how, **values)


def notes_of(written: Iterable[object]) -> tuple[Note, ...]:
    """Return the notes that a model file contains as text."""
    return tuple(Note("as-written", text=str(text)) for text in written)


def _unpacked(packed: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    unpacking = zlib.decompressobj()
    # Compression saves about two thirds. The limit keeps a malicious file from filling the memory.
    body = unpacking.decompress(packed, _GROWTH * len(packed) + 2**20)
    check_model(not unpacking.unconsumed_tail, "large")
    check_model(unpacking.eof, "short")
    check_model(not unpacking.unused_data, "long")
    first, _, rest = body.partition(b"\n")
    contents = json.loads(first)
    header, arrays, at = dict(contents["header"]), {}, 0
    for name, kind, shape in contents["arrays"]:
        whole = all(isinstance(one, int) and one >= 0 for one in shape)
        check_model(kind in _TYPES and whole, "array-kind", name=name)
        size = np.dtype(kind).itemsize * math.prod(shape)
        check_model(at + size <= len(rest), "array-cut", name=name)
        array = np.frombuffer(rest[at : at + size], dtype=kind).reshape(shape)
        arrays[str(name)] = array.astype(array.dtype.newbyteorder("="))
        at += size
    check_model(at == len(rest), "unnamed")
    return header, arrays
