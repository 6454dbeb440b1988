"""Pair the documents of the response with those of the key.

Named policies determine what happens to documents that one side lacks or has twice, and notes
report it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from sameas.documents.document import Corpus, Document
from sameas.documents.records import hold_records
from sameas.errors import Problem, Severity, refuse_problems
from sameas.matching.wording import find_difference, is_blank, is_masked
from sameas.notes import SIDES, Note
from sameas.sentences import wording

__all__ = [
    "Pairing",
    "compare_names",
    "count_differently",
    "missing_documents",
    "name_documents",
    "no_common_documents",
    "nothing_shared",
    "other_units",
    "pair_documents",
    "shown_name",
]


Name = tuple[str, int]  # a document's name, and its number among documents of that name
Named = dict[Name, Document]
_Paired = Sequence[tuple[Name, tuple[Document, Document]]]
_Placed = tuple[int, int, str]  # the number of a sentence, of a word in it, and the word


@dataclass(frozen=True, eq=False, repr=False)
class Pairing:
    """The documents of the key, each with its response document."""

    key: Sequence[Document]
    response: Sequence[Document]
    names: Sequence[str]
    notes: Sequence[Note] = ()
    problems: Sequence[Problem] = ()

    @property
    def of_records(self) -> bool:
        """Whether tables of records are scored."""
        return hold_records([*self.key, *self.response])


def pair_documents(
    key: Corpus,
    response: Corpus,
    *,
    missing: str = "empty",
    reference: bool = False,
    part: bool = False,
) -> Pairing:
    """Pair the documents by name.

    Documents with the same name are paired in order; the reference scorer uses the last one of each
    name. A key document that the response lacks is scored against an empty one (`empty`), skipped
    (`skip`) or rejected (`error`). Response documents that the key lacks cannot be scored; a note
    reports them, or `error` rejects them. A response without any of the key's documents is
    rejected, except by the reference scorer or if both are `part` of a corpus.

    >>> pair = pair_documents(Corpus([Document("a"), Document("b")]), Corpus([Document("a")]))
    >>> [str(note) for note in pair.notes]
    ['1 key document is missing from the response (b): scored against an empty response']
    """
    ours, problems = name_documents(key, reference=reference)
    theirs, more = name_documents(response, reference=reference)
    notes = _note_repeats((problems, more), "last" if reference else "in-order")
    theirs, absent, extra = compare_names(ours, theirs)
    if missing == "error":
        refuse_problems(
            [*missing_documents(absent, key, response), *missing_documents(extra, response, key)]
        )
    if not part:
        if not reference:
            refuse_problems(no_common_documents(ours, theirs, key, response))
        notes += [Note("no-key")] * (not ours)
    notes += _listed("extra", extra)
    notes += _listed("missing", absent, how="skip" if missing == "skip" else "empty")
    names = [name for name in ours if name in theirs or missing != "skip"]
    pairs = [(ours[name], theirs.get(name) or Document(name[0])) for name in names]
    paired = list(zip(names, pairs, strict=True))
    _refuse_texts(paired, response.path or "the response", reference=reference)
    silent = [
        name for name, (one, other) in paired if one.mention_count and not other.mention_count
    ]
    notes += _listed("silent", [name for name in silent if name in theirs])
    notes += _other_words(paired)
    keys, responses = ([pair[side] for pair in pairs] for side in (0, 1))
    shown = [*map(shown_name, names)]
    return Pairing(keys, responses, shown, notes, [*problems, *more])


def _note_repeats(problems: Sequence[Sequence[Problem]], how: str) -> list[Note]:
    """Return a note per side with its number of repeated document names.

    `problems` has, for each side, one problem per repeated name.
    """
    repeated = zip(SIDES, map(len, problems), strict=True)
    return [Note("again", side, count, how=how) for side, count in repeated if count]


def _listed(code: str, names: Iterable[Name], **values: str) -> list[Note]:
    """Return a note with the number and names of documents, if there are any."""
    shown = [*map(shown_name, names)]
    return [Note(code, count=len(shown), names=shown, values=values)] if shown else []


def _refuse_texts(paired: _Paired, path: str, *, reference: bool) -> None:
    """Raise `InputError` if paired documents have different units or different words.

    The reference scorer does not compare words, but rejects errors in documents that it scores.
    """
    if reference:
        problems = [
            problem for _, pair in paired for one in pair for problem in one.origin.problems
        ]
        refuse_problems([problem for problem in problems if problem.severity == "error"])
    refuse_problems(
        [
            other_units(one, other, shown_name(name), path)
            for name, (one, other) in paired
            if count_differently(one, other)
        ]
    )
    if not reference:
        refuse_problems([problem for _, pair in paired for problem in compare_words(*pair)])


def _other_words(paired: _Paired) -> list[Note]:
    """Return notes on documents whose words or number of words differ between the sides."""
    found: dict[str, list[str]] = {"words": [], "length": []}
    for name, (one, other) in paired:
        difference = find_difference(one, other)
        counts = one.text.token_count, other.text.token_count
        if 0 < counts[0] != counts[1] > 0:
            where = f"; {difference}" if difference else ""
            found["length"].append(f"{shown_name(name)}: {counts[0]} and {counts[1]} tokens{where}")
        elif difference:
            found["words"].append(f"{shown_name(name)}: {difference}")
    return [Note(code, count=len(places), names=places) for code, places in found.items() if places]


def name_documents(corpus: Corpus, *, reference: bool = False) -> tuple[Named, list[Problem]]:
    """Return the documents keyed by name and number, and a problem for each repeated name.

    >>> list(name_documents(Corpus([Document("a"), Document("a")]))[0])
    [('a', 1), ('a', 2)]
    """
    found: Named = {}
    times: Counter[str] = Counter()
    problems = []
    how = "last" if reference else "in-order"
    for document in corpus.documents:
        times[document.name] += 1
        if times[document.name] > 1:
            place = document.origin.place(corpus.path)
            values = {"document": document.name, "how": how}
            problems.append(Problem("document-again", *place, severity="warning", values=values))
        found[document.name, 1 if reference else times[document.name]] = document
    return found, problems


def shown_name(name: Name) -> str:
    """Return a document's name, with its number if it is not the first of that name.

    >>> shown_name(("a", 1)), shown_name(("a", 2))
    ('a', 'a (2)')
    """
    return name[0] if name[1] == 1 else f"{name[0]} ({name[1]})"


def compare_names(ours: Named, theirs: Named) -> tuple[Named, Named, Named]:
    """Return the response's documents, those it lacks, and those the key lacks, keyed by name.

    If each side has one document and either has no name, the response document gets the key's name.
    """
    if len(ours) == len(theirs) == 1 and any(
        document.origin.unnamed for document in (*ours.values(), *theirs.values())
    ):
        theirs = dict(zip(ours, theirs.values(), strict=True))
    absent = {name: ours[name] for name in ours if name not in theirs}
    extra = {name: theirs[name] for name in theirs if name not in ours}
    return theirs, absent, extra


def no_common_documents(ours: Named, theirs: Named, key: Corpus, response: Corpus) -> list[Problem]:
    """Return a problem if the response has none of the key's documents."""
    path = response.path or "response"
    if not ours or any(name in theirs for name in ours):
        return []
    if not theirs:
        return [Problem("no-documents", path)]
    names = ([shown_name(name) for name in side] for side in (ours, theirs))
    of_records = hold_records([*ours.values(), *theirs.values()])
    return [nothing_shared(key.path or "the key", path, *names, of_records=of_records)]


def nothing_shared(
    key: str, response: str, ours: Sequence[str], theirs: Sequence[str], *, of_records: bool
) -> Problem:
    """Return the problem of a response that has none of the key's documents."""
    values = {"key": key, "ours": ours, "theirs": theirs, **wording(of_records)}
    return Problem("nothing-shared", response, values=values)


def missing_documents(
    absent: Named, here: Corpus, there: Corpus, severity: Severity = "error"
) -> list[Problem]:
    """Return a problem for each document of one side that the other lacks."""
    return [
        Problem(
            "document-absent",
            *document.origin.place(here.path),
            severity=severity,
            document=shown_name(name),
            there=there.path or "the other side",
            how=severity,
        )
        for name, document in absent.items()
    ]


def count_differently(one: Document, other: Document) -> bool:
    """Return whether one document counts characters and the other tokens, so no mention can match.

    >>> count_differently(Document("a"), Document("a"))
    False
    """
    return one.unit != other.unit and bool(one.mention_count and other.mention_count)


def other_units(one: Document, other: Document, name: str, path: str) -> Problem:
    """Return the problem of pairing a document of characters (brat) with one of tokens."""
    values = {"document": name, "ours": one.unit, "theirs": other.unit, **_conversion(one, other)}
    return Problem("other-units", *other.origin.place(path), values=values)


def _conversion(one: Document, other: Document) -> dict[str, Any]:
    """Return message values: how to convert the documents to one unit, or why they cannot be."""
    brat, tokens = (one, other) if one.unit == "character" else (other, one)
    raw = getattr(brat.text, "raw", None)
    if raw is None or not tokens.text.token_count:
        return {"how": "textless"}
    paths = [document.origin.path or "FILE" for document in (brat, tokens)]
    named = {"brat": paths[0], "tokens": paths[1], "name": tokens.name}
    zeros = any(mention.zeros for mention in tokens.special.values())
    if not zeros and raw == "".join(" ".join(words) + "\n" for words in tokens.sentences):
        return {"how": "same-text", **named}
    tokenised: Document = brat.text.tokenised(brat)  # type: ignore[attr-defined]
    found = find_difference(tokens, tokenised)
    if found is None and tokenised.text.token_count == tokens.text.token_count:
        return {"how": "same-words" if brat.name == tokens.name else "same-words-named", **named}
    if found is None:
        return {"how": "other-length"}
    ends = found.response is None, found.key is None
    how = "brat-ends" if ends[0] else "tokens-end" if ends[1] else "other-words"
    return {"how": how, "number": found.token, "here": found.response, "there": found.key, **named}


def compare_words(one: Document, other: Document) -> list[Problem]:
    """Return a problem for the first word at which the texts of two CoNLL-U documents differ.

    For brat documents it is the first character. Masked words are not compared, only counted.
    """
    ours: Any = one.text
    theirs: Any = other.text
    if one.unit == other.unit == "character":
        return _compare_characters(one, other)
    if not one.was_read_as("conllu") or not other.was_read_as("conllu"):
        return []
    # Comparing bytes is fast.
    if ours.forms == theirs.forms and ours.sentence_of.tobytes() == theirs.sentence_of.tobytes():
        return []
    masked = any(text.forms and is_masked(text.forms) for text in (ours, theirs))
    for number, (expected, found) in enumerate(zip_longest(_numbered(one), _numbered(other))):
        if _words_agree(expected, found, masked):
            continue
        place = theirs.place(min(number, theirs.token_count - 1))
        key_line = ours.place(min(number, ours.token_count - 1))[0]
        where = {"document": one.name, "key": f"{one.origin.path}:{key_line}"}
        how = "both" if expected and found else "here" if found is None else "there"
        values = {"how": how, **where, **_word_at("here", found), **_word_at("there", expected)}
        return [Problem("words-differ", other.origin.path, place[0], 1, values=values)]
    return []


def _numbered(document: Document) -> Iterator[_Placed]:
    """Yield the number of each word's sentence, the word's number in it, and the word."""
    for sentence, words in enumerate(document.sentences):
        for number, word in enumerate(words):
            yield sentence, number, word


def _words_agree(expected: _Placed | None, found: _Placed | None, masked: bool) -> bool:
    """Return whether two words at the same position are equal, or one of them is masked."""
    if expected is None or found is None or expected[:2] != found[:2]:
        return False
    words = expected[2], found[2]
    return words[0] == words[1] or masked or any(is_blank(word.encode()) for word in words)


def _compare_characters(one: Document, other: Document) -> list[Problem]:
    ours, theirs = (getattr(document.text, "raw", None) for document in (one, other))
    if ours is None or theirs is None or ours == theirs:
        return []
    both = enumerate(zip_longest(ours, theirs))
    same = next(at for at, (here, there) in both if here != there)
    here, there = theirs[same : same + 12], ours[same : same + 12]
    values = {"document": one.name, "key": one.origin.path or "the key", "number": same}
    return [Problem("brat-text", other.origin.path, 1, 1, here=here, there=there, values=values)]


def _word_at(side: str, place: _Placed | None) -> dict[str, Any]:
    """Return the word and its numbers as values of a message; empty after the end of the text."""
    if place is None:
        return {}
    numbers = {f"{side}_sentence": place[0] + 1, f"{side}_number": place[1] + 1}
    return {side: place[2], **numbers}
