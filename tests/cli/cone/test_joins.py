"""`sameas cone --joins` and `--write-key`."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from cli.cone.stories import Documents, b3, write
from command_line import good, refused, run
from sameas.formats.reading import read
from saying import says


def test_joins(here: Documents) -> None:
    *joins, last = good("cone", "--text", "text.jsonl", "--joins").splitlines()
    assert len(joins) == 40  # and those with the same words
    assert last.startswith(
        "200 names in 40 documents, 80 entities, 120 joins, 80 of the same words"
    )
    assert all(re.fullmatch(r"story\d+: '.+' joined '.+': .+", line) for line in joins)
    assert any(line.endswith(": last name") for line in joins)
    assert good("cone", "key.jsonl", "--joins").splitlines() == [*joins, last]
    exact = good("cone", "key.jsonl", "--joins", "--matcher", "exact")
    assert "120 entities, 80 joins" in exact


def test_joins_documents_without_annotated_names(here: Documents) -> None:
    document = {
        "sentences": [["Ann", "saw", "the", "dog"]],
        "clusters": [[[0, 0]], [[2, 3]]],
    }
    write(
        "kinds.jsonl",
        [
            {"doc_key": "one", **document, "kinds": [["name"], ["nominal"]]},
            {"doc_key": "two", **document, "kinds": [["nominal"], ["nominal"]]},
        ],
    )
    out = good("cone", "--text", "kinds.jsonl", "--joins", "--names", "annotated")
    assert out.startswith("1 name")


def test_a_text_without_annotated_names(here: Documents) -> None:
    code, message = refused("cone", "--text", "text.jsonl", "a.jsonl", "--names", "annotated")
    assert code == 2 and f"text.jsonl: {says('names-not-marked')}" in message


@pytest.mark.long
@pytest.mark.parametrize("ending", ["conll", "jsonl", "csv", "conllu", "conllua", "jsonl.gz"])
def test_a_written_key_has_the_scores_of_the_estimate(here: Documents, ending: str) -> None:
    code, out, _ = run("cone", "--text", "text.jsonl", "--write-key", f"k.{ending}")
    assert (code, out) == (0, "")
    written = read(f"k.{ending}")
    assert sum(document.mention_count for document in written.documents) == 200
    assert sum(len(document.entity_ids) for document in written.documents) == 80
    # All mentions of the response are scored then, so precision falls; recall is unchanged.
    counts = json.loads(good("score", f"k.{ending}", "a.jsonl", "--json"))["metrics"]["b3"][
        "counts"
    ]
    estimated = json.loads(good("cone", "--text", "text.jsonl", "a.jsonl", "--json"))
    assert counts[:2] == estimated["metrics"]["b3"]["counts"][:2]
    assert counts[3] == 298
    # A response with only the names has the scores of CONE.
    run("cone", "a.jsonl", "a.jsonl", "--write-key", "names.jsonl")
    shown = json.loads(good("score", f"k.{ending}", "names.jsonl", "--json"))
    assert shown["metrics"]["b3"]["f1"] == estimated["metrics"]["b3"]["f1"]


def test_a_key_is_written_as_it_was_scored(here: Documents) -> None:
    code, out, _ = run("cone", "key.jsonl", "a.jsonl", "--write-key", "k.jsonl", "--metrics", "b3")
    assert code == 0
    assert out == good("cone", "key.jsonl", "a.jsonl", "--metrics", "b3")
    one = here("k.jsonl")[0]
    assert one["clusters"] == [[[0, 1], [17, 17]], [[3, 4], [14, 15], [26, 27]]]


def test_a_key_that_cannot_be_written(here: Documents) -> None:
    code, message = refused("cone", "--text", "text.jsonl", "--write-key", "k.txt")
    assert code == 2 and ".conll, .conllu, .jsonl" in message


def test_the_format_of_a_written_key_follows_its_name(here: Documents) -> None:
    _, message = refused("cone", "--text", "text.jsonl", "--write-key", "k.txt")
    assert "--to" not in message


def test_a_key_is_written_without_a_response(here: Documents) -> None:
    good("cone", "key.jsonl", "--write-key", "k.jsonl")
    assert here("k.jsonl")[0]["clusters"] == [[[0, 1], [17, 17]], [[3, 4], [14, 15], [26, 27]]]


def test_losses_of_a_format_are_reported(here: Documents) -> None:
    _, out, err = run("cone", "--text", "text.jsonl", "--write-key", "k.csv")
    assert out == "" and "csv cannot hold" in err


@pytest.mark.long
def test_the_estimate_does_not_depend_on_the_order_of_sets(here: Documents) -> None:
    """Names that fit several people, with several seeds of Python's hashes."""
    words = [
        "Ann",
        "Broken",
        "Arrow",
        "met",
        "Broken",
        "Arrow",
        "Lee",
        "and",
        "NSU",
        "Broken",
        "Arrow",
        "near",
        "Arrow",
        "Ann",
        "Lee",
        ".",
    ]
    write("names.jsonl", [{"doc_key": "a", "sentences": [words] * 3, "clusters": []}])
    found = set()
    for seed in range(6):
        command = (
            f"PYTHONHASHSEED={seed} {sys.executable} -m sameas cone --text names.jsonl --joins"
        )
        done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
        found.add(done.stdout)
    assert len(found) == 1


def test_a_written_estimate_can_be_scored_as_the_note_suggests(here: Documents) -> None:
    before = b3("--text", "text.jsonl", "a.jsonl")
    code, _, err = run("cone", "--text", "text.jsonl", "--write-key", "k.jsonl")
    assert code == 0
    assert says("cone-written", path="k.jsonl", source="rules", match="head") in err
    assert b3("k.jsonl", "a.jsonl", "--names", "rules", "--match", "head") == before
