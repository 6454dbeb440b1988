"""The lines and words of a Universal Anaphora document, and the attributes in its brackets."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from sameas.documents.mentions import Annotation, Span, node

__all__ = ["CELL", "COLUMNS", "UaAnnotation", "UaText", "find_cells", "read_attributes"]

COLUMNS = (
    "ID",
    "FORM",
    "LEMMA",
    "UPOS",
    "XPOS",
    "FEATS",
    "HEAD",
    "DEPREL",
    "DEPS",
    "MISC",
    "IDENTITY",
    "BRIDGING",
    "DISCOURSE_DEIXIS",
    "REFERENCE",
    "NOM_SEM",
)

CELL = re.compile(r"[^ \t]+")
_NAMES = {
    "entityid": "EntityID",
    "markableid": "MarkableID",
    "mentionid": "MarkableID",
    "min": "Min",
    "elementof": "ElementOf",
    "semtype": "SemType",
    "mentionanchor": "MentionAnchor",
    "entityanchor": "EntityAnchor",
    "rel": "Rel",
}


def find_cells(line: str, count: int) -> list[Span]:
    r"""Return the spans of a line's cells; only tabs separate them if that gives `count` cells.

    >>> find_cells("1  Ann  _", 3), find_cells("1\tNew York\t_", 3)
    ([(0, 1), (3, 6), (8, 9)], [(0, 1), (2, 10), (11, 12)])
    """
    parts = line.split("\t")
    if len(parts) != count:
        return [found.span() for found in CELL.finditer(line)]
    stops = itertools.accumulate(len(part) + 1 for part in parts)
    return [(stop - len(part) - 1, stop - 1) for part, stop in zip(parts, stops, strict=True)]


def read_attributes(text: str) -> dict[str, str] | None:
    """Parse `EntityID=1|Min=2` as a dictionary with normalised names; None if it is malformed."""
    found = {}
    for part in text.strip("@").split("|"):
        name, sign, value = part.partition("=")
        if not sign or not name:
            return None
        found[_NAMES.get(name.lower().replace("_", ""), name)] = value
    return found


class UaText:
    r"""The lines and words of one document.

    >>> from sameas.formats.ua.read import read_ua
    >>> text = read_ua(b"1 Ann _ _ _ _ _ _ _ _ _\n2 ran _ _ _ _ _ _ _ _ _\n").documents[0].text
    >>> text.token_count, text.sentences(), text.place(1)
    (2, (('Ann', 'ran'),), (2, 23))
    """

    written_as = "ua"

    def __init__(self, lines: Sequence[str], columns: Sequence[str], before: int) -> None:
        self.lines, self.columns = lines, tuple(columns)
        self.before = before  # number of lines in the file before these
        self.named = False  # whether closing brackets name their markables
        self.words: list[int] = []  # the line of each word
        self.word_forms: list[str] = []
        self.breaks: list[int] = []  # words that begin a sentence
        self.zeros: dict[int, int] = {}  # lines by node
        self.discourse_deixis = 0  # number of mentions in that column

    @property
    def token_count(self) -> int:
        """The number of words, without zeros."""
        return len(self.words)

    @property
    def nodes(self) -> dict[int, int]:
        """The line of each word and zero, relative to the document."""
        return {node(word): line for word, line in enumerate(self.words)} | self.zeros

    def sentences(self) -> tuple[tuple[str, ...], ...]:
        """Return the words by sentence."""
        bounds = [*self.breaks, len(self.word_forms)]
        return tuple(tuple(self.word_forms[low:high]) for low, high in itertools.pairwise(bounds))

    def zero_forms(self) -> dict[int, str]:
        """Return the form of each empty node."""
        return {place: self.lines[line].split()[1] for place, line in self.zeros.items()}

    def rows(self) -> None:
        """Return None: there are no columns of CoNLL-2012."""

    def place(self, token: int) -> tuple[int, int]:
        """Return the line and column of a word's annotation."""
        if not 0 <= token < len(self.words):
            return self.before + 1, 1
        line = self.words[token]
        return self.before + line + 1, self.cell(line, "IDENTITY")[0] + 1

    def cell(self, line: int, column: str) -> Span:
        """Return the span of a cell in a line; (0, 0) if the line has no such cell."""
        cells, number = find_cells(self.lines[line], len(self.columns)), self.columns.index(column)
        return cells[number] if number < len(cells) else (0, 0)


@dataclass(frozen=True, kw_only=True)
class UaAnnotation(Annotation):
    r"""The annotation in the brackets of one document.

    `attributes` contains, for each mention, the text that opens each of its pieces;
    `non_referring` contains the same for mentions that do not refer.

    >>> from sameas.formats.ua.read import read_ua
    >>> line = b"1 Ann _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=m1|Min=1|SemType=dn)\n"
    >>> annotation = read_ua(line).documents[0].annotation
    >>> annotation.attributes, annotation.minima() == [[node(0)]]
    ([('EntityID=1|MarkableID=m1|Min=1|SemType=dn',)], True)
    """

    text: UaText
    attributes: Sequence[tuple[str, ...]]
    non_referring: Sequence[tuple[str, ...]]
    markables: Sequence[str]  # the ids of the mentions

    def types(self) -> Sequence[str] | None:
        """Return each mention's type from NOM_SEM, empty if unstated; None if none is stated."""
        if "NOM_SEM" not in self.text.columns:
            return None
        types: dict[str, str] = {}
        for line in self.text.nodes.values():
            written = self.text.lines[line]
            if "Entity_Type=" not in written:
                continue
            low, high = self.text.cell(line, "NOM_SEM")
            for text in re.split(r"[()@]+", written[low:high]):
                found = read_attributes(text) or {}
                types.setdefault(found.get("MarkableID", ""), found.get("Entity_Type", ""))
        types.pop("", None)
        return [types.get(id, "") for id in self.markables] if types else None
