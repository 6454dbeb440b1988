"""Names to align, and helpers that run `sameas align`."""

from __future__ import annotations

import unicodedata

from command_line import columns, run, write
from sameas.names.aligned import AlignedNames, read_alignments, spelt

PAIRS = "alice\t爱丽丝\nadam\t亚当\nanna\t安娜\nandrew\t安德鲁\ndiana\t黛安娜\nalan\t艾伦\n"
GOLD = (
    "alice\t爱丽丝\ta/爱 li/丽 ce/丝\nadam\t亚当\ta/亚 dam/当\nanna\t安娜\tan/安 na/娜\n"
    "diana\t黛安娜\tdi/黛 a/安 na/娜\n"
)
#: Enough pairs, and enough of them aligned by hand, to avoid notes on their number.
MORE, MORE_GOLD = PAIRS * 9, GOLD * 5
METHODS = ("affinity", "phoneme", "phonological", "segment")


def pairs_of(text: str) -> list[tuple[str, str]]:
    found = []
    for line in text.splitlines():
        source, target, *_ = line.split("\t")
        found.append((source, target))
    return found


def read(text: str) -> AlignedNames:
    """Read aligned names as printed, and check that their tokens spell them in NFC."""
    write("printed.tsv", text)
    found = read_alignments("printed.tsv")
    for pair in found:
        names = (pair.source, pair.target)
        assert spelt(pair.tokens) == tuple(unicodedata.normalize("NFC", name) for name in names)
    return found


def aligned(*arguments: object) -> tuple[AlignedNames, str]:
    """Return the aligned names that a command prints, and its messages."""
    code, out, err = run("align", *arguments)
    assert code == 0, err
    assert "Traceback" not in err
    assert columns(err) <= 80
    return read(out), err
