"""The options of transliteration, declared once with their values, defaults and help.

Python functions accept the names of the fields as keywords (the `…Options`). The command line, the
checks and the signatures use the fields.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from numbers import Real
from typing import Any, Literal, TypedDict

from sameas.errors import UsageError, require
from sameas.names.aligning import Case
from sameas.settings import check, option

__all__ = [
    "Case",
    "Higher",
    "Learning",
    "LearningOptions",
    "Model",
    "Ranking",
    "RankingOptions",
    "Smoothing",
    "Ties",
    "Verifying",
    "VerifyingOptions",
    "Writing",
    "check_share",
]

Model = Literal["bigram", "ngram", "network", "best"]
Smoothing = Literal["kneser-ney", "witten-bell"]
Ties = Literal["order", "expected"]
Higher = Literal["genuine", "false"]
_CASE = "ignore case (fold), or keep it"
_SEEDS = (0, 10**18)


class LearningOptions(TypedDict, total=False):
    """The keywords of `Transliterator.fit` except `model`: the fields of `Learning`."""

    order: int
    smoothing: Smoothing
    seed: int
    case: Case
    reverse: bool


@dataclass(frozen=True, slots=True)
class Learning:
    """How a transliterator is trained: everything that can change a candidate.

    >>> str(Learning("bigram"))
    'sameas:transliterate|model:bigram|order:2|smoothing:kneser-ney|case:fold'
    """

    model: Model = option("best", "kind of model, from the fastest to the best", Model)
    order: int = option(
        0,
        "order of the n-grams of letter-unit pairs; 0 means 2 for bigram, 3 for the others",
        (0, 8),
    )
    smoothing: Smoothing = option("kneser-ney", "smoothing of n-grams", Smoothing)
    seed: int = option(1, "random seed", _SEEDS)
    case: Case = option("fold", _CASE, Case)
    reverse: bool = option(False, "transliterate from the second column to the first")

    def __post_init__(self) -> None:
        check(self)
        require(self.reverse, bool, "reverse", "True or False")
        if self.model == "network" and self.order:
            raise UsageError("network-order")
        if self.model == "bigram" and self.order not in (0, 2):
            raise UsageError("bigram-order", value=self.order)
        if self.model != "network" and not self.order:
            object.__setattr__(self, "order", 2 if self.model == "bigram" else 3)

    def __str__(self) -> str:
        """Return the signature, without unused options."""
        unused = ["reverse"]
        unused += ["order", "smoothing"] if self.model == "network" else []
        unused += ["seed"] if self.model in ("bigram", "ngram") else []
        parts = [f"{name}:{value}" for name, value in asdict(self).items() if name not in unused]
        direction = ["direction:reverse"] if self.reverse else []
        return "|".join(["sameas:transliterate", *parts, *direction])


@dataclass(frozen=True, slots=True)
class Writing:
    """How many candidates are returned for a name, and how probable the best one must be.

    >>> Writing().n
    20
    """

    n: int = option(20, "number of candidates per name", (1, 1000), flag="most")
    threshold: float = option(
        0.0, "return no candidates if the best is less probable than P", (0.0, 1), metavar="P"
    )

    def __post_init__(self) -> None:
        check(self)


class RankingOptions(TypedDict, total=False):
    """The keywords of `rank_scores` that can change a number: the fields of `Ranking`."""

    most: int
    ties: Ties
    case: Case


@dataclass(frozen=True, slots=True)
class Ranking:
    """How ranked candidates are scored; only the first `most` of each name count.

    With ties `order`, candidates are ranked as listed. With `expected`, they are ranked by score,
    and every metric is the mean over the orders of candidates with equal scores.

    >>> Ranking(ties="expected").most
    20
    """

    most: int = option(20, "score the first N candidates of a name", (1, 10**6))
    ties: Ties = option(
        "order", "rank tied candidates as listed, or average over all their orders", Ties
    )
    case: Case = option("fold", _CASE, Case)

    def __post_init__(self) -> None:
        check(self)


class VerifyingOptions(TypedDict, total=False):
    """The keywords of `Verifier.fit` that can change a number: the fields of `Verifying`."""

    seed: int
    case: Case
    prior: float


@dataclass(frozen=True, slots=True)
class Verifying:
    """How pairs are verified; `prior` is the expected share of genuine pairs.

    >>> Verifying(prior=0.9).seed
    1
    """

    seed: int = option(1, "seed of the folds and of the generated false pairs", _SEEDS)
    case: Case = option("fold", _CASE, Case)
    prior: float = option(0.5, "expected share of genuine pairs", (0.0, 1.0), metavar="P")

    def __post_init__(self) -> None:
        check(self)
        if not self.prior:
            raise UsageError("not-a-number", how="below", name="prior", most=1, value=self.prior)


def check_share(name: str, value: Any) -> float:
    """Return a share as a float; raise UsageError if it is not a number from 0 to 1.

    >>> check_share("miss", 2)
    Traceback (most recent call last):
    ...
    sameas.errors.UsageError: miss must be a number from 0 to 1, not 2
    """
    if not isinstance(value, Real) or not 0 <= float(value) <= 1:
        raise UsageError("not-a-number", how="share", name=name, value=value, least=0, most=1)
    return float(value)
