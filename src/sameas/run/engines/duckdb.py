"""Score with DuckDB: tables larger than memory, on one machine.

DuckDB is embedded and needs no set-up. It reads Parquet column by column, and writes data that does
not fit into its memory limit to disk.
"""

from __future__ import annotations

import errno
import os
import re
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from importlib import import_module
from typing import Any, Unpack

import numpy as np

from sameas.arithmetic.arrays import Ints
from sameas.errors import InputError, Problem, UsageError, counted, how_to_install
from sameas.formats.table.read import choose_columns, is_table
from sameas.notes import SIDES
from sameas.results.result import Result
from sameas.run import Plan
from sameas.run.engines.causes import cause
from sameas.run.engines.files import common_folder, find_files, keys_of
from sameas.run.engines.solving import PARTS
from sameas.run.engines.sources import USED, Sources, UserRelation, quoted, relate
from sameas.run.engines.sql import Solver, TellStep, explain_on, score_on, score_tables
from sameas.run.engines.workload import Workload, bytes_of
from sameas.run.processes import count_jobs
from sameas.settings import Options

__all__ = ["DuckDB", "explain", "opened", "score"]

#: A path, a pattern, a list of paths, a data frame, or (with a connection) the name of a table.
TableSource = Any


def score(
    key: TableSource,
    response: TableSource,
    *,
    metrics: str | Sequence[str] | None = None,
    connection: Any = None,
    memory: str | int | None = None,
    threads: int | None = None,
    work: str | os.PathLike[str] | None = None,
    tell: TellStep | None = None,
    **options: Unpack[Options],
) -> Result:
    """Score a table of mentions against another one, using the disk if memory is too small.

    Each table is Parquet (a file, a folder of files, a pattern with `*`) or a data frame, with
    columns `document, mention, entity`, or `document, start, end, entity`. Without a column
    `document`, all rows belong to one document. With a `connection`, each is the name of a table or
    view in it. The result equals that of `sameas.score` to the last digit, except that documents
    are sorted by name.

    Parameters
    ----------
    key, response
        The tables.
    metrics
        Names of metrics, as in `sameas.score`.
    connection
        A DuckDB connection that has the tables (default: a new one).
    memory
        The memory that DuckDB may use, such as `"4GB"` (default: four fifths of the machine's).
    threads
        The number of threads (default: one per core).
    work
        The folder for data that does not fit into memory.
    tell
        A function that is called with a line about each step.
    **options
        The fields of `sameas.Settings`, `preset` and `signature`.

    Returns
    -------
    Result
        The scores.

    Examples
    --------
    >>> key = {"mention": ["a", "b", "c", "d"], "entity": [1, 1, 1, 2]}
    >>> response = {"mention": ["b", "c", "d", "e"], "entity": [1, 1, 2, 2]}
    >>> score(key, response)["blanc"].f1 == 17 / 35
    True
    """
    resources = {"connection": connection, "memory": memory, "threads": threads, "work": work}
    return score_tables(key, response, metrics, options, tell, engine="duckdb", resources=resources)


def rows(plan: Plan) -> Iterator[Sequence[Result]]:
    """Yield the results of a plan, counted by DuckDB."""
    with opened_for(plan) as engine:
        yield score_on(engine, plan)


def opened_for(plan: Plan) -> AbstractContextManager[DuckDB]:
    """Open an engine with the resources of a plan."""
    names = ("connection", "memory", "threads", "work")
    found = {name: plan.resources.get(name) for name in names}
    if plan.jobs is not None:
        found["threads"] = count_jobs(plan.jobs)
    return opened(**found)


def explain(
    key: TableSource,
    response: TableSource,
    *,
    metrics: str | Sequence[str] | None = None,
    connection: Any = None,
    memory: str | int | None = None,
    threads: int | None = None,
    work: str | os.PathLike[str] | None = None,
    **options: Unpack[Options],
) -> Workload:
    """Return the workload of `score`: rows, cells, components, and what runs where.

    >>> key = {"mention": ["a", "b", "c", "d"], "entity": [1, 1, 1, 2]}
    >>> response = {"mention": ["b", "c", "d", "e"], "entity": [1, 1, 2, 2]}
    >>> work = explain(key, response)
    >>> work.rows, work.cells, work.alone
    ((4, 4), 2, 2)
    """
    resources = {"connection": connection, "memory": memory, "threads": threads, "work": work}
    plan = Plan.of(key, [response], metrics, options, engine="duckdb", resources=resources)
    with opened_for(plan) as engine:
        return explain_on(engine, plan)[0]


class DuckDB:
    """A DuckDB connection that runs the engine's SQL.

    >>> DuckDB(load_duckdb().connect()).rows("SELECT 1 AS one")["one"].tolist()
    [1]
    """

    name = "duckdb"

    def __init__(
        self,
        connection: Any,
        memory: int | None = None,
        work: str | None = None,
        named: bool = False,
    ) -> None:
        self.connection, self.memory, self.work = connection, memory, work
        self.named = named  # whether sources are names of tables or views
        self.kinds: dict[str, str] = {}
        # Define Spark's 64-bit hash, so that both engines run the same SQL; drop the sign bit.
        self.run(
            "CREATE OR REPLACE TEMPORARY MACRO xxhash64(a, b, c) AS "
            "CAST(hash(a, b, c) >> 1 AS BIGINT)"
        )

    @property
    def where(self) -> str:
        """A short description of what runs where."""
        sql = "SELECT current_setting('threads'), current_setting('memory_limit')"
        threads, memory = self.connection.execute(sql).fetchone()
        return (
            f"DuckDB in this process, {counted(threads, 'thread')}, up to {memory} of memory, the "
            "rest on disk; components are solved here"
        )

    def run(self, sql: str) -> None:
        """Run a statement that returns nothing."""
        self.connection.execute(sql)
        if found := re.match(r"CREATE OR REPLACE TEMPORARY VIEW (\w+)", sql):
            self.kinds[found[1]] = "VIEW"

    def rows(self, sql: str) -> Mapping[str, Any]:
        """Return the columns of a query's result, keyed by name."""
        found: Mapping[str, Any] = self.connection.execute(sql).fetchnumpy()
        return found

    def create(self, name: str, sql: str) -> None:
        """Compute a query and store its rows as the relation `name`."""
        self.drop(name)
        self.connection.execute(f"CREATE TEMPORARY TABLE {name} AS {sql}")
        self.kinds[name] = "TABLE"

    def drop(self, name: str) -> None:
        """Drop a relation."""
        self.connection.execute(f"DROP {self.kinds.pop(name, 'TABLE')} IF EXISTS temp.{name}")

    def solved(self, sql: str, batches: int, function: Solver, metrics: Sequence[str]) -> Ints:
        """Return the results of `function` for all batches of components."""
        parts = []
        for batch in range(batches):
            cells = self.rows(
                f"SELECT * FROM ({sql}) AS cells WHERE abs(component % {batches}) = {batch}"
            )
            found = function(cells, metrics)
            parts.append(np.stack([found[name] for name in PARTS]))
        return np.concatenate(parts, axis=1)

    @contextmanager
    def sources(self, key: TableSource, response: TableSource) -> Iterator[Sources]:
        """Register two sources as `sameas_key` and `sameas_response` within this context."""
        with _translated(" or ".join(map(_shown, (key, response))), self.work):
            try:
                ours, theirs = self._described(key, "key"), self._described(response, "response")
                yield relate(self.run, ours, theirs, '"')
            finally:
                for role in SIDES:
                    self.drop(f"sameas_{role}")

    def _described(self, source: TableSource, role: str) -> UserRelation:
        if self.named:
            return self._describe(source, self._table_name(source, role))
        if isinstance(source, (str, os.PathLike)):
            return self._describe_files(os.fspath(source), [os.fspath(source)])
        if isinstance(source, (list, tuple)):
            if not source or not all(isinstance(path, (str, os.PathLike)) for path in source):
                raise UsageError("engine-source", side=role, kind=type(source).__name__)
            return self._describe_files(role, [os.fspath(path) for path in source])
        self.connection.register(f"sameas_{role}_frame", _arrow(source, role))
        return self._describe(role, f"sameas_{role}_frame")

    def _describe(self, path: str, relation: str, hidden: Collection[str] = ()) -> UserRelation:
        with _translated(path):
            rows = self.connection.execute(f"DESCRIBE SELECT * FROM {relation}").fetchall()
        columns = {str(row[0]): str(row[1]) for row in rows}
        shown = [name for name in columns if name.casefold() not in hidden]
        return UserRelation(path, relation, shown, [columns[name] for name in shown])

    def _describe_files(self, path: str, given: Sequence[str]) -> UserRelation:
        """Describe Parquet files; folders named `column=value` add a column that the files lack."""
        groups = [find_files(one) for one in given]
        files = [file for group in groups for file in group.files]
        base = groups[0].base if len(given) == 1 else common_folder(files)
        for file in self._unlike(path, files):
            self._check_file(path if len(files) == 1 else file, file, keys_of(file, base))
        # `union_by_name` widens types to fit all files; otherwise, the first file determines them.
        relation = f"read_parquet([{_listed(files)}], union_by_name = true, "
        found = self._describe(path, f"{relation}hive_partitioning = false)")
        known = {name.casefold() for name in found.names}
        keys = {key.casefold() for file in files for key in keys_of(file, base)}
        if keys and not keys & known:
            options = "hive_partitioning = true, hive_types_autocast = false"
            # DuckDB makes columns from all such folders in a path, including those above the base.
            outer = {key.casefold() for file in files for key in keys_of(file)} - keys
            found = self._describe(path, f"{relation}{options})", outer - known)
            if outer & known:
                raise InputError([Problem("folder-column", path, field=min(outer & known))])
        found.problems += [problem for group in groups for problem in group.problems]
        return found

    def _unlike(self, path: str, files: Sequence[str]) -> list[str]:
        """Return one file for each distinct set of columns and types."""
        with _translated(path):
            rows = self.connection.execute(
                "SELECT file_name, list(name ORDER BY column_id), "
                "list(coalesce(duckdb_type, '') ORDER BY column_id) "
                f"FROM parquet_schema([{_listed(files)}]) GROUP BY file_name ORDER BY file_name"
            ).fetchall()
        kinds: dict[str, str] = {}
        for file, *columns in rows:
            kinds.setdefault(repr(columns), file)
        return list(kinds.values())

    def _check_file(self, path: str, file: str, keys: Sequence[str]) -> None:
        """Raise `InputError` if a file's columns are ambiguous, missing or of unsupported types."""
        schema = self.rows(f"SELECT name, num_children FROM parquet_schema({_listed([file])})")
        names = [str(name) for name in schema["name"][1:]]
        nested = sum(bool(number) for number in np.ma.filled(schema["num_children"], 0)) > 1
        given = {name.casefold() for name in names}
        more = [] if any(key.casefold() in given for key in keys) else list(keys)
        if not nested:  # DuckDB renames columns whose names differ only in case
            choose_columns([*names, *more], path)
        hive = "true" if more else "false"
        one = self._describe(path, f"read_parquet({_listed([file])}, hive_partitioning = {hive})")
        for field in one.fields:
            if field in USED:
                one.kind(field)

    def _table_name(self, source: Any, role: str) -> str:
        """Return the quoted name of a table or view in the connection."""
        part = r'"(?:[^"]|"")+"|[^".;]+'
        if not isinstance(source, str) or not re.fullmatch(
            rf"(?:{part})(?:\.(?:{part})){{0,2}}", source
        ):
            raise UsageError("table-name", side=role)
        parts = [
            found[1:-1].replace('""', '"') if found.startswith('"') else found.strip()
            for found in re.findall(part, source)
        ]
        if parts[-1].startswith("sameas_"):
            raise UsageError("table-ours", table=source)
        # Checked here, because DuckDB would otherwise look for a Python variable of that name.
        known = self.connection.execute(
            "SELECT count(*) FROM (SELECT table_name AS name FROM duckdb_tables() UNION ALL "
            "SELECT view_name FROM duckdb_views()) WHERE lower(name) = lower(?)",
            [parts[-1]],
        ).fetchone()[0]
        if not known:
            raise InputError([Problem("no-table", source)])
        return ".".join(quoted(part, '"') for part in parts)


def _listed(paths: Sequence[str]) -> str:
    """Return paths as SQL literals, escaped so that DuckDB does not treat them as patterns."""
    return ", ".join(quoted(re.sub(r"[\[*?]", r"[\g<0>]", path), "'") for path in paths)


def _arrow(source: Any, role: str) -> Any:
    """Convert a data frame, or a mapping of names to columns, to an Arrow table."""
    arrow = _load("pyarrow", "a data frame", "pyarrow")
    if not is_table(source):
        raise UsageError("engine-source", side=role, kind=type(source).__name__)
    if isinstance(source, Mapping):
        for name, column in source.items():
            if not isinstance(column, (Sequence, np.ndarray)) or isinstance(column, (str, bytes)):
                raise UsageError("column-values", side=role, column=name)
        source = dict(source)
    elif hasattr(source, "reset_index") and any(name is not None for name in source.index.names):
        source = source.reset_index()
    try:
        table = arrow.table(source)
    except (arrow.ArrowException, TypeError, ValueError, OverflowError) as error:
        reason = cause(str(error))
        raise UsageError("frame-values", side=role, reason=reason) from None
    # DuckDB renames columns whose names are equal or differ only in case.
    fields, _ = choose_columns([str(name) for name in table.column_names], role)
    return table.select(list(fields.values()))


@contextmanager
def opened(
    connection: Any = None,
    memory: str | int | None = None,
    threads: int | None = None,
    work: str | os.PathLike[str] | None = None,
) -> Iterator[DuckDB]:
    """Open an engine on a connection of its own, or on the user's.

    >>> with opened(memory="1GB", threads=1) as engine:
    ...     engine.rows("SELECT 1 AS one")["one"].tolist()
    [1]
    """
    if connection is None:
        with _own_engine(memory, threads, work) as engine:
            yield engine
        return
    if memory is not None or threads is not None or work is not None:
        raise UsageError("connection-settings")
    if not isinstance(connection, load_duckdb().DuckDBPyConnection):
        raise UsageError("connection-kind", kind=type(connection).__name__)
    with _translated():
        _refuse_taken(connection)
        guest = DuckDB(connection, named=True)
    try:
        yield guest
    finally:
        with _translated():  # also drop what an error has left behind
            for name in list(guest.kinds):
                guest.drop(name)
            guest.run("DROP MACRO IF EXISTS temp.xxhash64")


@contextmanager
def _own_engine(
    memory: str | int | None, threads: int | None, work: str | os.PathLike[str] | None
) -> Iterator[DuckDB]:
    """Open an engine on a new connection, with a new folder for data that memory cannot hold."""
    duckdb, limit = load_duckdb(), bytes_of(memory)
    if threads is not None and (type(threads) is not int or threads < 1):
        raise UsageError("threads", value=threads)
    try:
        own = tempfile.TemporaryDirectory(prefix="sameas-", dir=work, ignore_cleanup_errors=True)
    except OSError as error:
        raise UsageError("work-folder", folder=str(work), reason=error.strerror) from None
    with own as folder:
        settings = {
            "temp_directory": quoted(folder, "'"),
            "preserve_insertion_order": "false",
            "python_enable_replacements": "false",
            "memory_limit": None if limit is None else f"'{limit}B'",
            "threads": threads,
        }
        with _translated():
            connection = duckdb.connect(":memory:")
        with closing(connection):
            with _translated():
                for name, value in settings.items():
                    if value is not None:
                        connection.execute(f"SET {name} = {value}")
                # The path as given: since Python 3.12, tempfile makes the folder's path absolute.
                named = os.path.dirname(folder) if work is None else os.fspath(work)
                engine = DuckDB(connection, limit, named)
            yield engine


@contextmanager
def _translated(where: str = "DuckDB", work: str | None = None) -> Iterator[None]:
    """Convert DuckDB's errors to ours, and those caused by Ctrl-C to `KeyboardInterrupt`."""
    try:
        yield
    except (load_duckdb().Error, RuntimeError) as error:
        if _is_interrupt(error):
            raise KeyboardInterrupt from None
        if isinstance(error, RuntimeError):
            raise
        raise _explained(error, where, work) from None


def _refuse_taken(connection: Any) -> None:
    """Raise `UsageError` if the user's connection has names that the engine uses."""
    names = connection.execute(
        "SELECT table_name FROM duckdb_tables() WHERE temporary UNION ALL "
        "SELECT view_name FROM duckdb_views() WHERE temporary UNION ALL "
        "SELECT function_name FROM duckdb_functions() WHERE function_type = 'macro' "
        "AND function_name = 'xxhash64' AND database_name = 'temp'"
    ).fetchall()
    taken = next((name for (name,) in names if name.startswith(("sameas_", "xxhash64"))), None)
    if taken:
        raise UsageError("table-taken", table=taken)


def load_duckdb() -> Any:
    """Return the module `duckdb`, or raise an error that says how to install it.

    >>> load_duckdb().__name__
    'duckdb'
    """
    return _load("duckdb", "this engine", "DuckDB")


def _load(module: str, what: str, package: str) -> Any:
    """Import a module, or raise an error that names what needs its package."""
    try:
        return import_module(module)
    except ImportError:
        install = how_to_install(module)
        raise UsageError("needs", what=what, package=package, install=install) from None


def _explained(error: Exception, where: str, work: str | None = None) -> InputError | UsageError:
    """Convert DuckDB's error to ours; `work` is the folder for data that does not fit in memory."""
    duckdb, reason = load_duckdb(), _reason(error)
    how = "own" if work else "connection"
    if _is_full(error):
        return UsageError("work-full", how=how, folder=work)
    # File errors have no code, so only the text shows whether a file was being written.
    if isinstance(error, duckdb.IOException) and re.search("Could not (write|truncate)", reason):
        return UsageError("work-fails", how=how, folder=work, reason=reason)
    if isinstance(error, duckdb.OutOfMemoryException):
        return UsageError("duckdb-memory", reason=reason)
    ours = (duckdb.BinderException, duckdb.CatalogException, duckdb.ParserException)
    if isinstance(error, (*ours, duckdb.ConnectionException)):
        return UsageError("duckdb", reason=reason)
    return InputError([Problem("not-readable-table", where, reason=reason)])


def _is_full(error: Exception) -> bool:
    """Return whether the disk is full.

    DuckDB uses at most nine tenths of the disk; if it needs more, it reports a lack of memory.
    """
    duckdb, message = load_duckdb(), str(error)
    if isinstance(error, duckdb.OutOfMemoryException):
        return "max_temp_directory_size" in message
    return isinstance(error, duckdb.IOException) and os.strerror(errno.ENOSPC) in message


def _is_interrupt(error: Exception) -> bool:
    """Return whether Ctrl-C caused an error of DuckDB, judging by its class or its message."""
    plain = isinstance(error, RuntimeError) and "interrupt" in str(error).lower()
    return plain or isinstance(error, load_duckdb().InterruptException)


def _shown(source: Any) -> str:
    return os.fspath(source) if isinstance(source, (str, os.PathLike)) else "a table"


def _reason(error: Exception) -> str:
    """Return DuckDB's message, without our SQL and without advice that does not apply here."""
    text = re.split(r"\s*(?:\bLINE \d+:|Possible solutions|See also)", str(error))[0]
    return cause(text).rstrip(".")
