"""PyTorch: a metric for torchmetrics whose whole state is one integer tensor.

The statistics of documents add up, and integers add without rounding. So the scores equal those of
the whole corpus to the last bit, no matter how the documents are divided among processes.
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
    response (`preds`) and of the key (`target`), in this order, like all metrics of torchmetrics.
    Mentions are spans (tuples, lists or tensors of integers) or strings.

    Parameters
    ----------
    metrics
        Names of metrics, as in `sameas.score`.
    ignore_index
        The padding value: with -1, spans (-1, -1) are skipped; without it they are rejected.
    **options
        `singletons`, `duplicates` and `blanc`, as in `sameas.score`; others are passed to
        `torchmetrics.Metric`.

    Examples
    --------
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
        # The name of the state contains the settings, so that a collection of metrics does not
        # merge two whose first batches gave the same numbers, and a saved state is not loaded into
        # a metric with other settings.
        names, settings = self._scorer.metrics, self._scorer.settings
        counts = (names, settings, *(() if ignore_index is None else (ignore_index,)))
        self._sums = f"sums_{crc32(repr(counts).encode()):08x}"
        torch = import_module("torch")
        zeros = torch.zeros(width(names), dtype=torch.int64)
        self.add_state(self._sums, default=zeros, dist_reduce_fx="sum")

    def update(self, preds: Any, target: Any) -> None:
        """Add one document, or a batch: lists of documents in the same order.

        Parameters
        ----------
        preds
            The clusters of the response.
        target
            The clusters of the key.
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
        """Add a batch and return only its scores; if it is rejected, the state is unchanged.

        Parameters
        ----------
        *arguments, **named
            Those of `update`.

        Returns
        -------
        dict
            A tensor for each score of the batch.

        Examples
        --------
        >>> metric = Coreference(metrics=["muc"])  # doctest: +SKIP
        >>> metric.forward([[(0, 1), (4, 4)]], [[(0, 1), (4, 4)]])["muc_f1"]  # doctest: +SKIP
        tensor(1., dtype=torch.float64)
        """
        before = dict(self.__dict__)
        try:
            return super().forward(*arguments, **named)
        except Exception:
            self.__dict__.update(before)
            raise

    def compute(self) -> dict[str, Any]:
        """Return recall, precision and F1 of every metric, over all documents of all processes.

        Returns
        -------
        dict
            A tensor for each score, under names such as `conll_f1` and `muc_recall`.
        """
        torch = import_module("torch")
        sums = getattr(self, self._sums)
        scores = decode(sums.cpu().numpy(), self._scorer.metrics, self._scorer.settings)
        kind = torch.float32 if sums.device.type == "mps" else torch.float64  # mps has no float64
        return {
            name: torch.tensor(value, dtype=kind, device=sums.device)
            for name, value in flat_scores(scores).items()
        }

    def set_dtype(self, dst_type: Any) -> Coreference:
        """Return the metric unchanged: floats would round the sums of its state.

        Parameters
        ----------
        dst_type
            A type of tensors, which is ignored.

        Returns
        -------
        Coreference
            The metric.

        Examples
        --------
        >>> metric = Coreference()  # doctest: +SKIP
        >>> metric.set_dtype("float16") is metric  # doctest: +SKIP
        True
        """
        return self


def _documents(preds: Any, target: Any) -> tuple[list[str], list[tuple[Any, Any]]]:
    """Return each document's position, as written in messages, and its response and key."""
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
    if not kinds:  # all are empty
        return [], []
    many, others = len(sides["preds"]), len(sides["target"])
    if many != others:
        raise UsageError("unequal-batch", preds=many, target=others)
    documents = list(zip(sides["preds"], sides["target"], strict=True))
    return [f"[{number}]" for number in range(len(documents))], documents


def _plain(side: Any, name: str) -> list[list[Any]]:
    """Return a list of lists: the clusters of a document, or the documents of a batch."""
    try:
        return [list(_listed(part)) for part in _listed(side)]
    except TypeError:
        raise UsageError("not-clusters", name=name, value=side) from None


def _listed(value: Any) -> Any:
    if isinstance(value, str):
        raise TypeError
    return plain(value)


def _kind(value: Any, place: str) -> str:
    """Return `mention` (of a document), `cluster` (of a batch), or an empty string if unknown."""
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
