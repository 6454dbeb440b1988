"""Damaged CoNLL-U is refused or reported at the right position; no score changes silently.

The kinds of damage are in ``tests/malformed.py``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import sameas
from command_line import good, run
from malformed import KINDS, LINES, SOUND, Kind
from sameas.analysis.check import check
from sameas.errors import InputError, Problem
from sameas.formats.reading import read
from sameas.notes import Note
from saying import says


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "key.conllu"
    path.write_text(SOUND)
    return path


def _read(path: Path) -> tuple[str, list[Problem]]:
    """Return the verdict of the reader, and its problems."""
    try:
        problems = list(sameas.read(path).problems)
    except InputError as error:
        return "error", list(error.problems)
    return "warning" if problems else "accepted", problems


def _entities(path: Path) -> list[Any]:
    documents: list[Any] = list(sameas.read(path).documents)
    return [
        (document.name, document.sentences,
         [[(m.spans, m.zeros) for m in entity.mentions] for entity in document.entities],
         document.split_antecedents, [link.anaphor for link in document.bridging])
        for document in documents
    ]  # fmt: skip


def test_the_valid_file_has_no_problems(key: Path) -> None:
    assert _read(key) == ("accepted", [])
    code, out, _ = run("check", key)
    assert code == 0 and out.endswith("\n0 errors, 0 warnings\n")
    documents = sameas.read(key).documents
    assert [document.mention_count for document in documents] == [11, 5]
    assert sum(len(document.special) for document in documents) == 4  # three zeros, one of pieces
    assert documents[0].split_antecedents == {"e4": ("e2", "e3")}
    for options in ((), ("--match", "head"), ("--match", "min"), ("--zeros", "dependent")):
        out = good("score", key, key, "--json", *options)
        assert json.loads(out)["metrics"]["conll"]["f1"] == 1


def test_there_are_more_than_two_hundred_kinds() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS) > 200


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_damage(kind: Kind, key: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.conllu"
    content = kind.content
    damaged.write_bytes(content)
    verdict, problems = _read(damaged)
    code, out, err = run("check", damaged)
    files = (damaged, key) if kind.options else (key, damaged)
    score_code, score_out, score_err = run("score", *files, "--json", *kind.options)
    assert "Traceback" not in out + err + score_out + score_err
    lengths = [len(line) for line in re.split(rb"\r\n|\r|\n", content)]
    for problem in problems:
        _check_report(problem, damaged, lengths)
    if kind.verdict == "accepted":
        assert (verdict, problems) == ("accepted", [])
        assert code == 0 and out.endswith("\n0 errors, 0 warnings\n")
        assert _entities(damaged) == _entities(key)
        assert (score_code, score_err) == (0, "")
        assert json.loads(score_out)["metrics"]["conll"]["f1"] == 1
        return
    found = _checked(damaged)
    assert any(_is_report_of(problem, kind) for problem in found), found
    refused = kind.verdict == "error"
    assert code == refused
    assert score_code == refused or not refused
    if refused:
        assert score_out == ""
        if not kind.options:  # otherwise reading succeeds, and only matching fails
            assert verdict == "error"
        assert re.search(rf"{re.escape(str(damaged))}:\d+:\d+: ", score_err)
    elif not score_code:
        # Either the damage is reported, or the score is that of the valid file.
        reported = f"{damaged}:{kind.line}:" in score_err or json.loads(score_out).get("notes")
        assert reported or json.loads(score_out)["metrics"]["conll"]["f1"] == 1


def _checked(path: Path) -> Sequence[Problem]:
    """Return the problems that `sameas check` reports."""
    try:
        return check(read(path, role="any", refuse=False))
    except InputError as error:
        return error.problems


def _is_report_of(problem: Problem, kind: Kind) -> bool:
    """Return whether a problem is the expected report of the damage."""
    code, *values = (kind.report,) if isinstance(kind.report, str) else kind.report
    return (
        (problem.line, problem.severity) == (kind.line, kind.verdict)
        and max(problem.column, 1) in (kind.columns or (max(problem.column, 1),))
        and code in ("", problem.code)
        and set(values) <= set(problem.values.values())
    )


def _check_report(problem: Problem, path: Path, lengths: list[int]) -> None:
    assert problem.path == str(path)
    assert problem.message
    assert problem.hint or problem.severity != "error", f"no hint: {problem}"
    assert 1 <= problem.line <= len(lengths)
    assert 1 <= problem.column <= lengths[problem.line - 1] + 2
    assert len(problem.message) < 300


# ---------------------------------------------------------------------------------------------
# Key and response with different texts
# ---------------------------------------------------------------------------------------------


def _changed(old: str, new: str) -> str:
    assert SOUND.count(old) == 1, old
    return SOUND.replace(old, new)


def _renumbered(lines: Iterator[str]) -> str:
    """Return the lines with words numbered 1, 2, 3 in each sentence."""
    out, number = [], 0
    for line in lines:
        id, tab, rest = line.partition("\t")
        number = 0 if not line else number + id.isdigit()
        out.append(f"{number}{tab}{rest}" if id.isdigit() else line)
    return "\n".join(out) + "\n"


def _without(*numbers: int) -> str:
    return _renumbered(line for n, line in enumerate(LINES, 1) if n not in numbers)


def _with(number: int, *lines: str) -> str:
    return _renumbered(iter([*LINES[: number - 1], *lines, *LINES[number - 1 :]]))


BLANK = "\t_" * 8
#: By name: the response, its line, the position there, the position in the key, its line.
MISALIGNED: dict[str, tuple[str | bytes, int, str, str, int]] = {
    "a word changed": (
        _changed("\tbone\t", "\tstone\t"), 44,
        "document story/dog: word 4 of sentence 2 is 'stone'", "word 4 of sentence 2 is 'bone'", 44,
    ),
    "the first word changed": (
        _changed("\n1\tAnn\t", "\n1\tEve\t"), 6,
        "document story/boat: word 1 of sentence 1 is 'Eve'", "word 1 of sentence 1 is 'Ann'", 6,
    ),
    "a capital letter": (
        _changed("\tdeck\t", "\tDeck\t"), 27,
        "document story/boat: word 6 of sentence 2 is 'Deck'", "word 6 of sentence 2 is 'deck'", 27,
    ),
    "a word dropped": (
        _without(45), 45,
        "document story/dog: word 5 of sentence 2 is 'it'", "word 5 of sentence 2 is 'and'", 45,
    ),
    "the last word dropped": (
        _without(46), 45,
        "document story/dog: the text ends", "word 6 of sentence 2 is 'it'", 46,
    ),
    "a word added": (
        _with(45, f"0\tvery{BLANK}"), 45,
        "document story/dog: word 5 of sentence 2 is 'very'", "word 5 of sentence 2 is 'and'", 45,
    ),
    "a word added at the end": (
        _with(47, f"0\ttoo{BLANK}"), 47,
        "document story/dog: word 7 of sentence 2 is 'too'", "the text ends", 46,
    ),
    "a word split": (
        _renumbered(iter([*LINES[:41], f"0\tfo{BLANK}", f"0\tund{BLANK}", *LINES[42:]])), 42,
        "document story/dog: word 2 of sentence 2 is 'fo'", "word 2 of sentence 2 is 'found'", 42,
    ),
    "two words joined": (
        _renumbered(iter([*LINES[:44], LINES[45].replace("\tit\t", "\tandit\t"), ""])), 45,
        "document story/dog: word 5 of sentence 2 is 'andit'", "word 5 of sentence 2 is 'and'", 45,
    ),
    "two words in each other's place": (
        _renumbered(iter([*LINES[:41], LINES[44], *LINES[42:44], LINES[41], LINES[45], ""])), 42,
        "document story/dog: word 2 of sentence 2 is 'and'", "word 2 of sentence 2 is 'found'", 42,
    ),
    "a sentence break moved": (
        _renumbered(iter([*LINES[:36], "", LINES[36], *LINES[40:]])), 38,
        "document story/dog: word 1 of sentence 2 is '.'", "word 4 of sentence 1 is '.'", 37,
    ),
    "a sentence break added": (
        _renumbered(iter([*LINES[:44], "", *LINES[44:]])), 46,
        "document story/dog: word 1 of sentence 3 is 'and'", "word 5 of sentence 2 is 'and'", 45,
    ),
    "a sentence break dropped": (
        _without(38, 39, 40), 38,
        "document story/dog: word 5 of sentence 1 is 'It'", "word 1 of sentence 2 is 'It'", 41,
    ),
    "a sentence dropped at the end": (
        _without(*range(39, 48)), 37,
        "document story/dog: the text ends", "word 1 of sentence 2 is 'It'", 41,
    ),
    "a sentence dropped at the start": (
        _without(*range(30, 39)), 32,
        "document story/dog: word 1 of sentence 1 is 'It'", "word 1 of sentence 1 is 'The'", 32,
    ),
    "a sentence added at the end": (
        SOUND + f"1\tYes{BLANK}\n\n", 48,
        "document story/dog: word 1 of sentence 3 is 'Yes'", "the text ends", 46,
    ),
    "a sentence twice": (
        _with(39, *LINES[29:38]), 41,
        "document story/dog: word 1 of sentence 2 is 'The'", "word 1 of sentence 2 is 'It'", 41,
    ),
    "a document without its words": (
        _without(*range(30, 48)), 29,
        "document story/dog: the text ends", "word 1 of sentence 1 is 'The'", 32,
    ),
    "documents in each other's place": (
        _changed("= story/dog", "= x").replace("= story/boat", "= story/dog").replace(
            "= x", "= story/boat"), 32,
        "document story/boat: word 1 of sentence 1 is 'The'", "word 1 of sentence 1 is 'Ann'", 6,
    ),
    "a misspelt `newdoc`": (
        _changed("# newdoc id = story/dog", "# new doc id = story/dog"), 32,
        "document story/boat: word 1 of sentence 3 is 'The'", "the text ends", 27,
    ),
    "a NUL in a word": (
        _changed("\tdeck\t", "\tde\0ck\t"), 27,
        "document story/boat: word 6 of sentence 2 is 'de\\x00ck'",
        "word 6 of sentence 2 is 'deck'", 27,
    ),
    "bytes that are not UTF-8": (
        SOUND.encode().replace(b"\tdeck\t", b"\tde\xffk\t"), 27,
        "document story/boat: word 6 of sentence 2 is 'de\\\\xffk'",
        "word 6 of sentence 2 is 'deck'", 27,
    ),
    "another composition of a letter": (
        _changed("\tdeck\t", "\tde\u0301ck\t"), 27,
        "document story/boat: word 6 of sentence 2 is 'de\u0301ck'",
        "word 6 of sentence 2 is 'deck'", 27,
    ),
    "a blank behind a word": (
        _changed("\tdeck\t", "\tdeck \t"), 27,
        "document story/boat: word 6 of sentence 2 is 'deck '",
        "word 6 of sentence 2 is 'deck'", 27,
    ),
    "a word of a megabyte": (
        _changed("\tdeck\t", f"\t{'x' * 1_000_000}\t"), 27,
        "document story/boat: word 6 of sentence 2 is 'xxx", "word 6 of sentence 2 is 'deck'", 27,
    ),
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("name", MISALIGNED)
def test_texts_that_differ(name: str, key: Path, tmp_path: Path) -> None:
    content, line, here, there, key_line = MISALIGNED[name]
    response = tmp_path / "response.conllu"
    response.write_bytes(content if isinstance(content, bytes) else content.encode())
    for command in ("score", "check"):
        code, out, err = run(command, key, response)
        printed = err if command == "score" else out
        assert code == 1
        pattern = f"{response}:{line}:1: {here}", f" here, but {there}", f"in {key}:{key_line}"
        assert all(part in printed for part in pattern), printed
        assert "hint: key and response must have the same words" in printed
        assert max(map(len, printed.split("\n"))) < 1000
    with pytest.raises(InputError) as caught:
        sameas.score(key, response)
    assert caught.value.problems[0].line == line


def test_each_document_that_differs_is_reported(key: Path, tmp_path: Path) -> None:
    response = tmp_path / "response.conllu"
    response.write_text(SOUND.replace("\tdeck\t", "\tkeel\t").replace("\tbone\t", "\tstick\t"))
    code, _, err = run("score", key, response)
    assert code == 1
    assert f"{response}:27:1: document story/boat: word 6 of sentence 2 is 'keel'" in err
    assert f"{response}:44:1: document story/dog: word 4 of sentence 2 is 'stick'" in err


@pytest.mark.parametrize(
    ("content", "line", "noted"),
    [
        ("\n".join(LINES[:28]) + "\n", 29,
         Note("missing", count=1, names=["story/dog"], how="empty")),
        ("\n".join([*LINES[28:30], LINES[1], *LINES[30:]]) + "\n", 1,
         Note("missing", count=1, names=["story/boat"], how="empty")),
        (SOUND + f"# newdoc id = more\n1\tYes{BLANK}\n\n", 48,
         Note("extra", count=1, names=["more"])),
    ],
    ids=["the last is missing", "the first is missing", "one more"],
)  # fmt: skip
def test_documents_missing_from_one_side(
    content: str, line: int, noted: Note, key: Path, tmp_path: Path
) -> None:
    response = tmp_path / "response.conllu"
    response.write_text(content)
    here, there = (key, response) if noted.code == "missing" else (response, key)
    message = says("document-absent", document=noted.names[0], there=there)
    code, out, _ = run("check", key, response)
    assert code == 0
    assert f"{here}:{line}:1: warning: {message}" in out
    code, out, _ = run("score", key, response, "--json")
    assert code == 0 and str(noted) in json.loads(out)["notes"]
    code, _, err = run("score", key, response, "--missing-documents", "error")
    assert code == 1
    assert f"{here}:{line}:1: {message}" in err


def test_a_response_without_any_document_of_the_key(key: Path, tmp_path: Path) -> None:
    response = tmp_path / "response.conllu"
    response.write_text(SOUND.replace("story/", "other/"))
    names = {"ours": "story/boat, story/dog", "theirs": "other/boat, other/dog"}
    problem = Problem("nothing-shared", str(response), key=str(key), values=names)
    assert run("score", key, response) == (1, "", f"{problem}\n")


def test_empty_nodes_may_differ(key: Path, tmp_path: Path) -> None:
    response = tmp_path / "response.conllu"
    response.write_text(_without(11, 35, 36))
    out = good("score", key, response, "--json", "--metrics", "mention")
    assert json.loads(out)["metrics"]["mention"]["counts"] == [14, 16, 14, 14]


# ---------------------------------------------------------------------------------------------
# Writing preserves the annotation
# ---------------------------------------------------------------------------------------------

_ONE_ENTITY = {
    "nested": [[(0, 3)], [(1, 2)]],
    "discontinuous": [[(0, 0), (2, 2)], [(4, 5)]],
    "pieces that cross": [[(0, 0), (4, 4)], [(2, 2), (6, 6)]],
    "pieces that are nested": [[(0, 0), (6, 6)], [(2, 2), (4, 4)]],
    "mentions that cross": [[(0, 2)], [(1, 3)]],
    "a piece that crosses a mention": [[(0, 2), (5, 5)], [(1, 3)]],
}


@pytest.mark.parametrize("name", _ONE_ENTITY)
def test_mentions_of_one_entity_are_written_or_refused(name: str, tmp_path: Path) -> None:
    mentions = tuple(sameas.Mention(tuple(spans)) for spans in _ONE_ENTITY[name])
    source = tmp_path / "a.jsonl"
    record = {"doc_key": "a", "sentences": [list("abcdefgh")], "clusters": [[[0, 7]]]}
    source.write_text(json.dumps(record))
    text = sameas.read(source).documents[0].text
    document = sameas.Document("a", [sameas.Entity("e", mentions)], text=text)
    path = tmp_path / "a.conllu"
    try:
        sameas.save(document, path)
    except InputError:
        return
    again = sameas.read(path).documents[0].entities[0].mentions
    assert set(again) == {mention.identity if len(mention.spans) > 1 else mention
                          for mention in mentions}  # fmt: skip


def test_a_schema_does_not_apply_to_the_document_before_it(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    first = _one_sentence(["Entity=(e1-person-1-)", "Entity=(e2-person-1-)"])
    second = _one_sentence(["Entity=(person-e1-1-)"]).split("\n", 2)[2]
    path.write_text(f"{first}# global.Entity = etype-eid-head-other\n# newdoc id = b\n{second}")
    try:
        documents = sameas.read(path).documents
    except InputError as error:  # as the UD validator does
        assert error.problems[0].line == 6
        return
    assert [list(document.entity_ids) for document in documents] == [["e1", "e2"], ["e1"]]


@pytest.mark.parametrize("last", ["(e1)", "(e1-person)"])
def test_the_last_fields_may_be_omitted(last: str, tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_text(_one_sentence([f"Entity={last}"]).replace("-other", "-other-minspan"))
    code, out, _ = run("check", path)
    assert code == 0 and out.endswith("\n0 errors, 0 warnings\n")
    assert sameas.read(path).documents[0].entities[0].mentions == (sameas.Mention.at(0, 0),)


def test_a_range_may_reach_the_last_word(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    header, *words = _one_sentence(["_", "_"]).rstrip("\n").rsplit("\n", 2)
    spelt = "\t".join(["1-2", "du", *"________"])
    path.write_text("\n".join([header, spelt, *words, "", ""]))
    code, out, _ = run("check", path)
    assert code == 0 and out.endswith("\n0 errors, 0 warnings\n")


def test_a_minimum_of_0_does_not_crash(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_text(SOUND.replace("(e2-person-3--3", "(e2-person-3--0"))
    try:
        sameas.save(sameas.read(path), tmp_path / "a.jsonl")
    except InputError as error:
        assert "min" in str(error)


def test_a_name_that_is_impossible_for_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_text(f"# newdoc id = a\0b\n1\tAnn{BLANK}\n\n# newdoc id = c\n1\tAnn{BLANK}\n\n")
    with pytest.raises(sameas.errors.SameasError):
        sameas.save(sameas.read(path), tmp_path / "folder", "brat")


def test_a_split_antecedent_of_itself_is_not_written(tmp_path: Path) -> None:
    path, other = tmp_path / "a.conllu", tmp_path / "a.conllua"
    path.write_text(SOUND.replace("e3<e4", "e4<e4"))
    try:
        sameas.save(sameas.read(path), other)
    except InputError:
        return
    sameas.read(other)


@pytest.mark.parametrize("ending", ["conllu", "jsonl", "conllua", "csv", "tsv"])
def test_a_file_survives_other_formats(ending: str, key: Path, tmp_path: Path) -> None:
    other = tmp_path / f"other.{ending}"
    sameas.save(sameas.read(key), other)
    assert sameas.score(key, other)["conll"].f1 == 1


@pytest.mark.parametrize("ending", ["jsonl", "conllua"])
def test_a_file_survives_a_round_trip(ending: str, key: Path, tmp_path: Path) -> None:
    other, back = tmp_path / f"other.{ending}", tmp_path / "back.conllu"
    sameas.save(sameas.read(key), other)
    sameas.save(sameas.read(other), back)
    assert sameas.score(key, back)["conll"].f1 == 1


# ---------------------------------------------------------------------------------------------
# Large and deeply nested files
# ---------------------------------------------------------------------------------------------


def _one_sentence(cells: list[str]) -> str:
    head = "# newdoc id = a\n# global.Entity = eid-etype-head-other\n"
    rows = (f"{n}\tw{BLANK.removesuffix(chr(9) + '_')}\t{cell or '_'}\n"
            for n, cell in enumerate(cells, 1))  # fmt: skip
    return head + "".join(rows) + "\n"


def test_ten_thousand_nested_brackets(tmp_path: Path) -> None:
    count = 10_000
    path = tmp_path / "deep.conllu"
    cells = ["Entity=(e--1-"] * count + ["Entity=e)"] * count
    path.write_text(_one_sentence(cells))
    document = sameas.read(path).documents[0]
    assert document.first is not None and document.last is not None
    spans = sorted(zip(document.first.tolist(), document.last.tolist(), strict=True))
    assert spans == [(n, 2 * count - 1 - n) for n in range(count)]


def test_a_mention_of_a_thousand_pieces(tmp_path: Path) -> None:
    path = tmp_path / "pieces.conllu"
    cells = [f"Entity=(e[{n // 2 + 1}/1000]--1-)" if n % 2 == 0 else "" for n in range(2000)]
    path.write_text(_one_sentence(cells))
    (entity,) = sameas.read(path).documents[0].entities
    assert entity.mentions[0].spans == tuple((n, n) for n in range(0, 2000, 2))  # type: ignore[attr-defined]


def test_a_sentence_with_many_empty_nodes(tmp_path: Path) -> None:
    path = tmp_path / "zeros.conllu"
    zeros = "".join(f"1.{n}\t_{BLANK.removesuffix(chr(9) + '_')}\tEntity=(e--1-)\n"
                    for n in range(1, 1000))  # fmt: skip
    path.write_text(_one_sentence(["Entity=(e--1-)"]).rstrip("\n") + "\n" + zeros + "\n")
    document = sameas.read(path).documents[0]
    assert document.mention_count == 1000
    assert len(set(document.mentions)) == 1000


def test_a_broken_document_does_not_hide_the_next(tmp_path: Path) -> None:
    path = tmp_path / "two.conllu"
    path.write_text(SOUND.replace("\tEntity=e2)\n", "\t_\n").replace("\tEntity=e22)\n", "\t_\n"))
    code, out, _ = run("check", path)
    assert code == 1
    assert f"{path}:6:" in out and f"{path}:43:" in out
    assert out.endswith("\n2 errors, 0 warnings\n"), out


def test_many_problems_are_counted(key: Path, tmp_path: Path) -> None:
    path = tmp_path / "many.conllu"
    path.write_text(SOUND.replace("\t", " "))
    code, _, err = run("score", key, path)
    assert code == 1
    assert len(err.split("\n")) < 60 and "more problems" in err
