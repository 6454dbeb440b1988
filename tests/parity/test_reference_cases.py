"""The reference scorer's own test cases: 36 cases, 91 triples of recall, precision and F."""

import pytest

import sameas
from brute import brute, scores
from parity.reference_cases import CASES, Case, Triple

TOLERANCE = 1e-4  # for the sum of the three differences, as in the reference scorer's own test

# The same mention occurs more than once in the response.
DUPLICATES = {"A7", "A8", "A9"}

# The key has only one entity (M) or only singletons (N); the response has links of both classes.
# The reference scorer then ignores the class of links that the key lacks; Luo et al. 2014 ignore a
# class only if both sides lack it, so the response is penalised for its spurious links.
CONTRADICT_LUO_2014 = {"M3", "M6", "N3", "N6"}

# The scores by Luo et al. 2014. M3: Rc = 4/15, Pc = 1, and 0 of 11 non-coreference links;
# M6: 1 of 15 and of 4; N3: 11 of 15 and of 11, and 0 of 4 coreference links; N6: 2 of 15 and of 11.
LUO_2014: dict[str, Triple] = {
    "M3": (2 / 15, 1 / 2, 4 / 19),
    "M6": (1 / 30, 1 / 8, 1 / 19),
    "N3": (11 / 30, 1 / 2, 11 / 26),
    "N6": (1 / 15, 1 / 11, 1 / 13),
}


def each(cases: list[Case]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases, ids=lambda case: case.name)


def distance(one: Triple, other: Triple) -> float:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


def check(result: sameas.Result, expected: dict[str, Triple]) -> None:
    for metric, triple in expected.items():
        score = result[metric]
        assert distance((score.recall, score.precision, score.f1), triple) < TOLERANCE, metric


def test_all_cases_are_here() -> None:
    assert len(CASES) == 36
    assert sum(len(case.expected) for case in CASES) == 91
    assert len({case.name for case in CASES}) == 36


@each(CASES)
def test_compat_gives_the_numbers_of_the_reference_scorer(case: Case) -> None:
    result = sameas.score(case.key_clusters, case.response_clusters, compat="conll-8.01")
    check(result, case.expected)


@each([case for case in CASES if case.name not in CONTRADICT_LUO_2014])
def test_papers_agree_with_the_reference_scorer(case: Case) -> None:
    check(sameas.score(case.key_clusters, case.response_clusters), case.expected)


@each([case for case in CASES if case.name in CONTRADICT_LUO_2014])
def test_papers_disagree_with_the_reference_scorer(case: Case) -> None:
    check(
        sameas.score(case.key_clusters, case.response_clusters),
        case.expected | {"blanc": LUO_2014[case.name]},
    )


@each([case for case in CASES if case.name not in DUPLICATES])
def test_brute_force_gives_the_numbers_of_the_reference_scorer(case: Case) -> None:
    counts = brute([(case.key_clusters, case.response_clusters)])
    for metric, triple in case.expected.items():
        exact = counts["blanc/conll-8.01"] if metric == "blanc" else scores(counts[metric])
        assert distance(tuple(map(float, exact)), triple) < TOLERANCE, metric


def test_similarities_are_added_one_after_another_as_the_reference_scorer_does() -> None:
    """On every Python: since 3.12, `sum` gives 4 here, so that truncation has no effect."""
    key = [["a", "b"], ["c", "d"], ["e", "f"], ["g", "h"], ["i", "j"]]
    response = [["a"], ["c", "d"], ["e"], ["g"], ["i", "j"]]
    total = 0.0
    for similarity in (2 / 3, 1, 2 / 3, 2 / 3, 1):
        total += 1 - (1 - similarity)
    counts = sameas.score(key, response, compat="conll-8.01")["ceafe"].counts
    assert counts is not None and counts[0] == total == 3.9999999999999996
