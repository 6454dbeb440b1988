"""score with --engine and --plan: the output of the engine memory, and messages for errors."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from command_line import good, refused, restore_signals, run
from sameas.notes import Note
from saying import did_you_mean, says, unreadable

duckdb = pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

DUCKDB = ("--engine", "duckdb")


def write(path: Path, seed: int, mentions: int = 60) -> None:
    generator = random.Random(seed)
    rows = [
        (f"d{d}", m, generator.randrange(12))
        for d in range(5)
        for m in range(mentions)
        if generator.random() < 0.8
    ]
    names = ("document", "mention", "entity")
    columns = {name: [row[place] for row in rows] for place, name in enumerate(names)}
    pq.write_table(pa.table(columns), path)


@pytest.fixture(autouse=True)
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Write a key and two responses; check that the temporary directory is left empty."""
    for seed, name in enumerate(("key", "base", "new")):
        write(tmp_path / f"{name}.parquet", seed)
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    assert os.listdir(tmp_path / "temporary") == []


# --- the same output -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--json",),
        ("--json", "--by-document", "--interval", "--seed", "1", "--samples", "50"),
        ("--markdown", "--digits", "4"),
        ("--singletons", "drop", "--scope", "corpus", "--average", "macro"),
        ("--metrics", "muc,ceafm,ceaf_sys", "--blanc", "gold", "--latex"),
        ("--preset", "litbank"),
        ("--signature", "sameas:coref|match:exact|singletons:drop"),
        ("--memory", "1GB", "--work", "."),
        ("--by-document", "--duplicates", "merge", "--missing-documents", "skip"),
    ],
    ids=" ".join,
)
def test_the_output_equals_that_of_memory(options: tuple[str, ...]) -> None:
    files = ("key.parquet", "base.parquet", "new.parquet")
    own = [part for part in options if part not in ("--memory", "1GB", "--work", ".")]
    assert run("score", *files, *options, *DUCKDB) == run("score", *files, *own)


def test_notes_and_warnings_equal_those_of_memory() -> None:
    table = pq.read_table("base.parquet")
    extra = pa.table({"document": ["z", "d0"], "mention": [1, 0], "entity": [1, 1]})
    several = pa.concat_tables([table, extra, extra]).append_column(
        "words", pa.array(["w"] * (len(table) + 4))
    )
    drop = [row for row in range(len(several)) if several["document"][row].as_py() != "d3"]
    seen = set()
    kept = []
    for row in drop:
        name = (several["document"][row].as_py(), several["mention"][row].as_py())
        if name not in seen or name == ("z", 1):
            kept.append(row)
        seen.add(name)
    pq.write_table(several.take(kept), "odd.parquet")
    for style in ("--json", "--csv"):
        found = run("score", "key.parquet", "odd.parquet", style, *DUCKDB)
        assert found == run("score", "key.parquet", "odd.parquet", style)
    code, _, messages = found
    assert code == 0
    assert "skipped 1 column: words" in messages


# --- bad input -------------------------------------------------------------------------------

BROKEN = says("broken-table", format="a table", reason="")


@pytest.mark.long
@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("no.parquet", unreadable("no.parquet")),
        ("no*.parquet", unreadable("no*.parquet")),
        ("temporary", f"temporary: {says('no-parquet')}\n"),
        ("-", "-: "),
        ("text.parquet", f"text.parquet: {BROKEN}"),
        ("half.parquet", f"half.parquet: {BROKEN}"),
        ("table.csv", f"table.csv: {says('not-parquet')}"),
        (
            "real.parquet",
            f"real.parquet: {says('engine-column', how='name', field='mention', kind='DOUBLE')}",
        ),
        ("empty.parquet", f"empty.parquet: {says('no-rows')}"),
        ("other.parquet", f"other.parquet: {says('no-known-column', columns='x')}"),
        ("gaps.parquet", f"gaps.parquet: {says('rows-entity', count=1)}"),
        ("s3://b/k.parquet", f"s3://b/k.parquet: {says('address', scheme='s3')}"),
        ("hdfs://n/k", f"hdfs://n/k: {says('address', scheme='hdfs')}"),
        ("https://x/k", f"https://x/k: {says('address', scheme='https')}"),
        ("tables.duckdb", f"tables.duckdb: {says('not-parquet', how='duckdb')}"),
        ("renamed.parquet", f"renamed.parquet: {says('not-parquet', how='duckdb')}"),
        ("tables.db", f"tables.db: {says('not-parquet', how='sqlite')}"),
    ],
)
@pytest.mark.parametrize("explain", [(), ("--plan",)])
def test_tables_that_cannot_be_scored(key: str, message: str, explain: tuple[str, ...]) -> None:
    Path("text.parquet").write_text("document,mention,entity\na,1,x\n")
    Path("table.csv").write_text("document,mention,entity\na,1,x\n")
    content = Path("key.parquet").read_bytes()
    Path("half.parquet").write_bytes(content[: len(content) // 2])
    one: dict[str, Any] = {"document": ["d0"], "mention": [1], "entity": [1]}
    for name, columns in {
        "real": {**one, "mention": [1.5]},
        "other": {"x": [1]},
        "gaps": {**one, "entity": pa.array([None], pa.int64())},
        "empty": {field: pa.array([], pa.int64()) for field in one},
    }.items():
        pq.write_table(pa.table(columns), f"{name}.parquet")
    with duckdb.connect("tables.duckdb") as connection:
        connection.execute("CREATE TABLE gold AS FROM 'key.parquet'")
    shutil.copy("tables.duckdb", "renamed.parquet")
    with contextlib.closing(sqlite3.connect("tables.db")) as other:
        other.execute("CREATE TABLE gold (mention, entity)")
    code, err = refused("score", key, "base.parquet", *DUCKDB, *explain)
    assert (code, err[: len(message)]) == (1, message)
    assert "SELECT" not in err
    assert "hint: " in err or "://" not in key
    if key != "-":
        # The second response is invalid, so nothing is shown of the first.
        code, err = refused("score", "key.parquet", "base.parquet", key, *DUCKDB, *explain)
        assert (code, err[: len(message)]) == (1, message)


def test_too_little_or_invalid_memory() -> None:
    code, err = refused("score", "key.parquet", "base.parquet", *DUCKDB, "--memory", "lots")
    assert (code, err) == (2, f"sameas: {says('memory-size', value='lots')}\n")
    code, err = refused("score", "key.parquet", "base.parquet", *DUCKDB, "--memory", "1KB")
    assert code == 2
    assert err.startswith(f"sameas: {says('duckdb-memory', reason='').split(':')[0]}: ")


def test_work_folders_that_cannot_be_used() -> None:
    for folder in ("nowhere", "key.parquet"):
        code, err = refused("score", "key.parquet", "base.parquet", *DUCKDB, "--work", folder)
        assert code == 2
        assert err.startswith(f"sameas: {says('work-folder', folder=folder, reason='')}")


def large(mentions: int = 1_000_000) -> None:
    generator = np.random.default_rng(1)
    for name in ("large_key", "large_response"):
        entity = generator.integers(0, mentions // 5, mentions)
        table = pa.table({"mention": np.arange(mentions), "entity": entity})
        pq.write_table(table, f"{name}.parquet")


def start(*options: str, **named: Any) -> subprocess.Popen[bytes]:
    command = [
        sys.executable,
        "-m",
        "sameas",
        "score",
        "large_key.parquet",
        "large_response.parquet",
    ]
    return subprocess.Popen(
        [*command, *DUCKDB, *options],
        env={**os.environ, "TMPDIR": os.path.abspath("temporary")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **named,
    )


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="signals of this kind are of Unix")
@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_it_can_be_stopped_in_the_middle(name: str, code: int) -> None:
    large()
    process = start("--metrics", "b3,ceafe", preexec_fn=restore_signals)
    end = time.monotonic() + 60
    while not os.listdir("temporary") and process.poll() is None and time.monotonic() < end:
        time.sleep(0.02)
    time.sleep(0.7)
    process.send_signal(getattr(signal, name))
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (code, b"")
    assert b"Traceback" not in err
    assert os.listdir("temporary") == []


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="limits of this kind are of Unix")
def test_a_full_disk() -> None:
    import resource

    large(400_000)

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))

    process = start("--metrics", "b3", "--memory", "30MB", preexec_fn=limit)
    out, err = process.communicate(timeout=120)
    assert process.returncode in (1, 2)
    assert out == b""
    assert b"Traceback" not in err
    assert b"as a table" not in err
    assert b"work folder" in err
    assert os.listdir("temporary") == []


FULL = {
    "OutOfMemoryException": (
        "Out of Memory Error: failed to offload data block of size 256.0 KiB (35.9 MiB/36.0 MiB "
        "used).\nThis limit was set by the 'max_temp_directory_size' setting.\nBy default, this "
        "setting utilizes the available disk space on the drive where the 'temp_directory' is "
        "located.\nYou can adjust this setting, by using (for example) PRAGMA "
        "max_temp_directory_size='10GiB'\n\nPossible solutions:\n* Reducing the number of threads"
    ),
    "IOException": (
        'IO Error: Could not write file "w/duckdb_temp_29033_1_storage_S160K-0.tmp": No space left '
        "on device"
    ),
}


@pytest.mark.parametrize("kind", FULL)
@pytest.mark.parametrize("work", [None, "place"])
def test_a_full_work_folder_is_named(
    kind: str, work: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Use the messages of DuckDB from a file system of 40 MB."""

    def fails(*_: object) -> None:
        raise getattr(duckdb, kind)(FULL[kind])

    Path("place").mkdir()
    monkeypatch.setattr("sameas.run.engines.duckdb.DuckDB.create", fails)
    options = ("--work", work) if work else ()
    code, err = refused("score", "key.parquet", "base.parquet", *DUCKDB, *options)
    folder = work or os.path.abspath("temporary")
    assert (code, err) == (2, f"sameas: {says('work-full', how='own', folder=folder)}\n")


def test_steps_are_lines_in_a_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard error is not a terminal here: only large tables have a line for each step."""
    files = ("key.parquet", "base.parquet")
    out = good("score", *files, *DUCKDB)
    monkeypatch.setattr("sameas.cli.engine.LOGGED", 0)
    code, same, err = run("score", *files, *DUCKDB)
    assert (code, same) == (0, out)
    lines = err.splitlines()
    assert all(re.match(r"sameas: \d+ s: \w", line) for line in lines)
    steps = [line.split(": ", 2)[2] for line in lines]
    assert steps[:2] == ["counting rows", "naming documents"]
    assert steps[-1] == "measuring"
    assert sum(step.startswith("CEAF ") for step in steps) == 1


# --- options ---------------------------------------------------------------------------------


def only(option: str, engine: str) -> str:
    return says("only-for-engine", how=engine, option=option)


def looks(name: str, value: str) -> str:
    return says("engine-setting", name=name, value=value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--engine duckbd", did_you_mean("engine", "duckbd", "duckdb")),
        ("--engine duckdb --master local", only("master", "spark")),
        ("--memory 4GB", only("memory", "both")),
        ("--work .", only("work", "both")),
        ("--master local", only("master", "spark")),
        ("--engine memory --memory 4GB", only("memory", "both")),
        ("--plan --memory 4GB", only("memory", "both")),
        ("--engine spark --master local --jobs 2", says("master-jobs")),
        ("--engine duckdb --format parquet", says("engine-format", engine="duckdb")),
        ("--engine duckdb --by size", says("engine-classes")),
        ("--engine duckdb --compat conll-8.01", looks("compat", "conll-8.01")),
        ("--engine duckdb --preset crac24", looks("compat", "corefud-1.2")),
        ("--engine duckdb --match head", looks("match", "head")),
        ("--engine duckdb --scope topic", says("engine-topics")),
        ("--engine duckdb --metrics mor", says("engine-places", metric="mor")),
        ("--engine duckdb --signature sameas:coref|match:head", looks("match", "head")),
        ("--engine duckdb --seed 1", says("needs-interval", option="seed")),
        ("--plan --interval", says("explain-only", option="interval")),
        ("--plan --by-document", says("explain-only", option="by-document")),
        ("--plan --by size", says("explain-only", option="by")),
        ("--plan --jobs 2", says("explain-only", option="jobs")),
        ("--plan --csv", says("explain-style")),
        ("--plan --latex", says("explain-style")),
        ("--plan --digits 3", "--digits"),
        ("--engine duckdb --datasets", "--datasets"),
        ("--plan --datasets", "--datasets"),
    ],
)
def test_incompatible_options(options: str, message: str) -> None:
    for name in ("keys", "responses"):
        Path(name).mkdir()
        write(Path(name) / "one.parquet", 1)
    files = ("keys", "responses") if "--datasets" in options else ("key.parquet", "base.parquet")
    code, err = refused("score", *files, *options.split())
    assert code == 2
    assert err.startswith("sameas: ")
    assert message in err


def test_an_engine_has_no_example() -> None:
    message = says("not-for", option="example", what="an engine")
    assert refused("score", "--example", *DUCKDB) == (2, f"sameas: {message}\n")


def test_genres_are_not_dropped_silently() -> None:
    table = pq.read_table("key.parquet")
    pq.write_table(table.append_column("genre", pa.array(["nw"] * len(table))), "key.parquet")
    code, _, err = run("score", "key.parquet", "base.parquet", "--by", "genre", *DUCKDB)
    assert "over genre" in err or (code == 2 and "genre" in err)


# --- the plan --------------------------------------------------------------------------------


def test_the_plan_is_the_same_for_both() -> None:
    files = ("key.parquet", "base.parquet", "new.parquet")
    for options in ((), ("--scope", "corpus"), ("--metrics", "muc")):
        plans = [
            json.loads(good("score", *files, "--plan", "--json", *engine, *options))
            for engine in ((), DUCKDB)
        ]
        for name, ours, theirs in zip(files[1:], *plans, strict=True):
            assert ours["response"] == theirs["response"] == name
            assert ours.pop("engine") == "memory"
            assert theirs.pop("engine") == "duckdb"
            assert ours.pop("where") != theirs.pop("where")
            assert ours == theirs
            assert ours["cells"] == ours["alone"] + ours["star_cells"] + ours["component_cells"]


def test_the_plan_as_text() -> None:
    texts = [
        good("score", "key.parquet", "base.parquet", "new.parquet", "--plan", *engine)
        for engine in ((), DUCKDB)
    ]
    assert max(len(line) for text in texts for line in text.splitlines()) <= 80
    ours, theirs = (
        [line for line in text.splitlines() if not line.startswith(("runs", " " * 12))]
        for text in texts
    )
    assert ours == theirs
    assert ours[0] == "base.parquet"
    assert "runs        in this process, in memory, by arrays" in texts[0]
    assert "runs        DuckDB in this process" in texts[1]


def test_the_plan_of_text_files() -> None:
    plan = good("score", "--example", "--plan")
    assert plan.count("documents ") == len(plan.split("\n\n"))


def test_only_one_input_can_be_standard_input() -> None:
    assert refused("score", "-", "-", "--plan") == (2, f"sameas: {says('one-stdin')}\n")


@pytest.mark.long
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("style", ["--json", "--csv", "--markdown", None])
def test_truth_for_a_sample_gives_a_warning(engine: str, style: str | None) -> None:
    for name, known in (("truth", 40), ("found", 1000)):
        columns = {"record": list(range(known)), "cluster": [n // 3 for n in range(known)]}
        pq.write_table(pa.table(columns), f"{name}.parquet")
    options = ("--engine", engine, *([style] if style else []))
    code, out, err = run("score", "truth.parquet", "found.parquet", *options)
    note = str(Note("sample", count=960, total=1000))
    assert code == 0
    in_data = style in ("--json", "--csv")
    assert err.startswith(f"found.parquet: warning: {note}") == in_data
    assert err.count("960 of 1,000") == in_data
    assert " ".join(out.split()).count(note) == (style != "--csv")
    code, out, err = run("score", "found.parquet", "truth.parquet", *options)
    assert code == 0
    assert str(Note("sample", count=960, total=1000)) not in out + err
    # These are several documents, so they are texts.
    assert good("score", "key.parquet", "base.parquet", *options)
