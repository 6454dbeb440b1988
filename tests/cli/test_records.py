"""Tables of records on the command line: everything speaks of records and clusters."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest

from command_line import good, refused, run, unwrapped, write
from saying import says

TRUTH = "record,cluster\nr1,A\nr2,A\nr3,A\nr4,B\nr5,B\nr6,C\nr7,D\nr8,D\nr9,E\n"
PREDICTION = "record,cluster\nr1,x\nr2,x\nr3,y\nr4,y\nr5,y\nr6,z\nr7,w\n"
MENTIONS = re.compile(r"\b(mention|entit|response)|\bkey\b", re.IGNORECASE)


@pytest.fixture(autouse=True)
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("truth.csv", TRUTH)
    write("prediction.csv", PREDICTION)
    rows = (f"b{number // 5},{line}" for number, line in enumerate(TRUTH.splitlines()[1:]))
    write("blocks.csv", "\n".join(["document,record,cluster", *rows, ""]))
    write("others.csv", "document,record,cluster\nb0,r1,1\nb0,r2,1\nb0,r4,1\nb1,r6,2\n")


# --- errors --------------------------------------------------------------------------------------


def test_records_have_no_span_errors() -> None:
    for files in (("truth.csv", "prediction.csv"), ("blocks.csv", "blocks.csv")):
        out = good("errors", *files)
        assert "clusters" in out
        assert "span" not in out
        assert not MENTIONS.search(out)


@pytest.mark.parametrize(
    ("printed", "ours"),
    [
        ("--kind=extra-record", "--kind=extra-mention"),
        ("--kind=missing-cluster,XE", "--kind=missing-entity,XE"),
        ("--by=record", "--by=mention"),
        ("--where=record=unknown", "--where=mention=unknown"),
        ("--document=truth --show=prediction", "--document=truth --show=response"),
        ("--document=truth --show=truth", "--document=truth --show=key"),
    ],
)
def test_options_accept_the_words_of_the_tables(printed: str, ours: str) -> None:
    files = ("errors", "truth.csv", "prediction.csv")
    assert good(*files, *printed.split()) == good(*files, *ours.split())


SAMPLED = PREDICTION + "r10,v\nr11,v\nr12,u\n"


def test_the_list_shows_the_clusters_of_both_tables() -> None:
    write("sampled.csv", SAMPLED + "r13,a-long-identifier-of-a-cluster-1\n")
    code, out, _ = run("errors", "truth.csv", "sampled.csv", "--list")
    columns, kinds, _, *lines = out.partition("\n\nnote:")[0].splitlines()
    assert code == 0
    assert columns == "columns: number, kind, truth, prediction, error"
    assert kinds.startswith("kinds: C conflated, ")
    rows = [line.split(maxsplit=4) for line in lines if re.match(r" *\d+ ", line)]
    assert [int(number) for number, *_ in rows] == list(range(len(rows)))
    table = csv.DictReader(io.StringIO(run("errors", "truth.csv", "sampled.csv", "--csv")[1]))
    ids = [[row["key_entity"] or "–", row["response_entity"] or "–"] for row in table]
    assert ["–", "a-long-identifier-of-a-cluster-1"] in ids
    short = {"a-long-identifier-of-a-cluster-1": "…-of-a-cluster-1"}
    assert [row[2:4] for row in rows] == [[short.get(id, id) for id in pair] for pair in ids]
    markdown = run("errors", "blocks.csv", "others.csv", "--list", "--markdown")[1]
    assert "| number | kind | document | truth | prediction | error |" in markdown


def test_the_list_is_not_recommended_next_to_itself() -> None:
    write("sampled.csv", SAMPLED)
    for style in ([], ["--markdown"], ["--csv"]):
        output = "".join(run("errors", "truth.csv", "sampled.csv", "--list", *style)[1:])
        assert "errors --list" not in output
    assert "errors --list" in run("errors", "truth.csv", "sampled.csv")[1]


# --- the warning that the truth may be a sample --------------------------------------------------


@pytest.mark.parametrize("command", ["score", "errors", "compare"])
@pytest.mark.parametrize("style", ["", "--markdown", "--csv", "--json", "--print=b3"])
def test_a_sample_is_mentioned_once(command: str, style: str) -> None:
    if style == "--print=b3" and command != "score":
        return
    write("sampled.csv", SAMPLED)
    sample = says("sample", count=3, total=10)
    files = ["truth.csv", *["truth.csv"] * (command == "compare"), "sampled.csv"]
    code, out, err = run(command, *files, *filter(None, [style]))
    places = [unwrapped(text).count(sample) for text in (out, err)]
    assert code == 0
    if style in ("", "--markdown"):
        assert places == [1, 0]
    else:
        assert places[1] == 1
        assert places[0] == (style == "--json")


# --- engines -------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_engines_speak_of_records(engine: str) -> None:
    pytest.importorskip(engine.replace("memory", "pyarrow"))
    for name in ("truth", "prediction", "blocks", "others"):
        good("convert", f"{name}.csv", f"{name}.parquet")
    for files in (["truth.parquet", "prediction.parquet"], ["blocks.parquet", "others.parquet"]):
        for options in (["--plan"], []):
            out = good("score", *files, "--engine", engine, *options)
            assert re.search("[Rr]ecords", out)
            assert not MENTIONS.search(out)
    assert "of_records" not in good("score", *files, "--engine", engine, "--plan", "--json")


# --- check ---------------------------------------------------------------------------------------


def test_check_counts_the_records_of_one_table_alone() -> None:
    write("sampled.csv", SAMPLED)
    out = good("check", "truth.csv", "sampled.csv")
    for code, count, total in (("lost-records", 2, 9), ("sample", 3, 10)):
        warning = f"sampled.csv: warning: {says(code, count=count, total=total)}"
        assert warning in out
    assert out.endswith("\n0 errors, 2 warnings\n")
    assert good("check", "truth.csv", "truth.csv").endswith("\n0 errors, 0 warnings\n")
    write("apart.csv", "record,cluster\nx,1\n")
    assert says("apart", words="records") in good("check", "truth.csv", "apart.csv")
    assert "blocks.csv: csv, 2 documents, 9 records, 5 clusters\n" in good("check", "blocks.csv")


def test_check_counts_like_score() -> None:
    """Blocks that one side lacks count, and those without records say nothing."""
    head = "document,record,cluster\n"
    two = "x,a,1\nx,b,1\ny,c,2\ny,d,2\nz,e,3\n"
    write("two.csv", f"{head}{two}none,,\n")
    write("one.csv", f"{head}x,a,1\nz,e,3\nnone,,\n")
    lost = says("lost-records", count=3, total=5)
    for name in ("two.csv", "two.csv"):
        assert lost in unwrapped(run("score", name, "one.csv")[1])
        assert f"one.csv: warning: {lost}" in run("check", name, "one.csv")[1]


# --- conversion ----------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "arrow"])
def test_converted_tables_get_the_same_scores(ending: str) -> None:
    pytest.importorskip("pyarrow")
    for files in (["truth.csv", "prediction.csv"], ["blocks.csv", "others.csv"]):
        converted = [f"{file}.{ending}" for file in files]
        for file, other in zip(files, converted, strict=True):
            assert good("convert", file, other) == ""
        assert good("score", *converted) == good("score", *files)
        assert good("score", files[0], converted[1]) == good("score", *files)
        for other in converted:
            assert (
                good("convert", other, "--to", "csv") == Path(other[: -len(ending) - 1]).read_text()
            )


# --- messages ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        "score truth.csv twice.csv --duplicates error",
        "score twice.csv twice.csv --duplicates error",
        "score truth.csv prediction.csv --match head",
        "score truth.csv prediction.csv --by kind",
        "score truth.csv prediction.csv --by type",
        "cone truth.csv prediction.csv",
        "score truth.csv gap.csv",
        "score blocks.csv apart.csv",
        "convert truth.csv --to conll",
        "score truth.csv nameless.csv",
        "score truth.csv double.csv",
    ],
)
def test_messages_speak_of_records(arguments: str) -> None:
    write("twice.csv", TRUTH + "r1,A\nr2,B\n")
    write("gap.csv", TRUTH + "r10,\n")
    write("apart.csv", "document,record,cluster\nc,r1,A\n")
    write("double.csv", "record,cluster,label\nr1,A,1\n")
    write("nameless.csv", "record,name\nr1,A\n")
    code, err = refused(*arguments.split())
    message = re.sub(r"hint: .*: .*, .*", "", err)  # the names of columns
    assert code in (1, 2)
    assert not MENTIONS.search(message), err


def test_the_advice_fits_the_options() -> None:
    files = ("truth.csv", "prediction.csv")
    assert (
        says("match-needs", how="records", match="head")
        in refused("score", *files, "--match=head")[1]
    )
    assert says("names-not-in-text", how="records", document="truth") in refused("cone", *files)[1]
    assert "--preset conll12" in refused("score", *files, "--preset", "conll12")[1]
    assert says("no-labels", how="records", by="type") in refused("score", *files, "--by=type")[1]
    twice = {"mention": "'r1'", "first": "A", "second": "B"}
    write("twice.csv", TRUTH + "r1,B\n")
    out = run("check", "twice.csv")[1]
    assert says("repeated-mention", how="in-two", document="twice", words="records", **twice) in out


def test_records_of_blocks_are_checked() -> None:
    Path("one.csv").write_text("document,record,cluster\nx,a,1\nx,b,1\ny,a,2\n")
    Path("two.csv").write_text("document,record,cluster\nx,a,1\ny,a,2\ny,c,2\n")
    out = run("check", "one.csv", "two.csv")[1]
    assert out.startswith("two.csv: warning: ") and "0 errors, 2 warnings" in out
