"""Heads computed for many mentions at once equal those computed one by one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from brute_cone import capital_words
from brute_heads import brute_head
from effort import examples
from sameas import Document, Entity, Mention
from sameas.documents.document import WrittenText
from sameas.documents.heads import PRONOUNS, clues, describe, guess_heads, guess_names
from sameas.documents.layout import Layout

VOCABULARY, TAGS = (
    text.split()
    for text in (
        "the The Queen queen of Of , ( ; - 's ’ . … Ann ann and And AND or & nor with who which "
        "that US us IT it he He She 1990 é Élan -- : \" “ ' He's 3 both Both all All one In in",
        "NN NNS NNP NNPS PRP PRP$ WP WDT DT IN TO CC CD JJ VBG VBD RB , : . POS -LRB- FW",
    )
)


@st.composite
def texts(draw: st.DrawFn) -> tuple[list[list[str]], list[tuple[int, int]]]:
    sentences = draw(
        st.lists(
            st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=8), min_size=1, max_size=4
        )
    )
    size = sum(map(len, sentences))
    spans = [(a, b) for a in range(size) for b in range(a, min(size, a + 7))]
    chosen = draw(st.lists(st.sampled_from(spans), min_size=1, max_size=20, unique=True))
    return sentences, chosen


def described(
    sentences: Sequence[Sequence[str]], spans: Sequence[tuple[int, int]], tags: Sequence[str] | None
) -> tuple[list[str], list[int]]:
    text = WrittenText(tuple(map(tuple, sentences)))
    document = Document("a", [Entity("0", tuple(Mention((span,)) for span in spans))], text=text)
    return describe(Layout([document]), document, tags)


def columns(spans: Sequence[tuple[int, int]]) -> Any:
    return np.array(spans, dtype=np.int64).reshape(-1, 2).T


def begins(sentences: Sequence[Sequence[str]]) -> Any:
    found, start = set(), 0
    for sentence in sentences:
        found.add(start)
        if not sentence[0][:1].isalnum() and len(sentence) > 1:
            found.add(start + 1)
        start += len(sentence)
    return np.array(sorted(found), dtype=np.int64)


@settings(deadline=None, max_examples=examples(200))
@given(texts())
def test_heads_at_once_are_heads_one_by_one(
    text: tuple[list[list[str]], list[tuple[int, int]]],
) -> None:
    sentences, spans = text
    words = [word for sentence in sentences for word in sentence]
    kinds, heads = described(sentences, spans, None)
    found = clues(words)
    assert guess_heads(found, *columns(spans)).tolist() == heads
    assert heads == [brute_head(words, span, None) for span in spans]
    large = guess_names(words, found, begins(sentences))
    for kind, head, (first, last) in zip(kinds, heads, spans, strict=True):
        # "Ann and Bob" is a special kind of name; for "Both of them" see below.
        joined = words[head].lower() in ("and", "or", "nor", "&") and first < head < last
        longer = first < last and words[head].lower() in PRONOUNS
        if not joined and not longer:
            assert bool(large[head]) == (kind == "name"), words[first : last + 1]


@settings(deadline=None, max_examples=examples(200))
@given(texts(), st.randoms(use_true_random=False))
def test_tagged_heads_at_once_are_heads_one_by_one(
    text: tuple[list[list[str]], list[tuple[int, int]]], generator: random.Random
) -> None:
    sentences, spans = text
    words = [word for sentence in sentences for word in sentence]
    tags = [generator.choice(TAGS) for _ in words]
    _, heads = described(sentences, spans, tags)
    assert guess_heads(clues(words, tags), *columns(spans)).tolist() == heads
    assert heads == [brute_head(words, span, tags) for span in spans]


@settings(deadline=None, max_examples=examples(100))
@given(texts())
def test_large_words_by_brute_force(text: tuple[list[list[str]], list[tuple[int, int]]]) -> None:
    sentences, _ = text
    words = [word for sentence in sentences for word in sentence]
    found = guess_names(words, clues(words), begins(sentences))
    expected = capital_words(sentences, PRONOUNS)
    for word, one, other in zip(words, found.tolist(), expected, strict=True):
        if word not in ("US", "IT"):  # names, although they are pronouns in lower case
            assert one == other
