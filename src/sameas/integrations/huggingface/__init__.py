"""Hugging Face `evaluate`: the path of a metric module, and what it computes.

`evaluate.load(path())` loads the module without a network. Predictions and references are rows
`{"document": "a", "clusters": [[[0, 1], [4, 4]], [[2, 2]]]}`: the name of a document, and its
entities as lists of mentions, first and last token each. They are paired by name, not by place.
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
    """What `evaluate.load` wants to be told.

    >>> path().endswith("sameas_coreference.py")
    True
    """
    return str(Path(__file__).with_name("sameas_coreference.py"))


def score_rows(
    predictions: Iterable[Mapping[str, Any]],
    references: Iterable[Mapping[str, Any]],
    **options: Any,
) -> dict[str, float]:
    """Score rows as the module does, without `evaluate`; the options are those of `result_of_rows`.

    Recall, precision and F1 of every metric come by names such as `muc_recall`, `conll_f1`, then
    the number of documents. All of them are numbers, as `Trainer.log_metrics` needs them; notes
    become warnings.

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
    """The result of rows, with its signature, notes and documents.

    `ignore_index` names the padding: with -1, mentions [-1, -1] are left out; without it they are
    refused. Other options are those of `sameas.score`.

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
    """The numbers of a result by flat names; warn of its notes, which are no numbers.

    >>> import sameas
    >>> numbers_of(sameas.score([["a"]], [["a"]], metrics="b3"))
    {'b3_recall': 1.0, 'b3_precision': 1.0, 'b3_f1': 1.0, 'documents': 1}
    """
    asked_for = {"singletons", "zeros"}  # dropped by an option of the caller
    others = [note for note in result.notes if note.code not in asked_for]
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
    """The name and the clusters of one row.

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
    """First and last token as whole numbers, or what it is."""
    if not _is_list(mention):
        return mention
    parts = [part.tolist() if hasattr(part, "tolist") else part for part in mention]
    if len(parts) != 2 or not all(isinstance(part, str) or _is_whole(part) for part in parts):
        raise UsageError("row-not-span", where=place, value=mention)
    return tuple(part if isinstance(part, str) else int(part) for part in parts)


def _is_whole(part: Any) -> bool:
    """Whether it is a whole number, and one that `evaluate` stores as it is."""
    number = isinstance(part, (int, float)) and not isinstance(part, bool)
    return number and -(2**53) < part < 2**53 and part == int(part)
