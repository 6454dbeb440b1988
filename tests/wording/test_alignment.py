"""The exact messages about alignments: an edit of the English changes only this file."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import good, refused

ALIGNED = (
    "alice\t爱丽丝\ta/爱 li/丽 ce/丝\nadam\t亚当\ta/亚 dam/当\nanna\t安娜\tan/安 na/娜\n"
    "diana\t黛安娜\tdia/黛 n/安 a/娜\nellis\t埃利斯\tel/埃 li/利 s/斯\n"
)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("aligned.tsv").write_text(ALIGNED, encoding="utf-8")


def test_the_entropy_of_an_alignment() -> None:
    out = good("entropy", "aligned.tsv")
    assert out == (
        "alignment    pairs  tokens  entropy\n"
        "───────────────────────────────────\n"
        "aligned.tsv      5      13    0.308\n\n"
        "by their share of the entropy\n"
        "token  mapped to  times   bits   share\n"
        "──────────────────────────────────────\n"
        "娜     a 1, na 1      2  1.000  50.0 %\n"
        "安     an 1, n 1      2  1.000  50.0 %\n"
        "丝     ce 1           1  0.000   0.0 %\n"
        "丽     li 1           1  0.000   0.0 %\n"
        "亚     a 1            1  0.000   0.0 %\n"
        "利     li 1           1  0.000   0.0 %\n"
        "埃     el 1           1  0.000   0.0 %\n"
        "当     dam 1          1  0.000   0.0 %\n"
        "斯     s 1            1  0.000   0.0 %\n"
        "爱     a 1            1  0.000   0.0 %\n\n"
        "note: 9 of 13 tokens have units that occur only once: they add no entropy, right\n"
        "  or wrong\n\n"
        "sameas:entropy|case:fold|pairs:5|version:0.1.0\n"
    )


def test_bad_lines() -> None:
    Path("bad.tsv").write_text(ALIGNED + "bob\nbob\t鲍勃\tbob鲍/勃\n", encoding="utf-8")
    assert refused("entropy", "bad.tsv") == (
        1,
        "bad.tsv:6:1: no tab in this line\n"
        "  hint: each line has a name, a tab, its transliteration, a tab and tokens such as a/爱 li/丽\n"
        "bad.tsv:7:8: the tokens spell 'bob鲍', but the source name is 'bob'\n"
        "  hint: joined together, the tokens must spell the name letter by letter\n"
        "to skip such lines and count them: --skip-bad\n",
    )
