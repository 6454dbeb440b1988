"""The sparse assignment is a matching, and has the same optimum as scipy's dense one."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from sameas.arithmetic import assignment
from sameas.arithmetic.assignment import assign

Cells = tuple[np.ndarray, np.ndarray, np.ndarray]


def sparse(matrix: np.ndarray) -> Cells:
    row, column = np.nonzero(matrix)
    return row, column, matrix[row, column]


def checked(row: np.ndarray, column: np.ndarray, weight: np.ndarray) -> float:
    """Return the total that `assign` finds, and check that its cells are a matching."""
    chosen = assign(row, column, weight)
    assert chosen.dtype == np.int64
    assert chosen.tolist() == sorted(set(chosen.tolist()))
    assert len(set(row[chosen].tolist())) == len(set(column[chosen].tolist())) == len(chosen)
    total = weight[chosen].sum()
    return total.item()  # type: ignore[no-any-return]


def best(row: np.ndarray, column: np.ndarray, weight: np.ndarray) -> float:
    """Return the optimum found by scipy on the dense matrix."""
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
    """Return the φ4 of small entities: fractions with many ties that are inexact in floats."""
    n = random.integers(1, 4, shape)
    k = random.integers(3, 7, (shape[0], 1))
    r = random.integers(3, 7, (1, shape[1]))
    return 2 * n / (k + r)


@pytest.mark.long
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
    """Row n has cells in columns n and n + 1, so each choice forces the next."""
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
        # Cycles, in which the last column is the first.
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
    # Three rows compete for two columns, and the path must end in the weakest row.
    compare(*sparse(np.array([[5, 4], [5, 4], [3, 3]])))
    compare(*sparse(np.array([[3, 3], [5, 4], [5, 4]])))
    compare(*sparse(np.array([[9, 8, 0], [8, 0, 0], [0, 7, 1]])))


def test_a_large_irreducible_component() -> None:
    """About two thousand rows in one component that no simple step can split."""
    random = np.random.default_rng(11)
    size, degree = 2000, 4
    row = np.repeat(np.arange(size), degree)
    column = row + np.tile(random.integers(0, 60, degree), size) + random.integers(0, 9, len(row))
    column %= size
    cells = np.unique(np.stack([row, column], 1), axis=0)
    weight = random.integers(1, 6, len(cells))
    compare(cells[:, 0], cells[:, 1], weight)
    compare(cells[:, 0], cells[:, 1], 2 * weight / (3 + random.integers(0, 4, len(cells))))


def test_integers_stay_integers() -> None:
    large = np.array([[2**60, 2**60 - 1], [2**60 - 1, 1]])
    row, column, weight = sparse(large)
    assert checked(row, column, weight) == 2**61 - 2


@pytest.fixture(params=["lists", "arrays", "scipy"])
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Solve small tables like large ones, and large ones like small ones."""
    monkeypatch.setattr(assignment, "_FEW", 10**9 if request.param == "lists" else 0)
    monkeypatch.setattr(assignment, "_HARD", 0 if request.param == "scipy" else 10**9)


@pytest.mark.long
@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("weights", [ties, integers, floats, similarities])
def test_every_method_finds_the_optimum(
    weights: Callable[[np.random.Generator, tuple[int, int]], np.ndarray],
) -> None:
    random = np.random.default_rng(17)
    for _ in range(200):
        shape = (int(random.integers(1, 31)), int(random.integers(1, 31)))
        filled = random.random(shape) < random.choice([0.05, 0.1, 0.3, 0.6, 1])
        row, column, weight = sparse(np.where(filled, weights(random, shape), 0))
        order = random.permutation(len(row))
        compare(row[order], column[order] * 10**6 - 5, weight[order])


@pytest.mark.parametrize("weights", [ties, integers, floats, similarities])
@pytest.mark.parametrize("solve", ["_by_scipy", "_by_components"])
def test_each_solver_alone_finds_the_optimum(
    weights: Callable[[np.random.Generator, tuple[int, int]], np.ndarray], solve: str
) -> None:
    random = np.random.default_rng(18)
    for _ in range(100):
        shape = (int(random.integers(1, 31)), int(random.integers(1, 31)))
        filled = random.random(shape) < random.choice([0.1, 0.3, 0.6, 1])
        row, column, weight = sparse(np.where(filled, weights(random, shape), 0))
        if not len(row):
            continue
        i, j = (np.unique(line, return_inverse=True)[1] for line in (row, column))
        chosen = getattr(assignment, solve)(i, j, weight.astype(float))
        assert len(set(i[chosen].tolist())) == len(set(j[chosen].tolist())) == len(chosen)
        expected = best(row, column, weight)
        assert weight[chosen].sum() == pytest.approx(expected, rel=1e-12)


def test_the_best_of_all_assignments() -> None:
    """Compare with all possible sets of cells."""
    random = np.random.default_rng(19)
    for _ in range(200):
        row, column, weight = sparse(random.integers(0, 4, (3, 4)) * (random.random((3, 4)) < 0.7))
        totals = [
            int(weight[list(cells)].sum())
            for size in range(4)
            for cells in combinations(range(len(row)), size)
            if len({int(row[c]) for c in cells}) == len({int(column[c]) for c in cells}) == size
        ]
        assert checked(row, column, weight) == max(totals)


@pytest.mark.parametrize("weights", [ties, integers, floats, similarities])
@pytest.mark.parametrize("shape", [(150, 150), (120, 160), (160, 120), (20, 300)])
def test_large_dense_blocks(
    weights: Callable[[np.random.Generator, tuple[int, int]], np.ndarray], shape: tuple[int, int]
) -> None:
    random = np.random.default_rng(2)
    compare(*sparse(weights(random, shape)))
    # Two blocks and a tangle.
    one, two = weights(random, (40, 35)), weights(random, (30, 50))
    tangle = np.where(random.random((80, 90)) < 0.04, weights(random, (80, 90)), 0)
    matrix = np.zeros((150, 175), dtype=tangle.dtype)
    matrix[:40, :35], matrix[40:70, 35:85], matrix[70:, 85:] = one, two, tangle
    compare(*sparse(matrix))


@pytest.mark.long
@pytest.mark.parametrize("shape", [(3000, 3000), (4000, 1500), (1500, 4000)])
@pytest.mark.parametrize("highest", [1, 5, 1000])
def test_large_random_graphs(shape: tuple[int, int], highest: int) -> None:
    """Compare with scipy's sparse solver, with an extra column for each row."""
    random = np.random.default_rng(12)
    rows, columns = shape
    row, column = np.divmod(np.unique(random.integers(0, rows * columns, 12000)), columns)
    n = random.integers(1, highest + 1, len(row))
    sizes = np.bincount(row, n, rows)[row] + np.bincount(column, n, columns)[column]
    for weight in (n, 2 * n / sizes):
        alone = np.arange(rows)
        most = 2 * float(weight.max())
        costs = csr_matrix(
            (
                np.concatenate([most - weight, np.full(rows, most)]),
                (np.concatenate([row, alone]), np.concatenate([column, columns + alone])),
            ),
            shape=(rows, columns + rows),
        )
        i, j = min_weight_full_bipartite_matching(costs)
        i, j = i[j < columns], j[j < columns]
        expected = np.asarray(csr_matrix((weight, (row, column)), shape)[i, j]).sum().item()
        found = checked(row, column, weight)
        assert found == (expected if weight is n else pytest.approx(expected, rel=1e-12))


def unrelated(
    random: np.random.Generator, mentions: int, entities: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the cells of two independent clusterings: i, j, n and k + r."""
    key, response = random.integers(0, entities, (2, mentions))
    cells, n = np.unique(key * entities + response, return_counts=True)
    row, column = np.divmod(cells, entities)
    return row, column, n, np.bincount(key)[row] + np.bincount(response)[column]


@pytest.mark.parametrize("kind", ["count", "one", "similarity"])
def test_independent_clusterings(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All solvers find the same total."""
    row, column, n, sizes = unrelated(np.random.default_rng(21), 3000, 600)
    weight = {"count": n, "one": np.ones_like(n), "similarity": 2 * n / sizes}[kind]
    compare(row, column, weight)
    monkeypatch.setattr(assignment, "_HARD", len(row))
    compare(row, column, weight)


def exact_total(cells: list[int], n: np.ndarray, sizes: np.ndarray) -> Fraction:
    parts = zip(n[cells].tolist(), sizes[cells].tolist(), strict=True)
    return sum((Fraction(2 * part, size) for part, size in parts), Fraction(0))


@pytest.mark.usefixtures("_way")
def test_fractions_are_as_good_as_exact_ones() -> None:
    """Compare with integers of any length, in which the fractions are exact, in any order."""
    random = np.random.default_rng(23)
    for _ in range(60):
        mentions = int(random.integers(2, 400))
        entities = int(random.integers(1, mentions))
        row, column, n, sizes = unrelated(random, mentions, entities)
        common = math.lcm(*set(sizes.tolist()))
        whole = [
            2 * part * (common // size)
            for part, size in zip(n.tolist(), sizes.tolist(), strict=True)
        ]
        best = assignment._by_lists(row.tolist(), column.tolist(), whole)
        expected = Fraction(sum(whole[cell] for cell in best), common)
        weight = 2 * n / sizes
        assert exact_total(assign(row, column, weight).tolist(), n, sizes) == expected
        order = random.permutation(len(n))
        turned = order[assign(column[order], row[order], weight[order])]
        assert exact_total(turned.tolist(), n, sizes) == expected


@pytest.mark.parametrize("weights", [ties, integers, floats, similarities])
def test_a_large_component_beside_small_ones(
    weights: Callable[[np.random.Generator, tuple[int, int]], np.ndarray],
) -> None:
    """Only the large component is given to scipy, and either side may be longer."""
    random = np.random.default_rng(22)
    row, column, weight, total = [], [], [], 0.0
    for number, shape in enumerate([(70, 90), (90, 70), *[(4, 5)] * 300]):
        filled = random.random(shape) < 0.5
        i, j, n = sparse(np.where(filled, weights(random, shape), 0))
        row.append(i + 100 * number)
        column.append(j + 100 * number)
        weight.append(n)
        total += best(i, j, n)
    found = checked(np.concatenate(row), np.concatenate(column), np.concatenate(weight))
    assert found == pytest.approx(total, rel=1e-12)


def test_large_numbers_stay_exact_in_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The numbers are just below the limit above which lists are used."""
    monkeypatch.setattr(assignment, "_HARD", 0)
    random = np.random.default_rng(24)
    small = random.integers(0, 50, (45, 60))
    row, column, weight = sparse(assignment._EXACT - 1 - small)
    i, j = linear_sum_assignment(small)
    assert checked(row, column, weight) == 45 * (assignment._EXACT - 1) - int(small[i, j].sum())


def test_many_small_components() -> None:
    """The total of all components is the sum of the totals of each."""
    random = np.random.default_rng(13)
    row, column, weight, total = [], [], [], 0
    for number in range(400):
        i, j, n = sparse(random.integers(0, 4, (4, 5)))
        row.append(i + 10 * number)
        column.append(j + 10 * number)
        weight.append(n)
        total += int(best(i, j, n))
    assert checked(np.concatenate(row), np.concatenate(column), np.concatenate(weight)) == total


@pytest.mark.usefixtures("_way")
def test_the_better_of_two_duplicate_cells() -> None:
    row, column = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 1, 0, 1, 1])
    assert checked(row, column, np.array([2, 3, 2, 2, 1, 2])) == 5
    full = np.arange(1, 31 * 31 + 1).reshape(31, 31)
    row, column, weight = sparse(full % 97)
    double = np.concatenate([weight, weight + 1])
    found = checked(np.tile(row, 2), np.tile(column, 2), double)
    assert found == best(row, column, weight + 1)


def test_many_large_integers_stay_exact() -> None:
    """The numbers are too large for floats, and too many for the method for few cells."""
    random = np.random.default_rng(14)
    small = random.integers(0, 50, (25, 25))
    row, column, weight = sparse(np.full((25, 25), 2**55) + small)
    i, j = linear_sum_assignment(small, maximize=True)
    assert checked(row, column, weight) == 25 * 2**55 + int(small[i, j].sum())


def test_the_same_cells_give_the_same_assignment() -> None:
    random = np.random.default_rng(15)
    row, column, weight = sparse(random.integers(0, 3, (60, 60)))
    assert assign(row, column, weight).tolist() == assign(row, column, weight).tolist()
