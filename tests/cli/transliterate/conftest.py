"""Small models and files of names."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.transliterate.names import CANDIDATES, MODELS, PAIRS, RUSSIAN, TEST
from command_line import write
from sameas.names import network
from sameas.names.transliterator import Transliterator


@pytest.fixture(scope="module", autouse=True)
def quick() -> Iterator[None]:
    """Make the training of networks short."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(network, "SEEN", 1000)
        patch.setattr(network, "EPOCHS", (1, 2))
        patch.setattr(network, "HIDDEN", (30, 20))
        yield


@pytest.fixture(scope="module")
def models(quick: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model of each kind, and one for the reverse direction."""
    folder = tmp_path_factory.mktemp("models")
    for model in MODELS:
        Transliterator.fit(RUSSIAN, model).save(folder / f"{model}.model")
    Transliterator.fit(RUSSIAN, "bigram", reverse=True).save(folder / "back.model")
    return folder


@pytest.fixture(autouse=True)
def here(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write("pairs.tsv", PAIRS)
    write("test.tsv", TEST)
    write("candidates.tsv", CANDIDATES)
    write("names.txt", "Anna\nivan\n")
    Path("folder").mkdir()
    for path in models.iterdir():
        shutil.copy(path, path.name)
    return tmp_path
