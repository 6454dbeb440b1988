"""Which mentions are names, and documents restricted to them: G^NM and O^NM of Lin et al. 2010.

What the file says comes first (`annotated`: the kind of each mention, which CoNLL-U has by the part
of speech of its head). A mention of a response of which nothing is said is then what the key's
mention of the same words is, or else that of the same head, or else, if the key has neither, a name
if its head is written large (the guess of `heads.py`). Otherwise names are found in the words, in
the named-entity column of CoNLL-2012 (`column`) or by a recogniser, and a mention of key or
response is a name if its head is a word of one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np

from sameas.arithmetic.arrays import Bools, Ints
from sameas.documents.document import Annotation, Document, Mention
from sameas.documents.heads import guess_names
from sameas.errors import InputError, Problem, UsageError
from sameas.matching.pairing import Pairing
from sameas.matching.sides import marked
from sameas.without_gold.name import UNNAMED, Name
from sameas.without_gold.recognise import Recogniser, recogniser
from sameas.without_gold.text_words import TextWords, file_heads, head_words, words_of

__all__ = ["Counts", "Namer", "Names", "guessed_heads", "restrict_pairing", "source_of"]

#: Where names come from: a word for it, a recogniser of the caller, or the mentions themselves.
Names = str | Callable[..., Iterable[Any]] | Collection[Hashable]


class Counts(NamedTuple):
    """How many mentions there were, and how many of them are names."""

    mentions: int = 0
    named: int = 0
    beside: int = 0  # mentions that are no names, of entities that have one
    by_head: int = 0  # names of a response that says nothing, by a key mention of the same head
    guessed: int = 0  # by a capital letter


def source_of(documents: Sequence[Document]) -> str:
    """Where names are to be had from: what the files say, or else the rules.

    >>> source_of([Document("a")])
    'rules'
    """
    if any(map(has_kinds, documents)):
        return "annotated"
    if any(_column(document) is not None for document in documents):
        return "column"
    return "rules"


def has_kinds(document: Document) -> bool:
    """Whether a document says of any mention what kind it is.

    >>> has_kinds(Document("a"))
    False
    """
    return any(document.details.kinds() or ())


def no_words(document: Document, path: str = "") -> InputError:
    """The error for a document without words; `path` is where it is from if it does not say."""
    place = document.origin.place(path)
    return InputError([Problem("names-no-words", *place, document=document.name)])


class Namer:
    """Tells which mentions are names.

    `source` is `annotated`, `column`, what `recogniser` takes (`rules`, `spacy:MODEL`, a function),
    or the names themselves, for mentions that are no pieces of a text.

    >>> key, response = (Document.from_clusters("a", [c]) for c in (["A", "B", 1], ["A", 1, 2]))
    >>> [mask.tolist() for mask in Namer({"A", "B"}).named(key, response)]
    [[True, True, False], [True, False, False]]
    """

    def __init__(self, source: Names) -> None:
        self.given: frozenset[Hashable] | None = None
        self._recogniser: Recogniser | None = None
        self._text = cache(lambda *versions: NamedText(versions, self))
        if isinstance(source, str) or callable(source):
            self.name = source if isinstance(source, str) else ""
            if self.name not in ("annotated", "column"):
                self._recogniser = recogniser(source)
                self.name = self._recogniser.name
        elif isinstance(source, Collection):
            self.given, self.name = _identities(source), "given"
        else:
            expected = "a word, a function or mentions"
            raise UsageError("wrong-type", what="names", expected=expected, value=source)

    def text(self, key: Document, response: Document | None = None) -> NamedText:
        """The words and names of a text of which these are versions, found once."""
        text = self._text(key)
        # Where the key has no words, those of the response will do.
        return text if text.known is not None or response is None else self._text(key, response)

    def find(self, documents: Sequence[Document], words: TextWords) -> list[Name]:
        """The names in the words of some versions of a text."""
        if self.name == "column":
            found = next((n for d in documents if (n := _column(d)) is not None), None)
            if found is None:
                path = documents[0].origin.path or documents[0].name
                raise UsageError("names-no-column", where=path)
            return found
        assert self._recogniser is not None
        try:
            return self._recogniser(words.sentences, words.tags)
        except Exception as error:  # of a function of the caller
            error.add_note(f"while names were looked for in document {documents[0].name}")
            raise

    def named(self, key: Document, response: Document) -> tuple[Bools, Bools]:
        """Which mentions of key and response are names."""
        if self.given is not None:
            ours, theirs = (
                np.array([mention in self.given for mention in document.mentions], dtype=np.bool_)
                for document in (key, response)
            )
            return ours, theirs
        text = self.text(key, response)
        if self.name != "annotated":
            return text.in_names(key), text.in_names(response)
        kinds = _kinds(key)
        if kinds is None:
            raise UsageError("names-not-said", where=key.origin.path or key.name)
        ours = kinds == "name"
        if "" in kinds:
            ours |= (kinds == "") & text.in_names(key)
        kinds = _kinds(response)
        if kinds is None:
            return ours, _by_key(key, response, ours, text)
        theirs = kinds == "name"
        if "" in kinds:
            theirs |= (kinds == "") & _by_key(key, response, ours, text)
            text.decided.pop(id(response), None)  # it counts also those of which the file says it
        return ours, theirs


class NamedText:
    """The words of a text, the names in them, and the heads of mentions, each made when asked."""

    def __init__(self, documents: Sequence[Document], namer: Namer) -> None:
        self._documents, self._namer = documents, namer
        self._heads: dict[int, tuple[Document, Ints]] = {}
        self.decided: dict[int, tuple[int, int]] = {}  # names by heads and by guess, of responses

    @cached_property
    def known(self) -> TextWords | None:
        """The words, if there are any."""
        return words_of(*self._documents)

    @property
    def words(self) -> TextWords:
        """The words; it is an error if there are none, and mentions all the same."""
        if self.known is None:
            if not any(document.mention_count for document in self._documents):
                return TextWords((), ())
            raise no_words(self._documents[0])
        return self.known

    @cached_property
    def names(self) -> list[Name]:
        """The names that are found in the words, by word."""
        return self._namer.find(self._documents, self.words)

    @cached_property
    def inside(self) -> Bools:
        """Whether each word, as a head, makes a name; a last one stands for no word."""
        if self._namer.name == "annotated":
            guessed = guess_names(self.words.words, self.words.clues, self.words.begins)
            return np.append(guessed, np.zeros(1, dtype=np.bool_))
        mask = np.zeros(len(self.words) + 1, dtype=np.bool_)
        for name in self.names:
            mask[name.first : name.last + 1] = True
        return mask

    def heads(self, document: Document) -> Ints:
        """The head of each mention, by word; -1 for none."""
        if id(document) not in self._heads:
            self._heads[id(document)] = document, head_words(document, self.words)
        return self._heads[id(document)][1]

    def in_names(self, document: Document) -> Bools:
        """Whether the head of each mention is a word of a name."""
        if not document.mention_count:
            return np.zeros(0, dtype=np.bool_)
        if document.first is None:
            raise UsageError("names-not-in-text", document=document.name)
        found: Bools = self.inside[self.heads(document)]
        return found

    def nodes(self, document: Document) -> Ints | None:
        """The head of each mention as a node: what the file says, or the guess."""
        nodes = file_heads(document)
        if self.known is None or document.first is None:
            return nodes
        heads = self.heads(document)
        guessed = np.where(heads < 0, -1, (self.words.start(np.maximum(heads, 0)) + 1) << 16)
        return guessed if nodes is None else np.where(nodes >= 0, nodes, guessed)


def _kinds(document: Document) -> Any:
    """The kind of each mention, empty where the file says none; None if it says none of any."""
    kinds = document.details.kinds()
    return (
        None if kinds is None and document.mention_count else np.array(kinds or (), dtype=np.str_)
    )


def _identities(names: Collection[Hashable]) -> frozenset[Hashable]:
    """Mentions as documents have them."""
    try:
        return frozenset(one.identity if isinstance(one, Mention) else one for one in names)
    except TypeError:
        raise UsageError("names-in-list") from None


def _by_key(key: Document, response: Document, ours: Bools, text: NamedText) -> Bools:
    """Of a response that says nothing: as the key mention of that place or head, or as guessed.

    Where there are no words, nothing is guessed, and heads are those that the files say.
    """
    in_text = key.first is not None and response.first is not None and text.known is not None
    heads, asked = (
        text.heads(document) if in_text else _nodes(document) for document in (key, response)
    )
    guessed = text.inside[asked] if in_text else np.zeros(len(asked), dtype=np.bool_)
    of_place = _has_name(key.mentions, ours)
    of_head = _has_name(heads.tolist(), ours)
    of_head.pop(-1, None)  # stands for no head
    theirs = []
    told = Counter[bool]()  # names that no place tells, by whether the key has their heads
    for mention, head, guess in zip(
        response.mentions, asked.tolist(), guessed.tolist(), strict=True
    ):
        named = of_place.get(mention, of_head.get(head, guess))
        theirs.append(named)
        told[head in of_head] += named and mention not in of_place
    if in_text:
        text.decided[id(response)] = told[True], told[False]
    return np.array(theirs, dtype=np.bool_)


def _has_name(places: Iterable[Hashable], named: Bools) -> dict[Hashable, bool]:
    """Whether one of the mentions at each place, or of each head, is a name."""
    found: dict[Hashable, bool] = {}
    for place, is_name in zip(places, named.tolist(), strict=True):
        found[place] = found.get(place, False) or is_name
    return found


def _nodes(document: Document) -> Ints:
    """The heads that a file says, as nodes; -1 where it says none."""
    nodes = file_heads(document)
    return np.full(document.mention_count, -1) if nodes is None else nodes


def _column(document: Document) -> list[Name] | None:
    """The names in the named-entity column of CoNLL-2012; None if there is no such column."""
    column = getattr(document.text, "named_entities", lambda: None)()
    if column is None:
        return None
    names: list[Name] = []
    opened: tuple[int, str] | None = None
    for word, cell in enumerate(column):
        if cell.startswith("("):
            opened = word, cell.strip("()*")
        if cell.endswith(")") and opened is not None:
            if opened[1].upper() not in UNNAMED:
                names.append(Name(opened[0], word, opened[1]))
            opened = None
    return names


def restrict_pairing(
    pairing: Pairing, namer: Namer, mentions: str = "named"
) -> tuple[Pairing, Counts, Counts]:
    """Key and response with the mentions that are wanted only, and what there was of each."""
    kept: tuple[list[Document], list[Document]] = [], []
    counted: tuple[list[Counts], list[Counts]] = [], []
    for key, response in zip(pairing.key, pairing.response, strict=True):
        text = namer.text(key, response)
        both = zip((key, response), namer.named(key, response), strict=True)
        for side, (document, named) in enumerate(both):
            has_name = marked(len(document.entity_ids), document.entity[named])
            whole: Bools = has_name[document.entity]
            names = int(np.count_nonzero(named))
            beside = int(np.count_nonzero(whole)) - names
            told = text.decided.get(id(document), (0, 0)) if side else (0, 0)
            counted[side].append(Counts(document.mention_count, names, beside, *told))
            mask = {
                "named": named,
                "entities": whole,  # the paper's NE-CRR
                "unnamed": whole & ~named,
                "all": np.ones_like(named),  # with the heads by which names are found
            }[mentions]
            kept[side].append(keep_mentions(document, mask, text, named))
    ours, theirs = (Counts(*map(sum, zip(*some, strict=True))) for some in counted)
    return replace(pairing, key=kept[0], response=kept[1]), ours, theirs


def guessed_heads(documents: Iterable[Document]) -> int:
    """How many heads are guessed in restricted documents, as their files do not say them.

    >>> guessed_heads([Document("a")])
    0
    """
    parts = (document.annotation for document in documents)
    return sum(part.guessed_heads() for part in parts if isinstance(part, _Part))


def keep_mentions(document: Document, mask: Bools, text: NamedText, named: Bools) -> Document:
    """The document with the mentions for which `mask` is true, with heads and kinds.

    Entities left without any vanish.
    """
    places = np.flatnonzero(mask)
    entities, entity = np.unique(document.entity[mask], return_inverse=True)
    ids = [document.entity_ids[number] for number in entities.tolist()]
    given, special = document.identifiers, document.special
    left = set(ids)
    return replace(
        document,
        first=None if document.first is None else document.first[mask],
        last=None if document.last is None else document.last[mask],
        entity=entity,
        entity_ids=ids,
        special={n: special[place] for n, place in enumerate(places.tolist()) if place in special},
        identifiers=None if given is None else [given[place] for place in places.tolist()],
        annotation=_Part(document, places, text, named),
        split_antecedents={
            id: members
            for id, members in document.split_antecedents.items()
            if left.issuperset((id, *members))
        },
        bridging=[b for b in document.bridging if left >= {b.anaphor, b.antecedent}],
        non_referring=(),
    )


class _Part(Annotation):
    """The annotation of some mentions of a document, with heads and kinds."""

    def __init__(self, document: Document, places: Ints, text: NamedText, named: Bools) -> None:
        self._document, self._text, self._places = document, text, places
        self._named = named[places]

    def heads(self) -> Ints | None:
        """As the file says, or guessed."""
        nodes = self._text.nodes(self._document)
        return None if nodes is None else nodes[self._places]

    def guessed_heads(self) -> int:
        """How many of the heads the file does not say."""
        found, said = self.heads(), file_heads(self._document)
        if found is None:
            return 0
        unsaid = True if said is None else said[self._places] < 0
        return int(np.count_nonzero((found >= 0) & unsaid))

    def minima(self) -> Sequence[Sequence[int]] | None:
        """As the file says."""
        return self._of(self._document.details.minima())

    def types(self) -> Sequence[str] | None:
        """As the file says."""
        return self._of(self._document.details.types())

    def kinds(self) -> Sequence[str] | None:
        """Names are names; the rest is as the file says."""
        said = self._of(self._document.details.kinds()) or [""] * len(self._places)
        return [
            "name" if named else "" if kind == "name" else kind
            for named, kind in zip(self._named.tolist(), said, strict=True)
        ]

    def dependencies(self, mention: int) -> tuple[int, frozenset[tuple[str, str]]]:
        """As the file says."""
        return self._document.details.dependencies(int(self._places[mention]))

    def _of(self, values: Sequence[Any] | None) -> list[Any] | None:
        return None if values is None else [values[place] for place in self._places.tolist()]
