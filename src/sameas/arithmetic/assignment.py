"""The best one-to-one assignment: of key to response entities for CEAF, of mentions for matching.

Similarities are given as the non-zero cells of a sparse matrix. There are three steps:

1. Take every cell whose weight is at least the sum of the weights of the best other cell in its row
   and the best other cell in its column. It is in some best assignment, because whatever it
   displaces is worth no more. Remove its row and column, and repeat. On real corpora this settles
   nearly everything; a star, for example, is settled by its largest cell.
2. The rest falls into connected components. On real corpora these are small, and each free row
   searches for a shortest augmenting path (Dijkstra's algorithm with potentials).
3. Large components go to scipy's sparse matching, which does the same in compiled code. They occur
   if the two sides have little in common: then there are many long paths. scipy takes longer to
   load than most corpora take to score, so it is loaded only here.

A table of a few hundred cells goes through steps 1 and 2 without arrays, because creating arrays
would cost more than they save.

Integers are added exactly. Fractions such as CEAFe's are compared to about fifteen digits. If the
totals of two assignments of 20,000 entities differ by less than about 2e-11, the lesser one may be
found; for fewer entities this limit is correspondingly smaller. The reported value is the exact
total of the assignment found, rounded once (see `quotients.py`), so exact ties change no digit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from math import frexp
from typing import NamedTuple

import numpy as np

from sameas.arithmetic.arrays import Floats, Ints, Numbers

__all__ = ["assign", "assign_in_order", "label_components"]

#: Up to this number of cells, lists are faster than arrays, both for a table and a component.
_FEW = 400
#: Larger components still use lists if together they have at most this number of cells, because
#: loading scipy would take longer than finding the paths.
_HARD = 2000
#: Integers below this are exact as floats, and so are the sums of any four of them.
_EXACT = 2**50
_INFINITY = float("inf")


def assign(row: Ints, column: Ints, weight: Numbers) -> Ints:
    """Return the indices of the cells in an assignment with the largest total weight, in order.

    Weights must be positive. Integers are added exactly. Ties between assignments are broken in the
    same way for the same cells.

    >>> assign(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([3, 2, 2])).tolist()
    [1, 2]
    """
    if len(weight) <= _FEW or (weight.dtype.kind != "f" and int(weight.max()) >= _EXACT):
        cells = _by_lists(row.tolist(), column.tolist(), weight.tolist())
        return np.array(cells, dtype=np.int64)
    return _by_arrays(row, column, weight.astype(np.float64))


# A few cells, in lists


def _by_lists(rows: Sequence[int], columns: Sequence[int], weights: Sequence[float]) -> list[int]:
    chosen: list[int] = []
    cells: Sequence[int] = range(len(weights))
    while cells:
        row_cell, row_next = _two_best_of(cells, rows, weights)
        column_cell, column_next = _two_best_of(cells, columns, weights)
        picked = [
            cell
            for i, cell in row_cell.items()
            if column_cell[j := columns[cell]] == cell
            and weights[cell] >= row_next[i] + column_next[j]
        ]
        if len(picked) <= len(cells) // 32:  # continuing would take many rounds
            chosen += _search_few(cells, rows, columns, weights)
            break
        chosen += picked
        if len(picked) == len(row_cell) or len(picked) == len(column_cell):
            break
        for cell in picked:
            del row_cell[rows[cell]], column_cell[columns[cell]]
        cells = [cell for cell in cells if rows[cell] in row_cell and columns[cell] in column_cell]
    chosen.sort()
    return chosen


def _two_best_of(
    cells: Sequence[int], lines: Sequence[int], weights: Sequence[float]
) -> tuple[dict[int, int], dict[int, float]]:
    """Return each line's best cell (the first if tied), and the weight of the next best, or 0."""
    best: dict[int, int] = {}
    following: dict[int, float] = {}
    for cell in cells:
        line, weight = lines[cell], weights[cell]
        if line not in best:
            best[line] = cell
            following[line] = 0
        elif weight > weights[best[line]]:
            following[line] = weights[best[line]]
            best[line] = cell
        elif weight > following[line]:
            following[line] = weight
    return best, following


def _search_few(
    cells: Sequence[int], rows: Sequence[int], columns: Sequence[int], weights: Sequence[float]
) -> list[int]:
    """Return the best assignment of a few cells."""
    by_row: dict[int, list[_Cell]] = {}
    number: dict[int, int] = {}
    for cell in cells:
        j = number.setdefault(columns[cell], len(number))
        by_row.setdefault(rows[cell], []).append((j, weights[cell], cell))
    lines = list(by_row.values())
    owner = [-1] * len(number)
    held = [_NO_CELL] * len(lines)
    u: list[float] = []
    for i, line in enumerate(lines):
        u.append(max(weight for _, weight, _ in line))
        for one in line:
            j, weight, _ = one
            if weight == u[i] and owner[j] < 0:
                owner[j], held[i] = i, one
                break
    _search(_Graph(lines, u, [0] * len(number), owner), held)
    return [cell for j, _, cell in held if j >= 0]


_Cell = tuple[int, float, int]  # its column, weight and number
_NO_CELL: _Cell = (-1, 0, -1)


class _Graph(NamedTuple):
    """Cells grouped by row, and the state of their assignment.

    `owner[j]` is the row that holds column j, or -1. `u` and `v` are the potentials of rows and
    columns: u + v is at least the weight of every cell, and equal to it for the cells held; v is 0
    for free columns.
    """

    rows: Sequence[Sequence[_Cell]]
    u: list[float]
    v: list[float]
    owner: list[int]


def _search(graph: _Graph, held: list[_Cell]) -> None:
    """Augment the assignment from each free row along its cheapest alternating path.

    `held[i]` is the cell that row i holds, if any. A path ends in a free column or in a row that is
    better left unassigned.
    """
    distance = [_INFINITY] * len(graph.owner)
    for free in [i for i, cell in enumerate(held) if cell is _NO_CELL]:
        via: dict[int, tuple[int, _Cell]] = {}
        row, j = _find_path(free, graph, distance, via)
        for column in via:
            distance[column] = _INFINITY
        if j < 0:
            if row == free:
                continue
            j, _, _ = held[row]  # leave this row unassigned, and hand on its column
            held[row] = _NO_CELL
        while j >= 0:
            i, cell = via[j]
            graph.owner[j] = i
            (j, _, _), held[i] = held[i], cell


def _find_path(
    free: int, graph: _Graph, distance: list[float], via: dict[int, tuple[int, _Cell]]
) -> tuple[int, int]:
    """Return the end of the cheapest path from a free row, as a row and a column.

    The path ends in the column, which is free, or in the row if the column is -1. Store in `via`
    the row and the cell by which each column is reached, and update the potentials.
    """
    rows, u, v, owner = graph
    passed: list[tuple[int, float]] = [(free, 0)]
    settled: list[tuple[int, float]] = []
    heap: list[tuple[float, int]] = []
    best, end_row, end_column = u[free], free, -1
    i = free
    reached: float = 0
    while True:
        base = reached + u[i]
        for cell in rows[i]:
            j, w, _ = cell
            cost = base + v[j] - w
            if cost < best and cost < distance[j]:
                distance[j] = cost
                via[j] = (i, cell)
                if owner[j] < 0:
                    best, end_column = cost, j
                else:
                    heappush(heap, (cost, j))
        # A column is in the heap once for each time its distance decreased.
        while heap and heap[0][0] > distance[heap[0][1]]:
            heappop(heap)
        if not heap or heap[0][0] >= best:
            break
        reached, j = heappop(heap)
        settled.append((j, reached))
        distance[j] = -_INFINITY  # rounding must not decrease it again
        i = owner[j]
        passed.append((i, reached))
        if reached + u[i] < best:
            best, end_row, end_column = reached + u[i], i, -1
    for i, at in passed:
        u[i] -= best - at
    for j, at in settled:
        v[j] += best - at
    return end_row, end_column


# Many cells, in arrays


def _numbered(line: Ints) -> Ints:
    """Renumber lines from 0, without gaps."""
    low, high = int(line.min()), int(line.max())
    if high - low > 4 * len(line):
        return np.unique(line, return_inverse=True)[1].astype(np.int64, copy=False)
    line = line - low
    used = np.zeros(high - low + 1, dtype=np.bool_)
    used[line] = True
    return (np.cumsum(used) - 1)[line]


def _by_arrays(row: Ints, column: Ints, weight: Floats) -> Ints:
    """Return the indices of the cells in the best assignment, in order.

    This is fast if there are many cells.
    """
    chosen = np.zeros(len(weight), dtype=np.bool_)
    cells = np.arange(len(weight))
    while len(cells) > _FEW:
        row, column = _numbered(row), _numbered(column)
        picked = _dominant(row, column, weight)
        if len(picked) <= len(cells) // 32:  # continuing would take many rounds
            chosen[cells[_by_components(row, column, weight)]] = True
            return np.flatnonzero(chosen)
        chosen[cells[picked]] = True
        taken = np.isin(row, row[picked]) | np.isin(column, column[picked])
        left = np.flatnonzero(~taken)
        cells, weight, row, column = cells[left], weight[left], row[left], column[left]
    chosen[cells[_by_lists(row.tolist(), column.tolist(), weight.tolist())]] = True
    return np.flatnonzero(chosen)


def _dominant(row: Ints, column: Ints, weight: Floats) -> Ints:
    """Return the cells at least as heavy as the best other cells of their row and column together.

    Only the first of the best cells of a line is considered, so no two returned cells share a line.
    """
    row_best, row_next = _two_best(row, weight)
    column_best, column_next = _two_best(column, weight)
    cells = row_best[row_best >= 0]
    cells = cells[column_best[column[cells]] == cells]
    safe = weight[cells] >= row_next[row[cells]] + column_next[column[cells]]
    return np.compress(safe, cells)


def _two_best(line: Ints, weight: Floats) -> tuple[Ints, Floats]:
    """Return each line's best cell (the first if tied) or -1, and the next best weight or 0."""
    size = int(line.max()) + 1
    most = np.zeros(size)
    np.maximum.at(most, line, weight)
    reversed_cells = np.flatnonzero(weight == most[line])[::-1]
    best = np.full(size, -1, dtype=np.int64)
    best[line[reversed_cells]] = reversed_cells
    others = weight.copy()
    others[best[best >= 0]] = 0
    second = np.zeros(size)
    np.maximum.at(second, line, others)
    return best, second


def _by_components(row: Ints, column: Ints, weight: Floats) -> Ints:
    """Return the best assignment of cells, few of which are dominant."""
    component = label_components(row, column)
    hard = (np.bincount(component) > _FEW)[component]
    if np.count_nonzero(hard) <= _HARD:
        hard[:] = False
    chosen: list[Ints] = []
    cells = np.flatnonzero(~hard)
    lists = (row[cells].tolist(), column[cells].tolist(), weight[cells].tolist())
    chosen.append(cells[_search_few(range(len(cells)), *lists)])
    cells = np.flatnonzero(hard)
    if cells.size:
        cells = cells[np.argsort(component[cells], kind="stable")]
        # One component at a time, because for each path scipy scans all columns that it was given.
        for part in np.split(cells, np.flatnonzero(np.diff(component[cells])) + 1):
            chosen.append(part[_by_scipy(row[part], column[part], weight[part])])
    return np.concatenate(chosen)


def label_components(row: Ints, column: Ints) -> Ints:
    """Return the connected component of each cell, identified by its first row.

    >>> label_components(np.array([0, 0, 1, 2]), np.array([0, 1, 1, 2])).tolist()
    [0, 0, 0, 2]
    """
    # Rows and columns are the nodes of one graph; the label of each is the first connected node.
    rows = int(row.max(initial=-1)) + 1
    label = np.arange(rows + int(column.max(initial=-1)) + 1)
    one, other = row, column + rows
    while one.size:
        low, high = np.minimum(one, other), np.maximum(one, other)
        np.minimum.at(label, high, low)
        while True:
            above = label[label]
            if np.array_equal(above, label):
                break
            label = above
        one, other = label[one], label[other]
        apart = one != other
        one, other = one[apart], other[apart]
    return label[row]


def _by_scipy(row: Ints, column: Ints, weight: Floats) -> Ints:
    """Return the best assignment of the cells of one component."""
    # Imported here because it takes longer to load than most corpora take to score.
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped, unused-ignore]
    from scipy.sparse.csgraph import (  # type: ignore[import-untyped, unused-ignore]
        maximum_bipartite_matching,
        min_weight_full_bipartite_matching,
    )

    row, column = _numbered(row), _numbered(column)
    if row.max() > column.max():  # paths start from rows, so there should be fewer of them
        row, column = column, row
    rows, columns = int(row.max()) + 1, int(column.max()) + 1
    # If several cells have the same row and column, keep the best; scipy would add them.
    order = np.lexsort((-weight, row * columns + column))
    place, first = np.unique((row * columns + column)[order], return_index=True)
    order = order[first]
    row, column, value = row[order], column[order], _whole(weight[order])
    if value.min() == value.max():
        table = csr_matrix((value, (row, column)), (rows, columns))
        matched = maximum_bipartite_matching(table, perm_type="column")
    else:
        # scipy assigns every row a column, so each row gets an extra column of weight 0 of its own.
        # No cost may be 0, because scipy treats 0 as an empty cell.
        most, own = value.max() + 1, np.arange(rows)
        cost = np.concatenate([most - value, np.full(rows, most)])
        places = np.concatenate([row, own]), np.concatenate([column, columns + own])
        table = csr_matrix((cost, places), (rows, columns + rows))
        matched = min_weight_full_bipartite_matching(table)[1]
    found: Ints = np.flatnonzero((matched >= 0) & (matched < columns))
    cells: Ints = order[np.searchsorted(place, found * columns + matched[found])]
    return cells


def _whole(weight: Floats) -> Floats:
    """Scale weights to integers, which scipy adds and compares without rounding."""
    exponent = frexp(_EXACT)[1] - 1 - frexp(float(weight.max()))[1]
    return np.rint(np.ldexp(weight, max(exponent, 0)))


# Ties broken by the order of rows and columns


def assign_in_order(
    rows: int, columns: int, cells: Mapping[int, Mapping[int, float]]
) -> list[tuple[int, int]]:
    """Return the best assignment, in pairs of row and column; ties are broken as by scipy.

    `cells[i][j]` is the similarity of row i and column j; a missing one is 0. Only pairs with a
    similarity are returned. Ties are broken as in Crouse's (2016) shortest augmenting paths: rows
    are taken in order, and among equally near columns a free one is preferred, then the first. If
    there are more rows than columns, they are transposed. This is the assignment that scipy's
    `linear_sum_assignment` finds, so scorers built on it report the same numbers.

    >>> assign_in_order(2, 2, {0: {0: 1.0, 1: 1.0}, 1: {0: 1.0}})
    [(0, 1), (1, 0)]
    """
    if columns < rows:
        turned: dict[int, dict[int, float]] = {}
        for i, row in cells.items():
            for j, similarity in row.items():
                turned.setdefault(j, {})[i] = similarity
        return sorted((i, j) for j, i in assign_in_order(columns, rows, turned))
    u = np.zeros(rows)
    v = np.zeros(columns)
    row_of = np.full(columns, -1, dtype=np.int64)
    column_of = [-1] * rows
    costs = {
        i: (np.fromiter(row, np.int64, len(row)), -np.fromiter(row.values(), np.float64, len(row)))
        for i, row in cells.items()
    }
    lowest_free = 0
    for free in range(rows):
        row = cells.get(free, {})
        while lowest_free < columns and row_of[lowest_free] >= 0:
            lowest_free += 1
        if not row:  # every free column is equally near
            row_of[lowest_free], column_of[free] = free, lowest_free
            continue
        # Nearly always the nearest column is free, and no path needs to be searched.
        nearest = min(-similarity - float(v[j]) for j, similarity in row.items())
        ends = [
            j
            for j, similarity in row.items()
            if row_of[j] < 0 and -similarity - float(v[j]) == nearest
        ]
        if nearest < 0 and ends:
            end = min(ends)
            row_of[end], column_of[free], u[free] = free, end, nearest
            continue
        _search_path(free, costs, u, v, row_of, column_of)
    return [(i, j) for i, row in sorted(cells.items()) if (j := column_of[i]) in row]


def _search_path(
    free: int,
    costs: Mapping[int, tuple[Ints, Numbers]],
    u: Numbers,
    v: Numbers,
    row_of: Ints,
    column_of: list[int],
) -> None:
    """Find the shortest path from a row to a free column, and reassign the rows along it."""
    size = len(v)
    remaining = np.arange(size - 1, -1, -1)
    distance = np.full(size, np.inf)
    via = np.full(size, -1, dtype=np.int64)
    passed_rows, passed_columns = [free], []
    i, reached, left = free, 0.0, size
    while True:
        cost = np.zeros(size)
        if i in costs:
            cost[costs[i][0]] = costs[i][1]
        here = remaining[:left]
        lengths = reached + cost[here] - u[i] - v[here]
        nearer = lengths < distance[here]
        distance[here[nearer]] = lengths[nearer]
        via[here[nearer]] = i
        reached = float(distance[here].min())
        near = np.flatnonzero(distance[here] == reached)
        ends = near[row_of[here[near]] < 0]
        index = int(ends[-1] if ends.size else near[0])
        j = int(here[index])
        passed_columns.append(j)
        if ends.size:
            break
        i = int(row_of[j])
        passed_rows.append(i)
        left -= 1
        remaining[index] = remaining[left]
    u[free] += reached
    for i in passed_rows[1:]:
        u[i] += reached - distance[column_of[i]]
    v[passed_columns] -= reached - distance[passed_columns]
    while True:
        i = int(via[j])
        row_of[j] = i
        column_of[i], j = j, column_of[i]
        if i == free:
            return
