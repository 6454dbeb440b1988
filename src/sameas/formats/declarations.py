"""The file formats: their names, and how they are recognised, read and written.

This table is the only place that declares formats. A format's reader is `MODULE/read.py`, its
writer `MODULE/write.py`. The command line's help uses this table, so that it imports no reader.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["CHECKED", "FORMATS", "TABLES", "WRITTEN", "Format"]


class Format(NamedTuple):
    """The declaration of a format."""

    module: str
    title: str  # the usual name
    endings: tuple[str, ...] = ()  # file name extensions, the usual one first
    begins: tuple[bytes, ...] = ()  # possible first bytes of a file
    pattern: bytes = b""  # if it matches the first lines, the file is in this format
    asks: tuple[str, ...] = ()  # arguments that its reader takes besides bytes and path
    is_text: bool = True  # a single text file, not binary and not several files
    is_checked: bool = False  # scored despite invalid bytes, since no span depends on them
    separator: bytes = b""  # found between any two documents; empty if files cannot be split
    #: Contents that can be written besides sentences and clusters; None if sameas does not
    #: write the format.
    holds: frozenset[str] | None = None


_IN_ROWS = frozenset({"ids", "types", "heads", "zeros", "pieces"})
_BEYOND = _IN_ROWS | {"words", "split", "bridging", "meta"}


def _table(title: str, *endings: str, begins: tuple[bytes, ...] = ()) -> Format:
    """Declare a table of mentions: a text format, unless its first bytes are fixed."""
    is_text = not begins
    holds = _IN_ROWS | {"kinds"}
    return Format("table", title, endings, begins, b"", ("format",), is_text, is_text, holds=holds)


FORMATS: dict[str, Format] = {
    "conll": Format(
        "conll",
        "CoNLL",
        (".conll", ".v4_gold_conll", ".v4_auto_conll"),
        pattern=rb"(?mi)^#\s*begin\s+document",
        asks=("reference", "refuse"),
        is_checked=True,
        separator=b"\n",
        holds=frozenset({"words", "ids"}),
    ),
    "conllu": Format(
        "conllu",
        "CoNLL-U",
        (".conllu",),
        pattern=rb"(?m)^(#\s*(newdoc|newpar|sent_id|text|global\.Entity|global\.columns)\b"
        rb"|(1|1-\d+|0\.1)(\t[^\t\n]*){9}$)",
        asks=("refuse",),
        is_checked=True,
        separator=b"\n\n",
        holds=_BEYOND,
    ),
    "jsonlines": Format(
        "jsonlines",
        "jsonlines",
        (".jsonl", ".jsonlines"),
        asks=("role",),
        separator=b"\n",
        holds=_BEYOND | {"kinds", "minima"},
    ),
    "ua": Format(
        "ua",
        "Universal Anaphora",
        (".conllua",),
        pattern=rb"(?m)^#\s*global\.columns\s*=.*\bIDENTITY\b"
        rb"|(?<=[ \t)@])\((?i:Entity_?ID|Markable_?ID|MentionID)=",
        asks=("refuse",),
        is_checked=True,
        separator=b"\n\n",
        holds=_BEYOND - {"heads", "meta"} | {"minima", "silent"},
    ),
    "brat": Format(
        "brat",
        "brat",
        (".ann",),
        asks=("text", "name", "refuse"),
        is_text=False,
        holds=frozenset({"words", "types", "pieces"}),
    ),
    "scorch": Format("scorch", "SCORCH", asks=("named_by_file",)),
    "csv": _table("CSV", ".csv"),
    "tsv": _table("TSV", ".tsv"),
    "parquet": _table("Parquet", ".parquet", begins=(b"PAR1",)),
    "arrow": _table("Arrow", ".arrow", ".feather", begins=(b"ARROW1", b"\xff\xff\xff\xff")),
}
TABLES = tuple(name for name, format in FORMATS.items() if format.module == "table")
CHECKED = tuple(name for name, format in FORMATS.items() if format.is_checked)
WRITTEN = {name: format.holds for name, format in FORMATS.items() if format.holds is not None}
