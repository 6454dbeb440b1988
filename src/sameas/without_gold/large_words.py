"""Classify the capitalised words of an English text by their possible role in a name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from sameas.without_gold import lexicon
from sameas.without_gold.lexicon import listed

__all__ = [
    "ADJECTIVE",
    "NAME",
    "NO",
    "WEAK",
    "WORD",
    "LargeWords",
    "Sentences",
]

# The possible role of a word in a name: none; a name; a capitalised everyday word, which may be
# part of a name but is rarely one itself; such a word whose capital is no evidence; an adjective of
# nationality.
NO, NAME, WORD, WEAK, ADJECTIVE = range(5)

Sentences = Sequence[Sequence[str]]
LONGEST_ACRONYM = 6  # letters; longer words in capitals are shouted, or in a heading
_LONGEST_HEADING = 40  # words

_MONTHS_OR_GIVEN = listed("months or given names")
_NOT_AFTER_TITLES = (lexicon.NEVER_NAMES | lexicon.CALENDAR) - _MONTHS_OR_GIVEN - {"will"}
# After these, a capital is no evidence.
_OPENING = frozenset("\"“‘«„‚`'([{-–—…:;.!?*_•·/|") | listed("opening")
_SMALL_IN_HEADINGS = lexicon.PARTICLES | lexicon.POSSESSIVE | listed("small in headings")
_ORDINARY_ENDINGS = tuple(listed("ordinary endings"))
_COMPOUNDS = tuple(f"-{ending}" for ending in listed("compound endings"))
_LARGE_LATER = re.compile(r"[a-z]['’]?[A-Z]|(?:al|el|bin|ibn|de)-[A-Z]")  # iPhone, d'Artagnan
_PROPER = listed("tags of names")
_MAY_BE_NAMES = ("N", "J", "ADJ", "PROPN", "FW", "X", "VBN", "VBG")
_TAGS = _PROPER | listed("other tags")


class LargeWords:
    """The words of a document, and the possible role of each in a name."""

    def __init__(self, sentences: Sentences, tags: Sequence[str] | None) -> None:
        self.words = [word for sentence in sentences for word in sentence]
        self.low = [word.lower() for word in self.words]
        usable = tags and len(tags) == len(self.words) and not _TAGS.isdisjoint(tags)
        self.tags = tags if usable else None
        # Words in lower case that are tagged as names count only in texts without capitals.
        self.no_case = self.words == self.low
        self.written = Counter(self.words)
        self.large: list[int] = []
        self.proof: list[bool] = []  # whether the capital of each large word is evidence
        self.bounds: list[tuple[int, int]] = []  # start and end of its sentence
        self._find_large(sentences)
        proven = [place for place, proof in zip(self.large, self.proof, strict=True) if proof]
        self.inside = Counter(self.low[place] for place in proven)
        # Adjacent words that are capitalised inside a sentence belong together elsewhere too.
        self.pairs = {
            (self.low[one], self.low[two]) for one, two in pairwise(proven) if two == one + 1
        }
        self.kind: dict[int, int] = {}
        self._judge()

    def _find_large(self, sentences: Sentences) -> None:
        """Find the capitalised words, and those whose capital is evidence of a name."""
        words = self.words
        first = 0
        for sentence in sentences:
            stop = first + len(sentence)
            large = self._large_between(first, stop)
            heading = self._is_heading(first, stop, len(large))
            self.proof.extend(
                not heading
                and place > first
                and words[place - 1] not in _OPENING
                and not _in_capitals(words[place])
                for place in large
            )
            self.large.extend(large)
            self.bounds.extend([(first, stop)] * len(large))
            first = stop

    def _large_between(self, first: int, stop: int) -> list[int]:
        """Return the capitalised words of a sentence, and those tagged as names."""
        return [
            place
            for place, word in enumerate(self.words[first:stop], first)
            if (word != self.low[place] and (word[0].isupper() or _LARGE_LATER.match(word)))
            or (
                self.tags is not None
                and self.tags[place] in _PROPER
                and word[:1].isalpha()
                and (self.no_case or not word.islower())
            )
        ]

    def _is_heading(self, first: int, stop: int, large: int) -> bool:
        """Return whether a sentence looks like a heading: all but small words are capitalised."""
        if large < 2 or stop - first > _LONGEST_HEADING:
            return False
        words = self.words[first:stop]
        small = [word.lower() for word in words if word[:1].islower()]
        if words[0][:1].islower() or not _SMALL_IN_HEADINGS.issuperset(small):
            return False
        return sum(len(word) > 3 and word[:1].isupper() for word in words) > 1

    def _judge(self) -> None:
        """Determine the role of each capitalised word."""
        known: dict[tuple[str, bool], int] = {}
        judge = self._untagged if self.tags is None else self._tagged
        for place, proof in zip(self.large, self.proof, strict=True):
            word = self.words[place]
            if self.tags is not None or _in_capitals(word):
                self.kind[place] = judge(place, proof)
                continue
            if (word, proof) not in known:
                known[word, proof] = judge(place, proof)
            found = known[word, proof]
            self.kind[place] = NAME if found == WEAK and self._is_subject(place) else found
        for place in reversed(self.large):
            self._judge_by_next(place)
        for place in self.large:
            self._judge_by_last(place)

    def _judge_by_next(self, place: int) -> None:
        """Revise the role of a word, given the next word."""
        low, kind = self.low, self.kind
        following = kind.get(place + 1, NO)
        if low[place] in _MONTHS_OR_GIVEN and following == NAME:
            if place and low[place - 1] not in listed("before dates"):
                kind[place] = NAME
        elif kind[place] == WEAK and following in (NAME, WORD):
            pair = low[place], low[place + 1]
            together = pair in self.pairs or " ".join(pair) in lexicon.PLACES
            if together or (low[place] in lexicon.BEFORE_PLACES and following == NAME):
                kind[place] = WORD
            elif self._unknown(low[place]):
                kind[place] = NAME

    def _judge_by_last(self, place: int) -> None:
        """Revise the role of a word, given the previous word."""
        low, kind = self.low, self.kind
        if kind[place] == WEAK and kind.get(place - 1, NO) in (NAME, WORD):
            if (low[place - 1], low[place]) in self.pairs:
                kind[place] = WORD
            elif low[place - 1] in lexicon.GIVEN and self._unknown(low[place]):
                kind[place] = NAME
        elif low[place] in lexicon.ORDINALS and {"avenue", "street"} & set(
            low[place + 1 : place + 2]
        ):
            kind[place] = WORD

    def _untagged(self, place: int, proof: bool) -> int:
        """Return the role of a word, ignoring its part of speech."""
        word, low = self.words[place], self.low[place]
        if word == "US":
            return self._capitals(place)
        if low in lexicon.NEVER_NAMES or low in lexicon.CALENDAR or low.endswith(_COMPOUNDS):
            return NO
        if _in_capitals(word):
            return self._capitals(place)
        if low in lexicon.ACRONYMS and low not in lexicon.PERSON_TITLES and not word.isalpha():
            return NO
        if low in lexicon.NATIONALITIES:
            return ADJECTIVE
        if low in lexicon.GROUPS:
            return NAME
        if low in lexicon.MEMBERS:
            return WORD if proof else WEAK
        return self._by_frequency(low, proof)

    def _by_frequency(self, low: str, proof: bool) -> int:
        """Return the role of a word from how often it occurs in lower case and capitalised."""
        small, inside, common = self.written[low], self.inside[low], low in lexicon.COMMON
        if proof:
            return WORD if common or small * 2 >= inside else NAME
        if inside > small and (not common or small == 0):
            return WORD if common else NAME
        return NAME if small == 0 and (low in lexicon.GIVEN or low in lexicon.PLACES) else WEAK

    def _capitals(self, place: int) -> int:
        """Return the role of a word in capitals: it may be an acronym, initial or shouted word."""
        word, low = self.words[place], self.low[place]
        if low in lexicon.ACRONYMS:
            return NO
        if "." in word:
            return NAME
        if word != "US":
            if low in lexicon.COMMON or self.written[low]:
                return WEAK
            if self.inside[low] or low in lexicon.GIVEN or low in lexicon.PLACES:
                return NAME
        around = self.words[max(place - 1, 0) : place] + self.words[place + 1 : place + 2]
        shouted = any(map(_in_capitals, around))
        return WEAK if shouted or len(word) > LONGEST_ACRONYM else NAME

    def is_shouted(self, place: int) -> bool:
        """Return whether a word is in capitals and too long for an acronym."""
        return len(self.words[place]) > LONGEST_ACRONYM and self.words[place].isupper()

    def _unknown(self, low: str) -> bool:
        """Return whether a word shows no sign of being an everyday word."""
        everyday = low in lexicon.COMMON or low in lexicon.MEMBERS or self.written[low]
        return not everyday and not low.endswith(_ORDINARY_ENDINGS)

    def _is_subject(self, place: int) -> bool:
        """Return whether a word is unknown and looks like the subject of a verb, as names do."""
        low = self.low[place]
        after = self.low[place + 1] if place + 1 < len(self.low) else ""
        if low.endswith("s") and after in listed("after many"):
            return False
        return after in lexicon.VERBS and self._unknown(low)

    def _tagged(self, place: int, proof: bool) -> int:
        """Return the role of a word from its capitals and its part of speech."""
        assert self.tags is not None
        word, low, tag = self.words[place], self.low[place], self.tags[place]
        if word == low:
            return NO if low in lexicon.NEVER_NAMES or low in lexicon.CALENDAR else NAME
        what = self._untagged(place, proof)
        if what in (NO, ADJECTIVE):
            return what
        if tag in _PROPER:
            if what == WEAK:
                return NAME if self._unknown(low) else WORD if proof else WEAK
            return what
        if not tag.startswith(_MAY_BE_NAMES):
            return WEAK if what == NAME and self.inside[low] > 1 else NO
        return what if proof else WEAK

    def has_title(self, place: int, last: int) -> bool:
        """Return whether the word at `place` is a title before the name of a person.

        The name extends at most to `last`.
        """
        low, words = self.low, self.words
        after = place + 1
        title = low[place].rstrip(".")
        if after > last or title not in lexicon.PERSON_TITLES or words[place] == low[place]:
            return False
        if words[after] == low[after]:
            return title in lexicon.ONLY_TITLES and low[after] in lexicon.PARTICLES
        if low[after] in lexicon.ORGANISATION_HEADS:
            return False  # General Assembly
        shouted = words[place].isupper() and self.kind.get(after) == WEAK
        if shouted and low[after] in lexicon.COMMON:
            return False
        return title in lexicon.ONLY_TITLES or low[after] not in _NOT_AFTER_TITLES


def _in_capitals(word: str) -> bool:
    """Return whether a word of several characters is in capitals."""
    return len(word) > 1 and word.isupper()
