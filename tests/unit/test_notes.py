"""Notes on what would otherwise be silent: lost ids, zeros without dependencies, notes with CSV."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sameas
from command_line import run
from sameas.errors import visible
from sameas.examples import example_path
from saying import codes, has, says


@pytest.mark.parametrize("format", ["conll", "conllu", "ua"])
def test_renumbered_ids_are_noted(format: str, tmp_path: Path) -> None:
    record = {
        "doc_key": "d",
        "sentences": [["Ann", "and", "Bob"]],
        "clusters": [[[0, 0]], [[2, 2]]],
        "entity_ids": ["ann", "bob-Pseudo,2"],
    }
    path = tmp_path / "d.jsonl"
    path.write_text(json.dumps(record) + "\n")
    corpus = sameas.read(path)
    ending = {"conll": "conll", "conllu": "conllu", "ua": "conllua"}[format]
    notes = sameas.save(corpus, tmp_path / f"e.{ending}")
    (note,) = (note for note in notes if note.code == "ids-anew")
    assert has(note, "ids-anew", format=format, count=2, names=("ann",)), note
    path.write_text(json.dumps({**record, "entity_ids": ["ann", "bob"]}) + "\n")
    notes = sameas.save(sameas.read(path), tmp_path / f"f.{ending}")
    assert "ids-anew" not in codes(notes)


def test_zeros_without_dependencies_are_noted(tmp_path: Path) -> None:
    key, response = (
        str(example_path(name)) for name in ("spanish.conllu", "spanish-system.conllu")
    )
    settings = {"match": "head", "zeros": "dependent"}
    assert "bare-zeros" not in codes(sameas.score(key, response, **settings).notes)
    converted = [tmp_path / "key.jsonl", tmp_path / "response.jsonl"]
    for source, target in zip((key, response), converted, strict=True):
        sameas.save(sameas.read(source), target)
    assert codes(sameas.score(*converted, **settings).notes).count("bare-zeros") == 2


@pytest.mark.parametrize("command", ["score", "compare", "errors"])
def test_notes_with_csv_are_printed_and_harmless(command: str, tmp_path: Path) -> None:
    lines = "#begin document ({});\nx (1)\n#end document\n"
    (tmp_path / "key").write_text(lines.format("a") + lines.format("\x1b[31mred"))
    (tmp_path / "response").write_text(lines.format("a"))
    names = ["key", "response", "key"] if command == "compare" else ["key", "response"]
    code, _, err = run(command, *(tmp_path / name for name in names), "--csv")
    assert code == 0
    assert visible(says("missing", count=1, names="\x1b[31mred", how="empty")) in err
    assert "\x1b" not in err
