"""Recall, precision and F1, with the counts they come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Counts", "Score", "harmonic", "ratio"]

Counts = tuple[float, float, float, float]


def ratio(numerator: float, denominator: float) -> float:
    """Divide; 0/0 is 0, here and everywhere.

    >>> ratio(1, 4), ratio(0, 0)
    (0.25, 0.0)
    """
    return numerator / denominator if denominator else 0.0


def harmonic(recall: float, precision: float) -> float:
    """F1, the harmonic mean 2RP/(R+P); 0 if both are 0.

    >>> harmonic(0.5, 1)
    0.6666666666666666
    """
    return ratio(2 * recall * precision, recall + precision)


@dataclass(frozen=True, slots=True)
class Score:
    """One metric's answer.

    `value` is its headline number: F1 where there is one. `counts` are the numerator and
    denominator of recall, then of precision; a macro average has none. BLANC has parts:
    coreference and non-coreference links.

    >>> Score.of(2, 5, 2, 4)
    Score(value=0.4444444444444444, recall=0.4, precision=0.5, counts=(2, 5, 2, 4))
    """

    value: float
    recall: float | None = None
    precision: float | None = None
    counts: tuple[float, ...] | None = None
    coref: Score | None = None
    noncoref: Score | None = None

    @classmethod
    def of(
        cls,
        recall_numerator: float,
        recall_denominator: float,
        precision_numerator: float,
        precision_denominator: float,
    ) -> Score:
        """Recall, precision and F1 of the four counts."""
        recall = ratio(recall_numerator, recall_denominator)
        precision = ratio(precision_numerator, precision_denominator)
        if recall_numerator == precision_numerator:  # 2n/(k+r), rounded once
            value = ratio(2 * recall_numerator, recall_denominator + precision_denominator)
        else:
            value = harmonic(recall, precision)
        return cls(
            value,
            recall,
            precision,
            (recall_numerator, recall_denominator, precision_numerator, precision_denominator),
        )

    @property
    def f1(self) -> float:
        """The headline number under its usual name."""
        return self.value

    def as_dict(self) -> dict[str, Any]:
        """The score as JSON shows it."""
        shown: dict[str, Any] = {}
        if self.recall is not None:
            shown = {"recall": self.recall, "precision": self.precision}
        single = self.recall is None and self.counts is not None
        shown["value" if single else "f1"] = self.value
        if self.counts:
            shown["counts"] = list(self.counts)
        for name in ("coref", "noncoref"):
            part = getattr(self, name)
            if part is not None:
                shown[name] = part.as_dict()
        return shown

    def __repr__(self) -> str:
        """The parts that are there."""
        shown = [f"value={self.value}"]
        shown += [
            f"{name}={getattr(self, name)}"
            for name in ("recall", "precision", "counts", "coref", "noncoref")
            if getattr(self, name) is not None
        ]
        return f"Score({', '.join(shown)})"
