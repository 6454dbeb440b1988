"""Pairs of documents to matched mentions: which mention is which.

Everything that can drop or join something is a policy with a name, and what it did is counted. An
authority decides about mentions that come several times, and about those without an exact twin.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from sameas.arithmetic.arrays import Ints
from sameas.arithmetic.forest import connected
from sameas.documents.document import Document
from sameas.errors import InputError, Problem, Severity, UsageError
from sameas.matching.approximate import align
from sameas.matching.pairing import Pairing
from sameas.matching.sides import Side, rank_shapes, raw_sides
from sameas.notes import SIDES, Note, note_sample
from sameas.notes import Side as Role
from sameas.settings import Settings

__all__ = ["Kept", "Matching", "count_repeated", "keep_one", "match", "repeated_mentions"]


@dataclass(frozen=True, eq=False, repr=False)
class Kept:
    """Key and response with mentions that come several times, as an authority keeps them."""

    key: Side
    response: Side

    @property
    def sides(self) -> tuple[Side, Side]:
        """Both."""
        return self.key, self.response


@dataclass(frozen=True, eq=False, repr=False)
class Matching:
    """Key and response with their mentions matched one to one."""

    names: Sequence[str]
    key: Side
    response: Side
    mention_count: int  # how many different mentions both sides have together
    notes: Sequence[Note] = ()
    kept: Kept | None = None  # what an authority counts instead


class Rules(Protocol):
    """What an authority decides about mentions."""

    def unrepeated(self, side: Side, raw: Sequence[Side], role: Role, settings: Settings) -> Side:
        """Apply the policy for mentions that come several times; `raw` are both sides as read."""

    def matched(self, exact: Matching, settings: Settings) -> Matching:
        """Match mentions that have no exact twin."""


def match(pairing: Pairing, settings: Settings, rules: Rules) -> Matching:
    """Apply the policies to each side, then match the mentions.

    Mentions of the same words match; the rules match others, and decide about mentions that come
    several times on one side. Entities of one id are one in each document, topic or the whole
    corpus, by the scope.
    """
    names, scored = _scored_in(pairing, settings.scope)
    raw = raw_sides(pairing, scored)
    notes = _note_records(pairing, raw)
    if settings.match == "head":
        raw = _numbered_by_heads(raw)
    key, response = (_prepared(raw, role, settings, rules, notes) for role in SIDES)
    count = int(max(side.mention.max(initial=-1) for side in raw)) + 1
    found = rules.matched(Matching(names, key, response, count, notes), settings)
    if settings.scope == "document":
        return found
    key, response = (
        replace(side, document=scored[side.document]) for side in (found.key, found.response)
    )
    return replace(found, key=key, response=response)


def _prepared(
    raw: Sequence[Side], role: Role, settings: Settings, rules: Rules, notes: list[Note]
) -> Side:
    """Apply the policies for zeros, repeated mentions, scope and singletons to one side."""
    side = raw[role == "response"]
    if settings.zeros == "drop" and _has_zeros(side):
        words = side.keep(~side.read.is_zero[side.place])
        side = _noted("zeros", role, side, words, notes)
    merge, wide = settings.duplicates == "merge", settings.scope != "document"
    if wide and merge:
        side = _widened(side)
    if repeated := count_repeated(side):
        side = rules.unrepeated(side, raw, role, settings)
        notes.append(Note("repeated", role, repeated, how=settings.duplicates))
    if wide and not merge:
        side = _widened(side)
    if settings.singletons == "drop":
        side = _noted("singletons", role, side, side.without_singletons(), notes)
    return side


def _noted(code: str, role: Role, before: Side, after: Side, notes: list[Note]) -> Side:
    """Note how many mentions a policy has dropped, if any."""
    dropped = len(before.mention) - len(after.mention)
    notes += [Note(code, role, dropped)] * bool(dropped)
    return after


def count_once(side: Side, role: Role, duplicates: str) -> Side:
    """Apply the policy for mentions that come several times."""
    if duplicates == "error":
        raise InputError(repeated_mentions(side, role=f"the {role}"))
    return _POLICIES[duplicates](side)


def match_others(exact: Matching, method: str, zeros: str) -> Matching:
    """Match one to one what has no exact twin.

    `method`: `head`, mentions of the same head; `partial`, a response mention inside the key
    mention that has its head; `min`, one that has its minimum; `exact`, none. `zeros` that are
    `dependent` are matched by parents and relations in the sentence, not like other mentions.
    """
    sides = (exact.key, exact.response)
    by_dependencies = zeros == "dependent" and all(map(_has_zeros, sides))
    if method == "exact" and not by_dependencies:
        return exact
    notes = [*exact.notes, *(_without_dependencies(sides) if by_dependencies else ())]
    notes += check_annotation(method, sides)
    zeros = "dependent" if by_dependencies else "linear"
    response = align(*sides, method, zeros, exact.mention_count)
    count = exact.mention_count + len(response.mention)
    return replace(exact, response=response, mention_count=count, notes=notes)


def _has_zeros(side: Side) -> bool:
    return bool(side.read.special) and bool(side.read.is_zero.any())


def _note_records(pairing: Pairing, sides: Sequence[Side]) -> list[Note]:
    """Return a note if one table of records is scored against the truth of some of them."""
    if not pairing.of_records:
        return []
    ours, theirs = (np.unique(side.mention) for side in sides)
    return note_sample(len(np.setdiff1d(theirs, ours, assume_unique=True)), len(theirs))


def count_repeated(side: Side) -> int:
    """Count the mentions that have come before on their side."""
    return len(side.mention) - int(np.count_nonzero(np.bincount(side.mention)))


def _without_dependencies(sides: Sequence[Side]) -> list[Note]:
    """Return notes on zeros that cannot be matched by dependencies, because their files have none.

    Only documents count that have zeros on both sides, so that pieces of a corpus add up to it.
    """
    zero = [side.read.is_zero[side.place] for side in sides]
    ours, theirs = (side.document[is_zero] for side, is_zero in zip(sides, zero, strict=True))
    both = np.intersect1d(ours, theirs)
    notes: list[Note] = []
    for side, is_zero, name in zip(sides, zero, SIDES, strict=True):
        places = side.place[is_zero & np.isin(side.document, both)].tolist()
        bare = sum(not side.read.dependencies(place)[1] for place in places)
        if bare:
            notes.append(Note("bare-zeros", name, bare))
    return notes


def _numbered_by_heads(sides: Sequence[Side]) -> list[Side]:
    """Where heads are compared, mentions of the same words and another head are different."""
    heads = np.concatenate([side.read.heads - (side.read.first << 16) for side in sides])
    kinds, kind = np.unique(heads, return_inverse=True)
    mention = np.concatenate([side.mention for side in sides])
    mention = np.unique(mention * max(len(kinds), 1) + kind, return_inverse=True)[1]
    parts = np.split(mention, [len(sides[0].mention)])
    return [replace(side, mention=part) for side, part in zip(sides, parts, strict=True)]


def check_annotation(method: str, sides: Sequence[Side]) -> list[Note]:
    """Refuse a matching for which a file lacks the annotation; note what was assumed."""
    needs = {"head": sides, "partial": sides[:1], "min": sides[:1]}.get(method, [])
    column, code = ("minima", "no-minimum") if method == "min" else ("heads", "headless")
    notes: list[Note] = []
    for side, name in zip(needs, SIDES, strict=False):
        missing = [
            document
            for document in side.read.documents
            if document.mention_count and getattr(document.details, column)() is None
        ]
        if missing:
            path = missing[0].origin.path or f"the {name}"
            raise UsageError("match-needs", how=method, path=path)
        assumed = (getattr(one.annotation, "assumed", False) for one in side.read.documents)
        if column == "heads" and any(assumed):
            notes.append(Note("no-heads", name))
        lacking = side.read.headless if column == "heads" else side.read.without_minimum
        notes += [Note(code, name, lacking)] * bool(lacking)
    return notes


def _scored_in(pairing: Pairing, scope: str) -> tuple[Sequence[str], Ints]:
    """The names of what is scored, and the number of that which each document is part of.

    That is the document itself, its topic, or the one corpus.
    """
    if scope == "document":
        return pairing.names, np.arange(len(pairing.names))
    found = [
        "corpus" if scope == "corpus" else topic_of(name, document)
        for name, document in zip(pairing.names, pairing.key, strict=True)
    ]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(found))}
    return list(numbers), np.array([numbers[name] for name in found], dtype=np.int64)


def _widened(side: Side) -> Side:
    """Take entities of one id for one entity in all that is scored together."""
    numbers: dict[tuple[int, str], int] = {}
    entity = [
        numbers.setdefault((number, id), len(numbers))
        for number, document in zip(side.read.scored.tolist(), side.read.documents, strict=True)
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


def keep_one(side: Side, rank: Ints) -> Side:
    """Of each mention, the occurrence of the lowest rank."""
    return side.drop(side.repeats(rank)[1])


def _ranks(side: Side) -> Ints:
    """Rank the entity of each mention, so that all formats agree on which comes first.

    In a text the order depends on places alone: see `_order_in_text`. Mentions without a place in
    a text come in the order of the file.
    """
    documents = side.read.documents
    sizes = [len(document.entity_ids) for document in documents]
    starts = np.cumsum([0, *sizes])
    rank = np.arange(starts[-1])
    for number in set(side.document[side.repeats(side.place)[1]].tolist()):
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
    shape = rank_shapes(document.special, document.mention_count)
    columns = np.stack([document.first, -document.last, shape], 1)
    place = np.unique(columns, axis=0, return_inverse=True)[1].ravel()
    members: list[set[int]] = [set() for _ in document.entity_ids]
    for entity, where in zip(document.entity.tolist(), place.tolist(), strict=True):
        members[entity].add(where)
    return sorted(range(len(members)), key=lambda one: (*sorted(members[one]), len(place)))


def _merge(side: Side) -> Side:
    pairs = (side.entity[places].tolist() for places in side.repeats(side.entity))
    count = int(side.entity.max(initial=-1)) + 1
    groups = np.array(connected(count, zip(*pairs, strict=True)), dtype=np.int64)
    joined = replace(side, entity=groups[side.entity])
    return keep_one(joined, joined.entity)


#: Of a mention that comes several times on one side, the one in the entity that comes first in the
#: text stays, or the last; or the entities that share it are joined.
_POLICIES: dict[str, Callable[[Side], Side]] = {
    "first": lambda side: keep_one(side, _ranks(side)),
    "last": lambda side: keep_one(side, -_ranks(side)),
    "merge": _merge,
}


def repeated_mentions(side: Side, severity: Severity = "error", role: str = "") -> list[Problem]:
    """Return each mention that comes again on one side as read, its place, and the entities.

    `role` names the side where no file does.
    """
    problems = []
    tokens: dict[int, Sequence[str]] = {}
    places = (found.tolist() for found in side.repeats(side.entity))
    for before, position in zip(*places, strict=True):
        number = int(side.read.document[side.place[position]])
        document = side.read.documents[number]
        start = int(side.read.starts[number])
        here, there = int(side.place[position]) - start, int(side.place[before]) - start
        if number not in tokens:
            tokens[number] = document.tokens
        written = _written(document, here, tokens[number])
        ids = [document.entity_ids[int(document.entity[number])] for number in (there, here)]
        how = "in-one" if ids[0] == ids[1] else "in-two"
        values = {"document": document.name, "mention": written, "first": ids[0], "second": ids[1]}
        place = (document.origin.path or role, *document.place(here))
        problems.append(
            Problem("repeated-mention", *place, severity=severity, values=values, how=how)
        )
    return sorted(problems, key=lambda problem: (problem.line, problem.column))


def _written(document: Document, mention: int, tokens: Sequence[str]) -> str:
    if document.first is None or document.last is None:
        return repr(document.mentions[mention])[:60]
    first, last = int(document.first[mention]), int(document.last[mention])
    words = tokens[first : last + 1]
    return f"{first}–{last}" + (f" “{' '.join(words)[:60]}”" if words else "")
