"""Read pairs of names, and report bad ones with file, line and column."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from sameas.errors import InputError, Problem, UsageError, require
from sameas.names.letters import FORMATTING, Removed
from sameas.names.rows import BadLine, Listing, check_name, lines_of, name_column
from sameas.names.units import JOINERS, script_of, scripts, together
from sameas.notes import Note

__all__ = ["MOST", "PAIRS", "NamePairs", "check_pairs", "read_pairs", "two_names"]

MOST = 255  # maximum letters of a name; the longest place name has 168
PAIRS = "a list of two names each"
SHARE = 0.9  # if at least this share of names is in one script, names in others are rejected

_SIDES = ("source", "target")


@dataclass(frozen=True, repr=False)
class NamePairs(Listing[tuple[str, str]]):
    """Names with their transliterations, and the lines that were skipped.

    Attributes
    ----------
    pairs
        The pairs of a name and its transliteration.
    name
        Name of the list, usually its file.
    skipped
        The bad pairs that were skipped.
    notes
        Notes on the pairs.
    checked
        Whether `check_pairs` has checked all of them.

    Examples
    --------
    >>> NamePairs([("alice", "爱丽丝")]).pairs
    [('alice', '爱丽丝')]
    """

    pairs: list[tuple[str, str]]
    name: str = ""
    skipped: tuple[Problem, ...] = ()
    notes: tuple[Note, ...] = ()
    checked: bool = False

    @classmethod
    def of(cls, pairs: Iterable[Sequence[str]] | NamePairs) -> NamePairs:
        """Return checked pairs, which can be aligned.

        Parameters
        ----------
        pairs
            A list of pairs, or `NamePairs`. Pairs that are already checked are returned unchanged.

        Returns
        -------
        NamePairs
            The checked pairs.

        Raises
        ------
        InputError
            When a pair cannot be aligned.

        Examples
        --------
        >>> NamePairs.of([("alice", "爱丽丝")]).checked
        True
        """
        require(pairs, Iterable, "pairs", PAIRS)
        given = pairs if isinstance(pairs, NamePairs) else NamePairs(list(pairs))  # type: ignore[arg-type]
        if given.checked:
            return given
        checked = check_pairs(given.pairs)
        return replace(checked, name=given.name, notes=(*given.notes, *checked.notes))

    def turned(self) -> NamePairs:
        """Return the pairs with source and target swapped.

        Returns
        -------
        NamePairs
            The swapped pairs.

        Examples
        --------
        >>> NamePairs([("alice", "爱丽丝")]).turned().pairs
        [('爱丽丝', 'alice')]
        """
        return replace(self, pairs=[(target, source) for source, target in self.pairs])


def read_pairs(path: str | Path, *, skip_bad: bool = False) -> NamePairs:
    """Read a file of pairs: a name, a tab, its transliteration; further columns are ignored.

    Parameters
    ----------
    path
        The file; `-` is standard input.
    skip_bad
        Skip bad lines and list them in `skipped`.

    Returns
    -------
    NamePairs
        The pairs, checked.

    Raises
    ------
    InputError
        When lines are bad and `skip_bad` is not set, or when there are no pairs.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".tsv", encoding="utf-8") as file:
    ...     _ = file.write("alice\\t爱丽丝\\nbob\\n")
    ...     file.flush()
    ...     found = read_pairs(file.name, skip_bad=True)
    >>> found.pairs, found.skipped[0].code
    ([('alice', '爱丽丝')], 'no-tab')
    """
    read = lines_of(path)
    written: list[tuple[int, list[str]]] = []
    for number, line in read.lines:
        columns = line.split("\t")
        if len(columns) < 2:
            read.problem("no-tab", number, how="pair")
        else:
            written.append((number, columns))
    further = sum(any(column.strip() for column in columns[2:]) for _, columns in written)
    notes = [Note("further-columns", count=further)] if further else []
    checked = check_pairs((columns for _, columns in written), skip_bad=True)
    for problem in checked.skipped:
        number, columns = written[problem.line - 1]
        at = _SIDES.index(problem.values["side"])
        leading = len(columns[at]) - len(columns[at].lstrip())
        column = name_column(columns, at) + leading + problem.column - 1
        read.problems.append(replace(problem, path=read.path, line=number, column=column))
    skipped = read.settle(checked.pairs, "no-pairs", skip_bad=skip_bad)
    all_notes = (*notes, *checked.notes, *skipped)
    return NamePairs(checked.pairs, read.path, tuple(read.problems), all_notes, checked=True)


def two_names(number: int, pair: Any) -> tuple[str, str]:
    """Return the two names of a pair; raise UsageError if it is not a pair.

    >>> two_names(1, ("alice ", "爱丽丝", "1"))
    ('alice', '爱丽丝')
    """
    try:
        names = pair[0], pair[1]
    except (TypeError, LookupError):
        names = None, None
    if isinstance(pair, str) or not all(isinstance(name, str) for name in names):
        raise UsageError("not-two-names", number=number, value=pair)
    return names[0].strip(), names[1].strip()


def check_pairs(pairs: Iterable[Sequence[str]], *, skip_bad: bool = False) -> NamePairs:
    """Return the pairs that can be aligned: names of 1 to 255 letters, each side in one script.

    Invisible formatting characters are removed from names; a note reports how many.

    >>> check_pairs([("alice", "")])
    Traceback (most recent call last):
    ...
    sameas.errors.InputError: pair 1: the target name is empty
      hint: each line has a name, a tab and its transliteration
    """
    given: dict[int, tuple[str, str]] = {}
    found: dict[int, Problem] = {}  # the first problem of each pair
    removed = Removed()
    for number, pair in enumerate(pairs, start=1):
        source, target = two_names(number, pair)
        try:
            _check("source", source)
            _check("target", target)
        except BadLine as bad:
            found[number] = bad.problem("", number)
        else:
            given[number] = removed.from_name(source).strip(), removed.from_name(target).strip()
    notes = removed.notes()
    for at, side in enumerate(_SIDES):
        written = {number: scripts(pair[at]) for number, pair in given.items()}
        usual, outliers, several = _usual_script(written)
        notes += [Note("several-scripts", column=side, scripts=several)] if several else []
        for number in outliers:
            values = {"side": side, "script": written[number][0], "usual": usual}
            found.setdefault(number, Problem("other-script", "", number, 1, values=values))
    problems = [found[number] for number in sorted(found)]
    if problems and not skip_bad:
        by_pair = (replace(one, line=0, column=0, path=f"pair {one.line}") for one in problems)
        raise InputError(list(by_pair))
    kept = [pair for number, pair in given.items() if number not in found]
    return NamePairs(kept, skipped=tuple(problems), notes=tuple(notes), checked=True)


@lru_cache(maxsize=65536)
def _is_invisible(character: str) -> bool:
    kind = unicodedata.category(character)
    harmless = character in JOINERS or character in FORMATTING
    return kind in ("Cc", "Cf", "Cs", "Zl", "Zp") and not harmless


def _check(side: str, name: str) -> None:
    """Raise BadLine if a name is invalid in itself, regardless of the other names."""
    check_name(name, side, 1, MOST)
    for position, character in enumerate(name, start=1):
        if _is_invisible(character):
            raise BadLine("invisible", position, side=side, character=ord(character))
    kinds = scripts(name)
    if not together(kinds):
        # Report a letter of the rarer script: it is the likelier mistake.
        written = [script_of(character) for character in name]
        main, odd = sorted(kinds, key=lambda kind: -written.count(kind))[:2]
        position = written.index(odd)
        raise BadLine(
            "mixed-scripts", position + 1, side=side, letter=name[position], odd=odd, main=main
        )


def _usual_script(found: Mapping[int, tuple[str, ...]]) -> tuple[str, list[int], list[str]]:
    """Return the most frequent script of a side, the numbers of names in others, and counts.

    The numbers are returned only if at least `SHARE` of the names are in the most frequent script,
    and the counts, one text per script, only otherwise. With one script, all three results are
    empty.
    """
    counts = Counter(kind for kinds in found.values() for kind in kinds)
    if len(counts) < 2:
        return "", [], []
    usual, times = counts.most_common(1)[0]
    lettered = sum(bool(kinds) for kinds in found.values())
    if times < SHARE * lettered:
        return usual, [], [f"{kind} ({count:,})" for kind, count in counts.most_common(5)]
    others = (at for at, kinds in found.items() if kinds and not together([usual, *kinds]))
    return usual, list(others), []
