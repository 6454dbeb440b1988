"""`sameas errors`: what kinds of errors, where, and what repairing them is worth."""

from __future__ import annotations

import argparse
import os
import sys

from sameas.analysis.analysis import Analysis, analyse_result
from sameas.analysis.findings import LINKS, Errors, kind_named
from sameas.cli.common import check_plot, one_standard_input, tell_notes
from sameas.cli.plans import files_of, plan_of, score_files, warn
from sameas.cli.progress import Progress
from sameas.errors import UsageError, unknown
from sameas.show.errors import SHOWN, render_analysis, render_document

COLOURS = ("auto", "always", "never")


def run(options: argparse.Namespace) -> int:
    if options.color not in COLOURS:
        raise unknown("--color", options.color, COLOURS)
    show = options.show or "both"
    if show not in SHOWN:
        raise unknown("--show", show, SHOWN)
    if options.show and not options.document:
        raise UsageError("show-needs-document")
    if options.document and options.style:
        raise UsageError("document-style", style=options.style)
    check_plot(options.plot)
    plan = plan_of(options)
    if options.document and plan.settings.scope != "document":
        raise UsageError("document-scope")
    where = _where(options)
    responses = [options.response] if options.response else []
    key, (*_, response) = files_of(options, "errors", responses)
    one_standard_input(key, response)
    with Progress(5) as progress:
        (result,) = score_files(plan, key, [response], progress)
        progress.step("finding errors")
        analysis = analyse_result(result)
        links = options.links or set(where.get("kind", ())) & set(LINKS)
        found = (analysis.links if links else analysis.errors).where(**where)
        if options.document:
            number = _document(analysis, options.document)
            text = render_document(
                analysis,
                number,
                found,
                show=show,
                colour=_colour(options),
                digits=options.digits,
            )
        else:
            text = render_analysis(
                analysis,
                found,
                options.style or "text",
                by=options.by or "mention",
                listed=options.list or bool(links),
                narrowed=bool(where),
                digits=options.digits,
            )
        if options.plot is not None:
            from sameas.show.plot import draw_repairs

            progress.step("drawing")
            draw_repairs(analysis, options.plot, kinds=where.get("kind"))
    warn([result], options.signature)
    if options.style == "csv":
        tell_notes(analysis.remarks, result.name)
    print(text)
    return 0


def _where(options: argparse.Namespace) -> dict[str, list[str]]:
    """What the errors have to be, checked before any file is read."""
    where: dict[str, list[str]] = {}
    if options.kind is not None:
        kinds = [kind_named(kind) for kind in options.kind.split(",") if kind.strip()]
        among = set(kinds) & set(LINKS)
        if among and (set(kinds) - set(LINKS) or options.plot):
            raise UsageError("link-not-error", kind=min(among))
        if options.links and not among:
            raise UsageError("links-kind")
        where["kind"] = kinds
    for condition in options.where or ():
        group, equals, value = condition.partition("=")
        if not equals or not value:
            raise UsageError("where-form", condition=condition)
        where.setdefault(group.strip(), []).extend(value.strip().split(","))
    Errors([]).where(**where)
    if options.by is not None:
        Errors([]).by(options.by)
    return where


def _document(analysis: Analysis, name: str) -> int:
    names = list(analysis.matching.names)
    if name in names:
        return names.index(name)
    if name == "worst":
        scores = [row[analysis.headline] for row in analysis.result.by_document()]
        counted = [(score, number) for number, score in enumerate(scores) if score is not None]
        return min(counted)[1] if counted else 0
    raise unknown("document", name, names)


def _colour(options: argparse.Namespace) -> bool:
    if options.color == "auto":
        return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return bool(options.color == "always")
