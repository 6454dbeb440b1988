"""Sums of quotients, compared with fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sameas.arithmetic import quotients
from sameas.arithmetic.quotients import quotient_sum, sum_quotients

QUOTIENTS = st.lists(
    st.tuples(
        st.integers(0, 4),
        st.integers(0, 1 << 40) | st.integers(0, 9),
        st.integers(1, 9) | st.integers(1, (1 << 31) - 1) | st.sampled_from([1 << 20, 1 << 31]),
    )
)


def columns(rows: list[tuple[int, int, int]]) -> list[np.ndarray]:
    return list(np.array(rows, dtype=np.int64).reshape(-1, 3).T)


def fractions(rows: list[tuple[int, int, int]], size: int) -> list[float]:
    sums = [Fraction(0)] * size
    for place, above, below in rows:
        sums[place] += Fraction(above, below)
    return [float(total) for total in sums]


@given(QUOTIENTS)
def test_sums_are_those_of_fractions_rounded_once(rows: list[tuple[int, int, int]]) -> None:
    assert sum_quotients(*columns(rows), 6).tolist() == fractions(rows, 6)


@given(QUOTIENTS, st.randoms(use_true_random=False))
def test_the_order_does_not_matter(rows: list[tuple[int, int, int]], random) -> None:  # type: ignore[no-untyped-def]
    shuffled = random.sample(rows, len(rows))
    assert np.array_equal(sum_quotients(*columns(rows), 6), sum_quotients(*columns(shuffled), 6))


def test_ties_between_two_floats_are_decided_by_fractions(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    known = quotients._sum_fractions
    monkeypatch.setattr(
        quotients, "_sum_fractions", lambda *given: asked.append(1) or known(*given)
    )
    # 1 + 2^-53 is halfway; thirds approach it from below and from above.
    rows = [(0, 1, 1), (0, 1, 1 << 30), (0, 1, 1 << 23), (0, 3, 3)]
    rows += [(1, 1 << 30, (1 << 30) + 1), (1, 1, (1 << 30) + 1), (2, (1 << 22) * 3 + 1, 3)]
    assert sum_quotients(*columns(rows), 3).tolist() == fractions(rows, 3)
    assert asked  # 2^22 and more


def test_no_quotients() -> None:
    none = np.zeros(0, dtype=np.int64)
    assert sum_quotients(none, none, none, 2).tolist() == [0.0, 0.0]
    assert quotient_sum({}) == 0
