"""A second implementation of the errors of a response, with sets and dictionaries, step by step.

It follows the definitions, for small documents. An error is a kind and the mentions that would have
to change. `errors` lists the errors; `repair` performs the steps literally, in the order of the
kinds, on a list of sets. A mention is any hashable; `position` returns its position in the text.
Spans are pairs of first and last word; `head` returns the head word of a span.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

Mention = Hashable
Clusters = Sequence[Collection[Mention]]
Error = tuple[str, frozenset[Mention]]
Span = tuple[int, int]

KINDS = (
    "span",
    "conflated",
    "extra mention",
    "extra entity",
    "divided",
    "missing mention",
    "missing entity",
)


@dataclass(frozen=True)
class Part:
    """The mentions of one response entity that belong to one key entity."""

    mentions: frozenset[Mention]
    home: frozenset[Mention]  # the response entity
    target: frozenset[Mention]  # the key entity


@dataclass
class Document:
    """Key and response of one document.

    `meant` maps each response mention with wrong words to the key mention that it should be.
    """

    key: Clusters
    response: Clusters
    position: Callable[[Mention], tuple[int, ...]]
    meant: Mapping[Mention, Mention] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.key_entities = [frozenset(entity) for entity in self.key]
        self.response_entities = [frozenset(entity) for entity in self.response]
        self.key_mentions = frozenset(chain(*self.key))
        self.response_mentions = frozenset(chain(*self.response))
        # The key mention that each response mention is or should be.
        self.goal = {mention: mention for mention in self.response_mentions & self.key_mentions}
        self.goal |= dict(self.meant)
        self.parts = [
            Part(mentions, home, target)
            for home in self.response_entities
            for target in self.key_entities
            if (mentions := frozenset(m for m in home if self.goal.get(m) in target))
        ]

    def main(self, home: frozenset[Mention]) -> Part | None:
        """Return the part that stays when others are split off."""
        return self._largest(part for part in self.parts if part.home == home)

    def anchor(self, target: frozenset[Mention]) -> Part | None:
        """Return the part that the other parts of its key entity join."""
        return self._largest(part for part in self.parts if part.target == target)

    def _largest(self, parts: Iterable[Part]) -> Part | None:
        def rank(part: Part) -> tuple[int, tuple[int, ...]]:
            return -len(part.mentions), min(map(self.position, part.mentions))

        return min(parts, key=rank, default=None)

    def extra_mentions(self, home: frozenset[Mention]) -> frozenset[Mention]:
        return frozenset(mention for mention in home if mention not in self.goal)


def errors(document: Document) -> list[Error]:
    """Return all errors, by kind."""
    found: list[Error] = [("span", frozenset([mention])) for mention in document.meant]
    for part in document.parts:
        if part != document.main(part.home):
            found.append(("conflated", part.mentions))
        if part != document.anchor(part.target):
            found.append(("divided", part.mentions))
    for home in document.response_entities:
        if document.main(home) is None:
            found.append(("extra entity", home))
        else:
            found += [("extra mention", frozenset([m])) for m in document.extra_mentions(home)]
    for target in document.key_entities:
        if document.anchor(target) is None:
            found.append(("missing entity", target))
        else:
            found += [
                ("missing mention", frozenset([mention]))
                for mention in target - set(document.goal.values())
            ]
    return sorted(found, key=lambda error: KINDS.index(error[0]))


class Response:
    """The entities of the response while its errors are repaired one after another."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.entities = [set(entity) for entity in document.response_entities]
        self.words = {mention: mention for mention in document.response_mentions}  # now

    def where(self, mentions: Iterable[Mention]) -> set[Mention]:
        """Return the entity of these mentions."""
        now = {self.words[mention] for mention in mentions}
        (entity,) = [entity for entity in self.entities if now & entity]
        assert now <= entity
        return entity

    def take(self, mentions: Iterable[Mention]) -> set[Mention]:
        """Remove mentions from their entities; some may have been removed before."""
        taken = set()
        for mention in mentions:
            for entity in self.entities:
                if self.words[mention] in entity:
                    entity.remove(self.words[mention])
                    taken.add(self.words[mention])
        return taken

    def move_span(self, one: Mention) -> None:
        """Give a mention its correct span."""
        self.where([one]).add(self.document.meant[one])
        self.where([one]).remove(one)
        self.words[one] = self.document.meant[one]

    def join_part(self, mentions: Iterable[Mention]) -> None:
        """Join a divided part with its entity."""
        (part,) = [part for part in self.document.parts if part.mentions == mentions]
        along = set(mentions)
        if part == self.document.main(part.home):  # extra mentions stay with the largest part
            along |= self.document.extra_mentions(part.home)
        anchor = self.document.anchor(part.target)
        assert anchor is not None
        self.where(anchor.mentions).update(self.take(along))

    def add_missing(self, one: Mention) -> None:
        """Add a missing mention to its entity."""
        (target,) = [target for target in self.document.key_entities if one in target]
        anchor = self.document.anchor(target)
        assert anchor is not None
        self.where(anchor.mentions).add(one)


def repair(document: Document, chosen: Iterable[Error]) -> list[set[Mention]]:
    """Return the response with the chosen errors repaired."""
    response = Response(document)
    for kind, mentions in sorted(chosen, key=lambda error: KINDS.index(error[0])):
        if kind == "span":
            response.move_span(next(iter(mentions)))
        elif kind == "conflated":
            response.entities.append(response.take(mentions))
        elif kind in ("extra mention", "extra entity"):
            response.take(mentions)
        elif kind == "divided":
            response.join_part(mentions)
        elif kind == "missing mention":
            response.add_missing(next(iter(mentions)))
        else:
            response.entities.append(set(mentions))
    return [entity for entity in response.entities if entity]


def span_errors(
    key: Iterable[Span], response: Iterable[Span], head: Callable[[Span], Hashable]
) -> dict[Span, Span]:
    """Map unmatched response spans one to one to key spans with the same head.

    Pairs with the largest overlap come first; ties are broken by position in the key, then in the
    response. Of spans that start together, the longest comes first.
    """
    key, response = set(key), set(response)
    candidates = sorted(
        ((one, other) for one in key - response for other in response - key),
        key=lambda pair: (-overlap(*pair), place(pair[0]), place(pair[1])),
    )
    meant: dict[Span, Span] = {}
    for one, other in candidates:
        if head(one) == head(other) and one not in meant.values() and other not in meant:
            meant[other] = one
    return meant


def place(span: Span) -> tuple[int, int]:
    """Return the sort key of a span: by start, then the longest first."""
    return span[0], -span[1]


def overlap(one: Span, other: Span) -> float:
    """Return the share of words that two spans have in common."""
    ours, theirs = (set(range(first, last + 1)) for first, last in (one, other))
    return 2 * len(ours & theirs) / (len(ours) + len(theirs))


def links(clusters: Clusters, others: Clusters) -> tuple[int, int]:
    """Return the number of links in a spanning forest of the entities, and how many may be right.

    The number of right links assumes that mentions which share another entity are linked first.
    """
    total = sum(len(entity) - 1 for entity in clusters)
    apart = 0
    for entity in clusters:
        cuts = [frozenset(entity) & frozenset(other) for other in others]
        alone = len(set(entity) - set(chain(*others)))
        apart += len([cut for cut in cuts if cut]) + alone - 1
    return total, total - apart
