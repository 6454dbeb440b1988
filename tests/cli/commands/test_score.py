"""score end to end: tables, styles, settings, warnings."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from pathlib import Path

import pytest

from cli.commands.examples import KEY, RESPONSE, SIGNATURE, TABLE, warning
from command_line import good, run, shell
from sameas.examples import EXAMPLES, RECORDS, SPANISH
from saying import says


def test_score(files: Path) -> None:
    assert run("score", "key.conll", "response.conll") == (
        0,
        f"{TABLE}\n{SIGNATURE.format(1)}",
        "",
    )


def test_score_the_example() -> None:
    out = good("score", "--example")
    lines = out.splitlines()
    assert lines[0].split() == [
        "response", "Mentions", "MUC", "B³", "CEAFm", "CEAFe", "BLANC", "LEA", "CoNLL"
    ]  # fmt: skip
    assert [line.split()[0] for line in lines[2:4]] == ["careful", "eager"]


def test_score_the_example_is_scoring_its_files(files: Path) -> None:
    code, out, _ = run("example", "corpus")
    assert (code, out.splitlines()) == (
        0,
        [str(Path("corpus", name)) for name in (*EXAMPLES, *SPANISH, *RECORDS)],
    )
    names = ["corpus/key.conll", "corpus/careful.conll", "corpus/eager.conll"]
    shown = [
        json.loads(run("score", *arguments, "--json")[1]) for arguments in (["--example"], names)
    ]
    assert [entry["metrics"] for entry in shown[0]] == [entry["metrics"] for entry in shown[1]]


def test_score_several_responses(files: Path) -> None:
    code, out, _ = run(
        "score", "key.conll", "response.conll", "key.conll", "--metrics", "muc,b3", "--digits", "1"
    )
    assert (code, out) == (
        0,
        "response    MUC     B³\n"
        "──────────────────────\n"
        "response   50.0   70.6\n"
        "key       100.0  100.0\n\n" + SIGNATURE.format(1),
    )


@pytest.mark.parametrize("style", ["json", "csv", "markdown", "latex"])
def test_score_styles(files: Path, style: str) -> None:
    out = good("score", "key.conll", "response.conll", f"--{style}")
    if style == "json":
        assert json.loads(out)["metrics"]["b3"]["counts"] == [3, 4, 8 / 3, 4]
    elif style == "csv":
        assert len(list(csv.DictReader(io.StringIO(out)))) == 10
    elif style == "markdown":
        assert out.startswith("| metric | recall |")
    else:
        assert out.startswith("\\begin{tabular}{lrrrrr}\n")


def test_score_by_document_and_group(files: Path) -> None:
    code, out, _ = run(
        "score", "key.conll", "response.conll", "--metrics", "muc", "--by-document", "--by", "genre"
    )
    assert code == 0
    assert re.search(r"(?m)^a_0 +50\.00$", out)
    assert re.search(r"(?m)^a \(1\) +50\.00$", out)


@pytest.mark.parametrize(
    ("options", "signature"),
    [
        (["--singletons", "drop"], "singletons:drop"),
        (["--duplicates", "merge"], "duplicates:merge"),
        (["--missing-documents", "skip"], "missing:skip"),
        (["--blanc", "gold"], "blanc:gold"),
        (["--average", "macro"], "average:macro"),
        (["--compat", "conll-8.01"], "compat:conll-8.01"),
        (["--signature", "sameas:coref|blanc:gold|docs:9"], "blanc:gold"),
    ],
)
def test_score_settings_are_in_the_signature(
    files: Path, options: list[str], signature: str
) -> None:
    for name in ("key.conll", "response.conll"):
        Path(name).write_text(Path(name).read_text().replace("a 0 ", "a\t0\t").replace(" ", "\t")
                              .replace("#begin\tdocument\t(a);\tpart\t", "#begin document (a); part ")
                              .replace("#end\t", "#end "))  # fmt: skip
    code, out, _ = run("score", "key.conll", "response.conll", *options, "--json")
    assert code == 0
    assert f"|{signature}|" in json.loads(out)["signature"]


def test_a_signature_reproduces_a_score(files: Path) -> None:
    options = ["--singletons", "drop", "--blanc", "gold", "--average", "macro"]
    first = run("score", "key.conll", "response.conll", *options)[1]
    shown = first[first.index("sameas:") :]
    assert run("score", "key.conll", "response.conll", "--signature", shown)[1] == first


def test_warnings_go_to_standard_error_and_are_counted(files: Path) -> None:
    Path("key.conll").write_text("x\n" + KEY.replace("(a); part 000", "(a); part 000 ") + "y\n")
    code, out, err = run("score", "key.conll", "response.conll")
    first = f"key.conll:1:1: {says('outside-lines', count=2)}"
    note = f"note: {says('warned', count=2, first=first)}"
    assert (code, out.replace("\n  ", " ")) == (
        0,
        f"{TABLE}\n{note}\n\n{SIGNATURE.format(1)}".replace("\n  ", " "),
    )
    assert err == warning("outside-lines", "key.conll", 1, 1, count=2) + warning(
        "header-blanks", "key.conll", 2, 30
    )


def test_warnings_of_one_kind_are_one_warning(files: Path) -> None:
    """For each kind and file, the first position and the number of others are printed."""
    Path("many.conll").write_text(RESPONSE + "#end document\n" * 900)
    message = says("end-without-begin")
    where = f"many.conll:9:1: warning: {message}"

    def more(number: int) -> str:
        return says("more-like-this", message=message, more=number)

    for command in (
        ["score", "response.conll", "many.conll"],
        ["errors", "response.conll", "many.conll"],
    ):
        err = run(*command)[2]
        assert err.count(message) == 1
        assert f"many.conll:9:1: warning: {more(899)}\n" in err
    out = run("check", "many.conll")[1]
    assert out.count(message) == 3 and where in out
    assert f"many.conll:11:1: warning: {more(897)}\n" in out
    assert out.endswith("0 errors, 901 warnings\n")
    assert run("check", "many.conll", "--all")[1].count(message) == 900
    # Errors are not hidden by warnings.
    Path("many.conll").write_text("#end document\n" * 900 + RESPONSE.replace("(7)", "(7", 1))
    code, _, err = run("score", "response.conll", "many.conll")
    assert code == 1 and "many.conll:902:" in err and err.count("\n") < 10


def test_many_kinds_of_warnings_are_truncated(files: Path) -> None:
    for number in range(9):
        Path(f"many{number}.conll").write_text(RESPONSE + "#end document\n" * 2)
    err = run("score", "response.conll", *(f"many{number}.conll" for number in range(9)))[2]
    assert err.count(says("more-like-this", message="", more=1)) == 5
    assert err.endswith(says("more-warnings", count=4) + "\n")


def test_warnings_of_the_key_come_once(files: Path) -> None:
    Path("key.conll").write_text(KEY + KEY + "#end document\n")
    code, _, err = run("score", "key.conll", "key.conll", "response.conll", "again=response.conll")
    assert code == 0
    assert 1 <= err.count("key.conll:17:1") <= 2  # once as the key, once as a response
    repeated = says("document-again", how="in-order", document="a_0")
    assert 1 <= err.count(repeated) <= 2


def test_formats_and_standard_input(files: Path) -> None:
    line = b'{"doc_key": "a_0", "sentences": [["x"]], "clusters": [[[0, 0]]]}'
    graph = b'{"type": "graph", "mentions": ["m"], "links": []}'
    conll = b"#begin document (a); part 0\nx (1)\n#end document\n"
    for data in (line, conll, gzip.compress(line)):
        Path("file").write_bytes(line)
        for arguments in (["-", "file"], ["file", "-"]):
            ran = shell("score", *arguments, "--json", stdin=data)
            assert ran.returncode == 0, ran.stderr
            shown = json.loads(ran.stdout)
            assert shown["metrics"]["b3"]["f1"] == 1
            assert shown["response"] == ("file" if arguments[0] == "-" else "<stdin>")
    Path("graph").write_bytes(graph)
    ran = shell("score", "graph", "-", "--format", "scorch", "--json", stdin=graph)
    assert json.loads(ran.stdout)["metrics"]["b3"]["f1"] == 1
    ran = shell("check", "-", stdin=b"{")
    assert ran.returncode == 1
    assert ran.stdout.startswith(b"<stdin>:1:2: ")
    ran = shell("convert", "-", "--to", "conll", stdin=line)
    assert ran.stdout == b"#begin document (a); part 000\na\t0\t0\tx\t(0)\n\n#end document\n"


def test_predicted_clusters_are_read_for_the_response(files: Path) -> None:
    Path("both.jsonl").write_text(
        '{"doc_key": "a", "sentences": [["x", "y"]], "clusters": [[[0, 0], [1, 1]]], '
        '"predicted_clusters": [[[0, 0]]]}'
    )
    code, out, err = run("score", "both.jsonl", "both.jsonl", "--metrics", "mention", "--json")
    assert json.loads(out)["metrics"]["mention"]["counts"] == [1, 2, 1, 1]
    assert (code, err) == (0, warning("predicted-scored", "both.jsonl", 1, 1))
