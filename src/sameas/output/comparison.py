"""Comparisons to tables: the systems' scores with marks, then one table for each pair."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from sameas.comparison import Comparison
from sameas.coref.statistics import METRICS
from sameas.differences import Difference
from sameas.output import Table, compact_json, lay_out, percent, write_csv
from sameas.signature import Comparing
from sameas.swapping import Pair

__all__ = ["MARKS", "Compared", "is_corrected", "pair_table", "render_comparison"]

MARKS = "* p < 0.05, ** p < 0.01"


class Compared(Protocol):
    """Systems that were compared, by whatever metrics."""

    @property
    def comparing(self) -> Comparing:
        """How."""

    @property
    def pairs(self) -> list[Pair]:
        """Which with which."""

    def __getitem__(self, pair: Pair) -> Mapping[str, Difference]:
        """The differences of two systems, by metric."""


def render_comparison(comparison: Comparison, style: str = "text", *, digits: int = 2) -> str:
    """Write a comparison in one of the styles.

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
    if style == "csv":
        return write_csv(_csv(comparison))
    tables = [_scores(comparison, digits)]
    tables += [pair_table(comparison, pair, digits, _title) for pair in comparison.pairs]
    return lay_out(
        tables, [*_legend(comparison), *comparison.remarks], [comparison.signature], style
    )


def _title(metric: str) -> str:
    return METRICS[metric].title


def _scores(comparison: Comparison, digits: int) -> Table:
    base = next(iter(comparison.results))
    names = list(comparison.results)
    columns = []
    for metric in comparison.metrics:
        values = [percent(result[metric].value, digits) for result in comparison.results.values()]
        marks = [
            comparison.differences[name, base][metric].mark if name != base else ""
            for name in names
        ]
        # Marks hang to the right of the numbers, which stay below each other.
        longest = max(map(len, marks))
        cells = [value + mark.ljust(longest) for value, mark in zip(values, marks, strict=True)]
        title = METRICS[metric].title
        room = max(0, min(longest, max(map(len, cells)) - len(title)))
        columns.append([title + " " * room, *cells])
    header, *rows = zip(["system", *names], *columns, strict=True)
    marked = any(cell.rstrip().endswith("*") for row in rows for cell in row[1:])
    return Table(header, rows, foot=f"{MARKS}, against {base}" if marked else "")


def pair_table(
    comparison: Compared, pair: tuple[str, str], digits: int, title_of: Callable[[str], str]
) -> Table:
    """The differences of two systems, a row for each metric."""
    corrected = is_corrected(comparison)
    header = ["metric", "difference", f"{comparison.comparing.percentage}% interval", "p"]
    header += ["p (Holm)"] if corrected else []
    header += ["effect", "win/tie/loss"]
    longest = max(len(found.mark) for found in comparison[pair].values())
    rows = []
    for metric, found in comparison[pair].items():
        bracket = "–"
        if found.interval:
            low, high = (percent(end, digits, "+") for end in found.interval)
            bracket = f"[{low}, {high}]"
        values = [found.p, found.adjusted] if corrected else [found.p]
        shown = [_p_value(value) for value in values]
        effect = "–" if found.effect is None else percent(found.effect / 100, 2)
        rows.append(
            [
                title_of(metric),
                percent(found.value, digits, "+"),
                bracket,
                *shown[:-1],
                shown[-1] + found.mark.ljust(longest),
                effect,
                f"{found.wins}/{found.ties}/{found.losses}",
            ]
        )
    marked = any(found.mark for found in comparison[pair].values())
    title = f"{pair[0]} − {pair[1]}"
    return Table(header, rows, title=title, foot=MARKS if marked else "")


def _p_value(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.4f}" if value >= 0.00005 else "<0.0001"


def is_corrected(comparison: Compared) -> bool:
    """Whether p-values are corrected for several pairs."""
    return comparison.comparing.correction == "holm" and len(comparison.pairs) > 1


def _legend(comparison: Comparison) -> list[str]:
    base = next(iter(comparison.results))
    notes = []
    if any(found.mark for pair in comparison.pairs for found in comparison[pair].values()):
        notes.append(f"{MARKS}; in the first table against {base}")
    if is_corrected(comparison):
        notes.append(
            f"p-values are corrected for {len(comparison.pairs)} pairs, metric by metric (Holm)"
        )
    return notes


def _csv(comparison: Comparison) -> Iterator[list[object]]:
    """One line a pair and metric; full precision."""
    yield [
        "new", "base", "metric", "new_score", "base_score", "difference", "low", "high", "p",
        "p_adjusted", "exact", "effect", "wins", "ties", "losses", "signature",
    ]  # fmt: skip
    for (new, base), by_metric in comparison.differences.items():
        for metric, found in by_metric.items():
            scores = [comparison.results[name][metric].value for name in (new, base)]
            numbers = [*(found.interval or (None, None)), found.p, found.adjusted]
            yield [
                new, base, metric, *scores, found.value,
                *("" if number is None else number for number in numbers),
                str(found.exact).lower(),
                "" if found.effect is None else found.effect,
                found.wins, found.ties, found.losses, comparison.signature,
            ]  # fmt: skip
