"""`sameas correlate`: how well do metrics agree?"""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import partial, reduce
from operator import add

from sameas.cli.common import check_plot, one_standard_input, resampling_of
from sameas.cli.progress import Progress
from sameas.errors import InputError, Problem, UsageError
from sameas.notes import Note
from sameas.show.correlation import render_correlations
from sameas.tables.correlation import LEAST, correlate
from sameas.tables.record import published
from sameas.tables.score_files import read_scores
from sameas.tables.scoretable import ScoreTable


def run(options: argparse.Namespace) -> int:
    resampling = resampling_of(options)
    columns = None
    if options.metrics is not None:
        columns = [name.strip() for name in options.metrics.split(",")]
        if options.against is not None and options.against not in columns:
            columns.append(options.against)
    check_plot(options.plot)
    table = _table(options, columns)
    # Named once and all before labels are added, which would become part of the names of rows.
    named = {name: table.groups(name) for name in (options.by, options.draw) if name is not None}
    table = replace(table, labels={**table.labels, **named})
    groups = table.by(options.by) if options.by is not None else {}
    names = columns or list(table.columns)
    notes = [*table.notes, *_drawn_alone(table, options.draw)]
    correlated = partial(
        correlate, columns=names, against=options.against, draw=options.draw, resampling=resampling
    )
    with Progress(len(groups) + 1) as progress:
        found = {}
        for name, part in groups.items():
            progress.step(f"correlating {name}")
            if len(part) < LEAST:
                notes.append(Note("group-too-small", count=len(part), group=name))
                continue
            found[name] = correlated(part)
        progress.step("correlating")
        found[""] = correlated(table)
    scope = f"|part:{options.part}" if options.part != "f1" else ""
    scope += "|by:document" if options.by_document else ""
    scope += f"|draw:{options.draw}" if options.draw is not None else ""
    style = options.style or "text"
    print(
        render_correlations(
            found,
            resampling,
            style,
            digits=options.digits,
            notes=notes,
            scope=scope,
            drawn="documents" if options.draw is None else "groups",
        )
    )
    if options.plot is not None:
        from sameas.show.plot import scatter

        scatter(table, found[""], options.plot, by=options.by)
    return 0


def _drawn_alone(table: ScoreTable, draw: str | None) -> list[Note]:
    """What to say of rows that belong to no group."""
    if draw is None:
        return []
    documents = table.labels.get("document", [""] * len(table))
    alone = [
        document for group, document in zip(table.groups(draw), documents, strict=True) if not group
    ]
    how = "documents" if any(alone) else "themselves"
    note = Note("drawn-alone", count=len(alone), total=len(table), draw=draw, how=how)
    return [note] if alone else []


def _table(options: argparse.Namespace, columns: list[str] | None) -> ScoreTable:
    if options.published:
        if options.scores:
            raise UsageError("published-alone")
        if options.by_document or options.part != "f1":
            raise UsageError("published-f1")
        return published()
    if not options.scores:
        raise UsageError("scores-wanted")
    one_standard_input(*options.scores)
    if len(set(options.scores)) < len(options.scores):
        raise UsageError("scores-twice")
    parts = [
        read_scores(
            path,
            columns=columns,
            labels=[name for name in (options.by, options.draw) if name is not None],
            part=options.part,
            by_document=options.by_document,
            missing="skip" if options.skip_missing else "error",
        )
        for path in options.scores
    ]
    table = reduce(add, parts)
    if options.skip_missing:
        return table.complete()
    lacking = [
        Problem("no-scores-column", path, name=name)
        for path, part in zip(options.scores, parts, strict=True)
        for name in table.columns
        if name not in part.columns
    ]
    if lacking:
        raise InputError(lacking)
    return table
