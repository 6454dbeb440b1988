"""The worked examples of the papers, exactly: letters are mentions, words are entities."""

from fractions import Fraction

import pytest

import sameas

Triple = tuple[Fraction, Fraction, Fraction]


def clusters(entities: str) -> list[list[str]]:
    """Read `abc d` as the entities {a, b, c} and {d}."""
    return [list(entity) for entity in entities.split()]


def exact(value: float) -> Fraction:
    """Convert a float back to the fraction in the paper."""
    return Fraction(value).limit_denominator(10**6)


def triple(score: sameas.Score) -> Triple:
    return exact(score.recall), exact(score.precision), exact(score.f1)


def fractions(values: str) -> Triple:
    """Read `1/3 1/2 2/5` as recall, precision and F."""
    recall, precision, f1 = map(Fraction, values.split())
    return recall, precision, f1


# Luo et al. 2014, section 4.2: key, response, and BLANC; for the examples with both classes of
# links also the parts.


def blanc(key: str, response: str) -> sameas.Score:
    return sameas.score(clusters(key), clusters(response), metrics=["blanc"])["blanc"]


def test_luo_2014_example_1() -> None:
    score = blanc("abc d", "bc de")
    assert triple(score.coref) == fractions("1/3 1/2 2/5")
    assert triple(score.noncoref) == fractions("2/3 1/2 4/7")
    assert tuple(score.coref.counts) == (1, 3, 1, 2)
    assert tuple(score.noncoref.counts) == (2, 3, 2, 4)
    assert exact(score.f1) == Fraction(17, 35)


def test_luo_2014_example_2_no_links() -> None:
    score = blanc("a", "b")
    assert tuple(score.coref.counts) == tuple(score.noncoref.counts) == (0, 0, 0, 0)
    assert triple(score) == fractions("0 0 0")


def test_luo_2014_example_3_singletons_only() -> None:
    score = blanc("a b c", "a b d")
    assert tuple(score.coref.counts) == (0, 0, 0, 0)
    assert tuple(score.noncoref.counts) == (1, 3, 1, 3)
    assert triple(score) == triple(score.noncoref) == fractions("1/3 1/3 1/3")


def test_luo_2014_example_4_one_entity() -> None:
    score = blanc("abc", "bc")
    assert tuple(score.coref.counts) == (1, 3, 1, 1)
    assert tuple(score.noncoref.counts) == (0, 0, 0, 0)
    assert triple(score) == triple(score.coref) == fractions("1/3 1 1/2")


# Luo et al. 2014, section 4.1: the boundary cases.


@pytest.mark.parametrize(("key", "response", "value"), [("a", "a", 1), ("a", "b", 0), ("a", "", 0)])
def test_luo_2014_boundary_1_no_links_at_all(key: str, response: str, value: int) -> None:
    documents = [[sameas.Document.from_clusters("d", clusters(side))] for side in (key, response)]
    assert triple(sameas.score(*documents)["blanc"]) == (value, value, value)


def test_luo_2014_boundary_2_needs_both_sides_without_coreference_links() -> None:
    assert triple(blanc("a b c", "a b c")) == fractions("1 1 1")
    # One coreference link in the response is enough for its class to count, with recall 0.
    score = blanc("a b c", "ab c")
    assert triple(score.coref) == fractions("0 0 0")
    assert triple(score.noncoref) == fractions("2/3 1 4/5")
    assert triple(score) == fractions("1/3 1/2 2/5")


def test_luo_2014_boundary_3_needs_both_sides_without_noncoreference_links() -> None:
    assert triple(blanc("abc", "abc")) == fractions("1 1 1")
    score = blanc("abc", "ab c")
    assert triple(score.coref) == fractions("1/3 1 1/2")
    assert triple(score.noncoref) == fractions("0 0 0")
    assert triple(score) == fractions("1/6 1/2 1/4")


# Pradhan et al. 2014, section 4: one example for every metric.

PRADHAN_KEY, PRADHAN_RESPONSE = clusters("abc defg"), clusters("ab cd fghi")


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("muc", "2/5 2/5 2/5"),
        ("b3", "35/84 1/2 5/11"),
        ("ceafm", "4/7 1/2 8/15"),
        ("ceafe", "13/20 13/30 13/25"),
        ("blanc", "4/9 13/40 25/68"),
    ],
)
def test_pradhan_2014_section_4(metric: str, expected: str) -> None:
    result = sameas.score(PRADHAN_KEY, PRADHAN_RESPONSE, metrics=[metric])
    assert triple(result[metric]) == fractions(expected)


def test_pradhan_2014_section_4_counts() -> None:
    result = sameas.score(PRADHAN_KEY, PRADHAN_RESPONSE)
    assert tuple(result["muc"].counts) == (2, 5, 2, 5)
    assert tuple(map(exact, result["b3"].counts)) == (Fraction(35, 12), 7, 4, 8)
    assert tuple(result["ceafm"].counts) == (4, 7, 4, 8)
    assert tuple(map(exact, result["ceafe"].counts)) == (Fraction(13, 10), 2, Fraction(13, 10), 3)
    assert tuple(result["blanc"].coref.counts) == (2, 9, 2, 8)
    assert tuple(result["blanc"].noncoref.counts) == (8, 12, 8, 20)
    assert triple(result["blanc"].coref) == fractions("2/9 1/4 4/17")
    assert triple(result["blanc"].noncoref) == fractions("2/3 2/5 1/2")


def test_conll_is_the_mean_of_three() -> None:
    result = sameas.score(PRADHAN_KEY, PRADHAN_RESPONSE)
    assert exact(result.conll.f1) == (Fraction(2, 5) + Fraction(5, 11) + Fraction(13, 25)) / 3


# Pradhan et al. 2014, section 2, after Cai & Strube 2010: key {a, b, c}; the response {a, b, d},
# then the same with a singleton {c}. The text says that the precision of plain B³ drops to .333 in
# the second case: neither the paper's own formula nor the reference scorer gives that, both give
# 7/12 (2/3 + 2/3 + 0 + 1 over four mentions). 1/3 is correct for a singleton that the key lacks.


@pytest.mark.parametrize(
    ("metric", "response", "precision"),
    [
        ("b3_0", "abd", "1"),
        ("b3_all", "abd", "5/9"),
        ("b3_all", "abd c", "2/3"),
        ("b3", "abd", "4/9"),
        ("b3", "abd c", "7/12"),
        ("b3", "abd e", "1/3"),
    ],
)
def test_pradhan_2014_section_2(metric: str, response: str, precision: str) -> None:
    result = sameas.score(clusters("abc"), clusters(response), metrics=[metric])
    assert exact(result[metric].precision) == Fraction(precision)


# Cai & Strube 2010: recall sees {a, b} {c}; precision sees {a, b, d} {c} against {a, b, c} {d}.
# It does not matter whether the system's output contains the singleton {c}.


@pytest.mark.parametrize("response", ["abd", "abd c"])
@pytest.mark.parametrize(
    ("metric", "expected"), [("b3_sys", "5/9 2/3 20/33"), ("ceaf_sys", "2/3 1/2 4/7")]
)
def test_cai_strube_2010(metric: str, expected: str, response: str) -> None:
    result = sameas.score(clusters("abc"), clusters(response), metrics=[metric])
    assert triple(result[metric]) == fractions(expected)


def test_cai_strube_2010_discards_twinless_singletons() -> None:
    result = sameas.score(clusters("abc"), clusters("abd e"), metrics=["b3_sys", "ceaf_sys"])
    assert triple(result["b3_sys"]) == fractions("5/9 2/3 20/33")
    assert triple(result["ceaf_sys"]) == fractions("2/3 1/2 4/7")


# Rahman & Ng 2009: the twinless singleton {e} is removed, the twinless d stays.


def test_rahman_ng_2009_removes_twinless_singletons_only() -> None:
    result = sameas.score(clusters("abc"), clusters("abd e"), metrics=["b3_rn", "b3_all"])
    assert triple(result["b3_rn"]) == fractions("5/9 5/9 5/9")
    assert triple(result["b3_all"]) == fractions("5/9 2/3 20/33")


def test_rahman_ng_2009_removes_them_before_ceaf_too() -> None:
    metrics = ["ceafm_rn", "ceafe_rn"]
    result = sameas.score(clusters("abc"), clusters("abd e"), metrics=metrics)
    assert triple(result["ceafm_rn"]) == fractions("2/3 2/3 2/3")  # CEAFm: 2/3 1/2 4/7
    assert triple(result["ceafe_rn"]) == fractions("2/3 2/3 2/3")  # CEAFe: 2/3 1/3 4/9
    # {c} is a singleton in the response but not twinless: it stays.
    kept = sameas.score(clusters("abc"), clusters("abd c"), metrics=[*metrics, "ceafm", "ceafe"])
    assert triple(kept["ceafm_rn"]) == triple(kept["ceafm"]) == fractions("2/3 1/2 4/7")
    assert triple(kept["ceafe_rn"]) == triple(kept["ceafe"]) == fractions("2/3 1/3 4/9")


# LEA, derived by hand from the definition of Moosavi & Strube 2016. One of three links of the key
# entity {a, b, c} is found, and one of six of {d, e, f, g}: (3 * 1/3 + 4 * 1/6) / 7. In the
# response the only link of {a, b} is found, none of {c, d}, and one of six of {f, g, h, i}:
# (2 * 1 + 2 * 0 + 4 * 1/6) / 8.


def test_lea_on_the_example_of_pradhan_2014() -> None:
    score = sameas.score(PRADHAN_KEY, PRADHAN_RESPONSE, metrics=["lea"])["lea"]
    assert tuple(map(exact, score.counts)) == (Fraction(5, 3), 7, Fraction(8, 3), 8)
    assert triple(score) == fractions("5/21 1/3 5/18")


def test_lea_finds_a_singleton_only_as_a_singleton() -> None:
    score = sameas.score(clusters("a b cd"), clusters("a bcd"), metrics=["lea"])["lea"]
    assert tuple(map(exact, score.counts)) == (3, 4, 2, 4)
