"""compare, correlate, published and score --interval end to end: output, messages, exit codes."""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import command_line
import sameas
from command_line import Stream, good, refused, run
from sameas.errors import InputError, Problem, UsageError, unknown
from sameas.notes import Note
from sameas.show.comparison import MARKS
from saying import did_you_mean, says

VERSION = sameas.__version__
METRICS = ["mention", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll"]
SYSTEMS = [f"s{n}.jsonl" for n in range(5)]


def noted(text: str) -> list[str]:
    """The notes below the tables, each as one line."""
    lines = text.replace("\n  ", " ").splitlines()
    return [line.removeprefix("note: ") for line in lines if line.startswith("note: ")]


def wrong(error: UsageError) -> tuple[int, str]:
    """How a command ends that was used wrongly."""
    return 2, f"sameas: {error}\n"


def number(name: str, least: float, most: float, value: float) -> UsageError:
    how = "percentage" if isinstance(least, float) else "whole"
    return UsageError("not-a-number", how=how, name=name, least=least, most=most, value=value)


def in_json(*arguments: object) -> Any:
    return json.loads(good(*arguments, "--json"))


def in_csv(*arguments: object) -> list[dict[str, str]]:
    """The rows of a table; notes, for which it has no place, are on standard error."""
    code, out, err = run(*arguments, "--csv")
    assert code == 0
    assert all(line.startswith("note: ") for line in err.splitlines())
    return list(csv.DictReader(io.StringIO(out)))


def signature_in(text: str) -> str:
    """The signature as it is printed, line breaks and all."""
    return text[text.index("sameas:") :].strip()


def shell(
    *arguments: object, stdin: bytes = b"", **variables: str
) -> subprocess.CompletedProcess[bytes]:
    """A command in a process of its own, with variables of the environment."""
    return command_line.shell(*arguments, stdin=stdin, env={**os.environ, **variables})


# --- documents ----------------------------------------------------------------------------------


def documents(noise: int, system: int, count: int = 24) -> Iterator[dict[str, Any]]:
    """Documents of twelve mentions in three entities, some of them moved to another entity."""
    for number in range(count):
        entities: list[list[list[int]]] = [[] for _ in range(3)]
        key = random.Random(number)
        for token in range(12):
            entities[key.randrange(3)].append([token, token])
        moves = random.Random(f"{system}/{number}")
        for _ in range(noise):
            source, target = moves.sample(range(3), 2)
            if entities[source]:
                mention = entities[source].pop(moves.randrange(len(entities[source])))
                entities[target].append(mention)
        yield {
            "doc_key": f"{'nw' if number % 2 else 'bc'}/d_{number}",
            "sentences": [["w"] * 12],
            "clusters": [entity for entity in entities if entity],
        }


def write(path: str | Path, wanted: Iterator[dict[str, Any]] | list[dict[str, Any]]) -> None:
    Path(path).write_text("".join(json.dumps(one) + "\n" for one in wanted))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key, five systems (the fourth the best) and what `sameas score` says of them."""
    folder = tmp_path_factory.mktemp("chance")
    write(folder / "key.jsonl", documents(0, 0))
    for number, noise in enumerate((4, 3, 2, 1, 3)):
        write(folder / f"s{number}.jsonl", documents(noise, number + 1))
    (folder / "own.csv").write_text(OWN)
    write(folder / "few.jsonl", list(documents(4, 1))[:5])
    write(folder / "rest.jsonl", list(documents(4, 1))[5:])
    for name in ("key", "s0", "s1"):
        write(folder / f"{name}_one.jsonl", list(_lines(folder / f"{name}.jsonl"))[:1])
        write(folder / f"{name}_six.jsonl", list(_lines(folder / f"{name}.jsonl"))[:6])
        good("convert", folder / f"{name}.jsonl", folder / f"{name}.conll")
    here = os.getcwd()
    os.chdir(folder)
    try:
        for style in ("csv", "json"):
            for name, responses, options in (
                ("systems", SYSTEMS, []),
                ("documents", SYSTEMS[:2], ["--by-document"]),
                ("one", SYSTEMS[:1], []),
            ):
                text = good("score", "key.jsonl", *responses, *options, f"--{style}")
                Path(f"{name}.{style}").write_text(text)
    finally:
        os.chdir(here)
    return folder


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    return map(json.loads, path.read_text().splitlines())


@pytest.fixture
def here(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the corpus, in which the commands run; it is not written to."""
    monkeypatch.chdir(corpus)
    return corpus


@pytest.fixture
def files(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to write to, in which the commands run, with the corpus in it."""
    for path in corpus.iterdir():
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


QUICK = ("--samples", 200)
TWO = ("compare", "key.jsonl", "s0.jsonl", "s2.jsonl", *QUICK)


# --- how tables are written ---------------------------------------------------------------------


def width(line: str) -> int:
    """How many columns of a terminal a line takes."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in line
    )


def markdown_tables(text: str) -> list[list[list[str]]]:
    """The cells of every table, as they are read; a table is sound if its lines are alike."""
    tables = []
    for block in text.split("\n\n"):
        if not block.startswith("| "):
            continue
        lines = [
            [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            for line in block.splitlines()
        ]
        assert {len(line) for line in lines} == {len(lines[0])}
        assert lines[1] == ["---", *["---:"] * (len(lines[0]) - 1)]
        cells = [lines[0], *lines[2:]]
        tables.append([[re.sub(r"\\([|*])", r"\1", cell) for cell in line] for line in cells])
    return tables


def latex_tables(text: str) -> list[list[list[str]]]:
    """The cells of every tabular; braces, columns and rules are checked."""
    bare = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    assert bare.isprintable() or "\n" in bare
    opened = re.sub(r"\\[{}\\]", "", bare)
    assert opened.count("{") == opened.count("}")
    tables = []
    for columns, body in re.findall(
        r"\\begin\{tabular\}\{(l+r+)\}\n(.*?)\\end\{tabular\}", bare, re.DOTALL
    ):
        # The name of a table and the legend of its marks go across all columns.
        body = re.sub(r"(?<=\\toprule\n)\\multicolumn.*\n\\midrule\n", "", body)
        body = re.sub(r"(?<=\\bottomrule\n)\\multicolumn.*\n", "", body)
        lines = body.splitlines()
        assert (lines[0], lines[2], lines[-1]) == (r"\toprule", r"\midrule", r"\bottomrule")
        rows = [line for line in lines if not line.endswith("rule")]
        assert all(row.endswith(r" \\") for row in rows)
        cells = [re.split(r"(?<!\\)&", row.removesuffix(r" \\")) for row in rows]
        assert {len(row) for row in cells} == {len(columns)}
        tables.append([[cell.strip() for cell in row] for row in cells])
    assert len(tables) == bare.count(r"\begin{tabular}")
    for sign in "%#$":
        assert not re.search(rf"(?<!\\){re.escape(sign)}(?!-\$|\\phi|$)", bare.replace("$-$", ""))
    return tables


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


def test_the_scores_and_intervals_are_those_of_score(here: Path) -> None:
    shown = in_json("compare", "key.jsonl", "s0.jsonl", "s1.jsonl", *QUICK, "--seed", 3)
    scored = in_json(
        "score", "key.jsonl", "s0.jsonl", "s1.jsonl", "--interval", *QUICK, "--seed", 3
    )
    assert [one["metrics"] for one in shown["systems"].values()] == [
        one["metrics"] for one in scored
    ]


def test_p_values_are_those_of_every_swap(here: Path) -> None:
    """MUC of six documents: all 64 swaps, from the counts of each document."""
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


SMALL = """\
#begin document (a); part 000
a 0 0 Ann (0)
a 0 1 saw -
a 0 2 her (1|(0)
a 0 3 sister 1)

a 0 0 She (1)
#end document
"""


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
            write(f"{name}_{count}.jsonl", list(_lines(files / f"{name}.jsonl"))[:count])
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


# --- compare: documents that are missing --------------------------------------------------------


def lacking() -> list[str]:
    """The documents that `few` does not have."""
    return [one["doc_key"] for one in _lines(Path("rest.jsonl"))]


def test_missing_documents_are_scored_against_nothing(here: Path) -> None:
    out = good("compare", "key.jsonl", "few.jsonl", "s0.jsonl", *QUICK, "--metrics", "b3")
    note = Note("missing", count=19, names=lacking(), how="empty")
    assert f"few: {note}" in noted(out)
    assert "|missing:empty\n" in out
    assert "|docs:24|" in out
    assert "s0 − few\n" in out
    assert re.search(r"(?m)^B³ .* 19/5/0$", out)


def test_missing_documents_are_left_out_of_all_systems(here: Path) -> None:
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


def test_no_document_that_all_systems_have(here: Path) -> None:
    has = ["few (bc/d_0, nw/d_1, …)", "rest (nw/d_5, bc/d_6, …)"]
    assert refused(
        "compare", "key.jsonl", "few.jsonl", "rest.jsonl", "--missing-documents", "skip"
    ) == (1, f"{Problem('none-shared', documents=has)}\n")


def test_systems_whose_documents_come_in_another_order(files: Path) -> None:
    write("shuffled.jsonl", list(_lines(files / "s2.jsonl"))[::-1])
    one, other = (
        in_json("compare", "key.jsonl", "s0.jsonl", f"s2={name}", *QUICK)["pairs"]
        for name in ("s2.jsonl", "shuffled.jsonl")
    )
    assert one == other


# --- compare: names -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("systems", "error"),
    [
        (["s0.jsonl", "s0.jsonl"], UsageError("named-alike", name="s0", path="s0.jsonl")),
        (["a=s0.jsonl", "a=s1.jsonl"], UsageError("named-alike", name="a", path="s1.jsonl")),
        (["s1=s0.jsonl", "s1.jsonl"], UsageError("named-alike", name="s1", path="s1.jsonl")),
        *((["s0.jsonl", name], UsageError("not-name-file", system=name))
          for name in ("=s1.jsonl", "a=", "=")),
    ],
)  # fmt: skip
def test_names_that_cannot_be(here: Path, systems: list[str], error: UsageError) -> None:
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
        "v1": "v1.2.jsonl",
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
    # The numbers stand below each other however wide the names are.
    table = text.split("\n\n")[0].splitlines()
    assert len({width(line.rstrip("*")) for line in table[2:]}) == 1


def test_a_system_from_standard_input(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = in_json("compare", "key.jsonl", "x=s0.jsonl", "s1.jsonl", *QUICK)
    content = Path("s0.jsonl").read_bytes()
    for name, argument in (("x", "x=-"), ("-", "-")):
        monkeypatch.setattr(sys, "stdin", Stream(content))
        found = in_json("compare", "key.jsonl", argument, "s1.jsonl", *QUICK)
        assert found["systems"][name]["response"] == "<stdin>"
        assert found["pairs"][0]["metrics"] == expected["pairs"][0]["metrics"]
    monkeypatch.setattr(sys, "stdin", Stream(Path("key.jsonl").read_bytes()))
    found = in_json("compare", "-", "x=s0.jsonl", "s1.jsonl", *QUICK)
    assert found == expected


# --- compare: several systems -------------------------------------------------------------------


def test_five_systems_every_two(here: Path) -> None:
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
    assert noted(text)[:2] == [says("marks", marks=MARKS, base="s0"), says("corrected", count=10)]
    assert "|pairs:all|" in text


def test_marks_are_those_of_the_corrected_p_values(here: Path) -> None:
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


def test_correction_is_for_several_pairs_only(here: Path) -> None:
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
    """The numbers of the first pair, by metric."""
    found: dict[str, Any] = in_json(*arguments)["pairs"][0]["metrics"]
    return found


def test_the_same_seed_gives_the_same_digits_and_another_gives_others(here: Path) -> None:
    first = good(*TWO, "--json", "--seed", 0)
    assert first == good(*TWO, "--json", "--seed", 0)
    assert good(*TWO, "--json") == good(*TWO, "--json", "--seed", 1)
    zero, one = (numbers_of(*TWO, "--seed", seed)["b3"] for seed in (0, 1))
    assert zero["difference"] == one["difference"]
    assert zero["interval"] != one["interval"]


def test_more_confidence_is_a_wider_interval(here: Path) -> None:
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
    assert noted(text)[1:] == [says("few-documents-compared", count=6)]


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
    assert len(found) == 28
    assert list(numbers_of(*TWO, "--metrics", "lea,pairwise")) == ["lea", "pairwise"]


@pytest.mark.parametrize("digits", [0, 1, 5, 12])
def test_digits(here: Path, digits: int) -> None:
    difference = numbers_of(*TWO)["b3"]["difference"]
    text = good(*TWO, "--metrics", "b3", "--digits", digits)
    assert f" {100 * difference:+.{digits}f} " in text
    assert re.search(r" 0\.\d{4}\*\* ", text)  # the p-values keep their four
    assert max(map(width, text.splitlines())) <= 80


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
def test_a_signature_compares_again(here: Path, options: list[str]) -> None:
    names = ("compare", "key.conll", "s0.conll", "s1.conll")
    first = good(*names, *options)
    assert good(*names, "--signature", signature_in(first)) == first
    for style in ("--csv", "--latex", "--markdown", "--json"):
        # Notes are on standard error beside CSV, and the same, too.
        again = run(*names, "--signature", signature_in(first), style)
        assert run(*names, *options, style) == again
        assert again[0] == 0


def test_a_signature_of_score_compares_too(here: Path) -> None:
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
def test_a_signature_leaves_nothing_to_say(here: Path, option: list[str]) -> None:
    found = refused(*TWO[:4], "--signature", "sameas:coref|docs:24", *option)
    compares = UsageError("signature-decides", how="compare")
    assert found in (wrong(compares), wrong(UsageError("signature-decides")))


# --- usage --------------------------------------------------------------------------------------

FILES = ["compare", "key.jsonl", "s0.jsonl", "s1.jsonl"]
TESTS = ("studentised", "randomisation", "bootstrap")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["compare"], UsageError("files-missing", how="compare")),
        (["compare", "key.jsonl", "s0.jsonl"], UsageError("files-missing", how="compare")),
        ([*FILES, "--test", "boostrap"], unknown("test", "boostrap", TESTS)),
        ([*FILES, "--pairs", "every"], unknown("pairs", "every", ("first", "all"))),
        ([*FILES, "--correction", "hol"], unknown("correction", "hol", ("holm", "none"))),
        ([*FILES, "--signature", "x"], UsageError("not-a-signature", text="x")),
        (
            [*FILES, "--signature", "sameas:coref|seed:x"],
            UsageError("signature-number", name="seed", text="x"),
        ),
        (
            [*FILES, "--signature", "sameas:coref|confidence:0.95"],
            number("confidence", 50.0, 100.0, 0.95),
        ),
        (["correlate"], UsageError("scores-wanted")),
        (["correlate", "x.csv", "--published"], UsageError("published-alone")),
        (["correlate", "x.csv", "x.csv"], UsageError("scores-twice")),
        (["correlate", "--published", "--by-document"], UsageError("published-f1")),
        (["correlate", "--published", "--part", "recall"], UsageError("published-f1")),
        (
            ["correlate", "systems.csv", "--part", "recal"],
            unknown("part", "recal", ("f1", "recall", "precision")),
        ),
        (
            ["correlate", "--published", "--metrics", "muc"],
            UsageError("too-few-columns", names=["muc"]),
        ),
        (["published", "--scorer", "v3"], unknown("scorer", "v3", ("reference", "v4"))),
        (["published", "--table", "x.csv"], UsageError("only-audit", option="table")),
        *(
            (["published", "--audit", f"--{name}", "x"], UsageError("not-audit", option=name))
            for name in ("metrics", "sort", "place")
        ),
        *(
            (
                ["published", "--audit", "--table", "x.csv", f"--{name}", "x"],
                UsageError("only-record", option=name),
            )
            for name in ("task", "language", "system")
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_usage_exits_with_2(here: Path, arguments: list[str], error: UsageError) -> None:
    assert refused(*arguments) == wrong(error)


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare", "key.jsonl", "--example"],
        ["compare", "key.jsonl", "a=-", "b=-"],
        [*FILES, "--metrics", ""],
        ["correlate", "-", "-"],
        *(
            ["score", "key.jsonl", "s0.jsonl", *option.split()]
            for option in ("--seed 1", "--samples 500", "--confidence 90", "--method bca")
        ),
    ],
    ids=" ".join,
)
def test_what_every_command_refuses(here: Path, arguments: list[str]) -> None:
    code, err = refused(*arguments)
    assert (code, err.startswith("sameas: ")) == (2, True)


@pytest.mark.parametrize("command", ["compare", "correlate", "score"])
@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        *(
            ("samples", value, f"{value} is not a whole number from 100 to 10,000,000")
            for value in ("x", "-1", "99", "1e3")
        ),
        *(
            ("seed", value, f"{value} is not a whole number from 0 to {10**18:,}")
            for value in ("0.5", "²")
        ),
        ("confidence", "100", "100 is not a percentage from 50 to below 100"),
        ("confidence", "0.95", "0.95 is not a percentage from 50 to below 100"),
        ("confidence", "nan", "nan is not a percentage from 50 to below 100"),
        ("confidence", "x", "x is not a percentage from 50 to below 100"),
        ("digits", "13", "13 is not a number from 0 to 12"),
    ],
)
def test_numbers_that_are_none(command: str, option: str, value: str, message: str) -> None:
    assert refused(command, f"--{option}={value}") == (
        2,
        f"sameas {command}: argument --{option}: {message}\n"
        f"sameas {command}: try sameas {command} --help\n",
    )


@pytest.mark.parametrize("command", ["compare", "correlate", "published"])
def test_options_that_are_not_there(command: str) -> None:
    code, err = refused(command, "--jsn")
    assert (code, did_you_mean("option", "--jsn", "--json") in err) == (2, True)
    code, err = refused(command, "--json", "--csv")
    assert (code, "not allowed with" in err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ("compare no s0.jsonl s1.jsonl", "no"),
        ("compare key.jsonl s0.jsonl x=no", "no"),
        ("correlate no.csv", "no.csv"),
        ("correlate .", "."),
        ("published --place x=no.json", "no.json"),
        ("published --audit --table no.csv", "no.csv"),
    ],
)
def test_files_that_cannot_be_read(here: Path, arguments: str, path: str) -> None:
    code, err = refused(*arguments.split())
    assert (code, err.startswith(f"{path}: ")) == (1, True)


# --- score --interval ---------------------------------------------------------------------------


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


def test_how_intervals_are_made(here: Path) -> None:
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
def test_a_signature_makes_the_same_intervals_again(here: Path, options: list[str]) -> None:
    names = ("score", "key.conll", "s0.conll")
    first = good(*names, "--interval", *options)
    kept = [*options[options.index("--by") :]] if "--by" in options else []
    kept += ["--by-document"] if "--by-document" in options else []
    assert good(*names, *kept, "--signature", signature_in(first)) == first


def test_a_signature_of_compare_makes_intervals_too(here: Path) -> None:
    signature = signature_in(good(*TWO, "--seed", 3, "--pairs", "all"))
    assert good("score", "key.jsonl", "s0.jsonl", "--signature", signature) == good(
        *SCORE, "--seed", 3
    )


@pytest.mark.parametrize("style", ["markdown", "latex"])
def test_intervals_in_tables_for_a_page_or_a_paper(here: Path, style: str) -> None:
    read = markdown_tables if style == "markdown" else latex_tables
    (table,) = read(good(*SCORE, "--metrics", "b3,conll", f"--{style}"))
    assert [len(row) for row in table] == [4, 4, 4]
    assert re.fullmatch(r"\d\d\.\d\d \[\d\d\.\d\d, \d\d\.\d\d\]", table[1][3])
    assert table[2][1:3] == ["", ""]
    (table,) = read(good(*SCORE[:3], "s1.jsonl", *SCORE[3:], "--metrics", "b3", f"--{style}"))
    assert [row[0] for row in table[1:]] == ["s0.jsonl", "", "s1.jsonl", ""]


# --- correlate ----------------------------------------------------------------------------------

OWN = """\
system,group,muc,b3,blanc
a,x,50.0,40.0,30.0
b,x,60.0,45.0,42.0
c,x,55.0,47.0,35.0
d,y,70.0,60.0,50.0
e,y,65.0,62.0,41.0
f,y,45.0,39.0,33.0
"""
LABELS = ["system", "group"]
COLUMNS = {
    name: [float(line.split(",")[n]) for line in OWN.splitlines()[1:]]
    for n, name in ((2, "muc"), (3, "b3"), (4, "blanc"))
}


def test_coefficients_are_those_of_scipy(files: Path) -> None:
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


def test_which_columns(files: Path) -> None:

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
def test_columns_that_are_not_there(files: Path, options: list[str], error: UsageError) -> None:
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


def test_rows_that_are_drawn_together(files: Path) -> None:
    runs = OWN.replace("a,x", "r.0,x").replace("b,x", "r.1,x").replace("d,y", "s.0,y")
    Path("own.csv").write_text(runs.replace("e,y", "s.1,y"))
    text = good("correlate", "own.csv", *QUICK, "--metrics", "muc,b3", "--draw", r"(\w)\.\d")
    assert text.startswith("6 rows of 4 groups\n")
    assert r"|draw:(\w)\.\d|" in text
    note = says("drawn-alone", count=2, total=6, draw=r"(\w)\.\d", how="themselves")
    assert note in noted(text)
    parts = in_json(
        "correlate", "own.csv", *QUICK, "--metrics", "muc,b3", "--draw", r"(r)\.", "--by", "group"
    )["groups"]  # y has no row of r
    assert [part[0]["drawn"] for part in parts.values()] == [2, 3]
    whole = in_json("correlate", "own.csv", *QUICK, "--metrics", "muc,b3", "--draw", "group")
    assert [one["drawn"] for one in whole["correlations"]] == [2]
    by_number = OWN.replace(",x,", ",1,").replace(",y,", ",2,")
    Path("own.csv").write_text(by_number)
    again = in_json("correlate", "own.csv", *QUICK, "--metrics", "muc,b3", "--draw", "group")
    assert again == whole


@pytest.mark.parametrize(("by", "which"), [([], ["all"]), (["--by", "group"], ["x", "all"])])
def test_rows_that_are_all_drawn_as_one(files: Path, by: list[str], which: list[str]) -> None:
    Path("own.csv").write_text(OWN.replace(",y,", ",x,"))
    text = good("correlate", "own.csv", *QUICK, "--metrics", "muc,b3", "--draw", "group", *by)
    assert "6 rows of 1 group\n" in text
    assert noted(text) == [says("drawn-as-one", groups=which)]
    assert "[" not in text.split("──\n")[1].split("\n")[0]  # the row has no interval


def test_documents_stay_whole_beside_groups(files: Path) -> None:
    """Rows that the expression does not find are drawn with their documents."""
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


def test_groups_by_name_beside_rows_drawn_together(files: Path) -> None:
    """Rows keep their names while they are grouped twice."""
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
def test_correlate_what_score_wrote(here: Path, style: str) -> None:
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


def test_what_score_wrote_is_the_same_in_csv_and_json(here: Path) -> None:
    for name, options in (("systems", []), ("documents", ["--by-document"])):
        for part in ("f1", "recall", "precision"):
            one, other = (
                good("correlate", f"{name}.{style}", *options, "--part", part, *QUICK,
                     "--with", "b3")
                for style in ("csv", "json")
            )  # fmt: skip
            assert one == other


def test_correlations_over_documents_are_those_of_the_scores(here: Path) -> None:
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


def test_a_score_that_is_always_the_same(files: Path) -> None:
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


def test_many_rows_have_no_interval_of_kendall(files: Path) -> None:
    generator = random.Random(0)
    lines = [f"{n},{generator.random()},{generator.random()}" for n in range(3001)]
    Path("many.csv").write_text("\n".join(["name,a,b", *(f"r{line}" for line in lines)]))
    (found,) = in_json("correlate", "many.csv", "--samples", 100)["correlations"]
    assert found["kendall"]["value"] is not None
    assert found["kendall"]["interval"] is None
    assert found["spearman"]["interval"] is not None
    assert noted(good("correlate", "many.csv", "--samples", 100)) == [says("no-kendall", most=3000)]


# --- pictures -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a.svg", "a.png", "a.pdf", "A.SVG"])
def test_pictures(files: Path, name: str) -> None:
    pytest.importorskip("matplotlib")
    arguments = ("correlate", "own.csv", *QUICK, "--by", "group", "--plot", name)
    text = good(*arguments)
    assert text == good(*arguments[:-2])
    first = Path(name).read_bytes()
    start = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[name.lower()[-3:]]
    assert first.startswith(start)
    good(*arguments)
    assert Path(name).read_bytes() == first


def test_pictures_without_matplotlib(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, err = refused("correlate", "own.csv", "--plot", "a.svg")
    assert (code, f"{sys.executable} -m pip install matplotlib\n" in err) == (2, True)
    good("correlate", "own.csv", *QUICK)


@pytest.mark.parametrize("name", ["a.bmp", "a", "a.svg.gz", "svg"])
def test_unknown_kinds_of_pictures(files: Path, name: str) -> None:
    code, err = refused("correlate", "own.csv", "--plot", name)
    assert (code, name in err) == (2, True)


# --- published ----------------------------------------------------------------------------------

SHOWN = ("published", "--language", "arabic", "--metrics", "muc,conll")
LANGUAGES = ("english", "chinese", "arabic")
PUBLISHED = list(sameas.published().columns)


def ranked(
    system: str, rank: int, total: int, by: str = "CoNLL", group: str = "Arabic", **more: Any
) -> str:
    """The note on the place of a new system."""
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
        again = sameas.read_scores(f"record.{style}")
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
def test_published_names_that_are_not_there(options: list[str], error: UsageError) -> None:
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


def test_placing_by_another_metric_and_scores_that_are_not_shown() -> None:
    out = good(*SHOWN, "--place", "x=muc:47,conll:1,lea:40", "--sort", "muc")
    assert noted(out)[0] == ranked("x", 2, 8, "MUC")
    assert says("not-in-record", metrics=["lea"]) in noted(out)
    assert re.search(r"(?m)^bjorkelund .*\n─+\nx +47\.0 +1\.0\n─+\nfernandes ", out)


def test_systems_without_the_score_have_no_place() -> None:
    by_ceafm = ("published", "--scorer", "v4", "--sort", "ceafm", "--place", "x=ceafm:50")
    early = {"by": "CEAFm", "group": "CoNLL-2011 English", "how": "lacking"}
    assert noted(good(*by_ceafm))[:4] == [
        ranked("x", 4, 8, **early, count=4),
        ranked("x", 13, 16, "CEAFm", "English"),
        ranked("x", 9, 14, "CEAFm", "Chinese"),
        ranked("x", 5, 8, "CEAFm", "Arabic"),
    ]
    assert ranked("x", 1, 1, **early, count=1) in noted(good(*by_ceafm, "--system", "irwin"))


def test_what_is_not_known_of_a_new_system_is_a_dash() -> None:
    out = good(*SHOWN, "--place", "x=conll:44")
    assert re.search(r"(?m)^x +– +44\.0$", out)
    (table,) = latex_tables(good(*SHOWN, "--place", "x_y=conll:44", "--latex"))
    assert table[2] == [r"x\_y", "--", "44.0"]
    (table,) = markdown_tables(good(*SHOWN, "--place", "x|y=conll:44", "--markdown"))
    assert table[2] == ["x|y", "–", "44.0"]


def test_a_new_system_shares_its_place_with_an_equal_one() -> None:
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
def test_placing_what_score_wrote(here: Path, name: str) -> None:
    score = json.loads(Path("one.json").read_text())["metrics"]
    out = good(*SHOWN, "--place", f"mine={name}")
    muc, conll = (f"{100 * score[metric]['f1']:.1f}" for metric in ("muc", "conll"))
    assert re.search(rf"(?m)^mine +{muc} +{conll}$", out)
    assert ranked("mine", 1, 8) in noted(out)
    assert says("not-in-record", metrics=["lea"]) in noted(out)
    row = in_json("published", "--language", "arabic", "--place", f"mine={name}")[0]
    assert row["b3"] == pytest.approx(100 * score["b3"]["f1"], abs=1e-12)


def test_placing_from_standard_input_and_a_table_of_ones_own(
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
    findings = sameas.audit()
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
    found = sameas.audit(sameas.read_scores("bad.csv", missing="keep"))
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


def test_audit_finds_nothing_in_what_score_writes(here: Path) -> None:
    for name in ("systems.csv", "systems.json"):
        assert good("published", "--audit", "--table", name) == audited(5, 0)


# --- all of them --------------------------------------------------------------------------------

EVERY = {
    "compare": ["compare", "--example"],
    "compare bca": ["compare", "--example", "--method", "bca", "--metrics", "all"],
    "score": ["score", "--example", "--interval"],
    "score all": ["score", "--example", "--interval", "--metrics", "all", "--digits", "6"],
    "correlate": ["correlate", "--published", "--samples", "200"],
    "correlate by": ["correlate", "--published", "--samples", "200", "--by", "language"],
    "published": ["published"],
    "place": ["published", "--place", "a new system with a rather long name=conll:50"],
}


@pytest.mark.parametrize("arguments", EVERY.values(), ids=EVERY)
def test_text_is_at_most_80_columns_wide(arguments: list[str]) -> None:
    assert max(map(width, good(*arguments).splitlines())) <= 80


def test_long_names_are_cut(here: Path) -> None:
    names = ["a" * 100, "experiment number " * 8, "x" * 79 + "y"]
    systems = [f"{name}=s{n}.jsonl" for n, name in enumerate(names)]
    for options in ([], ["--digits", 12], ["--pairs", "all"], ["--metrics", "all"]):
        text = good("compare", "key.jsonl", *systems, *QUICK, *options)
        assert max(map(width, text.splitlines())) <= 80


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare", "--example"],
        ["compare", "--example", "--latex"],
        ["score", "--example", "--interval", "--markdown"],
        ["correlate", "--published", "--samples", "200"],
        ["published", "--place", "中文=conll:50"],
        ["published", "--audit"],
    ],
    ids=" ".join,
)
def test_terminals_without_our_signs(arguments: list[str]) -> None:
    ran = shell(*arguments, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert ran.stdout.isascii()
    assert ran.stdout.count(b"\n") == good(*arguments).count("\n")


def test_json_is_ascii_and_has_no_nan(files: Path) -> None:
    systems = ["中=s0.jsonl", "–=s1.jsonl"]
    for text in (
        good("compare", "key.jsonl", *systems, *QUICK, "--json"),
        good("published", "--place", "中=conll:50", "--json"),
        good("published", "--audit", "--json"),
    ):
        assert text.isascii()
        json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))


# --- help and start-up --------------------------------------------------------------------------

RESAMPLING = ["--method", "--confidence", "--samples", "--seed"]
STYLES = ["--json", "--csv", "--markdown", "--latex"]
HOW = [
    "--preset",
    "--match",
    "--zeros",
    "--scope",
    "--compat",
    "--singletons",
    "--duplicates",
    "--missing-documents",
    "--blanc",
    "--average",
]
LEARNING = ["--model", "--reverse", "--order", "--smoothing", "--method", "--target", "--case",
            "--seed"]  # fmt: skip
OPTIONS = {
    "compare": [
        "KEY", "NAME=RESPONSE", "--example", "--metrics", *HOW, "--signature", "--test", "--pairs",
        "--correction", *RESAMPLING, "--format", "--jobs", *STYLES, "--digits", "--plot",
    ],
    "report": [
        "KEY", "NAME=RESPONSE", "--example", "-o", "--title", "--metrics", *HOW, "--signature",
        "--test", "--correction", *RESAMPLING, "--format",
    ],
    "errors": [
        "KEY", "RESPONSE", "--example", "--kind", "--by", "--where", "--list", "--links",
        "--document", "--show", "--metrics", *HOW, "--signature", "--format", *STYLES, "--digits",
        "--color", "--plot",
    ],
    "score": [
        "--interval", *RESAMPLING, *HOW, "--signature", "--jobs", *STYLES, "--digits", "--by", "--plot",
    ],
    "cone": [
        "FILE", "--text", "--example", "--names", "--matcher", "--across", "--write-key", "--mentions",
        "--metrics", "--by-document", "--correlate", "--against", "--share-of", "--gold-subset",
        "--target", "--explain",
        *(option for option in HOW if option not in ("--preset", "--compat")), "--signature",
        "--interval", *RESAMPLING, "--format", *STYLES, "--digits", "--plot",
    ],
    "align": [
        "PAIRS", "--dataset", "-o", "--show", "--method", "--start", "--seed", "--target", "--cut",
        "--letters", "--units", "--case", "--iterations", "--source-sounds", "--target-sounds",
        "--signature", "--gold", "--skip-bad", *STYLES, "--digits", "--plot",
    ],
    "entropy": [
        "ALIGNED", "--gold", "--format", "--top", "--token", "--wrong", "--case", "--skip-bad", "--interval",
        *RESAMPLING, *STYLES, "--digits",
    ],
    "transliterate train": ["PAIRS", "--dataset", "-o", *LEARNING, "--skip-bad"],
    "transliterate apply": [
        "MODEL", "NAME", "--file", "--most", "--threshold", "-o", "--json", "--skip-bad",
    ],
    "transliterate evaluate": [
        "REFERENCES", "SYSTEM", "--dataset", *LEARNING, "--most", "--ties", "--variants", "--wrong",
        "--compare", "--skip-bad", "--interval", "--confidence", "--samples", *STYLES, "--digits",
    ],
    "verify": [
        "PAIRS", "--model", "--top", "-o", "--prior", "--labels", "--det", "--false-alarm",
        "--interval", "--skip-bad", *STYLES, "--digits",
    ],
    "correlate": [
        "SCORES", "--published", "--metrics", "--with", "--part", "--by-document", "--by",
        "--skip-missing", "--draw", *RESAMPLING, *STYLES, "--digits", "--plot",
    ],
    "published": [
        "--task", "--language", "--system", "--metrics", "--sort", "--scorer", "--place",
        "--audit", "--table", *STYLES,
    ],
}  # fmt: skip


@pytest.mark.parametrize("command", OPTIONS)
def test_help_tells_of_every_option(command: str) -> None:
    text = good(*command.split(), "--help")
    for option in OPTIONS[command]:
        assert re.search(rf"(?m)^  {re.escape(option)}(?![\w-])", text), option
    told = re.findall(r"(?m)^  (?:-h, )?(--[a-z-]+)", text)
    if command != "score":
        assert sorted(told) == sorted(
            ["--help", *(option for option in OPTIONS[command] if option.startswith("--"))]
        )
    assert max(map(width, text.splitlines())) <= 80


REPORT = """
import sys
outside = {
    name.partition(".")[0]
    for name in sys.modules
    if name.partition(".")[0] not in sys.stdlib_module_names
} - {"sameas", "cython_runtime"} - set(%r)
print(" ".join(sorted(name for name in outside if not name.startswith("_"))))
"""
AT_START = "import sys; print(*sorted({name.partition('.')[0] for name in sys.modules}))"


@pytest.fixture(scope="module")
def environment() -> list[str]:
    """What the environment itself loads when Python starts."""
    command = [sys.executable, "-c", AT_START]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def loaded(environment: list[str], arguments: list[str]) -> list[str]:
    """Third-party packages that a command loads."""
    program = (
        "from sameas.cli import main\n"
        f"try: main({arguments!r})\nexcept SystemExit: pass\n" + REPORT % (environment,)
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return ran.stdout.split("\n")[-2].split()


@pytest.mark.parametrize("command", ["compare", "correlate", "published"])
def test_help_loads_no_third_party_module(environment: list[str], command: str) -> None:
    assert loaded(environment, [command, "--help"]) == []
    assert loaded(environment, [command, "--jsn"]) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare", "--example", "--method", "bca"],
        ["score", "--example", "--interval", "--json"],
        ["correlate", "--published", "--samples", "100", "--latex"],
        ["published", "--place", "x=conll:50"],
        ["published", "--audit", "--csv"],
    ],
    ids=" ".join,
)
def test_the_work_loads_numpy_alone(environment: list[str], arguments: list[str]) -> None:
    assert loaded(environment, arguments) == ["numpy"]


# --- cases that once went wrong -------------------------------------------------------------------


@pytest.mark.parametrize("part", ["pairs:all", "correction:none"])
def test_a_signature_may_leave_out_the_test(here: Path, part: str) -> None:
    option, value = part.split(":")
    assert good(*TWO[:4], "--signature", f"sameas:coref|samples:200|{part}|docs:24") == good(
        *TWO, f"--{option}", value
    )


def test_interval_beside_a_signature_changes_nothing(here: Path) -> None:
    first = good(*SCORE, "--seed", 7, "--confidence", 80)
    again = ("score", "key.jsonl", "s0.jsonl", "--signature", signature_in(first))
    assert good(*again) == first
    assert good(*again, "--interval") == first


@pytest.mark.parametrize("confidence", ["99.99999", "97.1234567"])
def test_a_signature_has_all_digits_of_the_confidence(here: Path, confidence: str) -> None:
    first = good(*TWO, "--confidence", confidence, "--json")
    signature = json.loads(first)["signature"]
    assert good(*TWO[:4], "--signature", signature, "--json") == first


def test_a_signature_of_shared_documents_needs_no_note(here: Path) -> None:
    names = ("compare", "key.jsonl", "s0.jsonl", "few.jsonl", "--metrics", "b3")
    first = good(*names, "--missing-documents", "skip", *QUICK)
    assert good(*names, "--signature", signature_in(first)) == first


def test_long_arguments(here: Path) -> None:
    scores = ",".join(["conll:44", *(f"metric{n}:50.5" for n in range(30))])
    assert ranked("mine", 2, 8) in noted(good(*SHOWN, "--place", f"mine={scores}"))
    assert refused("compare", "key.jsonl", "s0.jsonl", "a=" + "x" * 300)[0] == 1


@pytest.mark.parametrize("style", ["markdown", "latex"])
def test_audit_for_a_page_or_a_paper(style: str) -> None:
    code, out, _ = run("published", "--audit", f"--{style}")
    assert code == 2 or out != good("published", "--audit")


@pytest.mark.parametrize("header", ["system,MUC,B3,CEAFe,CoNLL", "system,m u c,x,y,z"])
def test_audit_of_columns_that_it_does_not_know(files: Path, header: str) -> None:
    Path("table.csv").write_text(f"{header}\na,60,50,40,90\n")
    code, out, err = run("published", "--audit", "--table", "table.csv")
    assert code or err or not out.endswith(audited(1, 0))


def test_audit_of_numbers_with_other_decimals(files: Path) -> None:
    Path("table.csv").write_text(
        "system,muc,b3,ceafe,conll\na,60.2,50.2,40.4,50.2\nb,60.10,50.20,40.30,50.20\n"
    )
    assert good("published", "--audit", "--table", "table.csv") == audited(2, 0)


def test_audit_of_what_score_wrote(files: Path) -> None:
    scored = json.loads(Path("one.json").read_text())
    scored["metrics"]["conll"]["f1"] += 0.004
    Path("wrong.json").write_text(json.dumps(scored))
    assert len(in_json("published", "--audit", "--table", "wrong.json")) == 1


def test_audit_of_a_table_without_a_name() -> None:
    assert refused("published", "--audit", "--table", "")[0] in (1, 2)


def test_small_groups_are_named(files: Path) -> None:
    Path("own.csv").write_text(OWN.replace("f,y", "f,z"))
    out = good("correlate", "own.csv", "--by", "group", *QUICK)
    for name, rows in (("y", 2), ("z", 1)):
        assert says("group-too-small", group=name, count=rows) in noted(out)
    assert out.startswith("x: 3 rows\n")


def test_a_group_without_a_name(files: Path) -> None:
    Path("own.csv").write_text(OWN.replace(",x,", ",,"))
    rows = in_csv("correlate", "own.csv", "--by", "group", *QUICK, "--metrics", "muc,b3")
    assert sorted(row["rows"] for row in rows[::3]) == ["3", "3", "6"]


def test_skipping_what_another_file_lacks(files: Path) -> None:
    Path("other.csv").write_text("system,muc,b3\ng,40.0,30.0\n")
    out = good("correlate", "own.csv", "other.csv", "--skip-missing", *QUICK)
    assert says("rows-left-out", count=1, total=7) in noted(out)


@pytest.mark.parametrize("mark", ["%", "*", "**"])
def test_numbers_with_marks_are_not_left_out_silently(files: Path, mark: str) -> None:
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


def test_pictures_of_columns_with_dollars(files: Path) -> None:
    pytest.importorskip("matplotlib")
    Path("own.csv").write_text(OWN.replace("blanc", r"$\foo$"))
    good("correlate", "own.csv", *QUICK, "--plot", "a.svg")


def test_pictures_name_every_group(files: Path) -> None:
    pytest.importorskip("matplotlib")
    Path("own.csv").write_text(OWN.replace(",x,", ",_old,").replace(",y,", ",new,"))
    good("correlate", "own.csv", *QUICK, "--by", "group", "--plot", "a.svg")
    assert "<!-- new -->" in Path("a.svg").read_text()
    assert "<!--  _old -->" in Path("a.svg").read_text()


def test_pictures_with_signs_that_the_font_lacks(files: Path) -> None:
    pytest.importorskip("matplotlib")
    Path("own.csv").write_text(OWN.replace("blanc", "中文"))
    good("correlate", "own.csv", *QUICK, "--plot", "a.svg")


def test_titles_in_markdown_are_escaped(here: Path) -> None:
    text = good("compare", "key.jsonl", "a*b=s0.jsonl", "c*d=s1.jsonl", *QUICK, "--markdown")
    assert r"**c\*d − a\*b**" in text


def test_stars_of_names_are_no_marks_in_latex(here: Path) -> None:
    tex = good("compare", "key.jsonl", "v2*=s0.jsonl", "s1.jsonl", *QUICK, "--latex")
    assert r"v2\textsuperscript{*} &" not in tex


@pytest.mark.parametrize("name", ["[new]", "*new"])
def test_names_that_latex_takes_for_arguments(here: Path, name: str) -> None:
    tex = good("compare", "key.jsonl", "s0.jsonl", f"{name}=s1.jsonl", *QUICK, "--latex")
    assert not re.search(r"\\\\\s*[\[*]", tex)


def test_notes_with_wide_signs_are_80_columns_wide(here: Path) -> None:
    text = good("compare", "key.jsonl", "中文" * 20 + "=s0.jsonl", "s3.jsonl", *QUICK)
    assert max(map(width, text.splitlines())) <= 80
