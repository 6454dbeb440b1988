"""The sparse table n_ij = |K_i ∩ R_j|, from which every metric follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sameas.arithmetic.arrays import Ints, Numbers
from sameas.arithmetic.quotients import sum_places, sum_quotients
from sameas.documents.document import Document
from sameas.matching.matching import Matching
from sameas.matching.pairing import Pairing
from sameas.matching.sides import Side, raw_sides

__all__ = ["Contingency", "Table", "contingency", "count_cells", "table_of_pairs"]

Cells = tuple[Ints, Ints, Ints]  # rows, columns and counts
Entities = tuple[Ints, Ints]  # number of mentions, and document


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Table:
    """The cells and entities that metrics are computed from, and sums over them per document.

    Each cell has a count `n` and the sizes of its entities, `cell_k` and `cell_r`. Each key entity
    has a size `k`, and `k_shared`, the number of its mentions that the response has; `r` and
    `r_shared` are the same for response entities. Sums of integers stay integers, and sums of
    quotients are rounded once, so that no digit depends on the engine or the order of addition.

    Equal cells of a document may be stored once, with a count, and so may equal entities. This
    makes the table small: a document of a billion mentions has a few thousand different cells. Such
    a table has no rows and columns; all metrics except CEAF follow from it.
    """

    documents: Sequence[str]
    n: Ints
    cell_k: Ints
    cell_r: Ints
    cell_r_shared: Ints
    cell_document: Ints
    k: Ints
    k_shared: Ints
    k_document: Ints
    r: Ints
    r_shared: Ints
    r_document: Ints
    # How often each cell, key entity and response entity occurs; None if each occurs once.
    n_times: Ints | None = None
    k_times: Ints | None = None
    r_times: Ints | None = None

    @property
    def seen(self) -> tuple[int, int, int]:
        """The numbers of mentions in the key, in the response, and in both."""
        sums = (self.by_key(self.k), self.by_response(self.r), self.by_cell(self.n))
        key, response, both = (int(column.sum()) for column in sums)
        return key, response, both

    def by_cell(self, values: Ints, divisor: Ints | None = None) -> Numbers:
        """Sum values per cell, divided by `divisor` if given, into one value per document."""
        return self._sum(values, divisor, self.cell_document, self.n_times)

    def by_key(self, values: Ints, divisor: Ints | None = None) -> Numbers:
        """Sum values per key entity into one value per document, as `by_cell` does."""
        return self._sum(values, divisor, self.k_document, self.k_times)

    def by_response(self, values: Ints, divisor: Ints | None = None) -> Numbers:
        """Sum values per response entity into one value per document, as `by_cell` does."""
        return self._sum(values, divisor, self.r_document, self.r_times)

    def _sum(
        self, values: Ints, divisor: Ints | None, document: Ints, times: Ints | None
    ) -> Numbers:
        if times is not None:
            values = values * times
        if divisor is None:
            return sum_places(values, document, len(self.documents))
        return sum_quotients(document, values, divisor, len(self.documents))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Contingency(Table):
    """The non-zero cells of key entities × response entities, over the whole corpus.

    In cell c, key entity `i[c]` and response entity `j[c]` share `n[c]` mentions. Each entity
    belongs to one document, so sums per document are sums of rows.

    >>> table = contingency_of([["abc", "defg"]], [["ab", "cd", "fghi"]])
    >>> table.i.tolist(), table.j.tolist(), table.n.tolist()
    ([0, 0, 1, 1], [0, 1, 1, 2], [2, 1, 1, 2])
    >>> table.k.tolist(), table.r.tolist()
    ([3, 4], [2, 2, 4])
    """

    i: Ints
    j: Ints

    @classmethod
    def of(
        cls, documents: Sequence[str], cells: Cells, key: Entities, response: Entities
    ) -> Contingency:
        """Return the table of these cells and entities."""
        (i, j, n), (k, k_document), (r, r_document) = cells, key, response
        r_shared = sum_places(n, j, len(r))
        return cls(
            documents=documents,
            i=i,
            j=j,
            n=n,
            cell_k=k[i],
            cell_r=r[j],
            cell_r_shared=r_shared[j],
            cell_document=k_document[i],
            k=k,
            k_shared=sum_places(n, i, len(k)),
            k_document=k_document,
            r=r,
            r_shared=r_shared,
            r_document=r_document,
        )


def count_cells(i: Ints, j: Ints) -> Cells:
    """Count equal pairs of a key and a response entity; return rows, columns and counts.

    >>> [column.tolist() for column in count_cells(np.array([1, 0, 1]), np.array([2, 0, 2]))]
    [[0, 1], [0, 2], [1, 2]]
    """
    width = int(j.max(initial=0)) + 1
    cells, n = np.unique(i * width + j, return_counts=True)
    return cells // width, cells % width, n.astype(np.int64)


def contingency(matching: Matching) -> Contingency:
    """Count how many mentions each key entity shares with each response entity."""
    key_of = np.full(matching.mention_count, -1, dtype=np.int64)
    response_of = key_of.copy()
    key_of[matching.key.mention] = matching.key.entity
    response_of[matching.response.mention] = matching.response.entity
    return table_of_pairs(matching.names, matching.key, matching.response, key_of, response_of)


def table_of_pairs(
    documents: Sequence[str], key: Side, response: Side, i: Ints, j: Ints
) -> Contingency:
    """Return the table that counts these pairs of entities, except those with a negative number."""
    both = (i >= 0) & (j >= 0)
    cells = count_cells(i[both], j[both])
    return Contingency.of(documents, cells, _entities(key), _entities(response))


def _entities(side: Side) -> Entities:
    sizes = np.bincount(side.entity).astype(np.int64)
    document = np.zeros(len(sizes), dtype=np.int64)
    document[side.entity] = side.document
    return sizes, document


def contingency_of(
    key: Sequence[Sequence[Sequence[str]]], response: Sequence[Sequence[Sequence[str]]]
) -> Contingency:
    """Return the table of documents given as clusters, for examples and experiments.

    >>> contingency_of([["ab"]], [["a", "b"]]).n.tolist()
    [1, 1]
    """
    sides = [
        [
            Document.from_clusters(str(number), map(list, clusters))
            for number, clusters in enumerate(documents)
        ]
        for documents in (key, response)
    ]
    names = [document.name for document in sides[0]]
    ours, theirs = raw_sides(Pairing(sides[0], sides[1], names))
    count = len(ours.mention) + len(theirs.mention)
    return contingency(Matching(names, ours, theirs, count))
