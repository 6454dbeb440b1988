"""A connection with tables, and a look at what is left behind."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def no_leftovers(tmp_path_factory: pytest.TempPathFactory, monkeypatch: Any) -> Iterator[None]:
    """Whatever happens, no folder of ours stays in the temporary directory."""
    folder = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield
    assert list(folder.iterdir()) == []
