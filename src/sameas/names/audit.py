"""Audit a list of pairs: read it with its labels, and measure how well scores find false pairs.

A line has a name, a tab and its transliteration. With labels, the third column is 1 (genuine) or 0
(false); an optional fourth column contains the kind of the pair, such as its source.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sameas.errors import InputError, Problem, UsageError
from sameas.names.options import Higher
from sameas.names.pairs import MOST
from sameas.names.rows import BadLine, Listing, check_name, lines_of, name_column
from sameas.names.validation import DetCurve, det
from sameas.names.verifier import Verified
from sameas.notes import Note

__all__ = ["ALL", "SCORES", "ListedPairs", "curves", "read_listed"]

#: The scores of a pair: the distances of the paper, and the learned probability.
SCORES = ("score1", "score2", "score3", "learned")
#: The name for pairs of all kinds.
ALL = "all"
_LABELS = {"1": True, "0": False}


@dataclass(frozen=True, repr=False)
class ListedPairs(Listing[tuple[str, str]]):
    """Genuine and false pairs as listed in a file, with their line numbers, labels and kinds.

    >>> ListedPairs([("bo", "波")], [1]).kinds()
    {'all': array([ True])}
    """

    pairs: list[tuple[str, str]]
    lines: list[int]
    genuine: tuple[bool, ...] | None = None
    kind: tuple[str, ...] | None = None
    name: str = ""
    skipped: tuple[Problem, ...] = ()
    notes: tuple[Note, ...] = ()

    def kinds(self, genuine: bool | None = None) -> dict[str, NDArray[np.bool_]]:
        """Return masks of the pairs, keyed by kind; the first one is for all kinds.

        With `genuine` True or False, the masks select genuine or false pairs only.
        """
        chosen = np.ones(len(self), dtype=np.bool_)
        if genuine is not None and self.genuine is not None:
            chosen = np.array(self.genuine) == genuine
        found = {ALL: chosen}
        if self.kind is not None:
            kind = np.array(self.kind, dtype=object)
            for one in dict.fromkeys(kind[chosen].tolist()):
                # Rename a kind that is itself called `ALL`.
                found[f"{one} (kind)" if one == ALL else one] = chosen & (kind == one)
        return found


def read_listed(path: str | Path, *, labels: bool = False, skip_bad: bool = False) -> ListedPairs:
    """Read a list of pairs, genuine or false.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".tsv", encoding="utf-8") as file:
    ...     _ = file.write("alice\\t爱丽丝\\t1\\tbook\\nalice\\t鲍勃\\t0\\tmade\\n")
    ...     file.flush()
    ...     read_listed(file.name, labels=True).genuine
    (True, False)
    """

    def row(number: int, columns: list[str]) -> tuple[tuple[str, str], bool, str]:
        if len(columns) < 2:
            raise BadLine("no-tab")
        for index, side in enumerate(("source", "target")):
            check_name(columns[index], side, name_column(columns, index), MOST)
        source, target, label, kind = (column.strip() for column in [*columns, "", ""][:4])
        if labels and len(columns) < 3:
            raise BadLine("no-label", name_column(columns, 2) - 1)
        if labels and label not in _LABELS:
            raise BadLine("unknown-label", name_column(columns, 2), label=label or "empty")
        return (source, target), _LABELS.get(label, False), kind

    how = "labels" if labels else "pair"
    read = lines_of(path).rows(row, "no-pairs", skip_bad=skip_bad, how=how)
    pairs, genuine, kinds = zip(*read.rows, strict=True)
    marked = genuine if labels else None
    kind = tuple(one or "no kind" for one in kinds) if labels and any(kinds) else None
    origin = read.path, read.skipped, read.notes
    return ListedPairs(list(pairs), read.lines, marked, kind, *origin)


def curves(
    found: Verified, listed: ListedPairs, scores: Sequence[str] = SCORES
) -> Iterator[tuple[str, str, str, DetCurve]]:
    """Yield the curve of each score for each kind of genuine pair against each kind of false pair.

    For genuine and for false pairs, all kinds together come first; a single kind is not listed
    again. Each result is the kind of the genuine pairs, that of the false pairs, the score and the
    curve.

    >>> from sameas.names.datasets import dataset
    >>> from sameas.names.verifier import Verifier
    >>> listed = ListedPairs([("anna", "анна"), ("anna", "петр")], [1, 2], (True, False))
    >>> found = Verifier.fit(dataset("sample:ru").pairs).verify(listed.pairs)
    >>> [(score, curve.eer) for _, _, score, curve in curves(found, listed, ["learned"])]
    [('learned', 0.0)]
    """
    if listed.genuine is None:
        raise UsageError("unlabelled-pairs")
    labels = np.array(listed.genuine)
    if labels.all() or not labels.any():
        missing = "false" if labels.all() else "genuine"
        raise InputError([Problem("one-kind", listed.name, kind=missing, count=len(labels))])
    sides = [list(listed.kinds(genuine).items()) for genuine in (True, False)]
    distinct = (kinds[:1] if len(kinds) == 2 else kinds for kinds in sides)
    for (one, true_pairs), (two, false_pairs) in product(*distinct):
        chosen = true_pairs | false_pairs
        for score in scores:
            values = found.probability if score == "learned" else getattr(found, score)
            higher: Higher = "genuine" if score == "learned" else "false"
            yield one, two, score, det(values[chosen], labels[chosen], higher=higher, name=score)
