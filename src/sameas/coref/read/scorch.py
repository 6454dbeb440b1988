"""The JSON of scorch: one document a file, as clusters or as a graph of links.

`{"type": "clusters", "clusters": {"e1": ["m1", "m2"]}}` names the mentions of each entity;
`{"type": "graph", "mentions": ["m1", …], "links": [["m1", "m2"], …]}` names mentions and
coreference links, whose connected components are the entities. Mentions are identifiers.
"""

from __future__ import annotations

import json
from collections.abc import Hashable
from pathlib import PurePath
from typing import Any

from sameas.coref.document import Corpus, Document, Entity, Origin, WrittenText
from sameas.coref.read.jsonlines import parse_json, printable
from sameas.errors import InputError, Problem

__all__ = ["read_scorch"]

_HINT = (
    'the file holds {"type": "clusters", "clusters": {"e1": ["m1", "m2"]}} or '
    '{"type": "graph", "mentions": ["m1"], "links": [["m1", "m2"]]}'
)


def read_scorch(data: bytes, path: str = "", *, named_by_file: bool = False) -> Corpus:
    """Read the one document of a scorch JSON file.

    >>> read_scorch(b'{"type": "clusters", "clusters": {"e": ["m1", "m2"]}}').documents
    [<Document 'document': 0 tokens, 2 mentions, 1 entities>]
    """
    record = parse_json(data, path)
    kind = record.get("type")
    passed_over: list[str] = []
    if kind == "clusters":
        entities = _clusters(record.get("clusters"), path)
    elif kind == "graph":
        entities = _graph(record.get("mentions"), record.get("links"), path)
        again = len(record["mentions"]) - sum(len(entity.mentions) for entity in entities)
        if again:
            passed_over.append(f"{again} mention(s) listed again")
    else:
        raise _error('`type` is neither "clusters" nor "graph"', path)
    name = record.get("name")
    unnamed = not isinstance(name, str)
    if isinstance(name, str):
        name = printable(name)
    else:
        name = (
            PurePath(path).name.removesuffix(".gz").removesuffix(".json")
            if named_by_file
            else "document"
        )
    problems = [
        Problem(f"{what} passed over", path, 1, 1, severity="warning") for what in passed_over
    ]
    document = Document(
        name, entities, text=WrittenText(line=1), origin=Origin(path, 1, unnamed=unnamed)
    )
    return Corpus([document], path, "scorch", [*problems, *document.origin.problems])


def _error(message: str, path: str) -> InputError:
    return InputError([Problem(message, path, 1, 1, _HINT)])


def _clusters(clusters: Any, path: str) -> list[Entity]:
    if not isinstance(clusters, dict) or not all(isinstance(c, list) for c in clusters.values()):
        raise _error("`clusters` does not map entities to lists of mentions", path)
    return [
        Entity(id, tuple(_mention(mention, path) for mention in cluster))
        for id, cluster in clusters.items()
    ]


def _graph(mentions: Any, links: Any, path: str) -> list[Entity]:
    """Entities are the connected components of the links."""
    if not isinstance(mentions, list) or not isinstance(links, list):
        raise _error("`mentions` or `links` is not a list", path)
    parent: dict[Hashable, Hashable] = {_mention(mention, path): None for mention in mentions}

    def root(mention: Hashable) -> Hashable:
        path_up = []
        while parent[mention] is not None:
            path_up.append(mention)
            mention = parent[mention]
        for passed in path_up:
            parent[passed] = mention
        return mention

    for link in links:
        if not isinstance(link, list) or len(link) != 2:
            raise _error(f"`links` holds {json.dumps(link):.60}, not a pair of mentions", path)
        one, other = (_mention(mention, path) for mention in link)
        for mention in (one, other):
            if mention not in parent:
                raise _error(
                    f"a link names {json.dumps(mention):.60}, not one of the `mentions`", path
                )
        one, other = root(one), root(other)
        if one != other:
            parent[other] = one
    members: dict[Hashable, list[Hashable]] = {}
    for mention in parent:
        members.setdefault(root(mention), []).append(mention)
    return [Entity(str(number), tuple(group)) for number, group in enumerate(members.values())]


def _mention(mention: Any, path: str) -> Hashable:
    if isinstance(mention, list):
        return tuple(_mention(part, path) for part in mention)
    is_nan = mention != mention
    if isinstance(mention, (str, int, float)) and not isinstance(mention, bool) and not is_nan:
        return mention
    raise _error(f"{json.dumps(mention):.60} is not a mention", path)
