"""The best one-to-one assignment: of key to response entities for CEAF, of mentions for matching.

Similarities are given as the non-zero cells of a sparse matrix. Three steps:

1. A cell worth at least as much as the best other cell of its row and the best other cell of its
   column together is in some best assignment: whatever it displaces is worth no more than it. Such
   cells are taken, their rows and columns leave, and the rest is looked at again. On real corpora
   this settles nearly everything (a star, for one, is settled by its largest cell).
2. What is left falls into connected components. In each, the rows bid for columns: a row takes its
   best column and raises the price of it until its second best is as good (Jonker & Volgenant's
   (1987) reduction of rows, in rounds in which all free rows bid at once, as in an auction).
3. The few rows that no bid has settled look for shortest augmenting paths (Dijkstra's algorithm
   with the prices as potentials), which is exact whatever happened before. Where these paths
   are long, as they are if the two sides have nothing to do with each other, the rows look all at
   once: a tree grows from each, and none goes where another is, so that each sees a small part.

A component that is nearly full is solved as a dense matrix, any other as lists of cells, and a
table of a few hundred cells without arrays, since then it costs more to make them than to use them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import accumulate, pairwise
from math import log

import numpy as np
import numpy.typing as npt

from sameas.coref.document import Ints, Numbers

Floats = npt.NDArray[np.float64]

__all__ = ["assign", "assign_in_order", "assign_lists"]

#: Up to so many cells lists are faster than arrays.
_FEW = 400
#: A component is dense if so many times its cells are more than its rows times its columns; one
#: with fewer rows or columns than this is left to the lists.
_DENSE, _BROAD = 6, 12
#: Whole numbers below this are exact as floats, and so are the sums of any four of them.
_EXACT = 2**50
#: So many free rows look for paths one after the other before it is asked whether trees from all of
#: the others would be faster; with a row trees have so many times as much to do.
_TOGETHER, _TREES = 32, 2.5
_INFINITY = float("inf")


def assign(row: Ints, column: Ints, weight: Numbers) -> Ints:
    """The cells of an assignment of the largest total weight; weights are positive.

    Whole numbers are added exactly. Where several assignments are best, it is always the same one
    of them that is found for the same cells.

    >>> assign(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([3, 2, 2])).tolist()
    [1, 2]
    """
    if len(weight) <= _FEW or (weight.dtype.kind != "f" and int(weight.max()) >= _EXACT):
        cells = _by_lists(row.tolist(), column.tolist(), weight.tolist())
        return np.array(cells, dtype=np.int64)
    return _by_arrays(_numbered(row), _numbered(column), weight.astype(np.float64))


def assign_lists(
    rows: Sequence[int], columns: Sequence[int], weights: Sequence[float]
) -> list[int]:
    """What `assign` finds, from lists to a list: for a document, without the cost of arrays.

    >>> assign_lists([0, 0, 1], [0, 1, 0], [3, 2, 2])
    [1, 2]
    """
    if len(weights) <= _FEW:
        return _by_lists(rows, columns, weights)
    cells: list[int] = assign(np.array(rows), np.array(columns), np.array(weights)).tolist()
    return cells


# A few cells, in lists


def _by_lists(rows: Sequence[int], columns: Sequence[int], weights: Sequence[float]) -> list[int]:
    chosen: list[int] = []
    cells: Sequence[int] = range(len(weights))
    while cells:
        # The first best cell of each line, and the weights of it and of the next best one.
        row_cell: dict[int, int] = {}
        row_next: dict[int, float] = {}
        column_cell: dict[int, int] = {}
        column_next: dict[int, float] = {}
        for cell in cells:
            i, j, w = rows[cell], columns[cell], weights[cell]
            if i not in row_cell:
                row_cell[i] = cell
                row_next[i] = 0
            elif w > weights[row_cell[i]]:
                row_next[i] = weights[row_cell[i]]
                row_cell[i] = cell
            elif w > row_next[i]:
                row_next[i] = w
            if j not in column_cell:
                column_cell[j] = cell
                column_next[j] = 0
            elif w > weights[column_cell[j]]:
                column_next[j] = weights[column_cell[j]]
                column_cell[j] = cell
            elif w > column_next[j]:
                column_next[j] = w
        picked = [
            cell
            for i, cell in row_cell.items()
            if column_cell[j := columns[cell]] == cell
            and weights[cell] >= row_next[i] + column_next[j]
        ]
        if len(picked) <= len(cells) // 32:  # going on would take many rounds
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


def _search_few(
    cells: Sequence[int], rows: Sequence[int], columns: Sequence[int], weights: Sequence[float]
) -> list[int]:
    """The best assignment of some cells."""
    by_row: dict[int, list[int]] = {}
    number: dict[int, int] = {}
    for cell in cells:
        by_row.setdefault(rows[cell], []).append(cell)
        number.setdefault(columns[cell], len(number))
    order = [cell for line in by_row.values() for cell in line]
    starts = [0, *accumulate(map(len, by_row.values()))]
    column = [number[columns[cell]] for cell in order]
    weight = [weights[cell] for cell in order]
    owner = [-1] * len(number)
    held = [-1] * len(by_row)
    u: list[float] = []
    for i, (start, stop) in enumerate(pairwise(starts)):
        best = max(weight[start:stop])
        u.append(best)
        for place in range(start, stop):
            if weight[place] == best and owner[column[place]] < 0:
                owner[column[place]] = i
                held[i] = place
                break
    v: list[float] = [0] * len(number)
    free = [i for i, cell in enumerate(held) if cell < 0]
    _search(starts, column, weight, u, v, owner, held, free)
    return [order[place] for place in held if place >= 0]


def _search(
    starts: Sequence[int],
    columns: Sequence[int],
    weights: Sequence[float],
    u: list[float],
    v: list[float],
    owner: list[int],
    held: list[int],
    free_rows: Sequence[int],
) -> int:
    """Let free rows find the cheapest path of alternating cells, and swap these.

    The cells of row i are those from `starts[i]` to before `starts[i + 1]`; `held[i]` is the one
    that it holds, `owner[j]` the row that holds column j, or -1. `u` and `v` are the potentials of
    rows and columns: u + v is nowhere less than the weight, equals it in the cells held, and v is 0
    for free columns. A path ends in a free column or in a row that is better left alone. The number
    of rows that were looked at is given back.
    """
    distance = [_INFINITY] * len(v)
    looked_at = 0
    for free in free_rows:
        via: dict[int, tuple[int, int]] = {}
        passed: list[tuple[int, float]] = [(free, 0)]
        settled: list[tuple[int, float]] = []
        heap: list[tuple[float, int]] = []
        best, end_row, end_column = u[free], free, -1
        i = free
        reached: float = 0
        while True:
            base = reached + u[i]
            start, stop = starts[i], starts[i + 1]
            for cell, j, w in zip(
                range(start, stop), columns[start:stop], weights[start:stop], strict=True
            ):
                cost = base + v[j] - w
                if cost < best and cost < distance[j]:
                    distance[j] = cost
                    via[j] = (i, cell)
                    if owner[j] < 0:
                        best, end_column = cost, j
                    else:
                        heappush(heap, (cost, j))
            # A column is in the heap once for every time that it came nearer.
            while heap and heap[0][0] > distance[heap[0][1]]:
                heappop(heap)
            if not heap or heap[0][0] >= best:
                break
            reached, j = heappop(heap)
            settled.append((j, reached))
            distance[j] = -_INFINITY  # rounding must not bring it nearer once more
            i = owner[j]
            passed.append((i, reached))
            if reached + u[i] < best:
                best, end_row, end_column = reached + u[i], i, -1
        looked_at += len(passed)
        for i, at in passed:
            u[i] -= best - at
        for j, at in settled:
            v[j] += best - at
        for j in via:
            distance[j] = _INFINITY
        if end_column >= 0:
            j = end_column
        elif end_row != free:  # this one is left alone, and its column passed on
            j = columns[held[end_row]]
            held[end_row] = -1
        else:
            continue
        while True:
            i, cell = via[j]
            held[i], before = cell, held[i]
            owner[j] = i
            if before < 0:
                break
            j = columns[before]
    return looked_at


def _grow(
    starts: Sequence[int],
    columns: Sequence[int],
    weights: Sequence[float],
    u: list[float],
    v: list[float],
    owner: list[int],
    held: list[int],
    rows: Sequence[int],
    firsts: Sequence[int],
    by_column: Sequence[int],
) -> None:
    """What `_search` does, for all free rows at once.

    `rows` has the row of each cell, and the cells of column j are those in `by_column` from
    `firsts[j]` to before `firsts[j + 1]`. A tree of alternating cells grows from each free row, in
    all of them at one pace: in one unit of time u falls by one in the rows of trees, and v rises by
    one in their columns. When the first tree comes to an end its path is swapped and its lines
    leave, to be reached by other trees; these stay as they are.
    """
    tree = [-1] * len(u)  # the free row from which the tree grows that a row is in
    members = {i: [i] for i, cell in enumerate(held) if cell < 0 < u[i]}
    for i in members:
        tree[i] = i
    via = [-1] * len(v)
    # In trees u and v are what they would have been at time 0, so that time need not change them:
    # a cell is tight when the time is u + v - weight, a row is worth nothing when it is u.
    now: float = 0
    joined = deque(members)
    lowest = {i: u[i] for i in members}  # a tree leaves as a whole, so only its least u matters
    ends = [(u[i], i) for i in members]
    heapify(ends)
    # The nearest cell, at its time, for each column that a tree is about to reach.
    offer = [_INFINITY] * len(v)
    heap: list[tuple[float, int]] = []

    def join(i: int, j: int, root: int) -> None:
        """Row i comes into the tree by its column j."""
        tree[i] = root
        members[root].append(i)
        v[j] -= now
        u[i] += now
        if u[i] < lowest[root]:
            lowest[root] = u[i]
            heappush(ends, (u[i], i))
        joined.append(i)

    while True:
        end_row = end_column = -1
        if joined:
            i = joined.popleft()
            root = tree[i]
            if root < 0:
                continue
            potential = u[i]
            start, stop = starts[i], starts[i + 1]
            for cell, j, w in zip(
                range(start, stop), columns[start:stop], weights[start:stop], strict=True
            ):
                other = owner[j]
                if other >= 0 and tree[other] >= 0:
                    continue
                time = potential + v[j] - w
                if time <= now:
                    via[j] = cell
                    offer[j] = _INFINITY
                    if other < 0:
                        end_column = j
                        break
                    join(other, j, root)
                elif time < offer[j]:
                    offer[j] = time
                    heappush(heap, (time, cell))
            if end_column < 0:
                continue
        elif not heap or ends[0][0] <= heap[0][0]:
            time, i = heappop(ends)
            root = tree[i]
            if root < 0 or u[i] != time:  # it has left since
                continue
            now = max(now, time)
            end_row = i
        else:
            time, cell = heappop(heap)
            j = columns[cell]
            if time != offer[j]:
                continue
            root = tree[rows[cell]]
            if root < 0 or u[rows[cell]] + v[j] - weights[cell] != time:
                # The row that offered this has left; another one may be next.
                nearest, cell = _nearest(j, rows, weights, firsts, by_column, u, v, tree)
                if nearest > time:
                    offer[j] = nearest
                    if cell >= 0:
                        heappush(heap, (nearest, cell))
                    continue
                root = tree[rows[cell]]
            now = max(now, time)
            via[j] = cell
            offer[j] = _INFINITY
            other = owner[j]
            if other >= 0:
                join(other, j, root)
                continue
            end_column = j
        # The tree is at an end, in a free column or in a row that is better left alone.
        left = []
        for i in members.pop(root):
            tree[i] = -1
            if i == root:
                u[i] -= now
            else:
                j = columns[held[i]]
                v[j] += now
                u[i] = weights[held[i]] - v[j]
                left.append(j)
        if end_row < 0:
            j = end_column
            left.append(j)
        else:
            u[end_row] = 0
            j = columns[held[end_row]] if end_row != root else -1
            held[end_row] = -1
        while j >= 0:
            cell = via[j]
            i = rows[cell]
            before, held[i] = held[i], cell
            owner[j] = i
            u[i] = weights[cell] - v[j]
            j = columns[before] if before >= 0 else -1
        if not members:
            return
        for j in left:
            nearest, cell = _nearest(j, rows, weights, firsts, by_column, u, v, tree)
            if cell >= 0:
                offer[j] = max(nearest, now)
                heappush(heap, (offer[j], cell))


def _nearest(
    j: int,
    rows: Sequence[int],
    weights: Sequence[float],
    firsts: Sequence[int],
    by_column: Sequence[int],
    u: Sequence[float],
    v: Sequence[float],
    tree: Sequence[int],
) -> tuple[float, int]:
    """The time at which a tree reaches a column, and the cell in which it does; -1 if none does."""
    nearest, found = _INFINITY, -1
    price = v[j]
    for cell in by_column[firsts[j] : firsts[j + 1]]:
        i = rows[cell]
        if tree[i] >= 0:
            time = u[i] + price - weights[cell]
            if time < nearest:
                nearest, found = time, cell
    return nearest, found


# Many cells, in arrays


def _numbered(line: Ints) -> Ints:
    """Lines as numbers from 0, without gaps."""
    low, high = int(line.min()), int(line.max())
    if high - low > 4 * len(line):
        return np.unique(line, return_inverse=True)[1].astype(np.int64, copy=False)
    line = line - low
    used = np.zeros(high - low + 1, dtype=np.bool_)
    used[line] = True
    return (np.cumsum(used) - 1)[line]


def _by_arrays(row: Ints, column: Ints, weight: Floats) -> Ints:
    """The best assignment of many cells, in order."""
    chosen = np.zeros(len(weight), dtype=np.bool_)
    cells = np.arange(len(weight))
    while len(cells) > _FEW:
        picked = _dominant(row, column, weight)
        if len(picked) <= len(cells) // 32:  # going on would take many rounds
            chosen[cells[_by_components(row, column, weight)]] = True
            return np.flatnonzero(chosen)
        chosen[cells[picked]] = True
        row_left = np.ones(int(row.max()) + 1, dtype=np.bool_)
        row_left[row[picked]] = False
        column_left = np.ones(int(column.max()) + 1, dtype=np.bool_)
        column_left[column[picked]] = False
        left = np.flatnonzero(row_left[row] & column_left[column])
        cells, weight = cells[left], weight[left]
        row, column = row[left], column[left]
        if left.size:
            row, column = _numbered(row), _numbered(column)
    chosen[cells[_by_lists(row.tolist(), column.tolist(), weight.tolist())]] = True
    return np.flatnonzero(chosen)


def _dominant(row: Ints, column: Ints, weight: Floats) -> Ints:
    """Cells worth as much as the best other cells of their row and of their column together.

    Only the first of the best cells of a line is looked at, so no two of them share one.
    """
    row_best, row_next = _two_best(row, weight)
    column_best, column_next = _two_best(column, weight)
    cells = row_best[row_best >= 0]
    cells = cells[column_best[column[cells]] == cells]
    safe = weight[cells] >= row_next[row[cells]] + column_next[column[cells]]
    return np.compress(safe, cells)


def _two_best(line: Ints, weight: Floats) -> tuple[Ints, Floats]:
    """The first best cell of each line, -1 if there is none, and the weight of the next, or 0."""
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
    """The best assignment of cells of which few are dominant."""
    rows = int(row.max()) + 1
    column = column + rows  # rows and columns are the nodes of one graph
    nodes = int(column.max()) + 1
    label = _components(row, column, nodes)
    component = label[row]
    cells_in = np.bincount(component, minlength=nodes)
    rows_in = np.bincount(label[:rows], minlength=nodes)
    columns_in = np.bincount(label[rows:], minlength=nodes)
    # Paths start from the side with fewer lines; where these are the columns, the sides change.
    turned = (rows_in > columns_in)[component]
    row, column = np.where(turned, column, row), np.where(turned, row, column)
    dense = (np.minimum(rows_in, columns_in) >= _BROAD) & (
        rows_in * columns_in <= _DENSE * cells_in
    )
    in_dense = dense[component]
    chosen: list[Ints] = []
    cells = np.flatnonzero(in_dense)
    if cells.size:
        cells = cells[np.argsort(component[cells], kind="stable")]
        for part in np.split(cells, np.flatnonzero(np.diff(component[cells])) + 1):
            found = _dense(_numbered(row[part]), _numbered(column[part]), weight[part])
            chosen.append(part[found])
    cells = np.flatnonzero(~in_dense)
    if cells.size:
        found = _sparse(_numbered(row[cells]), _numbered(column[cells]), weight[cells])
        chosen.append(cells[found])
    return np.concatenate(chosen)


def _components(one: Ints, other: Ints, count: int) -> Ints:
    """For each of `count` nodes the least node that it is connected with by the edges given."""
    label = np.arange(count)
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
    return label


def _sparse(row: Ints, column: Ints, weight: Floats) -> Ints:
    """The best assignment of the cells of sparse components."""
    order = np.argsort(row, kind="stable")
    row, column, weight = row[order], column[order], weight[order]
    rows, columns = int(row[-1]) + 1, int(column.max()) + 1
    starts = np.searchsorted(row, np.arange(rows + 1))
    sizes = np.diff(starts)

    def offers(
        bidding: Ints, price: Floats, rank: Ints
    ) -> tuple[Ints, Ints, Floats, Floats, Floats]:
        length = sizes[bidding]
        ends = np.cumsum(length)
        firsts = ends - length
        cells = np.arange(int(ends[-1])) + np.repeat(starts[bidding] - firsts, length)
        value = weight[cells] - price[column[cells]]
        best = np.maximum.reduceat(value, firsts)
        place = np.flatnonzero(value == np.repeat(best, length))
        bidder = np.searchsorted(ends, place, "right")
        place = place[np.lexsort((rank[column[cells[place]]], bidder))]
        place = place[np.unique(bidder, return_index=True)[1]]
        value[place] = 0
        second = np.maximum.reduceat(value, firsts)
        cell = cells[place]
        return cell, column[cell], weight[cell], best, second

    price, owner, held = _bid(rows, columns, len(row), offers)
    gain = np.maximum(np.maximum.reduceat(weight - price[column], starts[:-1]), 0)
    free: list[int] = np.flatnonzero((held < 0) & (gain > 0)).tolist()
    if free:
        holding = held.tolist()
        table = (
            starts.tolist(), column.tolist(), weight.tolist(), gain.tolist(), price.tolist(),
            owner.tolist(), holding,
        )  # fmt: skip
        while free:
            some, free = free[:_TOGETHER], free[_TOGETHER:]
            looked_at = _search(*table, some) / len(some)
            # Trees look at every row, and again at the n-th part of them when n trees are left; and
            # with a row they have more to do.
            if len(free) * looked_at > _TREES * rows * (1 + log(len(free) + 1)):
                by_column = np.argsort(column, kind="stable")
                firsts = np.searchsorted(column[by_column], np.arange(columns + 1))
                _grow(*table, row.tolist(), firsts.tolist(), by_column.tolist())
                break
        held = np.array(holding)
    return order[held[held >= 0]]


def _dense(row: Ints, column: Ints, weight: Floats) -> Ints:
    """The best assignment of the cells of one component, by a matrix with 0 where there is none."""
    rows, columns = int(row.max()) + 1, int(column.max()) + 1
    matrix = np.zeros((rows, columns))
    np.maximum.at(matrix, (row, column), weight)

    def offers(
        bidding: Ints, price: Floats, rank: Ints
    ) -> tuple[Ints, Ints, Floats, Floats, Floats]:
        value = matrix[bidding] - price
        line = np.arange(len(bidding))
        best = value.max(axis=1)
        target = np.where(value == best[:, None], rank, columns).argmin(axis=1)
        value[line, target] = 0
        return target, target, matrix[bidding, target], best, value.max(axis=1)

    price, owner, held = _bid(rows, columns, rows * columns, offers)
    gain = np.maximum((matrix - price).max(axis=1), 0)
    for free in np.flatnonzero((held < 0) & (gain > 0)).tolist():
        _search_dense(free, matrix, gain, price, owner, held)
    cells = np.flatnonzero((held[row] == column) & (matrix[row, column] == weight))
    return cells[np.unique(row[cells], return_index=True)[1]]


def _bid(
    rows: int,
    columns: int,
    cells: int,
    offers: Callable[[Ints, Floats, Ints], tuple[Ints, Ints, Floats, Floats, Floats]],
) -> tuple[Floats, Ints, Ints]:
    """Prices of the columns, their owners, and the cells that rows hold, after rounds of bidding.

    In a round every free row bids for its best column as much as leaves it no better off than its
    second best, or than nothing; each column goes to the highest bid, of equal ones to the first
    row, and sets its former owner free. `offers` gives for rows, at prices, the best cell, its
    column and weight, and what it and the second best are worth beyond their price; of equally good
    columns the one of the lowest rank. What a row holds is always worth most to it at the prices
    there are, and a column that nobody has costs nothing, so whenever this stops, paths can go on.
    """
    price = np.zeros(columns)
    owner = np.full(columns, -1, dtype=np.int64)
    held = np.full(rows, -1, dtype=np.int64)
    bidding = np.arange(rows)
    # Rows to which two columns are worth the same bid without a change of price. They drive each
    # other around until one comes upon a free column, each time in another direction.
    mixed = np.arange(columns) * 40503 % 65537 % columns
    work, rounds, limit, aim = 0, 0, 16 * cells + 2**16, rows // 8
    while len(bidding) > 8:
        if work >= limit:
            # It goes on as long as it goes well, unless there are so many free columns that paths
            # to them are short.
            if not np.count_nonzero(owner < 0) // 4 < len(bidding) <= aim:
                break
            limit, aim = work + 16 * cells, len(bidding) // 2
        rank = np.where(owner < 0, -1, np.roll(mixed, rounds))
        cell, target, weight, best, second = offers(bidding, price, rank)
        bid = weight - np.maximum(second, 0)
        goes = best > 0  # to the others nothing is worth its price any more
        work += len(bidding) * cells // rows + 2**12  # also a small round costs something
        rounds += 1
        bidding, cell, target, bid = bidding[goes], cell[goes], target[goes], bid[goes]
        order = np.lexsort((bidding, -bid, target))
        won = order[np.unique(target[order], return_index=True)[1]]
        taken, winner = target[won], bidding[won]
        loser = owner[taken]
        loser = loser[loser >= 0]
        held[loser] = -1
        held[winner] = cell[won]
        owner[taken] = winner
        price[taken] = bid[won]
        lost = np.ones(len(bidding), dtype=np.bool_)
        lost[won] = False
        bidding = np.concatenate([bidding[lost], loser])
    return price, owner, held


def _search_dense(free: int, matrix: Floats, u: Floats, v: Floats, owner: Ints, held: Ints) -> None:
    """Find the shortest path from a free row in a full matrix, and swap its cells."""
    free_columns = np.flatnonzero(owner < 0)
    price = v.copy()  # that of the columns passed becomes infinite
    distance = np.full(len(v), np.inf)
    via = np.full(len(v), free)
    passed_rows, row_distance, passed_columns = [free], [0.0], []
    best, end_row, end_column = float(u[free]), free, -1
    i, reached = free, 0.0
    while True:
        cost = price - matrix[i]
        cost += reached + u[i]
        nearer = cost < distance
        np.copyto(distance, cost, where=nearer)
        via[nearer] = i
        if free_columns.size:
            ends = distance[free_columns]
            place = int(ends.argmin())
            if ends[place] < best:
                best, end_column = float(ends[place]), int(free_columns[place])
                end_row = -1
        j = int(distance.argmin())
        if distance[j] >= best:
            break
        reached = float(distance[j])
        passed_columns.append(j)
        row_distance.append(reached)
        distance[j] = price[j] = np.inf
        i = int(owner[j])
        passed_rows.append(i)
        if reached + u[i] < best:
            best, end_row, end_column = reached + float(u[i]), i, -1
    u[passed_rows] -= best - np.array(row_distance)
    v[passed_columns] += best - np.array(row_distance[1:])
    if end_column >= 0:
        j = end_column
    elif end_row != free:
        j = int(held[end_row])
        held[end_row] = -1
    else:
        return
    while True:
        i = int(via[j])
        held[i], before = j, int(held[i])
        owner[j] = i
        if before < 0:
            return
        j = before


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
