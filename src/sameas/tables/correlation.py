"""Correlate metrics over systems or documents: Pearson, Spearman and Kendall."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from sameas.chance.resampling import Floats, Interval, draws, exactly_additive, interval
from sameas.errors import InputError, Problem, UsageError, require, unknown
from sameas.settings import Resampling
from sameas.tables.scoretable import ScoreTable

__all__ = ["Coefficient", "Correlation", "correlate", "kendall", "pearson", "spearman"]

ColumnPair = tuple[str, str]  # names of two columns
DEFINED = 0.99  # an interval needs this share of samples in which both columns vary
LEAST = 3  # rows needed for a correlation
TOO_FEW = 5  # an interval from fewer units than this is unreliable
MOST = 3000  # with more rows, Kendall's interval is skipped: its cost is quadratic


def pearson(x: Floats, y: Floats) -> float | None:
    """Return Pearson's r; None if a column is constant.

    >>> round(pearson(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 4.0])), 6)
    0.981981
    """
    return _of_whole(_pearsons, x, y)


def spearman(x: Floats, y: Floats) -> float | None:
    """Return Spearman's ρ: Pearson's r of the ranks; ties get their mean rank.

    It is None if a column is constant.

    >>> spearman(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 2.0, 9.0, 8.0]))
    0.8
    """
    return _of_whole(_spearmans, x, y)


def kendall(x: Floats, y: Floats) -> float | None:
    """Return Kendall's τ_b: concordant minus discordant pairs, corrected for ties.

    It is None if a column is constant.

    >>> kendall(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 2.0, 9.0, 8.0]))
    0.6666666666666666
    """
    order = np.lexsort((y, x))
    rank_x, rank_y = (np.unique(one[order], return_inverse=True)[1] for one in (x, y))
    both = rank_x.astype(np.int64) * (len(y) + 1) + rank_y
    tied_x, tied_y, tied_both = (
        sum(math.comb(n, 2) for n in np.unique(one, return_counts=True)[1].tolist())
        for one in (rank_x, rank_y, both)
    )
    pairs = math.comb(len(x), 2)
    agree = pairs - tied_x - tied_y + tied_both - 2 * _inversions(rank_y)
    apart = (pairs - tied_x) * (pairs - tied_y)
    return agree / math.sqrt(apart) if apart else None


def _inversions(ranks: Any) -> int:
    """Count the pairs in descending order, bit by bit, in O(n log n) time (Knight 1966).

    >>> _inversions(np.array([2, 0, 1, 1]))
    3
    """
    count = 0
    for bit in reversed(range(int(ranks.max()).bit_length())):
        # The ranks are grouped by their higher bits, in their original order within each group.
        high, ones = ranks >> (bit + 1), (ranks >> bit) & 1
        before = np.cumsum(ones) - ones
        starts = np.flatnonzero(np.diff(high, prepend=-1))
        sizes = np.diff(starts, append=len(ranks))
        within = before - np.repeat(before[starts], sizes)
        count += int(within[ones == 0].sum())
        ranks = ranks[np.argsort(ranks >> bit, kind="stable")]
    return count


def _of_whole(coefficient: Callable[..., Floats], x: Floats, y: Floats) -> float | None:
    """Return a coefficient of the whole table, which is a sample with every row once."""
    value: float = coefficient(_Samples(np.ones((1, len(x))), np.arange(len(x))), x, y)[0].item()
    return None if math.isnan(value) else min(1.0, max(-1.0, value))


class _Samples:
    """How often each sample contains each row, and the statistics of columns in the samples."""

    def __init__(self, counts: Floats, unit: Any, group: Any = None) -> None:
        self.counts, self.unit = counts, unit  # draws of each unit; unit of each row
        self.n = self.sums(np.ones((len(unit), 1)))[:, 0]
        self.group = np.zeros(len(unit), dtype=np.int64) if group is None else group
        self._ranks: dict[int, tuple[Any, Floats, Floats]] = {}

    @cached_property
    def weights(self) -> Floats:
        """The number of times each sample contains each row."""
        one_each = len(self.unit) == self.counts.shape[1]
        return self.counts if one_each else self.counts[:, self.unit]

    def sums(self, columns: Floats) -> Floats:
        """Return the sum of each column in every sample."""
        by_unit = np.zeros((self.counts.shape[1], columns.shape[1]))
        np.add.at(by_unit, self.unit, columns)
        return self.counts @ by_unit

    def ranks(self, values: Floats) -> tuple[Any, Floats, Floats]:
        """Return each sample's centred ranks, their sum of squares, and its number of untied pairs.

        Ranks are multiples of one half, which fit into 32 bits. Each untied pair counts twice.
        """
        if id(values) not in self._ranks:
            _, group = np.unique(values, return_inverse=True)
            order = np.argsort(group, kind="stable")
            starts = np.flatnonzero(np.diff(group[order], prepend=-1))
            times = np.add.reduceat(self.weights[:, order], starts, axis=1)
            middle = np.cumsum(times, axis=1) - times / 2 - self.n[:, None] / 2
            square = np.einsum("bi,bi,bi->b", times, middle, middle)
            untied = self.n**2 - np.einsum("bi,bi->b", times, times)
            self._ranks[id(values)] = middle.astype(np.float32)[:, group], square, untied
        return self._ranks[id(values)]


def _pearsons(samples: _Samples, x: Floats, y: Floats) -> Floats:
    """Return, for each sample, Pearson's r of the rows' deviations from the means of their groups.

    Usually all rows are in one group. The result is nan if a column is constant.
    """
    x, y = (_centred(one) for one in (x, y))
    square = samples.sums(exactly_additive(np.array([x * x, y * y, x * y]).T)).T
    between = np.zeros_like(square)  # the variation between the groups
    for group in range(int(samples.group.max()) + 1):
        ours = samples.group == group
        columns = exactly_additive(np.array([ours, ours * x, ours * y], dtype=np.float64).T)
        n, sum_x, sum_y = samples.sums(columns).T
        between += np.array([sum_x**2, sum_y**2, sum_x * sum_y]) / np.maximum(n, 1)
    (xx, yy, _), (spread_x, spread_y, together) = square, square - between
    flat = (spread_x <= 1e-12 * xx) | (spread_y <= 1e-12 * yy)
    return np.where(flat, np.nan, _shared(together, spread_x, spread_y))


def _shared(together: Floats, one: Floats, other: Floats) -> Floats:
    """Return the covariation divided by the geometric mean of two variations; nan if one is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        share: Floats = together / np.sqrt(one * other)
    return share


def _centred(values: Floats) -> Floats:
    """Return the scaled deviations from the mean, at most 2, so that no square overflows."""
    _, exponent = np.frexp(np.abs(values).max())
    scaled = np.ldexp(values, -int(exponent))
    return scaled - math.fsum(scaled) / len(scaled)


def _spearmans(samples: _Samples, x: Floats, y: Floats) -> Floats:
    ranks_x, square_x, _ = samples.ranks(x)
    ranks_y, square_y, _ = samples.ranks(y)
    product = np.einsum("bi,bi,bi->b", samples.weights, ranks_x, ranks_y, dtype=np.float64)
    return _shared(product, square_x, square_y)


def _kendalls(samples: _Samples, x: Floats, y: Floats) -> Floats:
    # The products are integers that fit into 32 bits.
    product = samples.weights.astype(np.float32) @ (_signs(x) * _signs(y))
    agree = np.einsum("bi,bi->b", product, samples.weights, dtype=np.float64)
    return _shared(agree, samples.ranks(x)[2], samples.ranks(y)[2])


def _signs(values: Floats) -> Any:
    """Return the sign of the difference of every pair of values: 1, 0 or −1."""
    ranks = np.unique(values, return_inverse=True)[1].astype(np.float32)
    return np.sign(ranks[:, None] - ranks[None, :])


@dataclass(frozen=True)
class Coefficient:
    """A coefficient and its confidence interval, each None if undefined."""

    value: float | None
    interval: Interval | None


@dataclass(frozen=True)
class Correlation:
    """The correlation of two columns of a table of scores.

    Attributes
    ----------
    x, y
        The names of the columns.
    rows
        The number of rows.
    drawn
        The number of units in a bootstrap sample: rows, documents or groups of rows.
    pearson, spearman, kendall
        The coefficients (`value`) with their confidence intervals (`interval`).

    Examples
    --------
    >>> import sameas
    >>> found = correlate(sameas.published(), columns=["muc", "blanc"])[0]
    >>> found.rows, round(found.pearson.value, 3), round(found.kendall.value, 3)
    (53, 0.935, 0.734)
    >>> round(found.as_dict()["spearman"]["value"], 3)
    0.885
    """

    x: str
    y: str
    rows: int
    drawn: int
    pearson: Coefficient
    spearman: Coefficient
    kendall: Coefficient

    def as_dict(self) -> dict[str, Any]:
        """Return the correlation in the form of its JSON output.

        Returns
        -------
        dict
            The fields, with coefficients and intervals as dictionaries.
        """
        return asdict(self)


#: The functions that compute each coefficient for a whole table and for many samples of its rows.
COEFFICIENTS = {
    "pearson": (pearson, _pearsons),
    "spearman": (spearman, _spearmans),
    "kendall": (kendall, _kendalls),
}


def correlate(
    table: ScoreTable,
    *,
    columns: Sequence[str] | None = None,
    against: str | None = None,
    pairs: Sequence[ColumnPair] | None = None,
    intervals: Sequence[str] | None = None,
    within: str | None = None,
    draw: str | None = None,
    resampling: Resampling | None = None,
) -> list[Correlation]:
    """Correlate the columns of a table of scores: Pearson's r, Spearman's ρ and Kendall's τ_b.

    Intervals come from the bootstrap over rows, with the same samples for all columns. Rows of the
    same document, scored for several systems, are drawn together.

    Parameters
    ----------
    table
        The scores.
    columns, against, pairs
        The columns to correlate pairwise (default: all), or each with the column `against`; or,
        instead, the pairs of columns.
    intervals, resampling
        The coefficients that get an interval (default: all; Pearson's is the cheapest), and how to
        compute them.
    within
        A label, such as system: correlate the deviations from the mean of the rows with the same
        label. Only Pearson's r gets an interval; each sample has its own means.
    draw
        A label, or a regular expression with a group, searched for in the names: rows with the same
        value are drawn together, as they are not independent (seeds of the same training setting).

    Returns
    -------
    list of Correlation
        One for each pair of columns.

    Examples
    --------
    >>> scores = {"muc": [50, 60, 70, 65], "b3": [40, 45, 60, 62]}
    >>> table = ScoreTable({}, {name: np.array(column) for name, column in scores.items()})
    >>> [(found.x, found.y, round(found.pearson.value, 3)) for found in correlate(table)]
    [('muc', 'b3', 0.899)]
    """
    require(table, ScoreTable, "table", "a sameas.tables.ScoreTable")
    resampling = resampling or Resampling()
    pairs, names = _choose_pairs(table, columns, against, pairs)
    table = table.only(names)
    if not pairs:
        raise UsageError("too-few-columns", names=names, **({} if names else {"how": "none"}))
    _check_rows(table)
    group = None
    if within is not None:
        table, group = _deviations(table, within)
        intervals = ["pearson"]
    wanted = list(intervals or COEFFICIENTS)
    if len(table) > MOST and "kendall" in wanted:
        wanted.remove("kendall")
    return _correlate(table, pairs, _Bootstrap(_units(table, draw), group, resampling, wanted))


def _choose_pairs(
    table: ScoreTable,
    columns: Sequence[str] | None,
    against: str | None,
    pairs: Sequence[ColumnPair] | None,
) -> tuple[Sequence[ColumnPair], list[str]]:
    """Return the pairs of columns to correlate, and the names of all requested columns."""
    if pairs is None:
        columns = list(table.columns) if columns is None else columns
        if against is None:
            pairs = list(combinations(columns, 2))
        else:
            pairs = [(name, against) for name in columns if name != against]
    elif columns is not None or against is not None:
        raise UsageError("pairs-decide")
    return pairs, list(
        dict.fromkeys([*(columns or ()), *(name for pair in pairs for name in pair)])
    )


def _check_rows(table: ScoreTable) -> None:
    if len(table) < LEAST:
        raise InputError([Problem("too-few-rows", count=len(table))])
    for name, column in table.columns.items():
        missing = np.flatnonzero(~np.isfinite(column))
        if len(missing):
            row = int(missing[0])
            where: dict[str, Any] = {"column": name, "row": row + 1, "name": table.name(row)}
            raise UsageError("rows-without", count=len(missing), total=len(table), **where)


def _deviations(table: ScoreTable, label: str) -> tuple[ScoreTable, Any]:
    """Return each row's deviation from the mean of the rows with its label, and the row's group."""
    if label not in table.labels:
        raise unknown("column of words", label, table.labels)
    _, group = np.unique(np.array(table.labels[label]), return_inverse=True)
    sizes = np.bincount(group)
    columns = {}
    for name, column in table.columns.items():
        away = column - (np.bincount(group, column) / sizes)[group]
        # Rounding errors are not variation.
        columns[name] = np.where(np.abs(away) <= 1e-12 * np.abs(column).max(), 0.0, away)
    return replace(table, columns=columns), group


def _units(table: ScoreTable, draw: str | None) -> Any:
    """Return the index of each row's unit: its group, else its document, else the row itself."""
    blank = [""] * len(table)
    groups = table.groups(draw) if draw is not None else blank
    documents = table.labels.get("document", blank)
    numbers: dict[tuple[str, str | int], int] = {}
    units = []
    for row, (group, document) in enumerate(zip(groups, documents, strict=True)):
        unit = ("group", group) if group else ("document", document) if document else ("row", row)
        units.append(numbers.setdefault(unit, len(numbers)))
    return np.array(units)


@dataclass(frozen=True, eq=False)
class _Bootstrap:
    """The units to draw, and the coefficients that get an interval."""

    unit: Any  # index of each row's unit
    group: Any  # group from whose mean each row deviates; None: all rows are one group
    resampling: Resampling
    wanted: Sequence[str]

    @property
    def units(self) -> int:
        """The number of units to draw from."""
        return int(self.unit.max()) + 1

    def coefficients(self, table: ScoreTable, pairs: Sequence[ColumnPair]) -> dict[Any, Floats]:
        """Return each coefficient of each pair of columns in every sample."""
        parts: dict[Any, list[Floats]] = {}
        for counts in draws(self.units, self.resampling.samples, self.resampling.seed):
            samples = _Samples(counts, self.unit, self.group)
            for x, y in pairs:
                for name in self.wanted:
                    values = COEFFICIENTS[name][1](samples, table.columns[x], table.columns[y])
                    parts.setdefault((x, y, name), []).append(values)
        return {place: np.concatenate(found) for place, found in parts.items()}

    def interval(self, name: str, x: Floats, y: Floats, value: float, found: Floats) -> Any:
        """Return a coefficient's interval, from its values in the samples; None if undefined."""
        defined = found[~np.isnan(found)]
        if self.units == 1 or len(defined) < DEFINED * self.resampling.samples:
            return None
        jackknife = None
        if self.resampling.interval == "bca":
            samples = _Samples(1 - np.eye(self.units), self.unit, self.group)
            values = COEFFICIENTS[name][1](samples, x, y)
            jackknife = values[~np.isnan(values)]
        ends = interval(defined, value, jackknife, confidence=self.resampling.confidence)
        return Interval(*(max(-1.0, min(1.0, end)) for end in ends))


def _correlate(
    table: ScoreTable, pairs: Sequence[ColumnPair], bootstrap: _Bootstrap
) -> list[Correlation]:
    found = bootstrap.coefficients(table, pairs)
    correlations = []
    for x, y in pairs:
        ours, theirs = table.columns[x], table.columns[y]
        coefficients = {}
        for name, (whole, _) in COEFFICIENTS.items():
            value, ends = whole(ours, theirs), None
            if value is not None and (x, y, name) in found:
                ends = bootstrap.interval(name, ours, theirs, value, found[x, y, name])
            coefficients[name] = Coefficient(value, ends)
        correlations.append(Correlation(x, y, len(table), bootstrap.units, **coefficients))
    return correlations
