"""Tables in HTML, LaTeX and Markdown; each of these styles has a function of the same name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from sameas.show.table import TextTable

__all__ = ["html", "latex", "markdown"]

_TEX = {
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "³": r"\textsuperscript{3}",
    "₀": r"\textsubscript{0}",
    "φ": r"$\phi$",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "–": "--",
    "−": "$-$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "…": r"\ldots{}",
}


def html(tables: Sequence[TextTable], notes: Sequence[str], signatures: Iterable[str]) -> str:
    """Return tables, notes and signatures as HTML."""
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


def latex(tables: Sequence[TextTable], notes: Sequence[str], signatures: Iterable[str]) -> str:
    """Return tables, notes and signatures as LaTeX, with the rules of booktabs."""
    blocks = []
    for table in tables:
        rows = [_tex_row(row, table.words) for row in table.rows]
        for number in reversed(table.rules):
            rows.insert(number, r"\midrule")
        columns = "l" * table.words + "r" * (len(table.header) - table.words)
        title = [_across(table.title, columns), r"\midrule"] if table.title else []
        foot = [_across(table.foot, columns)] if table.foot else []
        head = [r"\toprule", *title, _tex_row(table.header, table.words), r"\midrule"]
        lines = [*head, *rows, r"\bottomrule", *foot]
        begin, end = rf"\begin{{tabular}}{{{columns}}}", r"\end{tabular}"
        blocks.append("\n".join([begin, *lines, end]))
    comments = [f"% {line}" for line in [*notes, *signatures]]
    return "\n".join(["\n\n".join(blocks), *comments])


def _tex_row(row: Sequence[str], words: int) -> str:
    cells = [_tex(cell) for cell in row]
    if cells[0].startswith(("[", "*")):  # TeX would parse it as an argument of the \\ before it
        cells[0] = "{}" + cells[0]
    numbers = [re.sub(r"(?<=\d)(\*+)$", r"\\textsuperscript{\1}", cell) for cell in cells[words:]]
    return " & ".join([*cells[:words], *numbers]) + r" \\"


def _across(text: str, columns: str) -> str:
    return rf"\multicolumn{{{len(columns)}}}{{l}}{{{_tex(text)}}} \\"


def _tex(text: str) -> str:
    inset = r"\quad " if text.startswith("  ") else ""
    return inset + "".join(_TEX.get(character, character) for character in text.strip())


def markdown(tables: Sequence[TextTable], notes: Sequence[str], signatures: Iterable[str]) -> str:
    """Return tables, notes and signatures as Markdown."""
    blocks = []
    for table in tables:
        cells = [[_escaped(cell) for cell in row] for row in [table.header, *table.rows]]
        mark = ["---" if column < table.words else "---:" for column in range(len(table.header))]
        if table.title:
            blocks.append(f"**{_escaped(table.title)}**")
        blocks.append("\n".join(f"| {' | '.join(row)} |" for row in [cells[0], mark, *cells[1:]]))
    blocks += map(_escaped, notes)
    blocks += [f"`{line}`" for line in signatures]
    return "\n\n".join(blocks)


def _escaped(text: str) -> str:
    """Return text that Markdown shows unchanged."""
    text = re.sub(r"&(?=#?\w+;)", "&amp;", text.rstrip())
    text = re.sub(r"<(?=[A-Za-z/!?])", "&lt;", text)
    return re.sub(r"([|*])", r"\\\1", text)
