"""PyTorch: a metric for torchmetrics whose whole state is one tensor of whole numbers.

Numbers of documents add, and whole numbers add without rounding: however the documents are divided
among processes, the scores are those of the whole corpus to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any
from zlib import crc32

from sameas.errors import UsageError
from sameas.integrations.shared import (
    cluster_settings,
    flat_scores,
    optional_class,
    plain,
    warn_of_repeats,
)
from sameas.results.totals import decode, encode, width
from sameas.run.online import Scorer
from sameas.settings import Options

__all__ = ["Coreference"]

Metric: Any = optional_class("torchmetrics", "Metric", "torch", "torchmetrics")


class Coreference(Metric):  # type: ignore[misc]
    """Coreference scores of all documents that the processes of a training run have seen.

    `update(preds, target)` takes the clusters of one document, or a list of documents, of the
    response (`preds`) and of the key (`target`), in this order, as all metrics of torchmetrics do.
    Mentions are spans, as tuples, lists or tensors of whole numbers, or strings. Padded tensors
    need `ignore_index`: with -1, spans (-1, -1) are left out; without it they are refused.
    `compute` gives a tensor for each score, by names such as `conll_f1` and `muc_recall`. Metrics
    and the options `singletons`, `duplicates` and `blanc` are as for `sameas.score`; others go to
    `torchmetrics.Metric`.

    >>> metric = Coreference(metrics=["muc", "conll"])  # doctest: +SKIP
    >>> preds, target = [[(0, 1), (4, 4)]], [[(0, 1), (4, 4), (7, 8)]]
    >>> metric.update(preds, target)  # doctest: +SKIP
    >>> metric.compute()["muc_recall"]  # doctest: +SKIP
    tensor(0.5000, dtype=torch.float64)
    """

    full_state_update = False
    higher_is_better = True
    is_differentiable = False

    def __init__(
        self,
        *,
        metrics: str | Sequence[str] | None = None,
        ignore_index: int | None = None,
        **options: Any,
    ) -> None:
        ours = {name: options.pop(name) for name in Options.__annotations__ if name in options}
        average = cluster_settings(ours).average
        if average != "micro":
            raise UsageError("average-needs-documents", average=average)
        super().__init__(**options)
        self._scorer = Scorer(metrics=metrics, ignore_index=ignore_index, **ours)
        # The settings are in the state's name. So a collection of metrics does not take two of them
        # for one because their first batch gave the same numbers, and a saved state is not loaded
        # into a metric that counts otherwise.
        names, settings = self._scorer.metrics, self._scorer.settings
        counts = (names, settings, *(() if ignore_index is None else (ignore_index,)))
        self._sums = f"sums_{crc32(repr(counts).encode()):08x}"
        torch = import_module("torch")
        zeros = torch.zeros(width(names), dtype=torch.int64)
        self.add_state(self._sums, default=zeros, dist_reduce_fx="sum")

    def update(self, preds: Any, target: Any) -> None:
        """Add one document, or a batch: lists of documents in the same order.

        `preds` are the clusters of the response, `target` those of the key.
        """
        self._scorer.reset()
        places, documents = _documents(preds, target)
        for place, (response, key) in zip(places, documents, strict=True):
            self._scorer._add(key, response, None, (f"target{place}", f"preds{place}"))
        result = self._scorer.compute()
        self._scorer.reset()
        warn_of_repeats(result)
        numbers = import_module("torch").from_numpy(encode(result.statistics, result.metrics))
        sums = getattr(self, self._sums)
        setattr(self, self._sums, sums + numbers.to(sums.device))

    def forward(self, *arguments: Any, **named: Any) -> Any:
        """The scores of a batch alone, which is added; if it is refused, nothing is changed."""
        before = dict(self.__dict__)
        try:
            return super().forward(*arguments, **named)
        except Exception:
            self.__dict__.update(before)
            raise

    def compute(self) -> dict[str, Any]:
        """Recall, precision and F1 of every metric, over all documents of all processes."""
        torch = import_module("torch")
        sums = getattr(self, self._sums)
        scores = decode(sums.cpu().numpy(), self._scorer.metrics, self._scorer.settings)
        kind = torch.float32 if sums.device.type == "mps" else torch.float64  # mps has no float64
        return {
            name: torch.tensor(value, dtype=kind, device=sums.device)
            for name, value in flat_scores(scores).items()
        }

    def set_dtype(self, dst_type: Any) -> Coreference:
        """Nothing is changed: the state stays whole numbers, or its sums would be rounded."""
        return self


def _documents(preds: Any, target: Any) -> tuple[list[str], list[tuple[Any, Any]]]:
    """The documents, response and key of each, and how their places on a side are written."""
    sides = {"preds": _plain(preds, "preds"), "target": _plain(target, "target")}
    kinds = {
        _kind(value, f"{name}[{number}]")
        for name, side in sides.items()
        for number, part in enumerate(side)
        for value in part
    } - {""}
    if kinds == {"mention"}:
        return [""], [(sides["preds"], sides["target"])]
    if len(kinds) > 1:
        raise UsageError("mixed-clusters")
    if not kinds:  # nothing in any of them
        return [], []
    many, others = len(sides["preds"]), len(sides["target"])
    if many != others:
        raise UsageError("unequal-batch", preds=many, target=others)
    documents = list(zip(sides["preds"], sides["target"], strict=True))
    return [f"[{number}]" for number in range(len(documents))], documents


def _plain(side: Any, name: str) -> list[list[Any]]:
    """A list of lists: a document's clusters, or a batch's documents."""
    try:
        return [list(_listed(part)) for part in _listed(side)]
    except TypeError:
        raise UsageError("not-clusters", name=name, value=side) from None


def _listed(value: Any) -> Any:
    if isinstance(value, str):
        raise TypeError
    return plain(value)


def _kind(value: Any, place: str) -> str:
    """Whether a part of a part is a mention, of one document, or a cluster, of a batch."""
    value = plain(value)
    if isinstance(value, str):
        return "mention"
    if not isinstance(value, (list, tuple, set, frozenset)):
        raise UsageError("not-a-span", where=place, value=value)
    parts = [plain(part) for part in value]
    if not parts:
        return ""
    if all(type(part) is int for part in parts):
        if len(parts) != 2:
            raise UsageError("not-a-span", where=place, value=value)
        return "mention"
    if isinstance(value, tuple) and all(isinstance(part, str) for part in parts):
        raise UsageError("mention-or-cluster", where=place, value=value)
    for part in parts:
        if not isinstance(part, str) and (
            not isinstance(part, (list, tuple))
            or len(part) != 2
            or any(type(plain(number)) is not int for number in part)
        ):
            raise UsageError("not-a-span", where=place, value=part)
    return "cluster"
