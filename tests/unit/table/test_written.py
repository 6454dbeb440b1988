"""Tables of mentions written, and read back to the same scores."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sameas
from effort import examples
from sameas.documents.document import INITIAL, Corpus, Document, Entity, Mention
from sameas.formats.declarations import TABLES
from sameas.formats.table.read import read_table, table_corpus
from sameas.formats.table.write import spelled, write_table
from saying import raises_problems
from unit.table.tables import MANY, pandas_frame, polars_frame, read, shapes

# --- writing ------------------------------------------------------------------------------------


def rewritten(documents: list[Document], format: str) -> Corpus:
    written = write_table(documents, format)
    assert isinstance(written, str if format in ("csv", "tsv") else bytes)
    data = written.encode() if isinstance(written, str) else written
    return read_table(data, "f", format=format)


def test_written_spans() -> None:
    entities = [
        Entity("x", (Mention(((0, 1),), head=1, kind="name"), Mention(((4, 4),))), "person"),
        Entity("a,b", (Mention(((2, 2),)),)),
    ]
    documents = [Document("d", entities, meta={"topic": "t", "other": [1]}), Document("empty")]
    assert write_table(documents, "csv") == (
        "document,start,end,entity,type,kind,head,topic\n"
        "d,0,1,x,person,name,1,t\n"
        "d,4,4,x,person,,,t\n"
        'd,2,2,"a,b",,,,t\n'
        "empty,,,,,,,\n"
    )
    assert write_table([Document.from_clusters("d", [["x", 3], ["y"]])], "tsv") == (
        "document\tmention\tentity\nd\tx\t0\nd\t3\t0\nd\ty\t1\n"
    )


def test_written_pieces_and_zeros() -> None:
    pieces = Mention(((0, 1), (3, 3)), head=0)
    zero = Mention(zeros=((7, 1),), head=(7, 1))
    initial = Mention(((5, 6),), ((7, INITIAL + 1),))
    document = Document("d", [Entity("x", (pieces, zero, initial, Mention.at(2, 4)))])
    assert write_table([document], "csv") == (
        'document,span,entity,head\nd,"0-1,3",x,0\nd,7.1,x,7.1\nd,"5-6,7.0.1",x,\nd,2-4,x,\n'
    )
    assert [spelled(mention) for mention in (pieces, zero, initial)] == [
        "0-1,3",
        "7.1",
        "5-6,7.0.1",
    ]
    mixed = Document("d", [Entity("x", (Mention.at(3, 5), Mention.at(4, 4), pieces, zero, "id"))])
    assert write_table([mixed], "csv") == (
        'document,mention,entity\nd,3-5,x\nd,4-4,x\nd,"0-1,3-3",x\nd,7.1,x\nd,id,x\n'
    )


@pytest.mark.parametrize(
    ("documents", "how"),
    [
        ([Document("")], "unnamed"),
        ([Document("a"), Document("a")], "same-name"),
        ([Document("a", [Entity("", ("m",))])], "entity-unnamed"),
        ([Document("a", [Entity("e", ("m",)), Entity("e", ("n",))])], "entity-twice"),
        ([Document("a", [Entity("e", ("",))])], "mention-unnamed"),
        ([Document.from_clusters("a", [["1", 1]])], "mention-twice"),
    ],
)
def test_what_cannot_be_written(documents: list[Document], how: str) -> None:
    with raises_problems("write-row", document=documents[0].name, how=how):
        write_table(documents, "csv")


def test_no_documents_cannot_be_written() -> None:
    with raises_problems("write-no-documents"):
        write_table([], "csv")


@pytest.mark.parametrize("format", ["csv", "parquet", "arrow"])
def test_lone_surrogates_cannot_be_written(format: str) -> None:
    pytest.importorskip("pyarrow")
    with raises_problems("write-half", how="name"):
        write_table([Document("a", [Entity("e", ("\ud800",))])], format)


def test_a_conllu_file_survives_a_round_trip() -> None:
    from sameas.formats.conllu.read import read_conllu

    text = (
        "# newdoc id = a\n# global.Entity = eid-etype-head-other\n"
        "1\tAnn\t_\tPROPN\t_\t_\t0\t_\t_\tEntity=(e1-person-1-)\n"
        "1.1\t_\t_\tPRON\t_\t_\t_\t_\t_\tEntity=(e1-person-1-)\n"
        "2\told\t_\tADJ\t_\t_\t0\t_\t_\tEntity=(e2[1/2]-place-1-)\n"
        "3\tis\t_\tVERB\t_\t_\t0\t_\t_\t_\n"
        "4\ttown\t_\tNOUN\t_\t_\t0\t_\t_\tEntity=(e2[2/2]-place-1-)\n\n"
    )
    corpus = read_conllu(text.encode(), "a.conllu")
    for format in ("csv", "tsv"):
        back = rewritten(list(corpus.documents), format)
        assert shapes(back) == shapes(corpus)
        one, other = back.documents[0].annotation, corpus.documents[0].annotation
        assert one is not None and other is not None
        assert list(one.heads()) == list(other.heads())  # type: ignore[arg-type]
        assert one.kinds() == other.kinds()


NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=4)
SPAN = st.tuples(st.integers(0, 30), st.integers(0, 4)).map(lambda p: Mention.at(p[0], p[0] + p[1]))
PIECES = st.sets(st.integers(0, 30), min_size=1, max_size=4).map(
    lambda tokens: Mention(tuple((3 * t, 3 * t + 1) for t in sorted(tokens)))
)
ZEROS = st.builds(
    lambda before, number, initial: Mention(zeros=((before, number + INITIAL * initial),)),
    st.integers(0, 9),
    st.integers(1, 3),
    st.booleans(),
)


@st.composite
def corpora(draw: st.DrawFn) -> list[Document]:
    mentions: Any = draw(st.sampled_from([SPAN, NAMES, SPAN | PIECES | ZEROS]))
    documents = []
    for name in draw(st.lists(NAMES, min_size=1, max_size=3, unique=True)):
        entities = []
        for id in draw(st.lists(NAMES, max_size=3, unique=True)):
            members = tuple(draw(st.lists(mentions, min_size=1, max_size=4)))
            if mentions is SPAN and draw(st.booleans()):
                members = tuple(Mention(m.spans, head=m.spans[0][0], kind="name") for m in members)
            entities.append(Entity(id, members, draw(st.none() | NAMES)))
        documents.append(Document(name, entities))
    return documents


@pytest.mark.parametrize("format", TABLES)
@given(documents=corpora())
@settings(max_examples=examples(60), deadline=None)
def test_round_trip(format: str, documents: list[Document]) -> None:
    if format in ("parquet", "arrow"):
        pytest.importorskip("pyarrow")
    back = rewritten(documents, format)
    assert [d.name for d in back.documents] == [d.name for d in documents]
    for one, other in zip(documents, back.documents, strict=True):
        assert other.entity_ids == one.entity_ids
        assert other.entity.tolist() == one.entity.tolist()
        assert [e.type for e in other.entities] == [e.type for e in one.entities]
        assert other.mentions == one.mentions
        for what in ("kinds", "heads"):
            given = getattr(one.annotation, what)() if one.annotation else None
            read_back = getattr(other.annotation, what)() if other.annotation else None
            assert (given is None) == (read_back is None)
            assert given is None or list(given) == list(read_back)
    assert write_table(back.documents, format) == write_table(documents, format)


# --- scores -------------------------------------------------------------------------------------


def corpus_columns(seed: int, spans: bool) -> dict[str, list[Any]]:
    rng = random.Random(seed)
    rows = []
    for document in range(4):
        for mention in rng.sample(range(40), 25):
            rows.append((f"d{document}", mention, rng.randrange(6)))
    rng.shuffle(rows)
    documents, mentions, entities = map(list, zip(*rows, strict=True))
    if not spans:
        return {"document": documents, "mention": mentions, "entity": entities}
    ends = [mention + mention % 3 for mention in mentions]  # type: ignore[operator]
    return {"document": documents, "start": mentions, "end": ends, "entity": entities}


@pytest.mark.parametrize("spans", [False, True])
def test_all_formats_give_the_same_scores(spans: bool) -> None:
    pytest.importorskip("pyarrow")
    key, response = corpus_columns(0, spans), corpus_columns(1, spans)
    clusters: list[list[Document]] = []
    for columns in (key, response):
        found: dict[str, dict[Any, list[Any]]] = {}
        for document, *mention, entity in zip(*columns.values(), strict=True):
            place = tuple(mention) if spans else mention[0]
            found.setdefault(document, {}).setdefault(entity, []).append(place)
        clusters.append([Document.from_clusters(n, c.values()) for n, c in found.items()])
    expected = sameas.score(*clusters, metrics="all")
    for one in MANY:
        for other in ("csv", "parquet"):
            result = sameas.score(read(key, one), read(response, other), metrics="all")
            for metric in expected.metrics:
                assert result[metric] == expected[metric], (one, other, metric)
    frames = [
        table_corpus(make(columns))
        for make, columns in ((pandas_frame, key), (polars_frame, response))
    ]
    assert sameas.score(*frames)["conll"].f1 == expected["conll"].f1
