"""The best one-to-one assignment: of key to response entities for CEAF, of mentions for matching.

Similarities are given as the non-zero cells of a sparse matrix. Two steps:

1. A cell worth at least as much as the best other cell of its row and the best other cell of its
   column together is in some best assignment: whatever it displaces is worth no more than it. Such
   cells are taken, their rows and columns leave, and the rest is looked at again. On real corpora
   this settles nearly everything (a star, for one, is settled by its largest cell).
2. What is left is solved exactly by shortest augmenting paths on the sparse graph
   (Jonker & Volgenant 1987; Dijkstra's algorithm with potentials).

No dense matrix is ever built.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping

import numpy as np

from sameas.coref.document import Ints, Numbers

__all__ = ["assign", "assign_in_order"]


def assign(row: Ints, column: Ints, weight: Numbers) -> Ints:
    """The cells of an assignment of the largest total weight; weights are positive.

    >>> assign(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([3, 2, 2])).tolist()
    [1, 2]
    """
    chosen: list[Ints] = []
    left = np.arange(len(weight))
    while left.size:
        rows, columns, weights = row[left], column[left], weight[left]
        safe = weights >= _best_other(rows, weights) + _best_other(columns, weights)
        # Of equal cells in one row or column only the first is taken.
        picked = np.flatnonzero(safe)
        picked = picked[np.unique(rows[picked], return_index=True)[1]]
        picked = picked[np.unique(columns[picked], return_index=True)[1]]
        if picked.size < len(left) // 64 or not picked.size:  # going on would take many rounds
            chosen.append(left[_augment(rows, columns, weights)])
            break
        chosen.append(left[picked])
        gone = np.isin(rows, rows[picked]) | np.isin(columns, columns[picked])
        left = left[~gone]
    return np.sort(np.concatenate(chosen)) if chosen else np.zeros(0, dtype=np.int64)


def _best_other(line: Ints, weight: Numbers) -> Numbers:
    """For each cell, the largest weight among the other cells of its line; 0 if there is none."""
    order = np.lexsort((-weight, line))
    sorted_line = line[order]
    starts = np.flatnonzero(
        np.concatenate([np.ones(1, np.bool_), sorted_line[1:] != sorted_line[:-1]])
    )
    sizes = np.diff(np.append(starts, len(order)))
    best = weight[order[starts]]
    second = np.where(sizes > 1, weight[order[np.minimum(starts + 1, len(order) - 1)]], 0)
    other = np.repeat(best, sizes)
    other[starts] = second
    result = np.empty_like(other)
    result[order] = other
    return result


def _augment(row: Ints, column: Ints, weight: Numbers) -> Ints:
    """Exact maximum-weight matching of a sparse bipartite graph.

    Row and column potentials start at the best weight of each row and 0, so that no reduced cost is
    negative. Each row in turn looks for the cheapest path of alternating edges to a free column, or
    to a row that is better left alone.
    """
    _, rows = np.unique(row, return_inverse=True)
    _, columns = np.unique(column, return_inverse=True)
    row_count, column_count = int(rows.max()) + 1, int(columns.max()) + 1
    edges: list[list[tuple[int, float, int]]] = [[] for _ in range(row_count)]
    cells = zip(rows.tolist(), columns.tolist(), weight.tolist(), strict=True)
    for cell, (i, j, w) in enumerate(cells):
        edges[i].append((j, w, cell))
    u = [max(w for _, w, _ in edge) for edge in edges]
    v: list[float] = [0] * column_count
    row_of = [-1] * column_count
    cell_of = [-1] * row_count
    column_of = [-1] * row_count
    infinity = float("inf")

    for free in range(row_count):
        distance: dict[int, float] = {}
        via: dict[int, tuple[int, int]] = {}
        row_distance: dict[int, float] = {free: 0}
        settled: set[int] = set()
        heap: list[tuple[float, int]] = []
        best_end, end_row, end_column = u[free], free, -1
        i, reached = free, 0.0
        while True:
            for j, w, cell in edges[i]:
                if j in settled:
                    continue
                cost = reached + u[i] + v[j] - w
                if cost < distance.get(j, infinity) and cost < best_end:
                    distance[j] = cost
                    via[j] = (i, cell)
                    if row_of[j] < 0:
                        best_end, end_row, end_column = cost, -1, j
                    else:
                        heapq.heappush(heap, (cost, j))
            while heap and heap[0][1] in settled:
                heapq.heappop(heap)
            if not heap or heap[0][0] >= best_end:
                break
            reached, j = heapq.heappop(heap)
            settled.add(j)
            i = row_of[j]
            row_distance[i] = reached
            if reached + u[i] < best_end:
                best_end, end_row, end_column = reached + u[i], i, -1
        for i, at in row_distance.items():
            u[i] -= best_end - at
        for j in settled:
            v[j] += best_end - distance[j]
        # Walk back along the path and swap its edges.
        j = end_column
        if j < 0 and end_row != free:  # the row at the end of the path is left alone
            j = column_of[end_row]
            column_of[end_row] = cell_of[end_row] = -1
        while j >= 0:
            i, cell = via[j]
            column_of[i], j_before = j, column_of[i]
            cell_of[i] = cell
            row_of[j] = i
            j = j_before if i != free else -1
    return np.array(sorted(cell for cell in cell_of if cell >= 0), dtype=np.int64)


def assign_in_order(
    rows: int, columns: int, cells: Mapping[int, Mapping[int, float]]
) -> list[tuple[int, int]]:
    """The assignment that a dense solver finds which takes rows and columns in their order.

    `cells[i][j]` is the similarity of row i and column j, 0 where it is not there; only pairs that
    have some are given back. Where several assignments are best, this one is well defined: that of
    Crouse's (2016) shortest augmenting paths, rows in order, of equally near columns a free one
    and of these the first; more rows than columns, and they change places. It is the one that
    scipy's `linear_sum_assignment` finds, and so the one behind the figures of scorers built on it.

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
        # Nearly always the nearest column is free, and no path has to be searched for.
        nearest = min(-similarity - float(v[j]) for j, similarity in row.items())
        ends = [
            j for j, similarity in row.items()
            if row_of[j] < 0 and -similarity - float(v[j]) == nearest
        ]  # fmt: skip
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
    """Find the shortest path from a row to a free column, and swap its edges."""
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
