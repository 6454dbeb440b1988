"""`sameas published`: the systems of the CoNLL shared tasks."""

from __future__ import annotations

import argparse
from pathlib import Path

from sameas.errors import UsageError, suggest
from sameas.record import SOURCES, audit, ordered, place, published
from sameas.report import Table, compact_json, lay_out, write_csv
from sameas.report.correlation import title_of
from sameas.scoretable import ScoreTable, read_scores


def run(options: argparse.Namespace) -> int:
    if options.table and not options.audit:
        raise UsageError("--table is about --audit")
    if options.audit:
        return _audit(options)
    table = _filtered(published(), options)
    notes = [f"source: {source}" for source in SOURCES.values()]
    by = (options.sort or "conll").strip().lower()
    names = [name.strip().lower() for name in (options.metrics or "").split(",") if name.strip()]
    groups = _groups(table)
    if options.place:
        name, scores = _system(options.place)
        groups = {title: place(part, name, scores, by) for title, part in groups.items()}
        unknown = [metric for metric in scores if metric not in table.columns]
        if unknown:
            notes.insert(0, f"not in the record, so not shown: {', '.join(unknown)}")
        notes = [*_ranks(groups, name, scores, by), *notes]
    elif options.sort:
        groups = {title: ordered(part, by) for title, part in groups.items()}
    if names:
        groups = {title: part.only(names) for title, part in groups.items()}
    print(_rendered(groups, notes, options.style or "text", name if options.place else ""))
    return 0


def _filtered(table: ScoreTable, options: argparse.Namespace) -> ScoreTable:
    for label in ("task", "language", "system"):
        given = getattr(options, label)
        if given is None:
            continue
        known = {name.lower(): name for name in table.labels[label]}
        wanted = [name.strip().lower() for name in given.split(",") if name.strip()]
        for name in wanted:
            if name not in known:
                raise UsageError(f"no {label} {name}: {suggest(name, known)}")
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
        raise UsageError(f"a new system is written NAME=SCORES, not {text!r:.80}")
    if ":" in scores and not Path(scores).exists():
        found = {}
        for part in scores.split(","):
            metric, _, value = part.partition(":")
            try:
                found[metric.strip().lower()] = float(value)
            except ValueError:
                raise UsageError(f"{part!r:.40} is not a score such as conll:57.4") from None
        return name, found
    table = read_scores(scores, missing="keep")
    if len(table) != 1:
        raise UsageError(f"{scores} has {len(table)} systems; one is placed at a time")
    return name, {
        metric: column[0].item()
        for metric, column in table.columns.items()
        if column[0] == column[0]
    }


def _ranks(
    groups: dict[str, ScoreTable], name: str, scores: dict[str, float], by: str
) -> list[str]:
    notes = []
    for title, part in groups.items():
        column = part.columns[by]
        rank = 1 + int((column > scores[by]).sum())
        notes.append(f"{name} is number {rank} of {len(part)} by {title_of(by)} in {title}")
    notes.append(
        "the published scores are those of the tasks' test sets; others do not compare with them"
    )
    return notes


def _rendered(groups: dict[str, ScoreTable], notes: list[str], style: str, placed: str) -> str:
    if style in ("json", "csv"):
        records = [record for part in groups.values() for record in part.records()]
        if style == "json":
            return compact_json(records)
        rows = [["" if cell is None else cell for cell in record.values()] for record in records]
        return write_csv([list(records[0]), *rows])
    tables = []
    for title, part in groups.items():
        decimals = part.decimals or {}
        rows = [
            [
                part.labels["system"][row],
                *(
                    "–" if record[name] is None else f"{record[name]:.{decimals.get(name, 1)}f}"
                    for name in part.columns
                ),
            ]
            for row, record in enumerate(part.records())
        ]
        header = ["system", *(title_of(name) for name in part.columns)]
        rules = []
        if placed:  # set apart from the rows around it
            row = max(n for n, name in enumerate(part.labels["system"]) if name == placed)
            rules = [n for n in (row, row + 1) if 0 < n < len(rows)]
        tables.append(Table(header, rows, rules=rules, title=title))
    return lay_out(tables, notes, [], style)


def _audit(options: argparse.Namespace) -> int:
    others = ("task", "language", "system", "metrics", "sort", "place")
    for name in others:
        if getattr(options, name) is not None:
            raise UsageError(f"--{name} is not about --audit")
    table = read_scores(options.table, missing="keep") if options.table else None
    findings = audit(table)
    if options.style == "json":
        print(compact_json([vars(finding) for finding in findings]))
        return 0
    if options.style == "csv":
        rows = [[one.row, one.column, one.printed, one.reason] for one in findings]
        print(write_csv([["row", "column", "printed", "reason"], *rows]))
        return 0
    for finding in findings:
        print(finding)
    number = len(published()) if table is None else len(table)
    print(f"{number} rows, {len(findings)} finding{'s' * (len(findings) != 1)}")
    return 0
