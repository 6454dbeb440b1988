"""The counts of the CorefUD scorer 1.2, where they are not those of a one-to-one matching.

That scorer keeps a mention that stands in two entities in both, and looks it up in the later one;
and it keeps the pairs of mentions that are not at the same place in one dictionary for both sides,
so that a key zero and a response zero at one place are taken for each other. Then recall, precision
and CEAF see different tables. Here are the three of them, for `compat corefud-1.2`; without
repeated mentions and moved zeros they are one.
"""

from __future__ import annotations

import numpy as np

from sameas.coref.approximate import in_order, overlap_columns
from sameas.coref.contingency import Contingency
from sameas.coref.document import Ints, Numbers
from sameas.coref.lookup import Lookup
from sameas.coref.metrics import STANDARD

__all__ = ["COREFUD", "corefud_columns"]

#: The metrics that it counts, and those that follow from the same tables.
COREFUD = frozenset(
    {"muc", "b3", "ceafm", "ceafe", "ceaf1", "ceaf2", "blanc", "lea", "mor", "zero"}
    | {"pairwise", "rand", "ari"}
)

Columns = tuple[Numbers, ...]


def corefud_columns(table: Contingency, lookup: Lookup, name: str) -> Columns:
    """A metric's columns: recall from the key's mentions, precision from the response's."""
    if name == "mor":
        return overlap_columns(lookup.key, lookup.response, len(table.documents))
    if name == "zero":
        return _zeros(lookup, len(table.documents))
    measure = STANDARD[name].measure
    by_key = _table(table, lookup, lookup.key.entity,
                    lookup.in_response[lookup.aligned[lookup.key.mention]])  # fmt: skip
    if name in ("ceafm", "ceafe", "ceaf1", "ceaf2"):
        return measure(_table(table, lookup, *_members(lookup)))
    recall = measure(by_key)
    if len(recall) != 4:  # BLANC and its kin count links once
        return recall
    found = lookup.in_key[lookup.aligned[lookup.response.mention]]
    precision = measure(_table(table, lookup, found, lookup.response.entity))
    return (*recall[:2], *precision[2:])


def _members(lookup: Lookup) -> tuple[Ints, Ints]:
    """Every pair of a key entity and a response entity that has one of its mentions."""
    theirs = lookup.response
    order = np.argsort(theirs.mention, kind="stable")
    wanted = lookup.aligned[lookup.key.mention]
    low = np.searchsorted(theirs.mention[order], wanted, "left")
    sizes = np.searchsorted(theirs.mention[order], wanted, "right") - low
    within = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.repeat(lookup.key.entity, sizes), theirs.entity[order[np.repeat(low, sizes) + within]]


def _table(table: Contingency, lookup: Lookup, i: Ints, j: Ints) -> Contingency:
    """The table of these pairs of entities, negative numbers aside."""
    k, r = np.bincount(lookup.key.entity), np.bincount(lookup.response.entity)
    both = (i >= 0) & (j >= 0)
    width = max(len(r), 1)
    cells, n = np.unique(i[both] * width + j[both], return_counts=True)
    k_document, r_document = np.zeros(len(k), np.int64), np.zeros(len(r), np.int64)
    k_document[lookup.key.entity] = lookup.key.document
    r_document[lookup.response.entity] = lookup.response.document
    return Contingency(
        table.documents, cells // width, cells % width, n.astype(np.int64),
        k.astype(np.int64), r.astype(np.int64), k_document, r_document,
    )  # fmt: skip


def _zeros(lookup: Lookup, count: int) -> Columns:
    """The anaphor-decomposable score: the mention at the same place is looked up first."""
    key, response = lookup.key, lookup.response
    right, wanted, given = (np.zeros(count, dtype=np.int64) for _ in range(3))
    k_zero, r_zero = (side.read.is_zero[side.place] for side in (key, response))
    firsts = {
        int(response.mention[members[0]])
        for members in in_order(response, np.unique(response.entity))
    }
    covered: set[int] = set()
    for members in in_order(key, np.unique(key.entity[k_zero])):
        before: set[int] = set()
        for number, place in enumerate(members):
            mention = int(key.mention[place])
            theirs = mention if lookup.in_response[mention] >= 0 else int(lookup.aligned[mention])
            entity = int(lookup.in_response[theirs])
            if number and k_zero[place]:
                document = int(key.document[place])
                wanted[document] += 1
                if entity >= 0:
                    covered.add(theirs)
                    if theirs not in firsts:
                        given[document] += 1
                        right[document] += entity in before
            if entity >= 0:
                before.add(entity)
    for place in np.flatnonzero(r_zero).tolist():
        mention = int(response.mention[place])
        given[int(response.document[place])] += mention not in firsts and mention not in covered
    return right, wanted, right, given
