"""Render the scores of responses, of their documents and of groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sameas.matching.breakdown import CLASSES
from sameas.metrics.statistics import METRICS
from sameas.notes import Note
from sameas.results.result import Result
from sameas.results.words import words_of
from sameas.sentences import of_records
from sameas.settings import Resampling, Signature
from sameas.show.cells import rate_cells, rate_header, score_rows
from sameas.show.table import TextTable, fits, join_notes, lay_out

if TYPE_CHECKING:
    from sameas.arithmetic.scores import Score
    from sameas.run.datasets import DatasetScores

__all__ = ["render", "render_datasets"]

#: The names and results of groups and of documents, which are shown in addition to the total.
Scopes = Mapping[str, Sequence[tuple[str, Result]]]

_LINKS = {"coref": "  coref.", "noncoref": "  non-coref."}
_COUNTS = (
    "recall_numerator",
    "recall_denominator",
    "precision_numerator",
    "precision_denominator",
)


def render(
    results: Sequence[Result],
    style: str = "text",
    *,
    digits: int = 2,
    by_document: bool = False,
    by: str | None = None,
    resampling: Resampling | None = None,
    more: Mapping[str, Mapping[str, Any]] | None = None,
) -> str:
    """Render results in one of the styles; several results become one table, with a row for each.

    With `resampling`, confidence intervals are shown. `more` has additional fields for the JSON,
    keyed by the name of the result.

    >>> import sameas
    >>> print(render([sameas.score([["a", "b"]], [["a", "b"]], metrics=["muc", "b3"])]))
    metric    recall       %  precision       %      F1
    ───────────────────────────────────────────────────
    MUC        1 / 1  100.00      1 / 1  100.00  100.00
    B³      2.00 / 2  100.00   2.00 / 2  100.00  100.00
    <BLANKLINE>
    sameas:coref|match:exact|singletons:keep|duplicates:first|missing:empty
      |blanc:luo2014|average:micro|docs:1|version:0.1.0
    """
    both = [(result, _scopes(result, by_document, by)) for result in results]
    if style in ("json", "csv"):
        from sameas.show.records import json_of, write_records

        if style == "json":
            fields = more or {}
            return json_of([_record(*one, resampling, fields.get(one[0].name, {})) for one in both])
        return write_records(row for one in both for row in _rows(*one, resampling))
    notes = join_notes(
        [(one.name, [*_interval_notes(one, some, resampling), *one.remarks]) for one, some in both]
    )
    if len(results) == 1:
        tables = [_parts_table(results[0], digits, resampling)]
        if style == "text" and resampling is None and not fits(tables[0]):
            tables = [_parts_table(results[0], digits, None, _short)]
            notes.append(str(Note("counts-shortened")))
    else:
        named = [(result.name, result) for result in results]
        tables = [_headline_table(named, "response", digits, resampling)]
    for result, some in both:
        title = "" if len(results) == 1 else result.name
        tables += _scope_tables(result, some, digits, title, resampling)
    return lay_out(tables, notes, [_signature(result, resampling) for result in results], style)


def _scopes(result: Result, by_document: bool, by: str | None) -> Scopes:
    scopes = {}
    if by is not None:
        scopes[by if by in CLASSES else "group"] = list(result.by(by).items())
    if by_document:
        scopes["document"] = [
            (document.name, result.select([document.number])) for document in result.documents
        ]
    return scopes


def _signature(result: Result, resampling: Resampling | None) -> str:
    return str(Signature(result.settings, len(result), resampling=resampling))


def _interval_notes(result: Result, scopes: Scopes, resampling: Resampling | None) -> list[Note]:
    if resampling is None:
        return []
    if len(result) < 2:
        return [Note("interval-one", values={"how": "records"} if result.of_records else {})]
    from sameas.chance.resampling import FEW

    if len(result) < FEW:
        return [Note("interval-few", count=len(result))]
    groups = [part for scope, parts in scopes.items() if scope != "document" for part in parts]
    small = [name for name, part in groups if len(part) < FEW]
    return [Note("interval-groups", count=len(small), names=small, few=FEW)] if small else []


# --- tables -------------------------------------------------------------------------------------


def _count(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.2f}"


def _short(value: float) -> str:
    """Return a count of a million or more in four digits with a suffix, such as 1.234M."""
    for power, sign in ((18, "E"), (15, "P"), (12, "T"), (9, "G"), (6, "M")):
        if value >= 10**power:
            number = value / 10**power
            return f"{number:.{3 - len(str(int(number))) + 1}f}{sign}"
    return _count(value)


def _parts_table(
    result: Result,
    digits: int,
    resampling: Resampling | None,
    count: Callable[[float], str] = _count,
) -> TextTable:
    """Return recall, precision and F1 of one result, with a row for each metric."""
    intervals = result.intervals(resampling) if resampling else {}
    rows: list[list[str]] = []
    rules = []
    for name in result.metrics:
        if METRICS[name].average_of and rows:
            rules.append(len(rows))
        for part, score in _with_links(result[name], links=not resampling):
            title = _LINKS[part] if part else words_of(result)(METRICS[name].title)
            rows.append([title, *rate_cells(score, digits, intervals.get(name), count)])
    return TextTable(["metric", *rate_header(resampling)], rows, rules=rules)


def _with_links(score: Score, *, links: bool = True) -> list[tuple[str, Score]]:
    """Return a score, and the scores of its kinds of links, if any."""
    parts = [(name, getattr(score, name)) for name in _LINKS if links]
    return [("", score), *((name, part) for name, part in parts if part)]


def _scope_tables(
    whole: Result, scopes: Scopes, digits: int, title: str, resampling: Resampling | None
) -> Iterator[TextTable]:
    for scope, parts in scopes.items():
        first, how = scope, resampling
        if scope == "document":
            how = None
        elif scope in CLASSES:
            first = f"{scope} (mentions)"
            parts = [(f"{name} ({part.key_mentions})", part) for name, part in parts]
        else:
            parts = [(f"{name} ({len(part)})", part) for name, part in parts]
        yield _headline_table([*parts, ("total", whole)], first, digits, how, title, total=True)


def _headline_table(
    named: Sequence[tuple[str, Result | DatasetScores]],
    first: str,
    digits: int,
    resampling: Resampling | None = None,
    title: str = "",
    *,
    total: bool = False,
) -> TextTable:
    """Return a table of headline numbers: a row of scores for each result, and one of intervals.

    Intervals are omitted without `resampling`.
    """
    metrics = named[0][1].metrics
    rows: list[list[str]] = []
    rules = []
    for name, result in named:
        rules = [len(rows)] if total and rows else []
        found = result.intervals(resampling) if resampling and isinstance(result, Result) else {}
        intervals = [found[metric].value for metric in metrics if found]
        rows += score_rows(name, (result[metric].value for metric in metrics), digits, intervals)
    header = [first, *(METRICS[metric].title for metric in metrics)]
    if all(isinstance(result, Result) and result.of_records for _, result in named):
        header = [*map(of_records, header)]
    return TextTable(header, rows, rules=rules, title=title)


# --- data sets ------------------------------------------------------------------------------------


def render_datasets(all_scores: Sequence[DatasetScores], style: str, *, digits: int = 2) -> str:
    """Render the scores of data sets and their mean, for one or more responses.

    >>> import sameas
    >>> from sameas.run.datasets import DatasetScores
    >>> results = {name: sameas.score([["a", "b"]], [["a"]]) for name in ("cs", "en")}
    >>> print(render_datasets([DatasetScores(results)], "text").splitlines()[2])
    cs                66.67  0.00  40.00  66.67  66.67   0.00  0.00  35.56
    """
    if style in ("json", "csv"):
        from sameas.show.records import json_of, write_records

        if style == "json":
            return json_of([scores.as_dict() for scores in all_scores])
        return write_records(
            {"response": scores.name, "dataset": name, "metric": metric, **_rates(part[metric])}
            for scores in all_scores
            for name, part in _with_mean(scores, "macro")
            for metric in scores.metrics
        )
    tables, notes, signatures = [], [], []
    for scores in all_scores:
        title = "" if len(all_scores) == 1 else scores.name
        named = _with_mean(scores, "macro-average")
        tables.append(_headline_table(named, "data set", digits, title=title, total=True))
        notes += [f"{title}: {note}" if title else str(note) for note in scores.remarks]
        for name, result in scores.results.items():
            notes += [f"{title and title + ', '}{name}: {note}" for note in result.remarks]
            signatures.append(result.signature)
    return lay_out(tables, notes, signatures, style)


def _with_mean(scores: DatasetScores, name: str) -> list[tuple[str, Result | DatasetScores]]:
    return [*scores.results.items(), (name, scores)]


# --- for programs -------------------------------------------------------------------------------


def _record(
    result: Result, scopes: Scopes, resampling: Resampling | None, more: Mapping[str, Any]
) -> dict[str, Any]:
    record = {**result.as_dict(resampling), **more}
    notes = _interval_notes(result, scopes, resampling)
    if notes:
        record["notes"] = [*map(str, notes), *record.get("notes", [])]
    for scope, parts in scopes.items():
        if scope == "document":
            record["by_document"] = [
                {"document": name, "metrics": part.as_dict()["metrics"]} for name, part in parts
            ]
        else:
            record["groups"] = {
                name: {
                    **({"mentions": part.key_mentions} if scope in CLASSES else {}),
                    "documents": len(part),
                    "metrics": part.as_dict(resampling)["metrics"],
                }
                for name, part in parts
            }
    return record


def _rows(
    result: Result, scopes: Scopes, resampling: Resampling | None
) -> Iterator[dict[str, object]]:
    """Yield one row per metric and response, document or group, with full precision."""
    for scope, parts in {"total": [("", result)], **scopes}.items():
        for name, part in parts:
            about = {"response": result.name, "scope": scope, "name": name}
            yield from _metric_rows(part, about, resampling)


def _metric_rows(
    result: Result, about: Mapping[str, str], resampling: Resampling | None
) -> Iterator[dict[str, object]]:
    from sameas.show.records import limits

    intervals = result.intervals(resampling) if resampling and about["scope"] != "document" else {}
    for metric in result.metrics:
        for link, score in _with_links(result[metric]):
            label = f"{metric}.{link}" if link else metric
            row = {**about, "metric": label, **_rates(score)}
            shown = score.recall is not None and label != "blanc"
            counts = score.counts if shown and score.counts else (None,) * 4
            row |= zip(_COUNTS, counts, strict=True)
            if resampling:
                ends = intervals.get(label) or (None, None, None)
                for part, interval in zip(("recall", "precision", "f1"), ends, strict=True):
                    row |= limits(interval, f"{part}_")
            yield {**row, "signature": _signature(result, resampling)}


def _rates(score: Score) -> dict[str, object]:
    return {"recall": score.recall, "precision": score.precision, "f1": score.value}
