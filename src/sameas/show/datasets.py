"""The scores of data sets, and their mean."""

from __future__ import annotations

from collections.abc import Sequence

from sameas.results.result import Result
from sameas.run.datasets import DatasetScores
from sameas.show.records import json_of, write_records
from sameas.show.scores import headline_table
from sameas.show.table import lay_out

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
            for metric in scores.metrics
        )
    tables, notes, signatures = [], [], []
    for scores in all_scores:
        title = "" if len(all_scores) == 1 else scores.name
        named = _with_mean(scores, "macro-average")
        tables.append(headline_table(named, "data set", digits, title=title, total=True))
        notes += [f"{title}: {note}" if title else str(note) for note in scores.remarks]
        for name, result in scores.results.items():
            notes += [f"{title and title + ', '}{name}: {note}" for note in result.remarks]
            signatures.append(result.signature)
    return lay_out(tables, notes, signatures, style)


def _with_mean(scores: DatasetScores, name: str) -> list[tuple[str, Result | DatasetScores]]:
    return [*scores.results.items(), (name, scores)]
