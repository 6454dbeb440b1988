"""Model files: however they are damaged, they load unchanged or raise a clear error."""

from __future__ import annotations

import gzip
import json
import random
import struct
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effort import examples
from fuzz_names import limit
from sameas.errors import InputError
from sameas.names import network
from sameas.names.datasets import dataset
from sameas.names.modelfile import VERSION, read_model, write_model
from sameas.names.transliterator import Transliterator
from saying import has, raises, raises_problems

RUSSIAN = dataset("sample:ru").pairs
MAGIC = b"sameas name model %d\n" % VERSION
NAMES = ["anna", "Mary-Ann", "½", "zoë", "x" * 50]
PAIRS = [("anna", "анна"), ("anna", "пётр"), ("½", "ж"), ("a" * 90, "б")]


@pytest.fixture(scope="module", autouse=True)
def tiny() -> Iterator[None]:
    """Make networks tiny, so that files are small."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"SEEN": 10, "EPOCHS": (1, 1), "HIDDEN": (5, 4)}.items():
            patch.setattr(network, name, value)
        for name, value in {"LETTER_SIZE": 2, "UNIT_SIZE": 3, "FAR_SIZE": 2}.items():
            patch.setattr(network, name, value)
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def small(tiny: None, folder: Path) -> bytes:
    """A model of four pairs, without a verifier."""
    made = Transliterator.fit(RUSSIAN[:4], "bigram", verifier=False)
    made.save(folder / "small.model")
    return (folder / "small.model").read_bytes()


@pytest.fixture(scope="module")
def whole(tiny: None, folder: Path) -> bytes:
    """A model with all parts: n-grams, networks and a verifier."""
    made = Transliterator.fit(RUSSIAN[:20], "best")
    assert made.verifier is not None
    made.save(folder / "whole.model")
    return (folder / "whole.model").read_bytes()


def body_of(written: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the header of a file, and its numbers."""
    first, _, numbers = zlib.decompress(written.removeprefix(MAGIC)).partition(b"\n")
    return json.loads(first), numbers


def packed(told: Any, numbers: bytes = b"") -> bytes:
    text = told if isinstance(told, bytes) else json.dumps(told).encode()
    return MAGIC + zlib.compress(text + b"\n" + numbers, 1)


def used(path: Path) -> Any:
    """Return all outputs of a model if it loads, else None."""
    try:
        made = Transliterator.load(path)
    except InputError as error:
        assert len(error.problems) == 1
        problem = error.problems[0]
        assert problem.path == str(path)
        assert problem.message
        assert problem.hint
        return None
    lists = made.transliterate_all(NAMES, 3)
    checked = None
    if made.verifier is not None:
        found = made.verifier.verify(PAIRS)
        assert np.isfinite(found.probability).all()
        checked = found.probability.tolist()
        for pair in PAIRS:
            str(made.verifier.reason(*pair))
    return made.signature, lists, checked


# Round trips


@pytest.mark.parametrize(
    "kind", ["f2", "f4", "f8", "u2", "u4", "i4", "i8", "b1", "u1", ">f4", ">i8"]
)
@pytest.mark.parametrize("shape", [(0,), (1,), (5,), (2, 3), (0, 4), (4, 0, 2)])
def test_arrays_of_every_kind(kind: str, shape: tuple[int, ...], tmp_path: Path) -> None:
    rng = np.random.Generator(np.random.PCG64(1))
    array = rng.integers(0, 2, shape).astype(kind)
    write_model(tmp_path / "m", {}, {"one": array, "two": array})
    header, arrays = read_model(tmp_path / "m")
    assert header == {}
    assert list(arrays) == ["one", "two"]
    for found in arrays.values():
        assert found.shape == shape
        assert found.dtype == np.dtype(kind).newbyteorder("=")
        assert np.array_equal(found, array)


def test_arrays_in_any_order(tmp_path: Path) -> None:
    array = np.arange(24).reshape(2, 3, 4)
    write_model(tmp_path / "m", {}, {"turned": array.T, "some": array[:, ::2, 1:]})
    arrays = read_model(tmp_path / "m")[1]
    assert np.array_equal(arrays["turned"], array.T)
    assert np.array_equal(arrays["some"], array[:, ::2, 1:])


@pytest.mark.parametrize("array", [np.array(["a"]), np.array([None]), np.array([1j])])
def test_unsupported_arrays_are_not_written(array: Any, tmp_path: Path) -> None:
    with raises("array-not-written"):
        write_model(tmp_path / "m", {}, {"one": array})
    assert not (tmp_path / "m").exists()


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(
    deadline=None,
    max_examples=examples(60),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    header=st.dictionaries(st.text(), plain, max_size=4),
    numbers=st.lists(st.integers(-9, 9), max_size=5),
)
def test_headers_of_plain_values(
    header: dict[str, Any], numbers: list[int], tmp_path: Path
) -> None:
    write_model(tmp_path / "m", header, {"numbers": np.array(numbers, dtype=np.int32)})
    found, arrays = read_model(tmp_path / "m")
    assert found == header
    assert arrays["numbers"].tolist() == numbers


@pytest.mark.long
def test_the_same_model_is_the_same_file(tmp_path: Path) -> None:
    for name in ("a", "b"):
        Transliterator.fit(RUSSIAN, "bigram").save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


# Damage


@pytest.mark.long
def test_every_change_of_one_byte(small: bytes, folder: Path) -> None:
    path = folder / "changed.model"
    path.write_bytes(small)
    wanted = used(path)
    assert wanted is not None
    generator = random.Random(1)
    for place in range(len(small)):
        values = {small[place] ^ 1, small[place] ^ 0x80, generator.randrange(256), 0, 10, 255}
        for value in values - {small[place]}:
            path.write_bytes(small[:place] + bytes([value]) + small[place + 1 :])
            assert used(path) in (None, wanted), (place, value)


@pytest.mark.long
def test_every_truncation(small: bytes, folder: Path) -> None:
    path = folder / "short.model"
    for length in range(len(small)):
        path.write_bytes(small[:length])
        assert used(path) is None, length


@pytest.mark.long
def test_every_byte_removed_or_repeated(small: bytes, folder: Path) -> None:
    path = folder / "other.model"
    path.write_bytes(small)
    wanted = used(path)
    for place in range(len(small)):
        for changed in (
            small[:place] + small[place + 1 :],
            small[: place + 1] + small[place:],
        ):
            path.write_bytes(changed)
            assert used(path) in (None, wanted), place


@pytest.mark.long
def test_damage_of_a_large_model(whole: bytes, folder: Path) -> None:
    path = folder / "large.model"
    path.write_bytes(whole)
    wanted = used(path)
    assert wanted is not None
    generator = random.Random(2)
    for _ in range(150):
        place = generator.randrange(len(whole))
        path.write_bytes(whole[:place] + bytes([generator.randrange(256)]) + whole[place + 1 :])
        assert used(path) in (None, wanted), place
        path.write_bytes(whole[: generator.randrange(len(whole))])
        assert used(path) is None


def test_trailing_bytes(small: bytes, folder: Path) -> None:
    path = folder / "more.model"
    for more in (b"\n", b"\0", small):
        path.write_bytes(small + more)
        with raises_problems("broken-model", how="long"):
            Transliterator.load(path)


# Valid containers with invalid contents


def places_of(told: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    inner: Any = ()
    if isinstance(told, dict):
        inner = told.items()
    elif isinstance(told, list):
        inner = list(enumerate(told))[:3]
    for key, one in inner:
        yield from places_of(one, (*path, key))


def changed(told: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    key, *rest = path
    copy = dict(told) if isinstance(told, dict) else list(told)
    copy[key] = changed(copy[key], tuple(rest), value)
    return copy


def without(told: Any, path: tuple[Any, ...]) -> Any:
    key, *rest = path
    copy = dict(told) if isinstance(told, dict) else list(told)
    if rest:
        copy[key] = without(copy[key], tuple(rest))
    else:
        del copy[key]
    return copy


OTHERS: list[Any] = [
    None,
    True,
    0,
    -1,
    1,
    10**30,
    0.5,
    1e999,
    "",
    "a",
    [],
    {},
    [[]],
    ["a"],
    [0, -1],
]


@pytest.mark.long
@pytest.mark.parametrize("which", ["small", "whole"])
def test_changed_headers(which: str, request: pytest.FixtureRequest, folder: Path) -> None:
    """Each value of the header is replaced by values of every kind, and removed."""
    told, numbers = body_of(request.getfixturevalue(which))
    path = folder / "header.model"
    failed = []
    with limit(300):
        for place in places_of(told):
            others = OTHERS if which == "small" else random.Random(str(place)).sample(OTHERS, 3)
            made = [changed(told, place, other) for other in others]
            made += [without(told, place)] if place else []
            for one in made:
                path.write_bytes(packed(one, numbers))
                try:
                    used(path)
                except Exception as error:
                    failed.append((place, type(error).__name__, str(error)[:80]))
    assert failed == []


@pytest.mark.long
@pytest.mark.parametrize("which", ["small", "whole"])
def test_changed_numbers(which: str, request: pytest.FixtureRequest, folder: Path) -> None:
    """Single numbers of the arrays are changed: a model that still loads can be used."""
    told, numbers = body_of(request.getfixturevalue(which))
    path = folder / "numbers.model"
    generator = random.Random(3)
    failed = []
    with limit(300):
        for _ in range(120):
            place = generator.randrange(len(numbers))
            value = bytes([generator.choice([0, 1, 127, 128, 255])])
            path.write_bytes(packed(told, numbers[:place] + value + numbers[place + 1 :]))
            try:
                used(path)
            except Exception as error:
                failed.append((place, value, type(error).__name__, str(error)[:80]))
    assert failed == []


@pytest.mark.parametrize(
    ("told", "values"),
    [
        (b"", {}),
        (b"{", {}),
        (b"\xff\xfe", {}),
        (b"[" * 10**5, {}),
        (b"9" * 10**5, {}),
        ([], {}),
        ({}, {"how": "missing", "name": "header"}),
        ({"header": {}}, {"how": "missing", "name": "arrays"}),
        ({"header": 5, "arrays": []}, {}),
        ({"header": {}, "arrays": 5}, {}),
        ({"header": {}, "arrays": []}, {"how": "missing", "name": "parts"}),
        ({"header": {"parts": []}, "arrays": []}, {"how": "no-part"}),
        ({"header": {}, "arrays": [["a", "<f4"]]}, {}),
        ({"header": {}, "arrays": [["a", "|O", [1]]]}, {"how": "array-kind", "name": "a"}),
        ({"header": {}, "arrays": [["a", "<f4", [-1]]]}, {"how": "array-kind"}),
        ({"header": {}, "arrays": [["a", "<f4", [0.5]]]}, {"how": "array-kind"}),
        ({"header": {}, "arrays": [["a", "<f4", [1]]]}, {"how": "array-cut", "name": "a"}),
        ({"header": {}, "arrays": [["a", "<f8", [10**30]]]}, {"how": "array-cut"}),
        ({"header": {}, "arrays": [["a", "<f8", [0, 10**30]]]}, {}),
        ({"header": {}, "arrays": [["a", "<f8", [0] * 100]]}, {}),
        ({"header": {}, "arrays": [["a", "<f8", [2**40, 0, 2**40]]]}, {}),
    ],
)
def test_problems_are_reported(told: Any, values: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "bad.model"
    path.write_bytes(packed(told))
    with raises_problems("broken-model", path=str(path), **values):
        Transliterator.load(path)


def test_arrays_without_a_header_entry(tmp_path: Path) -> None:
    path = tmp_path / "bad.model"
    path.write_bytes(packed({"header": {}, "arrays": []}, b"abc"))
    with raises_problems("broken-model", how="unnamed"):
        read_model(path)


@pytest.mark.long
def test_a_small_file_does_not_become_a_large_one(tmp_path: Path) -> None:
    """A few kilobytes that unpack to half a gigabyte are not a model."""
    path = tmp_path / "bomb.model"
    packing = zlib.compressobj(9)
    parts = [packing.compress(bytes(2**20)) for _ in range(512)]
    path.write_bytes(b"".join([MAGIC, *parts, packing.flush()]))
    assert path.stat().st_size < 2**21
    tracemalloc.start()
    try:
        with limit(60), pytest.raises(InputError):
            Transliterator.load(path)
        assert tracemalloc.get_traced_memory()[1] < 2**28
    finally:
        tracemalloc.stop()


@pytest.mark.long
@settings(
    deadline=None,
    max_examples=examples(150),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    content=st.binary(max_size=200),
    begin=st.sampled_from([b"", MAGIC, MAGIC[:-1], b"sameas name model 1", b"sameas "]),
    compressed=st.booleans(),
)
def test_any_bytes(content: bytes, begin: bytes, compressed: bool, tmp_path: Path) -> None:
    path = tmp_path / "any.model"
    path.write_bytes(begin + (zlib.compress(content) if compressed else content))
    assert used(path) is None


# Other files


@pytest.mark.parametrize("version", [b"2", b"0", b"11", b"1.1", b"", b"one", b"\xff", b"\x1b[31m"])
def test_other_versions(small: bytes, version: bytes, tmp_path: Path) -> None:
    path = tmp_path / "other.model"
    path.write_bytes(b"sameas name model " + version + b"\n" + small.partition(b"\n")[2])
    with pytest.raises(InputError) as caught:
        Transliterator.load(path)
    assert has(caught.value.problems[0], "model-version", ours=1)
    assert "\x1b" not in str(caught.value)


def png() -> bytes:
    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + header


OTHER_FILES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "a picture": lambda _: png(),
    "zipped": gzip.compress,
    "text": lambda _: "anna\tанна\n".encode(),
    "after a mark of UTF-8": lambda small: b"\xef\xbb\xbf" + small,
    "as text with other line ends": lambda small: small.replace(b"\n", b"\r\n", 1),
    "the name alone": lambda _: b"sameas name model ",
    "a line without an end": lambda _: b"sameas name model " + b"1" * 10**6,
}


@pytest.mark.parametrize("kind", OTHER_FILES)
def test_other_files(kind: str, small: bytes, tmp_path: Path) -> None:
    path = tmp_path / "other"
    path.write_bytes(OTHER_FILES[kind](small))
    with pytest.raises(InputError) as caught:
        Transliterator.load(path)
    assert caught.value.problems[0].code in ("not-a-model", "model-version")
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("path", ["nothing", ".", "nothing/at/all", "a\x00b", "a" * 5000])
def test_places_without_a_model(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with raises_problems("model-unreadable", path=path):
        Transliterator.load(path)
    if path != "nothing":
        with pytest.raises(InputError):
            write_model(path, {}, {})


def test_no_code_is_run(monkeypatch: pytest.MonkeyPatch, small: bytes, tmp_path: Path) -> None:
    """A file never triggers unpickling."""
    import pickle

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("something is unpickled")

    for name in ("load", "loads", "Unpickler"):
        monkeypatch.setattr(pickle, name, fail)
    path = tmp_path / "small.model"
    path.write_bytes(small)
    assert used(path) is not None
    path.write_bytes(packed({"header": {}, "arrays": [["a", "|O8", [1]]]}, b"\x80\x04N.    "))
    assert used(path) is None
