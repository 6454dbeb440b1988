"""`sameas published`: the systems of the CoNLL shared tasks."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from sameas.cli.common import exists
from sameas.errors import UsageError, unknown
from sameas.notes import Note
from sameas.show import Table, compact_json, lay_out, write_csv
from sameas.show.correlation import title_of
from sameas.tables.record import SOURCES, SOURCES_V4, audit, ordered, place, published
from sameas.tables.score_files import read_scores
from sameas.tables.scoretable import ScoreTable

_LABELS = ("task", "language", "system")


def run(options: argparse.Namespace) -> int:
    if options.table is not None and not options.audit:
        raise UsageError("only-audit", option="table")
    if options.audit:
        return _audit(options)
    table = _filtered(published(options.scorer), options)
    sources = SOURCES if options.scorer == "reference" else SOURCES_V4
    notes = [Note("scorer-v4")] if options.scorer == "v4" else []
    notes += [Note("source", source=source) for source in sources.values()]
    by = "conll" if options.sort is None else options.sort.strip().lower()
    digits = {name: max(table.decimals_of(name)) for name in table.columns}
    groups = _groups(table)
    row_of: dict[str, int] = {}  # where the new system is
    if options.place is not None:
        if len(options.place) > 1:
            raise UsageError("one-placed")
        name, scores = _system(options.place[0])
        groups = {title: place(part, name, scores, by) for title, part in groups.items()}
        others = [metric for metric in scores if metric not in table.columns]
        if others:
            notes.insert(0, Note("not-in-record", metrics=others))
        notes = [*_ranks(groups, name, scores, by), *notes]
        row_of = {
            title: int((part.columns[by] >= scores[by]).sum()) - 1 for title, part in groups.items()
        }
    elif options.sort is not None:
        groups = {title: ordered(part, by) for title, part in groups.items()}
    if options.metrics is not None:
        names = [name.strip().lower() for name in options.metrics.split(",")]
        groups = {title: part.only(names) for title, part in groups.items()}
    print(_rendered(groups, notes, options.style or "text", digits, row_of))
    return 0


def _filtered(table: ScoreTable, options: argparse.Namespace) -> ScoreTable:
    for label in _LABELS:
        given = getattr(options, label)
        if given is None:
            continue
        known = {name.lower(): name for name in table.labels[label]}
        wanted = [name.strip().lower() for name in given.split(",") if name.strip()]
        if not wanted:
            raise UsageError("names-nothing", label=label, known=list(known))
        for name in wanted:
            if name not in known:
                raise unknown(label, name, known)
        cells = table.labels[label]
        table = table.select([row for row in range(len(table)) if cells[row].lower() in wanted])
    return table


def _groups(table: ScoreTable) -> dict[str, ScoreTable]:
    return {
        f"{task} {language}": part
        for task, of_task in table.by("task").items()
        for language, part in of_task.by("language").items()
    }


def _system(text: str) -> tuple[str, dict[str, float]]:
    """The name and the scores of a new system."""
    name, equals, scores = text.partition("=")
    if not name or not equals or not scores:
        raise UsageError("not-name-scores", text=text)
    if (":" in scores or _NO_COLON.match(scores)) and not exists(scores):
        return name, _scores(scores)
    table = read_scores(scores, missing="keep")
    if len(table) != 1:
        raise UsageError("one-placed", how="file", path=scores, count=len(table))
    found = {metric: column[0].item() for metric, column in table.columns.items()}
    return name, {metric: value for metric, value in found.items() if not math.isnan(value)}


#: A score written `muc=60` or `60` instead of `muc:60`.
_NO_COLON = re.compile(r"(?:(\w+)=)?(\d+(?:\.\d+)?)(?=,|$)")


def _scores(text: str) -> dict[str, float]:
    """What is written as `conll:57.4,muc:66.1`."""
    found: dict[str, float] = {}
    for part in text.split(","):
        name, _, value = part.partition(":")
        metric = name.strip().lower()
        try:
            number = float(value)
        except ValueError:
            meant = _NO_COLON.fullmatch(part.strip())
            if meant and meant[1]:
                values = {"metric": meant[1], "number": meant[2]}
                raise UsageError("not-a-score", text=part, how="colon", **values) from None
            raise UsageError("not-a-score", text=part) from None
        if metric in found:
            raise UsageError("score-twice", metric=metric, first=found[metric], second=number)
        found[metric] = number
    return found


def _ranks(
    groups: dict[str, ScoreTable], name: str, scores: dict[str, float], by: str
) -> list[Note]:
    notes = []
    for title, part in groups.items():
        column = part.columns[by]
        lack = int(np.isnan(column).sum())
        values = {"system": name, "metric": title_of(by), "group": title}
        values |= {"how": "lacking"} if lack else {}
        rank = 1 + int((column > scores[by]).sum())
        notes.append(Note("placed", count=lack, total=len(part) - lack, rank=rank, values=values))
    return [*notes, Note("placed-elsewhere")]


def _rendered(
    groups: dict[str, ScoreTable],
    notes: list[Note],
    style: str,
    digits: dict[str, int],
    row_of: dict[str, int],
) -> str:
    if style == "json":
        return compact_json([record for part in groups.values() for record in part.records()])
    if style == "csv":
        return write_csv(_csv(list(groups.values())))
    tables = []
    for title, part in groups.items():
        decimals = {name: [number] * len(part) for name, number in digits.items()}
        rows = list(_cells(part, ["system"], decimals, "–"))
        header = ["system", *(title_of(name) for name in part.columns)]
        # A new system is set apart from the rows around it.
        rules = [row_of[title], row_of[title] + 1] if title in row_of else []
        rules = [row for row in rules if 0 < row < len(rows)]
        tables.append(Table(header, rows, rules=rules, title=title))
    return lay_out(tables, list(map(str, notes)), [], style)


def _csv(parts: Sequence[ScoreTable]) -> Iterator[list[str]]:
    """The scores with as many decimals as are printed."""
    yield [*parts[0].labels, *parts[0].columns]
    for part in parts:
        decimals = {name: part.decimals_of(name) for name in part.columns}
        yield from _cells(part, part.labels, decimals, "")


def _cells(
    part: ScoreTable, labels: Iterable[str], decimals: Mapping[str, Sequence[int]], missing: str
) -> Iterator[list[str]]:
    for row, record in enumerate(part.records()):
        numbers = ((record[name], decimals[name][row]) for name in part.columns)
        yield [
            *(record[name] for name in labels),
            *(missing if number is None else f"{number:.{places}f}" for number, places in numbers),
        ]


def _audit(options: argparse.Namespace) -> int:
    for name in ("metrics", "sort", "place"):
        if getattr(options, name) is not None:
            raise UsageError("not-audit", option=name)
    for name in _LABELS:
        if options.table is not None and getattr(options, name) is not None:
            raise UsageError("only-record", option=name)
    if options.table is None:
        table = _filtered(published(options.scorer), options)
        shown = {table.name(row) for row in range(len(table))}
        findings = [one for one in audit(scorer=options.scorer) if one.row in shown]
    else:
        table = read_scores(options.table, missing="keep")
        findings = audit(table, options.scorer)
    header = ["row", "column", "printed", "reason"]
    rows = [[one.row, one.column, one.printed, one.reason] for one in findings]
    found = str(Note("audited", count=len(findings), rows=len(table)))
    if options.style == "json":
        print(compact_json([dict(zip(header, row, strict=True)) for row in rows]))
    elif options.style == "csv":
        print(write_csv([header, *rows]))
    elif options.style:
        print(lay_out([Table(header, rows, words=4)], [found], [], options.style))
    else:
        print(*findings, found, sep="\n")
    return 0
