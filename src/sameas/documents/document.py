"""Documents: a text, its mentions, and the entities they belong to.

A document keeps its mentions as columns (first token, last token, entity), because a corpus is
scored as a few long arrays; `Entity` and `Mention` objects are made when somebody asks for them.
Mentions of several pieces, or with empty nodes in them, are few: they are kept beside the columns
as objects.

A node is a word or an empty node (a zero: a word that is not there). As one integer, `node`, words
and zeros of a document sort in the order of the text, whatever zeros the other side has.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol, TypedDict

import numpy as np

from sameas.arithmetic.arrays import Ints
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
    "WrittenText",
    "Zero",
    "as_hashable",
    "check_columns",
    "check_ignore_index",
    "columns_of",
    "is_listing",
    "is_pair",
    "is_span",
    "join_columns",
    "joined_spans",
    "node",
    "places_of",
    "stated_heads",
    "without_padding",
]

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
            object.__setattr__(self, "spans", joined_spans(self.spans))
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


def joined_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Spans in order, those that touch as one: a mention is a set of words.

    >>> joined_spans([(4, 4), (0, 1), (2, 2)])
    ((0, 2), (4, 4))
    """
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


@dataclass(frozen=True, eq=False, repr=False)
class Annotation:
    """What a file says about its mentions beyond their place, in their order.

    A reader may keep other things than these columns, and make them when asked.

    >>> Annotation(all_types=("person",)).types()
    ('person',)
    """

    all_heads: Ints | None = None
    all_minima: Sequence[Sequence[int]] | None = None
    all_types: Sequence[str] | None = None
    all_kinds: Sequence[str] | None = None

    @classmethod
    def of(
        cls,
        heads: Ints | None,
        minima: Sequence[Sequence[int]] | None,
        types: Sequence[str] | None,
        kinds: Sequence[str] | None,
    ) -> Annotation | None:
        """Return those of the columns that say anything; None if none of them does."""
        heads = heads if heads is not None and (heads >= 0).any() else None
        lists: tuple[Any, ...] = (minima, types, kinds)
        said = [column if column and any(column) else None for column in lists]
        return None if heads is None and said == [None] * 3 else cls(heads, *said)

    def heads(self) -> Ints | None:
        """Return the node that is each mention's head; None if the file does not say."""
        return self.all_heads

    def stated_heads(self) -> Ints | None:
        """Return the heads without those that are assumed, which are -1."""
        return self.heads()

    def minima(self) -> Sequence[Sequence[int]] | None:
        """Return the nodes of each mention that a system has to find; None if nobody says."""
        return self.all_minima

    def types(self) -> Sequence[str] | None:
        """Return the type of each mention's entity, empty where there is none."""
        return self.all_types

    def kinds(self) -> Sequence[str] | None:
        """Return whether each mention is a name, nominal, pronoun or zero; empty where unknown."""
        return self.all_kinds

    def dependencies(self, mention: int) -> tuple[int, frozenset[tuple[str, str]]]:
        """Return the sentence of a zero, and parents and relations of its head (enhanced)."""
        return 0, frozenset()


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


@dataclass(frozen=True)
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

    def place(self, path: str = "") -> tuple[str, int, int]:
        """File, line and column where the document begins; `path` is taken if no file is known."""
        return self.path or path, self.line, 1


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
            columns |= _columns(str(name), entities, origin)
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
            Entity(str(number), _mentions(cluster, number))
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
        named = self.details.types()
        members: list[list[Hashable]] = [[] for _ in self.entity_ids]
        types: list[str | None] = [None] * len(members)
        for number, (entity, mention) in enumerate(
            zip(self.entity.tolist(), self._objects(), strict=True)
        ):
            members[entity].append(mention)
            if named is not None and types[entity] is None:
                types[entity] = named[number] or None
        return tuple(
            Entity(id, tuple(mentions), type)
            for id, mentions, type in zip(self.entity_ids, members, types, strict=True)
        )

    def _objects(self) -> Iterator[Hashable]:
        """The mentions with what is said of them; identifiers as they are."""
        heads, minima = self.details.heads(), self.details.minima()
        kinds = self.details.kinds()
        for number, place in enumerate(self.mentions):
            if self.first is None and not isinstance(place, Mention):
                yield place
                continue
            span: Any = place
            mention = place if isinstance(place, Mention) else Mention((span,))
            head = -1 if heads is None else int(heads[number])
            yield Mention(
                mention.spans,
                mention.zeros,
                place_of(head) if head >= 0 else None,
                kinds[number] or None if kinds is not None else None,
                tuple(map(place_of, minima[number])) if minima is not None else (),
            )

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


def is_listing(value: object) -> bool:
    """Whether a value is made of others, and not a text.

    >>> is_listing([3, 5]), is_listing("3-5")
    (True, False)
    """
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes))


def is_span(mention: Any) -> bool:
    """Whether a mention is a first and a last token, and not an identifier.

    >>> is_span((3, 5)), is_span((5, 3)), is_span("3-5")
    (True, False, False)
    """
    return is_pair(mention) and 0 <= mention[0] <= mention[1] < 1 << 40


def is_pair(value: Any, kind: type[Sequence[Any]] = tuple) -> bool:
    """Whether a value is a tuple, or another kind of list, of two whole numbers.

    >>> is_pair((5, 3)), is_pair([5, 3])
    (True, False)
    """
    return type(value) is kind and len(value) == 2 and type(value[0]) is type(value[1]) is int


def _columns(name: str, entities: Any, origin: Origin) -> dict[str, Any]:
    """The columns of entities that are given as objects, those without a mention left out."""
    require(entities, Iterable, "entities", "a list of sameas.Entity objects")
    given = [_checked(entity) for entity in entities]
    filled = [entity for entity in given if entity.mentions]
    if len(filled) < len(given):
        problem = Problem(
            "empty-clusters",
            *origin.place(),
            severity="warning",
            document=name,
            count=len(given) - len(filled),
        )
        origin = replace(origin, problems=(*origin.problems, problem))
    sizes = [len(entity.mentions) for entity in filled]
    columns: dict[str, Any] = {
        "first": None,
        "last": None,
        "entity": np.repeat(np.arange(len(sizes), dtype=np.int64), sizes),
        "entity_ids": [entity.id for entity in filled],
        "special": {},
        "identifiers": None,
        "annotation": _annotation(filled),
        "origin": origin,
    }
    objects = [mention for entity in filled for mention in entity.mentions]
    mentions: list[Any] = [m.identity if isinstance(m, Mention) else m for m in objects]
    special = {n: m for n, m in enumerate(mentions) if isinstance(m, Mention)}
    in_text = all(is_span(m) or isinstance(m, Mention) for m in mentions)
    if special or not in_text:
        _refuse_spans(filled)
    if not in_text:
        return columns | {"identifiers": mentions}
    hulls = [m.hull if isinstance(m, Mention) else m for m in mentions] if special else mentions
    first, last = columns_of(hulls)
    return columns | {"first": first, "last": last, "special": special}


def _as_column(values: Any) -> Any:
    return np.array(values, dtype=np.int64) if isinstance(values, (list, tuple)) else values


def _require_equal_columns(columns: Mapping[str, Any]) -> None:
    """Refuse columns of different lengths. Readers make many documents: no number is looked at."""
    count = 0 if columns["entity"] is None else len(columns["entity"])
    places = ("identifiers",) if columns["identifiers"] is not None else ("first", "last")
    for name in places:
        size = 0 if columns[name] is None else len(columns[name])
        if size != count:
            document = columns["name"]
            raise UsageError(
                "unequal-columns", document=document, column=name, size=size, count=count
            )


def check_columns(document: Document) -> None:
    """Refuse columns that somebody else than a reader made, and whose numbers cannot be right.

    >>> check_columns(Document("a", first=[3], last=[5], entity=[1], entity_ids=["x"]))
    Traceback (most recent call last):
    ...
    sameas.errors.UsageError: document a: mention 0 is of entity number 1, and there is 1 entity id
    """
    entity, first, last = document.entity, document.first, document.last
    wrong = np.flatnonzero((entity < 0) | (entity >= len(document.entity_ids)))
    if len(wrong):
        raise UsageError(
            "entity-number",
            document=document.name,
            mention=int(wrong[0]),
            entity=int(entity[wrong[0]]),
            count=len(document.entity_ids),
        )
    if first is None or last is None:
        return
    # A zero before the first word stands before token 0.
    plain = np.ones(len(first), dtype=np.bool_)
    plain[list(document.special)] = False
    for number in np.flatnonzero(plain & ((first < 0) | (first > last))).tolist():
        id = document.entity_ids[entity[number]]
        where = f"document {document.name}"
        raise _impossible_span(id, int(first[number]), int(last[number])).at(where)


def columns_of(spans: Sequence[Span]) -> tuple[Ints, Ints]:
    """The first and the last token of each span.

    >>> columns_of([(3, 5)])[1].tolist()
    [5]
    """
    both = np.array(spans, dtype=np.int64).reshape(-1, 2)
    return both[:, 0].copy(), both[:, 1].copy()


def join_columns(parts: Sequence[Ints]) -> Ints:
    """The arrays as one, also if there are none.

    >>> join_columns([]).tolist()
    []
    """
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


class Places(TypedDict):
    """The columns of a document that say where its mentions are."""

    first: Ints
    last: Ints
    special: dict[int, Mention]


def places_of(mentions: Sequence[Mention]) -> Places:
    """The columns of mentions that are pieces of a text, as a document takes them.

    >>> Document("a", **places_of([Mention.at(3, 5)]), entity=np.array([0])).mentions
    [(3, 5)]
    """
    first, last = columns_of([mention.hull for mention in mentions])
    odd = (n for n, mention in enumerate(mentions) if len(mention.spans) != 1 or mention.zeros)
    return {"first": first, "last": last, "special": {n: mentions[n] for n in odd}}


def _refuse_spans(entities: Iterable[Entity]) -> None:
    """Refuse spans that no text has: padding, or a last token before the first.

    A pair of whole numbers is a span; other mentions are identifiers.
    """
    for entity in entities:
        for mention in entity.mentions:
            spans: Any = mention.spans if isinstance(mention, Mention) else (mention,)
            for span in spans:
                if is_pair(span) and not 0 <= span[0] <= span[1]:
                    raise _impossible_span(entity.id, *span)


def _impossible_span(cluster: str, first: int, last: int) -> UsageError:
    how = "backward" if first >= 0 else "padding" if first == last else "negative"
    return UsageError("impossible-span", how=how, cluster=cluster, first=first, last=last)


def without_padding(clusters: Any, ignore_index: int) -> Any:
    """Clusters without mentions that are `ignore_index`, or spans of it twice, as arrays have them.

    A cluster of padding alone is left out, too. What is not a list of lists is given back as it is.

    >>> without_padding([[[0, 1], [-1, -1]], [[-1, -1]]], -1)
    [[[0, 1]]]
    """
    padding = (ignore_index, (ignore_index, ignore_index))
    if isinstance(clusters, (Mapping, Document)) or not is_listing(clusters):
        return clusters
    found = []
    for cluster in clusters:
        if not is_listing(cluster):
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
        raise UsageError("ignore-index", value=ignore_index)


def _annotation(entities: Sequence[Entity]) -> Annotation | None:
    """What the objects say beyond their places."""
    pairs = [(entity, mention) for entity in entities for mention in entity.mentions]
    if not any(entity.type or isinstance(mention, Mention) for entity, mention in pairs):
        return None
    objects = [m if isinstance(m, Mention) else Mention() for _, m in pairs]
    return Annotation.of(
        np.array([-1 if m.head is None else node(m.head) for m in objects], dtype=np.int64),
        [[node(place) for place in mention.minimum] for mention in objects],
        [entity.type or "" for entity, _ in pairs],
        [mention.kind or "" for mention in objects],
    )


def _checked(entity: Any) -> Entity:
    if not isinstance(entity, Entity):
        raise UsageError("not-an-entity", type=type(entity).__name__)
    mentions = tuple(entity.mentions)
    if all(isinstance(mention, (str, Mention)) for mention in mentions):
        return replace(entity, mentions=mentions)
    found = zip(mentions, _mentions(mentions, entity.id), strict=True)
    return replace(
        entity, mentions=tuple(one if isinstance(one, Mention) else other for one, other in found)
    )


def _mentions(cluster: Any, number: object) -> tuple[Hashable, ...]:
    if not is_listing(cluster):
        raise UsageError("cluster-not-list", number=number, value=cluster)
    cluster = list(cluster)
    for mention in cluster:
        if isinstance(mention, list) and any(isinstance(part, (list, tuple)) for part in mention):
            raise UsageError("lists-in-cluster", number=number, value=mention)
    mentions = tuple(as_hashable(mention) for mention in cluster)
    for mention in mentions:
        if isinstance(mention, float) and mention != mention:
            raise UsageError("nan-in-cluster", number=number)
        try:
            hash(mention)
        except TypeError:
            raise UsageError("unhashable-mention", number=number, value=mention) from None
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
