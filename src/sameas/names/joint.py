"""The joint source-channel model (Li, Zhang & Su 2004): an n-gram model over aligned pairs.

A name and its transliteration are one sequence of pairs: <a, AE> <l, L> <i, AH> <ce, S>. The model
gives the probability of each pair given the pairs before it; transliteration finds the most
probable sequence of pairs whose left sides spell the name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sameas.errors import UsageError
from sameas.names.ngrams import BOUNDARY, SMOOTHINGS, Floats, Ints, NgramModel, fit_ngrams
from sameas.names.options import Smoothing

__all__ = [
    "BOUNDARY",
    "SMOOTHINGS",
    "Floats",
    "Ints",
    "JointModel",
    "Pair",
    "fit",
    "from_columns",
]

Pair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class JointModel(NgramModel):
    """An n-gram model over pairs, made by `fit` or `from_columns`.

    >>> model = fit([[("a", "AE"), ("l", "L")], [("a", "AH")]], order=2)
    >>> model.pairs, len(model)
    ((('a', 'AE'), ('a', 'AH'), ('l', 'L')), 9)
    """

    pairs: tuple[Pair, ...]  # sorted, so that pairs with the same source are adjacent

    @cached_property
    def sources(self) -> tuple[list[str], Ints]:
        """The source of each pair and the number of that source, after "" and 0 for a boundary."""
        sources = ["", *(source for source, _ in self.pairs)]
        return sources, np.cumsum([0, *(one != two for one, two in pairwise(sources))])

    def saved(self) -> tuple[dict[str, Any], Mapping[str, NDArray[Any]]]:
        """Return what to save: values that JSON can represent, and arrays of numbers.

        >>> fit([[("a", "AE")]], order=2).saved()[0]
        {'order': 2, 'pairs': (('a', 'AE'),)}
        """
        return {"order": self.order, "pairs": self.pairs}, self.columns()


def fit(
    aligned: Iterable[Sequence[Pair]],
    *,
    order: int = 3,
    smoothing: Smoothing = "kneser-ney",
    prune: float = 0.0,
) -> JointModel:
    """Train a model on aligned names; `order`, `smoothing` and `prune` are those of `fit_ngrams`.

    >>> len(fit([[("a", "AE"), ("l", "L")], [("a", "AH")]], order=2))
    9
    >>> fit([[("", "AE")]], order=2)
    Traceback (most recent call last):
    ...
    sameas.errors.UsageError: the pair ('', 'AE') has no source; join it to a neighbour
    """
    pairs, stream = _numbered(aligned)
    return _of_pairs(pairs, fit_ngrams(stream, len(pairs) + 1, order, smoothing, prune))


def _of_pairs(pairs: tuple[Pair, ...], grams: NgramModel) -> JointModel:
    return JointModel(grams.size, grams.order, grams.token, grams.children, grams.codes, pairs)


def _numbered(aligned: Iterable[Sequence[Pair]]) -> tuple[tuple[Pair, ...], Ints]:
    """Return the sorted pairs, and all names as one stream of pair numbers and boundaries."""
    names = [[(source, target) for source, target in name] for name in aligned]
    if not names:
        raise UsageError("no-names-to-learn")
    pairs = sorted(set(chain.from_iterable(names)))
    if pairs and not pairs[0][0]:
        raise UsageError("pair-without-source", pair=repr(pairs[0]))
    numbers = {pair: number for number, pair in enumerate(pairs, 1)}
    stream = [0]
    for name in names:
        stream += [*map(numbers.__getitem__, name), 0]
    return tuple(pairs), np.array(stream, dtype=np.int64)


def from_columns(
    pairs: Iterable[Sequence[str]], order: int, columns: Mapping[str, NDArray[Any]]
) -> JointModel:
    """Return the model with these saved columns; raise ValueError if they are invalid.

    >>> model = fit([[("a", "AE"), ("l", "L")]], order=2)
    >>> len(from_columns(model.pairs, 2, model.columns())) == len(model)
    True
    >>> from_columns([("a", "AE")], 1, dict.fromkeys(("token", "children", "codes"), np.ones(1)))
    Traceback (most recent call last):
    ...
    ValueError: its columns have inconsistent lengths
    """
    known = tuple((str(source), str(target)) for source, target in pairs)
    grams = NgramModel.from_columns(len(known) + 1, order, columns)
    if list(known) != sorted(set(known)) or not all(source for source, _ in known):
        raise ValueError("its pairs are not sorted, or one is repeated or has no source")
    return _of_pairs(known, grams)
