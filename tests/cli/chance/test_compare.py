"""compare end to end: numbers, missing documents, names."""

from __future__ import annotations

import itertools
import re
import sys
from pathlib import Path

import pytest

import sameas
from cli.chance.corpus import (
    METRICS,
    QUICK,
    SMALL,
    TWO,
    in_csv,
    in_json,
    latex_tables,
    lines_of,
    markdown_tables,
    noted,
    width,
    write,
    wrong,
)
from command_line import Stream, good, refused
from sameas.errors import Problem, UsageError
from sameas.notes import Note
from saying import says

# --- compare ------------------------------------------------------------------------------------


def test_comparing_the_example_is_comparing_its_files(files: Path) -> None:
    good("example", "corpus")
    names = [f"corpus/{name}.conll" for name in ("key", "careful", "eager")]
    named = [names[0], f"careful={names[1]}", f"eager={names[2]}"]
    assert good("compare", *names) == good("compare", *named) == good("compare", "--example")


def test_compare_in_markdown_and_latex_has_the_numbers_of_the_text() -> None:
    scores, pair = markdown_tables(good("compare", "--example", "--markdown"))
    assert scores[0][:3] == ["system", "Mentions", "MUC"]
    assert scores[1][:3] == ["careful", "84.85", "84.21"]
    assert pair[3] == ["B³", "+1.45", "[−11.49, +11.74]", "1.0000", "0.12", "3/0/1"]
    text = good("compare", "--example", "--markdown")
    assert "\n\n**eager − careful**\n\n| metric |" in text
    assert re.search(r"\n\nnote: .*\n\n`sameas:coref\|[^`\n]*`\n$", text)
    scores, pair = latex_tables(good("compare", "--example", "--latex"))
    assert scores[0][:4] == ["system", "Mentions", "MUC", r"B\textsuperscript{3}"]
    assert pair[0][2] == r"95\% interval"
    assert pair[4] == [
        "CEAFm", "$-$1.92", "[$-$17.28, +11.36]", "0.8750", "$-$0.06", "3/0/1"
    ]  # fmt: skip
    lines = good("compare", "--example", "--latex").splitlines()
    assert lines[-1].startswith("% sameas:coref|")
    assert r"\multicolumn{6}{l}{eager $-$ careful} \\" in lines
    assert f"% note: {says('exact-p', how='all')}" in lines


def test_compare_in_json_has_everything_to_the_last_digit(here: Path) -> None:
    shown = in_json(*TWO)
    assert list(shown) == ["signature", "documents", "systems", "pairs", "notes"]
    assert shown["documents"] == 24
    assert {name: one["response"] for name, one in shown["systems"].items()} == {
        "s0": "s0.jsonl", "s2": "s2.jsonl"
    }  # fmt: skip
    (pair,) = shown["pairs"]
    assert (pair["new"], pair["base"], list(pair["metrics"])) == ("s2", "s0", METRICS)
    assert list(pair["metrics"]["b3"]) == [
        "difference", "interval", "p", "p_adjusted", "exact", "effect", "wins", "ties", "losses"
    ]  # fmt: skip
    systems = {"s0": "s0.jsonl", "s2": "s2.jsonl"}
    comparison = sameas.compare("key.jsonl", systems, samples=200)
    for metric, found in comparison["s2", "s0"].items():
        numbers = pair["metrics"][metric]
        assert numbers == {**found.as_dict(), "interval": list(found.interval or ())}
        ours, theirs = (shown["systems"][name]["metrics"][metric] for name in ("s2", "s0"))
        assert numbers["difference"] == ours["f1"] - theirs["f1"]
        assert numbers["interval"][0] <= numbers["difference"] <= numbers["interval"][1]
        assert numbers["wins"] + numbers["ties"] + numbers["losses"] == 24
        low, high = ours["interval"]["f1"]
        assert low <= ours["f1"] <= high


def test_compare_in_csv_has_the_numbers_of_json(here: Path) -> None:
    rows = in_csv(*TWO)
    shown = in_json(*TWO)
    assert list(rows[0]) == [
        "new", "base", "metric", "new_score", "base_score", "difference", "low", "high", "p",
        "p_adjusted", "exact", "effect", "wins", "ties", "losses", "signature",
    ]  # fmt: skip
    assert [row["metric"] for row in rows] == METRICS
    for row in rows:
        numbers = shown["pairs"][0]["metrics"][row["metric"]]
        assert (row["new"], row["base"], row["signature"]) == ("s2", "s0", shown["signature"])
        assert [float(row["low"]), float(row["high"])] == numbers["interval"]
        for name in ("difference", "p", "p_adjusted", "effect"):
            assert float(row[name]) == numbers[name]
        for name in ("wins", "ties", "losses"):
            assert int(row[name]) == numbers[name]
        assert row["exact"] == str(numbers["exact"]).lower()
        for side, name in (("new_score", "s2"), ("base_score", "s0")):
            assert float(row[side]) == shown["systems"][name]["metrics"][row["metric"]]["f1"]


def test_scores_and_intervals_equal_those_of_score(here: Path) -> None:
    shown = in_json("compare", "key.jsonl", "s0.jsonl", "s1.jsonl", *QUICK, "--seed", 3)
    scored = in_json(
        "score", "key.jsonl", "s0.jsonl", "s1.jsonl", "--interval", *QUICK, "--seed", 3
    )
    assert [one["metrics"] for one in shown["systems"].values()] == [
        one["metrics"] for one in scored
    ]


def test_p_values_count_all_swaps(here: Path) -> None:
    """MUC of six documents, with all 64 swaps, from the counts of each document."""
    six = ["key_six.jsonl", "s0_six.jsonl", "s1_six.jsonl"]
    counts = [
        [one["metrics"]["muc"]["counts"] for one in record["by_document"]]
        for record in in_json("score", *six, "--by-document", "--metrics", "muc")
    ]

    def f1(rows: list[list[int]]) -> float:
        links, of_key, again, of_response = (sum(column) for column in zip(*rows, strict=True))
        recall: float = links / of_key
        precision: float = again / of_response
        return 2 * recall * precision / (recall + precision)

    def difference(swaps: tuple[bool, ...]) -> float:
        base, new = (
            [counts[side ^ swap][number] for number, swap in enumerate(swaps)] for side in (0, 1)
        )
        return f1(new) - f1(base)

    all_swaps = list(itertools.product((False, True), repeat=6))
    observed = difference(all_swaps[0])
    as_large = sum(abs(difference(swaps)) >= abs(observed) - 1e-12 for swaps in all_swaps)
    (row,) = in_csv("compare", *six, "--metrics", "muc")
    assert float(row["difference"]) == pytest.approx(observed, abs=1e-15)
    assert (float(row["p"]), row["exact"]) == (as_large / 64, "true")
    wins = [f1([new]) - f1([base]) for base, new in zip(*counts, strict=True)]
    assert int(row["wins"]) == sum(win > 1e-12 for win in wins)
    assert int(row["losses"]) == sum(win < -1e-12 for win in wins)


def test_compare_one_document(files: Path) -> None:
    Path("gold.conll").write_text(SMALL)
    Path("perfect.conll").write_text(SMALL)
    Path("lump.conll").write_text(SMALL.replace("(1|(0)", "(1|(1)"))
    one = ("compare", "gold.conll", "perfect.conll", "lump.conll", "--metrics", "muc,b3")
    assert "\nMUC         −50.00             –  –       –         0/0/1\n" in good(*one)
    assert noted(good(*one)) == [says("one-document-compared")]
    numbers = in_json(*one)["pairs"][0]["metrics"]["muc"]
    assert [numbers[name] for name in ("interval", "p", "p_adjusted", "effect")] == [None] * 4
    assert (numbers["wins"], numbers["ties"], numbers["losses"]) == (0, 0, 1)
    row = in_csv(*one)[0]
    assert [row[name] for name in ("low", "high", "p", "p_adjusted", "effect")] == [""] * 5
    for option in (["--method", "bca"], ["--test", "bootstrap"], ["--pairs", "all"]):
        assert in_json(*one, *option)["pairs"][0]["metrics"] == in_json(*one)["pairs"][0]["metrics"]


def test_compare_two_and_three_documents(files: Path) -> None:
    for count in (2, 3):
        for name in ("key", "s0", "s2"):
            write(f"{name}_{count}.jsonl", list(lines_of(files / f"{name}.jsonl"))[:count])
        names = [f"{name}_{count}.jsonl" for name in ("key", "s0", "s2")]
        for option in ([], ["--method", "bca"], ["--test", "bootstrap"]):
            for numbers in in_json("compare", *names, *option)["pairs"][0]["metrics"].values():
                assert 2 ** (1 - count) <= numbers["p"] <= 1 or option == ["--test", "bootstrap"]
                low, high = numbers["interval"]
                assert low <= numbers["difference"] <= high


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--test", "bootstrap"],
        ["--method", "bca"],
        ["--average", "macro"],
    ],
)
def test_identical_systems(here: Path, options: list[str]) -> None:
    same = ("compare", "key.jsonl", "s0.jsonl", "again=s0.jsonl", *QUICK, *options)
    for numbers in in_json(*same)["pairs"][0]["metrics"].values():
        assert (numbers["difference"], numbers["interval"]) == (0, [0, 0])
        assert (numbers["p"], numbers["p_adjusted"], numbers["effect"]) == (1, 1, 0)
        assert (numbers["wins"], numbers["ties"], numbers["losses"]) == (0, 24, 0)
    text = good(*same, "--metrics", "b3")
    assert noted(text) == [says("alike", new="again", base="s0")]
    assert "*" not in text
    assert "B³            0.00  [0.00, 0.00]  1.0000    0.00        0/24/0\n" in text


def test_perfect_systems(here: Path) -> None:
    found = in_json("compare", "key.jsonl", "key.jsonl", "two=key.jsonl", *QUICK)
    assert {one["f1"] for one in found["systems"]["key"]["metrics"].values()} == {1.0}


# --- compare: missing documents --------------------------------------------------------


def lacking() -> list[str]:
    """Return the names of the documents that `few` lacks."""
    return [one["doc_key"] for one in lines_of(Path("rest.jsonl"))]


def test_missing_documents_are_scored_as_empty(here: Path) -> None:
    out = good("compare", "key.jsonl", "few.jsonl", "s0.jsonl", *QUICK, "--metrics", "b3")
    note = Note("missing", count=19, names=lacking(), how="empty")
    assert f"few: {note}" in noted(out)
    assert "|missing:empty\n" in out
    assert "|docs:24|" in out
    assert "s0 − few\n" in out
    assert re.search(r"(?m)^B³ .* 19/5/0$", out)


def test_missing_documents_are_skipped_in_all_systems(here: Path) -> None:
    skip = ("--missing-documents", "skip", *QUICK, "--metrics", "b3")
    out = good("compare", "key.jsonl", "s0.jsonl", "few.jsonl", "s1.jsonl", *skip)
    missing = Note("missing", count=19, names=lacking(), how="skip")
    assert noted(out)[-1] == f"few: {missing}"
    for system in ("s0", "s1"):
        assert says("not-shared", system=system, count=19, total=24) in noted(out)
    assert "|docs:5|" in out
    shown = in_json("compare", "key.jsonl", "s0.jsonl", "few.jsonl", *skip)
    assert shown["documents"] == 5
    assert shown["pairs"][0]["metrics"]["b3"]["difference"] == 0
    alone = in_json("score", "key.jsonl", "few.jsonl", *skip[:2], "--metrics", "b3")
    for one in shown["systems"].values():
        assert one["metrics"]["b3"]["f1"] == alone["metrics"]["b3"]["f1"]


def test_missing_documents_may_be_an_error(here: Path) -> None:
    code, err = refused(
        "compare", "key.jsonl", "s0.jsonl", "few.jsonl", "--missing-documents", "error"
    )
    assert (code, err.startswith("key.jsonl:6:1: ")) == (1, True)


def test_no_document_shared_by_all_systems(here: Path) -> None:
    has = ["few (bc/d_0, nw/d_1, …)", "rest (nw/d_5, bc/d_6, …)"]
    assert refused(
        "compare", "key.jsonl", "few.jsonl", "rest.jsonl", "--missing-documents", "skip"
    ) == (1, f"{Problem('none-shared', documents=has)}\n")


def test_systems_with_documents_in_a_different_order(files: Path) -> None:
    write("shuffled.jsonl", list(lines_of(files / "s2.jsonl"))[::-1])
    one, other = (
        in_json("compare", "key.jsonl", "s0.jsonl", f"s2={name}", *QUICK)["pairs"]
        for name in ("s2.jsonl", "shuffled.jsonl")
    )
    assert one == other


# --- compare: names -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("systems", "error"),
    [
        (["s0.jsonl", "s0.jsonl"], UsageError("named-alike", name="s0", first="s0.jsonl", path="s0.jsonl")),
        (["a=s0.jsonl", "a=s1.jsonl"], UsageError("named-alike", name="a", first="s0.jsonl", path="s1.jsonl")),
        (["s1=s0.jsonl", "s1.jsonl"], UsageError("named-alike", name="s1", first="s0.jsonl", path="s1.jsonl")),
        *((["s0.jsonl", name], UsageError("not-name-file", system=name))
          for name in ("=s1.jsonl", "a=", "=")),
    ],
)  # fmt: skip
def test_refused_names(here: Path, systems: list[str], error: UsageError) -> None:
    assert refused("compare", "key.jsonl", *systems) == wrong(error)


def test_a_file_may_be_given_twice_under_two_names(here: Path) -> None:
    found = in_json("compare", "key.jsonl", "one=s0.jsonl", "two=s0.jsonl", "s1.jsonl", *QUICK)
    assert list(found["systems"]) == ["one", "two", "s1"]
    assert found["notes"] == [says("alike", new="two", base="one")]


def test_files_with_an_equals_sign_or_blanks_in_their_names(files: Path) -> None:
    Path("lr=0.1").mkdir()
    for name in ("a=b.jsonl", "lr=0.1/out.jsonl", " my system .jsonl", ".hidden", "v1.2.jsonl"):
        Path(name).write_bytes(Path("s1.jsonl").read_bytes())
    systems = ["a=b.jsonl", "lr=0.1/out.jsonl", " my system .jsonl", ".hidden", "v1.2.jsonl"]
    found = in_json("compare", "key.jsonl", *systems, "new one=lr=0.1/out.jsonl", *QUICK)
    assert {name: one["response"] for name, one in found["systems"].items()} == {
        "a=b": "a=b.jsonl",
        "out": "lr=0.1/out.jsonl",
        " my system ": " my system .jsonl",
        ".hidden": ".hidden",
        "v1.2": "v1.2.jsonl",
        "new one": "lr=0.1/out.jsonl",
    }


ODD = ["a|b*c", "x_y&z%$#{}~^\\", "中文系统", "with blanks", "new\nline", "ünï", "=x", "…", "–"]


def test_odd_names_in_every_style(here: Path) -> None:
    names = [name for name in ODD if not name.startswith("=")]
    systems = [f"{name}=s{n % 5}.jsonl" for n, name in enumerate(names)]
    arguments = ("compare", "key.jsonl", *systems, *QUICK, "--metrics", "muc,b3")
    printed = [name.replace("\n", "\\n") for name in names]
    assert list(in_json(*arguments)["systems"]) == names
    rows = in_csv(*arguments)
    assert {row["base"] for row in rows} == {names[0]}
    assert [row["new"] for row in rows[::2]] == printed[1:]
    tables = markdown_tables(good(*arguments, "--markdown"))
    assert [row[0] for row in tables[0][1:]] == printed
    assert [len(table) for table in tables] == [len(names) + 1, *[3] * (len(names) - 1)]
    tables = latex_tables(good(*arguments, "--latex"))
    assert [row[0] for row in tables[0][1:]] == [
        r"a\textbar{}b*c",
        r"x\_y\&z\%\$\#\{\}\textasciitilde{}\textasciicircum{}\textbackslash{}",
        "中文系统",
        "with blanks",
        r"new\textbackslash{}nline",
        "ünï",
        r"\ldots{}",
        "--",
    ]
    text = good(*arguments)
    assert f"\n{printed[4]} − a|b*c\n" in text
    # The numbers are aligned, however wide the names are.
    table = text.split("\n\n")[0].splitlines()
    assert len({width(line.rstrip("*")) for line in table[2:]}) == 1


def test_a_system_from_standard_input(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = in_json("compare", "key.jsonl", "x=s0.jsonl", "s1.jsonl", *QUICK)
    content = Path("s0.jsonl").read_bytes()
    for name, argument in (("x", "x=-"), ("<stdin>", "-")):
        monkeypatch.setattr(sys, "stdin", Stream(content))
        found = in_json("compare", "key.jsonl", argument, "s1.jsonl", *QUICK)
        assert found["systems"][name]["response"] == "<stdin>"
        assert found["pairs"][0]["metrics"] == expected["pairs"][0]["metrics"]
    monkeypatch.setattr(sys, "stdin", Stream(Path("key.jsonl").read_bytes()))
    found = in_json("compare", "-", "x=s0.jsonl", "s1.jsonl", *QUICK)
    assert found == expected
