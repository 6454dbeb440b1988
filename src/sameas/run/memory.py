"""Score in memory: read everything, pair the documents, match, count, measure."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sameas.authorities import authority_of
from sameas.documents.document import Corpus
from sameas.errors import Problem, sort_problems
from sameas.matching.pairing import Pairing, pair_documents
from sameas.metrics.contingency import contingency
from sameas.metrics.unscored import note_unscored
from sameas.notes import Note
from sameas.results.joining import notes_of
from sameas.results.result import Result
from sameas.run import Plan
from sameas.run.inputs import load_pair
from sameas.settings import Settings

__all__ = ["rows", "score_corpora", "score_pairing"]


def rows(plan: Plan) -> Iterator[Sequence[Result]]:
    """Yield the results of all documents at once, one per response."""
    authority = authority_of(plan.settings)
    results: list[Result] = []
    steps = 2 * len(plan.responses)
    key = plan.key
    for number, response in enumerate(plan.responses):
        plan.tell(f"reading {_shown(response)}", 2 * number / steps)
        # The key is read once.
        key, theirs = load_pair(key, response, plan.format, authority.reads_as_reference)
        plan.tell(f"scoring {_shown(response)}", (2 * number + 1) / steps)
        results.append(score_corpora(key, theirs, plan.settings, plan.metrics))
    yield results


def _shown(source: object) -> str:
    return os.fspath(source) if isinstance(source, (str, os.PathLike)) else "the response"


def score_corpora(
    key: Corpus,
    response: Corpus,
    settings: Settings,
    metrics: Sequence[str],
    *,
    part: bool = False,
) -> Result:
    """Score documents that have been read; with `part`, the sides may have none in common."""
    reference = authority_of(settings).reads_as_reference
    pairing = pair_documents(
        key, response, missing=settings.missing_documents, reference=reference, part=part
    )
    # Documents may come from files that were not read in the reference scorer's way.
    others = [side.documents for side in (key, response) if reference and not side.reference]
    if any(document.origin.path for documents in others for document in documents):
        pairing = replace(pairing, notes=[*pairing.notes, Note("not-read-as-scorer")])
    problems = [*key.problems, *response.problems]
    return score_pairing(
        pairing, settings, metrics, name=response.path or "response", problems=problems
    )


def score_pairing(
    pairing: Pairing,
    settings: Settings,
    metrics: Sequence[str],
    *,
    name: str = "response",
    problems: Sequence[Problem] = (),
) -> Result:
    """Score documents that have been paired: match, count, measure."""
    authority = authority_of(settings)
    matching = authority.match(pairing, settings)
    table = contingency(matching)
    seen = matching.records or table.seen
    notes = [*pairing.notes, *matching.notes, *note_unscored(pairing, metrics)]
    return Result(
        authority.measure(table, metrics, matching),
        settings,
        metrics,
        name,
        notes_of(notes, len(table.documents), seen, pairing.of_records),
        sort_problems([*problems, *pairing.problems]),
        (matching,),
        {
            name: str(document.meta["genre"])
            for name, document in zip(pairing.names, pairing.key, strict=True)
            if "genre" in document.meta
        },
        seen,
        pairing.of_records,
    )
