"""Replace out-of-vocabulary letters with letters that the model has learned; remove formatting.

An unseen letter is read as the nearest known one: é as e (from its Unicode decomposition); ø, which
has no decomposition, as o (from `FOLDED`); and 約 as 约 (from `SIMPLIFIED`) if the model has
learned simplified characters, or the reverse. A letter that the model has learned is always read as
itself.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from functools import lru_cache

from sameas.errors import visible
from sameas.names.letter_tables import read_tables
from sameas.names.units import JOINERS, graphemes, script_of
from sameas.notes import Note

__all__ = [
    "CHINESE_VARIANTS",
    "FOLDED",
    "FORMATTING",
    "SIMPLIFIED",
    "Removed",
    "read_as_note",
    "read_letters",
    "without_formatting",
]

_TABLES = read_tables("letters")
#: Common replacements of letters that Unicode does not decompose, in lower case.
FOLDED = dict(_TABLES["folded"])

#: Invisible formatting characters, which are not part of a name.
FORMATTING = frozenset(
    "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a\u202b\u202c\u2060\u2066\u2067\u2068\u2069\ufeff"
)
_UNSEEN = FORMATTING.union(JOINERS)
# Scripts in which a joiner changes the shape or the reading of letters.
_JOINING = frozenset(script for row in _TABLES["joining-scripts"] for script in row)

#: The simplified forms of traditional characters that occur in names.
SIMPLIFIED = {pair[0]: pair[1] for row in _TABLES["simplified"] for pair in row}
_TRADITIONAL = {simplified: one for one, simplified in reversed(SIMPLIFIED.items())}

#: Groups of characters that alternate in foreign names; their readings differ at most in tone.
CHINESE_VARIANTS = tuple(group for row in _TABLES["chinese-variants"] for group in row)


def without_formatting(name: str) -> str:
    """Return the name without formatting characters, and without joiners that have no effect.

    >>> without_formatting("An\\u200ena\\ufeff"), without_formatting("An\\u200dna")
    ('Anna', 'Anna')
    >>> len(without_formatting("न्\\u200dदी"))
    5
    """
    if name.isascii():
        return name
    if _UNSEEN.isdisjoint(name):
        return name
    removed = FORMATTING if any(map(_uses_joiners, name)) else _UNSEEN
    return "".join(sign for sign in name if sign not in removed)


class Removed:
    """Counts of the formatting characters removed from names, and of the names that had them.

    >>> removed = Removed()
    >>> removed.from_name("An\\u200ena"), str(removed.notes()[0])
    ('Anna', '1 invisible formatting character removed from 1 name: U+200E')
    """

    def __init__(self) -> None:
        self._names = 0
        self._signs: Counter[str] = Counter()

    def from_name(self, name: str) -> str:
        """Return the name without formatting characters, and count those removed."""
        left = without_formatting(name)
        if len(left) != len(name):
            self._names += 1
            self._signs += Counter(name) - Counter(left)
        return left

    def notes(self) -> list[Note]:
        """Return a note if any character was removed."""
        if not self._names:
            return []
        signs = " ".join(f"U+{ord(sign):04X}" for sign in sorted(self._signs))
        return [Note("layout-removed", count=self._signs.total(), within=self._names, signs=signs)]


@lru_cache(maxsize=65536)
def _uses_joiners(sign: str) -> bool:
    return script_of(sign) in _JOINING or unicodedata.category(sign) == "So"


def read_letters(
    units: Sequence[str], known: Container[str], *, convert: bool = True
) -> list[tuple[str, ...]]:
    """Return, for each unit of a name, the known letters it is read as, or ().

    With `convert`, traditional Chinese characters are read as simplified ones, or the reverse.

    >>> read_letters("stra\\u00dfé☃", frozenset("aerst"))
    [('s',), ('t',), ('r',), ('a',), ('s', 's'), ('e',), ()]
    """
    new = [unit for unit in dict.fromkeys(units) if unit not in known]
    if not new:
        return [(unit,) for unit in units]
    found = {unit: _nearest(unit, known) for unit in new}
    if convert:
        found |= _converted([unit for unit in new if not found[unit]], known)
    return [found.get(unit, (unit,)) for unit in units]


def _nearest(unit: str, known: Container[str]) -> tuple[str, ...]:
    """Return the letter without its marks, or its common replacement, if the model knows it."""
    plain = unicodedata.normalize("NFD", unit)[:1]
    if plain in known:
        return (plain,)
    if "\uff61" <= plain <= "\uff9f":  # half-width katakana, whose marks are separate characters
        whole = unicodedata.normalize("NFKC", unit)
        if whole in known:
            return (whole,)
    small = plain.lower()
    written = FOLDED.get(small) or "".join(
        one for one in unicodedata.normalize("NFKD", unit) if not unicodedata.combining(one)
    )
    capital = small != plain
    for shown in (written.capitalize(), written.upper(), written) if capital else (written,):
        letters = graphemes(shown)
        if letters and all(letter in known for letter in letters):
            return letters
    return ()


def _converted(new: Sequence[str], known: Container[str]) -> dict[str, tuple[str, ...]]:
    """Return the known other form (simplified or traditional) of each character, if all have one.

    A name with characters that have no such form is Japanese, not in the other form of Chinese.
    """
    for forms in (SIMPLIFIED, _TRADITIONAL):
        found = {unit: forms.get(unit, "") for unit in new}
        if all(other in known for other in found.values()):
            return {unit: (other,) for unit, other in found.items()}
    return {}


def read_as_note(read: Iterable[tuple[str, str]], most: int = 5) -> Note:
    """Return the note that lists unseen letters and the letters they were read as.

    >>> print(read_as_note([("ß", "ss"), ("ł", "l"), ("ß", "ss")]))
    2 unseen letters read as others: ß as ss, ł as l
    """
    distinct = {visible(unit): visible(other) for unit, other in read}
    shown = dict(list(distinct.items())[:most])
    more = {"how": "more"} if len(distinct) > most else {}
    return Note("letters-read-as", count=len(distinct), values=more, read=shown)
