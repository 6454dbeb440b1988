"""The joint source-channel model (Li, Zhang & Su 2004): an n-gram model over aligned pairs.

A name and its transliteration are written together, pair by pair: <a, AE> <l, L> <i, AH> <ce, S>.
The model gives each pair a probability after the pairs before it; to transliterate is to find the
most probable sequence of pairs whose left sides spell the name.

The n-grams are a tree, numbered level by level: node 0 is the empty history, its children are the
pairs, and the children of a node are what was seen after it. Three columns say everything: which
pair a node adds, how many children it has, and its share a(w | h), which is what is left of its
relative frequency after smoothing has taken its part. All else follows from one formula:

    p(w | h) = a(w | h) + γ(h) p(w | h′),    γ(h) = 1 − Σ a(w | h),

where h′ is h without its oldest pair, and p after the empty history ends in 1/V.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from sameas.errors import UsageError, unknown
from sameas.names.options import Smoothing
from sameas.names.units import lookup

__all__ = [
    "SMOOTHINGS",
    "JointModel",
    "columns",
    "fit",
    "from_columns",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Pair = tuple[str, str]

#: How unseen n-grams get their part of the probability.
SMOOTHINGS: tuple[str, ...] = get_args(Smoothing)
_COLUMNS = ("token", "children", "codes")
BOUNDARY = 0  # begins every history and ends every name; pairs are numbered from 1
# Shares are rounded down to e^(−n / 4000) and kept as n, in 16 bits: files are small, a model that
# is read is the one that was saved, and sums stay below one; shorter histories get what is cut off.
_GRID = 4000.0
_LEAST = 65535  # the code of a share of nothing


@dataclass(frozen=True, eq=False)
class JointModel:
    """An n-gram model over pairs, as `fit` or `from_columns` makes it.

    >>> model = fit([[("a", "AE"), ("l", "L")], [("a", "AH")]], order=2)
    >>> model.pairs, len(model)
    ((('a', 'AE'), ('a', 'AH'), ('l', 'L')), 9)
    """

    pairs: tuple[Pair, ...]  # sorted, so that pairs with one source are neighbours
    order: int
    token: Ints  # of each node: the pair it adds to its parent's, 0 for the boundary
    children: Ints  # of each node: how many
    codes: Ints  # of each node: its share, as a step of the grid

    def __len__(self) -> int:
        """How many n-grams there are, of all lengths."""
        return len(self.token) - 1

    @cached_property
    def first(self) -> Ints:
        """Where each node's children begin; one number more than nodes."""
        return np.concatenate([[1], 1 + np.cumsum(self.children)])

    @cached_property
    def parent(self) -> Ints:
        """The history of each node; that of the root is itself."""
        return np.concatenate([[0], np.repeat(np.arange(len(self.token)), self.children)])

    @cached_property
    def levels(self) -> list[tuple[int, int]]:
        """The nodes of each length of n-grams, from the root on: first, and one past the last."""
        levels = [(0, 1)]
        while (end := int(self.first[levels[-1][1]])) > levels[-1][1]:
            levels.append((levels[-1][1], end))
        return levels

    @cached_property
    def suffix(self) -> Ints:
        """The node of each n-gram without its oldest pair."""
        size = len(self.pairs) + 1
        keys = self.parent * size + self.token
        suffix = np.zeros(len(keys), dtype=np.int64)
        for (low, high), (start, end) in pairwise(self.levels[1:]):
            wanted = suffix[self.parent[start:end]] * size + self.token[start:end]
            found, there = lookup(keys[low:high], wanted)
            if not there.all():
                raise ValueError("an n-gram is there without its own ending")
            suffix[start:end] = low + found
        return suffix

    @cached_property
    def gamma(self) -> Floats:
        """What each history leaves to the shorter one; 1 for what is no history."""
        return self._smoothed[0]

    @cached_property
    def probability(self) -> Floats:
        """Of each node: the probability of its pair after its parent."""
        return self._smoothed[1]

    @cached_property
    def _smoothed(self) -> tuple[Floats, Floats]:
        shares = np.where(self.codes == _LEAST, 0.0, np.exp(-self.codes / _GRID))
        shares[0] = 0.0
        sums = np.bincount(self.parent, shares, minlength=len(shares))
        gamma = 1 - np.where(self.children > 0, sums, 0.0)
        probability = np.full(len(shares), 1 / (len(self.pairs) + 1))
        probability[0] = 1.0
        for start, end in self.levels[1:]:
            lower = probability[self.suffix[start:end]] if start > 1 else probability[start:end]
            probability[start:end] = shares[start:end] + gamma[self.parent[start:end]] * lower
        return gamma, probability

    @cached_property
    def states(self) -> Ints:
        """Of each node: the longest history that can tell anything after it."""
        states = np.where(self.children > 0, np.arange(len(self.token)), -1)
        for start, end in self.levels[1:]:
            level = slice(start, end)
            states[level] = np.where(states[level] < 0, states[self.suffix[level]], states[level])
        return states

    @cached_property
    def sources(self) -> tuple[list[str], Ints]:
        """Of each pair: its source; and the number of that, 0 for the boundary."""
        sources = ["", *(source for source, _ in self.pairs)]
        return sources, np.cumsum([0, *(one != two for one, two in pairwise(sources))])


def fit(
    aligned: Iterable[Sequence[Pair]],
    *,
    order: int = 3,
    smoothing: Smoothing = "kneser-ney",
    prune: float = 0.0,
) -> JointModel:
    """Count n-grams of pairs up to `order`, smooth them, and leave out those that say little.

    Kneser–Ney is the modified one of Chen & Goodman (1998), interpolated, its discounts from the
    counts of counts; Witten–Bell (1991) takes T(h) / (C(h) + T(h)), where T is the number of
    different pairs seen after h. An n-gram seen c times is left out where c times the logarithm of
    what it changes of its own probability is below `prune` (Seymore & Rosenfeld 1996); its share
    goes to the shorter histories, so that probabilities still sum to one.

    >>> len(fit([[("a", "AE"), ("l", "L")], [("a", "AH")]], order=2))
    9
    >>> fit([[("", "AE")]], order=2)
    Traceback (most recent call last):
    ...
    sameas.errors.UsageError: the pair ('', 'AE') has no source; join it to a neighbour
    """
    if order < 1:
        raise UsageError("at-least-one", what="order", value=order)
    if smoothing not in SMOOTHINGS:
        raise unknown("smoothing", smoothing, SMOOTHINGS)
    pairs, stream = _numbered(aligned)
    tree = _count(stream, len(pairs) + 1, order)
    codes = np.full(len(tree.token), _LEAST, dtype=np.int64)
    shares = _kneser_ney(tree) if smoothing == "kneser-ney" else _witten_bell(tree)
    seen = shares > 0
    codes[seen] = np.minimum(np.ceil(-_GRID * np.log(shares[seen])), _LEAST)
    model = JointModel(pairs, order, tree.token, tree.children, codes)
    return _pruned(model, tree.count, prune) if prune > 0 else model


def _numbered(aligned: Iterable[Sequence[Pair]]) -> tuple[tuple[Pair, ...], Ints]:
    """The pairs, sorted, and all names as one stream of their numbers between boundaries."""
    numbers: dict[Pair, int] = {}
    stream = [0]
    for name in aligned:
        stream.extend(
            numbers.setdefault((source, target), len(numbers) + 1) for source, target in name
        )
        stream.append(0)
    if len(stream) == 1:
        raise UsageError("no-names-to-learn")
    pairs = sorted(numbers)
    if pairs and not pairs[0][0]:
        raise UsageError("pair-without-source", pair=repr(pairs[0]))
    rank = np.zeros(len(pairs) + 1, dtype=np.int64)
    rank[[numbers[pair] for pair in pairs]] = np.arange(1, len(pairs) + 1)
    return tuple(pairs), rank[stream]


@dataclass(frozen=True, eq=False)
class _Tree:
    """The counted n-grams: columns over the nodes of the tree."""

    token: Ints
    parent: Ints
    suffix: Ints
    count: Ints
    begins: Bools  # n-grams of two or more that begin with the boundary
    levels: list[tuple[int, int]]

    @cached_property
    def children(self) -> Ints:
        """Of each node: how many."""
        return np.bincount(self.parent[1:], minlength=len(self.parent))


def _count(stream: Ints, size: int, order: int) -> _Tree:
    # The columns of the tree, by length of n-grams: first the root and the n-grams of one.
    none = np.zeros(1 + size, dtype=np.int64)
    times = np.concatenate([[0], np.bincount(stream[1:], minlength=size)])
    columns = [(np.arange(-1, size), none, none, times, none.astype(np.bool_))]
    levels = [(0, 1), (1, 1 + size)]
    # The node of the n-gram that ends at each place of the stream, one length after the other;
    # below 0 where there is none, since no n-gram reaches over the end of a name.
    nodes = stream + 1
    for length in range(2, order + 1):
        usable = nodes[:-1] >= 0 if length == 2 else (nodes[:-1] >= 0) & (stream[:-1] != BOUNDARY)
        places = np.flatnonzero(usable) + 1
        if not len(places):
            break
        keys, where, inverse, counts = np.unique(
            nodes[places - 1] * size + stream[places],
            return_index=True,
            return_inverse=True,
            return_counts=True,
        )
        last = places[where]
        begins = stream[last - length + 1] == BOUNDARY
        columns.append((stream[last], keys // size, nodes[last], counts, begins))
        start = levels[-1][1]
        levels.append((start, start + len(keys)))
        nodes = np.full(len(stream), -1, dtype=np.int64)
        nodes[places] = start + inverse.reshape(-1)
    token, parent, suffix, count, begins = map(np.concatenate, zip(*columns, strict=True))
    return _Tree(token, parent, suffix, count, begins, levels)


def _kneser_ney(tree: _Tree) -> Floats:
    """The shares of modified Kneser–Ney.

    Below the highest level an n-gram counts as often as there are different pairs before it; where
    nothing can be before it, at the beginning of names, it counts as often as it was seen.
    """
    highest = tree.levels[-1][0]
    before = np.bincount(tree.suffix[tree.levels[1][1] :], minlength=len(tree.count))
    lower = ~tree.begins & (np.arange(len(before)) < highest)
    counts = np.where(lower, before, tree.count)
    counts[0] = 0
    left = np.zeros(len(counts))
    for start, end in tree.levels[1:]:
        level = counts[start:end]
        left[start:end] = level - _discounts(level)[np.minimum(level, 3)]
    totals = np.bincount(tree.parent, counts, minlength=len(counts))
    return left / np.maximum(totals[tree.parent], 1)


def _discounts(counts: Ints) -> Floats:
    """What is taken from counts of 0, 1, 2, and 3 and more (Chen & Goodman 1998)."""
    n = np.bincount(np.minimum(counts, 5), minlength=6)[1:5].astype(np.float64)
    n = np.maximum(n, [1.0, 0.5, 0.25, 0.125])  # few names: some counts may not occur
    y = n[0] / (n[0] + 2 * n[1])
    steps = np.arange(1, 4)
    discounts = steps - (steps + 1) * y * n[1:] / n[:3]
    # Estimates from few names can leave the range in which all probabilities are positive.
    return np.concatenate([[0.0], np.clip(discounts, 0.1, 0.95 * steps)])


def _witten_bell(tree: _Tree) -> Floats:
    totals = np.bincount(tree.parent, tree.count, minlength=len(tree.count))
    kinds = np.bincount(tree.parent, tree.count > 0, minlength=len(tree.count))
    shares: Floats = tree.count / np.maximum(totals + kinds, 1)[tree.parent]
    return shares


def _pruned(model: JointModel, counts: Ints, threshold: float) -> JointModel:
    nodes = len(model.token)
    lower = np.maximum(model.gamma[model.parent] * model.probability[model.suffix], 1e-300)
    gain = counts * np.log(model.probability / lower)
    keep = gain >= threshold
    keep[: model.levels[1][1]] = True
    for start, end in reversed(model.levels[2:]):
        kept = start + np.flatnonzero(keep[start:end])
        # An n-gram needs its history, and its ending, from which its own probability comes.
        keep[model.parent[kept]] = True
        keep[model.suffix[kept]] = True
    children = np.bincount(model.parent[1:][keep[1:]], minlength=nodes)
    return JointModel(
        model.pairs, model.order, model.token[keep], children[keep], model.codes[keep]
    )


def columns(model: JointModel) -> dict[str, Ints]:
    """Return the three columns of a model, without what is the same in all models.

    >>> model = fit([[("a", "AE"), ("l", "L")]], order=2)
    >>> len(from_columns(model.pairs, 2, columns(model))) == len(model)
    True
    """
    return {"token": model.token[1:], "children": model.children, "codes": model.codes[1:]}


def from_columns(
    pairs: Iterable[Sequence[str]], order: int, columns: Mapping[str, NDArray[Any]]
) -> JointModel:
    """Return the model of such columns; ValueError says what is wrong with them.

    >>> from_columns([("a", "AE")], 1, dict.fromkeys(("token", "children", "codes"), np.ones(1)))
    Traceback (most recent call last):
    ...
    ValueError: its columns do not belong together
    """
    token, children, codes = (columns[name].astype(np.int64) for name in _COLUMNS)
    model = JointModel(
        tuple((str(source), str(target)) for source, target in pairs),
        order,
        np.concatenate([[-1], token]),
        children,
        np.concatenate([[_LEAST], codes]),
    )
    _check(model)
    return model


def _check(model: JointModel) -> None:
    nodes, size = len(model.token), len(model.pairs) + 1
    if not len(model.children) == len(model.codes) == nodes == 1 + model.children.sum():
        raise ValueError("its columns do not belong together")
    if list(model.pairs) != sorted(set(model.pairs)) or any(
        not source for source, _ in model.pairs
    ):
        raise ValueError("its pairs are not in order")
    if not np.array_equal(model.token[slice(*model.levels[1])], np.arange(size)):
        raise ValueError("its pairs are not in order")
    if model.token.max() >= size or np.any(model.codes > _LEAST):
        raise ValueError("its numbers are out of range")
    if np.any((np.diff(model.token) <= 0) & (np.diff(model.parent) == 0) & (model.parent[1:] > 0)):
        raise ValueError("its n-grams are not in order")
    if len(model.levels) - 1 > model.order or model.levels[-1][1] != nodes:
        raise ValueError("its n-grams are not a tree")
    if not model.gamma.min() > 0:  # also finds endings that are missing
        raise ValueError("its probabilities sum to more than one")
