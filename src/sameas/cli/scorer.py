"""`sameas scorer`: a drop-in replacement for scorer.pl, the reference scorer v8.01."""

from __future__ import annotations

from sameas.cli.common import one_standard_input
from sameas.cli.options import Arguments, CommandParser, Declared
from sameas.errors import unknown

USAGE = "METRIC KEY RESPONSE [NAME]"


def _metrics(prefix: str) -> list[str]:
    from sameas.show.reference import METRIC_NAMES

    return [*METRIC_NAMES, "all"]


_FILES: Declared = {
    "metric": {
        "metavar": "METRIC",
        "help": "muc, bcub, ceafm, ceafe, blanc or all",
        "values": _metrics,
    },
    "key": {"metavar": "KEY", "help": "gold file in CoNLL format"},
    "response": {"metavar": "RESPONSE", "help": "system file in CoNLL format"},
    "name?": ("NAME", "name of the document to score, or the word none to print only the totals"),
}


def declare(parser: CommandParser) -> None:
    """Score like scorer.pl, the reference scorer v8.01: with the same arguments, the
    same output, and the same truncated percentages."""
    parser.add_options(_FILES)


def run(options: Arguments) -> int:
    from sameas.formats.reading import read
    from sameas.show.reference import METRIC_NAMES, scorer_text

    metric = options.metric.lower()
    if metric not in _metrics(""):
        raise unknown("metric", options.metric, _metrics(""))
    one_standard_input(options.key, options.response)
    key = read(options.key, reference=True)
    response = read(options.response, role="response", reference=True)
    metrics = list(METRIC_NAMES) if metric == "all" else [metric]
    for line in scorer_text(metrics, key, response, options.name, titled=metric == "all"):
        print(line)
    return 0
