"""score and compare with --jobs: the same output as with one process, and failures of workers."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command_line import good, refused, restore_signals, run
from sameas.run import pieces as streaming
from saying import unreadable

WORDS = ("Ann", "ran", "she", "boat", "it")


def conll(seed: int, documents: int = 60) -> str:
    """Return a file of documents, with the same words for every seed."""
    words, chance = random.Random(0), random.Random(seed)
    lines = []
    for number in range(documents):
        lines.append(f"#begin document (nw/{number:03}); part 000")
        for token in range(12):
            cell = f"({chance.randrange(4)})" if chance.random() < 0.6 else "-"
            lines.append(f"nw/{number:03}\t0\t{token}\t{words.choice(WORDS)}\t{cell}")
        lines += ["", "#end document"]
    return "\n".join(lines) + "\n"


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a key and two systems, as files and as folders, which count as large."""
    for name, seed in (("key", 1), ("base", 2), ("new", 3)):
        text = conll(seed)
        (tmp_path / f"{name}.conll").write_text(text)
        (tmp_path / name).mkdir()
        for number, part in enumerate(text.split("#begin")[1:]):
            (tmp_path / name / f"{number:03}.conll").write_text(f"#begin{part}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Treat all files as large; return a list with an entry for each time that files are split."""
    cut: list[str] = []
    whole = streaming.run_tasks

    def counted(*arguments: object) -> object:
        cut.append("cut")
        return whole(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(streaming, "run_tasks", counted)
    monkeypatch.setattr(streaming, "SMALL", 0)
    monkeypatch.setattr(streaming, "PIECE", 2000)
    monkeypatch.setattr("sameas.run.LARGE", 0)
    return cut


FILES = ("key.conll", "base.conll", "new.conll")
FOLDERS = ("key", "base", "new")


@pytest.mark.long
@pytest.mark.parametrize("jobs", [[], ["--jobs", "2"]], ids=str)
@pytest.mark.parametrize("paths", [FILES, FOLDERS], ids=["files", "folders"])
@pytest.mark.parametrize(
    "options",
    [
        ["score"],
        ["score", "--by-document", "--json", "--singletons", "drop"],
        ["score", "--by", "genre", "--interval", "--samples", "100"],
        ["score", "--preset", "conll12", "--csv"],
        ["compare", "--samples", "100"],
    ],
    ids=" ".join,
)
def test_the_output_equals_that_of_small_files(
    corpus: Path,
    paths: tuple[str, ...],
    options: list[str],
    jobs: list[str],
    request: pytest.FixtureRequest,
) -> None:
    command, *rest = options
    wanted = run(command, *paths, *rest)
    cut = request.getfixturevalue("large")
    assert run(command, *paths, *rest, *jobs) == wanted
    assert wanted[0] == 0
    assert cut == ["cut"]


@pytest.mark.parametrize("jobs", ["all", "0", "1", "3"])
def test_any_number_of_jobs_gives_the_same_output(
    corpus: Path, large: list[str], jobs: str
) -> None:
    assert good("score", *FILES, "--jobs", jobs) == good("score", *FILES)
    assert large == ["cut", "cut"]


@pytest.mark.long
@pytest.mark.parametrize(
    "options", [["--by", "size"], ["--by", "size", "--plot", "a.svg"], ["--scope", "corpus"]]
)
def test_what_needs_all_documents_is_read_at_once(
    corpus: Path, options: list[str], request: pytest.FixtureRequest
) -> None:
    wanted = good("score", *FILES, *options)
    cut = request.getfixturevalue("large")
    assert good("score", *FILES, *options, "--jobs", 2) == wanted
    assert cut == []


@pytest.mark.long
@pytest.mark.parametrize("style", [[], ["--json"], ["--csv"]])
def test_processes_share_data_sets(corpus: Path, style: list[str]) -> None:
    command = ("score", "--datasets", *FOLDERS, *style)
    Path("base/010.conll").unlink()
    wanted = run(*command)
    assert wanted[0] == 0
    assert run(*command, "--jobs", 3) == wanted


@pytest.mark.long
def test_of_two_invalid_data_sets_the_first_is_reported(corpus: Path) -> None:
    # The error of the second is found long before that of the first.
    text = Path("base.conll").read_text()
    Path("base/020.conll").write_text(100 * text + text.replace("(2)", "(2", 1))
    Path("base/021.conll").write_text("nothing\n")
    wanted = run("score", "--datasets", "key", "base")
    assert wanted[0] == 1
    assert "020.conll" in wanted[2]
    assert run("score", "--datasets", "key", "base", "--jobs", 2) == wanted


@pytest.mark.long
@pytest.mark.parametrize("jobs", [1, 2])
def test_errors_and_warnings_equal_those_of_small_files(
    corpus: Path, jobs: int, request: pytest.FixtureRequest
) -> None:
    text = Path("base.conll").read_text()
    broken = text.replace("(2)", "(2", 1)
    assert broken != text
    odd = text.replace("#end document\n", "", 1)
    Path("broken.conll").write_text(broken)
    Path("odd.conll").write_text(odd)
    wanted = run("score", "key.conll", "broken.conll"), run("score", "key.conll", "odd.conll")
    assert [code for code, _, _ in wanted] == [1, 0]
    assert "no `#end document`" in wanted[1][2]
    request.getfixturevalue("large")
    assert run("score", "key.conll", "broken.conll", "--jobs", jobs) == wanted[0]
    assert run("score", "key.conll", "odd.conll", "--jobs", jobs) == wanted[1]
    missing = refused("score", "key.conll", "none.conll", "--jobs", jobs)
    assert missing == (1, unreadable("none.conll"))


def test_there_is_a_limit_of_jobs() -> None:
    code, message = refused("score", "key", "base", "--jobs=99999")
    assert code == 2
    assert "99999 is more than 9999 processes" in message


@pytest.mark.parametrize("command", ["score", "compare"])
@pytest.mark.parametrize("jobs", ["-1", "two", "1.5", "", "٣"])
def test_other_numbers_of_jobs_are_refused(command: str, jobs: str) -> None:
    code, message = refused(command, "key", "base", f"--jobs={jobs}")
    assert code == 2
    assert "is neither a number of processes nor all" in message


PROGRAM = """
import sys, time
from sameas.cli import main
import sameas.run
from sameas.run import pieces as streaming, processes

streaming.SMALL, streaming.PIECE, sameas.run.LARGE = 0, 200, 0
run = processes._run_in_processes

def slowly(*arguments):
    for outcome in run(*arguments):
        print("piece", flush=True)
        time.sleep(1)
        yield outcome

processes._run_in_processes = slowly
main(["score", "key.conll", "base.conll", "--jobs", "2"])
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="groups of processes")
def test_control_c_stops_everything_at_once(corpus: Path) -> None:
    running = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=restore_signals,
    )
    assert running.stdout is not None
    assert running.stdout.readline() == "piece\n"
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate()
    assert (running.returncode, err) == (130, "")
    assert out in ("", "piece\n")
    for _ in range(100):  # the last one tracks semaphores, and takes a moment to end
        try:
            os.killpg(running.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    raise AssertionError("a process is left")
