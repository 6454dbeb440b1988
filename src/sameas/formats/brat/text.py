"""Texts annotated by character offsets, and their tokenisation."""

from __future__ import annotations

import itertools
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from sameas.documents.document import Document, WrittenText
from sameas.documents.mentions import Annotation, Mention, Span, places_of
from sameas.errors import InputError, Problem

__all__ = ["CharacterText"]

_WORD = re.compile(r"\S+")
_JOINERS = "_\u200c\u200d"
_COMMAS, _PERIODS = ",;:!?，；：！？、", ".。"


def _is_separated(words: list[str]) -> bool:
    """Return whether commas and similar marks are more often separate words than word endings.

    Full stops count only if there are no other marks, since abbreviations and list numbers end
    in them.

    >>> _is_separated("No , Mr. 1. went .".split()), _is_separated("No, he went .".split())
    (True, False)
    """
    for signs in (_COMMAS, _PERIODS):
        alone = sum(word in signs for word in words)
        attached = sum(word[-1] in signs and len(word) > 1 for word in words)
        if alone or attached:
            return alone > attached
    return False


class CharacterText:
    r"""A text annotated by character offsets; `raw` is None if the text is unknown.

    >>> text = CharacterText("Ann ran.\n")
    >>> text.token_count, text.raw, text.sentences()
    (9, 'Ann ran.\n', ())
    """

    written_as = "brat"

    def __init__(
        self,
        raw: str | None,
        count: int | None = None,
        places: Mapping[int, int] | None = None,
        joining: frozenset[int] | None = None,
    ) -> None:
        self.raw = raw
        #: The offsets of spaces inside tokens, if all other spaces separate tokens; else None.
        self.joining = joining
        self.token_count: int = len(raw or "") if count is None else count
        self._places = places or {}  # lines of the annotations, by last character

    def sentences(self) -> tuple[tuple[str, ...], ...]:
        """Return no sentences, since the tokens are characters."""
        return ()

    def rows(self) -> None:
        """Return None: there are no columns."""

    def place(self, token: int) -> tuple[int, int]:
        """Return the line and column of the first annotation that ends at `token`."""
        return self._places.get(token, 1), 1

    def tokens(self, cuts: set[int] | None = None) -> list[list[Span]]:
        """Return the start and end offsets of the tokens in each line; ends are exclusive.

        Tokens are words, and single characters outside words; words are also split at `cuts`.

        >>> CharacterText("It rains.").tokens()
        [[(0, 2), (3, 8), (8, 9)]]
        """
        return self._by_line(lambda line, offset: _tokens(line, offset, cuts or set()))

    def _by_line(self, cut: Callable[[str, int], Iterable[Span]]) -> list[list[Span]]:
        """Return the tokens that `cut` finds in each line; lines without tokens are dropped."""
        found, offset = [], 0
        for line in (self.raw or "").split("\n"):
            found.append([(low + offset, high + offset) for low, high in cut(line, offset)])
            offset += len(line) + 1
        return [tokens for tokens in found if tokens]

    def separated(self) -> list[list[Span]] | None:
        """Return the tokens of each line if spaces separate them, else None.

        Whether they do is known from the note, or else inferred from punctuation that is separate
        from words. If they do, the tokens are the same in every annotation file.

        >>> CharacterText("It rains .").separated(), CharacterText("It rains.").separated()
        ([[(0, 2), (3, 8), (9, 10)]], None)
        """
        if self.joining is not None:
            return self._by_line(self._between_blanks)
        if not _is_separated((self.raw or "").split()):
            return None
        return self._by_line(lambda line, _: (word.span() for word in _WORD.finditer(line)))

    def _between_blanks(self, line: str, offset: int) -> Iterator[Span]:
        """Split a line at its spaces, except those inside tokens."""
        signs = enumerate(line.removesuffix("\r"), start=offset)
        joined = "".join("_" if place in (self.joining or ()) else sign for place, sign in signs)
        return (token.span() for token in re.finditer("[^ ]+", joined))

    def _all_tokens(self, document: Document) -> list[list[Span]]:
        """Return the tokens of `separated`, or else those of `tokens`, split at mention bounds."""
        return self.separated() or self.tokens(_bounds(document))

    def misfits(self, document: Document) -> tuple[int, int]:
        r"""Count the words split by mentions, and the mentions widened to whole tokens.

        >>> from sameas.formats.brat.read import read_brat
        >>> document = read_brat(b"T1\tPart 2 5\ttry\n", b"Retry it.\n").documents[0]
        >>> document.text.misfits(document)
        (1, 0)
        """
        lines = self._all_tokens(document)
        if self.separated() is None:
            return sum(map(len, lines)) - sum(map(len, self.tokens())), 0
        starts, stops = _edges(lines)

        def inside(bound: int) -> bool:
            token = bisect_right(stops, bound)
            return token < len(starts) and starts[token] < bound

        return 0, sum(
            any(inside(first) or inside(last + 1) for first, last in mention.spans)
            for mention in (_mention(document, one) for one in document.mentions)
        )

    def tokenised(self, document: Document) -> Document:
        r"""Return the document in tokens, not characters; its sentences are the non-empty lines.

        If spaces separate the tokens of the text (`separated`), mentions that begin or end inside
        a token are widened to the whole token. Otherwise, tokens are words, and single characters
        outside words; words are also split where mentions begin and end.

        >>> from sameas.formats.brat.read import read_brat
        >>> document = read_brat(b"T1\tPart 2 5\ttry\n", b"Retry it.\n").documents[0]
        >>> document.text.tokenised(document).sentences
        (('Re', 'try', 'it', '.'),)
        """
        if self.raw is None:
            raise _cannot(document, "characters-unknown")
        lines = self._all_tokens(document)
        starts, stops = _edges(lines)

        def in_tokens(identity: Hashable) -> Mention:
            mention = _mention(document, identity)
            spans = (
                (bisect_right(stops, first), bisect_right(starts, last) - 1)
                for first, last in mention.spans
            )
            found = Mention(tuple((low, high) for low, high in spans if low <= high))
            if not found.spans:
                first, last = mention.hull
                raise _cannot(document, "blank-mention", first=first, last=last + 1)
            return found

        types, kinds = document.details.types(), document.details.kinds()
        return replace(
            document,
            **places_of([in_tokens(one) for one in document.mentions]),
            annotation=Annotation(all_types=types, all_kinds=kinds) if types or kinds else None,
            text=WrittenText(
                tuple(tuple(self.raw[low:high] for low, high in tokens) for tokens in lines),
                document.origin.line,
            ),
            non_referring=[in_tokens(one).identity for one in document.non_referring],
            unit="token",
        )


def _bounds(document: Document) -> set[int]:
    """Return the offsets at which mentions begin and end."""
    return {
        bound
        for one in (*document.mentions, *document.non_referring)
        for first, last in _mention(document, one).spans
        for bound in (first, last + 1)
    }


def _cannot(document: Document, code: str, **values: Any) -> InputError:
    path, name = document.origin.path, document.name
    return InputError([Problem(code, path, document=name, **values)])


def _mention(document: Document, identity: Hashable) -> Mention:
    if isinstance(identity, Mention) and identity.spans and not identity.zeros:
        return identity
    if document.first is None or not isinstance(identity, tuple):
        raise _cannot(document, "not-characters")
    return Mention((identity,))


def _edges(lines: list[list[Span]]) -> tuple[list[int], list[int]]:
    """Return the offsets at which tokens begin, and those at which they end."""
    tokens = list(itertools.chain.from_iterable(lines))
    return [low for low, _ in tokens], [high for _, high in tokens]


def _tokens(line: str, offset: int, cuts: set[int]) -> Iterator[Span]:
    """Yield the tokens of a line: runs of letters, digits and marks, or other single characters."""
    start = -1
    for place, sign in enumerate(line):
        inside = sign.isalnum() or sign in _JOINERS or unicodedata.category(sign)[0] == "M"
        if start >= 0 and (not inside or place + offset in cuts):
            yield start, place
            start = -1
        if inside and start < 0:
            start = place
        elif not inside and not sign.isspace():
            yield place, place + 1
    if start >= 0:
        yield start, len(line)
