"""Corpora for the tests of the report, each made once, with their analyses by sameas."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import sameas
from sameas.analysis.analysis import analyse_results
from sameas.documents.document import Document, Entity, WrittenText
from sameas.examples import example_path

KEY = example_path("key.conll")


SYSTEMS = {name: example_path(f"{name}.conll") for name in ("careful", "eager")}


@cache
def example() -> sameas.Report:
    return sameas.report(KEY, SYSTEMS)


@cache
def example_analyses() -> dict[str, sameas.Analysis]:
    key = sameas.read(KEY)
    results = [sameas.score(key, path) for path in SYSTEMS.values()]
    return dict(zip(SYSTEMS, analyse_results(results), strict=True))


def document(
    name: str,
    sentences: Sequence[Sequence[str]],
    entities: Sequence[Sequence[Any]],
    *,
    ids: Sequence[str] | None = None,
    types: Sequence[str | None] | None = None,
) -> Document:
    """Return a document of words; a mention is a pair of numbers, or several pieces."""
    return Document(
        name,
        [
            Entity(
                ids[number] if ids else str(number),
                tuple(mentions),
                types[number] if types else None,
            )
            for number, mentions in enumerate(entities)
        ],
        text=WrittenText(tuple(tuple(sentence) for sentence in sentences)),
    )


WORDS = [
    "the", "of", "it", "she", "Ann", "Bob", "ship", "harbour", "old", "said", "was", "Norwell", "their",
    ",", "them", "Quill",
]  # fmt: skip


Clusters = list[list[tuple[int, int]]]


def made(
    names: Sequence[str], *, systems: int = 1, words: int = 80, seed: int = 1
) -> tuple[list[Document], dict[str, list[Document]]]:
    """Return a key and responses of nonsense, with all kinds of errors and overlapping mentions."""
    key: list[Document] = []
    responses: dict[str, list[Document]] = {f"system {n}": [] for n in range(systems)}
    for name in names:
        generator = random.Random(f"{seed} {name}")
        sentences: list[list[str]] = []
        while sum(map(len, sentences)) < words:
            sentences.append(generator.choices(WORDS, k=generator.randint(4, 14)))
        count = sum(map(len, sentences))
        entities = made_entities(generator, sentences, mentions=words // 5)
        types = [generator.choice(["person", "place", None]) for _ in entities]
        key.append(document(name, sentences, entities, types=types))
        for response in responses.values():
            found = made_response(generator, entities, words=count)
            response.append(document(name, sentences, found))
    return key, responses


def made_entities(
    generator: random.Random, sentences: Sequence[Sequence[str]], *, mentions: int
) -> Clusters:
    """Return seven entities of short mentions, none of them across a sentence boundary."""
    starts = [0, *itertools.accumulate(map(len, sentences))]
    spans: set[tuple[int, int]] = set()
    while len(spans) < mentions:
        at = generator.randrange(len(sentences))
        first = generator.randrange(starts[at], starts[at + 1])
        spans.add((first, min(first + generator.choice([0, 0, 1, 2]), starts[at + 1] - 1)))
    shuffled = sorted(spans)
    generator.shuffle(shuffled)
    return [shuffled[n::7] for n in range(7)]


def made_response(generator: random.Random, entities: Clusters, *, words: int) -> Clusters:
    """Return the entities with mentions dropped, widened and added, some divided or conflated."""
    taken = {span for entity in entities for span in entity}
    found: Clusters = []
    for entity in entities:
        kept = made_mentions(generator, entity, taken, words)
        if generator.random() < 0.3:
            found += [kept[: len(kept) // 2], kept[len(kept) // 2 :]]
        elif found and generator.random() < 0.3:
            found[-1] += kept
        else:
            found.append(kept)
    for number in range(4):
        at = generator.randrange(words)
        if (at, at) not in taken:
            taken.add((at, at))
            if number % 2:
                found.append([(at, at)])
            else:
                found[0].append((at, at))
    return [entity for entity in found if entity]


def made_mentions(
    generator: random.Random,
    entity: Sequence[tuple[int, int]],
    taken: set[tuple[int, int]],
    words: int,
) -> list[tuple[int, int]]:
    """Return the mentions of an entity, some of them dropped, some one word longer."""
    kept = []
    for first, last in entity:
        wider = (first, last + 1)
        chance = generator.random()
        if chance < 0.15:
            continue
        if chance < 0.3 and wider not in taken and last + 1 < words:
            taken.add(wider)
            kept.append(wider)
        else:
            kept.append((first, last))
    return kept


@dataclass(frozen=True)
class Corpus:
    """A corpus, its report, and its analyses by sameas."""

    key: list[Document]
    responses: Mapping[str, list[Document]]
    report: sameas.Report
    analyses: dict[str, sameas.Analysis]


def corpus_of(
    key: list[Document], responses: Mapping[str, list[Document]], title: str = ""
) -> Corpus:
    results = {name: sameas.score(key, response) for name, response in responses.items()}
    report = sameas.show.report_results(results, title=title)
    found = dict(zip(results, analyse_results(list(results.values())), strict=True))
    return Corpus(key, responses, report, found)


@cache
def synthetic() -> Corpus:
    """Return twelve documents, one of them empty, with two responses."""
    key, responses = made([f"made {n:02d}" for n in range(11)], systems=2)
    nothing = document("nothing at all", [["Silence", "."]], [])
    return corpus_of(
        [*key, nothing], {name: [*found, nothing] for name, found in responses.items()}
    )


@cache
def small() -> Corpus:
    """Return three short documents with two responses, for slow tests."""
    key, responses = made([f"made {n:02d}" for n in range(3)], systems=2, words=40)
    return corpus_of(key, responses)


@cache
def long() -> Corpus:
    """Return two documents that do not fit a window, with more errors than a list shows at once."""
    key, responses = made(["long one", "long two"], words=3500)
    return corpus_of(key, responses)


def made_order() -> list[str]:
    """Return the documents of the synthetic corpus, worst first."""
    result = synthetic().analyses["system 0"].result
    scores = [found["conll"] for found in result.by_document()]
    places = sorted(range(len(scores)), key=lambda n: (2 if scores[n] is None else scores[n], n))
    return [synthetic().key[place].name for place in places]
