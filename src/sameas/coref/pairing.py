"""Documents to pairs: which document of the response belongs to which of the key.

What one side lacks, or has twice, is paired by a policy with a name, and what was done is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from sameas.coref.document import Corpus, Document
from sameas.coref.wording import Difference, find_differences, is_blank, is_masked
from sameas.errors import InputError, Problem
from sameas.notes import Note

__all__ = [
    "Pairing",
    "compare_names",
    "missing_documents",
    "name_documents",
    "nothing_shared",
    "pair_documents",
    "shown_name",
    "some_names",
    "units_hint",
]


Name = tuple[str, int]  # a document's name, and its number among those of that name
Named = dict[Name, Document]


@dataclass(frozen=True)
class Pairing:
    """The documents of the key, each with its document of the response."""

    key: Sequence[Document]
    response: Sequence[Document]
    names: Sequence[str]
    notes: Sequence[str] = ()
    problems: Sequence[Problem] = ()
    differences: Sequence[Difference | None] = ()  # where the words of each begin to differ


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
    notes: list[str] = [
        *_repeated(problems, "key", reference),
        *_repeated(more, "response", reference),
    ]
    theirs, absent, extra = compare_names(ours, theirs)
    if missing == "error" and (absent or extra):
        hint = "--missing-documents empty or skip scores the rest"
        raise InputError([*missing_documents(absent, key, response, hint),
                          *missing_documents(extra, response, key, hint)])  # fmt: skip
    if not reference and (apart := nothing_shared(ours, theirs, key, response)):
        raise InputError(apart)
    if not ours:
        notes.append(Note("no key"))
    if extra:
        notes.append(Note("extra", number=len(extra), names=[*map(shown_name, extra)]))
    if absent:
        done = "left out" if missing == "skip" else "scored against an empty one"
        shown = [*map(shown_name, absent)]
        notes.append(Note("missing", number=len(absent), names=shown, done=done))
    names = [name for name in ours if name in theirs or missing != "skip"]
    pairs = [(ours[name], theirs.get(name) or Document(name[0])) for name in names]
    if reference:
        # The reference scorer reads only the documents it scores, and refuses only those.
        refused = [problem for pair in pairs for document in pair
                   for problem in document.origin.problems
                   if problem.severity == "error"]  # fmt: skip
        if refused:
            raise InputError(refused)
    empty = [
        name
        for name, (one, other) in zip(names, pairs, strict=True)
        if name in theirs and one.mention_count and not other.mention_count
    ]
    if empty:
        notes.append(Note("silent", number=len(empty), names=[*map(shown_name, empty)]))
    units = [
        Problem(
            f"document {shown_name(name)} counts {other.unit}s, and the key counts {one.unit}s",
            other.origin.path or response.path or "the response",
            other.origin.line,
            1,
            units_hint(one, other),
        )
        for name, (one, other) in zip(names, pairs, strict=True)
        if one.unit != other.unit and one.mention_count and other.mention_count
    ]
    if units:
        raise InputError(units)
    misaligned = [
        problem
        for name, (one, other) in zip(names, pairs, strict=True)
        if name in theirs and not reference
        for problem in compare_words(one, other)
    ]
    if misaligned:
        raise InputError(misaligned)
    differences = find_differences(pairs)
    notes += _other_words(names, pairs, differences)
    return Pairing(
        [one for one, _ in pairs],
        [other for _, other in pairs],
        [shown_name(name) for name in names],
        notes,
        [*problems, *more],
        differences,
    )


def _other_words(
    names: Sequence[Name],
    pairs: Sequence[tuple[Document, Document]],
    differences: Sequence[Difference | None],
) -> list[str]:
    """Notes on documents whose words or number of words are not the same on both sides."""
    notes: list[str] = []
    changed: list[str] = []
    lengths: list[str] = []
    where = ""
    for name, (one, other), difference in zip(names, pairs, differences, strict=True):
        counts = one.text.token_count, other.text.token_count
        if 0 < counts[0] != counts[1] > 0:
            lengths.append(f"{shown_name(name)}: {counts[0]} and {counts[1]}")
            if difference and not where:
                here = "" if len(lengths) == 1 else f"{shown_name(name)}: "
                where = f"; {here}{difference}"
        elif difference:
            changed.append(f"{shown_name(name)}: {difference}")
    if changed:
        notes.append(Note("words", number=len(changed), where=changed[0]))
    if lengths:
        notes.append(Note("length", number=len(lengths), names=lengths, where=where))
    return notes


def name_documents(corpus: Corpus, *, reference: bool = False) -> tuple[Named, list[Problem]]:
    """The documents by name and number among those of that name, and a problem for each repeat.

    >>> list(name_documents(Corpus([Document("a"), Document("a")]))[0])
    [('a', 1), ('a', 2)]
    """
    found: Named = {}
    times: Counter[str] = Counter()
    problems = []
    hint = (
        "the last one counts, as in the reference scorer"
        if reference
        else "same-named documents are paired in the order in which they come"
    )
    for document in corpus.documents:
        times[document.name] += 1
        if times[document.name] > 1:
            message = f"document {document.name} comes again"
            place = (document.origin.path or corpus.path, document.origin.line, 1)
            problems.append(Problem(message, *place, hint, "warning"))
        found[document.name, 1 if reference else times[document.name]] = document
    return found, problems


def shown_name(name: Name) -> str:
    """A document's name, with its number if it is not the first of that name.

    >>> shown_name(("a", 1)), shown_name(("a", 2))
    ('a', 'a (2)')
    """
    return name[0] if name[1] == 1 else f"{name[0]} ({name[1]})"


def compare_names(ours: Named, theirs: Named) -> tuple[Named, Named, Named]:
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


def nothing_shared(ours: Named, theirs: Named, key: Corpus, response: Corpus) -> list[Problem]:
    """A problem if the response has none of the key's documents, so that nothing can be scored."""
    path = response.path or "response"
    if not ours or any(name in theirs for name in ours):
        return []
    if not theirs:
        return [Problem("no documents", path)]
    hint = f"the key has {some_names(ours)}; the response has {some_names(theirs)}"
    return [Problem(f"none of its documents is in {key.path or 'the key'}", path, hint=hint)]


def missing_documents(
    absent: Named,
    here: Corpus,
    there: Corpus,
    hint: str = "",
    severity: str = "error",
) -> list[Problem]:
    """A problem for each document that is here and not there."""
    return [
        Problem(f"document {shown_name(name)} is not in {there.path or 'the other side'}",
                document.origin.path or here.path,
                document.origin.line, 1, hint, severity)
        for name, document in absent.items()
    ]  # fmt: skip


def units_hint(one: Document, other: Document) -> str:
    """How to score two documents of which one counts characters (brat) and the other tokens."""
    brat, tokens = (one, other) if one.unit == "character" else (other, one)
    raw = getattr(brat.text, "raw", None)
    if raw is None or not tokens.text.token_count:
        return "characters and tokens can only be compared if both have their text"
    paths = [document.origin.path or "FILE" for document in (brat, tokens)]
    zeros = any(mention.zeros for mention in tokens.special.values())
    if not zeros and raw == "".join(" ".join(words) + "\n" for words in tokens.sentences):
        return (
            f"they have the same text: sameas convert {paths[1]} FOLDER --to brat, and score that"
        )
    tokenised: Document = brat.text.tokenised(brat)  # type: ignore[attr-defined]
    found = find_differences([(tokens, tokenised)])[0]
    if found is None and tokenised.text.token_count == tokens.text.token_count:
        name = "" if brat.name == tokens.name else f" (whose `doc_key` must be {tokens.name})"
        return (
            f"they have the same words: sameas convert {paths[0]} FILE.jsonl{name}, and score that"
        )
    where = ""
    if found:
        words = [
            "the end" if word is None else f"{word!r:.40}" for word in (found.response, found.key)
        ]
        where = f": token {found.token} is {words[0]} in {paths[0]} and {words[1]} in {paths[1]}"
    return f"no conversion gives both the same words{where}"


def compare_words(one: Document, other: Document) -> list[Problem]:
    """The first word, by sentence, at which two CoNLL-U documents are not the same text.

    Of brat documents, the first character. Masked words are only counted.
    """
    ours: Any = one.text
    theirs: Any = other.text
    if one.unit == other.unit == "character":
        return _compare_characters(one, other)
    if not _is_conllu(one) or not _is_conllu(other):
        return []
    if _words(ours) == _words(theirs):
        return []
    hint = "key and response must have the same words and sentences; empty nodes may differ"
    pairs = zip_longest(
        ((n, w, word) for n, words in enumerate(one.sentences) for w, word in enumerate(words)),
        ((n, w, word) for n, words in enumerate(other.sentences) for w, word in enumerate(words)),
    )
    masked = any(text.forms and is_masked(text.forms) for text in (ours, theirs))
    for number, (wanted, found) in enumerate(pairs):
        if wanted == found or (
            wanted
            and found
            and wanted[:2] == found[:2]
            and (masked or is_blank(wanted[2].encode()) or is_blank(found[2].encode()))
        ):
            continue
        place = theirs.place(min(number, theirs.token_count - 1))
        key_line = ours.place(min(number, ours.token_count - 1))[0]
        message = (
            f"document {one.name}: {_word_at(found)} here, and {_word_at(wanted)} in "
            f"{one.origin.path}:{key_line}"
        )
        return [Problem(message, other.origin.path, place[0], 1, hint)]
    return []


def _is_conllu(document: Document) -> bool:
    return getattr(document.text, "written_as", "") == "conllu"


def _words(text: Any) -> tuple[bytes, bytes]:
    """The words of a CoNLL-U text and their sentences, as bytes, which compare at once."""
    return text.forms, text.sentence_of.tobytes()


def _compare_characters(one: Document, other: Document) -> list[Problem]:
    ours, theirs = (getattr(document.text, "raw", None) for document in (one, other))
    if ours is None or theirs is None or ours == theirs:
        return []
    same = next(
        (at for at, pair in enumerate(zip(ours, theirs, strict=False)) if pair[0] != pair[1]),
        min(len(ours), len(theirs)),
    )
    here, there = theirs[same : same + 12], ours[same : same + 12]
    message = (
        f"document {one.name}: another text than that of {one.origin.path or 'the key'}: from "
        f"character {same} on {here!r} here and {there!r} there"
    )
    hint = "offsets count the characters of the text, line ends included"
    return [Problem(message, other.origin.path, 1, 1, hint)]


def _word_at(place: tuple[int, int, str] | None) -> str:
    if place is None:
        return "the text has ended"
    return f"word {place[1] + 1} of sentence {place[0] + 1} is {place[2]!r:.60}"


def _repeated(problems: Sequence[Problem], side: str, reference: bool) -> list[str]:
    if not problems:
        return []
    done = "the last of a name counts" if reference else "paired in order"
    return [Note("again", side, len(problems), done=done)]


def some_names(names: Iterable[str | Name]) -> str:
    """The first names.

    >>> some_names(["a", "b", "c", "d"])
    'a, b, c, …'
    """
    shown = [name if isinstance(name, str) else shown_name(name) for name in names]
    return ", ".join(shown[:3]) + (", …" if len(shown) > 3 else "")
