"""`sameas cone --gold-subset`: a key for a few documents."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from cli.cone.stories import Documents, b3, contains, write
from command_line import columns, good, refused, run
from saying import says

SOME = ["cone", "--text", "text.jsonl", "a.jsonl", "--gold-subset"]


def test_a_gold_subset(here: Documents) -> None:
    out = good(*SOME, "gold.jsonl")
    assert out.startswith("a: F1 of 40 documents, 20 of them annotated\n")
    assert contains(out, "predicted-from", count=20, total=40)
    assert "|annotated:20|docs:40|" in out.replace("\n  ", "") and columns(out) <= 80
    whole = json.loads(good("score", "key.jsonl", "a.jsonl", "--json"))["metrics"]["b3"]["f1"]
    shown = json.loads(good(*SOME, "gold.jsonl", "--json"))
    found = shown["metrics"]["b3"]["f1"]
    assert found["interval"][0] < whole < found["interval"][1]
    assert found["interval"][0] < found["predicted"] < found["interval"][1]
    part = json.loads(good("score", "gold.jsonl", "a.jsonl", "--json"))["metrics"]["b3"]["f1"]
    assert found["annotated"] == pytest.approx(part)
    assert found["cone"] == pytest.approx(b3("--text", "text.jsonl", "a.jsonl"))
    assert (shown["documents"], shown["annotated"]) == (40, 20)


def test_target_and_confidence(here: Documents) -> None:
    def width(*more: object) -> float:
        shown = json.loads(good(*SOME, "gold.jsonl", "--metrics", "b3", "--json", *more))
        low, high = shown["metrics"]["b3"]["f1"]["interval"]
        return float(high - low)

    assert width("--target", "population") > width("--target", "corpus") == width()
    assert width("--confidence", 90) < width() < width("--confidence", 99)


def test_everything_is_annotated(here: Documents) -> None:
    out = good(*SOME, "key.jsonl", "--metrics", "b3", "--json")
    found = json.loads(out)["metrics"]["b3"]["f1"]
    assert found["interval"] == pytest.approx([found["predicted"]] * 2)
    assert found["predicted"] == pytest.approx(found["annotated"])


def test_a_gold_subset_has_the_score_of_the_key_itself(here: Documents) -> None:
    """The score covers the annotated documents, however missing ones are treated."""
    write("some.jsonl", here("key.jsonl")[:20])
    command = [*SOME, "some.jsonl", "--metrics", "b3"]
    shown = json.loads(good(*command, "--json"))
    own = good("cone", "some.jsonl", "some.jsonl", "--names", "rules", "--matcher", "rules",
               "--metrics", "b3", "--json")  # fmt: skip
    assert shown["ceiling"] == {"b3": json.loads(own)["metrics"]["b3"]["f1"]}
    again = json.loads(good(*command, "--missing-documents", "skip", "--json"))
    assert again["ceiling"] == shown["ceiling"]
    rows = list(csv.DictReader(io.StringIO(run(*command, "--csv")[1])))
    assert {row["ceiling"] for row in rows if row["part"] == "f1"} == {str(shown["ceiling"]["b3"])}


def test_several_responses_and_a_gold_subset(here: Documents) -> None:
    command = [
        "cone",
        "--text",
        "text.jsonl",
        "a.jsonl",
        "two=b.jsonl",
        "--gold-subset",
        "gold.jsonl",
    ]
    out = good(*command)
    assert "\ntwo: F1 of 40 documents" in out
    assert [one["response"] for one in json.loads(good(*command, "--json"))] == ["a", "two"]
    code, table, err = run(*command, "--csv")
    rows = list(csv.DictReader(io.StringIO(table)))
    assert code == 0 and {row["response"] for row in rows} == {"a", "two"}
    assert f"a: note: {says('predicted-from', count=20, total=40)}" in err
    assert all(float(row["low"]) <= float(row["predicted"]) <= float(row["high"]) for row in rows)
    for style in ("--markdown", "--latex"):
        assert "with CONE" in good(*command, style)


def test_too_few_annotated_documents(here: Documents) -> None:
    for count in (1, 9):
        write("few.jsonl", here("key.jsonl")[:count])
        code, message = refused(*SOME, "few.jsonl")
        assert code in (1, 2)
        assert str(count) in message
    Path("empty.jsonl").touch()
    code, message = refused(*SOME, "empty.jsonl")
    assert code == 1 and "empty.jsonl:1:1: " in message


def test_annotated_documents_that_are_not_in_the_text(here: Documents) -> None:
    first, *rest = here("gold.jsonl")
    write("other.jsonl", [{**first, "doc_key": "elsewhere"}, *rest])
    code, message = refused(*SOME, "other.jsonl")
    assert code == 1
    assert f"other.jsonl:1:1: {says('gold-not-in-text', document='elsewhere')}" in message


def test_a_repeated_annotated_document(here: Documents) -> None:
    documents = here("gold.jsonl")
    write("twice.jsonl", [*documents, documents[0]])
    code, message = refused(*SOME, "twice.jsonl")
    again = says("gold-again", document=documents[0]["doc_key"])
    assert code == 1 and f"twice.jsonl:21:1: {again}" in message


def test_a_response_that_lacks_the_annotated_documents(here: Documents) -> None:
    annotated = {one["doc_key"] for one in here("gold.jsonl")}
    write("rest.jsonl", [one for one in here("a.jsonl") if one["doc_key"] not in annotated])
    code, message = refused(
        "cone", "--text", "text.jsonl", "rest.jsonl", "--gold-subset", "gold.jsonl"
    )
    assert code == 1
    assert not message.rstrip("\n").endswith(" ")


@pytest.mark.parametrize("scope", ["corpus", "topic"])
def test_a_gold_subset_of_documents_that_share_entities(here: Documents, scope: str) -> None:
    documents = [{**one, "doc_key": "s/" + one["doc_key"]} for one in here("a.jsonl")]
    gold = [{**one, "doc_key": "s/" + one["doc_key"]} for one in here("gold.jsonl")]
    write("topics.jsonl", documents)
    write("some.jsonl", gold)
    code, _ = refused(
        "cone", "--text", "topics.jsonl", "topics.jsonl", "--gold-subset", "some.jsonl",
        "--scope", scope
    )  # fmt: skip
    assert code == 2


@pytest.mark.parametrize("more", [("--samples", 100), ("--seed", 3), ("--method", "bca")])
def test_a_gold_subset_needs_no_resampling(here: Documents, more: tuple[str, object]) -> None:
    code, message = refused(*SOME, "gold.jsonl", *more)
    assert code == 2 and more[0] in message


def test_a_gold_subset_repeats_no_note(here: Documents) -> None:
    gone = here("gold.jsonl")[0]["doc_key"]
    write("less.jsonl", [one for one in here("a.jsonl") if one["doc_key"] != gone])
    out = good(
        "cone", "--text", "text.jsonl", "less.jsonl", "--gold-subset", "gold.jsonl", "--json"
    )
    notes = json.loads(out)["notes"]
    assert says("missing", count=1, names=gone, how="empty") in notes
    assert len(set(notes)) == len(notes)
