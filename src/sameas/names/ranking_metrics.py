"""The contribution of one name to the metrics of ranked transliterations."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain, groupby, repeat
from typing import NamedTuple

from sameas.errors import UsageError
from sameas.names.options import Ranking
from sameas.names.same_names import SameNames, WantedName
from sameas.names.units import graphemes

__all__ = ["RankedName", "score_name"]

# For each group of tied candidates, which are in random order: its size, and how many of them are
# references.
_Groups = Sequence[tuple[int, int]]


class RankedName(NamedTuple):
    """The contribution of one name to the metrics."""

    candidates: tuple[str, ...]
    rank: int
    numbers: tuple[float, float, float, float, float]  # f, mrr, map_ref, errors, letters
    at: list[float]  # probability that a reference is among the first 1, 2, … candidates


def score_name(
    wanted: WantedName,
    given: Sequence[tuple[str, float | None]],
    same: SameNames,
    settings: Ranking,
    tally: Counter[str],
) -> RankedName:
    """Rank the candidates of one name, and return its contribution to each metric."""
    most, ties = settings.most, settings.ties
    scores = [score for _, score in given if score is not None]
    descending = scores == sorted(scores, reverse=True)
    if ties == "expected":
        if len(scores) < len(given):
            raise UsageError("ties-need-scores", source=wanted.source)
        if not descending:
            given = sorted(given, key=lambda one: -(one[1] or 0.0))
    tally["unsorted"] += not descending
    ranked: dict[str, tuple[str, float | None]] = {}
    for one in given:
        ranked.setdefault(same.key(one[0]), one)
    tally["candidates-again"] += len(given) - len(ranked)
    tally["cut"] += len(ranked) > most
    if ties == "order" and len(ranked) > most:
        ranked = dict(list(ranked.items())[:most])
    keys = list(ranked)
    rank = next((n for n, key in enumerate(keys, start=1) if key in wanted.references), 0)
    if ties == "order":
        # Later candidates do not change any metric.
        together = [[key] for key in keys[: max(rank, len(wanted.references))]]
    else:
        together = [list(tied) for _, tied in groupby(ranked, key=lambda key: ranked[key][1])]
        tally["tied"] += len(together) < len(keys)
    groups = [(len(tied), sum(key in wanted.references for key in tied)) for tied in together]
    at, reciprocal = _first_right(groups, min(len(keys), most), most)
    f, errors, letters = _closest(together[0] if together else [""], wanted.references)
    precision = _precision(groups, len(wanted.references), most)
    shown = tuple(text.strip() for text, _ in ranked.values())[:most]
    return RankedName(
        shown, rank if rank <= most else 0, (f, reciprocal, precision, errors, letters), at
    )


def _first_right(groups: _Groups, length: int, most: int) -> tuple[list[float], float]:
    """Return P(a reference is among the first k candidates) for k = 1, 2, …, and the mean 1 / rank.

    If c of g candidates in random order are right, the first m are all wrong in C(g−m, c) of
    C(g, c) cases, and the first right one is at rank j in C(g−j, c−1) of them.
    """
    before = 0
    for size, right in groups:
        if right:
            break
        before += size
    else:
        return [0.0] * length, 0.0
    ways = math.comb(size, right)
    at = [
        1 - math.comb(size - min(max(k - before, 0), size), right) / ways
        for k in range(1, length + 1)
    ]
    reciprocal = math.fsum(
        math.comb(size - position, right - 1) / ways / (before + position)
        for position in range(1, min(size - right + 1, most - before) + 1)
    )
    return at, reciprocal


def _precision(groups: _Groups, references: int, most: int) -> float:
    """Return the mean precision of the first k candidates, for k from 1 to `references`.

    In a group in random order, every position is right with the same probability.
    """
    probabilities = [right / size for size, right in groups for _ in range(size)][:most]
    total = found = 0.0
    for k, right in zip(range(1, references + 1), chain(probabilities, repeat(0.0)), strict=False):
        found += right
        total += found / k
    return total / references


def _closest(keys: Sequence[str], references: Mapping[str, str]) -> tuple[float, float, float]:
    """Return F, edits and reference length for the first candidate and its closest reference.

    If several candidates are tied for the first rank, the results are means over them.
    """
    numbers = []
    for key in keys:
        units = graphemes(key)
        if key in references:
            numbers.append((1.0, 0, len(units)))
            continue
        others = list(map(graphemes, references))
        found = [(len(other), *_compared(units, other)) for other in others]
        sums = [(len(units) + letters, 2 * common) for letters, common, _ in found]
        _, share = min((both - shared, -shared / both) for both, shared in sums)
        edits, letters = min((edits, -letters) for letters, _, edits in found)
        numbers.append((-share, edits, -letters))
    share, errors, length = (math.fsum(column) / len(keys) for column in zip(*numbers, strict=True))
    return share, errors, length


def _compared(one: Sequence[str], two: Sequence[str]) -> tuple[int, int]:
    """Return the length of the longest common subsequence, and the Levenshtein distance.

    A column of the dynamic-programming table is stored as differences between rows, one bit per row
    (Myers 1999; Hyyrö 2004, "Bit-parallel LCS-length computation revisited"). `common` has a 0
    where the subsequence grows; `up` has a 1 where the distance grows, and `down` where it falls.
    """
    masks: dict[str, int] = defaultdict(int)
    for position, unit in enumerate(one):
        masks[unit] |= 1 << position
    common = up = every = (1 << len(one)) - 1
    down = 0
    for unit in two:
        equal = masks.get(unit, 0)
        shared = common & equal
        common = ((common + shared) | (common - shared)) & every
        level = equal | down
        along = (((equal & up) + up) ^ up) | equal
        grows = ((down | ~(along | up)) << 1) | 1
        falls = (up & along) << 1
        up = (falls | ~(level | grows)) & every
        down = grows & level & every
    return len(one) - common.bit_count(), len(two) + up.bit_count() - down.bit_count()
