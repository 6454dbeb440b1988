"""Split names of several words, and match the words of one name with those of the other.

`split` cuts a name at separators (spaces, hyphens, commas, the dots of Chinese and Japanese, and
the equals sign of Japanese) and after the period of an initial. A sign that the model has learned
is one of its letters, and does not separate words.

The caller supplies the odds against each pair of words: `questions` yields the pairs to judge, and
`match` takes the odds and finds the matching with the lowest odds against the pair of names. It
allows for these variants:

- the words are in the same order, or rotated (*Smith John*), which a comma may signal;
- several words of one name correspond to one word of the other: *al-Rahman* is الرحمن;
- words are missing from the shorter name: rarely the first or last, more often initials and those
  in between;
- initials and numbers are the same in both names. A longer word that is merely copied was not
  transliterated, unless both sides of the model are in its script.

Words without letters and digits, such as a lone period, are dropped.

A pair is false if any of its words is. With the odds o against each of n words, and a uniform prior
over the sets of wrong words, the odds against the pair are (Π (1 + o) - 1) / (2ⁿ - 1); for one
word, this is o.
"""

from __future__ import annotations

import math
import re
from collections.abc import Container, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from sameas.names.units import graphemes, script_of, scripts

__all__ = [
    "APOSTROPHES",
    "COMMAS",
    "HYPHENS",
    "MOST",
    "ComparedWords",
    "NameWords",
    "Question",
    "WordMatching",
    "has_signs",
    "match",
    "questions",
    "split",
]

#: Maximum number of words; names with more are treated as one word.
MOST = 12
MERGED = 5  # maximum number of words that correspond to one word of the other name
#: Signs between closely linked words.
HYPHENS = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u05be\u058a=＝゠"
# The underscore stands for a space, as in Wikipedia titles.
_DOTS = "·•‧∙⋅・･_"
#: Signs after a leading family name.
COMMAS = ",，、،"
#: Signs within words that are not letters.
APOSTROPHES = "'’‘ʼʻʹ`´＇"
_BETWEEN = re.compile(
    rf"(\s*[{COMMAS}]\s*|\s*[{re.escape(HYPHENS)}{_DOTS}]\s*|\s+|(?<=\w\.)(?=\w))"
)
_COMMA = re.compile(f"[{COMMAS}]")
_SIGNS = re.compile(rf"[\s.{APOSTROPHES}{COMMAS}{re.escape(HYPHENS)}{_DOTS}]")
# Roman numerals, as in the names of rulers; longer ones may be names.
_NUMERAL = re.compile("(?=.)X{0,3}(IX|IV|V?I{0,3})")
_SYLLABLES = ("Han", "Hangul", "Hiragana", "Katakana")  # scripts in which one letter may be a name

# Odds against a pair.
SAME = 0.05  # of a word written the same in both names, such as W in George W. Bush
TURNED = 5.0  # factor if the words are rotated and no comma signals it
# Cap on the odds of a word when word orders are compared. Such a word is certainly wrong: higher
# odds must not favour another order in which the other words are wrong too.
WORST = 1e4
# Odds of a word without a counterpart: the first or last, one in between, an initial.
_END, _MIDDLE, _INITIAL = 4.0, 1.0, 0.25
# Limits of the odds of an initial against the word it stands for.
_LEAST, _GREATEST = 0.25, 4.0


class Question(NamedTuple):
    """A pair of words to judge, or of first letters if one of the words is an initial."""

    source: str
    target: str
    initial: bool = False


def split(name: str, learned: Container[str] = ()) -> list[str]:
    """Return the words of a name, with the separators between them.

    A name is one word if it has no separators, or one that is `learned`, at an end, or next to
    another.

    >>> split("Jean-Paul Sartre"), split("Jean-Paul", learned="-"), split("J.K. Rowling")
    (['Jean', '-', 'Paul', ' ', 'Sartre'], ['Jean-Paul'], ['J.', '', 'K.', ' ', 'Rowling'])
    """
    parts = _BETWEEN.split(name.strip())
    stray = not all(parts[::2])  # a separator at an end, or two in a row
    letters = any(sign in learned for between in parts[1::2] for sign in between)
    return [name] if len(parts) == 1 or stray or letters else parts


def has_signs(name: str) -> bool:
    """Return whether a name has spaces or punctuation.

    >>> has_signs("Anna"), has_signs("O'Hara"), has_signs("约翰·史密斯")
    (False, True, True)
    """
    return _SIGNS.search(name) is not None


@dataclass(frozen=True, slots=True)
class NameWords:
    """The words of a name, as written and as judged.

    >>> NameWords.of("O'Hara, J.").judged
    ('J', 'OHara')
    """

    written: tuple[str, ...]
    judged: tuple[str, ...]
    comma: bool  # the family name came first, before a comma, and was moved to the end
    dropped: tuple[str, ...] = ()  # words without letters and digits

    @classmethod
    def of(cls, name: str, learned: Container[str] = ()) -> NameWords:
        """Split a name. Periods and apostrophes are removed for judging, unless `learned`."""
        parts = split(name, learned)
        written, between = parts[::2], parts[1::2]
        if len(written) > MOST:
            written, between = [name], []
        commas = [place for place, one in enumerate(between, 1) if _COMMA.search(one)]
        turn = commas[0] if len(commas) == 1 else 0
        turned = written[turn:] + written[:turn]
        written = [word for word in turned if _has_letters(word, learned)] or turned
        signs = {sign for sign in (*APOSTROPHES, ".") if sign not in learned}
        judged = ["".join(sign for sign in word if sign not in signs) or word for word in written]
        dropped = [word for word in turned if word not in written]
        return cls(tuple(written), tuple(judged), bool(turn), tuple(dropped))

    def __len__(self) -> int:
        """Return the number of words."""
        return len(self.written)

    def is_initial(self, place: int) -> bool:
        """Return whether a word may abbreviate another: one letter, or up to three and a period."""
        word = self.judged[place]
        short = len(word) == 1 or (len(word) <= 3 and self.written[place].endswith("."))
        return short and script_of(word[0]) not in ("", *_SYLLABLES)

    def may_be_copied(self, place: int, shared: Set[str]) -> bool:
        """Return whether a word may be the same in the other name: an initial, a number, or a word
        in the scripts that both sides share."""
        word = self.judged[place]
        known = shared >= set(scripts(word)) or self.is_initial(place)
        return known or _NUMERAL.fullmatch(word) is not None


def _has_letters(word: str, learned: Container[str]) -> bool:
    return any(sign.isalnum() or sign in learned for sign in word)


class ComparedWords(NamedTuple):
    """Matched words of both names, with the odds against the match.

    A side is empty if the word on the other side has no counterpart.
    """

    source: str
    target: str
    odds: float
    asked: Question | None = None  # the question that gave the odds, for words judged in full


@dataclass(frozen=True, slots=True)
class WordMatching:
    """The matched words of two names, and the odds against the pair."""

    words: tuple[ComparedWords, ...]  # in the order of the shorter name
    odds: float
    turned: bool  # the words are rotated, and no comma signals it

    @property
    def asked(self) -> list[tuple[str, str]]:
        """The pairs of words that were judged in full."""
        return [word.asked[:2] for word in self.words if word.asked]


class _Sides(NamedTuple):
    """The name with more words, and the other one."""

    long: NameWords
    short: NameWords
    swapped: bool  # the longer one is the target
    shared: Set[str]  # scripts in which both sides are written

    @classmethod
    def of(cls, source: NameWords, target: NameWords, shared: Set[str]) -> _Sides:
        swapped = len(target) > len(source)
        long, short = (target, source) if swapped else (source, target)
        return cls(long, short, swapped, shared)

    def turned(self, long: str, short: str) -> tuple[str, str]:
        """Return values for the two names in the order source, target."""
        return (short, long) if self.swapped else (long, short)

    @property
    def merged(self) -> int:
        """The maximum number of words of the longer name that may correspond to one word."""
        return min(len(self.long) - len(self.short) + 1, MERGED)

    def joins(self, places: Sequence[int]) -> bool:
        """Return whether words of the longer name may correspond to one of the other.

        A letter with a period abbreviates a whole word, so it is never joined to another word.
        """
        words = [self.long.written[at] for at in places]
        return len(places) == 1 or not any(len(one) == 2 and one.endswith(".") for one in words)

    def question(self, places: Sequence[int], place: int) -> Question | None:
        """Return what to judge: the words, or their first letters if one may abbreviate the other.

        Return None if the words are the same and may be copied.
        """
        joined = "".join(self.long.judged[at] for at in places)
        one, two = self.turned(joined, self.short.judged[place])
        if len(self.long) > 1 and len(places) == 1:
            same = one.casefold() == two.casefold()
            sides = (self.long, places[0]), (self.short, place)
            if same and any(words.may_be_copied(at, self.shared) for words, at in sides):
                return None
            if self.long.is_initial(places[0]) != self.short.is_initial(place):
                return Question(graphemes(one)[0], graphemes(two)[0], initial=True)
        return Question(one, two)

    def compare(
        self, places: Sequence[int], place: int, odds: Mapping[Question, float]
    ) -> ComparedWords:
        joined = " ".join(self.long.written[at] for at in places)
        one, two = self.turned(joined, self.short.written[place])
        question = self.question(places, place)
        if question is None:
            return ComparedWords(one, two, SAME)
        if question.initial:
            return ComparedWords(one, two, min(max(odds[question], _LEAST), _GREATEST))
        return ComparedWords(one, two, odds[question], question)

    def missing(self, place: int) -> ComparedWords:
        if self.long.is_initial(place):
            odds = _INITIAL
        else:
            odds = _END if place in (0, len(self.long) - 1) else _MIDDLE
        return ComparedWords(*self.turned(self.long.written[place], ""), odds)


def questions(
    source: NameWords, target: NameWords, shared: Set[str] = frozenset()
) -> Iterator[Question]:
    """Yield all pairs of words, joined or not, whose odds `match` may need.

    `shared` contains the scripts in which both sides of the model are written.

    >>> [asked.source for asked in questions(NameWords.of("al-Rahman"), NameWords.of("الرحمن"))]
    ['al', 'Rahman', 'alRahman', 'Rahmanal']
    """
    sides = _Sides.of(source, target, shared)
    many = len(sides.long)
    for size in range(1, sides.merged + 1):
        for begin in range(many):
            places = [(begin + step) % many for step in range(size)]
            for place in range(len(sides.short) if sides.joins(places) else 0):
                question = sides.question(places, place)
                if question is not None:
                    yield question


def match(
    source: NameWords,
    target: NameWords,
    odds: Mapping[Question, float],
    shared: Set[str] = frozenset(),
) -> WordMatching:
    """Return the matching of words with the lowest odds against the pair.

    When word orders are compared, the odds of each word are capped at `WORST`.

    >>> names = NameWords.of("smith, john"), NameWords.of("约翰·史密斯")
    >>> genuine = ("john", "约翰", False), ("smith", "史密斯", False)
    >>> odds = {asked: 0.01 if asked in genuine else 99.0 for asked in questions(*names)}
    >>> found = match(*names, odds)
    >>> round(found.odds, 4), found.turned, [word[:2] for word in found.words]
    (0.0067, False, [('john', '约翰'), ('smith', '史密斯')])
    """
    sides = _Sides.of(source, target, shared)
    free = source.comma or target.comma
    many = len(sides.long)
    ways: list[tuple[tuple[float, float], int, list[ComparedWords]]] = []
    for turn in range(many):
        order = [(turn + place) % many for place in range(many)]
        against, found = _in_order(sides, order, odds)
        factor = TURNED if turn and not free else 1.0
        total = sum(math.log1p(min(part.odds, WORST)) for part in found)
        ways.append(((_odds(total, len(found)) * factor, against * factor), turn, found))
    (_, against), turn, found = min(ways, key=lambda way: way[0])
    return WordMatching(tuple(found), against, bool(turn) and not free)


def _in_order(
    sides: _Sides, order: Sequence[int], odds: Mapping[Question, float]
) -> tuple[float, list[ComparedWords]]:
    """Return the lowest odds of a matching with the longer name in this order, and the matching."""
    many, few = len(sides.long), len(sides.short)
    # For each number of words used so far in the longer name, of words used in the shorter one, and
    # of parts: the lowest sum of ln(1 + odds), and the parts.
    table: list[dict[tuple[int, int], tuple[float, list[ComparedWords]]]]
    table = [{(0, 0): (0.0, [])}, *({} for _ in range(many))]
    for i in range(many):
        for (j, parts), (before, found) in sorted(table[i].items(), key=lambda entry: entry[0]):
            following = []
            if many - i - 1 >= few - j:
                following.append((1, j, sides.missing(order[i])))
            for size in range(1, sides.merged + 1 if j < few else 1):
                if many - i - size < few - j - 1 or not sides.joins(order[i : i + size]):
                    break
                following.append((size, j + 1, sides.compare(order[i : i + size], j, odds)))
            for size, used, part in following:
                row, state = table[i + size], (used, parts + 1)
                total = before + math.log1p(part.odds)
                if state not in row or total < row[state][0]:
                    row[state] = total, [*found, part]
    # Every matching uses all words of the shorter name.
    ends = ((_odds(total, parts), found) for (_, parts), (total, found) in table[-1].items())
    return min(ends, key=lambda end: end[0])


def _odds(total: float, parts: int) -> float:
    """Return (Π (1 + o) - 1) / (2ⁿ - 1), from the sum of ln(1 + o)."""
    return math.expm1(min(total, 600.0)) / float(2**parts - 1)
