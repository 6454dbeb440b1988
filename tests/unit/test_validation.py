"""DET curves, EER and calibration: cases computed by hand, edge cases, and the plot."""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sameas.errors import InputError, UsageError
from sameas.names.validation import (
    CalibrationBin,
    DetCurve,
    OperatingPoint,
    calibration,
    det,
    expected_calibration_error,
    normal_deviates,
)
from saying import raises, raises_problems

# Four genuine and five false pairs; 6 and 3 tie across labels, 2 within one.
SCORES = [9, 8, 6, 6, 3, 3, 2, 2, 1]
GENUINE = [1, 1, 1, 0, 1, 0, 0, 0, 0]


def normal(distance: float, genuine: int, false: int, seed: int = 1, step: float = 0) -> DetCurve:
    random = np.random.RandomState(seed)
    scores = random.normal(size=genuine + false) + distance * (np.arange(genuine + false) < genuine)
    scores = np.round(scores / step) * step if step else scores
    return det(scores, np.arange(genuine + false) < genuine)


# Curves


def test_every_threshold_by_hand() -> None:
    curve = det(SCORES, GENUINE, name="score")
    assert curve.thresholds.tolist() == [math.inf, 9, 8, 6, 3, 2, 1]
    assert curve.missed.tolist() == [4, 3, 2, 1, 0, 0, 0]
    assert curve.alarmed.tolist() == [0, 0, 0, 1, 2, 4, 5]
    assert curve.misses.tolist() == [1, 0.75, 0.5, 0.25, 0, 0, 0]
    assert curve.false_alarms.tolist() == [0, 0, 0, 0.2, 0.4, 0.8, 1]
    assert (curve.genuine, curve.false, curve.name) == (4, 5, "score")
    # From (1/4, 1/5) to (0, 2/5): equal where 1/4 − t/4 = 1/5 + t/5, so t = 1/9.
    assert curve.eer == float(Fraction(1, 4) - Fraction(1, 9) / 4) == float(Fraction(2, 9))
    assert curve.eer_threshold == 6
    # Of 20 pairs of pairs 16 are in order, 2 are not, 2 tie.
    wins = sum(
        Fraction((one > other) + (one >= other), 2)
        for one, a in zip(SCORES, GENUINE, strict=True)
        for other, b in zip(SCORES, GENUINE, strict=True)
        if a and not b
    )
    assert curve.area == float(wins / 20)
    assert repr(curve) == "<DetCurve score: EER 22.22%, 4 genuine and 5 false pairs>"


def test_distances_are_small_for_genuine_pairs() -> None:
    one = det(SCORES, GENUINE)
    other = det([-score for score in SCORES], GENUINE, higher="false")
    assert other.thresholds.tolist() == (-one.thresholds).tolist()
    assert other.missed.tolist() == one.missed.tolist()
    assert other.alarmed.tolist() == one.alarmed.tolist()
    assert other.eer == one.eer
    assert other.at(-6) == OperatingPoint(-6, 0.25, 0.2)


def test_ties_are_grouped_in_any_order() -> None:
    curves = [det([1, 1, 1, 1], labels) for labels in ([1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0])]
    for curve in curves:
        assert curve.thresholds.tolist() == [math.inf, 1]
        assert (curve.eer, curve.hull_eer, curve.area) == (0.5, 0.5, 0.5)
        assert curve.eer_threshold == math.inf  # at equal distance, the stricter threshold


def test_no_error_and_nothing_but_errors() -> None:
    best, worst = det([4, 3, 2, 1], [1, 1, 0, 0]), det([4, 3, 2, 1], [0, 0, 1, 1])
    assert (best.eer, best.hull_eer, best.area, best.eer_threshold) == (0, 0, 1, 3)
    assert (worst.eer, worst.hull_eer, worst.area) == (1, 0.5, 0)
    assert best.interval() == (0, 0)
    assert worst.interval() == (1, 1)


def test_the_hull_skips_suboptimal_points() -> None:
    # (1, 0) (1/2, 0) (1/2, 1/2) (0, 1/2) (0, 1): the hull skips the middle one.
    curve = det([4, 3, 2, 1], [1, 0, 1, 0])
    assert (curve.eer, curve.hull_eer) == (0.5, 0.25)


@pytest.mark.parametrize("sign", [1, -1])
def test_infinite_scores(sign: int) -> None:
    scores = [sign * math.inf, sign * 2.0, sign * 1.0, -sign * math.inf]
    curve = det(scores, [1, 0, 1, 0], higher="genuine" if sign > 0 else "false")
    # No number rejects an infinite score, and NaN does.
    assert np.isnan(curve.thresholds[0])
    assert curve.thresholds[1:].tolist() == scores
    assert curve.misses.tolist() == [1, 0.5, 0.5, 0, 0]
    assert curve.eer == 0.5
    for threshold, miss, alarm in zip(
        curve.thresholds, curve.misses, curve.false_alarms, strict=True
    ):
        point = curve.at(float(threshold))
        assert (point.miss, point.false_alarm) == (miss, alarm)


def test_arrays_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        det(SCORES, GENUINE).missed[0] = 7


@pytest.mark.parametrize("kind", [np.float32, np.int8, np.uint64, object])
def test_scores_of_any_numeric_type(kind: type) -> None:
    scores = np.array(SCORES, dtype=kind)
    labels = np.array(GENUINE, dtype=np.bool_)
    assert det(scores, labels).missed.tolist() == det(SCORES, GENUINE).missed.tolist()
    assert det([Fraction(score) for score in SCORES], GENUINE).eer == det(SCORES, GENUINE).eer  # type: ignore[misc]


# Thresholds


def test_thresholds_for_given_rates() -> None:
    curve = det(SCORES, GENUINE)
    for wanted, threshold in ((0, 8), (0.1, 8), (0.2, 6), (0.39, 6), (0.4, 3), (0.8, 3), (1, 3)):
        found = curve.threshold(false_alarm=wanted)
        assert found.threshold == threshold
        assert found.false_alarm <= wanted
        assert found == curve.at(threshold)
    for wanted, threshold in ((0, 3), (0.2, 3), (0.25, 6), (0.7, 8), (0.75, 9), (1, math.inf)):
        found = curve.threshold(miss=wanted)
        assert (found.threshold, found.miss <= wanted) == (threshold, True)


def test_of_thresholds_with_equal_misses_the_strictest() -> None:
    found = det([5, 4, 3, 2, 1], [1, 1, 0, 0, 1]).threshold(false_alarm=0.5)
    assert found == OperatingPoint(4, 1 / 3, 0)
    found = det([5, 4, 3, 2, 1], [0, 0, 1, 1, 1], higher="false").threshold(false_alarm=1)
    assert found == OperatingPoint(3, 0, 0)


def test_a_rate_that_requires_rejecting_all() -> None:
    found = det([3, 2, 1], [0, 1, 1]).threshold(false_alarm=0.5)
    assert found == OperatingPoint(math.inf, 1, 0)
    found = det([3, 2, 1], [0, 1, 1], higher="false").threshold(miss=0)
    assert found == OperatingPoint(2, 0, 0)


def test_decimal_rates_are_met_exactly() -> None:
    curve = det(range(2000), np.arange(2000) % 2)  # type: ignore[arg-type]
    for number in range(1001):
        # The last false pair has the worst score: accepting it does not save a genuine one.
        met = min(number, 999) / 1000
        assert curve.threshold(false_alarm=number / 1000).false_alarm == met
        assert curve.threshold(miss=number / 1000).miss == number / 1000


def test_thresholds_from_other_pairs() -> None:
    curve = det(SCORES, GENUINE)
    assert curve.at(7) == OperatingPoint(7, 0.5, 0)
    assert curve.at(100) == OperatingPoint(100, 1, 0)
    assert curve.at(-100) == OperatingPoint(-100, 0, 1)
    assert (curve.at(math.inf).miss, curve.at(-math.inf).miss, curve.at(math.nan).miss) == (1, 0, 1)


# Normal distributions, with known answers


@pytest.mark.parametrize(
    ("distance", "rate"), [(0, 0.5), (1, 0.308538), (2, 0.158655), (4, 0.02275)]
)
def test_the_eer_of_normal_distributions(distance: float, rate: float) -> None:
    curve = normal(distance, 200_000, 100_000)
    # An EER is a rate of 100,000 pairs at a threshold: some 3 standard errors.
    assert curve.eer == pytest.approx(rate, abs=3 * math.sqrt(rate * (1 - rate) / 100_000))
    low, high = curve.interval()
    assert low < curve.eer < high
    assert curve.hull_eer <= curve.eer
    assert curve.eer - curve.hull_eer < 0.002


def test_a_million_scores() -> None:
    random = np.random.RandomState(0)
    scores = random.normal(size=1_000_000)
    labels = random.random_sample(1_000_000) < 0.8
    curve = det(scores, labels)
    assert curve.interval(samples=1000).low < curve.eer
    assert curve.eer == pytest.approx(0.5, abs=0.005)


# Intervals


def test_the_same_seed_gives_the_same_digits() -> None:
    curve = normal(2, 300, 200)
    assert curve.interval(seed=0) == curve.interval(seed=0) != curve.interval(seed=1)
    assert curve.interval(confidence=50).low > curve.interval(confidence=99).low
    low, high = normal(2, 300, 200, seed=7).interval(seed=3)
    assert (round(low, 6), round(high, 6)) == (0.113333, 0.173333)


def test_intervals_have_their_nominal_coverage() -> None:
    true, times = 0.158655, 200
    inside = sum(
        low <= true <= high
        for low, high in (normal(2, 300, 300, seed).interval(samples=400) for seed in range(times))
    )
    # 190 of 200 intervals are expected to, ± 3 standard errors, with some margin for bias.
    assert 178 <= inside <= 200


# Invalid input


@pytest.mark.parametrize(
    ("scores", "labels", "code", "values"),
    [
        ([1, math.nan, 2], [1, 0, 1], "pair-not-number", {"number": 2, "noun": "score"}),
        ([math.nan, math.nan, 2], [1, 0, 1], "pair-not-number", {"number": 1, "more": 1}),
        ([1, None, 2], [1, 0, 1], "pair-not-number", {"number": 2}),
        ([1, 2], [1, 2], "label-not-true", {"number": 2, "value": 2}),
        ([1, 2], [1, math.nan], "label-not-true", {"number": 2}),
        ([1, 2, 3], [1, 0], "labels-differ", {"count": 3, "labels": 2}),
        ([], [], "nothing-verified", {}),
        ([1, 2], [1, 1], "one-kind", {"count": 2, "kind": "false"}),
        ([1], [False], "one-kind", {"count": 1, "kind": "genuine"}),
    ],
)
def test_input_that_has_no_curve(
    scores: list[float], labels: list[int], code: str, values: dict[str, Any]
) -> None:
    for name in ("", "score2"):
        with raises_problems(code, path=name, **values):
            det(scores, labels, name=name)


@pytest.mark.parametrize(
    "scores", [["1", "2"], "12", [[1, 2]], [1, [2]], 3, None, [1j, 2], [object(), 1], [10**999, 1]]
)
def test_scores_that_are_not_a_list_of_numbers(scores: object) -> None:
    with raises("scores-not-list", how="score"):
        det(scores, [1, 0])  # type: ignore[arg-type]
    with raises("scores-not-list", how="label"):
        det([1, 2], scores)  # type: ignore[arg-type]


def test_wrong_arguments() -> None:
    curve = det(SCORES, GENUINE)
    with raises("unknown", what="higher", near="genuine"):
        det(SCORES, GENUINE, higher="genuin")  # type: ignore[arg-type]
    for wrong in ({}, {"miss": 0.1, "false_alarm": 0.1}):
        with raises("threshold-rates"):
            curve.threshold(**wrong)
    for value in (-0.1, 1.1, math.nan, "1"):
        for name in ("miss", "false_alarm"):
            with raises("not-a-number", how="share", name=name):
                curve.threshold(**{name: value})  # type: ignore[arg-type]
    for name, value in (("confidence", 40), ("confidence", "high"), ("samples", 5), ("seed", -1)):
        with raises("not-a-number", name=name, value=value):
            curve.interval(**{name: value})  # type: ignore[misc]
    with raises("det-interval", kind="bca"):
        curve.interval(interval="bca")
    with raises("not-shares", what="rates"):
        normal_deviates([0.5, 1.5])


# Calibration


def test_bins_by_hand() -> None:
    found = calibration([0, 0.25, 0.5, 0.75, 1, 1], [0, 1, 0, 1, 1, 0], bins=2)
    assert found == [
        CalibrationBin(0, 0.5, 0.125, 0.5, 2),
        CalibrationBin(0.5, 1, 0.8125, 0.5, 4),
    ]
    error = expected_calibration_error([0, 0.25, 0.5, 0.75, 1, 1], [0, 1, 0, 1, 1, 0], bins=2)
    assert error == (2 * 0.375 + 4 * 0.3125) / 6


def test_empty_bins_are_not_listed() -> None:
    found = calibration([0.05, 0.95], [0, 1])
    assert [(one.low, one.high) for one in found] == [(0, 0.1), (0.9, 1)]


def test_a_probability_on_an_edge_begins_a_bin() -> None:
    for number in range(101):  # 0.29 × 100 is 28.999999999999996
        (one,) = calibration([number / 100], [True], bins=100)
        assert one.low == min(number, 99) / 100


def test_invalid_probabilities() -> None:
    for function in (calibration, expected_calibration_error):
        with raises_problems("not-probability", number=2, value=1.5):
            function([1, 1.5], [1, 0])  # type: ignore[operator]
        with raises_problems("pair-not-number", noun="probability"):
            function([math.nan], [0])  # type: ignore[operator]
        with raises_problems("labels-differ", count=1, labels=2):
            function([1], [0, 1])  # type: ignore[operator]
    for bins in (0, 1.5, True, 10**9):
        with raises("not-a-number", name="bins", value=bins):
            calibration([1], [1], bins=bins)  # type: ignore[arg-type]


# The plot


CURVES = {
    "many pairs": normal(3, 20_000, 10_000),
    "ties": normal(2, 500, 400, step=0.5),
    "few pairs": normal(2, 30, 20),
    "one of each": det([1, 2], [1, 0]),
    "all tie": det([1, 1, 1], [1, 0, 1]),
    "no error": det([4, 3, 2, 1], [1, 1, 1, 0]),
    "nothing but errors": det([1, 2, 3, 4], [1, 1, 1, 0]),
    "many without error": normal(50, 3000, 2000),
    "one genuine": det([2.5, 4, 3, 2, 1], [1, 0, 0, 0, 0]),
}


@pytest.mark.long
@pytest.mark.parametrize("name", CURVES)
def test_a_curve_is_drawn(name: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from sameas.show.det import draw_det

    draw_det({name: CURVES[name]}, str(tmp_path / "det.svg"))
    assert (tmp_path / "det.svg").read_text(encoding="utf-8").count("<path") > 50


@pytest.mark.long
@pytest.mark.parametrize("ending", ["svg", "png", "PDF"])
def test_all_curves_in_one_picture(ending: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from sameas.show.det import draw_det

    paths = [tmp_path / f"{name}.{ending}" for name in ("one", "other")]
    for path in paths:
        draw_det(CURVES, str(path), title="$x_1$", marks={"_paper": 0.0448, "other": 0.0713})
    assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize("name", CURVES)
def test_a_line_stays_on_its_curve(name: str) -> None:
    pytest.importorskip("matplotlib")
    from sameas.show.det import CELLS, _eer_point, _line

    curve = CURVES[name]
    low, high = normal_deviates([0.0008, 0.5]).tolist()
    line = _line(curve, low, high)
    assert np.isfinite(line.across).all()
    assert np.isfinite(line.up).all()
    assert (np.diff(line.across) <= 0).all()
    assert (np.diff(line.up) >= 0).all()
    # Every threshold with both kinds of errors is less than a cell away from the line.
    both = (curve.missed > 0) & (curve.alarmed > 0)
    both &= (curve.missed < curve.genuine) & (curve.alarmed < curve.false)
    across, up = normal_deviates(curve.misses[both]), normal_deviates(curve.false_alarms[both])
    cell = (high - low) / CELLS
    inside = (across > low) & (across < high) & (up > low) & (up < high)
    for x, y in zip(across[inside][::37], up[inside][::37], strict=True):
        assert np.maximum(abs(line.across - x), abs(line.up - y)).min() <= cell
    # The EER is on the line.
    x, y = normal_deviates(_eer_point(curve))
    if curve.eer < 1:
        assert np.maximum(abs(line.across - x), abs(line.up - y)).min() <= 2 * cell


def test_a_million_points_make_a_small_file(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from sameas.show.det import draw_det

    path = tmp_path / "det.svg"
    draw_det({"score": normal(3, 500_000, 500_000)}, str(path))
    assert path.stat().st_size < 150_000


def test_small_rates_are_distinguished() -> None:
    pytest.importorskip("matplotlib")
    from sameas.show.det import _percentage

    assert [_percentage(rate) for rate in (0.0448, 0.001, 0.00044, 0.000013, 0)] == [
        *("4.48", "0.10", "0.044", "0.0013", "0.00")
    ]


def test_ticks_go_as_far_as_the_curves_need() -> None:
    pytest.importorskip("matplotlib")
    from sameas.show.det import _ticks

    usual = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4]
    assert _ticks([CURVES["many pairs"]], [0.0448]) == usual
    assert _ticks([CURVES["few pairs"]], []) == usual[3:]  # 1 of 30 pairs is 3.3 %
    assert _ticks([CURVES["many without error"]], [])[:2] == [0.0001, 0.001]
    assert _ticks([CURVES["many pairs"]], [0.7])[-2:] == [0.8, 0.9]


def test_pictures_that_cannot_be_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sameas.show.det import draw_det

    curves = {"score": CURVES["few pairs"]}
    with raises("no-curves"):
        draw_det({}, str(tmp_path / "det.svg"))
    with raises("not-a-number", name="paper", value=4.48):
        draw_det(curves, str(tmp_path / "det.svg"), marks={"paper": 4.48})
    with pytest.raises(UsageError):
        draw_det(curves, str(tmp_path / "det.bmp"))
    pytest.importorskip("matplotlib")
    with pytest.raises(InputError):
        draw_det(curves, str(tmp_path / "nowhere" / "det.svg"))
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(UsageError):
        draw_det(curves, str(tmp_path / "det.svg"))
