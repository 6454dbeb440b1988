"""The nodes of a document in text order; most formats write one line or token for each."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import itemgetter
from typing import Any

from sameas.documents.document import Document
from sameas.documents.mentions import Mention, Span, adjacent_word, node
from sameas.errors import InputError, Problem
from sameas.sentences import wording

__all__ = [
    "Brackets",
    "Nodes",
    "cannot",
    "first_crossing",
    "ids_or_numbers",
    "mention_objects",
    "nodes_of",
    "runs",
]


@dataclass(frozen=True)
class Nodes:
    """Words and empty nodes by sentence, and the form of each."""

    sentences: Sequence[Sequence[int]]
    form: dict[int, str]

    @property
    def order(self) -> list[int]:
        """All nodes as a flat list."""
        return [place for sentence in self.sentences for place in sentence]


def cannot(document: Document, code: str, **values: object) -> InputError:
    """Return the error that explains why a document cannot be written."""
    values = {"document": document.name, **wording(document.holds_records), **values}
    return InputError([Problem(code, values=values)])


def ids_or_numbers(
    document: Document, fits: Callable[[str], object], number: Callable[[int], str]
) -> list[str]:
    """Return the ids of the entities if they are distinct and a format can represent all of them.

    Otherwise, return new ids, which `number` makes from the indices of the entities. `fits` returns
    whether the format can represent an id.
    """
    ids = list(document.entity_ids)
    if len(set(ids)) == len(ids) and all(map(fits, ids)):
        return ids
    return list(map(number, range(len(ids))))


def runs(numbers: Iterable[int]) -> list[Span]:
    """Return the first and last number of each run of consecutive numbers.

    >>> runs([0, 1, 3])
    [(0, 1), (3, 3)]
    """
    found: list[Span] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


class Brackets:
    """The brackets at each node of a text: opening ones, closing ones, and those that do both.

    >>> brackets = Brackets()
    >>> brackets.add(0, 2, "a", "a")
    >>> brackets.add(0, 0, "b", "b")
    >>> brackets.cells(lambda opening, whole, closing: "|".join([*opening, *whole, *closing]))
    {0: '(a|(b)', 2: 'a)'}
    """

    def __init__(self) -> None:
        self._opens: dict[int, list[tuple[int, str]]] = defaultdict(list)
        self._closes: dict[int, list[tuple[int, Any, str]]] = defaultdict(list)
        self._whole: dict[int, list[str]] = defaultdict(list)

    def add(self, first: int, last: int, opening: str, closing: str, tie: Any = 0) -> None:
        """Add the brackets of one piece; `tie` orders those that open and close together."""
        if first == last:
            self._whole[first].append(f"({opening})")
        else:
            self._opens[first].append((-last, f"({opening}"))
            self._closes[last].append((-first, tie, f"{closing})"))

    def cells(self, join: Callable[[list[str], list[str], list[str]], str]) -> dict[int, str]:
        """Join the brackets at each node.

        `join` gets those that open (longest first), those that do both, and those that close
        (shortest first).
        """
        return {
            place: join(
                [text for _, text in sorted(self._opens.get(place, ()), key=itemgetter(0))],
                self._whole.get(place, []),
                [text for *_, text in sorted(self._closes.get(place, ()), key=itemgetter(0, 1))],
            )
            for place in sorted({*self._opens, *self._closes, *self._whole})
        }


def first_crossing(spans: list[Span]) -> Span | None:
    """Return the first span that crosses an earlier one, or None.

    Brackets of one entity are read as nested, so they cannot represent such spans.

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
    """Return the mentions as objects, in order; reject mentions outside the document's text."""
    if document.mention_count and not document.text.token_count and document.first is not None:
        raise cannot(document, "write-no-text")
    if document.unit != "token" or document.first is None or document.last is None:
        raise cannot(document, "write-no-places")
    count = document.text.token_count
    if document.last.max(initial=-1) >= count:
        raise cannot(document, "write-outside", count=count, unit=document.unit)
    return list(map(document.mention, range(document.mention_count)))


def nodes_of(document: Document) -> Nodes:
    """Return a document's nodes: its words, and the empty nodes of its file or its mentions."""
    mention_objects(document)  # raises an error if they are outside the text
    forms = {node(number): word for number, word in enumerate(document.tokens)}
    zeros = document.zero_forms()
    bounds = [0, *accumulate(map(len, document.sentences))]
    sentences: list[list[int]] = [
        [node(word) for word in range(low, high)] for low, high in pairwise(bounds)
    ]
    for place in zeros:
        number = bisect_right(bounds, adjacent_word(place)) - 1
        if number == len(sentences):
            raise cannot(document, "write-node-outside")
        sentences[number].append(place)
    return Nodes([sorted(nodes) for nodes in sentences], {**forms, **zeros})
