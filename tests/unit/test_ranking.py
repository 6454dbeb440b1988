"""The metrics of transliteration: hand-made cases, slow reference definitions, files, tables."""

from __future__ import annotations

import copy
import json
import math
import pickle
from itertools import pairwise, permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sameas.errors import InputError, UsageError
from sameas.names import ranking_metrics, same_names
from sameas.names.comparing import compare_rankings
from sameas.names.letters import CHINESE_VARIANTS
from sameas.names.ranked_lists import NameLists, read_candidates, read_references
from sameas.names.ranking import RankingScores, rank_scores
from sameas.names.units import fold
from sameas.notes import Note
from sameas.settings import Resampling
from sameas.show.cells import text_width
from sameas.show.ranking import render_ranking, render_ranking_comparison
from sameas.show.table import STYLES
from saying import codes, has, raises, raises_problems

METRICS = ["accuracy", "f", "mrr", "map_ref", "cer", "accuracy@2", "accuracy@3"]


def test_a_single_reference() -> None:
    references = {"one": ["abcd"], "two": ["abcd"], "three": ["abcd"], "four": ["abcd"]}
    candidates = {"one": ["abcd", "x"], "two": ["abc", "x", "abcd"], "three": ["axcdd", "x"]}
    scores = rank_scores(references, candidates)
    assert scores.accuracy == 1 / 4
    assert scores.accuracy_at(2) == 1 / 4 and scores.accuracy_at(3) == 2 / 4
    assert scores.accuracy_at(20) == 2 / 4
    assert scores.mrr == pytest.approx((1 + 1 / 3) / 4)
    assert scores.map_ref == scores.accuracy
    # In common: abcd of 4 and 4, abc of 3 and 4, acd of 5 and 4, nothing.
    assert scores.f == pytest.approx((1 + 6 / 7 + 6 / 9) / 4)
    assert scores.cer == (0 + 1 + 2 + 4) / 16
    assert scores.notes == (Note("candidateless", count=1, total=4),)
    assert [one.source for one in scores.wrong] == ["two", "three", "four"]
    assert [one.rank for one in scores.wrong] == [3, None, None]


def test_several_references() -> None:
    references = {"x": ["ab", "cd", "ef"]}
    for ranked, average in (
        (["ab", "cd", "ef"], 1.0),
        (["ab", "cd"], (1 + 1 + 2 / 3) / 3),
        (["zz", "cd", "ab"], (0 + 1 / 2 + 2 / 3) / 3),
        (["zz", "yy", "xx", "ab"], 0.0),
        ([], 0.0),
    ):
        assert rank_scores(references, {"x": ranked}).map_ref == pytest.approx(average)
    # The reference with the highest reciprocal rank counts, whatever its position among them.
    assert rank_scores(references, {"x": ["zz", "ef", "ab"]}).mrr == 1 / 2


def test_f_is_that_of_the_reference_with_the_fewest_insertions_and_deletions() -> None:
    # Distance 4 with 2/6 in common, and distance 5 with 8/13: the former is closer.
    for both in (["ax", "abcdefghi"], ["abcdefghi", "ax"]):
        assert rank_scores({"x": both}, {"x": ["abcd"]}).f == pytest.approx(2 / 6)
    # At equal distance, the longer one counts, in any order.
    for both in (["abc", "abcxyzabc"], ["abcxyzabc", "abc"]):
        scores = rank_scores({"x": both}, {"x": ["abcxyz"]})
        assert scores.f == pytest.approx(12 / 15) and scores.cer == pytest.approx(3 / 9)


def test_letters_are_grapheme_clusters() -> None:
    assert rank_scores({"x": ["हिन्दी"]}, {"x": ["हि"]}).cer == 1 / 2
    assert rank_scores({"x": ["Zoe\u0308"]}, {"x": ["zo\u00eb"]}).accuracy == 1
    assert rank_scores({"x": ["Zoe"]}, {"x": ["zoe"]}, case="keep").accuracy == 0
    assert rank_scores({"X": ["a"]}, {"x": ["a"]}).accuracy == 1
    with raises_problems("no-shared-candidates", count=1):
        rank_scores({"X": ["a"]}, {"x": ["a"]}, case="keep")


def test_irregularities_are_counted() -> None:
    references = [("al", "a"), ("Al", "b"), ("al", "a"), ("bo", "c")]
    candidates = {
        "al": [("x", 0.1), ("x", 0.05), ("a", 0.5)],
        "AL": [("b", 1.0)],
        "zoe": [("z", 1.0)],
        "bo": [(str(number), 1.0 - number) for number in range(4)],
    }
    scores = rank_scores(references, candidates, most=3)
    assert all(note.count == 1 for note in scores.notes)
    assert codes(scores.notes) == [
        *("strangers", "capitals", "second-lists", "cut", "candidates-again"),
        *("references-again", "unsorted"),
    ]
    assert has(scores.notes[3], "cut", most=3) and has(scores.notes[6], "unsorted", how="order")
    assert scores.names == ("al", "bo") and scores.references == (("a", "b"), ("c",))
    assert scores.candidates == (("x", "a"), ("0", "1", "2"))
    assert scores.mrr == 1 / 4
    odd = Note("further-columns", count=1)
    lists = NameLists({"al": ("a",)}, "file.tsv", notes=(odd,))
    noted = rank_scores(lists, lists)
    sides = ("references", "candidates")
    assert noted.notes == tuple(Note("note-of", note=odd, how=side) for side in sides)
    assert noted.name == "file.tsv"


def test_a_list_is_truncated_after_duplicates_are_removed() -> None:
    assert rank_scores({"x": ["a"]}, {"x": ["b", "b", "a"]}, most=2).mrr == 1 / 2
    assert rank_scores({"x": ["a"]}, {"x": ["b", "c", "a"]}, most=2).mrr == 0
    assert rank_scores({"x": ["a"]}, {"x": "a"}).mrr == 1  # one candidate, not its letters
    assert rank_scores({"x": "abc"}, {"x": ["abc"]}).accuracy == 1
    assert rank_scores({"x": ["a"]}, {}).mrr == 0
    assert rank_scores({"x": ["a"]}, {"x": [""]}).cer == 1


def test_case_is_folded_as_everywhere() -> None:
    letters = [chr(code) for code in range(0x20, 0x3000)] + ["ΣΑΣ", "İ", "e\u0308", "Zoe\u0308Σ"]
    assert all(same_names._folded(one) == fold(one) for one in letters)
    assert all(same_names._folded("a" + one + "b") == fold("a" + one + "b") for one in letters)


def levenshtein(one: str, two: str) -> int:
    table = [[i + j if not i * j else 0 for j in range(len(two) + 1)] for i in range(len(one) + 1)]
    for i, j in product(range(1, len(one) + 1), range(1, len(two) + 1)):
        table[i][j] = min(
            table[i - 1][j] + 1,
            table[i][j - 1] + 1,
            table[i - 1][j - 1] + (one[i - 1] != two[j - 1]),
        )
    return table[-1][-1]


def common(one: str, two: str) -> int:
    if not one or not two:
        return 0
    if one[0] == two[0]:
        return 1 + common(one[1:], two[1:])
    return max(common(one[1:], two), common(one, two[1:]))


def test_distances_against_their_definitions() -> None:
    texts = ["".join(letters) for n in range(5) for letters in product("ab", repeat=n)]
    texts += ["abcab", "bcabca", "cccabc", "xaybzc", "abcxyz"]
    for one, two in product(texts, texts):
        assert ranking_metrics._compared(one, two) == (common(one, two), levenshtein(one, two))
    long = "ab" * 700
    assert ranking_metrics._compared(long, long[1:] + "c") == (1399, 2)


def enumerated(
    references: list[str], ranked: list[tuple[str, float]], most: int, metric: str
) -> tuple[float, float]:
    """Return sums over all orders of tied candidates: numerators and denominators, both means."""
    above, below = [], []
    for order in permutations(ranked):
        if any(one[1] < two[1] for one, two in pairwise(order)):
            continue
        scores = rank_scores({"x": references}, {"x": [text for text, _ in order]}, most=most)
        place, other = scores._columns_of(metric)
        above.append(scores.rows[0, place])
        below.append(scores.rows[0, other])
    return math.fsum(above) / len(above), math.fsum(below) / len(below)


@pytest.mark.long
@pytest.mark.parametrize("most", [2, 3, 5, 20])
@pytest.mark.parametrize(
    "ties", [[1, 1, 1, 1, 1], [3, 2, 2, 2, 1], [3, 3, 2, 2, 2], [5, 4, 3, 2, 1], [2, 1, 1, 1, 1]]
)
def test_ties_are_the_mean_over_all_orders(ties: list[int], most: int) -> None:
    texts = ["abc", "abd", "xbcd", "y", "bcd"]
    for right in (["abc"], ["y"], ["abd", "bcd"], ["xbcd", "y", "abc"], ["zz"], texts):
        ranked = [(text, float(tie)) for text, tie in zip(texts, ties, strict=True)]
        for given in (ranked, ranked[::-1]):
            found = rank_scores({"x": right}, {"x": given}, most=most, ties="expected")
            for metric in METRICS[: 6 if most == 2 else None]:
                above, below = enumerated(right, ranked, most, metric)
                assert found[metric] == pytest.approx(above / below), metric


def test_ties_without_ties_are_the_order() -> None:
    references = {"x": ["b"], "y": ["a", "c"]}
    candidates = {name: [(text, -ord(text)) for text in "abcd"] for name in references}
    order, expected = (
        rank_scores(references, candidates, ties=how) for how in ("order", "expected")
    )
    assert np.array_equal(order.rows, expected.rows)
    many = {"x": [(str(number), 0.0) for number in range(1000)]}
    tied = rank_scores({"x": ["7", "77"]}, many, ties="expected")
    assert tied.accuracy == pytest.approx(2 / 1000)
    assert tied.accuracy_at(20) == pytest.approx(1 - (980 * 979) / (1000 * 999))
    assert has(tied.notes[-1], "tied", count=1)


def test_variants_are_the_same_letter() -> None:
    references = {"brighton": ["布赖顿"], "x": ["甲乙"]}
    candidates = {"brighton": ["布莱顿", "布赖顿", "布来登"], "x": ["乙乙"]}
    plain = rank_scores(references, candidates)
    assert plain.accuracy == 0 and plain.mrr == 1 / 4
    for groups in (["莱赖"], [{"莱", "赖"}], [("莱", "来"), ("来", "赖")], CHINESE_VARIANTS):
        scores = rank_scores(references, candidates, variants=groups)
        assert scores.accuracy == 1 / 2 and scores.cer == 1 / 5
        assert scores.candidates[0] == ("布莱顿", "布来登")
        assert "candidates-again" in codes(scores.notes)
    told = [rank_scores(references, candidates, variants=groups).variants
            for groups in (None, ["莱赖"], [{"赖", "莱"}], ["莱来"])]  # fmt: skip
    assert told[0] == "none" and told[1] == told[2] != told[3]
    # Two references that are variants of each other count as one.
    both = rank_scores({"x": ["莱", "赖"]}, {"x": ["赖"]}, variants=["莱赖"])
    assert both.map_ref == 1
    assert rank_scores({"x": ["A"]}, {"x": ["b"]}, variants=["aB"]).accuracy == 1


def test_chinese_variants_have_a_reading_in_common() -> None:
    pypinyin = pytest.importorskip("pypinyin")
    letters = "".join(CHINESE_VARIANTS)
    assert len(letters) == len(set(letters))
    for group in CHINESE_VARIANTS:
        assert len(group) > 1
        readings = [
            set(pypinyin.pinyin(letter, style=pypinyin.Style.NORMAL, heteronym=True)[0])
            for letter in group
        ]
        assert set.intersection(*readings), group


@pytest.mark.parametrize(
    ("arguments", "options", "code", "values"),
    [
        (({"x": ["a"]}, {"x": ["a"]}), {"most": 0}, "not-a-number", {"name": "most"}),
        (({"x": ["a"]}, {"x": ["a"]}), {"most": True}, "not-a-number", {"name": "most"}),
        (({"x": ["a"]}, {"x": ["a"]}), {"ties": "random"}, "unknown", {"what": "ties"}),
        (({"x": ["a"]}, {"x": ["a"]}), {"case": "folded"}, "unknown", {"near": "fold"}),
        (({"x": ["a"]}, {"x": ["a"]}), {"ties": "expected"}, "ties-need-scores", {"source": "x"}),
        (({"x": ["a"]}, {"x": ["a"]}), {"variants": "莱赖"}, "variants-not-groups", {}),
        (({"x": ["a"]}, {"x": ["a"]}), {"variants": [["ab", "c"]]}, "variant-not-letter", {}),
        (({"x": ["a"]}, {"x": [("a", math.nan)]}), {}, "not-candidates", {"how": "one"}),
        (({"x": ["a"]}, {"x": [("a",)]}), {}, "not-candidates", {"how": "one"}),
        (({"x": ["a"]}, {"x": [3]}), {}, "not-candidates", {"how": "one"}),
        (({"x": ["a"]}, {"x": ["a", ("b", 1)]}), {}, "not-candidates", {"how": "mixed"}),
        (({"x": ["a"]}, {3: ["a"]}), {}, "not-a-name", {"value": 3}),
        (({"x": ["a"]}, [("x", "a")]), {}, "wrong-type", {"what": "candidates"}),
        (("file.tsv", {"x": ["a"]}), {}, "references-not-read", {}),
        (({"x": []}, {"x": ["a"]}), {}, "not-a-reference", {}),
        (({"x": [" "]}, {"x": ["a"]}), {}, "empty-reference", {"source": "x"}),
        ((["ab"], {"x": ["a"]}), {}, "not-a-reference", {"value": "ab"}),
        (([3], {"x": ["a"]}), {}, "not-a-reference", {"value": 3}),
        (({"x": 3}, {"x": ["a"]}), {}, "not-a-reference", {"value": ("x", 3)}),
        (({"x": ["a"]}, {"x": None}), {}, "not-candidates", {"how": "list", "value": None}),
    ],
)
def test_wrong_arguments(arguments: Any, options: Any, code: str, values: Any) -> None:
    with raises(code, **values):
        rank_scores(*arguments, **options)


def test_no_references() -> None:
    with raises_problems("no-references"):
        rank_scores({}, {"x": ["a"]})


def test_unknown_metrics() -> None:
    scores = rank_scores({"x": ["a"]}, {"x": ["a"]}, most=5)
    assert scores.metrics == ["accuracy", "f", "mrr", "map_ref", "accuracy@5", "cer"]
    for metric, code in (
        ("mr", "unknown"),
        ("accuracy@0", "unknown"),
        ("accuracy@6", "too-deep"),
        ("accuracy@99999999999", "too-deep"),
    ):
        with raises(code):
            scores[metric]
    with raises("unknown", what="metric", value="acc"):
        scores.interval("acc")


def some(number: int, right: int) -> RankingScores:
    names = {f"n{place}": [f"a{place}"] for place in range(number)}
    ranked = {name: [one[0] if place < right else "b", *one]
              for place, (name, one) in enumerate(names.items())}  # fmt: skip
    return rank_scores(names, ranked, name=f"{right} right")


def test_intervals() -> None:
    scores = some(200, 120)
    low, high = scores.interval("accuracy", seed=0) or (0, 0)
    error = math.sqrt(0.6 * 0.4 / 200)
    assert low == pytest.approx(0.6 - 1.96 * error, abs=0.01)
    assert high == pytest.approx(0.6 + 1.96 * error, abs=0.01)
    assert scores.interval("accuracy", seed=0) == scores.interval("accuracy", seed=0)
    assert some(1, 1).interval("mrr") is None
    assert some(1, 1).intervals(Resampling()) == dict.fromkeys(some(1, 1).metrics)


def test_comparisons() -> None:
    base, new = some(100, 50), some(100, 70)
    found = compare_rankings({"base": base, "new": new}, samples=2000)
    difference = found["new", "base"]["accuracy"]
    assert difference.value == pytest.approx(0.2) and difference.p is not None
    assert (difference.wins, difference.ties, difference.losses) == (20, 80, 0)
    assert difference.p < 0.001 and difference.interval and difference.interval.low > 0.1
    errors = found["new", "base"]["cer"]
    assert errors.value < 0 and (errors.wins, errors.losses) == (20, 0)
    assert found["new", "base"]["accuracy@20"].value == 0
    assert found.intervals["new"]["accuracy"] == new.interval("accuracy", samples=2000)
    # Lists of different lengths have different columns, but are still compared.
    names = {f"n{place}": [f"a{place}"] for place in range(100)}
    short = rank_scores(names, {name: ["b"] for name in names})
    gap = compare_rankings({"base": base, "short": short}, metrics=["accuracy@5", "mrr"])
    assert gap["short", "base"]["accuracy@5"].value == -1
    for test in ("bootstrap", "randomisation"):
        again = compare_rankings(
            {"base": base, "new": new}, samples=2000, test=test, interval="bca"
        )
        assert (again["new", "base"]["accuracy"].p or 1) < 0.001
    three = compare_rankings({"a": base, "b": new, "c": short}, pairs="all", samples=200)
    assert three.pairs == [("b", "a"), ("c", "a"), ("c", "b")]


def test_comparisons_on_the_common_names() -> None:
    one = rank_scores({"a": ["x"], "b": ["y"], "c": ["z"]}, {"a": ["x"]})
    two = rank_scores({"c": ["z"], "b": ["y"]}, {"b": ["y"]})
    found = compare_rankings({"one": one, "two": two}, metrics=["mrr"], samples=100)
    assert found["two", "one"]["mrr"].value == 1 / 2
    assert found.systems["two"].names == ("b", "c")
    assert found.notes[0] == Note("not-shared", count=1, total=3, system="one", how="names")
    lone = compare_rankings({"one": one.select([0]), "two": one.select([0])})
    assert lone["two", "one"]["mrr"].p is None
    assert lone.notes == (Note("one-name"), Note("alike", new="two", base="one", how="names"))
    for systems, code in (
        ({"one": one}, "too-few-systems"),
        ({"one": one, "two": rank_scores({"a": ["x"]}, {"a": ["x"]}, most=5)}, "scored-otherwise"),
        ([one, two], "wrong-type"),
    ):
        with raises(code):
            compare_rankings(systems)  # type: ignore[arg-type]
    for references, code in (({"z": ["a"]}, "no-shared-name"), ({"a": ["q"]}, "references-differ")):
        other = rank_scores(references, {name: ["w"] for name in references})
        with raises_problems(code):
            compare_rankings({"one": one, "two": other})
    with raises("pair-not-compared"):
        found["one", "two"]


def test_scores_can_be_pickled_and_copied() -> None:
    scores = some(30, 10)
    for again in (pickle.loads(pickle.dumps(scores)), copy.deepcopy(scores)):
        assert str(again) == str(scores) and again.wrong == scores.wrong
    assert repr(scores) == "<RankingScores 10 right: ACC 0.333, MRR 0.667, 30 names>"


def write(folder: Path, text: str | bytes) -> Path:
    path = folder / "names.tsv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize(
    ("text", "line", "column", "code"),
    [
        ("bob\t鲍勃\nbob\n", 2, 1, "no-tab"),
        ("bob\t鲍勃\n\t博布\n", 2, 1, "empty-name"),
        ("bob\t鲍勃\nbob\t \n", 2, 5, "empty-candidate"),
        ("bob\t鲍勃\t0.5\nbob\t博布\thalf\n", 2, 8, "candidate-score"),
        ("bob\t鲍勃\tnan\nbob\t博布\n", 1, 8, "candidate-score"),
        ("bob\t鲍勃\t0.5\nbob\t博布\n", 2, 1, "scores-mixed"),
        ("bob\t鲍勃\nbob\t博布\t1\n", 2, 8, "scores-mixed"),
        ("bob\t鲍勃\nbob\t鲍".encode() + b"\xff\n", 2, 6, "names-not-utf-8"),
        ("# nothing\n", 0, 0, "no-candidates"),
    ],
)
def test_bad_candidate_files(
    tmp_path: Path, text: str | bytes, line: int, column: int, code: str
) -> None:
    path = write(tmp_path, text)
    with raises_problems(code, path=str(path), line=line, column=column):
        read_candidates(path)
    if line:
        read = read_candidates(path, skip_bad=True)
        assert list(read) == ["bob"] and len(read["bob"]) == 1
        assert codes(read.notes) == ["bad-lines"] and len(read.skipped) == 1


def test_files_are_read(tmp_path: Path) -> None:
    path = write(tmp_path, "# ours\nbob\t鲍勃\t0.5\tgood\r\nal\t阿尔\t1e-3\nbob\t博布\t-inf\n\n")
    read = read_candidates(path)
    assert dict(read) == {"bob": (("鲍勃", 0.5), ("博布", -math.inf)), "al": (("阿尔", 0.001),)}
    assert read.notes == (Note("further-columns", count=1, how="three"),)
    assert repr(read) == f"<NameLists {path}: 2 names>"
    path = write(tmp_path, "bob\t鲍勃\nal\t阿尔\nbob\t博布\n")
    assert dict(read_references(path)) == {"bob": ("鲍勃", "博布"), "al": ("阿尔",)}
    scores = rank_scores(read_references(path), read)
    assert scores.accuracy == 1 and scores.name == read.name
    with pytest.raises(InputError):
        read_references(tmp_path / "absent.tsv")
    with raises_problems("no-tab", line=1, column=1):
        read_references(write(tmp_path, "bob 鲍勃\n"))


def test_every_style() -> None:
    one, two = some(30, 10), some(30, 20)
    resampling = Resampling(samples=200)
    comparison = compare_rankings({"one": one, "two": two, "three": one}, samples=200)
    for style in STYLES:
        for shown in (
            render_ranking([one], style, wrong=3),
            render_ranking([one, two], style, resampling=resampling, wrong=50),
            render_ranking([one], style, resampling=resampling),
            render_ranking([some(1, 1)], style, resampling=resampling),
            render_ranking_comparison(comparison, style),
        ):
            assert "ranking|" in shown
            if style == "text":
                assert max(map(text_width, shown.splitlines())) <= 80
    with pytest.raises(UsageError):
        render_ranking([one], "pdf")
    record = json.loads(render_ranking([one], "json", wrong=1, resampling=resampling))
    assert record["metrics"]["accuracy"] == one.accuracy and len(record["wrong"]) == 20
    assert record["intervals"]["mrr"] == list(one.interval("mrr", samples=200) or ())
    assert "seed:1|names:30" in record["signature"]
    record = json.loads(render_ranking_comparison(comparison, "json"))
    assert record["pairs"][0]["metrics"]["accuracy"]["difference"] == pytest.approx(1 / 3)
    lines = render_ranking([one, two], "csv").splitlines()
    assert lines[0] == "system,names,metric,value,signature" and len(lines) == 1 + 2 * 8
    assert str(one) == render_ranking([one])
    assert str(comparison) == render_ranking_comparison(comparison)


def test_long_names_are_truncated_in_tables() -> None:
    name, letters = "x" * 200, "名" * 120
    scores = rank_scores({name: [letters, letters + "二"]}, {name: ["字" * 90]}, name=name)
    shown = render_ranking([scores, scores], wrong=2)
    assert max(map(text_width, shown.splitlines())) <= 80 and "…" in shown


def test_a_right_candidate_beyond_the_cutoff_adds_no_column() -> None:
    given = {"x": [("C", 0.5), ("CC", 0.0), ("CCC", 0.5)]}
    found = rank_scores({"x": ["CC"]}, given, ties="expected", most=1)
    assert found.columns[-1] == "accuracy@1"
    assert (found.accuracy, found.mrr) == (0.0, 0.0)
