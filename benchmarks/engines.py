"""Measure engines on tables of growing size, and check that their counts are equal.

::

    python benchmarks/engines.py measure --sizes 1,3,10,30,100 --memory 4GB -o engines.csv
    python benchmarks/engines.py plot engines.csv -o docs/engines.svg
    python benchmarks/engines.py measure --noise 0.2 --memory 1GB -o noisy.csv
    python benchmarks/engines.py compare --mentions 10000000 --documents 10000 memory duckdb spark
    python benchmarks/engines.py compare --noise 0.2 duckdb:1GB duckdb:8GB

`measure` generates the tables (`mentions.py`) and scores each in a separate process, with two
threads and all metrics except CEAF (`--ceaf` for all). It reports the seconds from start to exit,
the peak resident memory, and the peak size of DuckDB's folder.

`compare` scores one pair of tables on each engine, each in a separate process, and compares every
number of every document. An engine can have a memory limit (`duckdb:1GB`).

`--noise` sets the share of the response's mentions that are in a random entity.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import pickle
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

LINKS = "mention,muc,b3,blanc,lea,ceaf1,pairwise,rand,ari"
#: Without `ceaf_sys`: it makes the engines solve other components, so compare it separately.
COMPARED = f"{LINKS},ceafm,ceafe,ceaf2,conll,b3_0,b3_all,b3_rn,ceafm_rn,ceafe_rn,b3_sys"


def folder_bytes(folder: str) -> int:
    total = 0
    for where, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.path.getsize(os.path.join(where, name))
            except OSError:
                continue
    return total


def score(engine: str, tables: str, options: argparse.Namespace) -> None:
    """Score in this process; print the cost and save the results."""
    key, response = (f"{tables}/{name}.parquet" for name in ("key", "response"))
    most, done = 0, threading.Event()

    def watch(folder: str) -> None:
        nonlocal most
        while not done.wait(0.2):
            most = max(most, folder_bytes(folder))

    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as work:
        watcher = threading.Thread(target=watch, args=(work,))
        watcher.start()
        tell = (lambda text: print(text, file=sys.stderr)) if options.verbose else None
        if engine == "duckdb":
            from sameas.run.engines import duckdb

            result = duckdb.score(
                key, response, metrics=options.metrics, memory=options.memory, threads=2,
                work=work, tell=tell,
            )  # fmt: skip
        elif engine == "spark":
            from sameas.run.engines import spark

            session = spark.session(options.master, memory="6g")
            result = spark.score(
                session, key, response, metrics=options.metrics, work=work, tell=tell
            )
            session.stop()
        else:
            import sameas

            result = sameas.score(key, response, metrics=options.metrics)
        done.set()
        watcher.join()
    found = {
        "engine": engine,
        "seconds": time.perf_counter() - start,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "disk": most,
        "processor": time.process_time(),
    }
    if options.pickle:
        columns = {name: list(map(list, part)) for name, part in result.statistics.columns.items()}
        rows = (list(result.statistics.documents), columns, {n: result[n] for n in result})
        Path(options.pickle).write_bytes(pickle.dumps(rows))
    print(json.dumps(found))


def run(engine: str, tables: str, *arguments: str) -> dict[str, float]:
    """Score in a separate process and return its cost."""
    command = [sys.executable, __file__, "score", engine, tables, *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def measure(options: argparse.Namespace) -> None:
    from mentions import write

    metrics = LINKS if not options.ceaf else f"{LINKS},ceafm,ceafe,conll"
    with open(options.output, "w", newline="") as file:
        writer = csv.writer(file)
        columns = ("mentions", "seconds", "processor", "memory", "disk")
        writer.writerow(columns)
        for size in options.sizes.split(","):
            mentions = int(float(size) * 1_000_000)
            with tempfile.TemporaryDirectory(dir=options.folder) as tables:
                documents = max(1, mentions // 1_000)
                write(Path(tables), mentions, documents, mentions // 5, options.noise)
                found = run(
                    "duckdb", tables, "--memory", options.memory, "--metrics", metrics
                )  # fmt: skip
            row = [mentions, *(round(found[name], 2) for name in columns[1:])]
            writer.writerow(row)
            file.flush()
            print(
                f"{mentions:>12,} mentions  {found['seconds']:7.1f} s  "
                f"{found['processor']:7.1f} s CPU time  "
                f"{1e9 * found['seconds'] / mentions:6.0f} ns per mention  "
                f"{found['memory'] / 1e9:5.2f} GB memory  {found['disk'] / 1e9:5.2f} GB disk",
                flush=True,
            )


def plot(options: argparse.Namespace) -> None:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "sameas"
    import matplotlib.pyplot as pyplot

    with open(options.table, newline="") as file:
        rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
    millions = [row["mentions"] / 1e6 for row in rows]
    figure, (cost, space) = pyplot.subplots(1, 2, figsize=(8, 3.2), layout="constrained")
    cost.plot(millions, [1e9 * row["seconds"] / row["mentions"] for row in rows], "o-")
    cost.set(xscale="log", ylim=(0, None), xlabel="million mentions", ylabel="ns per mention")
    cost.set_title("time", loc="left")
    space.plot(millions, [row["memory"] / 1e9 for row in rows], "o-", label="memory")
    space.plot(millions, [row["disk"] / 1e9 for row in rows], "s--", label="disk")
    space.set(xscale="log", ylim=(0, None), xlabel="million mentions", ylabel="GB")
    space.set_title("space", loc="left")
    space.legend(frameon=False)
    for axes in (cost, space):
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_xticks(millions, [f"{number:g}" for number in millions])
        axes.minorticks_off()
        axes.grid(axis="y", alpha=0.3)
    figure.savefig(options.output, metadata={"Date": None})


def compare(options: argparse.Namespace) -> None:
    from mentions import write

    with tempfile.TemporaryDirectory(dir=options.folder) as tables:
        entities = options.entities or options.mentions // 5
        write(Path(tables), options.mentions, options.documents, entities, options.noise)
        found = {}
        for engine in options.engines:
            path = f"{tables}/{engine}.pickle"
            name, _, memory = engine.partition(":")
            arguments = ["--metrics", options.metrics, "--pickle", path]
            took = run(name, tables, *arguments, "--memory", memory or options.memory)
            found[engine] = pickle.loads(Path(path).read_bytes())
            print(f"{engine:<12}{took['seconds']:8.1f} s{took['memory'] / 1e9:8.2f} GB", flush=True)
        names, columns, scores = found[options.engines[0]]
        place = {name: number for number, name in enumerate(names)}
        for engine in options.engines[1:]:
            others, other, other_scores = found[engine]
            assert sorted(others) == sorted(names) and other_scores == scores
            order = [place[name] for name in others]
            numbers = 0
            for name, parts in columns.items():
                for one, two in zip(parts, other[name], strict=True):
                    assert [one[number] for number in order] == two, name
                    numbers += len(two)
            print(f"{options.engines[0]} = {engine}: {numbers:,} numbers, {len(scores)} scores")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("score")
    one.add_argument("engine", choices=["memory", "duckdb", "spark"])
    one.add_argument("tables")
    one.add_argument("--metrics", default=LINKS)
    one.add_argument("--memory", default="4GB")
    one.add_argument("--master", default="local[2]")
    one.add_argument("--pickle")
    one.add_argument("--verbose", action="store_true")
    one.set_defaults(run=lambda options: score(options.engine, options.tables, options))
    many = commands.add_parser("measure")
    many.add_argument("--sizes", default="1,3,10,30,100", help="in millions of mentions")
    many.add_argument("--memory", default="4GB")
    many.add_argument("--ceaf", action="store_true")
    many.add_argument("--noise", type=float, default=0.03)
    many.add_argument("--folder", help="folder for temporary tables")
    many.add_argument("-o", "--output", default="engines.csv")
    many.set_defaults(run=measure)
    picture = commands.add_parser("plot")
    picture.add_argument("table")
    picture.add_argument("-o", "--output", default="engines.svg")
    picture.set_defaults(run=plot)
    same = commands.add_parser("compare")
    same.add_argument("engines", nargs="+")
    same.add_argument("--metrics", default=COMPARED)
    same.add_argument("--mentions", type=int, default=10_000_000)
    same.add_argument("--documents", type=int, default=10_000)
    same.add_argument("--entities", type=int)
    same.add_argument("--noise", type=float, default=0.03)
    same.add_argument("--memory", default="4GB")
    same.add_argument("--folder")
    same.set_defaults(run=compare)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
