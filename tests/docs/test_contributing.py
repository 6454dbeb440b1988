"""The map for contributors leads to places that exist."""

from __future__ import annotations

import re
from pathlib import Path

import sameas

ROOT = Path(__file__).parents[2]
HOME = Path(sameas.__file__).parent
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_places_on_the_map_exist() -> None:
    places = re.findall(r"`((?:[\w.]+/)+[\w.]*|\w+\.(?:py|txt))`", TEXT)
    assert len(places) > 60
    rooms = (HOME / "names", HOME / "formats" / "conll", HOME / "show" / "page")
    homes = (ROOT, HOME, *rooms, ROOT / "page" / "src", ROOT / "tests" / "parity")
    assert [
        place
        for place in places
        if "NAME" not in place and not any((home / place).exists() for home in homes)
    ] == []


def test_every_room_is_on_the_map() -> None:
    rooms = {path.parent.name for path in HOME.glob("*/__init__.py")} - {"examples"}
    assert {room for room in rooms if f"| `{room}/` |" not in TEXT} == set()
