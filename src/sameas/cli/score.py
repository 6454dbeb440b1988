"""`sameas score`: score responses against a key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sameas.cli.common import check_plot, named_systems, one_standard_input, show
from sameas.cli.options import (
    STYLES,
    Arguments,
    CommandParser,
    Declared,
    metric_names,
    option_named,
    refuse,
)
from sameas.cli.plans import are_noted, files_of, jobs_of, plan_of, remarks_of, score_files, warn
from sameas.cli.progress import Progress
from sameas.errors import UsageError, unknown

if TYPE_CHECKING:
    from sameas.results.result import Result
    from sameas.run import Plan
    from sameas.run.datasets import DatasetScores
    from sameas.settings import Resampling

USAGE = "KEY [NAME=]RESPONSE ..."
_DATASETS: Declared = {
    "--datasets": "KEY and RESPONSE are folders of data sets; score each and average the scores",
}
_WHAT: Declared = {
    "--by-document": "also show the scores of each document",
    "--by": {
        "action": "append",
        "metavar": "GROUP",
        "help": "also show the scores of groups of documents (genre, or a regular expression for "
        "document names, such as '^([^/]+)') or of mentions (type, size, kind)",
    },
}
_LARGE: Declared = {
    "--engine": {
        "metavar": "memory|duckdb|spark",
        "default": "memory",
        "help": "score Parquet tables larger than memory with DuckDB or Spark; their columns are "
        "record and cluster, or document, mention and entity (default: memory)",
    },
    "--plan": "show the amount of work (rows, cells, components) and where it would run, then exit",
    "--memory": ("SIZE", "memory for the engine, such as 4GB (default: most of the memory)"),
    "--work": ("FOLDER", "folder for temporary files of the engine"),
    "--master": ("URL", "URL of the Spark master, such as spark://host:7077 (default: local[*])"),
}
_PARTS = ("f1", "recall", "precision")


def _printable(prefix: str) -> Iterable[str]:
    """Return what --print can print: metrics, or after `b3.` the parts of b3."""
    metric, dot, _ = prefix.partition(".")
    return [f"{metric}.{part}" for part in _PARTS] if dot else metric_names(prefix)


_PRINT: Declared = {
    "--print": (
        "METRIC",
        "print one number per response and nothing else, such as conll or b3.recall",
        _printable,
    )
}
#: The options that --print excludes.
_NOT_PRINTED = ("style", "interval", "by", "by_document", "plot", "plan", "metrics")


def declare(parser: CommandParser) -> None:
    """Score one or more responses against a key: mention detection, MUC, B³, CEAFm,
    CEAFe, BLANC, LEA and the CoNLL average, with the counts behind them.

    Files can be CoNLL, CoNLL-U (CorefUD), jsonlines, Universal Anaphora, brat, or
    tables (CSV, TSV, Parquet, Arrow) of mentions or records and their clusters."""
    parser.add_systems("system files or folders", "score the example files")
    parser.add_options(_DATASETS, rare=True)
    parser.add_options(_WHAT, parser.add_metrics())
    parser.add_how()
    parser.add_intervals("documents")
    parser.add_format()
    parser.add_jobs()
    large = parser.add_argument_group("tables larger than memory")
    parser.add_options(_LARGE, large, rare=True)
    parser.add_options(_PRINT, parser.add_output())
    parser.add_plot("the scores of the --by groups (default: entity sizes)")


def run(options: Arguments) -> int:
    refuse(len(options.by or []) > 1, "one-by")
    options.by = options.by[0] if options.by else None
    check_plot(options.plot)
    printed = _printed(options)
    resources = {name: getattr(options, name) for name in ("memory", "work", "master")}
    plan = plan_of(options, engine=options.engine, resources=resources)
    resampling = options.intervals()
    key, responses = files_of(options, "score", options.systems)
    # Scripts find a response under its path; people read short names.
    by_path = options.style in ("json", "csv") and not options.example
    named = named_systems(responses, by_path=by_path)
    paths = list(named.values())
    if options.datasets:
        return _score_datasets(options, key, named, plan, printed)
    one_standard_input(key, *paths)
    if options.plan or options.engine != "memory":
        from sameas.cli.engine import run_engine

        results = run_engine(options, key, paths, plan)
        if results is not None:
            results = _renamed(results, named)
            _show(options, results, _rendered(options, results, resampling, printed))
        return 0
    from sameas.matching.breakdown import CLASSES

    # Classes of mentions, and plots of them, need the documents; the rest needs only their counts.
    rows = options.plot is None and options.by not in CLASSES
    with Progress(2 * len(paths) + 2) as progress:
        jobs = jobs_of(options) if rows else None
        results = _renamed(score_files(plan, key, paths, progress, jobs=jobs), named)
        if resampling:
            progress.step("resampling")
        text = _rendered(options, results, resampling, printed)
    _show(options, results, text)
    return 0


def _renamed(results: Sequence[Result], names: Iterable[str]) -> list[Result]:
    """Return the results under these names."""
    return [replace(result, name=name) for result, name in zip(results, names, strict=True)]


def _printed(options: Arguments) -> tuple[str, str] | None:
    """Return the metric and the part that --print requests, or None; only this metric is scored."""
    if options.print is None:
        return None
    for name in options.given(*_NOT_PRINTED):
        option = option_named(options.style if name == "style" else name)
        file = options.results_file
        if name == "style" and file and file.lower().endswith(tuple(STYLES)):
            option = f"-o {file}"
        raise UsageError("option-not-for", option=option, other="--print")
    from sameas.metrics.statistics import choose_metrics

    metric, dot, part = options.print.lower().partition(".")
    metrics = choose_metrics(metric)
    refuse(len(metrics) > 1, "print-one")
    if part not in _PARTS and (part or dot):
        raise unknown("part of a score", part, _PARTS)
    options.metrics = metrics
    return metrics[0], "value" if part in ("", "f1") else part


def _rendered(
    options: Arguments,
    results: Sequence[Result],
    resampling: Resampling | None,
    printed: tuple[str, str] | None,
) -> str:
    if printed:
        return _numbers(results, printed, options.digits)
    from sameas.show.scores import render

    return render(
        results,
        options.style or "text",
        digits=options.digits,
        by_document=options.by_document,
        by=options.by,
        resampling=resampling,
    )


def _show(options: Arguments, results: Sequence[Result], text: str) -> None:
    """Print warnings and results."""
    warn(results, options.signature, noted=are_noted(options))
    show(options, text, remarks_of(results))
    if options.plot is not None:
        from sameas.show.plot import draw_classes

        draw_classes(results, options.by or "size", options.plot)


def _numbers(
    scores: Sequence[Result | DatasetScores], printed: tuple[str, str], digits: int
) -> str:
    """Return one percentage per line."""
    metric, part = printed
    values = [getattr(one[metric], part) for one in scores]
    refuse(None in values, "no-such-part", metric=metric, part=part)
    return "\n".join(f"{100 * value:.{digits}f}" for value in values)


def _score_datasets(
    options: Arguments,
    key: str,
    named: Mapping[str, str],
    plan: Plan,
    printed: tuple[str, str] | None,
) -> int:
    from sameas.run.datasets import pair_datasets, score_pairs
    from sameas.show.scores import render_datasets

    for name in ("interval", "by", "by_document", "signature", "plot", "plan"):
        refuse(getattr(options, name), "not-for-sets", option=name.replace("_", "-"))
    refuse(options.engine != "memory", "not-for", option="engine", what="--datasets")
    scores = []
    with Progress(len(named)) as progress:
        for name, path in named.items():
            progress.step(f"scoring {name}")
            pairs = pair_datasets(key, path)
            scores.append(score_pairs(pairs, name, replace(plan, jobs=jobs_of(options))))
    results = [result for found in scores for result in found.results.values()]
    warn(results, noted=options.style != "json" and not printed)
    named_notes = []
    for found in scores:
        notes = [f"{name}: {note}" for name, r in found.results.items() for note in r.remarks]
        named_notes.append((found.name, [*found.remarks, *notes]))
    if printed:
        text = _numbers(scores, printed, options.digits)
    else:
        text = render_datasets(scores, options.style or "text", digits=options.digits)
    show(options, text, named_notes)
    return 0
