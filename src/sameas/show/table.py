"""Tables, notes and signatures, laid out as text or in a markup language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module

from sameas.errors import unknown
from sameas.show.cells import end, printable, shorten, text_width

__all__ = [
    "STYLES",
    "WIDTH",
    "TextTable",
    "changes",
    "column_widths",
    "fits",
    "join_notes",
    "lay_out",
]

LAID_OUT = ("text", "markdown", "latex", "html")
STYLES = (*LAID_OUT, "csv", "json")
WIDTH = 80
NAME = 12  # names that are truncated to fit the line keep at least this width


@dataclass(frozen=True, eq=False, repr=False)
class TextTable:
    """Rows of text under a header; the first `words` columns are words, the others are numbers."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int = 1
    rules: Sequence[int] = ()  # rows that have a rule above them
    title: str = ""
    foot: str = ""  # for LaTeX, in which notes are only comments


def lay_out(
    tables: Sequence[TextTable], notes: Sequence[object], signatures: Sequence[str], style: str
) -> str:
    """Return tables, then notes, then distinct signatures, in one of the styles for readers.

    >>> print(lay_out([TextTable(["a", "b"], [["x", "1"]])], ["all is well"], ["sameas:…"], "text"))
    a  b
    ────
    x  1
    <BLANKLINE>
    note: all is well
    <BLANKLINE>
    sameas:…
    """
    if style not in LAID_OUT:
        raise unknown("style", style, STYLES)
    clean = [
        replace(
            table, title=printable(table.title), rows=[[*map(printable, row)] for row in table.rows]
        )
        for table in tables
    ]
    write = _text if style == "text" else getattr(import_module("sameas.show.markup"), style)
    laid_out: str = write(
        clean, [printable(f"note: {note}") for note in notes], dict.fromkeys(signatures)
    )
    return laid_out


def join_notes(named: Sequence[tuple[str, Sequence[object]]]) -> list[str]:
    """Return the notes of several results: shared ones once, then the others with their names.

    >>> from sameas.notes import Note
    >>> few, apart = Note("no-key"), Note("apart")
    >>> join_notes([("a", [few, apart]), ("b", [few])])
    ['the key has no documents', 'a: key and response share no mention']
    """
    shared = [note for note in named[0][1] if all(note in notes for _, notes in named)]
    return [
        *map(str, dict.fromkeys(shared)),
        *(f"{name}: {note}" for name, notes in named for note in notes if note not in shared),
    ]


def changes(rows: Sequence[Sequence[str]]) -> list[int]:
    """Return the indices of the rows whose first cell differs from that of the row before.

    >>> changes([["a", "1"], ["a", "2"], ["b", "3"]])
    [2]
    """
    return [place for place in range(1, len(rows)) if rows[place][0] != rows[place - 1][0]]


def column_widths(table: TextTable) -> list[int]:
    """Return the width of each column of a table on a terminal."""
    rows = [table.header, *table.rows]
    return [max(text_width(row[place]) for row in rows) for place in range(len(table.header))]


def fits(table: TextTable) -> bool:
    """Return whether the rows of a table fit on a line."""
    return sum(column_widths(table)) + len(table.header) - 1 <= WIDTH


def _text(tables: Sequence[TextTable], notes: Sequence[str], signatures: Iterable[str]) -> str:
    blocks = [block for table in tables for block in _text_blocks(table)]
    if notes:
        blocks.append("\n".join(map(_wrap, notes)))
    if signatures:
        blocks.append("\n".join(_wrap(signature, "|") for signature in signatures))
    return "\n\n".join(blocks)


def _text_blocks(table: TextTable) -> Iterator[str]:
    """Yield the table in one block, or in several if it is too wide even with truncated names."""
    widths = column_widths(table)
    gap = 2 if sum(widths) + 2 * (len(widths) - 1) <= WIDTH else 1
    name = min(widths[0], NAME)
    blocks: list[list[int]] = []  # the columns after the first
    for column in range(1, len(widths)):
        extended = [*blocks[-1], column] if blocks else []
        if not blocks or name + sum(widths[one] + gap for one in extended) > WIDTH:
            blocks.append([])
        blocks[-1].append(column)
    for columns in blocks:
        rest = sum(widths[column] + gap for column in columns)
        shown = {column: widths[column] for column in columns}
        yield _text_block(table, {0: min(widths[0], WIDTH - rest), **shown}, gap)


def _text_block(table: TextTable, widths: Mapping[int, int], gap: int) -> str:
    """Return one block of a table: the columns in `widths`."""
    names = shorten([row[0] for row in (table.header, *table.rows)], widths[0])

    def line(row: Sequence[str]) -> str:
        padded = []
        for column, width in widths.items():
            cell = end(row[column], width) if column else names[row[column]]
            space = " " * (width - text_width(cell))
            padded.append(cell + space if column < table.words else space + cell)
        return (" " * gap).join(padded).rstrip()

    rule = "─" * (sum(widths.values()) + gap * (len(widths) - 1))
    shown = [*([_wrap(table.title)] if table.title else []), line(table.header), rule]
    for number, row in enumerate(table.rows):
        if number in table.rules:
            shown.append(rule)
        shown.append(line(row))
    return "\n".join(shown)


def _wrap(text: str, separator: str = " ") -> str:
    """Break a long line before separators, and indent the following lines."""
    lines = [""]
    for number, part in enumerate(text.split(separator)):
        piece = separator + part if number else part
        if number and text_width(lines[-1]) + text_width(piece) > WIDTH:
            lines.append("  " + piece.removeprefix(" "))
        else:
            lines[-1] += piece
        while text_width(lines[-1]) > WIDTH:
            fits = max(n for n in range(1, WIDTH + 1) if text_width(lines[-1][:n]) <= WIDTH)
            lines[-1:] = [lines[-1][:fits], "  " + lines[-1][fits:]]
    return "\n".join(lines)
