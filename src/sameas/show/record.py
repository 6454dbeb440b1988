"""Render the published record: its systems, and the impossible numbers in its tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sameas.notes import Note
from sameas.show.correlation import title_of
from sameas.show.records import compact_json, write_csv
from sameas.show.table import TextTable, lay_out
from sameas.tables.record import Finding
from sameas.tables.scoretable import ScoreTable

__all__ = ["render_findings", "render_record"]


def render_record(
    groups: Mapping[str, ScoreTable],
    notes: Sequence[Note],
    style: str,
    digits: Mapping[str, int],
    row_of: Mapping[str, int],
) -> str:
    """Render groups of systems in one of the styles.

    `digits` gives the number of decimal places of each column, and `row_of` the row of a new system
    in each group; rules separate this row from the others.

    >>> import sameas
    >>> table = sameas.published().only(["muc", "b3"]).select([0])
    >>> print(render_record({"the first": table}, [], "text", {"muc": 1, "b3": 1}, {}))
    the first
    system   MUC    B³
    ──────────────────
    lee     59.6  48.9
    """
    if style == "json":
        return compact_json([record for part in groups.values() for record in part.records()])
    if style == "csv":
        return write_csv(_csv_rows(list(groups.values())))
    tables = []
    for title, part in groups.items():
        decimals = {name: [number] * len(part) for name, number in digits.items()}
        rows = list(_cells(part, ["system"], decimals, "–"))
        header = ["system", *map(title_of, part.columns)]
        around = [row_of[title], row_of[title] + 1] if title in row_of else []
        rules = [row for row in around if 0 < row < len(rows)]
        tables.append(TextTable(header, rows, rules=rules, title=title))
    return lay_out(tables, notes, [], style)


def _csv_rows(parts: Sequence[ScoreTable]) -> Iterator[list[str]]:
    """Yield the scores with as many decimal places as were published."""
    yield [*parts[0].labels, *parts[0].columns]
    for part in parts:
        decimals = {name: part.decimals_of(name) for name in part.columns}
        yield from _cells(part, part.labels, decimals, "")


def _cells(
    part: ScoreTable, labels: Iterable[str], decimals: Mapping[str, Sequence[int]], missing: str
) -> Iterator[list[str]]:
    for row, record in enumerate(part.records()):
        numbers = ((record[name], decimals[name][row]) for name in part.columns)
        yield [
            *(record[name] for name in labels),
            *(missing if number is None else f"{number:.{places}f}" for number, places in numbers),
        ]


def render_findings(findings: Sequence[Finding], rows: int, style: str | None = None) -> str:
    """Render the findings of an audit of a table with `rows` rows; without a style, line by line.

    >>> render_findings([], 3)
    '3 rows, 0 findings'
    """
    header = ["row", "column", "printed", "reason"]
    cells = [[getattr(one, name) for name in header] for one in findings]
    if style == "json":
        return compact_json([dict(zip(header, row, strict=True)) for row in cells])
    if style == "csv":
        return write_csv([header, *cells])
    found = Note("audited", count=len(findings), rows=rows)
    if style is None:
        return "\n".join(map(str, [*findings, found]))
    return lay_out([TextTable(header, cells, words=4)], [found], [], style)
