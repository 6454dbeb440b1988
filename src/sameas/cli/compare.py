"""`sameas compare`: is one system better than another, or is it chance?"""

from __future__ import annotations

import argparse

from sameas.analysis.comparison import compare_results
from sameas.cli.common import check_plot, named_systems, one_standard_input, tell_notes
from sameas.cli.plans import comparing_from, files_of, jobs_of, plan_of, score_files, warn
from sameas.cli.progress import Progress
from sameas.show.comparison import render_comparison


def run(options: argparse.Namespace) -> int:
    check_plot(options.plot)
    plan = plan_of(options, jobs=jobs_of(options))
    comparing = comparing_from(options)
    key, systems = files_of(options, "compare", options.systems, least=2)
    named = named_systems(systems)
    one_standard_input(key, *named.values())
    with Progress(2 * len(named) + 2) as progress:
        results = score_files(plan, key, named.values(), progress)
        progress.step("comparing")
        comparison = compare_results(dict(zip(named, results, strict=True)), comparing)
    warn([*comparison.results.values()], options.signature)
    if options.style == "csv":
        tell_notes(comparison.remarks)
    print(render_comparison(comparison, options.style or "text", digits=options.digits))
    if options.plot is not None:
        from sameas.show.plot import draw_documents

        draw_documents(comparison, options.plot)
    return 0
