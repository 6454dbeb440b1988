"""Refusals of commands, width of their output, help, and loaded packages."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cli.chance.corpus import QUICK, number, shell, width, wrong
from command_line import good, refused
from sameas.errors import UsageError, unknown
from saying import did_you_mean

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
def test_refusals_of_every_command(here: Path, arguments: list[str]) -> None:
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
        ("confidence", "100", "100 is not a percentage of at least 50 and below 100"),
        ("confidence", "0.95", "0.95 is not a percentage of at least 50 and below 100"),
        ("confidence", "nan", "nan is not a percentage of at least 50 and below 100"),
        ("confidence", "x", "x is not a percentage of at least 50 and below 100"),
        ("digits", "13", "13 is not a number from 0 to 12"),
    ],
)
def test_invalid_numbers(command: str, option: str, value: str, message: str) -> None:
    assert refused(command, f"--{option}={value}") == (
        2,
        f"sameas {command}: argument --{option}: {message}\n"
        f"sameas {command}: try sameas {command} --help\n",
    )


@pytest.mark.parametrize("command", ["compare", "correlate", "published"])
def test_unknown_options(command: str) -> None:
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


# --- all commands --------------------------------------------------------------------------------

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


@pytest.mark.long
@pytest.mark.parametrize("arguments", EVERY.values(), ids=EVERY)
def test_text_is_at_most_80_columns_wide(arguments: list[str]) -> None:
    assert max(map(width, good(*arguments).splitlines())) <= 80


@pytest.mark.long
def test_long_names_are_cut(here: Path) -> None:
    names = ["a" * 100, "experiment number " * 8, "x" * 79 + "y"]
    systems = [f"{name}=s{n}.jsonl" for n, name in enumerate(names)]
    for options in ([], ["--digits", 12], ["--pairs", "all"], ["--metrics", "all"]):
        text = good("compare", "key.jsonl", *systems, *QUICK, *options)
        assert max(map(width, text.splitlines())) <= 80


@pytest.mark.long
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
def test_terminals_without_our_characters(arguments: list[str]) -> None:
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
ALWAYS = ["--help", "--quiet", "--help-all"]
SHORT = {"--help": "-h", "--metrics": "-m", "--output": "-o", "--quiet": "-q"}
HELP_ALL = {"transliterate apply": ["--help"]}  # has no rare options
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
        "KEY", "[NAME=]RESPONSE", "--example", "--metrics", *HOW, "--signature", "--test", "--pairs",
        "--correction", *RESAMPLING, "--format", "--jobs", "--output", *STYLES, "--digits", "--plot",
    ],
    "report": [
        "KEY", "[NAME=]RESPONSE", "--example", "--output", "--title", "--metrics", *HOW, "--signature",
        "--test", "--correction", *RESAMPLING, "--format",
    ],
    "errors": [
        "KEY", "[NAME=]RESPONSE", "--example", "--kind", "--by", "--where", "--list", "--links",
        "--document", "--show", "--metrics", *HOW, "--signature", "--format", "--output", *STYLES, "--digits",
        "--color", "--plot",
    ],
    "score": [
        "--interval", *RESAMPLING, *HOW, "--signature", "--jobs", *STYLES, "--digits", "--by", "--plot",
    ],
    "cone": [
        "KEY", "[NAME=]RESPONSE", "--text", "--example", "--names", "--matcher", "--across", "--write-key", "--mentions",
        "--metrics", "--by-document", "--correlate", "--against", "--share-of", "--gold-subset",
        "--target", "--joins",
        *(option for option in HOW if option not in ("--preset", "--compat")), "--signature",
        "--interval", *RESAMPLING, "--format", "--output", *STYLES, "--digits", "--plot",
    ],
    "align": [
        "PAIRS", "--dataset", "--output", "--show", "--method", "--start", "--seed", "--target", "--cut",
        "--letters", "--units", "--case", "--iterations", "--source-sounds", "--target-sounds",
        "--signature", "--gold", "--skip-bad", *STYLES, "--digits", "--plot",
    ],
    "entropy": [
        "[NAME=]ALIGNED", "--gold", "--format", "--top", "--token", "--wrong", "--case", "--skip-bad", "--interval",
        *RESAMPLING, "--output", *STYLES, "--digits",
    ],
    "transliterate train": ["PAIRS", "--dataset", "--output", *LEARNING, "--skip-bad"],
    "transliterate apply": [
        "MODEL", "NAME", "--file", "--most", "--threshold", "--output", "--json", "--skip-bad",
    ],
    "transliterate evaluate": [
        "REFERENCES", "[NAME=]SYSTEM", "--dataset", *LEARNING, "--most", "--ties", "--variants", "--wrong",
        "--compare", "--skip-bad", "--interval", "--confidence", "--samples", "--output", *STYLES, "--digits",
    ],
    "verify": [
        "PAIRS", "--model", "--top", "--output", "--prior", "--labels", "--det", "--false-alarm",
        "--interval", "--skip-bad", *STYLES, "--digits",
    ],
    "correlate": [
        "SCORES", "--published", "--metrics", "--with", "--part", "--by-document", "--by",
        "--skip-missing", "--draw", *RESAMPLING, "--output", *STYLES, "--digits", "--plot",
    ],
    "published": [
        "--task", "--language", "--system", "--metrics", "--sort", "--scorer", "--place",
        "--audit", "--table", "--output", *STYLES,
    ],
}  # fmt: skip


@pytest.mark.parametrize("command", OPTIONS)
def test_help_describes_every_option(command: str) -> None:
    text = good(*command.split(), *HELP_ALL.get(command, ["--help-all"]))
    for option in OPTIONS[command]:
        shown = f"{SHORT[option]}, {option}" if option in SHORT else option
        assert re.search(rf"(?m)^  {re.escape(shown)}(?![\w-])", text), option
    found = re.findall(r"(?m)^  (?:-\w, )?(--[a-z-]+)", text)
    if command != "score":
        options = [option for option in OPTIONS[command] if option.startswith("--")]
        assert sorted(found) == sorted([*options, *ALWAYS[: 3 - (command in HELP_ALL)]])
    assert max(map(width, text.splitlines())) <= 80


@pytest.mark.parametrize("command", [*OPTIONS, "check", "convert", "scorer", "example"])
def test_help_is_short_and_has_the_common_options(command: str) -> None:
    text = good(*command.split(), "--help")
    assert text.startswith(f"usage: sameas {command} [options]")
    assert len(text.splitlines()) <= (40 if command == "score" else 50)
    assert max(map(width, text.splitlines())) <= 80
    common = set(re.findall(r"(?m)^  (?:-\w, )?(--[a-z-]+)", text))
    assert {"--quiet", "--help"} <= common
    everything = (
        good(*command.split(), *HELP_ALL.get(command, ["--help-all"]))
        if command in OPTIONS
        else text
    )
    assert common <= set(re.findall(r"(?m)^  (?:-\w, )?(--[a-z-]+)", everything))


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
    """Return the packages that the environment itself loads when Python starts."""
    command = [sys.executable, "-c", AT_START]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def loaded(environment: list[str], arguments: list[str]) -> list[str]:
    """Return the third-party packages that a command loads."""
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


@pytest.mark.long
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
def test_commands_load_only_numpy(environment: list[str], arguments: list[str]) -> None:
    assert loaded(environment, arguments) == ["numpy"]


def test_titles_in_markdown_are_escaped(here: Path) -> None:
    text = good("compare", "key.jsonl", "a*b=s0.jsonl", "c*d=s1.jsonl", *QUICK, "--markdown")
    assert r"**c\*d − a\*b**" in text


def test_stars_in_names_are_not_marks_in_latex(here: Path) -> None:
    tex = good("compare", "key.jsonl", "v2*=s0.jsonl", "s1.jsonl", *QUICK, "--latex")
    assert r"v2\textsuperscript{*} &" not in tex


@pytest.mark.parametrize("name", ["[new]", "*new"])
def test_names_that_latex_would_read_as_arguments(here: Path, name: str) -> None:
    tex = good("compare", "key.jsonl", "s0.jsonl", f"{name}=s1.jsonl", *QUICK, "--latex")
    assert not re.search(r"\\\\\s*[\[*]", tex)


def test_notes_with_wide_characters_are_80_columns_wide(here: Path) -> None:
    text = good("compare", "key.jsonl", "中文" * 20 + "=s0.jsonl", "s3.jsonl", *QUICK)
    assert max(map(width, text.splitlines())) <= 80
