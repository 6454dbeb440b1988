"""How much one system is better than another, and what speaks for it: sees only rows of numbers."""

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

__all__ = ["Compared", "Difference", "correct", "difference", "differences", "pairs_as_dicts"]


@dataclass(frozen=True)
class Difference:
    """How much better one system is than another by one metric, and what speaks for it.

    `p` is two-sided: how often chance alone gives a difference as large. `adjusted` is corrected
    for the number of pairs. `effect` is Cohen's d of the documents' differences. Wins, ties and
    losses are documents. With one document there is no interval, no p and no effect.

    >>> Difference("b3", 0.02, Interval(0.01, 0.03), 0.004, 0.008, 0.5, 12, 3, 5).mark
    '**'
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
    exact: bool = False  # all swaps were tried, not a sample of them

    @property
    def mark(self) -> str:
        """`**` for p < 0.01, `*` for p < 0.05, by the corrected p."""
        if self.adjusted is None:
            return ""
        return "*" * sum(self.adjusted < level for level in (0.05, 0.01))

    def as_dict(self) -> dict[str, Any]:
        """The difference as JSON shows it."""
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
    """Systems that were compared, whatever they do: the differences of their pairs by metric."""

    __slots__ = ()
    differences: Mapping[Pair, Mapping[str, Difference]]

    def __getitem__(self, pair: Pair) -> Mapping[str, Difference]:
        """The differences of a pair, by metric: `comparison["new", "base"]["b3"]`."""
        if pair not in self.differences:
            raise UsageError("pair-not-compared", pair=pair, pairs=self.pairs)
        return self.differences[pair]

    @property
    def pairs(self) -> list[Pair]:
        """The pairs compared: the new system, and the one it is compared with."""
        return list(self.differences)


def pairs_as_dicts(found: Mapping[Pair, Mapping[str, Difference]]) -> list[dict[str, Any]]:
    """The differences of every pair as JSON shows them.

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
    """The difference of two systems by one metric, over documents or over whatever the rows are.

    `value` is the difference of the scores, where it is not that of the sums. A win is a row in
    which the first is the better one, which may be the one with less.

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
    """Correct the p-values for the number of pairs, metric by metric.

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
    """The differences of every system with the first, or of every two, and the samples of each.

    With one row there are no samples, and no p-values to correct.

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
