"""Render errors as tables, as lists, or as one document with brackets."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from sameas.analysis.analysis import Analysis
from sameas.analysis.findings import CODES, COLUMNS, LINKS, PLURALS, Error, Errors, Quoted
from sameas.analysis.placement import Placed, Placement, key_placements, response_placements
from sameas.documents.document import KINDS as MENTION_KINDS
from sameas.documents.layout import Layout
from sameas.errors import UsageError, counted
from sameas.metrics.statistics import METRICS
from sameas.notes import Note, notes_of_list
from sameas.results.result import Result
from sameas.results.words import words_of
from sameas.show.cells import percent, printable, shorten, text_width
from sameas.show.records import compact_json, write_csv
from sameas.show.table import WIDTH, TextTable, lay_out

__all__ = ["render_analysis", "render_document"]

Brackets = defaultdict[int, str]  # keyed by the index of the word
# Okabe and Ito's colours in the 256-colour palette of terminals; brackets also have numbers.
_COLOURS = (39, 208, 36, 175, 178, 99, 167, 80)
_SIGNS = {"key": "[]", "response": "‹›"}
_RANKS = {kind: number for number, kind in enumerate(CODES)}
_IDS = ["truth", "prediction"]  # columns with the ids of clusters of records
_ID = 16  # width of such an id in a list
MOST_GROUPS = 12  # maximum number of columns, because there may be many entity types


def render_analysis(
    analysis: Analysis,
    style: str = "text",
    *,
    errors: Errors | None = None,
    by: str = "mention",
    listed: bool = False,
    narrowed: bool = False,
    digits: int = 2,
) -> str:
    """Render an analysis: the gains from repairs, errors by group, and links; or a list of errors.

    `errors` is a selection of the errors of the analysis, or of its links; the default is all
    errors.

    >>> import sameas
    >>> found = sameas.analyse([["a", "b"], ["c", "d"]], [["a", "b", "c"]], metrics=["b3"])
    >>> print(render_analysis(found, listed=True).splitlines()[4])
    0  C   “c”: wrongly in the same entity as “b”
    """
    errors = analysis.errors if errors is None else errors
    if style == "csv":
        return write_csv([COLUMNS, *([row[name] for name in COLUMNS] for row in errors.rows())])
    if style == "json":
        return compact_json(_as_dict(analysis, errors))
    if listed:
        return _list(analysis, errors, style)
    tables = [] if narrowed else [_repairs(analysis, digits)]
    if errors and not (analysis.result.of_records and by == "mention"):  # records have no kinds
        tables.append(_grouped(analysis.result, errors, by))
    if errors and narrowed and not any(error.kind in LINKS for error in errors):
        tables.append(_repaired(analysis, errors, digits))
    if not narrowed:
        tables += _linked(analysis, digits)
    notes = analysis.remarks
    if not errors:
        notes = [*notes, Note("no-errors", how="kind" if analysis.errors else "any")]
    return lay_out(tables, notes, [analysis.result.signature], style)


def _repairs(analysis: Analysis, digits: int) -> TextTable:
    """Return how repairing each kind of error, alone and in turn, changes the headline metric."""
    metric = analysis.headline
    start = before = analysis.result[metric].value
    rows = [["none", "", "", "", percent(start, digits)]]
    for repair in analysis.what_if:
        if analysis.result.of_records and repair.kind == "span":
            continue  # records have no spans
        now = repair.in_turn[metric].value
        alone = percent(repair.alone[metric].value - start, digits, "+")
        in_turn = percent(now - before, digits, "+")
        kind, errors = words_of(analysis.result)(PLURALS[repair.kind]), str(repair.errors)
        rows.append([kind, errors, alone, in_turn, percent(now, digits)])
        before = now
    header = ["if repaired", "errors", "alone", "in turn", METRICS[metric].title]
    return TextTable(header, rows, rules=[1])


def _repaired(analysis: Analysis, errors: Errors, digits: int) -> TextTable:
    """Return how repairing only these errors changes each metric."""
    repaired = analysis.repaired(errors)
    rows = []
    for metric in analysis.metrics:
        before, after = analysis.result[metric].value, repaired[metric].value
        shown = [percent(before, digits), percent(after, digits)]
        title = words_of(analysis.result)(METRICS[metric].title)
        rows.append([title, *shown, percent(after - before, digits, "+")])
    header = [f"if these {counted(len(errors), 'error')} were repaired"]
    return TextTable([*header, "now", "repaired", "change"], rows)


def _grouped(result: Result, errors: Errors, by: str) -> TextTable:
    """Return the number of errors of each kind in each group."""
    kinds = list(errors.by("kind"))
    groups = list(errors.by(by))
    if by == "document":  # too many for columns
        by_document = Counter((error.group(by), error.kind) for error in errors)
        rows = _summed({name: name for name in groups}, kinds, by_document)
        header = ["document", *(CODES[kind] for kind in kinds), "all"]
        return TextTable(header, rows, rules=[len(rows) - 1], title=_legend(result, kinds))
    column = {name: min(number, MOST_GROUPS) for number, name in enumerate(groups)}
    tally = Counter((error.kind, column[error.group(by)]) for error in errors)
    plurals = {kind: words_of(result)(PLURALS.get(kind, f"{kind}s")) for kind in kinds}
    rows = _summed(plurals, sorted({*column.values()}), tally)
    shown = groups[:MOST_GROUPS] + ["others"] * (len(groups) > MOST_GROUPS)
    titles = {"other": "the other mention", "head": "heads"}
    title = words_of(result)(f"by {titles.get(by, by)}")
    return TextTable([title, *shown, "all"], rows, rules=[len(rows) - 1])


def _summed(
    names: Mapping[str, str], columns: Sequence[object], tally: Mapping[Any, int]
) -> list[list[str]]:
    """Return a row of counts for each name, with their sums below and to the right."""
    counts = [[tally[name, column] for column in columns] for name in names]
    counts.append([sum(column) for column in zip(*counts, strict=True)])
    titles = [*names.values(), "all"]
    return [
        [title, *map(str, row), str(sum(row))] for title, row in zip(titles, counts, strict=True)
    ]


def _linked(analysis: Analysis, digits: int) -> list[TextTable]:
    """Return how many links are missing or wrong, by kind of anaphor and antecedent."""
    found = analysis.linked()
    pairs = sorted({*found["key"], *found["response"]}, key=lambda pair: [*map(_rank, pair)])
    if not pairs:
        return []
    counts = {
        " → ".join(pair): [*found["key"].get(pair, (0, 0)), *found["response"].get(pair, (0, 0))]
        for pair in pairs
    }
    whole = {"all": [sum(column) for column in zip(*counts.values(), strict=True)]}
    shown = whole if analysis.result.of_records else counts | whole  # records have no kinds
    rows = [[name, *_shares(some, digits)] for name, some in shown.items()]
    header = ["links", "key", "missing", "%", "response", "wrong", "%"]
    rules = [len(rows) - 1] if len(rows) > 1 else []
    return [TextTable([*map(words_of(analysis.result), header)], rows, rules=rules)]


def _rank(kind: str) -> int:
    return MENTION_KINDS.index(kind) if kind in MENTION_KINDS else len(MENTION_KINDS)


def _shares(counts: Sequence[int], digits: int) -> Iterator[str]:
    for total, bad in (counts[:2], counts[2:]):
        yield from (str(total), str(bad), percent(bad / total if total else None, digits))


def _list(analysis: Analysis, errors: Errors, style: str) -> str:
    """Return the list of errors, document by document."""
    signature = [analysis.result.signature]
    result = analysis.result
    notes = notes_of_list([*analysis.unknowns, *result.remarks])
    if not errors:
        note = Note("no-errors", how="kind" if analysis.errors else "any")
        return lay_out([], [*notes, note], signature, style)
    if style != "text":
        worded = words_of(result)
        rows = [
            [str(e.number), CODES[e.kind], e.document, *_where(result, e), e.message_in(worded)]
            for e in errors
        ]
        where = _IDS if result.of_records else ["sentence"]
        header = ["number", "kind", "document", *where, "error"]
        title = _legend(result, errors.by("kind"))
        return lay_out(
            [TextTable(header, rows, words=len(header), title=title)], notes, signature, style
        )
    blocks = [_columns(result, errors)]
    for name, some in errors.by("document").items():
        named = [] if result.of_records and len(result) == 1 else [printable(name)]
        blocks.append("\n".join([*named, *_error_lines(result, some)]))
    return "\n\n".join([*blocks, lay_out([], notes, signature, style)])


def _as_dict(analysis: Analysis, errors: Errors) -> dict[str, Any]:
    def scores(result: Any) -> dict[str, float]:
        return {metric: result[metric].value for metric in analysis.metrics}

    worded = words_of(analysis.result)
    return {
        "signature": analysis.result.signature,
        "response": analysis.name,
        "documents": len(analysis.result),
        "scores": scores(analysis.result),
        "repairs": [
            {
                "kind": repair.kind,
                "errors": repair.errors,
                "alone": scores(repair.alone),
                "in_turn": scores(repair.in_turn),
            }
            for repair in analysis.what_if
        ],
        "links": {
            side: [
                {"anaphor": one, "antecedent": other, "links": total, word: bad}
                for (one, other), (total, bad) in analysis.linked()[side].items()
            ]
            for side, word in (("key", "missing"), ("response", "wrong"))
        },
        "errors": [
            {
                **error.as_dict(),
                "message": error.message_in(worded),
                "all": [*map(_quoted, error.mentions)],
            }
            for error in errors
        ],
        "notes": list(map(str, analysis.remarks)),
    }


def _quoted(mention: Quoted) -> dict[str, Any]:
    shown = ("text", "side", "entity", "sentence", "places")
    return {name: getattr(mention, name) for name in shown}


def render_document(
    analysis: Analysis,
    number: int,
    errors: Errors,
    *,
    show: str = "both",
    colour: bool = False,
    digits: int = 2,
) -> str:
    """Render one document with the brackets of key and response, then its errors.

    `[1 …]` is a mention of the key, `‹1 …›` one of the response. A response entity has the number
    of the key entity with which it shares the most mentions. The codes after a colon are errors.

    >>> import sameas
    >>> found = sameas.analyse([["a", "b"], ["c"]], [["a"], ["c"]])
    >>> print(render_document(found, 0, found.errors).splitlines()[2])
    1  [1 ‹1 a›] [1:M b]
    """
    if analysis.result.settings.scope != "document":
        raise UsageError("document-beyond")
    layout = analysis.layouts[number]
    mine = errors.where(lambda error: error.place == number)
    keys = key_placements(analysis)
    sides = {"key": keys[number], "response": response_placements(analysis, keys)[number]}
    shown = {name: side for name, side in sides.items() if show in (name, "both")}
    before, after = _brackets(shown, mine, colour)
    name, metric = printable(analysis.matching.names[number]), analysis.headline
    score = percent(list(analysis.result.by_document())[number][metric], digits)
    lines = [f"{name}: {METRICS[metric].title} {score}", ""]
    bounds = [*layout.starts, len(layout.words)]
    width = len(str(len(layout.starts)))
    for sentence, (start, stop) in enumerate(pairwise(bounds), start=1):
        lines += _wrapped(f"{sentence:>{width}}  ", _sentence(layout, start, stop, before, after))
    blocks = ["\n".join(lines)]
    if mine:
        blocks.append(
            "\n".join([_columns(analysis.result, mine), *_error_lines(analysis.result, mine)])
        )
    else:
        blocks.append("no errors of this kind here" if errors else "no errors")
    notes = [*analysis.unknowns, *analysis.result.remarks]
    blocks.append(lay_out([], notes, [analysis.result.signature], "text"))
    return "\n\n".join(blocks)


def _legend(result: Result, kinds: Iterable[str]) -> str:
    return ", ".join(f"{CODES[kind]} {words_of(result)(kind)}" for kind in kinds)


def _columns(result: Result, errors: Errors) -> str:
    where = _IDS if result.of_records else ["sentence"] if _in_text(errors) else []
    columns = ", ".join(["number", "kind", *where, "error"])
    return f"columns: {columns}\nkinds: {_legend(result, errors.by('kind'))}"


def _in_text(errors: Errors) -> bool:
    return any(error.mentions[0].sentence for error in errors)


def _where(result: Result, error: Error) -> list[str]:
    """Return the sentence of an error, or for records the ids of their clusters."""
    if result.of_records:
        return [printable(id) or "–" for id in (error.key_entity, error.response_entity)]
    return [str(error.mentions[0].sentence)]


def _error_lines(result: Result, errors: Errors) -> Iterator[str]:
    """Yield the lines of the errors, in text order; errors on records keep their order."""
    ordered = errors if result.of_records else sorted(errors, key=_text_order)
    width = max(len(str(error.number)) for error in errors)
    shown = result.of_records or _in_text(errors)
    where = [_where(result, error) if shown else [] for error in ordered]
    short = shorten([cell for cells in where for cell in cells], _ID)
    where = [[short[cell] for cell in cells] for cells in where]
    widths = [max(map(text_width, column)) for column in zip(*where, strict=True)]
    pad = str.ljust if result.of_records else str.rjust
    for error, cells in zip(ordered, where, strict=True):
        padded = (
            pad(cell, room + len(cell) - text_width(cell))
            for cell, room in zip(cells, widths, strict=True)
        )
        start = "  ".join([f"{error.number:>{width}}", f"{CODES[error.kind]:<2}", *padded, ""])
        yield from _wrapped(start, printable(error.message_in(words_of(result))).split(" "))


def _text_order(error: Error) -> tuple[int, int, int]:
    """Return the sort key of an error: its position in the text, then the order of kinds."""
    first, last = error.mentions[0].places[0]
    return first, -last, _RANKS[error.kind]


def _brackets(
    sides: Mapping[str, Placement], errors: Errors, colour: bool
) -> tuple[Brackets, Brackets]:
    """Return the brackets before and after each word.

    Outer mentions come first, and mentions of the key come before those of the response. If
    mentions cross, the closing bracket also has the number of its entity.
    """
    codes: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
    for error in errors:
        for one in error.mentions:
            codes[one.side, one.number].append(CODES[error.kind])
    ends: list[tuple[int, bool, int, int, int]] = []  # in the order in which they are written
    pieces: list[tuple[str, Placed]] = []
    for rank, (name, side) in enumerate(sides.items()):
        for mention in side.mentions:
            for first, last in mention.places:
                length, number = last - first, len(pieces)
                ends += [(first, False, -length, rank, number), (last, True, length, -rank, number)]
                pieces.append((name, mention))
    sizes = Counter((name, m.entity) for name, side in sides.items() for m in side.mentions)
    before: Brackets = defaultdict(str)
    after: Brackets = defaultdict(str)
    stack: list[int] = []
    for word, closes, _, _, number in sorted(ends):
        name, mention = pieces[number]
        label, main = sides[name].labels[mention.entity], sides[name].main[mention.entity]
        if closes:
            text = _SIGNS[name][1] + (label if stack[-1] != number else "")
            stack.remove(number)
        else:
            marks = ",".join(codes[name, mention.number])
            text = f"{_SIGNS[name][0]}{label}{':' if marks else ''}{marks} "
            stack.append(number)
        if colour and main >= 0 and (name != "key" or sizes[name, mention.entity] > 1):
            text = f"\x1b[38;5;{_COLOURS[main % len(_COLOURS)]}m{text}\x1b[0m"
        (after if closes else before)[word] += text
    return before, after


def _sentence(
    layout: Layout, start: int, stop: int, before: Brackets, after: Brackets
) -> Iterator[str]:
    """Yield the pieces of a sentence between which a line may break."""
    glued = set(layout.glued)
    piece = ""
    for word in range(start, stop):
        if word > start and word not in glued:
            yield piece
            piece = ""
        piece += before[word] + printable(layout.words[word]) + after[word]
    yield piece


def _wrapped(start: str, pieces: Iterable[str]) -> Iterator[str]:
    """Yield lines of at most 80 columns, indented after the first; colour codes have no width."""
    line: list[str] = []
    used = len(start) - 1
    for piece in pieces:
        size = 1 + text_width(re.sub("\x1b.*?m", "", piece) if "\x1b" in piece else piece)
        if line and used + size > WIDTH:
            yield start + " ".join(line)
            start, line, used = " " * len(start), [], len(start) - 1
        line.append(piece)
        used += size
    yield start + " ".join(line)
