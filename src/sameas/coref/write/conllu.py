"""Documents to CoNLL-U with CorefUD brackets in MISC."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

from sameas.coref.document import Document, stated_heads
from sameas.coref.read.conllu import ConlluAnnotation, ConlluText, node_lines
from sameas.coref.write.nodes import (
    Nodes,
    cannot,
    first_crossing,
    mention_objects,
    nodes_of,
)

__all__ = ["write_conllu"]

_CHUNK = re.compile(r"\([^()]+\)?|[^()]+\)")
_FORBIDDEN = re.compile(r"[-=|()\[\]\s,<]")


def write_conllu(document: Document, *, local_ids: bool = False) -> str:
    r"""The lines of one document; `local_ids` says that others in the file have the same ids.

    What came as CoNLL-U keeps its lines, comments and other annotation; only `Entity` is written
    anew, in the order of CorefUD 1.0, unless the cell already says the same in another order.
    Otherwise brackets have a head only where it is known: CorefUD allows to leave out the last
    fields, and udapi then takes the first node.

    >>> from sameas.coref.document import Entity, Mention, WrittenText
    >>> ann = Entity("e1", (Mention.at(0, 0),), "person")
    >>> lines = write_conllu(Document("a", [ann], text=WrittenText((("Ann", "ran"),)))).split("\n")
    >>> lines[1], lines[4].split("\t")[-1]
    ('# global.Entity = eid-etype-head-other', 'Entity=(e1-person)')
    """
    if isinstance(document.text, ConlluText) and isinstance(document.annotation, ConlluAnnotation):
        return _rewrite(document, document.text, document.annotation)
    return _write_new(document, "GRP" if local_ids else "eid")


def _rewrite(document: Document, text: ConlluText, annotation: ConlluAnnotation) -> str:
    lines = [line.decode("utf-8", "surrogateescape") for line in text.lines]
    places = list(node_lines(text))
    order = [place for _, place in places if place is not None]
    texts = [text.decode("utf-8", "surrogateescape") for text in annotation.texts]
    fields = annotation.fields
    id_field = next((fields.index(name) for name in ("eid", "GRP") if name in fields), 0)
    cells = _cells(document, order, texts, id_field)
    for line, place in places:
        if place is not None:
            row = lines[line].split("\t")
            row[9] = _with_entity(row[9], cells.get(place, ""))
            lines[line] = "\t".join(row)
    return "\n".join(lines) + "\n"


def _write_new(document: Document, id_field: str) -> str:
    nodes = nodes_of(document)
    mentions = mention_objects(document)
    if "\n" in document.name or not document.name.strip():
        raise cannot(document, f"its name {document.name!r} cannot stand in a comment")
    if not any(nodes.sentences):
        raise cannot(document, "it has no words, which CoNLL-U cannot hold")
    ids = written_ids(document)
    said = document.annotation
    types = said.types() if said else None
    heads = stated_heads(document)
    texts = []
    for number, mention in enumerate(mentions):
        values = [ids[int(document.entity[number])]]
        type = _FORBIDDEN.sub("_", types[number]) if types is not None else ""
        if heads is not None and int(heads[number]) in mention.nodes:
            values += [type, str(mention.nodes.index(int(heads[number])) + 1), ""]
        elif type:
            values.append(type)
        texts.append("-".join(values))
    cells = _cells(document, nodes.order, texts, 0, ids)
    links = _link_cells(document, nodes, ids)
    out = [f"# newdoc id = {document.name}", f"# global.Entity = {id_field}-etype-head-other"]
    for key, value in document.meta.items():
        if isinstance(value, (str, int, float)) and re.fullmatch(r"\w+", key):
            out.append(f"# meta::{key} = {' '.join(str(value).split())}")
    name = "_".join(document.name.split())
    for number, sentence in enumerate(nodes.sentences, start=1):
        words = [nodes.form[place] for place in sentence if not place & 0xFFFF]
        if not words:
            raise cannot(document, f"sentence {number} is empty, which CoNLL-U cannot hold")
        out += [f"# sent_id = {name}-{number}", f"# text = {' '.join(words)}"]
        word, zero = 0, 0
        for place in sentence:
            if place & 0xFFFF:
                zero += 1
                id, rest = f"{word}.{zero}", ["_", "_", f"{word}:dep"]
            else:
                word, zero = word + 1, 0
                id, rest = str(word), ["0" if word == 1 else "1", "_", "_"]
            form = nodes.form[place]
            if not form.strip() or form != form.strip() or set(form) & set("\t\n\r\v\f"):
                raise cannot(document, f"the word {form!r} cannot stand in a CoNLL-U column")
            misc = "|".join(
                part
                for part in (
                    f"Bridge={links['Bridge'][place]}" if place in links["Bridge"] else "",
                    f"Entity={cells[place]}" if place in cells else "",
                    f"SplitAnte={links['SplitAnte'][place]}" if place in links["SplitAnte"] else "",
                )
                if part
            )
            out.append("\t".join([id, form, "_", "_", "_", "_", *rest, misc or "_"]))
        out.append("")
    return "\n".join(out) + "\n"


def written_ids(document: Document) -> list[str]:
    """The ids of the entities if brackets can hold them all, else e1, e2, e3."""
    ids = list(document.entity_ids)
    if len(set(ids)) == len(ids) and all(id and not _FORBIDDEN.search(id) for id in ids):
        return ids
    return [f"e{number}" for number in range(1, len(ids) + 1)]


def _link_cells(document: Document, nodes: Nodes, ids: Sequence[str]) -> dict[str, dict[int, str]]:
    """Split antecedents and bridging, at the first node of the anaphor's entity."""
    first: dict[str, int] = {}
    written = dict(zip(document.entity_ids, ids, strict=True))
    for number, mention in enumerate(mention_objects(document)):
        id = document.entity_ids[int(document.entity[number])]
        first.setdefault(id, mention.nodes[0])
    found: dict[str, dict[int, list[str]]] = {
        "Bridge": defaultdict(list),
        "SplitAnte": defaultdict(list),
    }
    for anaphor, antecedents in document.split_antecedents.items():
        for antecedent in antecedents:
            if anaphor in first and antecedent in written:
                text = f"{written[antecedent]}<{written[anaphor]}"
                found["SplitAnte"][first[anaphor]].append(text)
    for link in document.bridging:
        if link.anaphor in first and link.antecedent in written:
            relation = f":{link.relation}" if link.relation else ""
            text = f"{written[link.antecedent]}<{written[link.anaphor]}{relation}"
            found["Bridge"][first[link.anaphor]].append(text)
    return {
        name: {place: ",".join(texts) for place, texts in cells.items()}
        for name, cells in found.items()
    }


def _cells(
    document: Document,
    order: Sequence[int],
    texts: Sequence[str],
    id_field: int,
    ids: Sequence[str] | None = None,
) -> Mapping[int, str]:
    """The brackets at each node: closings, openings (longest first), one-node mentions.

    Where nothing opens, one-node mentions stand before closings.
    """
    rank = {place: number for number, place in enumerate(order)}
    spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
    split: dict[int, list[tuple[int, int]]] = defaultdict(list)
    opens: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
    closes: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
    whole: dict[int, list[str]] = defaultdict(list)
    new, ids = ids is not None, ids or document.entity_ids
    for number, mention in enumerate(mention_objects(document)):
        runs: list[list[int]] = []
        for place in (rank[place] for place in mention.nodes):
            if runs and runs[-1][1] == place - 1:
                runs[-1][1] = place
            else:
                runs.append([place, place])
        id = ids[int(document.entity[number])]
        spans[int(document.entity[number])] += [(low, high) for low, high in runs if low < high]
        if len(runs) > 1:
            split[int(document.entity[number])].append((runs[0][0], runs[-1][1]))
        for piece, (low, high) in enumerate(runs, start=1):
            text, closing = texts[number], id
            if len(runs) > 1:
                closing = f"{id}[{piece}/{len(runs)}]"
                values = text.split("-")
                values[id_field] = closing
                if piece == len(runs) and low == high and new:
                    # Only udapi reads a head in the last piece. It crashes without one if that
                    # piece has one node; 1 is the head that it assumes anyway.
                    values += ["", "", "1"][len(values) :]
                text = "-".join(values)
            elif "[" in text.split("-")[id_field]:
                values = text.split("-")
                values[id_field] = id
                text = "-".join(values)
            if low == high:
                whole[order[low]].append(f"({text})")
            else:
                opens[order[low]].append((-high, number, f"({text}"))
                closes[order[high]].append((-low, -number, f"{closing})"))
    for entity, members in spans.items():
        if first_crossing(members):
            why = f"entity {ids[entity]} has mentions that cross"
            raise cannot(document, f"{why}, which brackets cannot hold")
    for entity, members in split.items():
        members.sort()
        if any(other[0] <= one[1] for one, other in pairwise(members)):
            why = f"entity {ids[entity]} has discontinuous mentions inside each other"
            raise cannot(document, f"{why}, which brackets cannot hold")
    cells = {}
    for place in {*opens, *closes, *whole}:
        opening = [text for *_, text in sorted(opens.get(place, ()))]
        closing_texts = [text for *_, text in sorted(closes.get(place, ()))]
        alone = whole.get(place, [])
        parts = [*closing_texts, *opening, *alone] if opening else [*alone, *closing_texts]
        cells[place] = "".join(parts)
    return cells


def _with_entity(misc: str, cell: str) -> str:
    """MISC with these brackets in place of those it has."""
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
