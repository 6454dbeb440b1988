"""The English of compare, correlate, published and score --interval: a few whole outputs."""

from __future__ import annotations

from pathlib import Path

import sameas
from command_line import good, refused

VERSION = sameas.__version__
EXAMPLE = f"""\
system   Mentions    MUC     B³  CEAFm  CEAFe  BLANC    LEA  CoNLL
──────────────────────────────────────────────────────────────────
careful     84.85  84.21  81.25  84.85  79.29  75.01  78.22  81.58
eager       92.68  88.89  82.70  82.93  75.71  77.62  78.83  82.44

eager − careful
metric    difference      95% interval       p  effect  win/tie/loss
────────────────────────────────────────────────────────────────────
Mentions       +7.83   [+3.86, +13.32]  0.1250    1.48         4/0/0
MUC            +4.68   [−0.70, +11.36]  0.3750    0.83         3/0/1
B³             +1.45  [−11.49, +11.74]  1.0000    0.12         3/0/1
CEAFm          −1.92  [−17.28, +11.36]  0.8750   −0.06         3/0/1
CEAFe          −3.57  [−24.42, +12.67]  0.8750   −0.18         2/0/2
BLANC          +2.61  [−10.56, +17.70]  1.0000    0.35         3/0/1
LEA            +0.62  [−13.71, +12.89]  1.0000    0.05         2/1/1
CoNLL          +0.85  [−12.20, +11.55]  1.0000    0.09         3/0/1

note: no significant difference between eager and careful: no p-value is below
  0.05
note: effect is Cohen's d over documents, so its sign can differ from that of
  the difference; win/tie/loss: documents with a positive, zero or negative
  difference
note: only 4 documents: intervals and p-values are rough at best; no p-value can
  be below 0.125
note: p-values are exact: every swap of documents was tried

sameas:coref|match:exact|singletons:keep|duplicates:first|missing:empty
  |blanc:luo2014|average:micro|interval:percentile|confidence:95|samples:10000
  |seed:1|test:studentised|pairs:first|correction:holm|docs:4|version:{VERSION}
"""
OWN = """\
system,group,muc,b3,blanc
a,x,50.0,40.0,30.0
b,x,60.0,45.0,42.0
c,x,55.0,47.0,35.0
d,y,70.0,60.0,50.0
e,y,65.0,62.0,41.0
f,y,45.0,39.0,33.0
"""
ARABIC = """\
CoNLL-2012 Arabic
system       MUC  CoNLL
───────────────────────
fernandes   46.5   45.2
bjorkelund  47.8   43.5
uryupina    41.5   37.5
stamborg    41.2   36.7
chen        39.0   32.4
zhekova     29.9   26.2
li          18.1   16.2
"""
SOURCES = """\
note: source: Pradhan, Luo, Recasens, Hovy, Ng & Strube 2014, Scoring
  Coreference Partitions of Predicted Mentions: A Reference Implementation,
  Table 1
note: source: Luo, Pradhan, Recasens & Hovy 2014, An Extension of BLANC to
  System Mentions, Tables 1 and 2
"""
COMPARES = """\
note: published scores are on the tasks' test sets; scores on other data are not
  comparable
"""
SHOWN = ("published", "--language", "arabic", "--metrics", "muc,conll")


def test_compare_the_example() -> None:
    assert good("compare", "--example") == EXAMPLE


def test_score_with_intervals() -> None:
    assert good("score", "--example", "--interval", "--metrics", "muc,conll", "--digits", 1) == (
        "response            MUC         CoNLL\n"
        "─────────────────────────────────────\n"
        "careful            84.2          81.6\n"
        "           [77.4, 90.0]  [76.2, 85.5]\n"
        "eager              88.9          82.4\n"
        "          [78.3, 100.0]  [68.7, 95.1]\n\n"
        "note: only 4 documents: intervals are rough at best\n\n"
        "sameas:coref|match:exact|singletons:keep|duplicates:first|missing:empty\n"
        "  |blanc:luo2014|average:micro|interval:percentile|confidence:95|samples:10000\n"
        f"  |seed:1|docs:4|version:{VERSION}\n"
    )


def test_correlate_your_own_table(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text(OWN)
    assert good("correlate", path, "--metrics", "muc,b3", "--samples", 500) == (
        "6 rows\n"
        "metrics          Pearson [95%]        Spearman [95%]         Kendall [95%]\n"
        "──────────────────────────────────────────────────────────────────────────\n"
        "MUC – B³  0.912 [0.779, 1.000]  0.886 [0.200, 1.000]  0.733 [0.111, 1.000]\n\n"
        "note: few units to resample (6): intervals are rough at best\n\n"
        "sameas:correlate|interval:percentile|confidence:95|samples:500|seed:1|rows:6\n"
        f"  |version:{VERSION}\n"
    )


def test_scores_that_are_missing(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text(OWN.replace("55.0", "n/a"))
    assert refused("correlate", path) == (
        1,
        f"{path}:4:5: muc is missing in the row of c x\n"
        "  hint: --skip-missing skips such rows; --metrics selects columns\n",
    )


def test_published_in_text() -> None:
    assert good(*SHOWN) == f"{ARABIC}\n{SOURCES}"


def test_placing_a_system() -> None:
    assert good(*SHOWN, "--place", "mine=conll:40.04,muc:41") == (
        ARABIC.replace(
            "uryupina ", "───────────────────────\nmine        41.0   40.0\n───────────────────────\nuryupina "
        )
        + "\nnote: mine ranks 3 of 8 by CoNLL in CoNLL-2012 Arabic\n"
        + COMPARES
        + SOURCES
    )  # fmt: skip


def test_audit_of_the_record() -> None:
    assert good("published", "--audit") == (
        "CoNLL-2011 English kobdani: conll 38.7, but MUC 53.5, B³ 34.8 and CEAFe 34.1 "
        "average 40.8\n"
        "CoNLL-2012 English stamborg: conll 54.2, but MUC 65.1, B³ 51.7 and CEAFe 46.6 "
        "average 54.5\n"
        "53 rows, 2 findings\n"
    )
