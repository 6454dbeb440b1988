"""Detect documents whose mentions are records of tables, so that messages call them records."""

from __future__ import annotations

from collections.abc import Iterable

from sameas.documents.document import Document

__all__ = ["hold_records"]


def hold_records(documents: Iterable[Document]) -> bool:
    """Return whether the mentions of all these documents are records of tables.

    Documents without mentions are ignored; if no document has any, the result is False.

    >>> hold_records([Document.from_clusters("a", [["r1", "r2"]])])
    False
    """
    found = [document.holds_records for document in documents if document.mention_count]
    return bool(found) and all(found)
