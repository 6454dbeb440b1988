"""A note reports responses whose words differ from those of the key, from the first difference."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import sameas
from effort import examples
from sameas.analysis.check import check_pair
from sameas.formats.conll.read import ConllText, read_conll, same_words
from sameas.formats.conllu.read import read_conllu
from sameas.formats.jsonlines.read import read_jsonlines
from sameas.matching.wording import WordDifference as Difference
from sameas.matching.wording import find_difference
from sameas.metrics.standard import DEFAULT
from sameas.notes import Note
from sameas.run import Plan, run
from sameas.run.pieces import score_pieces
from sameas.settings import Settings
from saying import codes, has, raises_problems

TEXT = ["the old ferry left late", "it sank , and nobody saw it"]


def conll(
    *texts: str, columns: str = "{name}\t0\t{number}\t{word}\t{cell}", first: int = 0
) -> bytes:
    """Return a file of documents whose first and last words are one entity."""
    lines = []
    for number, text in enumerate(texts, start=first):
        lines.append(f"#begin document (d{number}); part 000")
        words = text.split(" ")
        for place, word in enumerate(words):
            cell = "(0)" if place in (0, len(words) - 1) else "-"
            lines.append(columns.format(name=f"d{number}", number=place, word=word, cell=cell))
        lines.append("#end document")
    return "\n".join([*lines, ""]).encode()


def jsonlines(*texts: str) -> bytes:
    return b"".join(
        json.dumps(
            {
                "doc_key": f"d{number}_0",
                "sentences": [text.split(" ")],
                "clusters": [[[0, 0], [text.count(" "), text.count(" ")]]],
            }
        ).encode()
        + b"\n"
        for number, text in enumerate(texts)
    )


OTHER = [TEXT[0], TEXT[1].replace("nobody", "somebody")]
NOTE = Note("words", count=1, names=[f"d1_0: {Difference(4, 'nobody', 'somebody')}"])


@pytest.mark.parametrize(
    "layout",
    [
        "{name}\t0\t{number}\t{word}\t{cell}",
        "{name} 0 {number} {word} {cell}",
        "{name}   0  {number} {word}     {cell}",
        "{name}\t0\t{number}\t{word}\tNN\t*\t-\t-\t-\tspeaker\t*\t{cell}",
        "{word}\t{cell}",
        "{number} {word} {cell}",
        "long/{name}/name\t0\t{number}\t{word}\t{cell} ",
    ],
)
def test_different_words_in_conll_are_noted(layout: str) -> None:
    key = read_conll(conll(*TEXT))
    response = read_conll(conll(*OTHER, columns=layout))
    assert sameas.score(key, response).notes == [NOTE]
    assert sameas.score(key, read_conll(conll(*TEXT, columns=layout))).notes == []


def test_different_words_in_jsonlines_are_noted() -> None:
    files = [read_conll(conll(*OTHER)), read_jsonlines(jsonlines(*OTHER))]
    for key in (read_conll(conll(*TEXT)), read_jsonlines(jsonlines(*TEXT))):
        for response in files:
            assert sameas.score(key, response).notes == [NOTE]
    # The ends of sentences do not matter.
    line = json.loads(jsonlines(TEXT[0]))
    line["sentences"] = [[word] for word in TEXT[0].split()]
    whole = read_jsonlines(jsonlines(TEXT[0]))
    assert sameas.score(whole, read_jsonlines(json.dumps(line).encode())).notes == []


def test_a_single_word_is_not_a_mask() -> None:
    """Several equal words are a mask; a single word is not."""
    one, other = (read_jsonlines(jsonlines(word)) for word in ("ferry", "boat"))
    note = Note("words", count=1, names=[f"d0_0: {Difference(0, 'ferry', 'boat')}"])
    assert note in sameas.score(one, other).notes


def test_several_documents_are_counted() -> None:
    key = read_conll(conll(*TEXT))
    response = read_conll(conll("an" + TEXT[0][3:], OTHER[1]))
    (note,) = sameas.score(key, response).notes
    assert has(note, "words", count=2) and note.names[0] == f"d0_0: {Difference(0, 'the', 'an')}"


def test_different_lengths_are_located() -> None:
    key = read_conll(conll(*TEXT))
    differences = {
        "the old big ferry left late": Difference(2, "ferry", "big"),
        "the old ferry": Difference(3, "left", None),
        TEXT[0] + " again": Difference(5, None, "again"),
    }
    for text, where in differences.items():
        (note,) = sameas.score(key, read_conll(conll(text, TEXT[1]))).notes
        assert has(note, "length", count=1) and note.names[0].endswith(str(where))


def test_the_reference_scorer_gets_the_note_as_well(tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(conll(*TEXT))
    (tmp_path / "response").write_bytes(conll(*OTHER))
    result = sameas.score(tmp_path / "key", tmp_path / "response", compat="conll-8.01")
    assert codes(result.notes) == ["words"]


@pytest.mark.parametrize("mask", ["_", "___", "*", "-", "[WORD]", "", "0"])
def test_masked_words_are_not_different_words(mask: str) -> None:
    masked = [" ".join([mask or "x"] * len(text.split())) for text in TEXT]
    layout = "{name}\t0\t{number}\t{word}\t{cell}" if mask else "{cell}"
    one, other = read_conll(conll(*TEXT)), read_conll(conll(*masked, columns=layout))
    assert sameas.score(one, other).notes == sameas.score(other, one).notes == []


def test_single_words_may_be_masked() -> None:
    key = read_conll(conll("the ___ ferry left late", TEXT[1]))
    assert sameas.score(key, read_conll(conll(*TEXT))).notes == []
    response = read_conll(conll("the old ferry went late", TEXT[1]))
    assert list(map(find_difference, key.documents, response.documents)) == [
        Difference(3, "left", "went"),
        None,
    ]


def test_token_numbers_are_not_different_words() -> None:
    response = read_conll(conll(*TEXT, columns="{number} {cell}"))
    assert sameas.score(read_conll(conll(*TEXT)), response).notes == []


@pytest.mark.parametrize("write", [conll, jsonlines])
@pytest.mark.parametrize("compat", [None, "conll-8.01"])
def test_pieces_give_the_same_note(tmp_path: Path, write: object, compat: str | None) -> None:
    assert callable(write)
    if compat and write is jsonlines:
        return
    texts = [f"document {number} has these words" for number in range(40)]
    others = [text.replace("these", "those") if "7" in text else text for text in texts]
    others[9] += " and more"
    key, response = tmp_path / "key", tmp_path / "response"
    key.write_bytes(write(*texts))
    response.write_bytes(write(*others))
    how = Settings() if compat is None else Settings(compat=compat, duplicates=compat)
    plan = Plan(key=str(key), responses=[str(response)], settings=how, metrics=DEFAULT)
    (at_once,) = run(plan)
    (in_pieces,) = run(replace(plan, rows=lambda plan: score_pieces(plan, piece=500, small=0)))
    assert in_pieces.notes == at_once.notes
    assert [(note.code, note.count) for note in at_once.notes] == [("words", 4), ("length", 1)]


CELLS = st.sampled_from(["-", "(0)", "(1)|(0)", "_", "*"])
COLUMNS = st.sampled_from(["a", "Ann", "New York", "", "é", "x_0", "0", "-", "(1)", "\x01", "\v"])
SEPARATORS = st.sampled_from(["\t", "\t", "\t", " ", " ", "  ", "\t ", " \t"])
LINES = st.lists(
    st.tuples(st.lists(st.tuples(COLUMNS, SEPARATORS), max_size=7), CELLS, st.sampled_from(["", " ", "\t", "\r"])),
    min_size=1,
    max_size=5,
)  # fmt: skip


def odd(lines: list[tuple[list[tuple[str, str]], str, str]]) -> ConllText:
    written = ["".join(map("".join, left)) + cell + tail for left, cell, tail in lines]
    data = "\n".join(["#begin document (a);", *written, "#end document", ""]).encode()
    text = read_conll(data, refuse=False).documents[0].text
    assert isinstance(text, ConllText)
    return text


def words(text: ConllText) -> list[str]:
    return [word.replace("\t", " ") for sentence in text.sentences() for word in sentence]


@pytest.mark.long
@settings(max_examples=examples(400), deadline=None)
@example([([("a", " "), ("b", " "), ("c", " "), ("Ann", " "), ("x", "  ")], "-", "")], 0)
@given(LINES, st.integers(0, 4))
def test_words_are_found_in_odd_lines(
    lines: list[tuple[list[tuple[str, str]], str, str]], at: int
) -> None:
    text = odd(lines)
    assert text.forms.decode() == "".join(f"{word}\t" for word in words(text))
    others = [
        (left, "(7)" if number == at else cell, tail)
        for number, (left, cell, tail) in enumerate(lines)
    ]
    for other in (odd(others), odd(lines[::-1]), odd(lines[at:] + lines[:at])):
        if same_words(text, other):
            assert words(text) == words(other)


def conllu(*sentences: str) -> bytes:
    lines = ["# global.Entity = eid-etype-head", "# newdoc id = d"]
    for number, words in enumerate(sentences):
        lines.append(f"# sent_id = {number}")
        for place, word in enumerate(words.split(" "), start=1):
            columns = [
                str(place),
                word,
                *"______",
                "_",
                "Entity=(e1-person-1)" if place == 1 else "_",
            ]
            lines.append("\t".join(columns))
        lines.append("")
    return "\n".join([*lines, ""]).encode()


@pytest.mark.parametrize("mask", ["___", "*", "WORD"])
def test_masked_words_of_conllu_are_not_different_words(mask: str) -> None:
    masked = [" ".join([mask] * len(text.split())) for text in TEXT]
    one, other = read_conllu(conllu(*TEXT)), read_conllu(conllu(*masked))
    for pair in ((one, other), (other, one)):
        assert sameas.score(*pair).notes == []
        assert check_pair(*pair) == []


def test_single_words_of_conllu_may_be_masked() -> None:
    key = read_conllu(conllu("the ___ ferry left late", TEXT[1]))
    assert sameas.score(key, read_conllu(conllu(*TEXT))).notes == []
    with raises_problems("words-differ", here_number=4, here_sentence=1, here="went"):
        sameas.score(key, read_conllu(conllu("the old ferry went late", TEXT[1])))


@pytest.mark.parametrize("masked", [["_ _ _ _ _"], ["_ _ _ _", "_ _ _ _ _ _ _ _"]])
def test_masked_texts_of_conllu_have_the_same_sentences(masked: list[str]) -> None:
    with raises_problems("words-differ"):
        sameas.score(read_conllu(conllu(*TEXT)), read_conllu(conllu(*masked)))
