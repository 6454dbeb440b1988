"""Options of transliteration, each with its values, default and help, declared once.

Python functions take the names of the fields as keywords (the `…Options`); the command line, the
checks and the signatures are made from the fields.
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
_CASE = "are A and a one letter?"
_SEEDS = (0, 10**18)


class LearningOptions(TypedDict, total=False):
    """The keywords of `Transliterator.fit` beside `model`: the fields of `Learning`."""

    order: int
    smoothing: Smoothing
    seed: int
    case: Case
    reverse: bool


@dataclass(frozen=True, slots=True)
class Learning:
    """How names are transliterated: everything that can move a candidate.

    >>> str(Learning("bigram"))
    'sameas:transliterate|model:bigram|order:2|smoothing:kneser-ney|case:fold'
    """

    model: Model = option("best", "from the quick to the good", Model)
    order: int = option(0, "pairs of an n-gram; 0 is 2 for bigram, 3 for others", (0, 8))
    smoothing: Smoothing = option("kneser-ney", "of n-grams", Smoothing)
    seed: int = option(1, "of all that is random", _SEEDS)
    case: Case = option("fold", _CASE, Case)
    reverse: bool = option(False, "from the second column to the first")

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
        """The signature, without what is not used."""
        unused = ["reverse"]
        unused += ["order", "smoothing"] if self.model == "network" else []
        unused += ["seed"] if self.model in ("bigram", "ngram") else []
        parts = [f"{name}:{value}" for name, value in asdict(self).items() if name not in unused]
        direction = ["direction:reverse"] if self.reverse else []
        return "|".join(["sameas:transliterate", *parts, *direction])


@dataclass(frozen=True, slots=True)
class Writing:
    """How many ways to write a name are shown, if the best is as probable as the threshold.

    >>> Writing().n
    20
    """

    n: int = option(20, "candidates of a name", (1, 1000), flag="most")
    threshold: float = option(
        0.0, "no candidates if the best is less probable than that", (0.0, 1), metavar="P"
    )

    def __post_init__(self) -> None:
        check(self)


class RankingOptions(TypedDict, total=False):
    """The keywords of `rank_scores` that can move a digit: the fields of `Ranking`."""

    most: int
    ties: Ties
    case: Case


@dataclass(frozen=True, slots=True)
class Ranking:
    """How ranked candidates are scored. Of each name the first `most` count.

    With ties `order` the list is the ranking; with `expected` candidates of equal score come in any
    order, and every metric is the mean over these orders.

    >>> Ranking(ties="expected").most
    20
    """

    most: int = option(20, "candidates looked at", (1, 10**6))
    ties: Ties = option("order", "the list is the ranking, or equal scores are in any order", Ties)
    case: Case = option("fold", _CASE, Case)

    def __post_init__(self) -> None:
        check(self)


class VerifyingOptions(TypedDict, total=False):
    """The keywords of `Verifier.fit` that can move a digit: the fields of `Verifying`."""

    seed: int
    case: Case
    prior: float


@dataclass(frozen=True, slots=True)
class Verifying:
    """How pairs are verified; `prior` is the share of genuine pairs to expect.

    >>> Verifying(prior=0.9).seed
    1
    """

    seed: int = option(1, "of the folds and of the false pairs that are made", _SEEDS)
    case: Case = option("fold", _CASE, Case)
    prior: float = option(0.5, "share of genuine pairs to expect", (0.0, 1.0), metavar="P")

    def __post_init__(self) -> None:
        check(self)
        if not self.prior:
            raise UsageError("not-a-number", how="below", name="prior", most=1, value=self.prior)


def check_share(name: str, value: Any) -> float:
    """Return a number from 0 to 1, and refuse anything else.

    >>> check_share("miss", 2)
    Traceback (most recent call last):
    ...
    sameas.errors.UsageError: miss must be a number from 0 to 1, not 2
    """
    if not isinstance(value, Real) or not 0 <= float(value) <= 1:
        raise UsageError("not-a-number", how="share", name=name, value=value, least=0, most=1)
    return float(value)
