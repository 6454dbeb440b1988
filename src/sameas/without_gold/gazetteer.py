"""Words by which names are known in English text: places, peoples, what companies are called.

The lists are in `lexicon.txt`, which says what each is for.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from sameas.files import package_data

__all__ = [
    "ACRONYMS",
    "CALENDAR",
    "COMMON",
    "DESIGNATORS",
    "FUNCTION",
    "GROUPS",
    "HONOURS",
    "JOINED_BY_OF",
    "MEMBERS",
    "NATIONALITIES",
    "ORGANISATIONS",
    "ORGANISATION_HEADS",
    "PARTICLES",
    "PLACES",
    "PLACE_HEADS",
    "SAYING",
    "VERBS",
    "listed",
    "pairs",
    "words",
]


def words(text: str) -> frozenset[str]:
    """The words of a text; underscores stand for spaces.

    >>> sorted(words("oslo new_york"))
    ['new york', 'oslo']
    """
    return frozenset(word.replace("_", " ") for word in text.split())


@cache
def _lexicon() -> dict[str, list[str]]:
    """The lines of each section of the lexicon."""
    found: dict[str, list[str]] = {}
    section: list[str] = []
    for line in package_data("without_gold/lexicon.txt").decode().splitlines():
        if line.startswith("["):
            section = found.setdefault(line.strip("[]"), [])
        elif not line.startswith("#"):
            section.append(line)
    return found


def listed(section: str) -> frozenset[str]:
    """Return the words in a section of the lexicon.

    >>> "oslo" in listed("places")
    True
    """
    return words(" ".join(_lexicon()[section]))


def pairs(section: str) -> Iterator[tuple[str, str]]:
    """Yield each word in a section of lines `what: words`, and what it stands for.

    >>> dict(pairs("abbreviations"))["calif"]
    'california'
    """
    for line in filter(None, _lexicon()[section]):
        what, short = line.split(":")
        for word in short.split():
            yield word.replace("_", " "), what.replace("_", " ")


PLACES = listed("places")
NATIONALITIES = listed("nationalities")
GROUPS = listed("groups")
MEMBERS = listed("members")
CALENDAR = listed("calendar")
DESIGNATORS = listed("designators")
ORGANISATION_HEADS = DESIGNATORS | listed("organisation heads")
ORGANISATIONS = listed("organisations")
PLACE_HEADS = listed("place heads")
JOINED_BY_OF = ORGANISATION_HEADS | (PLACE_HEADS - {"corner", "state"}) | listed("joined by of")
PARTICLES = listed("particles")
HONOURS = listed("honours")
SAYING = listed("saying")
VERBS = SAYING | listed("verbs")
ACRONYMS = listed("acronyms")
FUNCTION = listed("function")
COMMON = FUNCTION | listed("common")
