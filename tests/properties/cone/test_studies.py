"""Studies by document and by entity, compared with brute force."""

from __future__ import annotations

from dataclasses import replace
from math import isclose
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sameas
from brute_cone import (
    RESTRICTIONS,
    centred,
    document_scores,
    entity_b3,
    entity_ceafm,
    kendall,
    name_errors,
    pearson,
)
from properties.cone.documents import fewer, numbers
from sameas import Document
from sameas.errors import InputError
from sameas.notes import Note
from sameas.settings import Resampling
from saying import raises_problems


@st.composite
def studies(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Generate a key and two systems as clusters of words by document; the first five are names."""

    def side() -> dict[str, list[list[tuple[int, int]]]]:
        found = {}
        for number in range(6):
            labels = draw(st.lists(st.integers(-1, 2), min_size=8, max_size=8))
            clusters: dict[int, list[tuple[int, int]]] = {}
            for word, label in enumerate(labels):
                if label >= 0:
                    clusters.setdefault(label, []).append((word, word))
            found[f"d{number}"] = list(clusters.values())
        return found

    return side(), {"one": side(), "two": side()}


def is_named(span: tuple[int, int]) -> bool:
    return span[0] < 5


STUDIED_NAMES = {(word, word) for word in range(5)}
QUICK = Resampling(samples=100)


def study_documents(side: dict[str, Any]) -> list[Document]:
    return [Document.from_clusters(name, clusters) for name, clusters in side.items()]


def counted(key: dict[str, Any], response: dict[str, Any], least: int) -> list[str]:
    return [
        name
        for name in key
        if sum(is_named(m) for cluster in key[name] for m in cluster) >= least
        and RESTRICTIONS["entities"](response[name], is_named)
    ]


@pytest.mark.long
@fewer
@given(
    studies(),
    st.sampled_from(["named", "unnamed"]),
    st.sampled_from(["entities", "all"]),
    st.integers(1, 3),
)
def test_study_by_document(
    corpus: tuple[dict[str, Any], dict[str, dict[str, Any]]],
    mentions: str,
    against: str,
    least: int,
) -> None:
    key, systems = corpus
    expected: list[tuple[str, str, dict[str, float]]] = []
    left_out: dict[str, tuple[int, int]] = {}
    for system, response in systems.items():
        names = counted(key, response, least)
        too_few = sum(
            sum(is_named(m) for cluster in clusters for m in cluster) < least
            for clusters in key.values()
        )
        left_out[system] = (too_few, len(key) - too_few - len(names))
        for name in names:
            row: dict[str, float] = {}
            for before, which in (("", against), ("cone_", mentions)):
                sides = [RESTRICTIONS[which](side[name], is_named) for side in (key, response)]
                for metric in ("b3", "ceafm", "muc"):
                    f1, recall, precision = document_scores(*sides, metric)
                    row |= {f"{before}{metric}": f1, f"{before}{metric}_recall": recall,
                            f"{before}{metric}_precision": precision}  # fmt: skip
            expected.append((system, name, row))
    made = {name: study_documents(side) for name, side in systems.items()}
    options = {"names": STUDIED_NAMES, "mentions": mentions, "metrics": ["b3", "ceafm", "muc"],
               "against": against, "least": least, "resampling": QUICK}  # fmt: skip
    if len(expected) < 3:
        with raises_problems("study-too-short", count=len(expected)):
            sameas.without_gold.cone_study(study_documents(key), made, **options)
        return
    found = sameas.without_gold.cone_study(study_documents(key), made, **options)
    table = found.table
    assert list(zip(*table.labels.values(), strict=True)) == [row[:2] for row in expected]
    for column, values in table.columns.items():
        wanted = [float(100 * row[column]) for _, _, row in expected]
        assert np.allclose(values, wanted, rtol=0, atol=1e-9), column
    for name, correlations in found.correlations.items():
        for one in correlations:
            rows = [row for system, _, row in expected if name in ("", system)]
            assert one.rows == len(rows) and one.y == f"cone_{one.x}"
            r = pearson([row[one.x] for row in rows], [row[one.y] for row in rows])
            assert (one.pearson.value is None) == (r is None)
            if r is not None:
                assert isclose(one.pearson.value, r, abs_tol=1e-9)
                plain = np.corrcoef(
                    [float(row[one.x]) for row in rows], [float(row[one.y]) for row in rows]
                )[0, 1]
                assert isclose(one.pearson.value, plain, abs_tol=1e-6)
    groups = [system for system, _, _ in expected]
    assert len(found.within) == (9 if len(set(groups)) > 1 else 0)
    for one in found.within:
        away = [centred([row[c] for _, _, row in expected], groups) for c in (one.x, one.y)]
        r = pearson(*away)
        assert (one.pearson.value is None) == (r is None) and one.rows == len(expected)
        assert r is None or isclose(one.pearson.value, r, abs_tol=1e-9)
    if against == "all":
        for system in systems:
            plain = sameas.score(study_documents(key), made[system], metrics=["b3"])
            assert numbers(plain) == numbers(replace(found.whole[system], metrics=["b3"]))
    for metric in ("b3", "ceafm", "muc"):
        low, high = found.agreement_interval(metric) or (-1, 1)
        assert -1 <= low <= high <= 1
        whole, cone = ([result[metric].f1 for result in side.values()]
                       for side in (found.whole, found.cone))  # fmt: skip
        assert found.agreement(metric) == kendall(whole, cone)
    for system, (too_few, empty) in left_out.items():
        said = [
            note
            for note in found.notes[system]
            if note.code in ("study-few-names", "study-no-names")
        ]
        counts = (("study-few-names", too_few), ("study-no-names", empty))
        assert said == [Note(code, count=count, least=least) for code, count in counts if count]
        # Systems are ranked by the scores of all documents.
        plain = sameas.cone(
            study_documents(key), made[system], names=STUDIED_NAMES, mentions=mentions
        )
        assert numbers(replace(plain, metrics=["b3"])) == numbers(
            replace(found.cone[system], metrics=["b3"])
        )


@fewer
@given(studies(), st.sampled_from(["entities", "all"]))
def test_scores_of_entities_add_up(
    corpus: tuple[dict[str, Any], dict[str, dict[str, Any]]], against: str
) -> None:
    """As shares of the corpus, the scores of entities with a name add up to CONE."""
    key, systems = corpus
    made = {name: study_documents(side) for name, side in systems.items()}
    try:
        found = sameas.without_gold.cone_study(
            study_documents(key), made, names=STUDIED_NAMES, level="entity", share_of="corpus",
            against=against, least=0, resampling=QUICK
        )  # fmt: skip
    except InputError:
        return
    for name, table in found.table.by("system").items():
        for metric in ("b3", "ceafm"):
            for part in ("recall", "precision"):
                total = table.columns[f"cone_{metric}_{part}"].sum() / 100
                assert isclose(total, getattr(found.cone[name][metric], part), abs_tol=1e-9)
                total = table.columns[f"{metric}_{part}"].sum() / 100
                whole = getattr(found.whole[name][metric], part)
                assert total <= whole + 1e-9
                assert against == "all" or isclose(total, whole, abs_tol=1e-9)
        total = table.columns["cone_ceafm"].sum() / 100
        assert isclose(total, found.cone[name]["ceafm"].f1, abs_tol=1e-9)


@fewer
@given(studies())
def test_name_errors_by_brute_force(
    corpus: tuple[dict[str, Any], dict[str, dict[str, Any]]],
) -> None:
    key, systems = corpus
    result = sameas.cone(study_documents(key), study_documents(systems["one"]), names=STUDIED_NAMES)
    wanted = np.zeros(3, dtype=int)
    for name in key:
        wanted += name_errors(
            *(RESTRICTIONS["named"](side[name], is_named) for side in (key, systems["one"]))
        )
    found = sameas.without_gold.name_errors(result)
    assert list(found) == wanted.tolist()
    if found.names:
        lost = (found.missing + found.misgrouped) / found.names
        assert isclose(result["ceafm"].recall, 1 - lost, abs_tol=1e-12)


@fewer
@given(studies(), st.sampled_from(["named", "unnamed"]))
def test_study_by_entity(
    corpus: tuple[dict[str, Any], dict[str, dict[str, Any]]], mentions: str
) -> None:
    """Rows of b3 are equal; those of CEAF belong to one of the best alignments of each document."""
    key, systems = corpus
    rows: list[tuple[str, str]] = []
    b3: list[list[float]] = []
    for system, response in systems.items():
        for name in counted(key, response, 1):
            whole = RESTRICTIONS["entities"](key[name], is_named)
            part = [[m for m in c if is_named(m) == (mentions == "named")] for c in whole]
            theirs = [
                RESTRICTIONS[which](response[name], is_named) for which in ("entities", mentions)
            ]
            left = iter(entity_b3([c for c in part if c], theirs[1]))
            for scores, cluster in zip(entity_b3(whole, theirs[0]), part, strict=True):
                if cluster:
                    rows.append((system, name))
                    b3.append([float(100 * x) for x in (*scores, *next(left))])
    made = {name: study_documents(side) for name, side in systems.items()}
    options = {"names": STUDIED_NAMES, "mentions": mentions, "level": "entity", "least": 1,
               "resampling": QUICK}  # fmt: skip
    if len(rows) < 3:
        with raises_problems("study-too-short", count=len(rows)):
            sameas.without_gold.cone_study(study_documents(key), made, **options)
        return
    found = sameas.without_gold.cone_study(study_documents(key), made, **options)
    table = found.table
    assert list(zip(*table.labels.values(), strict=True)) == rows
    names = ["b3", "b3_recall", "b3_precision"]
    values = np.column_stack([table.columns[f"{b}{n}"] for b in ("", "cone_") for n in names])
    assert np.allclose(values, np.array(b3), rtol=0, atol=1e-9)
    for x, y in [(f"{n}", f"cone_{n}") for n in names]:
        (one,) = [c for c in found.correlations[""] if c.x == x]
        r = pearson([row[names.index(x)] for row in b3], [row[3 + names.index(x)] for row in b3])
        assert one.y == y
        if r is not None and one.pearson.value is not None:
            assert isclose(one.pearson.value, r, abs_tol=1e-6)
    ceaf = [f"{b}ceafm{p}" for b in ("", "cone_") for p in ("", "_recall", "_precision")]
    values = np.column_stack([table.columns[name] for name in ceaf])
    for system, response in systems.items():
        for name in counted(key, response, 1):
            here = [n for n, row in enumerate(rows) if row == (system, name)]
            whole = RESTRICTIONS["entities"](key[name], is_named)
            part = [[m for m in c if is_named(m) == (mentions == "named")] for c in whole]
            stays = [n for n, c in enumerate(part) if c]
            sides = [RESTRICTIONS[w](response[name], is_named) for w in ("entities", mentions)]
            possible = [
                [[float(100 * x) for x in one[n]] for n in stays]
                for one in entity_ceafm(whole, sides[0])
            ]
            mine = values[here][:, :3]
            assert not stays or any(np.allclose(mine, one, atol=1e-9) for one in possible)
            possible = [
                [[float(100 * x) for x in parts] for parts in one]
                for one in entity_ceafm([part[n] for n in stays], sides[1])
            ]
            mine = values[here][:, 3:]
            assert not stays or any(np.allclose(mine, one, atol=1e-9) for one in possible)
