"""Join the names in a text by our rules, with separate rules for people and things."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from sameas.without_gold.forms import Form, acronym, read_form, span
from sameas.without_gold.grouping import Groups, Join
from sameas.without_gold.name import OTHER, PERSON, Name
from sameas.without_gold.people import join_people
from sameas.without_gold.things import forms_by_initials, join_contained, join_things

__all__ = ["join_by_rules"]


def join_by_rules(words: Sequence[str], names: Sequence[Name]) -> list[Join]:
    """Return the joins of names, which are given in text order.

    >>> join_by_rules("Ann Reed saw Ann .".split(), [Name(0, 1, "PER"), Name(3, 3, "PER")])
    [Join(name=1, other=0, reason='first name')]
    """
    groups = Groups(len(names))
    form_of = _read_forms(words, names)
    forms = list(dict.fromkeys(form_of))
    _recognise_people(forms)
    things = [form for form in forms if form.kind != PERSON]
    by_type: dict[str, list[Form]] = defaultdict(list)
    for form in things:
        groups.join_same(form)
        by_type[form.label if form.kind == OTHER else form.kind].append(form)
    _join_brackets(words, names, form_of, groups)
    for same_type in by_type.values():
        join_things(same_type, groups)
    join_people([form for form in forms if form.kind == PERSON], groups)
    _join_untyped(forms, groups)
    _join_untyped_acronyms(things, groups)
    join_contained(things, groups, at_end=False, untyped=True)
    return groups.joins


def _read_forms(words: Sequence[str], names: Sequence[Name]) -> list[Form]:
    """Return the form of each name, and record the names of each form."""
    read: dict[tuple[tuple[str, ...], str], Form] = {}
    forms: dict[tuple[object, ...], Form] = {}
    found = []
    for number, name in enumerate(names):
        seen = tuple(span(words, name)), name.type
        if seen not in read:
            form = read_form(*seen)
            read[seen] = forms.setdefault(form.key, form)
            # If the type of a person's name is known once, it holds for every occurrence.
            read[seen].label = read[seen].label or form.label
        read[seen].names.append(number)
        found.append(read[seen])
    return found


def _recognise_people(forms: Iterable[Form]) -> None:
    """Treat a word of unknown type as a person if it is a person's last name in the document."""
    people = [form for form in forms if form.kind == PERSON and form.words and not form.whole]
    last = {form.words[-1] for form in people}
    for form in forms:
        if not form.kind and len(form.words) == 1 and form.words[0] in last and not form.tail:
            form.kind = PERSON


def _join_untyped(forms: Iterable[Form], groups: Groups) -> None:
    """Join a name of unknown type with the same name of a known type."""
    typed: dict[tuple[str, ...], Form] = {}
    kinds: dict[int, str] = {}  # of each group with a known type
    for form in forms:
        if form.label:
            kinds[groups.root(form.first)] = form.kind
            if not form.titles:
                typed.setdefault(form.text, form)
    for form in forms:
        other = typed.get(form.text)
        if form.label or form.titles or other is None:
            continue
        # A name of unknown type must not merge two groups of different types.
        if kinds.get(groups.root(form.first), other.kind) == other.kind:
            groups.join_forms(form, other, "same words, type unknown")
            kinds[groups.root(form.first)] = other.kind


def _join_untyped_acronyms(forms: list[Form], groups: Groups) -> None:
    """Join an acronym with the only thing that has these initials, unless known types differ."""
    kinds: dict[int, set[str]] = defaultdict(set)
    for form in forms:
        if form.kind:
            kinds[groups.root(form.first)].add(form.kind)
    full_names = forms_by_initials(forms)
    for form in forms:
        full = full_names.get(acronym(form.written), [])
        known = {kind for one in (form, *full) for kind in kinds[groups.root(one.first)]}
        if groups.are_one(full) and len(known) < 2:
            groups.join_forms(form, full[0], "initials, type unknown")
            kinds[groups.root(form.first)] = known


def _join_brackets(
    words: Sequence[str], names: Sequence[Name], form_of: Sequence[Form], groups: Groups
) -> None:
    """Join the names in "Full Name ( ACR )" if one abbreviates the other or the scripts differ."""
    ending = {name.last: number for number, name in enumerate(names)}
    for number, name in enumerate(names):
        bracket = name.first - 1
        other = ending.get(bracket - 1)
        if other is None or not 0 < bracket < len(words) or words[bracket] not in ("(", "-LRB-"):
            continue
        reason = _reason_in_brackets(form_of[number], form_of[other])
        if reason:
            groups.join(number, other, f"in brackets, {reason}")


def _reason_in_brackets(form: Form, full: Form) -> str:
    """Return why a name in brackets stands for the name before it; empty if it does not."""
    unlike = form.kind != full.kind and form.label and full.label
    if unlike or not form.words or not full.words:
        return ""
    first, first_before = form.words[0][:1], full.words[0][:1]
    if first.isascii() != first_before.isascii():
        both = first.isalpha() and first_before.isalpha()
        return "in another script" if both else ""
    short = _abbreviates(form, full) or _abbreviates(full, form)
    return "with letters of the name" if short else ""


def _abbreviates(short: Form, long: Form) -> bool:
    """Return whether a word abbreviates a name: the name's first letter, then others in order."""
    if len(short.written) != 1 or len(long.words) < 2:
        return False
    if sum(c.isupper() for c in short.written[0]) < 2:
        return False
    letters, full = short.words[0], "".join(long.words)
    left = iter(full)
    return letters[:1] == full[:1] and all(c in left for c in letters if c.isalnum())
