"""Scoring on DuckDB: tables larger than memory, on one machine.

DuckDB is embedded: nothing has to be set up, Parquet is read column by column, and what does not
fit into the memory it may use goes to disk.
"""

from __future__ import annotations

import glob
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import numpy as np

from sameas.coref.document import Ints
from sameas.coref.statistics import choose_metrics
from sameas.engines.sources import Described, Sources, select
from sameas.engines.sql import Plan, Solver, Tell, score_relations
from sameas.errors import InputError, Problem, UsageError
from sameas.result import Result
from sameas.signature import Settings

__all__ = ["DuckDB", "explain", "opened", "score"]

Source = (
    Any  # a path, a pattern, a list of paths, a data frame, or with a connection a table's name
)


def score(
    key: Source,
    response: Source,
    *,
    metrics: str | Sequence[str] | None = None,
    scope: str | None = None,
    singletons: str | None = None,
    duplicates: str | None = None,
    missing_documents: str | None = None,
    blanc: str | None = None,
    average: str | None = None,
    signature: str | None = None,
    connection: Any = None,
    memory: str | int | None = None,
    threads: int | None = None,
    work: str | os.PathLike[str] | None = None,
    tell: Tell | None = None,
) -> Result:
    """Score a table of mentions against another one, on disk if it must be.

    Each is Parquet (a file, a folder of them, a pattern with `*`), CSV, or a data frame, with
    columns `document, mention, entity`, or `document, start, end, entity`; without a document all
    rows are one document. With a `connection` each is the name of a table or view in it. The result
    is that of `sameas.score`, to the last digit, but for the order of the documents (by name).

    `memory` is what DuckDB may use ("4GB"; by default four fifths of the machine's), `threads` how
    many at once (by default one a core), `work` the folder for what does not fit. `tell` is called
    with a line about each step.

    >>> key = {"mention": ["a", "b", "c", "d"], "entity": [1, 1, 1, 2]}
    >>> response = {"mention": ["b", "c", "d", "e"], "entity": [1, 1, 2, 2]}
    >>> score(key, response)["blanc"].f1 == 17 / 35
    True
    """
    settings = _settings(
        scope, singletons, duplicates, missing_documents, blanc, average, signature
    )
    names = choose_metrics(metrics)
    with opened(connection, memory, threads, work) as engine:
        found = engine.score(key, response, settings, names, tell=tell)
    assert isinstance(found, Result)
    return found


def explain(
    key: Source,
    response: Source,
    *,
    metrics: str | Sequence[str] | None = None,
    scope: str | None = None,
    singletons: str | None = None,
    duplicates: str | None = None,
    missing_documents: str | None = None,
    connection: Any = None,
    memory: str | int | None = None,
    threads: int | None = None,
    work: str | os.PathLike[str] | None = None,
    tell: Tell | None = None,
) -> Plan:
    """What `score` would have to do: rows, cells, components, and what runs where.

    >>> key = {"mention": ["a", "b", "c", "d"], "entity": [1, 1, 1, 2]}
    >>> response = {"mention": ["b", "c", "d", "e"], "entity": [1, 1, 2, 2]}
    >>> plan = explain(key, response)
    >>> plan.rows, plan.cells, plan.alone
    ((4, 4), 2, 2)
    """
    settings = _settings(scope, singletons, duplicates, missing_documents)
    with opened(connection, memory, threads, work) as engine:
        found = engine.score(
            key, response, settings, choose_metrics(metrics), tell=tell, explain=True
        )
    assert isinstance(found, Plan)
    return found


def _settings(
    scope: str | None = None,
    singletons: str | None = None,
    duplicates: str | None = None,
    missing_documents: str | None = None,
    blanc: str | None = None,
    average: str | None = None,
    signature: str | None = None,
) -> Settings:
    named = {
        "scope": scope,
        "singletons": singletons,
        "duplicates": duplicates,
        "missing_documents": missing_documents,
        "blanc": blanc,
        "average": average,
    }
    if signature is None:
        return Settings.of(**named)
    if any(named.values()):
        raise UsageError("the signature says how to score; leave out the other settings")
    return Settings.from_signature(signature)


class DuckDB:
    """A DuckDB connection that runs the engine's SQL.

    >>> DuckDB(load_duckdb().connect()).rows("SELECT 1 AS one")["one"].tolist()
    [1]
    """

    name = "duckdb"

    def __init__(self, connection: Any, memory: int | None = None) -> None:
        self.connection, self.memory = connection, memory
        self.kinds: dict[str, str] = {}
        # Spark's name for a hash of 64 bits, so that the text is the same; without the sign.
        self.run(
            "CREATE OR REPLACE TEMPORARY MACRO xxhash64(a, b, c) AS "
            "CAST(hash(a, b, c) >> 1 AS BIGINT)"
        )

    @property
    def where(self) -> str:
        """What runs where, in a few words."""
        found = self.rows(
            "SELECT current_setting('threads') AS threads, current_setting('memory_limit') AS "
            "memory, current_setting('temp_directory') AS folder"
        )
        threads, memory, folder = (found[name][0] for name in ("threads", "memory", "folder"))
        return (
            f"DuckDB in this process, {threads} threads, {memory} of memory, then {folder}; "
            "components are solved here"
        )

    def run(self, sql: str) -> None:
        """Run a statement that gives nothing back."""
        self.connection.execute(sql)
        if found := re.match(r"CREATE OR REPLACE TEMPORARY VIEW (\w+)", sql):
            self.kinds[found[1]] = "VIEW"

    def rows(self, sql: str) -> Mapping[str, Any]:
        """The columns that a query gives, by name."""
        found: Mapping[str, Any] = self.connection.execute(sql).fetchnumpy()
        return found

    def create(self, name: str, sql: str) -> None:
        """Compute a query now and keep its rows."""
        self.drop(name)
        self.connection.execute(f"CREATE TEMPORARY TABLE {name} AS {sql}")
        self.kinds[name] = "TABLE"

    def drop(self, name: str) -> None:
        """Forget a relation."""
        self.connection.execute(f"DROP {self.kinds.pop(name, 'TABLE')} IF EXISTS {name}")

    def solved(self, sql: str, batches: int, function: Solver, metrics: Sequence[str]) -> Ints:
        """What `function` makes of each batch of components."""
        parts = []
        for batch in range(batches):
            cells = self.rows(
                f"SELECT * FROM ({sql}) AS cells WHERE abs(component % {batches}) = {batch}"
            )
            found = function(cells, metrics)
            parts.append(np.stack([found[name] for name in _SOLVED]))
        return np.concatenate(parts, axis=1)

    def score(
        self,
        key: Source,
        response: Source,
        settings: Settings,
        metrics: Sequence[str],
        *,
        tell: Tell | None = None,
        explain: bool = False,
        named: bool = False,
    ) -> Result | Plan:
        """Score two sources; `named` ones are tables of the connection."""
        try:
            sources = self._read(key, response, named)
            try:
                return score_relations(
                    self, sources, settings, metrics, tell=tell or _say_nothing, explain=explain
                )
            finally:
                for role in ("key", "response"):
                    self.drop(f"sameas_{role}")
        except load_duckdb().Error as error:
            raise _explained(error) from None

    def _read(self, key: Source, response: Source, named: bool) -> Sources:
        """Make the relations `sameas_key` and `sameas_response`."""
        found = []
        for source, role in ((key, "key"), (response, "response")):
            path, relation = _relation(self.connection, source, role, named)
            described = self.connection.execute(f"DESCRIBE SELECT * FROM {relation}").fetchall()
            names, types = ([str(row[place]) for row in described] for place in (0, 1))
            found.append(Described(path, relation, names, types))
        sources, queries = select(found[0], found[1], _quoted)
        for role, query in zip(("key", "response"), queries, strict=True):
            self.run(f"CREATE OR REPLACE TEMPORARY VIEW sameas_{role} AS {query}")
        return sources


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _relation(connection: Any, source: Source, role: str, named: bool) -> tuple[str, str]:
    """What a source is called, and how SQL reads it."""
    if named:
        if not isinstance(source, str):
            raise UsageError(f"the {role} must be the name of a table in the connection")
        return source, source
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source), _reading(_files(os.fspath(source)))
    if isinstance(source, (list, tuple)) and all(
        isinstance(path, (str, os.PathLike)) for path in source
    ):
        paths = [file for path in source for file in _files(os.fspath(path))]
        return role, _reading(paths)
    if isinstance(source, Mapping):
        import_module("pyarrow")
        source = import_module("pyarrow").table(dict(source))
    try:
        connection.register(f"sameas_{role}_frame", source)
    except load_duckdb().Error:
        raise UsageError(
            f"the {role} must be a path or a table, not {type(source).__name__}"
        ) from None
    return role, f"sameas_{role}_frame"


def _files(path: str) -> list[str]:
    if os.path.isdir(path):
        found = sorted(
            glob.glob(os.path.join(glob.escape(path), "**", "*.parquet"), recursive=True)
        )
        if not found:
            raise InputError([Problem("no Parquet files in this folder", path)])
        return found
    if os.path.exists(path):
        return [path]
    found = sorted(glob.glob(path, recursive=True))
    if not found:
        raise InputError([Problem("cannot be read: No such file or directory", path)])
    return found


def _reading(paths: Sequence[str]) -> str:
    quoted = ", ".join("'" + path.replace("'", "''") + "'" for path in paths)
    text = [path for path in paths if re.search(r"\.(csv|tsv)(\.gz)?$", path, re.IGNORECASE)]
    if len(text) == len(paths):
        return f"read_csv([{quoted}], header = true, all_varchar = true, null_padding = false)"
    return f"read_parquet([{quoted}])"


@contextmanager
def opened(
    connection: Any = None,
    memory: str | int | None = None,
    threads: int | None = None,
    work: str | os.PathLike[str] | None = None,
) -> Iterator[DuckDB]:
    """An engine on a connection of its own, or on the user's.

    >>> with opened(memory="1GB", threads=1) as engine:
    ...     engine.rows("SELECT 1 AS one")["one"].tolist()
    [1]
    """
    if connection is not None:
        if memory is not None or threads is not None or work is not None:
            raise UsageError(
                "a connection has settings of its own; leave out memory, threads, work"
            )
        yield _Named(connection)
        return
    duckdb = load_duckdb()
    folder = tempfile.mkdtemp(prefix="sameas-", dir=work)
    limit = bytes_of(memory)
    try:
        own = duckdb.connect(":memory:")
        try:
            own.execute(f"SET temp_directory = '{folder.replace(chr(39), chr(39) * 2)}'")
            own.execute("SET preserve_insertion_order = false")
            if limit is not None:
                own.execute(f"SET memory_limit = '{limit}B'")
            if threads is not None:
                own.execute(f"SET threads = {int(threads)}")
            yield DuckDB(own, limit)
        finally:
            own.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class _Named(DuckDB):
    """An engine on the user's connection."""

    def score(self, *sources: Any, **options: Any) -> Result | Plan:
        return super().score(*sources, **options, named=True)


_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12,
          "KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}  # fmt: skip


def bytes_of(memory: str | int | None) -> int | None:
    """An amount of memory in bytes.

    >>> bytes_of("1.5 GB"), bytes_of("512MiB")
    (1500000000, 536870912)
    """
    if memory is None:
        return None
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*", str(memory))
    if not found or found[2].upper() not in _UNITS or float(found[1]) <= 0:
        raise UsageError(f"memory is given like 4GB or 500MB, not like {str(memory)!r:.40}")
    return int(float(found[1]) * _UNITS[found[2].upper()])


def load_duckdb() -> Any:
    """The module of DuckDB, or an error that says how to get it.

    >>> load_duckdb().__name__
    'duckdb'
    """
    try:
        return import_module("duckdb")
    except ImportError:
        raise UsageError("this engine needs DuckDB: pip install 'sameas[duckdb]'") from None


_SOLVED = ("document", "solved", "numerator", "denominator")


def _say_nothing(text: str) -> None:
    pass


def _explained(error: Exception) -> InputError | UsageError:
    """DuckDB's error as one of ours."""
    reason = " ".join(str(error).split())
    kind = type(error).__name__
    if kind == "OutOfMemoryException":
        return UsageError(f"out of memory: {reason:.300}; allow more, or a work folder with room")
    if kind in ("IOException", "InvalidInputException", "HTTPException", "ConversionException"):
        return InputError([Problem(f"not a table that can be read: {reason:.300}", "duckdb")])
    return UsageError(f"DuckDB: {reason:.400}")
