"""How English names sound: CMU phonemes from a dictionary, and from a model for all other names.

The dictionary is the CMU Pronouncing Dictionary (Carnegie Mellon University; its licence lies
beside it), the first pronunciation of each word, without stress. The model is the joint model of
letters and phonemes that was learned from it; `studies/pronunciations.py` builds both files and
measures how often the model is right about words it has not seen.
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
# Only one pronunciation is wanted of each word, and the model has long histories: a narrow beam
# (beginnings, and nats below the first) finds it.
BEAM, WIDTH = 12, 8.0
# Letters that Unicode does not take apart into a letter of a–z and a mark.
_FOLDED = str.maketrans(
    {letter: FOLDED[letter] for letter in "ßæœøđþħıłŋŧ"} | {"ə": "a", "ð": "th"}
)
_APOSTROPHES = re.compile("['\u2018\u2019\u201b\u02b9\u02bb\u02bc\u02be\u02bf\u02c8`\u00b4\uff07]")
_LETTERS = re.compile("[a-z']+")


@dataclass(frozen=True, slots=True)
class Pronunciations:
    """How names sound, and where that is from.

    >>> found = pronunciations(["Alice", "Alicia Zorbeck", "李"])
    >>> found.phonemes[0], found.from_dictionary, found.from_model, found.unpronounced
    (('AE', 'L', 'AH', 'S'), 1, 1, {2: '李'})
    """

    phonemes: list[tuple[str, ...]]  # of each name
    from_dictionary: int  # names of which every part is in the dictionary
    from_model: int  # names of which some part is not
    unpronounced: dict[int, str]  # place of a name: what of it was left out, or the empty name


def pronounce(names: Sequence[str]) -> list[tuple[str, ...]]:
    """The CMU phonemes of names, without stress; empty where a name has no letter of a–z.

    >>> pronounce(["Alice", "O'Brien", "Zoë Q"])
    [('AE', 'L', 'AH', 'S'), ('OW', 'B', 'R', 'AY', 'IH', 'N'), ('Z', 'OW', 'IY', 'K', 'Y', 'UW')]
    """
    return pronunciations(names).phonemes


def pronunciations(names: Sequence[str]) -> Pronunciations:
    """The phonemes of names, how many are from the dictionary, and what could not be pronounced.

    Capitals are small letters, and é is e. The parts of a name, between spaces, hyphens and other
    signs, are pronounced one by one. A name with an apostrophe is looked up with it, then without,
    and then its parts; a part of one letter leans on its neighbour, so that D' is no `dee`.
    Letters that are not in a–z then, and digits, are left out, and said in `unpronounced`.

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
    said = dict(zip(new, guess(_model(), new), strict=True)) if new else {}
    spoken = ChainMap(said, known)
    phonemes = [tuple(" ".join(spoken[part] for part in pieces).split()) for pieces in parts]
    from_model = sum(not said.keys().isdisjoint(pieces) for pieces in parts)
    return Pronunciations(phonemes, sum(map(bool, parts)) - from_model, from_model, unpronounced)


def guess(model: JointModel, words: Sequence[str]) -> list[str]:
    """Return the most probable phonemes of words by a model, with a space between them.

    >>> from sameas.names.joint import fit
    >>> guess(fit([[("a", "AE"), ("x", "K S")]], order=2), ["ax"])
    ['AE K S']
    """
    found = decode(model, words, most=1, beam=BEAM, width=WIDTH)
    return [" ".join(sounds for _, sounds in one.ways[0].pairs(model) if sounds) for one in found]


def _parts(name: str) -> tuple[list[str], str]:
    """The parts of a name in letters of a–z and apostrophes, and the letters that are left out."""
    text = name.casefold()
    if not text.isascii():
        text = _APOSTROPHES.sub("'", text)
        text = unicodedata.normalize("NFKD", text.translate(_FOLDED)).casefold()
        text = "".join(one for one in text.translate(_FOLDED) if not unicodedata.combining(one))
    left_out = "".join(one for one in text if one.isalnum() and not "a" <= one <= "z")
    text = text.translate(dict.fromkeys(map(ord, left_out)))  # which does not cut it in two
    found = (part.strip("'") for part in _LETTERS.findall(text))
    return [part for part in found if part], left_out


def _looked_up(part: str, known: dict[str, str]) -> list[str]:
    """The part as the dictionary has it, or cut at its apostrophes."""
    if "'" not in part or part in known:
        return [part]
    whole = part.replace("'", "")
    if whole in known:
        return [whole]
    pieces, stands = [""], False  # whether there is more to lean on than single letters
    for piece in part.split("'"):
        if len(piece) > 1:
            pieces += [""] if stands else []
            stands = True
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
