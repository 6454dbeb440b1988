"""Plots, drawn with matplotlib."""

from __future__ import annotations

import logging
import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from sameas.analysis.analysis import Analysis
from sameas.analysis.comparison import Comparison
from sameas.analysis.findings import KINDS, PLURALS
from sameas.chance.resampling import CLOSE
from sameas.errors import UsageError, how_to_install, visible
from sameas.files import write_file
from sameas.matching.breakdown import CLASSES, in_order
from sameas.metrics.statistics import METRICS
from sameas.names.aligner import Step
from sameas.results.result import Result
from sameas.results.words import words_of
from sameas.show.cells import shorten
from sameas.show.correlation import shown_coefficient, title_of
from sameas.tables.correlation import Correlation
from sameas.tables.scoretable import ScoreTable

__all__ = [
    "draw_classes",
    "draw_documents",
    "draw_entropy",
    "draw_repairs",
    "load_matplotlib",
    "scatter",
]

Documents = Sequence[Mapping[str, float | None]]  # each document's scores, keyed by metric
ENDINGS = (".svg", ".png", ".pdf")
# Okabe and Ito's colours, which colour-blind readers can distinguish; shapes differ as well.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
# The metadata omitted from each kind of file: the date, if there is one.
_UNDATED = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
PANEL = 3.3  # width of one of several panels, in inches
_CLASS_LABELS = {"size": "entity size", "type": "entity type", "kind": "kind", "genre": "genre"}
_LOOK = {
    "svg.hashsalt": "sameas",  # makes files reproducible
    "svg.fonttype": "path",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 9,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.linewidth": 0.4,
    "grid.alpha": 0.5,
    "legend.frameon": False,
    "lines.markersize": 4,
}
SHAPES = "os^DvP"  # one fewer than colours, so that both repeat together only after 42


def load_matplotlib(path: str) -> Any:
    """Load matplotlib, after checking the extension of the file to write.

    >>> load_matplotlib("figure.bmp")
    Traceback (most recent call last):
    ...
    sameas.errors.UsageError: figure.bmp: a picture file must end in .svg, .png or .pdf
    """
    if Path(path).suffix.lower() not in ENDINGS:
        raise UsageError("picture-name", where=str(path))
    log = logging.getLogger("matplotlib")
    before = log.level
    log.setLevel(logging.ERROR)  # a home folder that cannot hold its cache is no problem
    try:
        import matplotlib
    except ImportError:
        install = how_to_install("matplotlib")
        raise UsageError("needs", what="a plot", package="matplotlib", install=install) from None
    except ValueError as error:  # an invalid setting in its environment
        raise UsageError("matplotlib-fails", reason=str(error)) from None
    finally:
        log.setLevel(before)
    return matplotlib


def scatter(
    table: ScoreTable,
    found: Sequence[Correlation],
    path: str,
    *,
    by: str | None = None,
    titles: Mapping[str, str] | None = None,
) -> None:
    """Draw one panel per correlation, one point per row, one colour per group.

    `titles` has the labels of columns that are not labelled with the name of their metric.

    >>> import sameas
    >>> table = sameas.published()
    >>> found = sameas.correlate(table, columns=["muc", "b3"], against="blanc")
    >>> scatter(table, found, "figure.png")  # doctest: +SKIP
    """
    groups, named = table.by(by) if by else {"": table}, titles or {}
    with _drawn(path, len(found), 3 if len(found) <= 9 else 4) as (figure, panels):
        for panel, one in zip(panels, found, strict=True):
            for number, part in enumerate(groups.values()):
                xs, ys = part.columns[one.x], part.columns[one.y]
                panel.scatter(xs, ys, s=22, alpha=0.75, linewidths=0, **_look(number))
            across, up = (_literal(named.get(name) or title_of(name)) for name in (one.x, one.y))
            panel.set(xlabel=across, ylabel=up)
            if one.pearson.value is not None:
                panel.set(title=f"r = {shown_coefficient(one.pearson, 3)}")
        if by:
            _legend_below(figure, panels[0].collections, _short(list(groups)))


def _legend_below(figure: Any, shown: Any, names: Sequence[str]) -> None:
    """Add a legend below the panels, in as many columns as fit."""
    room = max(1, int(figure.get_figwidth() / (0.08 * max(map(len, names)) + 0.5)))
    figure.legend(shown, names, loc="outside lower center", ncols=room)


def _look(number: int) -> dict[str, str]:
    """Return the colour and the marker of a series, numbered from 0."""
    return {"color": COLOURS[number % len(COLOURS)], "marker": SHAPES[number % len(SHAPES)]}


@contextmanager
def _drawn(path: str, count: int, most: int = 4, width: float = PANEL) -> Iterator[tuple[Any, Any]]:
    """Open a figure with at most `most` panels side by side; write it when the block ends."""
    matplotlib = load_matplotlib(path)
    from matplotlib.figure import Figure

    across = 2 if count in (2, 4) else min(count, most)
    down = math.ceil(count / across)
    with matplotlib.rc_context(_LOOK):
        figure = Figure(figsize=(width * across, 3.1 * down), layout="constrained")
        panels = figure.subplots(down, across, squeeze=False).ravel()
        for panel in panels[count:]:
            panel.remove()
        yield figure, panels[:count]
        drawn = BytesIO()
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph")  # characters missing from the font are boxes
            kind = Path(path).suffix.lower().removeprefix(".")
            figure.savefig(drawn, format=kind, dpi=200, metadata=_UNDATED[kind])
        write_file(path, drawn.getvalue())


def draw_documents(comparison: Comparison, path: str) -> None:
    """Plot the other systems against the first: one panel per metric, one point per document.

    Points above the line are documents in which the other system is better than the first. With
    two systems, the titles count the points above and below the line.

    >>> import sameas
    >>> from sameas.examples import example_path
    >>> systems = {name: example_path(f"{name}.conll") for name in ("careful", "eager")}
    >>> found = sameas.compare(example_path("key.conll"), systems, metrics="conll")
    >>> draw_documents(found, "figure.png")  # doctest: +SKIP
    """
    names = _short(list(comparison.results))
    metrics = list(comparison.metrics)
    base, *others = (list(result.by_document()) for result in comparison.results.values())
    with _drawn(path, len(metrics)) as (figure, panels):
        for panel, metric in zip(panels, metrics, strict=True):
            points = [_points(base, other, metric) for other in others]
            every = np.concatenate(points, axis=1)
            low, high = (every.min(), every.max()) if every.size else (0.0, 100.0)
            room = 0.05 * (high - low) + 0.5
            limits = (low - room, high + room)
            panel.plot(limits, limits, color="#888888", linewidth=0.8)
            for number, (xs, ys) in enumerate(points):
                panel.scatter(xs, ys, s=18, alpha=0.7, linewidths=0, **_look(number))
            title = METRICS[metric].title
            if len(others) == 1:
                panel.set_ylabel(names[1])
                xs, ys = points[0]
                title += f": {sum(xs < ys - CLOSE)} above, {sum(ys < xs - CLOSE)} below"
            panel.set(xlim=limits, ylim=limits, aspect="equal", xlabel=names[0], title=title)
        if len(others) > 1:
            _legend_below(figure, panels[0].collections, names[1:])


def _points(base: Documents, other: Documents, metric: str) -> Any:
    """Return two systems' scores as rows of percentages, for documents with both scores."""
    scores = 100 * np.array([[row[metric] for row in rows] for rows in (base, other)], dtype=float)
    return scores[:, ~np.isnan(scores).any(axis=0)]  # a missing score, None, has become NaN


def draw_classes(results: Sequence[Result], by: str, path: str) -> None:
    """Draw the scores of classes of mentions, such as entity sizes, with one line per response.

    >>> import sameas
    >>> result = sameas.score([["a", "b"], ["c"]], [["a", "b", "c"]])
    >>> draw_classes([result], "size", "figure.png")  # doctest: +SKIP
    """
    metrics = list(results[0].metrics)
    parts = [result.by(by) for result in results]
    labels = list(dict.fromkeys(label for part in parts for label in part))
    worded = words_of(results[0])
    labels.sort(key=in_order(by)) if by in CLASSES else labels.sort()
    with _drawn(path, len(metrics)) as (figure, panels):
        for panel, metric in zip(panels, metrics, strict=True):
            for number, part in enumerate(parts):
                values = [_percentage(part.get(label), metric) for label in labels]
                width = 1 if by == "size" else 0  # only sizes have an order
                panel.plot(range(len(labels)), values, **_look(number), linewidth=width)
            panel.set_xticks(range(len(labels)), [_literal(label) for label in labels])
            if sum(map(len, labels)) > 24:
                panel.tick_params(axis="x", rotation=90, labelsize=7)
            panel.set(xlabel=worded(_CLASS_LABELS.get(by, "group")))
            panel.set(title=f"{worded(METRICS[metric].title)}, %")
        if len(results) > 1:
            names = _short([result.name for result in results])
            _legend_below(figure, panels[0].lines, names)


def _percentage(result: Result | None, metric: str) -> float:
    """Return the score of a class in percent, or NaN without a result or anything to count."""
    if result is None:
        return math.nan
    for part in METRICS[metric].average_of or (metric,):
        counts = result[part].counts
        if counts and len(counts) == 4 and not counts[1]:
            return math.nan
    return 100 * result[metric].value


def draw_repairs(analysis: Analysis, path: str, *, kinds: Sequence[str] | None = None) -> None:
    """Draw the score against the share of errors of each kind that are repaired.

    The errors to repair are drawn at random three times, and the lines are means. The dashed
    straight line is the score if every error were worth the same, so that half the repairs gave
    half the gain.

    >>> import sameas
    >>> found = sameas.analyse([["a", "b"], ["c", "d"]], [["a", "b", "c"]])
    >>> draw_repairs(found, "figure.png")  # doctest: +SKIP
    """
    metric, worded = analysis.headline, words_of(analysis.result)
    requested = KINDS if kinds is None else kinds
    kinds = [kind for kind in KINDS if kind in requested and analysis.counts[kind]]
    with _drawn(path, 1, 1, 6.0) as (figure, (panel,)):
        for kind in kinds:
            shares = analysis.repaired_shares(kind)
            xs = [100 * share for share, _ in shares]
            ys = [100 * sum(r[metric].value for r in some) / len(some) for _, some in shares]
            look = _look(KINDS.index(kind))
            straight = {"color": look["color"], "linewidth": 0.7, "linestyle": "--", "alpha": 0.7}
            panel.plot([xs[0], xs[-1]], [ys[0], ys[-1]], **straight)
            label = f"{worded(PLURALS[kind])} ({analysis.counts[kind]})"
            panel.plot(xs, ys, **look, linewidth=1.2, label=label)
        panel.set(xlabel="errors repaired, %", ylabel=f"{METRICS[metric].title}, %")
        if kinds:
            figure.legend(loc="outside right upper")


def draw_entropy(iterations: Mapping[str, Sequence[Step]], path: str) -> None:
    """Draw the alignment entropy after each iteration, with one line per aligner.

    >>> from sameas.names.aligner import Aligner
    >>> fitted = Aligner("affinity").fit([("anna", "안나"), ("nana", "나나")])
    >>> draw_entropy({"affinity": fitted.steps}, "figure.png")  # doctest: +SKIP
    """
    with _drawn(path, 1, 1, 6.0) as (figure, (panel,)):
        for number, (name, steps) in enumerate(iterations.items()):
            # The start is far above the rest, which would look flat next to it.
            begun = f"{steps[0].entropy:.3f} → " if steps[0].cost is None and steps[1:] else ""
            shown = steps[1:] if begun else steps
            xs, ys = [step.iteration for step in shown], [step.entropy for step in shown]
            label = f"{_literal(name)}: {begun}{steps[-1].entropy:.3f}"
            panel.plot(xs, ys, **_look(number), linewidth=1.2, label=label)
        panel.xaxis.get_major_locator().set_params(integer=True)
        panel.set(xlabel="iteration", ylabel="alignment entropy, bits")
        figure.legend(loc="outside right upper")


def _short(names: Sequence[str]) -> list[str]:
    """Return names for a legend: long paths without their folders if the file names are unique."""
    files = [Path(name).name for name in names]
    long = max(map(len, names)) > 30
    shown = files if long and len(set(files)) == len(files) else names
    labels = shorten(shown, 40)
    return [_literal(labels[name]) for name in shown]


def _literal(text: str) -> str:
    """Return text that matplotlib shows literally: $ starts formulas, a leading _ hides a name."""
    text = visible(text).replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text
