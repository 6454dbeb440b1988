"""`sameas correlate`: correlations between metrics."""

from __future__ import annotations

from dataclasses import replace
from functools import partial, reduce
from operator import add
from typing import TYPE_CHECKING

from sameas.cli.common import check_plot, one_standard_input
from sameas.cli.options import Arguments, CommandParser, Declared, metric_names, refuse
from sameas.cli.progress import Progress
from sameas.errors import InputError, Problem
from sameas.notes import Note
from sameas.settings import Resampling

if TYPE_CHECKING:
    from sameas.tables.scoretable import ScoreTable

USAGE = "SCORES ...\n--published"
_FILES: Declared = {
    "scores*": ("SCORES", "CSV, TSV or JSON files; - is standard input"),
    "--published": "correlate the published scores of the CoNLL shared tasks",
}
_WHAT: Declared = {
    "-m --metrics": ("NAMES", "columns to correlate, comma-separated (default: all)", metric_names),
    "--with": {
        "dest": "against",
        "metavar": "NAME",
        "help": "correlate each column with this one (default: all pairs)",
        "values": metric_names,
    },
    "--part": {
        "metavar": "f1|recall|precision",
        "default": "f1",
        "help": "part of each score to correlate (default: f1)",
    },
    "--by-document": "use documents as rows, instead of systems",
    "--by": (
        "GROUP",
        "also correlate within groups of rows: a column of labels, or a regular expression that "
        "captures the group in a row's name",
    ),
    "--skip-missing": "skip rows in which a score is missing",
}
_DRAWN: Declared = {
    "--draw": (
        "GROUP",
        "resample groups of dependent rows, such as the seeds of one setting; GROUP is as for --by "
        "(default: rows of one document together, or single rows)",
    )
}


def declare(parser: CommandParser) -> None:
    """Correlate the columns of a table of scores: Pearson, Spearman and Kendall,
    with bootstrap confidence intervals over rows.

    SCORES is CSV or TSV with a header, or JSON: any table, or the output of sameas
    score --csv or --json for one or more systems. Several files form one table."""
    parser.add_options(_FILES)
    parser.add_options(_WHAT, parser.add_argument_group("what to correlate"))
    chance = parser.add_argument_group("confidence intervals")
    parser.add_options(_DRAWN, chance, rare=True)
    parser.add_settings(Resampling, group=chance)
    parser.add_output(3, "correlations")
    parser.add_plot("scatter plots")


def run(options: Arguments) -> int:
    from sameas.show.correlation import render_correlations
    from sameas.tables.correlation import LEAST, correlate

    resampling = options.resampling()
    columns = None
    if options.metrics is not None:
        columns = [name.strip() for name in options.metrics.split(",")]
        if options.against is not None and options.against not in columns:
            columns.append(options.against)
    check_plot(options.plot)
    table = _table(options, columns)
    # Find all groups before adding labels, because labels become part of the names of rows.
    named = {name: table.groups(name) for name in (options.by, options.draw) if name is not None}
    table = replace(table, labels={**table.labels, **named})
    groups = table.by(options.by) if options.by is not None else {}
    notes = [*table.notes, *_drawn_alone(table, options.draw)]
    correlated = partial(
        correlate,
        columns=columns or list(table.columns),
        against=options.against,
        draw=options.draw,
        resampling=resampling,
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
    text = render_correlations(
        found,
        resampling,
        options.style or "text",
        digits=options.digits,
        notes=notes,
        scope=_scope(options),
        drawn="documents" if options.draw is None else "groups",
    )
    print(text)
    if options.plot is not None:
        from sameas.show.plot import scatter

        scatter(table, found[""], options.plot, by=options.by)
    return 0


def _scope(options: Arguments) -> str:
    """Return `part`, `by` and `draw` for the signature, without those at their defaults."""
    scope = f"|part:{options.part}" if options.part != "f1" else ""
    scope += "|by:document" if options.by_document else ""
    return scope + (f"|draw:{options.draw}" if options.draw is not None else "")


def _drawn_alone(table: ScoreTable, draw: str | None) -> list[Note]:
    """Return a note if any rows belong to no group."""
    if draw is None:
        return []
    documents = table.labels.get("document", [""] * len(table))
    alone = [
        document for group, document in zip(table.groups(draw), documents, strict=True) if not group
    ]
    how = "documents" if any(alone) else "themselves"
    note = Note("drawn-alone", count=len(alone), total=len(table), draw=draw, how=how)
    return [note] if alone else []


def _table(options: Arguments, columns: list[str] | None) -> ScoreTable:
    if options.published:
        from sameas.tables.record import published

        refuse(options.scores, "published-alone")
        refuse(options.by_document or options.part != "f1", "published-f1")
        return published()
    from sameas.tables.score_files import read_scores

    refuse(not options.scores, "scores-wanted")
    one_standard_input(*options.scores)
    refuse(len(set(options.scores)) < len(options.scores), "scores-twice")
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
    missing = [
        Problem("no-scores-column", path, name=name)
        for path, part in zip(options.scores, parts, strict=True)
        for name in table.columns
        if name not in part.columns
    ]
    if missing:
        raise InputError(missing)
    return table
