"""Notes: what happened on the way to a score, as sentences that keep their values.

Names of documents are part of some sentences, and a name may contain anything. So nothing reads a
sentence: notes are filtered, sorted and added by their values.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from sameas.errors import counted

__all__ = [
    "APART",
    "NO_DOCUMENT",
    "Note",
    "add_notes",
    "code_of",
    "note_order",
    "note_sample",
    "warn_of_sample",
]

_NAMES = 3  # that a note shows
_LACKING = 0.1  # of the records of a response, above which the key may be a sample


class _Values(NamedTuple):
    side: str  # key or response, where it concerns one of them
    number: int  # how many the sentence counts; 0 if it counts nothing
    names: tuple[str, ...]  # of documents; a note keeps the first ones
    done: str  # what was done about it
    total: int  # of which the number is a part
    where: str  # the first place that it concerns


class Note(str):
    """A sentence about a scoring, and its values.

    >>> note = Note("missing", number=2, names=["a", "b"], done="left out")
    >>> note
    '2 key documents are missing in the response (a, b): left out'
    >>> note.code, note.values.number, note.values.names
    ('missing', 2, ('a', 'b'))
    """

    __slots__ = ("code", "values")
    code: str
    values: _Values

    def __new__(
        cls,
        code: str,
        side: str = "",
        number: int = 0,
        names: Sequence[str] = (),
        done: str = "",
        total: int = 0,
        where: str = "",
    ) -> Note:
        """Write the sentence for the values."""
        values = _Values(side, number, tuple(names[:_NAMES]), done, total, where)
        note = super().__new__(cls, _SENTENCES[code](values))
        note.code, note.values = code, values
        return note

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickles and copies."""
        return Note, (self.code, *self.values)


def _documents(values: _Values, noun: str) -> str:
    number = values.number
    return f"1 {noun} is" if number == 1 else f"{number:,} {noun}s are"


def _several(values: _Values, noun: str) -> str:
    return f"{values.number:,} {noun}{'s' * (values.number > 1)}"


def _some(values: _Values) -> str:
    return ", ".join(values.names) + ", …" * (values.number > _NAMES)


_LACK = "are not in the key, and count"

_SENTENCES: dict[str, Callable[[_Values], str]] = {
    # about documents
    "no document": lambda values: "no document was scored",
    "no key": lambda values: "the key has no documents",
    "again": lambda values: (
        ("1 document comes" if values.number == 1 else f"{values.number:,} documents come")
        + f" again under a used name in the {values.side}: {values.done}"
    ),
    "extra": lambda values: (
        f"{_documents(values, 'response document')} not in the key ({_some(values)}): not scored"
    ),
    "missing": lambda values: (
        f"{_documents(values, 'key document')} missing in the response "
        f"({_some(values)}): {values.done}"
    ),
    "silent": lambda values: (
        f"{_documents(values, 'response document')} without any mention ({_some(values)})"
    ),
    "words": lambda values: (
        ("1 document has" if values.number == 1 else f"{values.number:,} documents have")
        + f" other words in the response ({values.where}): spans may not line up"
    ),
    "length": lambda values: (
        f"{_documents(values, 'document')} of another length in the response "
        f"({_some(values)} tokens{values.where}): spans may not line up"
    ),
    # about mentions
    "zeros": lambda values: f"{_several(values, 'zero')} dropped from the {values.side}",
    "repeated": lambda values: (
        f"{_several(values, 'repeated mention')} in the {values.side}: {values.done}"
    ),
    "singletons": lambda values: f"{_several(values, 'singleton')} dropped from the {values.side}",
    "no heads": lambda values: (
        f"no heads in the {values.side}: the first word of each mention is taken"
    ),
    "headless": lambda values: (
        f"{_several(values, 'mention')} without a head in the {values.side}: "
        "the first word is taken"
    ),
    "bare zeros": lambda values: (
        f"{_several(values, 'zero')} without dependencies in the {values.side}: matched by place"
    ),
    "no minimum": lambda values: (
        f"{_several(values, 'mention')} without a minimum in the {values.side}: "
        "matched exactly only"
    ),
    "unlabelled": lambda values: (
        f"{counted(values.number, 'item')} without an entity in the {values.side}: "
        f"labelled {values.done}"
    ),
    "apart": lambda values: "key and response share no mention",
    "no name": lambda values: "there is no name in the key: nothing to score",
    "only names": lambda values: (
        f"{values.number}% of the key's mentions are names: if the key was estimated, do not rank "
        "systems by it"
    ),
    # about records
    "sample": lambda values: (
        f"{values.number:,} of {values.total:,} records of the response "
        + (
            "is not in the key, and counts"
            if values.number == 1
            else "are not in the key, and count"
        )
        + " as wrong: if the key has the truth for a sample only, precision and F1 are too "
        "low. To score the sample alone, remove the other records from the response; precision "
        "is then too high, because wrong merges with removed records are not counted"
    ),
}

_RELATIONS = (
    "split antecedent",
    "bridging link",
    "discourse deixis mention",
    "non-referring mention",
)


def _unscored(noun: str) -> Callable[[_Values], str]:
    return lambda values: f"{_several(values, noun)} in the {values.side} not scored{values.done}"


_SENTENCES |= {noun: _unscored(noun) for noun in _RELATIONS}

APART = Note("apart")
NO_DOCUMENT = Note("no document")


def code_of(note: str) -> str:
    """The code of a note; empty for one that is only a sentence.

    >>> code_of(APART), code_of("key and response share no mention")
    ('apart', '')
    """
    return note.code if isinstance(note, Note) else ""


_OF_MATCHING = ("zeros", "repeated", "singletons")  # in their order


def note_order(note: str) -> tuple[int, int]:
    """Where a note comes among those of `match`: what concerns the key first; others at (0, 0).

    >>> note_order(Note("singletons", "key", 1)) < note_order(Note("zeros", "response", 2))
    True
    """
    if not isinstance(note, Note):
        return (0, 0)
    about_response = note.values.side == "response"
    if note.code in ("no heads", "headless", "no minimum"):
        return (3, 2 * about_response + (note.code != "no heads"))
    if note.code == "bare zeros":
        return (3, 4 + about_response)
    if note.code in _RELATIONS:
        return (4, 2 * _RELATIONS.index(note.code) + about_response)
    if note.code not in _OF_MATCHING:
        return (0, 0)
    return (1 + about_response, _OF_MATCHING.index(note.code))


def add_notes(notes: Iterable[str]) -> list[str]:
    """The notes of several parts of a corpus, with the numbers in them added up.

    >>> add_notes([Note("singletons", "key", 1), Note("singletons", "key", 2), "x", "x"])
    ['3 singletons dropped from the key', 'x']
    """
    found: dict[object, str] = {}
    for note in notes:
        if not isinstance(note, Note):
            found.setdefault(note, note)
            continue
        side, number, names, done, total, where = note.values
        before = found.get((note.code, side, done))
        if isinstance(before, Note):
            number, total = before.values.number + number, before.values.total + total
            names = tuple(dict.fromkeys((*before.values.names, *names)))
            where = before.values.where or where
        found[note.code, side, done] = Note(note.code, side, number, names, done, total, where)
    return list(found.values())


def note_sample(lacking: int, records: int) -> list[str]:
    """A note if the key lacks many of the response's records, as where only a sample has a truth.

    If the two share no record at all, that is another mistake, and noted as such.

    >>> len(note_sample(10, 100)), len(note_sample(11, 100)), len(note_sample(100, 100))
    (0, 1, 0)
    """
    if records > lacking > _LACKING * records:
        return [Note("sample", number=lacking, total=records)]
    return []


def warn_of_sample(notes: Iterable[str], stacklevel: int = 3) -> None:
    """Warn a caller in Python where a note says that the key may be a sample.

    >>> warn_of_sample(note_sample(1, 100))
    """
    for note in notes:
        if code_of(note) == "sample":
            warnings.warn(note, stacklevel=stacklevel)
