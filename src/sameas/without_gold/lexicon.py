"""Word lists for recognising and comparing names: titles, given names, places, companies, …

They are in `lexicon.txt`, with the purpose of each list. A list is a hint, never a condition: a
name that is in no list is compared only by its words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from sameas.files import package_data

__all__ = [
    "ACRONYMS",
    "ALIASES",
    "BEFORE_PLACES",
    "CALENDAR",
    "COMMON",
    "COMPANY_SUFFIXES",
    "COUNTRIES",
    "COUNTRY_OF",
    "ENDING_TITLES",
    "EPITHETS",
    "FUNCTION_WORDS",
    "GIVEN",
    "GIVEN_NAMES",
    "GROUPS",
    "HONOURS",
    "JOINED_BY_OF",
    "JOINING",
    "MEMBERS",
    "NAME_PARTICLES",
    "NATIONALITIES",
    "NEVER_NAMES",
    "NICKNAMES",
    "ONLY_TITLES",
    "ORDINALS",
    "ORGANISATION_ENDS",
    "ORGANISATION_HEADS",
    "PARTICLES",
    "PERSON_TITLES",
    "PLACES",
    "PLACE_ENDS",
    "PLACE_HEADS",
    "POSSESSIVE",
    "SAYING",
    "STATES",
    "SUFFIXES",
    "TITLES",
    "VERBS",
    "listed",
    "pairs",
]


@cache
def _lexicon() -> dict[str, list[str]]:
    """Return the lines of each section of the lexicon."""
    found: dict[str, list[str]] = {}
    section: list[str] = []
    for line in package_data("without_gold/lexicon.txt").decode().splitlines():
        if line.startswith("["):
            section = found.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            section.append(line)
    return found


@cache
def listed(section: str) -> frozenset[str]:
    """Return the words in a section of the lexicon.

    >>> "new york" in listed("places")
    True
    """
    words = " ".join(_lexicon()[section]).split()
    return frozenset(word.replace("_", " ") for word in words)


def pairs(section: str) -> Iterator[tuple[str, str]]:
    """Yield each word in a section of lines `meaning: words`, and its meaning.

    >>> dict(pairs("abbreviations"))["calif"]
    'california'
    """
    for line in _lexicon()[section]:
        meaning, words = line.split(":")
        for word in words.split():
            yield word.replace("_", " "), meaning.replace("_", " ")


def _genders(section: str) -> dict[str, str]:
    """Return the words of three sections, each with its gender ("m", "f", or "")."""
    genders = {"male": "m", "female": "f", "other": ""}
    return {word: code for kind, code in genders.items() for word in listed(f"{kind} {section}")}


def _nicknames() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = defaultdict(frozenset)
    for nickname, full in pairs("nicknames"):
        found[nickname] |= set(full.split())
    return dict(found)


# People.
TITLES = _genders("titles")
EPITHETS = listed("epithets")
GIVEN_NAMES = _genders("given names")
NAME_PARTICLES = listed("last name particles")
NICKNAMES = _nicknames()  #: The given names that each nickname stands for.
PERSON_TITLES = frozenset(TITLES) - EPITHETS
ONLY_TITLES = listed("only titles")
ENDING_TITLES = listed("titles in the middle")
SUFFIXES = listed("suffixes")
HONOURS = listed("honours")
# Peoples and places.
NATIONALITIES = listed("nationalities")
GROUPS = listed("groups")
MEMBERS = listed("members")
PLACES = listed("places")
PLACE_HEADS = listed("place heads")
PLACE_ENDS = listed("ends of places")
BEFORE_PLACES = listed("before places")
#: The country of each adjective or name of a people, and of each short form of a country's name.
COUNTRY_OF = {
    people: country for word, country in pairs("peoples") for people in (word, f"{word}s")
}
#: States of the United States and provinces of Canada, by abbreviation.
STATES = dict(pairs("abbreviations"))
#: The usual names of places and unions, by alias.
ALIASES = dict(pairs("aliases"))
#: All names of countries and states except abbreviations.
COUNTRIES = frozenset().union(
    COUNTRY_OF, COUNTRY_OF.values(), ALIASES, ALIASES.values(), STATES.values()
)
# Organisations.
COMPANY_SUFFIXES = listed("company suffixes")
ORGANISATION_HEADS = listed("designators") | listed("organisation heads")
ORGANISATION_ENDS = listed("ends of organisations")
# Words in and around names.
JOINED_BY_OF = ORGANISATION_HEADS | (PLACE_HEADS - {"corner", "state"}) | listed("joined by of")
JOINING = listed("joining")
PARTICLES = listed("particles")
ACRONYMS = listed("acronyms")
CALENDAR = listed("calendar")
SAYING = listed("saying")
VERBS = SAYING | listed("verbs")
NEVER_NAMES = listed("never names")  # or their first or last words
FUNCTION_WORDS = listed("function words")  # in names; acronyms may omit their initials
COMMON = NEVER_NAMES | listed("common")
ORDINALS = listed("ordinals")
POSSESSIVE = frozenset(["'s", "’s", "'S", "’S", "'", "’"])
GIVEN = (frozenset(GIVEN_NAMES) | frozenset(NICKNAMES)) - COMMON  # not everyday words
