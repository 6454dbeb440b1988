"""`sameas transliterate train`."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.transliterate.names import MODELS, PAIRS, RUSSIAN, bad, do, no
from command_line import columns, shell, unwrapped, write
from sameas.names.transliterator import Transliterator
from saying import says


@pytest.mark.parametrize("model", MODELS)
def test_every_model_is_trained(model: str) -> None:
    out, err = do("train", "pairs.tsv", "-o", "new.model", "--model", model)
    assert err == ""
    assert out.startswith("trained on 75 pairs; written to new.model (")
    assert f"sameas:transliterate|model:{model}|" in out
    assert Path("new.model").read_bytes() == Path(f"{model}.model").read_bytes()
    assert columns(out) <= 80


@pytest.mark.long
def test_best_is_the_default_model() -> None:
    do("train", "pairs.tsv", "-o", "new.model")
    assert Path("new.model").read_bytes() == Path("best.model").read_bytes()


@pytest.mark.long
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


@pytest.mark.long
def test_a_data_set() -> None:
    out, _ = do("train", "--dataset", "sample:ru", "-o", "new.model", "--model", "bigram")
    assert f"note: {says('names-from', how='sample')}" in unwrapped(out)
    assert Transliterator.load("new.model").pairs == 75


@pytest.mark.long
def test_training_on_standard_input() -> None:
    found = shell(
        "transliterate", "train", "-", "-o", "new.model", "--model", "bigram", stdin=PAIRS.encode()
    )
    assert found.returncode == 0, found.stderr
    assert Path("new.model").read_bytes() == Path("bigram.model").read_bytes()


@pytest.mark.long
@pytest.mark.parametrize("change", ["mark", "ends"])
def test_byte_order_marks_and_line_ends(change: str) -> None:
    write("pairs.tsv", "\ufeff" + PAIRS if change == "mark" else PAIRS.replace("\n", "\r\n"))
    do("train", "pairs.tsv", "-o", "new.model", "--model", "bigram")
    assert Path("new.model").read_bytes() == Path("bigram.model").read_bytes()


@pytest.mark.long
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


@pytest.mark.long
def test_formatting_characters_are_removed_and_counted() -> None:
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
        (("pairs.tsv", "-o", "pairs.tsv"), "pairs.tsv is also an input"),
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
