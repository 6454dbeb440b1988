"""Find the names of an English text by rules that need nothing installed.

The rules go by large letters. What a large letter proves depends on where it is: nothing where a
sentence, a quotation or a heading begins, so that such a word needs evidence: the rest of the text
(written large inside sentences, never small), a title before it, a list of places or given names.
Everyday words written large (the House, the Doctor) are parts of names but seldom names. Parts of
speech, where they are known, decide instead.

A name holds its title (Mr. Darcy), initials, particles (de, van), "of" where it belongs to it (the
Isle of Man) and a "the" that comes before a name which is no one's. It ends before a possessive 's.
Adjectives of nationality are names only where they stand alone; months and days are none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from sameas.without_gold.lexicon import (
    ACRONYMS,
    CALENDAR,
    COMMON,
    DESIGNATORS,
    EPITHETS,
    FUNCTION,
    GIVEN_NAMES,
    GROUPS,
    HONOURS,
    JOINED_BY_OF,
    MEMBERS,
    NATIONALITIES,
    NICKNAMES,
    ORGANISATION_HEADS,
    ORGANISATIONS,
    PARTICLES,
    PLACE_HEADS,
    PLACES,
    SAYING,
    TITLES,
    VERBS,
    listed,
)
from sameas.without_gold.name import ORGANISATION, OTHER, PERSON, PLACE, Name

__all__ = ["Sentences", "find_names"]

Sentences = Sequence[Sequence[str]]
LONGEST_ACRONYM = 6  # letters; longer words in capitals are shouted, or stand in a heading
LONGEST_HEADING = 40  # words
LONGEST_NAME = 12  # words, within which "and" may join parts of the name of an organisation
OFTEN = 3  # times that "the House" is written large, and never small, until it is taken for a name

# What a word may be to a name: nothing; a name; an everyday word written large, which is part of a
# name but seldom one; the same where the large letter proves nothing; an adjective of nationality.
_NO, _NAME, _WORD, _WEAK, _ADJECTIVE = range(5)

_TITLES = frozenset(TITLES) - EPITHETS
_ONLY_TITLES = listed("only titles")
_SAINTS = listed("saints")
_NO_ARTICLE = listed("no article")
_GIVEN = (frozenset(GIVEN_NAMES) | frozenset(NICKNAMES)) - COMMON
_MONTHS_OR_GIVEN = listed("months or given names")
_NO_NAMES = (FUNCTION | CALENDAR) - _MONTHS_OR_GIVEN - {"will"}
_ORDINALS = listed("ordinals")
# After these a large letter proves nothing.
_OPENING = frozenset("\"“‘«„‚`'([{-–—…:;.!?*_•·/|") | listed("opening")
_POSSESSIVE = frozenset(["'s", "’s", "'S", "’S", "'", "’"])
_SMALL_IN_HEADINGS = PARTICLES | _POSSESSIVE | listed("small in headings")
_ORDINARY_ENDINGS = tuple(listed("ordinary endings"))
_COMPOUNDS = tuple(f"-{ending}" for ending in listed("compound endings"))
_LARGE_LATER = re.compile(r"[a-z]['’]?[A-Z]|(?:al|el|bin|ibn|de)-[A-Z]")  # iPhone, d'Artagnan
_ROMAN = re.compile(r"[IVXLC]+\.?$")
_DETERMINERS = listed("before common nouns")
_OF_A_KIND = listed("before one of a kind")
_OF_MANY = listed("after many")
_COPULAS = listed("copulas")
_BEFORE_DATES = listed("before dates")
_BEFORE_PLACES = listed("before places")
_BEFORE_PARTICLES = listed("before particles")
_LOCATING = ("in", "near")  # not "to" and "from", which companies and people have as well
# Parts of speech of the Penn Treebank and of Universal Dependencies.
_PROPER = listed("tags of names")
_MAY_BE_NAMES = ("N", "J", "ADJ", "PROPN", "FW", "X", "VBN", "VBG")
_TAGS = _PROPER | listed("other tags")


def find_names(sentences: Sentences, tags: Sentences | None = None) -> list[Name]:
    """The names of an English text by rules; they do not overlap.

    >>> text = "Then Emma saw the Bank of England . Emma 's French maid smiled ."
    >>> words = text.split()
    >>> for name in find_names([words[:8], words[8:]]):
    ...     print(words[name.first : name.last + 1], name.type)
    ['Emma'] person
    ['the', 'Bank', 'of', 'England'] organisation
    ['Emma'] person
    """
    text = _Text(sentences, tags)
    return _typed(text, text.runs())


class _Text:
    """The words of a document, and what each may be to a name."""

    def __init__(self, sentences: Sentences, tags: Sentences | None) -> None:
        self.words = [word for sentence in sentences for word in sentence]
        self.low = [word.lower() for word in self.words]
        self.tags = _usable(tags, len(self.words))
        self.written = Counter(self.words)
        self.large: list[int] = []
        self.proof: list[bool] = []  # of each large word: does its large letter prove anything?
        self.bounds: list[tuple[int, int]] = []  # where its sentence begins and ends
        self._look(sentences)
        proven = [place for place, proof in zip(self.large, self.proof, strict=True) if proof]
        self.inside = Counter(self.low[place] for place in proven)
        # Two large words that the text writes large inside a sentence belong together elsewhere.
        self.pairs = {
            (self.low[one], self.low[two]) for one, two in pairwise(proven) if two == one + 1
        }
        self.kind: dict[int, int] = {}
        self._judge()

    def _look(self, sentences: Sentences) -> None:
        """Find the large words, and which of them prove something."""
        words, low, tags = self.words, self.low, self.tags
        # Small words are names, if tagged so, only in scripts and texts without large letters.
        no_case = tags is not None and words == low
        first = 0
        for sentence in sentences:
            stop = first + len(sentence)
            large = [
                place
                for place in range(first, stop)
                if words[place] != low[place]
                and (words[place][0].isupper() or _LARGE_LATER.match(words[place]))
            ]
            if tags is not None:
                proper = {
                    place
                    for place in range(first, stop)
                    if tags[place] in _PROPER
                    and words[place][:1].isalpha()
                    and (no_case or not words[place].islower())
                }
                if not proper.issubset(large):
                    large = sorted(proper.union(large))
            if large:
                heading = self._is_heading(first, stop, len(large))
                self.proof.extend(
                    not heading
                    and place > first
                    and words[place - 1] not in _OPENING
                    and not (len(words[place]) > 1 and words[place].isupper())
                    for place in large
                )
                self.large.extend(large)
                self.bounds.extend([(first, stop)] * len(large))
            first = stop

    def _is_heading(self, first: int, stop: int, large: int) -> bool:
        """Whether every word that is not small by custom is written large."""
        if large < 2 or stop - first > LONGEST_HEADING:
            return False
        words, low = self.words, self.low
        longer = 0
        for place in range(first, stop):
            word = words[place]
            if word[:1].islower():
                if place == first or low[place] not in _SMALL_IN_HEADINGS:
                    return False
            elif len(word) > 3 and word[:1].isupper():
                longer += 1
        return longer > 1

    def _judge(self) -> None:
        """Say of each large word what it may be."""
        low, kind = self.low, self.kind
        known: dict[tuple[str, bool], int] = {}
        judge = self._untagged if self.tags is None else self._tagged
        for place, proof in zip(self.large, self.proof, strict=True):
            word = self.words[place]
            if self.tags is not None or (len(word) > 1 and word.isupper()):
                kind[place] = judge(place, proof)
                continue
            found = known.get((word, proof))
            if found is None:
                found = known[word, proof] = judge(place, proof)
            if found == _WEAK and self._speaks(place):
                found = _NAME
            kind[place] = found
        # What a word is may follow from the next one, and from the one before.
        for place in reversed(self.large):
            if low[place] in _MONTHS_OR_GIVEN and kind.get(place + 1) == _NAME:
                if place and low[place - 1] not in _BEFORE_DATES:
                    kind[place] = _NAME
                continue
            if kind[place] == _WEAK and kind.get(place + 1, _NO) in (_NAME, _WORD):
                pair = low[place], low[place + 1]
                if (
                    pair in self.pairs
                    or " ".join(pair) in PLACES
                    or (low[place] in _BEFORE_PLACES and kind[place + 1] == _NAME)
                ):
                    kind[place] = _WORD
                elif self._unknown(low[place]):
                    kind[place] = _NAME
        for place in self.large:
            if kind[place] == _WEAK and kind.get(place - 1, _NO) in (_NAME, _WORD):
                if (low[place - 1], low[place]) in self.pairs:
                    kind[place] = _WORD
                elif low[place - 1] in _GIVEN and self._unknown(low[place]):
                    kind[place] = _NAME
            elif low[place] in _ORDINALS and low[place + 1 : place + 2] in (["avenue"], ["street"]):
                kind[place] = _WORD

    def _untagged(self, place: int, proof: bool) -> int:
        word, low = self.words[place], self.low[place]
        if word == "US":
            return self._capitals(place)
        if low in FUNCTION or low in CALENDAR or low.endswith(_COMPOUNDS):
            return _NO
        if len(word) > 1 and word.isupper():
            return self._capitals(place)
        if low in ACRONYMS and low not in _TITLES and not word.isalpha():
            return _NO
        small, inside = self.written[low], self.inside[low]
        if low in NATIONALITIES:
            return _ADJECTIVE
        if low in GROUPS:
            return _NAME
        if low in MEMBERS:
            return _WORD if proof else _WEAK
        if proof:
            ordinary = low in COMMON or small * 2 >= inside
            return _WORD if ordinary else _NAME
        if inside > small and (low not in COMMON or small == 0):
            return _WORD if low in COMMON else _NAME
        if small == 0 and (low in _GIVEN or low in PLACES):
            return _NAME
        return _WEAK

    def _capitals(self, place: int) -> int:
        """A word all in capitals: an acronym, an initial, or a word that is shouted."""
        word, low = self.words[place], self.low[place]
        if low in ACRONYMS:
            return _NO
        if "." in word:
            return _NAME
        if word != "US":
            if low in COMMON or self.written[low]:
                return _WEAK
            if self.inside[low] or low in _GIVEN or low in PLACES:
                return _NAME
        around = self.words[max(place - 1, 0) : place] + self.words[place + 1 : place + 2]
        shouted = any(len(word) > 1 and word.isupper() for word in around)
        return _WEAK if shouted or len(word) > LONGEST_ACRONYM else _NAME

    def _unknown(self, low: str) -> bool:
        """Whether nothing says that a word is an everyday one."""
        return not (
            low in COMMON or low in MEMBERS or self.written[low] or low.endswith(_ORDINARY_ENDINGS)
        )

    def _speaks(self, place: int) -> bool:
        """Whether an unknown word that begins a sentence is what names are: who does something."""
        low = self.low[place]
        after = self.low[place + 1] if place + 1 < len(self.low) else ""
        if low.endswith("s") and after in _OF_MANY:
            return False
        return after in VERBS and self._unknown(low)

    def _tagged(self, place: int, proof: bool) -> int:
        """The same with a part of speech, which decides where the large letter proves nothing."""
        assert self.tags is not None
        word, low, tag = self.words[place], self.low[place], self.tags[place]
        if word == low:
            return _NO if low in FUNCTION or low in CALENDAR else _NAME
        what = self._untagged(place, proof)
        if what in (_NO, _ADJECTIVE):
            return what
        if tag in _PROPER:
            if what == _WEAK:
                return _NAME if self._unknown(low) else _WORD if proof else _WEAK
            return what
        if not tag.startswith(_MAY_BE_NAMES):
            return _WEAK if what == _NAME and self.inside[low] > 1 else _NO
        return what if proof else _WEAK

    def runs(self) -> list[tuple[int, int]]:
        """First and last word of each name."""
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

    def title(self, place: int, last: int) -> bool:
        """Whether a title is here, before the name of a person, which goes to `last` at most."""
        low, words = self.low, self.words
        after = place + 1
        title = low[place].rstrip(".")
        if after > last or title not in _TITLES or words[place] == low[place]:
            return False
        if words[after] == low[after]:
            return title in _ONLY_TITLES and low[after] in PARTICLES
        if low[after] in ORGANISATION_HEADS:
            return False  # General Assembly
        shouted = words[place].isupper() and self.kind.get(after) == _WEAK
        if shouted and low[after] in COMMON:
            return False
        return title in _ONLY_TITLES or low[after] not in _NO_NAMES

    def _run(self, place: int, end: int) -> tuple[int, int] | None:
        """From a large word as far as the name may go."""
        kind, low = self.kind, self.low
        first = place
        while self.title(place, end - 1):
            place += 1
        if place == first:
            if kind[place] in (_NO, _WEAK):
                return None
        else:
            while place + 1 < end and self.words[place] == low[place]:
                if low[place] not in PARTICLES:
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
        """The next large word with which a name goes on, or the last one again."""
        low, words, kind = self.low, self.words, self.kind
        after = last + 1
        word = low[after]
        if word != words[after]:
            if kind.get(after, _NO) in (_NO, _WEAK):
                numbered = word in HONOURS and kind.get(last) == _NAME
                return after if numbered else last
            if word.rstrip(".") in _ONLY_TITLES and self.title(after, end - 1):
                return last
            shouted = len(words[last]) > LONGEST_ACRONYM and words[last].isupper()
            return last if shouted and not words[after].isupper() else after
        if after in kind:
            return after if kind[after] == _NAME else last
        return self._past(word, first, last, end) if after + 1 < end else last

    def _past(self, word: str, first: int, last: int, end: int) -> int:
        """The large word with which a name goes on past a small one, or the last one again."""
        low, words, kind = self.low, self.words, self.kind
        place = last + 2
        if word == "of" and low[place] == "the":
            place += place + 1 < end
        elif word in PARTICLES:
            most = min(end - 1, last + 4)
            while place < most and (low[place] in PARTICLES or words[place] == "-"):
                place += 1
        what, after_name = kind.get(place, _NO), kind.get(last) == _NAME
        if word == "of":
            joined = low[last] in JOINED_BY_OF and what not in (_NO, _WEAK)
        elif word in PARTICLES:
            joined = what == _NAME and (after_name or low[last] in _BEFORE_PARTICLES)
        elif word == "and":
            # The Department of Health and Education
            parts = low[max(first, last - LONGEST_NAME) : last]
            joined = what == _WORD and not ORGANISATION_HEADS.isdisjoint(parts)
        elif word == "the" and low[place] in _ORDINALS:
            joined = low[last] in _GIVEN and words[place] != low[place]  # Charles the Second
        elif what not in (_NAME, _WORD):
            joined = False
        elif word in ("for", "on"):
            joined = low[last] in ORGANISATION_HEADS
        elif word == "the":
            # William the Conqueror; but not "Emma the Queen 's maid".
            large = words[place] != low[place]
            joined = large and low[last] in _GIVEN and low[place] not in _TITLES
        elif word in ("&", "-"):
            joined = word == "&" or after_name
        else:
            joined = word in _POSSESSIVE and low[place] in PLACE_HEADS
        return place if joined else last

    def _cut(self, first: int, last: int) -> tuple[int, int] | None:
        """The name without what does not belong to it; None if nothing that is a name is left."""
        kind, low = self.kind, self.low
        if last > first:
            if self.title(first, last):
                return first, last
            if _ROMAN.match(self.words[first]) and self.title(first + 1, last):
                return first + 1, last
            if kind[first] == _ADJECTIVE and low[first + 1] in _GIVEN:
                first += low[first] not in GIVEN_NAMES
        before = low[first - 1] if first else ""
        if first == last:
            return (first, last) if self._is_name(first, before) else None
        kinds = {kind.get(place, _NO) for place in range(first, last + 1)}
        if kinds <= {_ADJECTIVE, _NO} or (_NAME not in kinds and before in ("a", "an")):
            return None
        return first, last

    def _is_name(self, place: int, before: str) -> bool:
        """Whether a single word is a name."""
        what, word, low = self.kind[place], self.words[place], self.low[place]
        inside = self.inside[low]
        if what == _ADJECTIVE:
            after = self.low[place + 1] if place + 1 < len(self.low) else ""
            verb = after in FUNCTION or after in VERBS
            noun = after == "-" or (after.isalpha() and not verb)
            return before not in _COPULAS and not noun
        if what == _NAME:
            one_of_a_kind = before not in _OF_A_KIND or inside > 1 or low in GROUPS
            return word == low or (len(word.strip(".’'-")) > 1 and one_of_a_kind)
        everyday = self.written[low] and word != low
        if everyday or inside < 2 or low.rstrip(".") in _TITLES:
            return False
        return before not in _DETERMINERS or (before == "the" and inside >= OFTEN)

    def _with_article(self, first: int, last: int, begin: int, end: int) -> tuple[int, int]:
        """The name with the "the" before it, unless a noun follows: "the Darcy family"."""
        low = self.low
        if first == begin or low[first - 1] != "the" or low[first].rstrip(".") in _NO_ARTICLE:
            return first, last
        after = low[last + 1] if last + 1 < end else ""
        head = low[last]
        if (
            not after.isalpha()
            or after in FUNCTION
            or after in VERBS
            or after.endswith("ed")
            or (head in PLACE_HEADS and first < last)
            or (head in ORGANISATION_HEADS and first < last)
            or head in GROUPS
            or (first == last and self.kind.get(first) == _WORD)
        ):
            return first - 1, last
        return first, last


def _usable(tags: Sentences | None, size: int) -> list[str] | None:
    if tags is None:
        return None
    flat = [tag for sentence in tags for tag in sentence]
    if len(flat) != size or _TAGS.isdisjoint(flat):
        return None
    return flat


def _typed(text: _Text, runs: list[tuple[int, int]]) -> list[Name]:
    """The names with their types: what they say themselves, then what the text says elsewhere."""
    low = text.low
    types: list[str] = []
    persons: set[str] = set()
    for first, last in runs:
        found = _type(text, first, last)
        types.append(found)
        if found == PERSON:
            # York is none because of a Duke of York.
            part = low[first : last + 1]
            persons.update(part[: part.index("of")] if "of" in part else part)
    hints: dict[str, Counter[str]] = {}
    for (first, last), found in zip(runs, types, strict=True):
        if found:
            continue
        hint = _hint(text, first, last)
        if hint:
            hints.setdefault(low[last], Counter())[hint] += 1
    return [
        Name(first, last, found or _guess(text, first, last, persons, hints))
        for (first, last), found in zip(runs, types, strict=True)
    ]


def _type(text: _Text, first: int, last: int) -> str:
    low = text.low
    if low[first] == "the":
        first += 1
    stop = last
    for place in range(first + 1, last):
        if low[place] in ("of", "for", "on"):
            stop = place - 1
            break
    head = low[stop]
    if last > first and head in DESIGNATORS:
        return ORGANISATION
    whole = " ".join(low[first : last + 1])
    if whole in PLACES:
        return PLACE
    if whole in ORGANISATIONS:
        return ORGANISATION
    if low[first] not in _SAINTS and any(text.title(place, last) for place in range(first, stop)):
        return PERSON
    if stop < last and head in _TITLES:
        return PERSON  # the Duke of York
    if first == last:
        if head in _GIVEN:
            return PERSON
        if head in GROUPS or head in NATIONALITIES:
            return OTHER
        return ""
    if head in ORGANISATION_HEADS or (
        stop > first and f"{low[stop - 1]} {head}" in ORGANISATION_HEADS
    ):
        return ORGANISATION
    if head in PLACE_HEADS:
        return PLACE
    if low[first] in _BEFORE_PLACES:
        return PLACE
    if low[first] in _GIVEN or low[last] in HONOURS:
        return PERSON
    if low[first] in GIVEN_NAMES and text.kind.get(last) == _NAME:
        return PERSON
    if any(len(low[place].rstrip(".")) == 1 for place in range(first, last)):
        return PERSON
    return ""


def _hint(text: _Text, first: int, last: int) -> str:
    low = text.low
    before = low[first - 1] if first else ""
    after = low[last + 1] if last + 1 < len(low) else ""
    if text.words[last].isupper():
        return ""
    if after in SAYING or before in SAYING:
        return PERSON
    return PLACE if before in _LOCATING else ""


def _guess(
    text: _Text, first: int, last: int, persons: set[str], hints: dict[str, Counter[str]]
) -> str:
    head = text.low[last]
    if head in persons:
        return PERSON
    hinted = hints.get(head)
    if not hinted:
        return ""
    return PERSON if hinted[PERSON] * 2 >= hinted[PLACE] else PLACE
