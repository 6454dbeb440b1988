"""The sparse assignment has the optimum of scipy's dense one, and is a matching."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from sameas.coref.assignment import assign

Cells = tuple[np.ndarray, np.ndarray, np.ndarray]


def sparse(matrix: np.ndarray) -> Cells:
    row, column = np.nonzero(matrix)
    return row, column, matrix[row, column]


def checked(row: np.ndarray, column: np.ndarray, weight: np.ndarray) -> float:
    """The total that `assign` finds; its cells must be a matching."""
    chosen = assign(row, column, weight)
    assert chosen.tolist() == sorted(set(chosen.tolist()))
    assert len(set(row[chosen].tolist())) == len(set(column[chosen].tolist())) == len(chosen)
    total = weight[chosen].sum()
    return total.item()  # type: ignore[no-any-return]


def best(row: np.ndarray, column: np.ndarray, weight: np.ndarray) -> float:
    """The optimum by scipy, on the dense matrix."""
    rows, i = np.unique(row, return_inverse=True)
    columns, j = np.unique(column, return_inverse=True)
    dense = np.zeros((len(rows), len(columns)), dtype=weight.dtype)
    dense[i, j] = weight
    total = dense[linear_sum_assignment(dense, maximize=True)].sum()
    return total.item()  # type: ignore[no-any-return]


def compare(row: np.ndarray, column: np.ndarray, weight: np.ndarray) -> None:
    found, expected = checked(row, column, weight), best(row, column, weight)
    if weight.dtype.kind == "i":
        assert found == expected
    else:
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)


def ties(random: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return random.integers(1, random.choice([2, 3, 5]), shape)


def integers(random: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return random.integers(1, 1000, shape)


def floats(random: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return random.random(shape) + 1e-6


def similarities(random: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """The φ4 of small entities: fractions with many ties that floats only nearly see."""
    n = random.integers(1, 4, shape)
    k = random.integers(3, 7, (shape[0], 1))
    r = random.integers(3, 7, (1, shape[1]))
    return 2 * n / (k + r)


@pytest.mark.parametrize("weights", [ties, integers, floats, similarities])
def test_random_sparse_matrices(
    weights: Callable[[np.random.Generator, tuple[int, int]], np.ndarray],
) -> None:
    random = np.random.default_rng(7)
    for _ in range(1500):
        shape = (int(random.integers(1, 9)), int(random.integers(1, 9)))
        filled = random.random(shape) < random.choice([0.1, 0.3, 0.6, 1])
        compare(*sparse(np.where(filled, weights(random, shape), 0)))


@pytest.mark.parametrize("weights", [ties, integers, floats, similarities])
@pytest.mark.parametrize("shape", [(1, 40), (40, 1), (2, 60), (60, 2), (40, 40), (25, 70)])
def test_dense_blocks(
    weights: Callable[[np.random.Generator, tuple[int, int]], np.ndarray], shape: tuple[int, int]
) -> None:
    random = np.random.default_rng(1)
    compare(*sparse(weights(random, shape)))


def test_nothing_and_one_cell() -> None:
    empty = np.zeros(0, dtype=np.int64)
    for weight in (empty, np.zeros(0)):
        assert assign(empty, empty, weight).tolist() == []
    assert assign(np.array([9]), np.array([4]), np.array([2])).tolist() == [0]


@pytest.mark.parametrize("length", [1, 2, 3, 10, 501])
def test_chains(length: int) -> None:
    """Row n meets columns n and n + 1: each choice pushes the next."""
    row = np.repeat(np.arange(length), 2)
    column = row + np.tile([0, 1], length)
    for weight in (
        np.ones(2 * length, dtype=np.int64),
        np.tile([2, 3], length),
        np.tile([3, 2], length),
        np.random.default_rng(3).integers(1, 4, 2 * length),
        np.linspace(1, 2, 2 * length),
    ):
        compare(row, column, weight)
        # Cycles: the last column is the first.
        if length > 2:
            compare(row, column % length, weight)


def test_rows_and_columns_may_have_any_numbers_and_order() -> None:
    random = np.random.default_rng(5)
    for _ in range(200):
        row, column, weight = sparse(random.integers(0, 4, (6, 7)))
        order = random.permutation(len(row))
        row, column, weight = row[order] * 1000 + 5, column[order] * 7 - 3, weight[order]
        compare(row, column, weight)


def test_swapping_rows_and_columns_changes_no_total() -> None:
    random = np.random.default_rng(6)
    for _ in range(200):
        row, column, weight = sparse(random.integers(0, 3, (9, 5)))
        assert checked(row, column, weight) == checked(column, row, weight)


def test_leaving_a_row_alone_can_be_best() -> None:
    # Three rows fight for two columns, and the path has to end in the weakest row.
    compare(*sparse(np.array([[5, 4], [5, 4], [3, 3]])))
    compare(*sparse(np.array([[3, 3], [5, 4], [5, 4]])))
    compare(*sparse(np.array([[9, 8, 0], [8, 0, 0], [0, 7, 1]])))


def test_a_large_tangle() -> None:
    """About two thousand rows in one component that no simple step takes apart."""
    random = np.random.default_rng(11)
    size, degree = 2000, 4
    row = np.repeat(np.arange(size), degree)
    column = row + np.tile(random.integers(0, 60, degree), size) + random.integers(0, 9, len(row))
    column %= size
    cells = np.unique(np.stack([row, column], 1), axis=0)
    weight = random.integers(1, 6, len(cells))
    compare(cells[:, 0], cells[:, 1], weight)
    compare(cells[:, 0], cells[:, 1], 2 * weight / (3 + random.integers(0, 4, len(cells))))


def test_whole_numbers_stay_whole() -> None:
    large = np.array([[2**60, 2**60 - 1], [2**60 - 1, 1]])
    row, column, weight = sparse(large)
    assert checked(row, column, weight) == 2**61 - 2
