"""Write documents as CoNLL-U with CorefUD brackets in MISC."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from sameas.documents.document import Document, stated_heads
from sameas.documents.mentions import Bridge
from sameas.formats.conllu.annotation import ConlluAnnotation, find_id_field
from sameas.formats.conllu.text import ConlluText
from sameas.formats.nodes import (
    Brackets,
    cannot,
    first_crossing,
    ids_or_numbers,
    mention_objects,
    nodes_of,
    runs,
)

__all__ = ["write_conllu"]

_CHUNK = re.compile(r"\([^()]+\)?|[^()]+\)")
_FORBIDDEN = re.compile(r"[-=|()\[\]\s,<]")


def write_conllu(documents: Sequence[Document]) -> str:
    r"""Write documents as CoNLL-U.

    A document that was read from CoNLL-U keeps its lines, comments and other annotation. Only
    `Entity` is rewritten, in the order of CorefUD 1.0, unless the cell already has the same
    brackets in another order. In other documents, brackets have a head only if it is known:
    CorefUD allows the last fields to be omitted, and udapi then uses the first node. The id field
    is `eid`, whose ids are unique in the file, or `GRP` if documents share ids.

    >>> from sameas.documents.document import Entity, Mention, WrittenText
    >>> ann = Entity("e1", (Mention.at(0, 0),), "person")
    >>> text = write_conllu([Document("a", [ann], text=WrittenText((("Ann", "ran"),)))])
    >>> text.split("\n")[1], text.split("\n")[4].split("\t")[-1]
    ('# global.Entity = eid-etype-head-other', 'Entity=(e1-person)')
    """
    new = [document for document in documents if not isinstance(document.text, ConlluText)]
    ids = [id for document in new for id in set(document.entity_ids)]
    id_field = "GRP" if len(set(ids)) < len(ids) else "eid"
    return "".join(
        _rewrite(document, document.text, document.annotation)
        if isinstance(document.text, ConlluText)
        and isinstance(document.annotation, ConlluAnnotation)
        else _write_new(document, id_field)
        for document in documents
    )


def _rewrite(document: Document, text: ConlluText, annotation: ConlluAnnotation) -> str:
    lines = [line.decode("utf-8", "surrogateescape") for line in text.lines]
    texts = [text.decode("utf-8", "surrogateescape") for text in annotation.texts]
    nodes = {line - text.start: place for line, place in text.nodes.items()}
    cells = _cells(document, list(nodes.values()), texts, find_id_field(annotation.fields))
    for line, place in nodes.items():
        row = lines[line].split("\t")
        row[9] = _with_entity(row[9], cells.get(place, ""))
        lines[line] = "\t".join(row)
    return "\n".join(lines) + "\n"


def _write_new(document: Document, id_field: str) -> str:
    nodes = nodes_of(document)
    if "\n" in document.name or not document.name.strip():
        raise cannot(document, "write-name", format="conllu")
    if not any(nodes.sentences):
        raise cannot(document, "write-no-words", format="conllu")
    ids = written_ids(document)
    brackets = _cells(document, nodes.order, _opening_texts(document, ids), 0, ids)
    items = sorted((_link_cells(document, ids) | {"Entity": brackets}).items())
    out = [f"# newdoc id = {document.name}", f"# global.Entity = {id_field}-etype-head-other"]
    for key, value in document.meta.items():
        if isinstance(value, (str, int, float)) and re.fullmatch(r"\w+", key):
            out.append(f"# meta::{key} = {' '.join(str(value).split())}")
    name = "_".join(document.name.split())
    for number, sentence in enumerate(nodes.sentences, start=1):
        words = [nodes.form[place] for place in sentence if not place & 0xFFFF]
        if not words:
            raise cannot(document, "write-empty-sentence", number=number, format="conllu")
        out += [f"# sent_id = {name}-{number}", f"# text = {' '.join(words)}"]
        for place, (id, *rest) in zip(sentence, _numbered(sentence), strict=True):
            form = nodes.form[place]
            if not form.strip() or form != form.strip() or set(form) & set("\t\n\r\v\f"):
                raise cannot(document, "write-word", word=form, format="conllu")
            misc = [f"{key}={cells[place]}" for key, cells in items if place in cells]
            out.append("\t".join([id, form, "_", "_", "_", "_", *rest, "|".join(misc) or "_"]))
        out.append("")
    return "\n".join(out) + "\n"


def _opening_texts(document: Document, ids: Sequence[str]) -> list[str]:
    """Return the text in the opening bracket of each mention: id, type and, if known, head."""
    types = document.details.types()
    heads = stated_heads(document)
    texts = []
    for number, mention in enumerate(mention_objects(document)):
        values = [ids[int(document.entity[number])]]
        type = _FORBIDDEN.sub("_", types[number]) if types is not None else ""
        if heads is not None and int(heads[number]) in mention.nodes:
            values += [type, str(mention.nodes.index(int(heads[number])) + 1), ""]
        elif type:
            values.append(type)
        texts.append("-".join(values))
    return texts


def _numbered(sentence: Sequence[int]) -> Iterator[tuple[str, str, str, str]]:
    """Yield ID, HEAD, DEPREL and DEPS of each node of a sentence."""
    word, zero = 0, 0
    for place in sentence:
        if place & 0xFFFF:
            zero += 1
            yield f"{word}.{zero}", "_", "_", f"{word}:dep"
        else:
            word, zero = word + 1, 0
            yield str(word), "0" if word == 1 else "1", "_", "_"


def written_ids(document: Document) -> list[str]:
    """Return the ids of the entities if brackets can represent all of them, else e1, e2, …."""
    fits = (lambda id: id and not _FORBIDDEN.search(id), lambda number: f"e{number + 1}")
    return ids_or_numbers(document, *fits)


def _link_cells(document: Document, ids: Sequence[str]) -> dict[str, dict[int, str]]:
    """Return the cells of `SplitAnte` and of `Bridge`, keyed by the anaphor's first node."""
    first: dict[str, int] = {}
    written = dict(zip(document.entity_ids, ids, strict=True))
    for number, mention in enumerate(mention_objects(document)):
        id = document.entity_ids[int(document.entity[number])]
        first.setdefault(id, mention.nodes[0])
    links = [
        ("SplitAnte", Bridge(anaphor, antecedent))
        for anaphor, antecedents in document.split_antecedents.items()
        for antecedent in antecedents
    ]
    links += [("Bridge", link) for link in document.bridging]
    found: dict[str, dict[int, str]] = {"SplitAnte": {}, "Bridge": {}}
    for name, link in links:
        if link.anaphor in first and link.antecedent in written:
            relation = f":{link.relation}" if link.relation else ""
            text = f"{written[link.antecedent]}<{written[link.anaphor]}{relation}"
            cells, place = found[name], first[link.anaphor]
            cells[place] = f"{cells[place]},{text}" if place in cells else text
    return found


def _cells(
    document: Document,
    order: Sequence[int],
    texts: Sequence[str],
    id_field: int,
    ids: Sequence[str] | None = None,
) -> dict[int, str]:
    """Return the brackets at each node: closings, openings (longest first), one-node mentions.

    If nothing opens at the node, one-node mentions precede closings.
    """
    rank = {place: number for number, place in enumerate(order)}
    spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
    split: dict[int, list[tuple[int, int]]] = defaultdict(list)
    brackets = Brackets()
    new, ids = ids is not None, ids or document.entity_ids
    for number, mention in enumerate(mention_objects(document)):
        pieces = runs(rank[place] for place in mention.nodes)
        entity = int(document.entity[number])
        id = ids[entity]
        spans[entity] += [(low, high) for low, high in pieces if low < high]
        if len(pieces) > 1:
            split[entity].append((pieces[0][0], pieces[-1][1]))
        for piece, (low, high) in enumerate(pieces, start=1):
            closing = f"{id}[{piece}/{len(pieces)}]" if len(pieces) > 1 else id
            values = texts[number].split("-")
            if len(pieces) > 1 or "[" in values[id_field]:
                values[id_field] = closing
            if 1 < len(pieces) == piece and low == high and new:
                # Only udapi reads a head in the last piece. It crashes if that piece has one
                # node and no head; 1 is the head that it assumes anyway.
                values += ["", "", "1"][len(values) :]
            brackets.add(order[low], order[high], "-".join(values), closing, -number)
    for entity, members in spans.items():
        if first_crossing(members):
            raise cannot(document, "write-crossing", entity=ids[entity])
    for entity, members in split.items():
        members.sort()
        if any(other[0] <= one[1] for one, other in pairwise(members)):
            raise cannot(document, "write-inside", entity=ids[entity])
    return brackets.cells(_joined)


def _joined(opening: list[str], whole: list[str], closing: list[str]) -> str:
    return "".join([*closing, *opening, *whole] if opening else [*whole, *closing])


def _with_entity(misc: str, cell: str) -> str:
    """Return MISC with `cell` as its brackets; unchanged if only their order differs."""
    items = [] if misc == "_" else misc.split("|")
    at = next((n for n, item in enumerate(items) if item.startswith("Entity=")), None)
    if at is None:
        if not cell:
            return misc
        at = next((n for n, item in enumerate(items) if item.lower() > "entity="), len(items))
        items.insert(at, f"Entity={cell}")
    else:
        before = items[at].removeprefix("Entity=")
        if Counter(_CHUNK.findall(before)) != Counter(_CHUNK.findall(cell)):
            items[at : at + 1] = [f"Entity={cell}"] if cell else []
    return "|".join(items) or "_"
