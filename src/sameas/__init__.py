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
    from sameas.names.candidates import Candidates
    from sameas.names.comparing import RankingComparison, compare_rankings
    from sameas.names.pairs import NamePairs, read_pairs
    from sameas.names.quality import AlignmentQuality, entropy
    from sameas.names.ranked_lists import read_candidates, read_references
    from sameas.names.ranking import RankingScores, rank_scores
    from sameas.names.transliterator import Transliterator
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
    from sameas.without_gold.estimate import estimate_key
    from sameas.without_gold.scoring import NameErrors, cone, name_errors
    from sameas.without_gold.study import Study, cone_study
    from sameas.without_gold.subset import PredictedScores, predict_score

#: The public names that each module has; one is imported when it is first used.
_PUBLIC: dict[str, tuple[str, ...]] = {
    "analysis.analysis": ("Analysis", "analyse", "analyse_result"),
    "analysis.comparison": ("Comparison", "Difference", "compare", "compare_results"),
    "arithmetic.scores": ("Score",),
    "chance.resampling": ("Interval",),
    "documents.document": ("Corpus", "Document", "Entity", "Mention"),
    "formats.reading": ("read",),
    "formats.writing": ("save", "write"),
    "metrics.statistics": ("METRICS",),
    "names.aligned": ("AlignedNames", "AlignedPair", "read_alignments"),
    "names.aligner": ("Aligner", "FittedAligner", "align"),
    "names.candidates": ("Candidates",),
    "names.comparing": ("RankingComparison", "compare_rankings"),
    "names.pairs": ("NamePairs", "read_pairs"),
    "names.quality": ("AlignmentQuality", "entropy"),
    "names.ranked_lists": ("read_candidates", "read_references"),
    "names.ranking": ("RankingScores", "rank_scores"),
    "names.transliterator": ("Transliterator",),
    "names.validation": ("DetCurve", "det"),
    "names.verifier": ("Verified", "Verifier"),
    "notes": ("Note",),
    "results.result": ("Result",),
    "run.datasets": ("DatasetScores", "score_datasets"),
    "run.online": ("Scorer",),
    "run.scoring": ("score",),
    "settings": ("Comparing", "ConeSettings", "Resampling", "Settings", "Signature"),
    "show.page": ("Report", "report", "report_results"),
    "tables.correlation": ("Correlation", "correlate"),
    "tables.record": ("audit", "published"),
    "tables.score_files": ("read_scores",),
    "tables.scoretable": ("ScoreTable", "scores_of"),
    "without_gold.estimate": ("estimate_key",),
    "without_gold.scoring": ("NameErrors", "cone", "name_errors"),
    "without_gold.study": ("Study", "cone_study"),
    "without_gold.subset": ("PredictedScores", "predict_score"),
}

_HOMES = {name: f"sameas.{home}" for home, names in _PUBLIC.items() for name in names}

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
    """Write a value as text or HTML; see `sameas.presented`."""
    from sameas.show.values import present

    return present(value, form)


def __dir__() -> list[str]:
    return sorted(__all__)
