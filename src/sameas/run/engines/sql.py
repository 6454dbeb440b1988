"""Score relations of mentions, with SQL that DuckDB and Spark interpret in the same way.

The database only counts; the formulas are those for files, in `metrics/standard.py`. From two
relations `(document, mention, entity)` it computes, in this order:

1. `documents`: the documents of the key, numbered;
2. `cells (document, i, j, n)`: how many mentions key entity i and response entity j share; j is
   NULL for mentions that the response lacks, i for those that the key lacks. Only this step reads
   every mention; all others read only entities and cells;
3. `key_entities`, `response_entities`: their sizes, how many of their mentions the other side also
   has, and their numbers of cells;
4. tallies: how often each kind of cell and of entity occurs in a document. They are small, are
   fetched from the database, and form the table from which all metrics except CEAF follow.

For CEAF the graph of cells is divided into components. A best assignment contains every isolated
cell (alone in its row and column), and the largest cell of every star (one row, or one column).
Counting the cells in rows and columns finds both. `components.py` finds the components of the other
cells, which are fetched from the database in batches of whole components and solved (`solving.py`),
here or by a cluster's workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from sameas.arithmetic.arrays import Ints, Numbers
from sameas.arithmetic.quotients import sum_places, sum_quotients
from sameas.errors import InputError, Problem, UsageError, refuse_problems
from sameas.formats.table.read import LIMIT
from sameas.matching.pairing import nothing_shared
from sameas.metrics.contingency import Table
from sameas.metrics.standard import Columns, entity_columns, mention_columns
from sameas.metrics.statistics import METRICS, Statistics, measure, measured, parts_of
from sameas.metrics.variants import ceaf_sys_columns, without_spurious_singletons
from sameas.notes import SIDES, Note, warn_of_sample
from sameas.results.joining import Seen, join_results, notes_of
from sameas.results.result import Result
from sameas.run import Plan, run
from sameas.run.engines import queries
from sameas.run.engines.components import Database, components
from sameas.run.engines.solving import ASSIGNED, SOLVED, joined_parts, part_of, solve
from sameas.run.engines.sources import Sources
from sameas.run.engines.workload import BATCH, Workload, megabytes
from sameas.sentences import wording
from sameas.settings import Options, Settings

__all__ = [
    "Solver",
    "TableEngine",
    "TellStep",
    "assigned",
    "explain_on",
    "explain_relations",
    "score_on",
    "score_relations",
    "score_tables",
]

TellStep = Callable[[str], None]
Solver = Callable[[Mapping[str, Any], Sequence[str]], dict[str, Ints]]

#: The supported options. `zeros` has no effect, because identifiers have no positions in a text.
KNOWN = ("singletons", "duplicates", "missing_documents", "scope", "blanc", "average", "zeros")
FETCHED = 2_000_000  # rows of a tally that are fetched from the database at once


class TableEngine(Database, Protocol):
    """A database that also solves batches of cells, and describes itself."""

    name: str  # duckdb, spark
    memory: int | None  # bytes that solving may use; None if no limit is known

    @property
    def where(self) -> str:
        """A short description of what runs where."""

    def solved(self, sql: str, batches: int, function: Solver, metrics: Sequence[str]) -> Ints:
        """Return the results of `function` for all batches of the query, in one array."""


def score_tables(
    key: Any,
    response: Any,
    metrics: str | Sequence[str] | None,
    options: Options,
    tell: TellStep | None,
    **plan: Any,
) -> Result:
    """Score a response against a key on an engine; `plan` contains further fields of `Plan`."""
    if tell is not None:
        plan["tell"] = lambda text, done: tell(text)
    (result,) = run(Plan.of(key, [response], metrics, options, **plan))
    warn_of_sample(result.notes)
    return result


def score_on(engine: Any, plan: Plan) -> list[Result]:
    """Score the responses of a plan, one after another."""
    return list(_on_each(engine, plan, score_relations))


def explain_on(engine: Any, plan: Plan) -> list[Workload]:
    """Return the workload of each response of a plan."""
    return list(_on_each(engine, plan, explain_relations))


def _on_each(engine: Any, plan: Plan, do: Callable[..., Any]) -> Iterator[Any]:
    """Call `do` on the relations of the key and each response, and yield the results."""
    for response in plan.responses:
        with engine.sources(plan.key, response) as sources:
            yield do(engine, sources, plan)


def score_relations(engine: TableEngine, sources: Sources, plan: Plan) -> Result:
    """Score the relations `sameas_key` and `sameas_response` according to a plan.

    Their columns are document, those of `sources.mention`, and entity; missing values are NULL. The
    workload of CEAF is passed to the plan's resource `planned`, or else reported to its `tell`.
    """
    with _counting(engine, sources, plan) as counting:
        counting.count_cells()
        work = counting.cut() if counting.assigned else None
        if work is not None and work.component_cells:
            report = plan.resources.get("planned") or (lambda work: counting.tell(work.sentence))
            report(work)
            if engine.memory is not None and work.memory > engine.memory:
                raise UsageError("ceaf-memory", **work.needs, there=megabytes(engine.memory))
        return counting.result(counting.solve(work))


def explain_relations(engine: TableEngine, sources: Sources, plan: Plan) -> Workload:
    """Return the workload of scoring the relations."""
    with _counting(engine, sources, plan) as counting:
        counting.count_cells(explain=True)
        return counting.cut()


@contextmanager
def _counting(engine: TableEngine, sources: Sources, plan: Plan) -> Iterator[_Counting]:
    _refuse(plan.settings, plan.metrics)
    counting = _Counting(engine, sources, plan)
    try:
        counting.count_rows()
        counting.name_documents()
        yield counting
    finally:
        for name in counting.made:
            engine.drop(name)


def _refuse(settings: Settings, metrics: Sequence[str]) -> None:
    for name in settings.changed(*KNOWN):
        raise UsageError("engine-setting", name=name, value=getattr(settings, name))
    if settings.scope == "topic":
        raise UsageError("engine-topics")
    for name in metrics:
        if METRICS[name].places:
            raise UsageError("engine-places", metric=name)


def assigned(metrics: Sequence[str]) -> list[str]:
    """Return the metrics whose best assignments of entities the given `metrics` need.

    >>> assigned(["muc", "conll", "ceafm_rn"])
    ['ceafm', 'ceafe']
    """
    needed = {ASSIGNED.get(name) for name in parts_of(metrics)}
    return [name for name in dict.fromkeys(ASSIGNED.values()) if name in needed]


@dataclass
class _Counting:
    """The steps of counting, in order."""

    engine: TableEngine
    sources: Sources
    plan: Plan
    made: list[str] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    records: Seen | None = None  # for tables of records: how many there are, before any are dropped
    rows: tuple[int, ...] = ()  # of the key and of the response
    scored: int = 0  # documents
    names: Sequence[str] = ()

    def __post_init__(self) -> None:
        self.settings, self.metrics = self.plan.settings, self.plan.metrics
        self.assigned = assigned(self.metrics)
        self.mention = ", ".join(self.sources.mention)  # columns that identify a mention, in SQL

    def tell(self, text: str) -> None:
        self.plan.tell(text, None)

    def create(self, name: str, sql: str) -> None:
        self.made.append(f"sameas_{name}")
        self.engine.create(f"sameas_{name}", sql)

    def view(self, name: str, sql: str) -> None:
        self.made.append(f"sameas_{name}")
        self.engine.run(f"CREATE OR REPLACE TEMPORARY VIEW sameas_{name} AS {sql}")

    def drop(self, name: str) -> None:
        self.engine.drop(f"sameas_{name}")

    def counts(self, sql: str) -> dict[str, Any]:
        """Return the integers in the only row of a query's result, keyed by column."""
        return {name: int(column[0]) for name, column in self.engine.rows(sql).items()}

    def one(self, sql: str) -> list[int]:
        """Return the integers in the only row of a query's result."""
        return list(self.counts(sql).values())

    def count_rows(self) -> None:
        """Count the rows; raise an error if any are incomplete."""
        self.tell("counting rows")
        first, last = self.sources.mention[0], self.sources.mention[-1]
        turned = "0"
        if first != last:
            bad = f"{last} < {first} OR {first} < 0 OR {last} >= {LIMIT}"
            turned = f"coalesce(sum(CASE WHEN {bad} THEN 1 END), 0)"
        problems: list[Problem] = []
        for role, path in zip(SIDES, self.sources.paths, strict=True):
            query = queries.ROWS.format(role=role, first=first, last=last, turned=turned)
            rows, no_document, alone, no_mention, no_entity, misplaced = self.one(query)
            self.rows = (*self.rows, rows)
            if not rows:
                problems.append(Problem("no-rows", path))
            if not self.sources.has_documents:
                alone = 0
            wrong = {
                "rows-document": no_document,
                "rows-mention": no_mention - alone,
                "rows-entity": no_entity - alone,
                "rows-place": misplaced,
            }
            problems += [self._problem(code, path, count=n) for code, n in wrong.items() if n]
        refuse_problems(problems)

    def _problem(self, code: str, path: str, **values: object) -> Problem:
        return Problem(code, path, values={**wording(self.sources.of_records), **values})

    def name_documents(self) -> None:
        """Assign numbers to the key's documents, and find the documents that either side lacks."""
        self.tell("naming documents")
        self.create("named", queries.NAMED)
        counted = self.one(queries.NAMED_COUNTS.format(silent=queries.SILENT))
        key, response, both, *empty, without_mentions = counted
        paths = self.sources.paths
        # A row without a mention is allowed once, for a document without mentions.
        counts = zip(paths, empty, strict=True)
        refuse_problems([self._problem("rows-empty", path, count=n) for path, n in counts if n])
        absent, extra = key - both, response - both
        missing = self.settings.missing_documents
        if missing == "error":
            refuse_problems(
                [
                    *self._missing("in_response = 0", absent, *paths),
                    *self._missing("in_key = 0", extra, *reversed(paths)),
                ]
            )
        if not both:
            ours, theirs = (self._some(f"in_{side} = 1") for side in SIDES)
            records = self.sources.of_records
            raise InputError([nothing_shared(*paths, ours, theirs, of_records=records)])
        how = "skip" if missing == "skip" else "empty"
        self._note("extra", extra, "in_key = 0")
        self._note("missing", absent, "in_response = 0", how=how)
        self._note("silent", without_mentions, queries.SILENT)
        kept = "in_key = 1 AND in_response = 1" if missing == "skip" else "in_key = 1"
        self.create("documents", queries.DOCUMENTS.format(kept=kept))
        self.drop("named")
        if self.settings.scope == "corpus":
            self.names = ["corpus"]
        elif self.sources.has_documents:
            self.names = [str(name) for name in self.engine.rows(queries.DOCUMENT_NAMES)["name"]]
        else:
            self.names = [self.sources.document]

    def _missing(self, where: str, count: int, here: str, there: str) -> list[Problem]:
        shown = self._some(where)[:3] if count else []
        problems = [Problem("document-absent", here, document=name, there=there) for name in shown]
        if count > len(shown):
            problems.append(Problem("documents-absent", here, count=count - 3, there=there))
        return problems

    def _note(self, code: str, count: int, where: str, **values: Any) -> None:
        """Add a note on documents, if there are any, with the first few names."""
        if count:
            self.notes.append(Note(code, count=count, names=self._some(where), **values))

    def _some(self, where: str) -> list[str]:
        found = self.engine.rows(queries.SOME_NAMES.format(where=where))["name"]
        return [str(name) for name in found]

    def count_cells(self, explain: bool = False) -> None:
        """Count the cells and the entities."""
        self.tell(f"counting cells of {self.rows[0]:,} and {self.rows[1]:,} mentions")
        scope = "0" if self.settings.scope == "corpus" else "number"
        self.create("cells", queries.CELLS.format(mention=self.mention, scope=scope))
        self._check_repeated()
        self.drop("documents")
        self._count_entities()
        if self.sources.of_records:
            key, response, both = self.one(queries.RECORDS)
            self.records = (key, response, both)
        if self.settings.singletons == "drop":
            self._drop_singletons()
        graph = self.create if self.assigned or explain else self.view
        self.tell("counting kinds of cells")
        graph("graph", queries.GRAPH)
        if self.assigned:
            self.drop("cells")
        for role, size in zip(SIDES, "kr", strict=True):
            self.create(f"{size}_tally", queries.SIDE_TALLY.format(role=role, size=size))
        # Only B³₀ needs `r_shared`, which makes the tally longer.
        shared = "r_shared" if "b3_0" in self.metrics else "0"
        self.create("cell_tally", queries.CELL_TALLY.format(shared=shared))

    def _count_entities(self) -> None:
        self.tell("counting entities")
        self.create("key_entities", queries.ENTITIES.format(here="i", there="j", size="k"))
        self.create("response_entities", queries.ENTITIES.format(here="j", there="i", size="r"))

    def _check_repeated(self) -> None:
        again = self.one(queries.AGAIN)
        for role, path, count in zip(SIDES, self.sources.paths, again, strict=True):
            if not count:
                continue
            having = "" if self.settings.duplicates == "error" else "AND min(entity) <> max(entity)"
            how = {"role": role, "mention": self.mention, "having": having}
            found = self.engine.rows(queries.REPEATED.format(**how))
            if len(found["name"]):
                raise InputError(_repeated_problems(found, self.sources, path))
            self.notes.append(Note("repeated", role, count, how=self.settings.duplicates))

    def _drop_singletons(self) -> None:
        alone = zip(SIDES, self.one(queries.SINGLETONS), strict=True)
        self.notes += [Note("singletons", role, count) for role, count in alone if count]
        self.create("larger", queries.WITHOUT_SINGLETONS)
        self.create("cells", "SELECT * FROM sameas_larger")
        self.drop("larger")
        self._count_entities()

    def cut(self) -> Workload:
        """Divide the graph into components, and return the workload."""
        self.tell("finding stars")
        self.create("shapes", queries.SHAPES)
        # With the singletons that CEAFsys adds, the largest cell does not settle a star.
        rest = "shape >= 0" if "ceaf_sys" in self.assigned else "shape = 3"
        self.tell("cutting the rest into components")
        self.create("edges", queries.EDGES.format(rest=rest))
        self.made.append("sameas_components")
        components(self.engine, "sameas_edges", "sameas_components", temporary=True)
        self.create("rest", queries.REST.format(rest=rest))
        self.drop("components")
        return Workload(
            engine=self.engine.name,
            where=self.engine.where,
            rows=self.rows,
            documents=len(self.names),
            entities=tuple(self.one(queries.ENTITY_COUNTS)),
            **self.counts(queries.LARGEST_DOCUMENT),
            **self.counts(queries.SHAPE_COUNTS),
            **self.counts(queries.COMPONENT_COUNTS),
            of_records=self.sources.of_records,
        )

    def solve(self, plan: Workload | None) -> dict[str, Numbers]:
        """Return each document's sums over the best assignments, keyed by the name of the sum."""
        if plan is None:
            return {}
        self.tell("assigning entities for CEAF")
        parts: list[Ints] = []
        if plan.component_cells:
            batches = -(-plan.component_cells // BATCH)
            parts.append(self.engine.solved(queries.BATCHES, batches, solve, self.assigned))
        stars = {name: sql for name, sql in queries.STARS.items() if name in self.assigned}
        for name, sql in (queries.SYS if "ceaf_sys" in self.assigned else stars).items():
            found = self.engine.rows(sql)
            parts.append(part_of(name, found["document"], found["numerator"], found["denominator"]))
        every, count = joined_parts(parts), len(self.names)
        best: dict[str, Numbers] = {}
        for number, name in enumerate(SOLVED):
            document, _, numerator, denominator = every[:, every[1] == number]
            if name == "ceafe":
                best[name] = sum_quotients(document, numerator, denominator, count)
            else:
                best[name] = sum_places(numerator, document, count)
        return best

    def result(self, best: Mapping[str, Numbers]) -> Result:
        """Fetch the tallies, measure them, and return the result."""
        self.tell("measuring")
        parts = []
        for first, last in pairwise([0, *self._document_ranges()]):
            table = self._tally(first, last)
            here = {name: sums[first:last] for name, sums in best.items()}
            part = self._measure(table, here)
            parts.append(Result(part, self.settings, tuple(self.metrics), seen=table.seen))
        whole, of_records = join_results(parts), self.sources.of_records
        seen = self.records or whole.seen
        notes = notes_of(self.notes, len(whole), seen, of_records)
        path, problems = self.sources.paths[1], self.sources.problems
        return replace(
            whole, name=path, notes=notes, problems=problems, seen=seen, of_records=of_records
        )

    def _document_ranges(self) -> list[int]:
        """Return the ends of ranges of documents whose tallies are not too large."""
        found = self.engine.rows(queries.TALLY_SIZES)
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

    def _measure(self, table: Table, best: Mapping[str, Numbers]) -> Statistics:
        """Measure documents, given their tally and the sums over the best assignments."""
        names = parts_of(self.metrics)
        columns = measure(table, [name for name in names if name not in ASSIGNED]).columns
        columns |= {name: _assigned_columns(name, table, best) for name in ASSIGNED.keys() & names}
        # Results list metrics in the order of `measured`; averages have no columns.
        order = measured(self.metrics)
        return Statistics(table.documents, {name: columns.get(name, ()) for name in order})


def _assigned_columns(metric: str, table: Table, best: Mapping[str, Numbers]) -> Columns:
    """Return the columns of a metric from the sums over the best assignments."""
    solved = ASSIGNED[metric]
    if solved == "ceaf_sys":
        return ceaf_sys_columns(table, best["ceaf_sys_recall"], best["ceaf_sys_precision"])
    sums = best[solved]
    mentions = solved == "ceafm"
    columns = mention_columns(table, sums, sums) if mentions else entity_columns(table, sums)
    return columns if metric == solved else without_spurious_singletons(table, columns)


def _repeated_problems(found: Mapping[str, Any], sources: Sources, path: str) -> list[Problem]:
    problems = []
    for row, document in enumerate(found["name"]):
        mention = "–".join(str(found[name][row]) for name in sources.mention)
        one, other = str(found["one"][row]), str(found["other"][row])
        values = {"document": document, "mention": mention, "one": one, "other": other}
        values |= wording(sources.of_records)
        how = "once" if one == other else "two"
        problems.append(Problem("row-twice", path, how=how, values=values))
    return problems
