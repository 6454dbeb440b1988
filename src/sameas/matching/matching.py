"""Match the mentions of paired documents.

Everything that can drop or join mentions is a named policy, and notes report its effects. An
authority decides what happens to repeated mentions, and to mentions without an exact match.
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
from sameas.notes import SIDES, Note
from sameas.notes import Side as Role
from sameas.sentences import of_records, wording
from sameas.settings import Settings

__all__ = ["Kept", "Matching", "count_repeated", "keep_one", "match", "repeated_mentions"]


@dataclass(frozen=True, eq=False, repr=False)
class Kept:
    """Key and response with their repeated mentions, as an authority counts them."""

    key: Side
    response: Side

    @property
    def sides(self) -> tuple[Side, Side]:
        """Key and response."""
        return self.key, self.response


@dataclass(frozen=True, eq=False, repr=False)
class Matching:
    """Key and response with their mentions matched one to one."""

    names: Sequence[str]
    key: Side
    response: Side
    mention_count: int  # number of distinct mentions of both sides together
    notes: Sequence[Note] = ()
    kept: Kept | None = None  # the sides that an authority counts instead
    #: For tables of records: the numbers of records in the key, in the response, and in both.
    records: tuple[int, int, int] | None = None


class Rules(Protocol):
    """The decisions of an authority about mentions."""

    def unrepeated(self, side: Side, raw: Sequence[Side], role: Role, settings: Settings) -> Side:
        """Apply the policy for repeated mentions; `raw` are both sides as read."""

    def matched(self, exact: Matching, settings: Settings) -> Matching:
        """Match mentions that have no exact match."""


def match(pairing: Pairing, settings: Settings, rules: Rules) -> Matching:
    """Apply the policies to each side, then match the mentions.

    Mentions with the same words match. The rules match the rest, and decide what happens to
    mentions repeated on one side. The scope (document, topic or corpus) determines where entities
    with the same id are the same entity.
    """
    names, scored = _scored_in(pairing, settings.scope)
    raw = raw_sides(pairing, scored)
    notes: list[Note] = []
    records = _count_records(raw) if pairing.of_records else None
    if settings.match == "head":
        raw = _numbered_by_heads(raw)
    key, response = (_prepared(raw, role, settings, rules, notes) for role in SIDES)
    count = int(max(side.mention.max(initial=-1) for side in raw)) + 1
    exact = Matching(names, key, response, count, notes, records=records)
    found = rules.matched(exact, settings)
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
        side = _replace_noted("zeros", role, side, words, notes)
    merge, wide = settings.duplicates == "merge", settings.scope != "document"
    if wide and merge:
        side = _widened(side)
    if repeated := count_repeated(side):
        side = rules.unrepeated(side, raw, role, settings)
        notes.append(Note("repeated", role, repeated, how=settings.duplicates))
    if wide and not merge:
        side = _widened(side)
    if settings.singletons == "drop":
        side = _replace_noted("singletons", role, side, side.without_singletons(), notes)
    return side


def _replace_noted(code: str, role: Role, before: Side, after: Side, notes: list[Note]) -> Side:
    """Return `after`, and add a note on the number of mentions a policy dropped, if any."""
    dropped = len(before.mention) - len(after.mention)
    notes += [Note(code, role, dropped)] * bool(dropped)
    return after


def count_once(side: Side, role: Role, duplicates: str) -> Side:
    """Apply the policy for repeated mentions; raise InputError if it is `error`."""
    if duplicates == "error":
        raise InputError(repeated_mentions(side, role=f"the {role}"))
    return _POLICIES[duplicates](side)


def match_others(exact: Matching, method: str, zeros: str) -> Matching:
    """Match mentions without an exact match, one to one.

    The method `head` matches mentions with the same head. `partial` matches a response mention
    inside the key mention if it contains the key's head, and `min` if it contains the key's minimum
    span; `exact` matches no further mentions. With `zeros="dependent"`, zeros are matched by their
    parents and relations in the sentence, not like other mentions.
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


def _count_records(sides: Sequence[Side]) -> tuple[int, int, int]:
    ours, theirs = (np.unique(side.mention) for side in sides)
    return len(ours), len(theirs), len(np.intersect1d(ours, theirs, assume_unique=True))


def count_repeated(side: Side) -> int:
    """Count the mentions that repeat an earlier one of their side."""
    return len(side.mention) - int(np.count_nonzero(np.bincount(side.mention)))


def _without_dependencies(sides: Sequence[Side]) -> list[Note]:
    """Return notes on zeros that cannot be matched by dependencies, because their files lack them.

    Only documents with zeros on both sides count, so that the notes for parts of a corpus add up
    to those for the whole.
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
    """Renumber mentions, so that the same words with different heads get different numbers."""
    heads = np.concatenate([side.read.heads - (side.read.first << 16) for side in sides])
    kinds, kind = np.unique(heads, return_inverse=True)
    mention = np.concatenate([side.mention for side in sides])
    mention = np.unique(mention * max(len(kinds), 1) + kind, return_inverse=True)[1]
    parts = np.split(mention, [len(sides[0].mention)])
    return [replace(side, mention=part) for side, part in zip(sides, parts, strict=True)]


def check_annotation(method: str, sides: Sequence[Side]) -> list[Note]:
    """Raise `UsageError` if a file lacks what a method needs; return notes on assumptions."""
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
            how = "records" if missing[0].holds_records else method
            raise UsageError("match-needs", how=how, match=method, path=path)
        assumed = (getattr(one.annotation, "assumed", False) for one in side.read.documents)
        if column == "heads" and any(assumed):
            notes.append(Note("no-heads", name))
        count = side.read.headless if column == "heads" else side.read.without_minimum
        notes += [Note(code, name, count)] * bool(count)
    return notes


def _scored_in(pairing: Pairing, scope: str) -> tuple[Sequence[str], Ints]:
    """Return the names of the units scored, and for each document the index of its unit.

    A unit is a document, a topic, or the whole corpus.
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
    """Merge entities with the same id within each unit scored: a topic or the corpus."""
    numbers: dict[tuple[int, str], int] = {}
    entity = [
        numbers.setdefault((number, id), len(numbers))
        for number, document in zip(side.read.scored.tolist(), side.read.documents, strict=True)
        for id in document.entity_ids
    ]
    wide = np.array(entity, dtype=np.int64)[side.read.entity[side.place]]
    return replace(side, entity=np.unique(wide, return_inverse=True)[1])


def topic_of(name: str, document: Document) -> str:
    """Return a document's topic: from its file, or else the beginning of its name.

    That is the part before the first /, or, in a name without /, the part before the first _.

    >>> topic_of("36_4ecb", Document("36_4ecb"))
    '36'
    """
    topic = document.meta.get("topic")
    if isinstance(topic, (str, int)):
        return str(topic)
    return name.split("/", 1)[0] if "/" in name else name.split("_", 1)[0]


def keep_one(side: Side, rank: Ints) -> Side:
    """Keep only the lowest-ranked occurrence of each mention."""
    return side.drop(side.repeats(rank)[1])


def _ranks(side: Side) -> Ints:
    """Return the rank of each mention's entity, so that all formats agree on which comes first.

    In a text the order depends only on positions: see `_order_in_text`. Entities of mentions
    without a position keep the order of the file.
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
    """Return the entities of a document in the order of their mentions in the text.

    Mentions are sorted by their start, and of two that start together the longer comes first,
    whether in tokens or characters. The first mention at which two entities differ decides; if all
    mentions of one entity are equal to the first ones of another, the longer entity comes first.
    Entities with the same mentions keep their order.
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


#: For a mention repeated on one side: keep it in the entity that comes first in the text, or in the
#: last one; or merge the entities that share it.
_POLICIES: dict[str, Callable[[Side], Side]] = {
    "first": lambda side: keep_one(side, _ranks(side)),
    "last": lambda side: keep_one(side, -_ranks(side)),
    "merge": _merge,
}


def repeated_mentions(side: Side, severity: Severity = "error", role: str = "") -> list[Problem]:
    """Return a problem for each repeated mention of a side, with its position and entities.

    `role` names the side if there is no file name.
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
        records = document.holds_records
        values |= wording(records)
        path = document.origin.path or (of_records(role) if records else role)
        place = path, *document.place(here)
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
