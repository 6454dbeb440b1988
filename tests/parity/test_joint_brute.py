"""The joint model compared with `brute_ngram`, which is exact and uses no trees or arrays.

The tolerance follows from the library's deliberate rounding: shares a(w | h) are rounded down to
the next exp(−n / 4000), and the remainder goes to the shorter history. With
ε = 1 − exp(−1 / 4000), a rounded share a′ and the remaining mass γ′ are

    (1 − ε) a ≤ a′ ≤ a,    γ ≤ γ′ ≤ γ + ε (1 − γ).

Put into p = a + γ q, where q is the probability after the shorter history, and by induction over
the length of histories (after none, q = 1 / V has no error):

    (1 − ε) p ≤ p′ ≤ a + (γ + ε (1 − γ)) q⁺,    |p′ − p| ≤ ε (1 − γ) + γ ε = ε,

where q⁺ is the same upper bound for q. So logarithms are at most 1 / 4000 too low per pair.
"""

import doctest
import math
import random
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute_nbest
import brute_ngram as brute
from effort import examples
from sameas.names import joint
from sameas.names.decoder import decode

STEPS = 4000
EPSILON = 1 - math.exp(-1 / STEPS)
SLACK = 1e-9  # of sums of floats
ORDERS = (1, 2, 3, 4)
PAIR = st.tuples(st.sampled_from(["a", "b", "ab", "c"]), st.sampled_from(["X", "Y", ""]))
NAMES = st.lists(st.lists(PAIR, max_size=6), min_size=1, max_size=25)


def slow(names, order, smoothing, discounts=brute.patched_discounts):
    if smoothing == "witten-bell":
        return brute.witten_bell(names, order)
    return brute.kneser_ney(names, order, discounts)


def bounds(model, history, token):
    """Return the exact probability, and its least and greatest values after rounding of shares."""
    exact = most = 1 / len(model.tokens)
    for share, left in reversed(brute.chain(model, history, token)):
        exact = float(share) + float(left) * exact
        most = float(share) + (float(left) + EPSILON * (1 - float(left))) * most
    return exact, (1 - EPSILON) * exact, most


def compare(model, exact, rounded, history):
    """Compare all continuations of a history; both list the end first, then the pairs in order."""
    found = brute_nbest.conditional(model, history)
    assert sum(found) == pytest.approx(1, abs=1e-12)
    assert exact.tokens == (brute.END, *model.pairs)
    for token, p in zip(exact.tokens, found, strict=True):
        expected, least, most = bounds(exact, history, token)
        assert least * (1 - SLACK) <= p <= most * (1 + SLACK)
        assert abs(p - expected) <= EPSILON + SLACK
        # If the slow shares are rounded in the same way, there must be no difference.
        assert p == pytest.approx(float(brute.probability(rounded, history, token)), rel=SLACK)


@given(NAMES, st.sampled_from(ORDERS), st.sampled_from(joint.SMOOTHINGS), st.data())
@settings(max_examples=examples(150), deadline=None)
def test_probabilities_are_those_of_the_papers(names, order, smoothing, data):
    model, exact = joint.fit(names, order=order, smoothing=smoothing), slow(names, order, smoothing)
    rounded = brute.rounded(exact, STEPS)
    # Prefixes of names that were seen, and any others, including unseen pairs.
    seen = st.sampled_from(names).flatmap(
        lambda name: st.integers(0, len(name)).map(lambda size: name[:size])
    )
    for history in data.draw(st.lists(seen | st.lists(PAIR, max_size=5), min_size=1, max_size=4)):
        compare(model, exact, rounded, history)


@given(NAMES, st.sampled_from(ORDERS), st.sampled_from(joint.SMOOTHINGS), st.data())
@settings(max_examples=examples(100), deadline=None)
def test_whole_names_have_the_product(names, order, smoothing, data):
    model, exact = joint.fit(names, order=order, smoothing=smoothing), slow(names, order, smoothing)
    name = data.draw(st.sampled_from(names) | st.lists(PAIR, max_size=6))
    found, expected = brute_nbest.log_probability(model, name), brute.log_probability(exact, name)
    if expected == -math.inf:
        assert found == -math.inf
        return
    written = [*name, brute.END]
    most = sum(math.log(bounds(exact, written[:i], one)[2]) for i, one in enumerate(written))
    assert expected - len(written) / STEPS - SLACK <= found <= most + SLACK
    rounded = brute.log_probability(brute.rounded(exact, STEPS), name)
    assert found == pytest.approx(rounded, rel=SLACK)


@given(NAMES, st.sampled_from(ORDERS), st.sampled_from(joint.SMOOTHINGS))
@settings(max_examples=examples(50), deadline=None)
def test_the_slow_models_sum_to_one_exactly(names, order, smoothing):
    exact = slow(names, order, smoothing)
    for history in [[], *names, [("never", "seen")]]:
        assert sum(brute.probability(exact, history, token) for token in exact.tokens) == 1
    # The remaining mass of Chen & Goodman is 1 minus the shares.
    assert all(
        sum(exact.shares[history].values()) + exact.left[history] == 1 for history in exact.left
    )


@pytest.mark.parametrize("module", [brute, brute_nbest])
def test_the_examples_of_the_slow_models(module):
    assert doctest.testmod(module).failed == 0


def test_kneser_ney_by_hand():
    # Names ab and ac. Pairs of tokens: (begin, a) twice; (a, b), (a, c), (b, end), (c, end) once,
    # so n₁ = 4, n₂ = 1, Y = 4/6 and D₁ = 1 − 2 · 2/3 · 1/4 = 2/3. For single tokens the distinct
    # tokens before them are counted: a, b, c have one, end has two; n₁ = 3, n₂ = 1, Y = 3/5,
    # D₁ = 0.6 and, with a quarter in place of the missing n₃, D₂ = 2 − 3 · 0.6 / 4 = 1.55. Of five,
    # 3 · 0.6 + 1.55 remain:
    # p(b) = 0.4/5 + 0.67/4 = 0.2475 and p(end) = 0.45/5 + 0.67/4 = 0.2575.
    # After a: p(b | a) = (1 − 2/3)/2 + 2/3 · 0.2475.
    b, c, a = ("b", "B"), ("c", "C"), ("a", "A")
    model = joint.fit([[a, b], [a, c]], order=2)
    expected = [2 / 3 * 0.2575, 2 / 3 * 0.2475, 1 / 6 + 2 / 3 * 0.2475, 1 / 6 + 2 / 3 * 0.2475]
    assert brute_nbest.conditional(model, [a]) == pytest.approx(expected, abs=EPSILON)


@cache
def corpus(count=4000, seed=8):
    """Return names of an artificial language in which each pair depends on the previous two."""
    bits = random.Random(seed)
    pairs = [(one + two, target) for one in "abdklnrst" for two in "aeiou" for target in "VWXYZ"]
    bits.shuffle(pairs)
    # As with words, few pairs are frequent and many are rare, so that all small counts occur.
    weights = [1 / (rank + 1) ** 1.6 for rank in range(len(pairs))]
    favourites: dict[tuple[int, int], list[int]] = {}
    names = []
    for _ in range(count):
        before, name = (-1, -1), []
        for _ in range(bits.choice((1, 2, 3, 3, 4, 4, 5, 7))):
            liked = favourites.setdefault(before, bits.choices(range(len(pairs)), weights, k=4))
            if bits.random() < 0.6:
                chosen = bits.choices(liked, (4, 2, 2, 1))[0]
            else:
                chosen = bits.choices(range(len(pairs)), weights)[0]
            name.append(pairs[chosen])
            before = (before[1], chosen)
        names.append(name)
    return names


@pytest.mark.long
@pytest.mark.parametrize("smoothing", joint.SMOOTHINGS)
@pytest.mark.parametrize("order", ORDERS)
def test_several_thousand_names(order, smoothing):
    names = corpus()
    # With this number of names, all discounts are the paper's, without the library's fallbacks.
    exact = slow(names, order, smoothing, brute.paper_discounts)
    assert exact == slow(names, order, smoothing)
    model, rounded = joint.fit(names, order=order, smoothing=smoothing), brute.rounded(exact, STEPS)
    assert len(model) == sum(map(len, exact.shares.values()))
    bits = random.Random(order)
    for name in bits.sample(names, 40):
        compare(model, exact, rounded, name[: bits.randint(0, len(name))])
    for _ in range(10):
        compare(model, exact, rounded, bits.choices(model.pairs, k=bits.randint(1, 4)))


def test_rounding_costs_almost_nothing():
    names = corpus()
    exact, model = brute.kneser_ney(names, 3), joint.fit(names, order=3)
    differences = [
        brute_nbest.log_probability(model, name) - brute.log_probability(exact, name)
        for name in names[:200]
    ]
    assert abs(np.mean(differences)) < 1 / STEPS


@given(NAMES, st.sampled_from(ORDERS), st.text("abc", max_size=5))
@settings(max_examples=examples(100), deadline=None)
def test_the_first_of_all_derivations_is_the_one_decoded(names, order, source):
    model = joint.fit(names, order=order)
    ways = brute_nbest.scored(model, source, between=" ")
    assert all(list(one) == sorted(one, key=lambda way: -way[0]) for one in ways.values())
    by_best, by_sum = (
        brute_nbest.best(model, source, len(ways), by=by, between=" ") for by in ("best", "sum")
    )
    (found,) = decode(model, [source], most=1, beam=1000)
    if found.left_out:
        assert not ways
        return
    (decoded,) = found.ways
    target = " ".join(right for _, right in decoded.pairs(model) if right)
    assert by_best[0][1] == pytest.approx(decoded.log_probability)
    assert dict(by_best)[target] == pytest.approx(decoded.log_probability)
    assert {target for target, _ in by_best} == {target for target, _ in by_sum} == set(ways)
    # The probabilities of all derivations of one source sum to at most 1.
    assert math.fsum(math.exp(score) for _, score in by_sum) <= 1 + SLACK
    for target, score in by_best:
        assert score <= dict(by_sum)[target] <= score + math.log(len(ways[target])) + SLACK
