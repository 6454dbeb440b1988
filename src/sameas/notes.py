"""Notes: what happened while a score was computed, as values that can be added.

`sentences.txt` contains the sentence for each code, and notes are sorted in its order. Some
sentences contain names of documents, and a name may contain anything, so no code parses a sentence.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from sameas.sentences import FIRST, place_in_catalogue, sentence, wording

__all__ = [
    "RECORD_NOTES",
    "SIDES",
    "Note",
    "Side",
    "add_notes",
    "note_records",
    "notes_of_list",
    "warn_of_sample",
]

Side = Literal["key", "response", ""]  # empty if a note concerns neither side, or both
SIDES: tuple[Side, Side] = ("key", "response")

#: Notes on one table of records that is scored against another.
RECORD_NOTES = ("lost-records", "extra-records", "sample")
_UNKNOWN = 0.1  # if the key lacks a larger share of a response's records, it may be a sample


@dataclass(frozen=True, init=False, repr=False)
class Note:
    """What happened, how often, and to which documents.

    Notes with the same code, side and further values can be added: their counts add up, and the
    first names are kept.

    Parameters
    ----------
    code
        Code of the sentence in `sentences.txt`.
    side
        `key`, `response`, or empty if the note concerns neither or both.
    count
        The number that the sentence reports, or 0 if it reports none.
    names
        Names, mostly of documents; only the first three are kept.
    total
        Number that the count is a part of.
    values, named
        Further values that the sentence contains, as a mapping or as keywords.

    Examples
    --------
    >>> one = Note("missing", count=2, names=["a", "b"], how="skip")
    >>> print(one)
    2 key documents are missing from the response (a, b): skipped
    >>> (one + Note("missing", count=3, names=["c", "d", "e"], how="skip")).names
    ('a', 'b', 'c')
    """

    code: str
    side: Side
    count: int
    names: tuple[str, ...]
    total: int
    values: Mapping[str, Any] = field(hash=False)

    def __init__(
        self,
        code: str,
        side: Side = "",
        count: int = 0,
        names: Sequence[str] = (),
        total: int = 0,
        values: Mapping[str, Any] | None = None,
        **named: Any,
    ) -> None:
        fields = (code, side, count, tuple(names[:FIRST]), total, {**(values or {}), **named})
        self.__dict__.update(zip(self.__dataclass_fields__, fields, strict=True))

    def __add__(self, other: Note) -> Note:
        """Return the note for two parts of a corpus together."""
        if not isinstance(other, Note) or self._kind != other._kind:
            return NotImplemented
        names = tuple(dict.fromkeys((*self.names, *other.names)))
        count, total = self.count + other.count, self.total + other.total
        return replace(self, count=count, names=names, total=total)

    def __repr__(self) -> str:
        """Return the code and the sentence."""
        return f"<Note {self.code}: {self}>"

    def __str__(self) -> str:
        """Return the sentence from the catalogue."""
        more = ("…",) * (self.count > len(self.names) == FIRST)
        names = ", ".join((*self.names, *more))
        values = {
            "side": self.side,
            "count": self.count,
            "total": self.total,
            "percent": 100 * self.count / self.total if self.total else 0.0,
            "names": names,
            "first": self.names[0] if self.names else "",
            **self.values,
        }
        return sentence(self.code, values)

    def of_records(self) -> Note:
        """Return the note in the terms of entity resolution.

        Returns
        -------
        Note
            The same note, in terms of records, clusters, truth and prediction.

        Examples
        --------
        >>> print(Note("singletons", "key", 3).of_records())
        3 singletons dropped from the truth
        """
        return replace(self, values={**self.values, **wording(True)})

    @property
    def _kind(self) -> tuple[int, str]:
        """A key that notes share if they can be added; it sorts them in the catalogue's order."""
        values = sorted(self.values.items())
        return place_in_catalogue(self.code), f"{self.code} {self.side} {values!r}"


def add_notes(notes: Iterable[Note]) -> list[Note]:
    """Add the notes of several parts of a corpus, and return them in the order of the catalogue.

    >>> found = ("response", 1), ("key", 1), ("key", 2)
    >>> for note in add_notes(Note("singletons", side, count) for side, count in found):
    ...     print(note)
    3 singletons dropped from the key
    1 singleton dropped from the response
    """
    found: dict[tuple[int, str], Note] = {}
    for note in notes:
        kind = note._kind
        found[kind] = found[kind] + note if kind in found else note
    return [found[kind] for kind in sorted(found)]


def note_records(key: int, response: int, shared: int) -> list[Note]:
    """Return the notes on records that only one of two tables has, given the numbers of records.

    If the key lacks many of the response's records, it may cover only a sample of them. If the
    tables share no record, another module adds a different note.

    >>> [note.code for note in note_records(90, 100, 80)]
    ['lost-records', 'sample']
    >>> [note.code for note in note_records(100, 100, 99)]
    ['lost-records', 'extra-records']
    >>> note_records(100, 100, 100), note_records(100, 100, 0)
    ([], [])
    """
    if not shared:
        return []
    lost, extra = key - shared, response - shared
    notes = [Note("lost-records", count=lost, total=key)] if lost else []
    if extra:
        code = "sample" if extra > _UNKNOWN * response else "extra-records"
        notes.append(Note(code, count=extra, total=response))
    return notes


def notes_of_list(notes: Iterable[Note]) -> list[Note]:
    r"""Return the notes for use next to a list of errors, without the advice to list the errors.

    >>> print(*notes_of_list(note_records(100, 100, 99)), sep="\n")
    1 of 100 records of the truth is not in the prediction: counted as not found, not as a singleton
    1 of 100 records of the prediction is not in the truth: counted as wrong
    """
    return [
        replace(note, values={**note.values, "how": "listed"})
        if note.code in RECORD_NOTES
        else note
        for note in notes
    ]


def warn_of_sample(notes: Iterable[Note]) -> None:
    """Warn a caller in Python if a note says that the key may be a sample.

    >>> warn_of_sample(note_records(100, 100, 99))
    """
    for note in notes:
        if note.code == "sample":
            warnings.warn(str(note), stacklevel=_level_of_caller())


def _level_of_caller() -> int:
    """Return the level of the first function outside sameas, as `warnings.warn` counts in ours."""
    frame, level = sys._getframe(1), 1
    while frame.f_back and frame.f_globals["__name__"].partition(".")[0] == "sameas":
        frame, level = frame.f_back, level + 1
    return level
