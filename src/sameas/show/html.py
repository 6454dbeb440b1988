"""Tables in HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from sameas.show.table import TextTable

__all__ = ["write"]


def write(tables: Sequence[TextTable], notes: Sequence[str], signatures: Iterable[str]) -> str:
    """Return tables, notes and signatures as one text."""
    blocks = []
    for table in tables:
        head = "".join(f"<th>{escape(cell)}</th>" for cell in table.header)
        sides = ["left" if column < table.words else "right" for column in range(len(table.header))]
        body = ""
        for row in table.rows:
            cells = (
                f'<td style="text-align:{side};white-space:pre">{escape(cell)}</td>'
                for side, cell in zip(sides, row, strict=True)
            )
            body += f"<tr>{''.join(cells)}</tr>"
        caption = f"<caption>{escape(table.title)}</caption>" if table.title else ""
        blocks.append(
            f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )
    blocks += [f"<p>{escape(note)}</p>" for note in notes]
    blocks += [f"<p><small><code>{escape(line)}</code></small></p>" for line in signatures]
    return "\n".join(blocks)
