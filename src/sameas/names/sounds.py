"""How the names of a corpus sound, for aligners that link letters with sounds."""

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

#: How a name sounds: a mapping or a function from a name, or from a unit, to its sounds.
Sounds = Mapping[str, Sequence[str]] | Callable[[str], Sequence[str]]

SoundOf = Callable[[str], Sequence[str]]
PAUSE = "|"  # what is heard between words
_PAUSE = re.compile(r"[\s\-\u2010-\u2015·・]+")


def _heard_by(sounds: Sounds) -> Callable[[str], Sequence[str]]:
    """A function that tells sounds, also if they were given as one text with spaces between."""

    def heard(name: str) -> Sequence[str]:
        found = sounds.get(name, ()) if isinstance(sounds, Mapping) else sounds(name)
        return found.split() if isinstance(found, str) else found or ()

    return heard


def unit_sounds(
    written: Sequence[tuple[str, ...]], sound_of: SoundOf, symbols: Sequence[str] | None = None
) -> tuple[NameSide, Integers]:
    """Return the sounds of names, and which unit, of all, each belongs to. A unit whose sound is
    not known is a sound of its own.

    >>> side, owners = unit_sounds([("b", "a")], {"b": ["x", "y"]}.get)
    >>> [side.symbols[code] for code in side.codes], owners.tolist()
    (['x', 'y', 'a'], [0, 0, 1])
    """
    names = NameSide.of(written)
    heard = [tuple(sound_of(unit) or ()) or (unit,) for unit in names.symbols]
    return names.parts(NameSide.of(heard, symbols))


def target_sounds(
    written: Sequence[tuple[str, ...]], given: Sounds | None, settings: Aligning
) -> SoundOf:
    """Return what tells the sounds of a unit: what was given, or what is known of Chinese."""
    if given is not None:
        return _heard_by(given)
    _require_script("Han", "target", written, settings)
    from sameas.names.mandarin import sounds

    return partial(sounds, cut=settings.cut)


def source_sounds(
    names: Sequence[str], given: Sounds | None, settings: Aligning, notes: list[Note]
) -> NameSide:
    """Return the phonemes of names: those given, or what is known of English; `notes` are added."""
    if given is None:
        heard, code = _english_sounds(names, settings, notes), "unpronounceable"
    else:
        sound_of, code = _heard_by(given), "without-sounds"
        heard = [
            tuple(sound_of(one) or sound_of(composed(one)) or sound_of(fold(one))) for one in names
        ]
        if not any(heard):
            raise UsageError("no-given-sounds")
    silent = [name for name, sounds in zip(names, heard, strict=True) if not sounds]
    notes += [Note(code, count=len(silent), names=silent)] if silent else []
    return NameSide.of(heard)


def _english_sounds(
    names: Sequence[str], settings: Aligning, notes: list[Note]
) -> list[tuple[str, ...]]:
    _require_script("Latin", "source", names, settings)
    from sameas.names.english import pronunciations

    # Words are said one by one, with the pauses between them, so that a space can be aligned.
    parts = [_PAUSE.split(name) for name in names]
    found = pronunciations([word for words in parts for word in words])
    said = iter(found.phonemes)
    phonemes = [
        tuple(sound for word in words for sound in (PAUSE, *next(said)))[1:] for words in parts
    ]
    if found.from_model:
        notes.append(Note("guessed-words", count=found.from_dictionary, guessed=found.from_model))
    odd = [letters for letters in found.unpronounced.values() if letters]
    if odd:
        letters = tuple(dict.fromkeys("".join(odd)))
        notes.append(Note("letters-not-english", count=len(odd), letters=letters))
    return phonemes


def count_units(code: str, units: Iterable[str], **values: str) -> Note:
    """A note that counts different units, and shows some of them."""
    distinct = list(dict.fromkeys(unit.replace(" ", "␣") for unit in units))
    return Note(code, count=len(distinct), names=distinct, values=values)


def version_of_sounds() -> str:
    """Which package said how characters sound; another one may say it otherwise."""
    import pypinyin

    return f"pypinyin-{pypinyin.__version__}"


def _require_script(
    script: str, side: str, names: Iterable[Sequence[str]], settings: Aligning
) -> None:
    """Refuse names of which none is in the script whose sounds are known."""
    written = sorted({kind for name in names for kind in scripts("".join(name))})
    if script not in written:
        option = "target" if settings.method == "affinity" else "method"
        how, value = "scripts" if written else "no-letters", getattr(settings, option)
        values = {"option": option, "value": value, "side": side, "scripts": written}
        raise UsageError("sounds-not-known", how=how, **values)
