"""Render comparisons as tables: the systems' scores with marks, then one table for each pair."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

from sameas.analysis.comparison import Comparison
from sameas.chance.swapping import Pair
from sameas.metrics.statistics import METRICS
from sameas.notes import Note
from sameas.results.words import words_of
from sameas.show.cells import bracket, percent
from sameas.show.records import compact_json, flat, write_records
from sameas.show.table import TextTable, lay_out

if TYPE_CHECKING:
    from sameas.names.comparing import RankingComparison
    from sameas.names.ranking import RankingScores

__all__ = [
    "Systems",
    "legend",
    "pair_rows",
    "pair_table",
    "render_comparison",
    "score_table",
]

MARKS = "* p < 0.05, ** p < 0.01"


#: A comparison of systems, on metrics of any kind.
Systems: TypeAlias = "Comparison | RankingComparison"
#: The scores of systems, from 0 to 1, keyed by name and metric.
Scores: TypeAlias = "Mapping[str, Mapping[str, float] | RankingScores]"


def render_comparison(comparison: Comparison, style: str = "text", *, digits: int = 2) -> str:
    """Render a comparison in one of the styles.

    >>> import sameas
    >>> from sameas.examples import example_path
    >>> systems = {name: example_path(f"{name}.conll") for name in ("careful", "eager")}
    >>> comparison = sameas.compare(example_path("key.conll"), systems, metrics="muc")
    >>> print(render_comparison(comparison).partition("note")[0].rstrip())
    system     MUC
    ──────────────
    careful  84.21
    eager    88.89
    <BLANKLINE>
    eager − careful
    metric  difference     95% interval       p  effect  win/tie/loss
    ─────────────────────────────────────────────────────────────────
    MUC          +4.68  [−0.70, +11.36]  0.3750    0.83         3/0/1
    """
    if style == "json":
        return compact_json(comparison.as_dict())
    scores = {
        name: {metric: result[metric].value for metric in comparison.metrics}
        for name, result in comparison.results.items()
    }
    if style == "csv":
        return write_records(pair_rows(comparison, scores))
    worded = words_of(next(iter(comparison.results.values())))

    def title(metric: str) -> str:
        return worded(METRICS[metric].title)

    tables = [score_table(comparison, scores, digits, title)]
    tables += [pair_table(comparison, pair, digits, title) for pair in comparison.pairs]
    verdicts = [_verdict(comparison, pair, title) for pair in comparison.pairs]
    notes = [*filter(None, verdicts), *legend(comparison, "documents"), *comparison.remarks]
    return lay_out(tables, notes, [comparison.signature], style)


def score_table(
    comparison: Systems,
    scores: Scores,
    digits: int,
    title_of: Callable[[str], str],
) -> TextTable:
    """Return the scores of all systems, marked if they differ significantly from the first."""
    base, *_ = names = list(scores)
    columns = []
    for metric in comparison.metrics:
        values = [percent(scores[name][metric], digits) for name in names]
        marks = [comparison[name, base][metric].mark if name != base else "" for name in names]
        # Padding after shorter marks keeps the numbers aligned.
        longest = max(map(len, marks))
        cells = [value + mark.ljust(longest) for value, mark in zip(values, marks, strict=True)]
        title = title_of(metric)
        room = max(0, min(longest, max(map(len, cells)) - len(title)))
        columns.append([title + " " * room, *cells])
    header, *rows = zip(["system", *names], *columns, strict=True)
    marked = any(cell.rstrip().endswith("*") for row in rows for cell in row[1:])
    return TextTable(header, rows, foot=f"{MARKS}, against {base}" if marked else "")


def pair_table(
    comparison: Systems, pair: Pair, digits: int, title_of: Callable[[str], str]
) -> TextTable:
    """Return the differences between two systems, with a row for each metric."""
    chances = ["p", "p (Holm)"] if _is_corrected(comparison) else ["p"]
    header = ["metric", "difference", f"{comparison.comparing.percentage}% interval"]
    header += [*chances, "effect", "win/tie/loss"]
    differences = comparison[pair]
    longest = max(len(found.mark) for found in differences.values())
    rows = []
    for metric, found in differences.items():
        shown = [percent(found.value, digits, "+"), bracket(found.interval, digits, "+")]
        shown += map(_p_value, (found.p, found.adjusted)[: len(chances)])
        shown[-1] += found.mark.ljust(longest)
        effect = "–" if found.effect is None else percent(found.effect / 100, 2)
        counts = f"{found.wins}/{found.ties}/{found.losses}"
        rows.append([title_of(metric), *shown, effect, counts])
    return TextTable(header, rows, title=f"{pair[0]} − {pair[1]}", foot=MARKS if longest else "")


def _p_value(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.4f}" if value >= 0.00005 else "<0.0001"


def _is_corrected(comparison: Systems) -> bool:
    """Return whether p-values are corrected for several pairs."""
    return comparison.comparing.correction == "holm" and len(comparison.pairs) > 1


def _verdict(comparison: Comparison, pair: Pair, title_of: Callable[[str], str]) -> Note | None:
    """Return the note on which of two systems is better; None if every document is a tie."""
    found = comparison[pair]
    if all(one.p is None or not one.wins + one.losses for one in found.values()):
        return None
    new, base = pair
    marked = [one for one in found.values() if one.mark]
    better = [title_of(one.metric) for one in marked if one.value > 0]
    worse = [title_of(one.metric) for one in marked if one.value < 0]
    how = ("both" if worse else "better") if better else "worse" if worse else "none"
    return Note("verdict", how=how, new=new, base=base, better=better, worse=worse)


def legend(comparison: Systems, units: str) -> list[Note]:
    """Return notes on the columns, on the marks, and on how p-values are corrected.

    `units` is what the systems were compared on: documents or names.
    """
    notes = []
    every = [found for pair in comparison.pairs for found in comparison[pair].values()]
    if any(found.effect is not None and found.wins + found.losses for found in every):
        notes.append(Note("columns", how=units))
    if any(found.mark for found in every):
        notes.append(Note("marks", marks=MARKS, base=comparison.pairs[0][1]))
    if _is_corrected(comparison):
        notes.append(Note("corrected", count=len(comparison.pairs)))
    return notes


def pair_rows(comparison: Systems, scores: Scores) -> Iterator[dict[str, object]]:
    """Yield one row per pair and metric for CSV, with full precision."""
    for new, base in comparison.pairs:
        for metric, found in comparison[new, base].items():
            yield {
                "new": new,
                "base": base,
                "metric": metric,
                "new_score": scores[new][metric],
                "base_score": scores[base][metric],
                **flat(found.as_dict()),
                "signature": comparison.signature,
            }
