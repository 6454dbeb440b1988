"""Pronounce English names as CMU phonemes, with a dictionary or, for unlisted names, a model.

The dictionary is the CMU Pronouncing Dictionary (Carnegie Mellon University; its licence is in
`data`), with the first pronunciation of each word, without stress. The model is a joint model
of letters and phonemes trained on it. `studies/pronunciations.py` builds both files and measures
the accuracy of the model on held-out words.
"""

from __future__ import annotations

import re
import unicodedata
from collections import ChainMap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from sameas.errors import InputError, Problem, UsageError
from sameas.files import package_data
from sameas.names.decoder import decode
from sameas.names.joint import JointModel, from_columns
from sameas.names.letters import FOLDED
from sameas.names.modelfile import model_of
from sameas.names.phonology import ENGLISH

__all__ = ["PHONEMES", "Pronunciations", "guess", "pronounce", "pronunciations"]

#: The 39 phonemes of the dictionary: 15 vowels, 24 consonants.
PHONEMES = ENGLISH
# A narrow beam (in hypotheses, and in nats below the best) is enough, since only the best
# pronunciation of each word is needed, and the model has long histories.
BEAM, WIDTH = 12, 8.0
# Letters that Unicode does not decompose into one of a–z and a mark.
_FOLDED = str.maketrans(
    {letter: FOLDED[letter] for letter in "ßæœøđþħıłŋŧ"} | {"ə": "a", "ð": "th"}
)
_APOSTROPHES = re.compile("['\u2018\u2019\u201b\u02b9\u02bb\u02bc\u02be\u02bf\u02c8`\u00b4\uff07]")
_LETTERS = re.compile("[a-z']+")


@dataclass(frozen=True, slots=True)
class Pronunciations:
    """The pronunciations of names, and their origin.

    >>> found = pronunciations(["Alice", "Alicia Zorbeck", "李"])
    >>> found.phonemes[0], found.from_dictionary, found.from_model, found.unpronounced
    (('AE', 'L', 'AH', 'S'), 1, 1, {2: '李'})
    """

    phonemes: list[tuple[str, ...]]  # of each name
    from_dictionary: int  # names with all parts in the dictionary
    from_model: int  # names with a part that is not in the dictionary
    unpronounced: dict[int, str]  # by index: the omitted letters; "" if a name has no letters


def pronounce(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the CMU phonemes of names, without stress; () for a name without letters from a to z.

    >>> pronounce(["Alice", "O'Brien", "Zoë Q"])
    [('AE', 'L', 'AH', 'S'), ('OW', 'B', 'R', 'AY', 'IH', 'N'), ('Z', 'OW', 'IY', 'K', 'Y', 'UW')]
    """
    return pronunciations(names).phonemes


def pronunciations(names: Sequence[str]) -> Pronunciations:
    """Return the phonemes of names, their origin, and the letters that could not be pronounced.

    Case and diacritics are ignored. The parts of a name, between spaces, hyphens and so on, are
    pronounced separately. A part with an apostrophe is looked up with it, then without it, and then
    split at it; a piece of one letter is joined to its neighbour, so that D' does not become `dee`.
    Any other letters outside a–z, and digits, are omitted and listed in `unpronounced`.

    >>> pronunciations(["Saint-Lô", "N'Golo", "J. 5"]).phonemes[0]
    ('S', 'EY', 'N', 'T', 'L', 'OW')
    """
    if isinstance(names, str):
        raise UsageError("one-string", what="names", value=names)
    known = _dictionary()
    parts: list[list[str]] = []
    unpronounced: dict[int, str] = {}
    for number, name in enumerate(names):
        written, left_out = _parts(name)
        parts.append([part for one in written for part in _looked_up(one, known)])
        if left_out or not parts[-1]:
            unpronounced[number] = left_out
    new = sorted({part for pieces in parts for part in pieces if part not in known})
    guessed = dict(zip(new, guess(_model(), new), strict=True)) if new else {}
    spoken = ChainMap(guessed, known)
    phonemes = [tuple(" ".join(spoken[part] for part in pieces).split()) for pieces in parts]
    from_model = sum(not guessed.keys().isdisjoint(pieces) for pieces in parts)
    return Pronunciations(phonemes, sum(map(bool, parts)) - from_model, from_model, unpronounced)


def guess(model: JointModel, words: Sequence[str]) -> list[str]:
    """Return the most probable phonemes of words under a model, separated by spaces.

    >>> from sameas.names.joint import fit
    >>> guess(fit([[("a", "AE"), ("x", "K S")]], order=2), ["ax"])
    ['AE K S']
    """
    found = decode(model, words, most=1, beam=BEAM, width=WIDTH)
    return [" ".join(sounds for _, sounds in one.ways[0].pairs(model) if sounds) for one in found]


def _parts(name: str) -> tuple[list[str], str]:
    """Return the parts of a name, spelt with a–z and apostrophes, and the omitted letters."""
    text = name.casefold()
    if not text.isascii():
        text = _APOSTROPHES.sub("'", text)
        text = unicodedata.normalize("NFKD", text.translate(_FOLDED)).casefold()
        text = "".join(one for one in text.translate(_FOLDED) if not unicodedata.combining(one))
    left_out = "".join(one for one in text if one.isalnum() and not "a" <= one <= "z")
    text = text.translate(dict.fromkeys(map(ord, left_out)))  # omitted letters do not split a part
    found = (part.strip("'") for part in _LETTERS.findall(text))
    return [part for part in found if part], left_out


def _looked_up(part: str, known: dict[str, str]) -> list[str]:
    """Return the part as the dictionary spells it, or split at its apostrophes."""
    if "'" not in part or part in known:
        return [part]
    whole = part.replace("'", "")
    if whole in known:
        return [whole]
    pieces, long = [""], False  # whether the last of `pieces` has a part of two or more letters
    for piece in part.split("'"):
        if len(piece) > 1:
            pieces += [""] if long else []
            long = True
        pieces[-1] += piece
    return pieces


@cache
def _dictionary() -> dict[str, str]:
    import lzma

    name = "names/data/cmudict.txt.xz"
    try:
        lines = lzma.decompress(package_data(name)).decode("ascii").splitlines()
        return dict(line.split(" ", 1) for line in lines)
    except (lzma.LZMAError, EOFError, ValueError) as error:
        raise InputError([Problem("package-file", name, reason=str(error))]) from None


@cache
def _model() -> JointModel:
    name = "names/data/english.model"
    try:
        header, columns = model_of(package_data(name), name)
        return from_columns(header["pairs"], int(header["order"]), columns)
    except (InputError, LookupError, TypeError, ValueError) as error:
        reason = error.problems[0].message if isinstance(error, InputError) else str(error)
        raise InputError([Problem("package-file", name, reason=reason)]) from None
