"""CONTRIBUTING.md names only files that exist, and the pages list what they should."""

from __future__ import annotations

import re
from pathlib import Path

import sameas
from sameas.authorities.corefud12 import COUNTED
from sameas.cli.options import CommandParser
from sameas.formats.declarations import FORMATS
from sameas.formats.table.columns import NAMES
from sameas.metrics.standard import STANDARD

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


def test_every_metric_is_documented() -> None:
    parser = CommandParser()
    parser.add_metrics()
    help = parser.format_help()
    page = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    page = page.replace("`split_…`", " ".join(f"`{name}`" for name in STANDARD if "split" in name))
    assert [name for name in sameas.METRICS if not re.search(rf"\b{name}\b", help)] == []
    assert [name for name in sameas.METRICS if f"`{name}`" not in page] == []


def test_what_the_corefud_scorer_does_with_each_metric_is_decided() -> None:
    """Metrics of the table are in `COUNTED`; the others see the same mentions either way."""
    others = {"mention", "conll", "nonreferring"}
    assert {name for name in STANDARD if "split" not in name} == COUNTED | others


def test_every_format_is_documented() -> None:
    page = (ROOT / "docs" / "files.md").read_text(encoding="utf-8").casefold()
    assert [one.title for one in FORMATS.values() if one.title.casefold() not in page] == []


def test_accepted_column_names_are_documented() -> None:
    files, records = (ROOT / "docs" / f"{page}.md" for page in ("files", "records"))
    text = files.read_text(encoding="utf-8")
    assert [name for names in NAMES.values() for name in names if f"`{name}`" not in text] == []
    text = records.read_text(encoding="utf-8")
    names = [*NAMES["mention"], *NAMES["entity"], *NAMES["document"]]
    assert [name for name in names if f"`{name}`" not in text] == []
