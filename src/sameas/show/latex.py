"""Tables in LaTeX, with the rules of booktabs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sameas.show.table import TextTable

__all__ = ["write"]

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


def write(tables: Sequence[TextTable], notes: Sequence[str], signatures: Iterable[str]) -> str:
    """Return tables, notes and signatures as one text."""
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
    if cells[0].startswith(("[", "*")):  # which the line end before it would take for its own
        cells[0] = "{}" + cells[0]
    numbers = [re.sub(r"(?<=\d)(\*+)$", r"\\textsuperscript{\1}", cell) for cell in cells[words:]]
    return " & ".join([*cells[:words], *numbers]) + r" \\"


def _across(text: str, columns: str) -> str:
    return rf"\multicolumn{{{len(columns)}}}{{l}}{{{_tex(text)}}} \\"


def _tex(text: str) -> str:
    inset = r"\quad " if text.startswith("  ") else ""
    return inset + "".join(_TEX.get(character, character) for character in text.strip())
