"""`sameas compare`: is one system better than another, or is it chance?"""

from __future__ import annotations

from sameas.cli.common import check_plot, named_systems, one_standard_input, show
from sameas.cli.options import Arguments, CommandParser
from sameas.cli.plans import comparing_from, files_of, jobs_of, plan_of, score_files, warn
from sameas.cli.progress import Progress


def declare(parser: CommandParser) -> None:
    """Compare systems: their scores, the differences with confidence intervals,
    two-sided p-values, effect sizes, and in how many documents each is better.

    The first system is the base. Intervals come from the bootstrap over
    documents. The test swaps documents between two systems and compares the
    differences in standard errors (studentised) or as they are (randomisation;
    for both, every swap is tried if there are no more than --samples), or draws
    documents (bootstrap). P-values are corrected for the number of pairs (Holm),
    metric by metric."""
    parser.add_systems("system files, the base first", "compare the example systems")
    parser.add_metrics()
    parser.add_how()
    parser.add_chance("test", "pairs", "correction")
    parser.add_format()
    parser.add_jobs()
    parser.add_output()
    parser.add_plot("the documents' scores of the first two systems against each other")


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
    warn([*comparison.results.values()], options.signature)
    text = render_comparison(comparison, options.style or "text", digits=options.digits)
    show(options, text, [("", comparison.remarks)])
    if options.plot is not None:
        from sameas.show.plot import draw_documents

        draw_documents(comparison, options.plot)
    return 0
