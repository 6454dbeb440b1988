"""`sameas compare`: is one system better than another, or is it chance?"""

from __future__ import annotations

import argparse
import sys
from dataclasses import fields
from pathlib import Path

from sameas.cli.progress import Progress
from sameas.cli.score import (
    check_plot,
    example_files,
    exists,
    note_other_signature,
    one_standard_input,
    score_files,
    settings_of,
    warn,
)
from sameas.comparison import compare_results, comparing_of
from sameas.coref.statistics import choose_metrics
from sameas.errors import UsageError, visible
from sameas.output.comparison import render_comparison
from sameas.settings import Comparing, Signature


def run(options: argparse.Namespace) -> int:
    check_plot(options.plot)
    settings = settings_of(options)
    comparing = comparing_from(options)
    metrics = choose_metrics(options.metrics, options.preset)
    key, systems = options.key, options.systems
    if options.example:
        key, *systems = example_files(key)
    if not key or len(systems) < 2:
        raise UsageError("files-missing", how="compare")
    named = named_systems(systems)
    one_standard_input(key, *named.values())
    with Progress(2 * len(named) + 2) as progress:
        results = score_files(
            key, list(named.values()), options.format, settings, metrics, progress, options.jobs
        )
        progress.step("comparing")
        comparison = compare_results(dict(zip(named, results, strict=True)), comparing)
    warn(results)
    if options.signature:
        given = Signature.parse(options.signature)
        note_other_signature(given, list(comparison.results.values()))
    if options.style == "csv":  # which has no place for them
        for note in comparison.remarks:
            print(visible(f"note: {note}"), file=sys.stderr)
    print(render_comparison(comparison, options.style or "text", digits=options.digits))
    if options.plot is not None:
        from sameas.output.plot import draw_documents

        draw_documents(comparison, options.plot)
    return 0


def comparing_from(options: argparse.Namespace) -> Comparing:
    """How to compare, as the options say."""
    named = {
        one.name: getattr(options, one.metadata.get("flag", one.name)) for one in fields(Comparing)
    }
    return comparing_of(options.signature, named)


def named_systems(systems: list[str]) -> dict[str, str]:
    """The systems by name: `name=path`, or a path, whose name is that of the file."""
    named: dict[str, str] = {}
    for system in systems:
        name, equals, path = system.partition("=")
        if not equals or exists(system):
            name, path = Path(system).name.split(".")[0] or system, system
        if not name or not path:
            raise UsageError("not-name-file", system=system)
        if name in named:
            raise UsageError("named-alike", name=name, path=path)
        named[name] = path
    return named
