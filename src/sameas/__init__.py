"""How good is a system at telling what is the same as what?

>>> import sameas
>>> result = sameas.score([["a", "b", "c"], ["d", "e", "f", "g"]],
...                       [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]])
>>> result["muc"].counts, result["ceafe"].recall
((2, 5, 2, 5), 0.65)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sameas._version import __version__

if TYPE_CHECKING:
    from sameas import errors as errors
    from sameas.comparison import Comparison, Difference, compare, compare_results
    from sameas.coref.analysis import Analysis, analyse, analyse_result
    from sameas.coref.cone.errors import NameErrors, name_errors
    from sameas.coref.cone.estimate import estimate_key
    from sameas.coref.cone.scoring import cone
    from sameas.coref.cone.study import Study, cone_study
    from sameas.coref.cone.subset import PredictedScores, predict_score
    from sameas.coref.datasets import DatasetScores, score_datasets
    from sameas.coref.document import Corpus, Document, Entity, Mention
    from sameas.coref.read import read
    from sameas.coref.statistics import METRICS
    from sameas.coref.write import save, write
    from sameas.correlation import Correlation, correlate
    from sameas.notes import Note
    from sameas.page import Report, report, report_results
    from sameas.record import audit, published
    from sameas.resampling import Interval
    from sameas.result import Result
    from sameas.run.online import Scorer
    from sameas.run.scoring import score
    from sameas.scores import Score
    from sameas.scoretable import ScoreTable, read_scores, scores_of
    from sameas.settings import Comparing, ConeSettings, Resampling, Settings, Signature
    from sameas.translit.aligned import AlignedNames, AlignedPair, read_alignments
    from sameas.translit.aligner import Aligner, FittedAligner, align
    from sameas.translit.comparing import RankingComparison, compare_rankings
    from sameas.translit.pairs import NamePairs, read_pairs
    from sameas.translit.quality import AlignmentQuality, entropy
    from sameas.translit.ranking import (
        RankingScores,
        rank_scores,
        read_candidates,
        read_references,
    )
    from sameas.translit.transliterator import Candidates, Transliterator
    from sameas.translit.validation import DetCurve, det
    from sameas.translit.verifier import Verified, Verifier

_HOMES = {
    "AlignedNames": "sameas.translit.aligned",
    "AlignedPair": "sameas.translit.aligned",
    "Aligner": "sameas.translit.aligner",
    "AlignmentQuality": "sameas.translit.quality",
    "Analysis": "sameas.coref.analysis",
    "Candidates": "sameas.translit.transliterator",
    "Comparing": "sameas.settings",
    "Comparison": "sameas.comparison",
    "ConeSettings": "sameas.settings",
    "Corpus": "sameas.coref.document",
    "Correlation": "sameas.correlation",
    "DatasetScores": "sameas.coref.datasets",
    "DetCurve": "sameas.translit.validation",
    "Difference": "sameas.comparison",
    "Document": "sameas.coref.document",
    "Entity": "sameas.coref.document",
    "FittedAligner": "sameas.translit.aligner",
    "Interval": "sameas.resampling",
    "METRICS": "sameas.coref.statistics",
    "Mention": "sameas.coref.document",
    "NameErrors": "sameas.coref.cone.errors",
    "NamePairs": "sameas.translit.pairs",
    "Note": "sameas.notes",
    "PredictedScores": "sameas.coref.cone.subset",
    "RankingComparison": "sameas.translit.comparing",
    "RankingScores": "sameas.translit.ranking",
    "Report": "sameas.page",
    "Resampling": "sameas.settings",
    "Result": "sameas.result",
    "Score": "sameas.scores",
    "ScoreTable": "sameas.scoretable",
    "Scorer": "sameas.run.online",
    "Settings": "sameas.settings",
    "Signature": "sameas.settings",
    "Study": "sameas.coref.cone.study",
    "Transliterator": "sameas.translit.transliterator",
    "Verified": "sameas.translit.verifier",
    "Verifier": "sameas.translit.verifier",
    "align": "sameas.translit.aligner",
    "analyse": "sameas.coref.analysis",
    "analyse_result": "sameas.coref.analysis",
    "audit": "sameas.record",
    "compare": "sameas.comparison",
    "compare_rankings": "sameas.translit.comparing",
    "compare_results": "sameas.comparison",
    "cone": "sameas.coref.cone.scoring",
    "cone_study": "sameas.coref.cone.study",
    "correlate": "sameas.correlation",
    "det": "sameas.translit.validation",
    "entropy": "sameas.translit.quality",
    "estimate_key": "sameas.coref.cone.estimate",
    "name_errors": "sameas.coref.cone.errors",
    "predict_score": "sameas.coref.cone.subset",
    "published": "sameas.record",
    "rank_scores": "sameas.translit.ranking",
    "read": "sameas.coref.read",
    "read_alignments": "sameas.translit.aligned",
    "read_candidates": "sameas.translit.ranking",
    "read_pairs": "sameas.translit.pairs",
    "read_references": "sameas.translit.ranking",
    "read_scores": "sameas.scoretable",
    "report": "sameas.page",
    "report_results": "sameas.page",
    "save": "sameas.coref.write",
    "score": "sameas.run.scoring",
    "score_datasets": "sameas.coref.datasets",
    "scores_of": "sameas.scoretable",
    "write": "sameas.coref.write",
}

# Written out, for type checkers; a test compares it with the homes.
__all__ = [
    "METRICS",
    "AlignedNames",
    "AlignedPair",
    "Aligner",
    "AlignmentQuality",
    "Analysis",
    "Candidates",
    "Comparing",
    "Comparison",
    "ConeSettings",
    "Corpus",
    "Correlation",
    "DatasetScores",
    "DetCurve",
    "Difference",
    "Document",
    "Entity",
    "FittedAligner",
    "Interval",
    "Mention",
    "NameErrors",
    "NamePairs",
    "Note",
    "PredictedScores",
    "RankingComparison",
    "RankingScores",
    "Report",
    "Resampling",
    "Result",
    "Score",
    "ScoreTable",
    "Scorer",
    "Settings",
    "Signature",
    "Study",
    "Transliterator",
    "Verified",
    "Verifier",
    "__version__",
    "align",
    "analyse",
    "analyse_result",
    "audit",
    "compare",
    "compare_rankings",
    "compare_results",
    "cone",
    "cone_study",
    "correlate",
    "det",
    "entropy",
    "errors",
    "estimate_key",
    "name_errors",
    "predict_score",
    "published",
    "rank_scores",
    "read",
    "read_alignments",
    "read_candidates",
    "read_pairs",
    "read_references",
    "read_scores",
    "report",
    "report_results",
    "save",
    "score",
    "score_datasets",
    "scores_of",
    "write",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used (PEP 562): `import sameas` costs nothing."""
    from importlib import import_module

    if name == "errors":
        return import_module("sameas.errors")
    if name not in _HOMES:
        raise AttributeError(f"module 'sameas' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
