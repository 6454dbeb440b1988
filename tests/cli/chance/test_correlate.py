"""correlate end to end: coefficients, groups, intervals, plots."""

from __future__ import annotations

import json
import random
import re
import sys
from pathlib import Path

import pytest

from cli.chance.corpus import (
    OWN,
    QUICK,
    SYSTEMS,
    in_csv,
    in_json,
    latex_tables,
    markdown_tables,
    noted,
    shell,
    width,
    wrong,
)
from command_line import Stream, good, refused, run
from sameas.errors import InputError, Problem, UsageError, unknown
from saying import says

LABELS = ["system", "group"]
COLUMNS = {
    name: [float(line.split(",")[n]) for line in OWN.splitlines()[1:]]
    for n, name in ((2, "muc"), (3, "b3"), (4, "blanc"))
}


def test_coefficients_equal_those_of_scipy(files: Path) -> None:
    stats = pytest.importorskip("scipy.stats")
    for one in in_json("correlate", "own.csv", *QUICK)["correlations"]:
        x, y = COLUMNS[one["x"]], COLUMNS[one["y"]]
        for name, function in (
            ("pearson", stats.pearsonr),
            ("spearman", stats.spearmanr),
            ("kendall", stats.kendalltau),
        ):
            assert one[name]["value"] == pytest.approx(function(x, y).statistic, abs=1e-12)


def test_correlate_in_every_style(files: Path) -> None:
    own = ("correlate", "own.csv", *QUICK)
    shown = in_json(*own)
    assert list(shown) == ["signature", "rows", "correlations", "notes"]
    assert [(one["x"], one["y"]) for one in shown["correlations"]] == [
        ("muc", "b3"), ("muc", "blanc"), ("b3", "blanc")
    ]  # fmt: skip
    rows = in_csv(*own)
    assert list(rows[0]) == [
        "group", "x", "y", "rows", "coefficient", "value", "low", "high", "signature"
    ]  # fmt: skip
    for n, row in enumerate(rows):
        one = shown["correlations"][n // 3]
        found = one[row["coefficient"]]
        assert (row["x"], row["y"], row["rows"], row["group"]) == (one["x"], one["y"], "6", "")
        assert float(row["value"]) == found["value"]
        assert [float(row["low"]), float(row["high"])] == found["interval"]
        assert row["signature"] == shown["signature"]
    for read, style in ((markdown_tables, "markdown"), (latex_tables, "latex")):
        (table,) = read(good(*own, f"--{style}"))
        assert len(table) == 4
        assert table[1][1].startswith(f"{shown['correlations'][0]['pearson']['value']:.3f} [")
    assert r"MUC -- B\textsuperscript{3} & " in good(*own, "--latex")
    assert r"Pearson [95\%]" in good(*own, "--latex")


def test_digits_of_correlations(files: Path) -> None:
    own = ("correlate", "own.csv", *QUICK)
    value = in_json(*own)["correlations"][0]["pearson"]["value"]
    for digits in (0, 1, 6, 12):
        text = good(*own, "--digits", digits)
        assert f" {value:.{digits}f} [" in text
        assert max(map(width, text.splitlines())) <= 80


def test_choices_of_columns(files: Path) -> None:

    def pairs(*options: object) -> list[tuple[str, str]]:
        found = in_json("correlate", "own.csv", *QUICK, *options)["correlations"]
        return [(one["x"], one["y"]) for one in found]

    assert pairs("--metrics", "blanc, muc") == [("blanc", "muc")]
    assert pairs("--with", "b3") == [("muc", "b3"), ("blanc", "b3")]
    assert pairs("--with", "b3", "--metrics", "blanc") == [("blanc", "b3")]
    assert pairs("--with", "b3", "--metrics", "b3,blanc") == [("blanc", "b3")]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--metrics", "muc,b"], unknown("column", "b", COLUMNS)),
        (
            ["--metrics", "muc,group"],
            UsageError("column-of-words", name="group", known=list(COLUMNS)),
        ),
        (["--with", "blnc"], unknown("column", "blnc", COLUMNS)),
        (["--by", "grup"], unknown("column of words", "grup", LABELS)),
        (["--draw", "grup"], unknown("column of words", "grup", LABELS)),
        (["--draw", "(z)"], UsageError("group-matches-none", group="(z)", name="a x")),
        (["--draw", ".+"], UsageError("group-no-parentheses", group=".+", known=LABELS)),
    ],
)
def test_unknown_columns(files: Path, options: list[str], error: UsageError) -> None:
    assert refused("correlate", "own.csv", *options) == wrong(error)


def test_groups_of_rows(files: Path) -> None:
    own = ("correlate", "own.csv", *QUICK, "--metrics", "muc,b3")
    text = good(*own, "--by", "group")
    assert re.findall(r"(?m)^.*\d rows$", text) == ["x: 3 rows", "y: 3 rows", "6 rows"]
    assert noted(text) == [
        says("drawn-from", how="too-few", groups=["x: 3", "y: 3"]),
        says("drawn-from", how="few", groups=["6"]),
        says("same-in-samples"),
    ]
    shown = in_json(*own, "--by", "group")
    assert list(shown["groups"]) == ["x", "y"]
    assert shown["correlations"] == in_json(*own)["correlations"]
    rows = in_csv(*own, "--by", "group")
    assert [row["group"] for row in rows[::3]] == ["x", "y", ""]
    Path("x.csv").write_text("\n".join(OWN.splitlines()[:4]))
    alone = in_json("correlate", "x.csv", *QUICK, "--metrics", "muc,b3")
    assert shown["groups"]["x"] == alone["correlations"]


def test_rows_drawn_together(files: Path) -> None:
    runs = OWN.replace("a,x", "r.0,x").replace("b,x", "r.1,x").replace("d,y", "s.0,y")
    Path("own.csv").write_text(runs.replace("e,y", "s.1,y"))
    text = good("correlate", "own.csv", *QUICK, "--metrics", "muc,b3", "--draw", r"(\w)\.\d")
    assert text.startswith("6 rows of 4 groups\n")
    assert r"|draw:(\w)\.\d|" in text
    note = says("drawn-alone", count=2, total=6, draw=r"(\w)\.\d", how="themselves")
    assert note in noted(text)
    parts = in_json(
        "correlate", "own.csv", *QUICK, "--metrics", "muc,b3", "--draw", r"(r)\.", "--by", "group"
    )["groups"]  # y has no row in r
    assert [part[0]["drawn"] for part in parts.values()] == [2, 3]
    whole = in_json("correlate", "own.csv", *QUICK, "--metrics", "muc,b3", "--draw", "group")
    assert [one["drawn"] for one in whole["correlations"]] == [2]
    by_number = OWN.replace(",x,", ",1,").replace(",y,", ",2,")
    Path("own.csv").write_text(by_number)
    again = in_json("correlate", "own.csv", *QUICK, "--metrics", "muc,b3", "--draw", "group")
    assert again == whole


@pytest.mark.parametrize(("by", "which"), [([], ["all"]), (["--by", "group"], ["x", "all"])])
def test_rows_all_drawn_as_one(files: Path, by: list[str], which: list[str]) -> None:
    Path("own.csv").write_text(OWN.replace(",y,", ",x,"))
    text = good("correlate", "own.csv", *QUICK, "--metrics", "muc,b3", "--draw", "group", *by)
    assert "6 rows of 1 group\n" in text
    assert noted(text) == [says("drawn-as-one", groups=which)]
    assert "[" not in text.split("──\n")[1].split("\n")[0]  # the row has no interval


def test_documents_stay_whole_next_to_groups(files: Path) -> None:
    """Rows that the expression does not match are drawn with their documents."""
    rows = (
        f"{system},document,{genre}{n},{metric},{(7 * n + k * j) % 11 / 11}"
        for k, system in enumerate("abc", 1)
        for n, genre in enumerate(["news", "news", "web", "web", "chat"])
        for j, metric in enumerate(("muc", "b3"), 1)
    )
    Path("long.csv").write_text("\n".join(["response,scope,name,metric,f1", *rows]))
    ask = ("correlate", "long.csv", *QUICK, "--by-document", "--draw", r"(news)\d")
    text = good(*ask)
    assert text.startswith("15 rows of 4 groups\n")
    assert noted(text) == [
        says("drawn-from", how="too-few", groups=["4"]),
        says("drawn-alone", count=9, total=15, draw=r"(news)\d", how="documents"),
    ]


def test_groups_by_name_with_rows_drawn_together(files: Path) -> None:
    """Rows keep their names when they are grouped twice."""
    rows = (
        f"{team}.{seed},{3 * n + seed},{n * seed}"
        for n, team in enumerate("abcd")
        for seed in (1, 2)
    )
    Path("own.csv").write_text("\n".join(["system,muc,b3", *rows]))
    found = in_json("correlate", "own.csv", *QUICK, "--draw", r"^(\w)", "--by", r"\.(\d)$")
    assert {name: part[0]["drawn"] for name, part in found["groups"].items()} == {"1": 4, "2": 4}
    assert found["correlations"][0]["drawn"] == 4


def test_seeds_samples_confidence_and_bca(files: Path) -> None:

    def interval(*options: object) -> list[float]:
        found = in_json("correlate", "own.csv", "--samples", 500, *options)
        ends: list[float] = found["correlations"][1]["pearson"]["interval"]
        return ends

    assert interval() == interval("--seed", 1) != interval("--seed", 0) == interval("--seed", 0)
    (low, high), (lower, higher) = (interval("--confidence", level) for level in (90, 99))
    assert lower < low < high < higher
    assert interval("--method", "bca") != interval()
    text = good("correlate", "own.csv", "--confidence", 90, "--method", "bca", "--seed", 9, *QUICK)
    assert "Kendall [90%]" in text
    assert "sameas:correlate|interval:bca|confidence:90|samples:200|seed:9|rows:6" in text


@pytest.mark.parametrize("style", ["csv", "json"])
def test_correlate_output_of_score(here: Path, style: str) -> None:
    systems = ("correlate", f"systems.{style}", *QUICK)
    shown = in_json(*systems)
    assert shown["rows"] == 5
    assert len(shown["correlations"]) == 8 * 7 / 2
    recall = in_json(*systems, "--part", "recall")
    assert len(recall["correlations"]) == 7 * 6 / 2
    assert says("part-left-out", part="recall", metrics=["conll"]) in recall["notes"]
    precision = in_json(*systems, "--part", "precision", "--metrics", "muc,b3")
    by_f1 = in_json(*systems, "--metrics", "muc,b3")
    assert precision["correlations"] != by_f1["correlations"]
    documents = ("correlate", f"documents.{style}", "--by-document", *QUICK)
    found = in_json(*documents, "--metrics", "muc,b3", "--by", "response")
    assert found["rows"] == 48
    assert "\n48 rows of 24 documents\n" in good(
        *documents, "--metrics", "muc,b3", "--by", "response"
    )
    assert list(found["groups"]) == ["s0.jsonl", "s1.jsonl"]
    few = says("too-few-rows", count=2)
    assert refused("correlate", f"documents.{style}") == (1, f"{few}\n")
    code, err = refused("correlate", f"systems.{style}", "--by-document")
    assert (code, f"--by-document --{style}" in err) == (1, True)


def test_output_of_score_is_equal_in_csv_and_json(here: Path) -> None:
    for name, options in (("systems", []), ("documents", ["--by-document"])):
        for part in ("f1", "recall", "precision"):
            one, other = (
                good("correlate", f"{name}.{style}", *options, "--part", part, *QUICK,
                     "--with", "b3")
                for style in ("csv", "json")
            )  # fmt: skip
            assert one == other


def test_correlations_over_documents_equal_those_of_the_scores(here: Path) -> None:
    stats = pytest.importorskip("scipy.stats")
    records = json.loads(Path("documents.json").read_text())
    x, y = (
        [one["metrics"][metric]["f1"] for record in records for one in record["by_document"]]
        for metric in ("muc", "b3")
    )
    (found,) = in_json(
        "correlate", "documents.csv", "--by-document", "--metrics", "muc,b3", *QUICK
    )["correlations"]
    assert found["pearson"]["value"] == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-12)
    assert found["kendall"]["value"] == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)


def test_several_files_are_one_table(files: Path) -> None:
    lines = OWN.splitlines(keepends=True)
    Path("one.csv").write_text("".join(lines[:3]))
    Path("two.tsv").write_text("".join([lines[0], *lines[3:]]).replace(",", "\t"))
    assert good("correlate", "one.csv", "two.tsv", *QUICK) == good("correlate", "own.csv", *QUICK)
    parts = []
    for name in SYSTEMS:
        parts.append(f"{name}.json")
        Path(parts[-1]).write_text(good("score", "key.jsonl", name, "--json"))
    assert good("correlate", *parts, *QUICK) == good("correlate", "systems.json", *QUICK)


def test_files_with_other_columns_need_metrics(files: Path) -> None:
    Path("other.csv").write_text(OWN.replace("blanc", "lea"))
    lacking = (
        Problem("no-scores-column", "own.csv", name="lea"),
        Problem("no-scores-column", "other.csv", name="blanc"),
    )
    assert refused("correlate", "own.csv", "other.csv") == (1, f"{InputError(lacking)}\n")
    assert in_json("correlate", "own.csv", "other.csv", "--metrics", "muc,b3")["rows"] == 12


def test_the_published_record(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    direct = good("correlate", "--published", *QUICK, "--by", "task", "--with", "conll")
    table = good("published", "--csv")
    monkeypatch.setattr(sys, "stdin", Stream(table.encode()))
    assert good("correlate", "-", *QUICK, "--by", "task", "--with", "conll") == direct
    Path("record.json").write_text(good("published", "--json"))
    assert good("correlate", "record.json", *QUICK, "--by", "task", "--with", "conll") == direct
    assert "53 rows\n" in direct
    assert "CoNLL-2011: 18 rows\n" in direct


def test_published_piped_into_correlate() -> None:
    table = shell("published", "--csv")
    piped = shell("correlate", "-", *QUICK, "--metrics", "muc,b3", stdin=table.stdout)
    assert (piped.returncode, piped.stderr) == (0, b"")
    direct = good("correlate", "--published", *QUICK, "--metrics", "muc,b3")
    assert piped.stdout.decode() == direct


@pytest.mark.parametrize("gap", ["", "NaN", "n/a", "-"])
def test_missing_scores(files: Path, gap: str) -> None:
    Path("own.csv").write_text(OWN.replace("55.0", gap).replace("33.0", gap))
    missing = [
        Problem("missing-score", "own.csv", *place, metric=metric, how="row", row=row)
        for place, metric, row in (((4, 5), "muc", "c x"), ((7, 15), "blanc", "f y"))
    ]
    assert refused("correlate", "own.csv") == (1, f"{InputError(missing)}\n")
    for left_out, options in ((2, []), (1, ["--metrics", "muc,b3"])):
        out = good("correlate", "own.csv", *QUICK, "--skip-missing", *options)
        assert out.startswith(f"{6 - left_out} rows\n")
        assert says("rows-left-out", count=left_out, total=6) in noted(out)


def test_a_constant_score(files: Path) -> None:
    Path("own.csv").write_text(re.sub(r"(?m)(\d\d)\.0$", "50.0", OWN))
    out = good("correlate", "own.csv", *QUICK)
    assert re.search(r"(?m)^MUC – BLANC +– +– +–$", out)
    assert says("same-everywhere") in noted(out)
    found = in_json("correlate", "own.csv", *QUICK)["correlations"][1]
    assert found["pearson"] == {"value": None, "interval": None}
    assert in_csv("correlate", "own.csv", *QUICK)[3]["value"] == ""
    for style in ("markdown", "latex"):
        good("correlate", "own.csv", *QUICK, f"--{style}")
    assert in_json("correlate", "own.csv", *QUICK, "--method", "bca")["rows"] == 6


def test_many_rows_have_no_kendall_interval(files: Path) -> None:
    generator = random.Random(0)
    lines = [f"{n},{generator.random()},{generator.random()}" for n in range(3001)]
    Path("many.csv").write_text("\n".join(["name,a,b", *(f"r{line}" for line in lines)]))
    (found,) = in_json("correlate", "many.csv", "--samples", 100)["correlations"]
    assert found["kendall"]["value"] is not None
    assert found["kendall"]["interval"] is None
    assert found["spearman"]["interval"] is not None
    assert noted(good("correlate", "many.csv", "--samples", 100)) == [says("no-kendall", most=3000)]


@pytest.mark.long
@pytest.mark.parametrize("name", ["a.svg", "a.png", "a.pdf", "A.SVG"])
def test_plots(files: Path, name: str) -> None:
    pytest.importorskip("matplotlib")
    arguments = ("correlate", "own.csv", *QUICK, "--by", "group", "--plot", name)
    text = good(*arguments)
    assert text == good(*arguments[:-2])
    first = Path(name).read_bytes()
    start = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[name.lower()[-3:]]
    assert first.startswith(start)
    good(*arguments)
    assert Path(name).read_bytes() == first


def test_plots_without_matplotlib(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, err = refused("correlate", "own.csv", "--plot", "a.svg")
    assert (code, f"{sys.executable} -m pip install matplotlib\n" in err) == (2, True)
    good("correlate", "own.csv", *QUICK)


@pytest.mark.parametrize("name", ["a.bmp", "a", "a.svg.gz", "svg"])
def test_unknown_kinds_of_plots(files: Path, name: str) -> None:
    code, err = refused("correlate", "own.csv", "--plot", name)
    assert (code, name in err) == (2, True)


def test_small_groups_are_noted(files: Path) -> None:
    Path("own.csv").write_text(OWN.replace("f,y", "f,z"))
    out = good("correlate", "own.csv", "--by", "group", *QUICK)
    for name, rows in (("y", 2), ("z", 1)):
        assert says("group-too-small", group=name, count=rows) in noted(out)
    assert out.startswith("x: 3 rows\n")


def test_a_group_without_a_name(files: Path) -> None:
    Path("own.csv").write_text(OWN.replace(",x,", ",,"))
    rows = in_csv("correlate", "own.csv", "--by", "group", *QUICK, "--metrics", "muc,b3")
    assert sorted(row["rows"] for row in rows[::3]) == ["3", "3", "6"]


def test_skipping_rows_with_scores_that_another_file_lacks(files: Path) -> None:
    Path("other.csv").write_text("system,muc,b3\ng,40.0,30.0\n")
    out = good("correlate", "own.csv", "other.csv", "--skip-missing", *QUICK)
    assert says("rows-left-out", count=1, total=7) in noted(out)


@pytest.mark.parametrize("mark", ["%", "*", "**"])
def test_numbers_with_marks_are_not_skipped_silently(files: Path, mark: str) -> None:
    Path("own.csv").write_text(re.sub(r"(?m)(\d\d\.0)$", rf"\1{mark}", OWN))
    code, out, err = run("correlate", "own.csv", *QUICK)
    assert code or "blanc" in (out + err).lower()


def test_bca_over_two_documents(files: Path) -> None:
    Path("own.csv").write_text(
        "document,system,muc,b3\nA,x,50,40\nA,y,50,40\nB,x,60,70\nB,y,60,70\n"
    )
    for seed in range(4):
        good("correlate", "own.csv", "--method", "bca", "--samples", 100, "--seed", seed)


def test_intervals_of_correlations_are_within_bounds(files: Path) -> None:
    Path("own.csv").write_text(
        "system,b3,muc\na,41.4,57.66\nb,18.7,27.0\nc,30.05,42.33\nd,20,28.755\ne,25,35.5\n"
    )
    (found,) = in_json("correlate", "own.csv", *QUICK)["correlations"]
    low, high = found["pearson"]["interval"]
    assert -1 <= low <= high <= 1


def test_rows_of_one_document_have_no_interval(files: Path) -> None:
    Path("own.csv").write_text(
        OWN.replace(",x,", ",d,").replace(",y,", ",d,").replace("group", "document")
    )
    (found, *_) = in_json("correlate", "own.csv", *QUICK)["correlations"]
    assert found["pearson"]["interval"] is None


def test_plots_of_columns_with_dollars(files: Path) -> None:
    pytest.importorskip("matplotlib")
    Path("own.csv").write_text(OWN.replace("blanc", r"$\foo$"))
    good("correlate", "own.csv", *QUICK, "--plot", "a.svg")


def test_plots_name_every_group(files: Path) -> None:
    pytest.importorskip("matplotlib")
    Path("own.csv").write_text(OWN.replace(",x,", ",_old,").replace(",y,", ",new,"))
    good("correlate", "own.csv", *QUICK, "--by", "group", "--plot", "a.svg")
    assert "<!-- new -->" in Path("a.svg").read_text()
    assert "<!--  _old -->" in Path("a.svg").read_text()


def test_plots_with_characters_that_the_font_lacks(files: Path) -> None:
    pytest.importorskip("matplotlib")
    Path("own.csv").write_text(OWN.replace("blanc", "中文"))
    good("correlate", "own.csv", *QUICK, "--plot", "a.svg")
