"""`sameas report`: scores, errors and texts in one HTML file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sameas.cli.common import named_systems, not_overwritten, one_standard_input
from sameas.cli.options import Arguments, CommandParser, refuse
from sameas.cli.plans import comparing_from, files_of, plan_of, score_files, warn
from sameas.cli.progress import Progress
from sameas.errors import counted
from sameas.results.words import words_of

USAGE = "KEY [NAME=]RESPONSE ..."


def declare(parser: CommandParser) -> None:
    """Write a report as one HTML file: scores with intervals and tests, how much the
    score would rise if each kind of error were repaired, and every document with
    the entities of key and response marked in the text. The file needs no network
    and no server."""
    parser.add_systems("system files or folders", "report on the example systems")
    where = "file to write; - is standard output (default: report.html)"
    parser.add_written("-o", "--output", default="report.html", help=where)
    parser.add_options({"--title": ("TEXT", "title of the report (default: name of the key)")})
    parser.add_metrics()
    parser.add_how()
    parser.add_chance("test", "correction")
    parser.add_format()


def run(options: Arguments) -> int:
    from sameas.show.page import report_results

    plan = plan_of(options)
    comparing = replace(comparing_from(options), pairs="all")
    key, systems = files_of(options, "report", options.systems)
    named = named_systems(systems)
    not_overwritten(options.output, key, *named.values())
    is_page = options.output == "-" or Path(options.output).suffix.lower() in (".html", ".htm")
    refuse(not is_page, "report-name", where=options.output)
    one_standard_input(key, *named.values())
    with Progress(2 * len(named) + 3) as progress:
        results = score_files(plan, key, named.values(), progress)
        progress.step("finding errors")
        title = Path(key).name if options.title is None else options.title
        found = dict(zip(named, results, strict=True))
        report = report_results(found, title=title, comparing=comparing)
        progress.step("writing")
        if options.output != "-":
            report.save(options.output)
    warn(results, options.signature)
    if options.output == "-":
        print(report.html)
        return 0
    size = len(report.html.encode("utf-8")) / 1e6
    responses = words_of(results[0])(counted(len(named), "response"))
    documents = counted(report.documents, "document")
    print(f"{options.output}: {responses}, {documents}, {size:.1f} MB")
    return 0
