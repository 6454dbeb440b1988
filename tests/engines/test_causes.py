"""Find the line of a message that names the cause."""

from sameas.run.engines.causes import LONGEST, cause

WORKER = r"""
An exception was thrown from the Python worker:
Traceback (most recent call last):
  File "/lib/pyspark.zip/pyspark/worker.py", line 4207, in invoke_udf
    func, profiler, deserializer, serializer = read_udfs(
                                               ^^^^^^^^^^
  File "/lib/pyspark.zip/pyspark/serializers.py", line 164, in _read_with_length
    raise SerializationError("Caused by " + traceback.format_exc())
pyspark.serializers.SerializationError: Caused by Traceback (most recent call last):
  File "/lib/pyspark.zip/pyspark/serializers.py", line 160, in _read_with_length
    return self.loads(obj)
           ^^^^^^^^^^^^^^^
ModuleNotFoundError: No module named 'numpy'

JVM stacktrace:
org.apache.spark.SparkException: Job aborted due to stage failure
	at org.apache.spark.scheduler.DAGScheduler.abortStage(DAGScheduler.scala:2935)
"""


def test_a_traceback_of_a_worker():
    assert cause(WORKER) == "ModuleNotFoundError: No module named 'numpy'"


def test_the_innermost_exception_of_java():
    text = "java.lang.RuntimeException: a\n\tat b.c(d.java:1)\nCaused by: x.Y: outer\n\tat e\n"
    assert cause(f"{text}Caused by: java.net.BindException: in use\n\t... 7 more\n") == (
        "java.net.BindException: in use"
    )


def test_a_message_without_a_stack_is_kept_whole():
    assert cause("[TABLE] no such\ntable; SQLSTATE: 42\n\tat a.b") == (
        "[TABLE] no such table; SQLSTATE: 42"
    )
    assert cause("") == ""


def test_a_long_line_keeps_its_beginning_and_its_end():
    found = cause("It failed: " + "because " * 500 + "of that.")
    assert found.startswith("It failed: because")
    assert found.endswith("because of that.")
    assert " … " in found
    assert len(found) <= LONGEST + 3
    assert len(cause("x" * 5000)) <= LONGEST + 3
