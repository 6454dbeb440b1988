"""Documents to pairs: which document of the response belongs to which of the key.

What one side lacks, or has twice, is paired by a policy with a name, and what was done is counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sameas.coref.document import Corpus, Document
from sameas.errors import InputError, Problem

__all__ = ["Pairing", "compare_names", "missing_documents", "name_documents", "pair_documents"]


@dataclass(frozen=True)
class Pairing:
    """The documents of the key, each with its document of the response."""

    key: Sequence[Document]
    response: Sequence[Document]
    key_path: str
    response_path: str
    names: Sequence[str]
    notes: Sequence[str] = ()
    problems: Sequence[Problem] = ()


def pair_documents(
    key: Corpus, response: Corpus, *, missing: str = "empty", reference: bool = False
) -> Pairing:
    """Pair the documents by name.

    Documents of one name are paired in the order in which they come; the reference scorer takes the
    last of each name. A key document that the response lacks is scored against nothing (`empty`),
    left out (`skip`) or refused (`error`); response documents that the key lacks cannot be scored
    and are counted. A response that has none of the key's documents is refused.

    >>> pair = pair_documents(Corpus([Document("a"), Document("b")]), Corpus([Document("a")]))
    >>> pair.notes
    ['1 key document is missing in the response (b): scored against an empty one']
    """
    ours, problems = name_documents(key, reference=reference)
    theirs, more = name_documents(response, reference=reference)
    notes = [*_repeated(problems, "key", reference), *_repeated(more, "response", reference)]
    theirs, absent, extra = compare_names(ours, theirs)
    if missing == "error" and (absent or extra):
        hint = "--missing-documents empty or skip scores the rest"
        raise InputError([*missing_documents(absent, key, response, hint),
                          *missing_documents(extra, response, key, hint)])  # fmt: skip
    if len(absent) == len(ours) > 0 and not reference:
        raise InputError([Problem(
            f"none of its documents is in {key.path or 'the key'}",
            response.path or "response",
            hint=f"the key has {_some(list(ours))}; the response has {_some(list(theirs))}",
        )])  # fmt: skip
    if not ours:
        notes.append("the key has no documents")
    if extra:
        notes.append(
            f"{_count(extra, 'response document')} not in the key ({_some(list(extra))}): "
            "not scored"
        )
    if absent:
        done = "left out" if missing == "skip" else "scored against an empty one"
        notes.append(
            f"{_count(absent, 'key document')} missing in the response ({_some(list(absent))}): "
            + done
        )
    names = [name for name in ours if name in theirs or missing != "skip"]
    pairs = [(ours[name], theirs.get(name) or Document(name)) for name in names]
    if reference:
        # The reference scorer reads only the documents it scores, and refuses only those.
        refused = [problem for pair in pairs for document in pair
                   for problem in document.origin.problems
                   if problem.severity == "error"]  # fmt: skip
        if refused:
            raise InputError(refused)
    differ = [
        f"{name}: {one.text.token_count} and {other.text.token_count}"
        for name, (one, other) in zip(names, pairs, strict=True)
        if name in theirs and 0 < one.text.token_count != other.text.token_count > 0
    ]
    if differ:
        notes.append(
            f"{_count(differ, 'document')} of another length in the response "
            f"({_some(differ)} tokens): spans may not line up"
        )
    return Pairing(
        [one for one, _ in pairs],
        [other for _, other in pairs],
        key.path,
        response.path,
        names,
        notes,
        [*problems, *more],
    )


def name_documents(
    corpus: Corpus, *, reference: bool = False
) -> tuple[dict[str, Document], list[Problem]]:
    """The documents by name; one whose name is taken gets a number behind it.

    >>> list(name_documents(Corpus([Document("a"), Document("a")]))[0])
    ['a', 'a (2)']
    """
    found: dict[str, Document] = {}
    problems = []
    for document in corpus.documents:
        name, number = document.name, 1
        while name in found:
            number += 1
            if number == 2:
                hint = (
                    "the last one counts, as in the reference scorer"
                    if reference
                    else "same-named documents are paired in the order in which they come"
                )
                message = f"document {document.name} comes again"
                place = (corpus.path, document.origin.line, 1)
                problems.append(Problem(message, *place, hint, "warning"))
            if reference:
                break
            name = f"{document.name} ({number})"
        found[name] = document
    return found, problems


def compare_names(
    ours: dict[str, Document], theirs: dict[str, Document]
) -> tuple[dict[str, Document], dict[str, Document], dict[str, Document]]:
    """The response's documents by the key's names; those it lacks; those that the key lacks.

    Where each side has one document and one of them has no name, they belong together.
    """
    if len(ours) == len(theirs) == 1 and any(
        document.origin.unnamed for document in (*ours.values(), *theirs.values())
    ):
        theirs = dict(zip(ours, theirs.values(), strict=True))
    absent = {name: ours[name] for name in ours if name not in theirs}
    extra = {name: theirs[name] for name in theirs if name not in ours}
    return theirs, absent, extra


def missing_documents(
    absent: dict[str, Document],
    here: Corpus,
    there: Corpus,
    hint: str = "",
    severity: str = "error",
) -> list[Problem]:
    """A problem for each document that is here and not there."""
    return [
        Problem(f"document {name} is not in {there.path or 'the other side'}", here.path,
                document.origin.line, 1, hint, severity)
        for name, document in absent.items()
    ]  # fmt: skip


def _repeated(problems: Sequence[Problem], side: str, reference: bool) -> list[str]:
    if not problems:
        return []
    again = "1 document comes" if len(problems) == 1 else f"{len(problems)} documents come"
    done = "the last of a name counts" if reference else "paired in order"
    return [f"{again} again under a used name in the {side}: {done}"]


def _count(things: Sequence[str] | dict[str, Document], noun: str) -> str:
    return f"1 {noun} is" if len(things) == 1 else f"{len(things)} {noun}s are"


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
