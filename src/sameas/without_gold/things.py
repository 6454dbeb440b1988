"""Which names of places, organisations and other things are one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from sameas.without_gold.forms import (
    _DIRECTIONS,
    _FUNCTION_WORDS,
    _JOINING,
    _ORGANISATION_HEADS,
    _PLACE_HEADS,
    _acronym,
    _Form,
    _initials,
)
from sameas.without_gold.grouping import _Groups, _join_alike, _join_forms
from sameas.without_gold.lexicon import (
    ALIASES,
    COMPANY_SUFFIXES,
    COUNTRY_OF,
    STATES,
    listed,
)
from sameas.without_gold.name import ORGANISATION, PLACE

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
