"""The sounds of the names in a corpus, for aligners that link letters with sounds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from sameas.errors import UsageError
from sameas.names.aligning import Aligning
from sameas.names.units import Integers, NameSide, composed, fold, scripts
from sameas.notes import Note

__all__ = [
    "SoundOf",
    "Sounds",
    "count_units",
    "source_sounds",
    "target_sounds",
    "unit_sounds",
    "version_of_sounds",
]

#: A mapping or a function from a name, or from a unit, to its sounds.
Sounds = Mapping[str, Sequence[str]] | Callable[[str], Sequence[str]]

SoundOf = Callable[[str], Sequence[str]]
PAUSE = "|"  # the sound between words
_PAUSE = re.compile(r"[\s\-\u2010-\u2015·・]+")


def _sound_function(sounds: Sounds) -> SoundOf:
    """Return a function from names to sounds; `sounds` may give them as a string with spaces."""

    def sound_of(name: str) -> Sequence[str]:
        found = sounds.get(name, ()) if isinstance(sounds, Mapping) else sounds(name)
        return found.split() if isinstance(found, str) else found or ()

    return sound_of


def unit_sounds(
    written: Sequence[tuple[str, ...]], sound_of: SoundOf, symbols: Sequence[str] | None = None
) -> tuple[NameSide, Integers]:
    """Return the sounds of names, and the unit index of each sound, counted over all names.

    A unit of unknown sound is its own sound.

    >>> side, owners = unit_sounds([("b", "a")], {"b": ["x", "y"]}.get)
    >>> [side.symbols[code] for code in side.codes], owners.tolist()
    (['x', 'y', 'a'], [0, 0, 1])
    """
    names = NameSide.of(written)
    sounds = [tuple(sound_of(unit) or ()) or (unit,) for unit in names.symbols]
    return names.parts(NameSide.of(sounds, symbols))


def target_sounds(
    written: Sequence[tuple[str, ...]], given: Sounds | None, settings: Aligning
) -> SoundOf:
    """Return a function from a unit to its sounds: the one given, or the one for Chinese."""
    if given is not None:
        return _sound_function(given)
    _require_script("Han", "target", written, settings)
    from sameas.names.mandarin import sounds

    return partial(sounds, cut=settings.cut)


def source_sounds(
    names: Sequence[str], given: Sounds | None, settings: Aligning, notes: list[Note]
) -> NameSide:
    """Return the phonemes of names, from `given` or as in English; append notes on missing ones."""
    if given is None:
        phonemes, code = _english_sounds(names, settings, notes), "unpronounceable"
    else:
        sound_of, code = _sound_function(given), "without-sounds"
        phonemes = [
            tuple(sound_of(one) or sound_of(composed(one)) or sound_of(fold(one))) for one in names
        ]
        if not any(phonemes):
            raise UsageError("no-given-sounds")
    silent = [name for name, sounds in zip(names, phonemes, strict=True) if not sounds]
    notes += [Note(code, count=len(silent), names=silent)] if silent else []
    return NameSide.of(phonemes)


def _english_sounds(
    names: Sequence[str], settings: Aligning, notes: list[Note]
) -> list[tuple[str, ...]]:
    _require_script("Latin", "source", names, settings)
    from sameas.names.english import pronunciations

    # Words are pronounced separately, with pauses between them, so that a space can be aligned.
    parts = [_PAUSE.split(name) for name in names]
    found = pronunciations([word for words in parts for word in words])
    by_word = iter(found.phonemes)
    phonemes = [
        tuple(sound for word in words for sound in (PAUSE, *next(by_word)))[1:] for words in parts
    ]
    if found.from_model:
        notes.append(Note("guessed-words", count=found.from_dictionary, guessed=found.from_model))
    odd = [letters for letters in found.unpronounced.values() if letters]
    if odd:
        letters = tuple(dict.fromkeys("".join(odd)))
        notes.append(Note("letters-not-english", count=len(odd), letters=letters))
    return phonemes


def count_units(code: str, units: Iterable[str], **values: str) -> Note:
    """Return a note with the number of distinct units, and the units."""
    distinct = list(dict.fromkeys(unit.replace(" ", "␣") for unit in units))
    return Note(code, count=len(distinct), names=distinct, values=values)


def version_of_sounds() -> str:
    """Return the name and version of the package that supplied the readings."""
    import pypinyin

    return f"pypinyin-{pypinyin.__version__}"


def _require_script(
    script: str, side: str, names: Iterable[Sequence[str]], settings: Aligning
) -> None:
    """Raise UsageError if no name is in the script whose sounds are known."""
    written = sorted({kind for name in names for kind in scripts("".join(name))})
    if script not in written:
        option = "target" if settings.method == "affinity" else "method"
        how, value = "scripts" if written else "no-letters", getattr(settings, option)
        values = {"option": option, "value": value, "side": side, "scripts": written}
        raise UsageError("sounds-not-known", how=how, **values)
