"""`sameas score`: responses against a key."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace

from sameas.cli.common import check_plot, interval_of, one_standard_input, tell_notes
from sameas.cli.plans import (
    files_of,
    jobs_of,
    plan_of,
    score_files,
    tell_remarks,
    warn,
)
from sameas.cli.progress import Progress
from sameas.errors import UsageError
from sameas.matching.breakdown import CLASSES
from sameas.results.result import Result
from sameas.run import Plan
from sameas.settings import Resampling
from sameas.show.scores import render


def run(options: argparse.Namespace) -> int:
    if len(options.by or []) > 1:
        raise UsageError("one-by")
    options.by = options.by[0] if options.by else None
    check_plot(options.plot)
    resources = {name: getattr(options, name) for name in ("memory", "work", "master")}
    plan = plan_of(options, engine=options.engine, resources=resources)
    resampling = interval_of(options)
    key, responses = files_of(options, "score", options.responses)
    if options.datasets:
        return _score_datasets(options, key, responses, plan)
    one_standard_input(key, *responses)
    if options.explain or options.engine != "memory":
        from sameas.cli.engine import run_engine

        results = run_engine(options, key, responses, plan)
        return 0 if results is None else _show(options, results, resampling)
    with Progress(2 * len(responses) + 2) as progress:
        # Classes of mentions and pictures of them need the documents, all others their rows.
        rows = options.plot is None and options.by not in CLASSES
        jobs = jobs_of(options) if rows else None
        results = score_files(plan, key, responses, progress, jobs=jobs)
        if options.example:
            names = (os.path.basename(name).split(".")[0] for name in responses)
            results = [replace(one, name=name) for one, name in zip(results, names, strict=True)]
        if resampling:
            progress.step("resampling")
        text = _rendered(options, results, resampling)
    return _show(options, results, resampling, text)


def _rendered(
    options: argparse.Namespace, results: Sequence[Result], resampling: Resampling | None
) -> str:
    return render(
        results,
        options.style or "text",
        digits=options.digits,
        by_document=options.by_document,
        by=options.by,
        resampling=resampling,
    )


def _show(
    options: argparse.Namespace,
    results: Sequence[Result],
    resampling: Resampling | None,
    text: str | None = None,
) -> int:
    """Print warnings and results."""
    text = text or _rendered(options, results, resampling)
    warn(results, options.signature)
    if options.style == "csv":
        for result in results:
            tell_remarks(result)
    print(text)
    if options.plot is not None:
        from sameas.show.plot import draw_classes

        draw_classes(results, options.by or "size", options.plot)
    return 0


def _score_datasets(
    options: argparse.Namespace, key: str, responses: Sequence[str], plan: Plan
) -> int:
    from sameas.run.datasets import pair_datasets, score_pairs
    from sameas.show.datasets import render_datasets

    for name in ("interval", "by", "by_document", "signature", "plot", "explain"):
        if getattr(options, name):
            raise UsageError("not-for-sets", option=name.replace("_", "-"))
    if options.engine != "memory":
        raise UsageError("not-for", option="engine", what="--datasets")
    scores = []
    with Progress(len(responses)) as progress:
        for response in responses:
            progress.step(f"scoring {response}")
            pairs = pair_datasets(key, response)
            scores.append(score_pairs(pairs, response, replace(plan, jobs=jobs_of(options))))
    warn([result for found in scores for result in found.results.values()])
    if options.style == "csv":
        for found in scores:
            notes = [f"{name}: {note}" for name, r in found.results.items() for note in r.remarks]
            tell_notes([*found.remarks, *notes], found.name)
    print(render_datasets(scores, options.style or "text", digits=options.digits))
    return 0
