"""Convert a verifier to a header that JSON can represent and arrays of numbers, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from sameas.errors import UsageError
from sameas.names.modelfile import check_model
from sameas.names.ngrams import NgramModel
from sameas.names.options import Case
from sameas.names.segment import Floats
from sameas.names.tokens import RunNumbers
from sameas.names.units import Integers
from sameas.names.verification.alphabet import CHARSETS, Alphabet
from sameas.names.verification.counting import LETTER_GRAMS, LONGEST, UNIT_GRAMS, PairCounts
from sameas.names.verification.features import FEATURES, tabulate_runs
from sameas.names.verification.judging import KIND_NAMES, KINDS, Judge

__all__ = ["FORMAT", "check", "judge_parts", "read_judge", "read_list", "read_typed"]

FORMAT = 3
_COUNTED = ("links", "tokens", "times", "lengths", "letter_times", "unit_times")
_LEARNED = ("mean", "scale", "weights")


def judge_parts(judge: Judge) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the parts of a judge to save: values that JSON can represent, and arrays."""
    counts = judge.counts
    header = {
        "format": FORMAT,
        **asdict(judge.alphabet),
        "usual": judge.usual,
        "kinds": KIND_NAMES,
        "features": FEATURES,
    }
    arrays: dict[str, NDArray[Any]] = {
        **{name: getattr(counts, name) for name in _COUNTED},
        **{name: getattr(judge, name) for name in _LEARNED},
    }
    for length, known in enumerate(counts.runs.known, 1):
        arrays[f"runs{length}"] = known
    for name, grams in (("letters", counts.letters), ("units", counts.units)):
        arrays[f"{name}_ngrams"] = np.stack([grams.token, grams.children, grams.codes])
    return header, arrays


def read_judge(header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Judge:
    """Return the judge made of these parts; raise UsageError if they are invalid."""
    known = header.get("format")
    check_model(known == FORMAT, "verifier-format", known=known, ours=FORMAT)
    for name, ours in (("kinds", KIND_NAMES), ("features", FEATURES)):
        check(read_list(header, name) == ours, name)
    alphabet = _read_alphabet(header)
    usual = read_list(header, "usual", float)
    check(len(usual) == 2, "usual")
    counts = _read_counts(arrays, alphabet)
    scale = _numbers(arrays, "scale", (len(FEATURES),))
    check(bool((scale > 0).all()), "scale")
    return Judge(
        alphabet,
        counts,
        tabulate_runs(counts, alphabet.syllables_of(alphabet.unit_sounds)),
        (usual[0], usual[1]),
        _numbers(arrays, "mean", (len(FEATURES),), least=-np.inf),
        scale,
        _numbers(arrays, "weights", (len(KINDS), len(FEATURES) + 1), least=-np.inf),
    )


def _read_alphabet(header: Mapping[str, Any]) -> Alphabet:
    name = "unit_sounds"
    alphabet = Alphabet(
        read_list(header, "letters"),
        read_list(header, "units"),
        tuple(read_list({name: one}, name) for one in read_list(header, name, list, tuple)),
        read_typed(header, "has_sounds", bool),
        read_list(header, "charsets"),
        read_typed(header, "case", str),
        read_typed(header, "swapped", bool),
    )
    check(len(alphabet.unit_sounds) == len(alphabet.units) > 0, "unit_sounds")
    check(alphabet.case in get_args(Case), "case")
    check(set(alphabet.charsets) <= set(CHARSETS), "charsets")
    return alphabet


def _read_counts(arrays: Mapping[str, NDArray[Any]], alphabet: Alphabet) -> PairCounts:
    letters, units = len(alphabet.letters), len(alphabet.units)
    runs = RunNumbers()
    for length in range(1, LONGEST + 1):
        runs.grow(_codes(arrays, f"runs{length}", runs.count * (letters + 2)))
    runs.frozen = True
    tokens = _codes(arrays, "tokens", runs.count * units)
    return PairCounts(
        _numbers(arrays, "links", (letters + 1, len(alphabet.sounds) + 1)),
        runs,
        tokens,
        _numbers(arrays, "times", (len(tokens),)),
        _numbers(arrays, "lengths", (LONGEST + 1,)),
        _numbers(arrays, "letter_times", (letters,)),
        _numbers(arrays, "unit_times", (units,)),
        _read_grams(arrays, "letters_ngrams", letters + 2, LETTER_GRAMS),
        _read_grams(arrays, "units_ngrams", units + 2, UNIT_GRAMS),
    )


def check(fits: bool, name: str) -> None:
    """Raise UsageError, naming the part, unless `fits`."""
    check_model(fits, "verifier", name=name)


def read_typed(header: Mapping[str, Any], name: str, kind: Callable[..., Any]) -> Any:
    """Return a value in the header; its type must be exactly `kind`."""
    value = header.get(name)
    check(type(value) is kind, name)
    return value


def read_list(header: Mapping[str, Any], name: str, *kinds: type) -> tuple[Any, ...]:
    """Return a list in the header; its values must have one of these types (default: `str`)."""
    value: Any = header.get(name)
    listed = isinstance(value, list | tuple)
    check(listed and all(type(one) in (kinds or (str,)) for one in value), name)
    return tuple(value)


def _numbers(
    arrays: Mapping[str, NDArray[Any]], name: str, shape: tuple[int, ...], least: float = 0.0
) -> Floats:
    value = arrays.get(name)
    check(isinstance(value, np.ndarray) and value.shape == shape and value.dtype.kind == "f", name)
    found: Floats = np.asarray(value, dtype=np.float64)
    check(bool(np.isfinite(found).all() and (found >= least).all()), name)
    return found


def _codes(arrays: Mapping[str, NDArray[Any]], name: str, most: int) -> Integers:
    value = arrays.get(name)
    check(isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in "iu", name)
    found: Integers = np.asarray(value, dtype=np.int64)
    rising = bool((np.diff(found) > 0).all())
    check(rising and (not len(found) or bool(found[0] >= 0 and found[-1] < most)), name)
    return found


def _read_grams(arrays: Mapping[str, NDArray[Any]], name: str, size: int, order: int) -> NgramModel:
    value = arrays.get(name)
    check(isinstance(value, np.ndarray) and value.ndim == 2 and value.dtype.kind in "iu", name)
    try:
        token, children, codes = np.asarray(value, dtype=np.int64)
        return NgramModel(size, order, token, children, codes).checked()
    except (ValueError, IndexError):
        raise UsageError("broken-model", how="verifier", name=name) from None
