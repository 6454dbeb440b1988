"""check, convert and example end to end."""

from __future__ import annotations

import gzip
import json
import os
import re
from pathlib import Path

import pytest

from cli.commands.examples import KEY, LINE, RESPONSE, warning
from command_line import run, shell
from sameas.errors import Problem
from saying import says, says_hint

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


def test_check_a_pair_with_different_lengths_and_sentences(files: Path) -> None:
    Path("short.conll").write_text(RESPONSE.replace("a 0 0 She (8)\n", ""))
    Path("breaks.conll").write_text(KEY.replace("\n\n", "\n"))
    values = {"document": "a_0", "key": "key.conll"}
    length = warning("other-length", "short.conll", 5, 14, count=4, wanted=5, **values)
    assert length in run("check", "key.conll", "short.conll")[1]
    breaks = warning("other-breaks", "breaks.conll", 2, 11, **values)
    assert breaks in run("check", "key.conll", "breaks.conll")[1]


def test_check_reports_where_words_differ_and_end(files: Path) -> None:
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
    expected = says("other-units", document="a_0", **units)
    code, _, message = run("score", "key.conll", "r.ann")
    assert code == 1 and expected in message and expected in run("check", "key.conll", "r.ann")[1]
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
    expected = says_hint("other-units", how="other-words", **words)
    assert f"hint: {expected}\n" in run("score", "key.conll", "a_0.ann")[2]


@pytest.mark.long
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
    expected = warning("repeated-mention", str(Path("folder", "two.conll")), 7, 11, **values)
    assert expected in out


# --- convert ------------------------------------------------------------------------------------

NOTE = ""


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


def test_convert_reports_what_the_format_cannot_hold(files: Path) -> None:
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
    code, out, err = run("example")  # the folder has another key.conll, which is kept
    assert (code, out) == (1, "")
    assert err == f"{Problem('other-file', 'key.conll')}\n"
    assert Path("key.conll").read_bytes() == before
    assert not Path("careful.conll").exists()
    Path("key.conll").unlink()
    for _ in range(2):
        assert run("example") == (
            0,
            "key.conll\ncareful.conll\neager.conll\nspanish.conllu\nspanish-system.conllu\n"
            "truth.csv\nprediction.csv\n",
            "",
        )
    assert run("check", "key.conll")[0] == 0
