"""Full disks, signals and missing permissions: old files stay whole, and errors come early."""

from __future__ import annotations

import errno
import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import faults
from command_line import shell
from sameas.cli import options, transliterate
from sameas.cli.parser import COMMANDS, parser_of
from sameas.errors import Problem
from sameas.examples import EXAMPLES, example_path
from saying import says

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs processes of Linux")

#: Every command that writes, by the name of the command and of the argument for the output. FILE
#: stands for the path, with an extension.
WRITERS = {
    "score plot": "score key.conll eager.conll --plot FILE.svg",
    "compare plot": "compare key.conll eager.conll careful.conll --samples 100 --plot FILE.svg",
    "report output": "report key.conll eager.conll -o FILE.html",
    "errors plot": "errors key.conll eager.conll --plot FILE.svg",
    "cone plot": "cone key.conll eager.conll careful.conll --correlate entity --samples 100 --plot FILE.png",
    "cone write_key": "cone key.conll eager.conll --write-key FILE.conll",
    "align output": "align pairs.tsv -o FILE.tsv",
    "align plot": "align pairs.tsv --plot FILE.svg",
    "transliterate train output": "transliterate train pairs.tsv --model bigram -o FILE.model",
    "transliterate apply output": "transliterate apply names.model Anna -o FILE.tsv",
    "verify output": "verify pairs.tsv --model names.model -o FILE.tsv",
    "verify det": "verify labels.tsv --model names.model --labels --det FILE.svg",
    "correlate plot": "correlate scores.csv --samples 100 --plot FILE.svg",
    "score results_file": "score key.conll eager.conll -o FILE.txt",
    "compare results_file": "compare key.conll eager.conll careful.conll --samples 100 -o FILE.json",
    "errors results_file": "errors key.conll eager.conll -o FILE.csv",
    "cone results_file": "cone key.conll eager.conll -o FILE.md",
    "entropy results_file": "entropy aligned.tsv -o FILE.tex",
    "transliterate evaluate results_file": "transliterate evaluate pairs.tsv names.model -o FILE.txt",
    "correlate results_file": "correlate scores.csv --samples 100 -o FILE.txt",
    "published results_file": "published -o FILE.json",
    "convert output": "convert key.conll FILE.jsonl",
    "convert output_option": "convert key.conll -o FILE.csv",
    "convert output to gzip": "convert key.conll FILE.conll.gz",
    "convert output to parquet": "convert key.conll FILE.parquet",
    "convert output to brat": "convert key.conll FILE --to brat",
    "example folder": "example FILE",
}
SCORES = "system,muc,b3\na,50,40\nb,60,45\nc,55,50\nd,52,41\n"


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return the input files of the commands."""
    from sameas.names.datasets import dataset

    folder = tmp_path_factory.mktemp("inputs")
    pairs = [f"{one}\t{other}" for one, other in dataset("sample:ru").pairs]
    found = {name: example_path(name).read_bytes() for name in EXAMPLES}
    found["scores.csv"] = SCORES.encode()
    found["pairs.tsv"] = "".join(f"{line}\n" for line in pairs).encode()
    labels = [f"{line}\t{number % 2}\n" for number, line in enumerate(pairs[:60])]
    found["labels.tsv"] = "".join(labels).encode()
    found["aligned.tsv"] = "anna\tанна\ta/а n/н n/н a/а\n".encode()
    (folder / "pairs.tsv").write_bytes(found["pairs.tsv"])
    command = ["transliterate", "train", "pairs.tsv", "--model", "bigram", "-o", "names.model"]
    subprocess.run(
        [sys.executable, "-m", "sameas", *command],
        cwd=folder,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    found["names.model"] = (folder / "names.model").read_bytes()
    return found


@pytest.fixture
def here(tmp_path: Path, inputs: dict[str, bytes]) -> Path:
    for name, data in inputs.items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


def put_through(here: Path, **task: Any) -> Any:
    """Return the outcome of commands in a separate process, without threads because it forks."""
    alone = {"OPENBLAS_NUM_THREADS": "1", "JE_ARROW_MALLOC_CONF": "background_thread:false"}
    ran = subprocess.run(
        [sys.executable, faults.__file__],
        input=json.dumps(task).encode(),
        capture_output=True,
        cwd=here,
        env={**os.environ, **alone},
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    return json.loads(ran.stdout)


def test_every_command_that_writes_is_tested() -> None:
    marks = (options.file_to_write, options.folder_to_write, options.file_or_folder_to_write)
    found = set()
    for command in COMMANDS:
        for action in transliterate.ACTIONS if command == "transliterate" else ("",):
            made = parser_of(*filter(None, (command, action)))
            names = [one.dest for one in made._actions if one.type in marks]
            found |= {f"{command} {action} {name}".replace("  ", " ") for name in names}
    assert {name.partition(" to ")[0] for name in WRITERS} == found


@pytest.mark.long
@pytest.mark.parametrize("writer", WRITERS)
def test_old_files_stay_whole(here: Path, writer: str) -> None:
    ends = {"SIGTERM": -15, "SIGINT": 130, "SIGHUP": -1, "SIGKILL": -9}
    found = put_through(
        here,
        arguments=WRITERS[writer].replace("FILE", "out").split(),
        faults=["disk", "output", *ends],
        keep=writer == "example folder",  # which does not overwrite other files
    )
    assert found["written"]
    assert found["fresh"] == [-15, "", True]
    code, printed, _ = found["first"]
    assert code == 0
    code, text, state, left = found["disk"]
    assert (code, state, left) == (1, "earlier", 0)
    assert says("cannot-write", reason=os.strerror(errno.EFBIG)) in text
    code, text, state, left = found["output"]
    assert (code, state in ("earlier", "new"), left) == (bool(printed), True, 0)
    assert (says("stdout", reason=os.strerror(errno.ENOSPC)) in text) == bool(printed)
    for name, code in ends.items():
        assert found[name] == [code, "", "earlier", name == "SIGKILL"], found[name]


@pytest.mark.long
def test_a_full_disk_leaves_no_new_folder(here: Path) -> None:
    before = sorted(os.listdir(here))
    ran = shell(
        *("convert", "key.conll", "out", "--to", "brat"),
        cwd=here,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
    )
    assert (ran.returncode, sorted(os.listdir(here))) == (1, before)


@pytest.fixture
def doors(here: Path) -> Iterator[Path]:
    """Return files and folders that their owner may not read, or not write."""
    for name in ("fixed", "closed"):
        (here / name).mkdir()
    for line in WRITERS.values():
        name = next(word for word in line.split() if "FILE." in word or word == "FILE")
        if "." in name:
            (here / name.replace("FILE", "fixed/out")).write_bytes(b"earlier")
            (here / name.replace("FILE", "out")).write_bytes(b"earlier")
            (here / name.replace("FILE", "out")).chmod(0o444)
    for name in ("closed.conll", "closed.tsv", "closed.csv", "closed.model"):
        (here / name).write_bytes(b"")
        (here / name).chmod(0)
    if os.getuid() == 0:
        for path in (here, *here.rglob("*")):
            os.chown(path, faults.NOBODY, faults.NOBODY)
    (here / "fixed").chmod(0o555)
    (here / "closed").chmod(0)
    yield here
    (here / "fixed").chmod(0o755)
    (here / "closed").chmod(0o755)


#: Every command that reads, with a file that may not be read.
READERS = [
    "score closed.conll eager.conll",
    "score key.conll closed",
    "score closed.conll eager.conll --jobs 2",
    "compare key.conll eager.conll closed.conll",
    "report key.conll closed.conll",
    "errors closed.conll eager.conll",
    "cone key.conll closed.conll",
    "align closed.tsv",
    "entropy closed.tsv",
    "transliterate train closed.tsv -o new.model",
    "transliterate apply closed.model Anna",
    "transliterate apply names.model --file closed.tsv",
    "transliterate evaluate pairs.tsv closed.tsv",
    "verify pairs.tsv --model closed.model",
    "correlate closed.csv",
    "published --audit --table closed.csv",
    "check closed",
    "convert closed.conll new.jsonl",
    "scorer muc key.conll closed.conll",
]


@pytest.mark.long
def test_unreadable_input_is_an_error(doors: Path) -> None:
    assert {line.split()[0] for line in READERS} == {*COMMANDS} - {"example", "completion"}
    commands = [line.split() for line in READERS]
    found = put_through(doors, before=commands, commands=commands)
    for line, (code, out, err) in zip(READERS, found, strict=True):
        (name,) = (word for word in line.split() if word.startswith("closed"))
        expected = Problem("cannot-read", name, reason=os.strerror(errno.EACCES))
        assert (code, str(expected).partition("\n")[0] in (err or out)) == (1, True), (line, err)


@pytest.mark.long
def test_unwritable_output_is_an_error_before_anything_is_read(doors: Path) -> None:
    kept = {"code": "cannot-write", "reason": os.strerror(errno.EACCES)}
    closed = {**kept, "code": "folder-closed", "folder": "fixed"}
    lost = {"code": "cannot-write", "reason": os.strerror(errno.ENOENT)}
    places = {"fixed/out": closed, "fixed/new": closed, "out": kept, "absent/out": lost}
    commands, expected = [], []
    for line in WRITERS.values():
        unread = re.sub(r"\b[a-z]+\.(conll|tsv|csv|model)", "absent", line)
        for place, problem in places.items():
            words = unread.replace("FILE", place).split()
            path = next(word for word in words if word.startswith(place))
            if "." in path or problem is closed:  # new folders may be created
                commands.append(words)
                expected.append([1, "", f"{Problem(path=path, **problem)}\n"])
    assert (
        put_through(doors, before=[["convert", "absent", "new.csv"]], commands=commands) == expected
    )
