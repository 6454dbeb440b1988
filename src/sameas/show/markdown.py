"""Tables in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sameas.show.table import TextTable

__all__ = ["write"]


def write(tables: Sequence[TextTable], notes: Sequence[str], signatures: Iterable[str]) -> str:
    """Return tables, notes and signatures as one text."""
    blocks = []
    for table in tables:
        cells = [[_marked(cell) for cell in row] for row in [table.header, *table.rows]]
        mark = ["---" if column < table.words else "---:" for column in range(len(table.header))]
        if table.title:
            blocks.append(f"**{_marked(table.title)}**")
        blocks.append("\n".join(f"| {' | '.join(row)} |" for row in [cells[0], mark, *cells[1:]]))
    blocks += map(_marked, notes)
    blocks += [f"`{line}`" for line in signatures]
    return "\n\n".join(blocks)


def _marked(text: str) -> str:
    """Text as Markdown shows it unchanged."""
    text = re.sub(r"&(?=#?\w+;)", "&amp;", text.rstrip())
    text = re.sub(r"<(?=[A-Za-z/!?])", "&lt;", text)
    return re.sub(r"([|*])", r"\\\1", text)
