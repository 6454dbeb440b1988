"""`sameas published`: the published scores of the CoNLL shared tasks."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from sameas.cli.options import Arguments, CommandParser, Declared, Values, refuse
from sameas.errors import UsageError, unknown
from sameas.notes import Note

if TYPE_CHECKING:
    from sameas.tables.scoretable import ScoreTable

_LABELS = ("task", "language", "system")
USAGE = ""


def _labels(label: str) -> Values:
    """Return a function that lists the published tasks, languages or systems."""

    def values(prefix: str) -> Iterable[str]:
        from sameas.tables.record import published

        return dict.fromkeys(published().labels[label])

    return values


def _columns(prefix: str) -> Iterable[str]:
    from sameas.tables.record import published

    return published().columns


_OPTIONS: Declared = {
    "--task": ("NAMES", "only CoNLL-2011 or CoNLL-2012", _labels("task")),
    "--language": ("NAMES", "only English, Chinese or Arabic", _labels("language")),
    "--system": ("NAMES", "only these systems, such as fernandes", _labels("system")),
    "-m --metrics": ("NAMES", "only these columns", _columns),
    "--sort": (
        "METRIC",
        "sort by this metric, best first (default: order of the papers)",
        _columns,
    ),
    "--scorer": {
        "metavar": "reference|v4",
        "default": "reference",
        "help": "scores of the reference scorer, or the official scores (scorer v4, which altered "
        "predicted mentions before scoring; default: reference)",
    },
    "--place": {
        "action": "append",
        "metavar": "NAME=SCORES",
        "help": "place a new system in the ranking (by --sort, default: conll); SCORES is a file "
        "from sameas score --json or --csv, or percentages such as conll:57.4,muc:66.1",
    },
    "--audit": "report published numbers that contradict other numbers in their row",
    "--table": ("FILE", "with --audit: audit this table of percentages instead (CSV or JSON)"),
}


def declare(parser: CommandParser) -> None:
    """Show the published scores of the CoNLL-2011 and CoNLL-2012 shared tasks: filter,
    sort and export them, place a new system in the ranking, or audit the numbers."""
    parser.add_options(_OPTIONS)
    parser.add_styles()


def run(options: Arguments) -> int:
    refuse(options.table is not None and not options.audit, "only-audit", option="table")
    return _audit(options) if options.audit else _list(options)


def _list(options: Arguments) -> int:
    """Show the published systems, and the new one, if any."""
    from sameas.show.record import render_record
    from sameas.tables.record import SOURCES, SOURCES_V4, ordered, published

    table = _filtered(published(options.scorer), options)
    sources = SOURCES if options.scorer == "reference" else SOURCES_V4
    notes = [Note("scorer-v4")] if options.scorer == "v4" else []
    notes += [Note("source", source=source) for source in sources.values()]
    by = "conll" if options.sort is None else options.sort.strip().lower()
    groups = _groups(table)
    row_of: dict[str, int] = {}  # the row of the new system, keyed by group
    if options.place is not None:
        groups, row_of, rank_notes = _placed(options.place, groups, by, table.columns)
        notes = [*rank_notes, *notes]
    elif options.sort is not None:
        groups = {title: ordered(part, by) for title, part in groups.items()}
    if options.metrics is not None:
        names = [name.strip().lower() for name in options.metrics.split(",")]
        groups = {title: part.only(names) for title, part in groups.items()}
    digits = {name: max(table.decimals_of(name)) for name in table.columns}
    print(render_record(groups, notes, options.style or "text", digits, row_of))
    return 0


def _placed(
    placed: Sequence[str], groups: Mapping[str, ScoreTable], by: str, known: Iterable[str]
) -> tuple[dict[str, ScoreTable], dict[str, int], list[Note]]:
    """Return the groups with the new system, its row in each group, and notes on its rank."""
    from sameas.tables.record import place

    refuse(len(placed) > 1, "one-placed")
    name, scores = _system(placed[0])
    groups = {title: place(part, name, scores, by) for title, part in groups.items()}
    notes = _ranks(groups, name, scores[by], by)
    others = [metric for metric in scores if metric not in known]
    if others:
        notes.append(Note("not-in-record", metrics=others))
    row_of = {
        title: int((part.columns[by] >= scores[by]).sum()) - 1 for title, part in groups.items()
    }
    return groups, row_of, notes


def _filtered(table: ScoreTable, options: Arguments) -> ScoreTable:
    for label in _LABELS:
        chosen = getattr(options, label)
        if chosen is None:
            continue
        known = {name.lower(): name for name in table.labels[label]}
        names = [name.strip().lower() for name in chosen.split(",") if name.strip()]
        refuse(not names, "names-nothing", label=label, known=list(known))
        for name in names:
            if name not in known:
                raise unknown(label, name, known)
        cells = enumerate(table.labels[label])
        table = table.select([row for row, cell in cells if cell.lower() in names])
    return table


def _groups(table: ScoreTable) -> dict[str, ScoreTable]:
    return {
        f"{task} {language}": part
        for task, of_task in table.by("task").items()
        for language, part in of_task.by("language").items()
    }


def _system(text: str) -> tuple[str, dict[str, float]]:
    """Return the name and the scores of a new system."""
    name, equals, scores = text.partition("=")
    refuse(not (name and equals and scores), "not-name-scores", text=text)
    if (":" in scores or _NO_COLON.match(scores)) and not os.path.exists(scores):
        return name, _scores(scores)
    from sameas.tables.score_files import read_scores

    table = read_scores(scores, missing="keep")
    refuse(len(table) != 1, "one-placed", how="file", path=scores, count=len(table))
    found = {metric: column[0].item() for metric, column in table.columns.items()}
    return name, {metric: value for metric, value in found.items() if not math.isnan(value)}


#: A score written `muc=60` or `60` instead of `muc:60`.
_NO_COLON = re.compile(r"(?:(\w+)=)?(\d+(?:\.\d+)?)(?=,|$)")


def _scores(text: str) -> dict[str, float]:
    """Read scores such as `conll:57.4,muc:66.1`."""
    found: dict[str, float] = {}
    for part in text.split(","):
        name, _, value = part.partition(":")
        metric = name.strip().lower()
        try:
            number = float(value)
        except ValueError:
            match = _NO_COLON.fullmatch(part.strip())
            if match and match[1]:
                values = {"metric": match[1], "number": match[2]}
                raise UsageError("not-a-score", text=part, how="colon", **values) from None
            raise UsageError("not-a-score", text=part) from None
        refuse(
            metric in found, "score-twice", metric=metric, first=found.get(metric), second=number
        )
        found[metric] = number
    return found


def _ranks(groups: Mapping[str, ScoreTable], name: str, score: float, by: str) -> list[Note]:
    from sameas.show.correlation import title_of

    notes = []
    for title, part in groups.items():
        column = part.columns[by]
        missing = int((column != column).sum())  # NaN
        values = {"system": name, "metric": title_of(by), "group": title}
        values |= {"how": "lacking"} if missing else {}
        rank = 1 + int((column > score).sum())
        notes.append(
            Note("placed", count=missing, total=len(part) - missing, rank=rank, values=values)
        )
    return [*notes, Note("placed-elsewhere")]


def _audit(options: Arguments) -> int:
    """Show the impossible numbers in the published scores or in a table."""
    from sameas.show.record import render_findings
    from sameas.tables.record import audit, published
    from sameas.tables.score_files import read_scores

    for name in options.given("metrics", "sort", "place"):
        raise UsageError("not-audit", option=name)
    if options.table is None:
        table = _filtered(published(options.scorer), options)
        shown = {table.name(row) for row in range(len(table))}
        findings = [one for one in audit(scorer=options.scorer) if one.row in shown]
    else:
        for name in options.given(*_LABELS):
            raise UsageError("only-record", option=name)
        table = read_scores(options.table, missing="keep")
        findings = audit(table, options.scorer)
    print(render_findings(findings, len(table), options.style))
    return 0
