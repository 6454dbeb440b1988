"""Score label arrays with the interface of `sklearn.metrics`; scikit-learn is not required.

Item number i has the label `labels_true[i]` in the key and `labels_pred[i]` in the response; items
with the same label are one entity. Unlike the clustering metrics of scikit-learn, these functions
support items that one side lacks (`absent`) and documents (`documents`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from sameas.arithmetic.arrays import Bools, Ints
from sameas.documents.document import Corpus, Document, Origin
from sameas.errors import UsageError
from sameas.integrations.shared import ClusterOptions, cluster_settings, plain
from sameas.metrics.statistics import choose_metrics
from sameas.notes import SIDES, Note, warn_of_sample
from sameas.results.joining import Seen, notes_of
from sameas.results.result import Result
from sameas.run import Plan, run

__all__ = [
    "b3_precision_recall_fscore",
    "b3_score",
    "blanc_score",
    "ceafe_score",
    "ceafm_score",
    "conll_score",
    "lea_score",
    "muc_score",
    "pairwise_score",
    "score_labels",
]

Values = npt.NDArray[Any]
#: The types of missing values in pandas, by name, so that pandas is not required.
NOTHING = ("NAType", "NaTType", "NoneType")


def score_labels(
    labels_true: Any,
    labels_pred: Any,
    *,
    documents: Any = None,
    absent: Hashable = None,
    metrics: str | Sequence[str] | None = None,
    **settings: Unpack[ClusterOptions],
) -> Result:
    """Score a clustering given as labels, one per item, against the true labels.

    Parameters
    ----------
    labels_true, labels_pred
        The label of each item in key and response; any hashables, in a list, array or Series.
    documents
        The document of each item; an entity is then a label within one document.
    absent
        The label of items that a side lacks (HDBSCAN: -1); without it every label is an entity.
    metrics
        Names of metrics, as in `sameas.score`.
    **settings
        `singletons`, `blanc` and `average`, as in `sameas.score`.

    Returns
    -------
    Result
        The scores.

    Examples
    --------
    >>> result = score_labels([0, 0, 1, 1, 1], ["a", "a", "a", "b", "b"])
    >>> result["muc"].counts, result["b3"].recall
    ((2, 3, 2, 3), 0.7333333333333333)
    >>> score_labels([0, 0, 1], [7, 7, -1], absent=-1)["mention"].counts
    (2, 3, 2, 2)
    """
    how = cluster_settings(settings)
    chosen = choose_metrics(metrics)
    sides = [_codes(labels_true, "labels_true", absent), _codes(labels_pred, "labels_pred", absent)]
    homes = None if documents is None else _codes(documents, "documents")
    for name, other in (("labels_pred", sides[1]), ("documents", homes)):
        if other is not None and len(other[0]) != len(sides[0][0]):
            count = len(sides[0][0])
            raise UsageError("unequal-labels", count=count, name=name, other=len(other[0]))
    key, response = (Corpus(_documents(codes, homes)) for codes, _ in sides)
    (result,) = run(Plan(key=key, responses=[response], settings=how, metrics=chosen))
    notes = [
        Note("unlabelled", side, missing, label=absent)
        for side, (codes, _) in zip(SIDES, sides, strict=True)
        if (missing := int(np.count_nonzero(codes < 0)))
    ]
    of_records = homes is None
    seen = _seen(*(codes >= 0 for codes, _ in sides)) if of_records else result.seen
    notes = notes_of([*notes, *result.notes], len(result), seen, of_records)
    warn_of_sample(notes)
    return replace(result, notes=notes, seen=seen, of_records=of_records)


def _seen(ours: Bools, theirs: Bools) -> Seen:
    """Return the numbers of items with a label in the key, in the response, and in both."""
    key, response, both = map(np.count_nonzero, (ours, theirs, ours & theirs))
    return int(key), int(response), int(both)


def _codes(labels: Any, name: str, absent: Hashable = None) -> tuple[Ints, list[Any]]:
    """Return each item's label as a number, -1 for `absent`, and the label that each number means.

    Labels are numbered in order of first occurrence, so scores do not depend on their names.
    """
    values = _array(labels, name)
    if values.dtype.kind in "biufmM":
        found, first, inverse = np.unique(values, return_index=True, return_inverse=True)
        codes = _in_order(first, inverse)
        kinds: list[Any] = found[np.argsort(first)].tolist()
    else:
        numbers: dict[Any, int] = {}
        try:
            codes = np.array(
                [numbers.setdefault(value, len(numbers)) for value in values.tolist()],
                dtype=np.int64,
            )
        except TypeError as error:
            raise UsageError("not-hashable", name=name, reason=str(error)) from None
        kinds = list(numbers)
    for number, kind in enumerate(kinds):
        if type(kind).__name__ in NOTHING or kind != kind:  # NaN of any type
            place = int(np.argmax(codes == number))
            how = {} if name == "documents" else {"how": "absent"}
            raise UsageError("not-a-label", name=name, place=place, value=kind, **how)
    try:
        hash(absent)
    except TypeError:
        raise UsageError("absent-one", value=absent) from None
    if absent is not None and absent in kinds:
        absent_code = kinds.index(absent)
        codes = np.where(codes == absent_code, -1, codes - (codes > absent_code))
        del kinds[absent_code]
    return codes, kinds


def _array(labels: Any, name: str) -> Values:
    """Return the labels as a one-dimensional array in which different labels stay different."""
    if np.ma.isMaskedArray(labels):
        raise UsageError("masked", name=name)
    if isinstance(labels, Sequence) and not isinstance(labels, (str, bytes)):
        types = set(map(type, labels))
        # numpy would convert all to one type: 1 would equal "1", 2**63 would be rounded, and
        # strings would lose trailing NULs. Tensors with one number are converted to that number.
        rounded = types == {int} and np.asarray(labels).dtype.kind == "f"
        if len(types) > 1 or not types <= _NUMBERS or rounded:
            own = labels if types == {str} else map(plain, labels)
            return np.fromiter(own, dtype=object, count=len(labels))
    try:
        values = np.asarray(labels)
    except (TypeError, ValueError, RuntimeError) as error:
        raise UsageError("not-an-array", name=name, reason=str(error)) from None
    if values.ndim != 1:
        several = {"how": "several", "shape": " × ".join(map(str, values.shape))}
        raise UsageError("not-one-dimension", name=name, **(several if values.ndim else {}))
    return values


_NUMBERS = frozenset({bool, int, float, np.bool_, np.int32, np.int64, np.float32, np.float64})


def _documents(codes: Ints, homes: tuple[Ints, list[Any]] | None) -> list[Document]:
    """Return the documents of one side; item number i is the mention of token i."""
    home, names = (np.zeros_like(codes), ["document"]) if homes is None else homes
    shown = [str(name) for name in names]
    if len(set(shown)) < len(shown):
        raise UsageError("names-alike")
    order = np.argsort(home, kind="stable")
    starts = np.searchsorted(home[order], np.arange(len(names) + 1))
    labels, found, origin = codes[order], [], Origin(unnamed=homes is None)
    for number, name in enumerate(shown):
        here = labels[starts[number] : starts[number + 1]]
        present = np.flatnonzero(here >= 0)
        _, *kinds = np.unique(here[present], return_index=True, return_inverse=True)
        entity = _in_order(*kinds)
        ids = [str(number) for number in range(int(entity.max(initial=-1)) + 1)]
        found.append(
            Document(
                name, first=present, last=present, entity=entity, entity_ids=ids, origin=origin
            )
        )
    return found


def _in_order(first: Ints, inverse: Ints) -> Ints:
    """Renumber, in order of first occurrence, the values that `np.unique` found."""
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse.reshape(-1)]


def b3_precision_recall_fscore(
    labels_true: Any, labels_pred: Any, **options: Any
) -> tuple[float, float, float]:
    """Return precision, recall and F1 of B³, in the order of scikit-learn.

    Parameters
    ----------
    labels_true, labels_pred
        The label of each item in the key and in the response.
    **options
        The options of `score_labels`.

    Returns
    -------
    tuple
        Precision, recall and F1, from 0 to 1.

    Examples
    --------
    >>> b3_precision_recall_fscore([0, 0, 0, 1], [0, 0, 1, 1])
    (0.75, 0.6666666666666666, 0.7058823529411765)
    """
    found = score_labels(labels_true, labels_pred, metrics=["b3"], **options)["b3"]
    return found.precision or 0.0, found.recall or 0.0, found.value


def _score(metric: str, what: str, example: float) -> Callable[..., float]:
    """Return a function for one score; its docstring says what it returns and has an example."""

    def function(labels_true: Any, labels_pred: Any, **options: Any) -> float:
        return score_labels(labels_true, labels_pred, metrics=[metric], **options)[metric].value

    function.__name__ = function.__qualname__ = f"{metric}_score"
    function.__doc__ = f"""Return {what}.

    Parameters
    ----------
    labels_true, labels_pred
        The label of each item in the key and in the response.
    **options
        The options of `score_labels`.

    Returns
    -------
    float
        The score, from 0 to 1.

    Examples
    --------
    >>> {function.__name__}([0, 0, 1, 1, 1], [0, 0, 0, 1, 1])
    {example!r}
    """
    return function


muc_score = _score("muc", "the MUC F1 of a clustering", 0.6666666666666666)
b3_score = _score("b3", "the B³ F1 of a clustering", 0.7333333333333333)
ceafm_score = _score(
    "ceafm", "CEAFm F1: the share of items that the best one-to-one assignment keeps", 0.8
)
ceafe_score = _score("ceafe", "the CEAFe F1 of a clustering", 0.8)
blanc_score = _score("blanc", "the BLANC of a clustering", 0.5833333333333333)
lea_score = _score("lea", "the LEA F1 of a clustering", 0.6)
conll_score = _score("conll", "the CoNLL average: mean F1 of MUC, B³ and CEAFe", 0.7333333333333334)
pairwise_score = _score("pairwise", "the F1 of the pairs of items that share a label", 0.5)
