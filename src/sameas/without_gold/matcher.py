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

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sameas.errors import unknown
from sameas.settings import ConeSettings, choices
from sameas.without_gold.across import Across
from sameas.without_gold.forms import (
    _FUNCTION_WORDS,
    _acronym,
    _fold,
    _Form,
    _form,
    _initials,
    _span,
    _stripped,
    _wordy,
)
from sameas.without_gold.grouping import (
    SAME,
    Grouping,
    Join,
    _Groups,
    _join_alike,
    _join_forms,
    _join_same,
)
from sameas.without_gold.lexicon import (
    TITLES,
)
from sameas.without_gold.name import OTHER, PERSON, Name, broad_type
from sameas.without_gold.people import _join_people
from sameas.without_gold.things import _by_initials, _join_contained, _join_things

__all__ = ["MATCHERS", "SAME", "Grouping", "Join", "Joined", "explain", "group_names"]

MATCHERS = tuple(one for one in choices(ConeSettings)["matcher"] if one != "none")


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


def _by_exact_words(words: Sequence[str], names: Sequence[Name], groups: _Groups) -> None:
    stripped = (_stripped(_span(words, name)) for name in names)
    keys = (tuple(word.casefold() for word in tokens) for tokens in stripped)
    _join_alike(groups, enumerate(keys), SAME)


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
