"""`sameas score`: responses against a key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sameas.cli.common import check_plot, named_systems, one_standard_input, show
from sameas.cli.options import Arguments, CommandParser, Declared, refuse
from sameas.cli.plans import files_of, jobs_of, plan_of, remarks_of, score_files, warn
from sameas.cli.progress import Progress

if TYPE_CHECKING:
    from sameas.results.result import Result
    from sameas.run import Plan
    from sameas.settings import Resampling

_FILES: Declared = {
    "key?": ("KEY", "gold file or folder; - is standard input"),
    "responses*": ("RESPONSE", "system file(s) or folder(s)"),
    "--example": "score the example corpus",
    "--datasets": "KEY and RESPONSE are folders of data sets: score each, and average them",
}
_WHAT: Declared = {
    "--by-document": "also each document",
    "--by": {
        "action": "append",
        "metavar": "GROUP",
        "help": "also groups of documents: genre (what the file says, or what stands before the "
        "first / or _ in their names) or a regular expression whose first group names the group; "
        "or classes of mentions: type or size of the entity, kind (name, nominal, pronoun, zero)",
    },
}
_LARGE: Declared = {
    "--engine": {
        "metavar": "memory|duckdb|spark",
        "default": "memory",
        "help": "what counts: this program, DuckDB (which goes to disk) or Spark (a cluster); the "
        "last two take Parquet with columns document, mention, entity (memory)",
    },
    "--explain": "say what there is to do (rows, cells, components) and what runs where, and stop",
    "--memory": ("SIZE", "what the engine may use, such as 4GB (most of it)"),
    "--work": ("FOLDER", "where the engine puts what does not fit (temporary)"),
    "--master": ("URL", "Spark's master, such as spark://host:7077 (local[*])"),
}


def declare(parser: CommandParser) -> None:
    """Score one or more responses against a key: mention detection, MUC, B³,
    CEAFm, CEAFe, BLANC, LEA and the CoNLL average, with the counts behind them."""
    parser.add_options(_FILES)
    parser.add_options(_WHAT, parser.add_metrics())
    parser.add_how()
    parser.add_intervals("documents")
    parser.add_format()
    parser.add_jobs()
    parser.add_options(_LARGE, parser.add_argument_group("tables larger than memory"))
    parser.add_output()
    parser.add_plot("the scores of the classes or groups of --by, or of entity sizes,")


def run(options: Arguments) -> int:
    refuse(len(options.by or []) > 1, "one-by")
    options.by = options.by[0] if options.by else None
    check_plot(options.plot)
    resources = {name: getattr(options, name) for name in ("memory", "work", "master")}
    plan = plan_of(options, engine=options.engine, resources=resources)
    resampling = options.intervals()
    key, responses = files_of(options, "score", options.responses)
    if options.datasets:
        return _score_datasets(options, key, responses, plan)
    one_standard_input(key, *responses)
    if options.explain or options.engine != "memory":
        from sameas.cli.engine import run_engine

        counted = run_engine(options, key, responses, plan)
        if counted is not None:
            _show(options, counted, _rendered(options, counted, resampling))
        return 0
    from sameas.matching.breakdown import CLASSES

    # Classes of mentions and pictures of them need the documents, all others their rows.
    rows = options.plot is None and options.by not in CLASSES
    with Progress(2 * len(responses) + 2) as progress:
        jobs = jobs_of(options) if rows else None
        results = score_files(plan, key, responses, progress, jobs=jobs)
        if options.example:
            named = zip(results, named_systems(responses), strict=True)
            results = [replace(one, name=name) for one, name in named]
        if resampling:
            progress.step("resampling")
        text = _rendered(options, results, resampling)
    _show(options, results, text)
    return 0


def _rendered(options: Arguments, results: Sequence[Result], resampling: Resampling | None) -> str:
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
    warn(results, options.signature)
    show(options, text, remarks_of(results))
    if options.plot is not None:
        from sameas.show.plot import draw_classes

        draw_classes(results, options.by or "size", options.plot)


def _score_datasets(options: Arguments, key: str, responses: Sequence[str], plan: Plan) -> int:
    from sameas.run.datasets import pair_datasets, score_pairs
    from sameas.show.scores import render_datasets

    for name in ("interval", "by", "by_document", "signature", "plot", "explain"):
        refuse(getattr(options, name), "not-for-sets", option=name.replace("_", "-"))
    refuse(options.engine != "memory", "not-for", option="engine", what="--datasets")
    scores = []
    with Progress(len(responses)) as progress:
        for response in responses:
            progress.step(f"scoring {response}")
            pairs = pair_datasets(key, response)
            scores.append(score_pairs(pairs, response, replace(plan, jobs=jobs_of(options))))
    warn([result for found in scores for result in found.results.values()])
    told = []
    for found in scores:
        notes = [f"{name}: {note}" for name, r in found.results.items() for note in r.remarks]
        told.append((found.name, [*found.remarks, *notes]))
    text = render_datasets(scores, options.style or "text", digits=options.digits)
    show(options, text, told)
    return 0
