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
from sameas.presented import present_by

if TYPE_CHECKING:
    from sameas import errors as errors
    from sameas.analysis.analysis import Analysis, analyse, analyse_result
    from sameas.analysis.comparison import Comparison, Difference, compare, compare_results
    from sameas.arithmetic.scores import Score
    from sameas.chance.resampling import Interval
    from sameas.documents.document import Corpus, Document, Entity, Mention
    from sameas.formats.reading import read
    from sameas.formats.writing import save, write
    from sameas.metrics.statistics import METRICS
    from sameas.names.aligned import AlignedNames, AlignedPair, read_alignments
    from sameas.names.aligner import Aligner, FittedAligner, align
    from sameas.names.comparing import RankingComparison, compare_rankings
    from sameas.names.pairs import NamePairs, read_pairs
    from sameas.names.quality import AlignmentQuality, entropy
    from sameas.names.ranking import RankingScores, rank_scores, read_candidates, read_references
    from sameas.names.transliterator import Candidates, Transliterator
    from sameas.names.validation import DetCurve, det
    from sameas.names.verifier import Verified, Verifier
    from sameas.notes import Note
    from sameas.results.result import Result
    from sameas.run.datasets import DatasetScores, score_datasets
    from sameas.run.online import Scorer
    from sameas.run.scoring import score
    from sameas.settings import Comparing, ConeSettings, Resampling, Settings, Signature
    from sameas.show.page import Report, report, report_results
    from sameas.tables.correlation import Correlation, correlate
    from sameas.tables.record import audit, published
    from sameas.tables.score_files import read_scores
    from sameas.tables.scoretable import ScoreTable, scores_of
    from sameas.without_gold.errors import NameErrors, name_errors
    from sameas.without_gold.estimate import estimate_key
    from sameas.without_gold.scoring import cone
    from sameas.without_gold.study import Study, cone_study
    from sameas.without_gold.subset import PredictedScores, predict_score

_HOMES = {
    "AlignedNames": "sameas.names.aligned",
    "AlignedPair": "sameas.names.aligned",
    "Aligner": "sameas.names.aligner",
    "AlignmentQuality": "sameas.names.quality",
    "Analysis": "sameas.analysis.analysis",
    "Candidates": "sameas.names.transliterator",
    "Comparing": "sameas.settings",
    "Comparison": "sameas.analysis.comparison",
    "ConeSettings": "sameas.settings",
    "Corpus": "sameas.documents.document",
    "Correlation": "sameas.tables.correlation",
    "DatasetScores": "sameas.run.datasets",
    "DetCurve": "sameas.names.validation",
    "Difference": "sameas.analysis.comparison",
    "Document": "sameas.documents.document",
    "Entity": "sameas.documents.document",
    "FittedAligner": "sameas.names.aligner",
    "Interval": "sameas.chance.resampling",
    "METRICS": "sameas.metrics.statistics",
    "Mention": "sameas.documents.document",
    "NameErrors": "sameas.without_gold.errors",
    "NamePairs": "sameas.names.pairs",
    "Note": "sameas.notes",
    "PredictedScores": "sameas.without_gold.subset",
    "RankingComparison": "sameas.names.comparing",
    "RankingScores": "sameas.names.ranking",
    "Report": "sameas.show.page",
    "Resampling": "sameas.settings",
    "Result": "sameas.results.result",
    "Score": "sameas.arithmetic.scores",
    "ScoreTable": "sameas.tables.scoretable",
    "Scorer": "sameas.run.online",
    "Settings": "sameas.settings",
    "Signature": "sameas.settings",
    "Study": "sameas.without_gold.study",
    "Transliterator": "sameas.names.transliterator",
    "Verified": "sameas.names.verifier",
    "Verifier": "sameas.names.verifier",
    "align": "sameas.names.aligner",
    "analyse": "sameas.analysis.analysis",
    "analyse_result": "sameas.analysis.analysis",
    "audit": "sameas.tables.record",
    "compare": "sameas.analysis.comparison",
    "compare_rankings": "sameas.names.comparing",
    "compare_results": "sameas.analysis.comparison",
    "cone": "sameas.without_gold.scoring",
    "cone_study": "sameas.without_gold.study",
    "correlate": "sameas.tables.correlation",
    "det": "sameas.names.validation",
    "entropy": "sameas.names.quality",
    "estimate_key": "sameas.without_gold.estimate",
    "name_errors": "sameas.without_gold.errors",
    "predict_score": "sameas.without_gold.subset",
    "published": "sameas.tables.record",
    "rank_scores": "sameas.names.ranking",
    "read": "sameas.formats.reading",
    "read_alignments": "sameas.names.aligned",
    "read_candidates": "sameas.names.ranking",
    "read_pairs": "sameas.names.pairs",
    "read_references": "sameas.names.ranking",
    "read_scores": "sameas.tables.score_files",
    "report": "sameas.show.page",
    "report_results": "sameas.show.page",
    "save": "sameas.formats.writing",
    "score": "sameas.run.scoring",
    "score_datasets": "sameas.run.datasets",
    "scores_of": "sameas.tables.scoretable",
    "write": "sameas.formats.writing",
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


def _present(value: object, form: str) -> str:
    from sameas.show.values import present

    return present(value, form)


present_by(_present)


def __dir__() -> list[str]:
    return sorted(__all__)
