"""Documents: a text, its mentions, and the entities they belong to.

A document keeps its mentions as columns (first token, last token, entity), because a corpus is
scored as a few long arrays; `Entity` and `Mention` objects are made when somebody asks for them.
Mentions of several pieces, or with empty nodes in them, are few: they are kept beside the columns
as objects.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from sameas.arithmetic.arrays import Ints
from sameas.documents.clusters import (
    check_ignore_index,
    entity_columns,
    hashable_mentions,
    impossible_span,
    is_listing,
    without_padding,
)
from sameas.documents.mentions import (
    INITIAL,
    KINDS,
    Annotation,
    Bridge,
    Entity,
    Mention,
    Origin,
    Span,
    join_columns,
    node,
    place_of,
)
from sameas.errors import Problem, UsageError

__all__ = [
    "INITIAL",
    "KINDS",
    "Annotation",
    "Bridge",
    "Corpus",
    "Document",
    "Entity",
    "Mention",
    "Origin",
    "Span",
    "Text",
    "WrittenText",
    "check_columns",
    "check_ignore_index",
    "join_columns",
    "stated_heads",
    "without_padding",
]

_NO_DETAILS = Annotation()


def stated_heads(document: Document) -> Ints | None:
    """The heads that a file states, as nodes, -1 where it states none; None if it has none at all.

    `Annotation.heads` has the ones that matching takes, which may be assumed.

    >>> stated_heads(Document("a", [Entity("0", (Mention(((3, 5),), head=4),))])).tolist()
    [327680]
    """
    return document.details.stated_heads()


class Text(Protocol):
    """Where a document's words come from; read when somebody asks for them."""

    @property
    def token_count(self) -> int:
        """How many tokens the document has."""
        ...

    def sentences(self) -> tuple[tuple[str, ...], ...]:
        """The words, sentence by sentence."""
        ...

    def rows(self) -> list[list[list[str]]] | None:
        """The columns left of the coreference column, by sentence and token, if there are any."""
        ...

    def place(self, token: int) -> tuple[int, int]:
        """Line and column at which token number `token` is annotated."""
        ...


@dataclass(frozen=True)
class WrittenText:
    """Words that are already in memory, from one line of a file or from the caller.

    >>> WrittenText((("It", "rains"), ("Yes",))).token_count
    3
    """

    words: tuple[tuple[str, ...], ...] = ()
    line: int = 0
    zeros: Mapping[int, str] = field(default_factory=dict)  # empty nodes: node, form

    @property
    def token_count(self) -> int:
        """How many tokens the document has."""
        return sum(len(sentence) for sentence in self.words)

    def sentences(self) -> tuple[tuple[str, ...], ...]:
        """The words, sentence by sentence."""
        return self.words

    def zero_forms(self) -> Mapping[int, str]:
        """The empty nodes and what is written for them."""
        return self.zeros

    def rows(self) -> None:
        """No further columns."""

    def place(self, token: int) -> tuple[int, int]:
        """The line that holds the whole document."""
        return self.line, 1


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Document:
    """One text with its entities, which are given as objects, or as columns.

    The columns have mention `m` from token `first[m]` to token `last[m]`, of entity `entity[m]`.
    To change a document, `dataclasses.replace` it; entities take the place of all its columns.

    >>> document = Document("a", [Entity("0", (Mention.at(0, 1), Mention.at(3, 3)))])
    >>> document.mention_count, document.entities[0].mentions[1].spans
    (2, ((3, 3),))
    >>> replace(document, name="b", entity=[0, 1], entity_ids=["x", "y"]).entities[1].id
    'y'
    >>> replace(document, entities=[Entity("z", (Mention.at(5, 6),))]).mentions
    [(5, 6)]
    """

    name: str
    first: Ints | None  # tokens; None where a mention is not a piece of text
    last: Ints | None
    entity: Ints
    entity_ids: Sequence[str]
    special: Mapping[int, Mention]  # mentions that are not just first to last, by number
    identifiers: Sequence[Hashable] | None  # the mentions where one is not a piece of text
    annotation: Annotation | None
    text: Text
    meta: Mapping[str, Any]  # other fields of the file
    origin: Origin
    split_antecedents: Mapping[str, tuple[str, ...]]  # entity ids: the entities that make it up
    bridging: Sequence[Bridge]
    non_referring: Sequence[Hashable]  # identities of mentions that belong to no entity
    unit: str  # what spans count: "token" or "character"

    def __init__(
        self,
        name: str,
        entities: Iterable[Entity] | None = None,
        *,
        first: Ints | None = None,
        last: Ints | None = None,
        entity: Ints | None = None,
        entity_ids: Sequence[str] = (),
        special: Mapping[int, Mention] | None = None,
        identifiers: Sequence[Hashable] | None = None,
        annotation: Annotation | None = None,
        text: Text | None = None,
        meta: Mapping[str, Any] | None = None,
        origin: Origin | None = None,
        split_antecedents: Mapping[str, tuple[str, ...]] | None = None,
        bridging: Sequence[Bridge] = (),
        non_referring: Sequence[Hashable] = (),
        unit: str = "token",
    ) -> None:
        origin = origin or Origin()
        columns = {
            "name": str(name),
            "first": _as_column(first),
            "last": _as_column(last),
            "entity": _as_column(entity),
            "entity_ids": entity_ids,
            "special": special or {},
            "identifiers": identifiers,
            "annotation": annotation,
            "text": text or WrittenText(),
            "meta": meta or {},
            "origin": origin,
            "split_antecedents": split_antecedents or {},
            "bridging": bridging,
            "non_referring": non_referring,
            "unit": unit,
        }
        if all(one is None for one in (entities, first, last, entity, identifiers)):
            entities = ()
        if entities is not None:
            columns |= entity_columns(str(name), entities, origin)
        _require_equal_columns(columns)
        object.__setattr__(self, "__dict__", columns)

    @classmethod
    def from_clusters(cls, name: str, clusters: Iterable[Iterable[Hashable]]) -> Document:
        """The document whose entities are the given clusters of hashable mentions.

        A mention may be anything hashable; a pair of integers is the span of its first and last
        token, counted from 0, and lists are taken as tuples.

        >>> Document.from_clusters("a", [["x", "y"], ["z"]]).mention_count
        3
        """
        if not is_listing(clusters):
            raise UsageError("clusters-not-lists", value=clusters)
        entities = [
            Entity(str(number), hashable_mentions(cluster, number))
            for number, cluster in enumerate(clusters)
        ]
        return cls(name, entities, origin=Origin(unnamed=name == "document"))

    @classmethod
    def from_side(cls, name: str, clusters: Iterable[Iterable[Hashable]], side: str) -> Document:
        """What `from_clusters` gives, and says of which side, if it has anything to say.

        >>> Document.from_side("a", [["x"], 7], "the response")
        Traceback (most recent call last):
        ...
        sameas.errors.UsageError: the response: cluster 1 must be a list of mentions, not 7
        """
        try:
            document = cls.from_clusters(name, clusters)
        except UsageError as error:
            raise error.at(side) from None
        if not document.origin.problems:
            return document
        problems = tuple(replace(problem, path=side) for problem in document.origin.problems)
        return replace(document, origin=replace(document.origin, problems=problems))

    @property
    def details(self) -> Annotation:
        """The annotation of the mentions; an empty one if the document has none."""
        return self.annotation or _NO_DETAILS

    def was_read_as(self, format: str) -> bool:
        """Whether the document came in this format, and keeps what it came with."""
        return bool(getattr(self.text, "written_as", "") == format)

    @property
    def mention_count(self) -> int:
        """How many mentions the document has, repeated ones included."""
        return len(self.entity)

    @property
    def holds_records(self) -> bool:
        """Whether its mentions are records of a table; clusters may as well be those of a text."""
        return False

    @cached_property
    def mentions(self) -> Sequence[Hashable]:
        """What exact matching compares, mention by mention, in the order of the columns."""
        if self.identifiers is not None:
            return self.identifiers
        assert self.first is not None and self.last is not None
        mentions: list[Hashable] = list(zip(self.first.tolist(), self.last.tolist(), strict=True))
        for number, mention in self.special.items():
            mentions[number] = mention
        return mentions

    @cached_property
    def entities(self) -> tuple[Entity, ...]:
        """The entities in order of first appearance, as objects."""
        given = self.details.types() or [""] * self.mention_count
        members: list[list[Hashable]] = [[] for _ in self.entity_ids]
        types: list[str | None] = [None] * len(members)
        for entity, mention, type in zip(self.entity.tolist(), self._objects(), given, strict=True):
            members[entity].append(mention)
            types[entity] = types[entity] or type or None
        return tuple(map(Entity, self.entity_ids, map(tuple, members), types))

    def _objects(self) -> Iterator[Hashable]:
        """The mentions with what is said of them; identifiers as they are."""
        heads, count = self.details.heads(), self.mention_count
        minima = self.details.minima() or [()] * count
        kinds = self.details.kinds() or [""] * count
        for number, place in enumerate(self.mentions):
            if self.first is None and not isinstance(place, Mention):
                yield place
                continue
            span: Any = place
            mention = place if isinstance(place, Mention) else Mention((span,))
            head = -1 if heads is None else int(heads[number])
            stated, minimum = place_of(head) if head >= 0 else None, map(place_of, minima[number])
            kind = kinds[number] or None
            yield Mention(mention.spans, mention.zeros, stated, kind, tuple(minimum))

    @property
    def sentences(self) -> tuple[tuple[str, ...], ...]:
        """The words, sentence by sentence; empty if the document came without words."""
        return self.text.sentences()

    @property
    def tokens(self) -> list[str]:
        """The words, without sentence breaks."""
        return [token for sentence in self.sentences for token in sentence]

    def zero_forms(self) -> dict[int, str]:
        """The empty nodes of the text and of its mentions, and what is written for them."""
        forms = dict(getattr(self.text, "zero_forms", dict)())
        for mention in self.special.values():
            for zero in mention.zeros:
                forms.setdefault(node(zero), "_")
        return forms

    def mention(self, number: int) -> Mention:
        """One mention of a text by its number: where it is, and nothing else."""
        assert self.first is not None and self.last is not None
        place = (int(self.first[number]), int(self.last[number]))
        return self.special.get(number) or Mention((place,))

    def place(self, mention: int) -> tuple[int, int]:
        """Line and column at which mention number `mention` is annotated; (0, 0) if unknown."""
        return self.text.place(max(int(self.last[mention]), 0) if self.last is not None else 0)

    def __repr__(self) -> str:
        """Name and sizes."""
        return (
            f"<Document {self.name!r}: {self.text.token_count} tokens, "
            f"{self.mention_count} mentions, {len(self.entity_ids)} entities>"
        )


@dataclass(frozen=True, eq=False)
class Corpus:
    """The documents of one file, folder or caller, and what was odd about them.

    >>> Corpus([Document("a")]).documents[0].name
    'a'
    """

    documents: Sequence[Document]
    path: str = ""
    format: str = "clusters"
    problems: Sequence[Problem] = ()
    reference: bool = False  # read as the reference scorer reads


def _as_column(values: Any) -> Any:
    return np.array(values, dtype=np.int64) if isinstance(values, (list, tuple)) else values


def _require_equal_columns(columns: Mapping[str, Any]) -> None:
    """Refuse columns of different lengths. Readers make many documents: no number is looked at."""
    places = ("identifiers",) if columns["identifiers"] is not None else ("first", "last")
    sizes = {name: len(columns[name]) if columns[name] is not None else 0 for name in places}
    count = 0 if columns["entity"] is None else len(columns["entity"])
    for name, size in sizes.items():
        if size != count:
            values = {"document": columns["name"], "column": name, "size": size, "count": count}
            raise UsageError("unequal-columns", **values)


def check_columns(document: Document) -> None:
    """Refuse columns that somebody else than a reader made, and whose numbers cannot be right.

    >>> check_columns(Document("a", first=[3], last=[5], entity=[1], entity_ids=["x"]))
    Traceback (most recent call last):
    ...
    sameas.errors.UsageError: document a: mention 0: entity number 1 is out of range for 1 entity id
    """
    entity, first, last = document.entity, document.first, document.last
    wrong = np.flatnonzero((entity < 0) | (entity >= len(document.entity_ids)))
    if len(wrong):
        mention, count = int(wrong[0]), len(document.entity_ids)
        values: Any = {"mention": mention, "entity": int(entity[mention]), "count": count}
        raise UsageError("entity-number", document=document.name, **values)
    if first is None or last is None:
        return
    # A zero before the first word stands before token 0.
    plain = np.ones(len(first), dtype=np.bool_)
    plain[list(document.special)] = False
    for number in np.flatnonzero(plain & ((first < 0) | (first > last))).tolist():
        id = document.entity_ids[entity[number]]
        where = f"document {document.name}"
        raise impossible_span(id, int(first[number]), int(last[number])).at(where)
