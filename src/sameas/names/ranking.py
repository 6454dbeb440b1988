"""How good are ranked transliterations? The metrics of the NEWS shared tasks, by name and in all.

For every name there are one or several references and a ranked list of candidates. What a name adds
to each metric is a number, so that bootstrap and paired tests are the ones in `sameas.chance`:

========  ==========================================================================================
ACC       the first candidate is a reference
ACC@k     one of the first k candidates is
F         2·LCS / (|c| + |r|) of the first candidate c and its closest reference r
MRR       1 / rank of the first candidate that is a reference; 0 if none is
MAP_ref   the mean, for k from 1 to the number n of references, of the precision of the first k
CER       edits that make the first candidate its closest reference, by letters of these references
========  ==========================================================================================

The first four and their rules for several references are those of the shared tasks on
transliteration (Li, Kumaran, Pervouchine & Zhang 2009, "Report of NEWS 2009 Machine Transliteration
Shared Task", and the white papers up to 2018); MRR is also that of Pervouchine, Li & Lin 2009,
section 5.2. The closest reference for F is the one with the least insertions and deletions,
|c| + |r| − 2·LCS, as there; for CER it is the one with the least insertions, deletions and
substitutions. Of references that are equally close the longest is taken, so that their order does
not matter. The script of the shared tasks takes the first of them, counts code points where letters
are counted here, counts repeated candidates and references as often as they come, and looks at 10
candidates.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar, Unpack

import numpy as np

from sameas._version import __version__
from sameas.arithmetic.scores import Rates, ratio
from sameas.chance.resampling import CLOSE, Additive, Floats, Interval, bootstrap, exactly_additive
from sameas.errors import InputError, Problem, UsageError, counted, require, unknown
from sameas.names.letters import Removed
from sameas.names.options import Ranking, RankingOptions
from sameas.names.pairs import read_pairs
from sameas.names.rows import BadLine, lines_of, name_column
from sameas.names.units import composed, fold, graphemes
from sameas.notes import Note
from sameas.presented import Presented
from sameas.settings import Resampling, ResamplingOptions

__all__ = [
    "CHINESE_VARIANTS",
    "METRICS",
    "NameLists",
    "RankingScores",
    "WrongName",
    "by_name",
    "metric_title",
    "rank_scores",
    "read_candidates",
    "read_references",
]

#: The metrics, with how they are written; `accuracy@k` is there for every k.
METRICS = {"accuracy": "ACC", "f": "F", "mrr": "MRR", "map_ref": "MAP_ref", "cer": "CER"}

#: Characters of one reading, but for the tone, that alternate where Chinese writes foreign names.
CHINESE_VARIANTS = (
    # In names of women and in other names.
    *("丽莉利", "娜纳那", "娅亚", "琳林", "妮尼", "玛马", "丝斯思", "黛戴代", "莎沙", "蕾雷"),
    *("薇维", "萝罗", "芭巴", "蓓贝", "茱朱", "婷廷汀", "莲连"),
    # By where they stand: the second is for the beginning of a name, or for its end (夫, 亥), where
    # the first would be read as a word: west, east, south, sea.
    *("西锡茜", "东栋", "南楠", "海亥", "耶叶", "弗夫芙佛"),
    # By the time and the translator.
    *("尔耳", "莱赖来", "艾爱", "科柯", "伯柏", "戈哥", "伦仑", "沃渥", "莫摩"),
)

_WHOLE = re.compile(r"accuracy@([1-9][0-9]*)")
_COLUMNS = ("names", "f", "mrr", "map_ref", "errors", "letters")  # then accuracy@1, @2, …
T = TypeVar("T")
Candidate = str | tuple[str, float]


@dataclass(frozen=True, eq=False, repr=False)
class NameLists(Mapping[str, tuple[T, ...]], Generic[T]):
    """For every name a list, as a file has it: of references, or of candidates.

    >>> NameLists({"alice": ("爱丽丝", "艾丽斯")})["alice"]
    ('爱丽丝', '艾丽斯')
    """

    lists: dict[str, tuple[T, ...]]
    name: str = ""
    skipped: tuple[Problem, ...] = ()
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        """How many names there are."""
        return f"<NameLists {self.name}: {counted(len(self), 'name')}>".replace(" :", ":")

    def __getitem__(self, source: str) -> tuple[T, ...]:
        """The list of a name."""
        return self.lists[source]

    def __iter__(self) -> Iterator[str]:
        """The names."""
        return iter(self.lists)

    def __len__(self) -> int:
        """How many names."""
        return len(self.lists)


def read_references(path: str | Path, *, skip_bad: bool = False) -> NameLists[str]:
    """Read references: a name, a tab, a transliteration; a name has as many as it has lines.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".tsv", encoding="utf-8") as file:
    ...     _ = file.write("alice\\t爱丽丝\\nbob\\t鲍勃\\nalice\\t艾丽斯\\n")
    ...     file.flush()
    ...     dict(read_references(file.name))
    {'alice': ('爱丽丝', '艾丽斯'), 'bob': ('鲍勃',)}
    """
    pairs = read_pairs(path, skip_bad=skip_bad)
    return NameLists(by_name(pairs), pairs.name, pairs.skipped, pairs.notes)


def by_name(pairs: Iterable[tuple[str, T]]) -> dict[str, tuple[T, ...]]:
    """Return the list of each name, in the order of its pairs.

    >>> by_name([("al", "a"), ("bo", "b"), ("al", "c")])
    {'al': ('a', 'c'), 'bo': ('b',)}
    """
    lists: dict[str, list[T]] = defaultdict(list)
    for source, target in pairs:
        lists[source].append(target)
    return {source: tuple(targets) for source, targets in lists.items()}


def read_candidates(path: str | Path, *, skip_bad: bool = False) -> NameLists[Candidate]:
    """Read candidates: a name, a tab, a candidate, and perhaps a tab and its score.

    The candidates of a name are ranked as their lines come. Invisible characters of layout are
    removed, as from references. With scores they are pairs of a
    candidate and a score, and a line without one is bad. Bad lines raise `InputError`; with
    `skip_bad` they are left out, and `skipped` tells which.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".tsv", encoding="utf-8") as file:
    ...     _ = file.write("bob\\t鲍勃\\t0.9\\nbob\\t博布\\t0.1\\n")
    ...     file.flush()
    ...     dict(read_candidates(file.name))
    {'bob': (('鲍勃', 0.9), ('博布', 0.1))}
    """
    removed = Removed()
    further = 0
    scored: tuple[int, bool] | None = None  # the first line, and whether it has a score

    def row(number: int, columns: list[str]) -> tuple[str, Candidate]:
        nonlocal further, scored
        source, *others = (removed.from_name(column.strip()).strip() for column in columns)
        if not others:
            raise BadLine("no-tab")
        if not source:
            raise BadLine("empty-name", side="source")
        target, text = others[0], (others[1] if len(others) > 1 else "")
        if not target:
            raise BadLine("empty-candidate", name_column(columns, 1))
        score = _number(text) if text else None
        if text and score is None:
            raise BadLine("candidate-score", name_column(columns, 2), score=text)
        scored = scored or (number, bool(text))
        if bool(text) != scored[1]:
            column = name_column(columns, 2) if text else 1
            raise BadLine("scores-mixed", column, how="one" if text else "none", first=scored[0])
        further += any(others[2:])
        return source, target if score is None else (target, score)

    read = lines_of(path).rows(row, "no-candidates", skip_bad=skip_bad, how="candidates")
    notes = [Note("further-columns", count=further, how="three")] if further else []
    told = (*notes, *removed.notes(), *read.notes)
    return NameLists(by_name(read.rows), read.path, read.skipped, told)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return None if math.isnan(number) else number


class WrongName(NamedTuple):
    """A name whose first candidate is no reference; `rank` is that of the first one that is.

    >>> WrongName("bob", ("鲍勃",), ("博布", "鲍勃"), 2).rank
    2
    """

    source: str
    references: tuple[str, ...]
    candidates: tuple[str, ...]
    rank: int | None


@dataclass(frozen=True, eq=False, repr=False)
class RankingScores(Presented):
    """The scores of ranked candidates. `rows` has a row of numbers for each name, which add.

    Made by `rank_scores`. Every metric is a sum of one column by that of another; `columns` names
    them.

    >>> scores = rank_scores({"bob": ["鲍勃"], "al": ["阿尔"]}, {"bob": ["博布", "鲍勃"]})
    >>> scores.accuracy, scores.accuracy_at(2), scores.mrr, scores.cer
    (0.0, 0.5, 0.25, 1.0)
    >>> scores.wrong[0]
    WrongName(source='bob', references=('鲍勃',), candidates=('博布', '鲍勃'), rank=2)
    """

    rows: Floats
    columns: tuple[str, ...]
    names: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    candidates: tuple[tuple[str, ...], ...]  # those that count, without scores
    ranks: tuple[int, ...]  # of the first candidate that is a reference, as listed; 0: none is
    settings: Ranking = field(default_factory=Ranking)
    variants: str = "none"  # or what tells these variants from others
    name: str = ""
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        """Accuracy and mean reciprocal rank, and of how many names."""
        shown = f"ACC {self.accuracy:.3f}, MRR {self.mrr:.3f}, {counted(len(self), 'name')}"
        return f"<RankingScores {self.name}: {shown}>".replace(" :", ":")

    def __len__(self) -> int:
        """How many names."""
        return len(self.names)

    def __getitem__(self, metric: str) -> float:
        """A metric by its name: `scores["mrr"]`, `scores["accuracy@5"]`."""
        above, below = self._places(metric)
        total = self.rows.sum(axis=0)
        return float(total[above] / total[below]) if total[below] else 0.0

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
        """The mean precision of as many candidates as there are references."""
        return self["map_ref"]

    @property
    def cer(self) -> float:
        """The character error rate: edits by letters, of all names together."""
        return self["cer"]

    def accuracy_at(self, k: int) -> float:
        """The share of names that have a reference among the first k candidates."""
        return self[f"accuracy@{k}"]

    @property
    def metrics(self) -> list[str]:
        """The metrics that tables show.

        >>> rank_scores({"bob": ["鲍勃"]}, {"bob": ["鲍勃"]}).metrics
        ['accuracy', 'f', 'mrr', 'map_ref', 'accuracy@5', 'accuracy@10', 'accuracy@20', 'cer']
        """
        most = self.settings.most
        depths = [k for k in (5, 10) if k < most] + [most] * (most > 1)
        first = [metric for metric in METRICS if metric != "cer"]
        return [*first, *(f"accuracy@{k}" for k in depths), "cer"]

    @property
    def signature(self) -> str:
        """Everything that can move a digit, in one line."""
        return self.signed()

    def signed(self, resampling: Resampling | None = None) -> str:
        """The signature, with how intervals or tests were made.

        >>> rank_scores({"bob": ["鲍勃"]}, {"bob": ["鲍勃"]}).signed()
        'sameas:ranking|most:20|ties:order|variants:none|case:fold|names:1|version:0.1.0'
        """
        how = f"|{resampling}" if resampling is not None else ""
        settings = self.settings
        return (
            f"sameas:ranking|most:{settings.most}|ties:{settings.ties}|variants:{self.variants}"
            f"|case:{settings.case}{how}|names:{len(self)}|version:{__version__}"
        )

    @cached_property
    def wrong(self) -> tuple[WrongName, ...]:
        """The names whose first candidate is not, or not surely, a reference."""
        right = self.rows[:, len(_COLUMNS)]
        return tuple(
            WrongName(self.names[n], self.references[n], self.candidates[n], self.ranks[n] or None)
            for n in np.flatnonzero(right < 1 - CLOSE).tolist()
        )

    def interval(self, metric: str, **options: Unpack[ResamplingOptions]) -> Interval | None:
        """The confidence interval of a metric, by the bootstrap over names; None of one name.

        >>> names = {str(number): ["a"] for number in range(100)}
        >>> scores = rank_scores(names, {name: ["a" if int(name) % 2 else "b"] for name in names})
        >>> scores.interval("accuracy", seed=0)
        Interval(low=0.4, high=0.6)
        """
        return self.intervals(Resampling.of(**options), [metric])[metric]

    def intervals(
        self, resampling: Resampling, metrics: Sequence[str] | None = None
    ) -> dict[str, Interval | None]:
        """The intervals of several metrics, from the same resamples.

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
        """What resampling needs: the columns of these metrics, and how sums of them are scored.

        >>> scores = rank_scores({"bob": ["鲍勃"]}, {"bob": ["鲍勃"]})
        >>> scores.additive(["mrr"]).total["mrr"].value.item()
        1.0
        """
        chosen = self.metrics if metrics is None else list(dict.fromkeys(metrics))
        # Two columns a metric, so that systems with lists of other lengths have the same columns.
        places = [place for metric in chosen for place in self._places(metric)]
        rows = self.rows[:, places]
        columns = {metric: (2 * n, 2 * n + 1) for n, metric in enumerate(chosen)}

        def rates(sums: Floats) -> dict[str, Rates]:
            return {
                metric: Rates(None, None, ratio(sums[:, above], sums[:, below]))
                for metric, (above, below) in columns.items()
            }

        by_name = {metric: found.value for metric, found in rates(rows).items()}
        return Additive(rows, rates, columns, dict.fromkeys(columns, ratio), by_name)

    def select(self, numbers: Sequence[int]) -> RankingScores:
        """The scores of some names, by their numbers.

        >>> scores = rank_scores({"al": ["a"], "bo": ["b"]}, {"al": ["a"]})
        >>> scores.select([0]).accuracy
        1.0
        """
        by_name: dict[str, Any] = {
            column: tuple(getattr(self, column)[n] for n in numbers)
            for column in ("names", "references", "candidates", "ranks")
        }
        return replace(self, rows=self.rows[list(numbers)], **by_name)

    def _places(self, metric: str) -> tuple[int, int]:
        """The columns of a metric: what is added up, and by what it is divided."""
        if metric == "cer":
            return _COLUMNS.index("errors"), _COLUMNS.index("letters")
        if metric in METRICS and metric != "accuracy":
            return _COLUMNS.index(metric), 0
        depth = _WHOLE.fullmatch("accuracy@1" if metric == "accuracy" else str(metric))
        if not depth:
            raise unknown("metric", metric, [*METRICS, "accuracy@k"])
        if len(depth[1]) > 9 or int(depth[1]) > self.settings.most:
            raise UsageError("too-deep", metric=metric, most=self.settings.most)
        # Where no list is as long as k, further candidates would change nothing.
        return min(len(_COLUMNS) - 1 + int(depth[1]), len(self.columns) - 1), 0


def metric_title(metric: str) -> str:
    """How a metric is written in tables.

    >>> metric_title("map_ref"), metric_title("accuracy@5")
    ('MAP_ref', 'ACC@5')
    """
    return METRICS.get(metric) or metric.replace("accuracy", METRICS["accuracy"])


def rank_scores(
    references: Mapping[str, Sequence[str]] | Iterable[tuple[str, str]],
    candidates: Mapping[str, Sequence[Candidate]],
    *,
    variants: Iterable[Iterable[str]] | None = None,
    name: str = "",
    **options: Unpack[RankingOptions],
) -> RankingScores:
    """Score ranked candidates of names against references, by the metrics of the NEWS tasks.

    Of each name the first `most` candidates count (20). With ties `order` the list is the ranking.
    With `expected` candidates are ranked by their scores, the highest first, those of equal score
    come in random order, and every metric is the mean over these orders. Letters that are in one
    group of `variants` are the same letter; groups that share one are one group. With case `fold`
    capitals and small letters are the same. Names without candidates score 0.

    >>> references = {"alice": ["艾丽斯", "爱丽丝"], "bob": ["鲍勃"]}
    >>> candidates = {"alice": ["爱丽丝", "阿利斯"], "bob": ["博布", "鲍伯", "鲍勃"]}
    >>> scores = rank_scores(references, candidates)
    >>> scores.accuracy, round(scores.mrr, 4), scores.map_ref, scores.accuracy_at(3)
    (0.5, 0.6667, 0.375, 1.0)
    >>> other = {"alice": ["爱莉丝"], "bob": ["鲍勃"]}
    >>> rank_scores(references, other, variants=CHINESE_VARIANTS).accuracy
    1.0
    >>> tied = {"bob": [("鲍伯", 0.4), ("鲍勃", 0.4), ("博布", 0.2)]}
    >>> rank_scores({"bob": ["鲍勃"]}, tied, ties="expected").mrr
    0.75
    """
    settings = Ranking(**options)
    require(candidates, Mapping, "candidates", "a mapping such as {name: [candidate, …]}")
    same = _Same.of(settings.case, variants)
    tally: Counter[str] = Counter()
    wanted = _wanted(references, same, tally)
    given = _given(candidates, wanted, same, tally)
    names = [
        _score_name(one, given.get(source, []), same, settings, tally)
        for source, one in wanted.items()
    ]
    name = name or getattr(candidates, "name", "")
    tally["candidateless"] = sum(not one.candidates for one in names)
    if tally["candidateless"] == len(names) and any(candidates.values()):
        raise InputError([Problem("no-shared-candidates", name, count=len(names))])
    width = max([1, *(len(one.at) for one in names)])
    rows = np.array(
        [
            (1.0, *one.numbers, *one.at, *(one.at[-1:] or [0.0]) * (width - len(one.at)))
            for one in names
        ]
    )
    notes = [
        Note("note-of", note=note, how=whose)
        for whose, one in (("references", references), ("candidates", candidates))
        for note in getattr(one, "notes", ())
    ]
    return RankingScores(
        exactly_additive(rows),
        (*_COLUMNS, *(f"accuracy@{k}" for k in range(1, width + 1))),
        tuple(one.source for one in wanted.values()),
        tuple(tuple(one.references.values()) for one in wanted.values()),
        tuple(one.candidates for one in names),
        tuple(one.rank for one in names),
        settings,
        same.told,
        name,
        (*notes, *_notes(tally, len(names), settings)),
    )


@dataclass(frozen=True)
class _Same:
    """When two names are the same: by capitals, and by letters that alternate."""

    shown: Callable[[str], str]
    table: Mapping[str, str]  # a letter, and the one that stands for its group

    @classmethod
    def of(cls, case: str, variants: Iterable[Iterable[str]] | None) -> _Same:
        shown: Callable[[str], str] = _folded if case == "fold" else composed
        return cls(shown, _joined(variants or (), shown))

    def key(self, text: str) -> str:
        """The text that is the same for names that are."""
        text = self.shown(text.strip())
        if not self.table:
            return text
        return "".join([self.table.get(unit, unit) for unit in graphemes(text)])

    @property
    def told(self) -> str:
        """The variants in a signature: how many letters there are, and a sum over them."""
        if not self.table:
            return "none"
        groups: dict[str, list[str]] = defaultdict(list)
        for unit, first in self.table.items():
            groups[first].append(unit)
        text = "\n".join(sorted(" ".join(sorted(group)) for group in groups.values()))
        return f"{len(self.table)}-{sha256(text.encode()).hexdigest()[:8]}"


def _folded(text: str) -> str:
    """As `fold`, without its memory, from which millions of candidates push each other out."""
    if text.isascii():
        return text.lower()
    # Σ is the one letter whose small form depends on the letters around it.
    return fold(text) if "Σ" in text else composed(text.lower())


def _joined(variants: Iterable[Iterable[str]], shown: Callable[[str], str]) -> dict[str, str]:
    """Each letter, and the first in order of all that are linked to it."""
    if isinstance(variants, str):
        raise UsageError("variants-not-groups")
    members: dict[str, set[str]] = {}
    for group in variants:
        units = graphemes(shown(group)) if isinstance(group, str) else [*map(shown, group)]
        for unit in units:
            if len(graphemes(unit)) != 1:
                raise UsageError("variant-not-letter", value=unit)
        whole = set(units).union(*(members.get(unit, ()) for unit in units))
        members.update(dict.fromkeys(whole, whole))
    return {unit: min(whole) for unit, whole in members.items() if len(whole) > 1}


class _Wanted(NamedTuple):
    """A name as it was first written, and its references by what makes them the same."""

    source: str
    references: dict[str, str]


def _wanted(
    references: Mapping[str, Sequence[str]] | Iterable[tuple[str, str]],
    same: _Same,
    tally: Counter[str],
) -> dict[str, _Wanted]:
    """The names by what makes them the same, in the order they come."""
    found: dict[str, _Wanted] = {}
    written: dict[str, set[str]] = defaultdict(set)
    for source, target in _reference_pairs(references):
        key = same.shown(source)
        written[key].add(composed(source))
        targets = found.setdefault(key, _Wanted(source, {})).references
        again = same.key(target)
        tally["references-again"] += again in targets
        targets.setdefault(again, target)
    if not found:
        raise InputError([Problem("no-references", getattr(references, "name", ""))])
    tally["capitals"] = sum(len(forms) - 1 for forms in written.values())
    return found


def _reference_pairs(
    references: Mapping[str, Sequence[str]] | Iterable[tuple[str, str]],
) -> Iterator[tuple[str, str]]:
    """Names and references, one by one, if they are that."""
    if isinstance(references, str):
        raise UsageError("references-not-read")
    for entry in references.items() if isinstance(references, Mapping) else references:
        whole = isinstance(entry, Sequence) and not isinstance(entry, str) and len(entry) > 1
        if not whole or not isinstance(entry[0], str) or not isinstance(entry[1], Iterable):
            raise UsageError("not-a-reference", value=entry)
        source, targets = entry[0].strip(), entry[1]
        several = [targets] if isinstance(targets, str) else list(targets)
        if not source or not several or not all(isinstance(one, str) for one in several):
            raise UsageError("not-a-reference", value=entry)
        for target in several:
            if not target.strip():
                raise UsageError("empty-reference", source=source)
            yield source, target.strip()


def _given(
    candidates: Mapping[str, Sequence[Candidate]],
    wanted: Mapping[str, _Wanted],
    same: _Same,
    tally: Counter[str],
) -> dict[str, list[tuple[str, float | None]]]:
    """The lists of candidates of the names that have references."""
    given: dict[str, list[tuple[str, float | None]]] = {}
    for source, ranked in candidates.items():
        if not isinstance(source, str):
            raise UsageError("not-a-name", value=source)
        key = same.shown(source.strip())
        if key not in wanted:
            tally["strangers"] += 1
        elif key in given:
            tally["second-lists"] += 1
        else:
            given[key] = _listed(source, ranked)
    return given


def _listed(source: str, ranked: Sequence[Candidate]) -> list[tuple[str, float | None]]:
    """Candidates with their scores, or with None if they have none."""
    if isinstance(ranked, str):
        return [(ranked, None)]
    if not isinstance(ranked, Iterable):
        raise UsageError("not-candidates", how="list", source=source, value=ranked)
    found: list[tuple[str, float | None]] = []
    for one in ranked:
        if isinstance(one, str):
            found.append((one, None))
            continue
        try:
            target, score = one[0], float(one[1])
        except (TypeError, ValueError, LookupError):
            target, score = "", math.nan
        if not isinstance(target, str) or math.isnan(score):
            raise UsageError("not-candidates", how="one", source=source, value=one)
        found.append((target, score))
    if 0 < sum(score is None for _, score in found) < len(found):
        raise UsageError("not-candidates", how="mixed", source=source)
    return found


class _Ranked(NamedTuple):
    """What one name adds to the metrics."""

    candidates: tuple[str, ...]
    rank: int
    numbers: tuple[float, float, float, float, float]  # f, mrr, map_ref, errors, letters
    at: list[float]  # whether the first reference is among the first 1, 2, … candidates


class _Group(NamedTuple):
    """Candidates that come in random order, the references among them, and how many are before."""

    before: int
    keys: Sequence[str]
    right: int


def _score_name(
    wanted: _Wanted,
    given: Sequence[tuple[str, float | None]],
    same: _Same,
    settings: Ranking,
    tally: Counter[str],
) -> _Ranked:
    most, ties = settings.most, settings.ties
    scores = [score for _, score in given if score is not None]
    falling = scores == sorted(scores, reverse=True)
    if ties == "expected":
        if len(scores) < len(given):
            raise UsageError("ties-need-scores", source=wanted.source)
        if not falling:
            given = sorted(given, key=lambda one: -(one[1] or 0.0))
    tally["unsorted"] += not falling
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
        # What comes after these candidates changes no metric.
        seen = keys[: max(rank, len(wanted.references))]
        groups = [_Group(n, (key,), int(key in wanted.references)) for n, key in enumerate(seen)]
    else:
        groups = _groups(ranked, wanted.references)
        tally["tied"] += len(groups) < len(keys)
    at, reciprocal = _first_right(groups, min(len(keys), most), most)
    f, errors, letters = _closest(groups[0].keys if groups else [""], wanted.references)
    precision = _precision(groups, len(wanted.references), most)
    shown = tuple(text.strip() for text, _ in ranked.values())[:most]
    return _Ranked(
        shown, rank if rank <= most else 0, (f, reciprocal, precision, errors, letters), at
    )


def _groups(
    ranked: Mapping[str, tuple[str, float | None]], references: Mapping[str, str]
) -> list[_Group]:
    """The candidates by equal scores."""
    groups, before = [], 0
    for _, found in groupby(ranked.items(), key=lambda one: one[1][1]):
        keys = [key for key, _ in found]
        groups.append(_Group(before, keys, sum(key in references for key in keys)))
        before += len(keys)
    return groups


def _first_right(groups: Sequence[_Group], length: int, most: int) -> tuple[list[float], float]:
    """How probably a reference is among the first 1, 2, … candidates, and the mean of 1 / rank.

    Of g candidates in random order, c of which are right, the first m are all wrong in
    C(g−m, c) of C(g, c) cases, and the first right one is at place j in C(g−j, c−1) of them.
    """
    first = next((group for group in groups if group.right), None)
    if first is None:
        return [0.0] * length, 0.0
    before, size, right = first.before, len(first.keys), first.right
    if size == right:
        hits = before < most
        at = [float(k > before) for k in range(1, length + 1)]
        return at, 1 / (before + 1) if hits else 0.0
    ways = math.comb(size, right)
    at = [
        1 - math.comb(size - min(max(k - before, 0), size), right) / ways
        for k in range(1, length + 1)
    ]
    reciprocal = math.fsum(
        math.comb(size - place, right - 1) / ways / (before + place)
        for place in range(1, min(size - right + 1, most - before) + 1)
    )
    return at, reciprocal


def _precision(groups: Sequence[_Group], wanted: int, most: int) -> float:
    """The mean precision of the first 1, 2, … candidates, up to as many as are wanted.

    Of a group in random order, every place is right with the same probability.
    """
    places: list[float] = []
    for group in groups:
        if len(places) >= wanted:
            break
        places += [group.right / len(group.keys)] * len(group.keys)
    total = found = 0.0
    for k in range(1, wanted + 1):
        found += places[k - 1] if k <= min(len(places), most) else 0.0
        total += found / k
    return total / wanted


def _closest(keys: Sequence[str], references: Mapping[str, str]) -> tuple[float, float, float]:
    """F, edits and letters of the reference closest to the first candidate.

    If several candidates may be the first, these are means over them.
    """
    numbers = []
    for key in keys:
        units = graphemes(key)
        if key in references:
            numbers.append((1.0, 0, len(units)))
            continue
        f, edits, letters, apart = 0.0, math.inf, 0, math.inf
        for reference in references:
            other = graphemes(reference)
            common, distance = _compared(units, other)
            both = len(units) + len(other)
            share = 2 * common / both
            if (both - 2 * common, -share) < (apart, -f):
                apart, f = both - 2 * common, share
            if (distance, -len(other)) < (edits, -letters):
                edits, letters = distance, len(other)
        numbers.append((f, int(edits), letters))
    share, errors, length = (math.fsum(column) / len(keys) for column in zip(*numbers, strict=True))
    return share, errors, length


def _compared(one: Sequence[str], two: Sequence[str]) -> tuple[int, int]:
    """The length of the longest common subsequence, and the Levenshtein distance.

    A column of the dynamic programme is two differences a row, which are bits of whole numbers
    (Myers 1999; Hyyrö 2004, "Bit-parallel LCS-length computation revisited"): `common` has a 0
    where the subsequence grows, `up` and `down` a 1 where the distance does and where it falls.
    """
    if not one or not two:
        return 0, max(len(one), len(two))
    places: dict[str, int] = defaultdict(int)
    for place, unit in enumerate(one):
        places[unit] |= 1 << place
    every, last = (1 << len(one)) - 1, 1 << (len(one) - 1)
    common = up = every
    down, distance = 0, len(one)
    for unit in two:
        equal = places.get(unit, 0)
        shared = common & equal
        common = ((common + shared) | (common - shared)) & every
        level = equal | down
        along = (((equal & up) + up) ^ up) | equal
        grows = down | (every & ~(along | up))
        falls = up & along
        distance += bool(grows & last) - bool(falls & last)
        grows = ((grows << 1) | 1) & every
        falls = (falls << 1) & every
        up = falls | (every & ~(level | grows))
        down = grows & level
    return len(one) - common.bit_count(), distance


#: What is counted on the way, in the order of the notes; each is the code of a note.
_COUNTED = (
    *("candidateless", "strangers", "capitals", "second-lists", "cut", "candidates-again"),
    *("references-again", "unsorted", "tied"),
)


def _notes(tally: Counter[str], names: int, settings: Ranking) -> list[Note]:
    """What was left out, joined or odd."""
    values = {"most": settings.most, "how": settings.ties}
    return [
        Note(
            code,
            count=tally[code],
            total=names,
            values=values if code in ("cut", "unsorted") else {},
        )
        for code in _COUNTED
        if tally[code]
    ]
