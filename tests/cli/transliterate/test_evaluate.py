"""`sameas transliterate evaluate`."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from cli.transliterate.names import (
    BROKEN,
    CANDIDATES,
    MODELS,
    NO_CANDIDATE,
    RUSSIAN,
    TEST,
    bad,
    do,
    measured,
    no,
    wrong_number,
)
from command_line import columns, shell, unwrapped, write
from saying import says


@pytest.mark.long
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("most", [1, 5, 20])
def test_candidates_score_like_their_model(model: str, most: int) -> None:
    do("apply", f"{model}.model", "--file", "test.tsv", "-o", "written.tsv", "--most", most)
    out, _ = do("evaluate", "test.tsv", f"{model}.model", "written.tsv", "--csv", "--most", most)
    found = measured(out)
    assert found[f"{model}.model"] == pytest.approx(found["written.tsv"])
    assert {"accuracy", "f", "mrr", "map_ref", "cer"} <= set(found["written.tsv"])


def test_metrics_by_hand() -> None:
    """The right target is first, second, third, and missing."""
    write("key.tsv", "a\tа\nb\tб\nc\tц\nd\tд\n")
    write("out.tsv", "a\tа\nb\tв\nb\tб\nc\tк\nc\tс\nc\tц\nd\tт\n")
    found = measured(do("evaluate", "key.tsv", "x=out.tsv", "--csv")[0])["x"]
    assert found["accuracy"] == pytest.approx(1 / 4)
    assert found["mrr"] == pytest.approx((1 + 1 / 2 + 1 / 3) / 4)
    assert found["accuracy@5"] == pytest.approx(3 / 4)


def test_one_system() -> None:
    out, err = do("evaluate", "test.tsv", "bigram.model")
    assert err == ""
    assert columns(out) <= 80
    for metric in ("ACC", "F", "MRR", "MAP_ref", "ACC@5", "ACC@10", "ACC@20", "CER"):
        assert f"\n{metric} " in out
    assert "sameas:ranking|most:20|" in out


def test_several_systems() -> None:
    out, _ = do("evaluate", "test.tsv", "one=bigram.model", "two=candidates.tsv", "ngram.model")
    assert columns(out) <= 80
    for name in ("one", "two", "ngram.model"):
        assert f"\n{name} " in out


@pytest.mark.parametrize("style", ["--json", "--csv", "--markdown", "--latex"])
@pytest.mark.parametrize("more", [(), ("--interval", "--samples", 100), ("--compare",)])
def test_styles(style: str, more: tuple[object, ...]) -> None:
    out, _ = do("evaluate", "test.tsv", "bigram.model", "x=candidates.tsv", style, *more)
    if style == "--json":
        json.loads(out)
    elif style == "--csv":
        lengths = {len(row) for row in csv.reader(io.StringIO(out))}
        assert len(lengths) == 1
    else:
        assert "MRR" in out


def test_systems_are_compared() -> None:
    out, _ = do("evaluate", "test.tsv", "m=bigram.model", "x=candidates.tsv", "--compare")
    assert "x − m" in out
    assert columns(out) <= 80
    shown = json.loads(
        do("evaluate", "test.tsv", "m=bigram.model", "x=candidates.tsv", "--compare", "--json")[0]
    )
    assert "signature" in json.dumps(shown)


def test_intervals() -> None:
    out, _ = do("evaluate", "test.tsv", "bigram.model", "--interval", "--samples", 200)
    assert "95% interval" in out
    assert "|samples:200|" in out.replace("\n  ", "")
    again, _ = do("evaluate", "test.tsv", "bigram.model", "--interval", "--samples", 200)
    assert again == out
    wider, _ = do(
        "evaluate", "test.tsv", "bigram.model", "--interval", "--confidence", 99, "--samples", 200
    )
    assert "99% interval" in wider


def test_wrong_names_are_shown() -> None:
    write("wrong.tsv", "".join(f"{source}\tх\n" for source, _ in RUSSIAN[:20]))
    out, _ = do("evaluate", "test.tsv", "wrong.tsv", "--wrong", 3)
    assert "20 of 20 names wrong; the first 3 are shown" in out
    assert columns(out) <= 80


def test_fewer_candidates_are_scored() -> None:
    one = measured(do("evaluate", "test.tsv", "bigram.model", "--most", 1, "--csv")[0])
    assert one["bigram.model"]["mrr"] == one["bigram.model"]["accuracy"]


def test_ties() -> None:
    write("key.tsv", "a\tа\n")
    write("out.tsv", "a\tб\t1\na\tа\t1\n")
    order = measured(do("evaluate", "key.tsv", "x=out.tsv", "--csv", "--ties", "order")[0])
    expected = measured(do("evaluate", "key.tsv", "x=out.tsv", "--csv", "--ties", "expected")[0])
    assert (order["x"]["accuracy"], expected["x"]["accuracy"]) == (0, 0.5)


def test_variants() -> None:
    write("key.tsv", "lai\t莱\n")
    write("out.tsv", "lai\t赖\n")
    write("groups.txt", "莱赖\n")
    for variants, right in ((None, 0), ("chinese", 1), ("groups.txt", 1)):
        more = ("--variants", variants) if variants else ()
        found = measured(do("evaluate", "key.tsv", "x=out.tsv", "--csv", *more)[0])["x"]
        values = [value for name, value in found.items() if name.startswith("accuracy")]
        assert max(values) == right


def test_references_from_standard_input() -> None:
    found = shell("transliterate", "evaluate", "-", "x=candidates.tsv", stdin=TEST.encode())
    assert found.returncode == 0
    assert found.stdout.decode() == do("evaluate", "test.tsv", "x=candidates.tsv")[0]
    found = shell("transliterate", "evaluate", "test.tsv", "-", stdin=CANDIDATES.encode())
    assert found.returncode == 0


@pytest.mark.parametrize("change", ["mark", "ends"])
def test_byte_order_marks_and_line_ends_of_references(change: str) -> None:
    wanted = do("evaluate", "test.tsv", "x=candidates.tsv")
    for name, text in (("test.tsv", TEST), ("candidates.tsv", CANDIDATES)):
        write(name, "\ufeff" + text if change == "mark" else text.replace("\n", "\r\n"))
    assert do("evaluate", "test.tsv", "x=candidates.tsv") == wanted


def test_names_without_candidates_are_noted() -> None:
    write("test.tsv", TEST + "½\tж\n")
    out, _ = do("evaluate", "test.tsv", "bigram.model")
    assert NO_CANDIDATE in unwrapped(out)
    assert says("letters-left-out", count=1, letters=["½"]) in unwrapped(out)
    _, err = do("evaluate", "test.tsv", "bigram.model", "--csv")
    assert NO_CANDIDATE in err


@pytest.mark.long
def test_data_sets() -> None:
    out, err = do("evaluate", "--dataset", "sample:ru,sample:el", "--model", "bigram")
    assert err == ""
    assert columns(out) <= 80
    assert "|pairs:68|" in "".join(line.strip() for line in out.splitlines())
    again, _ = do("evaluate", "--dataset", "sample:ru,sample:el", "--model", "bigram")
    assert again == out
    back, _ = do("evaluate", "--dataset", "sample:ru", "--model", "bigram", "--reverse")
    assert "|direction:reverse|" in "".join(line.strip() for line in back.splitlines())


def test_bad_lines_of_references_and_candidates() -> None:
    write("bad.tsv", "anna\nalice\tалис\n")
    err = bad("evaluate", "bad.tsv", "candidates.tsv")
    assert err.startswith("bad.tsv:1:1: ")
    assert "--skip-bad" in err
    err = bad("evaluate", "test.tsv", "bad.tsv")
    assert err.startswith("bad.tsv:1:1: ")
    _, err = do("evaluate", "test.tsv", "bad.tsv", "--skip-bad")
    assert "bad.tsv:1:1: " in err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), says("no-systems-given")),
        (("test.tsv",), says("no-systems-given")),
        (("test.tsv", "bigram.model", "--dataset", "sample:ru"), says("dataset-and-files")),
        (("--dataset", "sample:ru", "--skip-bad"), says("skip-bad-nothing", how="dataset")),
        (("--dataset", "sample:ru,sample:ru"), says("dataset-twice")),
        (("--dataset", "sample:ru", "--compare"), says("compare-dataset")),
        (("--dataset", "sample:xx"), "xx"),
        (("--dataset", ""), says("option-empty", option="--dataset")),
        (("test.tsv", "bigram.model", "--model", "ngram"), says("learned-already", option="model")),
        (("test.tsv", "bigram.model", "--order", 3), says("learned-already", option="order")),
        (("test.tsv", "bigram.model", "--order", 0), says("learned-already", option="order")),
        (("test.tsv", "bigram.model", "--reverse"), says("learned-already", option="reverse")),
        (("test.tsv", "bigram.model", "--case", "lower"), "case lower"),
        (("test.tsv", "bigram.model", "--seed", 3), "--seed"),
        pytest.param(("test.tsv", "bigram.model", "--seed", 0), "--seed"),
        (("test.tsv", "bigram.model", "--compare"), says("too-few-systems", count=1)),
        (
            ("test.tsv", "bigram.model", "candidates.tsv", "--compare", "--wrong", 2),
            says("not-together", option="wrong", other="compare"),
        ),
        (("test.tsv", "bigram.model", "bigram.model"), says("system-twice", system="bigram.model")),
        (("test.tsv", "x=bigram.model", "x=candidates.tsv"), says("system-twice", system="x")),
        (("test.tsv", "x="), says("not-a-system", value="x=")),
        (("test.tsv", "=bigram.model"), says("not-a-system", value="=bigram.model")),
        (("test.tsv", ""), says("not-a-system", value="")),
        (("-", "-"), says("one-stdin")),
        (("-", "x=-"), says("one-stdin")),
        (("-", "bigram.model", "--variants", "-"), says("one-stdin")),
        (("test.tsv", "bigram.model", "--most", 0), wrong_number("most", 10**6, 0)),
        (
            ("test.tsv", "bigram.model", "--most", 1001),
            says("not-a-number", how="whole", name="n", least=1, most=1000, value=1001),
        ),
        (
            ("test.tsv", "bigram.model", "--wrong", 1, "--csv"),
            says("not-together", option="wrong", other="csv"),
        ),
        (
            ("test.tsv", "bigram.model", "--wrong", 1, "--latex"),
            says("not-together", option="wrong", other="latex"),
        ),
        (
            ("test.tsv", "bigram.model", "--confidence", 90),
            says("needs-interval", option="confidence"),
        ),
        (("test.tsv", "bigram.model", "--samples", 900), says("needs-interval", option="samples")),
        (("test.tsv", "bigram.model", "--ties", "random"), "random"),
        (("test.tsv", "bigram.model", "--variants", ""), says("option-empty", option="--variants")),
        (("test.tsv", "bigram.model", "--digits", "x"), "--digits"),
    ],
)
def test_wrong_usage_of_evaluate(arguments: tuple[object, ...], told: str) -> None:
    assert told in no("evaluate", *arguments)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("nothing", "bigram.model"), "nothing: "),
        (("folder", "bigram.model"), "folder: "),
        (("test.tsv", "nothing"), "nothing: "),
        (("test.tsv", "folder"), "folder: "),
        (("test.tsv", "x=nothing"), "nothing: "),
        (("test.tsv", "a\x00b"), "a\\x00b: "),
        (("empty", "bigram.model"), "empty: "),
        (("test.tsv", "empty"), "empty: "),
        (("test.tsv", "cut.model"), BROKEN),
        (("test.tsv", "bigram.model", "--variants", "nothing"), "nothing: "),
        (("test.tsv", "bigram.model", "--variants", "empty"), f"empty: {says('no-groups')}"),
        (("test.tsv", "bigram.model", "--variants", "names.txt"), "names.txt:"),
        (
            ("test.tsv", "bigram.model", "--variants", "one.txt"),
            f"one.txt:2:1: {says('not-a-group')}",
        ),
    ],
)
def test_wrong_input_of_evaluate(arguments: tuple[object, ...], told: str) -> None:
    write("cut.model", Path("bigram.model").read_bytes()[:-9])
    write("empty", "")
    write("one.txt", "莱赖\n莱\n")
    write("names.txt", "x\n")
    assert told in bad("evaluate", *arguments)
