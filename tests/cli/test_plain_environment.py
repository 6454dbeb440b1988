"""Every command in a plain environment.

The console script is run by its path. The environment is not activated, no variable is set, `PATH`
is that of the system, and `HOME` is not writable.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from sameas.cli.parser import COMMANDS

SCRIPT = Path(sys.executable).parent / "sameas"
pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="paths of this kind are of Unix"),
    pytest.mark.skipif(not SCRIPT.exists(), reason="there is no command sameas"),
]

RUNS = [
    "score key.conll eager.conll --interval",
    "score key.conll eager.conll --by size --plot picture.svg",
    "score key.parquet eager.parquet",
    "score key.parquet eager.parquet --plan",
    "score key.parquet eager.parquet --engine duckdb",
    "compare key.conll careful.conll eager.conll",
    "errors key.conll eager.conll",
    "report key.conll eager.conll -o report.html",
    "cone key.conll eager.conll",
    "convert key.conll key.jsonl",
    "check key.conll",
    "align --dataset sample:ru -o again.tsv",
    "entropy aligned.tsv --gold aligned.tsv",
    "transliterate apply names.model Sabina",
    "transliterate evaluate --dataset sample:ru --model bigram",
    "verify names.tsv --model names.model",
    "published --audit",
    "correlate --published",
    "scorer muc key.conll eager.conll",
    "example again",
    "completion bash",
]


def plain(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the console script; not even root can write to a `HOME` that is not a folder."""
    environment = {"HOME": os.devnull, "PATH": os.defpath, **variables}
    return subprocess.run(
        [str(SCRIPT), *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the example corpus as text and tables, aligned names, and a model."""
    found = tmp_path_factory.mktemp("plain")
    for command in (
        "example .",
        "convert key.conll key.parquet",
        "convert eager.conll eager.parquet",
        "align --dataset sample:ru -o aligned.tsv",
        "transliterate train --dataset sample:ru --model bigram -o names.model",
    ):
        done = plain(found, *command.split())
        assert done.returncode == 0, (command, done.stderr)
    rows = (found / "aligned.tsv").read_text("utf-8").splitlines()
    (found / "names.tsv").write_text(
        "".join("\t".join(row.split("\t")[:2]) + "\n" for row in rows), "utf-8"
    )
    return found


def test_every_command_is_run() -> None:
    assert {run.split()[0] for run in RUNS} == set(COMMANDS)


@pytest.mark.long
@pytest.mark.parametrize("command", RUNS)
def test_commands(folder: Path, command: str) -> None:
    done = plain(folder, *command.split())
    assert done.returncode == 0, done.stderr
    assert done.stdout or "-o" in command or "convert" in command
    assert not [line for line in done.stderr.splitlines() if not line.startswith("note: ")]


@pytest.mark.long
def test_spark(folder: Path) -> None:
    """The workers of Spark run this Python, not one that happens to be on the path."""
    java = shutil.which("java", path=os.defpath)
    home = os.environ.get("JAVA_HOME")
    missing = "pyspark" if find_spec("pyspark") is None else "" if java or home else "Java"
    if missing and os.environ.get("SAMEAS_SPARK") == "required":
        pytest.fail(f"SAMEAS_SPARK=required, but there is no {missing}")
    if missing:
        pytest.skip(f"there is no {missing}: Spark is not tested")
    variables = {"JAVA_HOME": home} if home else {}
    files = ("score", "key.parquet", "eager.parquet")
    done = plain(folder, *files, "--engine", "spark", "--master", "local[1]", **variables)
    assert done.returncode == 0, done.stderr
    assert done.stdout == plain(folder, *files, "--engine", "duckdb").stdout
    steps = [line.split(": ", 2)[2] for line in done.stderr.splitlines()]
    assert steps[:2] == ["starting Spark", "counting rows"]
    assert "assigning entities for CEAF" in steps
