"""Tables of scores: what they can do, what the reader takes, and that nothing makes it fall over."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sameas
from sameas.errors import InputError, Problem, SameasError, UsageError
from sameas.notes import Note
from sameas.settings import Resampling
from sameas.show import render
from sameas.tables.correlation import correlate
from sameas.tables.record import audit, published
from sameas.tables.score_files import read_scores
from sameas.tables.scoretable import ScoreTable, scores_of
from saying import has, raises

MADE_UP = Note("rows-left-out", count=1, total=5)


def table() -> ScoreTable:
    """Four systems of two tasks."""
    return ScoreTable(
        {"task": ["old", "old", "new", "new"], "system": ["a", "b", "c", ""]},
        {
            "muc": np.array([50.0, 60.0, 70.0, math.nan]),
            "b3": np.array([40.0, 45.0, 60.0, 62.0]),
        },
        {"muc": [1, 1, 1, 0], "b3": [2, 2, 2, 2]},
        [MADE_UP],
    )


def shown(scores: ScoreTable) -> list[tuple[Any, ...]]:
    return [tuple(record.values()) for record in scores.records()]


# --- the table ----------------------------------------------------------------------------------


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
def test_only_of_what_is_not_there(name: str, code: str, values: dict[str, Any]) -> None:
    with raises(code, **values):
        table().only([name])


def test_by_groups_rows_in_the_order_in_which_the_groups_come() -> None:
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
def test_by_what_is_not_a_label(label: str, code: str, values: dict[str, Any]) -> None:
    with raises(code, **values):
        table().by(label)


def test_groups_of_nothing_and_by_no_word() -> None:
    assert table().select([]).groups("(a)") == []
    with raises("wrong-type", what="a group"):
        table().groups(3)  # type: ignore[arg-type]


def test_the_name_of_a_row_is_its_labels() -> None:
    assert [table().name(row) for row in range(4)] == ["old a", "old b", "new c", "new"]
    assert ScoreTable({}, {"muc": np.array([1.0])}).name(0) == ""


def test_records_have_none_for_what_is_missing() -> None:
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


# --- the reader ---------------------------------------------------------------------------------

OWN = "system,muc,b3\nfirst,50.2,40\nsecond,60.1,45\nthird,55,44.75\n"
ROWS = [("first", 50.2, 40.0), ("second", 60.1, 45.0), ("third", 55.0, 44.75)]
RECORDS = [dict(zip(("system", "muc", "b3"), row, strict=True)) for row in ROWS]


def read(folder: Path, text: str | bytes, **named: Any) -> ScoreTable:
    path = folder / "scores.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    return read_scores(path, **named)


def refused(folder: Path, text: str | bytes, **named: Any) -> list[Problem]:
    """Why a text is refused."""
    with pytest.raises(InputError) as caught:
        read(folder, text, **named)
    assert str(caught.value)
    assert all(one.path.startswith(str(folder / "scores.txt")) for one in caught.value.problems)
    return list(caught.value.problems)


def places(problems: list[Problem]) -> list[tuple[str, int, int]]:
    return [(one.code, one.line, one.column) for one in problems]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(OWN, id="commas"),
        pytest.param(OWN.replace(",", "\t"), id="tabs"),
        pytest.param(OWN.replace(",", ";"), id="semicolons"),
        pytest.param("\ufeff" + OWN, id="byte order mark"),
        pytest.param(OWN.replace("\n", "\r\n"), id="Windows"),
        pytest.param(OWN.replace("\n", "\r"), id="old Macintosh"),
        pytest.param(OWN.rstrip("\n"), id="no line break at the end"),
        pytest.param("\n\n" + OWN + "\n\n", id="blank lines around"),
        pytest.param(OWN.replace("\n", "\n\n"), id="blank lines between"),
        pytest.param(OWN.replace("\n", "\n,,\n"), id="lines of blank cells between"),
        pytest.param(OWN.replace(",", " , "), id="blanks around cells"),
        pytest.param('"' + OWN.replace(",", '","').replace("\n", '"\n"')[:-1], id="quotes"),
        pytest.param(json.dumps(RECORDS), id="JSON list of records"),
        pytest.param(json.dumps(RECORDS, indent=2), id="JSON on many lines"),
        pytest.param("\ufeff \n" + json.dumps(RECORDS), id="JSON after blanks"),
        pytest.param(
            json.dumps({name: [one[name] for one in RECORDS] for name in RECORDS[0]}),
            id="JSON columns by name",
        ),
        pytest.param(
            json.dumps([{name: str(cell) for name, cell in one.items()} for one in RECORDS]),
            id="JSON numbers as strings",
        ),
    ],
)
def test_the_same_table_in_many_shapes(tmp_path: Path, text: str) -> None:
    assert shown(read(tmp_path, text)) == ROWS


def test_json_rows_by_name(tmp_path: Path) -> None:
    rows = {one["system"]: {"muc": one["muc"], "b3": one["b3"]} for one in RECORDS}
    found = read(tmp_path, json.dumps(rows))
    assert shown(found) == ROWS
    assert list(found.labels) == ["name"]


def test_decimals_are_those_printed(tmp_path: Path) -> None:
    assert read(tmp_path, OWN).decimals == {"muc": [1, 1, 0], "b3": [0, 0, 2]}
    assert read(tmp_path, "a,b,c\n1,2.50,1e-3\n1,2,1\n").decimals == {
        "a": [0, 0], "b": [2, 0], "c": [3, 0]
    }  # fmt: skip


def test_odd_but_sound_cells(tmp_path: Path) -> None:
    text = 'name,"a, b",c\n"x\ny",+1,.5\n"say ""hi""",-2e1,3.\n東京,٣,4\n'
    found = read(tmp_path, text)
    assert found.labels["name"] == ["x\ny", 'say "hi"', "東京"]
    assert found.columns["a, b"].tolist() == [1.0, -20.0, 3.0]
    assert found.columns["c"].tolist() == [0.5, 3.0, 4.0]


def test_a_column_without_a_name_is_one_of_labels(tmp_path: Path) -> None:
    found = read(tmp_path, ",muc,b3\n0,1,2\n1,3,4\n")  # as pandas writes it
    assert found.labels == {"name": ["0", "1"]}
    assert list(found.columns) == ["muc", "b3"]


@pytest.mark.parametrize("gap", ["", "nan", "NaN", "NA", "n/a", "None", "null", "-", "–", "—", " "])
def test_missing_scores(tmp_path: Path, gap: str) -> None:
    text = f"system,muc,b3\na,1,2\nb,{gap},3\nc,2,4\n"
    (problem,) = refused(tmp_path, text)
    assert has(problem, "missing-score", line=3, column=3, metric="muc", row="b")
    kept = read(tmp_path, text, missing="keep")
    assert [record["muc"] for record in kept.records()] == [1.0, None, 2.0]
    skipped = read(tmp_path, text, missing="skip")
    assert skipped.labels["system"] == ["a", "c"]
    assert skipped.notes == [Note("rows-left-out", count=1, total=3)]
    wanted = read(tmp_path, text, columns=["b3"])
    assert wanted.columns["b3"].tolist() == [2.0, 3.0, 4.0]


def test_missing_in_json_names_the_record(tmp_path: Path) -> None:
    for value in ("null", "NaN", '""'):
        text = f'[{{"s": "a", "m": 1}}, {{"s": "b", "m": {value}}}, {{"m": 2, "s": "c"}}]'
        (problem,) = refused(tmp_path, text)
        assert has(problem, "missing-score", metric="m", row="b")
        assert problem.path.endswith(": record 2")
    text = '[{"s": "a", "m": 1, "n": 1}, {"s": "b", "m": 1}, {"m": 2, "n": 2}]'
    assert has(refused(tmp_path, text)[0], "missing-score", metric="n", row="b")


def test_unknown_policy_for_what_is_missing(tmp_path: Path) -> None:
    with raises("unknown", what="missing", near="skip"):
        read(tmp_path, OWN, missing="skp")


@pytest.mark.parametrize(
    ("text", "place", "metric", "cell"),
    [
        ("a,b,c\nx,1,2\ny,3,4\nz,5,six\n", (4, 5), "c", "six"),
        ("a,b,c\nx,1,2\ny,3o,4\nz,5,6\n", (3, 3), "b", "3o"),
        ("b,c,d\n3o,1,2\n2,3,4\n4,5,6\n", (2, 1), "b", "3o"),
        ("a;b;c\nx;1;2\ny;3;4\nz;5;1_0\n", (4, 5), "c", "1_0"),
        ("a\tb\nxyz\t1\nlong name\tinf\ny\t2\n", (3, 11), "b", "inf"),
        ("a,b\r\nx,1\r\ny,1e999\r\nz,2\r\n", (3, 3), "b", "1e999"),
        ("\ufeffb,a\nq,x\n1,y\n2,z\n", (2, 1), "b", "q"),
        ("\n\na,b\n\nx,1\n\n\ny,2\n\nz,q\n", (10, 3), "b", "q"),
        ('a,b\n"x\ny\nz",1\nw,2\nv,q\n', (6, 3), "b", "q"),
        ("東京,b\n大阪,q\nx,1\ny,2\n", (2, 4), "b", "q"),
    ],
)
def test_typing_errors_have_their_line_and_column(
    tmp_path: Path, text: str, place: tuple[int, int], metric: str, cell: str
) -> None:
    (problem,) = refused(tmp_path, text)
    assert has(problem, "cell-not-number", metric=metric, cell=cell)
    assert (problem.line, problem.column) == place


def test_all_typing_errors_are_told(tmp_path: Path) -> None:
    found = places(refused(tmp_path, "a,b,c\nx,1,q\ny,r,4\nz,5,6\nw,7,8\n"))
    assert found == [("cell-not-number", 2, 5), ("cell-not-number", 3, 3)]


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("", "empty-scores", 1, 1),
        ("\ufeff \n\t\r\n", "empty-scores", 1, 1),
        ("words without any table\n", "not-scores", 1, 1),
        ("# a comment\na,b\n1,2\n", "not-scores", 1, 1),
        ("system,muc\n", "not-scores", 1, 1),
        ("\n\nsystem\nx\n", "not-scores", 3, 1),
        ("1,2\n3,4\n", "no-header", 1, 1),
        ("a,b,a\n1,2,3\n", "columns-alike", 1, 1),
        ("a,,\n1,2,3\n", "columns-alike", 1, 1),
        ("a,b\n1,2\n3\n4,5,6\n", "uneven-cells", 3, 1),
        ("a,b\nx,y\n", "no-numbers", 0, 0),
        ("[1, 2]", "not-scores", 1, 1),
        ("[]", "not-scores", 1, 1),
        ("{}", "not-scores", 1, 1),
        ('{"a": [1, 2], "b": [1]}', "not-scores", 1, 1),
        ('{"a": [1], "b": {}}', "not-scores", 1, 1),
        ('[{"a": 1},\n {"a": 2', "not-json", 2, 9),
        ('{"a": 1}\n{"a": 2}\n', "not-json", 2, 1),
        ('[{"a": "x"}]', "no-numbers", 0, 0),
        ('{"metrics": {"muc": 5}}', "not-score-json", 0, 0),
    ],
)
def test_what_is_not_a_table_of_scores(
    tmp_path: Path, text: str, code: str, line: int, column: int
) -> None:
    assert places(refused(tmp_path, text))[0] == (code, line, column)


def test_other_encodings_are_refused(tmp_path: Path) -> None:
    wide, latin = OWN.encode("utf-16"), OWN.encode() + b"Z\xfcrich,1,2\n"
    assert places(refused(tmp_path, wide))[0][1:] == (1, 1)
    assert places(refused(tmp_path, latin))[0][1:] == (5, 2)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "no", tmp_path):
        with pytest.raises(InputError, match=str(path)):
            read_scores(path)


def test_unknown_columns_and_parts(tmp_path: Path) -> None:
    with raises("unknown", what="column", near="muc"):
        read(tmp_path, OWN, columns=["mcu"])
    with raises("unknown", what="part", near="f1"):
        read(tmp_path, OWN, part="f2")


def test_documents_of_a_table_that_has_none(tmp_path: Path) -> None:
    for text in (OWN, json.dumps(RECORDS)):
        (problem,) = refused(tmp_path, text, by_document=True)
        assert has(problem, "other-table", how="by-document")


@pytest.fixture(scope="module")
def results() -> list[sameas.Result]:
    """Two systems on three documents."""
    key = [sameas.Document.from_clusters(name, [["a", "b"], ["c", "d", "e"]]) for name in "xyz"]
    whole = [sameas.Document.from_clusters(name, [["a", "b", "c"], ["d", "e"]]) for name in "xyz"]
    half = [sameas.Document.from_clusters("x", [["a", "b"]]), key[1], whole[2]]
    metrics = ["muc", "b3", "blanc", "ceafe", "conll"]
    return [sameas.score(key, response, metrics=metrics) for response in (whole, half)]


@pytest.mark.parametrize("style", ["json", "csv"])
@pytest.mark.parametrize("part", ["f1", "recall", "precision"])
@pytest.mark.parametrize("by_document", [False, True])
def test_what_score_writes_is_read_back_to_the_last_digit(
    tmp_path: Path, results: list[sameas.Result], style: str, part: str, by_document: bool
) -> None:
    named = [result_named(result, f"system {n}") for n, result in enumerate(results)]
    for resampling in (None, Resampling(samples=100)):
        text = render(named, style, by_document=True, by="genre", resampling=resampling)
        found = read(tmp_path, text, part=part, by_document=by_document)
        expected = scores_of(named, part=part, by_document=by_document)
        assert found.records() == expected.records()
        assert list(found.notes) == list(expected.notes)
        assert len(found) == (6 if by_document else 2)
        assert ("conll" in found.columns) == (part == "f1")
        text = render(named[:1], style, by_document=True)
        assert len(read(tmp_path, text, part=part, by_document=by_document)) in (1, 3)


def result_named(result: sameas.Result, name: str) -> sameas.Result:
    from dataclasses import replace

    return replace(result, name=name)


def test_files_of_score_that_lack_documents(tmp_path: Path, results: list[sameas.Result]) -> None:
    named = [result_named(result, f"system {n}") for n, result in enumerate(results)]
    (problem,) = refused(tmp_path, render(named, "csv"), by_document=True)
    assert has(problem, "no-scope", how="document")
    (problem,) = refused(tmp_path, render(named, "json"), by_document=True)
    assert has(problem, "no-documents-of", response="system 0")


def test_files_of_score_that_were_touched(tmp_path: Path) -> None:
    header = "response,scope,name,metric,recall,precision,f1\n"
    line = "a,total,,muc,0.5,0.5,0.5\n"
    (problem,) = refused(tmp_path, header + line + line)
    assert has(problem, "score-again", line=3, metric="muc", name="a")
    (problem,) = refused(tmp_path, header + line + "b,total,,muc,0.5,0.5,x\n")
    assert has(problem, "score-not-number", line=3, metric="muc", name="b")
    (problem,) = refused(tmp_path, header + line.replace("total", "group"))
    assert has(problem, "no-scope", how="total")


# --- what made it fall over ---------------------------------------------------------------------


def test_typing_errors_in_files_with_other_line_breaks(tmp_path: Path) -> None:
    wrong = OWN.replace("55", "5S")
    assert places(refused(tmp_path, wrong.replace("\n", "\r"))) == [("cell-not-number", 4, 7)]
    (quoted,) = refused(tmp_path, wrong.replace("first", '"fi\rrst"'))
    assert has(quoted, "cell-not-number", cell="5S") and quoted.line in (4, 5)


@pytest.mark.parametrize("text", [",,\n", ";", '"', '""\n""\n'])
def test_nothing_but_blank_cells(tmp_path: Path, text: str) -> None:
    assert places(refused(tmp_path, text))[0][1:] == (1, 1)


def test_records_of_nothing(tmp_path: Path) -> None:
    for text in ("[{}]", "[{}, {}]", '{"a": {}, "b": {}}'):
        assert refused(tmp_path, text)


def test_whole_numbers_of_many_digits(tmp_path: Path) -> None:
    text = '[{"a": "x", "b": 1}, {"a": "y", "b": ' + "9" * 5000 + "}]"
    assert refused(tmp_path, text)


@pytest.mark.parametrize("documents", [[1], ["d"], [None], [{"document": "d", "metrics": [1]}]])
def test_documents_that_are_none(tmp_path: Path, documents: list[object]) -> None:
    text = json.dumps({"response": "s", "metrics": {}, "by_document": documents})
    assert refused(tmp_path, text, by_document=True)


def test_results_with_huge_numbers(tmp_path: Path) -> None:
    text = json.dumps({"response": "s", "metrics": {"muc": {"f1": 10**400}}})
    assert refused(tmp_path, text)


@pytest.mark.parametrize("value", ["Infinity", "-Infinity", "1e999", "1e308"])
def test_results_with_infinite_numbers(tmp_path: Path, value: str) -> None:
    text = '{"response": "s", "metrics": {"muc": {"f1": ' + value + "}}}"
    try:
        found = read(tmp_path, text, missing="keep")
    except InputError as error:
        assert str(tmp_path) in str(error)
    else:
        assert all(not np.isinf(column).any() for column in found.columns.values())


@pytest.mark.parametrize(
    "text",
    [
        '{"response": "s", "metrics": {}}',
        '{"response": "s", "metrics": {"muc": {}}}',
        '{"response": "s", "metrics": {"muc": {"f1": null}}}',
        "response,scope,name,metric,recall\ns,total,,muc,0.5\n",
        "response,scope,name,metric,recall,precision,f1\ns,total,,muc,0.5,0.5,\n",
    ],
)
def test_results_without_any_score(tmp_path: Path, text: str) -> None:
    assert refused(tmp_path, text)


def test_huge_numbers_are_correlated_or_refused(tmp_path: Path) -> None:
    found = read(tmp_path, "a,b,c\nx,1e200,1\ny,2e200,2\nz,4e200,3\nw,3e200,4\n")
    try:
        (one,) = correlate(found, resampling=Resampling(samples=100))
    except SameasError:
        return
    assert one.pearson.value == pytest.approx(0.8)


# --- damage -------------------------------------------------------------------------------------

SNIPPETS = [",", ";", "\t", "\n", "\r", "\r\n", '"', '""', "'", "\x00", "\ufeff", "\u2028", " "]
SNIPPETS += ["#", "inf", "-inf", "nan", "1e999", "-1e999", "1e308", "1e-320", "9" * 400, "9" * 5000]
SNIPPETS += ["٣", "１２", "²", "½", "1_0", "0x1", "1,5", "50%", "**", "–", "\ud800", "\U0010ffff"]
SNIPPETS += [
    "{",
    "}",
    "[",
    "]",
    ":",
    "null",
    "true",
    "Infinity",
    "NaN",
    "{}",
    "[]",
    '{"a":1}',
    "\\",
]
SNIPPETS += ["[" * 3000, "document", "metrics", "total", "response,scope,name,metric,", "muc", ""]
VALUES: list[Any] = [None, True, False, 0, -1, 1.5, 10**30, 10**400, 1e308, -1e308, 5e-324]
VALUES += [math.nan, math.inf, -math.inf, "", "x", "\x00", "1", "1e999", [], {}, [[]], [1], [None]]
VALUES += [{"": None}, {"f1": 0.5}, {"f1": None}, {"f1": math.inf}, {"f1": "x"}, {"metrics": {}}]
VALUES += [{"muc": {"f1": 0.5}}, {"muc": 1}, [{"document": "d"}], [{"metrics": [1]}], "metrics"]
KEYS = ["", "muc", "b3", "conll", "metrics", "response", "by_document", "document", "f1", "name"]


def _sound(generator: random.Random) -> tuple[str, Any]:
    """A sound table as text, and as data if it is JSON."""
    rows = generator.randint(2, 8)
    names = generator.sample(["mention", "muc", "b3", "ceafe", "conll", "muc_recall", "x y"], 3)

    def number() -> float:
        return round(generator.uniform(0, 100), generator.choice([0, 1, 2]))

    def metrics() -> dict[str, dict[str, float]]:
        return {
            name: {"recall": generator.random(), "precision": 0.5, "f1": generator.random()}
            for name in names
        }

    kind = generator.randrange(8)
    if kind < 3:
        delimiter = generator.choice(",,;\t")
        lines = [delimiter.join(["system", "document", *names])]
        lines += [
            delimiter.join([f"s{n}", f"d{n // 2}", *(str(number()) for _ in names)])
            for n in range(rows)
        ]
        return "\n".join(lines) + "\n", None
    if kind == 3:
        lines = ["response,scope,name,metric,recall,precision,f1,signature"]
        lines += [
            f"s{n},{scope},{name},{metric},0.5,{generator.random()},{generator.random()},sameas:coref"
            for n in range(rows)
            for scope, name in (("total", ""), ("document", "d1"), ("document", "d2"))
            for metric in names
        ]
        return "\n".join(lines) + "\n", None
    data: Any = [{"system": f"s{n}", **{name: number() for name in names}} for n in range(rows)]
    if kind == 5:
        data = {name: [record[name] for record in data] for name in data[0]}
    elif kind == 6:
        data = {record.pop("system"): record for record in data}
    elif kind == 7:
        data = [
            {
                "response": f"s{n}",
                "metrics": metrics(),
                "by_document": [{"document": f"d{m}", "metrics": metrics()} for m in range(rows)],
            }
            for n in range(rows)
        ]
    return json.dumps(data, indent=generator.choice([None, 1])), data


def _damage(generator: random.Random, content: bytes) -> bytes:
    """Damage the bytes of a table in one way."""
    place = generator.randrange(len(content) + 1)
    stop = min(len(content), place + generator.choice([1, 1, 2, 5, 20]))
    lines = content.splitlines(keepends=True)
    way = generator.randrange(14)
    if way == 0 and content:
        place = min(place, len(content) - 1)
        flipped = content[place] ^ (1 << generator.randrange(8))
        return content[:place] + bytes([flipped]) + content[place + 1 :]
    if way == 1:
        return content[:place]
    if way == 2:
        return content[:place] + content[stop:]
    if way == 3 and lines:
        generator.shuffle(lines)
        return b"".join(lines)
    if way == 4:
        swapped = {44: 59, 59: 44, 9: 44}
        return bytes(
            swapped.get(byte, byte) if generator.random() < 0.3 else byte for byte in content
        )
    if way == 5:
        return content.replace(b"\n", generator.choice([b"\r\n", b"\r", b"\n\n", b"\x0c", b""]))
    if way == 6:
        return generator.choice([b"\xef\xbb\xbf", b"\xff\xfe", b"\n", b"#", b",", b'"']) + content
    if way == 7 and lines:  # the header again, or other names in it
        again = lines[0].replace(b"system", generator.choice([b"", b"muc", b"b3", b"name"]))
        return generator.choice([lines[0] + content, again + b"".join(lines[1:])])
    if way == 8:
        return bytes(
            byte for byte in content if chr(byte) not in generator.choice(["0123456789", "abcdef"])
        )
    if way == 9:
        text = content.decode(errors="replace")
        return text.encode(generator.choice(["utf-16", "latin-1"]), "replace")
    if way == 10:
        return content[:place] + content[generator.randrange(len(content) + 1) :]
    snippet = generator.choice(SNIPPETS).encode("utf-8", "surrogatepass")
    return content[:place] + snippet + content[stop if generator.random() < 0.5 else place :]


def _damage_data(generator: random.Random, data: Any) -> bytes:
    """Put wrong values into the data of a JSON table."""
    data = json.loads(json.dumps(data))
    for _ in range(generator.choice([1, 1, 2, 4])):
        holder: Any = data
        while True:
            places = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
            if not places:
                break
            place = generator.choice(places)
            inner = holder[place]
            if isinstance(inner, (dict, list)) and inner and generator.random() < 0.7:
                holder = inner
                continue
            way = generator.randrange(4)
            if way == 0:
                del holder[place]
            elif way == 1 and isinstance(holder, dict):
                holder[generator.choice(KEYS)] = holder.pop(place)
            elif way == 2 and isinstance(holder, list):
                holder.append(deepcopy(generator.choice([inner, *VALUES])))
            else:
                holder[place] = deepcopy(generator.choice(VALUES))
            break
    return json.dumps(data).encode()


def damaged(count: int, seed: int) -> Iterator[tuple[int, bytes, dict[str, Any]]]:
    """Texts that were tables once, and how to read them."""
    for number in range(count):
        generator = random.Random(f"{seed}/{number}")
        text, data = _sound(generator)
        if data is not None and generator.random() < 0.6:
            content = _damage_data(generator, data)
        else:
            content = text.encode()
            for _ in range(generator.choice([1, 1, 1, 2, 3])):
                content = _damage(generator, content)
        yield (
            number,
            content,
            {
                "part": generator.choice(["f1", "f1", "recall"]),
                "by_document": generator.random() < 0.15,
                "missing": generator.choice(["error", "skip", "keep"]),
                "columns": ["muc"] if generator.random() < 0.1 else None,
            },
        )


def check(path: Path, options: dict[str, Any]) -> list[str]:
    """Read, correlate and audit a file; what became of it. Only our own errors may be raised."""
    ended = []
    try:
        found = read_scores(path, **options)
    except SameasError as error:
        assert str(error)
        assert isinstance(error, UsageError) or str(path) in str(error), "does not name the file"
        return ["refused"]
    ended.append("read")
    assert isinstance(found, ScoreTable)
    assert all(len(cells) == len(found) for cells in found.labels.values())
    assert all(len(column) == len(found) for column in found.columns.values())
    assert all(isinstance(cell, str) for cells in found.labels.values() for cell in cells)
    assert all(column.dtype == np.float64 for column in found.columns.values())
    if options["missing"] != "keep":
        assert all(not np.isnan(column).any() for column in found.columns.values())
    assert len(found.records()) == len(found)
    try:
        for one in correlate(found, resampling=Resampling(samples=100)):
            for part in (one.pearson, one.spearman, one.kendall):
                assert part.value is None or -1 <= part.value <= 1
                assert part.interval is None or -1 <= part.interval[0] <= part.interval[1] <= 1
        ended.append("correlated")
    except SameasError as error:
        assert str(error)
    try:
        for finding in audit(found):
            assert str(finding)
            json.dumps(vars(finding), allow_nan=False)
        ended.append("audited")
    except UsageError as error:
        assert error.code == "nothing-to-audit"
    return ended


def test_damaged_tables_are_read_or_refused(tmp_path: Path) -> None:
    failures: Counter[str] = Counter()
    ended: Counter[str] = Counter()
    path = tmp_path / "scores.txt"
    for number, content, options in damaged(4000, seed=0):
        path.write_bytes(content)
        try:
            ended.update(check(path, options))
        except Exception as error:
            failures[f"{type(error).__name__}: {str(error)[:80]}"] += 1
            if sum(failures.values()) <= 3:
                print(f"case {number} {options}: {content[:300]!r}")
    assert not failures, failures
    assert ended["refused"] > 1000
    assert ended["correlated"] > 500
