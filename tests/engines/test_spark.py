"""Tests specific to Spark, on a cluster of two executor processes, one of which is killed.

Without Java or pyspark these tests are skipped with a reason, or fail with SAMEAS_SPARK=required.
"""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

import sameas
from command_line import restore_signals
from engines.tables import METRICS, assert_same, table
from sameas import Settings
from sameas.errors import InputError
from sameas.run import Plan
from sameas.run.engines import duckdb
from sameas.run.engines import spark as engine
from sameas.run.engines import spark_start as start
from sameas.run.engines.components import components
from sameas.run.engines.spark import SparkDatabase
from sameas.run.engines.sql import explain_relations, score_relations
from sameas.sentences import catalogue
from saying import has, raises, raises_problems


def score_on_database(database, key, response, metrics):
    """Score on a database that a test inspects."""
    with database.sources(key, response) as sources:
        return score_relations(database, sources, planned(metrics))


def planned(metrics):
    """Return a plan for relations that a database already contains."""
    return Plan(key=None, responses=[], settings=Settings(), metrics=metrics)


MISSING = (
    "there is no pyspark"
    if find_spec("pyspark") is None
    else "there is no Java"
    if shutil.which("java") is None and not os.environ.get("JAVA_HOME")
    else ""
)

# pyspark warns about the version of pandas, and leaves it to Python to close its sockets.
pytestmark = [
    pytest.mark.long,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

LEAST, GREATEST = -(2**63), 2**63 - 1


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    """Return a session on a cluster of two executor processes on this machine."""
    if MISSING and os.environ.get("SAMEAS_SPARK") == "required":
        pytest.fail(f"SAMEAS_SPARK=required, but {MISSING}")
    if MISSING:
        pytest.skip(f"{MISSING}: Spark is not tested")
    import pyspark

    # Executors of a local cluster write to SPARK_HOME/work, which must not be pyspark's own folder.
    home = tmp_path_factory.mktemp("spark")
    for part in Path(os.environ.get("SPARK_HOME") or Path(pyspark.__file__).parent).iterdir():
        (home / part.name).symlink_to(part)
    quick = "-XX:TieredStopAtLevel=1"  # faster for short-lived Java processes
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_HOME", str(home))
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.delenv("SPARK_REMOTE", raising=False)
        session = start.session(
            "local-cluster[2,1,1024]",
            memory="1g",
            settings={
                "spark.executor.memory": "512m",
                "spark.driver.extraJavaOptions": quick,
                "spark.executor.extraJavaOptions": quick,
                "spark.sql.warehouse.dir": str(home / "warehouse"),
                "spark.ui.liveUpdate.period": "0",  # keeps lists of executors and tasks up to date
                # Distribute joins of small tables over the executors like those of large ones.
                "spark.sql.adaptive.enabled": "false",
                "spark.sql.autoBroadcastJoinThreshold": "-1",
                "spark.sql.shuffle.partitions": "4",
            },
        )
        # The session may exist before all executors do.
        end = time.monotonic() + 60
        while len(executors(session)) < 2 and time.monotonic() < end:
            time.sleep(0.1)
        yield session
        session.stop()


@pytest.fixture
def database(spark):
    with SparkDatabase(spark) as database:
        yield database


def labelled(database, edges, **options):
    """Return the component of each vertex, found by Spark."""
    rows = ", ".join(f"({a}, {b})" for a, b in edges)
    database.create(
        "edges",
        f"SELECT CAST(a AS BIGINT) AS a, CAST(b AS BIGINT) AS b FROM (VALUES {rows}) AS e(a, b)",
    )
    components(database, **options)
    found = database.rows("SELECT vertex, component FROM components ORDER BY vertex")
    return dict(zip(found["vertex"].tolist(), found["component"].tolist(), strict=True))


def judged(edges):
    """Return the component of each vertex, found by scipy."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    vertices, places = np.unique(np.array(edges, dtype=np.int64), return_inverse=True)
    a, b = places.reshape(-1, 2).T
    graph = coo_array((np.ones(len(a)), (a, b)), shape=(len(vertices), len(vertices)))
    _, label = connected_components(graph, directed=False)
    least = {}
    for vertex, component in zip(vertices.tolist(), label.tolist(), strict=True):
        least.setdefault(component, vertex)  # vertices are sorted
    return {v: least[c] for v, c in zip(vertices.tolist(), label.tolist(), strict=True)}


def random_tables(seed, text=False):
    """Return sixty documents of a few mentions in overlapping entities, some on one side only."""
    chance = random.Random(seed)
    rows = [
        [
            (document, mention, chance.randrange(5))
            for document in sorted(chance.sample(range(60), 55))
            for mention in chance.sample(range(12), chance.randrange(1, 12))
        ]
        for _ in range(2)
    ]
    return [table([(f"{d:02}", m, e) for d, m, e in side], text) for side in rows]


# --- one executor is killed ------------------------------------------------------------------


def executors(spark):
    """Return Spark's records of its executors, including dead ones."""
    found = spark.sparkContext._jsc.sc().statusStore().executorList(False)
    listed = [found.apply(place) for place in range(found.size())]
    return {
        each.id(): SimpleNamespace(alive=each.isActive(), tasks=each.activeTasks())
        for each in listed
        if each.id() != "driver"
    }


def process_of(spark, executor):
    """Return the process of an executor of this application."""
    listing = subprocess.run(
        ["ps", "-eww", "-o", "pid=,args="], capture_output=True, text=True, check=True
    ).stdout
    application = spark.sparkContext.applicationId
    for line in listing.splitlines():
        pid, *words = line.split()
        if (
            "java" in words[0]
            and any("CoarseGrainedExecutorBackend" in word for word in words)
            and f"--app-id {application} " in f"{line} "
            and f"--executor-id {executor} " in f"{line} "
        ):
            return int(pid)
    raise AssertionError(f"executor {executor} has no process")


class Slow(SparkDatabase):
    """A database that computes one relation slowly, row by row, so a test can kill executors."""

    slow = "sameas_cells"
    reached: threading.Event

    def create(self, name, sql):
        if name == self.slow and not self.reached.is_set():
            sql = (
                f"SELECT * FROM ({sql}) AS rows_of_it "
                "WHERE reflect('java.lang.Thread', 'sleep', 8L) = 'null'"
            )
            self.reached.set()
        super().create(name, sql)


def at_work(spark):
    """Return the running stages, and the executors that have tasks."""
    tracker = spark.sparkContext.statusTracker()
    stages = {stage: tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()}
    running = {number: stage for number, stage in stages.items() if stage and stage.numActiveTasks}
    return running, [name for name, each in executors(spark).items() if each.alive and each.tasks]


def kill_one(spark, reached, killed):
    """Wait until the slow stage has run for a while, and kill an executor that works on it."""
    assert reached.wait(120)
    end = time.monotonic() + 60
    while not killed and time.monotonic() < end:
        before, _ = at_work(spark)
        time.sleep(0.4)
        now, busy = at_work(spark)
        # The stage that has not finished in this time is the slow one.
        if busy and (stages := [now[number] for number in before if number in now]):
            os.kill(process_of(spark, busy[0]), signal.SIGKILL)
            killed.append((busy[0], stages[0]))


def test_a_killed_executor_changes_nothing(spark):
    assert sorted(executors(spark)) == ["0", "1"]  # two at the start
    key, response = random_tables(1)
    frames = [spark.createDataFrame(pyarrow.table(side)) for side in (key, response)]
    killed = []
    with Slow(spark) as database:
        database.reached = threading.Event()
        killer = threading.Thread(target=kill_one, args=(spark, database.reached, killed))
        killer.start()
        found = score_on_database(database, *frames, METRICS)
        killer.join()
    assert_same(found, sameas.score(key, response, metrics=METRICS))
    # It was killed during a stage, and Spark has noticed.
    ((executor, stage),) = killed
    assert stage.numActiveTasks > 0
    assert stage.numCompletedTasks < stage.numTasks
    assert not executors(spark)[executor].alive
    after = spark.sparkContext.statusTracker().getStageInfo(stage.stageId)
    # Its tasks failed and ran again, or the whole stage did because its results were lost.
    assert after.numFailedTasks > 0 or after.currentAttemptId > stage.currentAttemptId


def test_stars_and_settings(spark, tmp_path):
    """Test stars settled by SQL (without CEAFsys), text, files, and settings that change cells."""
    how = {
        "metrics": [name for name in METRICS if name != "ceaf_sys"],
        "singletons": "drop",
        "missing_documents": "skip",
    }
    key, response = random_tables(2, text=True)
    paths = [str(tmp_path / f"{name}.parquet") for name in ("key", "response")]
    for path, side in zip(paths, (key, response), strict=True):
        pyarrow.parquet.write_table(pyarrow.table(side), path)
    told = []
    found = engine.score(spark, *paths, **how, tell=told.append)
    assert_same(found, sameas.score(key, response, **how))
    needs = catalogue()["ceaf-needs"][0].partition("{")[0]
    assert any(text.startswith(needs) for text in told)
    with SparkDatabase(spark) as database, database.sources(*paths) as sources:
        plan = explain_relations(database, sources, planned(["muc"]))
    wanted = duckdb.explain(key, response)
    assert replace(plan, engine="", where="") == replace(wanted, engine="", where="")


def score_with_python(spark, python):
    """Score while Spark has another Python for its workers, and check that this stays unchanged."""
    frames = [spark.createDataFrame(pyarrow.table(side)) for side in random_tables(4)]
    context = spark.sparkContext
    before, context.pythonExec = context.pythonExec, str(python)
    try:
        return engine.score(spark, *frames, metrics=["ceafe"])
    finally:
        left, context.pythonExec = context.pythonExec, before
        assert left == str(python)


def test_workers_here_run_this_python_unless_another_is_named(spark, tmp_path):
    key, response = random_tables(4)
    # Spark's default, which may not exist on the user's machine.
    found = score_with_python(spark, "python3")
    assert_same(found, sameas.score(key, response, metrics=["ceafe"]))
    with raises("executors", how="fail"):
        score_with_python(spark, tmp_path / "nowhere")
    bare = tmp_path / "python"  # this Python without its libraries
    bare.write_text(f"#!/bin/sh\nexec '{sys.executable}' -S \"$@\"\n")
    bare.chmod(0o755)
    with raises("executors", how="lack", packages=["numpy", "pandas", "pyarrow"]):
        score_with_python(spark, bare)


def test_files_of_a_cluster_that_are_not_parquet(spark, tmp_path):
    write(tmp_path / "key.parquet", mention=["a", "b"], entity=[1, 1])
    (tmp_path / "tables.duckdb").write_bytes(bytes(8) + b"DUCK" + bytes(100))
    with raises_problems("not-parquet", how="duckdb"):
        engine.score(spark, tmp_path / "tables.duckdb", tmp_path / "key.parquet")
    with raises_problems("spark-unreadable", how="scheme"):
        engine.score(spark, "s3://bucket/key.parquet", tmp_path / "key.parquet")


class Explained(SparkDatabase):
    """A database that records the columns on which each relation was joined."""

    def create(self, name, sql):
        plan = self.session.sql(sql)._jdf.queryExecution().executedPlan().toString()
        assert "Cartesian" not in plan
        assert "NestedLoop" not in plan
        keys = re.findall(r"Join \[(.*?)\], \[", plan)
        self.joins[name] = [re.sub(r"#\d+L?", "", joined) for joined in keys]
        super().create(name, sql)


def test_cells_are_joined_to_one_side_after_the_other(spark):
    frames = [spark.createDataFrame(pyarrow.table(side)) for side in random_tables(3)]
    with Explained(spark) as database:
        database.joins = {}
        score_on_database(database, *frames, ["b3", "ceafe"])
    # Only the join of documents to their rows is on the document alone.
    assert set(database.joins.pop("sameas_cells")) == {"document"}
    for name in ("sameas_graph", "sameas_shapes"):
        assert database.joins[name] == ["document, j", "document, i"]
    assert all("document" not in joined for joined in database.joins.values())


def test_what_cannot_be_scored(spark):
    frame = spark.createDataFrame([("a", 1, 1.5)], "document STRING, mention INT, entity DOUBLE")
    with raises_problems("engine-column", how="name", field="entity", kind="double"):
        engine.score(spark, frame, frame)
    with raises_problems("spark-unreadable", path="no-such.parquet"):
        engine.score(spark, "no-such.parquet", frame)
    with raises("not-spark-source", side="key", kind="builtins.list"):
        engine.score(spark, [["a"]], frame)


# --- the database ----------------------------------------------------------------------------


def write(path, **columns):
    path.parent.mkdir(parents=True, exist_ok=True)
    pyarrow.parquet.write_table(pyarrow.table(columns), path)


def test_folders_named_like_columns(spark, tmp_path):
    for name in ("01", "1"):
        write(tmp_path / f"document={name}" / "x.parquet", mention=["a", "b"], entity=[1, 1])
    for path in (tmp_path, f"{tmp_path}/*", f"{tmp_path}/*/*.parquet"):
        found = engine.score(spark, path, tmp_path, metrics=["muc"])
        assert sorted(found.statistics.documents) == ["01", "1"]
        assert found["muc"].counts == (2, 2, 2, 2)


def test_names_that_look_like_patterns(spark, tmp_path):
    for name in ("k[1].parquet", "f {a} [b]/k*.parquet", "back\\slash.parquet"):
        write(tmp_path / name, mention=["a", "b"], entity=[1, 1])
        found = engine.score(spark, tmp_path / name, tmp_path / name, metrics=["muc"])
        assert found["muc"].counts == (1, 1, 1, 1)


def test_an_invalid_work_folder(spark, tmp_path):
    write(tmp_path / "key.parquet", mention=["a", "b"], entity=[1, 1])
    key, work = tmp_path / "key.parquet", tmp_path / "none" / "below"
    with raises("work-folder"):
        engine.score(spark, key, key, metrics=["muc"], work=work)
    assert not (tmp_path / "none").exists()


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes are seen on Linux")
@pytest.mark.parametrize(
    ("wait", "name", "code"),
    [(1, "SIGINT", 130), (3, "SIGINT", 130), (9, "SIGINT", 130), (9, "SIGTERM", 143)],
)
def test_a_signal_to_stop_leaves_nothing_behind(tmp_path, wait, name, code):
    if MISSING:
        pytest.skip(f"{MISSING}: Spark is not tested")
    write(tmp_path / "key.parquet", mention=["a", "b"], entity=[1, 1])
    (tmp_path / "temporary").mkdir()
    mark = f"SAMEAS_MARK={os.getpid()}-{wait}-{name}"
    running = subprocess.Popen(
        [sys.executable, "-m", "sameas", "score", "key.parquet", "key.parquet", "--engine=spark"],
        cwd=tmp_path,
        env={
            **os.environ,
            **dict([mark.split("=")]),
            "TMPDIR": str(tmp_path / "temporary"),
            "JAVA_TOOL_OPTIONS": f"-Djava.io.tmpdir={tmp_path / 'temporary'}",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=restore_signals,
    )
    time.sleep(wait)
    os.killpg(running.pid, getattr(signal, name))
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (code, "")
    assert "Traceback" not in err
    end = time.monotonic() + 20
    while processes(mark) and time.monotonic() < end:
        time.sleep(0.1)
    assert processes(mark) == []
    assert [path for path in (tmp_path / "temporary").iterdir() if "sameas" in path.name] == []


def processes(mark):
    """Return the processes that have this in their environment."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and mark.encode() in (folder / "environ").read_bytes():
                found.append(folder.name)
        except OSError:
            continue
    return found


def test_incompatible_files(spark, tmp_path):
    write(tmp_path / "key.parquet", mention=["a", "b"], entity=[1, 1])
    for name, entity in (("text", ["01", "2"]), ("decimals", [1.5, 2.5])):
        write(tmp_path / name / "1.parquet", mention=["a", "b"], entity=[1, 2])
        write(tmp_path / name / "2.parquet", mention=["c", "d"], entity=entity)
    write(tmp_path / "notes" / "1.parquet", mention=["a", "b"], entity=[1, 2])
    (tmp_path / "notes" / "notes.txt").write_text("notes")
    for name, message in (("text", "STRING"), ("decimals", "DOUBLE"), ("notes", "notes.txt")):
        with pytest.raises(InputError, match=message) as caught:
            engine.score(spark, tmp_path / "key.parquet", tmp_path / name, metrics=["muc"])
        assert len(str(caught.value).splitlines()) == 2
    content = (tmp_path / "key.parquet").read_bytes()
    for name, part in (("nothing.parquet", b""), ("half.parquet", content[: len(content) // 2])):
        (tmp_path / name).write_bytes(part)
        with raises_problems("spark-unreadable", path=str(tmp_path / name)):
            engine.score(spark, tmp_path / "key.parquet", tmp_path / name, metrics=["muc"])
    (tmp_path / "deep" / "below").mkdir(parents=True)
    with raises_problems("spark-unreadable", how="folder"):
        engine.score(spark, tmp_path / "key.parquet", tmp_path / "deep", metrics=["muc"])


@pytest.mark.parametrize("ansi", ["true", "false"])
def test_components_are_those_of_another_algorithm(spark, ansi):
    chance = np.random.default_rng(1)
    edges = [
        *chance.integers(0, 60, (40, 2)).tolist(),
        *[(LEAST, GREATEST), (GREATEST, -1), (7, 7), (-5, -5), (LEAST + 1, LEAST + 1)],
        *[(1, 3), (1, 3), (3, 1)],
    ]
    before = spark.conf.get("spark.sql.ansi.enabled")
    spark.conf.set("spark.sql.ansi.enabled", ansi)
    try:
        with SparkDatabase(spark) as database:
            assert labelled(database, edges, small=0 if ansi == "true" else 1000) == judged(edges)
        assert spark.conf.get("spark.sql.ansi.enabled") == ansi  # the user's setting is unchanged
    finally:
        spark.conf.set("spark.sql.ansi.enabled", before)


def test_no_edges(database):
    database.create("edges", "SELECT id AS a, id AS b FROM range(0)")
    assert components(database) == 0
    assert database.rows("SELECT * FROM components")["vertex"].tolist() == []


def test_rows_are_arrays_with_and_without_arrow(database, monkeypatch):
    sql = (
        "SELECT id, id / 4 AS real, CAST(id AS INT) AS whole, id = 1 AS flag, "
        "concat('n', CAST(id AS STRING)) AS name FROM range(3) ORDER BY id"
    )
    by_arrow = database.rows(sql)
    frame = type(database.session.sql("SELECT 1"))

    def refuse(self):
        raise ImportError

    monkeypatch.setattr(frame, "toArrow", refuse)
    by_rows = database.rows(sql)
    assert list(by_arrow) == list(by_rows) == ["id", "real", "whole", "flag", "name"]
    for name, column in by_arrow.items():
        assert column.tolist() == by_rows[name].tolist()
        assert column.dtype == by_rows[name].dtype
    assert by_arrow["real"].tolist() == [0.0, 0.25, 0.5]


def test_overflow_is_an_error_whatever_the_setting(spark):
    before = spark.conf.get("spark.sql.ansi.enabled")
    spark.conf.set("spark.sql.ansi.enabled", "false")
    try:
        with (
            SparkDatabase(spark) as database,
            pytest.raises(Exception, match="ARITHMETIC_OVERFLOW"),
        ):
            database.rows(f"SELECT id + {GREATEST} AS n FROM range(1, 2)")
    finally:
        spark.conf.set("spark.sql.ansi.enabled", before)


def test_the_users_views_and_folder_are_unchanged(spark, tmp_path):
    spark.range(3).createOrReplaceTempView("edges")
    (tmp_path / "mine").write_text("kept")
    with SparkDatabase(spark, work=tmp_path) as database:
        database.add("edges", spark.range(5).selectExpr("id AS a", "id + 1 AS b"))
        database.create("copy", "SELECT * FROM edges")
        database.create("copy", "SELECT a FROM copy WHERE a > 1")  # overwrites the old one
        assert database.rows("SELECT sum(a) AS n FROM copy")["n"].tolist() == [9]
        assert len(list(tmp_path.glob("sameas-*/*-copy"))) == 1
        database.drop("copy")
        database.drop("copy")
        assert not list(tmp_path.glob("sameas-*/*-copy"))
        database.create("other", "SELECT 1 AS n")
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
    assert [(view.name, view.isTemporary) for view in spark.catalog.listTables()] == [
        ("edges", True)
    ]
    assert spark.table("edges").count() == 3
    assert spark.sql("SHOW VIEWS IN global_temp").where("namespace = 'global_temp'").count() == 0
    spark.catalog.dropTempView("edges")


def test_the_temporary_folder_is_removed_even_after_an_error(spark):
    with pytest.raises(ZeroDivisionError), SparkDatabase(spark) as database:
        folder = Path(database.folder.removeprefix("file:"))
        database.create("one", "SELECT 1 AS n")
        assert folder.is_dir()
        assert str(folder) in database.where
        raise ZeroDivisionError
    assert not folder.exists()


def test_the_running_session_is_used(spark):
    assert start.session().sparkContext is spark.sparkContext


# --- unusable sessions, folders and programs -------------------------------------------------


def test_a_folder_that_is_not_shared_is_refused(spark, tmp_path):
    with SparkDatabase(spark, work=tmp_path) as database:
        engine._check_shared(database.session, database.folder, 1)
    # A reader that finds half of the files simulates a driver that sees only one machine's files.
    read = SimpleNamespace(schema=lambda _: SimpleNamespace(parquet=lambda _: spark.range(8)))
    half = SimpleNamespace(range=spark.range, read=read)
    with raises("spark-folder", found=8, pieces=16):
        engine._check_shared(half, f"file:{tmp_path}/half", 1)


def test_a_cluster_without_a_shared_folder_asks_for_one(spark):
    context = SimpleNamespace(
        master="spark://host:7077",
        getCheckpointDir=lambda: None,
        _jvm=spark.sparkContext._jvm,
        _jsc=spark.sparkContext._jsc,
    )
    with raises("spark-work"):
        engine._folder(context, None)
    assert engine._folder(context, "hdfs://a/b/").startswith("hdfs://a/b/sameas-")
    context.getCheckpointDir = lambda: "s3a://bucket/checkpoints"
    assert engine._folder(context, None).startswith("s3a://bucket/checkpoints/sameas-")


@pytest.fixture
def pyspark_module(monkeypatch):
    """Return a module to import as pyspark, installed or not; these tests do not use it."""
    if find_spec("pyspark") is None:
        monkeypatch.setitem(sys.modules, "pyspark", SimpleNamespace(__version__="4.0.0"))


def test_only_sessions_are_accepted(pyspark_module):
    remote = type("SparkSession", (), {"__module__": "pyspark.sql.connect.session"})()
    with raises("spark-connect", how="session"):
        SparkDatabase(remote)
    with raises("spark-session", kind="builtins.str"):
        SparkDatabase("local")
    stopped = SimpleNamespace(sparkContext=SimpleNamespace(_jsc=None), newSession=None)
    with raises("spark-stopped"):
        SparkDatabase(stopped)


def test_without_pyspark(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark", None)
    for use in (start.session, lambda: SparkDatabase(None)):
        with raises("spark-missing"):
            use()
    monkeypatch.setitem(sys.modules, "pyspark", SimpleNamespace(__version__="3.5.1"))
    with raises("spark-old", version="3.5.1"):
        start.session()


def test_without_java(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with raises("java", how="none"):
        start._find_java()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with raises("java", how="home", home=str(tmp_path)):
        start._find_java()


def test_errors_when_spark_does_not_start():
    old = (
        "Exception in thread main java.lang.UnsupportedClassVersionError: org/apache/spark/launcher"
    )
    assert has(start._start_error(old, RuntimeError("gone")), "java", how="old")
    full = (
        "WARNING: x\njava.lang.RuntimeException: a\n\tat b\nCaused by: java.net.BindException: c\n"
    )
    cause = "java.net.BindException: c"
    assert has(start._start_error(full, RuntimeError("gone")), "spark-start", reason=cause)
    assert has(start._start_error("", RuntimeError("gone")), "spark-start", reason="gone")
    assert has(start._start_error("", RuntimeError()), "spark-start", reason="RuntimeError")


def test_memory_set_by_the_user_is_kept(monkeypatch, tmp_path):
    for name in ("SPARK_DRIVER_MEMORY", "PYSPARK_SUBMIT_ARGS", "SPARK_HOME", "SPARK_CONF_DIR"):
        monkeypatch.delenv(name, raising=False)
    assert not start._is_memory_set()
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "--driver-memory 3g pyspark-shell")
    assert start._is_memory_set()
    monkeypatch.delenv("PYSPARK_SUBMIT_ARGS")
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    assert not start._is_memory_set()
    (tmp_path / "spark-defaults.conf").write_text("# mine\nspark.driver.memory  3g\n")
    assert start._is_memory_set()
