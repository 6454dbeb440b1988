"""An n-gram model over numbered symbols: pairs of letters and sounds, letters, or units.

The n-grams form a tree, numbered level by level: node 0 is the empty history, its children are the
symbols, and the children of a node are the symbols seen after it. Three columns define the model:
the symbol that a node adds, the number of its children, and its share a(w | h), which is its
relative frequency after discounting. Everything else follows from one formula:

    p(w | h) = a(w | h) + γ(h) p(w | h′),    γ(h) = 1 − Σ a(w | h),

where h′ is h without its oldest symbol, and the empty history backs off to 1/V.

Names are one stream of numbers, with the boundary before, between and after them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Self, get_args

import numpy as np
from numpy.typing import NDArray

from sameas.errors import UsageError, unknown
from sameas.names.options import Smoothing
from sameas.names.units import NameSide, lookup, spread

__all__ = ["BOUNDARY", "SMOOTHINGS", "Floats", "Ints", "NgramModel", "fit_ngrams", "stream_of"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: The smoothing methods.
SMOOTHINGS: tuple[str, ...] = get_args(Smoothing)
_COLUMNS = ("token", "children", "codes")
BOUNDARY = 0  # begins every history and ends every name; symbols are numbered from 1
# Shares are rounded down to e^(−n / 4000) and stored as n, in 16 bits, so that files are small,
# a saved model is read back unchanged, and sums stay below one. Shorter histories get the
# difference.
_GRID = 4000.0
_LEAST = 65535  # the code of a share of 0


@dataclass(frozen=True, eq=False)
class NgramModel:
    """An n-gram model over `size` symbols, including the boundary, made by `fit_ngrams` or
    `from_columns`.

    >>> model = fit_ngrams(np.array([0, 1, 2, 0, 1, 0]), 3, 2, "witten-bell")
    >>> len(model), np.exp(model.logs(np.array([0, 2, 0]))).round(2).tolist()
    (7, [0.08, 0.69])
    """

    size: int
    order: int
    token: Ints  # by node: the symbol it adds to the n-gram of its parent, 0 for the boundary
    children: Ints  # by node: the number of children
    codes: Ints  # by node: n, for a share of e^(−n / _GRID)

    @staticmethod
    def from_columns(size: int, order: int, columns: Mapping[str, NDArray[Any]]) -> NgramModel:
        """Return the model with these saved columns; raise ValueError if they are invalid.

        >>> NgramModel.from_columns(2, 1, dict.fromkeys(("token", "children", "codes"), np.ones(1)))
        Traceback (most recent call last):
        ...
        ValueError: its columns have inconsistent lengths
        """
        token, children, codes = (columns[name].astype(np.int64) for name in _COLUMNS)
        # The root's symbol and share are the same in all models, and are not saved.
        token, codes = np.concatenate([[-1], token]), np.concatenate([[_LEAST], codes])
        return NgramModel(size, order, token, children, codes).checked()

    def columns(self) -> dict[str, NDArray[np.uint32]]:
        """Return the columns to save, without the root's symbol and share, which never vary.

        >>> model = fit_ngrams(np.array([0, 1, 2, 0]), 3, 2)
        >>> len(NgramModel.from_columns(3, 2, model.columns())) == len(model)
        True
        """
        columns = (self.token[1:], self.children, self.codes[1:])
        return {name: one.astype(np.uint32) for name, one in zip(_COLUMNS, columns, strict=True)}

    def checked(self) -> Self:
        """Return the model itself if its columns are consistent; else raise ValueError.

        >>> fit_ngrams(np.array([0, 1, 2, 0]), 3, 2).checked().order
        2
        """
        token = self.token
        if not len(self.children) == len(self.codes) == len(token) == 1 + self.children.sum():
            raise ValueError("its columns have inconsistent lengths")
        levels = self.levels
        if token.max() >= self.size or self.codes.min() < 0 or self.codes.max() > _LEAST:
            raise ValueError("its numbers are out of range")
        siblings = np.diff(self.parent) == 0
        ordered = np.all(np.diff(token)[siblings][1:] > 0)
        if not ordered or not np.array_equal(token[slice(*levels[1])], np.arange(self.size)):
            raise ValueError("its n-grams are not sorted")
        if len(levels) - 1 > self.order or levels[-1][1] != len(token):
            raise ValueError("its n-grams do not form a tree")
        if not self.gamma.min() > 0:  # also raises if a suffix is missing
            raise ValueError("its probabilities sum to more than one")
        return self

    def __len__(self) -> int:
        """Return the number of n-grams of all lengths."""
        return len(self.token) - 1

    @cached_property
    def first(self) -> Ints:
        """The first child of each node, followed by the end: `len(children) + 1` values."""
        return np.concatenate([[1], 1 + np.cumsum(self.children)])

    @cached_property
    def parent(self) -> Ints:
        """The history of each node; the root is its own."""
        return np.concatenate([[0], np.repeat(np.arange(len(self.token)), self.children)])

    @cached_property
    def levels(self) -> list[tuple[int, int]]:
        """The range of nodes of each n-gram length, from 0: the first, and one past the last."""
        levels = [(0, 1)]
        while (end := int(self.first[levels[-1][1]])) > levels[-1][1]:
            levels.append((levels[-1][1], end))
        return levels

    @cached_property
    def keys(self) -> Ints:
        """The parent and the symbol of each node as one number, which increases with the node."""
        keys = self.parent * self.size + self.token
        keys[0] = -1
        return keys

    @cached_property
    def suffix(self) -> Ints:
        """For each node, the node of its n-gram without the oldest symbol."""
        keys = self.keys
        suffix = np.zeros(len(keys), dtype=np.int64)
        for (low, high), (start, end) in pairwise(self.levels[1:]):
            wanted = suffix[self.parent[start:end]] * self.size + self.token[start:end]
            found, there = lookup(keys[low:high], wanted)
            if not there.all():
                raise ValueError("the suffix of an n-gram is missing")
            suffix[start:end] = low + found
        return suffix

    @cached_property
    def gamma(self) -> Floats:
        """The back-off weight of each history; 1 for a node that is not a history."""
        return self._smoothed[0]

    @cached_property
    def probability(self) -> Floats:
        """The probability of each node's symbol after its parent."""
        return self._smoothed[1]

    @cached_property
    def _smoothed(self) -> tuple[Floats, Floats]:
        shares = np.where(self.codes == _LEAST, 0.0, np.exp(-self.codes / _GRID))
        shares[0] = 0.0
        sums = np.bincount(self.parent, shares, minlength=len(shares))
        gamma = 1 - np.where(self.children > 0, sums, 0.0)
        probability = np.full(len(shares), 1 / self.size)
        probability[0] = 1.0
        for start, end in self.levels[1:]:
            lower = probability[self.suffix[start:end]] if start > 1 else probability[start:end]
            probability[start:end] = shares[start:end] + gamma[self.parent[start:end]] * lower
        return gamma, probability

    @cached_property
    def states(self) -> Ints:
        """The state of each node: itself if it has children, else its longest suffix that does."""
        states = np.where(self.children > 0, np.arange(len(self.token)), -1)
        for start, end in self.levels[1:]:
            level = slice(start, end)
            states[level] = np.where(states[level] < 0, states[self.suffix[level]], states[level])
        return states

    def logs(self, stream: Ints) -> Floats:
        """Return the log-probability of each symbol of a stream, given those before it.

        The first symbol, which is the boundary, is skipped.

        >>> model = fit_ngrams(np.array([0, 1, 2, 0, 1, 0]), 3, 2)
        >>> model.logs(np.array([0, 1, 0])).round(2).tolist()
        [-0.71, -0.95]
        """
        step, backoff = np.log(self.probability), np.log(self.gamma)
        node = stream + 1  # the n-gram of the current length ending at each position, or below 0
        logs = step[node]
        for start, end in self.levels[2:]:
            history = node[:-1]
            at, seen = lookup(self.keys[start:end], history * self.size + stream[1:])
            left = np.where(history >= 0, backoff[history], 0.0)
            logs[1:] = np.where(seen, step[start + at], left + logs[1:])
            node = np.concatenate([[-1], np.where(seen, start + at, -1)])
        return logs[1:]


def stream_of(names: NameSide) -> Ints:
    """Return names as one stream of numbers; all unknown symbols get the same, highest number.

    >>> stream_of(NameSide.of([("a", "b"), ("b", "x")], ("a", "b"))).tolist()
    [0, 1, 2, 0, 2, 3, 0]
    """
    stream = np.zeros(len(names.codes) + len(names) + 1, dtype=np.int64)
    places, _ = spread(names.starts[:-1] + np.arange(1, len(names) + 1), names.lengths)
    stream[places] = np.minimum(names.codes, len(names.symbols)) + 1
    return stream


def fit_ngrams(
    stream: Ints,
    size: int,
    order: int,
    smoothing: Smoothing = "kneser-ney",
    prune: float = 0.0,
) -> NgramModel:
    """Count n-grams of up to `order` symbols, smooth them, and prune the least informative.

    Kneser–Ney is the modified, interpolated method of Chen & Goodman (1998), with discounts from
    the counts of counts. Witten–Bell (1991) backs off with γ(h) = T(h) / (C(h) + T(h)), where T is
    the number of different symbols seen after h. An n-gram seen c times is pruned if c times the
    logarithm of the ratio of its probability to its backed-off probability is below `prune`
    (Seymore & Rosenfeld 1996). Its share goes to the shorter histories, so that probabilities still
    sum to one.

    >>> len(fit_ngrams(np.array([0, 1, 2, 0]), 3, 2))
    6
    """
    if order < 1:
        raise UsageError("at-least-one", what="order", value=order)
    if smoothing not in SMOOTHINGS:
        raise unknown("smoothing", smoothing, SMOOTHINGS)
    model, times = _count(stream, size, order)
    shares = (_kneser_ney if smoothing == "kneser-ney" else _witten_bell)(model, times)
    seen = shares > 0
    model.codes[seen] = np.minimum(np.ceil(-_GRID * np.log(shares[seen])), _LEAST)
    return _pruned(model, times, prune) if prune > 0 else model


def _count(stream: Ints, size: int, order: int) -> tuple[NgramModel, Ints]:
    """Return the tree of the n-grams, still without shares, and the count of each."""
    # Symbols, histories and counts, by length of n-grams: first the root and the unigrams.
    times = np.concatenate([[0], np.bincount(stream[1:], minlength=size)])
    columns = [(np.arange(-1, size), np.zeros(1 + size, dtype=np.int64), times)]
    # The node of the n-gram of the current length that ends at each position of the stream, or
    # below 0 where it would cross the end of a name.
    nodes, made = stream + 1, 1 + size
    for length in range(2, order + 1):
        usable = (nodes[:-1] >= 0) & ((length == 2) | (stream[:-1] != BOUNDARY))
        places = np.flatnonzero(usable) + 1
        if not len(places):
            break
        keys = nodes[places - 1] * size + stream[places]
        keys, inverse, times = np.unique(keys, return_inverse=True, return_counts=True)
        columns.append((keys % size, keys // size, times))
        nodes = np.full(len(stream), -1, dtype=np.int64)
        nodes[places] = made + inverse.reshape(-1)
        made += len(keys)
    token, parent, times = map(np.concatenate, zip(*columns, strict=True))
    children = np.bincount(parent[1:], minlength=made)
    return NgramModel(size, order, token, children, np.full(made, _LEAST)), times


def _kneser_ney(tree: NgramModel, times: Ints) -> Floats:
    """Return the shares with modified Kneser–Ney smoothing.

    Below the highest order, the count of an n-gram is the number of different symbols seen before
    it. At the beginning of names, where nothing can precede it, its own count is used.
    """
    levels, parent = tree.levels, tree.parent
    before = np.bincount(tree.suffix[levels[1][1] :], minlength=len(times))
    begins = parent == 1 + BOUNDARY  # n-grams of two or more symbols that begin with the boundary
    for start, end in levels[3:]:
        begins[start:end] = begins[parent[start:end]]
    begins[levels[-1][0] :] = True  # n-grams of the highest order use their own counts too
    counts = np.where(begins, times, before)
    counts[0] = 0
    left = np.zeros(len(counts))
    for start, end in levels[1:]:
        level = counts[start:end]
        left[start:end] = level - _discounts(level)[np.minimum(level, 3)]
    totals = np.bincount(parent, counts, minlength=len(counts))
    return left / np.maximum(totals[parent], 1)


def _discounts(counts: Ints) -> Floats:
    """Return the discounts of counts of 0, 1, 2, and 3 or more (Chen & Goodman 1998)."""
    n = np.bincount(np.minimum(counts, 5), minlength=6)[1:5].astype(np.float64)
    n = np.maximum(n, [1.0, 0.5, 0.25, 0.125])  # few names: some counts may not occur
    y = n[0] / (n[0] + 2 * n[1])
    steps = np.arange(1, 4)
    discounts = steps - (steps + 1) * y * n[1:] / n[:3]
    # Keep estimates from few names in the range in which all probabilities are positive.
    return np.concatenate([[0.0], np.clip(discounts, 0.1, 0.95 * steps)])


def _witten_bell(tree: NgramModel, times: Ints) -> Floats:
    totals = np.bincount(tree.parent, times, minlength=len(times))
    kinds = np.bincount(tree.parent, times > 0, minlength=len(times))
    shares: Floats = times / np.maximum(totals + kinds, 1)[tree.parent]
    return shares


def _pruned(model: NgramModel, counts: Ints, threshold: float) -> NgramModel:
    nodes = len(model.token)
    lower = np.maximum(model.gamma[model.parent] * model.probability[model.suffix], 1e-300)
    gain = counts * np.log(model.probability / lower)
    keep = gain >= threshold
    keep[: model.levels[1][1]] = True
    for start, end in reversed(model.levels[2:]):
        kept = start + np.flatnonzero(keep[start:end])
        # An n-gram needs its history, and its suffix, with which it is interpolated.
        keep[model.parent[kept]] = True
        keep[model.suffix[kept]] = True
    children = np.bincount(model.parent[1:][keep[1:]], minlength=nodes)
    return replace(model, token=model.token[keep], children=children[keep], codes=model.codes[keep])
