"""Sums of quotients, rounded once, so that their digits do not depend on the order of addition.

B³, CEAFe and LEA add quotients of integers, such as n²/k. If they were added one after another as
floats, the last digit would depend on the order, that is, on what adds them: one process or ten,
arrays or a database. Here each quotient is truncated after 93 binary places, and integers are
added. The truncation error, in units of the last digit, is less than the number of quotients.
Nearly always the sum and the sum plus this bound round to the same float; if not, fractions decide.
"""

from __future__ import annotations

import math

import numpy as np

from sameas.arithmetic.arrays import Ints, Numbers

__all__ = ["quotient_sum", "sum_groups", "sum_places", "sum_quotients"]

_BITS = 31
_MASK = (1 << _BITS) - 1


def sum_quotients(place: Ints, numerator: Ints, denominator: Ints, size: int) -> Numbers:
    """Return the sum of numerator/denominator for each of `size` groups, rounded once.

    `place` is the group of each quotient, often its document. No number may be negative.

    >>> sum_quotients(np.array([0, 0, 0, 1]), np.array([1, 1, 1, 3]), np.array([3, 3, 3, 2]), 2)
    array([1. , 1.5])
    """
    whole, rest = np.divmod(numerator, denominator)
    parts = np.zeros((4, size), dtype=np.int64)
    np.add.at(parts[0], place, whole)
    broken = np.flatnonzero(rest)
    if not broken.size:
        return np.asarray(parts[0], dtype=np.float64)
    at, rest, divisor = place[broken], rest[broken], denominator[broken]
    if int(divisor.max()) > _MASK:  # the next digits would not fit into 64 bits
        return _sum_fractions(place, numerator, denominator, np.arange(size), np.zeros(size))
    for part in parts[1:]:
        digits, rest = np.divmod(rest << _BITS, divisor)
        np.add.at(part, at, digits)
    for part in (3, 2, 1):
        parts[part - 1] += parts[part] >> _BITS
        parts[part] &= _MASK
    # `high` is below 2^53, so it is exact as a float; the rest is rounded down and up.
    high = (parts[0] << _BITS) + parts[1]
    low = (parts[2] << _BITS) + parts[3]
    cut = np.bincount(at, minlength=size)
    cut[cut > 0] += 1 << 10
    least: Numbers = high * 2.0**-_BITS + low * 2.0 ** (-3 * _BITS) * (1 - 2.0**-52)
    most: Numbers = high * 2.0**-_BITS + (low + cut) * 2.0 ** (-3 * _BITS) * (1 + 2.0**-52)
    unsure = (least != most) | (parts[0] >= 1 << (53 - _BITS))
    if unsure.any():
        return _sum_fractions(place, numerator, denominator, np.flatnonzero(unsure), most)
    return most


def _sum_fractions(
    place: Ints, numerator: Ints, denominator: Ints, places: Ints, total: Numbers
) -> Numbers:
    """Compute the sums for the groups in `places` from exact fractions; store them in `total`."""
    chosen = np.isin(place, places)
    columns = sum_groups(numerator[chosen], place[chosen], denominator[chosen])
    found: dict[int, dict[int, int]] = {}
    for above, at, below in zip(*(column.tolist() for column in columns), strict=True):
        found.setdefault(at, {})[below] = above
    for at, quotients in found.items():
        total[at] = quotient_sum(quotients)
    return total


def sum_places(values: Numbers, place: Ints, size: int) -> Numbers:
    """Return the sum of the values for each of `size` groups.

    Integers stay integers, because a corpus of a billion mentions has more than 2**53 links.

    >>> sum_places(np.array([1, 2, 4]), np.array([0, 2, 0]), 3).tolist()
    [5, 0, 2]
    """
    total = np.zeros(size, dtype=values.dtype)
    np.add.at(total, place, values)
    return total


def sum_groups(values: Ints, *columns: Ints) -> list[Ints]:
    """Sum the values for each distinct row of the columns.

    Return the sums, then the columns of the distinct rows, which are sorted.

    >>> found = sum_groups(np.array([1, 2, 4]), np.array([7, 3, 7]), np.array([1, 0, 1]))
    >>> [column.tolist() for column in found]
    [[2, 5], [3, 7], [0, 1]]
    """
    order = np.lexsort(columns[::-1])
    rows = [column[order] for column in columns]
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = np.any([row[1:] != row[:-1] for row in rows], axis=0)
    starts = np.flatnonzero(first)
    sums = np.add.reduceat(values[order], starts) if starts.size else values
    return [sums, *(row[starts] for row in rows)]


def quotient_sum(quotients: dict[int, int]) -> float:
    """Return the sum of quotients, given as numerators keyed by denominator, rounded once.

    >>> quotient_sum({1: 1, 3: 1, 6: 1})
    1.5
    """
    common = math.lcm(*quotients)
    return sum(above * (common // below) for below, above in quotients.items()) / common
