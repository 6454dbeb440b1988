"""Check one corpus, or a key and a response, for errors and oddities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sameas.documents.document import Corpus, Document
from sameas.documents.records import hold_records
from sameas.errors import InputError, Problem
from sameas.matching.matching import repeated_mentions
from sameas.matching.pairing import (
    Pairing,
    compare_names,
    compare_words,
    count_differently,
    missing_documents,
    name_documents,
    no_common_documents,
    other_units,
)
from sameas.matching.sides import raw_sides
from sameas.matching.wording import find_difference
from sameas.results.joining import notes_of

__all__ = ["check", "check_pair"]


def check(corpus: Corpus) -> list[Problem]:
    """Return all problems of one corpus, sorted by path, line and column.

    >>> [p.message for p in check(Corpus([Document.from_clusters("a", [["x", "y"], ["y"]])]))]
    ["document a: mention 'y' is in entity 0 and in entity 1"]
    """
    broken = any(problem.severity == "error" for problem in corpus.problems)
    if broken and corpus.format == "conllu":  # other findings may only follow from it
        return sorted(corpus.problems, key=lambda problem: (problem.line, problem.column))
    names = [document.name for document in corpus.documents]
    empty = [Document(name) for name in names]
    side = raw_sides(Pairing(corpus.documents, empty, names))[0]
    problems = [
        *corpus.problems,
        *name_documents(corpus)[1],
        *repeated_mentions(side, "warning"),
    ]
    for document in corpus.documents:
        problems += _annotated(document)
        if corpus.format in ("conll", "jsonlines"):  # other formats can express it
            problems += _nested(document)
    return sorted(problems, key=lambda problem: (problem.path, problem.line, problem.column))


def _annotated(document: Document) -> Sequence[Problem]:
    """Return the problems with heads and minimum spans, which are read only on demand."""
    try:
        document.details.heads()
        document.details.minima()
    except InputError as error:
        return error.problems
    return ()


def _nested(document: Document) -> Iterator[Problem]:
    """Yield nested and crossing mentions of one entity, which brackets cannot distinguish."""
    if document.first is None or document.last is None:
        return
    order = np.lexsort((-document.last, document.first, document.entity))
    rows = np.stack([document.entity, document.first, document.last], axis=1)[order].tolist()
    around: list[list[int]] = []  # earlier mentions of the entity that reach this one
    for place, mention in zip(order.tolist(), rows, strict=True):
        entity, first, last = mention
        around = [one for one in around if one[0] == entity and one[2] >= first]
        crossed = [one for one in around if one[2] < last]
        for other in (crossed or around)[-1:]:
            if other == mention:
                continue  # reported as a repeated mention
            yield Problem(
                "overlap",
                document.origin.path,
                *document.place(place),
                severity="warning",
                how="crossing" if crossed else "nested",
                document=document.name,
                entity=document.entity_ids[entity],
                one="–".join(map(str, other[1:])),
                other=f"{first}–{last}",
            )
        around.append(mention)


def check_pair(key: Corpus, response: Corpus) -> list[Problem]:
    """Return the differences in documents, tokens and records between key and response.

    >>> print(check_pair(Corpus([Document("a")], "k"), Corpus([Document("b")], "r"))[0].message)
    document a is not in r
    """
    ours = name_documents(key)[0]
    theirs, absent, extra = compare_names(ours, name_documents(response)[0])
    problems = [
        *no_common_documents(ours, theirs, key, response),
        *missing_documents(absent, key, response, severity="warning"),
        *missing_documents(extra, response, key, severity="warning"),
    ]
    for name, document in ours.items():
        if name in theirs:
            problems += compare_words(document, theirs[name]) or _compare_tokens(
                document, theirs[name]
            )
    if theirs:
        problems += _compare_records(
            [
                (document, theirs.get(name, Document(document.name)))
                for name, document in ours.items()
            ],
            response.documents[0].origin.path,
        )
    return sorted(problems, key=lambda problem: (problem.path, problem.line))


def _compare_records(pairs: Sequence[tuple[Document, Document]], path: str) -> list[Problem]:
    """Return as warnings the notes that scoring gives on records in only one of two tables."""
    if not hold_records([document for pair in pairs for document in pair]):
        return []
    sides = [(set(one.mentions), set(other.mentions)) for one, other in pairs]
    ours, theirs = (sum(map(len, side)) for side in zip(*sides, strict=True))
    seen = ours, theirs, sum(len(one & other) for one, other in sides)
    return [
        Problem(
            note.code,
            path,
            severity="warning",
            values={"count": note.count, "total": note.total, **note.values},
        )
        for note in (note.of_records() for note in notes_of([], len(pairs), seen, True))
    ]


def _compare_tokens(one: Document, other: Document) -> list[Problem]:
    path = other.origin.path
    values: dict[str, object] = {"document": one.name, "key": one.origin.path}
    ours, theirs = one.text.token_count, other.text.token_count
    if count_differently(one, other):
        return [other_units(one, other, one.name, path)]
    if not ours or not theirs or "character" in (one.unit, other.unit):
        return []

    def warn(code: str, token: int, **more: object) -> Problem:
        place = other.text.place(token)
        return Problem(code, path, *place, severity="warning", values={**values, **more})

    problems = []
    difference = find_difference(one, other)
    if difference and None not in difference:
        token, wanted, word = difference
        more = {"number": token, "word": word, "wanted": wanted, "at": one.text.place(token)[0]}
        problems.append(warn("other-token", token, **more))
    if ours != theirs:
        problems.append(warn("other-length", min(ours, theirs) - 1, count=theirs, wanted=ours))
    elif not difference and _breaks(one) != _breaks(other):
        problems.append(warn("other-breaks", 0))
    return problems


def _breaks(document: Document) -> list[int]:
    return [len(sentence) for sentence in document.sentences]
