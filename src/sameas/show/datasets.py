"""The scores of data sets, and their mean."""

from __future__ import annotations

from collections.abc import Sequence

from sameas.metrics.statistics import METRICS
from sameas.results.result import Result
from sameas.run.datasets import DatasetScores
from sameas.show.cells import score_rows
from sameas.show.records import json_of, write_records
from sameas.show.table import TextTable, lay_out

__all__ = ["render_datasets"]


def render_datasets(all_scores: Sequence[DatasetScores], style: str, *, digits: int = 2) -> str:
    """Write the scores of data sets and their mean, for one response or several.

    >>> import sameas
    >>> from sameas.run.datasets import DatasetScores
    >>> results = {name: sameas.score([["a", "b"]], [["a"]]) for name in ("cs", "en")}
    >>> print(render_datasets([DatasetScores(results)], "text").splitlines()[2])
    cs                66.67  0.00  40.00  66.67  66.67   0.00  0.00  35.56
    """
    if style == "json":
        return json_of([scores.as_dict() for scores in all_scores])
    metrics = all_scores[0].metrics
    if style == "csv":
        return write_records(
            {
                "response": scores.name,
                "dataset": name,
                "metric": metric,
                "recall": part[metric].recall,
                "precision": part[metric].precision,
                "f1": part[metric].value,
            }
            for scores in all_scores
            for name, part in _with_mean(scores, "macro")
            for metric in metrics
        )
    tables, notes, signatures = [], [], []
    for scores in all_scores:
        rows = [
            row
            for name, part in _with_mean(scores, "macro-average")
            for row in score_rows(name, (part[metric].value for metric in metrics), digits)
        ]
        title = "" if len(all_scores) == 1 else scores.name
        header = ["data set", *(METRICS[metric].title for metric in metrics)]
        tables.append(TextTable(header, rows, rules=[len(rows) - 1], title=title))
        notes += [f"{title}: {note}" if title else str(note) for note in scores.remarks]
        for name, result in scores.results.items():
            notes += [f"{title and title + ', '}{name}: {note}" for note in result.remarks]
            signatures.append(result.signature)
    return lay_out(tables, notes, signatures, style)


def _with_mean(scores: DatasetScores, name: str) -> list[tuple[str, Result | DatasetScores]]:
    return [*scores.results.items(), (name, scores)]
