"""A corpus of forty small documents, as files."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.cone.stories import Written, write

FIRST = ["Mary", "Ruth", "Clara", "Helen", "Alice", "Emma", "Julia", "Laura", "Nancy", "Susan"]
LAST = ["Harlow", "Pemberton", "Whitcombe", "Aldous", "Brackley", "Thornbury", "Lindsey", "Marsden"]


def story(number: int, generator: random.Random) -> Written:
    """Return a document with nine mentions of two persons and a book; five are names."""
    (one, two), (lee, ray) = generator.sample(FIRST, 2), generator.sample(LAST, 2)
    sentences = [
        [one, lee, "met", two, ray, "in", "the", "garden", "."],
        ["She", "gave", "the", "book", "to", two, ray, "."],
        [lee, "thanked", "her", "and", "went", "to", "the", "house", "."],
        [two, ray, "read", "it", "."],
    ]
    clusters = [
        [[0, 1], [9, 9], [17, 17]],
        [[3, 4], [14, 15], [19, 19], [26, 27]],
        [[11, 12], [29, 29]],
    ]
    return {"doc_key": f"story{number}", "sentences": sentences, "clusters": clusters}


def resolved(document: Written, generator: random.Random) -> Written:
    """Return the document as resolved by a system: mentions missing, one in the wrong entity."""
    kept = [[span for span in one if generator.random() < 0.85] for one in document["clusters"]]
    if kept[0] and kept[1] and generator.random() < 0.4:
        kept[0].append(kept[1].pop())
    return {**document, "clusters": [cluster for cluster in kept if cluster]}


def words(document: Written) -> Written:
    return {name: value for name, value in document.items() if name != "clusters"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a key, its words alone, two responses, and the key of half of it."""
    found = tmp_path_factory.mktemp("cone")
    generator = random.Random(1)
    key = [story(number, generator) for number in range(40)]
    write(found / "key.jsonl", key)
    write(found / "text.jsonl", map(words, key))
    write(found / "a.jsonl", [resolved(one, generator) for one in key])
    write(found / "b.jsonl", [resolved(resolved(one, generator), generator) for one in key])
    write(found / "gold.jsonl", [key[number] for number in sorted(generator.sample(range(40), 20))])
    return found


@pytest.fixture
def here(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], list[Written]]:
    """Run commands in a folder with the corpus; return a function that reads documents of a file."""
    monkeypatch.chdir(tmp_path)
    for path in folder.iterdir():
        Path(path.name).symlink_to(path)

    def documents(name: str) -> list[Written]:
        return [json.loads(line) for line in Path(name).read_text().splitlines()]

    return documents
