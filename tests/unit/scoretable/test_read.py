"""Tables of scores: accepted and refused inputs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sameas
from sameas.errors import InputError, Problem, SameasError
from sameas.notes import Note
from sameas.settings import Resampling
from sameas.show.scores import render
from sameas.tables.correlation import correlate
from sameas.tables.score_files import read_scores
from sameas.tables.scoretable import ScoreTable, scores_of
from saying import has, raises
from unit.scoretable.readings import shown

# --- the reader ---------------------------------------------------------------------------------

OWN = "system,muc,b3\nfirst,50.2,40\nsecond,60.1,45\nthird,55,44.75\n"
ROWS = [("first", 50.2, 40.0), ("second", 60.1, 45.0), ("third", 55.0, 44.75)]
RECORDS = [dict(zip(("system", "muc", "b3"), row, strict=True)) for row in ROWS]


def read(folder: Path, text: str | bytes, **named: Any) -> ScoreTable:
    path = folder / "scores.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    return read_scores(path, **named)


def refused(folder: Path, text: str | bytes, **named: Any) -> list[Problem]:
    """Return why a text is refused."""
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
def test_the_same_table_in_many_forms(tmp_path: Path, text: str) -> None:
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


def test_a_column_without_a_name_has_labels(tmp_path: Path) -> None:
    found = read(tmp_path, ",muc,b3\n0,1,2\n1,3,4\n")  # as written by pandas
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


def test_unknown_policy_for_missing_scores(tmp_path: Path) -> None:
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
def test_invalid_cells_have_their_line_and_column(
    tmp_path: Path, text: str, place: tuple[int, int], metric: str, cell: str
) -> None:
    (problem,) = refused(tmp_path, text)
    assert has(problem, "cell-not-number", metric=metric, cell=cell)
    assert (problem.line, problem.column) == place


def test_all_invalid_cells_are_reported(tmp_path: Path) -> None:
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
def test_inputs_that_are_not_tables_of_scores(
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


def test_documents_of_a_table_without_documents(tmp_path: Path) -> None:
    for text in (OWN, json.dumps(RECORDS)):
        (problem,) = refused(tmp_path, text, by_document=True)
        assert has(problem, "other-table", how="by-document")


@pytest.fixture(scope="module")
def results() -> list[sameas.Result]:
    """Return the results of two systems on three documents."""
    key = [sameas.Document.from_clusters(name, [["a", "b"], ["c", "d", "e"]]) for name in "xyz"]
    whole = [sameas.Document.from_clusters(name, [["a", "b", "c"], ["d", "e"]]) for name in "xyz"]
    half = [sameas.Document.from_clusters("x", [["a", "b"]]), key[1], whole[2]]
    metrics = ["muc", "b3", "blanc", "ceafe", "conll"]
    return [sameas.score(key, response, metrics=metrics) for response in (whole, half)]


@pytest.mark.parametrize("style", ["json", "csv"])
@pytest.mark.parametrize("part", ["f1", "recall", "precision"])
@pytest.mark.parametrize("by_document", [False, True])
def test_output_of_score_is_read_back_to_the_last_digit(
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


def test_files_of_score_that_were_edited(tmp_path: Path) -> None:
    header = "response,scope,name,metric,recall,precision,f1\n"
    line = "a,total,,muc,0.5,0.5,0.5\n"
    (problem,) = refused(tmp_path, header + line + line)
    assert has(problem, "score-again", line=3, metric="muc", name="a")
    (problem,) = refused(tmp_path, header + line + "b,total,,muc,0.5,0.5,x\n")
    assert has(problem, "score-not-number", line=3, metric="muc", name="b")
    (problem,) = refused(tmp_path, header + line.replace("total", "group"))
    assert has(problem, "no-scope", how="total")


# --- inputs that once crashed ---------------------------------------------------------------------


def test_invalid_cells_in_files_with_other_line_breaks(tmp_path: Path) -> None:
    wrong = OWN.replace("55", "5S")
    assert places(refused(tmp_path, wrong.replace("\n", "\r"))) == [("cell-not-number", 4, 7)]
    (quoted,) = refused(tmp_path, wrong.replace("first", '"fi\rrst"'))
    assert has(quoted, "cell-not-number", cell="5S") and quoted.line in (4, 5)


@pytest.mark.parametrize("text", [",,\n", ";", '"', '""\n""\n'])
def test_only_blank_cells(tmp_path: Path, text: str) -> None:
    assert places(refused(tmp_path, text))[0][1:] == (1, 1)


def test_empty_records(tmp_path: Path) -> None:
    for text in ("[{}]", "[{}, {}]", '{"a": {}, "b": {}}'):
        assert refused(tmp_path, text)


def test_integers_with_many_digits(tmp_path: Path) -> None:
    text = '[{"a": "x", "b": 1}, {"a": "y", "b": ' + "9" * 5000 + "}]"
    assert refused(tmp_path, text)


@pytest.mark.parametrize("documents", [[1], ["d"], [None], [{"document": "d", "metrics": [1]}]])
def test_invalid_documents(tmp_path: Path, documents: list[object]) -> None:
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
