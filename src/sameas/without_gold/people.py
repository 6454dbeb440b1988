"""Which names of people are one."""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from sameas.without_gold.forms import (
    _BEFORE_GIVEN,
    _ENDING,
    _LAST_NAME_PARTICLES,
    _MARRIED,
    _UNMARRIED,
    _Form,
)
from sameas.without_gold.grouping import _Groups, _join_forms, _join_same
from sameas.without_gold.lexicon import (
    EPITHETS,
    GIVEN_NAMES,
    NICKNAMES,
    TITLES,
)


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
