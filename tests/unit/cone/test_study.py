"""CONE: studies of correlations and rankings."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import sameas
from brute import brute, scores
from brute_cone import kendall, with_a_name
from sameas import Document, Mention
from sameas.chance.resampling import draws, interval
from sameas.errors import UsageError
from sameas.examples import SPANISH, example_path
from sameas.notes import Note
from sameas.show.cone import study_notes
from sameas.tables.correlation import Coefficient
from sameas.without_gold.remarks import disagreement
from saying import has, raises, says
from unit.cone.texts import QUICK, codes_of, is_name, made_corpus, names_of, spans, text_document


def test_study_with_an_estimated_key() -> None:
    """Names are scored against the estimate, whole entities against the key."""
    key, systems = made_corpus(1)
    found = sameas.without_gold.cone_study(
        key, systems, names=names_of, matcher="exact", metrics=["b3", "lea"], resampling=QUICK
    )
    for system, response in systems.items():
        part = sameas.cone(key, response, names=names_of, matcher="exact", metrics=["b3", "lea"])
        whole = sameas.cone(key, response, mentions="entities", match="head", metrics=["b3", "lea"])
        for result, prefix in ((whole, ""), (part, "cone_")):
            rows = found.table.by("system")[system].columns
            for metric in ("b3", "lea"):
                expected = [100 * one[metric].f1 for one in result.documents]
                assert np.allclose(rows[f"{prefix}{metric}"], expected, atol=1e-9)
        assert found.cone[system]["b3"].counts == part["b3"].counts
    assert found.settings.matcher == "exact" and "matcher:exact" in found.signature


def test_study_pools_and_ranks() -> None:
    key, systems = made_corpus(2)
    systems["three"] = key
    found = sameas.without_gold.cone_study(key, systems, names=names_of, resampling=QUICK)
    assert list(found.correlations) == ["one", "two", "three", ""]
    assert found.correlations[""][0].rows == sum(found.correlations[s][0].rows for s in systems)
    for metric in ("b3", "ceafm"):
        sides = [[r[metric].f1 for r in results.values()] for results in (found.whole, found.cone)]
        assert found.agreement(metric) == kendall(*sides)
    one = sameas.without_gold.cone_study(
        key, {"one": systems["one"]}, names=names_of, resampling=QUICK
    )
    assert one.agreement("b3") is None
    shown = str(found)
    assert found.signature.split("|")[0] in shown and "Kendall's τ" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_study_that_disagrees() -> None:
    """One system finds pronouns, the other names; each is better at one of them."""
    names = {("n", number) for number in range(4)}
    key, pronouns, namer = ([], [], [])  # type: ignore[var-annotated]
    for number in range(4):
        whole = [("n", 0), ("n", 1), *(("p", p) for p in range(4 + number))]
        key.append(Document.from_clusters(f"d{number}", [whole]))
        pronouns.append(Document.from_clusters(f"d{number}", [whole[1:]]))
        namer.append(Document.from_clusters(f"d{number}", [whole[:2]]))
    found = sameas.without_gold.cone_study(
        key, {"pronouns": pronouns, "names": namer}, names=names, least=1, resampling=QUICK
    )
    assert found.agreement("b3") == -1.0
    order = {"metric": "B³", "pairs": 1, "better": "pronouns", "worse": "names", "how": "entities"}
    told = says("study-order", count=2, total=1, tau="−1.00 [−1.00, −1.00]", **order)
    assert told in " ".join(str(found).split())


def test_study_against_all_mentions() -> None:
    """With the same systems, names and documents, the whole score is that of `score`."""
    key, systems = made_corpus(5)
    options: dict[str, Any] = {"names": names_of, "metrics": "b3,conll", "resampling": QUICK}
    entities = sameas.without_gold.cone_study(key, systems, **options)
    found = sameas.without_gold.cone_study(key, systems, against="all", **options)
    assert found.table.labels == entities.table.labels
    assert "|against:all|" in found.signature and "|against:entities|" in entities.signature
    for system, response in systems.items():
        full = sameas.score(key, response, metrics="b3,conll")
        assert found.whole[system] == full and found.cone[system] == entities.cone[system]
        rows = found.table.by("system")[system]
        scores = {one.name: one for one in full.documents}
        for metric in ("b3", "conll"):
            expected = [100 * scores[name][metric].f1 for name in rows.labels["document"]]
            assert np.allclose(rows.columns[metric], expected, atol=1e-9)


def test_within_systems_ignores_differences_between_them() -> None:
    """One system is far better, and nothing else is correlated."""
    table = sameas.tables.ScoreTable(
        {"system": list("aabb"), "document": list("xyxy")},
        {"whole": np.array([10.0, 20, 80, 90]), "cone": np.array([20.0, 10, 90, 80])},
    )
    (pooled,) = sameas.correlate(table, resampling=QUICK)
    (within,) = sameas.correlate(table, within="system", resampling=QUICK)
    assert pooled.pearson.value is not None and pooled.pearson.value > 0.9
    assert within.pearson.value == -1.0
    flat = replace(table, columns={**table.columns, "cone": np.array([0.1, 0.1, 0.7, 0.7])})
    (none,) = sameas.correlate(flat, within="system", resampling=QUICK)
    assert none.pearson == Coefficient(None, None)
    with pytest.raises(UsageError, match="genre"):
        sameas.correlate(table, within="genre")


def test_rounding_is_not_variation_within_systems() -> None:
    """The mean of three times 0.1 is not 0.1."""
    table = sameas.tables.ScoreTable(
        {"system": list("aaabbb")},
        {"whole": np.array([10.0, 20, 40, 80, 90, 70]), "cone": np.repeat([0.1, 0.7], 3)},
    )
    (found,) = sameas.correlate(table, within="system", resampling=QUICK)
    assert found.pearson == Coefficient(None, None)


@pytest.mark.parametrize("how", ["percentile", "bca"])
def test_the_interval_within_systems_recomputes_means(how: str) -> None:
    """As if every sample of documents were written out and centred separately."""
    generator = np.random.default_rng(1)
    systems, documents = 3, 12
    whole = generator.normal(size=(systems, documents)) + np.arange(systems)[:, None]
    cone = whole / 2 + generator.normal(size=(systems, documents))
    table = sameas.tables.ScoreTable(
        {
            "system": [str(s) for s in range(systems) for _ in range(documents)],
            "document": [str(d) for _ in range(systems) for d in range(documents)],
        },
        {"whole": whole.ravel(), "cone": cone.ravel()},
    )
    resampling = sameas.settings.Resampling(interval=how, samples=300)
    (found,) = sameas.correlate(table, within="system", resampling=resampling)

    def r(drawn: Sequence[int]) -> float:
        x, y = (side[:, drawn] - side[:, drawn].mean(axis=1)[:, None] for side in (whole, cone))
        return float((x * y).sum() / np.sqrt((x * x).sum() * (y * y).sum()))

    counts = np.vstack(list(draws(documents, 300, resampling.seed))).astype(int)
    samples = np.array([r(np.repeat(np.arange(documents), row).tolist()) for row in counts])
    left = [r([d for d in range(documents) if d != out]) for out in range(documents)]
    jackknife = np.array(left) if how == "bca" else None
    value = r(list(range(documents)))
    assert found.pearson.interval is not None and found.drawn == documents
    assert np.isclose(found.pearson.value, value)  # type: ignore[arg-type]
    assert np.allclose(found.pearson.interval, interval(samples, value, jackknife), atol=1e-9)


def test_the_interval_of_the_order_of_systems() -> None:
    """Write out and score every sample of documents separately."""
    key, systems = made_corpus(6, 8)
    systems["three"] = key
    resampling = sameas.settings.Resampling(samples=100)
    found = sameas.without_gold.cone_study(key, systems, names=names_of, resampling=resampling)
    counts = np.vstack(list(draws(len(key), 100, resampling.seed))).astype(int)
    names = found.whole["one"].in_order().statistics.documents
    taus = []
    for row in counts:
        drawn = np.repeat(np.arange(len(names)), row).tolist()
        sides = [
            [result.in_order().select(drawn)["b3"].f1 for result in results.values()]
            for results in (found.whole, found.cone)
        ]
        taus.append(kendall(*sides) or 0.0)
    expected = interval(np.array(taus), found.agreement("b3") or 0.0)
    assert np.allclose(found.agreement_interval("b3") or (), expected)
    one = sameas.without_gold.cone_study(key, {"one": key}, names=names_of, resampling=QUICK)
    assert one.agreement_interval("b3") is None and not one.within


def test_tied_systems_have_no_order() -> None:
    key, systems = made_corpus(6)
    level = {"one": systems["one"], "again": systems["one"]}
    found = sameas.without_gold.cone_study(key, level, names=names_of, resampling=QUICK)
    assert found.agreement("b3") is None and found.agreement_interval("b3") is None
    assert "τ" not in str(found)


def test_a_study_is_pickled_after_it_was_shown() -> None:
    key, systems = made_corpus(6)
    found = sameas.without_gold.cone_study(key, systems, names=names_of, resampling=QUICK)
    shown = str(found)
    assert str(pickle.loads(pickle.dumps(found))) == shown


def test_the_key_itself_under_an_estimated_key() -> None:
    key, systems = made_corpus(7)
    found = sameas.without_gold.cone_study(
        key, systems, names=names_of, matcher="exact", resampling=QUICK
    )
    assert found.ceiling is not None
    own = sameas.cone(key, key, names=names_of, matcher="exact", metrics=["b3", "ceafm"])
    assert found.ceiling == own
    assert (
        sameas.without_gold.cone_study(key, systems, names=names_of, resampling=QUICK).ceiling
        is None
    )


def test_a_system_above_the_key_itself() -> None:
    """The estimate and the system join two people with the same name; the key does not."""
    text = "Ann met Ann . Ann met Ann ."
    spans = [(0, 0), (2, 2), (4, 4), (6, 6)]
    key = [text_document(text, [spans[::2], spans[1::2]], f"d{n}") for n in range(4)]
    joined = [text_document(text, [spans], f"d{n}") for n in range(4)]
    options: dict[str, Any] = {"names": names_of, "matcher": "exact", "resampling": QUICK}
    found = sameas.without_gold.cone_study(key, {"joins": joined, "right": key}, **options)
    assert found.cone["joins"]["b3"].f1 == 1.0 and found.ceiling is not None
    assert found.ceiling["b3"].f1 == found.cone["right"]["b3"].f1 < 1
    notes = study_notes(found)
    assert says("gold-ceiling", scores={"B³": 200 / 3, "CEAFm": 50.0}, how="text") in notes
    assert says("above-gold", systems=("joins (B³, CEAFm)",), count=1) in notes
    alone = study_notes(sameas.without_gold.cone_study(key, {"joins": joined}, **options))
    assert says("response-above-gold", metrics="B³, CEAFm") in alone


def test_a_system_needs_its_own_name() -> None:
    for name in ("", "all systems"):
        with raises("study-system-name", name=name):
            sameas.without_gold.cone_study([["A", "B"]], {name: [["A"]]}, names={"A", "B"})


def test_notes_on_an_estimated_key() -> None:
    """A document without mentions is noted once, even if the key has mentions; names are ours."""
    names = [Mention(((place, place),), kind="name") for place in (0, 2)]
    key = [text_document("Ann met Bob .", [[one] for one in names], name) for name in "ab"]
    empty = [key[0], text_document("Ann met Bob .", name="b")]
    for source in ("annotated", names_of):
        notes = sameas.cone(key, empty, names=source, matcher="exact").notes
        assert [n for n in notes if n.code == "silent"] == [Note("silent", count=1, names=["b"])]
        assert any(has(n, "name-errors", count=4, missing=2, how="estimated") for n in notes)


def test_large_numbers_are_readable() -> None:
    text = "Ann saw " * 1200
    mentions = [(place, place) for place in range(0, 2400, 2)]
    key = [text_document(text, [[Mention((one,), kind="name") for one in mentions]])]
    notes = sameas.cone(key, [text_document(text, [[(1, 2), *mentions]])]).notes
    (note,) = (note for note in notes if note.code == "name-sources")
    assert note.values["same"] == 1200 and " 1,200 " in str(note)


def test_guessed_heads_are_counted() -> None:
    """Heads are guessed if mentions match by head and the file has none."""
    key = [text_document("Ann met Bob .", [[(0, 0)], [(2, 2)]])]
    names: dict[str, Any] = {"names": names_of}
    ours, theirs = (Note("guessed-heads", side, 2) for side in ("key", "response"))
    notes = sameas.cone(key, key, match="head", **names).notes
    assert ours in notes and theirs in notes
    assert "guessed-heads" not in codes_of(key, key, **names)
    # The heads of an estimated key are part of the estimate.
    notes = sameas.cone(key, key, matcher="exact", **names).notes
    assert ours not in notes and theirs in notes
    gold, response = map(example_path, SPANISH)
    assert "guessed-heads" not in codes_of(gold, response, match="head")


def test_name_errors() -> None:
    """One name is missing, one is split off, and one is in the wrong entity."""
    names = set("ABCDEF")
    key, response = [list("ABCD1"), list("EF2")], [list("AB12"), ["C"], list("EFxy")]
    result = sameas.cone(key, response, names=names)
    assert sameas.without_gold.name_errors(result) == (6, 1, 1)
    merged = sameas.cone(key, [list("ABCDEF")], names=names)
    assert sameas.without_gold.name_errors(merged) == (6, 0, 2)
    assert Note("name-errors", count=6, missing=1, misgrouped=1, how="key") in result.notes
    assert "name-errors" not in codes_of(key, key, names=names, mentions="unnamed")
    with raises("name-errors-part"):
        sameas.without_gold.name_errors(result.select([0]))
    with raises("wrong-type", what="result"):
        sameas.without_gold.name_errors(3)  # type: ignore[arg-type]
    with raises("name-errors-of", what="coref"):
        sameas.without_gold.name_errors(sameas.score(key, response))
    with raises("name-errors-of", what="cone", mentions="unnamed"):
        sameas.without_gold.name_errors(sameas.cone(key, response, names=names, mentions="unnamed"))


def test_disagreement() -> None:
    assert disagreement({"a": 0.5, "b": 0.6}, {"a": 0.4, "b": 0.5}) == (0, "", "")
    assert disagreement({"a": 0.5, "b": 0.5}, {"a": 0.4, "b": 0.5}) == (0, "", "")
    scores = {"a": 0.5, "b": 0.6, "c": 0.9}, {"a": 0.8, "b": 0.7, "c": 0.1}
    assert disagreement(*scores) == (3, "c", "a")


@pytest.mark.parametrize(
    ("options", "code", "values"),
    [
        ({"level": "mention"}, "unknown", {"what": "level"}),
        ({"level": "entity", "matcher": "rules"}, "study-entities-estimated", {}),
        ({"level": "entity", "metrics": ["lea"]}, "study-metrics", {"metrics": ["lea"]}),
        ({"against": "every"}, "unknown", {"what": "against"}),
        ({"share_of": "corpus"}, "study-share", {}),
        ({"level": "entity", "share_of": "document"}, "unknown", {"what": "share_of"}),
    ],
)
def test_refused_studies(options: dict[str, Any], code: str, values: dict[str, Any]) -> None:
    key, systems = made_corpus(3, 4)
    with raises(code, **values):
        sameas.without_gold.cone_study(key, systems, names=names_of, resampling=QUICK, **options)
    with raises("study-systems"):
        sameas.without_gold.cone_study(key, {}, names=names_of)


@pytest.mark.parametrize("scope", ["topic", "corpus"])
def test_study_by_topic(scope: str) -> None:
    """Rows are documents, and a score by topic has none."""
    key, systems = made_corpus(4, 4)
    with raises("cone-scope"):
        sameas.without_gold.cone_study(key, systems, names=names_of, scope=scope, resampling=QUICK)


def test_whole_score_of_entities_with_a_name() -> None:
    """`mentions="entities"` by brute force."""
    key, systems = made_corpus(14, 5)
    found = sameas.cone(key, systems["two"], names=names_of, mentions="entities")
    pairs = [
        (with_a_name(spans(k), is_name(k)), with_a_name(spans(r), is_name(k)))
        for k, r in zip(key, systems["two"], strict=True)
    ]
    expected = brute(pairs)
    for metric in ("muc", "b3", "ceafm", "ceafe", "lea"):
        assert found[metric].f1 == pytest.approx(float(scores(expected[metric])[2]), abs=1e-12)
