"""Train the weights of the features, with one logistic regression per kind of false pair.

Each regression separates genuine pairs from false ones, which are made from the genuine ones. Folds
are split by name, and features are computed out of fold, to avoid leakage.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sameas.names.affinity import Matrix
from sameas.names.segment import Floats
from sameas.names.units import Integers, NameSide, starts_of
from sameas.names.verification.alphabet import EncodedPairs
from sameas.names.verification.counting import AlignedCorpus, count_pairs
from sameas.names.verification.features import measure_features, tabulate_runs
from sameas.names.verification.judging import KINDS

__all__ = ["FalsePairMaker", "fit_regression", "train_weights"]

FOLDS = 5
ENOUGH = 20_000  # genuine pairs used in the regressions; more would hardly change the weights
# The share (by weight) of genuine pairs with an unseen unit, as in lists from other sources.
VARIANTS = 0.03
RIDGE = 1.0
_GENUINE, _VARIANT = -1, -2  # labels other than the kinds
Target = list[int]  # the units of a name


@dataclass(frozen=True, slots=True)
class FalsePairMaker:
    """A maker of false pairs, and of pairs with an unseen unit, from the genuine ones of a fold."""

    random: np.random.Generator
    units: int  # the number of seen units
    outside: int  # the number of unseen units, which are numbered after the seen ones
    alike: Mapping[int, list[int]]  # by syllable: unseen units that are not foreign
    others: Mapping[int, list[int]]  # by syllable: all unseen units
    syllable: list[int]

    @classmethod
    def of(cls, names: EncodedPairs, random: np.random.Generator) -> FalsePairMaker:
        """Return a maker that draws from the units of the names."""
        seen, syllable = len(names.units.symbols), names.syllable.tolist()
        others: dict[int, list[int]] = defaultdict(list)
        for unit in range(seen, len(syllable)):
            others[syllable[unit]].append(unit)
        domestic = (names.foreign == 0).tolist()
        alike = {one: [unit for unit in others[one] if domestic[unit]] for one in others}
        return cls(random, seen, len(syllable) - seen, alike, others, syllable)

    def _below(self, limit: int) -> int:
        return int(self.random.integers(limit))

    def _outside(self) -> int:
        return self.units + self._below(self.outside)

    def _like(self, unit: int, among: Mapping[int, list[int]]) -> int:
        """Return an unseen unit with the same sound, or else any unseen unit."""
        found = among.get(self.syllable[unit], []) if self.syllable[unit] >= 0 else []
        return found[self._below(len(found))] if found else self._outside()

    def variant(self, target: Target) -> Target:
        """Return a target with a unit replaced by an unseen one, of the same sound if possible."""
        made = list(target)
        at = self._below(len(made))
        made[at] = self._like(made[at], self.alike)
        return made

    def replaced(self, target: Target) -> Target:
        """Return a target with some units replaced."""
        made = list(target)
        for at in self.random.permutation(len(made))[: 1 + self._below(len(made))].tolist():
            made[at] = self._below(self.units)
        return made

    def resounded(self, target: Target) -> Target:
        """Return a target with many units replaced by unseen ones, most with the same sound."""
        share = 0.3 + 0.7 * self.random.random()
        made = list(target)
        for at, unit in enumerate(target):
            if self.random.random() < share:
                same = self.random.random() < 0.8
                made[at] = self._like(unit, self.others) if same else self._outside()
        return made

    def invented(self, longest: int) -> Target:
        """Return a target of random units, seen or unseen."""
        share = self.random.random()
        return [
            self._outside() if self.random.random() < share else self._below(self.units)
            for _ in range(1 + self._below(longest))
        ]

    def resized(self, target: Target, other: Target) -> Target:
        """Return a part of a target, or a target joined with a part of another."""
        way = self._below(4)
        piece = other[: 1 + self._below(len(other))]
        cut = 1 + self._below(len(target) - 1) if len(target) > 1 else 0
        made = target[:cut], target[cut:], target + piece, piece + target
        return made[way if cut or way == 2 else 3]

    def false(
        self, sources: list[Target], targets: list[Target]
    ) -> Iterator[tuple[int, int, Target]]:
        """Yield false pairs: the index of a genuine pair, the index of a kind, and a target."""
        count = len(targets)
        by_length: dict[int, list[int]] = defaultdict(list)
        for number, target in enumerate(targets):
            by_length[len(target)].append(number)
        longest = max(1, 2 * round(sum(map(len, targets)) / max(count, 1)) - 2)
        shuffled = self.random.permutation(count).tolist()
        for number, target in enumerate(targets):
            same = by_length[len(target)]
            yield number, 0, targets[shuffled[number]]
            yield number, 0, targets[same[self._below(len(same))]]
            yield number, 1, self.resounded(target)
            yield number, 1, self.invented(longest)
            yield number, 2, self.replaced(target)
            yield number, 2, self.resized(target, targets[self._below(count)])
        # Neighbours among sorted names share their beginning or, if sorted from the end, their end.
        for back in (1, -1):
            order = sorted(range(count), key=lambda number: (sources[number][::back], number))
            for one, two in pairwise(order):
                if sources[one] != sources[two]:
                    yield one, 3, targets[two]


def train_weights(
    names: EncodedPairs, corpus: AlignedCorpus, seed: int
) -> tuple[Floats, Floats, Matrix]:
    """Return the means and scales of the features, and their weights by kind of false pair."""
    random = np.random.Generator(np.random.PCG64(seed))
    distinct = len(names.letters)
    folds = min(FOLDS, distinct)
    fold_of = (random.permutation(distinct) % folds)[names.first]
    chosen = np.zeros(len(names), dtype=bool)
    chosen[random.permutation(len(names))[:ENOUGH]] = True
    maker = FalsePairMaker.of(names, random)
    blocks: list[Matrix] = []
    labels: list[int] = []
    for fold in range(folds):
        examples = _examples(names, np.flatnonzero((fold_of == fold) & chosen), maker)
        if not examples:
            continue
        counts = count_pairs(corpus, fold_of != fold)
        table = tabulate_runs(counts, names.syllable)
        firsts, kinds, targets = zip(*examples, strict=True)
        features, _, _ = measure_features(_encoded(names, firsts, targets), counts, table)
        blocks.append(np.stack(features, axis=1))
        labels += kinds
    found = np.concatenate(blocks)
    mean, scale = found.mean(axis=0), found.std(axis=0)
    scale = np.where(scale > 1e-9, scale, 1.0)
    standard = np.concatenate([np.ones((len(found), 1)), (found - mean) / scale], axis=1)
    return mean, scale, _weigh(standard, np.array(labels))


def _encoded(names: EncodedPairs, firsts: Sequence[int], targets: Sequence[Target]) -> EncodedPairs:
    """Return the encoded examples, where `names` are all genuine pairs."""
    codes = np.array([unit for target in targets for unit in target], dtype=np.int32)
    units = NameSide(names.units.symbols, codes, starts_of(list(map(len, targets))))
    first = np.array(firsts, dtype=np.int64)
    return replace(names, units=units, first=first, second=np.arange(len(first)))


def _examples(
    names: EncodedPairs, pairs: Integers, maker: FalsePairMaker
) -> list[tuple[int, int, Target]]:
    """Return the examples of a fold: its genuine pairs, the same pairs with an unseen unit, and
    false pairs. Each example is the index of a source name, a label (genuine, or the kind of false
    pair), and the units of a target."""
    targets = _lists(names.units)
    firsts = names.first[pairs].tolist()
    genuine = [targets[second] for second in names.second[pairs].tolist()]
    known = set(zip(names.first.tolist(), names.second.tolist(), strict=True))
    right = {(first, *targets[second]) for first, second in known}
    rows = [(first, _GENUINE, target) for first, target in zip(firsts, genuine, strict=True)]
    rows += [(first, _VARIANT, maker.variant(target)) for first, _, target in rows if target[1:]]
    sources = _lists(names.letters)
    for pair, kind, target in maker.false([sources[first] for first in firsts], genuine):
        if (firsts[pair], *target) not in right:
            rows.append((firsts[pair], kind, target))
    return rows


def _weigh(features: Matrix, label: Integers) -> Matrix:
    """Return the weights of the features against each kind of false pair; 0 for missing kinds."""
    plain, variant = label == _GENUINE, label == _VARIANT
    varied = VARIANTS if variant.any() else 0.0
    weights = np.zeros((len(KINDS), features.shape[1]))
    for kind in range(len(KINDS)):
        false = label == kind
        if not false.any():
            continue
        used = plain | variant | false
        weight = plain * ((1 - varied) / plain.sum()) + variant * (varied / max(variant.sum(), 1))
        weight = (weight + false / false.sum()) * plain.sum()
        weights[kind] = fit_regression(features[used], (plain | variant)[used], weight[used])
    return weights


def _lists(side: NameSide) -> list[Target]:
    codes, starts = side.codes.tolist(), side.starts.tolist()
    return [codes[begin:end] for begin, end in pairwise(starts)]


def fit_regression(features: Matrix, genuine: NDArray[np.bool_], weights: Floats) -> Floats:
    """Fit a logistic regression by Newton's method, with a small ridge penalty.

    The first weight is the intercept.
    """
    ridge = np.full(features.shape[1], RIDGE)
    ridge[0] = 1e-3

    def loss(at: Floats) -> float:
        scores = features @ at
        fit = np.logaddexp(0.0, np.where(genuine, -scores, scores))
        return float(weights @ fit + 0.5 * (ridge @ (at * at)))

    found = np.zeros(features.shape[1])
    before = loss(found)
    for _ in range(50):
        likely = 1 / (1 + np.exp(-np.clip(features @ found, -500, 500)))
        gradient = features.T @ (weights * (genuine - likely)) - ridge * found
        curvature = features * (weights * likely * (1 - likely))[:, None]
        step = np.linalg.solve(features.T @ curvature + np.diag(ridge), gradient)
        size = 1.0
        while loss(found + size * step) > before and size > 1e-6:
            size /= 2
        found = found + size * step
        after = loss(found)
        if before - after <= 1e-9 * abs(before):
            break
        before = after
    return found
