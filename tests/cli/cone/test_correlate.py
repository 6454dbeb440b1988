"""`sameas cone --correlate`: correlations, and rankings of systems."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

import sameas
from cli.cone.stories import CAREFUL, EAGER, KEY, Documents, contains, write
from command_line import columns, good, refused, run
from sameas.metrics.statistics import choose_metrics
from saying import codes, says


def test_correlate_documents(here: Documents) -> None:
    out = good("cone", "key.jsonl", "a.jsonl", "--correlate", "document", "--samples", "200")
    assert out.startswith("CONE B³ with B³ of entities with a name, by document: Pearson's r\n")
    assert "CONE CEAFm with CEAFm" in out and "all systems" not in out and "within" not in out
    assert re.search(r"^a +40 +0\.\d\d \[0\.\d\d, 0\.\d\d\]", out, re.M)
    assert "|by:document|" in out.replace("\n  ", "") and columns(out) <= 80


def test_correlate_several_systems(here: Documents) -> None:
    command = ["cone", "key.jsonl", "a.jsonl", "b.jsonl", "--samples", "200", "--metrics", "b3"]
    out = good(*command, "--correlate", "document")
    assert re.search(r"^all systems +\d+ ", out, re.M) and "τ 1.00" in out
    out = good(*command, "--correlate", "entity")
    assert "by entity" in out and contains(out, "study-rows", how="entity")
    shown = json.loads(good(*command, "--correlate", "document", "--json"))
    assert set(shown["correlations"]) == {"a", "b", "all systems"}
    assert shown["agreement"] == {"b3": 1.0}
    found = sameas.without_gold.study.cone_study("key.jsonl", {"a": "a.jsonl"}, metrics="b3")
    first = shown["correlations"]["a"][0]
    assert first["pearson"]["value"] == found.correlations["a"][0].pearson.value


def test_correlate_with_an_estimated_key_and_the_control(here: Documents) -> None:
    command = ["cone", "key.jsonl", "a.jsonl", "--correlate", "document", "--samples", "100"]
    assert "|matcher:rules|match:head|" in good(*command, "--matcher", "rules").replace("\n  ", "")
    assert "of unnamed mentions" in good(*command, "--mentions", "unnamed")


@pytest.mark.parametrize("style", ["markdown", "latex", "csv", "json"])
def test_a_study_in_every_style(here: Documents, style: str) -> None:
    code, out, _ = run(
        "cone", "key.jsonl", "a.jsonl", "b.jsonl", "--correlate", "document", "--samples", "100",
        f"--{style}"
    )  # fmt: skip
    assert code == 0 and out
    if style == "csv":
        rows = list(csv.DictReader(io.StringIO(out)))
        assert {row["system"] for row in rows} == {"a", "b", "all systems", "within systems"}
        assert all(-1 <= float(row["low"]) <= float(row["high"]) <= 1 for row in rows)


def test_the_key_itself_is_scored_if_the_key_is_estimated(here: Documents) -> None:
    command = ["cone", "key.jsonl", "a.jsonl", "--matcher", "rules", "--metrics", "b3,conll"]
    own = json.loads(good("cone", "key.jsonl", "key.jsonl", *command[3:], "--json"))["metrics"]
    shown = json.loads(good(*command, "--json"))
    assert shown["ceiling"] == own
    said = f"gets CoNLL {100 * own['conll']['f1']:.2f} under the estimated key; so would"
    assert said in " ".join(good(*command).split())
    rows = list(csv.DictReader(io.StringIO(run(*command, "--csv")[1])))
    assert [(row["response"], row["metric"]) for row in rows][2:] == [
        ("the key", "b3"),
        ("the key", "conll"),
    ]
    assert float(rows[2]["f1"]) == own["b3"]["f1"]
    without = json.loads(good("cone", "--text", "key.jsonl", *command[2:], "--json"))
    assert "ceiling" not in without and without["metrics"] == shown["metrics"]
    assert "ceiling" not in json.loads(good("cone", "key.jsonl", "a.jsonl", "--json"))


@pytest.mark.parametrize("name", ["all systems", "within systems", "the key"])
def test_a_response_cannot_have_the_name_of_a_table_row(here: Documents, name: str) -> None:
    command = ["cone", "key.jsonl", "a.jsonl", f"{name}=b.jsonl"]
    for options in (["--correlate", "document"], ["--matcher", "rules"]):
        code, message = refused(*command, *options)
        assert code == 2 and says("study-system-name", name=name) in message
    assert name in good(*command)


def test_a_study_has_the_score_of_the_key_itself(here: Documents) -> None:
    command = ["cone", "key.jsonl", "a.jsonl", "--correlate", "document", "--samples", "100"]
    out = good(*command, "--matcher", "rules")
    assert re.search(r"^the key +\d", out, re.M)
    assert set(json.loads(good(*command, "--matcher", "rules", "--json"))["ceiling"]) == {
        "b3",
        "ceafm",
    }


def test_missing_and_misgrouped_names_are_counted(here: Documents) -> None:
    shown = json.loads(good("cone", "key.jsonl", "a.jsonl", "--json"))
    found = sameas.without_gold.name_errors(sameas.cone("key.jsonl", "a.jsonl"))
    assert tuple(shown["names"].values()) == found and set(shown["names"]) == {"key", "mne", "igne"}
    errors = {"count": found[0], "missing": found[1], "misgrouped": found[2], "how": "key"}
    assert contains(good("cone", "key.jsonl", "a.jsonl"), "name-errors", **errors)
    others = json.loads(good("cone", "key.jsonl", "a.jsonl", "--mentions", "unnamed", "--json"))
    assert "names" not in others


def test_when_systems_may_be_ranked(here: Documents) -> None:
    """Not by an estimated key, even for a single system; by all mentions if there is a key."""
    for responses, code in (
        (["a.jsonl"], "estimate-compares"),
        (["a.jsonl", "b.jsonl"], "estimate-ranks"),
    ):
        assert contains(good("cone", "--text", "text.jsonl", *responses), code)
    for more in ([], ["--correlate", "document", "--samples", "100"]):
        assert contains(good("cone", "key.jsonl", "a.jsonl", "b.jsonl", *more), "key-ranks")
    assert contains(good("cone", "key.jsonl", "a.jsonl", "--matcher", "rules"), "estimate-compares")


def test_systems_are_not_ranked_by_a_key_of_names_alone(here: Documents) -> None:
    """An estimated key that was written to a file is read like any other."""
    run("cone", "--text", "text.jsonl", "--write-key", "k.conll")
    command = ["cone", "k.conll", "a.jsonl", "b.jsonl", "--names", "rules", "--match", "head"]
    out = good(*command)
    assert contains(out, "only-names", percent=100) and not contains(out, "key-ranks")
    # With a mention corrected by hand that is not a name, it is still an estimate.
    lines = Path("k.conll").read_text().splitlines()
    free = next(n for n, line in enumerate(lines) if line.endswith("-"))
    lines[free] = f"{lines[free][:-1]}(99)"
    Path("k.conll").write_text("\n".join(lines) + "\n")
    assert contains(good(*command), "only-names", percent=99)
    assert "only-names" not in codes(sameas.cone("key.jsonl", "a.jsonl").notes)


def test_without_names_there_is_no_note_on_ranking(here: Documents) -> None:
    plain = {"doc_key": "n", "sentences": [["the", "dog", "saw", "it", "."]]}
    write("plain.jsonl", [{**plain, "clusters": [[[0, 1], [3, 3]]]}])
    out = good("cone", "plain.jsonl", "one=plain.jsonl", "two=plain.jsonl")
    assert contains(out, "no-name") and not contains(out, "key-ranks")


def test_too_few_documents_to_correlate(here: Documents) -> None:
    write("two.jsonl", here("key.jsonl")[:2])
    code, message = refused("cone", "two.jsonl", "a.jsonl", "--correlate", "document")
    assert code == 1 and says("study-too-short", count=2, how="document") in message
    out = good(
        "cone", "two.jsonl", "a.jsonl", "b.jsonl", "--correlate", "document", "--samples", 100
    )
    assert contains(out, "study-short", system="a", count=2, how="document")


def test_too_few_entities_to_correlate(here: Documents) -> None:
    write("none.jsonl", [{**one, "clusters": []} for one in here("key.jsonl")])
    code, message = refused("cone", "key.jsonl", "none.jsonl", "--correlate", "entity")
    assert code == 1 and says("study-too-short", count=0, how="entity") in message


def test_correlate_all_metrics(here: Documents) -> None:
    command = ["cone", "key.jsonl", "a.jsonl", "--samples", "100", "--metrics", "all"]
    out = good(*command, "--correlate", "document")
    assert "CONE CoNLL with CoNLL" in out
    left_out = [name for name in choose_metrics("all") if name not in ("b3", "ceafm")]
    out = good(*command, "--correlate", "entity")
    assert contains(out, "study-metrics-left-out", metrics=left_out)


@pytest.mark.parametrize("metric", ["conll", "rand", "ari"])
def test_correlate_a_metric_without_recall(here: Documents, metric: str) -> None:
    """Only its single number is correlated."""
    command = ["cone", "key.jsonl", "a.jsonl", "--correlate", "document", "--samples", "100"]
    out = good(*command, "--metrics", f"b3,{metric}")
    first, second = (re.findall(r"^a .*", part, re.M)[0] for part in out.split("\n\n")[:2])
    assert len(re.findall(r"\[", first)) == 3 and len(re.findall(r"\[", second)) == 1
    shown = json.loads(good(*command, "--metrics", metric, "--json"))
    assert [(one["x"], one["y"]) for one in shown["correlations"]["a"]] == [
        (metric, f"cone_{metric}")
    ]


def test_omitted_metrics_are_noted(here: Documents) -> None:
    code, message = refused(
        "cone", "key.jsonl", "a.jsonl", "--correlate", "entity", "--metrics", "b3,muc"
    )
    assert code == 2 and says("study-metrics", metrics=["muc"]) in message


def test_correlate_with_the_full_score(here: Documents) -> None:
    command = ["cone", "key.jsonl", "a.jsonl", "b.jsonl", "--correlate", "document"]
    command += ["--samples", "200", "--metrics", "b3,conll"]
    out = good(*command, "--against", "all")
    assert out.startswith("CONE B³ with B³ of all mentions, by document: Pearson's r\n")
    assert contains(out, "study-compared", mentions="named", how="all")
    assert "|against:all|" in out.replace("\n  ", "")
    shown = json.loads(good(*command, "--against", "all", "--json"))
    full = json.loads(good("score", "key.jsonl", "a.jsonl", "--metrics", "b3", "--json"))
    assert shown["scores"]["a"]["b3"]["whole"] == full["metrics"]["b3"]["f1"]
    assert {one["x"] for one in shown["within"]} == {"b3", "b3_recall", "b3_precision", "conll"}
    low, high = shown["agreement_interval"]["conll"]
    assert -1 <= low <= shown["agreement"]["conll"] <= high <= 1 and shown["ceiling"] is None
    assert good(*command, "--against", "entities") == good(*command)


def test_correlate_with_the_full_score_and_an_estimated_key(here: Documents) -> None:
    """Names match by head, as in cone; all mentions match exactly, as in score."""
    command = ["cone", "key.jsonl", "a.jsonl", "--correlate", "document", "--samples", "100"]
    command += ["--matcher", "rules", "--against", "all"]
    signature = "".join(good(*command).split())
    assert "|match:head|" in signature and "|against:all|whole-match:exact|" in signature
    assert "whole-match" not in good(*command, "--match", "exact")


def test_two_definitions_of_the_score_of_an_entity(here: Documents) -> None:
    command = ["cone", "key.jsonl", "a.jsonl", "--correlate", "entity", "--samples", "100"]
    assert "|share-of:entity|" in "".join(good(*command).split())
    assert good(*command, "--share-of", "entity") == good(*command)
    assert "|share-of:corpus|" in "".join(good(*command, "--share-of", "corpus").split())


@pytest.mark.parametrize("level", ["document", "entity"])
@pytest.mark.parametrize("scope", ["corpus", "topic"])
def test_correlate_over_documents_that_share_entities(level: str, scope: str) -> None:
    code, out, err = run("cone", KEY, EAGER, "--correlate", level, "--scope", scope)
    assert code in (0, 2) and out + err


def test_correlate_with_the_usual_matcher(here: Documents) -> None:
    command = ["cone", "key.jsonl", "a.jsonl", "--correlate", "entity", "--samples", "100"]
    assert good(*command, "--matcher", "none") == good(*command)


def test_correlate_entities_with_themselves(here: Documents) -> None:
    command = ["cone", "key.jsonl", "a.jsonl", "--correlate", "document", "--mentions", "entities"]
    code, _ = refused(*command)
    assert code == 2


def test_a_study_in_csv_notes_the_different_order() -> None:
    command = ["cone", KEY, CAREFUL, EAGER, "--correlate", "document", "--samples", "100"]
    assert "worse by names" in " ".join(good(*command).split())
    assert "worse by names" in run(*command, "--csv")[2]


def test_a_study_notes_missing_documents(here: Documents) -> None:
    rest = here("key.jsonl")[1:]
    write("less.jsonl", [*rest, rest[-1]])
    code, out, err = run(
        "cone", "key.jsonl", "less.jsonl", "--correlate", "document", "--samples", 100
    )
    assert code == 0
    assert contains(out, "missing", count=1, names="story0", how="empty")
    assert "less.jsonl:40:1: warning: " in err


@pytest.mark.long
def test_plots(here: Documents) -> None:
    pytest.importorskip("matplotlib")
    command = ["cone", "key.jsonl", "a.jsonl", "--correlate", "document", "--samples", "100"]
    wanted = good(*command)
    assert good(*command, "--plot", "x.svg") == wanted
    drawn = Path("x.svg").read_text()
    assert "<svg" in drawn and "B³ of entities with a name" in drawn and "CONE B³" in drawn
    good(*command, "--plot", "x.svg", "--against", "all", "--mentions", "unnamed")
    drawn = Path("x.svg").read_text()
    assert "B³ of all mentions" in drawn and "unnamed B³" in drawn
    assert good(*command, "--plot", "x.png") == wanted
    assert Path("x.png").read_bytes().startswith(b"\x89PNG")
