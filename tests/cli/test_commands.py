"""Every command and option end to end: output, messages and exit codes."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import sameas
from command_line import good, run, shell
from sameas.errors import Problem
from sameas.examples import EXAMPLES, SPANISH
from sameas.formats.declarations import FORMATS, WRITTEN
from saying import did_you_mean, says, says_hint, unreadable

VERSION = sameas.__version__
SIGNATURE = (
    "sameas:coref|match:exact|singletons:keep|duplicates:first|missing:empty\n"
    f"  |blanc:luo2014|average:micro|docs:{{}}|version:{VERSION}\n"
)
ENDINGS = [FORMATS[name].endings[0] for name in WRITTEN]
NO_ENDING = says("no-ending", how="convert", path="x.txt", known=ENDINGS)
UNCLOSED = says("conll-unclosed", entity="1", how="wrong")
KEY = """\
#begin document (a); part 000
a 0 0 Ann (0)
a 0 1 saw -
a 0 2 her (1|(0)
a 0 3 sister 1)

a 0 0 She (1)
#end document
"""
RESPONSE = """\
#begin document (a); part 000
a 0 0 Ann (7)
a 0 1 saw -
a 0 2 her (8|(8)
a 0 3 sister 8)

a 0 0 She (8)
#end document
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a key and a response, in which the commands run."""
    monkeypatch.chdir(tmp_path)
    Path("key.conll").write_text(KEY)
    Path("response.conll").write_text(RESPONSE)
    return tmp_path


def warning(code: str, path: str, line: int, column: int, **values: object) -> str:
    """What a command prints for a warning."""
    return f"{Problem(code, path, line, column, severity='warning', values=values)}\n"


# --- score --------------------------------------------------------------------------------------

TABLE = """\
metric          recall       %  precision       %      F1
─────────────────────────────────────────────────────────
Mentions         4 / 4  100.00      4 / 4  100.00  100.00
MUC              1 / 2   50.00      1 / 2   50.00   50.00
B³            3.00 / 4   75.00   2.67 / 4   66.67   70.59
CEAFm            3 / 4   75.00      3 / 4   75.00   75.00
CEAFe         1.47 / 2   73.33   1.47 / 2   73.33   73.33
BLANC                    50.00              50.00   48.57
  coref.         1 / 2   50.00      1 / 3   33.33   40.00
  non-coref.     2 / 4   50.00      2 / 3   66.67   57.14
LEA           2.00 / 4   50.00   1.00 / 4   25.00   33.33
─────────────────────────────────────────────────────────
CoNLL                                               64.64
"""


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
        [str(Path("corpus", name)) for name in (*EXAMPLES, *SPANISH)],
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
        "response          MUC     B³\n"
        "────────────────────────────\n"
        "response.conll   50.0   70.6\n"
        "key.conll       100.0  100.0\n\n" + SIGNATURE.format(1),
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


def test_a_signature_scores_again(files: Path) -> None:
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
    """Of each kind in each file the first place, and how many more there are."""
    Path("many.conll").write_text(RESPONSE + "#end document\n" * 900)
    said = says("end-without-begin")
    where = f"many.conll:9:1: warning: {said}"

    def more(number: int) -> str:
        return says("more-like-this", message=said, more=number)

    for command in (
        ["score", "response.conll", "many.conll"],
        ["errors", "response.conll", "many.conll"],
    ):
        err = run(*command)[2]
        assert err.count(said) == 1
        assert f"many.conll:9:1: warning: {more(899)}\n" in err
    out = run("check", "many.conll")[1]
    assert out.count(said) == 3 and where in out
    assert f"many.conll:11:1: warning: {more(897)}\n" in out
    assert out.endswith("0 errors, 901 warnings\n")
    assert run("check", "many.conll", "--all")[1].count(said) == 900
    # An error is not lost among them.
    Path("many.conll").write_text("#end document\n" * 900 + RESPONSE.replace("(7)", "(7", 1))
    code, _, err = run("score", "response.conll", "many.conll")
    assert code == 1 and "many.conll:902:" in err and err.count("\n") < 10


def test_many_kinds_of_warnings_are_cut_short(files: Path) -> None:
    for number in range(9):
        Path(f"many{number}.conll").write_text(RESPONSE + "#end document\n" * 2)
    err = run("score", "response.conll", *(f"many{number}.conll" for number in range(9)))[2]
    assert err.count(says("more-like-this", message="", more=1)) == 5
    assert err.endswith(says("more-warnings", count=4) + "\n")


def test_warnings_of_the_key_come_once(files: Path) -> None:
    Path("key.conll").write_text(KEY + KEY + "#end document\n")
    err = run("score", "key.conll", "key.conll", "response.conll", "response.conll")[2]
    assert err.count("key.conll:17:1") <= 2  # once as the key, once as a response
    assert err.count("document a_0 comes again") <= 2


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


def test_predicted_clusters_are_those_of_the_response(files: Path) -> None:
    Path("both.jsonl").write_text(
        '{"doc_key": "a", "sentences": [["x", "y"]], "clusters": [[[0, 0], [1, 1]]], '
        '"predicted_clusters": [[[0, 0]]]}'
    )
    code, out, err = run("score", "both.jsonl", "both.jsonl", "--metrics", "mention", "--json")
    assert json.loads(out)["metrics"]["mention"]["counts"] == [1, 2, 1, 1]
    assert (code, err) == (0, warning("predicted-scored", "both.jsonl", 1, 1))


# --- check --------------------------------------------------------------------------------------


def test_check_a_good_file(files: Path) -> None:
    values = {"document": "a_0", "entity": "8", "one": "2–3", "other": "2–2", "how": "nested"}
    assert run("check", "response.conll") == (
        0,
        warning("overlap", "response.conll", 4, 11, **values)
        + "response.conll: conll, 1 document, 5 tokens, 4 mentions, 2 entities\n"
        "0 errors, 1 warning\n",
        "",
    )
    assert run("check", "key.conll") == (
        0,
        "key.conll: conll, 1 document, 5 tokens, 4 mentions, 2 entities\n0 errors, 0 warnings\n",
        "",
    )


def test_check_finds_every_crossing_mention(files: Path) -> None:
    Path("cross.jsonl").write_text(
        '{"doc_key": "a", "sentences": [["x", "x", "x", "x", "x", "x", "x", "x", "x"]], '
        '"clusters": [[[0, 5], [1, 2], [4, 8]]]}'
    )
    code, out, _ = run("check", "cross.jsonl")
    assert code == 0
    for how, other in (("crossing", "4–8"), ("nested", "1–2")):
        assert says("overlap", how=how, document="a", entity="0", one="0–5", other=other) in out


@pytest.mark.parametrize("name", ["other.conll", "none.jsonl"])
def test_check_finds_that_nothing_can_be_scored(files: Path, name: str) -> None:
    Path("other.conll").write_text("#begin document (zz); part 000\na 0 0 x (0)\n#end document\n")
    Path("none.jsonl").write_text('{"doc_key": "zz", "sentences": [["x"]], "clusters": []}\n')
    code, out, _ = run("check", "key.conll", name)
    assert code == 1 and f"{name}: {says('nothing-shared', key='key.conll')}\n" in out
    assert "\n1 error, " in out
    assert run("score", "key.conll", name)[0] != 0


def test_check_a_pair_of_other_lengths_and_sentences(files: Path) -> None:
    Path("short.conll").write_text(RESPONSE.replace("a 0 0 She (8)\n", ""))
    Path("breaks.conll").write_text(KEY.replace("\n\n", "\n"))
    values = {"document": "a_0", "key": "key.conll"}
    length = warning("other-length", "short.conll", 5, 14, count=4, wanted=5, **values)
    assert length in run("check", "key.conll", "short.conll")[1]
    breaks = warning("other-breaks", "breaks.conll", 2, 11, **values)
    assert breaks in run("check", "key.conll", "breaks.conll")[1]


def test_check_says_where_words_and_where_they_end(files: Path) -> None:
    lines = RESPONSE.replace("sister", "mother").replace("a 0 0 She (8)\n", "")
    Path("short.conll").write_text(lines)
    place = ("short.conll", 5, 14)
    values = {"document": "a_0", "key": "key.conll"}
    words = {"number": 3, "word": "mother", "wanted": "sister", "at": 5}
    word = warning("other-token", *place, **words, **values)
    length = warning("other-length", *place, count=4, wanted=5, **values)
    assert word + length in run("check", "key.conll", "short.conll")[1]


def test_check_counts_characters_of_brat(files: Path) -> None:
    run("convert", "key.conll", "k.ann")
    assert run("check", "k.ann")[1] == (
        "k.ann: brat, 1 document, 23 characters, 4 mentions, 2 entities\n0 errors, 0 warnings\n"
    )


def test_check_reads_predictions(files: Path) -> None:
    words = '{"doc_key": "a", "sentences": [["x", "y"]], '
    Path("p.jsonl").write_text(words + '"predicted_clusters": [[[0, 0], [1, 1]]]}\n')
    assert run("check", "p.jsonl") == (
        0,
        "p.jsonl: jsonlines, 1 document, 2 tokens, 2 mentions, 1 entity\n0 errors, 0 warnings\n",
        "",
    )
    Path("b.jsonl").write_text(words + '"clusters": [], "predicted_clusters": [[[0, 1]]]}\n')
    assert run("check", "b.jsonl") == (
        0,
        warning("clusters-read", "b.jsonl", 1, 1)
        + "b.jsonl: jsonlines, 1 document, 2 tokens, 0 mentions, 0 entities\n0 errors, 1 warning\n",
        "",
    )
    code, out, _ = run("check", "p.jsonl", "b.jsonl")
    assert code == 1 and says("clusters-type", document="a", field="clusters") in out  # no key


def test_the_hint_on_characters_and_tokens_works(files: Path) -> None:
    hint = re.compile("sameas (convert [^,]*)")
    assert run("convert", "response.conll", "r.ann")[0] == 0
    units = {"how": "same-text", "theirs": "character", "ours": "token"}
    told = says("other-units", document="a_0", **units)
    code, _, message = run("score", "key.conll", "r.ann")
    assert code == 1 and told in message and told in run("check", "key.conll", "r.ann")[1]
    found = hint.search(message)
    assert found, message
    assert run(*found[1].replace("FOLDER", "folder").split())[0] == 0
    scored = run("score", "folder", "r.ann", "--json")
    plain = run("score", "key.conll", "response.conll", "--json")
    assert json.loads(scored[1])["metrics"] == json.loads(plain[1])["metrics"]
    # Another layout of the same words, as LitBank has it.
    text = Path("r.txt").read_text()
    Path("a_0.txt").write_text(text.replace("\n", " \n"))
    starts = [len(line) + 2 for line in text.split("\n")]
    ann = Path("r.ann").read_text()
    late = f" {starts[0] - 1} {starts[0] + 2}\t"
    assert late in ann
    ann = ann.replace(late, f" {starts[0]} {starts[0] + 3}\t").split("#1")[0]
    Path("a_0.ann").write_text(ann + "#1\tsameas text\ttokens between blanks; untyped Mention\n")
    found = hint.search(run("score", "key.conll", "a_0.ann")[2])
    assert found
    assert run(*found[1].replace("FILE", "a").split())[0] == 0
    scored = run("score", "key.conll", "a.jsonl", "--json")
    assert json.loads(scored[1])["metrics"] == json.loads(plain[1])["metrics"]
    Path("a_0.txt").write_text("Ann saw Eve's mo.\n")
    Path("a_0.ann").write_text("T1\tX 0 3\tAnn\n")
    words = {"number": 2, "here": "Eve", "brat": "a_0.ann", "there": "her", "tokens": "key.conll"}
    told = says_hint("other-units", how="other-words", **words)
    assert f"hint: {told}\n" in run("score", "key.conll", "a_0.ann")[2]


def test_check_does_not_depend_on_the_order_of_a_set(files: Path) -> None:
    names = [f"d{number}" for number in range(12)]
    Path("k").write_text(
        "".join(f'{{"doc_key": "{n}", "sentences": [], "clusters": []}}\n' for n in names)
    )
    Path("r").write_text('{"doc_key": "d3", "sentences": [], "clusters": []}\n')
    texts = {
        shell("check", "k", "r", "--all", env={**os.environ, "PYTHONHASHSEED": seed}).stdout
        for seed in "123"
    }
    assert len(texts) == 1
    found = re.findall(r"k:(\d+):1: warning: document (\w+) is not in r", texts.pop().decode())
    assert found == [(str(n + 1), name) for n, name in enumerate(names) if n != 3]


def test_check_a_folder_names_its_files(files: Path) -> None:
    Path("folder").mkdir()
    Path("folder/one.conll").write_text(KEY)
    Path("folder/two.conll").write_text(KEY.replace("(a)", "(b)").replace("(1)", "(1)|(1)"))
    code, out, _ = run("check", "folder")
    assert code == 0
    values = {"how": "in-one", "document": "b_0", "mention": "4–4 “She”", "first": "1"}
    told = warning("repeated-mention", str(Path("folder", "two.conll")), 7, 11, **values)
    assert told in out


# --- convert ------------------------------------------------------------------------------------

NOTE = ""
LINE = (
    '{"doc_key": "a_0", "sentences": [["Ann", "saw", "her", "sister"], ["She"]], '
    '"clusters": [[[0, 0], [2, 2]], [[2, 3], [4, 4]]]}\n'
)


def test_convert(files: Path) -> None:
    assert run("convert", "key.conll", "--to", "jsonlines") == (0, LINE, NOTE)
    assert run("convert", "key.conll", "-", "--to", "jsonlines") == (0, LINE, NOTE)
    for name in ("key.jsonl", "key.jsonlines"):
        assert run("convert", "key.conll", name) == (0, "", NOTE)
        assert Path(name).read_text() == LINE
    assert run("convert", "key.conll", "key.jsonl.gz")[0] == 0
    assert gzip.decompress(Path("key.jsonl.gz").read_bytes()).decode() == LINE
    assert run("convert", "key.jsonl.gz", "back.v4_gold_conll", "--format", "jsonlines") == (
        0,
        "",
        "",
    )
    assert run("score", "key.conll", "back.v4_gold_conll", "--json")[1].count('"f1": 1.0') == 10
    assert run("convert", "key.conll", "copy.conll") == (0, "", "")
    assert Path("copy.conll").read_text().replace("\t", " ") == KEY.replace("#end", "\n#end")
    assert run("convert", "key.conll", "odd.name", "--to", "conll")[0] == 0
    code, out, err = run("convert", "key.conll", "key.conll")
    assert (code, out, err) == (2, "", f"sameas: {says('overwritten', output='key.conll')}\n")
    assert Path("key.conll").read_text() == KEY
    both = (
        '{"doc_key": "a", "sentences": [["x"]], "clusters": [], "predicted_clusters": [[[0, 0]]]}'
    )
    Path("both.jsonl").write_text(both)
    code, _, err = run("convert", "both.jsonl", "--to", "conll")
    assert (code, err) == (1, f"{Problem('both-clusters', 'both.jsonl', 1, 1)}\n")
    assert "(0)" in run("convert", "both.jsonl", "--to", "conll", "--role", "response")[1]
    assert "(0)" not in run("convert", "both.jsonl", "--to", "conll", "--role", "key")[1]


def test_convert_what_cannot_be_held(files: Path) -> None:
    Path("cross.jsonl").write_text(
        '{"doc_key": "a", "sentences": [["x", "y", "z"]], "clusters": [[[0, 1], [1, 2]]]}'
    )
    values = {"document": "a", "entity": "0", "first": 1, "last": 2, "how": "such-as"}
    assert run("convert", "cross.jsonl", "cross.conll") == (
        1,
        "",
        says("write-crossing", **values) + "\n",
    )
    assert not Path("cross.conll").exists()


# --- example ------------------------------------------------------------------------------------


def test_example_here(files: Path) -> None:
    before = Path("key.conll").read_bytes()
    code, out, err = run("example")  # a key.conll of our own is there, and stays
    assert (code, out) == (1, "")
    assert err == f"{Problem('other-file', 'key.conll')}\n"
    assert Path("key.conll").read_bytes() == before
    assert not Path("careful.conll").exists()
    Path("key.conll").unlink()
    for _ in range(2):
        assert run("example") == (
            0,
            "key.conll\ncareful.conll\neager.conll\nspanish.conllu\nspanish-system.conllu\n",
            "",
        )
    assert run("check", "key.conll")[0] == 0


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
        (["score", "k", "r", "--metrics"], "argument --metrics: expected one argument"),
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
        (["check", "a", "b", "c"], "unrecognized arguments: c"),
        (["convert", "key.conll"], says("no-output-format", known=tuple(WRITTEN))),
        (["convert", "key.conll", "x.txt"], NO_ENDING),
        (["convert", "key.conll", "--to", "jsonline"], "unknown output format jsonline: "),
        (["convert", "key.conll", "--to", "scorch"], "unknown output format scorch: "),
        (["scorer", "mucc", "k", "r"], did_you_mean("metric", "mucc", "muc")),
        (["scorer", "muc", "k"], "the following arguments are required: RESPONSE"),
        (["example", "a", "b"], "unrecognized arguments: b"),
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
    """What a command says of a file that it cannot use."""
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
def test_files_that_are_not_right(files: Path, command: str, data: bytes, expected: str) -> None:
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
    told = Problem("nothing-shared", "other.conll", values=there)
    assert run("score", "key.conll", "other.conll") == (1, "", f"{told}\n")
    Path("both.conll").write_text(KEY + KEY.replace("(a)", "(b)"))
    code, _, err = run("score", "both.conll", "key.conll", "--missing-documents", "error")
    told = Problem("document-absent", "both.conll", 9, 1, document="b_0", there="key.conll")
    assert (code, err) == (1, f"{told}\n")


def test_groups_of_no_documents(files: Path) -> None:
    """The reference scorer reads an empty file; there is nothing to group then."""
    Path("empty").touch()
    code, out, err = run(
        "score", "empty", "empty", "--compat", "conll-8.01", "--by", "genre", "--by-document"
    )
    assert code in (0, 1)
    assert out or err


@pytest.mark.parametrize("style", ["json", "csv"])
def test_files_of_another_format_are_not_scored_as_nothing(files: Path, style: str) -> None:
    Path("a.jsonl").write_text(LINE)
    code, out, err = run("score", "a.jsonl", "a.jsonl", "--compat", "conll-8.01", f"--{style}")
    if code == 0:
        assert '"documents": 1' in out or "docs:1" in out
    else:
        assert code == 1
        assert err.startswith("a.jsonl")


# --- streams ------------------------------------------------------------------------------------


def test_a_reader_that_goes_away_is_no_error(files: Path) -> None:
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


# --- the reference scorer -----------------------------------------------------------------------

RULE = "-" * 74

SCORER_KEY = """\
#begin document (a); part 000
a	0	0	Ann	(0)
a	0	1	saw	-
a	0	2	her	(1|(0)
a	0	3	sister	1)

a	0	0	She	(1)|(2)
#end document
#begin document (b);
b	0	0	It	(5)
b	0	1	rained	(6)
#end document
"""
SCORER_RESPONSE = """\
#begin document (a); part 000
a	0	0	Ann	(7)
a	0	1	saw	(3+4)|(8)
a	0	2	her	(7
a	0	3	sister	7)|(8)

a	0	0	She	(8)|(7)
#end document
"""
REPEATED = """\
Repeated mention in the key: 4, 4 34
Repeated mention in the response: 4, 4 44
"""
IDENTIFIED = f"""\

====== TOTALS =======
Identification of Mentions: Recall: (3 / 6) 50%	Precision: (3 / 5) 60%	F1: 54.54%
{RULE}
"""
NOTHING = """\
Total key mentions: 0
Total response mentions: 0
Strictly correct identified mentions: 0
Partially correct identified mentions: 0
No identified: 0
Invented: 0
"""
ZERO = f"Recall: (0 / 0) 0%	Precision: (0 / 0) 0%	F1: 0%\n{RULE}\n"
BLANC = f"""\

Coreference:
Coreference links: Recall: (1 / 2) 50%	Precision: (1 / 4) 25%	F1: 33.33%
{RULE}
Non-coreference links: Recall: (0 / 7) 0%	Precision: (0 / 6) 0%	F1: 0%
{RULE}
BLANC: Recall: (0.25 / 1) 25%	Precision: (0.125 / 1) 12.5%	F1: 16.66%
{RULE}
"""
COREFERENCE = {
    "muc": f"Coreference: Recall: (0 / 2) 0%	Precision: (0 / 3) 0%	F1: 0%\n{RULE}\n",
    "bcub": "Coreference: Recall: (2.5 / 7) 35.71%	Precision: (1.33333333333333 / 5) 26.66%	"
    f"F1: 30.53%\n{RULE}\n",
    "ceafm": f"Coreference: Recall: (2 / 7) 28.57%	Precision: (2 / 5) 40%	F1: 33.33%\n{RULE}\n",
    "ceafe": f"Coreference: Recall: (0.8 / 5) 16%	Precision: (0.8 / 2) 40%	F1: 22.85%\n{RULE}\n",
    "blanc": BLANC,
}
DUMP = """\
====> (a); part 000:
File (a); part 000:
Entity 0: (0,0) (2,2)
Entity 1: (2,3) (4,4)
Entity 2: (4,4)
====> (a); part 000:
Discarded (3+4)
File (a); part 000:
Entity 0: (0,0) (2,3) (4,4)
Entity 1: (1,1) (3,3) (4,4)
"""
COUNTED = f"""\
{REPEATED}Total key mentions: 4
Total response mentions: 5
Strictly correct identified mentions: 3
Partially correct identified mentions: 0
No identified: 1
Invented: 3
"""
MISSING = """\
====> (b);:
File (b);:
Entity 0: (0,0)
Entity 1: (1,1)
====> :
File :
"""
MISSING_COUNTED = """\
Total key mentions: 2
Total response mentions: 0
Strictly correct identified mentions: 0
Partially correct identified mentions: 0
No identified: 2
Invented: 0
"""


def scorer(files: Path, *arguments: str) -> str:
    """The scorer's text after its first line."""
    Path("k").write_text(SCORER_KEY)
    Path("r").write_text(SCORER_RESPONSE)
    out = good("scorer", *arguments)
    first, _, rest = out.partition("\n")
    assert first == f"version: 8.01 sameas {VERSION}"
    return rest


def test_scorer_verbose(files: Path) -> None:
    assert scorer(files, "muc", "k", "r") == (
        f"{DUMP}(a); part 000:\n{COUNTED}"
        f"Recall: (0 / 2) 0%	Precision: (0 / 3) 0%	F1: 0%\n{RULE}\n"
        f"{MISSING}(b);:\n{MISSING_COUNTED}{ZERO}{IDENTIFIED}{COREFERENCE['muc']}"
    )


def test_scorer_verbose_blanc(files: Path) -> None:
    assert scorer(files, "blanc", "k", "r") == (
        f"{DUMP}:\n{COUNTED}{MISSING}:\n{MISSING_COUNTED}{IDENTIFIED}{BLANC}"
    )


@pytest.mark.parametrize("metric", list(COREFERENCE))
def test_scorer_totals(files: Path, metric: str) -> None:
    expected = f"{REPEATED}{IDENTIFIED}{COREFERENCE[metric]}"
    assert scorer(files, metric, "k", "r", "none") == expected
    assert scorer(files, metric.upper(), "k", "r", "none") == expected


def test_scorer_all(files: Path) -> None:
    assert scorer(files, "all", "k", "r", "none") == "".join(
        f"\nMETRIC {metric}:\n{REPEATED}{IDENTIFIED}{text}" for metric, text in COREFERENCE.items()
    )


def test_scorer_one_document(files: Path) -> None:
    assert scorer(files, "ceafe", "k", "r", "(a); part 000") == (
        f"(a); part 000:\n{DUMP}{COUNTED}"
        f"Recall: (0.8 / 3) 26.66%	Precision: (0.8 / 2) 40%	F1: 32%\n{RULE}\n"
        "\n====== TOTALS =======\n"
        "Identification of Mentions: Recall: (3 / 4) 75%	Precision: (3 / 5) 60%	F1: 66.66%\n"
        f"{RULE}\n"
        f"Coreference: Recall: (0.8 / 3) 26.66%	Precision: (0.8 / 2) 40%	F1: 32%\n{RULE}\n"
    )


def test_scorer_a_document_that_the_response_lacks(files: Path) -> None:
    line = f"Recall: (0 / 2) 0%	Precision: (0 / 0) 0%	F1: 0%\n{RULE}\n"
    assert scorer(files, "bcub", "k", "r", "(b);") == (
        f"(b);:\n{MISSING}{MISSING_COUNTED}{line}\n====== TOTALS =======\n"
        f"Identification of Mentions: {line}Coreference: {line}"
    )


def test_scorer_a_document_that_is_not_there(files: Path) -> None:
    assert scorer(files, "ceafm", "k", "r", "(c);") == (
        f"(c);:\n====> :\nFile :\n====> :\nFile :\n{NOTHING}{ZERO}\n====== TOTALS =======\n"
        f"Identification of Mentions: {ZERO}Coreference: {ZERO}"
    )
    assert scorer(files, "blanc", "k", "r", "(c);") == (
        f"(c);:\n====> :\nFile :\n====> :\nFile :\n{NOTHING}\n====== TOTALS =======\n"
        f"Identification of Mentions: {ZERO}\nCoreference:\nCoreference links: {ZERO}"
        f"Non-coreference links: {ZERO}"
        f"BLANC: Recall: (0 / 1) 0%	Precision: (0 / 1) 0%	F1: 0%\n{RULE}\n"
    )


@pytest.mark.parametrize(
    ("metric", "key", "response", "expected"),
    [
        # 1/3 + 1 + 1/3 + 1/3 in the order of the response is less than 2.
        (
            "bcub",
            ["(0)", "(1)", "(0)", "(0)"],
            ["(0)", "(0)", "(1)", "(2)"],
            "Recall: (2 / 4) 49.99%	Precision: (3 / 4) 75%	F1: 59.99%",
        ),
        # It looks for the least cost, and 1 - (1 - 0.2) is less than 0.2.
        (
            "ceafe",
            ["(0)", "(0)", "(0)", "(0)", "(0)", "-", "-", "-", "-"],
            ["-", "-", "-", "-", "(0)", "(0)", "(0)", "(0)", "(0)"],
            "Recall: (0.2 / 1) 19.99%	Precision: (0.2 / 1) 19.99%	F1: 19.99%",
        ),
    ],
)
def test_scorer_cuts_off_the_sums_that_the_reference_scorer_has(
    files: Path, metric: str, key: list[str], response: list[str], expected: str
) -> None:
    for name, cells in (("x", key), ("y", response)):
        lines = ["#begin document (a);", *(f"w\t{cell}" for cell in cells), "#end document", ""]
        Path(name).write_text("\n".join(lines))
    assert f"\nCoreference: {expected}\n" in scorer(files, metric, "x", "y", "none")


def test_scorer_refuses_what_the_reference_scorer_refuses(files: Path) -> None:
    Path("open").write_text("#begin document (a);\nx\t(1\n#end document\n")
    Path("good").write_text("#begin document (a);\nx\t(1)\n#end document\n")
    for arguments in (["open", "good"], ["good", "open"]):
        code, _, err = run("scorer", "muc", *arguments)
        assert code == 1
        assert err.startswith(f"open:2:3: {UNCLOSED}\n")


def test_compat_has_the_counts_of_the_scorer(files: Path) -> None:
    scorer(files, "muc", "k", "r", "none")
    code, out, _ = run("score", "k", "r", "--compat", "conll-8.01", "--json")
    assert code == 0
    metrics = json.loads(out)["metrics"]
    assert metrics["mention"]["counts"] == [3, 6, 3, 5]
    assert metrics["b3"]["counts"] == pytest.approx([2.5, 7, 4 / 3, 5])
    assert metrics["ceafe"]["counts"] == pytest.approx([0.8, 5, 0.8, 2])
    assert metrics["blanc"]["coref"]["counts"] == [1, 2, 1, 4]
    assert metrics["blanc"]["noncoref"]["counts"] == [0, 7, 0, 6]
