"""Match mentions with different spans: by head, partial span or minimum span; zeros by syntax.

Matching is always one to one. Mentions without an exact match are paired if they may match. Each
pair gets a similarity, and the assignment with the largest total similarity is chosen document by
document (`assign_in_order`, with mentions sorted by their first node, last node and size). This is
what version 1.2 of the CorefUD scorer does, and ties are broken in the same way.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

import numpy as np

from sameas.arithmetic.arrays import Bools, Ints, Numbers
from sameas.arithmetic.assignment import assign, assign_in_order
from sameas.arithmetic.quotients import sum_places
from sameas.arithmetic.scores import harmonic, ratio
from sameas.documents.document import join_columns
from sameas.matching.sides import Mentions, Side, contains, marked, overlaps

__all__ = ["align", "overlap_columns", "pairs_inside", "zero_columns"]

_Links = frozenset[tuple[str, str]]  # parents and relations


def align(key: Side, response: Side, method: str, zeros: str, count: int) -> Side:
    """Return the response, renumbered: matched mentions get the numbers of their key mentions.

    If `zeros` is `dependent`, zeros are matched with zeros first. Mentions with the same span are
    matched next, then the rest by `method`. Unmatched mentions get numbers from `count` on.
    """
    k_free = np.ones(len(key.mention), dtype=np.bool_)
    r_free = np.ones(len(response.mention), dtype=np.bool_)
    matched = np.full(len(response.mention), -1, dtype=np.int64)

    def take(k: Ints, r: Ints) -> None:
        matched[r] = key.mention[k]
        k_free[k], r_free[r] = False, False

    if zeros == "dependent":
        take(*_by_dependencies(key, response))
    home = np.full(count, -1, dtype=np.int64)
    home[key.mention[k_free]] = np.flatnonzero(k_free)
    twin = np.where(r_free, home[response.mention], -1)
    take(twin[twin >= 0], np.flatnonzero(twin >= 0))
    if method != "exact":
        take(*_by_similarity(key, response, k_free, r_free, method))
    alone = matched < 0
    matched[alone] = count + np.arange(int(alone.sum()))
    return replace(response, mention=matched)


def _by_dependencies(key: Side, response: Side) -> tuple[Ints, Ints]:
    """Match zeros in the same sentence by the agreement of their parents and relations."""
    ours, theirs = (np.flatnonzero(side.read.is_zero[side.place]) for side in (key, response))
    sentences: dict[tuple[int, int], list[tuple[int, _Links]]] = {}
    for r in theirs.tolist():
        sentence, found = response.read.dependencies(int(response.place[r]))
        sentences.setdefault((int(response.document[r]), sentence), []).append((r, found))
    pairs: list[tuple[int, int, float]] = []
    for k in ours.tolist():
        sentence, parents = key.read.dependencies(int(key.place[k]))
        for r, found in sentences.get((int(key.document[k]), sentence), ()):
            similarity = 10 * _agreement(parents, found) + _agreement(
                {parent for parent, _ in parents}, {parent for parent, _ in found}
            )
            if similarity:
                pairs.append((k, r, similarity))
    columns = np.array(pairs).reshape(-1, 3)
    k, r = columns[:, :2].T.astype(np.int64)
    return _assign(key, response, ours, theirs, k, r, columns[:, 2])


def _agreement(ours: _Links | set[str], theirs: _Links | set[str]) -> float:
    """Return the F1 of two sets."""
    shared = len(ours & theirs)
    return float(harmonic(ratio(shared, len(ours)), ratio(shared, len(theirs))))


def _by_similarity(
    key: Side, response: Side, k_free: Bools, r_free: Bools, method: str
) -> tuple[Ints, Ints]:
    ours, theirs = np.flatnonzero(k_free), np.flatnonzero(r_free)
    if method == "head":
        offsets = _offsets(key, response, heads=True)
        # Mentions without a head get numbers that do not occur on the other side.
        starts = stops = _heads(key, ours, offsets, missing=-1)
        points = _heads(response, theirs, offsets, missing=-2)
    else:
        offsets = _offsets(key, response)
        starts, stops = _through(key, ours, offsets)
        points, _ = _through(response, theirs, offsets)
    k, r = pairs_inside(starts, stops, points)
    k, r = ours[k], theirs[r]
    k_place, r_place = key.place[k], response.place[r]
    shared = overlaps(key.read, response.read, k_place, r_place)
    if method == "head":
        may = shared > 0
    else:
        may = shared == response.read.size[r_place]  # nothing beyond the key mention
        may[may] = _has(key.read, response.read, k_place[may], r_place[may], method)
    k, r, shared = k[may], r[may], shared[may]
    similarity = shared / key.read.size[key.place[k]]
    return _assign(key, response, ours, theirs, k, r, similarity)


def _has(key: Mentions, response: Mentions, k: Ints, r: Ints, method: str) -> Bools:
    """Return, per pair, whether the response mention has the key mention's head or minimum span."""
    if method == "partial":
        heads = key.heads[k]
        return (heads >= 0) & contains(response, r, heads)
    minima = [key.minimum(one) for one in k.tolist()]
    sizes = np.array(list(map(len, minima)), dtype=np.int64)
    pair = np.repeat(np.arange(len(k)), sizes)
    nodes = np.fromiter(chain.from_iterable(minima), dtype=np.int64)
    incomplete = marked(len(k), pair[~contains(response, r[pair], nodes)])
    return (sizes > 0) & ~incomplete


def _offsets(key: Side, response: Side, heads: bool = False) -> Ints:
    """Return the offset of each document's nodes in a numbering of the whole corpus."""
    extent = np.zeros(len(key.read.documents), dtype=np.int64)
    for read in (key.read, response.read):
        np.maximum.at(extent, read.document, read.stop + 1)
        if heads:
            np.maximum.at(extent, read.document, read.heads + 1)
    return np.cumsum(extent) - extent


def _heads(side: Side, which: Ints, offsets: Ints, missing: int) -> Ints:
    """Return the heads, numbered over the corpus; `missing` for mentions without one."""
    place = side.place[which]
    heads = side.read.heads[place]
    return np.where(heads < 0, missing, offsets[side.read.document[place]] + heads)


def _through(side: Side, which: Ints, offsets: Ints) -> tuple[Ints, Ints]:
    """Return the first and last nodes of mentions, numbered over the corpus."""
    place = side.place[which]
    before = offsets[side.read.document[place]]
    return before + side.read.start[place], before + side.read.stop[place]


def pairs_inside(starts: Ints, stops: Ints, points: Ints) -> tuple[Ints, Ints]:
    """Return the indices of ranges and of points, for all pairs of a range and a point in it.

    Range a is from `starts[a]` to `stops[a]`, inclusive.

    >>> [part.tolist() for part in pairs_inside(*map(np.array, ([2, 5], [3, 5], [3, 5, 2])))]
    [[0, 0, 1], [2, 0, 1]]
    """
    order = np.argsort(points, kind="stable")
    low = np.searchsorted(points[order], starts, "left")
    high = np.maximum(np.searchsorted(points[order], stops, "right"), low)
    sizes = high - low
    ranges = np.repeat(np.arange(len(starts)), sizes)
    within = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return ranges, order[low[ranges] + within]


def _assign(
    key: Side, response: Side, ours: Ints, theirs: Ints, k: Ints, r: Ints, similarity: Numbers
) -> tuple[Ints, Ints]:
    """Return the best assignment of the free mentions of each document, as indices on each side."""
    if not k.size:
        return k, r
    k_order, k_rank, k_count = _ranks(key, ours)
    r_order, r_rank, r_count = _ranks(response, theirs)
    cells: dict[int, dict[int, dict[int, float]]] = {}
    columns = (key.document[k], k_rank[k], r_rank[r], similarity)
    for document, i, j, value in zip(*(column.tolist() for column in columns), strict=True):
        cells.setdefault(document, {}).setdefault(i, {})[j] = value
    k_start, r_start = np.cumsum(k_count) - k_count, np.cumsum(r_count) - r_count
    pairs = [
        (int(k_start[document]) + i, int(r_start[document]) + j)
        for document, rows in cells.items()
        for i, j in assign_in_order(int(k_count[document]), int(r_count[document]), rows)
    ]
    found = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return k_order[found[:, 0]], r_order[found[:, 1]]


def _ranks(side: Side, which: Ints) -> tuple[Ints, Ints, Ints]:
    """Return mentions in text order, the rank of each in its document, and counts per document."""
    read, place = side.read, side.place[which]
    keys = _in_text(side, place)
    if read.special:  # break further ties by nodes
        keys.insert(0, read.shape[place])
    order = which[np.lexsort(keys)]
    count = np.bincount(read.document[place], minlength=len(read.documents))
    rank = np.full(len(side.mention), -1, dtype=np.int64)
    rank[order] = np.arange(len(order)) - np.repeat(np.cumsum(count) - count, count)
    return order, rank, count


def _in_text(side: Side, place: Ints) -> list[Ints]:
    """Return sort keys that put mentions in text order; the last key is the primary one."""
    read = side.read
    return [read.size[place], read.stop[place], read.start[place], read.document[place]]


def overlap_columns(key: Side, response: Side, count: int) -> tuple[Numbers, ...]:
    """Count words for the mention overlap ratio (Žabokrtský et al. 2022).

    Mentions are assigned one to one so that they share as many words as possible, whatever the
    matching method. Recall divides the shared words by the words in key mentions, precision by
    those in response mentions. `count` is the number of documents.
    """
    every = np.arange(len(key.mention)), np.arange(len(response.mention))
    offsets = _offsets(key, response)
    k_start, k_stop = _through(key, every[0], offsets)
    r_start, r_stop = _through(response, every[1], offsets)
    k, r = pairs_inside(k_start, k_stop, r_start)
    r_more, k_more = pairs_inside(r_start + 1, r_stop, k_start)
    k, r = join_columns([k, k_more]), join_columns([r, r_more])
    shared = overlaps(key.read, response.read, key.place[k], response.place[r])
    k, r, shared = k[shared > 0], r[shared > 0], shared[shared > 0]
    cells = assign(k, r, shared)
    best = sum_places(shared[cells], key.document[k[cells]], count)
    words = [sum_places(s.read.size[s.place], s.document, count) for s in (key, response)]
    return best, words[0], best, words[1]


def zero_columns(
    key: Side, response: Side, count: int, aligned: Ints | None = None
) -> tuple[Numbers, ...]:
    """Count zeros for the anaphor-decomposable score (Žabokrtský et al. 2022).

    Consider a key zero that is not the first mention of its entity, and the response mention that
    matches it. The zero is resolved if the response mention is not the first of its entity either,
    and its entity contains a response mention that matches an earlier mention of the key entity.
    Recall divides by the number of zeros in the key, and precision by the number of response
    mentions that match such a zero, plus the other zeros of the response. First mentions do not
    count. `aligned` maps each mention that the response lacks to the one to look up instead.
    """
    right, total, given = (np.zeros(count, dtype=np.int64) for _ in range(3))
    k_zero, r_zero = (side.read.is_zero[side.place] for side in (key, response))
    if not k_zero.any() and not r_zero.any():
        return right, total, right, given
    mentions = response.mention.tolist()
    entity_of = dict(zip(mentions, response.entity.tolist(), strict=True))
    firsts = {mentions[members[0]] for members in _in_order(response, np.unique(response.entity))}
    covered: set[int] = set()
    for members in _in_order(key, np.unique(key.entity[k_zero])):
        before: set[int | None] = set()
        for number, place in enumerate(members):
            mention = int(key.mention[place])
            if aligned is not None and mention not in entity_of:
                mention = int(aligned[mention])
            entity = entity_of.get(mention)
            if number and k_zero[place]:
                document = int(key.document[place])
                total[document] += 1
                if entity is not None:
                    covered.add(mention)
                    if mention not in firsts:
                        given[document] += 1
                        right[document] += entity in before
            before.add(entity)
    for place in np.flatnonzero(r_zero).tolist():
        if mentions[place] not in firsts and mentions[place] not in covered:
            given[int(response.document[place])] += 1
    return right, total, right, given


def _in_order(side: Side, entities: Ints) -> list[list[int]]:
    """Return the mentions of each of these entities, in text order."""
    order = np.lexsort([*_in_text(side, side.place), side.entity])
    low = np.searchsorted(side.entity[order], entities, "left")
    high = np.searchsorted(side.entity[order], entities, "right")
    return [order[a:b].tolist() for a, b in zip(low.tolist(), high.tolist(), strict=True)]
