"""`sameas errors`: what kinds of errors, where, and what repairing them is worth."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from sameas.cli.common import check_plot, one_standard_input, show
from sameas.cli.options import Arguments, CommandParser, Declared, refuse
from sameas.cli.plans import files_of, plan_of, score_files, warn
from sameas.cli.progress import Progress
from sameas.errors import UsageError, unknown

if TYPE_CHECKING:
    from sameas.analysis.analysis import Analysis
    from sameas.analysis.findings import Errors

COLOURS = ("auto", "always", "never")
SIDES = ("key", "response", "both")
_FILES: Declared = {
    "key?": ("KEY", "gold file or folder"),
    "response?": ("RESPONSE", "system file or folder"),
    "--example": "errors of an example system",
}
_WHICH: Declared = {
    "--kind": (
        "KINDS",
        "comma-separated: span, conflated, extra-mention, extra-entity, divided, missing-mention, "
        "missing-entity (all); or missing-link, wrong-link",
    ),
    "--by": (
        "GROUP",
        "count by mention (name, nominal, pronoun, zero), other, distance, size, type, head or "
        "document (mention)",
    ),
    "--where": {
        "action": "append",
        "metavar": "GROUP=VALUE",
        "help": "only these, such as mention=pronoun or head=match",
    },
    "--list": "one line for each error",
    "--links": "list links instead of errors",
    "--document": (
        "NAME",
        "show one document with the brackets of key and response; worst is the one with the "
        "lowest score",
    ),
    "--show": ("key|response|both", "whose brackets (both)"),
}
_COLOR: Declared = {
    "--color": {
        "metavar": "auto|always|never",
        "default": "auto",
        "help": "brackets in colour (auto)",
    }
}


def declare(parser: CommandParser) -> None:
    """Show the errors of a response: seven kinds (Kummerfeld & Klein 2013) with
    the score that repairing each would give, by kind of mention and other groups,
    and missing and wrong links (Martschat & Strube 2014)."""
    parser.add_options(_FILES)
    parser.add_options(_WHICH, parser.add_argument_group("which errors"))
    parser.add_metrics()
    parser.add_how()
    parser.add_format()
    parser.add_output()
    parser.add_options(_COLOR)
    parser.add_plot("how the score rises with the share of errors repaired,")


def run(options: Arguments) -> int:
    from sameas.analysis.analysis import analyse_result
    from sameas.analysis.findings import LINKS

    _check(options)
    check_plot(options.plot)
    plan = plan_of(options)
    refuse(options.document and plan.settings.scope != "document", "document-scope")
    where = _where(options)
    responses = [options.response] if options.response else []
    key, (*_, response) = files_of(options, "errors", responses)
    one_standard_input(key, response)
    with Progress(5) as progress:
        (result,) = score_files(plan, key, [response], progress)
        progress.step("finding errors")
        analysis = analyse_result(result)
        links = options.links or bool(set(where.get("kind", ())) & set(LINKS))
        found = (analysis.links if links else analysis.errors).where(**where)
        text = _rendered(options, analysis, found, links, bool(where))
        if options.plot is not None:
            from sameas.show.plot import draw_repairs

            progress.step("drawing")
            draw_repairs(analysis, options.plot, kinds=where.get("kind"))
    warn([result], options.signature)
    show(options, text, [(result.name, analysis.remarks)])
    return 0


def _check(options: Arguments) -> None:
    """Refuse values that are not known, and options that do not go together."""
    if options.color not in COLOURS:
        raise unknown("--color", options.color, COLOURS)
    if options.show and options.show not in SIDES:
        raise unknown("--show", options.show, SIDES)
    refuse(options.show and not options.document, "show-needs-document")
    refuse(options.document and options.style, "document-style", style=options.style)


def _rendered(
    options: Arguments, analysis: Analysis, found: Errors, links: bool, narrowed: bool
) -> str:
    from sameas.show.errors import render_analysis, render_document

    if options.document:
        number = _document(analysis, options.document)
        shown = options.show or "both"
        colour = _colour(options)
        return render_document(
            analysis, number, found, show=shown, colour=colour, digits=options.digits
        )
    return render_analysis(
        analysis,
        options.style or "text",
        errors=found,
        by=options.by or "mention",
        listed=options.list or links,
        narrowed=narrowed,
        digits=options.digits,
    )


def _where(options: Arguments) -> dict[str, list[str]]:
    """What the errors have to be, checked before any file is read."""
    from sameas.analysis.findings import LINKS, Errors, kind_named

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


def _colour(options: Arguments) -> bool:
    if options.color == "auto":
        return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return bool(options.color == "always")
