"""Relations that no metric counts are noted with their number, by side, in every way of scoring."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import sameas
from command_line import good
from sameas.documents.document import Document
from sameas.formats.reading import read
from sameas.formats.writing import save
from sameas.metrics.standard import DEFAULT
from sameas.notes import Note
from sameas.run import Plan, run
from sameas.run.pieces import score_pieces
from sameas.settings import Settings


def conllu(number: int, links: str) -> str:
    misc = ["Entity=(e1)", "Entity=(e2)", f"Entity=(e3){links}"]
    words = (
        f"{place}\t{word}\t_\tPROPN\t_\t_\t{place - 1}\t_\t_\t{cell}\n"
        for place, (word, cell) in enumerate(zip(("Ann", "Bob", "they"), misc, strict=True), 1)
    )
    return f"# newdoc id = d{number}\n# global.Entity = eid\n{''.join(words)}\n"


def ua(number: int, *cells: Sequence[str]) -> str:
    names = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS"
    lines = [
        " ".join([str(place), "w", *["_"] * 8, *row, *["_"] * (3 - len(row))])
        for place, row in enumerate(cells, 1)
    ]
    return "\n".join([f"# global.columns = {names}", f"# newdoc id = d{number}", *lines, "", ""])


def jsonlines(number: int, **more: object) -> str:
    clusters = [[[0, 0]], [[1, 1]], [[2, 2]]]
    line = {"doc_key": f"d{number}", "sentences": [["Ann", "Bob", "they"]], "clusters": clusters}
    return json.dumps(line | {"entity_ids": ["e1", "e2", "e3"]} | more) + "\n"


BOTH = {
    "conllu": (conllu(1, "|SplitAnte=e1<e3,e2<e3|Bridge=e1<e3:part"), conllu(1, "")),
    "jsonl": (
        jsonlines(1, split_antecedents={"e3": ["e1", "e2"]}, bridging=[["e3", "e1", "part"]]),
        jsonlines(1),
    ),
}


def write(folder: Path, ending: str, *texts: str) -> list[Path]:
    paths = [folder / f"{name}.{ending}" for name in ("key", "response")[: len(texts)]]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return paths


@pytest.mark.parametrize("ending", BOTH)
def test_split_antecedents_and_bridging(tmp_path: Path, ending: str) -> None:
    key, response = write(tmp_path, ending, *BOTH[ending])
    split, bridging = Note("unscored-split", "key", 1), Note("unscored-bridging", "key", 1)
    result = sameas.score(key, response)
    assert (result["b3"].f1, result.notes) == (1.0, [split, bridging])
    assert sameas.score(response, key).notes == [
        replace(note, side="response") for note in (split, bridging)
    ]
    assert sameas.score(response, response).notes == []
    # Relations that a metric scores have no note.
    assert sameas.score(key, response, metrics="b3,split_lea").notes == [bridging]
    out = good("score", key, response)
    said = [str(split), str(bridging)]
    assert all(note in out.replace("\n  ", " ") for note in said)
    assert json.loads(good("score", key, response, "--json"))["notes"] == said


def test_universal_anaphora(tmp_path: Path) -> None:
    key = ua(
        1,
        ["(EntityID=1|MarkableID=m1|ElementOf=3)"],
        ["(EntityID=2|MarkableID=m2|ElementOf=3)", "(MarkableID=m2|MentionAnchor=m1|Rel=x)"],
        ["(EntityID=3|MarkableID=m3)", "_", "(EntityID=1-DD|MarkableID=d1"],
        ["(EntityID=9-Pseudo|MarkableID=m4)", "_", ")(EntityID=1-DD|MarkableID=d2)"],
    )
    response = ua(1, *([f"(EntityID={n}|MarkableID=m{n})"] for n in (1, 2, 3)), ["_"])
    paths = write(tmp_path, "conllua", key, response)
    found = sameas.score(*paths).notes
    assert found == [
        Note("unscored-split", "key", 1),
        Note("unscored-bridging", "key", 1),
        Note("unscored-deixis", "key", 2),
        Note("unscored-non-referring", "key", 1),
    ]
    assert sameas.score(*paths, metrics="all").notes == found[1:3]


@pytest.mark.parametrize("ending", ["conllu", "jsonl", "conllua"])
def test_pieces_add_up(tmp_path: Path, ending: str) -> None:
    text = "".join(
        conllu(number, "|SplitAnte=e1<e3,e2<e3|Bridge=e1<e3:part") for number in range(9)
    )
    (path,) = write(tmp_path, "conllu", text)
    if ending != "conllu":
        path = tmp_path / f"key.{ending}"
        save(read(tmp_path / "key.conllu"), path)
    at_once = sameas.score(path, path).notes
    assert at_once == [
        Note(code, side, 9)
        for code in ("unscored-split", "unscored-bridging")
        for side in ("key", "response")
    ]
    plan = Plan(key=path, responses=[path], settings=Settings(), metrics=DEFAULT)
    (found,) = run(replace(plan, rows=lambda plan: iter(score_pieces(plan, piece=300, small=0))))
    assert found.notes == at_once


def test_documents_added_one_by_one() -> None:
    scorer = sameas.Scorer()
    for name in "ab":
        document = Document.from_clusters(name, [["Ann"], ["Bob"], ["they"]])
        scorer.update(replace(document, split_antecedents={"2": ("0", "1")}), document)
    assert scorer.compute().notes == [Note("unscored-split", "key", 2)]
