"""Aligned names, and the files that contain them.

One line is one pair: the name, a tab, its transliteration, a tab, and the tokens, such as
`a/爱 li/丽 ce/丝`. In a token `*` is an empty side, `_` a space, and `\\` escapes a following `/`,
`*`, `_` or `\\`. The tokens can be edited by hand, as long as they still spell the name. The output
of m2m-aligner and Phonetisaurus can also be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import get_args

from sameas.errors import InputError, Problem, unknown
from sameas.files import write_file
from sameas.names.aligning import Format
from sameas.names.rows import BadLine, Listing, lines_of, name_column
from sameas.names.units import composed, graphemes
from sameas.notes import Note

__all__ = [
    "FORMATS",
    "AlignedNames",
    "AlignedPair",
    "read_alignments",
    "read_token",
    "spelt",
    "written_token",
]

FORMATS: tuple[str, ...] = get_args(Format)
SEEN = 20  # lines from which the format is detected
_SPECIAL = re.compile(r"[\\/*_]")
_PLAIN = re.compile(r"\\(.)|(\*)|(_)", re.DOTALL)
_SLASH = re.compile(r"(\\.)|/")


@dataclass(frozen=True, slots=True)
class AlignedPair:
    """A name, its transliteration, and their tokens in order.

    Attributes
    ----------
    source, target
        The name and its transliteration.
    tokens
        Letters and what they are aligned with; in NFC, even if the names are not.

    Examples
    --------
    >>> print(AlignedPair("alice", "爱丽丝", (("a", "爱"), ("li", "丽"), ("ce", "丝"))))
    a/爱 li/丽 ce/丝
    """

    source: str
    target: str
    tokens: tuple[tuple[str, str], ...]

    def as_dict(self) -> dict[str, str]:
        """Return the pair as it appears in JSON.

        Returns
        -------
        dict
            `source`, `target` and `tokens`.

        Examples
        --------
        >>> AlignedPair("bo", "波", (("bo", "波"),)).as_dict()
        {'source': 'bo', 'target': '波', 'tokens': 'bo/波'}
        """
        return {"source": self.source, "target": self.target, "tokens": str(self)}

    def __str__(self) -> str:
        """Return the tokens as written in a file."""
        return " ".join("/".join(map(written_token, token)) for token in self.tokens)


@dataclass(frozen=True, repr=False)
class AlignedNames(Listing[AlignedPair]):
    """A corpus of aligned names, in order.

    Attributes
    ----------
    pairs
        The aligned pairs.
    name
        Name of the corpus, usually its file.
    notes
        Notes on the pairs and on their alignment.
    skipped
        The bad lines that were skipped.
    signature
        How the names were aligned; empty if unknown.

    Examples
    --------
    >>> len(AlignedNames((AlignedPair("bo", "波", (("bo", "波"),)),)))
    1
    """

    pairs: tuple[AlignedPair, ...]
    name: str = ""
    notes: tuple[Note, ...] = ()
    skipped: tuple[Problem, ...] = ()
    signature: str = ""

    def __getitem__(self, number: int) -> AlignedPair:
        """Return the pair at an index."""
        return self.pairs[number]

    def __str__(self) -> str:
        """Return the text of the file, without the final line break."""
        head = [f"# {self.signature}"] if self.signature else []
        return "\n".join([*head, *(f"{one.source}\t{one.target}\t{one}" for one in self.pairs)])

    def save(self, path: str | Path) -> None:
        """Write the names to a file that `read_alignments` can read.

        Parameters
        ----------
        path
            File to write.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     AlignedNames((AlignedPair("bo", "波", (("bo", "波"),)),)).save(f"{folder}/bo.tsv")
        ...     print(read_alignments(f"{folder}/bo.tsv")[0])
        bo/波
        """
        write_file(path, f"{self}\n")


@lru_cache(maxsize=65536)
def written_token(part: str) -> str:
    """Return one side of a token as written in a file.

    >>> written_token("new "), written_token(""), written_token("*")
    ('new_', '*', '\\\\*')
    """
    if not part:
        return "*"
    return _SPECIAL.sub(r"\\\g<0>", part).replace(" ", "_")


def read_token(part: str) -> str:
    """Return one side of a token from its form in a file.

    >>> read_token("new_"), read_token("*"), read_token("\\\\*")
    ('new ', '', '*')
    """
    return _PLAIN.sub(lambda found: found[1] or ("" if found[2] else " "), part)


def spelt(tokens: Iterable[tuple[str, str]]) -> tuple[str, str]:
    """Return the name and the transliteration that tokens spell.

    >>> spelt([("a", "爱"), ("li", "丽")])
    ('ali', '爱丽')
    """
    sides = list(zip(*tokens, strict=True)) or [(), ()]
    return "".join(sides[0]), "".join(sides[1])


def read_alignments(
    path: str | Path, *, format: Format | None = None, skip_bad: bool = False
) -> AlignedNames:
    """Read aligned names from a file.

    Parameters
    ----------
    path
        The file; `-` is standard input.
    format
        `sameas`, `m2m` or `phonetisaurus` (default: detected).
    skip_bad
        Skip bad lines and list them in `skipped`.

    Returns
    -------
    AlignedNames
        The pairs, in order.

    Raises
    ------
    InputError
        When lines are bad and `skip_bad` is not set, or when there are no aligned names.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
    ...     _ = file.write("a}爱 l|i}丽 c|e}丝\\n")
    ...     file.flush()
    ...     print(read_alignments(file.name)[0])
    a/爱 li/丽 ce/丝
    """
    if format is not None and format not in FORMATS:
        raise unknown("format", format, FORMATS)
    read = lines_of(path)
    known = format or _sniff(read.lines, read.path)
    row = {"sameas": _ours, "m2m": _m2m, "phonetisaurus": _phonetisaurus}[known]
    found = read.rows(row, "no-alignments", skip_bad=skip_bad)
    return AlignedNames(tuple(found.rows), found.path, found.notes, found.skipped)


def _sniff(lines: Sequence[tuple[int, str]], path: str) -> str:
    for _, line in lines[:SEEN]:  # not only the first, which may be bad
        columns = line.split("\t")
        if len(columns) >= 3:
            return "sameas"
        if len(columns) == 2 and all("|" in column for column in columns):
            return "m2m"
        if len(columns) == 1 and "}" in line:
            return "phonetisaurus"
    for number, line in lines[:1]:
        how = "pairs" if line.count("\t") == 1 else "text"
        raise InputError([Problem("not-aligned", path, number, 1, how=how)])
    return "sameas"


def _ours(number: int, columns: list[str]) -> AlignedPair:
    if len(columns) == 1:
        raise BadLine("no-tab", how="aligned")
    begin = name_column(columns, 2)
    if len(columns) == 2:
        raise BadLine("tokens-column", begin - 1)
    source, target = (column.strip() for column in columns[:2])
    tokens = []
    for found in re.finditer(r"[^ ]+", columns[2]):
        # An escaped slash is not a separator. A line contains no line break, so "\n" can mark a
        # cut.
        parts = _SLASH.sub(lambda sign: sign[1] or "\n", found[0]).split("\n")
        at, slashes = begin + found.start(), len(parts) - 1
        if slashes != 1:
            how = "several" if slashes else "none"
            raise BadLine("token-slashes", at, token=found[0], how=how, slashes=slashes)
        tokens.append((composed(read_token(parts[0])), composed(read_token(parts[1]))))
        if not any(tokens[-1]):
            raise BadLine("empty-token", at, token=found[0])
    names = zip(("source", "target"), (source, target), spelt(tokens), strict=True)
    for side, name, spells in names:
        if composed(name) != spells:
            raise BadLine("tokens-spell", begin, side=side, name=name, spells=spells)
    if not tokens:
        raise BadLine("no-tokens", begin)
    return AlignedPair(source, target, tuple(tokens))


def _m2m(number: int, columns: list[str]) -> AlignedPair:
    if len(columns) != 2:
        raise BadLine("m2m-columns")
    sides = [column.strip().removesuffix("|").split("|") for column in columns]
    many, few = map(len, sides)
    if many != few:
        raise BadLine("m2m-tokens", name_column(columns, 1), source=many, target=few)
    return _pair((_joined(one, ":"), _joined(two, ":")) for one, two in zip(*sides, strict=True))


def _phonetisaurus(number: int, columns: list[str]) -> AlignedPair:
    tokens = []
    for found in re.finditer(r"[^ \t]+", "\t".join(columns)):
        one, brace, two = found[0].partition("}")
        if not brace:
            raise BadLine("token-brace", found.start() + 1, token=found[0])
        tokens.append((_joined(one, "|"), _joined(two, "|")))
    return _pair(tokens)


def _joined(part: str, sign: str) -> str:
    """Return one side of a token without the separators of its letters; `_` is an empty side."""
    units = [composed(one) for one in part.split(sign) if one != "_"]
    # Phonemes can have several letters: without spaces, AE L and A EL would be the same.
    return ("" if all(len(graphemes(one)) < 2 for one in units) else " ").join(units)


def _pair(tokens: Iterable[tuple[str, str]]) -> AlignedPair:
    made = tuple(token for token in tokens if any(token))
    if not made:
        raise BadLine("no-tokens")
    return AlignedPair(*spelt(made), made)
