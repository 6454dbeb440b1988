"""Relations that no metric counts are noted with their number, on each side, wherever scores are made."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

import sameas
from command_line import good
from sameas.coref.document import Document
from sameas.coref.metrics import DEFAULT
from sameas.coref.read import read
from sameas.coref.streaming import score_pieces
from sameas.coref.write import save
from sameas.signature import Settings

SPLIT = "; metrics such as split_b3 score them"
SILENT = "; metric nonreferring scores them"


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
    split = f"1 split antecedent in the key not scored{SPLIT}"
    bridging = "1 bridging link in the key not scored by any metric"
    result = sameas.score(key, response)
    assert (result["b3"].f1, result.notes) == (1.0, [split, bridging])
    assert sameas.score(response, key).notes == [
        note.replace("key", "response") for note in (split, bridging)
    ]
    assert sameas.score(response, response).notes == []
    # What a metric scores is not said to be left out.
    assert sameas.score(key, response, metrics="b3,split_lea").notes == [bridging]
    out = good("score", key, response)
    assert split in out.replace("\n  ", " ") and bridging in out
    assert json.loads(good("score", key, response, "--json"))["notes"] == [split, bridging]


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
    assert sameas.score(*paths).notes == [
        f"1 split antecedent in the key not scored{SPLIT}",
        "1 bridging link in the key not scored by any metric",
        "2 discourse deixis mentions in the key not scored by any metric",
        f"1 non-referring mention in the key not scored{SILENT}",
    ]
    assert sameas.score(*paths, metrics="all").notes == [
        "1 bridging link in the key not scored by any metric",
        "2 discourse deixis mentions in the key not scored by any metric",
    ]


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
    assert [note.split(" not ")[0] for note in at_once] == [
        "9 split antecedents in the key",
        "9 split antecedents in the response",
        "9 bridging links in the key",
        "9 bridging links in the response",
    ]
    found = score_pieces(str(path), [str(path)], Settings(), DEFAULT, piece=300, small=0)
    assert found is not None and found[0].notes == at_once


def test_documents_that_come_one_by_one() -> None:
    scorer = sameas.Scorer()
    for name in "ab":
        document = Document.from_clusters(name, [["Ann"], ["Bob"], ["they"]])
        document.split_antecedents = {"2": ("0", "1")}
        scorer.update(document, Document.from_clusters(name, [["Ann"], ["Bob"], ["they"]]))
    assert scorer.compute().notes == [f"2 split antecedents in the key not scored{SPLIT}"]
