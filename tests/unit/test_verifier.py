"""The verifier: trained on genuine pairs only, in any script, and applied to unseen pairs."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from sameas.names import affinity, mandarin
from sameas.names.datasets import dataset
from sameas.names.letters import read_as_note
from sameas.names.ngrams import stream_of
from sameas.names.pairs import NamePairs
from sameas.names.transliterator import Transliterator
from sameas.names.units import NameSide
from sameas.names.verification.counting import learn_grams as _grams
from sameas.names.verification.features import measure_distances as _distances
from sameas.names.verification.reasons import _rounded
from sameas.names.verification.training import fit_regression as _regress
from sameas.names.verifier import KINDS, Verifier
from sameas.notes import Note
from saying import codes, has, raises, raises_problems

CHINESE = dataset("sample:zh").pairs
RUSSIAN = dataset("sample:ru").pairs

_ONSETS = {
    "b": "б",
    "d": "д",
    "g": "г",
    "k": "к",
    "l": "л",
    "m": "м",
    "n": "н",
    "r": "р",
    "sh": "ш",
}
_VOWELS = {"a": "а", "e": "е", "i": "и", "o": "о", "oo": "у", "ya": "я"}


def invented(count: int, seed: int = 0) -> list[tuple[str, str]]:
    """Return pairs of an invented transliteration, which drops or replaces some sounds."""
    chance = random.Random(seed)
    found: dict[str, str] = {}
    while len(found) < count:
        source = target = ""
        for _ in range(chance.randint(2, 4)):
            for sounds in (_ONSETS, _VOWELS):
                letters = chance.choice(sorted(sounds))
                source += letters
                if chance.random() < 0.97:
                    target += sounds[letters]
                elif chance.random() < 0.5:
                    target += chance.choice(sorted(sounds.values()))
        if target:
            found[source] = target
    return list(found.items())


PAIRS = invented(1500)
HELD_OUT = invented(2500, seed=1)


@pytest.fixture(scope="module")
def invented_verifier() -> Verifier:
    return Verifier.fit(PAIRS)


@pytest.fixture(scope="module")
def chinese() -> Verifier:
    pytest.importorskip("pypinyin")
    return Verifier.fit(CHINESE)


@pytest.fixture(scope="module")
def russian() -> Verifier:
    return Verifier.fit(RUSSIAN)


def new_pairs() -> list[tuple[str, str]]:
    known = {source for source, _ in PAIRS}
    return [pair for pair in HELD_OUT if pair[0] not in known]


def shuffled(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(source, pairs[at - 7][1]) for at, (source, _) in enumerate(pairs)]


def equal_error_rate(genuine: np.ndarray, false: np.ndarray) -> float:
    """Compute the EER from its definition, over all thresholds; high scores are genuine."""
    thresholds = np.unique(np.concatenate([genuine, false]))
    rates = [(np.mean(genuine < at), np.mean(false >= at)) for at in thresholds]
    miss, alarm = min(rates, key=lambda pair: abs(pair[0] - pair[1]))
    return float(miss + alarm) / 2


def test_unseen_names_are_separated_from_shuffled_ones(invented_verifier: Verifier) -> None:
    genuine = invented_verifier.verify(new_pairs())
    false = invented_verifier.verify(shuffled(new_pairs()))
    by_probability = equal_error_rate(genuine.probability, false.probability)
    by_distance = equal_error_rate(-genuine.score2, -false.score2)
    assert by_probability < 0.02
    assert by_probability <= by_distance + 0.002


def test_probabilities_are_calibrated_on_average(invented_verifier: Verifier) -> None:
    """Half of these pairs are genuine, so the mean probability should be a half."""
    genuine = invented_verifier.verify(new_pairs()).probability
    false = invented_verifier.verify(shuffled(new_pairs())).probability
    assert np.mean([genuine.mean(), false.mean()]) == pytest.approx(0.5, abs=0.02)
    assert np.mean(genuine > 0.5) > 0.95
    assert np.mean(false < 0.5) > 0.98


def test_one_unseen_unit_lowers_the_probability(invented_verifier: Verifier) -> None:
    genuine = invented_verifier.verify(new_pairs()).probability
    other = [(source, target[:-1] + "ж") for source, target in new_pairs()]
    assert np.median(invented_verifier.verify(other).probability) < np.median(genuine) - 0.1


def test_the_prior_moves_the_odds(invented_verifier: Verifier) -> None:
    pairs = new_pairs()[:50]
    even = invented_verifier.verify(pairs, prior=0.5).probability
    rare = invented_verifier.verify(pairs, prior=0.1).probability
    assert np.allclose(rare / (1 - rare), even / (1 - even) / 9)
    assert invented_verifier.verify(pairs).prior == 0.5


@pytest.mark.long
def test_results_do_not_depend_on_other_pairs(
    invented_verifier: Verifier, chinese: Verifier
) -> None:
    for verifier, pairs in (
        (invented_verifier, [*new_pairs()[:60], ("a" * 100, "б"), ("й", "жж"), ("Öö", "x")]),
        (chinese, [*CHINESE[:40], ("smith", "史密斯"), ("tanaka", "田中暉")]),
    ):
        whole = verifier.verify(pairs)
        backwards = verifier.verify(pairs[::-1])
        alone = [verifier.verify([pair]) for pair in pairs]
        for name in ("probability", "score1", "score2", "score3", "kind"):
            values = getattr(whole, name)
            assert values.tolist() == getattr(backwards, name)[::-1].tolist()
            assert values.tolist() == [getattr(one, name)[0] for one in alone]


def test_a_list_unlike_the_training_names_is_noted(invented_verifier: Verifier) -> None:
    usual = invented(100, seed=9)
    strange = [("bado", "бадћ"), ("dabo", "ђабо"), ("gado", "гаџо"), ("kaþo", "кабо")]
    for more in ([], strange, [*strange, ("лado", "ладо")] * 30):
        notes = invented_verifier.verify([*usual, *more]).notes
        assert ("unlike-learned" in codes(notes)) == (len(more) >= 5)
    assert Note("unlike-learned", count=150, total=250, share=60.0) in notes
    # Accents and signs between words do not count as unseen letters.
    known = [("Bádo-Dabo", "бадо·дабо")] * 50
    assert "unlike-learned" not in codes(invented_verifier.verify(known).notes)


def test_most_names_in_an_unseen_script(invented_verifier: Verifier) -> None:
    """No threshold helps in this case. One pair is enough for the note."""
    usual, greek = invented(10, seed=9), [("bado", "βαδο")]
    for pairs, count in ((greek, 1), ([*usual, *greek * 11], 11)):
        notes = invented_verifier.verify(pairs).notes
        assert Note("script-never-seen", count=count, total=len(pairs)) in notes
        assert "unlike-learned" not in codes(notes)
    for pairs in ([*usual, *greek * 10], [("bado", "123")] * 9, [("bado", "бадοс")] * 9):
        assert "script-never-seen" not in codes(invented_verifier.verify(pairs).notes)


@pytest.mark.long
def test_verification_does_not_depend_on_the_transliterator() -> None:
    """Transliterators of every model trained on the same pairs give the same verification."""
    pairs = invented(150, seed=3)
    asked = invented(20, seed=4)
    found = [
        Transliterator.fit(pairs, model).verifier.verify(asked)  # type: ignore[union-attr]
        for model in ("bigram", "ngram")
    ]
    direct = Verifier.fit(pairs).verify(asked)
    for one in found:
        assert one.probability.tolist() == direct.probability.tolist()
        assert one.score2.tolist() == direct.score2.tolist()


@pytest.mark.long
def test_the_same_seed_gives_the_same_numbers_in_any_order() -> None:
    pairs = RUSSIAN[:70]
    once = Verifier.fit(pairs).verify(RUSSIAN).probability
    again = Verifier.fit(pairs[::-1]).verify(RUSSIAN).probability
    assert once.tolist() == again.tolist()
    assert once.tolist() != Verifier.fit(pairs, seed=2).verify(RUSSIAN).probability.tolist()


def test_distances_are_those_of_the_aligner() -> None:
    """D of equation 2 is the sum of the distances of the links of the nearest alignment; the
    distance of an unseen link is that of one link in the whole corpus."""
    source = NameSide.of([tuple(name) for name, _ in PAIRS[:200]])
    target = NameSide.of([tuple(name) for _, name in PAIRS[:200]])
    *_, (found, near) = affinity.iterate(source, target, affinity.start(source, target, "even"))
    counts = affinity.affinity(source, target, found.links)
    near = np.minimum(near, np.log(counts.sum()))
    assert _distances(source, target, counts).sum() == pytest.approx(
        affinity.align(source, target, near).distance
    )


def test_scores_are_the_distance_by_lengths(chinese: Verifier) -> None:
    found = chinese.verify([("alice", "爱丽丝"), ("ann", "安")])
    sounds = [
        sum(len(mandarin.sounds(unit, "final")) for unit in name) for name in ("爱丽丝", "安")
    ]
    letters = np.array([5, 3])
    distance = found.score1 * letters
    assert np.allclose(found.score2, distance / sounds)
    assert np.allclose(found.score3, distance / (letters + sounds))


@pytest.mark.long
def test_columns_may_be_swapped() -> None:
    """The longer names are treated as letters, on either side."""
    pairs = [(f"{source}", target) for source, target in PAIRS[:400]]
    forth = Verifier.fit(pairs)
    back = Verifier.fit([(target, source) for source, target in pairs])
    there = forth.verify(new_pairs())
    here = back.verify([(target, source) for source, target in new_pairs()])
    false = back.verify([(target, source) for source, target in shuffled(new_pairs())])
    assert equal_error_rate(here.probability, false.probability) < 0.05
    assert np.allclose(here.score1, there.score2)
    part = back.reason(*new_pairs()[0][::-1]).parts[0]
    assert new_pairs()[0][1].startswith(part.source)
    assert new_pairs()[0][0].startswith(part.target)


def test_grams_sum_to_one() -> None:
    side = NameSide.of([tuple("anna"), tuple("nan"), tuple("ab")])
    grams = _grams(side, 3)

    def logs(names: list[tuple[str, ...]]) -> np.ndarray:
        return grams.logs(stream_of(NameSide.of(names, side.symbols)))

    # After "an": every symbol, an unseen one, and the end.
    seen = logs([("a", "n", symbol) for symbol in side.symbols]).reshape(-1, 4)[:, 2]
    total = np.exp(seen).sum() + np.exp(logs([("a", "n")])[-1]) + np.exp(logs([("a", "n", "x")])[2])
    assert total == pytest.approx(1)


def test_the_regression_finds_the_minimum() -> None:
    optimize = pytest.importorskip("scipy.optimize")
    chance = np.random.default_rng(3)
    features = np.concatenate([np.ones((300, 1)), chance.normal(size=(300, 3))], axis=1)
    genuine = chance.random(300) < 1 / (1 + np.exp(-features @ [0.3, 1.0, -2.0, 0.0]))
    weights = chance.random(300)

    def loss(at: np.ndarray) -> float:
        scores = features @ at
        fit = np.logaddexp(0, np.where(genuine, -scores, scores))
        return float(weights @ fit + 0.5 * (1e-3 * at[0] ** 2 + at[1:] @ at[1:]))

    expected = optimize.minimize(loss, np.zeros(4), method="BFGS").x
    assert np.allclose(_regress(features, genuine, weights), expected, atol=1e-3)


def test_a_regression_of_separable_classes_stays_finite() -> None:
    features = np.array([[1.0, 5.0], [1.0, -5.0]] * 10)
    found = _regress(features, features[:, 1] > 0, np.ones(20))
    assert np.isfinite(found).all()


def test_characters_of_another_tradition_are_less_likely(chinese: Verifier) -> None:
    genuine, other = chinese.verify([("maria", "玛丽亚"), ("maria", "麻里亜")])
    assert genuine.probability > 0.5 > other.probability
    assert other.kind in KINDS


def test_the_reason_names_what_is_wrong(chinese: Verifier) -> None:
    reason = chinese.reason("alice", "爱丽暉")
    assert "".join(part.source for part in reason.parts) == "alice"
    assert "".join(part.target for part in reason.parts) == "爱丽暉"
    assert reason.never == ("暉",)
    assert Note("units-never-seen", count=1, units="暉") in reason.against
    assert reason.probability == chinese.verify([("alice", "爱丽暉")])[0].probability
    long = chinese.reason("alicealicealicealice", "爱")
    assert Note("odd-lengths", source=20, target=1) in long.against
    assert chinese.reason("щalice", "爱丽丝").strange == ("щ",)
    assert "\x1b" not in str(chinese.reason("a\x1b[31m", "爱"))


@pytest.mark.long
def test_wrong_letters_are_reported(invented_verifier: Verifier) -> None:
    reason = invented_verifier.reason("bada", "бака")
    worst = min(reason.parts, key=lambda part: part.bits)
    assert (worst.source, worst.target) == ("d", "к")
    assert has(reason.against[0], "rare-part", letters="d", unit="к")
    assert invented_verifier.reason("bada", "бада").against == ()


@pytest.mark.parametrize(("number", "rounded"), [(1.0, 1), (96.0, 100), (4_700.0, 5000)])
def test_rare_numbers_are_rounded(number: float, rounded: int) -> None:
    assert _rounded(number) == rounded


def test_a_small_list_is_noted() -> None:
    verifier = Verifier.fit(CHINESE)
    assert Note("little-learned", count=75) in verifier.notes
    genuine, false = verifier.verify([("alice", "爱丽丝"), ("alice", "克里夫")])
    assert genuine.probability > false.probability


def test_tiny_lists_do_not_crash() -> None:
    verifier = Verifier.fit([("a", "б"), ("b", "в")])
    assert np.isfinite(verifier.verify([("a", "б"), ("z" * 255, "б" * 255)]).probability).all()
    assert len(verifier.verify([])) == 0


@pytest.mark.parametrize(
    ("pairs", "count"),
    [([], 0), ([("anna", "анна")] * 3, 1), ([("anna", "анна"), ("anna", "аня")], 2)],
)
def test_too_few_names_are_rejected(pairs: list[tuple[str, str]], count: int) -> None:
    with raises("nothing-to-tell", count=count):
        Verifier.fit(pairs)


@pytest.mark.long
def test_pairs_given_twice_count_once() -> None:
    once = Verifier.fit(RUSSIAN)
    twice = Verifier.fit([*RUSSIAN, *RUSSIAN])
    assert twice.pairs == once.pairs
    assert Note("pairs-again", count=len(RUSSIAN)) in twice.notes
    assert twice.verify(RUSSIAN).score2.tolist() == once.verify(RUSSIAN).score2.tolist()


@pytest.mark.parametrize(
    "settings", [{"case": "upper"}, {"seed": -1}, {"seed": 1.5}, {"prior": 0}, {"prior": "half"}]
)
def test_invalid_settings(settings: dict[str, Any]) -> None:
    ((name, value),) = settings.items()
    told = {"what": name} if name == "case" else {"name": name}
    with raises("unknown" if name == "case" else "not-a-number", value=value, **told):
        Verifier.fit(RUSSIAN, **settings)


def test_invalid_names_are_errors(invented_verifier: Verifier) -> None:
    with raises_problems("empty-name", side="target", path="pair 2"):
        invented_verifier.verify([("a", "б"), ("a", " ")])
    with raises_problems("long-name", letters=1000, most=255):
        invented_verifier.verify([("a" * 1000, "б")])
    with raises_problems("empty-name", side="source"):
        invented_verifier.verify(NamePairs([("", "б")]))
    for pair in ("ab", ("a",), (1, "б")):
        with raises("not-two-names", number=1):
            invented_verifier.verify([pair])  # type: ignore[list-item]
    with raises("not-a-number", name="prior"):
        invented_verifier.verify([("a", "б")], prior=2.0)


@pytest.mark.long
def test_every_name_has_a_probability(invented_verifier: Verifier) -> None:
    odd = [
        ("x", "y"),
        ("þ😀", "☃"),
        ("a\u200db", "аб"),
        ("a" * 255, "б"),
        ("a", "б" * 255),
        ("a" * 255, "б" * 255),
        ("Zoë", "зоя"),
        ("안나", "अन्ना"),
    ]
    found = invented_verifier.verify(odd)
    for values in (found.probability, found.score1, found.score2, found.score3):
        assert np.isfinite(values).all()
    assert ((found.probability >= 0) & (found.probability <= 1)).all()
    never = [note.values["how"] for note in found.notes if note.code == "not-learned"]
    assert never == ["letters", "units"]
    for pair in odd:
        assert str(invented_verifier.reason(*pair))


def test_case_and_accents_are_ignored(invented_verifier: Verifier) -> None:
    plain, capital, accented = invented_verifier.verify(
        [("badago", "бадаго"), ("BADAGO", "Бадаго"), ("badagó", "бадаго")]
    )
    assert plain.probability == capital.probability == accented.probability


def test_verified_pairs_are_in_the_order_given(invented_verifier: Verifier) -> None:
    found = invented_verifier.verify(new_pairs()[:5])
    assert [(one.source, one.target) for one in found] == new_pairs()[:5]
    assert str(found[0]).split("\t")[:2] == list(new_pairs()[0])
    assert repr(found) == "<Verified: 5 pairs>"


def test_without_the_package_units_are_their_own_sounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mandarin.sounds.cache_clear()
    monkeypatch.setitem(sys.modules, "pypinyin", None)
    try:
        verifier = Verifier.fit(CHINESE)
        assert Note("no-sounds", how="learned") in verifier.notes
        found = verifier.verify([("ann", "安"), ("ann", "暉")])
        assert np.allclose(found.score2, found.score1 * 3)
    finally:
        mandarin.sounds.cache_clear()


def test_parts_make_the_same_verifier(chinese: Verifier, invented_verifier: Verifier) -> None:
    for verifier, pairs in ((chinese, CHINESE), (invented_verifier, new_pairs()[:100])):
        header, arrays = verifier.parts()
        again = Verifier.from_parts(json.loads(json.dumps(header)), arrays)
        assert again.verify(pairs).probability.tolist() == (
            verifier.verify(pairs).probability.tolist()
        )
        assert str(again.reason(*pairs[0])) == str(verifier.reason(*pairs[0]))
        assert [*map(str, again.notes)] == [*map(str, verifier.notes)]
        assert (again.pairs, again.seed) == (verifier.pairs, verifier.seed)


def test_invalid_parts_are_rejected(invented_verifier: Verifier) -> None:
    header, arrays = invented_verifier.parts()
    for name in header:
        with raises("broken-model"):
            Verifier.from_parts({**header, name: None}, arrays)
        without = {key: value for key, value in header.items() if key != name}
        with raises("broken-model"):
            Verifier.from_parts(without, arrays)
    for name, array in arrays.items():
        bad: list[Any] = [
            None,
            array.astype("U5"),
            np.zeros((2, 2, 2)),
            array.astype(float) * np.nan,
        ]
        if array.dtype.kind == "i" and len(array) > 1:
            bad += [array[::-1], array - 10**9, array + 10**15]
        for value in bad:
            with raises("broken-model", how="verifier", name=name):
                Verifier.from_parts(header, {**arrays, name: value})
        with raises("broken-model", how="verifier", name=name):
            Verifier.from_parts(
                header, {key: value for key, value in arrays.items() if key != name}
            )
    for name, value in (
        ("letters", [1]),
        ("units", ["а"]),
        ("unit_sounds", [[]]),
        ("prior", 2.0),
        ("case", "upper"),
        ("charsets", ["klingon"]),
        ("usual", [1.0]),
        ("usual", ["a", "b"]),
        ("format", 99),
    ):
        with raises("broken-model"):
            Verifier.from_parts({**header, name: value}, arrays)


# Names of several words


def two_words(shift: int) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    names = new_pairs()[:400]
    return [(one, names[(at + shift) % len(names)]) for at, one in enumerate(names)]


@pytest.mark.long
def test_genuine_names_of_two_words_pass(invented_verifier: Verifier) -> None:
    for source, target in (
        ("{0} {1}", "{0} {1}"),
        ("{0} {1}", "{0}·{1}"),
        ("{0}-{1}", "{0}‧{1}"),
        ("{1}, {0}", "{0} {1}"),
        ("{1} {0}", "{0} {1}"),
        ("{0} {1}", "{0}{1}"),
    ):
        pairs = [
            (source.format(one[0], two[0]), target.format(one[1], two[1]))
            for one, two in two_words(3)
        ]
        assert np.mean(invented_verifier.verify(pairs).probability < 0.5) <= 0.02


@pytest.mark.long
def test_one_wrong_word_is_enough_and_is_named(invented_verifier: Verifier) -> None:
    others = [two[1] for _, two in two_words(11)]
    joined = two_words(3)
    first = [
        (f"{one[0]} {two[0]}", f"{new} {two[1]}")
        for (one, two), new in zip(joined, others, strict=True)
    ]
    second = [
        (f"{one[0]} {two[0]}", f"{one[1]} {new}")
        for (one, two), new in zip(joined, others, strict=True)
    ]
    both = [
        (f"{one[0]} {two[0]}", f"{new} {new}")
        for (one, two), new in zip(joined, others, strict=True)
    ]
    for false in (first, second, both):
        assert np.mean(invented_verifier.verify(false).probability >= 0.5) <= 0.02
    named = [
        bool(reason.wrong) and reason.wrong[0].source == two[0]
        for reason, (_, two) in zip(invented_verifier.reasons(second), joined, strict=True)
    ]
    assert np.mean(named) > 0.95


def test_reasons_agree_with_verify(invented_verifier: Verifier) -> None:
    pairs = [
        ("bada gosha", "бада гоша"),
        ("bada gosha", "бада кемеру"),
        ("gosha bada", "бада гоша"),
        ("bada x. gosha", "бада гоша"),
        ("B. gosha", "бада гоша"),
        ("x y", "X Y"),
        ("ba'da", "бада"),
        ("bada", "бада"),
    ]
    found = invented_verifier.verify(pairs)
    reasons = list(invented_verifier.reasons(pairs))
    assert [reason.probability for reason in reasons] == found.probability.tolist()
    assert [(reason.source, reason.target) for reason in reasons] == pairs
    assert np.isfinite(found.score2).all()
    wrong = {"how": "wrong-why", "source": "gosha", "target": "кемеру"}
    assert has(reasons[1].against[0], "words", **wrong)
    assert Note("words-turned") in reasons[2].against
    assert Note("no-counterpart", word="x.") in reasons[3].against
    assert found.probability[6] == found.probability[7]
    for at in range(len(pairs)):
        assert invented_verifier.verify([pairs[at]]).probability[0] == found.probability[at]


def test_distances_of_several_words_are_sums(invented_verifier: Verifier) -> None:
    one, two, both = invented_verifier.verify(
        [("bada", "бада"), ("gosha", "гоша"), ("bada gosha", "бада гоша")]
    )
    assert both.score1 == pytest.approx((one.score1 * 4 + two.score1 * 5) / 9)
    assert both.score2 == pytest.approx((one.score2 * 4 + two.score2 * 4) / 8)


@pytest.mark.long
def test_words_of_swapped_columns() -> None:
    turned = Verifier.fit([(target, source) for source, target in PAIRS[:600]])
    good, bad = turned.reasons([("бада гоша", "bada gosha"), ("бада гоша", "bada kemeroo")])
    assert good.probability > 0.5 > bad.probability
    assert [(word.source, word.target) for word in bad.wrong] == [("гоша", "kemeroo")]


@pytest.mark.long
def test_spaces_that_were_learned_are_judged_as_letters() -> None:
    pairs = [
        (f"{one[0]} {two[0]}", f"{one[1]} {two[1]}")
        for one, two in zip(PAIRS[:300], PAIRS[300:600], strict=True)
    ]
    reason = Verifier.fit(pairs).reason("bada gosha", "бада гоша")
    assert reason.words == ()
    assert "".join(part.source for part in reason.parts) == "bada gosha"


# Unseen letters


def test_unseen_letters_are_read_as_the_nearest(invented_verifier: Verifier) -> None:
    plain, other = invented_verifier.verify([("dogosho", "догошо"), ("đøgøshø", "догошо")])
    assert plain.probability == other.probability
    (note,) = invented_verifier.verify([("đøgø", "дого")]).notes
    assert note == read_as_note([("ø", "o"), ("đ", "d")])


@pytest.mark.long
def test_a_letter_that_is_read_as_two_is_one_in_reasons(invented_verifier: Verifier) -> None:
    invented = Verifier.fit(
        [(source.replace("sh", "ss"), target) for source, target in PAIRS[:600]]
    )
    reason = invented.reason("gaßa", "гаша")
    assert "".join(part.source for part in reason.parts) == "gaßa"
    assert reason.probability == invented.reason("gassa", "гаша").probability


def test_traditional_characters_are_read_as_simplified_ones(chinese: Verifier) -> None:
    pairs = [("maria", "玛丽亚"), ("maria", "瑪麗亞"), ("maria", "瑪麗亜")]
    simplified, traditional, japanese = chinese.verify(pairs, convert=True)
    assert simplified.probability == traditional.probability > 0.5 > japanese.probability
    assert chinese.reason("maria", "瑪麗亞", convert=True).never == ()
    as_they_are = chinese.verify(pairs)
    assert as_they_are[1].probability < 0.5
    assert (as_they_are[0], as_they_are[2]) == (simplified, japanese)
    assert Note("other-chinese", count=1, how="kept") in as_they_are.notes


def test_traditional_characters_are_distinguished_from_japanese(chinese: Verifier) -> None:
    traditional = [("maria", "瑪麗亞"), ("john", "約翰"), ("anna", "安娜")]
    japanese = [("yui", "沢東"), ("mari", "麻亜"), ("rei", "麗")]
    assert chinese.verify(traditional, convert=None).converted
    assert not chinese.verify(japanese, convert=None).converted
    assert not chinese.verify([("anna", "安娜")], convert=None).converted


def test_formatting_characters_are_removed(invented_verifier: Verifier) -> None:
    plain, marked = invented_verifier.verify([("bada", "бада"), ("ba\u200eda\ufeff", "\u202bбада")])
    assert plain == marked
    (note,) = invented_verifier.verify([("ba\u200eda", "бада")]).notes
    assert has(note, "layout-removed", count=1, within=1, signs="U+200E")
    with raises_problems("empty-name", side="source"):
        invented_verifier.verify([("\u200b", "бада")])


@pytest.mark.parametrize(
    ("source", "target", "wrong"),
    [
        ("Anna Boris", "Anna Boris", {"Anna", "Boris"}),
        ("Anna Boris", "Anna Борис", {"Anna"}),
        ("Anna Boris", "Анна Boris", {"Boris"}),
        ("ANNA Boris", "anna Борис", {"ANNA"}),
    ],
)
def test_words_that_are_merely_copied_are_wrong(
    russian: Verifier, source: str, target: str, wrong: set[str]
) -> None:
    assert russian.verify([(source, target)]).probability[0] < 0.5
    reason = russian.reason(source, target)
    assert {word.source for word in reason.wrong} == wrong
    assert any("units-never-seen" in codes(word.against) for word in reason.words)


def test_copied_words_are_right_if_both_sides_share_a_script() -> None:
    pairs = [(source, source.replace("c", "k") + "a") for source, _ in RUSSIAN]
    verifier = Verifier.fit(pairs)
    assert verifier.verify([("George Bush", "George Bush")]).probability[0] > 0.9


def test_words_of_punctuation_are_not_initials(russian: Verifier) -> None:
    names = ["Boris", ". Boris", "? Boris", "Boris -- ?", "1. Boris", "Anna Boris"]
    found = russian.verify([(name, "Анна Борис") for name in names])
    plain, period, mark, _, number, whole = found.probability.tolist()
    assert plain == period == mark < whole
    assert number < min(plain, 0.5)
    assert Note("no-letters-in", count=2, names=[".", "?"]) in found.notes
    assert Note("not-learned", count=4, names=["␣", "-", "1"], how="letters") in found.notes


def test_half_width_katakana_is_read_as_full() -> None:
    verifier = Verifier.fit(dataset("sample:ja").pairs)
    assert "ジ" in verifier._judge.alphabet.known()[1]
    full = verifier.verify([("John Smith", "ジョン・スミス")])
    half = verifier.verify([("John Smith", "ｼﾞｮﾝ･ｽﾐｽ")])
    assert half.probability.tolist() == full.probability.tolist()
    assert "letters-read-as" in codes(half.notes)


def test_invalid_pairs(invented_verifier: Verifier) -> None:
    for pairs in (None, 3):
        with raises("wrong-type", what="pairs", value=pairs):
            invented_verifier.verify(pairs)  # type: ignore[arg-type]
        with raises("wrong-type", what="pairs", value=pairs):
            list(invented_verifier.reasons(pairs))  # type: ignore[arg-type]
    for pair in (None, 3, {"a", "b"}, {"a": "b"}, ("a",), ("a", None)):
        with raises("not-two-names", number=2):
            invented_verifier.verify([("a", "b"), pair])  # type: ignore[list-item]
    for convert in ("x", 1, 0.5):
        with raises("wrong-type", what="convert"):
            invented_verifier.verify([("a", "b")], convert=convert)  # type: ignore[arg-type]
    for convert in ("x", 1, None):
        with raises("wrong-type", what="convert"):
            invented_verifier.reason("a", "b", convert=convert)  # type: ignore[arg-type]
