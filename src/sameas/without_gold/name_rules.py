"""Find the names in an English text by rules, without any model.

The rules rely on capitals. A capital is no evidence at the start of a sentence or quotation or in a
heading. There, a word needs other evidence: the rest of the text (capitalised inside sentences,
never in lower case), a title before it, or a list of places or given names. Capitalised everyday
words (the House, the Doctor) are parts of names but rarely names. Parts of speech, if known, take
precedence.

A name includes its title (Mr. Darcy), initials, particles (de, van), an "of" that belongs to it
(the Isle of Man), and a "the" before a name that is not a person's. It ends before a possessive 's.
Adjectives of nationality are names only if they stand alone; months and days are not names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from sameas.without_gold import lexicon
from sameas.without_gold.large_words import ADJECTIVE, NAME, NO, WEAK, WORD, LargeWords, Sentences
from sameas.without_gold.lexicon import listed
from sameas.without_gold.name import ORGANISATION, OTHER, PERSON, PLACE, Name

__all__ = ["find_names"]

LONGEST_NAME = 12  # words within which "and" may join parts of the name of an organisation
OFTEN = 3  # occurrences of "the House" (and none of "the house") for it to count as a name
_NO_ARTICLE = listed("no article")
_OF_A_KIND = listed("before one of a kind")
_LOCATING = ("in", "near")  # not "to" and "from", which also precede companies and people
_NO_NOUNS = lexicon.NEVER_NAMES | lexicon.VERBS
_HEADS = lexicon.PLACE_HEADS | lexicon.ORGANISATION_HEADS
_ROMAN = re.compile(r"[IVXLC]+\.?$")


def find_names(sentences: Sentences, tags: Sequence[str] | None = None) -> list[Name]:
    """Return the names in an English text, non-overlapping; `tags` are parts of speech, if known.

    >>> text = "Then Emma saw the Bank of England . Emma 's French maid smiled ."
    >>> words = text.split()
    >>> for name in find_names([words[:8], words[8:]]):
    ...     print(words[name.first : name.last + 1], name.type)
    ['Emma'] person
    ['the', 'Bank', 'of', 'England'] organisation
    ['Emma'] person
    """
    text = _Finder(sentences, tags)
    return _typed(text, text.runs())


class _Finder(LargeWords):
    """Extend capitalised words to the names that they are part of."""

    def runs(self) -> list[tuple[int, int]]:
        """Return the first and last word of each name."""
        found: list[tuple[int, int]] = []
        done = -1
        for place, (begin, end) in zip(self.large, self.bounds, strict=True):
            if place <= done:
                continue
            run = self._run(place, end)
            if run is None:
                continue
            done = run[1]
            cut = self._cut(*run)
            if cut is not None:
                found.append(self._with_article(*cut, begin, end))
        return found

    def _run(self, place: int, end: int) -> tuple[int, int] | None:
        """Return the longest span that a name at `place` may cover; None if none starts there."""
        kind, low = self.kind, self.low
        first = place
        while self.has_title(place, end - 1):
            place += 1
        if place == first:
            if kind[place] in (NO, WEAK):
                return None
        else:
            while place + 1 < end and self.words[place] == low[place]:
                if low[place] not in lexicon.PARTICLES:
                    return None
                place += 1
        last = place
        while last + 1 < end:
            joined = self._joined(first, last, end)
            if joined == last:
                break
            last = joined
        return first, last

    def _joined(self, first: int, last: int, end: int) -> int:
        """Return the next capitalised word of the name, or `last` if the name ends."""
        low, words, kind = self.low, self.words, self.kind
        after = last + 1
        word = low[after]
        if word != words[after]:
            if kind.get(after, NO) in (NO, WEAK):
                numbered = word in lexicon.HONOURS and kind.get(last) == NAME
                return after if numbered else last
            if word.rstrip(".") in lexicon.ONLY_TITLES and self.has_title(after, end - 1):
                return last
            return last if self.is_shouted(last) and not words[after].isupper() else after
        if after in kind:
            return after if kind[after] == NAME else last
        return self._past(word, first, last, end) if after + 1 < end else last

    def _past(self, word: str, first: int, last: int, end: int) -> int:
        """Return the next word of the name after one in lower case, or `last` if the name ends."""
        low, words = self.low, self.words
        place = last + 2
        if word == "of" and low[place] == "the":
            place += place + 1 < end
        elif word in lexicon.PARTICLES:
            most = min(end - 1, last + 4)
            while place < most and (low[place] in lexicon.PARTICLES or words[place] == "-"):
                place += 1
        return place if self._is_joined(word, first, last, place) else last

    def _is_joined(self, word: str, first: int, last: int, place: int) -> bool:
        """Return whether a word in lower case joins a name to the word at `place`."""
        low, what = self.low, self.kind.get(place, NO)
        if word == "of":
            return low[last] in lexicon.JOINED_BY_OF and what not in (NO, WEAK)
        if word in lexicon.PARTICLES:
            named = self.kind.get(last) == NAME
            return what == NAME and (named or low[last] in listed("before particles"))
        if word == "and":
            # The Department of Health and Education
            parts = low[max(first, last - LONGEST_NAME) : last]
            return what == WORD and not lexicon.ORGANISATION_HEADS.isdisjoint(parts)
        if word == "the" and low[place] in lexicon.ORDINALS:
            # Charles the Second
            return low[last] in lexicon.GIVEN and self.words[place] != low[place]
        return what in (NAME, WORD) and self._joins_names(word, last, place)

    def _joins_names(self, word: str, last: int, place: int) -> bool:
        """Return whether a word such as "for", "the" or "&" joins two parts of a name."""
        low = self.low
        if word in ("for", "on"):
            return low[last] in lexicon.ORGANISATION_HEADS
        if word == "the":
            # William the Conqueror; but not "Emma the Queen 's maid".
            large = self.words[place] != low[place]
            return large and low[last] in lexicon.GIVEN and low[place] not in lexicon.PERSON_TITLES
        if word == "-":
            return self.kind.get(last) == NAME
        return word == "&" or (word in lexicon.POSSESSIVE and low[place] in lexicon.PLACE_HEADS)

    def _cut(self, first: int, last: int) -> tuple[int, int] | None:
        """Return the span without words outside the name; None if no name remains."""
        kind, low = self.kind, self.low
        if last > first:
            if self.has_title(first, last):
                return first, last
            if _ROMAN.match(self.words[first]) and self.has_title(first + 1, last):
                return first + 1, last
            if kind[first] == ADJECTIVE and low[first + 1] in lexicon.GIVEN:
                first += low[first] not in lexicon.GIVEN_NAMES
        before = low[first - 1] if first else ""
        if first == last:
            return (first, last) if self._is_name(first, before) else None
        kinds = {kind.get(place, NO) for place in range(first, last + 1)}
        if kinds <= {ADJECTIVE, NO} or (NAME not in kinds and before in ("a", "an")):
            return None
        return first, last

    def _is_name(self, place: int, before: str) -> bool:
        """Return whether a single word is a name."""
        what, word, low = self.kind[place], self.words[place], self.low[place]
        inside = self.inside[low]
        if what == ADJECTIVE:
            after = self.low[place + 1] if place + 1 < len(self.low) else ""
            noun = after == "-" or (after.isalpha() and after not in _NO_NOUNS)
            return before not in listed("copulas") and not noun
        if what == NAME:
            one_of_a_kind = before not in _OF_A_KIND or inside > 1 or low in lexicon.GROUPS
            return word == low or (len(word.strip(".’'-")) > 1 and one_of_a_kind)
        everyday = self.written[low] and word != low
        if everyday or inside < 2 or low.rstrip(".") in lexicon.PERSON_TITLES:
            return False
        return before not in listed("before common nouns") or (before == "the" and inside >= OFTEN)

    def _with_article(self, first: int, last: int, begin: int, end: int) -> tuple[int, int]:
        """Return the name with a preceding "the", unless a noun follows: "the Darcy family"."""
        low = self.low
        if first == begin or low[first - 1] != "the" or low[first].rstrip(".") in _NO_ARTICLE:
            return first, last
        after = low[last + 1] if last + 1 < end else ""
        noun = after.isalpha() and after not in _NO_NOUNS and not after.endswith("ed")
        everyday = low[last] in _HEADS if first < last else self.kind.get(first) == WORD
        needed = everyday or low[last] in lexicon.GROUPS or not noun
        return first - needed, last


def _typed(text: LargeWords, runs: list[tuple[int, int]]) -> list[Name]:
    """Return the names with their types, from their own words or else from the rest of the text."""
    low = text.low
    types = [_type(text, first, last) for first, last in runs]
    persons: set[str] = set()
    for (first, last), found in zip(runs, types, strict=True):
        if found == PERSON:
            # The Duke of York does not make York a person.
            part = low[first : last + 1]
            persons.update(part[: part.index("of")] if "of" in part else part)
    hints = Counter(
        (low[last], _hint(text, first, last))
        for (first, last), found in zip(runs, types, strict=True)
        if not found
    )
    return [
        Name(first, last, found or _guess(low[last], persons, hints))
        for (first, last), found in zip(runs, types, strict=True)
    ]


def _type(text: LargeWords, first: int, last: int) -> str:
    """Return the type of a name from its own words; empty if they do not determine it."""
    low = text.low
    first += low[first] == "the"
    joints = (place - 1 for place in range(first + 1, last) if low[place] in ("of", "for", "on"))
    stop = next(joints, last)
    if last > first and low[stop] in listed("designators"):
        return ORGANISATION
    whole = " ".join(low[first : last + 1])
    if whole in lexicon.PLACES:
        return PLACE
    if whole in listed("organisations"):
        return ORGANISATION
    if _is_titled(text, first, stop, last):
        return PERSON
    return _type_of_words(text, first, stop, last) if last > first else _type_of_word(low[last])


def _is_titled(text: LargeWords, first: int, stop: int, last: int) -> bool:
    """Return whether a name contains a title; `stop` is its last word before "of", if any."""
    low = text.low
    if stop < last and low[stop] in lexicon.PERSON_TITLES:
        return True  # the Duke of York
    places = range(first, stop) if low[first] not in listed("saints") else ()
    return any(text.has_title(place, last) for place in places)


def _type_of_word(word: str) -> str:
    if word in lexicon.GIVEN:
        return PERSON
    return OTHER if word in lexicon.GROUPS or word in lexicon.NATIONALITIES else ""


def _type_of_words(text: LargeWords, first: int, stop: int, last: int) -> str:
    low = text.low
    head = low[stop]
    heads = [head, f"{low[stop - 1]} {head}"] if stop > first else [head]
    if not lexicon.ORGANISATION_HEADS.isdisjoint(heads):
        return ORGANISATION
    if head in lexicon.PLACE_HEADS or low[first] in lexicon.BEFORE_PLACES:
        return PLACE
    if low[first] in lexicon.GIVEN or low[last] in lexicon.HONOURS:
        return PERSON
    if low[first] in lexicon.GIVEN_NAMES and text.kind.get(last) == NAME:
        return PERSON
    has_initial = any(len(low[place].rstrip(".")) == 1 for place in range(first, last))
    return PERSON if has_initial else ""


def _hint(text: LargeWords, first: int, last: int) -> str:
    low = text.low
    before = low[first - 1] if first else ""
    after = low[last + 1] if last + 1 < len(low) else ""
    if text.words[last].isupper():
        return ""
    if after in lexicon.SAYING or before in lexicon.SAYING:
        return PERSON
    return PLACE if before in _LOCATING else ""


def _guess(head: str, persons: set[str], hints: Counter[tuple[str, str]]) -> str:
    person, place = hints[head, PERSON], hints[head, PLACE]
    if head in persons or (person and 2 * person >= place):
        return PERSON
    return PLACE if place else ""
