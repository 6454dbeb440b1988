"""Time reading and scoring tables of a million mentions.

::

    python benchmarks/tables.py

makes a key and a response of 1,000,000 mentions in a temporary folder, as one document and as
10,000, with text, integers or token positions for mentions, and prints a Markdown table: CPU
seconds to read both, to score the default metrics, and in total (including the start of Python),
and the peak memory of the process. Each case runs in a separate process, on one processor if the
system supports that. Parquet and Arrow need pyarrow.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

FORMATS = ("parquet", "arrow", "csv")
MENTIONS = ("text", "integer", "start, end")


def columns(count: int, documents: int, mentions: str, side: str, seed: int) -> dict[str, Any]:
    """Return a key, or a response with 8% of the mentions moved and 5% replaced."""
    rng = np.random.default_rng(seed)
    document = np.sort(rng.integers(0, documents, count))
    begin = np.searchsorted(document, document)  # the first row of each row's document
    size = np.bincount(document, minlength=documents)[document]
    entity = begin + (rng.random(count) ** 2 * size * 0.3).astype(np.int64)
    mention = np.arange(count)
    length = rng.integers(0, 4, count)
    if side == "response":
        moved = rng.random(count) < 0.08
        entity = np.where(moved, begin + (rng.random(count) * size * 0.3).astype(np.int64), entity)
        other = rng.random(count) < 0.05
        mention, length = mention + count * other, length + other
        entity = entity + 7  # entity names need not match those of the key
    table: dict[str, Any] = {}
    if documents > 1:
        table["document"] = np.char.add("news/document_", document.astype(str))
    if mentions == "start, end":
        table |= {"start": (mention % count - begin) * 3, "end": 0, "entity": entity}
        table["end"] = table["start"] + length
    elif mentions == "integer":
        table |= {"mention": mention + 10**9, "entity": entity}
    else:
        table["mention"] = np.char.add("https://example.org/record/", mention.astype(str))
        table["entity"] = np.char.add("Q", entity.astype(str))
    return table


def write(table: dict[str, Any], path: Path, format: str) -> None:
    if format == "csv":
        cells = (column.tolist() for column in table.values())
        with path.open("w") as file:
            file.write(",".join(table) + "\n")
            file.writelines(",".join(map(str, row)) + "\n" for row in zip(*cells, strict=True))
        return
    import pyarrow
    import pyarrow.feather
    import pyarrow.parquet

    frame = pyarrow.table({
        name: pyarrow.array(column.tolist() if column.dtype.kind == "U" else column)
        for name, column in table.items()
    })  # fmt: skip
    if format == "parquet":
        pyarrow.parquet.write_table(frame, path)
    else:
        pyarrow.feather.write_feather(frame, path)


def run_case(key: str, response: str, format: str) -> None:
    """Read and score in this process, and print the seconds of each step."""
    import sameas
    from sameas.formats.table.read import read_table

    begin = time.process_time()
    sides = [read_table(Path(path).read_bytes(), path, format=format) for path in (key, response)]
    middle = time.process_time()
    result = sameas.score(*sides)
    print(middle - begin, time.process_time() - middle, result["conll"].f1)


def measure(key: Path, response: Path, format: str) -> tuple[float, float, float, float]:
    """Run a case in a separate process; return its seconds (read, score, total) and megabytes."""
    command = [sys.executable, __file__, "--case", str(key), str(response), format]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(process.pid, [min(os.sched_getaffinity(0))])
    assert process.stdout is not None
    printed = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"failed: {' '.join(command)}")
    reading, scoring, _ = map(float, printed.split())
    unit = 1 if sys.platform == "darwin" else 1024
    return reading, scoring, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--mentions", type=int, default=1_000_000)
    parser.add_argument("--documents", type=int, nargs="*", default=[1, 10_000])
    parser.add_argument(
        "--repeat", type=int, default=2, help="take the best of N runs (default: 2)"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--make", nargs=5, help=argparse.SUPPRESS)
    parser.add_argument("--case", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.make:
        path, format, documents, mentions, side = options.make
        table = columns(options.mentions, int(documents), mentions, side, options.seed)
        write(table, Path(path), format)
        return
    if options.case:
        run_case(*options.case)
        return
    formats = FORMATS if find_spec("pyarrow") else ("csv",)
    print(f"{options.mentions:,} mentions in the key and in the response\n")
    print("| format | documents | mentions are | read | score | total | MB |")
    print("|---|---:|---|---:|---:|---:|---:|", flush=True)
    for documents in options.documents:
        for mentions in MENTIONS:
            for format in formats:
                with tempfile.TemporaryDirectory() as folder:
                    paths = [Path(folder) / f"{side}.{format}" for side in ("key", "response")]
                    for path in paths:
                        # In a child, because children inherit the peak memory of this process.
                        what = [str(path), format, str(documents), mentions, path.stem]
                        count = ["--mentions", str(options.mentions), "--seed", str(options.seed)]
                        subprocess.run(
                            [sys.executable, __file__, *count, "--make", *what], check=True
                        )
                    runs = [measure(*paths, format) for _ in range(options.repeat)]
                reading, scoring, seconds, megabytes = min(runs, key=lambda run: run[2])
                cells = [format, f"{documents:,}", mentions]
                cells += [f"{part:.2f}" for part in (reading, scoring, seconds)]
                print(f"| {' | '.join(cells)} | {megabytes:.0f} |", flush=True)


if __name__ == "__main__":
    main()
