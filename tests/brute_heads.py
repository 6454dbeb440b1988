"""Guess the head of a mention word by word, as `sameas.documents.heads` does with arrays."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial

from sameas.documents import heads as rules


def brute_head(words: Sequence[str], span: tuple[int, int], tags: Sequence[str] | None) -> int:
    """Return the word that joins "Ann and Bob", or else the last noun, number or word before the
    first modifier."""
    first, last = span
    if first == last:
        return first
    small = [word.lower() for word in words]
    for word in range(first + 1, last):
        if small[word] in rules._JOINING and (not tags or tags[word] == "CC"):
            return word
        ends = tags[word] in rules._MODIFIER_TAGS if tags else small[word] in rules._MODIFIERS
        if ends and small[word] != ",":
            break
    end = first + 1
    while end <= last and not _begins_modifier(small, tags, first, end):
        end += 1
    wanted: list[Callable[[int], bool]] = [lambda word: words[word][:1].isalnum()]
    if tags:
        by_tag = (rules._NOUN_TAGS, rules._NUMBER_TAGS)
        wanted = [*(partial(_has_tag, tags, known) for known in by_tag), *wanted]
    for is_wanted in wanted:
        for word in reversed(range(first, end)):
            if is_wanted(word):
                return word
    return last


def _has_tag(tags: Sequence[str], known: Collection[str], word: int) -> bool:
    return tags[word] in known


def _begins_modifier(
    small: Sequence[str], tags: Sequence[str] | None, first: int, word: int
) -> bool:
    if not tags:
        return small[word] in rules._MODIFIERS
    noun_before = any(tag in rules._NOUN_TAGS for tag in tags[first:word])
    return tags[word] in rules._MODIFIER_TAGS or (noun_before and tags[word] in rules._LATER_TAGS)
