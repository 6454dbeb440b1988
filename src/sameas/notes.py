"""Notes: what happened on the way to a score, as values that add.

The sentences of the codes are in `sentences.txt`, and notes come in its order. Names of documents
are part of some sentences, and a name may contain anything: nothing reads a sentence.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from sameas.sentences import FIRST, place_in_catalogue, sentence

__all__ = ["SIDES", "Note", "Side", "add_notes", "note_sample", "warn_of_sample"]

Side = Literal["key", "response", ""]  # empty where a note concerns neither or both
SIDES: tuple[Side, Side] = ("key", "response")

_LACKING = 0.1  # of the records of a response, above which the key may be a sample


@dataclass(frozen=True, init=False, repr=False)
class Note:
    """What happened, how often, and to which documents.

    Notes of the same code, side and further values add: counts add, and the first names stay.

    >>> one = Note("missing", count=2, names=["a", "b"], how="skip")
    >>> print(one)
    2 key documents are missing from the response (a, b): skipped
    >>> (one + Note("missing", count=3, names=["c", "d", "e"], how="skip")).names
    ('a', 'b', 'c')
    """

    code: str
    side: Side
    count: int  # how many the sentence counts; 0 if it counts nothing
    names: tuple[str, ...]  # the first ones
    total: int  # of which the count is a part
    values: Mapping[str, Any] = field(hash=False)  # whatever else the sentence tells

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
        """The note of both parts of a corpus."""
        if not isinstance(other, Note) or self._kind != other._kind:
            return NotImplemented
        names = tuple(dict.fromkeys((*self.names, *other.names)))
        count, total = self.count + other.count, self.total + other.total
        return replace(self, count=count, names=names, total=total)

    def __repr__(self) -> str:
        """The code and the sentence."""
        return f"<Note {self.code}: {self}>"

    def __str__(self) -> str:
        """The sentence of the catalogue."""
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
        """Return the note in the words of entity resolution.

        >>> print(Note("singletons", "key", 3).of_records())
        3 singletons dropped from the truth
        """
        return replace(self, values={**self.values, "words": "records"})

    @property
    def _kind(self) -> tuple[int, str]:
        """What notes that add have in common, in the order in which they are told."""
        values = sorted(self.values.items())
        return place_in_catalogue(self.code), f"{self.code} {self.side} {values!r}"


def add_notes(notes: Iterable[Note]) -> list[Note]:
    """Return the notes of several parts of a corpus as those of the whole, in their order.

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


def note_sample(lacking: int, records: int) -> list[Note]:
    """A note if the key lacks many of the response's records, as where only a sample has a truth.

    If the two share no record at all, that is another mistake, and noted as such.

    >>> len(note_sample(10, 100)), len(note_sample(11, 100)), len(note_sample(100, 100))
    (0, 1, 0)
    """
    if records > lacking > _LACKING * records:
        return [Note("sample", count=lacking, total=records)]
    return []


def warn_of_sample(notes: Iterable[Note]) -> None:
    """Warn a caller in Python where a note says that the key may be a sample.

    >>> warn_of_sample(note_sample(1, 100))
    """
    for note in notes:
        if note.code == "sample":
            warnings.warn(str(note), stacklevel=3)
