"""Properties of the name matcher for any text and any names."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from effort import examples
from sameas.without_gold.matcher import MATCHERS, Grouping, explain, group_names
from sameas.without_gold.name import Name, broad_type

unhurried = settings(deadline=None, max_examples=examples(150))

USUAL = """the The of and , ( ) 's ’s Mr. Mrs. Dr. Sir John Jack Jane Anna J. A. Reed Lund Smith Jr.
III van University Bank Lundby Ohio OH U.S. United States UK Inc. Records Palace UB WLU North Korea
President who said"""
WORDS = st.one_of(st.sampled_from(USUAL.split()), st.text(max_size=6))
TYPES = st.sampled_from(["", "PER", "person", "GPE", "LOC", "ORG", "event", "time", "ünknown"])
TEXTS = st.lists(WORDS, max_size=40)
Text = tuple[list[str], list[Name]]


@st.composite
def texts(draw: st.DrawFn) -> Text:
    words = draw(TEXTS)
    names = draw(
        st.lists(
            st.builds(
                lambda first, more, label: Name(first, first + more, label),
                st.integers(0, max(len(words) - 1, 0)),
                st.integers(-1, 5),
                TYPES,
            ),
            max_size=25,
        )
    )
    return words, names


@pytest.mark.parametrize("matcher", MATCHERS)
@given(texts())
@unhurried
def test_entities_are_a_partition_that_the_joins_span(matcher: str, text: Text) -> None:
    words, names = text
    grouping = group_names(words, names, matcher)
    assert len(grouping.entity) == len(names)
    # Numbered in order of their first names.
    assert list(dict.fromkeys(grouping.entity)) == list(range(len(set(grouping.entity))))
    # A spanning forest: the joins are within entities, connect them, and none is redundant.
    assert len(grouping.joins) == len(names) - len(set(grouping.entity))
    group = list(range(len(names)))
    for join in grouping.joins:
        assert 0 <= join.other < join.name < len(names) and join.reason
        assert group[join.name] != group[join.other]
        old, new = group[join.name], group[join.other]
        group = [new if number == old else number for number in group]
    assert _same(Grouping(group, []), grouping)
    assert len(explain(words, names, grouping)) == len(grouping.joins)


def _same(grouping: Grouping, other: Grouping) -> bool:
    pairs = set(zip(grouping.entity, other.entity, strict=True))
    return len(pairs) == len(set(grouping.entity)) == len(set(other.entity))


@given(texts())
@unhurried
def test_the_same_words_are_one_entity_in_exact(text: Text) -> None:
    words, names = text
    entity = group_names(words, names, "exact").entity
    seen: dict[tuple[str, ...], int] = {}
    for name, number in zip(names, entity, strict=True):
        assert seen.setdefault(tuple(words[name.first : name.last + 1]), number) == number


@given(texts())
@unhurried
def test_paper_is_coarser_than_exact(text: Text) -> None:
    exact, paper = (group_names(*text, matcher).entity for matcher in ("exact", "paper"))
    coarse: dict[int, int] = {}
    for fine, number in zip(exact, paper, strict=True):
        assert coarse.setdefault(fine, number) == number


@given(texts())
@example((["John"], [Name(0, 0, ""), Name(0, 0, "PER"), Name(0, 0, "GPE")]))
@unhurried
def test_rules_keep_people_and_others_apart(text: Text) -> None:
    words, names = text
    entity = group_names(words, names).entity
    kinds: dict[int, set[str]] = {}
    for name, number in zip(names, entity, strict=True):
        kinds.setdefault(number, set()).add(broad_type(name.type))
    assert all(len(found - {""}) <= 1 for found in kinds.values())


@pytest.mark.parametrize("matcher", MATCHERS)
@given(texts(), st.randoms(use_true_random=False))
@unhurried
def test_the_order_of_the_list_does_not_matter(
    matcher: str, text: Text, chance: random.Random
) -> None:
    words, names = text
    names = sorted(set(names), key=lambda name: (name.first, name.last, name.type))
    order = list(range(len(names)))
    chance.shuffle(order)
    straight = group_names(words, names, matcher)
    shuffled = group_names(words, [names[number] for number in order], matcher)
    back = [0] * len(names)
    for place, number in enumerate(order):
        back[number] = shuffled.entity[place]
    if matcher == "paper":  # it takes the first of two names with the same initials
        return
    assert _same(Grouping(back, []), straight)
