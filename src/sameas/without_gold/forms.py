"""Reduce names to the properties that are compared: words, titles, gender and suffix."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from sameas.without_gold import lexicon
from sameas.without_gold.lexicon import listed
from sameas.without_gold.name import OTHER, PERSON, Name, broad_type

__all__ = [
    "Form",
    "acronym",
    "fold",
    "initials",
    "is_wordy",
    "read_form",
    "span",
    "strip",
]

_THING_ENDS = lexicon.ORGANISATION_ENDS | lexicon.PLACE_ENDS
_DETERMINERS = listed("determiners")
_ENDINGS = listed("possessive endings")


@lru_cache(maxsize=1 << 16)
def fold(word: str) -> str:
    """Return a word in lower case, without accents, with straight apostrophes.

    Dots are removed, except from initials.

    >>> fold("Ltd."), fold("É"), fold("A.")
    ('ltd', 'e', 'a.')
    """
    word = word.replace("’", "'").replace("‘", "'")
    if not word.isascii():
        apart = unicodedata.normalize("NFKD", word)
        word = "".join(c for c in apart if not unicodedata.combining(c)) or word
    if len(word) == 2 and word[1] == "." and word[0].isupper():
        # In "A. Reed", "A." is not an article; in "V. Reed", "V." is not a number.
        return word.casefold()
    word = word.casefold()
    return word.replace(".", "") or word


@lru_cache(maxsize=1 << 16)
def is_wordy(word: str) -> bool:
    """Return whether a word has a letter or a digit."""
    return any(c.isalnum() for c in word)


def span(words: Sequence[str], name: Name) -> Sequence[str]:
    """Return the words of a name."""
    return words[max(name.first, 0) : name.last + 1]


def strip(tokens: Sequence[str]) -> tuple[str, ...]:
    """Remove leading determiners, final possessive 's, and punctuation at both ends."""
    low, high = 0, len(tokens)
    while high > low and (tokens[high - 1] in _ENDINGS or not is_wordy(tokens[high - 1])):
        high -= 1
    while low < high and not is_wordy(tokens[low]):
        low += 1
    while low < high - 1 and (tokens[low].casefold() in _DETERMINERS or not is_wordy(tokens[low])):
        low += 1
    return tuple(tokens[low:high]) or tuple(tokens)


def acronym(tokens: Sequence[str]) -> str:
    """Return the letters of a name that looks like an acronym, in lower case; else ""."""
    if not 1 <= len(tokens) <= 6:
        return ""
    if len(tokens) > 1 and not all(len(t) <= 2 and t[:1].isupper() for t in tokens if t != "&"):
        return ""
    text = re.sub("[.&-]", "", "".join(tokens))
    capitals = sum(c.isupper() for c in text)
    if 2 <= len(text) <= 8 and text.isalnum() and capitals >= 2 and capitals >= len(text) - 2:
        return text.casefold()
    return ""


def initials(tokens: Sequence[str]) -> list[str]:
    """Return the possible acronyms of a name."""
    parts = [part for token in tokens for part in re.split(r"[-–/]", token) if part[:1].isalnum()]
    if not 2 <= len(parts) <= 12:
        return []
    variants = [
        parts,
        [p for p in parts if p[:1].isupper() or p[:1].isdigit()],
        [p for p in parts if p.casefold() not in lexicon.FUNCTION_WORDS],
        [p for p in parts if fold(p) not in lexicon.COMPANY_SUFFIXES and p[:1].isupper()],
    ]
    return sorted({"".join(p[0] for p in v).casefold() for v in variants if len(v) >= 2})


@dataclass(slots=True, eq=False)
class Form:
    """The properties of a name that are compared; names with equal properties share a form."""

    kind: str  # broad type; if the type is unknown, person if it looks like one
    label: str
    words: tuple[str, ...]  # folded, without titles and without words after the name
    written: tuple[str, ...]  # the same words, unchanged
    tail: tuple[str, ...] = ()  # folded words after a comma: "Lundby , Ohio"
    titles: tuple[str, ...] = ()
    gender: str = ""
    suffix: str = ""
    whole: bool = False  # "the Duke of Lund", "Ann and Bob": no part is a name of the same person
    names: list[int] = field(default_factory=list)  # in text order

    @property
    def key(self) -> tuple[object, ...]:
        """The properties that all names of the form share."""
        label = self.label if self.kind == OTHER else ""
        return self.kind, label, self.words, self.tail, self.titles, self.suffix, self.whole

    @property
    def first(self) -> int:
        """The index of the form's earliest name in the text."""
        return self.names[0]

    @property
    def text(self) -> tuple[str, ...]:
        """The words, including those after the comma."""
        return (*self.words, ",", *self.tail)


class _Token(NamedTuple):
    """A word of a name, both folded and as written."""

    folded: str
    written: str

    @property
    def is_large(self) -> bool:
        """Whether the word has a capital letter or is in another script."""
        return any(c.isupper() for c in self.written) or not self.written[:1].isascii()


def read_form(tokens: tuple[str, ...], label: str) -> Form:
    """Return the form of a name with these words and this type.

    >>> read_form(("Mr.", "Henry", "Reed"), "PER").words
    ('henry', 'reed')
    """
    base = strip(tokens)
    places = range(1, len(base))
    cut = next((place for place in places if base[place].casefold() in listed("cuts")), len(base))
    comma = next((place for place in places[: cut - 1] if base[place] == ","), cut)
    core: tuple[str, ...] = strip(base[:cut])
    tail: tuple[str, ...] = ()
    if comma < cut and lexicon.JOINING.isdisjoint(map(str.casefold, base[comma:cut])):
        core, tail = strip(base[:comma]), base[comma + 1 : cut]
    kind = broad_type(label)
    if kind in ("", PERSON):
        definite = bool(tokens) and tokens[0].casefold() in _DETERMINERS
        person = _read_person(core, tail, label, definite)
        if person is not None:
            return person
    folded = tuple(map(fold, core))
    after = tuple(fold(token) for token in tail if is_wordy(token))
    return Form(kind, label.casefold(), folded, core, after)


def _read_person(
    core: tuple[str, ...], tail: tuple[str, ...], label: str, definite: bool
) -> Form | None:
    """Return the form of a person; None if the type is unknown and it does not look like one."""
    tokens = [_Token(fold(word), word) for word in core]
    while len(tokens) > 1 and tokens[-1].folded in listed("reflexives"):
        tokens.pop()
    start, titles, several = _after_titles(tokens)
    rest = tokens[start : _before_preposition(tokens, start)]
    whole = several or _is_whole(tokens, start, rest, definite)
    if whole:
        rest, titles = tokens, []
    rest, suffix = _without_suffix(rest)
    if tail and fold(tail[0]) in lexicon.SUFFIXES:
        suffix = fold(tail[0])
    if broad_type(label) != PERSON and (whole or not _looks_like_a_person(rest, titles)):
        return None
    gender = _gender(titles, [] if whole else rest)
    rest = [token for token in rest if is_wordy(token.folded)] or rest
    folded, written = (tuple(token[part] for token in rest) for part in (0, 1))
    return Form(PERSON, label.casefold(), folded, written, (), tuple(titles), gender, suffix, whole)


def _gender(titles: Sequence[str], name: Sequence[_Token]) -> str:
    """Return the gender of a person, from titles or else from the given name."""
    for title in titles:
        if lexicon.TITLES[title]:
            return lexicon.TITLES[title]
    if not name or (titles and len(name) == 1):  # "Mrs. Reed" has no given name
        return ""
    return lexicon.GIVEN_NAMES.get(name[0].folded, "")


def _after_titles(tokens: Sequence[_Token]) -> tuple[int, list[str], bool]:
    """Return where the name starts, the titles before it, and whether it names several people."""
    start, size = 0, len(tokens)
    titles: list[str] = []
    several = False
    some_large = any(token.is_large for token in tokens)
    while start < size - 1:
        word = tokens[start].folded
        # "Dean" is a given name in "Dean Martin", but a title in "Dean James Martin".
        if word in lexicon.TITLES and not (word in lexicon.GIVEN_NAMES and size - start == 2):
            titles.append(word)
        elif word in listed("quantities") or word[:1].isdigit():
            several = True
        elif _begins_name(tokens[start], some_large):
            break
        start += 1
    for place in range(size - 2, start, -1):
        word = tokens[place].folded
        if word in lexicon.ENDING_TITLES and tokens[place + 1].is_large:
            return place + 1, [*titles, *[word] * (word in lexicon.TITLES)], several
    return start, titles, several


def _begins_name(token: _Token, some_large: bool) -> bool:
    """Return whether a word that is not a title starts the name.

    `some_large` is whether any word of the name is capitalised.
    """
    word = token.folded
    if not is_wordy(word) or word in listed("possessives") or word in _DETERMINERS:
        return False
    return not some_large or token.is_large or word in lexicon.NAME_PARTICLES


def _before_preposition(tokens: Sequence[_Token], start: int) -> int:
    """Return where the name ends: after "Anna" in "Anna of Lundby"; `start` for "Duke of Lund"."""
    for place in range(start, len(tokens)):
        if tokens[place].folded in listed("prepositions"):
            return start if place > start and tokens[place - 1].folded in lexicon.TITLES else place
    return len(tokens)


def _is_whole(tokens: Sequence[_Token], start: int, rest: Sequence[_Token], definite: bool) -> bool:
    """Return whether a name is indivisible: no part alone names the same person ("Ann and Bob")."""
    folded = [token.folded for token in tokens]
    if not lexicon.JOINING.isdisjoint(folded) or folded[-2:] == ["et", "al"]:
        return True
    if definite and len(folded) == 1:  # "the Reeds"
        return True
    if not rest:
        return start < len(folded)
    last = rest[-1].folded
    if last.endswith("s") and last in lexicon.COUNTRY_OF:  # "many Germans"
        return True
    return all(
        token.folded in lexicon.TITLES and token.folded not in lexicon.GIVEN_NAMES for token in rest
    )


def _without_suffix(rest: list[_Token]) -> tuple[list[_Token], str]:
    """Remove suffixes such as "Jr."; return the rest, and the last suffix."""
    suffix = ""
    while len(rest) > 1:
        last = rest[-1].folded
        if last not in lexicon.SUFFIXES and last != "i" and is_wordy(last):
            break
        suffix = suffix or last
        rest = rest[:-1]
    return rest, suffix


def _looks_like_a_person(rest: Sequence[_Token], titles: Iterable[str]) -> bool:
    """Return whether words of unknown type look like a person's name."""
    if not 1 <= len(rest) <= 4 or rest[-1].folded in _THING_ENDS:
        return False
    titled = any(
        title not in lexicon.EPITHETS and title not in listed("titles of places")
        for title in titles
    )
    return rest[0].is_large and (titled or rest[0].folded in lexicon.GIVEN_NAMES)
