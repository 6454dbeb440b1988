"""Write documents as jsonlines: one line of JSON each."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import astuple
from typing import Any

from sameas.documents.document import Document
from sameas.formats.conll.read import canonical_header
from sameas.formats.nodes import mention_objects, nodes_of, runs

__all__ = ["write_jsonlines"]


def write_jsonlines(documents: Iterable[Document]) -> str:
    """Write documents as lines of JSON with `doc_key`, `sentences`, `clusters` and optional keys.

    Empty nodes are tokens here, and `zeros` lists them. `entity_types`, `heads`, `kinds`, `minima`,
    `split_antecedents`, `bridging` and `pieces` (of discontinuous mentions, by index of cluster and
    mention) are written if they are not empty, and `entity_ids` if they are not the indices of the
    clusters; other programs ignore these keys.
    """
    return "".join(map(_written, documents))


def _written(document: Document) -> str:
    nodes = nodes_of(document)
    token = {place: number for number, place in enumerate(nodes.order)}
    clusters: list[list[tuple[int, int]]] = [[] for _ in document.entity_ids]
    pieces: list[list[Any]] = []
    for number, mention in enumerate(mention_objects(document)):
        tokens = [token[place] for place in mention.nodes]
        entity = int(document.entity[number])
        if len(tokens) < tokens[-1] - tokens[0] + 1:
            pieces.append([entity, len(clusters[entity]), runs(tokens)])
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


def _annotation(document: Document, token: dict[int, int]) -> list[tuple[str, Any]]:
    """Return pairs of a key and its annotation, which is false if the document lacks it."""
    ids = list(document.entity_ids)
    details = document.details
    types, kinds, minima = details.types() or (), details.kinds() or (), details.minima() or ()
    heads = details.stated_heads()

    def by_cluster(values: Any) -> list[list[Any]]:
        clusters: list[list[Any]] = [[] for _ in ids]
        for entity, value in zip(document.entity.tolist(), values, strict=True):
            clusters[entity].append(value)
        return clusters

    return [
        ("entity_ids", ids != [str(number) for number in range(len(ids))] and ids),
        ("split_antecedents", dict(document.split_antecedents)),
        ("bridging", [list(astuple(link)) for link in document.bridging]),
        ("entity_types", any(types) and [cluster[0] for cluster in by_cluster(types)]),
        ("kinds", any(kinds) and by_cluster(kinds)),
        ("heads", heads is not None and by_cluster(map(token.get, heads.tolist()))),
        ("minima", any(minima) and by_cluster([[token[p] for p in nodes] for nodes in minima])),
    ]


def _speakers(document: Document) -> list[list[str]] | None:
    """Return column 10 if the file has the twelve columns of CoNLL-2012, else None."""
    rows = document.text.rows()
    if not rows or not all(len(row) >= 11 for sentence in rows for row in sentence):
        return None
    return [[row[9] for row in sentence] for sentence in rows]
