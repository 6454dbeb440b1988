"""Settings of confidence intervals and significance tests; `sameas.settings` exports them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal, Self, TypedDict, Unpack

from sameas.declaring import check, chosen, option

__all__ = ["Comparing", "ComparingOptions", "Resampling", "ResamplingOptions"]

IntervalKind = Literal["percentile", "bca"]
Test = Literal["studentised", "randomisation", "bootstrap"]
SystemPairs = Literal["first", "all"]
Correction = Literal["holm", "none"]


class ResamplingOptions(TypedDict, total=False):
    """The keywords of functions that compute intervals: the fields of `Resampling`."""

    interval: IntervalKind | None
    confidence: float | None
    samples: int | None
    seed: int | None


class ComparingOptions(ResamplingOptions, total=False):
    """The keywords of functions that compare: the fields of `Comparing`."""

    test: Test | None
    pairs: SystemPairs | None
    correction: Correction | None


@dataclass(frozen=True)
class Resampling:
    """How to compute confidence intervals with the bootstrap over documents (percentile or BCa).

    Parameters
    ----------
    interval
        `percentile`, or `bca` (bias-corrected and accelerated; Efron 1987).
    confidence
        Confidence level in percent, at least 50 and below 100.
    samples
        Number of bootstrap samples, from 100 to 10,000,000.
    seed
        Random seed; the same seed gives the same intervals on every machine.

    Examples
    --------
    >>> Resampling(seed=0)
    Resampling(interval='percentile', confidence=95, samples=10000, seed=0)
    >>> Resampling(confidence=0.95)
    Traceback (most recent call last):
    ...
    sameas.errors.UsageError: confidence must be a percentage of at least 50 and below 100, not 0.95
    """

    interval: IntervalKind = option(
        "percentile", "kind of interval", IntervalKind, flag="method", rare=True
    )
    confidence: float = option(
        95, "confidence level of intervals", (50.0, 100.0), metavar="PERCENT", rare=True
    )
    samples: int = option(10_000, "number of samples", (100, 10**7), rare=True)
    seed: int = option(
        1,
        "random seed; the same seed gives the same results on every machine",
        (0, 10**18),
        rare=True,
    )

    def __post_init__(self) -> None:
        check(self)

    @classmethod
    def of(cls, **options: Unpack[ComparingOptions]) -> Self:
        """Return the settings that the options specify.

        Parameters
        ----------
        options
            Values of fields; None stands for the default.

        Returns
        -------
        Resampling
            An instance of the class that this method was called on.

        Examples
        --------
        >>> Resampling.of(seed=0, samples=None).seed
        0
        """
        return cls(**chosen(options, cls))

    @property
    def percentage(self) -> str:
        """The confidence level without a trailing `.0`.

        >>> Resampling(confidence=95.0).percentage, Resampling(confidence=99.99999).percentage
        ('95', '99.99999')
        """
        return str(self.confidence).removesuffix(".0")

    def alone(self) -> Resampling:
        """Return the settings of the intervals only, without those of a comparison.

        Returns
        -------
        Resampling
            The fields that `Resampling` declares.

        Examples
        --------
        >>> Comparing(seed=3).alone()
        Resampling(interval='percentile', confidence=95, samples=10000, seed=3)
        """
        return Resampling(self.interval, self.confidence, self.samples, self.seed)

    def __str__(self) -> str:
        """Return the settings as they appear in a signature."""
        values = {**asdict(self), "confidence": self.percentage}
        return "|".join(f"{name}:{value}" for name, value in values.items())


@dataclass(frozen=True)
class Comparing(Resampling):
    """How to compare systems: the pairs, the significance test, and the correction of p-values.

    Parameters
    ----------
    interval, confidence, samples, seed
        How to compute intervals, as in `Resampling`.
    test
        `studentised` and `randomisation` swap documents between two systems; `bootstrap` draws
        documents with replacement.
    pairs
        `first` compares every system with the first one, `all` compares every pair of systems.
    correction
        `holm` corrects p-values for the number of pairs, `none` leaves them unchanged.

    Examples
    --------
    >>> str(Comparing(samples=1000))
    'interval:percentile|confidence:95|samples:1000|seed:1|test:studentised|pairs:first|correction:holm'
    """

    test: Test = option(
        "studentised",
        "permutation test of differences divided by their standard errors (studentised) or of "
        "plain differences (randomisation), or a bootstrap test",
        Test,
        rare=True,
    )
    pairs: SystemPairs = option(
        "first", "compare every system with the first, or all pairs", SystemPairs
    )
    correction: Correction = option(
        "holm", "correction of p-values for the number of pairs", Correction, rare=True
    )
