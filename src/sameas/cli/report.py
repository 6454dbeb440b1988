"""`sameas report`: one HTML file to look at."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from sameas.cli.compare import comparing_from, named_systems
from sameas.cli.progress import Progress
from sameas.cli.score import (
    example_files,
    exists,
    note_other_signature,
    one_standard_input,
    score_files,
    settings_of,
    warn,
)
from sameas.coref.statistics import choose_metrics
from sameas.errors import UsageError
from sameas.page import report_results
from sameas.settings import Signature


def run(options: argparse.Namespace) -> int:
    options.pairs = None
    settings = settings_of(options)
    comparing = replace(comparing_from(options), pairs="all")
    metrics = choose_metrics(options.metrics, options.preset)
    key, systems = options.key, options.systems
    if options.example:
        key, *systems = example_files(key)
    if not key or not systems:
        raise UsageError("files-missing", how="report")
    named = named_systems(systems)
    check_output(options.output, [key, *named.values()])
    one_standard_input(key, *named.values())
    with Progress(2 * len(named) + 3) as progress:
        results = score_files(
            key, list(named.values()), options.format, settings, metrics, progress
        )
        progress.step("finding errors")
        title = Path(key).name if options.title is None else options.title
        found = dict(zip(named, results, strict=True))
        report = report_results(found, title=title, comparing=comparing)
        progress.step("writing")
        if options.output != "-":
            report.save(options.output)
    warn(results)
    if options.signature:
        note_other_signature(Signature.parse(options.signature), results)
    if options.output == "-":
        print(report.html)
        return 0
    size = len(report.html.encode("utf-8")) / 1e6
    responses, documents = len(named), report.documents
    print(
        f"{options.output}: {responses} response{'s' * (responses != 1)}, "
        f"{documents} document{'s' * (documents != 1)}, {size:.1f} MB"
    )
    return 0


def check_output(output: str, inputs: list[str]) -> None:
    """Refuse to write where a report does not belong, before any work is done."""
    if output == "-":
        return
    for path in inputs:
        if exists(path) and exists(output) and Path(path).samefile(output):
            raise UsageError("overwritten", output=output)
    if Path(output).suffix.lower() not in (".html", ".htm"):
        raise UsageError("report-name", where=output)
