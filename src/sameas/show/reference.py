"""The output of the reference scorer v8.01, line for line, for wrappers that parse it.

Its percentages are truncated, not rounded, and its numbers have fifteen digits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sameas._version import __version__
from sameas.arithmetic.scores import harmonic, ratio
from sameas.documents.document import Corpus, Document
from sameas.matching.pairing import pair_documents
from sameas.results.result import Result
from sameas.run.memory import score_pairing
from sameas.settings import Settings

__all__ = ["METRIC_NAMES", "scorer_text"]

METRIC_NAMES = {"muc": "muc", "bcub": "b3", "ceafm": "ceafm", "ceafe": "ceafe", "blanc": "blanc"}
_RULE = "-" * 74


def scorer_text(
    metrics: Sequence[str], key: Corpus, response: Corpus, name: str | None, *, titled: bool
) -> Iterator[str]:
    """Yield the lines that the scorer prints.

    `name` is None (verbose), `none` (not verbose) or the name of one document. Documents are in the
    order of the key; the original prints them in random order.
    """
    yield f"version: 8.01 sameas {__version__}"
    if name not in (None, "none"):
        # Given a name, the scorer uses the first document of that name; otherwise the last one.
        key, response = (_first(corpus, name) for corpus in (key, response))
    pairing = pair_documents(key, response, reference=True)
    settings = Settings.of(preset="conll12")  # the shared task that this scorer was made for
    result = score_pairing(pairing, settings, ["mention", *METRIC_NAMES.values()])
    verbose = name != "none"
    present = {document.name for document in response.documents}
    pairs: list[tuple[Document | None, Document | None]] = [
        (one, other if one.name in present else None)
        for one, other in zip(pairing.key, pairing.response, strict=True)
    ]
    if not pairs and name not in (None, "none"):
        pairs = [(None, None)]  # the key has no document of that name
    for metric in metrics:
        if titled:
            yield from ("", f"METRIC {metric}:")
        for number, (one, other) in enumerate(pairs):
            if verbose:
                if name is not None:
                    yield f"{name}:"
                yield from _dump(one)
                yield from _dump(other)
                if name is None and one:
                    yield ":" if metric == "blanc" else f"{one.name}:"
            yield from _identification(one, other, verbose)
            if verbose and metric != "blanc":
                none = (0, 0, 0, 0)
                row = result.statistics.row
                yield from _line("", row(METRIC_NAMES[metric], number) if len(result) else none)
        yield from _totals(result, metric)


def _first(corpus: Corpus, name: str | None) -> Corpus:
    named = [document for document in corpus.documents if document.name == name]
    return Corpus(named[:1], corpus.path, corpus.format)


def _dump(document: Document | None) -> Iterator[str]:
    name = document.name if document else ""
    yield f"====> {name}:"
    yield from (f"Discarded ({id})" for id in (document.origin.discarded if document else ()))
    yield f"File {name}:"
    for number, entity in enumerate(_entities(document)):
        spans = "".join(f" ({first},{last})" for first, last in entity)
        yield f"Entity {number}:{spans}"


def _entities(document: Document | None) -> list[list[tuple[int, int]]]:
    if document is None or document.first is None or document.last is None:
        return []
    entities: list[list[tuple[int, int]]] = [[] for _ in document.entity_ids]
    for entity, first, last in zip(
        document.entity.tolist(), document.first.tolist(), document.last.tolist(), strict=True
    ):
        entities[entity].append((first, last))
    return entities


def _identification(
    key: Document | None, response: Document | None, verbose: bool
) -> Iterator[str]:
    """Yield the repeated mentions and, if verbose, the counts of mentions."""
    ids: dict[tuple[int, int], int] = {}
    mentions = [span for entity in _entities(key) for span in entity]
    for number, span in enumerate(mentions):
        if span in ids:
            yield f"Repeated mention in the key: {span[0]}, {span[1]} {ids[span]}{number}"
        ids[span] = number
    found: set[tuple[int, int]] = set()
    for first, last in (span for entity in _entities(response) for span in entity):
        id = ids.get((first, last))
        if (first, last) in found and id is not None:
            yield f"Repeated mention in the response: {first}, {last} {id}{id}"
        found.add((first, last))
    if not verbose:
        return
    exact = len(found & ids.keys())
    yield f"Total key mentions: {len(ids)}"
    yield f"Total response mentions: {len(found)}"
    yield f"Strictly correct identified mentions: {exact}"
    yield "Partially correct identified mentions: 0"
    yield f"No identified: {len(ids) - exact}"
    yield f"Invented: {len(mentions) + len(found) - exact - len(ids)}"


def _totals(result: Result, metric: str) -> Iterator[str]:
    yield from ("", "====== TOTALS =======")
    yield from _line("Identification of Mentions: ", result["mention"].counts or ())
    score = result[METRIC_NAMES[metric]]
    if score.coref is None or score.noncoref is None:
        yield from _line("Coreference: ", score.counts or ())
        return
    yield from ("", "Coreference:")
    yield from _line("Coreference links: ", score.coref.counts or ())
    yield from _line("Non-coreference links: ", score.noncoref.counts or ())
    yield from _line("BLANC: ", score.counts or (), score.value)


def _line(title: str, counts: Sequence[float], f1: float | None = None) -> Iterator[str]:
    recall, precision = (
        f"({number:.15g} / {total:.15g}) {_percent(ratio(number, total))}"
        for number, total in (counts[:2], counts[2:])
    )
    if f1 is None:
        f1 = harmonic(ratio(*counts[:2]), ratio(*counts[2:]))
    yield f"{title}Recall: {recall}\tPrecision: {precision}\tF1: {_percent(f1)}"
    yield _RULE


def _percent(value: float) -> str:
    return f"{int(value * 10000) / 100:.15g}%"
