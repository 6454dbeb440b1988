"""The joint model: against its definitions, and against all segmentations of short names."""

import itertools
import json
import lzma
import math
from collections import Counter
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sameas.errors import InputError, UsageError
from sameas.translit import joint

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
    """Every way to spell the source: its pairs, and the letters left out."""
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


def slow_probability(names, history, pair, order, smoothing):
    """Straight from the definitions, with dictionaries; the boundary is None."""
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
@settings(max_examples=200, deadline=None)
def test_probabilities_sum_to_one(names, order, smoothing, prune, history):
    model = joint.fit(names, order=order, smoothing=smoothing, prune=prune)
    found = joint.conditional(model, history)
    assert len(found) == len(model.pairs) + 1
    assert found.min() > 0
    assert math.isclose(found.sum(), 1, abs_tol=1e-12)


@given(NAMES, st.integers(1, 4), st.sampled_from(joint.SMOOTHINGS), st.data())
@settings(max_examples=100, deadline=None)
def test_probabilities_are_those_of_the_definitions(names, order, smoothing, data):
    model = joint.fit(names, order=order, smoothing=smoothing)
    history = data.draw(st.lists(st.sampled_from(model.pairs), max_size=4)) if model.pairs else []
    expected = [
        slow_probability(names, history, pair, order, smoothing) for pair in (None, *model.pairs)
    ]
    assert joint.conditional(model, history) == pytest.approx(expected, abs=2e-3)


@given(NAMES, st.integers(1, 4), st.sampled_from([0.0, 1.0]), st.text("abcd", max_size=5))
@settings(max_examples=200, deadline=None)
def test_the_best_of_all_segmentations_is_found(names, order, prune, source):
    model = joint.fit(names, order=order, prune=prune)
    best = joint.decode(model, [source], beam=1000, width=1000)[0]
    ways = list(segmentations(model, source))
    fewest = min(len(left_out) for _, left_out in ways)
    expected = max(
        joint.log_probability(model, pairs) for pairs, left_out in ways if len(left_out) == fewest
    )
    assert best.log_probability == pytest.approx(expected)
    assert joint.log_probability(model, best.pairs) == pytest.approx(expected)
    assert (best.pairs, best.left_out) in ways


@given(NAMES, st.text("abcdé", max_size=8), st.integers(1, 3))
@settings(max_examples=100, deadline=None)
def test_a_small_beam_finds_some_way(names, source, beam):
    model = joint.fit(names, order=3)
    best = joint.decode(model, [source], beam=beam)[0]
    assert (best.pairs, best.left_out) in list(segmentations(model, source))
    assert best.log_probability == pytest.approx(joint.log_probability(model, best.pairs))


def test_names_are_written_together_with_their_sounds():
    model = joint.fit(ALICE, order=3)
    best = joint.decode(model, ["alice", "max", "", "élan", "?"])
    assert [(one.target, one.left_out) for one in best] == [
        ("AE L AH S", ""),
        ("M AE K S", ""),
        ("", ""),
        ("L AH", "én"),
        ("", "?"),
    ]
    assert best[0].pairs == (("a", "AE"), ("l", "L"), ("i", "AH"), ("ce", "S"))


def test_a_letter_seen_only_beside_others_is_left_out_alone():
    model = joint.fit([[("qu", "K W"), ("i", "IH"), ("t", "T")]], order=2)
    assert [(one.target, one.left_out) for one in joint.decode(model, ["quit", "itq", "q"])] == [
        ("K W IH T", ""),
        ("IH T", "q"),
        ("", "q"),
    ]


def test_pruning_leaves_out_what_says_little():
    # After b, a is always X; after c, mostly Y, and once X.
    names = [[("b", "B"), ("a", "X")]] * 20 + [[("c", "C"), ("a", "Y")]] * 20
    names += [[("c", "C"), ("a", "X")]]
    whole, part = (joint.fit(names, order=3, prune=prune) for prune in (0, 3.0))
    assert len(part.pairs) + 1 < len(part) < len(whole)
    assert [one.target for one in joint.decode(part, ["ba", "ca"])] == ["B X", "C Y"]
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
@settings(max_examples=50, deadline=None)
def test_what_is_read_is_what_was_saved(tmp_path_factory, names, order):
    model = joint.fit(names, order=order)
    path = tmp_path_factory.mktemp("models") / "names.joint"
    joint.save(model, path)
    again = joint.load(path)
    assert (again.pairs, again.order) == (model.pairs, model.order)
    for column in ("token", "children", "codes", "probability", "gamma"):
        assert np.array_equal(getattr(again, column), getattr(model, column))
    assert joint.decode(again, ["abc", "bab"]) == joint.decode(model, ["abc", "bab"])


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "names.joint"
    joint.save(joint.fit(ALICE, order=3), path)
    return path


def test_files_of_others_are_refused(tmp_path, saved):
    for written, message in [
        (b"", "this is no joint model"),
        (b"alice AE L AH S\n", "this is no joint model"),
        (lzma.compress(b"alice"), "this is no joint model"),
        (saved.read_bytes().replace(b"model 1", b"model 2"), "another version"),
    ]:
        path = tmp_path / "other"
        path.write_bytes(written)
        with pytest.raises(InputError, match=message) as caught:
            joint.load(path)
        assert str(path) in str(caught.value)
    with pytest.raises(InputError, match="cannot be read"):
        joint.load(tmp_path / "missing")
    with pytest.raises(InputError, match="cannot be written"):
        joint.save(joint.fit(ALICE), tmp_path / "missing" / "names.joint")


def test_damaged_files_are_refused(saved):
    written = saved.read_bytes()
    for size in range(len(written) - 1, 21, -7):
        with pytest.raises(InputError, match="damaged"):
            joint.read(written[:size])
    for place in range(40, len(written) - 12, 5):
        changed = bytearray(written)
        changed[place] ^= 0x55
        with pytest.raises(InputError, match="damaged"):
            joint.read(bytes(changed))


def packed(order, pairs, *columns):
    body = BytesIO()
    body.write(json.dumps({"order": order, "pairs": pairs}).encode() + b"\n")
    for column in columns:
        planes = np.array(column, dtype="<u4").view(np.uint8).reshape(-1, 4).T
        np.lib.format.write_array(body, np.ascontiguousarray(planes), allow_pickle=False)
    return b"sameas joint model 1\n" + lzma.compress(body.getvalue())


def test_models_that_cannot_be_are_refused():
    # The root's children are the boundary and <a, X>; <a, X> is followed by the boundary.
    good = (2, [["a", "X"]], [0, 1, 0], [2, 0, 1, 0], [9000, 9000, 9000])
    assert len(joint.read(packed(*good))) == 3
    for place, wrong, message in [
        (0, 1, "not a tree"),
        (0, "two", "damaged"),
        (0, math.inf, "damaged"),
        (1, [["b"]], "damaged"),
        (1, [["", "X"]], "pairs are not in order"),
        (1, [["b", "X"], ["a", "X"]], "damaged"),
        (2, [0, 1, 7], "out of range"),
        (2, [1, 0, 0], "not in order"),
        (2, [0, 1], "belong together"),
        (3, [2, 1, 0, 1], "belong together"),
        (3, [1, 1, 1, 0], "damaged"),
        (3, [2, 0, 0, 1], "not a tree"),
        (4, [0, 0, 0], "more than one"),
        (4, [70000, 9000, 9000], "out of range"),
    ]:
        parts = list(good)
        parts[place] = wrong
        with pytest.raises(InputError, match=message):
            joint.read(packed(*parts))
    with pytest.raises(InputError, match="without its own ending"):
        # <a, X> <b, X> <a, X> is there, <b, X> <a, X> is not.
        joint.read(
            packed(3, [["a", "X"], ["b", "X"]], [0, 1, 2, 2, 1], [3, 0, 1, 0, 1, 0], [9000] * 5)
        )


def test_wrong_arguments_are_said():
    model = joint.fit(ALICE, order=2)
    with pytest.raises(UsageError, match="at least 1, not 0"):
        joint.fit(ALICE, order=0)
    with pytest.raises(UsageError, match="did you mean kneser-ney"):
        joint.fit(ALICE, smoothing="kneserney")
    with pytest.raises(UsageError, match="no aligned names"):
        joint.fit([])
    with pytest.raises(UsageError, match="has no source"):
        joint.fit([[("a", "X"), ("", "Y")]])
    with pytest.raises(UsageError, match="beam is at least 1"):
        joint.decode(model, ["alice"], beam=0)
    with pytest.raises(UsageError, match="not one string"):
        joint.decode(model, "alice")


def test_unknown_pairs_have_no_probability():
    model = joint.fit(ALICE, order=2)
    assert joint.log_probability(model, [("a", "ZH")]) == -math.inf
    unknown = joint.conditional(model, [("a", "ZH")])
    assert unknown.sum() == pytest.approx(1)


def test_long_names_are_no_trouble():
    model = joint.fit(ALICE, order=3)
    source = "".join(itertools.islice(itertools.cycle("alicemax"), 4000))
    best = joint.decode(model, [source])[0]
    assert "".join(one for one, _ in best.pairs) == source
