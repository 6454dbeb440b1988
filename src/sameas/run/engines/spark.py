"""Spark: the same SQL on a cluster.

A relation that is computed on the way is written as Parquet into a working folder that the driver
and all executors see, and the next query reads it there. What an executor was computing when it
died is computed again, from files; what it had computed is in the folder. Keeping relations in the
executors and leaving the rest to Spark, which can compute everything again from the beginning,
would be as right, but the plans of a hundred queries, each of which names the one before it twice,
grow beyond any driver; and an input that gives other rows when it is read a second time would give
another result.

Executors on this machine (`local`, `local-cluster`) see a temporary folder, so that is the default
there. Elsewhere it is the checkpoint folder of the Spark context, if one is set, or the home folder
in the file system of the cluster; else the user has to give one.

Queries run in a session of their own (`newSession`): names of relations cannot collide with
those of the user, and settings can be changed without anybody noticing.
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
    """A Spark session behind the methods of `TableEngine`; the executors solve components.

    `work` is a folder that the driver and all executors can write to (`hdfs://…`, `s3a://…`, a
    shared disk); a folder of its own is made inside, and removed by `close`.

    >>> with SparkDatabase(session("local[2]")) as database:  # doctest: +SKIP
    ...     database.create("numbers", "SELECT id AS n FROM range(4)")
    ...     database.rows("SELECT sum(n) AS total FROM numbers")
    {'total': array([6])}
    """

    name = "spark"
    memory: int | None = None  # how much there is in the executors is not known here

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
        """What runs where, in a few words.

        >>> database.where  # doctest: +SKIP
        'Spark 4.0.0 at local[2], 2 tasks at a time, through file:/tmp/sameas-x1; components are …'
        """
        context = self._context
        return (
            f"Spark {context.version} at {context.master}, {context.defaultParallelism} tasks at a "
            f"time, through {self.folder}; components are solved by the executors"
        )

    def add(self, name: str, frame: Any) -> None:
        """Give a data frame of the user a name in queries.

        >>> database.add("key", spark.read.parquet("key.parquet"))  # doctest: +SKIP
        """
        self.drop(name)
        # Only global views can be seen from one session in another.
        view = f"sameas_{uuid.uuid4().hex}"
        frame.createOrReplaceGlobalTempView(view)
        self._added[name] = (frame.sparkSession, view)
        home = self.session.conf.get("spark.sql.globalTempDatabase")
        self.session.table(f"{home}.{view}").createOrReplaceTempView(name)

    def run(self, sql: str) -> None:
        """Run a statement that gives nothing back.

        >>> database.run("CREATE TEMP VIEW large AS SELECT …")  # doctest: +SKIP
        """
        self.session.sql(sql)

    def rows(self, sql: str) -> dict[str, npt.NDArray[Any]]:
        """The columns that a query gives, by name.

        >>> database.rows("SELECT count(*) AS n FROM cells")  # doctest: +SKIP
        {'n': array([8123])}
        """
        frame = self.session.sql(sql)
        try:
            table = frame.toArrow()
        except ImportError:  # pyarrow is not there, or too old
            return _columns(frame)
        return {name: table.column(name).to_numpy() for name in table.column_names}

    def create(self, name: str, sql: str) -> None:
        """Compute a query now and keep its rows as the relation `name`, in place of an old one.

        >>> database.create("cells", "SELECT …")  # doctest: +SKIP
        """
        frame = self.session.sql(sql)
        self._made += 1
        path = f"{self.folder}/{self._made}-{name}"
        # Version 1 shows the files of a task only when the whole job is done. Version 2 is faster,
        # but a task that dies while it hands over its files may leave some of them.
        option = "mapreduce.fileoutputcommitter.algorithm.version"
        frame.write.option(option, "1").parquet(path)
        self.drop(name)
        self._kept[name] = path
        self.session.read.schema(frame.schema).parquet(path).createOrReplaceTempView(name)

    def drop(self, name: str) -> None:
        """Forget a relation; one that is not there is no error.

        >>> database.drop("cells")  # doctest: +SKIP
        """
        self.session.catalog.dropTempView(name)
        if name in self._added:
            session, view = self._added.pop(name)
            session.catalog.dropGlobalTempView(view)
        if name in self._kept:
            self._delete(self._kept.pop(name))

    def solved(self, sql: str, batches: int, function: Solver, metrics: Sequence[str]) -> Ints:
        """What `function` makes of each batch of components."""
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
        """Make two sources the relations `sameas_key` and `sameas_response`, for a while."""
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
        # Spark looks at all files, and refuses those whose types do not go together.
        reader = self.session.read.option("mergeSchema", "true")
        if _is_local(self._context) and os.path.exists(path):  # then it is no pattern
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
        """Drop all relations and remove the folder; the user's session goes on.

        >>> database.close()  # doctest: +SKIP
        """
        for name in [*self._kept, *self._added]:
            self.drop(name)
        self._delete(self.folder)

    def __enter__(self) -> SparkDatabase:
        return self

    def __exit__(self, *error: object) -> None:
        # A context that died, or was stopped in the meantime, has nothing to drop any more.
        try:
            if self._context._jsc is not None and not self._context._jsc.sc().isStopped():
                self.close()
        except Exception:
            if error[0] is None:
                raise  # or else there may be no Java any more, and it is told already
        finally:
            if self.folder.startswith("file:"):
                shutil.rmtree(self.folder.removeprefix("file:"), ignore_errors=True)

    def _delete(self, path: str) -> None:
        place = self._context._jvm.org.apache.hadoop.fs.Path(path)
        place.getFileSystem(self._context._jsc.hadoopConfiguration()).delete(place, True)


def _is_local(context: Any) -> bool:
    return str(context.master).startswith("local")


def _context(spark: Any) -> Any:
    """The Spark context, if there is one that works."""
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
    """A session with the user's settings, and with overflow an error whatever they are."""
    own = spark.newSession()
    for name, value in spark.conf.getAll.items():
        if own.conf.get(name, None) != value and own.conf.isModifiable(name):
            own.conf.set(name, value)
    own.conf.set("spark.sql.ansi.enabled", "true")
    # A folder named document=01 is of another document than one named document=1.
    own.conf.set("spark.sql.sources.partitionColumnTypeInference.enabled", "false")
    return own


def _folder(context: Any, work: str | os.PathLike[str] | None) -> str:
    """The path of a new folder that all executors see."""
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
    """The user's folder in the file system of the cluster."""
    files = context._jvm.org.apache.hadoop.fs.FileSystem.get(context._jsc.hadoopConfiguration())
    if files.getScheme() == "file":  # that of one machine
        raise UsageError("spark-work")
    return str(files.getHomeDirectory().toString())


def _check_shared(session: Any, folder: str, executors: int) -> None:
    """Refuse a folder that is another one on every machine: rows would be lost in it."""
    pieces = 8 * max(executors, 2)
    session.range(0, pieces, 1, pieces).write.parquet(f"{folder}/shared")
    found = session.read.schema("id BIGINT").parquet(f"{folder}/shared").count()
    if found != pieces:
        raise UsageError("spark-folder", folder=folder, found=found, pieces=pieces)


def _columns(frame: Any) -> dict[str, npt.NDArray[Any]]:
    """Without Arrow: row by row."""
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

    Each is a data frame of the session `spark`, or the path of Parquet, with columns `document,
    mention, entity`, or `document, start, end, entity`; without a document all rows are one
    document. The result is that of `sameas.score`, to the last digit, but for the order of the
    documents (by name). `work` is a folder that all machines can write to; `tell` is called with a
    line about each step.

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
    wanted = ("master", "memory", "work", "session")
    master, *others = (plan.resources.get(name) for name in wanted)
    if plan.jobs is not None:
        master = f"local[{count_jobs(plan.jobs)}]"
    return opened(master, *others)


@contextmanager
def _own_python(context: Any) -> Iterator[None]:
    """Have the workers on this machine run this very Python, unless the user has named another.

    Spark would take the first `python3` on the path, which need not be that of this environment.
    """
    before = context.pythonExec
    if _is_ours(context):
        context.pythonExec = sys.executable
    try:
        yield
    finally:
        context.pythonExec = before


def _is_ours(context: Any) -> bool:
    """Whether the workers' Python is for us to choose."""
    return (
        _is_local(context)
        and context.pythonExec == "python3"  # what Spark has when nobody has said anything
        and bool(sys.executable)
    )


def _check_python(context: Any) -> None:
    """Refuse to begin if the executors' Python could not solve components in the end."""
    if _is_ours(context) or context.pythonExec == sys.executable:
        return
    needed = ("numpy", "pandas", "pyarrow")

    def missing(_: object) -> list[str]:  # runs where sameas may not be
        from importlib.util import find_spec

        return [name for name in needed if find_spec(name) is None]

    pieces = max(context.defaultParallelism, 2)
    python = {"python": context.pythonExec, "version": "{}.{}".format(*sys.version_info[:2])}
    try:
        found = context.parallelize(range(pieces), pieces).map(missing).collect()
    except import_module("py4j.protocol").Py4JJavaError as error:
        reason, _ = _root_cause(error.java_exception)
        raise UsageError("executors", how="fail", reason=reason, **python) from None
    if lacking := [name for name in needed if any(name in names for names in found)]:
        raise UsageError("executors", how="lack", packages=lacking, **python)


_sent: dict[str, str] = {}  # application: folder of the zip file


def _send_package(context: Any) -> None:
    """Give the workers of a cluster this package, once; the file has to stay while they live."""
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
    """The solver as a function of Arrow tables, which goes to the workers."""
    arrow: Any = import_module("pyarrow")

    def solve_table(cells: Any) -> Any:
        columns = {name: cells.column(name).to_numpy() for name in cells.column_names}
        return import_module("pyarrow").table(function(columns, metrics))

    # Spark looks at these to see what the function takes.
    solve_table.__annotations__ = {"cells": arrow.Table, "return": arrow.Table}
    return solve_table


@contextmanager
def opened(
    master: str | None = None,
    memory: str | None = None,
    work: str | os.PathLike[str] | None = None,
    spark: Any = None,
) -> Iterator[SparkDatabase]:
    """An engine on a session of its own, or on the user's (`spark`).

    >>> with opened("local[2]") as engine:  # doctest: +SKIP
    ...     engine.where
    """
    if spark is None:
        size = bytes_of(memory)
        spark = session(master, memory=None if size is None else f"{-(-size // 2**20)}m")
    with SparkDatabase(spark, work=work) as engine:
        yield engine


def _root_cause(error: Any) -> tuple[str, str]:
    """What Java's innermost exception says, and its class."""
    while (inner := error.getCause()) is not None:
        error = inner
    return cause(str(error.toString())), str(error.getClass().getSimpleName())


def _failed(reason: str, folder: str) -> UsageError:
    """What to say when a query has failed; that a disk is full is only in the text of an error."""
    if os.strerror(errno.ENOSPC) in reason:
        return UsageError("spark-full", folder=folder)
    return UsageError("spark", reason=reason)
