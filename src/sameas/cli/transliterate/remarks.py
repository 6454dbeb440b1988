"""Notes on the names that a model has transliterated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sameas.errors import visible
from sameas.names.candidates import Candidates
from sameas.names.letters import read_as_note
from sameas.names.transliterator import Transliterator
from sameas.names.units import graphemes, scripts
from sameas.notes import Note

__all__ = ["remarks"]


def remarks(
    found: Sequence[Candidates], made: Transliterator, names: int | None = None
) -> Iterator[Note]:
    """Yield notes on letters that were replaced or dropped, and on names without candidates.

    `names` is the total number of names if `found` contains only some of them.
    """
    none = [one.source for one in found if not len(one) and not one.abstained]
    yield from _direction(made, none, len(found) if names is None else names)
    read = [letters for one in found for letters in one.read_as]
    if read:
        within = sum(bool(one.read_as) for one in found)
        yield Note("note-of", how="names", note=read_as_note(read), count=within)
    odd = [one for one in found if one.left_out]
    if odd:
        letters = [letter for one in odd for letter in graphemes(one.left_out)]
        yield Note("letters-left-out", count=len(odd), letters=_shown(letters))
    silent = [one.source for one in found if one.abstained]
    for how, sources in (("abstained", silent), ("none", none)):
        if sources:
            yield Note("no-candidate", count=len(sources), sources=_shown(sources), how=how)


def _direction(made: Transliterator, none: Sequence[str], names: int) -> Iterator[Note]:
    """Yield a note if most names have no candidate because the model does not know their script."""
    source, target = made.scripts
    written = sorted({kind for name in none for kind in scripts(name)})
    if 2 * len(none) > names and written and source not in written:
        yield Note("other-direction", source=source, target=target, scripts=written)


def _shown(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys("␣" if word == " " else visible(word) for word in words))
