"""Pairs of documents to matched mentions: which mention is which.

Everything that can drop or join something is a policy with a name, and what it did is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sameas.coref.approximate import align
from sameas.coref.document import Document, Ints
from sameas.coref.lookup import Lookup, look_up
from sameas.coref.pairing import Pairing
from sameas.coref.sides import Side, raw_sides
from sameas.errors import InputError, Problem, UsageError
from sameas.notes import Note, note_sample

__all__ = ["Matching", "match", "repeated_mentions"]


@dataclass(frozen=True)
class Matching:
    """Key and response with their mentions matched one to one."""

    names: Sequence[str]
    key: Side
    response: Side
    mention_count: int  # how many different mentions both sides have together
    notes: Sequence[str] = ()
    repeated: tuple[Side, Side] | None = None  # with the repeated mentions that conll-8.01 keeps
    lookup: Lookup | None = None  # for corefud-1.2


def match(
    pairing: Pairing,
    *,
    method: str = "exact",
    zeros: str = "linear",
    duplicates: str = "first",
    singletons: str = "keep",
    scope: str = "document",
) -> Matching:
    """Apply the policies for duplicates and singletons to each side, then match the mentions.

    `method`: `exact`, mentions of the same words; or else one to one, what has no exact twin:
    `head`, mentions of the same head; `partial`, a response mention inside the key mention that
    has its head; `min`, one that has its minimum. `zeros`: `linear`, by their place like any other
    mention; `dependent`, by parents and relations in the sentence; `drop` leaves them out.
    `duplicates`: of a mention that comes several times on one side, the `first` stays (in the
    entity that comes first in the text), or the `last`; `merge` joins the entities that share
    it; `error` refuses; `conll-8.01` keeps what the reference scorer keeps, to be counted as
    it counts. `singletons`: `keep` them, or `drop` entities of one mention on both sides.
    `scope`: entities of one id are one in each `document`, `topic` or the whole `corpus`.
    """
    sides = raw_sides(pairing)
    names: Sequence[str] = pairing.names
    notes = _note_sample(pairing, sides)
    group: Ints | None = None
    if scope != "document":
        names, group = _groups(pairing, scope)
        for side in sides:
            side.read.scored = group
    if method == "head":
        _number_by_heads(sides)
    count = int(max(side.mention.max(initial=-1) for side in sides)) + 1
    reference, corefud = duplicates == "conll-8.01", duplicates == "corefud-1.2"
    raw_key = sides[0]
    for which, documents in enumerate((pairing.key, pairing.response)):
        side, name = sides[which], ("key", "response")[which]
        if zeros == "drop" and side.read.special and side.read.is_zero.any():
            zero = side.read.is_zero[side.place]
            notes.append(Note("zeros", name, int(zero.sum())))
            side = side.keep(~zero)
        repeated = len(side.mention) - int(np.count_nonzero(np.bincount(side.mention)))
        if group is not None and duplicates == "merge":
            side = _widened(side, group)
        if repeated:
            if duplicates == "error":
                raise InputError(repeated_mentions(documents, side, role=f"the {name}"))
            if corefud:
                side = _once_an_entity(side)
            elif not reference:
                side = _POLICIES[duplicates](side, documents)
            elif which:
                side = _without_repeated_twins(raw_key, side)
            notes.append(Note("repeated", name, repeated, done=_DONE[duplicates]))
        if group is not None and duplicates != "merge":
            side = _widened(side, group)
        if singletons == "drop":
            alone = np.bincount(side.entity)[side.entity] == 1
            if alone.any():
                notes.append(Note("singletons", name, int(alone.sum())))
                side = side.keep(~alone)
        sides[which] = side
    key, response = sides
    if reference:
        once = [_keep_one(side, side.entity) for side in sides]
        return Matching(names, once[0], once[1], count, notes, (key, response))
    if corefud:
        _check_annotation(method, sides, notes)
        key, response, lookup = look_up(key, response, method, zeros, count)
        return Matching(names, key, response, 2 * count, notes, lookup=lookup)
    if zeros == "dependent" and not all(s.read.special and s.read.is_zero.any() for s in sides):
        zeros = "linear"
    if zeros == "dependent":
        notes += _without_dependencies(sides)
    if method != "exact" or zeros == "dependent":
        _check_annotation(method, sides, notes)
        response = align(key, response, method, zeros, count)
        count += len(response.mention)
    if group is not None:
        key, response = (replace(side, document=group[side.document]) for side in (key, response))
    return Matching(names, key, response, count, notes)


def _note_sample(pairing: Pairing, sides: Sequence[Side]) -> list[str]:
    """A note if one table of records is scored against the truth of some of them."""
    documents = [*pairing.key, *pairing.response]
    if len(documents) != 2 or not all(document.holds_records for document in documents):
        return []
    most = max(int(side.mention.max(initial=-1)) for side in sides) + 1
    ours, theirs = (np.bincount(side.mention, minlength=most) > 0 for side in sides)
    return note_sample(int(np.count_nonzero(theirs & ~ours)), int(np.count_nonzero(theirs)))


def _without_dependencies(sides: Sequence[Side]) -> list[str]:
    """Notes on zeros that cannot be matched by dependencies, because their files have none.

    Only documents count that have zeros on both sides, so that pieces of a corpus add up to it.
    """
    zero = [side.read.is_zero[side.place] for side in sides]
    ours, theirs = (side.document[is_zero] for side, is_zero in zip(sides, zero, strict=True))
    both = np.intersect1d(ours, theirs)
    notes: list[str] = []
    for side, is_zero, name in zip(sides, zero, ("key", "response"), strict=True):
        places = side.place[is_zero & np.isin(side.document, both)].tolist()
        bare = sum(not side.read.dependencies(place)[1] for place in places)
        if bare:
            notes.append(Note("bare zeros", name, bare))
    return notes


def _number_by_heads(sides: list[Side]) -> None:
    """Where heads are compared, mentions of the same words and another head are different."""
    heads = np.concatenate([side.read.heads - (side.read.first << 16) for side in sides])
    kinds, kind = np.unique(heads, return_inverse=True)
    mention = np.concatenate([side.mention for side in sides])
    mention = np.unique(mention * max(len(kinds), 1) + kind, return_inverse=True)[1]
    split = len(sides[0].mention)
    for number, part in enumerate((slice(0, split), slice(split, None))):
        sides[number] = replace(sides[number], mention=mention[part])


def _check_annotation(method: str, sides: Sequence[Side], notes: list[str]) -> None:
    """Refuse a matching for which a file lacks the annotation; note what was assumed."""
    needs = {"head": sides, "partial": sides[:1], "min": sides[:1]}.get(method, [])
    for side, name in zip(needs, ("key", "response"), strict=False):
        missing = [
            document
            for document in side.read.documents
            if document.mention_count and not _says(document, method)
        ]
        if missing:
            path = missing[0].origin.path or f"the {name}"
            what = "minimum spans" if method == "min" else "heads"
            raise UsageError(f"match {method} needs {what}, and {path} does not have them")
        if method == "min":
            without = side.read.without_minimum
            notes += [Note("no minimum", name, without)] * bool(without)
            continue
        if any(getattr(document.annotation, "assumed", False) for document in side.read.documents):
            notes.append(Note("no heads", name))
        headless = side.read.headless
        notes += [Note("headless", name, headless)] * bool(headless)


def _says(document: Document, method: str) -> bool:
    if document.annotation is None:
        return False
    found = document.annotation.minima() if method == "min" else document.annotation.heads()
    return found is not None


def _groups(pairing: Pairing, scope: str) -> tuple[list[str], Ints]:
    """The topics, or the one corpus, and the number of the one that each document belongs to."""
    found = [
        "corpus" if scope == "corpus" else topic_of(name, document)
        for name, document in zip(pairing.names, pairing.key, strict=True)
    ]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(found))}
    return list(numbers), np.array([numbers[name] for name in found], dtype=np.int64)


def _widened(side: Side, group: Ints) -> Side:
    """The side with entities of one id in one group as one."""
    numbers: dict[tuple[int, str], int] = {}
    entity = [
        numbers.setdefault((number, id), len(numbers))
        for number, document in zip(group.tolist(), side.read.documents, strict=True)
        for id in document.entity_ids
    ]
    wide = np.array(entity, dtype=np.int64)[side.read.entity[side.place]]
    return replace(side, entity=np.unique(wide, return_inverse=True)[1])


def topic_of(name: str, document: Document) -> str:
    """The topic of a document: what its file says, or what stands before the first / or _.

    >>> topic_of("36_4ecb", Document("36_4ecb"))
    '36'
    """
    topic = document.meta.get("topic")
    if isinstance(topic, (str, int)):
        return str(topic)
    return name.split("/", 1)[0] if "/" in name else name.split("_", 1)[0]


_DONE = {
    "first": "the first of each stays",
    "last": "the last of each stays",
    "merge": "entities that share one are joined",
    "conll-8.01": "counted as the reference scorer does",
    "corefud-1.2": "counted as the CorefUD scorer does",
}


def _once_an_entity(side: Side) -> Side:
    """Each mention once in an entity."""
    pair = side.entity * (int(side.mention.max(initial=0)) + 1) + side.mention
    mask = np.zeros(len(pair), dtype=np.bool_)
    mask[np.unique(pair, return_index=True)[1]] = True
    return side.keep(mask)


def _keep_first(side: Side, documents: Sequence[Document]) -> Side:
    return _keep_one(side, _ranks(side, documents))


def _keep_last(side: Side, documents: Sequence[Document]) -> Side:
    return _keep_one(side, -_ranks(side, documents))


def _keep_one(side: Side, rank: Ints) -> Side:
    """Of each mention, the occurrence of the lowest rank."""
    order = np.lexsort((rank, side.mention))
    again = side.mention[order][1:] == side.mention[order][:-1]
    keep = np.ones(len(order), dtype=np.bool_)
    keep[order[1:][again]] = False
    return side.keep(keep)


def _ranks(side: Side, documents: Sequence[Document]) -> Ints:
    """Rank the entity of each mention, so that all formats agree on which comes first.

    In a text the order depends on places alone: see `_order_in_text`. Mentions without a place in
    a text come in the order of the file.
    """
    sizes = [len(document.entity_ids) for document in documents]
    starts = np.cumsum([0, *sizes])
    rank = np.arange(starts[-1])
    order = np.argsort(side.mention, kind="stable")
    again = side.mention[order][1:] == side.mention[order][:-1]
    for number in set(side.document[order[1:][again]].tolist()):
        if documents[number].first is not None:
            by_place = np.array(_order_in_text(documents[number]))
            rank[starts[number] + by_place] = starts[number] + np.arange(sizes[number])
    return rank[side.read.entity[side.place]]


def _order_in_text(document: Document) -> list[int]:
    """Order the entities of a document: the one that is mentioned earlier comes first.

    Mentions come in the order of their starts, and the longer of two that start together comes
    first, whether tokens or characters are counted. The first mention at which two entities differ
    decides, and an entity that has ended comes after one that goes on. Entities of the same
    mentions are alike.
    """
    assert document.first is not None and document.last is not None
    found = sorted({tuple(mention.nodes) for mention in document.special.values()})
    shapes = {nodes: rank for rank, nodes in enumerate(found, start=1)}
    shape = np.zeros(document.mention_count, dtype=np.int64)
    for number, mention in document.special.items():
        shape[number] = shapes[tuple(mention.nodes)]
    columns = np.stack([document.first, -document.last, shape], 1)
    place = np.unique(columns, axis=0, return_inverse=True)[1].ravel()
    members: list[set[int]] = [set() for _ in document.entity_ids]
    for entity, where in zip(document.entity.tolist(), place.tolist(), strict=True):
        members[entity].add(where)
    return sorted(range(len(members)), key=lambda one: (*sorted(members[one]), len(place)))


def _merge(side: Side, documents: Sequence[Document]) -> Side:
    parent = list(range(int(side.entity.max(initial=-1)) + 1))

    def root(entity: int) -> int:
        while parent[entity] != entity:
            parent[entity] = parent[parent[entity]]
            entity = parent[entity]
        return entity

    order = np.lexsort((side.entity, side.mention))
    again = np.flatnonzero(side.mention[order][1:] == side.mention[order][:-1])
    for one, other in zip(
        side.entity[order[again]].tolist(), side.entity[order[again + 1]].tolist(), strict=True
    ):
        low, high = sorted((root(one), root(other)))
        parent[high] = low
    roots = np.array([root(entity) for entity in range(len(parent))], dtype=np.int64)
    joined = replace(side, entity=roots[side.entity])
    return _keep_one(joined, joined.entity)


_POLICIES: dict[str, Callable[[Side, Sequence[Document]], Side]] = {
    "first": _keep_first,
    "last": _keep_last,
    "merge": _merge,
}


def _without_repeated_twins(key: Side, response: Side) -> Side:
    """Of a response mention that the key has, the occurrence in the first entity stays."""
    order = np.lexsort((response.entity, response.mention))
    mention = response.mention[order]
    again = order[1:][mention[1:] == mention[:-1]]
    keep = np.ones(len(order), dtype=np.bool_)
    keep[again[np.isin(response.mention[again], key.mention)]] = False
    return response.keep(keep)


def repeated_mentions(
    documents: Sequence[Document], side: Side, severity: str = "error", role: str = ""
) -> list[Problem]:
    """Each mention that comes again on one side as read, its place, and the entities.

    `role` names the side where no file does.
    """
    order = np.lexsort((side.entity, side.mention))
    again = np.flatnonzero(side.mention[order][1:] == side.mention[order][:-1])
    problems = []
    tokens: dict[int, Sequence[str]] = {}
    for before, position in zip(order[again].tolist(), order[again + 1].tolist(), strict=True):
        number = int(side.read.document[side.place[position]])
        document = documents[number]
        start = int(side.read.starts[number])
        here, there = int(side.place[position]) - start, int(side.place[before]) - start
        if number not in tokens:
            tokens[number] = document.tokens
        written = _written(document, here, tokens[number])
        ids = [document.entity_ids[int(document.entity[place])] for place in (there, here)]
        where = (
            f"twice in entity {ids[0]}"
            if ids[0] == ids[1]
            else f"in entity {ids[0]} and in entity {ids[1]}"
        )
        problems.append(
            Problem(
                f"document {document.name}: mention {written} is {where}",
                document.origin.path or role,
                *document.place(here),
                "--duplicates first, last or merge scores it all the same",
                severity,
            )
        )
    return sorted(problems, key=lambda problem: (problem.line, problem.column))


def _written(document: Document, mention: int, tokens: Sequence[str]) -> str:
    if document.first is None or document.last is None:
        return repr(document.mentions[mention])[:60]
    first, last = int(document.first[mention]), int(document.last[mention])
    words = tokens[first : last + 1]
    return f"{first}–{last}" + (f" “{' '.join(words)[:60]}”" if words else "")
