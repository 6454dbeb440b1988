"""`sameas cone`: wrong usage, styles, signatures and random commands."""

from __future__ import annotations

import csv
import io
import json
from importlib.util import find_spec
from pathlib import Path

import pytest

import sameas
from cli.cone.stories import SPANISH_KEY, SPANISH_SYSTEM, Documents, write
from command_line import columns, good, refused, run
from fuzz_cone import arguments_of, check
from sameas.errors import how_to_install, unknown
from sameas.settings import SOURCES, ConeSettings, choices
from sameas.without_gold.options import Studying
from saying import says

KNOWN, STUDY = choices(ConeSettings), choices(Studying)


# --- usage --------------------------------------------------------------------------------------

FILES = says("cone-files")


def apart(option: str, other: str) -> str:
    return says("option-not-for", option=f"--{option}", other=f"--{other}")


def needs(option: str, other: str) -> str:
    return says("cone-needs", option=f"--{option}", other=f"--{other}")


WRONG = {
    "": FILES,
    "--joins": FILES,
    "--text text.jsonl": FILES,
    "key.jsonl": FILES,
    "--example a.jsonl": "--example",
    "--example --text text.jsonl": "--example",
    "key.jsonl a.jsonl --names annotated": f"key.jsonl: {says('names-not-marked')}",
    "key.jsonl a.jsonl --names column": f"key.jsonl: {says('names-no-column')}",
    "key.jsonl a.jsonl --names spacy": (
        says("spacy-no-model", model="en_core_web_sm")
        if find_spec("spacy")
        else says("spacy-missing", command=how_to_install("spacy"))
    ),
    "key.jsonl a.jsonl --names spacy:no_such_model": "spacy",
    "key.jsonl a.jsonl --names rule": str(unknown("names", "rule", SOURCES)),
    "key.jsonl a.jsonl --matcher rule": str(unknown("matcher", "rule", KNOWN["matcher"])),
    "key.jsonl a.jsonl --mentions name": str(unknown("mentions", "name", KNOWN["mentions"])),
    "key.jsonl a.jsonl --metrics b4": "b4",
    "key.jsonl a.jsonl --match loose": str(unknown("match", "loose", KNOWN["match"])),
    "key.jsonl a.jsonl --correlate entities": str(unknown("level", "entities", STUDY["level"])),
    "key.jsonl a.jsonl --against all": needs("against", "correlate"),
    "key.jsonl a.jsonl --correlate document --against every": str(
        unknown("against", "every", STUDY["against"])
    ),
    "key.jsonl a.jsonl --correlate document --against=": says("option-empty", option="--against"),
    "key.jsonl a.jsonl --correlate document --share-of corpus": needs(
        "share-of", "correlate entity"
    ),
    "key.jsonl a.jsonl --correlate entity --share-of entities": str(
        unknown("share_of", "entities", STUDY["share_of"])
    ),
    "key.jsonl --correlate document": FILES,
    "key.jsonl a.jsonl --correlate entity --matcher rules": says("study-entities-estimated"),
    "key.jsonl a.jsonl --correlate entity --metrics muc": says("study-metrics", metrics=["muc"]),
    "--text text.jsonl a.jsonl --correlate document": says("cone-correlate-text"),
    "key.jsonl a.jsonl --gold-subset gold.jsonl": needs("gold-subset", "text"),
    "key.jsonl a.jsonl --target corpus": needs("target", "gold-subset"),
    "--text text.jsonl a.jsonl --gold-subset gold.jsonl --target world": "world",
    "--text text.jsonl a.jsonl --gold-subset gold.jsonl --confidence 100": "100",
    "--text text.jsonl a.jsonl --gold-subset gold.jsonl --joins": apart("joins", "gold-subset"),
    "--text text.jsonl a.jsonl --matcher none": says("cone-text-matcher"),
    "--text text.jsonl a.jsonl --mentions unnamed": says("estimated-names-only"),
    "key.jsonl a.jsonl --plot x.svg": needs("plot", "correlate"),
    "key.jsonl a.jsonl --correlate document --plot x.txt": "x.txt",
    "key.jsonl a.jsonl --correlate document --interval": apart("interval", "correlate"),
    "key.jsonl a.jsonl --correlate document --by-document": apart("by-document", "correlate"),
    "key.jsonl --joins --json": apart("json", "joins"),
    "key.jsonl a.jsonl --joins": says("cone-explain-responses"),
    "key.jsonl --joins --metrics b3": apart("metrics", "joins"),
    "key.jsonl a.jsonl --write-key key.jsonl": says("overwritten", output="key.jsonl"),
    "key.jsonl a.jsonl --write-key ./a.jsonl": says("overwritten", output="./a.jsonl"),
    "key.jsonl a.jsonl --samples 200": "--interval",
    "key.jsonl a.jsonl --seed 1": "--interval",
    "key.jsonl a.jsonl --interval --samples 5": "5",
    "key.jsonl a.jsonl --json --csv": "--json",
    "key.jsonl a.jsonl --signature rubbish": says("not-a-signature", text="rubbish"),
    "key.jsonl a.jsonl --nams rules": "--names",
    "key.jsonl a.jsonl --digits x": "--digits",
}


@pytest.mark.parametrize("arguments", WRONG)
def test_wrong_usage(here: Documents, arguments: str) -> None:
    code, message = refused("cone", *arguments.split())
    assert code == 2
    assert WRONG[arguments] in message
    assert message.startswith("sameas")


@pytest.mark.parametrize("option", ["--correlate", "--gold-subset", "--matcher", "--write-key"])
def test_an_empty_value_is_not_ignored(here: Documents, option: str) -> None:
    first = [] if option == "--correlate" else ["--text"]
    code, _ = refused("cone", *first, "key.jsonl", "a.jsonl", option, "")
    assert code == 2


def test_help_is_narrow_and_names_every_choice() -> None:
    out = good("cone", "--help-all")
    assert columns(out) <= 80
    for choice in ("annotated", "column", "rules", "spacy:MODEL", "paper", "exact", "unnamed"):
        assert choice in out
    assert "score names alone" in good("--help")


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "--names rules",
        "--matcher rules",
        "--matcher paper",
        "--mentions entities",
        "--mentions unnamed",
        "--by-document",
        "--interval --samples 100",
        "--correlate document --samples 100",
        "--correlate entity --samples 100",
        "--joins",
        "--joins --matcher exact",
        "--metrics all",
        "--singletons drop",
        "--match head --matcher rules",
        "--average macro",
        "--scope corpus",
        "--digits 5",
    ],
)
def test_the_example(arguments: str) -> None:
    out = good("cone", "--example", *arguments.split())
    if "--joins" not in arguments:
        assert columns(out) <= 80
        assert f"version:{sameas.__version__}\n" in out
        json.loads(good("cone", "--example", *arguments.split(), "--json"))


# --- how the output is written ------------------------------------------------------------------


def test_json_has_full_precision(here: Documents) -> None:
    shown = json.loads(good("cone", "key.jsonl", "a.jsonl", "--json", "--by-document"))
    result = sameas.cone("key.jsonl", "a.jsonl")
    assert shown["metrics"]["b3"]["f1"] == result["b3"].f1
    assert shown["metrics"]["lea"]["recall"] == result["lea"].recall
    assert shown["signature"] == result.signature
    assert shown["notes"] == list(map(str, result.notes))
    both = json.loads(good("cone", "key.jsonl", "a.jsonl", "b.jsonl", "--json"))
    assert [one["response"] for one in both] == ["a", "b"]


def test_csv_is_a_table_and_notes_go_to_standard_error(here: Documents) -> None:
    code, out, err = run("cone", "key.jsonl", "a.jsonl", "b.jsonl", "--csv")
    assert code == 0
    assert f"a: note: {says('names', count=200, total=360, side='key')}\n" in err
    rows = list(csv.DictReader(io.StringIO(out)))
    result = sameas.cone("key.jsonl", "a.jsonl")
    (row,) = [row for row in rows if (row["response"], row["metric"]) == ("a", "b3")]
    assert float(row["f1"]) == result["b3"].f1
    assert row["signature"] == result.signature


def test_markdown_and_latex(here: Documents) -> None:
    assert "| a | 91.01 |" in good("cone", "key.jsonl", "a.jsonl", "b.jsonl", "--markdown")
    out = good("cone", "key.jsonl", "a.jsonl", "b.jsonl", "--latex")
    assert "\\begin{tabular}" in out and "a & 91.01 &" in out
    for line in out.splitlines():
        assert line.startswith("%") or "note" not in line


def test_intervals_are_the_same_for_the_same_seed(here: Documents) -> None:
    usual = ["cone", "key.jsonl", "a.jsonl", "--metrics", "b3", "--interval", "--samples", "200"]
    seven = good(*usual, "--seed", "7")
    assert good(*usual, "--seed", "7") == seven
    other = good(*usual, "--seed", "8")
    assert other != seven and "|samples:200|seed:7|" in seven.replace("\n  ", "")
    study = [
        "cone",
        "key.jsonl",
        "a.jsonl",
        "--correlate",
        "document",
        "--samples",
        "200",
        "--json",
    ]
    assert good(*study, "--seed", "7") == good(*study, "--seed", "7") != good(*study, "--seed", "8")


# --- the signature ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "files,options",
    [
        ("key.jsonl a.jsonl", ""),
        ("key.jsonl a.jsonl", "--mentions entities --singletons drop --average macro"),
        ("--text text.jsonl a.jsonl", ""),
        ("--text text.jsonl a.jsonl", "--matcher paper --match exact"),
        ("key.jsonl a.jsonl", "--matcher exact --names rules"),
        ("key.jsonl a.jsonl", "--interval --samples 150 --seed 0 --method bca"),
    ],
)
def test_a_signature_reproduces_the_scores(here: Documents, files: str, options: str) -> None:
    wanted = good("cone", *files.split(), *options.split(), "--json")
    signature = json.loads(wanted)["signature"]
    assert good("cone", *files.split(), "--signature", signature, "--json") == wanted


def test_a_signature_excludes_other_settings(here: Documents) -> None:
    signature = json.loads(good("cone", "key.jsonl", "a.jsonl", "--json"))["signature"]
    for more in (["--match", "head"], ["--matcher", "rules"], ["--mentions", "named"]):
        code, message = refused("cone", "key.jsonl", "a.jsonl", "--signature", signature, *more)
        assert code == 2 and says("signature-decides") in message
    for more in (["--correlate", "document"], ["--joins"]):
        code, message = refused("cone", "key.jsonl", "a.jsonl", "--signature", signature, *more)
        other = more[0].removeprefix("--")
        assert code == 2 and apart("signature", other) in message
    other = json.loads(good("score", "key.jsonl", "a.jsonl", "--json"))["signature"]
    code, message = refused("cone", "key.jsonl", "a.jsonl", "--signature", other)
    assert code == 2 and says("other-signature", theirs="coref", ours="cone") in message
    code, message = refused("score", "key.jsonl", "a.jsonl", "--signature", signature)
    assert code == 2 and says("other-signature", theirs="cone", ours="coref") in message


def test_a_signature_of_other_data_is_noted(here: Documents) -> None:
    signature = json.loads(good("cone", "key.jsonl", "a.jsonl", "--json"))["signature"]
    write("half.jsonl", here("key.jsonl")[:20])
    code, _, err = run("cone", "half.jsonl", "a.jsonl", "--signature", signature)
    assert code == 0 and " 40 " in err and " 20" in err


def test_a_text_needs_a_signature_with_a_matcher(here: Documents) -> None:
    signature = json.loads(good("cone", "key.jsonl", "a.jsonl", "--json"))["signature"]
    code, _ = refused("cone", "--text", "text.jsonl", "a.jsonl", "--signature", signature)
    assert code == 2


def test_a_signature_contains_the_source_of_names() -> None:
    signature = json.loads(good("cone", SPANISH_KEY, SPANISH_SYSTEM, "--json"))["signature"]
    code, message = refused(
        "cone", SPANISH_KEY, SPANISH_SYSTEM, "--signature", signature, "--names", "rules"
    )
    assert code == 2 and says("signature-decides") in message


# --- and anything -------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("number", range(40))
def test_random_commands(tmp_path: Path, number: int) -> None:
    arguments = arguments_of(7, number, tmp_path)
    check(arguments, seconds=60)
