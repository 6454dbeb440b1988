"""Start Spark for the command line, and end its Java process."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from sameas.errors import UsageError, how_to_install
from sameas.files import peek
from sameas.run.engines.causes import cause

__all__ = ["end_java", "load_pyspark", "session", "without_warnings"]

_PACKAGES = ("pyspark>=4", "pyarrow", "pandas")


def session(
    master: str | None = None,
    *,
    memory: str | None = None,
    settings: Mapping[str, str] | None = None,
    quiet: bool = True,
) -> Any:
    """Return a Spark session for the command line: the running one, or a new, silent one.

    Settings of spark-submit, the environment and `spark-defaults.conf` are respected. If they do
    not set a master, it is `local[*]`; if they do not set the driver's memory, the driver gets half
    of the memory of this machine. `master` and `memory` (such as `8g`) override them, and
    `settings` override everything. Java's messages are shown only if `quiet` is False.

    >>> session("local[2]", memory="4g").version  # doctest: +SKIP
    '4.0.0'
    """
    pyspark = load_pyspark()
    sql: Any = import_module("pyspark.sql")
    running = pyspark.SparkContext._active_spark_context is not None
    if running or "PYSPARK_GATEWAY_PORT" in os.environ:  # the latter is set by spark-submit
        return sql.SparkSession.builder.getOrCreate()
    if os.environ.get("SPARK_REMOTE") or os.environ.get("SPARK_CONNECT_MODE_ENABLED"):
        raise UsageError("spark-connect", how="remote")
    _find_java()
    scratch = tempfile.mkdtemp(prefix="sameas-")
    atexit.register(shutil.rmtree, scratch, ignore_errors=True)
    chosen = {
        "spark.app.name": "sameas",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        # Spark creates this empty folder, by default in the current folder.
        "spark.sql.warehouse.dir": os.path.join(scratch, "warehouse"),
    }
    if master is not None:
        chosen["spark.master"] = master
    if memory is not None or not _is_memory_set():
        chosen["spark.driver.memory"] = memory or _half_of_memory()
    chosen |= settings or {}
    conf = pyspark.SparkConf().setAll(list(chosen.items()))
    with tempfile.TemporaryFile("w+", errors="replace") as messages, without_warnings():
        try:
            # Java keeps the file open after it is closed here.
            context = _new_context(conf, messages if quiet else None)
        except Exception as error:  # anything can stop Java or Spark: a port, a setting, a master
            messages.seek(0)
            raise _start_error(messages.read(), error) from None
        context.setLogLevel("ERROR")
        return sql.SparkSession.builder.getOrCreate()


def _new_context(conf: Any, messages: IO[str] | None) -> Any:
    """Return a new context, with Java's messages in a file; reuse Java if it is running already."""
    pyspark = load_pyspark()
    gateway = pyspark.SparkContext._gateway
    if gateway is None:
        options = {} if messages is None else {"stderr": messages}
        gateway = import_module("pyspark.java_gateway").launch_gateway(conf, options)
    before = signal.getsignal(signal.SIGINT)
    context = pyspark.SparkContext(conf=conf, gateway=gateway)
    # A new context handles Ctrl-C itself; restore the earlier handler unless it is Python's.
    if before not in (None, signal.default_int_handler):
        with suppress(ValueError):  # only the main thread can set signal handlers
            signal.signal(signal.SIGINT, before)
    return context


def load_pyspark() -> Any:
    """Return the module `pyspark`, or raise an error that says how to install it."""
    install = how_to_install(*_PACKAGES)
    try:
        with without_warnings():
            found: Any = import_module("pyspark")
    except ImportError:
        raise UsageError("spark-missing", install=install) from None
    if int(found.__version__.partition(".")[0]) < 4:
        raise UsageError("spark-old", version=found.__version__, install=install)
    return found


@contextmanager
def without_warnings() -> Iterator[None]:
    """Silence all warnings: pyspark warns about pandas versions, but pandas is not used here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _find_java() -> None:
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java", path=os.path.join(home, "bin") if home else None) is None:
        raise UsageError("java", **({"how": "home", "home": home} if home else {"how": "none"}))


def _start_error(messages: str, error: Exception) -> UsageError:
    """Return the error when Spark does not start, with the most informative line as its reason."""
    if "UnsupportedClassVersionError" in messages:
        return UsageError("java", how="old")
    lines = [line.strip() for line in [*messages.splitlines(), *str(error).splitlines()]]
    errors = [line for line in lines if "Exception" in line or "rror:" in line]
    # The innermost cause is the last one.
    causes = [line for line in errors if line.startswith("Caused by:")] or errors[:1]
    reason = (causes or [line for line in lines if line] or [type(error).__name__])[-1]
    return UsageError("spark-start", reason=cause(reason))


def _is_memory_set() -> bool:
    """Return whether the user has set the driver's memory."""
    arguments = os.environ.get("PYSPARK_SUBMIT_ARGS", "")
    named = "--driver-memory" in arguments or "spark.driver.memory" in arguments
    if named or os.environ.get("SPARK_DRIVER_MEMORY"):
        return True
    home = os.environ.get("SPARK_HOME", "")
    folder = os.environ.get("SPARK_CONF_DIR") or (os.path.join(home, "conf") if home else "")
    lines = (peek(Path(folder, "spark-defaults.conf")) or b"").splitlines()
    return any(line.strip().startswith(b"spark.driver.memory") for line in lines)


def _half_of_memory() -> str:
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not on Windows
        size = 0
    return f"{max(1024, size // 2**21)}m"


def end_java() -> None:
    """Terminate the Java process that this process started (SIGTERM, then SIGKILL).

    >>> end_java()  # a no-op without one
    """
    listed = peek(f"/proc/self/task/{os.getpid()}/children")
    children = [int(child) for child in (listed or b"").split()]
    if listed is None:  # only Linux has this list, which includes Java while it is starting
        gateway = getattr(sys.modules.get("pyspark"), "SparkContext", None)
        process = getattr(getattr(gateway, "_gateway", None), "proc", None)
        children = [] if process is None else [process.pid]
    ended = [child for child in children if _is_java(child)]
    for child in ended:
        with suppress(OSError):
            os.kill(child, signal.SIGTERM)  # Java removes its folders on this signal
    end = time.monotonic() + 5
    while ended and time.monotonic() < end:
        ended = [child for child in ended if _is_there(child)]
        time.sleep(0.02)
    for child in ended:
        with suppress(OSError):
            os.kill(child, signal.SIGKILL)


def _is_java(process: int) -> bool:
    """Return whether a process is Java, or the shell script that starts Java."""
    command = peek(f"/proc/{process}/cmdline")
    if command is None:
        return not os.path.exists("/proc")
    return b"java" in command or b"spark" in command


def _is_there(process: int) -> bool:
    """Return whether a child process is still running; reap it if it has ended."""
    try:
        return os.waitpid(process, os.WNOHANG) == (0, 0)
    except OSError:
        return False
