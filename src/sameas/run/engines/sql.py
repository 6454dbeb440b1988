"""Relations of mentions to a result, by SQL that DuckDB and Spark read alike.

The database counts, and nothing else: formulas stay where they are for files, in
`metrics/standard.py`. From two relations `(document, mention, entity)` it makes, one after another,

1. `documents`: those of the key, numbered;
2. `cells (document, i, j, n)`: how many mentions key entity i and response entity j share; j is
   NULL for mentions that the response lacks, i for those that the key lacks. This is the one step
   that looks at every mention; all others see entities and cells only;
3. `key_entities`, `response_entities`: their sizes, how many mentions the other side has too, and
   in how many cells they are;
4. tallies: how often each kind of cell and of entity comes in a document. They are small, come out
   of the database, and are the table from which all metrics follow but CEAF.

For CEAF the graph of cells is cut into components. A cell that is alone in its row and its column
is settled, and so is a star (one row, or one column): its largest cell. Both are told by counting
the cells of rows and columns. The rest gets its components from `components.py`, and comes out of
the database in batches of whole components to be solved (`solving.py`), here or by a cluster's
workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from sameas.arithmetic.arrays import Ints
from sameas.arithmetic.quotients import sum_places, sum_quotients
from sameas.errors import InputError, Problem, UsageError, refuse_problems
from sameas.formats.table.read import LIMIT
from sameas.matching.pairing import nothing_shared
from sameas.metrics.contingency import Table
from sameas.metrics.standard import Columns, ceafm_columns, entity_columns
from sameas.metrics.statistics import METRICS, Statistics, measure
from sameas.metrics.variants import ceaf_sys_columns, without_spurious_singletons
from sameas.notes import SIDES, Note, note_sample
from sameas.results.result import Result, join_results, notes_of
from sameas.run import Plan, run
from sameas.run.engines.components import Database, components
from sameas.run.engines.solving import ASSIGNED, SOLVED, joined_parts, part_of, solve
from sameas.run.engines.sources import Sources
from sameas.sentences import sentence
from sameas.settings import Options, Settings

__all__ = [
    "Engine",
    "Solver",
    "Tell",
    "Workload",
    "assigned",
    "explain_relations",
    "score_on",
    "score_relations",
    "score_tables",
]

Tell = Callable[[str], None]


def _silent(text: str) -> None:
    """Tell nobody."""


Solver = Callable[[Mapping[str, Any], Sequence[str]], dict[str, Ints]]

#: The options that are acted on here; zeros are places in a text, and identifiers have none.
KNOWN = ("singletons", "duplicates", "missing_documents", "scope", "blanc", "average", "zeros")
FETCHED = 2_000_000  # rows of a tally that come out of the database at once
BATCH = 1_000_000  # cells that are solved at once, unless one component has more
BYTES_PER_CELL = 450  # of memory while a batch is solved: most if its components are small


class Engine(Database, Protocol):
    """A database that also has cells solved, and says what it is."""

    name: str  # duckdb, spark
    memory: int | None  # bytes that solving may take; None: no limit known

    @property
    def where(self) -> str:
        """What runs where, in a few words."""

    def solved(self, sql: str, batches: int, function: Solver, metrics: Sequence[str]) -> Ints:
        """The rows that `function` makes of each batch of the query, as columns of one array."""


@dataclass(frozen=True)
class Workload:
    """What there is to be done, and where.

    >>> Workload("duckdb", "here", (5, 5), 1, 5, (2, 2), 3, 3, 0, 0, 0, 0, 0).memory
    0
    """

    engine: str
    where: str
    rows: tuple[int, int]
    documents: int
    largest_document: int
    entities: tuple[int, int]
    cells: int
    alone: int
    stars: int
    star_cells: int
    components: int
    component_cells: int
    largest_component: int

    @property
    def memory(self) -> int:
        """Bytes that solving the largest batch of components takes, about."""
        return BYTES_PER_CELL * max(self.largest_component, min(BATCH, self.component_cells))

    @property
    def sentence(self) -> str:
        """What CEAF needs.

        >>> Workload("duckdb", "", (9, 9), 1, 9, (5, 5), 8, 1, 0, 0, 2, 7, 4).sentence
        'CEAF: 7 cells in 2 components, the largest of 4, take about 1 MB of memory'
        """
        return sentence("ceaf-needs", self.needs)

    @property
    def needs(self) -> dict[str, Any]:
        """What CEAF takes, by name."""
        return {
            "cells": self.component_cells,
            "components": self.components,
            "largest": self.largest_component,
            "memory": megabytes(self.memory),
        }

    def as_dict(self) -> dict[str, Any]:
        """The plan as JSON shows it."""
        return {**self.__dict__, "memory": self.memory}


def score_tables(
    key: Any,
    response: Any,
    metrics: str | Sequence[str] | None,
    options: Options,
    tell: Tell | None,
    **plan: Any,
) -> Result:
    """Return the result of a key and a response on an engine; `plan` are other fields of a plan."""
    told = tell or _silent
    found = Plan.of(key, [response], metrics, options, tell=lambda text, done: told(text), **plan)
    (result,) = run(found)
    return result


def score_on(engine: Any, plan: Plan) -> list[Result]:
    """Score the responses of a plan, one after another."""
    results = []
    for response in plan.responses:
        with engine.sources(plan.key, response) as sources:
            results.append(
                score_relations(
                    engine,
                    sources,
                    plan.settings,
                    plan.metrics,
                    tell=lambda text: plan.tell(text, None),
                    planned=plan.resources.get("planned"),
                )
            )
    return results


def score_relations(
    engine: Engine,
    sources: Sources,
    settings: Settings,
    metrics: Sequence[str],
    *,
    tell: Tell = _silent,
    planned: Callable[[Workload], None] | None = None,
) -> Result:
    """Score the relations `sameas_key` and `sameas_response`.

    Their columns are document, those of `sources.mention`, and entity; missing values are NULL.
    `tell` hears of each step, `planned` of what CEAF needs, or else `tell` does.
    """
    with _begun(_Counting(engine, sources, settings, metrics, tell)) as counting:
        counting.count_cells()
        work = counting.cut() if counting.assigned else None
        if work is not None and work.component_cells:
            (planned or (lambda work: tell(work.sentence)))(work)
            _check_memory(work, engine.memory)
        return counting.result(counting.solve(work))


def explain_relations(
    engine: Engine,
    sources: Sources,
    settings: Settings,
    metrics: Sequence[str],
    *,
    tell: Tell = _silent,
) -> Workload:
    """Say what there is to do to score the relations."""
    with _begun(_Counting(engine, sources, settings, metrics, tell)) as counting:
        counting.count_cells(explain=True)
        return counting.cut()


@contextmanager
def _begun(counting: _Counting) -> Iterator[_Counting]:
    _refuse(counting.settings, counting.metrics)
    try:
        counting.count_rows()
        counting.name_documents()
        yield counting
    finally:
        for name in counting.made:
            counting.engine.drop(name)


def _check_memory(plan: Workload, memory: int | None) -> None:
    """Refuse to begin what needs more memory than there may be."""
    if memory is not None and plan.memory > memory:
        raise UsageError("ceaf-memory", **plan.needs, there=megabytes(memory))


def _refuse(settings: Settings, metrics: Sequence[str]) -> None:
    for name in settings.changed(*KNOWN):
        raise UsageError("engine-setting", name=name, value=getattr(settings, name))
    if settings.scope == "topic":
        raise UsageError("engine-topics")
    for name in metrics:
        if METRICS[name].places:
            raise UsageError("engine-places", metric=name)


def assigned(metrics: Sequence[str]) -> list[str]:
    """Return the metrics whose best assignments of entities are needed, by averages too.

    >>> assigned(["muc", "conll", "ceafm_rn"])
    ['ceafm', 'ceafe']
    """
    needed = {ASSIGNED.get(name) for name in _parts(metrics)}
    return [name for name in dict.fromkeys(ASSIGNED.values()) if name in needed]


def _parts(metrics: Sequence[str]) -> list[str]:
    """The metrics that are measured: those in an average instead of it."""
    parts = [part for name in metrics for part in (METRICS[name].average_of or (name,))]
    return list(dict.fromkeys(parts))


@dataclass
class _Counting:
    """The steps, one after another."""

    engine: Engine
    sources: Sources
    settings: Settings
    metrics: Sequence[str]
    tell: Tell
    made: list[str] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    rows: tuple[int, int] = (0, 0)
    scored: int = 0  # documents
    names: Sequence[str] = ()

    @cached_property
    def assigned(self) -> list[str]:
        return assigned(self.metrics)

    def create(self, name: str, sql: str) -> None:
        self.made.append(f"sameas_{name}")
        self.engine.create(f"sameas_{name}", sql)

    def view(self, name: str, sql: str) -> None:
        self.made.append(f"sameas_{name}")
        self.engine.run(f"CREATE OR REPLACE TEMPORARY VIEW sameas_{name} AS {sql}")

    def drop(self, *names: str) -> None:
        for name in names:
            self.engine.drop(f"sameas_{name}")

    def one(self, sql: str) -> list[int]:
        """The numbers in the only row of a query; NULL is 0."""
        return [int(column[0]) for column in self.engine.rows(sql).values()]

    def count_rows(self) -> None:
        """Look for rows that say too little."""
        self.tell("counting rows")
        problems: list[Problem] = []
        counts = []
        for role, path in zip(("key", "response"), self.sources.paths, strict=True):
            first, *more = self.sources.mention
            place = " AND ".join(f"{name} IS NULL" for name in self.sources.mention)
            wrong = "0"
            if more:
                bad = f"{more[0]} < {first} OR {first} < 0 OR {more[0]} >= {LIMIT}"
                wrong = f"coalesce(sum(CASE WHEN {bad} THEN 1 END), 0)"
            rows, no_document, alone, no_mention, no_entity, turned = self.one(
                _ROWS.format(
                    role=role,
                    first=first,
                    last=self.sources.mention[-1],
                    nothing=place,
                    turned=wrong,
                )
            )
            counts.append(rows)
            if not rows:
                problems.append(Problem("no-rows", path))
            if not self.sources.has_documents:
                alone = 0
            wrong_rows = {
                "rows-document": no_document,
                "rows-mention": no_mention - alone,
                "rows-entity": no_entity - alone,
                "rows-place": turned,
            }
            problems += [Problem(code, path, count=n) for code, n in wrong_rows.items() if n]
        refuse_problems(problems)
        self.rows = (counts[0], counts[1])

    def name_documents(self) -> None:
        """Number the documents of the key, and see which side lacks what."""
        self.tell("naming documents")
        self.create("named", _NAMED)
        key, response, both, key_empty, response_empty, silent = self.one(
            _NAMED_COUNTS.format(silent=_SILENT)
        )
        paths = self.sources.paths
        # A row without a mention says that the document has none, once, and if it has none.
        empty = [
            Problem("rows-empty", path, count=count)
            for count, path in ((key_empty, paths[0]), (response_empty, paths[1]))
            if count
        ]
        if empty:
            raise InputError(empty)
        absent, extra = key - both, response - both
        missing = self.settings.missing_documents
        if missing == "error" and (absent or extra):
            raise InputError(
                [
                    *self._missing("in_response = 0", absent, paths[0], paths[1]),
                    *self._missing("in_key = 0", extra, paths[1], paths[0]),
                ]
            )
        if not both:
            ours, theirs = (self._some(f"in_{side} = 1") for side in SIDES)
            raise InputError([nothing_shared(paths[0], paths[1], ours, theirs)])
        if extra:
            self.notes.append(Note("extra", count=extra, names=self._some("in_key = 0")))
        if absent:
            how = "skip" if missing == "skip" else "empty"
            names = self._some("in_response = 0")
            self.notes.append(Note("missing", count=absent, names=names, how=how))
        if silent:
            self.notes.append(Note("silent", count=silent, names=self._some(_SILENT)))
        self.scored = both if missing == "skip" else key
        kept = "in_key = 1 AND in_response = 1" if missing == "skip" else "in_key = 1"
        self.create("documents", _DOCUMENTS.format(kept=kept))
        self.drop("named")
        if self.settings.scope == "corpus":
            self.names = ["corpus"]
        elif self.sources.has_documents:
            self.names = [str(name) for name in self.engine.rows(_DOCUMENT_NAMES)["name"]]
        else:
            self.names = [self.sources.document]

    def _missing(self, where: str, count: int, here: str, there: str) -> list[Problem]:
        shown = self._some(where)[:3] if count else []
        problems = [Problem("document-absent", here, document=name, there=there) for name in shown]
        if count > len(shown):
            problems.append(Problem("documents-absent", here, count=count - 3, there=there))
        return problems

    def _some(self, where: str) -> list[str]:
        found = self.engine.rows(_SOME_NAMES.format(where=where))["name"]
        return [str(name) for name in found]

    def count_cells(self, explain: bool = False) -> None:
        """Count the cells and the entities."""
        self.tell(f"counting cells of {self.rows[0]:,} and {self.rows[1]:,} mentions")
        scope = "0" if self.settings.scope == "corpus" else "number"
        mention = ", ".join(self.sources.mention)
        self.create("cells", _CELLS.format(mention=mention, scope=scope))
        self._check_repeated()
        self.drop("documents")
        self._count_entities()
        self._note_sample()
        if self.settings.singletons == "drop":
            self._drop_singletons()
        graph = self.create if self.assigned or explain else self.view
        self.tell("counting kinds of cells")
        graph("graph", _GRAPH)
        if self.assigned:
            self.drop("cells")
        for role, size in zip(SIDES, "kr", strict=True):
            self.create(f"{size}_tally", _SIDE_TALLY.format(role=role, size=size))
        # How much of the response the key has matters to one metric only, and makes more rows.
        shared = "r_shared" if "b3_0" in self.metrics else "0"
        self.create("cell_tally", _CELL_TALLY.format(shared=shared))

    def _count_entities(self) -> None:
        self.tell("counting entities")
        self.create("key_entities", _ENTITIES.format(here="i", there="j", size="k"))
        self.create("response_entities", _ENTITIES.format(here="j", there="i", size="r"))

    def _note_sample(self) -> None:
        """Note if one table of records is scored against the truth of some of them."""
        if self.scored == 1 and len(self.sources.mention) == 1:
            self.notes += note_sample(*self.one(_LACKING))

    def _check_repeated(self) -> None:
        again = self.one(_AGAIN)
        for role, path, count in zip(SIDES, self.sources.paths, again, strict=True):
            if not count:
                continue
            mention = ", ".join(self.sources.mention)
            having = "" if self.settings.duplicates == "error" else "AND min(entity) <> max(entity)"
            found = self.engine.rows(_REPEATED.format(role=role, mention=mention, having=having))
            if len(found["name"]):
                raise InputError(_repeated_problems(found, self.sources, path))
            self.notes.append(Note("repeated", role, count, how=self.settings.duplicates))

    def _drop_singletons(self) -> None:
        alone = self.one(_SINGLETONS)
        for role, count in zip(SIDES, alone, strict=True):
            if count:
                self.notes.append(Note("singletons", role, count))
        self.create("larger", _WITHOUT_SINGLETONS)
        self.create("cells", "SELECT * FROM sameas_larger")
        self.drop("larger")
        self._count_entities()

    def cut(self) -> Workload:
        """Cut the graph into components."""
        self.tell("telling stars")
        self.create("shapes", _SHAPES)
        # With singletons put in, CEAFsys has no stars that are settled by their largest cell.
        rest = "shape >= 0" if "ceaf_sys" in self.assigned else "shape = 3"
        self.tell("cutting the rest into components")
        self.create("edges", _EDGES.format(rest=rest))
        components(self.engine, "sameas_edges", "sameas_components")
        self.made.append("sameas_components")
        self.drop("edges")
        self.create("rest", _REST.format(rest=rest))
        self.drop("components")
        key, response = self.one(_ENTITY_COUNTS)
        cells, alone, star_cells, stars = self.one(_SHAPE_COUNTS)
        found, component_cells, largest = self.one(_COMPONENT_COUNTS)
        return Workload(
            self.engine.name,
            self.engine.where,
            self.rows,
            len(self.names),
            self.one(_LARGEST_DOCUMENT)[0],
            (key, response),
            cells,
            alone,
            stars,
            star_cells,
            found,
            component_cells,
            largest,
        )

    def solve(self, plan: Workload | None) -> dict[str, tuple[Ints, Ints, Ints]]:
        """The parts of the sums over the best assignments, by what is solved."""
        if plan is None:
            return {}
        self.tell("assigning entities for CEAF")
        parts: list[Ints] = []
        if plan.component_cells:
            batches = -(-plan.component_cells // BATCH)
            parts.append(self.engine.solved(_BATCHES, batches, solve, self.assigned))
        queries = {name: sql for name, sql in _STARS.items() if name in self.assigned}
        for name, sql in (_SYS if "ceaf_sys" in self.assigned else queries).items():
            found = self.engine.rows(sql)
            parts.append(part_of(name, found["document"], found["numerator"], found["denominator"]))
        document, solved, numerator, denominator = joined_parts(parts)
        return {
            name: (document[here], numerator[here], denominator[here])
            for number, name in enumerate(SOLVED)
            for here in [solved == number]
        }

    def result(self, solved: Mapping[str, tuple[Ints, Ints, Ints]]) -> Result:
        """Fetch the tallies, and measure."""
        self.tell("measuring")
        parts = []
        first = 0
        for last in self._document_ranges():
            table = self._tally(first, last)
            part = self._measure(table, solved, first, last)
            parts.append(Result(part, self.settings, tuple(self.metrics), seen=table.seen))
            first = last
        whole = join_results(parts)
        notes = notes_of(self.notes, len(whole), whole.seen)
        path, problems = self.sources.paths[1], self.sources.problems
        return replace(whole, name=path, notes=notes, problems=problems)

    def _document_ranges(self) -> list[int]:
        """Where to cut the documents so that the tally of each part is not too large."""
        total = self.one("SELECT count(*) AS n FROM sameas_cell_tally")[0]
        if total <= FETCHED or len(self.names) == 1:
            return [len(self.names)]
        found = self.engine.rows(_TALLY_SIZES)
        sizes = np.zeros(len(self.names), dtype=np.int64)
        sizes[found["document"]] = found["n"]
        part = np.cumsum(sizes) // FETCHED
        ends = np.flatnonzero(part[1:] != part[:-1]) + 1
        return [*ends.tolist(), len(self.names)]

    def _tally(self, first: int, last: int) -> Table:
        columns: dict[str, Ints] = {}
        for side in ("cell", "k", "r"):
            home = f"{side}_document"
            found = self.engine.rows(
                f"SELECT * FROM sameas_{side}_tally WHERE {home} >= {first} AND {home} < {last}"
            )
            columns |= {name: np.asarray(part, dtype=np.int64) for name, part in found.items()}
            columns[home] = columns[home] - first
        return Table(documents=self.names[first:last], **columns)

    def _measure(
        self, table: Table, solved: Mapping[str, tuple[Ints, Ints, Ints]], first: int, last: int
    ) -> Statistics:
        wanted = _parts(self.metrics)
        plain = [name for name in wanted if name not in ASSIGNED]
        columns = dict(measure(table, plain).columns)

        def best(name: str) -> tuple[Ints, Ints, Ints]:
            document, numerator, denominator = solved[name]
            here = (document >= first) & (document < last)
            return document[here] - first, numerator[here], denominator[here]

        def whole(name: str) -> Ints:
            document, numerator, _ = best(name)
            return sum_places(numerator, document, last - first)

        def assigned_columns(name: str) -> Columns:
            if name == "ceafm":
                return ceafm_columns(table, whole(name))
            if name == "ceafe":
                return entity_columns(table, sum_quotients(*best(name), last - first))
            if name == "ceaf2":
                return entity_columns(table, whole(name))
            return ceaf_sys_columns(table, whole("ceaf_sys_recall"), whole("ceaf_sys_precision"))

        for name in wanted:
            if name in ASSIGNED:
                found = assigned_columns(ASSIGNED[name])
                plainly = ASSIGNED[name] == name
                columns[name] = found if plainly else without_spurious_singletons(table, found)
        columns |= {name: () for name in self.metrics if METRICS[name].average_of}
        # In the order in which they are measured everywhere.
        order = dict.fromkeys([*self.metrics, *wanted])
        return Statistics(table.documents, {name: columns[name] for name in order})


def _repeated_problems(found: Mapping[str, Any], sources: Sources, path: str) -> list[Problem]:
    problems = []
    for row, document in enumerate(found["name"]):
        mention = "–".join(str(found[name][row]) for name in sources.mention)
        one, other = str(found["one"][row]), str(found["other"][row])
        values = {"document": document, "mention": mention, "one": one, "other": other}
        how = "once" if one == other else "two"
        problems.append(Problem("row-twice", path, how=how, **values))
    return problems


def megabytes(number: int) -> str:
    """An amount of memory in megabytes, rounded up.

    >>> megabytes(1_234_000_000)
    '1,234'
    """
    return f"{-(-number // 1_000_000):,}"


# ---------------------------------------------------------------------------------------------
# The text. It keeps to what both engines read in the same way; whole numbers are BIGINT.
# ---------------------------------------------------------------------------------------------

# A row that has a document and nothing else says that the document has no mentions.
_ROWS = """
SELECT count(*) AS every, count(*) - count(document) AS no_document,
  coalesce(sum(CASE WHEN {nothing} AND entity IS NULL THEN 1 END), 0) AS alone,
  coalesce(sum(CASE WHEN {first} IS NULL OR {last} IS NULL THEN 1 END), 0) AS no_mention,
  count(*) - count(entity) AS no_entity, {turned} AS turned
FROM sameas_{role}
"""

_NAMED = """
SELECT document,
  CASE WHEN count(in_key) > 0 THEN 1 ELSE 0 END AS in_key,
  CASE WHEN count(in_response) > 0 THEN 1 ELSE 0 END AS in_response,
  CAST(coalesce(sum(in_key), 0) AS BIGINT) AS key_mentions,
  CAST(coalesce(sum(in_response), 0) AS BIGINT) AS response_mentions,
  count(in_key) AS key_rows, count(in_response) AS response_rows
FROM (
  SELECT document, CASE WHEN entity IS NULL THEN 0 ELSE 1 END AS in_key, NULL AS in_response
  FROM sameas_key
  UNION ALL
  SELECT document, NULL, CASE WHEN entity IS NULL THEN 0 ELSE 1 END FROM sameas_response
) AS sides
GROUP BY document
"""

_NAMED_COUNTS = """
SELECT sum(in_key) AS of_key, sum(in_response) AS of_response, sum(in_key * in_response) AS of_both,
  sum(CASE WHEN key_rows > 1 THEN key_rows - key_mentions ELSE 0 END) AS key_empty,
  sum(CASE WHEN response_rows > 1 THEN response_rows - response_mentions ELSE 0 END)
    AS response_empty,
  sum(CASE WHEN {silent} THEN 1 ELSE 0 END) AS silent
FROM sameas_named
"""

_SILENT = "key_mentions > 0 AND in_response = 1 AND response_mentions = 0"

_SOME_NAMES = """
SELECT CAST(document AS STRING) AS name FROM sameas_named WHERE {where} ORDER BY document LIMIT 4
"""

_DOCUMENTS = """
SELECT document, row_number() OVER (ORDER BY document) - 1 AS number
FROM sameas_named WHERE {kept}
"""

_DOCUMENT_NAMES = """
SELECT CAST(document AS STRING) AS name FROM sameas_documents ORDER BY number
"""

_CELLS = """
SELECT document, i, j, count(*) AS n,
  CAST(sum(key_rows) AS BIGINT) AS key_rows, CAST(sum(response_rows) AS BIGINT) AS response_rows
FROM (
  SELECT {scope} AS document, min(i) AS i, min(j) AS j,
    count(i) AS key_rows, count(j) AS response_rows
  FROM (
    SELECT number, {mention}, entity AS i, NULL AS j
    FROM sameas_key JOIN sameas_documents USING (document) WHERE entity IS NOT NULL
    UNION ALL
    SELECT number, {mention}, NULL, entity
    FROM sameas_response JOIN sameas_documents USING (document) WHERE entity IS NOT NULL
  ) AS sides
  GROUP BY number, {mention}
) AS mentions
GROUP BY document, i, j
"""

_AGAIN = """
SELECT coalesce(sum(CASE WHEN i IS NULL THEN 0 ELSE key_rows - n END), 0) AS of_key,
  coalesce(sum(CASE WHEN j IS NULL THEN 0 ELSE response_rows - n END), 0) AS of_response
FROM sameas_cells
"""

_REPEATED = """
SELECT CAST(document AS STRING) AS name, {mention},
  CAST(min(entity) AS STRING) AS one, CAST(max(entity) AS STRING) AS other
FROM sameas_{role} JOIN sameas_documents USING (document) WHERE entity IS NOT NULL
GROUP BY document, {mention}
HAVING count(*) > 1 {having}
ORDER BY document, {mention} LIMIT 5
"""

_ENTITIES = """
SELECT document, {here}, CAST(sum(n) AS BIGINT) AS {size},
  CAST(sum(CASE WHEN {there} IS NULL THEN 0 ELSE n END) AS BIGINT) AS {size}_shared,
  count({there}) AS {size}_cells
FROM sameas_cells WHERE {here} IS NOT NULL
GROUP BY document, {here}
"""

_LACKING = """
SELECT CAST(coalesce(sum(r - r_shared), 0) AS BIGINT) AS lacking,
  CAST(coalesce(sum(r), 0) AS BIGINT) AS records
FROM sameas_response_entities
"""

_SINGLETONS = """
SELECT (SELECT count(*) FROM sameas_key_entities WHERE k = 1) AS of_key,
  (SELECT count(*) FROM sameas_response_entities WHERE r = 1) AS of_response
"""

_WITHOUT_SINGLETONS = """
SELECT document, i, j, CAST(sum(n) AS BIGINT) AS n
FROM (
  SELECT document, CASE WHEN k > 1 THEN i END AS i, CASE WHEN r > 1 THEN j END AS j, n
  FROM sameas_cells
  LEFT JOIN sameas_key_entities USING (document, i)
  LEFT JOIN sameas_response_entities USING (document, j)
) AS cells
WHERE i IS NOT NULL OR j IS NOT NULL
GROUP BY document, i, j
"""

# Every entity of a cell exists, so that inner joins would give the same rows. But an optimiser may
# reorder those, and join key and response entities first, on the document alone.
_GRAPH = """
SELECT document, i, j, n, k, r, r_shared, k_cells, r_cells
FROM sameas_cells
LEFT JOIN sameas_key_entities USING (document, i)
LEFT JOIN sameas_response_entities USING (document, j)
WHERE i IS NOT NULL AND j IS NOT NULL
"""

# The columns of tallies are called as in a `Table`.
_SIDE_TALLY = """
SELECT document AS {size}_document, {size}, {size}_shared, count(*) AS {size}_times
FROM sameas_{role}_entities GROUP BY document, {size}, {size}_shared
"""

_CELL_TALLY = """
SELECT document AS cell_document, n, k AS cell_k, r AS cell_r, r_shared AS cell_r_shared,
  count(*) AS n_times
FROM (SELECT document, n, k, r, {shared} AS r_shared FROM sameas_graph) AS cells
GROUP BY document, n, k, r, r_shared
"""

_TALLY_SIZES = """
SELECT cell_document AS document, count(*) AS n FROM sameas_cell_tally GROUP BY cell_document
"""

# 0: alone; 1: a star around a key entity; 2: around a response entity; 3: anything else
_SHAPES = """
SELECT document, i, j, n, k, r, CASE
  WHEN k_cells = 1 AND r_cells = 1 THEN 0
  WHEN of_row = 1 THEN 1 WHEN of_column = 1 THEN 2 ELSE 3 END AS shape
FROM sameas_graph
LEFT JOIN (
  SELECT document, i, max(r_cells) AS of_row FROM sameas_graph GROUP BY document, i
) AS in_rows USING (document, i)
LEFT JOIN (
  SELECT document, j, max(k_cells) AS of_column FROM sameas_graph GROUP BY document, j
) AS in_columns USING (document, j)
"""

_ENTITY_COUNTS = """
SELECT (SELECT count(*) FROM sameas_key_entities) AS of_key,
  (SELECT count(*) FROM sameas_response_entities) AS of_response
"""

_LARGEST_DOCUMENT = """
SELECT coalesce(max(n), 0) AS n
FROM (SELECT CAST(sum(k * k_times) AS BIGINT) AS n FROM sameas_k_tally GROUP BY k_document) AS sizes
"""

_SHAPE_COUNTS = """
SELECT count(*) AS cells, coalesce(sum(CASE WHEN shape = 0 THEN 1 END), 0) AS alone,
  coalesce(sum(CASE WHEN shape IN (1, 2) THEN 1 END), 0) AS star_cells,
  (SELECT count(*)
   FROM (SELECT DISTINCT document, i FROM sameas_shapes WHERE shape = 1) AS key_stars) +
  (SELECT count(*)
   FROM (SELECT DISTINCT document, j FROM sameas_shapes WHERE shape = 2) AS response_stars) AS stars
FROM sameas_shapes
"""

# Vertices are hashes. Should two be the same, two components are solved as one, which is as right.
_EDGES = """
SELECT xxhash64(document, 'i', i) AS a, xxhash64(document, 'j', j) AS b
FROM sameas_shapes WHERE {rest}
"""

_REST = """
SELECT document, component,
  dense_rank() OVER (PARTITION BY component ORDER BY document, i) AS i,
  dense_rank() OVER (PARTITION BY component ORDER BY document, j) AS j, n, k, r
FROM (
  SELECT document, i, j, n, k, r, xxhash64(document, 'i', i) AS vertex
  FROM sameas_shapes WHERE {rest}
) AS cells JOIN sameas_components USING (vertex)
"""

_COMPONENT_COUNTS = """
SELECT count(*) AS components, coalesce(sum(cells), 0) AS cells, coalesce(max(cells), 0) AS largest
FROM (SELECT count(*) AS cells FROM sameas_rest GROUP BY component) AS sizes
"""

_BATCHES = """
SELECT document, component, i, j, n, k, r FROM sameas_rest
"""

#: The parts of stars and of cells that are alone, by what is solved.
_STARS = {
    "ceafm": """
SELECT document, CAST(sum(best) AS BIGINT) AS numerator, 1 AS denominator
FROM (
  SELECT document, max(n) AS best FROM sameas_shapes WHERE shape < 3
  GROUP BY document, shape, CASE WHEN shape < 2 THEN i END, CASE WHEN shape = 2 THEN j END
) AS stars
GROUP BY document
""",
    "ceafe": """
SELECT document, CAST(sum(2 * n) AS BIGINT) AS numerator, k + r AS denominator
FROM (
  SELECT document, n, k, r, row_number() OVER (
    PARTITION BY document, shape, CASE WHEN shape = 1 THEN i END, CASE WHEN shape = 2 THEN j END
    ORDER BY 2e0 * n / (k + r) DESC, n DESC, k + r) AS place
  FROM sameas_shapes WHERE shape IN (1, 2)
  UNION ALL
  SELECT document, n, k, r, 1 FROM sameas_shapes WHERE shape = 0
) AS cells
WHERE place = 1
GROUP BY document, k + r
""",
    "ceaf2": """
SELECT document, count(*) AS numerator, 1 AS denominator
FROM (
  SELECT document FROM sameas_shapes WHERE shape < 3
  GROUP BY document, shape, CASE WHEN shape < 2 THEN i END, CASE WHEN shape = 2 THEN j END
) AS stars
GROUP BY document
""",
}

#: The parts of entities of which the other side has nothing; those with cells are in components.
_SYS = {
    "ceaf_sys_recall": """
SELECT document, count(*) AS numerator, 1 AS denominator
FROM sameas_key_entities WHERE k_shared = 0 GROUP BY document
""",
    "ceaf_sys_precision": """
SELECT document, count(*) AS numerator, 1 AS denominator
FROM (
  SELECT document FROM sameas_key_entities WHERE k_shared = 0
  UNION ALL SELECT document FROM sameas_response_entities WHERE r_shared = 0 AND r > 1
) AS entities
GROUP BY document
""",
}
