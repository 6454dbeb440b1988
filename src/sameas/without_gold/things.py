"""Join the names of places, organisations and other things."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable

from sameas.without_gold import lexicon
from sameas.without_gold.forms import Form, acronym, initials
from sameas.without_gold.grouping import Groups
from sameas.without_gold.lexicon import listed
from sameas.without_gold.name import ORGANISATION, PLACE

__all__ = ["forms_by_initials", "join_contained", "join_things"]


def join_things(forms: list[Form], groups: Groups) -> None:
    """Join the names of things of one type."""
    kind = forms[0].kind
    for reason, way, kinds in _WAYS:
        if not kinds or kind in kinds:
            groups.join_alike(((form.first, way(form)) for form in forms), reason)
    full_names = forms_by_initials(forms)
    for form in forms:
        if full := full_names.get(acronym(form.written)):
            groups.join_forms(form, full[0], "initials")
    if forms[0].label in ("time", "date"):
        return
    _join_commas(forms, groups)
    join_contained(forms, groups, at_end=False)
    join_contained(forms, groups, at_end=True)


def forms_by_initials(forms: Iterable[Form]) -> dict[str, list[Form]]:
    """Map each possible sequence of initials to the names that may have it, in order."""
    found: dict[str, list[Form]] = defaultdict(list)
    for form in forms:
        for letters in initials(form.written):
            found[letters].append(form)
    return found


def _spelling(form: Form) -> str:
    """Return a name without spaces, hyphens and apostrophes; "&" becomes "and"."""
    text = " ".join("and" if word == "&" else word for word in form.text)
    return re.sub(r"[-'‐-― ]", "", text)


def _another_name(form: Form) -> tuple[str, ...]:
    """Return the usual name of a country or state, without "the Republic of" and the like."""
    words = form.words
    if form.kind in (PLACE, "") and len(words) > 2 and words[1] == "of":
        words = words[2:] if words[0] in listed("places before of") else words
    text = " ".join(words)
    text = lexicon.ALIASES.get(text, text)
    # The words "in" and "or" and the name "Penn" are not abbreviations of states.
    is_short = len(text) == 2 or " ".join(form.written).endswith(".")
    if form.kind == PLACE and is_short:
        text = lexicon.STATES.get(text, text)
    return (*text.split(), ",", *form.tail)


def _stem(form: Form) -> tuple[str, ...]:
    """Return the name of a company without its legal form, such as "Inc."."""
    tailed = form.tail and form.tail[0] not in lexicon.COMPANY_SUFFIXES
    words = form.text if tailed else form.words
    while len(words) > 1 and words[-1] in lexicon.COMPANY_SUFFIXES:
        words = words[:-1]
    return words


#: Variants of one name: the reason, what must be equal, and for which kinds (all, if empty).
_WAYS: tuple[tuple[str, Callable[[Form], object], tuple[str, ...]], ...] = (
    ("same letters", _spelling, ()),
    ("alternative name of the same place", _another_name, ()),
    ("same name except for the legal form", _stem, (ORGANISATION, "")),
)


def _join_commas(forms: list[Form], groups: Groups) -> None:
    """Join "Lundby" with "Lundby , Ohio" if only one Lundby has words after a comma."""
    tailed: dict[tuple[str, ...], list[Form]] = defaultdict(list)
    for form in forms:
        if form.tail:
            tailed[form.words].append(form)
    for form in forms:
        found = tailed.get(form.words, [])
        if not form.tail and groups.are_one(found):
            groups.join_forms(form, found[0], "same words before the comma")


def join_contained(
    forms: list[Form], groups: Groups, *, at_end: bool, untyped: bool = False
) -> None:
    """Join a name with the only longer name that starts, or ends, with it.

    With `untyped`, join only names of unknown type with longer names of any type.
    """
    wanted = {form.words: form for form in forms if not form.tail and not (untyped and form.kind)}
    longer: dict[tuple[str, ...], list[Form]] = defaultdict(list)
    for form in forms:
        for size in range(1, min(len(form.words), 8)):
            part = form.words[-size:] if at_end else form.words[:size]
            short = wanted.get(part)
            if short is None or short is form:
                continue
            if _may_end(form, short) if at_end else _may_begin(form, part):
                longer[part].append(form)
    reason = f"the {'end' if at_end else 'beginning'} of the longer name"
    for part in sorted(longer, key=len, reverse=True):
        if groups.are_one(longer[part]):
            groups.join_forms(wanted[part], longer[part][0], reason)


def _may_begin(form: Form, part: tuple[str, ...]) -> bool:
    """Return whether the beginning of a name may stand for it."""
    rest = form.words[len(part) :]
    unfit = part[-1] in lexicon.FUNCTION_WORDS or " ".join(part) in lexicon.COUNTRIES
    if unfit or rest[0] in lexicon.JOINING:
        return False
    if rest[0] in (":", "of", "for", "in", "on", "at", "from", "with"):
        return True
    if form.kind in (ORGANISATION, ""):
        return rest[0] in lexicon.ORGANISATION_ENDS
    one_word = form.kind == PLACE and len(rest) == 1
    return one_word and rest[0] in lexicon.PLACE_ENDS and part[0] not in listed("generic")


def _may_end(form: Form, short: Form) -> bool:
    """Return whether the end of a name, which is also a separate name, may stand for it."""
    part = short.words
    before = form.words[-len(part) - 1]
    unfit = before in listed("directions") or " ".join(part) in lexicon.COUNTRIES
    if unfit or before in lexicon.FUNCTION_WORDS or before in ("/", ":", "-"):
        return False
    whole_first = form.first < short.first
    if form.kind == PLACE:
        return whole_first and len(part) == 1 and part[0] in lexicon.PLACE_ENDS
    return whole_first or form.kind == ORGANISATION
