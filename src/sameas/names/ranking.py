"""Scores of ranked transliterations: the metrics of the NEWS shared tasks, per name and in total.

Every name has one or more references and a ranked list of candidates. The contributions of all
names to a metric are added up, so that the bootstrap and the paired tests of `sameas.chance` apply:

========  ==========================================================================================
ACC       the first candidate is a reference
ACC@k     one of the first k candidates is
F         2·LCS / (|c| + |r|) of the first candidate c and its closest reference r
MRR       1 / rank of the first candidate that is a reference; 0 without such a candidate
MAP_ref   the mean precision of the first k candidates, for k from 1 to the number of references
CER       edits from the first candidate to its closest reference, per letter of these references
========  ==========================================================================================

ACC, F, MRR and MAP_ref, and their rules for several references, are those of the shared tasks on
transliteration (Li, Kumaran, Pervouchine & Zhang 2009, "Report of NEWS 2009 Machine Transliteration
Shared Task", and the white papers up to 2018); MRR is also that of Pervouchine, Li & Lin 2009,
section 5.2. The closest reference for F is the one with the fewest insertions and deletions,
|c| + |r| − 2·LCS, as in the shared tasks; for CER it is the one with the fewest insertions,
deletions and substitutions. Ties are broken in favour of the longest reference, so that the order
of references does not matter. The script of the shared tasks differs: it breaks ties in favour of
the first reference, counts code points instead of letters, counts repeated candidates and
references every time, and reads only 10 candidates.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, Unpack

import numpy as np

from sameas._version import __version__
from sameas.arithmetic.scores import Rates, ratio
from sameas.chance.resampling import CLOSE, Additive, Floats, Interval, bootstrap, exactly_additive
from sameas.errors import InputError, Problem, UsageError, counted, require, unknown
from sameas.names.options import Ranking, RankingOptions
from sameas.names.ranked_lists import RankedCandidate
from sameas.names.ranking_metrics import RankedName, score_name
from sameas.names.same_names import SameNames, given_candidates, wanted_names
from sameas.notes import Note
from sameas.presented import Presented
from sameas.settings import Resampling, ResamplingOptions

__all__ = [
    "METRICS",
    "RankingScores",
    "WrongName",
    "metric_title",
    "rank_scores",
]

#: The metrics and their titles in tables; `accuracy@k` exists for every k.
METRICS = {"accuracy": "ACC", "f": "F", "mrr": "MRR", "map_ref": "MAP_ref", "cer": "CER"}

_ACCURACY_AT = re.compile(r"accuracy@([1-9][0-9]*)")
_COLUMNS = ("names", "f", "mrr", "map_ref", "errors", "letters")  # then accuracy@1, @2, …


class WrongName(NamedTuple):
    """A name whose first candidate is not a reference.

    `rank` is the rank of the first candidate that is a reference, or None.

    >>> WrongName("bob", ("鲍勃",), ("博布", "鲍勃"), 2).rank
    2
    """

    source: str
    references: tuple[str, ...]
    candidates: tuple[str, ...]
    rank: int | None


@dataclass(frozen=True, eq=False, repr=False)
class RankingScores(Presented):
    """The scores of ranked candidates, as `rank_scores` returns them.

    Every metric is the sum of one column of `rows`, divided by the sum of another.

    Attributes
    ----------
    rows, columns
        A row of numbers for each name, and the names of the columns.
    names, references, candidates
        The names, their references, and the candidates that were used, without scores.
    ranks
        Rank of the first candidate that is a reference, with ties as listed, or 0.
    settings
        The settings of `rank_scores`.
    variants
        A digest of the variants, for the signature; `none` without variants.
    name
        Name of the candidates, usually their file.
    notes
        Notes on references and candidates.

    Examples
    --------
    >>> scores = rank_scores({"bob": ["鲍勃"], "al": ["阿尔"]}, {"bob": ["博布", "鲍勃"]})
    >>> scores.accuracy, scores.accuracy_at(2), scores.mrr, scores.cer
    (0.0, 0.5, 0.25, 1.0)
    >>> scores.wrong[0]
    WrongName(source='bob', references=('鲍勃',), candidates=('博布', '鲍勃'), rank=2)
    >>> scores.select([0]).signed()
    'sameas:ranking|most:20|ties:order|variants:none|case:fold|names:1|version:0.1.0'
    """

    rows: Floats
    columns: tuple[str, ...]
    names: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    candidates: tuple[tuple[str, ...], ...]
    ranks: tuple[int, ...]
    settings: Ranking = field(default_factory=Ranking)
    variants: str = "none"
    name: str = ""
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        """Show the accuracy, the mean reciprocal rank, and the number of names."""
        shown = f"ACC {self.accuracy:.3f}, MRR {self.mrr:.3f}, {counted(len(self), 'name')}"
        return f"<RankingScores {self.name}: {shown}>".replace(" :", ":")

    def __len__(self) -> int:
        """Return the number of names."""
        return len(self.names)

    def __getitem__(self, metric: str) -> float:
        """Return a metric by its name: `scores["mrr"]`, `scores["accuracy@5"]`."""
        numerator, denominator = self._columns_of(metric)
        total = self.rows.sum(axis=0)
        return float(total[numerator] / total[denominator]) if total[denominator] else 0.0

    @property
    def accuracy(self) -> float:
        """The share of names whose first candidate is a reference."""
        return self["accuracy"]

    @property
    def f(self) -> float:
        """The mean F-score of the first candidates against their closest references."""
        return self["f"]

    @property
    def mrr(self) -> float:
        """The mean reciprocal rank."""
        return self["mrr"]

    @property
    def map_ref(self) -> float:
        """The mean precision of the first k candidates, for k up to the number of references."""
        return self["map_ref"]

    @property
    def cer(self) -> float:
        """The character error rate: edits per letter of the closest references, over all names."""
        return self["cer"]

    def accuracy_at(self, k: int) -> float:
        """Return the share of names with a reference among the first k candidates.

        Parameters
        ----------
        k
            Number of candidates.

        Returns
        -------
        float
            The share, from 0 to 1.
        """
        return self[f"accuracy@{k}"]

    @property
    def metrics(self) -> list[str]:
        """The metrics shown in tables.

        >>> rank_scores({"bob": ["鲍勃"]}, {"bob": ["鲍勃"]}).metrics
        ['accuracy', 'f', 'mrr', 'map_ref', 'accuracy@5', 'accuracy@10', 'accuracy@20', 'cer']
        """
        most = self.settings.most
        depths = [k for k in (5, 10) if k < most] + [most] * (most > 1)
        first = [metric for metric in METRICS if metric != "cer"]
        return [*first, *(f"accuracy@{k}" for k in depths), "cer"]

    @property
    def signature(self) -> str:
        """Every setting that can change a number, in one line."""
        return self.signed()

    def signed(self, resampling: Resampling | None = None) -> str:
        """Return the signature, including the settings of intervals or tests.

        Parameters
        ----------
        resampling
            Settings of intervals or tests, if there are any.

        Returns
        -------
        str
            The signature, in one line.
        """
        how = f"|{resampling}" if resampling is not None else ""
        settings = self.settings
        return (
            f"sameas:ranking|most:{settings.most}|ties:{settings.ties}|variants:{self.variants}"
            f"|case:{settings.case}{how}|names:{len(self)}|version:{__version__}"
        )

    @cached_property
    def wrong(self) -> tuple[WrongName, ...]:
        """The names whose first candidate is not a reference, at least in some order of ties."""
        right = self.rows[:, len(_COLUMNS)]
        return tuple(
            WrongName(self.names[n], self.references[n], self.candidates[n], self.ranks[n] or None)
            for n in np.flatnonzero(right < 1 - CLOSE).tolist()
        )

    def interval(self, metric: str, **options: Unpack[ResamplingOptions]) -> Interval | None:
        """Return the confidence interval of a metric, from the bootstrap over names.

        Parameters
        ----------
        metric
            Name of the metric.
        **options
            The fields of `Resampling`, such as `samples`, `confidence` and `seed`.

        Returns
        -------
        Interval or None
            The interval; None if there is only one name.

        Examples
        --------
        >>> names = {str(number): ["a"] for number in range(100)}
        >>> scores = rank_scores(names, {name: ["a" if int(name) % 2 else "b"] for name in names})
        >>> scores.interval("accuracy", seed=0)
        Interval(low=0.4, high=0.6)
        """
        return self.intervals(Resampling.of(**options), [metric])[metric]

    def intervals(
        self, resampling: Resampling, metrics: Sequence[str] | None = None
    ) -> dict[str, Interval | None]:
        """Return the intervals of several metrics, from the same bootstrap replicates.

        Parameters
        ----------
        resampling
            How to compute the intervals.
        metrics
            Names of the metrics (default: those shown in tables).

        Returns
        -------
        dict
            The interval of each metric; None if there is only one name.

        Examples
        --------
        >>> rank_scores({"al": ["a"], "bo": ["b"]}, {"al": ["a"], "bo": ["b"]}).intervals(
        ...     Resampling(samples=100), ["mrr"])
        {'mrr': Interval(low=1.0, high=1.0)}
        """
        chosen = self.metrics if metrics is None else metrics
        additive = self.additive(chosen)
        if len(self) < 2:
            return dict.fromkeys(chosen)
        found = bootstrap({"": additive}, resampling)[""].intervals(resampling)
        return {metric: found[metric].value for metric in chosen}

    def additive(self, metrics: Sequence[str] | None = None) -> Additive:
        """Return what resampling needs: the columns of metrics, and how to score their sums.

        Parameters
        ----------
        metrics
            Names of the metrics (default: those shown in tables).

        Returns
        -------
        Additive
            Input of the functions in `sameas.chance`.

        Examples
        --------
        >>> scores = rank_scores({"bob": ["鲍勃"]}, {"bob": ["鲍勃"]})
        >>> scores.additive(["mrr"]).total["mrr"].value.item()
        1.0
        """
        chosen = self.metrics if metrics is None else list(dict.fromkeys(metrics))
        # Two columns per metric: the same columns for every system, however long its lists are.
        columns_used = [column for metric in chosen for column in self._columns_of(metric)]
        rows = self.rows[:, columns_used]
        columns = {metric: (2 * n, 2 * n + 1) for n, metric in enumerate(chosen)}

        def rates(sums: Floats) -> dict[str, Rates]:
            return {
                metric: Rates(None, None, ratio(sums[:, numerator], sums[:, denominator]))
                for metric, (numerator, denominator) in columns.items()
            }

        by_name = {metric: found.value for metric, found in rates(rows).items()}
        return Additive(rows, rates, columns, dict.fromkeys(columns, ratio), by_name)

    def select(self, numbers: Sequence[int]) -> RankingScores:
        """Return the scores of the names at these indices.

        Parameters
        ----------
        numbers
            Indices of the names.

        Returns
        -------
        RankingScores
            The scores of these names, in the given order.
        """
        by_name: dict[str, Any] = {
            column: tuple(getattr(self, column)[n] for n in numbers)
            for column in ("names", "references", "candidates", "ranks")
        }
        return replace(self, rows=self.rows[list(numbers)], **by_name)

    def _columns_of(self, metric: str) -> tuple[int, int]:
        """Return the columns of the numerator and of the denominator of a metric."""
        if metric == "cer":
            return _COLUMNS.index("errors"), _COLUMNS.index("letters")
        if metric in METRICS and metric != "accuracy":
            return _COLUMNS.index(metric), 0
        depth = _ACCURACY_AT.fullmatch("accuracy@1" if metric == "accuracy" else str(metric))
        if not depth:
            raise unknown("metric", metric, [*METRICS, "accuracy@k"])
        if len(depth[1]) > 9 or int(depth[1]) > self.settings.most:
            raise UsageError("too-deep", metric=metric, most=self.settings.most)
        # If every list is shorter than k, the last column already has the value.
        return min(len(_COLUMNS) - 1 + int(depth[1]), len(self.columns) - 1), 0


def metric_title(metric: str) -> str:
    """Return the title of a metric in tables.

    >>> metric_title("map_ref"), metric_title("accuracy@5")
    ('MAP_ref', 'ACC@5')
    """
    return METRICS.get(metric) or metric.replace("accuracy", METRICS["accuracy"])


def rank_scores(
    references: Mapping[str, Sequence[str]] | Iterable[tuple[str, str]],
    candidates: Mapping[str, Sequence[RankedCandidate]],
    *,
    variants: Iterable[Iterable[str]] | None = None,
    name: str = "",
    **options: Unpack[RankingOptions],
) -> RankingScores:
    """Score ranked candidates against references, with the metrics of the NEWS shared tasks.

    Names without candidates score 0.

    Parameters
    ----------
    references
        The references of each name: a mapping, or pairs of a name and a reference.
    candidates
        The candidates of each name, best first; either all or none with a score.
    variants
        Groups of letters that count as the same letter; groups that share a letter are merged.
    name
        Name of the candidates (default: their file, if they were read).
    **options
        `most`: use only this many candidates, from the first (default 20). `ties`: `order`
        (default) ranks them as listed; `expected` ranks them by score, and averages every metric
        over the orders of tied ones. `case`: `fold` (default) ignores case, `keep` does not.

    Returns
    -------
    RankingScores
        The metrics, in total and per name.

    Examples
    --------
    >>> references = {"alice": ["艾丽斯", "爱丽丝"], "bob": ["鲍勃"]}
    >>> candidates = {"alice": ["爱丽丝", "阿利斯"], "bob": ["博布", "鲍伯", "鲍勃"]}
    >>> scores = rank_scores(references, candidates)
    >>> scores.accuracy, round(scores.mrr, 4), scores.map_ref, scores.accuracy_at(3)
    (0.5, 0.6667, 0.375, 1.0)
    >>> from sameas.names.letters import CHINESE_VARIANTS
    >>> other = {"alice": ["爱莉丝"], "bob": ["鲍勃"]}
    >>> rank_scores(references, other, variants=CHINESE_VARIANTS).accuracy
    1.0
    >>> tied = {"bob": [("鲍伯", 0.4), ("鲍勃", 0.4), ("博布", 0.2)]}
    >>> rank_scores({"bob": ["鲍勃"]}, tied, ties="expected").mrr
    0.75
    """
    settings = Ranking(**options)
    require(candidates, Mapping, "candidates", "a mapping such as {name: [candidate, …]}")
    name = name or getattr(candidates, "name", "")
    same = SameNames.of(settings.case, variants)
    return _rank_scores(references, candidates, same, name, settings)


def _rank_scores(
    references: Mapping[str, Sequence[str]] | Iterable[tuple[str, str]],
    candidates: Mapping[str, Sequence[RankedCandidate]],
    same: SameNames,
    name: str,
    settings: Ranking,
) -> RankingScores:
    """Score candidates with checked settings; `same` decides which names are the same."""
    tally: Counter[str] = Counter()
    wanted = wanted_names(references, same, tally)
    given = given_candidates(candidates, wanted, same, tally)
    names = [
        score_name(one, given.get(source, []), same, settings, tally)
        for source, one in wanted.items()
    ]
    tally["candidateless"] = sum(not one.candidates for one in names)
    if tally["candidateless"] == len(names) and any(candidates.values()):
        raise InputError([Problem("no-shared-candidates", name, count=len(names))])
    rows, columns = _rows_of(names)
    notes = [*_notes_of("references", references), *_notes_of("candidates", candidates)]
    return RankingScores(
        rows,
        columns,
        tuple(one.source for one in wanted.values()),
        tuple(tuple(one.references.values()) for one in wanted.values()),
        tuple(one.candidates for one in names),
        tuple(one.rank for one in names),
        settings,
        same.fingerprint,
        name,
        (*notes, *_notes(tally, len(names), settings)),
    )


def _notes_of(side: str, given: object) -> list[Note]:
    """Return the notes of the references or of the candidates."""
    return [Note("note-of", note=note, how=side) for note in getattr(given, "notes", ())]


def _rows_of(names: Sequence[RankedName]) -> tuple[Floats, tuple[str, ...]]:
    """Return a row of numbers for each name, and the names of the columns."""
    width = max([1, *(len(one.at) for one in names)])
    rows = np.array(
        [
            (1.0, *one.numbers, *one.at, *(one.at[-1:] or [0.0]) * (width - len(one.at)))
            for one in names
        ]
    )
    return exactly_additive(rows), (*_COLUMNS, *(f"accuracy@{k}" for k in range(1, width + 1)))


#: The codes of the notes that report a count, in the order of the notes.
_COUNTED = (
    *("candidateless", "strangers", "capitals", "second-lists", "cut", "candidates-again"),
    *("references-again", "unsorted", "tied"),
)


def _notes(tally: Counter[str], names: int, settings: Ranking) -> list[Note]:
    """Return notes on names and candidates that were skipped, merged or irregular."""
    values = {"most": settings.most, "how": settings.ties}
    values_of = {"cut": values, "unsorted": values}
    return [
        Note(code, count=tally[code], total=names, values=values_of.get(code))
        for code in _COUNTED
        if tally[code]
    ]
