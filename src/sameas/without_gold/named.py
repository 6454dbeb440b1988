"""Find the mentions that are names, and restrict documents to them: G^NM, O^NM of Lin et al. 2010.

With `annotated`, the kind of each mention in the file decides; in CoNLL-U it follows from the part
of speech of the head. For a response mention without a kind, the key mention with the same span
decides, or else one with the same head. If the key has neither, the response mention is a name if
its head is capitalised (as guessed in `heads.py`). Other sources find names in the words: the
named-entity column of CoNLL-2012 (`column`) or a recogniser; a mention of key or response is a name
if its head is a word of a name.
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

#: The source of names: its keyword, a caller-supplied recogniser, or the mentions themselves.
Names = str | Callable[..., Iterable[Any]] | Collection[Hashable]


class Counts(NamedTuple):
    """The numbers of mentions and of names."""

    mentions: int = 0
    named: int = 0
    unnamed: int = 0  # mentions that are not names, in entities that have a name
    by_head: int = 0  # names in a response without kinds, known from a key mention's head
    guessed: int = 0  # the same, guessed from a capital letter


def source_of(documents: Sequence[Document]) -> str:
    """Return the default source of names: `annotated`, `column` or `rules`.

    It is `annotated` if any document states kinds of mentions, else `column` if any has a column of
    named entities, else `rules`.

    >>> source_of([Document("a")])
    'rules'
    """
    if any(map(has_kinds, documents)):
        return "annotated"
    if any(_column(document) is not None for document in documents):
        return "column"
    return "rules"


def has_kinds(document: Document) -> bool:
    """Return whether a document states the kind of any mention.

    >>> has_kinds(Document("a"))
    False
    """
    return any(document.details.kinds() or ())


def no_words(document: Document, path: str = "") -> InputError:
    """Return the error for a document without words; `path` is the fallback for its path."""
    place = document.origin.place(path)
    return InputError([Problem("names-no-words", *place, document=document.name)])


class Namer:
    """A classifier of mentions into names and others.

    `source` is `annotated`, `column`, an argument of `recogniser` (`rules`, `spacy:MODEL`, a
    function), or a collection of the names, for mentions without a text.

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
        """Return the words and names of the text that both documents share; cached."""
        text = self._text(key)
        # If the key has no words, use those of the response.
        return text if text.known is not None or response is None else self._text(key, response)

    def find(self, documents: Sequence[Document], words: TextWords) -> list[Name]:
        """Return the names in a text, given as `words`; `documents` are versions of the text."""
        if self.name == "column":
            found = next((n for d in documents if (n := _column(d)) is not None), None)
            if found is None:
                path = documents[0].origin.path or documents[0].name
                raise UsageError("names-no-column", where=path)
            return found
        assert self._recogniser is not None
        try:
            return self._recogniser(words.sentences, words.tags)
        except Exception as error:  # raised by the caller's function
            error.add_note(f"while finding names in document {documents[0].name}")
            raise

    def named(self, key: Document, response: Document) -> tuple[Bools, Bools]:
        """Return masks of the names among the mentions of key and response."""
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
            raise UsageError("names-not-marked", where=key.origin.path or key.name)
        ours = kinds == "name"
        if "" in kinds:
            ours |= (kinds == "") & text.in_names(key)
        kinds = _kinds(response)
        if kinds is None:
            return ours, _by_key(key, response, ours, text)
        theirs = kinds == "name"
        if "" in kinds:
            theirs |= (kinds == "") & _by_key(key, response, ours, text)
            text.decided.pop(id(response), None)  # these counts include mentions with a kind
        return ours, theirs


class NamedText:
    """The words of a text, its names, and the heads of mentions, all computed on demand."""

    def __init__(self, documents: Sequence[Document], namer: Namer) -> None:
        self._documents, self._namer = documents, namer
        self._heads: dict[int, tuple[Document, Ints]] = {}
        self.decided: dict[int, tuple[int, int]] = {}  # response names: known by head, guessed

    @cached_property
    def known(self) -> TextWords | None:
        """The words, if there are any."""
        return words_of(*self._documents)

    @property
    def words(self) -> TextWords:
        """The words; raises an error if there are mentions but no words."""
        if self.known is None:
            if not any(document.mention_count for document in self._documents):
                return TextWords((), ())
            raise no_words(self._documents[0])
        return self.known

    @cached_property
    def names(self) -> list[Name]:
        """The names found in the words, as word indices."""
        return self._namer.find(self._documents, self.words)

    @cached_property
    def inside(self) -> Bools:
        """Whether mentions with a given head are names, per word; the last item is for no head."""
        if self._namer.name == "annotated":
            guessed = guess_names(self.words.words, self.words.clues, self.words.begins)
            return np.append(guessed, np.zeros(1, dtype=np.bool_))
        mask = np.zeros(len(self.words) + 1, dtype=np.bool_)
        for name in self.names:
            mask[name.first : name.last + 1] = True
        return mask

    def heads(self, document: Document) -> Ints:
        """Return the head of each mention as a word index; -1 for none."""
        if id(document) not in self._heads:
            self._heads[id(document)] = document, head_words(document, self.words)
        return self._heads[id(document)][1]

    def in_names(self, document: Document) -> Bools:
        """Return whether the head of each mention is a word of a name."""
        if not document.mention_count:
            return np.zeros(0, dtype=np.bool_)
        if document.first is None:
            how = {"how": "records"} if document.holds_records else {}
            raise UsageError("names-not-in-text", document=document.name, **how)
        found: Bools = self.inside[self.heads(document)]
        return found

    def nodes(self, document: Document) -> Ints | None:
        """Return the head of each mention, from the file or guessed, as a node; -1 for none.

        The result is None if the file has no heads and none can be guessed.
        """
        nodes = file_heads(document)
        if self.known is None or document.first is None:
            return nodes
        heads = self.heads(document)
        guessed = np.where(heads < 0, -1, (self.words.start(np.maximum(heads, 0)) + 1) << 16)
        return guessed if nodes is None else np.where(nodes >= 0, nodes, guessed)


def _kinds(document: Document) -> Any:
    """Return the kind of each mention ("" if it is not in the file); None if the file has none."""
    kinds = document.details.kinds()
    return (
        None if kinds is None and document.mention_count else np.array(kinds or (), dtype=np.str_)
    )


def _identities(names: Collection[Hashable]) -> frozenset[Hashable]:
    """Return mentions in the form that documents use."""
    try:
        return frozenset(one.identity if isinstance(one, Mention) else one for one in names)
    except TypeError:
        raise UsageError("names-in-list") from None


def _by_key(key: Document, response: Document, ours: Bools, text: NamedText) -> Bools:
    """Return which response mentions are names: those with the span or head of a name in the key.

    Other mentions are guessed. Without words nothing is guessed, and only the files' heads count.
    """
    in_text = key.first is not None and response.first is not None and text.known is not None
    key_heads, heads = (
        text.heads(document) if in_text else _nodes(document) for document in (key, response)
    )
    guessed = text.inside[heads] if in_text else np.zeros(len(heads), dtype=np.bool_)
    of_place = _has_name(key.mentions, ours)
    of_head = _has_name(key_heads.tolist(), ours)
    of_head.pop(-1, None)  # no head
    theirs = []
    decided = Counter[bool]()  # counts names known by head (True) or guessed
    for mention, head, guess in zip(
        response.mentions, heads.tolist(), guessed.tolist(), strict=True
    ):
        named = of_place.get(mention, of_head.get(head, guess))
        theirs.append(named)
        decided[head in of_head] += named and mention not in of_place
    if in_text:
        text.decided[id(response)] = decided[True], decided[False]
    return np.array(theirs, dtype=np.bool_)


def _has_name(places: Iterable[Hashable], named: Bools) -> dict[Hashable, bool]:
    """Map each span (or head) to whether any mention with it is a name."""
    found: dict[Hashable, bool] = {}
    for place, is_name in zip(places, named.tolist(), strict=True):
        found[place] = found.get(place, False) or is_name
    return found


def _nodes(document: Document) -> Ints:
    """Return the head of each mention in the file as a node; -1 if it has none."""
    nodes = file_heads(document)
    return np.full(document.mention_count, -1) if nodes is None else nodes


def _column(document: Document) -> list[Name] | None:
    """Return the names in the named-entity column of CoNLL-2012; None without this column."""
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
    """Return a pairing restricted to some mentions, and the counts of key and response."""
    kept: tuple[list[Document], list[Document]] = [], []
    counted: tuple[list[Counts], list[Counts]] = [], []
    for key, response in zip(pairing.key, pairing.response, strict=True):
        text = namer.text(key, response)
        both = zip((key, response), namer.named(key, response), strict=True)
        for side, (document, named) in enumerate(both):
            has_name = marked(len(document.entity_ids), document.entity[named])
            whole: Bools = has_name[document.entity]
            names = int(np.count_nonzero(named))
            unnamed = int(np.count_nonzero(whole)) - names
            decided = text.decided.get(id(document), (0, 0)) if side else (0, 0)
            counted[side].append(Counts(document.mention_count, names, unnamed, *decided))
            mask = {
                "named": named,
                "entities": whole,  # the paper's NE-CRR
                "unnamed": whole & ~named,
                "all": np.ones_like(named),  # with the heads that determine names
            }[mentions]
            kept[side].append(keep_mentions(document, mask, text, named))
    ours, theirs = (Counts(*map(sum, zip(*some, strict=True))) for some in counted)
    return replace(pairing, key=kept[0], response=kept[1]), ours, theirs


def guessed_heads(documents: Iterable[Document]) -> int:
    """Return how many heads in restricted documents are guessed, since their files lack them.

    >>> guessed_heads([Document("a")])
    0
    """
    parts = (document.annotation for document in documents)
    return sum(part.guessed_heads() for part in parts if isinstance(part, _Part))


def keep_mentions(document: Document, mask: Bools, text: NamedText, named: Bools) -> Document:
    """Return the document with the mentions where `mask` is true, with heads and kinds.

    Entities without remaining mentions are removed.
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
        """Return the heads, from the file or guessed."""
        nodes = self._text.nodes(self._document)
        return None if nodes is None else nodes[self._places]

    def guessed_heads(self) -> int:
        """Return the number of heads that are not in the file."""
        found, given = self.heads(), file_heads(self._document)
        if found is None:
            return 0
        missing = True if given is None else given[self._places] < 0
        return int(np.count_nonzero((found >= 0) & missing))

    def minima(self) -> Sequence[Sequence[int]] | None:
        """Return the minimum spans in the file."""
        return self._of(self._document.details.minima())

    def types(self) -> Sequence[str] | None:
        """Return the types in the file."""
        return self._of(self._document.details.types())

    def kinds(self) -> Sequence[str] | None:
        """Return `name` for names, else the kind in the file, but empty if that is `name`."""
        given = self._of(self._document.details.kinds()) or [""] * len(self._places)
        return [
            "name" if named else "" if kind == "name" else kind
            for named, kind in zip(self._named.tolist(), given, strict=True)
        ]

    def dependencies(self, mention: int) -> tuple[int, frozenset[tuple[str, str]]]:
        """Return the dependencies in the file."""
        return self._document.details.dependencies(int(self._places[mention]))

    def _of(self, values: Sequence[Any] | None) -> list[Any] | None:
        return None if values is None else [values[place] for place in self._places.tolist()]
