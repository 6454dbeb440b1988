"""What a scoring gives back: scores in total, by document and by group, and what was noted."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from sameas.arithmetic.arrays import Bools
from sameas.arithmetic.scores import Rates, Score, ratio
from sameas.authorities import authority_of
from sameas.errors import Problem, UsageError, require, sort_problems, unknown
from sameas.matching.breakdown import CLASSES, in_order, require_labels, restrict
from sameas.matching.matching import Matching
from sameas.metrics.contingency import contingency
from sameas.metrics.statistics import METRICS, Statistics, join_statistics
from sameas.notes import Note, add_notes
from sameas.presented import PresentedInNotebooks
from sameas.settings import Average, Resampling, Settings, Signature

if TYPE_CHECKING:  # what chance is about is loaded when somebody asks for it
    from sameas.chance.resampling import Additive, Floats, Interval, Intervals

__all__ = ["DocumentResult", "Result", "Seen", "join_results", "notes_of"]

PARTS = ("f1", "recall", "precision")


Seen = tuple[int, int, int]


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
            return _mean(*self._by_document(metric))
        return self._scoring(metric)(*self.statistics.total(metric)).score

    def _scoring(self, metric: str) -> Callable[..., Rates]:
        return authority_of(self.settings).scoring(metric).rates

    def _by_document(self, metric: str) -> tuple[Rates, Bools]:
        """The metric's rates in each document, and where it has anything to count."""
        columns = self.statistics.exact(metric)
        rates = self._scoring(metric)(*columns)
        # BLANC has an answer for a document without links, as long as it has mentions.
        numbers = rates.counts if rates.coref is None else columns
        return rates, _any(numbers)

    def _values(self, metric: str) -> tuple[Floats, Bools]:
        """The headline number in each document, and where there is anything to count."""
        parts = METRICS[metric].average_of
        if not parts:
            rates, counted = self._by_document(metric)
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
        from sameas.chance.resampling import Additive, exactly_additive

        macro = self.settings.average == "macro"
        names = list(self.statistics.columns)
        parts = {name: METRICS[name].average_of or (name,) for name in names}
        functions: dict[str, Callable[..., Rates]] = {}
        columns: list[Any] = []
        used: dict[str, list[int]] = {}
        by_document: dict[str, Floats] = {}
        for metric in (name for name in names if parts[name] == (name,)):
            numbers = self._macro_columns(metric) if macro else self.statistics.columns[metric]
            used[metric] = list(range(len(columns), len(columns) + len(numbers)))
            columns.extend(numbers)
            functions[metric] = self._rates(metric)
            # Where there is nothing to count, nothing is wrong.
            counted = numbers[3] > 0 if macro else _any(numbers)
            by_document[metric] = np.where(counted, functions[metric](*numbers).value, 1.0)

        def mean(metric: str, values: Iterable[Floats]) -> Rates:
            return METRICS[metric].rates(*values)

        def rates(sums: Floats) -> dict[str, Rates]:
            found = {name: function(*sums.T[used[name]]) for name, function in functions.items()}
            for name in averages:
                found[name] = mean(name, (found[part].value for part in parts[name]))
            return found

        def value_of(metric: str) -> Callable[..., Floats]:
            def value(*numbers: Floats) -> Floats:
                rest = iter(numbers)
                values = [
                    functions[part](*(next(rest) for _ in used[part])).value
                    for part in parts[metric]
                ]
                found: Floats = mean(metric, values).value if metric in averages else values[0]
                return found

            return value

        averages = [name for name in names if name not in functions]
        for name in averages:
            used[name] = [column for part in parts[name] for column in used[part]]
            by_document[name] = mean(name, (by_document[part] for part in parts[name])).value
        rows = np.array(columns, dtype=np.float64).reshape(len(columns), len(self)).T
        values = {name: value_of(name) for name in names}
        return Additive(exactly_additive(rows), rates, used, values, by_document)

    def _rates(self, metric: str) -> Callable[..., Rates]:
        """How sums of the metric's columns are scored."""
        if self.settings.average == "macro":
            rated = self[metric].recall is not None

            def means(recall: Floats, precision: Floats, value: Floats, counted: Floats) -> Rates:
                parts = [ratio(part, counted) for part in (recall, precision, value)]
                return Rates(*parts) if rated else Rates(None, None, parts[2])

            return means
        return self._scoring(metric)

    def _macro_columns(self, metric: str) -> Floats:
        """Recall, precision and value of each document, and 1 where there is anything to count."""
        rates, counted = self._by_document(metric)
        columns = np.zeros((4, len(self)))
        columns[3] = counted
        for column, part in zip(columns, rates[:3], strict=False):
            if part is not None:
                column[counted] = part[counted]
        return columns

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
                counted = int(self._by_document(metric)[1].sum())
                if counted < len(self):
                    title = METRICS[metric].title
                    remarks.append(Note("left-out", count=counted, total=len(self), metric=title))
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
        if isinstance(group, str) and group in CLASSES:
            return self._by_class(group)
        function = _grouping(group, self.genres) if isinstance(group, str) else group
        if not callable(function):
            raise UsageError("group-kind")
        members: dict[str, list[int]] = {}
        for number, name in enumerate(self.statistics.documents):
            members.setdefault(str(function(name)), []).append(number)
        return {name: self.select(numbers) for name, numbers in sorted(members.items())}

    def _by_class(self, by: str) -> dict[str, Result]:
        if not self.matchings:
            raise UsageError("not-one-scoring", what=f"{by} classes")
        authority = authority_of(self.settings)
        if not authority.has_classes:
            raise UsageError("no-classes", compat=self.settings.compat)
        found = [restrict(matching, by) for matching in self.matchings]
        require_labels(self.matchings, by)
        results: dict[str, Result] = {}
        for label in sorted({label for parts in found for label in parts}, key=in_order(by)):
            parts = [
                part[label] if label in part else _nothing(matching)
                for part, matching in zip(found, self.matchings, strict=True)
            ]
            rows = [authority.measure(contingency(part), self.metrics, part) for part in parts]
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
            raise UsageError("add-settings")
        ours = list(self.statistics.documents)
        theirs = _numbered(other.statistics.documents, ours)
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


def _nothing(matching: Matching) -> Matching:
    """The same documents without any mention."""
    none = np.zeros(len(matching.key.mention), dtype=np.bool_)
    other = np.zeros(len(matching.response.mention), dtype=np.bool_)
    key, response = matching.key.keep(none), matching.response.keep(other)
    return replace(matching, key=key, response=response, kept=None)


def _grouping(group: str, genres: Mapping[str, str]) -> Callable[[str], str]:
    if group == "genre":
        return lambda name: genres.get(name) or name.split("/" if "/" in name else "_", 1)[0]
    try:
        pattern = re.compile(group)
    except re.error as error:
        raise UsageError("not-a-pattern", pattern=group, reason=str(error)) from None

    def function(name: str) -> str:
        match = pattern.search(name)
        if not match:
            return "(other)"
        named = pattern.groups and match[1] is not None
        return (match[1] if named else match[0]) or "(other)"

    return function


def join_results(parts: Sequence[Result]) -> Result:
    """Return the result of all documents of some parts, which were scored alike.

    It is that of scoring them at once, to the last note.

    >>> import sameas
    >>> one, two = (sameas.score([[name, "b"]], [[name]], singletons="drop") for name in "ac")
    >>> join_results([one, two]).notes == [sameas.Note("singletons", "response", 2)]
    True
    """
    first, *others = parts
    if not others:
        return first
    statistics = join_statistics([part.statistics for part in parts])
    key, response, both = (sum(numbers) for numbers in zip(*(p.seen for p in parts), strict=True))
    notes = [note for part in parts for note in part.notes]
    return replace(
        first,
        statistics=statistics,
        notes=notes_of(notes, len(statistics.documents), (key, response, both)),
        problems=sort_problems(problem for part in parts for problem in part.problems),
        matchings=[matching for part in parts for matching in part.matchings],
        genres={name: genre for part in parts for name, genre in part.genres.items()},
        seen=(key, response, both),
    )


def notes_of(notes: Iterable[Note], documents: int, seen: Seen) -> list[Note]:
    """Return the notes of a corpus, with those that depend on all of its documents and mentions.

    >>> [note.code for note in notes_of([], 2, (3, 4, 0))]
    ['apart']
    """
    of_other = {"apart"}
    if documents:
        of_other |= {"no-key", "no-document"}
    if documents > 1:
        of_other |= {"sample"}  # of one table of records
    kept = [note for note in notes if note.code not in of_other]
    key, response, both = seen
    return add_notes([*kept, Note("apart")] if key and response and not both else kept)
