"""Read pairs of names, and say what is wrong with them: `file:line:column`."""

from __future__ import annotations

import os
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from sameas.errors import InputError, Problem, UsageError, counted, require
from sameas.files import raw_bytes
from sameas.translit.letters import FORMATTING, Removed, without_formatting
from sameas.translit.units import JOINERS, graphemes, script_of, scripts, together

__all__ = ["MOST", "SKIP", "NamePairs", "check_pairs", "left_out", "lines_of", "read_pairs"]

MOST = 255  # letters of one name; the longest name of a place has 168
SHARE = 0.9  # of names in one script: the others are problems, and not a column of many scripts

#: What to do about bad lines.
SKIP = "to leave such lines out, and have them counted: --skip-bad"
_SIDES = ("source", "target")
_UTF_16 = ([False, True, False, True], [True, False, True, False])  # where bytes of letters are 0


@dataclass(frozen=True, repr=False)
class NamePairs:
    """Pairs of a name and its transliteration, and what was left out.

    >>> NamePairs([("alice", "爱丽丝")]).pairs
    [('alice', '爱丽丝')]
    """

    pairs: list[tuple[str, str]]
    name: str = ""
    skipped: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    checked: bool = False  # whether all of them are known to be two names in a script each

    def __repr__(self) -> str:
        """How many there are."""
        return f"<NamePairs {self.name}: {counted(len(self), 'pair')}>".replace(" :", ":")

    def __len__(self) -> int:
        """How many pairs."""
        return len(self.pairs)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """The pairs."""
        return iter(self.pairs)


@dataclass
class Lines:
    """The lines of a file that are text, with what is wrong with the others."""

    path: str
    lines: list[tuple[int, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def lines_of(path: str | Path) -> Lines:
    """The numbered lines of a file in UTF-8, without empty ones and comments.

    A comment begins with # and has no tab.
    """
    require(path, (str, os.PathLike), "the path", "a string or a path")
    shown = "<stdin>" if str(path) == "-" else str(path)
    raw = raw_bytes(path)
    found = Lines(shown)
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    if raw.startswith(b"\x1f\x8b"):
        raise InputError([Problem("is compressed", shown, hint=f"gunzip {shown}")])
    zeros = [byte == 0 for byte in raw[:4]]
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")) or zeros in _UTF_16:
        hint = "save the file as UTF-8"
        raise InputError([Problem("is UTF-16, and UTF-8 is wanted", shown, 1, 1, hint)])
    if b"\r" in raw and b"\n" not in raw:
        hint = "the lines end as on an old Macintosh: end them with line feeds"
        raise InputError([Problem("is one line with carriage returns", shown, 1, 1, hint)])
    for number, line in enumerate(raw.split(b"\n"), start=1):
        try:
            text = line.removesuffix(b"\r").decode()
        except UnicodeDecodeError as error:
            column = len(line[: error.start].decode()) + 1
            byte = f"byte 0x{line[error.start]:02x} is not UTF-8"
            found.problems.append(Problem(byte, shown, number, column, "save the file as UTF-8"))
            continue
        comment = text.startswith("#") or not text.strip()
        if "\t" in text or not comment:
            found.lines.append((number, text))
    return found


def read_pairs(path: str | Path, *, skip_bad: bool = False) -> NamePairs:
    """Read a file of pairs: a name, a tab, its transliteration; further columns are left alone.

    Bad lines raise `InputError`; with `skip_bad` they are left out, and `skipped` tells which.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".tsv", encoding="utf-8") as file:
    ...     _ = file.write("alice\\t爱丽丝\\nbob\\n")
    ...     file.flush()
    ...     found = read_pairs(file.name, skip_bad=True)
    >>> found.pairs, found.skipped[0].message
    ([('alice', '爱丽丝')], 'there is no tab in this line')
    """
    read = lines_of(path)
    problems = read.problems
    pairs, places, further = [], [], 0
    for number, line in read.lines:
        columns = line.split("\t")
        if len(columns) < 2:
            hint = "a line is a name, a tab, its transliteration"
            problems.append(Problem("there is no tab in this line", read.path, number, 1, hint))
            continue
        further += any(column.strip() for column in columns[2:])
        pairs.append((columns[0].strip(), columns[1].strip()))
        leading = len(columns[1]) - len(columns[1].lstrip())
        indent = len(columns[0]) - len(columns[0].lstrip())
        places.append((number, indent + 1, len(columns[0]) + leading + 2))
    notes = [f"{counted(further, 'line')} of more than two columns: the first two are taken"]
    notes = notes if further else []
    checked = check_pairs(pairs, skip_bad=True)
    for problem in checked.skipped:
        number, *columns_at = places[problem.line - 1]
        side, column = divmod(problem.column, _WIDE)
        place = columns_at[side] + max(column, 1) - 1
        problems.append(replace(problem, path=read.path, line=number, column=place))
    problems.sort(key=lambda problem: problem.line)
    if problems and not skip_bad:
        raise InputError(problems, SKIP if checked.pairs else "")
    if not checked.pairs:
        hint = "a line is a name, a tab, its transliteration"
        raise InputError([Problem("there is no pair of names", read.path, hint=hint), *problems])
    told = (*notes, *checked.notes, *left_out(problems))
    return NamePairs(checked.pairs, read.path, tuple(problems), told, checked=True)


_WIDE = 10**6  # places in the target name are told from those in the source name by this


def check_pairs(pairs: Iterable[Sequence[str]], *, skip_bad: bool = False) -> NamePairs:
    """The pairs that can be aligned: two names of 1 to 255 letters, each side in one script.

    Invisible characters of layout are removed from names, and a note counts them.

    >>> check_pairs([("alice", "")])
    Traceback (most recent call last):
    ...
    sameas.errors.InputError: pair 1: the target name is empty
      hint: a line is a name, a tab, its transliteration
    """
    given: list[tuple[str, str]] = []
    problems: list[Problem] = []
    numbers: list[int] = []
    written: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    removed = Removed()
    for number, pair in enumerate(pairs, start=1):
        sized = isinstance(pair, Sequence) and not isinstance(pair, str) and len(pair) >= 2
        if not sized or not all(isinstance(name, str) for name in pair[:2]):
            raise UsageError(f"pair {number} is not two names: {pair!r:.60}")
        source, target = pair[0].strip(), pair[1].strip()
        found = [
            problem for side, name in enumerate((source, target)) for problem in _look(side, name)
        ]
        if found:
            problems.append(replace(found[0], line=number))
            continue
        given.append((removed.from_name(source).strip(), removed.from_name(target).strip()))
        numbers.append(number)
        written.append((scripts(source), scripts(target)))
    notes = removed.notes()
    strange = set()
    for side, name in enumerate(_SIDES):
        usual, outliers, note = _usual_script([one[side] for one in written])
        notes += [f"the {name} names are in {note}"] if note else []
        for place in outliers:
            if place not in strange:
                strange.add(place)
                problems.append(_outlier(numbers[place], side, written[place][side], usual))
    problems.sort(key=lambda problem: problem.line)
    if problems and not skip_bad:
        raise InputError(
            [
                replace(problem, line=0, column=0, path=f"pair {problem.line}")
                for problem in problems
            ]
        )
    kept = [pair for place, pair in enumerate(given) if place not in strange]
    return NamePairs(kept, skipped=tuple(problems), notes=tuple(notes), checked=True)


def left_out(problems: Sequence[Problem]) -> list[str]:
    """A note that counts bad lines, if there are any.

    >>> left_out([Problem("there is no tab in this line")])
    ['1 bad line was left out']
    """
    if not problems:
        return []
    return [
        f"{counted(len(problems), 'bad line')} {'was' if len(problems) == 1 else 'were'} left out"
    ]


@lru_cache(maxsize=65536)
def _is_invisible(character: str) -> bool:
    kind = unicodedata.category(character)
    harmless = character in JOINERS or character in FORMATTING
    return kind in ("Cc", "Cf", "Cs", "Zl", "Zp") and not harmless


def _look(side: int, name: str) -> Iterator[Problem]:
    """What is wrong with a name by itself."""
    if not without_formatting(name).strip(JOINERS + " "):
        hint = "a line is a name, a tab, its transliteration"
        yield Problem(f"the {_SIDES[side]} name is empty", column=side * _WIDE + 1, hint=hint)
        return
    for place, character in enumerate(name):
        if _is_invisible(character):
            yield Problem(
                f"the {_SIDES[side]} name has a character that cannot be seen, "
                f"U+{ord(character):04X}",
                column=side * _WIDE + place + 1,
                hint="remove it",
            )
            return
    if len(name) > MOST:
        letters = len(graphemes(name))
        if letters > MOST:
            yield Problem(
                f"the {_SIDES[side]} name has {letters:,} letters, and {MOST} are the most",
                column=side * _WIDE + 1,
                hint="a line is one name, not a text",
            )
            return
    kinds = scripts(name)
    if not together(kinds):
        # The letters of the rarer script are the ones that look wrong.
        counts = Counter(script_of(character) for character in name)
        main, odd = sorted(kinds, key=lambda kind: -counts[kind])[:2]
        place = next(at for at, character in enumerate(name) if script_of(character) == odd)
        yield Problem(
            f"the {_SIDES[side]} name mixes scripts: {name[place]} is {odd}, other letters are "
            f"{main}",
            column=side * _WIDE + place + 1,
            hint="write a name in one script",
        )


def _usual_script(found: Sequence[tuple[str, ...]]) -> tuple[str, list[int], str]:
    """The script of nearly all names of a side, where the others are, and a note if there is no
    such script."""
    counts = Counter(kind for kinds in found for kind in kinds)
    if len(counts) < 2:
        return "", [], ""
    usual, times = counts.most_common(1)[0]
    lettered = sum(bool(kinds) for kinds in found)
    if times < SHARE * lettered:
        several = ", ".join(f"{kind} ({count:,})" for kind, count in counts.most_common(5))
        return usual, [], f"several scripts: {several}"
    return (
        usual,
        [place for place, kinds in enumerate(found) if kinds and not together([usual, *kinds])],
        "",
    )


def _outlier(number: int, side: int, kinds: tuple[str, ...], usual: str) -> Problem:
    return Problem(
        f"the {_SIDES[side]} name is in {kinds[0]}, and the others are in {usual}",
        line=number,
        column=side * _WIDE + 1,
        hint="one file has one script a side: a name, a tab, its transliteration",
    )
