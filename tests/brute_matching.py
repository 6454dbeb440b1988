"""A second implementation of every matching of mentions: slow, on sets of nodes, from the manuals.

The rules are those of the CorefUD scorer's README (sections "Mention Matching" and "Matching of
Zero Mentions") and of `sameas.matching.matching.match`; the mention overlap ratio and the score of
zeros are those of Žabokrtský et al. 2022. scipy finds a best assignment in the dense matrix of the
mentions in text order. Nothing is imported from sameas.

A node is a word, given by its number, or a zero, given by the number of words before it and its
number at that position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from brute import brute

Node = int | tuple[int, int]
Counts = tuple[Fraction, ...]
Pairs = dict[int, int]  # key mention to response mention, by their numbers in the document


@dataclass(frozen=True)
class Annotated:
    """One mention with its annotation in a file."""

    nodes: frozenset[Node]
    entity: str
    head: Node | None = None
    minimum: frozenset[Node] = frozenset()
    sentence: int = 0  # of the head
    parents: frozenset[tuple[str, str]] = frozenset()  # and relations, of the head

    @property
    def is_zero(self) -> bool:
        """Whether the head is an empty node; without a head, whether all nodes are empty nodes."""
        if self.head is not None:
            return isinstance(self.head, tuple)
        return all(isinstance(node, tuple) for node in self.nodes)

    @property
    def order(self) -> tuple[Any, ...]:
        """The sort key for text order: first node, last node, size."""
        places = sorted(map(in_text, self.nodes))
        return places[0], places[-1], len(places)


Side = Sequence[Annotated]  # the mentions of one document


def in_text(node: Node) -> tuple[int, int, int]:
    """Return the sort key of a word or a zero for text order."""
    return (node, 1, 0) if isinstance(node, int) else (node[0], 0, node[1])


def prepared(side: Side, zeros: str, singletons: str) -> list[Annotated]:
    """Return the mentions to be scored."""
    if zeros == "drop":
        side = [mention for mention in side if not mention.is_zero]
    sizes = Counter(mention.entity for mention in side)
    return [m for m in side if singletons == "keep" or sizes[m.entity] > 1]


# Matching


def matched(key: Side, response: Side, method: str, zeros: str) -> Pairs:
    """Match zeros by dependencies if requested, then equal mentions, then others by the method."""
    pairs: Pairs = {}

    def assign(
        similarity: Callable[[Annotated, Annotated], float], only_zeros: bool = False
    ) -> None:
        ours = [i for i, m in enumerate(key) if i not in pairs and (m.is_zero or not only_zeros)]
        taken = set(pairs.values())
        theirs = [
            j for j, m in enumerate(response) if j not in taken and (m.is_zero or not only_zeros)
        ]
        ours.sort(key=lambda i: key[i].order)
        theirs.sort(key=lambda j: response[j].order)
        matrix = np.zeros((len(ours), len(theirs)))
        for row, i in enumerate(ours):
            for column, j in enumerate(theirs):
                matrix[row, column] = similarity(key[i], response[j])
        for row, column in zip(*linear_sum_assignment(matrix, maximize=True), strict=True):
            if matrix[row, column] > 0:
                pairs[ours[row]] = theirs[column]

    if zeros == "dependent":
        assign(by_dependencies, only_zeros=True)
    assign(lambda k, r: float(exact(k, r, method)))
    if method != "exact":
        assign(lambda k, r: overlap(k, r) if MAY_MATCH[method](k, r) else 0.0)
    return pairs


def exact(k: Annotated, r: Annotated, method: str) -> bool:
    """Return whether the nodes are the same, and if heads are compared, also the heads."""
    return k.nodes == r.nodes and (method != "head" or k.head == r.head)


def same_head(k: Annotated, r: Annotated) -> bool:
    """“if their heads correspond to identical tokens”."""
    return k.head is not None and k.head == r.head


def part_with_head(k: Annotated, r: Annotated) -> bool:
    """“the key mention contains all words from the response mention and a key mention head is
    included among the response mention words”."""
    return r.nodes <= k.nodes and k.head in r.nodes


def part_with_minimum(k: Annotated, r: Annotated) -> bool:
    """Return whether the response mention is inside the key mention and contains its minimum."""
    return r.nodes <= k.nodes and bool(k.minimum) and k.minimum <= r.nodes


MAY_MATCH = {"head": same_head, "partial": part_with_head, "min": part_with_minimum}


def overlap(k: Annotated, r: Annotated) -> float:
    """Return the share of the key mention's nodes that the response mention contains."""
    return len(k.nodes & r.nodes) / len(k.nodes)


def by_dependencies(k: Annotated, r: Annotated) -> float:
    """“a weighted sum of two features”, F of parents with relations (10) and of parents (1)."""
    if k.sentence != r.sentence:
        return 0.0
    parents = [frozenset(parent for parent, _ in mention.parents) for mention in (k, r)]
    return 10 * f1(k.parents, r.parents) + f1(*parents)


def f1(one: frozenset[Any], other: frozenset[Any]) -> float:
    shared = len(one & other)
    if not shared:
        return 0.0
    recall, precision = shared / len(one), shared / len(other)
    return 2 * recall * precision / (recall + precision)


# Scores


def mention_overlap(key: Side, response: Side) -> Counts:
    """Count MOR: the most words that a one-to-one assignment shares, and the words of each side."""
    matrix = np.array([[len(k.nodes & r.nodes) for r in response] for k in key]).reshape(
        len(key), len(response)
    )
    best = int(matrix[linear_sum_assignment(matrix, maximize=True)].sum())
    sizes = [sum(len(mention.nodes) for mention in side) for side in (key, response)]
    return tuple(map(Fraction, (best, sizes[0], best, sizes[1])))


def zero_anaphora(key: Side, response: Side, pairs: Pairs) -> Counts:
    """Count the zeros with an antecedent, and those with a correct one."""
    right = wanted = 0
    given = {j for j, m in enumerate(response) if m.is_zero and antecedents(response, j)}
    for i, mention in enumerate(key):
        if not mention.is_zero or not antecedents(key, i):
            continue
        wanted += 1
        j = pairs.get(i)
        if j is None or not antecedents(response, j):
            continue
        given.add(j)
        found = {response[pairs[before]].entity for before in antecedents(key, i) & pairs.keys()}
        right += response[j].entity in found
    return tuple(map(Fraction, (right, wanted, right, len(given))))


def antecedents(side: Side, number: int) -> set[int]:
    """Return the earlier mentions of a mention's entity; equal spans keep the order of the file."""
    mention = side[number]
    return {
        other
        for other, m in enumerate(side)
        if m.entity == mention.entity and (m.order, other) < (mention.order, number)
    }


def brute_scores(
    documents: Sequence[tuple[Side, Side]],
    method: str = "exact",
    zeros: str = "linear",
    singletons: str = "keep",
) -> dict[str, Counts]:
    """Return the counts of `brute`, and of `mor` and `zero`, for pairs of documents."""
    clusters, overlaps, anaphora = [], [], []
    for pair in documents:
        key, response = (prepared(side, zeros, singletons) for side in pair)
        pairs = matched(key, response, method, zeros)
        names = {j: ("key", i) for i, j in pairs.items()}
        clusters.append(
            (
                grouped(key, [("key", i) for i in range(len(key))]),
                grouped(response, [names.get(j, ("response", j)) for j in range(len(response))]),
            )
        )
        overlaps.append(mention_overlap(key, response))
        anaphora.append(zero_anaphora(key, response, pairs))
    result = brute(clusters)
    result["mor"] = tuple(map(sum, zip(*overlaps, strict=True)))
    result["zero"] = tuple(map(sum, zip(*anaphora, strict=True)))
    return result


def grouped(side: Side, names: Sequence[Any]) -> list[list[Any]]:
    found: dict[str, list[Any]] = {}
    for mention, name in zip(side, names, strict=True):
        found.setdefault(mention.entity, []).append(name)
    return list(found.values())
