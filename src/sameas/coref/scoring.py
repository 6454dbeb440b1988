"""Key and response to a result: the whole road in one function."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from inspect import signature as signature_of
from typing import Any

from sameas.coref.contingency import contingency
from sameas.coref.document import Corpus, Document
from sameas.coref.matching import match
from sameas.coref.pairing import Pairing, pair_documents
from sameas.coref.read import FORMATS, read
from sameas.coref.statistics import choose_metrics, measure
from sameas.coref.unscored import note_unscored
from sameas.errors import UsageError, suggest
from sameas.notes import APART, warn_of_sample
from sameas.result import Result
from sameas.signature import Settings

__all__ = ["Input", "check_settings", "load", "score", "score_pairing"]

Input = (
    str
    | os.PathLike[str]
    | Corpus
    | Document
    | Iterable[Document]
    | Iterable[Iterable[Hashable]]
    | Mapping[Any, Any]
)


def score(
    key: Input,
    response: Input,
    *,
    metrics: str | Sequence[str] | None = None,
    preset: str | None = None,
    compat: str | None = None,
    match: str | None = None,
    zeros: str | None = None,
    scope: str | None = None,
    singletons: str | None = None,
    duplicates: str | None = None,
    missing_documents: str | None = None,
    blanc: str | None = None,
    average: str | None = None,
    signature: str | None = None,
    format: str | None = None,
) -> Result:
    """Score a response against a key.

    Each is a path (a file of any format, a folder of them, `-` for standard input), a document, a
    list of documents, a data frame with columns `document, mention, entity` or `document, start,
    end, entity`, a list of clusters of hashable mentions (one document), or the cluster of each
    record, as a dictionary or a pandas Series indexed by record.
    `metrics` names what to score (default: mention muc b3 ceafm ceafe blanc lea conll; `all` for
    everything). `preset` scores as a shared task did (conll12, crac22 to crac25, litbank) where no
    other setting is named; `compat="conll-8.01"` gives the counts of the reference scorer v8.01.
    `match` is exact, head, partial or min; `zeros` linear, dependent or drop; `scope` document,
    topic or corpus. `signature` scores as the result with that signature was scored.

    >>> score([["a", "b", "c"], ["d"]], [["b", "c"], ["d", "e"]])["blanc"].f1 == 17 / 35
    True
    """
    named = {
        "match": match,
        "zeros": zeros,
        "scope": scope,
        "singletons": singletons,
        "duplicates": duplicates,
        "missing_documents": missing_documents,
        "blanc": blanc,
        "average": average,
    }
    if signature is None:
        settings = Settings.of(compat, preset, **named)
    elif compat is None and preset is None and not any(named.values()):
        settings = Settings.from_signature(signature)
    else:
        raise UsageError("the signature says how to score; leave out the other settings")
    names = choose_metrics(metrics, preset)
    if format is not None and format not in FORMATS:
        raise UsageError(f"unknown format {format}: {suggest(str(format), FORMATS)}")
    reference = settings.compat == "conll-8.01"
    ours, theirs = (
        Corpus([])
        if _are_documents(other) and _is_empty(source)
        else load(source, role, format=format, reference=reference)
        for source, other, role in ((key, response, "key"), (response, key, "response"))
    )
    pairing = pair_documents(ours, theirs, missing=settings.missing_documents, reference=reference)
    result = score_pairing(
        pairing,
        settings,
        names,
        name=theirs.path or "response",
        problems=[*ours.problems, *theirs.problems],
    )
    warn_of_sample(result.notes)
    if reference and any(
        document.origin.path and not side.reference
        for side in (ours, theirs)
        for document in side.documents
    ):
        note = "documents read before are counted, but were not read, as the reference scorer does"
        result = replace(result, notes=[*result.notes, note])
    return result


def check_settings(settings: Iterable[str], *others: str) -> None:
    """Refuse names that are no settings of `score`, nor among `others`.

    >>> check_settings(["singleton"])
    Traceback (most recent call last):
    ...
    sameas.errors.UsageError: unknown option singleton: did you mean singletons? Known: metrics, \
preset, compat, match, zeros, scope, singletons, duplicates, missing_documents, blanc, average, \
signature, format
    """
    known = [*list(signature_of(score).parameters)[2:], *others]
    for name in settings:
        if name not in known:
            raise UsageError(f"unknown option {name}: {suggest(name, known)}")


def _are_documents(source: object) -> bool:
    if isinstance(source, (list, tuple)):
        return bool(source) and all(isinstance(item, Document) for item in source)
    return isinstance(source, (Corpus, Document))


def _is_empty(source: object) -> bool:
    return isinstance(source, (list, tuple)) and not source


def score_pairing(
    pairing: Pairing,
    settings: Settings,
    metrics: Sequence[str],
    *,
    name: str = "response",
    problems: Sequence[Any] = (),
) -> Result:
    """Score documents that are already paired: match, count, measure."""
    matching = match(
        pairing,
        method=settings.match,
        zeros=settings.zeros,
        duplicates=settings.duplicates,
        singletons=settings.singletons,
        scope=settings.scope,
    )
    table = contingency(matching)
    statistics = measure(table, metrics, matching)
    apart = not table.n.size and len(table.k) > 0 and len(table.r) > 0
    return Result(
        statistics,
        settings,
        metrics,
        name,
        [
            *pairing.notes,
            *matching.notes,
            *note_unscored(pairing, metrics),
            *([APART] * apart),
        ],
        [*problems, *pairing.problems],
        (matching,),
        {
            name: str(document.meta["genre"])
            for name, document in zip(pairing.names, pairing.key, strict=True)
            if "genre" in document.meta
        },
    )


def load(
    source: Input, role: str = "key", *, format: str | None = None, reference: bool = False
) -> Corpus:
    """The documents of anything that `score` takes.

    >>> load([["a", "b"], ["c"]]).documents
    [<Document 'document': 0 tokens, 3 mentions, 2 entities>]
    """
    if isinstance(source, (str, os.PathLike)):
        return read(source, format=format, role=role, reference=reference)
    if isinstance(source, Corpus):
        return source
    if isinstance(source, Document):
        source = [source]
    if not isinstance(source, (list, tuple)):
        from sameas.coref.read.table import is_table, membership, table_corpus

        columns = membership(source, role)
        if columns is not None:
            return table_corpus(columns, role)
        if is_table(source):
            return table_corpus(source, role)
    if not isinstance(source, Iterable) or isinstance(source, (bytes, Mapping)):
        raise UsageError(
            f"the {role} must be a path, documents, clusters or a table, "
            f"not {type(source).__name__}"
        )
    items: list[Any] = list(source)
    if not items or not all(isinstance(item, Document) for item in items):
        items = [Document.from_side("document", items, f"the {role}")]
    return Corpus(items, problems=[p for document in items for p in document.origin.problems])
