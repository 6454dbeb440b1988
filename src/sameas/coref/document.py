"""Documents: a text, its mentions, and the entities they belong to.

A document keeps its mentions as columns (first token, last token, entity), because a corpus is
scored as a few long arrays; `Entity` and `Mention` objects are made when somebody asks for them.
Mentions of several pieces, or with empty nodes in them, are few: they are kept beside the columns
as objects.

A node is a word or an empty node (a zero: a word that is not there). As one integer, `node`, words
and zeros of a document sort in the order of the text, whatever zeros the other side has.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from sameas.errors import Problem, UsageError, require

__all__ = [
    "Annotation",
    "Bridge",
    "Corpus",
    "Document",
    "Entity",
    "Mention",
    "Origin",
    "Text",
    "WrittenAnnotation",
    "WrittenText",
    "Zero",
    "as_hashable",
    "check_ignore_index",
    "is_span",
    "node",
    "stated_heads",
    "without_padding",
]

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[Any]  # int64 where whole numbers are meant, else float64
Span = tuple[int, int]
#: An empty node: how many words of the document stand before it, and its number there. Numbers
#: from INITIAL on stand before the first word of a sentence (CoNLL-U's 0.1), not after the last
#: word of the sentence before.
Zero = tuple[int, int]
INITIAL = 1 << 15
KINDS = ("name", "nominal", "pronoun", "zero")
#: What corpora call them.
KIND_NAMES = {
    **{kind: kind for kind in KINDS},
    **dict.fromkeys(("nam", "prop", "propn", "proper"), "name"),
    **dict.fromkeys(("nom", "noun", "common"), "nominal"),
    **dict.fromkeys(("pro", "pron", "prn"), "pronoun"),
}


def node(place: int | Zero) -> int:
    """One integer for a word (by its number) or a zero; they sort in the order of the text.

    >>> node(3) < node((4, 1)) < node((4, 2)) < node((4, INITIAL)) < node(4)
    True
    """
    return (place + 1) << 16 if isinstance(place, int) else (place[0] << 16) + place[1]


def place_of(node: int) -> int | Zero:
    """The word or zero of which `node` is the number.

    >>> place_of(node(3)), place_of(node((4, 1)))
    (3, (4, 1))
    """
    before, number = node >> 16, node & 0xFFFF
    return (before, number) if number else before - 1


@dataclass(frozen=True, slots=True)
class Mention:
    """One expression that refers to an entity: first and last token of each of its pieces.

    A mention of several pieces is discontinuous; `zeros` are the empty nodes in it. Head, kind
    (name, nominal, pronoun, zero) and minimum (the nodes a system has to find) describe a mention;
    only its place says which one it is.

    >>> Mention.at(3, 5) == Mention(((3, 5),), head=4, kind="name")
    True
    >>> Mention(zeros=((4, 1),)).zero
    True
    """

    spans: tuple[Span, ...] = ()
    zeros: tuple[Zero, ...] = ()
    head: int | Zero | None = field(default=None, compare=False)
    kind: str | None = field(default=None, compare=False)
    minimum: tuple[int | Zero, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if len(self.spans) > 1:
            object.__setattr__(self, "spans", _joined(self.spans))
        if len(self.zeros) > 1:
            object.__setattr__(self, "zeros", tuple(sorted(set(self.zeros))))

    @classmethod
    def at(cls, first: int, last: int) -> Mention:
        """The ordinary mention from token `first` to token `last`, both included."""
        return cls(((first, last),))

    @property
    def identity(self) -> Hashable:
        """What exact matching compares: `(first, last)` for an ordinary mention."""
        if len(self.spans) == 1 and not self.zeros:
            return self.spans[0]
        return Mention(self.spans, self.zeros)

    @property
    def zero(self) -> bool:
        """Whether it stands for a word that is not there: its head is an empty node."""
        return not self.spans if self.head is None else not isinstance(self.head, int)

    @property
    def size(self) -> int:
        """How many nodes it has."""
        return sum(last - first + 1 for first, last in self.spans) + len(self.zeros)

    @property
    def nodes(self) -> list[int]:
        """Its nodes in the order of the text.

        >>> Mention(((3, 4),), ((4, 1),)).nodes == [node(3), node((4, 1)), node(4)]
        True
        """
        words = (word for first, last in self.spans for word in range(first, last + 1))
        return sorted([*map(node, words), *map(node, self.zeros)])

    @property
    def hull(self) -> Span:
        """First and last word; for a zero alone, the empty span at its place."""
        if self.spans:
            return self.spans[0][0], self.spans[-1][1]
        before = self.zeros[0][0] if self.zeros else 0
        return before, before - 1


def _joined(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Spans in order, those that touch as one: a mention is a set of words."""
    found: list[Span] = []
    for first, last in sorted(spans):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Entity:
    """The mentions that are the same, with the name the file gives them.

    >>> Entity("7", (Mention.at(0, 1), Mention.at(4, 4))).id
    '7'
    """

    id: str
    mentions: tuple[Hashable, ...]
    type: str | None = None


@dataclass(frozen=True, slots=True)
class Bridge:
    """A bridging link: an entity that is understood by way of another, as a wheel by its car.

    >>> Bridge("e5", "e2", "part").relation
    'part'
    """

    anaphor: str
    antecedent: str
    relation: str = ""


class Annotation(Protocol):
    """What a file says about its mentions beyond their place, in their order, made when asked."""

    def heads(self) -> Ints | None:
        """The node that is each mention's head; None if the file does not say."""
        ...

    def minima(self) -> Sequence[Sequence[int]] | None:
        """The nodes of each mention that a system has to find; None if the file does not say."""
        ...

    def types(self) -> Sequence[str] | None:
        """The type of each mention's entity, empty where there is none."""
        ...

    def kinds(self) -> Sequence[str] | None:
        """Whether each mention is a name, nominal, pronoun or zero; empty where unknown."""
        ...

    def dependencies(self, mention: int) -> tuple[int, frozenset[tuple[str, str]]]:
        """The sentence of a zero, and parents and relations of its head (enhanced dependencies)."""
        ...


@dataclass(frozen=True)
class WrittenAnnotation:
    """Annotation that is already in memory.

    >>> WrittenAnnotation(all_types=("person",)).types()
    ('person',)
    """

    all_heads: Ints | None = None
    all_minima: Sequence[Sequence[int]] | None = None
    all_types: Sequence[str] | None = None
    all_kinds: Sequence[str] | None = None

    def heads(self) -> Ints | None:
        """The node that is each mention's head."""
        return self.all_heads

    def minima(self) -> Sequence[Sequence[int]] | None:
        """The nodes of each mention that a system has to find."""
        return self.all_minima

    def types(self) -> Sequence[str] | None:
        """The type of each mention's entity."""
        return self.all_types

    def kinds(self) -> Sequence[str] | None:
        """Whether each mention is a name, nominal, pronoun or zero."""
        return self.all_kinds

    def dependencies(self, mention: int) -> tuple[int, frozenset[tuple[str, str]]]:
        """None are known."""
        return 0, frozenset()


def stated_heads(document: Document) -> Ints | None:
    """The heads that a file states, as nodes, -1 where it states none; None if it has none at all.

    `Annotation.heads` has the ones that matching takes, which may be assumed.

    >>> stated_heads(Document("a", [Entity("0", (Mention(((3, 5),), head=4),))])).tolist()
    [327680]
    """
    said: Any = document.annotation
    if said is None:
        return None
    heads: Ints | None = getattr(said, "stated_heads", said.heads)()
    return heads


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
        "annotation",
        "bridging",
        "entity",
        "entity_ids",
        "first",
        "last",
        "meta",
        "name",
        "non_referring",
        "origin",
        "special",
        "split_antecedents",
        "text",
        "unit",
    )
    name: str
    text: Text
    meta: Mapping[str, Any]  # what else the file says of it
    origin: Origin
    first: Ints | None  # columns of tokens; None where a mention is not a piece of text
    last: Ints | None
    entity: Ints
    entity_ids: Sequence[str]
    special: Mapping[int, Mention]  # mentions that are not just first to last, by number
    annotation: Annotation | None
    split_antecedents: Mapping[str, tuple[str, ...]]  # entity ids: the entities that make it up
    bridging: Sequence[Bridge]
    non_referring: Sequence[Hashable]  # identities of mentions that belong to no entity
    unit: str  # what spans count: "token" or "character"
    _entities: tuple[Entity, ...] | None
    _mentions: list[Hashable] | None

    def __init__(
        self,
        name: str,
        entities: Iterable[Entity] = (),
        *,
        text: Text | None = None,
        meta: Mapping[str, Any] | None = None,
        origin: Origin | None = None,
    ) -> None:
        self._set(str(name), text or WrittenText(), meta, origin)
        require(entities, Iterable, "entities", "a list of sameas.Entity objects")
        entities = tuple(_checked(entity) for entity in entities)
        self._entities = tuple(e for e in entities if e.mentions)
        empty = len(entities) - len(self._entities)
        if empty:
            message = f"document {name}: {empty} empty cluster(s) passed over"
            problem = Problem(message, self.origin.path, self.origin.line, 1, "", "warning")
            self.origin = replace(self.origin, problems=(*self.origin.problems, problem))
        self.entity_ids = [entity.id for entity in self._entities]
        sizes = [len(entity.mentions) for entity in self._entities]
        self.entity = np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)
        objects = [mention for entity in self._entities for mention in entity.mentions]
        self._mentions = [m.identity if isinstance(m, Mention) else m for m in objects]
        if any(entity.type for entity in self._entities) or any(
            isinstance(mention, Mention) for mention in objects
        ):
            self.annotation = _annotation(self._entities)
        places = all(is_span(m) or isinstance(m, Mention) for m in self._mentions)
        if not places or any(isinstance(m, Mention) for m in self._mentions):
            _refuse_spans(self._entities)
        if places:
            hulls: list[Any] = self._mentions
            if any(isinstance(mention, Mention) for mention in hulls):
                self.special = {n: m for n, m in enumerate(hulls) if isinstance(m, Mention)}
                hulls = [m.hull if isinstance(m, Mention) else m for m in hulls]
            spans = np.array(hulls, dtype=np.int64).reshape(-1, 2)
            self.first, self.last = spans[:, 0].copy(), spans[:, 1].copy()

    def _set(
        self, name: str, text: Text, meta: Mapping[str, Any] | None, origin: Origin | None
    ) -> None:
        self.name, self.text = name, text
        self.meta, self.origin = meta or {}, origin or Origin()
        self.first = self.last = self.annotation = None
        self.entity, self.entity_ids = np.zeros(0, dtype=np.int64), []
        self.special, self.split_antecedents, self.bridging, self.non_referring = {}, {}, (), ()
        self.unit = "token"
        self._entities = self._mentions = None

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
        special: Mapping[int, Mention] | None = None,
        annotation: Annotation | None = None,
    ) -> Document:
        """The document of mentions `first[m]`–`last[m]` of entity number `entity[m]`.

        Mentions that are more than that are in `special`, by number.

        >>> ones = np.ones(1, dtype=np.int64)
        >>> document = Document.from_columns("a", ones, ones, ones * 0, ["x"], text=WrittenText())
        >>> document.entities[0].mentions[0].spans
        ((1, 1),)
        """
        document = cls.__new__(cls)
        document._set(name, text, meta, origin)
        document.first, document.last, document.entity = first, last, entity
        document.entity_ids = entity_ids
        document.special, document.annotation = special or {}, annotation
        return document

    @classmethod
    def from_clusters(cls, name: str, clusters: Iterable[Iterable[Hashable]]) -> Document:
        """The document whose entities are the given clusters of hashable mentions.

        A mention may be anything hashable; a pair of integers is the span of its first and last
        token, counted from 0, and lists are taken as tuples.

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
            raise UsageError(f"{side}: {error}") from None
        if document.origin.problems:
            problems = (replace(problem, path=side) for problem in document.origin.problems)
            document.origin = replace(document.origin, problems=tuple(problems))
        return document

    @property
    def mention_count(self) -> int:
        """How many mentions the document has, repeated ones included."""
        return len(self.entity)

    @property
    def holds_records(self) -> bool:
        """Whether its mentions are records of a table; clusters may as well be those of a text."""
        return False

    @property
    def mentions(self) -> list[Hashable]:
        """What exact matching compares, mention by mention, in the order of the columns."""
        if self._mentions is None:
            assert self.first is not None and self.last is not None
            self._mentions = list(zip(self.first.tolist(), self.last.tolist(), strict=True))
            for number, mention in self.special.items():
                self._mentions[number] = mention
        return self._mentions

    @property
    def entities(self) -> tuple[Entity, ...]:
        """The entities in order of first appearance, as objects."""
        if self._entities is None:
            members: list[list[Hashable]] = [[] for _ in self.entity_ids]
            types: list[str | None] = [None] * len(members)
            said = self.annotation
            heads, minima, kinds, named = (
                (said.heads(), said.minima(), said.kinds(), said.types()) if said else [None] * 4
            )
            for number, entity in enumerate(self.entity.tolist()):
                place: Any = self.mentions[number]
                if self.first is not None and not isinstance(place, Mention):
                    place = Mention((place,))
                members[entity].append(
                    place
                    if self.first is None  # an identifier
                    else Mention(
                        place.spans,
                        place.zeros,
                        place_of(int(heads[number]))
                        if heads is not None and heads[number] >= 0
                        else None,
                        kinds[number] or None if kinds is not None else None,
                        tuple(map(place_of, minima[number])) if minima is not None else (),
                    )
                )
                if named is not None and types[entity] is None:
                    types[entity] = named[number] or None
            self._entities = tuple(
                Entity(id, tuple(mentions), type)
                for id, mentions, type in zip(self.entity_ids, members, types, strict=True)
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
        return self.text.place(max(int(self.last[mention]), 0) if self.last is not None else 0)

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


def is_span(mention: Hashable) -> bool:
    """Whether a mention is a first and a last token, and not an identifier.

    >>> is_span((3, 5)), is_span((5, 3)), is_span("3-5")
    (True, False, False)
    """
    return (
        type(mention) is tuple
        and len(mention) == 2
        and type(mention[0]) is int
        and type(mention[1]) is int
        and 0 <= mention[0] <= mention[1] < 1 << 40
    )


def _refuse_spans(entities: Iterable[Entity]) -> None:
    """Refuse spans that no text has: padding, or a last token before the first.

    A pair of whole numbers is a span; other mentions are identifiers.
    """
    for entity in entities:
        for mention in entity.mentions:
            spans: Any = mention.spans if isinstance(mention, Mention) else (mention,)
            for span in spans:
                if not _is_pair(span) or 0 <= span[0] <= span[1]:
                    continue
                what = "ends before it starts" if span[0] >= 0 else "starts before token 0"
                hint = ""
                if span[0] == span[1]:
                    setting = f"ignore_index={span[0]}"
                    hint = f"leave out padding ({setting} in sameas.Scorer and the adapters); "
                raise UsageError(
                    f"cluster {entity.id} holds {span}, a span that {what}; {hint}"
                    "identifiers that are pairs of numbers must be strings"
                )


def _is_pair(mention: Any) -> bool:
    return type(mention) is tuple and len(mention) == 2 and set(map(type, mention)) == {int}


def without_padding(clusters: Any, ignore_index: int) -> Any:
    """Clusters without mentions that are `ignore_index`, or spans of it twice, as arrays have them.

    A cluster of padding alone is left out, too. What is not a list of lists is given back as it is.

    >>> without_padding([[[0, 1], [-1, -1]], [[-1, -1]]], -1)
    [[[0, 1]]]
    """
    padding = (ignore_index, (ignore_index, ignore_index))
    if isinstance(clusters, (str, bytes, Mapping, Document)) or not isinstance(clusters, Iterable):
        return clusters
    found = []
    for cluster in clusters:
        if isinstance(cluster, (str, bytes)) or not isinstance(cluster, Iterable):
            found.append(cluster)
            continue
        mentions = list(cluster)
        kept = [mention for mention in mentions if as_hashable(mention) not in padding]
        if kept or not mentions:
            found.append(kept)
    return found


def check_ignore_index(ignore_index: int | None) -> None:
    """Refuse to ignore what may be a mention.

    >>> check_ignore_index(0)
    Traceback (most recent call last):
    ...
    sameas.errors.UsageError: ignore_index is a negative whole number such as -1, not 0: (0, 0) is a mention
    """  # noqa: E501
    if ignore_index is not None and (type(ignore_index) is not int or ignore_index >= 0):
        raise UsageError(
            f"ignore_index is a negative whole number such as -1, not {ignore_index!r:.60}: "
            "(0, 0) is a mention"
        )


def _annotation(entities: Sequence[Entity]) -> WrittenAnnotation | None:
    """What the objects say beyond their places."""
    pairs = [(entity, mention) for entity in entities for mention in entity.mentions]
    objects = [m if isinstance(m, Mention) else Mention() for _, m in pairs]
    heads: Ints | None = None
    minima: Sequence[Sequence[int]] | None = None
    kinds: Sequence[str] | None = None
    types: Sequence[str] | None = None
    if any(mention.head is not None for mention in objects):
        heads = np.array([-1 if m.head is None else node(m.head) for m in objects], dtype=np.int64)
    if any(mention.minimum for mention in objects):
        minima = [[node(place) for place in mention.minimum] for mention in objects]
    if any(mention.kind for mention in objects):
        kinds = [mention.kind or "" for mention in objects]
    if any(entity.type for entity in entities):
        types = [entity.type or "" for entity, _ in pairs]
    if heads is None and minima is None and kinds is None and types is None:
        return None
    return WrittenAnnotation(heads, minima, types, kinds)


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
    cluster = list(cluster)
    for mention in cluster:
        if isinstance(mention, list) and any(isinstance(part, (list, tuple)) for part in mention):
            raise UsageError(
                f"cluster {number} holds a list of lists, {mention!r:.60}: one level too many? "
                "A mention of several parts is a tuple of tuples"
            )
    mentions = tuple(as_hashable(mention) for mention in cluster)
    for mention in mentions:
        if isinstance(mention, float) and mention != mention:
            raise UsageError(f"cluster {number} holds NaN, which is not even the same as itself")
        try:
            hash(mention)
        except TypeError:
            raise UsageError(
                f"cluster {number} holds a mention that is not hashable: {mention!r:.60}"
            ) from None
    return mentions


def as_hashable(mention: Any) -> Any:
    """A mention with lists as tuples, and what numpy and torch hold as Python's own.

    So (0, 1) is one mention wherever it comes from.

    >>> as_hashable([np.int64(0), 1])
    (0, 1)
    """
    if hasattr(mention, "tolist"):
        mention = mention.tolist()
    if isinstance(mention, (list, tuple)):
        return tuple(as_hashable(part) for part in mention)
    return mention
