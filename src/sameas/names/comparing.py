"""Compare transliteration systems: differences in metrics, paired by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from sameas.chance.differences import Compared, Difference, differences
from sameas.chance.resampling import FEW, Additive, Interval
from sameas.chance.swapping import Pair
from sameas.errors import InputError, Problem, UsageError, counted, require
from sameas.names.ranking import RankingScores
from sameas.notes import Note
from sameas.presented import Presented
from sameas.settings import Comparing, ComparingOptions

__all__ = ["RankingComparison", "compare_rankings"]


@dataclass(frozen=True, eq=False, repr=False)
class RankingComparison(Compared, Presented):
    """Systems scored on the same names, and their differences, pair by pair and metric by metric.

    The wins, ties and losses of a `Difference` count names. A lower CER is better: for CER, a win
    is a name with fewer errors, and a negative difference is an improvement.

    Attributes
    ----------
    systems
        The scores of each system, on the names that all systems have.
    metrics
        The compared metrics.
    differences
        A `Difference` for each pair of systems and each metric.
    intervals
        The confidence interval of each score, by system and metric; None if there is only one name.
    comparing
        The settings of the comparison.
    notes
        Notes on skipped names, and on results to read with caution.

    Examples
    --------
    >>> from sameas.names.ranking import rank_scores
    >>> names = {str(number): ["a"] for number in range(30)}
    >>> base = rank_scores(names, {name: ["b", "a"] for name in names})
    >>> new = rank_scores(names, {name: ["a" if int(name) % 2 else "b"] for name in names})
    >>> found = compare_rankings({"base": base, "new": new}, samples=1000)["new", "base"]
    >>> found["accuracy"].value, found["accuracy"].wins, found["mrr"].value, found["cer"].value
    (0.5, 15, 0.0, -0.5)
    """

    systems: Mapping[str, RankingScores]
    metrics: tuple[str, ...]
    differences: Mapping[Pair, Mapping[str, Difference]]
    intervals: Mapping[str, Mapping[str, Interval | None]]
    comparing: Comparing
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        """Show the systems and the number of names."""
        names = len(next(iter(self.systems.values())))
        return f"<RankingComparison of {', '.join(self.systems)}: {counted(names, 'name')}>"

    @property
    def signature(self) -> str:
        """Every setting that can change a number, in one line."""
        return next(iter(self.systems.values())).signed(self.comparing)


def compare_rankings(
    systems: Mapping[str, RankingScores],
    *,
    metrics: str | Sequence[str] | None = None,
    **options: Unpack[ComparingOptions],
) -> RankingComparison:
    """Test whether systems differ by more than chance, pairing their scores by name.

    Works like `sameas.compare`, with names in place of documents: intervals come from the bootstrap
    over names; p-values come from swapping the scores of names between two systems, and are
    corrected for the number of pairs.

    Parameters
    ----------
    systems
        Scores of at least two systems, by system name. The first is the baseline.
    metrics
        The metrics to compare, as a list or separated by commas (default: those shown in tables).
    **options
        The fields of `Comparing`, such as `test`, `pairs`, `correction`, `samples` and `seed`.

    Returns
    -------
    RankingComparison
        The differences, with intervals and p-values.

    Examples
    --------
    >>> from sameas.names.ranking import rank_scores
    >>> names = {str(number): ["a"] for number in range(30)}
    >>> one = rank_scores(names, {name: ["a"] for name in names})
    >>> compare_rankings({"one": one, "two": one})["two", "one"]["mrr"].p
    1.0
    """
    require(systems, Mapping, "systems", 'a mapping such as {"base": …, "new": …}')
    if len(systems) < 2:
        raise UsageError("too-few-systems", count=len(systems))
    comparing = Comparing.of(**options)
    if isinstance(metrics, str):
        metrics = metrics.split(",")
    shared, notes = _shared(systems)
    first = next(iter(shared.values()))
    chosen = tuple(first.metrics if metrics is None else dict.fromkeys(metrics))
    additives = {name: one.additive(chosen) for name, one in shared.items()}
    by_pair, resampled = differences(additives, chosen, comparing, less_is_better=("cer",))
    notes += _doubts(len(first), additives, list(by_pair))
    intervals: dict[str, dict[str, Interval | None]] = {}
    for name in shared:
        found = resampled[name].intervals(comparing) if resampled else {}
        intervals[name] = {metric: found[metric].value if found else None for metric in chosen}
    return RankingComparison(shared, chosen, by_pair, intervals, comparing, tuple(notes))


def _shared(systems: Mapping[str, RankingScores]) -> tuple[dict[str, RankingScores], list[Note]]:
    """Return each system's scores on the shared names, and notes on the other names.

    The shared names are in the order of the first system.
    """
    base, first = next(iter(systems.items()))
    for name, one in systems.items():
        if (one.settings, one.variants) != (first.settings, first.variants):
            raise UsageError("scored-otherwise", new=name, base=base)
    positions = {
        name: {source: number for number, source in enumerate(one.names)}
        for name, one in systems.items()
    }
    common = [source for source in first.names if all(source in one for one in positions.values())]
    if not common:
        raise InputError([Problem("no-shared-name")])
    notes, shared = [], {}
    for name, one in systems.items():
        values = {"system": str(name), "how": "names"}
        left = len(one) - len(common)
        notes += [Note("not-shared", count=left, total=len(one), values=values)] if left else []
        shared[str(name)] = one.select([positions[name][source] for source in common])
    expected = [set(one) for one in shared[str(base)].references]
    for name, one in shared.items():
        for source, ours, theirs in zip(common, expected, one.references, strict=True):
            if ours != set(theirs):
                named = {"system": name, "base": base, "source": source}
                raise InputError([Problem("references-differ", values=named)])
    return shared, notes


def _doubts(names: int, systems: Mapping[str, Additive], pairs: Sequence[Pair]) -> Iterator[Note]:
    """Yield notes on what makes intervals and p-values unreliable."""
    if names == 1:
        yield Note("one-name")
    elif names < FEW:
        yield Note("few-names", count=names, how="compared")
    for new, base in pairs:
        differ = int(np.any(systems[new].rows != systems[base].rows, axis=1).sum())
        if not differ:
            yield Note("alike", new=new, base=base, how="names")
        elif differ < FEW <= names:
            yield Note("few-differ", count=differ, new=new, base=base, how="names")
