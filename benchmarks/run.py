"""Measure sameas and its peers as whole commands on the same files.

::

    SAMEAS_PERL_SCORER=… SAMEAS_COVAL=… python benchmarks/run.py

prints a Markdown table of wall-clock seconds, peak memory and their ratios to sameas. A peer is
included if it is available: the reference scorer and coval are checkouts given by the environment
variables, and scorch is a Python package. Every tool computes all its default metrics.

::

    python benchmarks/run.py --before ../before/.venv/bin/sameas

compares with another sameas instead, such as that of the previous commit: the two alternate, and
the table shows the medians of their CPU seconds.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

CORPORA = ["ontonotes", "ontonotes10", "big", "tangled", "unrelated", "unrelated4"]
# On Linux a child inherits the peak memory of the process that forked it, so this script imports
# nothing heavy and also generates the corpora in a child.
GENERATE = Path(__file__).with_name("generate.py")
SCORCH = """
import sys
from pathlib import Path
from scorch import conll, main
folders = []
for side, path in (("key", sys.argv[1]), ("response", sys.argv[2])):
    folder = Path(sys.argv[3]) / side
    folder.mkdir()
    conll.main_entry_point([path, str(folder)])
    folders.append(str(folder))
main.main_entry_point(folders)
"""
TEN_LINES = """\
#begin document (ten); part 000
ten\t0\t0\tAda\t(0)
ten\t0\t1\tmet\t-
ten\t0\t2\ther\t(1|(0)
ten\t0\t3\tbrother\t1)

ten\t0\t0\tHe\t(1)
ten\t0\t1\tlaughed\t-
ten\t0\t2\t.\t-
#end document
"""


@dataclass(frozen=True)
class Measurement:
    """One run of a command: its cost, or the reason why there is no number."""

    seconds: float
    megabytes: float
    cpu_seconds: float
    problem: str = ""


@dataclass(frozen=True)
class Tool:
    """A scorer: its name and its command line for two files and a scratch folder."""

    name: str
    command: Callable[[Path, Path, Path], list[str]]
    environment: dict[str, str]


def sameas_command() -> list[str]:
    """Return the command installed next to this interpreter, or else the module."""
    script = Path(sys.executable).with_name("sameas")
    return [str(script)] if script.exists() else [sys.executable, "-m", "sameas"]


def available_tools() -> list[Tool]:
    """Return sameas, then every available peer."""
    tools = []
    if importlib.util.find_spec("sameas"):
        ours = sameas_command()
        tools.append(
            Tool("sameas", lambda key, response, _: [*ours, "score", str(key), str(response)], {})
        )
    perl = Path(os.environ.get("SAMEAS_PERL_SCORER", ""), "scorer.pl").resolve()
    if perl.is_file() and shutil.which("perl"):
        tools.append(
            Tool(
                "Perl 8.01",
                lambda key, response, _: [
                    "perl",
                    str(perl),
                    "all",
                    str(key),
                    str(response),
                    "none",
                ],
                {},
            )
        )
    coval = Path(os.environ.get("SAMEAS_COVAL", ""), "scorer.py").resolve()
    if "SAMEAS_COVAL" in os.environ and coval.is_file():
        tools.append(
            Tool(
                "coval",
                lambda key, response, _: [sys.executable, str(coval), str(key), str(response)],
                {"PYTHONPATH": str(coval.parent)},
            )
        )
    if importlib.util.find_spec("scorch"):
        tools.append(
            Tool(
                "scorch",
                lambda key, response, folder: [
                    *[sys.executable, "-c", SCORCH],
                    *[str(key), str(response), str(folder)],
                ],
                {},
            )
        )
    return tools


def measure(
    command: list[str], *, timeout: float = math.inf, environment: dict[str, str] | None = None
) -> Measurement:
    """Run a command and return the resources that it used."""
    with tempfile.TemporaryFile() as printed:
        begin = time.perf_counter()
        process = subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=printed,
            env={**os.environ, **(environment or {})},
        )
        late = threading.Event()

        def stop() -> None:
            late.set()
            process.kill()

        clock = threading.Timer(timeout, stop) if math.isfinite(timeout) else None
        if clock:
            clock.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        if clock:
            clock.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        problem = ""
        if late.is_set():
            problem = f"> {timeout:g}"
        elif process.returncode:
            problem = f"failed ({process.returncode})"
            printed.seek(0)
            text = printed.read().decode(errors="replace")
            print(f"{' '.join(command)[:200]}\n{text[-1500:]}", file=sys.stderr)
    unit = 1 if sys.platform == "darwin" else 1024
    return Measurement(
        seconds, usage.ru_maxrss * unit / 1e6, usage.ru_utime + usage.ru_stime, problem
    )


def best(measurements: list[Measurement]) -> Measurement:
    """Return the fastest of several runs, or a failed one if any failed."""
    failed = [measurement for measurement in measurements if measurement.problem]
    return failed[0] if failed else min(measurements, key=lambda one: one.seconds)


def row(corpus: str, tool: str, measurement: Measurement, ours: Measurement | None) -> str:
    """Return a row of the table."""
    failed = measurement.problem.startswith("failed")
    seconds = measurement.problem or f"{measurement.seconds:.2f}"
    cells = [corpus, tool, seconds, "–" if failed else f"{measurement.megabytes:,.0f}"]
    if failed or ours is None or ours.problem:
        cells += ["–", "–"]
    else:
        sign = "> " if measurement.problem else ""
        for ratio in (
            measurement.seconds / ours.seconds,
            measurement.megabytes / ours.megabytes,
        ):
            cells.append(f"{sign}{ratio:.1f}" if ratio < 10 else f"{sign}{ratio:,.0f}")
    return f"| {' | '.join(cells)} |"


def start_up(folder: Path, repeat: int) -> None:
    """Print the CPU time of small commands and of an empty interpreter."""
    ten = folder / "ten.conll"
    ten.write_text(TEN_LINES, newline="\n")
    ours = sameas_command()
    print("\n| command | CPU ms | MB |\n|---|---:|---:|")
    for name, command in [
        ("`python -c pass`", [sys.executable, "-c", "pass"]),
        ("`sameas --help`", [*ours, "--help"]),
        ("`sameas score`, ten lines", [*ours, "score", str(ten), str(ten)]),
    ]:
        runs = [measure(command) for _ in range(max(5, repeat))]
        fastest = min(runs, key=lambda one: one.cpu_seconds)
        shown = fastest.problem or f"{fastest.cpu_seconds * 1000:.0f}"
        print(f"| {name} | {shown} | {fastest.megabytes:.0f} |")


def compare_commits(commands: dict[str, list[str]], before: str, repeat: int) -> None:
    """Print the median CPU time of each command with this sameas and with an earlier one."""
    print("\n| command | before, CPU s | now, CPU s | ratio of medians |\n|---|---:|---:|---:|")
    for name, arguments in commands.items():
        runs: dict[str, list[float]] = {before: [], sameas_command()[0]: []}
        for number in range(repeat):
            # Alternate the order, so that neither always profits from caches that the other warmed.
            for sameas in [*runs][:: 1 if number % 2 else -1]:
                runs[sameas].append(measure([sameas, *arguments]).cpu_seconds)
        old, new = (statistics.median(seconds) for seconds in runs.values())
        print(f"| {name} | {old:.3f} | {new:.3f} | {new / old:.3f} |", flush=True)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    names = ",".join(CORPORA)
    parser.add_argument("--corpora", default=names, help=f"comma-separated (default: {names})")
    parser.add_argument("--tools", help="comma-separated names (default: all available)")
    parser.add_argument("--folder", type=Path, help="keep the corpora here and reuse them")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--repeat", type=int, default=3, help="take the best of N runs of sameas (default: 3)"
    )
    parser.add_argument(
        "--timeout", type=float, default=400, help="seconds for a peer (default: 400)"
    )
    parser.add_argument("--skip-peers-on", default="", help="corpora to run with sameas only")
    parser.add_argument("--before", help="compare with this sameas instead of peers")
    arguments = parser.parse_args()
    corpora = [name for name in arguments.corpora.split(",") if name]
    alone = [name for name in arguments.skip_peers_on.split(",") if name]
    for name in corpora + alone:
        if name not in CORPORA:
            parser.error(f"unknown corpus {name!r}; known: {names}")
    tools = available_tools() if arguments.before is None else []
    if arguments.tools is not None:
        wanted = arguments.tools.split(",")
        for name in wanted:
            if name not in [tool.name for tool in tools]:
                parser.error(f"{name!r} is not available, only {[tool.name for tool in tools]}")
        tools = [tool for tool in tools if tool.name in wanted]

    print(f"Python {platform.python_version()}, {platform.system()}, {os.cpu_count()} processors\n")
    with tempfile.TemporaryDirectory() as temporary:
        scratch = Path(temporary)
        folder = arguments.folder or scratch
        commands = {"`--help`": ["--help"]}
        if tools:
            print("| corpus | tool | seconds | MB | × seconds | × MB |")
            print("|---|---|---:|---:|---:|---:|", flush=True)
        for corpus in corpora:
            stem = f"{corpus}-{arguments.seed}"
            key, response = (
                folder / stem / f"{corpus}.{side}.conll" for side in ("key", "response")
            )
            if not (key.is_file() and response.is_file()):
                command = [sys.executable, str(GENERATE), corpus, "--output", str(folder / stem)]
                command += ["--seed", str(arguments.seed)]
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            commands[f"`score`, {corpus}"] = ["score", str(key), str(response)]
            ours: Measurement | None = None
            for tool in tools:
                if tool.name != "sameas" and corpus in alone:
                    continue
                runs = []
                for _ in range(arguments.repeat if tool.name == "sameas" else 1):
                    with tempfile.TemporaryDirectory(dir=scratch) as place:
                        command = tool.command(key, response, Path(place))
                        limit = math.inf if tool.name == "sameas" else arguments.timeout
                        runs.append(measure(command, timeout=limit, environment=tool.environment))
                measurement = best(runs)
                if tool.name == "sameas":
                    ours = measurement
                print(row(corpus, tool.name, measurement, ours), flush=True)
        if arguments.before is not None:
            compare_commits(commands, arguments.before, arguments.repeat)
        elif any(tool.name == "sameas" for tool in tools):
            start_up(scratch, arguments.repeat)


if __name__ == "__main__":
    main()
