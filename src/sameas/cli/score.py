"""`sameas score`: responses against a key."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from sameas.cli.progress import Progress
from sameas.coref.breakdown import CLASSES
from sameas.coref.statistics import choose_metrics
from sameas.errors import InputError, Problem, UsageError, collapse, visible, written
from sameas.notes import Note
from sameas.output import render
from sameas.result import Result
from sameas.run import Plan
from sameas.run import run as run_plan
from sameas.settings import Resampling, Settings, Signature

SHOWN = 5
_WARNED = "sample"  # the note that is also a warning: scores are not what they seem


def run(options: argparse.Namespace) -> int:
    if len(options.by or []) > 1:
        raise UsageError("one-by")
    options.by = options.by[0] if options.by else None
    check_plot(options.plot)
    settings = settings_of(options)
    metrics = choose_metrics(options.metrics, options.preset)
    resampling = interval_of(options)
    key, responses = options.key, options.responses
    if options.example:
        key, *responses = example_files(key)
    if not key or not responses:
        raise UsageError("files-missing", how="score")
    if options.datasets:
        return _score_datasets(options, key, responses, settings, metrics)
    one_standard_input(key, *responses)
    if options.explain or options.engine != "memory":
        from sameas.cli.engine import run_engine

        results = run_engine(options, key, responses, settings, metrics)
        return 0 if results is None else _show(options, results, resampling)
    refuse_engine_options(options)
    with Progress(2 * len(responses) + 2) as progress:
        # Classes of mentions and pictures of them need the documents, all others their rows.
        rows = options.plot is None and options.by not in CLASSES
        jobs = options.jobs if rows else None
        results = score_files(key, responses, options.format, settings, metrics, progress, jobs)
        if options.example:
            names = (Path(name).stem for name in responses)
            results = [replace(one, name=name) for one, name in zip(results, names, strict=True)]
        if resampling:
            progress.step("resampling")
        text = _rendered(options, results, resampling)
    return _show(options, results, resampling, text)


def refuse_engine_options(options: argparse.Namespace) -> None:
    """Refuse options of engines where there is none."""
    if options.master is not None:
        raise UsageError("only-for-engine", how="spark", option="master")
    for name in ("memory", "work"):
        if getattr(options, name) is not None:
            raise UsageError("only-for-engine", how="both", option=name)


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
    warn(results)
    if options.style == "csv":  # which has no place for them
        for result in results:
            for note in result.remarks:
                if note.code != _WARNED:
                    print(visible(f"{result.name}: note: {note}"), file=sys.stderr)
    if options.signature:
        note_other_signature(Signature.parse(options.signature), results)
    print(text)
    if options.plot is not None:
        from sameas.output.plot import draw_classes

        draw_classes(results, options.by or "size", options.plot)
    return 0


def _score_datasets(
    options: argparse.Namespace,
    key: str,
    responses: Sequence[str],
    settings: Settings,
    metrics: Sequence[str],
) -> int:
    from sameas.coref.datasets import pair_datasets, score_pairs
    from sameas.output import render_datasets

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
            scores.append(
                score_pairs(pairs, response, settings, metrics, options.format, options.jobs)
            )
    warn([result for found in scores for result in found.results.values()])
    if options.style == "csv":
        for found in scores:
            notes = [f"{name}: {note}" for name, r in found.results.items() for note in r.remarks]
            for note in [*found.remarks, *notes]:
                print(visible(f"{found.name}: note: {note}"), file=sys.stderr)
    print(render_datasets(scores, options.style or "text", digits=options.digits))
    return 0


def interval_of(options: argparse.Namespace, always: bool = False) -> Resampling | None:
    """How to make intervals: as the options say, or else as the given signature.

    None without --interval, unless they are `always` made.
    """
    given = [
        name
        for name in ("method", "confidence", "samples", "seed")
        if getattr(options, name) is not None
    ]
    if options.signature:
        found = Signature.parse(options.signature).resampling
        if found and given:
            raise UsageError("signature-decides")
        if found:
            return found.alone()
    if given and not options.interval and not always:
        raise UsageError("needs-interval", option=given[0])
    return resampling_of(options) if options.interval else None


def resampling_of(options: argparse.Namespace) -> Resampling:
    """How to make intervals, as the options say."""
    return Resampling.of(
        interval=options.method,
        confidence=options.confidence,
        samples=options.samples,
        seed=options.seed,
    )


def check_plot(path: str | None) -> None:
    """Say what is wrong with a picture before the work begins."""
    if path is not None:
        from sameas.output.plot import load_matplotlib

        load_matplotlib(path)


def example_files(key: str | None) -> list[str]:
    """The key and the responses of the example corpus."""
    from sameas.examples import EXAMPLES, example_path

    if key:
        raise UsageError("example-files")
    return [str(example_path(name)) for name in EXAMPLES]


def exists(path: str) -> bool:
    """Whether there is such a file, as far as one can tell."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def not_overwritten(output: str | None, *read: str | None) -> None:
    """Refuse to write into a file that is read."""
    if output is None or output == "-" or not exists(output):
        return
    for path in read:
        if path is not None and path != "-" and exists(path) and Path(path).samefile(output):
            raise UsageError("overwritten", output=output)


def one_standard_input(*paths: str | None) -> None:
    if paths.count("-") > 1:
        raise UsageError("one-stdin")


def settings_of(options: argparse.Namespace) -> Settings:
    names = ("preset", "signature", *(one.name for one in fields(Settings)))
    return Settings.of(**{name: getattr(options, name) for name in names})


def note_other_signature(given: Signature, results: Sequence[Result]) -> None:
    """Say where what was scored is not what the given signature tells of."""

    def tell(note: Note) -> None:
        print(f"note: {note}", file=sys.stderr)

    for result in results:
        now = Signature.parse(result.signature)
        if given.version != now.version:
            tell(Note("other-version", given=given.version, now=now.version))
        if 0 < given.documents != now.documents:
            name, documents = result.name, now.documents
            tell(Note("other-documents", name=name, given=given.documents, now=documents))


def score_files(
    key: str,
    responses: Sequence[str],
    format: str | None,
    settings: Settings,
    metrics: Sequence[str],
    progress: Progress,
    jobs: int | None = None,
    engine: str = "memory",
    resources: Mapping[str, Any] | None = None,
) -> list[Result]:
    """Read and score the files, saying what is done next."""
    plan = Plan(
        key=key,
        responses=responses,
        settings=settings,
        metrics=metrics,
        format=format,
        jobs=jobs,
        engine=engine,
        resources=resources or {},
        tell=progress.tell,
    )
    return run_plan(plan)


def tell_skipped(problems: Sequence[Problem]) -> None:
    """Say on standard error which lines were left out, the first of them."""
    if problems:
        print(InputError(problems), file=sys.stderr)


def warn(results: Sequence[Result]) -> None:
    """Show the first warnings, one of each kind in each file, and notes that nobody may miss."""
    for result in results:
        for note in result.notes:
            if note.code == _WARNED:
                print(visible(f"{result.name}: warning: {note}"), file=sys.stderr)
    problems = collapse(dict.fromkeys(problem for result in results for problem in result.problems))
    for line in written(problems[:SHOWN]):
        print(line, file=sys.stderr)
    if len(problems) > SHOWN:
        print(Note("more-warnings", count=len(problems) - SHOWN), file=sys.stderr)
