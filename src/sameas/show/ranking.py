"""Render the scores of ranked transliterations, and differences between systems, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sameas.chance.differences import pairs_as_dicts
from sameas.chance.resampling import FEW
from sameas.names.comparing import RankingComparison
from sameas.names.ranking import RankingScores, metric_title
from sameas.notes import Note
from sameas.settings import Resampling
from sameas.show.cells import beginning, bracket, percent, score_rows
from sameas.show.comparison import legend, pair_rows, pair_table, score_table
from sameas.show.records import compact_json, json_of, limits, write_records
from sameas.show.table import TextTable, join_notes, lay_out

__all__ = ["render_ranking", "render_ranking_comparison"]

ROOM = 24  # width of a name, reference or candidate in a table of wrong names


def render_ranking(
    found: Sequence[RankingScores],
    style: str = "text",
    *,
    digits: int = 2,
    wrong: int = 0,
    resampling: Resampling | None = None,
) -> str:
    """Render the scores of one or more systems, with intervals if `resampling` is given.

    Below them are at most `wrong` names whose first candidate is not a reference; JSON contains all
    such names if `wrong` is not 0.

    >>> from sameas.names.ranking import rank_scores
    >>> candidates = {"bob": ["博布", "鲍勃"], "al": ["阿尔"]}
    >>> one = rank_scores({"bob": ["鲍勃"], "al": ["阿尔"]}, candidates)
    >>> print(render_ranking([one], wrong=5))
    metric        %
    ───────────────
    ACC       50.00
    F         50.00
    MRR       75.00
    MAP_ref   50.00
    ACC@5    100.00
    ACC@10   100.00
    ACC@20   100.00
    CER       50.00
    <BLANKLINE>
    1 of 2 names wrong
    name  reference  first  rank
    ────────────────────────────
    bob   鲍勃       博布      2
    <BLANKLINE>
    sameas:ranking|most:20|ties:order|variants:none|case:fold|names:2|version:0.1.0
    """
    if style == "json":
        return json_of([_as_dict(one, resampling, wrong) for one in found])
    if style == "csv":
        return write_records(_rows(found, resampling))
    named = [(one.name or f"system {number}", one) for number, one in enumerate(found, start=1)]
    several = len(found) > 1
    tables = [_many(named, digits, resampling) if several else _one(found[0], digits, resampling)]
    if wrong:
        tables += [_wrong_table(one, wrong, name if several else "") for name, one in named]
    notes = join_notes(
        [(name, [*_interval_notes(one, resampling), *one.notes]) for name, one in named]
    )
    return lay_out(tables, notes, [one.signed(resampling) for one in found], style)


def _interval_notes(scores: RankingScores, resampling: Resampling | None) -> list[Note]:
    if resampling is None or len(scores) >= FEW:
        return []
    return [Note("few-names", count=len(scores), how="one" if len(scores) < 2 else "intervals")]


def _one(scores: RankingScores, digits: int, resampling: Resampling | None) -> TextTable:
    header = ["metric", "%"]
    rows = [[metric_title(metric), percent(scores[metric], digits)] for metric in scores.metrics]
    if resampling is not None:
        header.append(f"{resampling.percentage}% interval")
        for row, ends in zip(rows, scores.intervals(resampling).values(), strict=True):
            row.append(bracket(ends, digits))
    return TextTable(header, rows, title=scores.name)


def _many(
    named: Sequence[tuple[str, RankingScores]], digits: int, resampling: Resampling | None
) -> TextTable:
    """Return a table with a row for each system, with its intervals below."""
    every = dict.fromkeys(metric for _, one in named for metric in one.metrics)
    metrics = sorted(every, key=lambda metric: metric == "cer")  # CER comes last
    rows = []
    for name, one in named:
        known = {metric: one[metric] for metric in one.metrics}
        ends = one.intervals(resampling) if resampling is not None else {}
        intervals = map(ends.get, metrics) if ends else ()
        rows += score_rows(name, map(known.get, metrics), digits, intervals)
    return TextTable(["system", *map(metric_title, metrics)], rows)


def _wrong_table(scores: RankingScores, most: int, name: str) -> TextTable:
    rows = []
    for one in scores.wrong[:most]:
        texts = (one.source, " ".join(one.references), one.candidates[0] if one.candidates else "–")
        rank = "–" if one.rank is None else str(one.rank)
        rows.append([*(beginning(text, ROOM) for text in texts), rank])
    title = f"{len(scores.wrong):,} of {len(scores):,} names wrong"
    title += f"; the first {most:,} are shown" if len(scores.wrong) > most else ""
    header = ["name", "reference", "first", "rank"]
    return TextTable(
        header, rows or [["–"] * 4], words=3, title=f"{name}: {title}" if name else title
    )


def _as_dict(scores: RankingScores, resampling: Resampling | None, wrong: int) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "name": scores.name,
        "signature": scores.signed(resampling),
        "names": len(scores),
        "metrics": {metric: scores[metric] for metric in scores.metrics},
    }
    if resampling is not None:
        shown["intervals"] = scores.intervals(resampling)
    if wrong:
        names = ("name", "references", "candidates", "rank")
        shown["wrong"] = [dict(zip(names, one, strict=True)) for one in scores.wrong]
    shown["notes"] = list(map(str, [*_interval_notes(scores, resampling), *scores.notes]))
    return shown


def _rows(
    found: Sequence[RankingScores], resampling: Resampling | None
) -> Iterator[dict[str, object]]:
    """Yield one row per system and metric, with full precision."""
    for one in found:
        intervals = one.intervals(resampling) if resampling is not None else {}
        for metric in one.metrics:
            row = {"system": one.name, "names": len(one), "metric": metric, "value": one[metric]}
            ends = limits(intervals.get(metric)) if resampling is not None else {}
            yield {**row, **ends, "signature": one.signed(resampling)}


def render_ranking_comparison(
    comparison: RankingComparison, style: str = "text", *, digits: int = 2
) -> str:
    """Render a comparison: the scores with marks, then the differences of each pair.

    >>> from sameas.names.comparing import compare_rankings
    >>> from sameas.names.ranking import rank_scores
    >>> names = {str(number): ["a"] for number in range(30)}
    >>> base = rank_scores(names, {name: ["b", "a"] for name in names})
    >>> new = rank_scores(names, {name: ["a" if int(name) % 2 else "b"] for name in names})
    >>> systems = {"base": base, "new": new}
    >>> found = compare_rankings(systems, metrics=["accuracy", "mrr"], samples=1000)
    >>> print(render_ranking_comparison(found).partition("note")[0].rstrip())
    system    ACC      MRR
    ──────────────────────
    base     0.00    50.00
    new     50.00**  50.00
    <BLANKLINE>
    new − base
    metric  difference      95% interval         p  effect  win/tie/loss
    ────────────────────────────────────────────────────────────────────
    ACC         +50.00  [+33.33, +66.67]  0.0010**    0.98       15/15/0
    MRR           0.00  [−16.67, +16.67]  1.0000      0.00       15/0/15
    """
    if style == "json":
        return compact_json(_comparison_as_dict(comparison))
    if style == "csv":
        return write_records(pair_rows(comparison, comparison.systems))
    tables = [score_table(comparison, comparison.systems, digits, metric_title)]
    tables += [pair_table(comparison, pair, digits, metric_title) for pair in comparison.pairs]
    notes: list[object] = [*legend(comparison, "names"), *comparison.notes]
    if "cer" in comparison.metrics:
        notes.insert(0, Note("less-is-better"))
    joined = join_notes([(name, one.notes) for name, one in comparison.systems.items()])
    return lay_out(tables, [*notes, *joined], [comparison.signature], style)


def _comparison_as_dict(comparison: RankingComparison) -> dict[str, Any]:
    return {
        "signature": comparison.signature,
        "names": len(next(iter(comparison.systems.values()))),
        "systems": {
            name: {
                "name": one.name,
                "metrics": {
                    metric: {"value": one[metric], "interval": comparison.intervals[name][metric]}
                    for metric in comparison.metrics
                },
                "notes": list(map(str, one.notes)),
            }
            for name, one in comparison.systems.items()
        },
        "pairs": pairs_as_dicts(comparison.differences),
        "notes": list(map(str, comparison.notes)),
    }
