"""`sameas align` on bad files: every problem has a message."""

from __future__ import annotations

import re
import sys
from unittest import mock

import pytest

from cli.align.aligning import PAIRS, aligned, pairs_of, read
from command_line import Stream, refused, run, write
from sameas.errors import Problem
from sameas.notes import Note
from saying import says, unreadable


def bad(content: str | bytes, *options: object) -> str:
    """Return the messages about an invalid file of pairs."""
    write("bad.tsv", content)
    code, err = refused("align", "bad.tsv", *options)
    assert code == 1
    return err


NO_TAB = says("no-tab", how="pair")
HOMOGLYPH = PAIRS + "b\u043eb\t鲍勃\n"
BAD: dict[str, tuple[str | bytes, Problem]] = {
    # The content of the file, and its first problem.
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
    message = bad(content)
    assert message.startswith(f"{problem}\n")
    assert message.replace("\n", "").isprintable()
    assert problem.hint


@pytest.mark.parametrize("content", [bytes(range(256)) * 3, b"a\x00b\tx\n"])
def test_binary_is_not_utf_16(content: bytes) -> None:
    assert str(Problem("names-utf-16", "bad.tsv", 1, 1)) not in bad(content)


@pytest.mark.parametrize("sign", ["\u200c", "\u200d"])
def test_a_name_of_a_joiner_only(sign: str) -> None:
    bad(f"{PAIRS}{sign}\t鲍勃\n")


@pytest.mark.parametrize("kind", [kind for kind in BAD if isinstance(BAD[kind][0], str)])
def test_a_bad_line_can_be_skipped(kind: str) -> None:
    content, problem = BAD[kind]
    assert isinstance(content, str)
    if "\r" in content.strip():
        assert bad(content, "--skip-bad").startswith(f"{problem}\n")
        return
    if not content.startswith(("alice\t", "name")):
        assert bad(content, "--skip-bad").startswith(str(Problem("no-pairs", "bad.tsv")))
        return
    write("bad.tsv", content)
    code, out, err = run("align", "bad.tsv", "--skip-bad")
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
def test_a_missing_file(options: list[str]) -> None:
    assert refused("align", *options, "nothing.tsv") == (1, unreadable("nothing.tsv"))
    assert refused("align", *options, "folder") == (1, unreadable("folder", "Is a directory"))


def test_a_file_with_an_invalid_name() -> None:
    with mock.patch.object(sys, "stdin", Stream()):
        code, _, err = run("align", "a\x00b")
    assert (code, err) == (1, unreadable("a\\x00b", "embedded null byte"))


def test_twenty_problems_are_shown_and_the_rest_counted() -> None:
    err = bad(PAIRS + "bob\n" * 5000)
    assert err.count(NO_TAB) == 20
    assert err.count("hint: ") == 1
    assert re.search(r"^… and 4,?980 more problems$", err, re.MULTILINE)


def test_many_bad_lines_are_skipped() -> None:
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


def test_several_scripts_are_noted() -> None:
    write("pairs.tsv", "alice\t爱丽丝\nанна\t安娜\nbob\t鲍勃\n")
    _, err = aligned("pairs.tsv")
    told = says("several-scripts", column="source", scripts=["Latin (2)", "Cyrillic (1)"])
    assert f"note: {told}\n" in err


def test_singular_and_plural() -> None:
    pytest.importorskip("pypinyin")
    write("pairs.tsv", "alice\t爱丽丝\tmore\n")
    _, err = aligned("pairs.tsv", "--method", "phoneme", "--iterations", "1")
    assert f"note: {Note('further-columns', count=1)}\n" in err
    assert f"note: {Note('few-pairs', count=1)}\n" in err
    assert not re.search(r"\b1 (source )?(lines|iterations|names|pairs|units)\b", err)
