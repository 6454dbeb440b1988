"""Documents: a text, its mentions, and the entities they belong to.

A document keeps its mentions as columns (first token, last token, entity), because a corpus is
scored as a few long arrays; `Entity` and `Mention` objects are made when somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from sameas.errors import Problem, UsageError

__all__ = ["Corpus", "Document", "Entity", "Mention", "Origin", "Text", "WrittenText"]

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[Any]  # int64 where whole numbers are meant, else float64
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Mention:
    """One expression that refers to an entity: first and last token of each of its pieces.

    A mention of several pieces is discontinuous; a zero stands for a word that is not there.
    Head, type and text offsets describe a mention; only its place says which one it is.

    >>> Mention.at(3, 5) == Mention(((3, 5),), head=4, type="name")
    True
    """

    spans: tuple[Span, ...]
    zero: bool = False
    head: int | None = field(default=None, compare=False)
    type: str | None = field(default=None, compare=False)

    @classmethod
    def at(cls, first: int, last: int) -> Mention:
        """The ordinary mention from token `first` to token `last`, both included."""
        return cls(((first, last),))

    @property
    def identity(self) -> Hashable:
        """What exact matching compares: `(first, last)` for an ordinary mention."""
        return self.spans[0] if len(self.spans) == 1 and not self.zero else self


@dataclass(frozen=True, slots=True)
class Entity:
    """The mentions that are the same, with the name the file gives them.

    >>> Entity("7", (Mention.at(0, 1), Mention.at(4, 4))).id
    '7'
    """

    id: str
    mentions: tuple[Hashable, ...]
    type: str | None = None


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


@dataclass(frozen=True, slots=True)
class WrittenText:
    """Words that are already in memory, from one line of a file or from the caller.

    >>> WrittenText((("It", "rains"), ("Yes",))).token_count
    3
    """

    words: tuple[tuple[str, ...], ...] = ()
    line: int = 0

    @property
    def token_count(self) -> int:
        """How many tokens the document has."""
        return sum(len(sentence) for sentence in self.words)

    def sentences(self) -> tuple[tuple[str, ...], ...]:
        """The words, sentence by sentence."""
        return self.words

    def rows(self) -> None:
        """No further columns."""

    def place(self, token: int) -> tuple[int, int]:
        """The line that holds the whole document."""
        return self.line, 1


@dataclass(frozen=True, slots=True)
class Origin:
    """How a document came to be read.

    >>> Origin(line=3).unnamed
    False
    """

    path: str = ""  # the file
    line: int = 0  # where it begins there
    header: str = ""  # of a CoNLL file, as it is written there
    unnamed: bool = False  # the file or the caller gives it no name
    problems: tuple[Problem, ...] = ()
    discarded: tuple[str, ...] = ()  # split antecedents


class Document:
    """One text with its entities.

    >>> document = Document("a", [Entity("0", (Mention.at(0, 1), Mention.at(3, 3)))])
    >>> document.mention_count, document.entities[0].mentions[1].spans
    (2, ((3, 3),))
    """

    __slots__ = (
        "_entities",
        "_mentions",
        "entity",
        "entity_ids",
        "first",
        "last",
        "meta",
        "name",
        "origin",
        "text",
    )

    def __init__(
        self,
        name: str,
        entities: Iterable[Entity] = (),
        *,
        text: Text | None = None,
        meta: Mapping[str, Any] | None = None,
        origin: Origin | None = None,
    ) -> None:
        self.name = str(name)
        self.text: Text = text or WrittenText()
        self.meta: Mapping[str, Any] = meta or {}  # what else the file says of it
        self.origin: Origin = origin or Origin()
        entities = tuple(_checked(entity) for entity in entities)
        self._entities: tuple[Entity, ...] | None = tuple(e for e in entities if e.mentions)
        empty = len(entities) - len(self._entities)
        if empty:
            message = f"document {name}: {empty} empty cluster(s) passed over"
            problem = Problem(message, self.origin.path, self.origin.line, 1, "", "warning")
            self.origin = replace(self.origin, problems=(*self.origin.problems, problem))
        self.entity_ids: Sequence[str] = [entity.id for entity in self._entities]
        sizes = [len(entity.mentions) for entity in self._entities]
        self.entity: Ints = np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)
        self._mentions: list[Hashable] | None = [
            mention.identity if isinstance(mention, Mention) else mention
            for entity in self._entities
            for mention in entity.mentions
        ]
        # Columns of tokens where every mention is an ordinary span; None where one is not.
        self.first: Ints | None = None
        self.last: Ints | None = None
        if all(_is_span(mention) for mention in self._mentions):
            spans = np.array(self._mentions, dtype=np.int64).reshape(-1, 2)
            self.first, self.last = spans[:, 0].copy(), spans[:, 1].copy()

    @classmethod
    def from_columns(
        cls,
        name: str,
        first: Ints,
        last: Ints,
        entity: Ints,
        entity_ids: Sequence[str],
        *,
        text: Text,
        meta: Mapping[str, Any] | None = None,
        origin: Origin | None = None,
    ) -> Document:
        """The document of mentions `first[m]`–`last[m]` of entity number `entity[m]`.

        >>> ones = np.ones(1, dtype=np.int64)
        >>> document = Document.from_columns("a", ones, ones, ones * 0, ["x"], text=WrittenText())
        >>> document.entities[0].mentions[0].spans
        ((1, 1),)
        """
        document = cls.__new__(cls)
        document.name, document.text, document.meta = name, text, meta or {}
        document.origin = origin or Origin()
        document.first, document.last, document.entity = first, last, entity
        document.entity_ids = entity_ids
        document._entities = document._mentions = None
        return document

    @classmethod
    def from_clusters(cls, name: str, clusters: Iterable[Iterable[Hashable]]) -> Document:
        """The document whose entities are the given clusters of hashable mentions.

        A mention may be anything hashable; a pair of integers is the span of its first and last
        token, and lists are taken as tuples.

        >>> Document.from_clusters("a", [["x", "y"], ["z"]]).mention_count
        3
        """
        return cls(
            name,
            [
                Entity(str(number), _mentions(cluster, number))
                for number, cluster in enumerate(_clusters(clusters))
            ],
            origin=Origin(unnamed=name == "document"),
        )

    @property
    def mention_count(self) -> int:
        """How many mentions the document has, repeated ones included."""
        return len(self.entity)

    @property
    def mentions(self) -> list[Hashable]:
        """What exact matching compares, mention by mention, in the order of the columns."""
        if self._mentions is None:
            assert self.first is not None and self.last is not None
            self._mentions = list(zip(self.first.tolist(), self.last.tolist(), strict=True))
        return self._mentions

    @property
    def entities(self) -> tuple[Entity, ...]:
        """The entities in order of first appearance, as objects."""
        if self._entities is None:
            members: list[list[Hashable]] = [[] for _ in self.entity_ids]
            for entity, mention in zip(self.entity.tolist(), self.mentions, strict=True):
                members[entity].append(Mention((mention,)))  # type: ignore[arg-type]
            self._entities = tuple(
                Entity(id, tuple(mentions))
                for id, mentions in zip(self.entity_ids, members, strict=True)
            )
        return self._entities

    @property
    def sentences(self) -> tuple[tuple[str, ...], ...]:
        """The words, sentence by sentence; empty if the document came without words."""
        return self.text.sentences()

    @property
    def tokens(self) -> list[str]:
        """The words, without sentence breaks."""
        return [token for sentence in self.sentences for token in sentence]

    def place(self, mention: int) -> tuple[int, int]:
        """Line and column at which mention number `mention` is annotated; (0, 0) if unknown."""
        return self.text.place(int(self.last[mention]) if self.last is not None else 0)

    def __repr__(self) -> str:
        """Name and sizes."""
        return (
            f"<Document {self.name!r}: {self.text.token_count} tokens, "
            f"{self.mention_count} mentions, {len(self.entity_ids)} entities>"
        )


@dataclass(frozen=True, slots=True)
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


def _is_span(mention: Hashable) -> bool:
    return (
        type(mention) is tuple
        and len(mention) == 2
        and type(mention[0]) is int
        and type(mention[1]) is int
        and 0 <= mention[0] <= mention[1] < 1 << 40
    )


def _checked(entity: Any) -> Entity:
    if not isinstance(entity, Entity):
        raise UsageError(
            f"a document is made of sameas.Entity objects, not {type(entity).__name__}; "
            "sameas.Document.from_clusters takes clusters"
        )
    mentions = tuple(entity.mentions)
    if all(isinstance(mention, (str, Mention)) for mention in mentions):
        return replace(entity, mentions=mentions)
    found = zip(mentions, _mentions(mentions, entity.id), strict=True)
    return replace(
        entity, mentions=tuple(one if isinstance(one, Mention) else other for one, other in found)
    )


def _clusters(clusters: Any) -> list[Any]:
    if isinstance(clusters, (str, bytes)) or not isinstance(clusters, Iterable):
        raise UsageError(f"clusters must be a list of lists of mentions, not {clusters!r:.60}")
    return list(clusters)


def _mentions(cluster: Any, number: object) -> tuple[Hashable, ...]:
    if isinstance(cluster, (str, bytes)) or not isinstance(cluster, Iterable):
        raise UsageError(f"cluster {number} must be a list of mentions, not {cluster!r:.60}")
    mentions = tuple(_hashable(mention) for mention in cluster)
    for mention in mentions:
        try:
            hash(mention)
        except TypeError:
            raise UsageError(
                f"cluster {number} holds a mention that is not hashable: {mention!r:.60}"
            ) from None
    return mentions


def _hashable(mention: Any) -> Any:
    if isinstance(mention, Mention):
        return mention.identity
    if isinstance(mention, np.ndarray):
        mention = mention.tolist()
    if isinstance(mention, (list, tuple)):
        # Numbers of numpy are made Python's, so that (0, 1) is one mention wherever it comes from.
        return tuple(_hashable(part) for part in mention)
    return mention.item() if isinstance(mention, np.generic) else mention
