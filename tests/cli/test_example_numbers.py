"""The numbers of commands on the examples and samples that no page shows, digit by digit."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import good, run, write
from sameas.examples import example_path


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the commands in a temporary folder."""
    monkeypatch.chdir(tmp_path)


def rows(text: str, first: str, count: int) -> list[str]:
    """Return lines of a table, from the one that starts with a word, with single blanks."""
    lines = [" ".join(line.split()) for line in text.splitlines() if not line.startswith("─")]
    start = next(n for n, line in enumerate(lines) if line.startswith(first))
    return lines[start : start + count]


def test_intervals_of_scores() -> None:
    files = (example_path("key.conll"), example_path("eager.conll"))
    out = good("score", *files, "--interval", "--metrics", "muc,b3,ceafe,conll")
    assert rows(out, "MUC", 4) == [
        "MUC 90.91 [81.82, 100.00] 86.96 [75.00, 100.00] 88.89 [78.26, 100.00]",
        "B³ 92.98 [85.19, 100.00] 74.47 [58.03, 90.91] 82.70 [69.03, 95.24]",
        "CEAFe 87.54 [69.06, 100.00] 66.70 [50.07, 81.82] 75.71 [58.91, 90.00]",
        "CoNLL 82.44 [68.73, 95.08]",
    ]


def test_a_comparison_in_latex() -> None:
    key, base, new = map(example_path, ("key.conll", "careful.conll", "eager.conll"))
    out = good("compare", key, f"base={base}", f"new={new}", "--metrics", "muc,conll", "--latex")
    assert out.startswith(
        r"""\begin{tabular}{lrr}
\toprule
system & MUC & CoNLL \\
\midrule
base & 84.21 & 81.58 \\
new & 88.89 & 82.44 \\
\bottomrule
\end{tabular}

\begin{tabular}{lrrrrr}
\toprule
\multicolumn{6}{l}{new $-$ base} \\
\midrule
metric & difference & 95\% interval & p & effect & win/tie/loss \\
\midrule
MUC & +4.68 & [$-$0.70, +11.36] & 0.3750 & 0.83 & 3/0/1 \\
CoNLL & +0.85 & [$-$12.20, +11.55] & 1.0000 & 0.09 & 3/0/1 \\
\bottomrule
\end{tabular}
% note: """
    )


def test_records() -> None:
    write("truth.csv", "mention,entity\nann@example.org,1\na.smith,1\nbob,2\nrobert,2\ncarol,3\n")
    write("found.csv", "mention,entity\nann@example.org,x\na.smith,x\nbob,x\nrobert,y\ncarol,z\n")
    out = good("score", "truth.csv", "found.csv", "--metrics", "pairwise,b3,ceafe,blanc")
    assert rows(out, "Pairwise", 6) == [
        "Pairwise 1 / 2 50.00 1 / 3 33.33 40.00",
        "B³ 4.00 / 5 80.00 3.67 / 5 73.33 76.52",
        "CEAFe 2.47 / 3 82.22 2.47 / 3 82.22 82.22",
        "BLANC 62.50 59.52 60.00",
        "coref. 1 / 2 50.00 1 / 3 33.33 40.00",
        "non-coref. 6 / 8 75.00 6 / 7 85.71 80.00",
    ]


def test_the_alignment_of_a_sample() -> None:
    code, out, _ = run("align", "--dataset", "sample:ru", "-o", "aligned.tsv")
    assert code == 0
    assert rows(out, "segment", 7) == [
        "segment 1 0.702 32.323",
        "segment 2 0.696 30.695",
        "segment 3 0.681 30.333",
        "segment 4 0.674 30.271",
        "segment 5 0.674 30.225",
        "segment 6 0.674 30.195",
        "",
    ]
    out = good("entropy", "aligned.tsv", "--top", 3)
    assert rows(out, "aligned.tsv", 1) == ["aligned.tsv 75 446 0.674"]
    assert rows(out, "д", 4) == [
        "д d 16, j 8, g 2, 1 more 27 1.422 12.8 %",
        "а a 45, * 3, ah 1, 1 more 50 0.606 10.1 %",
        "и i 32, y 3, e 1, 1 more 37 0.757 9.3 %",
        "",
    ]
