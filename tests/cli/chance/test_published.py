"""published end to end: tables, ranks of new systems, and the audit."""

from __future__ import annotations

import json
import math
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import sameas
from cli.chance.corpus import in_csv, in_json, latex_tables, markdown_tables, noted, width, wrong
from command_line import Stream, good, refused, run
from sameas.errors import UsageError, unknown
from saying import says

# --- published ----------------------------------------------------------------------------------

SHOWN = ("published", "--language", "arabic", "--metrics", "muc,conll")
LANGUAGES = ("english", "chinese", "arabic")
PUBLISHED = list(sameas.published().columns)


def ranked(
    system: str, rank: int, total: int, by: str = "CoNLL", group: str = "Arabic", **more: Any
) -> str:
    """Return the note on the rank of a new system."""
    group = group if group[:2] == "Co" else f"CoNLL-2012 {group}"
    return says("placed", system=system, rank=rank, total=total, metric=by, group=group, **more)


def test_published_official_scores() -> None:
    text = good("published", "--scorer", "v4", "--task", "conll-2011", "--system", "chang")
    assert "chang      64.88  57.15  67.14      –  41.94      –  55.96" in text
    assert noted(text)[0] == says("scorer-v4")
    assert len(in_json("published", "--scorer", "v4")) == 46


def test_published_counts() -> None:
    records = in_json("published")
    assert len(records) == 53
    counts = {
        (task, language): len(in_json("published", "--task", task, "--language", language))
        for task, language in (
            ("CoNLL-2011", "English"), ("CoNLL-2012", "English"),
            ("CoNLL-2012", "Chinese"), ("CoNLL-2012", "Arabic"),
        )
    }  # fmt: skip
    assert list(counts.values()) == [18, 15, 13, 7]
    assert list(records[0]) == [
        "task", "language", "system", "mention", "muc", "b3", "ceafm", "ceafe", "blanc", "conll",
        "blanc_recall", "blanc_precision",
    ]  # fmt: skip
    assert records[0]["system"] == "lee"
    text = good("published")
    assert [text.count(title) for title in ("CoNLL-2011 English\n", "CoNLL-2012 Arabic\n")] == [
        1,
        1,
    ]
    assert max(map(width, text.splitlines())) <= 80


def test_published_exports_read_back_to_the_same_numbers(files: Path) -> None:
    record = sameas.published()
    records = in_json("published")
    assert records == record.records()
    for row, line in zip(records, in_csv("published"), strict=True):
        assert {name: type(cell)(line[name]) for name, cell in row.items()} == row
    for style in ("csv", "json"):
        Path(f"record.{style}").write_text(good("published", f"--{style}"))
        again = sameas.tables.read_scores(f"record.{style}")
        assert again.records() == records
        assert style == "json" or again.decimals == record.decimals


def test_published_filters() -> None:
    assert good(*SHOWN) == good("published", "--language", " ARABIC ,", "--metrics", "MUC, CoNLL")
    found = in_json("published", "--language", "chinese,Arabic", "--system", "CHEN,fernandes")
    assert [(one["language"], one["system"]) for one in found] == [
        ("Chinese", "chen"), ("Chinese", "fernandes"), ("Arabic", "fernandes"), ("Arabic", "chen")
    ]  # fmt: skip
    assert len(in_json("published", "--task", "conll-2012")) == 35
    assert list(in_json(*SHOWN)[0]) == ["task", "language", "system", "muc", "conll"]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--task", "conll-2013"], unknown("task", "conll-2013", ("conll-2011", "conll-2012"))),
        (["--language", "arabi"], unknown("language", "arabi", LANGUAGES)),
        (
            ["--task", "CoNLL-2011", "--language", "Arabic"],
            unknown("language", "arabic", LANGUAGES[:1]),
        ),
        (["--language", "arabic,x"], unknown("language", "x", LANGUAGES)),
        (["--sort", "mcu"], unknown("column", "mcu", PUBLISHED)),
        (["--metrics", "muc,cnll"], unknown("column", "cnll", PUBLISHED)),
        (["--sort", "system"], UsageError("column-of-words", name="system", known=PUBLISHED)),
        (["--language", ","], UsageError("names-nothing", label="language", known=LANGUAGES)),
    ],
)
def test_published_unknown_names(options: list[str], error: UsageError) -> None:
    assert refused("published", *options) == wrong(error)


def test_published_sorted() -> None:
    for metric in ("muc", "MUC", "blanc_recall", "conll"):
        rows = in_json("published", "--language", "arabic,chinese", "--sort", metric)
        for language in ("Arabic", "Chinese"):
            values = [row[metric.lower()] for row in rows if row["language"] == language]
            assert values == sorted(values, reverse=True)
    assert in_json("published", "--sort", "conll") != in_json("published")
    assert sorted(map(str, in_json("published", "--sort", "b3"))) == sorted(
        map(str, in_json("published"))
    )


def test_published_in_markdown_and_latex() -> None:
    for read, style in ((markdown_tables, "markdown"), (latex_tables, "latex")):
        tables = read(good("published", f"--{style}"))
        assert [len(table) - 1 for table in tables] == [18, 15, 13, 7]
        assert tables[0][1][:2] == ["lee", "70.7"]
        assert tables[0][1][6] == "48.84"
    assert "**CoNLL-2012 Arabic**" in good("published", "--markdown")
    tex = good("published", "--latex")
    assert "\n\\multicolumn{10}{l}{CoNLL-2012 Arabic} \\\\\n" in tex
    assert tex.splitlines()[-1].startswith("% note: source: Luo")


def test_placing_a_system_in_every_group() -> None:
    out = good("published", "--place", "my system=conll:50.0")
    assert noted(out)[:4] == [
        ranked("my system", 2, 19, group="CoNLL-2011 English"),
        ranked("my system", 11, 16, group="English"),
        ranked("my system", 6, 14, group="Chinese"),
        ranked("my system", 1, 8),
    ]
    assert out.count("my system ") >= 8
    rows = [row for row in in_json("published", "--place", "x=conll:50") if row["system"] == "x"]
    assert [(row["task"], row["language"]) for row in rows] == [
        ("CoNLL-2011", "English"), ("CoNLL-2012", "English"),
        ("CoNLL-2012", "Chinese"), ("CoNLL-2012", "Arabic"),
    ]  # fmt: skip
    assert rows[0]["muc"] is None
    assert in_csv("published", "--place", "x=conll:50")[-8]["muc"] == ""


def test_placing_by_a_different_metric_and_scores_that_are_not_shown() -> None:
    out = good(*SHOWN, "--place", "x=muc:47,conll:1,lea:40", "--sort", "muc")
    assert noted(out)[0] == ranked("x", 2, 8, "MUC")
    assert says("not-in-record", metrics=["lea"]) in noted(out)
    assert re.search(r"(?m)^bjorkelund .*\n─+\nx +47\.0 +1\.0\n─+\nfernandes ", out)


def test_systems_without_the_score_have_no_rank() -> None:
    by_ceafm = ("published", "--scorer", "v4", "--sort", "ceafm", "--place", "x=ceafm:50")
    early = {"by": "CEAFm", "group": "CoNLL-2011 English", "how": "lacking"}
    assert noted(good(*by_ceafm))[:4] == [
        ranked("x", 4, 8, **early, count=4),
        ranked("x", 13, 16, "CEAFm", "English"),
        ranked("x", 9, 14, "CEAFm", "Chinese"),
        ranked("x", 5, 8, "CEAFm", "Arabic"),
    ]
    assert ranked("x", 1, 1, **early, count=1) in noted(good(*by_ceafm, "--system", "irwin"))


def test_unknown_values_of_a_new_system_are_dashes() -> None:
    out = good(*SHOWN, "--place", "x=conll:44")
    assert re.search(r"(?m)^x +– +44\.0$", out)
    (table,) = latex_tables(good(*SHOWN, "--place", "x_y=conll:44", "--latex"))
    assert table[2] == [r"x\_y", "--", "44.0"]
    (table,) = markdown_tables(good(*SHOWN, "--place", "x|y=conll:44", "--markdown"))
    assert table[2] == ["x|y", "–", "44.0"]


def test_a_new_system_shares_its_rank_with_an_equal_one() -> None:
    out = good(*SHOWN, "--place", "x=conll:43.5")
    assert ranked("x", 2, 8) in noted(out)
    order = [row["system"] for row in in_json(*SHOWN, "--place", "x=conll:43.5")]
    assert order[:3] == ["fernandes", "bjorkelund", "x"]
    for score, rank in ((100, 1), (45.2, 1), (45.1, 2), (16.2, 7), (16.1, 8), (2, 8)):
        assert ranked("x", rank, 8) in noted(good(*SHOWN, "--place", f"x=conll:{score}"))


def test_a_new_system_with_the_name_of_a_published_one() -> None:
    out = good(*SHOWN, "--place", "fernandes=conll:20")
    rule = "─" * 23
    assert f"\n{rule}\nfernandes      –   20.0\n{rule}\nli " in out
    assert "\nfernandes   46.5   45.2\n" in out
    assert ranked("fernandes", 7, 8) in noted(out)
    out = good(*SHOWN, "--place", "fernandes=conll:90")
    assert f"{rule}\nfernandes      –   90.0\n{rule}\nfernandes   46.5   45.2\nbjorkelund" in out


@pytest.mark.parametrize("name", ["one.csv", "one.json"])
def test_placing_output_of_score(here: Path, name: str) -> None:
    score = json.loads(Path("one.json").read_text())["metrics"]
    out = good(*SHOWN, "--place", f"mine={name}")
    muc, conll = (f"{100 * score[metric]['f1']:.1f}" for metric in ("muc", "conll"))
    assert re.search(rf"(?m)^mine +{muc} +{conll}$", out)
    assert ranked("mine", 1, 8) in noted(out)
    assert says("not-in-record", metrics=["lea"]) in noted(out)
    row = in_json("published", "--language", "arabic", "--place", f"mine={name}")[0]
    assert row["b3"] == pytest.approx(100 * score["b3"]["f1"], abs=1e-12)


def test_placing_from_standard_input_and_a_custom_table(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = good(*SHOWN, "--place", "mine=one.json")
    monkeypatch.setattr(sys, "stdin", Stream(Path("one.json").read_bytes()))
    assert good(*SHOWN, "--place", "mine=-") == expected
    Path("own:1.csv").write_text("system,conll,muc\nx,40.0,41.0\n")
    assert good(*SHOWN, "--place", "mine=own:1.csv") == good(
        *SHOWN, "--place", "mine=conll:40,muc:41"
    )


@pytest.mark.parametrize(
    ("place", "error"),
    [
        *((place, UsageError("not-name-scores", text=place))
          for place in ("mine", "=conll:5", "mine=")),
        *((f"mine={scores}", UsageError("not-a-score", text=text))
          for scores, text in (("conll:", "conll:"), ("conll:57.4,muc", "muc"), ("60", "60"))),
        *((f"mine={scores}", UsageError(
              "not-a-score", text=f"{metric}={number}", how="colon", metric=metric, number=number))
          for scores, metric, number in (("muc=60", "muc", "60"), ("conll:5,b3=5.5", "b3", "5.5"))),
        ("mine=conll:50, CONLL:51", UsageError("score-twice", metric="conll", first=50, second=51)),
        ("mine=muc:57.4", UsageError("not-placeable", name="mine", by="conll")),
        *((f"mine={scores}", UsageError("not-percentage", metric=metric, value=value, name="mine"))
          for scores, metric, value in (
              ("conll:0.574", "conll", 0.574),
              ("conll:57,muc:0.47", "muc", 0.47),
              ("conll:101", "conll", 101),
              ("conll:-1", "conll", -1),
              ("conll:nan", "conll", math.nan),
              ("conll:57,muc:inf", "muc", math.inf),
          )),
        ("mine=systems.csv", UsageError("one-placed", how="file", path="systems.csv", count=5)),
    ],
)  # fmt: skip
def test_new_systems_that_cannot_be_placed(here: Path, place: str, error: UsageError) -> None:
    assert refused("published", "--place", place) == wrong(error)


# --- audit --------------------------------------------------------------------------------------


def audited(rows: int, count: int) -> str:
    return says("audited", rows=rows, count=count) + "\n"


def test_audit_of_the_record() -> None:
    findings = sameas.tables.audit()
    assert [one.row for one in findings] == [
        "CoNLL-2011 English kobdani", "CoNLL-2012 English stamborg"
    ]  # fmt: skip
    kobdani, stamborg = (f"{one}\n" for one in findings)
    assert good("published", "--audit") == kobdani + stamborg + audited(53, 2)
    shown = [
        {"row": one.row, "column": "conll", "printed": one.printed, "reason": one.reason}
        for one in findings
    ]
    assert in_json("published", "--audit") == in_csv("published", "--audit") == shown
    part = ("published", "--audit")
    assert good(*part, "--task", "conll-2011") == kobdani + audited(18, 1)
    assert good(*part, "--system", "kobdani") == kobdani + audited(1, 1)
    assert good(*part, "--language", "arabic") == audited(7, 0)
    assert refused(*part, "--language", "arabi") == wrong(unknown("language", "arabi", LANGUAGES))


def test_audit_of_an_export_of_the_record(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for style in ("csv", "json"):
        text = good("published", f"--{style}")
        Path(f"record.{style}").write_text(text)
        assert good("published", "--audit", "--table", f"record.{style}") == good(
            "published", "--audit"
        )
        monkeypatch.setattr(sys, "stdin", Stream(text.encode()))
        assert good("published", "--audit", "--table", "-") == good("published", "--audit")


BAD = """\
system,mention,muc,muc_recall,muc_precision,b3,ceafe,blanc,blanc_recall,blanc_precision,conll
good,70.0,60.0,60.0,60.0,50.0,40.0,50.00,50.00,50.00,50.0
mean,70.0,60.0,60.0,60.0,50.0,40.0,50.00,50.00,50.00,50.2
rounded,70.0,60.0,60.0,60.0,50.0,40.0,50.00,50.00,50.00,50.1
harmonic,70.0,60.3,60.0,60.0,50.0,40.0,50.00,50.00,50.00,50.1
mentions,40.0,60.0,60.0,60.0,50.0,40.0,50.00,50.00,50.00,50.0
range,170.0,60.0,60.0,60.0,50.0,40.0,50.00,50.00,50.00,50.0
blanc,70.0,60.0,60.0,60.0,50.0,40.0,60.00,50.00,50.00,50.0
gaps,,60.0,,,50.0,40.0,,,,50.0
"""


def test_audit_of_a_table_with_mistakes(files: Path) -> None:
    Path("bad.csv").write_text(BAD)
    bad = ("published", "--audit", "--table", "bad.csv")
    found = sameas.tables.audit(sameas.tables.read_scores("bad.csv", missing="keep"))
    assert [one.code for one in found] == [
        "audit-average", "audit-harmonic", "audit-mentions", "audit-range", "audit-blanc"
    ]  # fmt: skip
    assert good(*bad) == "".join(f"{one}\n" for one in found) + audited(8, 5)
    assert [one["row"] for one in in_json(*bad)] == [
        "mean", "harmonic", "mentions", "range", "blanc"
    ]  # fmt: skip
    rows = in_csv(*bad)
    assert list(rows[0]) == ["row", "column", "printed", "reason"]
    assert [row["column"] for row in rows] == ["conll", "muc", "b3", "mention", "blanc"]


def test_audit_of_a_table_without_mistakes(files: Path) -> None:
    Path("good.csv").write_text("".join(BAD.splitlines(keepends=True)[:2]))
    clean = ("published", "--audit", "--table", "good.csv")
    assert good(*clean) == audited(1, 0)
    assert in_json(*clean) == []
    assert in_csv(*clean) == []
    Path("unnamed.csv").write_text("muc,b3,ceafe,conll\n60,50,40,90\n")
    assert good("published", "--audit", "--table", "unnamed.csv").startswith("row 1: conll 90, ")


def test_audit_finds_nothing_in_output_of_score(here: Path) -> None:
    for name in ("systems.csv", "systems.json"):
        assert good("published", "--audit", "--table", name) == audited(5, 0)


def test_long_arguments(here: Path) -> None:
    scores = ",".join(["conll:44", *(f"metric{n}:50.5" for n in range(30))])
    assert ranked("mine", 2, 8) in noted(good(*SHOWN, "--place", f"mine={scores}"))
    assert refused("compare", "key.jsonl", "s0.jsonl", "a=" + "x" * 300)[0] == 1


@pytest.mark.parametrize("style", ["markdown", "latex"])
def test_audit_in_markdown_and_latex(style: str) -> None:
    code, out, _ = run("published", "--audit", f"--{style}")
    assert code == 2 or out != good("published", "--audit")


@pytest.mark.parametrize("header", ["system,MUC,B3,CEAFe,CoNLL", "system,m u c,x,y,z"])
def test_audit_of_unknown_columns(files: Path, header: str) -> None:
    Path("table.csv").write_text(f"{header}\na,60,50,40,90\n")
    code, out, err = run("published", "--audit", "--table", "table.csv")
    assert code or err or not out.endswith(audited(1, 0))


def test_audit_of_numbers_with_other_decimals(files: Path) -> None:
    Path("table.csv").write_text(
        "system,muc,b3,ceafe,conll\na,60.2,50.2,40.4,50.2\nb,60.10,50.20,40.30,50.20\n"
    )
    assert good("published", "--audit", "--table", "table.csv") == audited(2, 0)


def test_audit_of_output_of_score(files: Path) -> None:
    scored = json.loads(Path("one.json").read_text())
    scored["metrics"]["conll"]["f1"] += 0.004
    Path("wrong.json").write_text(json.dumps(scored))
    assert len(in_json("published", "--audit", "--table", "wrong.json")) == 1


def test_audit_of_a_table_without_a_name() -> None:
    assert refused("published", "--audit", "--table", "")[0] in (1, 2)
