"""Wrong values and types of arguments raise a short error of sameas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import sameas
from sameas.errors import SameasError, UsageError
from sameas.examples import example_path
from saying import raises

KEY, RESPONSE = str(example_path("key.conll")), str(example_path("eager.conll"))
WRONG: list[Any] = [
    *(3, -1, 1.5, float("nan"), True, "xyzzy", "x" * 100_000, b"x", [], {}, [1], {"a": 1}),
    *(object(), len, ("a",)),
]
SETTINGS = ("preset", "compat", "match", "zeros", "singletons", "duplicates", "blanc", "average")


def assert_refused(function: Callable[..., Any], *arguments: Any, **named: Any) -> None:
    with pytest.raises(SameasError) as caught:
        function(*arguments, **named)
    assert len(str(caught.value)) < 3000


@pytest.mark.parametrize("name", [*SETTINGS, "scope", "missing_documents", "format"])
def test_settings(name: str) -> None:
    for wrong in WRONG:
        assert_refused(sameas.score, KEY, RESPONSE, **{name: wrong})
        if name in SETTINGS:
            assert_refused(sameas.Scorer, **{name: wrong})


@pytest.mark.parametrize("name", ["interval", "confidence", "samples", "seed", "test", "pairs"])
def test_resampling(name: str) -> None:
    for wrong in WRONG:
        if (name, wrong) != ("seed", 3):
            assert_refused(sameas.settings.Comparing, **{name: wrong})
            assert_refused(sameas.compare, KEY, {"a": KEY, "b": RESPONSE}, **{name: wrong})


@pytest.mark.parametrize("wrong", [None, *WRONG], ids=lambda value: f"{value!r:.20}")
def test_arguments_of_wrong_types(wrong: Any, tmp_path: Path) -> None:
    result = sameas.score(KEY, RESPONSE)
    if wrong is not None:
        assert_refused(sameas.analysis.compare_results, {"a": result, "b": result}, comparing=wrong)
        assert_refused(result.intervals, wrong)
        assert_refused(sameas.tables.audit, wrong)
        if not isinstance(wrong, (str, bytes, tuple, list, dict)):
            assert_refused(sameas.Document, "a", wrong)
    assert_refused(sameas.analysis.compare_results, {"a": result, "b": wrong})
    assert_refused(sameas.analysis.analyse_result, wrong)
    assert_refused(sameas.show.report_results, {"a": wrong})
    assert_refused(sameas.tables.read_scores, wrong)
    assert_refused(sameas.score_datasets, wrong, tmp_path)
    if not isinstance(wrong, (list, dict)) or wrong:
        if wrong != {"a": 1}:  # the cluster of a record
            assert_refused(sameas.compare, wrong, {"a": [["x"]], "b": [["x", "y"]]})
        assert_refused(sameas.tables.scores_of, [wrong])
        assert_refused(sameas.write, wrong, "csv")
        assert_refused(sameas.save, wrong, tmp_path / "a.csv")
        assert_refused(sameas.write, [], wrong)
    if not isinstance(wrong, list) or wrong:
        assert_refused(result.select, wrong if wrong != [1] else [99])


@pytest.mark.parametrize(
    "function",
    [
        lambda **named: sameas.compare(KEY, {"a": KEY, "b": RESPONSE}, **named),
        lambda **named: sameas.analyse(KEY, RESPONSE, **named),
        lambda **named: sameas.report(KEY, RESPONSE, **named),
    ],
    ids=["compare", "analyse", "report"],
)
def test_unknown_options_name_the_known_ones(function: Callable[..., Any]) -> None:
    with raises("unknown", what="option", value="method"):
        function(method="bca")
    with raises("unknown", what="option", value="singleton", near="singletons"):
        function(singleton="drop")


@pytest.mark.parametrize(
    ("named", "near"),
    [({"formatt": "conll"}, "format"), ({"job": 2}, "jobs"), ({"engin": "duckdb"}, "engine")],
)
def test_keywords_of_the_function_are_suggested_too(named: dict[str, Any], near: str) -> None:
    with raises("unknown", what="option", near=near):
        sameas.score(KEY, RESPONSE, **named)


def test_keywords_of_comparing_are_suggested() -> None:
    with raises("unknown", what="option", near="samples"):
        sameas.compare(KEY, {"a": KEY, "b": RESPONSE}, sampels=200)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("named", "code"),
    [
        *(({"jobs": jobs}, "jobs") for jobs in ("x", -1, 1.5, True)),
        *(({name: "4GB"}, "only-for-engine") for name in ("memory", "work", "master")),
        ({"engine": "duckdb", "master": "local"}, "only-for-engine"),
        ({"engine": "duckdb", "format": "csv"}, "engine-format"),
        ({"engine": "spark", "master": "local", "jobs": 2}, "master-jobs"),
        ({"engine": "duckdb", "jobs": "x"}, "jobs"),
    ],
)
def test_options_unsupported_by_an_engine_are_refused(named: dict[str, Any], code: str) -> None:
    with raises(code):
        sameas.score(KEY, RESPONSE, **named)


@pytest.mark.parametrize(
    ("columns", "code"),
    [
        ({"first": [5], "last": [3], "entity": [0]}, "impossible-span"),
        ({"first": [-5], "last": [3], "entity": [0]}, "impossible-span"),
        ({"first": [1], "last": [3], "entity": [1]}, "entity-number"),
        ({"first": [1], "last": [3], "entity": [-1]}, "entity-number"),
        ({"first": [1, 2], "last": [3], "entity": [0]}, "unequal-columns"),
        ({"first": [1], "entity": [0]}, "unequal-columns"),
        ({"first": [1], "last": [3]}, "unequal-columns"),
        ({"last": [3]}, "unequal-columns"),
        ({"identifiers": ["a", "b"], "entity": [0]}, "unequal-columns"),
    ],
)
def test_invalid_columns(columns: dict[str, Any], code: str, tmp_path: Path) -> None:
    for use in (
        lambda document: sameas.score(document, document),
        lambda document: sameas.save(document, tmp_path / "a.csv"),
    ):
        with raises(code):
            use(sameas.Document("a", entity_ids=["x"], **columns))


@pytest.mark.parametrize("clusters", [[["x", "y"]], [[(0, 0), (2, 3)]], []])
def test_entities_replace_columns(clusters: list[list[Any]]) -> None:
    document = sameas.read(KEY).documents[0]
    entities = sameas.Document.from_clusters("a", clusters).entities
    changed = replace(document, entities=entities)
    assert (changed.name, changed.tokens) == (document.name, document.tokens)
    assert changed.entities == entities


@pytest.mark.parametrize("wrong", [None, *WRONG], ids=lambda value: f"{value!r:.20}")
def test_names_of_wrong_types(wrong: Any) -> None:
    assert_refused(sameas.align, wrong)
    assert_refused(sameas.names.read_pairs, wrong)
    assert_refused(sameas.names.read_alignments, wrong)
    if wrong not in ([], {}):  # without names there is no entropy
        assert_refused(sameas.names.entropy, wrong)
    if wrong is not None:
        assert_refused(sameas.names.read_alignments, "pairs.tsv", format=wrong)
        assert_refused(sameas.align, [("a", "б")], method=wrong)


def test_metrics_of_a_result() -> None:
    result = sameas.score([["a", "b"]], [["a", "b"]], metrics="muc")
    for wrong in WRONG:
        for function in (result.__getitem__, result.rates_by_document, result.scoring):
            assert_refused(function, wrong)
    assert_refused(result.rates_by_document, "b3")
    assert result.scoring("b3")(1, 2, 1, 2).recall == 0.5  # any metric, scored or not


def test_averages_have_no_rates_by_document() -> None:
    result = sameas.score([["a", "b"]], [["a", "b"]])
    with pytest.raises(UsageError) as error:
        result.rates_by_document("conll")
    assert error.value.code == "average-of-others"


def test_identifiers_are_not_spans() -> None:
    document = sameas.Document.from_clusters("d", [["a", "b"]])
    with pytest.raises(UsageError) as error:
        document.mention(0)
    assert error.value.code == "spanless"
