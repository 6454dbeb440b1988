"""What is wrong or odd in one file, or between a key and a response."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sameas.coref.document import Corpus, Document
from sameas.coref.matching import repeated_mentions
from sameas.coref.pairing import (
    Pairing,
    compare_names,
    compare_words,
    missing_documents,
    name_documents,
    nothing_shared,
    units_hint,
)
from sameas.coref.sides import raw_sides
from sameas.coref.wording import find_differences
from sameas.errors import InputError, Problem

__all__ = ["check", "check_pair"]


def check(corpus: Corpus) -> list[Problem]:
    """Everything odd in one corpus, in the order of its lines.

    >>> [p.message for p in check(Corpus([Document.from_clusters("a", [["x", "y"], ["y"]])]))]
    ["document a: mention 'y' is in entity 0 and in entity 1"]
    """
    broken = any(problem.severity == "error" for problem in corpus.problems)
    if broken and corpus.format == "conllu":  # what else is odd may follow from it
        return sorted(corpus.problems, key=lambda problem: (problem.line, problem.column))
    names = [document.name for document in corpus.documents]
    empty = [Document(name) for name in names]
    side = raw_sides(Pairing(corpus.documents, empty, names))[0]
    problems = [
        *corpus.problems,
        *name_documents(corpus)[1],
        *repeated_mentions(corpus.documents, side, "warning"),
    ]
    for document in corpus.documents:
        problems += _annotated(document)
        if corpus.format in ("conll", "jsonlines"):  # in the others it is part of the format
            problems += _nested(document)
    return sorted(problems, key=lambda problem: (problem.path, problem.line, problem.column))


def _annotated(document: Document) -> Sequence[Problem]:
    """What is wrong with heads and minimum spans, which are read only when they are needed."""
    try:
        if document.annotation is not None:
            document.annotation.heads()
            document.annotation.minima()
    except InputError as error:
        return error.problems
    return ()


def _nested(document: Document) -> Iterator[Problem]:
    """Mentions of one entity inside each other: brackets cannot tell these from crossing ones."""
    if document.first is None or document.last is None:
        return
    order = np.lexsort((-document.last, document.first, document.entity)).tolist()
    columns = (document.entity.tolist(), document.first.tolist(), document.last.tolist())
    around: list[tuple[int, int]] = []  # earlier mentions of the entity that reach as far as this
    before = -1
    for place in order:
        entity, first, last = (column[place] for column in columns)
        if entity != before:
            around = []
        before = entity
        around = [span for span in around if span[1] >= first]
        crossed = [span for span in around if span[1] < last]
        for other in (crossed or around)[-1:]:
            if other == (first, last):
                continue  # a repeated mention, which is reported as such
            yield Problem(
                f"document {document.name}: mentions {other[0]}–{other[1]} and {first}–{last} of "
                f"entity {document.entity_ids[entity]} {'cross' if crossed else 'are nested'}",
                document.origin.path,
                *document.place(place),
                "brackets cannot hold this"
                if crossed
                else "if they cross in the annotation, brackets could not say so",
                "warning",
            )
        around.append((first, last))


def check_pair(key: Corpus, response: Corpus) -> list[Problem]:
    """Documents and tokens that differ between key and response.

    >>> check_pair(Corpus([Document("a")], "k"), Corpus([Document("b")], "r"))[0].message
    'document a is not in r'
    """
    ours = name_documents(key)[0]
    theirs, absent, extra = compare_names(ours, name_documents(response)[0])
    problems = [
        *nothing_shared(ours, theirs, key, response),
        *missing_documents(absent, key, response, severity="warning"),
        *missing_documents(extra, response, key, severity="warning"),
    ]
    for name, document in ours.items():
        if name in theirs:
            problems += compare_words(document, theirs[name]) or _compare_tokens(
                document, theirs[name]
            )
    return sorted(problems, key=lambda problem: (problem.path, problem.line))


def _compare_tokens(one: Document, other: Document) -> list[Problem]:
    path, key_path = other.origin.path, one.origin.path
    ours, theirs = one.text.token_count, other.text.token_count
    if one.unit != other.unit and one.mention_count and other.mention_count:
        message = f"document {one.name} counts {other.unit}s here and {one.unit}s in {key_path}"
        return [Problem(message, path, other.origin.line, 1, units_hint(one, other))]
    if not ours or not theirs or "character" in (one.unit, other.unit):
        return []
    problems = []
    difference = find_differences([(one, other)])[0]
    if difference and difference.key is not None and difference.response is not None:
        token = difference.token
        problems.append(Problem(
            f"document {one.name}: token {token} is {difference.response!r} here and "
            f"{difference.key!r} in {key_path}:{one.text.place(token)[0]}",
            path,
            *other.text.place(token),
            "spans are matched by the numbers of tokens, whatever the words",
            "warning",
        ))  # fmt: skip
    if ours != theirs:
        message = f"document {one.name} has {theirs} tokens here and {ours} in {key_path}"
        place = other.text.place(min(ours, theirs) - 1)
        problems.append(Problem(message, path, *place, "", "warning"))
    elif not difference and _breaks(one) != _breaks(other):
        message = f"document {one.name} has other sentence breaks than in {key_path}"
        hint = "no score depends on them"
        problems.append(Problem(message, path, *other.text.place(0), hint, "warning"))
    return problems


def _breaks(document: Document) -> list[int]:
    return [len(sentence) for sentence in document.sentences]
