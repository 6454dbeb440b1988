"""The jsonlines of neural coreference systems: one document per line, clusters of token spans.

Each line is an object with `doc_key`, `sentences` (lists of words) and `clusters` (lists of
`[first, last]` token positions in the document, both included), as written by e2e-coref
(Lee et al. 2017). Other keys are kept. The keys that `sameas convert` adds are read back: `zeros`
(tokens that are empty nodes), `pieces`, `entity_ids`, `entity_types`, `heads`, `kinds`, `minima`,
`split_antecedents`, `bridging`. If a file of predictions has both `clusters` (the gold ones) and
`predicted_clusters`, the latter are read for a response.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from sameas.documents.clusters import is_pair
from sameas.documents.document import Corpus, Document, WrittenText
from sameas.documents.mentions import (
    INITIAL,
    KIND_NAMES,
    KINDS,
    Annotation,
    Bridge,
    Mention,
    Origin,
    Places,
    columns_of,
    node,
    places_of,
)
from sameas.errors import InputError, Problem, Severity, json_reason
from sameas.files.encoding import find_faults
from sameas.formats.conll.read import document_name

__all__ = ["parse_json", "printable", "read_jsonlines"]

PREDICTED = "predicted_clusters"
#: The keys that are read, besides the clusters; others become `meta`.
_READ = (
    "doc_key",
    "sentences",
    "zeros",
    "pieces",
    "entity_ids",
    "entity_types",
    "heads",
    "kinds",
    "minima",
    "split_antecedents",
    "bridging",
)
_Span = tuple[int, int]


def read_jsonlines(data: bytes, path: str = "", *, role: str | None = None) -> Corpus:
    """Read the documents of a jsonlines file.

    >>> line = b'{"doc_key": "a", "sentences": [["Ann"]], "clusters": [[[0, 0]]]}'
    >>> read_jsonlines(line).documents
    [<Document 'a': 1 tokens, 1 mentions, 1 entities>]
    """
    documents: list[Document] = []
    errors: list[Problem] = []
    problems: list[Problem] = []
    lines: list[_Line] = []
    for number, text in enumerate(data.split(b"\n"), start=1):
        if text.strip():
            try:
                lines.append(_Line(parse_json(text, path, number), path, number))
            except InputError as error:
                errors.extend(error.problems)
    field = _choose_clusters(lines, role, errors, problems)
    for line in lines:
        if role == "text":  # clusters may be missing
            line.record.setdefault(field, [])
        try:
            documents.append(_document(line, field, problems))
        except InputError as error:
            errors.extend(error.problems)
    if not documents and not errors:
        errors.append(Problem("json-empty", path, 1, 1))
    if errors:
        raise InputError(sorted(errors, key=lambda problem: problem.line))
    return Corpus(documents, path, "jsonlines", problems)


def _choose_clusters(
    lines: Sequence[_Line], role: str | None, errors: list[Problem], problems: list[Problem]
) -> str:
    """Return the JSON key of the clusters to read; in a file of predictions, `role` decides."""
    fields = {field for line in lines for field in line.record} & {"clusters", PREDICTED}
    if len(fields) < 2:
        return PREDICTED if fields == {PREDICTED} and role != "key" else "clusters"
    if role is None:
        raise InputError([*errors, lines[0].problem("both-clusters")])
    if role == "response":
        problems.append(lines[0].problem("predicted-scored", "warning"))
        return PREDICTED
    if role == "any":
        problems.append(lines[0].problem("clusters-read", "warning"))
    return "clusters"


def parse_json(text: bytes, path: str, line: int = 1) -> dict[str, Any]:
    """Return the JSON object in `text`, or raise an error that locates the problem."""

    def refuse(code: str, row: int = 1, column: int = 1, **values: str) -> InputError:
        return InputError([Problem(code, path, line + row - 1, column, values=values)])

    try:
        value = json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        place = (error.lineno, error.colno)
        raise refuse("json-broken", *place, reason=json_reason(error.msg)) from None
    except _TwiceError as error:
        raise refuse("json-twice", key=str(error)) from None
    except (RecursionError, ValueError) as error:
        faults = find_faults(text, path) if isinstance(error, UnicodeDecodeError) else []
        if faults:
            moved = [replace(fault, line=fault.line + line - 1) for fault in faults]
            raise InputError(moved) from None
        raise refuse("json-broken", reason=str(error)) from None
    if not isinstance(value, dict):
        raise refuse("json-kind", how=type(value).__name__)
    return value


class _TwiceError(ValueError):
    """An object has this key twice."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Reject duplicate keys in an object; Python would silently keep the last."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _TwiceError(next(key for key in keys if keys.count(key) > 1))
    return found


class _Line(NamedTuple):
    """A line of a file: its object, and where it is."""

    record: dict[str, Any]
    path: str
    number: int

    @property
    def name(self) -> str:
        """The name of the document."""
        return printable(self.record["doc_key"])

    def problem(self, code: str, severity: Severity = "error", **values: object) -> Problem:
        """Return a problem in the line."""
        return Problem(code, self.path, self.number, 1, severity=severity, values=values)

    def refuse(self, code: str, **values: Any) -> InputError:
        """Return an error that names the document."""
        return InputError([self.problem(code, document=self.name, **values)])

    @contextmanager
    def fitting(self, key: str) -> Iterator[None]:
        """Reject the document if an invalid value of a key raises a built-in exception."""
        try:
            yield
        except (ValueError, TypeError, KeyError, IndexError, AttributeError):
            raise self.refuse("json-misfit", key=key) from None


def _document(line: _Line, field: str, problems: list[Problem]) -> Document:
    _refuse_nameless(line)
    sentences, zeros = _words(line)
    text = WrittenText(tuple(map(tuple, sentences)), line.number)
    tokens = sum(map(len, sentences))
    places: Sequence[int] = range(node(0), node(tokens), node(1) - node(0))
    if zeros:
        text, places = _without_zeros(line, sentences, zeros)
    clusters = _clusters(line, field, tokens)
    spans: list[_Span] = [(first, last) for cluster in clusters for first, last in cluster]
    sizes = [len(cluster) for cluster in clusters]
    home = np.repeat(np.arange(len(clusters), dtype=np.int64), sizes)
    filled, entity = np.unique(home, return_inverse=True)
    empty = len(clusters) - len(filled)
    if empty:
        problem = line.problem("json-empty-clusters", "warning", document=line.name, count=empty)
        problems.append(problem)
    keys = _Keys(line, sizes, places)
    pieces = keys.pieces()
    split, bridging = _links(line)
    ids = keys.of_clusters("entity_ids")
    annotation = keys.annotation(home.tolist())
    first, last = columns_of(spans)
    columns: Places = {"first": first, "last": last, "special": {}}
    if zeros or pieces or annotation:
        nodes = [pieces.get(n) or places[low : high + 1] for n, (low, high) in enumerate(spans)]
        ends = [(places[low], places[high]) for low, high in spans]
        _check_nodes(line, nodes, ends, annotation or Annotation())
        columns = places_of(list(map(Mention.of_nodes, nodes))) if zeros or pieces else columns
    problems += _odd_kinds(line)
    meta = {key: value for key, value in line.record.items() if key not in (*_READ, field)}
    header = _take_header(meta, line.name)
    return Document(
        line.name,
        **columns,
        entity=entity,
        entity_ids=[ids[n] if ids else str(number) for number, n in enumerate(filled.tolist())],
        text=text,
        meta=meta,
        origin=Origin(line.path, line.number, header),
        annotation=annotation,
        split_antecedents=split,
        bridging=bridging,
    )


def _refuse_nameless(line: _Line) -> None:
    name = line.record.get("doc_key")
    if not isinstance(name, str):
        raise InputError([line.problem("doc-key", how="missing" if name is None else "type")])


def _take_header(meta: dict[str, Any], name: str) -> str:
    """Remove and return the CoNLL header in `meta` if it matches the document's name."""
    header = meta.get("header")
    if not isinstance(header, str) or document_name(header) != name:
        return ""
    return str(meta.pop("header"))


def _words(line: _Line) -> tuple[list[list[str]], set[int]]:
    """Return the sentences of a document, and which of its tokens are empty nodes."""
    sentences = line.record.get("sentences")
    if not isinstance(sentences, list) or not all(
        isinstance(words, list) and all(isinstance(word, str) for word in words)
        for words in sentences
    ):
        raise line.refuse("sentences-type")
    zeros, tokens = line.record.get("zeros", []), sum(map(len, sentences))
    if not isinstance(zeros, list) or not all(
        type(zero) is int and 0 <= zero < tokens for zero in zeros
    ):
        raise line.refuse("zeros-range", count=tokens)
    return sentences, set(zeros)


def _clusters(line: _Line, field: str, tokens: int) -> list[list[_Span]]:
    """Return the clusters; reject mentions that are not a first and a last token."""
    clusters = line.record.get(field)
    if not isinstance(clusters, list) or not all(isinstance(c, list) for c in clusters):
        absent = field == PREDICTED and field not in line.record
        raise line.refuse("no-predicted" if absent else "clusters-type", field=field)
    for number, cluster in enumerate(clusters):
        for mention in cluster:
            if not is_pair(mention, list) or not 0 <= mention[0] <= mention[1] < tokens:
                shown = f"{json.dumps(mention):.60}"
                raise line.refuse("cluster-span", cluster=number, mention=shown, count=tokens)
    return clusters


def _odd_kinds(line: _Line) -> list[Problem]:
    """Return a warning about unknown kinds, if there are any."""
    kinds = (kind for cluster in line.record.get("kinds", ()) for kind in cluster)
    odd = {kind for kind in kinds if kind and kind.casefold() not in KIND_NAMES}
    values = {"document": line.name, "known": KINDS}
    return [line.problem("json-kinds", "warning", value=min(odd), **values)] if odd else []


def _check_nodes(
    line: _Line, mentions: list[Sequence[int]], ends: list[_Span], details: Annotation
) -> None:
    """Reject pieces that do not span their mentions, and heads and minima outside them."""
    heads = None if details.all_heads is None else details.all_heads.tolist()
    for number, (nodes, (first, last)) in enumerate(zip(mentions, ends, strict=True)):
        inside = {-1, *nodes}
        if {first, last} != {nodes[0], nodes[-1]}:
            raise line.refuse("json-misfit", key="pieces")
        if heads is not None and heads[number] not in inside:
            raise line.refuse("json-misfit", key="heads")
        if details.all_minima is not None and not set(details.all_minima[number]) <= inside:
            raise line.refuse("json-misfit", key="minima")


def _links(line: _Line) -> tuple[dict[str, tuple[str, ...]], list[Bridge]]:
    """Return the split antecedents and bridging links."""
    with line.fitting("split_antecedents"):
        given = line.record.get("split_antecedents", {})
        split = {_word(id): tuple(map(_word, members)) for id, members in given.items()}
    with line.fitting("bridging"):
        bridging = [Bridge(*map(_word, link)) for link in line.record.get("bridging", [])]
    return split, bridging


class _Keys(NamedTuple):
    """The values of a line that belong to its clusters or mentions."""

    line: _Line
    sizes: list[int]  # of the clusters
    places: Sequence[int]  # the node of each token

    def place(self, token: Any) -> int:
        """Return the node of a token."""
        if type(token) is not int or not 0 <= token < len(self.places):
            raise ValueError(token)
        return self.places[token]

    def of_clusters(self, key: str) -> list[str] | None:
        """Return the string for each cluster under a key; None if there is no such key."""
        if key not in self.line.record:
            return None
        with self.line.fitting(key):
            values = self.line.record[key]
            if not isinstance(values, list) or len(values) != len(self.sizes):
                raise ValueError(key)
            return list(map(_word, values))

    def of_mentions(self, key: str, kind: Callable[[Any], Any]) -> list[Any] | None:
        """Return the value for each mention under a key, converted by `kind`; None if missing."""
        if key not in self.line.record:
            return None
        with self.line.fitting(key):
            values = self.line.record[key]
            if [len(cluster) for cluster in values] != self.sizes:
                raise ValueError(key)
            return [kind(value) for cluster in values for value in cluster]

    def annotation(self, home: list[int]) -> Annotation | None:
        """Return the annotation of the mentions, if any; `home` is the cluster of each."""
        labels = self.of_clusters("entity_types")
        types = None if labels is None else [labels[number] for number in home]
        heads = self.of_mentions("heads", lambda head: -1 if head is None else self.place(head))
        kinds = self.of_mentions("kinds", lambda kind: KIND_NAMES.get(_word(kind).casefold(), ""))
        minima = self.of_mentions("minima", lambda nodes: list(map(self.place, nodes)))
        if (types, heads, kinds, minima) == (None,) * 4:
            return None
        nodes = None if heads is None else np.array(heads, dtype=np.int64)
        return Annotation(nodes, minima, types, kinds)

    def pieces(self) -> dict[int, list[int]]:
        """Return the nodes of discontinuous mentions, keyed by the index of the mention."""
        pieces = {}
        before = [0, *accumulate(self.sizes)]
        with self.line.fitting("pieces"):
            for cluster, mention, runs in self.line.record.get("pieces", []):
                if not 0 <= mention < self.sizes[cluster] or cluster < 0:
                    raise IndexError(mention)
                tokens = (token for first, last in runs for token in range(first, last + 1))
                nodes = list(map(self.place, tokens))
                if not nodes or sorted(set(nodes)) != nodes:
                    raise ValueError(runs)
                pieces[before[cluster] + mention] = nodes
        return pieces


def _word(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return printable(value)


def _without_zeros(
    line: _Line, sentences: list[list[str]], zeros: set[int]
) -> tuple[WrittenText, list[int]]:
    """Return the text with its empty nodes stored separately, and the node of each token."""
    places: list[int] = []
    kept: list[tuple[str, ...]] = []
    forms: dict[int, str] = {}
    before = 0  # number of words so far
    for sentence in sentences:
        words: list[str] = []
        number = 0
        for word in sentence:
            if len(places) in zeros:
                number += 1
                places.append(node((before, number if words else INITIAL + number)))
                forms[places[-1]] = printable(word)
            else:
                places.append(node(before))
                words.append(word)
                before, number = before + 1, 0
        kept.append(tuple(words))
    if not all(kept):
        raise line.refuse("zeros-alone")
    return WrittenText(tuple(kept), line.number, forms), places


def printable(text: str) -> str:
    r"""Escape lone surrogates, which JSON can represent but UTF-8 cannot.

    >>> printable("a\ud800")
    'a\\ud800'
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
