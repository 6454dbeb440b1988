"""`sameas correlate`: how well do metrics agree?"""

from __future__ import annotations

import argparse
from functools import reduce
from operator import add

from sameas.cli.progress import Progress
from sameas.cli.score import one_standard_input, resampling_of
from sameas.correlation import correlate
from sameas.errors import UsageError
from sameas.record import published
from sameas.report.correlation import render_correlations
from sameas.scoretable import ScoreTable, read_scores


def run(options: argparse.Namespace) -> int:
    resampling = resampling_of(options)
    columns = options.metrics and [name.strip() for name in options.metrics.split(",")]
    if columns and options.against and options.against not in columns:
        columns.append(options.against)
    if options.plot:
        from sameas.report.plot import check_plot

        check_plot(options.plot)
    table = _table(options, columns)
    if columns:
        table = table.only(columns)
    groups = {"": table}
    if options.by:
        groups = {**table.by(options.by), "": table}
    with Progress(len(groups)) as progress:
        found = {}
        for name, part in groups.items():
            progress.step(f"correlating {name}".rstrip())
            found[name] = correlate(part, against=options.against, resampling=resampling)
    print(
        render_correlations(
            found, resampling, options.style or "text", digits=options.digits, notes=table.notes
        )
    )
    if options.plot:
        from sameas.report.plot import scatter

        scatter(table, found[""], options.plot, by=options.by)
    return 0


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
    return reduce(
        add,
        [
            read_scores(
                path,
                columns=columns,
                part=options.part,
                by_document=options.by_document,
                missing="skip" if options.skip_missing else "error",
            )
            for path in options.scores
        ],
    )
