"""The network: its gradients, probabilities and n-best lists against a second implementation."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from fuzz_names import limit
from sameas.names import network
from sameas.names.network import Network, fit_network
from sameas.names.units import graphemes
from saying import raises

NAMES = [
    [("a", "x"), ("li", "y")],
    [("li", "z"), ("a", "xy")],
    [("b", ""), ("a", "x"), ("l", "z")],
]


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make networks tiny and training short."""
    monkeypatch.setattr(network, "BEFORE", 2)
    monkeypatch.setattr(network, "AFTER", 1)
    monkeypatch.setattr(network, "LAST", 2)
    monkeypatch.setattr(network, "FAR", 3)
    monkeypatch.setattr(network, "LETTER_SIZE", 3)
    monkeypatch.setattr(network, "UNIT_SIZE", 4)
    monkeypatch.setattr(network, "FAR_SIZE", 2)
    monkeypatch.setattr(network, "HIDDEN", (7, 6))
    monkeypatch.setattr(network, "SEEN", 100)


def random_network(
    seed: int, *, members: int = 1, letters: Sequence[str] = "abc", outputs: Sequence[str] = ("x",)
) -> Network:
    """Return an untrained network with far from uniform probabilities."""
    rng = np.random.Generator(np.random.PCG64(seed))
    empty = Network(tuple(letters), ("", *outputs), ())
    weights = tuple(
        tuple(rng.normal(0, 0.8, shape).astype(np.float32) for shape in empty.shapes())
        for _ in range(members)
    )
    return Network(empty.letters, empty.outputs, weights)


# A second implementation of the network, number by number.


def log_probabilities(
    made: Network, name: Sequence[str], place: int, written: Sequence[str], far: int
) -> list[float]:
    """Return the log-probability of each output, after the units written."""
    around = []
    for at in range(place - network.BEFORE, place + network.AFTER + 1):
        if not 0 <= at < len(name):
            around.append(0)
        else:
            known = name[at] in made.letters
            around.append(2 + made.letters.index(name[at]) if known else 1)
    last = [0] * network.LAST
    last += [1 + sorted(made.units).index(unit) for unit in written]
    last = last[-network.LAST :]
    sums = [0.0] * len(made.outputs)
    for member in made.members:
        letter, unit, since, by_letter, by_unit, bias, inner, inner_bias, outer, outer_bias = (
            one.astype(np.float64) for one in member
        )
        seen = np.concatenate([letter[one] for one in around])
        told = np.concatenate([*(unit[one] for one in last), since[far]])
        hidden = np.maximum(seen @ by_letter + told @ by_unit + bias, 0)
        hidden = np.maximum(hidden @ inner + inner_bias, 0)
        logits = (hidden @ outer + outer_bias).tolist()
        total = math.log(math.fsum(map(math.exp, logits)))
        sums = [one + logit - total for one, logit in zip(sums, logits, strict=True)]
    means = [one / len(made.members) for one in sums]
    total = math.log(math.fsum(map(math.exp, means)))
    return [one - total for one in means]


def all_targets(made: Network, name: Sequence[str]) -> dict[str, float]:
    """Return ln of the probability of each target, summed over all sequences of outputs."""

    @cache
    def logs(place: int, written: tuple[str, ...], far: int) -> list[float]:
        return log_probabilities(made, name, place, written, far)

    found: dict[str, list[float]] = {}
    for outputs in product(range(len(made.outputs)), repeat=len(name)):
        written: tuple[str, ...] = ()
        total, far = 0.0, network.FAR
        for place, output in enumerate(outputs):
            total += logs(place, written, far)[output]
            if output:
                written = (*written, *graphemes(made.outputs[output]))[-network.LAST :]
            far = 1 if output else min(far + 1, network.FAR)
        target = "".join(made.outputs[output] for output in outputs)
        found.setdefault(target, []).append(total)
    return {target: math.log(math.fsum(map(math.exp, logs))) for target, logs in found.items()}


# Decoding


@pytest.mark.parametrize("members", [1, 2, 3])
@pytest.mark.parametrize(
    "outputs",
    [
        ("x",),
        ("x", "y", "z"),
        ("x", "xx", "y"),  # one target by several outputs
        ("xyz", "zyx", "y"),  # more units than the network sees
        ("क्ष", "é", "éx"),  # units of several characters
    ],
)
def test_the_probability_of_a_target_is_the_sum_over_its_paths(
    outputs: tuple[str, ...], members: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "WIDTH", 1e9)
    made = random_network(members, members=members, outputs=outputs)
    names = ["", "a", "ab", "cab", "bbca", "aq", "aaaaa"]
    lists = made.write(names, most=10**5, beam=10**5)
    for name, found in zip(names, lists, strict=True):
        wanted = all_targets(made, name)
        assert dict(found).keys() == wanted.keys()
        for target, log in found:
            assert log == pytest.approx(wanted[target], abs=2e-5), (name, target)
        logs = [log for _, log in found]
        assert logs == sorted(logs, reverse=True)
        assert math.fsum(map(math.exp, logs)) == pytest.approx(1, abs=1e-4)


@settings(deadline=None, max_examples=examples(30))
@given(st.integers(0, 10**6), st.text("abcq", max_size=4), st.integers(1, 3))
def test_random_networks(seed: int, name: str, beam: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for size, value in {"BEFORE": 2, "AFTER": 1, "LAST": 2, "FAR": 3, "WIDTH": 1e9}.items():
            patch.setattr(network, size, value)
        made = random_network(seed, outputs=("x", "y"))
        wanted = all_targets(made, name)
        whole = dict(made.write([name], most=10**4, beam=10**4)[0])
        assert whole == pytest.approx(wanted, abs=2e-5)
        # A narrow beam misses paths, and never adds any.
        for target, log in made.write([name], most=1, beam=beam)[0]:
            assert log <= wanted[target] + 2e-5


def test_the_number_of_targets() -> None:
    made = random_network(5, outputs=("x", "y"))
    whole = made.write(["abcab"], most=1000)[0]
    for most in (1, 2, 10):
        found = made.write(["abcab"], most=most)[0]
        assert len(found) == most
        assert dict(found).keys() <= dict(whole).keys()


@pytest.mark.parametrize("members", [1, 2])
def test_batches_equal_single_names(members: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made = random_network(7, members=members, outputs=("x", "y"))
    names = ["abc", "", "c", "abcabcabc", "qq", "c", "ab"]
    alone = [made.write([name])[0] for name in names]
    for together in (500, 3, 1):
        monkeypatch.setattr(network, "TOGETHER", together)
        for found, one in zip(made.write(names), alone, strict=True):
            assert dict(found) == pytest.approx(dict(one), abs=1e-5)


def test_names_as_letters_of_several_characters() -> None:
    made = random_network(3, letters=("a", "क्ष"), outputs=("x",))
    window, starts = made.windows([("क्ष", "a"), ("?",)])
    assert window.tolist() == [[0, 0, 3, 2], [0, 3, 2, 0], [0, 0, 1, 0]]
    assert starts.tolist() == [0, 2, 3]


def test_no_names_and_empty_ones() -> None:
    made = random_network(3)
    assert made.write([]) == []
    assert made.write(["", ""]) == [[("", 0.0)], [("", 0.0)]]


def test_one_text_is_not_a_list() -> None:
    with raises("one-string", what="names"):
        random_network(3).write("abc")


@pytest.mark.parametrize("letters", [300, 1000])
def test_long_names(letters: int) -> None:
    made = random_network(3, outputs=("x", "y", "xy"))
    with limit(30):
        (found,) = made.write(["abc" * letters])
    assert len(found) == 20
    assert all(math.isfinite(log) for _, log in found)


# Training


def examples_of(names: Sequence[Sequence[tuple[str, str]]]) -> tuple[Network, Any]:
    made = fit_network(names)
    letters = [[one for source, _ in name for one in graphemes(source)] for name in names]
    outputs = [
        [
            target if place == 0 else ""
            for source, target in name
            for place, _ in enumerate(graphemes(source))
        ]
        for name in names
    ]
    return made, network._examples(made, letters, outputs)


@pytest.fixture
def nothing_random(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "DROPOUT", 0.0)
    monkeypatch.setattr(network, "UNKNOWN", 0.0)


@pytest.mark.usefixtures("nothing_random")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_gradients_match_differences_of_the_loss(seed: int) -> None:
    made, examples = examples_of(NAMES)
    rng = np.random.Generator(np.random.PCG64(seed))
    weights: Any = [rng.normal(0, 0.7, shape) for shape in made.shapes()]
    chosen = np.arange(len(examples.output))
    _, gradients = network._gradients(weights, examples, chosen, rng)
    step = 1e-6
    for weight, gradient in zip(weights, gradients, strict=True):
        assert gradient.shape == weight.shape
        for place in np.ndindex(weight.shape):
            kept = weight[place]
            weight[place] = kept + step
            more, _ = network._gradients(weights, examples, chosen, rng)
            weight[place] = kept - step
            less, _ = network._gradients(weights, examples, chosen, rng)
            weight[place] = kept
            assert gradient[place] == pytest.approx((more - less) / (2 * step), rel=1e-3, abs=1e-6)


@pytest.mark.usefixtures("nothing_random")
def test_the_loss_is_that_of_the_decoder() -> None:
    """The loss is the mean over letters of the log-probabilities that `write` sums."""
    made, examples = examples_of(NAMES)
    rng = np.random.Generator(np.random.PCG64(0))
    weights: Any = [rng.normal(0, 0.7, shape) for shape in made.shapes()]
    loss, _ = network._gradients(weights, examples, np.arange(len(examples.output)), rng)
    made = Network(made.letters, made.outputs, (tuple(weights),))
    logs = []
    for name in NAMES:
        letters = "".join(source for source, _ in name)
        written: list[str] = []
        far, place = network.FAR, 0
        for source, target in name:
            for at in range(len(source)):
                output = made.outputs.index("" if at else target)
                logs.append(log_probabilities(made, letters, place, written, far)[output])
                written += graphemes(made.outputs[output])
                far = 1 if output else min(far + 1, network.FAR)
                place += 1
    assert loss == pytest.approx(-math.fsum(logs) / len(logs), abs=1e-6)


def test_dropout_preserves_the_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "DROPOUT", 0.25)
    rng = np.random.Generator(np.random.PCG64(1))
    kept = network._dropout_mask(np.ones((400, 400), dtype=np.float32), rng)
    assert set(np.unique(kept)) == {np.float32(0), np.float32(1 / 0.75)}
    assert kept.mean() == pytest.approx(1, abs=0.01)
    assert not network._dropout_mask(-np.ones((3, 3), dtype=np.float32), rng).any()


def test_a_network_learns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "SEEN", 10**6)
    monkeypatch.setattr(network, "RATE", 2e-2)
    monkeypatch.setattr(network, "HIDDEN", (30, 20))
    names = [[(one, one.upper()) for one in name] for name in ("ab", "ba", "abab", "bbaa")] * 30
    losses: list[float] = []
    made = fit_network(names, on_step=lambda *told: losses.append(told[2]))
    assert losses[-1] < losses[0] / 3
    assert [found[0][0] for found in made.write(["abab", "bbaa"])] == ["ABAB", "BBAA"]


def test_steps_are_reported() -> None:
    told: list[tuple[int, int, float]] = []
    fit_network(NAMES, on_step=lambda *step: told.append(step))
    assert [step for step, _, _ in told] == list(range(1, told[0][1] + 1))
    assert {whole for _, whole, _ in told} == {len(told)}
    assert all(math.isfinite(loss) for _, _, loss in told)


def ensemble(*networks: Network) -> Network:
    """Return one ensemble of the members of several networks."""
    return replace(networks[0], members=tuple(one for made in networks for one in made.members))


def same_weights(one: Network, two: Network) -> bool:
    return all(
        np.array_equal(left, right)
        for member, other in zip(one.members, two.members, strict=True)
        for left, right in zip(member, other, strict=True)
    )


def test_the_same_seed_gives_the_same_network() -> None:
    one, two = fit_network(NAMES, seed=3), fit_network(NAMES, seed=3)
    assert same_weights(one, two)
    assert one.write(["ali"]) == two.write(["ali"])
    other = fit_network(NAMES, seed=4)
    assert not np.array_equal(one.members[0][0], other.members[0][0])


def test_a_network_survives_the_round_trip() -> None:
    made = ensemble(fit_network(NAMES, seed=2), fit_network(NAMES, seed=3))
    _, saved = made.saved()
    assert all(array.dtype == np.float16 for array in saved.values())
    members = tuple(
        tuple(saved[f"{member}-{place}"].astype(np.float32) for place in range(10))
        for member in range(2)
    )
    again = Network(made.letters, made.outputs, members)
    assert len(saved) == 20
    assert same_weights(made, again)
    assert made.write(["alib"]) == again.write(["alib"])


def test_vocabularies() -> None:
    made = fit_network(NAMES)
    assert made.letters == ("a", "b", "i", "l")
    assert made.outputs == ("", "x", "xy", "y", "z")
    assert made.units == ("x", "y", "z")
    assert [one.shape for one in made.members[0]] == made.shapes()


def nothing() -> Iterator[list[list[tuple[str, str]]]]:
    yield []
    yield [[]]
    yield [[("", "x")]]


@pytest.mark.parametrize("names", list(nothing()))
def test_nothing_to_learn_from(names: list[list[tuple[str, str]]]) -> None:
    with raises("no-letters"):
        fit_network(names)


def test_one_letter_is_enough() -> None:
    made = fit_network([[("a", "x")]])
    assert {target for target, _ in made.write(["a"])[0]} == {"", "x"}
    silent = fit_network([[("a", "")]])
    assert silent.write(["aa"])[0] == [("", pytest.approx(0, abs=1e-6))]
