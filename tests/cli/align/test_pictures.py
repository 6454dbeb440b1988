"""`sameas align`: pictures of one pair, and of the iterations."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree
from pathlib import Path

import pytest

from cli.align.aligning import METHODS, read
from command_line import columns, good, refused, run
from sameas.names.pairs import check_pairs
from sameas.names.units import graphemes
from sameas.notes import Note
from sameas.show.cells import text_width
from saying import raises_problems, says

LINES = r"│|├┘|└[─┬]*┘"  # between the letters of a token and its units
#: One name in many kinds of scripts: wide, right to left, with marks, with conjuncts, with jamo.
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


# --- pictures of one pair -----------------------------------------------------------------------


@pytest.mark.long
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
    # Every token has its own line, and all letters are drawn in order.
    assert len(re.findall(LINES, picture[1])) == len(found.tokens)
    drawn = [one for one in picture[0].replace("\u200e", "").split() if one != "*"]
    letters = [one.replace(" ", "␣").replace("*", "\\*") for one in graphemes(found.source)]
    assert drawn == letters
    assert err.startswith("note: ")


@pytest.mark.long
@pytest.mark.parametrize("script", SHOWN)
def test_lines_of_a_picture_meet_the_letters(script: str) -> None:
    _, out, _ = run("align", "--show", *SHOWN[script])
    above, lines, below, *_ = out.splitlines()

    def places(text: str) -> set[int]:
        """Return the columns of the terminal that are not blank."""
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


def test_a_picture_by_a_file_has_no_notes() -> None:
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


def test_a_picture_of_unseen_letters() -> None:
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
