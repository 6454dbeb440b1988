"""Documents: a text, its mentions, and the entities they belong to.

A document stores its mentions as columns (first token, last token, entity), because a corpus is
scored as a few long arrays; `Entity` and `Mention` objects are created on access. Mentions with
several pieces or with empty nodes are few, and are stored as objects in addition to the columns.
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
    """Return the heads that a file states, as nodes: -1 if unknown; None if it states no head.

    `Annotation.heads` returns the heads used by matching, some of which may be assumed.

    >>> stated_heads(Document("a", [Entity("0", (Mention(((3, 5),), head=4),))])).tolist()
    [327680]
    """
    return document.details.stated_heads()


class Text(Protocol):
    """The source of a document's words, which are read on access."""

    @property
    def token_count(self) -> int:
        """The number of tokens."""
        ...

    def sentences(self) -> tuple[tuple[str, ...], ...]:
        """Return the words by sentence."""
        ...

    def rows(self) -> list[list[list[str]]] | None:
        """Return all columns but coreference, by sentence and token, or None."""
        ...

    def place(self, token: int) -> tuple[int, int]:
        """Return the line and column at which token number `token` is annotated."""
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
        """The number of tokens."""
        return sum(len(sentence) for sentence in self.words)

    def sentences(self) -> tuple[tuple[str, ...], ...]:
        """Return the words by sentence."""
        return self.words

    def zero_forms(self) -> Mapping[int, str]:
        """Return the form of each empty node."""
        return self.zeros

    def rows(self) -> None:
        """Return None: there are no further columns."""

    def place(self, token: int) -> tuple[int, int]:
        """Return the line that contains the whole document, and column 1."""
        return self.line, 1


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Document:
    """A text with its entities, given as objects or as columns.

    In the columns, mention `m` spans tokens `first[m]` to `last[m]`, both included, and belongs
    to entity `entity[m]`. To change a document, use `dataclasses.replace`; new `entities` replace
    all columns.

    Parameters
    ----------
    name
        The name, by which the documents of key and response are paired.
    entities
        The entities as objects, instead of columns.
    first
        The first token of each mention, counted from 0; None if the mentions are not all spans.
    last
        The last token of each mention, included; None if the mentions are not all spans.
    entity
        The entity of each mention, as an index into `entity_ids`.
    entity_ids
        The ids of the entities.
    special
        The mentions that are more than a span (several pieces, or zeros), keyed by index.
    identifiers
        The mentions, if they are not all spans of a text.
    annotation
        Heads, minima, types and kinds of the mentions.
    text
        The source of the words.
    meta
        Other fields of the file.
    origin
        Where the document was read from.
    split_antecedents
        The ids of the entities that form a plural entity, keyed by its id.
    bridging
        The bridging links between entities.
    non_referring
        The identities of mentions that belong to no entity.
    unit
        What spans count: `"token"` or `"character"`.

    Examples
    --------
    >>> document = Document("a", [Entity("0", (Mention.at(0, 1), Mention.at(3, 3)))])
    >>> document.mention_count, document.entities[0].mentions[1].spans
    (2, ((3, 3),))
    >>> document.mention(1)
    Mention(spans=((3, 3),), zeros=(), head=None, kind=None, minimum=())
    >>> document.place(1), document.zero_forms(), document.was_read_as("conll")
    ((0, 1), {}, False)
    >>> replace(document, name="b", entity=[0, 1], entity_ids=["x", "y"]).entities[1].id
    'y'
    >>> replace(document, entities=[Entity("z", (Mention.at(5, 6),))]).mentions
    [(5, 6)]
    """

    name: str
    first: Ints | None
    last: Ints | None
    entity: Ints
    entity_ids: Sequence[str]
    special: Mapping[int, Mention]
    identifiers: Sequence[Hashable] | None
    annotation: Annotation | None
    text: Text
    meta: Mapping[str, Any]
    origin: Origin
    split_antecedents: Mapping[str, tuple[str, ...]]
    bridging: Sequence[Bridge]
    non_referring: Sequence[Hashable]
    unit: str

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
        """Return the document whose entities are these clusters of mentions.

        Parameters
        ----------
        name
            The name of the document.
        clusters
            The mentions of each entity. A mention is any hashable value. A pair of integers is a
            span: the first and last token, counted from 0. Lists are converted to tuples.

        Returns
        -------
        Document
            A document without words; the ids of its entities are the indices of the clusters.

        Raises
        ------
        UsageError
            When a cluster is not a list, or a mention is unhashable or an impossible span.

        Examples
        --------
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
        """Return the document of `from_clusters`, with `side` named in its errors and problems.

        Parameters
        ----------
        name, clusters
            As for `from_clusters`.
        side
            What the clusters are, such as `"the response"`.

        Returns
        -------
        Document
            The document of `from_clusters`; `side` is the path of its problems.

        Examples
        --------
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
        """The annotation of the mentions; an empty annotation if the document has none."""
        return self.annotation or _NO_DETAILS

    def was_read_as(self, format: str) -> bool:
        """Return whether the document was read from a file in this format, and keeps its lines.

        Parameters
        ----------
        format
            The name of a format, such as `"conllu"`.

        Returns
        -------
        bool
            Whether writing the document in this format preserves its other annotation.
        """
        return bool(getattr(self.text, "written_as", "") == format)

    @property
    def mention_count(self) -> int:
        """The number of mentions, duplicates included."""
        return len(self.entity)

    @property
    def holds_records(self) -> bool:
        """Whether the mentions are records of a table (False: clusters may come from a text)."""
        return False

    @cached_property
    def mentions(self) -> Sequence[Hashable]:
        """The identities that exact matching compares, one per mention, in the columns' order."""
        if self.identifiers is not None:
            return self.identifiers
        assert self.first is not None and self.last is not None
        mentions: list[Hashable] = list(zip(self.first.tolist(), self.last.tolist(), strict=True))
        for number, mention in self.special.items():
            mentions[number] = mention
        return mentions

    @cached_property
    def entities(self) -> tuple[Entity, ...]:
        """The entities as objects, in the order of `entity_ids`."""
        given = self.details.types() or [""] * self.mention_count
        members: list[list[Hashable]] = [[] for _ in self.entity_ids]
        types: list[str | None] = [None] * len(members)
        for entity, mention, type in zip(self.entity.tolist(), self._objects(), given, strict=True):
            members[entity].append(mention)
            types[entity] = types[entity] or type or None
        return tuple(map(Entity, self.entity_ids, map(tuple, members), types))

    def _objects(self) -> Iterator[Hashable]:
        """Yield the mentions with their annotation; identifiers are yielded as they are."""
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
        """The words by sentence; empty if the document has no words."""
        return self.text.sentences()

    @property
    def tokens(self) -> list[str]:
        """The words as a flat list."""
        return [token for sentence in self.sentences for token in sentence]

    def zero_forms(self) -> dict[int, str]:
        """Return the form of each empty node in the text or in its mentions.

        Returns
        -------
        dict of int to str
            The form of each empty node; `"_"` if the text has no form for it.
        """
        forms = dict(getattr(self.text, "zero_forms", dict)())
        for mention in self.special.values():
            for zero in mention.zeros:
                forms.setdefault(node(zero), "_")
        return forms

    def mention(self, number: int) -> Mention:
        """Return the mention at an index: its span or pieces, without other annotation.

        Parameters
        ----------
        number
            The index of the mention in the columns.

        Returns
        -------
        Mention
            The mention, without head, kind and minimum unless it is a special one. If the
            mentions of the document are identifiers, a UsageError is raised.
        """
        if self.first is None or self.last is None:
            raise UsageError("spanless", document=self.name)
        place = (int(self.first[number]), int(self.last[number]))
        return self.special.get(number) or Mention((place,))

    def place(self, mention: int) -> tuple[int, int]:
        """Return the line and column of a mention's annotation in its file.

        Parameters
        ----------
        mention
            The index of the mention in the columns.

        Returns
        -------
        tuple of int
            Line and column, counted from 1; line 0 if the mention is not from a file.
        """
        return self.text.place(max(int(self.last[mention]), 0) if self.last is not None else 0)

    def __repr__(self) -> str:
        """Return the name and sizes."""
        return (
            f"<Document {self.name!r}: {self.text.token_count} tokens, "
            f"{self.mention_count} mentions, {len(self.entity_ids)} entities>"
        )


@dataclass(frozen=True, eq=False)
class Corpus:
    """The documents of a file, a folder or a caller, and the problems found in them.

    Attributes
    ----------
    documents
        The documents in the order of the file.
    path
        The file or folder; empty if the documents are from a caller.
    format
        The name of the format, or `"clusters"` for documents from a caller.
    problems
        Warnings, and the errors that were not raised.
    reference
        Whether the file was read as the reference scorer reads it.

    Examples
    --------
    >>> Corpus([Document("a")]).documents[0].name
    'a'
    """

    documents: Sequence[Document]
    path: str = ""
    format: str = "clusters"
    problems: Sequence[Problem] = ()
    reference: bool = False


def _as_column(values: Any) -> Any:
    return np.array(values, dtype=np.int64) if isinstance(values, (list, tuple)) else values


def _require_equal_columns(columns: Mapping[str, Any]) -> None:
    """Reject columns of different lengths; checking their values too would slow down readers."""
    places = ("identifiers",) if columns["identifiers"] is not None else ("first", "last")
    sizes = {name: len(columns[name]) if columns[name] is not None else 0 for name in places}
    count = 0 if columns["entity"] is None else len(columns["entity"])
    for name, size in sizes.items():
        if size != count:
            values = {"document": columns["name"], "column": name, "size": size, "count": count}
            raise UsageError("unequal-columns", **values)


def check_columns(document: Document) -> None:
    """Raise an error if the columns contain invalid numbers; callers can pass their own columns.

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
    # The hull of a zero is an empty span, so special mentions are not checked.
    plain = np.ones(len(first), dtype=np.bool_)
    plain[list(document.special)] = False
    for number in np.flatnonzero(plain & ((first < 0) | (first > last))).tolist():
        id = document.entity_ids[entity[number]]
        where = f"document {document.name}"
        raise impossible_span(id, int(first[number]), int(last[number])).at(where)
