"""`sameas transliterate` on the command line: learn, write, score, and a sentence for all else."""

from __future__ import annotations

import csv
import io
import json
import random
import shutil
import unicodedata
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from command_line import columns, good, refused, run, shell, unwrapped, write
from fuzz_cone import outcome
from fuzz_names import SCRIPTS, SIGNS, STRANGE, limit
from fuzz_readers import _damage
from sameas.names import network
from sameas.names.datasets import dataset
from sameas.names.letters import told_as
from sameas.names.options import Model
from sameas.names.transliterator import LONGEST, Transliterator
from saying import says

MODELS = get_args(Model)
RUSSIAN = dataset("sample:ru").pairs
NO_CANDIDATE = says("no-candidate", how="none", count=1, sources=["½"])
SECOND_EMPTY = says("empty-name", how="numbered", number=2, total=2)
BROKEN = f"cut.model: {says('broken-model', how='short')}"
PAIRS = "".join(f"{source}\t{target}\n" for source, target in RUSSIAN)
TEST = "".join(f"{source}\t{target}\n" for source, target in RUSSIAN[:20])
CANDIDATES = "".join(f"{source}\t{target}\n" for source, target in RUSSIAN[1:20])


@pytest.fixture(scope="module", autouse=True)
def quick() -> Iterator[None]:
    """Networks that are trained for a moment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(network, "SEEN", 1000)
        patch.setattr(network, "EPOCHS", (1, 2))
        patch.setattr(network, "HIDDEN", (30, 20))
        yield


@pytest.fixture(scope="module")
def models(quick: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model of each kind, and one for the other direction."""
    folder = tmp_path_factory.mktemp("models")
    for model in MODELS:
        Transliterator.fit(RUSSIAN, model).save(folder / f"{model}.model")
    Transliterator.fit(RUSSIAN, "bigram", reverse=True).save(folder / "back.model")
    return folder


@pytest.fixture(autouse=True)
def here(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write("pairs.tsv", PAIRS)
    write("test.tsv", TEST)
    write("candidates.tsv", CANDIDATES)
    write("names.txt", "Anna\nivan\n")
    Path("folder").mkdir()
    for path in models.iterdir():
        shutil.copy(path, path.name)
    return tmp_path


def do(action: str, *arguments: object) -> tuple[str, str]:
    """What an action prints, and what it says about it."""
    code, out, err = run("transliterate", action, *arguments)
    assert code == 0, err
    assert "Traceback" not in err
    return out, err


def no(action: str, *arguments: object) -> str:
    """What is said of bad usage."""
    code, err = refused("transliterate", action, *arguments)
    assert code == 2, err
    assert err.startswith("sameas")
    return err


def bad(action: str, *arguments: object) -> str:
    """What is said of bad input."""
    code, err = refused("transliterate", action, *arguments)
    assert code == 1, err
    return err


def wrong_number(name: str, most: int, value: int) -> str:
    return f"argument --{name}: {value} is not a whole number from 1 to {most:,}"


def rows(text: str) -> list[tuple[str, str, float]]:
    found = []
    for line in text.splitlines():
        name, target, probability = line.split("\t")
        found.append((name, target, float(probability)))
    return found


# --- help ---------------------------------------------------------------------------------------


def test_the_command_is_listed() -> None:
    assert "\n  transliterate " in good("--help")


def test_help_of_the_actions() -> None:
    out = good("transliterate", "--help")
    assert "sameas transliterate train|apply|evaluate …" in out
    for action in ("train", "apply", "evaluate"):
        assert f"\n  {action} " in out
        told = good("transliterate", action, "--help")
        assert f"usage: sameas transliterate {action} " in told


def test_no_action() -> None:
    code, out, _ = run("transliterate")
    assert code == 2
    assert "actions:" in out


@pytest.mark.parametrize("action", ["aply", "Train", "names.txt"])
def test_an_unknown_action(action: str) -> None:
    err = no(action)
    assert action in err
    assert "train, apply, evaluate" in err


def test_an_unknown_option() -> None:
    for action in ("train", "apply", "evaluate"):
        assert "--nothing" in no(action, "--nothing")
    assert "--nothing" in no("--nothing")


# --- train --------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", MODELS)
def test_every_model_is_learned(model: str) -> None:
    out, err = do("train", "pairs.tsv", "-o", "new.model", "--model", model)
    assert err == ""
    assert out.startswith("learned from 75 pairs; written to new.model (")
    assert f"sameas:transliterate|model:{model}|" in out
    assert Path("new.model").read_bytes() == Path(f"{model}.model").read_bytes()
    assert columns(out) <= 80


def test_the_best_is_what_is_learned_unless_told() -> None:
    do("train", "pairs.tsv", "-o", "new.model")
    assert Path("new.model").read_bytes() == Path("best.model").read_bytes()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--model", "ngram", "--order", 4), "|order:4|"),
        (("--model", "ngram"), "|order:3|"),
        (("--model", "bigram", "--smoothing", "witten-bell"), "|smoothing:witten-bell|"),
        (("--model", "bigram", "--case", "keep"), "|case:keep|"),
        (("--model", "bigram", "--reverse"), "|direction:reverse|"),
        (("--model", "network", "--seed", 0), "|seed:0|"),
        (("--model", "bigram", "--method", "affinity"), "|align:affinity|"),
        (
            ("--model", "bigram", "--method", "affinity", "--target", "graphemes"),
            "|align:affinity|",
        ),
    ],
)
def test_settings_are_in_the_signature(options: tuple[object, ...], told: str) -> None:
    out, _ = do("train", "pairs.tsv", "-o", "new.model", *options)
    assert told in out.replace("\n  ", "")
    assert told in Transliterator.load("new.model").signature


def test_a_data_set() -> None:
    out, _ = do("train", "--dataset", "sample:ru", "-o", "new.model", "--model", "bigram")
    assert f"note: {says('names-from', how='sample')}" in unwrapped(out)
    assert Transliterator.load("new.model").pairs == 75


def test_standard_input_is_learned() -> None:
    found = shell(
        "transliterate", "train", "-", "-o", "new.model", "--model", "bigram", stdin=PAIRS.encode()
    )
    assert found.returncode == 0, found.stderr
    assert Path("new.model").read_bytes() == Path("bigram.model").read_bytes()


@pytest.mark.parametrize("change", ["mark", "ends"])
def test_marks_and_ends_of_lines(change: str) -> None:
    write("pairs.tsv", "\ufeff" + PAIRS if change == "mark" else PAIRS.replace("\n", "\r\n"))
    do("train", "pairs.tsv", "-o", "new.model", "--model", "bigram")
    assert Path("new.model").read_bytes() == Path("bigram.model").read_bytes()


def test_bad_lines_of_pairs() -> None:
    write("bad.tsv", PAIRS + "bob\nanna\t\nanna\tanna\n")
    err = bad("train", "bad.tsv", "-o", "new.model", "--model", "bigram")
    assert err.startswith("bad.tsv:76:1: ")
    assert "bad.tsv:77:6: " in err
    assert "bad.tsv:78:6: " in err
    assert "--skip-bad" in err
    assert not Path("new.model").exists()
    out, err = do("train", "bad.tsv", "-o", "new.model", "--model", "bigram", "--skip-bad")
    assert "bad.tsv:76:1: " in err
    assert f"note: {says('bad-lines', count=3)}" in out
    assert Transliterator.load("new.model").pairs == 75


def test_invisible_characters_of_layout_are_removed_and_counted() -> None:
    text = "".join(f"{source}\t{target}\n" for source, target in RUSSIAN)
    write("plain.tsv", text)
    write("marked.tsv", text.replace("\t", "\u200e\t\u202b", 3).replace("\n", "\u00ad\ufeff\n", 1))
    out, _ = do("train", "marked.tsv", "--model", "bigram", "-o", "marked.model")
    signs = "U+00AD U+200E U+202B U+FEFF"
    told = says("layout-removed", count=8, within=6, signs=signs)
    assert f"note: {told}" in " ".join(out.split())
    do("train", "plain.tsv", "--model", "bigram", "-o", "plain.model")
    assert do("apply", "marked.model", "Sabina") == do("apply", "plain.model", "Sabina")


def test_few_pairs_have_no_verifier() -> None:
    write("one.tsv", "anna\tанна\n")
    do("train", "one.tsv", "-o", "new.model", "--model", "bigram")
    assert Transliterator.load("new.model").verifier is None


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), says("no-pairs-given")),
        (("pairs.tsv",), says("no-model-file")),
        (("pairs.tsv", "-o", "-"), says("no-model-file")),
        (("pairs.tsv", "-o", ""), says("option-empty", option="--output")),
        (("", "-o", "m"), says("option-empty", option="PAIRS")),
        (("--dataset", "", "-o", "m"), says("option-empty", option="--dataset")),
        (("pairs.tsv", "--dataset", "sample:ru", "-o", "m"), says("dataset-and-files")),
        (("--dataset", "sample:ru", "--skip-bad", "-o", "m"), "--skip-bad"),
        (("--dataset", "sample:xx", "-o", "m"), "xx"),
        (("pairs.tsv", "-o", "pairs.tsv"), "pairs.tsv is read"),
        (("pairs.tsv", "-o", "m", "--model", "trigram"), "model trigram"),
        (
            ("pairs.tsv", "-o", "m", "--model", "bigram", "--order", 3),
            says("bigram-order", value=3),
        ),
        (
            ("pairs.tsv", "-o", "m", "--order", 9),
            "argument --order: 9 is not a whole number from 0 to 8",
        ),
        (("pairs.tsv", "-o", "m", "--order", "x"), "--order"),
        (("pairs.tsv", "-o", "m", "--model", "network", "--order", 2), says("network-order")),
        (("pairs.tsv", "-o", "m", "--smoothing", "none"), "smoothing none"),
        (
            ("pairs.tsv", "-o", "m", "--model", "network", "--smoothing", "kneser-ney"),
            says("network-smoothing"),
        ),
        (
            ("pairs.tsv", "-o", "m", "--model", "ngram", "--seed", 3),
            says("ngram-seed", model="ngram"),
        ),
        (("pairs.tsv", "-o", "m", "--seed", -1), "--seed"),
        (("pairs.tsv", "-o", "m", "--case", "lower"), "case lower"),
        (("pairs.tsv", "-o", "m", "--method", "magic"), "magic"),
        (("pairs.tsv", "-o", "m", "--target", "sounds"), says("target-method")),
        (("pairs.tsv", "more.tsv", "-o", "m"), "more.tsv"),
    ],
)
def test_wrong_usage_of_train(arguments: tuple[object, ...], told: str) -> None:
    assert told in no("train", *arguments)
    assert not Path("m").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("nothing.tsv", "-o", "m"), "nothing.tsv: "),
        (("folder", "-o", "m"), "folder: "),
        (("a\x00b", "-o", "m"), "a\\x00b: "),
        (("pairs.tsv", "-o", "folder"), "folder: "),
        (("pairs.tsv", "-o", "no/where"), "no/where: "),
        (("pairs.tsv", "-o", "a\x00b", "--model", "bigram"), "a\\x00b: "),
        (("bigram.model", "-o", "m"), "bigram.model:"),
        (("empty.tsv", "-o", "m"), "empty.tsv: "),
    ],
)
def test_wrong_input_of_train(arguments: tuple[object, ...], told: str) -> None:
    write("empty.tsv", "")
    assert told in bad("train", *arguments)


# --- apply --------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [*MODELS, "back"])
def test_names_are_written(model: str) -> None:
    names = ["Anna", "Иван"] if model == "back" else ["Anna", "ivan"]
    out, err = do("apply", f"{model}.model", *names[-1:], "--most", 3)
    assert err == ""
    made = Transliterator.load(f"{model}.model").transliterate(names[-1], 3)
    assert rows(out) == [
        (names[-1], one.target, pytest.approx(one.probability, rel=1e-5)) for one in made
    ]


def test_twenty_candidates_unless_told() -> None:
    out, _ = do("apply", "bigram.model", "elizabeth")
    assert len(rows(out)) == 20
    assert sum(row[2] for row in rows(out)) == pytest.approx(1, abs=1e-4)


def test_probabilities_do_not_depend_on_how_many_are_shown() -> None:
    whole, _ = do("apply", "bigram.model", "elizabeth", "sabina")
    for most in (1, 3):
        out, _ = do("apply", "bigram.model", "elizabeth", "sabina", "--most", most)
        assert rows(out) == [*rows(whole)[:most], *rows(whole)[20 : 20 + most]]
        assert all(row[2] < 1 for row in rows(out))


def test_letters_read_as_others_are_told() -> None:
    _, err = do("apply", "bigram.model", "Straße", "Łota", "Anna", "--most", 1)
    note = told_as([("ß", "ss"), ("Ł", "l")])
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


def test_a_mark_before_names_is_no_name() -> None:
    write("names.txt", "\ufeffAnna\n")
    assert do("apply", "bigram.model", "--file", "names.txt") == do("apply", "bigram.model", "Anna")


def test_further_columns_are_no_names() -> None:
    out, err = do("apply", "bigram.model", "--file", "test.tsv", "--most", 1)
    assert [row[0] for row in rows(out)] == [source for source, _ in RUSSIAN[:20]]
    assert err == f"note: {says('further-columns', how='names', count=20)}\n"


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
def test_letters_never_seen_are_told(model: str) -> None:
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
def test_a_name_gives_no_orders(name: str) -> None:
    """Signs that would break a line, or tell the terminal what to do."""
    code, out, err = run("transliterate", "apply", "bigram.model", name, "--most", 2)
    assert code in (0, 2)
    for line in out.splitlines():
        assert len(line.split("\t")) == 3
    shown = set(out.replace("\t", "").replace("\n", "") + err.replace("\n", ""))
    assert not {sign for sign in shown if unicodedata.category(sign) in ("Cc", "Zl", "Zp")}
    if code == 0:
        assert len(out.splitlines()) == 2


@pytest.mark.parametrize("sign", ["\u200e", "\u200c", "\u00ad", "\ufeff"])
def test_candidates_of_names_with_signs_of_layout_are_found(sign: str) -> None:
    write("plain.tsv", TEST)
    lines = [f"{source[:2]}{sign}{source[2:]}\t{target}\n" for source, target in RUSSIAN[:20]]
    write("marked.tsv", "".join(lines))
    names = [line.partition("\t")[0] for line in lines]
    for given in (names, ["--file", "marked.tsv"]):
        out, err = do("apply", "bigram.model", *given, "--most", 2)
        assert out == do("apply", "bigram.model", "--file", "plain.tsv", "--most", 2)[0]
        told = says("layout-removed", count=20, within=20, signs=f"U+{ord(sign):04X}")
        assert f"note: {told}\n" in err
        assert "never seen" not in err
    do("apply", "bigram.model", "--file", "marked.tsv", "-o", "written.tsv")
    # Systems that keep the signs are read alike.
    write("kept.tsv", "".join(lines))
    write("good.tsv", TEST)
    for references in ("plain.tsv", "marked.tsv"):
        systems = ("bigram.model", "written.tsv", "kept.tsv", "good.tsv")
        found = measured(do("evaluate", references, *systems, "--csv")[0])
        assert found["bigram.model"] == pytest.approx(found["written.tsv"])
        assert found["kept.tsv"] == found["good.tsv"]
        assert found["kept.tsv"]["accuracy"] == 1


def test_joiners_that_mean_something_stay() -> None:
    names = ["علی\u200cرضا", "نیک\u200cنام"]
    pairs = [*zip(names, ["alireza", "niknam"], strict=True), ("رضا", "reza"), ("نام", "nam")]
    write("persian.tsv", "".join(f"{source}\t{target}\n" for source, target in pairs))
    do("train", "persian.tsv", "--model", "bigram", "-o", "persian.model")
    out, err = do("apply", "persian.model", *names, "--most", 1)
    assert [row[0] for row in rows(out)] == names
    assert "layout" not in err
    do("apply", "persian.model", "--file", "persian.tsv", "-o", "written.tsv")
    found = measured(do("evaluate", "persian.tsv", "persian.model", "written.tsv", "--csv")[0])
    assert found["persian.model"] == pytest.approx(found["written.tsv"])


def test_a_name_of_signs_of_layout_is_empty() -> None:
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
        (("bigram.model", "Anna", "-o", "bigram.model"), "bigram.model is read"),
        (("bigram.model", "--file", "names.txt", "-o", "names.txt"), "names.txt is read"),
        (("bigram.model", "--file", ""), says("option-empty", option="--file")),
        (("bigram.model", ""), says("empty-name", how="numbered", number=1, total=1)),
        (("bigram.model", "Anna", " "), SECOND_EMPTY),
        (("", "Anna"), "is empty"),
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


# --- evaluate -----------------------------------------------------------------------------------


def measured(text: str) -> dict[str, dict[str, float]]:
    """Metrics of each system, from CSV."""
    found: dict[str, dict[str, float]] = {}
    for row in csv.DictReader(io.StringIO(text)):
        found.setdefault(row["system"], {})[row["metric"]] = float(row["value"])
    return found


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("most", [1, 5, 20])
def test_candidates_score_as_the_model_that_wrote_them(model: str, most: int) -> None:
    do("apply", f"{model}.model", "--file", "test.tsv", "-o", "written.tsv", "--most", most)
    out, _ = do("evaluate", "test.tsv", f"{model}.model", "written.tsv", "--csv", "--most", most)
    found = measured(out)
    assert found[f"{model}.model"] == pytest.approx(found["written.tsv"])
    assert {"accuracy", "f", "mrr", "map_ref", "cer"} <= set(found["written.tsv"])


def test_metrics_by_hand() -> None:
    """Right at once, second, third, and not at all."""
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
    assert "20 of 20 names wrong, the first 3 of them" in out
    assert columns(out) <= 80


def test_fewer_candidates_are_looked_at() -> None:
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
def test_marks_and_ends_of_lines_of_references(change: str) -> None:
    wanted = do("evaluate", "test.tsv", "x=candidates.tsv")
    for name, text in (("test.tsv", TEST), ("candidates.tsv", CANDIDATES)):
        write(name, "\ufeff" + text if change == "mark" else text.replace("\n", "\r\n"))
    assert do("evaluate", "test.tsv", "x=candidates.tsv") == wanted


def test_names_without_candidates_are_told() -> None:
    write("test.tsv", TEST + "½\tж\n")
    out, _ = do("evaluate", "test.tsv", "bigram.model")
    assert NO_CANDIDATE in unwrapped(out)
    assert says("letters-left-out", count=1, letters=["½"]) in unwrapped(out)
    _, err = do("evaluate", "test.tsv", "bigram.model", "--csv")
    assert NO_CANDIDATE in err


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


# --- anything at all ----------------------------------------------------------------------------

VALUES: dict[str, list[str]] = {
    "--model": ["bigram", "bigram", "ngram", "network", "trigram"],
    "--order": ["1", "2", "8", "0", "x"],
    "--smoothing": ["kneser-ney", "witten-bell", "none"],
    "--method": ["segment", "affinity", "magic"],
    "--target": ["graphemes", "sounds", "x"],
    "--case": ["fold", "keep", "lower"],
    "--seed": ["0", "7", "-1"],
    "--most": ["1", "3", "1000", "0"],
    "--threshold": ["0", "0.3", "1", "nan"],
    "--ties": ["order", "expected", "random"],
    "--variants": ["chinese", "random.tsv", ""],
    "--wrong": ["0", "2", "x"],
    "--digits": ["0", "4", "x"],
    "--samples": ["100", "1"],
    "--confidence": ["90", "100"],
    "--dataset": ["sample:ru", "sample:xx"],
}
SWITCHES = ["--reverse", "--skip-bad", "--json", "--csv", "--markdown", "--latex", "--interval"]
SWITCHES += ["--compare"]
OPTIONS = {
    "train": ["--model", "--order", "--smoothing", "--method", "--case", "--seed", "--reverse"],
    "apply": ["--most", "--threshold", "--json"],
    "evaluate": ["--most", "--ties", "--variants", "--wrong", "--digits", "--json", "--csv"],
}
OPTIONS["evaluate"] += ["--markdown", "--latex", "--interval", "--compare"]


def random_name(generator: random.Random) -> str:
    script = generator.choice(["Latin", "Latin", *SCRIPTS])
    signs = SCRIPTS[script] * 4 + generator.choice([[], SIGNS, STRANGE])
    return "".join(generator.choices(signs, k=generator.choice([1, 3, 6, 40])))


def random_file(generator: random.Random) -> bytes:
    lines = []
    for _ in range(generator.choice([0, 1, 3, 20])):
        wide = generator.choice([1, 2, 2, 2, 3])
        lines.append("\t".join(random_name(generator) for _ in range(wide)))
    text = generator.choice([TEST, CANDIDATES, PAIRS, "\n".join(lines) + "\n"])
    content = text.encode(errors="surrogatepass")
    while generator.random() < 0.4:
        content = _damage(generator, content)
    return content


def random_command(generator: random.Random) -> list[str]:
    action = generator.choice(["train", "apply", "apply", "evaluate", "evaluate"])
    files = ["random.tsv", "random.tsv", "test.tsv", "folder", "nothing", "", "-", "a\x00b"]
    some = generator.choices(files, [9, 9, 9, 1, 1, 1, 1, 1])
    systems = ["bigram.model", "ngram.model", "x=candidates.tsv", "random.tsv", "back.model"]
    systems += ["broken.model", "nothing", "x=", "="]
    found = [action]
    if action == "train":
        found += [*some, "-o", generator.choice(["new.model", "new.model", "folder", "a\x00b"])]
        if "--model" not in found:
            found += ["--model", "bigram"]
    elif action == "apply":
        found.append(generator.choice([*systems[:2], *systems]))
        if generator.random() < 0.5:
            found += ["--file", *some]
        else:
            names = [random_name(generator).lstrip("-") for _ in range(generator.randint(0, 3))]
            found += names
        if generator.random() < 0.2:
            found += ["-o", generator.choice(["out.tsv", "folder", "-", "random.tsv", "a\x00b"])]
    else:
        found += [*some, *generator.sample(systems, generator.choice([0, 1, 1, 2, 3]))]
    known = [*VALUES, *SWITCHES] if generator.random() < 0.2 else OPTIONS[action]
    for option in generator.sample(known, min(len(known), generator.choice([0, 0, 1, 2, 3]))):
        found += [option, generator.choice(VALUES[option])] if option in VALUES else [option]
    if "--interval" in found and "--samples" not in found:
        found += ["--samples", "100"]
    return ["transliterate", *found]


@pytest.mark.parametrize("seed", range(8))
def test_anything_at_all(seed: int, here: Path) -> None:
    """Random commands over random files end well, or with a sentence."""
    generator = random.Random(seed)
    ends = {0: 0, 1: 0, 2: 0}
    for _ in range(40):
        write("random.tsv", random_file(generator))
        write("broken.model", _damage(generator, Path("bigram.model").read_bytes()))
        arguments = random_command(generator)
        with warnings.catch_warnings(), limit(60):
            warnings.simplefilter("error")
            code, out, err = outcome(arguments, stdin=TEST.encode())
        said = f"{arguments}\n{out[-500:]}\n{err[-1500:]}"
        assert code in ends, said
        ends[code] += 1
        assert "Traceback" not in out + err, said
        signs = {sign for sign in err if unicodedata.category(sign) in ("Cc", "Zl", "Zp")}
        assert signs <= {"\n"}, said
        assert code == 0 or err.strip(), said
        assert Path("test.tsv").read_text() == TEST, said
        if code:
            continue
        if "--json" in arguments and "-o" not in arguments:
            json.loads(out)
        elif "--csv" in arguments:
            assert len({len(row) for row in csv.reader(io.StringIO(out))}) == 1, said
        elif arguments[1] == "apply":
            assert all(len(line.split("\t")) == 3 for line in out.split("\n")[:-1]), said
        elif not {"--markdown", "--latex"} & set(arguments):
            assert columns(out) <= 80, said
    assert ends[0]
