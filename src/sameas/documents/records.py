"""Documents whose mentions are records of tables, which users call records, not mentions."""

from __future__ import annotations

from collections.abc import Iterable

from sameas.documents.document import Document

__all__ = ["hold_records"]


def hold_records(documents: Iterable[Document]) -> bool:
    """Return whether all mentions of some documents are records of tables.

    >>> hold_records([Document.from_clusters("a", [["r1", "r2"]])])
    False
    """
    found = [document.holds_records for document in documents if document.mention_count]
    return bool(found) and all(found)
