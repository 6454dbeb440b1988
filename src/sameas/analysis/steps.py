"""Find the steps that turn the response into the key.

There are seven kinds of errors, after Kummerfeld & Klein (2013); each error is a step on the way
from the response to the key. Mentions are matched as in the scoring. Then, in this order:

- span: an unmatched response mention gets the words of an unmatched key mention with the same
  head;
- conflated: a response entity with mentions of several key entities is split;
- extra mention: a mention that the key lacks is removed from an entity; extra entity: an entity
  without any key mention is removed;
- divided: parts of one key entity in several response entities are merged;
- missing mention: a key mention is added to its entity; missing entity: a key entity none of
  whose mentions were found is added.

Each error is one of these steps, and any set of them can be repaired. A response entity falls into
parts, one per key entity. Its largest part (if tied, the first in the text) stays in place when
other parts are split off. Extra mentions stay with the largest part, even when it is merged with
another. Divided parts join the largest part of their key entity, which missing mentions join too.
So repairing nothing gives the response, and repairing everything gives the key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sameas.analysis.described import Scored
from sameas.analysis.findings import KINDS
from sameas.arithmetic.arrays import Bools, Ints
from sameas.matching.sides import Side, marked, shared_words

__all__ = ["Parts", "Steps"]


@dataclass(frozen=True)
class Parts:
    """The parts into which key entities cut response entities; span errors count as matched."""

    home: Ints  # the response entity of each part
    target: Ints  # the key entity of each part
    size: Ints
    main: Ints  # the largest part of each response entity, -1 if it has none
    anchor: Ints  # the largest part of each key entity, -1 if it has none
    of_row: Ints  # the part of each response row, -1 if it has none


class Steps:
    """The steps from a response to its key, and the response as it is after some of these steps."""

    def __init__(self, key: Scored, response: Scored) -> None:
        self.key, self.response = key, response

    @cached_property
    def matched(self) -> Ints:
        """The key row that each response row matches, or -1."""
        key, response = self.key.side, self.response.side
        count = max(int(side.mention.max(initial=-1)) for side in (key, response)) + 1
        row_of = np.full(count, -1, dtype=np.int64)
        row_of[key.mention] = np.arange(len(key.mention))
        matched: Ints = row_of[response.mention]
        return matched

    @cached_property
    def goal(self) -> Ints:
        """The key row that each response row matches, counting span errors as matches; or -1."""
        goal = self.matched.copy()
        missing = np.flatnonzero(~self._found_by(goal))
        for ours, theirs in self._span_errors(missing, np.flatnonzero(goal < 0)):
            goal[theirs] = ours
        return goal

    @cached_property
    def found(self) -> Bools:
        """Whether each key row was found, counting span errors as found."""
        return self._found_by(self.goal)

    def _found_by(self, goal: Ints) -> Bools:
        return marked(len(self.key), goal[goal >= 0])

    def _span_errors(self, missing: Ints, extra: Ints) -> list[tuple[int, int]]:
        """Pair key and response rows with the same head; the most similar are paired first."""
        key, response = self.key, self.response
        by_head: dict[tuple[int, int], list[int]] = {}
        for row in missing.tolist():
            head = key.described.heads[key.place[row]]
            if head >= 0:
                by_head.setdefault((key.document[row], head), []).append(row)
        candidates = []
        for row in extra.tolist():
            place = response.place[row]
            for other in by_head.get((response.document[row], response.described.heads[place]), ()):
                both = key.described.places[key.place[other]], response.described.places[place]
                words = sum(last - first + 1 for spans in both for first, last in spans)
                share = 2 * shared_words(*both) / words
                order = int(key.order[other]), int(response.order[row])
                candidates.append((-share, *order, other, row))
        pairs: dict[int, int] = {}
        taken: set[int] = set()
        for _, _, _, ours, theirs in sorted(candidates):
            if ours not in pairs and theirs not in taken:
                pairs[ours] = theirs
                taken.add(theirs)
        return list(pairs.items())

    @cached_property
    def target(self) -> Ints:
        """The key entity of each response row, or -1."""
        return np.append(self.key.side.entity, -1)[self.goal]  # -1 selects the appended -1

    @cached_property
    def parts(self) -> Parts:
        """The parts of the response entities, and which of them stay in place."""
        key, response = self.key.side, self.response.side
        real = np.flatnonzero(self.target >= 0)
        width = int(key.entity.max(initial=-1)) + 1
        cells, part, size = np.unique(
            response.entity[real] * max(width, 1) + self.target[real],
            return_inverse=True,
            return_counts=True,
        )
        home, target = cells // max(width, 1), cells % max(width, 1)
        begins = _firsts(part, self.response.order[real], len(cells))
        rank = np.lexsort((begins, -size))
        main = np.full(int(response.entity.max(initial=-1)) + 1, -1, dtype=np.int64)
        anchor = np.full(width, -1, dtype=np.int64)
        main[home[rank[::-1]]] = rank[::-1]  # the last assignment, the largest part, wins
        anchor[target[rank[::-1]]] = rank[::-1]
        of_row = np.full(len(response.entity), -1, dtype=np.int64)
        of_row[real] = part
        return Parts(home, target, size, main, anchor, of_row)

    def main_parts(self) -> tuple[list[int], list[int]]:
        """Return the key entity (or -1) and the size of each response entity's largest part.

        >>> import sameas
        >>> found = sameas.analyse([["a", "b"], ["c"]], [["a", "b", "c"], ["d"]])
        >>> found.steps.main_parts()
        ([0, -1], [2, 0])
        """
        parts = self.parts
        target, size = np.append(parts.target, -1), np.append(parts.size, 0)  # for -1
        return target[parts.main].tolist(), size[parts.main].tolist()

    @cached_property
    def by_kind(self) -> dict[str, Ints]:
        """The rows, parts or entities of each kind of error, in text order."""
        key, response, parts = self.key.side, self.response.side, self.parts
        ours, theirs = self.key.order, self.response.order
        number = np.arange(len(parts.home))
        extra = np.flatnonzero(self.target < 0)
        among = parts.main[response.entity[extra]] >= 0
        missing = np.flatnonzero(~self.found)
        missing = missing[parts.anchor[key.entity[missing]] >= 0]
        in_parts = parts.of_row >= 0
        begins = _firsts(parts.of_row[in_parts], theirs[in_parts], len(parts.home))
        ours_begin = _firsts(key.entity, ours, len(parts.anchor))
        theirs_begin = _firsts(response.entity, theirs, len(parts.main))
        # The objects of each kind, and their positions in the text.
        steps = {
            "span": (np.flatnonzero((self.matched < 0) & (self.goal >= 0)), theirs),
            "conflated": (number[parts.main[parts.home] != number], begins),
            "extra mention": (extra[among], theirs),
            "extra entity": (np.flatnonzero(parts.main < 0), theirs_begin),
            "divided": (number[parts.anchor[parts.target] != number], begins),
            "missing mention": (missing, ours),
            "missing entity": (np.flatnonzero(parts.anchor < 0), ours_begin),
        }
        assert tuple(steps) == KINDS
        return {kind: step[np.argsort(place[step])] for kind, (step, place) in steps.items()}

    def repair(self, chosen: Mapping[str, Bools], *, drop: bool = False) -> Side:
        """Return the response after the chosen steps; `drop` removes remaining singletons."""
        key, response = self.key.side, self.response.side
        parts = self.parts
        do = {kind: step[chosen[kind]] for kind, step in self.by_kind.items()}
        entities, count = len(parts.main), len(parts.home)
        # The label of each part's entity: its response entity, or a new one.
        label = parts.home.copy()
        label[do["conflated"]] = entities + do["conflated"]
        label[do["divided"]] = label[parts.anchor[parts.target[do["divided"]]]]
        mention = response.mention.copy()
        mention[do["span"]] = key.mention[self.goal[do["span"]]]
        part = np.where(parts.of_row >= 0, parts.of_row, parts.main[response.entity])
        entity = np.where(part >= 0, np.append(label, -1)[part], response.entity)
        extra = marked(len(entity), do["extra mention"])
        gone = marked(entities, do["extra entity"])
        stays = ~(extra | gone[response.entity])
        added = do["missing mention"]
        new = np.flatnonzero(marked(len(parts.anchor), do["missing entity"])[key.entity])
        there, beyond = label[parts.anchor[key.entity[added]]], entities + count + key.entity[new]
        entity = np.concatenate([entity[stays], there, beyond])
        rows = np.concatenate([added, new])
        repaired = Side(
            np.concatenate([response.document[stays], key.document[rows]]),
            np.unique(entity, return_inverse=True)[1],
            np.concatenate([mention[stays], key.mention[rows]]),
            np.concatenate([response.place[stays], np.full(len(rows), -1)]),  # not in any file
            response.read,
        )
        return repaired.without_singletons() if drop else repaired


def _firsts(labels: Ints, order: Ints, count: int) -> Ints:
    """Return the text position of each label's first row."""
    found = np.full(count, np.iinfo(np.int64).max)
    np.minimum.at(found, labels, order)
    return found
