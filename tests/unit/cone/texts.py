"""Texts with names, hand-written and generated, for CONE."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from typing import Any

import sameas
from sameas import Document, Entity, Mention
from sameas.documents.document import WrittenText
from sameas.settings import Resampling
from saying import codes

Write = Callable[..., str]
QUICK = Resampling(samples=100)
TEXT = "Ann Lee met the Queen of Sheba . / She greeted Bob and Ann ."


def words(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(sentence.split()) for sentence in text.split("/"))


def line(text: str, clusters: Any, name: str = "a", **more: Any) -> str:
    record = {"doc_key": name, "sentences": words(text), "clusters": clusters, **more}
    return json.dumps({key: value for key, value in record.items() if value is not None}) + "\n"


def spans(document: Document) -> list[list[Any]]:
    """Return the mentions of each entity, in order."""
    found: list[list[Any]] = [[] for _ in document.entity_ids]
    for mention, entity in zip(document.mentions, document.entity.tolist(), strict=True):
        found[entity].append(mention)
    return found


def scored(result: sameas.Result) -> tuple[list[Any], list[Any]]:
    """Return the scored mentions of key and response."""
    (matching,) = result.matchings
    return tuple(
        sorted(m for document in side.read.documents for m in document.mentions)
        for side in (matching.key, matching.response)
    )  # type: ignore[return-value]


def text_document(text: str, clusters: Sequence[Sequence[Any]] = (), name: str = "a") -> Document:
    made = [
        Entity(str(n), tuple(m if isinstance(m, Mention) else Mention.at(*m) for m in cluster))
        for n, cluster in enumerate(clusters)
    ]
    return Document(name, made, text=WrittenText(words(text)))


NAME_WORDS = ("Ann", "Bob", "Eve", "Max")


def names_of(sentences: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    every = [word for sentence in sentences for word in sentence]
    return [(place, place) for place, word in enumerate(every) if word in NAME_WORDS]


def made_corpus(seed: int, documents: int = 14) -> tuple[list[Document], dict[str, list[Document]]]:
    """Return texts of names and pronouns, each word a mention, and two systems with some errors."""
    generator = random.Random(seed)
    key: list[Document] = []
    systems: dict[str, list[Document]] = {"one": [], "two": []}
    for number in range(documents):
        every = [generator.choice([*NAME_WORDS, "she", "he"]) for _ in range(12)]
        labels = [
            NAME_WORDS.index(word) if word in NAME_WORDS else generator.randrange(4)
            for word in every
        ]
        text = " ".join(every)
        key.append(text_document(text, grouped(labels), f"d{number:02}"))
        for rate, side in zip((0.2, 0.5), systems.values(), strict=True):
            theirs = [
                generator.randrange(-1, 5) if generator.random() < rate else x for x in labels
            ]
            side.append(text_document(text, grouped(theirs), f"d{number:02}"))
    return key, systems


def grouped(labels: Sequence[int]) -> list[list[tuple[int, int]]]:
    found: dict[int, list[tuple[int, int]]] = {}
    for place, label in enumerate(labels):
        if label >= 0:
            found.setdefault(label, []).append((place, place))
    return list(found.values())


def is_name(document: Document) -> Callable[[Any], bool]:
    every = document.tokens
    return lambda span: every[span[0]] in NAME_WORDS


def codes_of(*files: Any, **options: Any) -> list[str]:
    """Return the codes of the notes of CONE."""
    return codes(sameas.cone(*files, **options).notes)
