"""JSON and CSV output, for programs."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sameas.show.cells import printable

__all__ = ["compact_json", "flat", "json_of", "limits", "write_csv", "write_records"]


def json_of(shown: Sequence[Any]) -> str:
    """Return the JSON of one record as an object, or of several records as a list.

    >>> print(json_of([{"counts": [1, 2]}]))
    {
      "counts": [1, 2]
    }
    """
    return compact_json(shown[0] if len(shown) == 1 else shown)


def compact_json(shown: Any) -> str:
    """Return JSON with each list of numbers on one line.

    The text can be searched for such lists, because strings in JSON contain no line breaks.

    >>> print(compact_json({"counts": [1, 2]}))
    {
      "counts": [1, 2]
    }
    """
    text = json.dumps(shown, indent=2, allow_nan=False)
    return re.sub(r"\[\n([-+0-9.e,\s]*)\]", lambda found: f"[{' '.join(found[1].split())}]", text)


def write_csv(rows: Iterable[Sequence[object]]) -> str:
    """Return the rows as CSV, without a final line break; None becomes an empty cell.

    >>> write_csv([["a", "b", "c"], ["x, y", None, True]])
    'a,b,c\\n"x, y",,true'
    """
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([*map(_cell, row)] for row in rows)
    return out.getvalue().rstrip("\n")


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return str(value).lower()
    return printable(value) if isinstance(value, str) else value


def write_records(records: Iterable[Mapping[str, object]]) -> str:
    """Return the records as CSV; the header consists of the field names of the first record.

    >>> write_records([{"a": 1, "b": 2}])
    'a,b\\n1,2'
    """
    rows = list(records)
    return write_csv([list(rows[0]), *(list(row.values()) for row in rows)])


def limits(interval: tuple[float, float] | None, part: str = "") -> dict[str, object]:
    """Return the two columns of an interval; they are None if there is no interval.

    >>> limits((0.25, 0.5), "f1_")
    {'f1_low': 0.25, 'f1_high': 0.5}
    """
    low, high = interval or (None, None)
    return {f"{part}low": low, f"{part}high": high}


def flat(record: Mapping[str, Any]) -> dict[str, object]:
    """Return a record of JSON as columns: its interval becomes two columns.

    >>> flat({"value": 0.5, "interval": (0.25, 0.75)})
    {'value': 0.5, 'low': 0.25, 'high': 0.75}
    """
    columns: dict[str, object] = {}
    for name, value in record.items():
        columns |= limits(value) if name == "interval" else {name: value}
    return columns
