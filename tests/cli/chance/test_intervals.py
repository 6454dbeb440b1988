"""score --interval end to end."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.chance.corpus import (
    QUICK,
    SMALL,
    TWO,
    in_csv,
    in_json,
    latex_tables,
    markdown_tables,
    signature_in,
    width,
)
from command_line import good

SCORE = ("score", "key.jsonl", "s0.jsonl", "--interval", *QUICK)


def test_score_one_response_with_intervals(here: Path) -> None:
    out = good(*SCORE, "--metrics", "b3,conll", "--confidence", 90)
    lines = out.splitlines()
    assert lines[0].split() == [
        "metric", "recall", "[90%]", "precision", "[90%]", "F1", "[90%]"
    ]  # fmt: skip
    number, interval = r"\d\d\.\d\d", r"\[\d\d\.\d\d, \d\d\.\d\d\]"
    assert re.fullmatch(f"B³( +{number} {interval}){{3}}", lines[2])
    assert re.fullmatch(f"CoNLL +{number} {interval}", lines[4])
    assert "note" not in out  # 24 documents are enough


def test_score_with_intervals_in_json_and_csv(here: Path) -> None:
    shown = in_json(*SCORE)
    plain = in_json("score", "key.jsonl", "s0.jsonl")
    for metric, score in shown["metrics"].items():
        interval = score.pop("interval")
        assert score == plain["metrics"][metric]
        assert set(interval) == ({"f1"} if metric == "conll" else {"recall", "precision", "f1"})
        for part, (low, high) in interval.items():
            assert low <= score[part] <= high
    rows = {row["metric"]: row for row in in_csv(*SCORE)}
    again = in_json(*SCORE)["metrics"]
    for metric, score in again.items():
        for part, ends in score["interval"].items():
            assert [float(rows[metric][f"{part}_{end}"]) for end in ("low", "high")] == ends
    assert rows["conll"]["recall_low"] == rows["conll"]["precision_high"] == ""
    assert rows["blanc.coref"]["f1_low"] == ""
    assert {row["signature"] for row in rows.values()} == {shown["signature"]}


def test_intervals_of_groups_but_not_of_documents(here: Path) -> None:
    both = (*SCORE, "--by", "genre", "--by-document")
    shown = in_json(*both, "--metrics", "b3")
    assert set(shown["groups"]) == {"bc", "nw"}
    for group in shown["groups"].values():
        low, high = group["metrics"]["b3"]["interval"]["f1"]
        assert low < group["metrics"]["b3"]["f1"] < high
    assert all("interval" not in one["metrics"]["b3"] for one in shown["by_document"])
    for row in in_csv(*both, "--metrics", "b3"):
        assert (row["f1_low"] == "") == (row["scope"] == "document")
    assert max(map(width, good(*both).splitlines())) <= 80


def test_intervals_of_one_document(files: Path) -> None:
    Path("gold.conll").write_text(SMALL)
    Path("lump.conll").write_text(SMALL.replace("(1|(0)", "(1|(1)"))
    one = ("score", "gold.conll", "lump.conll", "--interval", "--metrics", "muc")
    assert good(*one).startswith(
        "metric  recall [95%]  precision [95%]  F1 [95%]\n"
        "───────────────────────────────────────────────\n"
        "MUC          50.00 –          50.00 –   50.00 –\n\nnote: "
    )
    assert in_json(*one)["metrics"]["muc"]["interval"] == {}
    assert in_csv(*one)[0]["f1_low"] == ""


def test_settings_of_intervals(here: Path) -> None:
    def interval(*options: object) -> list[float]:
        ends: list[float] = in_json(*SCORE, *options)["metrics"]["b3"]["interval"]["f1"]
        return ends

    assert interval() == interval("--seed", 1) != interval("--seed", 0)
    assert interval("--seed", 0) == interval("--seed", 0)
    assert interval("--method", "bca") != interval("--method", "percentile") == interval()
    (low, high), (lower, higher) = (interval("--confidence", level) for level in (90, 99))
    assert lower < low < high < higher


def test_intervals_of_macro_averages(here: Path) -> None:
    score = in_json(*SCORE, "--average", "macro")["metrics"]
    for one in score.values():
        for part, (low, high) in one["interval"].items():
            assert low <= one[part] <= high
    assert score["muc"]["interval"] != in_json(*SCORE)["metrics"]["muc"]["interval"]


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--seed", "7", "--samples", "300", "--confidence", "90", "--method", "bca"],
        ["--blanc", "gold", "--by", "genre"],
        ["--average", "macro"],
        ["--compat", "conll-8.01", "--confidence", "99.5", "--by-document"],
    ],
    ids=" ".join,
)
def test_a_signature_reproduces_intervals(here: Path, options: list[str]) -> None:
    names = ("score", "key.conll", "s0.conll")
    first = good(*names, "--interval", *options)
    kept = [*options[options.index("--by") :]] if "--by" in options else []
    kept += ["--by-document"] if "--by-document" in options else []
    assert good(*names, *kept, "--signature", signature_in(first)) == first


def test_a_signature_of_compare_gives_intervals_too(here: Path) -> None:
    signature = signature_in(good(*TWO, "--seed", 3, "--pairs", "all"))
    assert good("score", "key.jsonl", "s0.jsonl", "--signature", signature) == good(
        *SCORE, "--seed", 3
    )


@pytest.mark.parametrize("style", ["markdown", "latex"])
def test_intervals_in_markdown_and_latex(here: Path, style: str) -> None:
    read = markdown_tables if style == "markdown" else latex_tables
    (table,) = read(good(*SCORE, "--metrics", "b3,conll", f"--{style}"))
    assert [len(row) for row in table] == [4, 4, 4]
    assert re.fullmatch(r"\d\d\.\d\d \[\d\d\.\d\d, \d\d\.\d\d\]", table[1][3])
    assert table[2][1:3] == ["", ""]
    (table,) = read(good(*SCORE[:3], "s1.jsonl", *SCORE[3:], "--metrics", "b3", f"--{style}"))
    assert [row[0] for row in table[1:]] == ["s0", "", "s1", ""]


def test_interval_with_a_signature_changes_nothing(here: Path) -> None:
    first = good(*SCORE, "--seed", 7, "--confidence", 80)
    again = ("score", "key.jsonl", "s0.jsonl", "--signature", signature_in(first))
    assert good(*again) == first
    assert good(*again, "--interval") == first
