"""The options of CONE that are not settings of a score: which scores to correlate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sameas.errors import UsageError, unknown
from sameas.settings import choices, option

__all__ = ["Against", "Level", "ShareOf", "Studying"]

Level = Literal["document", "entity"]
Against = Literal["entities", "all"]
ShareOf = Literal["entity", "corpus"]


@dataclass(frozen=True, slots=True)
class Studying:
    """How to correlate the scores of names with those of the whole.

    >>> Studying(against="entity")
    Traceback (most recent call last):
    ...
    sameas.errors.UsageError: unknown against entity: did you mean entities? Known: entities, all
    """

    level: Level = option(
        "document",
        "correlate the scores of names with those of whole entities, over documents or entities "
        "of KEY",
        Level,
        flag="correlate",
        metavar="document|entity",
    )
    against: Against = option(
        "entities",
        "with --correlate: the other score, of the entities that have a name, as in the paper, or "
        "of all mentions, as in sameas score",
        Against,
        rare=True,
    )
    share_of: ShareOf = option(
        "entity",
        "with --correlate entity: the score of an entity is the share of its mentions that the "
        "aligned entity also has, or the part that these contribute to the score of the corpus",
        ShareOf,
        rare=True,
    )

    def __post_init__(self) -> None:
        for name, known in choices(Studying).items():
            if getattr(self, name) not in known:
                raise unknown(name, getattr(self, name), known)
        if self.share_of != "entity" and self.level != "entity":
            raise UsageError("study-share")
