"""Properties of every metric on random documents; brute force checks the values.

For every property the metrics are divided into lists, and a completeness check ensures that each
metric is in exactly one list. So a new metric cannot be added without stating how it behaves.
"""

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import chain
from math import isclose

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import sameas
from brute import brute, scores
from simulation import clusters

unhurried = settings(deadline=None)  # machines may be slow

Clusters = list[list[int]]
Pair = tuple[Clusters, Clusters]  # key and response of one document

# Metrics of annotation that these documents do not have.
SPLIT = ["split_muc", "split_b3", "split_ceafm", "split_ceafe", "split_lea"]
ABSENT = ["nonreferring", *SPLIT]
RAHMAN_NG = ["b3_rn", "ceafm_rn", "ceafe_rn"]
# How a score is compared with brute force: by its four counts, as BLANC, or by its only value.
COUNTED = [
    *("mention", "muc", "b3", "ceaf1", "ceaf2", "ceafm", "ceafe", "lea", "pairwise"),
    *("b3_0", "b3_all", *RAHMAN_NG, "b3_sys", "ceaf_sys", "mor", "zero"),
    *ABSENT,
]
LINK_CLASSES = ["blanc"]
VALUED = ["rand", "ari", "conll"]

# Swapping key and response swaps recall and precision, or leaves the only value unchanged.
SWAPPED = [
    *("mention", "muc", "b3", "ceaf1", "ceaf2", "ceafm", "ceafe", "blanc", "lea", "pairwise"),
    *("b3_all", "mor"),
    "zero",  # these documents have no zeros
    *ABSENT,
]
UNMOVED = ["rand", "ari", "conll"]
# These treat twinless mentions of the response differently from those of the key. They discard
# spurious mentions (b3_0) or spurious singletons (Rahman & Ng), or also add missing mentions to the
# response (b3_sys, ceaf_sys).
NOT_SYMMETRIC = ["b3_0", *RAHMAN_NG, "b3_sys", "ceaf_sys"]

# A perfect response has recall, precision and F of 1, if there is anything to count.
PERFECT_ALWAYS = ["blanc"]
PERFECT_WITH_MENTIONS = [
    *("mention", "b3", "ceaf1", "ceaf2", "ceafm", "ceafe", "lea"),
    *("b3_0", "b3_all", *RAHMAN_NG, "b3_sys", "ceaf_sys", "mor"),
]
PERFECT_WITH_COREFERENCE = ["muc", "pairwise", "conll"]
PERFECT_WITH_PAIRS = ["rand", "ari"]
PERFECT_WITH_ZEROS = ["zero", *ABSENT]  # these mentions are not zeros

PROPERTIES = {
    "brute force": [COUNTED, LINK_CLASSES, VALUED],
    "swap": [SWAPPED, UNMOVED, NOT_SYMMETRIC],
    "perfect": [
        PERFECT_ALWAYS,
        PERFECT_WITH_MENTIONS,
        PERFECT_WITH_COREFERENCE,
        PERFECT_WITH_PAIRS,
        PERFECT_WITH_ZEROS,
    ],
}
EVERY_METRIC = [*COUNTED, *LINK_CLASSES, *VALUED]


@pytest.mark.parametrize("name", PROPERTIES)
def test_every_metric_is_in_exactly_one_list(name: str) -> None:
    assert sorted(chain(*PROPERTIES[name])) == sorted(sameas.METRICS)


# Documents


def side(mentions: int) -> st.SearchStrategy[Clusters]:
    """Generate clusters of some of the mentions; sometimes singletons, one entity, or nothing."""
    anything = st.lists(st.integers(-1, 4), min_size=mentions, max_size=mentions)
    extremes = st.sampled_from([list(range(mentions)), [0] * mentions, [-1] * mentions])
    return st.one_of(anything, anything, extremes).map(clusters)


PAIRS = st.integers(0, 8).flatmap(lambda mentions: st.tuples(side(mentions), side(mentions)))
CORPORA = st.lists(PAIRS, min_size=1, max_size=3)
SAME_MENTIONS = st.integers(0, 8).flatmap(
    lambda mentions: st.tuples(
        *[st.lists(st.integers(0, 4), min_size=mentions, max_size=mentions).map(clusters)] * 2
    )
)


def documents(sides: Sequence[Clusters], first: int = 0) -> list[sameas.Document]:
    return [
        sameas.Document.from_clusters(f"document {number:04}", entities)
        for number, entities in enumerate(sides, first)
    ]


def score(corpus: Sequence[Pair], first: int = 0, **options: str) -> sameas.Result:
    key, response = zip(*corpus, strict=True)
    return sameas.score(
        documents(key, first), documents(response, first), metrics=EVERY_METRIC, **options
    )


def swap(corpus: Sequence[Pair]) -> list[Pair]:
    return [(response, key) for key, response in corpus]


# Comparisons


def close(found: Sequence[float], expected: Sequence[float | Fraction]) -> bool:
    return len(found) == len(expected) and all(
        isclose(a, b, rel_tol=1e-12, abs_tol=1e-12) for a, b in zip(found, expected, strict=True)
    )


def triple(score: sameas.Score) -> tuple[float, float, float]:
    return score.recall, score.precision, score.f1


def values(result: sameas.Result, name: str) -> tuple[float, ...]:
    """Return the numbers that are shown for a metric."""
    if name == "conll":
        return (result[name].f1,)
    return (result[name].value,) if name in VALUED else triple(result[name])


def numbers(result: sameas.Result, name: str) -> tuple[float, ...]:
    """Return all numbers of a metric in a result: the values and the counts behind them."""
    if name in COUNTED:
        return *values(result, name), *result[name].counts
    if name in LINK_CLASSES:
        parts = (result[name].coref, result[name].noncoref)
        return *values(result, name), *chain(*((*triple(part), *part.counts) for part in parts))
    return values(result, name)


def expected_numbers(corpus: Sequence[Pair], blanc: str = "luo2014") -> dict[str, list[Fraction]]:
    """Return the same numbers by brute force."""
    exact = brute(corpus)
    links = "blanc-gold" if blanc == "gold" else "blanc"
    classes = (exact[f"{links}.coref"], exact[f"{links}.noncoref"])
    expected = {name: [*scores(exact[name]), *exact[name]] for name in COUNTED}
    expected |= {name: [*exact[name]] for name in VALUED}
    parts = chain(*((*scores(counts), *counts) for counts in classes))
    return expected | {"blanc": [*exact[f"blanc/{blanc}"], *parts]}


def check(result: sameas.Result, corpus: Sequence[Pair], blanc: str = "luo2014") -> None:
    for name, expected in expected_numbers(corpus, blanc).items():
        found = numbers(result, name)
        assert close(found, expected), (name, corpus, found, [*map(str, expected)])


# Values


@unhurried
@given(CORPORA)
def test_metrics_equal_brute_force(corpus: list[Pair]) -> None:
    check(score(corpus), corpus)


@pytest.mark.parametrize("blanc", ["luo2014", "gold", "conll-8.01", "corefud-1.2"])
@unhurried
@given(corpus=CORPORA)
def test_blanc_versions_equal_brute_force(blanc: str, corpus: list[Pair]) -> None:
    check(score(corpus, blanc=blanc), corpus, blanc)


@unhurried
@given(CORPORA)
def test_compat_moves_only_blanc_when_there_are_no_duplicates(corpus: list[Pair]) -> None:
    check(score(corpus, compat="conll-8.01"), corpus, "conll-8.01")


def random_corpus(size: int, seed: int) -> list[Pair]:
    """Return documents of up to nine mentions; each side has its own entities and gaps."""
    generator = random.Random(seed)

    def random_side(mentions: int) -> Clusters:
        entities, presence = generator.randint(1, 6), generator.choice([0.0, 0.5, 0.8, 1.0, 1.0])
        return clusters(
            [
                generator.randrange(entities) if generator.random() < presence else -1
                for _ in range(mentions)
            ]
        )

    sizes = [generator.randint(0, 9) for _ in range(size)]
    return [(random_side(mentions), random_side(mentions)) for mentions in sizes]


@pytest.mark.long
def test_three_thousand_documents_equal_brute_force() -> None:
    corpus = random_corpus(size=3000, seed=20140623)
    result = score(corpus)
    assert len(result.documents) == len(corpus)
    for number, (pair, document) in enumerate(zip(corpus, result.documents, strict=True)):
        assert document.name == f"document {number:04}"
        check(document, [pair])
    check(result, corpus)


# Symmetry


@unhurried
@given(CORPORA)
def test_swapping_the_sides_swaps_recall_and_precision(corpus: list[Pair]) -> None:
    one, other = score(corpus), score(swap(corpus))
    for name in SWAPPED:
        recall, precision, f1 = values(one, name)
        assert close(values(other, name), (precision, recall, f1)), name
    for name in UNMOVED:
        assert close(values(one, name), values(other, name)), name


@pytest.mark.parametrize("name", NOT_SYMMETRIC)
def test_some_variants_are_not_symmetric(name: str) -> None:
    corpus = [([[0, 1, 2]], [[0, 1, 3], [4]])]
    recall, precision, f1 = values(score(corpus), name)
    assert not close(values(score(swap(corpus)), name), (precision, recall, f1))


@unhurried
@given(CORPORA)
def test_ceaf_of_rahman_and_ng_is_ceaf_without_twinless_singletons(corpus: list[Pair]) -> None:
    def twinless(entity: list[int], key: Clusters) -> bool:
        return len(entity) == 1 and entity[0] not in chain(*key)

    without = [
        (key, [entity for entity in response if not twinless(entity, key)])
        for key, response in corpus
    ]
    found, plain = score(corpus), score(without)
    for name in ("ceafm", "ceafe"):
        assert found[f"{name}_rn"].counts == plain[name].counts
        assert found[f"{name}_rn"].recall == found[name].recall
        assert found[f"{name}_rn"].precision >= found[name].precision


def test_blanc_of_the_reference_scorer_is_not_symmetric() -> None:
    # It ignores a class of links that the key lacks, whatever the response has.
    corpus = [([[0, 1, 2]], [[0, 1], [2]])]
    recall, precision, f1 = values(score(corpus, blanc="conll-8.01"), "blanc")
    swapped = values(score(swap(corpus), blanc="conll-8.01"), "blanc")
    assert not close(swapped, (precision, recall, f1))


# Names and order


@unhurried
@given(CORPORA, st.randoms(use_true_random=False))
def test_names_and_order_change_nothing(corpus: list[Pair], generator: random.Random) -> None:
    makers = [lambda m: f"mention {m}", lambda m: (m, m + 1), lambda m: frozenset([m])]
    order = list(range(10))
    generator.shuffle(order)
    rename = {mention: generator.choice(makers)(order[mention]) for mention in range(10)}

    def disguise(sides: Sequence[Clusters]) -> list[sameas.Document]:
        disguised = []
        for number, entities in enumerate(sides):
            shuffled = [
                [rename[mention] for mention in generator.sample(entity, len(entity))]
                for entity in generator.sample(entities, len(entities))
            ]
            disguised.append(sameas.Document.from_clusters(f"document {number:04}", shuffled))
        return generator.sample(disguised, len(disguised))

    key, response = zip(*corpus, strict=True)
    plain = score(corpus)
    disguised = sameas.score(disguise(key), disguise(response), metrics=EVERY_METRIC)
    for name in EVERY_METRIC:
        if name != "mor":  # it depends on the length of mentions
            assert close(numbers(disguised, name), numbers(plain, name)), name


# Perfection


@unhurried
@given(st.lists(PAIRS.map(lambda pair: pair[0]), min_size=1, max_size=3))
@example([[]])
@example([[[0]]])
@example([[[0], [1]]])
@example([[[0, 1]]])
@example([[[0, 1], [2]]])
def test_a_perfect_response_gets_one(keys: list[Clusters]) -> None:
    result = score([(key, key) for key in keys])
    coreference = any(len(entity) > 1 for key in keys for entity in key)
    noncoreference = any(len(key) > 1 for key in keys)
    defined = [
        (PERFECT_ALWAYS, True),
        (PERFECT_WITH_MENTIONS, any(keys)),
        (PERFECT_WITH_COREFERENCE, coreference),
        (PERFECT_WITH_PAIRS, coreference or noncoreference),
        (PERFECT_WITH_ZEROS, False),
    ]
    for names, is_defined in defined:
        for name in names:
            if is_defined:
                assert close(values(result, name), [1] * len(values(result, name))), name
            elif name != "conll":  # two of its three parts are 1 if MUC has nothing to count
                assert close(values(result, name), [0] * len(values(result, name))), name


# Sums


@unhurried
@given(CORPORA, CORPORA)
def test_results_of_disjoint_documents_add(one: list[Pair], other: list[Pair]) -> None:
    added = score(one) + score(other, first=len(one))
    whole = score(one + other)
    for name in EVERY_METRIC:
        assert close(numbers(added, name), numbers(whole, name)), name
    assert [document.name for document in added.documents] == [
        document.name for document in whole.documents
    ]


@unhurried
@given(CORPORA)
def test_documents_are_scored_as_if_alone(corpus: list[Pair]) -> None:
    for pair, document in zip(corpus, score(corpus).documents, strict=True):
        alone = score([pair])
        for name in EVERY_METRIC:
            assert close(numbers(document, name), numbers(alone, name)), name


# BLANC


@unhurried
@given(st.lists(SAME_MENTIONS, min_size=1, max_size=3))
def test_blanc_is_blanc_gold_on_gold_mentions(corpus: list[Pair]) -> None:
    """Luo et al. 2014, the proposition of section 4: if Tk = Tr, then BLANC = BLANC(g)."""
    system, gold = score(corpus), score(corpus, blanc="gold")
    assert close(numbers(system, "blanc"), numbers(gold, "blanc"))


def test_scores_of_documents_do_not_overflow() -> None:
    """Products of numbers of links among 200,000 mentions exceed 64 bits."""
    size = 100_000
    key = [list(range(size)), list(range(size, 2 * size))]
    response = [list(range(size // 2)), list(range(size // 2, 2 * size))]
    result = sameas.score(key, response, metrics=["ari", "rand", "pairwise", "blanc"])
    (document,) = result.by_document()
    assert document == {metric: result[metric].value for metric in result}
    assert document["ari"] == pytest.approx(0.25, abs=1e-5)
