"""Documents to jsonlines: one line of JSON each."""

from __future__ import annotations

import json
from typing import Any

from sameas.coref.document import Document, stated_heads
from sameas.coref.read.conll import canonical_header
from sameas.coref.write.nodes import mention_objects, nodes_of

__all__ = ["write_jsonlines"]


def write_jsonlines(document: Document) -> str:
    """One line of JSON: `doc_key`, `sentences`, `clusters`, and what else it came with.

    Empty nodes are tokens here, and `zeros` says which. `entity_ids`, `entity_types`, `heads`,
    `kinds`, `minima` and `pieces` (of discontinuous mentions, by number of cluster and mention) are
    there if there is anything to say; other programs pass them over.
    """
    nodes = nodes_of(document)
    token = {place: number for number, place in enumerate(nodes.order)}
    clusters: list[list[tuple[int, int]]] = [[] for _ in document.entity_ids]
    pieces: list[list[Any]] = []
    for number, mention in enumerate(mention_objects(document)):
        tokens = [token[place] for place in mention.nodes]
        entity = int(document.entity[number])
        if len(tokens) < tokens[-1] - tokens[0] + 1:
            pieces.append([entity, len(clusters[entity]), _runs(tokens)])
        clusters[entity].append((tokens[0], tokens[-1]))
    sentences = [[nodes.form[place] for place in sentence] for sentence in nodes.sentences]
    record: dict[str, Any] = {
        "doc_key": document.name,
        "sentences": sentences,
        "clusters": clusters,
    }
    zeros = [number for place, number in token.items() if place & 0xFFFF]
    for name, value in (("zeros", zeros), ("pieces", pieces), *_annotation(document, token)):
        if value:
            record[name] = value
    meta = dict(document.meta)
    if document.origin.header not in ("", canonical_header(document.name)):
        meta["header"] = document.origin.header
    speakers = _speakers(document)
    if speakers and "speakers" not in meta:
        meta["speakers"] = speakers
    return json.dumps({**meta, **record}, ensure_ascii=False) + "\n"


def _runs(tokens: list[int]) -> list[list[int]]:
    runs: list[list[int]] = []
    for token in tokens:
        if runs and runs[-1][1] == token - 1:
            runs[-1][1] = token
        else:
            runs.append([token, token])
    return runs


def _annotation(document: Document, token: dict[int, int]) -> list[tuple[str, Any]]:
    """What the file says beyond places, by cluster."""
    found: list[tuple[str, Any]] = []
    ids = list(document.entity_ids)
    if ids != [str(number) for number in range(len(ids))]:
        found.append(("entity_ids", ids))
    if document.split_antecedents:
        split = {id: list(members) for id, members in document.split_antecedents.items()}
        found.append(("split_antecedents", split))
    if document.bridging:
        links = [[link.anaphor, link.antecedent, link.relation] for link in document.bridging]
        found.append(("bridging", links))
    said = document.annotation
    if said is None:
        return found

    def by_cluster(values: Any) -> list[list[Any]]:
        clusters: list[list[Any]] = [[] for _ in ids]
        for entity, value in zip(document.entity.tolist(), values, strict=True):
            clusters[entity].append(value)
        return clusters

    types, kinds, heads, minima = said.types(), said.kinds(), stated_heads(document), said.minima()
    if types is not None and any(types):
        firsts = by_cluster(types)
        found.append(("entity_types", [cluster[0] for cluster in firsts]))
    if kinds is not None and any(kinds):
        found.append(("kinds", by_cluster(kinds)))
    if heads is not None:
        found.append(("heads", by_cluster([token.get(head) for head in heads.tolist()])))
    if minima is not None and any(minima):
        found.append(("minima", by_cluster([[token[p] for p in nodes] for nodes in minima])))
    return found


def _speakers(document: Document) -> list[list[str]] | None:
    """Column 10 of a file with the twelve columns of CoNLL-2012."""
    rows = document.text.rows()
    if not rows or not all(len(row) >= 11 for sentence in rows for row in sentence):
        return None
    return [[row[9] for row in sentence] for sentence in rows]
