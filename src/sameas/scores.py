"""Recall, precision and F1, with the counts they come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float64]]

__all__ = ["Counts", "Rates", "Score", "harmonic", "harmonics", "ratio", "ratios"]

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


class Rates(NamedTuple):
    """Recall, precision and headline number of many scores at once, as arrays.

    Resampling scores a corpus thousands of times; each is what `Score` would hold.

    >>> import numpy as np
    >>> Rates.of(*np.array([[2.0, 0.0], [5.0, 0.0], [2.0, 0.0], [4.0, 3.0]])).value.tolist()
    [0.4444444444444444, 0.0]
    """

    recall: Floats | None
    precision: Floats | None
    value: Floats

    @classmethod
    def of(
        cls,
        recall_numerator: Floats,
        recall_denominator: Floats,
        precision_numerator: Floats,
        precision_denominator: Floats,
    ) -> Rates:
        """Recall, precision and F1 of arrays of the four counts, as `Score.of`."""
        import numpy as np

        recall = ratios(recall_numerator, recall_denominator)
        precision = ratios(precision_numerator, precision_denominator)
        shared = ratios(2 * recall_numerator, recall_denominator + precision_denominator)
        same = recall_numerator == precision_numerator
        return cls(recall, precision, np.where(same, shared, harmonics(recall, precision)))


def ratios(numerator: Floats, denominator: Floats) -> Floats:
    """`ratio` of arrays.

    >>> import numpy as np
    >>> ratios(np.array([1.0, 0.0]), np.array([4.0, 0.0])).tolist()
    [0.25, 0.0]
    """
    import numpy as np

    out = np.zeros(np.broadcast_shapes(np.shape(numerator), np.shape(denominator)))
    return np.divide(numerator, denominator, out=out, where=denominator != 0)


def harmonics(recall: Floats, precision: Floats) -> Floats:
    """`harmonic` of arrays.

    >>> import numpy as np
    >>> harmonics(np.array([0.5, 0.0]), np.array([1.0, 0.0])).tolist()
    [0.6666666666666666, 0.0]
    """
    return ratios(2 * recall * precision, recall + precision)
