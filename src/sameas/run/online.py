"""Score document by document, as in a training loop: add clusters, get a result at the end.

`update` only numbers the mentions; counting is deferred until there are enough for arrays to pay
off. Documents that are not plain (with a repeated mention, an empty cluster, or mentions that are
objects) are scored at once like those of `sameas.score`, which is slower. All documents are scored
in this way if the settings are not supported here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count, starmap
from operator import gt
from typing import Any, Unpack

import numpy as np

from sameas.arithmetic.arrays import Ints
from sameas.authorities import authority_of
from sameas.documents.document import Corpus, Document, check_ignore_index, without_padding
from sameas.errors import UsageError
from sameas.metrics.contingency import Contingency, count_cells
from sameas.metrics.statistics import METRICS, Statistics, choose_metrics, measure
from sameas.notes import SIDES, Note
from sameas.results.joining import Seen, join_results, notes_of
from sameas.results.result import Result
from sameas.run import Plan, run
from sameas.run.memory import score_corpora
from sameas.settings import Options, Settings, require_known

__all__ = ["Scorer"]

ClusterLists = Iterable[Iterable[Hashable]]

_LISTS = frozenset({list, tuple, set, frozenset})
_PLAIN = frozenset({str, int, np.int64, np.int32})  # types compared by value
#: The options that the fast path supports; others take the slow path.
_KNOWN = ("singletons", "duplicates", "missing_documents", "blanc", "average", "zeros")
_ENOUGH = 1 << 16  # mentions that are counted together
_MANY = 1 << 8  # number of partial results above which they are joined

# A document as integers: the sizes of key and response entities, and for each response mention the
# key entity that contains it, or -1.
_Numbered = tuple[list[int], list[int], list[int]]


class Scorer:
    """Collect documents one by one, and score them on request.

    A scorer can be pickled. Scorers of different documents, such as those of several workers, can
    be merged, and the scores do not depend on how the documents were divided. A scorer is not
    thread-safe: use one per thread, and merge them.

    Parameters
    ----------
    metrics
        Names of metrics, as in `sameas.score`.
    ignore_index
        Padding value in arrays: with -1, mentions (-1, -1) are ignored; without it they are
        rejected.
    options
        The fields of `sameas.Settings`, `preset` and `signature`.

    Examples
    --------
    >>> scorer = Scorer(metrics=["b3", "lea"])
    >>> scorer.update([["a", "b", "c"], ["d"]], [["a", "b"], ["d"]])
    >>> scorer.update([[(0, 1), (4, 4)]], [[(0, 1), (4, 4)]])
    >>> scorer.compute()
    <Result response: 2 documents, b3 83.87, lea 80.00>
    >>> scorer.reset()
    >>> len(scorer)
    0
    """

    def __init__(
        self,
        *,
        metrics: str | Sequence[str] | None = None,
        ignore_index: int | None = None,
        **options: Unpack[Options],
    ) -> None:
        check_ignore_index(ignore_index)
        require_known(options, Options, Scorer.__init__)
        self.ignore_index = ignore_index
        self.settings = Settings.of(**options)
        self.metrics = choose_metrics(metrics, options.get("preset"))
        if self.settings.scope != "document":
            raise UsageError("scorer-scope", scope=self.settings.scope)
        self._plain = not self.settings.changed(*_KNOWN) and not any(
            METRICS[name].places for name in self.metrics
        )
        self.reset()

    def reset(self) -> None:
        """Remove all documents."""
        self._names: dict[str, bool] = {}  # whether the caller gave the name
        self._numbered: list[_Numbered] = []
        self._waiting = 0
        self._notes: list[Note] = []  # on documents that are not counted yet
        self._parts: list[Result] = []  # of documents that were counted, in their order

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self._names)

    def update(
        self,
        key: ClusterLists | Document,
        response: ClusterLists | Document,
        document: str | None = None,
    ) -> None:
        """Add a document.

        A document that cannot be scored is rejected, and the others are kept.

        Parameters
        ----------
        key, response
            Clusters of hashable mentions, or documents. Mentions that are lists are converted to
            tuples, and a pair of integers is a span: its first and last token.
        document
            Name of the document (default: that of `key` or `response`, if they have one, else a
            number).

        Raises
        ------
        UsageError
            When the name was added before, or the clusters are not valid.

        Examples
        --------
        >>> scorer = Scorer()
        >>> scorer.update([[[0, 1], [4, 4]]], [[(0, 1), (4, 4)]], document="nw/0001")
        >>> scorer.compute().documents[0]["conll"].f1
        1.0
        """
        self._add(key, response, document)

    def _add(
        self, key: Any, response: Any, document: str | None, sides: Sequence[str] | None = None
    ) -> None:
        """Add a document; `sides` are the names of its sides in messages."""
        name = self._name(key, response, document)
        if self.ignore_index is not None:
            key, response = (without_padding(side, self.ignore_index) for side in (key, response))
        numbered = self._number(key, response) if self._plain else None
        if numbered is None:
            result = self._measure(name, key, response, sides)
            self._count()  # the documents before it
            self._parts.append(result)
        else:
            self._numbered.append(numbered)
            self._waiting += len(numbered[0]) + len(numbered[2]) + 20
            if key and not response:
                self._notes.append(Note("silent", count=1, names=[name]))
        self._names[name] = document is not None or isinstance(key, Document)
        if self._waiting > _ENOUGH:
            self._count()

    def _name(self, key: Any, response: Any, document: str | None) -> str:
        if document is None:
            names = [side.name for side in (key, response) if isinstance(side, Document)]
            if len(set(names)) > 1:
                raise UsageError("scorer-names", key=names[0], response=names[1])
            document = names[0] if names else None
        name = self._free_name() if document is None else str(document)
        if name in self._names:
            raise UsageError("scorer-again", document=name)
        for side, role in ((key, "key"), (response, "response")):
            if isinstance(side, (str, bytes, dict)):
                raise UsageError(
                    "scorer-clusters", where=_shown(name), side=role, kind=type(side).__name__
                )
        return name

    def _free_name(self) -> str:
        if not self._names:
            return "document"
        names = (f"document ({number})" for number in count(len(self._names) + 1))
        return next(name for name in names if name not in self._names)

    def _number(self, key: Any, response: Any) -> _Numbered | None:
        """Return the document as integers, or None if it is not plain."""
        kinds = {type(key), type(response)}
        if not kinds <= {list, tuple} or not set(map(type, chain(key, response))) <= _LISTS:
            return None
        try:
            k, r, entity, mentions = _columns(key, response)
            there = set(mentions)
        except TypeError:  # a mention is not hashable
            return None
        once = len(entity) == sum(k) and len(there) == sum(r)
        if not (once and all(k) and all(r) and _are_plain(entity, there)):
            return None
        if self.settings.singletons == "drop":
            counts = zip(SIDES, (k.count(1), r.count(1)), strict=True)
            self._notes += [Note("singletons", role, count) for role, count in counts if count]
            larger = ([one for one in side if len(one) > 1] for side in (key, response))
            k, r, entity, mentions = _columns(*larger)
        return k, r, [entity.get(mention, -1) for mention in mentions]

    def _measure(
        self, name: str, key: Any, response: Any, called: Sequence[str] | None = None
    ) -> Result:
        """Score one document in the same way as files."""
        places = called or ("the key", "the response")
        try:
            ours, theirs = map(_as_corpus, (name, name), (key, response), places)
        except UsageError as error:
            raise error if called else error.at(_shown(name)) from None
        result = score_corpora(ours, theirs, self.settings, self.metrics)
        if authority_of(self.settings).sees_whole_corpus(result.matchings[0]):
            raise UsageError("scorer-sees-corpus", document=name)
        return replace(result, matchings=())

    def _count(self) -> None:
        """Count the documents that are not counted yet."""
        if self._numbered:
            table = _table(self._numbered)
            self._parts.append(self._result(measure(table, self.metrics), self._notes, table.seen))
            self._numbered, self._notes, self._waiting = [], [], 0
        if len(self._parts) > _MANY:
            self._parts = [join_results(self._parts)]

    def _result(
        self, statistics: Statistics, notes: Sequence[Note] = (), seen: Seen = (0, 0, 0)
    ) -> Result:
        notes = notes_of(notes, len(statistics.documents), seen)
        return Result(statistics, self.settings, self.metrics, notes=notes, seen=seen)

    def compute(self) -> Result:
        """Return the result of all documents so far, in the order in which they were added.

        Returns
        -------
        Result
            The scores; more documents can be added afterwards.

        Examples
        --------
        >>> Scorer(metrics=["muc"]).compute()
        <Result response: 0 documents, muc 0.00>
        """
        self._count()
        parts = self._parts or [
            self._result(measure(_table([]), self.metrics), [Note("no-document")])
        ]
        how: dict[str, Any] = {"settings": self.settings, "metrics": self.metrics}
        (result,) = run(Plan(key=None, responses=[None], rows=lambda _: zip(parts), **how))
        if self._parts:
            self._parts = [result]
        statistics = Statistics(list(self._names), result.statistics.columns)
        return replace(result, statistics=statistics)

    def merge(self, other: Scorer) -> Scorer:
        """Add the documents of another scorer.

        Parameters
        ----------
        other
            A scorer with the same settings and metrics. Its unnamed documents are renumbered.

        Returns
        -------
        Scorer
            This scorer.

        Raises
        ------
        UsageError
            When the settings differ, or both scorers have a document of the same name.

        Examples
        --------
        >>> one, two = Scorer(metrics=["muc"]), Scorer(metrics=["muc"])
        >>> one.update([["a", "b"]], [["a", "b"]]); two.update([["c", "d"]], [["c"], ["d"]])
        >>> one.merge(two).compute()["muc"].counts
        (1, 2, 1, 1)
        """
        if not isinstance(other, Scorer):
            raise UsageError("merge-kind", kind=type(other).__name__)
        if other is self:
            raise UsageError("merge-itself")
        if (self.settings, self.metrics) != (other.settings, other.metrics):
            raise UsageError("merge-settings")
        shared = [name for name, given in other._names.items() if given and name in self._names]
        if shared:
            raise UsageError("merge-document", document=shared[0])
        self._count()
        other._count()
        names = {}
        for name, given in other._names.items():
            names[name] = self._free_name() if name in self._names else name
            self._names[names[name]] = given
        self._parts += [_renamed(part, names) for part in other._parts]
        return self


def _renamed(part: Result, names: Mapping[str, str]) -> Result:
    """Return the result with the documents in its notes renamed."""
    notes = [
        replace(note, names=tuple(names.get(name, name) for name in note.names))
        for note in part.notes
    ]
    return replace(part, notes=notes)


_UNNAMED = re.compile(r"document( \(\d+\))?")


def _shown(name: str) -> str:
    """Return a document as messages show it: its name, or its number if it has no name."""
    return name if _UNNAMED.fullmatch(name) else f"document {name}"


def _columns(
    key: Sequence[Any], response: Sequence[Any]
) -> tuple[list[int], list[int], dict[Hashable, int], list[Hashable]]:
    """Return key sizes, response sizes, the key entity of each mention, and response mentions."""
    entity: dict[Hashable, int] = {}
    for place, cluster in enumerate(key):
        entity.update(dict.fromkeys(cluster, place))
    k, r = (list(map(len, side)) for side in (key, response))
    return k, r, entity, list(chain.from_iterable(response))


def _are_plain(ours: Collection[Any], theirs: Collection[Any]) -> bool:
    """Return whether mentions are strings, integers, or tuples of these that are valid spans.

    A tensor, for example, is hashable, but no two tensors are equal.
    """
    kinds = set(map(type, chain(ours, theirs)))
    if kinds != {tuple}:
        return kinds <= _PLAIN
    parts = set(map(type, chain.from_iterable(chain(ours, theirs))))
    return parts <= _PLAIN and _are_places(ours) and _are_places(theirs)


def _are_places(mentions: Collection[Any]) -> bool:
    """Return whether all tuples are possible spans, unlike (-1, -1) or (5, 1).

    If in doubt, return False: the document is then checked mention by mention.
    """
    if not mentions:
        return True
    try:
        pairs = set(map(len, mentions)) == {2}
        return pairs and min(mentions)[0] >= 0 and not any(starmap(gt, mentions))
    except TypeError:  # strings and numbers
        return False


def _table(documents: Sequence[_Numbered]) -> Contingency:
    """Return the contingency table of documents given as integers (see `_Numbered`)."""
    k_sizes, r_sizes, entities = zip(*documents, strict=True) if documents else ((), (), ())
    (k, k_counts), (r, r_counts), (entity, sizes) = map(_joined, (k_sizes, r_sizes, entities))
    numbers = np.arange(len(documents))
    k_document, r_document = np.repeat(numbers, k_counts), np.repeat(numbers, r_counts)
    shared = entity >= 0
    j = np.repeat(np.arange(len(r)), r)
    i = entity + np.repeat(np.cumsum(k_counts) - k_counts, sizes)
    names = list(map(str, range(len(documents))))
    cells = count_cells(i[shared], j[shared])
    return Contingency.of(names, cells, (k, k_document), (r, r_document))


def _joined(parts: Sequence[Sequence[int]]) -> tuple[Ints, Ints]:
    """Return the numbers of all parts in one array, and the length of each part."""
    counts = np.array(list(map(len, parts)), dtype=np.int64)
    return np.fromiter(chain.from_iterable(parts), dtype=np.int64), counts


def _as_corpus(name: str, side: Any, place: str) -> Corpus:
    """Return a side as a document with this name; `place` is the side's name in messages."""
    if not isinstance(side, Document):
        side = Document.from_side(name, side, place)
    elif side.name != name:
        side = replace(side, name=name)
    return Corpus([side], problems=side.origin.problems)
