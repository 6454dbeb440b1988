"""Scores of label arrays, in the manner of `sklearn.metrics`, without needing scikit-learn.

Item number i has the label `labels_true[i]` in the key and `labels_pred[i]` in the response; items
of one label are one entity. Unlike scikit-learn's metrics of clusterings these know items that one
side lacks (`absent`) and documents (`documents`).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from sameas.coref.document import Corpus, Document, Ints, Origin, WrittenText
from sameas.coref.pairing import pair_documents
from sameas.coref.scoring import score_pairing
from sameas.coref.statistics import choose_metrics
from sameas.errors import UsageError, counted
from sameas.notes import Note, note_sample, warn_of_sample
from sameas.result import Result
from sameas.signature import Settings

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
#: What pandas writes for a value that is not there; pandas itself is not needed to know them.
NOTHING = ("NAType", "NaTType", "NoneType")


def score_labels(
    labels_true: Any,
    labels_pred: Any,
    *,
    documents: Any = None,
    absent: Hashable = None,
    metrics: str | Sequence[str] | None = None,
    singletons: str | None = None,
    blanc: str | None = None,
    average: str | None = None,
) -> Result:
    """Score a clustering given as labels, one for each item, against the true labels.

    Labels are whole numbers, strings or other hashables, in a list, an array or a pandas Series.
    `documents` says to which document each item belongs: an entity is then a label within one
    document. `absent` is the label of items that a side does not have, such as the -1 that HDBSCAN
    writes for noise; without it every label is an entity, -1 too. The other settings are those of
    `sameas.score`.

    >>> result = score_labels([0, 0, 1, 1, 1], ["a", "a", "a", "b", "b"])
    >>> result["muc"].counts, result["b3"].recall
    ((2, 3, 2, 3), 0.7333333333333333)
    >>> score_labels([0, 0, 1], [7, 7, -1], absent=-1)["mention"].counts
    (2, 3, 2, 2)
    """
    settings = Settings.of(singletons=singletons, blanc=blanc, average=average)
    chosen = choose_metrics(metrics)
    sides = [_codes(labels_true, "labels_true", absent), _codes(labels_pred, "labels_pred", absent)]
    homes = None if documents is None else _codes(documents, "documents")
    for name, other in (("labels_pred", sides[1]), ("documents", homes)):
        if other is not None and len(other[0]) != len(sides[0][0]):
            raise UsageError(
                f"labels_true has {counted(len(sides[0][0]), 'label')} and {name} "
                f"{len(other[0]):,}: one for each item is wanted"
            )
    key, response = (Corpus(_documents(codes, homes)) for codes, _ in sides)
    result = score_pairing(pair_documents(key, response), settings, chosen)
    notes: list[str] = [
        Note("unlabelled", side, missing, done=f"{absent!r:.60}")
        for side, (codes, _) in zip(("key", "response"), sides, strict=True)
        if (missing := int(np.count_nonzero(codes < 0)))
    ]
    if homes is None:
        ours, theirs = (codes >= 0 for codes, _ in sides)
        lacking = int(np.count_nonzero(theirs & ~ours))
        notes = [*note_sample(lacking, int(np.count_nonzero(theirs))), *notes]
    warn_of_sample(notes)
    return replace(result, notes=[*notes, *result.notes])


def _codes(labels: Any, name: str, absent: Hashable = None) -> tuple[Ints, list[Any]]:
    """Numbers for the labels in the order in which they first come, -1 for `absent`; the labels.

    The numbers do not depend on what the labels are called, and so no digit of a score does.
    """
    values = _array(labels, name)
    hint = "; give items that are not there a label of their own and name it: absent=…"
    hint = "" if name == "documents" else hint
    if values.dtype.kind in "biufmM":
        found, first, inverse = np.unique(values, return_index=True, return_inverse=True)
        order = np.argsort(first)
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        kinds: list[Any] = found[order].tolist()
        codes: Ints = rank[inverse.reshape(-1)]
    else:
        numbers: dict[Any, int] = {}
        try:
            codes = np.array(
                [numbers.setdefault(value, len(numbers)) for value in values.tolist()],
                dtype=np.int64,
            )
        except TypeError as error:
            raise UsageError(f"{name} holds a label that is not hashable: {error}") from None
        kinds = list(numbers)
    for number, kind in enumerate(kinds):
        if type(kind).__name__ in NOTHING or kind != kind:  # as NaN of any type
            place = int(np.argmax(codes == number))
            raise UsageError(f"{name}[{place}] is {kind!r}, which is no label" + hint)
    try:
        hash(absent)
    except TypeError:
        message = f"absent is one label, not {absent!r:.60}: give other items that label, too"
        raise UsageError(message) from None
    if absent is not None and absent in kinds:
        gone = kinds.index(absent)
        codes = np.where(codes == gone, -1, codes - (codes > gone))
        del kinds[gone]
    return codes, kinds


def _array(labels: Any, name: str) -> Values:
    """The labels as an array of one dimension in which different labels stay different."""
    if np.ma.isMaskedArray(labels):
        raise UsageError(f"{name} has a mask; give masked items a label of their own: absent=…")
    if isinstance(labels, Sequence) and not isinstance(labels, (str, bytes)):
        types = set(map(type, labels))
        # numpy would make one type of them all: 1 and "1" the same, and 2**63 a rounded float; and
        # of texts it drops what they end in, if that is NUL.
        if len(types) > 1 or not types <= _NUMBERS:
            return _objects(labels)
        if types == {int} and np.asarray(labels).dtype.kind == "f":
            return _objects(labels)
    try:
        values = np.asarray(labels)
    except (TypeError, ValueError, RuntimeError) as error:
        raise UsageError(f"{name} must be an array of labels: {error}") from None
    if values.ndim != 1:
        shape = " × ".join(map(str, values.shape)) or "a single value"
        raise UsageError(f"{name} must have one dimension, one label for each item, not {shape}")
    return values


def _objects(labels: Sequence[Any]) -> Values:
    """The labels as Python's own objects; tensors of one number are that number."""
    values = np.empty(len(labels), dtype=object)
    if set(map(type, labels)) == {str}:
        values[:] = list(labels)
        return values
    for number, label in enumerate(labels):
        values[number] = label.tolist() if hasattr(label, "tolist") else label
    return values


_NUMBERS = frozenset({bool, int, float, np.bool_, np.int32, np.int64, np.float32, np.float64})


def _documents(codes: Ints, homes: tuple[Ints, list[Any]] | None) -> list[Document]:
    """The documents of one side: item number i is the mention of token i."""
    if homes is None:
        return [_document("document", np.flatnonzero(codes >= 0), codes[codes >= 0], unnamed=True)]
    home, names = homes
    shown = [str(name) for name in names]
    if len(set(shown)) < len(shown):
        raise UsageError("two documents have names that are written alike, such as 1 and '1'")
    order = np.argsort(home, kind="stable")
    starts = np.searchsorted(home[order], np.arange(len(names) + 1))
    labels, found = codes[order], []
    for number, name in enumerate(shown):
        here = labels[starts[number] : starts[number + 1]]
        present = np.flatnonzero(here >= 0)
        found.append(_document(name, present, _in_order(here[present])))
    return found


def _in_order(codes: Ints) -> Ints:
    """The codes numbered from 0 on, in the order in which they first come."""
    first, inverse = np.unique(codes, return_index=True, return_inverse=True)[1:]
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse.reshape(-1)]


def _document(name: str, place: Ints, entity: Ints, *, unnamed: bool = False) -> Document:
    ids = [str(number) for number in range(int(entity.max(initial=-1)) + 1)]
    origin = Origin(unnamed=unnamed)
    return Document.from_columns(name, place, place, entity, ids, text=WrittenText(), origin=origin)


def _value(metric: str, labels_true: Any, labels_pred: Any, options: dict[str, Any]) -> float:
    return score_labels(labels_true, labels_pred, metrics=[metric], **options)[metric].value


def muc_score(labels_true: Any, labels_pred: Any, **options: Any) -> float:
    """MUC F1 of a clustering; the options of this and the next are those of `score_labels`.

    >>> muc_score([0, 0, 1, 1, 1], [0, 0, 0, 1, 1])
    0.6666666666666666
    """
    return _value("muc", labels_true, labels_pred, options)


def b3_score(labels_true: Any, labels_pred: Any, **options: Any) -> float:
    """B³ F1 of a clustering.

    >>> b3_score([0, 0, 1, 1, 1], [0, 0, 0, 1, 1])
    0.7333333333333333
    """
    return _value("b3", labels_true, labels_pred, options)


def b3_precision_recall_fscore(
    labels_true: Any, labels_pred: Any, **options: Any
) -> tuple[float, float, float]:
    """Precision, recall and F1 of B³ (in this order, as scikit-learn has them).

    >>> b3_precision_recall_fscore([0, 0, 0, 1], [0, 0, 1, 1])
    (0.75, 0.6666666666666666, 0.7058823529411765)
    """
    found = score_labels(labels_true, labels_pred, metrics=["b3"], **options)["b3"]
    return found.precision or 0.0, found.recall or 0.0, found.value


def ceafm_score(labels_true: Any, labels_pred: Any, **options: Any) -> float:
    """CEAFm F1 of a clustering: the share of items that the best one-to-one assignment keeps.

    >>> ceafm_score([0, 0, 1, 1, 1], [0, 0, 0, 1, 1])
    0.8
    """
    return _value("ceafm", labels_true, labels_pred, options)


def ceafe_score(labels_true: Any, labels_pred: Any, **options: Any) -> float:
    """CEAFe F1 of a clustering.

    >>> ceafe_score([0, 0, 1, 1, 1], [0, 0, 0, 1, 1])
    0.8
    """
    return _value("ceafe", labels_true, labels_pred, options)


def blanc_score(labels_true: Any, labels_pred: Any, **options: Any) -> float:
    """BLANC of a clustering.

    >>> blanc_score([0, 0, 1, 1, 1], [0, 0, 0, 1, 1])
    0.5833333333333333
    """
    return _value("blanc", labels_true, labels_pred, options)


def lea_score(labels_true: Any, labels_pred: Any, **options: Any) -> float:
    """LEA F1 of a clustering.

    >>> lea_score([0, 0, 1, 1, 1], [0, 0, 0, 1, 1])
    0.6
    """
    return _value("lea", labels_true, labels_pred, options)


def conll_score(labels_true: Any, labels_pred: Any, **options: Any) -> float:
    """The CoNLL average of a clustering: the mean F1 of MUC, B³ and CEAFe.

    >>> conll_score([0, 0, 1, 1, 1], [0, 0, 0, 1, 1])
    0.7333333333333334
    """
    return _value("conll", labels_true, labels_pred, options)


def pairwise_score(labels_true: Any, labels_pred: Any, **options: Any) -> float:
    """F1 of the pairs of items that share a label.

    >>> pairwise_score([0, 0, 1, 1, 1], [0, 0, 0, 1, 1])
    0.5
    """
    return _value("pairwise", labels_true, labels_pred, options)
