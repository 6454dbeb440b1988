"""False pairs made of genuine ones, of several kinds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from sameas.names.verification.alphabet import EncodedPairs

__all__ = ["KINDS", "KIND_NAMES", "FalsePairMaker", "Target"]

#: The ways to be false, as the made-up pairs are, and the share of each among them.
KINDS = {
    "another name": 0.4,
    "another tradition": 0.5,
    "partly another name": 0.05,
    "a similar name": 0.05,
}
KIND_NAMES = tuple(KINDS)
Target = list[int]


@dataclass(frozen=True, slots=True)
class FalsePairMaker:
    """Makes false pairs, and genuine ones with a unit never seen, of the genuine ones of a fold."""

    random: np.random.Generator
    units: int  # that were seen
    outside: int  # units that were not, numbered after them
    alike: Mapping[int, list[int]]  # by syllable, units outside, of the kinds of characters in use
    others: Mapping[int, list[int]]  # the same of all kinds
    syllable: list[int]

    @classmethod
    def of(cls, names: EncodedPairs, random: np.random.Generator) -> FalsePairMaker:
        """Return a maker that takes units from those of the names."""
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
        """A unit never seen that sounds the same, if there is one."""
        found = among.get(self.syllable[unit], []) if self.syllable[unit] >= 0 else []
        return found[self._below(len(found))] if found else self._outside()

    def variant(self, target: Target) -> Target:
        """Return a target in which one unit was never seen, and sounds the same."""
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
        """Most units are others that sound the same."""
        share = 0.3 + 0.7 * self.random.random()
        made = list(target)
        for at, unit in enumerate(target):
            if self.random.random() < share:
                same = self.random.random() < 0.8
                made[at] = self._like(unit, self.others) if same else self._outside()
        return made

    def invented(self, longest: int) -> Target:
        """Return any units, seen or not."""
        share = self.random.random()
        return [
            self._outside() if self.random.random() < share else self._below(self.units)
            for _ in range(1 + self._below(longest))
        ]

    def resized(self, target: Target, other: Target) -> Target:
        """Return a part of a target, or a target with a part of another."""
        way = self._below(4)
        piece = other[: 1 + self._below(len(other))]
        cut = 1 + self._below(len(target) - 1) if len(target) > 1 else 0
        made = target[:cut], target[cut:], target + piece, piece + target
        return made[way if cut or way == 2 else 3]

    def false(
        self, sources: list[Target], targets: list[Target]
    ) -> Iterator[tuple[int, int, Target]]:
        """Numbers of genuine pairs, and of kinds, with targets that are not theirs."""
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
        # Neighbours in the order of names share their beginning, or their end.
        for back in (1, -1):
            order = sorted(range(count), key=lambda number: (sources[number][::back], number))
            for one, two in pairwise(order):
                if sources[one] != sources[two]:
                    yield one, 3, targets[two]
