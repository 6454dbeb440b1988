"""The counts of version 1.2 of the CorefUD scorer where they differ from one-to-one matching.

The scorer keeps a mention of two entities in both, and looks it up in the later one. It also stores
matched mentions of different spans in one dictionary for both sides, so that a key zero and a
response zero at the same position are confused. Then recall, precision and CEAF use different
tables. This module computes all three, for `compat corefud-1.2`; they are equal if there are
neither repeated mentions nor moved zeros.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sameas.arithmetic.arrays import Ints
from sameas.authorities.paper import Authority
from sameas.matching.approximate import align, overlap_columns, pairs_inside, zero_columns
from sameas.matching.matching import Kept, Matching, check_annotation, count_repeated
from sameas.matching.sides import Mentions, Side
from sameas.metrics.contingency import Table, table_of_pairs
from sameas.metrics.standard import STANDARD, Blanc, Columns
from sameas.metrics.statistics import Statistics, measured
from sameas.notes import Side as Role
from sameas.settings import Settings

__all__ = ["AUTHORITY", "BLANC", "COUNTED", "CorefudScorer"]

BLANC = {"corefud-1.2": Blanc(same_without_links=0.0)}
#: Metrics that align entities: their table has every pair of entities that share a mention.
_OF_ENTITIES = frozenset({"ceafm", "ceafe", "ceaf1", "ceaf2"})
#: The scorer's metrics, and those that follow from the same tables; a test lists the others.
COUNTED = _OF_ENTITIES | {"muc", "b3", "blanc", "lea", "mor", "zero", "pairwise", "rand", "ari"}


class CorefudScorer(Authority):
    """Version 1.2 of the CorefUD scorer of the CRAC shared tasks (Žabokrtský et al. 2022)."""

    def unrepeated(self, side: Side, raw: Sequence[Side], role: Role, settings: Settings) -> Side:
        """Keep each mention once per entity."""
        width = int(side.mention.max(initial=0)) + 1
        return side.first_of_each(side.entity * width + side.mention)

    def matched(self, exact: Matching, settings: Settings) -> Matching:
        """Match one to one; if the scorer looks up mentions in another way, store that, too."""
        sides, count = (exact.key, exact.response), exact.mention_count
        notes = [*exact.notes, *check_annotation(settings.match, sides)]
        key, response, lookup = look_up(*sides, settings.match, settings.zeros, count)
        return Matching(exact.names, key, response, 2 * count, notes, lookup)

    def measure(
        self, table: Table, metrics: Sequence[str], matching: Matching | None = None
    ) -> Statistics:
        """Measure the metrics, counting the scorer's own metrics as the scorer does."""
        if matching is None or not isinstance(matching.kept, Lookup):
            return super().measure(table, metrics, matching)
        names = measured(metrics)
        others = super().measure(table, [one for one in names if one not in COUNTED], matching)
        counted = {name: _columns(table, matching.kept, name) for name in COUNTED & set(names)}
        columns = {**others.columns, **counted}
        return replace(others, columns={name: columns[name] for name in names})

    def sees_whole_corpus(self, matching: Matching) -> bool:
        """Return whether a mention is in two entities, whose order depends on the whole corpus."""
        return matching.kept is not None and any(map(count_repeated, matching.kept.sides))

    def is_one_to_one(self, matching: Matching) -> bool:
        """Return whether the scorer finds the same mentions in both directions."""
        return matching.kept is None


AUTHORITY = CorefudScorer


def _columns(table: Table, lookup: Lookup, name: str) -> Columns:
    """Return a metric's columns: recall from the key's mentions, precision from the response's."""
    if name == "mor":
        return overlap_columns(lookup.key, lookup.response, len(table.documents))
    if name == "zero":
        return zero_columns(lookup.key, lookup.response, len(table.documents), lookup.aligned)

    def measured_of(i: Ints, j: Ints) -> Columns:
        pairs = table_of_pairs(table.documents, lookup.key, lookup.response, i, j)
        return STANDARD[name].measure(pairs)

    if name in _OF_ENTITIES:
        return measured_of(*_members(lookup))
    found = lookup.in_response[lookup.aligned[lookup.key.mention]]
    recall = measured_of(lookup.key.entity, found)
    if len(recall) != 4:  # BLANC and the Rand indices count links once
        return recall
    found = lookup.in_key[lookup.aligned[lookup.response.mention]]
    precision = measured_of(found, lookup.response.entity)
    return (*recall[:2], *precision[2:])


def _members(lookup: Lookup) -> tuple[Ints, Ints]:
    """Return every pair of a key entity and a response entity that share a mention."""
    aligned = lookup.aligned[lookup.key.mention]
    k, r = pairs_inside(aligned, aligned, lookup.response.mention)
    return lookup.key.entity[k], lookup.response.entity[r]


# How a mention of one side is looked up in the other


@dataclass(frozen=True)
class Lookup(Kept):
    """Key and response with repeated mentions, and how a mention of one is looked up in the other.

    `aligned[m]` is the mention that the dictionary gives for mention m, or m itself; `in_key[m]`
    and `in_response[m]` are the last entities that contain m, or -1.
    """

    aligned: Ints
    in_key: Ints
    in_response: Ints


def look_up(
    key: Side, response: Side, method: str, zeros: str, count: int
) -> tuple[Side, Side, Lookup | None]:
    """Match key and response one to one; return them, and the scorer's lookup if it differs.

    A mention may be in several entities of a side.
    """
    repeated = any(map(count_repeated, (key, response)))
    if repeated:
        key, response = _sorted(key), _sorted(response)
    our, their = (side.first_of_each(side.mention) for side in (key, response))
    matched = align(our, their, method, zeros, count)
    moved = (matched.mention < count) & (matched.mention != their.mention)
    ours, theirs = matched.mention[moved], their.mention[moved]
    aligned = np.arange(count)
    aligned[ours] = theirs
    aligned[theirs] = ours  # may overwrite the line above: this is what mixes the sides
    in_key, in_response = np.full(count, -1), np.full(count, -1)
    in_key[key.mention] = key.entity
    in_response[response.mention] = response.entity
    if not repeated and (in_response[ours] < 0).all() and (in_key[theirs] < 0).all():
        return our, matched, None
    return our, matched, Lookup(key, response, aligned, in_key, in_response)


def _sorted(side: Side) -> Side:
    """Return a side with entities numbered in the scorer's order, and mentions sorted by entity."""
    rank = _entity_ranks(side.read)[side.read.entity[side.place]]
    entity = np.unique(rank, return_inverse=True)[1]
    order = np.lexsort((side.place, entity))
    return replace(side.keep(order), entity=entity[order])


def _entity_ranks(read: Mentions) -> Ints:
    """Return the rank of each entity as read: by document, then by the first mention of its id.

    Mentions that start at the same node are sorted by decreasing size, then by their end, then by
    the id of their entity, as text. An id means one entity in the whole file, even though its
    mentions are scored document by document; in GUM's schema, ids are local to a document.
    """
    ids: list[tuple[int, str]] = []
    home: list[int] = []
    for number, document in enumerate(read.documents):
        local = "GRP" in getattr(document.annotation, "fields", ())
        ids += [(number if local else -1, id) for id in document.entity_ids]
        home += [number] * len(document.entity_ids)
    texts = {id: rank for rank, id in enumerate(sorted({id for _, id in ids}))}
    by_text = np.array([texts[id] for _, id in ids], dtype=np.int64)
    order = np.lexsort((by_text[read.entity], read.stop, -read.size, read.start, read.document))
    first: dict[tuple[int, str], int] = {}
    for entity in read.entity[order].tolist():
        first.setdefault(ids[entity], len(first))
    by_first = np.array([first.get(id, 0) for id in ids], dtype=np.int64)
    ranks = np.empty(len(ids), dtype=np.int64)
    ranks[np.lexsort((by_first, np.array(home, dtype=np.int64)))] = np.arange(len(ids))
    return ranks
