"""CONE: score the coreference of names, with a gold or estimated key (Lin et al. 2010)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sameas.without_gold.estimate import estimate_key as estimate_key
    from sameas.without_gold.scoring import NameErrors as NameErrors
    from sameas.without_gold.scoring import cone as cone
    from sameas.without_gold.scoring import name_errors as name_errors
    from sameas.without_gold.study import Study as Study
    from sameas.without_gold.study import cone_study as cone_study
    from sameas.without_gold.subset import PredictedScores as PredictedScores
    from sameas.without_gold.subset import predict_score as predict_score
else:
    from sameas.lazily import lazily

    __getattr__, __dir__ = lazily(
        __name__,
        {
            "estimate": ["estimate_key"],
            "scoring": ["NameErrors", "cone", "name_errors"],
            "study": ["Study", "cone_study"],
            "subset": ["PredictedScores", "predict_score"],
        },
    )

__all__ = [
    "NameErrors",
    "PredictedScores",
    "Study",
    "cone",
    "cone_study",
    "estimate_key",
    "name_errors",
    "predict_score",
]
