"""The module for `evaluate.load`: coreference scores of named documents."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from sameas.integrations.huggingface import numbers_of, result_of_rows, row_parts
from sameas.integrations.shared import optional_class
from sameas.results.result import Result

__all__ = ["SameasCoreference"]

DESCRIPTION = """\
MUC, B³, CEAFm, CEAFe, BLANC, LEA and the CoNLL average of coreference resolution, computed by \
sameas: over all documents, including singletons, with a signature of every setting.
"""
INPUTS = """
    Rows of predictions and of references are dictionaries: `document` is a name, `clusters` are
    lists of mentions, and a mention is a list of two integers, such as first and last token. Rows
    are paired by name; the two sides may have different numbers of documents. Options of `compute`
    are those of `sameas.score`, such as metrics=["conll"] and singletons="drop", and
    ignore_index=-1, which skips mentions [-1, -1]. `compute` returns only numbers. Afterwards,
    `result` has the signature, the notes and the documents; notes are also issued as warnings.
"""


# The base class stays unnamed, because `evaluate` loads the first metric class named in the file.
class SameasCoreference(
    optional_class("evaluate", "Metric", "evaluate", "datasets"),  # type: ignore[misc]
):
    """Coreference scores as a metric of `evaluate`.

    >>> import evaluate  # doctest: +SKIP
    >>> from sameas.integrations import huggingface
    >>> metric = evaluate.load(huggingface.path())  # doctest: +SKIP
    >>> row = {"document": "a", "clusters": [[[0, 1], [4, 4]]]}
    >>> metric.compute(predictions=[row], references=[row])["conll_f1"]  # doctest: +SKIP
    1.0
    >>> metric.result.notes  # doctest: +SKIP
    []
    """

    result: Result | None = None  # of the last `compute`, in the process that ran it

    def _info(self) -> Any:
        datasets, evaluate = import_module("datasets"), import_module("evaluate")
        listed = getattr(datasets, "List", datasets.Sequence)
        row = {
            "document": datasets.Value("string"),
            # With int64, the library would silently truncate decimals.
            "clusters": listed(listed(listed(datasets.Value("float64")))),
        }
        return evaluate.MetricInfo(
            description=DESCRIPTION,
            citation="The sameas authors: sameas, coreference scoring.",
            inputs_description=INPUTS,
            features=datasets.Features({"predictions": row, "references": dict(row)}),
        )

    def add_batch(
        self,
        *,
        predictions: Sequence[Any] | None = None,
        references: Sequence[Any] | None = None,
        **others: Any,
    ) -> None:
        """Add documents of one or both sides; the numbers of documents may differ."""
        sides: list[list[dict[str, Any]]] = [
            [
                dict(zip(("document", "clusters"), row_parts(row, f"{side}[{n}]"), strict=True))
                for n, row in enumerate(() if rows is None else rows)
            ]
            for side, rows in (("predictions", predictions), ("references", references))
        ]
        # `evaluate` stores both sides in one table, so the shorter side is padded. `_compute` skips
        # the padding.
        length = max(map(len, sides))
        for side in sides:
            side += [{"document": "", "clusters": None} for _ in range(length - len(side))]
        super().add_batch(predictions=sides[0], references=sides[1], **others)

    def add(self, *, prediction: Any = None, reference: Any = None, **others: Any) -> None:
        """Add one document of one or both sides."""
        self.add_batch(
            predictions=None if prediction is None else [prediction],
            references=None if reference is None else [reference],
            **others,
        )

    def _compute(self, predictions: Any, references: Any, **options: Any) -> dict[str, Any]:
        sides = (
            [row for row in rows if row["clusters"] is not None]
            for rows in (predictions, references)
        )
        self.result = result_of_rows(*sides, **options)
        return numbers_of(self.result)
