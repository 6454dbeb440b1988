"""`sameas entropy` on the command line: the quality of an alignment, and problems of files."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from command_line import columns, good, refused, run, shell, unwrapped, write
from fuzz_names import limit
from sameas.errors import Problem, unknown
from sameas.notes import Note
from saying import did_you_mean, says, unreadable

ALIGNED = (
    "alice\t爱丽丝\ta/爱 li/丽 ce/丝\nadam\t亚当\ta/亚 dam/当\nanna\t安娜\tan/安 na/娜\n"
    "diana\t黛安娜\tdia/黛 n/安 a/娜\nellis\t埃利斯\tel/埃 li/利 s/斯\n"
)
GOLD = ALIGNED.replace("dia/黛 n/安 a/娜", "di/黛 a/安 na/娜")
#: Enough names, and no token that is the only one of its unit, to avoid notes on them.
MORE, MORE_GOLD = ALIGNED * 4, GOLD * 4
M2M = "a|l:i|c:e|\t爱|丽|丝|\na:n|n:a|\t安|娜|\n"
PHONETISAURUS = "a}爱 l|i}丽 c|e}丝\na|n}安 n|a}娜\n"
OURS = "alice\t爱丽丝\ta/爱 li/丽 ce/丝\nanna\t安娜\tan/安 na/娜\n"
STYLES = ["--json", "--csv", "--markdown", "--latex"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run commands in a folder that has aligned names, a gold standard, and a subfolder."""
    monkeypatch.chdir(tmp_path)
    write("aligned.tsv", ALIGNED)
    write("gold.tsv", GOLD)
    write("more.tsv", MORE)
    write("more-gold.tsv", MORE_GOLD)
    Path("folder").mkdir()


def bad(content: str | bytes, *options: object) -> str:
    """Return the messages about an invalid file of aligned names."""
    write("bad.tsv", content)
    code, err = refused("entropy", "bad.tsv", *options)
    assert code == 1
    return err


# --- one alignment ------------------------------------------------------------------------------


def test_an_alignment() -> None:
    shown = json.loads(good("entropy", "aligned.tsv", "--json"))
    # Of 13 tokens, two with 安 (an, n) and two with 娜 (na, a) have one bit each.
    assert (shown["pairs"], shown["tokens"]) == (5, 13)
    assert shown["entropy"] == pytest.approx(4 / 13)


def test_an_alignment_without_notes() -> None:
    assert "note: " not in good("entropy", "more.tsv", "--gold", "more-gold.tsv")


def test_shares_add_up() -> None:
    shown = json.loads(good("entropy", "aligned.tsv", "--json"))["by_token"]
    assert math.fsum(one["share"] for one in shown) == pytest.approx(1)
    assert [one["token"] for one in shown[:2]] == ["娜", "安"]
    assert shown[0]["mappings"] == {"a": 1, "na": 1}


def test_standard_input() -> None:
    found = shell("entropy", "-", stdin=ALIGNED.encode())
    assert (found.returncode, found.stderr) == (0, b"")
    printed = found.stdout.decode().splitlines()
    assert printed[2] == "<stdin>        5      13    0.308"
    assert printed[3:] == good("entropy", "aligned.tsv").splitlines()[3:]


def test_gold_from_standard_input() -> None:
    found = shell("entropy", "aligned.tsv", "--gold", "-", stdin=GOLD.encode())
    assert found.stdout.decode() == good("entropy", "aligned.tsv", "--gold", "gold.tsv")


def test_a_closed_pipe() -> None:
    command = f'"{sys.executable}" -m sameas entropy more.tsv --csv | head -1'
    found = subprocess.run(
        f"set -o pipefail; {command}",
        shell=True,
        executable="/bin/bash",
        capture_output=True,
        check=False,
    )
    assert (found.returncode, found.stderr) == (0, b"")
    assert found.stdout.count(b"\n") == 1


@pytest.mark.long
def test_what_align_writes() -> None:
    for code in ("zh", "ar", "hi", "ja"):
        good("align", "--dataset", f"sample:{code}", "-o", "written.tsv", "--iterations", "2")
        steps = json.loads(
            good("align", "--dataset", f"sample:{code}", "--json", "--iterations", "2")
        )["iterations"]
        shown = json.loads(good("entropy", "written.tsv", "--json"))
        assert shown["entropy"] == pytest.approx(steps[-1]["entropy"], abs=1e-12)
        assert columns(good("entropy", "written.tsv")) <= 80


def test_case_is_folded_or_kept() -> None:
    write("cased.tsv", "A\t爱\tA/爱\na\t爱\ta/爱\n")
    assert json.loads(good("entropy", "cased.tsv", "--json"))["entropy"] == 0
    assert json.loads(good("entropy", "cased.tsv", "--json", "--case", "keep"))["entropy"] == 1
    assert "|case:keep|" in good("entropy", "cased.tsv", "--case", "keep")


def test_how_many_tokens_are_shown() -> None:
    for top in (1, 3, 100):
        out = good("entropy", "aligned.tsv", "--top", top)
        assert out.count(" %\n") == min(top, 11)
    assert "by their share of the entropy" not in good("entropy", "aligned.tsv", "--top", 0)


def test_top_is_for_one_table() -> None:
    for option, told in (
        ("--json", says("option-not-for", option="--top", other="--json")),
        ("--csv", says("option-not-for", option="--top", other="--csv")),
        ("gold.tsv", says("top-of-several")),
    ):
        assert refused("entropy", "aligned.tsv", option, "--top", 1) == (2, f"sameas: {told}\n")


def test_decimals() -> None:
    for digits in (0, 1, 6, 12):
        row = good("entropy", "aligned.tsv", "--digits", digits).splitlines()[2]
        assert len(row.split()[-1].partition(".")[2]) == digits


# --- one token ----------------------------------------------------------------------------------


def test_one_token() -> None:
    assert good("entropy", "aligned.tsv", "--token", "安") == (
        "安: 1.000 bits\n"
        "mapped to  example           times     %\n"
        "────────────────────────────────────────\n"
        "an         an/安 na/娜           1  50.0\n"
        "n          dia/黛 n/安 a/娜      1  50.0\n\n"
        "sameas:entropy|case:fold|pairs:5|version:0.1.0\n"
    )
    for style in ("--markdown", "--latex"):
        out = good("entropy", "aligned.tsv", "--token", "安", style)
        assert re.search(r"安: 1\.000 bits", out)
        assert re.search(r"n [|&] dia/黛 n/安 a/娜 [|&] 1 [|&] 50\.0", out)


def test_one_token_for_programs() -> None:
    signature = "sameas:entropy|case:fold|pairs:5|version:0.1.0"
    shown = json.loads(good("entropy", "aligned.tsv", "--token", "安", "--json"))
    (whole,) = [
        one
        for one in json.loads(good("entropy", "aligned.tsv", "--json"))["by_token"]
        if one["token"] == "安"
    ]
    assert shown == {"signature": signature, **whole}
    assert shown["mappings"] == {"an": 1, "n": 1}
    rows = list(csv.reader(io.StringIO(good("entropy", "aligned.tsv", "--token", "安", "--csv"))))
    assert rows == [
        ["token", "source_token", "times", "signature"],
        ["安", "an", "1", signature],
        ["安", "n", "1", signature],
    ]


def test_an_empty_token() -> None:
    write("aligned.tsv", "an\t安\ta/安 n/*\n")
    out = good("entropy", "aligned.tsv", "--token", "*")
    assert out.startswith("*: 0.000 bits\n")
    assert re.search(r"^n +a/安 n/\* +1 +100\.0$", out, re.MULTILINE)


def test_a_token_that_is_a_star() -> None:
    write("aligned.tsv", "a*b\t安*\ta/安 \\*/* b/\\*\n")
    out = good("entropy", "aligned.tsv")
    assert re.search(r"^\* +\\\* 1 ", out, re.MULTILINE)
    assert re.search(r"^\\\* +b 1 ", out, re.MULTILINE)


@pytest.mark.parametrize("token", ["\\*", "\\/", "安_娜"])
def test_a_token_is_selected_as_displayed(token: str) -> None:
    write("aligned.tsv", "a*/b c\t*/安 娜\ta/\\* \\*\\//\\/ b_c/安_娜\n")
    assert f"\n{token} " in good("entropy", "aligned.tsv")
    assert good("entropy", "aligned.tsv", "--token", token).startswith(f"{token}: ")


@pytest.mark.parametrize("case", ["fold", pytest.param("keep")])
def test_a_token_in_another_normal_form(case: str) -> None:
    write("aligned.tsv", "ay\tай\ta/а y/\u0439\n")
    out = good("entropy", "aligned.tsv", "--token", "\u0438\u0306", "--case", case)
    assert out.startswith("\u0439: 0.000 bits\n")


def test_an_unknown_token() -> None:
    code, err = refused("entropy", "aligned.tsv", "--token", "x")
    assert (code, err) == (2, f"sameas: {says('no-such-token', token='x')}\n")
    code, err = refused("entropy", "aligned.tsv", "aligned.tsv", "--token", "安")
    assert (code, err) == (2, f"sameas: {says('token-of-several')}\n")


@pytest.mark.parametrize("options", [("--gold", "gold.tsv"), ("--top", "1")])
def test_options_that_are_not_for_a_token(options: tuple[str, str]) -> None:
    code, err = refused("entropy", "aligned.tsv", "--token", "安", *options)
    told = says("option-not-for", option=options[0], other="--token")
    assert (code, err) == (2, f"sameas: {told}\n")


# --- gold ---------------------------------------------------------------------------------------


def test_gold() -> None:
    out = good("entropy", "aligned.tsv", "--gold", "gold.tsv")
    shown = json.loads(good("entropy", "aligned.tsv", "--gold", "gold.tsv", "--json"))["gold"]
    assert (shown["pairs"], shown["exact"]) == (5, 4)
    assert shown["mappings"]["counts"] == [10, 13, 10, 13]
    assert shown["mappings"]["f1"] == pytest.approx(10 / 13)
    assert re.search(r"^mappings +10 / 13  76\.92 +10 / 13  76\.92  76\.92$", out, re.MULTILINE)
    assert re.search(r"^names +4 / 5  80\.00$", out, re.MULTILINE)
    assert columns(out) <= 80


def test_an_alignment_is_its_own_gold() -> None:
    shown = json.loads(good("entropy", "gold.tsv", "--gold", "gold.tsv", "--json"))["gold"]
    assert shown["mappings"]["f1"] == shown["letters"]["f1"] == 1
    assert shown["exact"] == 5


def test_gold_in_another_order_and_twice() -> None:
    lines = GOLD.splitlines()
    write("gold.tsv", "\n".join([*lines[::-1], lines[0], ""]))
    shown = json.loads(good("entropy", "aligned.tsv", "--gold", "gold.tsv", "--json"))["gold"]
    assert (shown["pairs"], shown["exact"]) == (6, 5)


def test_gold_of_some_other_names() -> None:
    write("gold.tsv", GOLD + "bob\t鲍勃\tbo/鲍 b/勃\n")
    out = good("entropy", "aligned.tsv", "--gold", "gold.tsv")
    assert f"note: {Note('gold-missing', count=1, total=6)}\n" in out
    assert f"note: {Note('few-gold', count=5)}\n" in out


@pytest.mark.parametrize(
    "case",
    ["fold", pytest.param("keep")],
)
def test_gold_in_another_normal_form(case: str) -> None:
    write("aligned.tsv", "Zoe\u0308\tЗоэ\tZ/З o/о \u00eb/э\n")
    write("gold.tsv", "Zo\u00eb\tЗоэ\tZ/З o/о \u00eb/э\n")
    options = ("entropy", "aligned.tsv", "--gold", "gold.tsv", "--case", case, "--json")
    assert json.loads(good(*options))["gold"]["exact"] == 1


def test_few_gold_pairs_are_noted() -> None:
    for count, told in ((19, True), (20, False)):
        write("gold.tsv", "".join(MORE_GOLD.splitlines(keepends=True)[:count]))
        out = good("entropy", "aligned.tsv", "--gold", "gold.tsv")
        assert (str(Note("few-gold", count=count)) in out) == told


def test_gold_of_other_names() -> None:
    write("gold.tsv", "bob\t鲍勃\tbo/鲍 b/勃\n")
    code, err = refused("entropy", "aligned.tsv", "--gold", "gold.tsv")
    assert (code, err) == (1, f"{Problem('gold-apart', 'gold.tsv', gold=1, aligned=5)}\n")


def test_intervals() -> None:
    options = ("entropy", "aligned.tsv", "--gold", "gold.tsv", "--interval", "--samples", "200")
    out = good(*options)
    assert "[95%]" in out
    assert columns(out) <= 80
    shown = json.loads(good(*options, "--json"))
    low, high = shown["gold"]["intervals"]["mappings"]["f1"]
    assert low <= shown["gold"]["mappings"]["f1"] <= high
    assert "|interval:percentile|confidence:95|samples:200|seed:1|" in shown["signature"]
    assert good(*options) == out
    for more in (("--method", "bca"), ("--confidence", "90"), ("--seed", "7")):
        changed = good(*options, *more)
        assert more[1] in changed.replace("\n  ", "")


def test_an_interval_of_one_name() -> None:
    write("aligned.tsv", "a\t爱\ta/爱\n")
    out = good(
        *("entropy", "aligned.tsv", "--gold", "aligned.tsv", "--interval", "--samples", "100")
    )
    assert f"note: {Note('few-gold', count=1)}\n" in out


def test_a_table_of_wide_intervals() -> None:
    options = ("--gold", "more.tsv", "--interval", "--samples", "100")
    assert good("entropy", "more.tsv", *options).count("names") == 1


def test_the_table_of_intervals() -> None:
    out = good("entropy", "aligned.tsv", "--gold", "gold.tsv", "--interval", "--samples", "100")
    (head,) = [line for line in out.splitlines() if "precision [95%]" in line]
    (row,) = [line for line in out.splitlines() if re.match(r"names.*80", line)]
    assert row.index("80.00") < head.index("precision")


@pytest.mark.parametrize("style", ["--markdown", "--latex"])
def test_gold_in_every_style(style: str) -> None:
    assert "76.92" in good("entropy", "aligned.tsv", "--gold", "gold.tsv", style)


def test_gold_in_csv() -> None:
    options = ("entropy", "more.tsv", "--gold", "more-gold.tsv", "--interval", "--samples", "100")
    shown = json.loads(good(*options, "--json"))
    (row,) = csv.DictReader(io.StringIO(good(*options, "--csv")))
    gold = shown["gold"]
    wanted: dict[str, object] = {
        "alignment": "more.tsv",
        "pairs": 20,
        "tokens": 52,
        "entropy": shown["entropy"],
        "gold_pairs": 20,
        "names_right": 16,
        "signature": shown["signature"],
    }
    for kind in ("mappings", "letters"):
        for part in ("recall", "precision", "f1"):
            low, high = gold["intervals"][kind][part]
            wanted[f"{kind}_{part}"] = gold[kind][part]
            wanted |= {f"{kind}_{part}_low": low, f"{kind}_{part}_high": high}
    assert row == {name: str(value) for name, value in wanted.items()}
    assert float(row["mappings_f1"]) == 10 / 13


# --- several alignments -------------------------------------------------------------------------


def test_several_alignments() -> None:
    out = good("entropy", "aligned.tsv", "gold.tsv", "--gold", "gold.tsv")
    assert re.search(r"^aligned\.tsv +5 +13 +0\.308$", out, re.MULTILINE)
    assert re.search(r"^gold\.tsv +5 +13 +0\.154$", out, re.MULTILINE)
    assert "by their share of the entropy" not in out
    assert re.search(r"^aligned\.tsv: 5 gold pairs\n.*\n─+\nmappings +10 / 13 ", out, re.MULTILINE)
    assert re.search(r"^gold\.tsv: 5 gold pairs\n.*\n─+\nmappings +13 / 13 ", out, re.MULTILINE)
    assert f"note: {Note('few-gold', count=5)}" in out
    assert columns(out) <= 80
    shown = json.loads(good("entropy", "aligned.tsv", "gold.tsv", "--json"))
    assert [one["name"] for one in shown] == ["aligned.tsv", "gold.tsv"]
    out = good("entropy", "more.tsv", "more-gold.tsv", "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["alignment"] for row in rows] == ["more.tsv", "more-gold.tsv"]


def test_long_names_of_files() -> None:
    name = "a" * 120 + ".tsv"
    write(name, ALIGNED)
    assert columns(good("entropy", name, "aligned.tsv", "--gold", "gold.tsv")) <= 80


# --- styles -------------------------------------------------------------------------------------


def test_numbers_are_the_same_in_every_style() -> None:
    shown = json.loads(good("entropy", "more.tsv", "--json"))
    (row,) = csv.DictReader(io.StringIO(good("entropy", "more.tsv", "--csv")))
    names = ("pairs", "tokens", "entropy", "signature")
    assert row == {"alignment": "more.tsv", **{name: str(shown[name]) for name in names}}
    for style in ("--markdown", "--latex"):
        out = good("entropy", "more.tsv", style, "--top", "2")
        assert "0.308" in out
        assert "by their share of the entropy" in out
        assert re.search(r"安 [|&] an 4, n 4 [|&] 8 [|&] 1\.000 [|&] 50\.0 \\?%", out)


def test_notes_of_csv_are_messages() -> None:
    write("aligned.tsv", "an\t安\ta/安 n/*\n")
    code, out, err = run("entropy", "aligned.tsv", "--csv")
    assert code == 0
    notes = Note("mapped-to-nothing", count=1, total=2), Note("only-tokens", count=2, total=2)
    assert err == "".join(f"aligned.tsv: note: {note}\n" for note in notes)
    assert "note" not in out


# --- formats ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "format"), [(M2M, "m2m"), (PHONETISAURUS, "phonetisaurus"), (OURS, "sameas")]
)
def test_a_format_is_detected_or_given(content: str, format: str) -> None:
    write("names.tsv", OURS)
    ours = good("entropy", "names.tsv")
    write("names.tsv", content)
    assert good("entropy", "names.tsv") == ours
    assert good("entropy", "names.tsv", "--format", format) == ours


@pytest.mark.parametrize(
    ("content", "format", "problem"),
    [
        (OURS, "m2m", Problem("m2m-columns", "bad.tsv", 1, 1)),
        (OURS, "phonetisaurus", Problem("token-brace", "bad.tsv", 1, 1, token="alice")),
        (M2M, "sameas", Problem("tokens-column", "bad.tsv", 1, 18)),
        (M2M, "phonetisaurus", Problem("token-brace", "bad.tsv", 1, 1, token="a|l:i|c:e|")),
        (
            "a|l:i|c:e|\t爱|丽|\n",
            "m2m",
            Problem("m2m-tokens", "bad.tsv", 1, 12, source=3, target=2),
        ),
        ("a}爱 l|i丽\n", "phonetisaurus", Problem("token-brace", "bad.tsv", 1, 5, token="l|i丽")),
        ("_|\t_|\n", "m2m", Problem("no-tokens", "bad.tsv", 1, 1)),
    ],
)
def test_a_wrong_format(content: str, format: str, problem: Problem) -> None:
    assert bad(content, "--format", format).startswith(f"{problem}\n")


# --- wrong usage --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), says("entropy-nothing")),
        (("aligned.tsv", "--interval"), says("needs-gold", how="interval")),
        (("aligned.tsv", "--samples", "100"), says("needs-interval", option="samples")),
        (("aligned.tsv", "--seed", "1"), says("needs-interval", option="seed")),
        (("aligned.tsv", "--method", "bca"), says("needs-interval", option="method")),
        (("aligned.tsv", "--confidence", "90"), says("needs-interval", option="confidence")),
        (("-", "-"), says("one-stdin")),
        (("-", "--gold", "-"), says("one-stdin")),
        (("aligned.tsv", "--case", "both"), str(unknown("case", "both", ("fold", "keep")))),
        (("aligned.tsv", "--format", "m3m"), did_you_mean("format", "m3m", "m2m")),
        (("aligned.tsv", "--top", "-1"), "-1 is not a whole number of at least 0"),
        (("aligned.tsv", "--top", "x"), "x is not a whole number of at least 0"),
        (("aligned.tsv", "--digits", "99"), "99 is not a number from 0 to 12"),
        (("aligned.tsv", "--json", "--csv"), "not allowed with argument --json"),
        (("aligned.tsv", "--golden", "gold.tsv"), did_you_mean("option", "--golden", "--gold")),
        (
            ("aligned.tsv", "--gold", "gold.tsv", "--interval", "--confidence", "100"),
            "100 is not a percentage of at least 50 and below 100",
        ),
        (
            ("aligned.tsv", "--gold", "gold.tsv", "--interval", "--method", "normal"),
            "normal",
        ),
    ],
)
def test_wrong_usage(options: tuple[str, ...], message: str) -> None:
    code, err = refused("entropy", *options)
    assert code == 2
    assert message in err


@pytest.mark.parametrize(
    ("options", "option"),
    [
        (("",), "ALIGNED"),
        (("aligned.tsv", ""), "ALIGNED"),
        (("aligned.tsv", "--gold", ""), "--gold"),
        (("aligned.tsv", "--case", ""), "--case"),
        (("aligned.tsv", "--token", ""), "--token"),
    ],
)
def test_an_empty_value(options: tuple[str, ...], option: str) -> None:
    told = says("option-empty", option=option)
    assert refused("entropy", *options) == (2, f"sameas: {told}\n")


# --- bad files ----------------------------------------------------------------------------------

NO_TAB = says("no-tab", how="aligned")


def spell(column: int, spells: str, side: str, name: str) -> Problem:
    return Problem("tokens-spell", "bad.tsv", 6, column, spells=spells, side=side, name=name)


BAD: dict[str, tuple[str | bytes, Problem]] = {
    # The content of the file, and its first problem.
    "empty": ("", Problem("no-alignments", "bad.tsv")),
    "comments": ("# one\n", Problem("no-alignments", "bad.tsv")),
    "blank": ("\n \n", Problem("no-alignments", "bad.tsv")),
    "pairs": ("alice\t爱丽丝\n", Problem("not-aligned", "bad.tsv", 1, 1, how="pairs")),
    "text": ("alice\n", Problem("not-aligned", "bad.tsv", 1, 1, how="text")),
    "UTF-16": (ALIGNED.encode("utf-16"), Problem("names-utf-16", "bad.tsv", 1, 1)),
    "no UTF-8": (
        ALIGNED.encode() + b"b\xff\tx\tx\n",
        Problem("names-not-utf-8", "bad.tsv", 6, 2, byte=0xFF),
    ),
    "two columns": (
        ALIGNED + "bob\t鲍勃\n",
        Problem("tokens-column", "bad.tsv", 6, 7),
    ),
    "one column": (ALIGNED + "bob\n", Problem("no-tab", "bad.tsv", 6, 1, how="aligned")),
    "no sign between": (
        ALIGNED + "bob\t鲍勃\tbo鲍 b/勃\n",
        Problem("token-slashes", "bad.tsv", 6, 8, how="none", token="bo鲍"),
    ),
    "two signs between": (
        ALIGNED + "bob\t鲍勃\tbo/鲍 /b/勃\n",
        Problem("token-slashes", "bad.tsv", 6, 13, how="several", token="/b/勃", slashes=2),
    ),
    "a space in a token": (
        ALIGNED + "new york\t纽约\tnew /纽 york/约\n",
        Problem("token-slashes", "bad.tsv", 6, 13, how="none", token="new"),
    ),
    "an empty token": (
        ALIGNED + "bob\t鲍勃\tbo/鲍 */* b/勃\n",
        Problem("empty-token", "bad.tsv", 6, 13, token="*/*"),
    ),
    "other letters": (
        ALIGNED + "bob\t鲍勃\tbo/鲍 p/勃\n",
        spell(8, "bop", "source", "bob"),
    ),
    "other units": (
        ALIGNED + "bob\t鲍勃\tbo/鲍 b/鲍\n",
        spell(8, "鲍鲍", "target", "鲍勃"),
    ),
    "another order": (
        ALIGNED + "bob\t鲍勃\tb/勃 bo/鲍\n",
        spell(8, "bbo", "source", "bob"),
    ),
    "no tokens": (
        ALIGNED + "bob\t鲍勃\t\n",
        spell(8, "", "source", "bob"),
    ),
    "no names": (
        ALIGNED + "\t\tbo/鲍\n",
        spell(3, "bo", "source", ""),
    ),
    "UTF-16 without a mark": (
        ALIGNED.encode("utf-16-le"),
        Problem("names-utf-16", "bad.tsv", 1, 1),
    ),
    "line ends of old Macs": (
        ALIGNED.replace("\n", "\r"),
        Problem("names-old-lines", "bad.tsv", 1, 1),
    ),
    "an escape": (
        ALIGNED + "bob\t鲍勃\tbo\x1b[31m鲍 b/勃\n",
        Problem("token-slashes", "bad.tsv", 6, 8, how="none", token="bo\x1b[31m鲍"),
    ),
    "a tab alone": (
        ALIGNED + "\t\n",
        Problem("tokens-column", "bad.tsv", 6, 2),
    ),
    "two tabs alone": (ALIGNED + "\t\t\n", Problem("no-tokens", "bad.tsv", 6, 3)),
}


@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize("gold", [False, True], ids=["aligned", "gold"])
def test_a_bad_file(kind: str, gold: bool) -> None:
    content, problem = BAD[kind]
    if gold:
        write("bad.tsv", content)
        code, err = refused("entropy", "aligned.tsv", "--gold", "bad.tsv")
        assert code == 1
    else:
        err = bad(content)
    assert err.startswith(f"{problem}\n")
    assert problem.hint
    assert err.replace("\n", "").isprintable()


def test_binary_is_not_utf_16() -> None:
    assert says("names-utf-16") not in bad(bytes(range(256)))


@pytest.mark.parametrize("kind", [kind for kind, one in BAD.items() if ALIGNED in str(one[0])])
def test_a_bad_line_can_be_skipped(kind: str) -> None:
    content, problem = BAD[kind]
    plain = good("entropy", "aligned.tsv").splitlines()
    write("aligned.tsv", content)
    code, out, err = run("entropy", "aligned.tsv", "--skip-bad")
    assert code == 0
    assert err.startswith(f"{replace(problem, path='aligned.tsv')}\n")
    shown = out.splitlines()
    shown.remove(f"note: {Note('bad-lines', count=1)}")
    assert shown == plain


def test_a_bad_line_of_gold_is_counted() -> None:
    write("gold.tsv", GOLD + "bob\n")
    code, out, err = run("entropy", "aligned.tsv", "--gold", "gold.tsv", "--skip-bad")
    assert code == 0
    assert err.startswith(f"gold.tsv:6:1: {NO_TAB}\n")
    assert f"note: gold: {Note('bad-lines', count=1)}\n" in out


def test_all_lines_are_bad() -> None:
    first = Problem("token-slashes", "bad.tsv", 1, 8, how="none", token="x")
    told = [str(Problem("no-alignments", "bad.tsv")), str(first), replace(first, line=2).text("")]
    assert bad("bob\t鲍勃\tx\n" * 2, "--skip-bad").splitlines() == "\n".join(told).splitlines()


def test_twenty_problems_are_shown_and_the_rest_counted() -> None:
    err = bad(ALIGNED + "bob\n" * 100)
    assert err.count(NO_TAB) == 20
    assert err.count("hint: ") == 1
    assert err.endswith(f"… and 80 more problems\n{says('skip-bad')}\n")


def test_a_missing_file() -> None:
    for options in (("nothing.tsv",), ("aligned.tsv", "--gold", "nothing.tsv")):
        assert refused("entropy", *options) == (1, unreadable("nothing.tsv"))
    assert refused("entropy", "folder") == (1, unreadable("folder", "Is a directory"))


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + ALIGNED.encode(),
        ALIGNED.replace("\n", "\r\n").encode(),
        ALIGNED.rstrip("\n").encode(),
        b"# sameas:align|method:segment\n\n" + ALIGNED.encode(),
        ALIGNED.replace("\n", "\ta remark\n").encode(),
        ALIGNED.replace(" ", "   ").encode(),
        ALIGNED.replace("\t", " \t ").encode(),
    ],
    ids=["mark", "windows", "no line end", "comments", "four columns", "spaces", "more spaces"],
)
def test_encodings_and_line_ends_do_not_matter(content: bytes) -> None:
    plain = good("entropy", "aligned.tsv")
    write("aligned.tsv", content)
    assert good("entropy", "aligned.tsv") == plain


@pytest.mark.parametrize(
    "content",
    [
        ALIGNED.replace("\n", "\r"),
        "b\x1b[31m\t鲍\tb/鲍\n",
        "b\t鲍\tb\x1b[31m鲍\n",
        "b\u202e\t鲍\tb/鲍\n",
        "b\u2028b\t鲍\tb/鲍\n",
    ],
    ids=["line ends", "a name", "a token", "another direction", "a line separator"],
)
def test_messages_are_printable(content: str) -> None:
    err = bad(content)
    assert all(sign.isprintable() for sign in err.replace("\n", ""))


def test_tables_are_printable() -> None:
    write("aligned.tsv", "b\x1b[31m\t鲍\tb\x1b[31m/鲍\n")
    out = good("entropy", "aligned.tsv")
    assert "\x1b" not in out
    assert "\x1b" not in good("entropy", "aligned.tsv", "--token", "鲍")


# --- tables that are too wide -------------------------------------------------------------------


@pytest.mark.parametrize("options", [(), ("--token", "爱")], ids=["all", "token"])
def test_a_long_token(options: tuple[str, ...]) -> None:
    write("aligned.tsv", "a" * 200 + "\t爱\t" + "a" * 200 + "/爱\n")
    with limit(30):
        out = good("entropy", "aligned.tsv", *options)
    assert columns(out) <= 80
    assert "aaaaaaaaaaa… " in out


def test_a_very_long_token() -> None:
    write("aligned.tsv", "é" * 10_000 + "\t爱\t" + "é" * 10_000 + "/爱\n")
    with limit(30):
        assert columns(good("entropy", "aligned.tsv")) <= 80


def test_a_long_name_that_was_aligned() -> None:
    write("pairs.tsv", "a" * 255 + "\t爱丽\n")
    good("align", "pairs.tsv", "-o", "aligned.tsv", "--iterations", "1")
    with limit(30):
        assert columns(good("entropy", "aligned.tsv")) <= 80


@pytest.mark.parametrize("length", [20, 45, 60, 70])
def test_a_rather_long_token(length: int) -> None:
    write("aligned.tsv", "a" * length + "\t爱\t" + "a" * length + "/爱\n")
    with limit(30):
        assert columns(good("entropy", "aligned.tsv")) <= 80
    write("aligned.tsv", "a\t" + "爱" * length + "\ta/" + "爱" * length + "\n")
    with limit(30):
        assert columns(good("entropy", "aligned.tsv")) <= 80


def test_singular_and_plural() -> None:
    write("aligned.tsv", "an\t安\ta/安 n/*\nbob\t鲍勃\n")
    _, out, err = run("entropy", "aligned.tsv", "--skip-bad")
    assert f"note: {Note('bad-lines', count=1)}\n" in out
    assert str(Note("mapped-to-nothing", count=1, total=2)) in unwrapped(out)
    assert not re.search(r"\b1 (of \w+ \w+ are|bad lines)\b", out + err)
