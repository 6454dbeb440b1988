"""What speaks for and against a pair of names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter

from sameas.errors import visible
from sameas.notes import Note

__all__ = ["JudgedToken", "JudgedWord", "Reason"]


@dataclass(frozen=True, slots=True)
class JudgedToken:
    """Letters and a unit that belong together by the best alignment, as they are written.

    `bits` says how much the letters are likelier for the unit than anywhere, log₂ P(e|c) / P(e):
    what is below 0 speaks against the pair. `one_in` is 1 / P(e|c).
    """

    source: str
    target: str
    bits: float
    one_in: float
    seen: bool  # whether the unit was seen in training

    def __str__(self) -> str:
        """As `sch/舍 +2.1`."""
        return f"{self.source}/{self.target} {self.bits:+.1f}"

    def note(self) -> Note:
        """What speaks against it, if it has less than no bits."""
        if not self.source or not self.target:
            return Note("no-counterpart", word=self.source or self.target)
        letters, unit = _short(self.source), _short(self.target)
        often = {"how": "million"} if self.one_in >= 1e6 else {"one_in": _rounded(self.one_in)}
        return Note("rare-part", letters=letters, unit=unit, **often)


@dataclass(frozen=True, slots=True)
class JudgedWord:
    """Words of both names that belong together, or one that has no counterpart, and what speaks
    against it.

    >>> print(JudgedWord("Smith", "", 0.2))
    Smith has no counterpart
    """

    source: str
    target: str
    probability: float
    against: tuple[Note, ...] = ()  # empty if nothing is, or if it was not judged by its letters

    def note(self, wrong: bool = False) -> Note:
        """The words, whether they are `wrong`, and what speaks against them."""
        if not self.source or not self.target:
            return Note("no-counterpart", word=self.source or self.target)
        how = ("wrong" if wrong else "right") + ("-why" if self.against else "")
        return Note("words", how=how, source=self.source, target=self.target, why=self.against)

    def __str__(self) -> str:
        """As `Smith/史密斯`."""
        return str(self.note())


@dataclass(frozen=True, slots=True)
class Reason:
    """What speaks for and against a pair; as text, what speaks against it.

    >>> from sameas.names.datasets import dataset
    >>> from sameas.names.verifier import Verifier
    >>> reason = Verifier.fit(dataset("sample:ru").pairs).reason("anna", "аннэ")
    >>> [str(part).split()[0] for part in reason.parts]
    ['a/а', 'n/н', 'n/н', 'a/э']
    """

    source: str
    target: str
    probability: float
    parts: tuple[JudgedToken, ...]
    never: tuple[str, ...]  # units never seen
    strange: tuple[str, ...]  # letters never seen
    lengths: tuple[int, int] | None  # of both names, if they are unusual for each other
    kind: str
    words: tuple[JudgedWord, ...] = ()  # of names of several words
    turned: bool = False  # the words come in another order

    @property
    def wrong(self) -> tuple[JudgedWord, ...]:
        """The words that make the pair more likely false than genuine, the worst first.

        >>> from sameas.names.datasets import dataset
        >>> from sameas.names.verifier import Verifier
        >>> reason = Verifier.fit(dataset("sample:ru").pairs).reason("Anna Boris", "Анна Катя")
        >>> [(word.source, word.target) for word in reason.wrong]
        [('Boris', 'Катя')]
        """
        if not self.words or self.probability >= 0.5:
            return ()
        listed = sorted(self.words, key=attrgetter("probability"))
        return tuple(word for word in listed if word.probability < 0.5) or tuple(listed[:1])

    @property
    def against(self) -> tuple[Note, ...]:
        """What speaks against it, the worst first: at most three parts of the alignment of a word.

        >>> from sameas.names.datasets import dataset
        >>> from sameas.names.verifier import Verifier
        >>> Verifier.fit(dataset("sample:ru").pairs).reason("anna", "анна").against
        ()
        """
        if self.words:
            return tuple(self._against_words())
        bad = sorted(
            (one for one in self.parts if one.bits < 0 and one.seen), key=attrgetter("bits")
        )
        found = list(dict.fromkeys(part.note() for part in bad))[:3]
        for units in (self.never, self.strange):
            if units:
                found.append(Note("units-never-seen", count=len(units), units=" ".join(units)))
        if self.lengths:
            source, target = self.lengths
            found.append(Note("odd-lengths", source=source, target=target))
        if not found and self.probability < 0.5:
            found.append(Note("more-like", kind=self.kind))
        return tuple(found)

    def _against_words(self) -> Iterator[Note]:
        wrong = self.wrong
        yield from (word.note(wrong=True) for word in wrong)
        for word in sorted(self.words, key=attrgetter("probability")):
            if word not in wrong and not (word.source and word.target and not word.against):
                yield word.note()
        if self.turned:
            yield Note("words-turned")

    def __str__(self) -> str:
        """What speaks against it."""
        return visible("; ".join(map(str, self.against or (Note("nothing-against"),))))


def _short(text: str) -> str:
    return text if len(text) <= 20 else text[:19] + "…"


def _rounded(number: float) -> int:
    """A number to one figure.

    >>> _rounded(5321.0), _rounded(7.4)
    (5000, 7)
    """
    size: int = 10 ** max(len(str(round(number))) - 1, 0)
    return round(number / size) * size
