"""Shared parts of the commands that score: plans from options, and warnings from results."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from sameas.cli.common import example_files, print_notes
from sameas.cli.options import Arguments
from sameas.cli.progress import Progress
from sameas.errors import UsageError, collapse, visible, written
from sameas.settings import Comparing, Settings, Signature, comparing_of

if TYPE_CHECKING:
    from sameas.notes import Note
    from sameas.results.result import Result
    from sameas.run import Plan

SHOWN = 5  # maximum number of warnings
_WARNED = "sample"  # the note that is printed as a warning, because scores may be misread


def plan_of(options: Arguments, **more: Any) -> Plan:
    """Return a plan with the settings that the options give, and without files."""
    from sameas.run import Plan

    names = ("preset", "signature", *(one.name for one in fields(Settings)))
    how: Any = {name: getattr(options, name) for name in names}
    return Plan.of(None, [], options.metrics, how, format=options.format, **more)


def score_files(
    plan: Plan, key: str, responses: Iterable[str], progress: Progress, **more: Any
) -> list[Result]:
    """Score files with a plan, and show the progress; `more` sets other fields of the plan."""
    from sameas.run import run

    return run(replace(plan, key=key, responses=list(responses), tell=progress.tell, **more))


def comparing_from(options: Arguments) -> Comparing:
    """Return the settings of the comparison."""
    return comparing_of(options.signature, options.fields_of(Comparing))


def jobs_of(options: Arguments) -> int:
    """Return the number of processes."""
    return 1 if options.jobs is None else options.jobs


def files_of(
    options: Arguments, command: str, responses: Sequence[str], least: int = 1
) -> tuple[str, list[str]]:
    """Return the key and the responses, or with --example the example files."""
    key, responses = options.key, list(responses)
    if options.example:
        key, *responses = example_files(key)
    if not key or len(responses) < least:
        raise UsageError("files-missing", how=command)
    return key, responses


def warn(results: Sequence[Result], signature: str | None = None, *, noted: bool = False) -> None:
    """Print the first warnings, one of each kind in each file, and the note shown as a warning.

    The note is not printed if all notes are shown elsewhere (`noted`). Also print the differences
    between the results and the signature whose settings were used.
    """
    for result in results:
        for note in result.notes:
            if note.code == _WARNED and not noted:
                print(visible(f"{result.name}: warning: {note}"), file=sys.stderr)
    problems = collapse(dict.fromkeys(problem for result in results for problem in result.problems))
    for line in written(problems[:SHOWN]):
        print(line, file=sys.stderr)
    if len(problems) > SHOWN:
        from sameas.notes import Note

        print(Note("more-warnings", count=len(problems) - SHOWN), file=sys.stderr)
    if signature:
        for result in results:
            print_notes(_other_signature(Signature.parse(signature), result))


def _other_signature(given: Signature, result: Result) -> list[Note]:
    from sameas.notes import Note

    notes, now = [], Signature.parse(result.signature)
    if given.version != now.version:
        notes.append(Note("other-version", given=given.version, now=now.version))
    if 0 < given.documents != now.documents:
        values = {"name": result.name, "given": given.documents, "now": now.documents}
        notes.append(Note("other-documents", values=values))
    return notes


def are_noted(options: Arguments) -> bool:
    """Return whether notes are shown with the results: not in CSV, JSON or bare numbers."""
    return options.style not in ("csv", "json") and getattr(options, "print", None) is None


def unwarned(notes: Iterable[Note]) -> list[Note]:
    """Return the notes without those that `warn` prints."""
    return [note for note in notes if note.code != _WARNED]


def remarks_of(results: Iterable[Result]) -> list[tuple[str, list[Note]]]:
    """Return the name and the notes of each result, without the notes that `warn` prints."""
    return [(one.name, unwarned(one.remarks)) for one in results]
