"""The jsonlines of neural coreference systems: one document a line, clusters of token spans.

Each line is an object with `doc_key`, `sentences` (lists of words) and `clusters` (lists of
`[first, last]` token positions in the document, both included), as e2e-coref writes it
(Lee et al. 2017). Other keys are kept. What `sameas convert` adds is read back: `zeros` (tokens
that are empty nodes), `pieces`, `entity_ids`, `entity_types`, `heads`, `kinds`, `minima`,
`split_antecedents`, `bridging`. A file of predictions that has both `clusters` (the gold it was
made from) and `predicted_clusters` gives the latter when it is read as a response.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from sameas.coref.document import (
    INITIAL,
    KIND_NAMES,
    KINDS,
    Bridge,
    Corpus,
    Document,
    Mention,
    Origin,
    WrittenAnnotation,
    WrittenText,
    node,
    place_of,
)
from sameas.coref.read.conll import document_name
from sameas.encoding import find_faults
from sameas.errors import InputError, Problem, not_json

__all__ = ["parse_json", "printable", "read_jsonlines"]

PREDICTED = "predicted_clusters"
_HINT = (
    'a line looks like {"doc_key": "a_0", "sentences": [["Ann", "ran"]], "clusters": [[[0, 0]]]}'
)


def read_jsonlines(data: bytes, path: str = "", *, role: str | None = None) -> Corpus:
    """Read the documents of a jsonlines file.

    >>> line = b'{"doc_key": "a", "sentences": [["Ann"]], "clusters": [[[0, 0]]]}'
    >>> read_jsonlines(line).documents
    [<Document 'a': 1 tokens, 1 mentions, 1 entities>]
    """
    documents: list[Document] = []
    errors: list[Problem] = []
    problems: list[Problem] = []
    records: list[tuple[int, dict[str, Any]]] = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.strip():
            try:
                records.append((number, parse_json(line, path, number)))
            except InputError as error:
                errors.extend(error.problems)
    fields = {field for _, record in records for field in record} & {"clusters", PREDICTED}
    field = PREDICTED if fields == {PREDICTED} and role != "key" else "clusters"
    if len(fields) == 2 and role != "text":
        place = (path, records[0][0], 1)
        if role is None:
            message = f"the file has both `clusters` and `{PREDICTED}`"
            hint = "say which are meant: --role key or --role response"
            raise InputError([*errors, Problem(message, *place, hint)])
        if role == "response":
            field = PREDICTED
            message = f"`{PREDICTED}` are scored, not `clusters`"
            problems.append(Problem(message, *place, severity="warning"))
        elif role == "any":
            message = f"`clusters` are read, and not `{PREDICTED}`"
            hint = f"read as a response, the file has its `{PREDICTED}`"
            problems.append(Problem(message, *place, hint, "warning"))
    for number, record in records:
        if role == "text":  # of which only the words are wanted
            record.setdefault(field, [])
        try:
            documents.append(_document(record, path, number, field, problems))
        except InputError as error:
            errors.extend(error.problems)
    if not documents and not errors:
        errors.append(Problem("no documents: the file is empty", path, 1, 1, _HINT))
    if errors:
        raise InputError(sorted(errors, key=lambda problem: problem.line))
    return Corpus(documents, path, "jsonlines", problems)


def parse_json(text: bytes, path: str, line: int = 1) -> dict[str, Any]:
    """The JSON object in `text`, or an error that says where it breaks."""
    try:
        value = json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise InputError(
            [Problem(not_json(error.msg), path, line + error.lineno - 1, error.colno, _HINT)]
        ) from None
    except (RecursionError, ValueError) as error:
        faults = find_faults(text) if isinstance(error, UnicodeDecodeError) else []
        raise InputError(
            [fault.moved(line - 1).problem(path) for fault in faults]
            or [Problem(f"not JSON: {error}", path, line, 1, _HINT)]
        ) from None
    if not isinstance(value, dict):
        raise InputError(
            [Problem(f"a JSON object is wanted here, not {_kind(value)}", path, line, 1, _HINT)]
        )
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys come once; Python would keep the last of several in silence."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        again = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {again!r} comes twice")
    return found


def _document(
    record: dict[str, Any], path: str, line: int, field: str, problems: list[Problem]
) -> Document:
    def fail(message: str) -> InputError:
        return InputError([Problem(message, path, line, 1, _HINT)])

    name = record.get("doc_key")
    if not isinstance(name, str):
        raise fail("`doc_key` is missing" if name is None else "`doc_key` is not a string")
    name = printable(name)
    sentences = record.get("sentences")
    if not isinstance(sentences, list) or not all(
        isinstance(words, list) and all(isinstance(word, str) for word in words)
        for words in sentences
    ):
        raise fail(f"document {name}: `sentences` is not a list of lists of words")
    read = ("doc_key", "sentences", field, *_OURS)
    tokens = sum(map(len, sentences))
    zeros = record.get("zeros", [])
    if not isinstance(zeros, list) or not all(
        type(zero) is int and 0 <= zero < tokens for zero in zeros
    ):
        raise fail(f"document {name}: `zeros` are not numbers of its {tokens} tokens")
    places = _places(sentences, set(zeros)) if zeros else None
    forms: dict[int, str] = {}
    if places is not None:
        words = [word for sentence in sentences for word in sentence]
        forms = {places[zero]: printable(words[zero]) for zero in zeros}
        sentences = _without(sentences, set(zeros))
        if not all(sentences):
            raise fail(f"document {name}: a sentence of empty nodes alone")
    text = WrittenText(tuple(map(tuple, sentences)), line, forms)

    clusters = record.get(field)
    if not isinstance(clusters, list) or not all(isinstance(c, list) for c in clusters):
        if field == PREDICTED and field not in record:
            raise fail(f"document {name}: no `{field}`, and other documents have them")
        raise fail(f"document {name}: `{field}` is not a list of clusters")
    spans: list[tuple[int, int]] = []
    entity: list[int] = []
    for number, cluster in enumerate(clusters):
        for mention in cluster:
            first, last = _span(mention)
            if not 0 <= first <= last < tokens:
                raise fail(
                    f"document {name}, cluster {number}: {json.dumps(mention):.60} is not "
                    f"[first, last] within the document's {tokens} tokens"
                )
            spans.append((first, last))
            entity.append(number)
    filled = sorted(set(entity))
    if len(filled) < len(clusters):
        problems.append(
            Problem(
                f"document {name}: {len(clusters) - len(filled)} empty cluster(s) passed over",
                path,
                line,
                1,
                severity="warning",
            )
        )
    numbers = np.searchsorted(np.array(filled, dtype=np.int64), np.array(entity, dtype=np.int64))
    special: dict[int, Mention] = {}
    if any(key in record for key in _OURS):
        try:
            details = _details(record, clusters, tokens, places)
            details.check(spans)
        except _MisfitError as error:
            raise fail(f"document {name}: `{error}` does not fit its clusters") from None
        special, spans = details.specials(spans)
        odd = {
            k for ks in record.get("kinds", ()) for k in ks if k and k.casefold() not in KIND_NAMES
        }
        if odd:
            message = f"document {name}: {min(odd)!r:.40} among `kinds` taken as unknown"
            hint = f"kinds are {', '.join(KINDS)}"
            problems.append(Problem(message, path, line, 1, hint, "warning"))
    columns = np.array(spans, dtype=np.int64).reshape(-1, 2)
    meta = {key: value for key, value in record.items() if key not in read}
    header = meta.get("header")
    if isinstance(header, str) and document_name(header) == name:
        del meta["header"]
    else:
        header = ""
    document = Document.from_columns(
        name,
        columns[:, 0].copy(),
        columns[:, 1].copy(),
        numbers,
        [str(number) for number in range(len(filled))],
        text=text,
        meta=meta,
        origin=Origin(path, line, header),
        special=special,
    )
    if any(key in record for key in _OURS):
        details.complete(document, filled)
    return document


class _MisfitError(Exception):
    """The key of a record whose value does not fit its clusters."""


@contextmanager
def _fitting(key: str) -> Iterator[None]:
    """Name the key where a value raises an error of Python's."""
    try:
        yield
    except (ValueError, TypeError, KeyError, IndexError, AttributeError):
        raise _MisfitError(key) from None


class _Details(NamedTuple):
    """What the keys of `sameas convert` say, with tokens as nodes."""

    ids: list[str] | None
    types: list[str] | None
    heads: list[int] | None
    kinds: list[str] | None
    minima: list[list[int]] | None
    pieces: dict[int, list[int]]  # mention: its nodes
    places: list[int] | None
    split: dict[str, tuple[str, ...]]
    bridging: list[Bridge]

    def check(self, spans: list[tuple[int, int]]) -> None:
        """Heads and minimum spans must be in their mentions."""
        for number, (first, last) in enumerate(spans):
            nodes = self.pieces.get(number)
            if nodes is None:
                nodes = [self.place(token) for token in range(first, last + 1)]
            elif {self.place(first), self.place(last)} != {nodes[0], nodes[-1]}:
                raise _MisfitError("pieces")
            inside = {-1, *nodes}
            if self.heads is not None and self.heads[number] not in inside:
                raise _MisfitError("heads")
            if self.minima is not None and not set(self.minima[number]) <= inside:
                raise _MisfitError("minima")

    def place(self, token: int) -> int:
        """The node of a token."""
        return self.places[token] if self.places is not None else node(token)

    def specials(
        self, spans: list[tuple[int, int]]
    ) -> tuple[dict[int, Mention], list[tuple[int, int]]]:
        """Mentions of several pieces or with zeros, and all spans in words."""
        special: dict[int, Mention] = {}
        found = list(spans)
        if self.places is None and not self.pieces:
            return special, found
        for number, (first, last) in enumerate(spans):
            nodes = self.pieces.get(number)
            if nodes is None and self.places is not None:
                nodes = self.places[first : last + 1]
            if nodes is None:
                continue
            mention = _mention(nodes)
            found[number] = mention.hull
            if len(mention.spans) != 1 or mention.zeros:
                special[number] = mention
        return special, found

    def complete(self, document: Document, filled: list[int]) -> None:
        """Put it into the document."""
        if self.ids is not None:
            document.entity_ids = [self.ids[number] for number in filled]
        types = None
        if self.types is not None:
            types = [self.types[filled[entity]] for entity in document.entity.tolist()]
        heads = None if self.heads is None else np.array(self.heads, dtype=np.int64)
        if not (heads is None and types is None and self.kinds is None and self.minima is None):
            document.annotation = WrittenAnnotation(heads, self.minima, types, self.kinds)
        document.split_antecedents, document.bridging = self.split, self.bridging


_OURS = ("zeros", "pieces", "entity_ids", "entity_types", "heads", "kinds", "minima",
         "split_antecedents", "bridging")  # fmt: skip


def _details(
    record: dict[str, Any], clusters: list[Any], tokens: int, places: list[int] | None
) -> _Details:
    """The keys of `sameas convert`; the first that does not fit is raised as a `_MisfitError`."""
    sizes = [len(cluster) for cluster in clusters]
    before = [sum(sizes[:number]) for number in range(len(sizes))]

    def place(token: Any) -> int:
        if type(token) is not int or not 0 <= token < tokens:
            raise ValueError(token)
        return places[token] if places is not None else node(token)

    def per_cluster(key: str) -> list[str] | None:
        if key not in record:
            return None
        with _fitting(key):
            values = record[key]
            if not isinstance(values, list) or len(values) != len(clusters):
                raise ValueError(key)
            return [word(value) for value in values]

    def per_mention(key: str, kind: Callable[[Any], Any]) -> list[Any] | None:
        if key not in record:
            return None
        with _fitting(key):
            values = record[key]
            if [len(cluster) for cluster in values] != sizes:
                raise ValueError(key)
            return [kind(value) for cluster in values for value in cluster]

    def word(value: Any) -> str:
        if not isinstance(value, str):
            raise TypeError(value)
        return printable(value)

    pieces = {}
    with _fitting("pieces"):
        for cluster, mention, runs in record.get("pieces", []):
            if not 0 <= mention < sizes[cluster] or cluster < 0:
                raise IndexError(mention)
            nodes = [place(token) for first, last in runs for token in range(first, last + 1)]
            if not nodes or sorted(set(nodes)) != nodes:
                raise ValueError(runs)
            pieces[before[cluster] + mention] = nodes
    with _fitting("split_antecedents"):
        split = {
            word(id): tuple(word(member) for member in members)
            for id, members in record.get("split_antecedents", {}).items()
        }
    with _fitting("bridging"):
        bridging = [Bridge(*(word(part) for part in link)) for link in record.get("bridging", [])]
    return _Details(
        per_cluster("entity_ids"),
        per_cluster("entity_types"),
        per_mention("heads", lambda head: -1 if head is None else place(head)),
        per_mention("kinds", lambda kind: KIND_NAMES.get(word(kind).casefold(), "")),
        per_mention("minima", lambda nodes: [place(token) for token in nodes]),
        pieces,
        places,
        split,
        bridging,
    )


def _places(sentences: list[list[str]], zeros: set[int]) -> list[int]:
    """The node of each token."""
    places: list[int] = []
    token = words = 0
    for sentence in sentences:
        inside, number = 0, 0
        for _ in sentence:
            if token in zeros:
                number += 1
                places.append(node((words, number if inside else INITIAL + number)))
            else:
                places.append(node(words))
                words, inside, number = words + 1, inside + 1, 0
            token += 1
    return places


def _without(sentences: list[list[str]], zeros: set[int]) -> list[list[str]]:
    """The sentences without their empty nodes."""
    found: list[list[str]] = []
    token = 0
    for sentence in sentences:
        found.append([])
        for word in sentence:
            if token not in zeros:
                found[-1].append(word)
            token += 1
    return found


def _mention(nodes: list[int]) -> Mention:
    spans: list[list[int]] = []
    zeros: list[tuple[int, int]] = []
    for place in map(place_of, nodes):
        if not isinstance(place, int):
            zeros.append(place)
        elif spans and spans[-1][1] == place - 1:
            spans[-1][1] = place
        else:
            spans.append([place, place])
    return Mention(tuple((first, last) for first, last in spans), tuple(zeros))


def printable(text: str) -> str:
    r"""The text with lone surrogates, which JSON can spell and no file can hold, written out.

    >>> printable("a\ud800")
    'a\\ud800'
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _span(mention: Any) -> tuple[int, int]:
    if isinstance(mention, list) and len(mention) == 2 and all(type(n) is int for n in mention):
        return mention[0], mention[1]
    return -1, -1


def _kind(value: Any) -> str:
    return {
        list: "a list",
        str: "a string",
        int: "a number",
        float: "a number",
        bool: "true or false",
    }.get(type(value), "null")
