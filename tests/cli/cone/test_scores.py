"""`sameas cone`: scores of names with and without a key, and for odd corpora."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sameas
from cli.cone.stories import (
    CAREFUL,
    EAGER,
    KEY,
    SPANISH_KEY,
    SPANISH_SYSTEM,
    Documents,
    b3,
    contains,
    write,
)
from command_line import columns, good, refused, run, shell
from sameas.formats.reading import read
from sameas.formats.writing import save
from saying import codes, says, says_hint, unreadable

WITH = ("--matcher", "exact", "--names")
GERMAN = "Der Hund lief durch den Wald und Hans Weber sah ihn nicht , weil er schlief ."


def value(out: str, row: str = "B³") -> str:
    """Return the last number in the row of a metric."""
    (line,) = [line for line in out.splitlines() if line.startswith(f"{row} ")]
    return line.split()[-1]


# --- a key and responses ------------------------------------------------------------------------


def test_a_key_and_a_response(here: Documents) -> None:
    out = good("cone", "key.jsonl", "a.jsonl")
    result = sameas.cone("key.jsonl", "a.jsonl")
    assert value(out) == f"{100 * result['b3'].f1:.2f}"
    assert value(out, "CoNLL") == f"{100 * result.conll.f1:.2f}"
    assert contains(out, "names", count=200, total=360, side="key")
    assert contains(out, "names", count=167, total=298, side="response")
    assert out.replace("\n  ", "").endswith(f"{result.signature}\n")
    assert columns(out) <= 80


def test_several_responses_and_their_names(here: Documents) -> None:
    out = good("cone", "key.jsonl", "a.jsonl", "second=b.jsonl")
    for name, file in (("a", "a.jsonl"), ("second", "b.jsonl")):
        (line,) = [line for line in out.splitlines() if line.startswith(f"{name} ")]
        assert line.split()[3] == f"{100 * sameas.cone('key.jsonl', file)['b3'].f1:.2f}"
    code, message = refused("cone", "key.jsonl", "x=a.jsonl", "x=b.jsonl")
    assert code == 2 and says("named-alike", name="x", first="a.jsonl", path="b.jsonl") in message
    for wrong in ("=a.jsonl", "x="):
        code, message = refused("cone", "key.jsonl", wrong)
        assert code == 2 and "name=FILE" in message


def test_a_long_name_of_a_system_fits(here: Documents) -> None:
    name = "n" * 120
    for more in ([], ["--correlate", "document", "--samples", 100], ["--by-document"]):
        assert columns(good("cone", "key.jsonl", f"{name}=a.jsonl", "b.jsonl", *more)) <= 80
    out = good("cone", "--text", "text.jsonl", f"{name}=a.jsonl", "--gold-subset", "gold.jsonl")
    assert columns(out) <= 80


def test_a_different_order_is_noted() -> None:
    order = {"pairs": {"CEAFm": 1, "CEAFe": 1}, "total": 1, "metric": "CEAFm", "how": "all"}
    out = good("cone", KEY, CAREFUL, EAGER)
    assert contains(out, "names-disagree", better="careful", worse="eager", **order)


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
    said = "1 document has nothing to score in key and response: shown as 0"
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
    assert contains(out, "names", count=2, total=4, side="key")  # a date is not a name
    assert good("cone", "d.conll", "d.conll", "--names", "column") == out
    assert "|names:rules|" in good("cone", "d.conll", "d.conll", "--names", "rules")
    out = good("cone", "--text", "d.conll", "d.conll", "--names", "column")
    assert "|names:column|mentions:named|matcher:rules|" in out.replace("\n  ", "")


def test_annotated_names_of_conllu() -> None:
    out = good("cone", SPANISH_KEY, SPANISH_SYSTEM)
    assert "|names:annotated|" in out
    assert contains(out, "few-names", count=4, total=20, percent=20.0, side="key")
    out = good("cone", "--text", SPANISH_KEY, SPANISH_SYSTEM, "--names", "annotated")
    assert "|names:annotated|mentions:named|matcher:rules|" in out.replace("\n  ", "")


def test_a_matcher_groups_the_names_of_the_key(here: Documents) -> None:
    """`--matcher` changes how names are grouped, not their source."""
    out = good("cone", SPANISH_KEY, SPANISH_SYSTEM, "--matcher", "exact")
    assert "|names:annotated|mentions:named|matcher:exact|" in out.replace("\n  ", "")
    assert contains(out, "estimated-key", count=4, entities=3)
    assert out == good("cone", SPANISH_KEY, SPANISH_SYSTEM, *WITH, "annotated")
    assert "|names:rules|" in good("cone", SPANISH_KEY, SPANISH_SYSTEM, *WITH, "rules")
    assert "(names:annotated|matcher:rules)" in good("cone", SPANISH_KEY, "--joins")
    result = sameas.cone(SPANISH_KEY, SPANISH_SYSTEM, matcher="exact")
    assert "|names:annotated|" in result.signature
    # Only the words of a TEXT are used.
    assert "|names:rules|" in good("cone", "--text", SPANISH_KEY, SPANISH_SYSTEM)


# --- a text and no key --------------------------------------------------------------------------


def test_a_text_without_clusters(here: Documents) -> None:
    out = good("cone", "--text", "text.jsonl", "a.jsonl")
    assert contains(out, "estimated-key", count=200, entities=80)
    result = sameas.cone("key.jsonl", "a.jsonl", matcher="rules")
    assert value(out) == f"{100 * result['b3'].f1:.2f}"
    # The clusters of a text are ignored.
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
    # The documents are in a different order, so the last digit of a sum may differ.
    wanted = pytest.approx(b3("--text", "text.jsonl", "a.jsonl"), rel=1e-12)
    assert b3("--text", "key-brat", "a-brat") == wanted
    assert b3("key-brat", "a-brat") == pytest.approx(b3("key.jsonl", "a.jsonl"), rel=1e-12)


def test_characters_and_tokens_cannot_be_mixed(here: Documents) -> None:
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
        ["--text", "key.csv", "--joins"],
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


def test_a_text_without_words_does_not_use_those_of_one_response(here: Documents) -> None:
    save(read("key.jsonl"), "key.csv")
    first, *rest = here("a.jsonl")
    first["sentences"][0][2] = "saw"
    write("other.jsonl", [first, *rest])
    code, message = refused("cone", "--text", "key.csv", "a.jsonl", "other.jsonl")
    assert code == 1 and says("names-no-words", document="story0") in message


def test_differing_words_are_reported_with_document_and_word(here: Documents) -> None:
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
    assert contains(out, "estimated-key", count=200, entities=entities)
    with_key = good("cone", "key.jsonl", "a.jsonl", "--matcher", matcher)
    assert value(with_key) == value(out)


def test_other_languages_are_noted(here: Documents) -> None:
    document = {
        "doc_key": "d",
        "sentences": [GERMAN.split()] * 20,
        "clusters": [[[7, 8], [24, 25]]],
    }
    write("german.jsonl", [document])
    for arguments in (["--text", "german.jsonl"], ["german.jsonl"]):
        out = good("cone", *arguments, "german.jsonl")
        assert contains(out, "not-english", count=1, total=1)


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
        assert contains(out, "missing", count=20, names="story20, story21, story22, …", how="empty")
        out = good("cone", *first, "half.jsonl", "--metrics", "b3", "--missing-documents", "skip")
        assert value(out) == "100.00"
        code, message = refused("cone", *first, "half.jsonl", "--missing-documents", "error")
        assert code == 1 and "story20" in message


def test_no_document_in_common(here: Documents) -> None:
    code, message = refused("cone", "--text", "text.jsonl", EAGER)
    assert code == 1
    assert "text.jsonl" in message and "story0" in message


def test_a_repeated_document(here: Documents) -> None:
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
    assert contains(out, "silent", count=40, names="story0, story1, story2, …")


def test_documents_without_names(here: Documents) -> None:
    plain = {
        "doc_key": "n",
        "sentences": [["the", "dog", "saw", "it", "."]],
        "clusters": [[[0, 1], [3, 3]]],
    }
    write("plain.jsonl", [plain])
    assert value(good("cone", "plain.jsonl", "plain.jsonl")) == "0.00"
    assert "0 names" in good("cone", "--text", "plain.jsonl", "plain.jsonl")
    assert "0 names" in good("cone", "--text", "plain.jsonl", "--joins")
    assert run("cone", "--text", "plain.jsonl", "--write-key", "k.conll")[:2] == (0, "")
    assert read("k.conll").documents[0].mention_count == 0
    # Next to documents with names, they change nothing.
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
def test_odd_words(here: Documents, sentence: list[str]) -> None:
    clusters = [[[number, number]] for number in range(len(sentence))]
    write("odd.jsonl", [{"doc_key": "o", "sentences": [sentence, []], "clusters": clusters}])
    assert columns(good("cone", "odd.jsonl", "odd.jsonl", "--by-document")) <= 80
    assert columns(good("cone", "--text", "odd.jsonl", "odd.jsonl")) <= 80
    for matcher in ("rules", "paper", "exact"):
        assert " in 1 document" in good("cone", "odd.jsonl", "--joins", "--matcher", matcher)


@pytest.mark.long
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
