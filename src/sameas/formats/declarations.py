"""The formats of files: what each is called, how it is recognised, read and written.

A format is declared here and nowhere else; its reader is `MODULE/read.py`, its writer
`MODULE/write.py`. The command line's help is made of this table, so that it imports nothing.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["CHECKED", "FORMATS", "TABLES", "WRITTEN", "Format"]


class Format(NamedTuple):
    """What there is to know of a format without a look into a file."""

    module: str
    title: str  # as people call it
    endings: tuple[str, ...] = ()  # of names of files, the usual one first
    begins: tuple[bytes, ...] = ()  # the first bytes of such files
    pattern: bytes = b""  # what the first lines of such files have, if that tells the format
    asks: tuple[str, ...] = ()  # what its reader wants to know besides bytes and path
    is_text: bool = True  # one file of text, not bytes, or several files
    is_checked: bool = False  # scored even if some bytes are not text: no place depends on them
    separator: bytes = b""  # between documents, at least; empty if large files cannot be cut
    #: What can be written besides sentences and clusters; None if the format is not written.
    holds: frozenset[str] | None = None


_IN_ROWS = frozenset({"ids", "types", "heads", "zeros", "pieces"})
_BEYOND = _IN_ROWS | {"words", "split", "bridging", "meta"}


def _table(title: str, *endings: str, begins: tuple[bytes, ...] = ()) -> Format:
    """A table of mentions: as text, unless its first bytes are always the same."""
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
