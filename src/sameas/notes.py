"""Notes: what happened on the way to a score, as sentences that keep their values.

Names of documents are part of some sentences, and a name may contain anything. So nothing reads a
sentence: notes are filtered, sorted and added by their values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sameas.errors import counted

__all__ = ["APART", "NO_DOCUMENT", "Note", "add_notes", "code_of", "note_order"]

_NAMES = 3  # that a note shows


class Note(str):
    """A sentence about a scoring, and its values: code, side, number, names, and what was done.

    >>> note = Note("missing", number=2, names=["a", "b"], done="left out")
    >>> note
    '2 key documents are missing in the response (a, b): left out'
    >>> note.code, note.number, note.names
    ('missing', 2, ('a', 'b'))
    """

    __slots__ = ("code", "done", "names", "number", "side")
    code: str
    side: str
    number: int  # how many the sentence counts; 0 if it counts nothing
    names: tuple[str, ...]  # of some documents, the first ones
    done: str  # about it

    def __new__(
        cls, code: str, side: str = "", number: int = 0, names: Sequence[str] = (), done: str = ""
    ) -> Note:
        """Write the sentence for the values."""
        names = tuple(names)
        note = super().__new__(cls, _SENTENCES[code](side, number, names, done))
        note.code, note.side, note.number, note.done = code, side, number, done
        note.names = names[:_NAMES]
        return note

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickles and copies."""
        return Note, (self.code, self.side, self.number, self.names, self.done)


def _documents(count: int, noun: str) -> str:
    return f"1 {noun} is" if count == 1 else f"{count} {noun}s are"


def _several(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count > 1)}"


def _some(names: Sequence[str], count: int) -> str:
    return ", ".join(names[:_NAMES]) + ", …" * (count > _NAMES)


_SENTENCES: dict[str, Callable[[str, int, tuple[str, ...], str], str]] = {
    # about documents
    "no document": lambda side, count, names, done: "no document was scored",
    "no key": lambda side, count, names, done: "the key has no documents",
    "again": lambda side, count, names, done: (
        ("1 document comes" if count == 1 else f"{count} documents come")
        + f" again under a used name in the {side}: {done}"
    ),
    "extra": lambda side, count, names, done: (
        f"{_documents(count, 'response document')} not in the key "
        f"({_some(names, count)}): not scored"
    ),
    "missing": lambda side, count, names, done: (
        f"{_documents(count, 'key document')} missing in the response "
        f"({_some(names, count)}): {done}"
    ),
    "silent": lambda side, count, names, done: (
        f"{_documents(count, 'response document')} without any mention ({_some(names, count)})"
    ),
    "words": lambda side, count, names, done: (
        f"{_documents(count, 'document')} of other words in the response "
        f"({names[0]}): spans may not line up"
    ),
    "length": lambda side, count, names, done: (
        f"{_documents(count, 'document')} of another length in the response "
        f"({_some(names, count)} tokens): spans may not line up"
    ),
    # about mentions
    "zeros": lambda side, count, names, done: f"{_several(count, 'zero')} dropped from the {side}",
    "repeated": lambda side, count, names, done: (
        f"{_several(count, 'repeated mention')} in the {side}: {done}"
    ),
    "singletons": lambda side, count, names, done: (
        f"{_several(count, 'singleton')} dropped from the {side}"
    ),
    "no heads": lambda side, count, names, done: (
        f"no heads in the {side}: the first word of each mention is taken"
    ),
    "unlabelled": lambda side, count, names, done: (
        f"{counted(count, 'item')} without an entity in the {side}: labelled {done}"
    ),
    "apart": lambda side, count, names, done: "key and response share no mention",
}

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
    code, about_response = code_of(note), getattr(note, "side", "") == "response"
    if code == "no heads":
        return (3, about_response)
    return (1 + about_response, _OF_MATCHING.index(code)) if code in _OF_MATCHING else (0, 0)


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
        kind = (note.code, note.side, note.done)
        before = found.get(kind)
        if isinstance(before, Note):
            names = dict.fromkeys((*before.names, *note.names))
            note = Note(note.code, note.side, before.number + note.number, tuple(names), note.done)
        found[kind] = note
    return list(found.values())
