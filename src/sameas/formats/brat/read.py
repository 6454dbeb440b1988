"""brat standoff: a text, and a separate file that annotates it by character offsets.

A line of the annotation file is a text-bound annotation, `T1<tab>Person 0 5;16 23<tab>Ann Lee`
(ends are exclusive), an equivalence, `*<tab>Coref T1 T2 T3`, a relation,
`R1<tab>Coref Arg1:T1 Arg2:T2`, or an event, attribute, normalisation or note. Annotations that are
connected by equivalences and relations of identity form an entity; an annotation without such a
link is a singleton. Offsets count Unicode characters from 0.

LitBank writes each mention twice: `PROP_PER 0 5` (also NOM and PRON) for its kind and type, and
`Ann_Lee-3 0 5` for its entity. If a file has labels of both forms, the two are read as one mention.
A mention that has only the first belongs to the entity to which a relation `cop` or `appos`
links it.

`sameas convert` writes the note `#1<tab>sameas text<tab>tokens between blanks; untyped Mention`. It
states that spaces separate the tokens of the text, and which type marks mentions without a type.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import numpy as np

from sameas.arithmetic.arrays import Ints
from sameas.arithmetic.forest import connected
from sameas.documents.document import Corpus, Document
from sameas.documents.mentions import Annotation, Mention, Origin, Span, places_of
from sameas.formats.brat.text import CharacterText
from sameas.formats.common import Reporter

__all__ = ["BratAnnotation", "CharacterText", "note", "read_brat"]

_BOUND = re.compile(r"(\S+) +([0-9]{1,9} +[0-9]{1,9}(?: *; *[0-9]{1,9} +[0-9]{1,9})*) *")
_ID = re.compile(r"[TREAMN#][^\s:]*|\*")
_IDENTITY = re.compile(r"coref.*|equiv|equivalence|ident|identity|same.*|alias", re.IGNORECASE)
_BLANK = re.compile(r"[\t\n\r\v\f]")
_KINDS = {
    "R": "relations",
    "E": "events",
    "A": "attributes",
    "M": "attributes",
    "N": "normalisations",
    "#": "notes",
}
_KIND_AND_TYPE = re.compile(r"(PROP|NOM|PRON)_([A-Z]+)")
_KIND_OF = {"PROP": "name", "NOM": "nominal", "PRON": "pronoun"}
_ATTRIBUTES = ("cop", "appos")
_TEXT_BOUND = re.compile(r":(T\S+)")
_ENTITY = re.compile(r".+-[0-9]+")
_NOTE = re.compile(
    r"sameas text\t(tokens between blanks(?: but for those at((?: [0-9]{1,12})+))?; )?untyped (\S+)"
)


def read_brat(
    ann: bytes, text: bytes | None, path: str = "", *, name: str = "", refuse: bool = True
) -> Corpus:
    r"""Read a document from its annotation file and, if available, from its text.

    Unless `refuse`, return whatever can be read from an invalid file.

    >>> ann = b"T1\tPerson 0 3\tAnn\nT2\tPerson 10 13\tshe\n*\tCoref T1 T2\n"
    >>> document = read_brat(ann, b"Ann says: she ran.").documents[0]
    >>> document.unit, document.mentions, document.entity_ids
    ('character', [(0, 2), (10, 12)], ['T1'])
    """
    reader = _Reader(path, ann, text)
    return reader.corpus([reader.read(name)], "brat", refuse)


@dataclass(slots=True)
class _Bound:
    """A text-bound annotation; its kind and entity are added later."""

    id: str
    type: str
    mention: Mention
    line: int
    kind: str = ""
    entity: Hashable = None


class _Reader(Reporter):
    """A reader of the lines of one annotation file."""

    def __init__(self, path: str, ann: bytes, text: bytes | None) -> None:
        super().__init__(path)
        self.written = self._decode(ann, "annotation")
        self.characters = None if text is None else self._decode(text, "text")
        self.bounds: dict[str, _Bound] = {}  # by id
        self._others: dict[str, int] = {}  # lines of the other annotations, by id
        self._links: list[tuple[int, int, str, list[str]]] = []  # line, column, kind and ids
        self._attributes: list[tuple[int, str, list[str]]] = []  # line, relation and ids
        self._skipped: dict[str, tuple[int, Counter[str]]] = {}
        self._joining: frozenset[int] | None = None  # offsets of spaces inside tokens, if known
        self._untyped = ""  # the type that marks mentions without one

    def _decode(self, data: bytes, what: str) -> str:
        """Decode the annotation or the text, and report bytes that are not UTF-8."""
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start)
            column = error.start - data.rfind(b"\n", 0, error.start)
            at = (line, column) if what == "annotation" else (0, 1)  # of the annotation file
            self.error(*at, "brat-encoding", how=what, row=line + 1, place=column)
            return data.decode("utf-8", "replace")

    def read(self, name: str) -> Document:
        lines = self.written.removeprefix("\ufeff").split("\n")
        if any(line.endswith("\r") for line in lines):
            self.warn(0, 1, "crlf")
            lines = [line.removesuffix("\r") for line in lines]
        if self.characters is None:
            stem = PurePath(self.path).stem
            self.warn(0, 1, "no-text", **({"stem": stem} if stem else {"how": "unnamed"}))
        for number, line in enumerate(lines):
            if line.strip():
                self._read_line(number, line)
        self._check_joining()
        bounds, has_kinds = self._entities()
        for kind, (line_number, types) in self._skipped.items():
            which = ", ".join(f"{type} {count}" for type, count in sorted(types.items()))
            self.warn(line_number, 1, "brat-passed", how=kind, which=which)
        mentions, labels = [bound.mention for bound in bounds], [bound.type for bound in bounds]
        places = places_of(mentions)
        last = places["last"]
        count = int(last.max(initial=-1)) + 1 if self.characters is None else len(self.characters)
        ends = zip(last.tolist(), bounds, strict=True)
        line_of = {end: bound.line + 1 for end, bound in reversed(list(ends))}
        ids, entity = _number_entities(bounds)
        return Document(
            name or PurePath(self.path).name.removesuffix(".ann") or "document",
            **places,
            entity=entity,
            entity_ids=ids,
            annotation=BratAnnotation(
                all_types=labels if any(labels) else None,
                all_kinds=[bound.kind for bound in bounds] if has_kinds else None,
                written=self.written,
                mentions=[mention.identity for mention in mentions],
                entity=entity,
            ),
            text=CharacterText(self.characters, count, line_of, self._joining),
            origin=Origin(self.path, 1, unnamed=not name),
            unit="character",
        )

    def _entities(self) -> tuple[list[_Bound], bool]:
        """Return mentions with their entities, and whether labels such as PROP_PER give kinds."""
        bounds = list(self.bounds.values())
        for bound, group in zip(bounds, self._groups(), strict=True):
            bound.entity = group
            found = None if self._untyped else _KIND_AND_TYPE.fullmatch(bound.type)
            if found:
                bound.kind, bound.type = _KIND_OF[found[1]], found[2]
            elif bound.type == self._untyped:
                bound.type = ""
        has_kinds = any(bound.kind for bound in bounds)
        if has_kinds and any(_ENTITY.fullmatch(bound.type) for bound in bounds):
            return self._join_layers(bounds), has_kinds
        for number, relation, _ in self._attributes:
            self._skip(number, "relations", relation)
        return bounds, has_kinds

    def _join_layers(self, bounds: list[_Bound]) -> list[_Bound]:
        """Merge mentions that are annotated twice: once with their kind, once with their entity."""
        named = {bound.mention: bound for bound in bounds if bound.kind}
        label_of = {bound.mention: bound.type for bound in bounds if _ENTITY.fullmatch(bound.type)}
        kept = [bound for bound in bounds if not bound.kind or bound.mention not in label_of]
        self._spread(label_of)
        for bound in kept:
            label, twin = label_of.get(bound.mention), named.get(bound.mention, bound)
            bound.id, bound.entity = label or bound.id, label or bound.entity
            bound.kind, bound.type = twin.kind, "" if _ENTITY.fullmatch(twin.type) else twin.type
        return kept

    def _spread(self, label_of: dict[Mention, str]) -> None:
        """Give mentions without an entity the entity of a mention to which they are linked."""
        linked = [
            [self.bounds[id].mention for id in ids if id in self.bounds]
            for _, _, ids in self._attributes
        ]
        changed = True
        while changed:  # links may form chains
            changed = False
            for some in linked:
                labels = [label_of[mention] for mention in some if mention in label_of]
                if labels and len(labels) < len(some):
                    label_of.update({m: labels[0] for m in some if m not in label_of})
                    changed = True

    def _read_line(self, number: int, line: str) -> None:
        id, tab, rest = line.partition("\t")
        if not tab or not _ID.fullmatch(id):
            self.error(number, 1, "not-annotation", text=line)
        elif id == "*":
            kind, _, arguments = rest.partition(" ")
            self._links.append((number, len(id) + 2, kind, arguments.split()))
        elif id[0] == "T":
            self._read_bound(number, id, rest)
        else:
            self._read_other(number, id, rest)

    def _check_joining(self) -> None:
        """Ignore the note, with a warning, if it gives an offset at which the text has no space."""
        if self._joining is None or self.characters is None:
            return
        if not all(self.characters[place : place + 1] == " " for place in self._joining):
            self.warn(0, 1, "note-of-other-text")
            self._joining = None

    def _read_other(self, number: int, id: str, rest: str) -> None:
        ours = _NOTE.fullmatch(rest) if id[0] == "#" else None
        if ours:
            if ours[1]:
                self._joining = frozenset(map(int, (ours[2] or "").split()))
            self._untyped = ours[3]
            return
        kind = re.split(r"[\s:]", rest, maxsplit=1)[0]
        if id[0] != "#":
            if id in self._others:
                self.error(number, 1, "id-twice", id=id, other=self._others[id] + 1)
                return
            self._others[id] = number
        if id[0] == "R" and kind in _ATTRIBUTES:
            self._attributes += [(number, kind, _TEXT_BOUND.findall(rest))]
            return
        if id[0] == "R" and _IDENTITY.fullmatch(kind):
            # BioNLP adds further arguments in square brackets.
            parts = [part for part in rest.split("\t")[0].split()[1:] if part[0] != "["]
            arguments = [part.partition(":") for part in parts]
            if len(arguments) != 2 or not all(name and sign for name, sign, _ in arguments):
                self.error(number, len(id) + 2, "not-relation", text=rest)
            else:
                ids = [argument for _, _, argument in arguments]
                self._links.append((number, len(id) + 2, kind, ids))
            return
        self._skip(number, _KINDS[id[0]], kind)

    def _skip(self, number: int, kind: str, type: str) -> None:
        self._skipped.setdefault(kind, (number, Counter()))[1][type] += 1

    def _read_bound(self, number: int, id: str, rest: str) -> None:
        bound, tab, reference = rest.partition("\t")
        found = _BOUND.fullmatch(bound)
        column = len(id) + 2
        if not found or not tab:
            self.error(number, column, "not-text-bound", text=rest)
            return
        if id in self.bounds:
            self.error(number, 1, "id-twice", id=id, other=self.bounds[id].line + 1)
            return
        offsets = [int(part) for part in re.findall(r"[0-9]+", found[2])]
        pieces = sorted(zip(offsets[::2], offsets[1::2], strict=True))
        at = column + found.start(2)
        if any(start >= end for start, end in pieces) or any(
            start < end for (_, end), (start, _) in itertools.pairwise(pieces)
        ):
            self.error(number, at, "not-offsets", offsets=found[2])
            return
        if self.characters is not None:
            end, length = pieces[-1][1], len(self.characters)
            if end > length:
                self.error(number, at, "beyond-text", id=id, end=end, length=length)
                return
            differing = _difference(self.characters, pieces, reference)
            if differing:
                self.error(number, column + len(bound) + 1, "text-differs", id=id, **differing)
        mention = Mention(tuple((start, end - 1) for start, end in pieces))
        self.bounds[id] = _Bound(id, found[1], mention, number)

    def _groups(self) -> list[int]:
        """Return the entity of each annotation: its connected component in the graph of links."""
        numbers = {id: number for number, id in enumerate(self.bounds)}
        links: list[Span] = []
        for line, column, kind, ids in self._links:
            if len(ids) < 2:
                self.error(line, column, "short-link")
            others = [id for id in ids if id not in numbers]
            missing = [id for id in others if id not in self._others]
            if missing:
                self.error(line, column, "annotation-lacks", kind=kind, id=missing[0])
            elif others:
                self._skip(line, "links", kind)
            links += itertools.pairwise([numbers[id] for id in ids if id in numbers])
        return connected(len(numbers), links)


def _number_entities(bounds: Sequence[_Bound]) -> tuple[list[str], Ints]:
    """Return the ids of the entities in order of appearance, and the entity of each mention."""
    ids: dict[Hashable, str] = {}
    for bound in bounds:
        ids.setdefault(bound.entity, bound.id)
    numbers = {entity: number for number, entity in enumerate(ids)}
    return list(ids.values()), np.array([numbers[one.entity] for one in bounds], dtype=np.int64)


def _difference(characters: str, pieces: list[Span], reference: str) -> dict[str, Any]:
    """Return how an annotation's quoted text differs from the text at its offsets; {} if equal."""
    there = " ".join(characters[start:end] for start, end in pieces)
    if _BLANK.sub(" ", there) == _BLANK.sub(" ", reference):
        return {}
    values: dict[str, Any] = {"written": reference, "there": there}
    start = pieces[0][0]
    before = characters.rfind(reference, 0, start + len(reference))
    near = [place for place in (before, characters.find(reference, start)) if place >= 0]
    if near and reference:
        place = min(near, key=lambda place: abs(place - start))
        values |= {"how": "near", "first": place, "last": place + len(reference)}
    return values


def note(joining: frozenset[int] | None, untyped: str) -> str:
    r"""Return the note on spaces inside tokens, if known, and on the label of untyped mentions.

    >>> note(frozenset({3}), "Mention").expandtabs(4)
    '#1  sameas text tokens between blanks but for those at 3; untyped Mention'
    """
    tokens = "" if joining is None else "tokens between blanks; "
    if joining:
        places = " ".join(map(str, sorted(joining)))
        tokens = f"tokens between blanks but for those at {places}; "
    return f"#1\tsameas text\t{tokens}untyped {untyped}"


@dataclass(frozen=True, kw_only=True)
class BratAnnotation(Annotation):
    r"""The annotation file of one document, and the types and kinds in it.

    >>> annotation = read_brat(b"T1\tPerson 0 3\tAnn\n", b"Ann ran.\n").documents[0].annotation
    >>> annotation.types(), annotation.written
    (['Person'], 'T1\tPerson 0 3\tAnn\n')
    """

    written: str
    mentions: Sequence[Hashable]  # as read from the file
    entity: Ints

    def fits(self, document: Document) -> bool:
        """Return whether the document still has the mentions and entities of the file."""
        same = np.array_equal(document.entity, self.entity)
        return same and list(document.mentions) == list(self.mentions)
