"""Convert the user's sources to the relations that an engine counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from sameas.errors import InputError, Problem
from sameas.formats.table.columns import choose_columns, names_records

__all__ = ["USED", "Sources", "UserRelation", "quoted", "relate"]

#: The columns that an engine uses.
USED = ("document", "mention", "start", "end", "entity")
_NUMBER = re.compile(r"u?(tiny|small|big|huge)?int(eger)?", re.IGNORECASE)
_TEXT = re.compile(
    r"varchar|string|uuid|enum\b.*|(var)?char\(\d+\)|decimal\(\d+,0\)|\"?null\"?|void",
    re.IGNORECASE,
)


def quoted(text: str, mark: str) -> str:
    """Return a name or a string quoted for SQL with `mark`.

    >>> print(quoted("it's", "'"))
    'it''s'
    """
    return mark + text.replace(mark, 2 * mark) + mark


@dataclass(frozen=True)
class Sources:
    """Properties of the two relations that are known before counting."""

    paths: tuple[str, str] = ("key", "response")
    mention: tuple[str, ...] = ("mention",)  # the columns that identify a mention
    has_documents: bool = True
    document: str = "document"  # name of the only document, if there is no column of documents
    problems: tuple[Problem, ...] = ()
    of_records: bool = True  # whether the mentions are records


class UserRelation:
    """A user's relation: its name, its columns and their types.

    >>> found = UserRelation("a.parquet", "a", ["doc_id", "record", "cluster"], ["INTEGER"] * 3)
    >>> found.kind("mention"), found.mention
    ('number', ('mention',))
    """

    def __init__(
        self, path: str, relation: str, names: Sequence[str], types: Sequence[str]
    ) -> None:
        self.path, self.relation, self.names, self.types = path, relation, names, types
        self.fields, self.problems = choose_columns(names, path)
        if "span" in self.fields:
            raise InputError([Problem("engine-spans", path)])
        unused = [names[number] for field, number in self.fields.items() if field not in USED]
        if unused:
            self.problems.append(Problem("engine-passes", path, severity="warning", columns=unused))
        self.mention = ("start", "end") if "start" in self.fields else ("mention",)
        self.of_records = names_records({field: names[n] for field, n in self.fields.items()})

    def kind(self, field: str) -> str:
        """Return `text` or `number`; raise `InputError` for any other type."""
        type_ = self.types[self.fields[field]]
        if _NUMBER.fullmatch(type_):
            return "number"
        if field not in ("start", "end") and _TEXT.fullmatch(type_):
            return "text"
        name = self.names[self.fields[field]]
        how = "place" if field in ("start", "end") else "name"
        raise InputError([Problem("engine-column", self.path, how=how, field=name, kind=type_)])

    def expression(self, field: str, as_text: bool, mark: str) -> str:
        """Return the column in SQL.

        Identifiers are compared as text (`as_text`) unless both sides have numbers.
        """
        column = quoted(self.names[self.fields[field]], mark)
        if self.kind(field) == "text" or as_text:
            return f"nullif(CAST({column} AS STRING), '')"
        wide = self.types[self.fields[field]].upper() in ("HUGEINT", "UHUGEINT", "UBIGINT")
        return column if wide else f"CAST({column} AS BIGINT)"


def relate(
    run: Callable[[str], None],
    key: UserRelation,
    response: UserRelation,
    mark: str,
) -> Sources:
    """Create the views `sameas_key` and `sameas_response`, and return their properties.

    Their columns are document, mention (or its start and end) and entity; `mark` quotes names in
    SQL.

    >>> one = UserRelation("a", "a", ["mention", "entity"], ["INTEGER", "STRING"])
    >>> queries = []
    >>> relate(queries.append, one, one, "`").mention
    ('mention',)
    >>> queries[0].partition(", ")[2]
    "CAST(`mention` AS BIGINT) AS mention, nullif(CAST(`entity` AS STRING), '') AS entity FROM a"
    """
    has_document = "document" in key.fields
    if has_document != ("document" in response.fields):
        path = response.path if has_document else key.path
        raise InputError([Problem("no-document-column", path)])
    if key.mention != response.mention:
        raise InputError(
            [Problem("mention-columns", response.path, theirs=response.mention, ours=key.mention)]
        )
    columns = ("mention", "mention_end")[: len(key.mention)]
    for role, side in (("key", key), ("response", response)):
        shown = [] if has_document else ["'document' AS document"]
        named = {"document": "document"} if has_document else {}
        for field, column in {**named, **dict(zip(key.mention, columns, strict=True))}.items():
            as_text = key.kind(field) != response.kind(field)  # `kind` also rejects other types
            shown.append(f"{side.expression(field, as_text, mark)} AS {column}")
        shown.append(f"{side.expression('entity', False, mark)} AS entity")
        query = f"SELECT {', '.join(shown)} FROM {side.relation}"
        run(f"CREATE OR REPLACE TEMPORARY VIEW sameas_{role} AS {query}")
    problems = (*key.problems, *response.problems)
    name = PurePath(key.path).stem if key.path != "key" else "document"
    of_records = key.of_records and response.of_records
    return Sources((key.path, response.path), columns, has_document, name, problems, of_records)
