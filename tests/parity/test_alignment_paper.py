"""The figures and definitions of Pervouchine, Li & Lin 2009, worked out by hand.

The paper gives no numbers for its examples. They are derived here, in the comments, and compared
with the library's and with those of `brute_alignment`.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

import brute_alignment as brute
from sameas.names import affinity
from sameas.names.affinity import NOTHING, UNSEEN
from sameas.names.aligned import AlignedNames, AlignedPair, spelt
from sameas.names.aligner import Aligner
from sameas.names.pivot import compose, feature_distances, through_phonemes
from sameas.names.quality import entropy
from sameas.names.tokens import Cuts, cuts_of_links
from sameas.names.units import NameSide


def aligned(*names: str) -> AlignedNames:
    """Return names as in a file, with their tokens separated by spaces."""
    found = []
    for name in names:
        tokens = tuple(
            tuple("" if part == "*" else part for part in token.split("/", 1))
            for token in name.split()
        )
        found.append(AlignedPair(*spelt(tokens), tokens))  # type: ignore[arg-type]
    return AlignedNames(tuple(found))


# Figures 1 and 2

ALICE = NameSide.of([tuple("alice")])
UNITS = NameSide.of([tuple("爱丽丝")])
PHONEMES = ("AE", "L", "AH", "S")
#: The figure writes the first sound of the Chinese name as AY; here it is the ai of pinyin.
SOUNDS = {"爱": ("ai",), "丽": ("l", "i"), "丝": ("s", "iz")}
SAID = NameSide.of([("ai", "l", "i", "s", "iz")])
OWNERS = np.array([0, 1, 1, 2, 2])  # the character that each sound belongs to


def pieces(cuts: Cuts) -> list[str]:
    sides = []
    for text, ends in (("alice", cuts.source_ends), ("爱丽丝", cuts.target_ends)):
        begins = [0, *ends.tolist()]
        sides.append([text[i:j] for i, j in zip(begins, ends.tolist(), strict=False)])
    return ["/".join(token) for token in zip(*sides, strict=True)]


def test_figure_1() -> None:
    """A is linked with 爱, L with 丽 and C with 丝; I and E go with the letter before."""
    cuts = cuts_of_links(ALICE, UNITS, np.array([0, 1, NOTHING, 2, NOTHING]), np.arange(3))
    assert pieces(cuts) == ["a/爱", "li/丽", "ce/丝"]
    # the uniform start gives this alignment, and one name teaches nothing else
    fitted = Aligner("affinity").fit([("alice", "爱丽丝")])
    assert str(fitted.aligned[0]) == "a/爱 li/丽 ce/丝"
    assert fitted.aligned[0].tokens == (("a", "爱"), ("li", "丽"), ("ce", "丝"))


def test_figure_1_is_learned_from_other_names() -> None:
    """The letters aligned with 丽 and 丝 in other names determine those in Alice."""
    names = [("alice", "爱丽丝"), ("lily", "丽丽"), ("celis", "丝丽丝"), ("a", "爱"), ("li", "丽")]
    assert str(Aligner("segment").fit(names).aligned[0]) == "a/爱 li/丽 ce/丝"


def test_figure_2_phonemes() -> None:
    """AE AY, L l, AH i, S s; iz, which the English name does not have, has no partner."""
    source = NameSide.of([PHONEMES])
    near = feature_distances(source.symbols, SAID.symbols)
    # the null phoneme has the same distance to all, higher than that of any two phonemes
    assert len({*near[-1], *near[:-1, -1]}) == 1
    assert near[-1, 0] > near[:-1, :-1].max()
    found = affinity.align(source, SAID, near)
    assert found.links.tolist() == [0, 1, 2, 3]
    by_name = {
        (e, c): near[source.symbols.index(e), SAID.symbols.index(c)]
        for e, c in zip(PHONEMES, ("ai", "l", "i", "s"), strict=True)
    }
    assert by_name["L", "l"] == by_name["S", "s"] == 0
    assert found.distance == sum(by_name.values()) + near[-1, 0]


def test_figure_2_graphemes() -> None:
    """A AE ai, L L l, I AH i, C S s: the letters of 爱, 丽 and 丝 are those of Figure 1."""
    *_, near = through_phonemes(ALICE, NameSide.of([PHONEMES]), SAID, phonological=True)
    found = affinity.align(ALICE, SAID, near)
    assert found.links.tolist() == [0, 1, 2, 3, NOTHING]
    assert pieces(cuts_of_links(ALICE, UNITS, found.links, OWNERS)) == ["a/爱", "li/丽", "ce/丝"]
    for method in ("phoneme", "phonological"):
        fitted = Aligner(method).fit(
            [("alice", "爱丽丝")], source_sounds={"alice": PHONEMES}, target_sounds=SOUNDS
        )
        assert str(fitted.aligned[0]) == "a/爱 li/丽 ce/丝"


# Section 2: precision, recall and F


def test_precision_recall_and_f() -> None:
    """Mappings are C_A = 6, C_G = 7, of which C_AG = 3 are common.

    ========  ======================  ======================  ======================
    name      A                       G                       common
    ========  ======================  ======================  ======================
    alice     a/爱 lic/丽 e/丝          a/爱 li/丽 ce/丝          a/爱
    bob       bo/鲍 b/勃               bo/鲍 b/勃               bo/鲍 b/勃
    carl      carl/卡尔                car/卡 l/尔              none
    ========  ======================  ======================  ======================

    Pr = 3/6, Rc = 3/7, F = 2 · 1/2 · 3/7 / (1/2 + 3/7) = (3/7) / (13/14) = 6/13.

    Pairs of a letter and a character in the same token: in alice 5 and 5, of which all but that of
    c are common; in bob 3; in carl A has 4 · 2 and G has 3 + 1, all of which A also has. The totals
    are 16 and 12, of which 4 + 3 + 4 = 11 are common: Pr = 11/16, Rc = 11/12, F = 22/28.
    """
    own = aligned("a/爱 lic/丽 e/丝", "bo/鲍 b/勃", "carl/卡尔")
    gold = aligned("a/爱 li/丽 ce/丝", "bo/鲍 b/勃", "car/卡 l/尔")
    found = entropy(own, gold=gold).gold
    assert found is not None
    assert (found.mappings.precision, found.mappings.recall) == (3 / 6, 3 / 7)
    assert found.mappings.f1 == pytest.approx(6 / 13, rel=1e-15)
    assert (found.letters.precision, found.letters.recall) == (11 / 16, 11 / 12)
    assert found.letters.f1 == pytest.approx(22 / 28, rel=1e-15)
    assert (found.pairs, found.exact) == (3, 1)


def test_a_mapping_to_nothing_does_not_count() -> None:
    """A: al/爱 ice/丝, and 丽 has no letters: C_A = 2, C_G = 3. No mapping is the same."""
    found = entropy(aligned("al/爱 */丽 ice/丝"), gold=aligned("a/爱 li/丽 ce/丝")).gold
    assert found is not None
    assert found.mappings.counts == (0, 3, 0, 2)
    assert (found.mappings.precision, found.mappings.recall, found.mappings.f1) == (0, 0, 0)
    # a-爱, c-丝 and e-丝, of 5 and of 5
    assert found.letters.counts == (3, 5, 3, 5)


# Equations 1 to 5


def symbols(*names: str) -> NameSide:
    return NameSide.of([tuple(name) for name in names])


def test_equations_1_and_2() -> None:
    """`li` and 丽, with d(l, 丽) = 1, d(i, 丽) = 2, d(l, *) = 4, d(i, *) = 2, d(*, 丽) = 5.

    l-丽 i-*: 1 + 2 = 3. l-* i-丽: 4 + 2 = 6. l-* i-* *-丽: 4 + 2 + 5 = 11, in any order.
    """
    source, target = symbols("li"), symbols("丽")
    near = np.array([[2.0, 2.0], [1.0, 4.0], [5.0, 99.0]])  # i, l and the null symbol
    found = affinity.align(source, target, near)
    assert (found.links.tolist(), found.distance) == ([0, NOTHING], 3.0)
    table: Any = {
        (e, c): near[i, j]
        for i, e in enumerate((*source.symbols, None))
        for j, c in enumerate((*target.symbols, None))
    }
    paths = brute.alignments(2, 1)
    lengths = Counter(brute.length(path, "li", "丽", table) for path in paths)
    assert lengths == {3.0: 1, 6.0: 1, 11.0: 3}


def test_equation_3_as_equation_4_needs_it() -> None:
    """Equation 3 calls P(e|c) what it divides by Σ_j count(e_i, c_j), which gives P(c|e).

    The counts of the letters l and r and one character are::

                 丽    *    Σ over c                     P(c|e) of 丽, of *
        l         1    3       4                         1/4    3/4
        r         0   97      97                         0      1
        *         9    -       9                         1      -
        Σ over e 10  100

    Divided by the sums over c, as printed, the numbers of a row sum to one: 1/4 + 3/4. Those of a
    column do not, as P(e|丽) would: 1/4 + 0 + 1. Hence they are P(c|e), and equations 4 and 5
    multiply these, because there each letter e_i has its factor P(c_a(i)|e_i).

    The difference matters. The pair (l, 丽) may be l-丽 or l-* *-丽. By P(c|e) the former has 1/4 and
    the latter 3/4 · 1, which is better. By P(e|c) the former has 1/10 and would be better than the
    latter with 3/100 · 9/10 = 27/1000.
    """
    counts = np.array([[1.0, 3.0], [0.0, 97.0], [9.0, 0.0]])
    near = affinity.distances(counts)
    chances = np.exp(-near)
    assert chances.tolist() == [
        pytest.approx([1 / 4, 3 / 4]),
        pytest.approx([0, 1]),
        pytest.approx([1, 0]),
    ]
    assert near[1, 0] == near[2, 1] == UNSEEN
    assert chances.sum(axis=1) == pytest.approx(np.ones(3))
    assert chances[:, 0].sum() == pytest.approx(5 / 4)

    source, target = NameSide.of([("l",)], ("l", "r")), symbols("丽")
    found = affinity.align(source, target, near)
    assert found.links.tolist() == [NOTHING]
    assert found.distance == pytest.approx(-math.log(3 / 4))

    by_columns = counts / counts.sum(axis=0)
    assert by_columns[0, 0] == 1 / 10
    with np.errstate(divide="ignore"):
        other = np.minimum(-np.log(by_columns), UNSEEN)
    found = affinity.align(source, target, other)
    assert found.links.tolist() == [0]
    assert found.distance == pytest.approx(-math.log(1 / 10))


def test_equation_3_is_printed_with_another_name() -> None:
    """The conditional of brute force is, for every letter, a distribution over characters."""
    counts: Any = {("l", "丽"): 1, ("l", None): 3, ("r", None): 97, (None, "丽"): 9}
    chances = brute.conditional(counts)
    rows: Counter[Any] = Counter()
    for (e, _), chance in chances.items():
        rows[e] += chance  # type: ignore[assignment]
    assert rows == {"l": 1, "r": 1, None: 1}
    assert chances["l", "丽"] + chances[None, "丽"] == 5 / 4


# Equation 6


def test_equation_6() -> None:
    """The letter c is S three times and K once; S is always s, K is k or s equally often.

    P(s|c) = 1 · 3/4 + 1/2 · 1/4 = 7/8 and P(k|c) = 1/2 · 1/4 = 1/8. The letter e has no phoneme
    four times and EH once, which has no sound half of the time: P(*|e) = 4/5 + 1/5 · 1/2 = 9/10.
    """
    letters = np.array(  # EH, K, S and the null symbol
        [
            [0.0, 1.0, 3.0, 0.0],  # c
            [1.0, 0.0, 0.0, 4.0],  # e
            [0.0, 0.0, 0.0, 0.0],
        ]
    )
    phonemes = np.array(  # ei, k, s and the null symbol
        [
            [1.0, 0.0, 0.0, 1.0],  # EH
            [0.0, 1.0, 1.0, 0.0],  # K
            [0.0, 0.0, 3.0, 0.0],  # S
            [0.0, 0.0, 0.0, 0.0],
        ]
    )
    chances = np.exp(-compose(letters, phonemes))
    assert chances[0] == pytest.approx([0, 1 / 8, 7 / 8, 0])
    assert chances[1] == pytest.approx([1 / 10, 0, 0, 9 / 10])


# Equation 7


def test_equation_7() -> None:
    """Five names with eleven tokens.

    ==========================  =======================================
    an/安 na/娜                  安 is an twice and a once
    a/安 na/娜                   娜 is na three times and a once
    hann/汉 a/娜                 汉, 东, 迪 and 娅 have one token each
    an/安 ton/东
    na/娜 di/迪 a/娅
    ==========================  =======================================

    安: −2/3 log₂ 2/3 − 1/3 log₂ 1/3 = log₂ 3 − 2/3 = 0.918 bits, with P(安) = 3/11.
    娜: −3/4 log₂ 3/4 − 1/4 log₂ 1/4 = 2 − 3/4 log₂ 3 = 0.811 bits, with P(娜) = 4/11.
    H = (3 log₂ 3 − 2 + 8 − 3 log₂ 3) / 11 = 6/11 bits.
    """
    corpus = aligned(
        "an/安 na/娜", "a/安 na/娜", "hann/汉 a/娜", "an/安 ton/东", "na/娜 di/迪 a/娅"
    )
    found = entropy(corpus)
    assert found.entropy == pytest.approx(6 / 11, rel=1e-12)
    tokens = [token for pair in corpus for token in pair.tokens]
    assert brute.entropy(tokens) == pytest.approx(6 / 11, rel=1e-12)
    assert (found.pairs, found.tokens) == (5, 11)
    by_token = {one.token: one for one in found.by_token}
    assert by_token["安"].bits == pytest.approx(math.log2(3) - 2 / 3)
    assert by_token["安"].mappings == (("an", 2), ("a", 1))
    assert by_token["娜"].bits == pytest.approx(2 - 3 / 4 * math.log2(3))
    assert by_token["娜"].share == pytest.approx((8 - 3 * math.log2(3)) / 6)
    assert [by_token[token].bits for token in "汉东迪娅"] == [0, 0, 0, 0]


def test_a_sharper_mapping_has_less_entropy() -> None:
    """Section 4: with na for every 娜, han for 汉 and an for every 安, there is no uncertainty."""
    sharp = aligned("an/安 na/娜", "an/安 a/亚", "han/汉 na/娜", "an/安 ton/东", "na/娜 di/迪 a/亚")
    assert entropy(sharp).entropy == 0
