"""Results to something a person or a program reads: text, markdown, LaTeX, HTML, CSV, JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sameas.coref.statistics import METRICS
from sameas.errors import UsageError, suggest
from sameas.result import Result
from sameas.scores import Score

__all__ = ["STYLES", "Table", "render"]

STYLES = ("text", "markdown", "latex", "html", "csv", "json")
WIDTH = 80
NAME = 12  # names are cut to no less than this to fit the line


@dataclass(frozen=True)
class Table:
    """Rows of text under a header; the first columns are words, the rest numbers."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int = 1
    rules: Sequence[int] = ()  # rows that are set apart from the one before
    title: str = ""


def render(
    results: Sequence[Result],
    style: str = "text",
    *,
    digits: int = 2,
    by_document: bool = False,
    by: str | None = None,
) -> str:
    """Write results in one of the styles; several results become one table, a row for each.

    >>> import sameas
    >>> print(render([sameas.score([["a", "b"]], [["a", "b"]], metrics=["muc", "b3"])]))
    metric    recall       %  precision       %      F1
    ───────────────────────────────────────────────────
    MUC        1 / 1  100.00      1 / 1  100.00  100.00
    B³      2.00 / 2  100.00   2.00 / 2  100.00  100.00
    <BLANKLINE>
    sameas:coref|match:exact|singletons:keep|duplicates:first|missing:empty
      |blanc:luo2014|average:micro|docs:1|version:0.1.0
    """
    if style not in STYLES:
        raise UsageError(f"unknown style {style}: {suggest(style, STYLES)}")
    if style == "json":
        return _json(results, by_document, by)
    if style == "csv":
        return _csv(results, by_document, by)
    tables = [
        replace(table, title=_plain(table.title), rows=[[*map(_plain, row)] for row in table.rows])
        for table in _tables(results, digits, by_document, by)
    ]
    signatures = list(dict.fromkeys(result.signature for result in results))
    notes = [
        _plain(note if len(results) == 1 else f"{result.name}: {note}")
        for result in results
        for note in result.remarks
    ]
    return _STYLES[style](tables, notes, signatures)


def _percent(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{100 * value:.{digits}f}"


def _count(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.2f}"


def _tables(
    results: Sequence[Result], digits: int, by_document: bool, by: str | None
) -> list[Table]:
    tables = []
    if len(results) == 1:
        tables.append(_one(results[0], digits))
    else:
        tables.append(_many([(result.name, result) for result in results], "response", digits))
    for result in results:
        title = "" if len(results) == 1 else result.name
        if by is not None:
            groups = [(f"{name} ({len(part)})", part) for name, part in result.by(by).items()]
            groups.append(("total", result))
            tables.append(_many(groups, "group", digits, title, total=True))
        if by_document:
            rows = [
                (document.name, result.select([document.number])) for document in result.documents
            ]
            rows.append(("total", result))
            tables.append(_many(rows, "document", digits, title, total=True))
    return tables


def _one(result: Result, digits: int) -> Table:
    rows: list[list[str]] = []
    rules = []

    def add(title: str, score: Score) -> None:
        ratios = ["", ""]
        if score.counts is not None and score.recall is not None and not score.coref:
            numbers = [_count(number) for number in score.counts]
            ratios = [" / ".join(numbers[:2]), " / ".join(numbers[2:])]
        recall, precision = (
            "" if part is None else _percent(part, digits)
            for part in (score.recall, score.precision)
        )
        rows.append([title, ratios[0], recall, ratios[1], precision, _percent(score.value, digits)])

    for name in result.metrics:
        score = result[name]
        if METRICS[name].average_of and rows:
            rules.append(len(rows))
        add(METRICS[name].title, score)
        if score.coref:
            add("  coref.", score.coref)
        if score.noncoref:
            add("  non-coref.", score.noncoref)
    return Table(["metric", "recall", "%", "precision", "%", "F1"], rows, rules=rules)


def _many(
    results: Sequence[tuple[str, Result]],
    first: str,
    digits: int,
    title: str = "",
    *,
    total: bool = False,
) -> Table:
    """The headline number of each metric, a row for each result."""
    metrics = results[0][1].metrics
    rows = [
        [name, *(_percent(result[metric].value, digits) for metric in metrics)]
        for name, result in results
    ]
    return Table(
        [first, *(METRICS[metric].title for metric in metrics)],
        rows,
        rules=[len(rows) - 1] if total and len(rows) > 1 else [],
        title=title,
    )


def _text(tables: Sequence[Table], notes: Sequence[str], signatures: Sequence[str]) -> str:
    blocks = [block for table in tables for block in _text_blocks(table)]
    if notes:
        blocks.append("\n".join(_wrap(f"note: {note}") for note in notes))
    blocks.append("\n".join(_wrap(signature, "|") for signature in signatures))
    return "\n\n".join(blocks)


def _text_blocks(table: Table) -> Iterator[str]:
    """The table in one block, or in several if it is too wide even with names cut short."""
    widths = [
        max(_width(row[column]) for row in [table.header, *table.rows])
        for column in range(len(table.header))
    ]
    gap = 2 if sum(widths) + 2 * (len(widths) - 1) <= WIDTH else 1
    name = min(widths[0], NAME)
    start = 1
    while start < len(widths):
        stop = start + 1
        while (
            stop < len(widths)
            and name + sum(widths[start : stop + 1]) + (gap * (stop + 1 - start)) <= WIDTH
        ):
            stop += 1
        rest = sum(widths[start:stop]) + gap * (stop - start)
        yield _text_block(table, [min(widths[0], WIDTH - rest), *widths[start:stop]], start, gap)
        start = stop


def _text_block(table: Table, widths: Sequence[int], start: int, gap: int) -> str:
    def line(row: Sequence[str]) -> str:
        cells = row[start : start + len(widths) - 1]
        rest = (cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True))
        name = _cut(row[0], widths[0])
        name += " " * (widths[0] - _width(name))
        return (" " * gap).join([name, *rest]).rstrip()

    rule = "─" * (sum(widths) + gap * (len(widths) - 1))
    shown = [*([_cut(table.title, WIDTH)] if table.title else []), line(table.header), rule]
    for number, row in enumerate(table.rows):
        if number in table.rules:
            shown.append(rule)
        shown.append(line(row))
    return "\n".join(shown)


def _width(text: str) -> int:
    """How many columns a terminal takes for the text; a Chinese character takes two."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(
        0 if combining(character) else 2 if east_asian_width(character) in "WF" else 1
        for character in text
    )


def _cut(text: str, width: int) -> str:
    """The end of a long name, which tells more than its beginning."""
    if _width(text) <= width:
        return text
    while _width(text) > width - 1:
        text = text[1:]
    return "…" + text


def _wrap(text: str, separator: str = " ") -> str:
    """Break a long line before the separator, indenting what follows."""
    lines = [""]
    for number, part in enumerate(text.split(separator)):
        piece = separator + part if number else part
        if number and len(lines[-1]) + len(piece) > WIDTH:
            lines.append("  " + piece.removeprefix(" "))
        else:
            lines[-1] += piece
        while len(lines[-1]) > WIDTH:
            lines[-1:] = [lines[-1][:WIDTH], "  " + lines[-1][WIDTH:]]
    return "\n".join(lines)


def _plain(text: str) -> str:
    """The text with line breaks and other characters that do not print written out."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )


def _markdown(tables: Sequence[Table], notes: Sequence[str], signatures: Sequence[str]) -> str:
    blocks = []
    for table in tables:
        cells = [[cell.replace("|", "\\|") for cell in row] for row in [table.header, *table.rows]]
        mark = ["---" if column < table.words else "---:" for column in range(len(table.header))]
        if table.title:
            blocks.append(f"**{table.title}**")
        blocks.append("\n".join(f"| {' | '.join(row)} |" for row in [cells[0], mark, *cells[1:]]))
    blocks += [f"note: {note}" for note in notes] + [f"`{line}`" for line in signatures]
    return "\n\n".join(blocks)


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
    "–": "--",
    "…": r"\ldots{}",
}


def _tex(text: str) -> str:
    inset = r"\quad " if text.startswith("  ") else ""
    return inset + "".join(_TEX.get(character, character) for character in text.lstrip())


def _latex(tables: Sequence[Table], notes: Sequence[str], signatures: Sequence[str]) -> str:
    blocks = []
    for table in tables:
        rows = [" & ".join(map(_tex, row)) + r" \\" for row in table.rows]
        for number in reversed(table.rules):
            rows.insert(number, r"\midrule")
        columns = "l" * table.words + "r" * (len(table.header) - table.words)
        blocks.append(
            "\n".join(
                [
                    *([f"% {table.title}"] if table.title else []),
                    rf"\begin{{tabular}}{{{columns}}}",
                    r"\toprule",
                    " & ".join(map(_tex, table.header)) + r" \\",
                    r"\midrule",
                    *rows,
                    r"\bottomrule",
                    r"\end{tabular}",
                ]
            )
        )
    comments = [f"% {line}" for line in [*(f"note: {note}" for note in notes), *signatures]]
    return "\n".join(["\n\n".join(blocks), *comments])


def _html(tables: Sequence[Table], notes: Sequence[str], signatures: Sequence[str]) -> str:
    from html import escape

    blocks = []
    for table in tables:
        head = "".join(f"<th>{escape(cell)}</th>" for cell in table.header)
        body = "".join(
            "<tr>"
            + "".join(
                f'<td style="text-align:{"left" if column < table.words else "right"};'
                f'white-space:pre">{escape(cell)}</td>'
                for column, cell in enumerate(row)
            )
            + "</tr>"
            for row in table.rows
        )
        caption = f"<caption>{escape(table.title)}</caption>" if table.title else ""
        blocks.append(
            f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )
    blocks += [f"<p>note: {escape(note)}</p>" for note in notes]
    blocks += [f"<p><small><code>{escape(line)}</code></small></p>" for line in signatures]
    return "\n".join(blocks)


_STYLES: dict[str, Callable[[Sequence[Table], Sequence[str], Sequence[str]], str]] = {
    "text": _text,
    "markdown": _markdown,
    "latex": _latex,
    "html": _html,
}


def _json(results: Sequence[Result], by_document: bool, by: str | None) -> str:
    import json

    shown: list[dict[str, Any]] = []
    for result in results:
        record = result.as_dict()
        if by is not None:
            record["groups"] = {
                name: {"documents": len(part), "metrics": part.as_dict()["metrics"]}
                for name, part in result.by(by).items()
            }
        if by_document:
            record["by_document"] = [
                {
                    "document": document.name,
                    "metrics": result.select([document.number]).as_dict()["metrics"],
                }
                for document in result.documents
            ]
        shown.append(record)
    text = json.dumps(shown[0] if len(shown) == 1 else shown, indent=2)
    # Lists of numbers on one line; a line break is never inside a string.
    return re.sub(r"\[\n[-+0-9.e,\s]*\]", _one_line, text)


def _one_line(found: re.Match[str]) -> str:
    return f"[{' '.join(found[0].strip('[]').split())}]"


def _csv(results: Sequence[Result], by_document: bool, by: str | None) -> str:
    """One line a response, document or group, and metric; full precision."""
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        [
            "response",
            "scope",
            "name",
            "metric",
            "recall",
            "precision",
            "f1",
            "recall_numerator",
            "recall_denominator",
            "precision_numerator",
            "precision_denominator",
            "signature",
        ]
    )
    for result in results:
        parts = [("total", "", result)]
        if by is not None:
            parts += [("group", name, part) for name, part in result.by(by).items()]
        if by_document:
            parts += [
                ("document", document.name, result.select([document.number]))
                for document in result.documents
            ]
        for scope, name, part in parts:
            for metric in part.metrics:
                score = part[metric]
                rows = [(metric, score)]
                if score.coref:
                    rows.append((f"{metric}.coref", score.coref))
                if score.noncoref:
                    rows.append((f"{metric}.noncoref", score.noncoref))
                for label, row in rows:
                    shown = row.recall is not None and label != "blanc"
                    counts = row.counts if row.counts and shown else ("",) * 4
                    writer.writerow(
                        [
                            _plain(result.name),
                            scope,
                            _plain(name),
                            label,
                            "" if row.recall is None else row.recall,
                            "" if row.precision is None else row.precision,
                            row.value,
                            *counts,
                            part.signature,
                        ]
                    )
    return out.getvalue().rstrip("\n")
