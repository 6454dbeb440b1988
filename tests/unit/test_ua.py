"""Universal Anaphora files: reading, writing, and errors."""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effort import examples
from sameas.documents.document import (
    INITIAL,
    Bridge,
    Document,
    Entity,
    Mention,
    WrittenText,
    node,
    place_of,
)
from sameas.errors import InputError, Problem, SameasError
from sameas.formats.brat.read import read_brat
from sameas.formats.conllu.read import read_conllu
from sameas.formats.ua.read import read_ua
from sameas.formats.ua.write import write_ua
from sameas.formats.writing import write
from saying import codes, has, is_at, raises_problems

COLUMNS = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM"


def file_of(*rows: str, name: str = "a", gap: str = "  ") -> bytes:
    """Return a document of rows `number word IDENTITY BRIDGING` (the last two optional) or raw lines."""
    lines = [COLUMNS, f"# newdoc id = {name}"]
    for row in rows:
        cells = row.split(" ")
        if not row or row.startswith("#"):
            lines.append(row)
            continue
        identity, bridging = ([*cells[2:], "_", "_"])[:2]
        lines.append(gap.join([*cells[:2], *["_"] * 8, identity, bridging, "_", "_", "_"]))
    return "".join(line + "\n" for line in lines).encode()


def only(data: bytes) -> Document:
    corpus = read_ua(data, "f")
    assert list(corpus.problems) == [] and len(corpus.documents) == 1
    return corpus.documents[0]


def clusters(document: Document) -> dict[str, list[Hashable]]:
    return {
        entity.id: [m.identity for m in entity.mentions if isinstance(m, Mention)]
        for entity in document.entities
    }


def problems(data: bytes) -> Sequence[Problem]:
    return read_ua(data, "f").problems


def refusal(data: bytes) -> Problem:
    with pytest.raises(InputError) as caught:
        read_ua(data, "f")
    if caught.value.problems[-1].code != "no-words":
        assert read_ua(data, "f", refuse=False).problems == list(caught.value.problems)
    return next(problem for problem in caught.value.problems if problem.severity == "error")


NESTED = (
    "1 the (EntityID=1|MarkableID=m1|Min=2|SemType=dn",
    "2 door _",
    "3 of _",
    "4 my (EntityID=2|MarkableID=m2|Min=5|SemType=dn(EntityID=3|MarkableID=m3|SemType=do)",
    "5 house ))",
    "",
    "6 it (EntityID=1|MarkableID=m4)",
)


def test_openings_have_attributes_and_closings_end_the_latest() -> None:
    document = only(file_of(*NESTED))
    assert document.name == "a"
    assert document.sentences == (("the", "door", "of", "my", "house"), ("it",))
    assert clusters(document) == {"1": [(0, 4), (5, 5)], "2": [(3, 4)], "3": [(3, 3)]}
    assert document.annotation is not None
    assert document.annotation.minima() == [[node(1)], [node(4)], [], []]
    assert read_ua(file_of(*NESTED)).format == "ua"


def test_tabs_and_blanks_separate_columns_and_the_last_may_be_missing() -> None:
    blanks = only(file_of(*NESTED))
    assert clusters(only(file_of(*NESTED, gap="\t"))) == clusters(blanks)
    row = b"1\tNew York\t_\t_\t_\t_\t_\t_\t_\t_\t(EntityID=1|MarkableID=m)\t_\t_\t_\t_\n"
    assert only(row).tokens == ["New York"]
    eleven = b"1 Ann _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=m)   \n"
    assert clusters(only(eleven)) == {"1": [(0, 0)]}


def test_closings_may_come_before_and_after_openings() -> None:
    rows = (
        "1 a (EntityID=1|MarkableID=m1",
        "2 b )(EntityID=2|MarkableID=m2",
        "3 c (EntityID=3|MarkableID=m3))",
    )
    assert clusters(only(file_of(*rows))) == {"1": [(0, 1)], "2": [(1, 2)], "3": [(2, 2)]}


def test_named_closings_let_mentions_cross() -> None:
    rows = (
        "1 a (EntityID=1|MarkableID=m1",
        "2 b (EntityID=2|MarkableID=m2",
        "3 c m1)",
        "4 d m2)(EntityID=2|MarkableID=m3)",
    )
    document = only(file_of(*rows))
    assert clusters(document) == {"1": [(0, 2)], "2": [(1, 3), (3, 3)]}
    assert write_ua([document]).encode() == file_of(*rows)


def test_a_markable_that_opens_again_is_discontinuous() -> None:
    rows = (
        "1 a (EntityID=1|MarkableID=m1|Min=1",
        "2 b )",
        "3 c (EntityID=2|MarkableID=m2)",
        "4 d (EntityID=1|MarkableID=m1|Min=4)",
    )
    document = only(file_of(*rows))
    assert clusters(document) == {"1": [Mention(((0, 1), (3, 3)))], "2": [(2, 2)]}
    assert document.annotation is not None
    assert document.annotation.minima() == [[node(0)], []]  # given in the first piece
    assert write_ua([document]).encode() == file_of(*rows)


def test_zeros_are_mentions_of_their_own() -> None:
    rows = (
        "0.1 _ (EntityID=1|MarkableID=m1)",
        "1 a (EntityID=1|MarkableID=m2",
        "1.1 _ _",
        "1.2 _ (EntityID=2|MarkableID=m3)",
        "2 b )",
        "",
        "2.1 _ (EntityID=2|MarkableID=m4)",
        "3 c _",
    )
    document = only(file_of(*rows))
    assert clusters(document) == {
        "1": [Mention(zeros=((0, INITIAL + 1),)), (0, 1)],
        "2": [Mention(zeros=((1, 2),)), Mention(zeros=((2, INITIAL + 1),))],
    }
    assert document.tokens == ["a", "b", "c"]
    assert write_ua([document]).encode() == file_of(*rows)


def test_non_referring_mentions_are_in_no_entity() -> None:
    rows = (
        "1 it (EntityID=1-Pseudo|MarkableID=m1|SemType=expletive)",
        "2 rains _",
        "3 all (EntityID=2_Pseudo|MarkableID=m2|SemType=quantifier",
        "4 day )",
        "5 it (EntityID=1|MarkableID=m3)",
    )
    document = only(file_of(*rows))
    assert clusters(document) == {"1": [(4, 4)]}
    assert list(document.non_referring) == [(0, 0), (2, 3)]
    assert write_ua([document]).encode() == file_of(*rows)


def test_elements_make_split_antecedents() -> None:
    rows = (
        "1 Ann (EntityID=1|MarkableID=m1|ElementOf=3,4)",
        "2 Bob (EntityID=2|MarkableID=m2|ElementOf=3)",
        "3 him (EntityID=2|MarkableID=m3|ElementOf=3)",
        "4 they (EntityID=3|MarkableID=m4)",
        "5 we (EntityID=4|MarkableID=m5)",
    )
    document = only(file_of(*rows))
    assert document.split_antecedents == {"3": ("1", "2"), "4": ("1",)}
    assert write_ua([document]).encode() == file_of(*rows)


def test_bridging_links_entities() -> None:
    rows = (
        "1 house (EntityID=1|MarkableID=m1)",
        "2 door (EntityID=2|MarkableID=m2) (MarkableID=m2|Rel=poss|MentionAnchor=m1|EntityAnchor=1)",
        "3 roof (EntityID=3|MarkableID=m3) MarkableID=m3|EntityAnchor=1",
    )
    document = only(file_of(*rows))
    assert list(document.bridging) == [Bridge("2", "1", "poss"), Bridge("3", "1", "")]
    assert write_ua([document]).encode() == file_of(*rows)


def test_all_spellings_of_the_definition_are_read_and_normalised() -> None:
    rows = (
        "1 his (EntityId=3|Markable_ID=m1|MIN=2@(EntityID=1|MentionID=m2)",
        "2 father )",
    )
    document = only(file_of(*rows))
    assert clusters(document) == {"3": [(0, 1)], "1": [(0, 0)]}
    wanted = "1 his (EntityID=3|MarkableID=m1|Min=2(EntityID=1|MarkableID=m2)"
    assert write_ua([document]).encode() == file_of(wanted, rows[1])


def test_a_mention_may_have_no_markable() -> None:
    rows = ("1 a (EntityID=1", "2 b (EntityID=1)", "3 c )")
    document = only(file_of(*rows))
    assert clusters(document) == {"1": [(0, 2), (1, 1)]}
    assert write_ua([document]).encode() == file_of(*rows)


def test_entity_types_are_in_nom_sem() -> None:
    row = (
        b"1 Ann _ _ _ _ _ _ _ _ (EntityID=1|MarkableID=m) _ _ _ (MarkableID=m|Entity_Type=person)\n"
    )
    assert only(row).entities[0].type == "person"
    document = Document("a", [Entity("1", (Mention.at(0, 0),), "person")], text=words("Ann"))
    assert only(write_ua([document]).encode()).entities[0].type == "person"


def test_other_columns_and_comments_are_kept() -> None:
    text = (
        "# global.columns = ID FORM IDENTITY SPEAKER\n# newdoc id = x/y z\n# speaker = M\n"
        "1 a (EntityID=1|MarkableID=m) M\n\n   \n# global.columns = ID FORM X IDENTITY\n"
        "# newdoc id = b\n# meta = 1\n1\tNew York\t_\t(EntityID=1|MarkableID=m)\n"
        "1-2\tdel\t_\t_\n2\tde\t_\t_\n"
    )
    corpus = read_ua(text.encode())
    assert [document.name for document in corpus.documents] == ["x/y z", "b"]
    assert write_ua(corpus.documents) == text
    assert [document.tokens for document in corpus.documents] == [["a"], ["New York", "de"]]
    assert [d.origin.line for d in corpus.documents] == [1, 7]


def test_word_numbers_may_restart_in_each_sentence() -> None:
    assert problems(file_of("1 a", "2 b", "", "1 c", "2 d")) == []
    assert problems(file_of("0 a", "1 b", "2 c")) == []  # as converters count
    (problem,) = problems(file_of("1 a", "3 b", "7 c"))
    assert is_at(problem, 4, 1, "word-number", 2, 3) and problem.severity == "warning"
    (problem,) = problems(file_of("1 a", "1.2 b"))
    assert is_at(problem, 4, 1, "zero-number", "1.1", "1.2") and problem.severity == "warning"


def test_documents_without_a_name() -> None:
    corpus = read_ua(b"1 a _ _ _ _ _ _ _ _ _\n\n# newdoc\n1 b _ _ _ _ _ _ _ _ _\n", "x/news.ua")
    assert [document.name for document in corpus.documents] == ["news", "news (2)"]
    assert all(document.origin.unnamed for document in corpus.documents)
    assert len(read_ua(b"# newdoc id = a\n").documents) == 1
    joined = write_ua([corpus.documents[0], corpus.documents[0]])
    assert [document.name for document in read_ua(joined.encode()).documents] == [
        "document",
        "news",
    ]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("1 a (EntityID=1|MarkableID=m", (31, "never-closed", "m")),
        ("1 a (EntityID=1", (31, "never-closed", "unnamed", "1")),
        ("1 a )", (31, "not-opened", "unnamed")),
        ("1 a m)", (31, "not-opened", "m")),
        ("1 a (MarkableID=m)", (31, "no-entity-id", "MarkableID=m")),
        ("1 a (EntityID=1|m)", (31, "not-attributes", "EntityID=1|m")),
        ("1 a 5", (31, "outside-brackets", "5")),
        ("1 a (EntityID=1|MarkableID=m)(EntityID=2|MarkableID=m)", (56, "two-entities", "m", "1", "2")),
        ("1 a (EntityID=1|MarkableID=m)(EntityID=1|MarkableID=m)", (56, "overlapping-pieces", "m")),
        ("1.1 a (EntityID=1|MarkableID=m", (33, "open-at-zero")),
        ("1-2 a (EntityID=1|MarkableID=m)", (1, "range-mention")),
        ("x a _", (1, "node-number", "x")),
        ("1 a (EntityID=1|MarkableID=m|ElementOf=1)", (31, "own-element", "1")),
        ("1 a (EntityID=1|MarkableID=m) (x)", (59, "not-bridging", "x")),
    ],
)  # fmt: skip
def test_errors_in_a_line(row: str, expected: tuple[Any, ...]) -> None:
    assert is_at(refusal(file_of(row)), 3, *expected)


def test_problems_of_columns() -> None:
    problem = refusal(b"1 Ann _ (EntityID=1|MarkableID=m)\n")
    assert is_at(problem, 1, 1, "ua-columns", 4, 11)
    problem = refusal(b"# global.columns = ID FORM\n1 a\n")
    assert has(problem, "lacking-columns", line=1, lacking=["IDENTITY"])
    assert is_at(refusal(b""), 1, 1, "no-words")
    assert is_at(refusal(b"# text = Ann\r\n"), 1, 1, "no-words")
    (problem,) = problems(file_of("1 a").replace(b"_\n", b"_ _\n").replace(b"  ", b" "))
    assert is_at(problem, 3, 31, "more-columns", 16, 15)
    (problem,) = problems(b"1 a _ _ _ _ _ _ _ _ _\n# global.columns = ID FORM IDENTITY\n")
    assert problem.code == "changed-columns"


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("1 a (EntityID=1|MarkableID=m|Min=2)", (31, "min-outside", "2", "m")),
        ("1 a (EntityID=1|Min=1-2)", (31, "min-outside", "1-2", "unnamed")),
        ("1 a (EntityID=1|ElementOf=5)", (31, "element-lacks", "mention", "1", "5")),
        ("1 a (EntityID=1)(EntityID=2-Pseudo|ElementOf=1)", (43, "element-lacks", "referent", "2-Pseudo", "1")),
        ("1 a (EntityID=1) (MarkableID=m|EntityAnchor=1)", (46, "bridging-lacks", "anaphor")),
    ],
)  # fmt: skip
def test_warnings_about_a_line(row: str, expected: tuple[Any, ...]) -> None:
    problem = problems(file_of(row))[0]
    assert is_at(problem, 3, *expected) and problem.severity == "warning"


def test_cr_lf_is_read() -> None:
    data = file_of(*NESTED).replace(b"\n", b"\r\n")
    assert codes(problems(data)) == ["crlf"]
    assert clusters(read_ua(data).documents[0]) == clusters(only(file_of(*NESTED)))


def test_the_readable_part_of_invalid_documents_is_read() -> None:
    corpus = read_ua(file_of("1 a (EntityID=1|MarkableID=m", "2 b (EntityID=2)"), refuse=False)
    assert clusters(corpus.documents[0]) == {"2": [(1, 1)]}
    assert [problem.severity for problem in corpus.problems] == ["error"]


# Writing documents from other formats


def words(*sentences: str) -> WrittenText:
    return WrittenText(tuple(tuple(sentence.split(" ")) for sentence in sentences))


def test_crossing_mentions_get_named_closing_brackets() -> None:
    entities = [Entity("e", (Mention.at(0, 2), Mention.at(1, 3)))]
    document = Document("a", entities, text=words("a b c d"))
    text = write_ua([document])
    assert "\tmarkable_1)\t" in text and clusters(only(text.encode())) == {"e": [(0, 2), (1, 3)]}


def test_conllu_keeps_its_columns_and_loses_its_ranges() -> None:
    text = (
        "# newdoc id = d\n# global.Entity = eid-etype-head-other\n# sent_id = s1\n"
        "1-2\tdel\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "1\tde\tde\tADP\t_\t_\t2\tcase\t_\tEntity=(e1-person-2-\n"
        "2\tel\tel\tDET\t_\t_\t0\troot\t_\tEntity=e1)|SpaceAfter=No\n"
        "2.1\t_\t_\tPRON\t_\t_\t_\t_\t2:nsubj\tEntity=(e1-person-1-)|SplitAnte=e1<e2,e3<e2\n\n"
        "# sent_id = s2\n1\ty\ty\tX\t_\t_\t0\troot\t_\tEntity=(e3-place-1-)(e2--1-)|Bridge=e1<e3:part\n\n"
    )
    document = read_conllu(text.encode()).documents[0]
    written = write_ua([document]).split("\n")
    assert written[2:8] == [
        "# sent_id = s1",
        "1\tde\tde\tADP\t_\t_\t2\tcase\t_\t_\t(EntityID=e1|MarkableID=markable_1|ElementOf=e2\t_\t_\t_\t(MarkableID=markable_1|Entity_Type=person)",
        "2\tel\tel\tDET\t_\t_\t0\troot\t_\tSpaceAfter=No\t)\t_\t_\t_\t_",
        "2.1\t_\t_\tPRON\t_\t_\t_\t_\t2:nsubj\t_\t(EntityID=e1|MarkableID=markable_2)\t_\t_\t_\t(MarkableID=markable_2|Entity_Type=person)",
        "",
        "# sent_id = s2",
    ]
    again = only("\n".join(written).encode())
    assert clusters(again) == clusters(document)
    assert again.split_antecedents == {"e2": ("e1", "e3")}
    assert list(again.bridging) == [Bridge("e3", "e1", "part")]


def test_brat_is_written_in_tokens() -> None:
    ann = b"T1\tPerson 0 3\tAnn\nT2\tPerson 9 12\tShe\n*\tCoref T1 T2\n"
    document = read_brat(ann, b"Ann ran.\nShe won.\n", name="a").documents[0]
    again = only(write(document, "ua").encode())
    assert again.sentences == (("Ann", "ran", "."), ("She", "won", "."))
    assert clusters(again) == {"T1": [(0, 0), (3, 3)]}
    assert again.entities[0].type == "Person"


def zero(before: int, number: int) -> Entity:
    """Return an entity with an empty node and the first word as mentions."""
    return Entity("1", (Mention.at(0, 0), Mention(zeros=((before, number),))))


CONLLU = read_conllu(b"1\ta" + b"\t_" * 8 + b"\n\n").documents[0]


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (Document.from_clusters("a", [["x", "y"]]), "write-no-places"),
        (Document("a", [Entity("1", (Mention.at(0, 5),))], text=words("a b")), "write-outside"),
        (Document("a", [zero(1, INITIAL + 1)], text=words("a")), "write-node-outside"),
        (Document("a", non_referring=[Mention(zeros=((0, 1),))]), "write-node-outside"),
        (Document("a", [zero(1, 2)], text=only(file_of("1 a _")).text), "write-node-outside"),
        (Document("a", [zero(1, 2)], text=CONLLU.text), "write-node-outside"),
        (Document("a", text=words("a b", "")), "write-word"),
        (Document("a", text=WrittenText((("a",), ()))), "write-empty-sentence"),
        (Document("a\nb", text=words("a")), "write-name"),
        (Document(" a", text=words("a")), "write-name"),
        (Document("", text=words("a")), "write-name"),
    ],
)
def test_what_cannot_be_written(document: Document, code: str) -> None:
    with raises_problems(code, document=document.name):
        write_ua([document])


@st.composite
def documents(draw: Any) -> Document:
    """Draw documents with everything that the format can hold."""
    lengths = draw(st.lists(st.integers(1, 5), min_size=1, max_size=3))
    count = sum(lengths)
    bounds = [sum(lengths[:n]) for n in range(len(lengths))]

    def spans(pieces: int) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        for _ in range(pieces):
            first = draw(st.integers(found[-1][1] + 2 if found else 0, count + 1))
            if first < count:
                found.append((first, draw(st.integers(first, count - 1))))
        return found

    def zeros() -> list[tuple[int, int]]:
        before = draw(st.integers(0, count))
        initial = before in bounds and (before == 0 or draw(st.booleans()))
        return [(before, draw(st.integers(1, 2)) + (INITIAL if initial else 0))]

    def mention() -> Mention:
        places = spans(draw(st.integers(1, 2)))
        empty = zeros() if not places or draw(st.integers(0, 3)) == 0 else []
        minimum: tuple[int, ...] = ()
        if places and draw(st.booleans()):
            low, high = places[0]
            first = draw(st.integers(low, high))
            minimum = tuple(range(first, draw(st.integers(first, high)) + 1))
        return Mention(tuple(places), tuple(empty), minimum=minimum)

    ids = draw(
        st.lists(st.sampled_from(["1", "e2", "x-y", "5-Pseudo", "("]), unique=True, max_size=4)
    )
    entities = [Entity(id, tuple(mention() for _ in range(draw(st.integers(1, 3))))) for id in ids]
    text = WrittenText(tuple(tuple(f"w{n}" for n in range(length)) for length in lengths))
    silent = [mention().identity for _ in range(draw(st.integers(0, 2)))]
    document = Document("d", entities, text=text, non_referring=silent)
    if len(ids) < 3:
        return document
    bridge = Bridge(ids[1], ids[0], draw(st.sampled_from(["", "part"])))
    split = {ids[0]: (ids[1], ids[2])}
    return replace(document, split_antecedents=split, bridging=[bridge])


def content(document: Document) -> tuple[Any, ...]:
    """Return the content of a document, regardless of the ids of its entities."""
    found = clusters(document)
    minima = [
        sorted((str(m.identity), [node(place) for place in m.minimum]) for m in entity.mentions)
        for entity in document.entities
    ]

    def mentions(id: str) -> list[str]:
        return sorted(map(str, found[id]))

    return (
        document.sentences,
        sorted(map(mentions, found)),
        sorted(minima),
        sorted(map(str, document.non_referring)),
        [(mentions(whole), sorted(map(mentions, parts))) for whole, parts in document.split_antecedents.items()],
        [(mentions(link.anaphor), mentions(link.antecedent), link.relation) for link in document.bridging],
    )  # fmt: skip


@settings(max_examples=examples(300), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(documents())
def test_round_trip(document: Document) -> None:
    text = write_ua([document, document])
    corpus = read_ua(text.encode(), "f")
    assert [problem for problem in corpus.problems if problem.severity == "error"] == []
    for again in corpus.documents:
        assert content(again) == content(document)
    assert write_ua(corpus.documents) == text


# Damage

SAMPLE = (
    file_of(*NESTED)
    + b"\n"
    + file_of(
        "1 Ann (EntityID=1|MarkableID=m1|Min=1|ElementOf=3)",
        "1.1 _ (EntityID=2|MarkableID=m2|ElementOf=3)",
        "2 they (EntityID=3|MarkableID=m3",
        "3 all )(EntityID=1-Pseudo|MarkableID=m4) (MarkableID=m3|Rel=x|MentionAnchor=m1)",
        name="b",
        gap="\t",
    )
)
SNIPPETS = [b"(", b")", b"((", b"))", b"|", b"=", b"@", b"\t", b" ", b"\n", b"\n\n", b"#", b"_"]
SNIPPETS += [b"\xff", b"\r", b"\x00", b"\xc3", "\u2028\x85\u3000".encode(), b"EntityID=", b"Min=9"]
SNIPPETS += [b"# newdoc id = c\n", b"# global.columns = ID FORM IDENTITY\n", b"1.1", b"99999999999"]
SNIPPETS += [b"(EntityID=1|MarkableID=m1", b"ElementOf=1", b"-Pseudo", b"m1)", b"1-2", "²".encode()]


def damaged(data: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.randint(1, 6)):
        low = chance.randrange(len(data) + 1)
        high = min(len(data), low + chance.choice([0, 1, 1, 2, 5, 40]))
        data = data[:low] + chance.choice([b"", chance.choice(SNIPPETS)]) + data[high:]
    return data


def survives(data: bytes) -> None:
    """Check that it is read or refused with a position, and that what is read can be used."""
    try:
        corpus = read_ua(data, "f", refuse=False)
    except SameasError as error:
        assert str(error).startswith("f:")
        return
    assert all(
        problem.path == "f" and problem.line and problem.column for problem in corpus.problems
    )
    for document in corpus.documents:
        document.entities, document.sentences, repr(document)
        assert document.first is not None and document.last is not None
        assert len(document.first) == document.mention_count
        assert (document.last < document.text.token_count).all() or not document.text.token_count
        for place in document.annotation.minima() or () if document.annotation else ():
            assert all(place_of(one) is not None for one in place)
        for mention in range(document.mention_count):
            document.place(mention)
    if any(problem.severity == "error" for problem in corpus.problems):
        with pytest.raises(InputError):
            read_ua(data, "f")
        return
    again = read_ua(write_ua(corpus.documents).encode(), "f")
    assert [content(one) for one in again.documents] == [content(one) for one in corpus.documents]


@pytest.mark.long
def test_damaged_files() -> None:
    chance = random.Random(7)
    for _ in range(1500):
        survives(damaged(SAMPLE, chance))


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(st.sampled_from([*SNIPPETS, b"1 a _ _ _ _ _ _ _ _ ", b"2 b\n"]), max_size=12))
def test_snippets(parts: list[bytes]) -> None:
    survives(b"".join(parts))


@settings(max_examples=examples(200), deadline=None)
@given(st.binary(max_size=60))
def test_bytes(data: bytes) -> None:
    survives(data)
