"""The counts of the reference scorer v8.01, document by document, added in the scorer's order.

The papers do not consider duplicates, so their formulas do not cover them. The reference scorer
keeps a repeated key mention in both its entities. It drops a repeated response mention if the key
has it, and keeps it if the key lacks it; each metric then counts in its own way. It also truncates
percentages, so the order in which it adds fractions can show: 2 / 4 is 49.99% when the 2 is a sum
of thirds that falls just short of 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sameas.arithmetic.assignment import assign
from sameas.authorities.paper import Authority
from sameas.matching.matching import Kept, Matching, count_repeated, keep_one
from sameas.matching.sides import Side
from sameas.metrics.contingency import Table, contingency, count_cells
from sameas.metrics.standard import Blanc, Columns, links
from sameas.metrics.statistics import Statistics
from sameas.notes import Side as Role
from sameas.settings import Settings

__all__ = ["AUTHORITY", "BLANC", "ReferenceScorer"]

BLANC = {"conll-8.01": Blanc(key_only=True, f1_of_rates=True, same_without_links=0.0)}
EntityLists = list[list[int]]
Holders = dict[int, list[int]]  # the entities that hold a mention, in order
Row = dict[str, tuple[float, ...]]


class ReferenceScorer(Authority):
    """The reference scorer v8.01 of the CoNLL shared tasks (Pradhan et al. 2014)."""

    reads_as_reference = True
    has_classes = False  # a repeated mention does not belong to a single class

    def unrepeated(self, side: Side, raw: Sequence[Side], role: Role, settings: Settings) -> Side:
        """Keep repeated mentions in the key, and in the response if the key lacks them."""
        if role == "key":
            return side
        again = side.repeats(side.entity)[1]
        return side.drop(again[np.isin(side.mention[again], raw[0].mention)])

    def matched(self, exact: Matching, settings: Settings) -> Matching:
        """Match one to one, and store both sides with their repeated mentions."""
        key, response = (keep_one(side, side.entity) for side in (exact.key, exact.response))
        return replace(exact, key=key, response=response, kept=Kept(exact.key, exact.response))

    def measure(
        self, table: Table, metrics: Sequence[str], matching: Matching | None = None
    ) -> Statistics:
        """Measure the metrics, counting the scorer's own metrics as the scorer does."""
        statistics = super().measure(table, metrics, matching)
        if matching is None or matching.kept is None:
            return statistics
        columns = dict(statistics.columns)
        sides = (_clusters(side, len(matching.names)) for side in matching.kept.sides)
        documents = list(zip(*sides, strict=True))
        rows = [_row(*pair) for pair in documents]
        for name in {"muc", "b3", "ceafm", "ceafe"} & columns.keys():
            columns[name] = tuple(
                np.array([row[name][place] for row in rows], dtype=column.dtype)
                for place, column in enumerate(columns[name])
            )
        if any(map(count_repeated, matching.kept.sides)):
            counts = _links(matching, documents)
            for name in {"blanc", "pairwise"} & columns.keys():
                # The columns after the six link counts are for other versions of BLANC.
                columns[name] = (*counts, *columns[name][6:])
        return Statistics(statistics.documents, columns)

    def is_one_to_one(self, matching: Matching) -> bool:
        """Return whether no mention is repeated."""
        return matching.kept is None or not any(map(count_repeated, matching.kept.sides))


AUTHORITY = ReferenceScorer


def _clusters(side: Side, documents: int) -> list[EntityLists]:
    clusters: list[dict[int, list[int]]] = [{} for _ in range(documents)]
    columns = (side.document.tolist(), side.entity.tolist(), side.mention.tolist())
    for document, entity, mention in zip(*columns, strict=True):
        clusters[document].setdefault(entity, []).append(mention)
    return [[members[entity] for entity in sorted(members)] for members in clusters]


def _holders(clusters: EntityLists) -> Holders:
    holders: Holders = {}
    for number, entity in enumerate(clusters):
        for mention in entity:
            holders.setdefault(mention, []).append(number)
    return holders


def _row(key: EntityLists, response: EntityLists) -> Row:
    """Return the counts of the metrics in one document."""
    key_size, response_size = sum(map(len, key)), sum(map(len, response))
    # The key entity of a mention is the last one that holds it.
    home = {mention: entities[-1] for mention, entities in _holders(key).items()}
    members = [set(entity) for entity in key]
    right, recall, precision = 0, 0.0, 0.0
    for entity in response:
        homes = [home[mention] for mention in entity if mention in home]
        common = {number: sum(map(members[number].__contains__, entity)) for number in set(homes)}
        right += len(homes) - len(common)
        for number in homes:
            recall += common[number] / len(key[number])
            precision += common[number] / len(entity)

    # CEAF counts a mention that occurs twice in the same key entity as two.
    holders = _holders(response)
    cells = [
        (number, other)
        for number, entity in enumerate(key)
        for mention in entity
        for other in set(holders.get(mention, ()))
    ]
    i, j, n = count_cells(*np.array(cells, dtype=np.int64).reshape(-1, 2).T)
    mentions = int(n[assign(i, j, n)].sum())
    k, r = (np.array(list(map(len, side)), dtype=np.int64) for side in (key, response))
    similarity = 2 * n / (k[i] + r[j])
    # The scorer minimises the sum of 1 − φ, and adds 1 − (1 − φ).
    entities = 0.0
    for part in (1 - (1 - similarity[assign(i, j, similarity)])).tolist():
        entities += part  # not `sum`, which rounds only once since Python 3.12
    return {
        "muc": (right, key_size - len(key), right, response_size - len(response)),
        "b3": (recall, key_size, precision, response_size),
        "ceafm": (mentions, key_size, mentions, response_size),
        "ceafe": (entities, len(key), entities, len(response)),
    }


def _links(matching: Matching, documents: Sequence[tuple[EntityLists, EntityLists]]) -> Columns:
    """Count coreference links: on both sides, in the key, in the response.

    The counts of non-coreference links follow in the same order. Links between mentions that occur
    once per side are counted by formula; only those of repeated mentions are enumerated.
    """
    assert matching.kept is not None
    times = [
        np.bincount(side.mention, minlength=matching.mention_count) for side in matching.kept.sides
    ]
    once = (times[0] < 2) & (times[1] < 2)
    key, response = (side.keep(once[side.mention]) for side in matching.kept.sides)
    plain = links(contingency(replace(matching, key=key, response=response)))
    repeated = np.array([_repeated_links(*map(_holders, pair)) for pair in documents])
    return tuple(repeated.T + plain[:6])


def _repeated_links(key: Holders, response: Holders) -> list[int]:
    """Count the links of mentions that are repeated on a side.

    Such a mention is linked to itself, and its link to another mention may be of both classes.
    """
    counts = [0] * 6
    repeated = {mention for side in (key, response) for mention in side if len(side[mention]) > 1}
    done: set[int] = set()
    for one in sorted(repeated):
        done.add(one)
        for other in key.keys() | response.keys():
            if other in done and other != one:
                continue
            pairs = [(side.get(one, []), side.get(other, [])) for side in (key, response)]
            for place, linked in ((0, _coreferent), (3, _apart)):
                ours, theirs = (linked(*pair) for pair in pairs)
                counts[place] += ours and theirs
                counts[place + 1] += ours
                counts[place + 2] += theirs
    return counts


def _coreferent(one: list[int], other: list[int]) -> bool:
    """Return whether one entity holds both mentions, or holds the same mention twice."""
    return len(set(one)) < len(one) if one is other else not set(one).isdisjoint(other)


def _apart(one: list[int], other: list[int]) -> bool:
    """Return whether the mentions are in two different entities."""
    return bool(one) and bool(other) and len({*one, *other}) > 1
