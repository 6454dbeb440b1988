"""The nodes of a document in the order of its text: what most formats write a line or token for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from sameas.coref.document import INITIAL, Document, Mention, Span, node
from sameas.errors import InputError, Problem

__all__ = ["Nodes", "cannot", "first_crossing", "mention_objects", "nodes_of"]


@dataclass(frozen=True)
class Nodes:
    """Words and empty nodes, sentence by sentence, and the form of each."""

    sentences: Sequence[Sequence[int]]
    form: dict[int, str]

    @property
    def order(self) -> list[int]:
        """All nodes, without sentence breaks."""
        return [place for sentence in self.sentences for place in sentence]


def cannot(document: Document, why: str) -> InputError:
    """The error that says why a document cannot be written."""
    return InputError([Problem(f"document {document.name}: {why}")])


def first_crossing(spans: list[Span]) -> Span | None:
    """The first of these spans that crosses another; brackets of one entity are read as nested.

    >>> first_crossing([(0, 2), (1, 3)]), first_crossing([(0, 3), (1, 2)])
    ((1, 3), None)
    """
    stack: list[int] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        while stack and stack[-1] < start:
            stack.pop()
        if stack and stack[-1] < end:
            return start, end
        stack.append(end)
    return None


def mention_objects(document: Document) -> list[Mention]:
    """The places of the mentions, in order; refused if they are not in the document's text."""
    if document.mention_count and not document.text.token_count and document.first is not None:
        raise cannot(document, "its words are not known, so it cannot be written in this format")
    if (
        document.unit != "token"
        or document.first is None
        or document.last is None
        or document.last.max(initial=-1) >= document.text.token_count
    ):
        raise cannot(document, "its mentions are not spans of tokens, so it cannot be written")
    return [
        document.special.get(number) or Mention(((first, last),))
        for number, (first, last) in enumerate(
            zip(document.first.tolist(), document.last.tolist(), strict=True)
        )
    ]


def nodes_of(document: Document) -> Nodes:
    """The nodes of a document: its words, and the empty nodes of its file or its mentions."""
    mention_objects(document)  # says what is wrong with them
    forms: dict[int, str] = {}
    zeros: dict[int, str] = {}
    words = document.sentences
    for number, word in enumerate(word for sentence in words for word in sentence):
        forms[node(number)] = word
    if hasattr(document.text, "zero_forms"):
        zeros.update(document.text.zero_forms())
    for mention in document.special.values():
        for zero in mention.zeros:
            zeros.setdefault(node(zero), "_")
    bounds = [0]
    for sentence in words:
        bounds.append(bounds[-1] + len(sentence))
    sentences: list[list[int]] = [
        [node(word) for word in range(low, high)] for low, high in pairwise(bounds)
    ]
    for place in zeros:
        before, number = place >> 16, place & 0xFFFF
        # After word `before - 1`, or, if it is initial, in front of word `before`.
        wanted = before if number >= INITIAL or before == 0 else before - 1
        for nodes, (low, high) in zip(sentences, pairwise(bounds), strict=True):
            if low <= wanted < high:
                nodes.append(place)
                break
        else:
            raise cannot(document, "an empty node is outside its sentences")
    return Nodes([sorted(nodes) for nodes in sentences], {**forms, **zeros})
