"""Conversions from any format to any other, and back, add no annotation."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sameas
from effort import examples
from sameas.documents.document import Document, Entity, Mention, WrittenText, stated_heads
from sameas.formats.reading import read
from sameas.formats.writing import save
from sameas.notes import Note
from saying import raises

FORMATS = ("conll", "conllu", "jsonlines", "ua", "brat", "csv")
ENDINGS = {
    "conll": ".conll",
    "conllu": ".conllu",
    "jsonlines": ".jsonl",
    "ua": ".conllua",
    "brat": ".ann",
    "csv": ".csv",
}
WORDS = (("the", "old", "ferry", "left", "."), ("It", "'s", "late", "!"))


def convert(documents: Any, folder: Path, format: str) -> tuple[sameas.Corpus, list[Note]]:
    """Write documents in a format; return what is read back, and the notes of writing."""
    path = folder / f"d{ENDINGS[format]}"
    notes = save(documents, path)
    return read(path, role="key"), notes


def annotated(document: Document) -> dict[str, int]:
    """Count the heads, minimum spans, types and kinds of a document."""
    found = [mention for entity in document.entities for mention in entity.mentions]
    mentions = [mention for mention in found if isinstance(mention, Mention)]
    heads = stated_heads(document)
    assert document.first is not None and document.last is not None
    several = document.last > document.first  # the head of a single word is that word
    return {
        "heads": 0 if heads is None else int((several & (heads >= 0)).sum()),
        "minima": sum(bool(mention.minimum) for mention in mentions),
        "types": sum(entity.type is not None for entity in document.entities),
        "kinds": sum(mention.kind is not None for mention in mentions),
    }


@st.composite
def documents(draw: Any) -> Document:
    """Draw documents in which some mentions have heads, minimum spans, types and kinds."""
    count = sum(map(len, WORDS))
    free = list(range(count))
    entities = []
    for number in range(draw(st.integers(1, 3))):
        mentions = []
        for _ in range(draw(st.integers(1, 3))):
            if not free:
                break
            first = free[0]
            last = min(first + draw(st.integers(0, 2)), count - 1)
            free = [word for word in free if word > last]
            head = draw(st.none() | st.integers(first, last))
            minimum = draw(st.sampled_from([(), (first,), (last,)]))
            kind = draw(st.sampled_from([None, "name", "nominal"]))
            mentions.append(Mention(((first, last),), (), head, kind, minimum))
        if mentions:
            type = draw(st.sampled_from([None, "person", "Mention", "PROP_PER", "x-1"]))
            entities.append(Entity(str(number), tuple(mentions), type))
    return Document("d", entities, text=WrittenText(WORDS))


@settings(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(documents(), st.sampled_from(list(permutations(FORMATS, 2))))
def test_a_round_trip_adds_nothing(
    tmp_path: Path, document: Document, pair: tuple[str, str]
) -> None:
    first, _ = convert([document], tmp_path, pair[0])
    if pair[0] == "csv" and pair[1] != "csv":
        return  # tables have no words
    between, _ = convert(first, tmp_path, pair[1])
    before, after = annotated(first.documents[0]), annotated(between.documents[0])
    assert all(after[what] <= before[what] for what in before), (pair, before, after)
    if pair[1] != "csv":
        again, _ = convert(between, tmp_path, pair[0])
        back = annotated(again.documents[0])
        assert all(back[what] <= after[what] for what in before), (pair, after, back)


@pytest.mark.parametrize(
    "format", [format for format in FORMATS if format not in ("csv", "conllu")]
)
@pytest.mark.parametrize(
    "way", [("conllu",), ("conllu", "ua"), ("conllu", "jsonlines"), ("brat", "ua")]
)
def test_matchings_that_need_annotation_are_still_refused_or_noted(
    tmp_path: Path, format: str, way: tuple[str, ...]
) -> None:
    mentions = (Mention.at(0, 2), Mention.at(5, 6))
    corpus: Any = [Document("d", [Entity("0", mentions)], text=WrittenText(WORDS))]
    for step in (format, *way):
        corpus, _ = convert(corpus, tmp_path, step)
    entity = Entity("0", (Mention.at(0, 0), Mention.at(5, 5)))
    response = Document("d", [entity], unit=corpus.documents[0].unit)
    with raises("match-needs", how="min"):
        sameas.score(corpus, sameas.Corpus([response]), match="min")
    if way[-1] == "conllu":
        notes = sameas.score(corpus, corpus, match="head").notes
        assert Note("no-heads", "key") in notes
    else:
        with raises("match-needs", how="head"):
            sameas.score(corpus, corpus, match="head")


def test_notes_report_what_happens_to_heads(tmp_path: Path) -> None:
    first = Mention(((0, 2),), head=2)
    entity = Entity("0", (first, Mention.at(5, 6), Mention.at(8, 8)), "ferry")
    corpus, notes = convert([Document("d", [entity], text=WrittenText(WORDS))], tmp_path, "conllu")
    assert notes == [Note("write-headless", count=1)]
    cells = (tmp_path / "d.conllu").read_text()
    assert "Entity=(0-ferry-3-\n" in cells and "Entity=(0-ferry\n" in cells
    notes = list(sameas.score(corpus, corpus, match="head").notes)
    assert notes == [Note("headless", "key", 1), Note("headless", "response", 1)]
    _, notes = convert(corpus, tmp_path, "ua")
    assert Note("cannot-hold", count=2, format="ua", how="heads") in notes
    assert "Min=" not in (tmp_path / "d.conllua").read_text()


def test_minimum_spans_of_several_pieces_are_filled_in_ua(tmp_path: Path) -> None:
    entity = Entity("0", (Mention(((0, 2),), minimum=(0, 2)),))
    _, notes = convert([Document("d", [entity], text=WrittenText(WORDS))], tmp_path, "ua")
    assert notes == [Note("cannot-hold", count=1, format="ua", how="minimum-pieces")]
