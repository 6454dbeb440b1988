"""The counts of the reference scorer v8.01, document by document, added up in its own order.

The papers have no duplicates, so their formulas say nothing of them. The reference scorer keeps a
key mention that comes twice in both its entities, drops a response mention that comes again if the
key has it, and keeps it if the key lacks it; each metric then counts in its own way. It also cuts
percentages off, so that the order in which it adds fractions can show: 2 / 4 is 49.99% where its
sum of thirds fell short of 2.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from sameas.coref.assignment import assign
from sameas.coref.document import Ints
from sameas.coref.sides import Side

__all__ = ["reference_rows"]

Clusters = list[list[int]]
Row = dict[str, tuple[float, ...]]


def reference_rows(key: Side, response: Side, documents: int) -> Iterator[Row]:
    """For each document, the columns of every metric of the scorer."""
    ours, theirs = _clusters(key, documents), _clusters(response, documents)
    return (_row(*pair) for pair in zip(ours, theirs, strict=True))


def _clusters(side: Side, documents: int) -> list[Clusters]:
    clusters: list[dict[int, list[int]]] = [{} for _ in range(documents)]
    columns = (side.document.tolist(), side.entity.tolist(), side.mention.tolist())
    for document, entity, mention in zip(*columns, strict=True):
        clusters[document].setdefault(entity, []).append(mention)
    return [[members[entity] for entity in sorted(members)] for members in clusters]


def _row(key: Clusters, response: Clusters) -> Row:
    key_mentions = {mention for entity in key for mention in entity}
    response_mentions = {mention for entity in response for mention in entity}
    exact = len(key_mentions & response_mentions)
    key_size, response_size = sum(map(len, key)), sum(map(len, response))
    row: Row = {"mention": (exact, len(key_mentions), exact, len(response_mentions))}

    # The key entity of a mention is the last one that holds it.
    home = {mention: number for number, entity in enumerate(key) for mention in entity}
    members = [set(entity) for entity in key]
    links, recall, precision = 0, 0.0, 0.0
    for entity in response:
        homes = [home[mention] for mention in entity if mention in home]
        common = {number: sum(map(members[number].__contains__, entity)) for number in set(homes)}
        links += len(homes) - len(common)
        for number in homes:
            recall += common[number] / len(key[number])
            precision += common[number] / len(entity)
    row["muc"] = (links, key_size - len(key), links, response_size - len(response))
    row["b3"] = (recall, key_size, precision, response_size)

    # CEAF counts a mention that an entity of the key holds twice as two.
    cells: Counter[tuple[int, int]] = Counter()
    holders: dict[int, set[int]] = defaultdict(set)
    for number, entity in enumerate(response):
        for mention in entity:
            holders[mention].add(number)
    for number, entity in enumerate(key):
        for mention in entity:
            for other in holders.get(mention, ()):
                cells[number, other] += 1
    places = sorted(cells)
    i = np.array([place[0] for place in places], dtype=np.int64)
    j = np.array([place[1] for place in places], dtype=np.int64)
    n = np.array([cells[place] for place in places], dtype=np.int64)
    mentions = int(n[assign(i, j, n)].sum())
    row["ceafm"] = (mentions, key_size, mentions, response_size)
    sizes = np.array([len(key[a]) + len(response[b]) for a, b in places], dtype=np.int64)
    similarity = 2 * n / sizes
    # The scorer looks for the least of 1 − φ and adds up what that leaves of 1.
    entities = 0.0
    for part in (1 - (1 - similarity[assign(i, j, similarity)])).tolist():
        entities += part  # not `sum`, which since Python 3.12 rounds only once
    row["ceafe"] = (entities, len(key), entities, len(response))

    row["links"] = _links(key, response)
    return row


def _links(key: Clusters, response: Clusters) -> tuple[int, ...]:
    """The sets of links: in both sides, in the key, in the response; coreference, then the others.

    A mention that comes twice is linked to itself, and may be linked to another mention both ways.
    Links between mentions that come once a side are counted by formula; only those of repeated
    mentions are looked at one by one.
    """
    sides = [_Memberships(key), _Memberships(response)]
    repeated = sides[0].repeated | sides[1].repeated
    counts = [0] * 6
    for number, side in enumerate(sides):
        sizes = Counter(
            next(iter(entities))
            for mention, entities in side.entities.items()
            if mention not in repeated
        )
        within = sum(size * (size - 1) // 2 for size in sizes.values())
        total = sum(sizes.values())
        counts[1 + number] += within
        counts[4 + number] += total * (total - 1) // 2 - within
    cells: Counter[tuple[int, int]] = Counter()
    rows: Counter[int] = Counter()
    columns: Counter[int] = Counter()
    for mention, entities in sides[0].entities.items():
        if mention not in repeated and mention in sides[1].entities:
            a, b = next(iter(entities)), next(iter(sides[1].entities[mention]))
            cells[a, b] += 1
            rows[a] += 1
            columns[b] += 1
    both, in_key, in_response, every = (
        sum(size * (size - 1) // 2 for size in sizes)
        for sizes in (cells.values(), rows.values(), columns.values(), [sum(cells.values())])
    )
    counts[0] += both
    counts[3] += every - in_key - in_response + both

    mentions = sides[0].entities.keys() | sides[1].entities.keys()
    done: set[int] = set()
    for one in sorted(repeated):
        done.add(one)
        for other in mentions:
            if other in done and other != one:
                continue
            coref = [side.coreferent(one, other) for side in sides]
            apart = [side.apart(one, other) for side in sides]
            counts[0] += coref[0] and coref[1]
            counts[1] += coref[0]
            counts[2] += coref[1]
            counts[3] += apart[0] and apart[1]
            counts[4] += apart[0]
            counts[5] += apart[1]
    return tuple(counts)


class _Memberships:
    """Which entities of one side hold a mention, and which mentions come more than once."""

    def __init__(self, clusters: Sequence[Sequence[int]]) -> None:
        self.entities: dict[int, set[int]] = defaultdict(set)
        self.twice_in_one: set[int] = set()
        for number, entity in enumerate(clusters):
            for mention in entity:
                if number in self.entities[mention]:
                    self.twice_in_one.add(mention)
                self.entities[mention].add(number)
        self.entities = dict(self.entities)
        self.repeated = self.twice_in_one | {
            mention for mention, entities in self.entities.items() if len(entities) > 1
        }

    def coreferent(self, one: int, other: int) -> bool:
        """Whether an entity holds both."""
        if one == other:
            return one in self.twice_in_one
        return not self.entities.get(one, set()).isdisjoint(self.entities.get(other, set()))

    def apart(self, one: int, other: int) -> bool:
        """Whether two different entities hold one each."""
        ours, theirs = self.entities.get(one, set()), self.entities.get(other, set())
        return bool(ours) and bool(theirs) and len(ours | theirs) > 1


def as_columns(row: Row, name: str, columns: Sequence[Ints]) -> tuple[float, ...]:
    """The row's numbers in the place of a metric's columns."""
    if name in ("blanc", "pairwise"):
        # Only the six link counts differ; what follows them is for other versions of BLANC.
        return (*row["links"], *(column.item() for column in columns[6:]))
    return row[name]
