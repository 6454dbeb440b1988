"""Spark: the same SQL on a cluster.

Every intermediate relation is written as Parquet to a working folder that the driver and all
executors can access, and the next query reads it from there. If an executor dies, the work in
progress is repeated from files; finished work is in the folder. Keeping relations in the executors
would also be correct, because Spark can recompute everything from the beginning. But the plans of a
hundred queries, each of which refers to the previous one twice, outgrow any driver, and an input
that gives different rows when it is read again would change the result.

Executors on this machine (`local`, `local-cluster`) can access a temporary folder, so the working
folder is by default a temporary one. Otherwise, the default is the checkpoint folder of the Spark
context, if one is set, or else the home folder in the cluster's file system; if neither exists, the
user must name a folder.

Queries run in their own session (`newSession`), so names of relations cannot collide with the
user's, and changed settings do not affect the user's session.
"""

from __future__ import annotations

import atexit
import errno
import os
import re
import shutil
import sys
import tempfile
import uuid
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from sameas.arithmetic.arrays import Ints
from sameas.errors import InputError, Problem, UsageError
from sameas.files import walk
from sameas.results.result import Result
from sameas.run import Plan
from sameas.run.engines.causes import cause
from sameas.run.engines.files import refuse_database
from sameas.run.engines.solving import PARTS
from sameas.run.engines.sources import Sources, UserRelation, relate
from sameas.run.engines.spark_start import load_pyspark, session, without_warnings
from sameas.run.engines.sql import Solver, TellStep, assigned, score_on, score_tables
from sameas.run.engines.workload import bytes_of
from sameas.run.processes import count_jobs
from sameas.settings import Options

__all__ = ["SparkDatabase", "opened", "score", "session"]


class SparkDatabase:
    """A Spark session with the methods of `TableEngine`; the executors solve components.

    `work` is a folder that the driver and all executors can write to (`hdfs://…`, `s3a://…`, a
    shared disk). A new folder is created in it, which `close` removes.

    >>> with SparkDatabase(session("local[2]")) as database:  # doctest: +SKIP
    ...     database.create("numbers", "SELECT id AS n FROM range(4)")
    ...     database.rows("SELECT sum(n) AS total FROM numbers")
    {'total': array([6])}
    """

    name = "spark"
    memory: int | None = None  # the memory of the executors is not known here

    def __init__(self, spark: Any, *, work: str | os.PathLike[str] | None = None) -> None:
        self._context = context = _context(spark)
        self.session = _own_session(spark)
        self.folder = _folder(context, work)
        if not _is_local(context):
            _check_shared(self.session, self.folder, context.defaultParallelism)
        self._kept: dict[str, str] = {}  # name: path of its files
        self._added: dict[str, tuple[Any, str]] = {}  # name: session and view of the user's frame
        self._made = 0

    @property
    def where(self) -> str:
        """A short description of what runs where.

        >>> database.where  # doctest: +SKIP
        'Spark 4.0.0 at local[2], 2 tasks at a time, through file:/tmp/sameas-x1; components are …'
        """
        context = self._context
        return (
            f"Spark {context.version} at {context.master}, {context.defaultParallelism} tasks at a "
            f"time, through {self.folder}; components are solved by the executors"
        )

    def add(self, name: str, frame: Any) -> None:
        """Register a user's data frame under a name that queries can use.

        >>> database.add("key", spark.read.parquet("key.parquet"))  # doctest: +SKIP
        """
        self.drop(name)
        # Only global views are visible in other sessions.
        view = f"sameas_{uuid.uuid4().hex}"
        frame.createOrReplaceGlobalTempView(view)
        self._added[name] = (frame.sparkSession, view)
        home = self.session.conf.get("spark.sql.globalTempDatabase")
        self.session.table(f"{home}.{view}").createOrReplaceTempView(name)

    def run(self, sql: str) -> None:
        """Run a statement that returns nothing.

        >>> database.run("CREATE TEMP VIEW large AS SELECT …")  # doctest: +SKIP
        """
        self.session.sql(sql)

    def rows(self, sql: str) -> dict[str, npt.NDArray[Any]]:
        """Return the columns of a query's result, keyed by name.

        >>> database.rows("SELECT count(*) AS n FROM cells")  # doctest: +SKIP
        {'n': array([8123])}
        """
        frame = self.session.sql(sql)
        try:
            table = frame.toArrow()
        except ImportError:  # pyarrow is missing or too old
            return _columns(frame)
        return {name: table.column(name).to_numpy() for name in table.column_names}

    def create(self, name: str, sql: str) -> None:
        """Compute a query and store its rows as the relation `name`; overwrite an existing one.

        >>> database.create("cells", "SELECT …")  # doctest: +SKIP
        """
        frame = self.session.sql(sql)
        self._made += 1
        path = f"{self.folder}/{self._made}-{name}"
        # Version 1 makes the files of tasks visible only when the whole job is done. Version 2 is
        # faster, but a task that dies while committing its files may leave some of them behind.
        option = "mapreduce.fileoutputcommitter.algorithm.version"
        frame.write.option(option, "1").parquet(path)
        self.drop(name)
        self._kept[name] = path
        self.session.read.schema(frame.schema).parquet(path).createOrReplaceTempView(name)

    def drop(self, name: str) -> None:
        """Drop a relation; dropping a missing one is a no-op.

        >>> database.drop("cells")  # doctest: +SKIP
        """
        self.session.catalog.dropTempView(name)
        if name in self._added:
            session, view = self._added.pop(name)
            session.catalog.dropGlobalTempView(view)
        if name in self._kept:
            self._delete(self._kept.pop(name))

    def solved(self, sql: str, batches: int, function: Solver, metrics: Sequence[str]) -> Ints:
        """Return the results of `function` for all batches of components."""
        context = self._context
        if not context.master.startswith("local["):
            _send_package(context)
        cells = self.session.sql(
            f"SELECT *, abs(component % {batches}) AS batch FROM ({sql}) AS cells"
        )
        kind = "document BIGINT, solved BIGINT, numerator BIGINT, denominator BIGINT"
        solver = _on_arrow(function, tuple(metrics))
        with without_warnings(), _own_python(context):
            found = cells.groupBy("batch").applyInArrow(solver, kind).toArrow()
        return np.stack([found.column(name).to_numpy() for name in PARTS])

    @contextmanager
    def sources(self, key: Any, response: Any) -> Iterator[Sources]:
        """Register two sources as `sameas_key` and `sameas_response` within this context."""
        try:
            ours, theirs = self._described(key, "key"), self._described(response, "response")
            yield relate(self.run, ours, theirs, "`")
        except import_module("pyspark.errors").PySparkException as error:
            raise _failed(cause(str(error)), self.folder) from None
        except import_module("py4j.protocol").Py4JJavaError as error:
            raise _failed(_root_cause(error.java_exception)[0], self.folder) from None
        finally:
            for name in ("key", "response"):
                self.drop(f"sameas_{name}")
                self.drop(f"sameas_{name}_frame")

    def _described(self, source: Any, role: str) -> UserRelation:
        path, relation = role, f"sameas_{role}_frame"
        if isinstance(source, (str, os.PathLike)):
            path = os.fspath(source)
            source = self._parquet(path)
        if not hasattr(source, "createOrReplaceGlobalTempView"):
            raise UsageError("not-spark-source", side=role, kind=_kind(source))
        self.add(relation, source)
        names, types = zip(*source.dtypes, strict=True) if source.dtypes else ((), ())
        return UserRelation(path, relation, names, types)

    def _parquet(self, path: str) -> Any:
        # Spark reads the schemas of all files, and rejects incompatible types.
        reader = self.session.read.option("mergeSchema", "true")
        if _is_local(self._context) and os.path.exists(path):  # a path, not a pattern
            refuse_database(path)
            return self._load(reader, re.sub(r"[\[\]{}*?\\]", r"\\\g<0>", path), path)
        if fixed := re.match(r"[^*?\[{]*/(?=[^/]*[*?\[{])", path):
            reader = reader.option("basePath", fixed[0])  # folders named `column=value` begin here
        return self._load(reader, path, path)

    def _load(self, reader: Any, escaped: str, path: str) -> Any:
        try:
            return reader.parquet(escaped)
        except import_module("pyspark.errors").AnalysisException as error:
            reason, condition = cause(str(error)), error.getCondition()
            how = "other" if os.path.exists(path) else "name"
            if condition == "PATH_NOT_FOUND":
                reason = os.strerror(errno.ENOENT)
            if condition == "UNABLE_TO_INFER_SCHEMA":
                how = "file" if os.path.isfile(path) else "folder"
        except import_module("py4j.protocol").Py4JJavaError as error:
            reason, kind = _root_cause(error.java_exception)
            how = "other" if os.path.isfile(path) else "types"
            if kind == "UnsupportedFileSystemException":
                how = "scheme"
            if re.match("https?:", path):
                how = "web"
        raise InputError([Problem("spark-unreadable", path, how=how, reason=reason)])

    def close(self) -> None:
        """Drop all relations and remove the folder; the user's session stays open.

        >>> database.close()  # doctest: +SKIP
        """
        for name in [*self._kept, *self._added]:
            self.drop(name)
        self._delete(self.folder)

    def __enter__(self) -> SparkDatabase:
        return self

    def __exit__(self, *error: object) -> None:
        # A context that has died or was stopped in the meantime has nothing left to drop.
        try:
            if self._context._jsc is not None and not self._context._jsc.sc().isStopped():
                self.close()
        except Exception:
            if error[0] is None:
                raise  # otherwise Java may have ended, which the first error reports
        finally:
            if self.folder.startswith("file:"):
                shutil.rmtree(self.folder.removeprefix("file:"), ignore_errors=True)

    def _delete(self, path: str) -> None:
        place = self._context._jvm.org.apache.hadoop.fs.Path(path)
        place.getFileSystem(self._context._jsc.hadoopConfiguration()).delete(place, True)


def _is_local(context: Any) -> bool:
    return str(context.master).startswith("local")


def _context(spark: Any) -> Any:
    """Return the Spark context of a session; raise `UsageError` if it is not usable."""
    load_pyspark()
    if type(spark).__module__.startswith("pyspark.sql.connect"):
        raise UsageError("spark-connect", how="session")
    context = getattr(spark, "sparkContext", None)
    if context is None or not hasattr(spark, "newSession"):
        raise UsageError("spark-session", kind=_kind(spark))
    if context._jsc is None or context._jsc.sc().isStopped():
        raise UsageError("spark-stopped")
    return context


def _own_session(spark: Any) -> Any:
    """Return a new session with the user's settings, in which overflow always raises an error."""
    own = spark.newSession()
    for name, value in spark.conf.getAll.items():
        if own.conf.get(name, None) != value and own.conf.isModifiable(name):
            own.conf.set(name, value)
    own.conf.set("spark.sql.ansi.enabled", "true")
    # Folders named document=01 and document=1 are different documents.
    own.conf.set("spark.sql.sources.partitionColumnTypeInference.enabled", "false")
    return own


def _folder(context: Any, work: str | os.PathLike[str] | None) -> str:
    """Return the path of a new folder that all executors can access."""
    here = _is_local(context)
    if work is None and here:
        return "file:" + tempfile.mkdtemp(prefix="sameas-")
    parent = str(work) if work is not None else context.getCheckpointDir() or _home(context)
    if here and "://" not in parent and not parent.startswith("file:"):
        if not os.path.isdir(parent):
            raise UsageError("work-folder", how="file", folder=parent)
        parent = "file:" + str(Path(parent).absolute())
    return f"{parent.rstrip('/')}/sameas-{uuid.uuid4().hex}"


def _home(context: Any) -> str:
    """Return the user's home folder in the file system of the cluster."""
    files = context._jvm.org.apache.hadoop.fs.FileSystem.get(context._jsc.hadoopConfiguration())
    if files.getScheme() == "file":  # local to one machine
        raise UsageError("spark-work")
    return str(files.getHomeDirectory().toString())


def _check_shared(session: Any, folder: str, executors: int) -> None:
    """Raise `UsageError` if the machines do not share the folder, because rows would be lost."""
    pieces = 8 * max(executors, 2)
    session.range(0, pieces, 1, pieces).write.parquet(f"{folder}/shared")
    found = session.read.schema("id BIGINT").parquet(f"{folder}/shared").count()
    if found != pieces:
        raise UsageError("spark-folder", folder=folder, found=found, pieces=pieces)


def _columns(frame: Any) -> dict[str, npt.NDArray[Any]]:
    """Collect the columns of a data frame row by row, without Arrow."""
    rows = frame.collect()
    kinds = {"bigint": np.int64, "int": np.int32, "double": np.float64, "boolean": np.bool_}
    found: dict[str, npt.NDArray[Any]] = {}
    for place, (name, kind) in enumerate(frame.dtypes):
        values = [row[place] for row in rows]
        usual = np.object_ if None in values else kinds.get(kind, np.object_)
        found[name] = np.array(values, dtype=usual)
    return found


def _kind(value: object) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}"


def score(
    spark: Any,
    key: Any,
    response: Any,
    *,
    metrics: str | Sequence[str] | None = None,
    work: str | os.PathLike[str] | None = None,
    tell: TellStep | None = None,
    **options: Unpack[Options],
) -> Result:
    """Score a table of mentions against another one, on a cluster.

    Each table is a data frame of the session `spark`, or the path of Parquet files, with columns
    `document, mention, entity`, or `document, start, end, entity`. Without a column `document`, all
    rows belong to one document. The result equals that of `sameas.score` to the last digit, except
    that documents are sorted by name.

    Parameters
    ----------
    spark
        The session.
    key, response
        The tables.
    metrics
        Names of metrics, as in `sameas.score`.
    work
        A folder that all machines can write to.
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
    >>> spark = session("local[2]")  # doctest: +SKIP
    >>> score(spark, "key.parquet", spark.table("predictions")).conll.f1  # doctest: +SKIP
    0.8123
    """
    resources = {"session": spark, "work": work}
    return score_tables(key, response, metrics, options, tell, engine="spark", resources=resources)


def rows(plan: Plan) -> Iterator[Sequence[Result]]:
    """Yield the results of a plan, counted by Spark."""
    with opened_for(plan) as engine:
        if assigned(plan.metrics):
            _check_python(engine.session.sparkContext)
        yield score_on(engine, plan)


def opened_for(plan: Plan) -> AbstractContextManager[SparkDatabase]:
    """Open an engine with the resources of a plan."""
    names = ("master", "memory", "work", "session")
    master, *others = (plan.resources.get(name) for name in names)
    if plan.jobs is not None:
        master = f"local[{count_jobs(plan.jobs)}]"
    return opened(master, *others)


@contextmanager
def _own_python(context: Any) -> Iterator[None]:
    """Let the workers on this machine run the current Python, unless the user has set another.

    Spark would use the first `python3` on the path, which may belong to another environment.
    """
    before = context.pythonExec
    if _is_ours(context):
        context.pythonExec = sys.executable
    try:
        yield
    finally:
        context.pythonExec = before


def _is_ours(context: Any) -> bool:
    """Return whether we choose the workers' Python."""
    return (
        _is_local(context)
        and context.pythonExec == "python3"  # Spark's default
        and bool(sys.executable)
    )


def _check_python(context: Any) -> None:
    """Raise `UsageError` at the start if the executors' Python cannot solve components."""
    if _is_ours(context) or context.pythonExec == sys.executable:
        return
    needed = ("numpy", "pandas", "pyarrow")

    def missing(_: object) -> list[str]:  # runs where sameas may not be installed
        from importlib.util import find_spec

        return [name for name in needed if find_spec(name) is None]

    pieces = max(context.defaultParallelism, 2)
    python = {"python": context.pythonExec, "version": "{}.{}".format(*sys.version_info[:2])}
    try:
        found = context.parallelize(range(pieces), pieces).map(missing).collect()
    except import_module("py4j.protocol").Py4JJavaError as error:
        reason, _ = _root_cause(error.java_exception)
        raise UsageError("executors", how="fail", reason=reason, **python) from None
    if absent := [name for name in needed if any(name in names for names in found)]:
        raise UsageError("executors", how="lack", packages=absent, **python)


_sent: dict[str, str] = {}  # folder of the zip file, keyed by application


def _send_package(context: Any) -> None:
    """Send this package to a cluster's workers, once; they need it for as long as they run."""
    if context.applicationId in _sent:
        return
    folder = _sent[context.applicationId] = tempfile.mkdtemp(prefix="sameas-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    home = Path(import_module("sameas").__file__ or "").parent
    with zipfile.ZipFile(Path(folder, "sameas.zip"), "w") as file:
        for path in walk(str(home)):
            if path.endswith((".py", ".txt")):
                file.write(path, Path(path).relative_to(home.parent))
    context.addPyFile(str(Path(folder, "sameas.zip")))


def _on_arrow(function: Solver, metrics: tuple[str, ...]) -> Any:
    """Return the solver as a function of Arrow tables that can be sent to the workers."""
    arrow: Any = import_module("pyarrow")

    def solve_table(cells: Any) -> Any:
        columns = {name: cells.column(name).to_numpy() for name in cells.column_names}
        return import_module("pyarrow").table(function(columns, metrics))

    # Spark reads these annotations to find out what the function accepts.
    solve_table.__annotations__ = {"cells": arrow.Table, "return": arrow.Table}
    return solve_table


@contextmanager
def opened(
    master: str | None = None,
    memory: str | None = None,
    work: str | os.PathLike[str] | None = None,
    spark: Any = None,
) -> Iterator[SparkDatabase]:
    """Open an engine on a session of its own, or on the user's (`spark`).

    >>> with opened("local[2]") as engine:  # doctest: +SKIP
    ...     engine.where
    """
    if spark is None:
        size = bytes_of(memory)
        spark = session(master, memory=None if size is None else f"{-(-size // 2**20)}m")
    with SparkDatabase(spark, work=work) as engine:
        yield engine


def _root_cause(error: Any) -> tuple[str, str]:
    """Return the message of Java's innermost exception, and the name of its class."""
    while (inner := error.getCause()) is not None:
        error = inner
    return cause(str(error.toString())), str(error.getClass().getSimpleName())


def _failed(reason: str, folder: str) -> UsageError:
    """Return the error for a failed query; only its text shows whether a disk is full."""
    if os.strerror(errno.ENOSPC) in reason:
        return UsageError("spark-full", folder=folder)
    return UsageError("spark", reason=reason)
