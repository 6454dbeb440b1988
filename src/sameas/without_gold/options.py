"""The options of CONE that are not settings of a score: what is correlated with what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sameas.errors import UsageError, unknown
from sameas.settings import choices, option

__all__ = ["SOURCES", "Against", "Level", "ShareOf", "Studying"]

#: Where names may come from, beside a function and the names themselves.
SOURCES = ("annotated", "column", "rules", "spacy:MODEL")
Level = Literal["document", "entity"]
Against = Literal["entities", "all"]
ShareOf = Literal["entity", "corpus"]


@dataclass(frozen=True, slots=True)
class Studying:
    """What the scores of names are correlated with, and by what.

    >>> Studying(against="entity")
    Traceback (most recent call last):
    ...
    sameas.errors.UsageError: unknown against entity: did you mean entities? Known: entities, all
    """

    level: Level = option(
        "document",
        "how well the scores of names go with those of whole entities, by documents or entities "
        "of the KEY",
        Level,
        flag="correlate",
        metavar="document|entity",
    )
    against: Against = option(
        "entities",
        "of --correlate: with the score of the entities that have a name, as in the paper, or of "
        "all mentions, as sameas score gives it",
        Against,
        rare=True,
    )
    share_of: ShareOf = option(
        "entity",
        "of --correlate entity: what an entity's shared mentions are divided by, the aligned "
        "entity, or all mentions, so that entities add up to the score",
        ShareOf,
        rare=True,
    )

    def __post_init__(self) -> None:
        for name, known in choices(Studying).items():
            if getattr(self, name) not in known:
                raise unknown(name, getattr(self, name), known)
        if self.share_of != "entity" and self.level != "entity":
            raise UsageError("study-share")
