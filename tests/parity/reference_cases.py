"""The test cases of the CoNLL reference scorer v8.01 in our own notation.

Source: the 36 cases A1 to N6 and their 91 expected triples in the scorer's test suite (Pradhan et
al. 2014; github.com/conll/reference-coreference-scorers). Only the facts are kept: which spans
each entity has, and which recall, precision and F the authors expect, to their own digits.

One line is one side. Entities are separated by `|`, mentions by spaces; `3-6` means tokens 3 to 6
inclusive, `9` means token 9. Entities are in the order of their first appearance, mentions in the
order in which they close; mentions that occur twice are written twice.

- A: perfect, missing, spurious and overlapping mentions, duplicates (A7 to A9), singletons only
  (A10, A12), one entity only (A11, A13);
- B, C: the examples of BLANC; D, E: of B³; F to L: of MUC;
- M: the key is one entity; N: the key has singletons only.
"""

from dataclasses import dataclass

Span = tuple[int, int]
Clusters = list[list[Span]]
Triple = tuple[float, float, float]


@dataclass(frozen=True)
class Case:
    """One response to the key of its series, and the expected scores."""

    name: str
    response: str
    expected: dict[str, Triple]

    @property
    def key_clusters(self) -> Clusters:
        return parse(KEYS[self.name[0]])

    @property
    def response_clusters(self) -> Clusters:
        return parse(self.response)


def parse(side: str) -> Clusters:
    """Parse the notation to clusters of (first token, last token)."""
    return [[_span(mention) for mention in entity.split()] for entity in side.split("|")]


def _span(mention: str) -> Span:
    first, _, last = mention.partition("-")
    return int(first), int(last or first)


def _case(name: str, response: str, **expected: Triple) -> Case:
    return Case(name, response, expected)


KEYS = {
    "A": "0-1 | 3-6 9 | 11-12 14 16-18",
    "B": "1-12 47 | 29-31 62-63 66",
    "C": "1-12 47 | 29-31 62-63 66 | 69 70",
    "D": "1 3 5 7 9 | 13 15 | 19 21 23 25 27",
    "E": "1 3 5 7 9 | 13 15 | 19 21 23 25 27",
    "F": "1 3 5 7",
    "G": "1 3 | 5 7",
    "H": "1 3 5 7",
    "I": "1 3 5 7",
    "J": "1 3 5",
    "K": "3 5 7 9 13 15 19",
    "L": "1 3 5 | 7 9 11 13",
    "M": "0-1 3-6 9 11-12 14 16-18",
    "N": "0-1 | 3-6 | 9 | 11-12 | 14 | 16-18",
}

CASES = [
    _case(
        "A1",
        "0-1 | 3-6 9 | 11-12 14 16-18",
        muc=(1, 1, 1),
        b3=(1, 1, 1),
        ceafm=(1, 1, 1),
        ceafe=(1, 1, 1),
        blanc=(1, 1, 1),
    ),
    _case(
        "A2",
        "0-1 | 11-12 14",
        muc=(0.3333333333, 1, 0.5),
        b3=(0.3888888889, 1, 0.56),
        ceafm=(0.5, 1, 0.66667),
        ceafe=(0.6, 0.9, 0.72),
        blanc=(0.21591, 1, 0.35385),
    ),
    _case(
        "A3",
        "0-1 | 3-6 9 10 | 11-12 13 14 16-18 | 15",
        muc=(1, 0.6, 0.75),
        b3=(1, 0.5092592593, 0.6748466258),
        ceafm=(1, 0.66667, 0.8),
        ceafe=(0.88571, 0.66429, 0.75918),
        blanc=(1, 0.42593, 0.59717),
    ),
    _case(
        "A4",
        "0-1 | 3-6 9 10 | 11-12 15 | 13",
        muc=(0.3333333333, 0.3333333333, 0.3333333333),
        b3=(0.5555555556, 0.4047619048, 0.4683195592),
        ceafm=(0.66667, 0.57143, 0.61538),
        ceafe=(0.73333, 0.55, 0.62857),
        blanc=(0.35227, 0.27206, 0.30357),
    ),
    _case(
        "A5",
        "0-1 | 4-5 3-6 9 10 | 11-12 15 | 13",
        muc=(0.3333333333, 0.25, 0.2857142857),
        b3=(0.5555555556, 0.3125, 0.4),
        ceafm=(0.66667, 0.5, 0.57143),
        ceafe=(0.68889, 0.51667, 0.59048),
        blanc=(0.35227, 0.19048, 0.24716),
    ),
    _case(
        "A6",
        "0-1 | 3-6 9 10 | 4-5 13 | 11-12 15",
        muc=(0.3333333333, 0.25, 0.2857142857),
        b3=(0.5555555556, 0.3541666667, 0.4325699746),
        ceafm=(0.66667, 0.5, 0.57143),
        ceafe=(0.73333, 0.55, 0.62857),
        blanc=(0.35227, 0.2087, 0.25817),
    ),
    _case(
        "A7",
        "0-1 | 3-6 3-6 9 10 | 11-12 15 | 13",
        muc=(0.3333333333, 0.3333333333, 0.3333333333),
        b3=(0.5555555556, 0.4047619048, 0.4683195592),
        ceafm=(0.66667, 0.57143, 0.61538),
        ceafe=(0.73333, 0.55, 0.62857),
        blanc=(0.35227, 0.27206, 0.30357),
    ),
    _case(
        "A8",
        "0-1 | 3-6 9 10 | 3-6 13 | 11-12 15",
        muc=(0.3333333333, 0.3333333333, 0.3333333333),
        b3=(0.5555555556, 0.4047619048, 0.4683195592),
        ceafm=(0.66667, 0.57143, 0.61538),
        ceafe=(0.73333, 0.55, 0.62857),
        blanc=(0.35227, 0.27206, 0.30357),
    ),
    _case(
        "A9",
        "0-1 | 3-6 9 10 | 3-6 3-6 3-6 3-6 3-6 3-6 3-6 3-6 3-6 3-6 13 | 11-12 15",
        muc=(0.3333333333, 0.3333333333, 0.3333333333),
        b3=(0.5555555556, 0.4047619048, 0.4683195592),
        ceafm=(0.66667, 0.57143, 0.61538),
        ceafe=(0.73333, 0.55, 0.62857),
        blanc=(0.35227, 0.27206, 0.30357),
    ),
    _case(
        "A10",
        "0-1 | 3-6 | 9 | 11-12 | 14 | 16-18",
        muc=(0, 0, 0),
        b3=(0.5, 1, 0.6666666667),
        blanc=(0.5, 0.36667, 0.42308),
    ),
    _case(
        "A11",
        "0-1 3-6 9 11-12 14 16-18",
        muc=(1, 0.6, 0.75),
        b3=(1, 0.3888888889, 0.56),
        blanc=(0.5, 0.13333, 0.21053),
    ),
    _case(
        "A12",
        "0-1 | 3-4 | 7 | 9 | 11-12 | 14 | 16",
        muc=(0, 0, 0),
        b3=(0.3611111111, 0.5714285714, 0.4425531915),
        blanc=(0.22727, 0.11905, 0.15625),
    ),
    _case(
        "A13",
        "0-1 3-4 7 9 11-12 14 16",
        muc=(0.3333333333, 0.1666666667, 0.2222222222),
        b3=(0.4722222222, 0.1224489796, 0.1944709247),
        blanc=(0.125, 0.02381, 0.04),
    ),
    _case(
        "B1",
        "29-31 47 54-58 | 62-63 66",
        blanc=(0.2916666667, 0.2916666667, 0.2916666667),
    ),
    _case(
        "C1",
        "29-31 47 54-58 | 62-63 66 | 69 70",
        blanc=(0.5125, 0.5125, 0.5125),
    ),
    _case(
        "D1",
        "1 3 5 7 9 | 13 15 19 21 23 25 27",
        muc=(1, 0.9, 0.9473684211),
        b3=(1, 0.7619047619, 0.8648648649),
    ),
    _case(
        "E1",
        "1 3 5 7 9 19 21 23 25 27 | 13 15",
        muc=(1, 0.9, 0.9473684211),
        b3=(1, 0.5833333333, 0.7368421053),
    ),
    _case(
        "F1",
        "1 3 | 5 7",
        muc=(0.6666666667, 1, 0.8),
    ),
    _case(
        "G1",
        "1 3 5 7",
        muc=(1, 0.6666666667, 0.8),
    ),
    _case(
        "H1",
        "1 3 5 7",
        muc=(1, 1, 1),
    ),
    _case(
        "I1",
        "1 3 | 5 7",
        muc=(0.6666666667, 1, 0.8),
    ),
    _case(
        "J1",
        "1 5",
        muc=(0.5, 1, 0.6666666667),
    ),
    _case(
        "K1",
        "1 3 5 | 7 9 11 | 13 15 17",
        muc=(0.5, 0.5, 0.5),
    ),
    _case(
        "L1",
        "1 3 | 5 7 | 11 13 15",
        muc=(0.4, 0.5, 0.4444444444),
    ),
    _case(
        "M1",
        "0-1 3-6 9 11-12 14 16-18",
        muc=(1, 1, 1),
        b3=(1, 1, 1),
        ceafm=(1, 1, 1),
        ceafe=(1, 1, 1),
        blanc=(1, 1, 1),
    ),
    _case(
        "M2",
        "0-1 | 3-6 | 9 | 11-12 | 14 | 16-18",
        muc=(0, 0, 0),
        blanc=(0, 0, 0),
    ),
    _case(
        "M3",
        "0-1 3-6 | 9 11-12 14 | 16-18",
        blanc=(0.26667, 1, 0.42105),
    ),
    _case(
        "M4",
        "0-1 3-6 9 10 13 15",
        blanc=(0.2, 0.2, 0.2),
    ),
    _case(
        "M5",
        "0-1 | 3-6 | 9 | 10 | 13 | 15",
        muc=(0, 0, 0),
        blanc=(0, 0, 0),
    ),
    _case(
        "M6",
        "0-1 3-6 | 9 10 13 | 15",
        blanc=(0.06667, 0.25, 0.10526),
    ),
    _case(
        "N1",
        "0-1 | 3-6 | 9 | 11-12 | 14 | 16-18",
        muc=(0, 0, 0),
        blanc=(1, 1, 1),
    ),
    _case(
        "N2",
        "0-1 3-6 9 11-12 14 16-18",
        muc=(0, 0, 0),
        blanc=(0, 0, 0),
    ),
    _case(
        "N3",
        "0-1 3-6 | 9 11-12 14 | 16-18",
        blanc=(0.73333, 1, 0.84615),
    ),
    _case(
        "N4",
        "0-1 | 3-6 | 9 | 10 | 13 | 15",
        muc=(0, 0, 0),
        blanc=(0.2, 0.2, 0.2),
    ),
    _case(
        "N5",
        "0-1 3-6 9 10 13 15",
        blanc=(0, 0, 0),
    ),
    _case(
        "N6",
        "0-1 3-6 | 9 10 13 | 15",
        blanc=(0.13333, 0.18182, 0.15385),
    ),
]
