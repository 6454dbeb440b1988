"""Files in and out: unreadable input is reported, and output is written whole or not at all."""

from __future__ import annotations

import errno
import gzip
import io
import os
import resource
import signal
import stat
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import sameas
from command_line import good, refused, run
from faults import contents
from sameas import files
from sameas.errors import Problem
from sameas.examples import example_path
from sameas.notes import Note
from sameas.run import pieces
from sameas.run.engines.files import find_files
from saying import raises_problems, says, says_hint

KEY = str(example_path("key.conll"))
EAGER = str(example_path("eager.conll"))
ONE = "#begin document (one); part 000\none 0 0 Ann (1)\n\n#end document\n"
TWO = ONE.replace("one", "two")
UNIX = pytest.mark.skipif(os.name != "posix", reason="needs links and pipes")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a folder `key` with a document, and a subfolder with another one."""
    (tmp_path / "key" / "deep").mkdir(parents=True)
    (tmp_path / "key" / "one.conll").write_text(ONE)
    (tmp_path / "key" / "deep" / "two.conll").write_text(TWO)
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- folders ------------------------------------------------------------------------------------


def closed(look: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return a function that lists folders but has no permission to list `deep`."""

    def look_or_refuse(path: str) -> Any:
        if str(path).rstrip("/").endswith("deep"):
            raise PermissionError(13, "Permission denied", path)
        return look(path)

    return look_or_refuse


@pytest.fixture
def unreadable(here: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make the inner folder unreadable, even for root."""
    monkeypatch.setattr(os, "scandir", closed(os.scandir))
    (here / "key" / "deep").chmod(0)
    yield
    (here / "key" / "deep").chmod(0o755)


CLOSED = Problem("cannot-read", "key/deep", reason=os.strerror(errno.EACCES))


@pytest.mark.usefixtures("unreadable")
@pytest.mark.parametrize(
    "command", [("score", "key", "key"), ("score", "key", "key", "--jobs", "2"), ("check", "key")]
)
def test_a_folder_that_cannot_be_read_is_refused(command: tuple[str, ...]) -> None:
    code, out, err = run(*command)
    assert code == 1
    assert f"{CLOSED}\n" in (err or out)


@pytest.mark.parametrize("pattern", ["key/*/*.parquet", "key/**/*.parquet", "k*/deep/*.parquet"])
def test_a_pattern_reaches_a_folder_that_cannot_be_read(
    here: Path, monkeypatch: pytest.MonkeyPatch, pattern: str
) -> None:
    monkeypatch.setattr(os, "listdir", closed(os.listdir))
    with raises_problems("cannot-read", reason=os.strerror(errno.EACCES)):
        find_files(pattern)


def test_data_sets_in_a_folder_that_cannot_be_read(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "listdir", closed(os.listdir))
    with raises_problems("cannot-read", path="key/deep", reason=os.strerror(errno.EACCES)):
        sameas.score_datasets("key/deep", "key/deep")


@UNIX
def test_a_pipe_is_read_once(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(ONE.replace("one", f"d{number}") for number in range(9))
    (here / "nine.conll").write_text(text)
    os.mkfifo(here / "pipe")
    monkeypatch.setattr("sameas.run.LARGE", 0)
    monkeypatch.setattr(pieces, "SMALL", 0)
    writer = threading.Thread(target=lambda: (here / "pipe").write_text(text))
    writer.start()
    out = good("score", "nine.conll", "pipe")
    writer.join()
    assert "Mentions         9 / 9  100.00      9 / 9  100.00  100.00\n" in out


@UNIX
def test_links_to_folders_are_followed(here: Path) -> None:
    (here / "linked").mkdir()
    (here / "linked" / "inner").symlink_to(here / "key")
    assert "linked: conll, 2 documents" in good("check", "linked")


@UNIX
def test_a_link_to_an_enclosing_folder(here: Path) -> None:
    (here / "key" / "deep" / "again").symlink_to(here / "key")
    assert refused("score", "key", "key") == (1, f"{Problem('link-back', 'key/deep/again')}\n")


@UNIX
def test_a_link_to_the_folder_above_is_named(here: Path) -> None:
    (here / "above" / "key").mkdir(parents=True)
    (here / "above" / "key" / "loop").symlink_to("..")
    with raises_problems("link-back", path="above/key/loop"):
        files.walk("above/key")


@UNIX
def test_a_broken_link(here: Path) -> None:
    (here / "key" / "three.conll").symlink_to("nowhere")
    broken = Problem("cannot-read", "key/three.conll", how="link", target="nowhere")
    assert refused("score", "key", "key") == (1, f"{broken}\n")


@UNIX
def test_a_pipe_in_a_folder_does_not_block(here: Path) -> None:
    os.mkfifo(here / "key" / "pipe")
    pipe = Problem("cannot-read", "key/pipe", how="kind")
    assert refused("score", "key", "key") == (1, f"{pipe}\n")


# --- what is too large --------------------------------------------------------------------------


@UNIX
def test_an_endless_device() -> None:
    endless = Problem("device", "/dev/zero", size=64)
    assert refused("score", KEY, "/dev/zero") == (1, f"{endless}\n")


def bomb(path: Path, size: int) -> Path:
    """Return a gzip file that unpacks to `size` bytes."""
    with gzip.open(path, "wb") as file:
        for _ in range(size >> 20):
            file.write(bytes(1 << 20))
    return path


def test_a_gzip_bomb(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files.unpacking, "LARGE", 1 << 22)
    bomb(here / "bomb.conll.gz", 1 << 23)
    with raises_problems("gzip-growth", path="bomb.conll.gz", times=250):
        sameas.score(KEY, "bomb.conll.gz")


def test_what_is_unpacked_is_bounded_by_memory(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files.unpacking, "SMALL", 1 << 20)
    monkeypatch.setattr(files.unpacking, "_free_memory", lambda: 1 << 20)
    bomb(here / "large.gz", 1 << 23)
    with raises_problems("too-large", path="large.gz", how="unpacked"):
        sameas.score(KEY, "large.gz")
    (here / "large").write_bytes(bytes(1 << 22))
    with raises_problems("too-large", path="large", how="file", size=1 / 256, free=1 / 1024):
        sameas.score(KEY, "large")


def test_gzip_in_many_members_is_read_whole(here: Path) -> None:
    parts = [ONE, TWO] * 40
    packed = b"".join(
        gzip.compress(text.replace("Ann", f"Ann{number}").encode()) + b"\0" * (number % 3)
        for number, text in enumerate(parts)
    )
    (here / "members.gz").write_bytes(packed)
    unpacked = files.file_bytes("members.gz")
    assert unpacked.decode() == "".join(
        text.replace("Ann", f"Ann{number}") for number, text in enumerate(parts)
    )


def small_memory(size: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not bound memory")
def test_too_little_memory_is_reported_in_one_sentence(here: Path) -> None:
    command = "from sameas.cli import main, parser\n"
    command += "def parse(arguments): raise MemoryError\n"
    command += "parser.parse = parse\nmain([])"
    ran = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (1, "", f"sameas: {says('memory')}\n")
    # End to end: an endless pipe into a process that is limited to 400 MB.
    ran = subprocess.run(
        [
            "sh",
            "-c",
            'cat /dev/zero | "$@"',
            "sh",
            sys.executable,
            "-m",
            "sameas",
            "score",
            KEY,
            "-",
        ],
        capture_output=True,
        text=True,
        preexec_fn=small_memory(400 << 20),
    )
    assert (ran.returncode, "Traceback" in ran.stderr) == (1, False)
    assert says_hint("too-large", how="to-read") in ran.stderr


# --- what is not text ---------------------------------------------------------------------------

LATIN = """#begin document (one); part 000
one 0 0 Zürich (1
one 0 1 été 1)

#end document
"""


def fault(path: str, line: int, column: int, byte: str, count: int = 1) -> Problem:
    values = {"how": "warning", "byte": byte, "count": count}
    return Problem("not-utf8", path, line, column, severity="warning", values=values)


def test_bytes_that_are_not_utf_8_are_reported(here: Path) -> None:
    (here / "key.conll").write_text(LATIN)
    (here / "latin.conll").write_bytes(LATIN.encode("latin-1"))
    message = f"{fault('latin.conll', 2, 10, 'fc', 2)}\n"
    assert good("check", "key.conll").endswith("\n0 errors, 0 warnings\n")
    assert good("check", "latin.conll") == (
        f"{message}latin.conll: conll, 1 document, 2 tokens, 1 mention, 1 entity\n"
        "0 errors, 1 warning\n"
    )
    sound, odd = (run("score", "key.conll", name) for name in ("key.conll", "latin.conll"))
    assert (odd[0], odd[2]) == (0, message)
    assert odd[1].split("\n\n")[0] == sound[1].split("\n\n")[0]
    first = fault("latin.conll", 2, 10, "fc", 2)
    noted = Note("warned", count=1, names=[f"{first.place}: {first.message}"])
    assert f"note: {noted}\n" in odd[1].replace("\n  ", " ")
    perl = run("score", "key.conll", "latin.conll", "--compat", "conll-8.01")
    assert (perl[0], perl[2]) == (0, message)


def test_nul_bytes_are_reported(here: Path) -> None:
    (here / "nul.conll").write_text(ONE * 1 + TWO.replace("Ann", "A\0n\0n"))
    (here / "nul.csv").write_text("mention,entity\na\0,1\nb,1\n")
    for name, *place in (("nul.conll", 6, 10), ("nul.csv", 2, 2)):
        message = Problem("nul-byte", name, *place, severity="warning", count=1)
        assert good("check", name).startswith(f"{message}\n")


def test_other_formats_report_them_too(here: Path) -> None:
    rows = ["# newdoc id = a", "1\té\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1)", "", ""]
    (here / "a.conllu").write_bytes("\n".join(rows).encode("latin-1"))
    assert f"{fault('a.conllu', 2, 3, 'e9')}\n" in run("check", "a.conllu")[1]
    rows = ["# global.columns = ID FORM IDENTITY", "# newdoc id = a", "1 é (EntityID=1)", ""]
    (here / "a.conllua").write_bytes("\n".join(rows).encode("latin-1"))
    assert f"{fault('a.conllua', 3, 3, 'e9')}\n" in run("check", "a.conllua")[1]
    (here / "a.csv").write_bytes("mention,entity\né,1\n".encode("latin-1"))
    with raises_problems("not-utf8", path="a.csv", line=2, column=1, byte="e9"):
        sameas.score("a.csv", "a.csv")
    (here / "a.jsonl").write_bytes(b'{"doc_key": "\xe9", "sentences": [], "clusters": []}\n')
    code, err = refused("score", "a.jsonl", "a.jsonl")
    assert (code, err.split(":")[:3]) == (1, ["a.jsonl", "1", "14"])


@pytest.mark.long
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("folders", [False, True])
def test_pieces_report_them_in_one_sentence(
    here: Path, monkeypatch: pytest.MonkeyPatch, jobs: int, folders: bool
) -> None:
    texts = [LATIN.replace("one", f"d{number}") for number in range(40)]
    for name, encoding in (("sound", "utf-8"), ("latin", "latin-1")):
        (here / f"{name}.conll").write_bytes("".join(texts).encode(encoding))
        (here / name).mkdir()
        for number, text in enumerate(texts):
            (here / name / f"{number:02}.conll").write_bytes(text.encode(encoding))
    ending = "" if folders else ".conll"
    command = ("score", f"sound{ending}", f"latin{ending}", "--jobs", jobs)
    whole = run(*command)
    cut: list[object] = []
    monkeypatch.setattr("sameas.run.LARGE", 0)
    monkeypatch.setattr(pieces, "SMALL", 0)
    monkeypatch.setattr(pieces, "PIECE", 300)
    monkeypatch.setattr(pieces, "LEAST", 300)
    joined = sameas.run.join_results
    monkeypatch.setattr(
        sameas.run, "join_results", lambda parts: (cut.append(len(parts)), joined(parts))[1]
    )
    assert run(*command) == whole
    assert len(cut) == 1
    assert cut[0] > 5
    if not folders:
        assert whole[2] == f"{fault('latin.conll', 2, 9, 'fc', 80)}\n"


HALVES = """{"doc_key": "a", "sentences": [["x"]], "clusters": []}
{"doc_key": "b", "sentences": [["Ann", "b\\ud800"]], "clusters": [[[0, 0], [1, 1]]]}
"""


@pytest.mark.parametrize("format", ["conll", "conllu", "ua", "brat"])
@pytest.mark.parametrize("half", ["d800", "dc80"])
def test_lone_surrogates_are_refused(here: Path, format: str, half: str) -> None:
    (here / "a.jsonl").write_text(HALVES.replace("d800", half))
    code, err = refused("convert", "a.jsonl", "out", "--to", format)
    values = {"how": "word", "document": "b", "word": f"b\\u{half}", "format": format}
    assert (code, err) == (1, f"{Problem('write-half', 'a.jsonl', 2, 1, values=values)}\n")
    assert not (here / "out").exists()


def test_lone_surrogates_are_kept_in_json(here: Path) -> None:
    (here / "a.jsonl").write_text(HALVES)
    assert good("convert", "a.jsonl", "--to", "jsonlines") == HALVES
    good("convert", "a.jsonl", "b.jsonl")
    assert (here / "b.jsonl").read_text() == HALVES
    for command in (
        ("score", "a.jsonl", "b.jsonl", "--by-document"),
        ("errors", "a.jsonl", "b.jsonl"),
        ("errors", "a.jsonl", "b.jsonl", "--json"),
        ("report", "a.jsonl", "b.jsonl", "-o", "out.html"),
    ):
        good(*command)
    assert "b?" in (here / "out.html").read_text()


# --- what is in no format -----------------------------------------------------------------------

READ = ("conll", "conllu", "jsonlines", "ua", "brat", "scorch", "csv", "tsv", "parquet", "arrow")


def archive(name: str) -> bytes:
    """Return a ZIP archive with one file."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr(name, "x")
    return packed.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "png"),
        ("a.pdf", b"%PDF-1.7\n%\xe2\xe3", "pdf"),
        ("a.xlsx", archive("xl/workbook.xml"), "excel"),
        ("a.docx", archive("word/document.xml"), "word"),
        ("a.zip", archive("a.conll"), "zip"),
        ("a.zip", archive("a.conll")[:40], "broken-zip"),
        ("a.db", b"SQLite format 3\0", "sqlite"),
        ("a.pkl", b"\x80\x04\x95\x0f\0\0", "pickle"),
        ("a.xz", b"\xfd7zXZ\0\0", "xz"),
        ("a.xml", b"<?xml version='1.0'?>\n<!-- x -->\n<TEI>", "xml-root"),
        ("a.html", b"<!DOCTYPE html>\n<html>", "html"),
        ("a.json", b'[{"doc_key": "a"}]', "json-list"),
        ("a.txt", b"Ann ran.\nShe was late.\n", "text"),
        ("a.bin", b"ab\0\1cd" * 9, "binary"),
    ],
    ids=lambda value: value if isinstance(value, str) and value[:2] == "a." else "",
)  # fmt: skip
def test_files_in_no_format(here: Path, name: str, data: bytes, kind: str) -> None:
    (here / name).write_bytes(data)
    expected = f"{Problem('other-kind', name, 1, 1, how=kind, root='TEI', known=READ)}\n"
    assert refused("score", KEY, name) == (1, expected)
    assert run("check", name)[1] == f"{expected}1 error, 0 warnings\n"


ENTITY = {"field": "entity", "known": ("entity", "entity_id", "cluster", "cluster_id", "label")}


@pytest.mark.parametrize(
    ("name", "text", "code", "values"),
    [
        ("a.csv", "file,record_a,gold\nx,1,2\n", "no-known-column", {"columns": "file, record_a, gold"}),
        ("a.csv", "file\nx\n", "no-known-column", {"columns": "file"}),
        ("a", "doc;id;gold\nx;1;2\n", "no-column", {"columns": "doc, id, gold", **ENTITY}),
        ("a.tsv", "1\t2\t3\n4\t5\t6\n", "no-known-column", {"columns": "1, 2, 3"}),
    ],
)  # fmt: skip
def test_tables_with_other_columns(
    here: Path, name: str, text: str, code: str, values: dict[str, object]
) -> None:
    (here / name).write_text(text)
    assert refused("score", KEY, name) == (1, f"{Problem(code, name, 1, 1, values=values)}\n")


def test_tables_whose_columns_only_seem_unknown(here: Path) -> None:
    (here / "a.csv").write_text("record id,entity-id\nx,1\ny,1\n")
    assert "a.csv: csv, 2 records, 1 cluster\n" in good("check", "a.csv")


def test_rows_without_a_header_still_report_the_missing_columns(here: Path) -> None:
    (here / "a").write_text("a\t0\t0\tAnn\t(1)\na\t0\t1\tran\t-\n")
    code, err = refused("score", KEY, "a")
    assert (code, err.split("\n")[0]) == (1, f"a:1:1: {says('no-header', how='text')}")


def test_a_header_after_a_long_comment(here: Path) -> None:
    (here / "a").write_text("# a word on the corpus\n" * 5000 + ONE)
    assert "a: conll, 1 document, 1 token, 1 mention, 1 entity\n" in run("check", "a")[1]


# --- what is written ----------------------------------------------------------------------------


def test_a_signal_that_the_caller_handles_does_not_stop_a_write(tmp_path: Path) -> None:
    came: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: came.append(number))
    try:
        with pytest.MonkeyPatch.context() as patch:
            whole = os.fsync
            patch.setattr(
                os, "fsync", lambda one: (signal.raise_signal(signal.SIGTERM), whole(one))
            )
            files.write_file(tmp_path / "out", "new")
    finally:
        signal.signal(signal.SIGTERM, before)
    assert ((tmp_path / "out").read_text(), came) == ("new", [signal.SIGTERM])


def test_files_are_written_in_threads(tmp_path: Path) -> None:
    thread = threading.Thread(target=files.write_file, args=(tmp_path / "out", "new"))
    thread.start()
    thread.join()
    assert (tmp_path / "out").read_text() == "new"


@UNIX
def test_permissions(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        files.write_file(tmp_path / "new", "x")
        (tmp_path / "old").touch()
        (tmp_path / "old").chmod(0o604)
        files.write_file(tmp_path / "old", "x")
    finally:
        os.umask(before)
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("new", "old")]
    assert modes == [0o640, 0o604]


@UNIX
def test_the_target_of_a_link_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "file").write_text("old")
    (tmp_path / "link").symlink_to("there/file")
    (tmp_path / "dangling").symlink_to("there/new")
    files.write_files([(tmp_path / "link", "1"), (tmp_path / "dangling", "2")])
    assert (tmp_path / "link").is_symlink()
    assert contents(tmp_path / "there") == {"file": b"1", "new": b"2"}


@UNIX
def test_pipes_devices_and_open_files_are_written_through(tmp_path: Path) -> None:
    files.write_file("/dev/null", "x")
    os.mkfifo(tmp_path / "pipe")
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    files.write_file(tmp_path / "pipe", "through")
    reader.join()
    assert (received, stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)) == ([b"through"], True)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    with open(tmp_path / "log", "w") as log:
        log.write("before\n")
        log.flush()
        command = [sys.executable, "-m", "sameas", "convert", KEY, "/dev/stdout", "--to", "conll"]
        subprocess.run(command, stdout=log, check=True)
        log.write("after\n")
    written = (tmp_path / "log").read_text()
    assert written.startswith("before\n#begin document")
    assert written.endswith("after\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")
def test_a_full_device() -> None:
    full = Problem("cannot-write", "/dev/full", reason=os.strerror(errno.ENOSPC))
    assert refused("convert", KEY, "/dev/full", "--to", "conll") == (1, f"{full}\n")


@UNIX
def test_a_file_in_a_folder_without_write_permission(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = os.open

    def closed(path: object, flags: int, *more: object) -> int:
        if flags & os.O_CREAT and flags & os.O_EXCL:
            raise PermissionError(errno.EACCES, "closed")
        return whole(path, flags, *more)  # type: ignore[arg-type]

    (tmp_path / "old").write_text("old")
    monkeypatch.setattr(os, "open", closed)
    for name in ("old", "new"):
        for use in (files.check_writable, lambda path: files.write_file(path, "new")):
            with raises_problems("folder-closed", folder=str(tmp_path), reason="closed"):
                use(tmp_path / name)
    assert contents(tmp_path) == {"old": b"old"}


def refuses(path: Path | str, number: int) -> None:
    """Check that neither the check nor the write leaves a file behind."""
    with raises_problems("cannot-write", path=str(path), reason=os.strerror(number)):
        files.check_writable(path)
    with raises_problems("cannot-write", path=str(path), reason=os.strerror(number)):
        files.write_files([(path, "new")])


def test_what_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refuses(tmp_path, errno.EISDIR)
    refuses(tmp_path / "nowhere" / "file", errno.ENOENT)
    refuses(f"{tmp_path}/nowhere/", errno.ENOENT)
    refuses("", errno.ENOENT)
    (tmp_path / "old").write_text("old")
    refuses(tmp_path / "old" / "new", errno.ENOTDIR)
    monkeypatch.setattr(os, "access", lambda *_: False)
    refuses(tmp_path / "old", errno.EACCES)
    assert contents(tmp_path) == {"old": b"old"}


@UNIX
def test_a_file_of_another_user_in_a_shared_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "old").write_text("old")
    tmp_path.chmod(0o1777)
    monkeypatch.setattr(os, "geteuid", lambda: -2)
    for use in (files.check_writable, lambda path: files.write_file(path, "new")):
        with raises_problems("not-owner"):
            use(tmp_path / "old")
    files.write_file(tmp_path / "new", "new")
    assert contents(tmp_path) == {"new": b"new", "old": b"old"}


def test_the_check_for_writing_leaves_no_trace(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old")
    for path in (tmp_path / "old", tmp_path / "new", "-", os.devnull):
        files.check_writable(path)
    for path in (tmp_path, tmp_path / "new", tmp_path / "new" / "newer"):
        files.check_writable(path, folder=True)
    assert contents(tmp_path) == {"old": b"old"}


@UNIX
def test_a_mounted_file_is_written_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object) -> None:
        raise OSError(errno.EBUSY, "busy")

    (tmp_path / "old").write_text("old")
    monkeypatch.setattr(os, "replace", busy)
    files.write_file(tmp_path / "old", "new")
    assert contents(tmp_path) == {"old": b"new"}


def test_of_several_files_all_or_none_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("old")
    with raises_problems("cannot-write", path=str(tmp_path / "no" / "two")):
        files.write_files([(tmp_path / "one", "new"), (tmp_path / "no" / "two", "new")])
    assert contents(tmp_path) == {"one": b"old"}
    files.write_files([(tmp_path / name, "new") for name in ("one", "two")])
    assert contents(tmp_path) == {"one": b"new", "two": b"new"}


def test_files_of_the_package_are_found_in_a_zip_file(tmp_path: Path) -> None:
    home = Path(sameas.__file__).parent
    with zipfile.ZipFile(tmp_path / "sameas.zip", "w") as file:
        for path in files.walk(str(home)):
            file.write(path, Path(path).relative_to(home.parent))
    command = "import sys; sys.path.insert(0, 'sameas.zip'); from sameas.cli import main; main()"
    for arguments in (["example", "new"], ["report", KEY, EAGER]):
        ran = subprocess.run(
            [sys.executable, "-c", command, *arguments], cwd=tmp_path, capture_output=True
        )
        assert (ran.returncode, ran.stderr) == (0, b"")
    assert (tmp_path / "new" / "key.conll").read_bytes() == Path(KEY).read_bytes()
    assert (tmp_path / "report.html").stat().st_size > 9999
