"""The worked example of Lin et al. 2010, section 4.1, and what follows from it by hand.

Letters are named mentions, digits are others::

    G   (A, B, C, 1, 2, 3, 4)      G^NM   (A, B, C)
    O1  (A, B, 1, 2, 3)            O1^NM  (A, B)        a named mention is missing (MNE)
    O2  (A, C, 1, 2, 4), (B, 3)    O2^NM  (A, C), (B)   a name is grouped wrongly (IGNE)

The paper gives no scores for it. They are derived here: n is the number of mentions that a key and
a response entity share, k and r are their sizes.

The whole, O1: n = 5, k = 7, r = 5.
    B³     5 mentions with n/k = 5/7 each, of 7: 25/49. All have n/r = 1.
    CEAFm  5 of 7; 5 of 5.
    CEAFe  φ4 = 2·5/(7 + 5) = 5/6, one entity on either side.
    MUC    G is cut into (A, B, 1, 2, 3), (C), (4): 7 − 3 of 6 links; 4 of 4.
    LEA    10 of the 21 links of G, by which all 7 mentions count; all of O1.
    BLANC  neither side has two entities, so there are only coreference links: 10/21; 10/10.
The whole, O2: n = 5 and 2, k = 7, r = 5 and 2.
    B³     5·5/7 + 2·2/7 = 29/7, of 7. All have n/r = 1.
    CEAFm  5 of 7; 5 of 7.
    CEAFe  the best of 2·5/12 = 5/6 and 2·2/9 = 4/9, of one entity; of two.
    MUC    7 − 2 of 6 links; 4 + 1 of 4 + 1.
    LEA    10 + 1 of 21 links; all.
    BLANC  coreference 11/21, 1, F 11/16; the 10 other links of O2 are wrong: 0, 0, F 0. Their mean.
Names, O1^NM: n = 2, k = 3, r = 2.
    B³     2·2/3, of 3: 4/9. All have n/r = 1.
    CEAFm  2 of 3; 2 of 2.
    CEAFe  2·2/5.
    MUC    (A, B), (C): 1 of 2 links; 1 of 1.
    LEA    1 of 3 links; all.
    BLANC  1/3; 1/1, coreference links alone.
Names, O2^NM: n = 2 and 1, k = 3, r = 2 and 1.
    B³     2·2/3 + 1·1/3 = 5/3, of 3. All have n/r = 1.
    CEAFm  2 of 3; 2 of 3.
    CEAFe  the best of 4/5 and 2·1/4 = 1/2, of one; of two.
    MUC    3 − 2 of 2 links; 1 of 1: (B) has none.
    LEA    1 of 3 links; of (A, C) all, by which 2 mentions count; (B) is linked to itself alone,
           which the key does not have: 2 of 3.
    BLANC  coreference 1/3, 1, F 1/2; the 2 other links are wrong. Their mean.
The others, O1: (1, 2, 3, 4) and (1, 2, 3). O2: (1, 2, 4), (3).
"""

from __future__ import annotations

from fractions import Fraction

import pytest

import sameas
from brute import brute, scores
from brute_cone import RESTRICTIONS
from sameas.documents.document import WrittenText
from sameas.notes import Note

G = [["A", "B", "C", 1, 2, 3, 4]]
O1 = [["A", "B", 1, 2, 3]]
O2 = [["A", "C", 1, 2, 4], ["B", 3]]
NAMES = {"A", "B", "C"}
G_NAMES, O1_NAMES, O2_NAMES = [["A", "B", "C"]], [["A", "B"]], [["A", "C"], ["B"]]
SYSTEMS = {"O1": O1, "O2": O2}

# Recall, precision and F1.
WHOLE = {
    "O1": {
        "mention": "5/7 1 5/6",
        "b3": "25/49 1 25/37",
        "ceafm": "5/7 1 5/6",
        "ceafe": "5/6 5/6 5/6",
        "muc": "2/3 1 4/5",
        "lea": "10/21 1 20/31",
        "blanc": "10/21 1 20/31",
    },
    "O2": {
        "mention": "1 1 1",
        "b3": "29/49 1 29/39",
        "ceafm": "5/7 5/7 5/7",
        "ceafe": "5/6 5/12 5/9",
        "muc": "5/6 1 10/11",
        "lea": "11/21 1 11/16",
        "blanc": "11/42 1/2 11/32",
    },
}
NAMED = {
    "O1": {
        "mention": "2/3 1 4/5",
        "b3": "4/9 1 8/13",
        "ceafm": "2/3 1 4/5",
        "ceafe": "4/5 4/5 4/5",
        "muc": "1/2 1 2/3",
        "lea": "1/3 1 1/2",
        "blanc": "1/3 1 1/2",
    },
    "O2": {
        "mention": "1 1 1",
        "b3": "5/9 1 5/7",
        "ceafm": "2/3 2/3 2/3",
        "ceafe": "4/5 2/5 8/15",
        "muc": "1/2 1 2/3",
        "lea": "1/3 2/3 4/9",
        "blanc": "1/6 1/2 1/4",
    },
}
UNNAMED = {
    # 3 mentions with 3/4, of 4; 3 of 4; 2·3/7; 2 of 3 links; 3 of 6 links.
    "O1": {
        "b3": "9/16 1 18/25",
        "ceafm": "3/4 1 6/7",
        "ceafe": "6/7 6/7 6/7",
        "muc": "2/3 1 4/5",
        "lea": "1/2 1 2/3",
    },
    # 3·3/4 + 1/4 = 10/4, of 4; 3 of 4; 6/7 or 2/5; 2 of 3 links and 2 of 2; 3 of 6 links, and
    # (3) is linked to itself alone: 3 of 4.
    "O2": {
        "b3": "5/8 1 10/13",
        "ceafm": "3/4 3/4 3/4",
        "ceafe": "6/7 3/7 4/7",
        "muc": "2/3 1 4/5",
        "lea": "1/2 3/4 3/5",
    },
}
CASES = [(s, metric) for s in SYSTEMS for metric in WHOLE[s]]


def exact(score: sameas.Score) -> tuple[Fraction, ...]:
    parts = (score.recall, score.precision, score.f1)
    return tuple(Fraction(part).limit_denominator(10**6) for part in parts)


def fractions(text: str) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, text.split()))


def test_restrictions_are_those_of_the_paper() -> None:
    restricted = [RESTRICTIONS["named"](side, NAMES.__contains__) for side in (G, O1, O2)]
    assert restricted == [G_NAMES, O1_NAMES, O2_NAMES]


@pytest.mark.parametrize(("system", "metric"), CASES)
def test_whole(system: str, metric: str) -> None:
    assert exact(sameas.score(G, SYSTEMS[system])[metric]) == fractions(WHOLE[system][metric])


@pytest.mark.parametrize(("system", "metric"), CASES)
def test_names(system: str, metric: str) -> None:
    expected = fractions(NAMED[system][metric])
    assert exact(sameas.cone(G, SYSTEMS[system], names=NAMES)[metric]) == expected
    restricted = {"O1": O1_NAMES, "O2": O2_NAMES}[system]
    assert exact(sameas.score(G_NAMES, restricted)[metric]) == expected


@pytest.mark.parametrize(("system", "metric"), CASES)
def test_every_entity_of_the_example_has_a_name(system: str, metric: str) -> None:
    found = sameas.cone(G, SYSTEMS[system], names=NAMES, mentions="entities")
    assert exact(found[metric]) == fractions(WHOLE[system][metric])


@pytest.mark.parametrize(("system", "metric"), [(s, m) for s in UNNAMED for m in UNNAMED[s]])
def test_control(system: str, metric: str) -> None:
    found = sameas.cone(G, SYSTEMS[system], names=NAMES, mentions="unnamed")
    assert exact(found[metric]) == fractions(UNNAMED[system][metric])


@pytest.mark.parametrize("metric", ["b3", "ceafm", "ceafe", "muc", "lea"])
@pytest.mark.parametrize("mentions", RESTRICTIONS)
def test_brute_force_agrees_with_the_hand(metric: str, mentions: str) -> None:
    by_hand = {"named": NAMED, "unnamed": UNNAMED}.get(mentions, WHOLE)
    for system, response in SYSTEMS.items():
        sides = [RESTRICTIONS[mentions](side, NAMES.__contains__) for side in (G, response)]
        assert scores(brute([(sides[0], sides[1])])[metric]) == fractions(by_hand[system][metric])


def test_errors_of_the_whole_are_errors_of_names() -> None:
    """The point of the example: neither the missing name nor the wrong group is lost."""
    for response in SYSTEMS.values():
        result = sameas.cone(G, response, names=NAMES)
        assert result["b3"].f1 < 1 and result["ceafm"].f1 < 1


def test_kinds_of_error() -> None:
    """ "O1 shows an example of an MNE error, while O2 shows an example of an IGNE error." """
    errors = [sameas.without_gold.name_errors(sameas.cone(G, one, names=NAMES)) for one in (O1, O2)]
    assert errors == [(3, 1, 0), (3, 0, 1)]


def test_counts() -> None:
    found = sameas.cone(G, O2, names=NAMES, metrics="all")
    assert found["ceafm"].counts == (2, 3, 2, 3)
    assert found["muc"].counts == (1, 2, 1, 1)
    assert [Fraction(c).limit_denominator(1000) for c in found["b3"].counts] == [
        Fraction(5, 3), 3, 3, 3,
    ]  # fmt: skip
    assert Note("names", "key", 3, total=7) in found.notes


@pytest.mark.parametrize(
    ("matcher", "entities"),
    [
        # Exact matching; then also word matches and initials, the heuristics of section 4.
        ("exact", [["Henry Dashwood"], ["Dashwood", "Dashwood"], ["United Nations"], ["UN"]]),
        ("paper", [["Henry Dashwood", "Dashwood", "Dashwood"], ["United Nations", "UN"]]),
    ],
)
def test_heuristics_of_the_paper(matcher: str, entities: list[list[str]]) -> None:
    text = "Henry Dashwood left the United Nations ; Dashwood and Dashwood like UN"
    sentence = tuple(text.split())
    spans = [(0, 1), (4, 5), (7, 7), (9, 9), (11, 11)]
    document = sameas.Document("a", text=WrittenText((sentence,)))
    (found,) = sameas.without_gold.estimate_key(
        document, names=lambda sentences: spans, matcher=matcher
    ).documents
    written = [
        [" ".join(sentence[m.spans[0][0] : m.spans[0][1] + 1]) for m in entity.mentions]
        for entity in found.entities
    ]
    assert sorted(written) == sorted(entities)
