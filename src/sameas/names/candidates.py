"""Candidates: the transliterations of a name, with probabilities that sum to one."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sameas.names.options import Case

__all__ = ["Candidate", "Candidates", "combined", "joined_parts", "shown_candidates"]

ABSENT = 1.0  # a candidate missing from a list is scored this many nats below the last in it


class Candidate(NamedTuple):
    """A transliteration, and the probability that it is the right one among the candidates."""

    target: str
    probability: float


@dataclass(frozen=True, slots=True)
class Candidates:
    """The transliterations of a name, the most probable first.

    Probabilities sum to one over the first 20, or over all if more were requested. So requesting
    fewer than 20 does not change them.

    Attributes
    ----------
    source
        The name.
    candidates
        Its transliterations, with their probabilities.
    left_out
        Letters unknown to the model, which the candidates omit.
    abstained
        Whether candidates were withheld because the best one is below the threshold.
    confidence
        Probability of the best candidate, even if withheld.
    read_as
        Letters never seen, and the known letters that they were read as.

    Examples
    --------
    >>> found = Candidates("Ann", (Candidate("安", 0.75), Candidate("安恩", 0.2)))
    >>> found.best, len(found)
    ('安', 2)
    """

    source: str
    candidates: tuple[Candidate, ...]
    left_out: str = ""
    abstained: bool = False
    confidence: float = 0.0
    read_as: tuple[tuple[str, str], ...] = ()

    @property
    def best(self) -> str | None:
        """The most probable transliteration, or None."""
        return self.candidates[0].target if self.candidates else None

    def __len__(self) -> int:
        """Return the number of candidates."""
        return len(self.candidates)

    def __iter__(self) -> Iterator[Candidate]:
        """Yield the candidates."""
        return iter(self.candidates)


def combined(lists: Sequence[Sequence[tuple[str, float]]]) -> list[tuple[str, float]]:
    """Return the candidates of several lists, ranked by the mean of their log-probabilities.

    The probabilities of each list are normalised to sum to one. A candidate missing from a
    list gets the log-probability of the last one in that list, minus `ABSENT`.
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
    """Return the most probable combinations of the beginnings with the next part."""
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
    """Normalise the log-probabilities of candidates, so that the probabilities sum to one."""
    top = max(log for _, log in found)
    total = top + math.log(math.fsum(math.exp(log - top) for _, log in found))
    return [(target, log - total) for target, log in found]


def shown_candidates(
    found: Sequence[tuple[str, float]], source: str, case: Case
) -> tuple[Candidate, ...]:
    """Return the candidates with probabilities, capitalised if case is folded and the source is."""
    if not found:
        return ()
    capital = case == "fold" and next(filter(str.isalpha, source), "").isupper()
    return tuple(
        Candidate(_capitals(target) if capital else target, math.exp(log))
        for target, log in _normalised(found)
    )


def _capitals(target: str) -> str:
    """Capitalise each word, in scripts that have case."""
    if target.upper() == target:
        return target
    return re.sub(r"(?<![^ -])\w", lambda letter: _capital(letter[0]), target)


def _capital(letter: str) -> str:
    upper = letter.upper()
    return upper if letter.isalpha() and len(upper) == 1 else letter
