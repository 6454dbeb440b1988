"""Connected components by SQL, compared with union-find.

DuckDB is tested on many small random graphs, and on large ones with difficult shapes. The same SQL
on Spark is tested in tests/engines/test_spark.py, which has a session.
"""

import math
import random
from collections.abc import Callable, Iterable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from effort import examples
from sameas.run.engines.components import components

duckdb = pytest.importorskip("duckdb")

unhurried = settings(deadline=None)  # machines may be slow

LEAST, GREATEST = -(2**63), 2**63 - 1

Edges = list[tuple[int, int]]


def labels(edges: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Return the least vertex of the component of each vertex."""
    parents: dict[int, int] = {}

    def root(vertex: int) -> int:
        parents.setdefault(vertex, vertex)
        while parents[vertex] != vertex:
            parents[vertex] = parents[parents[vertex]]
            vertex = parents[vertex]
        return vertex

    for a, b in edges:
        a, b = root(a), root(b)
        parents[max(a, b)] = min(a, b)
    return {vertex: root(vertex) for vertex in parents}


def _tangle(n: int) -> Edges:
    """Generate edges as in a contingency table: many small components and possibly a large one."""
    chance = random.Random(n)
    return [(chance.randrange(n), -1 - chance.randrange(n)) for _ in range(n)]


SHAPES: dict[str, Callable[[int], Edges]] = {
    "path": lambda n: [(i, i + 1) for i in range(n)],
    "ring": lambda n: [(i, (i + 1) % n) for i in range(n)],
    "star": lambda n: [(0, i) for i in range(1, n)],
    "stars in a row": lambda n: (
        [(i // 10 * 10, i) for i in range(n)] + [(i, i + 19) for i in range(0, n - 19, 10)]
    ),
    "clique": lambda n: [(i, j) for i in range(n // 10) for j in range(i)],
    "cliques": lambda n: [(i, j) for i in range(n) for j in range(i // 6 * 6, i)],
    "comb": lambda n: [(i, i + 2) for i in range(0, n, 2)] + [(i, i + 1) for i in range(0, n, 2)],
    "tree": lambda n: [(i, 2 * i) for i in range(1, n)] + [(i, 2 * i + 1) for i in range(1, n)],
    "pairs": lambda n: [(2 * i, 2 * i + 1) for i in range(n)],
    "loops": lambda n: [(i, i) for i in range(n)] + [(0, n)],
    "zigzag": lambda n: [(i, n + i) for i in range(n)] + [(i + 1, n + i) for i in range(n)],
    "tangle": _tangle,
}


class Little:
    """DuckDB with the four methods of a database, and a list of the existing relations."""

    def __init__(self):
        self.connection = duckdb.connect(config={"threads": 1})

    def run(self, sql):
        self.connection.execute(sql)

    def rows(self, sql):
        return self.connection.execute(sql).fetchnumpy()

    def create(self, name, sql):
        self.run(f"CREATE OR REPLACE TEMP TABLE {name} AS {sql}")

    def drop(self, name):
        self.run(f"DROP TABLE IF EXISTS {name}")

    def names(self):
        return sorted(row[0] for row in self.connection.execute("SHOW TABLES").fetchall())


@pytest.fixture(scope="module")
def database():
    database = Little()
    with database.connection:
        yield database


def connected(database: Little, edges: Edges, small: int = 0) -> tuple[dict[int, int], int]:
    """Return the label of each vertex found by the database, and the number of rounds."""
    database.run("CREATE OR REPLACE TEMP TABLE edges (a BIGINT, b BIGINT)")
    if edges:
        values = ", ".join(f"({a}, {b})" for a, b in edges)
        database.run(f"INSERT INTO edges VALUES {values}")
    rounds = components(database, small=small)
    assert database.names() == ["components", "edges"]
    found = database.rows("SELECT vertex, component FROM components")
    vertices = found["vertex"].tolist()
    assert len(vertices) == len(set(vertices))  # every vertex has one label
    return dict(zip(vertices, found["component"].tolist(), strict=True)), rounds


any_number = st.integers(LEAST, GREATEST)
few_numbers = st.one_of(st.integers(-4, 12), st.sampled_from([LEAST, LEAST + 1, 0, GREATEST]))
random_edges = st.one_of(
    st.lists(st.tuples(few_numbers, few_numbers), max_size=30),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=60),
    st.lists(st.tuples(any_number, any_number), max_size=10),
)


@pytest.mark.long
@given(edges=random_edges)
@example(edges=[])
@example(edges=[(0, 0)])
@example(edges=[(LEAST, GREATEST), (GREATEST, LEAST), (0, -1), (0, 0)])
@example(edges=[(1, 3), (2, 3), (2, 4)])  # 1 and 2 are both less than all their neighbours
@settings(unhurried, max_examples=examples(200))
def test_labels_are_those_of_a_union_find(database, edges):
    found, rounds = connected(database, edges)
    assert found == labels(edges)
    assert connected(database, edges, small=5)[0] == connected(database, edges, 1000)[0] == found
    assert rounds <= max(1, math.log2(max(len(found), 1)))


@pytest.mark.long
@given(edges=random_edges, chance=st.randoms(use_true_random=False))
@settings(unhurried, max_examples=examples(50))
def test_order_direction_and_repetition_of_edges_change_nothing(database, edges, chance):
    again = [pair if chance.random() < 0.5 else pair[::-1] for pair in edges + edges[::3]]
    chance.shuffle(again)
    assert connected(database, again) == connected(database, edges)


@pytest.mark.long
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("named", ["in order", "backwards", "at random"])
def test_shapes(database, shape, named):
    chance = random.Random(shape)
    edges = SHAPES[shape](300)
    vertices = sorted({vertex for edge in edges for vertex in edge})
    numbers = {
        "in order": vertices,
        "backwards": vertices[::-1],
        "at random": [chance.randint(LEAST, GREATEST) for _ in vertices],
    }[named]
    renamed = dict(zip(vertices, numbers, strict=True))
    edges = [(renamed[a], renamed[b]) for a, b in edges]
    found, rounds = connected(database, edges)
    assert found == labels(edges)
    assert rounds <= math.log2(len(vertices))


class Counting(Little):
    """A database that also counts the relations created."""

    made = 0

    def create(self, name, sql):
        self.made += 1
        super().create(name, sql)


@pytest.mark.long
@pytest.mark.parametrize("order", ["vertex", "(vertex * 7919) % 1000003", "hash(vertex) // 2"])
def test_a_path_of_a_million_vertices_takes_few_steps(order):
    database = Counting()
    with database.connection:
        database.create(
            "path",
            f"SELECT vertex, CAST({order} AS BIGINT) AS named FROM range(1000000) AS r(vertex)",
        )
        database.create(
            "edges",
            "SELECT one.named AS a, two.named AS b FROM path AS one "
            "JOIN path AS two ON two.vertex = one.vertex + 1",
        )
        database.made = 0
        rounds = components(database, small=0)
        assert rounds <= 20
        assert database.made <= 100
        found = database.rows(
            "SELECT count(*) AS n, min(component) AS a, max(component) AS b FROM components"
        )
        assert found["n"] == 1_000_000
        assert found["a"] == found["b"] == database.rows("SELECT min(named) AS n FROM path")["n"]


def test_other_names_can_be_given():
    database = Little()
    with database.connection:
        database.run("CREATE TEMP TABLE pairs AS SELECT 2 AS a, 1 AS b")
        components(database, "pairs", "found")
        assert database.names() == ["found", "pairs"]
        assert database.rows("SELECT component FROM found")["component"].tolist() == [1, 1]
