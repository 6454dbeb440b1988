"""`sameas align` against gold, in every style."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from cli.align.aligning import GOLD, PAIRS, aligned, read
from command_line import columns, good, refused, run, shell, unwrapped, write
from sameas.errors import Problem
from sameas.notes import Note
from saying import says

# --- gold ---------------------------------------------------------------------------------------


def test_gold_scores_every_iteration() -> None:
    out = good("align", "pairs.tsv", "--gold", "gold.tsv", "--method", "affinity,segment")
    shown = json.loads(
        good("align", "pairs.tsv", "--gold", "gold.tsv", "--method", "affinity,segment", "--json")
    )
    assert columns(out) <= 80
    assert out.splitlines()[0].split() == [
        *("method", "iteration", "entropy", "bits", "per", "pair", "recall", "precision", "F1")
    ]
    for step in shown["iterations"]:
        assert 0 <= step["mappings"]["f1"] <= 1


def test_an_alignment_is_its_own_gold() -> None:
    good("align", "pairs.tsv", "-o", "own.tsv")
    shown = json.loads(good("align", "pairs.tsv", "--gold", "own.tsv", "--json"))
    assert shown["iterations"][-1]["mappings"]["f1"] == 1


def test_gold_of_fewer_and_other_names_is_noted() -> None:
    write("gold.tsv", GOLD + "bob\t鲍勃\tbo/鲍 b/勃\n")
    out = unwrapped(good("align", "pairs.tsv", "--gold", "gold.tsv"))
    assert f"note: {Note('gold-missing', count=1, total=5)}\n" in out
    assert f"note: {Note('few-gold', count=4)}\n" in out
    out = good("align", "more.tsv", "--gold", "more-gold.tsv")
    assert "note: " not in out


def test_a_name_called_gold_is_noted_once() -> None:
    write("pairs-of-gold.tsv", PAIRS + "gold\t戈尔德\n")
    sounds = "".join(f"{line.split()[0]}\tb o\n" for line in PAIRS.splitlines())
    write("sounds.tsv", sounds)
    out = unwrapped(
        good(
            *("align", "pairs-of-gold.tsv", "--gold", "gold.tsv"),
            *("--method", "phonological", "--source-sounds", "sounds.tsv"),
        )
    )
    assert out.count(str(Note("without-sounds", count=1, names=["gold"]))) == 1


def test_gold_of_other_names() -> None:
    for count, names in enumerate(("", "bo\t鲍\tbo/鲍\n"), 1):
        write("gold.tsv", names + "bob\t鲍勃\tbo/鲍 b/勃\n")
        code, err = refused("align", "pairs.tsv", "--gold", "gold.tsv")
        problem = Problem("gold-apart", "gold.tsv", gold=count, aligned=6)
        assert (code, err) == (1, f"{problem}\n")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", Problem("no-alignments", "gold.tsv")),
        ("# nothing\n", Problem("no-alignments", "gold.tsv")),
        (PAIRS, Problem("not-aligned", "gold.tsv", 1, 1, how="pairs")),
        (
            "alice\t爱丽丝\ta/爱 li/丽 c/丝\n",
            Problem("tokens-spell", "gold.tsv", 1, 11, spells="alic", side="source", name="alice"),
        ),
        (
            "alice\t爱丽丝\ta/爱 li/丽 ce/斯\n",
            Problem(
                "tokens-spell", "gold.tsv", 1, 11, spells="爱丽斯", side="target", name="爱丽丝"
            ),
        ),
        (
            "alice\t爱丽丝\ta/爱 li丽 ce/丝\n",
            Problem("token-slashes", "gold.tsv", 1, 15, how="none", token="li丽"),
        ),
        (GOLD + "bob\n", Problem("no-tab", "gold.tsv", 5, 1, how="aligned")),
        (GOLD.encode("utf-16"), Problem("names-utf-16", "gold.tsv", 1, 1)),
        (GOLD.encode() + b"b\xff\tx\tx\n", Problem("names-not-utf-8", "gold.tsv", 5, 2, byte=0xFF)),
    ],
)
def test_bad_gold(content: str | bytes, problem: Problem) -> None:
    write("gold.tsv", content)
    code, err = refused("align", "pairs.tsv", "--gold", "gold.tsv")
    assert code == 1
    assert err.startswith(f"{problem}\n")


def test_a_bad_line_of_gold_can_be_skipped() -> None:
    write("gold.tsv", GOLD + "bob\n")
    code, out, _ = run("align", "pairs.tsv", "--gold", "gold.tsv", "--skip-bad")
    assert (code, f"note: gold: {Note('bad-lines', count=1)}\n" in out) == (0, True)


def test_gold_with_crlf_and_a_byte_order_mark() -> None:
    plain = good("align", "pairs.tsv", "--gold", "gold.tsv")
    write("gold.tsv", b"\xef\xbb\xbf" + GOLD.replace("\n", "\r\n").encode())
    assert good("align", "pairs.tsv", "--gold", "gold.tsv") == plain


# --- styles -------------------------------------------------------------------------------------


@pytest.mark.parametrize("gold", [(), ("--gold", "more-gold.tsv")])
def test_numbers_are_the_same_in_every_style(gold: tuple[str, ...]) -> None:
    options = ("align", "more.tsv", "--method", "affinity,segment", *gold)
    steps = json.loads(good(*options, "--json"))["iterations"]
    rows = list(csv.DictReader(io.StringIO(good(*options, "--csv"))))
    assert len(rows) == len(steps)
    for row, step in zip(rows, steps, strict=True):
        assert row["method"] == step["method"]
        assert int(row["iteration"]) == step["iteration"]
        assert float(row["entropy"]) == step["entropy"]
        assert (float(row["bits_a_pair"]) if row["bits_a_pair"] else None) == step["bits_a_pair"]
        if gold:
            assert float(row["f1"]) == step["mappings"]["f1"]
    for style, pattern in (("--markdown", r"\| *"), ("--latex", r" *& *")):
        lines = re.split(r"\n", good(*options, style))
        cells = [re.split(pattern, line.strip("| ").removesuffix(" \\\\")) for line in lines]
        shown = {tuple(one.strip() for one in row[:3]) for row in cells if len(row) > 3}
        for step in steps[-3:]:
            written = (step["method"], str(step["iteration"]), f"{step['entropy']:.3f}")
            assert written in shown
    text = good(*options)
    for step in (steps[0], steps[-1]):
        line = rf"^{step['method']} +{step['iteration']} +{step['entropy']:.3f} "
        assert re.search(line, text, re.MULTILINE)


@pytest.mark.parametrize("style", ["--json", "--csv", "--markdown", "--latex"])
def test_a_style_with_a_file(style: str) -> None:
    alone = good("align", "more.tsv", style)
    assert good("align", "more.tsv", style, "-o", "written.tsv") == alone
    assert len(read(Path("written.tsv").read_text())) == 54


def test_notes_of_csv_are_messages() -> None:
    code, out, err = run("align", "--dataset", "sample:el", "--csv")
    assert code == 0
    assert "note: " in err
    assert len({len(row) for row in csv.reader(io.StringIO(out))}) == 1


def test_decimals() -> None:
    for digits in (0, 1, 5, 12):
        out = good("align", "pairs.tsv", "--method", "segment,affinity", "--digits", digits)
        (last,) = [line for line in out.splitlines() if line.startswith("affinity")][-1:]
        assert len(last.split()[2].partition(".")[2]) == digits
        assert columns(out) <= 80


def test_longer_units() -> None:
    write("pairs.tsv", "a\t丽斯\n")
    found = shell("align", "pairs.tsv", "--units", "4", "--json")
    assert (found.returncode, found.stderr) == (0, b"")
    assert json.loads(found.stdout)["notes"] == [says("few-pairs", count=1)]


@pytest.mark.long
@pytest.mark.parametrize("code", ["zh", "ru", "ar", "hi"])
@pytest.mark.parametrize("units", [2, 4])
def test_longer_units_of_a_sample(code: str, units: int) -> None:
    shown = json.loads(good("align", "--dataset", f"sample:{code}", "--units", units, "--json"))
    costs = [step["bits_a_pair"] for step in shown["iterations"]]
    assert costs == sorted(costs, reverse=True)


def test_a_pair_that_costs_nothing() -> None:
    write("pairs.tsv", "a\tb\n")
    _, err = aligned("pairs.tsv")
    assert "-0.000" not in err
    assert says("not-settled", count=50) not in err
