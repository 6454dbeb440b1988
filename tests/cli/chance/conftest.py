"""Generated systems, as files."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.chance.corpus import OWN, SYSTEMS, lines_of, write
from command_line import good


def documents(noise: int, system: int, count: int = 24) -> Iterator[dict[str, Any]]:
    """Return documents with twelve mentions in three entities, some moved to another entity."""
    for number in range(count):
        entities: list[list[list[int]]] = [[] for _ in range(3)]
        key = random.Random(number)
        for token in range(12):
            entities[key.randrange(3)].append([token, token])
        moves = random.Random(f"{system}/{number}")
        for _ in range(noise):
            source, target = moves.sample(range(3), 2)
            if entities[source]:
                mention = entities[source].pop(moves.randrange(len(entities[source])))
                entities[target].append(mention)
        yield {
            "doc_key": f"{'nw' if number % 2 else 'bc'}/d_{number}",
            "sentences": [["w"] * 12],
            "clusters": [entity for entity in entities if entity],
        }


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a key, five systems (the fourth is best) and the output of `sameas score`."""
    folder = tmp_path_factory.mktemp("chance")
    write(folder / "key.jsonl", documents(0, 0))
    for number, noise in enumerate((4, 3, 2, 1, 3)):
        write(folder / f"s{number}.jsonl", documents(noise, number + 1))
    (folder / "own.csv").write_text(OWN)
    write(folder / "few.jsonl", list(documents(4, 1))[:5])
    write(folder / "rest.jsonl", list(documents(4, 1))[5:])
    for name in ("key", "s0", "s1"):
        write(folder / f"{name}_one.jsonl", list(lines_of(folder / f"{name}.jsonl"))[:1])
        write(folder / f"{name}_six.jsonl", list(lines_of(folder / f"{name}.jsonl"))[:6])
        good("convert", folder / f"{name}.jsonl", folder / f"{name}.conll")
    here = os.getcwd()
    os.chdir(folder)
    try:
        for style in ("csv", "json"):
            for name, responses, options in (
                ("systems", SYSTEMS, []),
                ("documents", SYSTEMS[:2], ["--by-document"]),
                ("one", SYSTEMS[:1], []),
            ):
                text = good("score", "key.jsonl", *responses, *options, f"--{style}")
                Path(f"{name}.{style}").write_text(text)
    finally:
        os.chdir(here)
    return folder


@pytest.fixture
def here(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run the commands in the folder of the corpus, which is read-only."""
    monkeypatch.chdir(corpus)
    return corpus


@pytest.fixture
def files(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run the commands in a writable folder that contains the corpus."""
    for path in corpus.iterdir():
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path
