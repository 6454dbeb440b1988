"""compare end to end: several systems, seeds, settings, signatures."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest

import sameas
from cli.chance.corpus import (
    METRICS,
    QUICK,
    SYSTEMS,
    TWO,
    in_csv,
    in_json,
    latex_tables,
    noted,
    signature_in,
    width,
    wrong,
)
from command_line import good, refused, run
from sameas.errors import UsageError
from sameas.show.comparison import MARKS
from saying import says

VERSION = sameas.__version__
TITLES = {"muc": "MUC", "b3": "B³"}


# --- compare: several systems -------------------------------------------------------------------


def test_all_pairs_of_five_systems(here: Path) -> None:
    five = ("compare", "key.jsonl", *SYSTEMS, "--pairs", "all", *QUICK, "--metrics", "muc,b3")
    rows = in_csv(*five)
    pairs = list(dict.fromkeys((row["base"], row["new"]) for row in rows))
    assert pairs == list(itertools.combinations([f"s{n}" for n in range(5)], 2))
    for metric in ("muc", "b3"):
        values = sorted(
            (float(r["p"]), float(r["p_adjusted"])) for r in rows if r["metric"] == metric
        )
        largest = 0.0
        for rank, (p, adjusted) in enumerate(values):
            largest = max(largest, min(1.0, (10 - rank) * p))
            assert adjusted == largest
    text = good(*five)
    assert text.count("p (Holm)") == 10
    notes = noted(text)
    for (base, new), verdict in zip(pairs, notes[:10], strict=True):
        found = {
            row["metric"]: float(row["difference"])
            for row in rows
            if (row["base"], row["new"]) == (base, new) and float(row["p_adjusted"]) < 0.05
        }
        better = [title for name, title in TITLES.items() if found.get(name, 0) > 0]
        worse = [title for name, title in TITLES.items() if found.get(name, 0) < 0]
        how = "both" if better and worse else "better" if better else "worse" if worse else "none"
        told = {"better": {"better": better}, "worse": {"worse": worse}, "none": {}}
        told["both"] = {"better": better, "worse": worse}
        assert verdict == says("verdict", how=how, new=new, base=base, **told[how])
    assert notes[10:13] == [
        says("columns", how="documents"),
        says("marks", marks=MARKS, base="s0"),
        says("corrected", count=10),
    ]
    assert "|pairs:all|" in text


@pytest.mark.long
def test_marks_use_the_corrected_p_values(here: Path) -> None:
    for options in (["--pairs", "all"], ["--pairs", "first"], ["--correction", "none"]):
        five = ("compare", "key.jsonl", *SYSTEMS, *options, "--metrics", "muc,b3")
        rows = in_csv(*five)
        text = good(*five)
        marked = re.findall(r"(?m)^s(\d) +[\d.]+(\**) +[\d.]+(\**)$", text.split("\n\n")[0])
        assert marked[0] == ("0", "", "")
        for number, *marks in marked[1:]:
            found = [row for row in rows if (row["base"], row["new"]) == ("s0", f"s{number}")]
            levels = [float(row["p_adjusted"]) for row in found]
            assert marks == ["*" * ((p < 0.05) + (p < 0.01)) for p in levels]
        assert {"*" * len(mark) for one in marked for mark in one[1:]} >= {"", "**"}
        in_pairs = re.findall(r"(?m) ([01]\.\d{4})(\**) +−?\d+\.\d\d +\d+/\d+/\d+$", text)
        assert len(in_pairs) == len(rows)
        for row, (shown, mark) in zip(rows, in_pairs, strict=True):
            adjusted = float(row["p_adjusted"])
            assert shown == f"{adjusted:.4f}"
            assert mark == "*" * ((adjusted < 0.05) + (adjusted < 0.01))


def test_marks_are_superscripts_in_latex_and_literal_in_markdown(here: Path) -> None:
    five = ("compare", "key.jsonl", *SYSTEMS, "--metrics", "muc,b3")
    scores, *pairs = latex_tables(good(*five, "--latex"))
    assert re.fullmatch(r"\d\d\.\d\d\\textsuperscript\{\*\*\}", scores[4][1])
    assert re.fullmatch(r"0\.\d{4}\\textsuperscript\{\*\*\}", pairs[2][1][4])
    assert re.fullmatch(r"\d\d\.\d\d", scores[1][1])
    tex = good(*five, "--latex")
    bare = "\n".join(
        line for line in tex.splitlines() if not line.startswith(("%", r"\multicolumn"))
    )
    assert "*" not in re.sub(r"\\textsuperscript\{\*{1,2}\}", "", bare)
    text = good(*five, "--markdown")
    assert re.search(r"\| \d\d\.\d\d\\\*\\\* \|", text)
    assert "note: " + MARKS.replace("*", r"\*") in text
    assert not re.search(r"(?<![\\*])\*(?!\*)", text)


def test_only_several_pairs_are_corrected(here: Path) -> None:
    two = good(*TWO, "--metrics", "b3")
    assert "Holm" not in two
    assert "correction:holm" in two
    three = ("compare", "key.jsonl", *SYSTEMS[:3], *QUICK, "--metrics", "b3")
    assert says("corrected", count=2) in noted(good(*three))
    none = good(*three, "--correction", "none")
    assert "Holm" not in none
    assert "|correction:none|" in none
    assert all(row["p"] == row["p_adjusted"] for row in in_csv(*three, "--correction", "none"))


# --- compare: how -------------------------------------------------------------------------------


def numbers_of(*arguments: object) -> dict[str, Any]:
    """Return the numbers of the first pair, by metric."""
    found: dict[str, Any] = in_json(*arguments)["pairs"][0]["metrics"]
    return found


def test_equal_seeds_give_equal_digits_and_different_seeds_different_ones(here: Path) -> None:
    first = good(*TWO, "--json", "--seed", 0)
    assert first == good(*TWO, "--json", "--seed", 0)
    assert good(*TWO, "--json") == good(*TWO, "--json", "--seed", 1)
    zero, one = (numbers_of(*TWO, "--seed", seed)["b3"] for seed in (0, 1))
    assert zero["difference"] == one["difference"]
    assert zero["interval"] != one["interval"]


def test_higher_confidence_gives_wider_intervals(here: Path) -> None:
    ninety, ninety_nine = (numbers_of(*TWO, "--confidence", level) for level in (90, 99))
    for metric in METRICS[1:]:
        (low, high), (lower, higher) = (
            found[metric]["interval"] for found in (ninety, ninety_nine)
        )
        assert lower <= low < high <= higher
        assert higher - lower > high - low
        assert ninety[metric]["p"] == ninety_nine[metric]["p"]
    assert "  90% interval  " in good(*TWO, "--confidence", 90)
    assert " 99.5% interval " in good(*TWO, "--confidence", 99.5)


VERDICT = says("verdict", how="better", new="s1_six", base="s0_six", better=["MUC"])


def test_a_verdict_names_the_metrics_that_differ(here: Path) -> None:
    def verdict(*systems: str) -> str:
        return noted(good("compare", "key.jsonl", *systems, *QUICK, "--metrics", "muc,b3"))[0]

    both = ("compare", "key.jsonl", "s0.jsonl", "s1.jsonl", *QUICK, "--metrics", "muc,b3")
    found = numbers_of(*both)
    significant = [name for name, one in found.items() if one["p_adjusted"] < 0.05]
    assert significant
    assert all(found[name]["difference"] > 0 for name in significant)
    titles = [TITLES[name] for name in significant]
    better = says("verdict", how="better", new="s1", base="s0", better=titles)
    assert verdict("s0.jsonl", "s1.jsonl") == better
    worse = says("verdict", how="worse", new="s0", base="s1", worse=titles)
    assert verdict("s1.jsonl", "s0.jsonl") == worse


def test_the_bootstrap_test_and_bca(here: Path) -> None:
    plain = numbers_of(*TWO)["b3"]
    bootstrap = numbers_of(*TWO, "--test", "bootstrap")["b3"]
    assert bootstrap["interval"] == plain["interval"]
    assert bootstrap["exact"] is False
    assert bootstrap["p"] == 1 / 201
    bca = numbers_of(*TWO, "--method", "bca")["b3"]
    assert bca["interval"] != plain["interval"]
    assert bca["interval"][0] < bca["difference"] < bca["interval"][1]
    assert bca["p"] == plain["p"]
    six = ("compare", "key_six.jsonl", "s0_six.jsonl", "s1_six.jsonl", "--test", "bootstrap")
    text = good(*six)
    verdict, columns, marks, *others = noted(text)
    assert verdict.partition(" on ")[0] == VERDICT.partition(" on ")[0]
    assert columns == says("columns", how="documents")
    assert marks == says("marks", marks=MARKS, base="s0_six")
    assert others == [says("few-documents-compared", count=6)]


def test_samples(here: Path) -> None:
    assert numbers_of(*TWO)["b3"]["p"] == 1 / 201
    more = ("compare", "key.jsonl", "s0.jsonl", "s2.jsonl", "--samples", 500)
    assert numbers_of(*more)["b3"]["p"] == 1 / 501
    assert "|samples:500" in good(*more)
    six = ("compare", "key_six.jsonl", "s0_six.jsonl", "s1_six.jsonl", "--metrics", "b3")
    assert numbers_of(*six, "--samples", 100)["b3"] == {
        **numbers_of(*six)["b3"],
        "interval": numbers_of(*six, "--samples", 100)["b3"]["interval"],
    }


@pytest.mark.parametrize(
    "options",
    [
        ["--average", "macro"],
        ["--singletons", "drop"],
        ["--blanc", "gold"],
        ["--duplicates", "merge"],
        ["--missing-documents", "error"],
        ["--compat", "conll-8.01"],
        ["--compat", "conll-8.01", "--average", "macro"],
        ["--format", "conll"],
    ],
    ids=" ".join,
)
def test_settings_are_those_of_score(here: Path, options: list[str]) -> None:
    names = ("key.conll", "s0.conll", "s1.conll")
    shown = in_json("compare", *names, *options, *QUICK)
    scored = in_json("score", *names, *options)
    for one, alone in zip(shown["systems"].values(), scored, strict=True):
        for metric, score in alone["metrics"].items():
            assert {**one["metrics"][metric], "interval": 0} == {**score, "interval": 0}
    for part in alone["signature"].split("|docs:")[0].split("|"):
        assert part in shown["signature"].split("|")
    for metric, numbers in shown["pairs"][0]["metrics"].items():
        new, base = (shown["systems"][name]["metrics"][metric]["f1"] for name in ("s1", "s0"))
        assert numbers["difference"] == new - base


def test_macro_and_micro_averages_differ(here: Path) -> None:
    micro, macro = (numbers_of(*TWO, "--average", kind)["muc"] for kind in ("micro", "macro"))
    assert micro["difference"] != macro["difference"]
    assert [micro[one] for one in ("wins", "ties", "losses")] == [
        macro[one] for one in ("wins", "ties", "losses")
    ]


def test_every_metric_can_be_compared(here: Path) -> None:
    found = numbers_of(*TWO, "--metrics", "all")
    assert len(found) == len(sameas.METRICS)
    assert list(numbers_of(*TWO, "--metrics", "lea,pairwise")) == ["lea", "pairwise"]


@pytest.mark.parametrize("digits", [0, 1, 5, 12])
def test_digits(here: Path, digits: int) -> None:
    difference = numbers_of(*TWO)["b3"]["difference"]
    text = good(*TWO, "--metrics", "b3", "--digits", digits)
    assert f" {100 * difference:+.{digits}f} " in text
    assert re.search(r" 0\.\d{4}\*\* ", text)  # p-values keep four digits
    assert max(map(width, text.splitlines())) <= 80


@pytest.mark.long
@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--seed", "7", "--samples", "300", "--confidence", "90", "--method", "bca"],
        ["--test", "bootstrap", "--pairs", "all", "--correction", "none"],
        ["--singletons", "drop", "--blanc", "gold", "--seed", "0"],
        ["--average", "macro", "--seed", "0"],
        ["--compat", "conll-8.01", "--confidence", "99.5"],
    ],
    ids=" ".join,
)
def test_a_signature_reproduces_a_comparison(here: Path, options: list[str]) -> None:
    names = ("compare", "key.conll", "s0.conll", "s1.conll")
    first = good(*names, *options)
    assert good(*names, "--signature", signature_in(first)) == first
    for style in ("--csv", "--latex", "--markdown", "--json"):
        # With CSV, the notes are on standard error, and the same.
        again = run(*names, "--signature", signature_in(first), style)
        assert run(*names, *options, style) == again
        assert again[0] == 0


def test_a_signature_of_score_can_be_compared_with(here: Path) -> None:
    of_score = signature_in(good("score", "key.jsonl", "s0.jsonl", "--blanc", "gold"))
    assert good("compare", "key.jsonl", "s0.jsonl", "s2.jsonl", "--signature", of_score) == good(
        "compare", "key.jsonl", "s0.jsonl", "s2.jsonl", "--blanc", "gold"
    )
    interval = ("--interval", "--seed", 5, *QUICK)
    of_interval = signature_in(good("score", "key.jsonl", "s0.jsonl", *interval))
    assert good(*TWO[:4], "--signature", of_interval) == good(*TWO, "--seed", 5)


def test_a_signature_of_other_documents_or_another_version_is_noted(here: Path) -> None:
    text = "sameas:coref|samples:200|docs:9|version:0.0.1"
    code, _, err = run(*TWO[:4], "--signature", text)
    assert code == 0
    assert f"note: {says('other-version', given='0.0.1', now=VERSION)}\n" in err
    assert f"note: {says('other-documents', given=9, name='s0.jsonl', now=24)}\n" in err


@pytest.mark.parametrize(
    "option",
    [
        ["--seed", "1"],
        ["--samples", "10000"],
        ["--confidence", "95"],
        ["--method", "bca"],
        ["--test", "bootstrap"],
        ["--pairs", "all"],
        ["--correction", "none"],
        ["--average", "micro"],
        ["--compat", "conll-8.01"],
    ],
    ids=" ".join,
)
def test_a_signature_excludes_other_settings(here: Path, option: list[str]) -> None:
    found = refused(*TWO[:4], "--signature", "sameas:coref|docs:24", *option)
    compares = UsageError("signature-decides", how="compare")
    assert found in (wrong(compares), wrong(UsageError("signature-decides")))


# --- cases that once failed -------------------------------------------------------------------


@pytest.mark.parametrize("part", ["pairs:all", "correction:none"])
def test_a_signature_may_omit_the_test(here: Path, part: str) -> None:
    option, value = part.split(":")
    assert good(*TWO[:4], "--signature", f"sameas:coref|samples:200|{part}|docs:24") == good(
        *TWO, f"--{option}", value
    )


@pytest.mark.parametrize("confidence", ["99.99999", "97.1234567"])
def test_a_signature_has_all_digits_of_the_confidence(here: Path, confidence: str) -> None:
    first = good(*TWO, "--confidence", confidence, "--json")
    signature = json.loads(first)["signature"]
    assert good(*TWO[:4], "--signature", signature, "--json") == first


def test_a_signature_of_shared_documents_needs_no_note(here: Path) -> None:
    names = ("compare", "key.jsonl", "s0.jsonl", "few.jsonl", "--metrics", "b3")
    first = good(*names, "--missing-documents", "skip", *QUICK)
    assert good(*names, "--signature", signature_in(first)) == first
