"""Errors and repairs under every setting."""

import random
from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import chain
from math import isclose

import pytest

import brute_analysis
import sameas
from brute_analysis import KINDS, errors
from properties.analysis.random_errors import (
    METRICS,
    SUBSETS,
    Clusters,
    Pair,
    analyse,
    brute,
    check_perfect,
    documents,
    noted,
    random_pairs,
    same_scores,
    words,
)
from sameas import Analysis, Document, Entity, Mention
from saying import has


@pytest.mark.parametrize(
    ("corpus", "metric"),
    [((words("ac bd"), words("cd")), "mention"), ((words("ad"), words("cd")), "mention")],
)
def test_remaining_singletons_are_dropped_with_singletons_drop(corpus: Pair, metric: str) -> None:
    """Splitting and removing can lower even mention detection, as remaining singletons are dropped."""
    analysis = analyse([corpus], singletons="drop")
    assert any(name == metric and not alone for _, alone, name in noted(analysis))
    check_perfect(analysis.repaired(), [corpus[0]])


# Settings


def check_invariants(analysis: Analysis, mentions: bool = True) -> None:
    assert analysis.repaired([]) == analysis.result
    assert len(analysis.errors) == sum(analysis.counts.values())
    assert len(analysis.what_if) == len(KINDS)
    right, in_key, _, in_response = analysis.result.average("micro")["muc"].counts
    kinds = Counter(link.kind for link in analysis.links)
    assert kinds["missing link"] == in_key - right
    assert kinds["wrong link"] == in_response - right
    if mentions:
        assert analysis.repaired()["b3"].value == analysis.repaired()["ceafm"].value == 1


@pytest.mark.long
@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("blanc", ["luo2014", "gold", "conll-8.01", "corefud-1.2"])
def test_averages_and_versions_of_blanc(average: str, blanc: str) -> None:
    pairs = random_pairs(60, seed=37, kind="spans")
    options = {"average": average, "blanc": blanc}
    analysis = analyse(pairs, **options)
    check_invariants(analysis)
    known = [(document := brute(pair), errors(document)) for pair in pairs]
    key = documents(key for key, _ in pairs)
    for kinds in random.Random(37).sample(SUBSETS, 12):
        response = documents(
            brute_analysis.repair(document, [error for error in found if error[0] in kinds])
            for document, found in known
        )
        scored = sameas.score(key, response, metrics=METRICS, **options)
        repaired = analysis.repaired(kinds)
        assert repaired.settings == scored.settings
        for name in METRICS:
            assert isclose(repaired[name].value, scored[name].value, rel_tol=1e-9), (kinds, name)
    if average == "micro":
        check_perfect(analysis.repaired(), (key for key, _ in pairs), blanc)
    else:
        # A document without a link counts 0 in the BLANC of the scorers, but in no other metric.
        right = {name for name in METRICS if analysis.repaired()[name].value == 1}
        assert right >= {*METRICS} - {"blanc"}
        assert ("blanc" in right) == (blanc in ("luo2014", "gold"))


def mentions_with_heads(pairs: Sequence[Pair], generator: random.Random) -> list[list[Document]]:
    """Turn word m into a mention within the words 10m to 10m + 9, with word 10m + 5 as head."""
    return [
        [
            Document(
                f"document {number:05}",
                [
                    Entity(
                        str(name),
                        tuple(
                            Mention(
                                (
                                    (
                                        10 * m + generator.randint(0, 5),
                                        10 * m + generator.randint(5, 9),
                                    ),
                                ),
                                head=10 * m + 5,
                            )
                            for m, _ in entity
                        ),
                    )
                    for name, entity in enumerate(clusters)
                ],
            )
            for number, clusters in enumerate(side)
        ]
        for side in zip(*pairs, strict=True)
    ]


@pytest.mark.long
@pytest.mark.parametrize("match", ["head", "partial"])
def test_mentions_are_matched_as_in_scoring(match: str) -> None:
    pairs = random_pairs(150, seed=41, kind="words")
    plain = analyse(pairs)
    key, response = mentions_with_heads(pairs, random.Random(41))
    if match == "partial":  # a response mention inside the key mention with the same head
        response = [
            Document(
                document.name,
                [
                    Entity(
                        e.id, tuple(Mention(((m.head, m.head),), head=m.head) for m in e.mentions)
                    )
                    for e in document.entities
                ],
            )
            for document in response
        ]
    found = sameas.analyse(key, response, metrics=METRICS, match=match)
    assert found.counts == plain.counts
    for kinds in random.Random(41).sample(SUBSETS, 30):
        assert same_scores(found.repaired(kinds), plain.repaired(kinds))
    check_invariants(found)
    assert found.counts["span"] == 0
    assert found.linked() == {
        side: dict.fromkeys([("nominal", "nominal")], *table.values())
        for side, table in plain.linked().items()
    }
    exact = sameas.analyse(key, response, metrics=METRICS)
    assert exact.counts["span"] > 100
    assert {kind: number for kind, number in exact.counts.items() if kind != "span"} == {
        kind: number for kind, number in plain.counts.items() if kind != "span"
    }
    assert same_scores(exact.repaired("span"), plain.result)


@pytest.mark.long
def test_a_wider_scope_joins_documents() -> None:
    generator = random.Random(43)
    for _ in range(15):
        count = generator.randint(1, 4)
        pairs = random_pairs(count, generator.randrange(1 << 30), "words")
        if not any(key for key, _ in pairs):
            continue
        sides = [
            [
                Document(f"t_{number}", [Entity(str(n), tuple(e)) for n, e in enumerate(clusters)])
                for number, clusters in enumerate(side)
            ]
            for side in zip(*pairs, strict=True)
        ]
        joined = []
        for side in sides:
            entities: dict[str, list[Hashable]] = {}
            for number, document in enumerate(side):
                for entity in document.entities:
                    found = [
                        tuple(100 * number + word for word in m.spans[0]) for m in entity.mentions
                    ]
                    entities.setdefault(entity.id, []).extend(found)
            joined.append(list(entities.values()))
        whole = analyse([(joined[0], joined[1])])
        for scope in ("corpus", "topic"):
            analysis = sameas.analyse(*sides, metrics=METRICS, scope=scope)
            check_invariants(analysis)
            assert analysis.counts == whole.counts
            for kinds in generator.sample(SUBSETS, 10):
                assert same_scores(analysis.repaired(kinds), whole.repaired(kinds))


def without_duplicates(clusters: Clusters, policy: str) -> list[list[Hashable]]:
    """Return each mention once: in its first or last entity, or with its entities merged."""
    if policy == "merge":
        merged: list[list[Hashable]] = []
        for entity in clusters:
            shares = [other for other in merged if set(other) & set(entity)]
            joined = list(dict.fromkeys(chain(*shares, entity)))
            position = merged.index(shares[0]) if shares else len(merged)
            rest = [other for other in merged if other not in shares]
            merged = [*rest[:position], joined, *rest[position:]]
        return merged
    order = clusters if policy == "first" else clusters[::-1]
    seen: set[Hashable] = set()
    found = []
    for entity in order:
        found.append([m for m in dict.fromkeys(entity) if m not in seen])
        seen |= set(entity)
    return [entity for entity in (found if policy == "first" else found[::-1]) if entity]


@pytest.mark.parametrize("policy", ["first", "last", "merge"])
def test_repeated_mentions(policy: str) -> None:
    generator = random.Random(47)
    pairs = []
    for key, response in random_pairs(120, seed=47, kind="items"):
        sides = []
        for side in (key, response):
            named = list(chain(*side))
            again = [
                generator.choice(named) for _ in range(generator.randint(0, 2) if named else 0)
            ]
            entities = [list(entity) for entity in side]
            for mention in again:
                generator.choice(entities).append(mention)
            sides.append(entities)
        pairs.append((sides[0], sides[1]))
    analysis = analyse(pairs, duplicates=policy)
    check_invariants(analysis)
    clean = [tuple(without_duplicates(side, policy) for side in pair) for pair in pairs]
    once = analyse(clean)
    assert analysis.result.statistics.equal(once.result.statistics) or same_scores(
        analysis.result, once.result
    )
    assert analysis.counts == once.counts
    assert same_scores(analysis.repaired(), once.repaired())


def test_a_metric_of_offsets_is_omitted_with_a_note() -> None:
    pairs = random_pairs(20, seed=53, kind="spans")
    key, response = zip(*pairs, strict=True)
    analysis = sameas.analyse(documents(key), documents(response), metrics=["b3", "mor", "zero"])
    assert list(analysis.metrics) == ["b3"]
    assert any(has(one, "not-on-repaired", metrics=("mor", "zero")) for one in analysis.remarks)
    assert list(analysis.repaired()) == ["b3"]


def test_repairing_nothing_changes_nothing_even_with_metrics_of_offsets() -> None:
    analysis = sameas.analyse([["a", "b"]], [["a"]], metrics=["b3", "mor"])
    assert analysis.repaired([]) == analysis.result
