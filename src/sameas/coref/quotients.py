"""Sums of quotients, rounded once: the same digits whoever adds them, and in whatever order.

B³, CEAFe and LEA add quotients of whole numbers, n²/k and the like. Added one after another as
floats they would depend on the order in the last digit, and so on who counts: one process or ten,
arrays or a database. Here each quotient is cut after 93 binary places, and whole numbers are added.
What was cut off is less than the number of quotients in units of the last place; nearly always the
sum and the sum with that added are the same float. Where they are not, fractions decide.
"""

from __future__ import annotations

import math

import numpy as np

from sameas.coref.document import Ints, Numbers

__all__ = ["quotient_sum", "sum_quotients"]

_BITS = 31
_MASK = (1 << _BITS) - 1


def sum_quotients(place: Ints, numerator: Ints, denominator: Ints, size: int) -> Numbers:
    """The sum of numerator/denominator for each of `size` places, rounded once.

    No number is negative. Places are often documents.

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
    if int(divisor.max()) > _MASK:  # the next places would not fit into 64 bits
        return _sum_fractions(place, numerator, denominator, np.arange(size), np.zeros(size))
    for part in parts[1:]:
        digits, rest = np.divmod(rest << _BITS, divisor)
        np.add.at(part, at, digits)
    for part in (3, 2, 1):
        parts[part - 1] += parts[part] >> _BITS
        parts[part] &= _MASK
    # Not beyond 2^53, so exact; and then what is below it, rounded down and up.
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
    """Fill in the sums of some places."""
    wanted = np.flatnonzero(np.isin(place, places))
    order = wanted[np.lexsort((denominator[wanted], place[wanted]))]
    place, numerator, denominator = place[order], numerator[order], denominator[order]
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = (place[1:] != place[:-1]) | (denominator[1:] != denominator[:-1])
    starts = np.flatnonzero(first)
    found: dict[int, dict[int, int]] = {}
    columns = (place[starts], denominator[starts], np.add.reduceat(numerator, starts))
    for at, below, above in zip(*(column.tolist() for column in columns), strict=True):
        found.setdefault(at, {})[below] = above
    for at, quotients in found.items():
        total[at] = quotient_sum(quotients)
    return total


def quotient_sum(quotients: dict[int, int]) -> float:
    """The sum of quotients given as numerators by denominator, rounded once.

    >>> quotient_sum({1: 1, 3: 1, 6: 1})
    1.5
    """
    common = math.lcm(*quotients)
    return sum(above * (common // below) for below, above in quotients.items()) / common
