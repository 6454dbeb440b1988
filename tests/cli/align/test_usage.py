"""`sameas align`: conflicting options, and random ones."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from cli.align.aligning import GOLD, METHODS, PAIRS
from command_line import good, refused, run, write
from fuzz_names import arguments_of, check
from sameas.errors import unknown
from sameas.names.aligner import Aligner
from saying import did_you_mean, says

# --- conflicting options ------------------------------------------------------------------------


SHOW = ("pairs.tsv", "--show", "a", "b")
BY_SIGNATURE = ("pairs.tsv", "--signature", "sameas:align|method:affinity")


def empty(option: str) -> str:
    return says("option-empty", option=option)


def range_of(name: str, value: object, least: int, most: int) -> str:
    return f"argument --{name}: {value} is not a whole number from {least} to {most:,}"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), says("align-nothing")),
        (("pairs.tsv", "--dataset", "sample:zh"), says("dataset-and-files")),
        *(
            ((*SHOW, *options), says("option-not-for", option=option, other="--show"))
            for option, *options in (
                *((style, style) for style in ("--json", "--csv", "--markdown", "--latex")),
                ("--gold", "--gold", "gold.tsv"),
                ("--output", "-o", "x"),
                ("--plot", "--plot", "x.svg"),
            )
        ),
        ((*SHOW, "--method", "affinity,segment"), says("one-alignment")),
        (("pairs.tsv", "-o", "x", "--method", "affinity,segment"), says("one-alignment")),
        (("pairs.tsv", "-o", "pairs.tsv"), says("overwritten", output="pairs.tsv")),
        (
            ("pairs.tsv", "-o", "./folder/../pairs.tsv"),
            says("overwritten", output="./folder/../pairs.tsv"),
        ),
        *(
            (("nosuch.tsv", "-o", path, "--json"), says("tab-separated", path=path))
            for path in ("al.json", "al.csv", "al.md", "al.TEX")
        ),
        (("-", "--gold", "-"), says("one-stdin")),
        *(
            (("pairs.tsv", option, ""), empty(option))
            for option in (
                *("--output", "--gold", "--plot", "--source-sounds", "--target-sounds"),
                *("--method", "--case", "--signature"),
            )
        ),
        (("pairs.tsv", "--method", "segment,"), empty("--method")),
        (("pairs.tsv", "--method", "segment,segment"), says("method-twice")),
        (
            ("pairs.tsv", "--target", "sounds"),
            says("other-method", name="target", value="sounds", only="affinity", method="segment"),
        ),
        (("pairs.tsv", "--method", "segments"), str(unknown("method", "segments", METHODS))),
        (("pairs.tsv", "--start", "middle"), "unknown start middle: "),
        (("pairs.tsv", "--target", "letters"), "unknown target letters: "),
        (("pairs.tsv", "--cut", "codas"), "unknown cut codas: "),
        (("pairs.tsv", "--case", "folds"), "unknown case folds: "),
        (("pairs.tsv", "--letters", "0"), range_of("letters", 0, 1, 20)),
        (("pairs.tsv", "--letters", "21"), range_of("letters", 21, 1, 20)),
        (("pairs.tsv", "--units", "0"), range_of("units", 0, 1, 4)),
        (("pairs.tsv", "--units", "5"), range_of("units", 5, 1, 4)),
        (("pairs.tsv", "--iterations", "1001"), range_of("iterations", 1001, 0, 1000)),
        (("pairs.tsv", "--iterations", "-1"), "-1"),
        (("pairs.tsv", "--letters", "x"), "x"),
        (("pairs.tsv", "--seed", "1.5"), "1.5"),
        (("pairs.tsv", "--digits", "99"), "99"),
        (("pairs.tsv", "--json", "--csv"), "not allowed with argument --json"),
        (("pairs.tsv", "--show", "one"), "expected 2 arguments"),
        (("pairs.tsv", "more.tsv"), "more.tsv"),
        (("pairs.tsv", "--metod", "segment"), did_you_mean("option", "--metod", "--method")),
        (
            ("pairs.tsv", "--signature", "sameas:entropy|case:fold"),
            says("not-align-signature", text="sameas:entropy|case:fold"),
        ),
        (
            ("pairs.tsv", "--signature", "sameas:align|metod:x"),
            did_you_mean("option", "metod", "method"),
        ),
        (("pairs.tsv", "--signature", "sameas:align|method:x"), "unknown method x"),
        (
            ("pairs.tsv", "--signature", "sameas:align|seed:x"),
            says("signature-number", name="seed", text="x"),
        ),
        (
            ("pairs.tsv", "--signature", "sameas:align|letters:99"),
            says("not-a-number", how="whole", name="letters", least=1, most=20, value=99),
        ),
        *(
            (
                (*BY_SIGNATURE, f"--{one.name}", str(one.default or "even")),
                says("in-signature", option=f"--{one.name}"),
            )
            for one in fields(Aligner)
        ),
    ],
)
def test_wrong_usage(options: tuple[str, ...], message: str) -> None:
    code, err = refused("align", *options)
    assert code == 2
    assert err.startswith("sameas")
    assert message in err
    assert Path("pairs.tsv").read_text() == PAIRS


@pytest.mark.parametrize(
    ("options", "name"),
    [
        (("--method", "affinity", "--letters", "3"), "letters"),
        (("--method", "affinity", "--units", "2"), "units"),
        (("--method", "segment", "--cut", "final"), "cut"),
        (("--method", "affinity", "--cut", "final"), "cut"),
        (("--target", "graphemes"), "target"),
        (("--seed", "3"), "seed"),
        (("--start", "even", "--seed", "3"), "seed"),
        (("--source-sounds", "gold.tsv"), "source_sounds"),
        (
            ("--method", "affinity", "--target", "sounds", "--source-sounds", "gold.tsv"),
            "source_sounds",
        ),
        (("--target-sounds", "gold.tsv"), "target_sounds"),
        (("--method", "affinity", "--target-sounds", "gold.tsv"), "target_sounds"),
    ],
)
def test_an_option_without_effect_is_refused(options: tuple[str, ...], name: str) -> None:
    told = says("option-unused", how=name)
    assert refused("align", "pairs.tsv", *options) == (2, f"sameas: {told}\n")


def test_an_option_for_one_of_the_methods() -> None:
    good("align", "pairs.tsv", "--method", "affinity,segment", "--letters", "3")


def test_digits_are_not_for_a_picture() -> None:
    assert run("align", "more.tsv", "--show", "anna", "安娜", "--digits", "2")[0] == 2


def test_skip_bad_is_not_for_a_data_set() -> None:
    code, err = refused("align", "--dataset", "sample:zh", "--skip-bad")
    assert (code, err) == (2, f"sameas: {says('skip-bad-nothing', how='dataset')}\n")


def test_a_file_without_a_name() -> None:
    assert refused("align", "") == (2, f"sameas: {empty('PAIRS')}\n")


def test_input_is_not_overwritten() -> None:
    write("sounds.tsv", "alice\tAE L IH S\n")
    for options in (
        ("--gold", "gold.tsv", "-o", "gold.tsv"),
        ("--gold", "gold.tsv", "-o", "folder/../gold.tsv"),
        ("--method", "phoneme", "--source-sounds", "sounds.tsv", "-o", "sounds.tsv"),
        ("--method", "phoneme", "--target-sounds", "sounds.tsv", "-o", "sounds.tsv"),
    ):
        code, err = refused("align", "pairs.tsv", *options)
        assert (code, err) == (2, f"sameas: {says('overwritten', output=options[-1])}\n")
    assert Path("gold.tsv").read_text() == GOLD
    assert Path("sounds.tsv").read_text() == "alice\tAE L IH S\n"


def test_a_dash_is_standard_output() -> None:
    plain = run("align", "pairs.tsv")
    assert run("align", "pairs.tsv", "-o", "-") == plain
    code, out, err = run("align", "pairs.tsv", "-o", "-", "--gold", "gold.tsv")
    assert (code, out) == plain[:2]
    assert " F1\n" in err
    assert not Path("-").exists()


def test_a_dash_and_a_style() -> None:
    code, _, err = run("align", "pairs.tsv", "-o", "-", "--csv")
    assert (code, err) == (2, f"sameas: {says('output-and-style', style='csv')}\n")


# --- random commands ----------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("number", range(120))
def test_random_commands_end_well(number: int, tmp_path: Path) -> None:
    check(arguments_of(7, number, tmp_path))
