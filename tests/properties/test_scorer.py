"""A scorer gives the result of `sameas.score`, however documents are divided among workers."""

from __future__ import annotations

import pickle
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sameas
from effort import examples
from engines.tables import METRICS, assert_same
from sameas.run import online as module
from sameas.run.online import Scorer

quick = settings(
    deadline=None, max_examples=examples(80), suppress_health_check=[HealthCheck.too_slow]
)

# Few mentions, so that they repeat in other clusters, and of types that take different paths.
MENTIONS = st.one_of(
    st.integers(0, 8),
    st.sampled_from("abcdef"),
    st.tuples(st.integers(0, 3), st.integers(0, 3)).map(lambda span: tuple(sorted(span))),
    st.lists(st.integers(0, 2), min_size=2, max_size=2).map(sorted),
    st.sampled_from([None, True, 1.0, (0, 1, 2)]),
)


def clusters(mentions: st.SearchStrategy[Any], least: int = 0) -> st.SearchStrategy[Any]:
    return st.lists(st.lists(mentions, min_size=least, max_size=5), max_size=5)


PLAIN = st.lists(st.integers(0, 9), unique=True, max_size=10).flatmap(
    lambda mentions: st.lists(
        st.integers(0, 3), min_size=len(mentions), max_size=len(mentions)
    ).map(
        lambda entities: [
            [mention for mention, entity in zip(mentions, entities, strict=True) if entity == one]
            for one in sorted(set(entities))
        ]
    )
)
SIDE = PLAIN | clusters(MENTIONS) | clusters(st.integers(0, 30), 1)
DOCUMENTS = st.lists(st.tuples(SIDE, SIDE), min_size=1, max_size=7)
PLAIN_DOCUMENTS = st.lists(st.tuples(PLAIN, PLAIN), min_size=1, max_size=7)

HOW = st.fixed_dictionaries(
    {},
    optional={
        "singletons": st.sampled_from(["keep", "drop"]),
        "duplicates": st.sampled_from(["first", "last", "merge"]),
        "blanc": st.sampled_from(["luo2014", "gold"]),
        "average": st.sampled_from(["micro", "macro"]),
        "zeros": st.sampled_from(["linear", "drop"]),
    },
) | st.fixed_dictionaries(
    {"compat": st.just("conll-8.01")},
    optional={"singletons": st.sampled_from(["keep", "drop"])},
)

# Under corefud-1.2, which entity of a repeated mention counts depends on the documents before,
# so only documents without repeated mentions can be added.
CASES = st.tuples(DOCUMENTS | PLAIN_DOCUMENTS, HOW) | st.tuples(
    PLAIN_DOCUMENTS, st.just({"compat": "corefud-1.2"})
)


def whole(documents: dict[str, Any], how: dict[str, str]) -> sameas.Result:
    sides = [
        [sameas.Document.from_clusters(name, pair[side]) for name, pair in documents.items()]
        for side in (0, 1)
    ]
    return sameas.score(*sides, metrics=METRICS, **how)


@quick
@given(
    CASES,
    st.lists(st.sampled_from(["compute", "pickle", "go on"]), min_size=7, max_size=7),
    st.sampled_from([1, 60, 1 << 16]),
)
def test_documents_one_by_one(
    case: tuple[list[Any], dict[str, str]], between: list[str], enough: int
) -> None:
    documents, how = case
    named = {f"d{number}": pair for number, pair in enumerate(documents)}
    scorer = Scorer(metrics=METRICS, **how)
    with patch.object(module, "_ENOUGH", enough):
        for (name, (key, response)), event in zip(named.items(), between, strict=False):
            scorer.update(key, response, document=name)
            if event == "compute":
                scorer.compute()
            elif event == "pickle":
                scorer = pickle.loads(pickle.dumps(scorer))
    wanted = whole(named, how)
    found = scorer.compute()
    assert list(found.statistics.documents) == list(named)
    assert_same(found, wanted)
    assert_same(scorer.compute(), wanted)


@pytest.mark.long
@quick
@given(
    CASES,
    st.lists(st.integers(0, 2), min_size=7, max_size=7),
    st.permutations(range(3)),
    st.booleans(),
)
def test_workers_together(
    case: tuple[list[Any], dict[str, str]], worker: list[int], order: list[int], travel: bool
) -> None:
    documents, how = case
    named = {f"d{number}": pair for number, pair in enumerate(documents)}
    scorers = [Scorer(metrics=METRICS, **how) for _ in range(3)]
    for (name, pair), number in zip(named.items(), worker, strict=False):
        scorers[number].update(*pair, document=name)
    first, *others = (scorers[number] for number in order)
    for other in others:
        first.merge(pickle.loads(pickle.dumps(other)) if travel else other)
    found = first.compute()
    names = list(found.statistics.documents)
    assert sorted(names) == sorted(named)
    # The expected result has the documents in this order; scores do not depend on it.
    assert_same(found, whole({name: named[name] for name in names}, how))
    wanted = whole(named, how)
    for name in METRICS:
        assert found[name] == wanted[name], name
