"""Universal Anaphora scores other than coreference: split antecedents, non-referring mentions.

They are counted as in the Universal Anaphora scorer (Yu et al. 2022; Paun et al. 2022).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sameas.arithmetic.arrays import Numbers
from sameas.arithmetic.assignment import assign, assign_in_order
from sameas.arithmetic.scores import harmonic, ratio

if TYPE_CHECKING:
    from sameas.documents.document import Document
    from sameas.matching.sides import Side

__all__ = ["SPLIT", "non_referring_columns", "split_columns"]

Clusters = list[frozenset[int]]
Counts = tuple[float, float, float, float]  # numerator and denominator of recall, then precision


def non_referring_columns(key: Side, response: Side, count: int) -> tuple[Numbers, ...]:
    """Count non-referring mentions (expletives, predicates): those shared, and those of each side.

    Spans are compared exactly, whatever the matching method.
    """
    rows = np.zeros((4, count), dtype=np.int64)
    for number, pair in enumerate(zip(key.read.documents, response.read.documents, strict=True)):
        one, other = (set(document.non_referring) for document in pair)
        both = len(one & other)
        rows[:, int(key.read.scored[number])] += (both, len(one), both, len(other))
    return tuple(rows)


def split_columns(metric: str, key: Side, response: Side, count: int) -> tuple[Numbers, ...]:
    """Count split antecedents with a metric, treating the entities of each as a small document.

    The split antecedents of key and response are assigned one to one so that the total F1 of the
    metric is largest, and their counts are added. In MUC a singleton counts as one link, which is
    found if the mention is a singleton on the other side.
    """
    rows = np.zeros((4, count))
    sides = [_antecedents(side) for side in (key, response)]
    for number in sorted({*sides[0], *sides[1]}):
        ours, theirs = (side.get(number, []) for side in sides)
        rows[:, int(key.read.scored[number])] += _align(ours, theirs, SPLIT[metric])
    return tuple(rows)


def _antecedents(side: Side) -> dict[int, list[Clusters]]:
    """Return the split antecedents of each document, each as the clusters of its entities."""
    members: dict[int, set[int]] = {}
    for entity, mention in zip(
        side.read.entity[side.place].tolist(), side.mention.tolist(), strict=True
    ):
        members.setdefault(entity, set()).add(mention)
    found: dict[int, list[Clusters]] = {}
    before = 0
    for number, document in enumerate(side.read.documents):
        numbers = {id: before + place for place, id in enumerate(document.entity_ids)}
        for id in numbers:
            if id in document.split_antecedents:
                leaves = [numbers[leaf] for leaf in _leaves(document, id) if leaf in numbers]
                clusters = [frozenset(members[leaf]) for leaf in leaves if leaf in members]
                split = list(dict.fromkeys(clusters))
                others = found.setdefault(number, [])
                if all(set(split) != set(other) for other in others):  # equal ones count once
                    others.append(split)
        before += len(document.entity_ids)
    return found


def _leaves(document: Document, id: str) -> list[str]:
    """Return the entities of a split antecedent, expanding those that are themselves split."""
    split = document.split_antecedents
    found = [id]
    for one in found:  # the loop extends this list
        found += [member for member in dict.fromkeys(split.get(one, ())) if member not in found]
    return [one for one in found if one not in split]


def _align(
    ours: Sequence[Clusters],
    theirs: Sequence[Clusters],
    counts: Callable[[Clusters, Clusters], Counts],
) -> Numbers:
    total = np.zeros(4)
    total[1] = sum(counts(clusters, [])[1] for clusters in ours)
    total[3] = sum(counts([], clusters)[3] for clusters in theirs)
    cells: dict[int, dict[int, float]] = {}
    found: dict[tuple[int, int], Counts] = {}
    for i, one in enumerate(ours):
        for j, other in enumerate(theirs):
            numbers = found[i, j] = counts(one, other)
            f1 = harmonic(ratio(*numbers[:2]), ratio(*numbers[2:]))
            if f1:
                cells.setdefault(i, {})[j] = f1
    for pair in assign_in_order(len(ours), len(theirs), cells):
        total[0] += found[pair][0]
        total[2] += found[pair][2]
    return total


def _of_both(
    side: Callable[[Clusters, Clusters], tuple[float, float]],
) -> Callable[[Clusters, Clusters], Counts]:
    """Return a function that counts recall, and precision by swapping the sides."""
    return lambda one, other: (*side(one, other), *side(other, one))


@_of_both
def _muc(clusters: Clusters, others: Clusters) -> tuple[float, float]:
    right = links = 0
    for cluster in clusters:
        shared = [(len(cluster & found), len(found)) for found in others if cluster & found]
        if len(cluster) == 1:
            links += 1
            right += any(size == 1 for _, size in shared)
        else:
            links += len(cluster) - 1
            right += sum(n - 1 for n, _ in shared)
    return right, links


@_of_both
def _b3(clusters: Clusters, others: Clusters) -> tuple[float, float]:
    shares = (
        sum(len(cluster & found) ** 2 for found in others) / len(cluster) for cluster in clusters
    )
    return sum(shares, start=0.0), sum(map(len, clusters))


@_of_both
def _lea(clusters: Clusters, others: Clusters) -> tuple[float, float]:
    right = 0.0
    for cluster in clusters:
        size = len(cluster)
        if size == 1:
            right += any(cluster == found for found in others)
        else:
            links = sum(n * (n - 1) / 2 for n in (len(cluster & found) for found in others))
            right += size * links / (size * (size - 1) / 2)
    return right, sum(map(len, clusters))


def _ceaf(entities: bool) -> Callable[[Clusters, Clusters], Counts]:
    def counts(one: Clusters, other: Clusters) -> Counts:
        cells = [
            (i, j, 2 * n / (len(one[i]) + len(other[j])) if entities else float(n))
            for i, cluster in enumerate(one)
            for j, found in enumerate(other)
            if (n := len(cluster & found))
        ]
        best = 0.0
        if cells:
            row, column, weight = (np.array(values) for values in zip(*cells, strict=True))
            best = float(weight[assign(row, column, weight)].sum())
        sizes = [len(side) if entities else sum(map(len, side)) for side in (one, other)]
        return best, sizes[0], best, sizes[1]

    return counts


#: The functions that compare two split antecedents and return the counts, keyed by metric.
SPLIT: dict[str, Callable[[Clusters, Clusters], Counts]] = {
    "muc": _muc,
    "b3": _b3,
    "ceafm": _ceaf(False),
    "ceafe": _ceaf(True),
    "lea": _lea,
}
