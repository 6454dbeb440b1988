"""CONE: predictions of the full score from a few annotated documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import sameas
from brute import brute
from brute_cone import named_only
from sameas import Document, Entity
from sameas.arithmetic.scores import Rates
from sameas.chance.prediction import predict
from sameas.chance.resampling import Additive, exactly_additive
from sameas.notes import Note
from saying import codes, raises, raises_problems
from unit.cone.texts import NAME_WORDS, is_name, made_corpus, names_of, spans, text_document


def hand_made(rows: Sequence[Sequence[float]]) -> Additive:
    """Return the counts of B³, one row per document."""
    counts = np.array(rows, dtype=np.float64)

    def value(*columns: Any) -> Any:
        return Rates.of(*columns).value

    def rates(sums: Any) -> dict[str, Rates]:
        return {"b3": Rates.of(*sums.T)}

    return Additive(
        exactly_additive(counts), rates, {"b3": range(4)}, {"b3": value}, {"b3": value(*counts.T)}
    )


def b3_row(key: Sequence[Any], response: Sequence[Any]) -> list[float]:
    return [float(count) for count in brute([(key, response)])["b3"]]


@pytest.mark.parametrize("target", ["corpus", "population"])
def test_the_prediction_equals_that_of_rows_made_by_hand(target: str) -> None:
    """Brute force for the full score, and for CONE against names with equal words."""
    key, systems = made_corpus(5, 20)
    response = systems["two"]
    annotated = [0, 2, 3, 5, 6, 8, 11, 13, 14, 17, 19]
    full = hand_made([b3_row(spans(key[n]), spans(response[n])) for n in annotated])
    proxy = []
    for text, theirs in zip(key, response, strict=True):
        named = is_name(text)
        equal: dict[str, list[Any]] = {}
        for place, word in enumerate(text.tokens):
            if word in NAME_WORDS:
                equal.setdefault(word, []).append((place, place))
        proxy.append(b3_row(list(equal.values()), named_only(spans(theirs), named)))
    expected = predict(full, hand_made(proxy), annotated, ["b3"], target=target, confidence=90)
    gold = [key[n] for n in annotated]
    found = sameas.without_gold.predict_score(
        gold,
        key,
        response,
        names=names_of,
        matcher="exact",
        metrics=["b3"],
        target=target,
        confidence=90,
    )
    for part, one in expected["b3"].items():
        other = found.predictions["b3"][part]
        for ours, theirs in ((one.sample, other.sample), (one.predicted, other.predicted)):
            assert other.weight == pytest.approx(one.weight, abs=1e-9)
            assert theirs.value == pytest.approx(ours.value, abs=1e-9)
            assert tuple(theirs.interval) == pytest.approx(tuple(ours.interval), abs=1e-9)
        assert (other.proxy, other.proxy_sample) == pytest.approx((one.proxy, one.proxy_sample))
    assert found["b3"] == found.predictions["b3"]["f1"]
    assert Note("predicted-from", count=11, total=20) in found.notes
    assert f"target:{target}" in found.signature and "annotated:11" in found.signature
    assert "b3" in found.as_dict()["metrics"] and str(found)


def test_gold_in_another_order() -> None:
    key, systems = made_corpus(6)
    gold = key[:12]
    options = {"names": names_of, "matcher": "exact", "metrics": ["b3"]}
    one = sameas.without_gold.predict_score(gold, key, systems["one"], **options)
    other = sameas.without_gold.predict_score(gold[::-1], key, systems["one"][::-1], **options)
    assert other["b3"].predicted.value == pytest.approx(one["b3"].predicted.value, abs=1e-12)


def test_all_documents_annotated_give_the_score() -> None:
    key, systems = made_corpus(7, 4)
    found = sameas.without_gold.predict_score(
        key, key, systems["one"], names=names_of, matcher="exact"
    )
    score = sameas.score(key, systems["one"])
    for metric in score.metrics:
        one = found[metric].predicted
        assert one.error == 0 and one.interval.low == one.value == one.interval.high
        assert one.value == pytest.approx(score[metric].value, rel=1e-14)
    assert not {"predicted-from", "predicted-not-drawn"} & {*codes(found.notes)}


def test_gold_documents_that_the_text_lacks() -> None:
    key, systems = made_corpus(8)
    stray = [*key[:11], text_document("Ann", [[(0, 0)]], "stray")]
    with raises_problems("gold-not-in-text", document="stray"):
        sameas.without_gold.predict_score(stray, key, systems["one"], names=names_of)


def test_too_few_documents() -> None:
    key, systems = made_corpus(9)
    with raises("too-few-annotated", count=9):
        sameas.without_gold.predict_score(key[:9], key, systems["one"], names=names_of)


def test_documents_that_were_not_drawn_at_random() -> None:
    """Only documents in which the response has all names right are annotated."""
    key, systems = made_corpus(10, 60)
    response = [*key[:12], *systems["two"][12:]]
    found = sameas.without_gold.predict_score(
        key[:12], key, response, names=names_of, matcher="exact", metrics=["b3"]
    )
    assert "predicted-not-drawn" in codes(found.notes)


def test_a_constant_cone_score_has_no_weight() -> None:
    """If CONE is 1 in all documents, it has no weight."""
    key, systems = made_corpus(11)
    response = [
        Document(t.name, [Entity(e.id, e.mentions) for e in d.entities], text=t.text)
        for t, d in zip(key, systems["one"], strict=True)
    ]
    found = sameas.without_gold.predict_score(
        key[:12], key, response, names=lambda s: [], matcher="exact", metrics=["b3"]
    )
    assert found["b3"].weight == 0
    assert Note("predicted-useless", metrics=("B³",)) in found.notes
