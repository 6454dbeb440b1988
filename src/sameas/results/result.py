"""What a scoring gives back: scores in total, by document and by group, and what was noted."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from sameas.arithmetic.arrays import Bools
from sameas.arithmetic.scores import Rates, Score, ratio
from sameas.authorities import authority_of
from sameas.errors import Problem, UsageError, require, unknown
from sameas.matching.matching import Matching
from sameas.metrics.statistics import METRICS, Statistics
from sameas.notes import Note, add_notes
from sameas.presented import PresentedInNotebooks
from sameas.results.joining import Seen, join_results, number_again
from sameas.sentences import of_records
from sameas.settings import Average, Resampling, Settings, Signature

if TYPE_CHECKING:  # what chance is about is loaded when somebody asks for it
    from sameas.chance.resampling import Additive, Floats, Interval, Intervals

__all__ = ["DocumentResult", "Result"]

PARTS = ("f1", "recall", "precision")


@dataclass(frozen=True, eq=False, repr=False)
class Result(PresentedInNotebooks):
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
    notes: Sequence[Note] = ()
    problems: Sequence[Problem] = ()
    matchings: Sequence[Matching] = ()  # for breakdowns; none once documents were selected
    genres: Mapping[str, str] = field(default_factory=dict)  # of documents that say it
    seen: Seen = (0, 0, 0)  # how many mentions the key, the response and both have
    of_records: bool = False  # tables of records were scored, and texts have their words

    def __getstate__(self) -> dict[str, Any]:
        """For pickles and copies: the numbers, without the documents behind them."""
        return {**self.__dict__, "matchings": ()}

    def __getitem__(self, metric: str) -> Score:
        """The score of one metric, in total."""
        require(metric, str, "a metric", "the name of one")
        if metric not in self.statistics.columns:
            if metric in METRICS:
                raise UsageError("not-scored", metric=metric)
            raise unknown("metric", metric, self.statistics.columns)
        if metric not in self._scores:
            self._scores[metric] = self._compute(metric)
        return self._scores[metric]

    @cached_property
    def _scores(self) -> dict[str, Score]:
        return {}

    def _compute(self, metric: str) -> Score:
        parts = METRICS[metric].average_of
        if parts:
            return METRICS[metric].rates(*(self[part].value for part in parts)).score
        if self.settings.average == "macro":
            return _mean(*self.rates_by_document(metric))
        return self.scoring(metric)(*self.statistics.total(metric)).score

    def scoring(self, metric: str) -> Callable[..., Rates]:
        """The function that scores sums of a metric's columns."""
        return authority_of(self.settings).scoring(metric).rates

    def rates_by_document(self, metric: str) -> tuple[Rates, Bools]:
        """The metric's rates in each document, and where it has anything to count."""
        columns = self.statistics.exact(metric)
        rates = self.scoring(metric)(*columns)
        # BLANC has an answer for a document without links, as long as it has mentions.
        numbers = rates.counts if rates.coref is None else columns
        return rates, _any(numbers)

    def _values(self, metric: str) -> tuple[Floats, Bools]:
        """The headline number in each document, and where there is anything to count."""
        parts = METRICS[metric].average_of
        if not parts:
            rates, counted = self.rates_by_document(metric)
            return np.where(counted, rates.value, 0.0), counted
        values, has = zip(*map(self._values, parts), strict=True)
        return METRICS[metric].rates(*values).value, np.any(has, axis=0)

    def by_document(self) -> Iterator[dict[str, float | None]]:
        """The headline number of each metric in each document; None where nothing is to count.

        >>> import sameas
        >>> list(sameas.score([["a"]], [["a"]], metrics=["muc", "b3"]).by_document())
        [{'muc': None, 'b3': 1.0}]
        """
        columns = []
        for metric in self.metrics:
            pairs = zip(*(part.tolist() for part in self._values(metric)), strict=True)
            columns.append([value if has else None for value, has in pairs])
        for row in zip(*columns, strict=True):
            yield dict(zip(self.metrics, row, strict=True))

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
            raise unknown("part", part, PARTS)
        return self.intervals(Resampling.of(**options))[metric].as_dict().get(part)

    def intervals(self, resampling: Resampling | None = None) -> dict[str, Intervals]:
        """The confidence intervals of every metric, from the same resamples.

        >>> import sameas
        >>> from sameas.examples import example_path
        >>> result = sameas.score(example_path("key.conll"), example_path("eager.conll"))
        >>> result.intervals()["conll"].recall is None
        True
        """
        from sameas.chance.resampling import Intervals, bootstrap

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
        from sameas.results.additive import additive_of

        return additive_of(self)

    @property
    def remarks(self) -> list[Note]:
        """The notes, the warnings on reading, and which documents a macro average leaves out."""
        remarks = list(self.notes)
        if self.problems:
            first = self.problems[0]
            where = f"{first.place}: {first.message}" if first.place else first.message
            remarks.append(Note("warned", count=len(self.problems), names=[where]))
        if self.settings.average == "macro":
            for metric in self.metrics:
                if METRICS[metric].average_of:
                    continue
                counted = int(self.rates_by_document(metric)[1].sum())
                if counted < len(self):
                    title = METRICS[metric].title
                    remarks.append(Note("left-out", count=counted, total=len(self), metric=title))
        return [note.of_records() for note in remarks] if self.of_records else remarks

    def worded(self, text: str) -> str:
        """Return one of our texts in the words of what was scored: mentions, or records.

        >>> import sameas
        >>> sameas.score({"a": 1, "b": 1}, {"a": 1, "b": 2}).worded("mentions of the key")
        'records of the truth'
        """
        return of_records(text) if self.of_records else text

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
            raise UsageError("select", most=len(self), value=numbers)
        statistics = self.statistics.select(np.array(numbers, dtype=np.int64))
        return replace(self, statistics=statistics, matchings=())

    def average(self, average: Average) -> Result:
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
        from sameas.results.groups import split_result

        return split_result(self, group)

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
            raise UsageError("add-settings")
        ours = list(self.statistics.documents)
        theirs = number_again(other.statistics.documents, ours)
        shared = set(ours) & set(theirs)
        if shared:
            raise UsageError("add-document", document=min(shared))
        named = replace(other, statistics=replace(other.statistics, documents=theirs))
        whole = join_results([self, named])
        # Each may be a table of records, which one scoring of several documents is not.
        samples = [note for note in (*self.notes, *other.notes) if note.code == "sample"]
        return replace(whole, notes=add_notes([*whole.notes, *samples]))

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
            shown["notes"] = list(map(str, self.remarks))
        return shown

    def __repr__(self) -> str:
        """One line: what was scored and its headline numbers."""
        scores = ", ".join(f"{name} {100 * self[name].value:.2f}" for name in self.metrics)
        return f"<Result {self.name}: {len(self)} documents, {scores}>"


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


def _any(columns: Iterable[Any] | None) -> Bools:
    """Where one of the columns is not 0."""
    found: Bools = np.any([column != 0 for column in columns or ()], axis=0)
    return found


def _mean(rates: Rates, counted: Bools) -> Score:
    """The mean of scores, without counts: sums over documents do not give it."""

    def mean(column: Floats) -> float:
        return float(ratio(math.fsum(column[counted]), int(counted.sum())))

    def part(rates: Rates | None) -> Score | None:
        has = counted if rates is None else counted & _any(rates.counts)
        return _mean(rates, has) if rates is not None and has.any() else None

    if rates.recall is None:
        return Score(mean(rates.value), counts=())
    numbers = (mean(rates.value), mean(rates.recall), mean(rates.precision))
    return Score(*numbers, None, part(rates.coref), part(rates.noncoref))
