"""Pictures, drawn by matplotlib: `pip install 'sameas[plot]'`."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sameas.correlation import Correlation
from sameas.errors import InputError, Problem, UsageError
from sameas.output.correlation import title_of
from sameas.scoretable import ScoreTable

__all__ = ["load_matplotlib", "scatter"]

KINDS = (".svg", ".png", ".pdf")
# Okabe and Ito's colours, which the colour-blind can tell apart; shapes differ as well.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
SHAPES = "os^DvP"  # one fewer than colours, so that both repeat together only after 42


def load_matplotlib(path: str) -> Any:
    """Load matplotlib, or say what is wrong before the work begins.

    >>> load_matplotlib("figure.bmp")
    Traceback (most recent call last):
    ...
    sameas.errors.UsageError: figure.bmp: a picture is .svg, .png or .pdf
    """
    if Path(path).suffix.lower() not in KINDS:
        raise UsageError(f"{path}: a picture is .svg, .png or .pdf")
    try:
        import matplotlib
    except ImportError:
        raise UsageError("plots need matplotlib: pip install 'sameas[plot]'") from None
    except ValueError as error:  # of a wrong setting in its environment
        raise UsageError(f"matplotlib does not start: {error}") from None
    return matplotlib


def scatter(
    table: ScoreTable, found: Sequence[Correlation], path: str, *, by: str | None = None
) -> None:
    """Draw a panel for each correlation, a point for each row, a colour for each group.

    >>> import sameas
    >>> table = sameas.published()
    >>> found = sameas.correlate(table, columns=["muc", "b3"], against="blanc")
    >>> scatter(table, found, "figure.png")  # doctest: +SKIP
    """
    matplotlib = load_matplotlib(path)
    from matplotlib.figure import Figure

    style = {
        "svg.hashsalt": "sameas",  # the same picture gives the same file
        "svg.fonttype": "path",
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
    }
    across = 2 if len(found) in (2, 4) else min(len(found), 3 if len(found) <= 9 else 4)
    down = math.ceil(len(found) / across)
    groups = table.by(by) if by else {"": table}
    with matplotlib.rc_context(style):
        figure = Figure(figsize=(3.3 * across, 3.1 * down), layout="constrained")
        panels = figure.subplots(down, across, squeeze=False).ravel()
        for panel, one in zip(panels, found, strict=False):
            _panel(panel, groups, one)
        for panel in panels[len(found) :]:
            panel.remove()
        if by:
            names = _short(list(groups))
            room = max(1, int(3.3 * across / (0.08 * max(map(len, names)) + 0.5)))
            points = panels[0].collections
            figure.legend(points, names, loc="outside lower center", ncols=room, frameon=False)
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "Glyph")  # signs that the font lacks are boxes
                figure.savefig(path, dpi=200, metadata=_undated(path))
        except OSError as error:
            raise InputError([Problem(f"cannot be written: {error.strerror}", path)]) from None


def _panel(panel: Any, groups: dict[str, ScoreTable], one: Correlation) -> None:
    for number, part in enumerate(groups.values()):
        panel.scatter(
            part.columns[one.x],
            part.columns[one.y],
            s=22,
            alpha=0.75,
            linewidths=0,
            color=COLOURS[number % len(COLOURS)],
            marker=SHAPES[number % len(SHAPES)],
        )
    panel.set_xlabel(_literal(title_of(one.x)))
    panel.set_ylabel(_literal(title_of(one.y)))
    panel.grid(visible=True, linewidth=0.4, alpha=0.5)
    panel.set_axisbelow(True)
    if one.pearson.value is not None:
        text = f"r = {one.pearson.value:.3f}"
        if one.pearson.interval:
            text += " [{:.3f}, {:.3f}]".format(*one.pearson.interval)
        panel.set_title(text.replace("-", "−"), fontsize=9, loc="left")


def _short(names: Sequence[str]) -> list[str]:
    """Names for a legend: files without their folders where that is enough to tell them apart."""
    files = [Path(name).name for name in names]
    long = max(map(len, names)) > 30
    shown = files if long and len(set(files)) == len(files) else names
    return [_literal(name if len(name) <= 40 else "…" + name[-39:]) for name in shown]


def _literal(text: str) -> str:
    """Text that matplotlib shows as it is: $ begins mathematics, a first _ hides a name."""
    text = text.replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text


def _undated(path: str) -> dict[str, None]:
    """Leave the date out of the file, where its kind has one."""
    return {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(
        Path(path).suffix.lower(), {}
    )
