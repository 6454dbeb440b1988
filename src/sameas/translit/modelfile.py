"""Files of models: a line that names the format, a header in JSON, and plain arrays of numbers.

Nothing in such a file is ever run: there are names, texts and numbers, and each is checked against
what the header says before it is used.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sameas.errors import InputError, Problem, UsageError
from sameas.files import raw_bytes, write_file

__all__ = ["VERSION", "read_model", "write_model"]

#: The version of the format that is written, and the only one that is read.
VERSION = 1
_KIND = b"sameas name model "
_TYPES = ("<f2", "<f4", "<f8", "<u2", "<u4", "<i4", "<i8", "|b1", "|u1")
_GROWTH = 100  # times that a packed model may grow
_HINT = "sameas transliterate train writes models"
_AGAIN = "copy or train it again"


def write_model(
    path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Write a header of plain values and named arrays of numbers.

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
            raise ValueError(f"arrays of {array.dtype} are not written")
        columns[name] = np.ascontiguousarray(array, dtype=kind)
    told = {
        "header": dict(header),
        "arrays": [[name, one.dtype.str, list(one.shape)] for name, one in columns.items()],
    }
    body = json.dumps(told, ensure_ascii=True, sort_keys=True).encode() + b"\n"
    packed = zlib.compress(b"".join([body, *(one.tobytes() for one in columns.values())]), 6)
    write_file(path, _KIND + b"%d\n" % VERSION + packed)


def read_model(path: str | Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read what `write_model` wrote; anything else is an error that says what is wrong.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "notes.txt").write_text("not a model")
    ...     try:
    ...         read_model(Path(folder, "notes.txt"))
    ...     except InputError as error:
    ...         print(error.problems[0].message)
    this is no model of names
    """
    if not isinstance(path, str | Path):
        raise UsageError(f"a model is read from a file, not from {path!r:.60}")
    name = str(path)
    try:
        written = raw_bytes(path)
    except InputError as error:
        raise InputError([replace(one, hint=_HINT) for one in error.problems]) from None
    first, _, packed = written.partition(b"\n")
    if not written.startswith(_KIND) or len(first) > 40:
        raise InputError([Problem("this is no model of names", name, hint=_HINT)])
    version = first[len(_KIND) :].decode("ascii", "replace")
    if version != str(VERSION):
        hint = f"this sameas reads version {VERSION}: train the model again, or take the sameas "
        hint += "that wrote it"
        raise InputError([Problem(f"this is a model of version {version}", name, hint=hint)])
    try:
        return _unpacked(packed)
    except (zlib.error, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise broken(name, str(error)) from None


def broken(path: str, why: str) -> InputError:
    """The error for a file that begins as a model and does not go on as one."""
    told = f"the model is broken: {why}" if why else "the model is broken"
    return InputError([Problem(told, path, hint=_AGAIN)])


def _unpacked(packed: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    unpacking = zlib.decompressobj()
    # Models shrink to a third; what grows beyond all measure is none, and shall not fill memory.
    body = unpacking.decompress(packed, _GROWTH * len(packed) + 2**20)
    if unpacking.unconsumed_tail:
        raise ValueError("it is larger than a model can be")
    if not unpacking.eof:
        raise ValueError("it ends too early")
    if unpacking.unused_data:
        raise ValueError("something follows its end")
    first, _, rest = body.partition(b"\n")
    told = json.loads(first)
    header, arrays, at = dict(told["header"]), {}, 0
    for name, kind, shape in told["arrays"]:
        if kind not in _TYPES or not all(isinstance(one, int) and one >= 0 for one in shape):
            raise ValueError(f"the array {name} is of no kind that models have")
        size = np.dtype(kind).itemsize * math.prod(shape)
        if at + size > len(rest):
            raise ValueError(f"the array {name} is cut off")
        array = np.frombuffer(rest[at : at + size], dtype=kind).reshape(shape)
        arrays[str(name)] = array.astype(array.dtype.newbyteorder("="))
        at += size
    if at != len(rest):
        raise ValueError("there is more than its header says")
    return header, arrays
