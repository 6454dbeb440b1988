"""Files of names in a temporary folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.align.aligning import GOLD, MORE, MORE_GOLD, PAIRS
from command_line import write


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run commands in a folder that has pairs, some of them aligned by hand, and a subfolder."""
    monkeypatch.chdir(tmp_path)
    write("pairs.tsv", PAIRS)
    write("gold.tsv", GOLD)
    write("more.tsv", MORE)
    write("more-gold.tsv", MORE_GOLD)
    Path("folder").mkdir()
    return tmp_path
