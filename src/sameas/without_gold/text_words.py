"""Extract the words of documents, and the head word of each mention."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sameas.arithmetic.arrays import Ints
from sameas.documents.document import Document, Span, stated_heads
from sameas.documents.heads import Clues, clues, guess_heads
from sameas.documents.mentions import columns_of
from sameas.without_gold.lexicon import TITLES

__all__ = ["TextWords", "file_heads", "head_words", "heads_are_first_words", "words_of"]

MANY = 10  # this many multi-word mentions are suspicious if all start with their heads


@dataclass(frozen=True)
class TextWords:
    """The words of a document, with their offsets if mentions are spans of characters."""

    sentences: Sequence[Sequence[str]]
    words: Sequence[str]
    tags: Sequence[str] | None = None  # parts of speech
    first: Ints | None = None  # first and last character of each word
    last: Ints | None = None

    def __len__(self) -> int:
        """Return the number of words."""
        return len(self.words)

    @cached_property
    def clues(self) -> Clues:
        """The clues (words, parts of speech) from which heads and names are guessed."""
        return clues(self.words, self.tags)

    @property
    def begins(self) -> Ints:
        """The first word of each sentence and, if that is a mark such as “, also the second."""
        lengths = np.fromiter(map(len, self.sentences), np.int64, len(self.sentences))
        starts = (np.cumsum(lengths) - lengths)[lengths > 0]
        quoted = starts[~self.clues.written[starts] & (lengths[lengths > 0] > 1)] + 1
        return np.concatenate([starts, quoted])

    def word(self, place: Ints) -> Ints:
        """Return the indices of the words at some offsets (tokens or characters)."""
        if self.first is None:
            return place
        found: Ints = np.searchsorted(self.first, place, side="right") - 1
        return found

    def start(self, word: Ints) -> Ints:
        """Return the offsets at which words start."""
        return word if self.first is None else self.first[word]

    def stop(self, word: Ints) -> Ints:
        """Return the offsets at which words end."""
        return word if self.last is None else self.last[word]


def words_of(*documents: Document) -> TextWords | None:
    """Return the words of the first document that has any; None if none has.

    The documents are versions of one text.

    >>> from sameas.documents.document import WrittenText
    >>> words_of(Document("a"), Document("a", text=WrittenText((("Ann", "ran"),)))).words
    ['Ann', 'ran']
    """
    for document in documents:
        if document.unit == "character":
            if getattr(document.text, "raw", None) is not None:
                return _cut(document.text)
            continue
        sentences = document.sentences
        words = [word for sentence in sentences for word in sentence]
        if words:
            tags = getattr(document.text, "tags", lambda: None)()
            return TextWords(sentences, words, tags)
    return None


def _cut(text: Any) -> TextWords:
    sentences = [_joined(text.raw, sentence) for sentence in text.tokens()]
    first, stop = columns_of([span for sentence in sentences for span in sentence])
    written = [[text.raw[low:high] for low, high in sentence] for sentence in sentences]
    words = [word for sentence in written for word in sentence]
    return TextWords(written, words, None, first, stop - 1)


def _joined(raw: str, sentence: Sequence[Span]) -> list[Span]:
    """Join the tokens of a sentence as in tokenised corpora: Mr., J. and 's are single words."""
    found: list[Span] = []
    for low, high in sentence:
        before = raw[slice(*found[-1])] if found and found[-1][1] == low else ""
        dotted = raw[low:high] == "." and (before.lower() in TITLES or len(before) == 1)
        possessive = raw[low:high] in ("s", "S") and before in ("'", "’")
        if before and ((dotted and before.isalpha()) or possessive):
            found[-1] = found[-1][0], high
        else:
            found.append((low, high))
    return found


def head_words(document: Document, words: TextWords) -> Ints:
    """Return the head word of each mention, from the file or guessed; -1 for none.

    Zeros and mentions outside the words have no head.

    >>> from sameas.documents.document import Entity, WrittenText
    >>> text = WrittenText((("the", "Queen", "of", "Sheba"),))
    >>> document = Document("a", [Entity("0", ((0, 3),))], text=text)
    >>> head_words(document, words_of(document)).tolist()
    [1]
    """
    assert document.first is not None and document.last is not None
    nodes = file_heads(document)
    if nodes is None and not document.special and words.first is None and not words.tags:
        # A fast path for the usual case, as this runs for every mention of every document.
        fits = (document.last < len(words)) & (document.first <= document.last)
        if fits.all():
            return guess_heads(words.clues, document.first, document.last)
    first, last = document.first.copy(), document.last.copy()
    for number, mention in document.special.items():
        first[number], last[number] = mention.spans[0] if mention.spans else (0, -1)
    inside = (last >= first) & (words.word(last) < len(words)) & (len(words) > 0)
    heads = np.full(len(first), -1, dtype=np.int64)
    starts, stops = words.word(first[inside]), words.word(last[inside])
    starts, stops = np.maximum(starts, 0), np.maximum(stops, 0)
    heads[inside] = guess_heads(words.clues, starts, stops)
    if nodes is not None:
        known = nodes >= 0
        heads[known] = np.where(nodes[known] & 0xFFFF, -1, words.word((nodes[known] >> 16) - 1))
        heads[heads >= len(words)] = -1
    return heads


def file_heads(document: Document) -> Ints | None:
    """Return the heads in the file as nodes; None if it has none.

    >>> file_heads(Document("a")) is None
    True
    """
    return None if document.first is None else stated_heads(document)


def heads_are_first_words(document: Document) -> bool:
    """Return whether many mentions have several words, and all of these start with their head.

    This suggests that the heads are placeholders, written because the format requires a head.

    >>> heads_are_first_words(Document("a"))
    False
    """
    nodes = file_heads(document)
    if nodes is None or document.first is None or document.last is None:
        return False
    long = document.last > document.first
    first = nodes[long] == (document.first[long] + 1) << 16
    return int(np.count_nonzero(long)) >= MANY and bool(first.all())
