"""A small key and a response, as files."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.commands.examples import KEY, RESPONSE


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with a key and a response, in which the commands run."""
    monkeypatch.chdir(tmp_path)
    Path("key.conll").write_text(KEY)
    Path("response.conll").write_text(RESPONSE)
    return tmp_path
