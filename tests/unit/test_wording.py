"""Responses of other words than the key's are noted, wherever they begin to differ."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import sameas
from sameas.coref.check import check_pair
from sameas.coref.metrics import DEFAULT
from sameas.coref.read.conll import ConllText, read_conll, same_words
from sameas.coref.read.conllu import read_conllu
from sameas.coref.read.jsonlines import read_jsonlines
from sameas.coref.streaming import score_at_once, score_pieces
from sameas.coref.wording import Difference, find_differences
from sameas.errors import InputError
from sameas.signature import Settings

TEXT = ["the old ferry left late", "it sank , and nobody saw it"]


def conll(
    *texts: str, columns: str = "{name}\t0\t{number}\t{word}\t{cell}", first: int = 0
) -> bytes:
    """A file of documents whose first and last words are one entity."""
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
NOTE = (
    "1 document has other words in the response (d1_0: token 4 is 'somebody', and 'nobody' in the "
    "key): spans may not line up"
)


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
def test_other_words_in_conll_are_noted(layout: str) -> None:
    key = read_conll(conll(*TEXT))
    response = read_conll(conll(*OTHER, columns=layout))
    assert sameas.score(key, response).notes == [NOTE]
    assert sameas.score(key, read_conll(conll(*TEXT, columns=layout))).notes == []


def test_other_words_in_jsonlines_are_noted() -> None:
    files = [read_conll(conll(*OTHER)), read_jsonlines(jsonlines(*OTHER))]
    for key in (read_conll(conll(*TEXT)), read_jsonlines(jsonlines(*TEXT))):
        for response in files:
            assert sameas.score(key, response).notes == [NOTE]
    # Of no importance: where sentences end.
    line = json.loads(jsonlines(TEXT[0]))
    line["sentences"] = [[word] for word in TEXT[0].split()]
    whole = read_jsonlines(jsonlines(TEXT[0]))
    assert sameas.score(whole, read_jsonlines(json.dumps(line).encode())).notes == []


def test_several_documents_are_counted() -> None:
    key = read_conll(conll(*TEXT))
    response = read_conll(conll("an" + TEXT[0][3:], OTHER[1]))
    assert sameas.score(key, response).notes == [
        "2 documents have other words in the response (d0_0: token 0 is 'an', and 'the' in the "
        "key): spans may not line up"
    ]


def test_other_lengths_say_where_they_begin() -> None:
    key = read_conll(conll(*TEXT))
    said = {
        "the old big ferry left late": "token 2 is 'big', and 'ferry' in the key",
        "the old ferry": "it ends before token 3, 'left'",
        TEXT[0] + " again": "token 5 is 'again', after the end of the key",
    }
    for text, where in said.items():
        assert sameas.score(key, read_conll(conll(text, TEXT[1]))).notes == [
            f"1 document is of another length in the response (d0_0: 5 and {len(text.split())} "
            f"tokens; {where}): spans may not line up"
        ]


def test_the_reference_scorer_gets_the_note_as_well(tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(conll(*TEXT))
    (tmp_path / "response").write_bytes(conll(*OTHER))
    result = sameas.score(tmp_path / "key", tmp_path / "response", compat="conll-8.01")
    assert result.notes == [NOTE.replace("d1_0", "(d1); part 000")]


@pytest.mark.parametrize("mask", ["_", "___", "*", "-", "[WORD]", "", "0"])
def test_masked_words_are_no_other_words(mask: str) -> None:
    masked = [" ".join([mask or "x"] * len(text.split())) for text in TEXT]
    layout = "{name}\t0\t{number}\t{word}\t{cell}" if mask else "{cell}"
    one, other = read_conll(conll(*TEXT)), read_conll(conll(*masked, columns=layout))
    assert sameas.score(one, other).notes == sameas.score(other, one).notes == []


def test_single_words_may_be_masked() -> None:
    key = read_conll(conll("the ___ ferry left late", TEXT[1]))
    assert sameas.score(key, read_conll(conll(*TEXT))).notes == []
    response = read_conll(conll("the old ferry went late", TEXT[1]))
    assert find_differences(list(zip(key.documents, response.documents, strict=True))) == [
        Difference(3, "left", "went"),
        None,
    ]


def test_token_numbers_are_no_other_words() -> None:
    response = read_conll(conll(*TEXT, columns="{number} {cell}"))
    assert sameas.score(read_conll(conll(*TEXT)), response).notes == []


@pytest.mark.parametrize("write", [conll, jsonlines])
@pytest.mark.parametrize("compat", [None, "conll-8.01"])
def test_pieces_say_the_same(tmp_path: Path, write: object, compat: str | None) -> None:
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
    at_once = score_at_once(str(key), str(response), how, DEFAULT)
    in_pieces = score_pieces(str(key), [str(response)], how, DEFAULT, piece=500, small=0)
    assert in_pieces is not None and in_pieces[0].notes == at_once.notes
    assert any("4 documents have other words" in note for note in at_once.notes)
    assert any("after the end of the key" in note for note in at_once.notes)


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


@settings(max_examples=400, deadline=None)
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
        if same_words([(text, other)]) == [True]:
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
def test_masked_words_of_conllu_are_no_other_words(mask: str) -> None:
    masked = [" ".join([mask] * len(text.split())) for text in TEXT]
    one, other = read_conllu(conllu(*TEXT)), read_conllu(conllu(*masked))
    for pair in ((one, other), (other, one)):
        assert sameas.score(*pair).notes == []
        assert check_pair(*pair) == []


def test_single_words_of_conllu_may_be_masked() -> None:
    key = read_conllu(conllu("the ___ ferry left late", TEXT[1]))
    assert sameas.score(key, read_conllu(conllu(*TEXT))).notes == []
    with pytest.raises(InputError, match="word 4 of sentence 1 is 'went' here"):
        sameas.score(key, read_conllu(conllu("the old ferry went late", TEXT[1])))


@pytest.mark.parametrize("masked", [["_ _ _ _ _"], ["_ _ _ _", "_ _ _ _ _ _ _ _"]])
def test_masked_texts_of_conllu_have_the_same_sentences(masked: list[str]) -> None:
    with pytest.raises(InputError, match="word 1 of sentence 2 is"):
        sameas.score(read_conllu(conllu(*TEXT)), read_conllu(conllu(*masked)))
