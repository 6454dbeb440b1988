"""Audit a list of pairs: read it with its labels, and see how well scores tell false pairs.

A line is a name, a tab, its transliteration; with labels a third column says 1 (genuine) or 0
(false), and a fourth, if there is one, of which kind the pair is, such as where it comes from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sameas.errors import InputError, Problem, UsageError
from sameas.translit.letters import without_formatting
from sameas.translit.pairs import MOST, SKIP, left_out, lines_of
from sameas.translit.units import graphemes
from sameas.translit.validation import DetCurve, det
from sameas.translit.verifier import Verified

__all__ = ["ALL", "SCORES", "ListedPairs", "curves", "read_listed"]

#: What a pair can be judged by: the paper's distances, and the learned probability.
SCORES = ("score1", "score2", "score3", "learned")
#: The name for pairs of all kinds.
ALL = "all"
_LABELS = {"1": True, "0": False}
_LINE = "a line is a name, a tab, its transliteration"
_LABELLED = f"{_LINE}, a tab, 1 (genuine) or 0 (false), and perhaps a tab and of which kind it is"


@dataclass(frozen=True, repr=False)
class ListedPairs:
    """Pairs as a file lists them, good and bad, and what the file says of them.

    >>> ListedPairs([("bo", "波")], [1]).kinds()
    {'all': array([ True])}
    """

    pairs: list[tuple[str, str]]
    lines: list[int]
    genuine: tuple[bool, ...] | None = None
    kind: tuple[str, ...] | None = None
    name: str = ""
    skipped: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        """How many pairs."""
        return len(self.pairs)

    def kinds(self, genuine: bool | None = None) -> dict[str, NDArray[np.bool_]]:
        """Which pairs are of each kind, of all or of the genuine or false ones; any kind first."""
        chosen = np.ones(len(self), dtype=np.bool_)
        if genuine is not None and self.genuine is not None:
            chosen = np.array(self.genuine) == genuine
        found = {ALL: chosen}
        if self.kind is not None:
            kind = np.array(self.kind, dtype=object)
            for one in dict.fromkeys(kind[chosen].tolist()):
                # A kind of that name shall not be taken for all.
                found[f"{one} (kind)" if one == ALL else one] = chosen & (kind == one)
        return found


def read_listed(path: str | Path, *, labels: bool = False, skip_bad: bool = False) -> ListedPairs:
    """Read a list of pairs, which need not be good ones.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".tsv", encoding="utf-8") as file:
    ...     _ = file.write("alice\\t爱丽丝\\t1\\tbook\\nalice\\t鲍勃\\t0\\tmade\\n")
    ...     file.flush()
    ...     read_listed(file.name, labels=True).genuine
    (True, False)
    """
    read = lines_of(path)
    problems = read.problems
    pairs, lines, genuine, kinds = [], [], [], []
    hint = _LABELLED if labels else _LINE
    for number, line in read.lines:
        columns = line.split("\t")
        column, message = _wrong(columns, labels)
        if message:
            problems.append(Problem(message, read.path, number, column, hint))
            continue
        pairs.append((columns[0].strip(), columns[1].strip()))
        lines.append(number)
        if labels:
            genuine.append(_LABELS[columns[2].strip()])
            kinds.append(columns[3].strip() if len(columns) > 3 else "")
    problems.sort(key=lambda problem: problem.line)
    if problems and not skip_bad:
        raise InputError(problems, SKIP if pairs else "")
    if not pairs:
        raise InputError([Problem("there is no pair of names", read.path, hint=hint), *problems])
    notes = left_out(problems)
    named = tuple(one or "no kind" for one in kinds)
    return ListedPairs(
        pairs,
        lines,
        tuple(genuine) if labels else None,
        named if any(kinds) else None,
        read.path,
        tuple(problems),
        tuple(notes),
    )


def _wrong(columns: Sequence[str], labels: bool) -> tuple[int, str]:
    """The column where a line is wrong, and what is wrong; no text if nothing is."""
    if len(columns) < 2:
        return 1, "there is no tab in this line"
    at = 1
    for side, name in zip(("source", "target"), columns, strict=False):
        if not without_formatting(name).strip():
            return at, f"the {side} name is empty"
        if len(name) > MOST and len(graphemes(name.strip())) > MOST:
            return at, f"the {side} name has more than {MOST:,} letters"
        at += len(name) + 1
    if labels:
        if len(columns) < 3:
            return len("\t".join(columns)) + 1, "the third column, the label, is missing"
        if columns[2].strip() not in _LABELS:
            return at, f"the label is {columns[2].strip() or 'empty'}, and 1 or 0 is wanted"
    return 0, ""


def curves(
    found: Verified, listed: ListedPairs, scores: Sequence[str] = SCORES
) -> Iterator[tuple[str, str, str, DetCurve]]:
    """The curve of each score for each kind of genuine pairs against each kind of false ones.

    First come the genuine pairs of any kind, and first the false ones of any kind; a single kind
    is not told twice. Yields the kind of the genuine, that of the false, the score, the curve.

    >>> from sameas.translit.datasets import dataset
    >>> from sameas.translit.verifier import Verifier
    >>> listed = ListedPairs([("anna", "анна"), ("anna", "петр")], [1, 2], (True, False))
    >>> found = Verifier.fit(dataset("sample:ru").pairs).verify(listed.pairs)
    >>> [(score, curve.eer) for _, _, score, curve in curves(found, listed, ["learned"])]
    [('learned', 0.0)]
    """
    if listed.genuine is None:
        raise UsageError("the pairs have no labels: a third column of 1 (genuine) and 0 (false)")
    labels = np.array(listed.genuine)
    if labels.all() or not labels.any():
        missing = "false" if labels.all() else "genuine"
        raise InputError([Problem(f"none of the pairs is labelled {missing}", listed.name)])
    sides = []
    for genuine in (True, False):
        kinds = listed.kinds(genuine)
        sides.append(dict(list(kinds.items())[:1]) if len(kinds) == 2 else kinds)
    for one, good in sides[0].items():
        for two, bad in sides[1].items():
            chosen = good | bad
            for score in scores:
                values = found.probability if score == "learned" else getattr(found, score)
                higher = "genuine" if score == "learned" else "false"
                curve = det(values[chosen], labels[chosen], higher=higher, name=score)
                yield one, two, score, curve
