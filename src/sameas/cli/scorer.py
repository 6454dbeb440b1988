"""`sameas scorer`: a drop-in for scorer.pl, the reference scorer v8.01."""

from __future__ import annotations

from sameas.cli.common import one_standard_input
from sameas.cli.options import Arguments, CommandParser
from sameas.errors import unknown


def declare(parser: CommandParser) -> None:
    """A drop-in for scorer.pl, the reference scorer v8.01: same arguments, same
    text, same truncated percentages. METRIC is muc, bcub, ceafm, ceafe, blanc or
    all; NAME is the document to score, `none` for totals only."""
    for name in ("metric", "key", "response"):
        parser.add_argument(name, metavar=name.upper())
    parser.add_argument("name", nargs="?", metavar="NAME")


def run(options: Arguments) -> int:
    from sameas.formats.reading import read
    from sameas.show.reference import METRIC_NAMES, scorer_text

    metric = options.metric.lower()
    if metric not in METRIC_NAMES and metric != "all":
        raise unknown("metric", options.metric, [*METRIC_NAMES, "all"])
    one_standard_input(options.key, options.response)
    key = read(options.key, reference=True)
    response = read(options.response, role="response", reference=True)
    metrics = list(METRIC_NAMES) if metric == "all" else [metric]
    for line in scorer_text(metrics, key, response, options.name, titled=metric == "all"):
        print(line)
    return 0
