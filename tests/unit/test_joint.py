"""The joint model: against its definitions, and against all segmentations of short names."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brute_nbest import conditional, log_probability
from effort import examples
from sameas.names import joint
from sameas.names.decoder import decode
from saying import raises

PAIR = st.tuples(
    st.sampled_from(["a", "b", "ab", "ba", "bab", "c"]), st.sampled_from(["X", "Y", ""])
)
NAMES = st.lists(st.lists(PAIR, max_size=5), min_size=1, max_size=12)
ALICE = [
    [("a", "AE"), ("l", "L"), ("i", "AH"), ("ce", "S")],
    [("a", "AH"), ("l", "L"), ("i", "IY"), ("c", "S"), ("i", "Y"), ("a", "AH")],
    [("m", "M"), ("a", "AE"), ("x", "K S")],
]


def segmentations(model, source):
    """Yield every segmentation of the source: its pairs, and the omitted letters."""
    if not source:
        yield (), ""
        return
    spelt = {one for one, _ in model.pairs}
    for size in range(1, len(source) + 1):
        chosen = [pair for pair in model.pairs if pair[0] == source[:size]]
        for pairs, left_out in segmentations(model, source[size:]):
            for pair in chosen:
                yield (pair, *pairs), left_out
            if size == 1 and source[0] not in spelt:
                yield pairs, source[0] + left_out


def best(model, sources, **options):
    """Return the best path of each source: pairs, right sides, ln p and the omitted letters."""
    return [
        (
            (pairs := found.ways[0].pairs(model)),
            " ".join(right for _, right in pairs if right),
            found.ways[0].log_probability,
            found.left_out,
        )
        for found in decode(model, sources, most=1, **options)
    ]


def slow_probability(names, history, pair, order, smoothing):
    """Compute the probability from the definitions, with dictionaries; the boundary is None."""
    streams = [[None, *name, None] for name in names]
    tokens = {token for stream in streams for token in stream}
    grams = {
        length: Counter(
            tuple(stream[end - length : end])
            for stream in streams
            for end in range(max(length, 2), len(stream) + 1)
        )
        for length in range(1, order + 1)
    }
    highest = max(length for length in grams if grams[length])
    counts = {length: Counter(found) for length, found in grams.items()}
    if smoothing == "kneser-ney":
        for length in range(1, highest):
            for gram in counts[length]:
                if length == 1 or gram[0] is not None:
                    counts[length][gram] = sum(longer[1:] == gram for longer in grams[length + 1])

    def discounts(found):
        n = [
            max(sum(count == number for count in found.values()), least)
            for number, least in ((1, 1), (2, 0.5), (3, 0.25), (4, 0.125))
        ]
        y = n[0] / (n[0] + 2 * n[1])
        return [0] + [min(max(k - (k + 1) * y * n[k] / n[k - 1], 0.1), 0.95 * k) for k in (1, 2, 3)]

    def probability(history):
        lower = probability(history[1:]) if history else 1 / len(tokens)
        after = (
            {
                gram[-1]: count
                for gram, count in counts[len(history) + 1].items()
                if gram[:-1] == history
            }
            if len(history) < order
            else {}
        )
        if not after:
            return lower
        total, own = sum(after.values()), after.get(pair, 0)
        if smoothing == "witten-bell":
            return (own + len(after) * lower) / (total + len(after))
        taken = discounts(counts[len(history) + 1])
        gamma = sum(taken[min(count, 3)] for count in after.values()) / total
        return (own - taken[min(own, 3)]) / total + gamma * lower

    return probability(tuple([None, *history][-(order - 1) :]) if order > 1 else ())


@given(
    NAMES,
    st.integers(1, 4),
    st.sampled_from(joint.SMOOTHINGS),
    st.sampled_from([0.0, 0.5, 2.0]),
    st.lists(PAIR, max_size=4),
)
@settings(max_examples=examples(200), deadline=None)
def test_probabilities_sum_to_one(names, order, smoothing, prune, history):
    model = joint.fit(names, order=order, smoothing=smoothing, prune=prune)
    found = conditional(model, history)
    assert len(found) == len(model.pairs) + 1
    assert min(found) > 0
    assert math.isclose(sum(found), 1, abs_tol=1e-12)


@given(NAMES, st.integers(1, 4), st.sampled_from(joint.SMOOTHINGS), st.data())
@settings(max_examples=examples(100), deadline=None)
def test_probabilities_match_the_definitions(names, order, smoothing, data):
    model = joint.fit(names, order=order, smoothing=smoothing)
    history = data.draw(st.lists(st.sampled_from(model.pairs), max_size=4)) if model.pairs else []
    expected = [
        slow_probability(names, history, pair, order, smoothing) for pair in (None, *model.pairs)
    ]
    assert conditional(model, history) == pytest.approx(expected, abs=2e-3)


@given(NAMES, st.integers(1, 4), st.sampled_from([0.0, 1.0]), st.text("abcd", max_size=5))
@settings(max_examples=examples(200), deadline=None)
def test_the_best_of_all_segmentations_is_found(names, order, prune, source):
    model = joint.fit(names, order=order, prune=prune)
    ((pairs, _, found, left_out),) = best(model, [source], beam=1000)
    ways = list(segmentations(model, "".join(one for one, _ in pairs)))
    expected = max(log_probability(model, one) for one, nothing in ways if not nothing)
    assert found == pytest.approx(expected)
    assert log_probability(model, pairs) == pytest.approx(expected)
    assert (pairs, "") in ways
    assert len(left_out) == min(len(out) for _, out in segmentations(model, source))


@given(NAMES, st.text("abcdé", max_size=8), st.integers(1, 3))
@settings(max_examples=examples(100), deadline=None)
def test_a_small_beam_finds_some_path(names, source, beam):
    model = joint.fit(names, order=3)
    ((pairs, _, found, left_out),) = best(model, [source], beam=beam)
    spelt = "".join(one for one, _ in pairs)
    assert sorted(spelt + left_out) == sorted(source)
    assert (pairs, "") in list(segmentations(model, spelt))
    assert found == pytest.approx(log_probability(model, pairs))


def test_letters_are_decoded_to_sounds():
    model = joint.fit(ALICE, order=3)
    found = best(model, ["alice", "max", "", "élan", "?"])
    assert [(target, left_out) for _, target, _, left_out in found] == [
        ("AE L AH S", ""),
        ("M AE K S", ""),
        ("", ""),
        ("L AH", "én"),
        ("", "?"),
    ]
    assert found[0][0] == (("a", "AE"), ("l", "L"), ("i", "AH"), ("ce", "S"))


def test_a_letter_seen_only_with_others_is_omitted_alone():
    model = joint.fit([[("qu", "K W"), ("i", "IH"), ("t", "T")]], order=2)
    found = best(model, ["quit", "itq", "q"])
    assert [(target, left_out) for _, target, _, left_out in found] == [
        ("K W IH T", ""),
        ("IH T", "q"),
        ("", "q"),
    ]


def test_pruning_removes_uninformative_pairs():
    # After b, a is always X; after c, mostly Y, and once X.
    names = [[("b", "B"), ("a", "X")]] * 20 + [[("c", "C"), ("a", "Y")]] * 20
    names += [[("c", "C"), ("a", "X")]]
    whole, part = (joint.fit(names, order=3, prune=prune) for prune in (0, 3.0))
    assert len(part.pairs) + 1 < len(part) < len(whole)
    assert [target for _, target, *_ in best(part, ["ba", "ca"])] == ["B X", "C Y"]
    nothing = joint.fit(names, order=3, prune=1e9)
    assert len(nothing) == len(nothing.pairs) + 1


def test_the_order_of_names_does_not_matter():
    one, two = (joint.fit(names, order=3) for names in (ALICE, ALICE[::-1]))
    assert one.pairs == two.pairs
    assert all(
        np.array_equal(getattr(one, column), getattr(two, column))
        for column in ("token", "children", "codes")
    )


@given(NAMES, st.integers(1, 4))
@settings(max_examples=examples(50), deadline=None)
def test_columns_are_the_model(names, order):
    model = joint.fit(names, order=order)
    again = joint.from_columns(model.pairs, order, model.columns())
    for column in ("token", "children", "codes", "probability", "gamma"):
        assert np.array_equal(getattr(again, column), getattr(model, column))
    assert decode(again, ["abc", "bab"]) == decode(model, ["abc", "bab"])


def test_invalid_models_are_rejected():
    def made(order, pairs, token, children, codes):
        columns = {"token": token, "children": children, "codes": codes}
        return joint.from_columns(pairs, order, {name: np.array(columns[name]) for name in columns})

    # The root's children are the boundary and <a, X>; <a, X> is followed by the boundary.
    good = (2, [["a", "X"]], [0, 1, 0], [2, 0, 1, 0], [9000, 9000, 9000])
    assert len(made(*good)) == 3
    for place, wrong in [
        (0, 1),  # deeper than the order
        (1, [["b"]]),
        (1, [["", "X"]]),
        (1, [["b", "X"], ["a", "X"]]),
        (2, [0, 1, 7]),
        (2, [1, 0, 0]),
        (2, [0, 1]),
        (3, [2, 1, 0, 1]),
        (3, [1, 1, 1, 0]),
        (3, [2, 0, 0, 1]),
        (4, [0, 0, 0]),  # probabilities sum to more than one
        (4, [70000, 9000, 9000]),
    ]:
        parts = list(good)
        parts[place] = wrong
        with pytest.raises(ValueError, match=r"\w"):
            made(*parts)
    with pytest.raises(ValueError, match="the suffix of an n-gram is missing"):
        # The tree has <a, X> <b, X> <a, X>, but not <b, X> <a, X>.
        made(3, [["a", "X"], ["b", "X"]], [0, 1, 2, 2, 1], [3, 0, 1, 0, 1, 0], [9000] * 5)


def test_wrong_arguments_are_reported():
    model = joint.fit(ALICE, order=2)
    with raises("at-least-one", what="order", value=0):
        joint.fit(ALICE, order=0)
    with raises("unknown", what="smoothing", near="kneser-ney"):
        joint.fit(ALICE, smoothing="kneserney")
    with raises("no-names-to-learn"):
        joint.fit([])
    with raises("pair-without-source"):
        joint.fit([[("a", "X"), ("", "Y")]])
    with raises("at-least-one", what="beam"):
        decode(model, ["alice"], beam=0)
    with raises("one-string", value="alice"):
        decode(model, "alice")


def test_unknown_pairs_have_no_probability():
    model = joint.fit(ALICE, order=2)
    assert log_probability(model, [("a", "ZH")]) == -math.inf
    assert sum(conditional(model, [("a", "ZH")])) == pytest.approx(1)


@pytest.mark.long
def test_long_names_are_decoded():
    model = joint.fit(ALICE, order=3)
    source = "".join(itertools.islice(itertools.cycle("alicemax"), 4000))
    ((pairs, *_),) = best(model, [source])
    assert "".join(one for one, _ in pairs) == source
