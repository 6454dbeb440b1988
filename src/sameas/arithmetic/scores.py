"""Recall, precision and F1, with the counts behind them.

The formulas accept numbers and arrays, so they compute one score or thousands at once. Integers
stay integers up to the division, which is correctly rounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

__all__ = ["Counts", "Rates", "Score", "choose", "harmonic", "ratio"]

Counts = tuple[float, float, float, float]
Numbers = Any  # a number, or an array of them


def ratio(numerator: Numbers, denominator: Numbers) -> Numbers:
    """Divide; a zero denominator gives 0, so 0/0 is 0 everywhere.

    >>> import numpy as np
    >>> ratio(1, 4), ratio(0, 0), ratio(np.array([1, 0]), np.array([4, 0])).tolist()
    (0.25, 0.0, [0.25, 0.0])
    """
    if isinstance(denominator, (int, float)) and isinstance(numerator, (int, float)):
        return numerator / denominator if denominator else 0.0
    import numpy as np

    out = np.zeros(np.broadcast_shapes(np.shape(numerator), np.shape(denominator)))
    # Casting is needed for arrays of Python integers, which hold products beyond 64 bits.
    return np.divide(numerator, denominator, out=out, where=denominator != 0, casting="unsafe")


def harmonic(recall: Numbers, precision: Numbers) -> Numbers:
    """Return F1, the harmonic mean 2RP/(R+P); 0 if both are 0.

    >>> harmonic(0.5, 1)
    0.6666666666666666
    """
    return ratio(2 * recall * precision, recall + precision)


def choose(condition: Numbers, one: Numbers, other: Numbers) -> Numbers:
    """Return `one` where the condition holds, else `other`.

    >>> import numpy as np
    >>> choose(True, 1, 2), choose(np.array([True, False]), 1, 2).tolist()
    (1, [1, 2])
    """
    if isinstance(condition, bool):
        return one if condition else other
    import numpy as np

    return np.where(condition, one, other)


@dataclass(frozen=True, slots=True)
class Score:
    """The score of one metric.

    Parameters
    ----------
    value
        The headline number: F1 if the metric has one.
    recall, precision
        None if the metric has only one number.
    counts
        Numerator and denominator of recall, then of precision, or the numbers from which a metric
        such as Rand is computed; None for a macro average.
    coref, noncoref
        The scores of coreference and of non-coreference links, for BLANC.

    Examples
    --------
    >>> Score.of(2, 5, 2, 4)
    Score(value=0.4444444444444444, recall=0.4, precision=0.5, counts=(2, 5, 2, 4))
    >>> Score.of(2, 5, 2, 4).as_dict()
    {'recall': 0.4, 'precision': 0.5, 'f1': 0.4444444444444444, 'counts': [2, 5, 2, 4]}
    """

    value: float
    recall: float | None = None
    precision: float | None = None
    counts: tuple[float, ...] | None = None
    coref: Score | None = None
    noncoref: Score | None = None

    @classmethod
    def of(cls, *counts: float) -> Score:
        """Return recall, precision and F1 from four counts.

        Parameters
        ----------
        counts
            Numerator and denominator of recall, then of precision.

        Returns
        -------
        Score
            The score, with these counts.
        """
        return Rates.of(*counts).score

    @property
    def f1(self) -> float:
        """The F1, or the only number of a metric such as Rand."""
        return self.value

    def as_dict(self) -> dict[str, Any]:
        """Return the score as plain data for JSON.

        Returns
        -------
        dict[str, Any]
            The parts that exist; the headline number is `f1`, or `value` if it is not an F1.
        """
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
        """Return the parts that are not None."""
        shown = [
            f"{name}={getattr(self, name)}"
            for name in ("value", "recall", "precision", "counts", "coref", "noncoref")
            if getattr(self, name) is not None
        ]
        return f"Score({', '.join(shown)})"


class Rates(NamedTuple):
    """Recall, precision and headline number of one score, or of many scores as arrays.

    Resampling scores a corpus thousands of times; the fields are those of `Score`.

    >>> import numpy as np
    >>> Rates.of(*np.array([[2.0, 0.0], [5.0, 0.0], [2.0, 0.0], [4.0, 3.0]])).value.tolist()
    [0.4444444444444444, 0.0]
    """

    recall: Numbers
    precision: Numbers
    value: Numbers
    counts: tuple[Numbers, ...] | None = None
    coref: Rates | None = None
    noncoref: Rates | None = None

    @classmethod
    def of(cls, *counts: Numbers) -> Rates:
        """Return recall, precision and F1 from four counts."""
        found, key, right, response = counts
        recall, precision = ratio(found, key), ratio(right, response)
        once = ratio(2 * found, key + response)  # 2n/(k+r), rounded once
        value = choose(found == right, once, harmonic(recall, precision))
        return cls(recall, precision, value, counts)

    @property
    def score(self) -> Score:
        """These rates as a `Score`, if they are numbers and not arrays."""
        parts = (part and part.score for part in (self.coref, self.noncoref))
        return Score(self.value, self.recall, self.precision, self.counts, *parts)
