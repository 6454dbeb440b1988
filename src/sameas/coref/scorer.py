"""Scoring document by document, as a training loop does: clusters in, a result at the end.

`update` only numbers the mentions; counting waits until there is enough for arrays to be worth it.
Documents that are not plain (a mention that comes twice, an empty cluster, mentions that are
objects) take the long road of `sameas.score` at once, and so do all under settings that are not
plain.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterable, Sequence
from itertools import chain, starmap
from operator import gt
from typing import Any

import numpy as np

from sameas.coref.contingency import Contingency
from sameas.coref.document import (
    Corpus,
    Document,
    Ints,
    check_ignore_index,
    without_padding,
)
from sameas.coref.pairing import pair_documents
from sameas.coref.scoring import score_pairing
from sameas.coref.statistics import (
    METRICS,
    Statistics,
    choose_metrics,
    join_statistics,
    measure,
)
from sameas.errors import Problem, UsageError
from sameas.notes import APART, NO_DOCUMENT, Note, add_notes, code_of, note_order
from sameas.result import Result
from sameas.signature import Settings

__all__ = ["Scorer"]

Clusters = Iterable[Iterable[Hashable]]

_LISTS = frozenset({list, tuple, set, frozenset})
_PLAIN = frozenset({str, int, np.int64, np.int32})  # what compares as it looks
_ENOUGH = 1 << 16  # mentions to be counted at once
_MANY = 1 << 8  # tables of rows

# A document that is numbered: its number, sizes of key and response entities, and for each
# response mention the key entity that has it, or -1.
_Numbered = tuple[int, list[int], list[int], list[int]]


class Scorer:
    """Adds up documents as they come, and scores them whenever asked.

    The settings are those of `sameas.score`. A scorer can be pickled, and scorers of different
    documents (those of several workers) can be merged; what they score does not depend on how the
    documents were divided. One scorer is for one thread: give each its own, and merge them.
    `ignore_index` names the padding of arrays: with -1, mentions (-1, -1) are left out; without it
    they are refused.

    >>> scorer = Scorer(metrics=["b3", "lea"])
    >>> scorer.update([["a", "b", "c"], ["d"]], [["a", "b"], ["d"]])
    >>> scorer.update([[(0, 1), (4, 4)]], [[(0, 1), (4, 4)]])
    >>> scorer.compute()
    <Result response: 2 documents, b3 83.87, lea 80.00>
    """

    def __init__(
        self,
        *,
        metrics: str | Sequence[str] | None = None,
        preset: str | None = None,
        compat: str | None = None,
        match: str | None = None,
        zeros: str | None = None,
        singletons: str | None = None,
        duplicates: str | None = None,
        blanc: str | None = None,
        average: str | None = None,
        ignore_index: int | None = None,
    ) -> None:
        check_ignore_index(ignore_index)
        self.ignore_index = ignore_index
        self.settings = Settings.of(
            compat,
            preset,
            match=match,
            zeros=zeros,
            singletons=singletons,
            duplicates=duplicates,
            blanc=blanc,
            average=average,
        )
        self.metrics = choose_metrics(metrics, preset)
        self._plain = (self.settings.compat, self.settings.match) == ("none", "exact") and not any(
            METRICS[name].places for name in self.metrics
        )
        self.reset()

    def reset(self) -> None:
        """Forget all documents."""
        self._names: dict[str, bool] = {}  # whether it was given, or made here
        self._numbered: list[_Numbered] = []
        self._waiting = 0
        self._counted: list[tuple[Ints, Statistics]] = []
        self._notes: list[str] = []
        self._problems: list[Problem] = []
        self._silent: list[str] = []  # documents of which only the key has mentions
        self._both = [False, False, False]  # whether key, response, both have mentions

    def __len__(self) -> int:
        """The number of documents."""
        return len(self._names)

    def update(
        self, key: Clusters | Document, response: Clusters | Document, document: str | None = None
    ) -> None:
        """Add a document: the clusters of the key, those of the response, and its name if any.

        Mentions are anything hashable; lists count as tuples, and a pair of whole numbers is a
        span, first and last token. A document that cannot be scored is refused, and the others
        stay.

        >>> scorer = Scorer()
        >>> scorer.update([[[0, 1], [4, 4]]], [[(0, 1), (4, 4)]], document="nw/0001")
        >>> scorer.compute().documents[0]["conll"].f1
        1.0
        """
        self._add(key, response, document)

    def _add(
        self, key: Any, response: Any, document: str | None, sides: Sequence[str] | None = None
    ) -> None:
        """Add a document; `sides` are what messages call the two, if not key and response."""
        name = self._name(key, response, document)
        if self.ignore_index is not None:
            key, response = (without_padding(side, self.ignore_index) for side in (key, response))
        numbered = self._number(name, key, response) if self._plain else None
        if numbered is None:
            self._measure(name, key, response, sides)
        else:
            k, r, entity = numbered
            self._numbered.append((len(self._names), k, r, entity))
            self._waiting += len(k) + len(entity) + 20
            self._see(bool(k), bool(r), any(place >= 0 for place in entity))
            if key and not response:
                self._silent.append(name)
        self._names[name] = document is not None or isinstance(key, Document)
        if self._waiting > _ENOUGH:
            self._count()
        if len(self._counted) > _MANY:
            self._join()

    def _name(self, key: Any, response: Any, document: str | None) -> str:
        if document is None:
            names = [side.name for side in (key, response) if isinstance(side, Document)]
            if len(set(names)) > 1:
                raise UsageError(f"key document {names[0]} and response document {names[1]} differ")
            document = names[0] if names else None
        name = self._free_name() if document is None else str(document)
        if name in self._names:
            raise UsageError(f"document {name} was scored already; reset() begins anew")
        for side, role in ((key, "key"), (response, "response")):
            if isinstance(side, (str, bytes, dict)):
                kind = type(side).__name__
                raise UsageError(f"{_shown(name)}: the {role} must be clusters, not {kind}")
        return name

    def _free_name(self) -> str:
        number = len(self._names) + 1
        name = "document" if number == 1 else f"document ({number})"
        while name in self._names:
            number += 1
            name = f"document ({number})"
        return name

    def _number(
        self, name: str, key: Any, response: Any
    ) -> tuple[list[int], list[int], list[int]] | None:
        """The document in numbers; None if it is not plain."""
        if not isinstance(key, (list, tuple)) or not isinstance(response, (list, tuple)):
            return None
        if not set(map(type, key)) | set(map(type, response)) <= _LISTS:
            return None
        k, r = list(map(len, key)), list(map(len, response))
        if not all(k) or not all(r):
            return None
        try:
            entity = _entities(key)
            mentions = list(chain.from_iterable(response))
            there = set(mentions)
        except TypeError:  # what cannot be hashed
            return None
        if len(entity) != sum(k) or len(there) != sum(r) or not _are_plain(entity, there):
            return None
        if not (_are_places(entity) and _are_places(there)):
            return None
        if self.settings.singletons == "drop":
            for role, sizes in (("key", k), ("response", r)):
                if count := sizes.count(1):
                    self._notes = add_notes([*self._notes, Note("singletons", role, count)])
            entity = _entities([one for one in key if len(one) > 1])
            mentions = [mention for one in response if len(one) > 1 for mention in one]
            k, r = ([size for size in sizes if size > 1] for sizes in (k, r))
        return k, r, [entity.get(mention, -1) for mention in mentions]

    def _measure(
        self, name: str, key: Any, response: Any, called: Sequence[str] | None = None
    ) -> None:
        """Score one document as files are scored."""
        try:
            sides = [
                _called(name, side)
                if isinstance(side, Document)
                else Document.from_side(name, side, role)
                for side, role in zip(
                    (key, response), called or ("the key", "the response"), strict=True
                )
            ]
        except UsageError as error:
            raise error if called else UsageError(f"{_shown(name)}: {error}") from None
        reference = self.settings.compat == "conll-8.01"
        pairing = pair_documents(Corpus(sides[:1]), Corpus(sides[1:]), reference=reference)
        problems = [problem for side in sides for problem in side.origin.problems]
        result = score_pairing(pairing, self.settings, self.metrics, problems=problems)
        codes = {code_of(note) for note in result.notes}
        if self.settings.compat == "corefud-1.2" and "repeated" in codes:
            raise UsageError(
                f"document {name} has repeated mentions, and for these the CorefUD scorer looks at "
                "the whole corpus: score files"
            )
        self._counted.append((np.array([len(self._names)], dtype=np.int64), result.statistics))
        # Whether there is anything on a side is told of all documents, not of each.
        notes = [note for note in result.notes if code_of(note) not in _OF_ALL]
        self._notes = add_notes([*self._notes, *notes])
        self._problems += result.problems
        if sides[0].mention_count and not sides[1].mention_count:
            self._silent.append(name)
        matched = result.matchings[0]
        had = [len(side.mention) > 0 for side in (matched.key, matched.response)]
        self._see(had[0], had[1], "apart" not in codes)

    def _see(self, key: bool, response: bool, both: bool) -> None:
        """Remember whether the sides have mentions, and share any."""
        seen = (key, response, both and key and response)
        self._both = [one or other for one, other in zip(self._both, seen, strict=True)]

    def _count(self) -> None:
        """Count what waits."""
        if self._numbered:
            numbers = np.array([one[0] for one in self._numbered], dtype=np.int64)
            self._counted.append((numbers, measure(_table(self._numbered), self.metrics)))
        self._numbered, self._waiting = [], 0

    def _join(self) -> None:
        """Put the rows that were counted one after another into one table."""
        if len(self._counted) > 1:
            numbers, parts = zip(*self._counted, strict=True)
            together = np.concatenate(numbers)
            order = np.argsort(together, kind="stable")
            self._counted = [(together[order], join_statistics(parts).select(order))]

    def compute(self) -> Result:
        """The result of all documents so far, in the order in which they came.

        >>> Scorer(metrics=["muc"]).compute()
        <Result response: 0 documents, muc 0.00>
        """
        self._count()
        if not self._counted:
            self._counted.append((np.zeros(0, np.int64), measure(_table([]), self.metrics)))
        self._join()
        notes: list[str] = [NO_DOCUMENT] if not self._names else []
        if self._silent:
            notes.append(Note("silent", number=len(self._silent), names=self._silent))
        notes += sorted(self._notes, key=note_order)
        if self._both == [True, True, False]:
            notes.append(APART)
        return Result(
            Statistics(list(self._names), self._counted[0][1].columns),
            self.settings,
            self.metrics,
            notes=notes,
            problems=list(self._problems),
        )

    def merge(self, other: Scorer) -> Scorer:
        """Add the documents of another scorer, and give back this one.

        Documents without a name are numbered anew; documents of one name are refused.

        >>> one, two = Scorer(metrics=["muc"]), Scorer(metrics=["muc"])
        >>> one.update([["a", "b"]], [["a", "b"]]); two.update([["c", "d"]], [["c"], ["d"]])
        >>> one.merge(two).compute()["muc"].counts
        (1, 2, 1, 1)
        """
        if not isinstance(other, Scorer):
            raise UsageError(f"a scorer is merged with a scorer, not with {type(other).__name__}")
        if other is self:
            raise UsageError("a scorer cannot be merged with itself")
        if (self.settings, self.metrics) != (other.settings, other.metrics):
            raise UsageError("scorers that score in different ways cannot be merged")
        other._count()
        named = [name for name, given in other._names.items() if given]
        shared = next((name for name in named if name in self._names), None)
        if shared is not None:
            raise UsageError(f"document {shared} is in both scorers")
        start = len(self._names)
        names = {}
        for name, given in other._names.items():
            names[name] = self._free_name() if name in self._names else name
            self._names[names[name]] = given
        self._counted += [(numbers + start, rows) for numbers, rows in other._counted]
        self._notes = add_notes([*self._notes, *other._notes])
        self._problems += other._problems
        self._silent += [names[name] for name in other._silent]
        self._both = [mine or theirs for mine, theirs in zip(self._both, other._both, strict=True)]
        return self


_UNNAMED = re.compile(r"document( \(\d+\))?")
_OF_ALL = ("silent", "apart")


def _shown(name: str) -> str:
    """A document in a message: with its name, or its number if it came without one."""
    return name if _UNNAMED.fullmatch(name) else f"document {name}"


def _entities(clusters: Iterable[Iterable[Hashable]]) -> dict[Hashable, int]:
    """The number of the cluster of each mention."""
    entity: dict[Hashable, int] = {}
    for place, cluster in enumerate(clusters):
        entity.update(dict.fromkeys(cluster, place))
    return entity


def _are_plain(*mentions: Iterable[Any]) -> bool:
    """Whether mentions are texts, whole numbers, or tuples of these.

    A tensor, for one, is hashable, and no two are the same.
    """
    kinds = set().union(*(map(type, side) for side in mentions))
    if kinds <= _PLAIN:
        return True
    if kinds != {tuple}:
        return False
    return set(map(type, chain.from_iterable(chain(*mentions)))) <= _PLAIN


def _are_places(mentions: Collection[Any]) -> bool:
    """Whether none of the plain mentions is a span that no text has, such as (-1, -1) and (5, 1).

    It may say no where it is not sure: then the document is looked at mention by mention.
    """
    if not mentions or type(next(iter(mentions))) is not tuple:
        return True
    try:
        return (
            set(map(len, mentions)) == {2}
            and min(mentions)[0] >= 0
            and not any(starmap(gt, mentions))
        )
    except TypeError:  # texts and numbers
        return False


def _table(documents: Sequence[_Numbered]) -> Contingency:
    """The contingency table of numbered documents."""
    k = np.array([size for one in documents for size in one[1]], dtype=np.int64)
    r = np.array([size for one in documents for size in one[2]], dtype=np.int64)
    k_counts = np.array([len(one[1]) for one in documents], dtype=np.int64)
    r_counts = np.array([len(one[2]) for one in documents], dtype=np.int64)
    numbers = np.arange(len(documents))
    k_document, r_document = np.repeat(numbers, k_counts), np.repeat(numbers, r_counts)
    entity = np.fromiter(chain.from_iterable(one[3] for one in documents), dtype=np.int64)
    shared = entity >= 0
    j = np.repeat(np.arange(len(r)), r)
    i = entity + np.repeat(np.cumsum(k_counts) - k_counts, [len(one[3]) for one in documents])
    wide = max(len(r), 1)
    cells, n = np.unique(i[shared] * wide + j[shared], return_counts=True)
    names = [str(one[0]) for one in documents]
    counts = n.astype(np.int64)
    return Contingency(names, cells // wide, cells % wide, counts, k, r, k_document, r_document)


def _called(name: str, document: Document) -> Document:
    """The same document under another name."""
    if document.name == name:
        return document
    from copy import copy

    renamed = copy(document)
    renamed.name = name
    return renamed
