"""Connected components of a graph of any size in a database.

The graph is a relation of edges, and SQL in the database does the work; only counts and the last
few edges are fetched. The SQL uses only what DuckDB and Spark interpret in the same way: joins,
groups and minima. There is no arithmetic on vertices, so they may be any 64-bit numbers.

The method is that of Hirschberg, Chandra & Sarwate (1979, "Computing connected components on
parallel computers"). A round has three steps:

1. The parent of every vertex is its least neighbour. This gives trees, each of which ends in two
   vertices that are each other's parents; the lesser one becomes the root.
2. Every vertex replaces its parent with its parent's parent until all parents are roots. Each step
   doubles the distance, so a path of a million vertices needs twenty steps.
3. Trees become the vertices of the next round, and the edges between trees become its edges.

Every tree has at least two vertices, so a round leaves at most half of them: n vertices need at
most log2 n rounds, usually a handful, and each round is smaller than the one before. The least
vertex of a component and its least neighbour are each other's parents, so this vertex is a root in
every round and names the component. Nothing is random. The labels depend only on the edges, not on
their order, the engine or the number of machines, and results lost by a failed machine can be
recomputed.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, repeat
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from sameas.arithmetic.forest import connected

__all__ = ["Database", "components"]


class Database(Protocol):
    """An engine that runs SQL, with four methods.

    >>> import numpy as np
    >>> class Recorder:
    ...     def run(self, sql): print(sql)
    ...     def rows(self, sql): return {"n": np.array([0])}
    ...     def create(self, name, sql): print(f"{name}: {sql}")
    ...     def drop(self, name): print(f"drop {name}")
    >>> database: Database = Recorder()
    >>> database.create("one", "SELECT 1 AS n")
    one: SELECT 1 AS n
    """

    def run(self, sql: str) -> None:
        """Run a statement that returns nothing."""

    def rows(self, sql: str) -> Mapping[str, npt.NDArray[Any]]:
        """Return the columns of a query's result, keyed by name."""

    def create(self, name: str, sql: str) -> None:
        """Compute a query and store its rows as the relation `name`; overwrite an existing one."""

    def drop(self, name: str) -> None:
        """Drop a relation; dropping a missing one is a no-op."""


def components(
    database: Database,
    edges: str = "edges",
    name: str = "components",
    *,
    small: int = 1000,
    temporary: bool = False,
) -> int:
    """Label connected components: compute `name(vertex, component)` from a relation `edges(a, b)`.

    Vertices are BIGINT numbers, never NULL. Edges have no direction, may be repeated, and may join
    a vertex to itself, which is how to include a vertex without neighbours. A component's name is
    its least vertex. When at most `small` edges are left, they are processed here, which is faster
    than a query. Intermediate relations named `name_…` are created and dropped; the edges are
    dropped, too, if they are `temporary`. Return the number of rounds in the database.

    >>> from sameas.run.engines.duckdb import DuckDB, load_duckdb
    >>> database = DuckDB(load_duckdb().connect())
    >>> database.create("edges", "SELECT * FROM (VALUES (7, 3), (5, 7), (4, 4)) AS edges(a, b)")
    >>> components(database)
    0
    >>> found = database.rows("SELECT vertex, component FROM components ORDER BY vertex")
    >>> found["vertex"].tolist(), found["component"].tolist()
    ([3, 4, 5, 7], [3, 4, 3, 3])
    """
    left = _number(database, f"SELECT count(*) AS n FROM {edges}")
    if left <= small:
        found = _connect(database.rows(f"SELECT a, b FROM {edges}")) if left else _NONE
        database.create(name, found)
        if temporary:
            database.drop(edges)
        return 0
    tree = _grow(database, edges, f"{name}_tree")
    fewer, labels = f"{name}_edges", f"{name}_"
    database.create(fewer, _CONTRACT.format(edges=edges, tree=tree))
    if temporary:
        database.drop(edges)
    rounds = components(database, fewer, labels, small=small, temporary=True)
    # A vertex is in the component of its tree.
    database.create(name, _LABEL.format(tree=tree, labels=labels))
    for used in (tree, labels):
        database.drop(used)
    return rounds + 1


def _connect(edges: Mapping[str, npt.NDArray[Any]]) -> str:
    """Solve a few edges in memory, and return a query that yields their components."""
    ends = np.stack([edges["a"], edges["b"]])
    vertices, numbers = np.unique(ends, return_inverse=True)
    groups = connected(len(vertices), zip(*numbers.reshape(2, -1).tolist(), strict=True))
    least: dict[int, int] = {}  # the first vertex of each group, because vertices are sorted
    rows = ", ".join(
        f"({vertex}, {least.setdefault(group, vertex)})"
        for vertex, group in zip(vertices.tolist(), groups, strict=True)
    )
    return _FEW.format(rows=rows)


def _grow(database: Database, edges: str, tree: str) -> str:
    """Create the relation `(vertex, parent)`, whose parents are roots, and return its name."""
    old, new = f"{tree}_a", f"{tree}_b"
    database.create(new, _PARENT.format(edges=edges))
    moved = "SELECT coalesce(max(moved), 0) AS n FROM {tree}"
    for step in chain([_ROOT], repeat(_JUMP)):
        old, new = new, old
        database.create(new, step.format(tree=old))
        # There is always at least one jump, which checks whether all parents are roots already.
        if step is _JUMP and not _number(database, moved.format(tree=new)):
            break
    database.drop(old)
    return new


def _number(database: Database, sql: str) -> int:
    return int(database.rows(sql)["n"][0])


# A vertex without other neighbours is its own parent; this happens only in the first round.
_PARENT = """
SELECT vertex, coalesce(min(CASE WHEN other <> vertex THEN other END), vertex) AS parent
FROM (SELECT a AS vertex, b AS other FROM {edges} UNION ALL SELECT b, a FROM {edges}) AS both_ways
GROUP BY vertex
"""

# If two vertices are each other's parents, the lesser becomes the parent of both. All others get
# their parent's parent, which is nearer to this pair or in it, so no new cycle can arise.
_ROOT = """
SELECT child.vertex, CASE
    WHEN elder.parent <> child.vertex THEN elder.parent
    WHEN child.parent < child.vertex THEN child.parent
    ELSE child.vertex END AS parent
FROM {tree} AS child JOIN {tree} AS elder ON child.parent = elder.vertex
"""

_JUMP = """
SELECT child.vertex, elder.parent,
    CASE WHEN child.parent <> elder.parent THEN 1 ELSE 0 END AS moved
FROM {tree} AS child JOIN {tree} AS elder ON child.parent = elder.vertex
"""

_CONTRACT = """
SELECT DISTINCT
    CASE WHEN one.parent < two.parent THEN one.parent ELSE two.parent END AS a,
    CASE WHEN one.parent < two.parent THEN two.parent ELSE one.parent END AS b
FROM {edges} AS edge
JOIN {tree} AS one ON edge.a = one.vertex
JOIN {tree} AS two ON edge.b = two.vertex
WHERE one.parent <> two.parent
"""

_FEW = """
SELECT CAST(vertex AS BIGINT) AS vertex, CAST(component AS BIGINT) AS component
FROM (VALUES {rows}) AS few(vertex, component)
"""

_NONE = """
SELECT vertex, component
FROM (SELECT CAST(0 AS BIGINT) AS vertex, CAST(0 AS BIGINT) AS component) AS zero
WHERE vertex <> component
"""

_LABEL = """
SELECT tree.vertex, coalesce(labels.component, tree.parent) AS component
FROM {tree} AS tree LEFT JOIN {labels} AS labels ON tree.parent = labels.vertex
"""
