"""Word lists about people and peoples: titles, given names, nicknames, countries, companies.

They are in `lexicon.txt`, mostly English, all words in small letters, without dots. A list is a
hint, never a condition: a name that is in none is compared by its words alone.
"""

from __future__ import annotations

from collections import defaultdict

from sameas.without_gold.gazetteer import listed, pairs

__all__ = [
    "ALIASES",
    "COMPANY_SUFFIXES",
    "COUNTRY_OF",
    "EPITHETS",
    "GIVEN_NAMES",
    "NICKNAMES",
    "PARTICLES",
    "STATES",
    "SUFFIXES",
    "TITLES",
]

_GENDERS = {"male": "m", "female": "f", "other": ""}


def _genders(section: str) -> dict[str, str]:
    """The words of three sections, and the gender they tell ("m", "f", or "" for none)."""
    return {
        word: code for gender, code in _GENDERS.items() for word in listed(f"{gender} {section}")
    }


def _nicknames() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = defaultdict(frozenset)
    for nickname, full in pairs("nicknames"):
        found[nickname] |= set(full.split())
    return dict(found)


TITLES = _genders("titles")
EPITHETS = listed("epithets")
GIVEN_NAMES = _genders("given names")
#: Of each nickname, the given names it stands for.
NICKNAMES = _nicknames()
PARTICLES = listed("last name particles")
SUFFIXES = listed("suffixes")
COMPANY_SUFFIXES = listed("company suffixes")
#: Of each adjective or name of a people, and each short form of a country's name, that country.
COUNTRY_OF = {
    people: country for word, country in pairs("peoples") for people in (word, f"{word}s")
}
#: States of the United States and provinces of Canada by their abbreviations.
STATES = dict(pairs("abbreviations"))
#: The usual names of places and unions by their others.
ALIASES = dict(pairs("aliases"))
