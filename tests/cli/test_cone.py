"""`sameas cone` on the command line: scores of names, with a key, without one, and with half."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import sameas
from command_line import columns, good, refused, run, shell
from fuzz_cone import arguments_of, check
from sameas.errors import how_to_install, unknown
from sameas.examples import EXAMPLES, SPANISH, example_path
from sameas.formats.reading import read
from sameas.formats.writing import save
from sameas.metrics.statistics import choose_metrics
from sameas.settings import ConeSettings, choices
from sameas.without_gold.options import SOURCES, Studying
from saying import codes, says, says_hint, unreadable

Written = dict[str, Any]
KEY, CAREFUL, EAGER = (example_path(name) for name in EXAMPLES)
SPANISH_KEY, SPANISH_SYSTEM = (example_path(name) for name in SPANISH)
FIRST = ["Mary", "Ruth", "Clara", "Helen", "Alice", "Emma", "Julia", "Laura", "Nancy", "Susan"]
LAST = ["Harlow", "Pemberton", "Whitcombe", "Aldous", "Brackley", "Thornbury", "Lindsey", "Marsden"]
WITH = ("--matcher", "exact", "--names")
KNOWN, STUDY = choices(ConeSettings), choices(Studying)
GERMAN = "Der Hund lief durch den Wald und Hans Weber sah ihn nicht , weil er schlief ."


# --- a corpus of forty small documents ----------------------------------------------------------


def story(number: int, generator: random.Random) -> Written:
    """Nine mentions of two persons and a book, of which five are names."""
    (one, two), (lee, ray) = generator.sample(FIRST, 2), generator.sample(LAST, 2)
    sentences = [
        [one, lee, "met", two, ray, "in", "the", "garden", "."],
        ["She", "gave", "the", "book", "to", two, ray, "."],
        [lee, "thanked", "her", "and", "went", "to", "the", "house", "."],
        [two, ray, "read", "it", "."],
    ]
    clusters = [
        [[0, 1], [9, 9], [17, 17]],
        [[3, 4], [14, 15], [19, 19], [26, 27]],
        [[11, 12], [29, 29]],
    ]
    return {"doc_key": f"story{number}", "sentences": sentences, "clusters": clusters}


def resolved(document: Written, generator: random.Random) -> Written:
    """What a system makes of it: some mentions less, one in the wrong entity."""
    kept = [[span for span in one if generator.random() < 0.85] for one in document["clusters"]]
    if kept[0] and kept[1] and generator.random() < 0.4:
        kept[0].append(kept[1].pop())
    return {**document, "clusters": [cluster for cluster in kept if cluster]}


def write(path: str | Path, documents: Iterable[Written]) -> None:
    Path(path).write_text("".join(json.dumps(document) + "\n" for document in documents))


def words(document: Written) -> Written:
    return {name: value for name, value in document.items() if name != "clusters"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key, its words alone, two responses, and the gold standard of half of it."""
    found = tmp_path_factory.mktemp("cone")
    generator = random.Random(1)
    key = [story(number, generator) for number in range(40)]
    write(found / "key.jsonl", key)
    write(found / "text.jsonl", map(words, key))
    write(found / "a.jsonl", [resolved(one, generator) for one in key])
    write(found / "b.jsonl", [resolved(resolved(one, generator), generator) for one in key])
    write(found / "gold.jsonl", [key[number] for number in sorted(generator.sample(range(40), 20))])
    return found


@pytest.fixture
def here(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], list[Written]]:
    """Run commands in a folder with the corpus; what is called gives the documents of a file."""
    monkeypatch.chdir(tmp_path)
    for path in folder.iterdir():
        Path(path.name).symlink_to(path)

    def documents(name: str) -> list[Written]:
        return [json.loads(line) for line in Path(name).read_text().splitlines()]

    return documents


Documents = Callable[[str], list[Written]]


def b3(*arguments: object) -> float:
    """B³ of a command, from its JSON."""
    shown = json.loads(good("cone", *arguments, "--metrics", "b3", "--json"))
    return float(shown["metrics"]["b3"]["f1"])


def told(out: str, code: str, **values: object) -> bool:
    """Whether the output has this note or error, wherever its lines end."""
    return says(code, **values) in " ".join(out.split())


def value(out: str, row: str = "B³") -> str:
    """The last number in the row of a metric."""
    (line,) = [line for line in out.splitlines() if line.startswith(f"{row} ")]
    return line.split()[-1]


# --- a key and responses ------------------------------------------------------------------------


def test_a_key_and_a_response(here: Documents) -> None:
    out = good("cone", "key.jsonl", "a.jsonl")
    result = sameas.cone("key.jsonl", "a.jsonl")
    assert value(out) == f"{100 * result['b3'].f1:.2f}"
    assert value(out, "CoNLL") == f"{100 * result.conll.f1:.2f}"
    assert told(out, "names", count=200, total=360, side="key")
    assert told(out, "names", count=167, total=298, side="response")
    assert out.replace("\n  ", "").endswith(f"{result.signature}\n")
    assert columns(out) <= 80


def test_several_responses_and_their_names(here: Documents) -> None:
    out = good("cone", "key.jsonl", "a.jsonl", "second=b.jsonl")
    for name, file in (("a", "a.jsonl"), ("second", "b.jsonl")):
        (line,) = [line for line in out.splitlines() if line.startswith(f"{name} ")]
        assert line.split()[3] == f"{100 * sameas.cone('key.jsonl', file)['b3'].f1:.2f}"
    code, message = refused("cone", "key.jsonl", "x=a.jsonl", "x=b.jsonl")
    assert code == 2 and says("named-alike", name="x", path="b.jsonl") in message
    for wrong in ("=a.jsonl", "x="):
        code, message = refused("cone", "key.jsonl", wrong)
        assert code == 2 and "name=FILE" in message


def test_a_long_name_of_a_system_fits(here: Documents) -> None:
    name = "n" * 120
    for more in ([], ["--correlate", "document", "--samples", 100], ["--by-document"]):
        assert columns(good("cone", "key.jsonl", f"{name}=a.jsonl", "b.jsonl", *more)) <= 80
    out = good("cone", "--text", "text.jsonl", f"{name}=a.jsonl", "--gold-subset", "gold.jsonl")
    assert columns(out) <= 80


def test_another_order_is_told() -> None:
    order = {"pairs": {"CEAFm": 1, "CEAFe": 1}, "total": 1, "metric": "CEAFm", "how": "all"}
    out = good("cone", KEY, CAREFUL, EAGER)
    assert told(out, "names-disagree", better="careful", worse="eager", **order)


@pytest.mark.parametrize("mentions", ["named", "entities", "unnamed"])
def test_which_mentions(mentions: str) -> None:
    out = good("cone", KEY, EAGER, "--mentions", mentions)
    result = sameas.cone(KEY, EAGER, mentions=mentions)
    assert value(out) == f"{100 * result['b3'].f1:.2f}"
    assert f"|mentions:{mentions}|" in out


def test_by_document_has_a_row_for_each(here: Documents) -> None:
    out = good("cone", "key.jsonl", "a.jsonl", "--by-document", "--metrics", "b3,muc")
    assert len(re.findall(r"^story\d+ ", out, re.M)) == 40


def test_documents_without_a_name_on_either_side_are_counted(here: Documents) -> None:
    plain = {"doc_key": "n", "sentences": [["the", "dog", "saw", "it", "."]]}
    for name in ("key", "a"):
        write(f"more-{name}.jsonl", [*here(f"{name}.jsonl"), {**plain, "clusters": [[[0, 1]]]}])
    command = ["cone", "more-key.jsonl", "more-a.jsonl"]
    said = "1 document with nothing to score in key and response: shown as 0"
    assert said in " ".join(good(*command, "--by-document").split())
    assert said in good(*command, "--by-document", "--json")
    assert said in run(*command, "--by-document", "--csv")[2]
    assert said not in " ".join(good(*command).split())
    assert said not in " ".join(good("cone", "key.jsonl", "a.jsonl", "--by-document").split())


def test_column_of_conll_2012(here: Documents) -> None:
    rows = ["Ann (PERSON*) (0", "Lee *) 0)", "saw * -", "Rome (GPE) (1)", "Monday (DATE) (2)"]
    rows += ["She * (0)", "left * -", ". * -"]
    lines = ["#begin document (d); part 000"]
    for number, row in enumerate(rows):
        word, name, chain = row.replace("(PERSON*)", "(PERSON*").split()
        lines.append(f"d 0 {number} {word} NN * - - - - {name} {chain}")
    Path("d.conll").write_text("\n".join([*lines, "", "#end document", ""]))
    out = good("cone", "d.conll", "d.conll")
    assert "|names:column|" in out
    assert told(out, "names", count=2, total=4, side="key")  # a date names nothing
    assert good("cone", "d.conll", "d.conll", "--names", "column") == out
    assert "|names:rules|" in good("cone", "d.conll", "d.conll", "--names", "rules")
    out = good("cone", "--text", "d.conll", "d.conll", "--names", "column")
    assert "|names:column|mentions:named|matcher:rules|" in out.replace("\n  ", "")


def test_annotated_names_of_conllu() -> None:
    out = good("cone", SPANISH_KEY, SPANISH_SYSTEM)
    assert "|names:annotated|" in out
    assert told(out, "few-names", count=4, total=20, percent=20.0, side="key")
    out = good("cone", "--text", SPANISH_KEY, SPANISH_SYSTEM, "--names", "annotated")
    assert "|names:annotated|mentions:named|matcher:rules|" in out.replace("\n  ", "")


def test_a_matcher_groups_the_names_that_the_key_has(here: Documents) -> None:
    """`--matcher` changes how names are grouped, not where they come from."""
    out = good("cone", SPANISH_KEY, SPANISH_SYSTEM, "--matcher", "exact")
    assert "|names:annotated|mentions:named|matcher:exact|" in out.replace("\n  ", "")
    assert told(out, "estimated-key", count=4, entities=3)
    assert out == good("cone", SPANISH_KEY, SPANISH_SYSTEM, *WITH, "annotated")
    assert "|names:rules|" in good("cone", SPANISH_KEY, SPANISH_SYSTEM, *WITH, "rules")
    assert "(names:annotated|matcher:rules)" in good("cone", SPANISH_KEY, "--explain")
    result = sameas.cone(SPANISH_KEY, SPANISH_SYSTEM, matcher="exact")
    assert "|names:annotated|" in result.signature
    # Of a TEXT only the words are looked at.
    assert "|names:rules|" in good("cone", "--text", SPANISH_KEY, SPANISH_SYSTEM)


# --- a text and no key --------------------------------------------------------------------------


def test_a_text_without_clusters(here: Documents) -> None:
    out = good("cone", "--text", "text.jsonl", "a.jsonl")
    assert told(out, "estimated-key", count=200, entities=80)
    result = sameas.cone("key.jsonl", "a.jsonl", matcher="rules")
    assert value(out) == f"{100 * result['b3'].f1:.2f}"
    # The clusters of a text are not looked at.
    assert good("cone", "--text", "key.jsonl", "a.jsonl") == out


@pytest.mark.parametrize("ending", ["conll", "conllu", "jsonl", "conllua"])
def test_any_format_with_words_is_a_text(here: Documents, ending: str) -> None:
    wanted = b3("--text", "text.jsonl", "a.jsonl")
    save(read("key.jsonl"), f"t.{ending}")
    assert b3("--text", f"t.{ending}", "a.jsonl") == wanted


@pytest.mark.parametrize("ending", ["conll", "csv", "tsv", "conllua"])
def test_any_format_is_a_response(here: Documents, ending: str) -> None:
    save(read("a.jsonl"), f"t.{ending}")
    assert b3("--text", "text.jsonl", f"t.{ending}") == b3("--text", "text.jsonl", "a.jsonl")
    assert b3("key.jsonl", f"t.{ending}") == b3("key.jsonl", "a.jsonl")


def test_a_folder_of_brat(here: Documents) -> None:
    for name in ("key", "a"):
        save(read(f"{name}.jsonl"), f"{name}-brat", "brat")
    # The documents come in another order, in which the last digit of a sum may be another.
    wanted = pytest.approx(b3("--text", "text.jsonl", "a.jsonl"), rel=1e-12)
    assert b3("--text", "key-brat", "a-brat") == wanted
    assert b3("key-brat", "a-brat") == pytest.approx(b3("key.jsonl", "a.jsonl"), rel=1e-12)


def test_characters_and_tokens_do_not_go_together(here: Documents) -> None:
    save(read("a.jsonl"), "brat", "brat")
    code, message = refused("cone", "--text", "brat", "a.jsonl")
    units = {"document": "story0", "how": "textless", "theirs": "token", "ours": "character"}
    assert code == 1 and message.startswith(f"a.jsonl:1:1: {says('other-units', **units)}")
    code, message = refused("cone", "--text", "text.jsonl", "brat")
    units |= {"theirs": "character", "ours": "token"}
    assert code == 1 and says("other-units", **units) in message
    code, message = refused("cone", "brat", "a.jsonl")
    assert code == 1 and "sameas convert" in message


def test_a_table_has_no_words(here: Documents) -> None:
    for name in ("key", "a"):
        save(read(f"{name}.jsonl"), f"{name}.csv")
    for arguments in (
        ["--text", "key.csv", "a.csv"],
        ["key.csv", "a.csv"],
        ["--text", "key.csv", "--explain"],
        ["--text", "key.csv", "--write-key", "k.conll"],
    ):
        code, message = refused("cone", *arguments)
        assert code == 1
        assert message.startswith(f"key.csv:2:1: {says('names-no-words', document='story0')}")
        assert "hint: " in message


def test_kinds_need_no_words(here: Documents) -> None:
    run("cone", "key.jsonl", "a.jsonl", "--write-key", "names.csv")
    save(read("a.jsonl"), "a.csv")
    assert b3("names.csv", "a.csv") == b3("key.jsonl", "a.jsonl")
    assert "|names:annotated|" in good("cone", "names.csv", "a.csv")


def test_a_matcher_needs_words(here: Documents) -> None:
    run("cone", "key.jsonl", "a.jsonl", "--write-key", "names.csv")
    save(read("a.jsonl"), "a.csv")
    code, message = refused("cone", "--text", "names.csv", "a.csv", "--names", "annotated")
    assert code == 1 and says("names-no-words", document="story0") in message


def test_a_terminal_without_greek() -> None:
    done = shell(
        "cone", "--example", "--correlate", "entity", "--samples", "100",
        env={"PYTHONIOENCODING": "ascii", "PATH": ""},
    )  # fmt: skip
    assert done.returncode == 0 and b"Kendall's" in done.stdout
    assert b"\\u" not in done.stdout


def test_a_text_without_words_does_not_take_those_of_one_response(here: Documents) -> None:
    save(read("key.jsonl"), "key.csv")
    first, *rest = here("a.jsonl")
    first["sentences"][0][2] = "saw"
    write("other.jsonl", [first, *rest])
    code, message = refused("cone", "--text", "key.csv", "a.jsonl", "other.jsonl")
    assert code == 1 and says("names-no-words", document="story0") in message


def test_other_words_are_told_with_document_and_word(here: Documents) -> None:
    first, second, *rest = here("a.jsonl")
    first["sentences"][0][2] = "saw"
    second["sentences"].pop()
    second["clusters"] = []
    write("other.jsonl", [first, second, *rest])
    code, message = refused("cone", "--text", "text.jsonl", "other.jsonl")
    assert code == 1
    other = says("text-word", document="story0", number=3, here="saw", there="met")
    there = here("text.jsonl")[1]["sentences"][3][0]
    shorter = says("text-word", document="story1", number=27, there=there, how="shorter")
    lines = message.splitlines()
    assert (lines[0], lines[2]) == (f"other.jsonl:1:1: {other}", f"other.jsonl:2:1: {shorter}")
    assert message.count("hint: ") == 1


@pytest.mark.parametrize("matcher", ["rules", "paper", "exact"])
def test_matchers(here: Documents, matcher: str) -> None:
    out = good("cone", "--text", "text.jsonl", "a.jsonl", "--matcher", matcher)
    assert f"|matcher:{matcher}|match:head|" in out.replace("\n  ", "")
    entities = 120 if matcher == "exact" else 80
    assert told(out, "estimated-key", count=200, entities=entities)
    with_key = good("cone", "key.jsonl", "a.jsonl", "--matcher", matcher)
    assert value(with_key) == value(out)


def test_another_language_is_told(here: Documents) -> None:
    document = {
        "doc_key": "d",
        "sentences": [GERMAN.split()] * 20,
        "clusters": [[[7, 8], [24, 25]]],
    }
    write("german.jsonl", [document])
    for arguments in (["--text", "german.jsonl"], ["german.jsonl"]):
        out = good("cone", *arguments, "german.jsonl")
        assert told(out, "not-english", count=1, total=1)


# --- odd corpora --------------------------------------------------------------------------------


def test_empty_and_missing_files(here: Documents) -> None:
    Path("empty").touch()
    for arguments in (["empty", "a.jsonl"], ["--text", "empty", "a.jsonl"], ["key.jsonl", "empty"]):
        code, message = refused("cone", *arguments)
        assert code == 1
        assert message.startswith("empty:1:1: ") and says_hint("no-header", how="empty") in message
    for arguments in (["no", "a.jsonl"], ["--text", "no", "a.jsonl"], ["key.jsonl", "no"]):
        code, message = refused("cone", *arguments)
        assert code == 1 and message == unreadable("no")
    code, message = refused("cone", "--text", "text.jsonl", "a.jsonl", "--gold-subset", "no")
    assert code == 1 and message == unreadable("no")


def test_missing_documents(here: Documents) -> None:
    write("half.jsonl", here("key.jsonl")[:20])
    for first in (["key.jsonl"], ["--text", "text.jsonl"]):
        out = good("cone", *first, "half.jsonl", "--metrics", "b3")
        assert value(out) == "66.67"
        assert told(out, "missing", count=20, names="story20, story21, story22, …", how="empty")
        out = good("cone", *first, "half.jsonl", "--metrics", "b3", "--missing-documents", "skip")
        assert value(out) == "100.00"
        code, message = refused("cone", *first, "half.jsonl", "--missing-documents", "error")
        assert code == 1 and "story20" in message


def test_no_document_in_common(here: Documents) -> None:
    code, message = refused("cone", "--text", "text.jsonl", EAGER)
    assert code == 1
    assert "text.jsonl" in message and "story0" in message


def test_a_document_that_comes_twice(here: Documents) -> None:
    first = here("key.jsonl")[0]
    write("twice.jsonl", [first, first])
    for arguments in (["twice.jsonl"], ["--text", "twice.jsonl"]):
        code, out, err = run("cone", *arguments, "twice.jsonl", "--metrics", "b3")
        assert code == 0 and value(out) == "100.00"
        assert "twice.jsonl:2:1: warning: " in err


def test_a_response_without_mentions(here: Documents) -> None:
    write("none.jsonl", [{**one, "clusters": []} for one in here("key.jsonl")])
    for first in (["key.jsonl"], ["--text", "text.jsonl"]):
        out = good("cone", *first, "none.jsonl")
        assert value(out) == "0.00" and value(out, "CoNLL") == "0.00"
    code, message = refused("cone", "key.jsonl", "none.jsonl", "--correlate", "document")
    assert code == 1 and says("study-too-short", count=0, how="document") in message


def test_a_response_without_mentions_groups_nothing(here: Documents) -> None:
    write("none.jsonl", [{**one, "clusters": []} for one in here("key.jsonl")])
    out = good("cone", "--text", "text.jsonl", "none.jsonl")
    notes = codes(sameas.cone("text.jsonl", "none.jsonl", matcher="rules").notes)
    assert "groups-names-only" not in notes and "silent" in notes
    assert told(out, "silent", count=40, names="story0, story1, story2, …")


def test_documents_without_names(here: Documents) -> None:
    plain = {
        "doc_key": "n",
        "sentences": [["the", "dog", "saw", "it", "."]],
        "clusters": [[[0, 1], [3, 3]]],
    }
    write("plain.jsonl", [plain])
    assert value(good("cone", "plain.jsonl", "plain.jsonl")) == "0.00"
    assert "0 names" in good("cone", "--text", "plain.jsonl", "plain.jsonl")
    assert "0 names" in good("cone", "--text", "plain.jsonl", "--explain")
    assert run("cone", "--text", "plain.jsonl", "--write-key", "k.conll")[:2] == (0, "")
    assert read("k.conll").documents[0].mention_count == 0
    # Beside documents that have some, they change nothing.
    write("more.jsonl", [*here("key.jsonl"), plain])
    assert b3("more.jsonl", "a.jsonl") == b3("key.jsonl", "a.jsonl")


@pytest.mark.parametrize(
    "sentence",
    [
        ["A" * 1000, "met", "M" + "a" * 1000, "."],
        ["\u202eEvil", "𝔐ary", "😀", "İstanbul", "ǅ", "ﬁne", "e\u0301mile", "\u200b", "\u2028X"],
        ["", "Ann", "", "'s", "''", "’s", "Mr.", "-", "_", "#", "(7)", "\\", '"', "|", "&", "\x00"],
        ["Mr.", "Mr.", "Mr.", "Dr.", "van", "de", "der", "Jr.", "&", "Co.", "of", "the", "of"],
    ],
    ids=["long", "Unicode", "signs", "titles"],
)
def test_strange_words(here: Documents, sentence: list[str]) -> None:
    clusters = [[[number, number]] for number in range(len(sentence))]
    write("odd.jsonl", [{"doc_key": "o", "sentences": [sentence, []], "clusters": clusters}])
    assert columns(good("cone", "odd.jsonl", "odd.jsonl", "--by-document")) <= 80
    assert columns(good("cone", "--text", "odd.jsonl", "odd.jsonl")) <= 80
    for matcher in ("rules", "paper", "exact"):
        assert " in 1 document" in good("cone", "odd.jsonl", "--explain", "--matcher", matcher)


def test_standard_input(here: Documents) -> None:
    wanted = good("cone", "key.jsonl", "a.jsonl", "--metrics", "b3")
    response, text = Path("a.jsonl").read_bytes(), Path("text.jsonl").read_bytes()
    done = shell("cone", "key.jsonl", "-", "--metrics", "b3", stdin=response)
    assert (done.returncode, done.stdout.decode()) == (0, wanted)
    done = shell("cone", "key.jsonl", "sys=-", "--metrics", "b3", stdin=response)
    assert (done.returncode, done.stdout.decode()) == (0, wanted)
    done = shell("cone", "--text", "-", "a.jsonl", "--metrics", "b3", stdin=text)
    assert done.stdout.decode() == good(
        "cone", "--text", "text.jsonl", "a.jsonl", "--metrics", "b3"
    )
    gold = ["--text", "text.jsonl", "a.jsonl", "--metrics", "b3", "--gold-subset"]
    done = shell("cone", *gold, "-", stdin=Path("gold.jsonl").read_bytes())
    assert done.stdout.decode() == good("cone", *gold, "gold.jsonl")
    for arguments in (["--text", "-", "-"], ["--text", "text.jsonl", "-", "--gold-subset", "-"]):
        code, message = refused("cone", *arguments)
        assert code == 2 and says("one-stdin") in message


# --- usage --------------------------------------------------------------------------------------

FILES = says("cone-files")


def apart(option: str, other: str) -> str:
    return says("option-not-for", option=f"--{option}", other=f"--{other}")


def needs(option: str, other: str) -> str:
    return says("cone-needs", option=f"--{option}", other=f"--{other}")


WRONG = {
    "": FILES,
    "--explain": FILES,
    "--text text.jsonl": FILES,
    "key.jsonl": FILES,
    "--example a.jsonl": "--example",
    "--example --text text.jsonl": "--example",
    "key.jsonl a.jsonl --names annotated": f"key.jsonl: {says('names-not-said')}",
    "key.jsonl a.jsonl --names column": f"key.jsonl: {says('names-no-column')}",
    "key.jsonl a.jsonl --names spacy": (
        says("spacy-no-model", model="en_core_web_sm")
        if find_spec("spacy")
        else says("spacy-missing", command=how_to_install("spacy"))
    ),
    "key.jsonl a.jsonl --names spacy:no_such_model": "spacy",
    "key.jsonl a.jsonl --names rule": str(unknown("names", "rule", SOURCES)),
    "key.jsonl a.jsonl --matcher rule": str(unknown("matcher", "rule", KNOWN["matcher"])),
    "key.jsonl a.jsonl --mentions name": str(unknown("mentions", "name", KNOWN["mentions"])),
    "key.jsonl a.jsonl --metrics b4": "b4",
    "key.jsonl a.jsonl --match loose": str(unknown("match", "loose", KNOWN["match"])),
    "key.jsonl a.jsonl --correlate entities": str(unknown("level", "entities", STUDY["level"])),
    "key.jsonl a.jsonl --against all": needs("against", "correlate"),
    "key.jsonl a.jsonl --correlate document --against every": str(
        unknown("against", "every", STUDY["against"])
    ),
    "key.jsonl a.jsonl --correlate document --against=": says("option-empty", option="--against"),
    "key.jsonl a.jsonl --correlate document --share-of corpus": needs(
        "share-of", "correlate entity"
    ),
    "key.jsonl a.jsonl --correlate entity --share-of entities": str(
        unknown("share_of", "entities", STUDY["share_of"])
    ),
    "key.jsonl --correlate document": FILES,
    "key.jsonl a.jsonl --correlate entity --matcher rules": says("study-entities-estimated"),
    "key.jsonl a.jsonl --correlate entity --metrics muc": says("study-metrics", metrics=["muc"]),
    "--text text.jsonl a.jsonl --correlate document": says("cone-correlate-text"),
    "key.jsonl a.jsonl --gold-subset gold.jsonl": needs("gold-subset", "text"),
    "key.jsonl a.jsonl --target corpus": needs("target", "gold-subset"),
    "--text text.jsonl a.jsonl --gold-subset gold.jsonl --target world": "world",
    "--text text.jsonl a.jsonl --gold-subset gold.jsonl --confidence 100": "100",
    "--text text.jsonl a.jsonl --gold-subset gold.jsonl --explain": apart("explain", "gold-subset"),
    "--text text.jsonl a.jsonl --matcher none": says("cone-text-matcher"),
    "--text text.jsonl a.jsonl --mentions unnamed": says("estimated-names-only"),
    "key.jsonl a.jsonl --plot x.svg": needs("plot", "correlate"),
    "key.jsonl a.jsonl --correlate document --plot x.txt": "x.txt",
    "key.jsonl a.jsonl --correlate document --interval": apart("interval", "correlate"),
    "key.jsonl a.jsonl --correlate document --by-document": apart("by-document", "correlate"),
    "key.jsonl --explain --json": apart("json", "explain"),
    "key.jsonl a.jsonl --explain": says("cone-explain-responses"),
    "key.jsonl --explain --metrics b3": apart("metrics", "explain"),
    "key.jsonl a.jsonl --write-key key.jsonl": says("overwritten", output="key.jsonl"),
    "key.jsonl a.jsonl --write-key ./a.jsonl": says("overwritten", output="./a.jsonl"),
    "key.jsonl a.jsonl --samples 200": "--interval",
    "key.jsonl a.jsonl --seed 1": "--interval",
    "key.jsonl a.jsonl --interval --samples 5": "5",
    "key.jsonl a.jsonl --json --csv": "--json",
    "key.jsonl a.jsonl --signature rubbish": says("not-a-signature", text="rubbish"),
    "key.jsonl a.jsonl --nams rules": "--names",
    "key.jsonl a.jsonl --digits x": "--digits",
}


@pytest.mark.parametrize("arguments", WRONG)
def test_wrong_usage(here: Documents, arguments: str) -> None:
    code, message = refused("cone", *arguments.split())
    assert code == 2
    assert WRONG[arguments] in message
    assert message.startswith("sameas")


@pytest.mark.parametrize("option", ["--correlate", "--gold-subset", "--matcher", "--write-key"])
def test_an_empty_value_is_not_ignored(here: Documents, option: str) -> None:
    first = [] if option == "--correlate" else ["--text"]
    code, _ = refused("cone", *first, "key.jsonl", "a.jsonl", option, "")
    assert code == 2


def test_help_is_narrow_and_names_every_choice() -> None:
    out = good("cone", "--help")
    assert columns(out) <= 80
    for choice in ("annotated", "column", "rules", "spacy:MODEL", "paper", "exact", "unnamed"):
        assert choice in out
    assert "score names alone" in good("--help")


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "--names rules",
        "--matcher rules",
        "--matcher paper",
        "--mentions entities",
        "--mentions unnamed",
        "--by-document",
        "--interval --samples 100",
        "--correlate document --samples 100",
        "--correlate entity --samples 100",
        "--explain",
        "--explain --matcher exact",
        "--metrics all",
        "--singletons drop",
        "--match head --matcher rules",
        "--average macro",
        "--scope corpus",
        "--digits 5",
    ],
)
def test_the_example(arguments: str) -> None:
    out = good("cone", "--example", *arguments.split())
    if "--explain" not in arguments:
        assert columns(out) <= 80
        assert f"version:{sameas.__version__}\n" in out
        json.loads(good("cone", "--example", *arguments.split(), "--json"))


# --- how the output is written ------------------------------------------------------------------


def test_json_has_full_precision(here: Documents) -> None:
    shown = json.loads(good("cone", "key.jsonl", "a.jsonl", "--json", "--by-document"))
    result = sameas.cone("key.jsonl", "a.jsonl")
    assert shown["metrics"]["b3"]["f1"] == result["b3"].f1
    assert shown["metrics"]["lea"]["recall"] == result["lea"].recall
    assert shown["signature"] == result.signature
    assert shown["notes"] == list(map(str, result.notes))
    both = json.loads(good("cone", "key.jsonl", "a.jsonl", "b.jsonl", "--json"))
    assert [one["response"] for one in both] == ["a", "b"]


def test_csv_is_a_table_and_notes_go_beside_it(here: Documents) -> None:
    code, out, err = run("cone", "key.jsonl", "a.jsonl", "b.jsonl", "--csv")
    assert code == 0
    assert f"a: note: {says('names', count=200, total=360, side='key')}\n" in err
    rows = list(csv.DictReader(io.StringIO(out)))
    result = sameas.cone("key.jsonl", "a.jsonl")
    (row,) = [row for row in rows if (row["response"], row["metric"]) == ("a", "b3")]
    assert float(row["f1"]) == result["b3"].f1
    assert row["signature"] == result.signature


def test_markdown_and_latex(here: Documents) -> None:
    assert "| a | 91.01 |" in good("cone", "key.jsonl", "a.jsonl", "b.jsonl", "--markdown")
    out = good("cone", "key.jsonl", "a.jsonl", "b.jsonl", "--latex")
    assert "\\begin{tabular}" in out and "a & 91.01 &" in out
    for line in out.splitlines():
        assert line.startswith("%") or "note" not in line


def test_intervals_are_the_same_for_the_same_seed(here: Documents) -> None:
    usual = ["cone", "key.jsonl", "a.jsonl", "--metrics", "b3", "--interval", "--samples", "200"]
    seven = good(*usual, "--seed", "7")
    assert good(*usual, "--seed", "7") == seven
    other = good(*usual, "--seed", "8")
    assert other != seven and "|samples:200|seed:7|" in seven.replace("\n  ", "")
    study = [
        "cone",
        "key.jsonl",
        "a.jsonl",
        "--correlate",
        "document",
        "--samples",
        "200",
        "--json",
    ]
    assert good(*study, "--seed", "7") == good(*study, "--seed", "7") != good(*study, "--seed", "8")


# --- the signature ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "files,options",
    [
        ("key.jsonl a.jsonl", ""),
        ("key.jsonl a.jsonl", "--mentions entities --singletons drop --average macro"),
        ("--text text.jsonl a.jsonl", ""),
        ("--text text.jsonl a.jsonl", "--matcher paper --match exact"),
        ("key.jsonl a.jsonl", "--matcher exact --names rules"),
        ("key.jsonl a.jsonl", "--interval --samples 150 --seed 0 --method bca"),
    ],
)
def test_a_signature_gives_the_same_again(here: Documents, files: str, options: str) -> None:
    wanted = good("cone", *files.split(), *options.split(), "--json")
    signature = json.loads(wanted)["signature"]
    assert good("cone", *files.split(), "--signature", signature, "--json") == wanted


def test_a_signature_stands_alone(here: Documents) -> None:
    signature = json.loads(good("cone", "key.jsonl", "a.jsonl", "--json"))["signature"]
    for more in (["--match", "head"], ["--matcher", "rules"], ["--mentions", "named"]):
        code, message = refused("cone", "key.jsonl", "a.jsonl", "--signature", signature, *more)
        assert code == 2 and says("signature-decides") in message
    for more in (["--correlate", "document"], ["--explain"]):
        code, message = refused("cone", "key.jsonl", "a.jsonl", "--signature", signature, *more)
        other = more[0].removeprefix("--")
        assert code == 2 and apart("signature", other) in message
    other = json.loads(good("score", "key.jsonl", "a.jsonl", "--json"))["signature"]
    code, message = refused("cone", "key.jsonl", "a.jsonl", "--signature", other)
    assert code == 2 and says("other-signature", theirs="coref", ours="cone") in message
    code, message = refused("score", "key.jsonl", "a.jsonl", "--signature", signature)
    assert code == 2 and says("other-signature", theirs="cone", ours="coref") in message


def test_a_signature_of_other_data_is_told(here: Documents) -> None:
    signature = json.loads(good("cone", "key.jsonl", "a.jsonl", "--json"))["signature"]
    write("half.jsonl", here("key.jsonl")[:20])
    code, _, err = run("cone", "half.jsonl", "a.jsonl", "--signature", signature)
    assert code == 0 and " 40 " in err and " 20" in err


def test_a_text_takes_no_signature_without_a_matcher(here: Documents) -> None:
    signature = json.loads(good("cone", "key.jsonl", "a.jsonl", "--json"))["signature"]
    code, _ = refused("cone", "--text", "text.jsonl", "a.jsonl", "--signature", signature)
    assert code == 2


def test_a_signature_says_where_names_come_from() -> None:
    signature = json.loads(good("cone", SPANISH_KEY, SPANISH_SYSTEM, "--json"))["signature"]
    code, message = refused(
        "cone", SPANISH_KEY, SPANISH_SYSTEM, "--signature", signature, "--names", "rules"
    )
    assert code == 2 and says("signature-decides") in message


# --- --correlate --------------------------------------------------------------------------------


def test_correlate_documents(here: Documents) -> None:
    out = good("cone", "key.jsonl", "a.jsonl", "--correlate", "document", "--samples", "200")
    assert out.startswith("CONE B³ with B³ of entities with a name, by document: Pearson's r\n")
    assert "CONE CEAFm with CEAFm" in out and "all systems" not in out and "within" not in out
    assert re.search(r"^a +40 +0\.\d\d \[0\.\d\d, 0\.\d\d\]", out, re.M)
    assert "|by:document|" in out.replace("\n  ", "") and columns(out) <= 80


def test_correlate_several_systems(here: Documents) -> None:
    command = ["cone", "key.jsonl", "a.jsonl", "b.jsonl", "--samples", "200", "--metrics", "b3"]
    out = good(*command, "--correlate", "document")
    assert re.search(r"^all systems +\d+ ", out, re.M) and "τ 1.00" in out
    out = good(*command, "--correlate", "entity")
    assert "by entity" in out and told(out, "study-rows", how="entity")
    shown = json.loads(good(*command, "--correlate", "document", "--json"))
    assert set(shown["correlations"]) == {"a", "b", "all systems"}
    assert shown["agreement"] == {"b3": 1.0}
    found = sameas.without_gold.study.cone_study("key.jsonl", {"a": "a.jsonl"}, metrics="b3")
    first = shown["correlations"]["a"][0]
    assert first["pearson"]["value"] == found.correlations["a"][0].pearson.value


def test_correlate_with_an_estimated_key_and_the_control(here: Documents) -> None:
    command = ["cone", "key.jsonl", "a.jsonl", "--correlate", "document", "--samples", "100"]
    assert "|matcher:rules|match:head|" in good(*command, "--matcher", "rules").replace("\n  ", "")
    assert "of unnamed mentions" in good(*command, "--mentions", "unnamed")


@pytest.mark.parametrize("style", ["markdown", "latex", "csv", "json"])
def test_a_study_in_every_style(here: Documents, style: str) -> None:
    code, out, _ = run(
        "cone", "key.jsonl", "a.jsonl", "b.jsonl", "--correlate", "document", "--samples", "100",
        f"--{style}"
    )  # fmt: skip
    assert code == 0 and out
    if style == "csv":
        rows = list(csv.DictReader(io.StringIO(out)))
        assert {row["system"] for row in rows} == {"a", "b", "all systems", "within systems"}
        assert all(-1 <= float(row["low"]) <= float(row["high"]) <= 1 for row in rows)


def test_the_key_itself_is_scored_where_the_key_is_estimated(here: Documents) -> None:
    command = ["cone", "key.jsonl", "a.jsonl", "--matcher", "rules", "--metrics", "b3,conll"]
    own = json.loads(good("cone", "key.jsonl", "key.jsonl", *command[3:], "--json"))["metrics"]
    shown = json.loads(good(*command, "--json"))
    assert shown["ceiling"] == own
    said = f"gets CoNLL {100 * own['conll']['f1']:.2f} under the estimated key; a perfect system"
    assert said in " ".join(good(*command).split())
    rows = list(csv.DictReader(io.StringIO(run(*command, "--csv")[1])))
    assert [(row["response"], row["metric"]) for row in rows][2:] == [
        ("the key", "b3"),
        ("the key", "conll"),
    ]
    assert float(rows[2]["f1"]) == own["b3"]["f1"]
    without = json.loads(good("cone", "--text", "key.jsonl", *command[2:], "--json"))
    assert "ceiling" not in without and without["metrics"] == shown["metrics"]
    assert "ceiling" not in json.loads(good("cone", "key.jsonl", "a.jsonl", "--json"))


@pytest.mark.parametrize("name", ["all systems", "within systems", "the key"])
def test_a_response_is_not_named_as_a_row_of_the_tables(here: Documents, name: str) -> None:
    command = ["cone", "key.jsonl", "a.jsonl", f"{name}=b.jsonl"]
    for options in (["--correlate", "document"], ["--matcher", "rules"]):
        code, message = refused(*command, *options)
        assert code == 2 and says("study-system-name", name=name) in message
    assert name in good(*command)


def test_a_study_has_the_score_of_the_key_itself(here: Documents) -> None:
    command = ["cone", "key.jsonl", "a.jsonl", "--correlate", "document", "--samples", "100"]
    out = good(*command, "--matcher", "rules")
    assert re.search(r"^the key +\d", out, re.M)
    assert set(json.loads(good(*command, "--matcher", "rules", "--json"))["ceiling"]) == {
        "b3",
        "ceafm",
    }


def test_missing_and_misgrouped_names_are_counted(here: Documents) -> None:
    shown = json.loads(good("cone", "key.jsonl", "a.jsonl", "--json"))
    found = sameas.name_errors(sameas.cone("key.jsonl", "a.jsonl"))
    assert tuple(shown["names"].values()) == found and set(shown["names"]) == {"key", "mne", "igne"}
    errors = {"count": found[0], "missing": found[1], "misgrouped": found[2], "how": "key"}
    assert told(good("cone", "key.jsonl", "a.jsonl"), "name-errors", **errors)
    others = json.loads(good("cone", "key.jsonl", "a.jsonl", "--mentions", "unnamed", "--json"))
    assert "names" not in others


def test_may_systems_be_ranked(here: Documents) -> None:
    """Not by an estimated key, also if only one is scored; by all mentions if there is a key."""
    for responses, code in (
        (["a.jsonl"], "estimate-compares"),
        (["a.jsonl", "b.jsonl"], "estimate-ranks"),
    ):
        assert told(good("cone", "--text", "text.jsonl", *responses), code)
    for more in ([], ["--correlate", "document", "--samples", "100"]):
        assert told(good("cone", "key.jsonl", "a.jsonl", "b.jsonl", *more), "key-ranks")
    assert told(good("cone", "key.jsonl", "a.jsonl", "--matcher", "rules"), "estimate-compares")


def test_systems_are_not_ranked_by_a_key_of_names_alone(here: Documents) -> None:
    """A key that was estimated and written is read as any other."""
    run("cone", "--text", "text.jsonl", "--write-key", "k.conll")
    command = ["cone", "k.conll", "a.jsonl", "b.jsonl", "--names", "rules", "--match", "head"]
    out = good(*command)
    assert told(out, "only-names", percent=100) and not told(out, "key-ranks")
    # Corrected by hand, with a mention that is no name, it is an estimate still.
    lines = Path("k.conll").read_text().splitlines()
    free = next(n for n, line in enumerate(lines) if line.endswith("-"))
    lines[free] = f"{lines[free][:-1]}(99)"
    Path("k.conll").write_text("\n".join(lines) + "\n")
    assert told(good(*command), "only-names", percent=99)
    assert "only-names" not in codes(sameas.cone("key.jsonl", "a.jsonl").notes)


def test_nothing_is_said_of_ranking_without_a_name(here: Documents) -> None:
    plain = {"doc_key": "n", "sentences": [["the", "dog", "saw", "it", "."]]}
    write("plain.jsonl", [{**plain, "clusters": [[[0, 1], [3, 3]]]}])
    out = good("cone", "plain.jsonl", "one=plain.jsonl", "two=plain.jsonl")
    assert told(out, "no-name") and not told(out, "key-ranks")


def test_too_few_documents_to_correlate(here: Documents) -> None:
    write("two.jsonl", here("key.jsonl")[:2])
    code, message = refused("cone", "two.jsonl", "a.jsonl", "--correlate", "document")
    assert code == 1 and says("study-too-short", count=2, how="document") in message
    out = good(
        "cone", "two.jsonl", "a.jsonl", "b.jsonl", "--correlate", "document", "--samples", 100
    )
    assert told(out, "study-short", system="a", count=2, how="document")


def test_too_few_entities_to_correlate(here: Documents) -> None:
    write("none.jsonl", [{**one, "clusters": []} for one in here("key.jsonl")])
    code, message = refused("cone", "key.jsonl", "none.jsonl", "--correlate", "entity")
    assert code == 1 and says("study-too-short", count=0, how="entity") in message


def test_correlate_all_metrics(here: Documents) -> None:
    command = ["cone", "key.jsonl", "a.jsonl", "--samples", "100", "--metrics", "all"]
    out = good(*command, "--correlate", "document")
    assert "CONE CoNLL with CoNLL" in out
    left_out = [name for name in choose_metrics("all") if name not in ("b3", "ceafm")]
    out = good(*command, "--correlate", "entity")
    assert told(out, "study-metrics-left-out", metrics=left_out)


@pytest.mark.parametrize("metric", ["conll", "rand", "ari"])
def test_correlate_what_has_no_recall(here: Documents, metric: str) -> None:
    """Only its one number is correlated."""
    command = ["cone", "key.jsonl", "a.jsonl", "--correlate", "document", "--samples", "100"]
    out = good(*command, "--metrics", f"b3,{metric}")
    first, second = (re.findall(r"^a .*", part, re.M)[0] for part in out.split("\n\n")[:2])
    assert len(re.findall(r"\[", first)) == 3 and len(re.findall(r"\[", second)) == 1
    shown = json.loads(good(*command, "--metrics", metric, "--json"))
    assert [(one["x"], one["y"]) for one in shown["correlations"]["a"]] == [
        (metric, f"cone_{metric}")
    ]


def test_metrics_that_are_left_out_are_told(here: Documents) -> None:
    code, message = refused(
        "cone", "key.jsonl", "a.jsonl", "--correlate", "entity", "--metrics", "b3,muc"
    )
    assert code == 2 and says("study-metrics", metrics=["muc"]) in message


def test_correlate_with_the_full_score(here: Documents) -> None:
    command = ["cone", "key.jsonl", "a.jsonl", "b.jsonl", "--correlate", "document"]
    command += ["--samples", "200", "--metrics", "b3,conll"]
    out = good(*command, "--against", "all")
    assert out.startswith("CONE B³ with B³ of all mentions, by document: Pearson's r\n")
    assert told(out, "study-compared", mentions="named", how="all")
    assert "|against:all|" in out.replace("\n  ", "")
    shown = json.loads(good(*command, "--against", "all", "--json"))
    full = json.loads(good("score", "key.jsonl", "a.jsonl", "--metrics", "b3", "--json"))
    assert shown["scores"]["a"]["b3"]["whole"] == full["metrics"]["b3"]["f1"]
    assert {one["x"] for one in shown["within"]} == {"b3", "b3_recall", "b3_precision", "conll"}
    low, high = shown["agreement_interval"]["conll"]
    assert -1 <= low <= shown["agreement"]["conll"] <= high <= 1 and shown["ceiling"] is None
    assert good(*command, "--against", "entities") == good(*command)


def test_correlate_with_the_full_score_and_an_estimated_key(here: Documents) -> None:
    """Names match by their heads, as in cone; all mentions exactly, as in score."""
    command = ["cone", "key.jsonl", "a.jsonl", "--correlate", "document", "--samples", "100"]
    command += ["--matcher", "rules", "--against", "all"]
    signature = "".join(good(*command).split())
    assert "|match:head|" in signature and "|against:all|whole-match:exact|" in signature
    assert "whole-match" not in good(*command, "--match", "exact")


def test_two_readings_of_the_score_of_an_entity(here: Documents) -> None:
    command = ["cone", "key.jsonl", "a.jsonl", "--correlate", "entity", "--samples", "100"]
    assert "|share-of:entity|" in "".join(good(*command).split())
    assert good(*command, "--share-of", "entity") == good(*command)
    assert "|share-of:corpus|" in "".join(good(*command, "--share-of", "corpus").split())


@pytest.mark.parametrize("level", ["document", "entity"])
@pytest.mark.parametrize("scope", ["corpus", "topic"])
def test_correlate_over_documents_that_share_entities(level: str, scope: str) -> None:
    code, out, err = run("cone", KEY, EAGER, "--correlate", level, "--scope", scope)
    assert code in (0, 2) and out + err


def test_correlate_with_the_usual_matcher(here: Documents) -> None:
    command = ["cone", "key.jsonl", "a.jsonl", "--correlate", "entity", "--samples", "100"]
    assert good(*command, "--matcher", "none") == good(*command)


def test_correlate_entities_with_themselves(here: Documents) -> None:
    command = ["cone", "key.jsonl", "a.jsonl", "--correlate", "document", "--mentions", "entities"]
    code, _ = refused(*command)
    assert code == 2


def test_a_study_in_csv_says_that_the_order_is_another() -> None:
    command = ["cone", KEY, CAREFUL, EAGER, "--correlate", "document", "--samples", "100"]
    assert "worse by names" in " ".join(good(*command).split())
    assert "worse by names" in run(*command, "--csv")[2]


def test_a_study_tells_what_is_missing(here: Documents) -> None:
    rest = here("key.jsonl")[1:]
    write("less.jsonl", [*rest, rest[-1]])
    code, out, err = run(
        "cone", "key.jsonl", "less.jsonl", "--correlate", "document", "--samples", 100
    )
    assert code == 0
    assert told(out, "missing", count=1, names="story0", how="empty")
    assert "less.jsonl:40:1: warning: " in err


def test_pictures(here: Documents) -> None:
    pytest.importorskip("matplotlib")
    command = ["cone", "key.jsonl", "a.jsonl", "--correlate", "document", "--samples", "100"]
    wanted = good(*command)
    assert good(*command, "--plot", "x.svg") == wanted
    drawn = Path("x.svg").read_text()
    assert "<svg" in drawn and "B³ of entities with a name" in drawn and "CONE B³" in drawn
    good(*command, "--plot", "x.svg", "--against", "all", "--mentions", "unnamed")
    drawn = Path("x.svg").read_text()
    assert "B³ of all mentions" in drawn and "unnamed B³" in drawn
    assert good(*command, "--plot", "x.png") == wanted
    assert Path("x.png").read_bytes().startswith(b"\x89PNG")


# --- --gold-subset ------------------------------------------------------------------------------

SOME = ["cone", "--text", "text.jsonl", "a.jsonl", "--gold-subset"]


def test_a_gold_subset(here: Documents) -> None:
    out = good(*SOME, "gold.jsonl")
    assert out.startswith("a: F1 of 40 documents, 20 of them annotated\n")
    assert told(out, "predicted-from", count=20, total=40)
    assert "|annotated:20|docs:40|" in out.replace("\n  ", "") and columns(out) <= 80
    whole = json.loads(good("score", "key.jsonl", "a.jsonl", "--json"))["metrics"]["b3"]["f1"]
    shown = json.loads(good(*SOME, "gold.jsonl", "--json"))
    found = shown["metrics"]["b3"]["f1"]
    assert found["interval"][0] < whole < found["interval"][1]
    assert found["interval"][0] < found["predicted"] < found["interval"][1]
    part = json.loads(good("score", "gold.jsonl", "a.jsonl", "--json"))["metrics"]["b3"]["f1"]
    assert found["annotated"] == pytest.approx(part)
    assert found["cone"] == pytest.approx(b3("--text", "text.jsonl", "a.jsonl"))
    assert (shown["documents"], shown["annotated"]) == (40, 20)


def test_target_and_confidence(here: Documents) -> None:
    def width(*more: object) -> float:
        shown = json.loads(good(*SOME, "gold.jsonl", "--metrics", "b3", "--json", *more))
        low, high = shown["metrics"]["b3"]["f1"]["interval"]
        return float(high - low)

    assert width("--target", "population") > width("--target", "corpus") == width()
    assert width("--confidence", 90) < width() < width("--confidence", 99)


def test_everything_is_annotated(here: Documents) -> None:
    out = good(*SOME, "key.jsonl", "--metrics", "b3", "--json")
    found = json.loads(out)["metrics"]["b3"]["f1"]
    assert found["interval"] == pytest.approx([found["predicted"]] * 2)
    assert found["predicted"] == pytest.approx(found["annotated"])


def test_a_gold_subset_has_the_score_of_the_key_itself(here: Documents) -> None:
    """Of the annotated documents, whatever is done about missing ones."""
    write("some.jsonl", here("key.jsonl")[:20])
    command = [*SOME, "some.jsonl", "--metrics", "b3"]
    shown = json.loads(good(*command, "--json"))
    own = good("cone", "some.jsonl", "some.jsonl", "--names", "rules", "--matcher", "rules",
               "--metrics", "b3", "--json")  # fmt: skip
    assert shown["ceiling"] == {"b3": json.loads(own)["metrics"]["b3"]["f1"]}
    again = json.loads(good(*command, "--missing-documents", "skip", "--json"))
    assert again["ceiling"] == shown["ceiling"]
    rows = list(csv.DictReader(io.StringIO(run(*command, "--csv")[1])))
    assert {row["ceiling"] for row in rows if row["part"] == "f1"} == {str(shown["ceiling"]["b3"])}


def test_several_responses_and_a_gold_subset(here: Documents) -> None:
    command = [
        "cone",
        "--text",
        "text.jsonl",
        "a.jsonl",
        "two=b.jsonl",
        "--gold-subset",
        "gold.jsonl",
    ]
    out = good(*command)
    assert "\ntwo: F1 of 40 documents" in out
    assert [one["response"] for one in json.loads(good(*command, "--json"))] == ["a", "two"]
    code, table, err = run(*command, "--csv")
    rows = list(csv.DictReader(io.StringIO(table)))
    assert code == 0 and {row["response"] for row in rows} == {"a", "two"}
    assert f"a: note: {says('predicted-from', count=20, total=40)}" in err
    assert all(float(row["low"]) <= float(row["predicted"]) <= float(row["high"]) for row in rows)
    for style in ("--markdown", "--latex"):
        assert "with CONE" in good(*command, style)


def test_too_few_annotated_documents(here: Documents) -> None:
    for count in (1, 9):
        write("few.jsonl", here("key.jsonl")[:count])
        code, message = refused(*SOME, "few.jsonl")
        assert code in (1, 2)
        assert str(count) in message
    Path("empty.jsonl").touch()
    code, message = refused(*SOME, "empty.jsonl")
    assert code == 1 and "empty.jsonl:1:1: " in message


def test_annotated_documents_that_are_not_in_the_text(here: Documents) -> None:
    first, *rest = here("gold.jsonl")
    write("other.jsonl", [{**first, "doc_key": "elsewhere"}, *rest])
    code, message = refused(*SOME, "other.jsonl")
    assert code == 1
    assert f"other.jsonl:1:1: {says('gold-not-in-text', document='elsewhere')}" in message


def test_an_annotated_document_that_comes_twice(here: Documents) -> None:
    documents = here("gold.jsonl")
    write("twice.jsonl", [*documents, documents[0]])
    code, message = refused(*SOME, "twice.jsonl")
    again = says("gold-again", document=documents[0]["doc_key"])
    assert code == 1 and f"twice.jsonl:21:1: {again}" in message


def test_a_response_that_lacks_the_annotated_documents(here: Documents) -> None:
    annotated = {one["doc_key"] for one in here("gold.jsonl")}
    write("rest.jsonl", [one for one in here("a.jsonl") if one["doc_key"] not in annotated])
    code, message = refused(
        "cone", "--text", "text.jsonl", "rest.jsonl", "--gold-subset", "gold.jsonl"
    )
    assert code == 1
    assert not message.rstrip("\n").endswith(" ")


@pytest.mark.parametrize("scope", ["corpus", "topic"])
def test_a_gold_subset_of_documents_that_share_entities(here: Documents, scope: str) -> None:
    documents = [{**one, "doc_key": "s/" + one["doc_key"]} for one in here("a.jsonl")]
    gold = [{**one, "doc_key": "s/" + one["doc_key"]} for one in here("gold.jsonl")]
    write("topics.jsonl", documents)
    write("some.jsonl", gold)
    code, _ = refused(
        "cone", "--text", "topics.jsonl", "topics.jsonl", "--gold-subset", "some.jsonl",
        "--scope", scope
    )  # fmt: skip
    assert code == 2


@pytest.mark.parametrize("more", [("--samples", 100), ("--seed", 3), ("--method", "bca")])
def test_a_gold_subset_draws_no_samples(here: Documents, more: tuple[str, object]) -> None:
    code, message = refused(*SOME, "gold.jsonl", *more)
    assert code == 2 and more[0] in message


def test_a_gold_subset_says_things_once(here: Documents) -> None:
    gone = here("gold.jsonl")[0]["doc_key"]
    write("less.jsonl", [one for one in here("a.jsonl") if one["doc_key"] != gone])
    out = good(
        "cone", "--text", "text.jsonl", "less.jsonl", "--gold-subset", "gold.jsonl", "--json"
    )
    notes = json.loads(out)["notes"]
    assert says("missing", count=1, names=gone, how="empty") in notes
    assert len(set(notes)) == len(notes)


# --- --explain and --write-key ------------------------------------------------------------------


def test_explain(here: Documents) -> None:
    *joins, last = good("cone", "--text", "text.jsonl", "--explain").splitlines()
    assert len(joins) == 40  # and those of the same words
    assert last.startswith(
        "200 names in 40 documents, 80 entities, 120 joins, 80 of the same words"
    )
    assert all(re.fullmatch(r"story\d+: '.+' joined '.+': .+", line) for line in joins)
    assert any(line.endswith(": last name") for line in joins)
    assert good("cone", "key.jsonl", "--explain").splitlines() == [*joins, last]
    exact = good("cone", "key.jsonl", "--explain", "--matcher", "exact")
    assert "120 entities, 80 joins" in exact


def test_explain_documents_without_annotated_names(here: Documents) -> None:
    document = {
        "sentences": [["Ann", "saw", "the", "dog"]],
        "clusters": [[[0, 0]], [[2, 3]]],
    }
    write(
        "kinds.jsonl",
        [
            {"doc_key": "one", **document, "kinds": [["name"], ["nominal"]]},
            {"doc_key": "two", **document, "kinds": [["nominal"], ["nominal"]]},
        ],
    )
    out = good("cone", "--text", "kinds.jsonl", "--explain", "--names", "annotated")
    assert out.startswith("1 name")


def test_a_text_that_says_nothing_of_names(here: Documents) -> None:
    code, message = refused("cone", "--text", "text.jsonl", "a.jsonl", "--names", "annotated")
    assert code == 2 and f"text.jsonl: {says('names-not-said')}" in message


@pytest.mark.parametrize("ending", ["conll", "jsonl", "csv", "conllu", "conllua", "jsonl.gz"])
def test_a_written_key_is_scored_as_the_estimate_was(here: Documents, ending: str) -> None:
    code, out, _ = run("cone", "--text", "text.jsonl", "--write-key", f"k.{ending}")
    assert (code, out) == (0, "")
    written = read(f"k.{ending}")
    assert sum(document.mention_count for document in written.documents) == 200
    assert sum(len(document.entity_ids) for document in written.documents) == 80
    # All mentions of the response are scored then, so precision falls and recall stays.
    counts = json.loads(good("score", f"k.{ending}", "a.jsonl", "--json"))["metrics"]["b3"][
        "counts"
    ]
    estimated = json.loads(good("cone", "--text", "text.jsonl", "a.jsonl", "--json"))
    assert counts[:2] == estimated["metrics"]["b3"]["counts"][:2]
    assert counts[3] == 298
    # A response of the names alone has the scores of CONE.
    run("cone", "a.jsonl", "a.jsonl", "--write-key", "names.jsonl")
    shown = json.loads(good("score", f"k.{ending}", "names.jsonl", "--json"))
    assert shown["metrics"]["b3"]["f1"] == estimated["metrics"]["b3"]["f1"]


def test_a_key_is_written_as_it_was_scored(here: Documents) -> None:
    code, out, _ = run("cone", "key.jsonl", "a.jsonl", "--write-key", "k.jsonl", "--metrics", "b3")
    assert code == 0
    assert out == good("cone", "key.jsonl", "a.jsonl", "--metrics", "b3")
    one = here("k.jsonl")[0]
    assert one["clusters"] == [[[0, 1], [17, 17]], [[3, 4], [14, 15], [26, 27]]]


def test_a_key_that_cannot_be_written(here: Documents) -> None:
    code, message = refused("cone", "--text", "text.jsonl", "--write-key", "k.txt")
    assert code == 2 and ".conll, .conllu, .jsonl" in message


def test_the_format_of_a_written_key_is_told_by_its_name(here: Documents) -> None:
    _, message = refused("cone", "--text", "text.jsonl", "--write-key", "k.txt")
    assert "--to" not in message


def test_a_key_is_written_without_a_response(here: Documents) -> None:
    good("cone", "key.jsonl", "--write-key", "k.jsonl")
    assert here("k.jsonl")[0]["clusters"] == [[[0, 1], [17, 17]], [[3, 4], [14, 15], [26, 27]]]


def test_what_a_format_cannot_hold_is_told(here: Documents) -> None:
    _, out, err = run("cone", "--text", "text.jsonl", "--write-key", "k.csv")
    assert out == "" and "csv cannot hold" in err


# --- and anything -------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(40))
def test_random_commands(tmp_path: Path, number: int) -> None:
    arguments = arguments_of(7, number, tmp_path)
    check(arguments, seconds=60)


def test_the_estimate_does_not_depend_on_the_order_of_sets(here: Documents) -> None:
    """Names of people that suit several others, under several seeds of Python's hashes."""
    words = [
        "Ann",
        "Broken",
        "Arrow",
        "met",
        "Broken",
        "Arrow",
        "Lee",
        "and",
        "NSU",
        "Broken",
        "Arrow",
        "near",
        "Arrow",
        "Ann",
        "Lee",
        ".",
    ]
    write("names.jsonl", [{"doc_key": "a", "sentences": [words] * 3, "clusters": []}])
    found = set()
    for seed in range(6):
        command = (
            f"PYTHONHASHSEED={seed} {sys.executable} -m sameas cone --text names.jsonl --explain"
        )
        done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
        found.add(done.stdout)
    assert len(found) == 1


def test_a_written_estimate_can_be_scored_by_as_the_note_says(here: Documents) -> None:
    before = b3("--text", "text.jsonl", "a.jsonl")
    code, _, err = run("cone", "--text", "text.jsonl", "--write-key", "k.jsonl")
    assert code == 0
    assert says("cone-written", path="k.jsonl", source="rules", match="head") in err
    assert b3("k.jsonl", "a.jsonl", "--names", "rules", "--match", "head") == before
