"""Tables of scores: their methods."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import sameas
from sameas.notes import Note
from sameas.tables.record import published
from sameas.tables.scoretable import ScoreTable, scores_of
from saying import raises
from unit.scoretable.readings import shown

MADE_UP = Note("rows-left-out", count=1, total=5)


def table() -> ScoreTable:
    """Return the scores of four systems in two tasks."""
    return ScoreTable(
        {"task": ["old", "old", "new", "new"], "system": ["a", "b", "c", ""]},
        {
            "muc": np.array([50.0, 60.0, 70.0, math.nan]),
            "b3": np.array([40.0, 45.0, 60.0, 62.0]),
        },
        {"muc": [1, 1, 1, 0], "b3": [2, 2, 2, 2]},
        [MADE_UP],
    )


def test_rows_are_counted() -> None:
    assert len(table()) == 4
    assert len(ScoreTable({}, {})) == 0


def test_select_takes_rows_in_the_order_given() -> None:
    assert shown(table().select([2, 0])) == [("new", "c", 70.0, 60.0), ("old", "a", 50.0, 40.0)]
    assert shown(table().select([1, 1])) == [("old", "b", 60.0, 45.0)] * 2


def test_select_no_rows() -> None:
    none = table().select([])
    assert (len(none), none.records(), list(none.columns)) == (0, [], ["muc", "b3"])


def test_select_keeps_decimals_and_notes() -> None:
    part = table().select([0])
    assert (part.decimals, part.notes) == ({"muc": [1], "b3": [2]}, [MADE_UP])


def test_only_takes_columns_in_the_order_given_and_leaves_labels() -> None:
    part = table().only(["b3", "muc"])
    assert list(part.columns) == ["b3", "muc"]
    assert list(part.labels) == ["task", "system"]
    assert list(table().only(["b3"]).columns) == ["b3"]


@pytest.mark.parametrize(
    ("name", "code", "values"),
    [
        ("mcu", "unknown", {"near": "muc", "known": ("muc", "b3")}),
        ("MUC", "unknown", {"near": "muc"}),
        ("system", "column-of-words", {"name": "system"}),
        ("", "unknown", {"value": ""}),
    ],
)
def test_only_refuses_missing_columns(name: str, code: str, values: dict[str, Any]) -> None:
    with raises(code, **values):
        table().only([name])


def test_by_groups_rows_in_order_of_first_occurrence() -> None:
    groups = table().select([2, 0, 3, 1]).by("task")
    assert list(groups) == ["new", "old"]
    assert groups["old"].labels["system"] == ["a", "b"]
    assert groups["new"].columns["b3"].tolist() == [60.0, 62.0]


def test_by_loses_no_row() -> None:
    record = published()
    for label in record.labels:
        assert sum(map(len, record.by(label).values())) == len(record)


@pytest.mark.parametrize(
    ("label", "code", "values"),
    [
        ("tsk", "unknown", {"near": "task", "known": ("task", "system")}),
        ("x", "unknown", {"value": "x"}),
        (".+", "group-no-parentheses", {"group": ".+"}),
        ("", "group-no-parentheses", {"group": ""}),
        ("[", "not-a-pattern", {"pattern": "["}),
        ("(x)", "group-matches-none", {"name": "old a"}),
    ],
)
def test_by_refuses_unknown_labels(label: str, code: str, values: dict[str, Any]) -> None:
    with raises(code, **values):
        table().by(label)


def test_groups_of_no_rows_and_by_no_string() -> None:
    assert table().select([]).groups("(a)") == []
    with raises("wrong-type", what="a group"):
        table().groups(3)  # type: ignore[arg-type]


def test_the_name_of_a_row_is_its_labels() -> None:
    assert [table().name(row) for row in range(4)] == ["old a", "old b", "new c", "new"]
    assert ScoreTable({}, {"muc": np.array([1.0])}).name(0) == ""


def test_records_have_none_for_missing_scores() -> None:
    assert table().records()[3] == {"task": "new", "system": "", "muc": None, "b3": 62.0}
    for record in table().records():
        assert all(isinstance(cell, (str, float, type(None))) for cell in record.values())
    json.dumps(table().records(), allow_nan=False)


def test_tables_add_up() -> None:
    other = ScoreTable(
        {"system": ["x"], "language": ["Arabic"]},
        {"b3": np.array([1.0]), "lea": np.array([2.0])},
        {"b3": [3]},
        [Note("part-left-out")],
    )
    both = table() + other
    assert len(both) == 5
    assert list(both.labels) == ["task", "system", "language"]
    assert list(both.columns) == ["muc", "b3", "lea"]
    assert both.records()[0] == {
        "task": "old", "system": "a", "language": "", "muc": 50.0, "b3": 40.0, "lea": None
    }  # fmt: skip
    assert both.records()[4] == {
        "task": "", "system": "x", "language": "Arabic", "muc": None, "b3": 1.0, "lea": 2.0
    }  # fmt: skip
    assert both.decimals == {
        "muc": [1, 1, 1, 0, 0], "b3": [2, 2, 2, 2, 3], "lea": [0, 0, 0, 0, 1]
    }  # fmt: skip
    assert list(both.notes) == [MADE_UP, Note("part-left-out")]


def test_a_table_and_something_else_do_not_add_up() -> None:
    with pytest.raises(TypeError):
        table() + 1


def test_adding_parts_gives_the_whole() -> None:
    record = published()
    parts = list(record.by("language").values())
    whole = parts[0]
    for part in parts[1:]:
        whole = whole + part
    assert sorted(map(str, shown(whole))) == sorted(map(str, shown(record)))


def test_scores_of_results() -> None:
    key = [sameas.Document.from_clusters(name, [["a", "b"], ["c", "d"]]) for name in "xy"]
    response = [sameas.Document.from_clusters("x", [["a", "b"]]), key[1]]
    result = sameas.score(key, response, metrics=["muc", "b3"])
    total = scores_of([result, result])
    assert total.columns["muc"].tolist() == [100 * result["muc"].f1] * 2
    documents = scores_of([result], by_document=True)
    assert documents.labels["document"] == ["x", "y"]
    assert documents.columns["muc"].tolist() == [pytest.approx(200 / 3), 100.0]
    recall = scores_of([result], part="recall", by_document=True)
    assert recall.columns["muc"].tolist() == [50.0, 100.0]
    with raises("unknown", what="part", near="precision"):
        scores_of([result], part="precison")
