"""Which names of a document name the same thing, told from the names alone.

Three matchers:

- `rules`: ours. Names are compared by type: people by titles, first and last names, everything
  else by spelling, other names of countries, initials, and names of which another is a part.
- `paper`: what Lin et al. (2010, section 4) say in one line, "exact matching, word matches, matches
  between initials". Our reading: names are joined if they are the same but for capitals, share a
  word that is neither a function word nor a title, or if one is the initials of the other; and
  what is joined with the same name is one entity. Types are not looked at.
- `exact`: the same words but for capitals, the determiner and possessive 's.

With a model of transliterations, groups in two scripts are joined afterwards (`across.py`).

The rules, written with half of the documents of LitBank, GUM and Re-DocRED at hand, leave out what
did more harm than good there: peoples for countries (German, Germany), names that differ by one
letter, singular for plural. A one-word name that suits several people is joined with the first of
them if it stands alone, with the latest if it has a title, and never joins these people.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from sameas.arithmetic.forest import Forest
from sameas.errors import unknown
from sameas.settings import ConeSettings, choices
from sameas.without_gold.across import Across
from sameas.without_gold.lexicon import (
    ALIASES,
    COMPANY_SUFFIXES,
    COUNTRY_OF,
    EPITHETS,
    GIVEN_NAMES,
    NICKNAMES,
    STATES,
    SUFFIXES,
    TITLES,
    listed,
)
from sameas.without_gold.name import ORGANISATION, OTHER, PERSON, PLACE, Name, broad_type

__all__ = ["MATCHERS", "SAME", "Grouping", "Join", "Joined", "explain", "group_names"]

MATCHERS = tuple(one for one in choices(ConeSettings)["matcher"] if one != "none")
SAME = "same words"  # the reason of most joins


@dataclass(frozen=True, slots=True)
class Join:
    """Two names that were joined, by their numbers, and why.

    >>> Join(1, 0, "same words")
    Join(name=1, other=0, reason='same words')
    """

    name: int
    other: int  # smaller than `name`
    reason: str


@dataclass(frozen=True, slots=True)
class Grouping:
    """The entity of each name, and the joins that made the entities.

    >>> Grouping([0, 1, 0], [Join(2, 0, "same words")]).entity
    [0, 1, 0]
    """

    entity: list[int]  # of each name; entities are numbered in the order of their first names
    joins: list[Join]  # those that merged two groups: a spanning forest


def group_names(
    words: Sequence[str],
    names: Sequence[Name],
    matcher: str = "rules",
    across: Across | None = None,
) -> Grouping:
    """Group the names of one document into entities.

    `words` are all words of the document. Types help, but may be unknown. With `across`, groups of
    names in two scripts are joined that are transliterations of each other.

    >>> words = "Henry Dashwood met Mrs. Jennings . Mr. Dashwood smiled .".split()
    >>> names = [Name(0, 1, "PER"), Name(3, 4, "PER"), Name(6, 7, "PER")]
    >>> group_names(words, names).entity
    [0, 1, 0]
    """
    if matcher not in MATCHERS:
        raise unknown("matcher", matcher, MATCHERS)
    groups = _Groups(len(names))
    ways = {"rules": _by_rules, "paper": _by_paper, "exact": _by_exact_words}
    ways[matcher](words, names, groups)
    if across is not None:
        _across_scripts(words, names, groups, across)
    return groups.grouping()


class Joined(NamedTuple):
    """Two names of a text that were joined, as they are written, and why.

    >>> print(Joined("Mr. Dashwood", "Henry Dashwood", "last name, compatible title"))
    'Mr. Dashwood' joined 'Henry Dashwood': last name, compatible title
    """

    name: str
    other: str
    reason: str

    def __str__(self) -> str:
        return f"'{self.name}' joined '{self.other}': {self.reason}"


def explain(words: Sequence[str], names: Sequence[Name], grouping: Grouping) -> list[Joined]:
    """Say of each join what was joined with what, and why.

    >>> words = "Henry Dashwood came . Mr. Dashwood smiled .".split()
    >>> names = [Name(0, 1, "PER"), Name(4, 5, "PER")]
    >>> explain(words, names, group_names(words, names))[0].other
    'Henry Dashwood'
    """

    def written(number: int) -> str:
        return " ".join(_span(words, names[number]))

    return [Joined(written(join.name), written(join.other), join.reason) for join in grouping.joins]


class _Groups:
    """Names that are joined step by step."""

    def __init__(self, size: int) -> None:
        self._forest = Forest(size)
        self.root = self._forest.root  # the first name of the group of a name
        self.joins: list[Join] = []

    def join(self, name: int, other: int, reason: str) -> None:
        if self._forest.join(name, other):
            self.joins.append(Join(max(name, other), min(name, other), reason))

    def grouping(self) -> Grouping:
        return Grouping(self._forest.groups(), self.joins)


# --- words -------------------------------------------------------------------------------------


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


# --- across scripts ------------------------------------------------------------------------------


def _across_scripts(
    words: Sequence[str], names: Sequence[Name], groups: _Groups, across: Across
) -> None:
    # Names of the same words are compared once; the first of them speaks for all.
    sides: tuple[dict[tuple[str, ...], int], ...] = ({}, {})
    for number, name in enumerate(names):
        tokens = _untitled(_stripped(_span(words, name)))
        side = across.side("".join(tokens))
        if side >= 0:
            sides[side].setdefault(tokens, number)
    taken: set[int] = set()
    sources, targets = (list(side) for side in sides)
    for one, two, probability in across.same(sources, targets):
        first, second = sides[0][sources[one]], sides[1][targets[two]]
        kinds = {broad_type(names[number].type) for number in (first, second)} - {"", OTHER}
        roots = {groups.root(first), groups.root(second)}
        if len(kinds) > 1 or not taken.isdisjoint(roots):
            continue
        groups.join(second, first, f"transliteration, p = {probability:.2f}")
        taken |= {*roots, groups.root(first)}


def _untitled(tokens: Sequence[str]) -> tuple[str, ...]:
    """Without titles at the beginning, if something is left."""
    start = 0
    while start < len(tokens) - 1 and _fold(tokens[start]) in TITLES:
        start += 1
    return tuple(tokens[start:])


# --- exact and paper ---------------------------------------------------------------------------


def _by_exact_words(words: Sequence[str], names: Sequence[Name], groups: _Groups) -> None:
    stripped = (_stripped(_span(words, name)) for name in names)
    keys = (tuple(word.casefold() for word in tokens) for tokens in stripped)
    _join_alike(groups, enumerate(keys), SAME)


def _join_alike(groups: _Groups, keys: Iterable[tuple[int, object]], reason: str) -> None:
    """Join names, given by their numbers, with the first of the same key."""
    seen: dict[object, int] = {}
    for number, key in keys:
        first = seen.setdefault(key, number)
        if first != number:
            groups.join(number, first, reason)


def _by_paper(words: Sequence[str], names: Sequence[Name], groups: _Groups) -> None:
    _by_exact_words(words, names, groups)
    seen: dict[str, int] = {}
    initials: dict[str, int] = {}
    acronyms: list[tuple[str, int]] = []
    for number, name in enumerate(names):
        tokens = _stripped(_span(words, name))
        for word in tokens:
            low = word.casefold()
            bare = low.replace(".", "")
            if low in _FUNCTION_WORDS or bare in TITLES or not _wordy(word):
                continue
            first = seen.setdefault(low, number)
            if first != number:
                groups.join(number, first, f"share the word {word}")
        for letters in _initials(tokens):
            initials.setdefault(letters, number)
        letters = _acronym(tokens)
        if letters:
            acronyms.append((letters, number))
    for letters, number in acronyms:
        if letters in initials:
            groups.join(number, initials[letters], "initials")


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


# --- rules: what is compared ---------------------------------------------------------------------


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


# --- rules: how forms are joined -----------------------------------------------------------------


def _by_rules(words: Sequence[str], names: Sequence[Name], groups: _Groups) -> None:
    # In the order of the text, so that the order of the list does not matter.
    order = sorted(
        range(len(names)), key=lambda n: (names[n].first, -names[n].last, names[n].type, n)
    )
    rank = [0] * len(names)
    read: dict[tuple[tuple[str, ...], str], _Form] = {}
    forms: dict[tuple[object, ...], _Form] = {}
    form_of: dict[int, _Form] = {}
    for place, number in enumerate(order):
        rank[number] = place
        name = names[number]
        seen = tuple(_span(words, name)), name.type
        if seen not in read:
            form = _form(*seen)
            read[seen] = forms.setdefault(form.key, form)
            # A person whose type is known in one place is no longer one whose type is not known.
            read[seen].label = read[seen].label or form.label
        form_of[number] = read[seen]
        read[seen].names.append(number)
    everything = list(forms.values())
    _recognise_people(everything)
    people = [form for form in everything if form.kind == PERSON]
    things = [form for form in everything if form.kind != PERSON]
    by_type: dict[str, list[_Form]] = defaultdict(list)
    for form in things:
        _join_same(form, groups)
        by_type[form.label if form.kind == OTHER else form.kind].append(form)
    _join_brackets(words, names, order, form_of, groups)
    for same_type in by_type.values():
        _join_things(same_type, groups, rank)
    _join_people(people, groups, rank)
    _join_untyped(everything, groups)
    _join_untyped_acronyms(things, groups)
    _join_contained(things, groups, rank, at_end=False, untyped=True)


def _recognise_people(forms: Iterable[_Form]) -> None:
    """Take a word of unknown type for a person if a person of the document has that last name."""
    people = [form for form in forms if form.kind == PERSON and form.words and not form.whole]
    last = {form.words[-1] for form in people}
    for form in forms:
        if not form.kind and len(form.words) == 1 and form.words[0] in last and not form.tail:
            form.kind = PERSON


def _join_same(form: _Form, groups: _Groups) -> None:
    for number in form.names[1:]:
        groups.join(number, form.names[0], SAME)


def _join_forms(groups: _Groups, form: _Form, other: _Form, reason: str) -> None:
    groups.join(form.names[0], other.names[0], reason)


def _join_untyped(forms: Iterable[_Form], groups: _Groups) -> None:
    """Join a name of unknown type with the same words of a known one."""
    typed: dict[tuple[str, ...], _Form] = {}
    kinds: dict[int, str] = {}  # of each group in which a type is known
    for form in forms:
        if form.label:
            kinds[groups.root(form.names[0])] = form.kind
            if not form.titles:
                typed.setdefault((*form.words, ",", *form.tail), form)
    for form in forms:
        other = typed.get((*form.words, ",", *form.tail))
        if form.label or form.titles or other is None:
            continue
        # A name whose type is not known must not make one of two whose types differ.
        if kinds.get(groups.root(form.names[0]), other.kind) == other.kind:
            _join_forms(groups, form, other, "same words, type unknown")
            kinds[groups.root(form.names[0])] = other.kind


def _join_untyped_acronyms(forms: list[_Form], groups: _Groups) -> None:
    """Join an acronym of unknown type with the one thing whose initials it has, or the reverse."""
    kinds: dict[int, set[str]] = defaultdict(set)
    initials = _by_initials(forms)
    for form in forms:
        if form.kind:
            kinds[groups.root(form.names[0])].add(form.kind)
    for form in forms:
        full = initials.get(_acronym(form.written), [])
        roots = [groups.root(one.names[0]) for one in (form, *full)]
        known = {kind for root in roots for kind in kinds[root]}
        if len(set(roots[1:])) == 1 and len(known) < 2:
            _join_forms(groups, form, full[0], "initials, type unknown")
            kinds[groups.root(form.names[0])] = known


def _join_brackets(
    words: Sequence[str],
    names: Sequence[Name],
    order: Sequence[int],
    form_of: dict[int, _Form],
    groups: _Groups,
) -> None:
    """Join "Full Name ( ACR )" where the letters are some of the name's, and other scripts."""
    ending = {names[number].last: number for number in order}
    for number in order:
        name = names[number]
        before = name.first - 2
        if before < 0 or name.first > len(words) or words[name.first - 1] not in ("(", "-LRB-"):
            continue
        other = ending.get(before)
        if other is None:
            continue
        form, full = form_of[number], form_of[other]
        unlike = form.kind != full.kind and bool(form.label and full.label)
        if unlike or not form.words or not full.words:
            continue
        if form.words[0][:1].isascii() != full.words[0][:1].isascii():
            if form.words[0][:1].isalpha() and full.words[0][:1].isalpha():
                groups.join(number, other, "in brackets, in another script")
            continue
        for short, long in ((form, full), (full, form)):
            text = short.written[0]
            capitals = sum(c.isupper() for c in text)
            if (
                len(short.written) == 1
                and len(long.words) > 1
                and capitals >= 2
                and _letters_in(short.words[0], "".join(long.words))
            ):
                groups.join(number, other, "in brackets, with letters of the name")
                break


def _letters_in(short: str, long: str) -> bool:
    """Whether the letters of a word are found in another in their order, from its first on."""
    if short[:1] != long[:1]:
        return False
    letters = iter(long)
    return all(letter in letters for letter in short if letter.isalnum())


_BEFORE_PLACES = listed("places before of")
_COUNTRIES = frozenset().union(
    COUNTRY_OF, COUNTRY_OF.values(), ALIASES, ALIASES.values(), STATES.values()
)


def _another_name(form: _Form) -> tuple[str, ...]:
    """The usual name of a country or state, and of a place without "the Republic of"."""
    words = form.words
    if form.kind in (PLACE, "") and len(words) > 2 and words[1] == "of":
        words = words[2:] if words[0] in _BEFORE_PLACES else words
    text = " ".join(words)
    text = ALIASES.get(text, text)
    # "in" and "or" are also words, and "Penn" is also a name.
    if form.kind == PLACE and text in STATES and (len(text) == 2 or form.written[-1][-1:] == "."):
        text = STATES[text]
    return (*text.split(), ",", *form.tail)


def _stem(form: _Form) -> tuple[str, ...]:
    """The name of a company without "Inc." and the like."""
    words = form.words
    if form.tail and form.tail[0] not in COMPANY_SUFFIXES:
        words = (*words, ",", *form.tail)
    while len(words) > 1 and words[-1] in COMPANY_SUFFIXES:
        words = words[:-1]
    return words


def _spelling(form: _Form) -> str:
    text = " ".join("and" if word == "&" else word for word in (*form.words, ",", *form.tail))
    return re.sub(r"[-'‐-― ]", "", text)


#: Ways to write one name: of each, what must be the same.
_WAYS: tuple[tuple[str, Callable[[_Form], object], frozenset[str]], ...] = (
    ("same letters", _spelling, frozenset()),
    ("another name of the same place", _another_name, frozenset()),
    ("same name but for the form of company", _stem, frozenset((ORGANISATION, ""))),
)


def _join_things(forms: list[_Form], groups: _Groups, rank: Sequence[int]) -> None:
    kind = forms[0].kind
    for reason, way, kinds in _WAYS:
        if kinds and kind not in kinds:
            continue
        _join_alike(groups, ((form.names[0], way(form)) for form in forms), reason)
    _join_acronyms(forms, groups)
    if forms[0].label in ("time", "date"):
        return
    _join_commas(forms, groups)
    _join_contained(forms, groups, rank, at_end=False)
    _join_contained(forms, groups, rank, at_end=True)


def _join_acronyms(forms: list[_Form], groups: _Groups) -> None:
    initials = _by_initials(forms)
    for form in forms:
        if full := initials.get(_acronym(form.written)):
            _join_forms(groups, form, full[0], "initials")


def _by_initials(forms: Iterable[_Form]) -> dict[str, list[_Form]]:
    """The names that have some letters for initials, in their order."""
    found: dict[str, list[_Form]] = defaultdict(list)
    for form in forms:
        for letters in _initials(form.written):
            found[letters].append(form)
    return found


def _join_commas(forms: list[_Form], groups: _Groups) -> None:
    """Join "Lundby" with "Lundby , Ohio", if there is only one Lundby with something after it."""
    tailed: dict[tuple[str, ...], list[_Form]] = defaultdict(list)
    for form in forms:
        if form.tail:
            tailed[form.words].append(form)
    for form in forms:
        found = tailed.get(form.words)
        if not form.tail and found and len({groups.root(f.names[0]) for f in found}) == 1:
            _join_forms(groups, form, found[0], "same words before the comma")


_ORGANISATION_HEADS = listed("ends of organisations")
_PLACE_HEADS = listed("ends of places")


def _join_contained(
    forms: list[_Form],
    groups: _Groups,
    rank: Sequence[int],
    *,
    at_end: bool,
    untyped: bool = False,
) -> None:
    """Join a name with the one longer name that it is the beginning, or the end, of.

    If `untyped`, only names of unknown type, with longer ones of any.
    """
    wanted = {form.words: form for form in forms if not form.tail and not (untyped and form.kind)}
    longer: dict[tuple[str, ...], list[_Form]] = defaultdict(list)
    for form in forms:
        for size in range(1, min(len(form.words), 8)):
            part = form.words[-size:] if at_end else form.words[:size]
            short = wanted.get(part)
            if short is None or short is form:
                continue
            first = rank[form.names[0]] < rank[short.names[0]]  # the long name is
            if (_may_end if at_end else _may_begin)(form, part, first):
                longer[part].append(form)
    for part in sorted(longer, key=len, reverse=True):
        found = longer[part]
        if len({groups.root(form.names[0]) for form in found}) == 1:
            reason = "the end of the longer name" if at_end else "the beginning of the longer name"
            _join_forms(groups, wanted[part], found[0], reason)


def _may_begin(form: _Form, part: tuple[str, ...], first: bool) -> bool:
    """Whether the beginning of a name may stand for it; `first` if the whole came first."""
    rest = form.words[len(part) :]
    if part[-1] in _FUNCTION_WORDS or " ".join(part) in _COUNTRIES or rest[0] in _JOINING:
        return False
    if rest[0] in (":", "of", "for", "in", "on", "at", "from", "with"):
        return True
    if form.kind in (ORGANISATION, ""):
        return rest[0] in _ORGANISATION_HEADS
    if form.kind == PLACE:
        return len(rest) == 1 and rest[0] in _PLACE_HEADS and part[0] not in _GENERIC
    return False


def _may_end(form: _Form, part: tuple[str, ...], first: bool) -> bool:
    before = form.words[: len(form.words) - len(part)]
    if before[-1] in _FUNCTION_WORDS or before[-1] in _DIRECTIONS:
        return False
    if " ".join(part) in _COUNTRIES or before[-1] in ("/", ":", "-"):
        return False
    if form.kind == PLACE:
        return first and len(part) == 1 and part[0] in _PLACE_HEADS
    return first or form.kind == ORGANISATION


_GENERIC = listed("generic")


# --- rules: people -------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 14)
def _variants(given: str) -> frozenset[str]:
    """A given name and what it may be short for."""
    return NICKNAMES.get(given, frozenset()) | {given}


def _initial(word: str) -> bool:
    return len(word) == 1 or (len(word) == 2 and word[1] == ".")


def _same_given(one: str, other: str) -> bool:
    if _initial(one) or _initial(other):
        return one[:1] == other[:1]
    return one == other or not _variants(one).isdisjoint(_variants(other))


def _fits(short: Sequence[str], long: Sequence[str]) -> bool:
    """Whether the given names of one are some of the other's, one after the other."""
    return any(
        all(map(_same_given, short, long[start:])) for start in range(len(long) - len(short) + 1)
    )


def _compatible(form: _Form, other: _Form) -> bool:
    """Whether two names of two words or more may be one person's."""
    short, long = sorted((form.words, other.words), key=len)
    if short == long and _a_wife(form, other):
        return False
    if short[-1] == long[-1] and not _initial(short[-1]):
        return _fits(short[:-1], long[:-1])
    return long[: len(short)] == short or sorted(short) == sorted(long)


def _a_wife(form: _Form, other: _Form) -> bool:
    """Whether one is Mrs. and the whole name of the other, who is no woman: "Mrs. Henry Reed"."""
    married = [bool(_marriage(one) == "married") for one in (form, other)]
    return married[0] != married[1] and GIVEN_NAMES.get(form.words[0]) != "f"


@dataclass(slots=True, eq=False)
class _Someone:
    """Forms that are taken for one person's, and what they tell of that person."""

    forms: list[_Form] = field(default_factory=list)
    gender: str = ""  # told by a title
    given: str = ""  # the gender told by a given name
    marriage: str = ""
    suffix: str = ""
    titles: set[str] = field(default_factory=set)

    def add(self, form: _Form) -> None:
        self.forms.append(form)
        if any(TITLES[title] for title in form.titles):
            self.gender = self.gender or form.gender
        else:
            self.given = self.given or form.gender
        self.marriage = self.marriage or _marriage(form)
        self.suffix = self.suffix or form.suffix
        self.titles.update(form.titles)

    def clashes(self, form: _Form) -> bool:
        """Whether gender, marriage, suffix or rank forbid that a name is this person's."""
        gender = self.gender or self.given
        if form.gender and gender and form.gender != gender:
            return True
        if form.suffix and self.suffix and form.suffix != self.suffix:
            return True
        marriage = _marriage(form)
        if marriage and self.marriage and marriage != self.marriage:
            return True
        # "Dr Reed" is seldom "Miss Reed".
        if not form.gender and self.gender == "f":
            return _ranked(form.titles)
        return form.gender == "f" and bool(form.titles) and not gender and _ranked(self.titles)

    def has(self, word: str, place: int) -> bool:
        return any(form.words[place] == word for form in self.forms)


def _ranked(titles: Iterable[str]) -> bool:
    return any(title in _ENDING and not TITLES[title] for title in titles)


def _marriage(form: _Form) -> str:
    if not _MARRIED.isdisjoint(form.titles):
        return "married"
    return "" if _UNMARRIED.isdisjoint(form.titles) else "unmarried"


def _join_people(people: Iterable[_Form], groups: _Groups, rank: Sequence[int]) -> None:
    full: list[_Form] = []
    titled: list[_Form] = []
    bare: list[_Form] = []
    for form in people:
        if form.whole or not form.words:
            _join_same(form, groups)
        elif sum(word not in _LAST_NAME_PARTICLES for word in form.words) > 1:
            full.append(form)
        elif any(title not in EPITHETS for title in form.titles):
            titled.append(form)
        else:
            bare.append(form)
    known: dict[str, list[_Someone]] = defaultdict(list)  # by each word of their names
    for someone in _join_full_names(full, groups, rank):
        for word in {word for form in someone.forms for word in form.words if not _initial(word)}:
            known[word].append(someone)
    for form in titled + bare:
        _join_one_word(form, known, groups, rank)


def _join_full_names(forms: list[_Form], groups: _Groups, rank: Sequence[int]) -> list[_Someone]:
    """People with names of two words or more; longer names first, as they tell more."""
    everyone: list[_Someone] = []
    by_key: dict[tuple[str, str], list[_Someone]] = defaultdict(list)
    for form in sorted(forms, key=lambda form: (-len(form.words), rank[form.names[0]])):
        _join_same(form, groups)
        keys = _keys(form)
        found = [
            someone
            for key in sorted(keys)
            for someone in by_key[key][-_FEW:]
            if not someone.clashes(form)
            and all(_compatible(form, other) for other in someone.forms[:_FEW])
        ]
        if found:
            someone = next((s for s in found if s.forms[0].words == form.words), found[0])
            same = someone.forms[0].words == form.words
            reason = "same name, compatible title" if same else "last name, compatible first names"
            if form.words[-1] != someone.forms[0].words[-1]:
                reason = "words of the full name"
            _join_forms(groups, form, someone.forms[0], reason)
        else:
            someone = _Someone()
            everyone.append(someone)
        someone.add(form)
        for key in keys:
            by_key[key].append(someone)
    return everyone


_FEW = 10  # people of one name that are compared, which keeps a list of ten thousand Smiths fast


def _keys(form: _Form) -> set[tuple[str, str]]:
    """What two compatible full names share at least one of."""
    *given, last = form.words
    keys = {(last, variant) for word in given for variant in _variants(word)}
    keys |= {(last, f"{word[:1]}.") for word in given}
    return keys | {("", " ".join(form.words[:2])), ("", " ".join(sorted(form.words)))}


def _join_one_word(
    form: _Form, known: dict[str, list[_Someone]], groups: _Groups, rank: Sequence[int]
) -> None:
    """Join "Mr. Dashwood" or "Elinor" with the person it is a name of."""
    word = form.words[-1]
    titles = [title for title in form.titles if title not in EPITHETS]
    suits = [someone for someone in known.get(word, ()) if not someone.clashes(form)]
    found = [someone for someone in suits if someone.has(word, -1)]
    reason = "last name"
    if not titles or titles[-1] in _BEFORE_GIVEN or not found:
        first = [s for s in suits if s.has(word, 0) and s not in found]
        reason = reason if found else "first name"
        found += first
    if not found:
        found, reason = suits, "middle name"
    if not found:
        found = [
            someone
            for variant in sorted(_variants(word))
            for someone in known.get(variant, ())
            if someone.has(variant, 0) and not someone.clashes(form)
        ]
        if len(found) > 1:
            found = []
        reason = "nickname"
    if titles:
        reason += ", compatible title"
    elif len(found) > 1:
        # A last name alone is seldom a woman's where a man has it too.
        men = [s for s in found if (s.gender or s.given) != "f" or not s.has(word, -1)] or found
        reason += ", of several people the first" + (" man" if len(men) < len(found) else "")
        found = [min(men, key=lambda someone: min(rank[f.names[0]] for f in someone.forms))]
    if len(found) > 1:
        _join_latest(form, found, groups, rank, f"{reason}, of several people the latest")
        return
    _join_same(form, groups)
    if found:
        _join_forms(groups, form, found[0].forms[0], reason)
        found[0].add(form)
    else:
        someone = _Someone()
        someone.add(form)
        known[word].append(someone)


def _join_latest(
    form: _Form, found: Sequence[_Someone], groups: _Groups, rank: Sequence[int], reason: str
) -> None:
    """Join each name of a form with the person last named before it, or first after it."""
    places = sorted(
        (rank[number], number) for someone in found for f in someone.forms for number in f.names
    )
    ranks = [place for place, _ in places]
    for number in form.names:
        latest = places[max(bisect(ranks, rank[number]) - 1, 0)][1]
        groups.join(number, latest, reason)
