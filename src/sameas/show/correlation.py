"""Render correlations as tables, with a row for each pair of metrics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sameas._version import __version__
from sameas.chance.resampling import FEW
from sameas.metrics.statistics import METRICS
from sameas.notes import Note
from sameas.settings import Resampling
from sameas.show.records import compact_json, flat, write_records
from sameas.show.table import TextTable, lay_out
from sameas.tables.correlation import COEFFICIENTS, MOST, TOO_FEW, Coefficient, Correlation

__all__ = ["render_correlations", "shown_coefficient", "title_of"]

#: The variants of the note `drawn-from`, each with its range [low, high) of numbers of units.
_DRAWN_FROM = {"too-few": (2, TOO_FEW), "few": (TOO_FEW, FEW)}


def title_of(column: str) -> str:
    """Return the title of a column: the metric's title if the column is a metric, else its name.

    >>> title_of("b3"), title_of("blanc_recall"), title_of("cone_b3"), title_of("rouge")
    ('B³', 'BLANC R', 'CONE B³', 'rouge')
    """
    cone, _, rest = column.partition("_")
    if cone == "cone" and title_of(rest) != rest:
        return f"CONE {title_of(rest)}"
    name, _, part = column.rpartition("_")
    if name in METRICS and part in ("recall", "precision"):
        return f"{METRICS[name].title} {part[0].upper()}"
    return METRICS[column].title if column in METRICS else column


def render_correlations(
    found: Mapping[str, Sequence[Correlation]],
    resampling: Resampling,
    style: str = "text",
    *,
    digits: int = 3,
    notes: Sequence[Note] = (),
    scope: str = "",
    drawn: str = "documents",
) -> str:
    """Render correlations in one of the styles, group by group; the group "" contains all rows.

    `scope` is the part of the signature that describes the rows if they are not the F1 of systems.
    `drawn` names the units that the bootstrap draws if it does not draw single rows.

    >>> import sameas
    >>> how = sameas.settings.Resampling(samples=100)
    >>> found = sameas.correlate(sameas.published(), columns=["muc", "b3"], resampling=how)
    >>> print(render_correlations({"": found}, how))
    53 rows
    metrics          Pearson [95%]        Spearman [95%]         Kendall [95%]
    ──────────────────────────────────────────────────────────────────────────
    MUC – B³  0.945 [0.898, 0.973]  0.915 [0.837, 0.953]  0.760 [0.667, 0.839]
    <BLANKLINE>
    sameas:correlate|interval:percentile|confidence:95|samples:100|seed:1|rows:53
      |version:0.1.0
    """
    rows, remarks = found[""][0].rows, list(map(str, [*_notes(found), *notes]))
    signature = f"sameas:correlate{scope}|{resampling}|rows:{rows}|version:{__version__}"
    if style == "json":
        listed = {name: [one.as_dict() for one in part] for name, part in found.items()}
        shown: dict[str, Any] = {"signature": signature, "rows": rows}
        shown["correlations"] = listed.pop("")
        shown |= {"groups": listed} if listed else {}
        return compact_json({**shown, "notes": remarks})
    if style == "csv":
        return write_records(_rows(found, signature))
    tables = [_table(name, part, resampling, digits, drawn) for name, part in found.items()]
    return lay_out(tables, remarks, [signature], style)


def _table(
    group: str, found: Sequence[Correlation], resampling: Resampling, digits: int, drawn: str
) -> TextTable:
    rows = []
    for one in found:
        shown = (shown_coefficient(getattr(one, name), digits) for name in COEFFICIENTS)
        rows.append([f"{title_of(one.x)} – {title_of(one.y)}", *shown])
    confidence = f"[{resampling.percentage}%]"
    header = [f"{coefficient.title()} {confidence}" for coefficient in COEFFICIENTS]
    title = f"{group}: {found[0].rows} rows" if group else f"{found[0].rows} rows"
    if found[0].drawn < found[0].rows:
        title += f" of {found[0].drawn} {drawn if found[0].drawn > 1 else drawn.removesuffix('s')}"
    return TextTable(["metrics", *header], rows, title=title)


def shown_coefficient(coefficient: Coefficient, digits: int) -> str:
    """Return a coefficient and its interval, as shown in tables.

    >>> from sameas.chance.resampling import Interval
    >>> shown_coefficient(Coefficient(-0.5, Interval(-0.75, 0.25)), 2)
    '−0.50 [−0.75, 0.25]'
    """
    if coefficient.value is None:
        return "–"
    ends = ", ".join(f"{end:.{digits}f}" for end in coefficient.interval or ())
    text = f"{coefficient.value:.{digits}f}" + (f" [{ends}]" if ends else "")
    return text.replace("-", "−")


def _notes(found: Mapping[str, Sequence[Correlation]]) -> list[Note]:
    every = [one for part in found.values() for one in part]
    notes = _drawn_from({name: part[0].drawn for name, part in found.items()})
    if any(one.pearson.value is None for one in every):
        notes.append(Note("same-everywhere"))
    if any(
        one.pearson.value is not None and one.pearson.interval is None and one.drawn > 1
        for one in every
    ):
        notes.append(Note("same-in-samples"))
    if any(one.rows > MOST for one in every):
        notes.append(Note("no-kendall", most=MOST))
    return notes


def _drawn_from(drawn: Mapping[str, int]) -> list[Note]:
    """Return notes on the groups whose samples are drawn from few units, or from only one."""
    as_one = [name or "all" for name, number in drawn.items() if number == 1]
    notes = [Note("drawn-as-one", groups=as_one)] if as_one else []
    for how, (least, most) in _DRAWN_FROM.items():
        within = {name: number for name, number in drawn.items() if least <= number < most}
        few = [f"{name}: {number}" if name else str(number) for name, number in within.items()]
        if few:
            notes.append(Note("drawn-from", how=how, groups=few))
    return notes


def _rows(
    found: Mapping[str, Sequence[Correlation]], signature: str
) -> Iterator[dict[str, object]]:
    for name, part in found.items():
        for one in part:
            about = {"group": name, "x": one.x, "y": one.y, "rows": one.rows}
            for coefficient in COEFFICIENTS:
                numbers = flat(asdict(getattr(one, coefficient)))
                yield {**about, "coefficient": coefficient, **numbers, "signature": signature}
