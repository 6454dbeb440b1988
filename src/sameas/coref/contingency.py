"""Matched mentions to the sparse table n_ij = |K_i ∩ R_j| from which every metric follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sameas.coref.document import Ints, Numbers
from sameas.coref.matching import Matching
from sameas.coref.sides import Side

__all__ = ["Contingency", "contingency"]


@dataclass(frozen=True)
class Contingency:
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
    def k_shared(self) -> Ints:
        """How many mentions of each key entity the response has."""
        return _sums(self.n, self.i, len(self.k))

    @property
    def r_shared(self) -> Ints:
        """How many mentions of each response entity the key has."""
        return _sums(self.n, self.j, len(self.r))

    def by_cell(self, values: Numbers) -> Numbers:
        """Sum one value a cell into one value a document."""
        return _sums(values, self.cell_document, len(self.documents))

    def by_key(self, values: Numbers) -> Numbers:
        """Sum one value a key entity into one value a document."""
        return _sums(values, self.k_document, len(self.documents))

    def by_response(self, values: Numbers) -> Numbers:
        """Sum one value a response entity into one value a document."""
        return _sums(values, self.r_document, len(self.documents))


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
