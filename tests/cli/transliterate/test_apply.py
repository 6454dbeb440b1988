"""`sameas transliterate apply`."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest

from cli.transliterate.names import (
    BROKEN,
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
from command_line import run, shell, write
from fuzz_names import limit
from sameas.names.letters import read_as_note
from sameas.names.transliterator import LONGEST, Transliterator
from saying import says

SECOND_EMPTY = says("empty-name", how="numbered", number=2, total=2)


def rows(text: str) -> list[tuple[str, str, float]]:
    found = []
    for line in text.splitlines():
        name, target, probability = line.split("\t")
        found.append((name, target, float(probability)))
    return found


@pytest.mark.parametrize("model", [*MODELS, "back"])
def test_names_are_transliterated(model: str) -> None:
    names = ["Anna", "Иван"] if model == "back" else ["Anna", "ivan"]
    out, err = do("apply", f"{model}.model", *names[-1:], "--most", 3)
    assert err == ""
    made = Transliterator.load(f"{model}.model").transliterate(names[-1], 3)
    assert rows(out) == [
        (names[-1], one.target, pytest.approx(one.probability, rel=1e-5)) for one in made
    ]


def test_twenty_candidates_by_default() -> None:
    out, _ = do("apply", "bigram.model", "elizabeth")
    assert len(rows(out)) == 20
    assert sum(row[2] for row in rows(out)) == pytest.approx(1, abs=1e-4)


def test_probabilities_do_not_depend_on_how_many_are_shown() -> None:
    whole, _ = do("apply", "bigram.model", "elizabeth", "sabina")
    for most in (1, 3):
        out, _ = do("apply", "bigram.model", "elizabeth", "sabina", "--most", most)
        assert rows(out) == [*rows(whole)[:most], *rows(whole)[20 : 20 + most]]
        assert all(row[2] < 1 for row in rows(out))


def test_letters_read_as_others_are_noted() -> None:
    _, err = do("apply", "bigram.model", "Straße", "Łota", "Anna", "--most", 1)
    note = read_as_note([("ß", "ss"), ("Ł", "l")])
    assert err == f"note: {says('note-of', how='names', note=note, count=2)}\n"
    shown = json.loads(do("apply", "bigram.model", "Straße", "--json", "--most", 1)[0])
    assert shown["names"][0]["read_as"] == {"ß": "ss"}


def test_names_of_a_file() -> None:
    printed, err = do("apply", "bigram.model", "--file", "names.txt", "--most", 2)
    assert (printed, err) == do("apply", "bigram.model", "Anna", "ivan", "--most", 2)
    assert [row[0] for row in rows(printed)] == ["Anna", "Anna", "ivan", "ivan"]
    out, _ = do("apply", "bigram.model", "--file", "names.txt", "--most", 2, "-o", "out.tsv")
    assert (out, Path("out.tsv").read_text()) == ("", printed)
    out, _ = do("apply", "bigram.model", "--file", "names.txt", "--most", 2, "-o", "-")
    assert out == printed


def test_names_of_standard_input() -> None:
    found = shell(
        "transliterate", "apply", "bigram.model", "--file", "-", stdin=b"Anna\r\nivan\r\n"
    )
    assert found.returncode == 0
    assert found.stdout.decode() == do("apply", "bigram.model", "Anna", "ivan")[0]


def test_a_byte_order_mark_is_not_a_name() -> None:
    write("names.txt", "\ufeffAnna\n")
    assert do("apply", "bigram.model", "--file", "names.txt") == do("apply", "bigram.model", "Anna")


def test_extra_columns_are_not_names() -> None:
    out, err = do("apply", "bigram.model", "--file", "test.tsv", "--most", 1)
    assert [row[0] for row in rows(out)] == [source for source, _ in RUSSIAN[:20]]
    assert err == f"note: {says('further-columns', how='names', count=20)}\n"


def test_json_is_written() -> None:
    command = ("apply", "bigram.model", "Anna", "--json")
    do(*command, "-o", "c.json")
    assert Path("c.json").read_text("utf-8") == do(*command)[0]


def test_json() -> None:
    out, err = do("apply", "bigram.model", "Anna", "½", "--json", "--most", 2)
    shown = json.loads(out)
    assert shown["signature"] == Transliterator.load("bigram.model").signature
    first, second = shown["names"]
    assert first["name"] == "Anna"
    assert [set(one) for one in first["candidates"]] == [{"target", "probability"}] * 2
    assert first["candidates"][0]["probability"] == first["confidence"] < 1
    assert first["read_as"] == {}
    assert (second["candidates"], second["left_out"], second["abstained"]) == ([], "½", False)
    assert "½" in err


@pytest.mark.parametrize("model", MODELS)
def test_unseen_letters_are_noted(model: str) -> None:
    out, err = do("apply", f"{model}.model", "an½na", "½", "--most", 2)
    assert {row[0] for row in rows(out)} == {"an½na"}
    assert f"note: {says('letters-left-out', count=2, letters=['½'])}\n" in err
    assert f"note: {NO_CANDIDATE}\n" in err


def test_a_threshold() -> None:
    out, err = do("apply", "bigram.model", "Anna", "ivan", "--threshold", 1)
    assert out == ""
    told = says("no-candidate", how="abstained", count=2, sources=["Anna", "ivan"])
    assert err == f"note: {told}\n"
    assert do("apply", "bigram.model", "Anna", "--threshold", 0) == do(
        "apply", "bigram.model", "Anna"
    )
    shown = json.loads(do("apply", "bigram.model", "Anna", "--threshold", 1, "--json")[0])
    assert shown["names"][0]["abstained"] is True


def test_a_long_name() -> None:
    with limit(60):
        out, _ = do("apply", "bigram.model", "anna" * 250, "--most", 3)
    assert len(rows(out)) == 3
    longer = "a" * (LONGEST + 1)
    told = says("long-name", how="alone", letters=LONGEST + 1, most=LONGEST)
    assert told in no("apply", "bigram.model", longer)
    write("names.txt", f"anna\n{longer}\n")
    err = bad("apply", "bigram.model", "--file", "names.txt")
    assert err.startswith(f"names.txt:2:1: {told}\n")


@pytest.mark.parametrize("name", ["a\tb", "a\nb", "a\rb", "a\x1b[31mb", "a\u2028b", "a\x00b"])
def test_a_name_does_not_control_the_terminal(name: str) -> None:
    """Characters that would break a line, or control the terminal."""
    code, out, err = run("transliterate", "apply", "bigram.model", name, "--most", 2)
    assert code in (0, 2)
    for line in out.splitlines():
        assert len(line.split("\t")) == 3
    shown = set(out.replace("\t", "").replace("\n", "") + err.replace("\n", ""))
    assert not {sign for sign in shown if unicodedata.category(sign) in ("Cc", "Zl", "Zp")}
    if code == 0:
        assert len(out.splitlines()) == 2


@pytest.mark.parametrize("sign", ["\u200e", "\u200c", "\u00ad", "\ufeff"])
def test_candidates_of_names_with_formatting_characters_are_found(sign: str) -> None:
    write("plain.tsv", TEST)
    lines = [f"{source[:2]}{sign}{source[2:]}\t{target}\n" for source, target in RUSSIAN[:20]]
    write("marked.tsv", "".join(lines))
    names = [line.partition("\t")[0] for line in lines]
    for given in (names, ["--file", "marked.tsv"]):
        out, err = do("apply", "bigram.model", *given, "--most", 2)
        assert out == do("apply", "bigram.model", "--file", "plain.tsv", "--most", 2)[0]
        told = says("layout-removed", count=20, within=20, signs=f"U+{ord(sign):04X}")
        assert f"note: {told}\n" in err
        assert "unseen" not in err
    do("apply", "bigram.model", "--file", "marked.tsv", "-o", "written.tsv")
    # Candidates of systems that keep these characters are read the same way.
    write("kept.tsv", "".join(lines))
    write("good.tsv", TEST)
    for references in ("plain.tsv", "marked.tsv"):
        systems = ("bigram.model", "written.tsv", "kept.tsv", "good.tsv")
        found = measured(do("evaluate", references, *systems, "--csv")[0])
        assert found["bigram.model"] == pytest.approx(found["written.tsv"])
        assert found["kept.tsv"] == found["good.tsv"]
        assert found["kept.tsv"]["accuracy"] == 1


def test_joiners_with_an_effect_are_kept() -> None:
    names = ["علی\u200cرضا", "نیک\u200cنام"]
    pairs = [*zip(names, ["alireza", "niknam"], strict=True), ("رضا", "reza"), ("نام", "nam")]
    write("persian.tsv", "".join(f"{source}\t{target}\n" for source, target in pairs))
    do("train", "persian.tsv", "--model", "bigram", "-o", "persian.model")
    out, err = do("apply", "persian.model", *names, "--most", 1)
    assert [row[0] for row in rows(out)] == names
    assert "formatting" not in err
    do("apply", "persian.model", "--file", "persian.tsv", "-o", "written.tsv")
    found = measured(do("evaluate", "persian.tsv", "persian.model", "written.tsv", "--csv")[0])
    assert found["persian.model"] == pytest.approx(found["written.tsv"])


def test_a_name_of_formatting_characters_is_empty() -> None:
    assert SECOND_EMPTY in no("apply", "bigram.model", "Anna", "\u200e")
    write("names.txt", "Anna\n\u200e\u00ad\n")
    err = bad("apply", "bigram.model", "--file", "names.txt")
    assert err.startswith(f"names.txt:2:1: {says('empty-name', how='alone')}\n")


def test_bad_lines_of_names() -> None:
    write("bad.txt", b"Anna\n\tx\n\xff\nivan\n")
    err = bad("apply", "bigram.model", "--file", "bad.txt")
    assert err.startswith(f"bad.txt:2:1: {says('empty-name', how='alone')}\n")
    assert "bad.txt:3:1: " in err
    assert "--skip-bad" in err
    out, err = do("apply", "bigram.model", "--file", "bad.txt", "--skip-bad", "--most", 1)
    assert [row[0] for row in rows(out)] == ["Anna", "ivan"]
    assert "bad.txt:2:1: " in err
    assert f"note: {says('bad-lines', count=2)}\n" in err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), says("no-model-given", how="apply")),
        (("bigram.model",), says("no-names-given")),
        (("bigram.model", "Anna", "--file", "names.txt"), says("file-and-names")),
        (("bigram.model", "Anna", "--skip-bad"), says("skip-bad-nothing", how="names")),
        (("bigram.model", "Anna", "--most", 0), wrong_number("most", 1000, 0)),
        (("bigram.model", "Anna", "--most", 1001), wrong_number("most", 1000, 1001)),
        (("bigram.model", "Anna", "--most", "x"), "--most"),
        (("bigram.model", "Anna", "--threshold", 2), "2 is not a number from 0 to 1"),
        (("bigram.model", "Anna", "--threshold", "nan"), "nan is not a number from 0 to 1"),
        (("bigram.model", "Anna", "-o", ""), says("option-empty", option="--output")),
        (("nosuch.model", "Anna", "-o", "c.json"), says("tab-separated", path="c.json")),
        (("nosuch.model", "A", "-o", "c.csv", "--json"), says("tab-separated", path="c.csv")),
        (("bigram.model", "Anna", "-o", "bigram.model"), "bigram.model is also an input"),
        (("bigram.model", "--file", "names.txt", "-o", "names.txt"), "names.txt is also an input"),
        (("bigram.model", "--file", ""), says("option-empty", option="--file")),
        (("bigram.model", ""), says("empty-name", how="numbered", number=1, total=1)),
        (("bigram.model", "Anna", " "), SECOND_EMPTY),
        (("", "Anna"), says("option-empty", option="--model")),
    ],
)
def test_wrong_usage_of_apply(arguments: tuple[object, ...], told: str) -> None:
    assert told in no("apply", *arguments)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("nothing", "Anna"), "nothing: "),
        (("folder", "Anna"), "folder: "),
        (("pairs.tsv", "Anna"), f"pairs.tsv: {says('not-a-model')}"),
        (("old.model", "Anna"), f"old.model: {says('model-version', version=7)}"),
        (("cut.model", "Anna"), BROKEN),
        (("a\x00b", "Anna"), "a\\x00b: "),
        (("bigram.model", "--file", "nothing"), "nothing: "),
        (("bigram.model", "--file", "folder"), "folder: "),
        (("bigram.model", "--file", "empty"), f"empty: {says('no-names')}"),
        (("bigram.model", "Anna", "-o", "folder"), "folder: "),
        (("bigram.model", "Anna", "-o", "no/where"), "no/where: "),
        (("bigram.model", "Anna", "-o", "a\x00b"), "a\\x00b: "),
    ],
)
def test_wrong_input_of_apply(arguments: tuple[object, ...], told: str) -> None:
    model = Path("bigram.model").read_bytes()
    write("old.model", model.replace(b"model 1\n", b"model 7\n", 1))
    write("cut.model", model[:-9])
    write("empty", "")
    assert told in bad("apply", *arguments)
