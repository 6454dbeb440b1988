"""The jsonlines of neural coreference systems: one document a line, clusters of token spans.

Each line is an object with `doc_key`, `sentences` (lists of words) and `clusters` (lists of
`[first, last]` token positions in the document, both included), as e2e-coref writes it
(Lee et al. 2017). Other keys are kept. A file of predictions that has both `clusters` (the gold it
was made from) and `predicted_clusters` gives the latter when it is read as a response.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from sameas.coref.document import Corpus, Document, Origin, WrittenText
from sameas.coref.read.conll import document_name
from sameas.errors import InputError, Problem

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
    if len(fields) == 2:
        place = (path, records[0][0], 1)
        if role is None:
            message = f"the file has both `clusters` and `{PREDICTED}`"
            hint = "say which are meant: --role key or --role response"
            raise InputError([*errors, Problem(message, *place, hint)])
        if role == "response":
            field = PREDICTED
            message = f"`{PREDICTED}` are scored, not `clusters`"
            problems.append(Problem(message, *place, severity="warning"))
    for number, record in records:
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
            [Problem(f"not JSON: {error.msg}", path, line + error.lineno - 1, error.colno, _HINT)]
        ) from None
    except (UnicodeDecodeError, RecursionError, ValueError) as error:
        column = error.start + 1 if isinstance(error, UnicodeDecodeError) else 1
        raise InputError([Problem(f"not JSON: {error}", path, line, column, _HINT)]) from None
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
    text = WrittenText(tuple(map(tuple, sentences)), line)

    clusters = record.get(field)
    if not isinstance(clusters, list) or not all(isinstance(c, list) for c in clusters):
        raise fail(f"document {name}: `{field}` is not a list of clusters")
    tokens = text.token_count
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
    columns = np.array(spans, dtype=np.int64).reshape(-1, 2)
    numbers = np.searchsorted(np.array(filled, dtype=np.int64), np.array(entity, dtype=np.int64))
    read = ("doc_key", "sentences", field)
    meta = {key: value for key, value in record.items() if key not in read}
    header = meta.get("header")
    if isinstance(header, str) and document_name(header) == name:
        del meta["header"]
    else:
        header = ""
    return Document.from_columns(
        name,
        columns[:, 0].copy(),
        columns[:, 1].copy(),
        numbers,
        [str(number) for number in range(len(filled))],
        text=text,
        meta=meta,
        origin=Origin(path, line, header),
    )


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
