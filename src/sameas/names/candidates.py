"""Candidates: the ways to write a name, with probabilities that sum to one."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sameas.names.options import Case

__all__ = ["Candidate", "Candidates", "combined", "joined_parts", "shown_candidates"]

ABSENT = 1.0  # nats below its last candidate, where a part puts the candidates of others


class Candidate(NamedTuple):
    """A way to write a name, and the probability that it is the right one of 20 candidates."""

    target: str
    probability: float


@dataclass(frozen=True, slots=True)
class Candidates:
    """The ways to write a name, the most probable first.

    Probabilities sum to one over the first 20, or over all if there are more: they do not depend
    on how many are asked for, up to 20.

    >>> found = Candidates("Ann", (Candidate("安", 0.75), Candidate("安恩", 0.2)))
    >>> found.best, len(found)
    ('安', 2)
    """

    source: str
    candidates: tuple[Candidate, ...]
    left_out: str = ""  # letters that the model does not know, and the candidates do without
    abstained: bool = False  # whether there would be candidates, and none was probable enough
    confidence: float = 0.0  # probability of the best, though it may not be shown
    read_as: tuple[tuple[str, str], ...] = ()  # letters never seen, and as which they were read

    @property
    def best(self) -> str | None:
        """The most probable one, if there is any."""
        return self.candidates[0].target if self.candidates else None

    def __len__(self) -> int:
        """How many there are."""
        return len(self.candidates)

    def __iter__(self) -> Iterator[Candidate]:
        """The candidates."""
        return iter(self.candidates)


def combined(lists: Sequence[Sequence[tuple[str, float]]]) -> list[tuple[str, float]]:
    """The candidates of several lists, by the mean of the logarithms of their probabilities.

    In each list probabilities sum to one; what is not in it stands a little below its last.
    """
    several = [one for one in lists if one]
    total = dict.fromkeys((target for one in several for target, _ in one), 0.0)
    for candidates in several:
        known = dict(_normalised(candidates))
        absent = min(known.values()) - ABSENT
        for target in total:
            total[target] += known.get(target, absent)
    found = [(target, log / len(several)) for target, log in total.items()]
    return sorted(found, key=lambda candidate: (-candidate[1], candidate[0]))


def joined_parts(
    beginnings: Sequence[tuple[str, float]], parts: Sequence[tuple[str, float]], most: int
) -> list[tuple[str, float]]:
    """The most probable ways to write one part after the others."""
    if not parts:
        return []
    following = _normalised(parts)
    both = {
        before + target: first + log
        for before, first in reversed(beginnings)
        for target, log in reversed(following)
    }
    return sorted(both.items(), key=lambda candidate: (-candidate[1], candidate[0]))[:most]


def _normalised(found: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
    """Candidates whose probabilities sum to one."""
    top = max(log for _, log in found)
    total = top + math.log(math.fsum(math.exp(log - top) for _, log in found))
    return [(target, log - total) for target, log in found]


def shown_candidates(
    found: Sequence[tuple[str, float]], source: str, case: Case
) -> tuple[Candidate, ...]:
    """Return the candidates with their probabilities, with capitals where the source has them."""
    if not found:
        return ()
    capital = case == "fold" and next(filter(str.isalpha, source), "").isupper()
    return tuple(
        Candidate(_capitals(target) if capital else target, math.exp(log))
        for target, log in _normalised(found)
    )


def _capitals(target: str) -> str:
    """A capital at the beginning of each word, in scripts that have them."""
    if target.upper() == target:
        return target
    return re.sub(r"(?<![^ -])\w", lambda letter: _capital(letter[0]), target)


def _capital(letter: str) -> str:
    upper = letter.upper()
    return upper if letter.isalpha() and len(upper) == 1 else letter
