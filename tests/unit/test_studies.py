"""Pages of studies, replaced section by section, without any data."""

from __future__ import annotations

import importlib
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

STUDIES = Path(__file__).parents[2] / "studies"

pytest.importorskip("matplotlib")


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Import a study by name, and unload all studies afterwards."""
    monkeypatch.syspath_prepend(str(STUDIES))
    before = set(sys.modules)
    yield importlib.import_module
    for name in set(sys.modules) - before:
        if (STUDIES / f"{name}.py").exists():
            del sys.modules[name]


def test_sections_are_replaced_by_their_title(study: Any, tmp_path: Path) -> None:
    write, page = study("alignment").write_sections, tmp_path / "page.md"
    write(page, "# Page\n\nOld.", [["## One", "1", "### Part"], ["## Two", "2"]])
    assert page.read_text() == "# Page\n\nOld.\n\n## One\n\n1\n\n### Part\n\n## Two\n\n2\n"
    write(page, "# Page\n\nNew.", [["## One", "one"], ["## Three", "3"]], only=True)
    assert page.read_text() == "# Page\n\nNew.\n\n## One\n\none\n\n## Two\n\n2\n\n## Three\n\n3\n"
    write(page, "# Page", [["## Two", "2"]])
    assert page.read_text() == "# Page\n\n## Two\n\n2\n"
    write(tmp_path / "none.md", "# Page", [["## Two", "2"]], only=True)
    assert (tmp_path / "none.md").read_text() == page.read_text()


def test_sections_of_cone_are_replaced_by_their_part(
    study: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Titles may change with the measurements; the order is that of the parts."""
    cone = study("cone")

    def run(*only: str, **titles: str) -> list[str]:
        parts = {
            name: lambda data, options, t=title: iter([f"## {t}\n", "text", "### Part\n", "more\n"])
            for name, title in titles.items()
        }
        monkeypatch.setattr(cone, "PARTS", parts)
        monkeypatch.setattr(sys, "argv", ["cone.py", "-", "--output", str(tmp_path), *only])
        cone.main()
        page = (tmp_path / "cone-study.md").read_text()
        assert page.startswith(cone.HEAD)
        return [line[3:] for line in page.splitlines() if line.startswith("## ")]

    assert run("--only", "b", a="A", b="B") == ["B"]
    assert run("--only", "a", a="A", b="B") == ["A", "B"]
    whole = (tmp_path / "cone-study.md").read_text()
    assert run(a="A", b="B") == ["A", "B"] and (tmp_path / "cone-study.md").read_text() == whole
    assert run("--only", "a", a="A again", b="never") == ["A again", "B"]


@pytest.mark.parametrize("name", ["agreement", "alignment", "cone", "transliteration"])
def test_unknown_sections_are_refused_before_anything_is_read(
    study: Any,
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    argv = [name, str(tmp_path / "none"), "--output", str(tmp_path), "--only", "nothing"]
    monkeypatch.setattr(sys, "argv", argv)
    with pytest.raises(SystemExit):
        study(name).main()
    assert "--only: unknown nothing; known: " in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_page_of_cone_has_all_parts(study: Any) -> None:
    cone = study("cone")
    page = (STUDIES.parent / "docs" / "cone-study.md").read_text()
    assert list(cone._sections(page)) == list(cone.PARTS)


def test_near_names_are_one_letter_away(study: Any) -> None:
    """As with a search of all targets, except those of the same source name."""
    generator = random.Random(1)
    names = ["".join(generator.choices("abc", k=generator.choice([1, 2, 4]))) for _ in range(40)]
    pairs = [(generator.choice(["x", "X", "y", "z"]), name) for name in names]
    found = study("transliteration").swapped_for_near([*pairs, ("v", "bbbbbbbb")])
    own = {(source.lower(), target) for source, target in pairs}
    wanted = []
    for source, target in pairs:
        near = {one for _, one in pairs if apart(one, target) and (source.lower(), one) not in own}
        wanted += [(source, target)] if near else []
        assert all(other in near for pair, other in found if pair == (source, target))
    assert [pair for pair, _ in found] == wanted
    assert 0 < len(wanted) < len(pairs)


def apart(one: str, two: str) -> bool:
    """Return whether one letter is inserted, deleted or replaced."""
    short, long = sorted((one, two), key=len)
    if len(short) == len(long):
        return sum(a != b for a, b in zip(short, long, strict=True)) == 1
    return short in {long[:at] + long[at + 1 :] for at in range(len(long))}


@pytest.mark.parametrize("name", ["NEAR", "NEAR_READ", "ELSEWHERE_READ", "VERIFIER", "TRUSTED"])
def test_statements_on_names_are_on_the_page(study: Any, name: str) -> None:
    page = STUDIES.parent / "docs" / "transliteration-study.md"
    assert getattr(study("transliteration"), name) in page.read_text(encoding="utf-8")
