"""The columns of tables: their names, and which of them are used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from sameas.errors import InputError, Problem, shortened
from sameas.sentences import wording

__all__ = ["META", "choose_columns", "find_field", "names_records"]

#: The accepted names of columns, ours first; case, spaces, `_` and `-` do not matter.
NAMES: dict[str, tuple[str, ...]] = {
    "document": ("document", "doc", "doc_id", "document_id", "doc_key"),
    "mention": ("mention", "mention_id", "record", "record_id", "rec_id", "unique_id", "id"),
    "start": ("start", "first", "begin"),
    "end": ("end", "last"),
    "span": ("span",),
    "entity": ("entity", "entity_id", "cluster", "cluster_id", "label"),
    "type": ("type", "entity_type"),
    "kind": ("kind",),
    "head": ("head",),
    "topic": ("topic",),
    "genre": ("genre",),
    "split": ("split",),
}
META = ("topic", "genre", "split")  # of a document
PLACES = (("mention",), ("start", "end"), ("span",))  # the ways to identify a mention

_FIELDS = {name.replace("_", ""): field for field, names in NAMES.items() for name in names}
_PANDAS_INDEX = re.compile(r"__index_level_\d+__")


def find_field(name: str) -> str | None:
    """Return the field of a column with this name; None if unknown."""
    return _FIELDS.get(_plain(name))


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", "", name).casefold()


def choose_columns(
    names: Sequence[str], path: str, line: int = 0
) -> tuple[dict[str, int], list[Problem]]:
    """Return the index of each field's column, and a warning that names unused columns, if any.

    >>> choose_columns(["doc_id", "record", "cluster"], "a.csv")
    ({'document': 0, 'mention': 1, 'entity': 2}, [])
    """
    place = (path, line, min(line, 1))
    found: dict[str, list[int]] = {}
    unused = []
    for number, name in enumerate(names):
        field = find_field(name)
        if field:
            found.setdefault(field, []).append(number)
        elif not _PANDAS_INDEX.fullmatch(name):
            unused.append(name)
    wrong = _find_doubles(names, found)
    if {"start", "end"} <= found.keys():
        # Token numbers identify mentions; columns of their words or ids are unused.
        for field in ("mention", "span"):
            unused += [names[column] for column in found.pop(field, [])]
    wrong += _find_gaps(names, found)
    if wrong:
        raise InputError([Problem(code, *place, values=values) for code, values in wrong])
    chosen = {field: columns[0] for field, columns in found.items()}
    if "mention" in chosen and "head" in chosen:
        unused.append(names[chosen.pop("head")])  # identifiers are not spans, so have no heads
    if not unused:
        return chosen, []
    values = {"count": len(unused), "columns": _listed(unused)}
    return chosen, [Problem("unused-columns", *place, severity="warning", values=values)]


def names_records(columns: Mapping[str, str]) -> bool:
    """Return whether the rows of a table are records, given the names of its columns by field.

    Spans are mentions of a text. Identifiers are records, unless the table has documents and calls
    them mentions.

    >>> names_records({"document": "block", "mention": "record", "entity": "cluster"})
    True
    >>> names_records({"document": "doc_id", "mention": "mention_id", "entity": "cluster_id"})
    False
    """
    if "mention" not in columns:
        return False
    return "document" not in columns or not _plain(columns["mention"]).startswith("mention")


_Found = list[tuple[str, dict[str, object]]]  # codes and values of problems


def _listed(names: Iterable[str]) -> str:
    return shortened(", ".join(name or '""' for name in names))


def _find_doubles(names: Sequence[str], found: Mapping[str, Sequence[int]]) -> _Found:
    """Find columns with the same name, or else for the same field."""
    again = next((name for name in names if name and list(names).count(name) > 1), None)
    if again is not None:
        return [("same-columns", {"name": again, "columns": _listed(names)})]
    words = wording(names_records({field: names[column] for field, (column, *_) in found.items()}))
    return [
        ("several-columns", {**words, "field": field, "columns": [names[one] for one in columns]})
        for field, columns in found.items()
        if len(columns) > 1
    ]


def _find_gaps(names: Sequence[str], found: Mapping[str, Sequence[int]]) -> _Found:
    """Find missing columns, or columns that identify mentions in several ways."""
    if not found:
        return [("no-known-column", {"columns": _listed(names), "how": "" if names else "none"})]
    ways = [way for way in PLACES if any(field in found for field in way)]
    if len(ways) > 1:
        columns = [names[found[field][0]] for way in ways for field in way if field in found]
        return [("several-ways", {"columns": columns})]
    missing = [field for field in (*(ways or PLACES)[0], "entity") if field not in found]
    records = names_records({f: names[found[f][0]] for f in found})
    return [
        (
            "no-column",
            {
                **wording(records),
                "field": field,
                "columns": _listed(names),
                "known": NAMES[field],
                "how": "" if ways else field,
            },
        )
        for field in missing
    ]
