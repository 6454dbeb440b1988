"""Pairs of documents to matched mentions: which mention is which.

Everything that can drop or join something is a policy with a name, and what it did is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from sameas.coref.document import Bools, Document, Ints
from sameas.coref.pairing import Pairing
from sameas.errors import InputError, Problem

__all__ = ["Matching", "Side", "match", "raw_sides", "repeated_mentions"]


@dataclass(frozen=True)
class Side:
    """The mentions of one side over the whole corpus, as columns.

    `entity` numbers entities through all documents, in order; `mention` is the same number on both
    sides for mentions that match.
    """

    document: Ints
    entity: Ints
    mention: Ints

    def keep(self, mask: Bools) -> Side:
        """The mentions for which `mask` is true; entities left without any vanish."""
        entity = np.unique(self.entity[mask], return_inverse=True)[1]
        return Side(self.document[mask], entity, self.mention[mask])


@dataclass(frozen=True)
class Matching:
    """Key and response with their mentions matched one to one."""

    names: Sequence[str]
    key: Side
    response: Side
    mention_count: int  # how many different mentions both sides have together
    notes: Sequence[str] = ()
    repeated: tuple[Side, Side] | None = None  # with the repeated mentions that conll-8.01 keeps


def match(pairing: Pairing, *, duplicates: str = "first", singletons: str = "keep") -> Matching:
    """Match mentions of the same place, then apply the policies for duplicates and singletons.

    `duplicates`: of a mention that comes several times on one side, the `first` stays (in the
    entity that comes first in the text), or the `last`; `merge` joins the entities that share
    it; `error` refuses; `conll-8.01` keeps what the reference scorer keeps, to be counted as
    it counts.
    `singletons`: `keep` them, or `drop` entities of one mention on both sides.
    """
    key, response = raw_sides(pairing)
    count = int(max(key.mention.max(initial=-1), response.mention.max(initial=-1))) + 1
    reference = duplicates == "conll-8.01"
    notes = []
    sides = []
    for side, which, documents in (
        (key, "key", pairing.key),
        (response, "response", pairing.response),
    ):
        repeated = len(side.mention) - np.count_nonzero(np.bincount(side.mention))
        if repeated:
            if duplicates == "error":
                raise InputError(repeated_mentions(documents, side))
            if not reference:
                side = _POLICIES[duplicates](side, documents)
            elif which == "response":
                side = _without_repeated_twins(key, side)
            mentions = f"{repeated} repeated mention{'s' if repeated > 1 else ''}"
            notes.append(f"{mentions} in the {which}: {_DONE[duplicates]}")
        if singletons == "drop":
            alone = np.bincount(side.entity)[side.entity] == 1
            if alone.any():
                dropped = int(alone.sum())
                mentions = f"{dropped} singleton{'s' if dropped > 1 else ''}"
                notes.append(f"{mentions} dropped from the {which}")
                side = side.keep(~alone)
        sides.append(side)
    if not reference:
        return Matching(pairing.names, sides[0], sides[1], count, notes)
    once = [_keep_one(side, np.arange(len(side.entity))) for side in sides]
    return Matching(pairing.names, once[0], once[1], count, notes, (sides[0], sides[1]))


_DONE = {
    "first": "the first of each stays",
    "last": "the last of each stays",
    "merge": "entities that share one are joined",
    "conll-8.01": "counted as the reference scorer does",
}


def raw_sides(pairing: Pairing) -> list[Side]:
    """One number for every mention, the same on both sides for the same place."""
    firsts: list[list[Ints]] = [[], []]
    lasts: list[list[Ints]] = [[], []]
    for pair in zip(pairing.key, pairing.response, strict=True):
        if all(document.first is not None for document in pair):
            spans = [(document.first, document.last) for document in pair]
        else:  # other hashables get numbers of their own and stand for spans of one token
            numbers: dict[object, int] = {}
            codes = [
                np.array(
                    [numbers.setdefault(mention, len(numbers)) for mention in document.mentions],
                    dtype=np.int64,
                )
                for document in pair
            ]
            spans = [(code, code) for code in codes]
        for side, (first, last) in enumerate(spans):
            assert first is not None and last is not None
            firsts[side].append(first)
            lasts[side].append(last)
    sides = []
    for side, documents in enumerate((pairing.key, pairing.response)):
        entities = np.array([len(document.entity_ids) for document in documents], dtype=np.int64)
        sizes = np.array([document.mention_count for document in documents], dtype=np.int64)
        before = np.cumsum(entities) - entities
        sides.append(
            (
                np.repeat(np.arange(len(sizes)), sizes),
                _concatenate([document.entity for document in documents])
                + np.repeat(before, sizes),
                _concatenate(firsts[side]),
                _concatenate(lasts[side]),
            )
        )
    (k_document, k_entity, k_first, k_last), (r_document, r_entity, r_first, r_last) = sides
    document = np.concatenate([k_document, r_document])
    first, last = np.concatenate([k_first, r_first]), np.concatenate([k_last, r_last])
    # Number the tokens through the corpus, then pack first token and length into one integer.
    extent = np.zeros(len(pairing.key), dtype=np.int64)
    np.maximum.at(extent, document, last + 1)
    start = first + (np.cumsum(extent) - extent)[document]
    length = last - first
    width = int(length.max(initial=0)) + 1
    if int(start.max(initial=0)) < (1 << 62) // width:
        mention = np.unique(start * width + length, return_inverse=True)[1]
    else:
        mention = np.unique(np.stack([start, length], 1), axis=0, return_inverse=True)[1].ravel()
    split = len(k_entity)
    return [
        Side(k_document, k_entity, mention[:split]),
        Side(r_document, r_entity, mention[split:]),
    ]


def _concatenate(parts: Sequence[Ints]) -> Ints:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _keep_first(side: Side, documents: Sequence[Document]) -> Side:
    return _keep_one(side, _ranks(side, documents))


def _keep_last(side: Side, documents: Sequence[Document]) -> Side:
    return _keep_one(side, -_ranks(side, documents))


def _keep_one(side: Side, rank: Ints) -> Side:
    """Of each mention, the occurrence in the entity of the lowest rank."""
    order = np.lexsort((rank[side.entity], side.mention))
    again = side.mention[order][1:] == side.mention[order][:-1]
    keep = np.ones(len(order), dtype=np.bool_)
    keep[order[1:][again]] = False
    return side.keep(keep)


def _ranks(side: Side, documents: Sequence[Document]) -> Ints:
    """A number for each entity as read: which comes first, so that all formats agree.

    In a text an entity comes where its first mention does; of those that begin at one token, a
    one-token mention comes first, then the longest. What is left, and mentions without a place in a
    text, come in the order of the file.
    """
    sizes = [len(document.entity_ids) for document in documents]
    starts = np.cumsum([0, *sizes])
    rank = np.arange(starts[-1])
    order = np.argsort(side.mention, kind="stable")
    again = side.mention[order][1:] == side.mention[order][:-1]
    for number in set(side.document[order[1:][again]].tolist()):
        document = documents[number]
        if document.first is not None and document.last is not None:
            longer = document.last > document.first
            order = np.lexsort((document.entity, -document.last, longer, document.first))
            by_place = list(dict.fromkeys(document.entity[order].tolist()))
            rank[starts[number] + np.array(by_place)] = starts[number] + np.arange(sizes[number])
    return rank


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
    return _keep_one(Side(side.document, roots[side.entity], side.mention), np.arange(len(roots)))


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
    documents: Sequence[Document], side: Side, severity: str = "error"
) -> list[Problem]:
    """Each mention that comes again on one side as read, its place, and the entities."""
    order = np.lexsort((side.entity, side.mention))
    again = np.flatnonzero(side.mention[order][1:] == side.mention[order][:-1])
    starts = np.searchsorted(side.document, np.arange(len(documents) + 1))
    problems = []
    tokens: dict[int, Sequence[str]] = {}
    for before, position in zip(order[again].tolist(), order[again + 1].tolist(), strict=True):
        number = int(side.document[position])
        document = documents[number]
        here, there = position - int(starts[number]), before - int(starts[number])
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
                document.origin.path,
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
