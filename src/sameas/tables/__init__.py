"""Tables of scores: reading them, correlating them, and the published scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sameas.tables.correlation import Correlation as Correlation
    from sameas.tables.correlation import correlate as correlate
    from sameas.tables.record import audit as audit
    from sameas.tables.record import published as published
    from sameas.tables.score_files import read_scores as read_scores
    from sameas.tables.scoretable import ScoreTable as ScoreTable
    from sameas.tables.scoretable import scores_of as scores_of
else:
    from sameas.lazily import lazily

    __getattr__, __dir__ = lazily(
        __name__,
        {
            "correlation": ["Correlation", "correlate"],
            "record": ["audit", "published"],
            "score_files": ["read_scores"],
            "scoretable": ["ScoreTable", "scores_of"],
        },
    )

__all__ = [
    "Correlation",
    "ScoreTable",
    "audit",
    "correlate",
    "published",
    "read_scores",
    "scores_of",
]
