"""How well do metrics agree? Pearson, Spearman and Kendall over systems or documents."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from sameas.errors import InputError, Problem, UsageError
from sameas.resampling import Floats, Interval, draws, exactly_additive, interval
from sameas.scoretable import ScoreTable
from sameas.signature import Resampling

__all__ = ["Coefficient", "Correlation", "correlate", "kendall", "pearson", "spearman"]

LEAST = 3  # rows, below which there is nothing to correlate
MOST = 3000  # rows, above which Kendall's interval is not made: it takes the square of them


def pearson(x: Floats, y: Floats) -> float | None:
    """Pearson's r; None if one side does not vary.

    >>> round(pearson(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 4.0])), 6)
    0.981981
    """
    once = np.ones((1, len(x)))
    return _only(_pearsons(once, x, y))


def spearman(x: Floats, y: Floats) -> float | None:
    """Spearman's ρ: Pearson's r of the ranks; equal values share the mean of their ranks.

    >>> spearman(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 2.0, 9.0, 8.0]))
    0.8
    """
    return _only(_spearmans(np.ones((1, len(x))), x, y))


def kendall(x: Floats, y: Floats) -> float | None:
    """Kendall's τ_b: concordant less discordant pairs, with Kendall's correction for ties.

    >>> kendall(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 2.0, 9.0, 8.0]))
    0.6666666666666666
    """
    return _only(_kendalls(np.ones((1, len(x))), x, y))


def _only(values: Floats) -> float | None:
    value: float = values[0].item()
    return None if math.isnan(value) else min(1.0, max(-1.0, value))


def _pearsons(weights: Floats, x: Floats, y: Floats) -> Floats:
    """Pearson's r for each row of weights; nan where a side does not vary."""
    x, y = (_centred(one) for one in (x, y))
    columns = np.array([x, y, x * x, y * y, x * y]).T
    sums = (weights @ exactly_additive(columns)).T
    return _from_moments(weights.sum(axis=1), *sums)


def _centred(values: Floats) -> Floats:
    """The differences from the mean, none larger than 2, so that no square overflows."""
    _, exponent = np.frexp(np.abs(values).max())
    scaled = np.ldexp(values, -int(exponent))
    return scaled - math.fsum(scaled) / len(scaled)


def _from_moments(n: Floats, x: Floats, y: Floats, xx: Floats, yy: Floats, xy: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        spread_x, spread_y = xx - x * x / n, yy - y * y / n
        flat = (spread_x <= 1e-12 * xx) | (spread_y <= 1e-12 * yy)
        r = (xy - x * y / n) / np.sqrt(spread_x * spread_y)
    return np.where(flat, np.nan, r)


def _spearmans(weights: Floats, x: Floats, y: Floats) -> Floats:
    a, b = _ranks(weights, x), _ranks(weights, y)
    middle = weights.sum(axis=1, keepdims=True) / 2
    a, b = a - middle, b - middle  # the mean rank: small numbers, exact sums
    sums = ((weights * part).sum(axis=1) for part in (a, b, a * a, b * b, a * b))
    return _from_moments(weights.sum(axis=1), *sums)


def _ranks(weights: Floats, values: Floats) -> Floats:
    """The rank of each value (less one half) where value i comes weights[i] times."""
    times, group = _group_weights(weights, values)
    ranks: Floats = (np.cumsum(times, axis=1) - times / 2)[:, group]
    return ranks


def _group_weights(weights: Floats, values: Floats) -> tuple[Floats, Any]:
    """How often each different value comes, smallest first, and which of them each value is."""
    _, group = np.unique(values, return_inverse=True)
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    return np.add.reduceat(weights[:, order], starts, axis=1), group


def _kendalls(weights: Floats, x: Floats, y: Floats) -> Floats:
    product = weights.astype(np.float32) @ (_signs(x) * _signs(y))
    # Whole numbers, which 32 bits hold.
    agree = np.einsum("bi,bi->b", product, weights, dtype=np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        tau: Floats = agree / np.sqrt(_untied(weights, x) * _untied(weights, y))
    return tau


def _signs(values: Floats) -> Any:
    """1, 0 or −1 for every two values."""
    ranks = np.unique(values, return_inverse=True)[1].astype(np.float32)
    return np.sign(ranks[:, None] - ranks[None, :])


def _untied(weights: Floats, values: Floats) -> Floats:
    """How many pairs (each counted twice) are not tied: all but those within a group."""
    times = _group_weights(weights, values)[0]
    total: Floats = times.sum(axis=1) ** 2 - (times * times).sum(axis=1)
    return total


@dataclass(frozen=True)
class Coefficient:
    """A coefficient and its confidence interval; None where there is none."""

    value: float | None
    interval: Interval | None

    def as_dict(self) -> dict[str, Any]:
        """The coefficient as JSON shows it."""
        return {"value": self.value, "interval": self.interval}


@dataclass(frozen=True)
class Correlation:
    """How two columns of a table of scores go together.

    >>> import sameas
    >>> found = correlate(sameas.published(), columns=["muc", "blanc"])[0]
    >>> found.rows, round(found.pearson.value, 3), round(found.kendall.value, 3)
    (53, 0.935, 0.734)
    """

    x: str
    y: str
    rows: int
    drawn: int  # of what a bootstrap sample is made: rows, or documents if they share rows
    pearson: Coefficient
    spearman: Coefficient
    kendall: Coefficient

    def as_dict(self) -> dict[str, Any]:
        """The correlation as JSON shows it."""
        return {
            "x": self.x,
            "y": self.y,
            "rows": self.rows,
            "drawn": self.drawn,
            **{name: getattr(self, name).as_dict() for name in COEFFICIENTS},
        }


COEFFICIENTS = {"pearson": _pearsons, "spearman": _spearmans, "kendall": _kendalls}


def correlate(
    table: ScoreTable,
    *,
    columns: Sequence[str] | None = None,
    against: str | None = None,
    resampling: Resampling | None = None,
) -> list[Correlation]:
    """Correlate every two columns, or every column with one (`against`).

    Intervals come from the bootstrap over rows, all columns on the same samples. Rows of the same
    document, scored for several systems, are drawn together.

    >>> scores = {"muc": [50, 60, 70, 65], "b3": [40, 45, 60, 62]}
    >>> table = ScoreTable({}, {name: np.array(column) for name, column in scores.items()})
    >>> [(found.x, found.y, round(found.pearson.value, 3)) for found in correlate(table)]
    [('muc', 'b3', 0.899)]
    """
    resampling = resampling or Resampling()
    names = list(columns) if columns is not None else list(table.columns)
    if against is not None and against not in names:
        names.append(against)
    table = table.only(names)
    if len(names) < 2:
        raise UsageError(f"two columns or more are correlated; there is {', '.join(names)}")
    if len(table) < LEAST:
        raise InputError([Problem(f"a correlation takes three rows or more, not {len(table)}")])
    for name, column in table.columns.items():
        lacking = np.flatnonzero(~np.isfinite(column))
        if len(lacking):
            row = int(lacking[0])
            raise UsageError(
                f"{len(lacking)} of {len(table)} rows have no {name}, the first is row {row + 1} "
                f"({table.name(row)})"
            )
    pairs = (
        [(name, against) for name in names if name != against]
        if against is not None
        else list(combinations(names, 2))
    )
    return list(_correlate(table, pairs, resampling))


def _correlate(
    table: ScoreTable, pairs: Sequence[tuple[str, str]], resampling: Resampling
) -> Iterable[Correlation]:
    rows = len(table)
    names = table.labels.get("document") or [str(row) for row in range(rows)]
    numbers: dict[str, int] = {}
    unit = np.array([numbers.setdefault(name, len(numbers)) for name in names])
    units = len(numbers)
    found: dict[tuple[str, str, str], list[Floats]] = {}
    wanted = {
        name: function
        for name, function in COEFFICIENTS.items()
        if name != "kendall" or rows <= MOST
    }
    for counts in draws(units, resampling.samples, resampling.seed):
        weights = counts[:, unit] if units < rows else counts
        for x, y in pairs:
            for name, function in wanted.items():
                values = function(weights, table.columns[x], table.columns[y])
                found.setdefault((x, y, name), []).append(values)
    for x, y in pairs:
        ours, theirs = table.columns[x], table.columns[y]
        yield Correlation(
            x,
            y,
            rows,
            units,
            *(
                _coefficient(function, ours, theirs, found.get((x, y, name)), unit, resampling)
                for name, function in COEFFICIENTS.items()
            ),
        )


def _coefficient(
    function: Any,
    x: Floats,
    y: Floats,
    parts: list[Floats] | None,
    unit: Any,
    resampling: Resampling,
) -> Coefficient:
    value = _only(function(np.ones((1, len(x))), x, y))
    if value is None or parts is None or unit.max() == 0:  # one document: nothing to draw from
        return Coefficient(value, None)
    distribution = np.concatenate(parts)
    distribution = distribution[~np.isnan(distribution)]  # resamples in which a side does not vary
    if len(distribution) < resampling.samples / 2:
        return Coefficient(value, None)
    jackknife = None
    if resampling.interval == "bca":
        one_out = function((unit != np.arange(unit.max() + 1)[:, None]).astype(np.float64), x, y)
        jackknife = one_out[~np.isnan(one_out)]
    found = interval(distribution, value, jackknife, confidence=resampling.confidence)
    return Coefficient(value, Interval(*(max(-1.0, min(1.0, end)) for end in found)))
