"""DET curves, drawn with matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from sameas.errors import UsageError, counted
from sameas.names.validation import DetCurve, normal_deviates
from sameas.show.plot import COLOURS, SHAPES, _drawn, _literal, _short

__all__ = ["draw_det"]

Floats = np.ndarray[Any, np.dtype[np.float64]]

# The rates that are labelled, within the limits of the axes.
TICKS = (
    *(1e-6, 1e-5, 1e-4, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4),
    *(0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999, 0.9999),
)
LEAST, MOST = 0.001, 0.4  # the outermost ticks, unless an EER is beyond them
# Combined with colours and shapes, styles repeat only after 210 curves; in grey, after 30.
STYLES: tuple[Any, ...] = (
    "-",
    (0, (6, 2)),
    (0, (6, 1.5, 1.2, 1.5)),
    (0, (1.2, 1.2)),
    (0, (9, 1.2, 1, 1.2, 1, 1.2)),
)
CROSSES = "x+1234"
_ROUND = {"solid_joinstyle": "round", "dash_joinstyle": "round"}
# The marker of the EER of a curve.
_MARK = {
    "linewidth": 1.6,
    "markersize": 6,
    "markeredgecolor": "white",
    "markeredgewidth": 0.7,
    "zorder": 4,
}
FEW = 30  # errors; a rate with fewer is unreliable (Doddington et al. 2000)
CELLS = 1500  # grid cells per side of the panel, which has fewer pixels
BETWEEN = 32  # pieces of a line that is straight in rates but curved on the axes
SIDE = 4.6  # width and height of the figure, in inches
LINE = 0.2  # height of a line of the legend, in inches
APART = 0.055  # smallest distance at which tick labels do not touch, as a share of the side


class _Line(NamedTuple):
    """The points of a curve in normal deviates, and the range that is based on many errors."""

    across: Floats
    up: Floats
    firm: slice

    def rough(self, low: float, high: float) -> bool:
        """Return whether any point outside the range `firm` is visible between two deviates."""
        others = np.delete(np.stack([self.across, self.up]), self.firm, axis=1)
        return bool(((low < others) & (others < high)).all(axis=0).any())


def draw_det(
    curves: Mapping[str, DetCurve],
    path: str,
    *,
    title: str | None = None,
    marks: Mapping[str, float] | None = None,
) -> None:
    """Draw DET curves: misses on the x axis, false alarms on the y axis.

    This is the layout of figure 9 of Pervouchine et al. 2009. The axes are in normal deviates, in
    which two normal distributions give a straight line. A marker on the diagonal, where both rates
    are equal, is the EER of a curve. `marks` are EERs from other sources, drawn as crosses. A curve
    is thin where it is based on fewer than 30 errors of either kind. It ends where no errors of one
    kind remain: the rate is then somewhere below one pair in n, and is drawn at half a pair.

    >>> from sameas.names.validation import det
    >>> curve = det([0.2, 0.3, 0.7, 0.6, 0.9], [1, 1, 1, 0, 0], higher="false")
    >>> draw_det({"score2": curve}, "det.svg", marks={"paper": 0.0448})  # doctest: +SKIP
    """
    marks = dict(marks or {})
    if not curves:
        raise UsageError("no-curves")
    for name, rate in marks.items():
        if not 0 < rate < 1:
            raise UsageError("not-a-number", how="below", name=name, most=1, value=rate)
    ticks = _ticks(list(curves.values()), list(marks.values()))
    ends = normal_deviates([ticks[0], ticks[-1]]).tolist()
    low, high = ends[0] - 0.1, ends[1] + 0.25
    lines = [_line(curve, low, high) for curve in curves.values()]
    rates = [*(curve.eer for curve in curves.values()), *marks.values()]
    named = zip(_short([*curves, *marks]), rates, strict=True)
    labels = [f"{name}, EER {_percentage(rate)} %" for name, rate in named]
    with _drawn(path, 1, 1) as (figure, (panel,)):
        panel.plot([low, high], [low, high], color="#888888", linewidth=0.7, zorder=1)
        placed = enumerate(zip(lines, map(_eer_point, curves.values()), strict=True))
        shown = [_draw(panel, number, line, point) for number, (line, point) in placed]
        for rate, cross in zip(marks.values(), cycle(CROSSES), strict=False):
            at = normal_deviates([rate])
            shown += panel.plot(at, at, cross, color="black", markersize=7, zorder=5)
        panel.set(xlim=(low, high), ylim=(low, high), box_aspect=1)
        _label(panel, ticks, list(curves.values()))
        if title:
            panel.set_title(_literal(title))
        _add_legend(figure, panel, lines, shown, labels)


def _percentage(rate: float) -> str:
    """Return a percentage with two decimal places, or two significant digits if below 0.1."""
    return f"{100 * rate:.2f}" if rate >= 0.001 or not rate else f"{100 * rate:.2g}"


def _ticks(curves: Sequence[DetCurve], marks: Sequence[float]) -> list[float]:
    """Return the rates to label: the default ones, except those below the rate of half a pair.

    More rates are labelled if an EER is near or beyond the default limits.
    """
    half = min(0.5 / max(curve.genuine, curve.false) for curve in curves)
    eers = [rate for curve in curves for rate in _eer_point(curve)] + list(marks)
    least = min(max(LEAST, half), *(eer / 1.5 for eer in eers))
    most = max(MOST, *(eer * 1.25 for eer in eers))
    first = max((at for at, tick in enumerate(TICKS) if tick <= least), default=0)
    last = min((at for at, tick in enumerate(TICKS) if tick >= most), default=len(TICKS) - 1)
    return list(TICKS[first : last + 1])


def _eer_point(curve: DetCurve) -> tuple[float, float]:
    """Return where the EER is drawn; an EER of 0 or 1 is drawn half a pair away from 0 or 1."""
    eer = min(curve.eer, 1 - 0.5 / max(curve.genuine, curve.false))
    return (eer, eer) if eer else (0.5 / curve.genuine, 0.5 / curve.false)


def _line(curve: DetCurve, low: float, high: float) -> _Line:
    """Return the line of a curve between two deviates.

    Only the first and the last point in each cell of a fine grid are kept, so that a million points
    give the same line in a small file.
    """
    eer, other = _eer_point(curve)
    if not curve.eer:
        return _Line(normal_deviates([eer]), normal_deviates([other]), slice(0, 0))
    # From the last threshold without false alarms to the first without misses.
    first = int(np.searchsorted(curve.alarmed, 0, "right")) - 1
    last = int(np.searchsorted(-curve.missed, 0, "left"))
    misses = _inner(curve.missed[first : last + 1], curve.genuine, eer)
    alarms = _inner(curve.alarmed[first : last + 1], curve.false, eer)
    after = int(np.argmax(curve.misses[first:] <= curve.false_alarms[first:]))
    misses, alarms = (np.insert(rates, after, eer) for rates in (misses, alarms))
    misses, alarms = _between(*_thinned(misses, alarms, low, high))
    firm = np.flatnonzero((misses * curve.genuine >= FEW) & (alarms * curve.false >= FEW))
    many = slice(int(firm[0]), int(firm[-1]) + 1) if len(firm) else slice(0, 0)
    return _Line(normal_deviates(misses), normal_deviates(alarms), many)


def _inner(errors: Any, pairs: int, eer: float) -> Floats:
    """Return rates, kept half a pair (or the EER, if nearer) away from 0 and 1."""
    inner: Floats = np.clip(errors / pairs, min(0.5 / pairs, eer), max(1 - 0.5 / pairs, eer))
    return inner


def _thinned(misses: Floats, alarms: Floats, low: float, high: float) -> tuple[Floats, Floats]:
    """Return the first and the last point in each cell that the line passes through."""
    edges = np.array([NormalDist().cdf(z) for z in np.linspace(low, high, CELLS + 1)])
    left = [np.diff(np.searchsorted(edges, rates)) != 0 for rates in (misses, alarms)]
    new = left[0] | left[1]
    kept = np.append(True, new) | np.append(new, True)
    return misses[kept], alarms[kept]


def _between(misses: Floats, alarms: Floats) -> tuple[Floats, Floats]:
    """Add points to slanted lines, which come from ties and are straight in rates, not in deviates.

    If there are very many slanted lines, each is so short that no points are added.
    """
    slanted = (np.diff(misses) != 0) & (np.diff(alarms) != 0)
    pieces = np.where(slanted, BETWEEN if slanted.sum() < CELLS / BETWEEN else 1, 1)
    places = np.arange(len(misses))
    starts = np.repeat(places[:-1], pieces)
    shares = np.arange(len(starts)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    sampled = np.append(starts + shares / pieces[starts], places[-1])
    return np.interp(sampled, places, misses), np.interp(sampled, places, alarms)


def _draw(panel: Any, number: int, line: _Line, eer_point: tuple[float, float]) -> Any:
    """Draw a line and its EER, and return the marker for the legend."""
    colour, style = COLOURS[number % len(COLOURS)], STYLES[number % len(STYLES)]
    look = {**_ROUND, "color": colour, "linestyle": style}
    firm = line.firm
    thin = [slice(0, firm.start + 1), slice(max(firm.stop - 1, 0), None)]
    for part in thin if firm.stop else [slice(None)]:
        panel.plot(line.across[part], line.up[part], **look, linewidth=0.7)
    panel.plot(line.across[firm], line.up[firm], **look, linewidth=1.6)
    across, up = normal_deviates(eer_point)
    shape = SHAPES[number % len(SHAPES)]
    (shown,) = panel.plot([across], [up], **look, **_MARK, marker=shape)
    return shown


def _label(panel: Any, ticks: Sequence[float], curves: Sequence[DetCurve]) -> None:
    """Label the axes and ticks, with the number of pairs if it is the same for all curves."""
    low, high = panel.get_xlim()
    places: list[float] = []
    texts = []
    for tick, place in zip(ticks, normal_deviates(ticks).tolist(), strict=True):
        if not places or place - places[-1] >= APART * (high - low):
            places.append(place)
            texts.append(f"{100 * tick:.6g}")
    panel.set_xticks(places, texts)
    panel.set_yticks(places, texts)
    misses, alarms = "misses, %", "false alarms, %"
    if len({curve.genuine for curve in curves}) == 1:
        misses += f" of {counted(curves[0].genuine, 'genuine pair')}"
    if len({curve.false for curve in curves}) == 1:
        alarms += f" of {counted(curves[0].false, 'false pair')}"
    panel.set(xlabel=misses, ylabel=alarms)


def _add_legend(
    figure: Any, panel: Any, lines: Sequence[_Line], shown: Sequence[Any], labels: Sequence[str]
) -> None:
    """Add the legend in the upper right corner, or below the panel if lines pass through there."""
    from matplotlib.lines import Line2D

    low, high = panel.get_xlim()
    if any(line.rough(low, high) for line in lines):
        shown = [*shown, Line2D([], [], color="#666666", linewidth=0.7)]
        labels = [*labels, f"fewer than {FEW} errors"]
    inch = (high - low) / (SIDE - 0.6)
    width = 0.07 * max(map(len, labels)) + 0.5
    height = LINE * len(labels) + 0.1
    right, top = high - width * inch, high - height * inch
    free = all(((line.across < right) | (line.up < top)).all() for line in lines)
    if free and height < SIDE / 3:
        figure.set_size_inches(SIDE, SIDE)
        frame = {"frameon": True, "framealpha": 0.9, "edgecolor": "none"}
        panel.legend(shown, labels, loc="upper right", borderaxespad=0.2, **frame)
    else:
        columns = max(1, int(SIDE / width))
        figure.set_size_inches(SIDE, SIDE + LINE * -(-len(labels) // columns))
        figure.legend(shown, labels, loc="outside lower center", ncols=columns)
