"""`sameas compare`: is one system better than another?"""

from __future__ import annotations

from sameas.cli.common import check_plot, named_systems, one_standard_input, show
from sameas.cli.options import Arguments, CommandParser
from sameas.cli.plans import comparing_from, files_of, jobs_of, plan_of, score_files, warn
from sameas.cli.progress import Progress

USAGE = "KEY [NAME=]RESPONSE [NAME=]RESPONSE ..."


def declare(parser: CommandParser) -> None:
    """Compare systems: scores, differences with confidence intervals, two-sided
    p-values, effect sizes, and the number of documents in which each is better.

    The first response is the baseline. Intervals come from a bootstrap over
    documents, p-values from a permutation test that swaps documents between two
    systems (all possible swaps, if there are few). For each metric, p-values are
    corrected for the number of pairs of systems (Holm)."""
    parser.add_systems(
        "system files or folders; the first is the baseline", "compare the example systems"
    )
    parser.add_metrics()
    parser.add_how()
    parser.add_chance("test", "pairs", "correction")
    parser.add_format()
    parser.add_jobs()
    parser.add_output()
    parser.add_plot("the document scores of the other systems against the first")


def run(options: Arguments) -> int:
    from sameas.analysis.comparison import compare_results
    from sameas.show.comparison import render_comparison

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
    # Notes on the results are notes on the comparison, which CSV has on standard error.
    warn([*comparison.results.values()], options.signature, noted=options.style != "json")
    text = render_comparison(comparison, options.style or "text", digits=options.digits)
    show(options, text, [("", comparison.remarks)])
    if options.plot is not None:
        from sameas.show.plot import draw_documents

        draw_documents(comparison, options.plot)
    return 0
