"""Group the names in a document that refer to the same thing, using only the names.

Three matchers:

- `rules`: ours. Names are compared by type: people by titles, first and last names; everything
  else by spelling, alternative names of countries, initials, and names contained in longer ones.
- `paper`: what Lin et al. (2010, section 4) describe in one line, "exact matching, word matches,
  matches between initials". Our reading: names are joined if they are equal except for case, if
  they share a word that is neither a function word nor a title, or if one is the initials of the
  other; joins are transitive. Types are ignored.
- `exact`: the same words except for case, the determiner and possessive 's.

With a transliteration model, groups in two scripts are joined afterwards (`across.py`).

The rules were developed on half of the documents of LitBank, GUM and Re-DocRED. They omit joins
that did more harm than good there: peoples with countries (German, Germany), names that differ by
one letter, singular with plural. A one-word name that fits several people is joined with the first
of them if it has no title, and with the most recently named if it has one; it never merges these
people.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sameas.errors import unknown
from sameas.settings import ConeSettings, choices
from sameas.without_gold.across import Across
from sameas.without_gold.by_rules import join_by_rules
from sameas.without_gold.forms import acronym, fold, initials, is_wordy, span, strip
from sameas.without_gold.grouping import SAME, Grouping, Groups, Join
from sameas.without_gold.lexicon import FUNCTION_WORDS, TITLES
from sameas.without_gold.name import OTHER, Name, broad_type

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
    names in two scripts are joined if they are transliterations of each other.

    >>> words = "Henry Dashwood met Mrs. Jennings . Mr. Dashwood smiled .".split()
    >>> names = [Name(0, 1, "PER"), Name(3, 4, "PER"), Name(6, 7, "PER")]
    >>> group_names(words, names).entity
    [0, 1, 0]
    """
    if matcher not in MATCHERS:
        raise unknown("matcher", matcher, MATCHERS)
    groups = Groups(len(names))
    ways = {"rules": _by_rules, "paper": _by_paper, "exact": _by_exact_words}
    ways[matcher](words, names, groups)
    if across is not None:
        _across_scripts(words, names, groups, across)
    return groups.grouping()


class Joined(NamedTuple):
    """Two joined names in a text, as written, and the reason.

    >>> print(Joined("Mr. Dashwood", "Henry Dashwood", "last name, compatible title"))
    'Mr. Dashwood' joined 'Henry Dashwood': last name, compatible title
    """

    name: str
    other: str
    reason: str

    def __str__(self) -> str:
        return f"'{self.name}' joined '{self.other}': {self.reason}"


def explain(words: Sequence[str], names: Sequence[Name], grouping: Grouping) -> list[Joined]:
    """Return the joined names and the reason for each join.

    >>> words = "Henry Dashwood came . Mr. Dashwood smiled .".split()
    >>> names = [Name(0, 1, "PER"), Name(4, 5, "PER")]
    >>> explain(words, names, group_names(words, names))[0].other
    'Henry Dashwood'
    """

    def written(number: int) -> str:
        return " ".join(span(words, names[number]))

    return [Joined(written(join.name), written(join.other), join.reason) for join in grouping.joins]


def _across_scripts(
    words: Sequence[str], names: Sequence[Name], groups: Groups, across: Across
) -> None:
    # Names with the same words are compared once, by the first of them.
    sides: tuple[dict[tuple[str, ...], int], ...] = ({}, {})
    for number, name in enumerate(names):
        tokens = _without_titles(strip(span(words, name)))
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


def _without_titles(tokens: Sequence[str]) -> tuple[str, ...]:
    """Remove leading titles unless nothing else remains."""
    start = 0
    while start < len(tokens) - 1 and fold(tokens[start]) in TITLES:
        start += 1
    return tuple(tokens[start:])


def _by_rules(words: Sequence[str], names: Sequence[Name], groups: Groups) -> None:
    # In text order, so that the order of the list does not matter.
    order = sorted(range(len(names)), key=lambda n: (names[n].first, -names[n].last, names[n].type))
    for join in join_by_rules(words, [names[number] for number in order]):
        groups.join(order[join.name], order[join.other], join.reason)


def _by_exact_words(words: Sequence[str], names: Sequence[Name], groups: Groups) -> None:
    stripped = (strip(span(words, name)) for name in names)
    keys = (tuple(word.casefold() for word in tokens) for tokens in stripped)
    groups.join_alike(enumerate(keys), SAME)


def _by_paper(words: Sequence[str], names: Sequence[Name], groups: Groups) -> None:
    _by_exact_words(words, names, groups)
    first_with: dict[str, int] = {}  # the first name that contains a word
    first_of: dict[str, int] = {}  # the first name that has these initials
    acronyms: list[tuple[str, int]] = []
    for number, name in enumerate(names):
        tokens = strip(span(words, name))
        for word in tokens:
            low = word.casefold()
            if low not in FUNCTION_WORDS and low.replace(".", "") not in TITLES and is_wordy(word):
                groups.join(number, first_with.setdefault(low, number), f"share the word {word}")
        for letters in initials(tokens):
            first_of.setdefault(letters, number)
        acronyms.append((acronym(tokens), number))
    for letters, number in acronyms:
        if letters in first_of:
            groups.join(number, first_of[letters], "initials")
