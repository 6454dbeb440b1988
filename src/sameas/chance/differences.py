"""Differences between systems with their significance, computed from rows of numbers only."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from sameas.chance.resampling import (
    CLOSE,
    Additive,
    Bootstrap,
    Interval,
    at_least,
    bootstrap,
    effect_size,
    holm,
    interval,
)
from sameas.chance.swapping import Pair, SwapTest, swap_tests
from sameas.errors import UsageError
from sameas.settings import Comparing

__all__ = [
    "LEVELS",
    "Compared",
    "Difference",
    "correct",
    "difference",
    "differences",
    "pairs_as_dicts",
]

LEVELS = (0.05, 0.01)  # levels of significance; each has a mark


@dataclass(frozen=True)
class Difference:
    """How much better one system is than another on one metric, and how significant that is.

    With one document, the interval, the p-values and the effect are None.

    Parameters
    ----------
    metric
        Name of the metric.
    value
        The difference between the scores.
    interval
        Confidence interval of the difference, from the bootstrap.
    p
        Two-sided p-value: how often chance alone gives a difference at least as large.
    adjusted
        The p-value, corrected for the number of pairs.
    effect
        Cohen's d of the documents' differences.
    wins, ties, losses
        Numbers of documents on which the system is better, equal and worse.
    exact
        Whether the test tried all swaps instead of a sample of them.

    Examples
    --------
    >>> found = Difference("b3", 0.02, Interval(0.01, 0.03), 0.004, 0.008, 0.5, 12, 3, 5)
    >>> found.mark, found.as_dict()["p_adjusted"]
    ('**', 0.008)
    """

    metric: str
    value: float
    interval: Interval | None
    p: float | None
    adjusted: float | None
    effect: float | None
    wins: int
    ties: int
    losses: int
    exact: bool = False

    @property
    def mark(self) -> str:
        """`**` for a corrected p < 0.01, `*` for a corrected p < 0.05, else empty."""
        if self.adjusted is None:
            return ""
        return "*" * sum(self.adjusted < level for level in LEVELS)

    def as_dict(self) -> dict[str, Any]:
        """Return the difference as plain data for JSON.

        Returns
        -------
        dict[str, Any]
            The numbers of the difference, under their names in JSON output.
        """
        return {
            "difference": self.value,
            "interval": self.interval,
            "p": self.p,
            "p_adjusted": self.adjusted,
            "exact": self.exact,
            "effect": self.effect,
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
        }


class Compared:
    """The differences between pairs of systems on each metric: the base class of comparisons."""

    __slots__ = ()
    differences: Mapping[Pair, Mapping[str, Difference]]

    def __getitem__(self, pair: Pair) -> Mapping[str, Difference]:
        """Return a pair's differences, keyed by metric: `comparison["new", "base"]["b3"]`."""
        if pair not in self.differences:
            raise UsageError("pair-not-compared", pair=pair, pairs=self.pairs)
        return self.differences[pair]

    @property
    def pairs(self) -> list[Pair]:
        """The pairs compared: the new system, and the system it is compared with."""
        return list(self.differences)


def pairs_as_dicts(found: Mapping[Pair, Mapping[str, Difference]]) -> list[dict[str, Any]]:
    """Return the differences of every pair as plain data for JSON.

    >>> one = Difference("b3", 0.1, None, 0.03, None, None, 1, 0, 0)
    >>> [(pair["new"], pair["base"]) for pair in pairs_as_dicts({("a", "c"): {"b3": one}})]
    [('a', 'c')]
    """
    return [
        {
            "new": new,
            "base": base,
            "metrics": {metric: one.as_dict() for metric, one in by_metric.items()},
        }
        for (new, base), by_metric in found.items()
    ]


def difference(
    metric: str,
    systems: tuple[Additive, Additive],
    samples: tuple[Bootstrap, Bootstrap] | None,
    swap_test: SwapTest | None,
    comparing: Comparing,
    *,
    value: float | None = None,
    less_is_better: bool = False,
) -> Difference:
    """Return the difference between two systems on one metric, given rows such as documents.

    `value` is the difference between the scores if these are not computed from the sums of rows. A
    win is a row in which the first system is better: its number is larger, or smaller if
    `less_is_better`.

    >>> from sameas.names.ranking import rank_scores
    >>> lists = {"ann": ["安"], "bo": ["波"]}, {"ann": ["安"], "bo": ["博"]}
    >>> good, fair = (rank_scores(lists[0], candidates).additive() for candidates in lists)
    >>> found = difference("accuracy", (good, fair), None, None, Comparing())
    >>> found.value, found.wins, found.ties
    (0.5, 1, 1)
    """
    differences = systems[0].by_document[metric] - systems[1].by_document[metric]
    better = -differences if less_is_better else differences
    wins = int(np.count_nonzero(better > CLOSE))
    losses = int(np.count_nonzero(better < -CLOSE))
    total = (systems[0].total[metric].value - systems[1].total[metric].value).item()
    value = total if value is None else value
    found: dict[str, Any] = {"interval": None, "p": None, "adjusted": None, "effect": None}
    if samples:
        distribution = samples[0].rates[metric].value - samples[1].rates[metric].value
        jackknife = None
        if comparing.interval == "bca":
            jackknife = systems[0].jackknife[metric].value - systems[1].jackknife[metric].value
        found["interval"] = interval(
            distribution, total, jackknife, confidence=comparing.confidence
        )
        found["effect"] = effect_size(differences)
        if comparing.test == "bootstrap":
            hits = at_least(distribution - total, total)
            found["p"] = (hits + 1) / (comparing.samples + 1)
    if swap_test:
        found["p"], found["exact"] = swap_test
    value = 0.0 if abs(value) <= CLOSE else value
    ties = len(differences) - wins - losses
    return Difference(metric, value, wins=wins, ties=ties, losses=losses, **found)


def correct(
    differences: dict[Pair, dict[str, Difference]], metrics: Sequence[str], correction: str
) -> None:
    """Correct the p-values for the number of pairs, separately for each metric.

    >>> one = Difference("b3", 0.1, None, 0.03, None, None, 1, 0, 0)
    >>> found = {("a", "c"): {"b3": one}, ("b", "c"): {"b3": one}}
    >>> correct(found, ["b3"], "holm")
    >>> found["a", "c"]["b3"].adjusted
    0.06
    """
    for metric in metrics:
        values = [by_metric[metric].p or 0.0 for by_metric in differences.values()]
        adjusted = holm(values) if correction == "holm" else values
        for by_metric, p in zip(differences.values(), adjusted, strict=True):
            by_metric[metric] = replace(by_metric[metric], adjusted=p)


def differences(
    systems: Mapping[str, Additive],
    metrics: Sequence[str],
    comparing: Comparing,
    *,
    value: Callable[[Pair, str], float] | None = None,
    less_is_better: Collection[str] = (),
) -> tuple[dict[Pair, dict[str, Difference]], dict[str, Bootstrap]]:
    """Compare every system with the first, or all pairs; return differences and bootstrap samples.

    With a single row there are no samples and no p-values.

    >>> from sameas.names.ranking import rank_scores
    >>> lists = {"ann": ["安"], "bo": ["波"]}, {"ann": ["安"], "bo": ["博"]}
    >>> good, fair = (rank_scores(lists[0], candidates).additive() for candidates in lists)
    >>> found, _ = differences({"fair": fair, "good": good}, ["accuracy"], Comparing())
    >>> found["good", "fair"]["accuracy"].value
    0.5
    """
    names = list(systems)
    pairs = (
        [(new, base) for base, new in combinations(names, 2)]
        if comparing.pairs == "all"
        else [(name, names[0]) for name in names[1:]]
    )
    samples: dict[str, Bootstrap] = {}
    tests: dict[Pair, dict[str, SwapTest]] = {pair: {} for pair in pairs}
    several = len(systems[names[0]].rows) > 1
    if several:
        samples = bootstrap(systems, comparing)
        if comparing.test != "bootstrap":
            tests = swap_tests(systems, pairs, metrics, comparing)
    found = {
        (new, base): {
            metric: difference(
                metric,
                (systems[new], systems[base]),
                (samples[new], samples[base]) if samples else None,
                tests[new, base].get(metric),
                comparing,
                value=None if value is None else value((new, base), metric),
                less_is_better=metric in less_is_better,
            )
            for metric in metrics
        }
        for new, base in pairs
    }
    if several:
        correct(found, metrics, comparing.correction)
    return found, samples
