"""Files for CONE."""

from __future__ import annotations

from pathlib import Path

import pytest

from unit.cone.texts import Write

#       0   1   2   3   4     5  6     7   8   9       10  11  12  13


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file and return its path."""

    def to(name: str, text: str) -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return to
