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
import os
import re
import shutil
import signal
import sys
import tempfile
import time
import uuid
import warnings
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from sameas.coref.document import Ints
from sameas.coref.statistics import choose_metrics
from sameas.engines.causes import cause, shortened
from sameas.engines.duckdb import bytes_of
from sameas.engines.files import refuse_database
from sameas.engines.solving import PARTS
from sameas.engines.sources import Described, Sources, select
from sameas.engines.sql import Plan, Solver, Tell, assigned, score_relations
from sameas.errors import InputError, Problem, UsageError, how_to_install
from sameas.result import Result
from sameas.signature import Settings

__all__ = ["SparkDatabase", "SparkEngine", "end_java", "opened", "score", "session"]

_PACKAGES = ("pyspark>=4", "pyarrow", "pandas")
_JAVA = "Spark needs Java 17 or newer"


class SparkDatabase:
    """A Spark session behind the four methods of `Database`.

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
        context = _context(spark)
        self.session = _own_session(spark)
        self.folder = _folder(context, work)
        self._context = context
        if not context.master.startswith("local"):
            _check_shared(self.session, self.folder, context.defaultParallelism)
        self._kept: dict[str, str] = {}  # name: path of its files
        self._added: dict[str, tuple[Any, str]] = {}  # name: session and view of the user's frame
        self._made = 0

    @property
    def where(self) -> str:
        """What runs where, in a few words.

        >>> database.where  # doctest: +SKIP
        'Spark 4.0.0 on local[2], 2 tasks at once; between queries Parquet in file:/tmp/sameas-x1'
        """
        context = self._context
        return (
            f"Spark {context.version} on {context.master}, {context.defaultParallelism} tasks at "
            f"once; between queries Parquet in {self.folder}"
        )

    @property
    def is_local(self) -> bool:
        """Whether paths are those of this machine.

        >>> database.is_local  # doctest: +SKIP
        True
        """
        return str(self._context.master).startswith("local")

    def add(self, name: str, frame: Any) -> None:
        """Give a data frame of the user a name in queries.

        >>> database.add("key", spark.read.parquet("key.parquet"))  # doctest: +SKIP
        """
        if not hasattr(frame, "createOrReplaceGlobalTempView"):
            raise UsageError(f"{name} is no Spark data frame but {_kind(frame)}")
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


def _context(spark: Any) -> Any:
    """The Spark context, if there is one that works."""
    _pyspark()
    if type(spark).__module__.startswith("pyspark.sql.connect"):
        raise UsageError(
            "a Spark Connect session cannot be used, for it has no Spark context: run this where "
            "the driver is (spark-submit), or write the tables as Parquet and take DuckDB"
        )
    context = getattr(spark, "sparkContext", None)
    if context is None or not hasattr(spark, "newSession"):
        raise UsageError(f"a SparkSession is needed, not {_kind(spark)}")
    if context._jsc is None or context._jsc.sc().isStopped():
        raise UsageError("this Spark session has been stopped: start another one")
    return context


def _own_session(spark: Any) -> Any:
    """A session with the user's settings, and with overflow an error whatever they are."""
    own = spark.newSession()
    settings = spark.conf.getAll
    for name, value in settings.items():
        if own.conf.get(name, None) != value and own.conf.isModifiable(name):
            own.conf.set(name, value)
    own.conf.set("spark.sql.ansi.enabled", "true")
    # A folder named document=01 is of another document than one named document=1.
    own.conf.set("spark.sql.sources.partitionColumnTypeInference.enabled", "false")
    return own


def _folder(context: Any, work: str | os.PathLike[str] | None) -> str:
    """The path of a new folder that all executors see."""
    here = context.master.startswith("local")
    if work is None and here:
        return "file:" + tempfile.mkdtemp(prefix="sameas-")
    parent = str(work) if work is not None else context.getCheckpointDir() or _home(context)
    if here and "://" not in parent and not parent.startswith("file:"):
        if not os.path.isdir(parent):
            raise UsageError(f"cannot write to the work folder {parent}: it is not a folder")
        parent = "file:" + str(Path(parent).absolute())
    return f"{parent.rstrip('/')}/sameas-{uuid.uuid4().hex}"


def _home(context: Any) -> str:
    """The user's folder in the file system of the cluster."""
    files = context._jvm.org.apache.hadoop.fs.FileSystem.get(context._jsc.hadoopConfiguration())
    if files.getScheme() == "file":  # that of one machine
        raise UsageError(
            "Spark needs a folder that the driver and all executors can write to: give `work`, "
            "such as hdfs://…, s3a://… or a shared disk"
        )
    return str(files.getHomeDirectory().toString())


def _check_shared(session: Any, folder: str, executors: int) -> None:
    """Refuse a folder that is another one on every machine: rows would be lost in it."""
    pieces = 8 * max(executors, 2)
    session.range(0, pieces, 1, pieces).write.parquet(f"{folder}/shared")
    found = session.read.schema("id BIGINT").parquet(f"{folder}/shared").count()
    if found != pieces:
        raise UsageError(
            f"{folder} is not the same folder on all machines of the cluster: {found} of {pieces} "
            "files that executors wrote are there; give another one as `work`"
        )


def _columns(frame: Any) -> dict[str, npt.NDArray[Any]]:
    """Without Arrow: row by row."""
    rows = frame.collect()
    kinds = {"bigint": np.int64, "int": np.int32, "double": np.float64, "boolean": np.bool_}
    found = {}
    for place, (name, kind) in enumerate(frame.dtypes):
        values = [row[place] for row in rows]
        if None in values:
            found[name] = np.array(values, dtype=np.object_)
        else:
            found[name] = np.array(values, dtype=kinds.get(kind, np.object_))
    return found


def _kind(value: object) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}"


# --- starting Spark --------------------------------------------------------------------------


def session(
    master: str | None = None,
    *,
    memory: str | None = None,
    settings: Mapping[str, str] | None = None,
    quiet: bool = True,
) -> Any:
    """A Spark session for a command line: the running one, or a new one that keeps quiet.

    What spark-submit, the environment or `spark-defaults.conf` say is respected: `master` is
    `local[*]` only if nobody says otherwise, and the driver gets half of the memory of this machine
    (`memory`, such as `8g`, is more or less) only if its memory is not set. `settings` are others,
    and have the last word. Messages of Java are not shown unless `quiet` is False.

    >>> session("local[2]", memory="4g").version  # doctest: +SKIP
    '4.0.0'
    """
    pyspark = _pyspark()
    sql: Any = import_module("pyspark.sql")
    running = pyspark.SparkContext._active_spark_context is not None
    if running or "PYSPARK_GATEWAY_PORT" in os.environ:  # the latter is set by spark-submit
        return sql.SparkSession.builder.getOrCreate()
    if os.environ.get("SPARK_REMOTE") or os.environ.get("SPARK_CONNECT_MODE_ENABLED"):
        raise UsageError("Spark Connect cannot be used: unset SPARK_REMOTE, or give a master")
    _find_java()
    scratch = tempfile.mkdtemp(prefix="sameas-")
    atexit.register(shutil.rmtree, scratch, ignore_errors=True)
    chosen = {
        "spark.app.name": "sameas",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        # Spark makes this folder, empty, and by default in the current one.
        "spark.sql.warehouse.dir": os.path.join(scratch, "warehouse"),
    }
    if master is not None:
        chosen["spark.master"] = master
    if memory is not None or not _says_memory():
        chosen["spark.driver.memory"] = memory or _half_of_memory()
    chosen |= settings or {}
    conf = pyspark.SparkConf().setAll(list(chosen.items()))
    with tempfile.TemporaryFile("w+", errors="replace") as messages, _without_warnings():
        try:
            # Java keeps the file open when it is closed here.
            gateway = _launch(conf, messages if quiet else None)
            with _same_handler():
                context = pyspark.SparkContext(conf=conf, gateway=gateway)
        except Exception as error:  # whatever stops Java or Spark: a port, a setting, a master
            messages.seek(0)
            raise UsageError(_why(messages.read(), error)) from None
        context.setLogLevel("ERROR")
        return sql.SparkSession.builder.getOrCreate()


@contextmanager
def _same_handler() -> Iterator[None]:
    """Keep what answers Ctrl-C, if it is not Python's own; a new context puts its own there."""
    before = signal.getsignal(signal.SIGINT)
    yield
    if before not in (None, signal.default_int_handler):
        with suppress(ValueError):  # only the main thread has signals
            signal.signal(signal.SIGINT, before)


def _launch(conf: Any, messages: IO[str] | None) -> Any:
    """Java, with its messages in a file; one that is running already is used again."""
    pyspark = _pyspark()
    if pyspark.SparkContext._gateway is not None:
        return pyspark.SparkContext._gateway
    options = {} if messages is None else {"stderr": messages}
    return import_module("pyspark.java_gateway").launch_gateway(conf, options)


def _pyspark() -> Any:
    try:
        with _without_warnings():
            found: Any = import_module("pyspark")
    except ImportError:
        raise UsageError(f"Spark is not installed: {how_to_install(*_PACKAGES)}") from None
    if int(found.__version__.partition(".")[0]) < 4:
        install = how_to_install(*_PACKAGES)
        raise UsageError(f"Spark 4 or newer is needed, not {found.__version__}: {install}")
    return found


@contextmanager
def _without_warnings() -> Iterator[None]:
    # pyspark warns of pandas versions, and nothing here goes through pandas.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _find_java() -> None:
    home = os.environ.get("JAVA_HOME")
    if home and shutil.which("java", path=os.path.join(home, "bin")) is None:
        raise UsageError(f"{_JAVA}, and there is none in JAVA_HOME ({home})")
    if not home and shutil.which("java") is None:
        raise UsageError(f"{_JAVA}: install it, or set JAVA_HOME to the folder where it is")


def _why(messages: str, error: Exception) -> str:
    """What to say when Spark does not start: the line of the messages that tells most."""
    if "UnsupportedClassVersionError" in messages:
        return f"{_JAVA}, and the one that was found is older: install it, or set JAVA_HOME"
    lines = [line.strip() for line in [*messages.splitlines(), *str(error).splitlines()]]
    telling = [line for line in lines if "Exception" in line or "rror:" in line]
    # The innermost cause comes last.
    causes = [line for line in telling if line.startswith("Caused by:")] or telling[:1]
    reason = (causes or [line for line in lines if line] or [type(error).__name__])[-1]
    return f"Spark does not start: {shortened(reason)}"


def _says_memory() -> bool:
    """Whether the user has said how much memory the driver gets."""
    if os.environ.get("SPARK_DRIVER_MEMORY"):
        return True
    arguments = os.environ.get("PYSPARK_SUBMIT_ARGS", "")
    if "--driver-memory" in arguments or "spark.driver.memory" in arguments:
        return True
    home = os.environ.get("SPARK_HOME", "")
    folder = os.environ.get("SPARK_CONF_DIR") or (os.path.join(home, "conf") if home else "")
    try:
        lines = Path(folder, "spark-defaults.conf").read_text("utf-8", "replace").splitlines()
    except OSError:
        return False
    return any(line.strip().startswith("spark.driver.memory") for line in lines)


def _half_of_memory() -> str:
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not on Windows
        size = 0
    return f"{max(1024, size // 2**21)}m"


# --- scoring ---------------------------------------------------------------------------------


def score(
    spark: Any,
    key: Any,
    response: Any,
    *,
    metrics: str | Sequence[str] | None = None,
    scope: str | None = None,
    singletons: str | None = None,
    duplicates: str | None = None,
    missing_documents: str | None = None,
    blanc: str | None = None,
    average: str | None = None,
    work: str | os.PathLike[str] | None = None,
    tell: Tell | None = None,
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
    named = {
        "scope": scope,
        "singletons": singletons,
        "duplicates": duplicates,
        "missing_documents": missing_documents,
        "blanc": blanc,
        "average": average,
    }
    with SparkDatabase(spark, work=work) as database:
        found = SparkEngine(database).score(
            key, response, Settings.of(**named), choose_metrics(metrics), tell=tell
        )
    assert isinstance(found, Result)
    return found


class SparkEngine:
    """A Spark database that also has components solved, by the executors.

    >>> SparkEngine(SparkDatabase(session())).name  # doctest: +SKIP
    'spark'
    """

    name = "spark"
    memory: int | None = None  # a worker's is its own affair

    def __init__(self, database: SparkDatabase) -> None:
        self.database = database
        self.run, self.rows = database.run, database.rows
        self.create, self.drop = database.create, database.drop

    @property
    def where(self) -> str:
        """What runs where, in a few words."""
        context = self.database.session.sparkContext
        return (
            f"Spark {context.version} at {context.master}, {context.defaultParallelism} tasks at a "
            f"time, through {self.database.folder}; components are solved by the executors"
        )

    def solved(self, sql: str, batches: int, function: Solver, metrics: Sequence[str]) -> Ints:
        """What `function` makes of each batch of components."""
        session = self.database.session
        context = session.sparkContext
        if not context.master.startswith("local["):
            _send_package(context)
        cells = session.sql(f"SELECT *, abs(component % {batches}) AS batch FROM ({sql}) AS cells")
        kind = "document BIGINT, solved BIGINT, numerator BIGINT, denominator BIGINT"
        solver = _on_arrow(function, tuple(metrics))
        with _without_warnings(), _own_python(context):
            found = cells.groupBy("batch").applyInArrow(solver, kind).toArrow()
        return np.stack([found.column(name).to_numpy() for name in PARTS])

    def score(
        self,
        key: Any,
        response: Any,
        settings: Settings,
        metrics: Sequence[str],
        *,
        tell: Tell | None = None,
        planned: Callable[[Plan], None] | None = None,
        explain: bool = False,
    ) -> Result | Plan:
        """Score two data frames, or files of Parquet, or say what there is to do."""
        errors = import_module("pyspark.errors")
        try:
            if assigned(metrics) and not explain:
                _check_python(self.database.session.sparkContext)
            sources = self._read(key, response)
            return score_relations(
                self, sources, settings, metrics, tell=tell, planned=planned,
                explain=explain,
            )  # fmt: skip
        except errors.PySparkException as error:
            raise _failed(cause(str(error)), self.database.folder) from None
        except import_module("py4j.protocol").Py4JJavaError as error:
            raise _failed(_root_cause(error.java_exception), self.database.folder) from None
        finally:
            for name in ("key", "response"):
                self.drop(f"sameas_{name}")
                self.drop(f"sameas_{name}_frame")

    def _read(self, key: Any, response: Any) -> Sources:
        """Make the relations `sameas_key` and `sameas_response`."""
        found = []
        for source, role in ((key, "key"), (response, "response")):
            path = role
            if isinstance(source, (str, os.PathLike)):
                path = os.fspath(source)
                source = self._parquet(path)
            if not hasattr(source, "createOrReplaceGlobalTempView"):
                raise UsageError(
                    f"the {role} is no Spark data frame and no path but {_kind(source)}"
                )
            self.database.add(f"sameas_{role}_frame", source)
            names, types = zip(*source.dtypes, strict=True) if source.dtypes else ((), ())
            found.append(Described(path, f"sameas_{role}_frame", names, types))
        sources, queries = select(found[0], found[1], _quoted)
        for role, query in zip(("key", "response"), queries, strict=True):
            self.run(f"CREATE OR REPLACE TEMPORARY VIEW sameas_{role} AS {query}")
        return sources

    def _parquet(self, path: str) -> Any:
        # Spark looks at all files, and refuses those whose types do not go together.
        reader = self.database.session.read.option("mergeSchema", "true")
        if self.database.is_local and os.path.exists(path):  # then it is no pattern
            refuse_database(path)
            return self._load(reader, re.sub(r"[\[\]{}*?\\]", r"\\\g<0>", path), path)
        if fixed := re.match(r"[^*?\[{]*/(?=[^/]*[*?\[{])", path):
            reader = reader.option("basePath", fixed[0])  # folders named `column=value` begin here
        return self._load(reader, path, path)

    def _load(self, reader: Any, escaped: str, path: str) -> Any:
        try:
            return reader.parquet(escaped)
        except import_module("pyspark.errors").AnalysisException as error:
            reason = cause(str(error))
            if "PATH_NOT_FOUND" in reason:
                reason = "No such file or directory"
            if "UNABLE_TO_INFER_SCHEMA" in reason:
                reason = "no Parquet files in this folder; those in folders of it need a pattern"
                reason = "not a Parquet file" if os.path.isfile(path) else reason
            hint = "" if os.path.exists(path) else _NO_TABLE
            raise InputError([Problem(f"cannot be read: {reason}", path, hint=hint)]) from None
        except import_module("py4j.protocol").Py4JJavaError as error:
            reason = _root_cause(error.java_exception)
            hint = "Spark reads all files of a folder, and a column has one type in all of them"
            hint = "" if os.path.isfile(path) else hint
            if "No FileSystem for scheme" in reason:
                hint = "Spark calls S3 s3a://, and reads it with the package hadoop-aws"
            if re.match("https?:", path):
                hint = "download it"
            raise InputError([Problem(f"cannot be read: {reason}", path, hint=hint)]) from None


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
        context.master.startswith("local")
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
    advice = (
        f"set PYSPARK_PYTHON to a Python {sys.version_info[0]}.{sys.version_info[1]} with numpy, "
        "pandas and pyarrow on all machines, or leave CEAF out: --metrics mention,muc,b3,blanc,lea"
    )
    try:
        found = context.parallelize(range(pieces), pieces).map(missing).collect()
    except import_module("py4j.protocol").Py4JJavaError as error:
        reason = _root_cause(error.java_exception)
        raise UsageError(
            f"the executors cannot run {context.pythonExec} ({reason}): {advice}"
        ) from None
    if lacking := [name for name in needed if any(name in names for names in found)]:
        raise UsageError(
            f"{context.pythonExec} lacks {' and '.join(lacking)} on the executors: {advice}"
        )


_sent: dict[str, str] = {}  # application: folder of the zip file


def _send_package(context: Any) -> None:
    """Give the workers of a cluster this package, once; the file has to stay while they live."""
    if context.applicationId in _sent:
        return
    folder = _sent[context.applicationId] = tempfile.mkdtemp(prefix="sameas-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    home = Path(import_module("sameas").__file__ or "").parent
    with zipfile.ZipFile(Path(folder, "sameas.zip"), "w") as file:
        for path in sorted(home.rglob("*.py")):
            file.write(path, path.relative_to(home.parent))
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
) -> Iterator[SparkEngine]:
    """An engine on a session for a command line.

    >>> with opened("local[2]") as engine:  # doctest: +SKIP
    ...     engine.score("key.parquet", "response.parquet", Settings(), ["muc"])
    """
    size = bytes_of(memory)
    spark = session(master, memory=None if size is None else f"{-(-size // 2**20)}m")
    with SparkDatabase(spark, work=work) as database:
        yield SparkEngine(database)


def end_java() -> None:
    """End the Java process that this one has started, as a signal has to: it cannot be asked to.

    >>> end_java()  # there is none
    """
    try:
        with open(f"/proc/self/task/{os.getpid()}/children") as file:
            children = [int(child) for child in file.read().split()]
    except OSError:  # only Linux has this list; there Java may still be starting
        gateway = getattr(sys.modules.get("pyspark"), "SparkContext", None)
        process = getattr(getattr(gateway, "_gateway", None), "proc", None)
        children = [] if process is None else [process.pid]
    ended = [child for child in children if _is_java(child)]
    for child in ended:
        with suppress(OSError):
            os.kill(child, signal.SIGTERM)  # upon which it removes its folders
    end = time.monotonic() + 5
    while ended and time.monotonic() < end:
        ended = [child for child in ended if _is_there(child)]
        time.sleep(0.02)
    for child in ended:
        with suppress(OSError):
            os.kill(child, signal.SIGKILL)


def _is_java(process: int) -> bool:
    """Whether a process is Java, or the shell script that becomes it."""
    try:
        command = Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return not os.path.exists("/proc")
    return b"java" in command or b"spark" in command


def _is_there(process: int) -> bool:
    """Whether a child has not ended; one that has is forgotten."""
    try:
        return os.waitpid(process, os.WNOHANG) == (0, 0)
    except OSError:
        return False


_NO_TABLE = "a table of the session is given as a data frame: spark.table(name)"


def _root_cause(error: Any) -> str:
    """What Java's innermost exception says."""
    while (inner := error.getCause()) is not None:
        error = inner
    return cause(str(error.toString()))


def _failed(reason: str, folder: str) -> UsageError:
    """What to say when a query has failed."""
    if "No space left" in reason:
        return UsageError(
            f"no space left in {folder}, or where Spark keeps its own files "
            "(spark.local.dir): name another work folder (--work), or set SPARK_LOCAL_DIRS"
        )
    return UsageError(f"Spark: {reason}")


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
