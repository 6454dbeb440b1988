"""scorer: the numbers and the output of the reference scorer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.commands.examples import UNCLOSED, VERSION
from command_line import good, run

RULE = "-" * 74

SCORER_KEY = """\
#begin document (a); part 000
a	0	0	Ann	(0)
a	0	1	saw	-
a	0	2	her	(1|(0)
a	0	3	sister	1)

a	0	0	She	(1)|(2)
#end document
#begin document (b);
b	0	0	It	(5)
b	0	1	rained	(6)
#end document
"""
SCORER_RESPONSE = """\
#begin document (a); part 000
a	0	0	Ann	(7)
a	0	1	saw	(3+4)|(8)
a	0	2	her	(7
a	0	3	sister	7)|(8)

a	0	0	She	(8)|(7)
#end document
"""
REPEATED = """\
Repeated mention in the key: 4, 4 34
Repeated mention in the response: 4, 4 44
"""
IDENTIFIED = f"""\

====== TOTALS =======
Identification of Mentions: Recall: (3 / 6) 50%	Precision: (3 / 5) 60%	F1: 54.54%
{RULE}
"""
NOTHING = """\
Total key mentions: 0
Total response mentions: 0
Strictly correct identified mentions: 0
Partially correct identified mentions: 0
No identified: 0
Invented: 0
"""
ZERO = f"Recall: (0 / 0) 0%	Precision: (0 / 0) 0%	F1: 0%\n{RULE}\n"
BLANC = f"""\

Coreference:
Coreference links: Recall: (1 / 2) 50%	Precision: (1 / 4) 25%	F1: 33.33%
{RULE}
Non-coreference links: Recall: (0 / 7) 0%	Precision: (0 / 6) 0%	F1: 0%
{RULE}
BLANC: Recall: (0.25 / 1) 25%	Precision: (0.125 / 1) 12.5%	F1: 16.66%
{RULE}
"""
COREFERENCE = {
    "muc": f"Coreference: Recall: (0 / 2) 0%	Precision: (0 / 3) 0%	F1: 0%\n{RULE}\n",
    "bcub": "Coreference: Recall: (2.5 / 7) 35.71%	Precision: (1.33333333333333 / 5) 26.66%	"
    f"F1: 30.53%\n{RULE}\n",
    "ceafm": f"Coreference: Recall: (2 / 7) 28.57%	Precision: (2 / 5) 40%	F1: 33.33%\n{RULE}\n",
    "ceafe": f"Coreference: Recall: (0.8 / 5) 16%	Precision: (0.8 / 2) 40%	F1: 22.85%\n{RULE}\n",
    "blanc": BLANC,
}
DUMP = """\
====> (a); part 000:
File (a); part 000:
Entity 0: (0,0) (2,2)
Entity 1: (2,3) (4,4)
Entity 2: (4,4)
====> (a); part 000:
Discarded (3+4)
File (a); part 000:
Entity 0: (0,0) (2,3) (4,4)
Entity 1: (1,1) (3,3) (4,4)
"""
COUNTED = f"""\
{REPEATED}Total key mentions: 4
Total response mentions: 5
Strictly correct identified mentions: 3
Partially correct identified mentions: 0
No identified: 1
Invented: 3
"""
MISSING = """\
====> (b);:
File (b);:
Entity 0: (0,0)
Entity 1: (1,1)
====> :
File :
"""
MISSING_COUNTED = """\
Total key mentions: 2
Total response mentions: 0
Strictly correct identified mentions: 0
Partially correct identified mentions: 0
No identified: 2
Invented: 0
"""


def scorer(files: Path, *arguments: str) -> str:
    """Return the output of the scorer after its first line."""
    Path("k").write_text(SCORER_KEY)
    Path("r").write_text(SCORER_RESPONSE)
    out = good("scorer", *arguments)
    first, _, rest = out.partition("\n")
    assert first == f"version: 8.01 sameas {VERSION}"
    return rest


def test_scorer_verbose(files: Path) -> None:
    assert scorer(files, "muc", "k", "r") == (
        f"{DUMP}(a); part 000:\n{COUNTED}"
        f"Recall: (0 / 2) 0%	Precision: (0 / 3) 0%	F1: 0%\n{RULE}\n"
        f"{MISSING}(b);:\n{MISSING_COUNTED}{ZERO}{IDENTIFIED}{COREFERENCE['muc']}"
    )


def test_scorer_verbose_blanc(files: Path) -> None:
    assert scorer(files, "blanc", "k", "r") == (
        f"{DUMP}:\n{COUNTED}{MISSING}:\n{MISSING_COUNTED}{IDENTIFIED}{BLANC}"
    )


@pytest.mark.parametrize("metric", list(COREFERENCE))
def test_scorer_totals(files: Path, metric: str) -> None:
    expected = f"{REPEATED}{IDENTIFIED}{COREFERENCE[metric]}"
    assert scorer(files, metric, "k", "r", "none") == expected
    assert scorer(files, metric.upper(), "k", "r", "none") == expected


def test_scorer_all(files: Path) -> None:
    assert scorer(files, "all", "k", "r", "none") == "".join(
        f"\nMETRIC {metric}:\n{REPEATED}{IDENTIFIED}{text}" for metric, text in COREFERENCE.items()
    )


def test_scorer_one_document(files: Path) -> None:
    assert scorer(files, "ceafe", "k", "r", "(a); part 000") == (
        f"(a); part 000:\n{DUMP}{COUNTED}"
        f"Recall: (0.8 / 3) 26.66%	Precision: (0.8 / 2) 40%	F1: 32%\n{RULE}\n"
        "\n====== TOTALS =======\n"
        "Identification of Mentions: Recall: (3 / 4) 75%	Precision: (3 / 5) 60%	F1: 66.66%\n"
        f"{RULE}\n"
        f"Coreference: Recall: (0.8 / 3) 26.66%	Precision: (0.8 / 2) 40%	F1: 32%\n{RULE}\n"
    )


def test_scorer_a_document_missing_from_the_response(files: Path) -> None:
    line = f"Recall: (0 / 2) 0%	Precision: (0 / 0) 0%	F1: 0%\n{RULE}\n"
    assert scorer(files, "bcub", "k", "r", "(b);") == (
        f"(b);:\n{MISSING}{MISSING_COUNTED}{line}\n====== TOTALS =======\n"
        f"Identification of Mentions: {line}Coreference: {line}"
    )


def test_scorer_an_unknown_document(files: Path) -> None:
    assert scorer(files, "ceafm", "k", "r", "(c);") == (
        f"(c);:\n====> :\nFile :\n====> :\nFile :\n{NOTHING}{ZERO}\n====== TOTALS =======\n"
        f"Identification of Mentions: {ZERO}Coreference: {ZERO}"
    )
    assert scorer(files, "blanc", "k", "r", "(c);") == (
        f"(c);:\n====> :\nFile :\n====> :\nFile :\n{NOTHING}\n====== TOTALS =======\n"
        f"Identification of Mentions: {ZERO}\nCoreference:\nCoreference links: {ZERO}"
        f"Non-coreference links: {ZERO}"
        f"BLANC: Recall: (0 / 1) 0%	Precision: (0 / 1) 0%	F1: 0%\n{RULE}\n"
    )


@pytest.mark.parametrize(
    ("metric", "key", "response", "expected"),
    [
        # 1/3 + 1 + 1/3 + 1/3 in the order of the response is less than 2.
        (
            "bcub",
            ["(0)", "(1)", "(0)", "(0)"],
            ["(0)", "(0)", "(1)", "(2)"],
            "Recall: (2 / 4) 49.99%	Precision: (3 / 4) 75%	F1: 59.99%",
        ),
        # The scorer minimises the cost, and 1 - (1 - 0.2) is less than 0.2.
        (
            "ceafe",
            ["(0)", "(0)", "(0)", "(0)", "(0)", "-", "-", "-", "-"],
            ["-", "-", "-", "-", "(0)", "(0)", "(0)", "(0)", "(0)"],
            "Recall: (0.2 / 1) 19.99%	Precision: (0.2 / 1) 19.99%	F1: 19.99%",
        ),
    ],
)
def test_scorer_truncates_the_sums_of_the_reference_scorer(
    files: Path, metric: str, key: list[str], response: list[str], expected: str
) -> None:
    for name, cells in (("x", key), ("y", response)):
        lines = ["#begin document (a);", *(f"w\t{cell}" for cell in cells), "#end document", ""]
        Path(name).write_text("\n".join(lines))
    assert f"\nCoreference: {expected}\n" in scorer(files, metric, "x", "y", "none")


def test_scorer_refuses_what_the_reference_scorer_refuses(files: Path) -> None:
    Path("open").write_text("#begin document (a);\nx\t(1\n#end document\n")
    Path("good").write_text("#begin document (a);\nx\t(1)\n#end document\n")
    for arguments in (["open", "good"], ["good", "open"]):
        code, _, err = run("scorer", "muc", *arguments)
        assert code == 1
        assert err.startswith(f"open:2:3: {UNCLOSED}\n")


def test_compat_has_the_counts_of_the_scorer(files: Path) -> None:
    scorer(files, "muc", "k", "r", "none")
    code, out, _ = run("score", "k", "r", "--compat", "conll-8.01", "--json")
    assert code == 0
    metrics = json.loads(out)["metrics"]
    assert metrics["mention"]["counts"] == [3, 6, 3, 5]
    assert metrics["b3"]["counts"] == pytest.approx([2.5, 7, 4 / 3, 5])
    assert metrics["ceafe"]["counts"] == pytest.approx([0.8, 5, 0.8, 2])
    assert metrics["blanc"]["coref"]["counts"] == [1, 2, 1, 4]
    assert metrics["blanc"]["noncoref"]["counts"] == [0, 7, 0, 6]
