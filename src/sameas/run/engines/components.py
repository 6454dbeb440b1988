"""Connected components of a graph that lies in a database, however large it is.

The graph is a relation of edges, and the work is done by SQL in the database; only counts come out
of it, and a last few edges. The text keeps to what DuckDB and Spark understand in the same way:
joins, groups, least values. There is no arithmetic on vertices, so that any 64-bit numbers will do.

The method is that of Hirschberg, Chandra & Sarwate (1979, "Computing connected components on
parallel computers"). A round has three steps:

1. Every vertex takes its least neighbour for a parent. That makes trees, each of which ends in two
   vertices that took each other; the lesser of them is made the root.
2. Vertices take the parents of their parents until all have the root: a path of a million vertices
   needs twenty such steps, for each doubles the distance.
3. Trees become the vertices of the next round, edges between trees its edges.

Every tree has two vertices at least, so that a round leaves at most half of them: n vertices need
at most log2 n rounds, mostly a handful, and each is smaller than the one before. The least vertex
of a component and its least neighbour take each other; so it is a root in every round, and names
the component. Nothing is random: the labels depend on the edges alone, not on their order, the
engine or the number of machines, and what a failing machine has lost can be computed again.
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
    """What runs SQL: an engine behind four methods.

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
        """Run a statement that gives nothing back."""

    def rows(self, sql: str) -> Mapping[str, npt.NDArray[Any]]:
        """The columns that a query gives, by name."""

    def create(self, name: str, sql: str) -> None:
        """Compute a query now and keep its rows as the relation `name`, in place of an old one."""

    def drop(self, name: str) -> None:
        """Forget a relation; one that is not there is no error."""


def components(
    database: Database,
    edges: str = "edges",
    name: str = "components",
    *,
    small: int = 1000,
    temporary: bool = False,
) -> int:
    """Label connected components: relation `edges(a, b)` to `name(vertex, component)`.

    Vertices are BIGINT numbers, never NULL; edges have no direction, may be repeated, and may join
    a vertex with itself (which is how a vertex without neighbours is given). A component is named
    by its least vertex. When at most `small` edges are left they are looked at here, for a query
    takes longer than that. Returns the number of rounds in the database. Relations called `name_…`
    are made on the way and dropped, and so are the edges, if they are `temporary`.

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
    # The component of a vertex is that of its tree.
    database.create(name, _LABEL.format(tree=tree, labels=labels))
    for used in (tree, labels):
        database.drop(used)
    return rounds + 1


def _connect(edges: Mapping[str, npt.NDArray[Any]]) -> str:
    """The query that gives the components of a few edges."""
    ends = np.stack([edges["a"], edges["b"]])
    vertices, numbers = np.unique(ends, return_inverse=True)
    groups = connected(len(vertices), zip(*numbers.reshape(2, -1).tolist(), strict=True))
    least: dict[int, int] = {}  # of each group: vertices come in order
    rows = ", ".join(
        f"({vertex}, {least.setdefault(group, vertex)})"
        for vertex, group in zip(vertices.tolist(), groups, strict=True)
    )
    return _FEW.format(rows=rows)


def _grow(database: Database, edges: str, tree: str) -> str:
    """Make the relation `(vertex, parent)` whose parents are the roots of trees; give its name."""
    old, new = f"{tree}_a", f"{tree}_b"
    database.create(new, _PARENT.format(edges=edges))
    moved = "SELECT coalesce(max(moved), 0) AS n FROM {tree}"
    for step in chain([_ROOT], repeat(_JUMP)):
        old, new = new, old
        database.create(new, step.format(tree=old))
        # There is always one jump, which sees whether the parents were roots already.
        if step is _JUMP and not _number(database, moved.format(tree=new)):
            break
    database.drop(old)
    return new


def _number(database: Database, sql: str) -> int:
    return int(database.rows(sql)["n"][0])


# A vertex that has only itself is its own parent; this happens in the first round only.
_PARENT = """
SELECT vertex, coalesce(min(CASE WHEN other <> vertex THEN other END), vertex) AS parent
FROM (SELECT a AS vertex, b AS other FROM {edges} UNION ALL SELECT b, a FROM {edges}) AS both_ways
GROUP BY vertex
"""

# Two vertices that took each other get the lesser for a parent, all others their parent's parent;
# that is nearer to the two of their tree or one of them, so that no new circle can come about.
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
