"""CoNLL-U with entities: reading, and writing without loss."""

from collections import Counter
from pathlib import Path

import pytest

import sameas
from corruption import KINDS, corrupt, make_key
from sameas.documents.document import INITIAL
from sameas.examples import SPANISH, example_path
from sameas.formats.conllu.read import read_conllu

GUM = """\
# newdoc id = GUM_news_x
# global.Entity = GRP-etype-infstat-salience-centering-minspan-link-identity
# meta::genre = news
# sent_id = GUM_news_x-1
# text = The old bridge
1\tThe\tthe\tDET\t_\t_\t3\tdet\t_\tEntity=(7-object-new-nnnnn-cf1-3-coref-Old_Bridge_(Y)
2\told\told\tADJ\t_\t_\t3\tamod\t_\t_
3\tbridge\tbridge\tNOUN\t_\t_\t4\tnsubj\t_\tEntity=7)|SpaceAfter=No
4\tfell\tfall\tVERB\t_\t_\t0\troot\t_\t_

""".replace("_(Y)", "-Y")


def document(text: str) -> sameas.Document:
    return read_conllu(text.encode(), "f.conllu").documents[0]


def rows(*cells: str, schema: str = "eid-etype-head-other") -> str:
    """Return a sentence; a cell is its MISC, or `ID= MISC` if the ID is not the next number."""
    lines = ["# newdoc id = a", f"# global.Entity = {schema}"]
    number = 0
    for cell in cells:
        id, _, misc = cell.rpartition("= ")
        number += not id
        lines.append(
            "\t".join([id or str(number), f"w{number}", *"______", "1:nsubj", misc or "_"])
        )
    return "\n".join(lines) + "\n\n"


def test_a_document_of_gum() -> None:
    gum = document(GUM)
    assert gum.name == "GUM_news_x" and gum.meta["genre"] == "news"
    (entity,) = gum.entities
    (mention,) = entity.mentions
    assert isinstance(mention, sameas.Mention)
    assert (entity.id, entity.type) == ("7", "object")
    assert (mention.spans, mention.minimum, mention.kind) == (((0, 2),), (2,), "nominal")
    assert gum.annotation is not None
    assert gum.annotation.column("identity") == ["Old_Bridge-Y"]  # type: ignore[attr-defined]
    assert sameas.write(gum, "conllu") == GUM


@pytest.mark.parametrize("name", SPANISH)
def test_round_trip_is_exact(name: str) -> None:
    path = example_path(name)
    assert sameas.write(sameas.read(path), "conllu") == path.read_text(encoding="utf-8")


def test_nodes_of_mentions() -> None:
    found = document(rows("0.1= Entity=(e1--1-)", "Entity=(e2--2-", "1.1= _", "Entity=e2)",
                          "Entity=(e3[1/2]--1-)", "_", "Entity=(e3[2/2]--1-)"))  # fmt: skip
    zero, with_zero, pieces = (entity.mentions[0] for entity in found.entities)
    assert (zero.spans, zero.zeros, zero.zero) == ((), ((0, INITIAL + 1),), True)
    assert (with_zero.spans, with_zero.zeros) == (((0, 1),), ((1, 1),))
    assert with_zero.head == (1, 1) and with_zero.zero
    assert (pieces.spans, pieces.head) == (((2, 2), (4, 4)), 2)


def test_nested_and_crossing_brackets() -> None:
    found = document(rows("Entity=(e1--1-(e2--1-", "Entity=(e1--1-)", "Entity=e1)(e3--1-",
                          "Entity=e2)", "Entity=e3)"))  # fmt: skip
    spans = {e.id: [m.spans[0] for m in e.mentions] for e in found.entities}
    assert spans == {"e1": [(0, 2), (1, 1)], "e2": [(0, 3)], "e3": [(2, 4)]}


def test_brackets_in_another_order_are_kept() -> None:
    text = rows("Entity=(e1--1-)(e2--1-", "Entity=(e3--1-)e2)")
    assert sameas.write(document(text), "conllu") == text


def test_fields_in_another_order() -> None:
    found = document(rows("Entity=(person-e1-1)", schema="etype-eid-head"))
    assert (found.entities[0].id, found.entities[0].type) == ("e1", "person")


def test_links() -> None:
    found = document(rows("Entity=(e1--1-)", "Entity=(e2--1-)", "Entity=(e3--1-)|SplitAnte=e1<e3,e2<e3",
                          "Bridge=e1<e4:part|Entity=(e4--1-)"))  # fmt: skip
    assert found.split_antecedents == {"e3": ("e1", "e2")}
    assert list(found.bridging) == [sameas.documents.document.Bridge("e4", "e1", "part")]


def test_a_file_in_many_parts_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    from sameas.formats.conllu import read as conllu

    data = b"".join(
        example_path("spanish.conllu").read_bytes().replace(b"libro\n", b"libro%d\n" % n)
        for n in range(3)
    )
    whole = sameas.write(read_conllu(data), "conllu")
    monkeypatch.setattr(conllu, "PART", 100)
    assert sameas.write(read_conllu(data), "conllu") == whole


@pytest.mark.long
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_of_response_survives_a_round_trip(kind: str, tmp_path: Path) -> None:
    source = example_path("spanish.conllu").read_text(encoding="utf-8")
    text = corrupt(make_key(source), kind, 1)
    corpus = read_conllu(text.encode(), "f.conllu")

    def entities(corpus: sameas.Corpus) -> list[Counter[object]]:
        return [Counter((e.id, e.mentions) for e in d.entities) for d in corpus.documents]

    again = read_conllu(sameas.write(corpus, "conllu").encode())
    assert entities(again) == entities(corpus)
    sameas.save(corpus, tmp_path / "a.jsonl")
    sameas.save(sameas.read(tmp_path / "a.jsonl"), tmp_path / "b.conllu")
    assert entities(sameas.read(tmp_path / "b.conllu")) == entities(corpus)
