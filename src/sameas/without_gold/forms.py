"""Names to what is compared of them: words without titles, and what they tell of a person."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from sameas.without_gold.lexicon import (
    COMPANY_SUFFIXES,
    COUNTRY_OF,
    EPITHETS,
    GIVEN_NAMES,
    SUFFIXES,
    TITLES,
    listed,
)
from sameas.without_gold.name import OTHER, PERSON, Name, broad_type

_LAST_NAME_PARTICLES = listed("last name particles")
_DETERMINERS = listed("determiners")
_POSSESSIVE = listed("possessives")
_ENDINGS = listed("possessive endings")
_SELVES = listed("reflexives")
_FUNCTION_WORDS = listed("function words")
_CUTS = listed("cuts")
_PREPOSITIONS = listed("prepositions")
_DIRECTIONS = listed("directions")


@lru_cache(maxsize=1 << 16)
def _fold(word: str) -> str:
    """Small letters without accents, dots and apostrophes' shapes."""
    word = word.replace("’", "'").replace("‘", "'")
    if not word.isascii():
        apart = unicodedata.normalize("NFKD", word)
        word = "".join(c for c in apart if not unicodedata.combining(c)) or word
    if len(word) == 2 and word[1] == "." and word[0].isupper():
        return word.casefold()  # an initial: "A. Reed" has no article, "V. Reed" no number
    word = word.casefold()
    return word.replace(".", "") or word


def _span(words: Sequence[str], name: Name) -> Sequence[str]:
    return words[max(name.first, 0) : name.last + 1]


def _stripped(tokens: Sequence[str]) -> tuple[str, ...]:
    """Without determiners at the beginning, possessive 's at the end, punctuation around."""
    low, high = 0, len(tokens)
    while high > low and (tokens[high - 1] in _ENDINGS or not _wordy(tokens[high - 1])):
        high -= 1
    while low < high and not _wordy(tokens[low]):
        low += 1
    while low < high - 1 and (tokens[low].casefold() in _DETERMINERS or not _wordy(tokens[low])):
        low += 1
    return tuple(tokens[low:high]) or tuple(tokens)


@lru_cache(maxsize=1 << 16)
def _wordy(word: str) -> bool:
    return any(c.isalnum() for c in word)


def _acronym(tokens: Sequence[str]) -> str:
    """The letters of a name that looks like an acronym, in small letters, or nothing."""
    if not 1 <= len(tokens) <= 6:
        return ""
    if len(tokens) > 1 and not all(len(t) <= 2 and t[:1].isupper() for t in tokens if t != "&"):
        return ""
    text = "".join(tokens).replace(".", "").replace("-", "").replace("&", "")
    capitals = sum(c.isupper() for c in text)
    if 2 <= len(text) <= 8 and text.isalnum() and capitals >= 2 and capitals >= len(text) - 2:
        return text.casefold()
    return ""


def _initials(tokens: Sequence[str]) -> list[str]:
    parts = [part for token in tokens for part in re.split(r"[-–/]", token) if part[:1].isalnum()]
    if not 2 <= len(parts) <= 12:
        return []
    variants = [
        parts,
        [p for p in parts if p[:1].isupper() or p[:1].isdigit()],
        [p for p in parts if p.casefold() not in _FUNCTION_WORDS],
        [p for p in parts if _fold(p) not in COMPANY_SUFFIXES and p[:1].isupper()],
    ]
    found = {"".join(p[0] for p in v).casefold() for v in variants if len(v) >= 2}
    return sorted(found)


@dataclass(slots=True, eq=False)
class _Form:
    """What is compared of a name; names with the same words, titles and type share one."""

    kind: str  # broad type; where the type is not known, person if it looks so
    label: str
    words: tuple[str, ...]  # folded, without titles and without what follows the name
    written: tuple[str, ...]  # the same words as they are written
    tail: tuple[str, ...] = ()  # folded words after a comma: "Lundby , Ohio"
    titles: tuple[str, ...] = ()
    gender: str = ""
    suffix: str = ""
    whole: bool = False  # "the Duke of Lund", "Ann and Bob": no part of it is a name of it
    names: list[int] = field(default_factory=list)  # in the order of the text

    @property
    def key(self) -> tuple[object, ...]:
        label = self.label if self.kind == OTHER else ""
        return self.kind, label, self.words, self.tail, self.titles, self.suffix, self.whole


_ORGANISATION_HEADS = listed("ends of organisations")
_PLACE_HEADS = listed("ends of places")
_MARRIED = listed("married titles")
_UNMARRIED = listed("unmarried titles")
_BEFORE_GIVEN = listed("titles before given names")
_ENDING = listed("titles in the middle")
_QUANTITIES = listed("quantities")


def _capital(token: str) -> bool:
    return any(c.isupper() for c in token) or not token[:1].isascii()


def _form(tokens: tuple[str, ...], label: str) -> _Form:
    kind = broad_type(label)
    base = _stripped(tokens)
    definite = bool(tokens) and tokens[0].casefold() in _DETERMINERS
    cut, comma = len(base), 0
    for place, token in enumerate(base):
        if place and token.casefold() in _CUTS:
            cut = place
            break
        if token == "," and place and not comma:
            comma = place
    core: tuple[str, ...] = _stripped(base[:cut])
    tail: tuple[str, ...] = ()
    if 0 < comma < cut and not any(t.casefold() in _JOINING for t in base[comma:cut]):
        core, tail = _stripped(base[:comma]), base[comma + 1 : cut]
    if kind in ("", PERSON):
        person = _person(core, tail, label, kind, definite)
        if person is not None:
            return person
    folded = tuple(_fold(token) for token in core)
    after = tuple(_fold(token) for token in tail if _wordy(token))
    return _Form(kind, label.casefold(), folded, core, after)


def _person(
    core: tuple[str, ...], tail: tuple[str, ...], label: str, kind: str, definite: bool
) -> _Form | None:
    """The form of a person's name; None if the type is not known and it does not look like one."""
    folded = [_fold(token) for token in core]
    while len(folded) > 1 and folded[-1] in _SELVES:
        folded.pop()
    core = core[: len(folded)]
    start, titles, several = _after_titles(core, folded)
    end = _before_preposition(folded, start)
    rest, written = folded[start:end], core[start:end]
    whole = (
        several
        or not _JOINING.isdisjoint(folded)
        or folded[-2:] == ["et", "al"]
        or end == start < len(folded)
        or (bool(rest) and all(word in TITLES and word not in GIVEN_NAMES for word in rest))
        or (definite and len(folded) == 1)  # "the Reeds"
        or (bool(rest) and rest[-1].endswith("s") and rest[-1] in COUNTRY_OF)  # "many Germans"
    )
    if whole:
        rest, written, titles = folded, core, []
    suffix = ""
    while len(rest) > 1 and (rest[-1] in SUFFIXES or rest[-1] == "i" or not _wordy(rest[-1])):
        suffix = suffix or rest[-1]
        rest, written = rest[:-1], written[:-1]
    if tail and _fold(tail[0]) in SUFFIXES:
        suffix = _fold(tail[0])
    if kind != PERSON and (whole or not _looks_like_a_person(rest, written, titles)):
        return None
    gender = next((TITLES[title] for title in titles if TITLES[title]), "")
    if not gender and rest and not whole and (len(rest) > 1 or not titles):
        gender = GIVEN_NAMES.get(rest[0], "")
    pairs = [pair for pair in zip(rest, written, strict=True) if _wordy(pair[0])]
    if pairs:
        rest, written = [r for r, _ in pairs], tuple(w for _, w in pairs)
    return _Form(
        PERSON, label.casefold(), tuple(rest), written, (), tuple(titles), gender, suffix, whole
    )


def _before_preposition(folded: Sequence[str], start: int) -> int:
    """Where the name ends: "Anna of Lundby" is one; of "Duke of Lund" no part would do."""
    for place in range(start, len(folded)):
        if folded[place] in _PREPOSITIONS:
            return start if place > start and folded[place - 1] in TITLES else place
    return len(folded)


def _looks_like_a_person(
    rest: Sequence[str], written: Sequence[str], titles: Iterable[str]
) -> bool:
    """Whether words of unknown type look like a person's name."""
    if not 1 <= len(rest) <= 4 or rest[-1] in _PLACE_HEADS or rest[-1] in _ORGANISATION_HEADS:
        return False
    titled = any(t not in EPITHETS and t not in _PARTS_OF_PLACES for t in titles)
    return _capital(written[0]) and (titled or rest[0] in GIVEN_NAMES)


_PARTS_OF_PLACES = listed("titles of places")
_JOINING = listed("joining")


def _after_titles(core: Sequence[str], folded: Sequence[str]) -> tuple[int, list[str], bool]:
    """Where the name begins after titles and descriptions; the titles; if it is of several."""
    start, size = 0, len(folded)
    titles: list[str] = []
    several = False
    some_capital = any(map(_capital, core))
    while start < size - 1:
        word = folded[start]
        # "Dean Martin" is no dean, but "Dean James Martin" is one.
        if word in TITLES and not (word in GIVEN_NAMES and size - start == 2):
            titles.append(word)
        elif word in _QUANTITIES or word[:1].isdigit():
            several = True
        elif (
            _wordy(word)
            and word not in _POSSESSIVE
            and word not in _DETERMINERS
            and (not some_capital or _capital(core[start]) or word in _LAST_NAME_PARTICLES)
        ):
            break
        start += 1
    for place in range(size - 2, start, -1):
        if folded[place] in _ENDING and _capital(core[place + 1]):
            if folded[place] in TITLES:
                titles.append(folded[place])
            start = place + 1
            break
    return start, titles, several
