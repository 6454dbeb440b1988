"""brat standoff: reading, writing, and errors."""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from sameas.documents.document import Document, Entity, Mention, WrittenText
from sameas.errors import InputError, Problem, SameasError
from sameas.formats.brat.read import CharacterText, read_brat
from sameas.formats.brat.write import write_brat
from sameas.formats.writing import losses
from sameas.notes import Note
from saying import codes, has, is_at, raises_problems

TEXT = "Ann Lee met Bob.\n\nShe naïvely thanked him — “😀”.\n"


def bound(id: str, type: str, *pieces: str, text: str = TEXT) -> str:
    """Return a text-bound annotation of these pieces, which follow each other in the text."""
    offsets, end = [], 0
    for piece in pieces:
        start = text.index(piece, end)
        end = start + len(piece)
        offsets.append(f"{start} {end}")
    return f"{id}\t{type} {';'.join(offsets)}\t{' '.join(pieces)}\n"


ANN = bound("T1", "Person", "Ann Lee")
BOB = bound("T2", "Person", "Bob")
SHE = bound("T3", "Person", "She")
HIM = bound("T4", "Person", "him")


def only(ann: str, text: str | None = TEXT) -> Document:
    corpus = read_brat(ann.encode(), None if text is None else text.encode(), "x/f.ann")
    assert list(corpus.problems) == [] and corpus.format == "brat"
    return corpus.documents[0]


def clusters(document: Document) -> dict[str, list[Hashable]]:
    return {
        entity.id: [m.identity for m in entity.mentions if isinstance(m, Mention)]
        for entity in document.entities
    }


def problems(ann: str, text: str = TEXT) -> Sequence[Problem]:
    return read_brat(ann.encode(), text.encode(), "f.ann").problems


def refusal(ann: str | bytes, text: bytes = TEXT.encode()) -> Problem:
    ann = ann.encode() if isinstance(ann, str) else ann
    with pytest.raises(InputError) as caught:
        read_brat(ann, text, "f.ann")
    assert read_brat(ann, text, "f.ann", refuse=False).problems == list(caught.value.problems)
    return next(problem for problem in caught.value.problems if problem.severity == "error")


def test_equivalences_make_entities_and_the_rest_are_singletons() -> None:
    document = only(ANN + BOB + SHE + HIM + "*\tCoref T1 T3\n")
    assert document.name == "f" and document.origin.unnamed
    assert document.unit == "character"
    assert clusters(document) == {"T1": [(0, 6), (18, 20)], "T2": [(12, 14)], "T4": [(38, 40)]}
    assert [entity.type for entity in document.entities] == ["Person"] * 3
    assert document.text.token_count == len(TEXT)
    assert document.sentences == () and document.text.rows() is None
    assert document.place(2) == (3, 1)


def test_the_caller_names_the_document() -> None:
    document = read_brat(b"", b"", "f.ann", name="news/1").documents[0]
    assert document.name == "news/1" and not document.origin.unnamed
    assert document.mention_count == 0


@pytest.mark.parametrize("type", ["Coref", "COREFERENCE", "Equiv", "identity", "Ident", "SameAs", "alias"])  # fmt: skip
def test_relations_of_identity_make_entities(type: str) -> None:
    links = f"R1\t{type} Arg1:T3 Arg2:T1\t\nR2\t{type} Anaphora:T4 Antecedent:T2 [T1]\n"
    assert clusters(only(ANN + BOB + SHE + HIM + links)) == {
        "T1": [(0, 6), (18, 20)],
        "T2": [(12, 14), (38, 40)],
    }


def test_links_may_come_first_and_share_mentions() -> None:
    links = "*\tCoref T1 T2\n*\tEquiv T3 T4\nR1\tCoref Arg1:T2 Arg2:T3\n"
    assert list(clusters(only(links + ANN + BOB + SHE + HIM))) == ["T1"]


def test_discontinuous_annotations() -> None:
    document = only(bound("T1", "Person", "Ann", "Bob") + bound("T2", "X", "Ann", " Lee"))
    assert clusters(document) == {"T1": [Mention(((0, 2), (12, 14)))], "T2": [(0, 6)]}


def test_offsets_count_characters() -> None:
    document = only(bound("T1", "Smile", "😀") + bound("T2", "Way", "naïvely"))
    assert clusters(document) == {"T1": [(45, 45)], "T2": [(22, 28)]}


def test_newlines_are_blanks_in_the_annotation() -> None:
    start, end = TEXT.index("Bob"), TEXT.index("She") + 3
    document = only(f"T1\tOver {start} {end}\tBob.  She\n")
    assert clusters(document) == {"T1": [(start, end - 1)]}


def test_other_annotations_are_counted_and_kept() -> None:
    others = "R1\tKnows Arg1:T1 Arg2:T2\nR2\tKnows Arg1:T2 Arg2:T1\nE1\tMeet:T1 Who:T2\n"
    others += "A1\tNegated E1\nM1\tSpeculated E1\nN1\tReference T1 Wiki:5\tAnn\n"
    others += "#1\tAnnotatorNotes T1\tsure?\n*\tEquiv E1 E2\nE2\tMeet:T2\n"
    corpus = read_brat((ANN + BOB + others).encode(), TEXT.encode(), "f.ann")
    assert {problem.code for problem in corpus.problems} == {"brat-passed"}
    assert [(p.line, p.values["how"], p.values["which"]) for p in corpus.problems] == [
        (3, "relations", "Knows 2"),
        (5, "events", "Meet 2"),
        (6, "attributes", "Negated 1, Speculated 1"),
        (8, "normalisations", "Reference 1"),
        (9, "notes", "AnnotatorNotes 1"),
        (10, "links", "Equiv 1"),
    ]
    assert write_brat(corpus.documents[0]) == (TEXT, ANN + BOB + others)


def test_offsets_are_read_without_a_text() -> None:
    corpus = read_brat(b"T1\tPerson 5 9\tAnyone\n", None, "x/f.ann")
    (problem,) = corpus.problems
    assert has(problem, "no-text", path="x/f.ann", line=1, severity="warning", stem="f")
    document = corpus.documents[0]
    assert document.mentions == [(5, 8)] and document.text.token_count == 9
    with raises_problems("write-no-text", document="f"):
        write_brat(document)
    with raises_problems("characters-unknown", document="f"):
        document.text.tokenised(document)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("ann", "expected"),
    [
        ("T1\tPerson 0 3\tAnna\n", (1, 15, "text-differs", "T1", "Anna", "Ann")),
        ("T1\tPerson 1 4\tAnn\n", (1, 15, "text-differs", "near", "Ann", "nn ", 0, 3)),
        ("T1\tPerson 0 999\tAnn\n", (1, 11, "beyond-text", "T1", 999)),
        ("T1\tPerson 3 3\t\n", (1, 11, "not-offsets", "3 3")),
        ("T1\tPerson 0 5;3 7\tAnn\n", (1, 11, "not-offsets", "0 5;3 7")),
        ("T1\tPerson 0 3 Ann\n", (1, 4, "not-text-bound", "Person 0 3 Ann")),
        ("T1\tPerson 0 3\n", (1, 4, "not-text-bound", "Person 0 3")),
        ("T1\tPerson zero 3\tAnn\n", (1, 4, "not-text-bound")),
        ("T1 Person 0 3 Ann\n", (1, 1, "not-annotation", "T1 Person 0 3 Ann")),
        ("hello\n", (1, 1, "not-annotation", "hello")),
        (ANN + ANN, (2, 1, "id-twice", "T1", 1)),
        (ANN + "R1\tCoref Arg1:T1 Arg2:T9\n", (2, 4, "annotation-lacks", "Coref", "T9")),
        (ANN + "R1\tCoref T1 T1\n", (2, 4, "not-relation", "Coref T1 T1")),
        (ANN + "*\tCoref T1\n", (2, 3, "short-link")),
        (ANN + "E1\tMeet:T1\nE1\tMeet:T1\n", (3, 1, "id-twice", "E1", 2)),
    ],
)
def test_errors_in_a_line(ann: str, expected: tuple[Any, ...]) -> None:
    assert is_at(refusal(ann), *expected)


def test_other_encodings_are_refused() -> None:
    problem = refusal(b"T1\tPerson 0 3\tAnn\nT2\tX 4 7\t\xfc\n")
    assert is_at(problem, 2, 10, "brat-encoding", "annotation")
    assert is_at(refusal(b"", b"a\n\xfcber"), 1, 1, "brat-encoding", "text", 2, 1)


def test_cr_lf_is_read() -> None:
    text = TEXT.replace("\n", "\r\n")  # these are characters of the text
    ann = (
        bound("T1", "X", "Ann", text=text) + bound("T2", "X", "She", text=text) + "*\tCoref T1 T2\n"
    )
    assert problems(ann, text) == []
    assert codes(problems(ann.replace("\n", "\r\n"), text)) == ["crlf"]


# Tokens


def test_tokens_are_words_and_signs_split_at_mentions() -> None:
    text = "Don't re-read Ännchen's राम।\n\n  \nYes\r\n"
    ann = bound("T1", "X", "chen", text=text) + bound("T2", "X", "re-read ", "Yes", text=text)
    document = only(ann, text)
    assert isinstance(document.text, CharacterText)
    tokens = document.text.tokenised(document)
    assert tokens.sentences == (
        ("Don", "'", "t", "re", "-", "read", "Änn", "chen", "'", "s", "राम", "।"),
        ("Yes",),
    )
    assert tokens.unit == "token"
    assert clusters(tokens) == {"T1": [(7, 7)], "T2": [Mention(((3, 5), (12, 12)))]}
    assert [entity.type for entity in tokens.entities] == ["X", "X"]


def test_pieces_separated_by_blanks_are_joined() -> None:
    document = only(bound("T1", "X", "Ann", "Lee"))
    assert isinstance(document.text, CharacterText)
    assert clusters(document.text.tokenised(document)) == {"T1": [(0, 1)]}


def test_a_blank_mention_has_no_tokens() -> None:
    document = only("T1\tX 3 4\t \n")
    assert isinstance(document.text, CharacterText)
    with raises_problems("blank-mention", first=3, last=4):
        document.text.tokenised(document)


# Writing


def test_a_document_of_words_is_written() -> None:
    words = WrittenText((("Ann", "Lee", "met", "Bob"), (), ("She", "left")))
    entities = [
        Entity("a", (Mention.at(0, 1), Mention.at(4, 4)), "a person"),
        Entity("b", (Mention(((1, 1), (3, 3))),)),
    ]
    text, ann = write_brat(Document("d", entities, text=words))
    assert text == "Ann Lee met Bob\n\nShe left\n"
    assert ann == (
        "T1\ta_person 0 7\tAnn Lee\nT2\ta_person 17 20\tShe\nT3\tMention 4 7;12 15\tLee Bob\n"
        "*\tCoref T1 T2\n#1\tsameas text\ttokens between blanks; untyped Mention\n"
    )
    assert clusters(only(ann, text)) == {
        "T1": [(0, 6), (17, 19)],
        "T3": [Mention(((4, 6), (12, 14)))],
    }


def test_changed_entities_of_the_same_text_are_rewritten() -> None:
    document = only(ANN + BOB + SHE + "*\tCoref T1 T3\n")
    entity = Entity("x", (Mention.at(0, 2), Mention.at(18, 20)))
    other = Document("f", [entity], text=document.text, unit="character")
    assert write_brat(other) == (
        TEXT,
        "T1\tMention 0 3\tAnn\nT2\tMention 18 21\tShe\n*\tCoref T1 T2\n"
        "#1\tsameas text\tuntyped Mention\n",
    )
    crossing = Document("f", [Entity("x", (Mention.at(12, 20),))], text=document.text)
    assert write_brat(crossing)[1].startswith("T1\tMention 12 21\tBob.  She\n#1\t")


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (Document.from_clusters("a", [["x", "y"]]), "write-no-places"),
        (Document("a", [Entity("1", (Mention.at(0, 5),))], text=WrittenText((("a",),))), "write-outside"),
        (Document("a", [Entity("1", (Mention(zeros=((0, 1),)),))], text=WrittenText((("a",),))), "write-brat-zeros"),
        (Document("a", text=WrittenText((("a", ""),))), "write-word"),
        (Document("a", text=WrittenText((("a\nb",),))), "write-word"),
    ],
)  # fmt: skip
def test_what_cannot_be_written(document: Document, code: str) -> None:
    with raises_problems(code, document="a"):
        write_brat(document)


@st.composite
def documents(draw: Any) -> Document:
    word = st.text(st.sampled_from("aé東 😀\t.-"), min_size=1, max_size=4)
    sentences = draw(st.lists(st.lists(word, max_size=4), min_size=1, max_size=3))
    count = sum(map(len, sentences))
    entities = []
    for number in range(draw(st.integers(0, 3)) if count else 0):
        mentions = []
        for _ in range(draw(st.integers(1, 3))):
            first = draw(st.integers(0, count - 1))
            last = draw(st.integers(first, count - 1))
            spans = [(first, last)]
            if last + 2 < count and draw(st.booleans()):
                spans.append((last + 2, draw(st.integers(last + 2, count - 1))))
            mentions.append(Mention(tuple(spans)))
        entities.append(Entity(str(number), tuple(mentions), draw(st.sampled_from([None, "x"]))))
    return Document("d", entities, text=WrittenText(tuple(map(tuple, sentences))))


@settings(max_examples=examples(300), deadline=None)
@given(documents())
def test_round_trip(document: Document) -> None:
    text, ann = write_brat(document)
    again = only(ann, text)
    assert [len(entity.mentions) for entity in again.entities] == [
        len(entity.mentions) for entity in document.entities
    ]
    assert write_brat(again) == (text, ann)
    again = replace(again, annotation=None)  # to write it from its mentions
    assert write_brat(again) == (text, ann.replace("\tx ", "\tMention "))
    joined = [word for sentence in document.sentences for word in sentence]
    spans = [span for entity in document.entities for m in entity.mentions for span in m.spans]  # type: ignore[attr-defined]
    found = [span for entity in again.entities for m in entity.mentions for span in m.spans]  # type: ignore[attr-defined]
    assert ["".join(text[low : high + 1].split()) for low, high in found] == [
        "".join("".join(joined[first : last + 1]).split()) for first, last in spans
    ]


# Tokens between blanks


def tokenised(document: Document) -> Document:
    assert isinstance(document.text, CharacterText)
    return document.text.tokenised(document)


@settings(max_examples=examples(300), deadline=None)
@given(documents())
def test_words_survive_a_round_trip(document: Document) -> None:
    text, ann = write_brat(document)
    again = tokenised(only(ann, text))
    assert again.sentences == tuple(words for words in document.sentences if words)
    assert [sorted(map(str, found)) for found in clusters(again).values()] == [
        sorted(map(str, found)) for found in clusters(document).values()
    ]
    assert [entity.type for entity in again.entities] == [e.type for e in document.entities]


def test_words_with_blanks_survive_a_round_trip() -> None:
    words = WrittenText((("in", "New York", "is", " "), ("It's", "3.5")))
    document = Document("d", [Entity("0", (Mention.at(1, 1), Mention.at(5, 5)))], text=words)
    text, ann = write_brat(document)
    assert "tokens between blanks but for those at 6 15; " in ann
    corpus = read_brat(ann.encode(), text.encode(), "f.ann")
    assert list(corpus.problems) == []
    again = tokenised(corpus.documents[0])
    assert again.sentences == words.words
    assert clusters(again) == {"T1": [(1, 1), (5, 5)]}


def test_a_note_about_another_text_is_ignored_with_a_warning() -> None:
    ann = "T1\tX 0 2\tIn\n#1\tsameas text\ttokens between blanks but for those at 4; untyped X\n"
    corpus = read_brat(ann.encode(), b"In New York.\n", "f.ann")
    assert codes(corpus.problems) == ["note-of-other-text"]
    assert tokenised(corpus.documents[0]).sentences == (("In", "New", "York", "."),)


def test_blanks_separate_tokens_if_punctuation_is_separated() -> None:
    ann = "T1\tX 4 9\tco-op\n"
    for text, words in (
        ("The co-op 's fine , Mr. Lee .\n", ("The", "co-op", "'s", "fine", ",", "Mr.", "Lee", ".")),
        ("The co-op is fine, Lee.\n", ("The", "co", "-", "op", "is", "fine", ",", "Lee", ".")),
    ):
        assert tokenised(only(ann, text)).sentences == (words,)


def test_mentions_that_end_inside_tokens_are_counted() -> None:
    ann = "T1\tX 4 6\tco\nT2\tX 0 3;7 9\tThe op\nT3\tX 0 3\tThe\n"
    document = only(ann, "The co-op is fine , Lee .\n")
    assert clusters(tokenised(document)) == {"T1": [(1, 1)], "T2": [(0, 1)], "T3": [(0, 0)]}
    assert losses([document], "jsonlines") == [Note("mentions-widened", count=2)]
    document = only("T1\tX 4 6\tco\nT2\tX 4 8\tcoop\n", "The coops are fine, Lee.\n")
    assert tokenised(document).sentences[0][:4] == ("The", "co", "op", "s")
    assert losses([document], "jsonlines") == [Note("words-cut", count=2)]


# Damage

SAMPLE = ANN + BOB + SHE + HIM + bound("T5", "Pair", "Ann", "Bob") + "*\tCoref T1 T3\n"
SAMPLE += (
    "R1\tCoref Arg1:T4 Arg2:T2\nR2\tKnows Arg1:T1 Arg2:T2\nE1\tMeet:T1 Who:T2\n#1\tNote T1\tsure?\n"
)
SNIPPETS = [b"\t", b" ", b";", b"\n", b"\n\n", b"*", b"T", b"T1", b"R1", b"E1", b"#", b":", b"0"]
SNIPPETS += [
    b"\xff",
    b"\r",
    b"\x00",
    b"\xc3",
    "\u2028\x85".encode(),
    b"99999999999",
    b"-1",
    b"Coref",
]
SNIPPETS += [b"*\tCoref T1 T2\n", b"T9\tX 0 3\tAnn\n", b"R1\tCoref Arg1: Arg2:\n", "²".encode()]


def case(chance: random.Random) -> tuple[bytes, bytes | None]:
    """Return the sample with damaged lines, and sometimes a damaged text."""
    ann, text = SAMPLE.encode(), TEXT.encode()
    for _ in range(chance.randint(1, 5)):
        low = chance.randrange(len(ann) + 1)
        high = min(len(ann), low + chance.choice([0, 1, 1, 2, 5, 30]))
        ann = ann[:low] + chance.choice([b"", chance.choice(SNIPPETS)]) + ann[high:]
    if chance.random() < 0.2:
        text = text[chance.randrange(4) : chance.randrange(len(text) + 1)]
    return ann, None if chance.random() < 0.3 else text


def survives(ann: bytes, text: bytes | None) -> None:
    """Check that it is read or refused with a position, and that what is read can be rewritten."""
    corpus = read_brat(ann, text, "f.ann", refuse=False)
    document = corpus.documents[0]
    assert all(
        problem.path == "f.ann" and problem.line and problem.column for problem in corpus.problems
    )
    assert document.mention_count == sum(len(entity.mentions) for entity in document.entities)
    for mention in range(document.mention_count):
        document.place(mention)
    if any(problem.severity == "error" for problem in corpus.problems):
        with pytest.raises(InputError):
            read_brat(ann, text, "f.ann")
    elif text is not None:
        written, lines = write_brat(document)
        assert (written.encode(), lines.encode()) == (text, ann)
        document = replace(document, annotation=None)
        again = only(write_brat(document)[1], written)
        assert list(clusters(again).values()) == list(clusters(document).values())
        assert isinstance(document.text, CharacterText)
        try:
            document.text.tokenised(document)
        except SameasError as error:
            assert codes(error.problems) == ["blank-mention"]


@pytest.mark.long
def test_damaged_files() -> None:
    chance = random.Random(7)
    for _ in range(1500):
        survives(*case(chance))


@settings(max_examples=examples(200), deadline=None)
@given(
    st.lists(st.sampled_from(SNIPPETS), max_size=12), st.one_of(st.none(), st.binary(max_size=20))
)
def test_snippets(parts: list[bytes], text: bytes | None) -> None:
    survives(b"".join(parts), text)


@settings(max_examples=examples(200), deadline=None)
@given(st.binary(max_size=60), st.one_of(st.none(), st.binary(max_size=20)))
def test_bytes(ann: bytes, text: bytes | None) -> None:
    survives(ann, text)


def test_labels_may_give_kinds_and_other_labels_entities() -> None:
    """LitBank has one annotation for kind and type, and one for the entity."""
    text = "Ann Lee , a smith , ran . She fell . Bo slept ."
    ann = (
        "T0\tPROP_PER 0 7\tAnn Lee\nT1\tNOM_PER 10 17\ta smith\nT2\tPRON_PER 26 29\tShe\n"
        "T3\tAnn_Lee-1 0 7\tAnn Lee\nT4\tAnn_Lee-1 26 29\tShe\nR1\tappos Arg1:T1 Arg2:T0\n"
        "T5\tPROP_PER 37 39\tBo\nT6\tBo-2 37 39\tBo\n"
    )
    corpus = read_brat(ann.encode(), text.encode())
    (document,) = corpus.documents
    clusters: dict[str, list[str]] = {}
    for (first, last), number in zip(document.mentions, document.entity.tolist(), strict=True):
        clusters.setdefault(document.entity_ids[number], []).append(text[first : last + 1])
    assert {id: sorted(some) for id, some in clusters.items()} == {
        "Ann_Lee-1": ["Ann Lee", "She", "a smith"],
        "Bo-2": ["Bo"],
    }
    kinds = dict(zip(document.mentions, document.annotation.kinds(), strict=True))
    assert kinds == {(0, 6): "name", (10, 16): "nominal", (26, 28): "pronoun", (37, 38): "name"}
    assert set(document.annotation.types()) == {"PER"}
    assert not corpus.problems


def test_labels_may_give_only_kinds() -> None:
    corpus = read_brat(b"T0\tPROP_PER 0 3\tAnn\nR1\tcop Arg1:T0 Arg2:T0\n", b"Ann ran .")
    annotation = corpus.documents[0].annotation
    assert (annotation.kinds(), annotation.types()) == (["name"], ["PER"])
    assert has(corpus.problems[0], "brat-passed", how="relations", which="cop 1")
