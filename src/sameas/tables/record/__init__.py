"""The published scores of the systems of the CoNLL-2011 and CoNLL-2012 shared tasks.

`pradhan2014.csv` is Table 1 of Pradhan et al. 2014 (F1 of every metric, one decimal), rescored with
the reference scorer. `luo2014.csv` contains Tables 1 and 2 of Luo et al. 2014 (BLANC, two
decimals). `conll_v4.csv` contains the official scores of the tasks, from scorer v4, which changed
mentions before it scored: all systems of 2012 from Tables 20–22 of Pradhan et al. 2012, and 11 of
the 18 systems of 2011, from Table 27 of the same paper (lee) and from the systems' own papers,
which docs/published.md lists. All tables are transcribed as printed, including misprints; `audit`
finds the detectable ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from typing import Any, Literal, get_args

import numpy as np

from sameas.arithmetic.scores import harmonic
from sameas.errors import UsageError, require, unknown
from sameas.sentences import sentence
from sameas.tables.score_files import read_scores
from sameas.tables.scoretable import ScoreTable

__all__ = [
    "SOURCES",
    "SOURCES_V4",
    "Finding",
    "RecordScorer",
    "audit",
    "ordered",
    "place",
    "published",
]

SOURCES = {
    "pradhan2014": "Pradhan, Luo, Recasens, Hovy, Ng & Strube 2014, Scoring Coreference Partitions "
    "of Predicted Mentions: A Reference Implementation, Table 1",
    "luo2014": "Luo, Pradhan, Recasens & Hovy 2014, An Extension of BLANC to System Mentions, "
    "Tables 1 and 2",
}
#: The sources of the official scores, from scorer v4.
SOURCES_V4 = {
    "pradhan2012": "Pradhan, Moschitti, Xue, Uryupina & Zhang 2012, CoNLL-2012 Shared Task: "
    "Modeling Multilingual Unrestricted Coreference in OntoNotes, Tables 20–22, and 27 for lee",
    "systems2011": "the other systems of 2011 from their own papers (docs/published.md lists them)",
}


RecordScorer = Literal["reference", "v4"]


@cache
def _source(name: str) -> ScoreTable:
    with as_file(files(__name__) / f"{name}.csv") as path:
        return read_scores(path, missing="keep")


def published(scorer: RecordScorer = "reference") -> ScoreTable:
    """Return the published scores of the CoNLL-2011 and CoNLL-2012 shared tasks.

    The scores are F1 in percent as printed, for predicted mentions in the closed track: mention
    detection, MUC, B³, CEAFm, CEAFe, BLANC and the CoNLL average; BLANC with recall and precision.
    Rows are in the order of the papers.

    Parameters
    ----------
    scorer
        `reference`: 53 systems, rescored with the reference scorer (Pradhan et al. 2014, Luo et
        al. 2014). `v4`: the official scores of the tasks, for the 46 systems with a known source.
        Scorer v4 changed mentions before it scored B³ and CEAF, so its scores cannot be compared
        with those of the reference scorer.

    Returns
    -------
    ScoreTable
        One row per system.

    Examples
    --------
    >>> table = published()
    >>> len(table), table.name(0), float(table.columns["conll"][0])
    (53, 'CoNLL-2011 English lee', 51.5)
    >>> float(published("v4").columns["conll"][0])
    57.79
    """
    _check_scorer(scorer)
    if scorer == "v4":
        return _source("conll_v4")
    main, blanc = _source("pradhan2014"), _joined_blanc()
    columns = {**main.columns, **blanc.columns}
    return ScoreTable(main.labels, columns, {**(main.decimals or {}), **(blanc.decimals or {})})


def _joined_blanc() -> ScoreTable:
    """Return the BLANC table in the row order of the main table."""
    main, blanc = _source("pradhan2014"), _source("luo2014")
    rows = {blanc.name(row): row for row in range(len(blanc))}
    return blanc.select([rows[main.name(row)] for row in range(len(main))])


def _check_scorer(scorer: str) -> None:
    if scorer not in get_args(RecordScorer):
        raise unknown("scorer", scorer, get_args(RecordScorer))


@dataclass(frozen=True)
class Finding:
    """A printed number that contradicts the other numbers in its row."""

    row: str
    column: str
    printed: str
    code: str  # of the reason
    values: Mapping[str, Any]

    @property
    def reason(self) -> str:
        """The contradiction in one sentence."""
        return sentence(self.code, self.values)

    def __str__(self) -> str:
        """Return the row, the number and the reason as one line."""
        shown = {name: getattr(self, name) for name in ("row", "column", "printed", "reason")}
        return sentence("finding", shown)


def audit(table: ScoreTable | None = None, scorer: RecordScorer = "reference") -> list[Finding]:
    """Find the numbers in a table of percentages that contradict their own row.

    Every number stands for all values that round to it, so rounding alone is never reported. The
    checks: the CoNLL average is the mean of MUC, B³ and CEAFe; B³, CEAFm and LEA are at most
    mention detection; F1 is the harmonic mean of recall and precision (columns `muc_recall`,
    `muc_precision`, …), and BLANC is at most this mean; all numbers are from 0 to 100. Other
    columns are ignored.

    Parameters
    ----------
    table
        The scores in percent. By default, the published scores are audited, and their two sources
        are compared.
    scorer
        The scorer of the table. `v4` adds missing and spurious mentions to the other side, so B³
        and CEAFm may exceed mention detection; that check is skipped.

    Returns
    -------
    list of Finding
        The contradictions, in row order.

    Raises
    ------
    UsageError
        When the table has none of the checked columns.

    Examples
    --------
    >>> for finding in audit():
    ...     print(finding)
    CoNLL-2011 English kobdani: conll 38.7, but MUC 53.5, B³ 34.8 and CEAFe 34.1 average 40.8
    CoNLL-2012 English stamborg: conll 54.2, but MUC 65.1, B³ 51.7 and CEAFe 46.6 average 54.5
    """
    _check_scorer(scorer)
    record = table is None and scorer == "reference"
    if table is None:
        table = published(scorer)
    require(
        table,
        ScoreTable,
        "table",
        "a ScoreTable, as sameas.tables.read_scores returns it",
    )
    known = {name.lower(): name for name in table.columns if name.lower() in _COLUMNS}
    if not known:
        raise UsageError("nothing-to-audit", columns=_COLUMNS)
    decimals = {name: table.decimals_of(column) for name, column in known.items()}
    columns = {name: table.columns[column] for name, column in known.items()}
    table = ScoreTable(table.labels, columns, decimals)
    at_most = [_check_mentions] if scorer == "reference" else []
    checks = [_check_range, _check_average, *at_most, _check_harmonic]
    rows = [_Row(table, row) for row in range(len(table))]
    findings = [finding for row in rows for check in checks for finding in check(row)]
    return findings + (list(_compare_sources()) if record else [])


class _Row:
    """One row of a table: the printed numbers, and the ranges that round to them."""

    def __init__(self, table: ScoreTable, row: int) -> None:
        self.name = table.name(row) or f"row {row + 1}"
        cells = {name: column[row].item() for name, column in table.columns.items()}
        self.values = {name: value for name, value in cells.items() if not math.isnan(value)}
        self.decimals = {name: table.decimals_of(name)[row] for name in self.values}
        self.half = {name: 0.5 * 10.0**-number + 1e-9 for name, number in self.decimals.items()}
        self.low = {name: value - self.half[name] for name, value in self.values.items()}
        self.high = {name: value + self.half[name] for name, value in self.values.items()}

    def has(self, *names: str) -> bool:
        return self.values.keys() >= set(names)

    def printed(self, column: str) -> str:
        return f"{self.values[column]:.{self.decimals[column]}f}"

    def finding(self, column: str, code: str, **values: Any) -> Finding:
        return Finding(self.name, column, self.printed(column), code, values)


_SCORES = ("mention", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")
_COLUMNS = (
    *_SCORES,
    *(f"{name}_{part}" for name in _SCORES[:-1] for part in ("recall", "precision")),
)


def _check_range(row: _Row) -> Iterator[Finding]:
    for name in _COLUMNS:
        if row.has(name) and (row.high[name] < 0 or row.low[name] > 100):
            yield row.finding(name, "audit-range")


def _check_average(row: _Row) -> Iterator[Finding]:
    parts = ("muc", "b3", "ceafe")
    if not row.has("conll", *parts):
        return
    mean = sum(row.values[part] for part in parts) / 3
    slack = row.half["conll"] + sum(row.half[part] for part in parts) / 3
    if abs(row.values["conll"] - mean) > slack:
        printed = {part: row.printed(part) for part in parts}
        yield row.finding("conll", "audit-average", **printed, mean=mean)


def _check_mentions(row: _Row) -> Iterator[Finding]:
    for name in ("b3", "ceafm", "lea"):
        if row.has("mention", name) and row.low[name] > row.high["mention"]:
            yield row.finding(name, "audit-mentions", mention=row.printed("mention"))


def _check_harmonic(row: _Row) -> Iterator[Finding]:
    for name in _SCORES[:-1]:
        parts = recall, precision = f"{name}_recall", f"{name}_precision"
        if not row.has(name, *parts):
            continue
        least, most = (
            harmonic(*(max(end[part], 0) for part in parts)) for end in (row.low, row.high)
        )
        mean = harmonic(*(row.values[part] for part in parts))
        printed = {"recall": row.printed(recall), "precision": row.printed(precision)}
        if row.low[name] > most or (name != "blanc" and row.high[name] < least):
            # The mean of two harmonic means is at most the harmonic mean of the means.
            code = "audit-blanc" if name == "blanc" else "audit-harmonic"
            yield row.finding(name, code, mean=mean, **printed)


def _compare_sources() -> Iterator[Finding]:
    main, blanc = _source("pradhan2014"), _joined_blanc()
    for number in range(len(main)):
        ours, theirs = _Row(main, number), _Row(blanc, number)
        difference = abs(ours.values["blanc"] - theirs.values["blanc"])
        if difference > ours.half["blanc"] + theirs.half["blanc"]:
            yield ours.finding("blanc", "audit-source", other=theirs.printed("blanc"))


def place(table: ScoreTable, name: str, scores: dict[str, float], by: str = "conll") -> ScoreTable:
    """Return the table in descending order of a score, including a new system.

    >>> table = published().by("language")["Arabic"]
    >>> placed = place(table, "mine", {"conll": 44.0})
    >>> placed.labels["system"][:3]
    ['fernandes', 'mine', 'bjorkelund']
    """
    if by not in scores:
        raise UsageError("not-placeable", name=name, by=by)
    for metric, value in scores.items():
        if metric in table.columns and value != 0 and not 1 <= value <= 100:
            raise UsageError("not-percentage", metric=metric, value=value, name=name)
    labels = {
        label: [cells[0] if len(set(cells)) == 1 else ""] for label, cells in table.labels.items()
    }
    new = ScoreTable(
        {**labels, "system": [name]},
        {metric: np.array([value]) for metric, value in scores.items() if metric in table.columns},
    )
    return ordered(table + new, by)


def ordered(table: ScoreTable, by: str) -> ScoreTable:
    """Return the rows in descending order of a score.

    >>> ordered(published(), "blanc").labels["system"][0]
    'fernandes'
    """
    column = table.only([by]).columns[by]
    return table.select(np.argsort(-column, kind="stable").tolist())
