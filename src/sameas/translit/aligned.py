"""Aligned names, and the files they are in.

One line is one pair: the name, a tab, its transliteration, a tab, and the tokens, such as
`a/爱 li/丽 ce/丝`. In a token `*` is nothing, `_` a space, and `\\` takes the meaning from the `/`,
`*`, `_` or `\\` after it. A person can move letters from one token to the next; what the tokens
spell must stay the name. What m2m-aligner and Phonetisaurus write is read as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from sameas.errors import InputError, Problem, UsageError, counted, suggest
from sameas.files import write_file
from sameas.translit.pairs import SKIP, left_out, lines_of
from sameas.translit.units import composed, graphemes

__all__ = [
    "FORMATS",
    "AlignedNames",
    "AlignedPair",
    "read_alignments",
    "read_token",
    "spelt",
    "written_token",
]

FORMATS = ("sameas", "m2m", "phonetisaurus")
SEEN = 20  # lines that may tell the format
_TOKENS = "tokens are letters and units, such as a/爱 li/丽 ce/丝"
_SPECIAL = re.compile(r"[\\/*_]")
_PLAIN = re.compile(r"\\(.)|(\*)|(_)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class AlignedPair:
    """A name, its transliteration, and their tokens in order: letters and what they stand for.

    Tokens are in NFC, whatever the names are in.

    >>> print(AlignedPair("alice", "爱丽丝", (("a", "爱"), ("li", "丽"), ("ce", "丝"))))
    a/爱 li/丽 ce/丝
    """

    source: str
    target: str
    tokens: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        """The tokens as they are written in a file."""
        return " ".join("/".join(map(written_token, token)) for token in self.tokens)


@dataclass(frozen=True, repr=False)
class AlignedNames:
    """A corpus of aligned names, in order.

    >>> len(AlignedNames((AlignedPair("bo", "波", (("bo", "波"),)),)))
    1
    """

    pairs: tuple[AlignedPair, ...]
    name: str = ""
    notes: tuple[str, ...] = ()
    skipped: tuple[Problem, ...] = ()
    signature: str = ""

    def __len__(self) -> int:
        """How many pairs."""
        return len(self.pairs)

    def __iter__(self) -> Iterator[AlignedPair]:
        """The pairs."""
        return iter(self.pairs)

    def __getitem__(self, number: int) -> AlignedPair:
        """One of the pairs."""
        return self.pairs[number]

    def __repr__(self) -> str:
        """How many there are."""
        return f"<AlignedNames {self.name}: {counted(len(self), 'pair')}>".replace(" :", ":")

    def __str__(self) -> str:
        """The file, without the line break at its end."""
        head = [f"# {self.signature}"] if self.signature else []
        return "\n".join([*head, *(f"{one.source}\t{one.target}\t{one}" for one in self.pairs)])

    def save(self, path: str | Path) -> None:
        """Write the file.

        >>> AlignedNames(()).save("aligned.tsv")  # doctest: +SKIP
        """
        write_file(path, f"{self}\n")


@lru_cache(maxsize=65536)
def written_token(part: str) -> str:
    """One side of a token as it is written in a file.

    >>> written_token("new "), written_token(""), written_token("*")
    ('new_', '*', '\\\\*')
    """
    if not part:
        return "*"
    return _SPECIAL.sub(r"\\\g<0>", part).replace(" ", "_")


def read_token(part: str) -> str:
    """What one side of a token spells that is written as in a file.

    >>> read_token("new_"), read_token("*"), read_token("\\\\*")
    ('new ', '', '*')
    """
    return _PLAIN.sub(lambda found: found[1] or ("" if found[2] else " "), part)


def spelt(tokens: Iterable[tuple[str, str]]) -> tuple[str, str]:
    """What tokens spell: the name and its transliteration.

    >>> spelt([("a", "爱"), ("li", "丽")])
    ('ali', '爱丽')
    """
    sides = list(zip(*tokens, strict=True)) or [(), ()]
    return "".join(sides[0]), "".join(sides[1])


def read_alignments(
    path: str | Path, *, format: str | None = None, skip_bad: bool = False
) -> AlignedNames:
    """Read aligned names of one of the `FORMATS`; without `format`, the file tells which.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
    ...     _ = file.write("a}爱 l|i}丽 c|e}丝\\n")
    ...     file.flush()
    ...     print(read_alignments(file.name)[0])
    a/爱 li/丽 ce/丝
    """
    if format is not None and format not in FORMATS:
        raise UsageError(f"unknown format {format}: {suggest(str(format), FORMATS)}")
    read = lines_of(path)
    known = format or _sniff(read.lines, read.path)
    one_line = {"sameas": _ours, "m2m": _m2m, "phonetisaurus": _phonetisaurus}[known]
    problems = read.problems
    pairs = []
    for number, line in read.lines:
        found = one_line(line)
        if isinstance(found, Problem):
            problems.append(replace(found, path=read.path, line=number))
        else:
            pairs.append(found)
    problems.sort(key=lambda problem: problem.line)
    if problems and not skip_bad:
        raise InputError(problems, SKIP if pairs else "")
    if not pairs:
        hint = "sameas align makes aligned names"
        raise InputError([Problem("there are no aligned names", read.path, hint=hint), *problems])
    return AlignedNames(tuple(pairs), read.path, tuple(left_out(problems)), tuple(problems))


def _sniff(lines: Sequence[tuple[int, str]], path: str) -> str:
    for _, line in lines[:SEEN]:  # the first of them may be bad
        columns = line.split("\t")
        if len(columns) >= 3:
            return "sameas"
        if len(columns) == 2 and all("|" in column for column in columns):
            return "m2m"
        if len(columns) == 1 and "}" in line:
            return "phonetisaurus"
    for number, line in lines[:1]:
        hint = "a line is a name, a tab, its transliteration, a tab, tokens such as a/爱 li/丽"
        if line.count("\t") == 1:
            hint += "; sameas align makes them from names"
        raise InputError([Problem("this is no alignment", path, number, 1, hint)])
    return "sameas"


def _ours(line: str) -> AlignedPair | Problem:
    columns = line.split("\t")
    if len(columns) < 3:
        return Problem(
            "the third column, the tokens, is missing"
            if len(columns) == 2
            else "there is no tab in this line",
            column=len(line) + 1 if len(columns) == 2 else 1,
            hint="a line is a name, a tab, its transliteration, a tab, tokens such as a/爱 li/丽",
        )
    source, target = (column.strip() for column in columns[:2])
    begin = len(columns[0]) + len(columns[1]) + 3
    tokens = []
    for found in re.finditer(r"[^ ]+", columns[2]):
        parts = _split(found[0])
        if len(parts) != 2:
            return Problem(
                f"the token {found[0]} has {len(parts) - 1 or 'no'} /, and one is wanted",
                column=begin + found.start(),
                hint="a token is letters/units; write \\/ for a / in a name",
            )
        tokens.append((read_token(parts[0]), read_token(parts[1])))
        if not any(tokens[-1]):
            hint = "a token has letters, or a unit, or both"
            return Problem(
                f"the token {found[0]} is empty", column=begin + found.start(), hint=hint
            )
    made = tuple((composed(one), composed(two)) for one, two in tokens)
    for side, (name, spells) in enumerate(zip((source, target), spelt(made), strict=True)):
        if composed(name) != spells:
            return Problem(
                f"the tokens spell {spells or 'nothing'}, and the {('source', 'target')[side]} "
                f"name is {name or 'empty'}",
                column=begin,
                hint="tokens, one after another, are the name letter by letter",
            )
    if not made:
        return Problem("there are no tokens", column=begin, hint=_TOKENS)
    return AlignedPair(source, target, made)


def _split(token: str) -> list[str]:
    """The parts of a token between the / that are not after a backslash."""
    parts = [""]
    for sign in re.findall(r"\\.|.", token):
        if sign == "/":
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def _m2m(line: str) -> AlignedPair | Problem:
    columns = line.split("\t")
    if len(columns) != 2:
        return Problem(
            "m2m-aligner writes two columns", column=1, hint="a|l:i|c:e|, a tab, 爱|丽|丝|"
        )
    sides = [column.strip().removesuffix("|").split("|") for column in columns]
    if len(sides[0]) != len(sides[1]):
        return Problem(
            f"{len(sides[0])} tokens are aligned with {len(sides[1])}", column=len(columns[0]) + 2
        )
    return _pair((_joined(one, ":"), _joined(two, ":")) for one, two in zip(*sides, strict=True))


def _phonetisaurus(line: str) -> AlignedPair | Problem:
    tokens = []
    for found in re.finditer(r"[^ \t]+", line):
        one, brace, two = found[0].partition("}")
        if not brace:
            return Problem(
                f"the token {found[0]} has no }}",
                column=found.start() + 1,
                hint="Phonetisaurus writes letters}units, such as a}爱 l|i}丽",
            )
        tokens.append((_joined(one, "|"), _joined(two, "|")))
    return _pair(tokens)


def _joined(part: str, sign: str) -> str:
    """The letters of a token, without the sign between them; `_` is nothing."""
    units = [composed(one) for one in part.split(sign) if one != "_"]
    # Phonemes have several letters: without a space AE L and A EL would be the same.
    return ("" if all(len(graphemes(one)) < 2 for one in units) else " ").join(units)


def _pair(tokens: Iterable[tuple[str, str]]) -> AlignedPair | Problem:
    made = tuple(token for token in tokens if any(token))
    if not made:
        return Problem("there are no tokens", column=1, hint=_TOKENS)
    return AlignedPair(*spelt(made), made)
