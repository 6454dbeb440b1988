"""`sameas align` on files of pairs: plain ones, unusual ones, and the notes on them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from cli.align.aligning import GOLD, METHODS, MORE, PAIRS, aligned, pairs_of, read
from command_line import columns, good, run, shell, unwrapped, write
from fuzz_names import limit
from sameas.errors import Problem
from sameas.names.aligner import Aligner
from sameas.names.units import graphemes
from sameas.notes import Note
from saying import codes, says

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


def test_aligning_the_output_again_changes_nothing() -> None:
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


# --- unusual but valid files --------------------------------------------------------------------


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
def test_encodings_and_line_ends_do_not_matter(content: bytes) -> None:
    plain = run("align", "pairs.tsv")
    write("pairs.tsv", content)
    assert run("align", "pairs.tsv") == plain


def test_extra_columns_are_noted() -> None:
    write("pairs.tsv", PAIRS.replace("\n", "\tplace\t12\n"))
    found, err = aligned("pairs.tsv")
    assert [(pair.source, pair.target) for pair in found] == pairs_of(PAIRS)
    assert f"note: {Note('further-columns', count=6)}\n" in err


def test_a_comment_has_no_tab() -> None:
    write("pairs.tsv", "# alice\n#alice\t爱丽丝\n")
    found, _ = aligned("pairs.tsv")
    assert [pair.source for pair in found] == ["#alice"]


def test_duplicates_are_kept_and_aligned_the_same() -> None:
    write("pairs.tsv", PAIRS * 3)
    found, _ = aligned("pairs.tsv")
    tokens = [str(pair) for pair in found]
    assert tokens[:6] == tokens[6:12] == tokens[12:]


def test_one_pair_only() -> None:
    write("pairs.tsv", "alice\t爱丽丝\n")
    found, _ = aligned("pairs.tsv")
    assert (found[0].source, found[0].target, len(found[0].tokens)) == ("alice", "爱丽丝", 3)


@pytest.mark.long
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
def test_special_characters_survive_the_round_trip(name: str, method: str) -> None:
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


def test_many_names_are_fast() -> None:
    write(
        "pairs.tsv", "".join(f"{a}{b}\t{a}{b}\n" for a in "bdgklmnprst" * 10 for b in "aeiou" * 9)
    )
    with limit(30):
        code, _, _ = run("align", "pairs.tsv")
    assert code == 0


# --- notes on an alignment ----------------------------------------------------------------------


def test_few_pairs_are_noted() -> None:
    for count, told in ((49, True), (50, False)):
        write("pairs.tsv", "".join(MORE.splitlines(keepends=True)[:count]))
        _, err = aligned("pairs.tsv")
        assert (f"note: {Note('few-pairs', count=count)}\n" in err) == told


def test_units_without_letters_are_noted() -> None:
    swapped = [(target, source) for source, target in pairs_of(MORE)]
    assert "units-without-letters" in codes(Aligner().fit(swapped).notes)
    assert codes(Aligner().fit(pairs_of(MORE)).notes) == []


def test_iterations_that_have_not_converged_are_noted() -> None:
    _, err = aligned("more.tsv", "--iterations", "1")
    assert f"note: {Note('not-settled', count=1)}\n" in err
