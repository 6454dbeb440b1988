"""Wrong usage, invalid input, and streams that are closed or full."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.commands.examples import KEY, LINE, SIGNATURE, TABLE, UNCLOSED, VERSION
from command_line import run, shell
from sameas.errors import Problem
from sameas.formats.declarations import FORMATS, WRITTEN
from saying import did_you_mean, says, unreadable

ENDINGS = [FORMATS[name].endings[0] for name in WRITTEN]
NO_ENDING = says("no-ending", how="convert", path="x.txt", known=ENDINGS)


# --- usage --------------------------------------------------------------------------------------


def test_version_and_help() -> None:
    assert run("--version") == (0, f"sameas {VERSION}\n", "")
    code, out, _ = run("--help")
    assert code == 0
    for command in ("score", "check", "convert", "scorer", "example"):
        assert f"\n  {command} " in out
        code, text, _ = run(command, "--help")
        assert code == 0
        assert text.startswith(f"usage: sameas {command} ")
    assert max(map(len, out.splitlines())) <= 80
    assert run() == (2, out, "")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["scroe"], did_you_mean("command", "scroe", "score")),
        (["chekc", "x"], did_you_mean("command", "chekc", "check")),
        (["Score"], did_you_mean("command", "Score", "score")),
        (["--vresion"], did_you_mean("option", "--vresion", "--version")),
        (["score", "--jsno", "k", "r"], did_you_mean("option", "--jsno", "--json")),
        (["score", "k", "r", "--metric", "muc"], did_you_mean("option", "--metric", "--metrics")),
        (["score", "k", "r", "--metric=muc"], did_you_mean("option", "--metric", "--metrics")),
        (["check", "k", "--fromat", "x"], did_you_mean("option", "--fromat", "--format")),
        (["convert", "k", "--two", "conll"], did_you_mean("option", "--two", "--to")),
        (["score", "k", "r", "--metrics", "mcu"], did_you_mean("metric", "mcu", "muc")),
        (["score", "k", "r", "--metrics", "MCU"], did_you_mean("metric", "mcu", "muc")),
        (["score", "k", "r", "--metrics", ","], says("no-metric")),
        (["score", "k", "r", "--metrics", ""], says("no-metric")),
        (["score", "k", "r", "--singletons", "drpo"], did_you_mean("singletons", "drpo", "drop")),
        (
            ["score", "k", "r", "--duplicates", "frist"],
            did_you_mean("duplicates", "frist", "first"),
        ),
        (
            ["score", "k", "r", "--missing-documents", "skpi"],
            did_you_mean("missing-documents", "skpi", "skip"),
        ),
        (["score", "k", "r", "--blanc", "luo"], did_you_mean("blanc", "luo", "luo2014")),
        (["score", "k", "r", "--average", "micor"], did_you_mean("average", "micor", "micro")),
        (["score", "k", "r", "--compat", "conll"], did_you_mean("compat", "conll", "conll-8.01")),
        (["score", "k", "r", "--signature", "x"], says("not-a-signature", text="x")),
        (
            ["score", "key.conll", "key.conll", "--format", "cnoll"],
            did_you_mean("format", "cnoll", "conll"),
        ),
        (
            ["score", "key.conll", "key.conll", "--by", "("],
            says("not-a-pattern", pattern="(", reason=""),
        ),
        (
            ["score", "k", "r", "--digits", "13"],
            "argument --digits: 13 is not a number from 0 to 12",
        ),
        (["score", "k", "r", "--digits", "-1"], "argument --digits: "),
        (
            ["score", "k", "r", "--json", "--csv"],
            "argument --csv: not allowed with argument --json",
        ),
        (["score", "k", "r", "--metrics"], "argument -m/--metrics: expected one argument"),
        (["score"], says("files-missing", how="score")),
        (["score", "k"], says("files-missing", how="score")),
        (["score", "-", "-"], says("one-stdin")),
        (["score", "k", "-", "-"], says("one-stdin")),
        (["check", "-", "-"], says("one-stdin")),
        (["scorer", "muc", "-", "-"], says("one-stdin")),
        (["score", "--example", "k"], says("example-files")),
        (
            ["score", "k", "r", "--signature", "sameas:coref", "--blanc", "gold"],
            says("signature-decides"),
        ),
        (
            ["score", "k", "r", "--compat", "conll-8.01", "--duplicates", "first"],
            says("own-duplicates", compat="conll-8.01"),
        ),
        (["check"], "the following arguments are required: FILE"),
        (["check", "a", "b", "c"], says("unexpected-argument", argument="c")),
        (["convert", "key.conll"], says("no-output-format", known=tuple(WRITTEN))),
        (["convert", "key.conll", "x.txt"], NO_ENDING),
        (["convert", "key.conll", "--to", "jsonline"], "unknown output format jsonline: "),
        (["convert", "key.conll", "--to", "scorch"], "unknown output format scorch: "),
        (["scorer", "mucc", "k", "r"], did_you_mean("metric", "mucc", "muc")),
        (["scorer", "muc", "k"], "the following arguments are required: RESPONSE"),
        (["example", "a", "b"], says("unexpected-argument", argument="b")),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_usage_exits_with_2(files: Path, arguments: list[str], expected: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("sameas")
    assert f": {expected}" in err.splitlines()[0]


# --- bad input ----------------------------------------------------------------------------------

COMMANDS = {
    "score": ["score", "key.conll", "NAME"],
    "score a key": ["score", "NAME", "key.conll"],
    "check": ["check", "NAME"],
    "check a response": ["check", "key.conll", "NAME"],
    "convert": ["convert", "NAME", "--to", "conll"],
    "scorer": ["scorer", "muc", "NAME", "key.conll"],
}


def refused(command: str, name: str) -> str:
    """Return the message of a command about a file that it cannot use."""
    code, out, err = run(*(name if word == "NAME" else word for word in COMMANDS[command]))
    assert code == 1
    if command.startswith("check"):
        assert err == ""
        return out
    assert out == "" or command == "scorer"
    return err


@pytest.mark.parametrize("command", list(COMMANDS))
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("missing.conll", unreadable("missing.conll")),
        ("key.conll/x", unreadable("key.conll/x", "Not a directory")),
        ("folder", f"folder: {says('empty-folder')}\n"),
        ("x" * 300, unreadable("x" * 300, "File name too long")),
        ("zipped", f"{Problem('gzip-broken', 'zipped', 1, 1, how='cut')}\n"),
        ("wide", f"wide:1:1: {says('wide-encoding', encoding='UTF-16')}\n"),
    ],
    ids=lambda value: value[:12],
)
def test_files_that_cannot_be_read(files: Path, command: str, name: str, expected: str) -> None:
    Path("folder").mkdir()
    Path("zipped").write_bytes(gzip.compress(KEY.encode())[:40])
    Path("wide").write_bytes(KEY.encode("utf-16"))
    assert refused(command, name).startswith(expected)


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "scorer"])
@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", f"bad:1:1: {says('no-header', how='empty')}\n"),
        (bytes(range(256)) * 20, f"bad:1:1: {says('other-kind', how='binary')}\n"),
        (b"{", "bad:1:2: "),
        (b"#begin document (a);\nx (1\n#end document\n", f"bad:2:3: {UNCLOSED}\n"),
        (b"\xff#begin document (a);\nx (1)\n", f"bad:1:1: {says('no-header', how='text')}\n"),
    ],
    ids=["empty", "binary", "broken", "open", "not UTF-8"],
)
def test_invalid_files(files: Path, command: str, data: bytes, expected: str) -> None:
    Path("bad").write_bytes(data)
    assert refused(command, "bad").startswith(expected)


@pytest.mark.parametrize(
    "arguments",
    [
        ["convert", "key.conll", "nowhere/x.jsonl"],
        ["convert", "key.conll", "folder.conll"],
        ["convert", "key.conll", f"{'x' * 300}.conll"],
        ["example", "key.conll"],
        ["example", "key.conll/x"],
    ],
)
def test_output_that_cannot_be_written(files: Path, arguments: list[str]) -> None:
    Path("folder.conll").mkdir()
    code, out, err = run(*arguments)
    assert (code, out) == (1, "")
    assert says("cannot-write", reason="") in err


def test_documents_without_a_partner(files: Path) -> None:
    Path("other.conll").write_text(KEY.replace("(a)", "(b)"))
    there = {"key": "key.conll", "ours": "a_0", "theirs": "b_0"}
    problem = Problem("nothing-shared", "other.conll", values=there)
    assert run("score", "key.conll", "other.conll") == (1, "", f"{problem}\n")
    Path("both.conll").write_text(KEY + KEY.replace("(a)", "(b)"))
    code, _, err = run("score", "both.conll", "key.conll", "--missing-documents", "error")
    problem = Problem("document-absent", "both.conll", 9, 1, document="b_0", there="key.conll")
    assert (code, err) == (1, f"{problem}\n")


def test_groups_without_documents(files: Path) -> None:
    """The reference scorer accepts an empty file, which has no documents to group."""
    Path("empty").touch()
    code, out, err = run(
        "score", "empty", "empty", "--compat", "conll-8.01", "--by", "genre", "--by-document"
    )
    assert code in (0, 1)
    assert out or err


@pytest.mark.parametrize("style", ["json", "csv"])
def test_files_of_another_format_are_not_scored_as_empty(files: Path, style: str) -> None:
    Path("a.jsonl").write_text(LINE)
    code, out, err = run("score", "a.jsonl", "a.jsonl", "--compat", "conll-8.01", f"--{style}")
    if code == 0:
        assert '"documents": 1' in out or "docs:1" in out
    else:
        assert code == 1
        assert err.startswith("a.jsonl")


# --- streams ------------------------------------------------------------------------------------


def test_a_closed_pipe_is_not_an_error(files: Path) -> None:
    for arguments in (
        ["score", "--example", "--by-document"],
        ["convert", "key.conll", "--to", "jsonlines"],
        ["check", "key.conll"],
        ["--help"],
    ):
        read, write = os.pipe()
        os.close(read)
        with os.fdopen(write, "wb") as closed:
            ran = subprocess.run(
                [sys.executable, "-m", "sameas", *arguments],
                stdout=closed,
                stderr=subprocess.PIPE,
                check=False,
            )
        assert ran.returncode == 0, arguments
        assert b"Traceback" not in ran.stderr
        assert b"BrokenPipe" not in ran.stderr


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "redirection"),
    [
        (["score", "-", "key.conll"], "<&-"),
        (["check", "-"], "<&-"),
        (["score", "--example"], ">&-"),
        (["convert", "key.conll", "--to", "jsonlines"], ">&-"),
        (["score", "missing", "key.conll"], "2>&-"),
        (["score", "--example"], ">/dev/full"),
        (["convert", "key.conll", "--to", "jsonlines"], ">/dev/full"),
        (["check", "key.conll"], ">/dev/full"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_closed_and_full_streams_give_no_stack_trace(
    files: Path, arguments: list[str], redirection: str
) -> None:
    if "full" in redirection and not Path("/dev/full").exists():
        return
    ran = subprocess.run(
        ["sh", "-c", f'"$0" -m sameas "$@" {redirection}', sys.executable, *arguments],
        capture_output=True,
        check=False,
    )
    assert b"Traceback" not in ran.stderr
    assert b"Exception" not in ran.stderr
    if "full" in redirection or redirection == "<&-":
        assert ran.returncode == 1


def test_scoring_without_standard_error(files: Path) -> None:
    ran = subprocess.run(
        ["sh", "-c", '"$0" -m sameas score key.conll response.conll 2>&-', sys.executable],
        capture_output=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout.decode()) == (0, f"{TABLE}\n{SIGNATURE.format(1)}")


@pytest.mark.long
def test_json_is_json_whatever_the_terminal_can_show(files: Path) -> None:
    Path("k.jsonl").write_text(
        '{"doc_key": "é😀", "sentences": [["x"]], "clusters": [[[0, 0]]]}', encoding="utf-8"
    )
    for encoding in ("ascii", "latin-1", "utf-8"):
        ran = shell(
            "score", "k.jsonl", "k.jsonl", "--json", "--by-document",
            env={**os.environ, "PYTHONIOENCODING": encoding},
        )  # fmt: skip
        shown = json.loads(ran.stdout.decode(encoding))
        assert shown["by_document"][0]["document"] == "é😀"
        ran = shell(
            "score", "k.jsonl", "k.jsonl", "--by-document",
            env={**os.environ, "PYTHONIOENCODING": encoding},
        )  # fmt: skip
        assert ran.returncode == 0


def test_python_dash_m_runs_the_commands() -> None:
    ran = shell("--version")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, f"sameas {VERSION}\n".encode(), b"")
