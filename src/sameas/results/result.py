"""The result of scoring: scores in total, by document and by group, and notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from sameas.arithmetic.arrays import Bools
from sameas.arithmetic.scores import Rates, Score
from sameas.authorities import authority_of
from sameas.errors import Problem, UsageError, require, unknown
from sameas.matching.matching import Matching
from sameas.metrics.statistics import METRICS, Statistics
from sameas.notes import RECORD_NOTES, Note, add_notes
from sameas.presented import PresentedInNotebooks
from sameas.results.by_document import DocumentResult, mean_score, rates_of_documents
from sameas.results.joining import Seen, join_results, number_again
from sameas.settings import Average, Resampling, Settings, Signature

if TYPE_CHECKING:  # `sameas.chance` is loaded only when intervals are requested
    from sameas.chance.resampling import Additive, Floats, Interval, Intervals

__all__ = ["DocumentResult", "Result"]

PARTS = ("f1", "recall", "precision")


@dataclass(frozen=True, eq=False, repr=False)
class Result(PresentedInNotebooks):
    """The scores of one response against one key.

    Indexing by the name of a metric gives its `Score`. Results of different documents can be added.

    Parameters
    ----------
    statistics
        A few numbers per document and metric, from which scores are computed.
    settings
        How the documents were scored.
    metrics
        Names of the metrics, in the order in which they are shown.
    name
        Name of the response: its path, or `response`.
    notes
        What happened while the response was scored.
    problems
        Warnings from reading the files.
    matchings
        The matched mentions, for breakdowns; empty after documents were selected.
    genres
        Genres keyed by document name, for documents whose files give one.
    seen
        Numbers of mentions in the key, in the response, and in both; None if unknown, after some
        documents were selected.
    of_records
        Whether tables of records were scored.

    Examples
    --------
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
    matchings: Sequence[Matching] = ()
    genres: Mapping[str, str] = field(default_factory=dict)
    seen: Seen | None = (0, 0, 0)
    of_records: bool = False

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for pickles and copies: the numbers, without the matched mentions."""
        return {**self.__dict__, "matchings": ()}

    def __getitem__(self, metric: str) -> Score:
        """Return the total score of one metric."""
        self.statistics.require(metric)
        if metric not in self._scores:
            self._scores[metric] = self._compute(metric)
        return self._scores[metric]

    @cached_property
    def _scores(self) -> dict[str, Score]:
        return {}

    def _compute(self, metric: str) -> Score:
        if parts := METRICS[metric].average_of:
            return METRICS[metric].rates(*(self[part].value for part in parts)).score
        if self.settings.average == "macro":
            return mean_score(*self.rates_by_document(metric))
        return self.scoring(metric)(*self.statistics.total(metric)).score

    def scoring(self, metric: str) -> Callable[..., Rates]:
        """Return the function that computes rates from a metric's numbers.

        Parameters
        ----------
        metric
            Name of a metric.

        Returns
        -------
        Callable
            A function of the sums of the metric's columns, or of arrays of sums.

        Examples
        --------
        >>> import sameas
        >>> result = sameas.score([["a", "b", "c"]], [["a", "b"]], metrics="muc")
        >>> result.scoring("muc")(*result.statistics.total("muc")).recall
        0.5
        """
        require(metric, str, "a metric", "the name of one")
        if metric not in METRICS:
            raise unknown("metric", metric, METRICS)
        return authority_of(self.settings).scoring(metric).rates

    def rates_by_document(self, metric: str) -> tuple[Rates, Bools]:
        """Return the metric's rates in each document, and which documents have anything to count.

        Parameters
        ----------
        metric
            Name of a metric that is not an average of others.

        Returns
        -------
        tuple[Rates, Bools]
            Arrays of rates, and a mask of the documents that count in a macro average.

        Examples
        --------
        >>> import sameas
        >>> rates, counted = sameas.score([["a"]], [["a"]]).rates_by_document("muc")
        >>> rates.value.tolist(), counted.tolist()
        ([0.0], [False])
        """
        return rates_of_documents(self, metric)

    def _values(self, metric: str) -> tuple[Floats, Bools]:
        """Return the headline number of each document, and a mask of those that count."""
        parts = METRICS[metric].average_of
        if not parts:
            rates, counted = self.rates_by_document(metric)
            return np.where(counted, rates.value, 0.0), counted
        values, has = zip(*map(self._values, parts), strict=True)
        return METRICS[metric].rates(*values).value, np.any(has, axis=0)

    def by_document(self) -> Iterator[dict[str, float | None]]:
        """Yield the headline number of each metric, document by document.

        Yields
        ------
        dict[str, float | None]
            Numbers keyed by metric; None for a metric with nothing to count in the document.

        Examples
        --------
        >>> import sameas
        >>> list(sameas.score([["a"]], [["a"]], metrics=["muc", "b3"]).by_document())
        [{'muc': None, 'b3': 1.0}]
        """
        columns = []
        for metric in self.metrics:
            pairs = zip(*(part.tolist() for part in self._values(metric)), strict=True)
            columns.append([value if has else None for value, has in pairs])
        yield from (dict(zip(self.metrics, row, strict=True)) for row in zip(*columns, strict=True))

    def interval(self, metric: str, part: str = "f1", **options: Any) -> Interval | None:
        """Return the confidence interval of a metric, from the bootstrap over documents.

        Parameters
        ----------
        metric
            Name of a metric.
        part
            `f1` (the headline number), `recall` or `precision`.
        options
            The fields of `sameas.settings.Resampling`: `interval` (percentile or bca),
            `confidence`, `samples`, `seed`.

        Returns
        -------
        Interval | None
            The interval; None for a single document, and for a part that the metric does not have.

        Examples
        --------
        >>> import sameas
        >>> from sameas.examples import example_path
        >>> result = sameas.score(example_path("key.conll"), example_path("eager.conll"))
        >>> low, high = result.interval("b3", samples=1000, seed=0)
        >>> round(low, 3), round(high, 3)
        (0.69, 0.952)
        """
        self[metric]  # raises an error if the name is wrong
        if part not in PARTS:
            raise unknown("part", part, PARTS)
        return self.intervals(Resampling.of(**options))[metric].as_dict().get(part)

    def intervals(self, resampling: Resampling | None = None) -> dict[str, Intervals]:
        """Return the confidence intervals of every metric, from the same bootstrap samples.

        Parameters
        ----------
        resampling
            How to compute them (default: `Resampling()`).

        Returns
        -------
        dict[str, Intervals]
            The intervals of recall, precision and the headline number, keyed by metric.

        Examples
        --------
        >>> import sameas
        >>> from sameas.examples import example_path
        >>> result = sameas.score(example_path("key.conll"), example_path("eager.conll"))
        >>> result.intervals()["conll"].recall is None
        True
        """
        from sameas.chance.resampling import Intervals, bootstrap

        resampling = Resampling() if resampling is None else resampling
        require(resampling, Resampling, "resampling", "a sameas.settings.Resampling")
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
        """Return the result with its documents sorted by name.

        Resampling uses this order, so intervals depend on neither file order nor engine.

        Returns
        -------
        Result
            The same result if it is sorted already, else a new one.

        Examples
        --------
        >>> import sameas
        >>> key = [sameas.Document.from_clusters(name, [["x"]]) for name in "ba"]
        >>> sameas.score(key, key).in_order().statistics.documents
        ['a', 'b']
        """
        names = self.statistics.documents
        order = sorted(range(len(names)), key=names.__getitem__)
        return self if order == list(range(len(names))) else self.select(order)

    def additive(self) -> Additive:
        """Return the numbers behind the scores, one row per document, and how to score their sum.

        Returns
        -------
        Additive
            What resampling needs.

        Examples
        --------
        >>> import sameas
        >>> sameas.score([["a", "b"]], [["a"]], metrics=["muc"]).additive().rows.tolist()
        [[0.0, 1.0, 0.0, 0.0]]
        """
        from sameas.results.additive import additive_of

        return additive_of(self)

    @property
    def remarks(self) -> list[Note]:
        """The notes, and notes on reading warnings and on documents that a macro average omits."""
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

    @property
    def conll(self) -> Score:
        """The CoNLL average."""
        return self["conll"]

    @property
    def signature(self) -> str:
        """The signature: one line with every setting that can change a digit."""
        return str(Signature(self.settings, len(self)))

    def __len__(self) -> int:
        """Return the number of documents scored."""
        return len(self.statistics.documents)

    @property
    def documents(self) -> list[DocumentResult]:
        """The scores of each document, in the order of the key."""
        return [
            DocumentResult(name, self, number)
            for number, name in enumerate(self.statistics.documents)
        ]

    def select(self, numbers: Sequence[int]) -> Result:
        """Return the result of some documents only.

        Parameters
        ----------
        numbers
            Indices of the documents, from 0, or negative from the end; they may repeat.

        Returns
        -------
        Result
            A result without matched mentions, so that it has no classes of mentions.

        Examples
        --------
        >>> import sameas
        >>> key = [sameas.Document.from_clusters(name, [["x"]]) for name in "ab"]
        >>> sameas.score(key, key).select([1]).statistics.documents
        ['b']
        """
        from sameas.results.groups import select_documents

        return select_documents(self, numbers)

    def average(self, average: Average) -> Result:
        """Return the same result with another average.

        Parameters
        ----------
        average
            `micro` sums counts over documents; `macro` takes the mean of the documents' scores.

        Returns
        -------
        Result
            A result with this average in its settings.

        Examples
        --------
        >>> import sameas
        >>> result = sameas.score([["a", "b"]], [["a", "b"]])
        >>> result.average("macro").settings.average
        'macro'
        """
        return replace(self, settings=replace(self.settings, average=average))

    @property
    def key_mentions(self) -> int:
        """The number of key mentions scored."""
        return sum(len(matching.key.mention) for matching in self.matchings)

    def by(self, group: str | Callable[[str], str]) -> dict[str, Result]:
        """Return the results of groups of documents, or of classes of mentions.

        Parameters
        ----------
        group
            To group documents: `genre` (from the file, or else the part of the document's name
            before the first `/` or, without a `/`, before the first `_`), a regular expression
            whose first capturing group is the group's name, or a function of the document's name.
            To score each class of mentions separately: `type` (of the entity), `kind` (name,
            nominal, pronoun, zero) or `size` (of the entity). A response mention belongs to the
            class of the key mention that it matches, or else to its own.

        Returns
        -------
        dict[str, Result]
            Results keyed by the name of the group or class.

        Examples
        --------
        >>> import sameas
        >>> names = ("bn/1", "bn/2", "nw/1")
        >>> key = [sameas.Document.from_clusters(name, [["a", "b"]]) for name in names]
        >>> {genre: len(part) for genre, part in sameas.score(key, key).by("genre").items()}
        {'bn': 2, 'nw': 1}
        """
        from sameas.results.groups import split_result

        return split_result(self, group)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the metrics."""
        return iter(self.metrics)

    def __contains__(self, metric: object) -> bool:
        """Return whether a metric was scored."""
        return metric in self.metrics

    def __eq__(self, other: object) -> bool:
        """Return whether both have the same documents, settings and numbers."""
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
        """Support `sum(results)`, which starts from 0."""
        return self if other == 0 and isinstance(other, int) else NotImplemented

    def __add__(self, other: object) -> Result:
        """Return the result of two disjoint sets of documents, with equal settings and metrics.

        Documents without a name of their own, such as plain clusters, are numbered.
        """
        if not isinstance(other, Result):
            return NotImplemented
        if self.settings != other.settings or tuple(self.metrics) != tuple(other.metrics):
            raise UsageError("add-settings")
        ours = list(self.statistics.documents)
        theirs = number_again(other.statistics.documents, ours)
        if shared := set(ours) & set(theirs):
            raise UsageError("add-document", document=min(shared))
        named = replace(other, statistics=replace(other.statistics, documents=theirs))
        whole = join_results([self, named])
        if whole.of_records:
            return whole
        # One operand may be a table of records: restore the notes that joining has dropped.
        records = [note for note in (*self.notes, *other.notes) if note.code in RECORD_NOTES]
        return replace(whole, notes=add_notes([*whole.notes, *records]))

    def as_dict(self, resampling: Resampling | None = None) -> dict[str, Any]:
        """Return the result as plain data for JSON.

        Parameters
        ----------
        resampling
            How to compute intervals; None omits them.

        Returns
        -------
        dict[str, Any]
            Signature, response, number of documents, scores by metric, and any notes.

        Examples
        --------
        >>> import sameas
        >>> result = sameas.score([["a", "b"]], [["a"]], metrics=["muc"])
        >>> result.as_dict()["metrics"]
        {'muc': {'recall': 0.0, 'precision': 0.0, 'f1': 0.0, 'counts': [0, 1, 0, 0]}}
        """
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
        """Return one line: what was scored, and its headline numbers."""
        scores = ", ".join(f"{name} {100 * self[name].value:.2f}" for name in self.metrics)
        return f"<Result {self.name}: {len(self)} documents, {scores}>"
