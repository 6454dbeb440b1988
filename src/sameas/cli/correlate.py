"""`sameas correlate`: how well do metrics agree?"""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import reduce
from operator import add

from sameas.cli.progress import Progress
from sameas.cli.score import one_standard_input, resampling_of
from sameas.correlation import LEAST, Correlation, correlate
from sameas.errors import InputError, Problem, UsageError
from sameas.output.correlation import render_correlations
from sameas.record import published
from sameas.scoretable import ScoreTable, read_scores
from sameas.signature import Resampling


def run(options: argparse.Namespace) -> int:
    resampling = resampling_of(options)
    columns = None
    if options.metrics is not None:
        columns = [name.strip() for name in options.metrics.split(",")]
        if options.against is not None and options.against not in columns:
            columns.append(options.against)
    if options.plot is not None:
        from sameas.output.plot import load_matplotlib

        load_matplotlib(options.plot)
    table = _table(options, columns)
    # Named once and all before labels are added, which would become part of the names of rows.
    named = {name: table.groups(name) for name in (options.by, options.draw) if name is not None}
    table = replace(table, labels={**table.labels, **named})
    groups = table.by(options.by) if options.by is not None else {}
    names = columns or list(table.columns)
    notes = [*table.notes, *_drawn_alone(table, options.draw)]
    with Progress(len(groups) + 1) as progress:
        found = {}
        for name, part in groups.items():
            progress.step(f"correlating {name}")
            if len(part) < LEAST:
                number = f"{len(part)} row{'s' * (len(part) > 1)}"
                notes.append(f"{name}: {number}, too few to correlate; only among all")
                continue
            found[name] = _correlated(part, names, options, resampling)
        progress.step("correlating")
        found[""] = _correlated(table, names, options, resampling)
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
        from sameas.output.plot import scatter

        scatter(table, found[""], options.plot, by=options.by)
    return 0


def _correlated(
    table: ScoreTable, names: list[str], options: argparse.Namespace, resampling: Resampling
) -> list[Correlation]:
    return correlate(
        table, columns=names, against=options.against, draw=options.draw, resampling=resampling
    )


def _drawn_alone(table: ScoreTable, draw: str | None) -> list[str]:
    """What to say of rows that belong to no group."""
    if draw is None:
        return []
    documents = table.labels.get("document", [""] * len(table))
    alone = [document for group, document in zip(table.groups(draw), documents, strict=True)
             if not group]  # fmt: skip
    if not alone:
        return []
    how = "with their documents" if any(alone) else "by themselves"
    return [f"{len(alone)} of {len(table)} rows have no group ({draw}): drawn {how}"]


def _table(options: argparse.Namespace, columns: list[str] | None) -> ScoreTable:
    if options.published:
        if options.scores:
            raise UsageError("--published takes the published record; leave out the files")
        if options.by_document or options.part != "f1":
            raise UsageError("the published record has F1 of systems only")
        return published()
    if not options.scores:
        raise UsageError("a table of scores is wanted; or try sameas correlate --published")
    one_standard_input(*options.scores)
    if len(set(options.scores)) < len(options.scores):
        raise UsageError("a file of scores comes twice")
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
        Problem(f"has no column {name}", path, hint="--metrics names the columns that are wanted")
        for path, part in zip(options.scores, parts, strict=True)
        for name in table.columns
        if name not in part.columns
    ]
    if lacking:
        raise InputError(lacking)
    return table
