"""Compare scores of labels with `sameas.score` of clusters, and with scikit-learn's scores."""

from __future__ import annotations

import random
from collections import deque
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sameas
from integrations.material import library
from sameas.integrations import sklearn as ours
from sameas.metrics.statistics import METRICS
from sameas.notes import Note
from saying import raises

LABELS = st.integers(1, 30).flatmap(
    lambda size: st.tuples(
        *[st.lists(st.integers(-1, 6), min_size=size, max_size=size) for _ in range(3)]
    )
)


def clusters(labels, absent=None):
    found = {}
    for item, label in enumerate(labels):
        if label != absent:
            found.setdefault(label, []).append(f"item {item}")
    return list(found.values())


@given(LABELS, st.sampled_from([None, -1]), st.sampled_from(["keep", "drop"]))
def test_equal_the_score_of_clusters(labels, absent, singletons):
    true, pred, _ = labels
    found = ours.score_labels(true, pred, absent=absent, singletons=singletons, metrics="all")
    expected = sameas.score(
        clusters(true, absent), clusters(pred, absent), singletons=singletons, metrics="all"
    )
    for metric in METRICS:
        assert found[metric] == expected[metric], metric


@given(LABELS, st.sampled_from(["micro", "macro"]))
def test_documents(labels, average):
    true, pred, home = labels
    found = ours.score_labels(true, pred, documents=home, average=average)
    sides = []
    for side in (true, pred):
        sides.append(
            [
                sameas.Document.from_clusters(
                    str(name), clusters([s for s, h in zip(side, home, strict=True) if h == name])
                )
                for name in dict.fromkeys(home)
            ]
        )
    expected = sameas.score(*sides, average=average)
    assert found == expected
    assert found.signature == expected.signature
    for metric in found:
        assert found[metric] == expected[metric]


@given(LABELS)
def test_names_of_labels_do_not_matter(labels):
    true, pred, _ = labels
    found = ours.score_labels(true, pred)
    written = [f"entity {label}" for label in pred]
    several = [label if label % 2 else str(label) for label in pred]
    for other in (
        np.array(pred), np.array(pred, dtype=np.int8), np.array(pred) / 4, tuple(pred), written,
        np.array(written), np.array(written, dtype=object), several,
        [2**64 - 1 - label for label in pred], [(label, "x") for label in pred],
    ):  # fmt: skip
        assert ours.score_labels(true, other) == found


def test_functions_that_return_one_number():
    true, pred = [0, 0, 1, 1, 1, 2], [0, 0, 0, 1, 1, 2]
    result = ours.score_labels(true, pred, metrics="all")
    for metric in ("muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll", "pairwise"):
        function = getattr(ours, f"{metric}_score")
        assert function(true, pred) == result[metric].f1
        without = ours.score_labels(true, pred, absent=1, metrics=metric)
        assert function(true, pred, absent=1) == without[metric].f1
    found = result["b3"]
    assert ours.b3_precision_recall_fscore(true, pred) == (found.precision, found.recall, found.f1)


def test_results_of_labels_add_up():
    one = ours.score_labels([0, 0, 1], [0, 0, 0], singletons="drop")
    assert (one + one).notes == [Note("singletons", "key", 2)]


def test_absent_items_are_noted():
    result = ours.score_labels([0, 0, 1, -1], [0, 0, -1, -1], absent=-1)
    assert result.notes == [
        Note("unlabelled", "key", 1, label=-1),
        Note("unlabelled", "response", 2, label=-1),
    ]
    assert result["mention"].counts == (2, 3, 2, 2)
    assert ours.score_labels([0, 0, 1, -1], [0, 0, -1, -1])["mention"].counts == (4, 4, 4, 4)
    assert ours.muc_score(["a", "a", "noise"], ["x", "x", "noise"], absent="noise") == 1.0
    nothing = ours.score_labels([0, 0], [-1, -1], absent=-1)
    assert (nothing["b3"].recall, nothing["b3"].precision) == (0.0, 0.0)


def test_no_items():
    assert len(ours.score_labels([], [])) == 1
    assert ours.b3_score(np.array([], dtype=np.int64), []) == 0.0


@pytest.mark.parametrize(
    ("true", "pred", "options", "code", "values"),
    [
        ([0, 1], [0], {}, "unequal-labels", {"count": 2, "name": "labels_pred", "other": 1}),
        ([0, 1], [0, 1], {"documents": ["a"]}, "unequal-labels", {"name": "documents"}),
        ([[0, 1]], [[0, 1]], {}, "not-hashable", {}),
        (np.zeros((2, 2)), [0, 1], {}, "not-one-dimension", {"shape": "2 × 2"}),
        (np.float64(3), [0], {}, "not-one-dimension", {}),
        ("abc", [0], {}, "not-one-dimension", {}),
        ([0, np.nan], [0, 1], {}, "not-a-label", {"name": "labels_true", "place": 1}),
        ([0, 1, 2], [0, 1, None], {}, "not-a-label", {"name": "labels_pred", "place": 2}),
        (["a", float("nan")], [0, 1], {}, "not-a-label", {"place": 1}),
        (np.array([0, np.nan], dtype=np.longdouble), [0, 1], {}, "not-a-label", {"place": 1}),
        (np.array([0, np.float32("nan")], dtype=object), [0, 1], {}, "not-a-label", {"place": 1}),
        ([0, complex("nan")], [0, 1], {}, "not-a-label", {"place": 1}),
        ([0, Decimal("NaN")], [0, 1], {}, "not-a-label", {"place": 1}),
        ([0, 1], [0, -1], {"absent": [-1]}, "absent-one", {"value": [-1]}),
        ([0, 1], [0, -1], {"absent": np.array([-1, 0])}, "absent-one", {}),
        ([0, 1], [0, 1], {"documents": ["a", None]}, "not-a-label", {"name": "documents"}),
        (np.ma.masked_array([0, 1], [False, True]), [0, 1], {}, "masked", {}),
        ([0, 1], [0, 1], {"documents": [1, "1"]}, "names-alike", {}),
        ([0, 1], [0, 1], {"singletons": "droop"}, "unknown", {"near": "drop"}),
        ([0, 1], [0, 1], {"singleton": "drop"}, "unknown", {"near": "singletons"}),
        ([0, 1], [0, 1], {"match": "head"}, "not-set-here", {"name": "match"}),
    ],
)
def test_invalid_labels_are_refused(true, pred, options, code, values):
    with raises(code, **values):
        ours.score_labels(true, pred, **options)


@pytest.mark.parametrize(
    "labels",
    [
        [np.uint64(2**63 + 1), np.uint64(2**63), np.int64(5)],
        [np.str_("1"), np.int64(1), np.int64(2)],
        deque([1, "1", 2]),
        ["a\0", "a", "b"],
    ],
    ids=str,
)
def test_labels_stay_different(labels):
    assert ours.b3_score(labels, [0, 1, 2]) == 1.0


class Tensor:
    """Hashed by identity, not by value, like tensors."""

    def __init__(self, value):
        self.value = value

    def tolist(self):
        return self.value


def test_tensors_of_one_number():
    assert ours.b3_score([Tensor(0), Tensor(0), Tensor(1)], [0, 0, 1]) == 1.0


@pytest.mark.long
def test_a_million_labels():
    source = np.random.default_rng(0)
    true = source.integers(0, 200_000, 1_000_000)
    moved = source.random(len(true)) < 0.1
    pred = np.where(moved, source.integers(0, 200_000, len(true)), true)
    result = ours.score_labels(true, pred, metrics=["muc", "b3", "blanc", "lea"])
    assert 0.8 < result["b3"].f1 < 0.9


def test_pandas():
    pandas = library("pandas")
    true, pred = [0, 0, 1, 1, 1], ["a", "a", "a", "b", "b"]
    expected = ours.score_labels(true, pred)
    frame = pandas.DataFrame({"true": true, "pred": pred}, index=[5, 1, 3, 2, 4])
    assert ours.score_labels(frame["true"], frame["pred"]) == expected
    assert ours.score_labels(frame["true"].astype("Int64"), frame["pred"].astype("category")) == (
        expected
    )
    gap = frame["pred"].where(frame["true"] == 0)
    with raises("not-a-label", name="labels_pred", place=2):
        ours.score_labels(frame["true"], gap)
    with raises("not-a-label", name="labels_true", place=4):
        ours.score_labels(pandas.array([1, 1, 1, 1, None], dtype="Int64"), frame["pred"])
    assert ours.score_labels(frame["true"], gap.fillna("none"), absent="none")


def test_the_indices_of_scikit_learn():
    library("sklearn")
    from sklearn import metrics

    source = random.Random(0)
    for _ in range(200):
        size = source.randrange(2, 60)
        true, pred = ([source.randrange(8) for _ in range(size)] for _ in range(2))
        result = ours.score_labels(true, pred, metrics=["rand", "ari", "pairwise"])
        assert result["rand"].value == pytest.approx(metrics.rand_score(true, pred), abs=1e-12)
        if len(set(true)) > 1 or len(set(pred)) > 1:
            expected = metrics.adjusted_rand_score(true, pred)
            assert result["ari"].value == pytest.approx(expected, abs=1e-12)
        neither, only_pred, only_true, both = metrics.pair_confusion_matrix(true, pred).ravel()
        # It counts ordered pairs.
        assert result["pairwise"].counts == (
            both // 2, (both + only_true) // 2, both // 2, (both + only_pred) // 2,
        )  # fmt: skip
        agree = result["rand"].counts[0]
        assert agree == (neither + both) // 2


def test_scorers_of_scikit_learn():
    library("sklearn")
    from sklearn.cluster import KMeans
    from sklearn.datasets import make_blobs
    from sklearn.metrics import make_scorer
    from sklearn.model_selection import GridSearchCV, cross_validate

    points, labels = make_blobs(120, centers=4, cluster_std=0.3, random_state=0)
    search = GridSearchCV(
        KMeans(n_init=3, random_state=0),
        {"n_clusters": [2, 4, 9]},
        scoring=make_scorer(ours.b3_score),
        cv=3,
    )
    search.fit(points, labels)
    assert search.best_params_ == {"n_clusters": 4}
    found = cross_validate(
        KMeans(4, n_init=3, random_state=0),
        points,
        labels,
        cv=3,
        scoring={
            "conll": make_scorer(ours.conll_score),
            "lea": make_scorer(ours.lea_score, singletons="drop"),
        },
    )
    assert found["test_conll"].tolist() == found["test_lea"].tolist() == [1.0, 1.0, 1.0]


def test_noise_of_hdbscan():
    library("sklearn")
    from sklearn.cluster import HDBSCAN
    from sklearn.datasets import make_blobs

    points, labels = make_blobs(150, centers=3, cluster_std=0.5, random_state=1)
    stray = np.random.default_rng(0).uniform(-30, 30, (20, 2))
    points, labels = np.concatenate([points, stray]), np.concatenate([labels, [-1] * 20])
    found = HDBSCAN(min_cluster_size=10, copy=True).fit_predict(points)
    noise = int((found == -1).sum())
    assert noise
    result = ours.score_labels(labels, found, absent=-1)
    assert result["mention"].counts[1::2] == (150, 170 - noise)
    expected = sameas.score(clusters(labels.tolist(), -1), clusters(found.tolist(), -1))
    assert all(result[metric] == expected[metric] for metric in result)
