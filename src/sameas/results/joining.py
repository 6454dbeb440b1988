"""Join the results of the parts of a corpus."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from sameas.errors import sort_problems
from sameas.metrics.statistics import join_statistics
from sameas.notes import RECORD_NOTES, Note, add_notes, note_records

if TYPE_CHECKING:
    from sameas.results.result import Result

__all__ = ["Seen", "join_results", "notes_of", "number_again"]

#: Numbers of mentions in the key, in the response, and in both.
Seen = tuple[int, int, int]


def join_results(parts: Sequence[Result]) -> Result:
    """Join the results of parts of a corpus that were scored with the same settings.

    The joined result equals the result of scoring the parts together, including every note.

    >>> import sameas
    >>> one, two = (sameas.score([[name, "b"]], [[name]], singletons="drop") for name in "ac")
    >>> join_results([one, two]).notes == [sameas.Note("singletons", "response", 2)]
    True
    """
    first, *others = parts
    if not others:
        return first
    statistics = join_statistics([part.statistics for part in parts])
    # Parts without mentions have no say in whether tables of records were scored.
    judged = [part for part in parts if part.seen is None or any(part.seen)] or parts
    of_records = all(part.of_records for part in judged)
    seen = _add_seen(parts)
    notes = [note for part in parts for note in part.notes]
    notes = notes_of(notes, len(statistics.documents), seen, of_records)
    if seen is None and all(any(note.code == "apart" for note in part.notes) for part in parts):
        notes.append(Note("apart"))
    return replace(
        first,
        statistics=statistics,
        notes=notes,
        problems=sort_problems(problem for part in parts for problem in part.problems),
        matchings=[matching for part in parts for matching in part.matchings],
        genres={name: genre for part in parts for name, genre in part.genres.items()},
        seen=seen,
        of_records=of_records,
    )


def _add_seen(parts: Iterable[Result]) -> Seen | None:
    key = response = both = 0
    for part in parts:
        if part.seen is None:
            return None
        ours, theirs, shared = part.seen
        key, response, both = key + ours, response + theirs, both + shared
    return key, response, both


def notes_of(
    notes: Iterable[Note], documents: int, seen: Seen | None, of_records: bool = False
) -> list[Note]:
    """Return the notes of a corpus, including those that depend on all its documents and mentions.

    Those that depend on the mentions are omitted if `seen` is unknown.

    >>> [note.code for note in notes_of([], 2, (3, 4, 0))]
    ['apart']
    >>> [note.code for note in notes_of([], 2, (3, 3, 2), of_records=True)]
    ['lost-records', 'sample']
    """
    of_other = {"apart"}
    if documents:
        of_other |= {"no-key", "no-document"}
    if documents > 1 or of_records:
        of_other |= {*RECORD_NOTES}
    kept = [note for note in notes if note.code not in of_other]
    if seen is None:
        return add_notes(kept)
    if of_records:
        # Unlabelled items have a note already.
        noted = any(note.code == "unlabelled" for note in kept)
        kept += [one for one in note_records(*seen) if one.code == "sample" or not noted]
    key, response, both = seen
    return add_notes([*kept, Note("apart")] if key and response and not both else kept)


def number_again(names: Sequence[str], taken: Sequence[str]) -> list[str]:
    """Return the names, with new numbers for unnamed documents whose number is taken already."""
    used, unnamed = {*names, *taken}, re.compile(r"document( \(\d+\))?")
    numbered = (f"document ({number})" for number in count(len(taken) + 1))
    free = (name for name in numbered if name not in used)
    return [next(free) if name in taken and unnamed.fullmatch(name) else name for name in names]
