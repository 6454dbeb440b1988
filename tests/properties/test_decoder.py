"""The best ways to write names, compared with an enumeration of all ways; and limits of names."""

from __future__ import annotations

import math
import random
import resource
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

import brute_nbest as brute
from effort import examples
from fuzz_names import limit
from sameas.names import decoder, joint
from sameas.names.decoder import Way, Ways, decode
from saying import raises

Corpus = list[list[joint.Pair]]

many = settings(deadline=None, max_examples=examples(200))
# Few of the random sources can be spelt, which is not an error.
some = settings(
    deadline=None, max_examples=examples(60), suppress_health_check=[HealthCheck.filter_too_much]
)

CLOSE = 1e-9
ALL = 10**6  # more than the number of ways for any name of these tests


# Random models and names


def corpora(letters: str = "abc", units: str = "xyz") -> st.SearchStrategy[Corpus]:
    """Generate aligned names: sources of one to three letters, targets of zero to two units."""
    sources = st.text(letters, min_size=1, max_size=3)
    pairs = st.tuples(sources, st.text(units, max_size=2))
    return st.lists(st.lists(pairs, max_size=4), min_size=1, max_size=9)


@st.composite
def models(draw: st.DrawFn, letters: str = "abc") -> joint.JointModel:
    return joint.fit(
        draw(corpora(letters)),
        order=draw(st.integers(1, 4)),
        smoothing=draw(st.sampled_from(joint.SMOOTHINGS)),
        prune=draw(st.sampled_from([0.0, 0.0, 0.3, 1.0, 3.0])),
    )


sources = st.text("abc", max_size=6)
wanted = st.sampled_from([1, 2, 3, 7, 20, ALL])


def all_ways(
    model: joint.JointModel, sources: Iterable[Sequence[str]], most: int = 20
) -> list[Ways]:
    """Return the ways found with a beam wide enough for every prefix of these short names."""
    return decode(model, sources, most=most, beam=ALL)


def spelt(model: joint.JointModel, source: str) -> bool:
    return any(True for _ in brute.derivations(model, source))


def same(model: joint.JointModel, source: str, found: Ways, most: int) -> None:
    """Assert that the ways are the best ones, with correct scores and none missing."""
    everything = brute.best(model, source, ALL)
    scores = dict(everything)
    assert len(found.ways) == min(most, len(everything))
    assert len({way.target for way in found.ways}) == len(found.ways)
    # Equally good targets may come in any order, and any of them may be the last.
    for way, (_, score) in zip(found.ways, everything, strict=False):
        assert way.log_probability == pytest.approx(score, abs=CLOSE)
        assert way.log_probability == pytest.approx(scores[way.target], abs=CLOSE)
    for way in found.ways:
        pairs = way.pairs(model)
        assert "".join(left for left, _ in pairs) == source
        assert "".join(right for _, right in pairs) == way.target
        score = brute.log_probability(model, pairs)
        assert way.log_probability == pytest.approx(score, abs=CLOSE)
    for one, two in pairwise(found.ways):
        assert one.log_probability >= two.log_probability - CLOSE


def shown(found: Ways) -> tuple[list[float], str]:
    """Return the properties that do not depend on the order of equally good targets."""
    return [round(way.log_probability, 7) for way in found.ways], found.left_out


@contextmanager
def little_memory(gigabytes: float = 2.0) -> Iterator[None]:
    """Fail if the block allocates more memory than this."""
    statistics = Path("/proc/self/statm")
    if not statistics.exists():
        pytest.skip("there is no telling how much memory is taken")
    taken = int(statistics.read_text().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (taken + int(gigabytes * 2**30), before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def letters_of(model: joint.JointModel) -> list[str]:
    return sorted({source for source, _ in model.pairs if len(source) == 1})


# Against brute force


@many
@given(models(), sources, wanted)
@example(joint.fit([[("a", "x")], [("aa", "xx")]], order=2), "aaaa", 20)  # one target, many ways
@example(joint.fit([[("a", "x")], [("ab", "y")]], order=2), "ab", 20)  # a prefix without an end
@example(joint.fit([[("a", "")], [("a", "x")]], order=1), "aaa", 20)
@example(joint.fit([[]], order=2), "", 1)
def test_no_way_is_better_and_none_is_missing(
    model: joint.JointModel, source: str, most: int
) -> None:
    assume(spelt(model, source))
    (found,) = all_ways(model, [source], most)
    assert found.left_out == ""
    same(model, source, found, most)


@pytest.mark.long
@pytest.mark.parametrize("smoothing", joint.SMOOTHINGS)
@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize("prune", [0.0, 0.5, 2.0])
def test_many_letters_and_targets(order: int, smoothing: str, prune: float) -> None:
    generator = random.Random(f"{order}/{smoothing}/{prune}")
    pool = [
        ("".join(generator.choices("abcdef", k=size)), generator.choice(["", "x", "y", "z", "xy"]))
        for size in (1, 1, 1, 1, 2, 3)
        for _ in range(4)
    ]
    names = [generator.choices(pool, k=generator.randint(1, 5)) for _ in range(40)]
    model = joint.fit(names, order=order, smoothing=smoothing, prune=prune)
    letters = "".join(letters_of(model))
    for most in (1, 2, 20, 300):
        source = "".join(generator.choices(letters, k=8))
        same(model, source, all_ways(model, [source], most)[0], most)
    # Names of the training data have long histories that were seen.
    for name in names[:5]:
        source = "".join(left for left, _ in name)[:8]
        if spelt(model, source):
            same(model, source, all_ways(model, [source], 50)[0], 50)


@some
@given(models(), st.lists(st.text("abcq", max_size=6), max_size=8), wanted)
def test_many_names_are_as_one_by_one(model: joint.JointModel, names: list[str], most: int) -> None:
    together = decode(model, names, most=most)
    alone = [decode(model, [name], most=most)[0] for name in names]
    assert together == alone


def test_more_letters_than_one_batch_has(monkeypatch: pytest.MonkeyPatch) -> None:
    model = joint.fit([[("a", "x"), ("b", "y")], [("ab", "z")], [("b", "x")]], order=3)
    names = ["ab", "b", "", "abab", "q", "aab", "bbb"] * 3
    whole = decode(model, names)
    for letters in (1, 3, 7):
        monkeypatch.setattr(decoder, "AT_ONCE", letters * decoder.BEAM * decoder.MOST)
        assert list(map(shown, decode(model, names))) == list(map(shown, whole))


def test_names_may_come_one_after_another() -> None:
    model = joint.fit([[("a", "x"), ("b", "y")]], order=2)
    assert decode(model, iter(["ab", "b"])) == decode(model, ["ab", "b"])
    assert decode(model, []) == []


@some
@given(models(), sources)
def test_fewer_ways_are_the_first_of_more(model: joint.JointModel, source: str) -> None:
    scores = shown(all_ways(model, [source], ALL)[0])[0]
    for most in (1, 2, 5):
        assert shown(all_ways(model, [source], most)[0])[0] == scores[:most]


@some
@given(models("ab"), st.text("ab", max_size=6), wanted)
def test_letters_of_several_signs(model: joint.JointModel, source: str, most: int) -> None:
    """Letters may be one or two characters; the same names can be spelt as with single ones."""
    signs = {"a": "é", "b": "क्ष"}  # in this order, so that pairs keep their order
    two = joint.fit([[("a", "x")]], order=1)
    assert decode(two, [("a",)]) == decode(two, ["a"])
    pairs = [("".join(map(signs.get, left)), right) for left, right in model.pairs]  # type: ignore[arg-type]
    assert sorted(pairs) == pairs
    written = joint.from_columns(pairs, model.order, model.columns())
    found = all_ways(written, [tuple(signs[letter] for letter in source)], most)[0]
    plain = all_ways(model, [source], most)[0]
    assert shown(found)[0] == shown(plain)[0]
    assert found.left_out == "".join(signs[letter] for letter in plain.left_out)


def test_a_letter_of_several_signs_is_not_cut() -> None:
    model = joint.fit([[("k", "x")], [("h", "y")], [("kh", "z")], [("a", "w")]], order=2)
    assert {way.target for way in decode(model, ["kha"])[0].ways} == {"zw", "xyw"}
    assert {way.target for way in decode(model, [("kh", "a")])[0].ways} == {"zw"}


@pytest.mark.parametrize("order", [1, 2, 3])
def test_ways_without_an_end_are_dropped(order: int) -> None:
    """No pair spells the b after two a."""
    model = joint.fit([[("a", "")], [("ab", "")]], order=order)
    (found,) = decode(model, ["aab"], most=2)
    same(model, "aab", found, 2)


# Letters that cannot be spelt


def fewest(model: joint.JointModel, source: str) -> int:
    """Return the least number of letters to omit so that runs of adjacent ones spell the others."""
    known = {left for left, _ in model.pairs}
    best = [0]
    for place in range(1, len(source) + 1):
        ends = [best[at] for at in range(place) if source[at:place] in known]
        best.append(min([*ends, best[-1] + 1]))
    return best[-1]


@many
@given(models(), st.text("abcq", max_size=7), wanted)
@example(joint.fit([[("a", "x")]], order=2), "", 1)
@example(joint.fit([[("a", "x")]], order=2), "q", 1)
@example(joint.fit([[("ab", "x")]], order=2), "aab", 20)
def test_letters_that_cannot_be_spelt_are_omitted(
    model: joint.JointModel, source: str, most: int
) -> None:
    (found,) = all_ways(model, [source], most)
    assert len(found.left_out) == fewest(model, source)
    # The rest is the source without these letters, and all ways to write it are found.
    rests = {
        "".join(letter for place, letter in enumerate(source) if place not in gone)
        for gone in combinations(range(len(source)), len(found.left_out))
        if "".join(source[place] for place in gone) == found.left_out
    }
    assert found.ways
    rest = "".join(left for left, _ in found.ways[0].pairs(model))
    assert rest in rests
    same(model, rest, found, most)


def test_a_name_of_unknown_letters_is_written_as_nothing() -> None:
    model = joint.fit([[("a", "x")], []], order=2)
    nothing, known = decode(model, ["éq", "a"])
    assert nothing.left_out == "éq"
    assert [(way.target, way.pairs(model)) for way in nothing.ways] == [("", ())]
    assert known.ways[0].target == "x"


def test_nothing_was_learned() -> None:
    model = joint.fit([[], []], order=2)
    found = decode(model, ["", "a"])
    assert [(len(one.ways), one.left_out) for one in found] == [(1, ""), (1, "a")]
    assert found[0].ways[0].log_probability == pytest.approx(brute.log_probability(model, []))


# Long names


def long_model(order: int, smoothing: str = "kneser-ney") -> joint.JointModel:
    """Return a model like those of names: some letters follow others, many have several units."""
    generator = random.Random(order)
    letters = "abcdefghijklmnop"
    pool = [(letter, generator.choice("стувфхцч")) for letter in letters for _ in range(3)]
    pool += [
        ("".join(generator.choices(letters, k=2)), generator.choice("стув")) for _ in range(40)
    ]
    pool += [(letter, "") for letter in "hej"]
    names = [generator.choices(pool, k=generator.randint(1, 6)) for _ in range(300)]
    return joint.fit(names, order=order, smoothing=smoothing)


def first_is_best(model: joint.JointModel, name: str, ways: Sequence[Way]) -> None:
    (widely,) = decode(model, [name], most=1, beam=200)
    assert widely.left_out == ""
    # Over hundreds of letters, a beam may miss a slightly better way.
    assert ways[0].log_probability >= 1.002 * widely.ways[0].log_probability
    for way in ways:
        pairs = way.pairs(model)
        assert "".join(left for left, _ in pairs) == name
        score = brute.log_probability(model, pairs)
        assert way.log_probability == pytest.approx(score, abs=1e-6)


@pytest.mark.long
@pytest.mark.parametrize("letters", [50, 300, 1000])
@pytest.mark.parametrize("order", [1, 2, 3])
def test_long_names(order: int, letters: int) -> None:
    model = long_model(order)
    name = "".join(random.Random(letters).choices(letters_of(model), k=letters))
    with limit(20), little_memory():
        (found,) = decode(model, [name])
    assert len({way.target for way in found.ways}) == len(found.ways) == 20
    first_is_best(model, name, found.ways)


@pytest.mark.long
@pytest.mark.parametrize("letters", [30, 100, 1000])
def test_many_ways_to_one_target(letters: int) -> None:
    """a and aa, x and xx: astronomically many segmentations, all of the same target."""
    model = joint.fit([[("a", "x")], [("aa", "xx")]], order=2)
    with limit(20), little_memory():
        (found,) = decode(model, ["a" * letters])
    assert [way.target for way in found.ways] == ["x" * letters]
    first_is_best(model, "a" * letters, found.ways)


@pytest.mark.long
@pytest.mark.parametrize("letters", [100, 1000])
def test_the_same_letter_again_and_again(letters: int) -> None:
    model = long_model(2)
    with limit(20), little_memory():
        (found,) = decode(model, ["a" * letters])
    assert len(found.ways) == 20
    first_is_best(model, "a" * letters, found.ways)


def test_a_long_name_among_short_ones() -> None:
    model = long_model(2)
    name = "".join(random.Random(1).choices(letters_of(model), k=300))
    with limit(20), little_memory():
        found = decode(model, ["ab", name, "cd"])
    assert shown(found[0]) == shown(decode(model, ["ab"])[0])
    assert shown(found[2]) == shown(decode(model, ["cd"])[0])


# Long lists


def by_state(model: joint.JointModel, name: str, most: int) -> list[float]:
    """Return the scores of the best targets; each state of the model keeps its `most` best."""
    best: list[dict[int, dict[str, float]]] = [{} for _ in range(len(name) + 1)]
    best[0][brute.start(model)] = {"": 0.0}
    for place in range(len(name)):
        for state, texts in best[place].items():
            first = sorted(texts.items(), key=lambda one: -one[1])[:most]
            for number, (source, target) in enumerate(model.pairs, 1):
                if name.startswith(source, place):
                    step, after = brute.follow(model, state, number)
                    there = best[place + len(source)].setdefault(after, {})
                    for text, score in first:
                        made = text + target
                        there[made] = max(there.get(made, -math.inf), score + step)
    scores: dict[str, float] = {}
    for state, texts in best[-1].items():
        end = brute.follow(model, state, joint.BOUNDARY)[0]
        for text, score in texts.items():
            scores[text] = max(scores.get(text, -math.inf), score + end)
    return sorted(scores.values(), reverse=True)[:most]


@pytest.mark.long
@pytest.mark.parametrize("most", [20, 200])
def test_a_long_list(most: int) -> None:
    """The number of prefixes kept grows with the number of ways requested."""
    generator = random.Random(1)
    pool = [(one, two) for one in "abcdef" for two in generator.sample("стувфхцчшщэюя", 10)]
    names = [generator.choices(pool, k=generator.randint(3, 8)) for _ in range(2000)]
    model = joint.fit(names, order=3)
    name = "bdcdea"
    best = by_state(model, name, most)
    (found,) = decode(model, [name], most=most, beam=20 * most)
    scores = [way.log_probability for way in found.ways]
    assert scores == pytest.approx(best, abs=CLOSE)
    (found,) = decode(model, [name], most=most)
    assert sum(way.log_probability >= best[-1] - CLOSE for way in found.ways) >= 0.75 * most


def test_pieces_of_few_prefixes(monkeypatch: pytest.MonkeyPatch) -> None:
    model = long_model(3)
    names = ["abcd", "ponm", "hhee", "jab"]
    whole = decode(model, names, most=50)
    monkeypatch.setattr(decoder, "AT_ONCE", 1)
    assert decode(model, names, most=50) == whole


# Wrong arguments


def test_one_text_is_not_a_list() -> None:
    model = joint.fit([[("a", "x")]], order=2)
    with raises("one-string", what="sources", value="ab"):
        decode(model, "ab")


@pytest.mark.parametrize("most", [0, -1])
def test_at_least_one_way_is_required(most: int) -> None:
    with raises("at-least-one", value=most):
        decode(joint.fit([[("a", "x")]], order=2), ["a"], most=most)
    with raises("at-least-one", what="beam", value=most):
        decode(joint.fit([[("a", "x")]], order=2), ["a"], beam=most)
