"""Hugging Face `evaluate`: the path of a metric module, and what it computes.

`evaluate.load(path())` loads the module without a network. Predictions and references are rows
`{"document": "a", "clusters": [[[0, 1], [4, 4]], [[2, 2]]]}`: the name of a document, and its
entities as lists of mentions, first and last token each. They are paired by name, not by place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from inspect import signature
from pathlib import Path
from typing import Any

from sameas.errors import UsageError, suggest

__all__ = ["path", "score_rows"]


def path() -> str:
    """What `evaluate.load` wants to be told.

    >>> path().endswith("sameas_coreference.py")
    True
    """
    return str(Path(__file__).with_name("sameas_coreference.py"))


def score_rows(
    predictions: Iterable[Mapping[str, Any]],
    references: Iterable[Mapping[str, Any]],
    **options: Any,
) -> dict[str, Any]:
    """Score rows as the module does, without `evaluate`; the options are those of `sameas.score`.

    Recall, precision and F1 of every metric come by names such as `muc_recall`, `conll_f1`, then
    the number of documents, the signature and the notes.

    >>> row = {"document": "a", "clusters": [[[0, 1], [4, 4]], [[2, 2]]]}
    >>> found = score_rows([row], [row], metrics=["b3", "conll"])
    >>> found["b3_recall"], found["conll_f1"], found["documents"]
    (1.0, 1.0, 1)
    """
    from sameas.coref.document import Corpus, Document
    from sameas.coref.scoring import score
    from sameas.integrations.shared import flat_scores

    sides = []
    for side, rows in (("references", references), ("predictions", predictions)):
        documents = [
            Document.from_side(*row_parts(row, f"{side}[{number}]"), f"{side}[{number}]")
            for number, row in enumerate(rows)
        ]
        problems = [problem for document in documents for problem in document.origin.problems]
        sides.append(Corpus(documents, problems=problems))
    known = signature(score).parameters
    for name in options:
        if name not in known:
            raise UsageError(f"unknown option {name}: {suggest(name, list(known)[2:])}")
    result = score(*sides, **options)
    found: dict[str, Any] = {**flat_scores({metric: result[metric] for metric in result})}
    found |= {"documents": len(result), "signature": result.signature}
    return found | {"notes": result.remarks}


def row_parts(row: Any, place: str) -> tuple[str, list[Any]]:
    """The name and the clusters of one row.

    >>> row_parts({"document": 7, "clusters": [[[0, 1]]]}, "predictions[0]")
    ('7', [[(0, 1)]])
    """
    if not isinstance(row, Mapping) or not {"document", "clusters"} <= row.keys():
        raise UsageError(
            f'{place} must be {{"document": name, "clusters": [[[first, last], …], …]}}, '
            f"not {row!r:.60}"
        )
    if row["document"] is None:
        raise UsageError(f"{place} has no document name")
    clusters = row["clusters"]
    if isinstance(clusters, str) or not isinstance(clusters, Iterable):
        raise UsageError(f"the clusters of {place} must be a list, not {clusters!r:.60}")
    found = [
        [_span(mention, place) for mention in cluster] if _is_list(cluster) else cluster
        for cluster in clusters
    ]
    return str(row["document"]), found


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple)) or hasattr(value, "tolist")


def _span(mention: Any, place: str) -> Any:
    """First and last token as whole numbers, or what it is."""
    if not _is_list(mention):
        return mention
    parts = [part.tolist() if hasattr(part, "tolist") else part for part in mention]
    if len(parts) != 2 or not all(isinstance(part, str) or _is_whole(part) for part in parts):
        raise UsageError(
            f"a mention in {place} must be [first, last], two whole numbers, not {mention!r:.60}"
        )
    return tuple(part if isinstance(part, str) else int(part) for part in parts)


def _is_whole(part: Any) -> bool:
    """Whether it is a whole number, and one that `evaluate` stores as it is."""
    if isinstance(part, bool) or not isinstance(part, (int, float)):
        return False
    return -(2**53) < part < 2**53 and part == int(part)
