"""Estimate the score of all documents from some annotated documents and the names in all.

Lin et al. 2010 propose in section 4.1 annotating a small part and reporting two scores: that of the
part, and CONE of everything. Prediction-powered inference combines them into one score with an
interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

from sameas.chance.prediction import Prediction, predict, unlike
from sameas.chance.resampling import Additive
from sameas.documents.document import Corpus
from sameas.errors import Problem, UsageError, refuse_problems
from sameas.matching.pairing import compare_names, name_documents, pair_documents
from sameas.metrics.statistics import METRICS, choose_metrics
from sameas.notes import Note
from sameas.presented import Presented
from sameas.results.result import Result
from sameas.run.inputs import Input, load
from sameas.run.memory import score_pairing
from sameas.settings import Matcher, Options, Settings
from sameas.without_gold.across import AcrossGiven
from sameas.without_gold.named import Names
from sameas.without_gold.remarks import note_ceiling, values_of
from sameas.without_gold.scoring import NamedKey, signature_of

__all__ = ["PredictedScores", "predict_score"]

FAR = 3.0  # a difference, in standard errors, that chance hardly ever exceeds


@dataclass(frozen=True)
class PredictedScores(Presented):
    """The estimated scores of all documents, from annotated documents and from CONE.

    Attributes
    ----------
    predictions
        The predictions, by metric and part (f1, recall, precision).
    annotated
        The full score of the annotated documents.
    cone
        CONE of all documents.
    target, confidence
        The options of `predict_score`.
    ceiling
        The score of the gold standard itself under the estimated key.
    notes
        What to know before believing the predictions.

    Examples
    --------
    >>> from sameas.examples import example_path
    >>> key, response = example_path("key.conll"), example_path("eager.conll")
    >>> found = predict_score(key, key, response, metrics="b3")
    >>> round(found["b3"].predicted.value, 4), found.as_dict()["annotated"]
    (0.827, 4)
    """

    predictions: dict[str, dict[str, Prediction]]
    annotated: Result
    cone: Result
    target: str
    confidence: float
    ceiling: Result
    notes: Sequence[Note] = ()

    @property
    def name(self) -> str:
        """The name of the response."""
        return self.cone.name

    @property
    def signature(self) -> str:
        """All settings that affect the numbers."""
        return signature_of(
            "cone-predicted",
            self.cone,
            f"whole-match:{self.annotated.settings.match}",
            f"target:{self.target}",
            f"confidence:{str(self.confidence).removesuffix('.0')}",
            f"annotated:{len(self.annotated)}",
        )

    def __getitem__(self, metric: str) -> Prediction:
        """Return the prediction of a metric's F1 (or of its only number)."""
        return self.predictions[metric]["f1"]

    def as_dict(self) -> dict[str, Any]:
        """Return the predictions in the form of their JSON output.

        Returns
        -------
        dict
            Signature, response, numbers of documents, ceiling, metrics and notes.
        """
        return {
            "signature": self.signature,
            "response": self.name,
            "documents": len(self.cone),
            "annotated": len(self.annotated),
            "ceiling": values_of(self.ceiling),
            "metrics": {
                metric: {part: _as_dict(one) for part, one in parts.items()}
                for metric, parts in self.predictions.items()
            },
            "notes": list(map(str, self.notes)),
        }


def _as_dict(one: Prediction) -> dict[str, Any]:
    return {
        "predicted": one.predicted.value,
        "interval": one.predicted.interval,
        "annotated": one.sample.value,
        "annotated_interval": one.sample.interval,
        "cone": one.proxy,
        "cone_annotated": one.proxy_sample,
        "lambda": one.weight,
        "width": one.gain,
    }


def predict_score(
    gold: Input,
    text: Input,
    response: Input,
    *,
    names: Names | None = None,
    matcher: Matcher = "rules",
    across: AcrossGiven | None = None,
    metrics: str | Sequence[str] | None = None,
    target: str = "corpus",
    confidence: float = 95,
    format: str | None = None,
    **settings: Unpack[Options],
) -> PredictedScores:
    """Estimate the full score of all documents of a text from the annotated ones.

    Prediction-powered inference combines the scores of the response against `gold` with those of
    its names against an estimated key of the whole text (`cone`, mentions match by head).

    Parameters
    ----------
    gold
        A random sample of the documents of `text`, with all their entities.
    text, response
        The words of all documents, and the response to them.
    names, matcher, across
        As for `cone`; `names` is `rules` by default, and only the words of the text are used.
    metrics, format, **settings
        As for `score`.
    target
        The score to estimate: of this `corpus`, or of the `population` that it is drawn from.
    confidence
        Confidence level of the intervals, in percent (default 95).

    Returns
    -------
    PredictedScores
        The predictions, usually with narrower intervals than those of the gold documents alone.

    Examples
    --------
    >>> from sameas.examples import example_path
    >>> key, response = example_path("key.conll"), example_path("eager.conll")
    >>> predict_score(key, key, response, metrics="b3")["b3"].predicted.error
    0.0
    """
    whole_settings = Settings.of(**settings)
    names_settings: dict[str, Any] = {k: v for k, v in settings.items() if k != "match"}
    everything = load(text, "text", format=format)
    source = "rules" if names is None else names  # only the words of the text are used
    named_key = NamedKey.of(everything, source, across=across, matcher=matcher, **names_settings)
    return predict_response(
        load(gold, "key", format=format),
        named_key,
        load(response, "response", format=format),
        whole_settings,
        choose_metrics(metrics),
        target=target,
        confidence=confidence,
    )


def predict_response(
    gold: Corpus,
    named_key: NamedKey,
    response: Corpus,
    settings: Settings,
    metrics: Sequence[str],
    *,
    name: str = "",
    target: str = "corpus",
    confidence: float = 95,
) -> PredictedScores:
    """Estimate as in `predict_score`, from corpora already read; `named_key` contains the text."""
    if settings.scope != "document":
        raise UsageError("cone-scope")
    name = name or response.path or "response"
    cone = replace(named_key.score(response, metrics), name=name)
    _refuse_other_documents(gold, named_key.key)
    pairing = pair_documents(gold, response, missing=settings.missing_documents)
    # The gold standard is expected to have only some of the documents.
    pairing = replace(pairing, notes=[note for note in pairing.notes if note.code != "extra"])
    full = score_pairing(pairing, settings, metrics, name=name)
    places = {document: number for number, document in enumerate(cone.statistics.documents)}
    unscored = [document for document in full.statistics.documents if document not in places]
    if unscored:
        raise UsageError("gold-not-scored", document=unscored[0])
    annotated = [places[document] for document in full.statistics.documents]
    ceiling = named_key.ceiling(gold, metrics)
    proxy = cone.additive()
    found = predict(
        full.additive(), proxy, annotated, metrics, confidence=confidence, target=target
    )
    of_annotated = [note for note in full.notes if note not in cone.notes]
    of_annotated += full.remarks[len(full.notes) :]  # remarks on averages, which follow the notes
    by_names = {metric: parts["f1"].proxy_sample for metric, parts in found.items()}
    notes = [
        *(Note("predicted-annotated", note=note) for note in of_annotated),
        *cone.notes,
        *note_ceiling(values_of(ceiling), {name: by_names}, "annotated"),
        *_notes(found, proxy, annotated),
    ]
    return PredictedScores(found, full, cone, target, confidence, ceiling, notes)


def _refuse_other_documents(gold: Corpus, text: Corpus) -> None:
    """Reject gold documents that are missing from the text."""
    ours, _ = name_documents(gold)
    texts, _ = name_documents(text)
    _, _, extra = compare_names(texts, ours)
    refuse_problems(
        [
            Problem(
                "gold-again" if again > 1 and (name, 1) in texts else "gold-not-in-text",
                *document.origin.place(gold.path),
                document=document.name,
            )
            for (name, again), document in extra.items()
        ]
    )


def _notes(
    found: dict[str, dict[str, Prediction]], proxy: Additive, annotated: Sequence[int]
) -> list[Note]:
    notes = []
    some = len(annotated) < len(proxy.rows)
    if some:
        notes.append(Note("predicted-from", count=len(annotated), total=len(proxy.rows)))
        far = {metric: abs(unlike(proxy, annotated, metric)) for metric in found}
        worst = max(far, key=far.__getitem__)
        if far[worst] > FAR:
            title = METRICS[worst].title
            notes.append(Note("predicted-not-drawn", metric=title, errors=far[worst]))
    f1 = {METRICS[metric].title: parts["f1"] for metric, parts in found.items()}
    doubtful = {
        "predicted-wider": tuple(title for title, one in f1.items() if one.gain > 1),
        "predicted-useless": tuple(title for title, one in f1.items() if some and not one.weight),
    }
    return notes + [Note(code, metrics=titles) for code, titles in doubtful.items() if titles]
