"""Random tables of mentions, and the results that every engine must return for them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

import sameas

#: Every metric that does not need spans of a text.
METRICS = [name for name, metric in sameas.METRICS.items() if not metric.places]

Rows = list[tuple[Any, Any, Any]]
Table = dict[str, list[Any]]


@st.composite
def sides(draw: st.DrawFn, documents: int = 3, mentions: int = 9) -> tuple[Rows, Rows]:
    """Generate a key and a response with few mentions and entities, so that they share many."""
    names = st.integers(0, documents - 1)
    row = st.tuples(names, st.integers(0, mentions - 1), st.integers(0, 4))
    found = [
        draw(st.lists(row, min_size=1, max_size=30, unique_by=lambda row: row[:2]))
        for _ in range(2)
    ]
    return sorted(found[0]), sorted(found[1])


def table(rows: Rows, text: bool = False) -> Table:
    """Return the rows as columns of numbers or text."""
    kind = (lambda value: None if value is None else f"x{value}") if text else (lambda value: value)
    return {
        name: [kind(row[place]) for row in rows]
        for place, name in enumerate(("document", "mention", "entity"))
    }


def share_documents(key: Rows, response: Rows) -> bool:
    """Return whether there is anything to score."""
    return bool({row[0] for row in key} & {row[0] for row in response})


def assert_same(found: sameas.Result, wanted: sameas.Result) -> None:
    """Assert that documents (in any order), numbers, notes and settings are exactly equal."""
    assert found.signature == wanted.signature
    assert list(found.metrics) == list(wanted.metrics)
    assert list(found.notes) == list(wanted.notes)
    assert set(found.statistics.columns) == set(wanted.statistics.columns)
    numbers = {name: place for place, name in enumerate(wanted.statistics.documents)}
    assert sorted(found.statistics.documents) == sorted(numbers)
    order = [numbers[name] for name in found.statistics.documents]
    for name, columns in found.statistics.columns.items():
        for one, other in zip(columns, wanted.statistics.columns[name], strict=True):
            assert one.tolist() == other[order].tolist(), name
            assert one.dtype == other.dtype, name
    for name in wanted.metrics:
        assert found[name] == wanted[name], name
