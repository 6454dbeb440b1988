"""Matched mentions to the sparse table n_ij = |K_i ∩ R_j| from which every metric follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sameas.coref.document import Ints, Numbers
from sameas.coref.matching import Matching
from sameas.coref.quotients import sum_quotients
from sameas.coref.sides import Side

__all__ = ["Contingency", "Table", "Tally", "contingency"]


class Table:
    """What metrics see of the cells and the entities, and how they sum it up by document.

    For each cell its count `n` and the sizes of its entities, `cell_k` and `cell_r`; for each key
    entity its size `k`, and `k_shared`, how many of its mentions the response has; `r` and
    `r_shared` likewise. Sums of whole numbers stay whole, and sums of quotients are rounded
    once, so that it does not matter who counted, and in which order.
    """

    if TYPE_CHECKING:
        documents: Sequence[str]
        n: Ints
        k: Ints
        r: Ints
        k_document: Ints
        r_document: Ints

        @property
        def cell_document(self) -> Ints:
            """The document of each cell."""

        @property
        def cell_k(self) -> Ints:
            """The size of each cell's key entity."""

        @property
        def cell_r(self) -> Ints:
            """The size of each cell's response entity."""

        @property
        def cell_r_shared(self) -> Ints:
            """How many mentions of each cell's response entity the key has."""

        @property
        def k_shared(self) -> Ints:
            """How many mentions of each key entity the response has."""

        @property
        def r_shared(self) -> Ints:
            """How many mentions of each response entity the key has."""

    # How often each cell, key entity and response entity comes; None: each is there once.
    n_times: Ints | None = None
    k_times: Ints | None = None
    r_times: Ints | None = None

    def by_cell(self, values: Ints, divisor: Ints | None = None) -> Numbers:
        """Sum one value a cell, over `divisor` if there is one, into one value a document."""
        return self._sum(values, divisor, self.cell_document, self.n_times)

    def by_key(self, values: Ints, divisor: Ints | None = None) -> Numbers:
        """Sum one value a key entity into one value a document."""
        return self._sum(values, divisor, self.k_document, self.k_times)

    def by_response(self, values: Ints, divisor: Ints | None = None) -> Numbers:
        """Sum one value a response entity into one value a document."""
        return self._sum(values, divisor, self.r_document, self.r_times)

    def _sum(
        self, values: Ints, divisor: Ints | None, document: Ints, times: Ints | None
    ) -> Numbers:
        if times is not None:
            values = values * times
        if divisor is None:
            return _sums(values, document, len(self.documents))
        return sum_quotients(document, values, divisor, len(self.documents))


@dataclass(frozen=True)
class Contingency(Table):
    """The non-zero cells of key entities × response entities, over the whole corpus.

    Cell c says that key entity `i[c]` and response entity `j[c]` share `n[c]` mentions. `k` and `r`
    are the sizes of the entities; `k_shared` and `r_shared` count their mentions that the other
    side has too. Each entity belongs to one document, so sums by document are sums of rows.

    >>> table = contingency_of([["abc", "defg"]], [["ab", "cd", "fghi"]])
    >>> table.i.tolist(), table.j.tolist(), table.n.tolist()
    ([0, 0, 1, 1], [0, 1, 1, 2], [2, 1, 1, 2])
    >>> table.k.tolist(), table.r.tolist()
    ([3, 4], [2, 2, 4])
    """

    documents: Sequence[str]
    i: Ints
    j: Ints
    n: Ints
    k: Ints
    r: Ints
    k_document: Ints
    r_document: Ints

    @property
    def cell_document(self) -> Ints:
        """The document of each cell."""
        return self.k_document[self.i]

    @property
    def cell_k(self) -> Ints:
        """The size of each cell's key entity."""
        return self.k[self.i]

    @property
    def cell_r(self) -> Ints:
        """The size of each cell's response entity."""
        return self.r[self.j]

    @property
    def cell_r_shared(self) -> Ints:
        """How many mentions of each cell's response entity the key has."""
        return self.r_shared[self.j]

    @property
    def k_shared(self) -> Ints:
        """How many mentions of each key entity the response has."""
        return _sums(self.n, self.i, len(self.k))

    @property
    def r_shared(self) -> Ints:
        """How many mentions of each response entity the key has."""
        return _sums(self.n, self.j, len(self.r))


@dataclass(frozen=True, kw_only=True)
class Tally(Table):
    """The table with equal cells of a document counted, not listed, and equal entities likewise.

    It has no rows and columns, and is as small as it can be: a document of a billion mentions has
    some thousands of different cells. All metrics but CEAF follow from it. Fields as in `Table`.
    """

    documents: Sequence[str]
    n: Ints
    cell_k: Ints
    cell_r: Ints
    cell_r_shared: Ints
    cell_document: Ints
    n_times: Ints
    k: Ints
    k_shared: Ints
    k_document: Ints
    k_times: Ints
    r: Ints
    r_shared: Ints
    r_document: Ints
    r_times: Ints


def _sums(values: Numbers, place: Ints, size: int) -> Numbers:
    # Whole numbers stay whole: a corpus of a billion mentions has more links than 2**53.
    total = np.zeros(size, dtype=values.dtype)
    np.add.at(total, place, values)
    return total


def contingency(matching: Matching) -> Contingency:
    """Count how many mentions each key entity shares with each response entity."""
    k, k_document = _sizes(matching.key)
    r, r_document = _sizes(matching.response)
    key_of = np.full(matching.mention_count, -1, dtype=np.int64)
    response_of = key_of.copy()
    key_of[matching.key.mention] = matching.key.entity
    response_of[matching.response.mention] = matching.response.entity
    shared = (key_of >= 0) & (response_of >= 0)
    width = max(len(r), 1)
    cells, n = np.unique(key_of[shared] * width + response_of[shared], return_counts=True)
    return Contingency(
        matching.names,
        cells // width,
        cells % width,
        n.astype(np.int64),
        k,
        r,
        k_document,
        r_document,
    )


def _sizes(side: Side) -> tuple[Ints, Ints]:
    sizes = np.bincount(side.entity).astype(np.int64)
    document = np.zeros(len(sizes), dtype=np.int64)
    document[side.entity] = side.document
    return sizes, document


def contingency_of(
    key: Sequence[Sequence[Sequence[str]]], response: Sequence[Sequence[Sequence[str]]]
) -> Contingency:
    """The table of documents given as clusters, for examples and experiments.

    >>> contingency_of([["ab"]], [["a", "b"]]).n.tolist()
    [1, 1]
    """
    from sameas.coref.document import Corpus, Document
    from sameas.coref.matching import match
    from sameas.coref.pairing import pair_documents

    sides = [
        Corpus(
            [
                Document.from_clusters(str(number), map(list, clusters))
                for number, clusters in enumerate(documents)
            ]
        )
        for documents in (key, response)
    ]
    return contingency(match(pair_documents(*sides)))
