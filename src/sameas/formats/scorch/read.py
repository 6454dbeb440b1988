"""The JSON of scorch: one document per file, as clusters or as a graph of links.

`{"type": "clusters", "clusters": {"e1": ["m1", "m2"]}}` lists the mentions of each entity;
`{"type": "graph", "mentions": ["m1", …], "links": [["m1", "m2"], …]}` lists mentions and
coreference links, whose connected components are the entities. Mentions are identifiers.
"""

from __future__ import annotations

import json
from collections.abc import Hashable
from pathlib import PurePath
from typing import Any

from sameas.arithmetic.forest import connected
from sameas.documents.document import Corpus, Document, WrittenText
from sameas.documents.mentions import Entity, Origin
from sameas.errors import InputError, Problem
from sameas.formats.jsonlines.read import parse_json, printable

__all__ = ["read_scorch"]


def read_scorch(data: bytes, path: str = "", *, named_by_file: bool = False) -> Corpus:
    """Read the document of a scorch JSON file.

    >>> read_scorch(b'{"type": "clusters", "clusters": {"e": ["m1", "m2"]}}').documents
    [<Document 'document': 0 tokens, 2 mentions, 1 entities>]
    """
    record = parse_json(data, path)
    kind = record.get("type")
    problems: list[Problem] = []
    if kind == "clusters":
        entities = _clusters(record.get("clusters"), path)
    elif kind == "graph":
        entities = _graph(record.get("mentions"), record.get("links"), path)
        again = len(record["mentions"]) - sum(len(entity.mentions) for entity in entities)
        if again:
            problems.append(Problem("scorch-again", path, 1, 1, severity="warning", count=again))
    else:
        raise _error("scorch-type", path)
    given = record.get("name")
    stem = PurePath(path).name.removesuffix(".gz").removesuffix(".json")
    name = printable(given) if isinstance(given, str) else stem if named_by_file else "document"
    origin = Origin(path, 1, unnamed=not isinstance(given, str))
    document = Document(name, entities, text=WrittenText(line=1), origin=origin)
    return Corpus([document], path, "scorch", [*problems, *document.origin.problems])


def _error(code: str, path: str, **values: Any) -> InputError:
    return InputError([Problem(code, path, 1, 1, **values)])


def _clusters(clusters: Any, path: str) -> list[Entity]:
    if not isinstance(clusters, dict) or not all(isinstance(c, list) for c in clusters.values()):
        raise _error("scorch-clusters", path)
    return [
        Entity(id, tuple(_mention(mention, path) for mention in cluster))
        for id, cluster in clusters.items()
    ]


def _graph(mentions: Any, links: Any, path: str) -> list[Entity]:
    """Return the connected components of the links as entities."""
    if not isinstance(mentions, list) or not isinstance(links, list):
        raise _error("scorch-lists", path)
    numbers: dict[Hashable, int] = {}
    for mention in mentions:
        numbers.setdefault(_mention(mention, path), len(numbers))
    pairs = []
    for link in links:
        if not isinstance(link, list) or len(link) != 2:
            raise _error("scorch-link", path, value=json.dumps(link))
        ends = [_mention(mention, path) for mention in link]
        for mention in ends:
            if mention not in numbers:
                raise _error("scorch-unlisted", path, value=json.dumps(mention))
        pairs.append((numbers[ends[0]], numbers[ends[1]]))
    members: dict[int, list[Hashable]] = {}
    for mention, group in zip(numbers, connected(len(numbers), pairs), strict=True):
        members.setdefault(group, []).append(mention)
    return [Entity(str(number), tuple(group)) for number, group in members.items()]


def _mention(mention: Any, path: str) -> Hashable:
    if isinstance(mention, list):
        return tuple(_mention(part, path) for part in mention)
    is_nan = mention != mention
    if isinstance(mention, (str, int, float)) and not isinstance(mention, bool) and not is_nan:
        return mention
    raise _error("scorch-mention", path, value=json.dumps(mention))
