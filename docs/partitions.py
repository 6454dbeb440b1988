"""Draw Figure 1 of Pradhan et al. 2014 for docs/metrics.md.

It needs `pip install '.[plot]'`. `python docs/partitions.py` writes docs/muc-partitions.svg: the
key and the response of the paper's example, the partition of the key's entities by the response,
and that of the response's entities by the key. MUC counts the parts.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure

KEY, RESPONSE = ["abc", "defg"], ["ab", "cd", "fghi"]
#: The position of each mention; mentions that share an entity are neighbours in the picture.
PLACES = {
    "a": (0, 3),
    "b": (1, 3),
    "c": (0, 2),
    "d": (0, 1),
    "e": (0, 0),
    "f": (1, 1),
    "g": (1, 0),
    "h": (2, 1),
    "i": (2, 0),
}


def parts(entities: list[str], others: list[str]) -> list[str]:
    """Return the parts of each entity by the other side; a mention that it lacks is a part.

    >>> parts(KEY, RESPONSE)
    ['ab', 'c', 'd', 'fg', 'e']
    """
    found = []
    for entity in entities:
        shared = ["".join(m for m in entity if m in other) for other in others]
        alone = [m for m in entity if not any(m in other for other in others)]
        found += [part for part in [*shared, *alone] if part]
    return found


def outline(panel: Any, entity: str, dashed: bool, size: float) -> None:
    """Draw a line around the mentions of an entity, at distance `size`."""
    cells = {PLACES[m] for m in entity}
    grid = 16
    x, y = np.meshgrid(np.linspace(-1, 3, 4 * grid + 1), np.linspace(-1, 4, 5 * grid + 1))
    inside = np.full(x.shape, -1.0)
    joined = [(one, other) for one in cells for other in cells if one <= other]
    near = [(p, q) for p, q in joined if max(abs(p[0] - q[0]), abs(p[1] - q[1])) <= 1]
    for (x0, y0), (x1, y1) in near:
        dx, dy = x1 - x0, y1 - y0
        along = np.clip(((x - x0) * dx + (y - y0) * dy) / max(dx * dx + dy * dy, 1), 0, 1)
        away = np.hypot(x - x0 - along * dx, y - y0 - along * dy)
        inside = np.maximum(inside, size - away)
    style = {"linestyles": "dashed" if dashed else "solid", "colors": "black"}
    panel.contour(x, y, inside, levels=[0], linewidths=1.3, **style)


def main(path: str) -> None:
    style = {"svg.hashsalt": "sameas", "svg.fonttype": "path", "font.size": 10}
    panels = [
        ("solid: key\ndashed: response", KEY, RESPONSE),
        ("solid: key\ndashed: its parts in the response", KEY, parts(KEY, RESPONSE)),
        ("solid: parts in the key\ndashed: response", parts(RESPONSE, KEY), RESPONSE),
    ]
    with matplotlib.rc_context(style):
        figure = Figure(figsize=(8.4, 3.7), layout="constrained")
        for panel, (title, solid, dashed) in zip(figure.subplots(1, 3), panels, strict=True):
            for mention in sorted({m for entity in (*solid, *dashed) for m in entity}):
                panel.text(*PLACES[mention], mention, ha="center", va="center", style="italic")
            for entity in solid:
                outline(panel, entity, False, 0.38 if solid is KEY else 0.30)
            for entity in dashed:
                outline(panel, entity, True, 0.30 if solid is KEY else 0.38)
            panel.set(xlim=(-0.6, 2.6), ylim=(-0.6, 3.6), aspect="equal")
            panel.set_title(title, fontsize=10)
            panel.axis("off")
        figure.savefig(path, dpi=150, metadata={"Date": None} if path.endswith("svg") else None)


if __name__ == "__main__":
    main(sys.argv[1] if sys.argv[1:] else str(Path(__file__).parent / "muc-partitions.svg"))
