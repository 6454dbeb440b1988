"""`sameas errors`: the kinds of errors, where they are, and the gains from fixing them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from sameas.cli.common import check_plot, named_paths, one_standard_input, show
from sameas.cli.options import Arguments, CommandParser, Declared, refuse
from sameas.cli.plans import are_noted, files_of, plan_of, score_files, unwarned, warn
from sameas.cli.progress import Progress
from sameas.errors import UsageError, unknown
from sameas.notes import notes_of_list
from sameas.sentences import of_mentions

if TYPE_CHECKING:
    from sameas.analysis.analysis import Analysis
    from sameas.analysis.findings import Errors

COLOURS = ("auto", "always", "never")
SIDES = ("key", "response", "both")
USAGE = "KEY [NAME=]RESPONSE"
_FILES: Declared = {
    "key?": ("KEY", "gold file or folder; - is standard input"),
    "response?": ("[NAME=]RESPONSE", "system file or folder"),
    "--example": "find the errors of an example system",
}


def _kinds(prefix: str) -> Iterable[str]:
    from sameas.analysis.findings import KINDS, LINKS

    return [kind.replace(" ", "-") for kind in (*KINDS, *LINKS)]


def _groups(prefix: str) -> Iterable[str]:
    from sameas.analysis.findings import GROUPS

    return GROUPS


def _conditions(prefix: str) -> Iterable[str]:
    """Return completions for --where: the groups, or after `GROUP=` its values."""
    from sameas.analysis.findings import LABELS

    group, equals, _ = prefix.partition("=")
    if not equals:
        return [f"{group}=" for group in _groups(prefix)]
    return [f"{group}={label.replace(' ', '-')}" for label in LABELS.get(group, ())]


_WHICH: Declared = {
    "--kind": (
        "KINDS",
        "only these kinds, comma-separated: span, conflated, extra-mention, extra-entity, divided, "
        "missing-mention, missing-entity; or missing-link, wrong-link (for records: extra-record, "
        "extra-cluster, missing-record, missing-cluster)",
        _kinds,
    ),
    "--by": (
        "GROUP",
        "group by mention (kind of the mention: name, nominal, pronoun, zero), other (kind of the "
        "mention it is linked to), distance, size, type, head or document (default: mention)",
        _groups,
    ),
    "--where": {
        "action": "append",
        "metavar": "GROUP=VALUE",
        "help": "only errors in this group, such as mention=pronoun or head=match",
        "values": _conditions,
    },
    "--list": "list the errors, one per line",
    "--links": "list missing and wrong links",
    "--document": (
        "NAME",
        "show one document with [key mentions] and ‹response mentions› in brackets; worst: the "
        "document with the lowest score",
    ),
}
_SHOWN: Declared = {
    "--show": ("key|response|both", "mentions to show with --document (default: both)"),
    "--color": {
        "metavar": "auto|always|never",
        "default": "auto",
        "help": "colour the brackets; auto: if the output is a terminal (NO_COLOR and FORCE_COLOR "
        "override this; default: auto)",
    },
}


def declare(parser: CommandParser) -> None:
    """Find the errors of a response: seven kinds (Kummerfeld & Klein 2013), with the
    gain in score from repairing each kind, and missing and wrong links (Martschat &
    Strube 2014)."""
    parser.add_options(_FILES)
    which = parser.add_argument_group("which errors")
    parser.add_options(_WHICH, which)
    parser.add_options(_SHOWN, which, rare=True)
    parser.add_metrics()
    parser.add_how()
    parser.add_format()
    parser.add_output()
    parser.add_plot("the score against the share of errors repaired")


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
    ((name, path),) = named_paths([response], by_path=options.style in ("json", "csv"))
    one_standard_input(key, path)
    with Progress(5) as progress:
        (result,) = score_files(plan, key, [path], progress)
        result = replace(result, name=name)
        progress.step("finding errors")
        analysis = analyse_result(result)
        links = options.links or bool(set(where.get("kind", ())) & set(LINKS))
        found = (analysis.links if links else analysis.errors).where(**where)
        text = _rendered(options, analysis, found, links, bool(where))
        if options.plot is not None:
            from sameas.show.plot import draw_repairs

            progress.step("drawing")
            draw_repairs(analysis, options.plot, kinds=where.get("kind"))
    warn([result], options.signature, noted=are_noted(options))
    show(
        options, text, [(result.name, unwarned(notes_of_list(analysis.remarks)))]
    )  # CSV lists errors
    return 0


def _check(options: Arguments) -> None:
    """Reject unknown values and incompatible options."""
    if options.color not in COLOURS:
        raise unknown("--color", options.color, COLOURS)
    # Tables of records are shown in the words of entity resolution.
    options.show, options.by = (text and of_mentions(text) for text in (options.show, options.by))
    if options.show and options.show not in SIDES:
        raise unknown("--show", options.show, SIDES)
    for option, given in (("--show", options.show), ("--color", options.color == "always")):
        refuse(given and not options.document, "needs-document", option=option)
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
    """Check the values that --kind and --where require, and return them keyed by group."""
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
        where.setdefault(of_mentions(group.strip()), []).extend(value.strip().split(","))
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
    """Return whether to use colours; see no-color.org and force-color.org."""
    if options.color != "auto":
        return bool(options.color == "always")
    if os.environ.get("NO_COLOR") or options.results_file not in (None, "-"):
        return False
    if os.environ.get("FORCE_COLOR", "") not in ("", "0"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
