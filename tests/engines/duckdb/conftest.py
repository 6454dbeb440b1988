"""Fixtures of the DuckDB tests."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def no_leftovers(tmp_path_factory: pytest.TempPathFactory, monkeypatch: Any) -> Iterator[None]:
    """Check that no folder of ours stays in the temporary directory, whatever happens."""
    folder = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield
    assert list(folder.iterdir()) == []
