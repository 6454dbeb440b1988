"""Results to something a person or a program reads: text, markdown, LaTeX, HTML, CSV, JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sameas.arithmetic.scores import Score
from sameas.errors import unknown
from sameas.matching.breakdown import CLASSES
from sameas.metrics.statistics import METRICS
from sameas.notes import Note
from sameas.results.joining import join_notes
from sameas.results.result import Result
from sameas.settings import Resampling, Signature

if TYPE_CHECKING:
    from sameas.chance.resampling import Interval
    from sameas.run.datasets import DatasetScores

__all__ = [
    "STYLES",
    "Table",
    "beginning",
    "bracket",
    "compact_json",
    "json_of",
    "lay_out",
    "percent",
    "printable",
    "rate_cells",
    "rate_header",
    "render",
    "render_datasets",
    "text_width",
    "write_csv",
    "write_records",
]

STYLES = ("text", "markdown", "latex", "html", "csv", "json")
WIDTH = 80
NAME = 12  # names are cut to no less than this to fit the line


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Rows of text under a header; the first columns are words, the rest numbers."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int = 1
    rules: Sequence[int] = ()  # rows that are set apart from the one before
    title: str = ""
    foot: str = ""  # for LaTeX, in which notes are comments that nobody sees


def render(
    results: Sequence[Result],
    style: str = "text",
    *,
    digits: int = 2,
    by_document: bool = False,
    by: str | None = None,
    resampling: Resampling | None = None,
    more: Mapping[str, Mapping[str, Any]] | None = None,
) -> str:
    """Write results in one of the styles; several results become one table, a row for each.

    With `resampling` the confidence intervals are shown too. `more` has, by name of the result,
    what JSON shows beside the scores.

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
    if style == "json":
        return _json(results, by_document, by, resampling, more or {})
    if style == "csv":
        return _csv(results, by_document, by, resampling)
    signatures = [
        str(Signature(result.settings, len(result), resampling=resampling)) for result in results
    ]
    notes = join_notes(
        [
            (result.name, [*_interval_notes(result, resampling, by), *result.remarks])
            for result in results
        ]
    )
    tables = _tables(results, digits, by_document, by, resampling)
    if style == "text" and len(results) == 1 and resampling is None and not _fits(tables[0]):
        tables[0] = _one(results[0], digits, None, _short)
        notes.append(str(Note("counts-shortened")))
    return lay_out(tables, notes, signatures, style)


def render_datasets(all_scores: Sequence[DatasetScores], style: str, *, digits: int = 2) -> str:
    """Write the scores of data sets and their mean, for one response or several.

    >>> import sameas
    >>> from sameas.run.datasets import DatasetScores
    >>> results = {name: sameas.score([["a", "b"]], [["a"]]) for name in ("cs", "en")}
    >>> print(render_datasets([DatasetScores(results)], "text").splitlines()[2])
    cs                66.67  0.00  40.00  66.67  66.67   0.00  0.00  35.56
    """
    if style == "json":
        return json_of([scores.as_dict() for scores in all_scores])
    metrics = all_scores[0].metrics
    if style == "csv":
        rows: list[list[object]] = [["response", "dataset", "metric", "recall", "precision", "f1"]]
        for scores in all_scores:
            for name, part in _with_mean(scores, "macro"):
                for metric in metrics:
                    score = part[metric]
                    shares = (score.recall, score.precision, score.value)
                    rows.append([scores.name, name, metric, *shares])
        return write_csv(rows)
    tables, notes, signatures = [], [], []
    for scores in all_scores:
        lines = [
            [name, *(percent(part[metric].value, digits) for metric in metrics)]
            for name, part in _with_mean(scores, "macro-average")
        ]
        title = "" if len(all_scores) == 1 else scores.name
        header = ["data set", *(METRICS[metric].title for metric in metrics)]
        tables.append(Table(header, lines, rules=[len(lines) - 1], title=title))
        notes += [f"{title}: {note}" if title else str(note) for note in scores.remarks]
        for name, result in scores.results.items():
            notes += [f"{title and title + ', '}{name}: {note}" for note in result.remarks]
            signatures.append(result.signature)
    return lay_out(tables, notes, signatures, style)


def _with_mean(scores: DatasetScores, name: str) -> list[tuple[str, Result | DatasetScores]]:
    return [*scores.results.items(), (name, scores)]


def lay_out(
    tables: Sequence[Table], notes: Sequence[object], signatures: Sequence[str], style: str
) -> str:
    """Tables, then notes, then signatures, each once, in one of the styles that are for reading.

    >>> print(lay_out([Table(["a", "b"], [["x", "1"]])], ["all is well"], ["sameas:…"], "text"))
    a  b
    ────
    x  1
    <BLANKLINE>
    note: all is well
    <BLANKLINE>
    sameas:…
    """
    if style not in _STYLES:
        raise unknown("style", style, STYLES)
    clean = [
        replace(
            table, title=printable(table.title), rows=[[*map(printable, row)] for row in table.rows]
        )
        for table in tables
    ]
    shown_notes = [printable(str(note)) for note in notes]
    return _STYLES[style](clean, shown_notes, list(dict.fromkeys(signatures)))


def _interval_notes(
    result: Result, resampling: Resampling | None, by: str | None = None
) -> list[Note]:
    if resampling is None:
        return []
    if len(result) < 2:
        return [Note("interval-one")]
    from sameas.chance.resampling import FEW

    if len(result) < FEW:
        return [Note("interval-few", count=len(result))]
    small = [name for name, part in result.by(by).items() if len(part) < FEW] if by else []
    return [Note("interval-groups", count=len(small), names=small, few=FEW)] if small else []


def percent(value: float | None, digits: int, sign: str = "") -> str:
    """A fraction as a percentage, or a dash where there is none.

    >>> percent(0.12345, 2), percent(-0.01, 1, "+"), percent(None, 2)
    ('12.35', '−1.0', '–')
    """
    if value is None:
        return "–"
    text = f"{100 * value:{sign}.{digits}f}"
    return text.lstrip("+-") if float(text) == 0 else text.replace("-", "−")


def bracket(interval: Interval | None, digits: int, sign: str = "") -> str:
    """Return an interval as percentages, or a dash if it is missing.

    >>> from sameas.chance.resampling import Interval
    >>> bracket(Interval(-0.5, 0.25), 1, "+")
    '[−50.0, +25.0]'
    """
    if interval is None:
        return "–"
    return f"[{percent(interval.low, digits, sign)}, {percent(interval.high, digits, sign)}]"


def rate_header(resampling: Resampling | None) -> list[str]:
    """The columns of `rate_cells`.

    >>> rate_header(None)
    ['recall', '%', 'precision', '%', 'F1']
    """
    if resampling is None:
        return ["recall", "%", "precision", "%", "F1"]
    return [f"{part} [{resampling.percentage}%]" for part in ("recall", "precision", "F1")]


def rate_cells(
    score: Score,
    digits: int,
    intervals: Iterable[Interval | None] | None,
    count: Callable[[float], str],
) -> list[str]:
    """Recall, precision and F1, the first two with their counts; or each with its interval.

    >>> rate_cells(Score.of(1, 2, 1, 4), 1, None, str)
    ['1 / 2', '50.0', '1 / 4', '25.0', '33.3']
    """
    parts = (score.recall, score.precision, score.value)
    shares = ["" if part is None else percent(part, digits) for part in parts]
    if intervals is not None:
        return [
            share and f"{share} {bracket(interval, digits)}"
            for share, interval in zip(shares, intervals, strict=True)
        ]
    ratios = ["", ""]
    if score.counts is not None and score.recall is not None and not score.coref:
        numbers = [count(number) for number in score.counts]
        ratios = [" / ".join(numbers[:2]), " / ".join(numbers[2:])]
    return [ratios[0], shares[0], ratios[1], *shares[1:]]


def _count(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.2f}"


def _short(value: float) -> str:
    """A count of a million and more in four digits."""
    for power, sign in ((18, "E"), (15, "P"), (12, "T"), (9, "G"), (6, "M")):
        if value >= 10**power:
            number = value / 10**power
            return f"{number:.{3 - len(str(int(number))) + 1}f}{sign}"
    return _count(value)


def _widths(table: Table) -> list[int]:
    """The columns that each column of a table takes on a terminal."""
    rows = [table.header, *table.rows]
    return [max(text_width(row[place]) for row in rows) for place in range(len(table.header))]


def _fits(table: Table) -> bool:
    """Whether a line has room for the table."""
    return sum(_widths(table)) + len(table.header) - 1 <= WIDTH


def _parts(
    result: Result, by_document: bool, by: str | None
) -> dict[str, list[tuple[str, Result]]]:
    """What is shown beside the whole: groups and documents, by what they are."""
    parts = {}
    if by is not None:
        parts[by if by in CLASSES else "group"] = list(result.by(by).items())
    if by_document:
        parts["document"] = [
            (document.name, result.select([document.number])) for document in result.documents
        ]
    return parts


def _tables(
    results: Sequence[Result],
    digits: int,
    by_document: bool,
    by: str | None,
    resampling: Resampling | None,
) -> list[Table]:
    tables = []
    if len(results) == 1:
        tables.append(_one(results[0], digits, resampling))
    else:
        named = [(result.name, result) for result in results]
        tables.append(_many(named, "response", digits, resampling=resampling))
    for result in results:
        title = "" if len(results) == 1 else result.name
        for scope, parts in _parts(result, by_document, by).items():
            first, chance = scope, resampling
            if scope == "document":
                chance = None
            elif scope in CLASSES:
                first = f"{scope} (mentions)"
                parts = [(f"{name} ({part.key_mentions})", part) for name, part in parts]
            else:
                parts = [(f"{name} ({len(part)})", part) for name, part in parts]
            parts = [*parts, ("total", result)]
            tables.append(_many(parts, first, digits, title, total=True, resampling=chance))
    return tables


def _one(
    result: Result,
    digits: int,
    resampling: Resampling | None,
    count: Callable[[float], str] = _count,
) -> Table:
    intervals = result.intervals(resampling) if resampling else None
    rows: list[list[str]] = []
    rules = []
    for name in result.metrics:
        if METRICS[name].average_of and rows:
            rules.append(len(rows))
        ends = intervals[name] if intervals else None
        for part, score in _with_links(result[name], links=not resampling):
            title = _LINKS[part] if part else METRICS[name].title
            rows.append([title, *rate_cells(score, digits, ends, count)])
    return Table(["metric", *rate_header(resampling)], rows, rules=rules)


_LINKS = {"coref": "  coref.", "noncoref": "  non-coref."}


def _with_links(score: Score, *, links: bool = True) -> list[tuple[str, Score]]:
    """A score and those of its kinds of links, if it has any."""
    parts = [(name, getattr(score, name)) for name in _LINKS if links]
    return [("", score), *((name, part) for name, part in parts if part)]


def _many(
    results: Sequence[tuple[str, Result]],
    first: str,
    digits: int,
    title: str = "",
    *,
    total: bool = False,
    resampling: Resampling | None = None,
) -> Table:
    """The headline number of each metric, a row for each result; below it the intervals."""
    metrics = results[0][1].metrics
    rows = []
    for name, result in results:
        rows.append([name, *(percent(result[metric].value, digits) for metric in metrics)])
        if resampling:
            found = result.intervals(resampling)
            rows.append(["", *(bracket(found[metric].value, digits) for metric in metrics)])
    last = 2 if resampling else 1
    return Table(
        [first, *(METRICS[metric].title for metric in metrics)],
        rows,
        rules=[len(rows) - last] if total and len(rows) > last else [],
        title=title,
    )


def _text(tables: Sequence[Table], notes: Sequence[str], signatures: Sequence[str]) -> str:
    blocks = [block for table in tables for block in _text_blocks(table)]
    if notes:
        blocks.append("\n".join(_wrap(f"note: {note}") for note in notes))
    if signatures:
        blocks.append("\n".join(_wrap(signature, "|") for signature in signatures))
    return "\n\n".join(blocks)


def _text_blocks(table: Table) -> Iterator[str]:
    """The table in one block, or in several if it is too wide even with names cut short."""
    widths = _widths(table)
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
        padded = []
        shown = [_cut(row[0], widths[0]), *cells]
        for place, (cell, width) in enumerate(zip(shown, widths, strict=True)):
            space = " " * (width - text_width(cell))
            words = place == 0 or start + place - 1 < table.words
            padded.append(cell + space if words else space + cell)
        return (" " * gap).join(padded).rstrip()

    rule = "─" * (sum(widths) + gap * (len(widths) - 1))
    shown = [*([_cut(table.title, WIDTH)] if table.title else []), line(table.header), rule]
    for number, row in enumerate(table.rows):
        if number in table.rules:
            shown.append(rule)
        shown.append(line(row))
    return "\n".join(shown)


def text_width(text: str) -> int:
    """How many columns a terminal takes for the text: a Chinese character takes two, marks none.

    >>> text_width("B³"), text_width("名"), text_width("हु")
    (2, 2, 1)
    """
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    return sum(
        0
        if category(character) in ("Mn", "Me", "Cf")
        else 2
        if east_asian_width(character) in "WF"
        else 1
        for character in text
    )


def _cut(text: str, width: int) -> str:
    """The end of a long name, which tells more than its beginning."""
    if text_width(text) <= width:
        return text
    text = text[-max(4 * width, 1) :]  # combining marks take no room; four per character are enough
    while text and text_width(text) > width - 1:
        text = text[1:]
    return "…" + text


def beginning(text: str, room: int, *, spaced: bool = False) -> str:
    """Return a text that takes no more columns than there is room for, cut at its end.

    A space at which it is cut stays only if `spaced`.

    >>> beginning("Barthélemy", 7)
    'Barthé…'
    """
    if text_width(text) <= room:
        return text
    text = text[: 4 * room]  # combining marks take no room; four per character are enough
    while text_width(text) > room - 1:
        text = text[:-1]
    return (text if spaced else text.rstrip()) + "…"


def _wrap(text: str, separator: str = " ") -> str:
    """Break a long line before the separator, indenting what follows."""
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


def printable(text: str) -> str:
    """The text with line breaks and other characters that do not print written out.

    >>> printable("two\\nlines")
    'two\\\\nlines'
    """
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )


def _marked(text: str) -> str:
    """Text as Markdown shows it unchanged."""
    text = re.sub(r"&(?=#?\w+;)", "&amp;", text.rstrip())
    text = re.sub(r"<(?=[A-Za-z/!?])", "&lt;", text)
    return re.sub(r"([|*])", r"\\\1", text)


def _markdown(tables: Sequence[Table], notes: Sequence[str], signatures: Sequence[str]) -> str:
    blocks = []
    for table in tables:
        cells = [[_marked(cell) for cell in row] for row in [table.header, *table.rows]]
        mark = ["---" if column < table.words else "---:" for column in range(len(table.header))]
        if table.title:
            blocks.append(f"**{_marked(table.title)}**")
        blocks.append("\n".join(f"| {' | '.join(row)} |" for row in [cells[0], mark, *cells[1:]]))
    blocks += [_marked(f"note: {note}") for note in notes]
    blocks += [f"`{line}`" for line in signatures]
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
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "–": "--",
    "−": "$-$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "…": r"\ldots{}",
}


def _tex(text: str) -> str:
    inset = r"\quad " if text.startswith("  ") else ""
    return inset + "".join(_TEX.get(character, character) for character in text.strip())


def _tex_row(row: Sequence[str], words: int) -> str:
    cells = [_tex(cell) for cell in row]
    if cells[0].startswith(("[", "*")):  # which the line end before it would take for its own
        cells[0] = "{}" + cells[0]
    numbers = [re.sub(r"(?<=\d)(\*+)$", r"\\textsuperscript{\1}", cell) for cell in cells[words:]]
    return " & ".join([*cells[:words], *numbers]) + r" \\"


def _across(text: str, columns: str) -> str:
    return rf"\multicolumn{{{len(columns)}}}{{l}}{{{_tex(text)}}} \\"


def _latex(tables: Sequence[Table], notes: Sequence[str], signatures: Sequence[str]) -> str:
    blocks = []
    for table in tables:
        rows = [_tex_row(row, table.words) for row in table.rows]
        for number in reversed(table.rules):
            rows.insert(number, r"\midrule")
        columns = "l" * table.words + "r" * (len(table.header) - table.words)
        blocks.append(
            "\n".join(
                [
                    rf"\begin{{tabular}}{{{columns}}}",
                    r"\toprule",
                    *([_across(table.title, columns), r"\midrule"] if table.title else []),
                    _tex_row(table.header, table.words),
                    r"\midrule",
                    *rows,
                    r"\bottomrule",
                    *([_across(table.foot, columns)] if table.foot else []),
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


def _json(
    results: Sequence[Result],
    by_document: bool,
    by: str | None,
    resampling: Resampling | None,
    more: Mapping[str, Mapping[str, Any]],
) -> str:
    shown: list[dict[str, Any]] = []
    for result in results:
        record = {**result.as_dict(resampling), **more.get(result.name, {})}
        notes = _interval_notes(result, resampling, by)
        if notes:
            record["notes"] = [*map(str, notes), *record.get("notes", [])]
        for scope, parts in _parts(result, by_document, by).items():
            if scope == "document":
                record["by_document"] = [
                    {"document": name, "metrics": part.as_dict()["metrics"]} for name, part in parts
                ]
            else:
                record["groups"] = {
                    name: {
                        **({"mentions": part.key_mentions} if scope in CLASSES else {}),
                        "documents": len(part),
                        "metrics": part.as_dict(resampling)["metrics"],
                    }
                    for name, part in parts
                }
        shown.append(record)
    return json_of(shown)


def json_of(shown: Sequence[Any]) -> str:
    """One record as it is, several as a list.

    >>> print(json_of([{"counts": [1, 2]}]))
    {
      "counts": [1, 2]
    }
    """
    return compact_json(shown[0] if len(shown) == 1 else shown)


def compact_json(shown: Any) -> str:
    """JSON with lists of numbers on one line; a line break is never inside a string.

    >>> print(compact_json({"counts": [1, 2]}))
    {
      "counts": [1, 2]
    }
    """
    import json

    text = json.dumps(shown, indent=2, allow_nan=False)
    return re.sub(r"\[\n[-+0-9.e,\s]*\]", _one_line, text)


def _one_line(found: re.Match[str]) -> str:
    return f"[{' '.join(found[0].strip('[]').split())}]"


def write_csv(rows: Iterable[Sequence[object]]) -> str:
    """The rows as CSV, without a line break at the end; None is an empty cell.

    >>> write_csv([["a", "b", "c"], ["x, y", None, True]])
    'a,b,c\\n"x, y",,true'
    """
    import csv
    import io

    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([*map(_cell, row)] for row in rows)
    return out.getvalue().rstrip("\n")


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return str(value).lower()
    return printable(value) if isinstance(value, str) else value


def write_records(records: Sequence[Mapping[str, object]]) -> str:
    """The records as CSV, whose header are the names of the first.

    >>> write_records([{"a": 1, "b": 2}])
    'a,b\\n1,2'
    """
    return write_csv([list(records[0]), *(list(record.values()) for record in records)])


def _csv(
    results: Sequence[Result],
    by_document: bool,
    by: str | None,
    resampling: Resampling | None,
) -> str:
    """One line a response, document or group, and metric; full precision."""
    header = ["response", "scope", "name", "metric", "recall", "precision", "f1"]
    header += [
        f"{side}_{part}"
        for side in ("recall", "precision")
        for part in ("numerator", "denominator")
    ]
    if resampling:
        header += [
            f"{part}_{end}" for part in ("recall", "precision", "f1") for end in ("low", "high")
        ]
    rows: list[list[object]] = [[*header, "signature"]]
    for result in results:
        for scope, parts in {"total": [("", result)], **_parts(result, by_document, by)}.items():
            for name, part in parts:
                metrics = _csv_metrics(part, scope, resampling)
                rows += ([result.name, scope, name, *row] for row in metrics)
    return write_csv(rows)


def _csv_metrics(
    result: Result, scope: str, resampling: Resampling | None
) -> Iterator[list[object]]:
    signature = str(Signature(result.settings, len(result), resampling=resampling))
    intervals = result.intervals(resampling) if resampling and scope != "document" else {}
    for metric in result.metrics:
        for link, row in _with_links(result[metric]):
            label = f"{metric}.{link}" if link else metric
            shown = row.recall is not None and label != "blanc"
            ends: list[object] = []
            if resampling:
                found = intervals.get(label) or (None,) * 3
                ends = [end for part in found for end in (part or (None, None))]
            counts = row.counts if row.counts and shown else (None,) * 4
            yield [label, row.recall, row.precision, row.value, *counts, *ends, signature]
