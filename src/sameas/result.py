"""What a scoring gives back: scores in total, by document and by group, and what was noted."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from sameas.coref.breakdown import CLASSES, in_order, require_labels, restrict
from sameas.coref.contingency import contingency
from sameas.coref.matching import Matching
from sameas.coref.metrics import blanc_rates, blanc_score
from sameas.coref.statistics import METRICS, Statistics, measure
from sameas.errors import Problem, UsageError, require, suggest
from sameas.notes import APART, NO_DOCUMENT, add_notes
from sameas.resampling import Additive, Floats, Interval, Intervals, bootstrap, exactly_additive
from sameas.scores import Rates, Score, ratio, ratios
from sameas.signature import Resampling, Settings, Signature

__all__ = ["DocumentResult", "Result", "join_notes"]

PARTS = ("f1", "recall", "precision")


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """The scores of one response against one key.

    >>> import sameas
    >>> result = sameas.score([["a", "b", "c"], ["d"]], [["b", "c"], ["d", "e"]])
    >>> result["b3"].counts, round(result.conll.f1, 4)
    ((2.3333333333333335, 4, 2.5, 4), 0.6123)
    """

    statistics: Statistics
    settings: Settings
    metrics: Sequence[str]
    name: str = "response"
    notes: Sequence[str] = ()
    problems: Sequence[Problem] = ()
    matchings: Sequence[Matching] = ()  # for breakdowns; none once documents were selected
    genres: Mapping[str, str] = field(default_factory=dict)  # of documents that say it

    def __getstate__(self) -> dict[str, Any]:
        """For pickles and copies: the numbers, without the documents behind them."""
        return {**self.__dict__, "matchings": ()}

    def __getitem__(self, metric: str) -> Score:
        """The score of one metric, in total."""
        if not isinstance(metric, str):
            raise UsageError(f"a metric's name is wanted, not {metric!r:.60}")
        if metric not in self.statistics.columns:
            if metric in METRICS:
                raise UsageError(f"{metric} was not scored; ask for it: metrics=[…, {metric!r}]")
            raise UsageError(f"unknown metric {metric}: {suggest(metric, self.statistics.columns)}")
        if metric not in self._scores:
            self._scores[metric] = self._compute(metric)
        return self._scores[metric]

    @cached_property
    def _scores(self) -> dict[str, Score]:
        return {}

    def _compute(self, metric: str) -> Score:
        parts = METRICS[metric].average_of
        if parts:
            return METRICS[metric].score(*(self[part].value for part in parts))
        total = self._score(metric, self.statistics.total(metric))
        return total if self.settings.average == "micro" else self._macro(metric, total)

    def _score(self, metric: str, numbers: tuple[float, ...]) -> Score:
        if metric == "blanc":
            return blanc_score(self.settings.blanc)(*numbers)
        return METRICS[metric].score(*numbers)

    def _macro(self, metric: str, total: Score) -> Score:
        """The mean over the documents in which the metric has anything to count."""
        scores = [score for score in self._by_document(metric) if score is not None]
        return _mean(scores, total)

    def _by_document(self, metric: str) -> Iterator[Score | None]:
        """The metric's score in each document; None where it has nothing to count."""
        for number in range(len(self)):
            row = self.statistics.row(metric, number)
            score = self._score(metric, row)
            # BLANC has an answer for a document without links, as long as it has mentions.
            yield score if any(row if score.coref else score.counts or ()) else None

    def by_document(self) -> Iterator[dict[str, float | None]]:
        """The headline number of each metric in each document; None where nothing is to count.

        >>> import sameas
        >>> list(sameas.score([["a"]], [["a"]], metrics=["muc", "b3"]).by_document())
        [{'muc': None, 'b3': 1.0}]
        """
        columns = {}
        for metric in self.metrics:
            parts = METRICS[metric].average_of
            if not parts:
                columns[metric] = [score and score.value for score in self._by_document(metric)]
                continue
            values = [[score and score.value for score in self._by_document(part)]
                      for part in parts]  # fmt: skip
            columns[metric] = [
                METRICS[metric].score(*(value or 0.0 for value in row)).value
                if any(value is not None for value in row)
                else None
                for row in zip(*values, strict=True)
            ]
        for row in zip(*columns.values(), strict=True):
            yield dict(zip(columns, row, strict=True))

    def interval(self, metric: str, part: str = "f1", **options: Any) -> Interval | None:
        """The confidence interval of a metric's F1, `recall` or `precision`.

        By the bootstrap over documents; the options are those of `sameas.Resampling`: `interval`
        (percentile or bca), `confidence`, `samples`, `seed`. None for a single document, and for
        a part that the metric does not have.

        >>> import sameas
        >>> from sameas.examples import example_path
        >>> result = sameas.score(example_path("key.conll"), example_path("eager.conll"))
        >>> low, high = result.interval("b3", samples=1000, seed=0)
        >>> round(low, 3), round(high, 3)
        (0.69, 0.952)
        """
        self[metric]  # says what is wrong with the name
        if part not in PARTS:
            raise UsageError(f"unknown part {part}: {suggest(str(part), PARTS)}")
        return self.intervals(Resampling.of(**options))[metric].as_dict().get(part)

    def intervals(self, resampling: Resampling | None = None) -> dict[str, Intervals]:
        """The confidence intervals of every metric, from the same resamples.

        >>> import sameas
        >>> from sameas.examples import example_path
        >>> result = sameas.score(example_path("key.conll"), example_path("eager.conll"))
        >>> result.intervals()["conll"].recall is None
        True
        """
        resampling = Resampling() if resampling is None else resampling
        require(resampling, Resampling, "resampling", "a sameas.Resampling")
        if resampling not in self._intervals:
            found = {metric: Intervals(None, None, None) for metric in self.statistics.columns}
            if len(self) > 1:
                rows = self.in_order().additive()
                found = bootstrap({"": rows}, resampling)[""].intervals(resampling)
            self._intervals[resampling] = found
        return self._intervals[resampling]

    @cached_property
    def _intervals(self) -> dict[Resampling, dict[str, Intervals]]:
        return {}

    def in_order(self) -> Result:
        """The same with its documents in the order of their names.

        So they are resampled: chance does not depend on the order of a file, nor on the engine.

        >>> import sameas
        >>> key = [sameas.Document.from_clusters(name, [["x"]]) for name in "ba"]
        >>> sameas.score(key, key).in_order().statistics.documents
        ['a', 'b']
        """
        names = self.statistics.documents
        order = sorted(range(len(names)), key=names.__getitem__)
        return self if order == list(range(len(names))) else self.select(order)

    def additive(self) -> Additive:
        """The numbers behind the scores, one row a document, and how their sum is scored."""
        macro = self.settings.average == "macro"
        measured = [name for name in self.statistics.columns if not METRICS[name].average_of]
        averages = [name for name in self.statistics.columns if METRICS[name].average_of]
        functions = {metric: self._rates(metric) for metric in measured}
        columns: list[Any] = []
        used: dict[str, list[int]] = {}
        by_document: dict[str, Floats] = {}
        for metric in measured:
            numbers = self._macro_columns(metric) if macro else self.statistics.columns[metric]
            used[metric] = list(range(len(columns), len(columns) + len(numbers)))
            columns.extend(numbers)
            # Where there is nothing to count, nothing is wrong.
            counted = numbers[3] > 0 if macro else np.any(np.array(numbers) != 0, axis=0)
            alone = functions[metric](*numbers).value
            by_document[metric] = np.where(counted, alone, 1.0)

        def rates(sums: Floats) -> dict[str, Rates]:
            found = {metric: functions[metric](*sums.T[used[metric]]) for metric in measured}
            for metric in averages:
                parts = (found[part].value for part in METRICS[metric].average_of)
                found[metric] = METRICS[metric].rates(*parts)
            return found

        def value_of(metric: str) -> Callable[..., Floats]:
            return lambda *numbers: functions[metric](*numbers).value

        def mean_of(metric: str) -> Callable[..., Floats]:
            def mean(*numbers: Floats) -> Floats:
                rest = iter(numbers)
                parts = (
                    functions[part](*(next(rest) for _ in used[part])).value
                    for part in METRICS[metric].average_of
                )
                return METRICS[metric].rates(*parts).value

            return mean

        values = {metric: value_of(metric) for metric in measured}
        for metric in averages:
            values[metric] = mean_of(metric)
            parts = METRICS[metric].average_of
            used[metric] = [column for part in parts for column in used[part]]
            by_document[metric] = (
                METRICS[metric].rates(*(by_document[part] for part in parts)).value
            )
        rows = np.array(columns, dtype=np.float64).reshape(len(columns), len(self)).T
        return Additive(exactly_additive(rows), rates, used, values, by_document)

    def _rates(self, metric: str) -> Callable[..., Rates]:
        """How sums of the metric's columns are scored."""
        if self.settings.average == "macro":
            rated = self[metric].recall is not None

            def means(recall: Floats, precision: Floats, value: Floats, counted: Floats) -> Rates:
                parts = [ratios(part, counted) for part in (recall, precision, value)]
                return Rates(*parts) if rated else Rates(None, None, parts[2])

            return means
        return blanc_rates(self.settings.blanc) if metric == "blanc" else METRICS[metric].rates

    def _macro_columns(self, metric: str) -> Floats:
        """Recall, precision and value of each document, and 1 where there is anything to count."""
        rows = [
            (0.0, 0.0, 0.0, 0.0)
            if score is None
            else (score.recall or 0.0, score.precision or 0.0, score.value, 1.0)
            for score in self._by_document(metric)
        ]
        return np.array(rows, dtype=np.float64).reshape(len(self), 4).T

    @property
    def remarks(self) -> list[str]:
        """The notes, and for a macro average the documents that a metric leaves out."""
        remarks = list(self.notes)
        if self.problems:
            number = len(self.problems)
            remarks.append(
                f"{number} warning{'s' * (number > 1)} on reading, the first: "
                + str(replace(self.problems[0], hint="", severity="error"))
            )
        if self.settings.average == "macro":
            for metric in self.metrics:
                if METRICS[metric].average_of:
                    continue
                counted = sum(score is not None for score in self._by_document(metric))
                if counted < len(self):
                    remarks.append(
                        f"{METRICS[metric].title} is averaged over {counted} of {len(self)} "
                        "documents; the others have nothing to count"
                    )
        return remarks

    @property
    def conll(self) -> Score:
        """The CoNLL average."""
        return self["conll"]

    @property
    def signature(self) -> str:
        """Everything that can move a digit, in one line."""
        return str(Signature(self.settings, len(self)))

    def __len__(self) -> int:
        """The number of documents scored."""
        return len(self.statistics.documents)

    @property
    def documents(self) -> list[DocumentResult]:
        """One entry a document, in the order of the key."""
        return [
            DocumentResult(name, self, number)
            for number, name in enumerate(self.statistics.documents)
        ]

    def select(self, numbers: Sequence[int]) -> Result:
        """The result of some documents only, by their numbers."""
        listed = isinstance(numbers, Iterable) and not isinstance(numbers, (str, bytes, Mapping))
        whole = listed and all(
            isinstance(number, (int, np.integer)) and -len(self) <= number < len(self)
            for number in numbers
        )
        if not whole:
            raise UsageError(
                f"documents are selected by their numbers, below {len(self)}, not {numbers!r:.60}"
            )
        statistics = self.statistics.select(np.array(numbers, dtype=np.int64))
        return replace(self, statistics=statistics, matchings=())

    def average(self, average: str) -> Result:
        """The same scoring, averaged `micro` (sum the counts) or `macro` (mean of documents)."""
        return replace(self, settings=replace(self.settings, average=average))

    @property
    def key_mentions(self) -> int:
        """How many mentions of the key were scored."""
        return sum(len(matching.key.mention) for matching in self.matchings)

    def by(self, group: str | Callable[[str], str]) -> dict[str, Result]:
        """The results of groups of documents, or of classes of mentions.

        `group` is `genre` (what the file says, or what a name has before its first `/`, or else
        `_`), a regular expression whose first group names the group, or a function of the
        document's name. `type` (of the entity), `kind` (name, nominal, pronoun, zero) and `size`
        (of the entity) score the mentions of each class by themselves: a response mention belongs
        to the class of the key mention it matches, or else to its own.

        >>> import sameas
        >>> names = ("bn/1", "bn/2", "nw/1")
        >>> key = [sameas.Document.from_clusters(name, [["a", "b"]]) for name in names]
        >>> {genre: len(part) for genre, part in sameas.score(key, key).by("genre").items()}
        {'bn': 2, 'nw': 1}
        """
        if isinstance(group, str) and group in CLASSES:
            return self._by_class(group)
        function = _grouping(group, self.genres) if isinstance(group, str) else group
        if not callable(function):
            raise UsageError("groups are named by a word, a regular expression or a function")
        members: dict[str, list[int]] = {}
        for number, name in enumerate(self.statistics.documents):
            members.setdefault(str(function(name)), []).append(number)
        return {name: self.select(numbers) for name, numbers in sorted(members.items())}

    def _by_class(self, by: str) -> dict[str, Result]:
        if not self.matchings:
            raise UsageError(
                f"{by} classes are those of a whole scoring, as `score` gives it: "
                "not of selected documents, and not after pickling"
            )
        found = [restrict(matching, by) for matching in self.matchings]
        require_labels(self.matchings, by)
        results: dict[str, Result] = {}
        for label in sorted({label for parts in found for label in parts}, key=in_order(by)):
            parts = [
                part[label] if label in part else _nothing(matching)
                for part, matching in zip(found, self.matchings, strict=True)
            ]
            rows = [measure(contingency(part), self.metrics, part) for part in parts]
            statistics = sum(rows[1:], start=rows[0])
            statistics = replace(statistics, documents=self.statistics.documents)
            results[label] = replace(
                self, statistics=statistics, name=label, notes=(), matchings=parts
            )
        return results

    def __iter__(self) -> Iterator[str]:
        """The names of the metrics."""
        return iter(self.metrics)

    def __contains__(self, metric: object) -> bool:
        """Whether a metric was scored."""
        return metric in self.metrics

    def __eq__(self, other: object) -> bool:
        """Whether both have the same documents, settings and numbers."""
        if not isinstance(other, Result):
            return NotImplemented
        return (
            self.settings == other.settings
            and tuple(self.metrics) == tuple(other.metrics)
            and self.statistics.equal(other.statistics)
        )

    def __hash__(self) -> int:
        return hash((self.settings, tuple(self.metrics), tuple(self.statistics.documents)))

    def __radd__(self, other: object) -> Result:
        """`sum(results)` starts from 0."""
        return self if other == 0 and isinstance(other, int) else NotImplemented

    def __add__(self, other: object) -> Result:
        """The result of both sets of documents, which must be disjoint and scored alike.

        Documents that came without a name, as plain clusters do, are numbered.
        """
        if not isinstance(other, Result):
            return NotImplemented
        if self.settings != other.settings or tuple(self.metrics) != tuple(other.metrics):
            raise UsageError("results scored in different ways do not add")
        ours = list(self.statistics.documents)
        theirs = _numbered(other.statistics.documents, ours)
        shared = set(ours) & set(theirs)
        if shared:
            raise UsageError(
                f"results of the same document do not add: {sorted(shared)[0]}; "
                "sameas.Document.from_clusters(name, clusters) gives clusters a name"
            )
        return replace(
            self,
            statistics=self.statistics + replace(other.statistics, documents=theirs),
            notes=_added_notes(self, other),
            problems=[*self.problems, *other.problems],
            matchings=[*self.matchings, *other.matchings],
            genres={**self.genres, **other.genres},
        )

    def as_dict(self, resampling: Resampling | None = None) -> dict[str, Any]:
        """The result as JSON shows it, with intervals if `resampling` says how to make them."""
        metrics = {name: self[name].as_dict() for name in self.metrics}
        if resampling:
            for name, found in self.intervals(resampling).items():
                if name in metrics:
                    metrics[name]["interval"] = found.as_dict()
        shown: dict[str, Any] = {
            "signature": str(Signature(self.settings, len(self), resampling=resampling)),
            "response": self.name,
            "documents": len(self),
            "metrics": metrics,
        }
        if self.remarks:
            shown["notes"] = self.remarks
        return shown

    def __repr__(self) -> str:
        """One line: what was scored and its headline numbers."""
        scores = ", ".join(f"{name} {100 * self[name].value:.2f}" for name in self.metrics)
        return f"<Result {self.name}: {len(self)} documents, {scores}>"

    def __str__(self) -> str:
        """A table of at most 80 columns that ends with the signature."""
        from sameas.output import render

        return render([self], "text")

    def _repr_html_(self) -> str:
        from sameas.output import render

        return render([self], "html")


@dataclass(frozen=True, eq=False, repr=False)
class DocumentResult:
    """The scores of one document.

    >>> import sameas
    >>> sameas.score([["a", "b"]], [["a", "b"]]).documents[0]["muc"].f1
    1.0
    """

    name: str
    result: Result
    number: int

    def __getitem__(self, metric: str) -> Score:
        """The score of one metric in this document."""
        return self._alone[metric]

    @cached_property
    def _alone(self) -> Result:
        return self.result.select([self.number])

    def __iter__(self) -> Iterator[str]:
        """The names of the metrics."""
        return iter(self.result.metrics)

    def __repr__(self) -> str:
        """One line: the document and its headline numbers."""
        scores = ", ".join(f"{name} {100 * self[name].value:.2f}" for name in self)
        return f"<DocumentResult {self.name}: {scores}>"


def join_notes(named: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    """The notes of several results: what all of them say, once; then whose the others are.

    >>> join_notes([("a", ["few names", "short"]), ("b", ["few names"])])
    ['few names', 'a: short']
    """
    shared = [note for note in named[0][1] if all(note in notes for _, notes in named)]
    return [
        *dict.fromkeys(shared),
        *(f"{name}: {note}" for name, notes in named for note in notes if note not in shared),
    ]


def _numbered(names: Sequence[str], taken: Sequence[str]) -> list[str]:
    """The names, with new numbers for documents that have none and are taken already."""
    used, numbered = {*names, *taken}, []
    number = len(taken)
    for name in names:
        if name in taken and re.fullmatch(r"document( \(\d+\))?", name):
            while name in used:
                number += 1
                name = f"document ({number})"
            used.add(name)
        numbered.append(name)
    return numbered


def _mean(scores: Sequence[Score], total: Score) -> Score:
    """The mean of scores, without counts: sums over documents do not give it."""

    def mean(name: str) -> float:
        return ratio(math.fsum(getattr(score, name) for score in scores), len(scores))

    def part(name: str) -> Score | None:
        whole: Score | None = getattr(total, name)
        parts = [getattr(score, name) for score in scores]
        counted = [part for part in parts if part is not None and any(part.counts)]
        return _mean(counted, whole) if whole is not None and counted else None

    if total.recall is None:
        return Score(mean("value"), counts=())
    return Score(
        mean("value"),
        mean("recall"),
        mean("precision"),
        coref=part("coref"),
        noncoref=part("noncoref"),
    )


def _nothing(matching: Matching) -> Matching:
    """The same documents without any mention."""
    none = np.zeros(len(matching.key.mention), dtype=np.bool_)
    other = np.zeros(len(matching.response.mention), dtype=np.bool_)
    return replace(matching, key=matching.key.keep(none), response=matching.response.keep(other))


def _grouping(group: str, genres: Mapping[str, str]) -> Callable[[str], str]:
    if group == "genre":
        return lambda name: genres.get(name) or name.split("/" if "/" in name else "_", 1)[0]
    try:
        pattern = re.compile(group)
    except re.error as error:
        raise UsageError(f"{group!r} is not a regular expression: {error}") from None

    def function(name: str) -> str:
        match = pattern.search(name)
        if not match:
            return "(other)"
        named = pattern.groups and match[1] is not None
        return (match[1] if named else match[0]) or "(other)"

    return function


def _added_notes(one: Result, other: Result) -> list[str]:
    """The notes of both, with the numbers in them added; what holds of one alone is left out."""
    kept = []
    for ours, theirs in ((one, other), (other, one)):
        for note in ours.notes:
            of_all = note in (APART, NO_DOCUMENT)
            if not of_all or note in theirs.notes or not len(theirs):
                kept.append(note)
    return add_notes(kept)
