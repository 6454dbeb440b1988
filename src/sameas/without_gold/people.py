"""Join the names of people by titles, first and last names, nicknames and initials."""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from sameas.without_gold import lexicon
from sameas.without_gold.forms import Form
from sameas.without_gold.grouping import Groups
from sameas.without_gold.lexicon import listed

__all__ = ["join_people"]

_FEW = 10  # people compared per name, which keeps a list of ten thousand Smiths fast


@lru_cache(maxsize=1 << 14)
def _variants(given: str) -> frozenset[str]:
    """Return a given name and the names that it may be short for."""
    return lexicon.NICKNAMES.get(given, frozenset()) | {given}


def _is_initial(word: str) -> bool:
    return len(word) == 1 or (len(word) == 2 and word[1] == ".")


def _same_given(one: str, other: str) -> bool:
    """Return whether two given names may belong to one person."""
    if _is_initial(one) or _is_initial(other):
        return one[:1] == other[:1]
    return one == other or not _variants(one).isdisjoint(_variants(other))


def _fits(short: Sequence[str], long: Sequence[str]) -> bool:
    """Return whether one person's given names match a contiguous part of another's."""
    return any(
        all(map(_same_given, short, long[start:])) for start in range(len(long) - len(short) + 1)
    )


def _are_compatible(form: Form, other: Form) -> bool:
    """Return whether two names of at least two words may belong to one person."""
    short, long = sorted((form.words, other.words), key=len)
    if short == long and _is_wife(form, other):
        return False
    if short[-1] == long[-1] and not _is_initial(short[-1]):
        return _fits(short[:-1], long[:-1])
    return long[: len(short)] == short or sorted(short) == sorted(long)


def _is_wife(form: Form, other: Form) -> bool:
    """Return whether one of two equal names belongs to the wife of the other person.

    "Mrs. Henry Reed" is the wife of Henry Reed.
    """
    married = [_marriage(one) == "married" for one in (form, other)]
    return married[0] != married[1] and lexicon.GIVEN_NAMES.get(form.words[0]) != "f"


def _marriage(form: Form) -> str:
    """Return the marital status that the titles of a name imply; empty if none."""
    if not listed("married titles").isdisjoint(form.titles):
        return "married"
    return "" if listed("unmarried titles").isdisjoint(form.titles) else "unmarried"


def _have_rank(titles: Iterable[str]) -> bool:
    """Return whether one of the titles is an office that both men and women hold."""
    return any(title in lexicon.ENDING_TITLES and not lexicon.TITLES[title] for title in titles)


@dataclass(slots=True, eq=False)
class _Someone:
    """Forms treated as names of one person, and the properties of that person."""

    forms: list[Form] = field(default_factory=list)
    gender: str = ""  # from a title
    given: str = ""  # the gender that a given name suggests
    marriage: str = ""
    suffix: str = ""
    titles: set[str] = field(default_factory=set)

    def add(self, form: Form) -> None:
        self.forms.append(form)
        if any(lexicon.TITLES[title] for title in form.titles):
            self.gender = self.gender or form.gender
        else:
            self.given = self.given or form.gender
        self.marriage = self.marriage or _marriage(form)
        self.suffix = self.suffix or form.suffix
        self.titles.update(form.titles)

    def clashes(self, form: Form) -> bool:
        """Return whether gender, marriage, suffix or rank shows that a name is not the person's."""
        gender = self.gender or self.given
        known = (form.gender, gender), (form.suffix, self.suffix), (_marriage(form), self.marriage)
        if any(one and other and one != other for one, other in known):
            return True
        # "Dr Reed" is rarely "Miss Reed".
        if not form.gender and self.gender == "f":
            return _have_rank(form.titles)
        return form.gender == "f" and bool(form.titles) and not gender and _have_rank(self.titles)

    def has(self, word: str, place: int) -> bool:
        """Return whether a name of the person has a word at this position."""
        return any(form.words[place] == word for form in self.forms)


def join_people(people: Iterable[Form], groups: Groups) -> None:
    """Join the names of people."""
    full: list[Form] = []
    one_word: list[Form] = []
    for form in people:
        if form.whole or not form.words:
            groups.join_same(form)
        else:
            several = sum(word not in lexicon.NAME_PARTICLES for word in form.words) > 1
            (full if several else one_word).append(form)
    known: dict[str, list[_Someone]] = defaultdict(list)  # by each word of their names
    for someone in _join_full_names(full, groups):
        for word in {word for form in someone.forms for word in form.words}:
            if not _is_initial(word):
                known[word].append(someone)
    for form in sorted(one_word, key=lambda form: not _spoken_titles(form)):  # titled ones first
        _join_one_word(form, known, groups)


def _spoken_titles(form: Form) -> list[str]:
    """Return the titles of a name that are not epithets."""
    return [title for title in form.titles if title not in lexicon.EPITHETS]


def _join_full_names(forms: list[Form], groups: Groups) -> list[_Someone]:
    """Join names of at least two words, longest first, and return the people they belong to."""
    everyone: list[_Someone] = []
    by_key: dict[tuple[str, str], list[_Someone]] = defaultdict(list)
    for form in sorted(forms, key=lambda form: (-len(form.words), form.first)):
        groups.join_same(form)
        keys = _keys(form)
        found = [
            someone
            for key in sorted(keys)
            for someone in by_key[key][-_FEW:]
            if not someone.clashes(form)
            and all(_are_compatible(form, other) for other in someone.forms[:_FEW])
        ]
        if found:
            someone = next((s for s in found if s.forms[0].words == form.words), found[0])
            groups.join_forms(form, someone.forms[0], _reason(form, someone.forms[0]))
        else:
            someone = _Someone()
            everyone.append(someone)
        someone.add(form)
        for key in keys:
            by_key[key].append(someone)
    return everyone


def _reason(form: Form, other: Form) -> str:
    """Return why two full names belong to one person."""
    if form.words[-1] != other.words[-1]:
        return "words of the full name"
    if form.words == other.words:
        return "same name, compatible title"
    return "last name, compatible first names"


def _keys(form: Form) -> set[tuple[str, str]]:
    """Return keys of which two compatible full names share at least one."""
    *given, last = form.words
    keys = {(last, variant) for word in given for variant in _variants(word)}
    keys |= {(last, f"{word[:1]}.") for word in given}
    return keys | {("", " ".join(form.words[:2])), ("", " ".join(sorted(form.words)))}


def _join_one_word(form: Form, known: dict[str, list[_Someone]], groups: Groups) -> None:
    """Join "Mr. Dashwood" or "Elinor" with the person of that name."""
    found, reason = _namesakes(form, known)
    if _spoken_titles(form):
        reason += ", compatible title"
    elif len(found) > 1:
        found, reason = _choose_first(form, found, reason)
    if len(found) > 1:
        _join_latest(form, found, groups, f"{reason}, most recently named of several people")
        return
    groups.join_same(form)
    if found:
        groups.join_forms(form, found[0].forms[0], reason)
    else:
        found = [_Someone()]
        known[form.words[-1]].append(found[0])
    found[0].add(form)


def _namesakes(form: Form, known: dict[str, list[_Someone]]) -> tuple[list[_Someone], str]:
    """Return the people to whom a one-word name may belong, and which of their names it is."""
    word, titles = form.words[-1], _spoken_titles(form)
    suits = [someone for someone in known.get(word, ()) if not someone.clashes(form)]
    last = [someone for someone in suits if someone.has(word, -1)]
    if last and titles and titles[-1] not in listed("titles before given names"):
        return last, "last name"
    first = [someone for someone in suits if someone.has(word, 0) and someone not in last]
    if last or first:
        return [*last, *first], "last name" if last else "first name"
    if suits:
        return suits, "middle name"
    found = [
        someone
        for variant in sorted(_variants(word))
        for someone in known.get(variant, ())
        if someone.has(variant, 0) and not someone.clashes(form)
    ]
    return found if len(found) == 1 else [], "nickname"


def _choose_first(form: Form, found: list[_Someone], reason: str) -> tuple[list[_Someone], str]:
    """Return the person named first, and the reason.

    A last name alone is rarely a woman's if a man has it too.
    """
    word = form.words[-1]
    men = [s for s in found if (s.gender or s.given) != "f" or not s.has(word, -1)] or found
    man = " man" if len(men) < len(found) else ""
    earliest = min(men, key=lambda someone: min(one.first for one in someone.forms))
    return [earliest], f"{reason}, first{man} of several people"


def _join_latest(form: Form, found: Sequence[_Someone], groups: Groups, reason: str) -> None:
    """Join each name of a form with the last name of these people before it.

    If none stands before it, join it with the first one after it.
    """
    places = sorted(number for someone in found for one in someone.forms for number in one.names)
    for number in form.names:
        groups.join(number, places[max(bisect(places, number) - 1, 0)], reason)
