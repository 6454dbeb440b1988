"""Hand-computed matching by head, part, minimum and of zeros; mention overlap; zero anaphors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import sameas
from sameas import Document, Entity, Mention
from sameas.documents.document import WrittenText
from sameas.errors import SameasError
from sameas.formats.conllu.read import read_conllu
from sameas.formats.writing import save
from sameas.notes import Note
from saying import raises, raises_problems

Counts = tuple[float, ...]


def at(first: int, last: int, head: int | None = None, minimum: Sequence[int] = ()) -> Mention:
    return Mention(((first, last),), head=first if head is None else head, minimum=tuple(minimum))


def zero(before: int, number: int = 1) -> Mention:
    return Mention(zeros=((before, number),), head=(before, number))


def document(*entities: Sequence[Mention], name: str = "d") -> Document:
    return Document(name, [Entity(str(n), tuple(found)) for n, found in enumerate(entities)])


def counts(key: Document, response: Document, metric: str, **settings: str) -> Counts:
    return sameas.score(key, response, metrics=[metric], **settings)[metric].counts


def found(ours: Mention, theirs: Mention, match: str) -> bool:
    """Return whether two mentions match, each alone in its document."""
    return counts(document([ours]), document([theirs]), "mention", match=match)[0] == 1


# --- one mention and another --------------------------------------------------------------------

# “the viewing experience of art”, with the head “experience”, is the README's example.
EXPERIENCE = at(0, 4, 2, [1, 2])


@pytest.mark.parametrize(
    ("theirs", "matches"),
    [
        (at(0, 4, 2), {"exact", "head", "partial", "min"}),
        (at(0, 4, 0), {"exact", "partial", "min"}),  # another head is another mention
        (at(1, 2, 2), {"head", "partial", "min"}),
        (at(2, 4, 2), {"head", "partial"}),  # lacks a part of the minimum
        (at(1, 2, 1), {"partial", "min"}),  # partial and min ignore heads of the response
        (at(0, 1, 1), set()),
        (at(0, 5, 2), {"head"}),  # longer than the key mention
        (at(2, 5, 2), {"head"}),
        (at(5, 6, 5), set()),
        (Mention(((0, 0), (2, 2)), head=2), {"head", "partial"}),
        (Mention(((1, 2), (4, 4)), head=2), {"head", "partial", "min"}),
        (Mention(((2, 2), (6, 6)), head=2), {"head"}),
        (Mention(((2, 2),), ((3, 1),), head=2), {"head"}),  # the zero is not in the key mention
    ],
)
def test_what_matches_what(theirs: Mention, matches: set[str]) -> None:
    for method in ("exact", "head", "partial", "min"):
        assert found(EXPERIENCE, theirs, method) == (method in matches), method


def test_a_head_outside_the_other_mention_does_not_match() -> None:
    assert not found(Mention(((0, 0),), ((1, 1),), head=(1, 1)), at(0, 0), "head")
    assert found(Mention(((0, 0),), ((1, 1),), head=(1, 1)), zero(1), "head")
    assert found(Mention(((0, 0),), ((1, 1),), head=(1, 1)), zero(1), "partial")
    assert not found(Mention(((0, 0),), ((1, 1),), head=(1, 1)), zero(1, 2), "head")


def test_mentions_of_one_head_share_a_node() -> None:
    """Objects may have a head that is not among their words."""
    assert not found(at(0, 1, 4), at(2, 3, 4), "head")
    assert found(at(0, 1, 4), at(1, 3, 4), "head")


def test_a_zero_between_words_is_not_among_them() -> None:
    pieces = ((0, 1), (3, 3))
    key = Mention(pieces, ((1, 1),), head=(1, 1), minimum=((1, 1),))
    without = Mention(pieces, head=0)
    for method in ("exact", "head", "partial", "min"):
        assert not found(key, without, method), method
    assert found(key, Mention(((0, 1),), ((1, 1),), head=(1, 1)), "partial")


def test_of_two_mentions_with_the_same_head_the_nearer_one_matches() -> None:
    key = document([at(0, 3, 1), at(6, 6)])
    response = document([at(1, 1), at(8, 8)], [at(0, 2, 1), at(6, 6)])
    for method in ("head", "partial"):
        assert counts(key, response, "muc", match=method) == (1, 1, 1, 2)


def test_of_two_equally_near_mentions_the_first_matches() -> None:
    key = document([at(0, 3, 1), at(6, 6)])
    first = [at(0, 1, 1), at(6, 6)]
    for second in (
        at(1, 2, 1),
        Mention(((1, 1), (3, 3)), head=1),
        Mention(((0, 1), (7, 7)), head=1),
    ):
        for entities in ((first, [second, at(8, 8)]), ([second, at(8, 8)], first)):
            assert counts(key, document(*entities), "muc", match="head") == (1, 1, 1, 2)


def test_an_exact_match_takes_precedence() -> None:
    """Even if another assignment would share more words."""
    key = document([at(0, 1, 0)], [at(0, 5, 0)])
    response = document([at(0, 1, 0)])
    assert counts(key, response, "ceafm", match="head") == (1, 2, 1, 1)
    assert counts(key, response, "mor", match="head") == (2, 8, 2, 2)


def test_the_total_overlap_is_maximised() -> None:
    """A greedy choice of the best pair would leave the other mentions unmatched."""
    key = document([at(0, 9, 2)], [at(1, 3, 2)])
    response = document([at(1, 4, 2)], [at(0, 0), at(2, 2)])
    # at(1, 4) shares 4/10 and 3/3; at(2, 2) 1/10 and 1/3.
    result = sameas.score(key, response, metrics=["mention", "b3"], match="head")
    assert result["mention"].counts == (2, 2, 2, 3)


def test_missing_requirements_of_a_matching() -> None:
    bare = document([Mention.at(0, 1)])
    headed = document([at(0, 1)])
    for method, sides, path in (
        ("head", (bare, headed), "the key"),
        ("head", (headed, bare), "the response"),
        ("partial", (bare, headed), "the key"),
        ("min", (headed, bare), "the key"),
    ):
        with raises("match-needs", how=method, path=path):
            sameas.score(*sides, match=method)
    assert counts(headed, bare, "mention", match="partial") == (1, 1, 1, 1)
    assert counts(headed, Document("d"), "mention", match="head") == (0, 1, 0, 0)
    assert counts(Document("d"), headed, "mention", match="head") == (0, 0, 0, 1)


def test_plain_clusters_have_no_heads() -> None:
    with raises("match-needs", how="head"):
        sameas.score([["a", "b"]], [["a", "b"]], match="head")


# --- zeros ----------------------------------------------------------------------------------------

HEADER = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"


def rows(*lines: str) -> sameas.Corpus:
    """Return a file of lines `number form dependencies brackets`; empty lines end sentences."""
    written = [
        "\t".join([*line.split()[:2], "_", "_", "_", "_", "0" if "." not in line.split()[0] else "_",
                   "_", *line.split()[2:]])
        if line else ""
        for line in lines
    ]  # fmt: skip
    return read_conllu((HEADER + "\n".join(written) + "\n\n").encode())


SUBJECT_AND_OBJECT = rows(
    "1 Ann _ Entity=(a-x-1-)", "2 Bob _ Entity=(b-x-1-)", "",
    "1 saw _ _", "1.1 _ 1:nsubj Entity=(a-x-1-)", "1.2 _ 1:obj Entity=(b-x-1-)",
)  # fmt: skip
OTHER_WAY_ROUND = rows(
    "1 Ann _ Entity=(a-x-1-)", "2 Bob _ Entity=(b-x-1-)", "",
    "1 saw _ _", "1.1 _ 1:obj Entity=(b-x-1-)", "1.2 _ 1:nsubj Entity=(a-x-1-)",
)  # fmt: skip
OBJECT_ONLY = rows(
    "1 Ann _ Entity=(a-x-1-)", "2 Bob _ Entity=(b-x-1-)", "",
    "1 saw _ _", "1.1 _ 1:obj Entity=(b-x-1-)",
)  # fmt: skip


@pytest.mark.parametrize("method", ["exact", "head", "partial"])
def test_zeros_in_another_order(method: str) -> None:
    """The example of the README in which the linear method is wrong."""
    both = {"metrics": ["muc", "zero"], "match": method}
    linear = sameas.score(SUBJECT_AND_OBJECT, OTHER_WAY_ROUND, **both, zeros="linear")
    dependent = sameas.score(SUBJECT_AND_OBJECT, OTHER_WAY_ROUND, **both, zeros="dependent")
    assert linear["muc"].counts == linear["zero"].counts == (0, 2, 0, 2)
    assert dependent["muc"].counts == dependent["zero"].counts == (2, 2, 2, 2)
    linear = sameas.score(SUBJECT_AND_OBJECT, OBJECT_ONLY, **both, zeros="linear")
    dependent = sameas.score(SUBJECT_AND_OBJECT, OBJECT_ONLY, **both, zeros="dependent")
    assert linear["zero"].counts == (0, 2, 0, 1)
    assert dependent["muc"].counts == dependent["zero"].counts == (1, 2, 1, 1)


def test_parents_without_relations_break_ties_only() -> None:
    key = rows("1 saw _ Entity=(a-x-1-)", "1.1 _ 1:nsubj Entity=(a-x-1-)", "2 it _ _")
    wrong_relation = rows("1 saw _ Entity=(a-x-1-)", "2 it _ _", "2.1 _ 1:obj Entity=(a-x-1-)")
    wrong_parent = rows("1 saw _ Entity=(a-x-1-)", "2 it _ _", "2.1 _ 2:nsubj Entity=(a-x-1-)")
    assert sameas.score(key, wrong_relation, zeros="dependent")["muc"].counts == (1, 1, 1, 1)
    assert sameas.score(key, wrong_parent, zeros="dependent")["muc"].counts == (0, 1, 0, 1)
    # Both parents right and one relation (F 1/2, 1) against one parent right (F 2/3, 2/3).
    key = rows("1 a _ Entity=(a-x-1-)", "1.1 _ 1:x|2:y Entity=(a-x-1-)", "2 b _ Entity=(b-x-1-)")
    two = rows("1 a _ Entity=(a-x-1-)", "1.1 _ 1:x|2:z Entity=(a-x-1-)",
               "1.2 _ 1:x Entity=(b-x-1-)", "2 b _ Entity=(b-x-1-)")  # fmt: skip
    result = sameas.score(key, two, zeros="dependent", metrics=["muc", "zero"])
    assert result["muc"].counts == (0, 1, 0, 2)  # the zero of b is the better one
    assert result["zero"].counts == (0, 1, 0, 1)  # and the first mention of b


def test_zeros_of_other_sentences_are_not_matched_by_their_dependencies() -> None:
    key = rows("1 a _ Entity=(a-x-1-)", "1.1 _ 1:x Entity=(a-x-1-)", "", "1 b _ _")
    response = rows("1 a _ Entity=(a-x-1-)", "", "1 b _ _", "1.1 _ 1:x Entity=(a-x-1-)")
    assert sameas.score(key, response, zeros="dependent")["muc"].counts == (0, 1, 0, 1)


def test_zeros_before_a_sentence_are_not_those_after_the_one_before() -> None:
    key = rows("1 a _ Entity=(a-x-1-)", "1.1 _ 1:x Entity=(a-x-1-)", "", "1 b _ _")
    response = rows("1 a _ Entity=(a-x-1-)", "", "0.1 _ 1:x Entity=(a-x-1-)", "1 b _ _")
    for zeros in ("linear", "dependent"):
        assert sameas.score(key, response, zeros=zeros)["mention"].counts == (1, 2, 1, 2)
        assert sameas.score(response, response, zeros=zeros)["mention"].counts == (2, 2, 2, 2)


def test_an_unmatched_zero_may_match_another_mention() -> None:
    """The case of the README in which a response mention has the wrong head."""
    key = rows("1 a _ Entity=(a-x-2-", "1.1 _ 2:x Entity=a)", "2 b _ Entity=(a-x-1-)")
    response = rows("1 a _ Entity=(a-x-1-", "1.1 _ 2:x Entity=a)", "2 b _ Entity=(a-x-1-)")
    for zeros in ("linear", "dependent"):
        assert sameas.score(key, response, zeros=zeros)["muc"].counts == (1, 1, 1, 1)
        assert sameas.score(key, response, zeros=zeros, match="partial")["muc"].f1 == 1
        assert sameas.score(key, response, zeros=zeros, match="head")["muc"].f1 == 0


def test_dropped_zeros_are_counted() -> None:
    result = sameas.score(SUBJECT_AND_OBJECT, OBJECT_ONLY, zeros="drop")
    assert result["mention"].counts == (2, 2, 2, 2)
    assert result.notes == [Note("zeros", "key", 2), Note("zeros", "response", 1)]
    result = sameas.score(SUBJECT_AND_OBJECT, OBJECT_ONLY, zeros="drop", singletons="drop")
    assert result["mention"].counts == (0, 0, 0, 0)


# --- mention overlap ------------------------------------------------------------------------------


@pytest.mark.parametrize("match", ["exact", "head", "partial"])
def test_mention_overlap_is_independent_of_the_matching(match: str) -> None:
    key = document([at(0, 3), at(6, 6)], [at(2, 5), at(8, 9)])
    response = document([at(0, 1), at(2, 6)], [at(9, 12)])
    # 0–3 with 0–1, 2–5 with 2–6, 8–9 with 9–12: 2 + 4 + 1 of 11 and 11.
    assert counts(key, response, "mor", match=match) == (7, 11, 7, 11)


def test_mention_overlap_is_the_most_that_can_be_shared() -> None:
    key = document([at(0, 9)], [at(5, 14)])
    response = document([at(4, 10)], [at(0, 3)])
    # The first two share 6, the second and third 6, the first and last 4.
    assert counts(key, response, "mor") == (10, 20, 10, 11)


def test_mention_overlap_of_pieces_and_zeros() -> None:
    key = document([Mention(((0, 1), (4, 5)), ((2, 1),))], [zero(7)])
    response = document([Mention(((1, 4),), ((2, 1),))], [zero(7, 2)])
    assert counts(key, response, "mor") == (3, 6, 3, 6)


# --- zeros as anaphors ----------------------------------------------------------------------------


def test_the_first_mention_of_an_entity_is_not_an_anaphor() -> None:
    key = document([zero(0), at(1, 1)], [at(2, 2), zero(4)])
    assert counts(key, key, "zero") == (1, 1, 1, 1)
    assert counts(key, document([at(2, 2), zero(4)]), "zero") == (1, 1, 1, 1)
    assert counts(key, document([at(1, 1), zero(4)]), "zero") == (0, 1, 0, 1)
    assert counts(key, document([zero(4)]), "zero") == (0, 1, 0, 0)
    assert counts(key, document([at(0, 0), zero(6)]), "zero") == (0, 1, 0, 1)
    assert counts(document([at(0, 0), at(1, 1)]), key, "zero") == (0, 0, 0, 1)


def test_any_earlier_antecedent_counts() -> None:
    key = document([at(0, 0), at(1, 1), zero(3), at(4, 4)])
    assert counts(key, document([at(1, 1), zero(3)]), "zero") == (1, 1, 1, 1)
    assert counts(key, document([zero(3), at(4, 4)]), "zero") == (0, 1, 0, 0)
    assert counts(key, document([at(2, 2), zero(3), at(4, 4)]), "zero") == (0, 1, 0, 1)


def test_a_mention_that_matches_a_zero_is_a_guess() -> None:
    """This holds for any mention."""
    key = document([at(0, 0), Mention(((2, 2),), ((3, 1),), head=(3, 1))])
    response = document([at(0, 0), Mention(((2, 2),), ((3, 1),), head=2)])
    assert counts(key, response, "zero") == (1, 1, 1, 1)
    assert counts(response, key, "zero") == (0, 0, 0, 1)


# --- errors ---------------------------------------------------------------------------------------


def test_zeros_without_annotation_have_no_dependencies() -> None:
    bare = document([Mention.at(0, 0), Mention(zeros=((1, 1),))])
    assert counts(bare, bare, "mention", zeros="dependent") == (2, 2, 2, 2)


def repeated(*more: Sequence[Mention]) -> Document:
    """Return two entities that share 3–3; the last one in the file begins first."""
    return document(
        *more, [Mention.at(3, 3), Mention.at(4, 4)], [Mention.at(0, 0), Mention.at(3, 3)]
    )


@pytest.mark.parametrize("duplicates", ["first", "last"])
def test_entities_of_dropped_zeros_do_not_move_repeated_mentions(duplicates: str) -> None:
    plain = repeated()
    zeros = repeated([Mention(zeros=((0, 1),)), Mention(zeros=((0, 2),))])
    settings = {"zeros": "drop", "duplicates": duplicates}
    assert counts(plain, plain, "muc", **settings) == (1, 1, 1, 1)
    assert counts(zeros, plain, "muc", **settings) == (1, 1, 1, 1)


def test_after_dropping_zeros_the_repeated_mention_is_named() -> None:
    zeros = repeated([Mention(zeros=((0, 1),)), Mention.at(7, 7)])
    with raises_problems("repeated-mention", mention="3–3", first="1", second="2"):
        sameas.score(zeros, zeros, zeros="drop", duplicates="error")


@pytest.mark.parametrize("method", ["head", "partial"])
def test_the_order_of_entities_does_not_matter(method: str) -> None:
    one = [Mention(((0, 1), (3, 3)), head=0), at(5, 5)]
    other = [Mention(((0, 0), (2, 3)), head=0), at(6, 6)]
    response = document([at(0, 0), at(5, 5)])
    assert counts(document(one, other), response, "muc", match=method) == counts(
        document(other, one), response, "muc", match=method
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Mention(((0, 1), (2, 3))), Mention.at(0, 3)),
        (Mention(((4, 5), (0, 1))), Mention(((0, 1), (4, 5)))),
        (Mention(zeros=((4, 2), (4, 1))), Mention(zeros=((4, 1), (4, 2)))),
    ],
)
def test_the_same_words_are_the_same_mention(one: Mention, other: Mention) -> None:
    assert counts(document([one]), document([other]), "mention") == (1, 1, 1, 1)


def test_the_reference_scorer_does_not_match_zeros_by_dependencies() -> None:
    settings = {"compat": "conll-8.01", "metrics": ["muc"]}
    try:
        result = sameas.score(SUBJECT_AND_OBJECT, OTHER_WAY_ROUND, zeros="dependent", **settings)
    except SameasError:
        return
    assert result["muc"].counts == (2, 2, 2, 2)


# --- annotation of some mentions ----------------------------------------------------------------

SOME = (Mention(((0, 2),), head=2), Mention.at(4, 5), Mention.at(7, 7))
OTHERS = (Mention(((0, 2),), head=2), Mention.at(4, 6), Mention.at(7, 7))


@pytest.mark.parametrize("format", ["", "conllu", "jsonl", "csv"])
def test_if_some_heads_are_known_the_others_default_to_the_first_word(
    tmp_path: Path, format: str
) -> None:
    words = WrittenText((("the", "old", "boat", "saw", "a", "big", "ship", "it"),))
    sides: list[Any] = [
        Document("d", [Entity("0", mentions)], text=words) for mentions in (SOME, OTHERS)
    ]
    if format:
        for number, side in enumerate(sides):
            sides[number] = tmp_path / f"{number}.{format}"
            save([side], sides[number])
    for match, named in (("head", ("key", "response")), ("partial", ("key",))):
        result = sameas.score(*sides, match=match, metrics=["mention"])
        assert result["mention"].f1 == (1 if match == "head" else pytest.approx(2 / 3))
        assert result.notes == [Note("headless", side, 1) for side in named]


def test_a_mention_without_a_known_head_is_not_a_zero_because_of_its_first_node() -> None:
    odd = Mention(((0, 1),), zeros=((0, 1),))
    key = document([odd, at(3, 4)])
    result = sameas.score(key, key, match="head", zeros="drop", metrics=["mention"])
    assert result["mention"].counts == (2, 2, 2, 2)


def test_key_mentions_without_a_minimum_are_counted() -> None:
    key = document([EXPERIENCE, Mention.at(6, 8)])
    result = sameas.score(key, document([at(1, 2), at(6, 7)]), match="min", metrics=["mention"])
    assert result["mention"].counts[0] == 1
    assert result.notes == [Note("no-minimum", "key", 1)]
