"""spaCy: score entities that are stored as span groups of a Doc.

Coreference components write the mentions of each entity as `doc.spans["coref_clusters_1"]`,
`doc.spans["coref_clusters_2"]` and so on. Mentions are compared by characters, not by tokens, so
predicted and reference Docs may be tokenised differently.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib import import_module
from itertools import accumulate
from typing import Any, Unpack

from sameas.documents.document import Corpus, Document
from sameas.errors import InputError, Problem, UsageError, require
from sameas.integrations.shared import (
    ClusterOptions,
    cluster_settings,
    flat_scores,
    warn_of_repeats,
)
from sameas.metrics.statistics import choose_metrics
from sameas.run.scoring import score

__all__ = ["make_scorer", "score_clusters"]

PREFIX = "coref_clusters"
PARTS = ("r", "p", "f")  # recall, precision and F1 in spaCy

CharacterSpan = tuple[int, int]


def score_clusters(
    examples: Iterable[Any],
    *,
    prefix: str = PREFIX,
    name: str = "coref",
    metrics: str | Sequence[str] | None = None,
    **settings: Unpack[ClusterOptions],
) -> dict[str, Any]:
    """Score the clusters of `Example` objects, as spaCy's scorers do.

    Entities are the groups `{prefix}_1` and so on of `doc.spans`. White space never counts.

    Parameters
    ----------
    examples
        The `Example` objects, each one document.
    prefix
        What the names of the groups start with.
    name
        What the names of the scores start with.
    metrics
        Names of metrics, as in `sameas.score`.
    **settings
        `singletons`, `duplicates`, `blanc` and `average`, as in `sameas.score`.

    Returns
    -------
    dict
        The scores `coref_muc_r`, `coref_muc_p`, `coref_muc_f`, `coref_conll_f` and so on, which are
        None if no reference has clusters, as usual in spaCy for missing annotation. A further
        value, `coref_unaligned`, is the number of reference mentions that start or end inside a
        token of the predicted Doc, which no component can find.

    Examples
    --------
    >>> list(score_clusters([], metrics=["b3"]))
    ['coref_b3_r', 'coref_b3_p', 'coref_b3_f', 'coref_unaligned']
    """
    chosen = choose_metrics(metrics)
    cluster_settings(settings)
    require(examples, Iterable, "examples", "a list of spaCy's Example objects")
    key, response = [], []
    unaligned = 0
    for number, example in enumerate(examples, start=1):
        if not hasattr(example, "reference") or not hasattr(example, "predicted"):
            raise UsageError("not-an-example", number=number, value=example)
        ours, theirs = example.reference, example.predicted
        offset, other = _offsets(ours, theirs, number)
        clusters = _clusters(ours, prefix, offset, f"example {number}, the reference Doc")
        predicted = _clusters(theirs, prefix, other, f"example {number}, the predicted Doc")
        key.append(Document.from_clusters(str(number), clusters))
        response.append(Document.from_clusters(str(number), predicted))
        unaligned += _count_unaligned(clusters, theirs, other)
    if any(document.mention_count for document in key):
        result = score(Corpus(key), Corpus(response), metrics=chosen, **settings)
        warn_of_repeats(result)
        found: dict[str, Any] = flat_scores(result, PARTS)
    else:
        found = dict.fromkeys(flat_scores(score([], [], metrics=chosen), PARTS))
    return {**{f"{name}_{one}": found[one] for one in found}, f"{name}_unaligned": unaligned}


def make_scorer(
    prefix: str = PREFIX,
    name: str = "coref",
    metrics: str | list[str] | None = None,
    singletons: str | None = None,
    duplicates: str | None = None,
    blanc: str | None = None,
    average: str | None = None,
) -> Callable[..., dict[str, Any]]:
    """Return the scorer of a component; this function is registered as `sameas.clusters.v1`.

    The scorer ignores the arguments that spaCy passes to all scorers, such as thresholds. The
    settings are explicit parameters because spaCy validates configurations against the signature.

    Parameters
    ----------
    prefix, name, metrics, singletons, duplicates, blanc, average
        As in `score_clusters`.

    Returns
    -------
    Callable
        A function that takes `Example` objects and returns scores.

    Examples
    --------
    >>> make_scorer(metrics=["muc"])([])["coref_muc_f"] is None
    True
    """
    options = dict(locals())
    score_clusters([], **options)  # rejects wrong options before a model is trained
    return partial(_score_component, options)


def _score_component(
    options: dict[str, Any], examples: Iterable[Any], **others: Any
) -> dict[str, Any]:
    return score_clusters(examples, **options)


def _clusters(
    doc: Any, prefix: str, offset: Sequence[int], place: str
) -> list[list[CharacterSpan]]:
    """Return the first and last characters of the spans in each group `{prefix}_{number}`.

    White space does not count.
    """
    pattern = re.compile(re.escape(prefix) + r"_\d+")
    found = [
        [(offset[span.start_char], offset[span.end_char] - 1) for span in group]
        for name, group in doc.spans.items()
        if pattern.fullmatch(name) and len(group)
    ]
    if any(first > last for cluster in found for first, last in cluster):
        raise InputError([Problem("only-white-space", place)])
    return found


def _offsets(reference: Any, predicted: Any, number: int) -> tuple[Sequence[int], Sequence[int]]:
    """Return the number of non-space characters before each offset of both Docs.

    Docs created from words alone may differ from the text in white space.
    """
    ours, theirs = reference.text, predicted.text
    if ours != theirs and "".join(ours.split()) != "".join(theirs.split()):
        place = f"example {number}"
        raise InputError([Problem("other-text", place, theirs=theirs, ours=ours)])
    counts = _counts(ours)
    return counts, counts if ours == theirs else _counts(theirs)


def _counts(text: str) -> list[int]:
    return list(accumulate((not character.isspace() for character in text), initial=0))


def _count_unaligned(
    clusters: list[list[CharacterSpan]], predicted: Any, offset: Sequence[int]
) -> int:
    """Count the mentions that start or end inside a token of the predicted Doc."""
    starts = {offset[token.idx] for token in predicted}
    ends = {offset[token.idx + len(token)] - 1 for token in predicted}
    return sum(
        start not in starts or end not in ends for cluster in clusters for start, end in cluster
    )


def _register() -> None:
    """Register the scorer with spaCy, if available; installed packages use an entry point."""
    try:
        registry = import_module("spacy").registry
    except ImportError:
        return
    registry.scorers("sameas.clusters.v1", func=make_scorer)


_register()
