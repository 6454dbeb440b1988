"""The CoNLL reader: its two parsers agree, and every problem has a position."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import sameas
from effort import examples
from sameas.errors import InputError
from sameas.formats.conll import items
from sameas.formats.conll import read as conll
from sameas.formats.conll.read import canonical_header, document_name, read_conll, split_name
from saying import codes, problems_of, raises_problems, says, told

Span = tuple[int, int, str]  # first token, last token, entity


def file_of(*lines: str, header: str = "(a);", end: bool = True) -> bytes:
    """Return a file of one document with these lines."""
    return "\n".join(
        [f"#begin document {header}", *lines, *(["#end document"] if end else []), ""]
    ).encode()


def mentions(document: sameas.Document) -> list[Span]:
    """Return the first and last token and the entity of each mention, in document order."""
    assert document.first is not None and document.last is not None
    return [
        (first, last, document.entity_ids[entity])
        for first, last, entity in zip(
            document.first.tolist(), document.last.tolist(), document.entity.tolist(), strict=True
        )
    ]


def refusal(data: bytes) -> list[tuple[object, ...]]:
    """Return the problems of a file that the reader refuses."""
    return told(problems_of(read_conll, data, "f"))


@contextmanager
def every_document_irregular() -> Iterator[None]:
    """Have every document read line by line."""
    pair_items = conll.pair_items

    def pair(items: object, irregular: object, order: str) -> object:
        columns = pair_items(items, irregular, order)  # type: ignore[arg-type]
        irregular[:] = True  # type: ignore[index]
        return columns

    with mock.patch.object(conll, "pair_items", pair):
        yield


def outcome(data: bytes, reference: bool) -> object:
    """Return everything that is read from a file, or the error."""
    try:
        corpus = read_conll(data, "f", reference=reference)
    except InputError as error:
        return str(error)
    return [
        (
            document.name,
            document.origin.header,
            document.origin.line,
            mentions(document),
            list(document.entity_ids),
            document.sentences,
            document.text.rows(),
        )
        for document in corpus.documents
    ], [str(problem) for problem in corpus.problems]


# --- random files -------------------------------------------------------------------------------


def nested(spans: list[Span]) -> list[Span]:
    """Return the spans without those that cross an earlier one of their entity."""
    kept: list[Span] = []
    for first, last, entity in spans:
        if all(
            other != entity
            or last < start
            or end < first
            or (start <= first and last <= end)
            or (first <= start and end <= last)
            for start, end, other in kept
        ):
            kept.append((first, last, entity))
    return kept


@st.composite
def documents(draw: st.DrawFn, ids: st.SearchStrategy[str]) -> tuple[list[str], list[Span]]:
    """Draw the cells of a document and their mentions; brackets of the same entity nest."""
    length = draw(st.integers(0, 8))
    spans: list[Span] = []
    if length:
        places = st.tuples(st.integers(0, length - 1), st.integers(0, 3), ids)
        drawn = draw(st.lists(places, max_size=8))
        spans = nested([(at, min(at + more, length - 1), id) for at, more, id in drawn])
    cells: list[list[str]] = [[] for _ in range(length)]
    for first, last, id in spans:
        if first == last:
            cells[first].append(f"({id})")
        else:
            cells[first].append(f"({id}")
            cells[last].append(f"{id})")
    return [joined(draw, draw(st.permutations(items))) for items in cells], spans


def joined(draw: st.DrawFn, items: list[str]) -> str:
    """Join the items of a cell; the bar between two of them may be missing next to a bracket."""
    if not items:
        return draw(st.sampled_from("-_*"))
    cell = items[0]
    for item in items[1:]:
        bracketed = cell.endswith(")") or item.startswith("(")
        cell += ("" if bracketed and draw(st.booleans()) else "|") + item
    return cell


WORDS = st.sampled_from(["the", "Zürich", "東京", "(7)", "3)", "a|b", "-", "12", "#", "\\", "😀"])
SEPARATORS = st.sampled_from([" ", "\t", "   ", " \t"])


@st.composite
def files(
    draw: st.DrawFn, ids: st.SearchStrategy[str], separators: st.SearchStrategy[str]
) -> tuple[bytes, list[tuple[str, list[Span]]]]:
    """Draw a file of several documents, with their names and mentions."""
    lines: list[str] = []
    expected = []
    columns = draw(st.sampled_from([1, 3, 4, 11]))
    comments = draw(st.booleans())
    for number in range(draw(st.integers(1, 4))):
        name = f"d{number}"
        lines.append(f"#begin document ({name}); part {draw(st.sampled_from(['000', '0', '00']))}")
        cells, spans = draw(documents(ids))
        for index, cell in enumerate(cells):
            word = draw(WORDS)
            row = [name, "0", str(index), word, *"xxxxxxx"][:columns] if columns > 1 else [word]
            if row[0].startswith("#"):
                row[0] = "x"
            separator = draw(separators)
            lines.append(separator.join([*row, cell]) + draw(st.sampled_from(["", "", " ", "\t"])))
            lines += draw(st.sampled_from([[], [], [""], [" "], ["", "\t"]]))
            lines += ["# a comment", "#!"] if comments and index % 3 == 2 else []
        if draw(st.integers(0, 9)):
            lines.append("#end document")
        expected.append((f"{name}_0", spans))
    newline = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    text = newline.join(lines) + (newline if draw(st.booleans()) else "")
    return text.encode(), expected


OUR_IDS = st.sampled_from(
    ["0", "1", "2", "10", "01", "e1", "x", "1234567", "12345678", "a-long-entity", "é", "a.b:c"]
)
DIGITS = st.sampled_from(["0", "1", "2", "10", "01", "1234567", "12345678", "9" * 30])


@settings(max_examples=examples(120), deadline=None)
@given(files(OUR_IDS, SEPARATORS))
def test_both_parsers_read_what_was_written(
    case: tuple[bytes, list[tuple[str, list[Span]]]],
) -> None:
    data, expected = case
    quick = outcome(data, reference=False)
    with every_document_irregular():
        slow = outcome(data, reference=False)
    assert quick == slow
    corpus = read_conll(data)
    assert [(document.name, sorted(mentions(document))) for document in corpus.documents] == [
        (name, sorted(spans)) for name, spans in expected
    ]


@settings(max_examples=examples(120), deadline=None)
@given(files(DIGITS, st.sampled_from(["\t", "\t", " "])))
def test_both_parsers_agree_in_the_reference_grammar(
    case: tuple[bytes, list[tuple[str, list[Span]]]],
) -> None:
    quick = outcome(case[0], reference=True)
    with every_document_irregular():
        slow = outcome(case[0], reference=True)
    assert quick == slow


NOISE = st.lists(
    st.lists(
        st.sampled_from(
            [*"()|12+-_*é#x \t\r\v", "12", "(1)", "(1", "1)", "(a", "a)", "(1+2)", "(12345678)"]
        ),
        max_size=7,
    ).map("".join),
    max_size=5,
)


@pytest.mark.parametrize("reference", [False, True])
@settings(max_examples=examples(250), deadline=None)
@given(NOISE)
@example(["x |"])
@example(["x (1", "x 1)", "x ||"])
@example(["(1(2)3)"])
@example(["x\t(1)\t", "x\t1)\t\r", "x (1\t-"])
@example(["(1", "2)"])
@example(["(1)1)", "(1(1)"])
@example(["1)(1", "(1)"])
def test_both_parsers_agree_on_noise(reference: bool, lines: list[str]) -> None:
    data = file_of(*lines, "x\t(7)", "y\t-")
    quick = outcome(data, reference)
    with every_document_irregular():
        slow = outcome(data, reference)
    assert quick == slow


@pytest.mark.parametrize("blank", ["\v", "\f", "\r"])
def test_both_parsers_see_the_same_cell_after_odd_blanks(blank: str) -> None:
    data = file_of(f"x{blank}(1)")
    quick = outcome(data, reference=False)
    with every_document_irregular():
        slow = outcome(data, reference=False)
    assert quick == slow


def test_both_parsers_distinguish_ids_with_a_zero_byte() -> None:
    data = file_of("x (a\0)", "y (a)")
    quick = outcome(data, reference=False)
    with every_document_irregular():
        slow = outcome(data, reference=False)
    assert quick == slow


def test_only_irregular_documents_are_read_line_by_line() -> None:
    data = b"".join(file_of(cell, header=f"({cell[-3]});") for cell in ("x (1)", "y (2+3)|(4)"))
    with mock.patch.object(items, "read_slowly", wraps=items.read_slowly) as slowly:
        first, second = read_conll(data).documents
    assert slowly.call_count == 1
    assert (mentions(first), mentions(second)) == ([(0, 0, "1")], [(0, 0, "4")])


# --- single files -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["x (1)|(2)"], [(0, 0, "1"), (0, 0, "2")]),
        (["x (1(2)", "x 1)"], [(0, 0, "2"), (0, 1, "1")]),
        (["x (1|(2", "x 1)", "x 2)"], [(0, 1, "1"), (0, 2, "2")]),
        (["x (1|(1", "x -", "x 1)", "x 1)"], [(0, 2, "1"), (0, 3, "1")]),
        (["x (1", "x 1)(1)"], [(1, 1, "1"), (0, 1, "1")]),
        (["x (1|1)"], [(0, 0, "1")]),
        (["x 1)|(1"], [(0, 0, "1")]),
        (["x (1", "x (1|1)", "x 1)"], [(1, 1, "1"), (0, 2, "1")]),
        (["x (01)|(1)"], [(0, 0, "01"), (0, 0, "1")]),
        (["x (e-1)", "x (e.1)"], [(0, 0, "e-1"), (1, 1, "e.1")]),
        (["x (12345678)", "y (12345678", "y 12345678)"], [(0, 0, "12345678"), (1, 2, "12345678")]),
        (["(1)", "-", "(2", "2)"], [(0, 0, "1"), (2, 3, "2")]),
        (["x (1)|"], [(0, 0, "1")]),
        (["x _", "x *", "x -", "x (3)"], [(3, 3, "3")]),
        ([], []),
    ],
)
def test_cells(lines: list[str], expected: list[Span]) -> None:
    corpus = read_conll(file_of(*lines))
    assert mentions(corpus.documents[0]) == expected
    assert corpus.problems == []


def test_ids_are_numbered_as_they_appear() -> None:
    document = read_conll(file_of("x (b|(a)", "x (c)", "x b)|(a)")).documents[0]
    assert list(document.entity_ids) == ["a", "b", "c"]
    assert [[m.spans for m in entity.mentions] for entity in document.entities] == [
        [((0, 0),), ((2, 2),)],
        [((0, 2),)],
        [((1, 1),)],
    ]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["a 0 0 Ann (17", "a 0 1 ran -"], [("f:2:11", "conll-unclosed", "17", "wrong")]),
        (
            ["a 0 0 Zürich -", "a\t0\t1\t東京\t17)"],
            [("f:3:10", "conll-unopened", "17")],
        ),
        (["Zürich\tx\t(1)|2"], [("f:2:10", "conll-cell", "(1)|2")]),
        (["x ()"], [("f:2:3", "conll-cell", "()")]),
        (["x |"], [("f:2:3", "conll-cell", "|")]),
        (
            ["x (1", "x ((2)", "x 2)"],
            [
                ("f:2:3", "conll-unclosed", "1", "wrong"),
                ("f:3:3", "conll-cell", "((2)"),
                ("f:4:3", "conll-unopened", "2"),
            ],
        ),
        (["word"], [("f:2:1", "conll-cell", "word")]),
    ],
)
def test_errors_have_positions(lines: list[str], expected: list[tuple[object, ...]]) -> None:
    assert refusal(file_of(*lines)) == expected


def test_brackets_do_not_span_documents() -> None:
    data = file_of("x (1", header="(a);") + file_of("x 1)", header="(b);")
    assert refusal(data) == [
        ("f:2:3", "conll-unclosed", "1", "wrong"),
        ("f:5:3", "conll-unopened", "1"),
    ]


def test_errors_beyond_twenty_are_counted() -> None:
    with pytest.raises(InputError) as caught:
        read_conll(file_of(*["x 5"] * 23), "f")
    assert str(caught.value).count(says("conll-cell", cell="5")) == 20


def test_the_readable_part_of_an_invalid_document_can_be_read() -> None:
    data = file_of("x (1", "x (2)") + file_of("y (3)", header="(b);")
    corpus = read_conll(data, "f", refuse=False)
    assert [mentions(document) for document in corpus.documents] == [[(1, 1, "2")], [(0, 0, "3")]]
    assert [problem.place for problem in corpus.problems] == ["f:2:3"]


@pytest.mark.parametrize(
    ("data", "code", "how"),
    [
        (b"", "no-header", "empty"),
        (b"\n\n", "no-header", "empty"),
        (b"x (1)\n", "no-header", "text"),
        (b"#end document\n", "no-header", "text"),
        (b"\x7fELF\0\1(\n", "other-kind", "program"),
        (b"# newdoc id = a\n1\tx\n", "no-header", "conllu"),
        (b"[{}]", "other-kind", "json-list"),
        (b"<doc>", "other-kind", "xml-root"),
    ],
)
def test_no_documents(data: bytes, code: str, how: str) -> None:
    with raises_problems(code, how=how, path="f", line=1, column=1):
        read_conll(data, "f")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_named(tmp_path: object, encoding: str) -> None:
    path = tmp_path / "f.conll"  # type: ignore[operator]
    path.write_bytes(("\ufeff" + file_of("x (1)").decode()).encode(encoding))
    with raises_problems("wide-encoding", encoding="UTF-16", path=str(path), line=1, column=1):
        sameas.read(path)


def test_a_byte_order_mark_is_skipped(tmp_path: object) -> None:
    path = tmp_path / "f.conll"  # type: ignore[operator]
    path.write_bytes(b"\xef\xbb\xbf" + file_of("x (1)"))
    corpus = sameas.read(path)
    assert [document.name for document in corpus.documents] == ["a"]
    assert corpus.problems == []


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"x (1)\n" + file_of("x (1)") + b"\ny -\n", [("f:1:1", "outside-lines", 2)]),
        (
            file_of("x (1)", end=False) + file_of("y (1)", header="(b);", end=False),
            [("f:1:1", "no-end", "a"), ("f:3:1", "no-end", "b")],
        ),
        (file_of("x (1)") + b"#end document\n", [("f:4:1", "end-without-begin")]),
        (file_of("x (1)", "# said by Ann", "#", "y (1)"), [("f:3:1", "comment-lines", 2)]),
        (file_of("x (1)", header="(a);  "), [("f:1:21", "header-blanks")]),
        (b"# begin  document (a);\nx (1)\n#end document\n", [("f:1:1", "unusual-header")]),
        (file_of("x (1)").replace(b"\n", b"\r\n"), [("f:1:1", "crlf")]),
        (file_of("x (3+5)|(1)", "y (2)"), [("f:2:3", "split-passed", "3+5")]),
        (file_of("x (3+12)", "y (2)"), [("f:2:3", "split-passed", "3+12")]),
    ],
)
def test_warnings_have_positions(data: bytes, expected: list[tuple[object, ...]]) -> None:
    found = read_conll(data, "f").problems
    assert told(found) == expected
    assert {problem.severity for problem in found} == {"warning"}


def test_a_split_antecedent_of_several_tokens_is_not_an_entity() -> None:
    corpus = read_conll(file_of("x (3+5", "y 3+5)", "z (1)"))
    assert [document.entity_ids for document in corpus.documents] == [["1"]]
    assert codes(corpus.problems) == ["split-passed"]


def test_lines_ending_in_cr_are_not_read_as_an_empty_document() -> None:
    data = file_of("x (1)").replace(b"\n", b"\r")
    try:
        corpus = read_conll(data, "f")
    except InputError:
        return
    assert [mentions(document) for document in corpus.documents] == [[(0, 0, "1")]]


@pytest.mark.parametrize(
    ("lines", "words", "comments"),
    [
        (["x (1)", "# (2)", "# -", "# x"], ["x", "#", "#"], 1),
        (["x y (1)", "# y *", "#y y (2)|(3", "#x", "z z 3)"], ["y", "y", "y", "z"], 1),
        (["x (e1)", "# (e2)", "y (e2)"], ["x", "#", "y"], 0),
        (["# (1)", "x (1)"], ["#", "x"], 0),
    ],
)
def test_a_word_that_starts_with_a_hash_is_not_a_comment(
    lines: list[str], words: list[str], comments: int
) -> None:
    corpus = read_conll(file_of(*lines))
    assert corpus.documents[0].tokens == words
    assert len(corpus.problems) == (1 if comments else 0)


def test_empty_documents_have_names_and_lines() -> None:
    corpus = read_conll(b"#begin document (a);\n#end document\n\n#begin document (b); part 001\n\n")
    assert [(d.name, d.origin.line, d.text.token_count) for d in corpus.documents] == [
        ("a", 1, 0),
        ("b_1", 4, 0),
    ]
    assert [document.sentences for document in corpus.documents] == [(), ()]


# --- names --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("(bc/cctv/00/cctv_0000); part 003", "bc/cctv/00/cctv_0000_3"),
        ("(a); part 000", "a_0"),
        ("(a);part 12", "a_12"),
        ("(a) part 012", "a_12"),
        ("(a);", "a"),
        ("(a)", "a"),
        ("  (a);  ", "a"),
        ("( a );", " a "),
        ("a", "a"),
        ("(a) and more", "(a) and more"),
        ("(a (b)); part 1", "a (b)_1"),
        ("", ""),
        ("();", ""),
        ("(a); part 0000000000", "(a); part 0000000000"),
    ],
)
def test_document_names(header: str, name: str) -> None:
    assert document_name(header) == name


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n")))
@example("a_0")
@example("a_01")
@example("_1")
@example("(a); part 001")
@example("a); part 001")
def test_the_canonical_header_has_the_name(name: str) -> None:
    assert document_name(canonical_header(name)) == name
    stem, part = split_name(name)
    assert name == (stem if part is None else f"{stem}_{part}")


def test_headers_are_kept_unchanged() -> None:
    data = (
        b"#begin document (nw/x/00); part 000 \n#end document\n#begin document  y\n#end document\n"
    )
    assert [(d.name, d.origin.header) for d in read_conll(data).documents] == [
        ("nw/x/00_0", "(nw/x/00); part 000"),
        ("y", "y"),
    ]
    assert [d.name for d in read_conll(data, reference=True).documents] == [
        "(nw/x/00); part 000 ",
        " y",
    ]


# --- words --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "sentences"),
    [
        (
            ["a 0 0 It PRP -", "a 0 1 rains VB (1)", "", "a 0 0 Yes UH -"],
            (("It", "rains"), ("Yes",)),
        ),
        (["a\t0\t0\tNew York\t(1)"], (("New York",),)),
        (["It -", " ", "", "rains (1)"], (("It",), ("rains",))),
        (["a x It -"], (("It",),)),
        (["-", "(1)"], (("", ""),)),
        (["", "", "It -", "# comment", "rains -"], (("It", "rains"),)),
        (["a 0 0 x\u00a0y N -"], (("x\u00a0y",),)),
        (["a 0 0 \u3000 N (1)"], (("\u3000",),)),
        (["a\t0\t0\tAnn (1)"], (("Ann",),)),
    ],
)
def test_sentences(lines: list[str], sentences: tuple[tuple[str, ...], ...]) -> None:
    document = read_conll(file_of(*lines)).documents[0]
    assert document.sentences == sentences
    assert document.tokens == [word for sentence in sentences for word in sentence]


def test_rows_are_the_columns_before_the_brackets() -> None:
    document = read_conll(
        file_of("a  0 0 It (1", "a 0 1 rains 1) ", "", "b\t0\t\tx y\t-")
    ).documents[0]
    assert document.text.rows() == [
        [["a", "0", "0", "It"], ["a", "0", "1", "rains"]],
        [["b", "0", "", "x y"]],
    ]
    assert document.text.place(1) == (3, 13)


def test_words_that_are_not_utf_8_are_escaped() -> None:
    document = read_conll(
        b"#begin document (\xff);\n\xfe\xe9t\xc3\xa9 (1)\n#end document\n"
    ).documents[0]
    assert (document.name, document.tokens) == ("\\xff", ["\\xfe\\xe9té"])


def test_words_are_read_on_access() -> None:
    data = file_of("a 0 0 It (1)", "a 0 1 rains (1)")
    unread = mock.PropertyMock(side_effect=AssertionError("read"))
    with mock.patch.object(conll.ConllText, "forms", unread):
        corpus = read_conll(data)
        assert sameas.score(corpus, corpus)["muc"].f1 == 1
        assert corpus.documents[0].text.token_count == 2
        with pytest.raises(AssertionError, match="read"):
            corpus.documents[0].tokens  # noqa: B018
    assert corpus.documents[0].tokens == ["It", "rains"]


# --- the reference scorer's grammar -------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["x\t(1(2)3)"], [(0, 0, "2"), (0, 0, "13")]),
        (["said (7) twice"], [(0, 0, "7")]),
        (["x (5)\t-"], []),
        (["x\t(1)\t", "y\t(1)"], [(0, 0, "1"), (1, 1, "1")]),
        (["x\t(1)\t\r", "y\t(2)"], [(1, 1, "2")]),
        (["# (3)", "y\t(2)"], [(0, 0, "3"), (1, 1, "2")]),
        (["x\t(1+2)|(3)"], [(0, 0, "3")]),
        (["x\t(1(2", "y\t2)1)"], [(0, 1, "2"), (0, 1, "1")]),
        (["x\t(01)", "y\t(1)"], [(0, 0, "01"), (1, 1, "1")]),
        (["x\t(1)", "a #end document b", "y\t(1)"], [(0, 0, "1")]),
    ],
)
def test_reference_cells(lines: list[str], expected: list[Span]) -> None:
    document = read_conll(file_of(*lines), reference=True).documents[0]
    assert mentions(document) == expected


def test_the_reference_grammar_drops_mentions_left_open_at_the_end() -> None:
    data = file_of("x\t(1", "y\t(2)", end=False)
    document = read_conll(data, "f", reference=True).documents[0]
    assert mentions(document) == [(1, 1, "2")]
    assert told(document.origin.problems) == [("f:2:3", "conll-unclosed", "1", "lost")]


def test_the_reference_grammar_reads_a_header_inside_a_document_as_a_token() -> None:
    data = b"#begin document (1)\nx\t(2)\n#begin document (3)\ny\t(4)\n#end document\n"
    first, second = read_conll(data, reference=True).documents
    assert mentions(first) == [(0, 0, "2"), (1, 1, "3"), (2, 2, "4")]
    assert mentions(second) == [(0, 0, "4")]


def test_the_reference_grammar_refuses_only_errors_in_scored_documents() -> None:
    good = file_of("x\t(1)")
    key = read_conll(good, "k", reference=True)
    response = read_conll(good + file_of("x\t(e1)", header="(b);"), "r", reference=True)
    assert sameas.score(key, response, compat="conll-8.01")["b3"].counts == (1, 1, 1, 1)
    with raises_problems("conll-unopened", entity="1", path="r", line=5, column=3):
        sameas.score(response, key, compat="conll-8.01")


def test_the_columns_of_its_document_decide_whether_a_hash_is_a_word() -> None:
    wide = file_of("a 0 0 x (0)", "a 0 1 y -", header="(a);")
    narrow = file_of("x (0)", "# -", "y (0)", header="(b);")
    (_, alone), (document,) = read_conll(wide + narrow).documents, read_conll(narrow).documents
    assert alone.tokens == document.tokens == ["x", "#", "y"]
