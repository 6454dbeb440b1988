"""Hugging Face `evaluate`: the path of the metric module, and its computation.

`evaluate.load(path())` loads the module without a network. Predictions and references are rows
`{"document": "a", "clusters": [[[0, 1], [4, 4]], [[2, 2]]]}`: the name of a document, and its
entities as lists of mentions, each with first and last token. Rows are paired by name, not by
position.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from sameas.documents.document import Corpus, Document, check_ignore_index, without_padding
from sameas.errors import UsageError
from sameas.integrations.shared import flat_scores
from sameas.results.result import Result
from sameas.run.scoring import score

__all__ = ["numbers_of", "path", "result_of_rows", "score_rows"]


def path() -> str:
    """Return the path for `evaluate.load`.

    Returns
    -------
    str
        The file of the metric.

    Examples
    --------
    >>> path().endswith("sameas_coreference.py")
    True
    """
    return str(Path(__file__).with_name("sameas_coreference.py"))


def score_rows(
    predictions: Iterable[Mapping[str, Any]],
    references: Iterable[Mapping[str, Any]],
    **options: Any,
) -> dict[str, float]:
    """Score rows as the module does, without `evaluate`.

    All values are numbers, as `Trainer.log_metrics` requires; notes become warnings.

    Parameters
    ----------
    predictions, references
        The rows of the response and of the key.
    **options
        The options of `result_of_rows`.

    Returns
    -------
    dict
        Recall, precision and F1 of every metric under names such as `muc_recall` and `conll_f1`,
        then the number of documents.

    Examples
    --------
    >>> row = {"document": "a", "clusters": [[[0, 1], [4, 4]], [[2, 2]]]}
    >>> found = score_rows([row], [row], metrics=["b3", "conll"])
    >>> found["b3_recall"], found["conll_f1"], found["documents"]
    (1.0, 1.0, 1)
    """
    return numbers_of(result_of_rows(predictions, references, **options))


def result_of_rows(
    predictions: Iterable[Mapping[str, Any]],
    references: Iterable[Mapping[str, Any]],
    *,
    ignore_index: int | None = None,
    **options: Any,
) -> Result:
    """Score rows, and return the result with its signature, notes and documents.

    Parameters
    ----------
    predictions, references
        The rows of the response and of the key.
    ignore_index
        The padding value: with -1, mentions [-1, -1] are skipped; without it they are rejected.
    **options
        Further arguments of `sameas.score`.

    Returns
    -------
    Result
        The scores.

    Examples
    --------
    >>> row = {"document": "a", "clusters": [[[0, 1], [4, 4], [-1, -1]]]}
    >>> result_of_rows([row], [row], metrics="muc", ignore_index=-1)
    <Result response: 1 documents, muc 100.00>
    """
    check_ignore_index(ignore_index)
    sides = []
    for side, rows in (("references", references), ("predictions", predictions)):
        documents = [
            _document(row, f"{side}[{number}]", ignore_index) for number, row in enumerate(rows)
        ]
        problems = [problem for document in documents for problem in document.origin.problems]
        sides.append(Corpus(documents, problems=problems))
    return score(*sides, **options)


def numbers_of(result: Result) -> dict[str, float]:
    """Return the numbers of a result under flat names; issue its notes as warnings.

    Parameters
    ----------
    result
        The result.

    Returns
    -------
    dict
        Recall, precision and F1 of every metric, and the number of documents.

    Examples
    --------
    >>> import sameas
    >>> numbers_of(sameas.score([["a"]], [["a"]], metrics="b3"))
    {'b3_recall': 1.0, 'b3_precision': 1.0, 'b3_f1': 1.0, 'documents': 1}
    """
    requested = {"singletons", "zeros"}  # dropped by the caller's options
    others = [note for note in result.notes if note.code not in requested]
    for remark in replace(result, notes=others).remarks:
        warnings.warn(f"sameas: {remark}", stacklevel=3)
    return {**flat_scores(result), "documents": len(result)}


def _document(row: Any, place: str, ignore_index: int | None) -> Document:
    name, clusters = row_parts(row, place)
    if ignore_index is not None:
        clusters = without_padding(clusters, ignore_index)
    try:
        return Document.from_side(name, clusters, place)
    except UsageError as error:
        raise error.at(f"document {name}") from None


def row_parts(row: Any, place: str) -> tuple[str, list[Any]]:
    """Return the name and the clusters of one row.

    >>> row_parts({"document": 7, "clusters": [[[0, 1]]]}, "predictions[0]")
    ('7', [[(0, 1)]])
    """
    if not isinstance(row, Mapping) or not {"document", "clusters"} <= row.keys():
        raise UsageError("not-a-row", where=place, value=row)
    if row["document"] is None:
        raise UsageError("row-no-name", where=place)
    clusters = row["clusters"]
    if isinstance(clusters, str) or not isinstance(clusters, Iterable):
        raise UsageError("row-not-list", where=place, value=clusters)
    name = str(row["document"])
    place = f"document {name}, {place}"
    found = [
        [_span(mention, place) for mention in cluster] if _is_list(cluster) else cluster
        for cluster in clusters
    ]
    return name, found


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple)) or hasattr(value, "tolist")


def _span(mention: Any, place: str) -> Any:
    """Return the first and last tokens as integers, or a value that is not a list unchanged."""
    if not _is_list(mention):
        return mention
    parts = [part.tolist() if hasattr(part, "tolist") else part for part in mention]
    if len(parts) != 2 or not all(isinstance(part, str) or _is_whole(part) for part in parts):
        raise UsageError("row-not-span", where=place, value=mention)
    return tuple(part if isinstance(part, str) else int(part) for part in parts)


def _is_whole(part: Any) -> bool:
    """Return whether a value is an integer that `evaluate` stores exactly."""
    number = isinstance(part, (int, float)) and not isinstance(part, bool)
    return number and -(2**53) < part < 2**53 and part == int(part)
