"""Convert a caller's input to documents: paths, data frames, lists of clusters, dictionaries."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from sameas.documents.document import Corpus, Document, check_columns
from sameas.errors import UsageError, unknown
from sameas.formats.reading import FORMATS, read

__all__ = ["Input", "load", "load_pair"]

Input = (
    str
    | os.PathLike[str]
    | Corpus
    | Document
    | Iterable[Document]
    | Iterable[Iterable[Hashable]]
    | Mapping[Any, Any]
)


def load(
    source: Input, role: str = "key", *, format: str | None = None, reference: bool = False
) -> Corpus:
    """Return the documents of any input that `score` accepts.

    >>> load([["a", "b"], ["c"]]).documents
    [<Document 'document': 0 tokens, 3 mentions, 2 entities>]
    """
    if format is not None and (not isinstance(format, str) or format not in FORMATS):
        raise unknown("format", format, FORMATS)
    if isinstance(source, (str, os.PathLike)):
        return read(source, format=format, role=role, reference=reference)
    if isinstance(source, Corpus):
        return source
    if isinstance(source, Document):
        source = [source]
    columns = None if isinstance(source, (list, tuple)) else _columns_of(source, role)
    if columns is not None:
        from sameas.formats.table.read import table_corpus

        return table_corpus(columns, role)
    if not isinstance(source, Iterable) or isinstance(source, (bytes, Mapping)):
        raise UsageError("not-an-input", side=role, kind=type(source).__name__)
    items: list[Any] = list(source)
    if not _are_documents(items):
        items = [Document.from_side("document", items, f"the {role}")]
    for item in items:
        check_columns(item)
    return Corpus(items, problems=[p for document in items for p in document.origin.problems])


def _columns_of(source: object, role: str) -> Any:
    """Return the columns of a table or of the clusters of records; None for any other input."""
    from sameas.formats.table.read import is_table, membership

    columns = membership(source, role)
    return source if columns is None and is_table(source) else columns


def load_pair(
    key: Input, response: Input, format: str | None, reference: bool
) -> tuple[Corpus, Corpus]:
    """Return the documents of both sides.

    An empty list stands for no documents if the other side consists of documents.

    >>> [len(side.documents) for side in load_pair([Document("a")], [], None, False)]
    [1, 0]
    """
    ours, theirs = (
        Corpus([])
        if _are_documents(other) and isinstance(source, (list, tuple)) and not source
        else load(source, role, format=format, reference=reference)
        for source, other, role in ((key, response, "key"), (response, key, "response"))
    )
    return ours, theirs


def _are_documents(source: object) -> bool:
    if isinstance(source, (list, tuple)):
        return bool(source) and all(isinstance(item, Document) for item in source)
    return isinstance(source, (Corpus, Document))
