"""The published record: its correlations, its misprints, and coefficients compared with scipy."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import sameas
from sameas.tables.correlation import kendall, pearson, spearman
from sameas.tables.record import SOURCES, ordered, place
from saying import raises

RECORD = sameas.published()


def test_all_systems_of_both_tasks_are_there() -> None:
    counts = {
        (task, language): len(part)
        for task, of_task in RECORD.by("task").items()
        for language, part in of_task.by("language").items()
    }
    assert counts == {
        ("CoNLL-2011", "English"): 18,
        ("CoNLL-2012", "English"): 15,
        ("CoNLL-2012", "Chinese"): 13,
        ("CoNLL-2012", "Arabic"): 7,
    }
    assert not any(np.isnan(column).any() for column in RECORD.columns.values())
    assert set(SOURCES) == {"pradhan2014", "luo2014"}


@pytest.mark.parametrize(
    ("row", "scores"),
    [  # first, last and some in the middle, from the papers
        ("CoNLL-2011 English lee", (70.7, 59.6, 48.9, 53.0, 46.1, 48.84, 51.5, 50.23, 49.28)),
        ("CoNLL-2011 English irwin", (26.7, 20.0, 11.7, 18.5, 14.7, 6.28, 15.5, 3.62, 28.28)),
        ("CoNLL-2012 English fernandes", (77.7, 70.5, 57.6, 61.4, 53.9, 58.75, 60.7, 54.91, 63.66)),
        ("CoNLL-2012 Chinese zhekova", (47.3, 40.6, 28.1, 31.4, 21.2, 22.89, 30.0, 21.50, 37.18)),
        ("CoNLL-2012 Arabic li", (29.7, 18.1, 13.1, 21.0, 17.3, 8.42, 16.2, 4.60, 56.63)),
    ],
)
def test_rows_as_printed(row: str, scores: tuple[float, ...]) -> None:
    names = [RECORD.name(number) for number in range(len(RECORD))]
    order = ("mention", "muc", "b3", "ceafm", "ceafe", "blanc", "conll")
    columns = [*order, "blanc_recall", "blanc_precision"]
    assert tuple(RECORD.columns[name][names.index(row)] for name in columns) == scores


def test_correlations_of_luo_2014_table_3() -> None:
    found = sameas.correlate(RECORD, columns=["muc", "b3", "ceafm", "ceafe"], against="blanc")
    values = {one.x: round(one.pearson.value or 0, 3) for one in found}
    assert values == {"muc": 0.935, "b3": 0.966, "ceafm": 0.966, "ceafe": 0.919}
    assert all(one.rows == 53 and one.y == "blanc" for one in found)


def test_audit_finds_the_two_misprints_and_no_other() -> None:
    found = [
        (one.row, one.column, one.printed, f"{one.values['mean']:.1f}")
        for one in sameas.tables.audit()
    ]
    assert found == [
        ("CoNLL-2011 English kobdani", "conll", "38.7", "40.8"),
        ("CoNLL-2012 English stamborg", "conll", "54.2", "54.5"),
    ]


def table(**scores: float) -> sameas.tables.ScoreTable:
    columns = {name: np.array([value]) for name, value in scores.items()}
    return sameas.tables.ScoreTable({"system": ["x"]}, columns)


@pytest.mark.parametrize(
    ("scores", "column"),
    [
        ({"mention": 50.0, "b3": 50.2}, "b3"),
        ({"mention": 50.0, "ceafm": 61.0}, "ceafm"),
        ({"mention": 50.0, "lea": 61.0}, "lea"),
        ({"muc": 101.0}, "muc"),
        ({"muc": 50.0, "muc_recall": 40.0, "muc_precision": 50.0}, "muc"),
        ({"blanc": 44.6, "blanc_recall": 40.0, "blanc_precision": 50.0}, "blanc"),
        ({"conll": 50.2, "muc": 50.0, "b3": 50.0, "ceafe": 50.0}, "conll"),
    ],
)
def test_audit_of_impossible_scores(scores: dict[str, float], column: str) -> None:
    assert [one.column for one in sameas.tables.audit(table(**scores))] == [column]


@pytest.mark.parametrize(
    "scores",
    [
        {"mention": 50.0, "b3": 50.1},  # 50.04 and 50.05 round to these
        {"muc": 44.4, "muc_recall": 40.0, "muc_precision": 50.0},
        {"blanc": 44.5, "blanc_recall": 40.0, "blanc_precision": 50.0},
        {"blanc": 10.0, "blanc_recall": 40.0, "blanc_precision": 50.0},
        {"conll": 50.1, "muc": 50.0, "b3": 50.0, "ceafe": 50.0},
        {"muc": 50.0, "rouge": 300.0},
    ],
)
def test_audit_allows_what_rounding_explains(scores: dict[str, float]) -> None:
    assert sameas.tables.audit(table(**scores)) == []


@pytest.mark.long
def test_blanc_is_at_most_the_harmonic_mean_of_its_recall_and_precision() -> None:
    rng = np.random.default_rng(0)
    for _ in range(300):
        key, response = (
            [list(range(12))[start : start + 4] for start in rng.integers(0, 9, size=3)],
            [rng.choice(12, size=rng.integers(1, 6), replace=False).tolist() for _ in range(3)],
        )
        for version in ("luo2014", "gold", "conll-8.01", "corefud-1.2"):
            one = sameas.score(key, response, metrics=["blanc"], blanc=version)["blanc"]
            recall, precision = one.recall or 0, one.precision or 0
            total = recall + precision
            assert one.f1 <= (2 * recall * precision / total if total else 0) + 1e-12


def test_audit_finds_nothing_in_what_sameas_scores() -> None:
    rng = np.random.default_rng(0)
    results = []
    for _ in range(50):
        key, response = (
            [rng.choice(20, size=rng.integers(1, 5), replace=False).tolist() for _ in range(4)]
            for _ in range(2)
        )
        results.append(sameas.score(key, response, duplicates="first"))
    rounded = sameas.tables.scores_of(results)
    columns = {name: np.round(column, 1) for name, column in rounded.columns.items()}
    printed = sameas.tables.ScoreTable(rounded.labels, columns)
    assert sameas.tables.audit(printed) == []


def test_place_and_order() -> None:
    arabic = RECORD.by("language")["Arabic"]
    placed = place(arabic, "mine", {"conll": 44.0, "muc": 40.0})
    assert placed.labels["system"][1] == "mine"
    assert placed.labels["task"][1] == "CoNLL-2012"
    assert list(placed.columns) == list(arabic.columns)
    assert np.isnan(placed.columns["b3"][1])
    conll = ordered(RECORD, "conll").columns["conll"]
    assert np.all(np.diff(conll) <= 0)
    with raises("not-placeable", by="conll"):
        place(arabic, "mine", {"muc": 40.0})
    with raises("not-percentage", metric="conll", value=0.44):
        place(arabic, "mine", {"conll": 0.44})


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_coefficients_of_scipy(seed: int, ties: bool) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=40)
    y = x + rng.normal(size=40)
    if ties:
        x, y = np.round(x), np.round(y)
    assert pearson(x, y) == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-12)
    assert spearman(x, y) == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)
    assert kendall(x, y) == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)


@pytest.mark.long
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_intervals_of_scipy(method: str) -> None:
    """The ends agree with scipy's bootstrap within a twentieth of the interval's width."""
    how = sameas.settings.Resampling(interval=method, seed=0)
    found = sameas.correlate(RECORD, columns=["muc"], against="blanc", resampling=how)[0]
    x, y = RECORD.columns["muc"], RECORD.columns["blanc"]
    statistics = {
        "pearson": lambda a, b: stats.pearsonr(a, b).statistic,
        "spearman": lambda a, b: stats.spearmanr(a, b).statistic,
        "kendall": lambda a, b: stats.kendalltau(a, b).statistic,
    }
    for name, statistic in statistics.items():
        theirs = stats.bootstrap(
            (x, y), statistic, paired=True, vectorized=False, n_resamples=4000,
            method="percentile" if method == "percentile" else "BCa", rng=np.random.default_rng(1),
        ).confidence_interval  # fmt: skip
        ours = getattr(found, name).interval
        width = theirs.high - theirs.low
        assert ours.low == pytest.approx(theirs.low, abs=0.08 * width)
        assert ours.high == pytest.approx(theirs.high, abs=0.08 * width)


def test_documents_of_several_systems_are_drawn_together() -> None:
    """Three copies of each document contain no more information than one."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 30))
    names = [f"d{number}" for number in range(30)]
    once = sameas.tables.ScoreTable({"document": names}, {"x": x, "y": y})
    thrice = sameas.tables.ScoreTable(
        {"response": list("abc" * 30), "document": np.repeat(names, 3).tolist()},
        {"x": np.repeat(x, 3), "y": np.repeat(y, 3)},
    )
    for method in ("percentile", "bca"):
        how = sameas.settings.Resampling(interval=method, samples=500)
        (one,), (three,) = (sameas.correlate(part, resampling=how) for part in (once, thrice))
        for name in ("pearson", "spearman", "kendall"):
            ends = zip(getattr(one, name).interval, getattr(three, name).interval, strict=True)
            assert all(low == pytest.approx(high) for low, high in ends)


def test_rows_of_a_group_are_drawn_together() -> None:
    """Groups come from a column or from a regular expression on the names, instead of documents."""
    rng = np.random.default_rng(0)
    x, y = np.repeat(rng.normal(size=(2, 30)), 3, axis=1)
    settings = np.repeat([f"s{number}" for number in range(30)], 3).tolist()
    names = [f"{setting}.{seed}" for setting, seed in zip(settings, "012" * 30, strict=True)]
    by_document = sameas.tables.ScoreTable({"document": settings}, {"x": x, "y": y})
    by_column = sameas.tables.ScoreTable({"run": names, "setting": settings}, {"x": x, "y": y})
    by_name = sameas.tables.ScoreTable({"run": names}, {"x": x, "y": y})
    for method in ("percentile", "bca"):
        how = sameas.settings.Resampling(interval=method, samples=500)
        expected = sameas.correlate(by_document, resampling=how)
        assert expected[0].drawn == 30
        assert sameas.correlate(by_column, draw="setting", resampling=how) == expected
        assert sameas.correlate(by_name, draw=r"(.+)\.\d", resampling=how) == expected
    (alone,) = sameas.correlate(by_name, draw=r"(s[1-9].*)\.", resampling=how)
    assert alone.drawn == 29 + 3  # the rows of s0 have no group


def test_rows_without_a_group_are_drawn_with_their_documents() -> None:
    """Three systems on 30 documents: an expression that matches some rows does not split others."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 90))
    documents = np.repeat([f"d{number}" for number in range(30)], 3).tolist()
    # A group with the same name as a document is a different unit.
    expected = ["d1" if name in ("d7", "d8") else f"document {name}" for name in documents]
    columns = {"x": x, "y": y}
    table = sameas.tables.ScoreTable({"response": list("abc" * 30), "document": documents}, columns)
    by_hand = sameas.tables.ScoreTable({"unit": expected}, columns)
    groups = ["d1" if name in ("d7", "d8") else "" for name in documents]
    by_column = sameas.tables.ScoreTable({"document": documents, "genre": groups}, columns)
    for method in ("percentile", "bca"):
        how = sameas.settings.Resampling(interval=method, samples=500)
        found = sameas.correlate(by_hand, draw="unit", resampling=how)
        assert found[0].drawn == 29
        assert sameas.correlate(by_column, draw="genre", resampling=how) == found
        (some,) = sameas.correlate(table, draw=r"(d)[78]$", resampling=how)
        assert some == found[0]


def test_teams_of_the_record_are_drawn_together() -> None:
    for one in sameas.correlate(RECORD, columns=["muc"], against="blanc", draw="system"):
        assert (one.rows, one.drawn) == (53, 30)
        assert [round(end, 3) for end in one.pearson.interval or ()] == [0.852, 0.969]


@pytest.mark.parametrize(
    ("group", "code", "values"),
    [
        ("sistem", "unknown", {"what": "column of words", "near": "system"}),
        ("(lee", "not-a-pattern", {"pattern": "(lee"}),
        ("(?:lee)", "group-no-parentheses", {}),
        ("(nobody)", "group-matches-none", {"name": "CoNLL-2011 English lee"}),
    ],
)
def test_missing_groups(group: str, code: str, values: dict[str, str]) -> None:
    for ask in (RECORD.by, RECORD.groups, lambda draw: sameas.correlate(RECORD, draw=draw)):
        with raises(code, **values):
            ask(group)


@pytest.mark.long
def test_figure_1_is_drawn(tmp_path: Path) -> None:
    from sameas.show.plot import scatter

    found = sameas.correlate(RECORD, columns=["muc", "b3", "ceafm", "ceafe"], against="blanc")
    for kind in ("svg", "png", "pdf"):
        scatter(RECORD, found, str(tmp_path / f"figure.{kind}"), by="language")
        scatter(RECORD, found, str(tmp_path / f"again.{kind}"), by="language")
        first, again = ((tmp_path / f"{name}.{kind}").read_bytes() for name in ("figure", "again"))
        assert first == again and len(first) > 5000
    assert (tmp_path / "figure.svg").read_text().count('id="axes_') == 4


# The official scores by scorer v4, and the reference scorer's for the same outputs


def both_scorers() -> tuple[sameas.tables.ScoreTable, sameas.tables.ScoreTable]:
    official = sameas.published("v4")
    rows = {RECORD.name(row): row for row in range(len(RECORD))}
    return official, RECORD.select([rows[official.name(row)] for row in range(len(official))])


def test_both_scorers_agree_on_mention_detection_and_muc() -> None:
    official, rescored = both_scorers()
    assert len(official) == len({official.name(row) for row in range(len(official))}) == 46
    for name in ("mention", "muc"):
        difference = abs(rescored.columns[name] - official.columns[name])
        assert np.nanmax(difference) < 0.0501  # explained by rounding to one decimal
    for name in ("b3", "conll"):
        assert (rescored.columns[name] < official.columns[name]).all()
    assert (rescored.columns["ceafe"] > official.columns["ceafe"]).sum() == 19


def by_group(scorer: int) -> dict[str, sameas.tables.ScoreTable]:
    return {
        f"{task} {language}": part
        for task, of_task in both_scorers()[scorer].by("task").items()
        for language, part in of_task.by("language").items()
    }


def average(table: sameas.tables.ScoreTable, printed: bool) -> np.ndarray:
    if printed:
        return table.columns["conll"]
    return np.mean([table.columns[name] for name in ("muc", "b3", "ceafe")], axis=0)


@pytest.mark.parametrize("printed", [True, False])
def test_ranks_by_both_scorers(printed: bool) -> None:
    """When recomputed, chunyang keeps its rank; all other changes of rank remain."""
    moved, tau = {}, {}
    for (group, then), now in zip(by_group(0).items(), by_group(1).values(), strict=True):
        old, new = (average(table, printed) for table in (then, now))
        tau[group] = round(float(kendall(old, new)), 3)
        places = [[1 + int((scores > one).sum()) for one in scores] for scores in (old, new)]
        moved |= {
            (group, system): (a, b)
            for system, a, b in zip(then.labels["system"], *places, strict=True)
            if a != b
        }
    assert list(tau.values()) == [0.891, 0.957 if printed else 0.962, 0.974, 1.0]
    assert moved.pop(("CoNLL-2012 English", "chunyang"), None) == ((7, 6) if printed else None)
    assert {system: move for (_, system), move in moved.items()} == {
        "chang": (3, 4), "nugues": (4, 3), "santos": (5, 6), "song": (6, 7), "stoyanov": (7, 5),
        "yuan": (8, 9), "shou": (9, 8), "xinxin": (13, 14), "zhekova": (14, 13),
        "xu": (4, 5), "fernandes": (5, 4),
    }  # fmt: skip


def test_every_official_score_of_2011_has_a_source() -> None:
    page = Path(__file__).parents[2] / "docs" / "published.md"
    listed = re.findall(r"(?m)^\| (\w+) \| .+ \(W1[12]-\d{4}\) \| Table ", page.read_text("utf-8"))
    assert listed == list(by_group(0)["CoNLL-2011 English"].labels["system"])


def test_the_official_scores_have_one_misprint() -> None:
    (finding,) = sameas.tables.audit(scorer="v4")
    assert (finding.row, finding.column) == ("CoNLL-2011 English chang", "conll")
    official = sameas.published("v4")
    assert np.nansum(official.columns["b3"] > official.columns["mention"]) == 22


def test_an_unknown_scorer() -> None:
    with raises("unknown", what="scorer", value="v5"):
        sameas.published("v5")  # type: ignore[arg-type]
    with raises("unknown", what="scorer", value=None):
        sameas.tables.audit(sameas.published(), None)  # type: ignore[arg-type]
